"""The run over a class: one result a folder, resumable wherever it was killed, the same with any workers."""

import errno
import json
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from small_class import Class, fill, graded_cells, kill_after

from grader.course.paths import CoursePaths
from grader.errors import GradebookError, GraderError
from grader.gradebook.stored import student_names
from grader.gradebook.writer import ClassGradebook
from grader.grading import class_run
from grader.grading.class_reading import GradedCourse
from grader.grading.class_run import ClassRun, Done, gathered, only_run
from grader.grading.master import Master
from grader.grading.record import Record
from grader.grading.submissions import students_with_folder
from grader.grading.workers import WorkerFailure
from grader.reporting.anonymous import anonymous, pseudonyms

# The stand-in for the sandbox runs cells in the worker itself.
DEADLY = "import os\nos.kill(os.getpid(), 9)"


def test_results_are_where_nbgrader_has_them(a_class: Class, master: Master) -> None:
    """Notebook, time, feedback, gradebook and verdict, for everybody."""
    outcomes = a_class.grade()
    points = sum(one.points for one in master.exercises.values())
    first = next(iter(master.exercises.values()))
    assert {name: (one.status, one.score) for name, one in outcomes.items()} == {
        "ada": ("graded", points),
        "bob": ("graded", points - first.points),
        "cyd": ("graded", 0),
        "dan": ("error", None),
    }
    assert outcomes["dan"].reason
    for student, one in outcomes.items():
        assert a_class.page(student).is_file()
        assert a_class.graded(student, ".ipynb").is_file()
        assert Record.from_json(json.loads(a_class.graded(student).read_text())).score == (one.score or 0)
        recorded = [row[2] for row in a_class.grades() if row[0] == student]
        assert (None if None in recorded else sum(recorded)) == one.score
    assert {row[4] for row in a_class.grades() if row[0] == "ada"} == {"2026-03-01 12:00:00.000000"}
    assert {row[0] for row in a_class.grades() if row[3]} == {"dan"}


def test_as_many_workers_as_one_likes(a_class: Class, new_class: Callable, right: str, released: str) -> None:
    """One worker and three leave the same, byte for byte."""
    other = new_class("other")
    fill(other, right, released)
    a_class.grade(workers=1)
    other.grade(workers=3)
    assert a_class.everything() == other.everything()


def test_what_has_not_changed_is_not_run_again(a_class: Class, right: str) -> None:
    """Only what was handed in anew is graded again, or what is asked for by force."""
    first = a_class.grade()
    assert {one.fresh for one in first.values()} == {True}
    before = a_class.everything()
    again = a_class.grade()
    assert {name for name, one in again.items() if one.fresh} == set()
    assert again == {
        name: replace(one, fresh=False, seconds=again[name].seconds) for name, one in first.items()
    }
    assert a_class.everything() == before
    a_class.hand_in("cyd", graded_cells(right))
    assert {name for name, one in a_class.grade().items() if one.fresh} == {"cyd"}
    assert {name for name, one in a_class.grade("bob", force=True).items() if one.fresh} == {"bob"}


def test_lost_gradebook_is_filled_from_the_verdicts(a_class: Class) -> None:
    """Nothing is run for it."""
    a_class.grade()
    before = a_class.everything()
    (a_class.root / "gradebook.db").unlink()
    assert not any(one.fresh for one in a_class.grade().values())
    assert a_class.everything() == before


@pytest.mark.parametrize("lost", ["page", "notebook", "verdict"])
def test_lost_file_is_made_again(a_class: Class, lost: str) -> None:
    """A result that is not whole is not finished."""
    a_class.grade()
    before = a_class.everything()
    path = a_class.page("bob") if lost == "page" else a_class.graded("bob")
    path = a_class.graded("bob", ".ipynb") if lost == "notebook" else path
    path.unlink()
    assert {name for name, one in a_class.grade().items() if one.fresh} == {"bob"}
    assert a_class.everything() == before


