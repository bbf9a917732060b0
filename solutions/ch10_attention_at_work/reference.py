"""Cases and oracles of chapter 10.

The oracles share no code with the solutions. Windows: NumPy's ``sliding_window_view``, confirmed number by
number. The block: PyTorch's own ``nn.TransformerEncoderLayer`` in float64, gradients by autograd through it,
confirmed in NumPy, one query at a time, by the formulas of Vaswani et al. 2017, "Attention Is All You Need",
Ba et al. 2016, "Layer Normalization", and Hendrycks and Gimpel 2016, "Gaussian Error Linear Units"; the
arrangement, with both LayerNorms before their parts, is that of Radford et al. 2019 (GPT-2). The model: the
same, with its tables read by one-hot products and by indexing. Continued texts: one window at a time in
NumPy, confirmed by a vector of powers. Where two oracles disagree, there is no reference.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import torch
from numpy.lib.stride_tricks import sliding_window_view
from torch import nn
from torch.nn import functional as F

from grader.errors import ReferenceDataError
from grader.exercises.case import Flag
from grader.proving.hidden import (
    DROPOUT,
    EQUAL_SIZES,
    LARGER,
    LOW,
    OTHER_NUMBERS,
    OTHER_SIZES,
    REFUSED,
    another_dropout,
    drawn_for_grading,
    one_size,
    other_sizes,
    pose_hidden,
)
from grader.proving.posing import Tensors, confirmed, drawn, pose
from grader.proving.recipe import Solved

PRODUCER = (
    "oracle: torch nn.TransformerEncoderLayer in float64 and NumPy, confirmed by loops in NumPy to 1e-10"
)
MOST_LAYERS = 4
BLOCK_AXES = {
    "norm1.weight": ("d_model",),
    "norm1.bias": ("d_model",),
    "attention.W_query.weight": ("d_out", "d_in"),
    "attention.W_key.weight": ("d_out", "d_in"),
    "attention.W_value.weight": ("d_out", "d_in"),
    "attention.out_proj.weight": ("d_out", "d_in"),
    "attention.out_proj.bias": ("d_out",),
    "norm2.weight": ("d_model",),
    "norm2.bias": ("d_model",),
    "mlp.0.weight": ("4 d_model", "d_model"),
    "mlp.0.bias": ("4 d_model",),
    "mlp.2.weight": ("d_model", "4 d_model"),
    "mlp.2.bias": ("d_model",),
}
AXES = {
    "x": ("b", "T", "d_model"),
    "ids": ("b", "T"),
    "ch10-sliding-windows/ids": ("T",),
    "inputs": ("windows", "length"),
    "targets": ("windows", "length"),
    "result": ("b", "T", "features"),
    "again": ("b", "T - 1", "features"),
    "ch10-generate/result": ("b", "T"),
    "token_embedding.weight": ("vocab", "d_model"),
    "position_embedding.weight": ("context", "d_model"),
    "norm.weight": ("d_model",),
    "norm.bias": ("d_model",),
    "head.weight": ("vocab", "d_model"),
    "model.pairs": ("vocab", "vocab"),
    "model.positions": ("context", "vocab"),
    **BLOCK_AXES,
    **{f"blocks.{i}.{name}": axes for i in range(MOST_LAYERS) for name, axes in BLOCK_AXES.items()},
}
QKV = ("W_query", "W_key", "W_value")
EPSILON = 1e-5
CONFIRMED = 1e-10

# --- Windows ------------------------------------------------------------------------------------------------


def windows(arguments: Tensors, _weights: Tensors, options: Mapping) -> dict[str, torch.Tensor]:
    """Return inputs and targets, cut by NumPy and confirmed number by number."""
    ids, length, stride = arguments["ids"], options["length"], options["stride"]
    both = torch.from_numpy(sliding_window_view(ids.numpy(), length + 1)[::stride].copy())
    by_number = [[], []]
    start = 0
    while start + length < len(ids):
        for shift in (0, 1):
            by_number[shift].append([int(ids[start + i + shift]) for i in range(length)])
        start += stride
    inputs, targets = both[:, :-1], both[:, 1:]
    return {
        "inputs": confirmed(inputs, np.array(by_number[0], dtype=ids.numpy().dtype)),
        "targets": confirmed(targets, np.array(by_number[1], dtype=ids.numpy().dtype)),
    }


def _ids(rng: np.random.Generator, *shape: int, vocab: int = 40) -> torch.Tensor:
    return torch.from_numpy(rng.integers(0, vocab, shape))


# (name, what it shows, number of ids, length, stride)
WINDOWS = (
    ("counted", "the ids 0 to 6, windows of 3, every 2", 7, 3, 2),
    ("every place", "windows of 3, one at every place", 8, 3, 1),
    ("side by side", "windows of 4 that do not overlap, and ids left over", 15, 4, 4),
    ("fits exactly", "windows of 4 that do not overlap, and not one id left over", 13, 4, 4),
    ("almost", "one id too few for a third window", 12, 4, 4),
    ("gaps", "windows of 2, every 5: some ids are in none", 19, 2, 5),
    ("one window", "as many ids as one window and its target need", 6, 5, 9),
    ("length 1", "windows of 1, every 3, all of them alike", 9, 1, 3),
    ("overlapping", "windows of 6, every 4", 27, 6, 4),
)


def window_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``sliding_windows``."""
    cases = []
    for name, shows, count, length, stride in WINDOWS:
        ids = torch.arange(7) if name == "counted" else _ids(rng, count)
        if name == "length 1":
            ids = ids[:3].repeat(3)
        cases.append(
            pose(
                *(rng, name, shows, windows),
                arguments={"ids": ids},
                options={"length": length, "stride": stride},
                positional=name == "counted",
                differentiable=False,
                again=True,
            )
        )
    whole = torch.from_numpy(rng.integers(-(2**31), 2**31, 15, dtype=np.int32))
    cases.append(
        pose(
            *(rng, "int32", "ids of dtype int32, large ones and negative ones", windows),
            arguments={"ids": whole},
            options={"length": 4, "stride": 4},
            differentiable=False,
            again=True,
        )
    )
    for name, shows, count, length in (
        ("no target", "as many ids as a window has: the last target is missing", 5, 5),
        ("too short", "fewer ids than a window has", 3, 5),
    ):
        arguments, options = {"ids": _ids(rng, count)}, {"length": length, "stride": 1}
        cases.append(
            pose(rng, name, shows, windows, arguments=arguments, options=options, raises="ValueError")
        )
    return cases


