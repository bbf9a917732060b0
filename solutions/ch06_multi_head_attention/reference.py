"""Cases and oracles of chapter 6.

The oracles share no code with the solutions. Attention: one head at a time, its rows of every weight taken by
slicing, its context by PyTorch's own ``scaled_dot_product_attention`` in float64, gradients by autograd
through it, and every result once more in NumPy, one query at a time over the tokens up to its own, by the
formula of Vaswani et al. 2017, "Attention Is All You Need", section 3.2.2. Splitting and merging heads: by
indexing, one number at a time. Where two oracles disagree, there is no reference.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from grader.exercises.case import PUBLISHED, Flag
from grader.proving.hidden import (
    BIASES,
    DROPOUT,
    EQUAL_SIZES,
    LARGER,
    OTHER_NUMBERS,
    OTHER_SIZES,
    REFUSED,
    SHOWS,
    another_dropout,
    drawn_for_grading,
    indivisible,
    one_size,
    other_sizes,
    pose_hidden,
)
from grader.proving.posing import Oracle, Tensors, confirmed, drawn, pose
from grader.proving.recipe import Solved
from grader.references.published import constant

PRODUCER = (
    "oracle: each head by torch scaled_dot_product_attention in float64, confirmed by a NumPy loop to 1e-12"
)
QKV = ("W_query", "W_key", "W_value")
LAYERS = (*QKV, "out_proj")
MOST_HEADS = 5
AXES = {
    "x": ("b", "T", "d_in"),
    "result": ("b", "T", "d_out"),
    "again": ("b", "T - 1", "d_out"),
    "query": ("b", "h", "T", "d_k"),
    "key": ("b", "h", "T", "d_k"),
    "value": ("b", "h", "T", "d_v"),
    **{f"{one}/result": () for one in ("ch06-wrapper-width", "ch06-parameter-count")},
    **{f"ch06-split-heads/{name}": ("b", "h", "T", "d_k") for name in ("result", "again")},
    "ch06-merge-heads/x": ("b", "h", "T", "d_k"),
    **{f"ch06-sdpa/{name}": ("b", "h", "T", "d_v") for name in ("result", "again")},
    "mha.trainable": ("parameters",),
    "in_proj_weight": ("3 d_out", "d_in"),
    "in_proj_bias": ("3 d_out",),
    **{f"{place}{name}.weight": ("d_out", "d_in") for place in ("", "mha.") for name in LAYERS},
    **{f"{place}{name}.bias": ("d_out",) for place in ("", "mha.") for name in LAYERS},
    **{f"heads.{i}.{name}.weight": ("d_out", "d_in") for i in range(MOST_HEADS) for name in QKV},
    **{f"heads.{i}.{name}.bias": ("d_out",) for i in range(MOST_HEADS) for name in QKV},
}

Layer = tuple[torch.Tensor, torch.Tensor | None]


def head_by_library(x: torch.Tensor, layers: list[Layer]) -> torch.Tensor:
    """Return one head's causal context (b, T, d_k) for x (b, T, d_in), by PyTorch's own attention."""
    query, key, value = (
        torch.einsum("bti,oi->bto", x, weight) + (0.0 if bias is None else bias) for weight, bias in layers
    )
    return F.scaled_dot_product_attention(query, key, value, is_causal=True)


def head_by_hand(x: torch.Tensor, layers: list[Layer]) -> np.ndarray:
    """Return the same, one query at a time, over the tokens up to its own."""
    arrays = [tuple(None if t is None else t.detach().numpy() for t in layer) for layer in layers]
    context = []
    for sentence in x.detach().numpy():
        query, key, value = (sentence @ weight.T + (0.0 if bias is None else bias) for weight, bias in arrays)
        rows = []
        for t, one in enumerate(query):
            scores = np.array([np.dot(one, other) for other in key[: t + 1]]) / np.sqrt(len(one))
            powers = np.exp(scores - scores.max())
            rows.append(sum(p * row for p, row in zip(powers / powers.sum(), value, strict=False)))
        context.append(np.stack(rows))
    return np.stack(context)


def all_heads(x: torch.Tensor, heads: list[list[Layer]]) -> torch.Tensor:
    """Return the heads' contexts side by side, (b, T, h * d_k), each confirmed."""
    return torch.cat([confirmed(head_by_library(x, one), head_by_hand(x, one)) for one in heads], dim=-1)


