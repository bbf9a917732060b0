"""Cases and oracle of chapter 7.

The attention's oracle has no mask and no module: for query i it cuts the keys off after i and applies the
formula of Vaswani et al. 2017, "Attention Is All You Need", section 3.2.1, in float64; PyTorch's own
``scaled_dot_product_attention`` with ``is_causal=True`` has to confirm it. Which tensors are stranded is
written down in the case, and confirmed by moving a module to the device ``meta`` and looking who came along.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from grader.checking.holdings import PARAMETER, PLAIN, TRACKED, build_module, names_held
from grader.errors import ReferenceDataError
from grader.exercises.case import PUBLISHED, Case, Flag
from grader.proving.hidden import (
    BIASES,
    DROPOUT,
    LARGE,
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
from grader.references.published import constant

PRODUCER = (
    "oracle: keys cut off after each query, in float64, confirmed by torch scaled_dot_product_attention "
    "with is_causal to 1e-12; names as the case was made, confirmed by a move to the device meta"
)
QKV = ("W_query", "W_key", "W_value")
AXES = {
    "x": ("b", "T", "d_in"),
    "ch07-run-on/x": ("...", "d_in"),
    **{f"{name}.weight": ("d_out", "d_in") for name in QKV},
    **{f"{name}.bias": ("d_out",) for name in QKV},
    "module.weight": ("d_in", "d_out"),
    "module.shift": ("d_out",),
}

Tensors = Mapping[str, torch.Tensor]
Options = Mapping[str, bool | int | float]


# --- Causal attention ---------------------------------------------------------------------------------------


def causal_oracle(arguments: Tensors, weights: Tensors, _options: Options) -> torch.Tensor:
    """Return the context (b, T, d_out), which the library must confirm."""
    x = arguments["x"]
    query, key, value = (
        torch.einsum("bti,oi->bto", x, weights[f"{name}.weight"]) + weights.get(f"{name}.bias", 0.0)
        for name in QKV
    )
    rows = []
    for i in range(x.shape[1]):
        scores = torch.einsum("bk,bjk->bj", query[:, i], key[:, : i + 1])
        scaled = scores / key.shape[-1] ** 0.5
        shares = (scaled - scaled.logsumexp(dim=-1, keepdim=True)).exp()
        rows.append(torch.einsum("bj,bjv->bv", shares, value[:, : i + 1]))
    library = F.scaled_dot_product_attention(query, key, value, is_causal=True).detach()
    return confirmed(torch.stack(rows, dim=1), library, 1e-12 * max(1.0, float(library.abs().max())))


# (name, what it shows, b, T, d_in, d_out, context_length, spread of the inputs).
SIZES = (
    ("all sizes different", "a batch of 2, 5 of at most 9 tokens, 7 features in, 4 out", 2, 5, 7, 4, 9, 0.6),
    ("all sizes equal", "a batch of 4, 4 of 4 tokens, 4 features in, 4 out", 4, 4, 4, 4, 4, 0.9),
    ("one feature out", "a batch of 2, 4 of at most 5 tokens, 3 features in, 1 out", 2, 4, 3, 1, 5, 0.8),
    ("a batch of one", "a batch of 1, 5 of at most 7 tokens, one of zeros", 1, 5, 4, 3, 7, 0.8),
    ("one token", "a batch of 3, 1 of at most 4 tokens: its context is its own value", 3, 1, 6, 3, 4, 1.0),
    ("context of one", "context_length 1, a batch of 2, 1 token", 2, 1, 4, 5, 1, 1.0),
    ("large scores", "scores from -996 to 996, in the last sentence all below -800", 3, 6, 5, 1, 8, 0.0),
)


def causal_options(d_in: int, d_out: int, context_length: int, dropout: float = 0.0, **more: bool) -> dict:
    """Return the constructor's arguments in their order."""
    return {"d_in": d_in, "d_out": d_out, "context_length": context_length, "dropout": dropout} | more


def layers(
    rng: np.random.Generator, d_in: int, d_out: int, *, biases: bool = False
) -> dict[str, torch.Tensor]:
    """Return weights (d_out, d_in) of the three layers, and biases (d_out,) if asked for."""
    weights = {f"{name}.weight": drawn(rng, d_out, d_in) for name in QKV}
    return weights | ({f"{name}.bias": drawn(rng, d_out) for name in QKV} if biases else {})


def from_seed(seed: int, d_in: int, d_out: int) -> dict[str, torch.Tensor]:
    """Return the weights of three linear layers created after a seed."""
    torch.manual_seed(seed)
    return {f"{name}.weight": nn.Linear(d_in, d_out, bias=False).weight.detach() for name in QKV}


# The tokens of a case with large scores are these multiples of one direction, and the first token's score
# with itself is the lowest: a future that is subtracted 1000 from is as large as its past. Each way but one
# to make the exponentials small fails in some row: by the first score, the mean, the largest magnitude, the
# largest of all rows or the largest with the future.
SHARES = torch.tensor([1.0, -1.0, 0.8, -0.9, 0.3, -0.7])
# Of these multiples every score is below -800, and the two largest of a row are close: what is taken for a
# maximum without looking, such as 0, makes all exponentials 0, and a limit makes all scores alike.
BELOW = torch.tensor([1.0, 0.96, 0.9, 0.98, 0.902, 0.94])
LOWEST = -996.0


def large_scores(rng: np.random.Generator, weights: Tensors) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    """Return sequences (3, 6, d_in) and weights that give them scores to 1000, either way, or low ones."""
    query, key = (weights[f"{name}.weight"] for name in QKV[:2])
    direction = drawn(rng, query.shape[1])
    fit = (query @ direction) @ (key @ direction)
    x = SHARES[:, None] * direction
    x = torch.stack((x, x.flip(0), BELOW[:, None] * direction))
    return x, dict(weights) | {"W_query.weight": query * (LOWEST / fit)}


def attention_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of a causal attention."""
    toy = constant("TOY")
    solved = [
        pose(
            rng,
            PUBLISHED,
            "the published example of chapter 5: the sentence twice, seed 123",
            causal_oracle,
            arguments={"x": torch.stack((toy, toy))},
            weights=from_seed(123, 3, 2),
            options=causal_options(3, 2, 6, qkv_bias=False),
            seed=123,
            published={"result": "causal_attention.context"},
        )
    ]
    for name, shows, batch, tokens, d_in, d_out, context, spread in SIZES:
        x = drawn(rng, batch, tokens, d_in, spread=spread)
        weights = layers(rng, d_in, d_out)
        if name == "a batch of one":
            x[:, 1] = 0.0  # its scores are zero, like any others
        if name == "large scores":
            x, weights = large_scores(rng, weights)
        options, x = causal_options(d_in, d_out, context), {"x": x}
        solved.append(pose(rng, name, shows, causal_oracle, arguments=x, weights=weights, options=options))
    solved += [with_biases(rng), in_float64(rng)]
    return [*solved, with_dropout(rng), too_long(rng)]


def with_biases(rng: np.random.Generator) -> Solved:
    """Return a case that asks for biases."""
    return pose(
        rng,
        "with biases",
        "qkv_bias=True, a batch of 2, 5 of at most 6 tokens, 6 features in, 4 out",
        causal_oracle,
        arguments={"x": drawn(rng, 2, 5, 6, spread=0.6)},
        weights=layers(rng, 6, 4, biases=True),
        options=causal_options(6, 4, 6, qkv_bias=True),
    )


def in_float64(rng: np.random.Generator) -> Solved:
    """Return a case in double precision: what to() changes besides the device."""
    return pose(
        rng,
        "float64",
        "the module and its tokens in float64, with biases",
        causal_oracle,
        arguments={"x": drawn(rng, 2, 4, 4, spread=0.6).double()},
        weights={name: one.double() for name, one in layers(rng, 4, 3, biases=True).items()},
        options=causal_options(4, 3, 6, qkv_bias=True),
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
    shows = "dropout=0.25, in eval() and in train(), on tokens whose context shows the weights"
    return pose(rng, "with dropout", shows, causal_oracle, **dropout_parts(rng, 0.25))


def too_long(rng: np.random.Generator) -> Solved:
    """Return a case with more tokens than the context holds."""
    return pose(
        rng,
        "too long",
        "6 tokens, one more than context_length allows",
        causal_oracle,
        arguments={"x": drawn(rng, 2, 6, 4)},
        weights=layers(rng, 4, 3),
        options=causal_options(4, 3, 5),
        raises="Exception",
    )


def hidden_attention_cases(rng: np.random.Generator) -> list[Solved]:
    """Return attentions of other numbers and sizes."""
    oracle = causal_oracle
    known, most = SIZES[0][2:7], one_size(rng, 13, 18)
    drawn_sizes = tuple(other_sizes(rng, 4))
    solved = []
    for name, (batch, tokens, d_in, d_out, context), spread in (
        (OTHER_NUMBERS, known, 0.6),
        (OTHER_SIZES, (3, most, *drawn_sizes[1:3], most), 0.5),
        (LARGE, (2, 6, drawn_sizes[2], 1, 11), 0.0),
    ):
        x = drawn(rng, batch, tokens, d_in, spread=spread)
        weights = layers(rng, d_in, d_out)
        if name == LARGE:
            x, weights = large_scores(rng, weights)
        options, x = causal_options(d_in, d_out, context), {"x": x}
        solved.append(pose_hidden(rng, name, oracle, arguments=x, weights=weights, options=options))
    batch, tokens, d_in, d_out = drawn_sizes
    x = {"x": drawn(rng, batch, tokens, d_in, spread=0.6)}
    options = causal_options(d_in, d_out, tokens, qkv_bias=True)
    weights = layers(rng, d_in, d_out, biases=True)
    solved.append(pose_hidden(rng, BIASES, oracle, arguments=x, weights=weights, options=options))
    solved.append(pose_hidden(rng, DROPOUT, oracle, **dropout_parts(rng, another_dropout(rng))))
    context = one_size(rng, 6, 9)
    refused = {
        "arguments": {"x": drawn(rng, 3, context + one_size(rng, 1, 3), d_in)},
        "weights": layers(rng, d_in, d_out),
        "options": causal_options(d_in, d_out, context),
    }
    return [*solved, pose_hidden(rng, REFUSED, oracle, **refused, raises="Exception")]


# --- What is left behind ------------------------------------------------------------------------------------

# (name, what it shows, the tensors in the order in which they are set, what else is set). A tensor is named
# by how it is held and its dotted name.
HOLDINGS: tuple[tuple[str, str, tuple[str, ...], dict[str, int]], ...] = (
    (
        "one of each",
        "a module with a parameter, a buffer, a buffer that is not saved, and a plain tensor",
        ("parameter weight", "buffer table", "unsaved cache", "plain mask"),
        {},
    ),
    (
        "nothing stranded",
        "a module with a module inside; everything is registered",
        ("parameter weight", "buffer inner.mask", "unsaved inner.places", "parameter inner.weight"),
        {"size": 6},
    ),
    (
        "modules inside",
        "a block in a list in a model, with a mask in each attention",
        (
            "plain scale",
            "parameter blocks.0.attention.W_query.weight",
            "plain blocks.0.attention.mask",
            "parameter blocks.1.attention.W_query.weight",
            "plain blocks.1.attention.mask",
            "buffer blocks.1.attention.table",
            "plain blocks.1.offset",
        ),
        {"blocks.0.attention.head_dim": 4, "context_length": 8},
    ),
    (
        "not in order",
        "several plain tensors, set in another order than the alphabet's",
        (
            "plain zeros",
            "plain inner.mask",
            "plain angle",
            "parameter inner.bias",
            "plain inner.deeper.table",
        ),
        {},
    ),
    (
        "nothing held",
        "a module without any tensor",
        (),
        {"size": 3, "inner.rate": 2},
    ),
    (
        "one name, three ways",
        "tensors called mask in three modules: plain, a buffer, and not saved",
        ("plain first.mask", "buffer second.mask", "unsaved third.mask", "parameter third.weight"),
        {"mask": 1},
    ),
    (
        "odd names",
        "names with underscores, digits and capitals, which sorted() puts before small letters",
        (
            "plain _cache",
            "plain a_mask",
            "plain a1",
            "plain ab",
            "plain Zeros",
            "plain layers.9.mask",
            "plain layers.10.mask",
            "unsaved layers.9._table",
            "plain aB",
            "plain a.mask",
            "plain __table",
            "plain a.b.c.d.mask",
            "plain A.Mask",
        ),
        {"_size": 2},
    ),
    (
        "in a list",
        "a plain tensor, and tensors in lists, which are not to be in yours",
        ("listed masks", "plain mask", "parameter inner.weight", "listed inner.tables", "plain inner.table"),
        {},
    ),
    (
        "gradients",
        "plain tensors that require gradients, as parameters do, and parameters",
        ("tracked scale", "parameter weight", "tracked inner.shift", "parameter inner.weight"),
        {},
    ),
)


def held_tensor(rng: np.random.Generator, kind: str, number: int) -> torch.Tensor:
    """Return a tensor to hold: bools, a matrix, whole numbers, a single number or no number, in turn."""
    matrix = drawn(rng, 2, 2)
    if kind in (PARAMETER, TRACKED):
        return matrix
    return (matrix > 0, matrix, torch.zeros(3).long(), torch.tensor(0.5), torch.zeros(0))[number % 5]


def stranded(case: Case) -> torch.Tensor:
    """Return how often each name has to be listed, and last 0 for any other name."""
    counts = [int(key.partition(" ")[0] in (PLAIN, TRACKED)) for key in case.arguments]
    counts += [0] * len(case.options)
    module = build_module(case, torch.device("cpu")).to("meta")
    stayed = []
    for name in names_held(case):
        *path, attribute = name.split(".")
        held = getattr(module.get_submodule(".".join(path)), attribute)
        stayed.append(int(isinstance(held, torch.Tensor) and not held.is_meta))
    if stayed != counts:
        raise ReferenceDataError(f"{case.name}: a move to meta leaves other tensors behind")
    return torch.tensor([*counts, 0])


def solved_holdings(rng: np.random.Generator, keys: tuple[str, ...], options: Options, posed_by) -> Solved:
    """Return a case of a module that holds this, posed by a function of its tensors and options."""
    tensors = {key: held_tensor(rng, key.split(" ")[0], number) for number, key in enumerate(keys)}
    posed = posed_by(arguments=tensors, options=options, differentiable=False)
    expected = dict(posed.expected) | {"result": stranded(posed.case)}
    flags = dict.fromkeys((Flag.STAYED, Flag.UNTOUCHED, Flag.SORTED), True)
    return replace(posed, expected=expected, flags=flags)


def unsolved(_arguments: Tensors, _weights: Tensors, _options: Options) -> torch.Tensor:
    """Return nothing yet: what is expected follows from how the tensors are held."""
    return torch.zeros(0)


def stranded_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``stranded_tensors``."""
    return [
        solved_holdings(rng, keys, options, partial(pose, rng, name, shows, unsolved))
        for name, shows, keys, options in HOLDINGS
    ]


