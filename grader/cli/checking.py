"""``grader check`` and ``grader list``: one answer, and what is asked."""

import json
import os
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click
from rich.console import Console
from rich.table import Column, Table

from grader.checking.credit import PartialCredit, nearest_credit
from grader.checking.device import choose_device, first_on_the_cpu
from grader.checking.mistakes import explain, known_mistakes, title_of_group
from grader.checking.rendering import result_text
from grader.checking.result import Line, Result
from grader.cli.common import (
    COULD_NOT,
    NOT_ALL,
    PASSED,
    course_option,
    device_option,
    isolation_option,
    json_option,
    report_errors,
)
from grader.course.paths import find_course
from grader.errors import GraderError, ReferenceDataError
from grader.exercises import (
    BROKEN,
    CHAPTERS,
    QUESTIONS,
    Exercise,
    declared_for,
    find_exercise,
    own_chapters,
)
from grader.grading.judging import Judgement, judge_exercise, tracing_by
from grader.grading.submissions import printable
from grader.messages import Message, message
from grader.references import load_exercise
from grader.sandbox.job import Cell, Job, Limits
from grader.sandbox.launch import FULL
from grader.sandbox.sandbox import Sandbox
from grader.time_limits import CHECK_SECONDS

# Seconds that a file's process may take beside running it.
ALLOWANCE = 5
# Stands for the number of mistakes where there are no references.
NOT_BUILT = "not built"


def _unreadable(exercise: Exercise, reason: Message) -> Result:
    return Result(exercise, "error", (), (Line(reason),))


def _check_file(
    exercise: Exercise,
    file: Path,
    sandbox: Sandbox,
    device: str,
    seconds: float,
    credit: PartialCredit,
) -> Result:
    if not file.is_file():
        return _unreadable(
            exercise, message("{file} is not a file that can be read.", file=printable(str(file)))
        )
    if file.suffix == ".ipynb":
        told = message(
            "{file} is a notebook; here a Python file is expected that defines {subject}. `grader grade` "
            "grades notebooks; a learner's own check is in the notebook.",
            file=printable(str(file)),
            subject=exercise.subject,
        )
        return _unreadable(exercise, told)
    try:
        source = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        return _unreadable(
            exercise,
            message(
                "{file} cannot be read as UTF-8 text: {error}", file=printable(str(file)), error=str(error)
            ),
        )
    reference = load_exercise(exercise.chapter, exercise.id)
    limits = Limits(cell_seconds=seconds, total_seconds=2 * seconds + ALLOWANCE)
    cell = Cell(source, exercise.id, str(file))

    def judged(there: str) -> Judgement:
        cases, declared = {exercise.id: reference.cases}, declared_for(exercise.chapter)
        job = Job((cell,), cases, limits, there, declared=declared)
        run = sandbox.run(job, tracing_by({exercise.id: reference}, there))
        return judge_exercise(exercise, reference, run, None, limits, there, credit)

    try:
        judgement = first_on_the_cpu(judged, device)
    except GraderError as error:  # told in the file's place: the others are checked all the same
        return _unreadable(
            exercise, message("{file} could not be run: {error}", file=printable(str(file)), error=str(error))
        )
    if judgement.fault:
        told = message(
            "{file} could not be judged. That is a fault of the grader, not of the answer: {error}",
            file=printable(str(file)),
            error=judgement.fault,
        )
        return _unreadable(exercise, told)
    return judgement.result


