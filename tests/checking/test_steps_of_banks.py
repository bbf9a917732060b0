"""Steps beside the banks: right answers have them all, wrong ones part from them at their mistake."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from grader.checking.judge import judge
from grader.checking.loading import load_subject
from grader.checking.mistakes import explain
from grader.checking.observation import Traced
from grader.checking.quiet import quiet
from grader.checking.result import LOOK_AT, RIGHT_SO_FAR, STEPS
from grader.checking.steps.choice import case_to_trace, most_telling
from grader.checking.steps.matching import RIGHT
from grader.checking.steps.parting import Parting, part
from grader.checking.steps.tracing import traced
from grader.course.paths import CoursePaths
from grader.exercises import EXERCISES, Exercise
from grader.exercises.case import Case
from grader.proving.bank import Answer, bank_path, read_bank
from grader.proving.trial import SECONDS, attempt_answer
from grader.references import ExerciseReference, load_exercise

CPU = torch.device("cpu")
STEPPED = [one for one in EXERCISES.values() if load_exercise(one.chapter, one.id).steps]
SHARES = {"exponentials", "shares", "weights", "row sums", "masked weights", "renormalized weights"}
PROJECTED = {"query", "key", "value"}
BY_HEADS = {f"{name} by heads" for name in PROJECTED}
MIXED = {"context", "context by heads", "context of the heads", "mix of the values"}
LAST = {"", "output", "joined context", "merged context", *MIXED}
# Steps at which a mistake shows, by its group. What is scaled, or masked, once more is right before.
BY_GROUP = {
    "softmax": SHARES,
    "scale": {"scores", "scaled scores", *SHARES, ""},
    "mask": {"scaled scores", "masked scores", *SHARES},
    "heads": {*PROJECTED, *BY_HEADS, "scores", *LAST},
}
# The same of single mistakes.
BY_CODE = {
    "no-softmax": {"scaled scores", "masked scores", *SHARES, *MIXED},
    "sum-normalized": {"scaled scores", "masked scores", *SHARES},
    "renormalized-wrong-axis": {*SHARES, *MIXED, ""},
    "log-softmax": {*SHARES, ""},
    "wrong-divisor": {*SHARES, ""},
    "softmax-too-early": {"scores"},
    "scale-after-softmax": {"scaled scores", "masked scores", "weights", *MIXED, ""},
    "scale-unexpected": {*PROJECTED, "scores", *SHARES, ""},
    "mask-unexpected": {"scores", "scaled scores", *SHARES, *MIXED, ""},
    "query-key-swapped": {"scores", "masked scores", "weights"},
    "key-value-swapped": {"scores", *MIXED},
    "key-not-transposed": {"scores"},
    "reshape-not-transpose": {"scores", "output", "query by heads"},
    "elementwise-product": {"scores", *MIXED},
    "weights-transposed": MIXED,
    "values-transposed": MIXED,
    "weights-unused": MIXED,
    "values-not-projected": {"value", "value by heads", *MIXED},
    "weight-not-transposed": {*PROJECTED, "output"},
    "shared-projection": {*PROJECTED, *BY_HEADS, "scores", *MIXED},
    "bias-ignored": {*PROJECTED, "output", "hidden layer"},
    "missing-out-proj": {"output"},
    "returns-values": LAST,
    "returns-weights": LAST,
    "returns-scores": {"masked scores", "scaled scores", *SHARES, *LAST},
    "returns-other-weights": {*SHARES, ""},
    "results-exchanged": LAST,
    "result-transposed": LAST,
    "residual-added": LAST,
}
# Mistakes that can be made anywhere: of these there is nothing to hold against what is told.
ANYWHERE = {"softmax-unexpected", "rounded", "rounded-down", "small-dropped", "heads-share-weights"}


SOLUTIONS = CoursePaths(Path(__file__).parents[2]).solutions


def trace_of(exercise: Exercise, answer: Answer, case: Case) -> Traced:
    """Return what an answer makes on a case."""
    subject, _ = load_subject(answer.program, exercise.subject, f"<{answer.name}>")
    with quiet():
        return traced(exercise, subject, case, CPU, SECONDS)


def traced_case(exercise: Exercise, reference: ExerciseReference, answer: Answer) -> Case | None:
    """Return the case on which a wrong answer is traced.

    Mostly the one that tells most of all: only where it shows nothing are the others run.
    """
    stepped = tuple(one for one in reference.visible if one.name in reference.steps)
    for cases in ((most_telling(reference),), stepped):
        made = attempt_answer(exercise, answer, cases, CPU)
        case = case_to_trace(reference, made, "cpu")
        if case and not any(one.raised for one in made.observations):
            break
    return case


def partings(exercise: Exercise) -> Iterator[tuple[Answer, Parting]]:
    """Yield where the wrong answers of an exercise part that come out wrong on a case with steps."""
    reference = load_exercise(exercise.chapter, exercise.id)
    for answer in read_bank(bank_path(SOLUTIONS, exercise)):
        if answer.correct or "too-slow" in answer.diagnosis:
            continue
        case = traced_case(exercise, reference, answer)
        if case and (seen := trace_of(exercise, answer, case)).tensors:
            yield answer, part(case.name, reference.steps[case.name], seen.tensors)


@pytest.mark.parametrize("exercise", STEPPED, ids=lambda one: one.id)
def test_right_answers_have_all_steps(exercise: Exercise) -> None:
    """Each step is found, or left out on the way to one that is, in every case and however it is written."""
    reference = load_exercise(exercise.chapter, exercise.id)
    for answer in read_bank(bank_path(SOLUTIONS, exercise)):
        if not answer.correct:
            continue
        for case in (one for one in reference.visible if one.name in reference.steps):
            seen = trace_of(exercise, answer, case)
            if seen.tensors:  # else it makes more than are kept
                parting = part(case.name, reference.steps[case.name], seen.tensors)
                assert parting.first is None, (answer.name, case.name)
                assert parting.matches[-1].how in RIGHT, (answer.name, case.name)


def test_wrong_answers_part_where_their_mistake_is() -> None:
    """Of known wrong answers whose place is known, 95 in 100 at least are told it."""
    right, others = 0, []
    for exercise in STEPPED:
        for answer, parting in partings(exercise):
            code, step = answer.diagnosis[0], parting.first.step.name if parting.first else ""
            places = BY_CODE.get(code) or BY_GROUP.get(explain(code).group)
            numeric = [name for name in answer.diagnosis if explain(name).matched_by_output]
            if places is None or code in ANYWHERE or len(numeric) > 1:
                continue
            right += step in places
            if step not in places:
                others.append(f"{exercise.id}: {answer.name!r} is told to part at {step!r}")
    assert right >= 1000
    assert right >= 0.95 * (right + len(others)), "\n".join(others)


def test_steps_change_no_verdict(exercise: Exercise, reference: ExerciseReference) -> None:
    """Where an answer parts is one line more: codes, cases, score and all other lines are as without it.

    But of an answer without a name the step is what there is to look at. Only right steps are called right.
    """
    told = 0
    for answer in read_bank(bank_path(SOLUTIONS, exercise)):
        made = attempt_answer(exercise, answer, reference.cases, CPU)
        if (case := case_to_trace(reference, made, "cpu")) is None:
            continue
        plain = judge(exercise, reference, made, "cpu")
        seen = trace_of(exercise, answer, case)
        result = judge(exercise, reference, replace(made, traced=seen), "cpu")
        unnamed = result.diagnosis[:1] == ("unrecognized",)
        about_steps = (RIGHT_SO_FAR, STEPS)
        apart = (*about_steps, LOOK_AT) if unnamed else about_steps
        lines = [str(line.text) for line in result.lines if line.label not in apart]
        for line in result.lines:
            if line.label in about_steps:
                told += 1
                assert ("makes the right" in str(line.text)) is (line.label == RIGHT_SO_FAR), str(line.text)
        looks = [line.label for line in result.lines].count(LOOK_AT)
        assert looks == [line.label for line in plain.lines].count(LOOK_AT)
        assert (result.diagnosis, result.score, result.cases) == (plain.diagnosis, plain.score, plain.cases)
        assert lines == [str(line.text) for line in plain.lines if line.label not in apart]
    assert told > 50
