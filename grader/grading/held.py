"""What nbgrader's gradebook holds of an assignment, read without changing a byte of it.

Opening it as nbgrader does, or to write, would make tables and tell it the assignment as it is now.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

from nbgrader.api import (
    Assignment,
    BaseCell,
    Grade,
    GradeCell,
    Notebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy import create_engine, inspect
from sqlalchemy.engine import Engine, make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from grader.grading.gradebook import PATIENCE, GradebookError


@dataclass(frozen=True)
class HeldScore:
    """What the gradebook holds of one check cell; ``manual`` is what a person gave in formgrader."""

    auto: float | None
    manual: float | None = None
    extra: float | None = None

    @property
    def by_hand(self) -> bool:
        """Whether a person has decided the score, which grading leaves as it is."""
        return self.manual is not None

    @property
    def final(self) -> float:
        """The points that count, as nbgrader has it."""
        return (self.manual if self.by_hand else self.auto or 0.0) + (self.extra or 0.0)


@dataclass(frozen=True)
class HeldSubmission:
    """What the gradebook holds of one submission: when it was handed in, and scores by check cell."""

    timestamp: datetime | None
    scores: Mapping[str, HeldScore]


@dataclass(frozen=True)
class HeldGrades:
    """What the gradebook holds.

    Attributes:
        students: the names of all students.
        points: points to earn, by check cell, as the gradebook was told them last; empty where it does not
            know the assignment.
        submissions: by student.
    """

    students: tuple[str, ...] = ()
    points: Mapping[str, float] = field(default_factory=dict)
    submissions: Mapping[str, HeldSubmission] = field(default_factory=dict)


def read_held(url: str, assignment: str) -> HeldGrades:
    """Return what a gradebook holds of an assignment: nothing where there is no gradebook yet.

    Raises:
        GradebookError: it cannot be read.
    """
    place = make_url(url)
    if place.get_backend_name() == "sqlite" and not Path(place.database or "").is_file():
        return HeldGrades()
    try:
        with _reading(url) as session:
            if not inspect(session.connection()).has_table(Grade.__tablename__):
                return HeldGrades()
            return _read(session, assignment)
    except DBAPIError as error:
        raise GradebookError(f"The gradebook {url}: {error.orig}") from error


@contextmanager
def _reading(url: str) -> Iterator[Session]:
    """Open a database so that nothing can be written to it."""
    engine = _sqlite_reader(url) if make_url(url).get_backend_name() == "sqlite" else create_engine(url)
    try:
        with Session(engine) as session:
            yield session
    finally:
        engine.dispose()


def _sqlite_reader(url: str) -> Engine:
    # Not opened as read-only: SQLite has to be able to undo what a killed program left half done.
    address = f"file:{quote(str(Path(make_url(url).database).absolute()))}?mode=rw"

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(address, uri=True, timeout=PATIENCE)
        connection.execute("PRAGMA query_only = ON")
        return connection

    return create_engine("sqlite://", creator=connect)


def _read(session: Session, assignment: str) -> HeldGrades:
    ours = (Assignment.name == assignment, Notebook.name == assignment)
    points = (
        session.query(GradeCell.name, GradeCell.max_score)
        .join(Notebook, GradeCell.notebook_id == Notebook.id)
        .join(Assignment, Assignment.id == Notebook.assignment_id)
        .filter(*ours)
    )
    rows = (
        session.query(
            *(SubmittedAssignment.student_id, SubmittedAssignment.timestamp, BaseCell.name),
            *(Grade.auto_score, Grade.manual_score, Grade.extra_credit),
        )
        .select_from(SubmittedNotebook)
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
        .outerjoin(Grade, Grade.notebook_id == SubmittedNotebook.id)
        .outerjoin(BaseCell, BaseCell.id == Grade.cell_id)
        .filter(*ours)
    )
    submissions: dict[str, HeldSubmission] = {}
    for student, timestamp, name, *scores in rows:
        held = submissions.setdefault(student, HeldSubmission(timestamp, {}))
        if name is not None:
            held.scores[name] = HeldScore(*scores)
    students = tuple(name for (name,) in session.query(Student.id).order_by(Student.id))
    return HeldGrades(students, dict(points.all()), submissions)
