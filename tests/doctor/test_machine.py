"""What `grader doctor` says of the machine."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch

from grader.course.paths import CoursePaths
from grader.doctor import machine
from grader.versions import TRIED


@pytest.mark.parametrize(
    ("name", "version", "status"),
    [
        ("Python", "3.10.4", "fails"),
        ("Python", "3.11.9", "ok"),
        ("Python", "3.14.0", "ok"),
        ("Python", "3.99.0rc1", "warning"),
        ("PyTorch", "2.13.0", "ok"),
        ("PyTorch", "2.13.1+cu128", "ok"),
        ("PyTorch", "2.9.1", "fails"),
        ("PyTorch", "2.99.0a0+git1", "warning"),
        ("nbgrader", "0.9.6", "ok"),
        ("nbgrader", "0.8.5", "fails"),
        ("nbgrader", "0.10.0", "warning"),
    ],
)
def test_versions(name: str, version: str, status: str) -> None:
    """What was tried is right, whatever its build; what is older fails, and what is newer is a warning."""
    found = machine.version(name, version)
    assert (found.check, found.status) == (name, status)
    assert version in found.seen
    assert bool(found.advice) == (status != "ok")


@pytest.mark.parametrize("name", TRIED)
def test_versions_of_this_machine_are_tried_ones(name: str) -> None:
    """What runs these tests is on the list, or the list is to be brought up to date."""
    assert machine.version(name).status == "ok"


def test_nbgrader_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A student's environment has none; who grades is told to install it."""

    def version(name: str) -> str:
        raise machine.PackageNotFoundError(name)

    monkeypatch.setattr("grader.versions.version", version)
    found = machine.version("nbgrader")
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


def test_generator(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the generator draws other numbers, the exercises of the course are named."""
    paths = CoursePaths(repository)
    assert machine.generator(paths).status == "ok"
    monkeypatch.setattr(machine, "generator_note", lambda exercise, case: "other numbers")
    found = machine.generator(paths)
    assert found.status == "warning"
    assert "ch04-self-attention-v1" in found.seen
    assert "of 0 exercises" in machine.generator(CoursePaths(tmp_path)).seen  # a course without chapters


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
    assert (found.status, found.seen[:33]) == ("warning", "not on PATH: nbgrader and alembic")
    assert str(Path(sys.executable).parent) in found.advice


def test_command_is_light() -> None:
    """Asking for help loads neither torch nor nbgrader."""
    code = "import grader.cli.doctor, sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"torch", "nbgrader", "sqlalchemy"} & set(loaded.stdout.split())
