"""Run an answer of the bank in this process."""

import torch

from grader.checking.loading import attempt_source
from grader.checking.observation import Attempt
from grader.checking.quiet import quiet
from grader.exercises import Exercise
from grader.exercises.case import Case
from grader.proving.bank import Answer

# Enough for every right answer; a bank's endless loop is stopped after it.
SECONDS = 2.0


def attempt_answer(
    exercise: Exercise,
    answer: Answer,
    cases: tuple[Case, ...],
    device: torch.device,
    seconds: float = SECONDS,
) -> Attempt:
    """Return what comes of running a bank answer on the cases."""
    filename = f"<{exercise.id}: {answer.name}>"
    with quiet():
        return attempt_source(exercise, answer.program, filename, cases, device, seconds)
