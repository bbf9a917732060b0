"""A student's feedback: one page that needs nothing else and runs nothing.

Everything that a student sent, or a person wrote, is escaped; only verdicts, which the grader composed, are
HTML of their own. A policy in the page keeps a browser from loading or running anything, whatever should slip
through.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from gettext import NullTranslations
from typing import Protocol

from markupsafe import Markup

from grader.checking.mistakes import explain, known_mistakes
from grader.checking.notebook import TRANSLATED_MIMETYPE
from grader.course.notebooks import check_id
from grader.exercises import Chapter, Part, Question
from grader.gradebook.stored import StoredScore, StoredSubmission
from grader.messages import Message, joined, message, series
from grader.messages.message import ENGLISH
from grader.messages.speaking import SOURCES
from grader.plain_text import plain
from grader.reporting.listing import listing
from grader.reporting.page_templates import template

# Characters of a cell's code and of its outputs that are shown, and lines of its outputs.
MAX_CODE, MAX_PRINTED, MAX_LINES = 20_000, 10_000, 200
# Other cells, and characters of pictures, that are shown on one page.
MAX_CELLS, MAX_PICTURES = 150, 2_000_000
SIGNS = {"passed": "✓", "failed": "✗", "error": "?", "waiting": "…"}
READ = "•"
WORDS = {
    "passed": message("passed"),
    "failed": message("not passed"),
    "error": message("not graded"),
    "waiting": message("waits for your instructor"),
}
# The page's beginning, which contains the digest of the manual scores it shows.
MARK, HEAD = re.compile(r'<meta name="given" content="([0-9a-f]+)">'), 1000
NOTHING_GIVEN = StoredSubmission()


class ExerciseVerdict(Protocol):
    """What the page needs to know of one exercise."""

    score: float
    points: float | None
    max_score: float
    status: str
    diagnosis: tuple[str, ...]
    said: Message
    decided: Message
    undecided: bool


class SubmissionVerdict(Protocol):
    """What the page needs to know of a submission: a ``grader.grading.record.Record``."""

    status: str
    why: Message
    told: tuple[Message, ...]
    score: float
    max_score: float
    exercises: Mapping[str, ExerciseVerdict]
    notebook: str
    language: str


@dataclass(frozen=True)
class ShownOutput:
    """Printed text, or a picture as a data address; ``cut`` says that not all of the text is there."""

    text: str = ""
    picture: str = ""
    cut: bool = False


@dataclass(frozen=True)
class ShownCell:
    """A cell's code and outputs, as the page shows them."""

    code: Markup
    cut: bool
    outputs: Sequence[ShownOutput]


@dataclass(frozen=True)
class ShownExercise:
    """One exercise's part of the page, or one question's: ``words`` is then the answer."""

    number: int
    exercise: Part
    verdict: ExerciseVerdict
    html: Markup
    answer: ShownCell | None
    given: StoredScore
    comment: str
    words: str = ""

    @property
    def waits(self) -> bool:
        """Whether a person has to decide, and has not."""
        return self.given.points is None

    @property
    def sign(self) -> str:
        """A sign for the status, which does not need color."""
        return READ if self.is_read else SIGNS[self.verdict.status]

    @property
    def is_read(self) -> bool:
        """Whether it is an answer in words that a person has graded."""
        return self.verdict.status == "waiting" and not self.waits

    @property
    def word(self) -> Message:
        """The status in words."""
        if self.is_read:
            return message("read by your instructor")
        if self.verdict.status == "failed" and self.verdict.score and not self.verdict.decided.text:
            return message("not passed, part of the points")
        return WORDS[self.verdict.status]

    @property
    def points(self) -> float | None:
        """What counts: the verdict's points, or what a person gave; None for nothing yet."""
        return self.given.points

    @property
    def more(self) -> Message:
        """What the table says behind the status: titles of mistakes, and what a person gave or decided."""
        parts = []
        if self.verdict.diagnosis:
            parts.append(series(explain(code).title for code in self.verdict.diagnosis))
        if self.given.by_hand and self.given.review:
            parts.append(
                message("Points from your instructor, given before the answer or the points to earn changed")
            )
        elif self.given.by_hand:
            parts.append(message("Points from your instructor"))
        elif self.verdict.decided.text:
            parts.append(self.verdict.decided)
        return joined((message(". {sentence}", sentence=one) for one in parts), "")


class _Pictures:
    """How much of the page may still be pictures."""

    def __init__(self) -> None:
        self.left = MAX_PICTURES

    def address(self, data: str) -> str:
        """Return a picture's bytes as an address; empty where there is no room for it."""
        if len(data) > self.left:
            return ""
        self.left -= len(data)
        return f"data:image/png;base64,{data}"


def mark_of(head: str) -> str:
    """Return which ``StoredSubmission.mark`` a page was made with, from the beginning of its text."""
    found = MARK.search(head)
    return found[1] if found else ""


