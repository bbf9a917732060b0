"""Load a chapter's recipe, ``reference.py``: it returns cases with the oracle's results (``Solved``)."""

import ast
import importlib.util
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from traceback import extract_tb
from types import ModuleType

import numpy as np
import torch

from grader.errors import ReferenceDataError, SourceError
from grader.exercises import find_chapter
from grader.exercises.case import PUBLISHED, Case, Flag
from grader.exercises.declaration import closest

RECIPE = "reference.py"
# Draws the visible cases, in every course, and the hidden ones that come with the repository.
PUBLIC_SEED = 0
# How often an exercise's hidden cases are drawn from one seed. Where seven of eight draws are refused, one of
# 600,000 seeds fails.
DRAWS = 100
# The entry of an exercise in the manifest of hidden cases that has its draw's number; absent for the first.
DRAW = "draw"


@dataclass(frozen=True)
class Solved:
    """A solved case: a case with its expected values from the oracle.

    Attributes:
        case: what the subject is run on.
        expected: tensors by role (``result``, ``gradient/x``, ``argument/x``, ...), float64 where the
            answer's are of floating point.
        published: by the name of a result, the entry of ``published_values.json`` that it reproduces.
        raises: the exception that the case expects instead of a result; ``Exception`` for any.
        dtype: of the answer's results of floating point; that in which the case computes by default.
        floor: the minimum tolerance.
        flags: required flags, besides the tensors.
        attributes: the numbers that a module has to hold, by name.
    """

    case: Case
    expected: Mapping[str, torch.Tensor]
    published: Mapping[str, str] = field(default_factory=dict)
    raises: str = ""
    dtype: torch.dtype | None = None
    floor: float = 0.0
    flags: Mapping[Flag, bool] = field(default_factory=dict)
    attributes: Mapping[str, int] = field(default_factory=dict)


# The names of a tensor's axes, of which one may stand for any number.
Axes = tuple[str, ...]
ANY_AXES = "..."
# What is one name for all of a list, such as that of a head.
NUMBER = re.compile(r"\d+")
# What a recipe's functions return, for messages.
FORM = "expected {exercise id: [Solved, ...]}, each case as pose returns it"
# A hidden case whose sizes are known.
OTHER_NUMBERS = "other numbers"


def visible_cases(recipe: ModuleType) -> dict[str, list[Solved]]:
    """Return the visible cases of a chapter's exercises, one of each marked as thorough."""
    drawn = _drawn(recipe, recipe.solved_cases, PUBLIC_SEED)
    return {name: _with_thorough(cases) if cases else [] for name, cases in drawn.items()}


def _drawn(recipe: ModuleType, make: Callable, seed: int) -> dict[str, list[Solved]]:
    """Return the cases that a recipe makes; an error names the line, and the exercise where that is clear."""
    try:
        return _held_to_form(make(seed), make.__name__)
    except Exception as error:  # the recipe is an author's code: it may raise anything
        path = Path(recipe.__file__)
        frames = [one for one in extract_tb(error.__traceback__) if one.filename == recipe.__file__]
        words = str(error) if isinstance(error, ReferenceDataError) else f"{type(error).__name__}: {error}"
        exercise = _exercise_at(path, {one.lineno for one in frames}, {one.name for one in frames})
        told = f"{exercise}, {words}" if exercise else words
        raise SourceError(path, frames[-1].lineno if frames else 1, told) from error


def _held_to_form(made: object, function: str) -> dict[str, list[Solved]]:
    """Return what a recipe's function made if it is lists of cases by exercise.

    Raises:
        ReferenceDataError: it is anything else.
    """
    if not isinstance(made, dict):
        raise ReferenceDataError(f"{function} returns {type(made).__name__}: {FORM}.")
    for exercise, cases in made.items():
        check_cases(exercise, cases, function)
    return made


def check_cases(exercise: str, cases: object, function: str) -> None:
    """Refuse what is no list of cases, of those that a function makes for an exercise.

    Raises:
        ReferenceDataError: it is none.
    """
    several = isinstance(cases, list)
    if strange := [one for one in cases if not isinstance(one, Solved)] if several else [cases]:
        came = f"{'a list with ' if several else ''}{type(strange[0]).__name__}"
        raise ReferenceDataError(f"{function} has {came} for {exercise}: {FORM}.")