def test_new_time_alone_is_recorded_without_a_run(a_class: Class) -> None:
    """The same notebook handed in again later."""
    a_class.grade()
    path = a_class.root / "submitted" / "ada" / a_class.stem / "timestamp.txt"
    path.write_text("2026-03-02 12:00:00 UTC")
    assert not a_class.grade()["ada"].fresh
    assert {row[4] for row in a_class.grades() if row[0] == "ada"} == {"2026-03-02 12:00:00.000000"}
    path.unlink()
    assert not a_class.grade()["ada"].fresh
    assert {row[4] for row in a_class.grades() if row[0] == "ada"} == {None}
    assert not a_class.graded("ada").with_name("timestamp.txt").exists()


def test_nothing_old_stays_beside_an_error(a_class: Class) -> None:
    """A submission that cannot be read any more has a notebook that says why, no points and new feedback."""
    a_class.grade()
    a_class.hand_in("ada", "{")
    outcome = a_class.grade()["ada"]
    assert (outcome.status, outcome.score) == ("error", None)
    assert set(outcome.undecided) == set(a_class.grading.master.exercises)
    first, *checks = nbformat.read(a_class.graded("ada", ".ipynb"), as_version=4).cells
    assert outcome.reason in first.source
    assert [cell.id for cell in checks] == [one.cell_id for one in a_class.grading.master.checks.values()]
    assert outcome.reason in unescape(a_class.page("ada").read_text())
    assert "0 of" not in unescape(a_class.page("ada").read_text())
    assert {row[2:4] for row in a_class.grades() if row[0] == "ada"} == {(None, 1)}


def test_points_by_hand_for_an_error_stay(a_class: Class) -> None:
    """A folder without a notebook is graded by hand once: the next run does not ask again."""
    (a_class.root / "submitted" / "eve" / a_class.stem).mkdir(parents=True)
    a_class.grade()
    with Gradebook(a_class.directory.db_url, "attention") as gradebook:
        for grade in gradebook.find_submission(a_class.stem, "eve").notebooks[0].grades:
            grade.manual_score, grade.needs_manual_grade = 1.0, False
        gradebook.db.commit()
    assert not a_class.grade()["eve"].fresh
    assert {row[3] for row in a_class.grades() if row[0] == "eve"} == {0}
    again = a_class.grade("eve", force=True)["eve"]  # as after a correction of the course
    assert (again.fresh, again.review, again.score) == (True, (), 4.0)
    assert "points so far" not in a_class.page("eve").read_text()


def test_students_without_a_folder_are_missing(a_class: Class) -> None:
    """Those whom the gradebook knows have a line, and nothing is recorded for them."""
    a_class.open_gradebook().close()
    with Gradebook(a_class.directory.db_url, "attention") as gradebook:
        gradebook.add_student("eve")
    outcomes = a_class.grade()
    assert (outcomes["eve"].status, outcomes["eve"].score) == ("missing", None)
    assert "eve" not in {row[0] for row in a_class.grades()}
    assert set(a_class.grade("eve", "ada")) == {"eve", "ada"}
    with pytest.raises(GraderError, match="no student zoe"):
        a_class.grade("zoe", "ada")


def test_gone_folder_keeps_its_grade(a_class: Class) -> None:
    """What was graded before is not taken away, and said to be gone."""
    score = a_class.grade()["ada"].score
    path = a_class.root / "submitted" / "ada"
    path.rename(a_class.root / "moved")
    outcome = a_class.grade()["ada"]
    assert (outcome.status, outcome.score) == ("gone", score)
    assert "gone; its score stays" in outcome.reason


HOSTILE = ["<script>alert(1)<", "\x1b[2J\nnew line", "a'; drop table grade; --", "x" * 200, "é" * 60]


