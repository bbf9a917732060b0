"""What matters once the results are right on every case."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import torch

from grader.checking import generator
from grader.checking.checks.check import Failure, check
from grader.checking.checks.look import TEXTS, Look, digits_of, numbers_of, result_name, shape_text
from grader.checking.comparison import compare
from grader.checking.elsewhere import ELSEWHERE
from grader.checking.observation import LearnerError
from grader.checking.recording import renamed
from grader.exercises.case import Flag
from grader.messages import Message, message
from grader.references import Expected
from grader.topics import modules

FURTHER_CALL = message("right at first, not in a further call")
ANOTHER_INPUT = message("right at first, not in a further call, on another input")


def _module_again(look: Look) -> bool:
    return look.exercise.driver == "module" and bool(look.case.probes)


def _module_later(look: Look) -> bool:
    return _module_again(look) and look.case.thorough


@dataclass(frozen=True)
class Further:
    """A further call: what is expected of it, and how a learner is told about it.

    Attributes:
        role: under which its results are recorded.
        expected: the role of what they should be.
        when: which call it was, as the beginning of what a learner is told.
        made: whether the call is made on a case. What was then not recorded somebody took away.
    """

    role: str
    expected: str
    when: Message
    made: Callable[[Look], bool]


# Why a second call on the same numbers came out otherwise: the code, and which call it was.
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
    lambda look: look.exercise.driver in TWICE or _module_again(look) or _has(look, "second"),
)
AGAIN = Further(
    "again",
    "again",
    message("The first call was right. A second, on another input,"),
    lambda look: look.case.called_again,
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
        lambda look: _module_later(look) or _has(look, "beside"),
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
    lambda look: look.case.thorough,
)
# Drivers that call a subject twice on the same numbers, whatever the case.
TWICE = ("function", "arrays", "generate")


def _has(look: Look, role: str) -> bool:
    named = any(name.partition("/")[0] == role for name in look.seen.tensors)
    return named or role in look.seen.later_errors


@check(
    "other numbers",
    label=ANOTHER_INPUT,
    hidden=message("a further call was not right"),
    first_is_right=True,
)
def keeps_nothing(look: Look) -> Failure | None:
    """A second call, on another input, is right as well."""
    when = CAUSES["state"][1]
    if error := look.seen.later_errors.get("repeat"):
        return look.fail("state-kept", _raised(when, error.told()), error=error)
    calls_again = "dropout" in look.case.options and not look.raises
    if calls_again and (what := _unlike(look, "repeat", look.expected["result"])):
        return look.fail("state-kept", _gave(when, what))
    return None if look.raises else _came_of(look, AGAIN, "state-kept")


@check(
    "same numbers",
    label=FURTHER_CALL,
    hidden=message("a further call was not right"),
    first_is_right=True,
)
def same_again(look: Look) -> Failure | None:
    """A second call on the same numbers gives the same, whatever became of the first result."""
    if look.raises:
        return None
    code, when = CAUSES.get(look.seen.second_cause, CAUSES["state"])
    if look.seen.second_cause == "gradient" and "second" in look.seen.later_errors:
        when = IN_A_NETWORK
    return _came_of(look, replace(SECOND, when=when), code)


@check(
    "later calls",
    label=FURTHER_CALL,
    hidden=message("a further call was not right"),
    first_is_right=True,
)
def stays_right(look: Look) -> Failure | None:
    """Later calls are right: on the first input again, and of a fresh module on the other input first."""
    if look.raises:
        return None
    return next(filter(None, (_came_of(look, one, "state-kept") for one in LATER)), None)


def _raised(when: Message, error: Message) -> Message:
    return message("{when} raised {error}", when=when, error=error)


def _gave(when: Message, what: str | Message) -> Message:
    return message("{when} gave {what}.", when=when, what=what)


def _came_of(look: Look, call: Further, code: str) -> Failure | None:
    """Return what is wrong with a further call's results, where it is made."""
    if not call.made(look):
        return None
    for name, item in look.of_role(call.expected):
        if error := look.seen.later_errors.get(call.role):
            return look.fail(code, _raised(call.when, error.told()), error=error, question=_about(error))
        own = renamed(name, call.role)
        if what := _unlike(look, own, item):
            return look.fail(code, _gave(call.when, what), name)
        if look.is_text(name) or look.exercise.driver == "names":
            same = torch.equal(look.seen.tensors[own], item.values)
            mismatch = None
        else:
            mismatch = look.mismatch(own, item)
            same = mismatch is None
        if mismatch:
            told = message(
                "{when} gave another result: at {place} expected {expected}, got {got}.",
                when=call.when,
                **numbers_of(mismatch, item.dtype),
            )
            return look.fail(code, told, name, mismatch)
        if not same:
            return look.fail(code, message("{when} gave another result.", when=call.when), name)
    return None


