"""Cases and oracle of chapter 8.

Everything with numbers is computed twice in float64: with PyTorch (``scaled_dot_product_attention``,
``polar``, autograd), which a learner does not use here, and with Python numbers, one at a time. Texts are
worked on twice, too: character by character, and with regular expressions. Where two disagree, there is no
reference.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
import torch
from torch.nn import functional as F

from grader.checking.texts import Texts, pack_texts, unpack_texts
from grader.errors import ReferenceDataError
from grader.exercises.case import Flag
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
from grader.proving.posing import confirmed
from grader.proving.posing import pose as pose_one
from grader.proving.recipe import Solved

PRODUCER = "oracle: PyTorch and autograd in float64, confirmed number by number; texts twice in Python"
AXES = {
    "embeddings": ("T", "d"),
    "W_O": ("h * d_v", "d_out"),
    "output": ("T", "d_v"),
    "weights": ("T", "T"),
    "x": ("T", "d"),
    "ch08-softmax/x": ("...", "d"),
    "W1": ("d", "d_ff"),
    "W2": ("d_ff", "d"),
    "W_in": ("V", "d"),
    "W_out": ("V", "d"),
}
# NumPy computes in float64. A right answer in another order is never this far away, nor is one that adds a
# tiny number before it divides, to be safe; one in float32 is.
FLOOR = 2e-9
AGREEMENT = 1e-12
Rows = list[list[float]]

NUMERIC = {"dtype": torch.float64, "differentiable": False, "floor": FLOOR}
pose = partial(pose_one, **NUMERIC)
hidden = partial(pose_hidden, **NUMERIC)
# Cases whose arguments are arrays: other numbers in the same arrays are tried as well.
pose_arrays = partial(pose, again=True)
hidden_arrays = partial(hidden, again=True)
# What the docstrings say of the largest score.
LARGEST = 1000.0


def drawn(rng: np.random.Generator, *shape: int, spread: float = 1.0) -> torch.Tensor:
    """Return normal numbers of this standard deviation, with all digits of float64."""
    return torch.from_numpy(rng.normal(0.0, spread, shape))


def agreed(by_library: torch.Tensor, by_hand: list) -> torch.Tensor:
    """Return what PyTorch computed, which the computation by hand must confirm."""
    largest = max(1.0, float(by_library.detach().abs().max()))
    return confirmed(by_library.detach(), np.array(by_hand).reshape(by_library.shape), AGREEMENT * largest)


def agreed_texts(one: Texts, other: Texts) -> torch.Tensor:
    """Return texts that were found in two ways.

    Raises:
        ReferenceDataError: the two differ.
    """
    if one != other:
        raise ReferenceDataError(f"the two oracles disagree: {one} and {other}")
    return pack_texts(one)


# --- The tokenizer ------------------------------------------------------------------------------------------

MARKS = ".,!?;:"
UNKNOWN = "<unk>"


def tokens_by_character(text: str) -> list[str]:
    """Return the tokens of a text, found character by character."""
    tokens, word = [], ""
    for character in f"{text} ":
        if character in MARKS or character.isspace():
            tokens += [word] if word else []
            tokens += [character] if character in MARKS else []
            word = ""
        else:
            word += character
    return tokens


def tokens_by_pattern(text: str) -> list[str]:
    """Return the tokens of a text, split at spaces that are put around marks first."""
    return re.sub(f"([{MARKS}])", r" \1 ", text).split()


def written(tokens: Sequence[str]) -> tuple[str, str]:
    """Return the text of tokens, written in two ways."""
    text = ""
    for token in tokens:
        text += token if token in MARKS or not text else f" {token}"
    return text, re.sub(f" ([{MARKS}])", r"\1", " ".join(tokens))


def tokenized(arguments: dict, weights: dict, options: dict) -> dict[str, torch.Tensor]:
    """Return what a tokenizer of a corpus makes of a text."""
    corpus, text = (unpack_texts(value) for value in arguments.values())
    found = []
    for split in (tokens_by_character, tokens_by_pattern):
        known = {UNKNOWN, *split(corpus)}
        found.append(([token if token in known else UNKNOWN for token in split(text)], sorted(known)))
    (tokens, known), (also_tokens, also_known) = found
    return {
        "what encode gives": agreed_texts(tokens, also_tokens),
        "vocab": agreed_texts(known, also_known),
        "what decode gives": agreed_texts(*written(tokens)),
        "what decode gives for the ids in reverse": agreed_texts(*written(tokens[::-1])),
    }


# --- Byte-pair encoding -------------------------------------------------------------------------------------


def merges_of_lists(words: list[str], num_merges: int) -> list[list[str]]:
    """Learn merges on lists of symbols, counting every pair anew each time."""
    split, merges = [list(word) for word in words], []
    for _ in range(num_merges):
        pairs = [pair for symbols in split for pair in pairwise(symbols)]
        if not pairs:
            break
        best = max(dict.fromkeys(pairs), key=pairs.count)
        merges.append(list(best))
        for symbols in split:
            place = 0
            while place < len(symbols) - 1:
                if (symbols[place], symbols[place + 1]) == best:
                    symbols[place : place + 2] = ["".join(best)]
                place += 1
    return merges


def merges_of_text(words: list[str], num_merges: int) -> list[list[str]]:
    """Learn merges on one text, in which symbols end with a tab and words with a newline."""
    text, merges = "".join("".join(f"{letter}\t" for letter in word) + "\n" for word in words), []
    for _ in range(num_merges):
        found = re.findall(r"(?<![^\t\n])(?=([^\t\n]+)\t([^\t\n]+)\t)", text)
        if not found:
            break
        most = max(found.count(pair) for pair in found)
        first = next(pair for pair in found if found.count(pair) == most)
        merges.append(list(first))
        pattern = rf"(?<![^\t\n]){re.escape(first[0])}\t{re.escape(first[1])}\t"
        text = re.sub(pattern, re.escape("".join(first)) + r"\t", text)
    return merges


def merged(arguments: dict, weights: dict, options: dict) -> torch.Tensor:
    """Return the merges that are learned from a list of words."""
    words = unpack_texts(arguments["words"])
    return agreed_texts(merges_of_lists(words, **options), merges_of_text(words, **options))


# --- Numbers ------------------------------------------------------------------------------------------------


def dot(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the dot product of two rows, exactly summed."""
    return math.fsum(a * b for a, b in zip(one, other, strict=True))


