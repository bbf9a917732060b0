"""Fixtures for judging."""

from collections.abc import Callable

import pytest
import torch

from grader.checking.attempt import attempt
from grader.checking.judge import judge
from grader.checking.result import Result
from grader.exercises import Exercise
from grader.proving.build import asked_by_case
from grader.proving.measure import with_tolerances
from grader.proving.recipe import Solved
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
