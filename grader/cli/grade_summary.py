"""The summary that ``grader grade`` shows at its end."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from rich.table import Column, Table
from rich.text import Text

from grader.grading.folder import quoted
from grader.grading.student_result import StudentResult
from grader.grading.submissions import printable
from grader.reporting.graded import MOST_MISSING, missing_sentence, review_sentence

# Above this class size, only students with an error or waiting for points are shown, and so many with notes.
MAX_ROWS = 40


class Summary:
    """The summary; for a large class only the students whom a person has to check.

    Args:
        chapter: the assignment.
        order: by what students are sorted.
        names: what the roster calls them, by id.
    """

    def __init__(
        self,
        chapter: str = "",
        order: Callable[[str], object] = str,
        names: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.chapter, self.order, self.names = chapter, order, names
        self.statuses: Counter[str] = Counter()
        self.unchanged = self.rescored = 0
        self.words = 0
        self.rows: list[StudentResult] = []
        self.noted = 0
        self.unjudged: list[StudentResult] = []
        self.review: list[StudentResult] = []
        self.missing: list[StudentResult] = []
        self.late: list[StudentResult] = []
        self.decided_errors: list[StudentResult] = []

    def add(self, outcome: StudentResult) -> None:
        """Add a student's result."""
        self.statuses[outcome.status] += 1
        self.unchanged += outcome.status in ("graded", "error") and not outcome.fresh
        self.rescored += outcome.rescored
        self.words += outcome.waiting
        slim = replace(outcome, exercises={})
        if outcome.undecided:
            self.unjudged.append(slim)
        elif outcome.status == "error":
            self.decided_errors.append(slim)
        if outcome.review:
            self.review.append(slim)
        if outcome.penalty:
            self.late.append(slim)
        if outcome.status == "missing":
            self.missing.append(slim)
        self.noted += bool(outcome.notes)
        urgent = outcome.undecided or outcome.review or outcome.status == "error"
        if self.total <= MAX_ROWS or urgent or (outcome.notes and self.noted <= MAX_ROWS):
            self.rows.append(slim)

    @property
    def total(self) -> int:
        """How many students there were."""
        return sum(self.statuses.values())

    @property
    def many_missing(self) -> bool:
        """Whether only the number is shown of those who handed in nothing."""
        return len(self.missing) > MOST_MISSING

    def table(self) -> Table:
        """Return the table of students."""
        rows = self.rows
        if self.total > MAX_ROWS:
            rows = [one for one in rows if one.notes or one.undecided or one.review or one.status == "error"]
        elif self.many_missing:
            rows = [one for one in rows if one.status != "missing" or one.notes]
        table = Table(
            Column("student", overflow="fold"), Column("score", justify="right"), "status", "notes", box=None
        )
        for one in self._sorted(rows):
            said = " ".join(filter(None, (one.reason, *one.notes)))
            waits = f", {one.waiting} waits for a person" if one.waiting else ""
            score = "?" if one.score is None else f"{one.score:g}"
            review = ", to review" if one.review else ""
            late = f", {one.penalty:g} off for being late" if one.penalty else ""
            cells = (f"{score} of {one.max_score:g}{late}{waits}{review}", one.status, said)
            name = printable(self.names.get(one.student, ""))
            student = f"{quoted(one.student)} ({name})" if name else quoted(one.student)
            table.add_row(Text(student), *(Text(printable(cell)) for cell in cells))
        return table

    def sentences(self) -> Iterator[str]:
        """Yield the counts, and by name whose work a person has to look at."""
        counts = [f"{self.statuses[status]} {status}" for status in ("graded", "error", "missing")]
        counts += [f"{self.statuses['gone']} gone"] if self.statuses["gone"] else []
        handed_in = f"{self.unchanged} unchanged since the last time"
        if self.rescored:
            handed_in += f", and a decision for the whole class changed the score of {self.rescored} of them"
        yield f"{self.total} student{'s' * (self.total != 1)}: {', '.join(counts)}; {handed_in}."
        if self.words:
            answers = "1 answer in words waits" if self.words == 1 else f"{self.words} answers in words wait"
            yield f"{answers} for a person: formgrader, Manual Grading."
        if self.total > MAX_ROWS and self.noted > MAX_ROWS:
            yield f"{self.noted} have notes; grader report --html shows them all."
        if self.many_missing or (self.total > MAX_ROWS and self.missing):
            yield missing_sentence(self.chapter, self._called(self.missing))
        if self.unjudged:
            yield (
                "Without a score, to be graded by hand in formgrader or handed in again: "
                f"{self._names(self.unjudged)}."
            )
        if self.decided_errors:
            yield f"In error, with all points given by a person: {self._names(self.decided_errors)}."
        if self.total > MAX_ROWS and self.late:
            yield f"Points off for being late: {self._names(self.late)}."
        if self.review:
            yield review_sentence({quoted(one.student): one.review for one in self._sorted(self.review)})

    def _sorted(self, outcomes: list[StudentResult]) -> list[StudentResult]:
        return sorted(outcomes, key=lambda one: self.order(one.student))

    def _called(self, outcomes: list[StudentResult]) -> list[str]:
        return [quoted(one.student) for one in self._sorted(outcomes)]

    def _names(self, outcomes: list[StudentResult]) -> str:
        return ", ".join(self._called(outcomes))


def due_sentence(chapter: str, due: str, late: int, timed: int) -> str:
    """Return the due date that is gone by, and how many submissions are late by it.

    Args:
        chapter: the assignment.
        due: its date, as people read it.
        late: how many submissions are late.
        timed: of how many the time is known.
    """
    if not timed:
        return f"Due {due}; no time of submission is known, so nothing is late."
    asked = f" Is the date right? To change it: grader due {chapter} TIME" if 2 * late > timed else ""
    return f"Due {due}: {late} of {timed} with a known time came late.{asked}"
