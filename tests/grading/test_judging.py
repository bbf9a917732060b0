"""The same bytes are read and judged once for a class; what is one answer's own is judged anew."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from grader.checking.credit import PartialCredit
from grader.checking.judge import judge
from grader.checking.observation import Traced
from grader.course.paths import CoursePaths
from grader.exercises import Exercise, find_exercise
from grader.grading.judging import Judgement, judge_exercise
from grader.proving.bank import Answer
from grader.proving.trial import attempt_answer
from grader.references import ExerciseReference, load_for_grading
from grader.sandbox.job import Limits, Run
from grader.sandbox.wire import HostileError, pack_attempt, read_attempt

V1 = find_exercise("ch04-self-attention-v1")
ROOT = Path(__file__).resolve().parents[2]


TEXTBOOK, WRONG = "textbook", "missing-scale"


@pytest.fixture(scope="module")
def reference() -> ExerciseReference:
    """Return what the exercise is judged by, hidden cases included."""
    return load_for_grading(V1.chapter, V1.id, CoursePaths(ROOT))


@pytest.fixture
def sent(answers: Callable[[str], dict[str, Answer]], reference: ExerciseReference) -> Callable[[str], Run]:
    """Return a function that gives the run of an answer of the bank, as it comes from the sandbox."""

    def run(name: str) -> Run:
        arrived = []
        for cases in (reference.visible, reference.hidden):
            made = attempt_answer(V1, answers(V1.id)[name], cases, torch.device("cpu"))
            arrived.append(read_attempt(pack_attempt(made), [case.name for case in cases]))
        return Run((), {V1.id: arrived[0]}, 0.0, {V1.id: arrived[1]})

    return run


def judged(
    run: Run, reference: ExerciseReference, exercise: Exercise = V1, credit: PartialCredit | None = None
) -> Judgement:
    """Return the verdict on what was sent."""
    return judge_exercise(exercise, reference, run, None, Limits(), "cpu", credit or PartialCredit())


@pytest.mark.parametrize("name", [TEXTBOOK, WRONG])
def test_same_bytes_are_judged_once(
    name: str, sent: Callable[[str], Run], reference: ExerciseReference
) -> None:
    """Two submissions that sent the same have one verdict, which is the one that judging anew gives."""
    first, second = sent(name), sent(name)
    assert first.attempts[V1.id] is second.attempts[V1.id]
    one, other = (judged(run, reference).result for run in (first, second))
    assert one is other
    anew = judge(V1, reference, first.attempts[V1.id].followed_by(first.hidden[V1.id]), "cpu")
    assert (anew.status, anew.diagnosis, anew.message) == (one.status, one.diagnosis, one.message)


@pytest.mark.parametrize("name", [TEXTBOOK, WRONG])
def test_judging_changes_nothing_that_others_share(
    name: str, sent: Callable[[str], Run], reference: ExerciseReference
) -> None:
    """What was received is the same after it was judged, to the last bit."""
    run = sent(name)
    before = pack_attempt(run.attempts[V1.id])
    judged(run, reference)
    assert pack_attempt(run.attempts[V1.id]) == before


def test_points_and_partial_credit_are_each_courses_own(
    sent: Callable[[str], Run], reference: ExerciseReference
) -> None:
    """Another course's points, and what it grants for a mistake, are not taken from the verdict before."""
    run = sent(WRONG)
    assert judged(run, reference).result.score == 0
    assert judged(run, reference, credit=PartialCredit({"missing-scale": 0.5})).result.score == V1.points / 2
    assert judged(run, reference).result.score == 0
    assert judged(run, reference, replace(V1, points=7)).result.max_score == 7


def test_trace_of_one_answer_is_not_anothers(
    sent: Callable[[str], Run], reference: ExerciseReference
) -> None:
    """Where an answer was traced, its verdict shows its own steps, and the next one's does not."""
    run, case = sent(WRONG), reference.visible[0]
    steps = tuple(torch.zeros(2, 2, dtype=torch.float64) for _ in range(3))
    traced = replace(run.attempts[V1.id], traced=Traced(case.name, steps))
    assert judged(replace(run, attempts={V1.id: traced}), reference).result.parting is not None
    assert judged(run, reference).result.parting is None


def test_other_bytes_are_another_attempt(sent: Callable[[str], Run], reference: ExerciseReference) -> None:
    """Different numbers, other cases and what no honest process sends are each read for themselves."""
    names = [case.name for case in reference.visible]
    right, wrong = (sent(name).attempts[V1.id] for name in (TEXTBOOK, WRONG))
    assert right is not wrong
    packed = pack_attempt(right)
    for _ in range(2):
        with pytest.raises(HostileError, match="other cases"):
            read_attempt(packed, names[1:])
    assert read_attempt(packed, names) is right
