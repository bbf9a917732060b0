"""What is recorded when a subject runs: tensors and plain facts, from which every verdict is made."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import torch

from grader.checking.comparison import differ
from grader.exercises.case import Flag
from grader.messages import Message, message
from grader.messages.numbers import number


@dataclass(frozen=True)
class LearnerError:
    """An exception that the learner's code raised.

    Attributes:
        type_name: the name of its type.
        message: its own words.
        line: the last line of the learner's own that was running, counted from 1 in its cell or file; 0 where
            there is none.
        function: the function that the line is in, with its class, such as ``Layer.forward``; empty
            outside of any.
        source: the line itself.
        own: whether the line is a ``raise`` statement; false if an operation or a function on it raised.
        bases: the built-in exception types that it derives from, besides its own.
    """

    type_name: str
    message: str
    line: int = 0
    function: str = ""
    source: str = ""
    own: bool = False
    bases: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """Its type and its own words, as Python prints them."""
        return f"{self.type_name}: {self.message}" if self.message else self.type_name

    def as_message(self) -> Message:
        """Return type, words and place as the end of a sentence."""
        parts = {"error": self.words.rstrip(". "), "line": self.line, "source": self.source}
        if not self.line:
            return message("{error}.", error=parts["error"])
        if not self.function:
            return message("{error}. Your line {line}: {source}", **parts)
        return message("{error}. Your line {line} in {function}: {source}", function=self.function, **parts)


# What stands between the names of types, where a value of one holds a value of another.
HOLDING = " holding "
# More of them are not taken apart: a learner may have written the name.
MOST_WITHIN = 8
# Descriptions of an unexpected result, by form.
FORMS = {
    "": message("{name}"),
    "of": message("{name} of {detail}"),
    "elements": message("{name} of {detail} elements"),
    "characters": message("{name} of more than {detail} characters"),
    "bits": message("int of more than {detail} bits"),
    "not dense": message("a tensor that is nested, quantized or sparse"),
    "meta": message("a tensor on the meta device, without numbers"),
    "no device": message("something that names none of the devices known here"),
    "other values": message("a dict with other values"),
}
HOLDS = message("{name} holding {detail}")


@dataclass(frozen=True)
class Kind:
    """A description of an unexpected result: the name of its type, and a detail.

    Attributes:
        name: of its type; where it is about a value within others, those of all with ``HOLDING`` between.
        form: one of ``FORMS``.
        detail: what the form has a placeholder for.
    """

    name: str = ""
    form: str = ""
    detail: str = ""

    @property
    def message(self) -> Message:
        """What a learner is told, as a part of a sentence."""
        *outer, name = self.name.split(HOLDING, MOST_WITHIN)
        detail = number(int(self.detail)) if self.detail.isdecimal() else self.detail
        told = replace(FORMS[self.form], values={"name": name, "detail": detail})
        for one in reversed(outer):
            told = replace(HOLDS, values={"name": one, "detail": told})
        return told


def kind_of(value: object) -> Kind:
    """Return the kind of a value that is described by its type alone.

    PyTorch's named tuples of results are given with their module.
    """
    kind = type(value)
    place = f"{kind.__module__}." if kind.__module__ == "torch.return_types" else ""
    return Kind(f"{place}{kind.__name__}")


@dataclass(frozen=True)
class SideEffect:
    """A side effect of a call.

    Attributes:
        kind: ``setting`` (of the whole process), ``module`` (a part of a module that was given), ``watched``
            (an argument that asks for gradients now), ``gradient`` (one that holds a gradient now),
            ``made`` (a parameter that the call has made), ``shared`` (the result has an argument's memory),
            ``same`` (two results are one object, or one memory), ``changed`` (a list that was given), or
            ``unused`` (an argument or a weight in which other numbers leave the result as it is).
        name: which one, in the learner's words.
    """

    kind: str
    name: str


SIDE_EFFECTS = ("setting", "module", "made", "watched", "gradient", "shared", "same", "changed", "unused")
# Causes of a different result in a second call on the same numbers, as far as further calls can tell: state
# kept from the first, its result overwritten, another memory layout, or a gradient asked for.
SECOND_CAUSES = ("", "state", "shared", "layout", "gradient")


@dataclass(frozen=True)
class Observation:
    """One run of a subject on one case.

    Attributes:
        case: name of the case.
        tensors: copies on the CPU, by role: ``result`` (or ``result/<name>`` where there are several),
            ``parameter/<name>`` as constructed, ``argument/<name>`` as the call left it,
            ``gradient/<name>``, ``separate/<name>`` read after the source was changed, ``repeat`` of a second
            call on the same input, ``train`` and ``train again`` of two in training, and of further calls
            ``second`` (the same numbers in another memory layout, after the first result was written into),
            ``again`` (other numbers), ``later`` (the first ones after these) and, on a fresh module,
            ``fresh`` (the other numbers first), ``grown`` (then the longer input), ``refilled`` (other
            numbers in these tensors), ``beside`` (the first ones, after another module was made) and
            ``elsewhere`` (the first ones on another device).
        devices: the device type on which each result was returned.
        kinds: for each result that is not a plain dense tensor, what it is.
        registered: names of the module's parameters; None if there never was a module.
        shared: pairs of required parameters that share memory.
        buffers: names of the module's buffers.
        unregistered_tensors: plain tensor attributes of the module, which ``to`` does not move.
        calls: names of forbidden functions that were called.
        raised: what the learner's code raised, if it did.
        later_errors: what it raised only in a further call, by that call's role; ``elsewhere`` and ``saved``
            among them.
        side_effects: what the calls left behind besides their results.
        second_cause: why the second call on the same numbers came out otherwise; one of ``SECOND_CAUSES``.
        flags: yes/no facts that were looked at; see ``Flag``.
        attributes: integers that a module holds, by name; for another type, the name of the type.
    """

    case: str
    tensors: Mapping[str, torch.Tensor]
    devices: Mapping[str, str]
    kinds: Mapping[str, Kind]
    registered: tuple[str, ...] | None = None
    shared: tuple[tuple[str, str], ...] = ()
    buffers: tuple[str, ...] = ()
    unregistered_tensors: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    raised: LearnerError | None = None
    later_errors: Mapping[str, LearnerError] = field(default_factory=dict)
    side_effects: tuple[SideEffect, ...] = ()
    second_cause: str = ""
    flags: Mapping[Flag, bool] = field(default_factory=dict)
    attributes: Mapping[str, int | str] = field(default_factory=dict)

    def is_random(self) -> bool:
        """Return whether a second call on the same input gave another result."""
        first, second = self.tensors.get("result"), self.tensors.get("repeat")
        return second is not None and differ(first, second)

    def of_role(self, role: str) -> dict[str, torch.Tensor]:
        """Return the recorded tensors of one role."""
        return {name: tensor for name, tensor in self.tensors.items() if name.split("/")[0] == role}


# Reasons why an answer could not be run on its cases, by kind: the code and the message.
PROBLEMS: Mapping[str, tuple[str, Message]] = {
    "missing": ("not-defined", message("There is no {subject} after running the code.")),
    "renamed": (
        "not-defined",
        message(
            "{subject} is missing; there is a {kind} {name} in the cell {cell}. Spell it as it was asked for."
        ),
    ),
    "is None": (
        "not-defined",
        message("{subject} is None: it has not been defined, or its result was passed instead of itself."),
    ),
    "no module": (
        "wrong-type",
        message("{subject} must be a class that inherits from nn.Module, got {kind}."),
    ),
    "an object": (
        "wrong-type",
        message("{subject} must be a class, got an object of the class {kind}. Pass the class itself."),
    ),
    "not inherited": ("wrong-type", message("{subject} must inherit from nn.Module, and it does not.")),
    "no class": ("wrong-type", message("{subject} must be a class, got {kind}.")),
    "no function": ("wrong-type", message("{subject} must be a function, got {kind}.")),
    "no Python": ("syntax-error", message("{reason}, line {line}: {source}")),
    "raised": ("raises", message("Running the code raised {error}")),
    "too large": ("no-result", message("{subject} returned tensors of more than {size} MiB.")),
    "garbled": ("no-result", message("What came back from running it could not be read.")),
    "ended in a cell": ("no-result", message("{what} in this cell, before it had a result.")),
    "ended in the answer": ("no-result", message("{what} while the answer ran, before it had a result.")),
    "stopped": (
        "too-slow",
        message("{subject} was stopped when its {seconds} seconds were up; a right answer takes a moment."),
    ),
    "not run": (
        "too-slow",
        message("Not run: the notebook's time was up, or too many of its cells had to be stopped."),
    ),
    "cell without Python": (
        "syntax-error",
        message("The cell that should define {subject} raised {error}"),
    ),
    "cell raised": ("raises", message("The cell that should define {subject} raised {error}")),
    "cell stopped": (
        "too-slow",
        message("The cell that should define {subject} was stopped when its {seconds} seconds were up."),
    ),
    "cell ended": (
        "no-result",
        message("The cell that should define {subject} ended the process that it ran in."),
    ),
}


@dataclass(frozen=True)
class Problem:
    """Why an answer could not be run on its cases.

    Attributes:
        kind: one of ``PROBLEMS``.
        values: values of its text's placeholders, except the error.
        error: the exception, if that is the reason.
    """

    kind: str
    values: Mapping[str, str | int | Message] = field(default_factory=dict)
    error: LearnerError | None = None

    @property
    def code(self) -> str:
        """The code that a report counts."""
        return PROBLEMS[self.kind][0]

    @property
    def message(self) -> Message:
        """What a learner is told."""
        error = {"error": self.error.as_message()} if self.error else {}
        return replace(PROBLEMS[self.kind][1], values={**self.values, **error})


@dataclass(frozen=True)
class Traced:
    """A trace of an answer on one case: every tensor that it made, float64, in order."""

    case: str
    tensors: tuple[torch.Tensor, ...]


@dataclass(frozen=True)
class Attempt:
    """One answer's run on all cases of an exercise, or the problem that kept it from running.

    Attributes:
        observations: one for each case; for the visible ones alone where there is a ``hidden_problem``.
        problem: why it could not be run at all.
        hidden_problem: why it could not be run on the cases that only grading uses.
        traced: a trace on one case that failed; it affects no score.
    """

    observations: tuple[Observation, ...] = ()
    problem: Problem | None = None
    hidden_problem: Problem | None = None
    traced: "Traced | None" = None

    def raised_on(self, case: str) -> bool:
        """Return whether the learner's code raised on a case."""
        return any(one.raised for one in self.observations if one.case == case)

    def followed_by(self, hidden: "Attempt") -> "Attempt":
        """Return this attempt, on the visible cases, with another on those that only grading uses."""
        if self.problem:
            return self
        return Attempt(
            self.observations + hidden.observations, hidden_problem=hidden.problem, traced=self.traced
        )
