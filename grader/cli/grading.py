"""``grader grade``: a whole class."""

import json
import os
import sys
from collections import Counter
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import click
import torch
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Column, Table
from rich.text import Text

from grader.checking.device import choose_device
from grader.cli.common import (
    COULD_NOT,
    NOT_ALL,
    PASSED,
    course_option,
    device_option,
    isolation_option,
    json_option,
    report_errors,
)
from grader.course.paths import find_course
from grader.exercises import find_chapter
from grader.grading.class_run import ClassRun, Grading, Outcome
from grader.grading.course_directory import course_directory, read_config
from grader.grading.gradebook import ClassGradebook
from grader.grading.master import load_master, released_notebook
from grader.grading.submissions import printable, students_with_folder
from grader.reporting.feedback import feedback_page
from grader.sandbox import Sandbox
from grader.sandbox.job import Limits

# A larger class is shown by its errors alone.
SHOWN = 40


class Summary:
    """What is told at the end; of a large class not every student."""

    def __init__(self) -> None:
        self.statuses: Counter[str] = Counter()
        self.unchanged = 0
        self.rows: list[Outcome] = []
        self.errors: list[Outcome] = []

    def add(self, outcome: Outcome) -> None:
        """Take an outcome into account."""
        self.statuses[outcome.status] += 1
        self.unchanged += outcome.status != "missing" and not outcome.fresh
        slim = replace(outcome, exercises={})
        if len(self.rows) <= SHOWN:
            self.rows.append(slim)
        if outcome.status == "error":
            self.errors.append(slim)

    @property
    def total(self) -> int:
        """How many students there were."""
        return sum(self.statuses.values())

    def table(self) -> Table:
        """Return the table of students."""
        rows = self.rows if self.total <= SHOWN else self.errors
        table = Table("student", Column("score", justify="right"), "status", "notes", box=None)
        for one in sorted(rows, key=lambda row: row.student):
            said = " ".join(filter(None, (one.reason, *one.notes)))
            cells = (one.student, f"{one.score:g} of {one.max_score:g}", one.status, said)
            table.add_row(*(Text(printable(cell)) for cell in cells))
        return table

    def sentence(self) -> str:
        """Return the counts as one line."""
        counts = [f"{self.statuses[status]} {status}" for status in ("graded", "error", "missing")]
        return f"{self.total} students: {', '.join(counts)}; {self.unchanged} unchanged since the last time."


@click.command()
@click.argument("assignment")
@click.option("--student", "students", multiple=True, help="Grade this one only; may be given several times.")
@click.option("--workers", type=click.IntRange(min=1), help="Processes; by default one for each CPU.")
@click.option("--force", is_flag=True, help="Grade again what has not changed.")
@click.option(
    "--seconds",
    type=click.IntRange(1, 3600),
    default=int(Limits.cell_seconds),
    show_default=True,
    help="Time limit for a cell.",
)
@isolation_option
@device_option
@json_option
@course_option
@report_errors
def grade(
    assignment: str,
    students: tuple[str, ...],
    workers: int | None,
    force: bool,
    seconds: int,
    isolation: str,
    device: str | None,
    as_json: bool,
    course: Path | None,
) -> None:
    """Grade what the class handed in for ASSIGNMENT: into nbgrader's gradebook, autograded/ and feedback/.

    What has not changed since the last time is not run again; a run that was interrupted goes on where it was.

    Exit status: 0 all graded, 1 some submissions are errors, 2 could not grade.
    """
    torch.set_num_threads(1)  # the workers are forked: no thread of torch may be there before
    chapter, paths = find_chapter(assignment), find_course(course)
    config = read_config(paths)
    directory = course_directory(paths, config)
    handed_in = students_with_folder(directory, chapter.stem)
    master, where = load_master(chapter, paths), choose_device(device).type
    limits = replace(Limits(), cell_seconds=float(seconds))

    def open_gradebook() -> ClassGradebook:
        return ClassGradebook(directory, config, chapter.stem, released_notebook(master))

    summary, wanted = Summary(), frozenset(students)
    count = len(wanted.intersection(handed_in)) if wanted else len(handed_in)
    console = Console(stderr=True)
    try:
        with Sandbox(isolation) as sandbox:
            page = partial(feedback_page, chapter=chapter)
            grading = Grading(master, sandbox, page, where, limits)
            run = ClassRun(directory, grading, workers or os.cpu_count() or 1, force)
            with (
                progress_with_estimate(console) as bar,
                closing(run.run(open_gradebook, handed_in, wanted)) as made,
            ):
                task = bar.add_task(chapter.stem, total=count)
                for outcome in made:
                    summary.add(outcome)
                    bar.advance(task, outcome.status != "missing")
                    if as_json:
                        click.echo(json.dumps(outcome.to_json()))
    except KeyboardInterrupt:
        console.print("Interrupted. What is listed is recorded; run this again to grade the others.")
        sys.exit(COULD_NOT)
    finally:
        if summary.total and not as_json:
            Console().print(summary.table())
        console.print(summary.sentence(), highlight=False)
    sys.exit(NOT_ALL if summary.statuses["error"] else PASSED)


def progress_with_estimate(console: Console) -> Progress:
    """Return a progress bar that says how much longer it takes."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
    )
