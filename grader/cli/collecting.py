"""``grader collect`` and ``grader return``: the commands. What they need takes seconds to import."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import click

from grader.cli import load
from grader.cli.common import course_option, force_option, report_errors
from grader.course.paths import CoursePaths, find_course
from grader.lms.systems import SYSTEMS

COLLECT = """\b
Examples:
  grader collect ~/Downloads/submissions.zip ch04_self_attention --dry-run
  grader collect ~/Downloads/submissions.zip ch04_self_attention --from canvas
  grader collect unpacked/ ch04_self_attention --from moodle --roster students.csv
  grader collect submissions.zip ch04_self_attention --whose 40123=ada --whose 40124=ada2
"""
RETURN = """\b
Examples:
  grader return ch04_self_attention --to moodle --output feedback.zip
  grader return ch04_self_attention --to canvas --output feedback.zip --force
"""


@dataclass(frozen=True)
class CollectOptions:
    """The command-line options."""

    download: Path
    chapter: str
    system: str
    roster: Path | None
    take_names: bool
    whose: Mapping[str, str]
    force: bool
    dry_run: bool
    paths: CoursePaths


def _whose(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Return students by the numbers that they have in the download."""
    pairs = [
        (number.strip(), student.strip()) for number, _, student in (one.partition("=") for one in values)
    ]
    for value, (number, student) in zip(values, pairs, strict=True):
        if not (number.isdecimal() and student):
            raise click.BadParameter(f"{value!r}: expected NUMBER=STUDENT, such as 40123=ada.")
    if twice := [number for number, _ in pairs if [one for one, _ in pairs].count(number) > 1]:
        raise click.BadParameter(f"the number {twice[0]} is given twice.")
    return dict(pairs)


@click.command(epilog=COLLECT)
@click.argument("download", metavar="ARCHIVE_OR_FOLDER", type=click.Path(path_type=Path, exists=True))
@click.argument("chapter")
@click.option(
    "--from",
    "system",
    type=click.Choice((*SYSTEMS, "auto")),
    default="auto",
    show_default=True,
    help="Whose download it is; auto tells by the names of the files.",
)
@click.option(
    "--roster",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="A table with the columns id, first_name, last_name, email, lms_user_id, beside the gradebook; by "
    "default students.csv in the course's folder.",
)
@click.option(
    "--take-names",
    is_flag=True,
    help="Who is not known gets a folder by the name in the download: Moodle's full name, Canvas's number.",
)
@click.option(
    "--whose",
    multiple=True,
    callback=_whose,
    metavar="NUMBER=STUDENT",
    help="Say which student a number in the download is, where its name does not; may be given several "
    "times.",
)
@click.option(
    "--force",
    is_flag=True,
    help="Replace work that is newer, that was not collected, that has answers where the download has a "
    "notebook that is blank or cannot be read, or that had another number there.",
)
@click.option("--dry-run", is_flag=True, help="Show what would be done, and write nothing.")
@course_option
@report_errors
def collect(  # noqa: PLR0913 - options are arguments
    download: Path,
    chapter: str,
    system: str,
    roster: Path | None,
    take_names: bool,
    whose: dict[str, str],
    force: bool,
    dry_run: bool,
    course: Path | None,
) -> None:
    """Put what Moodle or Canvas downloaded for CHAPTER into submitted/, where `grader grade` finds it.

    Of several notebooks of a student one with answers is taken, of such the one with the chapter's name, then
    the latest upload. Work that is there is kept in downloaded/ where newer work replaces it; answers are
    replaced neither by a blank notebook nor by one that cannot be read. A file may have 128 MiB, a download
    64 GiB.

    Exit status: 0 all is in its place, 1 something was left out and is listed, 2 nothing could be collected.
    """
    options = CollectOptions(
        download, chapter, system, roster, take_names, whose, force, dry_run, find_course(course)
    )
    load("class_collecting").run(options)


@click.command("return", epilog=RETURN)
@click.argument("chapter")
@click.option("--to", "system", type=click.Choice(SYSTEMS), required=True)
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), required=True)
@force_option
@course_option
@report_errors
def give_back(chapter: str, system: str, output: Path, force: bool, course: Path | None) -> None:
    """Pack the feedback pages of CHAPTER for upload, under the names of the download that was collected.

    Moodle: "Upload multiple feedback files in a zip". Canvas: "Upload Submissions".

    Exit status: 0 all are packed, 1 some are left out and listed, 2 nothing was written.
    """
    load("class_returning").run(find_course(course), chapter, system, output, force)
