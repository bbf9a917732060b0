"""The steps of chapter 7's causal modules."""

from grader.proving.steps import QKV, Step, Tensors, attention, future, projections


def causal(arguments: Tensors, weights: Tensors, _options: dict) -> list[Step]:
    """Return the steps of a causal module."""
    x = arguments["x"]
    steps = projections(x, weights, "b T d_out")
    hidden = future(x.shape[-2])
    return [
        *steps,
        *attention(*(one.values for one in steps), of=QKV, lead="b", hidden=hidden, width="d_out"),
    ]


STEPS = {"ch07-causal-attention-buffer": causal, "ch07-non-persistent": causal}
