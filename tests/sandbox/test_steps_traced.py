"""An answer that fails runs once more in the sandbox, and says nothing by it that counts."""

import pytest
import torch

from grader.checking.judge import judge
from grader.checking.notebook import judge_subject
from grader.checking.observation import Attempt
from grader.exercises import Exercise
from grader.grading.judging import tracing_by
from grader.references import ExerciseReference
from grader.sandbox.job import Cell, Job, Run
from grader.sandbox.sandbox import Sandbox
from grader.sandbox.wire import HostileError, pack_traced, read_traced
from tests.sandbox.conftest import LIMITS

UNNAMED = """
import torch
from torch import nn

class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Parameter(torch.rand(d_in, d_out)))

    def forward(self, x):
        scores = (x @ self.W_query) @ (x @ self.W_key).T
        weights = torch.sigmoid(scores / self.W_key.shape[1] ** 0.5 + 0.37)
        EXTRA
        return weights @ (x @ self.W_value)
"""
RIGHT = UNNAMED.replace("torch.sigmoid(", "torch.softmax(").replace(" + 0.37)", ", dim=-1)")


def ran(
    sandbox: Sandbox, exercise: Exercise, reference: ExerciseReference, source: str
) -> tuple[Run, list[str]]:
    """Return what came of an answer, and the cases that it was to run on once more."""
    asked, choose = [], tracing_by({exercise.id: reference}, "cpu")

    def to_trace(name: str, made: Attempt) -> str:
        asked.append(choose(name, made))
        return asked[-1]

    cells = Cell(source), Cell("check()", exercise.id), Cell("print('still here')")
    return sandbox.run(Job(cells, {exercise.id: reference.cases}, LIMITS), to_trace), asked


def test_the_same_words_as_in_a_notebook(
    sandbox: Sandbox, exercise: Exercise, reference: ExerciseReference
) -> None:
    """What an answer makes crosses to the trusted side, which says how far it is right."""
    source = UNNAMED.replace("EXTRA", "pass")
    run, asked = ran(sandbox, exercise, reference, source)
    result = judge(exercise, reference, run.attempts[exercise.id], "cpu")
    space: dict[str, object] = {}
    exec(source, space)
    assert asked == ["all sizes different"]
    assert (
        "makes the right query, key, value, scores, scaled scores; none of its tensors is the right weights"
        in result.message
    )
    assert judge_subject(exercise.id, space[exercise.subject], "cpu").message == result.message


def test_an_answer_that_is_right_runs_no_further(
    sandbox: Sandbox, exercise: Exercise, reference: ExerciseReference
) -> None:
    """Nothing is asked of it, and nothing is kept."""
    run, asked = ran(sandbox, exercise, reference, RIGHT.replace("EXTRA", "pass"))
    assert asked == [""]
    assert run.attempts[exercise.id].traced is None


@pytest.mark.parametrize(
    "extra",
    [
        "import os; CALLS = globals().setdefault('CALLS', []); CALLS.append(1)\n"
        "        len(CALLS) > LATER and os._exit(3)",
        "CALLS = globals().setdefault('CALLS', []); CALLS.append(1)\n        while len(CALLS) > LATER: pass",
    ],
    ids=["ends", "never ends"],
)
def test_what_happens_then_changes_no_verdict(
    extra: str, sandbox: Sandbox, exercise: Exercise, reference: ExerciseReference
) -> None:
    """A process that ends, or goes on for ever, when its answer runs once more has been judged already."""
    counting = UNNAMED.replace("EXTRA", "globals().setdefault('CALLS', []).append(1); print(len(CALLS))")
    plain, _ = ran(sandbox, exercise, reference, UNNAMED.replace("EXTRA", "pass"))
    space: dict[str, object] = {}
    exec(counting.replace("print(len(CALLS))", "0"), space)
    judge_subject(exercise.id, space[exercise.subject], "cpu")
    calls = len(space["CALLS"]) - 1  # all but the last one, on the case that is run once more
    run, _ = ran(sandbox, exercise, reference, UNNAMED.replace("EXTRA", extra.replace("LATER", str(calls))))
    verdict, expected = (judge(exercise, reference, one.attempts[exercise.id], "cpu") for one in (run, plain))
    assert verdict.diagnosis == expected.diagnosis
    assert verdict.cases == expected.cases
    assert "still here" in str(run.cells[2].outputs)


def test_tensors_arrive_as_sent() -> None:
    """In their order, with all their digits."""
    sent = tuple(torch.rand(2, number + 1, dtype=torch.float64) for number in range(12))
    assert all(
        torch.equal(one, other) for one, other in zip(read_traced(pack_traced(sent)), sent, strict=True)
    )


@pytest.mark.parametrize(
    "sent",
    [
        (torch.rand(3),),
        (torch.rand(100, 100, dtype=torch.float64),),
        tuple(torch.rand(2, dtype=torch.float64) for _ in range(401)),
    ],
    ids=["another dtype", "too large", "too many"],
)
def test_what_no_honest_process_sends_is_refused(sent: tuple[torch.Tensor, ...]) -> None:
    """Tensors of another kind, or more and larger ones than are kept."""
    with pytest.raises(HostileError):
        read_traced(pack_traced(sent))