def product(rows: Rows, matrix: Rows) -> Rows:
    """Return a matrix product."""
    return [[dot(row, column) for column in zip(*matrix, strict=True)] for row in rows]


def shifted(rows: Rows, bias: list[float]) -> Rows:
    """Return rows with a bias added to each."""
    return [[a + b for a, b in zip(row, bias, strict=True)] for row in rows]


def shares(scores: Sequence[float]) -> list[float]:
    """Return the softmax of a row."""
    powers = [math.exp(score - max(scores)) for score in scores]
    return [power / math.fsum(powers) for power in powers]


def encoded_positions(arguments: dict, weights: dict, options: dict) -> torch.Tensor:
    """Return the positional encoding (seq_len, d): real and imaginary parts of turning arrows."""
    seq_len, d, n = options["seq_len"], options["d"], options.get("n", 10000)
    pairs = torch.arange(0, d, 2, dtype=torch.float64)
    turns = torch.outer(torch.arange(seq_len, dtype=torch.float64), torch.exp(-math.log(n) * pairs / d))
    arrows = torch.polar(torch.ones_like(turns), turns)
    table = torch.stack((arrows.imag, arrows.real), dim=2).flatten(1)[:, :d]
    by_hand = [
        [(math.cos if k % 2 else math.sin)(pos / n ** ((k - k % 2) / d)) for k in range(d)]
        for pos in range(seq_len)
    ]
    return agreed(table, by_hand)


def softmax(arguments: dict, weights: dict, options: dict) -> torch.Tensor:
    """Return the softmax along an axis."""
    x, axis = arguments["x"].detach(), options.get("axis", -1)
    moved = x.movedim(axis, -1)
    rows = [shares(row) for row in moved.reshape(-1, moved.shape[-1]).tolist()]
    by_hand = torch.tensor(rows, dtype=torch.float64).reshape(moved.shape).movedim(-1, axis)
    return confirmed(torch.softmax(x, dim=axis), by_hand, AGREEMENT)


