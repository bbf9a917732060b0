"""Cases and oracle of chapter 2.

Every result is computed twice in float64, by code that the solutions do not share: with PyTorch's own
functions (``torch.inner``, ``torch.einsum``, ``torch.softmax``, ``scaled_dot_product_attention``),
through which autograd gives the gradients, and with Python numbers, one at a time, by the formulas of the
chapter. Where the two disagree, there is no reference.
"""

import math
from collections.abc import Callable

import numpy as np
import torch
from torch.nn import functional as F

from grader.exercises.case import PUBLISHED
from grader.proving.hidden import (
    EQUAL_SIZES,
    LARGE,
    LEADING_AXES,
    OTHER_NUMBERS,
    OTHER_SIZES,
    drawn_for_grading,
    one_size,
    other_sizes,
    pose_hidden,
)
from grader.proving.posing import Oracle, confirmed, drawn, pose
from grader.proving.recipe import Solved
from grader.references.published import constant

PRODUCER = "oracle: PyTorch's own functions in float64, confirmed number by number in Python to 1e-12"
AXES = {
    "query": ("d",),
    "inputs": ("T", "d"),
    "context": ("T", "d"),
    "weights": ("T", "T"),
    "ch02-context-one-query/weights": ("T",),
}
# Relative to the largest number of a result: scores in the thousands are known to fewer decimals.
AGREEMENT = 1e-12
# Where scores are larger, a right answer may subtract the logarithm of the sum, which float32 rounds to
# 1/16384 near 1000.
ORDINARY, BY_LOGARITHMS = 100.0, 2e-4

DOUBLE = {"dtype": torch.float64}

Rows = list[list[float]]


def dot(one: list[float], other: list[float]) -> float:
    """Return the dot product of two lists, exactly summed."""
    return math.fsum(a * b for a, b in zip(one, other, strict=True))


def shares(scores: list[float]) -> list[float]:
    """Return the softmax of a list."""
    powers = [math.exp(score - max(scores)) for score in scores]
    return [power / math.fsum(powers) for power in powers]


def mixture(weights: list[float], rows: Rows) -> list[float]:
    """Return the sum of rows, each times its weight."""
    return [dot(weights, [row[feature] for row in rows]) for feature in range(len(rows[0]))]


def agreed(by_library: torch.Tensor, by_hand: list) -> torch.Tensor:
    """Return what the library computed, which the computation by hand must confirm."""
    largest = max(1.0, float(by_library.detach().abs().max()))
    return confirmed(by_library, np.array(by_hand).reshape(by_library.shape), AGREEMENT * largest)


def scores_one_query(arguments: dict, weights: dict, options: dict) -> torch.Tensor:
    """Return the scores (T,) of one query (d,) with every row of the inputs (T, d)."""
    query, inputs = arguments["query"], arguments["inputs"]
    return agreed(torch.inner(query, inputs), [dot(query.tolist(), row) for row in inputs.tolist()])


def sum_normalized(arguments: dict, weights: dict, options: dict) -> torch.Tensor:
    """Return numbers divided by their sum."""
    scores = arguments["scores"]
    total = math.fsum(scores.tolist())
    return agreed(scores * scores.sum().reciprocal(), [score / total for score in scores.tolist()])


def softmax(x: torch.Tensor) -> torch.Tensor:
    """Return the softmax along the last axis of a tensor of any number of axes."""
    rows = x.detach().reshape(-1, x.shape[-1]).tolist()
    return agreed(torch.softmax(x, dim=-1), [shares(row) for row in rows])


def softmax_of_only(arguments: dict, weights: dict, options: dict) -> torch.Tensor:
    """Return the softmax of a case's only argument."""
    (x,) = arguments.values()
    return softmax(x)


def context_one_query(arguments: dict, weights: dict, options: dict) -> torch.Tensor:
    """Return the mixture (d,) of the inputs (T, d) in the given weights (T,)."""
    given, inputs = arguments["weights"], arguments["inputs"]
    return agreed(torch.einsum("t,td->d", given, inputs), mixture(given.tolist(), inputs.tolist()))


