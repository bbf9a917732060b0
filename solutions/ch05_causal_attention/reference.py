"""Cases and oracle of chapter 5.

The oracle hides nothing: it has no mask. For query i it cuts the keys off after i, so that there is no future
to look at, and applies the formula of Vaswani et al. 2017, "Attention Is All You Need", section 3.2.1, in
float64. Every result of attention is computed once more by PyTorch's own ``scaled_dot_product_attention``
with ``is_causal=True``. Where the two disagree, there is no reference.
"""

from collections.abc import Callable, Mapping

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from grader.exercises.case import PUBLISHED
from grader.proving.hidden import (
    BIASES,
    DROPOUT,
    EQUAL_SIZES,
    LARGER,
    LEADING_AXES,
    OTHER_NUMBERS,
    OTHER_SIZES,
    REFUSED,
    another_dropout,
    drawn_for_grading,
    one_size,
    other_sizes,
    pose_hidden,
)
from grader.proving.posing import confirmed, drawn, pose
from grader.proving.recipe import Solved
from grader.references.published import constant, published

PRODUCER = (
    "oracle: keys cut off after each query, in float64, confirmed by torch scaled_dot_product_attention "
    "with is_causal to 1e-12"
)
AXES = {
    "x": ("b", "T", "d_in"),
    "token_encodings": ("T", "d_model"),
    **{f"W_{name}.weight": ("d_out", "d_in") for name in ("query", "key", "value")},
    **{f"W_{name}.bias": ("d_out",) for name in ("query", "key", "value")},
    **{f"W_{name}.weight": ("d_model", "d_model") for name in ("q", "k", "v")},
}

Tensors = Mapping[str, torch.Tensor]
Options = Mapping[str, bool | int | float]


# --- The oracle ---------------------------------------------------------------------------------------------


def future(num_tokens: int) -> torch.Tensor:
    """Return a bool (T, T), True where the key comes after the query."""
    place = np.arange(num_tokens)
    return torch.from_numpy(place[None, :] > place[:, None])


def cut_rows(matrix: torch.Tensor, share: Callable) -> torch.Tensor:
    """Return ``share`` of each row (..., T) up to its own place, filled up with zeros."""
    size = matrix.shape[-1]
    rows = [F.pad(share(matrix[..., i, : i + 1]), (0, size - i - 1)) for i in range(size)]
    return torch.stack(rows, dim=-2)


def shares_of_past(scores: torch.Tensor, d_k: int) -> torch.Tensor:
    """Return causal weights (..., T, T), which the library must confirm."""

    def share(row: torch.Tensor) -> torch.Tensor:
        scaled = row / d_k**0.5
        return (scaled - scaled.logsumexp(dim=-1, keepdim=True)).exp()

    weights = cut_rows(scores, share)
    # Keys and values that are unit vectors make the library return its weights.
    unit = torch.eye(scores.shape[-1], dtype=scores.dtype).expand_as(scores)
    library = F.scaled_dot_product_attention(scores, unit, unit, is_causal=True, scale=d_k**-0.5)
    return confirmed(weights, library.detach())


def causal_context(x: torch.Tensor, layers: list[tuple[torch.Tensor, torch.Tensor | None]]) -> torch.Tensor:
    """Return the context (..., T, d_out) of layers (d_out, d_in), which the library must confirm."""
    projected = [torch.einsum("...ti,oi->...to", x, matrix) for matrix, _ in layers]
    query, key, value = (
        p if bias is None else p + bias for p, (_, bias) in zip(projected, layers, strict=True)
    )
    rows = []
    for i in range(x.shape[-2]):
        scores = torch.einsum("...k,...jk->...j", query[..., i, :], key[..., : i + 1, :])
        shares = (scores / key.shape[-1] ** 0.5).softmax(dim=-1)
        rows.append(torch.einsum("...j,...jv->...v", shares, value[..., : i + 1, :]))
    context = torch.stack(rows, dim=-2)
    library = F.scaled_dot_product_attention(query, key, value, is_causal=True).detach()
    return confirmed(context, library, 1e-12 * max(1.0, float(library.abs().max())))


def module_oracle(names: tuple[str, ...]) -> Callable:
    """Return the oracle of a module whose three layers have these names."""

    def oracle(arguments: Tensors, weights: Tensors, _options: Options) -> torch.Tensor:
        (x,) = arguments.values()
        return causal_context(x, [(weights[f"{n}.weight"], weights.get(f"{n}.bias")) for n in names])

    return oracle


