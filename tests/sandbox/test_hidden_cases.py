"""Hidden cases come when nothing that is put out counts any more."""

from collections.abc import Callable
from dataclasses import replace

import pytest
import torch

from grader.exercises import Exercise
from grader.exercises.case import Case
from grader.proving.bank import Answer
from grader.references import ExerciseReference
from grader.sandbox.job import Cell, Job, Run
from grader.sandbox.sandbox import Sandbox
from tests.sandbox.conftest import LIMITS, printed

# Numbers that no other case has.
MARK = 77.125
# Keeps every input that it sees, and computes what the textbook answer does.
KEEPING = """
{answer}

SEEN = []
class {subject}({subject}):
    def forward(self, x):
        SEEN.append(x)
        {then}
        return super().forward(x)
"""


@pytest.fixture
def hidden(reference: ExerciseReference) -> tuple[Case, ...]:
    """Return a case that nobody may see: an input whose numbers are all the same."""
    case = reference.cases[-1]
    arguments = {name: torch.full_like(value, MARK) for name, value in case.arguments.items()}
    return (replace(case, name="hidden", visible=False, arguments=arguments),)


@pytest.fixture
def run(
    sandbox: Sandbox,
    exercise: Exercise,
    reference: ExerciseReference,
    hidden: tuple[Case, ...],
    answers: Callable[[str], dict[str, Answer]],
) -> Callable[..., Run]:
    """Return a function that runs an answer that does something at each call, its check, and more cells."""

    def running(then: str, *after: str) -> Run:
        program = answers(exercise.id)["textbook"].program
        source = KEEPING.format(answer=program, subject=exercise.subject, then=then)
        cells = (Cell(source), Cell("", exercise.id), *map(Cell, after))
        job = Job(cells, {exercise.id: reference.cases}, LIMITS, hidden={exercise.id: hidden})
        return sandbox.run(job)

    return running


def test_hidden_cases_are_run_apart(run: Callable[..., Run], exercise: Exercise) -> None:
    """Both attempts come back, each on its own cases."""
    came = run("pass")
    assert [seen.case for seen in came.hidden[exercise.id].observations] == ["hidden"]
    assert "hidden" not in [seen.case for seen in came.attempts[exercise.id].observations]


def test_no_output_holds_anything_of_a_hidden_case(run: Callable[..., Run], exercise: Exercise) -> None:
    """Later cells can tell of the visible inputs; the hidden ones come after them."""
    came = run("print(x)", "print(len(SEEN), [x.max().item() for x in SEEN])", "print(SEEN)")
    assert int(printed(came.cells[2]).split()[0]) > 0  # the trick works, on visible cases
    assert str(MARK) not in repr(came.cells)
    assert str(MARK) not in repr(came.attempts)
    assert came.hidden[exercise.id].observations[0].tensors["argument/x"].eq(MARK).all()


def test_answer_is_run_as_it_was_at_its_cell(run: Callable[..., Run], exercise: Exercise) -> None:
    """What later cells give another meaning does not reach back."""
    came = run("float(torch.ones(1))", "torch = None", f"{exercise.subject} = None")
    assert came.hidden[exercise.id].problem is None
    assert came.hidden[exercise.id].observations[0].raised is None


def test_end_on_a_hidden_case_takes_nothing_else(run: Callable[..., Run], exercise: Exercise) -> None:
    """Where the process ends on a hidden case, what was seen before stays."""
    came = run(f"if x.max() == {MARK}: __import__('os')._exit(0)", "print('after')")
    assert came.hidden[exercise.id].problem.code == "no-result"
    assert came.attempts[exercise.id].problem is None
    assert printed(came.cells[2]) == "after\n"


def test_endless_loop_on_a_hidden_case_is_ended(run: Callable[..., Run], exercise: Exercise) -> None:
    """It costs its own time, and the exercise."""
    came = run(f"while x.max() == {MARK}: pass")
    assert came.hidden[exercise.id].problem.code == "too-slow"
    assert came.attempts[exercise.id].problem is None
