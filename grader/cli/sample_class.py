"""``grader sample-class``: a whole class to try things on."""

import shutil
import sys
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from grader.cli.common import course_option, report_errors
from grader.course.compile import find_source_course, stems_named
from grader.exercises import find_chapter
from grader.grading.sample_class import EXPECTED, make_sample_class

# Students of a sample class that the table shows.
MAX_ROWS = 10


@click.command("sample-class")
@click.argument("directory", type=click.Path(path_type=Path, file_okay=False))
@click.option("--students", type=click.IntRange(min=1), default=8, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True, help="Decides who hands in what.")
@click.option("--chapter", show_default="the first of the course")
@click.option("--mixed", is_flag=True, help="Let students hand in the notebooks of all languages, in turn.")
@course_option
@report_errors
def sample_class(
    directory: Path, students: int, seed: int, chapter: str | None, mixed: bool, course: Path | None
) -> None:
    """Make DIRECTORY, a course folder with submissions out of the answer banks, ready for nbgrader."""
    paths = find_source_course(course)
    one = find_chapter(chapter or stems_named(None, paths)[0])
    expected = make_sample_class(one, paths, directory, students, seed, mixed)
    table = Table("student", "score to expect", "what was handed in", show_lines=True)
    for student, entry in list(expected.items())[:MAX_ROWS]:
        answers = (
            f"{one.by_id[name].subject}: {answer['answer']}" for name, answer in entry["exercises"].items()
        )
        table.add_row(student, f"{entry['score']} of {entry['max_score']}", "\n".join(answers))
    if students > MAX_ROWS:
        table.caption = f"and {students - MAX_ROWS} more"
    Console().print(table)
    if one.questions:
        most = sum(question.points for question in one.questions)
        click.echo(
            f"Answers in words, {most} points more, are a made-up sentence, or nothing where all is blank: "
            "a person grades them."
        )
    if not shutil.which("grader"):
        folder = Path(sys.executable).parent
        click.echo(f"The commands below are in {folder}; `source {folder / 'activate'}` finds them.")
    click.echo(f"What each should score is in {directory / EXPECTED}. To grade it:")
    click.echo(f"  cd {directory} && grader grade {one.stem}")
    click.echo("With nbgrader's own commands, more slowly:")
    commands = ("generate_assignment", "autograde", "generate_feedback")
    click.echo(
        f"  cd {directory} && " + " && ".join(f"nbgrader {command} {one.stem}" for command in commands)
    )
