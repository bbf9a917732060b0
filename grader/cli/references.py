"""``grader references``: make, verify, mutate and run again."""

import sys
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from grader.checking.device import DEVICES, SECOND, proving_device
from grader.cli.common import (
    NOT_ALL,
    PASSED,
    chapters_named,
    course_option,
    progress,
    report_errors,
)
from grader.course.compile import build_declaration, find_source_course, stems_named
from grader.course.paths import CoursePaths
from grader.errors import ReferenceDataError, SourceError
from grader.exercises import EXERCISES, Exercise, find_chapter
from grader.proving.build import build_chapter, draw_hidden
from grader.proving.mutation.trials import declare_survivors, stale, try_exercises
from grader.proving.recipe import PUBLIC_SEED
from grader.proving.reruns import rerun_exercises
from grader.proving.sources import source_problems
from grader.proving.steps import build_steps
from grader.proving.verify import verify_chapter


@click.group()
def references() -> None:
    """Make or verify the stored tensors that answers are judged by."""


@references.command("build")
@click.argument("chapter", required=False)
@click.option(
    "--course-seed",
    type=click.IntRange(min=0),
    help="Draw the hidden cases with this seed, and leave the references as they are. For a course of your "
    "own take a large number, and keep it to yourself.",
)
@course_option
@report_errors
def references_build(chapter: str | None, course_seed: int | None, course: Path | None) -> None:
    """Make the references of CHAPTER, or of all chapters, and prove them against the answer banks.

    The cases that only grading uses are written beside the solutions, never to what students get. They are
    drawn with the seed in use; --course-seed draws them with another one, and writes nothing else.
    """
    paths = find_source_course(course)
    for stem in stems_named(chapter, paths):
        if course_seed is None:
            seed = build_chapter(build_declaration(stem, paths), paths, _echo_proven, _echo_note)
        else:
            draw_hidden(find_chapter(stem), paths, course_seed, _echo_proven)
            seed = course_seed
        for note in source_problems(stem, paths):
            _echo_note(note)
        whose = "the public seed" if seed == PUBLIC_SEED else "your own seed"
        click.echo(f"{paths.grading_cases(stem)}: hidden cases, drawn with {whose}")


def _echo_note(note: str) -> None:
    click.echo(f"Note: {note}", err=True)


def _echo_proven(exercise: Exercise, answers: int, hidden: int) -> None:
    cases = "1 hidden case; expected two to six" if hidden == 1 else f"{hidden} hidden cases"
    click.echo(f"{exercise.id}: proven against {answers} answers, with {cases}")


@references.command("steps")
@click.argument("chapter", required=False)
@course_option
@report_errors
def references_steps(chapter: str | None, course: Path | None) -> None:
    """Make the steps of CHAPTER's exercises, or of all chapters', from its ``steps.py``, and nothing else.

    They say how far a wrong answer is right, and decide no score: no answer has to be proven anew.
    """
    paths = find_source_course(course)
    for one in chapters_named(chapter, paths):
        click.echo(f"{one.stem}: steps of {build_steps(one, paths)} exercises")


@references.command("verify")
@click.argument("chapter", required=False)
@click.option(
    "--device",
    type=click.Choice((*DEVICES, SECOND)),
    help="Where to run; by default GRADER_DEVICE, else CUDA if there is one. "
    f"{SECOND} is another device than the CPU that needs no hardware.",
)
@course_option
@report_errors
def references_verify(chapter: str | None, device: str | None, course: Path | None) -> None:
    """Verify the references and hidden cases of CHAPTER, or of all: unaltered, right, and discriminating."""
    paths, where = find_source_course(course), proving_device(device)
    found = chapters_named(chapter, paths)
    problems = []
    for one in found:
        try:
            for note in source_problems(one.stem, paths):
                _echo_note(note)
            problems += verify_chapter(one, paths, where)
        except (ReferenceDataError, SourceError) as error:
            if chapter:
                raise
            problems.append(f"{one.stem}: {error}")
    click.echo("\n".join(problems) or f"The references and hidden cases are verified on {where.type}.")
    sys.exit(NOT_ALL if problems else PASSED)


def _exercises_named(name: str | None, paths: CoursePaths) -> list[Exercise]:
    """Return the exercise of this id, those of the chapter of this stem, or all of the course."""
    if name in EXERCISES:
        return [EXERCISES[name]]
    return [exercise for one in chapters_named(name, paths) for exercise in one.exercises]


@references.command("mutate")
@click.argument("name", required=False, metavar="[CHAPTER|EXERCISE]")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes; by default one for each CPU.")
@click.option("--declare", is_flag=True, help="Add those that pass to equivalent_mutants.toml: write why.")
@course_option
@report_errors
def references_mutate(name: str | None, jobs: int | None, declare: bool, course: Path | None) -> None:
    """Mutate every correct variant: a wrong answer that nobody listed must not pass.

    Exit status: 0 all fail or are declared equivalent, 1 some pass or a declaration is stale.
    """
    paths = find_source_course(course)
    exercises = _exercises_named(name, paths)
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
    problems = [survivor.as_line() for one in reports for survivor in one.survivors]
    problems += [f"{one.as_line()} (no longer needed: remove it)" for one in stale(reports, paths.solutions)]
    click.echo("\n\n".join(problems) or "No mutant passes that is not declared equivalent.")
    for path in declare_survivors(reports, paths.solutions) if declare else ():
        click.echo(f"\n{path}: those that pass are declared at its end. Write each reason, or add a case.")
    sys.exit(NOT_ALL if problems else PASSED)


@references.command("roundings")
@click.argument("name", required=False, metavar="[CHAPTER|EXERCISE]")
@click.option("--runs", type=click.IntRange(min=1), default=20, show_default=True, help="Of each variant.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes; by default one for each CPU.")
@click.option(
    "--device",
    type=click.Choice((*DEVICES, SECOND)),
    default="cpu",
    show_default=True,
    help=f"Where to run; {SECOND} needs no hardware. A GPU rounds as it does, nothing at random.",
)
@course_option
@report_errors
def references_roundings(
    name: str | None, runs: int, jobs: int | None, device: str, course: Path | None
) -> None:
    """Run every correct variant with each operation rounded up or down at random: it must still pass.

    Exit status: 0 all pass in all runs, 1 some are refused.
    """
    paths = find_source_course(course)
    exercises = _exercises_named(name, paths)
    with progress() as bar:
        task = bar.add_task("variants", total=None)
        reruns = list(
            rerun_exercises(
                *(exercises, paths, runs, proving_device(device), jobs),
                on_variant=lambda done, total: bar.update(task, completed=done, total=total),
            )
        )
    refused = [one for one in reruns if one.refusals]
    told = [one.as_line() for one in refused]
    count = sum(len(one.refusals) for one in refused)
    whose = f", of {len(refused)} variants" if refused else ""
    told.append(f"{len(reruns)} variants, {runs} runs each: {count} refused{whose}.")
    click.echo("\n\n".join(told))
    sys.exit(NOT_ALL if refused else PASSED)
