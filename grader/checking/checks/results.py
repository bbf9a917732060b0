"""Checks of what an answer computes, made case by case."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

import torch

from grader.checking.checks.check import Failure, check
from grader.checking.checks.context import CheckContext, digits_of, numbers_of, result_name, shape_text
from grader.checking.comparison import Mismatch, Slice, altered, compare, order_of_axes
from grader.checking.exposure import WANTED as INPUTS
from grader.checking.holdings import names_held
from grader.checking.observation import LearnerError
from grader.checking.texts import TextDifference, difference, unpack_texts
from grader.exercises import EXERCISES, find_exercise
from grader.exercises.case import Flag
from grader.messages import Message, message, sentences, series
from grader.references import Expected
from grader.topics import table

# Drivers that always record which parameters a module has.
MODULES = ("module", "transfer")
# What a driver records of a result, in the learner's words.
WANTED = {
    "number": message("an int"),
    "names": message("a list of names"),
    "arrays": message("a NumPy array"),
    "texts": message("texts, in the form that the docstring says"),
    "tokenizer": message("a text"),
    "result/what encode gives": message("a list of ints"),
    "result/vocab": message("a dict from texts to ints"),
    "result/loss": message("one number, such as a float"),
}
A_TENSOR = message("a torch.Tensor")
# Of the tokens that a vocabulary lacks or has too many, so many are named.
MOST_TOKENS = 5
# What ends the name of what a module's parameters are recorded under, whether each can be trained.
TRAINABLE = ".trainable"


@check(
    "registered",
    label=message("not the parameters asked for"),
    hidden=message("the module did not register the parameters that are asked for"),
    numeric=True,
    always=True,
)
def is_registered(ctx: CheckContext) -> Failure | None:
    """Every weight is a parameter of the module under its name."""
    if ctx.seen.registered is None:
        # No module was made, and a later check says why; or else the record was tampered with.
        hidden = ctx.exercise.driver in MODULES and not ctx.seen.raised
        told = message("What parameters the module has was not recorded.")
        return ctx.fail("not-registered", told) if hidden else None
    for name in ctx.asked_parameters():
        if name not in ctx.seen.registered:
            told, question = _missing(name, ctx.seen.registered), _why_missing(ctx, name)
            return ctx.fail("not-registered", told, name, question=question)
        bias = f"{name.removesuffix('.weight')}.bias"
        if name.endswith(".weight") and bias in ctx.seen.registered and bias not in ctx.case.weights:
            told = message(
                "The module has a parameter {bias}, which is not asked for here. For the check it was set to "
                "0.",
                bias=bias,
            )
            return ctx.fail("bias-unexpected", told, name, label=message("a bias that is not asked for"))
    return None


def _why_missing(ctx: CheckContext, name: str) -> Message | None:
    """Return the question that fits a missing parameter, where its name tells which."""
    if name in ctx.seen.unregistered_tensors:
        return message(
            "The module holds a plain tensor of this name, and does not see it as a parameter. What makes a "
            "parameter of a tensor?"
        )
    if ctx.exercise.driver == "transfer":
        return message(
            "It was there when the module came in. Which of your lines takes it away, and is what stands in "
            "its place a parameter, under the same name?"
        )
    if not ctx.seen.registered:
        return message(
            "They have to be there as soon as the object is made. Is each made in __init__, with self. in "
            "front of its name, as a parameter, or as a module that has it? A plain tensor does not count, "
            "nor what is inside a plain list."
        )
    layer, _, kind = name.rpartition(".")
    if kind == "bias" and f"{layer}.weight" in ctx.seen.registered:
        return message("Whether a layer has a bias is decided where it is made. Which argument says so?")
    if any(part.isdigit() for part in layer.split(".")):
        return message(
            "A number between two points in a name counts the parts of a list of modules, from 0. Is one "
            "missing, do yours have names of their own, or are they inside a plain list, which a module does "
            "not look into?"
        )
    return None


def _missing(name: str, registered: tuple[str, ...]) -> Message:
    if not registered:
        return message("The module has no parameter named {name}; it has none at all.", name=name)
    return message(
        "The module has no parameter named {name}; it has {registered}.",
        name=name,
        registered=series(registered),
    )


@check(
    "parameter shape",
    label=message("a parameter of another shape"),
    hidden=message("a parameter had another shape than expected"),
    numeric=True,
)
def parameter_shape(ctx: CheckContext) -> Failure | None:
    """Every parameter has the shape that the exercise asks for."""
    for name in ctx.asked_parameters() if ctx.seen.registered is not None else ():
        got, expected = ctx.seen.tensors.get(f"parameter/{name}"), ctx.case.weights[name].shape
        if got is not None and got.shape != expected:
            return ctx.fail("wrong-shape", _other_shape(name, expected, got.shape), name)
    return None


def _other_shape(what: str | Message, expected: torch.Size, got: torch.Size) -> Message:
    return message(
        "Expected {what} of shape {expected}, got {got}.",
        what=what,
        expected=shape_text(expected),
        got=shape_text(got),
    )


# Weights that must not share memory: query, key and value, possibly of several heads.
OWN_WEIGHT = re.compile(r"(?:heads\.(?P<head>\d+)\.)?(?P<name>W_(?:query|key|value|q|k|v)\b.*)")


@check(
    "weights of their own",
    label=message("one matrix under several names"),
    hidden=message("weights of two names were one and the same"),
    numeric=True,
)
def weights_apart(ctx: CheckContext) -> Failure | None:
    """Query, key and value, and the heads, have weights in memory of their own."""
    for name, other in ctx.seen.shared:
        one, another = OWN_WEIGHT.fullmatch(name), OWN_WEIGHT.fullmatch(other)
        if one and another:
            *names, last = [name, *(alias for first, alias in ctx.seen.shared if first == name)]
            told = message(
                "{names} and {last} are one matrix in memory: what is written into one of them is in each of "
                "them, and what is written last stays.",
                names=series(names),
                last=last,
            )
            heads = one["head"] != another["head"]
            return ctx.fail("heads-share-weights" if heads else "shared-projection", told)
    return None


@check(
    "parameters stay",
    label=message("a parameter is made in the call"),
    hidden=message("a call made parameters of its own"),
    numeric=True,
)
def parameters_stay(ctx: CheckContext) -> Failure | None:
    """The call has left the parameters in their places: it computes with those that it is given."""
    made = next((one.name for one in ctx.seen.side_effects if one.kind == "made"), "")
    told = message("After the call, {name} is a parameter that was not there before the call.", name=made)
    return ctx.fail("made-in-forward", told) if made else None


# So many of the functions that it called are named.
FEW_CALLS = 3
# What the list of cases says where nothing was raised.
NO_ERROR = message("no error where one is asked for")


@check("runs", label=message("an error"), hidden=message("it raised an exception"), numeric=True)
def runs(ctx: CheckContext) -> Failure | None:
    """The code ran to its end on this case, or raised what the case expects."""
    error = ctx.seen.raised
    if error is None and ctx.raises:
        return ctx.fail("wrong-exception", _nothing_raised(ctx), label=NO_ERROR)
    if error is None or asserts(ctx) or (ctx.raises and ctx.raises in (error.type_name, *error.bases)):
        return None
    if error.type_name == "NotImplementedError" and error.own:
        return _unfinished(ctx, error)
    if ctx.raises == "Exception":
        return None
    if ctx.raises:
        told = message(
            "Expected {expected} to be raised; it raised {error}",
            expected=ctx.raises,
            error=error.as_message(),
        )
        return ctx.fail("wrong-exception", told, error=error, label=message("not the error asked for"))
    return ctx.fail("raises", message("It raised {error}", error=error.as_message()), error=error)


def _nothing_raised(ctx: CheckContext) -> Message:
    wanted = message("an error") if ctx.raises == "Exception" else ctx.raises
    if ctx.case.arguments or ctx.exercise.driver != "module":
        return message("Expected {wanted} to be raised; nothing was.", wanted=wanted)
    return message("Expected {wanted} to be raised by the constructor; nothing was.", wanted=wanted)


def asserts(ctx: CheckContext) -> bool:
    """Return whether an assertion of the answer refused what a ValueError should refuse."""
    error = ctx.seen.raised
    return ctx.raises == "ValueError" and error is not None and error.type_name == "AssertionError"


def _unfinished(ctx: CheckContext, error: LearnerError) -> Failure:
    """Say what is not written yet: the answer itself, or one that it builds on and calls."""
    where = error.function.partition(".")[0]
    required = map(find_exercise, ctx.exercise.requires)
    others = (one for one in EXERCISES.values() if one.subject not in ("", ctx.exercise.subject))
    called = next((one for one in (*required, *others) if where == one.subject), None)
    place = {"line": error.line, "source": error.source, "subject": ctx.exercise.subject}
    if called is None:
        told = message("{subject} came to your line {line}: {source}", **place)
        return ctx.fail("not-implemented", told, error=error)
    told = message(
        "{subject} calls {called}, which is not finished here: do {exercise} first, or copy your answer to "
        "it. Your line {line}: {source}",
        called=called.subject,
        exercise=called.id,
        **place,
    )
    return ctx.fail("stub-called", told, error=error)


@check(
    "built",
    label=message("it calls what is not allowed"),
    hidden=message("it called what is not allowed"),
)
def is_built(ctx: CheckContext) -> Failure | None:
    """The answer does not call what it is asked to build."""
    forbidden = [name for name in ctx.seen.calls if _holds(name, ctx.exercise.forbidden.parts)]
    if not forbidden:
        return None
    parts = {
        "calls": _few(forbidden, ctx.exercise.forbidden.parts),
        "words": Message(ctx.exercise.forbidden.words),
    }
    told = message("It called {calls}, itself or through what it called. Not allowed: {words}.", **parts)
    return ctx.fail("forbidden-call", told)


def _few(calls: Sequence[str], parts: tuple[str, ...]) -> Message:
    """Return the first names of functions that were called, each once, without underscores.

    A keyword is told where that is what is not allowed.
    """
    plain = [name.partition("(")[0] for name in calls]
    names = [
        *dict.fromkeys(one if _holds(one, parts) else call for one, call in zip(plain, calls, strict=True))
    ]
    names = [name for name in names if not name.startswith("_")] or names
    if len(names) <= FEW_CALLS:
        return series(names)
    return message("{names} and more", names=series(names[:FEW_CALLS]))


@check(
    "used",
    label=message("the library was not asked"),
    hidden=message("it did not call what is asked for"),
)
def uses(ctx: CheckContext) -> Failure | None:
    """The answer calls what it is asked to use."""
    required = ctx.exercise.required
    if not required or ctx.raises or any(_holds(name, required) for name in ctx.seen.calls):
        return None
    return ctx.fail("library-not-used", message("It never called {names}.", names=" / ".join(required)))


def _holds(name: str, parts: tuple[str, ...]) -> bool:
    return any(part in name for part in parts)


@check(
    "type",
    label=message("not what is asked for"),
    hidden=message("the result was not what is asked for"),
)
def is_tensor(ctx: CheckContext) -> Failure | None:
    """Every result is there, and is what is asked for: a plain dense tensor, a tuple of them, an int."""
    for name, kind in ctx.seen.kinds.items():
        if name.split("/")[0] != "result":
            continue
        parts = {"what": result_name(name), "wanted": _wanted(ctx, name), "kind": kind.message}
        if kind.name == "NoneType":
            told = message(
                "Expected {what} to be {wanted}, got {kind}. Is a return missing? Methods that change a list "
                "in place return None, too.",
                **parts,
            )
        else:
            told = message("Expected {what} to be {wanted}, got {kind}.", **parts)
        return ctx.fail("wrong-type", told, name)
    for name, _ in ctx.expected_of_role("result"):
        if name not in ctx.seen.tensors:
            told = message("There is no {name}.", name=result_name(name))
            if name == "result":
                told = message("There is no result.")
            return ctx.fail("wrong-type", told, name)
    return None


def _wanted(ctx: CheckContext, name: str) -> Message:
    if ctx.exercise.specimen:
        arguments = {one.name: one for one in ctx.exercise.specimen.arguments}
        if name == "result":
            return _a_tuple(arguments)
        asked = arguments.get(name.partition("/")[2])
        return INPUTS[asked.kind] if asked else A_TENSOR
    if name == "result" and ctx.exercise.returns:
        return _a_tuple(ctx.exercise.returns)
    wanted = WANTED | table("drivers", "WANTED")
    return wanted.get(name) or wanted.get(ctx.exercise.driver, A_TENSOR)


def _a_tuple(names: object) -> Message:
    return message("the tuple ({names})", names=", ".join(names))


# What to look at where the numbers are right, and the axes are not.
WHICH_AXES = message(
    "What does each axis of your result count, and in which order does the docstring name them? Which step "
    "of yours exchanges axes that should stay, or leaves some that should be exchanged?"
)


@check(
    "shape",
    label=message("another shape"),
    hidden=message("the result had another shape than expected"),
    numeric=True,
    fitted=True,
)
def shape(ctx: CheckContext) -> Failure | None:
    """Every result has the expected shape."""
    for name, item in ctx.expected_of_role("result"):
        got = ctx.seen.tensors[name]
        if got.shape != item.values.shape and not ctx.is_text(name):  # of texts, another check says more
            told = _other_shape(result_name(name), item.values.shape, got.shape)
            order = order_of_axes(got, item.values, ctx.tolerance_of(item))
            if order is None or _exchanges_like_sizes(order, got.shape):
                return ctx.fail("wrong-shape", told, name)
            axes = series(map(str, order))
            return ctx.fail("wrong-shape", _other_order(told, axes), name, question=WHICH_AXES)
    return None


def _exchanges_like_sizes(order: tuple[int, ...], shape: torch.Size) -> bool:
    """Return whether axes of the same size change places: with other sizes it may not be so."""
    pairs = combinations(order, 2)
    return any(shape[first] == shape[second] and first > second for first, second in pairs)


def _other_order(told: Message, axes: Message) -> Message:
    return message(
        "{shapes} The numbers are right, the axes stand in another order: with your axes in the order "
        "{axes}, counted from 0, it is what is asked for.",
        shapes=told,
        axes=axes,
    )


@check(
    "dtype",
    label=message("another dtype"),
    hidden=message("the result had another dtype than expected"),
    numeric=True,
)
def dtype(ctx: CheckContext) -> Failure | None:
    """Every result has the expected dtype."""
    for name, item in ctx.expected_of_role("result"):
        got = ctx.seen.tensors[name].dtype
        if got != item.dtype:
            told = message(
                "Expected {what} of dtype {expected}, got {got}.",
                what=result_name(name),
                expected=ctx.dtype_text(item.dtype),
                got=ctx.dtype_text(got),
            )
            return ctx.fail("wrong-dtype", told, name)
    return None


@check(
    "device",
    label=message("another device"),
    hidden=message("the result was on another device than the input"),
)
def device(ctx: CheckContext) -> Failure | None:
    """Every result is on the device of the inputs."""
    # An answer that is given no tensor, nor a module that has any, cannot know of another device.
    wanted = ctx.place if ctx.case.arguments or ctx.case.weights else "cpu"
    for name, got in ctx.seen.devices.items():
        if name.split("/")[0] == "result" and got != wanted:
            told = message(
                "Expected {what} on {wanted}, got it on {got}.",
                what=result_name(name),
                wanted=wanted,
                got=got,
            )
            return ctx.fail("wrong-device", told, name)
    return None


@check(
    "steady",
    label=message("random where it must not be"),
    hidden=message("two calls on the same input gave different results"),
)
def steady(ctx: CheckContext) -> Failure | None:
    """Where nothing is to be dropped, two calls on the same input agree."""
    first, second = ctx.seen.tensors.get("result"), ctx.seen.tensors.get("repeat")
    if first is None or second is None or first.shape != second.shape:
        return None
    # NaN twice is no difference: the next check speaks of it.
    first, second = first.double().nan_to_num(), second.double().nan_to_num()
    mismatch = compare(second, first, 2 * ctx.tolerance_of(ctx.expected["result"]))
    if mismatch is None:
        return None
    if ctx.seen.flags.get(Flag.KEPT):
        told = message(
            "A new module gives the result of the first call. A second call, on the same input, gave another."
        )
        return ctx.fail("state-kept", told, "result", label=message("a second call gave another result"))
    parts = {
        "place": str(list(mismatch.index)),
        "first": f"{mismatch.expected:.4f}",
        "second": f"{mismatch.got:.4f}",
    }
    if ctx.case.options.get("dropout"):
        told = message(
            "In eval() two calls on the same input differ: at {place} the first gave {first}, the second "
            "{second}.",
            **parts,
        )
        return ctx.fail("dropout-in-eval", told, "result")
    told = message(
        "With dropout=0.0 two calls on the same input differ: at {place} the first gave {first}, the second "
        "{second}.",
        **parts,
    )
    return ctx.fail("dropout-wrong-rate", told, "result")


@check(
    "finite",
    label=message("NaN or infinity"),
    hidden=message("the result held NaN or infinity"),
    numeric=True,
)
def finite(ctx: CheckContext) -> Failure | None:
    """No result holds NaN; nor an infinity, where none is asked for anywhere."""
    for name, item in ctx.expected_of_role("result"):
        got = ctx.seen.tensors[name]
        finite_asked = bool(item.values.isfinite().all())
        bad = ~got.isfinite() if finite_asked else got.isnan()
        if bad.any():
            index = tuple(int(place) for place in bad.nonzero()[0])
            parts = {
                "number": int(bad.sum()),
                "total": bad.numel(),
                "place": str(list(index)),
                "value": str(float(got[index])),
            }
            if finite_asked:
                told = message(
                    "{number} of {total} values are NaN or infinite, the first at {place}: {value}.", **parts
                )
            else:
                told = message("{number} of {total} values are NaN, the first at {place}.", **parts)
            return ctx.fail("not-finite", told, name)
    return None


@check(
    "arguments",
    label=message("an argument was changed"),
    hidden=message("the call changed its arguments"),
    numeric=True,
    always=True,
)
def unmodified(ctx: CheckContext) -> Failure | None:
    """The call left its arguments as they were."""
    for name, item in ctx.expected_of_role("argument"):
        got, what = ctx.seen.tensors.get(name), name.partition("/")[2]
        if got is not None and ctx.is_text(name):
            if not same_texts(got, item):
                return ctx.fail("input-modified", _changed_text(what, difference(got, item.values)), name)
            continue
        if got is None:
            told = message("The argument {what} is gone after the call.", what=what)
            return ctx.fail("input-modified", told, name)
        if altered(got, item.values, item.dtype):
            mismatch = compare(got, item.values, 0.0) if got.shape == item.values.shape else None
            if what.endswith(TRAINABLE):
                return ctx.fail("input-modified", _no_longer(what.removesuffix(TRAINABLE), mismatch), name)
            return ctx.fail("input-modified", _changed(ctx, what, got, item, mismatch), name, mismatch)
    return None


def _changed(
    ctx: CheckContext, what: str, got: torch.Tensor, item: Expected, mismatch: Mismatch | None
) -> Message:
    """Return how an argument was changed."""
    if mismatch:
        return message(
            "The call changed its argument {what}: at {place} it was {expected} and is now {got}.",
            what=what,
            **numbers_of(mismatch, item.dtype, digits_of(mismatch)),
        )
    if ctx.exercise.driver == "arrays" and item.values.dim() == 1 and not item.values.is_floating_point():
        return message(
            "The call changed the list {what}: its length was {count} and is {own_count} now.",
            what=what,
            count=len(item.values),
            own_count=got.numel(),
        )
    return message(
        "The call changed its argument {what}: it had shape {shape} and {dtype}, and has shape {own_shape} "
        "and {own_dtype}.",
        what=what,
        shape=shape_text(item.values.shape),
        dtype=ctx.dtype_text(item.dtype),
        own_shape=shape_text(got.shape),
        own_dtype=ctx.dtype_text(got.dtype),
    )


def _no_longer(module: str, mismatch: Mismatch | None) -> Message:
    """Return that a module's parameters were frozen, or set free."""
    if mismatch and mismatch.got < mismatch.expected:
        return message(
            "After the call, a parameter of {module} that could be trained no longer can.", module=module
        )
    return message("After the call, other parameters of {module} can be trained than before.", module=module)


