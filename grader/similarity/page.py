"""The most alike pairs of a class side by side, as one HTML page that needs nothing else and runs nothing."""

from bisect import bisect_right
from dataclasses import dataclass

from markupsafe import Markup

from grader.grading.submissions import printable
from grader.plain_text import plain
from grader.reporting.listing import listing
from grader.reporting.page_templates import template
from grader.similarity.survey import CAUTION, Pair, Side, Survey

# Characters of an answer that are shown.
MAX_SOURCE = 20_000
MARK = "▌"


@dataclass(frozen=True)
class ShownSide:
    """An answer as the page shows it: its code, and beside each line whether few others have it."""

    student: str
    code: Markup
    marks: str
    cut: bool


def similarity_page(survey: Survey, anonymous: bool) -> str:
    """Return a survey as an HTML page.

    Args:
        survey: what is shown.
        anonymous: whether students have numbers in it, which the page then says.
    """
    return template("similarity").render(
        survey=survey,
        caution=CAUTION,
        anonymous=anonymous,
        names={name: printable(name) for pair in survey.pairs for name in pair.students},
        unread=[(printable(name), reason) for name, reason in survey.unread.items()],
        unseen=[(printable(name), where, reason) for (name, where), reason in survey.unseen.items()],
        sides=_sides,
    )


def _sides(pair: Pair, number: int) -> list[ShownSide]:
    """Return both answers to the exercise of this number, as the page shows them."""
    shared = pair.exercises[number]
    return [_side(*one) for one in zip(pair.students, shared.sides, strict=True)]


def _side(student: str, side: Side) -> ShownSide:
    source = side.source[:MAX_SOURCE]
    ends = [place for place, sign in enumerate(source) if sign == "\n"]
    marked = {
        line
        for start, end in side.places
        for line in range(bisect_right(ends, start - 1), bisect_right(ends, end - 1) + 1)
    }
    marks = "\n".join(MARK if line in marked else " " for line in range(len(ends) + 1))
    return ShownSide(printable(student), listing(plain(source)), marks, len(side.source) > MAX_SOURCE)
