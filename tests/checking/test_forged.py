"""Attempts that were tampered with on their way: what is missing or malformed never counts as right."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import torch

from grader.checking.judge import judge
from grader.checking.observation import Attempt, Observation
from grader.checking.recording import REAL_DTYPES
from grader.checking.result import Result
from grader.exercises import EXERCISES, find_exercise
from grader.exercises.case import Flag
from grader.proving.bank import bank_path, read_bank
from grader.proving.trial import attempt_answer
from grader.references import ExerciseReference, load_exercise

Change = Callable[[Observation], Observation]
Forged = Callable[[str, Change], Result]


@pytest.fixture(scope="module")
def right_attempt(solutions: Path) -> Callable[[str], tuple[ExerciseReference, Attempt]]:
    """Return a function that gives an exercise's references, and a right answer's attempt."""

    @cache
    def attempt(name: str) -> tuple[ExerciseReference, Attempt]:
        exercise = find_exercise(name)
        reference = load_exercise(exercise.chapter, name)
        right = next(answer for answer in read_bank(bank_path(solutions, exercise)) if answer.correct)
        made = attempt_answer(exercise, right, reference.cases, torch.device("cpu"))
        assert judge(exercise, reference, made, "cpu").status == "passed"
        return reference, made

    return attempt


@pytest.fixture
def forged(right_attempt: Callable[[str], tuple[ExerciseReference, Attempt]]) -> Forged:
    """Return the verdict on a right answer whose observations were changed."""

    def judged(name: str, change: Change) -> Result:
        reference, made = right_attempt(name)
        changed = Attempt(tuple(map(change, made.observations)))
        return judge(find_exercise(name), reference, changed, "cpu")

    return judged


def changing(name: str, make: Callable[[torch.Tensor], torch.Tensor | None]) -> Change:
    """Return a change of one recorded tensor; None takes it away."""

    def change(seen: Observation) -> Observation:
        tensors: Mapping[str, torch.Tensor | None] = {
            key: make(value) if key == name else value for key, value in seen.tensors.items()
        }
        return replace(seen, tensors={key: value for key, value in tensors.items() if value is not None})

    return change


BAD: dict[str, Callable[[torch.Tensor], torch.Tensor | None]] = {
    "away": lambda value: None,
    "empty": lambda value: torch.empty(0),
    "NaN": lambda value: torch.full_like(value.float(), float("nan")),
    "infinite": lambda value: torch.full_like(value.float(), float("inf")),
    "one number": lambda value: value.reshape(-1)[:1].clone(),
    "of bools": lambda value: value.bool(),
}


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize(
    ("exercise", "tensor"),
    [
        ("ch05-causal-attention", "result"),
        ("ch05-causal-attention", "repeat"),
        ("ch05-causal-attention", "again"),
        ("ch05-causal-attention", "train"),
        ("ch05-causal-attention", "train again"),
        ("ch05-causal-attention", "argument/x"),
        ("ch05-causal-attention", "gradient/x"),
        ("ch06-to-torch", "separate/result"),
        ("ch04-transfer-weights", "separate/W_key"),
        ("ch06-parameter-count", "result"),
    ],
)
def test_tensor_that_is_not_what_was_recorded_fails(
    forged: Forged, exercise: str, tensor: str, bad: str
) -> None:
    """Whatever a process leaves away or makes up, the verdict is that it failed, without an error."""
    assert forged(exercise, changing(tensor, BAD[bad])).status == "failed"


# One exercise for each way to run a subject.
BY_DRIVER = {one.driver: one.id for one in EXERCISES.values()}


@pytest.mark.parametrize("dtype", REAL_DTYPES, ids=str)
@pytest.mark.parametrize("exercise", BY_DRIVER.values(), ids=BY_DRIVER)
def test_whatever_is_recorded_may_come_as_any_dtype(
    right_attempt: Callable[[str], tuple[ExerciseReference, Attempt]], exercise: str, dtype: torch.dtype
) -> None:
    """Every tensor that a process records may be of a dtype that nobody expects; judging raises nothing."""
    reference, made = right_attempt(exercise)
    names = {name for seen in made.observations for name in seen.tensors}
    assert names
    for name in names:
        change = changing(name, lambda value: value.to(dtype))
        judge(find_exercise(exercise), reference, Attempt(tuple(map(change, made.observations))), "cpu")


@pytest.mark.parametrize("flag", [Flag.TRAINING, Flag.BATCH_FIRST])
def test_flag_that_is_not_as_asked_fails(forged: Forged, flag: Flag) -> None:
    """A flag is there, and what it has to be."""
    turned = forged(
        "ch06-to-torch", lambda seen: replace(seen, flags={**seen.flags, flag: not seen.flags[flag]})
    )
    away = forged("ch06-to-torch", lambda seen: replace(seen, flags={}))
    assert (turned.status, away.status) == ("failed", "failed")


@pytest.mark.parametrize("bad", [-1, "NoneType", "float", None])
def test_attribute_that_is_not_as_asked_fails(forged: Forged, bad: int | str | None) -> None:
    """A number that the module has to hold is there, an int, and the right one."""
    held = {} if bad is None else dict.fromkeys(("d_out", "num_heads", "head_dim"), bad)
    result = forged("ch06-multi-head-attention", lambda seen: replace(seen, attributes=held))
    assert result.diagnosis == ("wrong-attribute",)


@pytest.mark.parametrize("exercise", ["ch04-self-attention", "ch04-transfer-weights"])
def test_parameters_that_were_not_recorded_fail(forged: Forged, exercise: str) -> None:
    """A module always says which parameters it has."""
    result = forged(exercise, lambda seen: replace(seen, registered=None))
    assert result.diagnosis == ("not-registered",)
