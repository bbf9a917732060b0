"""A file of a learner's is run as a whole, and with its own name, as ``grader check`` does it."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from grader.checking.judge import judge
from grader.checking.observation import Attempt
from grader.errors import DeviceError, GraderError, IsolationError
from grader.exercises import Exercise
from grader.proving.bank import Answer
from grader.references import ExerciseReference
from grader.sandbox.isolation import root
from grader.sandbox.job import Cell, Job
from grader.sandbox.sandbox import Sandbox, missing_isolation
from tests.sandbox.conftest import LIMITS, printed


@pytest.fixture(scope="module")
def open_sandbox() -> Iterator[Sandbox]:
    """Return a sandbox without isolation."""
    with Sandbox("none") as started:
        yield started


@pytest.fixture(params=["full", "none"])
def either(request: pytest.FixtureRequest) -> Sandbox:
    """Return a sandbox of each kind."""
    return request.getfixturevalue("sandbox" if request.param == "full" else "open_sandbox")


@pytest.fixture
def attempt_text(either: Sandbox, exercise: Exercise, reference: ExerciseReference) -> Callable[..., Attempt]:
    """Return a function that runs source text as a learner's file."""

    def run(source: str, seconds: float = 5.0) -> Attempt:
        cells = (Cell(source, exercise.id, "answer.py"),)
        limits = replace(LIMITS, cell_seconds=seconds)
        return either.run(Job(cells, {exercise.id: reference.cases}, limits)).attempts[exercise.id]

    return run


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
        ("import os; os._exit(0)", "no-result", "status 0"),
        ("raise SystemExit(3)", "raises", "SystemExit: 3"),
        ("1 / 0", "raises", "line 1: 1 / 0"),
        ("SelfAttention_v1 = 3", "wrong-type", "got int"),
        ("import sys\nassert sys.argv == ['answer.py']", "not-defined", ""),
        ("assert __name__ == '__main__' and __file__ == 'answer.py'", "not-defined", ""),
        ("import os; os.close(3)", "no-result", "ended"),
    ],
)
def test_problem_is_named(attempt_text: Callable, source: str, code: str, says: str) -> None:
    """A file that cannot be judged gives a code of the contract and the reason."""
    problem = attempt_text(source).problem
    assert problem.code == code
    assert says in str(problem.message)


@pytest.mark.parametrize("before", ["", "import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\n"])
def test_endless_file_is_stopped(attempt_text: Callable, before: str) -> None:
    """A file that does not end is stopped at its limit, from outside if it has to be."""
    assert attempt_text(f"{before}while True: pass", seconds=0.5).problem.code == "too-slow"


def test_modules_beside_the_caller_are_not_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exercise: Exercise
) -> None:
    """A file of the working directory that has a library's name is not taken for it."""
    (tmp_path / "random.py").write_text("raise RuntimeError('not the library')")
    monkeypatch.chdir(tmp_path)
    with Sandbox() as own:
        (ran,) = own.run(Job((Cell("import random; print(random.__file__)"),), {}, LIMITS)).cells
    assert str(tmp_path) not in printed(ran)


def test_process_that_cannot_start_is_no_wrong_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken installation is the grader's error, not the learner's."""
    monkeypatch.setattr("grader.sandbox.launch.FORK_SERVER", "import grader.sandbox.nowhere")
    with pytest.raises(GraderError, match="could not start"):
        Sandbox()


def test_library_that_the_sandbox_does_not_show_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package beside the environment, as a `.pth` file brings it in, is not there; that is told."""
    (tmp_path / "sitting_elsewhere.py").write_text("")
    hidden = (
        f"import sys; sys.path.append({str(tmp_path)!r}); import grader.sandbox.forkserver as it; "
        "it.make_shell = lambda: __import__('sitting_elsewhere'); it.main()"
    )
    monkeypatch.setattr("grader.sandbox.launch.FORK_SERVER", hidden)
    with pytest.raises(IsolationError, match=r"cannot be imported \(No module named 'sitting_elsewhere'\)"):
        Sandbox()


