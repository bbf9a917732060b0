"""What crosses between the two processes arrives as it was sent."""

from pathlib import Path

import torch

from grader.checking.observation import Attempt, LearnerError, Observation, Problem
from grader.references import ExerciseReference
from grader.sandbox.wire import read_attempt, read_cases, write_attempt, write_cases


def test_cases_arrive_as_sent(tmp_path: Path, reference: ExerciseReference) -> None:
    """Every fact and tensor of a case survives the way."""
    write_cases(tmp_path / "cases", reference.cases)
    for sent, received in zip(reference.cases, read_cases(tmp_path / "cases"), strict=True):
        assert received.to_facts() == sent.to_facts()
        assert all(
            torch.equal(received.to_tensors()[name], tensor) for name, tensor in sent.to_tensors().items()
        )


def test_cases_hold_no_expected_tensor(tmp_path: Path, reference: ExerciseReference) -> None:
    """The file for the learner's process holds none of the expected results."""
    write_cases(tmp_path / "cases", reference.cases)
    content = (tmp_path / "cases").read_bytes()
    for case in reference.cases:
        values = reference.expected[case.name]["result"].values
        assert values.numpy().tobytes() not in content
        assert values.float().numpy().tobytes() not in content


def test_attempt_arrives_as_sent(tmp_path: Path) -> None:
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
    write_attempt(tmp_path / "attempt", Attempt(seen))
    received = read_attempt(tmp_path / "attempt").observations
    assert torch.equal(received[0].tensors["result"], torch.arange(3.0))
    assert received[0].registered == ("W",)
    assert received[0].buffers == ("mask",)
    assert received[0].stranded == ("table",)
    assert received[0].calls == ("sdpa",)
    assert received[1] == seen[1]


def test_problem_arrives_as_sent(tmp_path: Path) -> None:
    """A problem survives the way."""
    write_attempt(tmp_path / "attempt", Attempt(problem=Problem("syntax-error", "line 1")))
    assert read_attempt(tmp_path / "attempt") == Attempt(problem=Problem("syntax-error", "line 1"))
