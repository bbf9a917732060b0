"""`grader similarity`: its table, its lines, its page."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader.cli import main
from grader.course.paths import CoursePaths
from grader.exercises import Chapter
from grader.grading.sample_class import make_sample_class


@pytest.fixture(scope="module")
def course(repository: Path, chapter: Chapter, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a class in which one has handed in a neighbor's notebook, and one a broken file."""
    folder = tmp_path_factory.mktemp("class") / "course"
    make_sample_class(chapter, CoursePaths(repository), folder, 12, 4)

    def place(student: str) -> Path:
        return folder / "submitted" / student / chapter.stem / f"{chapter.stem}.ipynb"

    place("student-02").write_bytes(place("student-05").read_bytes())
    place("student-11").write_text("{")
    return folder


@pytest.fixture
def run(course: Path, chapter: Chapter, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Return a function that runs the command in a terminal of eighty columns."""
    monkeypatch.setenv("COLUMNS", "80")
    fixed = ["similarity", chapter.stem, "--course", str(course)]
    return lambda *more: CliRunner().invoke(main, [*fixed, *map(str, more)])


def test_table(run: Callable) -> None:
    """The pair is first; the caution, what was not compared and the next step are there."""
    done = run("--top", 3)
    assert done.exit_code == 0, done.output
    assert done.stdout.index("student-02") < done.stdout.index("student-05")
    assert "never a finding" in done.stdout.replace("\n", " ")
    assert "Not compared: student-11" in done.stdout
    assert "--html" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_json(run: Callable) -> None:
    """The class first, with the caution, then a pair a line."""
    first, *pairs = map(json.loads, run("--json", "--top", 2).stdout.splitlines())
    assert first["students"] == 11
    assert "never a finding" in first["note"]
    assert set(first["unread"]) == {"student-11"}
    assert len(pairs) == 2
    assert pairs[0]["students"] == ["student-02", "student-05"]
    assert all(one["same"] == 1.0 for one in pairs[0]["exercises"].values())


def test_anonymous_page(run: Callable, tmp_path: Path) -> None:
    """No name is in the table or on the page."""
    page = tmp_path / "out" / "page.html"
    page.parent.mkdir()
    page.write_text("old")
    done = run("--html", page, "--anonymous", "--force")
    assert done.exit_code == 0, done.output
    assert "student-0" not in done.stdout + page.read_text()
    assert "student 1" in page.read_text()


def test_unknown_assignment(run: Callable, course: Path) -> None:
    """One line, status 2."""
    done = CliRunner().invoke(main, ["similarity", "essay", "--course", str(course)])
    assert (done.exit_code, "essay" in done.stderr) == (2, True)
