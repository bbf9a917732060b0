"""Run a function that returns an input on which some code is wrong."""

from collections.abc import Callable

import torch

from grader.checking.observation import Kind, kind_of
from grader.checking.recording import Recorder
from grader.exercises import Exercise
from grader.exercises.case import Case
from grader.exercises.specimen import DEVICE, PLACES, REAL, TENSOR, WHOLE


def drive_exposes(
    exercise: Exercise, subject: Callable, case: Case, device: torch.device, recorder: Recorder
) -> None:
    """Record the input. The code is run on it where it is judged, not here."""
    torch.default_generator.manual_seed(case.seed)
    value = subject()
    arguments = exercise.specimen.arguments
    parts = (value,)
    if len(arguments) > 1:
        if not isinstance(value, tuple | list):
            recorder.kinds["result"] = kind_of(value)
            return
        if len(value) != len(arguments):
            recorder.kinds["result"] = Kind(type(value).__name__, "of", str(len(value)))
            return
        parts = value
    record = {
        TENSOR: recorder.result,
        WHOLE: recorder.number,
        REAL: recorder.real,
        DEVICE: _record_place(recorder),
    }
    for argument, part in zip(arguments, parts, strict=True):
        record[argument.kind](f"result/{argument.name}", part)


def _record_place(recorder: Recorder) -> Callable[[str, object], None]:
    def record(name: str, value: object) -> None:
        """Record a device by its number in ``PLACES``: no text of the learner's is sent."""
        if not isinstance(value, str | torch.device):
            recorder.kinds[name] = kind_of(value)
            return
        try:
            recorder.tensor(name, torch.tensor(PLACES.index(torch.device(value).type)))
        except (RuntimeError, ValueError):
            recorder.kinds[name] = Kind(form="no device")

    return record
