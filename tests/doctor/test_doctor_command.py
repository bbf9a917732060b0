"""`grader doctor`: its lines and its exit status."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader.cli import main


@pytest.fixture
def doctor(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Return a function that runs the command in a terminal of eighty columns."""
    monkeypatch.setenv("COLUMNS", "80")
    return lambda *more: CliRunner().invoke(main, ["doctor", *map(str, more)])


def test_this_course(doctor: Callable, repository: Path) -> None:
    """In the repository nothing fails; each line is a check."""
    done = doctor("--json", "--course", repository)
    lines = {line["check"]: line for line in map(json.loads, done.stdout.splitlines())}
    assert done.exit_code == 0, done.output
    assert {"Python", "isolation", "late penalties", "references", "hidden cases", "gradebook", "disk"} < set(
        lines
    )
    assert {line["status"] for line in lines.values()} <= {"ok", "warning"}
    assert lines["hidden cases"]["status"] == "warning"
    assert not (repository / "gradebook.db").exists()


def test_failing_course_is_status_1(doctor: Callable, repository: Path, tmp_path: Path) -> None:
    """A course without anything in it: one line for each thing, and what to do."""
    shutil.copy(repository / "nbgrader_config.py", tmp_path)
    done = doctor("--course", tmp_path)
    assert done.exit_code == 1
    assert "fails   notebooks" in done.stdout
    assert "-> " in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_broken_installation(repository: Path) -> None:
    """Without torch there is still a line, and what to do."""
    code = "import sys; sys.modules['torch'] = None; from grader.cli import main; main(['doctor'])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=repository
    )
    assert done.returncode == 1, done.stderr
    assert "torch" in done.stdout
    assert "make setup" in done.stdout


def test_no_course(doctor: Callable, tmp_path: Path) -> None:
    """The machine is still examined."""
    done = doctor("--course", tmp_path)
    assert done.exit_code == 1
    assert "isolation" in done.stdout
    assert "There is no course" in done.stdout.replace("\n", " ")
