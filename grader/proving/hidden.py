"""Draw hidden cases, which only grading uses: numbers and sizes that no learner has seen.

They must fail an answer that is fitted to the visible cases: one with hard-coded results, whether it selects
them by input, by shape or by counting calls, and one with hard-coded sizes. So for each exercise one case has
the sizes of a visible case with other numbers, and the others have sizes drawn from the course's seed: all
different, all equal, or in other regimes where that matters. ``shows`` mentions no size.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from grader.errors import ReferenceDataError
from grader.messages import message
from grader.proving.posing import Oracle, pose
from grader.proving.recipe import OTHER_NUMBERS, Solved, check_cases

OTHER_SIZES = "other sizes"
LARGER = "a larger size"
EQUAL_SIZES = "other sizes, all equal"
LEADING_AXES = "other sizes, leading axes"
BIASES = "other sizes, biases"
LARGE = "other large scores"
LOW = "low scores"
DROPOUT = "another dropout"
REFUSED = "another refusal"
# What a case shows, as it is stored; marked for translation.
SHOWS = {
    name: str(kind)
    for name, kind in {
        OTHER_NUMBERS: message("sizes that you know, with other numbers"),
        OTHER_SIZES: message("sizes that you have not seen, all different"),
        LARGER: message("more tokens than in any case that you know"),
        EQUAL_SIZES: message("sizes that you have not seen, all equal"),
        LEADING_AXES: message("axes in front, of sizes that you have not seen"),
        BIASES: message("sizes that you have not seen, with biases"),
        LARGE: message("scores in the hundreds, of sizes that you have not seen"),
        LOW: message("scores that are all far below zero"),
        DROPOUT: message("a dropout that you have not seen"),
        REFUSED: message("an input to be refused, of sizes that you have not seen"),
    }.items()
}
# Keeps the stream of numbers that hidden cases are drawn from apart from that of the visible ones.
STREAM = 1


def other_sizes(rng: np.random.Generator, count: int, low: int = 5, high: int = 9) -> list[int]:
    """Return sizes from ``low`` to ``high``, no two alike."""
    return [int(size) for size in rng.permutation(np.arange(low, high + 1))[:count]]


def one_size(rng: np.random.Generator, low: int = 5, high: int = 7) -> int:
    """Return a size from ``low`` to ``high``."""
    return int(rng.integers(low, high + 1))


def another_dropout(rng: np.random.Generator) -> float:
    """Return a share to drop that no visible case has."""
    return float(rng.choice([0.15, 0.2, 0.35, 0.4]))


def indivisible(rng: np.random.Generator) -> tuple[int, int]:
    """Return a number of features, and a number of heads that could share all but one of them."""
    heads = int(rng.choice([3, 5, 6, 7]))
    return heads * one_size(rng, 4, 6) + 1, heads


def pose_hidden(rng: np.random.Generator, name: str, oracle: Oracle, **parts: object) -> Solved:
    """Return a hidden case: what ``pose`` makes of its parts, with a text that tells nothing of its sizes.

    Low scores show in the result; of gradients the others tell.

    Raises:
        ReferenceDataError: the name is none of those above, which have such a text.
    """
    if name not in SHOWS:
        raise ReferenceDataError(
            f"a hidden case called {name!r} has no text: expected one of {', '.join(map(repr, SHOWS))}. For "
            "any other, say pose(..., visible=False) with a text that tells no size."
        )
    return pose(rng, name, SHOWS[name], oracle, visible=False, **{"differentiable": name != LOW} | parts)


def drawn_for_grading(
    seed: int, makers: Mapping[str, Callable[[np.random.Generator], list[Solved]]]
) -> dict[str, list[Solved]]:
    """Return each exercise's hidden cases, drawn from a course's seed.

    What seeds the generator before a subject runs is drawn too, one for all cases of an exercise.

    Raises:
        ReferenceDataError: a function makes anything but a list of cases.
    """
    hidden = {}
    for number, (name, make) in enumerate(makers.items()):
        rng = np.random.default_rng([seed, number, STREAM])
        seeds_subject = int(rng.integers(2**31))
        made = make(rng)
        check_cases(name, made, "grading_cases")
        hidden[name] = [replace(one, case=replace(one.case, seed=seeds_subject)) for one in made]
    return hidden
