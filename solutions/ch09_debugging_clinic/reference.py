"""Cases and oracle of chapter 9.

What a mended function has to return is computed with PyTorch in float64, in another way than the solutions
do, and confirmed by what the grader itself holds for right: NumPy, one row or one number at a time. An
exercise that asks for an input has one case, which is that input.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from grader.exercises import find_chapter
from grader.exercises.case import other_input
from grader.exercises.declaration import load_specimens
from grader.proving.hidden import (
    EQUAL_SIZES,
    LARGE,
    LARGER,
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

CHAPTER = find_chapter("ch09_debugging_clinic")
SENTENCE = load_specimens(Path(__file__).parent).SENTENCE
SPECIMENS = [exercise.specimen for exercise in CHAPTER.exercises if exercise.specimen]
PRODUCER = "oracle: PyTorch's einsum and logsumexp in float64, confirmed by NumPy one row at a time to 1e-12"
AXES = {
    "x": ("T", "d"),
    **{f"ch09-fixed-{number}/x": ("...", "T", "d") for number in ("06", "08")},
    "heads": ("h", "T", "head_dim"),
    "W_key.weight": ("d_out", "d_in"),
    "W_key.bias": ("d_out",),
}


# --- What is right ------------------------------------------------------------------------------------------


def agreed(number: int, *given: object, result: torch.Tensor) -> torch.Tensor:
    """Return what was computed, which the specimen's own truth must confirm."""
    largest = max(1.0, float(result.detach().abs().max()))
    values = [one.detach() if isinstance(one, torch.Tensor) else one for one in given]
    return confirmed(result, SPECIMENS[number - 1].right(*values), 1e-12 * largest)


def softmax(scores: torch.Tensor) -> torch.Tensor:
    """Return shares along the last axis."""
    return (scores - scores.logsumexp(dim=-1, keepdim=True)).exp()


def causal(scores: torch.Tensor) -> torch.Tensor:
    """Return shares of each row (T, T) up to the diagonal, cut off and filled up with zeros."""
    rows = [F.pad(softmax(row[: i + 1]), (0, len(row) - i - 1)) for i, row in enumerate(scores)]
    return torch.stack(rows)


def causal_context(x: torch.Tensor) -> torch.Tensor:
    """Return causal self-attention of x (T, d), by the library."""
    return F.scaled_dot_product_attention(x[None], x[None], x[None], is_causal=True)[0]


def right_01(given: dict, weights: dict, options: dict) -> torch.Tensor:
    """Return weights (T_q, T_k)."""
    return agreed(1, given["scores"], result=softmax(given["scores"]))


def right_02(given: dict, weights: dict, options: dict) -> torch.Tensor:
    """Return scores (T_q, T_k)."""
    query, key = given["query"], given["key"]
    return agreed(2, query, key, result=torch.einsum("id,jd->ij", query, key))


def right_03(given: dict, weights: dict, options: dict) -> torch.Tensor:
    """Return scaled scores (T_q, T_k)."""
    query, key = given["query"], given["key"]
    width = torch.tensor(query.shape[-1], dtype=torch.float64)
    return agreed(3, query, key, result=torch.einsum("id,jd->ij", query, key * width.rsqrt()))


def right_04(given: dict, weights: dict, options: dict) -> torch.Tensor:
    """Return the context (T, d)."""
    x = given["x"]
    shares = softmax(torch.einsum("id,jd->ij", x, x))
    return agreed(4, x, result=torch.einsum("ij,jd->id", shares, x))


def right_05(given: dict, weights: dict, options: dict) -> torch.Tensor:
    """Return merged heads (T, h * head_dim)."""
    return agreed(5, given["heads"], result=given["heads"].permute(1, 0, 2).flatten(1))


def right_06(given: dict, weights: dict, options: dict) -> torch.Tensor:
    """Return keys (..., d_out)."""
    return F.linear(given["x"], weights["W_key.weight"], weights["W_key.bias"])


def right_07(given: dict, weights: dict, options: dict) -> torch.Tensor:
    """Return the context (T, d)."""
    return agreed(7, given["x"], result=causal_context(given["x"]))


def right_08(given: dict, weights: dict, options: dict) -> torch.Tensor:
    """Return the heads (b, h, T, head_dim)."""
    parts = torch.stack(given["x"].chunk(options["num_heads"], dim=-1), dim=1)
    return agreed(8, given["x"], options["num_heads"], result=parts)