def scores(arguments: dict, weights: dict, options: dict) -> torch.Tensor:
    """Return the scores (T, T) of all tokens with all tokens."""
    rows = arguments["inputs"].tolist()
    by_library = torch.einsum("id,jd->ij", arguments["inputs"], arguments["inputs"])
    return agreed(by_library, [[dot(one, other) for other in rows] for one in rows])


def self_attention(arguments: dict, weights: dict, options: dict) -> dict[str, torch.Tensor]:
    """Return the context (T, d) and the weights (T, T); the context by PyTorch's own attention."""
    inputs, rows = arguments["inputs"], arguments["inputs"].tolist()
    shared = softmax(scores(arguments, weights, options))
    batch = inputs[None, None]
    context = F.scaled_dot_product_attention(batch, batch, batch, scale=1.0)[0, 0]
    by_hand = [mixture(shares([dot(one, other) for other in rows]), rows) for one in rows]
    return {"context": agreed(context, by_hand), "weights": shared}


# (name, what it shows, T, d): sizes differ wherever a mistake could hide behind equal ones, and are equal
# where one only runs then.
SIZES = (
    ("sizes different", "5 tokens of 7 features", 5, 7),
    ("sizes equal", "4 tokens of 4 features", 4, 4),
    ("more tokens than features", "9 tokens of 2 features", 9, 2),
    ("one feature", "4 tokens of 1 feature", 4, 1),
    ("one token", "1 token of 6 features", 1, 6),
)


def scores_one_query_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``scores_for_query``: the query is another vector, and here and there a token."""
    toy = constant("TOY")
    solved = [
        pose(
            rng,
            PUBLISHED,
            "the published example, 'journey' asks",
            scores_one_query,
            arguments={"query": toy[1].clone(), "inputs": toy},
            published={"result": "toy.scores.query2"},
        )
    ]
    for name, shows, tokens, width in SIZES:
        given = {"query": drawn(rng, width), "inputs": drawn(rng, tokens, width)}
        solved.append(pose(rng, name, shows, scores_one_query, arguments=given))
    inputs = drawn(rng, 6, 5)
    given = {"query": inputs[4].clone(), "inputs": inputs}
    solved.append(pose(rng, "one of the tokens asks", "token 4 of 6 asks", scores_one_query, arguments=given))
    given, shows = {"query": drawn(rng, 2), "inputs": drawn(rng, 3, 2)}, "3 tokens of 2 features, in float64"
    return [*solved, pose(rng, "float64", shows, scores_one_query, arguments=given, **DOUBLE)]


def sum_normalize_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``normalize_by_sum``; no sum is near zero."""
    toy = constant("TOY")
    solved = [
        pose(
            rng,
            PUBLISHED,
            "the published example, the scores of 'journey'",
            sum_normalized,
            arguments={"scores": toy @ toy[1]},
            published={"result": "toy.weights.query2.sum_normalized"},
        )
    ]
    for name, shows, values in (
        ("four coins", "the scores 1, 2, 3 and 4", [1.0, 2.0, 3.0, 4.0]),
        ("a negative score", "5 scores, two of them negative", [2.0, -1.0, 0.5, 3.0, -0.75]),
        ("only negative scores", "3 scores, all negative", [-1.0, -2.5, -0.5]),
        ("a small sum", "4 scores whose sum is 1/128", [0.125, -0.25, 0.0625, 0.0703125]),
        ("one score", "a single score: its share is 1", [-2.5]),
    ):
        solved.append(pose(rng, name, shows, sum_normalized, arguments={"scores": torch.tensor(values)}))
    many = {"scores": drawn(rng, 20).abs() * 300}
    solved.append(pose(rng, "many scores", "20 scores, the largest 911", sum_normalized, arguments=many))
    given = {"scores": torch.tensor([0.75, 1.5, -0.5])}
    return [*solved, pose(rng, "float64", "3 scores in float64", sum_normalized, arguments=given, **DOUBLE)]