def _changed_text(what: str, seen: TextDifference) -> Message:
    """Return how an argument that is a text, or a list of texts, was changed."""
    return message(
        "The call changed its argument {what}: it was {expected}, and is now {got}.",
        what=what,
        expected=seen.expected,
        got=seen.got,
    )


@check(
    "equal",
    label=message("another result"),
    hidden=message("the result held other numbers than expected"),
    numeric=True,
    fitted=True,
)
def equal(ctx: CheckContext) -> Failure | None:
    """Every result equals the expected tensor within its tolerance."""
    for name, item in ctx.expected_of_role("result"):
        if ctx.is_text(name):
            continue
        mismatch = ctx.mismatch(name, item)
        if not mismatch:
            continue
        if ctx.exercise.driver == "names":
            return ctx.fail("unrecognized", other_names(ctx), name)
        told = sentences([difference_of(name, mismatch, item.dtype), *_others_wrong(ctx, name)])
        if ctx.has_single_precision(ctx.seen.tensors[name], item):
            return ctx.fail("precision-lost", told, name)
        weights = name.endswith(("_weight", "_bias"))  # of a module that is returned
        label = message("other numbers in a weight or bias") if weights else None
        return ctx.fail("unrecognized", told, name, mismatch, label=label)
    return None


def _others_wrong(ctx: CheckContext, told: str) -> Iterator[Message]:
    """Yield that other results are wrong as well, beside the one that is told."""
    wrong = [
        result_name(name)
        for name, item in ctx.expected_of_role("result")
        if name != told and not ctx.is_text(name) and ctx.mismatch(name, item)
    ]
    if wrong:
        yield message("Not right either: {names}.", names=series(wrong))


