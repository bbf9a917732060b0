"""Write to nbgrader's gradebook, one transaction per submission.

nbgrader's API commits in each of its methods; here that takes effect once, at the end of a transaction.
"""

import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from nbformat import NotebookNode
from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    GradeCell,
    InvalidEntry,
    MissingEntry,
    Notebook,
    SourceCell,
    Student,
    SubmittedNotebook,
)
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import event
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session
from traitlets.config import Config

from grader.course.paths import CoursePaths
from grader.errors import GradebookError
from grader.gradebook.connection import PATIENCE, engine_for, parsed
from grader.gradebook.extensions import read_extensions
from grader.gradebook.lateness import late_rule, penalize, update_penalties
from grader.gradebook.stored import StoredSubmission, held_submission, held_submissions
from grader.private_api.nbgrader import Registration, gradebook_on, make_tables, one_transaction

BETWEEN_TRIES = 0.2
# PostgreSQL's codes: not serializable, deadlock, lock not available, and there already, for somebody else has
# just put it there. Another try may do.
TRANSIENT = frozenset(("40001", "40P01", "55P03", "23505"))

Made = TypeVar("Made")


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


def _of_database(error: BaseException | None) -> BaseException | None:
    """Return the underlying database error, if any; nbgrader's ``InvalidEntry`` hides it."""
    while error is not None and not isinstance(error, DBAPIError):
        error = error.__cause__ or error.__context__
    return error and error.orig


def _is_transient(error: Exception) -> bool:
    """Return whether an action failed only because of concurrent access."""
    said = _of_database(error)
    code = getattr(said, "pgcode", None) or getattr(said, "sqlstate", None)
    return code in TRANSIENT or (isinstance(said, sqlite3.OperationalError) and "locked" in str(said))


def _wait_at_most(engine: Engine, seconds: float) -> None:
    """Set a lock timeout for PostgreSQL, which would wait forever."""

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{max(1, round(1000 * seconds))}ms'")


def _begin_as_writer(engine: Engine) -> None:
    """Make SQLite take its write lock at the beginning of a transaction, not within nbgrader's API."""

    @event.listens_for(engine, "connect")
    def no_transactions_of_its_own(connection: object, _: object) -> None:
        connection.isolation_level = None

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")


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
        self._patience = patience
        self._creates_students = config.Autograde.get("create_student", True)
        self._gradebook = self._patiently(lambda: self._open(directory.course_id))
        try:
            self._begin(released, CoursePaths(Path(directory.root)))
        except BaseException:
            self.close()
            raise

    def _begin(self, released: NotebookNode, paths: CoursePaths) -> None:
        """Register the assignment, bring penalties up to date, and read what is held of it."""
        self._patiently(lambda: self._register(released))
        self._extensions = read_extensions(paths.extensions)
        self._patiently(self._settle)
        with self._transaction() as session:
            self._before = held_submissions(session, self.assignment)
            self._names = dict(
                session.query(BaseCell.id, BaseCell.name)
                .join(Notebook)
                .join(Assignment)
                .filter(Assignment.name == self.assignment)
                .all()
            )

    def _open(self, course_id: str) -> Gradebook:
        engine = engine_for(parsed(self.url), future=True)
        if engine.dialect.name == "sqlite":
            _begin_as_writer(engine)
        elif engine.dialect.name == "postgresql":
            _wait_at_most(engine, self._patience)
        try:
            make_tables(engine)
            return gradebook_on(engine, self.url, course_id)
        except BaseException:
            engine.dispose()
            raise

    def _patiently(self, act: Callable[[], Made]) -> Made:
        """Return an action's result, retrying while the gradebook is locked."""
        deadline = time.monotonic() + self._patience
        while True:
            try:
                return act()
            except (DBAPIError, InvalidEntry, MissingEntry, RuntimeError) as error:
                place, reason = parsed(self.url), str(_of_database(error) or error)
                if not _is_transient(error):
                    raise GradebookError(f"The gradebook {place}: {reason.strip()}") from error
                if time.monotonic() > deadline:
                    raise GradebookError(
                        f"The gradebook {place} is kept locked by another program for more than "
                        f"{self._patience:g} seconds. Nothing is lost: close that program and run this again."
                    ) from error
            time.sleep(BETWEEN_TRIES)

    def _transaction(self) -> AbstractContextManager[Session]:
        """Combine all commits of nbgrader's API in the block into one at its end."""
        return one_transaction(self._gradebook)

    def _register(self, released: NotebookNode) -> None:
        with self._transaction() as session:
            if _known(session, self.assignment) != _cells(released):
                Registration().register(self._gradebook, self.assignment, released)

    def _settle(self) -> None:
        """Bring penalties up to date: due dates, extensions and scores by hand may have changed."""
        with self._transaction() as session:
            update_penalties(session, self.assignment, self._extensions, self._config)

    def students(self) -> list[str]:
        """Return the names of all students in the gradebook."""

        def read() -> list[str]:
            with self._transaction() as session:
                return sorted(name for (name,) in session.query(Student.id))

        return self._patiently(read)

    def before(self, student: str) -> StoredSubmission | None:
        """Return what was stored for a student when the gradebook was opened; None if nothing was."""
        return self._before.get(student)

    def record(self, student: str, entry: Entry) -> StoredSubmission:
        """Record a submission in one transaction, as nbgrader's autograde would; return what is stored then.

        Manual scores, extra credit and comments from formgrader are kept.

        Raises:
            GradebookError: it cannot be written; the gradebook is as it was before.
        """
        return self._patiently(lambda: self._record(student, entry))

    def _record(self, student: str, entry: Entry) -> StoredSubmission:
        with self._transaction() as session:
            if self._creates_students and session.get(Student, student) is None:
                self._gradebook.add_student(student)
            with session.no_autoflush:  # nbgrader builds a submission from the bottom
                submission = self._gradebook.update_or_create_submission(
                    self.assignment, student, timestamp=entry.timestamp
                )
            notebook = next(one for one in submission.notebooks if one.name == self.assignment)
            for grade in self._of(session, Grade, notebook):
                name = self._names[grade.cell_id]
                grade.auto_score = entry.scores.get(name)
                # nbgrader's rule: what a person has decided before has to be looked at again.
                if grade.manual_score is None or name not in entry.same_answers:
                    grade.needs_manual_grade = grade.manual_score is not None or grade.auto_score is None
            for comment in self._of(session, Comment, notebook):
                comment.auto_comment = entry.comments.get(self._names[comment.cell_id])
            self._penalize(session, notebook)
            session.flush()
            return held_submission(session, self.assignment, student)

    def _of(self, session: Session, kind: type[Grade | Comment], notebook: SubmittedNotebook) -> list:
        """Return a submission's grades or comments by their index; nbgrader looks through everybody's."""
        return (
            session.query(kind).filter(kind.cell_id.in_(self._names), kind.notebook_id == notebook.id).all()
        )

    def _penalize(self, session: Session, notebook: SubmittedNotebook) -> None:
        """Set the penalty for handing in late that the course's nbgrader plugin gives."""
        penalize(session, notebook, self._extensions, self._config)

    def close(self) -> None:
        """Close the gradebook."""
        self._gradebook.close()


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
