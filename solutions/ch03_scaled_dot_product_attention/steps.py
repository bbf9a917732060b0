"""The steps of chapter 3: projections, scaled scores, attention."""

from grader.proving.steps import QKV, Step, Tensors, attention, leading, step


def projected(arguments: Tensors, _weights: Tensors, _options: dict) -> list[Step]:
    """Return query, key and value."""
    inputs, *matrices = arguments.values()
    parts = zip(QKV, ("d_k", "d_k", "d_v"), matrices, strict=True)
    return [step(name, inputs @ matrix, f"T {width}") for name, width, matrix in parts]


def scaled(arguments: Tensors, _weights: Tensors, _options: dict) -> list[Step]:
    """Return scores and scaled scores."""
    query, key = arguments.values()
    return attention(query, key, rows="T_q T_k", lead=leading(query))[:2]


def one_query(arguments: Tensors, _weights: Tensors, _options: dict) -> list[Step]:
    """Return the steps of attention for a single query."""
    query, key, value = arguments.values()
    scores = key @ query
    steps = [step("scores", scores, "T"), step("scaled scores", scores / len(query) ** 0.5, "T", "scores")]
    weights = steps[-1].values.softmax(-1)
    return [
        *steps,
        step("weights", weights, "T", "scaled scores", shares=True),
        step("context", weights @ value, "d_v", "weights"),
    ]


def whole(arguments: Tensors, _weights: Tensors, _options: dict) -> list[Step]:
    """Return the steps of the formula."""
    query, key, value = arguments.values()
    return attention(query, key, value, rows="T_q T_k", lead=leading(query))


STEPS = {
    "ch03-project": projected,
    "ch03-scaled-scores": scaled,
    "ch03-attend-one": one_query,
    "ch03-attention": whole,
}
