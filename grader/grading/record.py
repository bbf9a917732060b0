"""``Record``: the result of grading one submission, as the verdict file stores it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Literal, get_args

from grader.errors import GraderError
from grader.grading.notebook_reader import is_count
from grader.messages import Message
from grader.messages.speaking import SOURCES, is_language

ExerciseStatus = Literal["passed", "failed", "error", "waiting"]
# Upper limit for points and seconds.
MOST = 1e12
# Points are hundredths; sums of floats are rounded to them.
DIGITS = 6
NOTHING = Message("")


@dataclass(frozen=True)
class ExerciseRecord:
    """The verdict on one exercise.

    Attributes:
        score: points earned.
        max_score: points to earn.
        status: ``passed``, ``failed``, ``error`` where it could not be judged, or ``waiting`` of an answer
            in words, which a person grades.
        diagnosis: codes of the recognized mistakes; empty where it passed.
        said: what the student is told; nothing of a hidden case in it.
        fault: what went wrong in the grader, for the instructor alone; empty unless ``status`` is ``error``
            in a record that is ``graded``.
        attempts: how often the exercise was checked in the last kernel session, according to the notebook;
            None if it does not say.
        outcome: the outcome of an answer that did not pass (``grader.checking.outcome``), or a digest of an
            answer in words; empty if there is nothing to compare.
        decided: the text of the class decision that determined ``score`` or ``max_score``; empty if none
            applies.
        judged: points of the verdict itself, where a decision applies.
    """

    score: float
    max_score: float
    status: ExerciseStatus
    diagnosis: tuple[str, ...] = ()
    said: Message = NOTHING
    fault: str = ""
    attempts: int | None = None
    outcome: str = ""
    decided: Message = NOTHING
    judged: float | None = None

    @property
    def message(self) -> str:
        """What the student is told, in English."""
        return str(self.said)

    @property
    def decision(self) -> str:
        """The text of the class decision, in English."""
        return str(self.decided)

    @property
    def undecided(self) -> bool:
        """Whether a person has to grade it: the grader failed, or it is an answer in words."""
        return self.status in ("error", "waiting") and not self.decision

    @property
    def points(self) -> float | None:
        """The points that count; None if a person has to decide: an error is never a zero."""
        return None if self.undecided else self.score


@dataclass(frozen=True)
class Record:
    """The result of grading one submission: a pure function of its bytes, the master and the cases.

    Attributes:
        key: SHA-256 of everything that the record depends on; an unchanged key needs no new run.
        status: ``graded``, or ``error`` where the submission could not be read.
        why: why not, one line for the instructor and the student.
        told: what was recovered or overwritten, such as an edited test cell, one sentence each.
        score: points earned.
        max_score: points to earn.
        exercises: by id, in the order of the chapter; all of them, whatever was handed in, and the questions
            that are answered in words behind them.
        notebook: the graded notebook as nbformat 4 JSON text, with outputs; on error, one that says why.
        seconds: wall time; the only part that differs from run to run.
        tries: how often it was graded; more than once only where the grader itself has failed on it.
        language: the code of the language that the notebook is in, and the feedback page.
    """

    key: str
    status: Literal["graded", "error"]
    score: float
    max_score: float
    exercises: Mapping[str, ExerciseRecord]
    why: Message = NOTHING
    told: tuple[Message, ...] = ()
    notebook: str = ""
    seconds: float = field(default=0.0, compare=False)
    tries: int = 1
    language: str = SOURCES

    @property
    def reason(self) -> str:
        """Why it could not be read, in English."""
        return str(self.why)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was recovered or overwritten, in English."""
        return tuple(map(str, self.told))

    @property
    def unjudged(self) -> tuple[str, ...]:
        """Exercises that could not be read or judged and wait for a person; until then there is no score."""
        return tuple(name for name, one in self.exercises.items() if one.undecided and one.status == "error")

    @property
    def waiting(self) -> int:
        """How many answers in words wait for a person, as far as grading knows."""
        return sum(one.undecided for one in self.exercises.values() if one.status == "waiting")

    @property
    def faults(self) -> dict[str, str]:
        """What the grader could not judge, by exercise. It needs another run, a person or a decision."""
        return {name: one.fault for name, one in self.exercises.items() if one.fault}

    def to_json(self) -> dict[str, object]:
        """Return the record as plain JSON data."""
        exercises = {
            name: vars(one) | {"said": one.said.to_json(), "decided": one.decided.to_json()}
            for name, one in self.exercises.items()
        }
        told = [one.to_json() for one in self.told]
        return vars(self) | {"exercises": exercises, "why": self.why.to_json(), "told": told}

    @classmethod
    def from_json(cls, data: object) -> "Record":
        """Return the record that ``to_json`` gave.

        Raises:
            GraderError: it is not one: a part is missing, unknown or of another type.
        """
        parts = dict(_checked(cls, data))
        parts["exercises"] = {
            name: ExerciseRecord(**_checked(ExerciseRecord, one)) for name, one in parts["exercises"].items()
        }
        return cls(**parts)


def is_text(value: object) -> bool:
    """Return whether a value is a text, which may be empty."""
    return isinstance(value, str)


def _is_number(value: object) -> bool:
    # A comparison instead of isfinite: rejects NaN, infinity, and integers too large for a float.
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < MOST


def _is_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(map(is_text, value))


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _is_dict(value: object) -> bool:
    return isinstance(value, dict) and all(map(is_text, value))


# What each part of a stored record has to be.
PARTS = {
    "key": is_text,
    "fault": is_text,
    "notebook": is_text,
    "told": _is_list,
    "diagnosis": _is_texts,
    "score": _is_number,
    "max_score": _is_number,
    "seconds": _is_number,
    "tries": is_count,
    "outcome": is_text,
    "why": _is_dict,
    "said": _is_dict,
    "decided": _is_dict,
    "language": is_language,
    "judged": lambda value: value is None or _is_number(value),
    "attempts": lambda value: value is None or is_count(value),
    "exercises": _is_dict,
}
# How a part is read that JSON has in another form.
READ = {
    "told": lambda value: tuple(map(Message.from_json, value)),
    "diagnosis": tuple,
    **dict.fromkeys(("why", "said", "decided"), Message.from_json),
}
STATUSES = {Record: ("graded", "error"), ExerciseRecord: get_args(ExerciseStatus)}


def _checked(kind: type, data: object) -> dict[str, object]:
    """Return the parts of a stored record, each of its type."""
    names = {one.name for one in fields(kind)}
    if not isinstance(data, dict) or set(data) != names:
        raise GraderError(f"A stored record is damaged: expected the parts {', '.join(sorted(names))}.")
    for name, value in data.items():
        fits = value in STATUSES[kind] if name == "status" else PARTS[name](value)
        if not fits:
            raise GraderError(f"A stored record is damaged: its {name} is {value!r:.80}.")
    return {name: _read(name, value) for name, value in data.items()}


def _read(name: str, value: object) -> object:
    """Return a part of a record in the form that the record has."""
    try:
        return READ[name](value) if name in READ else value
    except ValueError as error:
        raise GraderError(f"A stored record is damaged: its {name} is {value!r:.80}: {error}.") from error
