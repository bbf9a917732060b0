"""What tests of grading share: a chapter's master, submissions, and a stand-in for the sandbox."""

import contextlib
import io
import json
import linecache
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
import torch
from nbgrader.coursedir import CourseDirectory
from small_class import Class, fill
from traitlets.config import Config

from grader.checking.attempt import attempt
from grader.checking.observation import Attempt
from grader.checking.quiet import quiet
from grader.checking.steps.tracing import traced
from grader.course.notebooks import load_config
from grader.course.paths import CoursePaths
from grader.exercises import Chapter, find_exercise
from grader.grading.grade_submission import grade
from grader.grading.master import Master, load_master
from grader.grading.record import Record
from grader.grading.sample_class import Choice, submission
from grader.grading.submission_grader import SubmissionGrader
from grader.proving.bank import Answer
from grader.sandbox.job import Cell, CellRun, Job, Run
from grader.sandbox.sandbox import Sandbox

LEFT_OUT = re.compile(r"\bshow_\w+\(|\bfinder\b|marked_sentence")


class ProcessEndedError(BaseException):
    """Stands for the end of the learner's process."""


@dataclass
class TrustedRuns:
    """Runs a job in this process: for answers that the tests wrote themselves.

    A cell that calls ``end_process()`` counts as one that ended the process; ``too_slow()`` as one that was
    stopped. Cells that draw or train are left out: nothing that is graded needs them.
    """

    jobs: list[Job] = field(default_factory=list)

    def run(self, job: Job, to_trace: Callable[[str, Attempt], str]) -> Run:
        """Return what comes of a job."""
        self.jobs.append(job)
        space: dict[str, object] = {"__name__": "__main__"}
        cells, attempts, hidden = [], {}, {}
        for cell in job.cells:
            if cell.exercise:
                attempts[cell.exercise] = self._traced(cell, job, space, to_trace)
                hidden[cell.exercise] = self._attempt(cell, job.hidden, job, space)
                cells.append(CellRun("ran"))
            elif LEFT_OUT.search(cell.source):
                cells.append(CellRun("ran"))
            else:
                cells.append(self._ran(cell, space))
        return Run(tuple(cells), attempts, 0.0, hidden)

    def _traced(self, cell: Cell, job: Job, space: dict[str, object], to_trace: Callable) -> Attempt:
        made, exercise = self._attempt(cell, job.cases, job, space), find_exercise(cell.exercise)
        if not (name := to_trace(exercise.id, made)):
            return made
        case = next(one for one in job.cases[exercise.id] if one.name == name)
        with quiet():
            seen = traced(exercise, space[exercise.subject], case, torch.device(job.device), 10.0)
        return replace(made, traced=seen)

    @staticmethod
    def _attempt(cell: Cell, by_exercise: Mapping, job: Job, space: dict[str, object]) -> Attempt:
        exercise, cases = find_exercise(cell.exercise), by_exercise.get(cell.exercise, ())
        with quiet():
            return attempt(exercise, space.get(exercise.subject), cases, torch.device(job.device), 10.0)

    @staticmethod
    def _ran(cell: Cell, space: dict[str, object]) -> CellRun:
        def end_process() -> None:
            raise ProcessEndedError

        def too_slow() -> None:
            raise TimeoutError("too-slow")

        space |= {"end_process": end_process, "too_slow": too_slow}
        printed, name = io.StringIO(), f"<cell {hash(cell.source)}>"
        linecache.cache[name] = (len(cell.source), None, cell.source.splitlines(keepends=True), name)
        try:
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
                exec(compile(cell.source, name, "exec"), space)
        except ProcessEndedError:
            return CellRun("ended")
        except TimeoutError:
            return CellRun("too-slow")
        except Exception as error:  # noqa: BLE001 - it is the cell's result
            name, text = type(error).__name__, str(error)
            output = {"output_type": "error", "ename": name, "evalue": text, "traceback": [f"{name}: {text}"]}
            return CellRun("raised", (output,))
        text = printed.getvalue()
        return CellRun("ran", ({"output_type": "stream", "name": "stdout", "text": text},) if text else ())


