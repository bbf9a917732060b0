"""``ExportOptions``: the options of an export; ``Export``: its result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from grader.errors import GraderError
from grader.reporting.exports.grades import AssignmentGrades, ClassGrades, FinalGrade, Person
from grader.reporting.exports.unplaced import Unplaced
from grader.reporting.spreadsheet import Sheet, number_cell


class ExportError(GraderError):
    """A table cannot be written as it was asked for; nothing is written."""


@dataclass(frozen=True)
class ExportOptions:
    """The options of an export.

    Attributes:
        missing_as_zero: whether what was not handed in counts as zero.
        match_by: by which identity the other system finds its students; empty for its usual one.
        columns: the other system's names of assignments, where they differ.
        out_of: points that scores are scaled to; None to leave them.
        roster: a table that the other system exported, to fill in.
        roster_name: what that is called in messages.
        only_listed: whether students with a score who are not in the roster are left out, and named.
        unplaced: by assignment, what `grader collect` could not place: its owners are not missing.
    """

    missing_as_zero: bool = False
    match_by: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    out_of: float | None = None
    roster: Sheet | None = None
    roster_name: str = "the roster"
    only_listed: bool = False
    unplaced: Mapping[str, Sequence[Unplaced]] = field(default_factory=dict)

    def points(self, assignment: AssignmentGrades) -> float:
        """Return what an assignment is worth in the table."""
        return assignment.max_score if self.out_of is None else self.out_of

    def score(self, assignment: AssignmentGrades, grade: FinalGrade) -> float | None:
        """Return the score to write; None for no grade.

        Raises:
            ExportError: an assignment that is worth nothing cannot be scaled.
        """
        if grade.status == "missing" and self.missing_as_zero:
            return 0.0
        return self.scaled(assignment, grade.score)

    def scaled(self, assignment: AssignmentGrades, points: float | None) -> float | None:
        """Return points of an assignment as they are written; None for none.

        Raises:
            ExportError: an assignment that is worth nothing cannot be scaled.
        """
        if points is None or self.out_of is None:
            return points
        if not assignment.max_score:
            raise ExportError(f"{assignment.name} is worth no points: it cannot be scaled.")
        return points * self.out_of / assignment.max_score

    def listed(self, grades: ClassGrades) -> list[Person]:
        """Return the students who have something to write: of the others nothing needs to be known."""
        return [
            person
            for person in grades.people
            if any(self.score(one, one.of(person.id)) is not None for one in grades.assignments)
        ]

    def cell(self, assignment: AssignmentGrades, grade: FinalGrade, nothing: str) -> str:
        """Return the cell of a score; ``nothing`` where there is none."""
        score = self.score(assignment, grade)
        return nothing if score is None else number_cell(score)


@dataclass(frozen=True)
class Export:
    """A table to write, and what the instructor should know of it, one sentence each."""

    text: str
    notes: tuple[str, ...] = ()
