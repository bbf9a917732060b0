"""Read what the gradebook stores for an assignment, in a few queries; nbgrader's API makes one per cell."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    GradeCell,
    Notebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
)
from sqlalchemy import ColumnElement, and_, case, inspect
from sqlalchemy.orm import Query, Session

from grader.gradebook.connection import is_there, open_session

# What nbgrader calls the cells that have a grade, and those that have a comment.
DECIDED, COMMENTED = ("GradeCell", "TaskCell"), ("SolutionCell", "TaskCell")


@dataclass(frozen=True)
class StoredScore:
    """The stored score of one graded cell; None for values that were not given.

    Attributes:
        auto: the autograder's score.
        manual: the manual score from formgrader, which counts instead.
        extra: extra credit.
        review: whether the manual score is for an earlier answer, and nobody has confirmed it since.
    """

    auto: float | None = None
    manual: float | None = None
    extra: float | None = None
    review: bool = False

    @property
    def by_hand(self) -> bool:
        """Whether there is a manual score or extra credit, which grading never overwrites."""
        return self.manual is not None or bool(self.extra)

    @property
    def points(self) -> float | None:
        """The final score as nbgrader computes it; None if it is undecided."""
        given = self.auto if self.manual is None else self.manual
        return None if given is None else given + (self.extra or 0.0)


@dataclass(frozen=True)
class StoredSubmission:
    """The stored scores, penalty and comments of one submission.

    Attributes:
        timestamp: when it was handed in (UTC), if that is known.
        scores: by ``grade_id``.
        penalty: points taken off for being late.
        comments: what a person wrote in formgrader, by ``grade_id`` of the cell that it is about.
    """

    timestamp: datetime | None = None
    scores: Mapping[str, StoredScore] = field(default_factory=dict)
    penalty: float = 0.0
    comments: Mapping[str, str] = field(default_factory=dict)

    @property
    def mark(self) -> str:
        """A digest of manual scores, comments and the late penalty; empty if there are none."""
        given = {
            name: (one.manual, one.extra, *(["review"] if one.review else []))
            for name, one in self.scores.items()
            if one.by_hand
        }
        if not (given or self.comments or self.penalty):
            return ""
        parts = json.dumps([given, dict(self.comments), self.penalty], sort_keys=True)
        return hashlib.sha256(parts.encode()).hexdigest()

    @property
    def to_review(self) -> tuple[str, ...]:
        """The ``grade_id`` of each score by hand that was given for an earlier answer."""
        return tuple(sorted(name for name, one in self.scores.items() if one.review))

    def agrees(self, scores: Mapping[str, float | None], timestamp: datetime | None) -> bool:
        """Return whether these are the stored automatic scores (by ``grade_id``) and time of submission."""
        return self.timestamp == timestamp and scores == {name: one.auto for name, one in self.scores.items()}

    @property
    def score(self) -> float:
        """The total: points of all graded cells minus the penalty; never below zero."""
        return max(0.0, round(self.points(self.scores) - self.penalty, 9))

    def points(self, cells: Iterable[str]) -> float:
        """Return the sum of some cells' points; undecided ones count zero."""
        return sum(self.scores.get(name, StoredScore()).points or 0.0 for name in cells)


@dataclass(frozen=True)
class StoredGrades:
    """All stored scores of an assignment.

    Attributes:
        known: whether it knows the assignment.
        students: the ids of all students of the course.
        names: what the roster calls those of whom it has a name, by id.
        points: points to earn, by ``grade_id`` of the cells that grading decides.
        tasks: points to earn, by ``grade_id`` of the cells that a person decides.
        submissions: by student.
    """

    known: bool = False
    students: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    points: Mapping[str, float] = field(default_factory=dict)
    tasks: Mapping[str, float] = field(default_factory=dict)
    submissions: Mapping[str, StoredSubmission] = field(default_factory=dict)


def assignments_with_submissions(url: str) -> frozenset[str]:
    """Return the names of the assignments of which the gradebook holds a submission.

    Raises:
        GradebookError: it is missing or cannot be read.
    """
    with open_session(url) as session:
        found = session.query(Assignment.name).join(SubmittedAssignment).distinct()
        return frozenset(name for (name,) in found)


def due_dates(url: str) -> dict[str, datetime | None]:
    """Return the due date (UTC) of each assignment, None where it has none; nothing without a gradebook.

    Raises:
        GradebookError: it cannot be read.
    """
    if not is_there(url):
        return {}
    with open_session(url) as session:
        return dict(session.query(Assignment.name, Assignment.duedate).all())


def handed_in_late(url: str, assignment: str) -> tuple[int, int]:
    """Return how many submissions are late, and of how many the time is known; extensions count.

    Raises:
        GradebookError: it cannot be read.
    """
    with open_session(url) as session:
        asked = session.query(
            SubmittedAssignment.timestamp, SubmittedAssignment.extension, Assignment.duedate
        ).join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        known = asked.filter(Assignment.name == assignment, SubmittedAssignment.timestamp.is_not(None)).all()
    late = sum(due is not None and at > due + (more or timedelta(0)) for at, more, due in known)
    return late, len(known)


