"""``grader grade``: a whole class.

What it imports takes as long as the sandbox takes to start; so both are done at once.
"""

import json
import os
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
import torch
from rich.console import Console

from grader.checking.device import choose_device
from grader.cli.common import (
    COULD_NOT,
    NOT_ALL,
    PASSED,
    course_option,
    device_option,
    isolation_option,
    json_option,
    progress,
    report_errors,
)
from grader.course.paths import CoursePaths, find_course
from grader.exercises import Chapter, find_chapter
from grader.sandbox import Sandbox
from grader.sandbox.job import Limits

if TYPE_CHECKING:
    from grader.grading.class_run import Outcome


@dataclass(frozen=True)
class Asked:
    """What was asked for on the command line."""

    chapter: Chapter
    paths: CoursePaths
    students: frozenset[str]
    workers: int
    force: bool
    device: str
    limits: Limits


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
def grade(  # noqa: PLR0913 - options are arguments
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

    What has not changed since the last time is not run again; a run that was interrupted goes on.

    Exit status: 0 all graded, 1 some submissions are errors, 2 could not grade.
    """
    torch.set_num_threads(1)  # the workers are forked: no thread of torch may be there before
    asked = Asked(
        chapter=find_chapter(assignment),
        paths=find_course(course),
        students=frozenset(students),
        workers=workers or os.cpu_count() or 1,
        force=force,
        device=choose_device(device).type,
        limits=replace(Limits(), cell_seconds=float(seconds)),
    )
    with started_sandbox(isolation) as sandbox:
        from grader.cli.summary import Summary  # noqa: PLC0415 - imports nbgrader, while the sandbox starts

        summary, console = Summary(), Console(stderr=True)
        try:
            with closing(outcomes(asked, sandbox)) as made:
                for outcome in made:
                    summary.add(outcome)
                    if as_json:
                        click.echo(json.dumps(outcome.to_json()))
        except KeyboardInterrupt:
            console.print("Interrupted. What was graded is recorded; run this again to grade the others.")
            sys.exit(COULD_NOT)
        finally:
            if summary.total and not as_json:
                Console().print(summary.table())
            console.print(summary.sentence(), highlight=False)
    sys.exit(NOT_ALL if summary.statuses["error"] else PASSED)


@contextmanager
def started_sandbox(isolation: str) -> "Iterator[Future[Sandbox]]":
    """Start a sandbox in the background, and end it in the end."""
    with ThreadPoolExecutor(1) as pool:
        starting = pool.submit(Sandbox, isolation)
        try:
            yield starting
        finally:
            if starting.exception() is None:
                starting.result().close()


def outcomes(asked: Asked, sandbox: "Future[Sandbox]") -> "Iterator[Outcome]":
    """Yield the students' outcomes, with a progress bar on stderr."""
    from grader.grading.class_run import ClassRun, Grading  # noqa: PLC0415 - as above
    from grader.grading.course_directory import course_directory, read_config  # noqa: PLC0415
    from grader.grading.gradebook import ClassGradebook  # noqa: PLC0415
    from grader.grading.master import load_master, released_notebook  # noqa: PLC0415
    from grader.grading.submissions import students_with_folder  # noqa: PLC0415

    stem, config = asked.chapter.stem, read_config(asked.paths)
    directory = course_directory(asked.paths, config)
    handed_in = students_with_folder(directory, stem)
    master = load_master(asked.chapter, asked.paths)

    def open_gradebook() -> ClassGradebook:
        return ClassGradebook(directory, config, stem, released_notebook(master))

    grading = Grading(master, sandbox.result(), asked.device, asked.limits)
    run = ClassRun(directory, grading, asked.workers, asked.force)
    count = len(asked.students.intersection(handed_in)) if asked.students else len(handed_in)
    with progress(estimate=True) as bar, closing(run.run(open_gradebook, handed_in, asked.students)) as made:
        task = bar.add_task(stem, total=count)
        for outcome in made:
            bar.advance(task, outcome.status != "missing")
            yield outcome
