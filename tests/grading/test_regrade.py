"""Grading again after a correction: shown before it is written, and written as it was shown."""

import hashlib
import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from nbgrader.api import Gradebook
from small_class import Class, fill, graded_cells, kill_after

from grader.checking.credit import PartialCredit
from grader.errors import GraderError
from grader.gradebook.connection import is_there
from grader.gradebook.stored import StoredGrades, read_stored_grades
from grader.grading.class_run import LOCK, ClassRun, absent_students, present_students
from grader.grading.master import Master
from grader.grading.regrade import Change, Regrade
from grader.grading.submissions import students_with_folder

NAME = "ch04-self-attention-v1"
MORE = 5


def with_points(master: Master, exercise: str, points: float) -> Master:
    """Return a master that gives another number of points for an exercise."""

    def changed(cell: object) -> object:
        if cell.exercise != exercise or cell.role != "check":
            return cell
        marks = {**cell.metadata["nbgrader"], "points": points}
        return replace(cell, metadata={**cell.metadata, "nbgrader": marks})

    exercises = {**master.exercises, exercise: replace(master.exercises[exercise], points=points)}
    return replace(master, exercises=exercises, cells=tuple(map(changed, master.cells)))


def corrected(made: Class, points: float = MORE) -> Class:
    """Return the class with another number of points for the first exercise."""
    return replace(made, grading=replace(made.grading, master=with_points(made.grading.master, NAME, points)))


@contextmanager
def regraded(
    made: Class, *wanted: str, force: bool = False, workers: int = 1
) -> Iterator[tuple[Regrade, dict[str, Change]]]:
    """Grade the class again, and give what there is to write with what is shown."""
    run = ClassRun(made.directory, made.grading, workers, force)
    with TemporaryDirectory() as spool, run.at_work() as processes:
        url = made.directory.db_url
        held = read_stored_grades(url, made.stem) if is_there(url) else StoredGrades()
        regrade = Regrade(run, held, Path(spool))
        handed_in = students_with_folder(made.directory, made.stem)
        present = present_students(handed_in, frozenset(wanted))
        absent = absent_students(handed_in, held.students, frozenset(wanted))
        changes = list(regrade.changes(processes, present, absent))
        yield regrade, {one.student: one for one in changes}


@pytest.fixture
def shown() -> Callable[..., dict[str, Change]]:
    """Return a function that grades a class again and writes nothing."""

    def of(made: Class, *wanted: str, **options: object) -> dict[str, Change]:
        with regraded(made, *wanted, **options) as (_, changes):
            return changes

    return of


@pytest.fixture
def written() -> Callable[..., dict[str, Change]]:
    """Return a function that grades a class again and writes what it shows."""

    def of(made: Class, *wanted: str, **options: object) -> dict[str, Change]:
        with regraded(made, *wanted, **options) as (regrade, changes):
            with closing(made.open_gradebook()) as gradebook:
                recorded = {one.student for one in regrade.write(gradebook)}
            assert recorded == {name for name, one in changes.items() if one.affected}
            return changes

    return of


def digests(root: Path) -> dict[str, str]:
    """Return a digest of every file of a course, but for the lock."""
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.name != LOCK
    }


def kinds(changes: dict[str, Change]) -> dict[str, str]:
    """Return what becomes of each student, in a word."""
    return {name: one.kind for name, one in changes.items()}


def test_nothing_is_touched_before_it_is_written(a_class: Class, shown: Callable) -> None:
    """Not a file, and not a byte of the gradebook, whatever has changed and whoever is new."""
    a_class.grade("ada", "bob", "dan")
    before = digests(a_class.root)
    changes = shown(corrected(a_class))
    assert digests(a_class.root) == before
    assert kinds(changes) == {"ada": "changed", "bob": "changed", "cyd": "new", "dan": "changed"}
    ada = changes["ada"]
    points = a_class.grading.master.exercises[NAME].points
    assert (ada.difference, ada.max_score - ada.old_max_score) == (MORE - points, MORE - points)
    assert {name: (one.old_score, one.new_score) for name, one in ada.exercises.items()} == {
        NAME: (points, MORE)
    }


