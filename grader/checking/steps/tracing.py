"""Run an answer on one case and record the tensors that it makes. Knows no expected value."""

from collections.abc import Callable, Mapping

import torch

from grader.checking.attempt import CPU, surroundings
from grader.checking.deadline import TimeLimitExceededError, time_limit
from grader.checking.drivers.arrays import as_given, nested
from grader.checking.drivers.function import call
from grader.checking.drivers.module import construct, prepare
from grader.checking.observation import Traced
from grader.checking.side_effects import seed_for_calls
from grader.checking.steps.recording import Kept, TensorRecorder, follow, keep_results, local_arrays
from grader.exercises import Exercise
from grader.exercises.case import Case


def _call_function(
    exercise: Exercise, subject: Callable, case: Case, device: torch.device, kept: Kept
) -> None:
    arguments = [value.to(device, copy=True) for value in case.arguments.values()]
    with TensorRecorder(kept):
        keep_results(kept, call(subject, case, arguments))


def _call_module(exercise: Exercise, subject: Callable, case: Case, device: torch.device, kept: Kept) -> None:
    module = construct(subject, case)
    prepare(module, exercise, case, device)
    if case.drops:
        module.eval()
    arguments = [value.to(device, copy=True) for value in case.arguments.values()]
    seed_for_calls()
    with TensorRecorder(kept):
        keep_results(kept, module(*arguments))


def _call_with_arrays(
    exercise: Exercise, subject: Callable, case: Case, device: torch.device, kept: Kept
) -> None:
    given = nested({name: as_given(value) for name, value in case.arguments.items()})
    with local_arrays(kept):
        keep_results(kept, call(subject, case, [follow(value, kept) for value in given.values()]))


# How a subject is called, by driver. Other drivers are not traced.
CALLS: Mapping[str, Callable] = {
    "function": _call_function,
    "module": _call_module,
    "arrays": _call_with_arrays,
}


def traced(exercise: Exercise, subject: object, case: Case, device: torch.device, seconds: float) -> Traced:
    """Return the trace of a subject on a case; empty if the time limit ran out."""
    try:
        with time_limit(seconds):
            return Traced(case.name, trace(exercise, subject, case, device))
    except TimeLimitExceededError:
        return Traced(case.name, ())


def trace(exercise: Exercise, subject: object, case: Case, device: torch.device) -> tuple[torch.Tensor, ...]:
    """Return the tensors that the subject makes on a case, in order; none if there are too many.

    An exception ends the trace; what came before counts. As in an attempt, code that raises on the CPU runs
    on no other device.

    Raises:
        TimeLimitExceededError: the surrounding time limit ran out.
    """
    kept, raised = _trace_on(CPU, exercise, subject, case)
    if device.type != CPU.type and not raised:
        kept, _ = _trace_on(device, exercise, subject, case)
    return () if kept.full else tuple(kept.tensors)


def _trace_on(device: torch.device, exercise: Exercise, subject: object, case: Case) -> tuple[Kept, bool]:
    """Return what is kept on a device, and whether the subject raised anything."""
    kept = Kept()
    with surroundings(exercise, case, device):
        try:
            CALLS[exercise.driver](exercise, subject, case, device, kept)
        except (TimeLimitExceededError, KeyboardInterrupt):
            raise
        except BaseException:  # noqa: BLE001 - whatever the learner's code raises, the check has told it
            return kept, True
    return kept, False
