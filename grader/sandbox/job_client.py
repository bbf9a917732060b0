"""The trusted side of one attempt to run a job: talks with its process, within time limits.

Every received byte may be forged by the learner's code. Only the expected frame is accepted; all others are
skipped. So a forged frame can at worst be a wrong tensor, or other outputs.
"""

import os
import re
import select
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.checking.attempt import too_slow
from grader.checking.observation import Attempt, Problem, Traced
from grader.checking.steps.recording import MOST_NUMBERS, MOST_TENSORS
from grader.errors import GraderError
from grader.exercises import find_exercise
from grader.exercises.case import Case
from grader.messages import Message, message
from grader.sandbox import frames
from grader.sandbox.job import CellRun, Job, JobStep
from grader.sandbox.outputs import largest_frame, read_outputs, remark, sizes
from grader.sandbox.wire import (
    MAX_ATTEMPT,
    MAX_HEADER,
    HostileError,
    pack_cases,
    pack_job,
    read_attempt,
    read_traced,
)
from grader.time_limits import Allowance, ProcessClock

# Seconds that a cell may take beyond its limit before it is ended from outside.
GRACE = 1.0
# Seconds for the fork and the walls, on a busy machine.
JOB_STARTUP_SECONDS = 60.0
# Cells of a notebook, besides its checks, that may take all of their time. Later ones get less: an endless
# loop in a class that many given cells call must not take the time that other answers need.
SLOW_CELLS, HURRIED_SECONDS = 5, 1.0
# Bytes that one process of a job may send, in all.
MAX_TOTAL = 2**27
# Bytes of what an answer made on one case.
MAX_TRACED = 8 * MOST_TENSORS * MOST_NUMBERS + MAX_HEADER
# Unexpected frames that are skipped while waiting for one.
MOST_PASSED = 20_000
# Seconds for the fork server to tell of an end.
EXIT_REPORT_SECONDS = 5.0
# Where the system says which process a descriptor is of.
PROCESS = re.compile(r"^Pid:\s+([0-9]+)$", re.MULTILINE)
STATUSES = ("ran", "raised", "too-slow")


# Cache of packed cases: they are the same for every student of a class.
_packed: dict[int, tuple[tuple[Case, ...], bytes]] = {}
MOST_PACKED = 200


def packed_once(cases: tuple[Case, ...]) -> bytes:
    """Return cases as they are sent; the same ones are packed once."""
    if id(cases) not in _packed:
        if len(_packed) >= MOST_PACKED:
            _packed.clear()
        _packed[id(cases)] = cases, pack_cases(cases)  # held here, so that no others get its id
    return _packed[id(cases)][1]


