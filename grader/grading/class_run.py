"""The run over a whole class: worker processes grade submissions, this process records the results.

If a run is killed, running it again gives the same as an undisturbed run. A student's verdict file is removed
first and written last: if it exists with the submission's cache key, everything else has been written, too.
"""

import fcntl
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Protocol

from nbgrader.coursedir import CourseDirectory

from grader.course.notebooks import check_id
from grader.errors import GraderError, SubmissionError
from grader.exercises import find_part
from grader.files import clear_place, remove_unfinished, write_if_changed
from grader.gradebook.stored import StoredScore, StoredSubmission
from grader.gradebook.writer import ClassGradebook, Entry
from grader.grading.exchange_files import timestamp_line, write_exchange_files
from grader.grading.gradebook_entry import gradebook_entry, gradebook_scores
from grader.grading.intake import read_handed_in
from grader.grading.not_taken import notes_on_rows
from grader.grading.record import Record
from grader.grading.refusal import FOLDER
from grader.grading.regrade_cache import Computed
from grader.grading.result_files import Places
from grader.grading.student_result import GONE, MISSING, StudentResult, WorkerResult
from grader.grading.submission_grader import SubmissionGrader
from grader.grading.submissions import Submission, printable, read_folder, read_secret
from grader.grading.workers import WorkerFailure, Workers
from grader.messages import Message, message, sentences, told_by
from grader.reporting.exports.identity import blank_ends

LOCK = ".grader.lock"
# The longest name that nbgrader's gradebook stores.
NAME_LENGTH = 128
# The key for cells that are not the course's.
OWN = ""
# Results are recorded together: so many at most, or what came within so many seconds.
TOGETHER, LINGER_SECONDS = 64, 0.25

Done = list[tuple[str, WorkerResult | WorkerFailure]]


class Pool(Protocol):
    """What turns students' names into results: worker processes here, or a cluster."""

    def run(self, tasks: Iterable[str]) -> Iterator[Done]:
        """Start working, and return an iterator over what has come since, at least once a second."""

    def close(self) -> None:
        """End the work, whatever is being done."""


