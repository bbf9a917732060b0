"""``Sandbox``: runs learners' code."""

import contextlib
import os
import select
import socket
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from grader.checking.observation import Attempt, Problem
from grader.errors import DeviceError, GraderError, IsolationError
from grader.exercises import EXERCISES
from grader.sandbox.isolation import needed
from grader.sandbox.job import Cell, CellRun, Job, Limits, Run
from grader.sandbox.job_client import JobClient, JobState
from grader.sandbox.launch import (
    FULL,
    ISOLATIONS,
    PREPARE,
    READY,
    WATCH_COMMON,
    Launched,
    launch,
    needs_common,
    preload_mask,
)
from grader.sandbox.outputs import remark

# Seconds for importing torch and IPython on a busy machine.
STARTUP_SECONDS = 120.0
# Seconds for a prepared process to become ready for jobs after running the first cells.
PREPARE_SECONDS = 10.0
# Maximum number of consecutive processes of one job; each costs the time of the cells that it runs again.
TRIES = 50
NO_GPU = (
    "Under full isolation answers run on the CPU: what drives {device} reads /proc and the machine's "
    "devices, which learners' code must not. Use --device cpu, or --isolation none for code that you trust."
)


@dataclass(frozen=True)
class PreparedCells:
    """A fork server that has run the first cells of jobs: their results, and its control socket."""

    cells: tuple[Cell, ...]
    limits: Limits
    runs: Mapping[int, CellRun]
    control: socket.socket

    def fits(self, job: Job) -> bool:
        """Return whether a job begins with these cells, under the same limits."""
        return job.cells[: len(self.cells)] == self.cells and job.limits == self.limits


class Sandbox:
    """Runs jobs, each in a process of its own that is forked from one fork server.

    ``run`` may be called from several threads, and from processes forked from the one that made the sandbox.

    Args:
        isolation: ``full``, or ``none`` for ordinary processes of your own user.
        launched: the fork server, where it has been launched already, with the same isolation.

    Raises:
        IsolationError: full isolation is not available here; the message says why.

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
        self._prepared: PreparedCells | None = None
        try:
            self._await_ready()
        except BaseException:
            self.close()
            raise

    def _await_ready(self) -> None:
        self._control.settimeout(STARTUP_SECONDS)
        try:
            said = self._control.recv(4096)
        except TimeoutError as error:
            raise GraderError(f"The sandbox did not start within {STARTUP_SECONDS:g} seconds.") from error
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
        """End the fork server and all that it started; in a forked process, let go of it."""
        if self._prepared:
            self._prepared.control.close()
        if os.getpid() == self._maker:
            self._launched.close()
        self._control.close()

    def prepare(self, cells: tuple[Cell, ...], limits: Limits) -> bool:
        """Run a notebook's first, given cells once, for all jobs with these limits that begin with them.

        This changes only the time that those jobs take: the cells' outputs are part of each one's run. It
        works only under full isolation, and must precede jobs in other processes. Another call replaces the
        cells.

        Args:
            cells: a notebook's first cells; none of them checks an exercise.
            limits: what a job may use.

        Returns:
            whether it worked: not if a cell fails, or leaves files or threads behind.

        Raises:
            GraderError: the sandbox's process is gone.
        """
        if self._prepared:
            if (self._prepared.cells, self._prepared.limits) == (cells, limits):
                return True
            self._prepared.control.close()
            self._prepared = None
        if self.isolation != FULL or not cells:
            return False
        state = JobState(Job(cells, {}, limits))
        ours, theirs = socket.socketpair()
        control, their_control = socket.socketpair()
        with ours:
            self._hand_over(self._control, state.job, PREPARE, theirs, their_control)
            done = JobClient(ours, None, state).run() is None
            done = done and all(run.status == "ran" for run in state.runs.values())
            control.settimeout(PREPARE_SECONDS)
            try:
                ready = done and control.recv(len(READY)) == READY
            except OSError:  # it is not there in time, or no more
                ready = False
        if not ready:
            control.close()
            return False
        control.settimeout(None)
        self._prepared = PreparedCells(cells, limits, state.runs, control)
        return True

    @staticmethod
    def _hand_over(control: socket.socket, job: Job, bits: int, *theirs: socket.socket) -> None:
        """Ask a fork server for something about a job, and hand over its ends of two sockets."""
        asked = preload_mask(cell.source for cell in job.cells)[0] | bits
        checked = (EXERCISES[cell.exercise] for cell in job.cells if cell.exercise)
        if any(needs_common(exercise.watched) for exercise in checked):
            asked |= WATCH_COMMON
        try:
            socket.send_fds(control, [bytes([asked])], [one.fileno() for one in theirs])
        except OSError as error:
            raise GraderError(f"The sandbox's process is gone: {error}.") from error
        finally:
            for one in theirs:
                one.close()

    def run(self, job: Job, to_trace: Callable[[str, Attempt], str] = lambda exercise, attempt: "") -> Run:
        """Run a notebook's cells and return the results.

        Never raises because of the cells' code. If a process ends in a cell, or has to be killed, another one
        runs the notebook again without that cell.

        Args:
            job: the notebook.
            to_trace: called with an exercise and its attempt on the visible cases; returns the name of the
                case on which to trace the answer, empty for none.

        Raises:
            DeviceError: a GPU is asked for, and isolation is full.
            GraderError: the job could not be started.
        """
        if job.device != "cpu" and self.isolation == FULL:
            raise DeviceError(NO_GPU.format(device=job.device))
        started = time.monotonic()
        state = JobState(job, to_trace)
        control = self._control
        if self._prepared and self._prepared.fits(job):
            control = self._prepared.control
            state.runs |= self._prepared.runs
            state.left_out = list(self._prepared.runs)
        for _ in range(TRIES):
            stopped = self._try(control, state)
            if stopped is None or state.out_of_time():
                break
            state.leave_out(stopped)
        self._give_up(state)
        cells = tuple(state.runs[number] for number in range(len(job.cells)))
        return Run(cells, state.attempts, time.monotonic() - started, state.hidden)

    def _try(self, control: socket.socket, state: JobState) -> int | None:
        ours, theirs = socket.socketpair()
        exit_socket, their_exit_socket = socket.socketpair()
        with ours, exit_socket:
            self._hand_over(control, state.job, 0, theirs, their_exit_socket)
            try:
                return JobClient(ours, exit_socket, state).run()
            finally:
                _end(exit_socket)

    def _give_up(self, state: JobState) -> None:
        """Record why the remaining steps were not done."""
        problem = Problem("not run")
        for step in state.steps:
            state.record(step, remark("not-run", str(problem.message)), Attempt(problem=problem))


def _end(exit_socket: socket.socket) -> None:
    """Have a job's process killed, and wait until it has ended."""
    with contextlib.suppress(OSError):
        exit_socket.shutdown(socket.SHUT_WR)
        select.select([exit_socket], [], [], 10.0)


@cache
def missing_isolation() -> tuple[str, ...]:
    """Return why full isolation is not available on this system, one sentence each; empty if it is."""
    if missing := needed():
        return tuple(missing)
    try:
        Sandbox("full").close()
    except IsolationError as error:
        return (error.missing,)
    return ()
