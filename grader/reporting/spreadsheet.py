"""CSV for spreadsheets, which take some texts for formulas."""

import csv
import io
from collections.abc import Iterable, Sequence

# Characters that begin a formula, also in full width; a formula may run commands and load URLs.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


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
