"""Building a chapter: what is written, and that nothing is written when something fails."""

import shutil
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest

from grader.course.build import build, drift
from grader.course.notebooks import bring_id, check_id
from grader.course.origin import METADATA_KEY
from grader.course.paths import CoursePaths, find_course
from grader.errors import GraderError, SourceError
from grader.exercises import Chapter
from grader.references.unbuilt import unbuilt
from tests.course.conftest import SOURCE


@pytest.fixture
def paths(tmp_path: Path, repository: Path, small: Chapter) -> CoursePaths:
    """Return a course that has the small chapter's source and nothing built."""
    shutil.copy(CoursePaths(repository).config, tmp_path)
    course = CoursePaths(tmp_path)
    course.source(small).parent.mkdir(parents=True)
    course.source(small).write_text(SOURCE, encoding="utf-8")
    return course


def nothing(done: int, total: int) -> None:
    """Ignore the progress."""


def test_build_writes_two_notebooks_that_do_not_drift(paths: CoursePaths, small: Chapter) -> None:
    """After a build there is no drift."""
    build(small, paths, nothing)
    assert drift(small, paths) == []


def test_build_gives_the_same_bytes_again(paths: CoursePaths, small: Chapter) -> None:
    """Building twice gives identical files."""
    build(small, paths, nothing)
    first = paths.solution(small).read_bytes(), paths.student(small).read_bytes()
    build(small, paths, nothing)
    assert (paths.solution(small).read_bytes(), paths.student(small).read_bytes()) == first


def test_progress_counts_code_cells(paths: CoursePaths, small: Chapter) -> None:
    """The progress goes from the first code cell to the last."""
    seen = []
    build(small, paths, lambda done, total: seen.append((done, total)))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_student_notebook_has_the_stub_and_no_output(paths: CoursePaths, small: Chapter) -> None:
    """A student gets the stub in place of the solution, and nothing that was computed."""
    build(small, paths, nothing)
    notebook = nbformat.read(paths.student(small), as_version=4)
    cell = next(cell for cell in notebook.cells if cell.id == "tiny-double")
    assert "raise NotImplementedError" in cell.source
    assert "return 2 * x" not in nbformat.writes(notebook)
    assert all(not cell.outputs for cell in notebook.cells if cell.cell_type == "code")


def test_check_cell_carries_the_points(paths: CoursePaths, small: Chapter) -> None:
    """The check cell is locked and worth the exercise's points; only it is graded."""
    build(small, paths, nothing)
    notebook = nbformat.read(paths.solution(small), as_version=4)
    graded = [
        cell.metadata.nbgrader for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade")
    ]
    assert [(cell.grade_id, cell.points, cell.locked) for cell in graded] == [
        (check_id(small.exercises[0]), 3, True)
    ]


def test_brought_cell_is_a_stub_for_no_points(paths: CoursePaths, small: Chapter) -> None:
    """Where an earlier answer is brought, a student finds a stub, and nothing is graded."""
    brought = """```{code-cell} ipython3
:bring: half
def half(x):
    ### BEGIN SOLUTION
    return x / 2
    ### END SOLUTION
```

```{code-cell} ipython3
:exercise:"""
    source = SOURCE.replace("```{code-cell} ipython3\n:exercise:", brought)
    paths.source(small).write_text(source, encoding="utf-8")
    build(small, paths, nothing)
    cell = next(
        cell
        for cell in nbformat.read(paths.student(small), as_version=4).cells
        if cell.id == bring_id("half")
    )
    assert "raise NotImplementedError" in cell.source
    assert "return x / 2" not in cell.source
    assert (cell.metadata.nbgrader.grade, cell.metadata.nbgrader.locked) == (False, False)


def test_folded_cell_is_folded_in_both_notebooks(paths: CoursePaths, small: Chapter) -> None:
    """JupyterLab shows it without its code; it keeps its tag and its id, and no other cell is folded."""
    source = SOURCE.replace("ipython3\ndef check", "ipython3\n:tags: [hide-input]\ndef check")
    ids = []
    for text in (SOURCE, source):
        paths.source(small).write_text(text, encoding="utf-8")
        build(small, paths, nothing)
        ids.append([cell.id for cell in nbformat.read(paths.student(small), as_version=4).cells])
    assert ids[0] == ids[1]
    for path in (paths.solution(small), paths.student(small)):
        _, _, *cells = nbformat.read(path, as_version=4).cells
        assert cells[0].metadata == {"tags": ["hide-input"], "jupyter": {"source_hidden": True}}
        assert all("jupyter" not in cell.metadata for cell in cells[1:])


def test_failing_solution_is_an_error_and_writes_nothing(paths: CoursePaths, small: Chapter) -> None:
    """A solution that fails is an error at the line of the failing cell, and no file appears."""
    paths.source(small).write_text(SOURCE.replace("return 2 * x", "return 3 * x"), encoding="utf-8")
    with pytest.raises(SourceError) as caught:
        build(small, paths, nothing)
    assert str(caught.value).startswith(f"{paths.source(small)}:18: this cell does not run")
    assert "AssertionError" in str(caught.value)
    assert not paths.solution(small).exists()
    assert not paths.student(small).exists()


def test_edited_student_notebook_is_drift(paths: CoursePaths, small: Chapter) -> None:
    """A built file that somebody edited is reported by its name."""
    build(small, paths, nothing)
    path = paths.student(small)
    path.write_text(path.read_text(encoding="utf-8").replace("# Doubling", "# Trebling"), encoding="utf-8")
    assert drift(small, paths) == [f"{path} is not what its source gives; run `grader build tiny`."]


def test_missing_notebook_is_drift(paths: CoursePaths, small: Chapter) -> None:
    """A chapter that was never built has drifted twice."""
    assert [problem.split(" is missing")[0] for problem in drift(small, paths)] == [
        str(paths.solution(small)),
        str(paths.student(small)),
    ]


def test_course_is_found_from_below(
    paths: CoursePaths, small: Chapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The course is the nearest folder with a configuration, upwards."""
    monkeypatch.chdir(paths.source(small).parent)
    assert find_course() == paths


def test_no_course_is_an_error(tmp_path: Path) -> None:
    """A folder without a configuration is no course."""
    with pytest.raises(GraderError, match=r"expected a folder with nbgrader_config\.py"):
        find_course(tmp_path)


def test_source_that_was_changed_since_is_noticed(paths: CoursePaths, small: Chapter) -> None:
    """A changed text, or other points, are noticed by what grades."""
    build(small, paths, nothing)
    assert unbuilt(small, paths) == []
    made = [nbformat.read(path(small), as_version=4).metadata for path in (paths.solution, paths.student)]
    assert made[0][METADATA_KEY] == made[1][METADATA_KEY]
    (exercise,) = small.exercises
    dearer = replace(small, exercises=(replace(exercise, points=5),))
    assert "Run `grader build tiny`." in unbuilt(dearer, paths)[0]
    path = paths.source(small)
    path.write_text(path.read_text(encoding="utf-8") + "\nMore.\n", encoding="utf-8")
    assert str(paths.solution(small)) in unbuilt(small, paths)[0]
    build(small, paths, nothing)
    assert unbuilt(small, paths) == []
