"""What an answer computes: the rungs that are climbed case by case."""

import torch

from grader.checking.comparison import Mismatch, altered, compare
from grader.checking.exposure import WANTED as INPUTS
from grader.checking.holdings import names_held
from grader.checking.observation import LearnerError
from grader.checking.result import Finding
from grader.checking.rungs.look import Look, result_name, shape_text
from grader.checking.texts import difference_text
from grader.exercises import find_exercise
from grader.references import Expected

# Smaller differences need more than four digits to be seen, and still smaller ones more than seven.
SHOWN, SHOWN_WITH_MORE = 1e-3, 1e-6
# Drivers that always record which parameters a module has.
MODULES = ("module", "transfer")
# Numbers that are counted, not measured.
WHOLE = (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)
# What a driver records of a result, in the learner's words.
WANTED = {
    "number": "an int",
    "to_torch": "an nn.MultiheadAttention",
    "names": "a list of names",
    "arrays": "a NumPy array",
    "texts": "texts, in the form that the docstring says",
    "tokenizer": "a text",
    "result/what encode gives": "a list of whole numbers",
    "result/vocab": "a dict from texts to whole numbers",
}


def runs(look: Look) -> Finding | None:
    """The code ran to its end on this case, or raised what the case expects."""
    error = look.seen.raised
    if error is None and look.raises:
        wanted = "an error" if look.raises == "Exception" else look.raises
        where = "" if look.case.arguments or look.exercise.driver != "module" else " by the constructor"
        return look.found("runs", "wrong-exception", f"Expected {wanted} to be raised{where}; nothing was.")
    if error is None or look.raises in (error.type_name, *error.bases) or asserts(look):
        return None
    if error.type_name == "NotImplementedError" and "NotImplementedError" in error.where:
        return _unfinished(look, error)
    if look.raises == "Exception":
        return None
    if look.raises:
        sentence = f"Expected {look.raises} to be raised; it raised {error.told()}"
        return look.found("runs", "wrong-exception", sentence)
    return look.found("runs", "raises", f"It raised {error.told()}")


def asserts(look: Look) -> bool:
    """Return whether an assertion of the answer refused what a ValueError should refuse."""
    error = look.seen.raised
    return look.raises == "ValueError" and error is not None and error.type_name == "AssertionError"


def _unfinished(look: Look, error: LearnerError) -> Finding:
    """Say what is not written yet: the answer itself, or one that it builds on and calls."""
    place = error.where.partition(":")[0]
    required = map(find_exercise, look.exercise.requires)
    called = next((one for one in required if place.endswith(f" in {one.subject}")), None)
    if called is None:
        sentence = f"{look.exercise.subject} is not finished."
        return look.found("runs", "not-implemented", f"{sentence} Your {error.where}")
    sentence = f"{look.exercise.subject} calls {called.subject}, which is not finished: do {called.id} first."
    return look.found("runs", "stub-called", f"{sentence} Your {error.where}")


def is_built(look: Look) -> Finding | None:
    """The answer does not call what it is asked to build."""
    forbidden = [name for name in look.seen.calls if _holds(name, look.exercise.forbidden.parts)]
    if forbidden:
        what = f"It called {', '.join(forbidden)}. Not allowed: {look.exercise.forbidden.words}."
        return look.found("is built", "forbidden-call", what)
    return None


def uses(look: Look) -> Finding | None:
    """The answer calls what it is asked to use."""
    required = look.exercise.required
    if not required or look.raises or any(_holds(name, required) for name in look.seen.calls):
        return None
    return look.found("is built", "library-not-used", f"It never called {' or '.join(required)}.")


def _holds(name: str, parts: tuple[str, ...]) -> bool:
    return any(part in name for part in parts)


def is_tensor(look: Look) -> Finding | None:
    """Every result is there, and is what is asked for: a plain dense tensor, a tuple of them, an int."""
    for name, kind in look.seen.kinds.items():
        if name.split("/")[0] != "result":
            continue
        question = " Is a return missing?" if kind == "NoneType" else ""
        sentence = f"Expected {result_name(name)} to be {_wanted(look, name)}, got {kind}.{question}"
        return look.found("type", "wrong-type", sentence, name)
    for name, _ in look.of_role("result"):
        if name not in look.seen.tensors:
            sentence = f"{result_name(name).capitalize()} is not there."
            return look.found("type", "wrong-type", sentence, name)
    return None


def _wanted(look: Look, name: str) -> str:
    if look.exercise.specimen:
        arguments = {one.name: one for one in look.exercise.specimen.arguments}
        if name == "result":
            return f"the tuple ({', '.join(arguments)})"
        return INPUTS[arguments[result_name(name)].kind]
    if name == "result" and look.exercise.returns:
        return f"the tuple ({', '.join(look.exercise.returns)})"
    return WANTED.get(name) or WANTED.get(look.exercise.driver, "a torch.Tensor")


