"""Checks that run once all results are right: state, memory, devices, gradients, initialization."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import torch

from grader.checking import generator
from grader.checking.checks.check import Failure, check
from grader.checking.checks.context import TEXTS, CheckContext, digits_of, numbers_of, result_name, shape_text
from grader.checking.comparison import compare
from grader.checking.fake_device import ELSEWHERE
from grader.checking.mistakes import question_about_error
from grader.checking.observation import LearnerError
from grader.checking.recording import renamed
from grader.exercises.case import Flag
from grader.messages import Message, message, series
from grader.references import Expected
from grader.topics import modules

FURTHER_CALL = message("right at first, not in a further call")
ANOTHER_INPUT = message("right at first, not in a further call, on another input")


def _module_again(ctx: CheckContext) -> bool:
    return ctx.exercise.driver == "module" and bool(ctx.case.grad_outputs)


def _module_later(ctx: CheckContext) -> bool:
    return _module_again(ctx) and ctx.case.thorough


@dataclass(frozen=True)
class Further:
    """A further call: what is expected of it, and how a learner is told about it.

    Attributes:
        role: under which its results are recorded.
        expected: the role of what they should be.
        when: which call it was, as the beginning of what a learner is told.
        made: whether the call is made on a case; if it is and nothing was recorded, the record was tampered
            with.
    """

    role: str
    expected: str
    when: Message
    made: Callable[[CheckContext], bool]


# Causes of a different result in a second call on the same numbers: the code, and which call it was.
CAUSES = {
    "state": ("state-kept", message("The first call was right. A second, on the same input,")),
    "shared": (
        "result-shared",
        message("The first call was right. Its result was then overwritten, as its owner may; the next call"),
    ),
    "layout": (
        "layout-dependent",
        message("The same numbers in another order in memory (a tensor or array that is not contiguous)"),
    ),
    "gradient": ("no-gradient", message("The same numbers in a tensor that asks for a gradient")),
}
IN_A_NETWORK = message("Called on an input that asks for a gradient, as inside a larger network, it")
SECOND = Further(
    "second",
    "result",
    CAUSES["state"][1],
    lambda ctx: ctx.exercise.driver in TWICE or _module_again(ctx) or _has(ctx, "second"),
)
AGAIN = Further(
    "again",
    "again",
    message("The first call was right. A later one, on another input,"),
    lambda ctx: ctx.case.called_again,
)
# Later calls, in their order.
LATER = (
    Further("later", "result", message("After a call on another input, the first one again"), _module_later),
    Further("fresh", "again", message("A module that nobody called yet, on another input,"), _module_later),
    Further(
        "grown",
        "result",
        message("The module's second input was longer than its first; it"),
        _module_later,
    ),
    Further(
        "refilled",
        "refilled",
        message("Other numbers in the tensor that was given before"),
        _module_later,
    ),
    Further(
        "beside",
        "result",
        message("Used again after another one of its class was made, it"),
        lambda ctx: _module_later(ctx) or _has(ctx, "beside"),
    ),
)
MOVED = Further(
    "elsewhere",
    "result",
    message("Moved after its first calls, on another device, which is called {device} here, it"),
    _module_later,
)
CALLED_ELSEWHERE = Further(
    "elsewhere",
    "result",
    message("With its arguments on another device, which is called {device} here, the function"),
    lambda ctx: ctx.case.thorough,
)
# Drivers that call a subject twice on the same numbers, whatever the case.
TWICE = ("function", "arrays", "generate")


def _has(ctx: CheckContext, role: str) -> bool:
    named = any(name.partition("/")[0] == role for name in ctx.seen.tensors)
    return named or role in ctx.seen.later_errors


@check(
    "other numbers",
    label=ANOTHER_INPUT,
    hidden=message("a further call was not right"),
    first_is_right=True,
)
def keeps_nothing(ctx: CheckContext) -> Failure | None:
    """A second call, on another input, is right as well."""
    when = CAUSES["state"][1]
    if error := ctx.seen.later_errors.get("repeat"):
        return ctx.fail("state-kept", _raised(when, error.as_message()), error=error)
    calls_again = "dropout" in ctx.case.options and not ctx.raises
    if calls_again and (what := _unlike(ctx, "repeat", ctx.expected["result"])):
        return ctx.fail("state-kept", _gave(when, what))
    return None if ctx.raises else _came_of(ctx, AGAIN, "state-kept")


@check(
    "same numbers",
    label=FURTHER_CALL,
    hidden=message("a further call was not right"),
    first_is_right=True,
)
def same_again(ctx: CheckContext) -> Failure | None:
    """A second call on the same numbers gives the same, whatever became of the first result."""
    if ctx.raises:
        return None
    code, when = CAUSES.get(ctx.seen.second_cause, CAUSES["state"])
    if ctx.seen.second_cause == "gradient" and "second" in ctx.seen.later_errors:
        when = IN_A_NETWORK
    return _came_of(ctx, replace(SECOND, when=when), code)


@check(
    "later calls",
    label=FURTHER_CALL,
    hidden=message("a further call was not right"),
    first_is_right=True,
)
def stays_right(ctx: CheckContext) -> Failure | None:
    """Later calls are right: on the first input again, and of a fresh module on the other input first."""
    if ctx.raises:
        return None
    return next(filter(None, (_came_of(ctx, one, "state-kept") for one in LATER)), None)


def _raised(when: Message, error: Message) -> Message:
    return message("{when} raised {error}", when=when, error=error)


def _gave(when: Message, what: str | Message) -> Message:
    return message("{when} gave {what}.", when=when, what=what)


def _came_of(ctx: CheckContext, call: Further, code: str) -> Failure | None:
    """Return what is wrong with a further call's results, where it is made."""
    if not call.made(ctx):
        return None
    for name, item in ctx.expected_of_role(call.expected):
        if error := ctx.seen.later_errors.get(call.role):
            told = _raised(call.when, error.as_message())
            return ctx.fail(code, told, error=error, question=_about(ctx, error))
        own = renamed(name, call.role)
        if what := _unlike(ctx, own, item):
            return ctx.fail(code, _gave(call.when, what), name)
        if ctx.is_text(name) or ctx.exercise.driver == "names":
            same = torch.equal(ctx.seen.tensors[own], item.values)
            mismatch = None
        else:
            mismatch = ctx.mismatch(own, item)
            same = mismatch is None
        # What a kept state adds depends on all calls before, which a learner does not see: no numbers of it.
        if mismatch and code != "state-kept":
            told = message(
                "{when} gave another result: at {place} expected {expected}, got {got}.",
                when=call.when,
                **numbers_of(mismatch, item.dtype),
            )
            return ctx.fail(code, told, name, mismatch)
        if not same:
            told = message("{when} gave another result.", when=call.when)
            return ctx.fail(code, told, name, mismatch)
    return None