def wrapper(arguments: Tensors, weights: Tensors, options: Mapping) -> torch.Tensor:
    """Return what a list of heads gives."""
    heads = [
        [(weights[f"heads.{i}.{name}.weight"], weights.get(f"heads.{i}.{name}.bias")) for name in QKV]
        for i in range(options["num_heads"])
    ]
    return all_heads(arguments["x"], heads)


def multi_head(arguments: Tensors, weights: Tensors, options: Mapping) -> torch.Tensor:
    """Return what one module gives whose heads are slices of its layers' rows."""
    width = len(weights["W_query.weight"]) // options["num_heads"]
    heads = []
    for i in range(options["num_heads"]):
        rows = slice(i * width, (i + 1) * width)
        biases = [weights.get(f"{name}.bias") for name in QKV]
        heads.append(
            [
                (weights[f"{name}.weight"][rows], None if bias is None else bias[rows])
                for name, bias in zip(QKV, biases, strict=True)
            ]
        )
    side_by_side = all_heads(arguments["x"], heads)
    return side_by_side @ weights["out_proj.weight"].T + weights["out_proj.bias"]


def _layers(rng: np.random.Generator, names: list[str], d_in: int, d_out: int, biases: bool) -> dict:
    weights = {}
    for name in names:
        weights[f"{name}.weight"] = drawn(rng, d_out, d_in)
        if biases:
            weights[f"{name}.bias"] = drawn(rng, d_out)
    return weights


def _recorded(seed: int, sizes: Mapping[str, tuple[int, int]]) -> dict[str, torch.Tensor]:
    """Return what linear layers draw that are created in this order; only the output's has a bias."""
    torch.manual_seed(seed)
    weights = {}
    for name, (d_in, d_out) in sizes.items():
        layer = nn.Linear(d_in, d_out, bias=name == "out_proj")
        weights |= {f"{name}.{key}": value.detach() for key, value in layer.named_parameters()}
    return weights


def _options(d_in: int, d_out: int, context: int, heads: int, biases: bool, dropout: float = 0.0) -> dict:
    options = {"d_in": d_in, "d_out": d_out, "context_length": context, "dropout": dropout}
    return options | {"num_heads": heads} | ({"qkv_bias": True} if biases else {})


# (name, what it shows, b, T, d_in, width of a head, heads, context length, biases, spread of the inputs).
# Sizes differ wherever a mistake could hide behind equal ones; the square case lets those run that need equal
# sizes; the sentences of a batch always differ; the last one overflows exp().
SIZES = (
    ("one head", "1 head: nothing is split", 2, 4, 3, 5, 1, 6, False, 0.8),
    ("all sizes different", "2 sentences, 5 tokens, 3 heads of width 4", 2, 5, 7, 4, 3, 9, True, 0.6),
    ("all sizes equal", "4 sentences, 4 tokens, 4 heads of width 4", 4, 4, 16, 4, 4, 4, False, 0.5),
    ("one token", "1 token: it can only look at itself", 3, 1, 5, 3, 2, 4, True, 1.0),
    ("heads of width one", "3 heads of width 1, 4 of 7 possible tokens", 2, 4, 5, 1, 3, 7, True, 0.8),
    (
        "full length",
        "as many tokens as there is room for, one of zeros; 5 heads",
        3,
        7,
        4,
        3,
        5,
        7,
        False,
        0.9,
    ),
    ("one feature out", "1 sentence, 1 head of width 1", 1, 4, 3, 1, 1, 5, False, 0.8),
    (
        "large scores",
        "scores from -996 to 996, in head 0 of the last sentence all below -800",
        3,
        6,
        5,
        1,
        2,
        8,
        False,
        0.0,
    ),
)
# The tokens of a case with large scores are these multiples of one direction, and in head 0 the first token's
# score with itself is the lowest: a future that is subtracted 1000 from is as large as its past. Each way but
# one to make the exponentials small fails in some row: by the first score, the mean, the largest magnitude,
# the largest of all rows or the largest with the future.
SHARES = torch.tensor([1.0, -1.0, 0.8, -0.9, 0.3, -0.7])
# Of these every score of head 0 is below -800, and the two largest of a row are close: what is taken for a
# maximum without looking, such as 0, makes all exponentials 0, and a limit makes all scores alike.
BELOW = torch.tensor([1.0, 0.96, 0.9, 0.98, 0.902, 0.94])
LOWEST, OTHERWISE = -996.0, 600.0
# What a case needs for its result to show the weights of two heads, twice each.
SHOWN_TOKENS, SHOWN_SENTENCES, SHOWN_HEADS = 12, 48, 2


