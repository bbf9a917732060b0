"""Exercises that look broken: said where there is reason to, with the reason, and not otherwise."""

import pytest

from grader.reporting.concerns import ExerciseFacts, concerns_about
from grader.reporting.statistics import Discrimination


def facts(
    answers: int = 40,
    right: int = 20,
    codes: dict[str, int] | None = None,
    faults: tuple[str, ...] = (),
    value: float | None = 0.4,
    why: str = "",
) -> ExerciseFacts:
    """Return the facts of an exercise that works, but for what is given."""
    codes = {"missing-scale": answers - right} if codes is None else codes
    found = Discrimination(value, why, answers, right, 5.0, 4.0)
    return ExerciseFacts(answers, right, sum(codes.values()), codes, faults, found)


def kinds(one: ExerciseFacts) -> list[str]:
    """Return the kinds of its concerns, each with a reason and something to do."""
    concerns = list(concerns_about(one))
    assert all(concern.why.endswith(".") and concern.advice.endswith(".") for concern in concerns)
    return [concern.kind for concern in concerns]


@pytest.mark.parametrize(
    "one",
    [
        facts(),
        facts(value=None, why="all have it right", right=40, codes={}),
        facts(answers=19, right=9, value=-0.5),
        facts(right=36, value=-0.2),
        facts(right=4, value=-0.2),
        facts(right=0, codes={"missing-scale": 20, "unrecognized": 20}, value=None),
        facts(right=0, codes={"not-implemented": 40}, value=None),
        facts(right=5, codes={"unrecognized": 35}),
        facts(codes={"fitted-to-cases": 2, "missing-scale": 18}),
        facts(answers=200, right=180, codes={"fitted-to-cases": 19, "missing-scale": 1}),
        facts(answers=3, right=0, codes={"unrecognized": 3}, value=None),
        facts(answers=0, right=0, codes={}, value=None),
    ],
    ids=[
        *("works", "all right", "few students", "few wrong", "few right", "one mistake of half", "left open"),
        *("an eighth right", "two fitted", "few fitted", "three students", "nobody"),
    ],
)
def test_nothing_is_said_without_reason(one: ExerciseFacts) -> None:
    """What can be chance, or has a name, is no concern."""
    assert kinds(one) == []


@pytest.mark.parametrize(
    ("one", "kind", "said"),
    [
        (facts(value=-0.2), "negative-discrimination", "-0.20"),
        (facts(value=0.05), "no-discrimination", "0.05"),
        (facts(right=4, codes={"unrecognized": 30, "missing-scale": 6}), "nearly-all-fail", "6 of 36"),
        (facts(right=0, codes={"unrecognized": 40}, value=None), "nearly-all-fail", "0 of 40"),
        (facts(codes={"fitted-to-cases": 10, "missing-scale": 10}), "fitted-to-cases", "10 of 40"),
        (facts(faults=("The file is gone", "other")), "grader-fault", "The file is gone."),
    ],
)
def test_concern_says_why(one: ExerciseFacts, kind: str, said: str) -> None:
    """Each kind is found, and its reason has the numbers."""
    assert kinds(one) == [kind]
    (concern,) = concerns_about(one)
    assert said in concern.why


def test_several_concerns_are_all_said() -> None:
    """Faults first: they may be the reason of the others."""
    one = facts(right=0, codes={"unrecognized": 30, "fitted-to-cases": 10}, value=None, faults=("x",))
    assert kinds(one) == ["grader-fault", "nearly-all-fail", "fitted-to-cases"]