def hidden_window_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``sliding_windows``."""
    first, second = other_sizes(rng, 2)
    sizes = {
        OTHER_NUMBERS: (15, 4, 4),
        OTHER_SIZES: (one_size(rng, 30, 40), first, second),
        EQUAL_SIZES: (one_size(rng, 30, 40), first, first),
        LARGER: (one_size(rng, 60, 80), one_size(rng, 10, 14), one_size(rng, 2, 4)),
    }
    solved = [
        pose_hidden(
            *(rng, name, windows),
            arguments={"ids": _ids(rng, count, vocab=2**40)},
            options={"length": length, "stride": stride},
            differentiable=False,
            again=True,
        )
        for name, (count, length, stride) in sizes.items()
    ]
    length = one_size(rng, 7, 12)
    ids, options = {"ids": _ids(rng, length - one_size(rng, 0, 2))}, {"length": length, "stride": 2}
    return [*solved, pose_hidden(rng, REFUSED, windows, arguments=ids, options=options, raises="ValueError")]


# --- The block ----------------------------------------------------------------------------------------------


def block_by_library(x: torch.Tensor, weights: Tensors, prefix: str, heads: int) -> torch.Tensor:
    """Return what PyTorch's own layer gives with a block's weights."""
    own = {name: weights[prefix + name] for name in BLOCK_AXES}
    width = x.shape[-1]
    layer = nn.TransformerEncoderLayer(
        width, heads, 4 * width, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
    ).double()
    theirs = {
        "self_attn.in_proj_weight": torch.cat([own[f"attention.{name}.weight"] for name in QKV]),
        "self_attn.in_proj_bias": torch.zeros(3 * width, dtype=torch.float64),
        "linear1.weight": own["mlp.0.weight"],
        "linear1.bias": own["mlp.0.bias"],
        "linear2.weight": own["mlp.2.weight"],
        "linear2.bias": own["mlp.2.bias"],
        **{f"self_attn.out_proj.{kind}": own[f"attention.out_proj.{kind}"] for kind in ("weight", "bias")},
        **{
            f"{norm}.{kind}": own[f"{norm}.{kind}"]
            for norm in ("norm1", "norm2")
            for kind in ("weight", "bias")
        },
    }
    hidden = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
    return torch.func.functional_call(layer, theirs, (x,), {"src_mask": hidden})


def _normalized(row: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
    spread = math.sqrt(sum((number - row.mean()) ** 2 for number in row) / len(row) + EPSILON)
    return (row - row.mean()) / spread * weight + bias


def _gelu(number: float) -> float:
    return number * 0.5 * (1.0 + math.erf(number / math.sqrt(2.0)))


def _attended(rows: np.ndarray, t: int, own: Mapping[str, np.ndarray], heads: int) -> np.ndarray:
    """Return what token t hears of the tokens up to its own."""
    query = own["attention.W_query.weight"] @ rows[t]
    heard = []
    for part in np.split(np.arange(len(query)), heads):
        scores = [
            query[part] @ (own["attention.W_key.weight"] @ row)[part] / math.sqrt(len(part))
            for row in rows[: t + 1]
        ]
        powers = np.exp(np.array(scores) - max(scores))
        values = [(own["attention.W_value.weight"] @ row)[part] for row in rows[: t + 1]]
        heard.append(sum(p * value for p, value in zip(powers / powers.sum(), values, strict=True)))
    return own["attention.out_proj.weight"] @ np.concatenate(heard) + own["attention.out_proj.bias"]


def block_by_hand(x: np.ndarray, weights: Mapping[str, np.ndarray], prefix: str, heads: int) -> np.ndarray:
    """Return the same, one token at a time."""
    own = {name: weights[prefix + name] for name in BLOCK_AXES}
    result = np.empty_like(x)
    for item, sentence in enumerate(x):
        rows = np.stack([_normalized(row, own["norm1.weight"], own["norm1.bias"]) for row in sentence])
        for t, row in enumerate(sentence):
            heard = row + _attended(rows, t, own, heads)
            inner = own["mlp.0.weight"] @ _normalized(heard, own["norm2.weight"], own["norm2.bias"])
            active = np.array([_gelu(number) for number in inner + own["mlp.0.bias"]])
            result[item, t] = heard + own["mlp.2.weight"] @ active + own["mlp.2.bias"]
    return result


def _arrays(weights: Tensors) -> dict[str, np.ndarray]:
    return {name: weight.detach().numpy() for name, weight in weights.items()}


def block(arguments: Tensors, weights: Tensors, options: Mapping) -> torch.Tensor:
    """Return what a block gives."""
    x, heads = arguments["x"], options["num_heads"]
    by_hand = block_by_hand(x.detach().numpy(), _arrays(weights), "", heads)
    return confirmed(block_by_library(x, weights, "", heads), by_hand, CONFIRMED)


def block_weights(rng: np.random.Generator, width: int, prefix: str = "", spread: float = 1.0) -> dict:
    """Return the weights of a block; those of the LayerNorms are near 1."""
    sizes = {"d_model": width, "d_in": width, "d_out": width, "4 d_model": 4 * width}
    weights = {}
    for name, axes in BLOCK_AXES.items():
        shape = [sizes[axis] for axis in axes]
        if len(shape) == 2:
            weights[prefix + name] = drawn(rng, *shape, spread=spread * shape[-1] ** -0.5)
        else:
            weights[prefix + name] = drawn(rng, *shape, spread=0.4) + float(name.endswith("norm1.weight"))
            weights[prefix + name] += float(name.endswith("norm2.weight"))
    return weights


def block_options(width: int, heads: int, context: int, dropout: float = 0.0) -> dict:
    """Return the arguments of a block's constructor."""
    return {"d_model": width, "num_heads": heads, "context_length": context, "dropout": dropout}


