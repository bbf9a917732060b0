"""Construct a module, load a case's weights by name, and call it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import torch
from torch import nn

from grader.checking.comparison import differ
from grader.checking.drivers.function import exchange
from grader.checking.drivers.further import call_elsewhere, note_unused, second_with_gradients, tensor_calls
from grader.checking.fake_device import ELSEWHERE
from grader.checking.memory import other_numbers
from grader.checking.observation import SideEffect
from grader.checking.recording import Recorder
from grader.checking.side_effects import on_cpu, seed_for_calls, seed_kept
from grader.exercises import Exercise
from grader.exercises.case import Case, Flag, other_input
from grader.private_api.pytorch import unwatched


def _owner(module: nn.Module, name: str) -> tuple[object, str]:
    """Split ``W_query.weight`` into the object that holds the attribute and the attribute's name.

    A number is an item's place, of a plain list too: that its modules are not registered is told for itself.
    """
    *path, attribute = name.split(".")
    owner: object = module
    for part in path:
        in_row = isinstance(owner, list | tuple) and part.isdecimal() and int(part) < len(owner)
        owner = owner[int(part)] if in_row else getattr(owner, part, None)
    return owner, attribute


def _other_places(module: nn.Module, weights: Mapping[str, torch.Tensor]) -> dict[str, str]:
    """Return, for weights without an attribute of their name, the parameters that stand in their place."""
    held = {name: getattr(*_owner(module, name), None) for name in weights}
    missing = [name for name, one in held.items() if not isinstance(one, torch.Tensor)]
    places: dict[str, str] = {}
    if not missing:
        return places
    # A bias beside a weight that is asked for is one too many, and is set to 0.
    spare = {
        name: one.shape
        for name, one in module.named_parameters()
        if name not in weights and f"{name.removesuffix('bias')}weight" not in weights
    }
    # First those whose names speak of the same, such as query or wq for W_query, then in their order.
    for means_the_same in (_means_the_same, lambda asked, other: True):
        for name in missing:
            fits = (
                other
                for other, shape in spare.items()
                if name not in places and shape == weights[name].shape and means_the_same(name, other)
            )
            if fitting := next(fits, None):
                del spare[fitting]
                places[name] = fitting
    return places


def _means_the_same(asked: str, other: str) -> bool:
    """Return whether a parameter's name begins, without W, with the letter of the one that is asked for."""
    (one, *rest), (another, *others) = (_letters(name) for name in (asked, other))
    return bool(one) and one == another and rest == others


def _letters(name: str) -> tuple[str, ...]:
    """Return what a name says: the first letter behind W of the layer, and whether it is a bias."""
    layer, _, kind = name.rpartition(".")
    layer, kind = (layer, kind) if layer else (kind, "")
    own = layer.rpartition(".")[2].lower().replace("weight", "").strip("_")
    letter = own.removeprefix("w").strip("_")[:1] or own[:1]
    return letter, kind if kind == "bias" else "weight"


def load_weights(module: nn.Module, weights: Mapping[str, torch.Tensor]) -> None:
    """Write the case's weights into the attributes of their names.

    One that has no such attribute goes to the next parameter of its shape that nobody asks for, so that the
    numbers tell more than that a name is another: a check reports the name from what was recorded. A bias
    that the case does not name is set to 0: a check reports it, and the numbers tell what else is wrong.
    """
    with torch.no_grad():
        places = _other_places(module, weights)
        for name, weight in weights.items():
            owner, attribute = _owner(module, places.get(name, name))
            held = getattr(owner, attribute, None)
            if isinstance(held, nn.Parameter) and held.shape == weight.shape:
                held.copy_(weight)
            elif isinstance(held, torch.Tensor) and held.shape == weight.shape:
                setattr(owner, attribute, weight.clone())
            bias = getattr(owner, "bias", None)
            bias_name = name.removesuffix("weight") + "bias"
            if attribute == "weight" and isinstance(bias, nn.Parameter) and bias_name not in weights:
                bias.zero_()


def construct(subject: type[nn.Module], case: Case, recorder: Recorder | None = None) -> nn.Module:
    """Construct a module right after seeding, on the CPU.

    By position for some cases and by keyword for all others, so that an exchanged order and a misspelled
    name both show. What that set besides is recorded, if there is a recorder.
    """
    seed_for_calls(case.seed)
    with on_cpu() as left:
        module = subject(*case.options.values()) if case.positional else subject(**case.options)
    if recorder:
        recorder.side_effects += left
    return module


def move(module: nn.Module, device: torch.device, *, plain_too: bool = False) -> None:
    """Move a module to a device if it is not there already: ``to`` looks at each tensor for long.

    Args:
        module: what is moved.
        device: where to.
        plain_too: whether tensors go along that are plain attributes, which ``to`` leaves behind: where
            nobody asked for buffers, a verdict must not depend on the device.
    """
    tensors = [*module.parameters(), *module.buffers()]
    with unwatched():
        there = all(one.device == device for one in tensors)
    if not there:
        module.to(device)
    if plain_too and device.type != "cpu":
        for part in module.modules():
            vars(part).update(
                {name: one.to(device) for name, one in vars(part).items() if isinstance(one, torch.Tensor)}
            )