def test_points_that_were_changed_since_are_no_student_s_doing(a_class: Class, right: str) -> None:
    """A copy that was released with other points is as it was given; one with points of its own is not."""
    made = corrected(a_class)
    assert not any("metadata" in note for note in made.grade()["ada"].notes)
    document = json.loads(graded_cells(right))
    (check,) = [cell for cell in document["cells"] if cell["id"] == f"{NAME}-check"]
    for points in (1000, True, "3", None, 10**400):
        check["metadata"]["nbgrader"]["points"] = points
        made.hand_in("ada", json.dumps(document))
        outcome = made.grade("ada")["ada"]
        assert (outcome.status, outcome.max_score) == ("graded", 14)
        assert any("had changed metadata" in note for note in outcome.notes)


def test_nothing_is_made_where_nothing_was_graded(a_class: Class, shown: Callable) -> None:
    """Not even a gradebook: everybody is new."""
    before = digests(a_class.root)
    assert set(kinds(shown(a_class)).values()) == {"new"}
    assert digests(a_class.root) == before


def test_what_is_shown_is_what_is_written(a_class: Class, written: Callable, shown: Callable) -> None:
    """The scores in verdict files and gradebook are those of the table, and then nothing is left to do."""
    a_class.grade()
    made = corrected(a_class)
    changes = written(made)
    for student, change in changes.items():
        assert json.loads(made.graded(student).read_text())["score"] == (change.new_score or 0)
        recorded = [row[2] for row in made.grades() if row[0] == student]
        assert (None if None in recorded else sum(recorded)) == change.new_score
    assert set(kinds(shown(made)).values()) == {"unchanged"}
    assert not any(one.fresh for one in made.grade().values())


def test_points_of_the_gradebook_are_the_new_ones(a_class: Class, written: Callable) -> None:
    """The gradebook has the new number of points to earn, and what a person gave is still there."""
    a_class.grade()
    url, stem = a_class.directory.db_url, a_class.stem
    with Gradebook(url, "attention") as gradebook:
        grade = gradebook.find_grade(f"{NAME}-check", stem, stem, "bob")
        grade.manual_score, grade.extra_credit = 1.25, 0.5
        gradebook.find_comment(NAME, stem, stem, "bob").manual_comment = "Nearly."
        gradebook.db.commit()
    made = corrected(a_class)
    bob = written(made)["bob"]
    assert bob.by_hand == {NAME: 1.25}
    with Gradebook(url, "attention") as gradebook:
        whole = sum(one.points for one in made.grading.master.exercises.values())
        assert gradebook.find_assignment(stem).max_score == whole
        submission = gradebook.find_submission(stem, "ada")
        assert (submission.score, submission.max_score) == (whole, whole)
        grade = gradebook.find_grade(f"{NAME}-check", stem, stem, "bob")
        assert (grade.manual_score, grade.extra_credit, grade.score) == (1.25, 0.5, 1.75)
        assert (grade.max_score, grade.needs_manual_grade) == (MORE, True)
        assert gradebook.find_comment(NAME, stem, stem, "bob").manual_comment == "Nearly."


def test_score_that_is_shown_is_the_gradebook_s(a_class: Class, written: Callable) -> None:
    """With points by hand and extra credit, before and after; where these stay nothing goes up."""
    a_class.grade()
    url, stem = a_class.directory.db_url, a_class.stem
    names = list(a_class.grading.master.exercises)

    def score(student: str) -> float:
        with Gradebook(url, "attention") as gradebook:
            return gradebook.find_submission(stem, student).score

    with Gradebook(url, "attention") as gradebook:
        for name, manual, extra in ((NAME, 0.5, 0.25), (names[1], None, 1.0)):
            grade = gradebook.find_grade(f"{name}-check", stem, stem, "ada")
            grade.manual_score, grade.extra_credit = manual, extra
        gradebook.db.commit()
    before = score("ada")
    whole = sum(one.points for one in a_class.grading.master.exercises.values())
    first = a_class.grading.master.exercises[NAME].points
    assert before == whole - first + 0.5 + 0.25 + 1.0
    ada = written(corrected(a_class))["ada"]
    assert (ada.old_score, ada.new_score, ada.difference) == (before, score("ada"), 0)
    assert (ada.exercises[NAME].old_points, ada.exercises[NAME].points) == (0.75, 0.75)