# What the weights of queries and keys are multiplied by where scores are large.
LOUD = 14.0
# (name, what it shows, b, T, d_model, heads, context length, spread of the inputs)
BLOCKS = (
    ("one head", "1 text of 4 tokens, 1 head", 1, 4, 6, 1, 6, 1.0),
    ("all sizes different", "2 texts, 5 tokens, 3 heads of width 4", 2, 5, 12, 3, 9, 0.8),
    ("all sizes equal", "4 texts, 4 tokens, 4 features, context_length 4", 4, 4, 4, 2, 4, 1.2),
    ("one token", "1 token: it can only look at itself", 3, 1, 6, 2, 4, 1.0),
    ("full length", "as many tokens as the context has room for", 2, 7, 4, 2, 7, 1.0),
    ("large numbers", "tokens whose features are far from 0", 2, 4, 6, 3, 7, 200.0),
    ("large scores", "scores in the hundreds", 1, 5, 8, 2, 8, 1.0),
)


def block_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``TransformerBlock``."""
    cases = []
    for name, shows, b, tokens, width, heads, context, spread in BLOCKS:
        weights = block_weights(rng, width)
        if name == "large scores":
            weights["attention.W_query.weight"] *= LOUD
            weights["attention.W_key.weight"] *= LOUD
        cases.append(
            pose(
                *(rng, name, shows, block),
                options=block_options(width, heads, context),
                arguments={"x": drawn(rng, b, tokens, width, spread=spread)},
                weights=weights,
                positional=name == "one head",
            )
        )
    cases.append(block_with_large_scores(rng))
    in_float64 = pose(
        *(rng, "in float64", "the module and its input in float64", block),
        options=block_options(6, 2, 5),
        arguments={"x": drawn(rng, 2, 3, 6)},
        weights=block_weights(rng, 6),
        dtype=torch.float64,
    )
    shows = "dropout=0.2, in eval() and in train()"
    return [*cases, in_float64, block_with_dropout(rng, pose, "dropout", shows, dropout=0.2)]


# A case with dropout: texts, tokens, and features besides those that show weights. The first of these stays
# 0, one for each token says where it stands, the last one is the MLP's.
SHOWN = (64, 4, 6)


# Of two features a LayerNorm leaves one number, 1 or -1. These are the tokens of a case with large scores,
# and each head's scores: in head 0 the first token's score with itself is the lowest, and a future that is
# subtracted 1000 from is as large as its past.
TOKEN_SIGNS = torch.tensor([1.0, -1.0, 1.0, -1.0, -1.0, 1.0])
HEAD_SCORES = (-996.0, 600.0)


def block_with_large_scores(rng: np.random.Generator) -> Solved:
    """Return a case whose two heads, of width 1, have scores to 1000."""
    weights = block_weights(rng, 2)
    weights["norm1.bias"].zero_()
    normal = weights["norm1.weight"] * torch.tensor([1.0, -1.0])
    query, key = (weights[f"attention.{name}.weight"] for name in ("W_query", "W_key"))
    for head, score in enumerate(HEAD_SCORES):
        query[head] *= score / ((query[head] @ normal) * (key[head] @ normal))
    x = TOKEN_SIGNS[:, None] * torch.tensor([8.0, -8.0]) + drawn(rng, 6, 1)
    return pose(
        *(rng, "scores to 1000", "scores to 1000 either way: a future that could take all", block),
        options=block_options(2, 2, 7),
        arguments={"x": x[None]},
        weights=weights,
    )


def block_with_low_scores(rng: np.random.Generator, heads: int, width: int) -> Solved:
    """Return a hidden case whose scores are all far below 0, with a width for each head.

    All that a LayerNorm gives lies near its bias, here ten times as long as what is added to it.
    """
    weights = block_weights(rng, heads * width)
    bias = weights["norm1.bias"]
    bias *= 10.0 * bias.numel() ** 0.5 / bias.norm()
    along = bias / (bias @ bias)
    query, key = (weights[f"attention.{name}.weight"].unflatten(0, (heads, width)) for name in QKV[:2])
    for head in range(heads):
        direction = drawn(rng, width)
        query[head] = torch.outer(direction, along)
        key[head] = torch.outer(direction, along) * (min(HEAD_SCORES) * width**0.5 / (direction @ direction))
    return pose_hidden(
        *(rng, LOW, block),
        options=block_options(heads * width, heads, 7),
        arguments={"x": drawn(rng, 2, 6, heads * width)},
        weights=weights,
    )


def showing_options(heads: int, layers: int, dropout: float) -> dict:
    """Return the arguments of a block's constructor whose last features show each head's weights twice."""
    _, tokens, others = SHOWN
    return block_options(others + layers * heads * 2 * tokens, heads, tokens + 1, dropout)


def showing_weights(rng: np.random.Generator, options: Mapping, prefix: str = "", layer: int = 0) -> dict:
    """Return weights of a block that adds to each token [W, W] for each head, in features of the layer's own.

    A value is one-hot: the feature that says where its token stands, less the one that stays 0, which takes
    away what a LayerNorm subtracts.
    """
    _, tokens, others = SHOWN
    width, heads = options["d_model"], options["num_heads"]
    weights = block_weights(rng, width, prefix, spread=0.5)
    query, key, value, mixed, _, narrow = (
        weights[prefix + name] for name, axes in BLOCK_AXES.items() if len(axes) == 2
    )
    for matrix in (value, mixed, narrow):
        matrix.zero_()
    query *= 0.5
    key *= 0.5
    for head in range(heads):
        for place in range(2 * tokens):
            row = head * (width // heads) + place
            value[row, 1 + place % tokens], value[row, 0] = 0.5, -0.5
            mixed[others + (layer * heads + head) * 2 * tokens + place, row] = 1.0
    narrow[others - 1] = drawn(rng, narrow.shape[1], spread=narrow.shape[1] ** -0.5)
    for name in ("norm1", "norm2"):
        weights[f"{prefix}{name}.weight"].fill_(1.0)
        weights[f"{prefix}{name}.bias"].zero_()
    weights[f"{prefix}attention.out_proj.bias"].zero_()
    last = weights[f"{prefix}mlp.2.bias"]
    last[: others - 1] = 0.0
    last[others:] = 0.0
    return weights


def places(width: int) -> torch.Tensor:
    """Return (T, width): what each token has in the features that say where it stands."""
    _, tokens, _ = SHOWN
    return torch.eye(tokens, width).roll(1, dims=1)


def block_with_dropout(rng: np.random.Generator, posing: Callable, *name: str, dropout: float) -> Solved:
    """Return a case with dropout."""
    texts, _, others = SHOWN
    options = showing_options(2, 1, dropout)
    x = places(options["d_model"]).repeat(texts, 1, 1)
    x[..., others - 1] = drawn(rng, *x.shape[:2], spread=0.3)
    return posing(
        *(rng, *name, block),
        options=options,
        arguments={"x": x},
        weights=showing_weights(rng, options),
        differentiable=False,
    )


def hidden_block_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``TransformerBlock``."""
    size = one_size(rng, 5, 7)
    most = one_size(rng, 10, 12)
    # b, T, heads, width of a head, context length
    sizes = {
        OTHER_NUMBERS: (2, 5, 3, 4, 9),
        OTHER_SIZES: (3, most, one_size(rng, 2, 4), one_size(rng, 5, 6), most + 2),
        EQUAL_SIZES: (size, size, size, 1, size),
    }
    solved = [
        pose_hidden(
            *(rng, name, block),
            options=block_options(heads * width, heads, context),
            arguments={"x": drawn(rng, b, tokens, heads * width)},
            weights=block_weights(rng, heads * width),
        )
        for name, (b, tokens, heads, width, context) in sizes.items()
    ]
    with_dropout = block_with_dropout(rng, pose_hidden, DROPOUT, dropout=another_dropout(rng))
    return [*solved, with_dropout, block_with_low_scores(rng, *other_sizes(rng, 2, low=2, high=5))]


