"""What an exercise is judged by beyond its numbers is asked for in its docstring, in one form of words."""

import ast
import re
from pathlib import Path

import nbformat
import pytest

from grader.course.paths import CoursePaths
from grader.exercises import CHAPTERS, EXERCISES, Exercise
from grader.references import load_exercise

REPOSITORY = Path(__file__).resolve().parents[2]
LARGE = re.compile(r"large scores|huge scores|scores in the (hundreds|thousands)|overflow")
HOW_LARGE = re.compile(r"as\s+large\s+as\s+\d[\d,]*")
every_exercise = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)


def docstring_of(exercise: Exercise) -> str:
    """Return what a learner reads in the exercise's cell."""
    path = CoursePaths(REPOSITORY).student(CHAPTERS[exercise.chapter])
    cells = {cell.id: cell for cell in nbformat.read(path, as_version=4).cells}
    source = cells[exercise.id].source
    (defined,) = (
        node
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == exercise.subject
    )
    return ast.get_docstring(defined) or ""


def asked_of(exercise: Exercise) -> str:
    """Return the docstring, with those of other exercises that it names: it may ask for what they ask for."""
    own = docstring_of(exercise)
    named = (EXERCISES[one] for one in exercise.requires)
    return own + "".join(docstring_of(one) for one in named if one.subject in own)


@every_exercise
def test_how_large_scores_may_be_is_said(exercise: Exercise) -> None:
    """Where a case has large scores, the docstring says how large they may be."""
    cases = load_exercise(exercise.chapter, exercise.id).cases
    if any(LARGE.search(f"{case.name}; {case.shows}") for case in cases):
        assert HOW_LARGE.search(asked_of(exercise))


@every_exercise
def test_what_is_looked_at_besides_the_numbers_is_said(exercise: Exercise) -> None:
    """A function to be called, memory of its own and double precision are asked for where they are judged."""
    docstring = docstring_of(exercise)
    assert all(name in docstring for name in exercise.required)
    assert not exercise.new_memory or re.search(r"\bnew\b", docstring)
    assert not exercise.double_precision or "precision" in asked_of(exercise)
