"""``grader due`` and ``grader roster``: the commands. What they need takes seconds to import."""

from pathlib import Path

import click

from grader.cli import load
from grader.cli.common import course_option, report_errors
from grader.course.paths import find_course

EPILOG = """\b
Examples:
  grader due
  grader due ch04_self_attention "2026-12-01 23:59 UTC"
  grader due ch04_self_attention "2026-12-01 23:59 America/Sao_Paulo"
  grader due ch04_self_attention --none
"""


@click.command(epilog=EPILOG)
@click.argument("chapter", required=False)
@click.argument("when", metavar="[TIME]", required=False)
@click.option("--none", "no_date", is_flag=True, help="Take the due date away.")
@course_option
@report_errors
def due(chapter: str | None, when: str | None, no_date: bool, course: Path | None) -> None:
    """Set the due date of CHAPTER, or show all; penalties for handing in late follow at once.

    TIME is in UTC unless it names a zone. A date that can be read in two ways is refused.
    """
    if (chapter is None) != (when is None and not no_date) or (when is not None and no_date):
        raise click.UsageError("Say CHAPTER with TIME or with --none; nothing shows all due dates.")
    paths = find_course(course)
    if chapter is None:
        load("class_registering").show_due_dates(paths)
    else:
        load("class_registering").change_due_date(paths, chapter, when)


@click.command()
@click.argument("table", type=click.Path(path_type=Path, exists=True, dir_okay=False), required=False)
@course_option
@report_errors
def roster(table: Path | None, course: Path | None) -> None:
    """Write the students of TABLE into the gradebook: by default students.csv in the course's folder.

    It has the column id, and any of first_name, last_name, email, lms_user_id, separated by commas,
    semicolons or tabs. Written again, it changes what is different; nobody is removed.
    """
    load("class_registering").take_roster(find_course(course), table)
