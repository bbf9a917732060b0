"""Exercises of NumPy: arrays, lists and numbers in, arrays or floats out."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch

from grader.checking.drivers.arrays import as_given, flat, nested
from grader.checking.recording import MAX_ELEMENTS, Recorder
from grader.checking.result import Result
from grader.exercises import Exercise
from grader.proving.posing import Oracle, drawn, pose
from grader.proving.recipe import Solved

Verdict = Callable[[Exercise, list[Solved], object], Result]

SHIFT = Exercise(
    id="test-shift",
    chapter="test",
    subject="shift",
    signature="shift(x, by)",
    driver="arrays",
    points=1,
    difficulty=1,
    minutes=1,
    section="Shifting",
    hints=(),
)
SPLIT = replace(SHIFT, returns=("low", "total"))


def posed(oracle: Oracle, name: str = "one", **more: object) -> Solved:
    """Pose a case with one argument x of shape (2, 3) and the option by = 2, in float64."""
    rng = np.random.default_rng(0)
    inputs = {"arguments": {"x": drawn(rng, 2, 3)}, "options": {"by": 2}} | more
    fixed = {"dtype": torch.float64, "differentiable": False, "floor": 1e-10}
    return pose(rng, name, "some numbers", oracle, **fixed, **inputs)


def shifted(arguments, weights, options) -> torch.Tensor:
    """Solve SHIFT."""
    return arguments["x"].detach() + options["by"]


def low_and_total(arguments, weights, options) -> dict[str, torch.Tensor]:
    """Solve SPLIT."""
    x = arguments["x"].detach()
    return {"low": x - options["by"], "total": x.sum()}


def test_right_function_passes(verdict: Verdict) -> None:
    """An array goes in, of float64, and an array comes out."""
    seen = []

    def shift(x, by):
        seen.append((type(x), x.dtype, x.flags.writeable))
        return x + by

    assert verdict(SHIFT, [posed(shifted)], shift).status == "passed"
    assert set(seen) == {(np.ndarray, np.dtype(np.float64), True)}


@pytest.mark.parametrize(
    ("subject", "code"),
    [
        (lambda x, by: x - by, "unrecognized"),
        (lambda x, by: None, "wrong-type"),
        (lambda x, by: (x + by).tolist(), "wrong-type"),
        (lambda x, by: torch.from_numpy(x + by), "wrong-type"),
        (lambda x, by: (x + by).view(np.recarray), "wrong-type"),
        (lambda x, by: np.ma.masked_array(x + by), "wrong-type"),
        (lambda x, by: (x + by).astype(object), "wrong-type"),
        (lambda x, by: (x + by).astype(complex), "wrong-type"),
        (lambda x, by: (x + by).astype(np.longdouble), "wrong-type"),
        (lambda x, by: (x + by).astype("U8"), "wrong-type"),
        (lambda x, by: np.broadcast_to(1.0, (MAX_ELEMENTS, 3)), "wrong-type"),
        (lambda x, by: (x + by).astype(np.float32), "wrong-dtype"),
        (lambda x, by: (x + by).astype(np.float32).astype(np.float64), "precision-lost"),
        (lambda x, by: (x + by).round().astype(int), "wrong-dtype"),
        (lambda x, by: (x + by).T, "wrong-shape"),
        (lambda x, by: float((x + by)[0, 0]), "wrong-shape"),
        (lambda x, by: np.broadcast_to((x + by)[0], (2, 3)), "unrecognized"),
        (lambda x, by: np.add(x, by, out=x), "input-modified"),
        (lambda x, by: (x + by) / np.inf * np.inf, "not-finite"),
        (lambda x, shift: x + shift, "raises"),
    ],
)
def test_wrong_function_fails(verdict: Verdict, subject: Callable, code: str) -> None:
    """Each breach of the contract has its code."""
    with np.errstate(invalid="ignore"):
        assert verdict(SHIFT, [posed(shifted)], subject).diagnosis == (code,)


@pytest.mark.parametrize(
    "subject",
    [
        lambda x, by: (x + by).astype(">f8"),
        lambda x, by: (x + by)[::-1][::-1],
        lambda x, by: np.asfortranarray(x + by),
        lambda x, by: np.lib.stride_tricks.as_strided(x + by),
    ],
    ids=["byte order", "negative strides", "columns first", "strides"],
)
def test_how_an_array_lies_in_memory_is_its_own_matter(verdict: Verdict, subject: Callable) -> None:
    """An array is judged by its numbers, however they are stored."""
    assert verdict(SHIFT, [posed(shifted)], subject).status == "passed"


def test_message_asks_for_an_array(verdict: Verdict) -> None:
    """Who returns a list is told that an array is asked for."""
    result = verdict(SHIFT, [posed(shifted)], lambda x, by: [1.0])
    assert "Expected the result to be a NumPy array, got list." in result.message


@pytest.mark.parametrize("total", [float, np.float64, np.array, np.sum])
def test_a_number_may_be_a_float(verdict: Verdict, total: Callable) -> None:
    """Where a result has no axes, a float of Python's or NumPy's is as good as an array."""
    solved = posed(low_and_total)
    assert verdict(SPLIT, [solved], lambda x, by: (x - by, total(x.sum()))).status == "passed"


def test_a_result_may_be_seen_without_any_argument(verdict: Verdict) -> None:
    """Without arguments, float64 is still what is asked for."""
    solved = posed(lambda a, w, o: torch.full((o["by"],), 0.5, dtype=torch.float64), arguments={})
    assert verdict(SHIFT, [solved], lambda by: np.full(by, 0.5)).status == "passed"
    result = verdict(SHIFT, [solved], lambda by: np.full(by, 0.5, dtype=np.float32))
    assert result.diagnosis == ("wrong-dtype",)


def test_picture_shows_arrays(verdict: Verdict) -> None:
    """Yours and the target are shown as for tensors."""
    result = verdict(SHIFT, [posed(shifted)], lambda x, by: x)
    assert result.picture is not None and result.picture.got.shape == (2, 3)


# What is given.


def test_arguments_by_their_kind() -> None:
    """Numbers, lists of ids and arrays are given as a learner writes them."""
    assert as_given(torch.tensor(3)) == 3 and type(as_given(torch.tensor(3))) is int
    assert type(as_given(torch.tensor(0.5, dtype=torch.float64))) is float
    assert as_given(torch.tensor([2, 2])) == [2, 2]
    assert type(as_given(torch.ones(2))) is np.ndarray


def test_dotted_names_are_lists_of_tuples() -> None:
    """Arguments such as heads.0.W are given as one list of tuples, in the place of the first."""
    given = {"x": 1, "heads.0.Q": 2, "heads.0.K": 3, "heads.1.Q": 4, "heads.1.K": 5, "W": 6}
    arguments = nested(given)
    assert arguments == {"x": 1, "heads": [(2, 3), (4, 5)], "W": 6}
    assert list(arguments) == ["x", "heads", "W"]
    assert flat(given, arguments) == given


@pytest.mark.parametrize(
    "change",
    [list.pop, list.clear, lambda heads: heads.insert(0, (9, 9)), lambda heads: heads.append((9, 9))],
)
def test_a_changed_list_is_seen(change: Callable) -> None:
    """A list is not what it was with an item less or one more."""
    given = {"heads.0.Q": 2, "heads.0.K": 3, "heads.1.Q": 4, "heads.1.K": 5}
    arguments = nested(given)
    change(arguments["heads"])
    assert flat(given, arguments) != given


@pytest.mark.parametrize("item", [7, None, [], "ab"])
def test_a_list_of_something_else_does_no_harm(item: object) -> None:
    """Whatever a call puts into a list, the arguments are only seen to be others."""
    given = {"heads.0.Q": 2, "heads.0.K": 3}
    arguments = nested(given)
    arguments["heads"][0] = item
    assert flat(given, arguments) != given


@pytest.mark.parametrize("left", [["a"], [1, None], "ab", [2**70]])
def test_a_list_that_is_no_list_of_numbers_is_gone(left: object) -> None:
    """What cannot be a list of whole numbers is not recorded."""
    recorder = Recorder()
    recorder.argument("ids", left, torch.tensor([1, 2]))
    assert recorder.tensors == {}