# --- The model ----------------------------------------------------------------------------------------------


def model_by_library(ids: torch.Tensor, weights: Tensors, options: Mapping) -> torch.Tensor:
    """Return logits, with tables read by one-hot products and blocks by PyTorch's own layer."""
    tokens = F.one_hot(ids, options["vocab_size"]).double() @ weights["token_embedding.weight"]
    places = torch.eye(ids.shape[1], options["context_length"], dtype=torch.float64)
    x = tokens + places @ weights["position_embedding.weight"]  # (b, T, d_model)
    for i in range(options["num_layers"]):
        x = block_by_library(x, weights, f"blocks.{i}.", options["num_heads"])
    x = F.layer_norm(x, x.shape[-1:], weights["norm.weight"], weights["norm.bias"])
    return torch.einsum("btd,vd->btv", x, weights["head.weight"])


def model_by_hand(ids: np.ndarray, weights: Mapping[str, np.ndarray], options: Mapping) -> np.ndarray:
    """Return the same, by indexing and one token at a time."""
    x = np.array(
        [
            [
                weights["token_embedding.weight"][one] + weights["position_embedding.weight"][t]
                for t, one in enumerate(text)
            ]
            for text in ids
        ]
    )
    for i in range(options["num_layers"]):
        x = block_by_hand(x, weights, f"blocks.{i}.", options["num_heads"])
    normalized = [
        [_normalized(row, weights["norm.weight"], weights["norm.bias"]) for row in text] for text in x
    ]
    return np.array(normalized) @ weights["head.weight"].T


