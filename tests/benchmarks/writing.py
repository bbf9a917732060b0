"""Measure how many results a second the one writer records; ``make bench-writing`` runs it.

A small class is graded; its results are then recorded for many students, as they would come from workers: the
graded notebook, the page, the verdict file, and the gradebook in SQLite or PostgreSQL, which waits for the
disk. Nothing is graded meanwhile.
"""

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

from click.testing import CliRunner
from nbgrader.coursedir import CourseDirectory
from rich.console import Console
from rich.table import Table
from traitlets.config import Config

from grader.cli import main as grader
from grader.course.paths import CoursePaths
from grader.exercises import CHAPTERS
from grader.gradebook.writer import ClassGradebook
from grader.grading.class_run import TOGETHER, ClassRun
from grader.grading.course_directory import course_directory, read_config
from grader.grading.master import Master, load_master, released_notebook
from grader.grading.sample_class import make_sample_class
from grader.grading.student_result import WorkerResult
from grader.grading.submission_grader import SubmissionGrader
from grader.grading.submissions import students_with_folder
from grader.sandbox.job import Limits
from tests.postgresql import INITDB, new_database, server

REPOSITORY = Path(__file__).resolve().parents[2]
CHAPTER = CHAPTERS["ch05_causal_attention"]
GRADED, STUDENTS = 12, 2000


def graded_results(run: ClassRun) -> list[WorkerResult]:
    """Return the results of a graded class, as workers gave them."""
    results = []
    for student in students_with_folder(run.directory, run.assignment):
        record = run.places.with_notebook(student, run.places.earlier(student))
        results.append(WorkerResult(record, None, run.places.page(student).read_text(encoding="utf-8")))
    return results


def class_run(directory: CourseDirectory, master: Master) -> ClassRun:
    """Return a run that grades nothing."""
    return ClassRun(directory, SubmissionGrader(master, None, "cpu", Limits.of_cells(30.0)), 0)


def rate(run: ClassRun, config: Config, master: Master, results: list[WorkerResult], together: int) -> float:
    """Record results for many new students; return how many a second."""
    named = zip((f"student-{number:05}" for number in range(STUDENTS)), cycle(results), strict=False)
    batches: Iterator[dict[str, WorkerResult]] = iter(lambda: dict(islice(named, together)), {})
    released = released_notebook(master)
    with closing(ClassGradebook(run.directory, config, run.assignment, released)) as gradebook:
        start = time.perf_counter()
        count = sum(1 for batch in batches for _ in run.record(gradebook, batch))
        return count / (time.perf_counter() - start)


def main() -> None:
    """Measure, and print the table."""
    console = Console()
    console.print(f"{os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f} before the start")
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        source = CoursePaths(place / "class")
        make_sample_class(CHAPTER, CoursePaths(REPOSITORY), source.root, students=GRADED, seed=1)
        command = ["grade", CHAPTER.stem, "--course", str(source.root), "--isolation", "none"]
        done = CliRunner().invoke(grader, command)
        assert done.exit_code == 0, done.output
        config, master = read_config(source), load_master(CHAPTER, source)
        results = graded_results(class_run(course_directory(source, config), master))
        kinds = {"SQLite": lambda name: f"sqlite:///{place / name}.db"}
        if INITDB:
            address = stack.enter_context(server(durable=True))
            kinds["PostgreSQL"] = lambda name: new_database(address, name)
        table = Table(
            "gradebook", "one a transaction", f"up to {TOGETHER}", title=f"{STUDENTS} results, a second"
        )
        for kind, make in kinds.items():
            rates = []
            for together in (1, TOGETHER):
                directory = course_directory(CoursePaths(place / f"{kind}{together}"), config)
                Path(directory.root).mkdir()
                directory.db_url = make(f"grades{together}")
                fresh = [replace(one) for one in results]
                rates.append(rate(class_run(directory, master), config, master, fresh, together))
            table.add_row(kind, *(f"{one:.0f}" for one in rates))
        console.print(table)


if __name__ == "__main__":
    main()
