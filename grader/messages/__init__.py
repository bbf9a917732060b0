"""Texts for learners: translatable templates with named placeholders, and their values.

``message`` makes them, and is the word by which they are found and written to a catalog (``grader.pot``).
"""

from grader.messages.message import (
    Message,
    each_once,
    joined,
    message,
    one_or_many,
    sentences,
    series,
    titles,
    told_by,
)

__all__ = [
    "Message",
    "each_once",
    "joined",
    "message",
    "one_or_many",
    "sentences",
    "series",
    "titles",
    "told_by",
]
