"""A class whose gradebook is in PostgreSQL: the same grades as with SQLite, and nothing lost."""

import csv
import json
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import create_engine, inspect, text
from traitlets.config import Config

from grader.cli import main
from grader.course.paths import CoursePaths
from grader.errors import GradebookError
from grader.exercises import Chapter
from grader.gradebook.connection import open_session
from grader.gradebook.stored import StoredGrades, read_stored_grades
from grader.gradebook.writer import ClassGradebook, Entry
from grader.grading.master import Master, released_notebook
from grader.grading.sample_class import make_sample_class
from tests.postgresql import INITDB, new_database, server

pytestmark = pytest.mark.skipif(INITDB is None, reason="PostgreSQL's initdb is not installed.")


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """Return the address of a private PostgreSQL, without the name of a database."""
    with server() as address:
        yield address


@pytest.fixture
def database(cluster: str, request: pytest.FixtureRequest) -> str:
    """Return the address of an empty database."""
    return new_database(cluster, f"db_{abs(hash(request.node.name))}")


def grader(course: Path, command: str, *arguments: str) -> Result:
    """Run a command of ``grader`` on a course."""
    return CliRunner().invoke(main, [command, *arguments, "--course", str(course)])


def graded(course: Path, stem: str) -> dict[str, dict]:
    """Grade a class; return each student's line, without how long it took."""
    done = grader(course, "grade", stem, "--isolation", "none", "--json")
    assert done.exit_code == 0, done.output
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {line["student"]: line | {"seconds": 0} for line in lines}


