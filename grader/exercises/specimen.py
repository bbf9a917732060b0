"""``Specimen``: an example of buggy code, and what it should have computed.

An exercise with a specimen asks for an input on which the two differ. Neither is secret: the chapter shows
the code, and an input counts if running both on it shows a difference. The right result is computed number by
number in NumPy, without gradients, so that it is no answer to the exercise that asks to fix the code.
"""

from collections.abc import Callable
from dataclasses import dataclass

from grader.messages import Message

# Kinds of arguments.
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
    """A reason why an input does not expose the bug: why both results agree. Checked only if they do.

    Attributes:
        holds: whether it is so on these arguments.
        message: what a learner is told.
    """

    holds: Callable[..., bool]
    message: Message


@dataclass(frozen=True)
class Specimen:
    """Buggy code, and its correct counterpart.

    Attributes:
        arguments: what an input is made of, in the order of the code's arguments.
        bug: the code as the chapter shows it. It gets float64 tensors, which it may write into.
        right: returns the correct result: an array, or as many as ``results`` names.
        silences: reasons why an input does not expose the bug, the most telling one first.
        results: names of the results where there are several.
        refuses: returns why arguments of valid shapes are invalid; None if they are not.
        stands_for: text before an error of the code if it ran on a replacement of the input; None if it ran
            on the input itself.
    """

    arguments: tuple[Argument, ...]
    bug: Callable
    right: Callable
    silences: tuple[Silence, ...] = ()
    results: tuple[str, ...] = ()
    refuses: Callable[..., Message | None] = lambda *arguments: None
    stands_for: Callable[..., Message | None] = lambda *arguments: None
