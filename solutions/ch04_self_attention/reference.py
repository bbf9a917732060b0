"""Cases and oracle of chapter 4.

The oracle shares no code with the solutions: projections by ``torch.einsum`` and attention by PyTorch's own
``scaled_dot_product_attention`` in float64, gradients by autograd through it, and every result computed once
more in NumPy, one query at a time, by the formula of Vaswani et al. 2017, "Attention Is All You Need",
section 3.2.1. Where the two disagree, there is no reference.
"""

from collections.abc import Iterator, Mapping

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from grader.exercises.case import PUBLISHED, Case
from grader.proving.hidden import (
    BIASES,
    EQUAL_SIZES,
    LOW,
    OTHER_NUMBERS,
    OTHER_SIZES,
    SHOWS,
    drawn_for_grading,
    one_size,
    other_sizes,
    pose_hidden,
)
from grader.proving.posing import Oracle, Tensors, confirmed, drawn, pose
from grader.proving.recipe import Solved
from grader.references.published import constant

PRODUCER = "oracle: torch scaled_dot_product_attention in float64, confirmed by a NumPy loop to 1e-12"
AXES = {
    "x": ("T", "d_in"),
    "token_encodings": ("T", "d_model"),
    "result": ("T", "d_out"),
    "again": ("T - 1", "d_out"),
    "v2.trainable": ("weights",),
    **{f"W_{name}": ("d_in", "d_out") for name in ("query", "key", "value")},
    **{f"source/W_{name}": ("d_out", "d_in") for name in ("query", "key", "value")},
    **{f"v2.W_{name}": ("d_out", "d_in") for name in ("query", "key", "value")},
    **{f"W_{name}.weight": ("d_out", "d_in") for name in ("query", "key", "value")},
    **{f"W_{name}.bias": ("d_out",) for name in ("query", "key", "value")},
    **{f"W_{name}.weight": ("d_model", "d_model") for name in ("q", "k", "v")},
}


def attend_by_library(
    x: torch.Tensor, layers: list[tuple[torch.Tensor, torch.Tensor | None]]
) -> torch.Tensor:
    """Return the context (T, d_out) for matrices (d_in, d_out) and biases, by PyTorch's own attention."""
    projected = [torch.einsum("ti,io->to", x, matrix) for matrix, _ in layers]
    projected = [p if bias is None else p + bias for p, (_, bias) in zip(projected, layers, strict=True)]
    query, key, value = (p[None, None] for p in projected)
    return F.scaled_dot_product_attention(query, key, value)[0, 0]


def attend_by_hand(x: np.ndarray, layers: list[tuple[np.ndarray, np.ndarray | None]]) -> np.ndarray:
    """Return the same, one query at a time, by the formula of the paper."""
    query, key, value = (x @ matrix + (0.0 if bias is None else bias) for matrix, bias in layers)
    rows = []
    for one in query:
        scores = np.array([np.dot(one, other) for other in key]) / np.sqrt(key.shape[1])
        powers = np.exp(scores - scores.max())
        rows.append(sum(power * row for power, row in zip(powers / powers.sum(), value, strict=True)))
    return np.stack(rows)


def oracle_for(linear: bool) -> Oracle:
    """Return the oracle of a module whose weights are (d_out, d_in) if linear, else (d_in, d_out)."""

    def context(arguments: Tensors, weights: Tensors, options: Mapping) -> torch.Tensor:
        (x,) = arguments.values()
        layers = []
        for name in (name for name in weights if not name.endswith(".bias")):
            matrix = weights[name].T if linear else weights[name]
            layers.append((matrix, weights.get(name.removesuffix("weight") + "bias")))
        arrays = [tuple(None if t is None else t.detach().numpy() for t in layer) for layer in layers]
        return confirmed(attend_by_library(x, layers), attend_by_hand(x.detach().numpy(), arrays))

    return context


BY_MATRICES, BY_LAYERS = oracle_for(linear=False), oracle_for(linear=True)


