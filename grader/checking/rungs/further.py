"""What matters once the results are right on every case."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import torch

from grader.checking import generator
from grader.checking.comparison import compare
from grader.checking.dropout import judge_dropout, judge_dropout_inside
from grader.checking.elsewhere import ELSEWHERE
from grader.checking.recording import renamed
from grader.checking.result import Finding
from grader.checking.rungs.look import Look, result_name, shape_text
from grader.references import Expected


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
        when: how the sentence begins.
        made: whether the call is made on a case. What was then not recorded somebody took away.
    """

    role: str
    expected: str
    when: str
    made: Callable[[Look], bool]


SECOND = Further(
    "second",
    "result",
    "",
    lambda look: look.exercise.driver in TWICE or _module_again(look) or _has(look, "second"),
)
AGAIN = Further(
    "again",
    "again",
    "The first call was right. A second, on other numbers,",
    lambda look: look.case.called_again,
)
# Later calls, in their order.
LATER = (
    Further("later", "result", "After a call on other numbers, the first input again", _module_later),
    Further("fresh", "again", "A module that nobody called yet, on other numbers,", _module_later),
    Further("grown", "result", "The module's second input was longer than its first; it", _module_later),
    Further("refilled", "refilled", "Other numbers in the tensor that was given before", _module_later),
)
# Drivers that call a subject twice on the same numbers, whatever the case.
TWICE = ("function", "arrays", "generate")


def _has(look: Look, role: str) -> bool:
    return role in look.seen.tensors or role in look.seen.later_errors


# Why a second call on the same numbers came out otherwise: the code, and how the sentence begins.
CAUSES = {
    "state": ("state-kept", "The first call was right. A second, on the same numbers,"),
    "shared": (
        "result-shared",
        "The first call was right. Its result was then overwritten, as its owner may; the next call",
    ),
    "layout": (
        "layout-dependent",
        "The same numbers in another order in memory (a tensor or array that is not contiguous)",
    ),
    "gradient": ("no-gradient", "The same numbers in a tensor that asks for a gradient"),
}


def keeps_nothing(look: Look) -> Finding | None:
    """A second call, on other numbers, is right as well."""
    if later := look.seen.later_errors.get("repeat"):
        sentence = f"The first call was right. A second, on the same numbers, raised {later.told()}"
        return look.found("again", "state-kept", sentence)
    calls_again = "dropout" in look.case.options and not look.raises
    if calls_again and (what := _unlike(look, "repeat", look.expected["result"])):
        sentence = f"The first call was right. A second, on the same numbers, gave {what}."
        return look.found("again", "state-kept", sentence)
    return None if look.raises else _came_of(look, AGAIN, "state-kept")


def same_again(look: Look) -> Finding | None:
    """A second call on the same numbers gives the same, whatever became of the first result."""
    if look.raises:
        return None
    code, when = CAUSES.get(look.seen.second_cause, CAUSES["state"])
    if look.seen.second_cause == "gradient" and "second" in look.seen.later_errors:
        when = "Called on an input that asks for a gradient, as inside a larger network, it"
    return _came_of(look, replace(SECOND, when=when), code)


def stays_right(look: Look) -> Finding | None:
    """Later calls are right: on the first input again, and of a fresh module on the other input first."""
    if look.raises:
        return None
    return next(filter(None, (_came_of(look, one, "state-kept") for one in LATER)), None)


def _came_of(look: Look, call: Further, code: str) -> Finding | None:
    """Return what is wrong with a further call's results, where it is made."""
    if not call.made(look):
        return None
    for name, item in look.of_role(call.expected):
        if later := look.seen.later_errors.get(call.role):
            return look.found("again", code, f"{call.when} raised {later.told()}")
        own = renamed(name, call.role)
        if what := _unlike(look, own, item):
            return look.found("again", code, f"{call.when} gave {what}.", name)
        if look.is_text(name) or look.exercise.driver == "names":
            same = torch.equal(look.seen.tensors[own], item.values)
            mismatch = None
        else:
            mismatch = look.mismatch(own, item)
            same = mismatch is None
        if mismatch:
            sentence = (
                f"{call.when} gave another result: at {list(mismatch.index)} expected "
                f"{mismatch.expected:.4f}, got {mismatch.got:.4f}."
            )
            return look.found("again", code, sentence, name, mismatch)
        if not same:
            return look.found("again", code, f"{call.when} gave another result.", name)
    return None


