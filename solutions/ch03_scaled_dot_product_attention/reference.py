"""Cases and oracle of chapter 3.

The oracle shares no code with the solutions. Projections and scores are sums of outer products, one feature
at a time, in float64. Attention is computed twice: by PyTorch's own ``scaled_dot_product_attention`` for the
context, with ones on the diagonal in the values' place for the weights, and in NumPy, one query at a time, by
the formula of Vaswani et al. 2017, "Attention Is All You Need", section 3.2.1. Where the two disagree, there
is no reference.
"""

from collections.abc import Mapping

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
from grader.proving.posing import confirmed, drawn, pose
from grader.proving.recipe import Solved
from grader.references.published import constant

PRODUCER = (
    "oracle: sums over features, and torch scaled_dot_product_attention, in float64, "
    "confirmed by NumPy loops to 1e-12"
)
AXES = {
    "inputs": ("T", "d_in"),
    "W_query": ("d_in", "d_k"),
    "W_key": ("d_in", "d_k"),
    "W_value": ("d_in", "d_v"),
    "query": ("...", "T_q", "d_k"),
    "query_i": ("d_k",),
    "key": ("...", "T_k", "d_k"),
    "value": ("...", "T_k", "d_v"),
    "result": ("...", "T_q", "T_k"),
    "context": ("...", "T_q", "d_v"),
    "weights": ("...", "T_q", "T_k"),
    "ch03-attend-one/context": ("d_v",),
    "ch03-attend-one/weights": ("T_k",),
}

Tensors = Mapping[str, torch.Tensor]


def recorded_matrices() -> dict[str, torch.Tensor]:
    """Return the matrices (3, 2) of the published example."""
    torch.manual_seed(123)
    return {name: torch.rand(3, 2) for name in ("W_query", "W_key", "W_value")}


def recorded_projections() -> dict[str, torch.Tensor]:
    """Return query, key and value (6, 2) of the published example."""
    matrices = recorded_matrices()
    return {name: constant("TOY") @ matrices[f"W_{name}"] for name in ("query", "key", "value")}


def projected(arguments: Tensors, weights: Tensors, options: Mapping) -> dict[str, torch.Tensor]:
    """Return query, key and value: every feature's contribution added to those before it."""
    x = arguments["inputs"]
    results = {}
    for name in ("query", "key", "value"):
        matrix = arguments[f"W_{name}"]
        total = sum(x[:, feature, None] * matrix[None, feature] for feature in range(x.shape[1]))
        tokens = x.detach().numpy()
        columns = matrix.detach().numpy().transpose()
        results[name] = confirmed(
            total, np.array([[np.dot(token, column) for column in columns] for token in tokens])
        )
    return results


def scaled(query: torch.Tensor, key: torch.Tensor) -> torch.Tensor:
    """Return scaled scores (..., T_q, T_k): products of features added up one by one."""
    total = sum(query[..., :, None, i] * key[..., None, :, i] for i in range(key.shape[-1]))
    return total / float(np.sqrt(key.shape[-1]))


def scores_of(arguments: Tensors, weights: Tensors, options: Mapping) -> torch.Tensor:
    """Return scaled scores, confirmed by dot products one at a time."""
    query, key = arguments["query"], arguments["key"]
    result = scaled(query, key)
    queries, keys = query.detach().numpy(), key.detach().numpy()
    by_hand = np.empty(tuple(result.shape))
    for *leading, i, j in np.ndindex(*by_hand.shape):
        one, other = queries[(*leading, i)], keys[(*leading, j)]
        by_hand[(*leading, i, j)] = np.dot(one, other) * len(other) ** -0.5
    return confirmed(result, by_hand)


