"""Compare answers in pairs, weighting fingerprints by their rarity in the class.

A fingerprint that many answers have is no evidence: it is how the exercise is solved. So its weight is the
logarithm of the inverse share of answers that have it; it is zero if more than a quarter of the class has it,
or if it was given. The similarity of two answers is the weight of their common fingerprints relative to all.

In a class of more than ``ALL_PAIRS`` students time and memory grow with the class, not with its square.
Answers are put into an order in which like ones are likely to be near each other (MinHash: Broder, "On the
resemblance and containment of documents", 1997). Of those who have a fingerprint each is paired with the
``NEXT`` ones in this order, and of these pairs a student's ``NEAREST``, by what they share so, are compared
in full. What is usual is told from a sample of all pairs.
"""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

# What more than one in so many of the class have is common.
COMMON_FROM_ONE_IN = 4
# Added to the denominator, so that a few common lines, which may be chance, do not count as similar.
SMALL = 8
# Students of a class whose pairs are all compared.
ALL_PAIRS = 400
# In a larger one: who is paired for one fingerprint, and which of a student's pairs are compared.
NEXT, NEAREST = 20, 16
# In a larger one: pairs that tell what is usual.
SAMPLE = 80_000
# Fingerprints by which answers are put into order; each is the first by chance.
SIGNATURE = 4
# An odd number near 2 to the 64th over the golden ratio (Knuth): multiplying by it scatters.
SCATTER, BITS = 0x9E3779B97F4A7C15, 2**64 - 1
# Pairs that are compared at once, to bound memory.
BLOCK = 20_000
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
    """The answers of a class to one exercise.

    Attributes:
        weights: what each fingerprint counts; those that count nothing are left out.
        has: (students, fingerprints): 1 where an answer has one that others have, too.
        counts: (fingerprints): what these count.
        totals: (students): what an answer's fingerprints count together.
        small: added to the denominator.
    """

    weights: Mapping[int, float]
    has: sparse.csr_array = field(repr=False)
    counts: np.ndarray = field(repr=False)
    totals: np.ndarray = field(repr=False)
    small: float

    def alike(self, pairs: np.ndarray) -> np.ndarray:
        """Return how alike two answers are, from 0 to 1, (pairs).

        Args:
            pairs: of students, by their numbers, (pairs, 2).
        """
        shared = np.zeros(len(pairs))
        for start in range(0, len(pairs), BLOCK):
            first, second = (self.has[pairs[start : start + BLOCK, side]] for side in (0, 1))
            shared[start : start + BLOCK] = first.multiply(second) @ self.counts
        return shared / (self.totals[pairs].sum(axis=1) - shared + self.small)

    def near(self) -> sparse.csr_array:
        """Return what pairs of students share that are near each other, (students, students)."""
        students = self.has.shape[0]
        signatures = np.split(self.has.indices, self.has.indptr[1:-1])
        order = np.array(sorted(range(students), key=lambda one: tuple(signatures[one][:SIGNATURE])), int)
        holders = self.has[order].tocsc()
        numbers = order[holders.indices]
        fingerprint = np.repeat(np.arange(len(self.counts)), np.diff(holders.indptr))
        found = sparse.csr_array((students, students))
        for step in range(1, NEXT + 1):
            both = fingerprint[:-step] == fingerprint[step:]
            one, other = numbers[:-step][both], numbers[step:][both]
            place = np.minimum(one, other), np.maximum(one, other)
            found += sparse.coo_array((self.counts[fingerprint[:-step][both]], place), found.shape).tocsr()
        return found


def compare_answers(answers: Sequence[Set[int]], given: Set[int]) -> Compared:
    """Return what the answers to one exercise have in common.

    Args:
        answers: each student's fingerprints; empty where there is no answer.
        given: fingerprints that count nothing, for everybody was given them.
    """
    own = [one - given for one in answers]
    handed_in = sum(bool(one) for one in answers)
    counts = Counter(found for one in own for found in one)
    most = max(2, handed_in // COMMON_FROM_ONE_IN)
    weights = {one: float(np.log(handed_in / count)) for one, count in counts.items() if count <= most}
    shared = sorted((one for one in weights if counts[one] > 1), key=lambda one: one * SCATTER & BITS)
    numbers = {one: number for number, one in enumerate(shared)}
    rows = [sorted(numbers[found] for found in one if found in numbers) for one in own]
    indices = np.array([number for row in rows for number in row], dtype=np.int32)
    has = sparse.csr_array(
        (np.ones(len(indices)), indices, np.cumsum([0, *map(len, rows)])), (len(own), len(shared))
    )
    return Compared(
        weights=weights,
        has=has,
        counts=np.array([weights[one] for one in shared]),
        totals=np.array([sum(weights.get(found, 0.0) for found in one) for one in own]),
        small=SMALL * float(np.log(max(2, handed_in))),
    )


def near_pairs(exercises: Sequence[Compared], students: int) -> np.ndarray:
    """Return the pairs of students to compare, (pairs, 2): all, or those who are near each other."""
    if students <= ALL_PAIRS:
        return np.stack(np.triu_indices(students, 1), axis=1)
    upper = sum((one.near() for one in exercises), sparse.csr_array((students, students)))
    shared = (upper + upper.T).tocsr()
    chosen = [
        (min(student, other), max(student, other))
        for student in range(students)
        for other in _largest(shared, student)
    ]
    return np.unique(np.array(chosen, int).reshape(-1, 2), axis=0)


def _largest(shared: sparse.csr_array, row: int) -> list[int]:
    """Return the columns of a row's ``NEAREST`` largest values."""
    place = slice(shared.indptr[row], shared.indptr[row + 1])
    order = np.argsort(-shared.data[place], kind="stable")[:NEAREST]
    return shared.indices[place][order].tolist()


def usual_pairs(students: int) -> np.ndarray:
    """Return the pairs that tell what is usual, (pairs, 2): all, or a sample."""
    if students <= ALL_PAIRS:
        return np.stack(np.triu_indices(students, 1), axis=1)
    drawn = np.random.default_rng(0)
    first = drawn.integers(students, size=SAMPLE)
    return np.stack([first, (first + drawn.integers(1, students, size=SAMPLE)) % students], axis=1)


def agreement(exercises: Sequence[Compared], pairs: np.ndarray) -> np.ndarray:
    """Return how alike pairs of students are, added up over the exercises, (pairs)."""
    return sum((one.alike(pairs) for one in exercises), np.zeros(len(pairs)))


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


def baseline(students: int, usual: np.ndarray, pairs: np.ndarray, agreements: np.ndarray) -> Baseline | None:
    """Return what is usual in a class; None for too small a one.

    Args:
        students: how many there are.
        usual: the agreement of pairs that tell it.
        pairs: those that were compared, (pairs, 2).
        agreements: theirs, (pairs).
    """
    if students < FEWEST:
        return None
    median, deviation = _robust(usual)
    # In a thousand pairs some are far from the median by chance: whoever is closest to somebody is compared
    # with whoever is closest to the others, too.
    closest = np.zeros(students)
    for side in (0, 1):
        np.maximum.at(closest, pairs[:, side], agreements)
    middle, spread = _robust(closest)
    return Baseline(students * (students - 1) // 2, median, deviation, middle + UNUSUAL * spread)


def _robust(values: np.ndarray) -> tuple[float, float]:
    """Return the median, and the deviation from it: the mean one where that of most values is zero."""
    median = float(np.median(values))
    away = np.abs(values - median)
    deviation = NORMAL * float(np.median(away)) or NORMAL_MEAN * float(away.mean())
    return median, max(deviation, LEAST_DEVIATION)


def most_alike(agreements: np.ndarray, top: int) -> list[int]:
    """Return the places of the largest agreements above zero, the largest first."""
    order = np.argsort(-agreements, kind="stable")[:top]
    return [int(one) for one in order if agreements[one] > 0]