def right_09(given: dict, weights: dict, options: dict) -> torch.Tensor:
    """Return weights (h, T_q, T_k)."""
    query, key = given["query"], given["key"]
    return agreed(
        9, query, key, result=softmax(torch.einsum("hid,hjd->hij", query, key) / key.shape[-1] ** 0.5)
    )


def right_10(given: dict, weights: dict, options: dict) -> torch.Tensor:
    """Return the context (T, d)."""
    return causal_context(given["x"])


def right_11(given: dict, weights: dict, options: dict) -> torch.Tensor:
    """Return weights (T, T) whose later scores were lowered by the penalty."""
    scores, penalty = given["scores"], options.get("penalty", torch.inf)
    place = torch.arange(len(scores))
    lowered = torch.where(place[:, None] < place[None, :], scores - penalty, scores)
    return agreed(11, scores, penalty, result=softmax(lowered))


def right_12(given: dict, weights: dict, options: dict) -> dict[str, torch.Tensor]:
    """Return the weights under the causal mask and those without."""
    scores = given["scores"]
    by_hand = SPECIMENS[11].right(scores.detach())
    results = {"causal": causal(scores), "full": softmax(scores)}
    for result, other in zip(results.values(), by_hand, strict=True):
        confirmed(result, other)
    return results


# --- Cases --------------------------------------------------------------------------------------------------

# A visible case: its name, what it shows, the size of each axis, how far the numbers spread.
Sizes = tuple[str, str, tuple[int, ...], float]


def sized(
    oracle: Callable, axes: dict[str, str], order: str, cases: tuple[Sizes, ...]
) -> Callable[[np.random.Generator], list[Solved]]:
    """Return what draws the cases of a function of tensors alone, and one of them in double precision."""

    def make(rng: np.random.Generator) -> list[Solved]:
        solved = []
        for name, shows, sizes, spread in (*cases, ("float64", "numbers in float64", cases[0][2], 1.0)):
            dtype = torch.float64 if name == "float64" else torch.float32
            given = drawn_arguments(rng, axes, order, sizes, spread)
            solved.append(pose(rng, name, shows, oracle, arguments=given, dtype=dtype))
        return solved

    return make


def drawn_arguments(
    rng: np.random.Generator, axes: dict[str, str], order: str, sizes: tuple[int, ...], spread: float
) -> dict[str, torch.Tensor]:
    """Return tensors by name, whose axes are letters, of the sizes that belong to the letters."""
    by_letter = dict(zip(order, sizes, strict=True))
    return {
        name: drawn(rng, *(by_letter[letter] for letter in letters), spread=spread)
        for name, letters in axes.items()
    }


