"""Run a job's cells in its process, and send the results to the trusted side.

Everything here shares its process with the learner's code, which may change any of it. The worst possible
effect is a wrong tensor, other outputs, or the end of this process.
"""

import builtins
import json
import socket
import sys
import warnings
from dataclasses import replace

import torch

from grader.checking.attempt import attempt, too_slow
from grader.checking.deadline import TimeLimitExceededError, time_limit
from grader.checking.loading import load_within
from grader.checking.observation import Attempt, Problem
from grader.checking.recording import describe_error
from grader.checking.steps.tracing import traced
from grader.exercises import Exercise, find_exercise
from grader.exercises.case import Case
from grader.files import MIB
from grader.sandbox import frames, library_watch
from grader.sandbox.job import Cell, CellStatus, Job, JobStep
from grader.sandbox.shell import RecordingShell, recording
from grader.sandbox.wire import MAX_ATTEMPT, pack_attempt, pack_traced, unpack_cases


def with_calls(made: Attempt, calls: tuple[str, ...], watched: tuple[str, ...]) -> Attempt:
    """Return an attempt with calls of what is watched that were seen nowhere else while it was made."""
    if not calls:
        return made

    def with_unseen(known: tuple[str, ...]) -> tuple[str, ...]:
        unseen = (part for part in watched if not any(part in name for name in known))
        further = (next((name for name in calls if part in name), "") for part in unseen)
        return (*known, *dict.fromkeys(filter(None, further)))

    observations = (replace(one, calls=with_unseen(one.calls)) for one in made.observations)
    return replace(made, observations=tuple(observations))


class Runner:
    """Runs one job in this process."""

    def __init__(
        self, channel: socket.socket, shell: RecordingShell, job: Job, left_out: frozenset[int]
    ) -> None:
        self._channel, self._shell, self._job, self._left_out = channel, shell, job, left_out
        self._device = torch.device(job.device)
        self._names_at: dict[str, dict[str, object]] = {}

    def run(self) -> None:
        """Run the cells one after the other, then the answers once more on the hidden cases."""
        for step in self._job.steps():
            exercise = step.cell.exercise
            if exercise and not step.hidden:
                self._names_at[exercise] = {**self._shell.user_ns}
            if step.number in self._left_out:
                continue
            if step.hidden:
                self._recall(self._names_at[exercise])
            if exercise:
                self._check(step, find_exercise(exercise))
            else:
                self._run(step.number, step.cell)
        frames.send(self._channel, frames.FINISHED)

    def _recall(self, names: dict[str, object]) -> None:
        """Restore the notebook's global names to their values at an exercise's cell.

        Names that came later stay, for what a later cell put into torch may use them; but not those that hide
        one of Python's own.
        """
        present = self._shell.user_ns
        for name in present.keys() - names.keys():
            if hasattr(builtins, name):
                del present[name]
        present.update(names)

    def _run(self, number: int, cell: Cell) -> None:
        with recording(self._shell, self._job.limits) as outputs:
            status = self._status_of(number, cell)
        said = json.dumps(outputs.kept, ensure_ascii=False).encode("utf-8", "replace")
        frames.send(self._channel, frames.DONE, f"{number} {status} ".encode() + said)

    def _status_of(self, number: int, cell: Cell) -> CellStatus:
        try:
            with time_limit(self._job.limits.cell_seconds):
                self._shell.execution_count = number + 1
                result = self._shell.run_cell(cell.source, store_history=True)
        except TimeLimitExceededError:
            return "too-slow"
        except BaseException as error:  # noqa: BLE001 - raised by what the learner's code put into IPython
            self._shell.showtraceback((type(error), error, error.__traceback__))
            return "raised"
        return "ran" if result.success else "raised"

    def _check(self, step: JobStep, exercise: Exercise) -> None:
        number = step.number
        frames.send(self._channel, frames.REACHED, str(number).encode())
        _, content = frames.receive(self._channel)
        cases = unpack_cases(content)
        with recording(self._shell, self._job.limits), warnings.catch_warnings(action="ignore"):
            library_watch.forget()
            subject, made = self._attempt(exercise, cases, step.cell)
            made = with_calls(made, library_watch.seen(exercise.watched), exercise.watched)
        packed = pack_attempt(made)
        if len(packed) > MAX_ATTEMPT:
            values = {"subject": exercise.subject, "size": MAX_ATTEMPT // MIB}
            packed = pack_attempt(Attempt(problem=Problem("too large", values)))
        frames.send(self._channel, frames.ATTEMPTED, f"{number} ".encode() + packed)
        if not step.hidden:
            self._trace(number, exercise, subject, cases)

    def _trace(self, number: int, exercise: Exercise, subject: object, cases: tuple[Case, ...]) -> None:
        """Trace the subject on the requested case, if any, and send the trace."""
        _, name = frames.receive(self._channel)
        case = next((one for one in cases if one.name == name.decode()), None)
        if case is None:
            return
        with recording(self._shell, self._job.limits), warnings.catch_warnings(action="ignore"):
            try:
                tensors = traced(exercise, subject, case, self._device, self._job.limits.cell_seconds).tensors
            except BaseException:  # noqa: BLE001 - raised by what the learner's code put into torch
                tensors = ()
        frames.send(self._channel, frames.TRACED, f"{number} ".encode() + pack_traced(tensors))

    def _attempt(self, exercise: Exercise, cases: tuple[Case, ...], cell: Cell) -> tuple[object, Attempt]:
        """Return the subject, and what came of running it on the cases."""
        seconds, subject = self._job.limits.cell_seconds, None
        try:
            subject, problem = self._subject(exercise, cell)
            if problem:
                return None, Attempt(problem=problem)
            return subject, attempt(exercise, subject, cases, self._device, seconds)
        except TimeLimitExceededError:
            return subject, Attempt(problem=too_slow(exercise, seconds))
        except BaseException as error:  # noqa: BLE001 - raised by what the learner's code put into torch
            return subject, Attempt(problem=Problem("raised", error=describe_error(error)))

    def _subject(self, exercise: Exercise, cell: Cell) -> tuple[object, Problem | None]:
        """Return what the learner defined: in the notebook, or in the file that the cell is.

        What a file does outside of the subject does not count as the subject's calls.
        """
        if not cell.filename:
            missing = exercise.subject not in self._shell.user_ns
            return self._shell.user_ns.get(exercise.subject), Problem(
                "missing", {"subject": exercise.subject}
            ) if missing else None
        sys.argv = [cell.filename]
        loaded = load_within(exercise, cell.source, cell.filename, self._job.limits.cell_seconds)
        library_watch.forget()
        return loaded
