"""Each thing of nbgrader that is not documented does what the grader needs of it."""

import importlib
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.api import Gradebook
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy import create_engine, inspect
from sqlalchemy.orm import Session
from traitlets.config import Config

from grader.private_api import SERVER_EXTENSION_LOADER, SERVER_EXTENSIONS
from grader.private_api.nbgrader import (
    SOUGHT,
    Registration,
    SaveScores,
    add_submissions,
    gradebook_on,
    make_tables,
    one_transaction,
    schema_version,
    within_points,
)

CHAPTER = "ch00_tensors"


def _cell(name: str, **settings: object) -> object:
    marks = {"grade": False, "solution": False, "task": False, "locked": True, "schema_version": 3}
    metadata = {"nbgrader": marks | {"grade_id": name, "checksum": name} | settings}
    return new_code_cell(f"# {name}", metadata=metadata)


RELEASED = new_notebook(
    cells=[
        _cell("answer", solution=True, locked=False),
        _cell("answer-check", grade=True, points=3),
        new_code_cell("1"),
    ]
)


@pytest.fixture
def url(tmp_path: Path) -> str:
    """Return the address of a gradebook that does not exist."""
    return f"sqlite:///{tmp_path / 'gradebook.db'}"


@pytest.fixture
def gradebook(url: str) -> Iterator[Gradebook]:
    """Return a gradebook with the released notebook registered."""
    engine = create_engine(url, future=True)
    make_tables(engine)
    opened = gradebook_on(engine, url, "course")
    with one_transaction(opened):
        Registration().register(opened, CHAPTER, RELEASED)
    yield opened
    opened.close()


def test_tables_are_those_that_nbgrader_makes(url: str, tmp_path: Path) -> None:
    """The same tables, columns and version as by nbgrader's own command; made again, they stay."""
    engine = create_engine(url)
    make_tables(engine)
    make_tables(engine)
    engine.dispose()
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    subprocess.run([sys.executable, "-m", "nbgrader", "db", "upgrade"], cwd=theirs, check=True)
    ours, expected = (_described(folder / "gradebook.db") for folder in (tmp_path, theirs))
    assert ours == expected
    assert ours["alembic_version"] == [(schema_version(),)]