@check(
    "text",
    label=message("another text"),
    hidden=message("the result was another text than expected"),
    numeric=True,
    fitted=True,
)
def same_text(ctx: CheckContext) -> Failure | None:
    """Every result that stands for texts is the expected one, in the order in which they are asked for."""
    results = {name: item for name, item in ctx.expected_of_role("result") if ctx.is_text(name)}
    asked = [f"result/{name}" for name in ctx.exercise.returns]
    for name in sorted(results, key=[*asked, *results].index):
        if not same_texts(ctx.seen.tensors[name], results[name]):
            return ctx.fail("unrecognized", other_text(ctx, name, results[name]), name)
    return None


def same_texts(got: torch.Tensor, expected: Expected) -> bool:
    """Return whether two texts, or lists of them, are the same."""
    return got.shape == expected.values.shape and torch.equal(got, expected.values)


def other_text(ctx: CheckContext, name: str, expected: Expected) -> Message:
    """Return which text was expected and which was got."""
    if name == "result/vocab":
        return _other_vocab(ctx.seen.tensors[name], expected.values)
    seen = difference(ctx.seen.tensors[name], expected.values)
    parts = {"expected": seen.expected, "got": seen.got}
    if seen.where is None:
        told = message("Expected {expected}, got {got}.", **parts)
    else:
        told = message("{where}: expected {expected}, got {got}.", where=seen.where, **parts)
    if name == "result":
        return told
    if name == "result/what encode gives":
        return message("The tokens that the ids from encode stand for: {told}", told=told)
    return message("{name}: {told}", name=result_name(name), told=told)


