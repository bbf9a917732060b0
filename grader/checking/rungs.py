"""The rungs that an answer climbs, each decided from recorded tensors and facts alone."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch

from grader.checking import generator
from grader.checking.comparison import Mismatch, altered, compare
from grader.checking.observation import Observation
from grader.checking.result import Finding
from grader.exercises import Exercise
from grader.exercises.case import PUBLISHED, Case
from grader.references import Expected


@dataclass(frozen=True)
class Look:
    """What a rung looks at: an exercise, one of its cases, what was expected and what was seen."""

    exercise: Exercise
    case: Case
    expected: dict[str, Expected]
    seen: Observation
    device: str

    def of_role(self, role: str) -> Iterator[tuple[str, Expected]]:
        """Yield the expected tensors of one role with their names."""
        return ((name, item) for name, item in self.expected.items() if name.split("/")[0] == role)

    def asked_parameters(self) -> tuple[str, ...]:
        """Return the names of the parameters that this case asks to be registered."""
        return self.exercise.parameters_for(self.case.weights)

    def found(
        self, rung: str, code: str, sentence: str, tensor: str = "", mismatch: Mismatch | None = None
    ) -> Finding:
        """Return a finding on this case."""
        return Finding(rung, code, sentence, self.case.name, tensor, mismatch)


# Smaller differences need more than four digits to be seen.
SHOWN = 1e-3


def shape_text(shape: torch.Size | tuple[int, ...]) -> str:
    """Return a shape as it is written in the course, such as ``(6, 2)``."""
    return str(tuple(shape))


def result_name(name: str) -> str:
    """Return what a learner calls a recorded tensor: the result, or the attribute's name."""
    _, _, attribute = name.partition("/")
    return attribute or "the result"


def runs(look: Look) -> Finding | None:
    """The code ran to its end on this case."""
    error = look.seen.raised
    if error is None:
        return None
    if error.type_name == "NotImplementedError" and "NotImplementedError" in error.where:
        sentence = f"{look.exercise.subject} is not finished. Your {error.where}"
        return look.found("runs", "not-implemented", sentence)
    return look.found("runs", "raises", f"It raised {error.told()}")


def is_built(look: Look) -> Finding | None:
    """The answer does not call what it is asked to build."""
    if not look.seen.calls:
        return None
    return look.found("is built", "forbidden-call", f"It called {', '.join(look.seen.calls)}.")


def is_tensor(look: Look) -> Finding | None:
    """Every result is there, and is a plain dense tensor."""
    for name, _ in look.of_role("result"):
        if name not in look.seen.tensors and name not in look.seen.kinds:
            sentence = f"{result_name(name).capitalize()} is not there."
            return look.found("type", "wrong-type", sentence, name)
    for name, kind in look.seen.kinds.items():
        if name.split("/")[0] != "result":
            continue
        question = " Is a return missing?" if kind == "NoneType" else ""
        return look.found(
            "type",
            "wrong-type",
            f"Expected {result_name(name)} to be a torch.Tensor, got {kind}.{question}",
            name,
        )
    return None


def is_registered(look: Look) -> Finding | None:
    """Every weight is a parameter of the module under its name."""
    if look.seen.registered is None:
        return None  # there is no module: the next rung says why
    for name in look.asked_parameters():
        if name not in look.seen.registered:
            has = (
                f"it has {', '.join(look.seen.registered)}" if look.seen.registered else "it has none at all"
            )
            sentence = f"The module has no parameter named {name}; {has}."
            return look.found("registered", "not-registered", sentence, name)
        bias = f"{name.removesuffix('.weight')}.bias"
        if name.endswith(".weight") and bias in look.seen.registered and bias not in look.case.weights:
            sentence = f"The module has a parameter {bias}, which is not asked for here."
            return look.found("registered", "bias-unexpected", sentence, name)
    return None