def _described(file: Path) -> dict[str, list]:
    with closing(sqlite3.connect(file)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")]
        columns = {
            name: sorted(row[1:3] for row in connection.execute(f"PRAGMA table_info({name})"))
            for name in names
        }
        return columns | {
            "alembic_version": connection.execute("SELECT version_num FROM alembic_version").fetchall()
        }


def test_older_gradebook_gets_the_indexes(tmp_path: Path) -> None:
    """What a submission has is found by an index, in nbgrader's own tables too, which it still upgrades."""
    url = f"sqlite:///{tmp_path / 'gradebook.db'}"
    Gradebook(url).close()
    engine = create_engine(url)
    make_tables(engine)
    for table, column in SOUGHT:
        found = inspect(engine).get_indexes(table)
        assert [one["column_names"] for one in found if not one["unique"]] == [[column]]
    with engine.connect() as connection:
        plan = connection.exec_driver_sql("EXPLAIN QUERY PLAN SELECT * FROM grade WHERE notebook_id = 'a'")
        assert "USING INDEX ix_grade_notebook_id" in str(plan.fetchall())
    engine.dispose()
    subprocess.run([sys.executable, "-m", "nbgrader", "db", "upgrade"], cwd=tmp_path, check=True)


def test_cells_are_registered(gradebook: Gradebook) -> None:
    """The answer, its check with the points, and both sources; nothing of the cell without a mark."""
    with one_transaction(gradebook):
        notebook = gradebook.find_notebook(CHAPTER, CHAPTER)
        assert [(one.name, one.max_score) for one in notebook.grade_cells] == [("answer-check", 3)]
        assert [one.name for one in notebook.solution_cells] == ["answer"]
        assert {one.name: one.checksum for one in notebook.source_cells} == {
            "answer": "answer",
            "answer-check": "answer-check",
        }


def test_commits_wait_for_the_end(gradebook: Gradebook, url: str) -> None:
    """Several of the API's methods are written together or, with an error in between, not at all."""
    with pytest.raises(RuntimeError), one_transaction(gradebook):
        gradebook.add_student("ana")
        raise RuntimeError
    with one_transaction(gradebook):
        gradebook.add_student("bia")
        gradebook.add_student("caio")
    with Gradebook(url) as later:
        assert [one.id for one in later.students] == ["bia", "caio"]


def test_gradebook_works_on_the_engine_given(url: str) -> None:
    """What is set on the engine holds for the API: here, that it is another database."""
    engine = create_engine("sqlite://", future=True)
    make_tables(engine)
    opened = gradebook_on(engine, url, "course")
    assert opened.engine is engine
    opened.close()


@pytest.mark.parametrize(("penalty", "expected"), [(1.0, 1.0), (7.0, 3.0), (0.0, 0.0)])
def test_penalty_is_limited_to_the_points(gradebook: Gradebook, penalty: float, expected: float) -> None:
    """No more can be lost than was earned; None where nothing is."""
    with one_transaction(gradebook) as session:
        gradebook.add_student("ana")
        with session.no_autoflush:
            gradebook.update_or_create_submission(CHAPTER, "ana")
        grade = gradebook.find_grade("answer-check", CHAPTER, CHAPTER, "ana")
        grade.auto_score = 3.0
        session.flush()
        notebook = gradebook.find_submission_notebook(CHAPTER, CHAPTER, "ana")
        assert (within_points(AssignLatePenalties(config=Config()), notebook, penalty) or 0.0) == expected


def test_scores_and_comments_are_asked_of_the_hooks(gradebook: Gradebook, url: str) -> None:
    """The step of nbgrader calls each hook for the cells that it is about."""
    asked = []

    class Noting(SaveScores):
        def save_score(self, cell: object, resources: object) -> None:
            asked.append(("score", cell.metadata.nbgrader.grade_id))

        def save_comment(self, cell: object, resources: object) -> None:
            asked.append(("comment", cell.metadata.nbgrader.grade_id))

    with one_transaction(gradebook) as session:
        gradebook.add_student("ana")
        with session.no_autoflush:
            gradebook.update_or_create_submission(CHAPTER, "ana")
    where = {"notebook": CHAPTER, "assignment": CHAPTER, "student": "ana", "db_url": url}
    Noting().preprocess(RELEASED, {"nbgrader": where})
    assert sorted(asked) == [("comment", "answer"), ("score", "answer-check")]


def test_submissions_are_added_as_nbgrader_adds_them(gradebook: Gradebook) -> None:
    """The same rows as ``Gradebook.add_submission`` makes, for every kind of cell."""

    def rows(session: Session, student: str) -> list[object]:
        found = gradebook.find_submission(CHAPTER, student)
        (notebook,) = found.notebooks
        parts = (
            sorted((type(one).__name__, one.cell_id, one.auto_score, one.needs_manual_grade) for one in these)
            if these is notebook.grades
            else sorted((type(one).__name__, one.cell_id, one.auto_comment) for one in these)
            for these in (notebook.grades, notebook.comments)
        )
        return [found.assignment_id, found.timestamp, found.extension, notebook.notebook_id, *parts]

    with one_transaction(gradebook) as session:
        for student in ("ada", "bob", "eve"):
            gradebook.add_student(student)
        with session.no_autoflush:
            gradebook.add_submission(CHAPTER, "ada")
            made = add_submissions(session, CHAPTER, ["bob", "eve"])
        assert {student: one.name for student, one in made.items()} == {"bob": CHAPTER, "eve": CHAPTER}
    with one_transaction(gradebook) as session:
        assert rows(session, "ada") == rows(session, "bob") == rows(session, "eve")


def test_server_extensions_can_be_left_out() -> None:
    """Each offers one function, and nbgrader imports the web server for nothing else."""
    code = (
        "import sys; from grader.cli import leave_out_server; leave_out_server(); "
        "import nbgrader.api, nbgrader.apps, nbgrader.preprocessors; print('jupyter_server' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
    for name in SERVER_EXTENSIONS:
        assert callable(getattr(importlib.import_module(name), SERVER_EXTENSION_LOADER))
