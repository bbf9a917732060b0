"""Reading a graded class: whatever is damaged or missing is said, and costs nobody else anything."""

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from nbgrader.api import Gradebook

from grader.cli import main
from grader.errors import GraderError
from grader.exercises import Chapter, Exercise
from grader.grading.class_reading import GradedCourse
from grader.grading.result_files import Places
from grader.proving.bank import Answer
from grader.reporting.class_data import report_csv, report_json
from grader.reporting.class_report import report_on
from grader.reporting.class_report_page import report_page
from grader.reporting.exports.grades import open_grades
from grader.reporting.graded import GradedStudent
from tests.graded_class import UNRECOGNIZED, Handed, everybody, usable, write_graded_class
from tests.pages import HOSTILE, Page, assert_harmless

NAMES = ("ada", "bob", "eve")


@pytest.fixture
def course(tmp_path: Path, chapter: Chapter) -> GradedCourse:
    """Return a class of three, all right, graded."""
    right = {one.id: usable(one)[0][0] for one in chapter.exercises}
    plan = {chapter.stem: [Handed(name, answers=dict(right)) for name in NAMES]}
    return write_graded_class(tmp_path / "course", [chapter], plan)


@pytest.fixture
def verdict(course: GradedCourse, chapter: Chapter) -> Path:
    """Return the first student's verdict file."""
    return Places(course.directory, chapter.stem).verdict("ada")


def page_of(course: GradedCourse, chapter: Chapter) -> Page:
    """Return the page on one assignment."""
    report = report_on(course.read(chapter), course.answers, course.own_code)
    json.loads(report_json([report], anonymous=False))
    report_csv([report])
    return Page(report_page([report], anonymous=False))


def by_name(course: GradedCourse, chapter: Chapter) -> dict[str, GradedStudent]:
    """Return the students that are read."""
    return {one.key: one for one in course.read(chapter).students}


