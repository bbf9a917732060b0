"""What grading judges by: the visible cases, and those that no student has."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from grader.course.paths import CoursePaths
from grader.errors import ReferenceDataError
from grader.exercises import CHAPTERS, EXERCISES, Exercise
from grader.exercises.declaration import COMPILED
from grader.references import ExerciseReference, grading_digest, load_exercise, load_for_grading
from grader.references.store import CASES, MANIFEST


@pytest.fixture
def course(tmp_path: Path, repository: Path, exercise: Exercise) -> CoursePaths:
    """Return a course with hidden cases of its own: those of the repository, in another place."""
    paths = CoursePaths(tmp_path / "course")
    shutil.copytree(
        CoursePaths(repository).grading_cases(exercise.chapter), paths.grading_cases(exercise.chapter)
    )
    return paths


def hidden(reference: ExerciseReference) -> list[str]:
    """Return the names of the hidden cases."""
    return [case.name for case in reference.cases if not case.visible]


@pytest.mark.parametrize("asked", EXERCISES.values(), ids=EXERCISES)
def test_visible_cases_come_first(asked: Exercise, repository: Path) -> None:
    """Every exercise is graded on the cases of its check, in their order, then on its hidden ones."""
    visible = load_exercise(asked.chapter, asked.id)
    grading = load_for_grading(asked.chapter, asked.id, CoursePaths(repository))
    assert grading.cases[: len(visible.cases)] == visible.cases
    rest = grading.cases[len(visible.cases) :]
    assert bool(rest) == asked.has_hidden_cases
    assert not any(case.visible for case in rest)
    assert any(case.thorough for case in rest) == bool(rest)
    refused = {case.name for case in grading.cases if grading.raises.get(case.name)}
    assert not refused or any(case.name in refused for case in rest)
    assert grading.expected.keys() == {case.name for case in grading.cases}
    assert (grading.codes, grading.known_wrong) == (visible.codes, visible.known_wrong)


def test_notebook_s_check_knows_no_hidden_case(exercise: Exercise) -> None:
    """What a notebook's check loads is visible."""
    assert hidden(load_exercise(exercise.chapter, exercise.id)) == []


def test_course_without_its_own_uses_those_of_the_checkout(exercise: Exercise, tmp_path: Path) -> None:
    """A course folder that holds no cases of its own is graded by those beside the package."""
    assert hidden(load_for_grading(exercise.chapter, exercise.id, CoursePaths(tmp_path)))


def test_course_s_own_come_first(tiny) -> None:
    """A course's own cases are used, visible and hidden ones, wherever the package is."""
    tiny.build()
    reference = load_for_grading("tiny", tiny.exercise.id, tiny.paths)
    assert [case.name for case in reference.cases] == ["short", "long", "hidden"]


def test_package_without_a_checkout_asks_for_them(
    exercise: Exercise, repository: Path, tmp_path: Path
) -> None:
    """Installed alone, as students do, the package has no hidden case, and grading says what is missing."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(repository / "grader", tmp_path / "site" / "grader", ignore=ignored)
    shutil.copytree(repository / "reference_outputs", tmp_path / "site" / "grader" / "reference_outputs")
    program = (
        "import sys; from pathlib import Path; from grader.course.paths import CoursePaths; "
        "from grader.references import load_for_grading; "
        "load_for_grading(sys.argv[1], sys.argv[2], CoursePaths(Path(sys.argv[3])))"
    )
    command = [sys.executable, "-c", program, exercise.chapter, exercise.id, str(tmp_path / "course")]
    environment = os.environ | {"PYTHONPATH": str(tmp_path / "site")}
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    missing = CoursePaths(tmp_path / "course").grading_cases(exercise.chapter) / MANIFEST
    assert f"{missing} is missing" in done.stderr
    assert "grader references build" in done.stderr


def test_wheel_holds_no_hidden_case(repository: Path) -> None:
    """What students install is the package and the visible references, nothing of the solutions."""
    files = {one.distribution_path for one in WheelBuilder(str(repository)).recurse_included_files()}
    assert f"grader/reference_outputs/{next(iter(CHAPTERS))}/{CASES}" in files
    assert not [name for name in files if "grading_cases" in name or "solutions" in name]


def test_altered_file_is_named(course: CoursePaths, exercise: Exercise) -> None:
    """A file of hidden cases of which one bit was changed is an error that names it."""
    path = course.grading_cases(exercise.chapter) / CASES
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(ReferenceDataError) as caught:
        load_for_grading(exercise.chapter, exercise.id, course)
    assert f"{path} was altered" in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new"),
    [('"visible": false', '"visible": true'), ('"name": "other sizes"', '"name": "published"')],
    ids=["visible", "a visible case's name"],
)
def test_case_that_cannot_be_hidden_is_refused(
    old: str, new: str, course: CoursePaths, exercise: Exercise
) -> None:
    """Hidden cases that do not go with the visible ones are an error that names their folder."""
    folder = course.grading_cases(exercise.chapter)
    text = (folder / MANIFEST).read_text(encoding="utf-8")
    assert old in text
    (folder / MANIFEST).write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ReferenceDataError) as caught:
        load_for_grading(exercise.chapter, exercise.id, course)
    assert str(folder) in str(caught.value)


def test_digest_follows_both_sets(tiny) -> None:
    """What stands for a chapter changes with its visible cases, its hidden ones, and its declaration."""
    tiny.build()
    digests = [grading_digest("tiny", tiny.paths), grading_digest("tiny", tiny.paths)]
    tiny.build(course_seed=5)
    digests.append(grading_digest("tiny", tiny.paths))
    tiny.edit_recipe('"some numbers"', '"other words"')
    tiny.build()
    digests.append(grading_digest("tiny", tiny.paths))
    (tiny.references / COMPILED).write_text("{}", encoding="utf-8")
    digests.append(grading_digest("tiny", tiny.paths))
    assert digests[0] == digests[1]
    assert len(set(digests)) == 4