def model(arguments: Tensors, weights: Tensors, options: Mapping) -> torch.Tensor:
    """Return what a model gives."""
    ids = arguments["ids"]
    by_hand = model_by_hand(ids.numpy(), _arrays(weights), options)
    return confirmed(model_by_library(ids, weights, options), by_hand, CONFIRMED)


def model_weights(rng: np.random.Generator, options: Mapping) -> dict:
    """Return the weights of a model."""
    vocab, width = options["vocab_size"], options["d_model"]
    weights = {
        "token_embedding.weight": drawn(rng, vocab, width),
        "position_embedding.weight": drawn(rng, options["context_length"], width),
    }
    for i in range(options["num_layers"]):
        weights |= block_weights(rng, width, f"blocks.{i}.")
    weights["norm.weight"] = 1.0 + drawn(rng, width, spread=0.4)
    weights["norm.bias"] = drawn(rng, width, spread=0.4)
    weights["head.weight"] = drawn(rng, vocab, width)
    return weights


def model_options(
    vocab: int, width: int, heads: int, layers: int, context: int, dropout: float = 0.0
) -> dict:
    """Return the arguments of a model's constructor."""
    return {"vocab_size": vocab, "d_model": width, "num_heads": heads, "num_layers": layers} | {
        "context_length": context,
        "dropout": dropout,
    }