def large_scores(
    rng: np.random.Generator, weights: Tensors, heads: int
) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    """Return sentences (3, 6, d_in) and weights that give them scores to 1000, either way, or low ones."""
    weights = {name: weight.clone() for name, weight in weights.items()}
    queries, keys = (
        [
            rows
            for key, weight in weights.items()
            if f"{name}.weight" in key
            for rows in (weight.chunk(heads) if key == f"{name}.weight" else [weight])
        ]
        for name in QKV[:2]
    )
    direction = drawn(rng, queries[0].shape[1])
    for i, (query, key) in enumerate(zip(queries, keys, strict=True)):
        fit = (query @ direction) @ (key @ direction)
        query.mul_((OTHERWISE if i else LOWEST) / fit)  # the rows of one head, where they are
    x = SHARES[:, None] * direction
    return torch.stack((x, x.flip(0), BELOW[:, None] * direction)), weights


def module_cases(
    rng: np.random.Generator, oracle: Oracle, published: Solved, layers: Callable, shown: Solved
) -> list[Solved]:
    """Return a module's cases; ``layers(rng, heads, width, d_in, biases)`` draws its weights."""
    cases = [published]
    for name, shows, b, tokens, d_in, width, heads, context, biases, spread in SIZES:
        d_out = width if oracle is wrapper else width * heads
        options = _options(d_in, d_out, context, heads, biases)
        weights = layers(rng, heads, width, d_in, biases)
        x = drawn(rng, b, tokens, d_in, spread=spread)
        if name == "full length":
            x[:, 1] = 0.0  # its scores are zero, like any others
        if name == "large scores":
            x, weights = large_scores(rng, weights, heads)
        cases.append(pose(rng, name, shows, oracle, options=options, arguments={"x": x}, weights=weights))
    d_out = 3 if oracle is wrapper else 6
    in_float64 = pose(
        rng,
        "in float64",
        "the module and its input in float64",
        oracle,
        options=_options(3, d_out, 6, 2, False),
        arguments={"x": drawn(rng, 2, 5, 3)},
        weights=layers(rng, 2, 3, 3, False),
        dtype=torch.float64,
    )
    return [*cases, in_float64, shown]


def _one_hot_tokens() -> torch.Tensor:
    return torch.eye(SHOWN_TOKENS).expand(SHOWN_SENTENCES, -1, -1).clone()


def wrapper_layers(rng: np.random.Generator, heads: int, width: int, d_in: int, biases: bool) -> dict:
    """Return the weights of a list of heads."""
    return _layers(rng, [f"heads.{i}.{name}" for i in range(heads) for name in QKV], d_in, width, biases)


def wrapper_dropout(rng: np.random.Generator, p: float) -> dict:
    """Return the parts of a case of the wrapper whose result shows the weights of its heads."""
    weights = wrapper_layers(rng, SHOWN_HEADS, 2 * SHOWN_TOKENS, SHOWN_TOKENS, False)
    weights = {
        name: torch.eye(SHOWN_TOKENS).repeat(2, 1) if "W_value" in name else 0.6 * weight
        for name, weight in weights.items()
    }
    return {
        "options": _options(SHOWN_TOKENS, 2 * SHOWN_TOKENS, SHOWN_TOKENS, SHOWN_HEADS, False, dropout=p),
        "arguments": {"x": _one_hot_tokens()},
        "weights": weights,
        "differentiable": False,
    }


