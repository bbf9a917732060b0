"""A pool of worker processes. If a worker dies, its task is tried once more; other tasks are not affected."""

import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Generic, TypeVar

from grader.time_limits import ProcessClock, stretched

CONTEXT = get_context("fork")  # a worker has the imports, and what they loaded, from the start
Task = TypeVar("Task")
Result = TypeVar("Result")

# Seconds between two checks of the workers' time limits.
POLL_SECONDS = 1.0
END = object()


@dataclass(frozen=True)
class WorkerFailure:
    """Why a task has no result: its worker died or raised, in every try."""

    reason: str


def _serve(work: Callable, connection: Connection, others: list[Connection]) -> None:
    """Work on tasks until the connection is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that writes
    for other in others:
        other.close()
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):  # the other end is gone: nothing to do
        while True:
            task = connection.recv()
            try:
                result = work(task)
            except Exception as error:  # noqa: BLE001 - reported to the writer, which says so in the task's place
                result = WorkerFailure(f"{type(error).__name__}: {error}")
            connection.send(result)


@dataclass
class _Worker(Generic[Task]):
    process: BaseProcess
    connection: Connection
    task: Task | None = None
    since: tuple[float, float] = (0.0, 0.0)
    slow: bool = False

    def __post_init__(self) -> None:
        """Find the clock of what the worker computes."""
        self._clock = ProcessClock(self.process.pid)

    def now(self) -> tuple[float, float]:
        """Return the time, and the processor seconds that the worker has used so far."""
        return time.monotonic(), self._clock()


class Workers(Generic[Task, Result]):
    """A number of forked processes that all call one function."""

    def __init__(self, count: int, work: Callable[[Task], Result], seconds: float) -> None:
        """Fork the workers.

        Args:
            count: how many.
            work: what to call with each task, in a worker.
            seconds: how long a worker may compute, or on an idle machine wait, for one task.
        """
        self._work = work
        self._seconds = seconds
        self._workers: list[_Worker[Task]] = []
        for _ in range(count):
            self._workers.append(self._fork())

    def _fork(self) -> _Worker[Task]:
        here, there = CONTEXT.Pipe()
        # Inherited connections must be closed, or a worker would keep waiting after this process ends.
        others = [here, *(worker.connection for worker in self._workers)]
        process = CONTEXT.Process(target=_serve, args=(self._work, there, others), daemon=True)
        process.start()
        there.close()
        return _Worker(process, here)

    def run(
        self, tasks: Iterable[Task | None], wake: Sequence[Connection] = ()
    ) -> Iterator[list[tuple[Task, Result | WorkerFailure]]]:
        """Start working, and return an iterator over tasks with their results, in order of completion.

        Each list is what has come since the one before, at least once in ``POLL_SECONDS``; it may be empty.
        Only as many tasks are taken as can be worked on, and no result is kept.

        Args:
            tasks: what to work on; no two are equal. None among them: there is nothing at the moment.
            wake: what becomes readable when, after a None, there is more.
        """
        waiting, again = iter(tasks), deque[Task]()
        more = self._feed(waiting, again)
        return self._results(waiting, again, wake, more)

    def _results(
        self, waiting: Iterator[Task | None], again: deque[Task], wake: Sequence[Connection], more: bool
    ) -> Iterator[list[tuple[Task, Result | WorkerFailure]]]:
        failed = set[Task]()
        while (busy := [worker for worker in self._workers if worker.task is not None]) or more:
            # What wakes stays readable until a task is taken, which only an idle worker needs.
            awaited = wake if len(busy) < len(self._workers) else ()
            ready = wait([*(worker.connection for worker in busy), *awaited], POLL_SECONDS)
            done = []
            for worker in busy:
                if worker.connection not in ready:
                    self._end_slow(worker)
                    continue
                task, result = self._receive(worker)
                if retried := isinstance(result, WorkerFailure) and task not in failed:
                    failed.add(task)
                    again.append(task)
                more = self._feed(waiting, again)
                if not retried:
                    failed.discard(task)
                    done.append((task, result))
            if more and any(one in ready for one in wake):
                more = self._feed(waiting, again)
            yield done

    def _feed(self, waiting: Iterator[Task | None], again: deque[Task]) -> bool:
        """Give every idle worker something to do; return whether there may be more tasks."""
        for worker in self._workers:
            if worker.task is None:
                task = again.popleft() if again else next(waiting, END)
                if task is None or task is END:
                    return task is None
                worker.task, worker.since = task, worker.now()
                with suppress(BrokenPipeError, ConnectionResetError):  # it died: receiving will tell
                    worker.connection.send(worker.task)
        return True

    def _receive(self, worker: _Worker[Task]) -> tuple[Task, Result | WorkerFailure]:
        task, worker.task = worker.task, None
        try:
            return task, worker.connection.recv()
        except (EOFError, OSError):
            worker.connection.close()
            worker.process.join()
        place = self._workers.index(worker)
        del self._workers[place]
        self._workers.insert(place, self._fork())
        if worker.slow:
            return task, WorkerFailure(f"It was given up when its {self._seconds:g} seconds were up.")
        status = worker.process.exitcode
        return task, WorkerFailure(f"The process that worked on it ended with status {status}.")

    def _end_slow(self, worker: _Worker[Task]) -> None:
        passed, computed = (now - then for now, then in zip(worker.now(), worker.since, strict=True))
        if (computed > self._seconds or passed > stretched(self._seconds)) and not worker.slow:
            worker.slow = True
            worker.process.kill()

    def close(self) -> None:
        """End all workers, whatever they are doing: they write nothing."""
        for worker in self._workers:
            worker.connection.close()
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()
        self._workers.clear()
