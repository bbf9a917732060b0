"""Copies in another memory layout, and overwriting of results, to detect dependence on memory."""

from collections.abc import Callable

import numpy as np
import torch

from grader.checking.fake_device import unwrapped
from grader.private_api.pytorch import has_no_memory

# Written over a result, so that an answer that kept a reference to its memory gives itself away.
SPOILED = 7


def in_another_layout(tensor: torch.Tensor) -> torch.Tensor:
    """Return a non-contiguous copy with the same numbers, as other code may pass.

    Of two axes or more in Fortran's order, the last axis outermost; of one axis every second number of a
    longer row. Differentiable in its argument.
    """
    if tensor.dim() > 1:
        axes = tuple(reversed(range(tensor.dim())))
        return tensor.clone().permute(axes).contiguous().permute(axes)
    return torch.stack((tensor, tensor), dim=-1).select(-1, 0) if tensor.dim() else tensor.clone()


def array_in_another_layout(array: np.ndarray) -> np.ndarray:
    """Return the same for an array."""
    return np.array(array, order="F") if array.ndim > 1 else np.repeat(array, 2)[::2]


def other_numbers(tensor: torch.Tensor) -> torch.Tensor:
    """Return other numbers of the same shape and dtype: in reverse, and half as large.

    Ids are only reversed, because other ids might be invalid; so are rows that sum to 1. Bools stay.
    """
    if not tensor.dim() or tensor.dtype == torch.bool:
        return tensor.clone()
    turned = tensor.flip(-1)
    return turned if not tensor.is_floating_point() or _are_shares(tensor) else turned * 0.5


def _are_shares(tensor: torch.Tensor) -> bool:
    """Return whether rows sum to 1 and reversing changes them."""
    sums, least = tensor.sum(dim=-1), tensor.min() if tensor.numel() else -1.0
    return (
        least >= 0
        and torch.allclose(sums, torch.ones_like(sums))
        and not torch.equal(tensor, tensor.flip(-1))
    )


def spoil(result: torch.Tensor) -> Callable[[], None]:
    """Overwrite the whole storage of a tensor, as its owner may; return a function that restores it.

    One that has no memory is left as it is.
    """
    if has_no_memory(result):
        return lambda: None
    with torch.no_grad():
        held = unwrapped(result).detach()
        whole = torch.empty(0, dtype=held.dtype, device=held.device).set_(held.untyped_storage())
        before = whole.clone()
        whole.fill_(SPOILED)
    return lambda: _write(whole, before)


def _write(whole: torch.Tensor, numbers: torch.Tensor) -> None:
    with torch.no_grad():
        whole.copy_(numbers)


def spoil_array(result: np.ndarray) -> Callable[[], None]:
    """Overwrite an array, as its owner may; return a function that restores it.

    A read-only one is left as it is.
    """
    if not result.flags.writeable:
        return lambda: None
    before = result.copy()
    result.fill(SPOILED)

    def restore() -> None:
        result[...] = before

    return restore


def share_memory(one: object, other: object) -> bool:
    """Return whether two results that are both held lie in the same memory, or are the same object."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return np.may_share_memory(one, other)
    if isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor):
        first, second = unwrapped(one), unwrapped(other)
        return (
            bool(first.numel()) and first.untyped_storage().data_ptr() == second.untyped_storage().data_ptr()
        )
    return type(one) is list and one is other
