"""What a notebook lets a learner play with or watch. Imported by notebooks alone, as ``figures`` is."""

from grader.topics import offered
from grader.widgets.training import watch

__all__ = ["watch"]


def __getattr__(name: str) -> object:
    """Return a widget of a topic's."""
    return offered("widgets", name)
