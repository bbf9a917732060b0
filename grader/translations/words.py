"""What texts of all kinds have in common: whether there are words in one, and how it is broken into lines."""

import re
import unicodedata
from collections.abc import Callable

# Returns what stands in the place of a text.
Translate = Callable[[str], str]

# As wide as the course's own code.
WIDTH = 88
# What is not translated in a text: what a template fills in, code, formulas, what stands for declared values,
# tags, targets of links.
KEPT = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|`+[^`]*`+|\$[^$]*\$|\{[\w-]+\}|</?[a-zA-Z][^<>]*>|\]\([^)]*\)")
WORD = re.compile(r"\b[^\W\d_]{2,}\b")
# Signs of scripts that have no spaces between words.
DENSE = r"\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
# What a line may end behind: one such sign, or what stands between spaces.
PIECE = re.compile(rf"(?:[{DENSE}]|[^\s{DENSE}]+) ?")
# Kinds of signs that no line begins with.
CLOSING = ("Pe", "Pf", "Po")


def has_words(text: str) -> bool:
    """Return whether there is anything to translate in a text."""
    return bool(WORD.search(KEPT.sub(" ", text)))


def width(text: str) -> int:
    """Return how many columns a text takes; signs of East Asian scripts take two."""
    return sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text)


def wrapped(text: str, first: int, following: int) -> list[str]:
    """Return a text in lines, which are the text one behind the other: spaces stay at their ends.

    Args:
        text: the text.
        first: how many columns there are for the first line.
        following: how many there are for each other line.
    """
    lines, room = [""], first
    for piece in PIECE.findall(" ".join(text.split())):
        closes = len(piece.rstrip()) == 1 and unicodedata.category(piece[0]) in CLOSING
        if lines[-1] and width(f"{lines[-1]}{piece}".rstrip()) > room and not closes:
            lines.append(piece)
            room = following
        else:
            lines[-1] += piece
    return lines