# What PyTorch's errors say where NumPy is given a tensor: one with a gradient, or one of another device.
ADVICE, TO_NUMPY = "detach().numpy()", "type tensor to numpy"


def _about(ctx: CheckContext, error: LearnerError) -> Message | None:
    """Return the question about what was raised in a further call, where it needs one of its own."""
    return question_about_error(error, ctx.exercise) if ADVICE in error.message else None


def _unlike(ctx: CheckContext, name: str, expected: Expected) -> str | Message:
    """Return what was recorded under a name if it is no tensor of the expected shape."""
    got = ctx.seen.tensors.get(name)
    if got is None:
        return ctx.seen.kinds[name].message if name in ctx.seen.kinds else message("nothing")
    if got.shape == expected.values.shape:
        return ""
    if ctx.exercise.driver in (*TEXTS, "names"):  # the packed form means nothing to a learner
        return message("another result")
    return message("shape {shape}", shape=shape_text(got.shape))


# Side effects of a call, by kind and, where that matters, by name: the code and the message.
LEFT = {
    "setting": ("setting-left", message("The call changed {name}, and left it so.")),
    "watched": (
        "argument-watched",
        message("After the call, {name}.requires_grad is True; before the call it was False."),
    ),
    "gradient": (
        "gradient-left",
        message("After the call, {name}.grad holds a gradient; before the call it was None."),
    ),
    "shared": (
        "input-shared",
        message("Writing into the result changes the argument {name}: they share memory."),
    ),
    "same": (
        "result-shared",
        message(
            "Called twice, it gave one {name} to both callers: what one of them writes into it, the other "
            "reads."
        ),
    ),
    "changed": ("input-modified", message("The call changed the list of {name} that it was given.")),
    "module": (
        "module-changed",
        message("The module that was given has other {name} after the call than before."),
    ),
    "module training mode": (
        "mode-changed",
        message(
            "After the call, the training mode of the module, or of a module inside it, is not what it was."
        ),
    ),
}


