"""Cells that are run once for all jobs that begin with them: a job cannot tell, but by its time."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from grader.course.paths import CoursePaths
from grader.exercises import CHAPTERS
from grader.files import MIB
from grader.grading.master import load_master
from grader.grading.sanitize import sanitize
from grader.references import load_exercise
from grader.sandbox.job import Cell, CellRun, Job, Run
from grader.sandbox.sandbox import Sandbox
from tests.sandbox.conftest import LIMITS, printed

ROOMY = replace(LIMITS, cell_seconds=30.0, total_seconds=120.0, memory=2048 * MIB)


@pytest.fixture(scope="module")
def own() -> Iterator[Sandbox]:
    """Return a sandbox that no other test prepares."""
    with Sandbox() as started:
        yield started


@pytest.fixture
def after(own: Sandbox) -> Callable[..., tuple[CellRun, ...]]:
    """Return a function that prepares cells, and runs them with others behind."""

    def run(first: str, *others: str, prepared: bool = True) -> tuple[CellRun, ...]:
        assert own.prepare((Cell(first),), LIMITS) is prepared
        return own.run(Job(tuple(map(Cell, (first, *others))), {}, LIMITS)).cells

    return run


def plainly(own: Sandbox, *sources: str) -> tuple[CellRun, ...]:
    """Run cells without any preparation."""
    own.prepare((), LIMITS)
    return own.run(Job(tuple(map(Cell, sources)), {}, LIMITS)).cells


def told(run: Run) -> dict:
    """Return what came of each case of each exercise, as plain data."""
    return {
        (name, seen.case): {what: tensor.tolist() for what, tensor in seen.tensors.items()}
        for name, made in run.attempts.items()
        for seen in made.observations
    }


@pytest.mark.parametrize("stem", CHAPTERS)
def test_chapter_comes_to_the_same(own: Sandbox, repository: Path, stem: str) -> None:
    """A student's copy begins with what is run in advance; outputs and tensors of a solution are the same."""
    chapter, paths = CHAPTERS[stem], CoursePaths(repository)
    master = load_master(chapter, paths)
    first = tuple(map(Cell, master.first_code))
    released = sanitize(paths.student(chapter).read_bytes(), master)
    solution = sanitize(paths.solution(chapter).read_bytes(), master)
    assert first
    assert released.cells[: len(first)] == solution.cells[: len(first)] == first
    assert released.cells[len(first)] != solution.cells[len(first)]
    cases = {one.id: load_exercise(stem, one.id).cases for one in chapter.exercises}
    job = Job(solution.cells, cases, ROOMY)
    own.prepare((), ROOMY)
    plain = own.run(job)
    assert own.prepare(first, ROOMY)
    prepared = own.run(job)
    assert prepared.cells == plain.cells
    assert told(prepared) == told(plain)


def test_draws_go_on(own: Sandbox, after: Callable) -> None:
    """All generators stand where the first cells left them."""
    draw = "print(random.random(), numpy.random.rand(), torch.rand(1).item(), hash('a'))"
    cells = f"import random, numpy, torch\n{draw}", draw, draw
    assert after(*cells) == plainly(own, *cells)


def test_names_history_and_numbers_go_on(own: Sandbox, after: Callable) -> None:
    """Outputs of the first cells can be asked for, and a line of theirs is found in a traceback."""
    cells = "def fail():\n    1 / 0\n7", "print(_, Out, In[1])", "fail()"
    ran = after(*cells)
    assert ran == plainly(own, *cells)
    assert "7 {1: 7}" in printed(ran[1])
    assert "1 / 0" in json.dumps(ran[2].outputs)


def test_one_job_changes_nothing_for_the_next(own: Sandbox, after: Callable) -> None:
    """What a learner does to what the first cells made stays in that job."""
    first, spoil = "import torch\nkept = [1]", "kept.append(2)\ntorch.ones = None"
    after(first, spoil)
    ran = own.run(Job((Cell(first), Cell("print(kept, torch.ones(1))")), {}, LIMITS)).cells
    assert printed(ran[1]) == "[1] tensor([1.])\n"


@pytest.mark.parametrize(
    ("source", "says"), [("x = 2\nprint(x)", "2"), ("print('before')\nx = 1\nprint(x)", "before")]
)
def test_changed_first_cell_is_run_as_it_is(own: Sandbox, source: str, says: str) -> None:
    """A job that begins otherwise is run from its beginning."""
    assert own.prepare((Cell("x = 1\nprint(x)"),), LIMITS)
    changed, then = own.run(Job((Cell(source), Cell("print(x)")), {}, LIMITS)).cells
    assert says in printed(changed)
    assert printed(then) == f"{source.count('2') + 1}\n"


def test_other_limits_are_not_those_that_were_prepared_for(own: Sandbox) -> None:
    """What is kept of the first cells depends on the limits."""
    first = Cell("print('x' * 1000)")
    assert own.prepare((first,), LIMITS)
    (ran,) = own.run(Job((first,), {}, replace(LIMITS, output_bytes=100))).cells
    assert "cut here" in printed(ran)


def test_cell_that_ends_its_process_costs_itself_alone(after: Callable) -> None:
    """The notebook is run again without it, behind the first cells."""
    first, deadly, then = after("x = 1\nprint(x)", "import os\nos._exit(3)", "print(x + 1)")
    assert (first.status, deadly.status, then.status) == ("ran", "ended", "ran")
    assert (printed(first), printed(then)) == ("1\n", "2\n")


@pytest.mark.parametrize(
    ("first", "then", "says"),
    [
        ("open('left', 'w').write('text')", "print(open('left').read())", "text"),
        (
            "import threading\nstop = threading.Event()\nthreading.Thread(target=stop.wait).start()",
            "print(threading.active_count())\nstop.set()",
            "2",
        ),
        ("import os\nos._exit(0)", "print('goes on')", "goes on"),
        ("1 / 0", "print('goes on')", "goes on"),
    ],
)
def test_what_cannot_be_shared_is_run_by_each(after: Callable, first: str, then: str, says: str) -> None:
    """Files, threads, ends and errors are as if nothing had been tried."""
    assert printed(after(first, then, prepared=False)[1]) == f"{says}\n"


def test_slow_first_cell_is_not_prepared(own: Sandbox) -> None:
    """It may be faster the next time: each job finds out for itself."""
    limits = replace(LIMITS, cell_seconds=0.3)
    assert not own.prepare((Cell("import time\ntime.sleep(60)"),), limits)
    (ran,) = own.run(Job((Cell("print(1)"),), {}, limits)).cells
    assert printed(ran) == "1\n"


def test_nothing_is_prepared_without_isolation() -> None:
    """Ordinary processes run every cell themselves."""
    with Sandbox("none") as sandbox:
        assert not sandbox.prepare((Cell("x = 1"),), LIMITS)
        assert sandbox.run(Job((Cell("x = 1"), Cell("print(x)")), {}, LIMITS)).cells[1].status == "ran"


def test_prepared_process_ends_with_the_sandbox() -> None:
    """Nothing is left, and nobody waits for it."""
    others = set(psutil.Process().children(recursive=True))
    with Sandbox() as sandbox:
        before = set(psutil.Process().children(recursive=True))
        assert sandbox.prepare((Cell("x = 1"),), LIMITS)
        processes = set(psutil.Process().children(recursive=True)) - others
        assert len(processes) == len(before - others) + 1
    assert [one for one in processes if one.is_running()] == []
