"""``Cluster``: grades a class on the workers of a Dask scheduler; results are written here, by one process.

Whatever happens to a worker, each submission has one result. What is in flight is bounded by the workers'
number, so memory does not grow with the class. A batch of a lost worker is graded by another one; one that
takes long while others have nothing to do is graded twice, and the first reply counts.
"""

import queue
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, NoReturn

from distributed import Client, Future
from distributed.client import ClosedClientError
from distributed.scheduler import KilledWorker

from grader.cluster.relay import grade_batch
from grader.cluster.wire import Reply, Sent, Setup, pack_batch
from grader.errors import GraderError, SubmissionError
from grader.grading.class_run import ClassRun, Done
from grader.grading.notebook_reader import MAX_FILE
from grader.grading.record import Record
from grader.grading.student_result import WorkerResult
from grader.grading.submissions import read_other
from grader.grading.workers import WorkerFailure

# Submissions in a batch, and bytes after which it is closed: each takes a tenth of a second or more.
BATCH, BATCH_BYTES = 4, 8 * 1024 * 1024
# Seconds for a scheduler to answer, and for a first worker to be there.
PATIENCE = 30.0
# Seconds between two looks at workers and batches that take long.
POLL_SECONDS = 1.0
# How often a submission is sent before it is given up; more than Dask itself tries one after lost workers.
TRIES = 3
# A batch is sent a second time after so many times the longest so far, and at least so many seconds.
SLOW, SLOW_SECONDS = 3.0, 10.0


class _WorkerRefusedError(Exception):
    """A reply is of a worker that is given nothing more."""


class _SchedulerGoneError(GraderError):
    """The scheduler is gone."""


@dataclass
class _Batch:
    """Submissions on their way: by student, what was sent."""

    sent: dict[str, Sent]
    since: float = field(default_factory=time.monotonic)
    futures: list[Future] = field(default_factory=list)
    tries: int = 1


