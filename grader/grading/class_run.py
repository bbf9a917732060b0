"""The run over a whole class: many processes grade what was handed in, this one records it.

Whatever kills the run, running it again gives what an undisturbed run gives. A student's verdict file is
written last, and removed first: where it is, with the key of what was handed in, all the rest is there too.
"""

import fcntl
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from nbgrader.coursedir import CourseDirectory

from grader.errors import GraderError, SubmissionError
from grader.files import remove_unfinished, write_whole
from grader.gradebook.held import HeldSubmission
from grader.grading.gradebook import ClassGradebook, gradebook_entry, gradebook_scores
from grader.grading.job import Runs, grade, grading_key, unreadable
from grader.grading.judging import load_references
from grader.grading.master import Master
from grader.grading.receipt import keep_receipt, timestamp_line
from grader.grading.record import ExerciseRecord, Record
from grader.grading.submissions import TIMESTAMP, HandedIn, printable, read_folder, read_secret
from grader.grading.workers import Failure, Workers
from grader.reporting.feedback import HEAD, NOTHING_GIVEN, feedback_page, mark_of
from grader.sandbox.job import Limits

LOCK = ".grader.lock"
# As long as a name can be in nbgrader's gradebook.
NAME_LENGTH = 128
# Seconds for what the trusted side does with a submission, on a machine that is busy.
ALLOWANCE = 60.0


