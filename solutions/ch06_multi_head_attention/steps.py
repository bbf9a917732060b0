"""The steps of chapter 6: heads in a list, heads as an axis."""

import torch

from grader.proving.steps import QKV, Step, Tensors, attention, future, linear, multi_head, step


def wrapper(arguments: Tensors, weights: Tensors, options: dict) -> list[Step]:
    """Return the steps of a list of heads: each head's as a part of one tensor (b, h, T, ...)."""
    x, heads = arguments["x"], options["num_heads"]
    steps = []
    for name in QKV:
        of_heads = [linear(x, weights, f"heads.{i}.W_{name}") for i in range(heads)]
        steps.append(step(name, torch.stack(of_heads, dim=1), "b h T d_out"))
    hidden = future(x.shape[-2])
    steps += attention(
        *(one.values for one in steps),
        of=QKV,
        lead="b h",
        hidden=hidden,
        context="context of the heads",
        width="d_out",
    )
    joined = steps[-1].values.movedim(1, 2).flatten(2)
    return [*steps, step("joined context", joined, "b T h·d_out", "context of the heads")]


def whole(arguments: Tensors, weights: Tensors, options: dict) -> list[Step]:
    """Return the steps of one module for all heads."""
    return multi_head(arguments["x"], weights, options["num_heads"])


STEPS = {
    "ch06-wrapper": wrapper,
    "ch06-multi-head-attention": whole,
}
