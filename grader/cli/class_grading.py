"""The implementation of ``grader grade``: run over a class, with a progress bar and a summary table."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass

import click
import torch
from rich.console import Console

from grader.checking.device import choose_device
from grader.cli.class_options import GradeOptions
from grader.cli.common import COULD_NOT, NOT_ALL, PASSED, progress, require_dask
from grader.cli.grade_summary import Summary, due_sentence
from grader.cli.loose_ends import loose_ends
from grader.course.paths import CoursePaths, find_course
from grader.exercises import find_chapter
from grader.gradebook.order import class_order
from grader.gradebook.stored import due_dates, handed_in_late, student_names
from grader.gradebook.writer import ClassGradebook
from grader.grading.class_run import ClassRun, Pool
from grader.grading.course_directory import course_directory, read_config
from grader.grading.master import load_master, released_notebook
from grader.grading.student_result import StudentResult
from grader.grading.submission_grader import SubmissionGrader
from grader.grading.submissions import students_with_folder
from grader.grading.times import instant
from grader.references.unbuilt import require_built
from grader.sandbox.job import Cell, Limits
from grader.sandbox.launch import FULL, Launched
from grader.sandbox.sandbox import Sandbox


def run(options: GradeOptions, launched: Launched | None) -> None:
    """Grade a class, show the summary, and exit with the status."""
    torch.set_num_threads(1)  # the workers are forked: no thread of torch may be there before
    summary, console, ended = _summary(options), Console(stderr=True), False
    try:
        with closing(outcomes(options, launched)) as made:
            for outcome in made:
                summary.add(outcome)
                if options.as_json:
                    click.echo(json.dumps(outcome.to_json()))
        ended = True
    except KeyboardInterrupt:
        console.print("Interrupted. What was graded is recorded; run this again to grade the others.")
        sys.exit(COULD_NOT)
    finally:
        if summary.total and not options.as_json:
            Console().print(summary.table())
        for said in summary.sentences() if summary.total or ended else ():  # a refusal is shown alone
            console.print(said, highlight=False, markup=False, soft_wrap=True)
    paths, stem = find_course(options.course), find_chapter(options.assignment).stem
    for said in (*_lateness(paths, stem), *loose_ends(paths, stem)):
        console.print(said, highlight=False, markup=False, soft_wrap=True)
    sys.exit(NOT_ALL if summary.statuses["error"] else PASSED)


def _summary(options: GradeOptions) -> Summary:
    url = course_directory(paths := find_course(options.course), read_config(paths)).db_url
    return Summary(find_chapter(options.assignment).stem, class_order(url), student_names(url))


def _lateness(paths: CoursePaths, chapter: str) -> Iterator[str]:
    """Yield a sentence on the due date, where there is one."""
    url = course_directory(paths, read_config(paths)).db_url
    if due := due_dates(url).get(chapter):
        yield due_sentence(chapter, instant(due), *handed_in_late(url, chapter))


@dataclass(frozen=True)
class ClassSetup:
    """What grading a class needs: the run, how to open its gradebook, and who has submitted."""

    run: ClassRun
    open_gradebook: Callable[[], ClassGradebook]
    handed_in: list[str]


@contextmanager
def prepared(options: GradeOptions, launched: Launched | None) -> Iterator[ClassSetup]:
    """Find all that grading a class needs, and start the sandbox if this machine grades."""
    chapter, paths = find_chapter(options.assignment), find_course(options.course)
    stem, config = chapter.stem, read_config(paths)
    directory = course_directory(paths, config)
    handed_in = students_with_folder(directory, stem)
    require_built(chapter, paths)
    master = load_master(chapter, paths)

    def open_gradebook() -> ClassGradebook:
        return ClassGradebook(directory, config, stem, released_notebook(master))

    limits = Limits.of_cells(float(options.seconds))
    names = student_names(directory.db_url)
    if launched is None:
        grading = SubmissionGrader(master, None, options.device or "cpu", limits, names)
        elsewhere = load_cluster(options.scheduler)
        yield ClassSetup(ClassRun(directory, grading, 0, options.force, elsewhere), open_gradebook, handed_in)
        return
    device = choose_device(options.device, isolated=options.isolation == FULL).type
    with Sandbox(options.isolation, launched) as sandbox:
        sandbox.prepare(tuple(map(Cell, master.first_code)), limits)
        grading = SubmissionGrader(master, sandbox, device, limits, names)
        class_run = ClassRun(directory, grading, options.workers, options.force)
        yield ClassSetup(class_run, open_gradebook, handed_in)


def load_cluster(scheduler: str) -> Callable[[ClassRun], Pool]:
    """Return what makes a pool on the workers of a Dask scheduler."""
    require_dask()
    from grader.cluster.client import Cluster  # noqa: PLC0415 - an extra, and slow to import

    def say(sentence: str) -> None:
        click.echo(f"grader: {sentence}", err=True)

    return lambda run: Cluster(scheduler, run, say)


def outcomes(options: GradeOptions, launched: Launched | None) -> Iterator[StudentResult]:
    """Yield the students' outcomes, with a progress bar on stderr."""
    with prepared(options, launched) as course:
        handed_in = course.handed_in
        count = len(options.students.intersection(handed_in)) if options.students else len(handed_in)
        graded = course.run.run(course.open_gradebook, handed_in, options.students)
        with progress(estimate=True) as bar, closing(graded) as made:
            task = bar.add_task(course.run.assignment, total=count)
            for outcome in made:
                bar.advance(task, outcome.status in ("graded", "error"))
                yield outcome
