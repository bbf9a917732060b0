"""The record that ``grader collect`` keeps of a collected or rejected upload from Moodle or Canvas."""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import get_origin

from grader.errors import GraderError
from grader.grading.folder import listed
from grader.messages import message

COLLECTED, NOT_COLLECTED = "collected.json", "not_collected.txt"
# More than the first ever has; the second is cut before.
MOST, MOST_SIGNS = 2**16, 2**13
# As long as a file's name may be; before downloads that this project reads there was nothing.
LONGEST, EARLIEST = 255, datetime(2000, 1, 1, tzinfo=UTC)
LATE = message("Canvas marks this as late. When it came is not known here, so no late penalty is taken off.")


@dataclass(frozen=True)
class Collected:
    """What the download said about a submission.

    Attributes:
        system: ``moodle`` or ``canvas``.
        place: the name for feedback there: Moodle's folder, Canvas's file name without its suffix.
        file: what the student called the file.
        rank: a larger one was uploaded later.
        late: whether Canvas marks it as late.
        digest: SHA-256 of the notebook.
        at: when it was collected.
        beside: the names of the files that were put beside the notebook.
    """

    system: str
    place: str
    file: str
    rank: int
    late: bool
    digest: str
    at: str
    beside: list[str] = field(default_factory=list)

    def to_json(self) -> str:
        """Return it as a file holds it."""
        return json.dumps(asdict(self), indent=1) + "\n"

    @classmethod
    def from_json(cls, text: bytes) -> "Collected":
        """Return what a file holds.

        Raises:
            GraderError: it is none that ``grader collect`` wrote.
        """
        try:
            data = {"beside": []} | json.loads(text)
            types = {one.name: get_origin(one.type) or one.type for one in fields(cls)}
            if set(data) == set(types) and all(type(data[name]) is kind for name, kind in types.items()):
                known = cls(**data)
                known.expect_possible()
                return known
        except (ValueError, TypeError, RecursionError) as error:
            raise GraderError(f"{COLLECTED} is damaged: {error}") from error
        raise GraderError(f"{COLLECTED} is damaged: it is not what `grader collect` wrote.")

    def expect_possible(self) -> None:
        """Validate the values; a student may have written the file.

        Raises:
            ValueError: the time is none, or what feedback is called by is no name in a folder of its own.
        """
        at = datetime.fromisoformat(self.at)
        if at.tzinfo is None or at < EARLIEST:
            raise ValueError("the time has no zone, or is long ago")
        parts = PurePosixPath(self.place).parts
        shown = self.place.isprintable() and "\\" not in self.place
        if not shown or not parts or {"/", ".."} & {*parts} or max(map(len, parts)) > LONGEST:
            raise ValueError("its name leads out of the archive, or is none")


def turned_away(file: str, why: str, others: Sequence[str]) -> str:
    """Return what a student's folder says of a file that was not collected, and of the others with it."""
    beside = f" With it came {listed(others)}." if others else ""
    return not_taken(f"{listed([file])}: {why}", beside)


def not_taken(what: str, more: str = "") -> str:
    """Return a folder's text on what was not collected."""
    return f"`grader collect` did not take {what}.{more}"[:MOST_SIGNS] + "\n"


def left_out(file: str, others: Sequence[str]) -> str:
    """Return what a student's folder says of the files that came with the notebook that was collected."""
    told = f"`grader collect` took {listed([file])}, which is graded. Left out: {listed(others)}."
    if any(not one.endswith(".ipynb") for one in others):
        told += " Code that reads such a file finds it only if a person put it beside the notebook."
    return told[:MOST_SIGNS] + "\n"


def read_collected(folder: Path) -> Collected | None:
    """Return what is remembered of a submission; None where it was not collected.

    Raises:
        GraderError: the file is damaged.
    """
    try:
        handle = os.open(folder / COLLECTED, os.O_RDONLY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    with os.fdopen(handle, "rb") as file:
        return Collected.from_json(file.read(MOST))
