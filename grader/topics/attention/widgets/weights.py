"""Attention weights with the words that they belong to, checked before anything is drawn."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from grader.errors import WeightsError
from grader.messages import Message, message, sentences
from grader.messages.speaking import said

# Of a row's sum and of a share: weights typed from a printed table or rounded to bfloat16 are still weights;
# scores, and weights after dropout, are farther off.
TOLERANCE = 0.01
# What a matrix without an axis of heads is called.
SINGLE = ("weights",)
# Beyond this a cell is smaller than a pixel.
LARGEST = 256
# What a picture could not show of a token: a leading space, a new line, nothing at all.
VISIBLE = str.maketrans({" ": "␣", "\n": "⏎", "\r": "⏎", "\t": "⇥"})


@dataclass(frozen=True)
class Attention:
    """Weights that are known to be weights.

    Attributes:
        weights: (h, T_q, T_k), float64, on the CPU; each row sums to 1.
        logits: (h, T_q, T_k), float64: their softmax is the weights, and a temperature divides them.
        queries: T_q words.
        keys: T_k words.
        heads: h names, as pictures and tables of numbers have them.
        named: whether these names were given, and not made here.
        scored: whether the logits are scores that were given, not the weights' logarithms.
    """

    weights: torch.Tensor
    logits: torch.Tensor
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    heads: tuple[str, ...]
    named: bool
    scored: bool

    @property
    def said_heads(self) -> tuple[str, ...]:
        """The heads' names in this kernel's language; those that were given are as they are."""
        if self.named:
            return self.heads
        return tuple(said(name) for name in _default_names(len(self.heads), single=self.heads == SINGLE))


def read_attention(
    weights: torch.Tensor,
    tokens: Sequence[str],
    query_tokens: Sequence[str] | None = None,
    scores: torch.Tensor | None = None,
    heads: Sequence[str] | None = None,
) -> Attention:
    """Return what is to be shown, or say what is wrong with it; the arguments are those of ``explore``.

    Raises:
        WeightsError: see ``explore``.
    """
    exact = _numbers("weights", weights)
    rows, columns = exact.shape[-2:]
    keys = _names("tokens", tokens, columns, message("{size}, the number of keys", size="weights.shape[-1]"))
    if query_tokens is None and rows != columns:
        raise WeightsError(
            message(
                "weights has {rows} rows (queries) and {columns} columns (keys), so tokens cannot name both. "
                "Give the {rows} words of the queries as query_tokens.",
                rows=rows,
                columns=columns,
            )
        )
    words = tokens if query_tokens is None else query_tokens
    queries = _names(
        "query_tokens", words, rows, message("{size}, the number of queries", size="weights.shape[-2]")
    )
    _check_shares(exact)
    logits = exact.log() if scores is None else _checked_scores(scores, exact)
    return Attention(
        weights=exact.reshape(-1, rows, columns),  # (h, T_q, T_k)
        logits=logits.reshape(-1, rows, columns),  # (h, T_q, T_k)
        queries=queries,
        keys=keys,
        heads=_head_names(heads, exact),
        named=heads is not None,
        scored=scores is not None,
    )


def _head_names(heads: Sequence[str] | None, exact: torch.Tensor) -> tuple[str, ...]:
    count = exact.shape[0] if exact.dim() == 3 else 1
    if heads is None:
        return tuple(map(str, _default_names(count, single=exact.dim() == 2)))
    return _names("heads", heads, count, message("the number of heads"))


def _default_names(count: int, single: bool) -> list[Message]:
    """Return what heads are called without names of their own; a single matrix is no head."""
    if single:
        return [message("weights")]
    return [message("head {number}", number=number) for number in range(count)]


def _numbers(name: str, value: object) -> torch.Tensor:
    """Return a tensor of two or three axes in float64 on the CPU."""
    if not isinstance(value, torch.Tensor):
        raise WeightsError(
            message(
                "{name}: expected a tensor, got {type}. Make it one with torch.tensor.",
                name=name,
                type=type(value).__name__,
            )
        )
    if value.is_complex() or value.dtype == torch.bool:
        raise WeightsError(
            message("{name}: expected real numbers, got {dtype}.", name=name, dtype=str(value.dtype))
        )
    shape = tuple(value.shape)
    if value.dim() not in {2, 3}:
        told = [
            message(
                "{name}: expected shape (T_q, T_k) or (h, T_q, T_k), got {shape}.",
                name=name,
                shape=str(shape),
            )
        ]
        if value.dim() == 4:
            told.append(message("Choose one text of the batch: {name}[0].", name=name))
        raise WeightsError(sentences(told))
    if 0 in shape or max(shape[-2:]) > LARGEST:
        raise WeightsError(
            message(
                "{name}: expected between 1 and {largest} queries, keys and heads, got shape {shape}. "
                "Choose a part of it, such as {name}[..., :64, :64], and normalize its rows again.",
                name=name,
                largest=LARGEST,
                shape=str(shape),
            )
        )
    return value.detach().to("cpu", torch.float64)


def _names(name: str, words: Sequence[str], count: int, meaning: Message) -> tuple[str, ...]:
    """Return words, their blanks made visible."""
    if isinstance(words, str):
        raise WeightsError(
            message(
                "{name}: expected a list of {count} strings, got one string. Split it with .split().",
                name=name,
                count=count,
            )
        )
    words = list(words)
    if len(words) != count:
        raise WeightsError(
            message(
                "{name}: expected {count} strings ({meaning}), got {got}.",
                name=name,
                count=count,
                meaning=meaning,
                got=len(words),
            )
        )
    for i, word in enumerate(words):
        if not isinstance(word, str):
            raise WeightsError(
                message(
                    "{name}[{i}]: expected a string, got {type}. Use str() on each.",
                    name=name,
                    i=i,
                    type=type(word).__name__,
                )
            )
    return tuple(_visible(word) for word in words)


def _visible(word: str) -> str:
    """Return a word whose outer blanks show; those between letters stay as they are."""
    inner = word.strip()
    if not inner:
        return word.translate(VISIBLE) or "∅"
    start = word.index(inner)
    return word[:start].translate(VISIBLE) + inner + word[start + len(inner) :].translate(VISIBLE)


def _first(wrong: torch.Tensor) -> str:
    """Return the index of the first true number, as it is written in Python."""
    return str(wrong.nonzero()[0].tolist())


def _check_shares(exact: torch.Tensor) -> None:
    """Refuse what is not finite, what is negative, and rows that do not sum to 1."""
    unusable = ~exact.isfinite()
    if unusable.any():
        raise WeightsError(
            message(
                "weights: expected finite numbers, got {got} at {place}. A row whose keys are all hidden has "
                "no softmax; otherwise look for an infinity before the softmax.",
                got=str(exact[unusable][0].item()),
                place=f"weights{_first(unusable)}",
            )
        )
    negative = exact < 0
    if negative.any():
        raise WeightsError(
            message(
                "weights: expected shares of at least 0, got {got} at {place}. Are these scores? Give their "
                "softmax over the last axis.",
                got=f"{exact[negative][0].item():.4g}",
                place=f"weights{_first(negative)}",
            )
        )
    sums = exact.sum(dim=-1)  # (h, T_q)
    off = (sums - 1).abs() > TOLERANCE
    if off.any():
        raise WeightsError(
            message(
                "weights: expected rows that sum to 1, got {got} for the row {place}. Give what softmax over "
                "the last axis returned, before any dropout.",
                got=f"{sums[off][0].item():.4g}",
                place=f"weights{_first(off)}",
            )
        )


def _checked_scores(scores: object, weights: torch.Tensor) -> torch.Tensor:
    """Return scores, of which the weights are the softmax."""
    exact = _numbers("scores", scores)
    if exact.shape != weights.shape:
        raise WeightsError(
            message(
                "scores: expected the shape of weights, {shape}, got {got}.",
                shape=str(tuple(weights.shape)),
                got=str(tuple(exact.shape)),
            )
        )
    unusable = exact.isnan() | exact.isposinf()
    if unusable.any():
        raise WeightsError(
            message(
                "scores: expected finite numbers, or -inf for a hidden key, got {got} at {place}.",
                got=str(exact[unusable][0].item()),
                place=f"scores{_first(unusable)}",
            )
        )
    found = exact.softmax(dim=-1)
    off = ~((found - weights).abs() <= TOLERANCE)  # written so that NaN, of a row of -inf, is off too
    if off.any():
        raise WeightsError(
            message(
                "scores: expected numbers whose softmax is weights, got {got} where weights has {weight}, at "
                "{place}. Give exactly what softmax was called on, after the scaling and the mask.",
                got=f"{found[off][0].item():.4f}",
                weight=f"{weights[off][0].item():.4f}",
                place=f"scores{_first(off)}",
            )
        )
    return exact
