"""Construct a module, load a case's weights by name, and call it."""

from collections.abc import Mapping

import torch
from torch import nn

from grader.checking.deadline import sheltered
from grader.checking.drivers.gradients import record_gradients
from grader.checking.elsewhere import ELSEWHERE, Elsewhere, MixedDevicesError
from grader.checking.recording import Recorder, describe_error, unwatched
from grader.exercises import Exercise
from grader.exercises.case import Case, other_input

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


def construct(subject: type[nn.Module], case: Case) -> nn.Module:
    """Construct a module right after seeding, on the CPU.

    By position for some cases and by keyword for all others, so that an exchanged order and a misspelled
    name both show.
    """
    # What torch.manual_seed does on the CPU; it also records the call stack for GPUs, which takes longer.
    torch.default_generator.manual_seed(case.seed)
    with torch.device("cpu"):
        if case.positional:
            return subject(*case.options.values())
        return subject(**case.options)


def move(module: nn.Module, device: torch.device) -> None:
    """Move a module to a device if it is not there already: ``to`` looks at each tensor for long."""
    tensors = [*module.parameters(), *module.buffers()]
    with unwatched():
        there = all(one.device == device for one in tensors)
    if not there:
        module.to(device)


def drive_module(
    exercise: Exercise, subject: type[nn.Module], case: Case, device: torch.device, recorder: Recorder
) -> None:
    """Call a module with the case's weights, send a gradient back, and call it on other numbers.

    A case with dropout is looked at otherwise: its result is that in ``eval()``, and it is called once more
    in training.
    """
    module = construct(subject, case)
    asked = exercise.parameters_for(case.weights)
    recorder.parameters(module, asked)
    for name in exercise.attributes:
        recorder.number(f"attribute/{name}", getattr(module, name, None))
    if case.dtype != torch.get_default_dtype():
        module.to(dtype=case.dtype)
    load_weights(module, case.weights)
    move(module, device)
    if case.drops:
        module.eval()
    arguments = {name: value.to(device, copy=True) for name, value in case.arguments.items()}
    results = recorder.results(exercise, module(*arguments.values()))
    for name, argument in arguments.items():
        recorder.tensor(f"argument/{name}", argument)
    if not results:
        return
    if "dropout" in case.options:
        drive_dropout(module, case, device, recorder)
    if not case.probes:
        return
    if exercise.moves:
        drive_elsewhere(subject, case, recorder)
    if exercise.moves and exercise.buffers:
        drive_saved(exercise, subject, case, recorder)
    with recorder.later("gradient"):
        drive_gradient(exercise, module, case, device, recorder)
    with unwatched():
        others = [other_input(value).to(device) for value in case.arguments.values()]
    with recorder.later("again"):
        module.eval()
        recorder.result("again", module(*others))


def drive_elsewhere(subject: type[nn.Module], case: Case, recorder: Recorder) -> None:
    """Move a module to another device and call it there."""
    module = construct(subject, case).to(dtype=case.dtype)
    with sheltered(), Elsewhere(), sheltered(False):
        module.to(ELSEWHERE)
        try:
            result = module(*(value.to(ELSEWHERE) for value in case.arguments.values()))
        except MixedDevicesError as error:
            recorder.later_errors["elsewhere"] = describe_error(error)
        except Exception:  # noqa: BLE001 - what has nothing to do with devices was asked on the first call
            recorder.tensor("mode/elsewhere", torch.tensor(True))
        else:
            recorder.tensor("mode/elsewhere", torch.tensor(result.device == ELSEWHERE))


def drive_saved(exercise: Exercise, subject: type[nn.Module], case: Case, recorder: Recorder) -> None:
    """Record which buffers a module saves, and whether another one takes what it saved."""
    with recorder.later("saved"):
        state = construct(subject, case).state_dict()
        saved = [name in state for name in exercise.buffers]
        recorder.tensor("mode/saved", torch.tensor(all(saved)))
        recorder.tensor("mode/not saved", torch.tensor(not any(saved)))
        construct(subject, case).load_state_dict(state)


def drive_dropout(module: nn.Module, case: Case, device: torch.device, recorder: Recorder) -> None:
    """Call the module again on the same input, and where dropout is asked for, twice in training."""
    arguments = [value.to(device, copy=True) for value in case.arguments.values()]
    with recorder.later("repeat"):
        recorder.result("repeat", module(*(value.clone() for value in arguments)))
    if case.drops:
        with recorder.later("train"):
            module.train()
            recorder.result("train", module(*(value.clone() for value in arguments)))
            recorder.result("train again", module(*arguments))


def drive_gradient(
    exercise: Exercise, module: nn.Module, case: Case, device: torch.device, recorder: Recorder
) -> None:
    """Call the module once more, as inside a network: on arguments that ask for a gradient."""
    arguments = {name: value.to(device, copy=True) for name, value in case.arguments.items()}
    leaves = {name: value.requires_grad_() for name, value in arguments.items() if value.is_floating_point()}
    # Clones, so that writing into an argument is seen in the first call, not refused by autograd here.
    value = module(*(argument.clone() for argument in arguments.values()))
    registered = dict(module.named_parameters(remove_duplicate=False))
    asked = exercise.parameters_for(case.weights)
    sources = {name: registered[name] for name in asked if name in registered} | leaves
    record_gradients(recorder, Recorder().results(exercise, value), sources, case.probes)
