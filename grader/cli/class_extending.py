"""The implementation of ``grader extend``: check student and time, record the extension, update penalties."""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import click
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from grader.cli.class_registering import tell_penalties
from grader.cli.extending import ExtendOptions
from grader.course.paths import CoursePaths
from grader.errors import GraderError
from grader.exercises import CHAPTERS, find_chapter
from grader.gradebook.extensions import MOST_DAYS, Extension, is_length, read_extensions
from grader.gradebook.lateness import late_rule, settle_chapters
from grader.gradebook.stored import due_dates, known_students
from grader.grading.course_directory import course_directory, read_config
from grader.grading.extension_file import Wanted, extend, revoke
from grader.grading.submissions import printable, students_in
from grader.grading.times import clock_time, instant


def change(options: ExtendOptions, take_back: bool) -> None:
    """Give or revoke extensions, and say what that changes.

    Raises:
        GraderError: a student, the chapter or the time is not known, the course's rule for handing in late
            cannot be used, or something cannot be written.
    """
    stem = find_chapter(options.chapter).stem if options.chapter else ""
    config = read_config(options.paths)
    directory = course_directory(options.paths, config)
    late_rule(config)  # before anything is recorded
    dates = due_dates(directory.db_url)
    if take_back:
        done = revoke(options.paths, options.students, stem)
    else:
        known = set(known_students(directory.db_url))
        for one in CHAPTERS:
            known.update(students_in(directory, directory.submitted_directory, one))
        _expect_known(options.students, known)
        days, until = _length(options, dates.get(stem))
        done = extend(options.paths, Wanted(options.students, stem, days, until, options.reason))
    for one in done:
        click.echo(f"{'Revoked: ' if take_back else ''}{_told(one)}.")
    stems = [stem] if stem else [one for one in CHAPTERS if one in dates]
    for one in stems:
        click.echo(
            f"{one}: due {instant(dates[one])}."
            if dates.get(one)
            else f"{one}: no due date, so nothing is late yet."
        )
    tell_penalties(
        settle_chapters(
            directory,
            config,
            stems,
            read_extensions(options.paths.extensions),
            "extensions.toml is written, no penalty is: these follow with the next `grader grade`.",
        )
    )


def _expect_known(students: Sequence[str], known: set[str]) -> None:
    if unknown := [one for one in students if one and one not in known]:
        raise GraderError(
            f"There is no student {', '.join(map(printable, unknown))}, in the gradebook or in submitted/. "
            "Expected the name of a folder in submitted/, or an id of `nbgrader db student list`. "
            "Nothing was written."
        )


def _length(options: ExtendOptions, duedate: datetime | None) -> tuple[float | None, datetime | None]:
    if options.until is None:
        if not is_length(options.days):
            raise GraderError(f"--days {options.days:g}: expected more than 0, at most {MOST_DAYS}.")
        return options.days, None
    until = clock_time(options.until, "--until")
    if duedate is not None and until <= duedate:
        raise GraderError(
            f"--until {instant(until)} is not after the due date of {options.chapter}, {instant(duedate)}."
        )
    return None, until.replace(tzinfo=UTC)


def _told(one: Extension) -> str:
    return f"{printable(one.student) or 'the whole class'}, {one.chapter or 'all chapters'}: {one.end}"


def show(paths: CoursePaths, as_json: bool) -> None:
    """Show all extensions."""
    extensions = read_extensions(paths.extensions).all
    if as_json:
        click.echo("\n".join(_lines(extensions)), nl=bool(extensions))
    elif not extensions:
        click.echo("There are no extensions.")
    else:
        Console().print(_table(extensions))


def _lines(extensions: Sequence[Extension]) -> Iterator[str]:
    for one in extensions:
        times = {
            name: value and value.isoformat()
            for name in ("at", "until", "revoked_at")
            for value in [getattr(one, name)]
        }
        yield json.dumps({**vars(one), **times})


def _table(extensions: Sequence[Extension]) -> Table:
    names = ("student", "chapter", "extension", "why", "by")
    columns = (Column(name, overflow="fold", no_wrap=name == "chapter") for name in names)
    table = Table(*columns, box=None, pad_edge=False)
    for one in extensions:
        why = one.reason
        if not one.in_force:
            why = f"{why} Ended by {one.revoked_by}, {one.revoked_at:%Y-%m-%d}.".strip()
        row = (one.student or "(all)", one.chapter or "(all)", one.end, why, f"{one.by}, {one.at:%Y-%m-%d}")
        table.add_row(*(Text(printable(cell)) for cell in row))
    return table