# --- What was printed ---------------------------------------------------------------------------------------

QKV = ("W_query", "W_key", "W_value")


def linear_layers(seed: int, names: tuple[str, ...], d_in: int, d_out: int) -> dict[str, torch.Tensor]:
    """Return the weights (d_out, d_in) of three linear layers created after a seed, by parameter name."""
    torch.manual_seed(seed)
    return {f"{name}.weight": nn.Linear(d_in, d_out, bias=False).weight.detach() for name in names}


def sentence_scores() -> torch.Tensor:
    """Return the unscaled scores (6, 6) of the sentence in print, seed 789."""
    layers = linear_layers(789, QKV, 3, 2)
    toy = constant("TOY")
    return (toy @ layers["W_query.weight"].T) @ (toy @ layers["W_key.weight"].T).T


# The tokens of a case with large scores are these multiples of one direction, and the first token's score
# with itself is the lowest: a future that is subtracted 1000 from is as large as its past. Each way but one
# to make the exponentials small fails in some row: by the first score, the mean, the largest magnitude, the
# largest of all rows or the largest with the future.
SHARES = torch.tensor([1.0, -1.0, 0.8, -0.9, 0.3, -0.7])
# Of these multiples every score is below -800, and the two largest of a row are close: what is taken for a
# maximum without looking, such as 0, makes all exponentials 0, and a limit makes all scores alike.
BELOW = torch.tensor([1.0, 0.96, 0.9, 0.98, 0.902, 0.94])
LOWEST = -996.0


def large_scores(
    rng: np.random.Generator, weights: Tensors, query: str, key: str
) -> tuple[torch.Tensor, torch.Tensor, dict[str, torch.Tensor]]:
    """Return tokens (6, d_in) and weights that give them scores to 1000, either way, or low ones."""
    direction = drawn(rng, weights[query].shape[1])
    fit = (weights[query] @ direction) @ (weights[key] @ direction)
    weights = dict(weights) | {query: weights[query] * (LOWEST / fit)}
    return SHARES[:, None] * direction, BELOW[:, None] * direction, weights


# --- The cases ----------------------------------------------------------------------------------------------


def mask_cases(rng: np.random.Generator, oracle: Callable) -> list[Solved]:
    """Return the cases of a function that makes a mask from a number of tokens."""
    sizes = (
        (PUBLISHED, "the six words of the published example", 6),
        ("two tokens", "the smallest mask that hides something", 2),
        ("three tokens", "3 tokens", 3),
        ("forty tokens", "40 tokens", 40),
        ("one token", "1 token, which sees itself: nothing is hidden", 1),
    )
    return [
        pose(rng, name, shows, oracle, options={"num_tokens": size}, differentiable=False)
        for name, shows, size in sizes
    ]


def causal_mask(_arguments: Tensors, _weights: Tensors, options: Options) -> torch.Tensor:
    """Return the mask of bools for a number of tokens."""
    return future(options["num_tokens"])


def causal_mask_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``causal_mask``."""
    return mask_cases(rng, causal_mask)


def additive_mask(_arguments: Tensors, _weights: Tensors, options: Options) -> torch.Tensor:
    """Return the mask that is added to scores, for a number of tokens."""
    rows = [
        [-np.inf if key > query else 0.0 for key in range(options["num_tokens"])]
        for query in range(options["num_tokens"])
    ]
    return torch.tensor(rows, dtype=torch.float64)


def additive_mask_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``additive_causal_mask``."""
    return mask_cases(rng, additive_mask)


# (name, what it shows, shape, spread of the scores).
WEIGHT_SHAPES = (
    ("one sentence", "5 tokens", (5, 5), 1.0),
    ("a batch", "a batch of 3, 4 tokens", (3, 4, 4), 1.0),
    ("all axes equal", "a batch of 4, 4 tokens: a wrong axis goes through without an error", (4, 4, 4), 1.0),
    ("batch and heads", "4 axes: 2, 3, 4 tokens, 4 tokens", (2, 3, 4, 4), 1.0),
    ("a batch of one", "a batch of 1, 3 tokens", (1, 3, 3), 1.0),
    ("five axes", "5 axes: 2, 1, 2, 3 tokens, 3 tokens", (2, 1, 2, 3, 3), 2.0),
    ("one token", "1 token: it keeps all its attention", (2, 1, 1), 1.0),
)