def softmax_naive_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``softmax_naive``: none whose exponential is more than float32 holds."""
    toy = constant("TOY")
    solved = [
        pose(
            rng,
            PUBLISHED,
            "the published example, the scores of 'journey'",
            softmax_of_only,
            arguments={"x": toy @ toy[1]},
            published={"result": "toy.weights.query2"},
        )
    ]
    for name, shows, x in (
        ("both signs", "5 numbers of both signs", drawn(rng, 5, spread=1.5)),
        ("only negative numbers", "4 numbers from -36 to -40", torch.tensor([-38.5, -40.0, -36.0, -37.0])),
        ("equal numbers", "3 equal numbers: equal shares", torch.full((3,), 0.75)),
        ("far apart", "4 numbers from -40 to 40", torch.tensor([-40.0, 38.0, 40.0, 39.0])),
        ("many numbers", "20 numbers", drawn(rng, 20, spread=2.0)),
        ("one number", "a single number: its share is 1", torch.tensor([-1.5])),
    ):
        solved.append(pose(rng, name, shows, softmax_of_only, arguments={"x": x}))
    given = {"x": drawn(rng, 3)}
    return [*solved, pose(rng, "float64", "3 numbers in float64", softmax_of_only, arguments=given, **DOUBLE)]


def rowwise(
    rng: np.random.Generator, argument: str, extra: tuple[tuple[str, str, torch.Tensor], ...]
) -> list[Solved]:
    """Return the cases that a softmax along the last axis must pass, the simplest first."""
    toy = constant("TOY")
    solved = [
        pose(
            rng,
            PUBLISHED,
            "the published example, the scores of all six tokens",
            softmax_of_only,
            arguments={argument: toy @ toy.T},
            published={"result": "toy.weights"},
        )
    ]
    # Each row overflows, or vanishes, where anything but its own largest score is subtracted: the first, the
    # last, the mean, a neighbor, the largest of all or of another item, zero.
    large = torch.tensor(
        [
            [999.0, 1000.0, 998.5, 1000.0, 997.0],
            [-1000.0, -999.0, -1000.0, -998.5, -999.5],
            [1000.0, -1000.0, 0.0, -900.0, -1000.0],
            [-1000.0, 0.0, -500.0, -900.0, 1000.0],
        ]
    )
    for name, shows, x in (
        ("sizes equal", "4 rows of 4", drawn(rng, 4, 4, spread=1.5)),
        *extra,
        ("a batch", "2 matrices, 4 rows of 4 each", drawn(rng, 2, 4, 4, spread=1.5)),
        ("two axes in front", "3 times 2 matrices, 4 rows of 4 each", drawn(rng, 3, 2, 4, 4, spread=1.5)),
        ("four axes in front", "shape (2, 1, 3, 1, 2, 4)", drawn(rng, 2, 1, 3, 1, 2, 4)),
        ("large scores", "4 rows of 5, scores from -1000 to 1000", large),
        (
            "rows far apart",
            "a row near -1000 and one near 1000, a batch of 2",
            torch.tensor([[[-1000.0, -998.5], [1000.0, 997.0]], [[995.5, 1000.0], [-995.0, -1000.0]]]),
        ),
        ("all at -1000", "2 rows, every score -1000", torch.full((2, 5), -1000.0)),
    ):
        floor = BY_LOGARITHMS if x.abs().max() > ORDINARY else 0.0
        solved.append(pose(rng, name, shows, softmax_of_only, arguments={argument: x}, floor=floor))
    given = {argument: drawn(rng, 2, 3)}
    return [
        *solved,
        pose(rng, "float64", "2 rows of 3, in float64", softmax_of_only, arguments=given, **DOUBLE),
    ]


def softmax_stable_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``softmax_stable``."""
    extra = (
        ("one row", "5 numbers, no axis in front", drawn(rng, 5, spread=1.5)),
        ("wide", "3 rows of 5", drawn(rng, 3, 5, spread=1.5)),
        ("one number a row", "4 rows of a single number: every share is 1", drawn(rng, 4, 1)),
    )
    return rowwise(rng, "x", extra)


