"""``Case``: the inputs and weights that a subject is run on. It holds no expected value."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

import torch

# The case that reproduces numbers in print, with weights drawn from its seed where they were recorded.
PUBLISHED = "published"

Scalar: TypeAlias = bool | int | float


def other_input(argument: torch.Tensor) -> torch.Tensor:
    """Return the arguments of a module's second call: other numbers, one token (row) less.

    State that an answer keeps from its first call shows in the second. Integers, such as token ids, are only
    reversed, because others might be invalid, and one less along the last axis.
    """
    if not argument.is_floating_point():
        reverse = argument.flip(-1)  # a copy in any case: an answer may write into it
        return reverse[..., 1:] if argument.shape[-1] > 1 else reverse
    if argument.dim() > 1 and argument.shape[-2] > 1:
        argument = argument[..., :-1, :]
    return argument * -0.5


class Flag(StrEnum):
    """A yes/no property of a call, besides its numbers."""

    TRAINING = "in training"  # the module that is returned
    BATCH_FIRST = "batch first"  # the same
    STAYED = "stayed"  # the module that was given is on the device that it was on
    UNTOUCHED = "untouched"  # it holds the same tensors in the same way
    SAME_MODE = "same mode"  # it is in training, or not, as it was
    RAN_THERE = "ran there"  # it ran on the device that was asked for, and nowhere else
    RAN_ONCE = "ran once"
    NO_GRADIENT = "no gradient"  # no call of it was recorded
    RETURNED = "returned"  # the result is on the device of the input
    ELSEWHERE = "elsewhere"  # the result of a module that was moved is where the module is
    SAVED = "saved"  # every buffer that is asked for is in the state_dict
    NOT_SAVED = "not saved"  # none is
    SORTED = "sorted"  # the list is in alphabetical order
    TRAINS = "trains"  # in training, with dropout, a gradient reaches every weight
    KEPT = "kept"  # a second call differs from the first, and a fresh module gives the first result again
    CUT = "cut off"  # no result of a call that asked for a gradient was recorded for one
    COUNTED = "counted"  # ids count up in the order of first appearance


@dataclass(frozen=True)
class Case:
    """Inputs and weights for one run of a subject.

    Attributes:
        name: unique within the exercise.
        shows: description for learners: one clause on what kind of input this is.
        visible: whether a learner may see its tensors.
        seed: seeds the generator before the subject runs.
        options: keyword arguments that are no tensors: those of a module's constructor, or of a function
            after its tensors.
        weights: weights to load, by the name of the attribute that holds them, in the order of creation.
        arguments: tensors the subject is called with, in the order of its signature.
        grad_outputs: the gradient with respect to each result that the backward pass starts from (as in
            ``torch.autograd.grad``), by the result's name; empty if no gradient is asked for.
        positional: whether the options are given by position, as the published examples do, not by name.
        thorough: whether further calls are made that take too long for every case: on other numbers, on a
            fresh module, on another device, and checks of side effects in the process.
        once: whether the first call is the only one. No stored case is such; what needs nothing but results
            runs answers in half of the time so.
    """

    name: str
    shows: str
    visible: bool
    seed: int
    options: Mapping[str, Scalar]
    weights: Mapping[str, torch.Tensor]
    arguments: Mapping[str, torch.Tensor]
    grad_outputs: Mapping[str, torch.Tensor]
    positional: bool = False
    thorough: bool = False
    once: bool = False

    @property
    def given(self) -> tuple[torch.Tensor, ...]:
        """The tensors that a subject is given, the arguments first."""
        return (*self.arguments.values(), *self.weights.values())

    @property
    def dtype(self) -> torch.dtype:
        """The dtype in which the case computes: that of its first tensor of floating point."""
        tensors = (*self.weights.values(), *self.arguments.values())
        return next((one.dtype for one in tensors if one.is_floating_point()), torch.float32)

    @property
    def called_again(self) -> bool:
        """Whether the subject is called again on other numbers.

        A module in every case, because it may keep state; a function only in the thorough case.
        """
        return self.thorough or bool(self.weights)

    @property
    def drops(self) -> bool:
        """Whether the case uses dropout, which has checks of its own."""
        return self.options.get("dropout", 0.0) > 0.0

    def with_numbers(self, change: Callable[[torch.Tensor], torch.Tensor]) -> "Case":
        """Return the case with other arguments and weights: each as ``change`` makes it."""
        return replace(
            self,
            weights={name: change(tensor) for name, tensor in self.weights.items()},
            arguments={name: change(tensor) for name, tensor in self.arguments.items()},
        )

    def to_tensors(self) -> dict[str, torch.Tensor]:
        """Return all tensors under the flat names in which they are stored and sent."""
        tensors = {f"weights/{name}": tensor for name, tensor in self.weights.items()}
        tensors |= {f"arguments/{name}": tensor for name, tensor in self.arguments.items()}
        return tensors | {f"probes/{name}": tensor for name, tensor in self.grad_outputs.items()}

    def to_facts(self) -> dict[str, object]:
        """Return everything else, as JSON can hold it; the order of the tensors with it."""
        return {
            "name": self.name,
            "shows": self.shows,
            "visible": self.visible,
            "seed": self.seed,
            "options": dict(self.options),
            "weights": list(self.weights),
            "arguments": list(self.arguments),
            "probes": list(self.grad_outputs),
            "positional": self.positional,
            "thorough": self.thorough,
        }

    @classmethod
    def from_parts(cls, facts: Mapping, tensors: Mapping[str, torch.Tensor]) -> "Case":
        """Rebuild a case from ``to_facts()`` and ``to_tensors()``."""
        return cls(
            name=facts["name"],
            shows=facts["shows"],
            visible=facts["visible"],
            seed=facts["seed"],
            options=facts["options"],
            weights={name: tensors[f"weights/{name}"] for name in facts["weights"]},
            arguments={name: tensors[f"arguments/{name}"] for name in facts["arguments"]},
            grad_outputs={name: tensors[f"probes/{name}"] for name in facts["probes"]},
            positional=facts["positional"],
            thorough=facts["thorough"],
        )