LARGE_SHOWS = "scores from -990 to 792: the exponentials of some are more than float64 holds"
# (name, what it shows, T, d_in, d_out, spread of the inputs). Sizes differ wherever a mistake could hide
# behind equal ones; the square case lets those run that need equal sizes; the last one overflows exp().
SIZES = (
    ("all sizes different", "5 tokens, 7 features in, 4 out", 5, 7, 4, 0.6),
    ("all sizes equal", "4 tokens, 4 features in, 4 out", 4, 4, 4, 0.9),
    ("long and narrow", "20 tokens, 3 features in, 5 out", 20, 3, 5, 0.8),
    ("one feature out", "4 tokens, 3 features in, 1 out", 4, 3, 1, 0.8),
    ("one token", "1 token: its context is its own value", 1, 6, 3, 1.0),
    ("large scores", LARGE_SHOWS, 6, 5, 1, 0.0),
)
# The tokens of that case are these multiples of one direction, and the first token's score with itself is
# the lowest. So in some row the first score, the last, the mean, the largest of all rows and the largest
# magnitude are each too far from the row's largest for an exponential, and in each row two are above 80.
# The largest is above 709, beyond float64's exponential: with one feature out the scale leaves it as it is.
SHARES = torch.tensor([1.0, -0.8, 0.9, -0.5, 0.3, -0.4])
LOWEST = -990.0
# Of these multiples every score is below -800, and the two largest of a row are close: what is taken for a
# maximum without looking, such as 0, makes all exponentials 0, and a limit makes all scores alike.
BELOW = torch.tensor([1.0, 0.96, 0.9, 0.98, 0.902, 0.94])


def _matrices(rng: np.random.Generator, d_in: int, d_out: int) -> list[torch.Tensor]:
    return [drawn(rng, d_in, d_out, spread=1.0) for _ in range(3)]


def tokens_and_matrices(
    rng: np.random.Generator, tokens: int, d_in: int, d_out: int, spread: float
) -> tuple[torch.Tensor, list[torch.Tensor]]:
    """Return what a module is called with, and its matrices; a spread of 0 asks for large scores."""
    matrices = _matrices(rng, d_in, d_out)
    if spread:
        return drawn(rng, tokens, d_in, spread=spread), matrices
    return along_one_direction(rng, SHARES, matrices)


def along_one_direction(
    rng: np.random.Generator, shares: torch.Tensor, matrices: list[torch.Tensor]
) -> tuple[torch.Tensor, list[torch.Tensor]]:
    """Return tokens that are multiples of one direction, and matrices with which its score is the lowest."""
    query, key, value = matrices
    direction = drawn(rng, len(query))
    fit = (direction @ query) @ (direction @ key) / query.shape[1] ** 0.5
    return shares[:, None] * direction, [query * (LOWEST / fit), key, value]


def v1_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``SelfAttention_v1``."""
    names = ("W_query", "W_key", "W_value")
    torch.manual_seed(123)
    cases = [
        pose(
            rng,
            PUBLISHED,
            "the published example, six tokens, seed 123",
            BY_MATRICES,
            options={"d_in": 3, "d_out": 2},
            arguments={"x": constant("TOY")},
            weights={name: torch.rand(3, 2) for name in names},
            seed=123,
            published={"result": "v1.context"},
        )
    ]
    for name, shows, tokens, d_in, d_out, spread in SIZES:
        x, matrices = tokens_and_matrices(rng, tokens, d_in, d_out, spread)
        weights, arguments = dict(zip(names, matrices, strict=True)), {"x": x}
        options = {"d_in": d_in, "d_out": d_out}
        cases.append(
            pose(rng, name, shows, BY_MATRICES, options=options, arguments=arguments, weights=weights)
        )
    return cases


def _linear_weights(names: tuple[str, ...], matrices: list[torch.Tensor]) -> dict[str, torch.Tensor]:
    return {f"{name}.weight": matrix.T.contiguous() for name, matrix in zip(names, matrices, strict=True)}


def _recorded_linear(seed: int, names: tuple[str, ...], d_in: int, d_out: int) -> dict[str, torch.Tensor]:
    torch.manual_seed(seed)
    return {f"{name}.weight": nn.Linear(d_in, d_out, bias=False).weight.detach() for name in names}


def v2_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``SelfAttention_v2``, with and without biases."""
    names = ("W_query", "W_key", "W_value")
    cases = [
        pose(
            rng,
            PUBLISHED,
            "the published example, six tokens, seed 789",
            BY_LAYERS,
            options={"d_in": 3, "d_out": 2, "qkv_bias": False},
            arguments={"x": constant("TOY")},
            weights=_recorded_linear(789, names, 3, 2),
            seed=789,
            published={"result": "v2.context"},
        )
    ]
    for name, shows, tokens, d_in, d_out, spread in SIZES:
        x, matrices = tokens_and_matrices(rng, tokens, d_in, d_out, spread)
        weights, arguments = _linear_weights(names, matrices), {"x": x}
        options = {"d_in": d_in, "d_out": d_out}
        cases.append(pose(rng, name, shows, BY_LAYERS, options=options, arguments=arguments, weights=weights))
    weights = _linear_weights(names, _matrices(rng, 6, 4))
    cases.append(
        pose(
            rng,
            "with biases",
            "qkv_bias=True, 5 tokens, 6 features in, 4 out",
            BY_LAYERS,
            options={"d_in": 6, "d_out": 4, "qkv_bias": True},
            arguments={"x": drawn(rng, 5, 6, spread=0.6)},
            weights=weights | {f"{name}.bias": drawn(rng, 4) for name in names},
        )
    )
    return cases


