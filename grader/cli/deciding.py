"""``grader decide``: the command. What it needs takes seconds to import."""

from dataclasses import dataclass
from pathlib import Path

import click

from grader.cli import load
from grader.cli.common import course_option, isolation_option, json_option, report_errors


@dataclass(frozen=True)
class DecideOptions:
    """The command-line options; exactly one of the first five is given."""

    full_points: bool
    leave_out: bool
    accept: str | None
    accept_file: Path | None
    revoke: int | None
    exercise: str
    reason: str
    as_json: bool
    isolation: str
    course: Path | None


@click.command(
    epilog="""\b
Examples:
  grader decide ch04-self-attention --full-points --reason "The docstring was wrong until Monday."
  grader decide ch04-self-attention --leave-out --reason "It was not covered."
  grader decide ch04-self-attention --accept ada --reason "The text allows for this reading."
  grader decide --list
  grader decide --revoke 2
"""
)
@click.argument("exercise", metavar="[EXERCISE]", default="")
@click.option("--full-points", is_flag=True, help="Full points for everyone who handed in.")
@click.option("--leave-out", is_flag=True, help="The exercise counts in nobody's points or maximum.")
@click.option(
    "--accept",
    metavar="STUDENT",
    help="Full points for this student's answer, and for every answer that does the same.",
)
@click.option(
    "--accept-file",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="The same for the answer in a Python file or a notebook.",
)
@click.option("--revoke", type=click.IntRange(min=1), metavar="NUMBER", help="Take a decision back.")
@click.option("--list", "listed", is_flag=True, help="Show all decisions, also those that were revoked.")
@click.option("--reason", default="", help="Why; students read it.")
@isolation_option
@json_option
@course_option
@report_errors
def decide(  # noqa: PLR0913 - options are arguments
    exercise: str,
    full_points: bool,
    leave_out: bool,
    accept: str | None,
    accept_file: Path | None,
    revoke: int | None,
    listed: bool,
    reason: str,
    as_json: bool,
    isolation: str,
    course: Path | None,
) -> None:
    """Decide something about EXERCISE for the whole class, with a reason that students read.

    A decision is kept in decisions.toml. It changes scores when you grade next: `grader regrade CHAPTER
    --changed` shows what it changes, and `--yes` writes it. A score given by hand in formgrader wins.
    """
    decides = (full_points, leave_out, accept is not None, accept_file is not None)
    if sum((*decides, revoke is not None, listed)) != 1:
        raise click.UsageError(
            "Say one of --full-points, --leave-out, --accept, --accept-file, --revoke and --list."
        )
    if any(decides) and not (exercise and reason.strip()):
        raise click.UsageError("A decision needs the exercise and --reason.")
    if not any(decides) and (exercise or reason):
        raise click.UsageError("--list and --revoke take no exercise and no --reason.")
    options = DecideOptions(
        full_points,
        leave_out,
        accept,
        accept_file,
        revoke,
        exercise,
        reason,
        as_json,
        isolation,
        course,
    )
    load("class_deciding").run(options)