DAMAGES: dict[str, bytes] = {
    "empty": b"",
    "cut": b'{"key": "x", "stat',
    "no JSON": b"\xff\xfe\x00",
    "another JSON": b"[1, 2]",
    "deep": b"[" * 100_000,
    "large": b" " * (2**20 + 1),
    "not a number": b'{"score": NaN}',
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_verdict_file(course: GradedCourse, chapter: Chapter, verdict: Path, damage: bytes) -> None:
    """The file is named with what to do; the gradebook's points count, and all others are as they were."""
    verdict.write_bytes(damage)
    students = by_name(course, chapter)
    assert "ada.verdict.json" not in students["ada"].problem
    assert f"autograded/ada/{chapter.stem}/{chapter.stem}.verdict.json is damaged" in students["ada"].problem
    assert f"`grader grade {chapter.stem} --student ada`" in students["ada"].problem
    most = sum(one.points for one in chapter.exercises)
    assert [one.score for one in students.values()] == [most] * 3
    assert [one.problem for one in students.values() if one.key != "ada"] == ["", ""]
    assert "is damaged" in page_of(course, chapter).text


def test_verdict_file_of_another_version(course: GradedCourse, chapter: Chapter, verdict: Path) -> None:
    """One that lacks an exercise is not taken."""
    data = json.loads(verdict.read_text())
    data["exercises"].pop(chapter.exercises[0].id)
    verdict.write_text(json.dumps(data))
    assert "of another version" in by_name(course, chapter)["ada"].problem


def test_verdict_file_is_missing(course: GradedCourse, chapter: Chapter, verdict: Path) -> None:
    """The gradebook's points count; that mistakes are not known is said."""
    verdict.unlink()
    ada = by_name(course, chapter)["ada"]
    assert (ada.status, ada.score) == ("graded", sum(one.points for one in chapter.exercises))
    assert "no verdict file" in ada.problem


def test_folder_is_gone(course: GradedCourse, chapter: Chapter, verdict: Path) -> None:
    """A student in the gradebook without any file keeps the score, and no path is given."""
    for path in verdict.parent.iterdir():
        path.unlink()
    verdict.parent.rmdir()
    ada = by_name(course, chapter)["ada"]
    assert (ada.status, ada.notebook) == ("graded", "")
    assert ada.score > 0


def test_gradebook_lacks_the_submission(course: GradedCourse, chapter: Chapter) -> None:
    """Where somebody has deleted it there, the verdict counts."""
    with closing(sqlite3.connect(course.paths.root / "gradebook.db")) as connection:
        for table in ("grade", "submitted_notebook", "submitted_assignment"):
            connection.execute(f"delete from {table}")
        connection.commit()
    students = by_name(course, chapter)
    assert [one.status for one in students.values()] == ["graded"] * 3
    assert students["ada"].score == sum(one.points for one in chapter.exercises)


def test_stale_scores_are_said(course: GradedCourse, chapter: Chapter, exercise: Exercise) -> None:
    """Where gradebook and verdict disagree without a person, the verdict counts, and the page says so."""
    with closing(sqlite3.connect(course.paths.root / "gradebook.db")) as connection:
        connection.execute("update grade set auto_score = 0")
        connection.commit()
    read = course.read(chapter)
    report = report_on(read, course.answers, course.own_code)
    assert (report.stale, report.changed) == (len(NAMES) * len(chapter.exercises), 0)
    assert "another automatic score" in page_of(course, chapter).text


def test_what_a_person_gave_wins(tmp_path: Path, chapter: Chapter, exercise: Exercise) -> None:
    """A manual score replaces the verdict's, zero too; extra credit is added; a grader's fault is decided."""
    right = {one.id: usable(one)[0][0] for one in chapter.exercises}
    first, second, third, *_ = (one.id for one in chapter.exercises)
    handed = Handed(
        "ada", answers=right, manual={first: 0.0, third: 2.0}, extra={second: 0.5}, faults={third}
    )
    course = write_graded_class(tmp_path / "course", [chapter], {chapter.stem: [handed]})
    ada = by_name(course, chapter)["ada"]
    assert ada.answers[first].points == 0
    assert ada.answers[second].points == chapter.by_id[second].points + 0.5
    assert (ada.answers[third].judged, ada.answers[third].points) == (None, 2.0)
    assert [one for one, answer in ada.answers.items() if answer.by_hand] == [first, second, third]
    assert not ada.undecided
    report = report_on(course.read(chapter), course.answers, course.own_code)
    assert report.changed == 3
    assert "The points of 3 answers differ" in page_of(course, chapter).text


def test_penalty_is_taken_off(tmp_path: Path, chapter: Chapter) -> None:
    """The score is that of nbgrader's export, never below zero."""
    right = {one.id: usable(one)[0][0] for one in chapter.exercises}
    most = sum(one.points for one in chapter.exercises)
    plan = [Handed("ada", answers=right, penalty=1.0), Handed("bob", answers=right, penalty=most + 5.0)]
    course = write_graded_class(tmp_path / "course", [chapter], {chapter.stem: plan})
    assert [one.score for one in course.read(chapter).students] == [most - 1, 0]
    assert "2 students lost points for handing in late" in page_of(course, chapter).text


def test_partial_credit_is_shown_and_is_not_right(
    tmp_path: Path, chapter: Chapter, exercise: Exercise
) -> None:
    """An answer that failed with points is partly right, whoever gave them."""
    answers = {one.id: usable(one)[0][0] for one in chapter.exercises}
    answers[exercise.id] = Answer("x", ("missing-scale",), "", "x = 1")
    handed = Handed("ada", answers=answers, partial={exercise.id: exercise.points / 2})
    course = write_graded_class(tmp_path / "course", [chapter], {chapter.stem: [handed]})
    report = report_on(course.read(chapter), course.answers, course.own_code)
    first = report.exercises[0]
    assert (first.right, first.partial, first.mean) == (0, 1, exercise.points / 2)
    assert report.changed == report.stale == 0


def test_unreadable_submission(tmp_path: Path, chapter: Chapter) -> None:
    """An error counts in no exercise, with its reason, until a person has given points for every one."""
    first = chapter.exercises[0].id
    every = dict.fromkeys(chapter.by_id, 1.0)
    plan = [
        Handed("ada", "error"),
        Handed("bob", "error", manual={first: 1.0}),
        Handed("eve", "error", manual=every),
    ]
    course = write_graded_class(tmp_path / "course", [chapter], {chapter.stem: plan})
    students = by_name(course, chapter)
    assert (students["ada"].status, students["ada"].reason) == ("error", "The file is empty.")
    assert (students["bob"].status, students["bob"].answers[first].points) == ("error", 1.0)
    assert (students["eve"].status, students["eve"].score) == ("graded", len(every))
    page = page_of(course, chapter)
    assert [one.score for one in students.values()] == [None, None, len(every)]
    assert "2 students wait for points by hand" in page.text
    assert "1 graded, 2 with an error, 0 missing" in page.text and "The file is empty." in page.text


def test_students_are_in_the_order_of_exports(tmp_path: Path, chapter: Chapter) -> None:
    """Last names, first names, ids: a list beside another one has the same rows."""
    people = {"s1": ("Émile", "Zola"), "s2": ("Ada", "Lovelace"), "s3": ("", ""), "s4": ("Zoë", "eco")}
    plan = {chapter.stem: [Handed(one, "missing") for one in people]}
    course = write_graded_class(tmp_path / "course", [chapter], plan)
    url = course.directory.db_url
    with Gradebook(url, "attention") as gradebook:
        for student, (first, last) in people.items():
            gradebook.update_or_create_student(student, first_name=first, last_name=last)
    read = [one.key for one in course.read(chapter).students]
    assert read == ["s4", "s2", "s3", "s1"]
    assert read == [one.id for one in open_grades(url, [chapter.stem]).people]


def test_handed_in_but_not_graded(course: GradedCourse, chapter: Chapter) -> None:
    """A folder that nobody graded yet is told apart from nothing."""
    (course.paths.root / "submitted" / "new" / chapter.stem).mkdir(parents=True)
    new = by_name(course, chapter)["new"]
    assert (new.status, new.reason) == ("missing", "Handed in, but not graded yet.")


@pytest.mark.parametrize("count", [1, 2, 30])
@pytest.mark.parametrize("answer", [None, UNRECOGNIZED, Answer("x", ("missing-scale",), "", "x = 1")])
def test_classes_all_alike(tmp_path: Path, chapter: Chapter, count: int, answer: Answer | None) -> None:
    """All right or all wrong, one student or many: no correlation is made up."""
    plan = {chapter.stem: everybody(chapter, count, answer)}
    course = write_graded_class(tmp_path / "course", [chapter], plan)
    report = report_on(course.read(chapter), course.answers, course.own_code)
    assert {one.share for one in report.exercises} == {100.0 if answer is None else 0.0}
    assert {one.discrimination.value for one in report.exercises} == {None}
    expected = ["nearly-all-fail"] if answer is UNRECOGNIZED and count == 30 else []
    assert all([concern.kind for concern in one.concerns] == expected for one in report.exercises)
    page = page_of(course, chapter)
    assert_harmless(page)
    assert page.text.count("not defined") == len(chapter.exercises)


def test_nobody_is_graded(tmp_path: Path, chapter: Chapter) -> None:
    """A class of whom nobody handed in anything that can be read has a report that says so."""
    plan = {chapter.stem: [Handed("ada", "missing"), Handed("bob", "error")]}
    course = write_graded_class(tmp_path / "course", [chapter], plan)
    page = page_of(course, chapter)
    assert "0 graded, 1 with an error, 1 missing" in page.text
    assert "Nobody is graded yet" in page.text
    assert "img" not in page.tags


def test_nobody_is_there(tmp_path: Path, chapter: Chapter) -> None:
    """A course without a student has no report; what to do is said."""
    course = write_graded_class(tmp_path / "course", [chapter], {chapter.stem: []})
    with pytest.raises(GraderError, match=r"No submission .* Run `grader grade"):
        course.read(chapter)


def test_gradebook_that_is_none(course: GradedCourse, chapter: Chapter) -> None:
    """A file that is no database is one clear error."""
    (course.paths.root / "gradebook.db").write_text("nothing of the kind" * 100)
    with pytest.raises(GraderError, match=r"gradebook .* cannot be read"):
        course.read(chapter)


def test_reading_changes_nothing(course: GradedCourse, chapter: Chapter) -> None:
    """The gradebook is the same bytes afterwards, and no file is new."""
    before = {path: path.read_bytes() for path in course.paths.root.rglob("*") if path.is_file()}
    page_of(course, chapter)
    after = {path: path.read_bytes() for path in course.paths.root.rglob("*") if path.is_file()}
    assert after == before


class TestHostile:
    """Names of folders, code, and the texts of verdict files are shown as text, wherever they appear."""

    @pytest.fixture
    def hostile(self, tmp_path: Path, chapter: Chapter, exercise: Exercise) -> GradedCourse:
        """Return a class whose names and cells are hostile."""
        markup = "<script>alert(1)<script>"
        names = ("=HYPERLINK(1)", "+1", "@x", "-1", markup, "a\nb\x1b[31m", "\u202eada", os.fsdecode(b"\xff"))
        wrong = {one.id: Answer("x", ("unrecognized",), "", HOSTILE) for one in chapter.exercises}
        coded = wrong | {
            exercise.id: Answer("x", (f"=1{HOSTILE}",), "", f"x = 1  # {HOSTILE}\ny = '{markup}'")
        }
        plan = [Handed(name, answers=coded if name == "+1" else wrong) for name in names[:-1]]
        course = write_graded_class(tmp_path / "course", [chapter], {chapter.stem: plan})
        places = Places(course.directory, chapter.stem)
        places.write_verdict(names[-1], Handed("", "error").record(chapter))
        return course

    def test_page(self, hostile: GradedCourse, chapter: Chapter) -> None:
        """Nothing runs, and nothing is lost."""
        page = page_of(hostile, chapter)
        assert_harmless(page)
        assert "=HYPERLINK(1)" in page.text and "a\\nb\\x1b[31m" in page.text
        assert "<script>alert(1)<script>" in page.text and "\\u202eada" in page.text
        assert f"=1{HOSTILE}".split("\u202e")[0] in page.text
        assert "{{ 7 * 7 }}" in page.text and "\u202e" not in page.text

    def test_terminal(self, hostile: GradedCourse, chapter: Chapter) -> None:
        """No control sequence and no markup of ours comes out of a name."""
        done = CliRunner().invoke(main, ["report", chapter.stem, "--course", str(hostile.paths.root)])
        assert done.exit_code == 0, done.output
        assert not any(sign in done.stdout for sign in ("\x1b[31m", "\u202e"))

    def test_spreadsheet(self, hostile: GradedCourse, chapter: Chapter) -> None:
        """No cell begins with what a spreadsheet computes."""
        report = report_on(hostile.read(chapter), hostile.answers, hostile.own_code)
        table = report_csv([report])
        for name in ("=HYPERLINK(1)", "+1", "@x", "-1"):
            assert f",'{name}," in table and f",{name}," not in table
        assert ",\"'=1" in table

    def test_notebook_of_another_kind(self, hostile: GradedCourse, chapter: Chapter) -> None:
        """A graded notebook that cannot be read leaves out an example, and nothing else."""
        place = Places(hostile.directory, chapter.stem).notebook("+1")
        for content in (b"", b"[" * 10_000, b"\xff\xff", b'{"cells": 3}', b" " * (2**24 + 1)):
            place.write_bytes(content)
            assert_harmless(page_of(hostile, chapter))


def test_cells_that_are_no_exercise(course: GradedCourse, chapter: Chapter) -> None:
    """Points for cells that are no exercise count in the score."""
    with closing(sqlite3.connect(course.paths.root / "gradebook.db")) as connection:
        connection.execute(
            "update base_cell set name = 'essay' where name = ?", (f"{chapter.exercises[0].id}-check",)
        )
        connection.commit()
    read = course.read(chapter)
    first = chapter.exercises[0]
    assert first.id not in read.max_points
    assert (read.other_points, read.max_score) == (first.points, sum(one.points for one in chapter.exercises))
    assert {one.score for one in read.students} == {read.max_score}


def test_chapters_are_those_with_submissions(course: GradedCourse, chapter: Chapter) -> None:
    """`--all` means what somebody handed in."""
    assert course.chapters() == (chapter,)
    (course.paths.root / "gradebook.db").unlink()
    with pytest.raises(GraderError, match="is missing"):
        course.chapters()
