"""Part of the points for a mistake that is named: what a course grants, off where it says nothing.

``course.toml`` in the course's folder::

    [partial-credit]
    missing-scale = 0.5             # of an exercise's points

    [partial-credit.ch04-self-attention]
    missing-scale = 0.25            # here instead

The verdict stays ``failed``. A course without the file, or without the table, grades all or nothing.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import ROUND_DOWN, Decimal
from pathlib import Path

from grader.checking.mistakes import explain, known_mistakes
from grader.checking.result import POINTS, Line, Result
from grader.course.paths import SETTINGS
from grader.errors import GraderError
from grader.exercises import EXERCISES
from grader.messages import message

TABLE = "partial-credit"
# Codes of the contract that are only given where the results are right. All others are given before anything
# is known of the numbers, so that a result of zeros would earn as much as one that is nearly right.
RESULTS_RIGHT = frozenset(
    (
        *("wrong-exception", "wrong-attribute", "gradient-left", "state-kept", "left-in-training"),
        *("no-gradient", "digits-lost", "argument-watched", "input-shared", "setting-left", "module-changed"),
        *("result-shared", "layout-dependent", "library-not-used"),
    )
)
# Given where two calls differ: no number can be looked at.
UNSTEADY = ("dropout-in-eval", "dropout-wrong-rate")
# What says that there is no answer, or that it is none. They are no consequence of another mistake, either.
NEVER = frozenset(
    (
        *("not-implemented", "stub-called", "not-defined", "syntax-error"),
        *("hard-coded", "fitted-to-cases", "forbidden-call", "argument-unused"),
    )
)
WITHHELD = message("no part of them: the numbers do not show that everything else is right.")

Shares = Mapping[str, float]


@dataclass(frozen=True)
class PartialCredit:
    """What a course grants for mistakes.

    Attributes:
        shares: of an exercise's points, by code; each more than 0 and less than 1.
        by_exercise: what holds instead for one exercise, by its id.
    """

    shares: Shares = field(default_factory=dict)
    by_exercise: Mapping[str, Shares] = field(default_factory=dict)

    def of(self, exercise: str) -> dict[str, float]:
        """Return the shares by code for an exercise."""
        return {**self.shares, **self.by_exercise.get(exercise, {})}

    def share(self, exercise: str, codes: tuple[str, ...]) -> float:
        """Return which share of the points a diagnosis earns.

        Of mistakes that no case can tell apart, or that were made together, the smallest share counts, and
        none where one is not in the table. A broken contract that follows a mistake is its consequence and
        changes nothing.
        """
        shares = self.of(exercise)
        causes = [code for place, code in enumerate(codes) if not place or not _is_consequence(code)]
        return min((shares.get(code, 0.0) for code in causes), default=0.0)


def _is_consequence(code: str) -> bool:
    """Return whether a code that is not the first of a diagnosis only says what the first has led to."""
    return explain(code).group == "contract" and code not in NEVER


def why_none(code: str) -> str:
    """Return why no part of the points can be granted for a known code; empty if it can."""
    if code in RESULTS_RIGHT or (explain(code).told_by_numbers and code not in UNSTEADY):
        return ""
    if code in NEVER:
        return "it says that there is no answer of the learner's own to give points for"
    return "it says nothing of whether the numbers are right: a result of zeros would earn the same"


def points_of(share: float, points: float) -> float:
    """Return a share of an exercise's points, cut to hundredths: what is less than all stays less."""
    earned = (Decimal(str(share)) * Decimal(str(points))).quantize(Decimal("0.01"), ROUND_DOWN)
    return int(earned) if earned == int(earned) else float(earned)


def with_credit(result: Result, table: PartialCredit) -> Result:
    """Return a verdict with the part of the points that the table grants, and with a line that says so."""
    share = table.share(result.exercise.id, result.diagnosis) if result.status == "failed" else 0.0
    if not share:
        return result
    if not result.creditable:
        return replace(result, lines=(*result.lines, Line(WITHHELD, POINTS)))
    earned = points_of(share, result.max_score)
    told = message(
        "{earned} of {count} points: part of the points for this mistake.",
        earned=f"{earned:g}",
        count=result.max_score,
    )
    return replace(result, partial=earned, lines=(*result.lines, Line(told, POINTS)))


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
    try:
        content = tomllib.loads(path.read_bytes().decode("utf-8"))
    except FileNotFoundError:
        return PartialCredit()
    except (OSError, ValueError) as error:  # no file, no UTF-8, no TOML
        raise GraderError(f"{path} cannot be read: {error}") from error
    _known(path, "", content, [TABLE])
    table = content.get(TABLE, {})
    if not isinstance(table, dict):
        raise GraderError(f"{path}: {TABLE} is {table!r}; expected a table, [{TABLE}].")
    own = {key: value for key, value in table.items() if isinstance(value, dict)}
    _known(path, TABLE, own, EXERCISES)
    shares = _shares(path, TABLE, {key: value for key, value in table.items() if key not in own})
    return PartialCredit(
        shares, {name: _shares(path, f"{TABLE}.{name}", value) for name, value in own.items()}
    )


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
