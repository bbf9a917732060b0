"""The run over a whole class: many processes grade what was handed in, this one records it.

Whatever kills the run, running it again gives what an undisturbed run gives. A student's verdict file is written
last, and removed first: where it is, with the key of what was handed in, everything else has been written.
"""

import fcntl
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from nbgrader.coursedir import CourseDirectory

from grader.errors import GraderError, SubmissionError
from grader.files import remove_unfinished, write_whole
from grader.grading.gradebook import ClassGradebook, gradebook_entry, gradebook_scores
from grader.grading.record import ExerciseRecord, Record
from grader.grading.submissions import TIMESTAMP, read_folder, students_with_folder
from grader.grading.workers import Failure, Workers

LOCK = ".grader.lock"
# As long as a name can be in nbgrader's gradebook.
NAME_LENGTH = 128


@dataclass(frozen=True)
class Grading:
    """How one submission is graded. Called in the workers; none of it raises for what a student sent.

    Attributes:
        key: SHA-256 of all that the record of a notebook's bytes depends on.
        grade: the record of a notebook's bytes.
        refused: the record of a submission that cannot be graded, for a reason.
        page: a student's feedback page.
        seconds: how long a submission may take before its worker is given up.
    """

    key: Callable[[bytes], str]
    grade: Callable[[bytes], Record]
    refused: Callable[[str], Record]
    page: Callable[[Record], str]
    seconds: float


