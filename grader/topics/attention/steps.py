"""The steps of attention: query, key and value, scores, weights, context; in one head or in several."""

import math

import torch

from grader.proving.steps import Tensors, linear, step
from grader.references.steps import Form, Step

__all__ = ["QKV", "attention", "future", "multi_head", "projections"]

QKV = ("query", "key", "value")


def projections(x: torch.Tensor, weights: Tensors, axes: str) -> list[Step]:
    """Return query, key and value of x (..., d_in), by the first three layers of a module (d_out, d_in)."""
    layers = [name.removesuffix(".weight") for name in weights if name.endswith(".weight")][:3]
    return [step(name, linear(x, weights, layer), axes) for name, layer in zip(QKV, layers, strict=True)]


def attention(  # noqa: PLR0913 - a formula has as many parts as it has
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor | None = None,
    *,
    rows: str = "T T",
    lead: str = "",
    of: tuple[str, str, str] = ("", "", ""),
    scaled: bool = True,
    hidden: torch.Tensor | None = None,
    context: str = "context",
    width: str = "d_v",
) -> list[Step]:
    """Return scores, scaled and masked scores, weights and context, by Vaswani et al. 2017, section 3.2.1.

    Args:
        query: (..., T_q, d_k).
        key: (..., T_k, d_k).
        value: (..., T_k, d_v); without it the last step are the weights.
        rows: names of the axes of the scores.
        lead: names of the axes in front of them.
        of: names of the steps that query, key and value are, where they are any.
        scaled: whether the scores are divided by the root of d_k.
        hidden: where True, a query does not see a key.
        context: what the last step is called.
        width: name of its last axis.
    """
    axes = f"{lead} {rows}"
    scores = query @ key.mT
    steps = [step("scores", scores, axes, ",".join(of[:2]))]
    if scaled:
        scores = scores / math.sqrt(key.shape[-1])
        steps.append(step("scaled scores", scores, axes, "scores"))
    if hidden is not None:
        masked = scores.masked_fill(hidden, -torch.inf)
        before = Form(steps[0].values.masked_fill(hidden, -torch.inf), ("scores",))
        steps.append(step("masked scores", masked, axes, steps[-1].name, also=[before] if scaled else []))
        scores = masked
    weights = scores.softmax(dim=-1)
    steps.append(step("weights", weights, axes, steps[-1].name, shares=True))
    if value is None:
        return steps
    mixed = f"weights,{of[2]}"
    return [*steps, step(context, weights @ value, f"{lead} {rows.partition(' ')[0]} {width}", mixed)]


def multi_head(
    x: torch.Tensor, weights: Tensors, heads: int, *, prefix: str = "", of: str = ""
) -> list[Step]:
    """Return the steps of causal attention in several heads, x (b, T, d_in), split after the projections."""
    steps = []
    for name in QKV:
        projected = linear(x, weights, f"{prefix}W_{name}")
        steps.append(step(name, projected, "b T d_out", of))
    for name in QKV:
        b, tokens, width = steps[QKV.index(name)].values.shape
        split = steps[QKV.index(name)].values.reshape(b, tokens, heads, width // heads).movedim(2, 1)
        steps.append(step(f"{name} by heads", split, "b h T d_k", name))
    parts = tuple(one.name for one in steps[3:])
    hidden = future(x.shape[-2])
    steps += attention(
        *(one.values for one in steps[3:]), of=parts, lead="b h", hidden=hidden, context="context by heads"
    )
    merged = steps[-1].values.movedim(1, 2).flatten(2)
    steps.append(step("merged context", merged, "b T d_out", "context by heads"))
    return [
        *steps,
        step("output", linear(merged, weights, f"{prefix}out_proj"), "b T d_out", "merged context"),
    ]


def future(tokens: int) -> torch.Tensor:
    """Return a bool (T, T), True where the key comes after the query."""
    place = torch.arange(tokens)
    return place[None, :] > place[:, None]
