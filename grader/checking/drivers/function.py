"""Run a function on a case's tensors and options."""

from collections.abc import Callable, Iterable

import torch

from grader.checking.drivers.gradients import record_gradients
from grader.checking.recording import Recorder
from grader.exercises import Exercise
from grader.exercises.case import Case


def call(subject: Callable, case: Case, arguments: Iterable[object]) -> object:
    """Call the subject: arguments by position, options as the case says."""
    torch.default_generator.manual_seed(case.seed)
    if case.positional:
        return subject(*arguments, *case.options.values())
    return subject(*arguments, **case.options)


def drive_function(
    exercise: Exercise, subject: Callable, case: Case, device: torch.device, recorder: Recorder
) -> None:
    """Call a function that returns a tensor, or a tuple of them, and send a gradient back."""
    arguments = {name: value.to(device, copy=True) for name, value in case.arguments.items()}
    results = recorder.results(exercise, call(subject, case, arguments.values()))
    for name, argument in arguments.items():
        recorder.tensor(f"argument/{name}", argument)
        if argument.grad is not None:
            recorder.tensor(f"left/{name}", argument.grad)
    if not results or not case.probes:
        return
    with recorder.later("gradient"):
        leaves = {name: value.to(device, copy=True) for name, value in case.arguments.items()}
        sources = {name: leaf.requires_grad_() for name, leaf in leaves.items() if leaf.is_floating_point()}
        # Clones, so that writing into an argument is seen in the first call, not refused by autograd here.
        value = call(subject, case, [leaf.clone() for leaf in leaves.values()])
        record_gradients(recorder, Recorder().results(exercise, value), sources, case.probes)


def drive_number(
    exercise: Exercise, subject: Callable, case: Case, device: torch.device, recorder: Recorder
) -> None:
    """Call a function that returns an int."""
    recorder.number("result", call(subject, case, case.arguments.values()))
