"""Where a check runs."""

import os
from typing import TYPE_CHECKING

from grader.errors import DeviceError

if TYPE_CHECKING:
    import torch

DEVICES = ("cpu", "cuda")
# Needs no hardware (``elsewhere.py``): PyTorch knows the name, and what is there is computed on the CPU.
SECOND = "lazy"


def choose_device(asked: str | None = None, *, isolated: bool = False) -> "torch.device":
    """Return the device: the argument's, else ``GRADER_DEVICE``'s, else CUDA if there is one, else the CPU.

    Args:
        asked: its name, if one is asked for.
        isolated: whether what runs there is fully isolated, which no GPU allows: then it is the CPU unless
            another is named.

    Raises:
        DeviceError: the device is unknown or not there.
    """
    import torch  # noqa: PLC0415 - what a command's options are can be said without it

    name = asked or os.environ.get("GRADER_DEVICE")
    if not name:
        return torch.device("cuda" if not isolated and torch.cuda.is_available() else "cpu")
    if name not in DEVICES:
        raise DeviceError(f"Unknown device {name!r}: expected one of {', '.join(DEVICES)}.")
    if name == "cuda" and not torch.cuda.is_available():
        raise DeviceError("The device cuda was asked for, but PyTorch sees no GPU. Use cpu instead.")
    return torch.device(name)


def proving_device(asked: str | None = None) -> "torch.device":
    """Return the device to prove references on: one that can be chosen, or ``SECOND``.

    Raises:
        DeviceError: the device is unknown or not there.
    """
    import torch  # noqa: PLC0415 - as above

    return torch.device(SECOND, 0) if asked == SECOND else choose_device(asked)


def computing(device: str) -> str:
    """Return the type of the device whose arithmetic a device has."""
    return "cpu" if device == SECOND else device
