"""The feedback page: all that a student needs, nothing that runs, whatever they sent."""

import json
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from grader.course.notebooks import check_id
from grader.exercises import Chapter
from grader.gradebook.stored import StoredScore, StoredSubmission
from grader.grading.record import NOTHING
from grader.messages import Message
from grader.reporting.feedback import HEAD, MAX_CELLS, MAX_CODE, MAX_LINES, feedback_page, mark_of
from grader.reporting.listing import listing
from tests.pages import HOSTILE, Page, assert_harmless

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="


@dataclass(frozen=True)
class Verdict:
    """One exercise's part of a record."""

    score: float
    max_score: float
    status: str
    diagnosis: tuple[str, ...] = ()
    said: Message = NOTHING
    decided: Message = NOTHING
    undecided: bool = False

    @property
    def points(self) -> float | None:
        """What counts."""
        return None if self.undecided or self.status == "error" else self.score


@dataclass(frozen=True)
class Graded:
    """What the page reads of a record."""

    exercises: dict[str, Verdict]
    notebook: str = ""
    status: str = "graded"
    why: Message = NOTHING
    told: tuple[Message, ...] = ()
    score: float = 3
    max_score: float = 12
    language: str = "en"


def code_cell(source: str, *outputs: dict, name: str = "") -> dict:
    """Return a code cell of a graded notebook."""
    metadata = {"nbgrader": {"grade_id": name}} if name else {}
    return {"cell_type": "code", "metadata": metadata, "source": source, "outputs": list(outputs)}


def printed(text: str) -> dict:
    """Return an output of printed text."""
    return {"output_type": "stream", "name": "stdout", "text": text}


@pytest.fixture
def page(chapter: Chapter) -> Callable[..., Page]:
    """Return a function that makes the page of cells, the first exercise passed and the others failed."""

    def of(*cells: dict, student: str = "", stored: StoredSubmission | None = None, **parts: object) -> Page:
        verdicts = {
            exercise.id: Verdict(0, exercise.points, "failed", ("missing-scale",), Message(HOSTILE))
            for exercise in chapter.exercises
        }
        verdicts[chapter.exercises[0].id] = Verdict(3, 3, "passed", (), Message("Right."))
        notebook = json.dumps({"cells": list(cells)}) if cells else ""
        return Page(
            feedback_page(Graded(verdicts, notebook, **parts), chapter, student, stored or StoredSubmission())
        )

    return of


def test_hostile_text_is_shown_as_text(chapter: Chapter, page: Callable) -> None:
    """Sources, outputs, errors, messages, names, notes and reasons are escaped."""
    name = chapter.exercises[1].id
    outputs = (
        printed(HOSTILE),
        {"output_type": "error", "ename": HOSTILE, "evalue": HOSTILE, "traceback": [HOSTILE]},
        {"output_type": "error", "ename": HOSTILE, "evalue": HOSTILE, "traceback": []},
        {"output_type": "display_data", "data": {"text/plain": HOSTILE, "image/png": PNG}, "metadata": {}},
        {"output_type": "execute_result", "data": {"text/plain": HOSTILE}, "metadata": {}},
    )
    cells = (code_cell(HOSTILE, *outputs, name=name), code_cell(HOSTILE, *outputs))
    made = page(*cells, student=HOSTILE, told=(Message(HOSTILE),), why=Message(HOSTILE), status="error")
    assert_harmless(made)
    assert made.text.count("<script>alert(1)</script>") >= 12
    assert "\u202e" not in made.text.split("Feedback for")[1].split("\n")[0]


def test_policy_forbids_scripts_and_the_network(page: Callable) -> None:
    """Even a browser that found something to run or to load would not."""
    made = page()
    assert ("meta", "http-equiv", "Content-Security-Policy") in made.attributes
    assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:" in made.values("content")


def test_page_can_be_read_by_ear(chapter: Chapter, page: Callable) -> None:
    """Language, one main heading, landmarks, labels that exist, and every picture described."""
    cells = [code_cell("x", {"output_type": "display_data", "data": {"image/png": PNG}, "metadata": {}})]
    made = page(*cells)
    assert ("html", "lang", "en") in made.attributes
    assert made.tags.count("h1") == 1 and {"header", "main", "nav"} <= set(made.tags)
    assert set(made.values("aria-labelledby")) <= set(made.values("id"))
    assert {value.removeprefix("#") for value in made.values("href")} <= set(made.values("id"))
    assert len(set(made.values("id"))) == len(made.values("id"))
    assert made.tags.count("img") == len(made.values("alt")) == 1
    assert "not passed" in made.text
    assert all(f"{number}. {one.subject}" in made.text for number, one in enumerate(chapter.exercises, 1))


def test_verdict_of_the_check_is_shown_as_it_is(chapter: Chapter) -> None:
    """The check cell's own HTML, with its picture, is in the page."""
    exercise = chapter.exercises[0]
    html = '<div style="border-left:6px solid #d55e00">the <b>verdict</b></div>'
    output = {"output_type": "display_data", "data": {"text/html": html}, "metadata": {}}
    notebook = json.dumps({"cells": [code_cell("check()", output, name=check_id(exercise))]})
    record = Graded({exercise.id: Verdict(0, 3, "failed", ("missing-scale",), Message("m"))}, notebook)
    assert html in feedback_page(record, chapter)


