"""Further calls: what only a second caller sees of a function or a module that was right at first.

The second call gives the same numbers in another memory layout and asks for gradients, after the first result
was written over. Where it comes out otherwise, more calls find out why.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import torch

from grader.checking.deadline import sheltered
from grader.checking.drivers.gradients import record_gradients
from grader.checking.fake_device import ELSEWHERE, Elsewhere, unwrapped
from grader.checking.memory import in_another_layout, other_numbers, share_memory, spoil
from grader.checking.observation import SideEffect
from grader.checking.recording import Recorder, describe_error, renamed
from grader.exercises import Exercise
from grader.exercises.case import Case, Flag
from grader.private_api.pytorch import unwatched

# What rounding may make of the same numbers in another order of memory, relative to the largest.
ALIKE = 1e-5


@dataclass(frozen=True)
class Calls:
    """Calls of one subject, after the first.

    Attributes:
        exercise: what is asked.
        recorder: holds what the first call gave, and takes what further ones give.
        call: calls the subject with arguments.
        given: gives the case's arguments anew, in another memory layout or not.
        recording: gives the method of a recorder that records one result.
    """

    exercise: Exercise
    recorder: Recorder
    call: Callable[[Iterable[object]], object]
    given: Callable[[bool], Iterable[object]]
    recording: Callable[[Recorder], Callable[[str, object], bool]] = lambda own: own.result

    def second(
        self,
        arguments: Iterable[object],
        first: Mapping[str, object],
        restores: list[Callable[[], None]],
    ) -> dict[str, torch.Tensor]:
        """Call with the same numbers; record the results, and why they differ from the first ones.

        Args:
            arguments: in another layout, asking for gradients where that is possible.
            first: what the first call returned, by name.
            restores: put back what was written over the first results.

        Returns:
            The results; empty if it raised or returned something else.
        """
        results = {}
        try:
            results = self.record("second", arguments)
            self._note_same_memory(first, results)
            differs = not as_at_first(self.recorder, self.recorder, "second")
        except Exception as error:  # noqa: BLE001 - whatever the learner's code raises is its result
            self.recorder.later_errors["second"] = describe_error(error)
            differs = True
        if differs:
            self.recorder.second_cause = self._cause(restores)
        return results

    def record(self, role: str, arguments: Iterable[object]) -> dict[str, torch.Tensor]:
        """Call, and record what comes back under a role of its own."""
        own = Recorder()
        results = own.results(self.exercise, self.call(arguments), self.recording(own))
        self.recorder.take(own, role)
        return results

    def _note_same_memory(self, first: Mapping[str, object], second: Mapping[str, object]) -> None:
        """Note which results of two calls are one piece of memory; a view of an argument is not."""
        with unwatched():
            names = [name for name, one in second.items() if share_memory(first.get(name), one)]
        self.recorder.side_effects += [SideEffect("same", name) for name in names]

    def _agrees(self, in_another_layout: bool) -> bool:
        """Return whether a call without gradients gives what the first one gave."""
        own = Calls(self.exercise, Recorder(), self.call, self.given, self.recording)
        try:
            own.record("result", self.given(in_another_layout))
        except Exception:  # noqa: BLE001 - whatever the learner's code raises is its result
            return False
        return as_at_first(own.recorder, self.recorder, "result")

    def _cause(self, restores: list[Callable[[], None]]) -> str:
        """Return why the second call came out otherwise, one of ``SECOND_CAUSES``."""
        if self._agrees(False):
            return "gradient" if self._agrees(True) else "layout"
        for restore in reversed(restores):
            restore()
        return "shared" if self._agrees(False) else "state"


def call_elsewhere(case: Case, recorder: Recorder, call: Callable[[list[torch.Tensor]], object]) -> None:
    """Make a call with a case's arguments on another device, and record what came of it and where that is."""
    own = Recorder()
    with sheltered(), Elsewhere(), sheltered(False), recorder.later("elsewhere"):
        result = call([value.to(ELSEWHERE) for value in case.arguments.values()])
        if own.result("elsewhere", unwrapped(result)):
            recorder.tensors["elsewhere"] = own.tensors["elsewhere"]
            recorder.flags[Flag.ELSEWHERE] = getattr(result, "device", None) == ELSEWHERE


