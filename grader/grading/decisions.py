"""Decisions for the whole class: their content, the answers they apply to, and their effect on a record.

The file of the course, ``decisions.toml``, is for people to read::

    [[decision]]
    number = 1
    exercise = "ch03-attention"
    kind = "full-points"
    reason = "The docstring was wrong until Monday."
    by = "ada"
    at = 2026-11-23T09:00:00Z

``grader decide`` writes it (``decision_file.py``). What was revoked stays in it, with who and when.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from pathlib import Path
from typing import Literal, get_args

from grader.checking.outcome import is_outcome, same_outcome
from grader.errors import GraderError
from grader.exercises import EXERCISES, QUESTIONS
from grader.files import read_entries
from grader.grading.notebook_reader import is_count
from grader.grading.record import DIGITS, NOTHING, ExerciseRecord, Record, is_text
from grader.messages import Message, message

DecisionKind = Literal["full-points", "leave-out", "accept"]
TABLE = "decision"
SENTENCES: Mapping[DecisionKind, Message] = {
    "full-points": message("Full points for all: {reason}"),
    "leave-out": message("Left out, it counts in nobody's points: {reason}"),
    "accept": message("This answer is accepted: {reason}"),
}


@dataclass(frozen=True)
class Decision:
    """One decision.

    Attributes:
        number: its number, which is never reused.
        exercise: id of the exercise.
        kind: ``full-points`` for everyone who submitted; ``leave-out``: the exercise counts for nobody; or
            ``accept``: full points for all answers with the same outcome.
        reason: why, for the class to read.
        by: who decided.
        at: when.
        answer: whose answer is accepted, a student or a file.
        outcome: the outcome of that answer.
        revoked_by: who took it back; empty while it is in force.
        revoked_at: when.
    """

    number: int
    exercise: str
    kind: DecisionKind
    reason: str
    by: str
    at: datetime
    answer: str = ""
    outcome: str = ""
    revoked_by: str = ""
    revoked_at: datetime | None = None

    @property
    def told(self) -> Message:
        """What students read; the reason is as it was typed."""
        return replace(SENTENCES[self.kind], values={"reason": self.reason})

    @property
    def sentence(self) -> str:
        """What instructors read."""
        return str(self.told)

    @property
    def in_force(self) -> bool:
        """Whether it was not revoked."""
        return self.revoked_at is None

    def applies_to(self, exercise: str, verdict: ExerciseRecord) -> bool:
        """Return whether it applies to a verdict on an exercise."""
        if exercise != self.exercise:
            return False
        return self.kind != "accept" or same_outcome(self.outcome, verdict.outcome)


@dataclass(frozen=True)
class Decisions:
    """The decisions of a course, in the order of their numbers; ``all`` holds the revoked ones, too."""

    all: tuple[Decision, ...] = ()

    @property
    def in_force(self) -> tuple[Decision, ...]:
        """Those that count."""
        return tuple(one for one in self.all if one.in_force)

    def leaves_out(self, exercise: str) -> bool:
        """Return whether an exercise counts for nobody."""
        return any(one.kind == "leave-out" and one.exercise == exercise for one in self.in_force)

    def on(self, exercise: str, verdict: ExerciseRecord) -> Decision | None:
        """Return the decision that applies to a verdict; None if there is none."""
        return next((one for one in self.in_force if one.applies_to(exercise, verdict)), None)

    def applied(self, record: Record, points: Mapping[str, float]) -> Record:
        """Return a record with the decisions in force applied, replacing any applied before.

        Args:
            record: the result of grading, with or without earlier decisions.
            points: what each exercise may earn where nothing is left out.
        """
        if not self.all and not any(one.decision for one in record.exercises.values()):
            return record
        exercises = {name: self._settled(name, one, points[name]) for name, one in record.exercises.items()}
        return replace(
            record,
            score=round(sum(one.score for one in exercises.values()), DIGITS),
            max_score=sum(one.max_score for one in exercises.values()),
            exercises=exercises,
        )

    def _settled(self, name: str, one: ExerciseRecord, points: float) -> ExerciseRecord:
        judged = one.score if one.judged is None else one.judged
        decision = self.on(name, one)
        if decision is None:
            return replace(one, score=judged, max_score=points, decided=NOTHING, judged=None)
        worth = 0 if decision.kind == "leave-out" else points
        return replace(one, score=worth, max_score=worth, decided=decision.told, judged=judged)

    def pending(self, record: Record) -> bool:
        """Return whether a record does not reflect the decisions in force yet."""
        decided = ((self.on(name, one), one) for name, one in record.exercises.items())
        return any((decision.sentence if decision else "") != one.decision for decision, one in decided)


def read_decisions(path: Path) -> Decisions:
    """Return the decisions of a course: none where there is no such file.

    Raises:
        GraderError: the file cannot be read, something in it is not known, or two decisions contradict each
            other; says which and what was expected.
    """
    entries = read_entries(path, TABLE)
    found = Decisions(tuple(_decision(path, place, entry) for place, entry in enumerate(entries, start=1)))
    if problem := contradiction(found.all):
        raise GraderError(f"{path}: {problem} Revoke one of them: `grader decide --revoke NUMBER`.")
    return found


def contradiction(decisions: Iterable[Decision]) -> str:
    """Return a sentence on decisions that contradict each other; empty if none do."""
    numbers: set[int] = set()
    for one in (decisions := tuple(decisions)):
        if one.number in numbers:
            return f"the number {one.number} is there twice."
        numbers.add(one.number)
    in_force = [one for one in decisions if one.in_force]
    for place, one in enumerate(in_force):
        for other in in_force[:place]:
            if one.exercise == other.exercise and _clash(one, other):
                return (
                    f"decisions {other.number} ({other.kind}) and {one.number} ({one.kind}) on "
                    f"{one.exercise} do not go together."
                )
    return ""


def _clash(one: Decision, other: Decision) -> bool:
    """Return whether two decisions on an exercise exclude each other, or say the same."""
    return {one.kind, other.kind} != {"accept"} or same_outcome(one.outcome, other.outcome)


def _is_time(value: object) -> bool:
    return isinstance(value, datetime)


# What each part of an entry has to be, and how that is called.
TIME = "a time, as 2026-11-23T09:00:00Z"
PARTS = {
    "number": (is_count, "a whole number from 1 on"),
    "exercise": (
        lambda value: value in (*EXERCISES, *QUESTIONS),
        f"one of: {', '.join((*EXERCISES, *QUESTIONS))}",
    ),
    "kind": (get_args(DecisionKind).__contains__, f"one of: {', '.join(get_args(DecisionKind))}"),
    "reason": (lambda value: is_text(value) and value.strip(), "a text"),
    "by": (is_text, "a text"),
    "at": (_is_time, TIME),
    "answer": (is_text, "a text"),
    "outcome": (lambda value: is_text(value) and is_outcome(value), "what `grader decide` writes"),
    "revoked_by": (is_text, "a text"),
    "revoked_at": (_is_time, TIME),
}
NEEDED = ("number", "exercise", "kind", "reason", "by", "at")


def _decision(path: Path, place: int, entry: object) -> Decision:
    where = f"{path}: {TABLE} {place}"
    known = [one.name for one in fields(Decision)]
    if not isinstance(entry, dict) or not set(NEEDED) <= set(entry) <= set(known):
        raise GraderError(
            f"{where} has not the parts that are expected: {', '.join(NEEDED)}, and perhaps "
            f"{', '.join(name for name in known if name not in NEEDED)}."
        )
    for name, value in entry.items():
        fits, expected = PARTS[name]
        if not fits(value):
            raise GraderError(f"{where}: {name} is {value!r:.80}; expected {expected}.")
    if entry["kind"] == "accept" and not entry.get("outcome"):
        raise GraderError(f"{where}: an answer is accepted, and outcome does not say which.")
    return Decision(**entry)
