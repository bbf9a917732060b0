"""``grader new``: skeletons of a course and of a chapter."""

from pathlib import Path

import click

from grader.cli.common import course_option, report_errors
from grader.course.new import new_chapter, new_course
from grader.course.paths import find_course


@click.group()
def new() -> None:
    """Make a course of your own, or a chapter in one: it builds and grades as it stands."""


@new.command("course")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--title", help="What it is called; by default the folder's name.", default="")
@report_errors
def course(folder: Path, title: str) -> None:
    """Make FOLDER, a course without chapters."""
    paths = new_course(folder, title)
    for path in (paths.config, paths.about):
        click.echo(f"{path}")
    click.echo(f"Next: cd {folder} && grader new chapter ch50_my_topic")


@new.command("chapter")
@click.argument("name")
@click.option("--title", help="What it is called; by default its name in words.")
@course_option
@report_errors
def chapter(name: str, title: str | None, course: Path | None) -> None:
    """Make the chapter NAME, such as ch50_convolution, with one exercise to be changed into yours."""
    words = name.partition("_")[2].replace("_", " ").capitalize()
    for path in new_chapter(name, title or words, find_course(course)):
        click.echo(f"{path}")
    click.echo(f"Next: grader references build {name} && grader build {name}; then docs/authoring.md.")
