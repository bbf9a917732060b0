"""The rungs that an answer climbs, each decided from recorded tensors and facts alone."""

from grader.checking.rungs import further, results
from grader.checking.rungs.look import Look, generator_note

__all__ = ["Look", "further", "generator_note", "results"]
