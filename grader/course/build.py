"""Build a chapter's notebooks, or report built notebooks that are out of date."""

from collections.abc import Callable

import nbformat
from nbformat import NotebookNode

from grader.course.agreement import hold_declaration
from grader.course.notebooks import execute, load_config, solution_notebook, student_notebook, with_finder
from grader.course.origin import METADATA_KEY, notebook_origin
from grader.course.paths import CoursePaths
from grader.course.source import SourceCell, read_source
from grader.exercises import Chapter
from grader.files import write_whole


def text_of(notebook: NotebookNode) -> str:
    """Return a notebook as it is written to a file."""
    return nbformat.writes(notebook, version=4) + "\n"


def build(chapter: Chapter, paths: CoursePaths, on_cell: Callable[[int, int], None]) -> None:
    """Build a chapter's two notebooks; both are written after everything has succeeded.

    Raises:
        SourceError: the source cannot be built.
    """
    cells = cells_of(chapter, paths)
    solution = execute(unexecuted(chapter, paths, cells), paths.source(chapter), paths.root, cells, on_cell)
    student = student_notebook(solution, load_config(paths.config))
    write_whole(paths.solution(chapter), text_of(solution))
    write_whole(paths.student(chapter), text_of(student))


def cells_of(chapter: Chapter, paths: CoursePaths) -> list[SourceCell]:
    """Return the cells of a chapter's text, which agrees with its declaration."""
    source = paths.source(chapter)
    cells = read_source(source, chapter)
    hold_declaration(chapter, cells, source)
    return with_finder(cells)


def unexecuted(chapter: Chapter, paths: CoursePaths, cells: list[SourceCell]) -> NotebookNode:
    """Return a chapter's solution notebook, not executed, with the digest of what it is made from."""
    notebook = solution_notebook(cells)
    notebook.metadata[METADATA_KEY] = notebook_origin(chapter, paths)
    return notebook


def _without_outputs(notebook: NotebookNode) -> str:
    copy = nbformat.from_dict(notebook)
    for cell in copy.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return nbformat.writes(copy, version=4)


def drift(chapter: Chapter, paths: CoursePaths) -> list[str]:
    """Return one line for each built notebook that differs from what its source gives.

    Nothing is executed: outputs are what ``pytest --nbval`` compares.

    Raises:
        SourceError: the source cannot be built.
    """
    expected = unexecuted(chapter, paths, cells_of(chapter, paths))
    student = student_notebook(expected, load_config(paths.config))
    problems = []
    for path, wanted in ((paths.solution(chapter), expected), (paths.student(chapter), student)):
        if not path.is_file():
            problems.append(f"{path} is missing; run `grader build {chapter.stem}`.")
        elif _without_outputs(nbformat.read(path, as_version=4)) != _without_outputs(wanted):
            problems.append(f"{path} is not what its source gives; run `grader build {chapter.stem}`.")
    return problems
