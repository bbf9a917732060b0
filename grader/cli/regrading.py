"""``grader regrade``: the command. As in ``grader grade``, the sandbox starts before the slow imports."""

import os
from contextlib import closing
from pathlib import Path

import click

from grader.cli.common import course_option, device_option, isolation_option, json_option, report_errors
from grader.sandbox.launch import CELL_SECONDS, launch


@click.command()
@click.argument("assignment")
@click.option("--changed", is_flag=True, help="Only what a correction or a new submission affects.")
@click.option("--yes", is_flag=True, help="Write what is shown; without it nothing is written.")
@click.option("--student", "students", multiple=True, help="This one only; may be given several times.")
@click.option("--workers", type=click.IntRange(min=1), help="Processes; by default one for each CPU.")
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
def regrade(  # noqa: PLR0913 - options are arguments
    assignment: str,
    changed: bool,
    yes: bool,
    students: tuple[str, ...],
    workers: int | None,
    seconds: int,
    isolation: str,
    device: str | None,
    as_json: bool,
    course: Path | None,
) -> None:
    """Grade ASSIGNMENT again after a correction, and show whose score changes before anything is written.

    Corrections are to cases, points, the master notebook, the table of partial credit, or the grader.

    Exit status: 0 nothing changed, or all written; 1 changes shown and not written; 2 could not grade.
    """
    with closing(launch(isolation)) as launched:
        from grader.cli import class_grading, class_regrading  # noqa: PLC0415 - imports torch, meanwhile

        asked = class_grading.Asked(
            assignment=assignment,
            course=course,
            students=frozenset(students),
            workers=workers or os.cpu_count() or 1,
            force=not changed,
            seconds=seconds,
            device=device,
            isolation=isolation,
            as_json=as_json,
        )
        class_regrading.run(asked, launched, yes)
