"""Whether an input shows that some code is wrong, where that is asked."""

from grader.checking.checks.check import Failure, check
from grader.checking.checks.look import Look
from grader.checking.exposure import Exposure, expose
from grader.checking.result import Picture
from grader.messages import message

TITLES = (message("The code gives"), message("Right is"))


def exposure(look: Look) -> Exposure:
    """Return what came of the input that was returned."""
    return expose(
        look.exercise.specimen,
        {name.partition("/")[2]: tensor for name, tensor in look.seen.of_role("result").items()},
    )


@check("exposed", label=message("it does not count"), hidden=message("the input did not show the bug"))
def exposes(look: Look) -> Failure | None:
    """The code and what is right differ on the input that was returned."""
    if look.exercise.specimen is None:
        return None
    came = exposure(look)
    return look.fail(came.code, came.message) if came.code else None


def exposure_picture(look: Look) -> Picture | None:
    """Return what the code gives beside what is right, where there are numbers of both."""
    came = exposure(look)
    if came.got is None or came.right is None:
        return None
    return Picture(look.case.name, came.name, came.got, came.right, came.mismatch, TITLES)
