"""Run a function on a case's tensors and options."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import torch

from grader.checking.drivers.further import call_elsewhere, note_unused, second_with_gradients, tensor_calls
from grader.checking.memory import other_numbers
from grader.checking.observation import SideEffect
from grader.checking.recording import Recorder
from grader.checking.side_effects import CALL_SEED, seed_for_calls, seed_kept
from grader.exercises import Exercise
from grader.exercises.case import Case
from grader.private_api.pytorch import unwatched

# A seed of torch's random numbers beside that of all other calls.
ANOTHER_SEED = CALL_SEED + 1


def call(subject: Callable, case: Case, arguments: Iterable[object], seed: int = CALL_SEED) -> object:
    """Call the subject: arguments by position, options as the case says."""
    seed_for_calls(seed)
    if case.positional:
        return subject(*arguments, *case.options.values())
    return subject(*arguments, **case.options)


def drive_function(
    exercise: Exercise, subject: Callable, case: Case, device: torch.device, recorder: Recorder
) -> None:
    """Call a function that returns a tensor, or a tuple of them, then once more, and send a gradient back.

    In a thorough case it is called last with the arguments that it had first, after their numbers were
    exchanged for others.
    """
    arguments = {name: value.to(device, copy=True) for name, value in case.arguments.items()}
    results = recorder.results(exercise, call(subject, case, arguments.values()))
    recorder.side_effects += seed_kept()
    for name, argument in arguments.items():
        recorder.given(name, argument)
    if not results or case.once:
        return
    calls = tensor_calls(exercise, case, device, recorder, lambda given: call(subject, case, given))
    second_with_gradients(calls, case, device, results)
    if exercise.new_memory:
        _note_shared(arguments, recorder)
    if case.grad_outputs:
        unseen = {n: one for n, one in case.arguments.items() if f"gradient/{n}" not in recorder.tensors}
        # What is drawn at random in each call is not said to stay as it is.
        otherwise = replace(calls, call=lambda given: call(subject, case, given, ANOTHER_SEED))
        note_unused(otherwise, unseen, lambda name: _with_others(case, name, device))
    if arguments and case.called_again:
        with recorder.later("again"):
            exchange(arguments, case)
            calls.record("again", arguments.values())
    if exercise.moves and case.thorough:
        call_elsewhere(case, recorder, lambda given: call(subject, case, given))


def _with_others(case: Case, other: str, device: torch.device) -> list[torch.Tensor]:
    """Return the case's arguments with other numbers in one of them."""
    return [
        (other_numbers(value) if name == other else value).to(device, copy=True)
        for name, value in case.arguments.items()
    ]


def exchange(arguments: Mapping[str, torch.Tensor], case: Case) -> None:
    """Write other numbers into the tensors that were given."""
    with torch.no_grad():
        for name, argument in arguments.items():
            argument.grad = None
            argument.detach_().requires_grad_(False).copy_(other_numbers(case.arguments[name]))


def _note_shared(arguments: Mapping[str, torch.Tensor], recorder: Recorder) -> None:
    """Note which arguments were changed by writing into the results."""
    with unwatched():
        left = {name: recorder.tensors[f"argument/{name}"] for name in arguments}
        shared = [name for name, one in arguments.items() if not torch.equal(one.cpu(), left[name])]
    recorder.side_effects += [SideEffect("shared", name) for name in shared]


def drive_number(
    exercise: Exercise, subject: Callable, case: Case, device: torch.device, recorder: Recorder
) -> None:
    """Call a function that returns an int."""
    arguments = {name: value.to(device, copy=True) for name, value in case.arguments.items()}
    recorder.number("result", call(subject, case, arguments.values()))
    recorder.side_effects += seed_kept()
    for name, argument in arguments.items():
        recorder.given(name, argument)
