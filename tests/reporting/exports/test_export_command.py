"""`grader export`, and the same through `nbgrader export`."""

import csv
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader.cli import main
from grader.exercises import Chapter
from grader.reporting.exports.unplaced import Unplaced, write_unplaced


@pytest.fixture
def course(gradebook_url: str, tmp_path: Path, repository: Path) -> Path:
    """Return a course in which something is graded."""
    shutil.copy(repository / "nbgrader_config.py", tmp_path)
    return tmp_path


@pytest.fixture
def run(course: Path, chapter: Chapter) -> Callable[..., Result]:
    """Return a function that exports the chapter."""
    fixed = ["export", chapter.stem, "--course", str(course), "--output", str(course / "out.csv")]
    return lambda *more: CliRunner().invoke(main, [*fixed, *map(str, more)])


def test_file_is_written(run: Callable, course: Path) -> None:
    """With what should be known on stderr."""
    done = run("--format", "canvas", "--missing-as-zero")
    assert done.exit_code == 0, done.output
    assert "Lovelace" in (course / "out.csv").read_text()
    assert "fay" in done.stderr


def test_stranger_s_work_is_named(run: Callable, course: Path, chapter: Chapter) -> None:
    """What `grader collect` could not place is told, and is no zero in another system's table."""
    write_unplaced(course, chapter.stem, [Unplaced("moodle", "Zoe Unknown", "3", (), ("x.ipynb",))])
    roster = course / "roster.csv"
    roster.write_text(
        f"First name,Last name,Email address,{chapter.stem}\n"
        + "".join(f"{name},x,{name}@uni.example,-\n" for name in ("ada", "bo", "chen", "dev"))
        + "Zoe,Unknown,zoe@uni.example,7\nYan,Gone,yan@uni.example,7\n"
    )
    done = run("--format", "moodle", "--roster", str(roster), "--missing-as-zero")
    assert done.exit_code == 0, done.output
    assert "Zoe,Unknown,zoe@uni.example,-\n" in (course / "out.csv").read_text()
    assert "Yan,Gone,yan@uni.example,0\n" in (course / "out.csv").read_text()
    assert "did not place. Their score is empty, never 0: Zoe Unknown." in done.stderr
    assert "1 file is not placed, in no score: Zoe Unknown (3)." in done.stderr
    assert "nothing of theirs is graded: Yan Gone." in done.stderr


def test_whom_the_table_lacks_is_asked_of_a_table(run: Callable, course: Path) -> None:
    """Without one there is nobody to leave out."""
    done = run("--format", "csv", "--only-listed")
    assert (done.exit_code, "--roster" in done.stderr) == (2, True)
    assert not (course / "out.csv").exists()


def test_nothing_is_written_over(run: Callable, course: Path) -> None:
    """Without --force a file that is there stays, and so it does where something is wrong."""
    (course / "out.csv").write_text("mine")
    done = run("--format", "csv")
    assert (done.exit_code, "--force" in done.stderr) == (2, True)
    assert run("--format", "canvas", "--force", "--column", "essay=E").exit_code == 2
    assert (course / "out.csv").read_text() == "mine"
    assert run("--format", "csv", "--force").exit_code == 0
    assert (course / "out.csv").read_text().startswith("student,")
    assert {one.name for one in course.iterdir()} == {"out.csv", "gradebook.db", "nbgrader_config.py"}


def test_wrong_column(run: Callable) -> None:
    """A column has to say of which assignment it is."""
    done = run("--format", "canvas", "--column", "essay")
    assert (done.exit_code, "ASSIGNMENT=COLUMN" in done.stderr) == (2, True)


def test_course_without_a_gradebook(run: Callable, course: Path) -> None:
    """Nothing is graded, and no gradebook is made."""
    (course / "gradebook.db").unlink()
    done = run("--format", "csv")
    assert (done.exit_code, "nothing is graded" in done.stderr) == (2, True)
    assert not (course / "gradebook.db").exists()


def test_nbgrader_s_own_export_makes_numbers_and_the_guides_say_so(
    run: Callable, course: Path, chapter: Chapter, repository: Path
) -> None:
    """What is missing or could not be judged is a number there, and empty in `grader export`."""
    _nbgrader_export(course, "--to=theirs.csv")
    assert run("--format", "csv").exit_code == 0
    theirs, ours = (
        {row[key]: row["score"] for row in csv.DictReader((course / name).read_text().splitlines())}
        for name, key in (("theirs.csv", "student_id"), ("out.csv", "student"))
    )
    assert [ours[student] for student in ("eve", "fay")] == ["", ""]
    assert float(theirs["eve"]) == 0 and float(theirs["fay"]) > 0
    for guide in ("docs/instructors.md", "README.md"):
        said = " ".join((repository / guide).read_text(encoding="utf-8").split())
        assert "`nbgrader export` works too" not in said
        assert "formgrader and `nbgrader export` go on" not in said
        assert "nbgrader's own `nbgrader export`" in said


def test_nbgrader_s_own_command(course: Path, chapter: Chapter) -> None:
    """`nbgrader export --exporter` writes the same bytes."""
    asked = [f"--assignment=['{chapter.stem}']", "--to=theirs.csv", "--CanvasExport.missing_as_zero=True"]
    exporter = "--exporter=grader.reporting.exports.plugin.CanvasExport"
    _nbgrader_export(course, exporter, *asked)
    arguments = ["export", chapter.stem, "--course", course, "--output", course / "ours.csv"]
    arguments += ["--format", "canvas", "--missing-as-zero"]
    assert CliRunner().invoke(main, list(map(str, arguments))).exit_code == 0
    assert (course / "theirs.csv").read_bytes() == (course / "ours.csv").read_bytes()


def _nbgrader_export(course: Path, *options: str) -> None:
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    command = [sys.executable, "-m", "nbgrader", "export", *options]
    done = subprocess.run(command, cwd=course, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