def self_attention_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``SelfAttention``, whose input and output have the same width."""
    names = ("W_q", "W_k", "W_v")
    cases = [
        pose(
            rng,
            PUBLISHED,
            "the published example, three tokens, seed 42",
            BY_LAYERS,
            options={"d_model": 2},
            arguments={"token_encodings": constant("ENCODINGS")},
            weights=_recorded_linear(42, names, 2, 2),
            seed=42,
            published={"result": "self_attention.context"},
        )
    ]
    sizes = (
        (
            "sizes different",
            "5 tokens of width 7, arguments given without their names",
            {"d_model": 7, "row_dim": 0, "col_dim": 1},
            5,
            7,
            0.6,
        ),
        ("sizes equal", "4 tokens of width 4", {"d_model": 4}, 4, 4, 0.9),
        ("defaults", "no argument given: width 2, 5 tokens", {}, 5, 2, 0.9),
        (
            "axes named",
            "row_dim=0, col_dim=1 given, 20 tokens of width 3",
            {"d_model": 3, "row_dim": 0, "col_dim": 1},
            20,
            3,
            0.8,
        ),
        ("one token", "1 token: its context is its own value", {"d_model": 6}, 1, 6, 1.0),
        ("one feature", "4 tokens of width 1", {"d_model": 1}, 4, 1, 0.8),
        (
            "large scores",
            LARGE_SHOWS,
            {"d_model": 1},
            6,
            1,
            0.0,
        ),
    )
    for name, shows, options, tokens, width, spread in sizes:
        x, matrices = tokens_and_matrices(rng, tokens, width, width, spread)
        cases.append(
            pose(
                *(rng, name, shows, BY_LAYERS),
                options=options,
                arguments={"token_encodings": x},
                weights=_linear_weights(names, matrices),
                positional=name == "sizes different",
            )
        )
    return cases


def transfer_case(
    rng: np.random.Generator, name: str, shows: str, d_in: int, d_out: int, *, visible: bool = True
) -> Solved:
    """Return a case of ``transfer_weights``: both modules start from different numbers."""
    names = ("W_query", "W_key", "W_value")
    start = dict(zip(names, _matrices(rng, d_in, d_out), strict=True))
    source = {
        f"source/{key}": matrix.T.contiguous()
        for key, matrix in zip(names, _matrices(rng, d_in, d_out), strict=True)
    }
    case = Case(name, shows, visible, 0, {}, start | source, {}, {})
    copied = {key: source[f"source/{key}"].double().numpy().swapaxes(0, 1).copy() for key in names}
    expected = {"argument/v2.trainable": torch.ones(len(names), dtype=torch.float64)}
    for key in names:
        values = torch.from_numpy(copied[key])
        expected |= {
            f"result/{key}": values,
            f"separate/{key}": values,
            f"argument/v2.{key}": source[f"source/{key}"].double(),
            f"gradient/{key}": torch.ones_like(values),
        }
    return Solved(case, expected)


def transfer_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``transfer_weights``."""
    return [
        transfer_case(rng, name, shows, d_in, d_out)
        for name, shows, d_in, d_out in (
            (PUBLISHED, "the published modules' sizes, 3 features in, 2 out", 3, 2),
            ("sizes different", "7 features in, 4 out", 7, 4),
            ("sizes equal", "4 features in, 4 out", 4, 4),
            ("narrow to wide", "2 features in, 5 out", 2, 5),
            ("one feature out", "4 features in, 1 out: the transpose has the same order of numbers", 4, 1),
            ("one feature in", "1 feature in, 4 out: the transpose has the same order of numbers", 1, 4),
        )
    ]


