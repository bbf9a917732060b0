"""Making the library's multi-head module of a given one: what is seen of it, and what is said."""

from collections.abc import Callable

import pytest
import torch
from torch import nn

from grader.checking.attempt import attempt
from grader.checking.judge import judge
from grader.checking.result import Result
from grader.exercises import Exercise, find_exercise
from grader.references import ExerciseReference, load_exercise
from grader.topics.attention.to_torch import GivenHeads, call_library

CPU = torch.device("cpu")
SECONDS = 5.0
Made = Callable[[nn.Module], object]


@pytest.fixture
def exercise() -> Exercise:
    """Return the exercise that the driver is for."""
    return find_exercise("ch06-to-torch")


@pytest.fixture
def reference(exercise: Exercise) -> ExerciseReference:
    """Return its reference."""
    return load_exercise(exercise.chapter, exercise.id)


@pytest.fixture
def verdict(exercise: Exercise, reference: ExerciseReference) -> Callable[[Made], Result]:
    """Return a function that judges an answer."""

    def of(subject: Made) -> Result:
        return judge(exercise, reference, attempt(exercise, subject, reference.cases, CPU, SECONDS), "cpu")

    return of


def converted(mha: nn.Module, batch_first: bool = True) -> nn.MultiheadAttention:
    """Return a right answer, or one for tokens first."""
    library = nn.MultiheadAttention(mha.d_out, mha.num_heads, batch_first=batch_first).eval()
    layers = (mha.W_query, mha.W_key, mha.W_value)
    with torch.no_grad():
        library.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers]))
        if mha.W_query.bias is not None:
            library.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers]))
    library.out_proj.load_state_dict(mha.out_proj.state_dict())
    return library


def test_right_answer_passes(verdict: Callable[[Made], Result]) -> None:
    """The library's module with the given weights is right."""
    assert verdict(converted).status == "passed"


def test_given_module_computes_what_its_twin_does(reference: ExerciseReference) -> None:
    """The given module can be called, so that an answer may test itself."""
    for case in reference.cases:
        given = GivenHeads(case.weights, case.options["num_heads"])
        x = case.arguments["x"]
        assert torch.allclose(given(x), call_library(converted(given), x), atol=1e-4)


@pytest.mark.parametrize(
    ("subject", "code"),
    [
        (lambda mha: converted(mha).train(), "left-in-training"),
        (lambda mha: converted(mha, batch_first=False), "batch-first-missing"),
        (lambda mha: converted(mha).requires_grad_(False), "no-gradient"),
        (lambda mha: (converted(mha), mha.requires_grad_(False))[0], "input-modified"),
    ],
    ids=["training mode", "tokens first", "frozen", "given one frozen"],
)
def test_right_numbers_are_not_all(verdict: Callable[[Made], Result], subject: Made, code: str) -> None:
    """Mode, axes, gradients and the given module count as well, each under its own code."""
    assert verdict(subject).diagnosis == (code,)


def test_what_is_no_such_module_is_named(verdict: Callable[[Made], Result]) -> None:
    """Anything but the library's module is named beside what was expected."""
    result = verdict(lambda mha: mha)
    assert result.diagnosis == ("wrong-type",)
    assert "to be an nn.MultiheadAttention, got GivenHeads" in result.message
