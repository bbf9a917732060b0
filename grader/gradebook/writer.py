"""Write the scores of one assignment to nbgrader's gradebook, many submissions in one transaction."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from nbformat import NotebookNode
from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    GradeCell,
    MissingEntry,
    Notebook,
    SourceCell,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.orm import Session, contains_eager
from traitlets.config import Config

from grader.course.paths import CoursePaths
from grader.gradebook.connection import PATIENCE
from grader.gradebook.extensions import read_extensions
from grader.gradebook.lateness import late_rule, penalize, update_penalties
from grader.gradebook.stored import StoredSubmission, held_submissions
from grader.gradebook.transactions import WritableGradebook
from grader.private_api.nbgrader import Registration, add_submissions


@dataclass(frozen=True)
class Entry:
    """The gradebook entry of one submission.

    Attributes:
        scores: points by the ``grade_id`` of the check cell; None where a person has to decide.
        comments: the automatic comment by the ``grade_id`` of the cell that it is about; None for no comment.
        timestamp: when it was handed in (UTC), if that is known.
        same_answers: by ``grade_id`` of the check cell, unchanged answers: a manual score stays valid.
    """

    scores: Mapping[str, float | None]
    comments: Mapping[str, str | None]
    timestamp: datetime | None = None
    same_answers: frozenset[str] = frozenset()


class ClassGradebook:
    """One assignment in nbgrader's gradebook."""

    def __init__(
        self,
        directory: CourseDirectory,
        config: Config,
        assignment: str,
        released: NotebookNode,
        patience: float = PATIENCE,
    ) -> None:
        """Open the gradebook, and register the assignment if it is missing or has changed.

        Args:
            directory: nbgrader's view of the course; names the database.
            config: nbgrader's configuration.
            assignment: name of the assignment, which is that of its notebook too.
            released: the notebook as students got it, with nbgrader's checksums.
            patience: seconds to wait for a gradebook that others keep locked.

        Raises:
            GraderError: the course's extensions cannot be read.
            GradebookError: it cannot be opened, the assignment's cells cannot be exchanged any more, or the
                course's rule for handing in late cannot be used.
        """
        self.url = directory.db_url
        self.assignment = assignment
        self._config = config
        late_rule(config)  # before anything is graded
        self._creates_students = config.Autograde.get("create_student", True)
        self._gradebook = WritableGradebook(self.url, directory.course_id, patience)
        try:
            self._begin(released, CoursePaths(Path(directory.root)))
        except BaseException:
            self.close()
            raise

    def _begin(self, released: NotebookNode, paths: CoursePaths) -> None:
        """Register the assignment, bring penalties up to date, and read what is held of it."""

        def register(gradebook: Gradebook, session: Session) -> None:
            if _known(session, self.assignment) != _cells(released):
                Registration().register(gradebook, self.assignment, released)

        def read(_: Gradebook, session: Session) -> tuple[dict[str, StoredSubmission], dict[str, str]]:
            cells = session.query(BaseCell.id, BaseCell.name).join(Notebook).join(Assignment)
            named = cells.filter(Assignment.name == self.assignment)
            return held_submissions(session, self.assignment), dict(named.all())

        self._gradebook.change(register)
        self._extensions = read_extensions(paths.extensions)
        # Due dates, extensions and scores by hand may have changed.
        self._gradebook.change(
            lambda _, session: update_penalties(session, self.assignment, self._extensions, self._config)
        )
        self._before, self._names = self._gradebook.change(read)

    def students(self) -> list[str]:
        """Return the names of all students in the gradebook."""
        return self._gradebook.change(
            lambda _, session: sorted(name for (name,) in session.query(Student.id))
        )

    def before(self, student: str) -> StoredSubmission | None:
        """Return what was stored for a student when the gradebook was opened; None if nothing was."""
        return self._before.get(student)

    def record(self, entries: Mapping[str, Entry]) -> dict[str, StoredSubmission]:
        """Record submissions in one transaction, as nbgrader's autograde would; return what is stored then.

        Manual scores, extra credit and comments from formgrader are kept.

        Args:
            entries: by student.

        Raises:
            GradebookError: they cannot be written; the gradebook is as it was before.
        """
        return self._gradebook.change(lambda _, session: self._record(session, entries)) if entries else {}

    def _record(self, session: Session, entries: Mapping[str, Entry]) -> dict[str, StoredSubmission]:
        there = self._submitted(session, entries)
        with session.no_autoflush:
            grades, comments = (_of(session, kind, there.values()) for kind in (Grade, Comment))
            for student, notebook in there.items():
                self._fill(entries[student], notebook, grades[notebook.id], comments[notebook.id])
            new = self._add(session, [student for student in entries if student not in there])
            for student, notebook in new.items():
                self._fill(entries[student], notebook, notebook.grades, notebook.comments)
        session.flush()
        for notebook in (*there.values(), *new.values()):
            penalize(session, notebook, self._extensions, self._config)
        session.flush()
        return held_submissions(session, self.assignment, SubmittedAssignment.student_id.in_(entries))

    def _submitted(self, session: Session, students: Iterable[str]) -> dict[str, SubmittedNotebook]:
        """Return the notebooks of students' submissions that the gradebook has."""
        rows = (
            session.query(SubmittedNotebook)
            .join(SubmittedNotebook.assignment)
            .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
            .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
            .filter(Assignment.name == self.assignment, Notebook.name == self.assignment)
            .filter(SubmittedAssignment.student_id.in_(students))
            .options(contains_eager(SubmittedNotebook.assignment))
        )
        return {one.assignment.student_id: one for one in rows}

    def _add(self, session: Session, students: Sequence[str]) -> dict[str, SubmittedNotebook]:
        """Add submissions, and students who are not there; return the notebooks by student."""
        if not students:
            return {}
        known = {name for (name,) in session.query(Student.id).filter(Student.id.in_(students))}
        unknown = [student for student in students if student not in known]
        if unknown and not self._creates_students:
            raise MissingEntry(f"No such student: {', '.join(unknown)}")
        session.add_all(Student(id=student) for student in unknown)
        return add_submissions(session, self.assignment, students)

    def _fill(
        self, entry: Entry, notebook: SubmittedNotebook, grades: Iterable[Grade], comments: Iterable[Comment]
    ) -> None:
        """Write time, scores and comments of a submission."""
        notebook.assignment.timestamp = entry.timestamp
        for grade in grades:
            name = self._names[grade.cell_id]
            grade.auto_score = entry.scores.get(name)
            # nbgrader's rule: what a person has decided before has to be looked at again.
            if grade.manual_score is None or name not in entry.same_answers:
                grade.needs_manual_grade = grade.manual_score is not None or grade.auto_score is None
        for comment in comments:
            comment.auto_comment = entry.comments.get(self._names[comment.cell_id])

    def close(self) -> None:
        """Close the gradebook."""
        self._gradebook.close()


