"""The statistics of a graded class: pure functions on plain numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

# Fewer students than this say nothing about an exercise.
FEW = 10
# Shares of the points at which a bar of the histogram begins, in percent; full marks have one of their own.
EDGES = tuple(range(0, 101, 10))
# What sums of points may differ by because of rounding.
ROUNDING = 1e-9


@dataclass(frozen=True)
class Distribution:
    """Where a number of scores lie."""

    count: int
    mean: float
    minimum: float
    lower_quartile: float
    median: float
    upper_quartile: float
    maximum: float


@dataclass(frozen=True)
class Bar:
    """How many scores lie from one share of the points up to, not with, another, in percent."""

    label: str
    count: int


@dataclass(frozen=True)
class Discrimination:
    """Whether those who have an exercise right do better in the rest of the assignment.

    Attributes:
        value: the point-biserial correlation of right (1) or wrong (0) with the points in the rest; None
            where it is not defined.
        why: why it is not defined.
        students: on how many it rests.
        right: how many of these have it right.
        mean_right: what these earned on average in the rest.
        mean_wrong: what the others did.
    """

    value: float | None
    why: str = ""
    students: int = 0
    right: int = 0
    mean_right: float = 0.0
    mean_wrong: float = 0.0


def distribution(scores: Sequence[float]) -> Distribution | None:
    """Return the distribution of scores, quartiles interpolated linearly; None without scores."""
    if not len(scores):
        return None
    values = np.asarray(scores, dtype=float)
    points = np.percentile(values, (0, 25, 50, 75, 100))
    return Distribution(len(values), float(values.mean()), *(float(one) for one in points))


def percentages(scores: Sequence[float], most: float) -> list[float]:
    """Return scores as percentages of the maximum; empty if the maximum is zero."""
    return [100.0 * score / most for score in scores] if most > 0 else []


def bars(shares: Sequence[float]) -> list[Bar]:
    """Return a histogram of percentages: ten bars of ten, and one of full marks and more."""
    lows = np.asarray(EDGES, dtype=float) - ROUNDING
    places = np.clip(np.searchsorted(lows, np.asarray(shares, dtype=float), side="right") - 1, 0, None)
    counts = np.bincount(places, minlength=len(EDGES))
    labels = [f"{low}–{low + 9}" for low in EDGES[:-1]] + ["100"]  # noqa: RUF001 - a range
    return [Bar(label, int(count)) for label, count in zip(labels, counts, strict=True)]


def median(values: Sequence[float]) -> float | None:
    """Return the median; None without values."""
    return float(np.median(values)) if len(values) else None


def point_biserial(right: np.ndarray, rest: np.ndarray) -> float:
    """Return the correlation of right or wrong with points, by the means of the two groups.

    Both groups hold somebody, and not all points are alike.

    Source: r = (M1 - M0) / s * sqrt(p * q), with s the standard deviation of all points (divided by n).
    """
    share = right.mean()
    difference = rest[right].mean() - rest[~right].mean()
    return float(np.clip(difference / rest.std() * np.sqrt(share * (1 - share)), -1.0, 1.0))


def discriminations(points: np.ndarray, right: np.ndarray) -> Iterator[Discrimination]:
    """Yield the discrimination of each exercise.

    Exercises in which nothing is known of anybody are left out of the rest, then students of whom
    something is not known.

    Args:
        points: (students, exercises), NaN where they are not known.
        right: (students, exercises), whether an answer has full points.
    """
    known = ~np.isnan(points)
    judged = known.any(axis=0)
    complete = known[:, judged].all(axis=1)
    for number in range(points.shape[1]):
        others = judged.copy()
        others[number] = False
        if not judged[number]:
            yield Discrimination(None, "nobody's answer is judged")
        elif not others.any():
            yield Discrimination(None, "there is no other exercise")
        else:
            rest = points[complete][:, others].sum(axis=1)
            yield _discrimination(right[complete, number], rest, int((~complete).sum()))


def _discrimination(right: np.ndarray, rest: np.ndarray, unknown: int) -> Discrimination:
    count, solved = len(right), int(right.sum())
    if count < FEW <= count + unknown:
        waiting = f"{unknown} with an answer that has no points yet"
        return Discrimination(None, f"fewer than {FEW} students beside {waiting}", count, solved)
    if count < FEW:
        return Discrimination(None, f"fewer than {FEW} students", count, solved)
    if solved in (0, count):
        return Discrimination(None, f"all have it {'right' if solved else 'wrong'}", count, solved)
    if np.ptp(rest) < ROUNDING:
        return Discrimination(None, "all earned the same in the rest", count, solved)
    means = float(rest[right].mean()), float(rest[~right].mean())
    return Discrimination(point_biserial(right, rest), "", count, solved, *means)