def test_unreadable_submission_has_its_reason(page: Callable) -> None:
    """Without a notebook the page says why, and what to do."""
    made = page(status="error", why=Message("The file is empty."))
    assert "could not be graded" in made.text and "The file is empty." in made.text
    assert "other cells" not in made.text


@pytest.mark.parametrize("given", [0, 1, None])
def test_points_by_hand_for_an_unreadable_submission_are_said(chapter: Chapter, given: int | None) -> None:
    """For all exercises nobody is told to ask for them; for some, what becomes of the others is said."""
    verdicts = {
        one.id: Verdict(0, one.points, "error", (), Message("The file is empty."))
        for one in chapter.exercises
    }
    scores = {check_id(one): StoredScore(None, 2.0) for one in chapter.exercises[:given]}
    record = Graded(verdicts, status="error", why=Message("The file is empty."))
    text = Page(feedback_page(record, chapter, stored=StoredSubmission(scores=scores))).text
    assert "The file is empty." in text
    assert ("Points were given instead, by your instructor" in text) is (given is None)
    assert ("For some exercises points were given instead" in text) is (given == 1)
    assert ("no score of zero" in text) is ("ask your instructor" in text) is (given is not None)


def test_notes_are_shown(page: Callable) -> None:
    """What was mended is said."""
    assert "The cell x was missing." in page(told=(Message("The cell x was missing."),)).text


def test_long_output_and_code_are_cut(chapter: Chapter, page: Callable) -> None:
    """A page stays small, and says where something is left out."""
    name = chapter.exercises[0].id
    made = page(code_cell("#" * (MAX_CODE + 1), printed("x\n" * (MAX_LINES + 1)), name=name))
    assert "The code goes on" in made.text and "There was more" in made.text
    whole = page(code_cell("#" * MAX_CODE, printed("x\n" * MAX_LINES), name=name))
    assert "The code goes on" not in whole.text and "There was more" not in whole.text


def test_thousands_of_cells_are_cut(page: Callable) -> None:
    """Only so many other cells are shown."""
    made = page(*[code_cell("x = 1") for _ in range(MAX_CELLS + 5)])
    assert made.tags.count("figure") == MAX_CELLS and "5 more cells are left out here." in made.text


def test_pictures_have_a_limit(page: Callable) -> None:
    """Beyond the room for pictures their text is shown."""
    large = {
        "output_type": "display_data",
        "data": {"image/png": "A" * 1_500_000, "text/plain": "a plot"},
        "metadata": {},
    }
    made = page(code_cell("x", large, large))
    assert made.tags.count("img") == 1 and "a plot" in made.text


@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("x = 1", 'x = <span class="number">1</span>'),
        ("return x  # why", '<span class="keyword">return</span> x  <span class="comment"># why</span>'),
        ("f('#')", 'f(<span class="string">&#x27;#&#x27;</span>)'),
        ('"""a\n# b"""', '<span class="string">&quot;&quot;&quot;a\n# b&quot;&quot;&quot;</span>'),
        ("'unfinished", '<span class="string">&#x27;unfinished</span>'),
        ("classes < 3 & <b>", 'classes &lt; <span class="number">3</span> &amp; &lt;b&gt;'),
    ],
)
def test_listing(source: str, html: str) -> None:
    """Comments, strings, keywords and numbers are marked; everything is escaped."""
    assert listing(source) == html


def test_what_a_person_gave_is_shown(chapter: Chapter, page: Callable) -> None:
    """Their comments, also on other cells; their points in the sum, less what being late costs."""
    second = chapter.exercises[1]
    held = StoredSubmission(
        scores={check_id(second): StoredScore(0, 1.5, 0.25)},
        penalty=1,
        comments={second.id: f"Nearly. {HOSTILE}", "bring-it": f"Thank you. {HOSTILE}"},
    )
    made = page(stored=held)
    assert_harmless(made)
    assert "Nearly. " in made.text and "Thank you. " in made.text
    assert f"Given by hand: 1.5 of {second.points} points." in made.text
    assert "Extra credit: 0.25." in made.text
    assert "Points taken off because you handed in late: 1." in made.text
    assert "3.75 of 12 points" in made.text


def test_comment_is_markdown(chapter: Chapter, page: Callable) -> None:
    """Emphasis, code and lists are shown as such; links, pictures and HTML stay as they were typed."""
    typed = (
        "Nearly, **but** `x`:\n\n- one\n- [x](javascript:alert(1))\n\n![a](http://e/a.png) <b>no</b>\n\n# no"
    )
    made = page(stored=StoredSubmission(comments={chapter.exercises[1].id: typed}))
    assert_harmless(made)
    assert {"strong", "code", "ul", "li"} <= {*made.tags}
    assert "b" not in made.tags
    for text in ("[x](javascript:alert(1))", "![a](http://e/a.png) <b>no</b>", "# no"):
        assert text in made.text


def test_page_says_what_it_shows_of_a_person(chapter: Chapter) -> None:
    """Near its beginning, so that a page that lacks a comment is known without making it again."""
    said = StoredSubmission(comments={chapter.exercises[0].id: "Well done."})
    page = feedback_page(Graded({}), chapter, "", said)
    assert mark_of(page[:HEAD]) == said.mark != ""
    assert mark_of(feedback_page(Graded({}), chapter)) == StoredSubmission().mark == ""
