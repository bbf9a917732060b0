"""Whether an input shows that some code is wrong, where that is asked."""

from grader.checking.exposure import Exposure, expose
from grader.checking.result import Finding, Picture
from grader.checking.rungs.look import Look

TITLES = ("The code gives", "Right is")


def exposure(look: Look) -> Exposure:
    """Return what came of the input that was returned."""
    return expose(
        look.exercise.specimen,
        {name.partition("/")[2]: tensor for name, tensor in look.seen.of_role("result").items()},
    )


def exposes(look: Look) -> Finding | None:
    """The code and what is right differ on the input that was returned."""
    if look.exercise.specimen is None:
        return None
    came = exposure(look)
    return look.found("exposed", came.code, came.sentence) if came.code else None


def exposure_picture(look: Look) -> Picture | None:
    """Return what the code gives beside what is right, where there are numbers of both."""
    came = exposure(look)
    if came.got is None or came.right is None:
        return None
    return Picture(look.case.name, came.name, came.got, came.right, came.mismatch, TITLES)