WEIGHTS_01 = (
    ("sizes different", "3 queries, 5 keys", (3, 5), 1.0),
    ("sizes equal", "4 queries, 4 keys", (4, 4), 1.0),
    ("more queries than keys", "6 queries, 2 keys", (6, 2), 1.5),
    ("one query", "1 query, 4 keys", (1, 4), 1.0),
    ("one key", "4 queries, 1 key: every weight is 1", (4, 1), 1.0),
    ("large scores", "scores in the hundreds", (4, 3), 200.0),
)
PAIRS = (
    ("sizes different", "5 queries, 4 keys, 7 features", (5, 4, 7), 1.0),
    ("sizes equal", "4 queries, 4 keys, 4 features", (4, 4, 4), 1.0),
    ("as many keys as features", "2 queries, 3 keys, 3 features", (2, 3, 3), 1.0),
    ("one feature", "3 queries, 5 keys, 1 feature", (3, 5, 1), 1.0),
    ("one query", "1 query, 6 keys, 3 features, large numbers", (1, 6, 3), 100.0),
    ("one key", "4 queries, 1 key, 2 features", (4, 1, 2), 1.0),
)
TOKENS = (
    ("sizes different", "5 tokens, 3 features", (5, 3), 0.8),
    ("sizes equal", "4 tokens, 4 features", (4, 4), 0.7),
    ("one token", "1 token, 3 features", (1, 3), 1.0),
    ("one feature", "5 tokens, 1 feature", (5, 1), 1.0),
    ("large scores", "scores in the hundreds", (6, 2), 12.0),
)
HEADS = (
    ("sizes different", "3 heads, 5 tokens, 2 features", (3, 5, 2), 1.0),
    ("sizes equal", "3 heads, 3 tokens, 3 features", (3, 3, 3), 1.0),
    ("one head", "1 head, 4 tokens, 3 features, large numbers", (1, 4, 3), 100.0),
    ("one token", "4 heads, 1 token, 2 features", (4, 1, 2), 1.0),
    ("one feature", "2 heads, 3 tokens, 1 feature", (2, 3, 1), 1.0),
)
PAIRS_OF_HEADS = (
    ("sizes different", "3 heads, 5 queries, 4 keys, 2 features", (3, 5, 4, 2), 1.0),
    ("sizes equal", "3 heads, 3 queries, 3 keys, 3 features", (3, 3, 3, 3), 1.0),
    ("one head", "1 head, 4 queries, 3 keys, 5 features", (1, 4, 3, 5), 1.0),
    ("one feature", "4 heads, 3 queries, 5 keys, 1 feature", (4, 3, 5, 1), 1.0),
    ("one query", "2 heads, 1 query, 3 keys, 4 features", (2, 1, 3, 4), 1.0),
    ("large scores", "2 heads, scores in the hundreds", (2, 4, 3, 5), 12.0),
)
SQUARES = (
    ("five tokens", "5 tokens", (5,), 1.0),
    ("two tokens", "2 tokens", (2,), 1.0),
    ("one token", "1 token: nothing is hidden", (1,), 1.0),
    ("all scores 0", "4 tokens, every score is 0", (4,), 0.0),
    ("large scores", "6 tokens, scores in the hundreds", (6,), 150.0),
)


# Rows whose scores are far from each other. The largest is neither the first, nor the last, nor in the
# middle, nor always the largest in size.
OUTLIERS = torch.tensor(
    [
        [-1000.0, 990.0, 1000.0, -999.0, -1000.0],
        [-1000.0, -12.0, -10.5, -11.0, -999.0],
        [-1000.0, -802.0, -801.0, -803.5, -990.0],
    ]
)
# With these keys (1, 3, 1) all scores of the first query are below -890, and those of the second near 900.
FAR_QUERIES, FAR_KEYS = torch.tensor([[[30.0], [-29.0]]]), torch.tensor([[[-33.0], [-30.0], [-30.06]]])
# The first token is half of the second, whose score with itself is near 1000, and so is the last, nearly.
HALF = torch.tensor([[15.0, 10.0], [30.0, 20.0], [-20.0, 3.0], [4.0, 21.0], [14.0, 9.0]])
HALF_SHOWS = "5 tokens, scores up to 1000, either way; the first is half of the second"
# Some of these tokens are at right angles to each other.
SQUARE = torch.tensor([[1.0, 0.0, 0.0], [0.0, 1.5, 0.0], [0.8, 0.0, 1.0], [0.0, -1.0, 0.5]])
ZEROS, ZEROS_SHOW = "scores of 0", "4 tokens; some scores are 0, before the diagonal and after it"


def cases_01(rng: np.random.Generator) -> list[Solved]:
    """Return drawn scores, and scores far from each other."""
    shows, given = "scores up to 1000, either way, far from each other", {"scores": OUTLIERS}
    return [*sized(*OF_TENSORS[1])(rng), pose(rng, "outliers", shows, right_01, arguments=given)]


def cases_09(rng: np.random.Generator) -> list[Solved]:
    """Return drawn queries and keys, and some whose scores are far from 0."""
    shows, given = "1 head, scores near -900 and near 900", {"query": FAR_QUERIES, "key": FAR_KEYS}
    return [*sized(*OF_TENSORS[9])(rng), pose(rng, "far from 0", shows, right_09, arguments=given)]


def cases_07(rng: np.random.Generator) -> list[Solved]:
    """Return drawn tokens, and one that would rather hear a later one than itself."""
    solved = sized(*OF_TENSORS[7])(rng)
    for name, shows, x in (("half", HALF_SHOWS, HALF), (ZEROS, ZEROS_SHOW, SQUARE)):
        solved.append(pose(rng, name, shows, right_07, arguments={"x": x}))
    return solved


