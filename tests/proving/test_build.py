"""Making references."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from grader.course.paths import CoursePaths
from grader.errors import BankError, GraderError, ReferenceDataError, SourceError
from grader.exercises import Chapter
from grader.exercises.case import Case
from grader.exercises.declaration import COMPILED
from grader.proving.bank import read_bank
from grader.proving.build import build_chapter, draw_hidden
from grader.references import ExerciseReference, load_exercise, load_for_grading
from grader.references.store import CASES, FINGERPRINTS, KNOWN_WRONG, MANIFEST, read_manifest, read_tensors

# What another machine's arithmetic may make of the same closed form in float64.
ORACLE_TOLERANCE = 1e-9


# A whole chapter, as committed.


@pytest.fixture(scope="module")
def built(
    chapter: Chapter,
    course_copy: Callable[..., CoursePaths],
    repository: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> CoursePaths:
    """Return a course in which a chapter's references were built again, perhaps on another processor."""
    course = course_copy(tmp_path_factory.mktemp("built") / "course", chapter)
    committed = CoursePaths(repository)
    for folder in (committed.references / chapter.stem, committed.grading_cases(chapter.stem)):
        shutil.copytree(folder, course.root / folder.relative_to(repository), dirs_exist_ok=True)
    build_chapter(chapter, course)
    return course


@pytest.fixture
def pairs(
    built: CoursePaths, chapter: Chapter, repository: Path
) -> list[tuple[ExerciseReference, ExerciseReference]]:
    """Return each exercise's committed and freshly built reference, with the hidden cases."""
    return [
        tuple(
            load_for_grading(chapter.stem, exercise.id, paths) for paths in (CoursePaths(repository), built)
        )
        for exercise in chapter.exercises
    ]


def test_cases_are_the_committed_ones(pairs: list[tuple[ExerciseReference, ExerciseReference]]) -> None:
    """Building again gives the committed cases: names, seeds, sizes, and what they show."""
    for committed, fresh in pairs:
        assert [case.to_facts() for case in fresh.cases] == [case.to_facts() for case in committed.cases]


def test_inputs_are_the_committed_ones(pairs: list[tuple[ExerciseReference, ExerciseReference]]) -> None:
    """Building again gives the committed inputs, bit by bit."""

    def flat(cases: tuple[Case, ...]) -> dict[tuple[str, str], torch.Tensor]:
        return {(case.name, name): tensor for case in cases for name, tensor in case.to_tensors().items()}

    for committed, fresh in pairs:
        stored, made = flat(committed.cases), flat(fresh.cases)
        assert made.keys() == stored.keys()
        assert all(torch.equal(made[key], stored[key]) for key in stored)


def test_expected_tensors_are_the_committed_ones(
    pairs: list[tuple[ExerciseReference, ExerciseReference]],
) -> None:
    """Building again gives the committed expected tensors, but for rounding in float64."""
    for committed, fresh in pairs:
        for case, items in committed.expected.items():
            assert fresh.expected[case].keys() == items.keys()
            for name, item in items.items():
                error = (fresh.expected[case][name].values - item.values).abs().max()
                assert error <= ORACLE_TOLERANCE, (case, name)


def test_known_wrong_answers_are_the_committed_ones(
    pairs: list[tuple[ExerciseReference, ExerciseReference]],
) -> None:
    """Building again gives the committed codes and known wrong answers, in the bank's order."""
    for committed, fresh in pairs:
        assert fresh.codes == committed.codes
        assert [(known.answer, known.codes) for known in fresh.known_wrong] == [
            (known.answer, known.codes) for known in committed.known_wrong
        ]


def test_equal_wrong_tensors_are_stored_once(chapter: Chapter, built: CoursePaths) -> None:
    """What several known wrong answers return alike on a case is stored once."""
    manifest = read_manifest(built.references / chapter.stem)
    entries = [
        (exercise.id, case, name, key)
        for exercise in chapter.exercises
        for known in manifest["exercises"][exercise.id]["known_wrong"]
        for case, outcome in known["outcomes"].items()
        for name, key in outcome.get("tensors", {}).items()
    ]
    contents = {
        (*place, manifest["tensors"][key]["sha256"], *manifest["tensors"][key]["shape"])
        for *place, key in entries
    }
    assert len(contents) == len({key for *_, key in entries}) < len(entries)


# A small course.


def assert_refused(tiny, error: type[GraderError], *parts: str) -> None:
    """Assert that building fails with these parts in the message, and that nothing is written."""
    with pytest.raises(error) as caught:
        tiny.build()
    assert all(part in str(caught.value) for part in parts), caught.value
    assert not tiny.paths.references.exists()
    assert not tiny.hidden.exists()