def parameter_shape(look: Look) -> Finding | None:
    """Every parameter has the shape that the exercise asks for."""
    for name in look.asked_parameters() if look.seen.registered is not None else ():
        got, expected = look.seen.tensors.get(f"parameter/{name}"), look.case.weights[name].shape
        if got is not None and got.shape != expected:
            sentence = f"Expected {name} of shape {shape_text(expected)}, got {shape_text(got.shape)}."
            return look.found("shape", "wrong-shape", sentence, name)
    return None


def shape(look: Look) -> Finding | None:
    """Every result has the expected shape."""
    for name, item in look.of_role("result"):
        got = look.seen.tensors[name].shape
        if got != item.values.shape:
            return look.found(
                "shape",
                "wrong-shape",
                f"Expected {result_name(name)} of shape {shape_text(item.values.shape)}, "
                f"got {shape_text(got)}.",
                name,
            )
    return None


def dtype(look: Look) -> Finding | None:
    """Every result has the expected dtype."""
    for name, item in look.of_role("result"):
        got = look.seen.tensors[name].dtype
        if got != item.dtype:
            return look.found(
                "dtype",
                "wrong-dtype",
                f"Expected {result_name(name)} of dtype {item.dtype}, got {got}.",
                name,
            )
    return None


def device(look: Look) -> Finding | None:
    """Every result is on the device of the inputs."""
    for name, got in look.seen.devices.items():
        if name.split("/")[0] == "result" and got != look.device:
            return look.found(
                "device",
                "wrong-device",
                f"Expected {result_name(name)} on {look.device}, got it on {got}.",
                name,
            )
    return None


def finite(look: Look) -> Finding | None:
    """No result holds NaN or infinity."""
    for name, _ in look.of_role("result"):
        bad = ~look.seen.tensors[name].isfinite()
        if bad.any():
            index = tuple(int(place) for place in bad.nonzero()[0])
            value = float(look.seen.tensors[name][index])
            return look.found(
                "finite",
                "not-finite",
                f"{int(bad.sum())} of {bad.numel()} values are NaN or infinite, the first at "
                f"{list(index)}: {value}.",
                name,
            )
    return None


def unmodified(look: Look) -> Finding | None:
    """The call left its arguments as they were."""
    for name, item in look.of_role("argument"):
        got = look.seen.tensors.get(name)
        if got is None:
            sentence = f"The argument {result_name(name)} is gone after the call."
            return look.found("arguments", "input-modified", sentence, name)
        if altered(got, item.values, item.dtype):
            same_shape = got.shape == item.values.shape
            mismatch = compare(got, item.values, 0.0) if same_shape else None
            change = (
                f"at {list(mismatch.index)} it was {mismatch.expected:.4f} and is now {mismatch.got:.4f}"
                if mismatch
                else f"it had shape {shape_text(item.values.shape)} and {item.dtype}, "
                f"and has shape {shape_text(got.shape)} and {got.dtype}"
            )
            sentence = f"The call changed its argument {result_name(name)}: {change}."
            return look.found("arguments", "input-modified", sentence, name, mismatch)
    return None


def equal(look: Look) -> Finding | None:
    """Every result equals the expected tensor within its tolerance."""
    for name, item in look.of_role("result"):
        mismatch = compare(look.seen.tensors[name], item.values, item.tolerance[look.device])
        if mismatch:
            return look.found("equal", "unrecognized", mismatch_text(name, mismatch), name, mismatch)
    return None


def mismatch_text(name: str, mismatch: Mismatch) -> str:
    """Return where two tensors differ most: index, expected, got, tolerance, and how many values differ."""
    digits = 4 if abs(mismatch.expected - mismatch.got) >= SHOWN else 7
    what = "The result" if name == "result" else result_name(name)
    return (
        f"{what} differs most at {list(mismatch.index)}: expected {mismatch.expected:.{digits}f}, "
        f"got {mismatch.got:.{digits}f} (tolerance {mismatch.tolerance:.0e}); "
        f"{mismatch.differing} of {mismatch.total} values differ."
    )


