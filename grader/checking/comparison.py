"""Compare two tensors of the same shape; nothing is ever broadcast."""

from dataclasses import dataclass

import numpy as np
import torch


@dataclass(frozen=True)
class Mismatch:
    """Where two tensors differ most, and how many of their values differ."""

    index: tuple[int, ...]
    expected: float
    got: float
    tolerance: float
    differing: int
    total: int


def compare(got: torch.Tensor, expected: torch.Tensor, tolerance: float) -> Mismatch | None:
    """Return the worst mismatch, or None if every value agrees within ``tolerance``.

    Args:
        got: any real dtype.
        expected: of the same shape.
        tolerance: largest absolute difference that still agrees.

    Raises:
        ValueError: the shapes differ; that is for the caller to report, never to broadcast over.
    """
    if got.shape != expected.shape:
        raise ValueError(f"cannot compare shapes {tuple(got.shape)} and {tuple(expected.shape)}")
    got, expected = got.double(), expected.double()
    close = (got - expected).abs() <= tolerance
    if bool(close.all()):  # mostly so
        return None
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
    )


def altered(tensor: torch.Tensor, before: torch.Tensor, dtype: torch.dtype) -> bool:
    """Return whether a tensor is not, to the last digit, what it was: shape, dtype and values."""
    return tensor.shape != before.shape or tensor.dtype != dtype or bool((tensor.double() != before).any())


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
