"""A learner's file runs in a process of its own, which leaves nothing behind."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from grader.checking.judge import judge
from grader.checking.observation import Attempt
from grader.errors import GraderError
from grader.exercises import Exercise
from grader.proving.bank import Answer
from grader.references import ExerciseReference
from grader.sandbox.process import attempt_in_process

CPU = torch.device("cpu")


@pytest.fixture
def attempt_text(
    tmp_path: Path, exercise: Exercise, reference: ExerciseReference
) -> Callable[[str], Attempt]:
    """Return a function that runs source text as a learner's file."""

    def run(source: str, seconds: float = 20.0) -> Attempt:
        file = tmp_path / "answer.py"
        file.write_text(source, encoding="utf-8")
        return attempt_in_process(exercise, file, reference.cases, CPU, seconds)

    return run


def ends(process: int) -> bool:
    """Return whether a process comes to its end, which takes the system a moment."""
    status = Path(f"/proc/{process}/status")
    for _ in range(1000):
        try:
            if "State:\tZ" in status.read_text():
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        os.sched_yield()
    return False


def test_same_verdict_as_in_a_notebook(
    attempt_text: Callable[[str], Attempt],
    answers: Callable[[str], dict[str, Answer]],
    exercise: Exercise,
    reference: ExerciseReference,
) -> None:
    """What comes back from the process is judged as it would be in a notebook."""
    for name in ("textbook", "missing-scale"):
        answer = answers(exercise.id)[name]
        result = judge(exercise, reference, attempt_text(answer.program), "cpu")
        assert result.diagnosis == answer.diagnosis


@pytest.mark.parametrize(
    ("source", "code", "says"),
    [
        ("x = (", "syntax-error", "line 1"),
        ("", "not-defined", "There is no SelfAttention_v1"),
        ("import os; os._exit(0)", "raises", "status 0"),
        ("raise SystemExit(3)", "raises", "SystemExit: 3"),
        ("1 / 0", "raises", "ZeroDivisionError"),
        ("SelfAttention_v1 = 3", "wrong-type", "got int"),
    ],
)
def test_problem_is_named(attempt_text: Callable, source: str, code: str, says: str) -> None:
    """A file that cannot be judged gives a code of the contract and the reason."""
    problem = attempt_text(source).problem
    assert problem.code == code
    assert says in problem.sentence


def test_endless_file_is_stopped(attempt_text: Callable) -> None:
    """A file that does not end is stopped at its limit."""
    assert attempt_text("while True: pass", seconds=1.0).problem.code == "too-slow"


def test_processes_it_started_are_gone(attempt_text: Callable, tmp_path: Path) -> None:
    """A process that the file left running is ended with it."""
    note = tmp_path / "child"
    source = f"""
import os, time
if os.fork() == 0:
    open({str(note)!r}, "w").write(str(os.getpid()))
    time.sleep(600)
while not os.path.exists({str(note)!r}) or not open({str(note)!r}).read():
    time.sleep(0.01)
"""
    attempt_text(source)
    assert ends(int(note.read_text()))


def test_garbage_in_place_of_a_result_is_a_failed_answer(attempt_text: Callable) -> None:
    """A file that writes its own result file and leaves earns nothing."""
    source = "import os, sys; open(sys.orig_argv[-3], 'wb').write(b'passed'); os._exit(0)"
    assert attempt_text(source).problem.code == "raises"


def test_attempt_without_the_cases_is_a_failed_answer(attempt_text: Callable) -> None:
    """A file that writes a well-formed attempt of its own making, on no case, earns nothing."""
    source = """
import os, pathlib, sys
from grader.checking.observation import Attempt
from grader.errors import GraderError
from grader.sandbox.wire import write_attempt
write_attempt(pathlib.Path(sys.orig_argv[-3]), Attempt())
os._exit(0)
"""
    assert attempt_text(source).problem.code == "raises"


def test_attempt_without_results_is_a_failed_answer(
    attempt_text: Callable, exercise: Exercise, reference: ExerciseReference
) -> None:
    """A file that writes a well-formed attempt on the right cases, with nothing in it, earns nothing."""
    source = f"""
import os, pathlib, sys
from grader.checking.observation import Attempt, Observation
from grader.sandbox.wire import write_attempt
names = {[case.name for case in reference.cases]!r}
empty = tuple(Observation(name, {{}}, {{}}, {{}}) for name in names)
write_attempt(pathlib.Path(sys.orig_argv[-3]), Attempt(empty))
os._exit(0)
"""
    result = judge(exercise, reference, attempt_text(source), "cpu")
    assert (result.status, result.diagnosis) == ("failed", ("wrong-type",))


def test_modules_beside_the_caller_are_not_imported(
    attempt_text: Callable,
    answers: Callable[[str], dict[str, Answer]],
    exercise: Exercise,
    reference: ExerciseReference,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A file of the working directory that has a library's name is not taken for it."""
    (tmp_path / "random.py").write_text("raise RuntimeError('not the library')")
    monkeypatch.chdir(tmp_path)
    made = attempt_text(answers(exercise.id)["textbook"].program)
    assert judge(exercise, reference, made, "cpu").status == "passed"


def test_process_that_cannot_start_is_no_wrong_answer(
    attempt_text: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A broken installation is the grader's error, not the learner's."""
    monkeypatch.setattr("grader.sandbox.process.WORKER", "grader.sandbox.nowhere")
    with pytest.raises(GraderError, match="could not start"):
        attempt_text("")


def test_file_sees_its_own_name_as_argument(attempt_text: Callable) -> None:
    """A file that parses its command line finds none of the grader's arguments."""
    source = "import sys\nassert len(sys.argv) == 1, sys.argv\n"
    assert attempt_text(source).problem.code == "not-defined"


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_code_that_ignores_its_time_limit_is_ended(
    exercise: Exercise, reference: ExerciseReference, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that blocks the alarm is ended from outside."""
    monkeypatch.setattr("grader.sandbox.process.ALLOWANCE", 6.0)
    file = tmp_path / "answer.py"
    file.write_text("import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\nwhile True: pass\n")
    assert attempt_in_process(exercise, file, reference.cases, CPU, 0.5).problem.code == "too-slow"
