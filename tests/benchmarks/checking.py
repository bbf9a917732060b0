"""Measure what a learner and an author wait for; ``make bench`` runs it.

Every figure is a median of several runs, for a chapter's checks the lowest and the highest median of its
exercises. What must be cold (an import, a first check) is measured in a fresh process each time.
"""

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import torch
from rich.console import Console
from rich.progress import track
from rich.table import Table

from grader.course.build import build
from grader.course.paths import CoursePaths
from grader.exercises import CHAPTERS, EXERCISES, Exercise, find_exercise
from grader.proving.bank import bank_path, read_bank
from grader.references import load_exercise

REPOSITORY = Path(__file__).resolve().parents[2]
IMPORTS = 7
FRESH_RUNS = 3
LATER_CHECKS = 15
BUILDS = 3

IMPORT = """
import time
import torch, numpy
start = time.perf_counter()
from grader import check
print(time.perf_counter() - start)
"""

CHECKS = """
import contextlib, io, sys, time
import torch, numpy
from grader import check, CheckFailedError
from grader.checking import notebook
from grader.checking.loading import load_subject

exercise, name, file, times, steps = sys.argv[1:]
if not int(steps):
    notebook.case_to_trace = lambda *_: None
subject, _ = load_subject(open(file).read(), name, file)
for _ in range(int(times)):
    start = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(CheckFailedError):
        check(exercise, subject, device="cpu")
    print(time.perf_counter() - start)
"""


def fresh(code: str, *arguments: str) -> list[float]:
    """Run code in a fresh process and return the numbers it prints."""
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=REPOSITORY)
    return [float(line) for line in done.stdout.split()]


def milliseconds(*measured: list[float]) -> str:
    """Return the lowest and the highest median, in milliseconds."""
    medians = [f"{1000 * statistics.median(seconds):.0f}" for seconds in measured]
    low, high = min(medians, key=int), max(medians, key=int)
    return f"{low} ms" if low == high else f"{low} to {high} ms"


def check_times(
    exercise: Exercise, answer: str, folder: Path, *, steps: bool = True
) -> tuple[list[float], list[float]]:
    """Return the times of first and of later checks of a bank answer, with its steps or without."""
    bank = {one.name: one for one in read_bank(bank_path(REPOSITORY / "solutions", exercise))}
    file = folder / "answer.py"
    file.write_text(bank[answer].program, encoding="utf-8")
    first, later = [], []
    for _ in range(FRESH_RUNS):
        arguments = exercise.id, exercise.subject, str(file), str(1 + LATER_CHECKS), str(int(steps))
        cold, *warm = fresh(CHECKS, *arguments)
        first.append(cold)
        later += warm
    return first, later


def build_times() -> dict[str, list[float]]:
    """Return the time that building each chapter's notebooks takes."""
    paths, times = CoursePaths(REPOSITORY), {}
    for chapter in CHAPTERS.values():
        times[chapter.stem] = []
        for _ in range(BUILDS):
            start = time.perf_counter()
            build(chapter, paths, lambda done, total: None)
            times[chapter.stem].append(time.perf_counter() - start)
    return times


def measured_exercises() -> list[Exercise]:
    """Return the exercises named on the command line; all if none is."""
    return [find_exercise(name) for name in sys.argv[1:]] or list(EXERCISES.values())


def main() -> None:
    """Measure, and print a table."""
    table = Table("what", "median", "of", title="What checking and building take")
    imports = [fresh(IMPORT)[0] for _ in track(range(IMPORTS), "import grader")]
    table.add_row("import grader, after torch and numpy", milliseconds(imports), f"{IMPORTS} processes")
    measured: dict[tuple[str, str], list[list[float]]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for exercise in track(measured_exercises(), "checks"):
            bank = read_bank(bank_path(REPOSITORY / "solutions", exercise))
            right, wrong = bank[0].name, next(one.name for one in bank if not one.correct)
            kinds = [(right, "right answer", True), (wrong, "wrong answer", True)]
            if load_exercise(exercise.chapter, exercise.id).steps:
                kinds.append((wrong, "wrong answer without its steps", False))
            for answer, kind, steps in kinds:
                first, later = check_times(exercise, answer, Path(folder), steps=steps)
                measured[exercise.chapter, f"first check, {kind}"].append(first)
                measured[exercise.chapter, f"later checks, {kind}"].append(later)
    for (stem, what), times in measured.items():
        table.add_row(
            f"{stem}: {what}", milliseconds(*times), f"{len(times)} exercises, {len(times[0])} each"
        )
    for stem, times in build_times().items():
        table.add_row(f"build {stem}", f"{statistics.median(times):.1f} s", f"{len(times)} builds")
    console = Console()
    console.print(table)
    console.print(
        f"{platform.machine()}, {os.cpu_count()} CPU cores, {platform.system()}, "
        f"Python {platform.python_version()}, torch {torch.__version__}"
    )


if __name__ == "__main__":
    main()
