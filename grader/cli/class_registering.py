"""The implementation of ``grader due`` and ``grader roster``."""

from datetime import UTC, datetime
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from grader.course.paths import CoursePaths
from grader.errors import GraderError
from grader.exercises import CHAPTERS, find_chapter
from grader.gradebook.course_entries import write_due_date, write_students
from grader.gradebook.extensions import read_extensions
from grader.gradebook.lateness import late_rule, settle_chapters
from grader.gradebook.stored import due_dates
from grader.grading.course_directory import course_directory, read_config
from grader.grading.submissions import printable
from grader.grading.times import clock_time, instant
from grader.lms.students import ROSTER, read_roster


def tell_penalties(changed: dict[str, list[str]]) -> None:
    """Say whose late penalties have changed."""
    for chapter, students in changed.items():
        click.echo(
            f"{chapter}: the late penalty changed for {', '.join(map(printable, students))}. Exports "
            f"have it; feedback pages after: grader grade {chapter}"
        )


def show_due_dates(paths: CoursePaths) -> None:
    """Show the due date of each chapter."""
    dates = due_dates(course_directory(paths, read_config(paths)).db_url)
    table = Table("chapter", "due", box=None, pad_edge=False)
    for one in CHAPTERS:
        table.add_row(one, instant(dates.get(one)))
    Console().print(table)


def change_due_date(paths: CoursePaths, chapter: str, written: str | None) -> None:
    """Set a due date, and bring the penalties of its chapter up to date.

    Raises:
        GraderError: the chapter or the time is not known, the course's rule for handing in late cannot be
            used, or the gradebook cannot be written.
    """
    stem = find_chapter(chapter).stem
    when = clock_time(written, "TIME") if written is not None else None
    config = read_config(paths)
    directory = course_directory(paths, config)
    late_rule(config)  # before anything is written
    before = due_dates(directory.db_url).get(stem)
    write_due_date(directory, stem, when)
    past = " That is in the past." if when and when.replace(tzinfo=UTC) < datetime.now(UTC) else ""
    was = f" (it was {instant(before)})" if before and before != when else ""
    click.echo(f"{stem}: {'due ' if when else ''}{instant(when)}{was}.{past}")
    tell_penalties(
        settle_chapters(
            directory,
            config,
            [stem],
            read_extensions(paths.extensions),
            "The due date is written, no penalty is: these follow with the next `grader grade`.",
        )
    )


def take_roster(paths: CoursePaths, table: Path | None) -> None:
    """Write a roster into the gradebook.

    Raises:
        GraderError: the table is missing or cannot be read, or the gradebook cannot be written.
    """
    place = table or paths.root / ROSTER
    if not place.is_file():
        raise GraderError(f"{place} is missing. Write one, with the columns id,first_name,last_name,email.")
    students = {}
    for one in read_roster(place):
        name = one.pop("id")
        students[name] = {column: value or None for column, value in one.items()}
    new, changed = write_students(course_directory(paths, read_config(paths)), students)
    same = len(students) - len(new) - len(changed)
    click.echo(
        f"{place.name}: {len(students)} students; {len(new)} new, {len(changed)} changed, {same} the same."
    )
