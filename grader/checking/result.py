"""``Result``: a verdict as frozen data; ``rendering.py`` displays it."""

from collections.abc import Mapping
from dataclasses import dataclass
from gettext import NullTranslations

import torch

from grader.checking.checks.check import Failure
from grader.checking.comparison import Mismatch
from grader.checking.steps.parting import Parting
from grader.exercises import Exercise
from grader.messages import Message, message
from grader.messages.message import ENGLISH

YOURS_AND_TARGET = (message("Yours"), message("Target"))
# Labels of the paragraphs of a verdict.
ALSO, SEEN, LOOK_AT, POINTS = message("Also"), message("Seen"), message("Look at"), message("Points")
ALSO_LOOK_AT = message("Look at, too")
RIGHT_SO_FAR = message("Right so far")
# In its place where no step is right.
STEPS = message("Steps")


@dataclass(frozen=True)
class CaseResult:
    """Whether one case passed; ``shows`` says what kind of input it is, ``why`` what was seen if not."""

    name: str
    shows: str
    passed: bool
    why: Message | None = None


@dataclass(frozen=True)
class Line:
    """One paragraph of a verdict, under a label or none."""

    text: Message
    label: Message | None = None


@dataclass(frozen=True)
class Picture:
    """The learner's tensor and the expected one, from a visible case.

    ``tensor`` names it where an answer has several results, and is empty where it has one. With ``titles`` of
    its own it shows two tensors that are both not the learner's, whether the answer passed or not.
    """

    case: str
    tensor: str
    got: torch.Tensor
    expected: torch.Tensor
    mismatch: Mismatch | None
    titles: tuple[Message, Message] = YOURS_AND_TARGET


@dataclass(frozen=True)
class Example:
    """A small case as code to copy, and what it should give: numbers as text, or words."""

    case: str
    code: str
    expected: str | Message


@dataclass(frozen=True)
class Result:
    """The verdict on one answer.

    Attributes:
        exercise: what was asked.
        status: ``passed``, ``failed``, or ``error`` where the grader itself could not judge.
        diagnosis: codes of the recognized mistakes, the cause first; empty when passed.
        lines: what a learner reads.
        cases: one entry a case; empty when the answer could not be run.
        failure: what the first check that failed found; None when passed.
        picture: the learner's tensor and the target; None if there is nothing to see.
        example: a small case that failed, to be worked out by hand; None where there is none.
        notes: additional notes that do not change the verdict.
        remarks: codes of remarks: right, but could be better.
        partial_credit_eligible: whether the numbers show that all but the named mistake is right: those of a
            known mistake on every visible case, or right on every case.
        partly_right: whether the cases that pass show that the answer does part of what is asked.
        partial: points earned for a mistake that the course grants part of the points for, or for the cases
            that pass.
        parting: the steps of one case, up to the first that differs from the target; None if no steps are
            known.
    """

    exercise: Exercise
    status: str
    diagnosis: tuple[str, ...]
    lines: tuple[Line, ...]
    cases: tuple[CaseResult, ...] = ()
    failure: Failure | None = None
    picture: Picture | None = None
    example: Example | None = None
    notes: tuple[Message, ...] = ()
    remarks: tuple[str, ...] = ()
    partial_credit_eligible: bool = False
    partly_right: bool = False
    partial: float = 0
    parting: Parting | None = None

    @property
    def message(self) -> str:
        """What a learner reads, as plain text: a line for each paragraph.

        Quoted text may have several lines; these are indented, so that none can pass for the grader's text.
        """
        return "\n".join(map(plain_line, self.lines))

    @property
    def score(self) -> float:
        """Points earned: all of them, none, or what the course grants for the mistake or the cases."""
        return self.exercise.points if self.status == "passed" else self.partial

    @property
    def max_score(self) -> int:
        """Points that a right answer earns."""
        return self.exercise.points

    def to_json(self) -> Mapping[str, object]:
        """Return the verdict as plain JSON data, without tensors."""
        return {
            "exercise": self.exercise.id,
            "status": self.status,
            "score": self.score,
            "max_score": self.max_score,
            "diagnosis": list(self.diagnosis),
            "remarks": list(self.remarks),
            "message": self.message,
            "cases": [{"name": case.name, "shows": case.shows, "passed": case.passed} for case in self.cases],
        }


def labeled(label: Message, text: Message | str) -> Message:
    """Return a text behind its label; languages have a colon of their own between them."""
    return message("{label}: {text}", label=label, text=text)


def plain_line(line: Line, catalog: NullTranslations = ENGLISH) -> str:
    """Return a paragraph as plain text."""
    label = labeled(line.label, "").render(catalog) if line.label else ""
    return f"{label}{line.text.render(catalog)}".replace("\r", "\n").replace("\n", "\n    ")