def cases_04(rng: np.random.Generator) -> list[Solved]:
    """Return the sentence of the notebook, one with as many tokens, and others."""
    own = {"x": torch.tensor(SENTENCE)}
    solved = [
        pose(rng, "the sentence", "the six words from which weights were computed", right_04, arguments=own)
    ]
    again = {"x": drawn(rng, 6, 3, spread=0.8)}
    solved.append(pose(rng, "six others", "6 other tokens, 3 features", right_04, arguments=again))
    solved.append(pose(rng, "half", HALF_SHOWS, right_04, arguments={"x": HALF * 0.85}))
    return solved + sized(right_04, {"x": "td"}, "td", TOKENS)(rng)


KEYS = (
    ("a sentence", "5 tokens, 4 features in, 3 out", (5, 4), 3),
    ("a batch", "2 sentences of 5 tokens, 4 features in, 3 out", (2, 5, 4), 3),
    ("sizes equal", "3 sentences of 3 tokens, 3 features in, 3 out", (3, 3, 3), 3),
    ("one token", "2 sentences of 1 token, 3 features in, 5 out", (2, 1, 3), 5),
    ("a batch of one", "1 sentence of 4 tokens, 2 features in, 2 out", (1, 4, 2), 2),
    ("one feature out", "a sentence of 4 tokens, 3 features in, 1 out", (4, 3), 1),
)


def key_parts(rng: np.random.Generator, shape: tuple[int, ...], d_out: int) -> dict:
    """Return the parts of a case of the layer of case 6."""
    d_in = shape[-1]
    return {
        "arguments": {"x": drawn(rng, *shape)},
        "weights": {"W_key.weight": drawn(rng, d_out, d_in), "W_key.bias": drawn(rng, d_out)},
        "options": {"d_in": d_in, "d_out": d_out},
    }


def cases_06(rng: np.random.Generator) -> list[Solved]:
    """Return sentences and batches, one of them in float64."""
    solved = [
        pose(rng, name, shows, right_06, seed=number, positional=number < 2, **key_parts(rng, shape, d_out))
        for number, (name, shows, shape, d_out) in enumerate(KEYS)
    ]
    parts = key_parts(rng, (2, 4, 3), 2)
    return [*solved, pose(rng, "float64", "a batch in float64", right_06, dtype=torch.float64, **parts)]


SPLITS = (
    ("sizes different", "2 sentences of 5 tokens, 12 features, 3 heads", (2, 5, 12), 3),
    ("sizes equal", "2 sentences of 2 tokens, 4 features, 2 heads", (2, 2, 4), 2),
    ("as many tokens as heads", "2 sentences of 3 tokens, 6 features, 3 heads", (2, 3, 6), 3),
    ("one head", "3 sentences of 4 tokens, 5 features, 1 head", (3, 4, 5), 1),
    ("one feature a head", "1 sentence of 3 tokens, 4 features, 4 heads", (1, 3, 4), 4),
    ("one token", "2 sentences of 1 token, 6 features, 2 heads", (2, 1, 6), 2),
)


def cases_08(rng: np.random.Generator) -> list[Solved]:
    """Return tensors to split, one of them in float64."""
    solved = [
        pose(
            *(rng, name, shows, right_08),
            arguments={"x": drawn(rng, *shape, spread=100.0 if name == "one head" else 1.0)},
            options={"num_heads": heads},
        )
        for name, shows, shape, heads in SPLITS
    ]
    x, options = {"x": drawn(rng, 2, 3, 8)}, {"num_heads": 2}
    shows = "numbers in float64, 2 heads"
    return [
        *solved,
        pose(rng, "float64", shows, right_08, arguments=x, options=options, dtype=torch.float64),
    ]


CONTEXTS = (
    ("fewer tokens than the context", "5 of at most 8 tokens, 3 features", (5, 3), 8, 0.8),
    ("as many as the context", "4 of 4 tokens, 4 features", (4, 4), 4, 0.7),
    ("one token", "1 of at most 3 tokens, 2 features", (1, 2), 3, 1.0),
    ("context of one", "1 of 1 token, 3 features", (1, 3), 1, 1.0),
    ("large scores", "6 of at most 7 tokens, scores in the hundreds", (6, 2), 7, 12.0),
)


def context_case(rng: np.random.Generator, posed: Callable, shape: tuple[int, int], context: int, **more):
    """Return a case of the module of case 10."""
    x, spread = more.pop("x", None), more.pop("spread", 1.0)
    x = drawn(rng, *shape, spread=spread) if x is None else x
    return posed(right_10, arguments={"x": x}, options={"context_length": context}, again=other_input, **more)


