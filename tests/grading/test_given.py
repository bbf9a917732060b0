"""What a person gave in formgrader, and the feedback page: it shows that, whoever makes the page."""

import json
import re
import shutil
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from small_class import Class, graded_cells

from grader.course.notebooks import check_id
from grader.course.paths import CoursePaths
from grader.grading import class_run
from grader.grading.class_reading import GradedCourse
from grader.grading.master import Master
from grader.reporting.class_report import report_on
from grader.reporting.exports.grades import open_grades

COMMENT = "Nearly: look at <b>line 3</b>.\n\n$$x$$ & more."
# Its two paragraphs, as text.
SHOWN = COMMENT.replace("\n\n", "\n")


@pytest.fixture
def first(master: Master) -> str:
    """Return the exercise that bob has wrong."""
    return next(iter(master.exercises))


@pytest.fixture
def give(a_class: Class, first: str) -> Callable[..., None]:
    """Return a function that does what formgrader does when a person decides on bob's first exercise."""

    def given(comment: str | None = None, score: float | None = None, extra: float | None = None) -> None:
        with Gradebook(a_class.directory.db_url, "attention") as gradebook:
            place = (a_class.stem, a_class.stem, "bob")
            gradebook.find_comment(first, *place).manual_comment = comment
            check = check_id(a_class.grading.master.exercises[first])
            grade = gradebook.find_grade(check, *place)
            grade.manual_score, grade.extra_credit = score, extra
            grade.needs_manual_grade = score is None and grade.auto_score is None
            gradebook.db.commit()

    return given


def shown(page: Path) -> str:
    """Return the text of a page, without its elements."""
    return unescape(re.sub(r"<[^>]*>", "", page.read_text(encoding="utf-8")))


def test_next_run_shows_it(a_class: Class, give: Callable, first: str) -> None:
    """Comment, score, extra credit and the new sum; what has not changed is not run again."""
    before = a_class.grade()["bob"].score
    untouched = a_class.page("ada").read_text()
    give(COMMENT, 1.5, 0.25)
    assert not a_class.grade()["bob"].fresh
    text, most = shown(a_class.page("bob")), a_class.grading.master.exercises[first].points
    assert SHOWN in text
    assert f"Given by hand: 1.5 of {most} points." in text and "Extra credit: 0.25." in text
    assert f"{before + 1.75:g} of" in text
    assert a_class.page("ada").read_text() == untouched


def test_what_is_taken_back_is_gone(a_class: Class, give: Callable) -> None:
    """The page is the one from before; an emptied comment, which formgrader keeps as no text, is none."""
    a_class.grade()
    before = a_class.page("bob").read_text()
    give(COMMENT, 1.5)
    a_class.grade()
    assert a_class.page("bob").read_text() != before
    give(" ")
    a_class.grade()
    assert a_class.page("bob").read_text() == before


def test_new_submission_keeps_it(a_class: Class, give: Callable, released: str) -> None:
    """A student who hands in again, and is graded again, does not lose the comment."""
    a_class.grade()
    give(COMMENT, 1.5)
    a_class.hand_in("bob", graded_cells(released))
    assert a_class.grade()["bob"].fresh
    assert SHOWN in shown(a_class.page("bob"))


def test_points_for_an_earlier_answer_are_to_be_reviewed(
    a_class: Class, give: Callable, released: str, first: str, repository: Path
) -> None:
    """Run, page, report and export say so, with one score, until a person saves the points again."""
    CoursePaths(a_class.root).config.write_bytes(CoursePaths(repository).config.read_bytes())
    a_class.grade()
    give(score=1.5)
    assert a_class.grade()["bob"].review == ()
    path = a_class.root / "submitted" / "bob" / a_class.stem / f"{a_class.stem}.ipynb"
    a_class.hand_in("bob", json.dumps(json.loads(path.read_text()), indent=3))
    assert a_class.grade()["bob"].fresh
    assert a_class.grade()["bob"].review == (), "the same answer in another file"
    a_class.hand_in("bob", graded_cells(released))
    assert a_class.grade()["bob"].review == (first,)
    again = a_class.grade()["bob"]
    assert (again.review, again.score) == ((first,), 1.5), "and as long as nobody has looked"

    page = shown(a_class.page("bob"))
    course = GradedCourse(CoursePaths(a_class.root))
    report = report_on(course.read(a_class.grading.master.chapter), course.answers, course.own_code)
    exported = open_grades(a_class.directory.db_url, [a_class.stem]).assignments[0].of("bob")
    assert "given before your answer, or the points to earn, changed" in page
    assert f"gave points: bob ({first})." in report.review_sentence
    assert exported.status == "review"
    assert exported.score == report.review[0].score == 1.5
    assert "1.5 of" in page

    give(score=2.0)
    assert a_class.grade()["bob"].review == ()
    assert "or the points to earn, changed" not in shown(a_class.page("bob"))


