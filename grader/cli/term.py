"""``grader term``: a table over all chapters."""

from pathlib import Path

import click
from rich.console import Console

from grader.cli.common import course_option, expect_free, force_option, report_errors
from grader.course.paths import find_course
from grader.errors import GraderError
from grader.files import write_whole

OUT = click.Path(path_type=Path, dir_okay=False)
EPILOG = """\b
Examples:
  grader term
  grader term --html term.html --csv term.csv
"""


@click.command(epilog=EPILOG)
@click.option("--html", type=OUT, help="Write the table as one HTML page.")
@click.option("--csv", type=OUT, help="Write a row for each student.")
@click.option("--json", "as_json", type=OUT, help="Write all of it for programs.")
@force_option
@course_option
@report_errors
def term(html: Path | None, csv: Path | None, as_json: Path | None, force: bool, course: Path | None) -> None:
    """Show each student's score in every graded chapter, and the total of the term.

    How chapters count is in [term] of course.toml: weights, drop-lowest, missing. Scores are those of
    nbgrader's gradebook, late penalties taken off; what is missing, in error or to be reviewed is marked.
    """
    # They import nbgrader, which takes a second.
    from grader.cli.exporting import pending_notes  # noqa: PLC0415
    from grader.exercises import CHAPTERS  # noqa: PLC0415
    from grader.gradebook.stored import assignments_with_submissions  # noqa: PLC0415
    from grader.grading.course_directory import course_directory, read_config  # noqa: PLC0415
    from grader.lms.students import ROSTER, read_people  # noqa: PLC0415
    from grader.reporting.exports.grades import open_grades  # noqa: PLC0415
    from grader.reporting.exports.identity import blank_ends, left_out  # noqa: PLC0415
    from grader.reporting.term import rendering  # noqa: PLC0415
    from grader.reporting.term.rules import read_rules  # noqa: PLC0415
    from grader.reporting.term.table import make_term  # noqa: PLC0415

    expect_free((html, csv, as_json), force)
    paths = find_course(course)
    rules = read_rules(paths.settings)
    url = course_directory(paths, read_config(paths)).db_url
    graded = assignments_with_submissions(url)
    chapters = tuple(name for name in CHAPTERS if name in graded)
    if not chapters:
        raise GraderError("Nothing is graded in this course yet. Run `grader grade` with a chapter.")
    roster = paths.root / ROSTER
    people = read_people(url, roster if roster.is_file() else None)
    grades = open_grades(url, chapters)
    blank = [one for one in grades.people if blank_ends(one.id)]
    made = make_term(grades.without(one.id for one in blank), rules, people)
    written = {html: rendering.term_page, csv: rendering.term_csv, as_json: rendering.term_json}
    for path, render in written.items():
        if path is not None:
            write_whole(path, render(made))
            click.echo(f"{path}: {len(made.rows)} students, {len(chapters)} chapters")
    if not (html or csv or as_json):
        Console().print(rendering.term_table(made))
    for note in (*([left_out(blank)] if blank else []), *made.notes, *pending_notes(paths, chapters)):
        click.echo(f"Note: {note}", err=True)
