"""The implementation of ``grader regrade``: grade again, show what changes, and write it if asked to."""

import json
import shlex
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import torch
from rich.console import Console

from grader.cli.class_grading import ClassSetup, prepared
from grader.cli.class_options import GradeOptions
from grader.cli.common import COULD_NOT, NOT_ALL, PASSED, progress
from grader.cli.regrade_summary import RegradeSummary
from grader.course.paths import find_course
from grader.gradebook.connection import is_there
from grader.gradebook.order import class_order
from grader.gradebook.stored import StoredGrades, read_stored_grades
from grader.grading.class_run import ClassRun, Pool, absent_students, present_students
from grader.grading.course_directory import course_directory, read_config
from grader.grading.regrade import Regrade
from grader.grading.regrade_cache import Computed
from grader.sandbox.launch import Launched
from grader.time_limits import CHECK_SECONDS


def run(options: GradeOptions, launched: Launched | None, write: bool) -> None:
    """Show what changes in a class, write it if asked to, and end with the exit status."""
    torch.set_num_threads(1)  # the workers are forked: no thread of torch may be there before
    directory = course_directory(paths := find_course(options.course), read_config(paths))
    summary = RegradeSummary(class_order(directory.db_url))
    again = _again(options)
    try:
        _run(options, launched, summary, write)
    except KeyboardInterrupt:
        done = f"{summary.written} of {summary.affected} are written, and complete" if summary.shown else ""
        say(f"Interrupted. {done or 'Nothing is written'}. Run this again to finish: {again}")
        sys.exit(COULD_NOT)
    if not summary.affected:
        say("Nothing is to be written.")
    elif write:
        say(f"Written: {summary.written} of {summary.affected}.")
    else:
        say(f"Nothing is written. To write it: {again}")
    sys.exit(NOT_ALL if summary.affected and not write else PASSED)


def _again(options: GradeOptions) -> str:
    """Return the command that writes what this one shows."""
    changed = [] if options.force else ["--changed"]
    students = [f"--student={one}" for one in sorted(options.students)]
    seconds = [f"--seconds={options.seconds:g}"] if options.seconds != CHECK_SECONDS else []
    return shlex.join(["grader", "regrade", options.assignment, *changed, *students, *seconds, "--yes"])


def _run(options: GradeOptions, launched: Launched | None, summary: RegradeSummary, write: bool) -> None:
    with TemporaryDirectory(prefix="grader-regrade-") as spool, prepared(options, launched) as course:
        computed = Computed.of(Path(course.run.directory.root), course.run.assignment)
        run = replace(course.run, computed=computed if write else None)
        with run.at_work() as workers:
            if not write:
                computed.clear()  # of an earlier run, which this one replaces
            regrade = Regrade(run, _held(run), Path(spool), None if write else computed)
            _compare(options, course, workers, regrade, summary)
            if write and summary.affected:
                _write(course, regrade, summary)
            if write or not summary.affected:
                computed.clear()


def _held(run: ClassRun) -> StoredGrades:
    url = run.directory.db_url
    return read_stored_grades(url, run.assignment) if is_there(url) else StoredGrades()


def _compare(
    options: GradeOptions, course: ClassSetup, workers: Pool, regrade: Regrade, summary: RegradeSummary
) -> None:
    """Grade again, and show what changes."""
    absent = absent_students(course.handed_in, regrade.held.students, options.students)
    present = present_students(course.handed_in, options.students)
    with progress(estimate=True) as bar:
        task = bar.add_task("graded", total=len(present))
        for change in regrade.changes(workers, present, absent):
            summary.add(change)
            bar.advance(task, bool(change.status))
    _show(options, summary)


def say(sentence: str) -> None:
    """Print to stderr; stdout is for results."""
    click.echo(sentence, err=True)


def _show(options: GradeOptions, summary: RegradeSummary) -> None:
    if options.as_json:
        for change in summary.shown_changes():
            click.echo(json.dumps(change.to_json()))
    elif (table := summary.table()).row_count:
        Console().print(table)
    summary.shown = True
    for sentence in summary.sentences():
        say(sentence)


def _write(course: ClassSetup, regrade: Regrade, summary: RegradeSummary) -> None:
    with closing(course.open_gradebook()) as gradebook, progress() as bar:
        task = bar.add_task("written", total=summary.affected)
        for _ in regrade.write(gradebook):
            summary.written += 1
            bar.advance(task)
