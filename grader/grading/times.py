"""Parse a time as nbgrader does, but reject ambiguous ones."""

import re
import warnings
from datetime import datetime

from dateutil import parser
from dateutil.parser import UnknownTimezoneWarning
from dateutil.tz import gettz
from nbgrader.utils import parse_utc

from grader.errors import GraderError
from grader.grading.folder import printable
from grader.messages import message

# The year first: then everybody reads month and day in the same order.
YEAR_FIRST = re.compile(r"\d{4}[-/.]?\d")
# Parts that a text does not name are taken from these; two results that differ show that one is missing.
DAYS = (datetime(2000, 1, 1), datetime(2001, 2, 2))
# The form of a zone's name. Other texts could be file paths to the zone database, or too long.
ZONE = re.compile(r"[A-Za-z][A-Za-z0-9_+-]{0,31}(?:/[A-Za-z0-9_+-]{1,31}){0,2}")
CLOCK = re.compile(r"\d:\d\d|\d\s*[ap]m\b|T\d\d", re.IGNORECASE)
NO_TIME = message("names no time; expected, for example, 2026-12-02 23:59 UTC")
NO_ZONE = message("names a time zone that is not known; expected, for example, 2026-12-02 23:59 UTC")
NO_DAY = message("names no day with its month and year; expected, for example, 2026-12-02 23:59 UTC")


def read_time(written: str) -> datetime:
    """Return a time in UTC, without a zone, as nbgrader keeps it; one that names no zone is in UTC.

    Raises:
        ValueError: it names no time, or a date that can be read in two ways; the message is a part of a
            sentence that follows what was read.
    """
    date, zone = _without_zone(written.strip())
    if not _is_known(zone):
        raise ValueError(NO_ZONE)
    try:
        with warnings.catch_warnings(action="error", category=UnknownTimezoneWarning):
            _expect_one_reading(date)
            return parse_utc(written.strip())
    except (parser.ParserError, OverflowError, TypeError, UnknownTimezoneWarning) as error:
        raise ValueError(NO_TIME) from error


def clock_time(written: str, option: str) -> datetime:
    """Return the same of a text that names the time of day, too.

    Args:
        written: what somebody typed.
        option: where, for the error.

    Raises:
        GraderError: it names no such time, or a date that can be read in two ways.
    """
    try:
        when = read_time(written)
    except ValueError as error:
        raise GraderError(f"{option} {printable(written)}: it {error}.") from error
    if not names_clock(written):
        raise GraderError(f"{option} {written}: say the time of day, too, as 2026-12-02 23:59 UTC.")
    return when


def instant(when: datetime | None) -> str:
    """Return a time in UTC for people."""
    return f"{when:%Y-%m-%d %H:%M} UTC" if when else "no due date"


def names_clock(written: str) -> bool:
    """Return whether a text says more than a day."""
    return bool(CLOCK.search(written))


def _is_known(zone: str) -> bool:
    """Return whether a zone is none, a shift in digits, or the name of one that this system has."""
    if not zone or re.fullmatch(r"[+-]*[0-9:]+", zone):
        return True
    return bool(ZONE.fullmatch(zone)) and gettz(zone) is not None


def _without_zone(written: str) -> tuple[str, str]:
    """Return the text before a zone, and the zone; nbgrader takes the third of three words for one."""
    words = written.split(" ")
    return (" ".join(words[:2]), words[2]) if len(words) == 3 else (written, "")


def _expect_one_reading(date: str) -> None:
    months, days = (parser.parse(date, default=DAYS[0], dayfirst=first) for first in (False, True))
    if not YEAR_FIRST.match(date) and months != days:
        raise ValueError(
            message(
                "can be read as {one} and as {other}; write the one that is meant",
                one=f"{months:%Y-%m-%d}",
                other=f"{days:%Y-%m-%d}",
            )
        )
    if parser.parse(date, default=DAYS[1]).date() != months.date():
        raise ValueError(NO_DAY)
