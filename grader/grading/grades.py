"""Read nbgrader's gradebook, in a few queries and without writing: nbgrader's API asks for each cell."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.api import (
    Assignment,
    BaseCell,
    Grade,
    GradeCell,
    Notebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
)
from sqlalchemy import create_engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from grader.errors import GraderError


@dataclass(frozen=True)
class CellGrade:
    """What the gradebook holds for one cell of one submission; None for what was not given."""

    auto: float | None
    manual: float | None
    extra: float | None

    @property
    def by_hand(self) -> bool:
        """Whether a person gave something."""
        return self.manual is not None or bool(self.extra)

    @property
    def points(self) -> float | None:
        """What counts: what a person gave wins, extra credit is added; None where nobody has decided."""
        given = self.auto if self.manual is None else self.manual
        return None if given is None else given + (self.extra or 0.0)


@dataclass(frozen=True)
class SubmissionGrades:
    """What the gradebook holds of one submission: grades by ``grade_id``, and the penalty for being late."""

    cells: Mapping[str, CellGrade] = field(default_factory=dict)
    penalty: float = 0.0


@dataclass(frozen=True)
class AssignmentGrades:
    """What the gradebook holds of one assignment.

    Attributes:
        max_points: by ``grade_id``.
        students: all of the course, whatever they handed in.
        submissions: by student.
    """

    max_points: Mapping[str, float]
    students: tuple[str, ...]
    submissions: Mapping[str, SubmissionGrades]


@contextmanager
def _reading(url: str) -> Iterator[Session]:
    """Open a gradebook that is there.

    Raises:
        GraderError: it is not, or cannot be read.
    """
    place = make_url(url)
    file = place.database if place.get_backend_name() == "sqlite" else None
    if file and not Path(file).is_file():
        raise GraderError(f"{file} is missing: nothing is graded in this course yet.")
    engine = create_engine(url, future=True)
    try:
        with Session(engine) as session:
            yield session
    except SQLAlchemyError as error:
        reason = getattr(error, "orig", None) or type(error).__name__
        raise GraderError(f"The gradebook {place} cannot be read: {reason}") from error
    finally:
        engine.dispose()


def assignments_with_submissions(url: str) -> frozenset[str]:
    """Return the names of the assignments of which the gradebook holds a submission.

    Raises:
        GraderError: the gradebook is missing or cannot be read.
    """
    with _reading(url) as session:
        found = session.query(Assignment.name).join(SubmittedAssignment).distinct()
        return frozenset(name for (name,) in found)


def read_grades(url: str, assignment: str) -> AssignmentGrades:
    """Return what a gradebook holds of an assignment.

    Raises:
        GraderError: the gradebook is missing or cannot be read, or has no such assignment.
    """
    with _reading(url) as session:
        if session.query(Assignment).filter_by(name=assignment).first() is None:
            raise GraderError(
                f"The gradebook {make_url(url)} has no assignment {assignment}. "
                f"Grade it first: `grader grade {assignment}`."
            )
        most = {
            name: points
            for kind in (GradeCell, TaskCell)
            for name, points in session.query(kind.name, kind.max_score)
            .join(Notebook, kind.notebook_id == Notebook.id)
            .join(Assignment, Assignment.id == Notebook.assignment_id)
            .filter(Assignment.name == assignment)
        }
        students = tuple(name for (name,) in session.query(Student.id).order_by(Student.id))
        return AssignmentGrades(most, students, _submissions(session, assignment))


def _submissions(session: Session, assignment: str) -> dict[str, SubmissionGrades]:
    cells: dict[str, dict[str, CellGrade]] = defaultdict(dict)
    rows = (
        session.query(
            SubmittedAssignment.student_id,
            BaseCell.name,
            Grade.auto_score,
            Grade.manual_score,
            Grade.extra_credit,
        )
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
        .join(BaseCell, BaseCell.id == Grade.cell_id)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .filter(Assignment.name == assignment)
    )
    for student, cell, *scores in rows:
        cells[student][cell] = CellGrade(*scores)
    penalties: dict[str, float] = {}
    notebooks = (
        session.query(SubmittedAssignment.student_id, SubmittedNotebook.late_submission_penalty)
        .outerjoin(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .filter(Assignment.name == assignment)
    )
    for student, penalty in notebooks:
        penalties[student] = penalties.get(student, 0.0) + (penalty or 0.0)
    return {student: SubmissionGrades(cells.get(student, {}), lost) for student, lost in penalties.items()}
