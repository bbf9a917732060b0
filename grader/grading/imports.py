"""Find imports of the course's first code cell that a submission needs but has lost, or may not reach."""

import re
from collections.abc import Iterable

from grader.grading.extra_files import is_library

# One at the margin; what follows a semicolon is not looked at.
IMPORT = re.compile(r"^(?:from[ \t]++[\w.]++[ \t]++)?import[ \t]++([^\n#;]++)", re.MULTILINE)
MODULE = re.compile(r"^(?:from|import)[ \t]++(\w++)")
# Lines that cannot stop a cell.
HARMLESS = re.compile(r"\s*+(?:[#!%].*+)?")
WORD = re.compile(r"\w++")


def imported(source: str) -> frozenset[str]:
    """Return the names that the imports at the margin of a cell bind."""
    parts = (part.split() for names in IMPORT.findall(source) for part in names.strip("() \t").split(","))
    return frozenset(words[-1].partition(".")[0] for words in parts if words)


def may_stop(source: str, given: str) -> bool:
    """Return whether a cell has a line that may raise: neither a given line nor an import of a library.

    Comments make no difference: in a translated notebook they are other ones.
    """
    known = {*map(_uncommented, given.splitlines())}
    return any(_may_stop(line) for line in source.splitlines() if _uncommented(line) not in known)


def _uncommented(line: str) -> str:
    """Return a line without its comment; one with a quote before that stays as it is."""
    before = line.partition("#")[0]
    return (line if '"' in before or "'" in before else before).rstrip()


def _may_stop(line: str) -> bool:
    if HARMLESS.fullmatch(line):
        return False
    module = MODULE.match(line)
    return module is None or ";" in line or not is_library(module[1])


def lost_imports(given: str, bound: frozenset[str], code: Iterable[str]) -> tuple[str, ...]:
    """Return the lines of a given cell that import a name which code uses and nothing has bound.

    Args:
        given: the cell, as the course gives it.
        bound: the names that a submission binds before its answers are used, whatever happens.
        code: the submission's code.
    """
    lines = [line for line in given.splitlines() if imported(line) - bound]
    if not lines:
        return ()
    used = {word for source in code for word in WORD.findall(source)}
    return tuple(line for line in lines if (imported(line) - bound) & used)
