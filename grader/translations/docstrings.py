"""Walk over the texts of a docstring: paragraphs, and what is said of each argument or result."""

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from grader.translations.words import WIDTH, Translate, has_words, wrapped

# What describes an argument or a result: `query, key: ...`, `context (T, d): ...`.
NAMED = r"\*{0,2}[\w.]+(?: ?\([^()]*\))?"
ARGUMENT = re.compile(rf"{NAMED}(?:, {NAMED})*: \S")
EXAMPLE = (">>> ", "... ")
INDENT = 4


@dataclass
class _Unit:
    """Lines that are one text: the indentation of the first, whether the others have more, and the text."""

    indent: int
    hanging: bool
    text: str

    @property
    def _is_named(self) -> bool:
        """Whether it describes an argument or a result itself."""
        return bool(self.indent and ARGUMENT.match(self.text))

    def goes_on(self, indent: int, line: str) -> bool:
        """Return whether a line belongs to it."""
        if indent > self.indent:
            named = not self._is_named and ARGUMENT.match(line)
            return self.hanging or not (self.text.endswith(":") or named)
        named = self.indent and ARGUMENT.match(line)
        return indent == self.indent and not self.hanging and not named


def translated_docstring(text: str, column: int, translate: Translate) -> str:
    """Return what stands between the quotes of a docstring with its texts replaced.

    Args:
        text: what stands there; the first line without indentation.
        column: how far the other lines are indented.
        translate: returns what stands in the place of a text.
    """
    *lines, last = textwrap.dedent(" " * column + text).split("\n")
    end = "" if last.strip() else "\n" + " " * column
    made = _made([*lines, *([last] if last.strip() else [])], column, translate)
    return "\n".join(made).lstrip(" ") + (end if lines else "")


def _made(lines: list[str], column: int, translate: Translate) -> Iterator[str]:
    units: list[_Unit] = []
    for line in lines:
        text = line.strip()
        indent = len(line) - len(line.lstrip())
        if text and not text.startswith(EXAMPLE) and units and units[-1].goes_on(indent, text):
            units[-1].hanging |= indent > units[-1].indent
            units[-1].text += f" {text}"
            continue
        yield from _shown(units, column, translate)
        units = []
        if not text or text.startswith(EXAMPLE):
            yield " " * (column if text else 0) + line
        else:
            units = [_Unit(indent, bool(indent and ARGUMENT.match(text)), text)]
    yield from _shown(units, column, translate)


def _shown(units: list[_Unit], column: int, translate: Translate) -> Iterator[str]:
    for unit in units:
        text = translate(unit.text) if has_words(unit.text) else unit.text
        room = WIDTH - column - unit.indent
        first, *others = wrapped(text, room, room - INDENT * unit.hanging)
        yield " " * (column + unit.indent) + first.rstrip()
        deeper = " " * (column + unit.indent + INDENT * unit.hanging)
        yield from (deeper + one.rstrip() for one in others)