def _other_vocab(got: torch.Tensor, expected: torch.Tensor) -> Message:
    """Return which tokens are missing from a vocabulary, and which are too many."""
    own, asked = unpack_texts(got), unpack_texts(expected)
    parts = []
    if missing := [one for one in asked if one not in own]:
        parts.append(message("vocab lacks {tokens}.", tokens=series(map(repr, missing[:MOST_TOKENS]))))
    if extra := [one for one in own if one not in asked]:
        parts.append(
            message(
                "vocab has {tokens}, which should not be there.",
                tokens=series(map(repr, extra[:MOST_TOKENS])),
            )
        )
    return sentences(parts)


def other_names(ctx: CheckContext) -> Message:
    """Return which names are missing from a list, and which are one too many."""
    unknown = message("names under which the module holds no tensor")
    names = names_held(ctx.case)
    got = ctx.seen.tensors["result"].tolist()
    expected = ctx.expected["result"].values.tolist()
    missing = [name for name, own, asked in zip(names, got, expected, strict=False) if own < asked]
    extra = [name for name, own, asked in zip(names, got, expected, strict=False) if own > asked]
    parts = []
    if missing:
        parts.append(message("Missing from your list: {names}.", names=series(missing)))
    if extra:
        parts.append(message("Not to be in it, or not so often: {names}.", names=series(extra)))
    if got[len(names) :] > expected[len(names) :]:
        parts.append(message("In your list are {unknown}.", unknown=unknown))
    return sentences(parts)