def weights_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``attention_weights``."""
    extra = (("one token", "1 row of 1: its share is 1", drawn(rng, 1, 1)),)
    return rowwise(rng, "scores", extra)


def context_one_query_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``context_vector``."""
    toy = constant("TOY")
    solved = [
        pose(
            rng,
            PUBLISHED,
            "the published example, the context of 'journey'",
            context_one_query,
            arguments={"weights": torch.softmax(toy @ toy[1], dim=0), "inputs": toy},
            published={"result": "toy.context.query2"},
        )
    ]
    for name, shows, tokens, width in SIZES:
        given = {"weights": torch.softmax(drawn(rng, tokens), 0), "inputs": drawn(rng, tokens, width)}
        solved.append(pose(rng, name, shows, context_one_query, arguments=given))
    given = {"weights": torch.tensor([0.5, 1.25, -0.25, 0.75]), "inputs": drawn(rng, 4, 5)}
    shows = "4 weights that sum to 2.25, one of them negative"
    solved.append(pose(rng, "weights taken as they are", shows, context_one_query, arguments=given))
    given = {"weights": torch.softmax(drawn(rng, 3), 0), "inputs": drawn(rng, 3, 2)}
    shows = "3 tokens of 2 features, in float64"
    return [*solved, pose(rng, "float64", shows, context_one_query, arguments=given, **DOUBLE)]


def scores_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``attention_scores``."""
    solved = [
        pose(
            rng,
            PUBLISHED,
            "the published example, six tokens",
            scores,
            arguments={"inputs": constant("TOY")},
            published={"result": "toy.scores"},
        )
    ]
    for name, shows, tokens, width in SIZES:
        solved.append(pose(rng, name, shows, scores, arguments={"inputs": drawn(rng, tokens, width)}))
    given, shows = {"inputs": drawn(rng, 3, 2)}, "3 tokens of 2 features, in float64"
    return [*solved, pose(rng, "float64", shows, scores, arguments=given, **DOUBLE)]


def simple_self_attention_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``simple_self_attention``.

    Large scores are known without rounding. Here, too, nothing but a row's own largest score can be
    subtracted: that of the first token is its own, of the last token the last, of the fourth another's.
    """
    solved = [
        pose(
            rng,
            PUBLISHED,
            "the published example, six tokens",
            self_attention,
            arguments={"inputs": constant("TOY")},
            published={"result/context": "toy.context", "result/weights": "toy.weights"},
        )
    ]
    for name, shows, tokens, width in SIZES:
        given = {"inputs": drawn(rng, tokens, width, spread=0.7)}
        solved.append(pose(rng, name, shows, self_attention, arguments=given))
    loud = torch.tensor(
        [
            [0.0, 0.0, 31.0, 6.0],
            [30.0, 9.75, 0.0, 0.0],
            [0.5, 0.0, -0.25, 0.0],
            [15.0, 5.0, 0.0, 0.5],
            [30.0, 9.75, 0.0, 1.0],
            [-25.0, -8.0, 0.5, 0.0],
        ]
    )
    shows = "6 tokens whose scores go from -828 to 997"
    large = {"arguments": {"inputs": loud}, "floor": BY_LOGARITHMS}
    solved.append(pose(rng, "large scores", shows, self_attention, **large))
    given, shows = {"inputs": drawn(rng, 3, 2)}, "3 tokens of 2 features, in float64"
    return [*solved, pose(rng, "float64", shows, self_attention, arguments=given, **DOUBLE)]


MAKERS: dict[str, Callable[[np.random.Generator], list[Solved]]] = {
    "ch02-scores-one-query": scores_one_query_cases,
    "ch02-sum-normalize": sum_normalize_cases,
    "ch02-softmax-naive": softmax_naive_cases,
    "ch02-softmax-stable": softmax_stable_cases,
    "ch02-context-one-query": context_one_query_cases,
    "ch02-scores": scores_cases,
    "ch02-weights": weights_cases,
    "ch02-simple-self-attention": simple_self_attention_cases,
}