# What PyTorch's error advises where NumPy is given what asks for a gradient; and what is said of that.
ADVICE = "detach().numpy()"
BAD_ADVICE = message(
    "What this error advises would cut the gradient off. Which function or method of torch does what the "
    "line named has NumPy do?"
)


def _about(error: LearnerError) -> Message | None:
    """Return the question about what was raised in a further call, where it needs one of its own."""
    return BAD_ADVICE if ADVICE in error.message else None


def _unlike(look: Look, name: str, expected: Expected) -> str | Message:
    """Return what was recorded under a name instead of a tensor of the expected shape, if it was not that."""
    got = look.seen.tensors.get(name)
    if got is None:
        return look.seen.kinds[name].message if name in look.seen.kinds else message("nothing")
    if got.shape == expected.values.shape:
        return ""
    if look.exercise.driver in (*TEXTS, "names"):  # how these are packed is nobody's business
        return message("another result")
    return message("shape {shape}", shape=shape_text(got.shape))


# What a call left behind, by its kind and, where that matters, its name: the code and what is said.
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
def changes_no_setting(look: Look) -> Failure | None:
    """No setting of the whole process is left changed: further calls may fail for that alone."""
    return next(_left(look, "setting"), None)


# Of what changes nothing by itself, what the list of cases says.
LABELS = {
    "shared": message("the result is an argument's own memory"),
    "same": message("two results are one"),
}


def _left(look: Look, *kinds: str) -> Iterator[Failure]:
    for one in look.seen.side_effects:
        if one.kind in kinds:
            code, told = LEFT.get(f"{one.kind} {one.name}") or LEFT[one.kind]
            yield look.fail(code, replace(told, values={"name": one.name}), label=LABELS.get(one.kind))


@check(
    "left behind",
    label=message("something is left changed"),
    hidden=message("the call left something behind"),
    first_is_right=True,
    always=True,
)
def leaves_nothing(look: Look) -> Failure | None:
    """Nothing is left behind: no gradient, no change of an argument or of a module that was to be read."""
    return next(_left(look, "gradient"), None) or next(_left(look, *LEFT), None)


@check(
    "attributes",
    label=message("another attribute than asked for"),
    hidden=message("an attribute was not what is asked for"),
    always=True,
)
def keeps_attributes(look: Look) -> Failure | None:
    """The module keeps the numbers that it is asked to keep, under their names."""
    for name, asked in look.attributes.items():
        got = look.seen.attributes.get(name)
        if type(got) is int and got == asked:
            continue
        parts = {"name": name, "asked": asked}
        if got in (None, "NoneType"):
            told = message("Expected the attribute {name} to be {asked}, got nothing.", **parts)
        elif type(got) is int:
            told = message("Expected the attribute {name} to be {asked}, got {got}.", got=got, **parts)
        else:
            told = message("Expected the attribute {name} to be {asked}, got a {kind}.", kind=got, **parts)
        return look.fail("wrong-attribute", told)
    return None


@check(
    "buffers",
    label=message("a tensor does not move along"),
    hidden=message("a tensor would have stayed behind when the module moves"),
    first_is_right=True,
    always=True,
)
def has_buffers(look: Look) -> Failure | None:
    """What the module holds moves with it: its buffers are registered, no tensor is a plain attribute."""
    if look.seen.registered is None:
        return None
    for name in look.exercise.buffers:
        if name not in look.seen.buffers:
            return look.fail("mask-not-buffer", _no_buffer(look, name), label=message("a buffer is missing"))
    if look.exercise.buffers and look.exercise.moves and look.seen.stranded:
        told = message(
            "{name} is a plain tensor: it stays behind when the module moves.", name=look.seen.stranded[0]
        )
        return look.fail("plain-tensor" if look.seen.buffers else "mask-not-buffer", told)
    return None


