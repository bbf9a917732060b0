"""Run a subject on one case and record what happened. Knows no expected value.

A driver is a function ``(exercise, subject, case, device, recorder)``; ``Exercise.driver`` names it.
"""

from collections.abc import Callable, Mapping

import torch
from torch import nn

from grader.checking.recording import Recorder
from grader.exercises import Exercise
from grader.exercises.case import PUBLISHED, Case, other_input

# Given to a bias that the exercise does not ask for, so that its effect is the same on every machine.
UNASKED_BIAS = 0.25


def _owner(module: nn.Module, name: str) -> tuple[object, str]:
    """Split ``W_query.weight`` into the object that holds the attribute and the attribute's name."""
    *path, attribute = name.split(".")
    owner: object = module
    for part in path:
        owner = getattr(owner, part, None)
    return owner, attribute


def load_weights(module: nn.Module, weights: Mapping[str, torch.Tensor]) -> None:
    """Write the case's weights into the attributes of their names, never by position.

    An attribute that is missing or of another shape is left alone: the ladder reports it from what was
    recorded. A bias that the case does not name is set to ``UNASKED_BIAS``.
    """
    with torch.no_grad():
        for name, weight in weights.items():
            owner, attribute = _owner(module, name)
            held = getattr(owner, attribute, None)
            if isinstance(held, nn.Parameter) and held.shape == weight.shape:
                held.copy_(weight)
            elif isinstance(held, torch.Tensor) and held.shape == weight.shape:
                setattr(owner, attribute, weight.clone())
            bias = getattr(owner, "bias", None)
            bias_name = name.removesuffix("weight") + "bias"
            if attribute == "weight" and isinstance(bias, nn.Parameter) and bias_name not in weights:
                bias.fill_(UNASKED_BIAS)


def record_gradients(
    recorder: Recorder, result: torch.Tensor, sources: Mapping[str, torch.Tensor], probe: torch.Tensor
) -> None:
    """Record the gradient of ``sum(result * probe)`` with respect to each source that could be trained."""
    if not result.requires_grad or result.shape != probe.shape:
        return
    sources = {name: source for name, source in sources.items() if source.requires_grad and source.is_leaf}
    try:
        # A scalar, for a gradient passed to autograd.grad has it import sympy (0.5 s) to compare shapes.
        total = (result * probe.to(result)).sum()
        gradients = torch.autograd.grad(total, list(sources.values()), allow_unused=True)
    except RuntimeError:
        return  # the graph was cut or overwritten: no gradient arrives, and the ladder says so
    for name, gradient in zip(sources, gradients, strict=True):
        if gradient is not None:
            recorder.tensor(f"gradient/{name}", gradient)


def construct(subject: type[nn.Module], case: Case) -> nn.Module:
    """Construct a module right after seeding, on the CPU.

    By position for the published example and by keyword for all others, so that an exchanged order and a
    misspelled name both show.
    """
    # What torch.manual_seed does on the CPU; it also records the call stack for GPUs, which takes longer.
    torch.default_generator.manual_seed(case.seed)
    with torch.device("cpu"):
        if case.name == PUBLISHED:
            return subject(*case.constructor.values())
        return subject(**case.constructor)


def drive_module(
    exercise: Exercise, subject: type[nn.Module], case: Case, device: torch.device, recorder: Recorder
) -> None:
    """Construct a module, load the case's weights by name, call it, and send a gradient back."""
    module = construct(subject, case)
    asked = exercise.parameters_for(case.weights)
    recorder.parameters(module, asked)
    load_weights(module, case.weights)
    module.to(device)
    arguments = {name: value.to(device, copy=True) for name, value in case.arguments.items()}
    is_tensor = recorder.result("result", module(*arguments.values()))
    for name, argument in arguments.items():
        recorder.tensor(f"argument/{name}", argument)
    if not is_tensor or case.probe is None:
        return
    with recorder.later("gradient"):
        drive_gradient(module, asked, case, device, recorder)
    others = [other_input(value).to(device) for value in case.arguments.values()]
    with recorder.later("again"):
        module.eval()
        recorder.result("again", module(*others))


def drive_gradient(
    module: nn.Module, asked: tuple[str, ...], case: Case, device: torch.device, recorder: Recorder
) -> None:
    """Call the module once more, as inside a network: on arguments that ask for a gradient."""
    leaves = {name: value.to(device, copy=True).requires_grad_() for name, value in case.arguments.items()}
    # Clones, so that writing into an argument is seen in the first call, not refused by autograd here.
    result = module(*(leaf.clone() for leaf in leaves.values()))
    registered = dict(module.named_parameters(remove_duplicate=False))
    sources = {name: registered[name] for name in asked if name in registered} | leaves
    record_gradients(recorder, result, sources, case.probe)


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
    torch.default_generator.manual_seed(case.seed)
    matrices = {name: case.weights[name] for name in exercise.parameters}
    linear = {name: case.weights[f"source/{name}"] for name in exercise.parameters}
    v1, v2 = ParameterProjections(matrices).to(device), LinearProjections(linear).to(device)
    subject(v2, v1)
    registered = recorder.parameters(v1, exercise.parameters)
    for name in exercise.parameters:
        recorder.result(f"result/{name}", getattr(v1, name, None))
        if name in registered:
            product = registered[name].sum()
            record_gradients(recorder, product, {name: registered[name]}, torch.ones(()))
        recorder.tensor(f"argument/v2.{name}", v2.get_submodule(name).weight)
    trainable = [float(parameter.requires_grad) for parameter in v2.parameters()]
    recorder.tensor("argument/v2.trainable", torch.tensor(trainable))
    with torch.no_grad():
        for layer in v2.children():
            layer.weight.fill_(-1.0)
    for name, parameter in registered.items():
        recorder.tensor(f"separate/{name}", parameter)


DRIVERS: dict[str, Callable] = {"module": drive_module, "transfer": drive_transfer}