@check(
    "settings",
    label=message("a setting is left changed"),
    hidden=message("the call left something behind"),
    first_is_right=True,
    always=True,
)
def changes_no_setting(ctx: CheckContext) -> Failure | None:
    """No setting of the whole process is left changed: further calls may fail for that alone."""
    return next(_left(ctx, "setting"), None)


# Kinds whose names are words, as the modules that find them spell them.
IN_WORDS = ("setting", "same", "changed", "module")
# Labels in the list of cases for side effects that change no result by themselves.
LABELS = {
    "shared": message("the result is an argument's own memory"),
    "same": message("two results are one"),
}


def _left(ctx: CheckContext, *kinds: str) -> Iterator[Failure]:
    for one in ctx.seen.side_effects:
        if one.kind in kinds:
            code, told = LEFT.get(f"{one.kind} {one.name}") or LEFT[one.kind]
            name = Message(one.name) if one.kind in IN_WORDS else one.name
            yield ctx.fail(code, replace(told, values={"name": name}), label=LABELS.get(one.kind))


@check(
    "left behind",
    label=message("something is left changed"),
    hidden=message("the call left something behind"),
    first_is_right=True,
    always=True,
)
def leaves_nothing(ctx: CheckContext) -> Failure | None:
    """Nothing is left behind: no gradient, no change of an argument or of a module that was to be read."""
    return next(_left(ctx, "gradient"), None) or next(_left(ctx, *LEFT), None)


@check(
    "attributes",
    label=message("another attribute than asked for"),
    hidden=message("an attribute was not what is asked for"),
    always=True,
)
def keeps_attributes(ctx: CheckContext) -> Failure | None:
    """The module keeps the numbers that it is asked to keep, under their names."""
    for name, asked in ctx.attributes.items():
        got = ctx.seen.attributes.get(name)
        if type(got) is int and got == asked:
            continue
        parts = {"name": name, "asked": asked}
        if got in (None, "NoneType"):
            told = message("Expected the attribute {name} to be {asked}, got nothing.", **parts)
        elif type(got) is int:
            told = message("Expected the attribute {name} to be {asked}, got {got}.", got=got, **parts)
        else:
            told = message("Expected the attribute {name} to be {asked}, got a {kind}.", kind=got, **parts)
        return ctx.fail("wrong-attribute", told)
    return None


@check(
    "buffers",
    label=message("a tensor does not move along"),
    hidden=message("a tensor would have stayed behind when the module moves"),
    first_is_right=True,
    always=True,
)
def has_buffers(ctx: CheckContext) -> Failure | None:
    """What the module holds moves with it: its buffers are registered, no tensor is a plain attribute."""
    if ctx.seen.registered is None:
        return None
    for name in ctx.exercise.buffers:
        if name not in ctx.seen.buffers:
            return ctx.fail("mask-not-buffer", _no_buffer(ctx, name), label=message("a buffer is missing"))
    if ctx.exercise.buffers and ctx.exercise.moves and ctx.seen.unregistered_tensors:
        told = message(
            "{name} is a plain tensor: it stays behind when the module moves.",
            name=ctx.seen.unregistered_tensors[0],
        )
        return ctx.fail("plain-tensor" if ctx.seen.buffers else "mask-not-buffer", told)
    return None


