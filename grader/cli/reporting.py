"""``grader report``: the command. What it needs takes seconds to import."""

from pathlib import Path

import click

from grader.cli.common import course_option, expect_free, force_option, report_errors

OUT = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("assignments", nargs=-1, metavar="[ASSIGNMENT]...")
@click.option("--all", "every", is_flag=True, help="All assignments of which something is graded.")
@click.option("--html", type=OUT, help="Write the report as one HTML page.")
@click.option("--csv", type=OUT, help="Write a row for each answer.")
@click.option("--json", "as_json", type=OUT, help="Write all that the report says as JSON.")
@force_option
@click.option("--anonymous", is_flag=True, help="Give students other names; no name, no path is shown.")
@course_option
@report_errors
def report(
    assignments: tuple[str, ...],
    every: bool,
    html: Path | None,
    csv: Path | None,
    as_json: Path | None,
    force: bool,
    anonymous: bool,
    course: Path | None,
) -> None:
    """Show a graded class: scores, exercises, named mistakes, and what looks broken.

    Without an option the report is shown here; with --html, --csv or --json it is written.
    """
    if bool(assignments) == every:
        raise click.UsageError("Name an assignment or several, or say --all.")
    expect_free((html, csv, as_json), force)
    from grader.cli import class_reporting  # noqa: PLC0415 - imports torch, nbgrader and matplotlib

    class_reporting.run(class_reporting.ReportOptions(assignments, html, csv, as_json, anonymous, course))
