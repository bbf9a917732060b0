"""Run a function of NumPy: a case's tensors go in as arrays, and arrays come back."""

from collections.abc import Callable, Mapping

import torch

from grader.checking.drivers.function import call
from grader.checking.recording import Recorder
from grader.exercises import Exercise
from grader.exercises.case import Case


def as_given(tensor: torch.Tensor) -> object:
    """Return a tensor as a function of NumPy is given it.

    A number if it has no axis; a list if it is a row of whole numbers; else an array.
    """
    if not tensor.dim() or (tensor.dim() == 1 and not tensor.is_floating_point()):
        return tensor.tolist()
    return tensor.cpu().numpy().copy()


def nested(given: Mapping[str, object]) -> dict[str, object]:
    """Return arguments, of which ``heads.0.W_Q`` and its like become a list ``heads`` of tuples."""
    groups: dict[str, dict[str, list]] = {}
    arguments: dict[str, object] = {}
    for name, value in given.items():
        argument, *path = name.split(".")
        if path:
            groups.setdefault(argument, {}).setdefault(path[0], []).append(value)
        arguments[argument] = value if not path else []
    for argument, items in groups.items():
        arguments[argument] = [tuple(item) for item in items.values()]
    return arguments


def flat(names: Mapping[str, object], arguments: Mapping[str, object]) -> dict[str, object]:
    """Return what the names stand for in ``nested`` arguments now; without what is no longer there."""
    values = {name: arguments[name] for name in names if name in arguments}
    for argument, items in arguments.items():
        own = [name for name in names if name.startswith(f"{argument}.")]
        if own:
            held = [value for item in items if type(item) is tuple for value in item]
            values |= dict(zip(own, held, strict=True)) if len(held) == len(own) else {}
    return values


def drive_arrays(
    exercise: Exercise, subject: Callable, case: Case, device: torch.device, recorder: Recorder
) -> None:
    """Call a function that returns an array, or a tuple of them; one without axes may be a float."""
    given = {name: as_given(value) for name, value in case.arguments.items()}
    arguments = nested(given)
    value = call(subject, case, arguments.values())
    recorder.results(exercise, value, recorder.array)
    for name, left in flat(given, arguments).items():
        recorder.argument(name, left, case.arguments[name])