def _of(session: Session, kind: type[Grade | Comment], notebooks: Iterable[SubmittedNotebook]) -> dict:
    """Return submissions' grades or comments by the notebook's id, in one query."""
    found = defaultdict(list)
    ids = [one.id for one in notebooks]
    for one in session.query(kind).filter(kind.notebook_id.in_(ids)) if ids else ():
        found[one.notebook_id].append(one)
    return found


def _cells(released: NotebookNode) -> tuple[dict, dict]:
    """Return a notebook's cells as the gradebook keeps them: checksums by name, and points by name."""
    marked = [cell for cell in released.cells if "nbgrader" in cell.metadata]
    return (
        {cell.metadata.nbgrader.grade_id: cell.metadata.nbgrader.checksum for cell in marked},
        {
            cell.metadata.nbgrader.grade_id: float(cell.metadata.nbgrader.points)
            for cell in marked
            if cell.metadata.nbgrader.grade
        },
    )


def _known(session: Session, assignment: str) -> tuple[dict, dict]:
    """Return the same of the gradebook."""

    def of(kind: type, *columns: object) -> dict:
        rows = session.query(*columns).select_from(kind).join(Notebook, kind.notebook_id == Notebook.id)
        return dict(
            rows.join(Assignment, Assignment.id == Notebook.assignment_id)
            .filter(Assignment.name == assignment, Notebook.name == assignment)
            .all()
        )

    return (
        of(SourceCell, SourceCell.name, SourceCell.checksum),
        of(GradeCell, GradeCell.name, GradeCell.max_score),
    )
