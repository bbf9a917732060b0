"""Read a submission's bytes as plain notebook cells. Nothing but text is trusted.

Every limit is checked before parsing, so that no file costs more than a moment, or more memory than a few
times its size.
"""

import codecs
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from grader.checking.notebook import RESULT_MIMETYPE
from grader.errors import SubmissionError
from grader.files import MIB
from grader.grading.refusal import (
    DAMAGED,
    EMPTY,
    OTHER_FILE,
    TOO_LARGE,
    not_a_notebook,
    refused,
    too_much,
)
from grader.messages import Message, each_once, message, one_or_many, sentences
from grader.messages.numbers import number
from grader.plain_text import plain

# Of a file, which is read whole; and of what is left of it, which is parsed.
MAX_FILE = 128 * MIB
MAX_BYTES = 16 * MIB
# Characters of a cell's outputs that stay in a file that exceeds a limit.
KEPT_OUTPUTS = 16 * 1024
# JSON values in the file: a hundred times what a chapter with its outputs has.
MAX_VALUES = 1_000_000
# A notebook nests about ten levels deep, the data of a plot a few more.
MAX_DEPTH = 100
MAX_CELLS = 20_000
MAX_SOURCE = MIB
# A higher count of checks of one exercise is not credible.
MAX_ATTEMPTS = 10_000

# Possessive quantifiers, and an optional closing quote: linear in any text.
STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
BRACKET = re.compile(r"[\[\]{}]")
# Keys of large values that are never graded, up to the beginning of the value.
BULKY = re.compile(r'"(?:outputs|attachments|widgets)"\s*+:\s*+(?=[\[{])')
TOKEN = re.compile(rf"{STRING.pattern}|{BRACKET.pattern}", re.DOTALL)
SURROGATE = re.compile(r"[\ud800-\udfff]")
# Other files that are submitted under a notebook's name, by their first bytes.
OTHER_FILES = {
    b"%pdf-": message("a PDF file"),
    b"pk\x03\x04": message("a zip archive"),
    b"<!doctype html": message("a web page"),
    b"<html": message("a web page"),
}
# Longer than any of these, with leading blanks.
BEGINNING = 1024
# Characters of a file without JSON that are shown.
BEGINS = 20
KINDS = {"code": "code", "markdown": "markdown", "raw": "raw", "heading": "markdown", "html": "markdown"}

CellKind = Literal["code", "markdown", "raw"]


@dataclass(frozen=True)
class SentCell:
    """A cell as it was sent.

    Attributes:
        kind: its type as claimed.
        source: its text, without NUL characters and lone surrogates.
        cell_id: the id that it claims; empty without one.
        marks: nbgrader's metadata as it claims it.
        check_counts: by exercise, how often the stored output of a check says that it was run.
    """

    kind: CellKind
    source: str
    cell_id: str = ""
    marks: Mapping[str, object] | None = None
    check_counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def grade_id(self) -> str:
        """The ``grade_id`` that it claims; empty without one."""
        claimed = self.marks.get("grade_id") if self.marks else None
        return claimed if isinstance(claimed, str) else ""


