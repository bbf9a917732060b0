"""The proof: every answer of every bank gives exactly the diagnosis that it declares."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from grader.checking.fake_device import ELSEWHERE
from grader.checking.result import Result
from grader.exercises import EXERCISES, Exercise
from grader.messages import Message
from grader.proving.bank import Answer, bank_path, read_bank
from grader.proving.proof import prove, verdict_on
from grader.references import load_exercise

SOLUTIONS = Path(__file__).resolve().parents[2] / "solutions"
CPU = torch.device("cpu")
# Drivers that put tensors on a device, each with the first exercise that it runs.
MOVING = ("module", "function", "transfer", "to_torch", "names", "run_on", "generate")
FIRST = {driver: next(one for one in EXERCISES.values() if one.driver == driver) for driver in MOVING}
# Placeholders for what is quoted as it is: the learner's, a library's, or names and numbers of an exercise.
QUOTED = frozenset(
    (
        *("error", "source", "reason", "expected", "got", "name", "names", "registered", "buffers", "calls"),
        *("codes", "call", "kind", "detail", "shape", "own_shape", "case", "part", "exercises", "signature"),
    )
)
PROSE = re.compile(r"[a-z]{2,} [a-z]{2,}")


def bank(exercise: Exercise) -> tuple[Answer, ...]:
    """Return the answers of an exercise."""
    return read_bank(bank_path(SOLUTIONS, exercise))


def readable(exercise: Exercise, answer: Answer, device: torch.device) -> str:
    """Return the test's name, such as ``cpu-ch04-self-attention-missing-scale``."""
    return f"{device.type}-{exercise.id}-{re.sub(r'[^a-z0-9]+', '-', answer.name.lower()).strip('-')}"


def proven(device: torch.device) -> Iterator[pytest.param]:
    """Yield what is run on a device, each answer with its exercise.

    On the CPU that is every answer. Elsewhere it is what gets there: what is right on the CPU.
    """
    for exercise in EXERCISES.values():
        for answer in bank(exercise):
            right_on_the_cpu = answer.correct or not answer.counts_on("cpu")
            if answer.counts_on(device.type) and (device == CPU or right_on_the_cpu):
                yield pytest.param(exercise, answer, device, id=readable(exercise, answer, device))


def values_of(told: object) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of everything that a message, or what holds messages, quotes."""
    if isinstance(told, Message):
        for name, value in told.values.items():
            if isinstance(value, str):
                yield name, value
            else:
                yield from values_of(value)


def messages_of(result: Result) -> Iterator[Message]:
    """Yield all that is told of an answer."""
    for line in result.lines:
        yield line.text
    yield from result.notes
    yield from (case.why for case in result.cases if case.why)


@pytest.mark.parametrize(("exercise", "answer", "device"), [*proven(CPU), *proven(ELSEWHERE)])
def test_answer_gives_its_diagnosis(exercise: Exercise, answer: Answer, device: torch.device) -> None:
    """A bank answer gets exactly the codes that it declares, and passes only if it is correct.

    All words that it is told are in the catalog, but for what is quoted.
    """
    reference = load_exercise(exercise.chapter, exercise.id)
    result = verdict_on(exercise, reference, answer, device)
    assert result.diagnosis == answer.diagnosis, result.message
    assert (result.status == "passed") == answer.correct
    quoted = [named for told in messages_of(result) for named in values_of(told)]
    assert [one for one in quoted if one[0] not in QUOTED and PROSE.search(one[1])] == []


@pytest.mark.parametrize("driver", MOVING)
def test_bank_is_proven_on_a_gpu(driver: str, gpu: torch.device) -> None:
    """What each driver moves is moved to a GPU, too, and the answers are told apart there."""
    exercise = FIRST[driver]
    reference = load_exercise(exercise.chapter, exercise.id)
    assert prove(exercise, reference, bank(exercise), gpu) == []