# What a call left behind, by its kind and, where that matters, its name: the code and the sentence.
LEFT = {
    "setting": ("setting-left", "The call changed {name}, and left it so."),
    "watched": (
        "argument-watched",
        "After the call, {name}.requires_grad is True; before the call it was False.",
    ),
    "shared": ("input-shared", "Writing into the result changes the argument {name}: they share memory."),
    "same": (
        "result-shared",
        "Called twice, it gave one {name} to both callers: what one of them writes into it, the other reads.",
    ),
    "changed": ("input-modified", "The call changed the list of {name} that it was given."),
    "module": ("module-changed", "The module that was given has other {name} after the call than before."),
    "module training mode": (
        "mode-changed",
        "After the call, the training mode of the module, or of a module inside it, is not what it was.",
    ),
}


def changes_no_setting(look: Look) -> Finding | None:
    """No setting of the whole process is left changed: further calls may fail for that alone."""
    return next(_left(look, "setting"), None)


def _left(look: Look, *kinds: str) -> Iterator[Finding]:
    for one in look.seen.side_effects:
        if one.kind in kinds:
            code, sentence = LEFT.get(f"{one.kind} {one.name}") or LEFT[one.kind]
            yield look.found("left", code, sentence.format(name=one.name))


def leaves_nothing(look: Look) -> Finding | None:
    """Nothing is left behind: no gradient, no change of an argument or of a module that was to be read."""
    name = next((name for name in look.seen.tensors if name.startswith("left/")), None)
    if name is not None:
        sentence = f"After the call, {result_name(name)}.grad holds a gradient; before the call it was None."
        return look.found("left", "gradient-left", sentence)
    return next(_left(look, *LEFT), None)


def _unlike(look: Look, name: str, expected: Expected) -> str:
    """Return what was recorded under a name instead of a tensor of the expected shape, if it was not that."""
    got = look.seen.tensors.get(name)
    if got is None:
        return look.seen.kinds.get(name, "nothing")
    return "" if got.shape == expected.values.shape else f"shape {shape_text(got.shape)}"


def keeps_attributes(look: Look) -> Finding | None:
    """The module keeps the numbers that it is asked to keep, under their names."""
    for name, item in look.of_role("attribute"):
        got = look.seen.tensors.get(name)
        whole = got is not None and got.dim() == 0 and got.dtype == torch.int64
        if whole and int(got) == int(item.values):
            continue
        kind = look.seen.kinds.get(name, "tensor" if got is not None else "NoneType")
        what = int(got) if whole else "nothing" if kind == "NoneType" else f"a {kind}"
        sentence = f"Expected the attribute {result_name(name)} to be {int(item.values)}, got {what}."
        return look.found("attributes", "wrong-attribute", sentence, name)
    return None


def moves(look: Look) -> Finding | None:
    """What the module holds moves with it: its buffers are registered, no tensor is a plain attribute."""
    if look.seen.registered is None:
        return None
    for name in look.exercise.buffers:
        if name not in look.seen.buffers:
            has = ", ".join(look.seen.buffers) or "none"
            plain = " It is a plain tensor." if name in look.seen.stranded else ""
            sentence = f"The module has no buffer named {name}; its buffers: {has}.{plain}"
            return look.found("moves", "mask-not-buffer", sentence)
    if look.exercise.buffers and look.exercise.moves and look.seen.stranded:
        sentence = f"{look.seen.stranded[0]} is a plain tensor: it stays behind when the module moves."
        code = "plain-tensor" if look.seen.buffers else "mask-not-buffer"
        return look.found("moves", code, sentence)
    return _works_elsewhere(look) if look.exercise.moves and look.case.thorough else None


def _works_elsewhere(look: Look) -> Finding | None:
    """Moved to another device after it was used on the first, the module is right there too."""
    place = f"on another device, which is called {ELSEWHERE.type} here"
    if left := look.seen.later_errors.get("elsewhere"):
        sentence = f"Moved after its first calls, {place}, it raised {left.told()}"
        return look.found("moves", "tensor-left-behind", sentence)
    if not look.seen.tensors.get("mode/elsewhere", torch.tensor(False)).all():
        sentence = "With the module and its input on another device, the result is not there."
        return look.found("moves", "wrong-device", sentence)
    moved = Further("elsewhere", "result", f"Moved after its first calls, {place}, it", _module_later)
    return _came_of(look, moved, "tensor-left-behind")


