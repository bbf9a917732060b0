"""Run a learner's source and take the subject out of it."""

import linecache

import torch

from grader.checking.attempt import attempt, too_slow
from grader.checking.deadline import TimeLimitExceededError, time_limit
from grader.checking.observation import Attempt, Problem
from grader.checking.recording import describe_error
from grader.exercises import Exercise
from grader.exercises.case import Case


def load_subject(source: str, subject: str, filename: str) -> tuple[object, Problem | None]:
    """Execute source text in a namespace of its own and return the object it defines.

    Args:
        source: Python source, as a learner wrote it.
        subject: the name to look for.
        filename: where error messages say the source is from.

    Returns:
        The object, or None with the problem that kept it from being defined.
    """
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    namespace: dict[str, object] = {"__name__": "__main__", "__file__": filename}
    try:
        exec(compile(source, filename, "exec"), namespace)
    except SyntaxError as error:
        text = (error.text or "").strip()
        return None, Problem("syntax-error", f"{error.msg}, line {error.lineno}: {text}")
    except (TimeLimitExceededError, KeyboardInterrupt):
        raise
    except BaseException as error:  # noqa: BLE001 - whatever the learner's code raises is its result
        return None, Problem("raises", f"Running the code raised {describe_error(error).told()}")
    if subject not in namespace:
        return None, Problem("not-defined", f"There is no {subject} after running the code.")
    return namespace[subject], None


def attempt_source(
    exercise: Exercise,
    source: str,
    filename: str,
    cases: tuple[Case, ...],
    device: torch.device,
    seconds: float,
) -> Attempt:
    """Return what comes of running source text and then its subject on the cases.

    Args:
        exercise: what is asked.
        source: Python source, as a learner wrote it.
        filename: where error messages say the source is from.
        cases: what the subject is run on.
        device: where it runs.
        seconds: time limit, once for running the source and once for all cases.
    """
    try:
        with time_limit(seconds):
            subject, problem = load_subject(source, exercise.subject, filename)
    except TimeLimitExceededError:
        return Attempt(problem=too_slow(exercise, seconds))
    return Attempt(problem=problem) if problem else attempt(exercise, subject, cases, device, seconds)
