"""Extensions of due dates, by student and chapter.

The file of the course, ``extensions.toml``, is for people to read::

    [[extension]]
    student = "ada"
    chapter = "ch04_self_attention"
    days = 2
    reason = "Ill."
    by = "grace"
    at = 2026-11-23T09:00:00Z

Without ``student`` it is everybody's, without ``chapter`` it is for every chapter; ``until``, a time, stands
in place of ``days``. ``grader extend`` writes it. What was revoked stays in it, with who and when.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from pathlib import Path

from grader.errors import GraderError
from grader.exercises import CHAPTERS
from grader.files import read_entries

TABLE = "extension"
MOST_DAYS = 3650


@dataclass(frozen=True)
class Extension:
    """One extension.

    Attributes:
        by: who gave it.
        at: when.
        student: whose it is; empty for everybody.
        chapter: stem of the chapter; empty for all.
        days: how much later than the due date.
        until: in place of that, the time at which it ends.
        reason: why; for instructors alone.
        revoked_by: who took it back, or gave another one in its place; empty while it is in force.
        revoked_at: when.
    """

    by: str
    at: datetime
    student: str = ""
    chapter: str = ""
    days: float | None = None
    until: datetime | None = None
    reason: str = ""
    revoked_by: str = ""
    revoked_at: datetime | None = None

    @property
    def in_force(self) -> bool:
        """Whether it was not revoked."""
        return self.revoked_at is None

    @property
    def end(self) -> str:
        """How long it is, as a part of a sentence."""
        if self.until is not None:
            return f"until {self.until.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
        return f"{self.days:g} day{'' if self.days == 1 else 's'}"

    def concerns(self, student: str, chapter: str) -> bool:
        """Return whether it is about a student's work on a chapter."""
        return self.student in ("", student) and self.chapter in ("", chapter)

    def length(self, duedate: datetime) -> timedelta:
        """Return how much later than a due date (UTC, without a zone) it ends."""
        if self.until is None:
            return timedelta(days=self.days)
        return max(timedelta(0), self.until.astimezone(UTC).replace(tzinfo=None) - duedate)


@dataclass(frozen=True)
class Extensions:
    """The extensions of a course, in the order of their making; ``all`` holds the revoked ones, too."""

    all: tuple[Extension, ...] = ()

    def find(self, student: str, chapter: str) -> int | None:
        """Return the place of the one in force that is of just this student and chapter; None if none is."""
        found = (
            place
            for place, one in enumerate(self.all)
            if one.in_force and (one.student, one.chapter) == (student, chapter)
        )
        return next(found, None)

    def knows(self, student: str, chapter: str) -> bool:
        """Return whether there is, or was, one for a student's work on a chapter."""
        return any(one.concerns(student, chapter) for one in self.all)

    def of(self, student: str, chapter: str, duedate: datetime) -> timedelta | None:
        """Return a student's extension: the longest in force; None without one."""
        lengths = [one.length(duedate) for one in self.all if one.in_force and one.concerns(student, chapter)]
        return max(lengths, default=None)


def read_extensions(path: Path) -> Extensions:
    """Return the extensions of a course: none where there is no such file.

    Raises:
        GraderError: the file cannot be read, or something in it is not known; says which and
            what was expected.
    """
    entries = read_entries(path, TABLE)
    return Extensions(
        tuple(_extension(f"{path}: {TABLE} {place}", one) for place, one in enumerate(entries, start=1))
    )


def _is_not_blank(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_zoned_time(value: object) -> bool:
    return isinstance(value, datetime) and value.tzinfo is not None


def is_length(value: object) -> bool:
    """Return whether something is a number of days."""
    return not isinstance(value, bool) and isinstance(value, int | float) and 0 < value <= MOST_DAYS


# What each part of an entry has to be, and how that is called.
TIME = "a time with its zone, as 2026-11-23T09:00:00Z"
PARTS: Mapping[str, tuple] = {
    "student": (_is_not_blank, "a text"),
    "chapter": (CHAPTERS.__contains__, f"one of: {', '.join(CHAPTERS)}"),
    "days": (is_length, f"a number above 0, and at most {MOST_DAYS}"),
    "until": (_is_zoned_time, TIME),
    "reason": (_is_not_blank, "a text"),
    "by": (_is_not_blank, "a text"),
    "at": (_is_zoned_time, TIME),
    "revoked_by": (_is_not_blank, "a text"),
    "revoked_at": (_is_zoned_time, TIME),
}


def _problems(entry: object) -> Iterator[str]:
    known = [one.name for one in fields(Extension)]
    if not isinstance(entry, dict) or not {"by", "at"} <= set(entry) <= set(known):
        yield f"expected by and at, and of the others: {', '.join(known[2:])}"
        return
    if ("days" in entry) == ("until" in entry):
        yield "expected either days or until"
    for name, value in entry.items():
        fits, expected = PARTS[name]
        if isinstance(value, list | dict) or not fits(value):
            yield f"{name} is {value!r:.80}; expected {expected}"


def _extension(where: str, entry: object) -> Extension:
    if problem := next(_problems(entry), ""):
        raise GraderError(f"{where}: {problem}.")
    return Extension(**entry)