# (name, what it shows, b, T, vocabulary, d_model, heads, layers, context length)
MODELS = (
    ("one block", "1 text of 4 ids, 1 block with 1 head", 1, 4, 7, 6, 1, 1, 6),
    (
        "all sizes different",
        "2 texts of 5 ids, a vocabulary of 11, 3 heads of width 2, 2 blocks",
        2,
        5,
        11,
        6,
        3,
        2,
        9,
    ),
    ("all sizes equal", "4 texts of 4 ids, a vocabulary of 4, 4 features, 4 positions", 4, 4, 4, 4, 2, 2, 4),
    ("one token", "1 id: it can only look at itself", 3, 1, 9, 4, 2, 2, 5),
    ("full length", "as many ids as the context has room for, 3 blocks", 2, 7, 8, 4, 2, 3, 7),
    ("few characters", "texts of 6 ids, a vocabulary of 3", 2, 6, 3, 4, 2, 2, 8),
    ("another end", "two texts with different last ids: earlier logits agree", 2, 5, 8, 6, 2, 2, 6),
)


def model_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``TinyGPT``; the last one asks for more positions than there are."""
    cases = []
    for name, shows, b, tokens, vocab, *sizes in MODELS:
        options = model_options(vocab, *sizes)
        ids = _ids(rng, b, tokens, vocab=vocab)
        if name == "another end":
            ids = ends_apart(ids[0], vocab)
        cases.append(
            pose(
                *(rng, name, shows, model),
                options=options,
                arguments={"ids": ids},
                weights=model_weights(rng, options),
                positional=name in ("one block", "all sizes different"),
            )
        )
    before = cases[-1].expected["result"][:, :-1]
    if (before[0] - before[1]).abs().max() > CONFIRMED:
        raise ReferenceDataError("the oracle looks ahead")
    options = model_options(6, 4, 2, 1, 5)
    in_float64 = pose(
        *(rng, "in float64", "the model in float64", model),
        options=options,
        arguments={"ids": _ids(rng, 2, 4, vocab=6)},
        weights=model_weights(rng, options),
        dtype=torch.float64,
    )
    shows = "dropout=0.2, in eval() and in train()"
    options = model_options(6, 4, 2, 1, 5)
    too_long = pose(
        *(rng, "too long", "6 ids, one more than context_length allows", model),
        options=options,
        arguments={"ids": _ids(rng, 2, 6, vocab=6)},
        weights=model_weights(rng, options),
        raises="Exception",
    )
    return [*cases, in_float64, model_with_dropout(rng, pose, "dropout", shows, dropout=0.2), too_long]


def ends_apart(ids: torch.Tensor, vocab: int) -> torch.Tensor:
    """Return a text twice, the second time with another last id."""
    other = ids.clone()
    other[-1] = (other[-1] + 1) % vocab
    return torch.stack([ids, other])


def model_with_dropout(rng: np.random.Generator, posing: Callable, *name: str, dropout: float) -> Solved:
    """Return a case with dropout: a logit for each feature, which the last LayerNorm has scaled."""
    texts, tokens, others = SHOWN
    inner = showing_options(1, 2, dropout)
    width = inner["d_model"]
    options = model_options(width, width, 1, 2, tokens + 1, dropout)
    last = torch.eye(width)[others - 1]
    weights = {
        "token_embedding.weight": drawn(rng, width, 1, spread=0.3) * last,
        "position_embedding.weight": torch.cat([places(width), last[None]]),
    }
    for layer in range(2):
        weights |= showing_weights(rng, inner, f"blocks.{layer}.", layer)
    weights |= {"norm.weight": torch.ones(width), "norm.bias": torch.zeros(width)}
    weights["head.weight"] = torch.eye(width)
    return posing(
        *(rng, *name, model),
        options=options,
        arguments={"ids": _ids(rng, texts, tokens, vocab=width)},
        weights=weights,
        differentiable=False,
    )


def hidden_model_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``TinyGPT``."""
    size = one_size(rng, 5, 6)
    most = one_size(rng, 9, 11)
    # b, T, vocabulary, width of a head, heads, layers, context length
    sizes = {
        OTHER_NUMBERS: (2, 5, 11, 2, 3, 2, 9),
        OTHER_SIZES: (3, most, one_size(rng, 13, 17), one_size(rng, 3, 5), 2, 4, most + 3),
        EQUAL_SIZES: (size, size, size, 1, size, 2, size),
    }
    solved = []
    for name, (b, tokens, vocab, width, heads, layers, context) in sizes.items():
        options = model_options(vocab, heads * width, heads, layers, context)
        ids = _ids(rng, b, tokens, vocab=vocab)
        solved.append(
            pose_hidden(
                *(rng, name, model),
                options=options,
                arguments={"ids": ids},
                weights=model_weights(rng, options),
            )
        )
    solved.append(model_with_dropout(rng, pose_hidden, DROPOUT, dropout=another_dropout(rng)))
    context = one_size(rng, 6, 9)
    options = model_options(7, 4, 2, 1, context)
    refused = {
        "options": options,
        "arguments": {"ids": _ids(rng, 2, context + one_size(rng, 1, 3), vocab=7)},
        "weights": model_weights(rng, options),
    }
    return [*solved, pose_hidden(rng, REFUSED, model, **refused, raises="Exception")]