def can_be_shown(record: SubmissionVerdict, chapter: Chapter) -> bool:
    """Return whether a page can be made from a record: all its exercises and mistakes are known."""
    codes = {code for one in record.exercises.values() for code in one.diagnosis}
    return record.exercises.keys() <= chapter.parts.keys() and codes <= known_mistakes().keys()


def feedback_page(
    record: SubmissionVerdict,
    chapter: Chapter,
    student: str = "",
    stored: StoredSubmission = NOTHING_GIVEN,
    catalog: NullTranslations = ENGLISH,
) -> str:
    """Return the feedback on one submission as an HTML page.

    Args:
        record: what grading it came to.
        chapter: the assignment.
        student: whose it is; empty to leave it out.
        stored: what the gradebook holds of it. Shown of this are scores by hand and the late penalty.
        catalog: the language of the page. Names, code, and what a person wrote stay as they are.
    """
    cells = json.loads(record.notebook)["cells"] if record.notebook else []
    pictures = _Pictures()
    exercises = list(_exercises(record, chapter, cells, pictures, stored, catalog))
    shown = {one.exercise.id for one in exercises} | {check_id(one.exercise) for one in exercises}
    others = [
        (number, cell)
        for number, cell in enumerate(cells, start=1)
        if cell["cell_type"] == "code" and _grade_id(cell) not in shown
    ]
    return template("feedback").render(
        catalog=catalog,
        language=SOURCES if catalog is ENGLISH else record.language.replace("_", "-"),
        title=Message(chapter.title),
        student=plain(student),
        record=record,
        mark=stored.mark,
        score=_score(record, exercises, stored),
        waiting=sum(one.waits for one in exercises),
        unjudged=sum(one.waits and one.verdict.status == "error" for one in exercises),
        penalty=stored.penalty,
        exercises=exercises,
        comments=[plain(text) for name, text in stored.comments.items() if name not in shown],
        others=[(number, _cell(cell, pictures)) for number, cell in others[:MAX_CELLS]],
        left_out=max(0, len(others) - MAX_CELLS),
    )


def _score(record: SubmissionVerdict, exercises: list[ShownExercise], stored: StoredSubmission) -> float:
    """Return what a submission has earned so far, as nbgrader has it."""
    earned = sum(one.points or 0.0 for one in exercises)
    return earned - stored.penalty if stored.mark else record.score


def _exercises(
    record: SubmissionVerdict,
    chapter: Chapter,
    cells: list[dict],
    pictures: _Pictures,
    stored: StoredSubmission,
    catalog: NullTranslations,
) -> Iterator[ShownExercise]:
    by_id = {_grade_id(cell): cell for cell in cells}
    for number, (name, verdict) in enumerate(record.exercises.items(), start=1):
        exercise = chapter.parts[name]
        in_words = isinstance(exercise, Question)
        written, check = by_id.get(name), by_id.get(check_id(exercise))
        score = stored.scores.get(check_id(exercise), StoredScore())
        yield ShownExercise(
            number=number,
            exercise=exercise,
            verdict=verdict,
            html=_verdict_html(None if in_words else check, verdict, catalog),
            answer=_cell(written, pictures) if written and not in_words else None,
            given=replace(score, auto=verdict.points),
            comment=plain(stored.comments.get(name, "")),
            words=plain(written["source"][:MAX_CODE]) if written and in_words else "",
        )


def _grade_id(cell: Mapping) -> str:
    return cell["metadata"].get("nbgrader", {}).get("grade_id", "")


def _verdict_html(check: Mapping | None, verdict: ExerciseVerdict, catalog: NullTranslations) -> Markup:
    """Return the verdict as the check cell shows it; its message alone where there is none."""
    forms = ("text/html",) if catalog is ENGLISH else (TRANSLATED_MIMETYPE, "text/html")
    for output in check["outputs"] if check else ():
        found = [form for form in forms if form in output.get("data", {})]
        if output["output_type"] == "display_data" and found:
            return Markup(output["data"][found[0]])  # composed by the grader, in a locked cell
    return Markup("<p>{}</p>").format(verdict.said.render(catalog))


def _cell(cell: Mapping, pictures: _Pictures) -> ShownCell:
    source = cell["source"]
    shown = [one for output in cell["outputs"] if (one := _output(output, pictures)) is not None]
    return ShownCell(listing(plain(source[:MAX_CODE])), len(source) > MAX_CODE, shown)


def _output(output: Mapping, pictures: _Pictures) -> ShownOutput | None:
    kind = output["output_type"]
    if kind == "stream":
        return _text(output["text"])
    if kind == "error":
        return _text("\n".join(output["traceback"]) or f"{output['ename']}: {output['evalue']}")
    data = output["data"]
    if "image/png" in data and (address := pictures.address(data["image/png"])):
        return ShownOutput(picture=address, text=_text(data.get("text/plain", "")).text)
    return _text(data["text/plain"]) if data.get("text/plain") else None


def _text(text: str) -> ShownOutput:
    kept = "\n".join(text[:MAX_PRINTED].splitlines()[:MAX_LINES])
    return ShownOutput(text=kept, cut=len(kept) < len(text.rstrip("\n")))
