"""Redaction: of a hidden case only the check that failed is reported, nothing derived from its inputs.

A learner's code sees the inputs of a hidden case and may try to leak them: in an exception's text or type, in
the name of a parameter, in what it returns. So nothing that came back is quoted. Every sentence is the
check's own text for hidden cases, or one of those below.
"""

from dataclasses import replace

from grader.checking.checks import CheckContext, Failure
from grader.checking.observation import Problem
from grader.exercises import Exercise
from grader.messages import Message, message

# The code of an answer that is right on every visible case and wrong on a hidden one.
FITTED = "fitted-to-cases"

BY_PROBLEM = {
    "not-defined": message("{subject} has not been defined."),
    "wrong-type": message("{subject} is not what the exercise asks for: {signature}."),
    "syntax-error": message("The code that defines {subject} is not Python."),
    "too-slow": message("{subject} was stopped when its time was up; a right answer takes a moment."),
    "raises": message("{subject} could not be tried on every case: running the code raised an error."),
    "no-result": message(
        "{subject} could not be tried on every case: the process ended, or what came back was not usable."
    ),
}


def _told(failure: Failure, ctx: CheckContext) -> Message:
    if failure.check.name == "runs" and ctx.seen.raised is None:
        return message("it raised nothing, where an error is asked for")
    return failure.check.hidden


def redacted(failure: Failure, ctx: CheckContext) -> Failure:
    """Return a failure on a hidden case with nothing about the case but its name."""
    told = message(
        "Of the cases that only grading uses, at least one failed: {told}.", told=_told(failure, ctx)
    )
    return Failure(failure.code, told, failure.check, failure.case)


def redacted_problem(exercise: Exercise, problem: Problem) -> Failure:
    """Return a problem with a fixed text: the original may come from code that has seen the hidden cases."""
    values = {"subject": exercise.subject, "signature": exercise.signature}
    return Failure(problem.code, replace(BY_PROBLEM[problem.code], values=values))
