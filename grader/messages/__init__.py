"""Texts for learners: translatable templates with named placeholders, and their values.

``message`` makes them, and is the word by which they are found and written to a catalog (``grader.pot``).
"""

from grader.messages.message import Message, message, one_or_many

__all__ = ["Message", "message", "one_or_many"]
