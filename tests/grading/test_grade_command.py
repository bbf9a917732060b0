"""`grader grade` from a shell: its lines, its status, and what an interruption leaves."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader.cli import main
from grader.course.paths import CoursePaths
from grader.exercises import Chapter
from grader.grading.sample_class import make_sample_class

COMMAND = "import sys; from grader.cli import program; sys.argv[0] = 'grader'; program()"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory, repository: Path, chapter: Chapter) -> Path:
    """Return a class of three, not graded."""
    folder = tmp_path_factory.mktemp("sample") / "class"
    make_sample_class(chapter, CoursePaths(repository), folder, students=3, seed=3)
    return folder


@pytest.fixture
def course(sample: Path, tmp_path: Path) -> Path:
    """Return a copy of the class, free to be graded."""
    return Path(shutil.copytree(sample, tmp_path / "class"))


@pytest.fixture
def grade(course: Path, chapter: Chapter) -> Callable[..., Result]:
    """Return a function that runs the command on the class, without isolation."""
    arguments = ["grade", chapter.stem, "--course", str(course), "--isolation", "none"]
    return lambda *more: CliRunner().invoke(main, [*arguments, *more])


def test_one_line_a_student_and_status_1_for_an_error(
    grade: Callable, course: Path, chapter: Chapter
) -> None:
    """JSON for tools: status, score, exercises and the reason."""
    broken = course / "submitted" / "student-02" / chapter.stem / f"{chapter.stem}.ipynb"
    broken.write_text("{")
    done = grade("--json")
    assert done.exit_code == 1, done.output
    lines = {line["student"]: line for line in map(json.loads, done.stdout.splitlines())}
    expected = json.loads((course / "expected.json").read_text())[chapter.stem]
    assert set(lines) == set(expected)
    for student, line in lines.items():
        assert set(line) == {
            *("student", "status", "score", "max_score", "seconds", "exercises", "reason", "notes"),
            *("waiting", "undecided", "review", "penalty"),
        }
        assert set(line["exercises"]) == set(chapter.by_id)
        if student != "student-02":
            assert (line["status"], line["score"]) == ("graded", expected[student]["score"])
            diagnosis = {name: one["diagnosis"] for name, one in line["exercises"].items()}
            assert diagnosis == {
                name: one["diagnosis"] for name, one in expected[student]["exercises"].items()
            }
    assert (lines["student-02"]["status"], lines["student-02"]["score"]) == ("error", None)
    assert {one["score"] for one in lines["student-02"]["exercises"].values()} == {None}
    assert lines["student-02"]["reason"]
    assert "handed in again: student-02." in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--student", "nobody"), "no student nobody"),
        (("--course", "/"), "no course"),
    ],
)
def test_what_cannot_be_graded_is_status_2(grade: Callable, arguments: tuple[str, ...], said: str) -> None:
    """The reason alone: nothing is counted where nothing was graded."""
    done = grade(*arguments)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "0 students" not in done.stderr


def test_interrupted_run_is_summed_up_and_goes_on(course: Path, chapter: Chapter, grade: Callable) -> None:
    """Ctrl-C ends it with what was done; the next run does the rest."""
    command = [sys.executable, "-c", COMMAND, "grade", chapter.stem, "--course", str(course), "--json"]
    process = subprocess.Popen(
        [*command, "--isolation", "none", "--workers", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    first = json.loads(process.stdout.readline())
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate()
    assert process.returncode == 2, told
    assert "Interrupted" in told
    assert "Traceback" not in told
    done = grade()
    assert done.exit_code == 0
    assert first["student"] in done.stdout
    unchanged = done.stderr.partition("; ")[2]
    assert int(unchanged.split()[0]) >= 1