def saved(look: Look) -> Finding | None:
    """The module saves what it is asked to save, and another one takes it."""
    if not look.case.thorough or look.exercise.saved is None:
        return None
    name = "mode/saved" if look.exercise.saved else "mode/not saved"
    if not look.seen.tensors.get(name, torch.tensor(False)).all():
        return look.found("saved", *SAVED[name])
    if later := look.seen.later_errors.get("saved"):
        sentence = f"A second module was to load what the first one saved. It raised {later.told()}"
        return look.found("saved", "checkpoint-refused", sentence)
    return None


# What a module's state_dict is to hold, by what a driver records of it: the code and the words.
SAVED = {
    "mode/saved": ("mask-not-saved", "The buffer mask is not in the module's state_dict()."),
    "mode/not saved": ("mask-saved", "The buffer mask is in the module's state_dict()."),
}
# What else is to be so, by what a driver records of it, the cause before what follows from it.
MODES = {
    "mode/training": ("left-in-training", "The module that you return is in training mode."),
    "mode/batch_first": ("batch-first-missing", "The module that you return has batch_first=False."),
    "mode/stayed": ("module-moved", "After the call, the module is on another device than before."),
    "mode/untouched": (
        "input-modified",
        "The module does not hold the same tensors in the same way as before.",
    ),
    "mode/sorted": ("names-unsorted", "Every name is there, but the list is not in alphabetical order."),
    "mode/counted": (
        "ids-in-another-order",
        "The tokens are right, but their ids do not count up from 1 in the order of first appearance.",
    ),
    "mode/ran there": ("device-ignored", "The module did not run on the device that was asked for alone."),
    "mode/ran once": ("module-called-again", "The module was called more than once."),
    "mode/returned": ("result-left-behind", "The result is not on the device that x was on."),
    "mode/no gradient": (
        "gradient-tracked",
        "At least one call of the model was recorded for gradients.",
    ),
    "mode/same mode": ("mode-changed", "After the call, module.training is not what it was before."),
}


def mode(look: Look) -> Finding | None:
    """What an answer did besides its result is as the exercise asks."""
    expected = dict(look.of_role("mode"))
    for name in (name for name in MODES if name in expected):
        got = look.seen.tensors.get(name)
        if got is None or got.dim() or bool(got) != bool(expected[name].values):
            return look.found("mode", *MODES[name])
    return None


def dropped(look: Look) -> Finding | None:
    """In training, the right share of the weights is dropped, and the others are scaled for it."""
    if later := look.seen.later_errors.get("train"):
        return look.found("dropout", "raises", f"In training, it raised {later.told()}")
    if not look.case.drops:
        return None
    expected = look.expected["result"]
    for name in ("train", "train again"):
        if what := _unlike(look, name, expected):
            return look.found("dropout", "wrong-type", f"In training, the result was {what}.", "result")
        if verdict := _judge_dropout(look, look.seen.tensors[name], expected):
            return look.found("dropout", *verdict, "result")
    if torch.equal(look.seen.tensors["train"], look.seen.tensors["train again"]):
        sentence = "Two calls in training dropped the same weights."
        return look.found("dropout", "dropout-shared", sentence, "result")
    return None


def _judge_dropout(look: Look, got: torch.Tensor, expected: Expected) -> tuple[str, str] | None:
    """Return the code and the sentence of what is wrong with a result in training, or None."""
    p = look.case.options["dropout"]
    if not look.exercise.attention_inside:
        return judge_dropout(got, expected.values, p)
    if compare(got, expected.values, expected.tolerance[look.device]):
        return judge_dropout_inside(got, expected.values, p)
    return "dropout-never", f"With dropout={p:g}, the result in training is that of eval()."


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
    if later := look.seen.later_errors.get("gradient"):  # of what lets only the gradient fail
        return look.found("gradient", "no-gradient", f"On the way to the gradient it raised {later.told()}")
    for name, item in look.of_role("gradient"):
        got = look.seen.tensors.get(name)
        what = result_name(name)
        if got is None:  # none at all is a gradient of zeros
            if compare(torch.zeros_like(item.values), item.values, item.tolerance[look.device]):
                return look.found("gradient", "no-gradient", f"No gradient reaches {what}.", name)
            continue
        if got.shape != item.values.shape:
            sentence = (
                f"The gradient that reaches {what} has shape {shape_text(got.shape)}, "
                f"expected {shape_text(item.values.shape)}."
            )
            return look.found("gradient", "no-gradient", sentence, name)
        mismatch = look.mismatch(name, item)
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
    if not look.exercise.drawn_by or look.raises:
        return None
    names, seed = look.exercise.drawn_for(look.case.weights), look.case.seed
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
