"""A fake second device: its tensors report it as their device, and the CPU computes.

Code that forgets to move a tensor fails only where there are two devices. This provides the second one on
machines without a GPU: an operation that mixes devices raises, as with a GPU. It is called ``lazy``, a device
name that PyTorch knows and that needs no hardware.

It is available inside ``reaching(ELSEWHERE)``. One difference from a GPU: moving a module gives it new
parameters instead of replacing the data of those it has.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Self

import torch

from grader.checking.device import SECOND
from grader.private_api.pytorch import (
    DispatchMode,
    lift_on_the_cpu,
    no_torch_function,
    packet_name,
    wrapper_of,
)

ELSEWHERE = torch.device(SECOND, 0)
# Operations that may meet tensors of two devices, on a GPU too.
COPIES = frozenset(("aten::_to_copy", "aten::copy_"))
INDEXING = frozenset(("aten::index", "aten::index_put", "aten::index_put_", "aten::_index_put_impl_"))
# Operations that copy only if the tensor is not there yet; in inference mode they arrive here undecomposed.
MOVES = frozenset(("aten::to", "aten::type_as"))
# Operations that take not even a single number from another device.
JOINING = frozenset(("aten::cat", "aten::stack"))


class MixedDevicesError(RuntimeError):
    """An operation met tensors of two devices."""


# What a learner is told, and what a known wrong answer raised on a GPU, is PyTorch's own error.
MixedDevicesError.__name__ = "RuntimeError"


class ElsewhereTensor(torch.Tensor):
    """A tensor whose device is ``ELSEWHERE``; ``held`` has its data, on the CPU."""

    held: torch.Tensor
    __torch_function__ = no_torch_function  # all that is done here is below that

    @staticmethod
    def __new__(cls, inner: torch.Tensor) -> Self:
        """Return a tensor of the same shape, strides and dtype, elsewhere."""
        # A view of a tensor made outside inference mode must be made outside, too.
        inference = torch.is_inference_mode_enabled() and not inner.is_inference()
        with torch.inference_mode(False) if inference else nullcontext():
            return wrapper_of(cls, inner, ELSEWHERE)

    def __init__(self, inner: torch.Tensor) -> None:
        self.held = inner

    def __repr__(self) -> str:  # ty: ignore[invalid-method-override]
        """Return what a print shows."""
        return f"{self.held!r}"[:-1] + f", device='{self.device}')"

    def __format__(self, spec: str) -> str:
        """Return what a text shows of a single number, and else what a print does."""
        return format(repr(self) if self.dim() else self.item(), spec)

    def __float__(self) -> float:
        """Return a single number; ``torch.tensor`` asks for it where no operation is seen."""
        return float(self.held)

    def __int__(self) -> int:
        """Return a single number as a whole one."""
        return int(self.held)

    def tolist(self) -> list:
        """Return the numbers."""
        return self.held.tolist()

    def numpy(self, *, force: bool = False) -> object:
        """Refuse as a GPU's tensor does, which has to be copied first."""
        if force:
            return self.held.numpy(force=True)
        raise TypeError(
            f"can't convert {self.device} device type tensor to numpy. Use Tensor.cpu() to copy the tensor "
            "to host memory first."
        )

    @property
    def data(self) -> torch.Tensor:
        """The same numbers, without what autograd knows of them."""
        return torch.Tensor.data.__get__(self)

    @data.setter
    def data(self, value: torch.Tensor) -> None:
        torch.Tensor.data.__set__(self, value)
        self.held = unwrapped(value)

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        """Run an operation on a tensor that is elsewhere."""
        return _run(func, args, kwargs or {})


class Elsewhere(DispatchMode):
    """While it is active, tensors can be made on ``ELSEWHERE`` and moved there and back."""

    def __enter__(self) -> Self:
        """Begin; ``torch.tensor`` makes its tensor on the CPU then, and moves it where this sees it."""
        self._lifted = lift_on_the_cpu(True)
        return super().__enter__()

    def __exit__(self, *error: object) -> None:
        """End."""
        super().__exit__(*error)
        lift_on_the_cpu(self._lifted)

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        """Run any operation."""
        return _run(func, args, kwargs or {})


def reaching(device: torch.device) -> AbstractContextManager:
    """Return a context in which tensors can be made on a device and moved there and back."""
    return Elsewhere() if device.type == ELSEWHERE.type else nullcontext()


def _run(func, args: tuple, kwargs: Mapping[str, object]) -> object:
    if packet_name(func) in MOVES:
        with Elsewhere():
            return func.decompose(*args, **kwargs)
    known: dict[int, torch.Tensor] = {}  # by what the operation itself sees of it
    inner = [_inside(one, known) for one in args]
    options = {name: _inside(one, known) for name, one in kwargs.items()}
    # Not a generator: a time limit that interrupts its exit would be lost, and only printed by Python.
    there = bool([one for one in known.values() if isinstance(one, ElsewhereTensor)])
    if there:
        _refuse_mixed(packet_name(func), args, known.values())
    if (target := kwargs.get("device")) is not None:
        there = torch.device(target).type == ELSEWHERE.type
        options["device"] = torch.device("cpu") if there else target
    result = func(*inner, **options)
    written = args[0] if _is_view_in_place(func) else kwargs.get("out")
    if isinstance(written, ElsewhereTensor):
        _reshape(written)
    return _outside(result, known, there)


def _reshape(tensor: ElsewhereTensor) -> None:
    """Give a tensor the shape that its numbers have by now."""
    torch.Tensor.data.__set__(tensor, ElsewhereTensor(tensor.held))


@cache
def _is_view_in_place(func) -> bool:
    return torch.Tag.inplace_view in func.tags


def _inside(value: object, known: dict[int, torch.Tensor]) -> object:
    """Return an argument with tensors as they are on the CPU, and note which is which."""
    if isinstance(value, torch.Tensor):
        inner = unwrapped(value)
        known[id(inner)] = value
        return inner
    return [_inside(one, known) for one in value] if isinstance(value, list | tuple) else value


def _outside(value: object, known: Mapping[int, torch.Tensor], there: bool) -> object:
    """Return a result: of an argument that was written into the argument itself, else a tensor elsewhere."""
    if isinstance(value, torch.Tensor):
        own = known.get(id(value), value)
        return ElsewhereTensor(own) if there and own is value else own
    if isinstance(value, list | tuple):
        return type(value)(_outside(one, known, there) for one in value)
    return value


def _refuse_mixed(name: str, args: tuple, tensors) -> None:
    """Raise as PyTorch does; a tensor without axes may be on the CPU wherever the others are."""
    if name in COPIES:
        return
    at_home = [one for one in tensors if not isinstance(one, ElsewhereTensor)]
    first = args[0] if args else None
    if name in INDEXING:
        if not isinstance(first, ElsewhereTensor):
            raise MixedDevicesError(
                "indices should be either on cpu or on the same device as the indexed tensor (cpu)"
            )
        at_home = [one for one in args[2:3] if not isinstance(one, ElsewhereTensor)]
    strict = name in JOINING
    if any(one.dim() or strict or (one is first and name.endswith("_")) for one in at_home):
        raise MixedDevicesError(
            "Expected all tensors to be on the same device, but found at least two devices, "
            f"{ELSEWHERE} and {at_home[0].device}"
        )


def unwrapped(value: object) -> object:
    """Return a tensor that is elsewhere as one on the CPU, and anything else as it is."""
    return value.held if isinstance(value, ElsewhereTensor) else value
