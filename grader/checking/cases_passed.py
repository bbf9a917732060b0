"""Whether the cases that an answer passes show that it does part of what is asked.

An answer can pass some cases by chance, by raising on every input, or with hard-coded results. That earns
nothing.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

import torch

from grader.checking.checks import CheckContext, Failure
from grader.checking.checks.results import is_built

Tensors = tuple[torch.Tensor, ...]


def show_part_of_it(contexts: Sequence[CheckContext], found: Sequence[Failure | None]) -> bool:
    """Return whether the cases that pass may earn a part of the points.

    At least one of them must have a result; if there are hidden cases, at least one hidden one, because
    results of visible cases can be hard-coded. No case may have called a forbidden function, and different
    inputs must give different numbers.

    Args:
        contexts: all cases, visible and hidden.
        found: the first failure of each; None where it passed.
    """
    with_result = [(ctx, failure) for ctx, failure in zip(contexts, found, strict=True) if not ctx.raises]
    unknown = [pair for pair in with_result if not pair[0].case.visible] or with_result
    passed = any(failure is None for _, failure in unknown)
    return passed and not any(map(is_built, contexts)) and not gives_the_same(contexts)


def gives_the_same(contexts: Sequence[CheckContext]) -> bool:
    """Return whether an answer gives the same numbers whatever its input is."""
    seen = [pair for ctx in contexts for pair in _results(ctx)]
    numbers = [tensor.reshape(-1) for got, _ in seen for tensor in got]
    if len(seen) > 1 and len({one for some in numbers for one in some.unique().tolist()}) <= 1:
        return True
    other_inputs = [
        (one, other)
        for (one, asked), (other, other_asked) in combinations(seen, 2)
        if _shapes(one) == _shapes(other) and not _equal(asked, other_asked)
    ]
    return bool(other_inputs) and all(_equal(one, other) for one, other in other_inputs)


def _results(ctx: CheckContext) -> Iterator[tuple[Tensors, Tensors]]:
    """Yield what a case gave and what was expected, and the same of the call with other numbers."""
    for role in ("result", "again"):
        expected = {name: item.values for name, item in ctx.expected_of_role(role)}
        got = ctx.seen.of_role(role)
        if got and got.keys() == expected.keys():
            yield tuple(got[name] for name in sorted(got)), tuple(expected[name] for name in sorted(got))


def _shapes(tensors: Tensors) -> list[torch.Size]:
    return [one.shape for one in tensors]


def _equal(some: Tensors, others: Tensors) -> bool:
    return _shapes(some) == _shapes(others) and all(map(torch.equal, some, others))