def _exercise_at(path: Path, lines: set[int], functions: set[str]) -> str:
    """Return for which exercise a recipe was at these lines, in these functions; empty if nothing says so.

    A dict from exercises to cases says so, or to functions that make cases. Of a single exercise it is clear.
    """
    chapter = find_chapter(path.parent.name)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        for key, value in zip(node.keys, node.values, strict=True) if isinstance(node, ast.Dict) else ():
            here = isinstance(value, ast.Name) and value.id in functions
            if here or lines & set(range(value.lineno, value.end_lineno + 1)):
                name = key.value if isinstance(key, ast.Constant) else None
                if name in chapter.by_id:
                    return name
    return next(iter(chapter.by_id)) if len(chapter.by_id) == 1 else ""


def check_axes(recipe: ModuleType, solved: Mapping[str, list[Solved]]) -> list[str]:
    """Return the names of arguments, weights and parts of results that ``AXES`` has no entry for.

    Raises:
        SourceError: it has an entry for a tensor that there is not.
    """
    given = {
        (exercise, name)
        for exercise, cases in solved.items()
        for one in cases
        for name in (*one.case.arguments, *one.case.weights, *_parts(one))
    }
    there = {
        (exercise, name) for exercise, cases in solved.items() for one in cases for name, _ in _tensors(one)
    }
    names = {name for _, name in there}
    known = {NUMBER.sub("*", name) for name in names} | {
        NUMBER.sub("*", f"{exercise}/{name}") for exercise, name in there
    }
    if strange := [name for name in recipe.AXES if NUMBER.sub("*", name) not in known]:
        told = f"AXES names {strange[0]}, which no case has; there are {', '.join(sorted(names))}."
        line = line_of(recipe, strange[0])
        raise SourceError(Path(recipe.__file__), line, f"{told}{closest(strange[0], names)}")
    return sorted({name for exercise, name in given if axes_of(recipe.AXES, exercise, name) is None})


def _parts(solved: Solved) -> Iterator[str]:
    """Yield the names of what has axes of a case's results, if these are several."""
    results = (name for name, one in solved.expected.items() if name.startswith("result/") and one.dim())
    yield from (name.partition("/")[2] for name in results)


def _tensors(solved: Solved) -> Iterator[tuple[str, torch.Tensor]]:
    """Yield a case's tensors by their names without roles."""
    case = solved.case
    yield from (*case.arguments.items(), *case.weights.items(), *case.grad_outputs.items())
    yield from ((name.partition("/")[2] or name, one) for name, one in solved.expected.items())


def axes_of(axes: Mapping[str, Axes], exercise: str, name: str) -> Axes | None:
    """Return the names of a tensor's axes in an exercise: its own entry, else that of the chapter."""
    return axes.get(f"{exercise}/{name}", axes.get(name))


def fits(axes: Axes, tensor: torch.Tensor) -> bool:
    """Return whether there is a name for each axis; ``...`` stands for any number of them."""
    return len(axes) - 1 <= tensor.dim() if ANY_AXES in axes else len(axes) == tensor.dim()


def check_axes_fit(recipe: ModuleType, solved: Mapping[str, list[Solved]]) -> None:
    """Hold the names of axes against the tensors of cases.

    Raises:
        SourceError: a tensor has another number of axes than ``AXES`` names.
    """
    for exercise, cases in solved.items():
        for one in cases:
            for name, tensor in _tensors(one):
                axes = axes_of(recipe.AXES, exercise, name)
                if axes is None or fits(axes, tensor):
                    continue
                own = f"{exercise}/{name}"
                told = f"{exercise}, case {one.case.name!r}: {name} has the shape {tuple(tensor.shape)}"
                if own not in recipe.AXES:
                    other = f"Write an entry {own!r} for this exercise alone."
                else:
                    other = f"{ANY_AXES!r} stands for any number of axes."
                line = line_of(recipe, own if own in recipe.AXES else name)
                told = f"{told}; AXES names {len(axes)} of its axes, {listed(axes)}. {other}"
                raise SourceError(Path(recipe.__file__), line, told)


def listed(names: Sequence[str]) -> str:
    """Return names as a message has them."""
    return ", ".join(names) or "nothing"


def line_of(source: ModuleType, name: str) -> int:
    """Return the first line of an author's module that has a name in quotes; 1 if none has."""
    lines = Path(source.__file__).read_text(encoding="utf-8").splitlines()
    return next((number for number, text in enumerate(lines, 1) if f'"{name}"' in text), 1)