def drive_module(
    exercise: Exercise, subject: type[nn.Module], case: Case, device: torch.device, recorder: Recorder
) -> None:
    """Call a module with the case's weights, send a gradient back, and call it on other numbers.

    A case without arguments asks the constructor to refuse. One with dropout is looked at otherwise: its
    result is that in ``eval()``, and it is called twice more in training.
    """
    module = construct(subject, case, recorder)
    recorder.side_effects += seed_kept(case.seed)
    recorder.parameters(module, exercise.parameters_for(case.weights))
    if not case.arguments:
        return
    for name in exercise.attributes:
        recorder.attribute(name, getattr(module, name, None))
    prepare(module, exercise, case, device)
    made = ModuleState.of(module)
    if case.drops:
        module.eval()
    before = ModuleState.of(module)
    arguments = {name: value.to(device, copy=True) for name, value in case.arguments.items()}
    seed_for_calls()
    results = recorder.results(exercise, module(*arguments.values()))
    recorder.side_effects += seed_kept()
    for name, argument in arguments.items():
        recorder.given(name, argument)
    recorder.left_in(module)
    if case.thorough and exercise.moves:  # what a call has left on it stays behind, too
        recorder.plain_tensors(module)
    recorder.side_effects += before.changes(module, modes=case.thorough)
    if not results or case.once:
        return
    if "dropout" in case.options:

        def first_again(given: list[torch.Tensor]) -> bool:
            fresh, own = construct(subject, case), Recorder()
            prepare(fresh, exercise, case, device)
            fresh.train(module.training)
            seed_for_calls(case.seed + 1)
            own.result("result", fresh(*(value.clone() for value in given)))
            own.tensors["repeat"] = recorder.tensors["result"]
            return "result" in own.tensors and not _unlike(own, "result", "repeat")

        asked = exercise.parameters_for(case.weights)
        drive_dropout(module, asked, case, device, recorder, first_again, made)
    if case.grad_outputs:
        drive_further(exercise, subject, module, results, case, device, recorder)


@dataclass(frozen=True)
class ModuleState:
    """What a call of a module leaves as it is: its parameters, and the training mode of each part."""

    parameters: Mapping[str, nn.Parameter]
    modes: tuple[tuple[nn.Module, bool], ...]

    @classmethod
    def of(cls, module: nn.Module) -> "ModuleState":
        """Return the state of a module now."""
        modes = tuple((part, part.training) for part in module.modules())
        return cls(dict(module.named_parameters(remove_duplicate=False)), modes)

    def restore_modes(self) -> None:
        """Put each part back into its training mode."""
        for part, training in self.modes:
            part.training = training

    def changes(self, module: nn.Module, modes: bool) -> Iterator[SideEffect]:
        """Yield what is different now; a part that a call has made has no earlier mode."""
        now = module.named_parameters(remove_duplicate=False)
        if made := [name for name, one in now if self.parameters.get(name) is not one]:
            yield SideEffect("made", made[0])
        if modes and any(part.training != earlier for part, earlier in self.modes):
            yield SideEffect("module", "training mode")


def prepare(module: nn.Module, exercise: Exercise, case: Case, device: torch.device) -> None:
    """Give a module the case's dtype and weights, on a device."""
    if case.dtype != torch.get_default_dtype():
        module.to(dtype=case.dtype)
    load_weights(module, case.weights)
    move(module, device, plain_too=not exercise.moves)


def drive_further(
    exercise: Exercise,
    subject: type[nn.Module],
    module: nn.Module,
    results: Mapping[str, torch.Tensor],
    case: Case,
    device: torch.device,
    recorder: Recorder,
) -> None:
    """Call a module that gave a result again: with the same numbers, and with others.

    A thorough case also tries the first numbers again, and a fresh module: on the shorter input first, and on
    another device.
    """
    calls = tensor_calls(exercise, case, device, recorder, lambda given: module(*given))

    def asked() -> dict[str, nn.Parameter]:
        registered = dict(module.named_parameters(remove_duplicate=False))
        return {
            name: registered[name] for name in exercise.parameters_for(case.weights) if name in registered
        }

    second_with_gradients(calls, case, device, results, asked)
    if unseen := {n: one for n, one in asked().items() if f"gradient/{n}" not in recorder.tensors}:
        with unwatched():
            held = {name: one.detach().clone() for name, one in unseen.items()}
        note_unused(calls, held, lambda name: _after_exchange(unseen[name], case, device))
        load_weights(module, case.weights)
    if case.called_again:
        module.eval()
    before = ModuleState.of(module)
    if case.called_again:
        with recorder.later("again"):
            calls.record("again", other_arguments(case, device))
    if not case.thorough:
        return
    with recorder.later("later"):
        calls.record("later", calls.given(False))
    recorder.side_effects += before.changes(module, modes=True)
    drive_fresh(exercise, subject, case, device, recorder)
    if exercise.saved is not None:
        drive_saved(exercise, subject, case, recorder)


