"""What ``grader grade`` tells at its end."""

from collections import Counter
from dataclasses import replace

from rich.table import Column, Table
from rich.text import Text

from grader.grading.outcome import Outcome
from grader.grading.submissions import printable

# A larger class is shown by its errors alone.
SHOWN = 40


class Summary:
    """What is told at the end; of a large class not every student."""

    def __init__(self) -> None:
        self.statuses: Counter[str] = Counter()
        self.unchanged = 0
        self.rows: list[Outcome] = []
        self.errors: list[Outcome] = []

    def add(self, outcome: Outcome) -> None:
        """Take an outcome into account."""
        self.statuses[outcome.status] += 1
        self.unchanged += outcome.status != "missing" and not outcome.fresh
        slim = replace(outcome, exercises={})
        if len(self.rows) <= SHOWN:
            self.rows.append(slim)
        if outcome.status == "error":
            self.errors.append(slim)

    @property
    def total(self) -> int:
        """How many students there were."""
        return sum(self.statuses.values())

    def table(self) -> Table:
        """Return the table of students."""
        rows = self.rows if self.total <= SHOWN else self.errors
        table = Table("student", Column("score", justify="right"), "status", "notes", box=None)
        for one in sorted(rows, key=lambda row: row.student):
            said = " ".join(filter(None, (one.reason, *one.notes)))
            cells = (one.student, f"{one.score:g} of {one.max_score:g}", one.status, said)
            table.add_row(*(Text(printable(cell)) for cell in cells))
        return table

    def sentence(self) -> str:
        """Return the counts as one line."""
        counts = [f"{self.statuses[status]} {status}" for status in ("graded", "error", "missing")]
        return f"{self.total} students: {', '.join(counts)}; {self.unchanged} unchanged since the last time."
