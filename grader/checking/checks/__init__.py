"""The checks that an answer goes through, each decided from recorded tensors and facts alone."""

from grader.checking.checks.check import Check, Failure
from grader.checking.checks.context import CheckContext, generator_note

__all__ = ["Check", "CheckContext", "Failure", "generator_note"]