def renormalized(arguments: Tensors, _weights: Tensors, _options: Options) -> torch.Tensor:
    """Return weights without the future, each row divided by what is left of it."""
    return cut_rows(arguments["weights"], lambda row: row / row.sum(dim=-1, keepdim=True))


def renormalize_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``mask_and_renormalize``."""
    in_print = torch.softmax(sentence_scores() / 2**0.5, dim=-1)
    solved = [
        pose(
            rng,
            PUBLISHED,
            "the published example's weights, six tokens",
            renormalized,
            arguments={"weights": in_print},
            published={"result": "causal.weights_renormalized"},
        )
    ]
    for name, shows, shape, spread in WEIGHT_SHAPES:
        weights = torch.softmax(drawn(rng, *shape, spread=spread), dim=-1)
        solved.append(pose(rng, name, shows, renormalized, arguments={"weights": weights}))
    double = torch.softmax(drawn(rng, 2, 3, 3).double(), dim=-1)
    shows = "weights in float64, a batch of 2, 3 tokens"
    solved.append(
        pose(rng, "float64", shows, renormalized, arguments={"weights": double}, dtype=torch.float64)
    )
    return solved


def masked_weights(arguments: Tensors, _weights: Tensors, options: Options) -> torch.Tensor:
    """Return causal weights for scores."""
    return shares_of_past(arguments["scores"], options["d_k"])


def masked_weights_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``causal_attention_weights``."""
    solved = [
        pose(
            rng,
            PUBLISHED,
            "the published example's scores, six tokens, d_k = 2",
            masked_weights,
            arguments={"scores": sentence_scores()},
            options={"d_k": 2},
            published={"result": "causal.weights"},
        )
    ]
    # The key is as long as no other size, or as long as all: sqrt(T) = d_k nowhere.
    for (name, shows, shape, spread), d_k in zip(WEIGHT_SHAPES, (3, 7, 4, 8, 5, 1, 6), strict=True):
        scores = drawn(rng, *shape, spread=2 * spread)
        if name == "a batch":
            scores[1, 2, 1] = 0.0  # a score like any other
        text = f"{shows}; d_k = {d_k}"
        solved.append(
            pose(rng, name, text, masked_weights, arguments={"scores": scores}, options={"d_k": d_k})
        )
    table = torch.outer(SHARES, SHARES)
    below = LOWEST * torch.outer(BELOW, BELOW)
    large = torch.stack((LOWEST * table, 600.0 * table.flip(0, 1), below))
    shows = "scores from -996 to 996, in the last sentence all below -800; d_k = 1"
    solved.append(
        pose(rng, "large scores", shows, masked_weights, arguments={"scores": large}, options={"d_k": 1})
    )
    double = drawn(rng, 2, 3, 3).double()
    shows = "scores in float64, a batch of 2, 3 tokens; d_k = 6"
    solved.append(
        pose(
            rng,
            "float64",
            shows,
            masked_weights,
            arguments={"scores": double},
            options={"d_k": 6},
            dtype=torch.float64,
        )
    )
    return solved


def drawn_layers(
    rng: np.random.Generator, names: tuple[str, ...], d_in: int, d_out: int, *, biases: bool = False
) -> dict[str, torch.Tensor]:
    """Return weights (d_out, d_in) of layers with these names, and biases (d_out,) if asked for."""
    weights = {f"{name}.weight": drawn(rng, d_out, d_in) for name in names}
    return weights | ({f"{name}.bias": drawn(rng, d_out) for name in names} if biases else {})


