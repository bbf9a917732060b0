"""Partial credit for a recognized mistake or for cases that pass; off unless a course turns it on.

``course.toml`` in the course's folder::

    [partial-credit]
    missing-scale = 0.5             # of an exercise's points

    [partial-credit.ch04-self-attention]
    missing-scale = 0.25            # here instead

    [points-by-case]
    ch04-self-attention-v1 = true   # the share of the cases that pass
    ch05-causal-mask = { at_least = 0.5 }

Of the two the better one counts.
The verdict stays ``failed``. A course without the file, or without the table, grades all or nothing.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from grader.checking.mistakes import explain, known_mistakes
from grader.checking.result import POINTS, Line, Result
from grader.course.paths import SETTINGS
from grader.errors import GraderError
from grader.exercises import EXERCISES
from grader.files import read_toml
from grader.messages import Message, message

TABLE, BY_CASE = "partial-credit", "points-by-case"
# The table of how chapters count in a term; it changes no verdict.
TERM = "term"
# The keys that an exercise's entry in the second table may have.
AT_LEAST = "at_least"
# Contract codes that are given only if the results are right. All others are given before the numbers are
# compared, so a result of zeros would earn as much as one that is nearly right.
RESULTS_RIGHT = frozenset(
    (
        *("wrong-exception", "wrong-attribute", "gradient-left", "state-kept", "left-in-training"),
        *("no-gradient", "digits-lost", "argument-watched", "input-shared", "setting-left", "module-changed"),
        *("result-shared", "layout-dependent", "library-not-used"),
    )
)
# Given where two calls differ, so that no numbers can be compared.
UNSTEADY = ("dropout-in-eval", "dropout-wrong-rate")
# Codes for a missing answer, or for one that is not the learner's own work. They never follow from another
# mistake.
NEVER = frozenset(
    (
        *("not-implemented", "stub-called", "not-defined", "syntax-error"),
        *("hard-coded", "fitted-to-cases", "forbidden-call", "argument-unused"),
    )
)
# Codes for numbers that are not computed, whichever cases they match.
BY_HEART = frozenset(("hard-coded", "forbidden-call", "stub-called", "not-implemented", "argument-unused"))
WITHHELD = message("no part of them: the numbers do not show that everything else is right.")

Shares = Mapping[str, float]


@dataclass(frozen=True)
class PartialCredit:
    """What a course grants for mistakes.

    Attributes:
        shares: of an exercise's points, by code; each more than 0 and less than 1.
        by_exercise: what holds instead for one exercise, by its id.
        by_case: the exercises that give points by case; the share of the cases below which there are none.
    """

    shares: Shares = field(default_factory=dict)
    by_exercise: Mapping[str, Shares] = field(default_factory=dict)
    by_case: Shares = field(default_factory=dict)

    def of(self, exercise: str) -> dict[str, float]:
        """Return the shares by code for an exercise."""
        return {**self.shares, **self.by_exercise.get(exercise, {})}

    def share(self, exercise: str, codes: tuple[str, ...]) -> float:
        """Return which share of the points a diagnosis earns.

        For mistakes that no case can distinguish, or that were made together, the smallest share counts; it
        is none if one of them is not in the table. A broken requirement that follows from a mistake changes
        nothing.
        """
        shares = self.of(exercise)
        causes = [code for place, code in enumerate(codes) if not place or not _is_consequence(code)]
        return min((shares.get(code, 0.0) for code in causes), default=0.0)

    def share_of_cases(self, result: Result) -> Fraction:
        """Return which share of the points the cases of a failed answer earn.

        None if the exercise gives no points by case, if the cases that pass prove nothing, if every case
        passes and something else is wrong, and below the required share.
        """
        passed, total = sum(one.passed for one in result.cases), len(result.cases)
        name = result.exercise.id
        counts = name in self.by_case and result.partly_right and passed < total
        if not counts or BY_HEART.intersection(result.diagnosis) or passed < self.by_case[name] * total:
            return Fraction(0)
        return Fraction(passed, total)


def _is_consequence(code: str) -> bool:
    """Return whether a code that is not the first of a diagnosis only says what the first has led to."""
    return explain(code).group == "contract" and code not in NEVER


def why_none(code: str) -> str:
    """Return why no part of the points can be granted for a known code; empty if it can."""
    if code in RESULTS_RIGHT or (explain(code).matched_by_output and code not in UNSTEADY):
        return ""
    if code in NEVER:
        return "it says that there is no answer of the learner's own to give points for"
    return "it says nothing of whether the numbers are right: a result of zeros would earn the same"


def points_of(share: float | Fraction, points: float) -> float:
    """Return a share of an exercise's points, rounded down to hundredths: less than all stays less."""
    exact = share if isinstance(share, Fraction) else Fraction(str(share))
    hundredths = math.floor(100 * exact * Fraction(str(points)))
    return hundredths / 100 if hundredths % 100 else hundredths // 100