@pytest.fixture(scope="module")
def courses(
    cluster: str, repository: Path, chapter: Chapter, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    """Return the same class twice, graded: with its gradebook in SQLite, and in PostgreSQL."""
    folder = tmp_path_factory.mktemp("courses")
    made = {name: folder / name for name in ("sqlite", "postgresql")}
    for course in made.values():
        make_sample_class(chapter, CoursePaths(repository), course, students=3, seed=3)
    with CoursePaths(made["postgresql"]).config.open("a") as config:
        config.write(f"c.CourseDirectory.db_url = {new_database(cluster, 'course')!r}\n")
    return made


@pytest.fixture(scope="module")
def url(courses: dict[str, Path], cluster: str, chapter: Chapter) -> str:
    """Return the address of the gradebook in PostgreSQL, the class being graded."""
    graded(courses["postgresql"], chapter.stem)
    return cluster.format("course")


@pytest.fixture(scope="module")
def in_sqlite(courses: dict[str, Path], chapter: Chapter) -> StoredGrades:
    """Return what the gradebook of the other holds, graded too."""
    graded(courses["sqlite"], chapter.stem)
    assert not (courses["postgresql"] / "gradebook.db").exists()
    return read_stored_grades(f"sqlite:///{courses['sqlite'] / 'gradebook.db'}", chapter.stem)


def test_same_grades_as_with_sqlite(
    url: str, in_sqlite: StoredGrades, courses: dict[str, Path], chapter: Chapter
) -> None:
    """Every score of every student, and those that the class was made for."""
    held = read_stored_grades(url, chapter.stem)
    assert held == in_sqlite
    expected = json.loads((courses["postgresql"] / "expected.json").read_text())[chapter.stem]
    scores = {student: one.points(held.points) for student, one in held.submissions.items()}
    assert scores == {student: entry["score"] for student, entry in expected.items()}


def test_second_run_has_nothing_to_do(url: str, courses: dict[str, Path], chapter: Chapter) -> None:
    """What has not changed is found in the gradebook, and not graded again."""
    before = read_stored_grades(url, chapter.stem)
    done = grader(courses["postgresql"], "grade", chapter.stem, "--isolation", "none")
    assert done.exit_code == 0, done.output
    assert "3 unchanged" in done.stderr
    assert read_stored_grades(url, chapter.stem) == before


def test_manual_grade_survives(url: str, courses: dict[str, Path], chapter: Chapter) -> None:
    """What a person gave in formgrader counts, also after everything was graded again."""
    stem, cell = chapter.stem, f"{chapter.exercises[0].id}-check"
    with Gradebook(url, "attention") as theirs:
        grade = theirs.find_grade(cell, stem, stem, "student-01")
        grade.manual_score, grade.extra_credit = 0.25, 0.5
        theirs.db.commit()
    done = grader(courses["postgresql"], "regrade", stem, "--yes", "--isolation", "none")
    assert done.exit_code == 0, done.output
    assert read_stored_grades(url, stem).submissions["student-01"].scores[cell].points == 0.75


def test_report_and_export_read_it(url: str, courses: dict[str, Path], chapter: Chapter) -> None:
    """The class report and the exported table have the gradebook's students and scores."""
    course = courses["postgresql"]
    held = read_stored_grades(url, chapter.stem)
    done = grader(course, "report", chapter.stem)
    assert done.exit_code == 0, done.output
    assert all(student in done.stdout for student in held.students)
    table = course / "grades.csv"
    done = grader(course, "export", chapter.stem, "--format", "csv", "--output", str(table))
    assert done.exit_code == 0, done.output
    with table.open(encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(held.students)


def test_nbgrader_reads_what_was_written(
    url: str, courses: dict[str, Path], nbgrader: Callable[..., None], chapter: Chapter
) -> None:
    """Nbgrader's own export and its upgrade of the schema work on it, and change no grade."""
    before = read_stored_grades(url, chapter.stem)
    nbgrader(courses["postgresql"], "db", "upgrade")
    nbgrader(courses["postgresql"], "export", "--to", "nbgrader.csv")
    with (courses["postgresql"] / "nbgrader.csv").open(encoding="utf-8") as file:
        scores = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert scores == {student: one.points(before.points) for student, one in before.submissions.items()}
    assert read_stored_grades(url, chapter.stem) == before


def test_doctor_knows_its_schema(url: str, courses: dict[str, Path]) -> None:
    """The check of the gradebook is content, and says how many students there are."""
    done = grader(courses["postgresql"], "doctor", "--json")
    found = {line["check"]: line for line in map(json.loads, done.stdout.splitlines())}
    assert (found["gradebook"]["status"], "3 students" in found["gradebook"]["seen"]) == ("ok", True)


@pytest.fixture
def open_gradebook(
    database: str, directory: CourseDirectory, config: Config, master: Master
) -> Callable[..., ClassGradebook]:
    """Return a function that opens an empty gradebook of the class."""
    directory.db_url = database

    def opened(**options: object) -> ClassGradebook:
        return ClassGradebook(directory, config, master.chapter.stem, released_notebook(master), **options)

    return opened


def test_tables_are_nbgrader_s_own(open_gradebook: Callable, database: str, cluster: str) -> None:
    """Grading makes the tables, columns and mark of the version that nbgrader makes."""
    open_gradebook().close()
    theirs = new_database(cluster, "theirs")
    Gradebook(theirs, "attention").close()
    assert schema(database) == schema(theirs)


def schema(url: str) -> dict[str, object]:
    """Return the tables with their columns, and the mark of the version."""
    engine = create_engine(url)
    with engine.connect() as connection:
        found = inspect(connection)
        tables = {
            name: [(one["name"], str(one["type"]), one["nullable"]) for one in found.get_columns(name)]
            for name in sorted(found.get_table_names())
        }
        version = connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
    engine.dispose()
    return {"tables": tables, "version": version}


def test_nothing_is_written_by_reading(open_gradebook: Callable, database: str) -> None:
    """A session that reads cannot write."""
    open_gradebook().close()
    with pytest.raises(GradebookError, match="read-only"), open_session(database) as session:
        session.execute(text("DELETE FROM student"))


def test_gradebook_that_is_kept_locked_is_said(open_gradebook: Callable, database: str) -> None:
    """Another program's transaction is waited for as long as there is patience, not for ever."""
    engine = create_engine(database)
    with closing(open_gradebook(patience=0.3)) as gradebook, engine.begin() as other:
        other.execute(text("LOCK TABLE student IN ACCESS EXCLUSIVE MODE"))
        with pytest.raises(GradebookError, match="kept locked by another program"):
            gradebook.students()
    engine.dispose()


def test_score_that_a_person_gives_meanwhile_is_kept(
    open_gradebook: Callable, database: str, master: Master
) -> None:
    """Grading waits for formgrader's transaction on the same grade, and both are written."""
    stem, cells = master.chapter.stem, [f"{name}-check" for name in master.exercises]
    entry = Entry(dict.fromkeys(cells, 1.0), {})
    with closing(open_gradebook()) as gradebook, Gradebook(database, "attention") as formgrader:
        gradebook.record({"ada": Entry(dict.fromkeys(cells, 0.0), {})})
        formgrader.find_grade(cells[0], stem, stem, "ada").manual_score = 2.0
        formgrader.db.flush()
        with ThreadPoolExecutor(1) as pool:
            recorded = pool.submit(gradebook.record, {"ada": entry})
            wait_until_blocked(database, recorded)
            formgrader.db.commit()
            recorded.result()
    held = read_stored_grades(database, stem).submissions["ada"].scores
    assert (held[cells[0]].auto, held[cells[0]].manual) == (1.0, 2.0)
    assert {held[name].auto for name in cells} == {1.0}


def wait_until_blocked(url: str, recorded: Future) -> None:
    """Wait until a session of a database waits for a lock, or did not have to."""
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    waiting = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
    with engine.connect() as connection:
        while not connection.execute(waiting).scalar_one() and not recorded.done():
            pass
    engine.dispose()