@check(
    "moves",
    label=message("not all is on the other device"),
    hidden=message("on another device a tensor was on the CPU"),
    first_is_right=True,
)
def moves(ctx: CheckContext) -> Failure | None:
    """On another device, a module that was used on the first is right, and so is a function."""
    if not ctx.exercise.moves or not ctx.case.thorough or ctx.raises:
        return None
    if ctx.exercise.driver == "function":
        return _works_elsewhere(ctx, CALLED_ELSEWHERE, "device-of-its-own")
    return _works_elsewhere(ctx, MOVED, "tensor-left-behind") if ctx.seen.registered is not None else None


def _no_buffer(ctx: CheckContext, name: str) -> Message:
    if name in ctx.seen.unregistered_tensors:
        return message("The module has no buffer named {name}: it is a plain tensor.", name=name)
    if name in ctx.seen.registered:
        return message("The module has no buffer named {name}: it is a parameter.", name=name)
    if not ctx.seen.buffers:
        return message(
            "Right after it was made, the module has no buffer named {name} that holds a tensor; it has "
            "none.",
            name=name,
        )
    buffers = series(ctx.seen.buffers)
    return message(
        "Right after it was made, the module has no buffer named {name}; its buffers: {buffers}.",
        name=name,
        buffers=buffers,
    )


def _works_elsewhere(ctx: CheckContext, call: Further, code: str) -> Failure | None:
    there = replace(call, when=replace(call.when, values={"device": ELSEWHERE.type}))
    if error := ctx.seen.later_errors.get("elsewhere"):
        through_numpy = TO_NUMPY in error.message
        if through_numpy and (gradient(ctx) or cut_off(ctx)):
            return None  # which is reported: it is the same line
        about_places = "device" in error.message and not (error.own or through_numpy)
        return ctx.fail(
            code if about_places else "raises", _raised(there.when, error.as_message()), error=error
        )
    if not ctx.seen.flags.get(Flag.ELSEWHERE):
        return ctx.fail(
            "wrong-device", message("With all that goes in on another device, the result is not there.")
        )
    return _came_of(ctx, there, code)


@check(
    "saved",
    label=message("state_dict() is not as asked for"),
    hidden=message("what the module saves was not what is asked for"),
    first_is_right=True,
)
def saved(ctx: CheckContext) -> Failure | None:
    """The module saves what it is asked to save, and another one takes it."""
    if not ctx.case.thorough or ctx.exercise.saved is None:
        return None
    kept = series(ctx.exercise.buffers)
    if ctx.exercise.saved and not ctx.seen.flags.get(Flag.SAVED):
        return ctx.fail(
            "mask-not-saved", message("The buffer {name} is not in the module's state_dict().", name=kept)
        )
    if not ctx.exercise.saved and not ctx.seen.flags.get(Flag.NOT_SAVED):
        return ctx.fail(
            "mask-saved", message("The buffer {name} is in the module's state_dict().", name=kept)
        )
    if error := ctx.seen.later_errors.get("saved"):
        told = message(
            "A second module was to load what the first one saved. It raised {error}",
            error=error.as_message(),
        )
        return ctx.fail("checkpoint-refused", told, error=error)
    return None


# Required properties besides the result, causes before their consequences: the code and the message.
FLAGS = {
    Flag.TRAINING: ("left-in-training", message("The module that you return is in training mode.")),
    Flag.BATCH_FIRST: (
        "batch-first-missing",
        message("The module that you return has batch_first=False."),
    ),
    Flag.STAYED: (
        "module-moved",
        message("After the call, the module is on another device than before."),
    ),
    Flag.UNTOUCHED: (
        "input-modified",
        message("The module does not hold the same tensors in the same way as before."),
    ),
    Flag.SORTED: (
        "names-unsorted",
        message("Every name is there, but the list is not in the order of sorted()."),
    ),
    Flag.COUNTED: (
        "ids-in-another-order",
        message(
            "The tokens are right, but not all of their ids: <unk> has 0, and the others count up from 1 in "
            "the order of first appearance."
        ),
    ),
    Flag.RAN_THERE: (
        "device-ignored",
        message("The module did not run on the device that was asked for, or not on that one alone."),
    ),
    Flag.RAN_ONCE: ("module-called-again", message("The module was called once more.")),
    Flag.RETURNED: ("result-left-behind", message("The result is not on the device that x was on.")),
    Flag.NO_GRADIENT: (
        "gradient-tracked",
        message("At least one call of the model was made with gradients switched on."),
    ),
    Flag.SAME_MODE: (
        "mode-changed",
        message("After the call, module.training is not what it was before."),
    ),
}
# Those that are about calls of what was given, whatever the result is.
OF_CALLS = (Flag.NO_GRADIENT, Flag.SAME_MODE)