def attend_by_hand(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return context and weights, one query at a time."""
    context = np.empty((*query.shape[:-1], value.shape[-1]))
    weights = np.empty((*query.shape[:-1], key.shape[-2]))
    for *leading, i in np.ndindex(*query.shape[:-1]):
        keys, values = key[tuple(leading)], value[tuple(leading)]
        scores = np.array([np.dot(query[(*leading, i)], other) for other in keys]) / np.sqrt(keys.shape[1])
        powers = np.exp(scores - scores.max())
        weights[(*leading, i)] = powers / powers.sum()
        context[(*leading, i)] = sum(w * row for w, row in zip(weights[(*leading, i)], values, strict=True))
    return context, weights


def attended(arguments: Tensors, weights: Tensors, options: Mapping) -> dict[str, torch.Tensor]:
    """Return context and weights by PyTorch's own attention, confirmed by hand."""
    query, key, value = arguments["query"], arguments["key"], arguments["value"]
    eye = torch.eye(key.shape[-2], dtype=key.dtype).expand(*key.shape[:-2], -1, -1)
    by_hand = attend_by_hand(*(tensor.detach().numpy() for tensor in (query, key, value)))
    results = (F.scaled_dot_product_attention(query, key, other) for other in (value, eye))
    return {
        name: confirmed(result, array)
        for name, result, array in zip(("context", "weights"), results, by_hand, strict=True)
    }


def attended_once(arguments: Tensors, weights: Tensors, options: Mapping) -> dict[str, torch.Tensor]:
    """Return context (d_v,) and weights (T,) of one query."""
    alone = dict(arguments) | {"query": arguments["query_i"][None]}
    return {name: result[0] for name, result in attended(alone, weights, options).items()}


# (name, what it shows, T, d_in, d_k, d_v). Sizes differ wherever a mistake could hide behind equal ones; the
# square case lets those run that need equal sizes.
PROJECTIONS = (
    ("all sizes different", "5 tokens, 7 features in, d_k 3, d_v 8", 5, 7, 3, 8),
    ("all sizes equal", "4 tokens, 4 features in, d_k 4, d_v 4", 4, 4, 4, 4),
    ("one token", "1 token, 6 features in, d_k 3, d_v 2", 1, 6, 3, 2),
    ("one feature", "4 tokens, 1 feature in, d_k 1, d_v 1", 4, 1, 1, 1),
)


def project_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``project``."""
    toy = {"inputs": constant("TOY")} | recorded_matrices()
    cases = [pose(rng, PUBLISHED, "the published example, six tokens, seed 123", projected, arguments=toy)]
    for name, shows, tokens, d_in, d_k, d_v in PROJECTIONS:
        arguments = {
            "inputs": drawn(rng, tokens, d_in),
            "W_query": drawn(rng, d_in, d_k),
            "W_key": drawn(rng, d_in, d_k),
            "W_value": drawn(rng, d_in, d_v),
        }
        cases.append(pose(rng, name, shows, projected, arguments=arguments))
    return cases


# (name, what it shows, leading axes, T_q, T_k, d_k)
SCORES = (
    ("all sizes different", "3 queries, 5 keys, d_k 7", (), 3, 5, 7),
    ("one query", "1 query, 5 keys, d_k 3", (), 1, 5, 3),
    ("a batch", "2 sequences, 3 queries, 4 keys, d_k 6", (2,), 3, 4, 6),
    ("a batch, all sizes equal", "3 sequences, 3 queries, 3 keys, d_k 3", (3,), 3, 3, 3),
    ("two leading axes", "2 times 3 matrices, 4 queries, 5 keys, d_k 7", (2, 3), 4, 5, 7),
    ("two leading axes, all sizes equal", "2 times 2 matrices, 2 queries, 2 keys, d_k 2", (2, 2), 2, 2, 2),
    ("four leading axes", "leading axes 2, 1, 2, 1; 3 queries, 1 key, d_k 1", (2, 1, 2, 1), 3, 1, 1),
)


def scaled_scores_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``scaled_scores``."""
    toy = recorded_projections()
    cases = [
        pose(
            rng,
            PUBLISHED,
            "query and key of the published example, six tokens",
            scores_of,
            arguments={name: toy[name] for name in ("query", "key")},
        )
    ]
    for name, shows, leading, queries, keys, d_k in SCORES:
        arguments = {"query": drawn(rng, *leading, queries, d_k), "key": drawn(rng, *leading, keys, d_k)}
        cases.append(pose(rng, name, shows, scores_of, arguments=arguments))
    return cases


# Scaled scores of 5 keys. Each row overflows, or vanishes, where anything but its own largest score is
# subtracted: the first, the last, the mean, a neighbor, the largest of all or of another item, zero.
LARGE_SCORES = {
    "large scores": [999.0, 1000.0, 998.5, 1000.0, 997.0],
    "low scores": [-1000.0, -999.0, -1000.0, -998.5, -999.5],
    "the largest first": [1000.0, -1000.0, 0.0, -900.0, -1000.0],
    "the largest last": [-1000.0, 0.0, -500.0, -900.0, 1000.0],
}
# Scaled scores of 5 keys, with shares between 0.001 and 0.7: an answer may not drop the small ones.
SMALL_SHARES = (
    [0.0, 3.0, 5.0, -1.0, 4.0],
    [2.0, -3.0, 0.5, 1.0, -2.0],
    [-4.0, 1.0, 0.0, 2.0, -1.5],
    [1.0, 4.0, -2.0, 0.0, 3.0],
)
# A right answer may subtract the logarithm of the sum, which float32 rounds to 1/16384 near 1000.
BY_LOGARITHMS = 2e-4


# Numbers that a product with whole numbers does not round.
POWERS = (-4.0, -2.0, -1.0, -0.5, 0.5, 1.0, 2.0, 4.0)


def at_levels(rng: np.random.Generator, levels: list[float], d_v: int) -> Tensors:
    """Return a query and keys, d_k 4, whose scaled scores are these without rounding, and values."""
    query = torch.tensor([8.0, *rng.choice(POWERS, 3)], dtype=torch.float32)
    key = drawn(rng, len(levels), 4).mul(2.0).round()
    key[:, 0] = (2.0 * torch.tensor(levels) - key[:, 1:] @ query[1:]) / query[0]
    return {"query_i": query, "key": key, "value": drawn(rng, len(levels), d_v)}


# (name, what it shows, T, d_k, d_v, spread of query and keys)
SINGLE = (
    ("all sizes different", "5 tokens, d_k 7, d_v 3", 5, 7, 3, 0.7),
    ("all sizes equal", "4 tokens, d_k 4, d_v 4", 4, 4, 4, 0.9),
    ("one token", "1 token: the context is its value", 1, 6, 3, 1.0),
    ("one number in a value", "4 tokens, d_k 3, d_v 1", 4, 3, 1, 0.8),
)


def attend_one_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``attend_one``."""
    toy = recorded_projections()
    cases = [
        pose(
            rng,
            PUBLISHED,
            "the published example, the query of 'journey'",
            attended_once,
            arguments={"query_i": toy["query"][1], "key": toy["key"], "value": toy["value"]},
            published={
                "result/context": "qkv.context.query2",
                "result/weights": "qkv.weights.query2",
            },
        )
    ]
    for name, shows, tokens, d_k, d_v, spread in SINGLE:
        arguments = {
            "query_i": drawn(rng, d_k, spread=spread),
            "key": drawn(rng, tokens, d_k, spread=spread),
            "value": drawn(rng, tokens, d_v),
        }
        cases.append(pose(rng, name, shows, attended_once, arguments=arguments))
    for name, levels in LARGE_SCORES.items():
        shows = f"5 tokens, d_k 4, scores from {min(levels):g} to {max(levels):g}"
        large = {"arguments": at_levels(rng, levels, 3), "floor": BY_LOGARITHMS}
        cases.append(pose(rng, name, shows, attended_once, **large))
    shows = "5 tokens, d_k 4, shares from 0.002 to 0.7"
    small = at_levels(rng, SMALL_SHARES[0], 3)
    cases.append(pose(rng, "small shares", shows, attended_once, arguments=small))
    return cases


# (name, what it shows, leading axes, T_q, T_k, d_k, d_v, spread of queries and keys)
ATTENTION = (
    ("all sizes different", "3 queries, 5 keys, d_k 7, d_v 2", (), 3, 5, 7, 2, 0.8),
    ("one key", "3 queries, 1 key: every context is its value", (), 3, 1, 4, 2, 1.0),
    ("a batch", "2 sequences, 3 queries, 4 keys, d_k 6, d_v 5", (2,), 3, 4, 6, 5, 0.8),
    ("a batch, all sizes equal", "3 sequences, 3 queries, 3 keys, d_k 3, d_v 3", (3,), 3, 3, 3, 3, 0.9),
    ("two leading axes", "2 times 3 matrices, 4 queries, 5 keys, d_k 7, d_v 2", (2, 3), 4, 5, 7, 2, 0.7),
    ("four leading axes", "leading axes 2, 1, 2, 1; 2 queries, 3 keys, d_k 1", (2, 1, 2, 1), 2, 3, 1, 2, 0.8),
)


def attention_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``scaled_dot_product_attention``."""
    cases = [
        pose(
            rng,
            PUBLISHED,
            "the published example, six tokens, seed 123",
            attended,
            arguments=recorded_projections(),
            published={"result/context": "v1.context"},
        )
    ]
    for name, shows, leading, queries, keys, d_k, d_v, spread in ATTENTION:
        arguments = {
            "query": drawn(rng, *leading, queries, d_k, spread=spread),
            "key": drawn(rng, *leading, keys, d_k, spread=spread),
            "value": drawn(rng, *leading, keys, d_v),
        }
        cases.append(pose(rng, name, shows, attended, arguments=arguments))
    shows = "2 sequences, d_k 4, scores from -1000 to 1000"
    large = {"arguments": large_scores(rng), "floor": BY_LOGARITHMS}
    cases.append(pose(rng, "large scores", shows, attended, **large))
    one = {"query": drawn(rng, 1, 1, 5), "key": drawn(rng, 1, 4, 5), "value": drawn(rng, 1, 4, 1)}
    shows = "1 sequence, 1 query, 4 keys, d_k 5, d_v 1"
    cases.append(pose(rng, "one query", shows, attended, arguments=one))
    shows = "4 queries, 5 keys, d_k 4, d_v 3, shares from 0.002 to 0.7"
    small = {
        "query": 8.0 * torch.eye(4),
        "key": (torch.tensor(SMALL_SHARES).mT / 4.0).contiguous(),
        "value": drawn(rng, 5, 3),
    }
    cases.append(pose(rng, "small shares", shows, attended, arguments=small))
    return cases


def large_scores(rng: np.random.Generator) -> Tensors:
    """Return arguments whose scaled scores are the large ones, and in the second item these in reverse.

    Each query looks at one feature of the keys, so that nothing is rounded.
    """
    rows = torch.tensor([*LARGE_SCORES.values()])
    key = torch.stack((rows, rows.flip(0))).mT / 4.0
    return {"query": 8.0 * torch.eye(4).repeat(2, 1, 1), "key": key, "value": drawn(rng, 2, 5, 3)}


def solved_cases(seed: int) -> dict[str, list[Solved]]:
    """Return every exercise's cases, drawn from ``seed``, with the oracle's answers."""
    makers = {
        "ch03-project": project_cases,
        "ch03-scaled-scores": scaled_scores_cases,
        "ch03-attend-one": attend_one_cases,
        "ch03-attention": attention_cases,
    }
    return {
        name: make(np.random.default_rng([seed, number]))
        for number, (name, make) in enumerate(makers.items())
    }


# --- What only grading uses ---------------------------------------------------------------------------------


def hidden_project_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``project``."""
    size = one_size(rng)
    sizes = {
        OTHER_NUMBERS: (5, 7, 3, 8),
        OTHER_SIZES: other_sizes(rng, 4, 17, 21),
        EQUAL_SIZES: (size, size, size, size),
    }
    solved = []
    for name, (tokens, d_in, d_k, d_v) in sizes.items():
        shapes = {
            "inputs": (tokens, d_in),
            "W_query": (d_in, d_k),
            "W_key": (d_in, d_k),
            "W_value": (d_in, d_v),
        }
        arguments = {key: drawn(rng, *shape) for key, shape in shapes.items()}
        solved.append(pose_hidden(rng, name, projected, arguments=arguments))
    return solved


def hidden_attention_sizes(rng: np.random.Generator) -> dict[str, tuple]:
    """Return leading axes, T_q, T_k, d_k and d_v by the name of the hidden case."""
    size = one_size(rng)
    return {
        OTHER_NUMBERS: ((2,), 3, 4, 6, 5),
        OTHER_SIZES: ((), *other_sizes(rng, 2, 17, 21), one_size(rng, 65, 80), one_size(rng)),
        EQUAL_SIZES: ((size,), size, size, size, size),
        LEADING_AXES: ((2, 1, 3, 2), *other_sizes(rng, 4)),
    }


def hidden_scaled_scores_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``scaled_scores``."""
    solved = []
    for name, (leading, queries, keys, d_k, _) in hidden_attention_sizes(rng).items():
        arguments = {"query": drawn(rng, *leading, queries, d_k), "key": drawn(rng, *leading, keys, d_k)}
        solved.append(pose_hidden(rng, name, scores_of, arguments=arguments))
    return solved


def hidden_attend_one_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``attend_one``."""
    size = one_size(rng)
    sizes = {
        OTHER_NUMBERS: (5, 7, 3, 0.7),
        OTHER_SIZES: (one_size(rng, 17, 21), one_size(rng, 65, 80), one_size(rng), 0.7),
        EQUAL_SIZES: (size, size, size, 0.8),
        LARGE: (*other_sizes(rng, 3), 9.0),
    }
    solved = []
    for name, (tokens, d_k, d_v, spread) in sizes.items():
        arguments = {
            "query_i": drawn(rng, d_k, spread=spread),
            "key": drawn(rng, tokens, d_k, spread=spread),
            "value": drawn(rng, tokens, d_v),
        }
        floor = BY_LOGARITHMS if name == LARGE else 0.0
        solved.append(pose_hidden(rng, name, attended_once, arguments=arguments, floor=floor))
    return solved


def hidden_attention_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``scaled_dot_product_attention``."""
    solved = []
    sizes = hidden_attention_sizes(rng)
    for name, (leading, queries, keys, d_k, d_v) in (sizes | {LARGE: ((2,), *other_sizes(rng, 4))}).items():
        spread = 9.0 if name == LARGE else 0.8
        arguments = {
            "query": drawn(rng, *leading, queries, d_k, spread=spread),
            "key": drawn(rng, *leading, keys, d_k, spread=spread),
            "value": drawn(rng, *leading, keys, d_v),
        }
        floor = BY_LOGARITHMS if name == LARGE else 0.0
        solved.append(pose_hidden(rng, name, attended, arguments=arguments, floor=floor))
    return solved


def grading_cases(seed: int) -> dict[str, list[Solved]]:
    """Return the cases that only grading uses, drawn from a course's seed."""
    makers = {
        "ch03-project": hidden_project_cases,
        "ch03-scaled-scores": hidden_scaled_scores_cases,
        "ch03-attend-one": hidden_attend_one_cases,
        "ch03-attention": hidden_attention_cases,
    }
    return drawn_for_grading(seed, makers)