@dataclass
class JobState:
    """The state of a job over all its processes.

    ``to_trace`` chooses the case on which to trace an answer, if any. ``kept`` counts bytes of text and of
    pictures, ``clock`` the processor time of its processes, ``total`` is the notebook's time limit.
    """

    job: Job
    to_trace: Callable[[str, Attempt], str] = lambda exercise, attempt: ""
    runs: dict[int, CellRun] = field(default_factory=dict)
    attempts: dict[str, Attempt] = field(default_factory=dict)
    hidden: dict[str, Attempt] = field(default_factory=dict)
    left_out: list[int] = field(default_factory=list)
    kept: tuple[int, int] = (0, 0)
    clock: ProcessClock = field(default_factory=ProcessClock)

    def __post_init__(self) -> None:
        """Put the steps in order once, and let the notebook's time begin."""
        self.steps = self.job.steps()
        self.total = Allowance(self.job.limits.total_seconds, self.clock)

    def record(self, step: JobStep, run: CellRun, attempt: Attempt | None = None) -> None:
        """Record the result of a step and of the exercise that it checks; the first result counts."""
        self.runs.setdefault(step.number, run)
        if step.cell.exercise and attempt:
            attempts = self.hidden if step.hidden else self.attempts
            attempts.setdefault(step.cell.exercise, attempt)

    def keep(self, outputs: bytes) -> tuple[Mapping[str, object], ...]:
        """Return what may be kept of a cell's outputs: no more than of one cell, nor of the whole notebook.

        Raises:
            HostileError: these are no outputs.
        """
        limits, (text, pictures) = self.job.limits, self.kept
        left = replace(
            limits,
            output_bytes=min(limits.output_bytes, limits.total_output_bytes - text),
            picture_bytes=min(limits.picture_bytes, limits.total_picture_bytes - pictures),
        )
        read = read_outputs(outputs, left)
        more_text, more_pictures = sizes(read)
        self.kept = (min(text + more_text, limits.total_output_bytes), pictures + more_pictures)
        return read

    def seconds_for(self, step: JobStep) -> float:
        """Return a step's time limit: after many slow cells less for a further one, never for a check."""
        seconds = self.job.limits.cell_seconds
        if not step.cell.exercise and self._slow_cells() >= SLOW_CELLS:
            return min(seconds, HURRIED_SECONDS)
        return seconds * step.cell.turns

    def _slow_cells(self) -> int:
        cells = (run for number, run in self.runs.items() if not self.steps[number].cell.exercise)
        return sum(run.status == "too-slow" for run in cells)

    def out_of_time(self) -> bool:
        """Return whether the notebook's time is up."""
        return self.total.left() <= 0

    def leave_out(self, stopped: int) -> None:
        """Skip in the next process the step that stopped this one, and all that need not run again."""
        known = (
            number
            for number, run in self.runs.items()
            if self.steps[number].cell.exercise or run.status == "too-slow"
        )
        self.left_out = sorted({*self.left_out, *known, stopped, *self._decided()})

    def _decided(self) -> Iterator[int]:
        """Yield the hidden checks of answers that gave nothing on visible cases, and record that."""
        for step in self.steps:
            made = self.attempts.get(step.cell.exercise) if step.hidden else None
            if made and made.problem:
                self.record(step, CellRun("ran"), made)
                yield step.number


