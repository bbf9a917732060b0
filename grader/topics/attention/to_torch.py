"""Run a function that makes PyTorch's own multi-head module of a given one."""

from collections.abc import Callable, Mapping

import torch
from torch import nn
from torch.nn import functional as F

from grader.checking.drivers.gradients import record_gradients
from grader.checking.drivers.module import load_weights
from grader.checking.observation import SideEffect, kind_of
from grader.checking.recording import Recorder
from grader.checking.side_effects import reading, seed_for_calls, seed_kept
from grader.exercises import Exercise
from grader.exercises.case import Case, Flag
from grader.messages import message


class GivenHeads(nn.Module):
    """A multi-head attention with the names and attributes that the exercise promises."""

    def __init__(self, weights: Mapping[str, torch.Tensor], num_heads: int) -> None:
        super().__init__()
        self.d_out, width = weights["W_query.weight"].shape
        self.num_heads, self.head_dim = num_heads, self.d_out // num_heads
        for name in ("W_query", "W_key", "W_value", "out_proj"):
            self.add_module(name, nn.Linear(width, self.d_out, bias=f"{name}.bias" in weights))
        load_weights(self, weights)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (b, T, d_out) for x (b, T, d_in), under the causal mask."""
        layers = (self.W_query, self.W_key, self.W_value)
        parts = (layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for layer in layers)
        return self.out_proj(
            F.scaled_dot_product_attention(*parts, is_causal=True).transpose(1, 2).flatten(2)
        )


def call_library(made: nn.MultiheadAttention, x: torch.Tensor) -> torch.Tensor:
    """Call the library's module under the causal mask, whichever axis it takes for the batch."""
    hidden = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).triu(diagonal=1)
    if made.batch_first:
        return made(x, x, x, attn_mask=hidden)[0]
    turned = x.transpose(0, 1)
    return made(turned, turned, turned, attn_mask=hidden)[0].transpose(0, 1)


def drive_to_torch(
    exercise: Exercise, subject: Callable, case: Case, device: torch.device, recorder: Recorder
) -> None:
    """Give away a module, call what comes back, then change the given one and call again."""
    seed_for_calls(case.seed)
    given = GivenHeads(case.weights, case.options["num_heads"]).to(device)
    given.W_key.eval()
    with reading(given) as changed:
        made = subject(given)
    recorder.side_effects += (*changed, *seed_kept(case.seed))
    held = dict(given.named_parameters())
    for name in case.weights:
        if name in held:  # what else it may hold now is told by its state
            recorder.tensor(f"argument/mha.{name}", held[name])
    trainable = [float(parameter.requires_grad) for parameter in given.parameters()]
    recorder.tensor("argument/mha.trainable", torch.tensor(trainable))
    if type(made) is not nn.MultiheadAttention:
        recorder.kinds["result"] = kind_of(made)
        return
    recorder.flags |= {Flag.TRAINING: bool(made.training), Flag.BATCH_FIRST: bool(made.batch_first)}
    made.to(device)
    x = case.arguments["x"].to(device, copy=True).requires_grad_()
    result = call_library(made, x)
    if not recorder.result("result", result):
        return
    if "W_key.bias" in case.weights:
        # A softmax does not see what is added to every score of a row: no result shows the key's bias.
        own_bias = torch.zeros(3 * given.d_out) if made.in_proj_bias is None else made.in_proj_bias
        recorder.tensor("result/in_proj_bias", own_bias)
    record_gradients(
        recorder, {"result": result}, dict(made.named_parameters()) | {"x": x}, case.grad_outputs
    )
    if case.thorough and subject(given) is made:
        recorder.side_effects.append(SideEffect("same", message("module").text))
    with torch.no_grad():
        for parameter in given.parameters():
            parameter.fill_(-1.0)
        recorder.tensor("separate/result", call_library(made, x))
