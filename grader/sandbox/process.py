"""Run a learner's file in a process of its own and bring back what was seen."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import safetensors
import torch

from grader.checking.attempt import too_slow
from grader.checking.observation import Attempt, Problem
from grader.errors import GraderError
from grader.exercises import Exercise
from grader.exercises.case import Case
from grader.sandbox.wire import read_attempt, started_mark, write_cases

# For starting Python and importing torch, and for code that no signal interrupts.
ALLOWANCE = 30.0
WORKER = "grader.sandbox.worker"


def attempt_in_process(
    exercise: Exercise, file: Path, cases: tuple[Case, ...], device: torch.device, seconds: float
) -> Attempt:
    """Return what comes of a file, run in a process that is gone afterwards with all it started.

    Args:
        exercise: what is asked.
        file: the learner's file, UTF-8.
        cases: what the subject is run on.
        device: where it runs.
        seconds: time limit, once for running the file and once for all cases.
    """
    with tempfile.TemporaryDirectory(prefix="grader-") as folder:
        sent, received = Path(folder, "cases.safetensors"), Path(folder, "attempt.safetensors")
        write_cases(sent, cases)
        command = [
            sys.executable,
            "-P",  # modules come from the installation, never from the folder one happens to be in
            "-m",
            WORKER,
            exercise.id,
            str(file),
            str(sent),
            str(received),
        ]
        command += [device.type, str(seconds)]
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env=os.environ | {"OMP_NUM_THREADS": "1"},
        )
        try:
            process.wait(2 * seconds + ALLOWANCE)
        except subprocess.TimeoutExpired:
            return Attempt(problem=too_slow(exercise, seconds))
        finally:
            _end(process)
        return _received(received, process.returncode, [case.name for case in cases])


def _end(process: subprocess.Popen) -> None:
    """End the process and all others of its session."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return  # all of them are gone already
    finally:
        process.wait()


def _received(path: Path, status: int, cases: list[str]) -> Attempt:
    if not started_mark(path).exists():
        raise GraderError(f"The process for the answer could not start; it ended with status {status}.")
    ended = Problem("raises", f"The process ended with status {status} before it had a result.")
    if not path.is_file():
        return Attempt(problem=ended)
    try:
        made = read_attempt(path)
    except (safetensors.SafetensorError, ValueError, KeyError, TypeError, AttributeError):
        return Attempt(problem=ended)  # half written: the learner's code ended the process
    whole = made.problem or [seen.case for seen in made.observations] == cases
    return made if whole else Attempt(problem=ended)
