"""Tell whether a cell holds an answer to an exercise or only the released stub."""

import re
from collections.abc import Iterator
from functools import cache

from grader.grading.lexing import MAX_TOKENS, RUN_TEXTS, tokens

AT_MARGIN = re.compile(r"(?<=\n)[^\s#)]")
LONG_QUOTES = re.compile(r"\"{3}|'{3}")
RETURNS = re.compile(r"^[ \t]++return[ \t]++[^\s#]", re.MULTILINE)


def answers(source: str, subject: str, stub: str) -> bool:
    """Return whether a cell may define an exercise's subject, with more than the stub's own body.

    Comments, docstrings, imports and code that does not name the subject are no answer. Code that executes a
    text or a file, or imports every name, may be one.
    """
    if _returns(source, subject) and not _returns(stub, subject):
        return True
    given, length = _texts(stub), 0
    for statement in _statements(source):
        if _brings_names(statement) or (subject in statement and not _within(statement, given)):
            return True
        length += len(statement)
    return length == MAX_TOKENS


def _returns(source: str, subject: str) -> bool:
    """Return whether a subject's definition plainly has a line that returns something: most answers do.

    Looked for behind the last text of several lines, without taking the whole apart.
    """
    parts = re.split(rf"^(?:class|def)[ \t]++{re.escape(subject)}\b", source, flags=re.MULTILINE)
    if len(parts) == 1:
        return False
    body = parts[-1]
    if at_margin := AT_MARGIN.search(body):
        body = body[: at_margin.start()]
    quotes = [found.end() for found in LONG_QUOTES.finditer(body)]
    return not len(quotes) % 2 and bool(RETURNS.search(body, quotes[-1] if quotes else 0))


def _within(statement: list[str], given: tuple[str, ...]) -> bool:
    """Return whether a statement has no sign that the stub does not have, in the same order."""
    rest = iter(given)
    return all(text in rest for text in statement)


def _brings_names(statement: list[str]) -> bool:
    if statement[-2:] == ["import", "*"] or statement[:2] == ["%", "run"]:
        return True
    return not RUN_TEXTS.isdisjoint(statement)


@cache
def _texts(stub: str) -> tuple[str, ...]:
    return tuple(token.text for token in tokens(stub))


def _statements(source: str) -> Iterator[list[str]]:
    """Yield the words and signs from each one that begins at the margin up to the next."""
    statement: list[str] = []
    for token in tokens(source):
        if statement and source[max(0, token.start - 1)] == "\n":
            yield statement
            statement = []
        statement.append(token.text)
    if statement:
        yield statement
