"""The process of ``grader worker`` that grades: with a sandbox and processes as in ``grader grade``.

It knows nothing of Dask; the relay sends it batches and takes its replies.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from multiprocessing.connection import Connection
from pathlib import Path

from grader.checking.device import choose_device
from grader.cluster.relay import REGISTERED
from grader.cluster.wire import Reply, Sent, Setup, unpack_batch
from grader.course.paths import find_course
from grader.errors import GraderError, SubmissionError
from grader.exercises import find_chapter
from grader.grading.intake import require_answers
from grader.grading.master import load_master
from grader.grading.record import Record
from grader.grading.submission_grader import SubmissionGrader
from grader.grading.workers import WorkerFailure, Workers
from grader.messages import told_by
from grader.references.unbuilt import require_built
from grader.sandbox.job import Cell
from grader.sandbox.sandbox import Sandbox


@dataclass(frozen=True)
class Task:
    """One submission of a batch."""

    ticket: int
    place: int
    sent: Sent = field(compare=False)


@dataclass
class _Open:
    """A batch that is being graded: the results so far, by place."""

    size: int
    results: dict[int, Record | WorkerFailure] = field(default_factory=dict)


@dataclass(frozen=True)
class _Asked:
    ticket: int
    setup: Setup
    batch: list[Sent]


class Foreman:
    """Grades batches with one setup at a time, and refuses setups that this machine does not have.

    Args:
        relay: where batches come from, each with its ticket, and replies go to.
        name: of this worker, for people.
        course: the folder of this machine's copy of the course; None for the folder that it is run in.
        count: how many processes grade.
        sandbox: where learners' code runs.
        registered: called when the scheduler knows this worker.
    """

    def __init__(
        self,
        relay: Connection,
        name: str,
        course: Path | None,
        count: int,
        sandbox: Sandbox,
        registered: Callable[[], None],
    ) -> None:
        self._relay, self._name, self._course, self._count = relay, name, course, count
        self._sandbox, self._registered = sandbox, registered
        self._held: _Asked | None = None

    def serve(self) -> None:
        """Grade until the relay is gone."""
        while asked := self._next():
            try:
                grading = self._grading(asked.setup)
            except GraderError as error:
                self._answer(asked.ticket, refused=(str(error),))
                continue
            self._held = asked
            with self._pool(grading) as workers:
                self._grade_all(workers, asked.setup)

    def _grading(self, setup: Setup) -> SubmissionGrader:
        """Return what grades with a setup.

        Raises:
            GraderError: this machine's copy of the course or its versions are others.
        """
        chapter, paths = find_chapter(setup.assignment), find_course(self._course)
        require_built(chapter, paths)
        master = load_master(chapter, paths)
        device = choose_device(setup.device, isolated=self._sandbox.isolation == "full").type
        if differences := setup.differences(Setup.here(master, device, setup.limits)):
            raise GraderError("; ".join(differences) + ".")
        grading = SubmissionGrader(master, self._sandbox, device, setup.limits)
        grading.prepare()
        self._sandbox.prepare(tuple(map(Cell, master.first_code)), setup.limits)
        return grading

    @contextmanager
    def _pool(self, grading: SubmissionGrader) -> Iterator[Workers[Task, Record]]:
        def work(task: Task) -> Record:
            try:
                require_answers(task.sent.submission, grading.master, task.sent.read_other)
            except SubmissionError as error:
                return grading.refused(told_by(error))
            return grading.grade(task.sent.submission)

        workers = Workers[Task, Record](self._count, work, grading.seconds)
        try:
            yield workers
        finally:
            workers.close()

    def _grade_all(self, workers: Workers[Task, Record], setup: Setup) -> None:
        """Grade batches until one needs another setup, or no more can come."""
        open_batches: dict[int, _Open] = {}
        done = workers.run(self._tasks(setup, open_batches), wake=[self._relay])
        for task, result in chain.from_iterable(done):
            batch = open_batches[task.ticket]
            batch.results[task.place] = result
            if len(batch.results) == batch.size:
                del open_batches[task.ticket]
                self._answer(task.ticket, tuple(batch.results[place] for place in range(batch.size)))

    def _tasks(self, setup: Setup, open_batches: dict[int, _Open]) -> Iterator[Task | None]:
        while True:
            if self._held is None and not self._relay.poll():
                yield None
                continue
            try:
                asked = self._receive()
            except EOFError:
                return
            if asked is None:
                continue
            if asked.setup != setup:
                self._held = asked
                return
            open_batches[asked.ticket] = _Open(len(asked.batch))
            for place, sent in enumerate(asked.batch):
                yield Task(asked.ticket, place, sent)

    def _next(self) -> _Asked | None:
        """Return the batch that was held back, else wait for one; None if the relay is gone."""
        try:
            while (asked := self._receive()) is None:
                pass
        except EOFError:
            return None
        return asked

    def _receive(self) -> _Asked | None:
        """Return the batch that was held back, else receive one; None for a message that is no batch.

        Raises:
            EOFError: the relay is gone.
        """
        held, self._held = self._held, None
        if held:
            return held
        try:
            ticket, message = self._relay.recv()
        except ConnectionResetError as error:
            raise EOFError from error
        if ticket == REGISTERED:  # may come behind a first batch
            self._registered()
            return None
        return _Asked(ticket, *unpack_batch(message))

    def _answer(
        self, ticket: int, results: tuple[Record | WorkerFailure, ...] = (), refused: tuple[str, ...] = ()
    ) -> None:
        try:
            self._relay.send((ticket, Reply(self._name, results, refused).pack()))
        except (BrokenPipeError, ConnectionResetError):
            return  # the relay is gone: reading from it says so, and Dask gives the batch to another worker
