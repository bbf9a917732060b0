"""Reading a chapter's text source: what can be built, and one clear error for what cannot."""

from pathlib import Path

import pytest

from grader.course.notebooks import solution_notebook
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
BODY = """```{code-cell} ipython3
:bring: Half
class Half:
    ### BEGIN SOLUTION
    def __call__(self, x):
        return x / 2
    ### END SOLUTION
```
"""
# Where difficulty, minutes and points are to stand.
HEADS = "{tiny-double}, {tiny-why}, $x_{n-1}$"


def read(folder: Path, chapter: Chapter, text: str) -> list:
    """Write a source and read it."""
    path = folder / "tiny.md"
    path.write_text(f"# Doubling {HEADS}\n\n{text}", encoding="utf-8")
    return read_source(path, chapter)


def test_roles_come_from_the_options(tmp_path: Path, small: Chapter) -> None:
    """A cell's role is read off its option."""
    cells = read(tmp_path, small, EXERCISE + CHECK)
    assert [(bool(cell.exercise), bool(cell.check)) for cell in cells] == [
        (False, False),
        (True, False),
        (False, True),
    ]


@pytest.mark.parametrize(
    ("source", "line"),
    [
        (EXERCISE.replace("double\n", "double\n:tags: [hide-input]\n", 1) + CHECK, 3),
        (EXERCISE + CHECK.replace("double\n", "double\n:tags: [hide-input]\n", 1), 10),
        (BRING.replace("Half\n", "Half\n:tags: [hide-input]\n", 1) + EXERCISE + CHECK, 3),
        (EXERCISE + CHECK + '\n+++ {"question": "tiny-why", "tags": ["hide-input"]}\n\nBecause.\n', 15),
    ],
)
def test_what_a_learner_works_on_is_not_folded(
    tmp_path: Path, asking: Chapter, source: str, line: int
) -> None:
    """An exercise, a check, a brought answer or a question may not have its cell hidden."""
    with pytest.raises(SourceError, match="hide-input") as caught:
        read(tmp_path, asking, source)
    assert str(caught.value).startswith(f"{tmp_path / 'tiny.md'}:{line}: ")


def test_facts_are_those_declared(tmp_path: Path, small: Chapter) -> None:
    """Where an exercise's id stands in braces, the text says what is declared; a formula stays."""
    text = read(tmp_path, small, EXERCISE + CHECK)[0].cell.source
    assert text == "# Doubling difficulty 1 of 5 · 1 minutes · 3 points, {tiny-why}, $x_{n-1}$"


def test_facts_must_stand_somewhere(tmp_path: Path, small: Chapter) -> None:
    """A source that tells no points is an error that says what to write."""
    path = tmp_path / "tiny.md"
    path.write_text(f"# Doubling\n\n{EXERCISE}{CHECK}", encoding="utf-8")
    with pytest.raises(SourceError, match=r"nowhere \{tiny-double\}, which stands for difficulty"):
        read_source(path, small)


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
        (EXERCISE.replace("    ### END SOLUTION\n", "") + CHECK, 6, "without '### END SOLUTION'"),
        (EXERCISE.replace("    ### BEGIN SOLUTION\n", "") + CHECK, 7, "without '### BEGIN SOLUTION'"),
        (EXERCISE.replace("### END", "### FINISH") + CHECK, 8, "expected the marker"),
        (EXERCISE.replace("return 2 * x", "### BEGIN SOLUTION") + CHECK, 7, "a second"),
        (EXERCISE.replace(":exercise: tiny-double\n", "") + CHECK, 3, "without ':exercise:'"),
        (EXERCISE.replace("def double", "def treble") + CHECK, 3, "does not define double"),
        (EXERCISE.replace("def double(x):", "def double(x)") + CHECK, 5, "expected ':'"),
        (CHECK + EXERCISE, 3, "comes before its exercise"),
        (EXERCISE + CHECK.replace("double)", "double, 1)"), 10, "expected the one line"),
        (EXERCISE, 3, "the check of 'tiny-double' is missing"),
        (BRING + BRING + EXERCISE + CHECK, 11, "'Half' is brought already, in line 3"),
        (BRING.replace("class Half", "class Whole") + EXERCISE + CHECK, 3, "does not define Half"),
        (BRING.replace("class Half:", "class Half") + EXERCISE + CHECK, 5, "expected ':'"),
        (BODY + EXERCISE + CHECK, 6, "this solution region is in no function: without an answer the cell"),
        (
            BRING.replace("SOLUTION", "").replace("### BEGIN", "").replace("### END", "") + EXERCISE + CHECK,
            3,
            "no solution",
        ),
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


