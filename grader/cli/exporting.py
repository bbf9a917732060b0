"""``grader export``."""

from collections.abc import Iterator
from pathlib import Path

import click

from grader.cli.common import course_option, expect_free, force_option, report_errors
from grader.course.paths import CoursePaths, find_course
from grader.files import write_whole
from grader.lms.systems import SYSTEMS


def _columns(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Return the named columns by assignment."""
    if wrong := [value for value in values if not all(value.partition("=")[::2])]:
        raise click.BadParameter(f"{wrong[0]!r}: expected ASSIGNMENT=COLUMN.")
    return dict(value.split("=", 1) for value in values)


def pending_notes(paths: CoursePaths, assignments: tuple[str, ...]) -> Iterator[str]:
    """Return notes on what the grades lack: pending decisions for the whole class, and unplaced work."""
    from grader.cli.loose_ends import loose_ends  # noqa: PLC0415
    from grader.grading.course_directory import course_directory, read_config  # noqa: PLC0415
    from grader.grading.decisions import read_decisions  # noqa: PLC0415
    from grader.grading.result_files import Places, pending  # noqa: PLC0415
    from grader.grading.submissions import students_in  # noqa: PLC0415
    from grader.reporting.exports.identity import blank_ends, blank_told  # noqa: PLC0415

    decisions, directory = read_decisions(paths.decisions), course_directory(paths, read_config(paths))
    for name in assignments:
        if blank := list(filter(blank_ends, students_in(directory, directory.submitted_directory, name))):
            yield blank_told(name, blank)
        graded = students_in(directory, directory.autograded_directory, name)
        if waiting := pending(decisions, Places(directory, name), graded):
            yield (
                f"{name}: a decision for the whole class is not written yet for {len(waiting)} of "
                f"{len(graded)} students. See it with `grader regrade {name} --changed`, write it with "
                "--yes, and export again."
            )
        yield from loose_ends(paths, name)


@click.command()
@click.argument("assignments", nargs=-1, required=True, metavar="ASSIGNMENT...")
@click.option("--format", "kind", type=click.Choice((*SYSTEMS, "csv")), required=True)
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), required=True)
@click.option(
    "--roster",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="What Canvas or Moodle exported: its rows stay, the assignment's column is filled.",
)
@force_option
@click.option("--missing-as-zero", is_flag=True, help="What was not handed in is 0, not empty.")
@click.option(
    "--match-by",
    type=click.Choice(("id", "login", "sis", "email", "username", "idnumber")),
    help="Without a roster: by what students are found. Canvas: id (nbgrader's lms_user_id, the default), "
    "login or sis (nbgrader's student id). Moodle: email (the default), username (nbgrader's student id), "
    "idnumber (lms_user_id).",
)
@click.option(
    "--column",
    "columns",
    multiple=True,
    callback=_columns,
    metavar="ASSIGNMENT=COLUMN",
    help="What the assignment is called there, if it is another name.",
)
@click.option(
    "--out-of", type=click.FloatRange(min=0, min_open=True), help="Scale scores to this many points."
)
@click.option("--leave-out", multiple=True, metavar="STUDENT", help="May be given several times.")
@click.option("--only-listed", is_flag=True, help="Leave out who is not in the table of --roster.")
@course_option
@report_errors
def export(  # noqa: PLR0913 - options are arguments
    assignments: tuple[str, ...],
    kind: str,
    output: Path,
    roster: Path | None,
    force: bool,
    missing_as_zero: bool,
    match_by: str | None,
    columns: dict[str, str],
    out_of: float | None,
    leave_out: tuple[str, ...],
    only_listed: bool,
    course: Path | None,
) -> None:
    """Write final grades of ASSIGNMENTs as a table that Canvas or Moodle imports, or as a plain one.

    They are those of nbgrader's gradebook: with manual grades, extra credit and late penalties.
    """
    # They import nbgrader, which takes a second.
    from grader.grading.course_directory import course_directory, read_config  # noqa: PLC0415
    from grader.reporting.exports.formats import export as table_of  # noqa: PLC0415
    from grader.reporting.exports.grades import open_grades  # noqa: PLC0415
    from grader.reporting.exports.options import ExportOptions  # noqa: PLC0415
    from grader.reporting.exports.unplaced import read_unplaced  # noqa: PLC0415
    from grader.reporting.spreadsheet import read_sheet  # noqa: PLC0415

    if only_listed and roster is None:
        raise click.UsageError(
            "--only-listed leaves out who is not in the table of --roster: give that, too."
        )
    expect_free([output], force)
    paths = find_course(course)
    url = course_directory(paths, read_config(paths)).db_url
    grades = open_grades(url, assignments).without(leave_out)
    options = ExportOptions(
        missing_as_zero=missing_as_zero,
        match_by=match_by or "",
        columns=columns,
        out_of=out_of,
        roster=read_sheet(roster) if roster else None,
        roster_name=str(roster or ""),
        only_listed=only_listed,
        unplaced={name: read_unplaced(paths.root, name) for name in assignments},
    )
    made = table_of(kind, grades, options)
    write_whole(output, made.text)
    for note in (*made.notes, *pending_notes(paths, assignments)):
        click.echo(f"Note: {note}", err=True)
    click.echo(f"{output}: {', '.join(assignments)}, {len(grades.people)} students in the gradebook")
