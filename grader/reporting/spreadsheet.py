"""CSV for spreadsheets, which take some texts for formulas."""

import csv
import io
from collections.abc import Iterable, Sequence

# Characters that begin a formula, also in full width; a formula may run commands and load URLs.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def looks_like_formula(text: str) -> bool:
    """Return whether a spreadsheet would calculate a text; it ignores blanks at the beginning."""
    return text.startswith(FORMULA) or text.lstrip().startswith(FORMULA)


def cell_text(value: object) -> object:
    """Return a value as a cell can hold it: a text that would be a formula gets an apostrophe before it."""
    if value is None:
        return ""
    if isinstance(value, str) and looks_like_formula(value):
        return f"'{value}"
    return value


def as_csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV, the names of the columns first."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([cell_text(value) for value in row] for row in rows)
    return text.getvalue()
