"""An instructor's way through formgrader: grade a submission, read it, decide by hand, give feedback."""

import json
import re
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, FrameLocator, Page, Route, expect

from grader.checking.mistakes import explain
from grader.course.notebooks import check_id
from grader.course.paths import CoursePaths
from grader.exercises import find_chapter, find_exercise
from grader.grading.sample_class import make_sample_class
from grader.references import load_for_grading
from tests.browser.conftest import BIN, REPOSITORY, Server
from tests.browser.desk import PATIENCE

CHAPTER = find_chapter("ch04_self_attention")
STEM = CHAPTER.stem
# Of this class the first and the last have mistakes with a name.
STUDENTS, SEED = 3, 6
BY_BUTTON, BY_COMMAND = "student-03", "student-01"
COMMENT = "Nearly: which size stands under the fraction? See page 3 & ask <b>me</b>."
# nbgrader's template of a submission names this address, and no setting changes it. Without it formulas stay
# as they were typed and formgrader's keys do nothing; scores and comments work.
MATHJAX = "https://cdnjs.cloudflare.com/ajax/libs/mathjax/2.7.7/latest.js?config=TeX-AMS_CHTML-full,Safe"

COLORS = "all => all.map(one => getComputedStyle(one).backgroundColor)"


@dataclass(frozen=True)
class Class:
    """A class whose course JupyterLab shows."""

    root: Path
    expected: dict[str, dict]

    def grade(self, *options: str) -> list[dict]:
        """Grade with `grader grade`, and return what it says."""
        command = [BIN / "grader", "grade", STEM, "--json", *options]
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    def page(self, student: str) -> Path:
        """Return where a student's feedback page is."""
        return self.root / "feedback" / student / STEM / f"{STEM}.html"

    def wrong(self, student: str) -> tuple[str, str]:
        """Return a student's first exercise that is wrong, and the title of the mistake."""
        exercises = self.expected[student]["exercises"]
        name, diagnosis = next(
            (name, one["diagnosis"]) for name, one in exercises.items() if one["diagnosis"]
        )
        return name, str(explain(diagnosis[0]).title)


@pytest.fixture(scope="module")
def a_class(tmp_path_factory: pytest.TempPathFactory) -> Class:
    """Return a class of three; one of them is graded by `grader grade`."""
    root = tmp_path_factory.mktemp("class") / "course"
    expected = make_sample_class(CHAPTER, CoursePaths(REPOSITORY), root, STUDENTS, SEED)
    made = Class(root, expected)
    made.grade("--student", BY_COMMAND)
    return made


@pytest.fixture(scope="module")
def server(a_class: Class, serve: Callable[..., Server]) -> Server:
    """Return a JupyterLab in the course's folder."""
    return serve(a_class.root)


@pytest.fixture
def elsewhere(context: BrowserContext) -> Iterator[list[str]]:
    """Return what pages ask of other machines; it is refused here, before the watch over all else sees it."""
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.abort()

    context.route(re.compile(r"^https?://(?!127\.0\.0\.1[:/])"), refuse)
    yield asked
    assert set(asked) <= {MATHJAX}


@pytest.fixture
def formgrader(page: Page, server: Server, elsewhere: list[str]) -> Callable[[str], Page]:
    """Return a function that opens one of formgrader's pages by its address."""
    page.set_extra_http_headers({"Authorization": f"token {server.token}"})

    def opened(place: str) -> Page:
        page.goto(f"{server.url}/formgrader/{place}", timeout=PATIENCE)
        return page

    return opened


def rows(page: Page | FrameLocator, text: str) -> object:
    """Return the row of formgrader's table with a text in it."""
    return page.locator("#main-table tr").filter(has_text=text)


def test_formgrader_opens_from_the_menu(
    page: Page, server: Server, elsewhere: list[str], photograph: Callable[[str], None]
) -> None:
    """Nbgrader > Formgrader shows the chapter with its three submissions, and leads to them."""
    page.goto(f"{server.url}/lab?token={server.token}", timeout=PATIENCE)
    page.locator(".lm-MenuBar-item", has_text="Nbgrader").click(timeout=PATIENCE)
    page.locator(".lm-Menu-itemLabel").get_by_text("Formgrader", exact=True).click()
    formgrader = page.frame_locator("iframe")
    row = rows(formgrader, STEM)
    expect(row.locator(".num-submissions")).to_have_text(str(STUDENTS), timeout=PATIENCE)
    photograph("assignments")
    row.locator(".num-submissions a").click()
    expect(rows(formgrader, "student-")).to_have_count(STUDENTS, timeout=PATIENCE)
    photograph("submissions")
    assert elsewhere == []


