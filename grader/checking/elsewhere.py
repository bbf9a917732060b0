"""A device that no machine needs to have: its tensors say that they are there, and compute on the CPU.

What forgets to move something is only seen where there are two devices. Here is a second one for machines
without a GPU: an operation on tensors of both is refused, as a GPU's is. It goes by ``lazy``, a name that
PyTorch knows and that needs no hardware.
"""

from collections.abc import Mapping

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

ELSEWHERE = torch.device("lazy", 0)
# Operations that may meet tensors of two devices, on a GPU too.
COPIES = frozenset(("aten::_to_copy", "aten::copy_"))
INDEXING = frozenset(("aten::index", "aten::index_put", "aten::index_put_", "aten::_index_put_impl_"))


class MixedDevicesError(RuntimeError):
    """An operation met tensors of two devices."""


# What a learner is told, and what a known wrong answer raised on a GPU, is PyTorch's own error.
MixedDevicesError.__name__ = "RuntimeError"


class ElsewhereTensor(torch.Tensor):
    """A tensor that says it is on ``ELSEWHERE``; ``inner`` holds its numbers, on the CPU."""

    inner: torch.Tensor

    @staticmethod
    def __new__(cls, inner: torch.Tensor) -> "ElsewhereTensor":
        """Return a tensor of the same shape, strides and dtype, elsewhere."""
        return torch.Tensor._make_wrapper_subclass(
            cls,
            inner.shape,
            strides=inner.stride(),
            storage_offset=inner.storage_offset(),
            dtype=inner.dtype,
            device=ELSEWHERE,
        )

    def __init__(self, inner: torch.Tensor) -> None:
        self.inner = inner

    def __repr__(self) -> str:  # ty: ignore[invalid-method-override]
        """Return what a print shows."""
        return f"{self.inner!r} on {self.device}"

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        """Run an operation on a tensor that is elsewhere."""
        return _run(func, args, kwargs or {})


class Elsewhere(TorchDispatchMode):
    """While it is active, tensors can be made on ``ELSEWHERE`` and moved there and back."""

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # nothing is compiled here, and the import of what would skip it takes a second

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        """Run any operation."""
        return _run(func, args, kwargs or {})


def _run(func, args: tuple, kwargs: Mapping[str, object]) -> object:
    name, target = func._schema.name, kwargs.get("device")
    tensors = [one for one in tree_leaves((args, kwargs)) if isinstance(one, torch.Tensor)]
    there = any(isinstance(one, ElsewhereTensor) for one in tensors)
    if there and name not in COPIES | INDEXING:
        _refuse_mixed(tensors)
    options = tree_map(unwrapped, dict(kwargs))
    if target is not None:
        there = torch.device(target).type == ELSEWHERE.type
        options["device"] = torch.device("cpu") if there else target
    if func._schema.is_mutable and args and isinstance(args[0], torch.Tensor):
        func(*tree_map(unwrapped, args), **options)
        return args[0]
    result = func(*tree_map(unwrapped, args), **options)
    return tree_map(_wrapped, result) if there else result


def _refuse_mixed(tensors: list[torch.Tensor]) -> None:
    """Raise as PyTorch does; a tensor without axes may be on the CPU wherever the others are."""
    if at_home := [one for one in tensors if not isinstance(one, ElsewhereTensor) and one.dim()]:
        raise MixedDevicesError(
            "Expected all tensors to be on the same device, but found at least two devices, "
            f"{ELSEWHERE} and {at_home[0].device}"
        )


def unwrapped(value: object) -> object:
    """Return a tensor that is elsewhere as one on the CPU, and anything else as it is."""
    return value.inner if isinstance(value, ElsewhereTensor) else value


def _wrapped(value: object) -> object:
    return ElsewhereTensor(value) if type(value) is torch.Tensor else value
