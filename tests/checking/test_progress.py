"""A learner's progress: what is counted, what is asked again, and that it stays theirs."""

import json
import os
import pty
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest
from jupyter_client.manager import start_new_kernel

from grader.checking import notebook
from grader.checking.notebook import progress
from grader.checking.progress import SETTING, Tried, forget, progress_file, read_progress, remember, reviews
from grader.checking.progress_view import progress_html, progress_text
from grader.checking.result import Line, Result
from grader.errors import GraderError, ProgressError
from grader.exercises import EXERCISES, find_exercise
from grader.messages import Message

EARLY, LATER = "ch03-scaled-scores", "ch04-self-attention"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where progress is kept during a test."""
    place = tmp_path / "home" / "progress.json"
    monkeypatch.setenv(SETTING, str(place))
    return place


def verdict(name: str, *diagnosis: str) -> Result:
    """Return a verdict on an exercise; it passed if there is no diagnosis."""
    return Result(find_exercise(name), "failed" if diagnosis else "passed", diagnosis, ())


def test_checks_and_mistakes_are_counted(path: Path) -> None:
    """Each check counts, each named mistake counts, and what was solved stays solved."""
    for diagnosis in (["missing-scale"], ["missing-scale", "wrong-shape"], [], ["scale-by-dk"]):
        remember(verdict(EARLY, *diagnosis))
    counted = {"missing-scale": 2, "wrong-shape": 1, "scale-by-dk": 1}
    assert read_progress(path) == {EARLY: Tried(4, True, counted)}


def test_the_grader_s_own_fault_is_nobody_s_attempt(path: Path) -> None:
    """A check that could not be made is not counted."""
    remember(Result(find_exercise(EARLY), "error", (), ()))
    assert not path.exists()


def test_nothing_but_counts_is_kept(path: Path) -> None:
    """The file holds no message, code, number, name or time."""
    remember(
        Result(find_exercise(EARLY), "failed", ("raises",), (Line(Message("a secret of the learner's")),))
    )
    entry = {"checks": 1, "solved": False, "mistakes": {"raises": 1}}
    assert json.loads(path.read_text()) == {"version": 1, "exercises": {EARLY: entry}}


def test_progress_can_be_deleted(path: Path) -> None:
    """Afterwards nothing of it is left."""
    remember(verdict(EARLY))
    forget()
    assert list(path.parent.iterdir()) == []
    assert read_progress(path) == {}


def test_what_was_deleted_is_told(path: Path, capsys: pytest.CaptureFixture) -> None:
    """A file that was not there was not deleted; an exercise's name, given by mistake, deletes nothing."""
    remember(verdict(EARLY))
    with pytest.raises(GraderError, match=r"without an argument"):
        progress(EARLY)
    assert path.is_file()
    for told in (f"{path} is deleted.", f"There was no {path} to delete."):
        progress(forget_all=True)
        assert told in capsys.readouterr().out