def test_graded_anew_is_no_change(a_class: Class, written: Callable) -> None:
    """Where the score and the verdicts stay, what is written counts as that; a new time is a change."""
    a_class.grade()
    a_class.page("ada").write_text("edited")
    a_class.page("dan").write_text("edited")
    time = a_class.root / "submitted" / "bob" / a_class.stem / "timestamp.txt"
    time.write_text("2026-03-01 12:00:00 UTC")
    changes = written(a_class, force=True)
    assert kinds(changes) == {**{"ada": "anew", "bob": "changed", "cyd": "unchanged", "dan": "anew"}}
    assert [name for name, one in changes.items() if one.retimed] == ["bob"]


def test_only_what_is_affected_is_graded(a_class: Class, shown: Callable, right: str) -> None:
    """With nothing changed nothing is shown; a new notebook of one student is that student's alone."""
    a_class.grade()
    assert set(kinds(shown(a_class)).values()) == {"unchanged"}
    a_class.hand_in("cyd", graded_cells(right))
    changes = shown(a_class)
    assert {name for name, one in changes.items() if one.affected} == {"cyd"}
    assert changes["cyd"].difference == sum(one.points for one in a_class.grading.master.exercises.values())
    assert changes["cyd"].exercises[NAME].old_diagnosis == ("not-implemented",)


def test_all_is_graded_again_if_asked_for(a_class: Class, shown: Callable, written: Callable) -> None:
    """Also what no change affects: what somebody has edited since is put right again."""
    a_class.grade()
    assert set(kinds(shown(a_class, force=True)).values()) == {"unchanged"}
    path = a_class.page("bob")
    text = path.read_text()
    path.write_text("edited")
    assert set(kinds(shown(a_class)).values()) == {"unchanged"}
    assert {name for name, one in written(a_class, force=True).items() if one.affected} == {"bob"}
    assert path.read_text() == text


def test_page_with_a_comment_is_as_it_should_be(a_class: Class, shown: Callable) -> None:
    """What a person gave is in the page, and no reason to write it again."""
    a_class.grade()
    with Gradebook(a_class.directory.db_url, "attention") as gradebook:
        gradebook.find_comment(NAME, a_class.stem, a_class.stem, "bob").manual_comment = "Nearly."
        gradebook.db.commit()
    a_class.grade()
    assert "Nearly." in a_class.page("bob").read_text()
    assert set(kinds(shown(a_class, force=True)).values()) == {"unchanged"}


def test_table_of_partial_credit_affects_the_class(a_class: Class, written: Callable, right: str) -> None:
    """A table is a change like any other, and so is taking it away."""
    notebook = json.loads(graded_cells(right))
    (cell,) = [one for one in notebook["cells"] if one["id"] == NAME]
    source = "".join(cell["source"])
    cell["source"] = source.replace(" / key.shape[-1] ** 0.5", "")
    assert cell["source"] != source
    a_class.hand_in("eve", json.dumps(notebook))
    a_class.grade()
    master = replace(a_class.grading.master, credit=PartialCredit({"missing-scale": 0.5}))
    with_table = replace(a_class, grading=replace(a_class.grading, master=master))
    eve = written(with_table)["eve"]
    assert (eve.difference, eve.exercises[NAME].new_score) == (1.5, 1.5)
    assert eve.exercises[NAME].old_diagnosis == eve.exercises[NAME].diagnosis == ("missing-scale",)
    assert {row[2] for row in with_table.grades() if row[:2] == ("eve", f"{NAME}-check")} == {1.5}
    assert written(a_class)["eve"].difference == -1.5


