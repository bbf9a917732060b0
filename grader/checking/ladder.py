"""The order in which an answer climbs its rungs.

First what the answer computes, rung by rung on the simplest case, then on the next; when the results are
right everywhere, what else matters. The first rung that fails speaks. What comes before the rungs (is the
subject defined, is it of the right type, did it finish) is an ``Attempt``'s problem.

Two findings wait until nothing else is wrong: an input that was not refused as asked, and a result in
float64 that has the digits of float32 where the exercise asks for double precision. What is no mistake but
worth a word, a remark says.
"""

from collections.abc import Callable
from itertools import chain

import torch

from grader.checking.comparison import compare
from grader.checking.result import Finding
from grader.checking.rungs import Look, exposed, further, results
from grader.references import Expected

Check = Callable[[Look], Finding | None]


# What the answer computes. Looked at case by case, the simplest case first.
RESULT: tuple[Check, ...] = (
    results.is_registered,
    results.parameter_shape,
    results.runs,
    results.is_built,
    results.is_tensor,
    results.shape,
    results.dtype,
    results.device,
    results.steady,
    results.finite,
    results.unmodified,
    results.same_text,
    results.equal,
    exposed.exposes,
)
# What matters once the results are right on every case.
BEYOND: tuple[Check, ...] = (
    results.uses,
    further.changes_no_setting,
    further.keeps_nothing,
    further.same_again,
    further.stays_right,
    further.separate,
    further.leaves_nothing,
    further.mode,
    further.keeps_attributes,
    further.moves,
    further.saved,
    further.dropped,
    further.gradient,
    further.drawn_as_asked,
)
# Told only where nothing else is wrong.
LAST = frozenset(("wrong-exception", "precision-lost"))

# Found before the results are looked at, and says nothing of them.
BESIDE_RESULTS = ("bias-unexpected",)


def results_right(look: Look) -> bool:
    """Return whether the results of a case are right, whatever else is not; True where none is asked for."""
    found = (rung(look) for rung in RESULT)
    return bool(look.raises) or all(one is None or one.code in BESIDE_RESULTS for one in found)


def remarks(look: Look) -> tuple[str, ...]:
    """Return the codes of what is worth a word on a case whose results are right."""
    items = [one for role in ("result", "gradient") for one in look.of_role(role)]
    lost = any(_differs(look.seen.tensors.get(name), item, look.device) for name, item in items)
    return ("assertion-raised",) * results.asserts(look) + ("precision-lost",) * lost


def _differs(got: torch.Tensor | None, item: Expected, device: str) -> bool:
    if item.dtype != torch.float64 or got is None or got.shape != item.values.shape:
        return False
    return compare(got, item.values, item.tolerance[device]) is not None


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
    found = [next((finding for rung in RESULT if (finding := rung(look))), None) for look in looks]
    beyond_found = [
        [] if result else [rung(look) for rung in beyond] for look, result in zip(looks, found, strict=True)
    ]
    by_case = tuple(
        result or next(filter(None, rest), None) for result, rest in zip(found, beyond_found, strict=True)
    )
    by_rung = (finding for rung in zip(*filter(None, beyond_found), strict=True) for finding in rung)
    speaking = (
        (finding for finding in found if finding and finding.code not in LAST),
        filter(None, by_rung),
        filter(None, found),
    )
    return next(chain.from_iterable(speaking), None), by_case
