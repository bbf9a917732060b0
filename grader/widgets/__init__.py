"""What a notebook lets a learner play with or watch. Imported by notebooks alone, as ``figures`` is."""

from grader.widgets.explorer import explore
from grader.widgets.tasks import Task
from grader.widgets.training import watch

__all__ = ["Task", "explore", "watch"]
