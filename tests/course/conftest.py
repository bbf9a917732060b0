"""What the tests of course building share."""

import pytest

from grader.exercises import Chapter, Exercise, Question

# The text of the small chapter.
SOURCE = """# Doubling

{tiny-double}

```{code-cell} ipython3
def check(exercise, subject):
    assert subject(2) == 4
```

```{code-cell} ipython3
:exercise: tiny-double
def double(x):
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION
```

```{code-cell} ipython3
:check: tiny-double
check("tiny-double", double)
```
"""


@pytest.fixture
def small() -> Chapter:
    """Return a chapter of one exercise."""
    exercise = Exercise("tiny-double", "tiny", "double", "double(x)", "function", 3, 1, 1, "Doubling", ())
    return Chapter("tiny", "Doubling", (exercise,))


@pytest.fixture
def asking(small: Chapter) -> Chapter:
    """Return the same chapter with a question that is answered in words."""
    question = Question("tiny-why", "tiny", "why double", 2, 1, 1, "Doubling")
    return Chapter("tiny", "Doubling", small.exercises, (question,))
