"""Side effects of a call: changed settings of the process, and changes to a module that was given."""

import random
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache
from itertools import chain

import numpy as np
import torch
from torch import nn

from grader.checking.observation import SideEffect
from grader.checking.precision import products_precision
from grader.messages import message
from grader.private_api.pytorch import (
    HOOKS,
    REGISTERED,
    DefaultDevice,
    is_any_function_mode_active,
    registered,
)

# Process-wide settings that later code would inherit, by the name that messages use.
DEFAULT_DEVICE = message("torch's default device").text
ANOMALIES = message("torch's anomaly detection").text
DETERMINISTIC = message("torch's choice of deterministic algorithms").text
FLOAT_ERRORS = message("NumPy's handling of floating-point errors").text
SETTINGS: dict[str, Callable[[], object]] = {
    message("torch's default dtype").text: torch.get_default_dtype,
    DEFAULT_DEVICE: torch.get_default_device,
    message("torch's gradient mode").text: torch.is_grad_enabled,
    message("torch's inference mode").text: torch.is_inference_mode_enabled,
    ANOMALIES: torch.is_anomaly_enabled,
    message("torch's precision of float32 products").text: products_precision,
    DETERMINISTIC: torch.are_deterministic_algorithms_enabled,
    FLOAT_ERRORS: np.geterr,
}
# Functions that restore the settings that the checks do not set themselves.
RESTORES: dict[str, Callable] = {
    DEFAULT_DEVICE: torch.set_default_device,
    ANOMALIES: torch.autograd.set_detect_anomaly,
    DETERMINISTIC: torch.use_deterministic_algorithms,
    FLOAT_ERRORS: lambda before: np.seterr(**before),
}
# Generators, by the name that messages use.
TORCH_SEED = message("the seed of torch's random numbers").text
PYTHON_SEED = message("the seed of Python's random numbers").text
NUMPY_SEED = message("the seed of NumPy's random numbers").text
# Seeds that no answer has a reason to use: if a generator no longer starts from them, it was seeded again.
CALL_SEED = 80_021_904_773
# As many low bits of a seed as a Mersenne Twister of PyTorch's starts from.
SEED_BITS = 32
# The version of Python's state of a Mersenne Twister, and more keys than any answer has reason to use up.
TWISTER, MOST_KEYS = 3, 50


class Settings:
    """The settings of the process and the seeds of its generators, as they were when this was made."""

    def __init__(self, *, seeds: bool) -> None:
        self._before = {name: read() for name, read in SETTINGS.items()}
        self._seeds = _Seeds() if seeds else None

    def changed(self) -> tuple[SideEffect, ...]:
        """Return what is set otherwise now."""
        names = [name for name, read in SETTINGS.items() if read() != self._before[name]]
        names += self._seeds.seeded_again() if self._seeds else []
        return tuple(SideEffect("setting", name) for name in names)

    def restore(self) -> None:
        """Restore what was changed, except what every check sets anyway."""
        for name, restore in RESTORES.items():
            if SETTINGS[name]() != self._before[name]:
                restore(self._before[name])
        if self._seeds:
            self._seeds.restore()


@contextmanager
def on_cpu() -> Iterator[list[SideEffect]]:
    """Make new tensors on the CPU in a block; the list then says whether it set another default device.

    PyTorch keeps the default device on the stack of function modes, and reorders the stack when it is set: a
    mode entered before would exit another one. So after the block the stack is restored. If it is empty, new
    tensors are on the CPU anyway, and without a mode calls take half the time.
    """
    found: list[SideEffect] = []
    with torch.device("cpu") if is_any_function_mode_active() else nullcontext():
        default = DefaultDevice()
        try:
            yield found
        finally:
            device = default.replaced_by()
            if device is not None and device.type != "cpu":
                found.append(SideEffect("setting", DEFAULT_DEVICE))
            default.restore()


def seed_for_calls(seed: int = CALL_SEED) -> None:
    """Seed torch's generator to draw a seed's numbers, with a number that no answer would choose."""
    # What torch.manual_seed does on the CPU; it also records the call stack for GPUs, which takes longer.
    torch.default_generator.manual_seed(_unchosen(seed))


def seed_kept(seed: int = CALL_SEED) -> Iterator[SideEffect]:
    """Yield that torch's generator was seeded again since ``seed_for_calls``, be it with this very seed."""
    if torch.default_generator.initial_seed() != _unchosen(seed):
        yield SideEffect("setting", TORCH_SEED)


def _unchosen(seed: int) -> int:
    """Return another seed that gives the same numbers: on the CPU these depend on a seed's low bits alone."""
    return CALL_SEED >> SEED_BITS << SEED_BITS | seed % (1 << SEED_BITS)


