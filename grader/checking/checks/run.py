"""The order in which an answer is checked.

First what it computes, check by check on the simplest case, then on the next; once all results are right, the
rest of the contract. The first check that fails is the one reported. What precedes the checks (is the subject
defined, of the right type, did it finish) is an ``Attempt``'s ``problem``.

Two failures are reported only if nothing else is wrong: an invalid input that was not rejected, and a result
in float64 that has the digits of float32 where the exercise asks for double precision. What is worth
mentioning but no mistake is a remark.
"""

from itertools import chain

import torch

from grader.checking.checks import exposed, further, results
from grader.checking.checks.check import Check, Failure
from grader.checking.checks.context import CheckContext
from grader.checking.comparison import compare
from grader.references import Expected

# What the answer computes. Checked case by case, the simplest case first.
RESULT: tuple[Check, ...] = (
    results.is_registered,
    results.parameter_shape,
    results.weights_apart,
    results.parameters_stay,
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
# The rest of the contract, checked once the results are right on every case.
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
# Reported in addition to what the result shows, because they do not depend on it.
ALWAYS = tuple(one for one in RESULT + CONTRACT if one.always)
# Codes that are reported only if nothing else is wrong.
DEFERRED = frozenset(("wrong-exception", "precision-lost"))

# Python's words where a function has no argument of the name that it is called with.
OTHER_NAME = "got an unexpected keyword argument"

# Reported before the results are checked, and independent of them.
BESIDE_RESULTS = ("bias-unexpected",)


def results_right(ctx: CheckContext) -> bool:
    """Return whether the results of a case are right, whatever else is not; True where none is asked for."""
    found = (one(ctx) for one in RESULT)
    return bool(ctx.raises) or all(one is None or one.code in BESIDE_RESULTS for one in found)


def remarks(ctx: CheckContext) -> tuple[str, ...]:
    """Return the codes of the remarks on a case whose results are right."""
    items = [one for role in ("result", "gradient") for one in ctx.expected_of_role(role)]
    lost = any(_differs(ctx.seen.tensors.get(name), item, ctx.device) for name, item in items)
    return (
        *("assertion-raised",) * (results.asserts(ctx) and _is_own_assertion(ctx.seen.raised.source)),
        *("precision-lost",) * lost,
        *("parameters-extra",) * (further.beyond_asked([ctx]) is not None),
    )


def _is_own_assertion(source: str) -> bool:
    """Return whether the line is an assertion, and no call of a library that asserts; it may be unknown."""
    return not source or source.startswith(("assert", "raise"))


def _differs(got: torch.Tensor | None, item: Expected, device: str) -> bool:
    if item.dtype != torch.float64 or got is None or got.shape != item.values.shape:
        return False
    return compare(got, item.values, item.tolerance[device]) is not None


def facts(contexts: list[CheckContext], generator_as_recorded: bool = True) -> tuple[Failure, ...]:
    """Return the failures that do not depend on the results: the first of each such check.

    Last comes an input without influence, which is reported only if the result shows nothing.
    """
    ran = [ctx for ctx in contexts if ctx.seen.raised is None]
    checks = (one for one in ALWAYS if generator_as_recorded or not one.draws_weights)
    found = [_first_of(one, ran) for one in checks]
    flagged = [ctx for ctx in reversed(contexts) if ctx.flags]
    wrong = any(one(ctx) for ctx in flagged for one in RESULT)
    flags = {one.code: one for ctx in flagged for one in further.not_as_asked(ctx, of_result=not wrong)}
    more = (further.beyond_asked(ran), further.without_influence(ran))
    return tuple(filter(None, (*found, *flags.values(), *more)))


def _first_of(check: Check, contexts: list[CheckContext]) -> Failure | None:
    """Return the first failure that a check finds; for a check about all cases, only if all fail."""
    found = [check(ctx) for ctx in contexts if not check.everywhere or ctx.case.grad_outputs]
    return next(filter(None, found), None) if not check.everywhere or all(found) else None


def _named_otherwise(failure: Failure | None) -> bool:
    """Return whether a call failed before the answer's first line because of an argument's name."""
    error = failure.error if failure and failure.code == "raises" else None
    return error is not None and not error.line and OTHER_NAME in error.message


def run_checks(
    contexts: list[CheckContext], generator_as_recorded: bool = True
) -> tuple[Failure | None, tuple[Failure | None, ...]]:
    """Run every check on all cases.

    Args:
        contexts: one for each case, in the order of the exercise.
        generator_as_recorded: whether how weights are drawn can be judged on this machine.

    Returns:
        The reported failure, and the first failure of each case; None where there is none.
    """
    contract = [one for one in CONTRACT if generator_as_recorded or not one.draws_weights]
    found = [next((failure for one in RESULT if (failure := one(ctx))), None) for ctx in contexts]
    contract_found = [
        [] if result else [one(ctx) for one in contract] for ctx, result in zip(contexts, found, strict=True)
    ]
    by_case = tuple(
        result or next(filter(None, rest), None) for result, rest in zip(found, contract_found, strict=True)
    )
    by_check = (failure for one in zip(*filter(None, contract_found), strict=True) for failure in one)
    # State kept from an earlier call makes later cases wrong, whatever they contain.
    kept = [
        one
        for ctx, rest in zip(contexts, contract_found, strict=True)
        for one in rest
        if one and one.code == "state-kept" and ctx.seen.second_cause == "state"
    ]
    speaking = (
        kept if any(found) else (),
        filter(_named_otherwise, found),
        (failure for failure in found if failure and failure.code not in DEFERRED),
        filter(None, by_check),
        filter(None, found),
    )
    return next(chain.from_iterable(speaking), None), by_case