def test_every_proven_exercise_is_told(tiny) -> None:
    """Building tells of each exercise, how many answers it was proven against, and its hidden cases."""
    told = []
    build_chapter(tiny.chapter, tiny.paths, on_exercise=lambda exercise, *counts: told.append(counts))
    assert told == [(len(read_bank(tiny.bank)), 1)]


def test_four_files_are_written(tiny) -> None:
    """Building leaves the chapter's four files, those of the hidden cases, and nothing beside them."""
    before = {*tiny.bank.parents[1].iterdir()}
    tiny.build()
    assert {path.name for path in tiny.references.iterdir()} == {MANIFEST, CASES, KNOWN_WRONG, FINGERPRINTS}
    assert list(tiny.paths.references.iterdir()) == [tiny.references]
    assert {path.name for path in tiny.hidden.iterdir()} == {MANIFEST, CASES}
    assert {*tiny.bank.parents[1].iterdir()} - before == {tiny.hidden}


def test_manifest_describes_every_tensor(tiny) -> None:
    """The manifest has shape, dtype, producer and digest of every stored tensor, and of no other."""
    tiny.build()
    manifest = read_manifest(tiny.references)
    stored = {
        name: tensor
        for file in (CASES, KNOWN_WRONG, FINGERPRINTS)
        for name, tensor in read_tensors(tiny.references, file, manifest).items()
    }
    assert manifest["tensors"].keys() == stored.keys()
    for name, entry in manifest["tensors"].items():
        assert entry["shape"] == list(stored[name].shape)
        assert f"torch.{entry['dtype']}" == str(stored[name].dtype)
        assert entry["producer"]
        assert len(entry["sha256"]) == 64


def test_building_again_replaces_the_old(tiny) -> None:
    """Building again gives the same files, and removes what else was in the folder but the declaration."""
    tiny.build()
    (tiny.references / COMPILED).write_text("{}")
    before = {path.name: path.read_bytes() for path in tiny.references.iterdir()}
    (tiny.references / "left over").touch()
    tiny.build()
    assert {path.name: path.read_bytes() for path in tiny.references.iterdir()} == before


def test_failed_build_keeps_the_old(tiny) -> None:
    """When a build is refused, the references built before are as they were."""
    tiny.build()
    before = {path.name: path.read_bytes() for path in tiny.references.iterdir()}
    tiny.edit_bank("# + return x / 2", "# + return x * 2.0")
    with pytest.raises(BankError):
        tiny.build()
    assert {path.name: path.read_bytes() for path in tiny.references.iterdir()} == before
    assert list(tiny.paths.references.iterdir()) == [tiny.references]


def test_seed_draws_the_hidden_cases_alone(tiny) -> None:
    """Another course seed draws other hidden cases; what students get is the same to the byte."""
    tiny.build()
    visible = {path.name: path.read_bytes() for path in tiny.references.iterdir()}
    hidden = (tiny.hidden / CASES).read_bytes()
    written = {path.name: path.stat().st_mtime_ns for path in tiny.references.iterdir()}
    tiny.build(course_seed=5)
    assert {path.name: path.stat().st_mtime_ns for path in tiny.references.iterdir()} == written
    assert {path.name: path.read_bytes() for path in tiny.references.iterdir()} == visible
    assert (tiny.hidden / CASES).read_bytes() != hidden


def test_seed_without_references_is_an_error(tiny) -> None:
    """Hidden cases are proven beside the visible ones; without them, nothing is written."""
    with pytest.raises(ReferenceDataError, match="grader references build"):
        draw_hidden(tiny.chapter, tiny.paths, 5)
    assert not tiny.hidden.exists()


def test_seed_is_kept_beside_the_hidden_cases(tiny) -> None:
    """The instructor's manifest remembers the course seed, for verifying; the students' does not have it."""
    tiny.build(course_seed=765_432_123)
    assert read_manifest(tiny.hidden)["course_seed"] == 765_432_123
    assert all(b"765432123" not in path.read_bytes() for path in tiny.references.iterdir())


def test_building_again_keeps_the_seed(tiny) -> None:
    """Who has drawn hidden cases with a seed of their own builds again without naming it."""
    tiny.build(course_seed=5)
    before = (tiny.hidden / CASES).read_bytes()
    tiny.build()
    assert (tiny.hidden / CASES).read_bytes() == before
    tiny.build(course_seed=0)
    assert (tiny.hidden / CASES).read_bytes() != before


