"""What was seen when a subject ran: tensors and plain facts, from which every verdict is made."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import torch


@dataclass(frozen=True)
class LearnerError:
    """An exception that the learner's code raised: its type, its text, and the learner's line.

    ``bases`` names the types of Python's own that it is one of, besides its own.
    """

    type_name: str
    message: str
    where: str = ""
    bases: tuple[str, ...] = ()

    def told(self) -> str:
        """Return type, text and place as the end of a sentence."""
        text = f": {self.message.rstrip('.')}" if self.message else ""
        return f"{self.type_name}{text}." + (f" Your {self.where}" if self.where else "")


@dataclass(frozen=True)
class SideEffect:
    """Something that a call left behind besides its result.

    Attributes:
        kind: ``setting`` (of the whole process), ``module`` (a part of a module that was given), ``watched``
            (an argument that asks for gradients now), ``shared`` (the result has an argument's memory),
            ``same`` (two results are one object, or one memory), or ``changed`` (a list that was given).
        name: which one, in the learner's words.
    """

    kind: str
    name: str


SIDE_EFFECTS = ("setting", "module", "watched", "shared", "same", "changed")
# Why a second call on the same numbers came out otherwise, as far as further calls can tell: something was
# kept from the first, its result was written into, the numbers lay in another order in memory, or a gradient
# was asked for.
SECOND_CAUSES = ("", "state", "shared", "layout", "gradient")


@dataclass(frozen=True)
class Observation:
    """One run of a subject on one case.

    Attributes:
        case: name of the case.
        tensors: copies on the CPU, by role: ``result`` (or ``result/<name>`` where there are several),
            ``parameter/<name>`` and ``attribute/<name>`` as constructed, ``argument/<name>`` as the call
            left it, ``mode/<name>`` of a module that is returned, ``gradient/<name>``,
            ``separate/<name>`` read after the source was changed, ``repeat`` of a second call on the same
            input, ``train`` and ``train again`` of two in training, and of further calls ``second`` (the same
            numbers in another memory layout, after the first result was written into), ``again`` (other
            numbers), ``later`` (the first ones after these) and, on a fresh module, ``fresh`` (the other
            numbers first), ``grown`` (then the longer input), ``refilled`` (other numbers in these tensors)
            and ``elsewhere`` (the first ones on another device).
        devices: the device type on which each result was returned.
        kinds: for each result that is no plain dense tensor, what it is instead.
        registered: names of the module's parameters; None if there never was a module.
        buffers: names of the module's buffers.
        stranded: names of plain tensors on the module, which do not move with it.
        calls: names of forbidden functions that were called.
        raised: what the learner's code raised, if it did.
        later_errors: what it raised only in a further call, by that call's role; ``elsewhere`` and ``saved``
            among them.
        side_effects: what the calls left behind besides their results.
        second_cause: why the second call on the same numbers came out otherwise; one of ``SECOND_CAUSES``.
    """

    case: str
    tensors: Mapping[str, torch.Tensor]
    devices: Mapping[str, str]
    kinds: Mapping[str, str]
    registered: tuple[str, ...] | None = None
    buffers: tuple[str, ...] = ()
    stranded: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    raised: LearnerError | None = None
    later_errors: Mapping[str, LearnerError] = field(default_factory=dict)
    side_effects: tuple[SideEffect, ...] = ()
    second_cause: str = ""

    def is_random(self) -> bool:
        """Return whether a second call on the same input gave another result."""
        first, second = self.tensors.get("result"), self.tensors.get("repeat")
        return second is not None and (
            (first.shape, first.dtype) != (second.shape, second.dtype)
            or not torch.allclose(first, second, equal_nan=True)
        )

    def of_role(self, role: str) -> dict[str, torch.Tensor]:
        """Return the recorded tensors of one role."""
        return {name: tensor for name, tensor in self.tensors.items() if name.split("/")[0] == role}


@dataclass(frozen=True)
class Problem:
    """Why an answer could not be run on its cases: a code of the contract and one sentence."""

    code: str
    sentence: str


@dataclass(frozen=True)
class Attempt:
    """One answer's run on all cases of an exercise, or the problem that kept it from running.

    Attributes:
        observations: one for each case; for the visible ones alone where there is a ``hidden_problem``.
        problem: why it could not be run at all.
        hidden_problem: why it could not be run on the cases that only grading uses.
    """

    observations: tuple[Observation, ...] = ()
    problem: Problem | None = None
    hidden_problem: Problem | None = None

    def followed_by(self, hidden: "Attempt") -> "Attempt":
        """Return this attempt, on the visible cases, with another on those that only grading uses."""
        if self.problem:
            return self
        return Attempt(self.observations + hidden.observations, hidden_problem=hidden.problem)
