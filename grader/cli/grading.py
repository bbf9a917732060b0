"""``grader grade``: the command. What it needs takes seconds to import; the sandbox starts meanwhile."""

import os
from contextlib import closing
from pathlib import Path

import click

from grader.cli.common import course_option, device_option, isolation_option, json_option, report_errors
from grader.sandbox.launch import CELL_SECONDS, launch


@click.command()
@click.argument("assignment")
@click.option("--student", "students", multiple=True, help="Grade this one only; may be given several times.")
@click.option("--workers", type=click.IntRange(min=1), help="Processes; by default one for each CPU.")
@click.option("--force", is_flag=True, help="Grade again what has not changed.")
@click.option(
    "--seconds",
    type=click.IntRange(1, 3600),
    default=CELL_SECONDS,
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
    with closing(launch(isolation)) as launched:
        from grader.cli import class_grading  # noqa: PLC0415 - imports torch, while the warm process does

        asked = class_grading.Asked(
            assignment=assignment,
            course=course,
            students=frozenset(students),
            workers=workers or os.cpu_count() or 1,
            force=force,
            seconds=seconds,
            device=device,
            isolation=isolation,
            as_json=as_json,
        )
        class_grading.run(asked, launched)
