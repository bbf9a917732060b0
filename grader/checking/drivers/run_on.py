"""Run a function that takes a module and its input to a device and brings the result back."""

from collections.abc import Callable

import torch
from torch import nn

from grader.checking.deadline import sheltered
from grader.checking.drivers.gradients import record_gradients
from grader.checking.fake_device import ELSEWHERE, Elsewhere, unwrapped
from grader.checking.memory import in_another_layout
from grader.checking.recording import Recorder
from grader.checking.side_effects import reading, seed_for_calls, seed_kept
from grader.exercises import Exercise
from grader.exercises.case import Case, Flag


class Traveler(nn.Module):
    """A linear layer with a buffer, which knows where it ran and gives half as much in training.

    A module inside is in the other mode than the whole.
    """

    def __init__(self, weight: torch.Tensor, shift: torch.Tensor, ran_on: list[torch.device]) -> None:
        super().__init__()
        self.weight = nn.Parameter(weight.clone())
        self.register_buffer("shift", shift.clone())
        self.report = ran_on.append  # not copied when the module is
        self.inside = nn.Identity()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (T, d_out) for x (T, d_in)."""
        # The product of a view: backward works even if the parameter's numbers have been moved away since,
        # as it does after nn.Linear, so that a function may move the module there and back.
        context = x @ self.weight[:] + self.shift
        self.report(self.weight.device)
        return 0.5 * context if self.training else context


def drive_run_on(
    exercise: Exercise, subject: Callable, case: Case, device: torch.device, recorder: Recorder
) -> None:
    """Call the function with a module, an input and a device, each here or there as the case says.

    Here is where the check runs. There is the CPU if that is a GPU, else a device that needs no hardware.
    """
    places = (device, ELSEWHERE if device.type == "cpu" else torch.device("cpu"))
    module_place, x_place, target = (
        places[case.options[name]] for name in ("module_there", "x_there", "device_there")
    )
    ran_on: list[torch.device] = []
    given, weight, shift = case.arguments.values()
    with sheltered(), Elsewhere(), sheltered(False):
        module = Traveler(weight, shift, ran_on).train(case.options["training"]).to(module_place)
        module.inside.train(not module.training)
        held = _places(module)
        x = given.to(x_place, copy=True)
        seed_for_calls()
        with reading(module, "tensors") as changed:
            named = str(target) if case.options["named"] else target
            result = subject(module, x, named)
        recorder.side_effects += (*changed, *seed_kept())
        recorder.given("x", x)
        for name in ("weight", "shift"):
            recorder.tensor(f"argument/module.{name}", getattr(module, name))
        if not recorder.result("result", unwrapped(result)):
            return
        recorder.devices.clear()  # where it has to be depends on the case
        where = _place(target)
        recorder.flags |= {
            Flag.RAN_THERE: {_place(one) for one in ran_on} == {where},
            Flag.RAN_ONCE: len(ran_on) == 1,
            Flag.RETURNED: result.device == x.device,
            Flag.STAYED: _places(module) == held,
            Flag.SAME_MODE: module.training == case.options["training"],
        }
        with recorder.later("gradient"):
            leaf = given.to(x_place, copy=True).detach().requires_grad_()
            back = subject(module, in_another_layout(leaf), named)
            record_gradients(recorder, {"result": back}, {"x": leaf}, case.grad_outputs)


def _place(device: torch.device) -> tuple[str, int]:
    return device.type, device.index or 0


def _places(module: nn.Module) -> list[tuple[str, int]]:
    """Return where a module's parameters and buffers are."""
    return [_place(tensor.device) for tensor in (*module.parameters(), *module.buffers())]
