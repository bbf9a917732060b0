"""A course's engine: what builds notebooks, and the grader that names the mistake.

In a notebook: ``from grader import check, hint, progress, steps``.
"""

from importlib import import_module

__all__ = ["CheckFailedError", "GraderError", "check", "hint", "progress", "steps"]

_PLACES = {
    "CheckFailedError": "grader.checking.notebook",
    "GraderError": "grader.errors",
    "check": "grader.checking.notebook",
    "hint": "grader.checking.notebook",
    "progress": "grader.checking.notebook",
    "steps": "grader.checking.notebook",
}


def __getattr__(name: str) -> object:
    """Import a public name on first use; importing it loads torch, which many commands do not need."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)
