"""Split Python into tokens without parsing it: works for any text, in linear time.

Comments, docstrings, white space and line ends are skipped: they do not change what an answer does.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import Literal, NamedTuple

from grader.checking.string_patterns import LONG, QUOTES, SHORT

# Tokens that are read of an answer: hundreds of times what an exercise needs.
MAX_TOKENS = 50_000
# Functions that execute text: tokens do not show what it does.
RUN_TEXTS = frozenset(("exec", "eval", "compile", "__import__"))
OPERATORS = r"\*\*=|//=|<<=|>>=|\.\.\.|->|:=|[-+*/%@&|^=!<>]=|\*\*|//|<<|>>"
STRINGS = "|".join(kind.format(quote) for kind in (LONG, SHORT) for quote in QUOTES)
TOKEN = re.compile(
    "|".join(
        (
            r"(?P<comment>\#[^\n]*+)",
            f"(?P<string>(?i:[rbfut]{{0,2}})(?:{STRINGS}))",
            r"(?P<number>\.?\d\w*+(?:\.\w*+)?)",
            r"(?P<name>[^\W\d]\w*+)",
            rf"(?P<sign>{OPERATORS}|[^\s\\;])",
        )
    ),
    re.DOTALL,
)
PREFIX = re.compile(r"(?i:[rbfut]{0,2})")

TokenKind = Literal["name", "number", "string", "sign"]


class Token(NamedTuple):
    """A token of an answer: its text and position."""

    kind: TokenKind
    text: str
    start: int
    end: int


def tokens(source: str) -> list[Token]:
    """Return what an answer consists of, the first ``MAX_TOKENS`` of it."""
    return list(islice(_read(source), MAX_TOKENS))


def not_seen(source: str) -> str:
    """Return a sentence on why an answer may do more than its tokens show; empty if there is no reason."""
    found = tokens(source)
    if len(found) == MAX_TOKENS:
        return f"It is longer than {MAX_TOKENS:,} words and signs; the rest was not compared."
    before = ""
    for token in found:
        if token.kind == "name" and token.text in RUN_TEXTS and before != ".":
            return f"It runs a text as code ({token.text}), and what is in the text was not compared."
        before = token.text
    return ""


def _read(text: str) -> Iterator[Token]:
    depth, line_ends = 0, 0
    for found in TOKEN.finditer(text):
        kind, start, end = found.lastgroup, found.start(), found.end()
        before, line_ends = line_ends, end
        if kind == "comment":
            continue
        if kind == "string":
            begins_line = not before or "\n" in text[before:start]
            if begins_line and not depth and _ends_line(text, end):
                continue  # a docstring, or a comment written as one
            yield Token("string", PREFIX.sub("", found[0], count=1).strip("\"'"), start, end)
            continue
        said = found[0]
        if kind == "sign":
            depth = max(0, depth + (said in "([{") - (said in ")]}"))
        yield Token(kind, said if said.isascii() else unicodedata.normalize("NFKC", said), start, end)


def _ends_line(text: str, place: int) -> bool:
    """Return whether nothing but space, or a comment, follows on the line."""
    end = text.find("\n", place)
    rest = text[place : len(text) if end < 0 else end].strip()
    return not rest or rest.startswith(("#", ";"))
