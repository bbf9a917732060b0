"""Honest notebooks run as they do in Jupyter, and are scored as ``check`` scores them there."""

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from grader import figures
from grader.checking.judge import judge
from grader.exercises import CHAPTERS, Chapter, Exercise, find_exercise
from grader.files import MIB
from grader.proving.bank import Answer
from grader.references import ExerciseReference, load_exercise
from grader.sandbox.job import Cell, Job, Run
from grader.sandbox.sandbox import Sandbox
from tests.sandbox.conftest import CHECK, LIMITS, printed, text_of

ROOMY = replace(LIMITS, cell_seconds=20.0, memory=1024 * MIB)


def solution_job(repository: Path, chapter: Chapter, *, whole: bool = True) -> Job:
    """Return a chapter's built solution as a job: all of it, or its first two cells, answers and checks."""
    path = repository / "solutions" / chapter.stem / f"{chapter.stem}.ipynb"
    cells, cases = [], {}
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        marks = cell["metadata"].get("nbgrader", {})
        if cell["cell_type"] == "code" and marks.get("grade"):
            exercise_id = marks["grade_id"].removesuffix("-check")
            cells.append(Cell("", exercise_id))
            cases[exercise_id] = load_exercise(chapter.stem, exercise_id).cases
        elif cell["cell_type"] == "code" and (whole or marks or len(cells) < 2):
            cells.append(Cell("".join(cell["source"])))
    return Job(tuple(cells), cases, ROOMY)


@pytest.mark.parametrize("stem", CHAPTERS)
def test_solution_passes(sandbox: Sandbox, repository: Path, stem: str) -> None:
    """The cells of a chapter's solution run, all of them in one chapter, and every exercise passes."""
    job = solution_job(repository, CHAPTERS[stem], whole=stem == "ch04_self_attention")
    run = sandbox.run(job)
    assert [
        (cell.source, one.outputs)
        for cell, one in zip(job.cells, run.cells, strict=True)
        if one.status != "ran"
    ] == []
    for exercise_id, made in run.attempts.items():
        result = judge(find_exercise(exercise_id), load_exercise(stem, exercise_id), made, "cpu")
        assert result.status == "passed", result.message
    assert list(run.attempts) == list(job.cases)


def without_seconds(run: Run) -> str:
    """Return all that came of a run but its time, as text."""
    return f"{run.cells} {run.attempts}"


def test_same_outputs_every_time(sandbox: Sandbox) -> None:
    """Unseeded draws and the order of sets are the same in every run."""
    code = "import random, numpy, torch\nrandom.random(), numpy.random.rand(), torch.rand(1), {'a', 'b', 'c'}"
    job = Job((Cell(code),), {}, LIMITS)
    assert without_seconds(sandbox.run(job)) == without_seconds(sandbox.run(job))


