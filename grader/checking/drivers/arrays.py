"""Run a function of NumPy: a case's tensors go in as arrays, and arrays come back."""

from collections.abc import Callable, Iterable, Mapping

import numpy as np
import torch

from grader.checking.drivers.function import call
from grader.checking.drivers.further import Calls, note_unused
from grader.checking.memory import array_in_another_layout, other_numbers, spoil_array
from grader.checking.observation import SideEffect
from grader.checking.recording import Recorder
from grader.checking.side_effects import seed_kept
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
    """Call a function that returns an array, or a tuple of them; one without axes may be a float.

    Then once more, with the same numbers in another memory layout, after the first result was written over;
    and in a thorough case last with the arguments that it had first, after their numbers were exchanged for
    others.
    """
    given = {name: as_given(value) for name, value in case.arguments.items()}
    arguments = nested(given)
    value = call(subject, case, arguments.values())
    recorder.side_effects += seed_kept()
    results = recorder.results(exercise, value, recorder.array)
    for name, left in flat(given, arguments).items():
        recorder.argument(name, left, case.arguments[name])
    if not results or case.once:
        return
    restores = [spoil_array(one) for one in results.values() if isinstance(one, np.ndarray)]
    if exercise.new_memory:
        recorder.side_effects += _shared(case, given)

    def again(other_layout: bool) -> Iterable[object]:
        arrange = array_in_another_layout if other_layout else np.copy
        return nested(_arranged(case, arrange)).values()

    calls = Calls(exercise, recorder, lambda given: call(subject, case, given), again, lambda own: own.array)
    turned = nested(_arranged(case, array_in_another_layout))
    calls.second(turned.values(), results, restores)
    for name, left in flat(given, turned).items():
        if isinstance(left, np.ndarray) and not np.array_equal(left, case.arguments[name].cpu().numpy()):
            recorder.array(f"argument/{name}", left)
    arrays = {name: case.arguments[name] for name, one in given.items() if isinstance(one, np.ndarray)}
    note_unused(calls, arrays, lambda name: _with_others(case, name))
    if case.called_again:
        with recorder.later("again"):
            exchange(given, case.arguments)
            calls.record("again", arguments.values())


def _arranged(case: Case, arrange: Callable[[np.ndarray], np.ndarray]) -> dict[str, object]:
    given = {name: as_given(value) for name, value in case.arguments.items()}
    return {name: arrange(one) if isinstance(one, np.ndarray) else one for name, one in given.items()}


def _with_others(case: Case, other: str) -> Iterable[object]:
    """Return the case's arguments with other numbers in one of them."""
    changed = {name: other_numbers(one) if name == other else one for name, one in case.arguments.items()}
    return nested({name: as_given(one) for name, one in changed.items()}).values()


def exchange(given: Mapping[str, object], numbers: Mapping[str, torch.Tensor]) -> None:
    """Write other numbers into the arrays that were given."""
    for name, array in given.items():
        if isinstance(array, np.ndarray):
            array[...] = other_numbers(numbers[name]).numpy()


def _shared(case: Case, given: Mapping[str, object]) -> list[SideEffect]:
    """Return which arrays were changed by writing into the results."""
    return [
        SideEffect("shared", name)
        for name, one in given.items()
        if isinstance(one, np.ndarray) and not np.array_equal(one, case.arguments[name].numpy())
    ]
