"""What may be told of a hidden case: which check failed, and nothing that the case could color.

A learner's code sees the inputs of a hidden case and may try to carry them out: in an exception's text or
type, in the name of a parameter, in what it returns. So nothing that came back is quoted. Every sentence is
one that its check has for this, or one of those below.
"""

from dataclasses import replace

from grader.checking.checks import Failure, Look
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
    "raises": message("The process ended before {subject} had been tried on every case."),
}


def _told(failure: Failure, look: Look) -> Message:
    if failure.check.name == "runs" and look.seen.raised is None:
        return message("it raised nothing, where an error is asked for")
    return failure.check.hidden


def concealed(failure: Failure, look: Look) -> Failure:
    """Return a failure on a hidden case without anything of the case but its name."""
    told = message("Of the cases that only grading uses, one failed: {told}.", told=_told(failure, look))
    return Failure(failure.code, told, failure.check, failure.case)


def concealed_problem(exercise: Exercise, problem: Problem) -> Failure:
    """Return a problem in words of our own: whoever worded it may have seen the hidden cases."""
    values = {"subject": exercise.subject, "signature": exercise.signature}
    return Failure(problem.code, replace(BY_PROBLEM[problem.code], values=values))