# --- What it writes -----------------------------------------------------------------------------------------

# How much of each id is left at the next position, in the model that the driver ``generate`` hands over.
FADING = 0.5
# Two logits closer than this would leave the choice to rounding.
FAR_ENOUGH = 0.01


def continued(arguments: Tensors, _weights: Tensors, options: Mapping) -> torch.Tensor:
    """Return a text with its most likely continuation, one window at a time, confirmed."""
    pairs, positions = (arguments[f"model.{name}"].detach().numpy() for name in ("pairs", "positions"))
    texts = arguments["ids"].tolist()
    for text in texts:
        for _ in range(options["num_new"]):
            window = text[max(0, len(text) - options["context_length"]) :]
            logits = positions[len(window) - 1].copy()
            for back, one in enumerate(reversed(window)):
                logits += FADING**back * pairs[one]
            text.append(_first_largest(logits))
    return confirmed(torch.tensor(texts), _by_powers(arguments["ids"], pairs, positions, options))


def _first_largest(logits: np.ndarray) -> int:
    largest = max(logits)
    close = [i for i, logit in enumerate(logits) if largest - logit < FAR_ENOUGH]
    if any(logits[i] != largest for i in close):
        raise ReferenceDataError("two logits are too close to each other")
    return close[0]


def _by_powers(ids: torch.Tensor, pairs: np.ndarray, positions: np.ndarray, options: Mapping) -> np.ndarray:
    """Return the same for a whole batch, the fading as a vector of powers."""
    texts = ids.numpy()
    for _ in range(options["num_new"]):
        window = texts[:, -options["context_length"] :]
        powers = FADING ** np.arange(window.shape[1])[::-1]
        logits = np.einsum("t,btv->bv", powers, pairs[window]) + positions[window.shape[1] - 1]
        texts = np.concatenate([texts, logits.argmax(axis=1)[:, None]], axis=1)
    return texts


# (name, what it shows, b, T, vocabulary, context length, new ids, in training, the logits' level)
TEXTS = (
    ("one more", "1 text of 3 ids, 1 new one", 1, 3, 6, 8, 1, False),
    ("four more", "1 text of 3 ids, 4 new ones, room enough for all", 1, 3, 9, 9, 4, False),
    ("a batch", "3 different texts of 4 ids, 3 new ones", 3, 4, 8, 9, 3, False),
    ("outgrows the context", "2 texts that become longer than the context of 5", 2, 3, 9, 5, 7, False),
    ("longer from the start", "2 texts of 9 ids, where the context is 4", 2, 9, 7, 4, 5, True),
    ("as long as the context", "2 texts of as many ids as the context has room for", 2, 6, 11, 6, 3, False),
    ("low logits", "2 texts, all logits are around -200", 2, 3, 7, 4, 3, False, -200.0),
    ("a context of one", "2 texts; the model sees one id at a time", 2, 3, 7, 1, 5, False),
    ("sizes equal", "4 texts of 4 ids of 4, 4 positions, 4 new ids", 4, 4, 4, 4, 4, True),
    ("none", "2 texts, no new id is asked for", 2, 3, 6, 5, 0, True),
)