@contextmanager
def reading(module: nn.Module, *apart_from: str) -> Iterator[list[SideEffect]]:
    """Yield a list that holds, after the block, what it changed in a module that it should only read.

    ``apart_from`` names fields of ``ModuleState`` that may change.
    """
    before, found = ModuleState.of(module), []
    yield found
    may_change = {MODULE_PARTS[field] for field in apart_from}
    found += (one for one in before.changed(module) if one.name not in may_change)


class _Seeds:
    """Whether Python's or NumPy's generator was seeded, which can be distinguished from draws.

    Both are Mersenne Twisters: draws move along one key of 624 numbers, then to the next key.
    """

    def __init__(self) -> None:
        # Not imported for this: it takes longer than a check.
        self._numpy = sys.modules.get("numpy.random")
        self._python_before = random.getstate()
        random.seed(CALL_SEED)  # not where an earlier call of the subject may have put it
        if self._numpy:
            self._numpy_before = self._numpy.get_state()
            self._numpy.seed(CALL_SEED % 2**32)

    def seeded_again(self) -> list[str]:
        """Return the names of generators whose numbers do not go on from where they were."""
        names = []
        if not _goes_on(_python_start(), random.getstate()[1][:-1]):
            names.append(PYTHON_SEED)
        if self._numpy and not _goes_on(_numpy_start(), tuple(self._numpy.get_state()[1].tolist())):
            names.append(NUMPY_SEED)
        return names

    def restore(self) -> None:
        """Put both generators back to where they were."""
        random.setstate(self._python_before)
        if self._numpy:
            self._numpy.set_state(self._numpy_before)


@cache
def _python_start() -> tuple[int, ...]:
    """Return the key of Python's generator after the seed that every call starts from."""
    return random.Random(CALL_SEED).getstate()[1][:-1]


@cache
def _numpy_start() -> tuple[int, ...]:
    """Return the key of NumPy's, in the same way."""
    return tuple(np.random.RandomState(CALL_SEED % 2**32).get_state()[1].tolist())


def _goes_on(before: tuple[int, ...], now: tuple[int, ...]) -> bool:
    """Return whether a key is that of before, or one of those that follow it."""
    if now == before:
        return True
    twister = random.Random()
    twister.setstate((TWISTER, (*before, len(before)), None))
    for _ in range(MOST_KEYS):
        twister.getrandbits(1 + 32 * (len(before) - 1))  # as many draws as there are numbers in a key
        if twister.getstate()[1][:-1] == now:
            return True
    return False


@dataclass(frozen=True)
class ModuleState:
    """The state of a module that a function which only reads it must not change.

    The numbers themselves are compared elsewhere, with what the case gave.
    """

    modes: tuple[tuple[str, bool], ...]
    hooks: tuple[tuple[str, int], ...]
    trainable: tuple[tuple[str, bool], ...]
    gradients: tuple[str, ...]
    attributes: tuple[tuple[str, tuple[str, ...]], ...]
    tensors: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, module: nn.Module) -> "ModuleState":
        """Return the state of a module and all modules inside."""
        parts = tuple(module.named_modules())
        parameters = tuple(module.named_parameters(remove_duplicate=False))
        tensors = (*parameters, *module.named_buffers(remove_duplicate=False))
        return cls(
            modes=tuple((name, part.training) for name, part in parts),
            hooks=tuple((name, sum(len(getattr(part, hooks)) for hooks in HOOKS)) for name, part in parts),
            trainable=tuple((name, one.requires_grad) for name, one in parameters),
            gradients=tuple(name for name, one in parameters if one.grad is not None),
            attributes=tuple((name, tuple(sorted(_attributes(part)))) for name, part in parts),
            tensors=tuple((name, id(one)) for name, one in tensors),
        )

    def changed(self, module: nn.Module) -> tuple[SideEffect, ...]:
        """Return what is otherwise now."""
        now = ModuleState.of(module)
        return tuple(
            SideEffect("module", said)
            for field, said in MODULE_PARTS.items()
            if _differ(field, getattr(self, field), getattr(now, field))
        )


def _differ(field: str, before: tuple, now: tuple) -> bool:
    """Return whether a part changed; of a module that is gone, its mode and its hooks did not."""
    if field not in ("modes", "hooks"):
        return before != now
    then, later = dict(before), dict(now)
    return any(then[name] != later[name] for name in then.keys() & later.keys())


# Names of changed parts of a module for messages, by field.
MODULE_PARTS = {
    "modes": "training mode",
    "hooks": message("hooks").text,
    "trainable": "requires_grad",
    "gradients": message("gradients").text,
    "attributes": message("attributes").text,
    "tensors": message("tensors").text,
}


def _attributes(part: nn.Module) -> Iterable[str]:
    """Return the names of all that a module holds itself."""
    own = (name for name in vars(part) if name not in REGISTERED)
    return (*own, *chain.from_iterable(registered(part)))