@check(
    "moves",
    label=message("not all is on the other device"),
    hidden=message("on another device a tensor was on the CPU"),
    first_is_right=True,
)
def moves(look: Look) -> Failure | None:
    """On another device, a module that was used on the first is right, and so is a function."""
    if not look.exercise.moves or not look.case.thorough or look.raises:
        return None
    if look.exercise.driver == "function":
        return _works_elsewhere(look, CALLED_ELSEWHERE, "device-of-its-own")
    return _works_elsewhere(look, MOVED, "tensor-left-behind") if look.seen.registered is not None else None


def _no_buffer(look: Look, name: str) -> Message:
    if name in look.seen.stranded:
        return message("The module has no buffer named {name}: it is a plain tensor.", name=name)
    if name in look.seen.registered:
        return message("The module has no buffer named {name}: it is a parameter.", name=name)
    if not look.seen.buffers:
        return message(
            "Right after it was made, the module has no buffer named {name} that holds a tensor; it has "
            "none.",
            name=name,
        )
    buffers = ", ".join(look.seen.buffers)
    return message(
        "Right after it was made, the module has no buffer named {name}; its buffers: {buffers}.",
        name=name,
        buffers=buffers,
    )


def _works_elsewhere(look: Look, call: Further, code: str) -> Failure | None:
    there = replace(call, when=replace(call.when, values={"device": ELSEWHERE.type}))
    if error := look.seen.later_errors.get("elsewhere"):
        about_places = "device" in error.message and not error.own
        return look.fail(code if about_places else "raises", _raised(there.when, error.told()), error=error)
    if not look.seen.flags.get(Flag.ELSEWHERE):
        return look.fail(
            "wrong-device", message("With all that goes in on another device, the result is not there.")
        )
    return _came_of(look, there, code)


@check(
    "saved",
    label=message("state_dict() is not as asked for"),
    hidden=message("what the module saves was not what is asked for"),
    first_is_right=True,
)
def saved(look: Look) -> Failure | None:
    """The module saves what it is asked to save, and another one takes it."""
    if not look.case.thorough or look.exercise.saved is None:
        return None
    if look.exercise.saved and not look.seen.flags.get(Flag.SAVED):
        return look.fail("mask-not-saved", message("The buffer mask is not in the module's state_dict()."))
    if not look.exercise.saved and not look.seen.flags.get(Flag.NOT_SAVED):
        return look.fail("mask-saved", message("The buffer mask is in the module's state_dict()."))
    if error := look.seen.later_errors.get("saved"):
        told = message(
            "A second module was to load what the first one saved. It raised {error}", error=error.told()
        )
        return look.fail("checkpoint-refused", told, error=error)
    return None


# What is to be so besides the result, the cause before what follows from it: the code and what is said.
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
            "The tokens are right, but their ids do not count up from 1 in the order of first appearance."
        ),
    ),
    Flag.RAN_THERE: (
        "device-ignored",
        message("The module did not run on the device that was asked for, or not on that one alone."),
    ),
    Flag.RAN_ONCE: ("module-called-again", message("There was a further call of it.")),
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


@check(
    "flags",
    label=message("not in the way asked for"),
    hidden=message("something was not in the way asked for"),
)
def as_asked(look: Look) -> Failure | None:
    """What an answer did besides its result is as the exercise asks."""
    return next(not_as_asked(look), None)


def not_as_asked(look: Look) -> Iterator[Failure]:
    """Yield what an answer did besides its result and not as the exercise asks."""
    for flag, (code, told) in FLAGS.items():
        if flag in look.flags and look.seen.flags.get(flag) is not look.flags[flag]:
            yield look.fail(code, told)


@check(
    "dropout",
    label=message("dropout is not as asked for"),
    hidden=message("dropout in training was not as asked"),
    always=True,
)
def dropped(look: Look) -> Failure | None:
    """In training, the right share of the weights is dropped, and the others are scaled for it."""
    if error := look.seen.later_errors.get("train"):
        told = message("In training, it raised {error}", error=error.told())
        return look.fail("raises", told, error=error)
    if not look.case.drops:
        return None
    expected = look.expected["result"]
    if not _unlike(look, "result", expected) and not look.mismatch("result", expected):
        return _dropped_wrongly(look, expected)
    # Without the right weights nothing can be said of their dropout but that there is none; and where
    # they are a part of more, not even that: what is wrong may hide it.
    same = not look.exercise.weights_inside and all(
        _same_result(look, name) for name in ("train", "train again")
    )
    return look.fail("dropout-never", _none_dropped(look), "result") if same else None


