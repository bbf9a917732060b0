"""Reading stored references."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from grader.errors import ReferenceDataError
from grader.exercises import CHAPTERS, EXERCISES, Chapter, Exercise, references_root
from grader.exercises.case import Case
from grader.proving.tolerances import largest
from grader.references import load_exercise
from grader.references.store import CASES, FORMAT, KNOWN_WRONG, MANIFEST, Raised

EditManifest = Callable[[Callable[[dict], None]], None]


@pytest.fixture
def folder(tmp_path: Path, chapter: Chapter, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of a chapter's references, in use instead of the committed ones."""
    copy = tmp_path / chapter.stem
    shutil.copytree(references_root() / chapter.stem, copy)
    monkeypatch.setenv("GRADER_REFERENCES", str(tmp_path))
    return copy


@pytest.fixture
def edit_manifest(folder: Path) -> EditManifest:
    """Return a function that edits the copy's manifest."""

    def edit(change: Callable[[dict], None]) -> None:
        path = folder / MANIFEST
        manifest = json.loads(path.read_text(encoding="utf-8"))
        change(manifest)
        path.write_text(json.dumps(manifest), encoding="utf-8")

    return edit


def load(exercise: Exercise) -> None:
    """Read everything that is stored for an exercise."""
    assert load_exercise(exercise.chapter, exercise.id).known_wrong


@pytest.mark.parametrize("name", [MANIFEST, CASES, KNOWN_WRONG])
def test_missing_file_is_named(name: str, folder: Path, exercise: Exercise) -> None:
    """A missing file is an error that names it and says what to do."""
    (folder / name).unlink()
    with pytest.raises(ReferenceDataError) as caught:
        load(exercise)
    assert f"{folder / name} is missing" in str(caught.value)
    assert "version control" in str(caught.value)


@pytest.mark.parametrize("name", [CASES, KNOWN_WRONG])
def test_altered_file_is_named(name: str, folder: Path, exercise: Exercise) -> None:
    """A tensor file of which one bit was changed is an error that names it."""
    content = bytearray((folder / name).read_bytes())
    content[-1] ^= 1
    (folder / name).write_bytes(content)
    with pytest.raises(ReferenceDataError) as caught:
        load(exercise)
    assert f"{folder / name} was altered" in str(caught.value)


@pytest.mark.parametrize("name", [CASES, KNOWN_WRONG])
def test_cut_off_file_is_named(name: str, folder: Path, exercise: Exercise) -> None:
    """A tensor file that is cut off is an error that names it."""
    content = (folder / name).read_bytes()
    (folder / name).write_bytes(content[: len(content) // 2])
    with pytest.raises(ReferenceDataError) as caught:
        load(exercise)
    assert str(folder / name) in str(caught.value)


@pytest.mark.parametrize("found", [FORMAT + 1, str(FORMAT), None])
def test_other_format_is_refused(
    found: object, folder: Path, exercise: Exercise, edit_manifest: EditManifest
) -> None:
    """A manifest of another format is an error that names both formats."""
    edit_manifest(lambda manifest: manifest.update(format=found))
    with pytest.raises(ReferenceDataError) as caught:
        load(exercise)
    assert f"{folder / MANIFEST} has format {found!r}" in str(caught.value)
    assert f"reads format {FORMAT}" in str(caught.value)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "7", "\x00"], ids=["empty", "cut", "list", "number", "binary"]
)
def test_manifest_that_is_none_is_named(text: str, folder: Path, exercise: Exercise) -> None:
    """A manifest that is not a JSON object is an error that names it."""
    (folder / MANIFEST).write_text(text, encoding="utf-8")
    with pytest.raises(ReferenceDataError) as caught:
        load(exercise)
    assert str(folder / MANIFEST) in str(caught.value)


def test_manifest_without_the_exercise_is_named(
    folder: Path, exercise: Exercise, edit_manifest: EditManifest
) -> None:
    """An exercise that the manifest does not have is an error that names both."""
    edit_manifest(lambda manifest: manifest["exercises"].pop(exercise.id))
    with pytest.raises(ReferenceDataError) as caught:
        load(exercise)
    assert f"{folder / MANIFEST} has nothing for {exercise.id}" in str(caught.value)


@pytest.mark.parametrize("part", ["files", "tensors", "exercises"])
def test_manifest_without_a_part_is_named(
    part: str, folder: Path, exercise: Exercise, edit_manifest: EditManifest
) -> None:
    """A manifest that lacks a part is an error that names it."""
    edit_manifest(lambda manifest: manifest.pop(part))
    with pytest.raises(ReferenceDataError) as caught:
        load(exercise)
    assert str(folder / MANIFEST) in str(caught.value)


