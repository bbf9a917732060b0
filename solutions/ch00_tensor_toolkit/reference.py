"""Cases and oracle of chapter 0.

The oracle shares no code with the solutions: every entry of a result is computed in float64 by a loop over
plain numbers, or by an ``einsum`` over the axes by name, and confirmed by NumPy to 1e-12. Where the two
disagree, there is no reference.
"""

import math
from collections.abc import Callable, Mapping

import numpy as np
import torch

from grader.proving.hidden import (
    EQUAL_SIZES,
    LEADING_AXES,
    OTHER_NUMBERS,
    OTHER_SIZES,
    drawn_for_grading,
    one_size,
    other_sizes,
    pose_hidden,
)
from grader.proving.posing import confirmed, drawn, pose
from grader.proving.recipe import Solved
from grader.references.published import constant

PRODUCER = "oracle: entry by entry in float64, confirmed by NumPy to 1e-12"
# None are named: the same argument has two axes in one case and four in another.
AXES: dict[str, tuple[str, ...]] = {}

Tensors = Mapping[str, torch.Tensor]


def arrays(arguments: Tensors) -> list[np.ndarray]:
    """Return the arguments as arrays, in their order."""
    return [tensor.detach().numpy() for tensor in arguments.values()]


def dots(arguments: Tensors, weights: Tensors, options: Mapping) -> torch.Tensor:
    """Return all dot products of rows: products with every pair of rows side by side, summed over d."""
    a, b = arguments.values()
    result = (a.unsqueeze(-2) * b.unsqueeze(-3)).sum(dim=-1)
    left, right = arrays(arguments)
    by_hand = np.empty(result.shape)
    for *lead, i, j in np.ndindex(*result.shape):
        by_hand[*lead, i, j] = np.dot(left[*lead, i], right[*lead, j])
    return confirmed(result, by_hand)


def swapped(arguments: Tensors, weights: Tensors, options: Mapping) -> torch.Tensor:
    """Return x with its last two axes exchanged: its columns, stacked as rows."""
    (x,) = arguments.values()
    result = torch.stack([x[..., column] for column in range(x.shape[-1])], dim=-2)
    return confirmed(result, np.moveaxis(*arrays(arguments), -1, -2))


def scaled(arguments: Tensors, weights: Tensors, options: Mapping) -> torch.Tensor:
    """Return scores divided by the square root of d_k, by logarithms."""
    (scores,) = arguments.values()
    factor = math.exp(-0.5 * math.log(options["d_k"]))
    return confirmed(scores * factor, arrays(arguments)[0] / np.sqrt(options["d_k"]))


def shares(arguments: Tensors, weights: Tensors, options: Mapping) -> torch.Tensor:
    """Return the softmax of every row, as 1 / the sum of exp(other score - own score)."""
    (scores,) = arguments.values()
    distance = scores.unsqueeze(-2) - scores.unsqueeze(-1)  # (..., own, other)
    result = torch.exp(-torch.logsumexp(distance, dim=-1))
    by_hand = np.apply_along_axis(row_shares, -1, *arrays(arguments))
    return confirmed(result, by_hand)


def row_shares(row: np.ndarray) -> np.ndarray:
    """Return the softmax of one row of numbers."""
    powers = [math.exp(score - max(row)) for score in row]
    return np.array(powers) / math.fsum(powers)


Oracle = Callable[[Tensors, Tensors, Mapping], torch.Tensor]