@click.command()
@click.argument("exercise")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--seconds",
    type=click.IntRange(1, 3600),
    default=CHECK_SECONDS,
    show_default=True,
    help="Time limit for a file.",
)
@isolation_option
@device_option
@json_option
@course_option
@report_errors
def check(
    exercise: str,
    files: tuple[Path, ...],
    seconds: int,
    isolation: str,
    device: str | None,
    as_json: bool,
    course: Path | None,
) -> None:
    """Check each of FILES, Python files that define the subject of EXERCISE, in the sandbox.

    Exit status: 0 all passed, 1 not all, 2 could not check.
    """
    folder = _taken(course)
    asked = find_exercise(exercise)
    load_exercise(asked.chapter, asked.id)
    where = choose_device(device, isolated=isolation == FULL).type
    credit = nearest_credit(folder)
    statuses = set()
    with Sandbox(isolation) as sandbox, ThreadPoolExecutor(os.cpu_count()) as pool:
        for file, result in zip(
            files,
            pool.map(lambda f: _check_file(asked, f, sandbox, where, seconds, credit), files),
            strict=True,
        ):
            statuses.add(result.status)
            if as_json:
                click.echo(json.dumps({"file": str(file), **result.to_json()}))
            else:
                click.echo(f"{printable(str(file))}\n{result_text(result)}\n")
    sys.exit(COULD_NOT if "error" in statuses else NOT_ALL if "failed" in statuses else PASSED)


def _taken(course: Path | None) -> Path | None:
    """Return the folder of the course that is named, whose chapters are known from then on; None without."""
    return find_course(course).root if course else None


def _codes_of(exercises: Iterable[Exercise]) -> tuple[dict[str, tuple[str, ...]], list[GraderError]]:
    """Return the mistakes that exercises know by name, and a problem of each chapter without references."""
    codes, problems = {}, {}
    for one in exercises:
        try:
            codes[one.id] = load_exercise(one.chapter, one.id).codes
        except ReferenceDataError as error:
            problems.setdefault(one.chapter, error)
    return codes, list(problems.values())


def _list_codes(named: str, as_json: bool) -> None:
    """Show all mistakes that have a name, those that numbers cannot show last; none may be named."""
    if named:
        raise click.UsageError(f"--codes lists those of all exercises. Leave out --codes or {named}.")
    table = Table("code", "mistake", "about", box=None, pad_edge=False)
    for code, one in known_mistakes().items():
        if as_json:
            click.echo(json.dumps({"code": code, "title": str(one.title), "group": one.group}))
        table.add_row(code, str(one.title), title_of_group(one.group))
    if not as_json:
        Console().print(table)


@click.command("list")
@click.argument("exercise_id", metavar="[EXERCISE or CHAPTER]", default="")
@click.option("--codes", is_flag=True, help="List every mistake that a bank may declare, by its code.")
@json_option
@course_option
@report_errors
def list_exercises(exercise_id: str, codes: bool, as_json: bool, course: Path | None) -> None:
    """List all exercises or those of CHAPTER, or the mistakes that EXERCISE knows by name.

    In a course of your own, all are its own; elsewhere those of the package's course. What is answered in
    words, and graded by a person, comes last.
    """
    _taken(course)
    if codes:
        _list_codes(exercise_id, as_json)
        return
    if exercise_id in CHAPTERS:
        chapter, exercise_id = exercise_id, ""
        asked = list(CHAPTERS[chapter].exercises)
        in_words = [one for one in QUESTIONS.values() if one.chapter == chapter]
    else:
        own = () if exercise_id else own_chapters()
        asked = [find_exercise(exercise_id)] if exercise_id else [one for c in own for one in c.exercises]
        in_words = [one for c in own for one in c.questions]
    known, problems = _codes_of(asked)
    if exercise_id and problems:
        raise problems[0]
    if as_json:
        for one in (*asked, *in_words):
            facts = {"exercise": one.id, "chapter": one.chapter, "subject": one.subject, "points": one.points}
            click.echo(json.dumps(facts | {"codes": list(known.get(one.id, ()))}))
    elif exercise_id:
        table = Table("code", "mistake", title=asked[0].signature, title_justify="left")
        for code in known[exercise_id]:
            table.add_row(code, str(explain(code).title))
        Console().print(table)
    else:
        numbers = (Column(name, justify="right") for name in ("points", "mistakes"))
        table = Table("exercise", "subject", *numbers, box=None, pad_edge=False)
        for one in asked:
            mistakes = str(len(known[one.id])) if one.id in known else NOT_BUILT
            table.add_row(one.id, one.subject, str(one.points), mistakes)
        for one in in_words:
            table.add_row(one.id, one.subject, str(one.points), "by hand")
        Console().print(table)
    for problem in (*problems, *BROKEN.values()):
        click.echo(f"Note: {problem}", err=True)
