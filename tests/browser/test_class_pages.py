"""The pages that grading writes, in a browser: readable for everybody, on a desk and on a phone."""

import subprocess
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from playwright.sync_api import Page

from grader.course.notebooks import check_id
from grader.course.paths import CoursePaths
from grader.exercises import find_chapter
from grader.grading.sample_class import make_sample_class
from tests.browser.conftest import BIN, REPOSITORY
from tests.browser.readable import PHONE, fits_on_a_phone, serious_violations

CHAPTER = find_chapter("ch06_multi_head_attention")
STEM, EXERCISE = CHAPTER.stem, CHAPTER.exercises[-1].id
STUDENTS, SEED = 4, 6
BY_HAND, UNREAD, NAMED = "student-01", "student-02", "student-03"
# No line can be broken in it, and nobody would want to miss its end.
LONG = "Wolfeschlegelsteinhausenbergerdorff"
COMMENT = "Nearly: `scores / key.shape[-1] ** 0.5` and\n\n```\n" + "weights = " * 30 + "\n```\n"
WRITTEN = {
    "feedback by hand": f"feedback/{BY_HAND}/{STEM}/{STEM}.html",
    "feedback on an error": f"feedback/{UNREAD}/{STEM}/{STEM}.html",
    "report": "report.html",
    "report of all chapters": "all.html",
    "similarity": "similar.html",
    "term": "term.html",
}


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a graded class with an error, a copy, a long name, and points and a comment by hand."""
    root = tmp_path_factory.mktemp("class") / "course"
    make_sample_class(CHAPTER, CoursePaths(REPOSITORY), root, STUDENTS, SEED)
    notebooks = {path.parent.parent.name: path for path in root.glob(f"submitted/*/{STEM}/{STEM}.ipynb")}
    notebooks["student-04"].write_bytes(notebooks[NAMED].read_bytes())
    notebooks[UNREAD].write_text("{")

    def run(*arguments: str, status: int = 0) -> None:
        done = subprocess.run(
            [BIN / "grader", *arguments], cwd=root, capture_output=True, text=True, check=False
        )
        assert done.returncode == status, done.stderr

    run("grade", STEM, status=1)
    with Gradebook(f"sqlite:///{root}/gradebook.db", "attention") as gradebook:
        gradebook.update_or_create_student(NAMED, first_name=LONG, last_name=LONG)
        gradebook.find_comment(EXERCISE, STEM, STEM, BY_HAND).manual_comment = COMMENT
        grade = gradebook.find_grade(check_id(CHAPTER.parts[EXERCISE]), STEM, STEM, BY_HAND)
        grade.manual_score, grade.needs_manual_grade = 0.5, True
        gradebook.db.commit()
    run("grade", STEM, status=1)
    run("report", STEM, "--html", "report.html")
    run("report", "--all", "--html", "all.html")
    run("similarity", STEM, "--html", "similar.html")
    run("term", "--html", "term.html")
    return root


@pytest.fixture
def shown(course: Path, page: Page, request: pytest.FixtureRequest) -> Page:
    """Return a page, opened as a file, with all that is folded unfolded."""
    page.goto((course / WRITTEN[request.param]).as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    return page


@pytest.mark.parametrize("shown", WRITTEN, indirect=True)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_of_a_class_keep_nobody_out(shown: Page, scheme: str) -> None:
    """No page has a fault of accessibility that axe-core calls serious or critical."""
    shown.emulate_media(color_scheme=scheme)
    assert serious_violations(shown) == []


@pytest.mark.parametrize("shown", WRITTEN, indirect=True)
def test_pages_of_a_class_fit_on_a_phone(shown: Page, photograph: object) -> None:
    """No page is wider than a phone, and no table leaves the screen unless it scrolls by itself."""
    assert fits_on_a_phone(shown)
    photograph("phone")
    outside = shown.evaluate(
        """width => [...document.querySelectorAll('td, th')]
            .filter(cell => cell.getBoundingClientRect().right > width && !cell.closest('.scroll'))
            .map(cell => cell.innerText)""",
        PHONE["width"],
    )
    assert outside == []


@pytest.mark.parametrize("shown", ["feedback by hand"], indirect=True)
def test_points_are_seen_on_a_phone(shown: Page) -> None:
    """The column of the points, without scrolling."""
    shown.set_viewport_size(PHONE)
    edges = shown.evaluate(
        "[...document.querySelectorAll('.scores .points')].map(cell => cell.getBoundingClientRect().right)"
    )
    assert len(edges) == len(CHAPTER.parts) + 1
    assert max(edges) <= PHONE["width"]