@check(
    "flags",
    label=message("not in the way asked for"),
    hidden=message("something was not in the way asked for"),
)
def as_asked(ctx: CheckContext) -> Failure | None:
    """What an answer did besides its result is as the exercise asks."""
    return next(not_as_asked(ctx), None)


def not_as_asked(ctx: CheckContext, *, of_result: bool = True) -> Iterator[Failure]:
    """Yield what an answer did besides its result and not as the exercise asks.

    Args:
        ctx: of a case.
        of_result: whether to look at what means something only if the result is right, too.
    """
    for flag, (code, told) in FLAGS.items():
        asked = flag in ctx.flags and (of_result or (flag in OF_CALLS and flag in ctx.seen.flags))
        if asked and ctx.seen.flags.get(flag) is not ctx.flags[flag]:
            yield ctx.fail(code, told)


@check(
    "dropout",
    label=message("dropout is not as asked for"),
    hidden=message("dropout in training was not as asked"),
    always=True,
)
def dropped(ctx: CheckContext) -> Failure | None:
    """In training, the right share of the weights is dropped, and the others are scaled for it."""
    if error := ctx.seen.later_errors.get("train"):
        told = message("In training, it raised {error}", error=error.as_message())
        return ctx.fail("raises", told, error=error)
    if not ctx.case.drops:
        return None
    expected = ctx.expected["result"]
    if not _unlike(ctx, "result", expected) and not ctx.mismatch("result", expected):
        return _dropped_wrongly(ctx, expected)
    # Without the right weights nothing can be said of their dropout but that there is none; and where
    # they are a part of more, not even that: what is wrong may hide it.
    same = not ctx.exercise.weights_inside and all(
        _same_result(ctx, name) for name in ("train", "train again")
    )
    return ctx.fail("dropout-never", _none_dropped(ctx), "result") if same else None


def _dropped_wrongly(ctx: CheckContext, expected: Expected) -> Failure | None:
    """Return what is wrong with the dropout of weights that are right in ``eval()``."""
    for name in ("train", "train again"):
        if what := _unlike(ctx, name, expected):
            told = message("In training, the result was {what}.", what=what)
            code = "wrong-shape" if name in ctx.seen.tensors else "wrong-type"
            return ctx.fail(code, told, "result")
        if verdict := _judge_dropout(ctx, ctx.seen.tensors[name], expected):
            return ctx.fail(*verdict, "result")
    if torch.equal(ctx.seen.tensors["train"], ctx.seen.tensors["train again"]):
        told = message("Two calls in training dropped the same weights.")
        return ctx.fail("dropout-shared", told, "result")
    return None


def _judge_dropout(ctx: CheckContext, got: torch.Tensor, expected: Expected) -> tuple[str, Message] | None:
    """Return the code and the words of what is wrong with a result in training, or None."""
    inside = ctx.exercise.weights_inside
    if inside and not compare(got, expected.values, expected.tolerance[ctx.device]):
        return "dropout-never", _none_dropped(ctx)
    judges = [one.judge_inside if inside else one.judge_dropout for one in modules("dropout")]
    verdicts = (judge(got, expected.values, ctx.case.options["dropout"]) for judge in judges)
    return next(filter(None, verdicts), None)


def _none_dropped(ctx: CheckContext) -> Message:
    p = f"{ctx.case.options['dropout']:g}"
    return message("With dropout={p}, the result in training is that of eval().", p=p)