KINDS = ("plain", "buffer", "unsaved", "parameter")
WORDS = ("offset", "angles", "places", "seen", "window", "marks", "steps", "far", "near", "tilt")


def hidden_stranded_cases(rng: np.random.Generator) -> list[Solved]:
    """Return modules whose names, depth and ways to hold a tensor are drawn."""
    solved = []
    for name, count in ((OTHER_NUMBERS, 7), (OTHER_SIZES, 11), (LARGER, 14)):
        words = [WORDS[place] for place in rng.permutation(len(WORDS))]
        ways = [*KINDS, "plain", *rng.choice(KINDS[1:], count - len(KINDS) - 1)]
        paths = ["", f"{words[0]}.", f"{words[0]}.{words[1]}.", f"{words[2]}.0.{words[3]}."]
        keys = tuple(
            f"{kind} {paths[int(rng.integers(len(paths)))]}{WORDS[place % 10]}_{place}"
            for place, kind in enumerate(rng.permutation(ways))
        )
        options = {f"{words[0]}.{words[4]}_size": 3, "width": 5}
        solved.append(solved_holdings(rng, keys, options, partial(pose_hidden, rng, name, unsolved)))
    return solved


# --- There and back -----------------------------------------------------------------------------------------

# (name, what it shows, whether module, x and the device asked for are there rather than here, whether the
# device is given as a text, whether in training).
TRIPS = (
    ("a trip", "module and x are here, the device is another one", (False, False, True), False, False),
    (
        "a trip in training",
        "the same in training mode, the device given as a text",
        (False, False, True),
        True,
        True,
    ),
    ("no trip", "everything is on one device, the one asked for", (False, False, False), False, True),
    (
        "the module is there",
        "x is here, the module is where it has to run",
        (True, False, True),
        False,
        False,
    ),
    ("x is there", "the module is here, x is where it has to run", (False, True, True), True, True),
    (
        "both come here",
        "module and x are on another device, it has to run here",
        (True, True, False),
        False,
        True,
    ),
    (
        "the module comes here",
        "x is here, where it has to run; the module is on another device",
        (True, False, False),
        True,
        False,
    ),
    (
        "x comes here",
        "the module is here, where it has to run; x is on another device",
        (False, True, False),
        False,
        False,
    ),
    ("all there", "everything is on another device, where it has to run", (True, True, True), False, False),
)


