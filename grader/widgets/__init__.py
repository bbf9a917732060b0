"""What a notebook lets a learner play with. Imported by notebooks alone, as ``figures`` is."""

from grader.widgets.explorer import explore

__all__ = ["explore"]