def test_everybody_has_a_word(a_class: Class, shown: Callable) -> None:
    """Errors, folders that are gone, students without one, and results of another version."""
    a_class.grade()
    with Gradebook(a_class.directory.db_url, "attention") as gradebook:
        gradebook.add_student("zoe")
    a_class.hand_in("ada", "{")
    (a_class.root / "submitted" / "bob").rename(a_class.root / "moved")
    a_class.graded("cyd").write_text('{"version": 0}')
    a_class.hand_in("x" * 200, "{")
    changes = shown(a_class)
    assert kinds(changes) == {
        **{"ada": "changed", "bob": "gone", "cyd": "anew", "dan": "unchanged"},
        **{"zoe": "missing", "x" * 200: "new"},
    }
    points = sum(one.points for one in a_class.grading.master.exercises.values())
    assert (changes["ada"].status, changes["ada"].old_score) == ("error", points)
    assert (changes["ada"].new_score, changes["ada"].difference) == (None, None)
    assert changes["ada"].reason
    assert changes["bob"].old_score == changes["bob"].new_score == points - 3
    assert (changes["cyd"].old_score, changes["cyd"].difference) == (0, 0)
    assert changes["x" * 200].status == "error"
    json.dumps([one.to_json() for one in changes.values()])


def test_unnameable_folder_is_not_written_again_and_again(
    a_class: Class, written: Callable, shown: Callable
) -> None:
    """The gradebook cannot hold it; its page and verdict file are there, and nothing has changed."""
    a_class.hand_in("x" * 200, "{")
    written(a_class)
    assert set(kinds(shown(a_class)).values()) == {"unchanged"}


def test_lost_gradebook_is_filled_again(a_class: Class, written: Callable) -> None:
    """A result that only the verdict file holds is one to write."""
    a_class.grade()
    before = a_class.everything()
    (a_class.root / "gradebook.db").unlink()
    changes = written(a_class)
    assert set(kinds(changes).values()) == {"changed"}
    assert {name: one.difference for name, one in changes.items()} == {
        **dict.fromkeys(("ada", "bob", "cyd"), 0),
        "dan": None,
    }
    assert a_class.everything() == before


def test_one_student_alone(a_class: Class, written: Callable) -> None:
    """The others keep what they have; one that nobody knows is an error."""
    a_class.grade()
    made = corrected(a_class)
    assert set(written(made, "ada")) == {"ada"}
    assert {name for name, one in made.grade().items() if one.fresh} == {"bob", "cyd", "dan"}
    with pytest.raises(GraderError, match="no student zoe"):
        written(made, "zoe")


def test_as_many_workers_as_one_likes(a_class: Class, shown: Callable) -> None:
    """One and three show the same."""
    a_class.grade()
    made = corrected(a_class)
    assert shown(made, workers=1) == shown(made, workers=3)


def test_cells_that_nbgrader_cannot_exchange_are_told_first(a_class: Class, shown: Callable) -> None:
    """A check cell that the gradebook does not know ends it before anything is graded."""
    a_class.grade()
    with closing(sqlite3.connect(a_class.root / "gradebook.db")) as connection, connection:
        connection.execute("update base_cell set name = 'other' where name = ?", (f"{NAME}-check",))
    with pytest.raises(GraderError, match=rf"graded cells then: {NAME}-check, other\."):
        shown(a_class)


def test_gradebook_that_is_none_is_an_error(a_class: Class, shown: Callable) -> None:
    """And is not replaced."""
    path = a_class.root / "gradebook.db"
    path.write_text("no database" * 100)
    with pytest.raises(GraderError, match="gradebook"):
        shown(a_class)
    path.write_bytes(b"")
    assert read_stored_grades(a_class.directory.db_url, a_class.stem) == StoredGrades()
    assert path.read_bytes() == b""


@pytest.mark.parametrize("steps", [1, 2, 4, 6, 9, 13])
def test_killed_in_the_middle_of_writing(
    a_class: Class,
    new_class: Callable,
    written: Callable,
    right: str,
    released: str,
    monkeypatch: pytest.MonkeyPatch,
    steps: int,
) -> None:
    """The next run writes the others, and leaves what an undisturbed one leaves."""
    undisturbed = new_class("undisturbed")
    fill(undisturbed, right, released)
    undisturbed.grade()
    written(corrected(undisturbed))
    a_class.grade()
    child = os.fork()
    if child == 0:
        kill_after(steps, monkeypatch)
        written(corrected(a_class))
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status)
    written(corrected(a_class))
    assert a_class.everything() == undisturbed.everything()