def wrapper_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``MultiHeadAttentionWrapper``."""
    published = pose(
        rng,
        PUBLISHED,
        "the published example: the six tokens twice, two heads, seed 123",
        wrapper,
        options=_options(3, 2, 6, 2, False) | {"qkv_bias": False},
        arguments={"x": torch.stack([constant("TOY")] * 2)},
        weights=_recorded(123, {f"heads.{i}.{name}": (3, 2) for i in range(2) for name in QKV}),
        seed=123,
        published={"result": "mha_wrapper.context"},
    )
    shows = f"dropout=0.25; the result shows the weights of {SHOWN_HEADS} heads"
    shown = pose(rng, "dropout", shows, wrapper, **wrapper_dropout(rng, 0.25))
    return module_cases(rng, wrapper, published, wrapper_layers, shown)


def _with_attributes(solved: Solved) -> Solved:
    """Return a case that also expects the ints that the module has to hold."""
    d_out, heads = solved.case.options["d_out"], solved.case.options["num_heads"]
    asked = {"d_out": d_out, "num_heads": heads, "head_dim": d_out // heads}
    return replace(solved, attributes=asked)


def multi_head_layers(rng: np.random.Generator, heads: int, width: int, d_in: int, biases: bool) -> dict:
    """Return the weights of one module for all heads."""
    d_out = heads * width
    return _layers(rng, QKV, d_in, d_out, biases) | _layers(rng, ["out_proj"], d_out, d_out, True)


def multi_head_dropout(rng: np.random.Generator, p: float) -> dict:
    """Return the parts of a case of the module whose result shows the weights of its heads."""
    d_out = SHOWN_HEADS * 2 * SHOWN_TOKENS
    weights = {f"{name}.weight": drawn(rng, d_out, SHOWN_TOKENS, spread=0.6) for name in QKV}
    weights["W_value.weight"] = torch.eye(SHOWN_TOKENS).repeat(2 * SHOWN_HEADS, 1)
    weights |= {"out_proj.weight": torch.eye(d_out), "out_proj.bias": torch.zeros(d_out)}
    return {
        "options": _options(SHOWN_TOKENS, d_out, SHOWN_TOKENS, SHOWN_HEADS, False, dropout=p),
        "arguments": {"x": _one_hot_tokens()},
        "weights": weights,
        "differentiable": False,
    }


def multi_head_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``MultiHeadAttention``; the last two ask for heads that cannot be equal."""
    published = pose(
        rng,
        PUBLISHED,
        "the published example: the six tokens twice, two heads of width 1, seed 123",
        multi_head,
        options=_options(3, 2, 6, 2, False) | {"qkv_bias": False},
        arguments={"x": torch.stack([constant("TOY")] * 2)},
        weights=_recorded(123, dict.fromkeys(QKV, (3, 2)) | {"out_proj": (2, 2)}),
        seed=123,
        published={"result": "mha.context"},
    )
    shows = f"dropout=0.25; the result shows the weights of {SHOWN_HEADS} heads"
    shown = pose(rng, "dropout", shows, multi_head, **multi_head_dropout(rng, 0.25))
    cases = [
        _with_attributes(one) for one in module_cases(rng, multi_head, published, multi_head_layers, shown)
    ]
    for name, shows, d_out, heads in (
        ("unequal heads", "10 features cannot be cut into 3 equal heads", 10, 3),
        ("more heads than features", "2 features cannot be cut into 4 equal heads", 2, 4),
    ):
        options = _options(3, d_out, 6, heads, False)
        # Without arguments: the constructor has to refuse.
        cases.append(pose(rng, name, shows, multi_head, options=options, raises="ValueError"))
    return cases


def _int(value: int) -> torch.Tensor:
    return torch.tensor(value)


def width_by_search(arguments: Tensors, weights: Tensors, options: Mapping) -> torch.Tensor:
    """Return the one width that, taken num_heads times, makes the total."""
    total, heads = options["total_width"], options["num_heads"]
    (width,) = (width for width in range(1, total + 1) if sum([width] * heads) == total)
    return _int(width)


def width_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``wrapper_d_out``."""
    cases = []
    for name, shows, total, heads, raises in (
        (PUBLISHED, "the published module: 4 features by 2 heads", 4, 2, ""),
        ("three heads", "15 features by 3 heads", 15, 3, ""),
        ("one head", "5 features by 1 head", 5, 1, ""),
        ("heads of width one", "49 features by 49 heads", 49, 49, ""),
        ("the width of GPT-2", "768 features by 12 heads", 768, 12, ""),
        ("unequal heads", "11 features cannot be shared by 4 heads", 11, 4, "ValueError"),
        ("more heads than features", "2 features cannot be shared by 4 heads", 2, 4, "ValueError"),
    ):
        options = {"total_width": total, "num_heads": heads}
        cases.append(
            pose(rng, name, shows, width_by_search, options=options, differentiable=False, raises=raises)
        )
    return cases


def split(arguments: Tensors, weights: Tensors, options: Mapping) -> torch.Tensor:
    """Return each head's slice of the features, confirmed number by number."""
    x, heads = arguments["x"], options["num_heads"]
    width = x.shape[-1] // heads
    by_slice = torch.stack([x[..., i * width : (i + 1) * width] for i in range(heads)], dim=1)
    by_number = np.empty((x.shape[0], heads, x.shape[1], width))
    for b, h, t, d in np.ndindex(*by_number.shape):
        by_number[b, h, t, d] = x[b, t, h * width + d].item()
    return confirmed(by_slice, by_number)


