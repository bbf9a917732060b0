"""``explore``: weights of attention as something to play with."""

from grader.topics.attention.widgets.explorer import explore
from grader.topics.attention.widgets.tasks import Task

__all__ = ["Task", "explore"]
