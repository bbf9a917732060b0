"""Load a chapter's recipe, ``reference.py``: it returns cases with the oracle's results (``Solved``)."""

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType

import torch

from grader.errors import ReferenceDataError
from grader.exercises.case import PUBLISHED, Case, Flag

# Draws the visible cases, in every course, and the hidden ones that come with the repository.
PUBLIC_SEED = 0


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


# A hidden case whose sizes are known.
OTHER_NUMBERS = "other numbers"


def visible_cases(recipe: ModuleType) -> dict[str, list[Solved]]:
    """Return the visible cases of a chapter's exercises, one of each marked as thorough."""
    return {name: _with_thorough(cases) for name, cases in recipe.solved_cases(PUBLIC_SEED).items()}


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
    drawn = recipe.grading_cases(seed)
    return {name: _with_thorough(cases) if cases else [] for name, cases in drawn.items()}


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
        ReferenceDataError: it does not run.
    """
    spec = importlib.util.spec_from_file_location(f"{path.stem}_{path.parent.name}", path)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # the file is Python: it may raise anything
        raise ReferenceDataError(f"{path} does not run: {type(error).__name__}: {error}") from error
    return module


def load_recipe(path: Path) -> ModuleType:
    """Import a chapter's ``reference.py``.

    It defines ``solved_cases(seed)`` and ``grading_cases(seed)``, the visible cases and those that only
    grading uses, both ``-> dict[str, list[Solved]]`` by exercise; ``PRODUCER`` (what the oracle is) and
    ``AXES`` (axis names by tensor name).

    Raises:
        ReferenceDataError: there is no such file, or it lacks one of these.
    """
    if not path.is_file():
        raise ReferenceDataError(
            f"{path} is missing: a chapter needs the cases and the oracle defined there."
        )
    module = import_source(path)
    for name in ("solved_cases", "grading_cases", "PRODUCER", "AXES"):
        if not hasattr(module, name):
            raise ReferenceDataError(f"{path} defines no {name}.")
    return module