def _dropped_wrongly(look: Look, expected: Expected) -> Failure | None:
    """Return what is wrong with the dropout of weights that are right in ``eval()``."""
    for name in ("train", "train again"):
        if what := _unlike(look, name, expected):
            told = message("In training, the result was {what}.", what=what)
            return look.fail("wrong-type", told, "result")
        if verdict := _judge_dropout(look, look.seen.tensors[name], expected):
            return look.fail(*verdict, "result")
    if torch.equal(look.seen.tensors["train"], look.seen.tensors["train again"]):
        told = message("Two calls in training dropped the same weights.")
        return look.fail("dropout-shared", told, "result")
    return None


def _judge_dropout(look: Look, got: torch.Tensor, expected: Expected) -> tuple[str, Message] | None:
    """Return the code and the words of what is wrong with a result in training, or None."""
    inside = look.exercise.weights_inside
    if inside and not compare(got, expected.values, expected.tolerance[look.device]):
        return "dropout-never", _none_dropped(look)
    judges = [one.judge_inside if inside else one.judge_dropout for one in modules("dropout")]
    verdicts = (judge(got, expected.values, look.case.options["dropout"]) for judge in judges)
    return next(filter(None, verdicts), None)


def _none_dropped(look: Look) -> Message:
    p = f"{look.case.options['dropout']:g}"
    return message("With dropout={p}, the result in training is that of eval().", p=p)


def _same_result(look: Look, name: str) -> bool:
    own, result = look.seen.tensors.get(name), look.seen.tensors.get("result")
    return own is not None and result is not None and torch.equal(own, result)


@check(
    "separate", label=message("storage is shared"), hidden=message("what was copied changed with its source")
)
def separate(look: Look) -> Failure | None:
    """What was copied does not change with its source."""
    for name, item in look.of_role("separate"):
        got = look.seen.tensors.get(name)
        same_shape = got is not None and got.shape == item.values.shape
        mismatch = compare(got, item.values, item.tolerance[look.device]) if same_shape else None
        if mismatch or not same_shape:
            told = message(
                "When the source changed afterwards, {what} changed with it.", what=result_name(name)
            )
            return look.fail("storage-shared", told, name, mismatch)
    return None


@check(
    "gradient",
    label=message("the result is right, its gradient is not"),
    hidden=message("the gradient was not right"),
)
def gradient(look: Look) -> Failure | None:
    """The right gradient arrives at every weight and argument."""
    if error := look.seen.later_errors.get("gradient"):  # of what lets only the gradient fail
        told = message("On the way to the gradient it raised {error}", error=error.told())
        return look.fail("no-gradient", told, error=error, question=_about(error))
    if error := look.seen.later_errors.get("gradient in training"):
        told = message("In training, on the way to the gradient, it raised {error}", error=error.told())
        return look.fail("no-gradient", told, error=error)
    if look.seen.flags.get(Flag.TRAINS) is False:
        return look.fail(
            "no-gradient",
            message("In training, with dropout, no gradient reaches some of the weights asked for."),
        )
    found = (_gradient_of(look, name, item) for name, item in look.of_role("gradient"))
    return next(filter(None, found), None)


@check(
    "gradient cut off",
    label=message("no gradient can go back from the result"),
    hidden=message("no gradient could go back from the result"),
    always=True,
    everywhere=True,
)
def cut_off(look: Look) -> Failure | None:
    """What the result was made from was recorded for a gradient, whatever its numbers are."""
    if look.seen.flags.get(Flag.CUT):
        return look.fail("no-gradient", message("No gradient can go back from the result to what came in."))
    return None


def _gradient_of(look: Look, name: str, item: Expected) -> Failure | None:
    got = look.seen.tensors.get(name)
    what = {"what": result_name(name)}
    if got is None:  # none at all is a gradient of zeros
        if compare(torch.zeros_like(item.values), item.values, item.tolerance[look.device]):
            return look.fail("no-gradient", message("No gradient reaches {what}.", **what), name)
        return None
    if got.shape != item.values.shape:
        told = message(
            "The gradient that reaches {what} has shape {got}, expected {expected}.",
            got=shape_text(got.shape),
            expected=shape_text(item.values.shape),
            **what,
        )
        return look.fail("no-gradient", told, name)
    mismatch = look.mismatch(name, item)
    if mismatch is None or compare(got, item.values, _rounding_of_gradients(look, item)) is None:
        return None
    if not got.isfinite().all():
        told = message("The gradient that reaches {what} holds NaN or infinity.", **what)
        return look.fail("no-gradient", told, name, question=ENDLESS_GRADIENT)
    told = message(
        "The gradient that reaches {what} is another one: at {place} expected {expected}, got {got}.",
        **what,
        **numbers_of(mismatch, item.dtype, digits_of(mismatch)),
    )
    nearly = (got.double() - item.values).abs().max() <= NEARLY * item.values.abs().max()
    return look.fail("digits-lost" if nearly else "no-gradient", told, name, mismatch)


