"""Measure the report on a large class; ``make bench-report`` runs it.

The class is 200 students over six chapters, out of the answer banks, written without running any code. The
command runs in a fresh process each time, so that its imports are in the figure.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from grader.exercises import CHAPTERS
from tests.graded_class import plan_class, write_graded_class

STUDENTS, RUNS = 200, 3
COURSE = tuple(CHAPTERS.values())[:6]
REPORT = "import sys; from grader.cli import program; sys.argv[0] = 'grader'; program()"
FILES = ("report.html", "report.csv", "report.json")


def seconds(folder: Path, *options: str) -> tuple[float, float]:
    """Return how long one report takes, from the start of the process to its end, and what of it is CPU time.

    On a machine that has other things to do only the second can be compared.
    """
    started, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", REPORT, "report", "--all", "--course", str(folder), "--force", *options]
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - started, used


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
            runs = [seconds(folder, *options) for _ in range(RUNS)]
            medians = (statistics.median(column) for column in zip(*runs, strict=True))
            table.add_row(name, *(f"{one:.1f} s" for one in medians))
        console.print(table)
        console.print(", ".join(f"{name} {Path(place, name).stat().st_size / 1000:.0f} kB" for name in FILES))


if __name__ == "__main__":
    main()