QUESTION = '+++ {"question": "tiny-why"}\n\nBecause.\n\n+++\n'


def test_answer_in_words_may_have_code_with_comments(tmp_path: Path, asking: Chapter) -> None:
    """A line of code that begins with # is no heading of the chapter's."""
    code = QUESTION.replace("Because.", "Because:\n\n```\n# twice\n2 * x\n```")
    assert any(one.question for one in read(tmp_path, asking, EXERCISE + CHECK + code))


def test_question_is_a_cell_of_text(tmp_path: Path, asking: Chapter) -> None:
    """All of it is the model answer; in the notebook it is nbgrader's manually graded cell."""
    cells = read(tmp_path, asking, EXERCISE + CHECK + QUESTION + "The end.\n")
    (item,) = [one for one in cells if one.question]
    assert (item.question.id, item.cell.source) == ("tiny-why", "Because.")
    (cell,) = [one for one in solution_notebook(cells).cells if one.id == "tiny-why"]
    marks = cell.metadata.nbgrader
    assert (marks.grade, marks.solution, marks.locked, marks.points) == (True, True, False, 2)


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        (EXERCISE + CHECK + QUESTION.replace("tiny-why", "tiny-how"), 14, "unknown question 'tiny-how'"),
        (EXERCISE + CHECK + QUESTION.replace("\n+++\n", "\n## On\n"), 18, "'tiny-why' goes on to '## On'"),
        (EXERCISE + CHECK + QUESTION.replace("\n+++\n", "\n{tiny-double}\n"), 18, "a line '+++' behind"),
        (EXERCISE + CHECK + QUESTION + QUESTION, 19, "is there already, in line 14"),
    ],
)
def test_bad_question_names_file_and_line(
    tmp_path: Path, asking: Chapter, text: str, line: int, problem: str
) -> None:
    """As of an exercise."""
    with pytest.raises(SourceError) as caught:
        read(tmp_path, asking, text)
    assert str(caught.value).startswith(f"{tmp_path / 'tiny.md'}:{line}: ")
    assert problem in str(caught.value)


DECLARED = 'title = "Doubling"\n\n[[exercises]]\nid = "tiny-double"\n\n[[questions]]\nid = "tiny-why"\n'


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        (
            "Only words.\n",
            4,
            "tiny-double has no cell in tiny.md. Write one, which begins with ```{code-cell}",
        ),
        (
            EXERCISE + CHECK,
            7,
            'tiny-why has no cell in tiny.md. Write one, which begins with +++ {"question"',
        ),
    ],
    ids=["exercise", "question"],
)
def test_what_has_no_cell_is_told_with_its_declaration(
    tmp_path: Path, asking: Chapter, text: str, line: int, problem: str
) -> None:
    """The text has no line for it."""
    (tmp_path / "exercises.toml").write_text(DECLARED, encoding="utf-8")
    with pytest.raises(SourceError) as caught:
        read(tmp_path, asking, text)
    assert str(caught.value).startswith(f"{tmp_path / 'exercises.toml'}:{line}: {problem}")


def test_missing_source_is_an_error(tmp_path: Path, small: Chapter) -> None:
    """A chapter without a source is named."""
    with pytest.raises(SourceError, match="there is no such file"):
        read_source(tmp_path / "tiny.md", small)
