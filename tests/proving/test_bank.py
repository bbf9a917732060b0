"""The proof: every answer of every bank gives exactly the diagnosis that it declares."""

import re
from pathlib import Path

import pytest
import torch

from grader.checking.judge import judge
from grader.exercises import EXERCISES, Exercise
from grader.proving.bank import Answer, bank_path, read_bank
from grader.proving.trial import attempt_answer
from grader.references import load_exercise

SOLUTIONS = Path(__file__).resolve().parents[2] / "solutions"


def readable(exercise: Exercise, answer: Answer) -> str:
    """Return the test's name, such as ``ch04-self-attention-missing-scale``."""
    return f"{exercise.id}-{re.sub(r'[^a-z0-9]+', '-', answer.name.lower()).strip('-')}"


BANK = [
    pytest.param(exercise, answer, id=readable(exercise, answer))
    for exercise in EXERCISES.values()
    for answer in read_bank(bank_path(SOLUTIONS, exercise))
]


@pytest.mark.parametrize(("exercise", "answer"), BANK)
def test_answer_gives_its_diagnosis(exercise: Exercise, answer: Answer, device: torch.device) -> None:
    """A bank answer gets exactly the codes that it declares, and passes only if it is correct."""
    if not answer.counts_on(device.type):
        pytest.skip(f"a mistake on {answer.only_on} alone")
    reference = load_exercise(exercise.chapter, exercise.id)
    made = attempt_answer(exercise, answer, reference.cases, device)
    result = judge(exercise, reference, made, device.type)
    assert result.diagnosis == answer.diagnosis, result.message
    assert (result.status == "passed") == answer.correct
