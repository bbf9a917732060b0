"""Cells that do not end, or end the process: they cost themselves, not the other cells."""

import os
from collections.abc import Callable
from dataclasses import replace

import pytest

from grader.checking.judge import judge
from grader.exercises import Exercise
from grader.proving.bank import Answer
from grader.references import ExerciseReference
from grader.sandbox.job import Cell, CellRun, Job
from grader.sandbox.job_client import HURRIED_SECONDS, SLOW_CELLS, JobState
from grader.sandbox.sandbox import TRIES, Sandbox
from tests.sandbox.conftest import CHECK, LIMITS, printed, text_of

SHORT = replace(LIMITS, cell_seconds=0.5)
STUBBORN = """
import signal
signal.setitimer(signal.ITIMER_REAL, 0)
signal.signal(signal.SIGALRM, signal.SIG_IGN)
while True:
    pass
"""


@pytest.mark.parametrize(
    "source",
    [
        "import os; os._exit(0)",
        "import ctypes; ctypes.string_at(0)",
        "import os; os.abort()",
        "import os; os.close(3)",
        "import os; os.closerange(0, 100)",
        "def f():\n    f()\nf()",
        "import os, signal; os.kill(os.getpid(), signal.SIGSEGV); os._exit(1)",
        "import gc, socket\n[one.close() for one in gc.get_objects() if isinstance(one, socket.socket)]",
    ],
    ids=["exit", "segfault", "abort", "channel", "all descriptors", "recursion", "signal", "socket objects"],
)
def test_other_cells_are_run(run_cells: Callable, source: str) -> None:
    """What ends the process, or its way to be heard, ends that cell."""
    before, ended, after = run_cells("x = 1\nx", source, "x + 1")
    assert ended.status in ("ended", "raised")
    assert "'1'" in str(before.outputs)
    assert "'2'" in str(after.outputs)


def test_outputs_of_all_cells_together_have_a_limit(run_cells: Callable) -> None:
    """Cells that each print as much as a cell may are kept until the notebook's share is used up."""
    few = replace(LIMITS, output_bytes=1000, total_output_bytes=2500)
    runs = run_cells(*["print('x' * 900)"] * 6, "1 + 1", limits=few)
    assert {run.status for run in runs} == {"ran"}
    assert [len(printed(run)) > 900 for run in runs[:2]] == [True, True]
    assert sum(printed(run).count("x") for run in runs) < 2500
    assert printed(runs[5]).count("x") == 0


def test_outputs_that_are_made_up_count_as_well(run_cells: Callable) -> None:
    """Two hundred errors with long names in each cell, put in by hand, do not fill a notebook."""
    one = '{"output_type": "error", "ename": "x" * 200, "evalue": "x" * 200, "traceback": [""]}'
    code = f"get_ipython().outputs.kept[:] = [{one}] * 200"
    few = replace(LIMITS, output_bytes=4000, total_output_bytes=10_000)
    runs = run_cells(*[code] * 20, "1 + 1", limits=few)
    assert sum(len(text_of(run)) for run in runs) < 40_000
    assert runs[-1].status == "ran"


def test_endless_cell_is_stopped(run_cells: Callable) -> None:
    """A loop is stopped at its limit, and what was defined before it is still there."""
    _, slow, after = run_cells("x = 1", "print('began')\nwhile True: pass", "print(x)", limits=SHORT)
    assert slow.status == "too-slow"
    assert "began\n" in printed(slow)
    assert "0.5 seconds" in printed(slow)
    assert printed(after) == "1\n"


def test_endless_cell_that_ignores_its_limit_is_ended(run_cells: Callable) -> None:
    """A loop that nothing inside can stop is ended from outside; the rest is run without it."""
    _, slow, after = run_cells("x = 1", STUBBORN, "print(x)", limits=SHORT)
    assert slow.status == "too-slow"
    assert printed(after) == "1\n"


def test_every_exception_swallowed_does_not_help(run_cells: Callable) -> None:
    """A loop that catches everything is ended too."""
    code = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
    slow, after = run_cells(code, "print(1)", limits=SHORT)
    assert slow.status == "too-slow"
    assert printed(after) == "1\n"


@pytest.fixture
def idle_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Report no load to who limits the time: on a busy machine a notebook's time lasts longer."""
    monkeypatch.setattr(os, "getloadavg", lambda: (0.0, 0.0, 0.0))


@pytest.mark.usefixtures("idle_machine")
def test_sleeping_cells_are_given_up(run_cells: Callable) -> None:
    """A hundred cells that each take all their time do not take a hundred times as much."""
    limits = replace(LIMITS, cell_seconds=0.2, total_seconds=1.0)
    runs = run_cells(*["import time; time.sleep(9)"] * 100, limits=limits)
    assert runs[0].status == "too-slow"
    assert {run.status for run in runs[10:]} == {"not-run"}
    assert "Not run" in printed(runs[-1])


def test_after_many_slow_cells_others_get_less_but_no_check(exercise: Exercise) -> None:
    """An endless loop that given cells call leaves time for the other answers."""
    cells = (*(Cell(f"x = {number}") for number in range(SLOW_CELLS + 1)), Cell("", exercise.id))
    state = JobState(Job(cells, {exercise.id: ()}, LIMITS))
    *given, check = state.steps
    for step in given[:-1]:
        assert state.seconds_for(given[-1]) == LIMITS.cell_seconds
        state.record(step, CellRun("too-slow"))
    assert state.seconds_for(given[-1]) == HURRIED_SECONDS < LIMITS.cell_seconds
    assert state.seconds_for(check) >= LIMITS.cell_seconds