def merge(arguments: Tensors, weights: Tensors, options: Mapping) -> torch.Tensor:
    """Return the heads side by side, confirmed number by number."""
    x = arguments["x"]
    b, h, t, d = x.shape
    by_number = np.empty((b, t, h * d))
    for i, head, token, feature in np.ndindex(b, h, t, d):
        by_number[i, token, head * d + feature] = x[i, head, token, feature].item()
    return confirmed(torch.cat(list(x.unbind(dim=1)), dim=-1), by_number)


# (name, what it shows, b, T, heads, width of a head)
SPLITS = (
    ("all sizes different", "2 sentences, 5 tokens, 3 heads of width 4", 2, 5, 3, 4),
    ("all sizes equal", "3 sentences, 3 tokens, 3 heads of width 3", 3, 3, 3, 3),
    ("one token", "1 token", 2, 1, 2, 3),
    ("one head", "1 head", 2, 3, 1, 5),
    ("heads of width one", "4 heads of width 1", 2, 3, 4, 1),
    ("one feature", "1 head of width 1", 2, 3, 1, 1),
)


def split_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``split_heads``."""
    counted = torch.arange(12.0).view(1, 3, 4)
    cases = [
        pose(
            rng,
            "counted numbers",
            "the numbers 0 to 11: 3 tokens, 2 heads of width 2",
            split,
            options={"num_heads": 2},
            arguments={"x": counted},
        )
    ]
    for name, shows, b, tokens, heads, width in SPLITS:
        x = drawn(rng, b, tokens, heads * width)
        cases.append(pose(rng, name, shows, split, options={"num_heads": heads}, arguments={"x": x}))
    x = drawn(rng, 2, 3, 6)
    options = {"num_heads": 2}
    cases.append(
        pose(
            rng, "in float64", "x in float64", split, options=options, arguments={"x": x}, dtype=torch.float64
        )
    )
    for name, shows, width, heads in (
        ("unequal heads", "10 features cannot be cut into 3 equal heads", 10, 3),
        ("more heads than features", "2 features cannot be cut into 4 equal heads", 2, 4),
    ):
        arguments, options = {"x": drawn(rng, 1, 3, width)}, {"num_heads": heads}
        cases.append(pose(rng, name, shows, split, options=options, arguments=arguments, raises="ValueError"))
    return cases


def merge_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``merge_heads``."""
    counted = torch.arange(12.0).view(1, 2, 3, 2)
    shows = "the numbers 0 to 11: 2 heads of 3 tokens of width 2"
    cases = [pose(rng, "counted numbers", shows, merge, arguments={"x": counted})]
    for name, shows, b, tokens, heads, width in SPLITS:
        x = drawn(rng, b, heads, tokens, width)
        cases.append(pose(rng, name, shows, merge, arguments={"x": x}))
    x = drawn(rng, 2, 2, 3, 4)
    cases.append(pose(rng, "in float64", "x in float64", merge, arguments={"x": x}, dtype=torch.float64))
    return cases