def text_parts(
    rng: np.random.Generator,
    b: int,
    tokens: int,
    vocab: int,
    context: int,
    new: int,
    training: bool,
    level: float = 0.0,
) -> dict:
    """Return the parts of a case; small models whose logits, around a level, are never close."""
    options = {"num_new": new, "context_length": context, "training": training, "bare": training}
    for _ in range(200):
        arguments = {
            "ids": _ids(rng, b, tokens, vocab=vocab),
            "model.pairs": drawn(rng, vocab, vocab),
            "model.positions": drawn(rng, context, vocab) + level,
        }
        exact = {name: one.double() if one.is_floating_point() else one for name, one in arguments.items()}
        try:
            continued(exact, {}, options)
        except ReferenceDataError:
            continue
        return {"arguments": arguments, "options": options, "differentiable": False}
    raise ReferenceDataError("no model with logits far from each other was drawn")


def with_flags(posed: Solved) -> Solved:
    """Return a case that also asks for no gradient, and for the model's mode as it was."""
    return replace(posed, flags={Flag.NO_GRADIENT: True, Flag.SAME_MODE: True})


# In tenths. Near 300 float16 and bfloat16 do not tell these apart; the first of a row is never the largest.
CLOSE = [[-1.0, 0.0, 0.5, 1.0], [-0.5, -1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 0.5], [0.0, 0.5, 1.0, -1.0]]


def text_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``generate``."""
    cases = [
        pose(rng, name, shows, continued, **text_parts(rng, *sizes), positional=name == "one more")
        for name, shows, *sizes in TEXTS
    ]
    pairs = torch.tensor(
        [[0.0, 2.0, 2.0, 1.0], [3.0, 0.0, 1.0, 3.0], [0.0, 1.0, 0.0, 1.0], [1.0, 1.0, 0.0, 0.0]]
    )
    tie = pose(
        *(rng, "ties", "several logits are the largest: the smallest id counts", continued),
        arguments={
            "ids": torch.tensor([[0], [1], [2]]),
            "model.pairs": pairs,
            "model.positions": torch.zeros(1, 4),
        },
        options={"num_new": 3, "context_length": 1, "training": False, "bare": False},
        differentiable=False,
    )
    close = pose(
        *(rng, "close logits", "logits near 300, a tenth apart", continued),
        arguments={
            "ids": torch.tensor([[0], [1], [2]]),
            "model.pairs": 300.0 + 0.1 * torch.tensor(CLOSE),
            "model.positions": torch.zeros(1, 4),
        },
        options={"num_new": 4, "context_length": 1, "training": False, "bare": False},
        differentiable=False,
    )
    return [with_flags(one) for one in (*cases, tie, close)]


def hidden_text_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``generate``."""
    size = one_size(rng, 5, 6)
    # b, T, vocabulary, context length, new ids, in training
    sizes = {
        OTHER_NUMBERS: (2, 3, 9, 5, 7, False),
        OTHER_SIZES: (one_size(rng, 3, 5), *other_sizes(rng, 3, low=6, high=11), one_size(rng, 6, 9), True),
        EQUAL_SIZES: (size, size, size, size, size, False),
    }
    solved = [pose_hidden(rng, name, continued, **text_parts(rng, *one)) for name, one in sizes.items()]
    return [with_flags(one) for one in solved]


def solved_cases(seed: int) -> dict[str, list[Solved]]:
    """Return every exercise's cases, drawn from ``seed``, with the oracles' answers."""
    makers = {
        "ch10-sliding-windows": window_cases,
        "ch10-transformer-block": block_cases,
        "ch10-tiny-gpt": model_cases,
        "ch10-generate": text_cases,
    }
    return {
        name: make(np.random.default_rng([seed, number]))
        for number, (name, make) in enumerate(makers.items())
    }


def grading_cases(seed: int) -> dict[str, list[Solved]]:
    """Return the cases that only grading uses, drawn from a course's seed."""
    makers = {
        "ch10-sliding-windows": hidden_window_cases,
        "ch10-transformer-block": hidden_block_cases,
        "ch10-tiny-gpt": hidden_model_cases,
        "ch10-generate": hidden_text_cases,
    }
    return drawn_for_grading(seed, makers)
