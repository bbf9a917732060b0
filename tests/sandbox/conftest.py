"""One sandbox for all tests, and ways to run cells in it."""

import json
from collections.abc import Callable, Iterator

import pytest

from grader.files import MIB
from grader.references import ExerciseReference
from grader.sandbox.job import Cell, CellRun, Job, Limits, Run
from grader.sandbox.sandbox import Sandbox

# Small enough for a quick test, large enough for a busy machine.
LIMITS = Limits(cell_seconds=3.0, total_seconds=60.0, memory=512 * MIB, files=4 * MIB, file_count=100)


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """Return a sandbox with full isolation."""
    with Sandbox() as started:
        yield started


@pytest.fixture
def run_cells(sandbox: Sandbox) -> Callable[..., tuple[CellRun, ...]]:
    """Return a function that runs cells one after the other."""

    def run(*sources: str, limits: Limits = LIMITS) -> tuple[CellRun, ...]:
        return sandbox.run(Job(tuple(Cell(source) for source in sources), {}, limits)).cells

    return run


@pytest.fixture
def run_checked(sandbox: Sandbox, reference: ExerciseReference, exercise_id: str) -> Callable[..., Run]:
    """Return a function that runs cells; ``CHECK`` among them checks the exercise."""

    def run(*sources: str, limits: Limits = LIMITS) -> Run:
        cells = tuple(Cell("", exercise_id) if source == CHECK else Cell(source) for source in sources)
        return sandbox.run(Job(cells, {exercise_id: reference.cases}, limits))

    return run


CHECK = "check"


@pytest.fixture
def exercise_id(exercise: object) -> str:
    """Return the id of the exercise that is checked."""
    return exercise.id


def text_of(run: CellRun) -> str:
    """Return all that a cell put out, as one text."""
    return json.dumps(run.outputs)


def printed(run: CellRun) -> str:
    """Return what a cell printed."""
    return "".join(one["text"] for one in run.outputs if one["output_type"] == "stream")