@dataclass(frozen=True)
class ClassRun:
    """One assignment of one class.

    Attributes:
        directory: nbgrader's view of the course.
        grading: how one submission is graded.
        workers: how many processes grade here.
        force: whether to grade again what has not changed.
        elsewhere: makes the pool if other machines grade; None if processes here do.
        computed: records that an earlier run made and did not write; None to use none.
    """

    directory: CourseDirectory
    grading: SubmissionGrader
    workers: int
    force: bool = False
    elsewhere: Callable[["ClassRun"], Pool] | None = None
    computed: Computed | None = None

    @property
    def assignment(self) -> str:
        """Name of the assignment: the chapter's stem."""
        return self.grading.master.chapter.stem

    @property
    def places(self) -> Places:
        """Where results are written."""
        return Places(self.directory, self.assignment)

    @cached_property
    def _more_notes(self) -> Mapping[str, tuple[str, ...]]:
        """Notes on work that was not collected, by student: for the instructor, so on no page."""
        return notes_on_rows(Path(self.directory.root), self.assignment)

    def run(
        self,
        open_gradebook: Callable[[], ClassGradebook],
        handed_in: Sequence[str],
        wanted: frozenset[str] = frozenset(),
    ) -> Iterator[StudentResult]:
        """Yield each student's result once it is recorded, then those of students without a submission.

        Args:
            open_gradebook: opens the gradebook; called after the workers were forked.
            handed_in: the students with a folder.
            wanted: the students to grade; empty for all.

        Raises:
            GraderError: another run is at work here, a wanted student is not known, there is nothing to judge
                by, or the gradebook cannot be written.
            OSError: a file cannot be written.
        """
        with self.at_work() as workers:
            results = workers.run(present_students(handed_in, wanted))
            with closing(open_gradebook()) as gradebook:  # they work meanwhile
                absent = absent_students(handed_in, gradebook.students(), wanted)
                for together in gathered(results):
                    yield from self.record(
                        gradebook,
                        {student: self.result_or_failure(student, result) for student, result in together},
                    )
                for student in absent:
                    yield self._missing(gradebook, student)

    @contextmanager
    def at_work(self) -> Iterator[Pool]:
        """Lock the course against other runs, and provide what turns a student's name into a result.

        Raises:
            GraderError: another run is at work here, there is nothing to judge by, or no cluster answers.
        """
        with only_run(Path(self.directory.root)):
            self.grading.prepare()
            with closing(self.elsewhere(self) if self.elsewhere else self._processes()) as pool:
                yield pool

    def _processes(self) -> Workers[str, WorkerResult]:
        return Workers[str, WorkerResult](self.workers, self._work, self.grading.seconds)

    def _work(self, student: str) -> WorkerResult:
        """Grade a submission, in a worker."""
        try:
            if problem := name_problem(student):
                raise SubmissionError(problem)
            handed_in = read_handed_in(self.directory, student, self.grading.master)
        except SubmissionError as error:
            refused = self.grading.refused(told_by(error))
            return self._result(student, refused.key, lambda: refused, None)
        key = self.grading.key(handed_in)
        return self._result(student, key, lambda: self.grading.grade(handed_in), handed_in.timestamp)

    def _result(
        self, student: str, key: str, grade: Callable[[], Record], timestamp: datetime | None
    ) -> WorkerResult:
        """Return the finished result with this cache key, else grade the submission."""
        return self._kept(student, key, timestamp) or self._made(student, grade(), timestamp)

    def _kept(self, student: str, key: str, timestamp: datetime | None) -> WorkerResult | None:
        """Return the finished or computed result with this cache key; None if there is none to be used."""
        kept = None if self.force else self.places.finished(student, key)
        if kept is None:
            known = self.computed.find(student, key) if self.computed else None
            return self._made(student, known, timestamp) if known else None
        record = self.grading.master.with_decisions(kept)
        return WorkerResult(record, timestamp, None, self._secret(student), decided=record != kept)

    def _made(self, student: str, made: Record, timestamp: datetime | None) -> WorkerResult:
        """Return the result of grading a submission now."""
        record = self.grading.master.with_decisions(self.places.counted(student, made))
        return WorkerResult(record, timestamp, self.grading.page(record, student), self._secret(student))

    def opened(self, student: str) -> WorkerResult | Submission:
        """Return a submission to be graded on another machine, or its result if it need not be graded.

        Only bytes are read: parsing them has crashed a worker.
        """
        try:
            if problem := name_problem(student):
                raise SubmissionError(problem)
            handed_in = read_folder(self.directory, student, self.assignment)
        except SubmissionError as error:
            refused = self.grading.refused(told_by(error))
            return self._result(student, refused.key, lambda: refused, None)
        if handed_in.others:  # which of the notebooks is meant is decided where they are parsed
            return handed_in
        return self._kept(student, self.grading.key(handed_in), handed_in.timestamp) or handed_in

    def made_elsewhere(self, student: str, handed_in: Submission, record: Record) -> WorkerResult:
        """Return the result of a submission that another machine has graded."""
        return self._result(student, record.key, lambda: record, handed_in.timestamp)

    def _key(self, student: str) -> str:
        """Return the cache key of a submission; empty if the folder cannot be read.

        Only bytes are read: parsing them has crashed a worker.
        """
        try:
            return self.grading.key(read_folder(self.directory, student, self.assignment))
        except SubmissionError:
            return ""

    def _secret(self, student: str) -> str:
        return read_secret(self.directory, student, self.assignment)

    def result_or_failure(self, student: str, result: WorkerResult | WorkerFailure) -> WorkerResult:
        """Return a worker's result; for a failed worker, a record that says that the grader failed."""
        if not isinstance(result, WorkerFailure):
            return result
        failed = replace(self.grading.failed(result.reason), key=self._key(student))
        return self._made(student, failed, None)

    def record(
        self, gradebook: ClassGradebook, results: Mapping[str, WorkerResult]
    ) -> Iterator[StudentResult]:
        """Write results to the files and the gradebook, where they are not yet, and yield each for display.

        What the gradebook lacks is one transaction. A student's verdict file is written last.
        """
        before = {
            student: self._final(student, gradebook.before(student))
            for student, result in results.items()
            if result.decided
        }
        entries = {
            student: entry
            for student, result in results.items()
            if (entry := self._prepared(gradebook, student, result)) is not None
        }
        now_stored = gradebook.record(entries)
        for student, result in results.items():
            stored = now_stored.get(student) or gradebook.before(student) or StoredSubmission()
            self._write(student, result, stored)
            rescored = result.decided and before[student] != self._final(student, stored)
            yield self._shown(student, result, stored, rescored)

    def _prepared(self, gradebook: ClassGradebook, student: str, result: WorkerResult) -> Entry | None:
        """Remove the verdict file of what was graded now, and write what comes before it.

        Returns:
            What the gradebook lacks; None if nothing.
        """
        places, record, stored = self.places, result.record, gradebook.before(student)
        if result.page is None:
            if stored is not None and stored.agrees(gradebook_scores(record), result.timestamp):
                return None
            record, same_answers = places.with_notebook(student, record), _checks(record)
        else:
            same_answers = self._same_answers(gradebook, student, result)
            clear_place(places.verdict(student))
            for place in (places.notebook, places.timestamp, places.page, places.verdict):
                remove_unfinished(place(student))
            write_if_changed(places.notebook(student), record.notebook)
        if result.timestamp:
            write_if_changed(places.timestamp(student), timestamp_line(result.timestamp))
        else:
            clear_place(places.timestamp(student))
        if name_problem(student):
            return None
        return replace(gradebook_entry(record, result.timestamp), same_answers=same_answers)

    def _write(self, student: str, result: WorkerResult, stored: StoredSubmission) -> None:
        """Write feedback page and verdict file, as far as they change, and the exchange's files."""
        places, record = self.places, result.record
        if result.page is not None:
            page = self.grading.page(record, student, stored) if stored.mark else result.page
            write_if_changed(places.page(student), page)
            places.write_verdict(student, record)
        else:
            if result.decided or stored.mark != places.mark(student):
                page = self.grading.page(places.with_notebook(student, record), student, stored)
                write_if_changed(places.page(student), page)
            if result.decided:  # last: if it is missing, the next run repeats all this
                places.write_verdict(student, record)
        write_exchange_files(places.graded(student), places.page(student), result.timestamp, result.secret)

    def _shown(
        self, student: str, result: WorkerResult, stored: StoredSubmission, rescored: bool
    ) -> StudentResult:
        """Return a result for display."""
        record = result.record
        undecided = tuple(
            name
            for name in record.unjudged
            if stored.scores.get(check_id(find_part(name)), StoredScore()).points is None
        )
        return StudentResult(
            student=student,
            status=record.status,
            score=None if undecided else stored.score if stored.scores else record.score,
            max_score=record.max_score,
            seconds=record.seconds,
            exercises=record.exercises,
            reason=record.reason,
            notes=(*record.notes, *self._more_notes.get(student, ())),
            fresh=result.page is not None,
            waiting=sum(
                record.exercises[name].status == "waiting" and stored.scores[name].points is None
                for name in self.grading.master.words
                if name in stored.scores
            ),
            undecided=undecided,
            penalty=stored.penalty,
            review=tuple(name for name in record.exercises if check_id(find_part(name)) in stored.to_review),
            rescored=rescored,
        )

    def _final(self, student: str, stored: StoredSubmission | None) -> tuple[float | None, float | None]:
        """Return a student's score and the points to earn, as they are written now."""
        earlier = self.places.earlier(student)
        return stored and stored.score, earlier and earlier.max_score

    def _same_answers(self, gradebook: ClassGradebook, student: str, result: WorkerResult) -> frozenset[str]:
        """Return the checks whose answer and maximum points are unchanged since they were graded by hand.

        If the graded files are gone, as in a restored course, the gradebook's time of submission and scores
        decide.
        """
        record, stored = result.record, gradebook.before(student)
        if stored is None or all(one.manual is None for one in stored.scores.values()):
            return frozenset()
        if not self.places.graded(student).is_dir():
            same = stored.agrees(gradebook_scores(record), result.timestamp)
            return _checks(record) if same else frozenset()
        earlier = self.places.earlier(student)
        points = {name: one.max_score for name, one in earlier.exercises.items()} if earlier else {}
        if earlier and earlier.status == record.status == "error":  # no answer was read, then or now
            same = (earlier.reason, stored.timestamp) == (record.reason, result.timestamp)
            names = (name for name, one in record.exercises.items() if one.max_score == points.get(name))
            return frozenset(check_id(find_part(name)) for name in names) if same else frozenset()
        before, now = (_answers(text) for text in (self.places.graded_text(student), record.notebook))
        if not earlier or earlier.status != record.status:  # a notebook that was not read lacks no cell
            before.pop(OWN, None)
        return frozenset(
            check_id(find_part(name))
            for name, one in record.exercises.items()
            if (_answer(now, name), one.max_score) == (_answer(before, name), points.get(name))
        )

    def _missing(self, gradebook: ClassGradebook, student: str) -> StudentResult:
        """Return the result of a student without a folder, for whom nothing is recorded."""
        stored = gradebook.before(student)
        earlier = None if stored is None else stored.points(stored.scores)
        status, reason = ("missing", MISSING) if earlier is None else ("gone", GONE)
        points = sum(self.grading.master.points.values())
        notes = self._more_notes.get(student, ())
        return StudentResult(student, status, earlier, points, reason=reason, notes=notes)


