"""Verifying stored references."""

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import safetensors.torch
import torch

from grader.course.paths import CoursePaths
from grader.errors import ReferenceDataError, SourceError
from grader.exercises import Chapter
from grader.proving.verify import verify_chapter
from grader.references.store import CASES, MANIFEST, tensor_digest

CPU = torch.device("cpu")
PUBLISHED_VALUES = "published_values.json"
Tensors = dict[str, torch.Tensor]


@pytest.fixture
def course(tiny, monkeypatch: pytest.MonkeyPatch):
    """Return a small course that is built and in use."""
    tiny.build()
    monkeypatch.setenv("GRADER_REFERENCES", str(tiny.paths.references))
    return tiny


def problems(course) -> str:
    """Return what is wrong with the course's references, one line each."""
    return "\n".join(verify_chapter(course.chapter, course.paths, CPU))


def with_hidden_cases_changed(course, change: Callable[[Tensors], None]) -> str:
    """Return what is wrong with the course's references after its hidden cases were changed."""
    tamper(course.hidden, change, manifest_too=True)
    return problems(course)


def tamper(folder: Path, change: Callable[[Tensors], None], manifest_too: bool) -> None:
    """Change stored tensors, with the file's digest, and with the tensors' own entries if asked."""
    path, manifest_path = folder / CASES, folder / MANIFEST
    tensors = safetensors.torch.load(path.read_bytes())
    change(tensors)
    content = safetensors.torch.save(tensors)
    path.write_bytes(content)
    manifest = json.loads(manifest_path.read_text(encoding="utf-8"))
    manifest["files"][CASES]["sha256"] = hashlib.sha256(content).hexdigest()
    if manifest_too:
        for name, tensor in tensors.items():
            manifest["tensors"][name] |= {"sha256": tensor_digest(tensor), "shape": list(tensor.shape)}
    manifest_path.write_text(json.dumps(manifest), encoding="utf-8")


def edit_manifest(folder: Path, change: Callable[[dict], None]) -> None:
    """Change the manifest."""
    path = folder / MANIFEST
    manifest = json.loads(path.read_text(encoding="utf-8"))
    change(manifest)
    path.write_text(json.dumps(manifest), encoding="utf-8")


def add_one(name: str) -> Callable[[Tensors], None]:
    """Return a change that adds one to every stored tensor of this name."""

    def change(tensors: Tensors) -> None:
        for key in tensors:
            if key.endswith(name):
                tensors[key] += 1

    return change


def test_committed_references_are_verified(chapter: Chapter, repository: Path, device: torch.device) -> None:
    """The references as committed have nothing wrong with them, on every device."""
    assert verify_chapter(chapter, CoursePaths(repository), device) == []


def test_fresh_references_are_verified(course) -> None:
    """References that were just built have nothing wrong with them."""
    assert problems(course) == ""


def test_references_of_the_course_are_verified(tiny) -> None:
    """What is verified are the references of the course that is asked for, wherever it is."""
    tiny.build()
    assert problems(tiny) == ""


def test_wrong_references_of_a_course_elsewhere_are_reported(tiny) -> None:
    """References of a course elsewhere are reported, though another course's would be right."""
    tiny.build()
    tamper(tiny.references, add_one("expected/result"), manifest_too=True)
    assert "away from the oracle" in problems(tiny)


@pytest.mark.parametrize("name", ["expected/result", "arguments/x"])
def test_altered_tensor_is_reported(name: str, course) -> None:
    """A stored tensor that is not what its entry says is reported by name."""
    tamper(course.references, add_one(name), manifest_too=False)
    assert f"{course.exercise.id}/short/{name} is not what the manifest says" in problems(course)


def test_expected_tensor_that_is_not_the_oracles_is_reported(course) -> None:
    """A wrong expected tensor is reported though its entry was changed with it."""
    tamper(course.references, add_one("expected/result"), manifest_too=True)
    assert f"{course.exercise.id}, short: result is 1.0e+00 away from the oracle" in problems(course)


def test_nan_in_an_expected_tensor_is_reported(course) -> None:
    """An expected tensor of NaN is reported as away from the oracle."""

    def change(tensors: Tensors) -> None:
        tensors[f"{course.exercise.id}/short/expected/result"].fill_(torch.nan)

    tamper(course.references, change, manifest_too=True)
    assert f"{course.exercise.id}, short: result is nan away from the oracle" in problems(course)


def test_input_that_is_not_the_recipes_is_reported(course) -> None:
    """A changed input is reported though its entry was changed with it."""
    tamper(course.references, add_one("arguments/x"), manifest_too=True)
    assert f"{course.exercise.id}, short: the stored inputs are not those" in problems(course)


