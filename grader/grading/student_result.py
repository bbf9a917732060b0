"""The result of one submission: ``WorkerResult`` from a worker, ``StudentResult`` for commands to show."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from grader.grading.record import ExerciseRecord, Record
from grader.reporting.graded import NOTHING

# Reasons for students without a folder.
GONE, MISSING = "The folder that was graded is gone; its score stays.", NOTHING


@dataclass(frozen=True)
class WorkerResult:
    """A worker's result. Without a page it is an earlier result: the answers were not run again.

    Attributes:
        record: the record of the submission.
        timestamp: time of submission.
        page: the feedback page, if it was graded now.
        secret: what nbgrader's exchange gave the submission.
        decided: whether other class decisions than before apply to an earlier result.
    """

    record: Record
    timestamp: datetime | None = None
    page: str | None = None
    secret: str = ""
    decided: bool = False

    def to_json(self) -> dict[str, object]:
        """Return it as plain JSON data."""
        time = self.timestamp.isoformat() if self.timestamp else None
        return {
            "record": self.record.to_json(),
            "timestamp": time,
            "page": self.page,
            "secret": self.secret,
            "decided": self.decided,
        }

    @classmethod
    def from_json(cls, data: Mapping) -> "WorkerResult":
        """Return what ``to_json`` gave."""
        time = data["timestamp"]
        timestamp = datetime.fromisoformat(time) if time else None
        return cls(Record.from_json(data["record"]), timestamp, data["page"], data["secret"], data["decided"])


@dataclass(frozen=True)
class StudentResult:
    """One student's result, as commands show it.

    Attributes:
        student: the name of the folder, which may hold any character.
        status: ``graded``; ``error``, with the reason; ``missing``, where nothing was handed in;
            ``gone``, graded earlier from a folder that is not there any more.
        score: earned or manual points minus the late penalty; None if there is nothing yet, or a person has
            to decide.
        max_score: points to earn.
        seconds: wall time that grading it took.
        exercises: by id; empty where nothing was handed in.
        reason: why there is an error, or what is missing.
        notes: what was recovered or overwritten.
        fresh: whether it was graded now; otherwise nothing had changed.
        waiting: how many answers in words wait for a person.
        undecided: what could not be read or judged, and waits for a person.
        review: exercises with points that a person gave for an earlier answer.
        penalty: points taken off for being late, of which the score knows.
        rescored: whether a decision for the whole class changed the score of what was not graded now.
    """

    student: str
    status: Literal["graded", "error", "missing", "gone"]
    score: float | None
    max_score: float
    seconds: float = 0.0
    exercises: Mapping[str, ExerciseRecord] = field(default_factory=dict)
    reason: str = ""
    notes: tuple[str, ...] = ()
    fresh: bool = True
    waiting: int = 0
    undecided: tuple[str, ...] = ()
    review: tuple[str, ...] = ()
    penalty: float = 0.0
    rescored: bool = False

    def to_json(self) -> dict[str, object]:
        """Return it as JSON can hold it."""
        return {
            "student": self.student,
            "status": self.status,
            "score": self.score,
            "max_score": self.max_score,
            "seconds": round(self.seconds, 3),
            "exercises": {
                name: {
                    "score": one.points,
                    "max_score": one.max_score,
                    "status": one.status,
                    "diagnosis": list(one.diagnosis),
                    "decision": one.decision,
                }
                for name, one in self.exercises.items()
            },
            "reason": self.reason,
            "notes": list(self.notes),
            "waiting": self.waiting,
            "undecided": list(self.undecided),
            "review": list(self.review),
            "penalty": round(self.penalty, 9),
        }
