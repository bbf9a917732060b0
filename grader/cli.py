"""The command ``grader``."""

import json
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from pathlib import Path

import click
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Column, Table

from grader.checking.device import DEVICES, choose_device
from grader.checking.judge import judge
from grader.checking.mistakes import explain
from grader.checking.notebook import SECONDS
from grader.checking.rendering import result_text
from grader.checking.result import Result
from grader.course.build import build as build_notebooks
from grader.course.build import drift
from grader.course.paths import CoursePaths, find_course
from grader.errors import GraderError
from grader.exercises import CHAPTERS, EXERCISES, Chapter, Exercise, find_chapter, find_exercise
from grader.grading.sample_class import EXPECTED, make_sample_class
from grader.proving.build import build_chapter
from grader.proving.mutation.trials import stale, try_exercises
from grader.proving.recipe import PUBLIC_SEED
from grader.proving.verify import verify_chapter
from grader.references import load_exercise
from grader.reporting.class_table import class_table, mistake_counts, read_class
from grader.sandbox import Sandbox
from grader.sandbox.job import Cell, Job, Limits
from grader.sandbox.sandbox import ISOLATIONS

PASSED, NOT_ALL, COULD_NOT = 0, 1, 2
# Seconds that a file's process may take beside running it.
ALLOWANCE = 5
# Students of a sample class that the table shows.
SHOWN = 10

course_option = click.option(
    "--course",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="The course's folder; by default the one you are in.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, one line an entry.")
device_option = click.option(
    "--device",
    type=click.Choice(DEVICES),
    help="Where to run; by default GRADER_DEVICE, else CUDA if there is one.",
)


def report_errors(command: Callable) -> Callable:
    """Show the package's own errors, and those of files, as one line and exit with status 2."""

    @wraps(command)
    def wrapped(*args: object, **options: object) -> None:
        try:
            command(*args, **options)
        except (GraderError, OSError) as error:
            click.echo(f"grader: {error}", err=True)
            sys.exit(COULD_NOT)

    return wrapped


def chapters_named(stem: str | None) -> list[Chapter]:
    """Return the chapter of this stem, or all of them."""
    return [find_chapter(stem)] if stem else list(CHAPTERS.values())


