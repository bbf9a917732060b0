"""``Sandbox``: where learners' code runs."""

import contextlib
import os
import select
import socket
import time
from functools import cache

from grader.checking.observation import Attempt, Problem
from grader.errors import DeviceError, GraderError, IsolationError
from grader.sandbox.conversation import Conversation, Progress
from grader.sandbox.isolation import needed
from grader.sandbox.job import Job, Run
from grader.sandbox.launch import FULL, ISOLATIONS, READY, Launched, launch, wishes_of
from grader.sandbox.outputs import remark

# Seconds for importing torch and IPython on a busy machine.
START = 120.0
# Processes that one job may have, one after the other.
TRIES = 5
NO_GPU = (
    "Under full isolation answers run on the CPU: what drives {device} reads /proc and the machine's "
    "devices, which learners' code must not. Use --device cpu, or --isolation none for code that you trust."
)


class Sandbox:
    """Runs jobs, each in a process of its own that is forked from one warm process.

    ``run`` may be called from several threads, and from processes forked from the one that made the sandbox.

    Args:
        isolation: ``full``, or ``none`` for ordinary processes of your own user.
        launched: the warm process, where it has been launched already, with the same isolation.

    Raises:
        IsolationError: full isolation is not to be had here; the message says why.

    Example:
        >>> with Sandbox() as sandbox:
        ...     run = sandbox.run(job)
    """

    def __init__(self, isolation: str = FULL, launched: Launched | None = None) -> None:
        if isolation not in ISOLATIONS:
            raise GraderError(f"Unknown isolation {isolation!r}: expected one of {', '.join(ISOLATIONS)}.")
        if isolation == FULL and (missing := needed()):
            raise IsolationError(" ".join(missing))
        self.isolation = isolation
        self._maker = os.getpid()
        self._launched = launched or launch(isolation)
        self._control = self._launched.control
        try:
            self._await_ready()
        except BaseException:
            self.close()
            raise

    def _await_ready(self) -> None:
        self._control.settimeout(START)
        try:
            said = self._control.recv(4096)
        except TimeoutError as error:
            raise GraderError(f"The sandbox did not start within {START:g} seconds.") from error
        self._control.settimeout(None)
        if not said:
            raise GraderError("The sandbox could not start: its process ended at once.")
        if said != READY:
            raise IsolationError(said.decode())

    def __enter__(self) -> "Sandbox":
        """Return the sandbox itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self.close()

    def close(self) -> None:
        """End the warm process and all that it started; in a forked process, let go of it."""
        if os.getpid() == self._maker:
            self._launched.close()
        self._control.close()

    def run(self, job: Job) -> Run:
        """Run a notebook's cells and return what came of them.

        Never raises for what the cells do. Where a process ends in a cell, or has to be ended, another
        runs the notebook again without that cell.

        Raises:
            DeviceError: a GPU is asked for, and isolation is full.
            GraderError: the job could not be started.
        """
        if job.device != "cpu" and self.isolation == FULL:
            raise DeviceError(NO_GPU.format(device=job.device))
        started = time.monotonic()
        progress = Progress(job, started + job.limits.total_seconds)
        for _ in range(TRIES):
            stopped = self._try(progress)
            if stopped is None or progress.out_of_time():
                break
            progress.leave_out(stopped)
        self._give_up(progress)
        cells = tuple(progress.runs[number] for number in range(len(job.cells)))
        return Run(cells, progress.attempts, time.monotonic() - started, progress.hidden)

    def _try(self, progress: Progress) -> int | None:
        wishes = wishes_of(cell.source for cell in progress.job.cells)
        ours, theirs = socket.socketpair()
        teller, their_teller = socket.socketpair()
        with ours, teller:
            with theirs, their_teller:
                handed = [theirs.fileno(), their_teller.fileno()]
                try:
                    socket.send_fds(self._control, [wishes], handed)
                except OSError as error:
                    raise GraderError(f"The sandbox's process is gone: {error}.") from error
            try:
                return Conversation(ours, teller, progress).hold()
            finally:
                _end(teller)

    def _give_up(self, progress: Progress) -> None:
        """Say of the steps that were not done why not."""
        sentence = "Not run: the notebook's time was up, or too many of its cells had to be stopped."
        for step in progress.steps:
            progress.settle(step, remark("not-run", sentence), Attempt(problem=Problem("too-slow", sentence)))


def _end(teller: socket.socket) -> None:
    """Have a job's process ended, and wait until it is."""
    with contextlib.suppress(OSError):
        teller.shutdown(socket.SHUT_WR)
        select.select([teller], [], [], 10.0)


@cache
def missing_isolation() -> tuple[str, ...]:
    """Return why full isolation is not to be had on this system, one sentence each; nothing where it is."""
    if missing := needed():
        return tuple(missing)
    try:
        Sandbox("full").close()
    except IsolationError as error:
        return (str(error),)
    return ()