@dataclass(frozen=True)
class Outcome:
    """What is told of one student.

    Attributes:
        student: the name of the folder, which may hold any character.
        status: ``graded``; ``error``, with the reason; ``missing``, where nothing was handed in.
        score: points earned.
        max_score: points to earn.
        seconds: wall time that grading it took.
        exercises: by id; empty where nothing was handed in.
        reason: why there is an error, or what is missing.
        notes: what was recovered or overwritten.
        fresh: whether it was graded now; otherwise nothing had changed since the last time.
    """

    student: str
    status: Literal["graded", "error", "missing"]
    score: float
    max_score: float
    seconds: float = 0.0
    exercises: Mapping[str, ExerciseRecord] = None
    reason: str = ""
    notes: tuple[str, ...] = ()
    fresh: bool = True

    def to_json(self) -> dict[str, object]:
        """Return it as JSON can hold it."""
        return {
            "student": self.student,
            "status": self.status,
            "score": self.score,
            "max_score": self.max_score,
            "seconds": round(self.seconds, 3),
            "exercises": {
                name: {
                    "score": one.score,
                    "max_score": one.max_score,
                    "status": one.status,
                    "diagnosis": list(one.diagnosis),
                }
                for name, one in (self.exercises or {}).items()
            },
            "reason": self.reason,
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class Places:
    """The files that a student's result is written to, where nbgrader has them too."""

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

    def timestamp(self, student: str) -> Path:
        """Return the file that tells nbgrader when the submission was handed in."""
        return self.graded(student) / TIMESTAMP

    def page(self, student: str) -> Path:
        """Return the feedback page."""
        folder = self._folder(self.directory.feedback_directory, student)
        return folder / f"{self.assignment}.html"

    def finished(self, student: str, key: str) -> Record | None:
        """Return the record of a finished grading with this key, without its notebook; None if there is none.

        One in which the grader itself has failed is not finished.
        """
        try:
            record = Record.from_json(json.loads(self.verdict(student).read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None
        except (ValueError, GraderError):
            return None  # of another version, or edited: grading it again mends that
        complete = (record.status == "error" or self.notebook(student).is_file()) and self.page(student).is_file()
        return record if record.key == key and complete and not record.faults else None


@dataclass(frozen=True)
class _Graded:
    """What a worker sends. Without a page it is an earlier result that nothing has changed."""

    record: Record
    timestamp: datetime | None = None
    page: str | None = None


@dataclass(frozen=True)
class ClassRun:
    """One assignment of one class.

    Attributes:
        directory: nbgrader's view of the course.
        assignment: its name.
        grading: how one submission is graded.
        max_score: points to earn.
        workers: how many processes grade.
        force: whether to grade again what has not changed.
    """

    directory: CourseDirectory
    assignment: str
    grading: Grading
    max_score: float
    workers: int
    force: bool = False

    @property
    def places(self) -> Places:
        """Where results are written."""
        return Places(self.directory, self.assignment)

    def run(self, open_gradebook: Callable[[], ClassGradebook], handed_in: Sequence[str]) -> Iterator[Outcome]:
        """Yield the outcome of each student as soon as it is recorded.

        Args:
            open_gradebook: opens the gradebook; called after the workers were forked.
            handed_in: the students with a folder, from ``students_with_folder``.

        Raises:
            GraderError: another run is at work here, or the gradebook cannot be written.
            OSError: a file cannot be written.
        """
        with only_run(Path(self.directory.root)):
            workers = Workers[str, _Graded](self.workers, self._work, self.grading.seconds)
            try:
                gradebook = open_gradebook()
                try:
                    for student, result in workers.run(handed_in):
                        yield self._record(gradebook, student, result)
                finally:
                    gradebook.close()
            finally:
                workers.close()

    def _work(self, student: str) -> _Graded:
        """Grade a submission, in a worker."""
        try:
            if problem := _name_problem(student):
                raise SubmissionError(problem)
            handed_in = read_folder(self.directory, student, self.assignment)
        except SubmissionError as error:
            record = self.grading.refused(str(error))
            return _Graded(record, None, self.grading.page(record))
        key = _key_with(self.grading.key(handed_in.content), handed_in.notes)
        if not self.force and (kept := self.places.finished(student, key)):
            return _Graded(kept, handed_in.timestamp)
        record = self.grading.grade(handed_in.content)
        record = replace(record, key=key, notes=handed_in.notes + record.notes)
        return _Graded(record, handed_in.timestamp, self.grading.page(record))

    def _record(self, gradebook: ClassGradebook, student: str, result: _Graded | Failure) -> Outcome:
        if isinstance(result, Failure):
            record = self.grading.refused(f"The grader failed on it, twice: {result.sentence}")
            result = _Graded(record, None, self.grading.page(record))
        if result.page is not None:
            self._write(gradebook, student, result)
        elif not gradebook.holds(student, gradebook_scores(result.record), result.timestamp):
            notebook = self.places.notebook(student)
            text = notebook.read_text(encoding="utf-8") if notebook.is_file() else ""
            self._tell(gradebook, student, replace(result, record=replace(result.record, notebook=text)))
        record = result.record
        return Outcome(
            student=student,
            status=record.status,
            score=record.score,
            max_score=record.max_score,
            seconds=record.seconds,
            exercises=record.exercises,
            reason=record.reason,
            notes=record.notes,
            fresh=result.page is not None,
        )

    def _write(self, gradebook: ClassGradebook, student: str, result: _Graded) -> None:
        places, record = self.places, result.record
        places.verdict(student).unlink(missing_ok=True)
        for place in (places.notebook, places.timestamp, places.page, places.verdict):
            remove_unfinished(place(student))
        if record.notebook:
            write_whole(places.notebook(student), record.notebook)
        else:
            places.notebook(student).unlink(missing_ok=True)
        write_whole(places.page(student), result.page)
        self._tell(gradebook, student, result)
        write_whole(places.verdict(student), json.dumps(replace(record, notebook="").to_json()) + "\n")

    def _tell(self, gradebook: ClassGradebook, student: str, result: _Graded) -> None:
        """Record in the gradebook, and write when the submission was handed in beside what was graded."""
        if result.timestamp:
            write_whole(self.places.timestamp(student), f"{result.timestamp.isoformat(' ')} UTC\n")
        else:
            self.places.timestamp(student).unlink(missing_ok=True)
        if not _name_problem(student):
            gradebook.record(student, gradebook_entry(result.record, result.timestamp))


def missing_students(
    run: ClassRun, gradebook: ClassGradebook, handed_in: Sequence[str]
) -> Iterator[Outcome]:
    """Yield an outcome for each student of the gradebook who has no folder; nothing is recorded for them."""
    there = set(handed_in)
    for student in gradebook.students():
        if student not in there:
            earlier = gradebook.score(student)
            reason = "Nothing was handed in." if earlier is None else "The folder that was graded is gone."
            yield Outcome(student, "missing", earlier or 0.0, run.max_score, reason=reason)


def _name_problem(student: str) -> str:
    """Return why a folder's name cannot be a student's name in the gradebook; empty if it can."""
    try:
        student.encode()
    except UnicodeEncodeError:
        return "The folder's name is not valid UTF-8, so that the gradebook cannot hold it."
    if len(student) > NAME_LENGTH:
        return f"The folder's name is longer than {NAME_LENGTH} characters; the gradebook cannot hold it."
    return ""


def _key_with(key: str, notes: tuple[str, ...]) -> str:
    """Return a key that also depends on what was unusual about the folder."""
    return hashlib.sha256("\n".join([key, *notes]).encode()).hexdigest() if notes else key


@contextmanager
def only_run(root: Path) -> Iterator[None]:
    """Keep a second run out of a course.

    Raises:
        GraderError: there is one already.
    """
    with (root / LOCK).open("a+", encoding="utf-8") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            file.seek(0)
            raise GraderError(
                f"Another `grader grade` is at work in {root} (process {file.read().strip()}). "
                "Wait until it has ended."
            ) from error
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield
