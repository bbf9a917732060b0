"""The statistics of a class, against SciPy and by hand."""

import numpy as np
import pytest
from scipy.stats import pointbiserialr

from grader.reporting.statistics import (
    FEW,
    bars,
    discriminations,
    distribution,
    median,
    percentages,
    point_biserial,
)


@pytest.mark.parametrize("seed", range(20))
def test_point_biserial_is_scipy_s(seed: int) -> None:
    """The same number as SciPy's, whatever the share of right answers."""
    random = np.random.default_rng(seed)
    count = int(random.integers(10, 300))
    right = random.random(count) < random.uniform(0.05, 0.95)
    right[:2] = True, False
    rest = random.integers(0, 13, count) / 2 + right * random.normal()
    assert point_biserial(right, rest) == pytest.approx(pointbiserialr(right, rest).statistic, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_discrimination_is_against_the_rest(seed: int) -> None:
    """Each exercise is correlated with the sum of the others, never with itself."""
    random = np.random.default_rng(seed)
    most = np.array([1.0, 2.0, 4.0, 3.0])
    right = random.random((60, 4)) < random.uniform(0.2, 0.8, 4)
    points = right * most
    for number, found in enumerate(discriminations(points, right)):
        rest = np.delete(points, number, axis=1).sum(axis=1)
        expected = pointbiserialr(right[:, number], rest).statistic
        assert found.value == pytest.approx(expected, abs=1e-12)
        assert (found.students, found.right) == (60, right[:, number].sum())
        assert found.mean_right == pytest.approx(rest[right[:, number]].mean())
        assert found.mean_wrong == pytest.approx(rest[~right[:, number]].mean())


def test_a_part_of_the_points_counts_in_the_rest() -> None:
    """Points are what correlates; an answer with a part of them is not right."""
    points = np.array([[2.0, 1.0], [0.0, 0.5]] * 10)
    right = points >= [2.0, 1.0]
    first, second = discriminations(points, right)
    assert first.value == pytest.approx(1)
    assert second.value == pytest.approx(1)
    assert first.mean_wrong == 0.5


def unknown_of_the_third() -> np.ndarray:
    """Return points of three exercises, of which nobody's third is known."""
    points = np.tile([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], (10, 1))
    points[:, 2] = np.nan
    return points


WAITING = "beside 12 with an answer that has no points yet"


@pytest.mark.parametrize(
    ("points", "reasons"),
    [
        (np.zeros((0, 2)), ["nobody's answer is judged"] * 2),
        (np.ones((1, 2)), [f"fewer than {FEW} students"] * 2),
        (np.ones((FEW - 1, 2)), [f"fewer than {FEW} students"] * 2),
        (np.ones((30, 2)), ["all have it right"] * 2),
        (np.zeros((30, 2)), ["all have it wrong"] * 2),
        (np.array([[1.0], [0.0]] * 20), ["there is no other exercise"]),
        (np.array([[1.0, 1.0], [0.0, 1.0]] * 20), ["all earned the same in the rest", "all have it right"]),
        (unknown_of_the_third(), ["", "", "nobody's answer is judged"]),
        (np.array([[1.0, 1.0]] * 2 + [[np.nan, 1.0]] * 12), [f"fewer than {FEW} students {WAITING}"] * 2),
    ],
    ids=[
        "nobody",
        "one",
        "few",
        "all right",
        "all wrong",
        "one exercise",
        "rest alike",
        "one not judged",
        "waiting",
    ],
)
def test_not_defined_says_why(points: np.ndarray, reasons: list[str]) -> None:
    """Without variance, or of too few students, there is no number but a reason."""
    found = list(discriminations(points, points >= 1))
    assert [one.why for one in found] == reasons
    assert all((one.value is None) == bool(one.why) for one in found)


def test_student_of_whom_something_is_not_known_is_left_out() -> None:
    """An answer that nobody could judge is neither right nor wrong."""
    points = np.array([[1.0, 1.0], [0.0, 0.0]] * 10 + [[np.nan, 1.0]])
    found, _ = discriminations(points, points >= 1)
    assert (found.students, found.right) == (20, 10)
    assert found.value == pytest.approx(1)


def test_distribution() -> None:
    """Mean, median and quartiles are NumPy's; of nobody there is nothing."""
    scores = [0, 1, 2, 2.5, 7, 10]
    found = distribution(scores)
    assert (found.count, found.minimum, found.maximum) == (6, 0, 10)
    assert found.mean == pytest.approx(3.75)
    assert found.median == 2.25
    assert [found.lower_quartile, found.upper_quartile] == list(np.quantile(scores, [0.25, 0.75]))
    assert distribution([]) is None
    assert distribution([3]).lower_quartile == distribution([3]).maximum == 3


def test_bars_hold_everybody_once() -> None:
    """Each bar begins with its number; full marks, and what is above, stand alone."""
    shares = [0, 9.99, 10, 29.999999999999996 + 4e-15, 99.9, 100, 104]
    counts = {bar.label: bar.count for bar in bars(shares)}
    assert len(counts) == 11 and sum(counts.values()) == len(shares)
    assert [label for label, count in counts.items() if count] == ["0–9", "10–19", "30–39", "90–99", "100"]  # noqa: RUF001
    assert counts["0–9"] == counts["100"] == 2  # noqa: RUF001
    assert sum(bar.count for bar in bars([])) == 0


def test_median_and_percentages_of_nothing() -> None:
    """Nothing has no median, and of no points there is no share."""
    assert median([]) is None
    assert median([3, 1, 10]) == 3
    assert percentages([1, 2], 4) == [25, 50]
    assert percentages([0.0], 0) == []
