"""Measure the report and other commands on large classes; ``make bench-report`` runs it.

A class of 200 students over six chapters, and growing classes of chapter 4 alone, are composed of the answer
banks and written without running any code. A command runs in a fresh process each time, so that its imports
are in the figure.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from grader.course.paths import CoursePaths
from grader.exercises import CHAPTERS
from tests.graded_class import REPOSITORY, plan_class, write_graded_class

STUDENTS, RUNS = 200, 3
COURSE = tuple(CHAPTERS.values())[:6]
GROWING, SIZES = CHAPTERS["ch04_self_attention"], (1_000, 10_000)
# The memory is read from /proc: that of getrusage has been the starting process's, too.
GRADER = """
import atexit, sys
from pathlib import Path
atexit.register(lambda: Path(seen).write_text(Path("/proc/self/status").read_text()))
seen = sys.argv.pop(1)
sys.argv[0] = "grader"
from grader.cli import program
program()
"""
FILES = ("report.html", "report.csv", "report.json")


@dataclass(frozen=True)
class Cost:
    """What a command took, from the start of its process to the end: seconds, and at most MiB."""

    wall: float
    used: float
    memory: float


def cost(folder: Path, *command: str) -> Cost:
    """Run a command on a class; on a machine that has other things to do only CPU time can be compared."""
    started, seen = time.perf_counter(), folder.with_name("status.txt")
    process = subprocess.Popen(
        [sys.executable, "-c", GRADER, str(seen), *command, "--course", str(folder)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode in (0, 1), command  # 1: some work could not be read
    peak = next(line for line in seen.read_text().splitlines() if line.startswith("VmHWM:"))
    return Cost(time.perf_counter() - started, used.ru_utime + used.ru_stime, int(peak.split()[1]) / 1024)


def grown(place: Path, sizes: Sequence[int]) -> Table:
    """Return what commands take on classes of one chapter, by their size."""
    stem = GROWING.stem
    commands = {
        "report --html --csv": lambda to: (
            "report",
            stem,
            "--html",
            f"{to}.html",
            "--csv",
            f"{to}.report.csv",
        ),
        "similarity --html": lambda to: ("similarity", stem, "--html", f"{to}.similar.html"),
        "export --format csv": lambda to: ("export", stem, "--format", "csv", "--output", f"{to}.csv"),
    }
    table = Table("command", *(f"{size:,} students" for size in sizes), title=f"{stem}: CPU time, memory")
    rows: dict[str, list[str]] = {name: [] for name in commands}
    for size in sizes:
        folder = place / f"of_{size}"
        write_graded_class(folder, (GROWING,), plan_class((GROWING,), size, seed=1), whole=True)
        solution = CoursePaths(folder).solution(GROWING)
        solution.parent.mkdir(parents=True)
        shutil.copyfile(CoursePaths(REPOSITORY).solution(GROWING), solution)
        for notebook in folder.glob("autograded/*/*/*.ipynb"):
            handed_in = folder / "submitted" / notebook.relative_to(folder / "autograded")
            handed_in.parent.mkdir(parents=True)
            shutil.copyfile(notebook, handed_in)
        for name, command in commands.items():
            one = cost(folder, *command(place / f"{size}"))
            rows[name].append(f"{one.used:.1f} s, {one.memory:.0f} MiB")
        shutil.rmtree(folder)
    for name, cells in rows.items():
        table.add_row(name, *cells)
    return table


def main() -> None:
    """Measure what is written and what is shown."""
    console = Console()
    console.print(f"{os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f} before the start")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "course")
        write_graded_class(folder, COURSE, plan_class(COURSE, STUDENTS, seed=1), whole=True)
        written = [part for name in FILES for part in (f"--{Path(name).suffix[1:]}", str(Path(place, name)))]
        table = Table(
            "report",
            "wall time",
            "CPU time",
            title=f"{STUDENTS} students, {len(COURSE)} chapters, {RUNS} runs",
        )
        for name, options in (("page, CSV and JSON", written), ("in the terminal", [])):
            runs = [cost(folder, "report", "--all", "--force", *options) for _ in range(RUNS)]
            medians = (statistics.median(getattr(one, part) for one in runs) for part in ("wall", "used"))
            table.add_row(name, *(f"{one:.1f} s" for one in medians))
        console.print(table)
        console.print(grown(Path(place), SIZES))
        console.print(", ".join(f"{name} {Path(place, name).stat().st_size / 1000:.0f} kB" for name in FILES))


if __name__ == "__main__":
    main()