def _same_result(ctx: CheckContext, name: str) -> bool:
    own, result = ctx.seen.tensors.get(name), ctx.seen.tensors.get("result")
    return own is not None and result is not None and torch.equal(own, result)


@check(
    "separate", label=message("storage is shared"), hidden=message("what was copied changed with its source")
)
def separate(ctx: CheckContext) -> Failure | None:
    """What was copied does not change with its source."""
    moved = {}
    for name, item in ctx.expected_of_role("separate"):
        got = ctx.seen.tensors.get(name)
        same_shape = got is not None and got.shape == item.values.shape
        mismatch = compare(got, item.values, item.tolerance[ctx.device]) if same_shape else None
        if mismatch or not same_shape:
            moved[name] = mismatch
    if not moved:
        return None
    told = message(
        "When the source changed afterwards, {what} changed with it.", what=series(map(result_name, moved))
    )
    return ctx.fail("storage-shared", told, *next(iter(moved.items())))


@check(
    "gradient",
    label=message("the result is right, its gradient is not"),
    hidden=message("the gradient was not right"),
)
def gradient(ctx: CheckContext) -> Failure | None:
    """The right gradient arrives at every weight and argument."""
    if error := ctx.seen.later_errors.get("gradient"):  # what fails only in the backward pass
        told = message("On the way to the gradient it raised {error}", error=error.as_message())
        return ctx.fail("no-gradient", told, error=error, question=_about(ctx, error))
    if error := ctx.seen.later_errors.get("gradient in training"):
        told = message("In training, on the way to the gradient, it raised {error}", error=error.as_message())
        return ctx.fail("no-gradient", told, error=error)
    if ctx.seen.flags.get(Flag.TRAINS) is False:
        return ctx.fail(
            "no-gradient",
            message("In training, with dropout, no gradient reaches some of the weights asked for."),
        )
    found = (_gradient_of(ctx, name, item) for name, item in ctx.expected_of_role("gradient"))
    return next(filter(None, found), None)


@check(
    "gradient cut off",
    label=message("no gradient can go back from the result"),
    hidden=message("no gradient could go back from the result"),
    always=True,
    everywhere=True,
)
def cut_off(ctx: CheckContext) -> Failure | None:
    """What the result was made from was recorded for a gradient, whatever its numbers are."""
    if ctx.seen.flags.get(Flag.CUT):
        return ctx.fail("no-gradient", message("No gradient can go back from the result to what came in."))
    return None


def _gradient_of(ctx: CheckContext, name: str, item: Expected) -> Failure | None:
    got = ctx.seen.tensors.get(name)
    what = {"what": result_name(name)}
    if got is None:  # a missing gradient counts as zeros
        if compare(torch.zeros_like(item.values), item.values, item.tolerance[ctx.device]):
            return ctx.fail("no-gradient", message("No gradient reaches {what}.", **what), name)
        return None
    if got.shape != item.values.shape:
        told = message(
            "The gradient that reaches {what} has shape {got}, expected {expected}.",
            got=shape_text(got.shape),
            expected=shape_text(item.values.shape),
            **what,
        )
        return ctx.fail("no-gradient", told, name)
    mismatch = ctx.mismatch(name, item)
    if mismatch is None or compare(got, item.values, _rounding_of_gradients(ctx, item)) is None:
        return None
    if not got.isfinite().all():
        told = message("The gradient that reaches {what} holds NaN or infinity.", **what)
        return ctx.fail("no-gradient", told, name, question=ENDLESS_GRADIENT)
    told = message(
        "The gradient that reaches {what} is another one: at {place} expected {expected}, got {got}.",
        **what,
        **numbers_of(mismatch, item.dtype, digits_of(mismatch)),
    )
    nearly = (got.double() - item.values).abs().max() <= NEARLY * item.values.abs().max()
    return ctx.fail("digits-lost" if nearly else "no-gradient", told, name, mismatch)