def _checks(record: Record) -> frozenset[str]:
    return frozenset(check_id(find_part(name)) for name in record.exercises)


def _answers(notebook: str) -> dict[str, list[str]]:
    """Return the sources of a graded notebook's cells by ``grade_id``; nothing where there is none.

    Under ``OWN`` are the learner's other code cells: an answer whose cell is missing can only be there.
    """
    if not notebook:
        return {}
    found: dict[str, list[str]] = {OWN: []}
    for cell in json.loads(notebook)["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id", OWN)
        if name != OWN or cell["cell_type"] == "code":
            found.setdefault(name, []).append("".join(cell["source"]))
    return found


def _answer(answers: dict[str, list[str]], exercise: str) -> list[str] | None:
    """Return the source of an exercise's answer: its cell, else the learner's own cells."""
    return answers.get(exercise, answers.get(OWN))


def gathered(results: Iterator[Done]) -> Iterator[Done]:
    """Yield lists of what comes within ``LINGER_SECONDS``, at most ``TOGETHER``; none is empty.

    What had come when the pool failed is yielded before its error is raised.
    """
    together, since = Done(), 0.0
    try:
        for come in results:
            if come and not together:
                since = time.monotonic()
            together += come
            if together and (len(together) >= TOGETHER or time.monotonic() - since >= LINGER_SECONDS):
                yield together
                together = Done()
    except GraderError:
        if together:
            yield together
        raise
    if together:
        yield together


