"""The steps of chapter 1: states one after the other, and the soft lookup."""

import torch

from grader.proving.steps import Step, Tensors, step


def states(arguments: Tensors, _weights: Tensors, _options: dict) -> list[Step]:
    """Return the state after each word."""
    W_xh, W_hh, inputs = arguments.values()
    steps, state = [], torch.zeros(len(W_hh), dtype=inputs.dtype)
    for number, word in enumerate(inputs):
        state = torch.tanh(word @ W_xh + state @ W_hh)
        steps.append(step(f"state after word {number}", state, "d_h", steps[-1].name if steps else ""))
    return steps


def lookup(arguments: Tensors, _weights: Tensors, _options: dict) -> list[Step]:
    """Return scores, shares and the mix of values."""
    query, keys, values = arguments.values()
    scores = keys @ query
    shares = scores.softmax(-1)
    return [
        step("scores", scores, "n"),
        step("shares", shares, "n", "scores", shares=True),
        step("mix of the values", shares @ values, "d_v", "shares"),
    ]


STEPS = {"ch01-encode": states, "ch01-soft-lookup": lookup}
