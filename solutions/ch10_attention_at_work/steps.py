"""The steps of chapter 10: a block, and the model made of blocks."""

import torch
from torch.nn import functional as F

from grader.proving.steps import Step, Tensors, linear, multi_head, step

EPSILON = 1e-5


def norm(x: torch.Tensor, weights: Tensors, layer: str) -> torch.Tensor:
    """Return x (..., d) after a LayerNorm."""
    return F.layer_norm(x, x.shape[-1:], weights[f"{layer}.weight"], weights[f"{layer}.bias"], EPSILON)


def block(arguments: Tensors, weights: Tensors, options: dict) -> list[Step]:
    """Return the steps of a block, those of its attention among them."""
    x = arguments["x"]
    steps = [step("normalized input", norm(x, weights, "norm1"), "b T d_model")]
    inner = multi_head(
        steps[0].values, weights, options["num_heads"], prefix="attention.", of="normalized input"
    )
    attended = step("output of attention", inner[-1].values, "b T d_model", inner[-2].name)
    first = step("first sum", x + attended.values, "b T d_model", attended.name)
    second = step("normalized first sum", norm(first.values, weights, "norm2"), "b T d_model", first.name)
    hidden = step("hidden layer", linear(second.values, weights, "mlp.0"), "b T d_ff", second.name)
    active = step("hidden layer after GELU", F.gelu(hidden.values), "b T d_ff", hidden.name)
    out = step("output of the MLP", linear(active.values, weights, "mlp.2"), "b T d_model", active.name)
    last = step("second sum", first.values + out.values, "b T d_model", f"first sum,{out.name}")
    return [*steps, *inner[:-1], attended, first, second, hidden, active, out, last]


def model(arguments: Tensors, weights: Tensors, options: dict) -> list[Step]:
    """Return embeddings, what each block gives, and logits."""
    ids = arguments["ids"]
    x = weights["token_embedding.weight"][ids] + weights["position_embedding.weight"][: ids.shape[1]]
    steps = [step("sum of the embeddings", x, "b T d_model")]
    for number in range(options["num_layers"]):
        prefix = f"blocks.{number}."
        own = {name.removeprefix(prefix): one for name, one in weights.items() if name.startswith(prefix)}
        x = block({"x": x}, own, options)[-1].values
        steps.append(step(f"output of block {number}", x, "b T d_model", steps[-1].name))
    last = norm(x, weights, "norm")
    steps.append(step("normalized output", last, "b T d_model", steps[-1].name))
    return [*steps, step("logits", last @ weights["head.weight"].mT, "b T vocab_size", "normalized output")]


STEPS = {"ch10-transformer-block": block, "ch10-tiny-gpt": model}
