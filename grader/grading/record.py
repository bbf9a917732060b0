"""What grading one submission comes to."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Literal

ExerciseStatus = Literal["passed", "failed", "error"]


@dataclass(frozen=True)
class ExerciseRecord:
    """The verdict on one exercise.

    Attributes:
        score: points earned.
        max_score: points to earn.
        status: ``passed``, ``failed``, or ``error`` where the fault is the grader's.
        diagnosis: codes of the recognized mistakes; empty where it passed.
        message: what the student is told; nothing of a hidden case in it.
    """

    score: float
    max_score: float
    status: ExerciseStatus
    diagnosis: tuple[str, ...] = ()
    message: str = ""


@dataclass(frozen=True)
class Record:
    """What grading one submission comes to: a pure function of its bytes, the master and the cases.

    Attributes:
        key: SHA-256 of everything that the record depends on; an unchanged key needs no new run.
        status: ``graded``, or ``error`` where the submission could not be read.
        reason: why not, one line for the instructor and the student.
        notes: what was recovered or overwritten, such as an edited test cell, one sentence each.
        score: points earned.
        max_score: points to earn.
        exercises: by id, in the order of the chapter; all of them, whatever was handed in.
        notebook: the graded notebook as nbformat 4 JSON text, with outputs; empty on error.
        seconds: wall time; the only part that differs from run to run.
    """

    key: str
    status: Literal["graded", "error"]
    score: float
    max_score: float
    exercises: Mapping[str, ExerciseRecord]
    reason: str = ""
    notes: tuple[str, ...] = ()
    notebook: str = ""
    seconds: float = field(default=0.0, compare=False)

    def to_json(self) -> dict[str, object]:
        """Return the record as JSON can hold it."""
        return asdict(self)

    @classmethod
    def from_json(cls, facts: Mapping) -> "Record":
        """Return the record that ``to_json`` was made of."""
        exercises = {
            name: ExerciseRecord(**(one | {"diagnosis": tuple(one["diagnosis"])}))
            for name, one in facts["exercises"].items()
        }
        return cls(**(facts | {"exercises": exercises, "notes": tuple(facts["notes"])}))
