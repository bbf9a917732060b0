"""``grader doctor``."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from grader.cli.common import NOT_ALL, PASSED, course_option, json_option, report_errors
from grader.doctor.finding import INSTALL, Finding
from grader.plain_text import plain

COLORS = {"ok": "green", "warning": "yellow", "fails": "bold red"}


def table_of(finding: Finding) -> Table:
    """Return one finding as a line of three columns, what to do about it below."""
    table = Table(Column(width=7), Column(width=13), "", box=None, show_header=False, padding=(0, 1, 0, 0))
    seen = (Text(plain(part)) for part in (finding.check, finding.seen))
    table.add_row(Text(finding.status, style=COLORS[finding.status]), *seen)
    if finding.advice:
        table.add_row("", "", Text(f"-> {plain(finding.advice)}"))
    return table


def _findings(course: Path | None) -> Iterator[Finding]:
    """Yield the findings; if a missing package prevents the checks, a finding about that."""
    try:
        from grader.doctor.examination import examine  # noqa: PLC0415 - imports torch and nbgrader
    except ImportError as error:
        yield Finding("installation", "fails", str(error), INSTALL)
        return
    yield from examine(course)


@click.command()
@json_option
@course_option
@report_errors
def doctor(as_json: bool, course: Path | None) -> None:
    """Check that everything is there that grading needs; nothing is changed.

    Exit status: 0 all is well or a warning, 1 something fails.
    """
    console, statuses = Console(), []
    for finding in _findings(course):
        statuses.append(finding.status)
        if as_json:
            click.echo(json.dumps(finding.to_json()))
        else:
            console.print(table_of(finding), highlight=False)
    sys.exit(NOT_ALL if "fails" in statuses else PASSED)