def present_students(handed_in: Sequence[str], wanted: frozenset[str]) -> list[str]:
    """Return the students to grade among those who submitted; all if no names are given."""
    return [one for one in handed_in if not wanted or one in wanted]


def absent_students(handed_in: Sequence[str], known: Sequence[str], wanted: frozenset[str]) -> list[str]:
    """Return the students named, or else known to the gradebook, who submitted nothing.

    Raises:
        GraderError: one who was asked for is not known.
    """
    there = set(handed_in)
    if unknown := wanted - there - set(known):
        raise GraderError(f"There is no student {', '.join(map(printable, sorted(unknown)))}.")
    return [one for one in known if one not in there and (not wanted or one in wanted)]


def name_problem(student: str) -> Message | None:
    """Return why a folder's name cannot be a student's name in the gradebook; None if it can."""
    try:
        student.encode()
    except UnicodeEncodeError:
        told = message("The folder's name is not valid UTF-8; the gradebook cannot hold it.")
        return sentences((told, FOLDER))
    if len(student) > NAME_LENGTH:
        told = message(
            "The folder's name has more than {most} signs; the gradebook cannot hold it.", most=NAME_LENGTH
        )
        return sentences((told, FOLDER))
    if blank_ends(student):
        told = message(
            "The folder's name has a blank at an end, which other systems cut off: it would be another "
            "student's."
        )
        return sentences((told, FOLDER))
    return None


@contextmanager
def only_run(root: Path) -> Iterator[None]:
    """Lock a course against a second run.

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
