"""The check of exercises that ask for an input on which buggy code fails."""

from grader.checking.checks.check import Failure, check
from grader.checking.checks.context import CheckContext
from grader.checking.exposure import Exposure, expose
from grader.checking.result import Picture
from grader.messages import message

TITLES = (message("The code gives"), message("Right is"))


def exposure(ctx: CheckContext) -> Exposure:
    """Return the outcome of running the buggy and the right code on the returned input."""
    return expose(
        ctx.exercise.specimen,
        {name.partition("/")[2]: tensor for name, tensor in ctx.seen.of_role("result").items()},
    )


@check("exposed", label=message("it does not count"), hidden=message("the input did not show the bug"))
def exposes(ctx: CheckContext) -> Failure | None:
    """The code and what is right differ on the input that was returned."""
    if ctx.exercise.specimen is None:
        return None
    came = exposure(ctx)
    return ctx.fail(came.code, came.message) if came.code else None


def exposure_picture(ctx: CheckContext) -> Picture | None:
    """Return the buggy and the right result side by side, if both are numbers."""
    came = exposure(ctx)
    if came.got is None or came.right is None:
        return None
    return Picture(ctx.case.name, came.name, came.got, came.right, came.mismatch, TITLES)
