"""The only place where a learner's code runs: isolated processes that are sent no expected tensor."""

from grader.errors import IsolationError
from grader.sandbox.sandbox import Sandbox, missing_isolation

__all__ = ["IsolationError", "Sandbox", "missing_isolation"]
