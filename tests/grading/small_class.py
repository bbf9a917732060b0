"""A class in a folder of its own, graded without the command line: what tests of a whole class share."""

import json
import os
import signal
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from grader.gradebook import writer
from grader.gradebook.writer import ClassGradebook
from grader.grading import class_run, result_files
from grader.grading.class_run import ClassRun
from grader.grading.master import released_notebook
from grader.grading.student_result import StudentResult
from grader.grading.submission_grader import SubmissionGrader
from grader.grading.submissions import SECRET, students_with_folder

GRADES = """
    select student.id, base_cell.name, auto_score, needs_manual_grade, submitted_assignment.timestamp
    from grade join base_cell on grade.cell_id = base_cell.id
    join submitted_notebook on grade.notebook_id = submitted_notebook.id
    join submitted_assignment on submitted_notebook.assignment_id = submitted_assignment.id
    join student on submitted_assignment.student_id = student.id
    order by student.id, base_cell.name
"""


@dataclass(frozen=True)
class Class:
    """A class in a folder of its own."""

    directory: CourseDirectory
    config: Config
    grading: SubmissionGrader

    @property
    def root(self) -> Path:
        """Its folder."""
        return Path(self.directory.root)

    @property
    def stem(self) -> str:
        """The assignment."""
        return self.grading.master.chapter.stem

    def hand_in(self, student: str, content: str | bytes) -> Path:
        """Put a student's notebook into its place."""
        path = self.root / "submitted" / student / self.stem / f"{self.stem}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def open_gradebook(self) -> ClassGradebook:
        """Open its gradebook."""
        released = released_notebook(self.grading.master)
        return ClassGradebook(self.directory, self.config, self.stem, released)

    def outcomes(self, *wanted: str, workers: int = 2, force: bool = False) -> Iterable[StudentResult]:
        """Grade it, outcome by outcome."""
        run = ClassRun(self.directory, self.grading, workers, force)
        handed_in = students_with_folder(self.directory, self.stem)
        return run.run(self.open_gradebook, handed_in, frozenset(wanted))

    def grade(self, *wanted: str, **options: object) -> dict[str, StudentResult]:
        """Grade it."""
        made = list(self.outcomes(*wanted, **options))
        assert len({one.student for one in made}) == len(made)
        return {one.student: one for one in made}

    def graded(self, student: str, suffix: str = ".verdict.json") -> Path:
        """Return a file of what was graded."""
        return self.root / "autograded" / student / self.stem / f"{self.stem}{suffix}"

    def page(self, student: str) -> Path:
        """Return a feedback page."""
        return self.root / "feedback" / student / self.stem / f"{self.stem}.html"

    def grades(self) -> list[tuple]:
        """Return what is in the gradebook."""
        with closing(sqlite3.connect(self.root / "gradebook.db")) as connection:
            return connection.execute(GRADES).fetchall()

    def everything(self) -> dict[str, object]:
        """Return all that a run leaves, but for how long it took and what is drawn."""
        files = {}
        for path in sorted((*self.root.glob("autograded/**/*"), *self.root.glob("feedback/**/*"))):
            if path.is_file():
                text = "a secret" if path.name == SECRET else path.read_text()
                facts = json.loads(text) | {"seconds": 0} if path.name.endswith(".verdict.json") else text
                files[str(path.relative_to(self.root))] = facts
        return {"files": files, "grades": self.grades()}


def graded_cells(notebook: str) -> str:
    """Return a submission of nothing but the cells that are graded: they take a moment to run."""
    document = json.loads(notebook)
    document["cells"] = [cell for cell in document["cells"] if "nbgrader" in cell["metadata"]]
    return json.dumps(document)


def fill(made: Class, right: str, released: str) -> None:
    """Hand in for the four students."""
    right, released = graded_cells(right), graded_cells(released)
    made.hand_in("ada", right).with_name("timestamp.txt").write_text("2026-03-01 12:00:00 UTC")
    notebook = json.loads(right)
    first = next(iter(made.grading.master.exercises))
    (cell,) = [one for one in notebook["cells"] if one["id"] == first]
    cell["source"] = f"class {made.grading.master.exercises[first].subject}: pass"
    made.hand_in("bob", json.dumps(notebook))
    made.hand_in("cyd", released)
    made.hand_in("dan", b"\xffno notebook")


def kill_after(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have this process killed before its n-th file or submission is written."""
    numbers = count(1)

    def or_die(act: Callable) -> Callable:
        def counted(*arguments: object) -> object:
            if next(numbers) == steps:
                os.kill(os.getpid(), signal.SIGKILL)
            return act(*arguments)

        return counted

    for holder, name in (
        (class_run, "write_if_changed"),
        (result_files, "write_whole"),
        (Path, "replace"),
        (writer, "penalize"),
    ):
        monkeypatch.setattr(holder, name, or_die(getattr(holder, name)))
