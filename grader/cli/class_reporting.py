"""The implementation of ``grader report``: read a graded class, then show or write the report."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console

from grader.cli.loose_ends import loose_ends
from grader.course.paths import CoursePaths, find_course
from grader.errors import GraderError
from grader.exercises import Chapter, find_chapter
from grader.files import write_whole
from grader.grading.class_reading import GradedCourse
from grader.grading.submissions import printable
from grader.reporting.anonymous import anonymous, pseudonyms
from grader.reporting.class_data import report_csv, report_json
from grader.reporting.class_report import AssignmentReport, report_on
from grader.reporting.class_table import class_tables, closing_lines
from grader.reporting.graded import GradedStudent


@dataclass(frozen=True)
class ReportOptions:
    """The command-line options.

    Attributes:
        assignments: their names; empty for all that are graded.
        html: where to write the page.
        csv: where to write a row for each answer.
        json: where to write all of it for programs.
        anonymous: whether students get other names.
        course: the course's folder.
    """

    assignments: tuple[str, ...]
    html: Path | None
    csv: Path | None
    json: Path | None
    anonymous: bool
    course: Path | None


def run(options: ReportOptions) -> None:
    """Show the report, or write it."""
    course = GradedCourse(find_course(options.course))
    chapters = [find_chapter(stem) for stem in dict.fromkeys(options.assignments)] or course.chapters()
    if not chapters:
        raise GraderError("Nothing is graded in this course yet. Run `grader grade` with an assignment.")
    reports = make_reports(course, chapters, options.anonymous, examples=bool(options.html or options.json))
    written = list(_write(options, reports))
    if written:
        click.echo("\n".join(written))
        for report in reports:
            for said in closing_lines(report):
                click.echo(f"{report.chapter.stem}: {said}", err=True)
            _tell_loose_ends(course.paths, report, options.anonymous)
        return
    console = Console()
    for report in reports:
        for table in class_tables(report, console.width):
            console.print(table)
        _tell_loose_ends(course.paths, report, options.anonymous)
    if not options.anonymous:
        click.echo("\n".join(_where_next(course.paths, chapters)))


def _tell_loose_ends(paths: CoursePaths, report: AssignmentReport, hide: bool) -> None:
    """Report unplaced work and removed submissions; without names if names are hidden."""
    for said in () if hide else loose_ends(paths, report.chapter.stem):
        click.echo(said, err=True)


def make_reports(
    course: GradedCourse, chapters: list[Chapter], hide: bool, examples: bool
) -> list[AssignmentReport]:
    """Return the reports on assignments of a class, one after the other.

    Args:
        course: where they were graded.
        chapters: the assignments.
        hide: whether students get other names, the same in all of them.
        examples: whether answers are read to show one of each mistake.
    """
    read = [course.read(chapter) for chapter in chapters]
    if hide:
        names = pseudonyms(student.key for one in read for student in one.students)
        read = [anonymous(one, names) for one in read]
    sources = course.answers if examples else _no_answers
    return [report_on(one, sources, course.own_code) for one in read]


def _no_answers(_: Chapter, __: GradedStudent) -> dict[str, str]:
    return {}


def _write(options: ReportOptions, reports: list[AssignmentReport]) -> Iterator[str]:
    """Write what was asked for, and yield a line on each file."""
    if options.html:
        from grader.reporting.class_report_page import report_page  # noqa: PLC0415 - imports matplotlib

        write_whole(options.html, report_page(reports, options.anonymous))
        yield f"{options.html}: the report; open it in a browser"
    if options.csv:
        write_whole(options.csv, report_csv(reports))
        yield f"{options.csv}: a row for each answer"
    if options.json:
        write_whole(options.json, report_json(reports, options.anonymous))
        yield f"{options.json}: the report for programs"


def _where_next(paths: CoursePaths, chapters: list[Chapter]) -> Iterator[str]:
    """Yield where to look for more."""
    stems = [chapter.stem for chapter in chapters]
    yield f"The whole report as a page: grader report {' '.join(stems)} --html report.html"
    yield f"Graded notebooks: {paths.root / 'autograded'}"
    feedback = paths.root / "feedback"
    if feedback.is_dir():
        page = next(iter(sorted(feedback.glob(f"*/{stems[0]}/*.html"))), feedback)
        yield f"Feedback, for example: {printable(str(page))}"
