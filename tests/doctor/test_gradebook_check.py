"""What `grader doctor` says of the gradebook; it never makes or changes one."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from grader.doctor.gradebook import gradebook
from grader.gradebook.writer import ClassGradebook
from grader.grading.master import load_master, released_notebook


@pytest.fixture
def url(tmp_path: Path) -> str:
    """Return where a gradebook may be, under a name that an URL has to escape."""
    folder = tmp_path / "a course #1 50%"
    folder.mkdir()
    return f"sqlite:///{folder}/gradebook.db"


@pytest.fixture
def file(url: str, chapter, repository: Path) -> Path:
    """Return a gradebook that grading has made."""
    from grader.course.paths import CoursePaths  # noqa: PLC0415 - beside the rest of what makes a gradebook

    config = Config()
    config.CourseDirectory.db_url = url
    master = load_master(chapter, CoursePaths(repository))
    made = ClassGradebook(CourseDirectory(config=config), config, chapter.stem, released_notebook(master))
    made.close()
    return Path(url.removeprefix("sqlite:///"))


def change(file: Path, statement: str) -> None:
    """Change a gradebook behind nbgrader's back."""
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(statement)


def test_absent_one_is_fine_and_stays_absent(url: str) -> None:
    """A course in which nothing is graded has none."""
    found = gradebook(url)
    assert (found.status, "not there yet" in found.seen) == ("ok", True)
    assert not list(Path(url.removeprefix("sqlite:///")).parent.iterdir())


def test_graded_course(url: str, file: Path) -> None:
    """The gradebook that grading makes is of the right schema, and is not touched."""
    before = file.read_bytes()
    found = gradebook(url)
    assert (found.status, "0 students" in found.seen) == ("ok", True)
    assert file.read_bytes() == before
    assert [one.name for one in file.parent.iterdir()] == [file.name]


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE alembic_version SET version_num = '724cde206c17'", "724cde206c17"),
        ("DELETE FROM alembic_version", "schema none"),
        ("DROP TABLE alembic_version", "does not say"),
    ],
)
def test_schema_of_another_nbgrader(url: str, file: Path, statement: str, said: str) -> None:
    """An older schema fails, and `nbgrader db upgrade` is named."""
    change(file, statement)
    found = gradebook(url)
    assert (found.status, said in found.seen) == ("fails", True)
    assert "nbgrader db upgrade" in found.advice


def test_damaged_one(url: str, file: Path) -> None:
    """A file that is no database fails."""
    file.write_bytes(b"not a database, but long enough to have a header" * 20)
    assert "not a database" in gradebook(url).seen
    file.write_bytes(b"")
    assert gradebook(url).status == "ok"


def test_locked_one(url: str, file: Path) -> None:
    """A gradebook that somebody writes is a warning."""
    with closing(sqlite3.connect(file)) as other:
        other.execute("BEGIN EXCLUSIVE")
        found = gradebook(url)
    assert (found.status, "locked" in found.seen) == ("warning", True)


def test_read_only_one(url: str, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A gradebook that cannot be written fails before a class is graded."""
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert "cannot be written" in gradebook(url).seen


@pytest.mark.parametrize(
    ("url", "said"),
    [("gradebook.db", "Could not parse"), ("postgresql+nothing://teacher:secret@host/grades", "***")],
)
def test_wrong_url(url: str, said: str) -> None:
    """What is no URL, or of a database without a driver, fails; a password is never shown."""
    found = gradebook(url)
    assert found.status == "fails"
    assert "secret" not in repr(found)
    assert said in found.seen
