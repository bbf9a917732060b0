"""``grader grade``: the command. What it needs takes seconds to import; the sandbox starts meanwhile."""

from dataclasses import replace

import click

from grader.cli import load
from grader.cli.class_options import GradeOptions, class_options
from grader.cli.common import report_errors


@click.command()
@click.option("--force", is_flag=True, help="Grade again what has not changed.")
@class_options
@report_errors
def grade(options: GradeOptions, force: bool) -> None:
    """Grade what the class handed in for ASSIGNMENT: into nbgrader's gradebook, autograded/ and feedback/.

    What has not changed since the last time is not run again; a run that was interrupted goes on.

    Exit status: 0 all graded, 1 some submissions are errors, 2 could not grade.
    """
    with options.launched() as launched:
        class_grading = load("class_grading")  # imports torch, while the fork server does
        class_grading.run(replace(options, force=force), launched)
