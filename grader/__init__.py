"""A course on attention, and the grader that names the mistake.

In a notebook: ``from grader import check, hint``.
"""

from grader.checking.notebook import CheckFailedError, check, hint
from grader.errors import GraderError

__all__ = ["CheckFailedError", "GraderError", "check", "hint"]