def to_torch_case(
    rng: np.random.Generator,
    name: str,
    shows: str,
    sizes: tuple[int, int, int, int],
    biases: bool,
    *,
    visible: bool = True,
) -> Solved:
    """Return a case of ``to_torch_mha`` for b, T, heads and the width of a head.

    The gradient is that of the library's stacked parameters.
    """
    b, tokens, heads, width = sizes
    d_out = heads * width
    weights = _layers(rng, QKV, d_out, d_out, biases) | _layers(rng, ["out_proj"], d_out, d_out, True)
    posed = pose(
        rng,
        name,
        shows,
        multi_head,
        options={"num_heads": heads},
        arguments={"x": drawn(rng, b, tokens, d_out, spread=0.6)},
        weights=weights,
        visible=visible,
    )
    own = posed.expected
    expected = {"result": own["result"], "separate/result": own["result"]}
    if biases:
        stacked = torch.cat([weights[f"{layer}.bias"] for layer in QKV])
        expected["result/in_proj_bias"] = stacked.double()
    expected |= {"gradient/x": own["gradient/x"]}
    for kind in ("weight", "bias") if biases else ("weight",):
        stacked = torch.cat([own[f"gradient/{layer}.{kind}"] for layer in QKV])
        expected[f"gradient/in_proj_{kind}"] = stacked
    expected |= {key: own[key] for key in ("gradient/out_proj.weight", "gradient/out_proj.bias")}
    expected |= {f"argument/mha.{key}": weight.double() for key, weight in weights.items()}
    expected |= {
        "argument/mha.trainable": torch.ones(len(weights), dtype=torch.float64),
    }
    return Solved(posed.case, expected, flags={Flag.TRAINING: False, Flag.BATCH_FIRST: True})


def to_torch_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``to_torch_mha``."""
    return [
        to_torch_case(rng, name, shows, sizes, biases)
        for name, shows, sizes, biases in (
            ("no biases", "2 sentences, 5 tokens, 3 heads of width 4, qkv_bias=False", (2, 5, 3, 4), False),
            ("with biases", "2 sentences, 5 tokens, 3 heads of width 4, qkv_bias=True", (2, 5, 3, 4), True),
            ("all sizes equal", "4 sentences, 4 tokens, 2 heads of width 2", (4, 4, 2, 2), True),
            ("one head", "1 head", (3, 4, 1, 5), True),
            ("heads of width one", "4 heads of width 1", (2, 6, 4, 1), False),
            ("one token", "1 token: it can only look at itself", (2, 1, 2, 3), True),
        )
    ]


def causal(arguments: Tensors, weights: Tensors, options: Mapping) -> torch.Tensor:
    """Return causal attention by the library's own mask, confirmed one query at a time."""
    query, key, value = (arguments[name] for name in ("query", "key", "value"))
    context = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    q, k, v = (tensor.detach().numpy() for tensor in (query, key, value))
    by_hand = np.empty(context.shape)
    for b, h, t in np.ndindex(*q.shape[:3]):
        scores = k[b, h, : t + 1] @ q[b, h, t] / np.sqrt(q.shape[-1])
        powers = np.exp(scores - scores.max())
        by_hand[b, h, t] = powers / powers.sum() @ v[b, h, : t + 1]
    return confirmed(context, by_hand)


