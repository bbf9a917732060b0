"""What is read from the gradebook: nbgrader's final grades."""

import csv
from pathlib import Path

import pytest
from exports_cases import FINAL
from nbgrader.api import Gradebook

from grader.course.notebooks import check_id
from grader.errors import GraderError
from grader.exercises import Chapter
from grader.reporting.exports.grades import ClassGrades, open_grades
from grader.reporting.exports.options import ExportOptions
from grader.reporting.exports.plain_table import plain_table


def test_final_scores(grades: ClassGrades) -> None:
    """Manual grades, extra credit and penalties count; nobody falls below zero."""
    (assignment,) = grades.assignments
    assert assignment.max_score == 12
    assert {name: assignment.of(name).score for name in FINAL} == FINAL
    assert assignment.of("bo").late_penalty == 2.0


def test_they_are_nbgrader_s(grades: ClassGrades, gradebook_url: str, chapter: Chapter) -> None:
    """The same numbers as nbgrader's own exporter writes."""
    with Gradebook(gradebook_url) as gradebook:
        for name in FINAL:
            held = gradebook.find_submission(chapter.stem, name)
            assert grades.assignments[0].of(name).score == max(0.0, held.score - held.late_submission_penalty)


def test_statuses(grades: ClassGrades) -> None:
    """What was not handed in, or not decided, has no score: it is never a zero."""
    (assignment,) = grades.assignments
    statuses = {person.id: assignment.of(person.id).status for person in grades.people}
    assert statuses == {
        "ada": "graded",
        "bo": "review",
        "chen": "graded",
        "dev": "graded",
        "eve": "missing",
        "fay": "ungraded",
    }
    assert assignment.of("eve").score is None
    assert assignment.of("fay").score is None


def test_points_by_exercise(grades: ClassGrades, chapter: Chapter) -> None:
    """In the chapter's order, with what a person has given."""
    (assignment,) = grades.assignments
    assert assignment.parts == tuple(chapter.by_id)
    assert list(assignment.of("bo").parts.values()) == [1.5, 3.0, 2.0, 4.0]


def test_people_are_sorted_whatever_accents_they_have(gradebook_url: str, chapter: Chapter) -> None:
    """In every export and note."""
    with Gradebook(gradebook_url) as gradebook:
        gradebook.add_student("nu", first_name="Nu", last_name="Ñandú")
        gradebook.add_student("zoe", first_name="Zoe", last_name="Zuse")
    ids = [person.id for person in open_grades(gradebook_url, [chapter.stem]).people]
    assert [one for one in ids if one in ("ada", "nu", "bo", "zoe")] == ["ada", "nu", "bo", "zoe"]


def test_what_is_left_out_is_empty(gradebook_url: str, chapter: Chapter) -> None:
    """What counts in nobody's points is no 0, not even beside an error; points by hand stay."""
    first, cell = chapter.exercises[0].id, check_id(chapter.exercises[0])
    with Gradebook(gradebook_url) as gradebook:
        gradebook.find_grade_cell(cell, chapter.stem, chapter.stem).max_score = 0
        for student in ("ada", "bo", "fay"):
            gradebook.find_grade(cell, chapter.stem, chapter.stem, student).auto_score = 0
        gradebook.db.commit()
    grades = open_grades(gradebook_url, [chapter.stem])
    _, *rows = csv.reader(plain_table(grades, ExportOptions()).text.splitlines())
    assert {row[0]: row[6] for row in rows if row[0] in ("ada", "bo", "fay")} == {
        "ada": "",
        "bo": "1.5",
        "fay": "",
    }
    assert grades.assignments[0].parts[0] == first
    assert grades.assignments[0].of("ada").status == "graded"


def test_nothing_is_written(gradebook_url: str, chapter: Chapter) -> None:
    """Reading leaves the gradebook as it is, byte by byte."""
    file = Path(gradebook_url.removeprefix("sqlite:///"))
    before = file.read_bytes()
    open_grades(gradebook_url, [chapter.stem])
    assert file.read_bytes() == before


def test_unknown_names(grades: ClassGrades, gradebook_url: str, chapter: Chapter) -> None:
    """An assignment or a student that is not there is an error that says what is."""
    with pytest.raises(GraderError, match=f"no assignment essay; it has: {chapter.stem}"):
        open_grades(gradebook_url, ["essay"])
    with pytest.raises(GraderError, match="no student nobody"):
        grades.without(["nobody"])
    assert len(grades.without(["eve", "fay"]).people) == 4


def test_gradebook_of_another_kind(tmp_path: Path, chapter: Chapter) -> None:
    """What is no gradebook of nbgrader's is one line."""
    (tmp_path / "other.db").write_bytes(b"nothing of the kind" * 50)
    with pytest.raises(GraderError, match="cannot be read"):
        open_grades(f"sqlite:///{tmp_path}/other.db", [chapter.stem])
