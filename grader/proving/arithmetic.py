"""Random rounding of float32 operations, computed in float64 tensors.

Every value here is a float64 tensor. The nearly exact result of an operation is rounded to one of its two
float32 neighbors and kept in float64. Exact results stay exact; infinities and NaN stay.
"""

from functools import cache
from random import Random

import numpy as np
import torch

# The bits of a float64 that a float32 does not have.
LOST = 2**29 - 1
# Size of the pool of random numbers; a draw begins anywhere in it.
STOCK = 2**16
# Below half of float32's smallest number there is only zero.
NOTHING = 2.0**-150
# A sum is added up in at most so many parts, each rounded; and in fewer where there would be more numbers.
MOST_PARTS = 32
MOST_NUMBERS, FEW_PARTS = 2**13, 4


@cache
def _stock(ulps: int) -> np.ndarray:
    """Return random steps in the bits: from the neighbor towards zero to any within so many ulps."""
    rng = np.random.default_rng(ulps)
    if ulps == 1:
        return rng.integers(0, 2, STOCK) * LOST  # carries only what is not exact
    return rng.integers(1 - ulps, ulps + 1, STOCK) * (LOST + 1)


@cache
def _orders(length: int) -> tuple[torch.Tensor, ...]:
    """Return some orders of so many things."""
    rng = np.random.default_rng(length)
    return tuple(torch.from_numpy(rng.permutation(length)) for _ in range(16))


class RandomArithmetic:
    """Rounds, sums and multiplies at random; depends on its own seed only."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def _drawn(self, ulps: int, shape: tuple[int, ...], count: int) -> np.ndarray:
        stock = _stock(ulps)
        if count >= STOCK:
            stock = np.tile(stock, 2 + count // STOCK)
        start = self._random.randrange(len(stock) - count)
        return stock[start : start + count].reshape(shape)

    def rounded(self, exact: torch.Tensor) -> torch.Tensor:
        """Round a float64 tensor, in place, to the float32 above or below, each in half of all cases."""
        bits = exact.numpy().view(np.int64)
        bits += self._drawn(1, bits.shape, bits.size)
        bits &= ~LOST
        return exact

    def approximated(self, exact: torch.Tensor, ulps: int) -> torch.Tensor:
        """Exchange what is not exact, in place, for a float32 within so many units in the last place."""
        exact.masked_fill_(exact.abs() < NOTHING, 0.0)
        bits = exact.numpy().view(np.int64)
        bits += self._drawn(ulps, bits.shape, bits.size) * ((bits & LOST) != 0)
        bits &= ~LOST
        return exact

    def added(self, parts: torch.Tensor) -> torch.Tensor:
        """Return the sum of parts (n, ...) over the first axis, each partial sum rounded at random.

        All of them are rounded at once: an error made on the way is the same at the end, but for errors of
        errors. Where a part is zero, nothing is rounded.
        """
        if len(parts) < 2:
            return self.rounded(parts.sum(0))
        reached = parts.cumsum(0)
        before = reached[:-1]
        errors = self.rounded(before.clone()).sub_(before).mul_(parts[:-1] != 0)
        return self.rounded(errors.sum(0).nan_to_num_(0.0, 0.0, 0.0).add_(reached[-1]))

    def running(self, terms: torch.Tensor, dim: int) -> torch.Tensor:
        """Return the sums of terms up to each place of an axis, each rounded at random."""
        reached = terms.cumsum(dim)
        errors = self.rounded(reached.clone()).sub_(reached).mul_(terms != 0)
        late = errors.cumsum(dim).sub_(errors).nan_to_num_(0.0, 0.0, 0.0)
        return self.rounded(late.add_(reached))

    def summed(self, terms: torch.Tensor) -> torch.Tensor:
        """Return the sum of terms (n, ...) over the first axis, in a random order and in random parts."""
        length = len(terms)
        if length < 2:
            return terms.sum(0)
        parts = self._parts(length, length)
        terms = terms[self._random.choice(_orders(length))]
        return self.added(terms if parts == length else _split(terms, 0, parts).sum(1))

    def product(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        """Return the matrix product of (..., n, k) and (..., k, m), in a random order and in random parts.

        Where each product is a part, it is rounded itself in half of all calls: multiplied and then added,
        else fused.
        """
        length, size = a.shape[-1], a.numel() // max(a.shape[-1], 1) * b.shape[-1]
        parts = self._parts(length, max(MOST_NUMBERS // max(size, 1), FEW_PARTS))
        if parts < 2:
            return self.rounded(a @ b)
        order = self._random.choice(_orders(length))
        a = _split(a[..., order], -1, parts).movedim(-2, 0)
        b = _split(b[..., order, :], -2, parts).movedim(-3, 0)
        if parts < length:
            return self.added(a @ b)
        products = a * b
        return self.added(self.rounded(products) if self._random.random() < 0.5 else products)

    def _parts(self, length: int, most: int) -> int:
        """Return in how many parts to add up: mostly one by one, at times in few blocks."""
        wanted = self._random.choice((2, 4, length, length))
        return min(length, wanted, most, MOST_PARTS)


def _split(terms: torch.Tensor, axis: int, parts: int) -> torch.Tensor:
    """Return terms with an axis of length n as two, (parts, n / parts), filled up with zeros."""
    size = -(-terms.shape[axis] // parts)
    missing = parts * size - terms.shape[axis]
    if missing:
        shape = list(terms.shape)
        shape[axis] = missing
        terms = torch.cat([terms, terms.new_zeros(shape)], axis)
    return terms.unflatten(axis, (parts, size))