def test_names_are_no_harm(a_class: Class, right: str) -> None:
    """Names with control characters or quotes are graded; those that no gradebook holds are an error."""
    undecodable = os.fsdecode(b"bytes-\xff")
    for name in (*HOSTILE, undecodable):
        a_class.hand_in(name, graded_cells(right))
    outcomes = a_class.grade()
    refused = {name for name, one in outcomes.items() if one.status == "error"}
    assert refused == {"dan", "x" * 200, undecodable}
    recorded = {row[0] for row in a_class.grades()}
    assert recorded == set(outcomes) - {"x" * 200, undecodable}
    json.dumps([one.to_json() for one in outcomes.values()]).encode("ascii")


def with_code(notebook: str, code: str) -> str:
    """Return a submission whose first code cell is another."""
    document = json.loads(notebook)
    cell = next(one for one in document["cells"] if one["cell_type"] == "code")
    cell["source"] = code
    return json.dumps(document)


def test_dead_worker_is_one_error_line(a_class: Class, right: str) -> None:
    """The batch goes on, a person is asked, the next run tries once more, and then what it says is kept."""
    a_class.hand_in("eve", with_code(right, DEADLY))
    outcomes = a_class.grade()
    assert outcomes["eve"].status == "error"
    assert "status -9" in outcomes["eve"].reason
    assert {one.status for name, one in outcomes.items() if name not in ("eve", "dan")} == {"graded"}
    assert {row[2:4] for row in a_class.grades() if row[0] == "eve"} == {(None, 1)}
    again = a_class.grade()
    assert {name for name, one in again.items() if one.fresh} == {"eve"}
    kept = a_class.grade()
    assert {name for name, one in kept.items() if one.fresh} == set()
    assert kept["eve"].reason == again["eve"].reason
    assert {name for name, one in a_class.grade(force=True).items() if one.fresh} > {"eve"}
    a_class.hand_in("eve", graded_cells(right))
    assert a_class.grade()["eve"].status == "graded"


