"""``grader extend``: the command. What it needs takes seconds to import."""

from dataclasses import dataclass
from pathlib import Path

import click

from grader.cli import load
from grader.cli.common import course_option, json_option, report_errors
from grader.course.paths import CoursePaths, find_course

EPILOG = """\b
Examples:
  grader extend ada ch04_self_attention --days 2 --reason "Ill."
  grader extend ada bob ch04_self_attention --until "2026-12-05 23:59 UTC"
  grader extend ada --all-chapters --days 2
  grader extend --all-students ch04_self_attention --days 1
  grader extend --list
  grader extend --revoke ada ch04_self_attention
"""


@dataclass(frozen=True)
class ExtendOptions:
    """The command-line options; the student "" means everybody, the chapter "" all chapters."""

    paths: CoursePaths
    students: tuple[str, ...]
    chapter: str
    days: float | None
    until: str | None
    reason: str


@click.command(epilog=EPILOG)
@click.argument("names", nargs=-1, metavar="[STUDENT]... [CHAPTER]")
@click.option("--days", type=float, help="How much later than the due date; parts of a day, too.")
@click.option("--until", metavar="TIME", help="In place of that, a time; without a zone it is in UTC.")
@click.option("--all-chapters", is_flag=True, help="Every chapter, also those to come, in place of CHAPTER.")
@click.option("--all-students", is_flag=True, help="The whole class, in place of STUDENT.")
@click.option("--reason", default="", help="Why; students do not read it.")
@click.option("--revoke", is_flag=True, help="Take the extension back that was given in the same words.")
@click.option("--list", "listed", is_flag=True, help="Show all extensions, also those that were revoked.")
@json_option
@course_option
@report_errors
def extend(  # noqa: PLR0913 - options are arguments
    names: tuple[str, ...],
    days: float | None,
    until: str | None,
    all_chapters: bool,
    all_students: bool,
    reason: str,
    revoke: bool,
    listed: bool,
    as_json: bool,
    course: Path | None,
) -> None:
    """Give each STUDENT more time for CHAPTER; penalties for handing in late follow at once.

    Extensions are kept in extensions.toml. Where several concern the same work, the longest counts.
    """
    terms = (days is not None) + (until is not None)
    if listed:
        if names or terms or all_chapters or all_students or reason or revoke:
            raise click.UsageError("--list stands alone, or with --json.")
        load("class_extending").show(find_course(course), as_json)
        return
    students, chapter = (names, "") if all_chapters else (names[:-1], "".join(names[-1:]))
    if bool(students) == all_students or not (chapter or all_chapters):
        raise click.UsageError(
            "Say who and what: STUDENT (one or several) or --all-students, then CHAPTER or --all-chapters."
        )
    if terms != (not revoke) or (revoke and reason):
        raise click.UsageError("Say one of --days, --until and --revoke; --reason goes with the first two.")
    options = ExtendOptions(find_course(course), students or ("",), chapter, days, until, reason)
    load("class_extending").change(options, revoke)
