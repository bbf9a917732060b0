"""What tests of grading need: a course folder, its master, and records to record."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from grader.course.notebooks import load_config
from grader.course.paths import CoursePaths
from grader.exercises import Chapter
from grader.grading.master import Master, load_master


@pytest.fixture
def config(repository: Path) -> Config:
    """Return the course's configuration of nbgrader."""
    return load_config(CoursePaths(repository).config)


@pytest.fixture(scope="session")
def master(repository: Path, chapter: Chapter) -> Master:
    """Return the chapter's master."""
    return load_master(chapter, CoursePaths(repository))


@pytest.fixture
def directory(tmp_path: Path, config: Config) -> CourseDirectory:
    """Return an empty course folder as nbgrader sees it."""
    return CourseDirectory(config=config, root=str(tmp_path))


@pytest.fixture(scope="session")
def nbgrader() -> Callable[..., None]:
    """Return a function that runs an nbgrader command in a course's folder."""

    def run(folder: Path, *arguments: str) -> None:
        environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
        command = [sys.executable, "-m", "nbgrader", *arguments]
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr

    return run