def masked_self_attention_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``MaskedSelfAttention``."""
    names = ("W_q", "W_k", "W_v")
    oracle = module_oracle(names)
    solved = [
        pose(
            rng,
            PUBLISHED,
            "the published example, three tokens, seed 42",
            oracle,
            arguments={"token_encodings": constant("ENCODINGS")},
            weights=linear_layers(42, names, 2, 2),
            options={"d_model": 2},
            seed=42,
            published={"result": "masked_self_attention.context"},
        )
    ]
    axes = {"d_model": 3, "row_dim": 0, "col_dim": 1}
    sizes = (
        (
            "sizes different",
            "5 tokens of width 7, one of zeros; by position",
            axes | {"d_model": 7},
            5,
            7,
            0.6,
        ),
        ("sizes equal", "4 tokens of width 4", {"d_model": 4}, 4, 4, 0.9),
        ("defaults", "no argument given: width 2, 5 tokens", {}, 5, 2, 0.9),
        ("axes named", "row_dim=0, col_dim=1 given, 9 tokens of width 3", axes, 9, 3, 0.8),
        ("width one", "4 tokens of width 1", {"d_model": 1}, 4, 1, 0.9),
        ("one token", "1 token: its context is its own value", {"d_model": 6}, 1, 6, 1.0),
        (
            "large scores",
            "scores from -996 to 996: a future that could take all",
            {"d_model": 1},
            6,
            1,
            0.0,
        ),
        ("far below 0", "every score is between -800 and -1000", {"d_model": 1}, 6, 1, 0.0),
    )
    for name, shows, options, tokens, width, spread in sizes:
        x = drawn(rng, tokens, width, spread=spread)
        weights = drawn_layers(rng, names, width, width)
        by_position = name == "sizes different"
        if by_position:
            x[2] = 0.0  # its scores are zero, like any others
        if name in ("large scores", "far below 0"):
            x, below, weights = large_scores(rng, weights, "W_q.weight", "W_k.weight")
            x = below if name == "far below 0" else x
        solved.append(
            pose(
                *(rng, name, shows, oracle),
                arguments={"token_encodings": x},
                weights=weights,
                options=options,
                positional=by_position or None,
            )
        )
    solved.append(
        pose(
            rng,
            "float64",
            "the module and its tokens in float64, 4 tokens of width 3",
            oracle,
            arguments={"token_encodings": drawn(rng, 4, 3, spread=0.6).double()},
            weights={name: weight.double() for name, weight in drawn_layers(rng, names, 3, 3).items()},
            options={"d_model": 3},
            dtype=torch.float64,
        )
    )
    return solved


def dropped(arguments: Tensors, _weights: Tensors, options: Options) -> torch.Tensor:
    """Return what is kept, divided by the share that is kept on average."""
    kept = arguments["keep"].detach() != 0
    zero = torch.zeros((), dtype=torch.float64)
    return torch.where(kept, arguments["weights"] / (1.0 - options["p"]), zero)


def apply_dropout_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``apply_dropout``. What is kept is given, so nothing here is random."""
    in_print = shares_of_past(sentence_scores().double(), 2).float()
    printed_keep = torch.tensor(published()["entries"]["dropout.ones.a"]["values"]) > 0
    solved = [
        pose(
            rng,
            PUBLISHED,
            "the published example's weights and its keep mask, p = 0.5",
            dropped,
            arguments={"weights": in_print, "keep": printed_keep},
            options={"p": 0.5},
            published={"result": "dropout.weights.a"},
        )
    ]

    def keep(*shape: int, p: float, dtype: torch.dtype = torch.bool) -> torch.Tensor:
        return torch.from_numpy(rng.random(shape) >= p).to(dtype)

    # (name, what it shows, shape, p, dtype of keep).
    cases = (
        ("p a quarter", "p = 0.25, 5 tokens", (5, 5), 0.25, torch.bool),
        ("zeros and ones", "keep as integers, p = 0.75, 2 of 4 tokens", (2, 4, 4), 0.75, torch.int64),
        ("batch and heads", "4 axes: 2, 3, 4 tokens, 4 tokens; p = 0.1", (2, 3, 4, 4), 0.1, torch.bool),
        ("one axis", "a single row of 9, p = 0.4", (9,), 0.4, torch.bool),
        ("one row", "an axis of size 1 in front, 4 tokens; p = 0.5", (1, 4), 0.5, torch.bool),
        ("five axes", "sizes 2, 1, 2, 1 and 3; p = 0.5", (2, 1, 2, 1, 3), 0.5, torch.bool),
        ("nothing to drop", "p = 0, everything is kept", (3, 3), 0.0, torch.bool),
        ("p zero", "p = 0, and yet some are dropped: keep says which", (3, 4), 0.0, torch.bool),
        ("everything kept", "p = 0.6, and everything was kept", (2, 3), 0.6, torch.bool),
        ("everything dropped", "p = 0.9, and nothing was kept", (2, 2), 0.9, torch.bool),
        ("one column", "a single column of 6, p = 0.4", (6, 1), 0.4, torch.bool),
    )
    for name, shows, shape, p, dtype in cases:
        kept = keep(*shape, p=0.5 if name == "p zero" else p, dtype=dtype)
        if name.startswith("everything"):
            kept = torch.full(shape, name == "everything kept")
        arguments = {"weights": drawn(rng, *shape), "keep": kept}
        solved.append(pose(rng, name, shows, dropped, arguments=arguments, options={"p": p}))
    arguments = {"weights": drawn(rng, 3, 4), "keep": keep(3, 4, p=0.3, dtype=torch.float32)}
    shows = "keep as 0.0 and 1.0, p = 0.9"
    options = {"p": 0.9}
    solved.append(
        pose(rng, "floats", shows, dropped, arguments=arguments, options=options, differentiable=False)
    )
    arguments = {"weights": drawn(rng, 3, 3).double(), "keep": keep(3, 3, p=0.3)}
    shows = "weights in float64, p = 0.3"
    options = {"p": 0.3}
    solved.append(
        pose(rng, "float64", shows, dropped, arguments=arguments, options=options, dtype=torch.float64)
    )
    return solved


