"""Exercises of texts: functions of texts, and tokenizers."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from grader.checking.attempt import subject_problem
from grader.checking.redaction import FITTED
from grader.checking.result import Result
from grader.checking.texts import Texts, pack_texts, unpack_texts
from grader.exercises import Exercise, find_exercise
from grader.exercises.case import Flag
from grader.proving.posing import pose
from grader.proving.recipe import Solved

Verdict = Callable[[Exercise, list[Solved], object], Result]

PAIRS = Exercise(
    id="test-pairs",
    chapter="test",
    subject="pairs",
    signature="pairs(words, most)",
    driver="texts",
    points=1,
    difficulty=1,
    minutes=1,
    section="Pairs",
    hints=(),
)
TOKENIZER = find_exercise("ch08-tokenizer")


def pairs(words, most):
    """Return the first two letters of the first words."""
    return [(word[0], word[1]) for word in words][:most]


def solved(visible: bool = True) -> Solved:
    """Pose a case with two words."""

    def oracle(arguments, weights, options):
        return pack_texts(pairs(unpack_texts(arguments["words"]), **options))

    given = {"words": pack_texts(["low", "new"])}
    rng = np.random.default_rng(0)
    parts = {"arguments": given, "options": {"most": 5}, "differentiable": False, "visible": visible}
    return pose(rng, "one" if visible else "hidden", "two words", oracle, **parts)


@pytest.mark.parametrize("answer", [pairs, lambda words, most: [list(one) for one in pairs(words, most)]])
def test_right_function_passes(verdict: Verdict, answer: Callable) -> None:
    """Texts go in and come out; a pair may be a tuple or a list."""
    assert verdict(PAIRS, [solved()], answer).status == "passed"


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (lambda words, most: pairs(words, most)[:1], "unrecognized"),
        (lambda words, most: pairs(words, most) * 2, "unrecognized"),
        (lambda words, most: "l o", "unrecognized"),
        (lambda words, most: None, "wrong-type"),
        (lambda words, most: [1, 2], "wrong-type"),
        (lambda words, most: np.array(pairs(words, most)), "wrong-type"),
        (lambda words, most: [pairs([words.pop()], most)], "input-modified"),
        (lambda words, most: pairs(words.sort() or words, most), "passed"),
        (lambda words, most: pairs(words, most) if words.reverse() else [], "input-modified"),
    ],
)
def test_wrong_function_fails(verdict: Verdict, answer: Callable, code: str) -> None:
    """Each breach of the contract has its code."""
    result = verdict(PAIRS, [solved()], answer)
    assert (result.diagnosis or ("passed",)) == (code,)


def test_message_tells_both_texts(verdict: Verdict) -> None:
    """On a visible case, a learner is told what was expected and what came back; a picture there is none."""
    result = verdict(PAIRS, [solved()], lambda words, most: [("l", "w")])
    assert "Expected [['l', 'o'], ['n', 'e']], got [['l', 'w']]." in result.message
    assert result.picture is None


def test_message_tells_a_changed_argument(verdict: Verdict) -> None:
    """Where the call changed a list of words, both are told."""
    result = verdict(PAIRS, [solved()], lambda words, most: [words.pop()])
    assert "The call changed its argument words: it was ['low', 'new'], and is now ['low']." in result.message


# On a case whose result is a list.
VISIBLE_CALLS = 2


def test_nothing_of_a_hidden_case_is_told(verdict: Verdict) -> None:
    """Of a hidden case neither the expected text nor the learner's is told."""
    calls: list[int] = []

    def counting(words, most):
        calls.append(1)
        return pairs(words, most) if len(calls) <= VISIBLE_CALLS else [("h", "h")]

    result = verdict(PAIRS, [solved(), solved(visible=False)], counting)
    assert result.diagnosis == (FITTED,)
    assert "'h'" not in result.message and "'l'" not in result.message


# Tokenizers.


