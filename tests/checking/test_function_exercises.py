"""Exercises that ask for a function: tensors in, a tensor, a tuple or an int out."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch

from grader.checking.loading import load_subject
from grader.checking.rendering import result_text
from grader.checking.result import Result
from grader.exercises import Exercise
from grader.exercises.case import PUBLISHED
from grader.proving.posing import Oracle, drawn, pose
from grader.proving.recipe import Solved

Verdict = Callable[[Exercise, list[Solved], object], Result]

SHIFT = Exercise(
    id="test-shift",
    chapter="test",
    subject="shift",
    signature="shift(x, by)",
    driver="function",
    points=1,
    difficulty=1,
    minutes=1,
    section="Shifting",
    hints=(),
)
SPLIT = replace(SHIFT, returns=("low", "high"))
COUNT = replace(SHIFT, driver="number")


def posed(oracle: Oracle, name: str = "one", **more: object) -> Solved:
    """Pose a case with one argument x of shape (2, 3) and the option by = 2."""
    rng = np.random.default_rng(0)
    inputs = {"arguments": {"x": drawn(rng, 2, 3)}, "options": {"by": 2}} | more
    return pose(rng, name, "some numbers", oracle, **inputs)


def shifted(arguments, weights, options) -> torch.Tensor:
    """Solve SHIFT."""
    return arguments["x"] + options["by"]


def halves(arguments, weights, options) -> dict[str, torch.Tensor]:
    """Solve SPLIT."""
    return {"low": arguments["x"] - options["by"], "high": arguments["x"] * options["by"]}


def test_right_function_passes(verdict: Verdict) -> None:
    """Tensors are given by position; options by position in the published example, else by name."""
    seen = []

    def shift(x, *args, **kwargs):
        seen.append((args, kwargs))
        return x + (args or tuple(kwargs.values()))[0]

    result = verdict(SHIFT, [posed(shifted, PUBLISHED), posed(shifted)], shift)
    assert result.status == "passed"
    assert ((2,), {}) in seen
    assert ((), {"by": 2}) in seen


@pytest.mark.parametrize(
    ("subject", "code"),
    [
        (lambda x, by: x - by, "unrecognized"),
        (lambda x, by: None, "wrong-type"),
        (lambda x, by: (x + by).double(), "wrong-dtype"),
        (lambda x, by: (x + by).T, "wrong-shape"),
        (lambda x, by: x.add_(by), "input-modified"),
        (lambda x, by: x.detach() + by, "no-gradient"),
        (lambda x, by: (x + by) / torch.zeros(()), "not-finite"),
        (lambda x, shift: x + shift, "raises"),
    ],
)
def test_wrong_function_fails(verdict: Verdict, subject: Callable, code: str) -> None:
    """Each breach of the contract has its code."""
    assert verdict(SHIFT, [posed(shifted)], subject).diagnosis == (code,)


def test_gradient_left_in_an_argument_is_named(verdict: Verdict) -> None:
    """An argument that was watched itself holds a gradient after the call; one that was copied does not."""

    def watching(x: torch.Tensor, by: int, *, copies: bool) -> torch.Tensor:
        watched = (x.detach().clone() if copies else x).requires_grad_()
        (watched + by).sum().backward()
        return (watched + by).detach()

    solved = [posed(shifted, differentiable=False)]
    left = verdict(SHIFT, solved, partial(watching, copies=False))
    assert left.diagnosis == ("gradient-left",)
    assert "x.grad holds a gradient" in left.message
    assert verdict(SHIFT, solved, partial(watching, copies=True)).status == "passed"


@pytest.mark.parametrize("kind", [tuple, list])
def test_tuple_of_tensors_is_compared_one_by_one(verdict: Verdict, kind: type) -> None:
    """A tuple passes, and so does a list."""
    result = verdict(SPLIT, [posed(halves)], lambda x, by: kind((x - by, x * by)))
    assert result.status == "passed"


@pytest.mark.parametrize(
    ("subject", "seen"),
    [
        (lambda x, by: x - by, "Expected the result to be the tuple (low, high), got Tensor."),
        (lambda x, by: (x - by,), "Expected the result to be the tuple (low, high), got tuple of 1."),
        (lambda x, by: (x - by, 3.0), "Expected high to be a torch.Tensor, got float."),
    ],
)
def test_what_is_no_such_tuple_is_named(verdict: Verdict, subject: Callable, seen: str) -> None:
    """The message says which tuple is wanted and what came."""
    result = verdict(SPLIT, [posed(halves)], subject)
    assert result.diagnosis == ("wrong-type",)
    assert seen in result.message


def test_wrong_tensor_of_a_tuple_is_named(verdict: Verdict) -> None:
    """The message names the tensor that differs, and the picture shows it."""
    result = verdict(SPLIT, [posed(halves)], lambda x, by: (x - by, x + by))
    assert "high differs, most at" in result.message
    assert "Not right either" not in result.message
    assert result.picture.tensor == "high"


def test_further_wrong_tensors_of_a_tuple_are_named(verdict: Verdict) -> None:
    """None is said to differ most of all, and the others are said to be wrong as well."""
    result = verdict(SPLIT, [posed(halves)], lambda x, by: (x - by + 1, x + by))
    assert "low differs, most at" in result.message
    assert "Not right either: high." in result.message


def test_gradient_of_each_tensor_counts(verdict: Verdict) -> None:
    """A gradient that is cut in one tensor of the tuple is seen."""
    result = verdict(SPLIT, [posed(halves)], lambda x, by: (x - by, x.detach() * by))
    assert result.diagnosis == ("no-gradient",)


def counted(arguments, weights, options) -> torch.Tensor:
    """Solve COUNT."""
    return torch.tensor(3 * options["by"])


@pytest.mark.parametrize(
    ("value", "codes"),
    [
        (6, ()),
        (7, ("unrecognized",)),
        (6.0, ("wrong-type",)),
        (True, ("wrong-type",)),
        (2**70, ("wrong-type",)),
    ],
)
def test_number_is_an_int(verdict: Verdict, value: object, codes: tuple[str, ...]) -> None:
    """An int is compared exactly; anything else is of the wrong type."""
    solved = [posed(counted, arguments={}, differentiable=False)]
    assert verdict(COUNT, solved, lambda by: value).diagnosis == codes


def test_wrong_number_is_told_without_an_index(verdict: Verdict) -> None:
    """A number has no place in a tensor to speak of."""
    solved = [posed(counted, arguments={}, differentiable=False)]
    assert "The result is 7, expected 6." in verdict(COUNT, solved, lambda by: 7).message


@pytest.mark.parametrize(
    ("subject", "codes"),
    [
        (lambda x, by: int((x > by).sum()), ()),
        (lambda x, by: int((x < by).sum()), ("unrecognized",)),
        (lambda x, by: int((x.sub_(by) > 0).sum()), ("input-modified",)),
    ],
)
def test_number_of_a_tensor(verdict: Verdict, subject: Callable, codes: tuple[str, ...]) -> None:
    """Where tensors are given, they have to stay as they are."""

    def larger(arguments, weights, options) -> torch.Tensor:
        return (arguments["x"] > options["by"]).sum()

    solved = [posed(larger, options={"by": 0.25}, differentiable=False)]
    assert verdict(COUNT, solved, subject).diagnosis == codes


def test_bool_result_is_compared_exactly(verdict: Verdict) -> None:
    """A bool tensor is compared element by element, and 0 and 1 are of the wrong dtype."""
    solved = [posed(lambda a, w, o: a["x"] > 0, differentiable=False)]
    assert verdict(SHIFT, solved, lambda x, by: x > 0).status == "passed"
    assert verdict(SHIFT, solved, lambda x, by: x <= 0).diagnosis == ("unrecognized",)
    assert verdict(SHIFT, solved, lambda x, by: (x > 0).long()).diagnosis == ("wrong-dtype",)


def test_expected_infinity_is_right(verdict: Verdict) -> None:
    """Where -inf is asked for, it is right, and a large number is not."""
    solved = [posed(lambda a, w, o: torch.where(a["x"] > 0, 0.0, -torch.inf).double(), differentiable=False)]
    assert verdict(SHIFT, solved, lambda x, by: torch.where(x > 0, 0.0, -torch.inf)).status == "passed"
    assert verdict(SHIFT, solved, lambda x, by: torch.where(x > 0, 0.0, -1e9)).diagnosis == ("unrecognized",)
    assert verdict(SHIFT, solved, lambda x, by: torch.where(x > 0, 0.0, torch.nan)).diagnosis == (
        "not-finite",
    )


def test_float64_case_expects_float64(verdict: Verdict) -> None:
    """A case in float64 hands out float64 and wants it back, compared to its own precision."""
    solved = [posed(shifted, dtype=torch.float64)]
    assert verdict(SHIFT, solved, lambda x, by: x + by).status == "passed"
    assert verdict(SHIFT, solved, lambda x, by: x.float() + by).diagnosis == ("wrong-dtype",)
    exact = replace(SHIFT, double_precision=True)
    assert verdict(exact, solved, lambda x, by: (x.float() + by).double()).diagnosis == ("precision-lost",)


def test_integer_argument_asks_for_no_gradient(verdict: Verdict) -> None:
    """Only arguments of floating point get a gradient."""

    def picked(arguments, weights, options):
        return arguments["x"] * arguments["keep"]

    keep = torch.tensor([True, False, True])
    solved = [posed(picked, arguments={"x": torch.ones(2, 3), "keep": keep}, options={})]
    assert verdict(SHIFT, solved, lambda x, keep: x * keep).status == "passed"


def refuse(x, by):
    """Raise what the cases below expect."""
    raise ValueError("no")


def fail(x, by):
    """Raise something else."""
    raise AssertionError("no")


def unfinished(x, by):
    """Be a stub."""
    raise NotImplementedError


@pytest.mark.parametrize(
    ("subject", "expected", "codes"),
    [
        (refuse, "ValueError", ()),
        (refuse, "Exception", ()),
        (fail, "Exception", ()),
        (fail, "ValueError", ()),
        (fail, "KeyError", ("wrong-exception",)),
        (lambda x, by: x, "ValueError", ("wrong-exception",)),
        (lambda x, by: x, "Exception", ("wrong-exception",)),
        (unfinished, "Exception", ("not-implemented",)),
    ],
)
def test_expected_exception(
    verdict: Verdict, subject: Callable, expected: str, codes: tuple[str, ...]
) -> None:
    """The exception that a case asks for passes; another, or none, does not."""
    assert verdict(SHIFT, [posed(shifted, raises=expected)], subject).diagnosis == codes


@pytest.mark.parametrize("requires", [("ch01-encode",), ("ch01-influence",)])
def test_stub_that_the_answer_calls_is_named(verdict: Verdict, requires: tuple[str, ...]) -> None:
    """Where an exercise that this one builds on is not written yet, that one is said to come first."""
    source = "def encode(x):\n    raise NotImplementedError\n\ndef shift(x, by):\n    return encode(x) + by"
    subject, _ = load_subject(source, "shift", "<learner>")
    result = verdict(replace(SHIFT, requires=requires), [posed(shifted)], subject)
    assert result.diagnosis == ("stub-called",)
    assert "do ch01-encode first" in result.message


THIRD = torch.tensor(1 / 3)


@pytest.mark.parametrize(
    ("subject", "code"),
    [
        (lambda x, by: (x + by) * THIRD * 3, "precision-lost"),
        (lambda x, by: (x + by) * 1.001, "unrecognized"),
        (lambda x, by: (x + by).float().double(), "precision-lost"),
        (lambda x, by: (x + by).float(), "wrong-dtype"),
        (lambda x, by: x.detach().float() + by, "wrong-dtype no-gradient"),
    ],
)
def test_digits_of_float32_in_float64_are_told(verdict: Verdict, subject: Callable, code: str) -> None:
    """A result in float64 that is off by what float32 rounds away has a name of its own."""
    exact = replace(SHIFT, double_precision=True)
    assert verdict(exact, [posed(shifted, dtype=torch.float64)], subject).diagnosis == (*code.split(),)


def test_lost_digits_are_a_remark_where_nobody_asks_for_them(verdict: Verdict) -> None:
    """Digits lost inside float64 cost nothing, and are told, where double precision is not asked for."""
    result = verdict(SHIFT, [posed(shifted, dtype=torch.float64)], lambda x, by: (x.float() + by).double())
    assert (result.status, result.remarks) == ("passed", ("precision-lost",))
    assert "precision of float32" in result_text(result)


def asks_the_library(x: torch.Tensor, by: torch.Tensor) -> None:
    """Call a function that asserts for itself."""
    torch.testing.assert_close(x, x + 1)


def test_assertion_is_a_remark(verdict: Verdict) -> None:
    """An assertion where a ValueError is asked for passes, and what python -O makes of it is told."""
    result = verdict(SHIFT, [posed(shifted, raises="ValueError")], fail)
    assert (result.status, result.remarks) == ("passed", ("assertion-raised",))
    assert "python -O" in result_text(result)
    assert verdict(SHIFT, [posed(shifted, raises="ValueError")], refuse).remarks == ()
    assert verdict(SHIFT, [posed(shifted, raises="ValueError")], asks_the_library).remarks == ()


def test_infinity_does_not_hide_wrong_numbers_in_float64(verdict: Verdict) -> None:
    """Where an infinity is asked for, a wrong number beside it is still a wrong number."""

    def half_hidden(arguments, weights, options) -> torch.Tensor:
        return torch.cat((arguments["x"], torch.full_like(arguments["x"], -torch.inf)))

    def wrong(x, by):
        return torch.cat((x + 1, torch.full_like(x, -torch.inf)))

    solved = posed(half_hidden, dtype=torch.float64, differentiable=False)
    assert verdict(SHIFT, [solved], wrong).diagnosis == ("unrecognized",)


def test_what_is_not_refused_waits(verdict: Verdict) -> None:
    """An input that is not refused is told when all else is right, and not before."""
    solved = [posed(shifted), posed(shifted, "refused", raises="ValueError")]
    assert verdict(SHIFT, solved, lambda x, by: x.detach() + by).diagnosis == ("no-gradient",)
    assert verdict(SHIFT, solved, lambda x, by: x + by).diagnosis == ("wrong-exception",)


def test_right_numbers_are_not_shown_twice(verdict: Verdict) -> None:
    """Where something besides the numbers is wrong, yours and the target would look the same."""
    assert verdict(SHIFT, [posed(shifted)], lambda x, by: x.detach() + by).picture is None
    assert verdict(SHIFT, [posed(shifted)], lambda x, by: (x + by).double()).picture is None
    assert verdict(SHIFT, [posed(shifted)], lambda x, by: x - by).picture is not None


def test_picture_shows_the_first_result_asked_for(verdict: Verdict) -> None:
    """Of several results the first in the docstring is shown, not the first in the alphabet."""

    def split(x, by):
        return x - by, x * by

    assert verdict(SPLIT, [posed(halves)], split).picture.tensor == "low"
