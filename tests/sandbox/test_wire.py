"""What crosses between the two processes arrives as it was sent."""

import torch

from grader.checking.observation import Attempt, LearnerError, Observation, Problem
from grader.references import ExerciseReference
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
            ("W",),
            ("mask",),
            ("table",),
            ("sdpa",),
        ),
        Observation("two", {}, {}, {"result": "list"}, raised=LearnerError("ValueError", "no", "line 3: x")),
    )
    received = read_attempt(pack_attempt(Attempt(seen)), ["one", "two"]).observations
    assert torch.equal(received[0].tensors["result"], torch.arange(3.0))
    assert received[0].registered == ("W",)
    assert received[0].buffers == ("mask",)
    assert received[0].stranded == ("table",)
    assert received[0].calls == ("sdpa",)
    assert received[1] == seen[1]


def test_problem_arrives_as_sent() -> None:
    """A problem survives the way."""
    made = Attempt(problem=Problem("syntax-error", "line 1"))
    assert read_attempt(pack_attempt(made), ["one"]) == made
