"""Check the machine: versions, device, random generator, nbgrader's commands, and isolation."""

import re
import shutil
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import torch

from grader.checking.checks import generator_note
from grader.checking.device import choose_device
from grader.course.paths import CoursePaths, chapters_in
from grader.doctor.finding import INSTALL, Finding, named
from grader.errors import DeviceError, ReferenceDataError
from grader.exercises import Exercise
from grader.references import load_for_grading
from grader.sandbox.sandbox import missing_isolation
from grader.versions import TRIED, installed, release, was_tried

COMMANDS = ("nbgrader", "alembic")


def version(name: str, seen: str | None = None) -> Finding:
    """Check one of the versions that matter: Python's, PyTorch's or nbgrader's, whatever its build.

    Args:
        name: a key of ``TRIED``.
        seen: the version; by default the one that runs here.
    """
    try:
        seen = seen or installed(name)
    except PackageNotFoundError:
        return Finding(name, "fails", "is not installed", INSTALL)
    tried = TRIED[name]
    if was_tried(name, seen):
        return Finding(name, "ok", seen)
    if _numbers(release(name, seen)) < _numbers(tried[0]):
        return Finding(name, "fails", f"{seen}; {tried[0]} or later is needed", INSTALL)
    advice = f"Go on; if something is odd, install one of these ({INSTALL.rstrip('.')})."
    return Finding(name, "warning", f"{seen} was never tried; {named([*tried], len(tried))} were", advice)


def _numbers(release: str) -> tuple[int, ...]:
    """Return a release's numbers, for comparing; what follows them, as in 2.14a0, does not count."""
    return tuple(int(re.match(r"\d*", part)[0] or 0) for part in release.split("."))


def device() -> Finding:
    """Check the device that grading with full isolation would choose."""
    try:
        chosen = choose_device(isolated=True)
    except DeviceError as error:
        return Finding("device", "fails", str(error), "Set GRADER_DEVICE to cpu, or remove it.")
    if chosen.type == "cpu":
        return Finding("device", "ok", "cpu")
    return Finding(
        "device",
        "warning",
        f"{chosen.type}: {torch.cuda.get_device_name(chosen)}; full isolation refuses it",
        "Remove GRADER_DEVICE for grading, or grade a class that you trust with `--isolation none`.",
    )


def generator(paths: CoursePaths) -> Finding:
    """Check that this machine draws the numbers that were recorded with the published examples."""
    drawing = [one for chapter in chapters_in(paths) for one in chapter.exercises if one.drawn_by]
    found = {one.id: _draws_as_recorded(one, paths) for one in drawing}
    others = [name for name, same in found.items() if same is False]
    if not others:
        count = sum(same is True for same in found.values())
        return Finding("generator", "ok", f"draws the recorded weights of {count} exercises")
    return Finding(
        "generator",
        "warning",
        f"draws other numbers than recorded: {named(others)}",
        "Nothing to do: recorded weights are loaded, and how an answer draws its own is not checked.",
    )


def _draws_as_recorded(exercise: Exercise, paths: CoursePaths) -> bool | None:
    """Return whether the seed gives an exercise's recorded weights; None where there are no references."""
    try:
        cases = load_for_grading(exercise.chapter, exercise.id, paths).visible
    except ReferenceDataError:
        return None  # what is wrong with them is another check's concern
    return not any(generator_note(exercise, case) for case in cases)


def isolation() -> Finding:
    """Check that full isolation of learners' code is available."""
    if missing := missing_isolation():
        return Finding(
            "isolation",
            "fails",
            " ".join(missing),
            "Grade on a Linux that has it, or with `--isolation none` a class that you trust.",
        )
    return Finding("isolation", "ok", "full: namespaces, Landlock and seccomp")


def commands() -> Finding:
    """Check that nbgrader's commands, which nbgrader itself starts, are on the path."""
    missing = [name for name in COMMANDS if shutil.which(name) is None]
    if not missing:
        return Finding("commands", "ok", f"{' and '.join(COMMANDS)} are on PATH")
    folder = Path(sys.executable).parent
    return Finding(
        "commands",
        "warning",
        f"not on PATH: {' and '.join(missing)}, which nbgrader's own commands need (`grader` does not)",
        f'Run `source {folder}/activate`, or `export PATH="{folder}:$PATH"`.',
    )