def attention(
    embeddings: torch.Tensor, head: Sequence[torch.Tensor], causal: bool
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return output and weights of one head."""
    query, key, value = (embeddings.detach() @ matrix.detach() for matrix in head)
    output = F.scaled_dot_product_attention(query[None], key[None], value[None], is_causal=causal)[0]
    ones = torch.eye(len(embeddings), dtype=torch.float64)
    weights = F.scaled_dot_product_attention(query[None], key[None], ones[None], is_causal=causal)[0]
    queries, keys, values = (product(embeddings.tolist(), matrix.tolist()) for matrix in head)
    rows = []
    for i, one in enumerate(queries):
        seen = keys[: i + 1] if causal else keys
        row = shares([dot(one, other) / math.sqrt(len(one)) for other in seen])
        rows.append(row + [0.0] * (len(keys) - len(row)))
    return agreed(output, product(rows, values)), agreed(weights, rows)


def self_attention(arguments: dict, weights: dict, options: dict) -> dict[str, torch.Tensor]:
    """Return output and weights of self-attention."""
    embeddings, *head = arguments.values()
    output, shares_of_keys = attention(embeddings, head, options.get("causal", True))
    return {"output": output, "weights": shares_of_keys}


def multi_head(arguments: dict, weights: dict, options: dict) -> torch.Tensor:
    """Return the heads' outputs side by side, mixed by W_O."""
    embeddings, *matrices, mix = arguments.values()
    causal = options.get("causal", True)
    heads = [attention(embeddings, matrices[i : i + 3], causal)[0] for i in range(0, len(matrices), 3)]
    side_by_side = torch.cat(heads, dim=1)
    return agreed(side_by_side @ mix, product(side_by_side.tolist(), mix.tolist()))


def fed_forward(arguments: dict, weights: dict, options: dict) -> torch.Tensor:
    """Return two linear layers with a ReLU between them."""
    x, W1, b1, W2, b2 = (value.detach() for value in arguments.values())
    by_library = F.linear(F.relu(F.linear(x, W1.T, b1)), W2.T, b2)
    inner = shifted(product(x.tolist(), W1.tolist()), b1.tolist())
    kept = [[max(0.0, number) for number in row] for row in inner]
    return agreed(by_library, shifted(product(kept, W2.tolist()), b2.tolist()))


def skip_gram(arguments: dict, weights: dict, options: dict) -> dict[str, torch.Tensor]:
    """Return one step of gradient descent on the loss of a pair of words and its negatives."""
    W_in, W_out = (arguments[name].detach().clone().requires_grad_() for name in ("W_in", "W_out"))
    center, context = (int(arguments[name]) for name in ("center", "context"))
    negatives, lr = arguments["negatives"].tolist(), float(arguments["lr"].detach())
    signed = [(context, 1.0), *((word, -1.0) for word in negatives)]
    loss = -sum(F.logsigmoid(sign * (W_out[word] @ W_in[center])) for word, sign in signed)
    loss.backward()
    moved = {"W_in": W_in - lr * W_in.grad, "W_out": W_out - lr * W_out.grad}
    by_hand = skip_gram_by_hand(W_in.tolist(), W_out.tolist(), center, signed, lr)
    return {name: agreed(value, by_hand[name]) for name, value in (moved | {"loss": loss}).items()}


def skip_gram_by_hand(W_in: Rows, W_out: Rows, center: int, signed: list, lr: float) -> dict[str, object]:
    """Return the same step, number by number."""
    v, moved_in, moved_out = W_in[center], [*map(list, W_in)], [*map(list, W_out)]
    loss = 0.0
    for word, sign in signed:
        share = 1.0 / (1.0 + math.exp(-dot(W_out[word], v)))
        loss -= math.log(share if sign > 0 else 1.0 - share)
        error = share - (sign > 0)
        for k in range(len(v)):
            moved_in[center][k] -= lr * error * W_out[word][k]
            moved_out[word][k] -= lr * error * v[k]
    return {"W_in": moved_in, "W_out": moved_out, "loss": [loss]}


# --- Visible cases ------------------------------------------------------------------------------------------

CORPUS = "The cat sat on the mat. The dog sat on the log, and the cat ran!"


def texts(**given: Texts) -> dict[str, torch.Tensor]:
    """Return texts as the tensors that stand for them."""
    return {name: pack_texts(value) for name, value in given.items()}


def counted(solved: Solved) -> Solved:
    """Return a case in which the ids have to count up in the order of first appearance as well."""
    return replace(solved, flags={Flag.COUNTED: True})


def tokenizer_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``SimpleTokenizer``."""
    marked = "Wait: why? Because; well, don't ask! It's a well-known (old) snake_trick with an _ in it, no?"
    unlike = 'A "naïve" café, the 2nd of 1984; 3.14 is in it: <b>bold</b>'
    return [
        counted(pose(rng, name, shows, tokenized, arguments=texts(corpus=corpus, text=text)))
        for name, shows, corpus, text in (
            ("known words", "words that the corpus has", CORPUS, "the dog sat on the mat"),
            ("punctuation", "marks behind words", CORPUS, "The cat ran, the dog sat. The log!"),
            ("unknown words", "two words that the corpus does not have", CORPUS, "the bird sat on a log."),
            ("capital letters", "'The' and 'the' are two tokens", CORPUS, "the The Cat DOG"),
            ("all six marks", "the marks . , ! ? ; : and words with ' and - and ( in them", marked, marked),
            ("digits and the like", "digits, quotes, letters with accents", unlike, unlike),
            (
                "spaces",
                "several spaces, a tab and line ends",
                " one  two\n\ttwo,one .\r\n",
                "two   one\r\n.\t two ",
            ),
            ("two marks", "marks that stand side by side", "What?! Yes...", "Yes?! What... ,no"),
            ("empty text", "an empty text: no tokens", "a b", ""),
            ("empty corpus", "an empty corpus: every token is unknown", "", "a, b."),
        )
    ]


def positional_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``positional_encoding``."""
    return [
        pose(rng, name, shows, encoded_positions, options=options, positional=positional)
        for name, shows, options, positional in (
            ("six tokens", "6 positions, d 4", {"seq_len": 6, "d": 4}, False),
            ("odd d", "5 positions, d 7", {"seq_len": 5, "d": 7}, False),
            ("another n", "6 positions, d 4, n 100", {"seq_len": 6, "d": 4, "n": 100}, False),
            ("by position", "7 positions, d 5, n 50, by position", {"seq_len": 7, "d": 5, "n": 50}, True),
            ("one token", "1 position, d 4: sines 0, cosines 1", {"seq_len": 1, "d": 4}, False),
            ("one feature", "4 positions, d 1: one sine", {"seq_len": 4, "d": 1}, False),
            ("wide", "3 positions, d 12, n 50000", {"seq_len": 3, "d": 12, "n": 50000}, False),
            ("small n", "4 positions, d 8, n 3", {"seq_len": 4, "d": 8, "n": 3}, False),
        )
    ]


def softmax_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``softmax``."""
    large = torch.tensor([[995.5, 999.0, 1000.0], [1000.0, 996.0, 999.5], [-1000.0, -998.5, -1000.0]])
    outliers = torch.tensor(
        [[-1000.0, 990.0, 1000.0, -999.0, -1000.0], [-1000.0, -12.0, -10.5, -11.0, -999.0]]
    )
    apart = torch.tensor([[-1000.0, 1000.0, 5.0], [-999.0, 998.5, 5.5]])
    hidden_future = torch.tensor([[0.5, -math.inf, -math.inf], [0.2, 1.0, -math.inf], [1.0, 2.0, 3.0]])
    return [
        pose_arrays(rng, name, shows, softmax, arguments={"x": x}, options=options, positional=positional)
        for name, shows, x, options, positional in (
            ("square", "3 rows of 3", drawn(rng, 3, 3, spread=1.5), {}, False),
            ("wide", "2 rows of 4", drawn(rng, 2, 4, spread=1.5), {}, False),
            ("columns", "3 rows of 4, along axis 0", drawn(rng, 3, 4, spread=1.5), {"axis": 0}, False),
            (
                "by position",
                "3 rows of 3, axis 1 by position",
                drawn(rng, 3, 3, spread=1.5),
                {"axis": 1},
                True,
            ),
            ("one row", "5 numbers, a single axis", drawn(rng, 5, spread=1.5), {}, False),
            ("three axes", "2 matrices of 3 by 4", drawn(rng, 2, 3, 4, spread=1.5), {}, False),
            (
                "the middle axis",
                "(2, 3, 3), along axis 1",
                drawn(rng, 2, 3, 3, spread=1.5),
                {"axis": 1},
                False,
            ),
            ("the first of three", "(2, 3, 4), axis 0", drawn(rng, 2, 3, 4, spread=1.5), {"axis": 0}, False),
            ("one row of a matrix", "1 row of 4", drawn(rng, 1, 4, spread=1.5), {}, False),
            ("one number a row", "3 rows of a single number: all 1", drawn(rng, 3, 1), {}, False),
            ("large scores", "scores near 1000 and -1000", large, {}, False),
            ("outliers", "rows with scores near -1000 beside much larger ones", outliers, {}, False),
            ("columns far apart", "large scores, along axis 0", apart, {"axis": 0}, False),
            ("minus infinity", "hidden scores are minus infinity", hidden_future, {}, False),
        )
    ]


def of_head(rng: np.random.Generator, d: int, d_k: int, d_v: int, spread: float = 0.7) -> list[torch.Tensor]:
    """Return the three matrices of a head."""
    return [drawn(rng, d, width, spread=spread) for width in (d_k, d_k, d_v)]


def for_attention(
    rng: np.random.Generator, tokens: int, d: int, d_k: int, d_v: int, spread: float = 0.7
) -> dict[str, torch.Tensor]:
    """Return embeddings and the matrices of one head."""
    names = ("W_Q", "W_K", "W_V")
    matrices = of_head(rng, d, d_k, d_v, spread)
    return {"embeddings": drawn(rng, tokens, d)} | dict(zip(names, matrices, strict=True))


def lecture() -> dict[str, torch.Tensor]:
    """Return the embeddings and matrices of the lecture whose numbers the chapter shows."""
    draws = np.random.RandomState(1234)  # what np.random.seed(1234) makes of the global generator
    embeddings = np.stack([draws.rand(3) for _ in range(4)])
    matrices = {name: draws.random_sample((4, 3)).T.copy() for name in ("W_Q", "W_K", "W_V")}
    return {"embeddings": torch.from_numpy(embeddings)} | {
        name: torch.from_numpy(matrix) for name, matrix in matrices.items()
    }


# Scores before the scale, zeros on both sides of the diagonal among them.
SOME_ZEROS = torch.tensor(
    [[1.0, 0.0, 2.0, 0.0], [0.0, 1.5, 0.0, -1.0], [0.5, 0.0, -1.0, 0.0], [0.0, 2.0, 0.0, 1.0]],
    dtype=torch.float64,
)
ZEROS, ZEROS_SHOW = "scores of 0", "4 tokens; some scores are 0, before the diagonal and after it"


def with_zeros(head: str, scores: torch.Tensor) -> dict[str, torch.Tensor]:
    """Return embeddings, and the matrices W_Q and W_K of a head, that give just these scores."""
    ones = torch.eye(len(scores), dtype=torch.float64)
    return {"embeddings": ones, f"{head}W_Q": scores.clone(), f"{head}W_K": ones.clone()}


def loud_cases(
    rng: np.random.Generator, oracle: Callable, draw: Callable[[], dict[str, torch.Tensor]]
) -> list[Solved]:
    """Return two cases of attention with large scores; in one the first token sees scores far below 0."""
    cases = []
    for name, shows, first in (
        ("large scores", "scores up to 1000, either way", 1.0),
        ("far below 0", "the first token's score with itself is near -1000", 12.0),
    ):
        given = draw()
        queries, keys = (next(name for name in given if name.endswith(end)) for end in ("W_Q", "W_K"))
        given["embeddings"][0] *= first
        embeddings, W_Q, W_K = (given[name].double() for name in ("embeddings", queries, keys))
        scores = (embeddings @ W_Q) @ (embeddings @ W_K).T / math.sqrt(W_K.shape[1])
        given[queries] *= float(-0.999 * LARGEST / (scores.abs().max() * scores[0, 0].sign()))
        cases.append(pose_arrays(rng, name, shows, oracle, arguments=given))
    return cases


def self_attention_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``self_attention``."""
    lecture_shows = "the lecture's four tokens, no mask"
    cases = [
        pose_arrays(
            rng, "lecture", lecture_shows, self_attention, arguments=lecture(), options={"causal": False}
        )
    ]
    for name, shows, sizes, options, positional in (
        ("causal", "5 tokens, d 4, d_k 3, d_v 6", (5, 4, 3, 6), {}, False),
        ("without a mask", "the same sizes, causal=False", (5, 4, 3, 6), {"causal": False}, False),
        ("by position", "4 tokens, all sizes 4, True by position", (4, 4, 4, 4), {"causal": True}, True),
        ("all equal, no mask", "4 tokens, all sizes 4, no mask", (4, 4, 4, 4), {"causal": False}, True),
        ("one token", "1 token: it sees itself alone", (1, 3, 2, 4), {}, False),
        ("wide keys", "6 tokens, d 3, d_k 9, d_v 2", (6, 3, 9, 2), {"causal": True}, False),
        ("width 1", "4 tokens, d 3, d_k 1, d_v 1", (4, 3, 1, 1), {}, False),
    ):
        given = for_attention(rng, *sizes)
        cases.append(
            pose_arrays(
                rng, name, shows, self_attention, arguments=given, options=options, positional=positional
            )
        )
    cases += loud_cases(rng, self_attention, lambda: for_attention(rng, 7, 5, 6, 3))
    given = for_attention(rng, 4, 4, 4, 3) | with_zeros("", SOME_ZEROS)
    return [*cases, pose_arrays(rng, ZEROS, ZEROS_SHOW, self_attention, arguments=given)]


def for_heads(
    rng: np.random.Generator, tokens: int, d: int, d_k: int, d_v: int, count: int, d_out: int
) -> dict[str, torch.Tensor]:
    """Return embeddings, the matrices of several heads, and W_O."""
    given = {"embeddings": drawn(rng, tokens, d)}
    for i in range(count):
        for name, matrix in zip(("W_Q", "W_K", "W_V"), of_head(rng, d, d_k, d_v), strict=True):
            given[f"heads.{i}.{name}"] = matrix
    return given | {"W_O": drawn(rng, count * d_v, d_out, spread=0.7)}


def multi_head_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``multi_head_attention``."""
    cases = [
        pose_arrays(
            rng,
            name,
            shows,
            multi_head,
            arguments=for_heads(rng, *sizes),
            options=options,
            positional=positional,
        )
        for name, shows, sizes, options, positional in (
            ("two heads", "5 tokens, d 4, 2 heads, d_k 3, d_v 2, d_out 6", (5, 4, 3, 2, 2, 6), {}, False),
            ("no mask", "5 tokens, d 4, 3 heads, causal=False", (5, 4, 2, 3, 3, 5), {"causal": False}, False),
            ("all equal", "4 tokens, d 4, 2 heads of 2, d_out 4", (4, 4, 2, 2, 2, 4), {"causal": True}, True),
            ("no mask, by position", "all sizes equal, no mask", (4, 4, 2, 2, 2, 4), {"causal": False}, True),
            ("one head", "6 tokens, d 3, 1 head", (6, 3, 2, 4, 1, 3), {}, False),
            ("one token", "1 token, d 3, 2 heads", (1, 3, 2, 2, 2, 3), {}, False),
        )
    ]
    cases += loud_cases(rng, multi_head, lambda: for_heads(rng, 5, 4, 3, 2, 2, 3))
    given = for_heads(rng, 4, 4, 4, 3, 2, 5) | with_zeros("heads.0.", SOME_ZEROS)
    given |= with_zeros("heads.1.", SOME_ZEROS.flip(0, 1))
    return [*cases, pose_arrays(rng, ZEROS, f"{ZEROS_SHOW}, 2 heads", multi_head, arguments=given)]


def for_feeding(
    rng: np.random.Generator, tokens: int, d: int, d_ff: int, spread: float = 1.0
) -> dict[str, torch.Tensor]:
    """Return x, and the weights and biases of two layers."""
    return {
        "x": drawn(rng, tokens, d, spread=spread),
        "W1": drawn(rng, d, d_ff),
        "b1": drawn(rng, d_ff),
        "W2": drawn(rng, d_ff, d),
        "b2": drawn(rng, d),
    }


def feed_forward_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``feed_forward``."""
    return [
        pose_arrays(rng, name, shows, fed_forward, arguments=for_feeding(rng, *sizes))
        for name, shows, sizes in (
            ("wider inside", "5 tokens, d 3, d_ff 12", (5, 3, 12)),
            ("all equal", "4 tokens, d 4, d_ff 4", (4, 4, 4)),
            ("one token", "1 token, d 4, d_ff 6", (1, 4, 6)),
            ("narrow inside", "6 tokens, d 5, d_ff 2", (6, 5, 2)),
            ("large numbers", "3 tokens whose features are far from 0", (3, 4, 5, 300.0)),
        )
    ]


def bpe_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``bpe_merges``."""
    lows = ["low"] * 5 + ["lower"] * 2 + ["newest"] * 6 + ["widest"] * 3
    return [
        pose(rng, name, shows, merged, arguments=texts(words=words), options=options, positional=positional)
        for name, shows, words, options, positional in (
            ("one word", "'banana', 2 merges", ["banana"], {"num_merges": 2}, False),
            ("counted", "16 words, 4 different ones, 6 merges", lows, {"num_merges": 6}, False),
            (
                "ties",
                "pairs that are there equally often: the first one wins",
                ["abc", "dab", "cde"],
                {"num_merges": 3},
                True,
            ),
            (
                "tie of words",
                "a pair of two words, and one of a word that is there twice",
                ["abx", "cd", "aby", "cd"],
                {"num_merges": 3},
                False,
            ),
            ("capital letters", "'T' and 't' differ", ["The", "the", "he", "The"], {"num_merges": 3}, False),
            ("overlapping", "'aaa' and the like", ["aaaa", "baaa", "aa", "bab"], {"num_merges": 4}, False),
            ("counted twice", "'aaa' holds a pair twice", ["aaa", "xy", "xy"], {"num_merges": 2}, False),
            (
                "late tie",
                "a pair that gets ahead later, and one that came first",
                ["xy", "zw", "zw", "xy", "zv", "xyz"],
                {"num_merges": 3},
                False,
            ),
            (
                "across words",
                "('b', 'c') stands only where two words meet",
                ["ab", "cd", "ab", "cd"],
                {"num_merges": 3},
                False,
            ),
            (
                "nothing left",
                "more merges asked for than there are pairs",
                ["hi", "ho", "a"],
                {"num_merges": 9},
                False,
            ),
            ("no merges", "'banana', 0 merges", ["banana"], {"num_merges": 0}, True),
            ("no words", "an empty list of words", [], {"num_merges": 2}, False),
            ("full stops", "words that end in a full stop", ["a.", "a.", "ab"], {"num_merges": 2}, False),
            (
                "same letters, other symbols",
                "('a', 'bc') and ('ab', 'c') are two pairs",
                ["abc", "ab", "ab", "bc", "abcbc", "bc", "bcd", "abcd"],
                {"num_merges": 6},
                False,
            ),
            (
                "a symbol inside another",
                "('a', 'b') wins where 'a', 'bc' stands, too",
                ["bc", "bc", "bc", "bc", "abc", "ab", "ab", "ab"],
                {"num_merges": 4},
                False,
            ),
            (
                "marks",
                "marks in the words",
                ["a.", "a.", "ax", "b+", "b+", "bb", "c_", "c_", "c_"],
                {"num_merges": 3},
                False,
            ),
        )
    ]


def for_skip_gram(
    rng: np.random.Generator,
    sizes: tuple[int, int] | tuple[int, int, float],
    step: tuple[int, int, list[int], float],
) -> dict[str, torch.Tensor]:
    """Return two matrices of embeddings and what a step is made of: center, context, negatives, lr."""
    center, context, negatives, lr = step
    words, d, spread = (*sizes, 0.6)[:3]
    return {
        "W_in": drawn(rng, words, d, spread=spread),
        "W_out": drawn(rng, words, d, spread=spread),
        "center": torch.tensor(center),
        "context": torch.tensor(context),
        "negatives": torch.tensor(negatives, dtype=torch.int64),
        "lr": torch.tensor(lr, dtype=torch.float64),
    }


def skip_gram_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``skip_gram_step``."""
    return [
        pose_arrays(
            rng,
            name,
            shows,
            skip_gram,
            arguments=for_skip_gram(rng, sizes, step),
        )
        for name, shows, sizes, *step in (
            ("one negative", "6 words, d 4, 1 negative", (6, 4), 0, 2, [4], 0.5),
            ("three negatives", "7 words, d 3, 3 negatives", (7, 3), 5, 1, [0, 3, 6], 0.1),
            ("no negative", "4 words, d 3, no negative", (4, 3), 1, 2, [], 0.25),
            ("a negative twice", "5 words, d 5, one negative twice", (5, 5), 3, 0, [2, 2, 4], 0.3),
            (
                "context among the negatives",
                "5 words, d 4, the context drawn as a negative",
                (5, 4),
                4,
                1,
                [1, 3],
                0.4,
            ),
            ("context is center", "a word beside itself, 4 words, d 4", (4, 4), 2, 2, [0, 3], 0.7),
            ("learning rate 1", "6 words, d 2, lr 1", (6, 2), 1, 5, [1, 0], 1.0),
            ("learning rate 0", "5 words, d 3, lr 0: nothing moves", (5, 3), 2, 4, [0], 0.0),
            ("one number a word", "4 words, d 1, lr 2", (4, 1), 3, 0, [1, 2], 2.0),
            ("larger numbers", "5 words, d 2, numbers above 2", (5, 2, 1.3), 0, 3, [4, 2], 0.3),
            ("one word", "1 word, which is all there is", (1, 3), 0, 0, [0], 0.2),
            (
                "far apart",
                "5 words, d 3, dot products beyond 6, either way",
                (5, 3, 2.2),
                2,
                0,
                [1, 3, 4],
                0.1,
            ),
        )
    ]


MAKERS: dict[str, Callable[[np.random.Generator], list[Solved]]] = {
    "ch08-tokenizer": tokenizer_cases,
    "ch08-positional-encoding": positional_cases,
    "ch08-softmax": softmax_cases,
    "ch08-self-attention": self_attention_cases,
    "ch08-multi-head": multi_head_cases,
    "ch08-feed-forward": feed_forward_cases,
    "ch08-bpe": bpe_cases,
    "ch08-skip-gram": skip_gram_cases,
}


def solved_cases(seed: int) -> dict[str, list[Solved]]:
    """Return every exercise's cases, drawn from ``seed``, with the oracle's answers."""
    return {
        name: make(np.random.default_rng([seed, number]))
        for number, (name, make) in enumerate(MAKERS.items())
    }


# --- What only grading uses ---------------------------------------------------------------------------------


def word(rng: np.random.Generator, letters: str, low: int, high: int) -> str:
    """Return a word of so many letters."""
    return "".join(rng.choice(list(letters), int(rng.integers(low, high + 1))))


def hidden_tokenizer(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``SimpleTokenizer``: made-up words."""
    cases = []
    for name, count in ((OTHER_NUMBERS, 12), (LARGER, 60)):
        words = [word(rng, "aeioulnrstTKM'-", 2, 6) for _ in range(count // 2)]
        sentences = [
            "".join(f" {rng.choice(pool)}{rng.choice(['', '', *MARKS])}" for _ in range(count)).strip()
            for pool in (words, [*words, "zzz", "Zoo"])
        ]
        given = texts(corpus=sentences[0], text=sentences[1])
        cases.append(counted(hidden(rng, name, tokenized, arguments=given)))
    return cases


def hidden_positional(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``positional_encoding``."""
    tokens, even = one_size(rng, 8, 12), 2 * one_size(rng, 4, 5)
    sizes = {
        OTHER_NUMBERS: {"seq_len": 6, "d": 4, "n": int(rng.integers(200, 900))},
        OTHER_SIZES: {"seq_len": tokens, "d": even + 1},
        LARGER: {"seq_len": tokens + 250, "d": 3},
    }
    return [hidden(rng, name, encoded_positions, options=options) for name, options in sizes.items()]


def hidden_softmax(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``softmax``."""
    size, many = one_size(rng), one_size(rng, 8, 11)
    cases = [
        hidden_arrays(rng, name, softmax, arguments={"x": drawn(rng, *shape, spread=1.5)}, options=options)
        for name, shape, options in (
            (OTHER_NUMBERS, (3, 3), {}),
            (EQUAL_SIZES, (size, size, size), {"axis": -2}),
            (LEADING_AXES, (2, 3, many, many), {}),
        )
    ]
    large = drawn(rng, size, size, spread=300.0).clamp(-LARGEST, LARGEST)
    return [*cases, hidden_arrays(rng, LARGE, softmax, arguments={"x": large}, options={"axis": 0})]


def hidden_self_attention(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``self_attention``."""
    size = one_size(rng)
    sizes = {
        OTHER_NUMBERS: ((5, 4, 3, 6), {}),
        OTHER_SIZES: (other_sizes(rng, 4), {"causal": False}),
        EQUAL_SIZES: ((size,) * 4, {"causal": True}),
        LARGER: ((one_size(rng, 12, 15), 7, 5, 4), {}),
    }
    return [
        hidden_arrays(rng, name, self_attention, arguments=for_attention(rng, *given), options=options)
        for name, (given, options) in sizes.items()
    ]


def hidden_multi_head(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``multi_head_attention``."""
    tokens, d, d_k, d_v, d_out = other_sizes(rng, 5)
    sizes = {
        OTHER_NUMBERS: ((5, 4, 3, 2, 2, 6), {}),
        OTHER_SIZES: ((tokens, d, d_k, d_v, 4, d_out), {"causal": False}),
        LARGER: ((tokens + 6, d, d_k, d_v, 5, d_out), {"causal": True}),
    }
    return [
        hidden_arrays(rng, name, multi_head, arguments=for_heads(rng, *given), options=options)
        for name, (given, options) in sizes.items()
    ]


def hidden_feed_forward(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``feed_forward``."""
    size = one_size(rng)
    sizes = {OTHER_NUMBERS: (5, 3, 12), OTHER_SIZES: other_sizes(rng, 3), EQUAL_SIZES: (size,) * 3}
    return [
        hidden_arrays(rng, name, fed_forward, arguments=for_feeding(rng, *given))
        for name, given in sizes.items()
    ]


def hidden_bpe(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``bpe_merges``: made-up words of few letters."""
    cases = []
    for name, count, letters in ((OTHER_NUMBERS, 12, "abc"), (LARGER, 40, "abcde")):
        words = [word(rng, letters, 2, 6) for _ in range(count // 2)]
        given = texts(words=[str(one) for one in rng.choice(words, count)])
        cases.append(hidden(rng, name, merged, arguments=given, options={"num_merges": count // 3}))
    return cases


def hidden_skip_gram(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``skip_gram_step``."""
    cases = []
    for name, (words, d) in ((OTHER_NUMBERS, (6, 4)), (OTHER_SIZES, other_sizes(rng, 2)), (LARGER, (20, 8))):
        center, context, *negatives = (int(one) for one in rng.integers(0, words, 6))
        given = for_skip_gram(
            rng, (words, d), (center, context, [*negatives, negatives[0]], float(rng.integers(1, 20)) / 20)
        )
        cases.append(hidden_arrays(rng, name, skip_gram, arguments=given))
    return cases


HIDDEN_MAKERS: dict[str, Callable[[np.random.Generator], list[Solved]]] = {
    "ch08-tokenizer": hidden_tokenizer,
    "ch08-positional-encoding": hidden_positional,
    "ch08-softmax": hidden_softmax,
    "ch08-self-attention": hidden_self_attention,
    "ch08-multi-head": hidden_multi_head,
    "ch08-feed-forward": hidden_feed_forward,
    "ch08-bpe": hidden_bpe,
    "ch08-skip-gram": hidden_skip_gram,
}


def grading_cases(seed: int) -> dict[str, list[Solved]]:
    """Return the cases that only grading uses, drawn from a course's seed."""
    return drawn_for_grading(seed, HIDDEN_MAKERS)
