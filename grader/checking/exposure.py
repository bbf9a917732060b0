"""Run code with a bug, and what is right, on an input that a learner returned; none of the learner's code.

The input is believed in nothing: it may have come from a process that the learner's code has taken over.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import torch

from grader.checking.comparison import Mismatch, compare
from grader.exercises.specimen import DEVICE, PLACES, REAL, TENSOR, WHOLE, Argument, Specimen

# A difference that shows in the digits that are printed. Both run in float64, so it is no rounding.
SEEN = 1e-3
# Less is what an input's own rounding to float32 makes of numbers such as 0.1.
ROUNDED = 1e-6
# More than any bug needs; what is right is computed number by number.
MAX_AXIS, MAX_NUMBERS, MAX_SIZE = 32, 4096, 1e6
# What is wanted of an argument, by its kind.
WANTED = {
    TENSOR: "a torch.Tensor",
    WHOLE: "an int",
    REAL: "a plain number",
    DEVICE: 'a device or its name, such as "cpu"',
}


@dataclass(frozen=True)
class Exposure:
    """What came of an input.

    Attributes:
        code: why it does not count; empty if it does.
        sentence: what was seen.
        name: the result that is shown, where there are several.
        got: what the code with the bug returned; None if it raised.
        right: what it should have returned; None for an input that is not valid.
        mismatch: where the two differ most.
    """

    code: str
    sentence: str
    name: str = ""
    got: torch.Tensor | None = None
    right: torch.Tensor | None = None
    mismatch: Mismatch | None = None


def expose(specimen: Specimen, recorded: Mapping[str, torch.Tensor]) -> Exposure:
    """Return what the code with the bug, and what is right, make of an input.

    Args:
        specimen: the two.
        recorded: the input's tensors by the names of the code's arguments; numbers and devices as tensors.
    """
    if complaint := next(_complaints(specimen, recorded), ""):
        return Exposure("invalid-input", complaint)
    given = [recorded[argument.name] for argument in specimen.arguments]
    values = [_value(*one) for one in zip(specimen.arguments, given, strict=True)]
    if complaint := specimen.refuses(*values):
        return Exposure("invalid-input", complaint)
    right = _named(specimen, specimen.right(*_copies(values)))
    first = next(iter(right))
    try:
        with torch.no_grad():
            got = _named(specimen, specimen.bug(*_copies(values)))
    except Exception as error:  # noqa: BLE001 - the bug may be whatever code can do
        text = str(error).splitlines()[0].rstrip(".!")
        sentence = (
            f"On your input the code raises {type(error).__name__}: {text}. A right function returns shape "
            f"{tuple(right[first].shape)}."
        )
        return Exposure("", sentence, first, None, right[first])
    came = _compared(specimen, values, got, right)
    return _as_in_notebook(specimen, given, right) or came if came.code else came


def _as_in_notebook(
    specimen: Specimen, given: list[torch.Tensor], right: dict[str, torch.Tensor]
) -> Exposure | None:
    """Return that the code gives NaN in the input's own precision, as it does in a notebook, if it does.

    Float32 holds no number beyond 3.4e38; what is larger is infinite there.
    """
    values = [
        tensor.clone() if argument.kind == TENSOR else _value(argument, tensor)
        for argument, tensor in zip(specimen.arguments, given, strict=True)
    ]
    try:
        with torch.no_grad():
            got = _named(specimen, specimen.bug(*values))
    except Exception:  # noqa: BLE001 - what runs in float64 alone shows nothing here
        return None
    for name, wanted in right.items():
        same_shape = got[name].shape == wanted.shape
        bad = got[name].isnan() & ~wanted.isnan() if same_shape else torch.tensor(False)
        if bad.any():
            where = f"NaN at {bad.nonzero()[0].tolist()}, in the precision of your tensors"
            return Exposure("", f"On your input the code gives {where}.", name, got[name], wanted)
    return None


def _compared(
    specimen: Specimen, values: list, got: dict[str, torch.Tensor], right: dict[str, torch.Tensor]
) -> Exposure:
    distance = 0.0
    for name, wanted in right.items():
        what = f"{name} of shape" if name else "shape"
        if got[name].shape != wanted.shape:
            shapes = f"{tuple(got[name].shape)}, a right function {what} {tuple(wanted.shape)}"
            return Exposure("", f"On your input the code returns {what} {shapes}.", name, got[name], wanted)
        if mismatch := compare(got[name], wanted, SEEN):
            where = f"{list(mismatch.index)} of {name}" if name else f"{list(mismatch.index)}"
            sentence = (
                f"On your input the code gives {mismatch.got:.4f} at {where}, and {mismatch.expected:.4f} is "
                f"right; {mismatch.differing} of {mismatch.total} numbers differ."
            )
            return Exposure("", sentence, name, got[name], wanted, mismatch)
        same = torch.where(got[name] == wanted, 0.0, (got[name] - wanted).abs())
        distance = max(distance, float(same.max()))
    return Exposure("bug-not-exposed", _why_silent(specimen, values, distance))


def _why_silent(specimen: Specimen, values: list, distance: float) -> str:
    """Return why both agree, as far as anybody knows."""
    if distance > ROUNDED:
        return (
            f"On your input the code is off by {distance:.1e} at most, which nobody would see in print. It "
            f"counts from {SEEN:g} on."
        )
    reasons = (one.sentence for one in specimen.silences if one.holds(*values))
    return next(reasons, "Both give the same numbers, down to the last digit that counts.")


def _complaints(specimen: Specimen, recorded: Mapping[str, torch.Tensor]) -> Iterator[str]:
    """Yield what keeps an input from being one of the code's."""
    sizes: dict[str, tuple[int, str]] = {}
    for argument in specimen.arguments:
        tensor = recorded.get(argument.name)
        if tensor is None:
            yield f"{argument.name} is not there."
            return
        if argument.kind != TENSOR:
            yield from _complaints_of_number(argument, tensor)
            continue
        yield from _complaints_of_tensor(argument, tensor)
        axes = next(one for one in argument.shapes if _fits(tensor, one))
        for axis, size in zip(axes, tensor.shape, strict=True):
            known, owner = sizes.setdefault(axis, (size, argument.name))
            if isinstance(axis, str) and known != size:
                places = f"once {known} and once {size}"
                if owner != argument.name:
                    places = f"{known} in {owner} and {size} in {argument.name}"
                yield f"Your input is not valid: {axis} is {places}. A right function needs them equal."


