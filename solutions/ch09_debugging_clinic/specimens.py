"""The twelve specimens of chapter 9: the code with a bug as the chapter shows it, and what is right.

What is right is computed in NumPy, one row or one number at a time. The code with a bug is kept as a learner
reads it, without types.
"""

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from grader.exercises.specimen import DEVICE, REAL, WHOLE, Argument, Silence, Specimen
from grader.messages import Message, message

# The sentence of the course, from which the global of case 4 was computed.
SENTENCE = (
    (0.43, 0.15, 0.89),
    (0.55, 0.87, 0.66),
    (0.57, 0.85, 0.64),
    (0.22, 0.58, 0.33),
    (0.77, 0.25, 0.10),
    (0.05, 0.80, 0.55),
)
# Of case 6: the layer's numbers, from 3 features to 2.
LAYER_WEIGHT = ((0.5, -0.25, 1.0), (-0.75, 0.5, 0.25))
LAYER_BIAS = (0.1, -0.2)
# Of case 10: three tokens.
THREE_TOKENS = ((1.0, 2.0), (0.5, -1.0), (2.0, 0.0))


def _array(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().numpy()


def _shares(row: np.ndarray) -> np.ndarray:
    """Return the softmax of one row."""
    powers = np.exp(row - row.max())
    return powers / powers.sum()


def _rows(scores: np.ndarray) -> np.ndarray:
    """Return the softmax of each row of a matrix."""
    return np.array([_shares(row) for row in scores])


def _causal_rows(scores: np.ndarray) -> np.ndarray:
    """Return the softmax of each row of a square matrix up to its diagonal, and 0 after it."""
    weights = np.zeros_like(scores)
    for i, row in enumerate(scores):
        weights[i, : i + 1] = _shares(row[: i + 1])
    return weights


def _causal_context(tokens: np.ndarray) -> np.ndarray:
    """Return causal self-attention of tokens that are query, key and value in one."""
    return _causal_rows(tokens @ tokens.T / np.sqrt(tokens.shape[1])) @ tokens


def _alike(tensor: torch.Tensor, axis: int) -> bool:
    """Return whether nothing changes along an axis."""
    return bool((tensor == tensor.narrow(axis, 0, 1)).all())


def _same_sums(scores: torch.Tensor) -> bool:
    """Return whether the exponentials of all rows, and those of all columns, have one sum."""
    sums = torch.cat([scores.logsumexp(0), scores.logsumexp(1)])
    return torch.allclose(sums, sums[:1], atol=1e-6)


def _one_token(x: torch.Tensor, *_others: object) -> bool:
    return x.shape[-2] == 1


# --- 1: a softmax down the columns --------------------------------------------------------------------------


def _bug_01(scores):
    return torch.softmax(scores, dim=0)


def _right_01(scores):
    return _rows(_array(scores))


SPECIMEN_01 = Specimen(
    arguments=(Argument("scores", (("T_q", "T_k"),)),),
    bug=_bug_01,
    right=_right_01,
    silences=(
        Silence(lambda s: s.numel() == 1, message("One number alone gets the weight 1 along either axis.")),
        Silence(
            lambda s: _alike(s, 0) and _alike(s, 1),
            message("All scores are equal, in as many rows as columns: every weight is the same either way."),
        ),
        Silence(
            lambda s: torch.equal(s, s.T) and _same_sums(s),
            message(
                "Your scores are symmetric, and the exponentials of every row have the same sum: "
                "dividing by the "
                "sum of a row or by that of a column is the same."
            ),
        ),
        Silence(
            _same_sums,
            message(
                "The exponentials of every row and of every column have the same sum: it does not show "
                "which of "
                "the two a weight was divided by."
            ),
        ),
        Silence(
            lambda s: True,
            message(
                "Wherever a weight is not close to 0, its row and its column have nearly the same sum of "
                "exponentials: either way the weight is the same."
            ),
        ),
    ),
)


# --- 2: a product without a transpose -----------------------------------------------------------------------


def _bug_02(query, key):
    return query @ key


def _right_02(query, key):
    return np.array([[np.dot(q, k) for k in _array(key)] for q in _array(query)])


SPECIMEN_02 = Specimen(
    arguments=(Argument("query", (("T_q", "d_k"),)), Argument("key", (("T_k", "d_k"),))),
    bug=_bug_02,
    right=_right_02,
    silences=(
        Silence(lambda q, k: not q.any() or not k.any(), message("Zeros times anything are zeros.")),
        Silence(
            lambda q, k: torch.equal(k, k.T),
            message("Your key is symmetric: it is the same matrix as its transpose."),
        ),
    ),
)


# --- 3: scaled by the number of tokens ----------------------------------------------------------------------


def _bug_03(query, key):
    return query @ key.T / query.shape[0] ** 0.5


def _right_03(query, key):
    width = key.shape[1]
    return np.array([[np.dot(q, k) / np.sqrt(width) for k in _array(key)] for q in _array(query)])


SPECIMEN_03 = Specimen(
    arguments=(Argument("query", (("T_q", "d_k"),)), Argument("key", (("T_k", "d_k"),))),
    bug=_bug_03,
    right=_right_03,
    silences=(
        Silence(
            lambda q, k: q.shape[0] == q.shape[1],
            message(
                "You have as many queries as a query has features, so both divisors are the same number."
            ),
        ),
        Silence(
            lambda q, k: not (q @ k.T).any(), message("All scores are 0, and 0 divided by anything is 0.")
        ),
        Silence(
            lambda q, k: True,
            message("All scores are nearly 0, and nearly 0 divided by anything is nearly 0."),
        ),
    ),
)


# --- 4: a global instead of the argument --------------------------------------------------------------------


def _bug_04(x):
    sentence = torch.tensor(SENTENCE, dtype=torch.float64)
    weights = torch.softmax(sentence @ sentence.T, dim=-1)  # computed once, outside of the function
    return weights @ x


def _right_04(x):
    tokens = _array(x)
    return np.array([_shares(tokens @ token) @ tokens for token in tokens])


SPECIMEN_04 = Specimen(
    arguments=(Argument("x", (("T", "d"),)),),
    bug=_bug_04,
    right=_right_04,
    silences=(
        Silence(
            lambda x: _alike(x, 0),
            message("All your tokens are the same: mixed in whatever shares, they give that token again."),
        ),
        Silence(
            lambda x: (
                tuple(x.shape) == (6, 3) and torch.allclose(x, torch.tensor(SENTENCE).double(), atol=1e-6)
            ),
            message("That is the sentence itself, from which the weights outside were computed."),
        ),
    ),
)


# --- 5: heads below each other ------------------------------------------------------------------------------


def _bug_05(heads):
    num_tokens = heads.shape[1]
    stacked = torch.cat(list(heads), dim=0)
    return stacked.view(num_tokens, -1)


def _right_05(heads):
    return np.array([[number for head in _array(heads) for number in head[t]] for t in range(heads.shape[1])])


SPECIMEN_05 = Specimen(
    arguments=(Argument("heads", (("h", "T", "head_dim"),)),),
    bug=_bug_05,
    right=_right_05,
    silences=(
        Silence(
            lambda heads: heads.shape[0] == 1, message("There is only one head: nothing stands beside it.")
        ),
        Silence(
            _one_token, message("There is only one token: all numbers belong to it, in the right order.")
        ),
        Silence(
            lambda heads: _alike(heads.flatten(), 0),
            message("All numbers are equal: nobody can see which stands where."),
        ),
    ),
)


# --- 6: a path that nobody ran ------------------------------------------------------------------------------


def _bug_06(x):
    layer = nn.Linear(3, 2, dtype=torch.float64)
    layer.weight.copy_(torch.tensor(LAYER_WEIGHT, dtype=torch.float64))
    layer.bias.copy_(torch.tensor(LAYER_BIAS, dtype=torch.float64))
    if x.dim() == 2:
        return layer(x)
    return x @ layer


def _right_06(x):
    flat = _array(x).reshape(-1, 3)
    weight, bias = np.array(LAYER_WEIGHT), np.array(LAYER_BIAS)
    rows = [[np.dot(row, token) + shift for row, shift in zip(weight, bias, strict=True)] for token in flat]
    return np.array(rows).reshape(*x.shape[:-1], 2)


SPECIMEN_06 = Specimen(
    arguments=(Argument("x", (("T", 3), ("b", "T", 3))),),
    bug=_bug_06,
    right=_right_06,
    silences=(
        Silence(
            lambda x: x.dim() == 2,
            message("It is a single sentence: the path through the code that has been tried."),
        ),
    ),
)


# --- 7: the mask's polarity ---------------------------------------------------------------------------------


def _bug_07(x):
    num_tokens = x.shape[0]
    mask = torch.ones(num_tokens, num_tokens).triu(diagonal=0).bool()
    return F.scaled_dot_product_attention(x, x, x, attn_mask=mask)


def _right_07(x):
    return _causal_context(_array(x))


SPECIMEN_07 = Specimen(
    arguments=(Argument("x", (("T", "d"),)),),
    bug=_bug_07,
    right=_right_07,
    silences=(
        Silence(_one_token, message("There is one token: it has neither a past nor a future.")),
        Silence(
            lambda x: _alike(x, 0),
            message("All your tokens are the same: whoever is mixed, that token comes out."),
        ),
    ),
)


# --- 8: a view instead of a transpose -----------------------------------------------------------------------


def _bug_08(x, num_heads):
    b, num_tokens, d = x.shape
    return x.contiguous().view(b, num_heads, num_tokens, d // num_heads)


def _right_08(x, num_heads):
    width = x.shape[2] // num_heads
    items = _array(x)
    return np.array([[item[:, i * width : (i + 1) * width] for i in range(num_heads)] for item in items])


def _indivisible(x: torch.Tensor, num_heads: int) -> Message | None:
    if x.shape[2] % num_heads == 0:
        return None
    return message(
        "{features} features cannot be shared out among {heads} heads: take a multiple of num_heads.",
        features=x.shape[2],
        heads=num_heads,
    )


SPECIMEN_08 = Specimen(
    arguments=(Argument("x", (("b", "T", "d"),)), Argument("num_heads", kind=WHOLE)),
    bug=_bug_08,
    right=_right_08,
    refuses=_indivisible,
    silences=(
        Silence(
            lambda x, h: h == 1, message("There is only one head: it gets everything, in the old order.")
        ),
        Silence(_one_token, message("There is one token: its features are cut in the right places.")),
        Silence(
            lambda x, h: _alike(x.flatten(1), 1),
            message("All numbers of a sentence are equal: nobody can see which went where."),
        ),
    ),
)


# --- 9: scaled by the width of the model --------------------------------------------------------------------


def _bug_09(query, key):
    h, _, head_dim = query.shape
    d_model = h * head_dim
    return torch.softmax(query @ key.transpose(1, 2) / d_model**0.5, dim=-1)


def _right_09(query, key):
    width = np.sqrt(query.shape[2])
    return np.array([_rows(q @ k.T / width) for q, k in zip(_array(query), _array(key), strict=True)])


def _no_difference_in_scores(query: torch.Tensor, key: torch.Tensor) -> bool:
    scores = query @ key.transpose(1, 2)
    return bool(torch.allclose(scores, scores[..., :1]))


SPECIMEN_09 = Specimen(
    arguments=(
        Argument("query", (("h", "T_q", "head_dim"),)),
        Argument("key", (("h", "T_k", "head_dim"),)),
    ),
    bug=_bug_09,
    right=_right_09,
    silences=(
        Silence(lambda q, k: q.shape[0] == 1, message("There is one head: it is as wide as the model.")),
        Silence(
            lambda q, k: k.shape[1] == 1, message("There is one key: its weight is 1, whatever its score is.")
        ),
        Silence(
            _no_difference_in_scores,
            message(
                "In every row all scores are the same, so all weights are, whatever the scores are "
                "divided by."
            ),
        ),
    ),
)


# --- 10: a mask that stays behind ---------------------------------------------------------------------------


class _PlainMask(nn.Module):
    """Causal self-attention without projections, whose mask is a plain tensor."""

    def __init__(self, context_length):
        super().__init__()
        self.mask = torch.ones(context_length, context_length).triu(diagonal=1).bool()

    def forward(self, x):
        """Return the context (T, d) of tokens (T, d)."""
        num_tokens, d = x.shape
        scores = (x @ x.T).masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
        return torch.softmax(scores / d**0.5, dim=-1) @ x


def _bug_10(device):
    """Run the module on the device; where that is not the CPU, on ``meta``, which refuses the same."""
    place = "cpu" if device == "cpu" else "meta"
    x = torch.tensor(THREE_TOKENS, dtype=torch.float64)
    return _PlainMask(4).to(place)(x.to(place))


def _on_meta(device):
    """Return where the module ran instead of the device."""
    if device in ("cpu", "meta"):
        return None
    return message(
        "To expose the bug no machine needs {device}: the module was tried on the device meta, where its "
        "mask is left behind as on any other.",
        device=device,
    )


def _right_10(device):
    return _causal_context(np.array(THREE_TOKENS))


SPECIMEN_10 = Specimen(
    arguments=(Argument("device", kind=DEVICE),),
    bug=_bug_10,
    right=_right_10,
    stands_for=_on_meta,
    silences=(
        Silence(
            lambda device: True,
            message("The module was made on the CPU: moved there, nothing can stay behind."),
        ),
    ),
)


# --- 11: zero times infinity --------------------------------------------------------------------------------


def _bug_11(scores, penalty):
    hidden = torch.ones_like(scores).triu(diagonal=1)
    return torch.softmax(scores + hidden * -penalty, dim=-1)


def _right_11(scores, penalty):
    lowered = _array(scores).copy()
    for i in range(len(lowered)):
        lowered[i, i + 1 :] -= penalty
    return _rows(lowered)


SPECIMEN_11 = Specimen(
    arguments=(Argument("scores", (("T", "T"),)), Argument("penalty", kind=REAL)),
    bug=_bug_11,
    right=_right_11,
    silences=(
        Silence(
            lambda scores, penalty: True,
            message("0 times your penalty is 0, so the scores that are not hidden stay what they are."),
        ),
    ),
)


# --- 12: in place -------------------------------------------------------------------------------------------


def _bug_12(scores):
    num_tokens = scores.shape[0]
    hidden = torch.ones(num_tokens, num_tokens).triu(diagonal=1).bool()
    causal = torch.softmax(scores.masked_fill_(hidden, -torch.inf), dim=-1)
    full = torch.softmax(scores, dim=-1)
    return causal, full


def _right_12(scores):
    return _causal_rows(_array(scores)), _rows(_array(scores))


SPECIMEN_12 = Specimen(
    arguments=(Argument("scores", (("T", "T"),)),),
    bug=_bug_12,
    right=_right_12,
    results=("causal", "full"),
    silences=(
        Silence(_one_token, message("There is one token: nothing is hidden, so nothing is overwritten.")),
        Silence(
            lambda scores: True,
            message("Your scores of later tokens are so low that their weights are 0 without any mask."),
        ),
    ),
)
