"""What a chapter's ``reference.py`` hands over."""

from pathlib import Path

import pytest
import torch

from grader.errors import ReferenceDataError, SourceError
from grader.exercises import CHAPTERS
from grader.exercises.case import PUBLISHED
from grader.proving.recipe import Solved, load_recipe

PARTS = {
    "solved_cases": "def solved_cases(seed): return {}",
    "grading_cases": "def grading_cases(seed): return {}",
    "PRODUCER": "PRODUCER = 'arithmetic'",
    "AXES": "AXES = {}",
}


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    """Return where a chapter's ``reference.py`` would be."""
    return tmp_path / "ch99_nothing" / "reference.py"


def write(path: Path, *lines: str) -> None:
    """Write a file of these lines."""
    path.parent.mkdir()
    path.write_text("\n".join(lines), encoding="utf-8")


def solved(solutions: Path, stem: str, seed: int) -> dict[str, list[Solved]]:
    """Return a chapter's solved cases."""
    return load_recipe(solutions / stem / "reference.py").solved_cases(seed)


def inputs(cases: list[Solved]) -> list[torch.Tensor]:
    """Return all inputs of an exercise's cases."""
    return [tensor for item in cases for tensor in item.case.to_tensors().values()]


def test_complete_recipe_is_imported(recipe: Path) -> None:
    """A recipe that defines all it has to is imported."""
    write(recipe, *PARTS.values())
    assert load_recipe(recipe).PRODUCER == "arithmetic"


def test_missing_recipe_is_named(recipe: Path) -> None:
    """A chapter without a recipe is an error that names the file."""
    with pytest.raises(ReferenceDataError) as caught:
        load_recipe(recipe)
    assert f"{recipe} is missing" in str(caught.value)


@pytest.mark.parametrize("part", PARTS)
def test_missing_part_is_named(part: str, recipe: Path) -> None:
    """A recipe that lacks a definition is an error that names file and definition."""
    write(recipe, *(line for name, line in PARTS.items() if name != part))
    with pytest.raises(SourceError) as caught:
        load_recipe(recipe)
    assert f"{recipe}:1: this file defines no {part}" in str(caught.value)


@pytest.mark.parametrize("stem", CHAPTERS)
def test_every_exercise_has_cases(stem: str, solutions: Path) -> None:
    """A chapter's recipe solves cases for each of its exercises, and for nothing else."""
    cases = solved(solutions, stem, 0)
    assert set(cases) == set(CHAPTERS[stem].by_id)
    assert all(cases.values())


@pytest.mark.parametrize("stem", CHAPTERS)
def test_same_seed_gives_the_same_cases(stem: str, solutions: Path) -> None:
    """The same course seed gives the same inputs, bit by bit."""
    one, other = solved(solutions, stem, 3), solved(solutions, stem, 3)
    for name in one:
        assert all(torch.equal(a, b) for a, b in zip(inputs(one[name]), inputs(other[name]), strict=True))


@pytest.mark.parametrize("stem", CHAPTERS)
def test_another_seed_gives_other_cases(stem: str, solutions: Path) -> None:
    """Another course seed gives every exercise that has numbers for inputs others of the same shapes."""
    one, other = solved(solutions, stem, 3), solved(solutions, stem, 4)
    for name in one:
        pairs = list(zip(inputs(one[name]), inputs(other[name]), strict=True))
        assert all(a.shape == b.shape for a, b in pairs)
        numbers = [(a, b) for a, b in pairs if a.is_floating_point()]  # texts are not drawn
        assert not numbers or not all(torch.equal(a, b) for a, b in numbers)


@pytest.mark.parametrize("stem", CHAPTERS)
def test_exercises_that_draw_have_a_published_case(stem: str, solutions: Path) -> None:
    """Where weights are drawn, the first case is a published example that they can be compared with."""
    cases = solved(solutions, stem, 0)
    for exercise in CHAPTERS[stem].exercises:
        if exercise.drawn_by:
            first = cases[exercise.id][0]
            assert first.case.name == PUBLISHED
            assert first.published


@pytest.mark.parametrize("stem", CHAPTERS)
def test_oracle_works_in_float64(stem: str, solutions: Path) -> None:
    """Every expected tensor is float64, or exact by itself, and none holds NaN."""
    for cases in solved(solutions, stem, 0).values():
        for item in cases:
            for values in item.expected.values():
                assert values.dtype in (torch.float64, torch.bool, torch.int64, torch.int32)
                assert not values.isnan().any()