class Cluster:
    """A pool like ``Workers``, on other machines.

    Args:
        address: of the Dask scheduler. TLS is as Dask's own configuration says.
        run: the class.
        say: shows a sentence to the instructor.

    Raises:
        GraderError: there is no scheduler, or no worker that may grade this.
    """

    def __init__(self, address: str, run: ClassRun, say: Callable[[str], None]) -> None:
        self._run, self._say, self._address = run, say, address
        grading = run.grading
        self._setup = Setup.here(grading.master, grading.device, grading.limits)
        self._refused: dict[str, str] = {}
        self._done: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._batches: dict[str, _Batch] = {}
        self._longest, self._alone = 0.0, False
        self._known: Mapping[str, Mapping] = {}
        self._looked = -POLL_SECONDS
        try:
            self._client = Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise GraderError(f"No Dask scheduler answers at {address}: {error}") from error
        try:
            self._await_worker()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the cluster; what it is still grading is not waited for."""
        self._batches.clear()
        with suppress(TimeoutError):  # a scheduler that does not answer is left without a word
            self._client.close(timeout=PATIENCE)

    def run(self, tasks: Iterable[str]) -> Iterator[Done]:
        """Start grading, and return an iterator over students with their results, in order of completion.

        Each list is what has come since the one before, at least once in ``POLL_SECONDS``; it may be empty.
        """
        waiting, ready = iter(tasks), Done()
        more = self._feed(waiting, ready)
        return self._results(waiting, ready, more)

    def _results(self, waiting: Iterator[str], ready: Done, more: bool) -> Iterator[Done]:
        while True:
            yield ready
            ready = Done()
            if more:
                more = self._feed(waiting, ready)
            if ready:
                continue
            if not self._batches:
                return
            try:
                ready = [*self._take(self._done.get(timeout=POLL_SECONDS))]
            except queue.Empty:
                self._look_around()

    # What goes out

    def _feed(self, waiting: Iterator[str], ready: Done) -> bool:
        """Send batches as long as workers have room; return whether there are more submissions."""
        while len(self._batches) < self._room() and not ready:
            sent: dict[str, Sent] = {}
            while len(sent) < BATCH and sum(one.size for one in sent.values()) < BATCH_BYTES:
                student = next(waiting, None)
                if student is None:
                    self._send(sent)
                    return False
                opened = self._run.opened(student)
                if isinstance(opened, WorkerResult):
                    ready.append((student, opened))
                else:
                    sent[student] = Sent(opened, dict(self._others(student, opened.others)))
            self._send(sent)
        return True

    def _others(self, student: str, names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield the contents of further notebooks, as many as one notebook may have bytes."""
        left = MAX_FILE
        for name in names:
            try:
                content = read_other(self._run.directory, student, self._run.assignment, name)
            except SubmissionError:
                continue
            if (left := left - len(content)) < 0:
                return
            yield name, content

    def _send(self, sent: dict[str, Sent], tries: int = 1) -> None:
        if sent:
            self._submit(_Batch(sent, tries=tries))

    def _submit(self, batch: _Batch, avoid: Collection[str] = ()) -> None:
        accepted = self._accepted()
        wanted = [one for one in accepted if one not in avoid] or list(accepted)
        restricted = bool(wanted) and bool(avoid or self._refused)
        message = pack_batch(self._setup, list(batch.sent.values()))
        with self._asking():
            future = self._client.submit(
                grade_batch,
                message,
                pure=False,
                workers=wanted if restricted else None,
                allow_other_workers=restricted,  # one that comes later, when all of these are gone
            )
        batch.futures.append(future)
        self._batches[future.key] = batch
        future.add_done_callback(self._done.put)

    # What comes back

    def _take(self, future: Future) -> Iterator[tuple[str, WorkerResult | WorkerFailure]]:
        """Yield the results that a batch's reply gives, and send again what it does not."""
        batch = self._batches.get(future.key)
        if batch is None:  # another worker was faster
            return
        if future.status == "cancelled":
            raise self._gone()
        for one in batch.futures:
            self._batches.pop(one.key)
        with self._asking():
            for one in batch.futures:
                if one is not future:
                    one.cancel()
        try:
            reply = self._reply(future, batch)
        except _WorkerRefusedError:
            self._expect_another_worker()
            self._send(batch.sent, batch.tries)
            return
        except _SchedulerGoneError:
            raise
        except GraderError as error:
            yield from self._again(batch, str(error))
            return
        self._longest = max(self._longest, time.monotonic() - batch.since)
        for (student, sent), result in zip(batch.sent.items(), reply.results, strict=True):
            if isinstance(result, WorkerFailure):
                yield student, result
            else:
                yield student, self._run.made_elsewhere(student, sent.submission, result)

    def _reply(self, future: Future, batch: _Batch) -> Reply:
        """Return a batch's reply.

        Raises:
            _WorkerRefusedError: it is of a worker that must not grade, which is given nothing more.
            GraderError: there is none, or it is damaged.
        """
        reply = Reply.unpack(self._fetched(future))
        if reply.refused:
            self._refuse(reply.worker, f"is refused: {' '.join(reply.refused)}")
        pairs = zip(batch.sent.values(), reply.results, strict=False)
        if len(reply.results) != len(batch.sent) or not all(self._fits(*pair) for pair in pairs):
            self._refuse(reply.worker, "is not used any more: it sent another submission's record.")
        return reply

    def _fetched(self, future: Future) -> bytes:
        """Return what a worker has computed, which is still on it.

        Raises:
            _WorkerRefusedError: it does not send it.
            GraderError: it has computed nothing, or is lost with it.
        """
        with self._asking():
            try:
                if not (error := future.exception(PATIENCE)):
                    return future.result(PATIENCE)
            except TimeoutError:
                self._look()
                for address in self._ask("who_has", keys=[future.key]).get(future.key, ()):
                    if address in self._known:
                        self._refuse(
                            self._known[address]["name"],
                            "is not used any more: it does not send what it has graded.",
                        )
                raise GraderError("The worker that graded it was lost.") from None
        lost = isinstance(error, KilledWorker)
        raise GraderError("Every worker that tried was lost." if lost else f"{type(error).__name__}: {error}")

    def _fits(self, sent: Sent, result: Record | WorkerFailure) -> bool:
        """Return whether a record can be this submission's: its key is computed here once more."""
        if isinstance(result, WorkerFailure):
            return True
        grading = self._run.grading
        keys = {grading.key(sent.submission)}
        if sent.others and result.status == "error":
            keys.add(grading.refused(result.reason).key)
        return result.key in keys and set(result.exercises) == set(grading.master.parts)

    def _refuse(self, worker: str, why: str) -> NoReturn:
        said = f"Worker {worker} {why}"
        if worker not in self._refused:
            self._refused[worker] = said
            self._say(said)
        raise _WorkerRefusedError(said)

    def _expect_another_worker(self) -> None:
        """Raise if all workers that are there are refused: they would get their batches again and again."""
        self._look()
        if self._known and not self._accepted():
            raise GraderError("No worker of this scheduler may grade. " + " ".join(self._refused.values()))

    def _again(self, batch: _Batch, reason: str) -> Iterator[tuple[str, WorkerFailure]]:
        """Send a batch again, each submission alone; yield failures for what was sent often enough."""
        for student, sent in batch.sent.items():
            if batch.tries < TRIES:
                self._send({student: sent}, batch.tries + 1)
            else:
                yield student, WorkerFailure(reason)

    # The scheduler and the workers

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Tell in one way that the scheduler is gone, whatever was being asked of it."""
        try:
            yield
        except (OSError, CancelledError, ClosedClientError) as error:
            raise self._gone() from error

    def _gone(self) -> GraderError:
        return _SchedulerGoneError(
            f"The scheduler at {self._address} is gone. What was graded is recorded; run this again to grade "
            "the others."
        )

    def _look(self) -> None:
        """Ask the scheduler for its workers."""
        self._known = self._ask("identity", n_workers=-1)["workers"]
        self._looked = time.monotonic()

    def _ask(self, question: str, **arguments: object) -> Any:
        """Return the scheduler's answer; where none comes, Dask's ``scheduler_info`` repeats the last one."""
        scheduler = self._client.scheduler
        with self._asking():
            if scheduler is None:
                raise ClosedClientError(question)
            return self._client.sync(getattr(scheduler, question), callback_timeout=PATIENCE, **arguments)

    def _accepted(self) -> dict[str, int]:
        """Return how many threads each worker has that may grade, by its address."""
        if time.monotonic() - self._looked > POLL_SECONDS:
            self._look()
        return {
            address: one["nthreads"]
            for address, one in self._known.items()
            if one["name"] not in self._refused
        }

    def _room(self) -> int:
        """Return how many batches may be in flight: for each thread one, and one that waits."""
        return max(1, 2 * sum(self._accepted().values()))

    def _await_worker(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError as error:
            raise GraderError(
                f"The scheduler at {self._address} has no worker. Start one on each machine: "
                f"grader worker {self._address}"
            ) from error

    def _look_around(self) -> None:
        """If nothing has come for a while: tell if no worker is left, and send what takes long once more."""
        if not self._accepted():
            if not self._alone:
                self._say(f"No worker is left; start one: grader worker {self._address}")
            self._alone = True
            return
        self._alone = False
        long = max(SLOW_SECONDS, SLOW * self._longest)
        for batch in {id(one): one for one in self._batches.values()}.values():
            if len(batch.futures) == 1 and time.monotonic() - batch.since > long:
                key = batch.futures[0].key
                processing = self._ask("processing")
                avoid = {one for one, keys in processing.items() if key in keys}
                if set(self._accepted()) - avoid:
                    self._submit(batch, avoid)
