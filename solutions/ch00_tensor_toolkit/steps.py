"""The steps of chapter 0's softmax."""

from grader.proving.steps import Step, Tensors, leading, softmax


def row_softmax(arguments: Tensors, _weights: Tensors, _options: dict) -> list[Step]:
    """Return exponentials and shares of scores."""
    scores = arguments["scores"]
    return softmax(scores, f"{leading(scores)} row column")


STEPS = {"ch00-row-softmax": row_softmax}
