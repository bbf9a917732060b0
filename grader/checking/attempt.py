"""Run a subject, the object a learner defines, on all cases and record it. Knows no expected value."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

import torch
from torch import nn

from grader.checking.deadline import TimeLimitExceededError, sheltered, time_limit
from grader.checking.drivers import known_drivers
from grader.checking.fake_device import reaching
from grader.checking.observation import Attempt, Observation, Problem
from grader.checking.precision import full_precision
from grader.checking.recording import CallWatcher, Recorder, describe_error, seen_beneath
from grader.checking.side_effects import Settings
from grader.exercises import Exercise
from grader.exercises.case import Case
from grader.private_api.pytorch import unwatched

CPU = torch.device("cpu")
# Drivers of exercises about where tensors are.
ABOUT_DEVICES = ("run_on", "names", "exposes")
DRIVERS = known_drivers()


@contextmanager
def known_torch_state() -> Iterator[None]:
    """Give every run the same torch settings, and put the learner's own back afterwards.

    float32 by default, gradients on, full float32 precision in matrix products (no TF32), and the
    learner's random state untouched.
    """
    dtype = torch.get_default_dtype()
    threads = torch.get_num_threads()
    gpus = range(torch.cuda.device_count()) if torch.cuda.is_initialized() else ()
    with torch.random.fork_rng(devices=gpus), torch.enable_grad(), full_precision():
        torch.set_default_dtype(torch.float32)
        torch.set_num_threads(1)  # the cases are small: waiting for other threads costs more than they save
        try:
            yield
        finally:
            torch.set_default_dtype(dtype)
            torch.set_num_threads(threads)


def made_there(exercise: Exercise, case: Case, device: torch.device) -> AbstractContextManager:
    """Return a context that makes new tensors on the check's device, except in exercises about devices.

    ``torch.zeros(3)`` is right on the CPU. A verdict must not depend on the machine, so it is accepted on any
    device, except in exercises about devices. A subject that receives no tensor cannot know the device.
    """
    asked = exercise.moves or exercise.driver in ABOUT_DEVICES
    given = case.arguments or case.weights
    return device if given and not asked and device.type != "cpu" else nullcontext()


@contextmanager
def surroundings(exercise: Exercise, case: Case, device: torch.device) -> Iterator[None]:
    """Set up the context that every call of a subject runs in; the answer cannot leave it."""
    with (
        sheltered(),
        known_torch_state(),
        reaching(device),
        made_there(exercise, case, device),
        sheltered(False),
    ):
        yield


def observe(exercise: Exercise, subject: object, case: Case, device: torch.device) -> Observation:
    """Run the subject on one case: on the CPU and, where that raises nothing, on another device if asked.

    An error that the CPU raises, such as an index out of range, can make a GPU unusable for the whole
    process.

    Raises:
        TimeLimitExceededError: the surrounding time limit ran out.
    """
    seen = _observe_on(CPU, exercise, subject, case)
    if device.type == CPU.type or seen.raised or seen.later_errors:
        return seen
    return _observe_on(device, exercise, subject, case)


def _observe_on(device: torch.device, exercise: Exercise, subject: object, case: Case) -> Observation:
    recorder, raised = Recorder(), None
    watched = exercise.watched if set(exercise.watched) - seen_beneath else ()
    watcher = CallWatcher(watched)
    # Calls are watched only if something is forbidden or required: watching takes a large model half of its
    # time.
    with sheltered(), known_torch_state(), watcher if watched else nullcontext():
        with unwatched():
            settings = Settings(seeds=case.thorough)
        try:
            with reaching(device), made_there(exercise, case, device), sheltered(False):
                DRIVERS[exercise.driver](exercise, subject, case, device, recorder)
        except (TimeLimitExceededError, KeyboardInterrupt):
            raise
        except BaseException as error:  # noqa: BLE001 - whatever the learner's code raises is its result
            raised = describe_error(error)
        finally:
            with unwatched():
                recorder.side_effects += settings.changed()
                settings.restore()
    return Observation(
        case=case.name,
        tensors=recorder.tensors,
        devices=recorder.devices,
        kinds=recorder.kinds,
        flags=recorder.flags,
        attributes=recorder.attributes,
        registered=recorder.registered,
        shared=recorder.shared,
        buffers=recorder.buffers,
        unregistered_tensors=recorder.unregistered_tensors,
        later_errors=recorder.later_errors,
        side_effects=tuple(dict.fromkeys(recorder.side_effects)),
        second_cause=recorder.second_cause,
        calls=tuple(watcher.calls),
        raised=raised,
    )


def subject_problem(exercise: Exercise, subject: object) -> Problem | None:
    """Return why the subject is not the kind of object that the exercise asks for, if it is not."""
    kind = type(subject)  # its real type: a learner's object may claim another in __class__
    named = {"subject": exercise.subject}
    told = named | {"kind": kind.__name__}
    if subject is None:
        return Problem("is None", named)
    if exercise.driver == "module" and not issubclass(kind, type):
        return Problem("an object" if issubclass(kind, nn.Module) else "no module", told)
    if exercise.driver == "module" and not issubclass(subject, nn.Module):
        return Problem("not inherited", named)
    if exercise.driver == "tokenizer" and not issubclass(kind, type):
        return Problem("no class", told)
    return None if callable(subject) else Problem("no function", told)


def attempt(
    exercise: Exercise, subject: object, cases: tuple[Case, ...], device: torch.device, seconds: float
) -> Attempt:
    """Run the subject on every case, even after one failed: diagnosis looks at all of them.

    Args:
        exercise: what is asked.
        subject: the object that the learner defined.
        cases: what it is run on.
        device: where it runs.
        seconds: time limit for all cases together.
    """
    if problem := subject_problem(exercise, subject):
        return Attempt(problem=problem)
    try:
        with time_limit(seconds):
            return Attempt(tuple(observe(exercise, subject, case, device) for case in cases))
    except TimeLimitExceededError:
        return Attempt(problem=too_slow(exercise, seconds))


def too_slow(exercise: Exercise, seconds: float) -> Problem:
    """Return the problem of an answer that was stopped after its time limit."""
    return Problem("stopped", {"subject": exercise.subject, "seconds": f"{seconds:g}"})
