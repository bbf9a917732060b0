"""Run a function that copies weights from one module to another."""

from collections.abc import Callable, Mapping

import torch
from torch import nn

from grader.checking.drivers.gradients import record_gradients
from grader.checking.recording import Recorder
from grader.checking.side_effects import reading, seed_for_calls, seed_kept
from grader.exercises import Exercise
from grader.exercises.case import Case


class ParameterProjections(nn.Module):
    """Holds three matrices of shape (d_in, d_out); its result is the three projections side by side."""

    def __init__(self, matrices: Mapping[str, torch.Tensor]) -> None:
        super().__init__()
        for name, matrix in matrices.items():
            self.register_parameter(name, nn.Parameter(matrix.clone()))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (T, 3 d_out) for x (T, d_in)."""
        return torch.cat([x @ matrix for matrix in self.parameters()], dim=-1)


class LinearProjections(nn.Module):
    """Holds three bias-free linear layers; its result is the three projections side by side."""

    def __init__(self, weights: Mapping[str, torch.Tensor]) -> None:
        super().__init__()
        for name, weight in weights.items():
            d_out, d_in = weight.shape
            layer = nn.Linear(d_in, d_out, bias=False)
            layer.weight = nn.Parameter(weight.clone())
            self.add_module(name, layer)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (T, 3 d_out) for x (T, d_in)."""
        return torch.cat([layer(x) for layer in self.children()], dim=-1)


def drive_transfer(
    exercise: Exercise, subject: Callable, case: Case, device: torch.device, recorder: Recorder
) -> None:
    """Copy weights from linear layers to bare parameters, then change the source and look again."""
    seed_for_calls(case.seed)
    matrices = {name: case.weights[name] for name in exercise.parameters}
    linear = {name: case.weights[f"source/{name}"] for name in exercise.parameters}
    v1, v2 = ParameterProjections(matrices).to(device), LinearProjections(linear).to(device)
    v2.W_key.eval()
    with reading(v2) as changed, reading(v1, "tensors", "trainable") as changed_target:
        subject(v2, v1)
    recorder.side_effects += (*changed, *changed_target, *seed_kept(case.seed))
    registered = recorder.parameters(v1, exercise.parameters)
    for name in exercise.parameters:
        recorder.result(f"result/{name}", getattr(v1, name, None))
        if name in registered:
            total, probe = {"result": registered[name].sum()}, {"result": torch.ones(())}
            record_gradients(recorder, total, {name: registered[name]}, probe)
        if isinstance(layer := getattr(v2, name, None), nn.Linear):  # else it was replaced: v2 is changed
            recorder.tensor(f"argument/v2.{name}", layer.weight)
    trainable = [float(parameter.requires_grad) for parameter in v2.parameters()]
    recorder.tensor("argument/v2.trainable", torch.tensor(trainable))
    with torch.no_grad():
        for layer in v2.children():
            layer.weight.fill_(-1.0)
    for name, parameter in registered.items():
        recorder.tensor(f"separate/{name}", parameter)