def _complaints_of_number(argument: Argument, tensor: torch.Tensor) -> Iterator[str]:
    if tensor.dim() or (argument.kind == REAL) != tensor.is_floating_point():
        yield f"{argument.name} is not {WANTED[argument.kind]}."
        return
    value = tensor.item()
    if argument.kind == DEVICE and not 0 <= value < len(PLACES):
        yield f"{argument.name} names no device."
    if argument.kind == WHOLE and not 1 <= value <= MAX_AXIS:
        yield f"{argument.name} is {value}; it has to be from 1 to {MAX_AXIS}."
    if argument.kind == REAL and (math.isnan(value) or value < 0):
        yield f"{argument.name} is {value}; it has to be 0 or more."


def _complaints_of_tensor(argument: Argument, tensor: torch.Tensor) -> Iterator[str]:
    name, shape = argument.name, tuple(tensor.shape)
    wanted = " or ".join(_shape_text(one) for one in argument.shapes)
    if not any(_fits(tensor, one) for one in argument.shapes):
        yield f"Your input is not valid: expected {name} of shape {wanted}, got {shape}."
    if not tensor.is_floating_point():
        yield (
            f"{name} is of dtype {tensor.dtype}, and the function takes floats. With a point, as in 1.0, "
            "torch.tensor makes floats."
        )
    if 0 in shape:
        yield f"{name} has shape {shape}: there is nothing in it to compute with."
    if max(shape) > MAX_AXIS or tensor.numel() > MAX_NUMBERS:
        yield (
            f"{name} has shape {shape}. Make it smaller: {MAX_AXIS} along an axis and {MAX_NUMBERS} numbers "
            "are the most, and a few are enough."
        )
    bad = ~tensor.isfinite()
    if bad.any():
        yield (
            f"{name} holds NaN or infinity at {bad.nonzero()[0].tolist()}. The code is to be wrong on "
            "ordinary numbers."
        )
    if tensor.abs().max() > MAX_SIZE:
        yield f"{name} holds numbers beyond {MAX_SIZE:,.0f}. Smaller ones are enough."


def _fits(tensor: torch.Tensor, axes: tuple[str | int, ...]) -> bool:
    return tensor.dim() == len(axes) and all(
        isinstance(axis, str) or axis == size for axis, size in zip(axes, tensor.shape, strict=True)
    )


def _shape_text(axes: tuple[str | int, ...]) -> str:
    return f"({', '.join(map(str, axes))}{',' if len(axes) == 1 else ''})"


def _value(argument: Argument, tensor: torch.Tensor) -> torch.Tensor | int | float | str:
    if argument.kind == TENSOR:
        return tensor.double()
    return PLACES[int(tensor)] if argument.kind == DEVICE else tensor.item()


def _copies(values: list) -> list:
    return [value.clone() if isinstance(value, torch.Tensor) else value for value in values]


def _named(specimen: Specimen, returned: object) -> dict[str, torch.Tensor]:
    """Return what came back by the names of the results; float64 tensors."""
    parts = returned if specimen.results else (returned,)
    named = zip(specimen.results or ("",), parts, strict=True)
    return {name: torch.as_tensor(part).double() for name, part in named}
