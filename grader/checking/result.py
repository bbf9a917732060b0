"""A verdict, as frozen data; rendering is elsewhere."""

from collections.abc import Mapping
from dataclasses import dataclass

import torch

from grader.checking.comparison import Mismatch
from grader.exercises import Exercise

YOURS_AND_TARGET = ("Yours", "Target")


@dataclass(frozen=True)
class Finding:
    """The first thing that is wrong: on which rung, by which code, in one sentence, and where."""

    rung: str
    code: str
    sentence: str
    case: str = ""
    tensor: str = ""
    mismatch: Mismatch | None = None


@dataclass(frozen=True)
class CaseResult:
    """Whether one case passed; ``shows`` says what kind of input it is, ``why`` on which rung it failed."""

    name: str
    shows: str
    passed: bool
    why: str = ""


@dataclass(frozen=True)
class Picture:
    """The learner's tensor beside the expected one, from a visible case.

    ``tensor`` names it where an answer has several results, and is empty where it has one. With ``titles`` of
    its own it shows two tensors that are both not the learner's, whether the answer passed or not.
    """

    case: str
    tensor: str
    got: torch.Tensor
    expected: torch.Tensor
    mismatch: Mismatch | None
    titles: tuple[str, str] = YOURS_AND_TARGET


@dataclass(frozen=True)
class Result:
    """The verdict on one answer.

    Attributes:
        exercise: what was asked.
        status: ``passed``, ``failed``, or ``error`` where the grader itself could not judge.
        diagnosis: codes of the recognized mistakes, the cause first; empty when passed.
        message: what a learner reads, in plain text.
        cases: one entry a case; empty when the answer could not be run.
        finding: the rung that spoke; None when passed.
        picture: yours and the target; None where there is nothing to see.
        notes: what is said besides and does not change the verdict.
        remarks: codes of what is right, and could be better.
        creditable: whether the numbers show that all but the named mistake is right: they are those of a
            known mistake on every visible case, or right on every case.
        partial: points earned for a mistake that the course grants part of the points for.
    """

    exercise: Exercise
    status: str
    diagnosis: tuple[str, ...]
    message: str
    cases: tuple[CaseResult, ...] = ()
    finding: Finding | None = None
    picture: Picture | None = None
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    creditable: bool = False
    partial: float = 0

    @property
    def score(self) -> float:
        """Points earned: all of them, none, or what the course grants for the mistake."""
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