@dataclass(frozen=True)
class Grading:
    """How one submission is graded. Called in the workers; nothing here raises for what a student sent.

    Attributes:
        master: what submissions are held against.
        sandbox: where their code runs.
        device: ``cpu`` or ``cuda``.
        limits: what a submission may use.
    """

    master: Master
    sandbox: Runs
    device: str = "cpu"
    limits: Limits = field(default_factory=Limits)

    @property
    def seconds(self) -> float:
        """Seconds after which a worker is given up; a submission's own code is stopped long before."""
        return 2 * self.limits.total_seconds + ALLOWANCE

    def prepare(self) -> None:
        """Read what judging needs, so that the workers forked afterwards have it.

        Raises:
            GraderError: the chapter has no references to judge by.
        """
        grading_key(b"", self.master, self.device, self.limits)
        load_references(self.master)

    def key(self, handed_in: HandedIn) -> str:
        """Return a name for all that the record of a submission depends on."""
        key = grading_key(handed_in.content, self.master, self.device, self.limits)
        notes = handed_in.notes  # of a folder where all is as it should be there are none
        return hashlib.sha256("\n".join([key, *notes]).encode()).hexdigest() if notes else key

    def grade(self, handed_in: HandedIn) -> Record:
        """Return what a submission comes to."""
        made = grade(handed_in.content, self.master, self.sandbox, device=self.device, limits=self.limits)
        return replace(made, key=self.key(handed_in), notes=handed_in.notes + made.notes)

    def page(self, record: Record, student: str, held: HeldSubmission = NOTHING_GIVEN) -> str:
        """Return a student's feedback page, with what a person gave as far as the gradebook holds it."""
        return feedback_page(record, self.master.chapter, printable(student), held)

    def failed(self, sentence: str) -> Record:
        """Return the record of a submission on which the grader itself has failed."""
        record = unreadable(self.master, f"The grader failed on it. {sentence}")
        exercises = {name: replace(one, fault=sentence) for name, one in record.exercises.items()}
        return replace(record, exercises=exercises)


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
    exercises: Mapping[str, ExerciseRecord] = field(default_factory=dict)
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
                for name, one in self.exercises.items()
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
        """Return which of a person's scores and comments the feedback page shows."""
        with self.page(student).open(encoding="utf-8", errors="replace") as file:
            return mark_of(file.read(HEAD))

    def earlier(self, student: str) -> Record | None:
        """Return the record of the last grading, without its notebook; None if none can be read."""
        try:
            return Record.from_json(json.loads(self.verdict(student).read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None
        except (ValueError, GraderError):
            return None  # of another version, or edited: grading it again mends that

    def with_notebook(self, student: str, record: Record) -> Record:
        """Return a verdict file's record as it was made: with the graded notebook that is beside it."""
        graded = record.status == "graded"
        text = self.notebook(student).read_text(encoding="utf-8") if graded else ""
        return replace(record, notebook=text)

    def finished(self, student: str, key: str) -> Record | None:
        """Return the record of a finished grading with this key, without its notebook; None if there is none.

        One in which the grader itself has failed is not finished.
        """
        record = self.earlier(student)
        if record is None:
            return None
        needed = [self.page(student)] + ([self.notebook(student)] if record.status == "graded" else [])
        complete = record.key == key and not record.faults and all(path.is_file() for path in needed)
        return record if complete else None


@dataclass(frozen=True)
class Graded:
    """What a worker sends. Without a page it is an earlier result that nothing has changed."""

    record: Record
    timestamp: datetime | None = None
    page: str | None = None
    secret: str = ""

    def to_json(self) -> dict[str, object]:
        """Return it as plain JSON data."""
        time = self.timestamp.isoformat() if self.timestamp else None
        return {
            "record": self.record.to_json(),
            "timestamp": time,
            "page": self.page,
            "secret": self.secret,
        }

    @classmethod
    def from_json(cls, data: Mapping) -> "Graded":
        """Return what ``to_json`` gave."""
        time = data["timestamp"]
        timestamp = datetime.fromisoformat(time) if time else None
        return cls(Record.from_json(data["record"]), timestamp, data["page"], data["secret"])


@dataclass(frozen=True)
class ClassRun:
    """One assignment of one class.

    Attributes:
        directory: nbgrader's view of the course.
        grading: how one submission is graded.
        workers: how many processes grade.
        force: whether to grade again what has not changed.
    """

    directory: CourseDirectory
    grading: Grading
    workers: int
    force: bool = False

    @property
    def assignment(self) -> str:
        """Name of the assignment: the chapter's stem."""
        return self.grading.master.chapter.stem

    @property
    def places(self) -> Places:
        """Where results are written."""
        return Places(self.directory, self.assignment)

    def run(
        self,
        open_gradebook: Callable[[], ClassGradebook],
        handed_in: Sequence[str],
        wanted: frozenset[str] = frozenset(),
    ) -> Iterator[Outcome]:
        """Yield the outcome of each student as soon as it is recorded, then of those who handed in nothing.

        Args:
            open_gradebook: opens the gradebook; called after the workers were forked.
            handed_in: the students with a folder.
            wanted: the students to grade; empty for all.

        Raises:
            GraderError: another run is at work here, a wanted student is not known, there is nothing to judge
                by, or the gradebook cannot be written.
            OSError: a file cannot be written.
        """
        with self.at_work() as workers, closing(open_gradebook()) as gradebook:
            asked, absent = asked_students(handed_in, gradebook.students(), wanted)
            for student, result in workers.run(asked):
                yield self.record(gradebook, student, self.settled(student, result))
            for student in absent:
                yield self._missing(gradebook, student)

    @contextmanager
    def at_work(self) -> Iterator[Workers[str, Graded]]:
        """Keep other runs out of the course, and give workers that turn a student's name into a result.

        Raises:
            GraderError: another run is at work here, or there is nothing to judge by.
        """
        with only_run(Path(self.directory.root)):
            self.grading.prepare()
            workers = Workers[str, Graded](self.workers, self._work, self.grading.seconds)
            with closing(workers):
                yield workers

    def _work(self, student: str) -> Graded:
        """Grade a submission, in a worker."""
        try:
            if problem := name_problem(student):
                raise SubmissionError(problem)
            handed_in = read_folder(self.directory, student, self.assignment)
        except SubmissionError as error:
            record = unreadable(self.grading.master, str(error))
            return Graded(record, None, self.grading.page(record, student), self._secret(student))
        secret = self._secret(student)
        if not self.force and (kept := self.places.finished(student, self.grading.key(handed_in))):
            return Graded(kept, handed_in.timestamp, None, secret)
        record = self.grading.grade(handed_in)
        return Graded(record, handed_in.timestamp, self.grading.page(record, student), secret)

    def _secret(self, student: str) -> str:
        return read_secret(self.directory, student, self.assignment)

    def settled(self, student: str, result: Graded | Failure) -> Graded:
        """Return a worker's result; where it has none, that the grader has failed on the submission."""
        if not isinstance(result, Failure):
            return result
        record = self.grading.failed(result.sentence)
        return Graded(record, None, self.grading.page(record, student), self._secret(student))

    def record(self, gradebook: ClassGradebook, student: str, result: Graded) -> Outcome:
        """Write a result to where it belongs, as far as it is not there already, and return what it is."""
        record = result.record
        if result.page is not None:
            self._write(gradebook, student, result)
        else:
            self._renew(gradebook, student, result)
        places = self.places
        keep_receipt(places.graded(student), places.page(student), result.timestamp, result.secret)
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

    def _write(self, gradebook: ClassGradebook, student: str, result: Graded) -> None:
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
        self._show_given(gradebook, student, record)
        places.write_verdict(student, record)

    def _renew(self, gradebook: ClassGradebook, student: str, result: Graded) -> None:
        """Bring gradebook and feedback page up to date for a submission that has not changed."""
        record, places = result.record, self.places
        if not gradebook.holds(student, gradebook_scores(record), result.timestamp):
            self._tell(gradebook, student, replace(result, record=places.with_notebook(student, record)))
        self._show_given(gradebook, student, record)

    def _show_given(self, gradebook: ClassGradebook, student: str, record: Record) -> None:
        """Write the feedback page anew where it does not show what a person has given by now."""
        if name_problem(student):
            return
        held, places = gradebook.held(student), self.places
        if held.mark != places.mark(student):
            page = self.grading.page(places.with_notebook(student, record), student, held)
            write_whole(places.page(student), page)

    def _tell(self, gradebook: ClassGradebook, student: str, result: Graded) -> None:
        """Record in the gradebook, and write when the submission was handed in beside what was graded."""
        if result.timestamp:
            write_whole(self.places.timestamp(student), timestamp_line(result.timestamp))
        else:
            self.places.timestamp(student).unlink(missing_ok=True)
        if not name_problem(student):
            gradebook.record(student, gradebook_entry(result.record, result.timestamp))

    def _missing(self, gradebook: ClassGradebook, student: str) -> Outcome:
        """Return the outcome of a student without a folder, for whom nothing is recorded."""
        earlier = gradebook.score(student)
        reason = "Nothing was handed in." if earlier is None else "The folder that was graded is gone."
        points = sum(one.points for one in self.grading.master.exercises.values())
        return Outcome(student, "missing", earlier or 0.0, points, reason=reason)


def asked_students(
    handed_in: Sequence[str], known: Sequence[str], wanted: frozenset[str]
) -> tuple[list[str], list[str]]:
    """Return whom to grade: students who handed something in, then those who did not.

    Args:
        handed_in: the students with a folder.
        known: the students in the gradebook.
        wanted: the students who were asked for; empty for all.

    Raises:
        GraderError: one who was asked for is not known.
    """
    there = set(handed_in)
    if unknown := wanted - there - set(known):
        raise GraderError(f"There is no student {', '.join(map(printable, sorted(unknown)))}.")
    return (
        [one for one in handed_in if not wanted or one in wanted],
        [one for one in known if one not in there and (not wanted or one in wanted)],
    )


def name_problem(student: str) -> str:
    """Return why a folder's name cannot be a student's name in the gradebook; empty if it can."""
    try:
        student.encode()
    except UnicodeEncodeError:
        return "The folder's name is not valid UTF-8; the gradebook cannot hold it."
    if len(student) > NAME_LENGTH:
        return f"The folder's name is longer than {NAME_LENGTH} characters; the gradebook cannot hold it."
    return ""


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
                f"Another `grader grade` or `grader regrade` is at work in {root} "
                f"(process {file.read().strip()}). Wait until it has ended."
            ) from error
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield
