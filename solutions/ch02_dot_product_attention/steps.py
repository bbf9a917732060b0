"""The steps of chapter 2: softmax, and attention between the inputs themselves."""

from grader.proving.steps import Step, Tensors, attention, leading, softmax


def of_numbers(arguments: Tensors, _weights: Tensors, _options: dict) -> list[Step]:
    """Return exponentials and shares."""
    (numbers,) = arguments.values()
    return softmax(numbers, "n" if numbers.dim() == 1 else f"{leading(numbers)} m n")


def simple(arguments: Tensors, _weights: Tensors, _options: dict) -> list[Step]:
    """Return scores, weights and context of inputs that are query, key and value at once."""
    inputs = arguments["inputs"]
    return attention(inputs, inputs, inputs, scaled=False, width="d")


STEPS = {
    "ch02-softmax-naive": of_numbers,
    "ch02-softmax-stable": of_numbers,
    "ch02-weights": of_numbers,
    "ch02-simple-self-attention": simple,
}
