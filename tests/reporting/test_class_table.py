"""Reading a graded class: what the notebooks say where the check itself could not run."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook, new_output
from rich.console import Console

from grader.checking.notebook import RESULT_MIMETYPE
from grader.cli import main
from grader.course.notebooks import check_id
from grader.exercises import Chapter, Exercise
from grader.reporting.class_table import StudentRow, class_table, diagnosis_in, mistake_counts

NAME_ERROR = new_output("error", ename="NameError", evalue="name 'Subject' is not defined", traceback=[])


@pytest.fixture
def notebook_with(exercise: Exercise) -> Callable[..., NotebookNode]:
    """Return a function that makes an executed notebook from the outputs of its two cells."""

    def make(written: list[NotebookNode], checked: list[NotebookNode]) -> NotebookNode:
        names = ((exercise.id, written), (check_id(exercise), checked))
        return new_notebook(
            cells=[
                new_code_cell("", outputs=outputs, metadata={"nbgrader": {"grade_id": name}})
                for name, outputs in names
            ]
        )

    return make


def error(name: str) -> NotebookNode:
    """Return an error output."""
    return new_output("error", ename=name, evalue="", traceback=[])


def test_codes_come_from_the_verdict(exercise: Exercise, notebook_with: Callable) -> None:
    """The codes are those of the verdict that the check displayed."""
    verdict = new_output("display_data", data={RESULT_MIMETYPE: {"diagnosis": ["missing-scale"]}})
    assert diagnosis_in(notebook_with([], [verdict, error("CheckFailedError")]), exercise) == (
        "missing-scale",
    )


@pytest.mark.parametrize(
    ("written", "code"),
    [([], "not-defined"), ([error("SyntaxError")], "syntax-error"), ([error("ZeroDivisionError")], "raises")],
    ids=["no definition", "syntax error", "another error"],
)
def test_reason_for_an_undefined_subject(
    exercise: Exercise, notebook_with: Callable, written: list[NotebookNode], code: str
) -> None:
    """Where the subject was never defined, its own cell's error says why."""
    assert diagnosis_in(notebook_with(written, [NAME_ERROR]), exercise) == (code,)


def test_nothing_is_said_of_a_check_that_never_ran(exercise: Exercise, notebook_with: Callable) -> None:
    """A notebook without outputs, or without the cells, has no codes."""
    assert diagnosis_in(notebook_with([], []), exercise) == ()
    assert diagnosis_in(new_notebook(), exercise) == ()


def test_table_shows_scores_and_mistakes(chapter: Chapter) -> None:
    """A row has the student, the score, and each mistake with the number of its exercise."""
    first, *others = chapter.exercises
    row = StudentRow(
        student="ada",
        score=9,
        max_score=12,
        scores={first.id: 0.0} | {exercise.id: float(exercise.points) for exercise in others},
        diagnosis={first.id: ("missing-scale",)} | {exercise.id: () for exercise in others},
    )
    console = Console(record=True, width=140, file=io.StringIO())
    console.print(class_table(chapter, [row]))
    shown = console.export_text()
    assert "ada" in shown and "9 of 12" in shown and "1: missing-scale" in shown
    assert mistake_counts([row]) == [("missing-scale", 1)]


def test_class_that_is_not_graded_is_an_error(repository: Path, tmp_path: Path, chapter: Chapter) -> None:
    """Without a gradebook the report says so, with status 2, and makes none."""
    (tmp_path / "nbgrader_config.py").write_text((repository / "nbgrader_config.py").read_text())
    result = CliRunner().invoke(main, ["report", chapter.stem, "--course", str(tmp_path)])
    assert result.exit_code == 2
    assert "gradebook.db is missing" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["nbgrader_config.py"]
