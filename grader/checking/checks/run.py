"""The order in which an answer is checked.

First what it computes, check by check on the simplest case, then on the next; when the results are right
everywhere, what else matters. The first check that fails speaks. What comes before the checks (is the subject
defined, is it of the right type, did it finish) is an ``Attempt``'s problem.

Two failures wait until nothing else is wrong: an input that was not refused as asked, and a result in float64
that has the digits of float32 where the exercise asks for double precision. What is no mistake but worth a
word, a remark says.
"""

from itertools import chain

import torch

from grader.checking.checks import exposed, further, results
from grader.checking.checks.check import Check, Failure
from grader.checking.checks.look import Look
from grader.checking.comparison import compare
from grader.references import Expected

# What the answer computes. Looked at case by case, the simplest case first.
RESULT: tuple[Check, ...] = (
    results.is_registered,
    results.parameter_shape,
    results.weights_apart,
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
CONTRACT: tuple[Check, ...] = (
    results.uses,
    further.changes_no_setting,
    further.keeps_nothing,
    further.same_again,
    further.stays_right,
    further.separate,
    further.leaves_nothing,
    further.as_asked,
    further.keeps_attributes,
    further.has_buffers,
    further.moves,
    further.saved,
    further.dropped,
    further.gradient,
    further.cut_off,
    further.drawn_as_asked,
)
# Told beside what the result shows: decided whatever that is.
ALWAYS = tuple(one for one in RESULT + CONTRACT if one.always)
# Codes that are told only where nothing else is wrong.
DEFERRED = frozenset(("wrong-exception", "precision-lost"))

# Python's words where a function has no argument of the name that it is called with.
OTHER_NAME = "got an unexpected keyword argument"

# Found before the results are looked at, and says nothing of them.
BESIDE_RESULTS = ("bias-unexpected",)


def results_right(look: Look) -> bool:
    """Return whether the results of a case are right, whatever else is not; True where none is asked for."""
    found = (one(look) for one in RESULT)
    return bool(look.raises) or all(one is None or one.code in BESIDE_RESULTS for one in found)


def remarks(look: Look) -> tuple[str, ...]:
    """Return the codes of what is worth a word on a case whose results are right."""
    items = [one for role in ("result", "gradient") for one in look.of_role(role)]
    lost = any(_differs(look.seen.tensors.get(name), item, look.device) for name, item in items)
    return (
        *("assertion-raised",) * results.asserts(look),
        *("precision-lost",) * lost,
        *("parameters-extra",) * (further.beyond_asked([look]) is not None),
    )


def _differs(got: torch.Tensor | None, item: Expected, device: str) -> bool:
    if item.dtype != torch.float64 or got is None or got.shape != item.values.shape:
        return False
    return compare(got, item.values, item.tolerance[device]) is not None


def facts(looks: list[Look], generator_as_recorded: bool = True) -> tuple[Failure, ...]:
    """Return what is wrong with an answer whatever it computes: the first that each such check finds.

    Last what goes in without any influence, which is told only where the result shows nothing.
    """
    ran = [look for look in looks if look.seen.raised is None]
    checks = (one for one in ALWAYS if generator_as_recorded or not one.draws_weights)
    found = [_first_of(one, ran) for one in checks]
    flagged = [look for look in reversed(looks) if look.flags]
    wrong = any(one(look) for look in flagged for one in RESULT)
    flags = {} if wrong else {one.code: one for look in flagged for one in further.not_as_asked(look)}
    more = (further.beyond_asked(ran), further.without_influence(ran))
    return tuple(filter(None, (*found, *flags.values(), *more)))


def _first_of(check: Check, looks: list[Look]) -> Failure | None:
    """Return the first failure that a check finds; of one that speaks of all cases only if all fail."""
    found = [check(look) for look in looks if not check.everywhere or look.case.probes]
    return next(filter(None, found), None) if not check.everywhere or all(found) else None


def _named_otherwise(failure: Failure | None) -> bool:
    """Return whether a call came to no line of the answer's, for an argument has another name there."""
    error = failure.error if failure and failure.code == "raises" else None
    return error is not None and not error.line and OTHER_NAME in error.message


def run_checks(
    looks: list[Look], generator_as_recorded: bool = True
) -> tuple[Failure | None, tuple[Failure | None, ...]]:
    """Make every check on all cases.

    Args:
        looks: one for each case, in the order of the exercise.
        generator_as_recorded: whether how weights are drawn can be judged on this machine.

    Returns:
        The failure that speaks, and the first failure of each case; None where there is none.
    """
    contract = [one for one in CONTRACT if generator_as_recorded or not one.draws_weights]
    found = [next((failure for one in RESULT if (failure := one(look))), None) for look in looks]
    contract_found = [
        [] if result else [one(look) for one in contract] for look, result in zip(looks, found, strict=True)
    ]
    by_case = tuple(
        result or next(filter(None, rest), None) for result, rest in zip(found, contract_found, strict=True)
    )
    by_check = (failure for one in zip(*filter(None, contract_found), strict=True) for failure in one)
    # What is kept from an earlier call makes the later cases come out wrong, whatever they look like.
    kept = [
        one
        for look, rest in zip(looks, contract_found, strict=True)
        for one in rest
        if one and one.code == "state-kept" and look.seen.second_cause == "state"
    ]
    speaking = (
        kept if any(found) else (),
        filter(_named_otherwise, found),
        (failure for failure in found if failure and failure.code not in DEFERRED),
        filter(None, by_check),
        filter(None, found),
    )
    return next(chain.from_iterable(speaking), None), by_case
