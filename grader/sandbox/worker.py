"""The learner's process: run one file, observe its subject on the cases, write what was seen.

Called as ``python -m grader.sandbox.worker EXERCISE FILE CASES RESULT DEVICE SECONDS``.
"""

import sys
from pathlib import Path

import torch

from grader.checking.deadline import TimeLimitExceededError, time_limit
from grader.checking.drivers import attempt, too_slow
from grader.checking.loading import load_subject
from grader.checking.observation import Attempt
from grader.exercises import Exercise, find_exercise
from grader.exercises.case import Case
from grader.sandbox.wire import read_cases, write_attempt


def attempt_file(
    exercise: Exercise, file: Path, cases: tuple[Case, ...], device: torch.device, seconds: float
) -> Attempt:
    """Return what comes of running a file and then its subject, each within the time limit."""
    try:
        with time_limit(seconds):
            source = file.read_text(encoding="utf-8-sig")
            subject, problem = load_subject(source, exercise.subject, str(file))
    except TimeLimitExceededError:
        return Attempt(problem=too_slow(exercise, seconds))
    return Attempt(problem=problem) if problem else attempt(exercise, subject, cases, device, seconds)


def main(arguments: list[str]) -> None:
    """Run the worker."""
    name, file, cases, result, device, seconds = arguments
    exercise = find_exercise(name)
    made = attempt_file(exercise, Path(file), read_cases(Path(cases)), torch.device(device), float(seconds))
    write_attempt(Path(result), made)


if __name__ == "__main__":
    main(sys.argv[1:])
