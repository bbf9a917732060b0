"""Families of mistakes: made of every correct variant that has a place for them."""

from collections.abc import Callable, Mapping

import pytest
import torch

from grader.checking.diagnosis import matching
from grader.checking.judge import judge
from grader.checking.mistakes import explain
from grader.exercises import EXERCISES, Exercise
from grader.proving.bank import Answer
from grader.proving.families import FAMILIES, members
from grader.proving.trial import attempt_answer
from grader.references import load_exercise

Bank = Callable[[str], Mapping[str, Answer]]

SOURCE = """
def shares(scores, d_k):
    total = 0
    powers = []
    for score in scores:
        powers.append(torch.exp(score / d_k**0.5))
    return torch.stack([power / sum(powers) for power in powers])
"""


def made(source: str) -> dict[str, set[str]]:
    """Return the lines that each family puts into a source."""
    lines: dict[str, set[str]] = {}
    for one in members((Answer("correct", (), "", source),)):
        lines.setdefault(one.diagnosis[0], set()).add(one.name.rpartition(": ")[2])
    return lines


def test_members_change_one_thing() -> None:
    """A round of each loop, a sign, the base of a power, or the power of a size."""
    found = made(SOURCE)
    assert found.keys() == set(FAMILIES)
    assert len(found["last-left-out"]) == 2
    assert "powers.append(torch.exp(-(score / d_k ** 0.5)))" in found["exponential-turned"]
    assert "powers.append(2.718 ** (score / d_k ** 0.5))" in found["rough-e"]
    assert "powers.append(torch.exp(score / d_k ** 5))" in found["scale-wrong-power"]


def test_methods_and_functions_are_alike() -> None:
    """What an exponential is applied to is found in both."""
    assert (
        "return (-x).softmax(dim=-1)" in made("def f(x):\n    return x.softmax(dim=-1)")["exponential-turned"]
    )
    assert (
        "return F.softmax(-x, dim=-1)"
        in made("def f(x):\n    return F.softmax(x, dim=-1)")["exponential-turned"]
    )


def test_wrong_answers_have_no_members() -> None:
    """Two mistakes at once are another matter."""
    assert list(members((Answer("wrong", ("missing-scale",), "", SOURCE),))) == []


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_members_are_named_truly(exercise: Exercise, answers: Bank) -> None:
    """Numbers name a member of a family by its family, or by a known wrong answer that does the same."""
    reference = load_exercise(exercise.chapter, exercise.id)
    family = list(members(answers(exercise.id).values()))
    for answer in family[:: max(1, len(family) // 6)]:
        made = attempt_answer(exercise, answer, reference.cases, torch.device("cpu"), 1.0)
        result = judge(exercise, reference, made, "cpu")
        visible = tuple(one for one in made.observations)
        same = {code for one in matching(reference, visible, "cpu") for code in one.codes}
        beside = {result.failure.code} if result.failure else set()
        named = {code for code in result.diagnosis if explain(code).matched_by_output} - beside
        assert named <= {*answer.diagnosis, *same}, (answer.name, result.message)
