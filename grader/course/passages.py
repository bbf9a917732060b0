"""The readable text of a chapter: everything else is blanked out, so that offsets are those of the file.

Included are the prose, and from code cells the comments, docstrings and strings (alternative texts, titles of
pictures). Excluded are solutions, model answers, headings, display formulas, and the list of further reading.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.course.source import BEGIN, END, HIDE_INPUT, MARKED

FENCED = re.compile(r"^```\{code-cell\}[^\n]*\n(?P<options>(?::[^\n]*\n)*)(?P<code>.*?)^```$", re.M | re.S)
SOLUTION = re.compile(rf"^[ ]*{BEGIN}$.*?^[ ]*{END}$", re.M | re.S)
HEADING = re.compile(r"^#+ .*$", re.M)
FURTHER_READING = re.compile(r"^## Further reading$.*?(?=^## |\Z)", re.M | re.S)
FRONT_MATTER = re.compile(r"\A---\n.*?^---$", re.M | re.S)
BREAK = re.compile(r"^\+\+\+.*$", re.M)
# The table below one explains its symbols.
FORMULA = re.compile(r"^\$\$$.*?^\$\$$", re.M | re.S)
# Ids of exercises, and what stands for their difficulty, minutes and points.
ID = re.compile(r"\bch\d\d-[\w-]+")
# Replaces code; no term matches across it.
CODE = "\0"
QUOTES = re.compile(r"^\s*[A-Za-z]{0,2}[\"']+|[\"']+\s*$")


@dataclass(frozen=True)
class Passage:
    """A piece of text that a learner reads.

    Attributes:
        path: the file that it is in.
        line: the line of the file where it begins.
        text: what is read, the rest of it blanked out.
        place: the offset in the chapter's text where it is read; None where it is that text.
    """

    path: Path
    line: int
    text: str
    place: int | None = None

    def line_at(self, offset: int) -> int:
        """Return the line of the file at an offset of the text."""
        return self.line + self.text.count("\n", 0, offset)

    def place_at(self, offset: int) -> int:
        """Return where in the chapter the text at an offset is read."""
        return offset if self.place is None else self.place


def blank(text: str) -> str:
    """Return a text of the same length and lines, with nothing in it."""
    return re.sub(r"[^\n]", " ", text)


def prose_of(text: str) -> str:
    """Return what is read of a chapter's source, as long as the source."""

    def code_cell(cell: re.Match[str]) -> str:
        code = SOLUTION.sub(lambda solution: blank(solution[0]), cell["code"])
        before, after = (blank(cell[0][: cell.start("code") - cell.start()]), blank("```"))
        return before + strings_and_comments(code) + after

    text = FENCED.sub(code_cell, _without_model_answers(text))
    for pattern in (FRONT_MATTER, FURTHER_READING, FORMULA, HEADING, BREAK, ID):
        text = pattern.sub(lambda found: blank(found[0]), text)
    return text


def shown_code(text: str) -> Iterator[tuple[int, str]]:
    """Yield the code that a chapter shows: no solution, and no folded cell.

    With each cell's code comes the offset of the prose that leads to it: what it uses is explained there.
    """
    end = 0
    for cell in FENCED.finditer(text):
        if HIDE_INPUT not in cell["options"]:
            yield end, SOLUTION.sub("", cell["code"])
        end = cell.end()


def _without_model_answers(text: str) -> str:
    """Return a source without the cells that answer a question in words."""
    lines, hidden = text.splitlines(keepends=True), False
    for number, line in enumerate(lines):
        if line.startswith("+++"):
            hidden = bool(MARKED.match(line))
        elif hidden:
            lines[number] = blank(line)
    return "".join(lines)


def strings_and_comments(code: str) -> str:
    """Return the comments and strings of code, the rest blanked out; adjacent strings are one text."""
    kept = list(re.sub(r"\S", CODE, code))
    starts = [0, *(line.end() for line in re.finditer(r"\n", code))]
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        kind = tokenize.tok_name[token.type]
        if kind in ("COMMENT", "STRING", "FSTRING_MIDDLE"):
            read = token.string.replace("#", " ", 1) if kind == "COMMENT" else _without_quotes(token.string)
            begin = starts[token.start[0] - 1] + token.start[1]
            kept[begin : begin + len(read)] = read
    return "".join(kept)


def strings_in(path: Path) -> dict[str, Passage]:
    """Return the strings of a Python file as passages, by their text."""
    source = path.read_text(encoding="utf-8")
    found: dict[str, Passage] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value not in found:
            written = ast.get_source_segment(source, node) or ""
            lines = (_without_quotes(line) for line in written.split("\n"))
            found[node.value] = Passage(path, node.lineno, "\n".join(lines))
    return found


def _without_quotes(written: str) -> str:
    return QUOTES.sub(lambda quotes: " " * len(quotes[0]), written)