def _with_thorough(solved: list[Solved]) -> list[Solved]:
    """Mark one case as thorough: the one whose sizes differ most and are not those of the published example.

    Where gradients are asked for, it asks for them: a module is called further only then.
    """
    best = max(
        solved,
        key=lambda item: (
            *(item.case.name != OTHER_NUMBERS, bool(item.case.grad_outputs)),
            telling(item.case, item.raises),
        ),
    )
    return [
        replace(one, case=replace(one.case, thorough=True)) if one is best else _plain(one) for one in solved
    ]


def telling(case: Case, raises: str = "") -> tuple:
    """Return how much a case tells of what an answer computes, as a key to compare cases by.

    Those with an exception, with dropout, in double precision or in print come last, those whose sizes
    differ first.
    """
    sizes = [size for tensor in case.arguments.values() for size in tensor.shape]
    numbers = [value for value in case.options.values() if type(value) is int]
    plain = not (raises or case.drops or case.name == PUBLISHED)
    single = case.dtype == torch.float32
    return plain, single, min(sizes, default=2) > 1, len({*sizes, *numbers}), -sum(sizes)


def hidden_cases(recipe: ModuleType, seed: int) -> dict[str, list[Solved]]:
    """Return the cases that only grading uses, drawn from a course's seed, one of each marked as thorough."""
    drawn = _drawn(recipe, recipe.grading_cases, seed)
    return {name: _with_thorough(cases) if cases else [] for name, cases in drawn.items()}


def seed_of_draw(seed: int, number: int) -> int:
    """Return what hidden cases are drawn with at one of the draws of a course's seed.

    Args:
        seed: the course's.
        number: from 0, for which it is the seed itself; of a later one a child of it, in 64 bits, the same
            on every machine.
    """
    if not number:
        return seed
    return int(np.random.SeedSequence(seed, spawn_key=(number,)).generate_state(1, np.uint64)[0])


def hidden_cases_of(recipe: ModuleType, manifest: Mapping) -> dict[str, list[Solved]]:
    """Return the hidden cases that a manifest is of: drawn from its seed, each exercise's at its own draw."""
    numbers = {name: entry.get(DRAW, 0) for name, entry in manifest["exercises"].items()}
    seeds = {number: seed_of_draw(manifest["course_seed"], number) for number in {0, *numbers.values()}}
    draws = {number: hidden_cases(recipe, seed) for number, seed in seeds.items()}
    return {name: draws[numbers.get(name, 0)][name] for name in draws[0]}


def _plain(solved: Solved) -> Solved:
    """Return a case without the expectations that only a thorough one has."""
    apart = ("refilled",) if solved.case.called_again else ("refilled", "again")
    return replace(
        solved,
        expected={name: one for name, one in solved.expected.items() if name.partition("/")[0] not in apart},
    )


def import_source(path: Path) -> ModuleType:
    """Import a chapter's own file of Python.

    Raises:
        SourceError: it does not run; names the line.
    """
    spec = importlib.util.spec_from_file_location(f"{path.stem}_{path.parent.name}", path)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # the file is Python: it may raise anything
        at = error.lineno if isinstance(error, SyntaxError) and error.filename == str(path) else None
        told = f"this file does not run: {type(error).__name__}: {error}"
        raise SourceError(path, at or line_in(path, error) or 1, told) from error
    return module


def line_in(path: Path, error: Exception) -> int | None:
    """Return the last line of a file that was running when an error was raised; None if none was."""
    lines = [one.lineno for one in extract_tb(error.__traceback__) if one.filename == str(path)]
    return lines[-1] if lines else None


def no_recipe(path: Path) -> ReferenceDataError:
    """Return the error that a chapter's ``reference.py`` is missing."""
    return ReferenceDataError(f"{path} is missing: a chapter needs the cases and the oracle defined there.")


def load_recipe(path: Path) -> ModuleType:
    """Import a chapter's ``reference.py``.

    It defines ``solved_cases(seed)`` and ``grading_cases(seed)``, the visible cases and those that only
    grading uses, both ``-> dict[str, list[Solved]]`` by exercise; ``PRODUCER`` (what the oracle is) and
    ``AXES`` (axis names by tensor name, or by exercise and tensor name with a slash between).

    Raises:
        ReferenceDataError: there is no such file.
        SourceError: it does not run, or lacks one of these.
    """
    if not path.is_file():
        raise no_recipe(path)
    module = import_source(path)
    for name in ("solved_cases", "grading_cases", "PRODUCER", "AXES"):
        if not hasattr(module, name):
            raise SourceError(path, 1, f"this file defines no {name}.")
    return module
