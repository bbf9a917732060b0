"""Compare two tensors of the same shape; nothing is ever broadcast."""

import math
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import torch


@dataclass(frozen=True)
class Slice:
    """One index along an axis, and whether all differences lie there or everywhere else."""

    axis: int
    index: int
    last: bool
    wrong: bool


@dataclass(frozen=True)
class Mismatch:
    """Where two tensors differ most, how many of their values differ, and in which slice, if in one alone."""

    index: tuple[int, ...]
    expected: float
    got: float
    tolerance: float
    differing: int
    total: int
    slice: Slice | None = None


def compare(got: torch.Tensor, expected: torch.Tensor, tolerance: float) -> Mismatch | None:
    """Return the worst mismatch, or None if every value agrees within ``tolerance``.

    Args:
        got: any real dtype.
        expected: of the same shape.
        tolerance: largest absolute difference that still agrees.

    Raises:
        ValueError: the shapes differ; the caller reports that, nothing is broadcast.
    """
    if got.shape != expected.shape:
        raise ValueError(f"cannot compare shapes {tuple(got.shape)} and {tuple(expected.shape)}")
    got, expected = got.double(), expected.double()
    if not got.numel() or float(torch.dist(got, expected, math.inf)) <= tolerance:  # mostly so
        return None
    close = (got - expected).abs() <= tolerance
    # NaN agrees with nothing, an infinity only with itself.
    differs = ~((got == expected) | close)
    differing = int(differs.sum())
    if not differing:
        return None
    distance = torch.nan_to_num((got - expected).abs(), nan=torch.inf).masked_fill(~differs, -1.0)
    flat = int(distance.argmax())
    index = tuple(int(place) for place in np.unravel_index(flat, tuple(got.shape)))
    return Mismatch(
        index=index,
        expected=float(expected[index]),
        got=float(got[index]),
        tolerance=tolerance,
        differing=differing,
        total=got.numel(),
        slice=_slice_of(differs) if differing > 1 else None,
    )


def _slice_of(differs: torch.Tensor) -> Slice | None:
    """Return the one slice that holds all differences; else, of three or more, the only one without any.

    A slice of a single number is not reported as right: that may be chance.
    """
    for spared in (False, True):
        for axis, size in enumerate(differs.shape):
            rows = differs.movedim(axis, 0).reshape(size, -1).any(dim=1) != spared
            telling = size > 2 and differs.numel() > size if spared else size > 1
            if telling and int(rows.sum()) == 1:
                index = int(rows.nonzero())
                return Slice(axis, index, index == size - 1, not spared)
    return None


# Up to so many axes are tried in every order: four have twenty-four.
MOST_AXES = 4


def order_of_axes(got: torch.Tensor, expected: torch.Tensor, tolerance: float) -> tuple[int, ...] | None:
    """Return the permutation of axes under which a tensor agrees with another; None if there is none."""
    if sorted(got.shape) != sorted(expected.shape) or not 2 <= got.dim() <= MOST_AXES or got.is_complex():
        return None
    for order in permutations(range(got.dim())):
        turned = got.permute(order)
        if turned.shape == expected.shape and compare(turned, expected, tolerance) is None:
            return order
    return None


def altered(tensor: torch.Tensor, before: torch.Tensor, dtype: torch.dtype) -> bool:
    """Return whether a tensor's shape, dtype or values changed, compared exactly."""
    return tensor.shape != before.shape or tensor.dtype != dtype or bool((tensor.double() != before).any())


def differ(first: torch.Tensor, second: torch.Tensor) -> bool:
    """Return whether two results differ in shape, dtype or by more than rounding; NaN equals NaN."""
    return (first.shape, first.dtype) != (second.shape, second.dtype) or not torch.allclose(
        first, second, equal_nan=True
    )


def same_outcome(got: torch.Tensor, known: torch.Tensor, tolerance: float) -> bool:
    """Return whether two wrong tensors are the same: shape, values, and NaN and infinity in the same places.

    The tolerance is widened with the size of the known values, for a wrong tensor can be far larger than a
    right one.
    """
    if got.shape != known.shape or got.is_complex() or known.is_complex():
        return False
    finite = known[known.isfinite()].double().abs()
    scale = float(finite.max()) if finite.numel() else 1.0
    return torch.allclose(
        got.double(), known.double(), rtol=0.0, atol=max(tolerance, RELATIVE * scale), equal_nan=True
    )


# Relative to the largest value of the known wrong tensor. The build proves that two known wrong answers
# never come this close to each other without being declared equivalent.
RELATIVE = 1e-4