@pytest.mark.parametrize("manifest", ["{}", "cut", '{"format": 3}'])
def test_seed_that_cannot_be_read_is_asked_for(manifest: str, tiny) -> None:
    """Where the seed in use is not known, building stops instead of drawing public cases; a seed helps."""
    tiny.build(course_seed=5)
    (tiny.hidden / MANIFEST).write_text(manifest, encoding="utf-8")
    with pytest.raises(ReferenceDataError, match="--course-seed"):
        tiny.build()
    tiny.build(course_seed=5)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"hidden", 4, seed, False', '"hidden", 4, seed, True', "a visible case among the hidden ones"),
        ('"hidden", 4, seed, False', '"short", 4, seed, False', "a visible case has this name"),
        ('"hidden", 4, seed, False', '"published", 4, seed, False', "a visible case has this name"),
        ('[double("hidden", 4, seed, False)]', "[]", "there is no hidden case"),
    ],
    ids=["visible", "name", "published", "none"],
)
def test_hidden_cases_that_are_no_good_are_refused(old: str, new: str, told: str, tiny) -> None:
    """A case that cannot be a hidden one is an error that says why."""
    tiny.edit_recipe(old, new)
    assert_refused(tiny, GraderError, told)


@pytest.mark.parametrize(
    ("old", "new"),
    [("(0 if visible else 1 + seed)", "0"), ('"hidden", 4', '"hidden", 3')],
    ids=["other size", "other numbers"],
)
def test_other_size_or_other_numbers_are_enough(old: str, new: str, tiny) -> None:
    """A hidden case that differs from the visible ones in its size or in its numbers is accepted."""
    tiny.edit_recipe(old, new)
    tiny.build()
    assert tiny.hidden.is_dir()


def test_hidden_case_of_visible_results_is_refused(tiny) -> None:
    """A hidden case on which a visible case's stored results are right is an error that names both."""
    tiny.edit_recipe('"hidden", 4', '"hidden", 3')
    tiny.edit_recipe("(0 if visible else 1 + seed)", "0")
    assert_refused(tiny, BankError, "'hidden'", "'short'", "right on it")


def test_correct_variant_that_fails_a_hidden_case_is_refused(tiny) -> None:
    """A variant that is only right on the visible sizes is an error that names it."""
    tiny.edit_bank("# + return x + x", "# + return x + x * (len(x) != 4)")
    assert_refused(tiny, BankError, "'sum'")


def test_hidden_cases_of_other_exercises_are_refused(tiny) -> None:
    """A recipe without hidden cases for an exercise is an error that names its function."""
    tiny.edit_recipe('{"tiny-double": [double("hidden"', '{"tiny-triple": [double("hidden"')
    assert_refused(tiny, BankError, "reference.py: grading_cases has no case for tiny-double")


def test_wrong_answer_that_passes_is_refused(tiny) -> None:
    """A known wrong answer that no case finds is an error that names it."""
    tiny.edit_bank("# + return x / 2", "# + return x * 2.0")
    assert_refused(tiny, BankError, "'scale-multiplied'", "passed")


def test_wrong_answers_that_no_case_tells_apart_are_refused(tiny) -> None:
    """Two mistakes that give the same numbers on every case are an error that names both."""
    tiny.edit_bank("# + return x / 2", "# + return x / 1")
    assert_refused(tiny, BankError, "'missing-scale'", "'scale-multiplied'", "no case tells")


def test_wrong_answer_that_is_nearly_right_is_refused(tiny) -> None:
    """A mistake whose numbers are only a few tolerances away from what is right is an error that names it."""
    tiny.edit_bank("# + return x / 2", "# + return x * (2 + 1e-5)")
    assert_refused(tiny, BankError, "'scale-multiplied'", "from what is right by 10 tolerances")


def test_wrong_answers_that_declare_each_other_are_accepted(tiny) -> None:
    """Two mistakes with the same numbers pass the proof when both declare both codes."""
    tiny.edit_bank("# + return x / 2", "# + return x / 1")
    tiny.edit_bank('mistake="missing-scale"', 'mistake="missing-scale" also="scale-multiplied"')
    tiny.edit_bank('mistake="scale-multiplied"', 'mistake="scale-multiplied" also="missing-scale"')
    tiny.build()
    assert tiny.references.is_dir()


def test_answer_of_two_mistakes_is_told_both(tiny) -> None:
    """What one answer declares as two mistakes of their own kind needs no second answer for the other."""
    tiny.edit_bank('mistake="missing-scale"', 'mistake="missing-scale" also="scale-by-dk"')
    tiny.build()
    known = load_exercise("tiny", tiny.exercise.id, tiny.references.parent).known_wrong
    assert ("missing-scale", "scale-by-dk") in [one.codes for one in known]


