"""Make the gradebook entry of a record: scores, and comments as nbgrader's feedback renders them."""

import json
import re
from datetime import datetime

from nbformat import NotebookNode
from nbformat.v4 import to_notebook
from nbgrader.utils import compute_checksum

from grader.course.notebooks import check_id
from grader.exercises import find_part
from grader.gradebook.writer import Entry
from grader.grading.record import Record

# nbgrader's own comment on a cell that was left as it was released.
NO_RESPONSE = "No response."
# Signs that Markdown or HTML act on; an underscore inside a name is none. A line of = or - makes a heading of
# the one before it, a colon at its beginning a definition.
MARKUP = re.compile(r"[<>&`*#\\|~]|(?<![^\W_])_|_(?![^\W_])|^(?=[=-]+ *$)[=-]|^:", re.MULTILINE)
# A bracket at the beginning of a line may say where links lead; one behind another is where one leads.
BEGINNING = re.compile(r"^[\W\d]+", re.MULTILINE)
LINK = re.compile(r"\](?=[(\[])")
# What begins a formula or an address, once entities are characters again. A space without width ends it.
STARTS = re.compile(r"(?<=\\)(?=[(\[]|begin)|(?<=:)(?=//)")
NO_WIDTH = "\u200b"
DOLLAR = str.maketrans({"$": "\uff04", "\r": " "})  # the first: a dollar sign that begins no formula


def _as_markdown(message: str) -> str:
    """Escape a message for nbgrader's feedback, which renders comments as Markdown with HTML.

    Only what Markdown or HTML would interpret is escaped, because formgrader shows comments literally.
    """
    text = STARTS.sub(NO_WIDTH, message.translate(DOLLAR))
    text = MARKUP.sub(lambda found: f"&#{ord(found[0])};", text)
    text = BEGINNING.sub(lambda found: found[0].replace("[", "&#91;"), text)
    return LINK.sub("] ", text)


def cell_comment(cell: NotebookNode, record: Record) -> str | None:
    """Return the automatic comment on a cell that a learner writes in."""
    if cell.metadata.nbgrader.get("checksum") == compute_checksum(cell):
        return NO_RESPONSE
    verdict = record.exercises.get(cell.metadata.nbgrader["grade_id"])
    return _as_markdown(verdict.message) if verdict and verdict.status in ("failed", "error") else None


def gradebook_scores(record: Record) -> dict[str, float | None]:
    """Return the points of each graded cell; None where a person has to decide."""
    return {check_id(find_part(name)): one.points for name, one in record.exercises.items()}


def gradebook_entry(record: Record, timestamp: datetime | None = None) -> Entry:
    """Return the gradebook entry of a record."""
    scores = gradebook_scores(record)
    if record.status == "error":
        return Entry(scores, dict.fromkeys(record.exercises, _as_markdown(record.reason)), timestamp)
    # Only few of the cells hold an answer: making a notebook of all takes ten times as long.
    graded = json.loads(record.notebook)
    graded["cells"] = [
        cell for cell in graded["cells"] if cell["metadata"].get("nbgrader", {}).get("solution")
    ]
    comments = {
        cell.metadata.nbgrader.grade_id: cell_comment(cell, record) for cell in to_notebook(graded).cells
    }
    return Entry(scores, comments, timestamp)
