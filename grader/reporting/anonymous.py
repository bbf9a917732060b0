"""Anonymize reports: students' names, and anything in their code that could identify them.

Code is tokenized, never parsed: Python's parser may exhaust its stack on hostile text. Kept are names from
Python, the libraries and the course, single letters, and short numbers. Everything else is replaced, and code
that cannot be tokenized is left out.
"""

import builtins
import io
import keyword
import math
import random
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import torch

from grader.reporting.graded import GradedAssignment, GradedStudent

# Longer answers are no example that anybody reads.
MAX_CHARACTERS, MAX_LINES = 4_000, 80
# Longer numbers may be a matriculation number or a date of birth.
MAX_DIGITS = 4
STRING, NUMBER = '"…"', "…"
WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
LAYOUT = (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
# Python 3.12 gives a formatted text as its parts, and 3.14 templates; before, each is one token.
BEGIN_TEXT = [getattr(tokenize, name, None) for name in ("FSTRING_START", "TSTRING_START")]
END_TEXT = [getattr(tokenize, name, None) for name in ("FSTRING_END", "TSTRING_END")]
# Python 3.12 knows ! as a part of formatted texts, and takes other signs for operators that are none.
OPERATORS = frozenset(tokenize.EXACT_TOKEN_TYPES) - {"!"}
KEPT = (tokenize.NAME, tokenize.OP, tokenize.NUMBER, tokenize.STRING, tokenize.COMMENT, *LAYOUT)


def pseudonyms(students: Iterable[str], randomness: random.Random | None = None) -> dict[str, str]:
    """Return a pseudonym for each student, in random order.

    Args:
        students: their names.
        randomness: decides the order; by default the system's.
    """
    shuffled = sorted(set(students))
    (randomness or random.SystemRandom()).shuffle(shuffled)
    return {student: f"A{number}" for number, student in enumerate(shuffled, start=1)}


def anonymous(assignment: GradedAssignment, names: dict[str, str]) -> GradedAssignment:
    """Return an assignment in which nobody is named: no name, no path, no text that may hold one."""
    students = sorted(
        (_anonymous(one, names[one.key]) for one in assignment.students), key=lambda one: int(one.label[1:])
    )
    return replace(assignment, students=tuple(students))


def _anonymous(student: GradedStudent, name: str) -> GradedStudent:
    answers = {
        exercise: replace(one, fault="The grader failed." if one.fault else "")
        for exercise, one in student.answers.items()
    }
    reason = "The notebook could not be read." if student.status == "error" else student.reason
    problem = "The verdict file is missing or cannot be read." if student.problem else ""
    return replace(
        student, label=name, answers=answers, reason=reason, notes=(), problem=problem, notebook="", name=""
    )


@cache
def library_words() -> frozenset[str]:
    """Return the names that Python and the course's libraries have, which tell nothing of who uses them."""
    places = (builtins, math, np, torch, torch.Tensor, torch.nn, torch.nn.Module, torch.nn.functional)
    names = {name for place in places for name in dir(place)}
    return frozenset(
        {*names, *keyword.kwlist, "torch", "nn", "functional", "F", "math", "numpy", "np", "self"}
    )


def words_of(code: str) -> frozenset[str]:
    """Return the words of a trusted text, such as a signature or an answer bank's code."""
    return frozenset(WORD.findall(code))


def words_of_code(code: str) -> frozenset[str]:
    """Return the names in trusted code, without what its comments and strings say."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    except (tokenize.TokenError, SyntaxError):
        return (
            frozenset()
        )  # not Python alone, such as a cell with a command of IPython: others have the words
    return frozenset(one.string for one in tokens if one.type == tokenize.NAME)


def anonymous_code(source: str, known: frozenset[str] = frozenset()) -> str:
    """Return code without comments, docstrings, and the contents of strings; foreign names are numbered.

    Args:
        source: a student's cell.
        known: the words of the course, which stay beside those of the libraries.

    Returns:
        The code, or an empty text where it is too long or is not plain Python.
    """
    source = source.replace("\r\n", "\n")
    if len(source) > MAX_CHARACTERS or source.count("\n") >= MAX_LINES or "\r" in source:
        return ""
    try:
        read = tokenize.generate_tokens(io.StringIO(source.expandtabs()).readline)
        tokens = list(_with_whole_texts(read))
    except (tokenize.TokenError, SyntaxError, ValueError):
        return ""  # no Python: what of it is a name cannot be told
    if any(not _is_plain(one) for one in tokens):
        return ""
    words = _Words(library_words() | known)
    text = "".join(_rewritten(_without_docstrings(tokens), words))
    lines = [line.rstrip() for line in text.splitlines()]
    return "\n".join(line for line in lines if line)


def _is_plain(token: tokenize.TokenInfo) -> bool:
    """Return whether a token is one of Python's own kind."""
    return token.type in KEPT and (token.type != tokenize.OP or token.string in OPERATORS)


def _with_whole_texts(tokens: Iterable[tokenize.TokenInfo]) -> Iterator[tokenize.TokenInfo]:
    """Yield a formatted text as one token, however Python takes it apart."""
    begun: list[tokenize.TokenInfo] = []
    for token in tokens:
        if token.type in BEGIN_TEXT:
            begun.append(token)
        elif token.type in END_TEXT:
            first = begun.pop()
            if not begun:
                yield token._replace(type=tokenize.STRING, string=STRING, start=first.start)
        elif not begun:
            yield token


class _Words:
    """The names that are kept, and the replacements of the others."""

    def __init__(self, known: frozenset[str]) -> None:
        self._known = known
        self._renamed: dict[str, str] = {}

    def shown(self, token: tokenize.TokenInfo) -> str:
        """Return what a token is shown as."""
        text = token.string
        if token.type == tokenize.COMMENT:
            return ""
        if token.type == tokenize.STRING:
            return STRING
        if token.type == tokenize.NUMBER:
            return text if len(text) <= MAX_DIGITS + 2 and _digits(text) <= MAX_DIGITS else NUMBER
        if token.type != tokenize.NAME or text in self._known or (len(text) == 1 and text.isascii()):
            return text
        return self._renamed.setdefault(text, f"name_{len(self._renamed) + 1}")


def _digits(text: str) -> int:
    return sum(sign.isalnum() for sign in text)


def _without_docstrings(tokens: list[tokenize.TokenInfo]) -> Iterator[tokenize.TokenInfo]:
    """Yield the tokens of all statements but those that are a text and nothing else."""
    statement: list[tokenize.TokenInfo] = []
    for token in tokens:
        statement.append(token)
        if token.type in (tokenize.NEWLINE, tokenize.ENDMARKER):
            says = [one for one in statement if one.type not in (*LAYOUT, tokenize.COMMENT)]
            is_text = bool(says) and all(one.type == tokenize.STRING for one in says)
            yield from (one for one in statement if not is_text or one.type in LAYOUT)
            statement = []


def _rewritten(tokens: Iterable[tokenize.TokenInfo], words: _Words) -> Iterator[str]:
    """Yield the tokens as text, with the spaces and the lines that were between them."""
    row, column = 1, 0
    for token in tokens:
        if token.type in (tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER):
            continue
        if token.start[0] > row and column:  # no end of a line between them: a backslash was there
            yield " \\\n"
            column = 0
        yield " " * max(0, token.start[1] - column)
        if token.type in (tokenize.NEWLINE, tokenize.NL):
            yield "\n"
            row, column = token.end[0] + 1, 0
            continue
        yield words.shown(token)
        row, column = token.end