@pytest.fixture(scope="session")
def runs() -> TrustedRuns:
    """Return a stand-in for the sandbox."""
    return TrustedRuns()


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """Return a sandbox with full isolation."""
    with Sandbox() as started:
        yield started


@pytest.fixture(scope="session")
def master(chapter: Chapter, repository) -> Master:
    """Return the master of the chapter."""
    return load_master(chapter, CoursePaths(repository))


@pytest.fixture(scope="session")
def released(chapter: Chapter, repository) -> str:
    """Return the chapter's student notebook."""
    return CoursePaths(repository).student(chapter).read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def right(chapter: Chapter, answers: Callable[[str], dict[str, Answer]], released: str) -> str:
    """Return a submission that is right in every exercise."""
    choices = [Choice(one, next(iter(answers(one.id).values()))) for one in chapter.exercises]
    return submission(released, choices)


@pytest.fixture
def document(right: str) -> dict:
    """Return the right submission as parsed JSON, free to be damaged."""
    return json.loads(right)


@pytest.fixture
def graded(master: Master, runs: TrustedRuns) -> Callable[[bytes | str | dict], Record]:
    """Return a function that grades bytes, a text or a parsed notebook."""

    def of(content: bytes | str | dict) -> Record:
        if isinstance(content, dict):
            content = json.dumps(content)
        return grade(content.encode() if isinstance(content, str) else content, master, runs)

    return of


@pytest.fixture
def config(repository: Path) -> Config:
    """Return the course's configuration of nbgrader."""
    return load_config(CoursePaths(repository).config)


@pytest.fixture
def directory(tmp_path: Path, config: Config) -> CourseDirectory:
    """Return an empty course folder as nbgrader sees it."""
    return CourseDirectory(config=config, root=str(tmp_path))


@pytest.fixture(scope="session")
def nbgrader() -> Callable[..., None]:
    """Return a function that runs an nbgrader command in a course's folder."""

    def run(folder: Path, *arguments: str) -> None:
        command = [sys.executable, "-m", "nbgrader", *arguments]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    return run


@pytest.fixture
def really_graded(master: Master, sandbox: Sandbox) -> Callable[[bytes | str | dict], Record]:
    """Return a function that does the same with a sandbox."""

    def of(content: bytes | str | dict) -> Record:
        if isinstance(content, dict):
            content = json.dumps(content)
        return grade(content.encode() if isinstance(content, str) else content, master, sandbox)

    return of


@pytest.fixture
def new_class(config: Config, master: Master, runs: object, tmp_path: Path) -> Callable[[str], Class]:
    """Return a function that makes an empty class of a name."""

    def make(name: str) -> Class:
        (tmp_path / name / "submitted").mkdir(parents=True)
        directory = CourseDirectory(config=config, root=str(tmp_path / name))
        return Class(directory, config, SubmissionGrader(master, runs))

    return make


@pytest.fixture
def a_class(new_class: Callable[[str], Class], right: str, released: str) -> Class:
    """Return a class of four: everything right, one exercise wrong, a blank, and no notebook at all."""
    made = new_class("class")
    fill(made, right, released)
    return made


@pytest.fixture(scope="session")
def generous(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> CoursePaths:
    """Return the course as one that grants part of the points for mistakes of its sample classes."""
    course = CoursePaths(tmp_path_factory.mktemp("generous"))
    for name in ("notebooks", "solutions", CoursePaths(repository).config.name):
        (course.root / name).symlink_to(repository / name)
    course.settings.write_text(
        "[partial-credit]\nsoftmax-wrong-axis = 0.25\nreturns-weights = 0.5\nmask-unexpected = 0.5\n"
        "transfer-not-transposed = 0.3\nscale-by-tokens = 0.25\n"
        "[partial-credit.ch04-transfer-weights]\ntransfer-incomplete = 0.45\n"
    )
    return course