def with_credit(result: Result, table: PartialCredit) -> Result:
    """Return a verdict with the part of the points that the table grants, and with a line that says so.

    The larger of the mistake's and the cases' points counts.
    """
    if result.status != "failed":
        return result
    share = table.share(result.exercise.id, result.diagnosis)
    for_mistake = points_of(share, result.max_score) if result.partial_credit_eligible else 0
    for_cases = points_of(table.share_of_cases(result), result.max_score)
    if for_cases > for_mistake:
        told = _told_of_cases(result, for_cases)
    elif for_mistake:
        told = message(
            "{earned} of {count} points: part of the points for this mistake.",
            earned=f"{for_mistake:g}",
            count=result.max_score,
        )
    elif share and not result.partial_credit_eligible:
        told = WITHHELD
    else:
        return result
    return replace(result, partial=max(for_mistake, for_cases), lines=(*result.lines, Line(told, POINTS)))


def _told_of_cases(result: Result, earned: float) -> Message:
    return message(
        "{earned} of {count} points: {passed} of {total} cases passed.",
        earned=f"{earned:g}",
        count=result.max_score,
        passed=sum(one.passed for one in result.cases),
        total=len(result.cases),
    )


def nearest_credit(folder: Path | None = None) -> PartialCredit:
    """Return what the nearest ``course.toml`` grants, at or above a folder; by default the working directory.

    Raises:
        GraderError: the file cannot be read, or something in it is not known.
    """
    here = folder or Path.cwd()
    found = (place / SETTINGS for place in (here, *here.parents) if (place / SETTINGS).is_file())
    path = next(found, None)
    return PartialCredit() if path is None else read_credit(path)


def read_credit(path: Path) -> PartialCredit:
    """Return what a course's ``course.toml`` grants: nothing where there is no such file.

    Raises:
        GraderError: the file cannot be read, or something in it is not known; names file, key and what was
            expected.
    """
    content = read_toml(path)
    _known(path, "", content, [TABLE, BY_CASE, TERM])
    table = content.get(TABLE, {})
    if not isinstance(table, dict):
        raise GraderError(f"{path}: {TABLE} is {table!r}; expected a table, [{TABLE}].")
    own = {key: value for key, value in table.items() if isinstance(value, dict)}
    _known(path, TABLE, own, EXERCISES)
    shares = _shares(path, TABLE, {key: value for key, value in table.items() if key not in own})
    return PartialCredit(
        shares,
        {name: _shares(path, f"{TABLE}.{name}", value) for name, value in own.items()},
        _by_case(path, content.get(BY_CASE, {})),
    )


def _by_case(path: Path, table: object) -> dict[str, float]:
    """Return the exercises that give points by case, each with the least share of the cases."""
    if not isinstance(table, dict):
        raise GraderError(f"{path}: {BY_CASE} is {table!r}; expected a table, [{BY_CASE}].")
    _known(path, BY_CASE, table, EXERCISES)
    return {name: least for name, entry in table.items() if (least := _least(path, name, entry)) is not None}


def _least(path: Path, name: str, entry: object) -> float | None:
    """Return the least share of the cases that an entry asks for; None where it says that there is none."""
    if isinstance(entry, bool):
        return 0.0 if entry else None
    place = f"{path}: {name} in [{BY_CASE}]"
    if not isinstance(entry, dict) or set(entry) != {AT_LEAST}:
        raise GraderError(f"{place} is {entry!r}; expected true, false, or {{ {AT_LEAST} = 0.5 }}.")
    least = entry[AT_LEAST]
    if isinstance(least, bool) or not isinstance(least, int | float) or not 0 < least < 1:
        raise GraderError(
            f"{place}: {AT_LEAST} is {least!r}; expected a share of the cases, a number above 0 and below 1."
        )
    return float(least)


def _known(path: Path, where: str, keys: Iterable[str], known: Iterable[str]) -> None:
    for key in keys:
        if key not in known:
            place = f"[{where}.{key}]" if where else key
            raise GraderError(f"{path}: {place} is not known; expected one of: {', '.join(known)}.")


def _shares(path: Path, where: str, entries: Mapping[str, object]) -> dict[str, float]:
    for code, value in entries.items():
        place = f"{path}: {code} in [{where}]"
        if code not in known_mistakes():
            raise GraderError(f"{place} is no known mistake; `grader list EXERCISE` names them.")
        if why := why_none(code):
            raise GraderError(f"{place} earns no part of the points: {why}. Take it out.")
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
            raise GraderError(
                f"{place} is {value!r}; expected a share of the points, a number above 0 and below 1."
            )
    return dict(entries)
