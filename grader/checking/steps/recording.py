"""Record every tensor that an answer makes while it runs on one case.

Runs in the learner's process. Inputs of an operation are recorded as well as results: a matrix that a loop
fills row by row is complete only when the next step reads it.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any

import numpy as np
import torch

from grader.checking.deadline import in_between
from grader.checking.fake_device import ElsewhereTensor
from grader.checking.recording import LIBRARIES
from grader.private_api.pytorch import DispatchMode

# Far more than a small case needs; an answer that makes more is not analyzed.
MOST_TENSORS, MOST_NUMBERS, MOST_OPERATIONS = 400, 4096, 20_000


class TooMuchError(Exception):
    """An answer makes more tensors than are kept."""


class Kept:
    """Copies of the tensors that an answer makes, on the CPU, in order, each once."""

    def __init__(self) -> None:
        self.tensors: list[torch.Tensor] = []
        self.full = False
        self._seen: set[tuple] = set()
        self._operations = 0

    def operation(self) -> None:
        """Count an operation.

        Raises:
            TooMuchError: there were too many.
        """
        self._operations += 1
        if self._operations > MOST_OPERATIONS:
            self._refuse()

    def add(self, tensor: torch.Tensor) -> None:
        """Keep a tensor of numbers with a decimal point, as it is now; a single number says nothing.

        Raises:
            TooMuchError: there are too many already.
        """
        if not tensor.is_floating_point() or not 1 < tensor.numel() <= MOST_NUMBERS:
            return
        copy = tensor.detach().to("cpu", torch.float64, copy=True).contiguous()
        key = (*copy.shape, copy.numpy().tobytes())
        if key not in self._seen:
            if len(self.tensors) >= MOST_TENSORS:
                self._refuse()
            self._seen.add(key)
            self.tensors.append(copy)

    def _refuse(self) -> None:
        self.full = True
        raise TooMuchError


def _tensors_in(value: object) -> Iterator[torch.Tensor]:
    """Yield the plain dense tensors in the arguments or results of an operation."""
    if isinstance(value, torch.Tensor):
        inner = value.held if type(value) is ElsewhereTensor else value
        if inner.layout is torch.strided and not inner.is_meta and not inner.is_quantized:
            yield inner
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _tensors_in(one)


class TensorRecorder(DispatchMode):
    """Keeps what PyTorch's operations are given and return, views and writes in place among them."""

    def __init__(self, kept: Kept) -> None:
        super().__init__()
        self._kept = kept

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple = (), kwargs: Mapping | None = None
    ) -> Any:
        """Run an operation, and keep its tensors."""
        self._kept.operation()
        for tensor in _tensors_in(args):
            self._kept.add(tensor)
        result = func(*args, **(kwargs or {}))
        for tensor in _tensors_in(result):
            self._kept.add(tensor)
        return result


class FollowedArray(np.ndarray):
    """A NumPy array that records what is computed with it; so do all results."""

    kept: Kept | None = None

    def __array_finalize__(self, origin: object) -> None:
        """Propagate recording to results."""
        if origin is not None:
            self.kept = getattr(origin, "kept", None)

    def __array_ufunc__(
        self, ufunc: Any, method: str, *inputs: Any, out: tuple | None = None, **options: Any
    ) -> Any:
        """Compute as NumPy does, on plain arrays, and keep what goes in and comes out."""
        kept = next(one.kept for one in (*inputs, *(out or ())) if isinstance(one, FollowedArray))
        if kept is None:
            return NotImplemented
        kept.operation()
        _keep_arrays(kept, inputs)
        if out:
            options["out"] = tuple(_plain(one) for one in out)
        result = getattr(ufunc, method)(*map(_plain, inputs), **options)
        _keep_arrays(kept, result if isinstance(result, tuple) else (result,))
        if out:
            return out[0] if len(out) == 1 else out
        return (
            tuple(follow(one, kept) for one in result) if isinstance(result, tuple) else follow(result, kept)
        )

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        """Let a function of NumPy compute as it does, and keep what it returns."""
        result = super().__array_function__(func, types, args, kwargs)
        if self.kept is not None:
            _keep_arrays(self.kept, result if isinstance(result, tuple | list) else (result,))
        return result


def _plain(value: object) -> object:
    return value.view(np.ndarray) if isinstance(value, FollowedArray) else value


def _keep_arrays(kept: Kept, values: tuple | list) -> None:
    for value in values:
        plain = _plain(value)
        if isinstance(plain, np.ndarray) and plain.dtype.kind == "f":
            kept.add(torch.from_numpy(np.ascontiguousarray(plain)))


def follow(value: object, kept: Kept) -> object:
    """Return an array with recording on, also inside lists and tuples; anything else unchanged."""
    if isinstance(value, tuple | list):
        return type(value)(follow(one, kept) for one in value)
    if not isinstance(value, np.ndarray) or isinstance(value, np.generic):
        return value
    followed = value.view(FollowedArray)
    followed.kept = kept
    return followed


@contextmanager
def local_arrays(kept: Kept) -> Iterator[None]:
    """Keep arrays in local variables of the answer: one that a loop fills is not recorded otherwise."""

    @in_between
    def look(frame: FrameType, event: str, _what: object) -> Callable | None:
        if str(frame.f_globals.get("__name__", "")).partition(".")[0] in LIBRARIES:
            return None
        if event in ("line", "return"):
            kept.operation()
            _keep_arrays(kept, [*frame.f_locals.values()])
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        yield
    finally:
        sys.settrace(before)


def keep_results(kept: Kept, value: object) -> None:
    """Keep what an answer returned: a tensor or an array, or several."""
    for tensor in _tensors_in(value):
        kept.add(tensor)
    _keep_arrays(kept, value if isinstance(value, tuple | list) else (value,))