# (name, what it shows, b, T, d_in, d_out, context_length, spread of the inputs). Items of a batch differ,
# so do sizes wherever a mistake could hide behind equal ones; one case has them all equal, for the mistakes
# that only then run.
SIZES = (
    ("all sizes different", "a batch of 2, 5 of at most 9 tokens, 7 features in, 4 out", 2, 5, 7, 4, 9, 0.6),
    ("all sizes equal", "a batch of 4, 4 of 4 tokens, 4 features in, 4 out", 4, 4, 4, 4, 4, 0.9),
    ("full context", "a batch of 3, 6 of 6 tokens, one of zeros, 5 features in, 3 out", 3, 6, 5, 3, 6, 0.8),
    ("one feature out", "a batch of 2, 4 of at most 5 tokens, 3 features in, 1 out", 2, 4, 3, 1, 5, 0.8),
    ("a batch of one", "a batch of 1, 5 of at most 7 tokens, 4 features in, 3 out", 1, 5, 4, 3, 7, 0.8),
    ("one token", "a batch of 3, 1 of at most 4 tokens: its context is its own value", 3, 1, 6, 3, 4, 1.0),
    ("context of one", "context_length 1, a batch of 2, 1 token", 2, 1, 4, 5, 1, 1.0),
    ("large scores", "scores from -996 to 996, in the last sentence all below -800", 3, 6, 5, 1, 8, 0.0),
)


def causal_options(d_in: int, d_out: int, context_length: int, dropout: float = 0.0, **more: bool) -> dict:
    """Return the constructor's arguments of ``CausalAttention`` in its order."""
    return {"d_in": d_in, "d_out": d_out, "context_length": context_length, "dropout": dropout} | more