def without_answer(right: str, first: str, own: str) -> str:
    """Return the right notebook with a learner's own cell in the place of an answer's."""
    document = json.loads(graded_cells(right))
    for cell in document["cells"]:
        if cell["id"] == first:
            cell["metadata"], cell["id"], cell["source"] = {}, "own", own
    return json.dumps(document)


def test_points_for_a_deleted_answer_need_no_second_look(
    a_class: Class, give: Callable, right: str, first: str
) -> None:
    """Where it is still not there; what was written elsewhere since, or an unreadable file before, does."""
    a_class.hand_in("bob", without_answer(right, first, "a = 1"))
    a_class.grade()
    give(score=1.5)
    assert a_class.grade("bob", force=True)["bob"].review == ()
    a_class.hand_in("bob", without_answer(right, first, "a = 2"))
    assert a_class.grade("bob")["bob"].review == (first,)
    a_class.hand_in("bob", "{")
    a_class.grade("bob")
    give(score=1.5)
    a_class.hand_in("bob", without_answer(right, first, "a = 2"))
    assert a_class.grade("bob")["bob"].review == (first,)


def test_page_never_lacks_it(
    a_class: Class, give: Callable, released: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new page is written once, with the comment: a run that is killed cannot leave one without."""
    a_class.grade()
    give(COMMENT)
    a_class.hand_in("bob", graded_cells(released))
    put, written = class_run.write_if_changed, []

    def counted(path: Path, content: str) -> None:
        put(path, content)
        if path == a_class.page("bob"):
            written.append(SHOWN in shown(path))

    monkeypatch.setattr(class_run, "write_if_changed", counted)
    a_class.grade()
    assert written == [True]


def test_page_is_not_written_twice(a_class: Class, give: Callable) -> None:
    """A page that shows everything is left alone."""
    a_class.grade()
    give(COMMENT)
    a_class.grade()
    page = a_class.page("bob")
    page.write_text(page.read_text() + "<!-- the same -->")
    a_class.grade()
    assert page.read_text().endswith("<!-- the same -->")


def test_formgrader_s_button_writes_the_same_page(
    a_class: Class, give: Callable, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it calls makes the page of `grader grade`, comment and all."""
    CoursePaths(a_class.root).config.write_bytes(CoursePaths(repository).config.read_bytes())
    monkeypatch.chdir(a_class.root)
    a_class.grade()
    give(COMMENT, 1.5)
    made = NbGraderAPI(a_class.directory, config=a_class.config).generate_feedback(a_class.stem, "bob")
    assert made["success"], made
    by_nbgrader = a_class.page("bob").read_text()
    assert SHOWN in shown(a_class.page("bob"))
    a_class.page("bob").unlink()
    a_class.grade("bob")
    assert a_class.page("bob").read_text() == by_nbgrader


def test_restored_course_needs_no_second_look(a_class: Class, give: Callable) -> None:
    """Where only what was handed in and the gradebook are left, points by hand are what they were."""
    a_class.grade()
    give(COMMENT, 1.5)
    for folder in ("autograded", "feedback"):
        shutil.rmtree(a_class.root / folder)
    outcome = a_class.grade()["bob"]
    assert (outcome.fresh, outcome.review) == (True, ())
    assert "Given by hand: 1.5" in shown(a_class.page("bob"))
