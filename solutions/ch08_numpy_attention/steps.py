"""The steps of chapter 8, in NumPy."""

import torch

from grader.proving.steps import QKV, Step, Tensors, attention, future, numbered, softmax, step

# The widths of query, key and value.
WIDTHS = ("d_k", "d_k", "d_v")


def of_numbers(arguments: Tensors, _weights: Tensors, options: dict) -> list[Step]:
    """Return exponentials and shares along an axis."""
    x = arguments["x"]
    return softmax(x, numbered(x.dim()), options.get("axis", -1))


def one_head(arguments: Tensors, _weights: Tensors, options: dict) -> list[Step]:
    """Return the steps of one head."""
    embeddings, *matrices = arguments.values()
    parts = zip(QKV, WIDTHS, matrices, strict=True)
    steps = [step(name, embeddings @ matrix, f"T {width}") for name, width, matrix in parts]
    hidden = future(len(embeddings)) if options.get("causal", True) else None
    return [*steps, *attention(*(one.values for one in steps), of=QKV, hidden=hidden)]


def several_heads(arguments: Tensors, _weights: Tensors, options: dict) -> list[Step]:
    """Return the steps of several heads, each head's as a part of one tensor (h, T, ...)."""
    embeddings, W_O = arguments["embeddings"], arguments["W_O"]
    heads = len([name for name in arguments if name.endswith("W_Q")])
    steps = []
    for name, width in zip(QKV, WIDTHS, strict=True):
        matrices = torch.stack([arguments[f"heads.{i}.W_{name[0].upper()}"] for i in range(heads)])
        steps.append(step(name, embeddings @ matrices, f"h T {width}"))
    hidden = future(len(embeddings)) if options.get("causal", True) else None
    steps += attention(
        *(one.values for one in steps), of=QKV, lead="h", hidden=hidden, context="context of the heads"
    )
    joined = steps[-1].values.movedim(0, 1).flatten(1)
    steps.append(step("joined context", joined, "T h·d_v", "context of the heads"))
    return [*steps, step("output", joined @ W_O, "T d_out", "joined context")]


def fed_forward(arguments: Tensors, _weights: Tensors, _options: dict) -> list[Step]:
    """Return the hidden layer, before and after ReLU, and the output."""
    x, W1, b1, W2, b2 = arguments.values()
    hidden = x @ W1 + b1
    return [
        step("hidden layer", hidden, "T d_ff"),
        step("hidden layer after ReLU", hidden.relu(), "T d_ff", "hidden layer"),
        step("output", hidden.relu() @ W2 + b2, "T d", "hidden layer after ReLU"),
    ]


STEPS = {
    "ch08-softmax": of_numbers,
    "ch08-self-attention": one_head,
    "ch08-multi-head": several_heads,
    "ch08-feed-forward": fed_forward,
}