def causal_attention_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``CausalAttention``."""
    oracle = module_oracle(QKV)
    toy = constant("TOY")
    solved = [
        pose(
            rng,
            PUBLISHED,
            "the published example: the sentence twice, seed 123",
            oracle,
            arguments={"x": torch.stack((toy, toy))},
            weights=linear_layers(123, QKV, 3, 2),
            options=causal_options(3, 2, 6, qkv_bias=False),
            seed=123,
            published={"result": "causal_attention.context"},
        )
    ]
    for name, shows, batch, tokens, d_in, d_out, context, spread in SIZES:
        x = drawn(rng, batch, tokens, d_in, spread=spread)
        weights = drawn_layers(rng, QKV, d_in, d_out)
        if name == "full context":
            x[:, 1] = 0.0  # its scores are zero, like any others
        if name == "large scores":
            one, below, weights = large_scores(rng, weights, "W_query.weight", "W_key.weight")
            x = torch.stack((one, one.flip(0), below))
        options = causal_options(d_in, d_out, context)
        solved.append(pose(rng, name, shows, oracle, arguments={"x": x}, weights=weights, options=options))
    return [*solved, two_futures(rng), with_biases(rng), in_float64(rng), with_dropout(rng), too_long(rng)]


def two_futures(rng: np.random.Generator) -> Solved:
    """Return a case whose items begin alike and go on differently: what begins alike must come out alike."""
    beginning = drawn(rng, 1, 3, 4, spread=0.8).expand(2, 3, 4)
    return pose(
        rng,
        "two futures",
        "two sentences that begin with the same 3 tokens and go on differently",
        module_oracle(QKV),
        arguments={"x": torch.cat((beginning, drawn(rng, 2, 3, 4, spread=2.0)), dim=1)},
        weights=drawn_layers(rng, QKV, 4, 3),
        options=causal_options(4, 3, 8),
    )


def with_biases(rng: np.random.Generator) -> Solved:
    """Return a case that asks for biases."""
    return pose(
        rng,
        "with biases",
        "qkv_bias=True, a batch of 2, 5 of at most 6 tokens, 6 features in, 4 out",
        module_oracle(QKV),
        arguments={"x": drawn(rng, 2, 5, 6, spread=0.6)},
        weights=drawn_layers(rng, QKV, 6, 4, biases=True),
        options=causal_options(6, 4, 6, qkv_bias=True),
    )


def in_float64(rng: np.random.Generator) -> Solved:
    """Return a case in double precision."""
    weights = drawn_layers(rng, QKV, 4, 3)
    return pose(
        rng,
        "float64",
        "the module and its tokens in float64",
        module_oracle(QKV),
        arguments={"x": drawn(rng, 2, 4, 4, spread=0.6).double()},
        weights={name: weight.double() for name, weight in weights.items()},
        options=causal_options(4, 3, 6),
        dtype=torch.float64,
    )


# So many that one of their weights in four is dropped of each query at least once, and the share shows.
SENTENCES = 96


def dropout_parts(rng: np.random.Generator, p: float) -> dict:
    """Return the parts of a case whose result shows the weights twice: the value of token i is one-hot."""
    size = 12
    unit = torch.eye(size)
    weights = {f"{name}.weight": drawn(rng, 2 * size, size, spread=0.5) for name in QKV[:2]}
    weights["W_value.weight"] = torch.cat((unit, unit))
    return {
        "arguments": {"x": unit.expand(SENTENCES, size, size).clone()},
        "weights": weights,
        "options": causal_options(size, 2 * size, size, p),
        "differentiable": False,
    }


def with_dropout(rng: np.random.Generator) -> Solved:
    """Return a case with dropout."""
    return pose(
        rng,
        "with dropout",
        "dropout=0.25, in eval() and in train(), on tokens whose context shows the weights",
        module_oracle(QKV),
        **dropout_parts(rng, 0.25),
    )


def too_long(rng: np.random.Generator) -> Solved:
    """Return a case with more tokens than the context holds."""
    return pose(
        rng,
        "too long",
        "6 tokens, one more than context_length allows",
        module_oracle(QKV),
        arguments={"x": drawn(rng, 2, 6, 4)},
        weights=drawn_layers(rng, QKV, 4, 3),
        options=causal_options(4, 3, 5),
        raises="Exception",
    )


def solved_cases(seed: int) -> dict[str, list[Solved]]:
    """Return every exercise's cases, drawn from ``seed``, with the oracle's answers."""
    makers = {
        "ch05-causal-mask": causal_mask_cases,
        "ch05-mask-and-renormalize": renormalize_cases,
        "ch05-additive-mask": additive_mask_cases,
        "ch05-masked-weights": masked_weights_cases,
        "ch05-masked-self-attention": masked_self_attention_cases,
        "ch05-apply-dropout": apply_dropout_cases,
        "ch05-causal-attention": causal_attention_cases,
    }
    return {
        name: make(np.random.default_rng([seed, number]))
        for number, (name, make) in enumerate(makers.items())
    }


# --- What only grading uses ---------------------------------------------------------------------------------


def hidden_mask_cases(oracle: Callable) -> Callable[[np.random.Generator], list[Solved]]:
    """Return what makes the hidden cases of a function that makes a mask."""

    def cases(rng: np.random.Generator) -> list[Solved]:
        sizes = {OTHER_SIZES: int(rng.choice([4, 5, 7, 8])), LARGER: one_size(rng, 10, 20)}
        return [
            pose_hidden(rng, name, oracle, options={"num_tokens": size}, differentiable=False)
            for name, size in sizes.items()
        ]

    return cases


def hidden_shapes(rng: np.random.Generator) -> dict[str, tuple[int, ...]]:
    """Return the shapes of scores or weights by the name of the hidden case."""
    size, most = one_size(rng), one_size(rng, 8, 11)
    return {
        OTHER_NUMBERS: (3, 4, 4),
        LARGER: (most, most),
        EQUAL_SIZES: (size, size, size),
        LEADING_AXES: (2, 3, most - 1, most - 1),
    }


def hidden_renormalize_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``mask_and_renormalize``."""
    return [
        pose_hidden(rng, name, renormalized, arguments={"weights": torch.softmax(drawn(rng, *shape), dim=-1)})
        for name, shape in hidden_shapes(rng).items()
    ]


