"""Inputs that another machine would round differently stay as they are stored; others do not."""

from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from grader.course.paths import CoursePaths
from grader.exercises import CHAPTERS, Chapter
from grader.exercises.case import Case
from grader.proving.kept_inputs import ROUNDING, as_kept, inputs_kept
from grader.proving.recipe import hidden_cases_of, load_recipe, visible_cases
from grader.references.store import read_manifest, stored_cases

STORED = torch.tensor([1.0, -2.0, 3.0])


def case(name: str = "a case", **arguments: torch.Tensor) -> Case:
    """Return a stored case."""
    return Case(name, "anything", True, 0, {}, {}, arguments, {})


@pytest.mark.parametrize("off", [0.0, 0.9 * ROUNDING, -0.9 * ROUNDING])
def test_what_differs_by_rounding_is_kept(off: float) -> None:
    """Of the largest magnitude, whatever the single number is."""
    with inputs_kept([case(x=STORED)]):
        arguments, _ = as_kept("a case", {"x": STORED + 3.0 * off}, {})
    assert torch.equal(arguments["x"], STORED)


@pytest.mark.parametrize(
    "made",
    [
        {"x": STORED + 3.3 * ROUNDING},
        {"x": STORED.double()},
        {"x": STORED[:2]},
        {"x": STORED * torch.nan},
        {"y": STORED},
        {"x": STORED, "y": STORED},
        {},
    ],
    ids=["farther", "another dtype", "another shape", "not finite", "another name", "one more", "none"],
)
def test_what_differs_otherwise_is_not(made: dict[str, torch.Tensor]) -> None:
    """A recipe that was changed counts."""
    with inputs_kept([case(x=STORED)]):
        assert as_kept("a case", made, {}) == (made, {})
        assert as_kept("another case", {"x": STORED + 0.0}, {})[0]["x"] is not STORED
    assert as_kept("a case", made, {}) == (made, {})


def test_whole_numbers_have_to_be_equal() -> None:
    """They are not rounded."""
    stored, made = torch.tensor([10**6]), torch.tensor([10**6 + 1])
    with inputs_kept([case(x=stored)]):
        assert as_kept("a case", {"x": made}, {})[0]["x"] is made


@pytest.mark.parametrize("chapter", CHAPTERS.values(), ids=lambda one: one.stem)
def test_what_another_processor_computes_is_kept(
    chapter: Chapter, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Products and softmaxes in a recipe come out a little different; the inputs are the stored ones."""
    paths = CoursePaths(repository)
    folders = (paths.references / chapter.stem, paths.grading_cases(chapter.stem))
    kept = [one for folder in folders for one in stored_cases(folder)]
    for holder, name in ((torch.Tensor, "__matmul__"), (torch, "softmax"), (torch.Tensor, "softmax")):
        monkeypatch.setattr(holder, name, otherwise_rounded(getattr(holder, name)))
    with inputs_kept(kept):
        recipe = load_recipe(paths.solutions / chapter.stem / "reference.py")
        made = [
            one.case
            for cases in (visible_cases(recipe), hidden_cases_of(recipe, read_manifest(folders[1])))
            for solved in cases.values()
            for one in solved
        ]
    assert len(made) == len(kept) > 0
    for one, other in zip(made, kept, strict=True):
        ours, theirs = one.to_tensors(), other.to_tensors()
        assert ours.keys() == theirs.keys()
        assert all(torch.equal(ours[name], theirs[name]) for name in ours), one.name


def otherwise_rounded(act: Callable) -> Callable:
    """Return a function of tensors that is right but for the last digits."""

    def rounded(*given: object, **named: object) -> torch.Tensor:
        result = act(*given, **named)
        return result * (1 + torch.finfo(result.dtype).eps) if result.dtype == torch.float32 else result

    return rounded