@dataclass(frozen=True)
class ReadNotebook:
    """The cells of a submission, and what is told of what had to be repaired to read them."""

    cells: tuple[SentCell, ...]
    told: tuple[Message, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """The same in English."""
        return tuple(map(str, self.told))


def read_submission(content: bytes) -> ReadNotebook:
    """Return the cells that a submission's bytes hold.

    Raises:
        SubmissionError: they are no notebook, or exceed a limit; one line says which.
    """
    if len(content) > MAX_FILE:
        size, most = number(len(content)), number(MAX_FILE)
        raise refused(
            message("The file is {size} bytes large; the limit is {most}.", size=size, most=most), TOO_LARGE
        )
    if not content.removeprefix(codecs.BOM_UTF8).strip(b"\0 \t\r\n"):
        raise not_a_notebook(message("The file is empty."), EMPTY)
    begins = content[:BEGINNING].removeprefix(codecs.BOM_UTF8).lstrip().lower()
    if other := next((told for sign, told in OTHER_FILES.items() if begins.startswith(sign)), None):
        raise not_a_notebook(message("The file is no notebook: this is {other}.", other=other), OTHER_FILE)
    notes: list[Message] = []
    text = _decode(content, notes)
    try:
        _check_size(text)
    except SubmissionError:
        text = _without_outputs(text, notes)
        _check_size(text)
    try:
        document = json.loads(text, parse_constant=lambda name: None)
    except json.JSONDecodeError as error:
        raise not_a_notebook(_broken(text, error), DAMAGED) from None
    except ValueError as error:
        raise too_much(
            message("The file is not valid JSON: it holds a number of too many digits.")
        ) from error
    return _read(document, notes)


def _broken(text: str, error: json.JSONDecodeError) -> Message:
    """Return where a text stops to be JSON, and why, in words for people who do not know JSON."""
    told = message(
        "The file is not valid JSON (line {line}, column {column}): {error}.",
        line=error.lineno,
        column=error.colno,
        error=error.msg.removesuffix(" at").lower(),
    )
    if not text.startswith("{"):
        begins = message(
            "A notebook begins with {bracket}, and this begins with {beginning}.",
            bracket="{",
            beginning=repr(plain(text[:BEGINS])),
        )
        return sentences((told, begins))
    if error.pos >= len(text) or error.msg.startswith("Unterminated"):
        early = message("It ends too early, as when an upload or a download breaks off.")
        return sentences((told, early))
    return told


def read_document(document: object) -> ReadNotebook:
    """Return the cells of a notebook that somebody else has parsed.

    Raises:
        SubmissionError: it is no notebook, or exceeds a limit.
    """
    return _read(document, [])


def _decode(content: bytes, notes: list[Message]) -> str:
    encoding = json.detect_encoding(content)
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        text = content.decode(encoding, "replace")
        count = text.count("\ufffd")
        notes.append(
            one_or_many(
                "The file is not {encoding} throughout: {count} character was replaced.",
                "The file is not {encoding} throughout: {number} characters were replaced.",
                count,
                encoding=encoding.upper(),
                number=number(count),
            )
        )
    if not encoding.startswith("utf-8"):
        written = encoding.upper()
        notes.append(message("The file was written as {encoding}, not as UTF-8.", encoding=written))
    elif encoding == "utf-8-sig":
        notes.append(message("The file began with a byte order mark."))
    return text.strip("\0\ufeff \t\r\n")


def _without_outputs(text: str, notes: list[Message]) -> str:
    """Return a notebook's JSON with empty outputs where these are large, without parsing it."""
    parts, kept, dropped = [], 0, 0
    place = 0
    while found := TOKEN.search(text, place):
        place = found.end()
        if not (key := BULKY.match(text, found.start())):
            continue
        end = _end_of_value(text, key.end())
        if end - key.end() > KEPT_OUTPUTS:
            parts += [text[kept : key.end()], "[]" if text[key.end()] == "[" else "{}"]
            kept, dropped = end, dropped + end - key.end()
        place = end
    if dropped:
        notes.append(
            message(
                "Outputs and pictures of {characters} characters were left out: with them the file is too "
                "large.",
                characters=number(dropped),
            )
        )
    return "".join([*parts, text[kept:]])


def _end_of_value(text: str, start: int) -> int:
    """Return where the list or object that begins at a place ends; the end of the text if it never does."""
    depth = 0
    for token in TOKEN.finditer(text, start):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if depth == 0:
            return token.end()
    return len(text)


def _check_size(text: str) -> None:
    """Refuse JSON that is too long, or of too many values or levels, without parsing it."""
    if len(text) > MAX_BYTES:
        raise too_much(
            message(
                "The file is {size} characters long, without its outputs; the limit is {most}.",
                size=number(len(text)),
                most=number(MAX_BYTES),
            )
        )
    skeleton = STRING.sub('"', text)
    values = sum(map(skeleton.count, ",:[{"))
    if values > MAX_VALUES:
        holds, most = number(values), number(MAX_VALUES)
        raise too_much(
            message("The file holds {size} JSON values; the limit is {most}.", size=holds, most=most)
        )
    if skeleton.count("[") + skeleton.count("{") <= MAX_DEPTH:
        return
    depth = 0
    for bracket in BRACKET.finditer(skeleton):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > MAX_DEPTH:
            raise too_much(message("The file nests JSON deeper than {most} levels.", most=MAX_DEPTH))


def _read(document: object, notes: list[Message]) -> ReadNotebook:
    if not isinstance(document, dict):
        raise not_a_notebook(
            message("The file holds JSON, but not a notebook: it is no JSON object."), DAMAGED
        )
    raw = _raw_cells(document)
    _note_format(document, notes)
    if len(raw) > MAX_CELLS:
        size, most = number(len(raw)), number(MAX_CELLS)
        raise too_much(message("The notebook has {size} cells; the limit is {most}.", size=size, most=most))
    if not raw:
        raise refused(message("The notebook has no cells."), DAMAGED)
    cells = [_cell(one, place, notes) for place, one in enumerate(raw, start=1)]
    return ReadNotebook(tuple(cell for cell in cells if cell is not None), tuple(each_once(notes)))


def _raw_cells(document: dict) -> list:
    """Return the cells where nbformat 4, or nbformat 2 and 3, keep them."""
    if isinstance(document.get("cells"), list):
        return document["cells"]
    sheets = document.get("worksheets")
    if not isinstance(sheets, list):
        raise not_a_notebook(
            message("The file holds JSON, but not a notebook: it has no list of cells."), DAMAGED
        )
    found = [sheet["cells"] for sheet in sheets if isinstance(sheet, dict) and "cells" in sheet]
    return [cell for cells in found if isinstance(cells, list) for cell in cells]


def _note_format(document: dict, notes: list[Message]) -> None:
    version = document.get("nbformat")
    if version == 4:
        return
    if isinstance(version, int) and not isinstance(version, bool) and abs(version) < 10**6:
        notes.append(
            message(
                "The notebook says that its format is {version}, not 4; its cells could be read.",
                version=version,
            )
        )
    else:
        notes.append(message("The notebook does not say which format it has; its cells could be read."))


def _cell(raw: object, place: int, notes: list[Message]) -> SentCell | None:
    """Return one cell, or None with a note where it is none."""
    if not isinstance(raw, dict):
        notes.append(message("Entry {cell} of the notebook is no cell and was left out.", cell=place))
        return None
    source = _source(raw, place, notes)
    metadata = raw.get("metadata")
    marks = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    cell_id = raw.get("id")
    kind = _kind(raw, place, notes)
    if raw.get("attachments"):
        notes.append(message("Pictures attached to text cells were left out."))
    if len(source.encode()) > MAX_SOURCE:
        if kind == "code":
            raise too_much(
                message(
                    "Cell {cell} holds more than {most} bytes, which is the limit.",
                    cell=place,
                    most=number(MAX_SOURCE),
                )
            )
        source = source[: MAX_SOURCE // 4]
        notes.append(
            message(
                "The text of cell {cell} was cut: it is longer than {most} bytes.",
                cell=place,
                most=number(MAX_SOURCE),
            )
        )
    return SentCell(
        kind=kind,
        source=source,
        cell_id=cell_id if isinstance(cell_id, str) else "",
        marks=marks if isinstance(marks, dict) else None,
        check_counts=_check_counts(raw.get("outputs")),
    )


def _check_counts(outputs: object) -> dict[str, int]:
    """Return how often exercises were checked according to stored outputs; invalid counts are ignored."""
    found = {}
    for output in outputs if isinstance(outputs, list) else ():
        data = output.get("data") if isinstance(output, dict) else None
        verdict = data.get(RESULT_MIMETYPE) if isinstance(data, dict) else None
        if not isinstance(verdict, dict) or not isinstance(exercise := verdict.get("exercise"), str):
            continue
        if is_count(count := verdict.get("attempts")):
            found[exercise] = count
    return found


def is_count(value: object) -> bool:
    """Return whether a value can be how often somebody checked an exercise."""
    return type(value) is int and 1 <= value <= MAX_ATTEMPTS


def _kind(raw: dict, place: int, notes: list[Message]) -> CellKind:
    claimed = raw.get("cell_type")
    kind = KINDS.get(claimed) if isinstance(claimed, str) else None
    if kind is None:
        notes.append(
            message("Cell {cell} does not say whether it is code or text; it was read as text.", cell=place)
        )
    return kind or "raw"


def _source(raw: dict, place: int, notes: list[Message]) -> str:
    """Return a cell's text; nbformat 3 calls it ``input`` in code cells."""
    source = raw.get("source", raw.get("input", ""))
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str):
        notes.append(message("The text of cell {cell} is no text and was left out.", cell=place))
        return ""
    if "\0" in source:
        source = source.replace("\0", "")
        notes.append(message("NUL characters in cell {cell} were left out.", cell=place))
    if not source.isascii() and SURROGATE.search(source):
        source = SURROGATE.sub("\ufffd", source)
        notes.append(message("Half characters (lone surrogates) in cell {cell} were replaced.", cell=place))
    return source
