"""Making a verdict of an attempt."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from grader.checking.judge import judge
from grader.checking.mistakes import explain
from grader.checking.observation import Attempt, LearnerError, Observation, Problem
from grader.errors import GraderError
from grader.exercises import Exercise
from grader.exercises.case import PUBLISHED, Case
from grader.references import ExerciseReference

CPU = "cpu"
Observed = Callable[[str], tuple[Observation, ...]]
Change = Callable[[Case], Case]


def with_cases(reference: ExerciseReference, change: Change) -> ExerciseReference:
    """Return the reference with every case changed."""
    return replace(reference, cases=tuple(change(case) for case in reference.cases))


def test_right_answer_passes_with_all_points(
    exercise: Exercise, reference: ExerciseReference, observed: Observed
) -> None:
    """A right answer passes on every case, with nothing to say and all points."""
    result = judge(exercise, reference, Attempt(observed("textbook")), CPU)
    assert (result.status, result.diagnosis, result.failure) == ("passed", (), None)
    assert result.score == result.max_score == exercise.points
    assert [case.passed for case in result.cases] == [True] * len(reference.cases)


def test_wrong_answer_fails_without_points(
    exercise: Exercise, reference: ExerciseReference, observed: Observed
) -> None:
    """A wrong answer fails with its mistake's name and no points."""
    result = judge(exercise, reference, Attempt(observed("missing-scale")), CPU)
    assert (result.status, result.diagnosis) == ("failed", ("missing-scale",))
    assert (result.score, result.max_score) == (0, exercise.points)


def test_cases_are_judged_one_by_one(
    exercise: Exercise, reference: ExerciseReference, observed: Observed
) -> None:
    """A case that a wrong answer gets right is marked as passed."""
    seen = {one.case: one for one in observed("textbook")}
    wrong = reference.cases[-1].name
    made = tuple(other if other.case == wrong else seen[other.case] for other in observed("no-softmax"))
    result = judge(exercise, reference, Attempt(made), CPU)
    assert [case.name for case in result.cases if not case.passed] == [wrong]
    assert result.status == "failed"


def test_message_tells_cause_sight_and_question(
    exercise: Exercise, reference: ExerciseReference, observed: Observed
) -> None:
    """The message holds the mistake's title, what was seen and where, and one thing to look at."""
    result = judge(exercise, reference, Attempt(observed("missing-scale")), CPU)
    mistake = explain("missing-scale")
    assert result.message.startswith(f"It looks like this: {mistake.title}. {mistake.seen}")
    assert str(result.failure.message) in result.message
    assert f"case {result.failure.case}" in result.message
    assert str(mistake.look) in result.message


def test_message_tells_the_consequence_too(
    exercise: Exercise, reference: ExerciseReference, observed: Observed
) -> None:
    """A mistake with a consequence is told with it."""
    result = judge(exercise, reference, Attempt(observed("returns-weights")), CPU)
    assert f"Also: {explain('wrong-shape').title}" in result.message


def test_raised_error_asks_about_the_error(
    exercise: Exercise, reference: ExerciseReference, observed: Observed
) -> None:
    """Two errors of different kinds lead to different questions."""

    def question(error: LearnerError) -> str:
        made = Attempt(tuple(replace(seen, raised=error) for seen in observed("textbook")))
        return judge(exercise, reference, made, CPU).message.partition("Look at: ")[2]

    shapes = LearnerError("RuntimeError", "mat1 and mat2 shapes cannot be multiplied (6x2 and 6x2)")
    assert question(shapes)
    assert question(shapes) != question(LearnerError("NameError", "name 'keys' is not defined"))


def test_problem_is_the_verdict(exercise: Exercise, reference: ExerciseReference) -> None:
    """An answer that could not be run fails with its problem's code and sentence."""
    problem = Problem("stopped", {"subject": "double", "seconds": "10"})
    result = judge(exercise, reference, Attempt(problem=problem), CPU)
    assert (result.status, result.diagnosis, result.cases) == ("failed", ("too-slow",), ())
    assert str(problem.message) in result.message


@pytest.mark.parametrize("take", [slice(1, None), slice(None, None, -1)], ids=["one missing", "reversed"])
def test_other_cases_than_sent_are_no_verdict(
    take: slice, exercise: Exercise, reference: ExerciseReference, observed: Observed
) -> None:
    """Observations of other cases, or in another order, are the grader's error and no verdict."""
    with pytest.raises(GraderError, match="not those that were sent"):
        judge(exercise, reference, Attempt(observed("textbook")[take]), CPU)


def test_picture_shows_the_case_of_the_finding(
    exercise: Exercise, reference: ExerciseReference, observed: Observed
) -> None:
    """The picture shows the tensor and the mismatch that the finding speaks of."""
    result = judge(exercise, reference, Attempt(observed("missing-scale")), CPU)
    assert result.picture.case == result.failure.case
    assert result.picture.mismatch == result.failure.mismatch
    assert result.picture.expected.equal(reference.expected[result.failure.case]["result"].values)


def test_right_answer_has_a_picture_without_mismatch(
    exercise: Exercise, reference: ExerciseReference, observed: Observed
) -> None:
    """A right answer is shown beside the target too, with nothing framed."""
    picture = judge(exercise, reference, Attempt(observed("textbook")), CPU).picture
    assert picture.case == reference.cases[0].name
    assert picture.mismatch is None


def test_hidden_case_is_not_shown(
    exercise: Exercise, reference: ExerciseReference, observed: Observed
) -> None:
    """The tensors of a case that a learner may not see are in no picture."""
    hidden = with_cases(reference, lambda case: replace(case, visible=False))
    assert judge(exercise, hidden, Attempt(observed("missing-scale")), CPU).picture is None


def test_generator_is_remarked_on(
    exercise: Exercise, reference: ExerciseReference, observed: Observed
) -> None:
    """Where the generator gives other weights than recorded, a right answer passes with a note."""

    def other_seed(case: Case) -> Case:
        return replace(case, seed=case.seed + 1) if case.name == PUBLISHED else case

    result = judge(exercise, with_cases(reference, other_seed), Attempt(observed("textbook")), CPU)
    assert (result.status, len(result.notes)) == ("passed", 1)


def test_no_note_where_nothing_is_to_be_remarked(
    exercise: Exercise, reference: ExerciseReference, observed: Observed
) -> None:
    """Where the generator gives the recorded weights there is no note."""
    assert judge(exercise, reference, Attempt(observed("textbook")), CPU).notes == ()


def test_verdict_as_json_is_plain_data(
    exercise: Exercise, reference: ExerciseReference, observed: Observed
) -> None:
    """A verdict's JSON survives a round trip and holds exercise, status, score, diagnosis and cases."""
    result = judge(exercise, reference, Attempt(observed("missing-scale")), CPU)
    data = json.loads(json.dumps(result.to_json()))
    assert data == result.to_json()
    assert (data["exercise"], data["status"]) == (exercise.id, "failed")
    assert (data["score"], data["max_score"]) == (0, exercise.points)
    assert data["diagnosis"] == ["missing-scale"]
    assert data["message"] == result.message
    assert [case["name"] for case in data["cases"]] == [case.name for case in reference.cases]
