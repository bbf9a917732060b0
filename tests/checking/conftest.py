"""Fixtures for judging."""

import subprocess
import sys
from collections.abc import Callable

import pytest
import torch

from grader.checking.attempt import attempt
from grader.checking.judge import judge
from grader.checking.result import Result
from grader.exercises import Exercise
from grader.proving.build import asked_by_case
from grader.proving.recipe import Solved
from grader.proving.tolerances import with_tolerances
from grader.references import ExerciseReference


@pytest.fixture(scope="session")
def verdict() -> Callable[[Exercise, list[Solved], object], Result]:
    """Return a function that judges a subject on cases that an oracle solved."""

    def of(exercise: Exercise, solved: list[Solved], subject: object) -> Result:
        exact = {(item.case.name, name): 0.0 for item in solved for name in item.expected}
        reference = ExerciseReference(
            cases=tuple(item.case for item in solved),
            expected=with_tolerances(solved, exact),
            codes=(),
            read_known_wrong=lambda: (),
            **asked_by_case(solved),
        )
        made = attempt(exercise, subject, reference.cases, torch.device("cpu"), 5.0)
        return judge(exercise, reference, made, "cpu")

    return of


@pytest.fixture
def modules_imported() -> Callable[..., set[str]]:
    """Return a function that runs code in a process of its own, and tells what is imported meanwhile."""

    def of(code: str, first: str = "") -> set[str]:
        told = "print(*sorted(set(sys.modules) - before))"
        program = f"import sys\n{first}\nbefore = set(sys.modules)\n{code}\n{told}"
        run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        return set(run.stdout.split())

    return of
