"""``grader regrade``: the command. As in ``grader grade``, the sandbox starts before the slow imports."""

from dataclasses import replace

import click

from grader.cli import load
from grader.cli.class_options import GradeOptions, class_options
from grader.cli.common import report_errors


@click.command()
@click.option("--changed", is_flag=True, help="Only what a correction or a new submission affects.")
@click.option("--yes", is_flag=True, help="Write what is shown; without it nothing is written.")
@class_options
@report_errors
def regrade(options: GradeOptions, changed: bool, yes: bool) -> None:
    """Grade ASSIGNMENT again after a correction, and show whose score changes before anything is written.

    Corrections are to cases, points, the master notebook, the tables of course.toml, decisions for the class,
    or the grader.

    Exit status: 0 nothing changed, or all written; 1 changes shown and not written; 2 could not grade.
    """
    with options.launched() as launched:
        class_regrading = load("class_regrading")  # imports torch, meanwhile
        class_regrading.run(replace(options, force=not changed), launched, yes)