def test_file_that_was_altered_is_an_error(course) -> None:
    """A tensor file whose digest is not the manifest's is an error that names it."""
    path = course.references / CASES
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(ReferenceDataError) as caught:
        problems(course)
    assert str(path) in str(caught.value)


def test_tensor_without_an_entry_is_reported(course) -> None:
    """A stored tensor that the manifest does not have is reported by name."""
    name = f"{course.exercise.id}/short/probes/result"
    edit_manifest(course.references, lambda manifest: manifest["tensors"].pop(name))
    assert f"{name} is stored, but not in the manifest" in problems(course)


def test_entry_without_a_tensor_is_reported(course) -> None:
    """An entry whose tensor is not stored is reported by name."""

    def change(manifest: dict) -> None:
        manifest["tensors"]["left/over/x"] = next(iter(manifest["tensors"].values()))

    edit_manifest(course.references, change)
    assert "left/over/x is in the manifest, but not stored" in problems(course)


def test_tolerance_that_lets_mistakes_pass_is_reported(course) -> None:
    """A tolerance that was widened until known wrong answers pass is reported with their names."""

    def change(manifest: dict) -> None:
        for entry in manifest["tensors"].values():
            if "tolerance" in entry:
                entry["tolerance"] = dict.fromkeys(entry["tolerance"], 100.0)

    edit_manifest(course.references, change)
    found = problems(course)
    assert all(f"'{name}' should give" in found for name in ("missing-scale", "scale-multiplied"))


def test_answer_that_was_added_since_is_reported(course) -> None:
    """A bank answer that the references do not know yet is reported."""
    course.add_to_bank('# %% mistake="scale-by-dk" edits="product"\n# - return 2 * x\n# + return x / 4\n')
    assert "'scale-by-dk' should give" in problems(course)


def test_case_that_was_renamed_since_is_reported(course) -> None:
    """Cases that are not those of the recipe any more are reported."""
    course.edit_recipe('"short"', '"shorter"')
    assert "the stored cases are not those of reference.py" in problems(course)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"some numbers"', '"some other numbers"'),
        ("visible, seed,", "visible, seed + 12,"),
        ("visible, seed,", "False, seed,"),
    ],
    ids=["description", "seed", "visibility"],
)
def test_case_that_was_changed_since_is_reported(old: str, new: str, course) -> None:
    """A case whose facts are not the recipe's any more is reported, though its tensors are the same."""
    course.edit_recipe(old, new)
    assert f"{course.exercise.id}, short" in problems(course)


def test_tensor_that_is_expected_since_is_reported(course) -> None:
    """A tensor that the recipe expects since the references were built is reported by name."""
    course.edit_recipe('"argument/x": exact,', '"argument/x": exact, "separate/x": exact,')
    assert "separate/x" in problems(course)


def test_hidden_cases_of_a_private_seed_are_verified(tiny) -> None:
    """Hidden cases are held against those of the seed that they were drawn with."""
    tiny.build(course_seed=10**6)
    assert problems(tiny) == ""
    edit_manifest(tiny.hidden, lambda manifest: manifest.update(course_seed=5))
    assert f"{tiny.exercise.id}, hidden: the stored inputs are not those" in problems(tiny)


def test_hidden_case_that_is_wrong_is_reported(course) -> None:
    """A hidden case whose expected tensor is not the oracle's is reported, and fails correct variants."""
    found = with_hidden_cases_changed(course, add_one("expected/result"))
    assert f"{course.exercise.id}, hidden: result is 1.0e+00 away from the oracle" in found
    assert "'product' should give ['passed']" in found


def test_hidden_tensor_that_was_altered_is_reported(course) -> None:
    """A stored tensor of a hidden case that is not what its entry says is reported by name."""
    tamper(course.hidden, add_one("arguments/x"), manifest_too=False)
    assert f"{course.exercise.id}/hidden/arguments/x is not what the manifest says" in problems(course)


def test_missing_hidden_cases_are_an_error(course) -> None:
    """A course without hidden cases is an error that names the folder."""
    shutil.rmtree(course.hidden)
    with pytest.raises(ReferenceDataError) as caught:
        problems(course)
    assert f"{course.hidden / MANIFEST} is missing" in str(caught.value)


def test_published_value_is_verified(course, repository: Path) -> None:
    """A case that is to reproduce published numbers and does not is an error that names them."""
    shutil.copy(CoursePaths(repository).references / PUBLISHED_VALUES, course.paths.references)
    course.edit_recipe("Solved(case, expected)", 'Solved(case, expected, {"result": "toy.context.query2"})')
    with pytest.raises(SourceError, match=r"toy\.context\.query2"):
        problems(course)
