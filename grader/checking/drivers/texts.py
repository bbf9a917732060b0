"""Run what works on texts: a function of them, and a tokenizer."""

from collections.abc import Callable

import torch

from grader.checking.drivers.function import call
from grader.checking.drivers.further import Calls
from grader.checking.observation import Kind, SideEffect, kind_of
from grader.checking.recording import Recorder
from grader.checking.side_effects import seed_kept
from grader.checking.texts import unpack_texts
from grader.exercises import Exercise
from grader.exercises.case import Case, Flag
from grader.messages import message

# The token that stands for all words that a tokenizer does not know.
UNKNOWN = "<unk>"


def drive_texts(
    exercise: Exercise, subject: Callable, case: Case, device: torch.device, recorder: Recorder
) -> None:
    """Call a function on texts, or lists of them, that returns a text or lists of texts."""
    given = {name: unpack_texts(value) for name, value in case.arguments.items()}
    result = call(subject, case, given.values())
    recorder.side_effects += seed_kept()
    recorder.texts("result", result)
    for name, left in given.items():
        recorder.texts(f"argument/{name}", left)
    if type(result) is not list:
        return

    def again(_: bool) -> list[object]:
        return [unpack_texts(value) for value in case.arguments.values()]

    kept = [*result]
    result.clear()  # as its owner may
    calls = Calls(exercise, recorder, lambda texts: call(subject, case, texts), again, _texts_of)
    calls.second(again(False), {"result": result}, [lambda: result.extend(kept)])


def _texts_of(recorder: Recorder) -> Callable[[str, object], bool]:
    def record(name: str, value: object) -> bool:
        recorder.texts(name, value)
        return name in recorder.tensors

    return record


def drive_tokenizer(
    exercise: Exercise, subject: type, case: Case, device: torch.device, recorder: Recorder
) -> None:
    """Make a tokenizer of a corpus, encode a text, and decode its ids, in their order and from the last on.

    It is used twice, and once more after a tokenizer of another corpus was made.

    Which tokens there are is told apart from which id each has: what ``encode`` gives and ``vocab`` are
    recorded as tokens, and whether the ids count up in the order of first appearance, from 1 on, as a mode.
    Where the corpus, encoded, lacks tokens of ``vocab`` or has unknown ones, it is not their order that is
    wrong: the cases whose tokens come out otherwise tell that.
    """
    corpus, text = (unpack_texts(value) for value in case.arguments.values())
    tokenizer = subject(corpus)
    ids = _used(tokenizer, text, recorder)
    for name, value in case.arguments.items():
        recorder.tensor(f"argument/{name}", value)  # nobody can change a text
    if recorder.kinds:
        return
    with recorder.later("again"):
        fresh = subject(corpus)
        order = list(dict.fromkeys(fresh.encode(corpus)))
        counted = order == list(range(1, len(fresh.vocab))) and fresh.vocab.get(UNKNOWN) == 0
        complete = set(order) == {number for token, number in fresh.vocab.items() if token != UNKNOWN}
        recorder.flags[Flag.COUNTED] = counted or not complete
    with recorder.later("second"):
        own = Recorder()
        if _used(tokenizer, text, own) is ids:
            recorder.side_effects.append(SideEffect("same", message("list of ids").text))
        recorder.take(own, "second")
    with recorder.later("beside"):
        subject(f"{text} {corpus} beside")
        own = Recorder()
        _used(tokenizer, text, own)
        recorder.take(own, "beside")


def _used(tokenizer: object, text: str, recorder: Recorder) -> object:
    """Encode a text, decode its ids in their order and from the last on, and record what came out.

    Returns:
        What ``encode`` returned.
    """
    ids = tokenizer.encode(text)
    vocab = tokenizer.vocab
    if type(vocab) is not dict or not all(type(token) is str for token in vocab):
        recorder.kinds["result/vocab"] = _kind(vocab, dict)
    elif not all(type(number) is int for number in vocab.values()):
        recorder.kinds["result/vocab"] = Kind("dict", "other values")
    if type(ids) is not list or not all(type(number) is int for number in ids):
        recorder.kinds["result/what encode gives"] = _kind(ids, list)
    if recorder.kinds:
        return ids
    tokens = {number: token for token, number in vocab.items()}
    recorder.texts(
        "result/what encode gives", [tokens.get(number, f"(no token has id {number})") for number in ids]
    )
    recorder.texts("result/vocab", sorted(vocab))
    kept = list(ids)
    for name, given in (("", ids), (" for the ids in reverse", kept[::-1])):
        handed = list(given)
        decoded = tokenizer.decode(given)
        if given != handed:
            recorder.side_effects.append(SideEffect("changed", message("ids").text))
        if type(decoded) is str:
            recorder.texts(f"result/what decode gives{name}", decoded)
        else:
            recorder.kinds[f"result/what decode gives{name}"] = kind_of(decoded)
    return ids


def _kind(value: object, asked: type) -> Kind:
    """Return what a value is; of one that is what was asked for, what is in it."""
    if type(value) is not asked:
        return kind_of(value)
    return Kind(asked.__name__, "of", ", ".join(sorted({type(one).__name__ for one in value})))
