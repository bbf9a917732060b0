"""What `grader doctor` says of the machine."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch

from grader.course.paths import CoursePaths
from grader.doctor import machine


@pytest.mark.parametrize(
    ("version", "status"), [((3, 10, 4), "fails"), ((3, 11, 9), "ok"), ((3, 13, 0), "warning")]
)
def test_python(version: tuple[int, ...], status: str) -> None:
    """An older Python fails, a newer one is a warning."""
    found = machine.python_version(version)
    assert found.status == status
    assert ".".join(map(str, version)) in found.seen
    assert bool(found.advice) == (status != "ok")


@pytest.mark.parametrize(
    ("version", "status"),
    [("2.13.0", "ok"), ("2.13.0+cu128", "ok"), ("2.12.1", "fails"), ("2.13.01", "fails")],
)
def test_torch(version: str, status: str) -> None:
    """The pinned version counts, whatever its build."""
    assert machine.torch_version(version).status == status


def test_torch_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkout that was never installed says so."""

    def requires(name: str) -> list[str]:
        raise machine.PackageNotFoundError(name)

    monkeypatch.setattr(machine, "requires", requires)
    found = machine.torch_version()
    assert (found.status, "not installed" in found.seen) == ("fails", True)
    assert "make setup" in found.advice


def test_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """A device that is not there fails; a GPU is a warning, for isolation leaves it out."""
    monkeypatch.setenv("GRADER_DEVICE", "cpu")
    assert machine.device().status == "ok"
    monkeypatch.setenv("GRADER_DEVICE", "abacus")
    assert (machine.device().status, "abacus" in machine.device().seen) == ("fails", True)
    monkeypatch.setenv("GRADER_DEVICE", "cuda")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: "a GPU")
    found = machine.device()
    assert (found.status, "a GPU" in found.seen, "GRADER_DEVICE" in found.advice) == ("warning", True, True)


def test_generator(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the generator draws other numbers, the exercises are named."""
    paths = CoursePaths(repository)
    assert machine.generator(paths).status == "ok"
    monkeypatch.setattr(machine, "generator_note", lambda exercise, case: "other numbers")
    found = machine.generator(paths)
    assert found.status == "warning"
    assert "ch04-self-attention-v1" in found.seen


def test_isolation(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is missing is said, and what grading needs then."""
    assert machine.isolation().status == "ok"
    monkeypatch.setattr(machine, "missing_isolation", lambda: ("This Linux has no Landlock.",))
    found = machine.isolation()
    assert (found.status, found.seen) == ("fails", "This Linux has no Landlock.")
    assert "--isolation none" in found.advice


def test_commands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without the environment on PATH, nbgrader's own commands are not found."""
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    assert machine.commands().status == "ok"
    monkeypatch.setenv("PATH", str(tmp_path))
    found = machine.commands()
    assert (found.status, found.seen[:20]) == ("warning", "nbgrader and alembic")
    assert str(Path(sys.executable).parent) in found.advice


def test_command_is_light() -> None:
    """Asking for help loads neither torch nor nbgrader."""
    code = "import grader.cli.doctor, sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"torch", "nbgrader", "sqlalchemy"} & set(loaded.stdout.split())