def progress() -> Progress:
    """Return a progress bar on stderr."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
    )


@click.group()
@click.version_option(package_name="grader")
def main() -> None:
    """Build, check and grade the course on attention."""


@main.command()
@click.argument("chapter", required=False)
@click.option("--check", "only_check", is_flag=True, help="Write nothing; fail if a built file has drifted.")
@course_option
@report_errors
def build(chapter: str | None, only_check: bool, course: Path | None) -> None:
    """Build the notebooks of CHAPTER, or of all chapters, from their text sources."""
    paths = find_course(course)
    if only_check:
        problems = [problem for one in chapters_named(chapter) for problem in drift(one, paths)]
        click.echo("\n".join(problems) or "Every built notebook is what its source gives.")
        sys.exit(NOT_ALL if problems else PASSED)
    for one in chapters_named(chapter):
        with progress() as bar:
            task = bar.add_task(one.stem, total=None)
            build_notebooks(
                one, paths, lambda done, total, b=bar, t=task: b.update(t, completed=done, total=total)
            )
        click.echo(f"{paths.solution(one)}\n{paths.student(one)}")


@main.group()
def references() -> None:
    """Make or verify the stored tensors that answers are judged by."""


@references.command("build")
@click.argument("chapter", required=False)
@click.option(
    "--course-seed",
    type=click.IntRange(min=0),
    help="Draws the hidden cases; by default the one in use. For a course of your own take a large number, "
    "and keep it to yourself.",
)
@course_option
@report_errors
def references_build(chapter: str | None, course_seed: int | None, course: Path | None) -> None:
    """Make the references of CHAPTER, or of all chapters, and prove them against the answer banks.

    The cases that only grading uses are written beside the solutions, never to what students get.
    """
    paths = find_course(course)
    for one in chapters_named(chapter):
        seed = build_chapter(one, paths, course_seed, _echo_proven)
        whose = "the public seed" if seed == PUBLIC_SEED else "your own seed"
        click.echo(f"{paths.grading_cases(one.stem)}: hidden cases, drawn with {whose}")


def _echo_proven(exercise: Exercise, answers: int, hidden: int) -> None:
    click.echo(f"{exercise.id}: proven against {answers} answers, with {hidden} hidden cases")


@references.command("verify")
@click.argument("chapter", required=False)
@device_option
@course_option
@report_errors
def references_verify(chapter: str | None, device: str | None, course: Path | None) -> None:
    """Verify the references and hidden cases of CHAPTER, or of all: unaltered, right, and discriminating."""
    paths, where = find_course(course), choose_device(device)
    problems = [problem for one in chapters_named(chapter) for problem in verify_chapter(one, paths, where)]
    click.echo("\n".join(problems) or f"The references and hidden cases are verified on {where.type}.")
    sys.exit(NOT_ALL if problems else PASSED)


def _exercises_named(name: str | None) -> list[Exercise]:
    """Return the exercise of this id, those of the chapter of this stem, or all."""
    if name in EXERCISES:
        return [EXERCISES[name]]
    return [exercise for one in chapters_named(name) for exercise in one.exercises]


@references.command("mutate")
@click.argument("name", required=False, metavar="[CHAPTER|EXERCISE]")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes; by default one for each CPU.")
@course_option
@report_errors
def references_mutate(name: str | None, jobs: int | None, course: Path | None) -> None:
    """Mutate every correct variant: a wrong answer that nobody listed must not pass.

    Exit status: 0 all fail or are declared equivalent, 1 some pass or a declaration is stale.
    """
    paths, exercises = find_course(course), _exercises_named(name)
    with progress() as bar:
        task = bar.add_task("variants", total=None)
        reports = list(
            try_exercises(
                *(exercises, paths.solutions, paths.references, jobs),
                on_variant=lambda done, total: bar.update(task, completed=done, total=total),
            )
        )
    table = Table("exercise", "mutants", "killed", "equivalent", "passed", "kill rate", box=None)
    for one in reports:
        figures = (one.mutants, one.killed, one.declared, len(one.survivors))
        table.add_row(one.exercise, *map(str, figures), f"{one.rate:.2%}")
    Console().print(table)
    problems = [survivor.told() for one in reports for survivor in one.survivors]
    problems += [f"No longer needed: {one.told()}" for one in stale(reports, paths.solutions)]
    click.echo("\n\n".join(problems) or "No mutant passes that is not declared equivalent.")
    sys.exit(NOT_ALL if problems else PASSED)


def _check_file(
    exercise: Exercise, file: Path, sandbox: Sandbox, device: str | None, seconds: float
) -> Result:
    if not file.is_file():
        return Result(exercise, "error", (), f"{file} is not a file that can be read.")
    try:
        source = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        return Result(exercise, "error", (), f"{file} cannot be read as UTF-8 text: {error}")
    reference = load_exercise(exercise.chapter, exercise.id)
    where = choose_device(device)
    limits = Limits(cell_seconds=seconds, total_seconds=2 * seconds + ALLOWANCE)
    cell = Cell(source, exercise.id, str(file))
    run = sandbox.run(Job((cell,), {exercise.id: reference.cases}, limits, where.type))
    return judge(exercise, reference, run.attempts[exercise.id], where.type)


@main.command()
@click.argument("exercise")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--seconds",
    type=click.IntRange(1, 3600),
    default=int(SECONDS),
    show_default=True,
    help="Time limit for a file.",
)
@click.option(
    "--isolation",
    type=click.Choice(ISOLATIONS),
    default=ISOLATIONS[0],
    show_default=True,
    help="Whether the files are kept from your files, the network and other processes.",
)
@device_option
@json_option
@report_errors
def check(
    exercise: str, files: tuple[Path, ...], seconds: int, isolation: str, device: str | None, as_json: bool
) -> None:
    """Check each of FILES, Python files that define the subject of EXERCISE, in the sandbox.

    Exit status: 0 all passed, 1 not all, 2 could not check.
    """
    asked = find_exercise(exercise)
    load_exercise(asked.chapter, asked.id)
    choose_device(device)
    statuses = set()
    with Sandbox(isolation) as sandbox, ThreadPoolExecutor(os.cpu_count()) as pool:
        for file, result in zip(
            files, pool.map(lambda f: _check_file(asked, f, sandbox, device, seconds), files), strict=True
        ):
            statuses.add(result.status)
            if as_json:
                click.echo(json.dumps({"file": str(file), **result.to_json()}))
            else:
                click.echo(f"{file}\n{result_text(result)}\n")
    sys.exit(COULD_NOT if "error" in statuses else NOT_ALL if "failed" in statuses else PASSED)


@main.command("list")
@click.argument("exercise_id", metavar="[EXERCISE]", default="")
@json_option
@report_errors
def list_exercises(exercise_id: str, as_json: bool) -> None:
    """List all exercises, or the mistakes that EXERCISE knows by name."""
    asked = [find_exercise(exercise_id)] if exercise_id else list(EXERCISES.values())
    codes = {one.id: load_exercise(one.chapter, one.id).codes for one in asked}
    if as_json:
        for one in asked:
            facts = {"exercise": one.id, "chapter": one.chapter, "subject": one.subject, "points": one.points}
            click.echo(json.dumps(facts | {"codes": list(codes[one.id])}))
    elif exercise_id:
        table = Table("code", "mistake", title=asked[0].signature, title_justify="left")
        for code in codes[exercise_id]:
            table.add_row(code, explain(code).title)
        Console().print(table)
    else:
        numbers = (Column(name, justify="right") for name in ("points", "mistakes"))
        table = Table("exercise", "subject", *numbers, box=box.SIMPLE, pad_edge=False)
        for one in asked:
            table.add_row(one.id, one.subject, str(one.points), str(len(codes[one.id])))
        Console().print(table)


@main.command("sample-class")
@click.argument("directory", type=click.Path(path_type=Path, file_okay=False))
@click.option("--students", type=click.IntRange(min=1), default=8, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True, help="Decides who hands in what.")
@click.option("--chapter", default=next(iter(CHAPTERS)), show_default=True)
@course_option
@report_errors
def sample_class(directory: Path, students: int, seed: int, chapter: str, course: Path | None) -> None:
    """Make DIRECTORY, a course folder with submissions out of the answer banks, ready for nbgrader."""
    one = find_chapter(chapter)
    expected = make_sample_class(one, find_course(course), directory, students, seed)
    table = Table("student", "score to expect", "what was handed in", show_lines=True)
    for student, entry in list(expected.items())[:SHOWN]:
        answers = (
            f"{one.by_id[name].subject}: {answer['answer']}" for name, answer in entry["exercises"].items()
        )
        table.add_row(student, f"{entry['score']} of {entry['max_score']}", "\n".join(answers))
    if students > SHOWN:
        table.caption = f"and {students - SHOWN} more"
    Console().print(table)
    click.echo("The commands below are in .venv/bin; `source .venv/bin/activate` finds them.")
    click.echo(f"What each should score is in {directory / EXPECTED}. To grade it with nbgrader:")
    commands = ("generate_assignment", "autograde", "generate_feedback")
    click.echo(
        f"  cd {directory} && " + " && ".join(f"nbgrader {command} {one.stem}" for command in commands)
    )


def _where_next(paths: CoursePaths, chapter: Chapter) -> str:
    feedback = paths.root / "feedback"
    lines = [f"Gradebook: {paths.root / 'gradebook.db'}", f"Graded notebooks: {paths.root / 'autograded'}"]
    if feedback.is_dir():
        page = next(iter(sorted(feedback.glob(f"*/{chapter.stem}/*.html"))), feedback)
        lines.append(f"Feedback, for example: {page}")
    return "\n".join(lines)


@main.command()
@click.argument("chapter")
@course_option
@report_errors
def report(chapter: str, course: Path | None) -> None:
    """Show a graded class: students, scores and named mistakes."""
    one, paths = find_chapter(chapter), find_course(course)
    rows = read_class(one, paths)
    console = Console()
    console.print(class_table(one, rows))
    counts = Table("mistake", "students", title="Mistakes by name")
    for code, count in mistake_counts(rows):
        counts.add_row(code, str(count))
    console.print(counts)
    click.echo(_where_next(paths, one))