def test_notebook_s_time_is_bounded(run_cells: Callable) -> None:
    """When the whole time is up the rest is not run, however many cells kept within theirs."""
    limits = replace(LIMITS, cell_seconds=1.0, total_seconds=0.6)
    code = "import time\nbegan = time.process_time()\nwhile time.process_time() < began + 0.25: pass"
    runs = run_cells(*[code] * 10, limits=limits)
    assert runs[0].status == "ran"
    assert runs[-1].status == "not-run"


def test_each_cell_that_ends_the_process_is_left_out(run_cells: Callable) -> None:
    """Later cells run; after very many ends the rest does not, for each costs another process."""
    runs = run_cells(*["import os; os._exit(1)"] * 8, "print(1)")
    assert [run.status for run in runs] == ["ended"] * 8 + ["ran"]
    runs = run_cells(*["import os; os._exit(1)"] * TRIES, "print(1)")
    assert [run.status for run in runs] == ["ended"] * TRIES + ["not-run"]


def test_other_exercises_are_still_scored(
    run_checked: Callable,
    exercise: Exercise,
    reference: ExerciseReference,
    answers: Callable[[str], dict[str, Answer]],
) -> None:
    """A right answer between two cells that end the process passes."""
    right = answers(exercise.id)["textbook"].program
    run = run_checked("import os; os._exit(0)", right, CHECK, "import os; os._exit(0)")
    assert [cell.status for cell in run.cells] == ["ended", "ran", "ran", "ended"]
    assert judge(exercise, reference, run.attempts[exercise.id], "cpu").status == "passed"


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        ("import os; os._exit(7)", "no-result", "status 7"),
        ("import ctypes; ctypes.string_at(0)", "no-result", "status -11"),
        ("while True: pass", "too-slow", "0.5 seconds"),
        (STUBBORN.replace("\n", "\n        ").strip(), "too-slow", "0.5 seconds"),
        ("x.new_empty(2**40)", None, ""),
    ],
    ids=["exit", "segfault", "loop", "stubborn loop", "memory"],
)
def test_end_inside_an_answer_is_the_answer_s(
    run_checked: Callable, exercise: Exercise, line: str, code: str | None, says: str
) -> None:
    """What ends the process while an answer runs is that answer's fault, and the next cell runs."""
    answer = f"""
import torch
class {exercise.subject}(torch.nn.Module):
    def __init__(self, *args, **kwargs):
        super().__init__()
    def forward(self, x):
        {line}
"""
    run = run_checked(answer, CHECK, "print('after')", limits=SHORT)
    problem = run.attempts[exercise.id].problem
    assert (problem and problem.code) == code
    assert not code or says in str(problem.message)
    assert printed(run.cells[-1]) == "after\n"


@pytest.mark.usefixtures("idle_machine")
def test_exercise_that_was_not_reached_has_an_attempt(sandbox: Sandbox, exercise: Exercise) -> None:
    """Where the time is up before an exercise, that is what its attempt says."""
    cells = (Cell("import time; time.sleep(9)"), Cell("", exercise.id))
    run = sandbox.run(Job(cells, {exercise.id: ()}, replace(LIMITS, cell_seconds=5.0, total_seconds=0.3)))
    assert run.attempts[exercise.id].problem.code == "too-slow"
    assert run.cells[1].status == "not-run"


@pytest.mark.parametrize(
    "source",
    [
        "while True: print('x' * 1000)",
        "print('x' * 10**8)",
        "while True: print()",
        "import sys\nwhile True: sys.stderr.write('x')",
        "from IPython.display import display\nwhile True: display('x' * 1000)",
        "class E(Exception):\n    def __str__(self):\n        return 'x' * 10**8\nraise E",
        "class R:\n    def __repr__(self):\n        return 'x' * 10**8\nR()",
        "try:\n    1/0\nexcept ZeroDivisionError:\n    while True: get_ipython().showtraceback()",
    ],
)
def test_output_is_bounded(run_cells: Callable, source: str) -> None:
    """However much is put out, so much is kept, and a remark that it was cut."""
    cut, after = run_cells(source, "print('after')", limits=SHORT)
    assert len(text_of(cut)) < 3 * SHORT.output_bytes
    assert text_of(cut).count("\\n") <= SHORT.output_lines + 250
    assert printed(after) == "after\n"


def test_text_that_never_ends_is_stopped(run_cells: Callable) -> None:
    """An exception, or a value, whose text takes for ever takes no longer than its cell may."""
    error = "class E(Exception):\n    def __str__(self):\n        while True: pass\nraise E"
    value = "class V:\n    def __repr__(self):\n        while True: pass\nV()"
    runs = run_cells(error, value, "print('after')", limits=SHORT)
    assert [run.status for run in runs] == ["too-slow", "too-slow", "ran"]


def test_text_that_raises_is_shown_as_none(run_cells: Callable) -> None:
    """An exception whose text raises is still an exception."""
    code = "class E(Exception):\n    def __str__(self):\n        raise RuntimeError\nraise E"
    raised, _ = run_cells(code, "1")
    assert raised.status == "raised"
    assert raised.outputs[0]["ename"] == "E"


def test_threads_of_a_cell_count_together(sandbox: Sandbox) -> None:
    """What the threads of a job compute outside of Python's lock is known to who waits for it."""
    code = "import threading, torch\nx = torch.ones(400, 400)\n"
    code += "def work():\n    for _ in range(8):\n        x @ x\n"
    code += "all = [threading.Thread(target=work) for _ in range(4)]\n"
    code += "for one in all: one.start()\nfor one in all: one.join()\nimport time\nprint(time.process_time())"
    progress = JobState(Job((Cell(code), Cell("while True: pass")), {}, SHORT))
    assert sandbox._try(sandbox._control, progress) is None
    assert progress.clock() >= float(printed(progress.runs[0])) - 0.01