def solved_cases(seed: int) -> dict[str, list[Solved]]:
    """Return every exercise's cases, drawn from ``seed``, with the oracle's answers."""
    makers = {
        "ch04-self-attention-v1": v1_cases,
        "ch04-self-attention-v2": v2_cases,
        "ch04-transfer-weights": transfer_cases,
        "ch04-self-attention": self_attention_cases,
    }
    return {
        name: make(np.random.default_rng([seed, number]))
        for number, (name, make) in enumerate(makers.items())
    }


# --- What only grading uses ---------------------------------------------------------------------------------


def hidden_sizes(rng: np.random.Generator) -> dict[str, tuple[int, int, int]]:
    """Return T, d_in and d_out by the name of the hidden case."""
    size = one_size(rng)
    return {
        OTHER_NUMBERS: (5, 7, 4),
        OTHER_SIZES: (one_size(rng, 10, 24), *other_sizes(rng, 2)),
        EQUAL_SIZES: (size, size, size),
    }


def hidden_inputs(
    rng: np.random.Generator, sizes: Mapping[str, tuple[int, int, int]]
) -> Iterator[tuple[str, torch.Tensor, list[torch.Tensor]]]:
    """Yield name, tokens and matrices of each hidden case, the last one with scores far below 0."""
    for name, (tokens, d_in, d_out) in sizes.items():
        yield name, drawn(rng, tokens, d_in, spread=0.6), _matrices(rng, d_in, d_out)
    d_in, d_out = sizes[OTHER_SIZES][1:]
    yield LOW, *along_one_direction(rng, BELOW, _matrices(rng, d_in, d_out))


def hidden_v1_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``SelfAttention_v1``."""
    names = ("W_query", "W_key", "W_value")
    return [
        pose_hidden(
            *(rng, name, BY_MATRICES),
            options=dict(zip(("d_in", "d_out"), matrices[0].shape, strict=True)),
            arguments={"x": x},
            weights=dict(zip(names, matrices, strict=True)),
        )
        for name, x, matrices in hidden_inputs(rng, hidden_sizes(rng))
    ]


def hidden_v2_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``SelfAttention_v2``."""
    names = ("W_query", "W_key", "W_value")
    solved = []
    sizes = hidden_sizes(rng) | {BIASES: tuple(other_sizes(rng, 3))}
    for name, x, matrices in hidden_inputs(rng, sizes):
        d_in, d_out = matrices[0].shape
        options, weights = {"d_in": d_in, "d_out": d_out}, _linear_weights(names, matrices)
        if name == BIASES:
            options |= {"qkv_bias": True}
            weights |= {f"{key}.bias": drawn(rng, d_out) for key in names}
        solved.append(pose_hidden(rng, name, BY_LAYERS, options=options, arguments={"x": x}, weights=weights))
    return solved


def hidden_transfer_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``transfer_weights``."""
    return [
        transfer_case(rng, name, SHOWS[name], d_in, d_out, visible=False)
        for name, (_, d_in, d_out) in hidden_sizes(rng).items()
    ]


def hidden_self_attention_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``SelfAttention``."""
    sizes = {name: (tokens, width, width) for name, (tokens, width, _) in hidden_sizes(rng).items()}
    return [
        pose_hidden(
            *(rng, name, BY_LAYERS),
            options={"d_model": len(matrices[0])},
            arguments={"token_encodings": x},
            weights=_linear_weights(("W_q", "W_k", "W_v"), matrices),
        )
        for name, x, matrices in hidden_inputs(rng, sizes)
    ]


def grading_cases(seed: int) -> dict[str, list[Solved]]:
    """Return the cases that only grading uses, drawn from a course's seed."""
    makers = {
        "ch04-self-attention-v1": hidden_v1_cases,
        "ch04-self-attention-v2": hidden_v2_cases,
        "ch04-transfer-weights": hidden_transfer_cases,
        "ch04-self-attention": hidden_self_attention_cases,
    }
    return drawn_for_grading(seed, makers)
