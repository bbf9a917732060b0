"""Run buggy code and its correct counterpart on a learner's input; runs none of the learner's code.

The input is untrusted: it may come from a process that the learner's code has taken over.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import torch

from grader.checking.comparison import Mismatch, compare
from grader.exercises.specimen import DEVICE, PLACES, REAL, TENSOR, WHOLE, Argument, Specimen
from grader.messages import Message, message, series
from grader.messages.numbers import number

# A difference that is visible in the printed digits. Both run in float64, so it is not rounding.
SEEN = 1e-3
# Smaller differences come from rounding the input to float32, as for 0.1.
ROUNDED = 1e-6
# More than any bug needs; the correct result is computed number by number.
MAX_AXIS, MAX_NUMBERS, MAX_SIZE = 32, 4096, 1e6
# What is wanted of an argument, by its kind.
WANTED = {
    TENSOR: message("a torch.Tensor"),
    WHOLE: message("an int"),
    REAL: message("a plain number"),
    DEVICE: message('a device or its name, such as "cpu"'),
}


@dataclass(frozen=True)
class Exposure:
    """The outcome of an input.

    Attributes:
        code: why it does not count; empty if it does.
        message: what was seen.
        name: the result that is shown, where there are several.
        got: what the code with the bug returned; None if it raised.
        right: what it should have returned; None for an input that is not valid.
        mismatch: where the two differ most.
    """

    code: str
    message: Message
    name: str = ""
    got: torch.Tensor | None = None
    right: torch.Tensor | None = None
    mismatch: Mismatch | None = None


def expose(specimen: Specimen, recorded: Mapping[str, torch.Tensor]) -> Exposure:
    """Run the buggy and the correct code on an input and return the outcome.

    Args:
        specimen: the two.
        recorded: the input's tensors by the names of the code's arguments; numbers and devices as tensors.
    """
    if complaint := next(_complaints(specimen, recorded), None):
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
        parts = {"error": f"{type(error).__name__}: {text}", "shape": str(tuple(right[first].shape))}
        told = message(
            "On your input the code raises {error}. A right function returns shape {shape}.", **parts
        )
        if where := specimen.stands_for(*values):
            told = message(
                "{where} There the code raises {error}. A right one returns shape {shape}.",
                where=where,
                **parts,
            )
        return Exposure("", told, first, None, right[first])
    came = _compared(specimen, values, got, right)
    if any(tensor.dtype in SMALL for tensor in given):
        return came
    return _as_in_notebook(specimen, given, right) or came if came.code else came


# Precisions in which the correct code may return NaN as well.
SMALL = (torch.float16, torch.bfloat16)


def _as_in_notebook(
    specimen: Specimen, given: list[torch.Tensor], right: dict[str, torch.Tensor]
) -> Exposure | None:
    """Return an outcome if the code returns NaN in the input's own precision, as it would in a notebook.

    Numbers beyond 3.4e38 are infinite in float32.
    """
    values = [
        tensor.clone() if argument.kind == TENSOR else _value(argument, tensor)
        for argument, tensor in zip(specimen.arguments, given, strict=True)
    ]
    try:
        with torch.no_grad():
            got = _named(specimen, specimen.bug(*values))
    except Exception:  # noqa: BLE001 - code that runs only in float64 is no evidence here
        return None
    for name, wanted in right.items():
        same_shape = got[name].shape == wanted.shape
        bad = got[name].isnan() & ~wanted.isnan() if same_shape else torch.tensor(False)
        if bad.any():
            told = message(
                "On your input the code gives NaN at {place}, in the precision of your tensors.",
                place=str(bad.nonzero()[0].tolist()),
            )
            return Exposure("", told, name, got[name], wanted)
    return None


def _compared(
    specimen: Specimen, values: list, got: dict[str, torch.Tensor], right: dict[str, torch.Tensor]
) -> Exposure:
    distance = 0.0
    for name, wanted in right.items():
        if got[name].shape != wanted.shape:
            told = _other_shape(name, tuple(got[name].shape), tuple(wanted.shape))
            return Exposure("", told, name, got[name], wanted)
        if mismatch := compare(got[name], wanted, SEEN):
            return Exposure("", _difference(name, mismatch), name, got[name], wanted, mismatch)
        same = torch.where(got[name] == wanted, 0.0, (got[name] - wanted).abs())
        distance = max(distance, float(same.max()))
    return Exposure("bug-not-exposed", _why_silent(specimen, values, distance))


def _other_shape(name: str, got: tuple[int, ...], right: tuple[int, ...]) -> Message:
    shapes = {"got": str(got), "right": str(right)}
    if not name:
        return message(
            "On your input the code returns shape {got}, a right function shape {right}.", **shapes
        )
    return message(
        "On your input the code returns {name} of shape {got}, a right function {name} of shape {right}.",
        name=name,
        **shapes,
    )


def _difference(name: str, mismatch: Mismatch) -> Message:
    place = str(list(mismatch.index))
    return message(
        "On your input the code gives {got} at {where}, and {right} is right; {number} of {total} numbers "
        "differ.",
        got=f"{mismatch.got:.4f}",
        where=message("{place} of {name}", place=place, name=name) if name else place,
        right=f"{mismatch.expected:.4f}",
        number=mismatch.differing,
        total=mismatch.total,
    )


def _why_silent(specimen: Specimen, values: list, distance: float) -> Message:
    """Return the known reason why both agree."""
    if distance > ROUNDED:
        return message(
            "On your input the code is off by {distance} at most, which is too little to count. It counts "
            "from {seen} on.",
            distance=f"{distance:.1e}",
            seen=f"{SEEN:g}",
        )
    reasons = (one.message for one in specimen.silences if one.holds(*values))
    return next(reasons, message("Both give the same numbers, down to the last digit that counts."))


def _complaints(specimen: Specimen, recorded: Mapping[str, torch.Tensor]) -> Iterator[Message]:
    """Yield why an input is not a valid one for the code."""
    sizes: dict[str, tuple[int, str]] = {}
    for argument in specimen.arguments:
        tensor = recorded.get(argument.name)
        if tensor is None:
            yield message("{name} is not there.", name=argument.name)
            return
        if argument.kind != TENSOR:
            yield from _complaints_of_number(argument, tensor)
            continue
        yield from _complaints_of_tensor(argument, tensor)
        axes = next(one for one in argument.shapes if _fits(tensor, one))
        for axis, size in zip(axes, tensor.shape, strict=True):
            known, owner = sizes.setdefault(axis, (size, argument.name))
            if isinstance(axis, str) and known != size:
                yield message(
                    "Your input is not valid: {axis} is {places}. A right function needs them equal.",
                    axis=axis,
                    places=_two_sizes(known, owner, size, argument.name),
                )


def _two_sizes(known: int, owner: str, size: int, name: str) -> Message:
    if owner == name:
        return message("once {known} and once {size}", known=known, size=size)
    return message("{known} in {owner} and {size} in {name}", known=known, owner=owner, size=size, name=name)


def _complaints_of_number(argument: Argument, tensor: torch.Tensor) -> Iterator[Message]:
    name = {"name": argument.name}
    if tensor.dim() or (argument.kind == REAL) != tensor.is_floating_point():
        yield message("{name} is not {wanted}.", wanted=WANTED[argument.kind], **name)
        return
    value = tensor.item()
    told = name | {"value": str(value)}
    if argument.kind == DEVICE and not 0 <= value < len(PLACES):
        yield message("{name} names no device.", **name)
    if argument.kind == WHOLE and not 1 <= value <= MAX_AXIS:
        yield message("{name} is {value}; it has to be from 1 to {most}.", most=MAX_AXIS, **told)
    if argument.kind == REAL and (math.isnan(value) or value < 0):
        yield message("{name} is {value}; it has to be 0 or more.", **told)


def _complaints_of_tensor(argument: Argument, tensor: torch.Tensor) -> Iterator[Message]:
    shape = tuple(tensor.shape)
    told = {"name": argument.name, "shape": str(shape)}
    if not any(_fits(tensor, one) for one in argument.shapes):
        yield message(
            "Your input is not valid: expected {name} of shape {wanted}, got {shape}.",
            wanted=_one_of([_shape_text(one) for one in argument.shapes]),
            **told,
        )
    if not tensor.is_floating_point():
        yield message(
            "{name} is of dtype {dtype}, and the function takes floats. With a point, as in 1.0, "
            "torch.tensor makes floats.",
            name=argument.name,
            dtype=str(tensor.dtype),
        )
    if 0 in shape:
        yield message("{name} has shape {shape}: there is nothing in it to compute with.", **told)
    if max(shape) > MAX_AXIS or tensor.numel() > MAX_NUMBERS:
        yield message(
            "{name} has shape {shape}. Make it smaller: {axis} along an axis and {numbers} numbers are the "
            "most, and a few are enough.",
            axis=MAX_AXIS,
            numbers=MAX_NUMBERS,
            **told,
        )
    bad = ~tensor.isfinite()
    if bad.any():
        yield message(
            "{name} holds NaN or infinity at {place}. The code is to be wrong on ordinary numbers.",
            name=argument.name,
            place=str(bad.nonzero()[0].tolist()),
        )
    if tensor.abs().max() > MAX_SIZE:
        yield message(
            "{name} holds numbers beyond {most}. Smaller ones are enough.",
            name=argument.name,
            most=number(int(MAX_SIZE)),
        )


def _one_of(shapes: list[str]) -> str | Message:
    if len(shapes) == 1:
        return shapes[0]
    return message("{first} or {last}", first=series(shapes[:-1]), last=shapes[-1])


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
