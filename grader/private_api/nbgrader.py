"""What is used of nbgrader that is not part of its documented API."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.api import (
    Assignment,
    Base,
    Comment,
    Grade,
    Gradebook,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.dbutil import ALEMBIC_DIR
from nbgrader.preprocessors import AssignLatePenalties, SaveAutoGrades, SaveCells
from sqlalchemy import inspect, text
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.orm import Session, scoped_session, sessionmaker

# nbgrader finds the parts of a submission by these columns, of which it has no index: each submission's score
# would read the whole class's grades.
SOUGHT = (
    ("grade", "notebook_id"),
    ("comment", "notebook_id"),
    ("submitted_notebook", "assignment_id"),
    ("submitted_assignment", "student_id"),
)


class Registration(SaveCells):
    """Registers an assignment's cells as nbgrader's preprocessor does, but in a gradebook that is open."""

    def register(self, gradebook: Gradebook, assignment: str, released: NotebookNode) -> None:
        """Write the cells of a released notebook, which is named as its assignment."""
        self.gradebook, self.assignment_id, self.notebook_id = gradebook, assignment, assignment
        self.new_grade_cells, self.new_solution_cells = {}, {}
        self.new_task_cells, self.new_source_cells = {}, {}
        gradebook.update_or_create_assignment(assignment)
        for number, cell in enumerate(released.cells):
            self.preprocess_cell(cell, {}, number)
        self._create_notebook(released)


class SaveScores(SaveAutoGrades):
    """nbgrader's step that writes scores and comments, with another source for them."""

    def save_score(self, cell: NotebookNode, resources: ResourcesDict) -> None:
        """Write the score of a check cell."""
        raise NotImplementedError

    def save_comment(self, cell: NotebookNode, resources: ResourcesDict) -> None:
        """Write the automatic comment on a cell that a learner writes in."""
        raise NotImplementedError

    def _add_score(self, cell: NotebookNode, resources: ResourcesDict) -> None:
        self.save_score(cell, resources)

    def _add_comment(self, cell: NotebookNode, resources: ResourcesDict) -> None:
        self.save_comment(cell, resources)


def add_submissions(
    session: Session, assignment: str, students: Iterable[str]
) -> dict[str, SubmittedNotebook]:
    """Add a submission for each student, as ``Gradebook.add_submission`` would one by one.

    Returns:
        By student, the notebook that is named as the assignment.
    """
    master = session.query(Assignment).filter_by(name=assignment).one()
    mirrored = []
    for notebook in master.notebooks:
        graded, commented, both = (
            [one.id for one in cells]
            for cells in (notebook.grade_cells, notebook.solution_cells, notebook.task_cells)
        )
        mirrored.append((notebook, graded + both, commented + both))
    found = {}
    for student in students:
        submission = SubmittedAssignment(assignment=master, student_id=student)
        for notebook, graded, commented in mirrored:
            made = SubmittedNotebook(notebook=notebook, assignment=submission)
            made.grades = [Grade(cell_id=one) for one in graded]
            made.comments = [Comment(cell_id=one) for one in commented]
            if notebook.name == assignment:
                found[student] = made
        session.add(submission)
    return found


def within_points(rule: AssignLatePenalties, notebook: SubmittedNotebook, penalty: float) -> float:
    """Return a penalty, limited to the points that the notebook has."""
    return rule._check_late_penalty(notebook, penalty)


def schema_version() -> str | None:
    """Return the version of the database's schema that this nbgrader knows."""
    from alembic.script import ScriptDirectory  # noqa: PLC0415 - takes long, and is needed once a course

    return ScriptDirectory(ALEMBIC_DIR).get_current_head()


def make_tables(engine: Engine) -> None:
    """Make nbgrader's tables where there are none, at once with the mark of their version, and the indexes.

    ``Gradebook`` would run the command ``alembic`` for the mark, which takes a second, if it is on the path.
    """
    with engine.begin() as connection:
        there = set(inspect(connection).get_table_names())
        if not there:
            Base.metadata.create_all(connection)
            connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"))
            connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": schema_version()})
        for table, column in SOUGHT:
            name = f"ix_{table}_{column}"
            if (not there or table in there) and name not in _indexes(connection, table):
                connection.execute(text(f"CREATE INDEX {name} ON {table} ({column})"))


def _indexes(connection: Connection, table: str) -> set[str | None]:
    return {one["name"] for one in inspect(connection).get_indexes(table)}


def gradebook_on(engine: Engine, url: str, course_id: str) -> Gradebook:
    """Return nbgrader's API on an engine of ours, whose options it would not take."""
    gradebook = Gradebook(url, course_id)
    gradebook.close()
    gradebook.engine = engine
    return gradebook


@contextmanager
def one_transaction(gradebook: Gradebook) -> Iterator[Session]:
    """Combine all commits of the API's methods in the block into one at its end.

    The gradebook's session works inside an outer transaction: commits take effect only when that one does.
    """
    with gradebook.engine.begin() as connection:
        make = sessionmaker(
            connection, join_transaction_mode="rollback_only", expire_on_commit=False, future=True
        )
        gradebook.db = scoped_session(make)
        try:
            yield gradebook.db()
            gradebook.db.commit()
        finally:
            gradebook.db.remove()