def sdpa_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``causal_sdpa``."""
    cases = []
    for name, shows, b, h, tokens, d_k, d_v, spread, dtype in (
        ("one head", "1 sentence, 1 head, 4 tokens", 1, 1, 4, 3, 3, 1.0, torch.float32),
        ("all sizes different", "2 sentences, 3 heads, 5 tokens", 2, 3, 5, 4, 6, 1.2, torch.float32),
        ("all sizes equal", "3 sentences, 3 heads, 3 tokens, width 3", 3, 3, 3, 3, 3, 1.2, torch.float32),
        ("one token", "1 token: it can only look at itself", 2, 2, 1, 4, 4, 1.0, torch.float32),
        (
            "large scores",
            "scores from -996 to 996, in head 0 of the second sentence all below -800",
            2,
            2,
            6,
            1,
            3,
            0.0,
            torch.float32,
        ),
        ("in float64", "query, key and value in float64, 20 tokens", 1, 2, 20, 3, 5, 1.0, torch.float64),
    ):
        arguments = {
            "query": drawn(rng, b, h, tokens, d_k, spread=spread),
            "key": drawn(rng, b, h, tokens, d_k, spread=spread),
            "value": drawn(rng, b, h, tokens, d_v),
        }
        if name == "large scores":
            direction = drawn(rng, h, 1, d_k)
            along = torch.stack((SHARES, BELOW))[:, None, :, None] * direction
            fit = torch.tensor([LOWEST, OTHERWISE]).view(h, 1, 1) / (direction * direction).sum(
                -1, keepdim=True
            )
            arguments |= {"query": along * fit, "key": along}
        cases.append(pose(rng, name, shows, causal, arguments=arguments, dtype=dtype))
    return cases


def count_by_layers(arguments: Tensors, weights: Tensors, options: Mapping) -> torch.Tensor:
    """Return how many numbers four linear layers hold, made on the meta device and counted."""
    d_in, d_out, biases = options["d_in"], options["d_out"], options.get("qkv_bias", False)
    layers = [nn.Linear(d_in, d_out, bias=biases, device="meta") for _ in QKV]
    layers.append(nn.Linear(d_out, d_out, device="meta"))
    return _int(sum(parameter.numel() for layer in layers for parameter in layer.parameters()))


def count_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``parameter_count``."""
    cases = [
        pose(
            rng,
            PUBLISHED,
            "the width of GPT-2, qkv_bias=False",
            count_by_layers,
            options={"d_in": 768, "d_out": 768},
            differentiable=False,
            published={"result": "params.gpt2.handwritten"},
        )
    ]
    for name, shows, options in (
        ("narrow to wide", "3 features in, 4 out", {"d_in": 3, "d_out": 4}),
        ("wide to narrow", "7 features in, 2 out", {"d_in": 7, "d_out": 2}),
        ("with biases", "7 in, 12 out, qkv_bias=True", {"d_in": 7, "d_out": 12, "qkv_bias": True}),
        ("without biases", "5 in, 6 out, qkv_bias=False", {"d_in": 5, "d_out": 6, "qkv_bias": False}),
        ("square, with biases", "4 in, 4 out, qkv_bias=True", {"d_in": 4, "d_out": 4, "qkv_bias": True}),
        ("one feature", "1 in, 1 out", {"d_in": 1, "d_out": 1}),
    ):
        cases.append(pose(rng, name, shows, count_by_layers, options=options, differentiable=False))
    cases.append(
        pose(
            rng,
            "by position",
            "5 features in, 3 out, given without their names",
            count_by_layers,
            options={"d_in": 5, "d_out": 3, "qkv_bias": True},
            positional=True,
            differentiable=False,
        )
    )
    return cases


def solved_cases(seed: int) -> dict[str, list[Solved]]:
    """Return every exercise's cases, drawn from ``seed``, with the oracles' answers."""
    makers = {
        "ch06-wrapper": wrapper_cases,
        "ch06-wrapper-width": width_cases,
        "ch06-split-heads": split_cases,
        "ch06-merge-heads": merge_cases,
        "ch06-multi-head-attention": multi_head_cases,
        "ch06-to-torch": to_torch_cases,
        "ch06-sdpa": sdpa_cases,
        "ch06-parameter-count": count_cases,
    }
    return {
        name: make(np.random.default_rng([seed, number]))
        for number, (name, make) in enumerate(makers.items())
    }


# --- What only grading uses ---------------------------------------------------------------------------------


def hidden_heads(rng: np.random.Generator) -> dict[str, tuple[int, int, int, int]]:
    """Return b, T, heads and the width of a head for functions, by the name of the hidden case."""
    tokens, heads, width = other_sizes(rng, 3, low=2, high=6)
    size = int(rng.choice([2, 5]))
    return {
        OTHER_NUMBERS: (2, 5, 3, 4),
        OTHER_SIZES: (one_size(rng, 2, 4), 2 + tokens, heads, width),
        EQUAL_SIZES: (size, size, size, size),
    }


def hidden_module_cases(
    rng: np.random.Generator, oracle: Oracle, layers: Callable, dropout: Callable
) -> list[Solved]:
    """Return a module's hidden cases; ``dropout(rng, p)`` makes the parts of the one with dropout."""
    most = one_size(rng, 13, 16)
    # b, T, d_in, width of a head, heads, context length, biases
    sizes = {
        OTHER_NUMBERS: (2, 5, 7, 4, 3, 9, True),
        OTHER_SIZES: (3, most, *other_sizes(rng, 2), one_size(rng, 2, 4), most, False),
        BIASES: (2, *other_sizes(rng, 3), one_size(rng, 2, 4), 10, True),
    }
    solved = []
    for name, (b, tokens, d_in, width, heads, context, biases) in sizes.items():
        d_out = width if oracle is wrapper else width * heads
        solved.append(
            pose_hidden(
                *(rng, name, oracle),
                options=_options(d_in, d_out, context, heads, biases),
                arguments={"x": drawn(rng, b, tokens, d_in, spread=0.6)},
                weights=layers(rng, heads, width, d_in, biases),
            )
        )
    return [*solved, pose_hidden(rng, DROPOUT, oracle, **dropout(rng, another_dropout(rng)))]


