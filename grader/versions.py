"""The tested versions of Python, PyTorch and nbgrader; the only list of them.

``pyproject.toml`` says which ones install. For a version that installs but is not listed here, the first
check of a notebook and ``grader doctor`` warn, and go on.
"""

import platform
from importlib.metadata import version

import torch

from grader.messages import Message, message

# Releases of Python and PyTorch on which all references were verified with all banks of answers, and the
# tests of the sandbox passed; of nbgrader, those of the gradebook, the plug-ins, exports and the exchange.
TRIED = {
    "Python": ("3.11", "3.12", "3.13", "3.14"),
    "PyTorch": ("2.12", "2.13", "2.14", "2.15"),
    "nbgrader": ("0.9.5", "0.9.6"),
}
# How many numbers of a version tell the releases apart for which a try is needed.
PARTS = {"Python": 2, "PyTorch": 2, "nbgrader": 3}
# The release that made the references.
RECORDED_WITH = "2.13.0"


def installed(name: str) -> str:
    """Return the version of a key of ``TRIED`` that runs here.

    Raises:
        PackageNotFoundError: nbgrader is not installed.
    """
    if name == "Python":
        return platform.python_version()
    return torch.__version__ if name == "PyTorch" else version(name)


def release(name: str, full: str) -> str:
    """Return the release that a version belongs to: ``2.13`` for PyTorch's ``2.13.0+cpu``."""
    return ".".join(full.partition("+")[0].split(".")[: PARTS[name]])


def was_tried(name: str, full: str) -> bool:
    """Return whether the release of a version was tried."""
    return release(name, full) in TRIED[name]


def untried_note(name: str, full: str) -> Message | None:
    """Return what a learner is told of a version that nobody has tried; None for one that was."""
    if was_tried(name, full):
        return None
    return message(
        "{name} {version} was never tried with this course, {tried} were. Checks go on; last digits may "
        "differ, and grading decides.",
        name=name,
        version=full,
        tried=", ".join(TRIED[name]),
    )
