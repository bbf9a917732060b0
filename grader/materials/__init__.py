"""What the course hands to notebooks beside its checks: a text to train on, and a part that may be missing.

Imported by notebooks alone, as ``figures`` and ``widgets`` are.
"""

from grader.materials.texts import fables
from grader.topics import offered

__all__ = ["fables"]


def __getattr__(name: str) -> object:
    """Return what a topic hands out."""
    return offered("materials", name)