def pairwise_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``pairwise_dots``."""
    toy = constant("TOY")
    cases = [
        pose(
            rng,
            "published",
            "the published example: six words, each with all six",
            dots,
            arguments={"a": toy, "b": toy.clone()},
            published={"result": "toy.scores"},
        )
    ]
    # Sizes differ wherever a mistake could hide behind equal ones; square ones let those run that need them.
    for name, shows, n, m, d in (
        ("sizes all different", "4 rows, 8 rows, 7 numbers in a row", 4, 8, 7),
        ("as many rows in both", "3 rows, 3 rows, 4 numbers in a row", 3, 3, 4),
        ("b is square", "3 rows, 4 rows, 4 numbers in a row", 3, 4, 4),
        ("all sizes equal", "4 rows, 4 rows, 4 numbers in a row", 4, 4, 4),
        ("one row", "1 row, 3 rows, 5 numbers in a row", 1, 3, 5),
        ("rows of one number", "4 rows, 1 row, 1 number in a row", 4, 1, 1),
    ):
        arguments = {"a": drawn(rng, n, d), "b": drawn(rng, m, d)}
        cases.append(pose(rng, name, shows, dots, arguments=arguments))
    arguments = {"a": drawn(rng, 2, 3, spread=30.0), "b": drawn(rng, 4, 3, spread=30.0)}
    double = pose(
        rng,
        "float64",
        "2 rows, 4 rows, in float64",
        dots,
        arguments=arguments,
        dtype=torch.float64,
    )
    return [*cases, double]


def transpose_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``swap_last_two``."""
    cases = [
        pose(rng, name, shows, swapped, arguments={"x": drawn(rng, *shape)})
        for name, shows, shape in (
            ("a matrix", "shape (3, 4)", (3, 4)),
            ("a stack of matrices", "shape (2, 3, 4)", (2, 3, 4)),
            ("two leading axes", "shape (2, 5, 3, 4)", (2, 5, 3, 4)),
            ("three leading axes", "shape (3, 2, 1, 2, 4)", (3, 2, 1, 2, 4)),
            ("square matrices", "shape (2, 3, 3)", (2, 3, 3)),
            ("all sizes equal", "shape (3, 3, 3)", (3, 3, 3)),
            ("one row", "shape (1, 4): one row becomes one column", (1, 4)),
            ("one column", "shape (2, 3, 1): one column becomes one row", (2, 3, 1)),
            ("four leading axes", "shape (2, 1, 3, 2, 1, 4)", (2, 1, 3, 2, 1, 4)),
        )
    ]
    arguments = {"x": drawn(rng, 2, 3, spread=1000.0)}
    double = pose(
        rng,
        "float64",
        "shape (2, 3), in float64",
        swapped,
        arguments=arguments,
        dtype=torch.float64,
    )
    whole = {"x": torch.tensor([[1, -2, 3], [40, 5, 2**24 + 1]])}
    shows = "shape (2, 3), whole numbers in int64"
    return [*cases, double, pose(rng, "int64", shows, swapped, arguments=whole, differentiable=False)]


