"""The result files of one assignment, at nbgrader's paths."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import nbformat.v4
from nbgrader.coursedir import CourseDirectory

from grader.errors import GraderError
from grader.files import write_whole
from grader.grading.decisions import Decisions
from grader.grading.record import Record
from grader.grading.submissions import TIMESTAMP, students_in
from grader.reporting.feedback import HEAD, mark_of

# Runs in which a submission that made the grader fail is tried again; no more, it may be made to do so.
MOST_TRIES = 2


@dataclass(frozen=True)
class Places:
    """The paths of a student's result files, which are nbgrader's."""

    directory: CourseDirectory
    assignment: str

    def _folder(self, step: str, student: str) -> Path:
        return Path(self.directory.format_path(step, student, self.assignment))

    def graded(self, student: str) -> Path:
        """Return the folder of what was graded."""
        return self._folder(self.directory.autograded_directory, student)

    def notebook(self, student: str) -> Path:
        """Return the graded notebook."""
        return self.graded(student) / f"{self.assignment}.ipynb"

    def verdict(self, student: str) -> Path:
        """Return the verdict file."""
        return self.graded(student) / f"{self.assignment}.verdict.json"

    def write_verdict(self, student: str, record: Record) -> None:
        """Write the verdict file: the record without its notebook, which is beside it."""
        write_whole(self.verdict(student), json.dumps(replace(record, notebook="").to_json()) + "\n")

    def timestamp(self, student: str) -> Path:
        """Return the file that tells nbgrader when the submission was handed in."""
        return self.graded(student) / TIMESTAMP

    def page(self, student: str) -> Path:
        """Return the feedback page."""
        folder = self._folder(self.directory.feedback_directory, student)
        return folder / f"{self.assignment}.html"

    def mark(self, student: str) -> str:
        """Return the digest of the manual scores and comments that the feedback page shows."""
        with self.page(student).open(encoding="utf-8", errors="replace") as file:
            return mark_of(file.read(HEAD))

    def earlier(self, student: str) -> Record | None:
        """Return the record of the last grading, without its notebook; None if none can be read."""
        try:
            return Record.from_json(json.loads(self.verdict(student).read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None
        except (ValueError, GraderError):
            return None  # of another version, or edited: it is graded again

    def with_notebook(self, student: str, record: Record) -> Record:
        """Return a verdict file's record as it was made: with the graded notebook that is beside it."""
        # nbgrader writes a text as a list of its lines.
        notebook = nbformat.v4.reads(self.notebook(student).read_text(encoding="utf-8"))
        return replace(record, notebook=nbformat.v4.writes(notebook, split_lines=False))

    def graded_text(self, student: str) -> str:
        """Return the graded notebook's text; empty where there is none, or none that can be read."""
        try:
            text = self.notebook(student).read_text(encoding="utf-8")
            nbformat.v4.reads(text)
        except (OSError, ValueError):
            return ""
        return text

    def finished(self, student: str, key: str) -> Record | None:
        """Return the record of a finished grading with this key, without its notebook; None if there is none.

        One in which the grader failed is finished only after further tries.
        """
        record = self.earlier(student)
        if record is None:
            return None
        needed = (self.page(student), self.notebook(student))
        final = not record.faults or record.tries >= MOST_TRIES
        complete = record.key == key and final and all(map(Path.is_file, needed))
        return record if complete else None

    def counted(self, student: str, record: Record) -> Record:
        """Return a new record with the number of times that the grader has failed on this submission."""
        earlier = self.earlier(student) if record.faults else None
        again = earlier is not None and earlier.key == record.key and bool(earlier.faults)
        return replace(record, tries=earlier.tries + 1) if again else record


def pending(decisions: Decisions, places: Places, students: Iterable[str]) -> list[str]:
    """Return the students whose verdict files do not reflect the class's decisions yet."""
    if not decisions.all:
        return []
    records = ((student, places.earlier(student)) for student in students)
    return [student for student, record in records if record and decisions.pending(record)]


def students_with(directory: CourseDirectory, assignment: str, exercise: str, code: str) -> list[str]:
    """Return the students whose answer to an exercise has a mistake, by their verdict files."""
    places = Places(directory, assignment)
    records = (
        (student, places.earlier(student))
        for student in sorted(students_in(directory, directory.autograded_directory, assignment))
    )
    return [
        student
        for student, record in records
        if record and exercise in record.exercises and code in record.exercises[exercise].diagnosis
    ]