def cases_10(rng: np.random.Generator) -> list[Solved]:
    """Return tokens and a context length, once in float64."""
    solved = [
        context_case(rng, partial(pose, rng, name, shows), shape, context, spread=spread)
        for name, shows, shape, context, spread in CONTEXTS
    ]
    half = context_case(rng, partial(pose, rng, "half", HALF_SHOWS), (5, 2), 6, x=HALF)
    posed = partial(pose, rng, "float64", "4 of at most 6 tokens in float64", dtype=torch.float64)
    zeros = context_case(rng, partial(pose, rng, ZEROS, ZEROS_SHOW), (4, 3), 5, x=SQUARE)
    return [*solved, half, context_case(rng, posed, (4, 3), 6), zeros]


def cases_11(rng: np.random.Generator) -> list[Solved]:
    """Return scores with and without a limit to what later ones are lowered by."""
    solved = sized(right_11, {"scores": "tt"}, "t", SQUARES)(rng)
    for name, shows, tokens, penalty in (
        ("a small penalty", "4 tokens, later scores lowered by 1.7", 4, 1.7),
        ("no penalty", "3 tokens, later scores lowered by 0", 3, 0.0),
        ("a large penalty", "5 tokens, later scores lowered by 10000", 5, 1e4),
        ("infinity by name", "4 tokens, penalty=inf in the call", 4, torch.inf),
    ):
        given, options = {"scores": drawn(rng, tokens, tokens)}, {"penalty": penalty}
        solved.append(pose(rng, name, shows, right_11, arguments=given, options=options))
    # Beside such scores a penalty that only looks like infinity is small.
    given, shows = {"scores": drawn(rng, 5, 5, spread=1e11)}, "5 tokens, scores around 1e11"
    solved.append(pose(rng, "huge scores", shows, right_11, arguments=given))
    given, shows = {"scores": HUGEST}, "3 tokens, scores to 1e12 either way"
    solved.append(pose(rng, "as huge as may be", shows, right_11, arguments=given))
    given, shows = {"scores": FIRST_LOW}, "3 tokens, scores to 1000 either way"
    return [*solved, pose(rng, "first low", shows, right_11, arguments=given)]


# By the number of the case: the oracle, the arguments' axes, their order, the visible sizes.
OF_TENSORS = {
    1: (right_01, {"scores": "qk"}, "qk", WEIGHTS_01),
    2: (right_02, {"query": "qd", "key": "kd"}, "qkd", PAIRS),
    3: (right_03, {"query": "qd", "key": "kd"}, "qkd", PAIRS),
    5: (right_05, {"heads": "htd"}, "htd", HEADS),
    7: (right_07, {"x": "td"}, "td", TOKENS),
    9: (right_09, {"query": "hqd", "key": "hkd"}, "hqkd", PAIRS_OF_HEADS),
    12: (right_12, {"scores": "tt"}, "t", SQUARES),
}


# Its first token must see a score near -1000 of its own beside later ones near 1000, its last one none above.
FIRST_LOW = torch.tensor([[-996.0, 996.0, 990.0], [500.0, -400.0, 996.0], [-996.0, -990.0, -988.5]])


HUGEST = torch.tensor([[-1e12, 1e12, 9e11], [1e12, -1e12, 1e12], [-1e12, -1e12, 5e11]])


def cases_12(rng: np.random.Generator) -> list[Solved]:
    """Return drawn scores, and a future that could take all."""
    shows, given = "3 tokens, scores to 1000 either way", {"scores": FIRST_LOW}
    return [*sized(*OF_TENSORS[12])(rng), pose(rng, "first low", shows, right_12, arguments=given)]


def asked_for(rng: np.random.Generator) -> list[Solved]:
    """Return the one case of an exercise that asks for an input."""
    name, shows = "your input", "what you return"
    posed = pose(rng, name, shows, lambda *_: torch.zeros(()), differentiable=False)
    return [replace(posed, expected={})]


def solved_cases(seed: int) -> dict[str, list[Solved]]:
    """Return the visible cases of every exercise."""
    makers = {number: sized(*parts) for number, parts in OF_TENSORS.items()}
    makers |= {1: cases_01, 4: cases_04, 7: cases_07, 6: cases_06, 8: cases_08, 10: cases_10, 11: cases_11}
    makers |= {9: cases_09, 12: cases_12}
    solved = {}
    for number, exercise in enumerate(CHAPTER.exercises):
        case = number // 2 + 1
        make = makers[case] if exercise.has_hidden_cases else asked_for
        solved[exercise.id] = make(np.random.default_rng([seed, number]))
    return solved


# --- Hidden cases -------------------------------------------------------------------------------------------


def hidden_sized(
    oracle: Callable, axes: dict[str, str], order: str, cases: tuple[Sizes, ...]
) -> Callable[[np.random.Generator], list[Solved]]:
    """Return what draws the hidden cases of a function of tensors alone."""

    def make(rng: np.random.Generator) -> list[Solved]:
        size = one_size(rng)
        drawings = (
            (OTHER_NUMBERS, cases[0][2], 1.0),
            (OTHER_SIZES, tuple(other_sizes(rng, len(order), 6, 10)), 0.9),
            (EQUAL_SIZES, (size,) * len(order), 0.8),
            (LARGER, tuple(int(one) for one in 16 + rng.permutation(len(order))), 0.3),
        )
        return [
            pose_hidden(rng, name, oracle, arguments=drawn_arguments(rng, axes, order, sizes, spread))
            for name, sizes, spread in drawings
        ]

    return make


def hidden_06(rng: np.random.Generator) -> list[Solved]:
    """Return sentences and batches of other numbers and sizes."""
    batch, tokens, d_in, d_out = other_sizes(rng, 4)
    return [
        pose_hidden(rng, name, right_06, **key_parts(rng, shape, width))
        for name, shape, width in (
            (OTHER_NUMBERS, KEYS[1][2], KEYS[1][3]),
            (OTHER_SIZES, (tokens, d_in), d_out),
            (LEADING_AXES, (batch, tokens, d_in), d_out),
        )
    ]


def hidden_08(rng: np.random.Generator) -> list[Solved]:
    """Return tensors of other numbers and sizes to split."""
    batch, tokens, width, heads = other_sizes(rng, 4)
    return [
        pose_hidden(
            rng, name, right_08, arguments={"x": drawn(rng, *shape)}, options={"num_heads": num_heads}
        )
        for name, shape, num_heads in (
            (OTHER_NUMBERS, SPLITS[0][2], SPLITS[0][3]),
            (OTHER_SIZES, (batch, tokens, width * heads), heads),
        )
    ]


def hidden_10(rng: np.random.Generator) -> list[Solved]:
    """Return other tokens and context lengths."""
    tokens, width = other_sizes(rng, 2, 6, 9)
    return [
        context_case(rng, partial(pose_hidden, rng, name), shape, context, spread=spread)
        for name, shape, context, spread in (
            (OTHER_NUMBERS, CONTEXTS[0][2], CONTEXTS[0][3], 0.8),
            (OTHER_SIZES, (tokens, width), tokens + 2, 0.6),
            (LARGE, (tokens + 1, width), tokens + 1, 9.0),
        )
    ]


def hidden_11(rng: np.random.Generator) -> list[Solved]:
    """Return other scores, with another penalty and without a limit."""
    tokens = one_size(rng, 7, 9)
    penalty = float(rng.choice([0.5, 1.5, 3.0, 4.0]))
    return [
        pose_hidden(rng, name, right_11, arguments={"scores": drawn(rng, size, size)}, options=options)
        for name, size, options in (
            (OTHER_NUMBERS, SQUARES[0][2][0], {}),
            (OTHER_SIZES, tokens, {"penalty": penalty}),
            (LARGER, tokens + 1, {"penalty": torch.inf}),
        )
    ]


def grading_cases(seed: int) -> dict[str, list[Solved]]:
    """Return the hidden cases of every exercise; none where an input is asked for."""
    makers = {number: hidden_sized(*parts) for number, parts in OF_TENSORS.items()}
    makers[4] = hidden_sized(right_04, {"x": "td"}, "td", TOKENS)
    makers |= {6: hidden_06, 8: hidden_08, 10: hidden_10, 11: hidden_11}
    by_exercise = {
        exercise.id: makers[number // 2 + 1] if exercise.has_hidden_cases else lambda rng: []
        for number, exercise in enumerate(CHAPTER.exercises)
    }
    return drawn_for_grading(seed, by_exercise)
