"""Uploads that ``grader collect`` left out while earlier work stays, as notes on the students' rows."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from grader.errors import GraderError
from grader.grading.folder import listed
from grader.reporting.exports.unplaced import read_unplaced, remember


@dataclass(frozen=True)
class NotTaken:
    """An upload that is, or may be, newer than a student's work and did not replace it.

    Attributes:
        student: whose it is.
        system: ``moodle`` or ``canvas``.
        rank: a larger one was uploaded later.
        said: the note, with the file and the reason.
    """

    student: str
    system: str
    rank: int
    said: str


def _place(root: Path, chapter: str) -> Path:
    return root / "downloaded" / chapter / "not_taken.json"


def read_not_taken(root: Path, chapter: str) -> dict[str, NotTaken]:
    """Return the latest upload that was not taken, by student.

    Raises:
        GraderError: the file is damaged.
    """
    path = _place(root, chapter)
    try:
        return {one["student"]: NotTaken(**one) for one in json.loads(path.read_bytes())}
    except FileNotFoundError:
        return {}
    except (ValueError, TypeError, KeyError) as error:
        raise GraderError(f"{path} is damaged: {error}. Remove it, and collect again.") from error


def write_not_taken(root: Path, chapter: str, uploads: Iterable[NotTaken]) -> None:
    """Remember what was not taken; where that is nothing the file goes."""
    remember(_place(root, chapter), map(asdict, uploads))


def notes_on_rows(root: Path, chapter: str) -> Mapping[str, tuple[str, ...]]:
    """Return the notes on work that may be a student's and is in no score, by student.

    Raises:
        GraderError: what ``grader collect`` remembers is damaged.
    """
    notes = defaultdict(list)
    for student, one in read_not_taken(root, chapter).items():
        notes[student].append(one.said)
    for one in read_unplaced(root, chapter):
        for student in one.students:
            notes[student].append(f"Maybe newer work of this name was not placed: {listed(one.files)}.")
    return {student: tuple(said) for student, said in notes.items()}