def is_registered(look: Look) -> Finding | None:
    """Every weight is a parameter of the module under its name."""
    if look.seen.registered is None:
        # There never was a module, and a later rung says why; or else somebody took the record away.
        hidden = look.exercise.driver in MODULES and not look.seen.raised
        sentence = "What parameters the module has was not recorded."
        return look.found("registered", "not-registered", sentence) if hidden else None
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
        if got != item.values.shape and not look.is_text(name):  # of texts, another rung says more
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
    # An answer that is given no tensor, nor a module that has any, cannot know of another device.
    wanted = look.place if look.case.arguments or look.case.weights else "cpu"
    for name, got in look.seen.devices.items():
        if name.split("/")[0] == "result" and got != wanted:
            sentence = f"Expected {result_name(name)} on {wanted}, got it on {got}."
            return look.found("device", "wrong-device", sentence, name)
    return None


def steady(look: Look) -> Finding | None:
    """Where nothing is to be dropped, two calls on the same input agree."""
    first, second = look.seen.tensors.get("result"), look.seen.tensors.get("repeat")
    if first is None or second is None or first.shape != second.shape:
        return None
    # NaN twice is no difference: the next rung speaks of it.
    first, second = first.double().nan_to_num(), second.double().nan_to_num()
    mismatch = compare(second, first, 2 * look.tolerance_of(look.expected["result"]))
    if mismatch is None:
        return None
    dropout = look.case.options.get("dropout")
    code, when = ("dropout-in-eval", "In eval()") if dropout else ("dropout-wrong-rate", "With dropout=0.0")
    sentence = (
        f"{when} two calls on the same input differ: at {list(mismatch.index)} the first gave "
        f"{mismatch.expected:.4f}, the second {mismatch.got:.4f}."
    )
    return look.found("steady", code, sentence, "result")


def finite(look: Look) -> Finding | None:
    """No result holds NaN; nor an infinity, where none is asked for anywhere."""
    for name, item in look.of_role("result"):
        got = look.seen.tensors[name]
        bad = ~got.isfinite() if item.values.isfinite().all() else got.isnan()
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
        if got is not None and look.is_text(name):
            if not same_texts(got, item):
                text = difference_text(got, item.values).removeprefix("expected ").replace("got", "is now")
                sentence = f"The call changed its argument {result_name(name)}: it was {text}"
                return look.found("arguments", "input-modified", sentence, name)
            continue
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
        if look.is_text(name):
            continue
        mismatch = look.mismatch(name, item)
        if mismatch:
            listed = look.exercise.driver == "names"
            counted = item.dtype in WHOLE
            text = names_text(look) if listed else mismatch_text(name, mismatch, whole=counted)
            if look.has_single_precision(look.seen.tensors[name], item):
                return look.found("equal", "precision-lost", text, name)
            return look.found("equal", "unrecognized", text, name, None if listed else mismatch)
    return None


def same_text(look: Look) -> Finding | None:
    """Every result that stands for texts is the expected one, in the order in which they are asked for."""
    results = {name: item for name, item in look.of_role("result") if look.is_text(name)}
    asked = [f"result/{name}" for name in look.exercise.returns]
    for name in sorted(results, key=[*asked, *results].index):
        if not same_texts(look.seen.tensors[name], results[name]):
            return look.found("text", "unrecognized", texts_text(look, name, results[name]), name)
    return None


def same_texts(got: torch.Tensor, expected: Expected) -> bool:
    """Return whether two texts, or lists of them, are the same."""
    return got.shape == expected.values.shape and torch.equal(got, expected.values)


def texts_text(look: Look, name: str, expected: Expected) -> str:
    """Return which text was expected and which was got."""
    difference = difference_text(look.seen.tensors[name], expected.values)
    if name == "result":
        return difference[0].upper() + difference[1:]
    return f"{result_name(name)}: {difference}"


def names_text(look: Look) -> str:
    """Return which names are missing from a list, and which are one too many."""
    names = (*names_held(look.case), "names that the module does not hold")
    counts = zip(
        names, look.seen.tensors["result"].tolist(), look.expected["result"].values.tolist(), strict=True
    )
    missing, extra = [], []
    for name, got, expected in counts:
        missing += [name] * (got < expected)
        extra += [name] * (got > expected)
    parts = (("Missing from your list", missing), ("Not to be in it, or not so often", extra))
    return " ".join(f"{what}: {', '.join(which)}." for what, which in parts if which)


def mismatch_text(name: str, mismatch: Mismatch, *, whole: bool = False) -> str:
    """Return where two tensors differ most: index, expected, got, tolerance, and how many values differ."""
    difference = abs(mismatch.expected - mismatch.got)
    digits = 4 if difference >= SHOWN else 7 if difference >= SHOWN_WITH_MORE else 12
    what = "The result" if name == "result" else result_name(name)
    if not mismatch.index:
        return f"{what} is {_number(mismatch.got)}, expected {_number(mismatch.expected)}."
    if whole:
        return (
            f"{what} differs most at {list(mismatch.index)}: expected {_number(mismatch.expected)}, "
            f"got {_number(mismatch.got)}; {mismatch.differing} of {mismatch.total} values differ."
        )
    return (
        f"{what} differs most at {list(mismatch.index)}: expected {mismatch.expected:.{digits}f}, "
        f"got {mismatch.got:.{digits}f} (tolerance {mismatch.tolerance:.0e}); "
        f"{mismatch.differing} of {mismatch.total} values differ."
    )


def _number(value: float) -> str:
    """Return a single number: a whole one with all its digits."""
    return f"{value:,.0f}" if value.is_integer() else f"{value:g}"