def test_autograde_gives_the_score_of_grader_grade(
    a_class: Class, formgrader: Callable[[str], Page], photograph: Callable[[str], None]
) -> None:
    """The button succeeds, and the table then has what `grader grade` gives for the same submission."""
    page = formgrader(f"manage_submissions/{STEM}")
    row = rows(page, BY_BUTTON)
    row.locator(".autograde a").click()
    expect(page.locator("#success-modal")).to_contain_text("Successfully autograded", timeout=PATIENCE)
    photograph("autograded")
    (graded,) = a_class.grade("--student", BY_BUTTON, "--force")
    expect(row.locator(".score")).to_have_text(f"{graded['score']:g} / {graded['max_score']:g}")
    page.locator("#success-modal").get_by_role("button", name="OK").click()
    expect(page.locator("#success-modal")).to_have_count(0)
    photograph("score")
    assert graded["score"] == a_class.expected[BY_BUTTON]["score"] < graded["max_score"]


def hidden_from_students(exercise: str) -> set[str]:
    """Return the numbers expected on an exercise's hidden cases, as verdicts print them."""
    reference = load_for_grading(STEM, exercise, CoursePaths(REPOSITORY))
    found: dict[bool, set[str]] = {True: set(), False: set()}
    for case in reference.cases:
        numbers = reference.expected[case.name]["result"].values.flatten().tolist()
        found[case.visible] |= {f"{number:.4f}" for number in numbers}
    return found[False] - found[True]


@pytest.fixture
def submission(a_class: Class, formgrader: Callable[[str], Page]) -> Page:
    """Return the page of a submission, opened from the list of those to grade by hand."""
    page = formgrader(f"gradebook/{STEM}/{STEM}")
    rows(page, BY_COMMAND).locator(".name a:visible").click(timeout=PATIENCE)
    page.wait_for_url("**/submissions/*/**")
    name, _ = a_class.wrong(BY_COMMAND)
    expect(page.locator(f"#{name}-comment")).to_have_attribute("placeholder", re.compile("."))
    return page


def test_submission_shows_the_named_mistake(
    a_class: Class, submission: Page, elsewhere: list[str], photograph: Callable[[str], None]
) -> None:
    """The check's cell has the verdict with both tables, in color; of a hidden case there is nothing."""
    name, title = a_class.wrong(BY_COMMAND)
    cell = submission.locator(f"#{check_id(find_exercise(name))}").locator(
        "xpath=ancestor::div[contains(@class, 'code_cell')]"
    )
    expect(cell).to_contain_text(title)
    cell.scroll_into_view_if_needed()
    photograph("verdict")
    shown = cell.locator("xpath=.//table[not(ancestor::details)]")  # the steps are folded
    expect(shown).to_have_count(2)  # the learner's numbers, and the target
    yours, target = (set(table.locator("td").evaluate_all(COLORS)) for table in shown.all())
    assert len(target) > 1 and yours  # numbers that all lie outside of the target's range have one color
    assert "rgba(0, 0, 0, 0)" not in yours | target
    page, hidden = submission.content(), hidden_from_students(name)
    assert hidden and not [one for one in hidden if one in page]
    assert elsewhere == [MATHJAX]


def test_comment_and_points_reach_the_feedback_page(
    a_class: Class, submission: Page, formgrader: Callable[[str], Page], photograph: Callable[[str], None]
) -> None:
    """What is written and given by hand is kept, and in the page that the student gets, whoever makes it."""
    name, _ = a_class.wrong(BY_COMMAND)
    check = check_id(find_exercise(name))
    with submission.expect_response(
        lambda one: "/api/comment/" in one.url and one.request.method == "PUT"
    ) as kept:
        submission.locator(f"#{name}-comment").fill(COMMENT)
        submission.locator(f"#{name}-comment").blur()
    assert kept.value.ok
    with submission.expect_response(
        lambda one: "/api/grade/" in one.url and one.request.method == "PUT"
    ) as kept:
        submission.locator(f"#{check}").fill("1.5")
        submission.locator(f"#{check}").blur()
    assert kept.value.ok
    photograph("commented")
    submission.reload()
    expect(submission.locator(f"#{name}-comment")).to_have_value(COMMENT)
    expect(submission.locator(f"#{check}")).to_have_value("1.5")

    manage = formgrader(f"manage_submissions/{STEM}")
    rows(manage, BY_COMMAND).locator(".generate-feedback a").click()
    expect(manage.locator("#success-modal")).to_contain_text(
        "Successfully generated feedback", timeout=PATIENCE
    )
    photograph("generated")
    by_button = a_class.page(BY_COMMAND).read_text()
    a_class.page(BY_COMMAND).unlink()
    a_class.grade("--student", BY_COMMAND)
    assert a_class.page(BY_COMMAND).read_text() == by_button

    manage.goto(a_class.page(BY_COMMAND).as_uri())
    said = manage.locator("section", has=manage.locator(f"#{name}")).locator(".notice")
    expect(said).to_contain_text(COMMENT)
    expect(said).to_contain_text("Given by hand: 1.5 of 3 points")
    said.scroll_into_view_if_needed()
    photograph("feedback")
    manage.evaluate("scrollTo(0, 0)")
    photograph("feedback-top")
