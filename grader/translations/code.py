"""Walk over the texts of a code cell: comments, docstrings, alternative texts of pictures, a widget's tasks.

They are replaced token by token, so that the code stays the same. Other strings are code: what a cell draws
or prints is in English.
"""

import ast
import io
import json
import re
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from grader.course.source import BEGIN, END
from grader.errors import GraderError
from grader.translations.docstrings import translated_docstring
from grader.translations.words import WIDTH, Translate, has_words, wrapped

# The name of the argument, or of the variable, that describes a picture.
ALTERNATIVE = "alt"
# What is called with a text for learners as its first argument: a task of the explorer.
TASK = "Task"
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
OPENED = re.compile(r"[A-Za-z]*(?:\"\"\"|'''|\"|')")
# A line for IPython.
COMMAND = re.compile(r"^([ \t]*)([%!].*)$", re.MULTILINE)
SOLUTION = re.compile(rf"^[ \t]*{BEGIN}$.*?^[ \t]*{END}$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class _Place:
    """Where a text stands, from one offset to another, and what makes its replacement."""

    start: int
    end: int
    make: Callable[[Translate], str]


def translated_code(source: str, translate: Translate) -> str:
    """Return the source of a cell with its texts replaced; the code in it stays the same.

    Raises:
        GraderError: it cannot be parsed, or with these translations it would be other code.
    """
    hidden = [one.span() for one in SOLUTION.finditer(source)]  # what no student sees
    places = [
        place
        for place in sorted(_Cell(source).places(), key=lambda one: one.start)
        if not any(start <= place.start < end for start, end in hidden)
    ]
    parts, done = [], 0
    for place in places:
        parts += [source[done : place.start], _replaced(place, source, translate)]
        done = place.end
    made = "".join([*parts, source[done:]])
    if made != source and normal_code(made) != normal_code(source):
        raise GraderError(f"With its translations this cell would be other code:\n{made}")
    return made


def _replaced(place: _Place, source: str, translate: Translate) -> str:
    """Return what stands in a place: lines are broken anew only where something is translated."""
    changed = []

    def noted(text: str) -> str:
        made = translate(text)
        changed.append(made != text)
        return made

    made = place.make(noted)
    return made if any(changed) else source[place.start : place.end]


def normal_code(source: str) -> str:
    """Return what a cell does: its syntax tree without docstrings and alternative texts.

    Raises:
        GraderError: it cannot be parsed.
    """
    tree = _parsed(source)
    for text in [*_docstrings(tree), *_alternatives(tree)]:
        if isinstance(text, ast.Constant):
            text.value = ""
        else:
            text.values = sorted(_expressions(text), key=ast.dump)
    return ast.dump(tree)


def texts_in_code(source: str) -> list[ast.Constant | ast.JoinedStr]:
    """Return the strings of a cell that are texts and come into its outputs, in the order of its syntax tree.

    Raises:
        GraderError: it cannot be parsed.
    """
    return list(_alternatives(_parsed(source)))


def _python(source: str) -> str:
    """Return the source of a cell, as long, with a statement in the place of each command for IPython."""
    return COMMAND.sub(lambda line: line[1] + "pass"[: len(line[2])].ljust(len(line[2])), source)


def _parsed(source: str) -> ast.Module:
    try:
        return ast.parse(_python(source))
    except SyntaxError as error:
        raise GraderError(f"A cell cannot be parsed ({error}):\n{source}") from error


def _docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            yield node.body[0].value


def _alternatives(tree: ast.Module) -> Iterator[ast.Constant | ast.JoinedStr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            values = [one.value for one in node.keywords if one.arg == ALTERNATIVE]
            values += node.args[:1] if getattr(node.func, "id", "") == TASK else []
        elif isinstance(node, ast.Assign):
            values = [node.value for one in node.targets if getattr(one, "id", "") == ALTERNATIVE]
        else:
            continue
        for value in values:
            if isinstance(value, ast.JoinedStr) or isinstance(getattr(value, "value", None), str):
                yield value


def _expressions(text: ast.JoinedStr) -> list[ast.FormattedValue]:
    return [one for one in text.values if isinstance(one, ast.FormattedValue)]


class _Cell:
    """The source of a cell, and where the texts in it stand."""

    def __init__(self, source: str) -> None:
        self.source, self.lines = source, source.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)

    def places(self) -> Iterator[_Place]:
        """Yield where texts stand, in any order."""
        tree = _parsed(self.source)
        yield from self._comments()
        yield from map(self._docstring, _docstrings(tree))
        yield from map(self._alternative, _alternatives(tree))

    def _offset(self, line: int, column: int) -> int:
        """Return the offset of a place in the syntax tree, which counts bytes."""
        before = self.lines[line - 1].encode()[:column].decode()
        return self.starts[line - 1] + len(before)

    def _span(self, node: ast.expr) -> tuple[int, int]:
        return self._offset(node.lineno, node.col_offset), self._offset(node.end_lineno, node.end_col_offset)

    def _column(self, start: int) -> int:
        return start - self.source.rfind("\n", 0, start) - 1

    def _comments(self) -> Iterator[_Place]:
        """Yield the comments; those on lines of their own, one below the other, are one text."""
        block: list[tuple[int, int]] = []
        for token in tokenize.generate_tokens(io.StringIO(_python(self.source)).readline):
            if token.type != tokenize.COMMENT or token.string.startswith("##"):
                continue
            row, column = token.start[0] - 1, token.start[1]
            alone = not self.lines[row][:column].strip()
            if not (alone and block and block[-1] == (row - 1, column)):
                yield from self._comment(block)
                block = []
            block.append((row, column))
            if not alone:
                yield from self._comment(block)
                block = []
        yield from self._comment(block)

    def _comment(self, block: list[tuple[int, int]]) -> Iterator[_Place]:
        texts = [self.lines[row][column:].lstrip("#").strip() for row, column in block]
        if not has_words(text := " ".join(texts)):
            return
        (first, column), (last, _) = block[0], block[-1]
        alone = not self.lines[first][:column].strip()
        room = WIDTH - column - 2 if alone else 10 * WIDTH  # what stands behind code stays there

        def make(translate: Translate) -> str:
            lines = wrapped(translate(text), room, room)
            return f"\n{' ' * column}".join(f"# {line.rstrip()}" for line in lines)

        yield _Place(self.starts[first] + column, self.starts[last] + len(self.lines[last]), make)

    def _docstring(self, node: ast.Constant) -> _Place:
        start, end = self._span(node)
        opened = OPENED.match(self.source, start)[0]
        closed = opened.lstrip("rRuU")
        inner, column = self.source[start + len(opened) : end - len(closed)], self._column(start)

        def make(translate: Translate) -> str:
            return opened + translated_docstring(inner, column, translate) + closed

        return _Place(start, end, make)

    def _alternative(self, node: ast.Constant | ast.JoinedStr) -> _Place:
        start, end = self._span(node)
        if isinstance(node, ast.JoinedStr):
            return _Place(start, end, lambda translate: f'f"{translate(self._template(node))}"')
        line = self.lines[node.lineno - 1]
        indent = len(line) - len(line.lstrip())

        room = WIDTH - indent - 3  # two quotes and a comma

        def make(translate: Translate) -> str:
            lines = wrapped(translate(node.value), room - (self._column(start) - indent), room)
            return f"\n{' ' * indent}".join(json.dumps(one, ensure_ascii=False) for one in lines)

        return _Place(start, end, make)

    def _template(self, node: ast.JoinedStr) -> str:
        """Return the text of an f-string; what it computes is as it is written."""
        parts = []
        for one in node.values:
            if isinstance(one, ast.FormattedValue):
                parts.append(f"{{{ast.unparse(one.value)}}}")
            else:
                quoted = json.dumps(one.value, ensure_ascii=False)[1:-1]
                parts.append(quoted.replace("{", "{{").replace("}", "}}"))
        return "".join(parts)
