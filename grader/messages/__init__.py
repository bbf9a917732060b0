"""Texts for learners: translatable templates with named placeholders, and their values.

``message`` makes them; the catalog, ``grader.pot``, is extracted by finding its calls.
"""

from grader.messages.message import Message, message, one_or_many

__all__ = ["Message", "message", "one_or_many"]