def _rounding_of_gradients(ctx: CheckContext, item: Expected) -> float:
    """Return what rounding on the way back may leave, where large parts of a gradient cancel each other."""
    largest = max(
        float(one.values.abs().max()) for _, one in ctx.expected_of_role("gradient") if one.values.numel()
    )
    return CANCELLED * torch.finfo(item.dtype).eps * largest


# Of the largest number of all gradients of a case, in units of the dtype's precision.
CANCELLED = 32
# Relative to the largest number of a gradient: a smaller error means the right computation with too few
# digits.
NEARLY = 1e-3
ENDLESS_GRADIENT = message(
    "Which step has no finite slope here: a division by 0, a root or a log of 0, an exponential "
    "that is too large? A step may give a right number, and none on the way back."
)


# Messages about wrong initialization, by code.
DRAWN = {
    "creation-order": message(
        "The seed's numbers went to other parameters than expected: {names} are to be created in this order. "
        "Results are computed after the numbers of the case have been written into the parameters."
    ),
    "wrong-initialisation": message(
        "The parameters that the module starts from are not those that torch.manual_seed({seed}) should give "
        "it. Results are computed after the numbers of the case have been written into them."
    ),
}


@check(
    "drawn as asked",
    label=message("not drawn as asked"),
    hidden=message("the module did not start from the weights that the seed should give it"),
    draws_weights=True,
    always=True,
)
def drawn_as_asked(ctx: CheckContext) -> Failure | None:
    """The seed's numbers went to the right weights, drawn as asked."""
    if not ctx.exercise.drawn_by or ctx.raises:
        return None
    names, seed = ctx.exercise.drawn_for(ctx.case.weights), ctx.case.seed
    weights = [ctx.seen.tensors.get(f"parameter/{name}") for name in names]
    shapes = [ctx.case.weights[name].shape for name in names]
    if any(
        weight is not None and weight.shape != asked for weight, asked in zip(weights, shapes, strict=True)
    ):
        return None  # of other shapes, other numbers were drawn: their own check says so
    unread = any(weight is None for weight in weights)  # a parameter that had no numbers yet
    code = "wrong-initialisation" if unread else generator.order_code(weights, seed, ctx.exercise.drawn_by)
    if not code:
        return None
    return ctx.fail(code, replace(DRAWN[code], values={"names": series(names), "seed": seed}))


def beyond_asked(contexts: list[CheckContext]) -> Failure | None:
    """Return which parameters a module has beyond those asked for; an extra bias has its own code."""
    for ctx in contexts:
        asked, held = ctx.asked_parameters(), ctx.seen.registered or ()
        layers = {name.rpartition(".")[0] for name in asked} - {""}
        extra = [name for name in held if name not in asked and name.rpartition(".")[0] not in layers]
        if asked and extra and set(asked) <= set(held) and ctx.seen.of_role("result"):
            told = message("Besides what is asked for, the module has {names}.", names=series(extra))
            return ctx.fail("parameters-extra", told)
    return None


def without_influence(contexts: list[CheckContext]) -> Failure | None:
    """Return an argument or weight that influences the result of no case, although it should.

    At least two such cases, and most of those tried, must have produced numbers.
    """
    tried = [ctx for ctx in contexts if ctx.case.grad_outputs or ctx.exercise.driver == "arrays"]
    ran = [ctx for ctx in tried if any(one.numel() for one in ctx.seen.of_role("result").values())]
    unused = [[one.name for one in ctx.seen.side_effects if one.kind == "unused"] for ctx in ran]
    name = next((one for one in unused[0] if all(one in names for names in unused)), "") if unused[1:] else ""
    influenced = [ctx for ctx in ran if _has_influence(ctx, name)]
    if not name or 2 * len(ran) < len(tried) or len(influenced) < 2:
        return None
    told = message("Other numbers in {name} alone leave every result as it is, to the last digit.", name=name)
    return influenced[0].fail("argument-unused", told)


def _has_influence(ctx: CheckContext, name: str) -> bool:
    """Return whether a right result depends on the named argument or weight, as far as gradients show."""
    gradient = ctx.expected.get(f"gradient/{name}")
    return gradient is None or bool(gradient.values.any())