def keeps_nothing(look: Look) -> Finding | None:
    """A second call, on another input, is right as well."""
    if later := look.seen.later_errors.get("again"):
        sentence = f"The first call was right. A second, on other numbers, raised {later.told()}"
        return look.found("again", "state-kept", sentence)
    for name, item in look.of_role("again"):
        got = look.seen.tensors.get(name)
        if got is None or got.shape != item.values.shape:
            what = look.seen.kinds.get(name, "nothing") if got is None else f"shape {shape_text(got.shape)}"
            sentence = f"The first call was right. A second, on other numbers, gave {what}."
            return look.found("again", "state-kept", sentence, name)
        mismatch = compare(got, item.values, item.tolerance[look.device])
        if mismatch:
            sentence = (
                f"The first call was right. A second, on other numbers and in eval(), is not: at "
                f"{list(mismatch.index)} expected {mismatch.expected:.4f}, got {mismatch.got:.4f}."
            )
            return look.found("again", "state-kept", sentence, name, mismatch)
    return None


def separate(look: Look) -> Finding | None:
    """What was copied does not change with its source."""
    for name, item in look.of_role("separate"):
        got = look.seen.tensors.get(name)
        same_shape = got is not None and got.shape == item.values.shape
        mismatch = compare(got, item.values, item.tolerance[look.device]) if same_shape else None
        if mismatch or not same_shape:
            return look.found(
                "separate",
                "storage-shared",
                f"When the source changed afterwards, {result_name(name)} changed with it.",
                name,
                mismatch,
            )
    return None


def gradient(look: Look) -> Finding | None:
    """The right gradient arrives at every weight and argument."""
    if later := look.seen.later_errors.get("gradient"):
        sentence = "Called on an input that asks for a gradient, as inside a larger network, it raised "
        return look.found("gradient", "no-gradient", sentence + later.told())
    for name, item in look.of_role("gradient"):
        got = look.seen.tensors.get(name)
        what = result_name(name)
        if got is None:
            return look.found("gradient", "no-gradient", f"No gradient reaches {what}.", name)
        if got.shape != item.values.shape:
            sentence = (
                f"The gradient that reaches {what} has shape {shape_text(got.shape)}, "
                f"expected {shape_text(item.values.shape)}."
            )
            return look.found("gradient", "no-gradient", sentence, name)
        mismatch = compare(got, item.values, item.tolerance[look.device])
        if mismatch:
            return look.found(
                "gradient",
                "no-gradient",
                f"The gradient that reaches {what} is not complete: at {list(mismatch.index)} expected "
                f"{mismatch.expected:.4f}, got {mismatch.got:.4f}.",
                name,
                mismatch,
            )
    return None


def drawn_as_asked(look: Look) -> Finding | None:
    """The seed's numbers went to the right weights, drawn as asked."""
    if not look.exercise.drawn_by:
        return None
    names, seed = look.exercise.parameters, look.case.seed
    weights = [look.seen.tensors.get(f"parameter/{name}") for name in names]
    unread = any(weight is None for weight in weights)  # a parameter that had no numbers yet
    code = "wrong-initialisation" if unread else generator.order_code(weights, seed, look.exercise.drawn_by)
    sentences = {
        "creation-order": "The forward pass is right, but the seed's numbers went to other weights than "
        f"expected: {', '.join(names)} are to be created in this order.",
        "wrong-initialisation": "The forward pass is right, but the weights that the module starts from are "
        f"not those that torch.manual_seed({seed}) should give it.",
    }
    return look.found("drawn as asked", code, sentences[code]) if code else None


def generator_note(exercise: Exercise, case: Case) -> str:
    """Return a remark if this machine's generator does not give the published example's recorded weights."""
    if not exercise.drawn_by or case.name != PUBLISHED:
        return ""
    recorded = [case.weights[name] for name in exercise.parameters]
    if not generator.order_code(recorded, case.seed, exercise.drawn_by):
        return ""
    return (
        f"On this machine torch.manual_seed({case.seed}) gives other numbers than where the example was "
        "recorded, so the recorded weights were loaded, and how yours were drawn was not checked."
    )
