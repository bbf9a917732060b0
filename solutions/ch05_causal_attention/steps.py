"""The steps of chapter 5: masks, and causal attention as a module."""

from grader.proving.steps import (
    QKV,
    Form,
    Step,
    Tensors,
    attention,
    future,
    leading,
    numbered,
    projections,
    step,
)


def renormalized(arguments: Tensors, _weights: Tensors, _options: dict) -> list[Step]:
    """Return weights without the future, and each row divided by what is left of it."""
    weights = arguments["weights"]
    left = weights.masked_fill(future(weights.shape[-1]), 0.0)
    axes, each = f"{leading(weights)} T T", f"{leading(weights)} T 1"
    sums = left.sum(-1, keepdim=True)
    return [
        step("masked weights", left, axes),
        step("row sums", sums, each, "masked weights"),
        step("renormalized weights", left / sums, axes, "masked weights,row sums", shares=True),
    ]


def masked(arguments: Tensors, _weights: Tensors, options: dict) -> list[Step]:
    """Return scaled scores, masked scores and weights of scores."""
    scores = arguments["scores"]
    hidden, axes = future(scores.shape[-1]), f"{leading(scores)} T T"
    scaled = scores / options["d_k"] ** 0.5
    hides = scaled.masked_fill(hidden, -float("inf"))
    before = Form(scores.masked_fill(hidden, -float("inf")))
    return [
        step("scaled scores", scaled, axes),
        step("masked scores", hides, axes, "scaled scores", also=[before]),
        step("weights", hides.softmax(-1), axes, "masked scores", shares=True),
    ]


def dropped(arguments: Tensors, _weights: Tensors, options: dict) -> list[Step]:
    """Return the weights that are kept, and these made larger."""
    weights, keep = arguments.values()
    axes = numbered(weights.dim())
    kept = weights * keep
    return [
        step("kept weights", kept, axes),
        step("dropped weights", kept / (1 - options["p"]), axes, "kept weights"),
    ]


def causal(arguments: Tensors, weights: Tensors, _options: dict) -> list[Step]:
    """Return the steps of a causal module."""
    (x,) = arguments.values()
    lead = "b" * (x.dim() - 2)
    steps = projections(x, weights, f"{lead} T d_out")
    hidden = future(x.shape[-2])
    return [
        *steps,
        *attention(*(one.values for one in steps), of=QKV, lead=lead, hidden=hidden, width="d_out"),
    ]


STEPS = {
    "ch05-mask-and-renormalize": renormalized,
    "ch05-masked-weights": masked,
    "ch05-apply-dropout": dropped,
    "ch05-masked-self-attention": causal,
    "ch05-causal-attention": causal,
}
