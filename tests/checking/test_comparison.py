"""Comparing tensors."""

import math
from itertools import permutations

import pytest
import torch

from grader.checking.comparison import RELATIVE, Slice, compare, order_of_axes, same_outcome


def test_equal_tensors_do_not_mismatch() -> None:
    """Equal tensors agree at tolerance zero."""
    values = torch.arange(6.0).reshape(2, 3)
    assert compare(values, values.clone(), 0.0) is None


def test_difference_of_the_tolerance_agrees() -> None:
    """A difference of exactly the tolerance still agrees."""
    assert compare(torch.tensor([1.5]), torch.tensor([1.0]), 0.5) is None


def test_difference_above_the_tolerance_mismatches() -> None:
    """A difference above the tolerance is a mismatch."""
    assert compare(torch.tensor([1.75]), torch.tensor([1.0]), 0.5) is not None


def test_mismatch_tells_the_worst_place() -> None:
    """A mismatch names the index where the tensors differ most, both values, and how many differ."""
    expected = torch.zeros(2, 3)
    got = expected.clone()
    got[0, 1], got[1, 2] = 1.0, -4.0
    mismatch = compare(got, expected, 0.5)
    assert (mismatch.index, mismatch.expected, mismatch.got) == ((1, 2), 0.0, -4.0)
    assert (mismatch.differing, mismatch.total, mismatch.tolerance) == (2, got.numel(), 0.5)


def test_scalars_are_compared() -> None:
    """A tensor without axes has its mismatch at the empty index."""
    assert compare(torch.tensor(2.0), torch.tensor(1.0), 0.5).index == ()


def test_float32_is_compared_with_float64() -> None:
    """Numbers of different precision are compared as float64, so rounding to float32 shows."""
    third = torch.tensor([1 / 3], dtype=torch.float64)
    assert compare(third.float(), third, 0.0) is not None
    assert compare(third.float(), third, 1e-7) is None


def test_nan_agrees_with_nothing() -> None:
    """NaN mismatches even with itself."""
    values = torch.tensor([0.0, math.nan])
    assert compare(values, values.clone(), 1.0).index == (1,)


@pytest.mark.parametrize("value", [math.inf, -math.inf])
def test_infinity_agrees_with_itself(value: float) -> None:
    """An infinity equals itself, and nothing else: no number, no other infinity, no NaN."""
    values = torch.tensor([0.0, value])
    assert compare(values, values.clone(), 0.0) is None
    for other in (1e30, -value, math.nan):
        assert compare(torch.tensor([0.0, other]), values, 1.0).index == (1,)


def test_nan_is_worse_than_any_number() -> None:
    """NaN counts as the worst place, however large another difference is."""
    got = torch.tensor([1e30, math.nan])
    assert compare(got, torch.zeros(2), 1.0).index == (1,)


@pytest.mark.parametrize("shape", [(3, 1), (1, 3), (3,), ()])
def test_other_shape_is_refused(shape: tuple[int, ...]) -> None:
    """Tensors of different shapes raise instead of broadcasting."""
    with pytest.raises(ValueError, match="cannot compare shapes"):
        compare(torch.zeros(shape), torch.zeros(3, 3), 1.0)


def test_same_outcome_has_nan_and_infinity_in_the_same_places() -> None:
    """Two wrong tensors with NaN and infinity in the same places are the same outcome."""
    wrong = torch.tensor([1.0, math.nan, math.inf])
    assert same_outcome(wrong.clone(), wrong, 1e-6)


def test_nan_elsewhere_is_another_outcome() -> None:
    """Two wrong tensors with NaN in different places are different outcomes."""
    assert not same_outcome(torch.tensor([math.nan, 1.0]), torch.tensor([1.0, math.nan]), 1e-6)


def test_tolerance_of_outcomes_grows_with_their_size() -> None:
    """Large wrong values may differ by a share of the largest, small ones only by the tolerance."""
    known, apart = torch.tensor([1e6, 1.0]), torch.tensor([1e6, 1.0 + 0.5 * RELATIVE * 1e6])
    assert same_outcome(apart, known, 1e-6)
    assert not same_outcome(apart / 1e6 + torch.tensor([0.0, 1.0]), known / 1e6, 1e-6)


def test_other_shape_is_another_outcome() -> None:
    """Wrong tensors of different shapes are different outcomes, and nothing is broadcast."""
    assert not same_outcome(torch.ones(2, 1), torch.ones(2, 2), 1.0)


def test_complex_matches_no_outcome() -> None:
    """A complex tensor is no known outcome."""
    assert not same_outcome(torch.ones(2, dtype=torch.complex64), torch.ones(2), 1.0)


def test_masks_are_outcomes() -> None:
    """Tensors of true and false are compared like any other."""
    mask = torch.tensor([True, False])
    assert same_outcome(mask.clone(), mask, 0.0)
    assert not same_outcome(~mask, mask, 0.0)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_axes_in_another_order_are_told(order: tuple[int, ...]) -> None:
    """A tensor that was turned is turned back by the order that is found."""
    asked = torch.arange(24.0).reshape(2, 3, 4)
    got = asked.permute(order)
    found = order_of_axes(got, asked, 1e-6)
    assert torch.equal(got.permute(found), asked)


def test_other_numbers_have_no_order_of_axes() -> None:
    """What is wrong in one number, of another shape, or complex, is not the result in another order."""
    asked = torch.arange(6.0).reshape(2, 3)
    assert order_of_axes((asked + 1).T, asked, 1e-6) is None
    assert order_of_axes(asked.reshape(3, 2), asked, 1e-6) is None
    assert order_of_axes(asked.reshape(6), asked, 1e-6) is None
    assert order_of_axes(asked.T.to(torch.complex64), asked, 1e-6) is None


@pytest.mark.parametrize(
    ("wrong", "found"),
    [
        (((0, 2), (1, 2)), Slice(1, 2, True, True)),
        (((1, 0), (1, 2)), Slice(0, 1, True, True)),
        (((0, 0), (1, 0), (0, 2), (1, 2)), Slice(1, 1, False, False)),
        (((0, 0), (1, 1)), Slice(1, 2, True, False)),
        (((0, 1),), None),
        (((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)), None),
    ],
)
def test_slice_that_is_wrong_or_right_alone(wrong: tuple[tuple[int, int], ...], found: Slice | None) -> None:
    """Where all that differs has one index in common, or all that agrees, that is known."""
    got = torch.zeros(2, 3)
    for place in wrong:
        got[place] = 1.0
    assert compare(got, torch.zeros(2, 3), 1e-6).slice == found


def test_a_single_number_that_is_right_is_no_slice() -> None:
    """One of several numbers may be right by chance."""
    assert compare(torch.tensor([0.0, 1.0, 1.0]), torch.zeros(3), 1e-6).slice is None