def difference_of(name: str, mismatch: Mismatch, of: torch.dtype) -> Message:
    """Return where two tensors differ most: index, expected, got, tolerance, and how many values differ."""
    what = message("The result") if name == "result" else result_name(name)
    parts = {
        "what": what,
        "number": mismatch.differing,
        "total": mismatch.total,
        **numbers_of(mismatch, of, digits_of(mismatch)),
    }
    if not mismatch.index:
        numbers = {"got": _alone(mismatch.got), "expected": _alone(mismatch.expected)}
        return message("{what} is {got}, expected {expected}.", what=what, **numbers)
    place = {"what": what, "place": parts["place"]}
    if name == "result":
        parts["where"] = message("{what} differs most at {place}", **place)
    else:  # of several: another may differ more
        parts["where"] = message("{what} differs, most at {place}", **place)
    if of.is_floating_point:
        told = message(
            "{where}: expected {expected}, got {got} (tolerance {tolerance}); {number} of {total} values "
            "differ.",
            tolerance=f"{mismatch.tolerance:.0e}",
            **parts,
        )
    else:
        told = message(
            "{where}: expected {expected}, got {got}; {number} of {total} values differ.",
            **parts,
        )
    return sentences([told, _slice_told(mismatch.slice)]) if mismatch.slice else told


def _slice_told(found: Slice) -> Message:
    """Return which slice is wrong alone, or right alone."""
    place = {"index": found.index, "axis": found.axis}
    if found.wrong and found.last:
        return message("All of these have the last index on axis {axis}, which is {index}.", **place)
    if found.wrong:
        return message("All of these have the index {index} on axis {axis}.", **place)
    if found.last:
        return message("Along axis {axis}, only the last index, {index}, is right throughout.", **place)
    return message("Along axis {axis}, only index {index} is right throughout.", **place)


def _alone(value: float) -> str:
    """Return a single number: a whole one with all its digits."""
    return str(int(value)) if value.is_integer() else f"{value:g}"
