"""Read final grades from nbgrader's gradebook: with manual grades, extra credit and late penalties."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from nbgrader.api import (
    Assignment,
    Grade,
    GradeCell,
    Notebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy.orm import Session

from grader.course.notebooks import check_id
from grader.errors import GraderError
from grader.exercises import EXERCISES, QUESTIONS
from grader.gradebook.connection import open_session
from grader.gradebook.order import place_of

# Which exercise a cell checks.
CHECKED = {check_id(one): name for name, one in (EXERCISES | QUESTIONS).items()}
Status = Literal["graded", "review", "waiting", "ungraded", "missing"]


@dataclass(frozen=True)
class Person:
    """A student, as nbgrader knows them; what it does not know is empty."""

    id: str
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    lms_user_id: str = ""

    @property
    def sortable_name(self) -> str:
        """The name, the family's first; the id where there is none."""
        return ", ".join(filter(None, (self.last_name, self.first_name))) or self.id


def by_name(people: Iterable[Person]) -> list[Person]:
    """Return students as people sort them: by name, whatever accents and capitals it has, then by id."""
    return sorted(people, key=lambda one: place_of(one.id, one.first_name, one.last_name))


@dataclass(frozen=True)
class FinalGrade:
    """A student's final grade in one assignment.

    Attributes:
        status: ``graded``; ``review``, where nbgrader wants a person to look again; ``waiting``, where an
            answer in words has no score yet, and the score is that of the rest; ``ungraded``, where another
            part has no score yet; ``missing``, where nothing was handed in.
        score: points, late penalty taken off; None where ``ungraded`` or ``missing``.
        late_penalty: points taken off.
        parts: points by exercise; None where there is no score yet. What counts for nobody is not in it.
    """

    status: Status
    score: float | None = None
    late_penalty: float = 0.0
    parts: Mapping[str, float | None] = field(default_factory=dict)


MISSING = FinalGrade("missing")


@dataclass(frozen=True)
class AssignmentGrades:
    """One assignment: what it is worth, its exercises, and the students' grades."""

    name: str
    max_score: float
    parts: tuple[str, ...]
    by_student: Mapping[str, FinalGrade]

    def of(self, student: str) -> FinalGrade:
        """Return a student's grade."""
        return self.by_student.get(student, MISSING)


@dataclass(frozen=True)
class ClassGrades:
    """The students, in the order of their names, and the assignments asked for."""

    people: tuple[Person, ...]
    assignments: tuple[AssignmentGrades, ...]

    def without(self, students: Iterable[str]) -> "ClassGrades":
        """Return the same without some students.

        Raises:
            GraderError: one of them is not there.
        """
        left_out = frozenset(students)
        if unknown := left_out - {person.id for person in self.people}:
            raise GraderError(f"The gradebook has no student {', '.join(sorted(unknown))}.")
        kept = tuple(person for person in self.people if person.id not in left_out)
        return ClassGrades(kept, self.assignments)


def open_grades(url: str, assignments: Sequence[str]) -> ClassGrades:
    """Return the grades that a gradebook holds; nothing is written to it.

    Raises:
        GraderError: it cannot be read, or has no such assignment.
    """
    with open_session(url) as session:
        return read_grades(session, assignments)


def read_grades(session: Session, assignments: Sequence[str]) -> ClassGrades:
    """Return the grades of an open gradebook.

    Raises:
        GraderError: it has no such assignment.
    """
    known = dict(session.query(Assignment.name, Assignment.max_score).order_by(Assignment.name).all())
    if unknown := [name for name in assignments if name not in known]:
        raise GraderError(
            f"The gradebook has no assignment {', '.join(unknown)}; it has: {', '.join(known) or 'none'}. "
            "Run `grader grade` first."
        )
    columns = (Student.id, Student.first_name, Student.last_name, Student.email, Student.lms_user_id)
    people = [Person(*(value or "" for value in row)) for row in session.query(*columns)]
    names = dict.fromkeys(assignments)
    return ClassGrades(
        tuple(by_name(people)), tuple(_assignment(session, name, known[name]) for name in names)
    )


def _assignment(session: Session, name: str, max_score: float) -> AssignmentGrades:
    parts, left_out = _parts(session, name), _worth_nothing(session, name)
    totals = session.query(
        SubmittedAssignment.student_id,
        SubmittedAssignment.score,
        SubmittedAssignment.late_submission_penalty,
        SubmittedAssignment.needs_manual_grade,
    )
    rows = totals.join(Assignment, Assignment.id == SubmittedAssignment.assignment_id).filter(
        Assignment.name == name
    )
    grades = {student: _final(*figures, parts.get(student, {}), left_out) for student, *figures in rows}
    order = dict.fromkeys(part for held in parts.values() for part in held)
    return AssignmentGrades(name, max_score, _in_order(order), grades)


def _in_order(parts: Iterable[str]) -> tuple[str, ...]:
    """Return the course's exercises in their order, then what else is graded, by name."""
    places = {name: place for place, name in enumerate((*EXERCISES, *QUESTIONS))}
    return tuple(sorted(parts, key=lambda part: (places.get(part, len(places)), part)))


def _worth_nothing(session: Session, name: str) -> frozenset[str]:
    """Return the exercises that count in nobody's points, as one does that a decision leaves out."""
    cells = session.query(GradeCell.name, GradeCell.max_score).join(
        Notebook, Notebook.id == GradeCell.notebook_id
    )
    cells = cells.join(Assignment, Assignment.id == Notebook.assignment_id).filter(Assignment.name == name)
    return frozenset(CHECKED.get(cell, cell) for cell, most in cells if not most)


def _parts(session: Session, name: str) -> dict[str, dict[str, float | None]]:
    """Return each student's points by exercise; by nbgrader's name of a cell that checks no exercise."""
    rows = (
        session.query(
            SubmittedAssignment.student_id, GradeCell.name, Grade.score, Grade.auto_score, Grade.manual_score
        )
        .select_from(Grade)
        .join(GradeCell, GradeCell.id == Grade.cell_id)
        .join(SubmittedNotebook, SubmittedNotebook.id == Grade.notebook_id)
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .filter(Assignment.name == name)
    )
    parts: dict[str, dict[str, float | None]] = {}
    for student, cell, score, automatic, manual in rows:
        decided = automatic is not None or manual is not None  # else nbgrader's score is zero
        parts.setdefault(student, {})[CHECKED.get(cell, cell)] = score if decided else None
    return parts


def _final(
    score: float, penalty: float, review: bool, parts: Mapping[str, float | None], left_out: frozenset[str]
) -> FinalGrade:
    undecided = {name for name, points in parts.items() if points is None}
    # Points that somebody gave by hand for what is left out stay, and count.
    shown = {name: points for name, points in parts.items() if points or name not in left_out}
    if not parts or undecided - QUESTIONS.keys():
        return FinalGrade("ungraded", None, penalty, shown)
    if undecided:
        return FinalGrade("waiting", max(0.0, score - penalty), penalty, shown)
    # nbgrader's rule: a penalty takes nobody below zero.
    return FinalGrade("review" if review else "graded", max(0.0, score - penalty), penalty, shown)