class JobClient:
    """Communicates with one process of a job until it is done, gone, or out of time.

    Args:
        channel: where it talks.
        exit_socket: on which the fork server sends a handle of the process, and its exit status.
        state: the state of the job, which is updated.
    """

    def __init__(self, channel: socket.socket, exit_socket: socket.socket | None, state: JobState) -> None:
        self._channel, self._exit_socket, self._state = channel, exit_socket, state
        self._job = state.job
        steps, checks = len(state.steps), sum(bool(step.cell.exercise) for step in state.steps)
        self._outputs = largest_frame(self._job.limits) + 64
        total = min(steps * (self._outputs + 64) + checks * MAX_ATTEMPT, MAX_TOTAL)
        self._receiver = frames.Receiver(channel, total)

    def run(self) -> int | None:
        """Run the cells that are not left out.

        Returns:
            the number of the step in which the process ended or has to be killed; None if all are done.

        Raises:
            GraderError: the process could not start.
        """
        state = self._state
        self._start()
        for step in state.steps:
            if step.number in state.left_out:
                continue
            if state.out_of_time():
                return step.number
            self._seconds = state.seconds_for(step)
            self._own = Allowance(self._seconds + GRACE, state.clock)
            try:
                self._check(step) if step.cell.exercise else self._run_cell(step)
            except frames.SlowError:
                self._too_slow(step)
                return step.number
            except (EOFError, OSError):
                self._ended(step, self._end())
                return step.number
            except frames.FrameError:
                self._ended(step, message("The process sent what it should not and was ended"))
                return step.number
        return None

    def _start(self) -> None:
        start = Allowance(JOB_STARTUP_SECONDS, time.monotonic)
        try:
            packed = pack_job(self._job, self._state.left_out)
            frames.send_within(self._channel, frames.JOB, packed, start)
            _, reason = self._receiver.receive({frames.STARTED: 1000}, start)
        except (EOFError, OSError, frames.SlowError, frames.FrameError) as error:
            raise GraderError(f"The process for a submission could not start: {error!r}.") from error
        if reason:
            raise GraderError(
                f"The process for a submission could not start: {reason.decode(errors='replace')}."
            )
        self._state.clock.follow(self._process() if self._exit_socket else None)

    def _process(self) -> int | None:
        """Return the number that the process has here, if the system tells."""
        _, handles, _, _ = socket.recv_fds(self._exit_socket, 1, 1)
        for handle in handles:
            said = Path("/proc/self/fdinfo", str(handle)).read_text(encoding="ascii")
            os.close(handle)
            if found := PROCESS.search(said):
                return int(found[1])
        return None

    def _frame(self, wanted: bytes, number: int) -> bytes:
        """Return the rest of the frame of this kind and this step; pass over all others."""
        most = {frames.DONE: self._outputs, frames.REACHED: 16, frames.FINISHED: 0}
        most[frames.ATTEMPTED] = MAX_ATTEMPT + MAX_HEADER
        most[frames.TRACED] = MAX_TRACED
        for _ in range(MOST_PASSED):
            kind, payload = self._receiver.receive(most, self._own, self._state.total)
            about, _, rest = payload.partition(b" ")
            if kind == wanted and about == str(number).encode():
                return rest
        raise frames.FrameError("more frames than anybody waits for")

    def _run_cell(self, step: JobStep) -> None:
        """Wait for the result of an ordinary cell."""
        status, _, outputs = self._frame(frames.DONE, step.number).partition(b" ")
        said = status.decode(errors="replace")
        try:
            kept = self._state.keep(outputs)
        except HostileError:
            said, kept = "", ()
        if said not in STATUSES:
            run = remark("raised", str(Problem("garbled").message))
        elif said == "too-slow":
            run = remark(said, self._stopped(), kept)
        else:
            run = CellRun(said, kept)
        self._state.record(step, run)

    def _stopped(self) -> str:
        seconds = f"{self._seconds:g}"
        return str(message("The cell was stopped when its {seconds} seconds were up.", seconds=seconds))

    def _check(self, step: JobStep) -> None:
        """Send an exercise's cases when it is reached, and wait for the attempt."""
        self._frame(frames.REACHED, step.number)
        cases = (self._job.hidden if step.hidden else self._job.cases)[step.cell.exercise]
        frames.send_within(self._channel, frames.CASES, packed_once(cases), self._own, self._state.total)
        content = self._frame(frames.ATTEMPTED, step.number)
        try:
            made = read_attempt(content, [case.name for case in cases])
        except HostileError:
            made = Attempt(problem=Problem("garbled"))
        slow = made.problem is not None and made.problem.code == "too-slow"
        self._state.record(step, remark("too-slow", self._stopped()) if slow else CellRun("ran"), made)
        if not step.hidden:
            self._trace(step, made)

    def _trace(self, step: JobStep, made: Attempt) -> None:
        """Have an answer traced on the chosen case, if any, and keep the trace."""
        exercise = step.cell.exercise
        case = self._state.to_trace(exercise, made)
        frames.send_within(self._channel, frames.TRACE, case.encode(), self._own, self._state.total)
        if not case:
            return
        try:
            tensors = read_traced(self._frame(frames.TRACED, step.number))
        except HostileError:
            return  # it decides no score
        self._state.attempts[exercise] = replace(made, traced=Traced(case, tensors))

    def _too_slow(self, step: JobStep) -> None:
        if self._state.total.left() <= 0:
            return  # not this cell's fault alone: it is one of those that were not run
        seconds = self._job.limits.cell_seconds
        exercise = step.cell.exercise
        made = Attempt(problem=too_slow(find_exercise(exercise), seconds)) if exercise else None
        self._state.record(step, remark("too-slow", self._stopped()), made)

    def _ended(self, step: JobStep, what: Message) -> None:
        problem = Problem("ended in the answer" if step.cell.exercise else "ended in a cell", {"what": what})
        self._state.record(step, remark("ended", str(problem.message)), Attempt(problem=problem))

    def _end(self) -> Message:
        """Return that the process ended, with which status if the fork server tells."""
        ready = self._exit_socket and select.select([self._exit_socket], [], [], EXIT_REPORT_SECONDS)[0]
        status = self._exit_socket.recv(16).decode() if ready else ""
        if not status:
            return message("The process ended")
        return message("The process ended with status {status}", status=status)
