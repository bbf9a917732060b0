"""What the tests of hostile submissions share: sandboxes, masters, a class to steal from, a naive grader."""

import json
import os
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest

from grader.course.paths import CoursePaths
from grader.exercises import CHAPTERS
from grader.grading.master import Master, load_master
from grader.proving.bank import Answer
from grader.sandbox.sandbox import Sandbox, missing_isolation
from tests.hostile.harness import SECRET, Grading, Neighborhood, Notebooks

NAIVE = Path(__file__).with_name("naive.py")


@pytest.fixture(scope="session")
def neighborhood(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Iterator[Neighborhood]:
    """Make a class to steal from and to harm."""
    course, mark = tmp_path_factory.mktemp("course"), f"hostile-{os.getpid()}-mark"
    (course / "nbgrader_config.py").write_text("c = get_config()\n")
    other = course / "submitted" / "neighbor" / "ch04_self_attention" / "ch04_self_attention.ipynb"
    other.parent.mkdir(parents=True)
    other.write_text(json.dumps({"cells": [], "text": SECRET}))
    with closing(sqlite3.connect(course / "gradebook.db")) as gradebook, gradebook:
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


@pytest.fixture(scope="session")
def notebooks(
    repository: Path, answers: Callable[[str], dict[str, Answer]], neighborhood: Neighborhood
) -> Notebooks:
    """Return what makes submissions."""
    return Notebooks(CoursePaths(repository), answers, neighborhood)


@pytest.fixture(scope="session")
def grading(masters: Callable[[str], Master]) -> Grading:
    """Return what grades a notebook."""
    return Grading(masters)


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
