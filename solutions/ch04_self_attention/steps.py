"""The steps of chapter 4's modules: projections, then attention."""

from grader.proving.steps import QKV, Step, Tensors, attention, projections


def by_matrices(arguments: Tensors, weights: Tensors, _options: dict) -> list[Step]:
    """Return the steps of a module whose matrices are (d_in, d_out)."""
    (x,) = arguments.values()
    steps = projections(x, {f"{name}.weight": matrix.mT for name, matrix in weights.items()}, "T d_out")
    return [*steps, *attention(*(one.values for one in steps), of=QKV, width="d_out")]


def by_layers(arguments: Tensors, weights: Tensors, _options: dict) -> list[Step]:
    """Return the steps of a module whose layers are (d_out, d_in)."""
    (x,) = arguments.values()
    steps = projections(x, weights, "T d_out")
    return [*steps, *attention(*(one.values for one in steps), of=QKV, width="d_out")]


STEPS = {
    "ch04-self-attention-v1": by_matrices,
    "ch04-self-attention-v2": by_layers,
    "ch04-self-attention": by_layers,
}
