"""Where a check runs."""

import os
from typing import TYPE_CHECKING

from grader.errors import DeviceError

if TYPE_CHECKING:
    import torch

DEVICES = ("cpu", "cuda")


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