def hidden_wrapper_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``MultiHeadAttentionWrapper``."""
    return hidden_module_cases(rng, wrapper, wrapper_layers, wrapper_dropout)


def hidden_multi_head_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``MultiHeadAttention``."""
    solved = hidden_module_cases(rng, multi_head, multi_head_layers, multi_head_dropout)
    d_out, heads = indivisible(rng)
    options = _options(3, d_out, 6, heads, False)
    refused = pose_hidden(rng, REFUSED, multi_head, options=options, raises="ValueError")
    return [*(_with_attributes(one) for one in solved), refused]


def hidden_width_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``wrapper_d_out``."""
    cases = {
        OTHER_SIZES: (one_size(rng, 6, 40), one_size(rng, 2, 9)),
        LARGER: (one_size(rng, 65, 128), one_size(rng, 13, 32)),
    }
    widths = {name: (width * heads, heads) for name, (width, heads) in cases.items()}
    return [
        pose_hidden(
            *(rng, name, width_by_search),
            options={"total_width": total, "num_heads": heads},
            differentiable=False,
            raises="ValueError" if name == REFUSED else "",
        )
        for name, (total, heads) in {**widths, REFUSED: indivisible(rng)}.items()
    ]


def hidden_split_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``split_heads``."""
    solved = [
        pose_hidden(
            *(rng, name, split),
            options={"num_heads": heads},
            arguments={"x": drawn(rng, b, tokens, heads * width)},
        )
        for name, (b, tokens, heads, width) in hidden_heads(rng).items()
    ]
    d, heads = indivisible(rng)
    x, options = {"x": drawn(rng, 2, 4, d)}, {"num_heads": heads}
    return [*solved, pose_hidden(rng, REFUSED, split, options=options, arguments=x, raises="ValueError")]


def hidden_merge_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``merge_heads``."""
    return [
        pose_hidden(rng, name, merge, arguments={"x": drawn(rng, b, heads, tokens, width)})
        for name, (b, tokens, heads, width) in hidden_heads(rng).items()
    ]


def hidden_to_torch_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``to_torch_mha``, with biases and without."""
    return [
        to_torch_case(rng, name, SHOWS[name], sizes, name != OTHER_SIZES, visible=False)
        for name, sizes in hidden_heads(rng).items()
    ]


def hidden_sdpa_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``causal_sdpa``."""
    size = one_size(rng, 4, 5)
    sizes = {
        OTHER_NUMBERS: (2, 3, 5, 4, 6),
        OTHER_SIZES: (2, *other_sizes(rng, 4, low=4)),
        EQUAL_SIZES: (size, size, size, size, size),
        LARGER: (1, 2, one_size(rng, 18, 24), 3, 2),
    }
    return [
        pose_hidden(
            *(rng, name, causal),
            arguments={
                "query": drawn(rng, b, h, tokens, d_k),
                "key": drawn(rng, b, h, tokens, d_k),
                "value": drawn(rng, b, h, tokens, d_v),
            },
        )
        for name, (b, h, tokens, d_k, d_v) in sizes.items()
    ]


def hidden_count_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``parameter_count``, with biases and without."""
    cases = {name: other_sizes(rng, 2, low=8, high=99) for name in (OTHER_SIZES, BIASES)}
    return [
        pose_hidden(
            *(rng, name, count_by_layers),
            options={"d_in": d_in, "d_out": d_out} | ({"qkv_bias": True} if name == BIASES else {}),
            differentiable=False,
        )
        for name, (d_in, d_out) in cases.items()
    ]


def grading_cases(seed: int) -> dict[str, list[Solved]]:
    """Return the cases that only grading uses, drawn from a course's seed."""
    makers = {
        "ch06-wrapper": hidden_wrapper_cases,
        "ch06-wrapper-width": hidden_width_cases,
        "ch06-split-heads": hidden_split_cases,
        "ch06-merge-heads": hidden_merge_cases,
        "ch06-multi-head-attention": hidden_multi_head_cases,
        "ch06-to-torch": hidden_to_torch_cases,
        "ch06-sdpa": hidden_sdpa_cases,
        "ch06-parameter-count": hidden_count_cases,
    }
    return drawn_for_grading(seed, makers)
