"""Judge the results of the sandbox. A fault of the grader is never a learner's zero."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from grader.checking.credit import PartialCredit, with_credit
from grader.checking.device import computing
from grader.checking.judge import judge
from grader.checking.observation import Attempt, LearnerError, Problem
from grader.checking.outcome import outcome_of
from grader.checking.result import Line, Result
from grader.checking.steps.choice import case_to_trace
from grader.errors import GraderError
from grader.exercises import Exercise
from grader.grading.compose import error_of
from grader.grading.master import Master
from grader.messages import Message, message
from grader.references import ExerciseReference, load_for_grading
from grader.sandbox.job import CellRun, Limits, Run
from grader.sandbox.wire import MOST_KEPT

SYNTAX_ERRORS = ("SyntaxError", "IndentationError", "TabError")
COULD_NOT = message(
    "The grader could not judge this exercise. That is a fault of the grader, not of your answer; "
    "your instructor has been told and will grade it."
)


@dataclass(frozen=True)
class Judgement:
    """The verdict on one exercise, with what only grading needs.

    Attributes:
        result: the verdict.
        fault: what went wrong where the grader could not judge.
        outcome: the outcome of an answer that did not pass (``grader.checking.outcome``).
    """

    result: Result
    fault: str = ""
    outcome: str = ""

    @property
    def status(self) -> str:
        """The verdict's status."""
        return self.result.status


def load_references(master: Master) -> tuple[dict[str, ExerciseReference], dict[str, str]]:
    """Return the exercises' references, and for those that cannot be loaded, the reason."""
    loaded, faults = {}, {}
    for name, exercise in master.exercises.items():
        try:
            loaded[name] = load_for_grading(exercise.chapter, name, master.paths)
        except GraderError as error:
            faults[name] = str(error)
    return loaded, faults


def tracing_by(references: Mapping[str, ExerciseReference], device: str) -> Callable[[str, Attempt], str]:
    """Return a function that chooses the case to trace an answer on, for ``Sandbox.run``."""

    def to_trace(exercise: str, made: Attempt) -> str:
        case = (
            case_to_trace(references[exercise], made, computing(device)) if exercise in references else None
        )
        return case.name if case else ""

    return to_trace


OUT_OF_TIME = "The notebook's time was up before it was tried on all of its cases."
NOT_TRIED = message(
    "This exercise was not tried on all of its cases: other cells of the notebook had taken all of its time. "
    "That costs no points; your instructor has been told and will grade it."
)


def fault_result(exercise: Exercise, sentence: str, told: Message = COULD_NOT) -> Judgement:
    """Return that an exercise was not judged: a sentence for the instructor, another for the learner."""
    return Judgement(Result(exercise, "error", (), (Line(told),)), sentence)


@dataclass(frozen=True, eq=False)
class _Asked:
    """What a verdict is a function of. Two are equal if all their parts are the same objects."""

    exercise: Exercise
    reference: ExerciseReference
    attempt: Attempt
    device: str

    @property
    def repeatable(self) -> bool:
        """Whether the same observations may come again: what has a problem or a trace is one answer's own."""
        attempt = self.attempt
        return not (attempt.problem or attempt.hidden_problem or attempt.traced)

    @cached_property
    def parts(self) -> tuple[object, ...]:
        """Which objects it is made of."""
        held = (self.exercise, self.reference, *self.attempt.observations)
        return (*map(id, held), self.device)

    def __eq__(self, other: object) -> bool:
        """Return whether it has the same parts; being held by both, they are the same objects."""
        return isinstance(other, _Asked) and self.parts == other.parts

    def __hash__(self) -> int:
        """Return a hash of its parts."""
        return hash(self.parts)


def _judged(asked: _Asked) -> Result:
    return judge(asked.exercise, asked.reference, asked.attempt, asked.device)


judged_once = lru_cache(MOST_KEPT)(_judged)


def judge_exercise(
    exercise: Exercise,
    reference: ExerciseReference,
    run: Run,
    answer: CellRun | None,
    limits: Limits,
    device: str,
    credit: PartialCredit,
    renamed: Problem | None = None,
) -> Judgement:
    """Return the verdict on one exercise.

    Args:
        exercise: what is asked, with the master's points.
        reference: what it is judged by.
        run: what the sandbox saw.
        answer: the run of the cell that holds the answer; None without one.
        limits: what the notebook was allowed.
        device: where it ran.
        credit: what the course grants for mistakes.
        renamed: the problem to report if the subject is missing and something with a similar name exists.
    """
    try:
        attempt = run.attempts[exercise.id]
        if renamed and attempt.problem and attempt.problem.kind in ("missing", "is None"):
            attempt = Attempt(problem=renamed)
        if answer is not None and (problem := _problem_of_answer(exercise, attempt, answer, limits)):
            attempt = Attempt(problem=problem)
        if reference.hidden and not attempt.problem:
            attempt = attempt.followed_by(run.hidden[exercise.id])
        if attempt.problem and attempt.problem.kind == "not run":
            return fault_result(exercise, OUT_OF_TIME, NOT_TRIED)
        asked = _Asked(exercise, reference, attempt, device)
        result = with_credit((judged_once if asked.repeatable else _judged)(asked), credit)
        return Judgement(
            result, outcome="" if result.status == "passed" else outcome_of(result.diagnosis, attempt)
        )
    except Exception as error:  # noqa: BLE001 - whatever it is: said to the instructor, never a learner's zero
        return fault_result(exercise, f"{type(error).__name__}: {error}")


def _problem_of_answer(
    exercise: Exercise, attempt: Attempt, answer: CellRun, limits: Limits
) -> Problem | None:
    """Return what kept the answer's own cell from defining its subject, where that is why it failed."""
    if attempt.problem is None or attempt.problem.code == "wrong-type":
        return None
    subject = {"subject": exercise.subject}
    if answer.status == "raised" and attempt.problem.code == "not-defined":
        name, text = error_of(answer)
        kind = "cell without Python" if name in SYNTAX_ERRORS else "cell raised"
        return Problem(kind, subject, LearnerError(name, text[:500]))
    if answer.status == "too-slow":
        return Problem("cell stopped", subject | {"seconds": f"{limits.cell_seconds:g}"})
    return Problem("cell ended", subject) if answer.status == "ended" else None


def statuses_of(judgements: Mapping[str, Judgement]) -> dict[str, str]:
    """Return the statuses so far, as the note on what an exercise builds on needs them."""
    return {name: one.result.status for name, one in judgements.items()}