def scale_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``scale``."""
    cases = [
        pose(
            rng,
            name,
            shows,
            scaled,
            arguments={"scores": drawn(rng, *shape, spread=4.0)},
            options={"d_k": d_k},
        )
        for name, shows, shape, d_k in (
            ("a matrix", "scores (3, 4), d_k = 16", (3, 4), 16),
            ("d_k is no square", "scores (5, 2), d_k = 7", (5, 2), 7),
            ("a stack of matrices", "scores (2, 3, 5), d_k = 64", (2, 3, 5), 64),
            ("two leading axes", "scores (2, 3, 4, 2), d_k = 3", (2, 3, 4, 2), 3),
            ("d_k = 1", "scores (2, 3), which must stay as they are", (2, 3), 1),
            ("one row", "scores (1, 4), d_k = 5", (1, 4), 5),
            ("one axis", "scores (4,), d_k = 6", (4,), 6),
            ("a single score", "a score without axes, d_k = 768", (), 768),
            ("four leading axes", "scores (2, 1, 3, 1, 2, 2), d_k = 10", (2, 1, 3, 1, 2, 2), 10),
        )
    ]
    double = pose(
        rng,
        "float64",
        "large numbers (2, 3) in float64, d_k = 5",
        scaled,
        arguments={"scores": drawn(rng, 2, 3, spread=1000.0)},
        options={"d_k": 5},
        dtype=torch.float64,
    )
    return [*cases, double]


# Each row overflows, or vanishes, where anything but its own largest score is subtracted: the first, the
# last, the mean, a neighbor, the largest of all, zero.
LARGE_ROWS = [
    [999.0, 1000.0, 998.5, 1000.0, 997.0],
    [-1000.0, -999.0, -1000.0, -998.5, -999.5],
    [1000.0, -1000.0, 0.0, -900.0, -1000.0],
    [-1000.0, 0.0, -500.0, -900.0, 1000.0],
]
# A right answer may subtract the logarithm of the sum, which float32 rounds to 1/16384 near 1000.
BY_LOGARITHMS = 2e-4


def softmax_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``row_softmax``."""
    toy = constant("TOY")
    cases = [
        pose(
            rng,
            "published",
            "the published example: the scores of six words",
            shares,
            arguments={"scores": (toy.double() @ toy.double().T).float()},
            published={"result": "toy.weights"},
        )
    ]
    for name, shows, shape, spread in (
        ("more columns than rows", "scores (3, 5), of both signs", (3, 5), 1.5),
        ("a stack of matrices", "scores (2, 3, 4)", (2, 3, 4), 1.0),
        ("two leading axes", "scores (2, 3, 4, 5)", (2, 3, 4, 5), 1.0),
        ("square matrices", "scores (4, 4, 4), of both signs", (4, 4, 4), 1.0),
        ("one column", "scores (3, 1): one share has all", (3, 1), 1.0),
        ("four leading axes", "scores (2, 1, 3, 1, 2, 4)", (2, 1, 3, 1, 2, 4), 1.0),
    ):
        cases.append(pose(rng, name, shows, shares, arguments={"scores": drawn(rng, *shape, spread=spread)}))
    levels = torch.tensor([[300.0], [0.0], [-300.0]])
    cases += [
        pose(
            rng,
            "large scores",
            "scores from -1000 to 1000: their exponentials overflow float64 too",
            shares,
            arguments={"scores": torch.tensor(LARGE_ROWS)},
            floor=BY_LOGARITHMS,
        ),
        pose(
            rng,
            "rows of different levels",
            "scores (3, 4), one row around 300, one around 0, one around -300",
            shares,
            arguments={"scores": drawn(rng, 3, 4) + levels},
            floor=BY_LOGARITHMS,
        ),
        pose(
            rng,
            "float64",
            "scores (2, 3), in float64",
            shares,
            arguments={"scores": drawn(rng, 2, 3)},
            dtype=torch.float64,
        ),
    ]
    return cases


def batched_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``batched_pairwise_dots``."""
    cases = []
    for name, shows, lead, n, m, d in (
        ("matrices", "no leading axis: a (4, 7), b (5, 7)", (), 4, 5, 7),
        ("stacks of matrices", "a (2, 4, 3), b (2, 5, 3)", (2,), 4, 5, 3),
        ("two leading axes", "a (2, 3, 4, 5), b (2, 3, 6, 5)", (2, 3), 4, 6, 5),
        ("three leading axes", "a (2, 1, 3, 2, 4), b (2, 1, 3, 3, 4)", (2, 1, 3), 2, 3, 4),
        ("b is square", "a (2, 3, 4), b (2, 4, 4)", (2,), 3, 4, 4),
        ("as many rows in both", "a (2, 3, 5), b (2, 3, 5)", (2,), 3, 3, 5),
        ("all sizes equal", "a and b (3, 3, 3)", (3,), 3, 3, 3),
        ("a matrix of one row", "no leading axis: a (1, 3), b (4, 3)", (), 1, 4, 3),
        ("one row each", "a (2, 1, 3), b (2, 1, 3)", (2,), 1, 1, 3),
        ("rows of one number", "a (2, 3, 1), b (2, 4, 1)", (2,), 3, 4, 1),
        ("equal leading axes", "a (2, 2, 3, 4), b (2, 2, 5, 4)", (2, 2), 3, 5, 4),
        ("four leading axes", "a (2, 1, 3, 2, 2, 3), b (2, 1, 3, 2, 1, 3)", (2, 1, 3, 2), 2, 1, 3),
    ):
        arguments = {"a": drawn(rng, *lead, n, d), "b": drawn(rng, *lead, m, d)}
        cases.append(pose(rng, name, shows, dots, arguments=arguments))
    arguments = {"a": drawn(rng, 2, 2, 3, spread=30.0), "b": drawn(rng, 2, 4, 3, spread=30.0)}
    shows = "a (2, 2, 3), b (2, 4, 3), large numbers in float64"
    return [*cases, pose(rng, "float64", shows, dots, arguments=arguments, dtype=torch.float64)]


def solved_cases(seed: int) -> dict[str, list[Solved]]:
    """Return every exercise's cases, drawn from ``seed``, with the oracle's answers."""
    makers = {
        "ch00-pairwise-dots": pairwise_cases,
        "ch00-transpose": transpose_cases,
        "ch00-scale": scale_cases,
        "ch00-row-softmax": softmax_cases,
        "ch00-batched-dots": batched_cases,
    }
    return {
        name: make(np.random.default_rng([seed, number]))
        for number, (name, make) in enumerate(makers.items())
    }


# --- What only grading uses ---------------------------------------------------------------------------------


def matrices(rng: np.random.Generator, n: int, m: int, d: int, lead: tuple[int, ...] = ()) -> Tensors:
    """Return a (..., n, d) and b (..., m, d)."""
    return {"a": drawn(rng, *lead, n, d), "b": drawn(rng, *lead, m, d)}


def many_sizes(rng: np.random.Generator, count: int) -> list[int]:
    """Return sizes far above those of any visible case, no two alike."""
    return other_sizes(rng, count, low=17, high=21)


def hidden_pairwise_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``pairwise_dots``."""
    size = one_size(rng)
    sizes = {OTHER_NUMBERS: (4, 8, 7), OTHER_SIZES: many_sizes(rng, 3), EQUAL_SIZES: (size, size, size)}
    return [pose_hidden(rng, name, dots, arguments=matrices(rng, *three)) for name, three in sizes.items()]