def _rounding_of_gradients(look: Look, item: Expected) -> float:
    """Return what rounding on the way back may leave, where large parts of a gradient cancel each other."""
    largest = max(float(one.values.abs().max()) for _, one in look.of_role("gradient") if one.values.numel())
    return CANCELLED * torch.finfo(item.dtype).eps * largest


# Of the largest number of all gradients of a case, in units of the dtype's precision.
CANCELLED = 32
# Of the largest number of a gradient: who is no further off computes the right thing with too few digits.
NEARLY = 1e-3
ENDLESS_GRADIENT = message(
    "Which step has no finite slope here: a division by 0, a root or a log of 0, an exponential "
    "that is too large? A step may give a right number, and none on the way back."
)


# Where the seed's numbers did not go as asked: what is said, by the code.
DRAWN = {
    "creation-order": message(
        "The seed's numbers went to other weights than expected: {names} are to be created in this order. "
        "For all other numbers here those of the case were written into the weights."
    ),
    "wrong-initialisation": message(
        "The weights that the module starts from are not those that torch.manual_seed({seed}) should give "
        "it. For all other numbers here those of the case were written into them."
    ),
}


@check(
    "drawn as asked",
    label=message("not drawn as asked"),
    hidden=message("the module did not start from the weights that the seed should give it"),
    draws_weights=True,
    always=True,
)
def drawn_as_asked(look: Look) -> Failure | None:
    """The seed's numbers went to the right weights, drawn as asked."""
    if not look.exercise.drawn_by or look.raises:
        return None
    names, seed = look.exercise.drawn_for(look.case.weights), look.case.seed
    weights = [look.seen.tensors.get(f"parameter/{name}") for name in names]
    shapes = [look.case.weights[name].shape for name in names]
    if any(
        weight is not None and weight.shape != asked for weight, asked in zip(weights, shapes, strict=True)
    ):
        return None  # of other shapes, other numbers were drawn: their own check says so
    unread = any(weight is None for weight in weights)  # a parameter that had no numbers yet
    code = "wrong-initialisation" if unread else generator.order_code(weights, seed, look.exercise.drawn_by)
    if not code:
        return None
    return look.fail(code, replace(DRAWN[code], values={"names": ", ".join(names), "seed": seed}))


def beyond_asked(looks: list[Look]) -> Failure | None:
    """Return which parameters a module has besides all that are asked for; a bias of theirs is told apart."""
    for look in looks:
        asked, held = look.asked_parameters(), look.seen.registered or ()
        layers = {name.rpartition(".")[0] for name in asked}
        extra = [name for name in held if name not in asked and name.rpartition(".")[0] not in layers]
        if asked and extra and set(asked) <= set(held) and look.seen.of_role("result"):
            told = message("Besides what is asked for, the module has {names}.", names=", ".join(extra))
            return look.fail("parameters-extra", told)
    return None


def without_influence(looks: list[Look]) -> Failure | None:
    """Return what goes in and has no influence on the result of any case where it should have one.

    Two such cases have to have come to numbers, and most of those that were tried.
    """
    tried = [look for look in looks if look.case.probes or look.exercise.driver == "arrays"]
    ran = [look for look in tried if any(one.numel() for one in look.seen.of_role("result").values())]
    unused = [[one.name for one in look.seen.side_effects if one.kind == "unused"] for look in ran]
    name = next((one for one in unused[0] if all(one in names for names in unused)), "") if unused[1:] else ""
    if not name or 2 * len(ran) < len(tried) or sum(_has_influence(look, name) for look in ran) < 2:
        return None
    told = message("Other numbers in {name} alone leave every result as it is, to the last digit.", name=name)
    return ran[0].fail("argument-unused", told)


def _has_influence(look: Look, name: str) -> bool:
    """Return whether a right result depends on what goes in under a name, as far as gradients tell."""
    gradient = look.expected.get(f"gradient/{name}")
    return gradient is None or bool(gradient.values.any())
