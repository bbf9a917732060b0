"""Run a function that looks at a module and lists names."""

from collections.abc import Callable

import torch
from torch import nn

from grader.checking.holdings import build_module, names_held
from grader.checking.observation import Kind, kind_of
from grader.checking.recording import Recorder
from grader.checking.side_effects import reading
from grader.exercises import Exercise
from grader.exercises.case import Case, Flag
from grader.private_api.pytorch import registered


def drive_names(
    exercise: Exercise, subject: Callable, case: Case, device: torch.device, recorder: Recorder
) -> None:
    """Record how often each name that the module holds is listed, and last how many others are.

    The names themselves are the learner's text; counts are all that has to be sent.
    """
    module = build_module(case, device)
    before, ways = _tensors(module), _ways(module)
    places = {name: tensor.device for name, tensor in before.items()}
    with reading(module, "tensors") as changed:  # they are looked at below, those in lists too
        listed = subject(module)
    recorder.side_effects += changed
    after = _tensors(module)
    moved = {name for name in before if name in after and after[name].device != places[name]}
    for key, given in case.arguments.items():
        name = key.partition(" ")[2]
        if name in after:  # what was moved is told as that: on the device meta there is nothing to compare
            recorder.tensor(f"argument/{key}", given if name in moved else after[name])
    same = _ways(module) == ways and all(after[name] is before[name] for name in before)
    recorder.flags |= {Flag.STAYED: not moved, Flag.UNTOUCHED: same}
    if kind := _kind_of_impostor(listed):
        recorder.kinds["result"] = kind
        return
    names = names_held(case)
    counts = [listed.count(name) for name in names]
    recorder.tensor("result", torch.tensor([*counts, len(listed) - sum(counts)]))
    recorder.flags[Flag.SORTED] = listed == sorted(listed)


def _kind_of_impostor(listed: object) -> Kind | None:
    """Return what a value is if it is no list of texts."""
    if type(listed) is not list:
        return kind_of(listed)
    others = sorted({type(one).__name__ for one in listed if type(one) is not str})
    return Kind("list", "of", others[0]) if others else None


def _tensors(module: nn.Module) -> dict[str, torch.Tensor]:
    """Return every tensor that a module holds in any way, by its dotted name."""
    return {
        f"{prefix}.{name}".lstrip("."): one
        for prefix, part in module.named_modules()
        for held in (vars(part), *registered(part))
        for name, value in held.items()
        for one in (value if isinstance(value, list) else [value])
        if isinstance(one, torch.Tensor)
    }


def _ways(module: nn.Module) -> tuple[list[str], ...]:
    """Return the names of what a module holds: all tensors, the parameters, the buffers, the saved ones."""
    held = (_tensors(module), dict(module.named_parameters()), dict(module.named_buffers()))
    return tuple(sorted(names) for names in (*held, module.state_dict()))
