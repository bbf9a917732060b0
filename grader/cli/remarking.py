"""``grader remark``: a remark that is used again, on one student's answer or on all with a mistake."""

import json
from pathlib import Path

import click
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from grader.cli.common import course_option, json_option, report_errors
from grader.course.paths import CoursePaths, find_course
from grader.errors import GraderError

EPILOG = """\b
Examples:
  grader remark ada ch04_self_attention ch04-self-attention units
  grader remark ada ch06_multi_head_attention ch06-why-heads why --points 1.5
  grader remark --all-with missing-scale ch04_self_attention ch04-self-attention why
  grader remark --list
"""


@click.command(epilog=EPILOG)
@click.argument("names", nargs=-1, metavar="[STUDENT] CHAPTER EXERCISE NAME")
@click.option("--all-with", metavar="MISTAKE", help="Instead of STUDENT: everyone whose answer has it, once.")
@click.option(
    "--points",
    type=click.FloatRange(min=0),
    help="Give these points by hand, too; with --all-with only where nobody has given any.",
)
@click.option("--list", "listed", is_flag=True, help="Show the remarks of remarks.toml.")
@json_option
@course_option
@report_errors
def remark(
    names: tuple[str, ...],
    all_with: str | None,
    points: float | None,
    listed: bool,
    as_json: bool,
    course: Path | None,
) -> None:
    """Put the remark NAME of remarks.toml below what is commented on STUDENT's answer to EXERCISE of CHAPTER.

    The comment stands in nbgrader's gradebook: formgrader shows it, and the feedback page after the next
    `grader grade CHAPTER`. What a person has written stays; a remark that is there already is not repeated.
    """
    paths = find_course(course)
    if listed:
        if names or all_with or points is not None:
            raise click.UsageError("--list stands alone.")
        _show(paths, as_json)
        return
    expected = 3 if all_with else 4
    if len(names) != expected:
        asked = "CHAPTER EXERCISE NAME" if all_with else "STUDENT CHAPTER EXERCISE NAME"
        raise click.UsageError(f"Expected {asked}, or --list.")
    student = "" if all_with else names[0]
    _give(paths, student, *names[-3:], all_with or "", points)


def _show(paths: CoursePaths, as_json: bool) -> None:
    from grader.grading.remarks import read_remarks  # noqa: PLC0415 - imports torch

    remarks = read_remarks(paths.remarks)
    if as_json:
        click.echo(json.dumps(remarks))
    elif not remarks:
        click.echo(f'There are no remarks. Write some into {paths.remarks}, a line each: name = "Your text."')
    else:
        table = Table("name", Column("remark", overflow="fold"), box=None, pad_edge=False)
        for name, text in remarks.items():
            table.add_row(name, Text(text))
        Console().print(table)


def _give(
    paths: CoursePaths, student: str, chapter: str, exercise: str, name: str, code: str, points: float | None
) -> None:
    # They import torch and nbgrader, which takes seconds.
    from grader.checking.mistakes import known_mistakes  # noqa: PLC0415
    from grader.course.notebooks import check_id  # noqa: PLC0415
    from grader.exercises import find_chapter, find_part  # noqa: PLC0415
    from grader.gradebook.remarks import remark_on  # noqa: PLC0415
    from grader.grading.class_run import only_run  # noqa: PLC0415
    from grader.grading.course_directory import course_directory, read_config  # noqa: PLC0415
    from grader.grading.remarks import find_remark  # noqa: PLC0415
    from grader.grading.result_files import students_with  # noqa: PLC0415
    from grader.grading.submissions import printable  # noqa: PLC0415

    stem, part = find_chapter(chapter).stem, find_part(exercise)
    if part.chapter != stem:
        raise GraderError(f"{exercise} is of {part.chapter}, not of {stem}.")
    if code and code not in known_mistakes():
        raise GraderError(f"{code} is no known mistake; `grader list {exercise}` names them.")
    text = find_remark(paths.remarks, name)
    directory = course_directory(paths, read_config(paths))
    students = students_with(directory, stem, part.id, code) if code else [student]
    if not students:
        raise GraderError(f"Nobody's answer to {exercise} has the mistake {code}. Nothing was written.")
    with only_run(paths.root):
        done = remark_on(
            directory.db_url, stem, part.id, check_id(part), students, text, points, keep_points=bool(code)
        )
    had = f"; it was there already for {len(done.had_it)}" if done.had_it else ""
    named = f": {', '.join(map(printable, done.given))}" if done.given else ""
    click.echo(f"{name}: given to {len(done.given)}{named}{had}.")
    if done.scored:
        earned = "1 point" if points == 1 else f"{points:g} points"
        click.echo(f"{earned}: given to {len(done.scored)}: {', '.join(map(printable, done.scored))}.")
    others = {one: before for one, before in done.scored.items() if before not in (None, points)}
    if others:
        had_before = ", ".join(f"{printable(one)} {before:g}" for one, before in others.items())
        click.echo(f"Other points before: {had_before}.")
    if done.kept:
        click.echo(f"Points given by hand before stay: {', '.join(map(printable, done.kept))}.")
    late = " and late penalties follow the points" if points is not None else ""
    click.echo(f"Feedback pages show it{late} after: grader grade {stem}")
