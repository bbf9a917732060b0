"""Running a learner's source."""

from dataclasses import replace

import pytest
import torch

from grader.checking.deadline import TimeLimitExceededError, time_limit
from grader.checking.loading import attempt_source, load_subject
from grader.exercises import find_exercise
from grader.references import load_exercise


def test_subject_is_returned() -> None:
    """The object of the asked name comes back without a problem."""
    subject, problem = load_subject("def double(x):\n    return 2 * x\n", "double", "<answer>")
    assert problem is None
    assert subject(4) == 8


def test_missing_subject_is_not_defined() -> None:
    """Source that defines another name is a problem that names the missing one."""
    subject, problem = load_subject("def twice(x): pass", "double", "<answer>")
    assert subject is None
    assert problem.code == "not-defined"
    assert "double" in str(problem.message)


def test_subject_that_is_none_is_returned() -> None:
    """A name that is defined as None is there; what it is, is judged elsewhere."""
    assert load_subject("double = None", "double", "<answer>") == (None, None)


def test_syntax_error_names_the_line() -> None:
    """Source that is no Python is a problem that names line and text."""
    _, problem = load_subject("x = 1\ny = (2\n", "double", "<answer>")
    assert problem.code == "syntax-error"
    assert "line 2: y = (2" in str(problem.message)


@pytest.mark.parametrize(
    ("source", "named"),
    [("1 / 0", "ZeroDivisionError"), ("raise SystemExit(3)", "SystemExit"), ("import no_such", "no_such")],
    ids=["error", "exit", "import"],
)
def test_error_while_running_is_a_problem(source: str, named: str) -> None:
    """Source that raises, or ends the program, is a problem that says what was raised."""
    _, problem = load_subject(source, "double", "<answer>")
    assert problem.code == "raises"
    assert named in str(problem.message)


def test_keyboard_interrupt_passes_through() -> None:
    """Interrupting by hand is not taken for a learner's error."""
    with pytest.raises(KeyboardInterrupt):
        load_subject("raise KeyboardInterrupt", "double", "<answer>")


def test_time_limit_passes_through() -> None:
    """Source that never ends is interrupted by the surrounding time limit, not reported as raising."""
    with pytest.raises(TimeLimitExceededError), time_limit(0.3):
        load_subject("while True: pass", "double", "<answer>")


def test_namespaces_are_separate() -> None:
    """What one source defines is not there for the next."""
    load_subject("double = 1", "double", "<one>")
    assert load_subject("", "double", "<other>")[1].code == "not-defined"


def test_source_runs_as_a_program() -> None:
    """Source sees itself run as a program, so its main block runs."""
    source = "if __name__ == '__main__':\n    double = 7\n"
    assert load_subject(source, "double", "<answer>") == (7, None)


def test_lines_of_the_source_are_known() -> None:
    """An error raised later in the subject can show the learner's line."""
    subject, _ = load_subject("def double(x):\n    return nothing * x\n", "double", "<lines>")
    with pytest.raises(NameError) as caught:
        subject(1)
    assert str(caught.traceback[-1].statement).strip() == "return nothing * x"


def test_line_is_named_with_its_function() -> None:
    """An error in a function says in which; one outside of any names the line alone."""
    source = "def halve(x):\n    return x / 0\n\n\ndouble = halve(1)"
    _, problem = load_subject(source, "double", "<inside>")
    assert "line 2 in halve: return x / 0" in str(problem.message)
    _, problem = load_subject("1 / 0", "halve", "<outside>")
    assert "line 1: 1 / 0" in str(problem.message)


@pytest.mark.parametrize("line", ["1 / 0", "raise SystemExit", "while True: pass", "check(double)"])
def test_lines_behind_the_answer_do_not_count(line: str) -> None:
    """What a file does after it defined the answer, such as trying it, is no part of the answer."""
    exercise = replace(find_exercise("ch00-scale"), subject="double")
    source = f"def double(scores, d_k):\n    return scores / d_k**0.5\n\n\n{line}\n"
    cases = load_exercise(exercise.chapter, exercise.id).cases
    made = attempt_source(exercise, source, "<answer>", cases, torch.device("cpu"), 0.3)
    assert made.problem is None
    assert all(seen.raised is None for seen in made.observations)