def test_wrong_answers_that_are_twins_are_stored_once(tiny) -> None:
    """Two answers of one mistake that do the same on every case are stored once."""
    tiny.build()
    before = load_exercise("tiny", tiny.exercise.id, tiny.references.parent).known_wrong
    tiny.add_to_bank(
        '# %% mistake="missing-scale: twin" edits="product"\n# - return 2 * x\n# + return 1 * x\n'
    )
    tiny.build()
    after = load_exercise("tiny", tiny.exercise.id, tiny.references.parent).known_wrong
    assert [one.answer for one in after] == [one.answer for one in before]


def test_wrong_answer_with_another_diagnosis_is_refused(tiny) -> None:
    """A known wrong answer that fails for another reason than declared is an error that names both codes."""
    tiny.add_to_bank('# %% mistake="no-gradient" edits="product"\n# - return 2 * x\n# + return 2 * y\n')
    assert_refused(tiny, BankError, "'no-gradient'", "raises")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("return 2 * x.double()", "wrong-dtype"),
        ("return (2 * x)[None]", "(1, 3), expected (3,)"),
        ("return 2 * y", "NameError"),
        ("return 2 * x.detach()", "no gradient reaches x"),
        ("return 2.002 * x", "'quotient'"),
    ],
    ids=["dtype", "shape", "raises", "no gradient", "one in a thousand off"],
)
def test_correct_variant_that_fails_is_refused(line: str, told: str, tiny) -> None:
    """A variant that is called correct and is not is an error that names it and says why."""
    tiny.edit_bank("# + return x / 0.5", f"# + {line}")
    assert_refused(tiny, BankError, "'quotient'", told)


def test_correct_variant_without_a_subject_is_refused(tiny) -> None:
    """A variant that defines nothing is an error that names it."""
    tiny.add_to_bank('# %% correct="nothing"\npass\n')
    assert_refused(tiny, BankError, "'nothing'", tiny.exercise.subject)


def test_published_value_that_is_not_reproduced_is_refused(tiny) -> None:
    """A case whose oracle does not give the published numbers is an error that names the entry."""
    tiny.edit_recipe(
        "Solved(case, expected)",
        'Solved(case, expected, {"result": "toy.context.query2"} if length == 3 else {})',
    )
    assert_refused(tiny, SourceError, "toy.context.query2", "case 'short'")


def test_fewer_than_three_variants_are_refused(tiny) -> None:
    """A bank with two correct variants is an error: tolerances need more."""
    tiny.edit_bank('correct="quotient"', 'mistake="raises"')
    assert_refused(tiny, BankError, tiny.exercise.id, "three correct variants")


def test_bank_without_a_mistake_is_refused(tiny) -> None:
    """A bank that holds no known wrong answer is an error."""
    text = tiny.bank.read_text(encoding="utf-8")
    tiny.bank.write_text(text.partition("# %% mistake")[0], encoding="utf-8")
    assert_refused(tiny, BankError, tiny.exercise.id, "no known wrong answer")


def test_code_that_nobody_explains_is_refused(tiny) -> None:
    """A declared code without an entry among the known mistakes is an error that names both."""
    tiny.edit_bank('mistake="missing-scale"', 'mistake="no-such-mistake"')
    assert_refused(tiny, BankError, "'no-such-mistake'")


def test_missing_bank_is_refused(tiny) -> None:
    """A chapter with an exercise that has no bank is an error that names the file."""
    tiny.bank.unlink()
    assert_refused(tiny, BankError, str(tiny.bank))


def test_missing_reference_file_is_refused(tiny) -> None:
    """A chapter without a recipe is an error that names the file."""
    tiny.recipe.unlink()
    assert_refused(tiny, ReferenceDataError, str(tiny.recipe))


def test_cases_of_other_exercises_are_refused(tiny) -> None:
    """A recipe without cases for an exercise is an error that names its function."""
    tiny.edit_recipe('"tiny-double": [double("short"', '"tiny-triple": [double("short"')
    assert_refused(tiny, BankError, "reference.py: solved_cases has no case for tiny-double")


def test_cases_of_an_unknown_exercise_are_told_with_the_one_that_is_meant(tiny) -> None:
    """Cases of an exercise that only the recipe has."""
    old, new = '"tiny-double": [double("short"', '"tiny-doubel": [double("a", 4, seed, True)], '
    tiny.edit_recipe(old, new + old)
    assert_refused(tiny, BankError, "solved_cases has cases of", "tiny-doubel", "Did you mean tiny-double?")


def test_two_cases_of_one_name_are_refused(tiny) -> None:
    """Their results are stored by name: one would be judged by the other's."""
    tiny.edit_recipe('[double("short"', '[double("long", 3, seed, True), double("short"')
    assert_refused(tiny, BankError, "solved_cases has two cases of tiny-double that are called 'long'")