def scored_students(url: str, assignment: str) -> frozenset[str]:
    """Return the students of whom an assignment has a score; nobody without a gradebook.

    Raises:
        GradebookError: it cannot be read.
    """
    if not is_there(url):
        return frozenset()
    with open_session(url) as session:
        rows = (
            _of_assignment(session.query(SubmittedAssignment.student_id), assignment)
            .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
            .filter(Grade.auto_score.is_not(None) | Grade.manual_score.is_not(None))
            .distinct()
        )
        return frozenset(name for (name,) in rows)


def known_students(url: str) -> tuple[str, ...]:
    """Return the names of all students in the gradebook; nobody without one.

    Raises:
        GradebookError: it cannot be read.
    """
    if not is_there(url):
        return ()
    with open_session(url) as session:
        return tuple(sorted(name for (name,) in session.query(Student.id)))


def student_names(url: str) -> dict[str, str]:
    """Return what the roster calls its students, by id, as far as it has names; nobody without a gradebook.

    Raises:
        GradebookError: it cannot be read.
    """
    if not is_there(url):
        return {}
    with open_session(url) as session:
        return _names(session) if inspect(session.connection()).has_table(Student.__tablename__) else {}


def _names(session: Session) -> dict[str, str]:
    rows = session.query(Student.id, Student.first_name, Student.last_name)
    named = ((key, " ".join(filter(None, (first, last)))) for key, first, last in rows)
    return {key: name for key, name in named if name.strip()}


def read_stored_grades(url: str, assignment: str) -> StoredGrades:
    """Return all stored scores of an assignment.

    Raises:
        GradebookError: it is missing or cannot be read.
    """
    with open_session(url) as session:
        if not inspect(session.connection()).has_table(Grade.__tablename__):
            return StoredGrades()
        return StoredGrades(
            known=session.query(Assignment).filter_by(name=assignment).first() is not None,
            # Sorted here, for databases differ in the order of names.
            students=tuple(sorted(name for (name,) in session.query(Student.id))),
            names=_names(session),
            points=_points(session, GradeCell, assignment),
            tasks=_points(session, TaskCell, assignment),
            submissions=held_submissions(session, assignment),
        )


def read_stored_submission(url: str, assignment: str, student: str) -> StoredSubmission:
    """Return the stored scores of one submission; empty if it is not in the gradebook.

    Raises:
        GradebookError: it is missing or cannot be read.
    """
    with open_session(url) as session:
        found = held_submissions(session, assignment, SubmittedAssignment.student_id == student)
        return found.get(student, StoredSubmission())


def _points(session: Session, kind: type, assignment: str) -> dict[str, float]:
    rows = session.query(kind.name, kind.max_score).join(Notebook, kind.notebook_id == Notebook.id)
    return dict(
        rows.join(Assignment, Assignment.id == Notebook.assignment_id)
        .filter(Assignment.name == assignment, Notebook.name == assignment)
        .all()
    )


def held_submissions(session: Session, assignment: str, *which: ColumnElement) -> dict[str, StoredSubmission]:
    """Return what an open gradebook holds of an assignment, by student.

    Grades and comments are joined on the cell and the notebook, for these two together are their index.
    """
    comments = _comments(session, assignment, *which)
    asked = session.query(
        SubmittedAssignment.student_id,
        SubmittedAssignment.timestamp,
        SubmittedNotebook.late_submission_penalty,
        case((Grade.id.is_not(None), BaseCell.name)),
        *(Grade.auto_score, Grade.manual_score, Grade.extra_credit),
        and_(Grade.needs_manual_grade, Grade.manual_score.is_not(None)),
    )
    rows = (
        _of_assignment(asked, assignment, *which)
        .outerjoin(BaseCell, and_(BaseCell.notebook_id == Notebook.id, BaseCell.type.in_(DECIDED)))
        .outerjoin(Grade, and_(Grade.cell_id == BaseCell.id, Grade.notebook_id == SubmittedNotebook.id))
    )
    found: dict[str, StoredSubmission] = {}
    for student, timestamp, penalty, name, *scores in rows:
        said = comments.get(student, {})
        held = found.setdefault(student, StoredSubmission(timestamp, {}, penalty or 0.0, said))
        if name is not None:
            *points, review = scores
            held.scores[name] = StoredScore(*points, bool(review))
    return found


def _of_assignment(asked: Query, assignment: str, *which: ColumnElement) -> Query:
    """Return what is asked of an assignment's submissions, each with its notebook."""
    return (
        asked.select_from(SubmittedNotebook)
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
        .filter(Assignment.name == assignment, Notebook.name == assignment, *which)
    )


def _comments(session: Session, assignment: str, *which: ColumnElement) -> dict[str, dict[str, str]]:
    """Return what a person wrote, by student and cell; formgrader keeps an emptied comment as no text."""
    asked = session.query(SubmittedAssignment.student_id, BaseCell.name, Comment.manual_comment)
    rows = (
        _of_assignment(asked, assignment, *which)
        .join(BaseCell, and_(BaseCell.notebook_id == Notebook.id, BaseCell.type.in_(COMMENTED)))
        # An outer join: else SQLite begins with all comments that there are.
        .outerjoin(Comment, and_(Comment.cell_id == BaseCell.id, Comment.notebook_id == SubmittedNotebook.id))
    )
    found: dict[str, dict[str, str]] = {}
    for student, name, text in rows:
        if text and text.strip():
            found.setdefault(student, {})[name] = text
    return found
