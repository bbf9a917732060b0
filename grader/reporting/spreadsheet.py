"""Read and write CSV tables for spreadsheets: no cell is written that one takes for a formula."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.errors import GraderError
from grader.plain_text import plain

# Characters that begin a formula, also in full width; a formula may run commands and load URLs.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
DELIMITERS = (",", ";", "\t")
LINE_ENDS = str.maketrans("\r\n\t", "   ")


def looks_like_formula(text: str) -> bool:
    """Return whether a spreadsheet would calculate a text; it ignores blanks at the beginning."""
    return text.startswith(FORMULA) or text.lstrip().startswith(FORMULA)


def never_calculated(text: str) -> str:
    """Return a text as a cell that is shown: one that would be a formula gets an apostrophe before it."""
    return f"'{text}" if looks_like_formula(text) else text


def table_text(
    header: Sequence[str], rows: Iterable[Sequence[object]], delimiter: str = ",", line_end: str = "\n"
) -> str:
    """Return a table whose cells are written as they are; of None, nothing."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator=line_end)
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def as_csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV, the names of the columns first; no text in them is calculated."""
    shown = ([never_calculated(one) if isinstance(one, str) else one for one in row] for row in rows)
    return table_text(columns, shown)


@dataclass(frozen=True)
class Sheet:
    """A table with a header; every row is as long as that.

    Attributes:
        header: the names of the columns.
        rows: what is below it.
        delimiter: what separated the cells where it was read.
        titles: the names of the columns as they were written, with blanks around them.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    delimiter: str = ","
    titles: tuple[str, ...] = ()


def one_line(text: str) -> str:
    """Return a text as one line that is nothing but that, in a cell as in a terminal."""
    return plain(text.translate(LINE_ENDS)).strip()


def text_cell(text: str) -> str:
    """Return a text as a cell that is shown and never calculated."""
    return never_calculated(one_line(text))


def number_cell(value: float, digits: int = 2) -> str:
    """Return a number with a decimal point, and no more digits than it needs."""
    shown = f"{round(value, digits) + 0.0:.{digits}f}"
    return shown.rstrip("0").rstrip(".") if digits else shown


def kept_cell(text: str) -> str:
    """Return a cell of somebody else's table: as it is, but what would be a formula is text."""
    try:
        float(text.replace(",", "."))
    except ValueError:
        return text_cell(text) if looks_like_formula(text) and text.strip() != "-" else text
    return text


def sheet_text(header: Sequence[str], rows: Iterable[Sequence[str]], delimiter: str = ",") -> str:
    """Return a table as text, by RFC 4180."""
    return table_text(header, rows, delimiter, line_end="\r\n")


def read_sheet(path: Path) -> Sheet:
    """Return the table of a file whose first line names the columns.

    Raises:
        GraderError: it is no such file; the message says where.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise GraderError(
            f"{path} is not UTF-8. Take the file as it was downloaded, or save it as «CSV UTF-8»."
        ) from error
    first = text.partition("\n")[0]
    delimiter = max(DELIMITERS, key=first.count)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise GraderError(f"{path} is no table of comma-separated values: {error}.") from error
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    if not rows:
        raise GraderError(f"{path} is empty.")
    header, *below = rows
    for number, row in enumerate(below, start=2):
        if len(row) > len(header):
            raise GraderError(f"{path}: row {number} has {len(row)} cells; the header has {len(header)}.")
    padded = (tuple(row) + ("",) * (len(header) - len(row)) for row in below)
    return Sheet(tuple(cell.strip() for cell in header), tuple(padded), delimiter, tuple(header))
