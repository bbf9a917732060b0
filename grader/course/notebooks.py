"""Make the solution notebook from a source, and the student notebook from the solution notebook."""

import hashlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearOutput,
    ClearSolutions,
    ComputeChecksums,
    LockCells,
)
from traitlets.config import Config, PyFileConfigLoader

from grader.course.finder import finder_cell
from grader.course.source import SourceCell
from grader.errors import GraderError, SourceError
from grader.exercises import Exercise, Part, Question

NBGRADER_SCHEMA = 3
BUILD_CELL_SECONDS = 300
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
# The preprocessors of nbgrader's generate_assignment, in its order, without its database. Checksums come
# last, over the student's version.
RELEASE = (LockCells, ClearSolutions, ClearOutput, CheckCellMetadata, ComputeChecksums, CheckCellMetadata)


def check_id(part: Part) -> str:
    """Return the ``grade_id`` under which nbgrader keeps the points: the check's, or the question's own."""
    return part.id if isinstance(part, Question) else f"{part.id}-check"


def bring_id(name: str) -> str:
    """Return the id of a carry-over cell, into which a learner copies an earlier chapter's answer."""
    return f"bring-{name}"


def _written_metadata(grade_id: str) -> dict:
    """Return the metadata of a cell that a learner writes code in: an exercise's, or a carry-over cell."""
    return {
        "grade": False,
        "grade_id": grade_id,
        "locked": False,
        "schema_version": NBGRADER_SCHEMA,
        "solution": True,
        "task": False,
    }


def _check_metadata(exercise: Exercise) -> dict:
    return {
        "grade": True,
        "grade_id": check_id(exercise),
        "locked": True,
        "points": exercise.points,
        "schema_version": NBGRADER_SCHEMA,
        "solution": False,
        "task": False,
    }


def _question_metadata(question: Question) -> dict:
    """Return the metadata of a cell that a learner answers in words and a person grades."""
    return _written_metadata(question.id) | {"grade": True, "points": question.points}


def _given_metadata(item: SourceCell) -> dict:
    """Return the metadata of a given cell: its tags, and for JupyterLab that its code is collapsed."""
    tags = item.cell.metadata.get("tags", [])
    return ({"tags": tags} if tags else {}) | ({"jupyter": {"source_hidden": True}} if item.folded else {})


def _cell(item: SourceCell, seen: Counter) -> NotebookNode:
    """Return a notebook cell whose id comes from its exercise, else from its content."""
    if item.made:
        return nbformat.from_dict(item.cell)
    source = item.cell.source
    make = new_code_cell if item.cell.cell_type == "code" else new_markdown_cell
    if item.exercise:
        return make(source, id=item.exercise.id, metadata={"nbgrader": _written_metadata(item.exercise.id)})
    if item.brings:
        name = bring_id(item.brings)
        return make(source, id=name, metadata={"nbgrader": _written_metadata(name)})
    if item.check:
        return make(source, id=check_id(item.check), metadata={"nbgrader": _check_metadata(item.check)})
    if item.question:
        metadata = {"nbgrader": _question_metadata(item.question)}
        return make(source, id=item.question.id, metadata=metadata)
    digest = hashlib.sha256(source.encode()).hexdigest()[:8]
    seen[digest] += 1
    name = digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"
    return make(source, id=name, metadata=_given_metadata(item))


def with_finder(cells: list[SourceCell]) -> list[SourceCell]:
    """Return a source's cells with the one that finds the package before the first code."""
    first = next((i for i, one in enumerate(cells) if one.cell.cell_type == "code"), len(cells))
    return [*cells[:first], SourceCell(finder_cell(), 1, made=True), *cells[first:]]


def solution_notebook(cells: list[SourceCell]) -> NotebookNode:
    """Return the instructor's notebook, not executed."""
    seen: Counter = Counter()
    return new_notebook(cells=[_cell(item, seen) for item in cells], metadata=METADATA)


def execute(
    notebook: NotebookNode,
    path: Path,
    root: Path,
    cells: list[SourceCell],
    on_cell: Callable[[int, int], None],
) -> NotebookNode:
    """Return the notebook with its outputs; the same bytes every time.

    Args:
        notebook: from ``solution_notebook``.
        path: the source, for messages.
        root: the course's folder, in which it runs: there its chapters are known.
        cells: the source's cells, for their lines.
        on_cell: called after each code cell with how many have run and how many there are.

    Raises:
        SourceError: a cell raised, or ran longer than ``BUILD_CELL_SECONDS``.
    """
    code = [i for i, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
    client = NotebookClient(
        notebook,
        timeout=BUILD_CELL_SECONDS,
        resources={"metadata": {"path": str(root)}},
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,  # how a stream is split depends on timing
        extra_arguments=["--log-level=ERROR"],
        on_cell_complete=lambda cell, cell_index: on_cell(code.index(cell_index) + 1, len(code)),
    )
    metadata = nbformat.from_dict(notebook.metadata)
    try:
        client.execute()
    except (CellExecutionError, CellTimeoutError) as error:
        failed = max((i for i, cell in enumerate(notebook.cells) if cell.get("execution_count")), default=0)
        raise SourceError(path, cells[failed].line, f"this cell does not run:\n{error}") from error
    notebook.metadata = metadata  # without what the kernel says of itself
    return notebook


def load_config(path: Path) -> Config:
    """Return the course's nbgrader configuration, so that the build and nbgrader never disagree.

    Raises:
        GraderError: the file cannot be executed.
    """
    try:
        return PyFileConfigLoader(path.name, path=str(path.parent)).load_config()
    except Exception as error:  # the file is Python: it may raise anything
        raise GraderError(f"{path} cannot be read: {type(error).__name__}: {error}") from error


def student_notebook(solution: NotebookNode, config: Config) -> NotebookNode:
    """Return the student's notebook: stubs for solutions, no outputs, locked check cells."""
    notebook = nbformat.from_dict(solution)
    notebook = nbformat.reads(nbformat.writes(notebook), as_version=4)
    resources = {"nbgrader": {}}
    for preprocessor in RELEASE:
        notebook, resources = preprocessor(config=config).preprocess(notebook, resources)
    return notebook
