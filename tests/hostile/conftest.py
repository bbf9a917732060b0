"""What the tests of hostile submissions share: the sandbox, the masters, a class to steal from, the judges."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import nbformat
import psutil
import pytest
from attacks.attack import Attack

from grader.course.paths import CoursePaths
from grader.exercises import CHAPTERS, find_exercise
from grader.grading.job import grade
from grader.grading.master import Master, load_master
from grader.grading.record import Record
from grader.proving.bank import Answer
from grader.sandbox import Sandbox, missing_isolation
from grader.sandbox.job import Limits

NAIVE = Path(__file__).with_name("naive.py")
SECRET = "neighbor-secret"


@dataclass(frozen=True)
class Neighborhood:
    """A course with a gradebook and another student's submission, and a listener on this machine."""

    course: Path
    place: Path
    port: int
    mark: str

    def told(self, code: str) -> str:
        """Return code with the places that it attacks filled in."""
        names = {"COURSE": str(self.course), "PLACE": str(self.place), "PORT": str(self.port), "MARK": self.mark}
        for name, value in names.items():
            code = code.replace(name, value)
        return code


@pytest.fixture(scope="session")
def neighborhood(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Iterator[Neighborhood]:
    """Make a class to steal from and to harm."""
    import sqlite3  # noqa: PLC0415 - for this alone

    course, mark = tmp_path_factory.mktemp("course"), f"hostile-{os.getpid()}-mark"
    (course / "nbgrader_config.py").write_text("c = get_config()\n")
    other = course / "submitted" / "neighbor" / "ch04_self_attention" / "ch04_self_attention.ipynb"
    other.parent.mkdir(parents=True)
    other.write_text(json.dumps({"cells": [], "text": SECRET}))
    with sqlite3.connect(course / "gradebook.db") as gradebook:
        gradebook.execute("create table scores (student text, score real)")
        gradebook.execute("insert into scores values ('neighbor', 1)")
    listeners = [
        socket.create_server(("127.0.0.1", 0)),
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM),
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM),
    ]
    listeners[1].bind(str(course / "socket"))
    listeners[2].bind(f"\0{mark}")
    for listener in listeners:
        listener.listen()
    yield Neighborhood(course, repository, listeners[0].getsockname()[1], mark)
    for listener in listeners:
        listener.close()


@pytest.fixture(scope="session")
def masters(repository: Path) -> Callable[[str], Master]:
    """Return a function that gives a chapter's master."""
    return cache(lambda stem: load_master(CHAPTERS[stem], CoursePaths(repository)))


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """Return a sandbox with full isolation."""
    assert not missing_isolation(), "these tests need full isolation, which is not to be had here"
    with Sandbox("full") as made:
        yield made


@pytest.fixture(scope="session")
def open_sandbox() -> Iterator[Sandbox]:
    """Return a sandbox without isolation: for attacks that are harmless."""
    with Sandbox("none") as made:
        yield made


@dataclass(frozen=True)
class Notebooks:
    """Makes submissions: a chapter's released notebook, answered."""

    paths: CoursePaths
    answers: Callable[[str], dict[str, Answer]]
    neighborhood: Neighborhood

    def right(self, exercise_id: str) -> str:
        """Return the first correct variant of an exercise."""
        return next(one for one in self.answers(exercise_id).values() if one.correct).program

    def answered(self, stem: str, sources: dict[str, str] | None = None, later: tuple[str, ...] = ()) -> dict:
        """Return a notebook with right answers but for some, and with cells at its end."""
        chapter = CHAPTERS[stem]
        notebook = nbformat.reads(self.paths.student(chapter).read_text(encoding="utf-8"), as_version=4)
        written = {exercise.id: self.right(exercise.id) for exercise in chapter.exercises} | (sources or {})
        for cell in notebook.cells:
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            if name in written:
                cell.source = written[name].strip()
        notebook.cells += [nbformat.v4.new_code_cell(source) for source in later]
        return json.loads(json.dumps(notebook))

    def attack(self, attack: Attack) -> dict:
        """Return the submission that is an attack."""
        honest = self.answers(attack.exercise)[attack.answer].program if attack.answer else ""
        source = self.neighborhood.told(f"{honest}\n\n{attack.code}")
        later = (self.neighborhood.told(attack.later),) if attack.later else ()
        return self.answered(find_exercise(attack.exercise).chapter, {attack.exercise: source}, later)


@pytest.fixture(scope="session")
def notebooks(
    repository: Path, answers: Callable[[str], dict[str, Answer]], neighborhood: Neighborhood
) -> Notebooks:
    """Return what makes submissions."""
    return Notebooks(CoursePaths(repository), answers, neighborhood)


def content_of(notebook: dict) -> bytes:
    """Return the bytes of a notebook."""
    return json.dumps(notebook).encode()


@dataclass(frozen=True)
class Grading:
    """Grades notebooks and looks at what is left behind."""

    masters: Callable[[str], Master]

    def __call__(self, sandbox: Sandbox, stem: str, notebook: dict | bytes, limits: Limits) -> Record:
        """Return the record of a notebook."""
        content = notebook if isinstance(notebook, bytes) else content_of(notebook)
        return grade(content, self.masters(stem), sandbox, limits=limits)


@pytest.fixture(scope="session")
def grading(masters: Callable[[str], Master]) -> Grading:
    """Return what grades a notebook."""
    return Grading(masters)


def printed(record: Record) -> str:
    """Return all text of a graded notebook's outputs."""
    texts = []
    for cell in json.loads(record.notebook)["cells"]:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            texts += [output.get("text", ""), data.get("text/plain", ""), *output.get("traceback", ())]
    return "\n".join("".join(text) for text in texts)


def outputs_of(record: Record) -> str:
    """Return all outputs of a graded notebook, of every kind, as JSON; what a cell says itself left out."""
    return json.dumps([cell.get("outputs") for cell in json.loads(record.notebook)["cells"]])


def processes_of(sandbox: Sandbox) -> set[int]:
    """Return the processes below this one that are not the sandbox's own two."""
    found = set()
    for one in psutil.Process().children(recursive=True):
        try:
            if one.status() != psutil.STATUS_ZOMBIE:
                found.add(one.pid)
        except psutil.NoSuchProcess:
            continue
    return found


@pytest.fixture(scope="session")
def naive() -> Iterator[Callable[[list[tuple[str, str]]], dict[str, bool]]]:
    """Return a function that grades cells as stock nbgrader does: in the student's own process."""
    process = subprocess.Popen(
        [sys.executable, str(NAIVE)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )

    def of(cells: list[tuple[str, str]]) -> dict[str, bool]:
        process.stdin.write(json.dumps(cells) + "\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())

    yield of
    process.stdin.close()
    process.wait(60)
    process.stdout.close()
