"""Run an answer of the bank in this process."""

from contextlib import nullcontext

import torch

from grader.checking.loading import attempt_source
from grader.checking.observation import Attempt
from grader.checking.quiet import quiet
from grader.exercises import Exercise
from grader.exercises.case import Case
from grader.proving.bank import Answer
from grader.proving.rounding import random_rounding

# More than any answer that comes to an end needs, on a machine that is busy, too.
SECONDS = 20.0
# A loop that is there for not ending need not be waited for as long.
ENDLESS_SECONDS = 0.3


def attempt_answer(
    exercise: Exercise,
    answer: Answer,
    cases: tuple[Case, ...],
    device: torch.device,
    seconds: float | None = None,
    rounding: int | None = None,
    rearranged: bool = False,
) -> Attempt:
    """Run a bank answer on the cases and return the attempt.

    Args:
        exercise: what is asked.
        answer: one of its bank.
        cases: what it is run on.
        device: where it runs.
        seconds: time limit; by default what it needs.
        rounding: seed of random rounding; by default numbers are rounded as they are.
        rearranged: whether the library's softmax is then computed by a logarithm.
    """
    filename = f"<{exercise.id}: {answer.name}>"
    if seconds is None:
        seconds = ENDLESS_SECONDS if "too-slow" in answer.diagnosis else SECONDS
    with quiet(), nullcontext() if rounding is None else random_rounding(rounding, rearranged):
        return attempt_source(exercise, answer.program, filename, cases, device, seconds)