def run_on_oracle(arguments: Tensors, _weights: Tensors, options: Options) -> torch.Tensor:
    """Return the context, wherever it is computed; half as much in training."""
    x, weight, shift = arguments.values()
    context = torch.einsum("...i,io->...o", x, weight) + shift
    return context / 2 if options["training"] else context


def trip_parts(
    rng: np.random.Generator, shape: tuple[int, ...], width: int, trip: tuple, named: bool, training: bool
) -> dict:
    """Return the parts of a case in which x (*shape, 3) and a module go somewhere or not."""
    module_there, x_there, device_there = trip
    return {
        "arguments": {
            "x": drawn(rng, *shape, 3),
            "module.weight": drawn(rng, 3, width),
            "module.shift": drawn(rng, width),
        },
        "options": {
            "module_there": module_there,
            "x_there": x_there,
            "device_there": device_there,
            "named": named,
            "training": training,
        },
    }


def at_x_alone(posed: Solved) -> Solved:
    """Return a case that asks for gradients at x alone, for a copy of the module may run, and for more."""
    expected = {key: value for key, value in posed.expected.items() if "gradient/module" not in key}
    flags = (Flag.RAN_THERE, Flag.RAN_ONCE, Flag.RETURNED, Flag.STAYED, Flag.SAME_MODE)
    return replace(posed, expected=expected, flags=dict.fromkeys(flags, True))


def run_on_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``run_on``."""
    solved: list[Solved] = []
    shapes = ((4,), (2, 1, 5), (1,))
    for number, (name, shows, *how) in enumerate(TRIPS):
        parts = trip_parts(rng, shapes[number % len(shapes)], 2, *how)
        solved.append(at_x_alone(pose(rng, name, shows, run_on_oracle, again=False, **parts)))
    shows, parts = "a trip in float64", trip_parts(rng, (4,), 3, (False, False, True), False, False)
    parts["arguments"] = {name: one.double() for name, one in parts["arguments"].items()}
    posed = pose(rng, "float64", shows, run_on_oracle, again=False, dtype=torch.float64, **parts)
    return [*solved, at_x_alone(posed)]


def hidden_run_on_cases(rng: np.random.Generator) -> list[Solved]:
    """Return trips with other numbers and other sizes."""
    few, many, leading = (5,), (one_size(rng, 12, 15),), tuple(other_sizes(rng, 2))
    trips = (
        (OTHER_NUMBERS, (4,), 2, (False, False, True), True, False),
        (OTHER_SIZES, few, one_size(rng), (True, False, True), False, True),
        (LARGER, many, one_size(rng), (False, True, True), True, False),
        (LEADING_AXES, leading, one_size(rng), (True, True, False), False, False),
    )
    return [
        at_x_alone(pose_hidden(rng, name, run_on_oracle, again=False, **trip_parts(rng, *how)))
        for name, *how in trips
    ]


def solved_cases(seed: int) -> dict[str, list[Solved]]:
    """Return every exercise's cases, drawn from ``seed``, with the oracle's answers."""
    rng = [np.random.default_rng([seed, number]) for number in range(4)]
    return {
        "ch07-causal-attention-buffer": attention_cases(rng[0]),
        "ch07-stranded-tensors": stranded_cases(rng[1]),
        "ch07-run-on": run_on_cases(rng[2]),
        "ch07-non-persistent": attention_cases(rng[3]),
    }


def grading_cases(seed: int) -> dict[str, list[Solved]]:
    """Return the cases that only grading uses, drawn from a course's seed."""
    makers = {
        "ch07-causal-attention-buffer": hidden_attention_cases,
        "ch07-stranded-tensors": hidden_stranded_cases,
        "ch07-run-on": hidden_run_on_cases,
        "ch07-non-persistent": hidden_attention_cases,
    }
    return drawn_for_grading(seed, makers)