def test_progress_can_be_switched_off(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    """With the setting at off nothing is written, and `progress` says so."""
    monkeypatch.setenv(SETTING, "off")
    remember(verdict(EARLY))
    assert progress_file() is None
    notebook.progress()
    assert "is off" in capsys.readouterr().out


@pytest.mark.parametrize(
    "content",
    [
        "no json",
        "[]",
        '{"version": 2, "exercises": {}}',
        '{"version": 1, "exercises": {"ch03-scaled-scores": {"checks": "many"}}}',
        '{"version": 1, "exercises": {"ch03-scaled-scores": {"unknown": 1}}}',
        '{"version": 1, "exercises": {"ch03-scaled-scores": {"mistakes": {"raises": -1}}}}',
    ],
)
def test_damaged_file_is_a_clear_error_and_stays(path: Path, content: str) -> None:
    """It is neither overwritten nor taken for a beginner's."""
    path.parent.mkdir()
    path.write_text(content)
    for act in (lambda: read_progress(path), lambda: remember(verdict(EARLY))):
        with pytest.raises(ProgressError, match="forget_all"):
            act()
    assert path.read_text() == content


def test_a_place_that_cannot_be_written_is_a_clear_error(path: Path) -> None:
    """The error names the file and the setting."""
    path.parent.write_text("a file where a folder should be")
    with pytest.raises(ProgressError, match=SETTING):
        remember(verdict(EARLY))


@pytest.mark.parametrize("there", [True, False])
def test_check_counts_where_somebody_is_there(
    there: bool, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A notebook that a program runs is nobody's progress."""
    monkeypatch.setattr(notebook, "in_interactive_notebook", lambda: there)
    notebook.check("ch02-sum-normalize", lambda scores: scores / scores.sum())
    assert path.exists() is there


KERNEL_CODE = """
from grader import check, progress
check("ch02-sum-normalize", lambda scores: scores / scores.sum())
progress()
"""


@pytest.mark.parametrize("there", [True, False])
def test_progress_counts_in_a_bare_kernel(there: bool, path: Path) -> None:
    """Whoever asked for the cell, `progress` knows of the check; the file has it where somebody was there."""
    manager, client = start_new_kernel(kernel_name="python3", extra_arguments=["--log-level=ERROR"])
    shown = []

    def note(sent: dict) -> None:
        shown.append(sent["content"].get("data", {}).get("text/plain", ""))

    try:
        client.execute_interactive(KERNEL_CODE, allow_stdin=there, timeout=120, output_hook=note)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    (told,) = [text for text in shown if "exercises are solved" in text]
    assert told.startswith("1 of ")
    assert ("A program runs these checks" in told) is not there
    assert path.exists() is there


def test_progress_counts_in_plain_python(path: Path) -> None:
    """A program without Jupyter has its checks counted, and leaves no file."""
    run = subprocess.run([sys.executable, "-c", KERNEL_CODE], capture_output=True, text=True, check=True)
    assert "\n1 of " in run.stdout
    assert not path.exists()


@pytest.mark.parametrize("shell", [["-i", "-q"], ["-m", "IPython", "--no-banner", "--simple-prompt"]])
def test_what_is_typed_into_a_terminal_is_kept(shell: list[str], path: Path, tmp_path: Path) -> None:
    """Python and IPython at a prompt are as good as a notebook."""
    ours, theirs = pty.openpty()
    typed = KERNEL_CODE + "exit()\n"
    environment = {**os.environ, "IPYTHONDIR": str(tmp_path), "TERM": "dumb"}
    with os.fdopen(theirs, "rb") as terminal:
        running = subprocess.Popen(
            [sys.executable, *shell], stdin=terminal, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=environment,
        )  # fmt: skip
        os.write(ours, typed.encode())
        running.wait(timeout=120)
    os.close(ours)
    assert read_progress(path)["ch02-sum-normalize"] == Tried(1, True)


def test_what_no_file_has_is_counted_with_what_is_kept(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    """Both are shown together, and forgotten together; with progress switched off neither is."""
    monkeypatch.setattr(notebook, "_unkept", {})
    remember(verdict(EARLY))
    notebook.check("ch02-sum-normalize", lambda scores: scores / scores.sum())
    notebook.progress()
    assert "2 of " in capsys.readouterr().out
    notebook.progress(forget_all=True)
    assert "Nothing is counted now" in capsys.readouterr().out
    monkeypatch.setenv(SETTING, "off")
    notebook.check("ch02-sum-normalize", lambda scores: scores / scores.sum())
    assert notebook._unkept == {}


def test_check_speaks_though_progress_cannot_be_kept(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    """The verdict stands, with a line below it."""
    monkeypatch.setattr(notebook, "in_interactive_notebook", lambda: True)
    path.parent.write_text("a file where a folder should be")
    notebook.check("ch02-sum-normalize", lambda scores: scores / scores.sum())
    shown = capsys.readouterr().out
    assert "passed" in shown
    assert "could not be kept" in shown


def test_a_mistake_is_asked_again_in_later_chapters() -> None:
    """Made in chapter 3 and mended there, it comes back where a later exercise knows it and is open."""
    tried = {EARLY: Tried(2, True, {"missing-scale": 1})}
    (review,) = reviews(tried)
    assert (review.code, review.count) == ("missing-scale", 1)
    assert [one.id for one in review.made_in] == [EARLY]
    assert find_exercise(LATER) in review.asked_again
    assert all(one.chapter > find_exercise(EARLY).chapter for one in review.asked_again)


def test_a_mistake_that_nobody_asks_again_is_done() -> None:
    """When it is mended and all later exercises that know it are solved, it is not told any more."""
    everything = {name: Tried(1, True) for name in EXERCISES}
    assert reviews({**everything, EARLY: Tried(2, True, {"missing-scale": 1})}) == []


def test_an_open_exercise_keeps_its_mistakes() -> None:
    """A mistake of an exercise that is not solved is told, though no later one knows it."""
    everything = {name: Tried(1, True) for name in EXERCISES}
    (review,) = reviews({**everything, EARLY: Tried(2, False, {"missing-scale": 1})})
    assert review.asked_again == ()


def test_unfinished_answers_are_no_mistakes_to_review() -> None:
    """An exception, a missing answer and a code of another version teach nothing about attention."""
    counts = {"raises": 3, "not-implemented": 1, "unrecognized": 2, "no-such-code": 1}
    assert (
        reviews({EARLY: Tried(7, False, counts), "ch99-unknown": Tried(1, False, {"missing-scale": 1})}) == []
    )


def test_most_frequent_comes_first() -> None:
    """What was made most often is told first."""
    tried = {EARLY: Tried(4, False, {"missing-scale": 1, "scale-by-dk": 3})}
    assert [one.code for one in reviews(tried)] == ["scale-by-dk", "missing-scale"]


def test_view_tells_solved_open_and_what_to_read() -> None:
    """Both forms say the same: how much is solved, what is open, the question, and where to read."""
    tried = {EARLY: Tried(2, True, {"missing-scale": 1})}
    for shown in (progress_text(tried, Message("kept here")), progress_html(tried, Message("kept here"))):
        assert f"1 of {len(EXERCISES)} exercises are solved" in shown
        assert "1 of 4" in shown
        assert "ch03-attention" in shown
        assert f'Read again "{find_exercise(EARLY).section}" (chapter 3).' in unescape(shown)
        assert LATER in shown
        assert "kept here" in shown


def test_view_of_nothing() -> None:
    """Before the first check it says so."""
    assert "Nothing is counted now" in progress_text({}, Message("kept here"))
    assert "Nothing is counted now" in progress_html({}, Message("kept <here>"))
    assert "<here>" not in progress_html({}, Message("kept <here>"))