def test_manifest_that_lacks_a_tensor_is_named(
    folder: Path, exercise: Exercise, edit_manifest: EditManifest
) -> None:
    """A stored tensor without its entry is an error that names the manifest."""
    edit_manifest(lambda manifest: manifest["tensors"].clear())
    with pytest.raises(ReferenceDataError) as caught:
        load(exercise)
    assert str(folder / MANIFEST) in str(caught.value)


def test_unknown_exercise_is_an_error(chapter: Chapter) -> None:
    """An exercise that no manifest has is an error that names it."""
    with pytest.raises(ReferenceDataError, match="ch99-nothing"):
        load_exercise(chapter.stem, "ch99-nothing")


def test_unknown_chapter_is_an_error(exercise: Exercise) -> None:
    """A chapter without references is an error that names the file it lacks."""
    with pytest.raises(ReferenceDataError) as caught:
        load_exercise("ch99_nothing", exercise.id)
    assert str(references_root() / "ch99_nothing" / MANIFEST) in str(caught.value)


def test_environment_chooses_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """GRADER_REFERENCES names the folder that is read."""
    monkeypatch.setenv("GRADER_REFERENCES", str(tmp_path))
    assert references_root() == tmp_path


def test_environment_is_read_at_every_call(
    exercise: Exercise, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """References read before do not stand in for those of a folder named later."""
    load(exercise)
    monkeypatch.setenv("GRADER_REFERENCES", str(tmp_path))
    with pytest.raises(ReferenceDataError):
        load(exercise)


def test_checkout_is_read_without_a_choice(repository: Path) -> None:
    """In a checkout its own folder is read."""
    assert references_root() == repository / "reference_outputs"


def test_broken_known_wrong_answers_do_not_matter_to_right_ones(folder: Path, exercise: Exercise) -> None:
    """What known wrong answers returned is not read before a wrong answer needs it."""
    (folder / KNOWN_WRONG).unlink()
    assert load_exercise(exercise.chapter, exercise.id).cases


@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_dtypes_are_those_of_the_course(exercise_id: str) -> None:
    """A case has one dtype of floating point, and wants it back; what is expected of it is float64."""
    reference = load_exercise(EXERCISES[exercise_id].chapter, exercise_id)
    for case in reference.cases:
        inputs = [tensor for tensor in case.to_tensors().values() if tensor.is_floating_point()]
        assert {tensor.dtype for tensor in inputs} <= {case.dtype}
        assert case.dtype in (torch.float32, torch.float64)
        for item in reference.expected[case.name].values():
            exact = item.values.dtype
            assert exact is torch.float64 or not exact.is_floating_point
            assert item.dtype is (case.dtype if exact is torch.float64 else exact) or not inputs


@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_tolerances_of_results_are_small(exercise_id: str) -> None:
    """A result's tolerance is tiny, on CUDA no smaller than on the CPU, and zero where nothing is rounded."""
    reference = load_exercise(EXERCISES[exercise_id].chapter, exercise_id)
    for items in reference.expected.values():
        for item in (item for name, item in items.items() if name.startswith("result")):
            if item.dtype.is_floating_point:
                bound = 3e-3 * max(0.01, largest(item.values))
                assert 0 < item.tolerance["cpu"] <= item.tolerance["cuda"] <= bound
            else:
                assert item.tolerance == {"cpu": 0.0, "cuda": 0.0}


@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_known_wrong_answers_have_an_outcome_on_every_case(exercise_id: str) -> None:
    """A known wrong answer returned or raised something on each case that computes, and has a code.

    What it does on a case with dropout is not needed: that case has checks of its own. On one case it may
    return something that is no tensor: a loop with a return in it returns None where there is nothing to do.
    """
    reference = load_exercise(EXERCISES[exercise_id].chapter, exercise_id)
    names = {case.name for case in reference.cases} - reference.raises.keys()
    telling = names - {case.name for case in reference.cases if case.drops}
    for known in reference.known_wrong:
        assert telling <= set(known.outcomes) <= names
        assert sum(not isinstance(one, Raised) and not one for one in known.outcomes.values()) <= 1
        assert set(known.codes) <= set(reference.codes)


@pytest.mark.parametrize("stem", CHAPTERS)
def test_case_names_are_unique(stem: str) -> None:
    """No two cases of an exercise have the same name."""
    for exercise in CHAPTERS[stem].exercises:
        names = [case.name for case in load_exercise(stem, exercise.id).cases]
        assert len(names) == len(set(names))


def test_case_is_put_together_again(exercise: Exercise) -> None:
    """A case made of another's facts and tensors is the same, in the order of its arguments too."""
    for case in load_exercise(exercise.chapter, exercise.id).cases:
        again = Case.from_parts(json.loads(json.dumps(case.to_facts())), case.to_tensors())
        assert again.to_facts() == case.to_facts()
        assert again.to_tensors().keys() == case.to_tensors().keys()
        assert all(again.to_tensors()[name].equal(tensor) for name, tensor in case.to_tensors().items())