def test_what_ended_a_worker_is_not_parsed_where_results_are_written(
    a_class: Class, right: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only a submission's bytes are read again: reading them ends, and a file has a limit."""
    a_class.hand_in("eve", with_code(right, DEADLY))
    read, here = class_run.read_handed_in, os.getpid()

    def in_a_worker(*arguments: object) -> object:
        assert os.getpid() != here
        return read(*arguments)

    monkeypatch.setattr(class_run, "read_handed_in", in_a_worker)
    assert a_class.grade()["eve"].status == "error"


@pytest.mark.parametrize("steps", [1, 4, 5, 6, 9, 14, 19])
def test_killed_run_is_finished_by_the_next(
    a_class: Class,
    new_class: Callable,
    right: str,
    released: str,
    monkeypatch: pytest.MonkeyPatch,
    steps: int,
) -> None:
    """Wherever it is killed: nothing lost, nothing twice, nobody skipped, and no litter."""
    undisturbed = new_class("undisturbed")
    fill(undisturbed, right, released)
    undisturbed.grade(workers=1)
    child = os.fork()
    if child == 0:
        kill_after(steps, monkeypatch)
        a_class.grade(workers=1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status)
    a_class.grade(workers=1)
    assert a_class.everything() == undisturbed.everything()


def test_full_disk_ends_the_run_and_the_next_finishes(
    a_class: Class, new_class: Callable, right: str, released: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those before it are finished; who is in the gradebook without a page is finished by the next run."""
    undisturbed = new_class("undisturbed")
    fill(undisturbed, right, released)
    undisturbed.grade()
    write = class_run.write_if_changed

    def full(path: Path, text: str) -> None:
        if "bob" in path.parts and path.suffix == ".html":
            raise OSError(errno.ENOSPC, "No space left on device")
        write(path, text)

    with monkeypatch.context() as patched:
        patched.setattr(class_run, "write_if_changed", full)
        with pytest.raises(OSError, match="No space left"):
            a_class.grade(workers=1)
    assert {row[0] for row in a_class.grades()} >= {"ada", "bob"}
    assert [a_class.graded(student).exists() for student in ("ada", "bob")] == [True, False]
    assert not a_class.grade()["ada"].fresh
    assert a_class.everything() == undisturbed.everything()


def test_abandoned_run_ends_its_workers_and_can_be_resumed(a_class: Class) -> None:
    """As Ctrl-C does: what was recorded stays, the lock is free again."""
    outcomes = a_class.outcomes(workers=1)
    first = next(outcomes)
    outcomes.close()
    again = a_class.grade()
    assert {name for name, one in again.items() if not one.fresh} == {first.student}


def test_gradebook_that_cannot_be_opened_ends_the_workers(a_class: Class) -> None:
    """They have begun by then; nothing is written, and the next run grades all."""

    def fail() -> ClassGradebook:
        raise GradebookError("locked")

    run = ClassRun(a_class.directory, a_class.grading, workers=2)
    with pytest.raises(GradebookError, match="locked"):
        list(run.run(fail, students_with_folder(a_class.directory, a_class.stem)))
    assert multiprocessing.active_children() == []
    assert not (a_class.root / "autograded").exists()
    assert all(one.fresh for one in a_class.grade().values())


def test_second_run_is_kept_out(a_class: Class) -> None:
    """Two writers would undo each other's work."""
    child = os.fork()
    if child == 0:
        with only_run(a_class.root):
            os.kill(os.getpid(), signal.SIGSTOP)
        os._exit(0)
    os.waitpid(child, os.WUNTRACED)
    try:
        with pytest.raises(GraderError, match=rf"at work in .* \(process {child}\)"):
            a_class.grade()
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert len(a_class.grade()) == 4


def test_pages_and_reports_say_what_the_roster_calls_a_student(a_class: Class, repository: Path) -> None:
    """The name beside the id; markup in a name does nothing, and an anonymous report has no name."""
    CoursePaths(a_class.root).config.write_bytes(CoursePaths(repository).config.read_bytes())
    with Gradebook(a_class.directory.db_url, "attention") as gradebook:
        gradebook.update_or_create_student("ada", first_name="Ada <b>", last_name="Lovelace")
    named = replace(a_class, grading=replace(a_class.grading, names=student_names(a_class.directory.db_url)))
    named.grade()
    assert "Feedback for Ada &lt;b&gt; Lovelace (ada)" in named.page("ada").read_text()
    assert "Feedback for bob" in named.page("bob").read_text()

    read = GradedCourse(CoursePaths(a_class.root)).read(a_class.grading.master.chapter)
    assert {one.called for one in read.students} >= {"ada (Ada <b> Lovelace)", "bob"}
    hidden = anonymous(read, pseudonyms(one.key for one in read.students))
    assert not any(one.name for one in hidden.students)


def test_results_are_recorded_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes within the time is one list, as many as may be; what came before a failure is not lost."""
    now = [0.0]
    monkeypatch.setattr(class_run.time, "monotonic", lambda: now[0])

    def come() -> Iterator[Done]:
        for now[0], names in (
            (0.0, "ab"),
            (0.1, "c"),
            (0.2, ""),
            (0.3, ""),
            (5.0, "d"),
            (5.1, "e"),
            (5.4, ""),
        ):
            yield [(one, WorkerFailure("")) for one in names]
        yield [(str(number), WorkerFailure("")) for number in range(class_run.TOGETHER)]
        yield [("last", WorkerFailure(""))]
        raise GraderError("The scheduler is gone.")

    together = gathered(come())
    assert ["".join(one for one, _ in next(together)) for _ in range(2)] == ["abc", "de"]
    assert len(next(together)) == class_run.TOGETHER
    assert [one for one, _ in next(together)] == ["last"]
    with pytest.raises(GraderError, match="scheduler is gone"):
        next(together)