def hidden_shapes(rng: np.random.Generator) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the only tensor that a function takes, by the name of the hidden case."""
    size = one_size(rng)
    return {
        OTHER_NUMBERS: (2, 3, 4),
        OTHER_SIZES: tuple(many_sizes(rng, 2)),
        EQUAL_SIZES: (size, size, size),
        LEADING_AXES: (2, 1, 3, 1, *other_sizes(rng, 2)),
    }


def hidden_transpose_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``swap_last_two``."""
    shapes = hidden_shapes(rng)
    return [
        pose_hidden(rng, name, swapped, arguments={"x": drawn(rng, *shape)}) for name, shape in shapes.items()
    ]


def hidden_scale_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``scale``; no d_k is known."""
    shapes, lengths = hidden_shapes(rng), other_sizes(rng, 4, low=8, high=60)
    return [
        pose_hidden(
            *(rng, name, scaled),
            arguments={"scores": drawn(rng, *shape, spread=4.0)},
            options={"d_k": d_k},
        )
        for (name, shape), d_k in zip(shapes.items(), lengths, strict=True)
    ]


def hidden_softmax_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``row_softmax``."""
    shapes = hidden_shapes(rng)
    return [
        pose_hidden(rng, name, shares, arguments={"scores": drawn(rng, *shape, spread=2.0)})
        for name, shape in shapes.items()
    ]


def hidden_batched_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``batched_pairwise_dots``."""
    size = one_size(rng)
    sizes = {
        OTHER_NUMBERS: (4, 5, 3, (2,)),
        OTHER_SIZES: many_sizes(rng, 3),
        EQUAL_SIZES: (size, size, size, (size, size)),
        LEADING_AXES: (*other_sizes(rng, 3), (2, 1, 3, 2)),
    }
    return [pose_hidden(rng, name, dots, arguments=matrices(rng, *all_)) for name, all_ in sizes.items()]


def grading_cases(seed: int) -> dict[str, list[Solved]]:
    """Return the cases that only grading uses, drawn from a course's seed."""
    makers = {
        "ch00-pairwise-dots": hidden_pairwise_cases,
        "ch00-transpose": hidden_transpose_cases,
        "ch00-scale": hidden_scale_cases,
        "ch00-row-softmax": hidden_softmax_cases,
        "ch00-batched-dots": hidden_batched_cases,
    }
    return drawn_for_grading(seed, makers)