def solved_cases(seed: int) -> dict[str, list[Solved]]:
    """Return every exercise's cases, drawn from ``seed``, with the oracle's answers."""
    return {
        name: make(np.random.default_rng([seed, number]))
        for number, (name, make) in enumerate(MAKERS.items())
    }


# --- What only grading uses ---------------------------------------------------------------------------------


Maker = Callable[[np.random.Generator], list[Solved]]


def hidden_of_tokens(
    oracle: Oracle, given: Callable[[np.random.Generator, int, int], dict[str, torch.Tensor]]
) -> Maker:
    """Return what makes the hidden cases of a function whose arguments follow from T and d."""

    def cases(rng: np.random.Generator) -> list[Solved]:
        size = one_size(rng, 5, 8)
        sizes = {OTHER_NUMBERS: (5, 7), OTHER_SIZES: other_sizes(rng, 2, 17, 21), EQUAL_SIZES: (size, size)}
        return [pose_hidden(rng, name, oracle, arguments=given(rng, *two)) for name, two in sizes.items()]

    return cases


def hidden_of_row(oracle: Oracle, argument: str, row: Callable[[torch.Tensor], torch.Tensor]) -> Maker:
    """Return what makes the hidden cases of a function of one row; ``row`` makes it fit to be one."""

    def cases(rng: np.random.Generator) -> list[Solved]:
        sizes = {OTHER_NUMBERS: 4, OTHER_SIZES: one_size(rng, 21, 25)}
        return [
            pose_hidden(rng, name, oracle, arguments={argument: row(drawn(rng, size, spread=2.0))})
            for name, size in sizes.items()
        ]

    return cases


def with_a_sum(row: torch.Tensor) -> torch.Tensor:
    """Return numbers of both signs whose sum is not near zero."""
    return torch.cat((row[:-1], row[:-1].sum().neg()[None] + 2.5))


def hidden_rowwise(argument: str) -> Maker:
    """Return what makes the hidden cases of a softmax along the last axis."""

    def cases(rng: np.random.Generator) -> list[Solved]:
        size, many = one_size(rng), one_size(rng, 8, 11)
        shapes = {
            OTHER_NUMBERS: (4, 4),
            EQUAL_SIZES: (size, size, size),
            LEADING_AXES: (2, 1, 3, 1, many, many + 1),
        }
        solved = [
            pose_hidden(rng, name, softmax_of_only, arguments={argument: drawn(rng, *shape, spread=1.5)})
            for name, shape in shapes.items()
        ]
        large = torch.from_numpy(rng.uniform(-1000.0, 1000.0, (2, size, size)).round()).float()
        given = {"arguments": {argument: large}, "floor": BY_LOGARITHMS}
        return [*solved, pose_hidden(rng, LARGE, softmax_of_only, **given)]

    return cases


HIDDEN_MAKERS: dict[str, Maker] = {
    "ch02-scores-one-query": hidden_of_tokens(
        scores_one_query,
        lambda rng, tokens, width: {"query": drawn(rng, width), "inputs": drawn(rng, tokens, width)},
    ),
    "ch02-sum-normalize": hidden_of_row(sum_normalized, "scores", with_a_sum),
    "ch02-softmax-naive": hidden_of_row(softmax_of_only, "x", lambda row: row),
    "ch02-softmax-stable": hidden_rowwise("x"),
    "ch02-context-one-query": hidden_of_tokens(
        context_one_query,
        lambda rng, tokens, width: {
            "weights": torch.softmax(drawn(rng, tokens), 0),
            "inputs": drawn(rng, tokens, width),
        },
    ),
    "ch02-scores": hidden_of_tokens(scores, lambda rng, tokens, width: {"inputs": drawn(rng, tokens, width)}),
    "ch02-weights": hidden_rowwise("scores"),
    "ch02-simple-self-attention": hidden_of_tokens(
        self_attention, lambda rng, tokens, width: {"inputs": drawn(rng, tokens, width, spread=0.7)}
    ),
}


def grading_cases(seed: int) -> dict[str, list[Solved]]:
    """Return the cases that only grading uses, drawn from a course's seed."""
    return drawn_for_grading(seed, HIDDEN_MAKERS)
