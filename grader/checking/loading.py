"""Execute a learner's source and return the subject that it defines."""

import linecache

import torch

from grader.checking.attempt import attempt, too_slow
from grader.checking.deadline import TimeLimitExceededError, time_limit
from grader.checking.observation import Attempt, Problem
from grader.checking.recording import describe_error
from grader.exercises import Exercise
from grader.exercises.case import Case


def _execute(source: str, filename: str, namespace: dict[str, object]) -> Problem | None:
    """Execute source text in a namespace; return what kept it from running to its end.

    Raises:
        TimeLimitExceededError: the surrounding time limit ran out.
    """
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    namespace |= {"__name__": "__main__", "__file__": filename}
    try:
        exec(compile(source, filename, "exec"), namespace)
    except SyntaxError as error:
        text = (error.text or "").strip()
        return Problem("no Python", {"reason": error.msg, "line": error.lineno or 0, "source": text})
    except (TimeLimitExceededError, KeyboardInterrupt):
        raise
    except BaseException as error:  # noqa: BLE001 - whatever the learner's code raises is its result
        return Problem("raised", error=describe_error(error))
    return None


def _taken(
    subject: str, namespace: dict[str, object], problem: Problem | None
) -> tuple[object, Problem | None]:
    """Return the object, even if later lines failed, or the problem that kept it from being defined."""
    if subject in namespace:
        return namespace[subject], None
    return None, problem or Problem("missing", {"subject": subject})


def load_subject(source: str, subject: str, filename: str) -> tuple[object, Problem | None]:
    """Execute source text in a namespace of its own and return the object it defines.

    Args:
        source: Python source, as a learner wrote it.
        subject: the name to look for.
        filename: where error messages say the source is from.

    Returns:
        The object, or None with the problem that kept it from being defined. Failures of later lines are
        ignored.
    """
    namespace: dict[str, object] = {}
    problem = _execute(source, filename, namespace)
    return _taken(subject, namespace, problem)


def load_within(
    exercise: Exercise, source: str, filename: str, seconds: float
) -> tuple[object, Problem | None]:
    """Return what source text defines within a time, or None and the problem that kept it from that."""
    namespace: dict[str, object] = {}
    try:
        with time_limit(seconds):
            problem = _execute(source, filename, namespace)
    except TimeLimitExceededError:
        problem = too_slow(exercise, seconds)
    return _taken(exercise.subject, namespace, problem)


def attempt_source(
    exercise: Exercise,
    source: str,
    filename: str,
    cases: tuple[Case, ...],
    device: torch.device,
    seconds: float,
) -> Attempt:
    """Execute source text, run its subject on the cases, and return the attempt.

    Args:
        exercise: what is asked.
        source: Python source, as a learner wrote it.
        filename: where error messages say the source is from.
        cases: what the subject is run on.
        device: where it runs.
        seconds: time limit, once for running the source and once for all cases.
    """
    subject, problem = load_within(exercise, source, filename, seconds)
    return Attempt(problem=problem) if problem else attempt(exercise, subject, cases, device, seconds)