class Words:
    """A right tokenizer of words and full stops."""

    def __init__(self, corpus: str) -> None:
        self.vocab = {"<unk>": 0}
        for token in self.tokens(corpus):
            self.vocab.setdefault(token, len(self.vocab))

    def tokens(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        return text.replace(".", " . ").split()

    def encode(self, text: str) -> object:
        """Return the ids of a text's tokens."""
        return [self.vocab.get(token, 0) for token in self.tokens(text)]

    def decode(self, ids: list[int]) -> object:
        """Return the text of ids."""
        return " ".join(list(self.vocab)[one] for one in ids).replace(" .", ".")


def tokenized(corpus: str = "b a. b", text: str = "a b.") -> list[Solved]:
    """Pose a case, solved by the right tokenizer."""

    def texts(arguments, weights, options):
        made = Words(corpus)
        tokens = [list(made.vocab)[one] for one in made.encode(text)]
        known: dict[str, Texts] = {"what encode gives": tokens, "vocab": sorted(made.vocab)}
        ids = made.encode(text)
        known["what decode gives"] = made.decode(ids)
        known["what decode gives for the ids in reverse"] = made.decode(ids[::-1])
        return {name: pack_texts(value) for name, value in known.items()}

    given = {"corpus": pack_texts(corpus), "text": pack_texts(text)}
    case = pose(np.random.default_rng(0), "one", "words", texts, arguments=given, differentiable=False)
    return [replace(case, flags={Flag.COUNTED: True})]


def variant(**methods: object) -> type:
    """Return a tokenizer with other methods."""
    return type("Other", (Words,), methods)


def test_right_tokenizer_passes(verdict: Verdict) -> None:
    """A tokenizer that counts up its ids and finds its way back passes."""
    assert verdict(TOKENIZER, tokenized(), Words).status == "passed"


@pytest.mark.parametrize(
    ("other", "code"),
    [
        (variant(encode=lambda self, text: np.array(Words.encode(self, text))), "wrong-type"),
        (variant(encode=lambda self, text: self.tokens(text)), "wrong-type"),
        (variant(encode=lambda self, text: [True]), "wrong-type"),
        (variant(encode=lambda self, text: None), "wrong-type"),
        (variant(decode=lambda self, ids: None), "wrong-type"),
        (variant(decode=lambda self, ids: ["a"]), "wrong-type"),
        (variant(vocab=property(lambda self: ["a"], lambda self, value: None)), "raises"),
        (variant(tokens=lambda self, text: text.replace(".", " . ").split()[::-1]), "unrecognized"),
        (variant(decode=lambda self, ids: "a b."), "unrecognized"),
    ],
)
def test_wrong_tokenizer_fails(verdict: Verdict, other: type, code: str) -> None:
    """Each breach of the contract has its code."""
    assert verdict(TOKENIZER, tokenized(), other).diagnosis[-1] == code


def test_message_tells_tokens_not_ids(verdict: Verdict) -> None:
    """What a text was cut into is told as tokens."""
    other = variant(tokens=lambda self, text: text.split())
    result = verdict(TOKENIZER, tokenized(), other)
    assert (
        "The tokens that the ids from encode stand for: Expected ['a', 'b', '.'], got ['<unk>', '<unk>']."
        in result.message
    )


def test_order_of_ids_is_told_apart(verdict: Verdict) -> None:
    """Right tokens with ids in any other order are recognized, whatever the order is."""

    class Sorted(Words):
        def __init__(self, corpus: str) -> None:
            self.vocab = {token: i for i, token in enumerate(["<unk>", *sorted({*self.tokens(corpus)})])}

    result = verdict(TOKENIZER, tokenized(), Sorted)
    assert result.diagnosis == ("ids-in-another-order",)


def test_encode_that_learns_is_told(verdict: Verdict) -> None:
    """A text is cut into the same tokens, however often it is encoded."""

    def learning(self: Words, text: str) -> list[int]:
        ids = Words.encode(self, text)
        self.vocab |= {token: len(self.vocab) for token in self.tokens(text) if token not in self.vocab}
        return ids

    result = verdict(TOKENIZER, tokenized(text="a c b."), variant(encode=learning))
    assert result.diagnosis == ("unrecognized",)  # its vocab is no longer that of the corpus

    def learning_apart(self: Words, text: str) -> list[int]:
        known = self.__dict__.setdefault("known", dict(self.vocab))
        ids = [known.get(token, 0) for token in self.tokens(text)]
        known |= {token: 1 for token in self.tokens(text) if token not in known}
        return ids

    result = verdict(TOKENIZER, tokenized(text="a c b."), variant(encode=learning_apart))
    assert result.diagnosis == ("state-kept",)


def test_vocabulary_of_the_class_is_told(verdict: Verdict) -> None:
    """Another tokenizer's corpus is none of this one's business."""

    class Shared(Words):
        def __init__(self, corpus: str) -> None:
            super().__init__(corpus)
            type(self).vocab = self.__dict__.pop("vocab")

    result = verdict(TOKENIZER, tokenized(), Shared)
    assert result.diagnosis == ("state-kept",)
    assert "after another one of its class was made" in result.message


def test_ids_without_a_token_are_told(verdict: Verdict) -> None:
    """An id that no token has is told as such."""
    result = verdict(
        TOKENIZER, tokenized(), variant(encode=lambda self, text: [99], decode=lambda self, ids: "")
    )
    assert "(no token has id 99)" in result.message


def test_a_tokenizer_is_a_class() -> None:
    """A tokenizer that was made already is not what is asked for."""
    problem = subject_problem(TOKENIZER, Words("a"))
    assert problem is not None and problem.code == "wrong-type"
