"""The chapters as they are: built from their sources, and nothing of an answer in a student's copy."""

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

from grader.checking.notebook import RESULT_MIMETYPE
from grader.course.build import drift
from grader.course.finder import is_finder
from grader.course.notebooks import check_id
from grader.course.paths import CoursePaths
from grader.course.source import BEGIN, END
from grader.exercises import CHAPTERS, Chapter

STUB = "Write your answer here, then delete this line."
every_chapter = pytest.mark.parametrize("chapter", CHAPTERS.values(), ids=CHAPTERS)


@pytest.fixture(scope="module")
def executed(repository: Path) -> dict[str, NotebookNode]:
    """Return every student notebook, executed to its end whatever fails on the way."""
    notebooks = {}
    for chapter in CHAPTERS.values():
        notebook = nbformat.read(CoursePaths(repository).student(chapter), as_version=4)
        NotebookClient(notebook, kernel_name="python3", allow_errors=True).execute()
        notebooks[chapter.stem] = notebook
    return notebooks


def errors_of(cell: NotebookNode) -> list[NotebookNode]:
    """Return a cell's error outputs."""
    return [output for output in cell.get("outputs", []) if output.output_type == "error"]


@every_chapter
def test_built_files_are_what_the_source_gives(chapter: Chapter, repository: Path) -> None:
    """No built file has drifted from its source."""
    assert drift(chapter, CoursePaths(repository)) == []


@every_chapter
def test_every_unanswered_exercise_says_so(chapter: Chapter, executed: dict[str, NotebookNode]) -> None:
    """Every check in a student's fresh notebook reports not-implemented, for no points."""
    cells = {cell.id: cell for cell in executed[chapter.stem].cells}
    for exercise in chapter.exercises:
        cell = cells[check_id(exercise)]
        verdicts = [
            out.data[RESULT_MIMETYPE] for out in cell.outputs if RESULT_MIMETYPE in out.get("data", {})
        ]
        assert [(one["diagnosis"], one["score"]) for one in verdicts] == [(["not-implemented"], 0)]
        assert [error.ename for error in errors_of(cell)] == ["CheckFailedError"]


@every_chapter
def test_nothing_else_fails_in_a_fresh_notebook(chapter: Chapter, executed: dict[str, NotebookNode]) -> None:
    """Apart from the checks, only cells that use what is not written yet fail, and say so."""
    checks = {check_id(exercise) for exercise in chapter.exercises}
    missing: set[str] = set()
    for cell in executed[chapter.stem].cells:
        if cell.cell_type != "code" or cell.id in checks:
            continue
        for error in errors_of(cell):
            unwritten = error.ename == "NotImplementedError" and error.evalue == STUB
            unmade = error.ename == "NameError" and any(f"'{name}'" in error.evalue for name in missing)
            assert unwritten or unmade, f"{cell.source}\n{error.ename}: {error.evalue}"
            # What this cell was to assign is not there for the cells that follow.
            assigned = re.findall(r"^(\w+(?:, \w+)*)\s*=", cell.source, re.MULTILINE)
            missing |= {name for names in assigned for name in names.split(", ")}


SAYS_RIGHT = re.compile(r"\bright (answers?|repairs?)\b|\b(is|are) right\b")


@every_chapter
def test_pictures_of_own_results_say_that_they_tell_of_right_ones(
    chapter: Chapter, executed: dict[str, NotebookNode]
) -> None:
    """What describes a picture is fixed, and the picture shows whatever the learner's answers give."""
    own = [
        re.sub(r'"\s*\n\s*f?"', "", cell.source)
        for cell in executed[chapter.stem].cells
        if cell.cell_type == "code" and re.search(r"\balt ?=", cell.source) and errors_of(cell)
    ]
    assert [source for source in own if not SAYS_RIGHT.search(source)] == []


@every_chapter
def test_no_answer_text_in_what_students_get(chapter: Chapter, repository: Path) -> None:
    """No line of a solution region is in any file below notebooks/."""
    paths = CoursePaths(repository)
    source = paths.source(chapter).read_text(encoding="utf-8")
    regions = re.findall(f"{BEGIN}\n(.*?){END}", source, re.DOTALL)
    lines = {line.split("  #")[0].strip() for region in regions for line in region.splitlines()}
    # A line that opens a block says nothing by itself.
    telling = {line for line in lines if len(line) > 15 and not line.endswith(":")}
    assert len(telling) > len(chapter.exercises)
    for path in (repository / "notebooks").rglob("*"):
        if path.is_file():
            cells = nbformat.read(path, as_version=4).cells
            text = "\n".join(cell.source for cell in cells)
            assert [line for line in telling if line in text] == [], path


@every_chapter
def test_student_folder_holds_the_notebook_alone(chapter: Chapter, repository: Path) -> None:
    """Nothing but the notebook lies in the folder that students get."""
    path = CoursePaths(repository).student(chapter)
    assert list(path.parent.iterdir()) == [path]


@every_chapter
def test_every_exercise_is_announced(chapter: Chapter, repository: Path) -> None:
    """Difficulty, minutes and points stand above every exercise, as they are declared."""
    notebook = nbformat.read(CoursePaths(repository).student(chapter), as_version=4)
    source = "\n".join(cell.source + "\n" for cell in notebook.cells if cell.cell_type == "markdown")
    for exercise in chapter.exercises:
        announced = (
            f"`{exercise.subject}`** · difficulty {exercise.difficulty} of 5 · {exercise.minutes} minutes · "
            f"{exercise.points} {'point' if exercise.points == 1 else 'points'}"
        )
        assert announced in source
        assert f"## {exercise.section}\n" in source


@every_chapter
def test_cells_are_small(chapter: Chapter, repository: Path) -> None:
    """No cell but the exercises has more than ten statement lines, apart from literal data and calls."""
    notebook = nbformat.read(CoursePaths(repository).student(chapter), as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code" and "nbgrader" not in cell.metadata and not is_finder(cell):
            lines = [line for line in cell.source.splitlines() if re.match(r" {0,4}\S", line)]
            code = [line for line in lines if not re.match(r'\s*(["\[\](){}]|""")', line)]
            assert len(code) <= 10, cell.source
