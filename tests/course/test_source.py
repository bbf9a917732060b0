"""Reading a chapter's text source: what can be built, and one clear error for what cannot."""

from pathlib import Path

import pytest

from grader.course.source import read_source
from grader.errors import SourceError
from grader.exercises import Chapter

EXERCISE = """```{code-cell} ipython3
:exercise: tiny-double
def double(x):
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION
```
"""
CHECK = """```{code-cell} ipython3
:check: tiny-double
check("tiny-double", double)
```
"""
BRING = """```{code-cell} ipython3
:bring: Half
class Half:
    def __call__(self, x):
        ### BEGIN SOLUTION
        return x / 2
        ### END SOLUTION
```
"""


def read(folder: Path, chapter: Chapter, text: str) -> list:
    """Write a source and read it."""
    path = folder / "tiny.md"
    path.write_text(f"# Doubling\n\n{text}", encoding="utf-8")
    return read_source(path, chapter)


def test_roles_come_from_the_options(tmp_path: Path, small: Chapter) -> None:
    """A cell's role is read off its option."""
    cells = read(tmp_path, small, EXERCISE + CHECK)
    assert [(bool(cell.exercise), bool(cell.check)) for cell in cells] == [
        (False, False),
        (True, False),
        (False, True),
    ]


def test_an_earlier_answer_is_brought(tmp_path: Path, small: Chapter) -> None:
    """A cell may bring along what an earlier chapter asked for."""
    cells = read(tmp_path, small, BRING + EXERCISE + CHECK)
    assert [cell.brings for cell in cells] == ["", "Half", "", ""]


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        (EXERCISE.replace("tiny-double", "tiny-treble"), 3, "unknown exercise 'tiny-treble'"),
        (EXERCISE + EXERCISE + CHECK, 10, "is there already, in line 3"),
        (EXERCISE + CHECK + CHECK, 14, "is there already, in line 10"),
        (EXERCISE.replace("    ### END SOLUTION\n", "") + CHECK, 5, "without '### END SOLUTION'"),
        (EXERCISE.replace("    ### BEGIN SOLUTION\n", "") + CHECK, 6, "without '### BEGIN SOLUTION'"),
        (EXERCISE.replace("### END", "### FINISH") + CHECK, 7, "expected the marker"),
        (EXERCISE.replace("return 2 * x", "### BEGIN SOLUTION") + CHECK, 6, "a second"),
        (EXERCISE.replace(":exercise: tiny-double\n", "") + CHECK, 3, "without ':exercise:'"),
        (EXERCISE.replace("def double", "def treble") + CHECK, 3, "does not define double"),
        (EXERCISE.replace("def double(x):", "def double(x)") + CHECK, 4, "expected ':'"),
        (CHECK + EXERCISE, 3, "comes before its exercise"),
        (EXERCISE + CHECK.replace("double)", "double, 1)"), 10, "expected the one line"),
        (EXERCISE, 3, "the check of 'tiny-double' is missing"),
        (BRING + BRING + EXERCISE + CHECK, 11, "'Half' is brought already, in line 3"),
        (BRING.replace("class Half", "class Whole") + EXERCISE + CHECK, 3, "does not define Half"),
        (BRING.replace("class Half:", "class Half") + EXERCISE + CHECK, 4, "expected ':'"),
        (
            BRING.replace("SOLUTION", "").replace("### BEGIN", "").replace("### END", "") + EXERCISE + CHECK,
            3,
            "no solution",
        ),
        ("Only words.\n", 1, "the exercise 'tiny-double' is missing"),
        (
            EXERCISE.replace("    ### BEGIN SOLUTION\n", "").replace("    ### END SOLUTION\n", "") + CHECK,
            3,
            "no solution region",
        ),
    ],
)
def test_bad_source_names_file_and_line(
    tmp_path: Path, small: Chapter, text: str, line: int, problem: str
) -> None:
    """What cannot be built is one error that begins with the file and the line."""
    with pytest.raises(SourceError) as caught:
        read(tmp_path, small, text)
    assert str(caught.value).startswith(f"{tmp_path / 'tiny.md'}:{line}: ")
    assert problem in str(caught.value)


def test_missing_source_is_an_error(tmp_path: Path, small: Chapter) -> None:
    """A chapter without a source is named."""
    with pytest.raises(SourceError, match="there is no such file"):
        read_source(tmp_path / "tiny.md", small)