def test_several_runs_at_once(
    sandbox: Sandbox,
    exercise: Exercise,
    reference: ExerciseReference,
    answers: Callable[[str], dict[str, Answer]],
) -> None:
    """Jobs from several threads do not mix."""
    verdicts = {}

    def grade(name: str) -> None:
        cells = (Cell(answers(exercise.id)[name].program), Cell("", exercise.id))
        run = sandbox.run(Job(cells, {exercise.id: reference.cases}, ROOMY))
        verdicts[name] = judge(exercise, reference, run.attempts[exercise.id], "cpu").diagnosis

    names = ["textbook", "missing-scale", "creation-order"]
    threads = [threading.Thread(target=grade, args=[name]) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert verdicts == {name: answers(exercise.id)[name].diagnosis for name in names}


CELLS = {
    "last value": ("1 + 1", "2"),
    "no value": ("1 + 1;", "[]"),
    "print": ("print('x')", "x\\n"),
    "warning": ("import warnings\nwarnings.warn('careful')", "careful"),
    "stderr": ("import sys\nprint('bar', file=sys.stderr)", "bar"),
    "display": ("display([1])", "[1]"),
    "await": ("import asyncio\nawait asyncio.sleep(0)\n'awaited'", "awaited"),
    "time": ("%time x = 1", "CPU times"),
    "timeit": ("%timeit -n 1 -r 1 1", "per loop"),
    "capture": ("%%capture seen\nprint('hidden')", "[]"),
    "last results": ("1\n_", "''"),
    "figure": ("import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()", "image/png"),
    "figure not shown": (
        "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 2]);",
        "image/png",
    ),
    "numpy": ("import numpy as np\nnp.zeros(2)", "array([0., 0.])"),
    "file": ("open('x', 'w').write('abc')\nopen('x').read()", "abc"),
    "temporary file": ("import tempfile\ntempfile.TemporaryFile() and 'made'", "made"),
    "thread": (
        "import threading\nt = threading.Thread(target=print, args=['in']); t.start(); t.join()",
        "in",
    ),
    "dataloader": ("import torch\nlist(torch.utils.data.DataLoader([1, 2]))", "tensor([1])"),
    "progress": ("for i in range(3): print(i, end='\\r')", "2"),
    "main": ("__name__", "__main__"),
    "check": ("from grader import check\ncheck('ch04-self-attention', int)", "is checked at grading"),
    "hint": ("from grader import hint\nhint('ch04-self-attention')", "No hint"),
    "random": ("import os, uuid, secrets\nlen(os.urandom(3))", "3"),
    "date": ("import datetime\ndatetime.datetime.now().year > 2000", "True"),
}


@pytest.mark.parametrize(("source", "says"), CELLS.values(), ids=CELLS)
def test_cell_runs_as_in_a_notebook(run_cells: Callable, source: str, says: str) -> None:
    """It runs, and what it puts out is kept."""
    (ran,) = run_cells(source, limits=ROOMY)
    assert ran.status == "ran", ran.outputs
    assert says in text_of(ran)


ERRORS = {
    "exception": ("def f():\n    1/0\nf()", "ZeroDivisionError: division by zero"),
    "syntax": ("x = )", "SyntaxError: unmatched ')'"),
    "cell that ends too early": ("x = (", '"ename": "SyntaxError"'),
    "indentation": ("if x:\ny", "IndentationError"),
    "recursion": ("def f():\n    f()\nf()", "RecursionError"),
    "input": ("input('?')", "Nobody is there"),
    "system exit": ("raise SystemExit(3)", "SystemExit: 3"),
    "keyboard": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "unknown magic": ("%%nothing\nx", "nothing"),
    "not implemented": ("raise NotImplementedError('Write')", "NotImplementedError: Write"),
}


@pytest.mark.parametrize(("source", "says"), ERRORS.values(), ids=ERRORS)
def test_error_is_shown_and_the_rest_runs(run_cells: Callable, source: str, says: str) -> None:
    """An exception is one output, with the learner's own lines and none of the grader's."""
    raised, after = run_cells(source, "print('after')")
    assert says in text_of(raised)
    assert "/grader/" not in text_of(raised)
    assert "runner.py" not in text_of(raised)
    assert printed(after) == "after\n"


def test_error_names_the_learner_s_line(run_cells: Callable) -> None:
    """The traceback has the cell, the line and the function."""
    _, raised = run_cells("def f(x):\n    return 1 / x", "f(0)")
    assert raised.status == "raised"
    assert 'File "cell 1", line 2, in f' in text_of(raised).replace('\\"', '"')


def test_figures_are_left_out(run_cells: Callable) -> None:
    """Every function that draws says what it would have shown; nothing is imported for it."""
    drawing = [name for name in figures.__all__ if name.startswith("show")]
    calls = "\n".join(f"{name}(None, alt='what {name} shows')" for name in drawing)
    code = f"from grader.figures import {', '.join(drawing)}\n{calls}"
    (left_out,) = run_cells(code)
    assert all(f"Picture left out at grading: what {name} shows" in printed(left_out) for name in drawing)


def test_figures_other_names_are_theirs(run_cells: Callable) -> None:
    """What is no picture is the real thing."""
    code = "import torch\nfrom grader.figures import COLORS, table\n"
    code += "print(COLORS, table(torch.ones(1, 1), ['a'], ['b'], 1))"
    (real,) = run_cells(code, limits=ROOMY)
    assert printed(real).startswith(figures.COLORS)


def test_explorer_is_text(run_cells: Callable) -> None:
    """The attention explorer gives its text form, and no picture."""
    code = "import torch\nfrom grader.widgets import explore\nexplore(torch.eye(2), ['one', 'two'])"
    (shown,) = run_cells(code, limits=ROOMY)
    assert "Attention weights: 2 queries" in text_of(shown)
    assert "image/png" not in text_of(shown)


def test_stub_is_what_a_notebook_s_check_says(
    run_checked: Callable, exercise: Exercise, reference: ExerciseReference
) -> None:
    """An answer that was not written is recognized."""
    stub = f"""
from torch import nn
class {exercise.subject}(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        raise NotImplementedError("Write your answer here, then delete this line.")
"""
    run = run_checked(stub, CHECK)
    result = judge(exercise, reference, run.attempts[exercise.id], "cpu")
    assert result.diagnosis == ("not-implemented",)


def test_missing_name_is_not_defined(run_checked: Callable, exercise: Exercise) -> None:
    """Where no cell defines the subject, that is the problem."""
    problem = run_checked("x = 1", CHECK).attempts[exercise.id].problem
    assert problem.code == "not-defined"
    assert exercise.subject in str(problem.message)
