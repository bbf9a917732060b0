"""What the tests of widgets share."""

import pytest

from grader.exercises import Chapter


@pytest.fixture
def small() -> Chapter:
    """Return a chapter without exercises."""
    return Chapter("tiny", "Looking", ())
