"""Texts in parts: what is quoted stays what it is, in whatever language the rest is."""

import json
from collections.abc import Callable
from gettext import NullTranslations

import pytest

from grader.messages import message, one_or_many
from grader.messages.message import NAMES, SENTENCES, TITLES, Message, sentences, series, titles, told_by

WORDS = {
    "Expected {what}, got {got}.": "GOT {got} INSTEAD OF {what}.",
    "the result": "THE RESULT",
    "{count} case": "{count} CASE",
    "{count} cases": "{count} CASES",
}


class Shouting(NullTranslations):
    """A language that is English in capitals, but for placeholders."""

    def gettext(self, message: str) -> str:
        """Return the text of this language."""
        return WORDS[message]

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the text of this language for a number."""
        return WORDS[msgid1 if n == 1 else msgid2]


def test_message_is_rendered_in_its_language() -> None:
    """Text and messages within are translated; what is quoted is not, and may stand in another order."""
    told = message("Expected {what}, got {got}.", what=message("the result"), got="the result")
    assert str(told) == "Expected the result, got the result."
    assert told.render(Shouting()) == "GOT the result INSTEAD OF THE RESULT."


def test_quoted_braces_are_no_placeholders() -> None:
    """Neither a placeholder in a quoted text nor a brace does anything."""
    assert str(message("It raised {error}", error="KeyError: {error} {0} {")) == (
        "It raised KeyError: {error} {0} {"
    )


def test_text_without_values_is_taken_as_it_is() -> None:
    """What a chapter declares may hold braces."""
    assert str(Message("a set {1, 2}")) == "a set {1, 2}"


@pytest.mark.parametrize(
    ("text", "value", "filled"),
    [
        ("它的{value}", "requires_grad", "它的 requires_grad"),
        ("{value}不对", "x", "x 不对"),
        ("有{value}个", 3, "有 3 个"),
        ("它的 {value} 不对", "参数", "它的参数不对"),
        ("它的{value}不对", "参数", "它的参数不对"),
        ("它的 {value} 不对", "x", "它的 x 不对"),
        ("用例 “{value}”", "x", "用例 “x”"),
        ("It raised {value}", "ValueError: 不对", "It raised ValueError: 不对"),
        ("It raised {value}", "不对", "It raised 不对"),
    ],
)
def test_chinese_is_spaced_from_other_letters_alone(text: str, value: str | int, filled: str) -> None:
    """Whoever translates need not know which letters a placeholder begins or ends with."""
    assert str(Message(text, {"value": value})) == filled


def test_plural_follows_the_count() -> None:
    """One is one, any other number is many, in every language."""
    assert [str(one_or_many("{count} case", "{count} cases", n)) for n in (0, 1, 2)] == [
        "0 cases",
        "1 case",
        "2 cases",
    ]
    assert one_or_many("{count} case", "{count} cases", 1).render(Shouting()) == "1 CASE"


def test_joined_messages_keep_their_values() -> None:
    """Two messages with the same placeholder are one text."""
    parts = [message("Missing: {names}.", names="a"), message("Not in it: {names}.", names="b")]
    assert str(sentences(parts)) == "Missing: a. Not in it: b."


@pytest.mark.parametrize(("join", "made"), [(series, "a、b、c"), (titles, "a|b|c"), (sentences, "abc")])
def test_a_language_says_what_stands_between(join: Callable[[list[Message]], Message], made: str) -> None:
    """Between names, between titles and between sentences."""

    class Dense(NullTranslations):
        def gettext(self, text: str) -> str:
            signs = {
                NAMES.text: "{first}、{others}",
                TITLES.text: "{first}|{others}",
                SENTENCES.text: "{first}{others}",
            }
            return signs.get(text, text)

    parts = [Message("a"), Message("b"), Message("c")]
    assert join(parts).render(Dense()) == made
    assert join(parts[:1]) == parts[0]
    assert str(join([])) == ""


def test_message_is_stored_with_its_parts() -> None:
    """It is told in another language after it was read again."""
    inner = message("the result")
    for told in (
        message("Expected {what}, got {got}.", what=inner, got="{what}"),
        one_or_many("{count} case", "{count} cases", 2),
        Message("a set {1, 2}"),
    ):
        assert Message.from_json(json.loads(json.dumps(told.to_json()))) == told


@pytest.mark.parametrize(
    "data",
    [
        "text",
        {},
        {"text": 3},
        {"text": "a", "more": 1},
        {"text": "{a}", "values": {"b": "c"}},
        {"text": "{a.__class__}", "values": {"a": "b"}},
        {"text": "{a!r}", "values": {"a": "b"}},
        {"text": "{a:>9999999}", "values": {"a": "b"}},
        {"text": "{a}", "values": {"a": True}},
        {"text": "{a}", "values": {"a": {"text": None}}},
        {"text": "{count}", "plural": "{count}", "values": {"count": "1"}},
        {"text": "{", "values": {"a": "b"}},
    ],
)
def test_what_is_stored_and_no_message_is_refused(data: object) -> None:
    """A placeholder asks for a value and nothing else."""
    with pytest.raises(ValueError):
        Message.from_json(data)


def test_error_tells_its_message() -> None:
    """Another error tells its text as it is."""
    told = message("Expected {what}, got {got}.", what="a", got="b")
    assert told_by(ValueError(told)) is told
    assert told_by(ValueError("{a}", 2)) == Message("('{a}', 2)")


def test_any_number_of_names_stands_in_a_row() -> None:
    """A learner's module may have a thousand parameters: all are told, in order."""
    names = [f"p{number}" for number in range(5001)]
    assert str(series(names)) == ", ".join(names)
