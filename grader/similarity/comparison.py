"""Compare all pairs of answers, weighting fingerprints by their rarity in the class.

A fingerprint that many answers have is no evidence: it is how the exercise is solved. So its weight is the
logarithm of the inverse share of answers that have it; it is zero if more than a quarter of the class has it,
or if it was given. The similarity of two answers is the weight of their common fingerprints relative to all.
"""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np

# What more than one in so many of the class have is common.
COMMON_FROM_ONE_IN = 4
# Added to the denominator, so that a few common lines, which may be chance, do not count as similar.
SMALL = 8
# Fingerprints that are multiplied at once, to bound memory.
BLOCK = 8192
# Make the median absolute deviation, and the mean one, the standard deviation of a normal distribution.
NORMAL, NORMAL_MEAN = 1.4826, 1.2533
# In a class that has nothing in common there is no deviation; differences below this are none.
LEAST_DEVIATION = 0.05
# By how many deviations a value is unusual (Iglewicz and Hoaglin's rule).
UNUSUAL = 3.5
# With fewer students there are too few pairs to say what is usual.
FEWEST = 6


@dataclass(frozen=True)
class Compared:
    """One exercise, all pairs.

    Attributes:
        alike: 0 to 1 for each pair of students, by their numbers.
        weights: what each fingerprint counts; those that count nothing are left out.
    """

    alike: np.ndarray
    weights: Mapping[int, float]


def compare_answers(answers: Sequence[Set[int]], given: Set[int]) -> Compared:
    """Return the similarity of all pairs of answers to one exercise.

    Args:
        answers: each student's fingerprints; empty where there is no answer.
        given: fingerprints that count nothing, for everybody was given them.
    """
    own = [one - given for one in answers]
    handed_in = sum(bool(one) for one in answers)
    counts = Counter(found for one in own for found in one)
    most = max(2, handed_in // COMMON_FROM_ONE_IN)
    weights = {one: float(np.log(handed_in / count)) for one, count in counts.items() if count <= most}
    totals = np.array([sum(weights.get(found, 0.0) for found in one) for one in own])
    shared = _shared(own, {one: weight for one, weight in weights.items() if counts[one] > 1})
    small = SMALL * np.log(max(2, handed_in))
    alike = shared / (totals[:, None] + totals[None, :] - shared + small)
    np.fill_diagonal(alike, 0.0)
    return Compared(alike, weights)


def _shared(answers: Sequence[Set[int]], weights: Mapping[int, float]) -> np.ndarray:
    """Return for each pair the sum of the weights of what both have."""
    numbers = {one: number for number, one in enumerate(weights)}
    weight_of = np.array(list(weights.values()))
    shared = np.zeros((len(answers), len(answers)))
    for start in range(0, len(numbers), BLOCK):
        has = np.zeros((len(answers), min(BLOCK, len(numbers) - start)), dtype=np.float32)
        for row, one in enumerate(answers):
            columns = [
                numbers[found] - start for found in one if start <= numbers.get(found, -1) < start + BLOCK
            ]
            has[row, columns] = 1.0
        shared += (has * weight_of[start : start + BLOCK]) @ has.T
    return shared


@dataclass(frozen=True)
class Baseline:
    """What is usual between two students of this class.

    Attributes:
        pairs: how many pairs there are.
        median: of their agreement.
        deviation: median absolute deviation, as a standard deviation.
        closest: above this an agreement is unusual even for the pair that a student agrees with most.
    """

    pairs: int
    median: float
    deviation: float
    closest: float

    def unusual(self, agreement: float) -> float:
        """Return by how many deviations an agreement is above the usual."""
        return (agreement - self.median) / self.deviation

    def stands_out(self, agreement: float) -> bool:
        """Return whether an agreement is unusual, also for the pair that a student agrees with most."""
        return self.unusual(agreement) >= UNUSUAL and agreement >= self.closest


def baseline(agreement: np.ndarray) -> Baseline | None:
    """Return what is usual, of the agreement of all pairs; None for too small a class."""
    count = len(agreement)
    if count < FEWEST:
        return None
    pairs = agreement[np.triu_indices(count, 1)]
    median, deviation = _robust(pairs)
    # In a thousand pairs some are far from the median by chance: whoever is closest to somebody is compared
    # with whoever is closest to the others, too.
    closest, spread = _robust(agreement.max(axis=1))
    return Baseline(len(pairs), median, deviation, closest + UNUSUAL * spread)


def _robust(values: np.ndarray) -> tuple[float, float]:
    """Return the median, and the deviation from it: the mean one where that of most values is zero."""
    median = float(np.median(values))
    away = np.abs(values - median)
    deviation = NORMAL * float(np.median(away)) or NORMAL_MEAN * float(away.mean())
    return median, max(deviation, LEAST_DEVIATION)


def most_alike(agreement: np.ndarray, top: int) -> list[tuple[int, int]]:
    """Return the pairs of the largest agreement above zero, the largest first."""
    rows, columns = np.triu_indices(len(agreement), 1)
    values = agreement[rows, columns]
    order = np.argsort(-values, kind="stable")[:top]
    return [(int(rows[one]), int(columns[one])) for one in order if values[one] > 0]
