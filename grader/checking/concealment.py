"""What may be told of a hidden case: on which rung an answer failed, and nothing that the case could color.

A learner's code sees the inputs of a hidden case and may try to carry them out: in an exception's text or the
name of its type, in the name of a parameter, in what it returns. So nothing that came back is quoted. Every
sentence is one of those below; of an exception only the name of one of Python's own types is told.
"""

import builtins

from grader.checking.observation import Problem
from grader.checking.result import Finding
from grader.checking.rungs import Look
from grader.exercises import Exercise

# The code of an answer that is right on every visible case and wrong on a hidden one.
FITTED = "fitted-to-cases"

BY_RUNG: dict[str, str] = {
    "registered": "the module did not register the parameters that are asked for",
    "shape": "the result had another shape than expected",
    "is built": "it called what is not allowed, or not what is asked for",
    "type": "the result was not what is asked for",
    "dtype": "the result had another dtype than expected",
    "device": "the result was on another device than the input",
    "steady": "two calls on the same input gave different results",
    "finite": "the result held NaN or infinity",
    "arguments": "the call changed its arguments",
    "equal": "the result held other numbers than expected",
    "text": "the result was another text than expected",
    "exposed": "the input did not show the bug",
    "again": "a further call was not right",
    "left": "the call left something behind",
    "mode": "something was not in the way asked for",
    "separate": "what was copied changed with its source",
    "attributes": "an attribute was not what is asked for",
    "saved": "what the module saves was not what is asked for",
    "moves": "a tensor would have stayed behind when the module moves",
    "dropout": "dropout in training was not as asked",
    "gradient": "the gradient was not right",
    "drawn as asked": "the module did not start from the weights that the seed should give it",
}
BY_PROBLEM = {
    "not-defined": "{subject} has not been defined.",
    "wrong-type": "{subject} is not what the exercise asks for: {signature}.",
    "syntax-error": "The code that defines {subject} is not Python.",
    "too-slow": "{subject} was stopped when its time was up; a right answer takes a moment.",
    "raises": "The process ended before {subject} had been tried on every case.",
}


def _raised(look: Look) -> str:
    error = look.seen.raised
    if error is None:
        return "it raised nothing, where an error is asked for"
    known = getattr(builtins, error.type_name, None)
    own = isinstance(known, type) and issubclass(known, Exception)
    return f"it raised an exception of type {error.type_name}" if own else "it raised an exception"


def concealed(finding: Finding, look: Look) -> Finding:
    """Return a finding on a hidden case without anything of the case but its name."""
    told = _raised(look) if finding.rung == "runs" else BY_RUNG[finding.rung]
    sentence = f"Of the cases that only grading uses, one failed: {told}."
    return Finding(finding.rung, finding.code, sentence, finding.case)


def concealed_problem(exercise: Exercise, problem: Problem) -> Problem:
    """Return a problem in words of our own: whoever worded it may have seen the hidden cases.

    An answer that has no code that is known here ended its process, as far as anybody can tell.
    """
    code = problem.code if problem.code in BY_PROBLEM else "raises"
    return Problem(code, BY_PROBLEM[code].format(subject=exercise.subject, signature=exercise.signature))