def tensor_calls(
    exercise: Exercise, case: Case, device: torch.device, recorder: Recorder, call: Callable
) -> Calls:
    """Return calls of a subject that takes a case's tensors."""

    def given(other_layout: bool) -> list[torch.Tensor]:
        arrange = in_another_layout if other_layout else torch.clone
        return [arrange(value.to(device)) for value in case.arguments.values()]

    return Calls(exercise, recorder, call, given)


def second_with_gradients(
    calls: Calls,
    case: Case,
    device: torch.device,
    first: Mapping[str, torch.Tensor],
    sources: Callable[[], Mapping[str, torch.Tensor]] = dict,
) -> None:
    """Write over the first results, call a second time, and send a gradient back where the case asks for one.

    Args:
        calls: of the subject.
        case: its arguments and ``grad_outputs``.
        device: where it runs.
        first: what the first call returned.
        sources: gives what gradients are asked for besides the arguments, by name.
    """
    with unwatched():
        restores = [spoil(result) for result in first.values()]
    leaves = {name: value.to(device, copy=True) for name, value in case.arguments.items()}
    floats = {name: leaf for name, leaf in leaves.items() if leaf.is_floating_point() and case.grad_outputs}
    for leaf in floats.values():
        leaf.requires_grad_()
    given = {name: in_another_layout(leaf) for name, leaf in leaves.items()}
    results = calls.second(given.values(), first, restores)
    with unwatched():
        for name, left in given.items():
            if not torch.equal(left, case.arguments[name].to(device)):
                calls.recorder.tensor(f"argument/{name}", left)
    if results and case.grad_outputs:
        record_gradients(calls.recorder, results, {**sources(), **floats}, case.grad_outputs)


def note_unused(
    calls: Calls, values: Mapping[str, torch.Tensor], exchanged: Callable[[str], Iterable[object]]
) -> None:
    """Note which arguments or weights leave the result as it is, to the last digit, with other numbers.

    Args:
        calls: of the subject.
        values: those that are tried, as they were.
        exchanged: gives the case's arguments anew, with other numbers in one of them, or in that weight.
    """
    for name, value in values.items():
        if torch.equal(other_numbers(value), value):
            continue  # there are no others
        own = Calls(calls.exercise, Recorder(), calls.call, calls.given, calls.recording)
        try:
            own.record("result", exchanged(name))
        except Exception:  # noqa: BLE001 - it did not stay as it is: an error came of it
            continue
        first = {key: one for key, one in calls.recorder.tensors.items() if key.partition("/")[0] == "result"}
        if all(_identical(own.recorder.tensors.get(key), one) for key, one in first.items()):
            calls.recorder.side_effects.append(SideEffect("unused", name))


def _identical(one: torch.Tensor | None, other: torch.Tensor) -> bool:
    """Return whether two tensors have the same bytes; where a result was NaN, nothing can be said."""
    return one is not None and one.dtype == other.dtype and torch.equal(one, other)


def as_at_first(later: Recorder, first: Recorder, role: str) -> bool:
    """Return whether what one recorder holds under a role is what the first call gave."""
    names = (name for name in first.tensors if name.partition("/")[0] == "result")
    return all(_alike(later.tensors.get(renamed(name, role)), first.tensors[name]) for name in names)


def _alike(second: torch.Tensor | None, first: torch.Tensor) -> bool:
    if second is None or second.shape != first.shape or second.dtype != first.dtype or first.is_complex():
        return False
    if torch.equal(second, first):  # mostly so
        return True
    scale = float(first.double().abs().nan_to_num(posinf=0.0).max()) if first.numel() else 0.0
    return torch.allclose(second.double(), first.double(), rtol=ALIKE, atol=ALIKE * scale, equal_nan=True)
