"""What is said of wrong answers that learners wrote."""

import pytest
from attempts import UNNAMED, Tried, all_tried, problems_of

ALL = all_tried()


@pytest.mark.parametrize("tried", ALL, ids=lambda one: f"{one.exercise.id}: {one.name}")
def test_attempt_is_named_and_nothing_false_is_said(tried: Tried) -> None:
    """The mistakes are named, the words that help are there, and those that misled are not."""
    assert problems_of(tried, tried.result()) == []


def test_nearly_all_mistakes_have_a_name() -> None:
    """Of the wrong answers that learners wrote, at least 95 of 100 are named."""
    wrong = [one for one in ALL if one.named]
    assert sum(UNNAMED not in one.named for one in wrong) >= 0.95 * len(wrong)