def _after_exchange(weight: nn.Parameter, case: Case, device: torch.device) -> list[torch.Tensor]:
    """Write other numbers into a weight, and return the case's arguments."""
    with torch.no_grad():
        weight.copy_(other_numbers(weight))
    return [value.to(device, copy=True) for value in case.arguments.values()]


def other_arguments(case: Case, device: torch.device) -> list[torch.Tensor]:
    """Return what a module is called with a second time."""
    with unwatched():
        return [other_input(value).to(device).contiguous() for value in case.arguments.values()]


def drive_fresh(
    exercise: Exercise, subject: type[nn.Module], case: Case, device: torch.device, recorder: Recorder
) -> None:
    """Call a module that nobody called yet on the shorter input, on the longer one, and on another device.

    Then once more after another one of its class was made, with other numbers and settings of its own.
    """
    module = construct(subject, case)
    prepare(module, exercise, case, device)
    module.eval()
    calls = tensor_calls(exercise, case, device, recorder, lambda given: module(*given))
    with recorder.later("fresh"):
        calls.record("fresh", other_arguments(case, device))
    held = list(calls.given(False))
    with recorder.later("grown"):
        calls.record("grown", held)
    with recorder.later("refilled"):
        exchange(dict(zip(case.arguments, held, strict=True)), case)
        calls.record("refilled", held)
    with recorder.later("beside"):
        construct(subject, replace(case, options=_other_options(case.options)))
        calls.record("beside", calls.given(False))
    if exercise.moves:  # one that was used already
        call_elsewhere(case, recorder, lambda given: module.to(ELSEWHERE)(*given))


def _other_options(options: Mapping[str, object]) -> dict[str, object]:
    """Return other settings with which a module of the same kind can be made."""
    others = dict(options)
    for name, value in options.items():
        if name == "context_length":
            others[name] = value + 1
        elif name == "num_heads":
            others[name] = 1
        elif type(value) is bool:
            others[name] = not value
    return others


def drive_saved(exercise: Exercise, subject: type[nn.Module], case: Case, recorder: Recorder) -> None:
    """Record which buffers a module saves, and whether another one takes what it saved."""
    with recorder.later("saved"):
        state = construct(subject, case).state_dict()
        saved = [name in state for name in exercise.buffers]
        recorder.flags |= {Flag.SAVED: all(saved), Flag.NOT_SAVED: not any(saved)}
        construct(subject, case).load_state_dict(state)


def _trains(module: nn.Module, asked: Iterable[str], result: torch.Tensor) -> bool:
    """Return whether a gradient reaches every parameter that is to be trained: of those asked, if any is."""
    held = dict(module.named_parameters(remove_duplicate=False))
    names = [name for name in asked if name in held] or [*held]
    weights = [held[name] for name in names if held[name].requires_grad]
    if not weights or not result.requires_grad:
        return not weights
    gradients = torch.autograd.grad(result.sum(), weights, retain_graph=True, allow_unused=True)
    return all(one is not None for one in gradients)


def _unlike(recorder: Recorder, one: str, other: str) -> bool:
    """Return whether two tensors were recorded that differ."""
    first, second = (recorder.tensors.get(name) for name in (one, other))
    return first is not None and second is not None and differ(first, second)


def drive_dropout(
    module: nn.Module,
    asked: Iterable[str],
    case: Case,
    device: torch.device,
    recorder: Recorder,
    first_again: Callable[[list[torch.Tensor]], bool],
    made: ModuleState,
) -> None:
    """Call the module again on the same input, and where dropout is asked for, twice in training.

    There a gradient is to reach all parameters that are ``asked``. ``first_again`` tells whether a fresh
    module gives the first result, with other random numbers: then what differs is no chance, but kept.
    Training is the mode in which each part of the module was ``made``, as one has it who calls it at once.
    """
    arguments = [value.to(device, copy=True) for value in case.arguments.values()]
    with recorder.later("repeat"):
        recorder.result("repeat", module(*(value.clone() for value in arguments)))
        if _unlike(recorder, "result", "repeat") and first_again(arguments):
            recorder.flags[Flag.KEPT] = True
    if case.drops:
        with recorder.later("train"):
            made.restore_modes()
            result = module(*(value.clone() for value in arguments))
            if recorder.result("train", result):
                with recorder.later("gradient in training"):
                    recorder.flags[Flag.TRAINS] = _trains(module, asked, result)
            recorder.result("train again", module(*arguments))
