"""The order in which an answer climbs its rungs.

First what the answer computes, rung by rung on the simplest case, then on the next; when the results are
right everywhere, what else matters. The first rung that fails speaks. What comes before the rungs (is the
subject defined, is it of the right type, did it finish) is an ``Attempt``'s problem.
"""

from collections.abc import Callable

from grader.checking import rungs
from grader.checking.result import Finding
from grader.checking.rungs import Look

Check = Callable[[Look], Finding | None]


# What the answer computes. Looked at case by case, the simplest case first.
RESULT: tuple[Check, ...] = (
    rungs.is_registered,
    rungs.parameter_shape,
    rungs.runs,
    rungs.is_built,
    rungs.is_tensor,
    rungs.shape,
    rungs.dtype,
    rungs.device,
    rungs.finite,
    rungs.unmodified,
    rungs.equal,
)
# What matters once the results are right on every case.
BEYOND: tuple[Check, ...] = (rungs.keeps_nothing, rungs.separate, rungs.gradient, rungs.drawn_as_asked)


def climb(
    looks: list[Look], generator_as_recorded: bool = True
) -> tuple[Finding | None, tuple[Finding | None, ...]]:
    """Climb the ladder on all cases.

    Args:
        looks: one for each case, in the order of the exercise.
        generator_as_recorded: whether how weights are drawn can be judged on this machine.

    Returns:
        The finding that speaks, and the first finding of each case; None where there is none.
    """
    beyond = BEYOND if generator_as_recorded else BEYOND[:-1]
    results = [next((finding for rung in RESULT if (finding := rung(look))), None) for look in looks]
    further = [
        [] if result else [rung(look) for rung in beyond] for look, result in zip(looks, results, strict=True)
    ]
    by_case = tuple(
        result or next(filter(None, rest), None) for result, rest in zip(results, further, strict=True)
    )
    first = next(filter(None, results), None)
    if first is None:
        first = next((finding for rung in zip(*further, strict=True) for finding in rung if finding), None)
    return first, by_case