def hidden_masked_weights_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``causal_attention_weights``; no d_k is known."""
    shapes, lengths = hidden_shapes(rng), other_sizes(rng, 4, low=9, high=30)
    return [
        pose_hidden(
            *(rng, name, masked_weights),
            arguments={"scores": drawn(rng, *shape, spread=3.0)},
            options={"d_k": d_k},
        )
        for (name, shape), d_k in zip(shapes.items(), lengths, strict=True)
    ]


def hidden_masked_self_attention_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``MaskedSelfAttention``."""
    names, size = ("W_q", "W_k", "W_v"), one_size(rng)
    sizes = {
        OTHER_NUMBERS: (5, 7),
        OTHER_SIZES: (one_size(rng, 10, 16), one_size(rng, 5, 9)),
        EQUAL_SIZES: (size, size),
    }
    return [
        pose_hidden(
            *(rng, name, module_oracle(names)),
            arguments={"token_encodings": drawn(rng, tokens, width, spread=0.6)},
            weights=drawn_layers(rng, names, width, width),
            options={"d_model": width},
        )
        for name, (tokens, width) in sizes.items()
    ]


def hidden_apply_dropout_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``apply_dropout``; no p is known."""
    solved = []
    for name, shape in hidden_shapes(rng).items():
        p = round(float(rng.uniform(0.15, 0.7)), 3)
        kept = torch.from_numpy(rng.random(shape) >= p)
        arguments = {"weights": drawn(rng, *shape), "keep": kept}
        solved.append(pose_hidden(rng, name, dropped, arguments=arguments, options={"p": p}))
    return solved


def hidden_causal_attention_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``CausalAttention``: b, T, d_in, d_out and the context's length."""
    oracle, most = module_oracle(QKV), one_size(rng, 13, 18)
    sizes = {
        OTHER_NUMBERS: (2, 5, 7, 4, 9),
        OTHER_SIZES: (3, most, *other_sizes(rng, 2), most),
        BIASES: (2, *other_sizes(rng, 3), 10),
    }
    solved = []
    for name, (batch, tokens, d_in, d_out, context) in sizes.items():
        biases = {"qkv_bias": True} if name == BIASES else {}
        solved.append(
            pose_hidden(
                *(rng, name, oracle),
                arguments={"x": drawn(rng, batch, tokens, d_in, spread=0.6)},
                weights=drawn_layers(rng, QKV, d_in, d_out, biases=bool(biases)),
                options=causal_options(d_in, d_out, context, **biases),
            )
        )
    solved.append(pose_hidden(rng, DROPOUT, oracle, **dropout_parts(rng, another_dropout(rng))))
    context = one_size(rng, 6, 9)
    refused = {
        "arguments": {"x": drawn(rng, 3, context + one_size(rng, 1, 3), 4)},
        "weights": drawn_layers(rng, QKV, 4, 3),
        "options": causal_options(4, 3, context),
    }
    return [*solved, pose_hidden(rng, REFUSED, oracle, **refused, raises="Exception")]


def grading_cases(seed: int) -> dict[str, list[Solved]]:
    """Return the cases that only grading uses, drawn from a course's seed."""
    makers = {
        "ch05-causal-mask": hidden_mask_cases(causal_mask),
        "ch05-mask-and-renormalize": hidden_renormalize_cases,
        "ch05-additive-mask": hidden_mask_cases(additive_mask),
        "ch05-masked-weights": hidden_masked_weights_cases,
        "ch05-masked-self-attention": hidden_masked_self_attention_cases,
        "ch05-apply-dropout": hidden_apply_dropout_cases,
        "ch05-causal-attention": hidden_causal_attention_cases,
    }
    return drawn_for_grading(seed, makers)
