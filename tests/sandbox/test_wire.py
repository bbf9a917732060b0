"""What crosses between the two processes arrives as it was sent."""

from collections.abc import Callable

import pytest
import torch

from grader.checking.judge import judge
from grader.checking.observation import Attempt, Kind, LearnerError, Observation, Problem
from grader.checking.rendering import result_text
from grader.exercises import find_exercise
from grader.exercises.case import Flag
from grader.proving.bank import Answer
from grader.proving.trial import attempt_answer
from grader.references import ExerciseReference, load_exercise
from grader.sandbox.wire import pack_attempt, pack_cases, read_attempt, unpack_cases


def test_cases_arrive_as_sent(reference: ExerciseReference) -> None:
    """Every fact and tensor of a case survives the way."""
    for sent, received in zip(reference.cases, unpack_cases(pack_cases(reference.cases)), strict=True):
        assert received.to_facts() == sent.to_facts()
        assert all(
            torch.equal(received.to_tensors()[name], tensor) for name, tensor in sent.to_tensors().items()
        )


def test_cases_hold_no_expected_tensor(reference: ExerciseReference) -> None:
    """What is sent to the learner's process holds none of the expected results."""
    content = pack_cases(reference.cases)
    for case in reference.cases:
        values = reference.expected[case.name]["result"].values
        assert values.numpy().tobytes() not in content
        assert values.float().numpy().tobytes() not in content


def test_attempt_arrives_as_sent() -> None:
    """Observations, with and without tensors, survive the way."""
    seen = (
        Observation(
            "one",
            {"result": torch.arange(3.0)},
            {"result": "cpu"},
            {},
            ("W", "K"),
            (("W", "K"),),
            ("mask",),
            ("table",),
            ("sdpa",),
        ),
        Observation(
            "two",
            {},
            {},
            {"result": Kind("list", "of", "int")},
            raised=LearnerError("ValueError", "no", 3, "f", "x", own=True),
            flags={Flag.SAVED: True, Flag.STAYED: False},
            attributes={"d_out": 4, "num_heads": "float"},
        ),
    )
    received = read_attempt(pack_attempt(Attempt(seen)), ["one", "two"]).observations
    assert torch.equal(received[0].tensors["result"], torch.arange(3.0))
    assert (received[0].registered, received[0].shared) == (("W", "K"), (("W", "K"),))
    assert received[0].buffers == ("mask",)
    assert received[0].unregistered_tensors == ("table",)
    assert received[0].calls == ("sdpa",)
    assert received[1] == seen[1]


def test_problem_arrives_as_sent() -> None:
    """A problem survives the way."""
    made = Attempt(problem=Problem("no Python", {"reason": "invalid", "line": 1, "source": "x ="}))
    assert read_attempt(pack_attempt(made), ["one"]) == made


@pytest.mark.parametrize("name", ["ch08-tokenizer", "ch08-bpe", "ch08-multi-head", "ch08-skip-gram"])
def test_arrays_and_texts_arrive_as_sent(name: str, answers: Callable[[str], dict[str, Answer]]) -> None:
    """What functions of NumPy and of texts were given and gave survives the way."""
    exercise = find_exercise(name)
    reference = load_exercise(exercise.chapter, name)
    cases = unpack_cases(pack_cases(reference.cases))
    made = attempt_answer(exercise, answers(name)["textbook"], cases, torch.device("cpu"))
    received = read_attempt(pack_attempt(made), [case.name for case in cases])
    assert judge(exercise, reference, received, "cpu").status == "passed"


@pytest.mark.parametrize(
    "forged",
    [
        torch.tensor([-9, 7]),
        torch.tensor([0x10FFFF + 1, -1]),
        torch.ones(2, 3),
        torch.tensor(True),
        torch.full((200_000,), 97),
        torch.tensor([27, 91, 50, 74, 0xD800, 0x202E, -1]),
    ],
    ids=["no text", "no character", "matrix", "bool", "giant", "control characters"],
)
def test_forged_text_is_a_wrong_answer(forged: torch.Tensor) -> None:
    """Whatever tensor comes in the place of a text, it is judged, and nothing it holds acts on a terminal."""
    exercise = find_exercise("ch08-bpe")
    reference = load_exercise(exercise.chapter, exercise.id)
    seen = tuple(
        Observation(case.name, {"result": forged, "argument/words": case.arguments["words"]}, {}, {})
        for case in reference.cases
    )
    received = read_attempt(
        pack_attempt(Attempt(seen)), {case.name: case.arguments for case in reference.cases}
    )
    result = judge(exercise, reference, received, "cpu")
    assert result.status == "failed"
    assert len(result.message) < 2000
    assert all(line.isprintable() for line in result_text(result).splitlines())
