"""What the tests of course building share."""

import pytest

from grader.exercises import Chapter, Exercise


@pytest.fixture
def small() -> Chapter:
    """Return a chapter of one exercise."""
    exercise = Exercise("tiny-double", "tiny", "double", "", "function", 3, 1, 1, "", ())
    return Chapter("tiny", "Doubling", (exercise,))
