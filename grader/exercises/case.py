"""A case: what a subject is run on. It holds nothing that tells what the answer should be."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import torch

# The case that reproduces numbers in print, with weights drawn from its seed where they were recorded.
PUBLISHED = "published"

Scalar: TypeAlias = bool | int | float


def other_input(argument: torch.Tensor) -> torch.Tensor:
    """Return what a module is called with a second time: other numbers, one token (row) less.

    Whatever an answer keeps from its first call shows in its second.
    """
    if argument.dim() > 1 and argument.shape[-2] > 1:
        argument = argument[..., :-1, :]
    return argument * -0.5


@dataclass(frozen=True)
class Case:
    """Inputs and weights for one run of a subject.

    Attributes:
        name: unique within the exercise.
        shows: one clause that tells a learner what kind of input this is.
        visible: whether a learner may see its tensors.
        seed: seeds the generator before the subject is constructed.
        constructor: keyword arguments of the constructor.
        weights: weights to load, by the name of the attribute that holds them.
        arguments: tensors the subject is called with, in the order of its signature.
        probe: the gradient that is sent back from the result, of the result's shape; None where the
            exercise asks for no gradient.
    """

    name: str
    shows: str
    visible: bool
    seed: int
    constructor: Mapping[str, Scalar]
    weights: Mapping[str, torch.Tensor]
    arguments: Mapping[str, torch.Tensor]
    probe: torch.Tensor | None

    def to_tensors(self) -> dict[str, torch.Tensor]:
        """Return all tensors under the flat names in which they are stored and sent."""
        tensors = {f"weights/{name}": tensor for name, tensor in self.weights.items()}
        tensors |= {f"arguments/{name}": tensor for name, tensor in self.arguments.items()}
        return tensors if self.probe is None else tensors | {"probe": self.probe}

    def to_facts(self) -> dict[str, object]:
        """Return everything else, as JSON can hold it; the order of weights and arguments with it."""
        return {
            "name": self.name,
            "shows": self.shows,
            "visible": self.visible,
            "seed": self.seed,
            "constructor": dict(self.constructor),
            "weights": list(self.weights),
            "arguments": list(self.arguments),
        }

    @classmethod
    def from_parts(cls, facts: Mapping, tensors: Mapping[str, torch.Tensor]) -> "Case":
        """Put a case together again from ``to_facts()`` and ``to_tensors()``."""
        return cls(
            name=facts["name"],
            shows=facts["shows"],
            visible=facts["visible"],
            seed=facts["seed"],
            constructor=facts["constructor"],
            weights={name: tensors[f"weights/{name}"] for name in facts["weights"]},
            arguments={name: tensors[f"arguments/{name}"] for name in facts["arguments"]},
            probe=tensors.get("probe"),
        )
