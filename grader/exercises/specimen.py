"""A specimen: code with a bug, and what it should have computed.

An exercise with a specimen asks for an input on which the two differ. So neither is a secret: the chapter
shows the code, and an input counts because both were run on it. What is right is computed number by number in
NumPy, without gradients, so that it is no answer to the exercise that asks to mend the code.
"""

from collections.abc import Callable
from dataclasses import dataclass

from grader.messages import Message

# What an argument may be.
TENSOR, WHOLE, REAL, DEVICE = "tensor", "whole", "real", "device"
# The devices that may be named, in the order in which they are numbered when one is sent.
PLACES = ("cpu", "cuda", "meta", "mps", "xpu")


@dataclass(frozen=True)
class Argument:
    """One argument of the code.

    Attributes:
        name: as in the code.
        shapes: of a tensor, the shapes that it may have: each axis a size, or a name for any size. An axis of
            the same name has the same size in all arguments.
        kind: ``TENSOR``, a number that is ``WHOLE`` or ``REAL``, or the name of a ``DEVICE``.
    """

    name: str
    shapes: tuple[tuple[str | int, ...], ...] = ()
    kind: str = TENSOR


@dataclass(frozen=True)
class Silence:
    """A reason why the code and what is right agree: asked about only where they do.

    Attributes:
        holds: whether it is so on these arguments.
        message: what a learner is told.
    """

    holds: Callable[..., bool]
    message: Message


@dataclass(frozen=True)
class Specimen:
    """Code with a bug, beside what is right.

    Attributes:
        arguments: what an input is made of, in the order of the code's arguments.
        bug: the code as the chapter shows it. It gets float64 tensors, which it may write into.
        right: what it should return: an array, or as many as ``results`` names.
        silences: reasons why an input does not expose the bug, the most telling one first.
        results: names of the results where there are several.
        refuses: what is not valid about arguments of valid shapes; None if nothing is.
        stands_for: what is said before an error of the code where it ran on something that stands for the
            input; None where it ran on the input itself.
    """

    arguments: tuple[Argument, ...]
    bug: Callable
    right: Callable
    silences: tuple[Silence, ...] = ()
    results: tuple[str, ...] = ()
    refuses: Callable[..., Message | None] = lambda *arguments: None
    stands_for: Callable[..., Message | None] = lambda *arguments: None