def test_packages_of_another_environment_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what a `.pth` file adds to the path, folders of installed packages can be read, and no others."""
    for name in ("site-packages", "homework"):
        (tmp_path / name).mkdir()
        monkeypatch.syspath_prepend(tmp_path / name)
    assert str(tmp_path / "site-packages") in root.readable()
    assert str(tmp_path / "homework") not in root.readable()


def test_warm_process_that_is_gone_is_no_wrong_answer(exercise: Exercise) -> None:
    """A job that nobody can run is the grader's error."""
    own = Sandbox("none")
    own.close()
    with pytest.raises(GraderError, match="is gone"):
        own.run(Job((Cell("1"),), {}, LIMITS))


def test_refused_where_it_is_not_to_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the means for isolation there is no sandbox, and the message says why."""
    missing_isolation.cache_clear()
    assert missing_isolation() == ()
    missing_isolation.cache_clear()
    monkeypatch.setattr("grader.sandbox.isolation.landlock.version", lambda: 0)
    with pytest.raises(IsolationError, match=r"no Landlock .*--isolation none"):
        Sandbox()
    assert "no Landlock" in missing_isolation()[0]
    missing_isolation.cache_clear()


def test_container_without_namespaces_is_told_which_walls_there_are() -> None:
    """As in a container that forbids them: the demo and `grader doctor` have it from here."""
    inside = f"echo 0 > /proc/sys/user/max_user_namespaces; exec {sys.executable} -m grader.sandbox"
    ended = subprocess.run(
        ["unshare", "-Ur", "sh", "-c", inside], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1, ended.stderr
    assert ended.stderr.strip() == (
        "This system gives a program no namespaces of its own (Operation not permitted); Landlock and "
        "seccomp are there."
    )


def test_unknown_isolation_is_refused() -> None:
    """Only the two words are taken."""
    with pytest.raises(GraderError, match="expected one of full, none"):
        Sandbox("some")


def test_gpu_needs_trust(sandbox: Sandbox, exercise: Exercise) -> None:
    """A GPU's driver needs what full isolation takes away."""
    with pytest.raises(DeviceError, match="Under full isolation"):
        sandbox.run(Job((Cell("1"),), {}, LIMITS, device="cuda"))


def test_without_isolation_nothing_is_left(open_sandbox: Sandbox, tmp_path: Path) -> None:
    """A process that a file left running is ended with it, and its folder is gone."""
    code = "import os, subprocess\nprint(os.getcwd(), subprocess.Popen(['sleep', '600']).pid)"
    (ran,) = open_sandbox.run(Job((Cell(code),), {}, LIMITS)).cells
    folder, process = printed(ran).split()
    open_sandbox.run(Job((Cell("1"),), {}, LIMITS))
    assert not Path(folder).exists()
    status = Path("/proc", process, "status")
    assert not status.exists() or "State:\tZ" in status.read_text()


def test_runs_in_forked_processes(sandbox: Sandbox) -> None:
    """A process forked from the one that made the sandbox can run jobs, and its end ends nothing."""
    import os  # noqa: PLC0415 - used once

    worker = os.fork()
    if worker == 0:
        status = 1
        try:
            (ran,) = sandbox.run(Job((Cell("print(7)"),), {}, LIMITS)).cells
            sandbox.close()
            status = 0 if printed(ran) == "7\n" else 2
        finally:
            os._exit(status)
    assert os.waitpid(worker, 0)[1] == 0
    assert sandbox.run(Job((Cell("1"),), {}, LIMITS)).cells[0].status == "ran"


def test_results_have_the_numbers_of_an_ordinary_process(
    sandbox: Sandbox, answers: Callable, exercise: Exercise, reference: ExerciseReference, observed: Callable
) -> None:
    """The walls change no number: the processor is recognized as it is outside."""
    cells = (Cell(answers(exercise.id)["textbook"].program), Cell("", exercise.id))
    run = sandbox.run(Job(cells, {exercise.id: reference.cases}, LIMITS))
    for inside, outside in zip(run.attempts[exercise.id].observations, observed("textbook"), strict=True):
        assert torch.equal(inside.tensors["result"], outside.tensors["result"])
