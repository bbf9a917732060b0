"""The device a check runs on."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeVar

from grader.errors import DeviceError
from grader.messages import message, series

if TYPE_CHECKING:
    import torch

DEVICES = ("cpu", "cuda")
# Needs no hardware (``fake_device.py``): PyTorch knows the name, and the CPU computes.
SECOND = "lazy"


class Judged(Protocol):
    """Protocol of a verdict: ``status`` is ``passed`` or another status."""

    @property
    def status(self) -> str:
        """What it came to."""


Verdict = TypeVar("Verdict", bound=Judged)


def choose_device(asked: str | None = None, *, isolated: bool = False) -> "torch.device":
    """Return the device: the argument's, else ``GRADER_DEVICE``'s, else CUDA if there is one, else the CPU.

    Args:
        asked: its name, if one is asked for.
        isolated: whether what runs there is fully isolated, which no GPU allows: then it is the CPU unless
            another is named.

    Raises:
        DeviceError: the device is unknown, not there, or a GPU that an earlier error ended.
    """
    import torch  # noqa: PLC0415 - what a command's options are can be said without it

    name = asked or os.environ.get("GRADER_DEVICE")
    if not name:
        name = "cuda" if not isolated and torch.cuda.is_available() else "cpu"
    if name not in DEVICES:
        raise DeviceError(
            message("Unknown device {name}: expected one of {names}.", name=repr(name), names=series(DEVICES))
        )
    if name == "cuda":
        _be_there()
    return torch.device(name)


def _be_there() -> None:
    """Raise ``DeviceError`` unless there is a GPU that answers: after an error it may not do so again."""
    import torch  # noqa: PLC0415 - as above

    if not torch.cuda.is_available():
        raise DeviceError(message("The device cuda was asked for, but PyTorch sees no GPU. Use cpu instead."))
    try:
        if torch.cuda.is_initialized():
            torch.cuda.synchronize()
    except RuntimeError as error:
        raise DeviceError(
            message(
                "The GPU does not answer ({reason}). An error in what ran on it, most often an index out of "
                "range, ended it for this process: restart the kernel. To check on the processor instead, "
                "run this first: {code}",
                reason=str(error).splitlines()[0],
                code='import os; os.environ["GRADER_DEVICE"] = "cpu"',
            )
        ) from error


def proving_device(asked: str | None = None) -> "torch.device":
    """Return the device to prove references on: one that can be chosen, or ``SECOND``.

    Raises:
        DeviceError: the device is unknown or not there.
    """
    import torch  # noqa: PLC0415 - as above

    return torch.device(SECOND, 0) if asked == SECOND else choose_device(asked)


def first_on_the_cpu(judged: Callable[[str], Verdict], device: str) -> Verdict:
    """Return the verdict on the CPU or, where nothing is wrong there, that on the device that is asked for.

    So verdicts on wrong answers are the same on every machine, and code that would crash a GPU does not reach
    it.

    Args:
        judged: runs an answer on the device of this name, and returns the verdict.
        device: where it has to be right.
    """
    verdict = judged("cpu")
    return judged(device) if device != "cpu" and verdict.status == "passed" else verdict


def computing(device: str) -> str:
    """Return the type of the device that really computes, which for the fake device is the CPU."""
    return "cpu" if device == SECOND else device
