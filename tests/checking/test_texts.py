"""Texts as tensors of whole numbers, and what is said where two differ."""

import pytest
import torch

from grader.checking.observation import Kind
from grader.checking.texts import MAX_NUMBERS, NoTextError, difference, pack_texts, unpack_texts


@pytest.mark.parametrize(
    "value",
    ["", "the cat", "Größe\n\t☃", [], ["a", ""], [["l", "o"], ["lo", "w"]], ["a", ["b", []], "c"]],
    ids=repr,
)
def test_texts_come_back(value: object) -> None:
    """A text, and lists of texts, are the same after both ways."""
    assert unpack_texts(pack_texts(value)) == value


def test_tuples_come_back_as_lists() -> None:
    """A pair may be a tuple or a list."""
    assert torch.equal(pack_texts([("l", "o")]), pack_texts([["l", "o"]]))


def test_different_values_have_different_numbers() -> None:
    """Neither joining texts nor another nesting gives the same numbers."""
    values = ["ab", ["ab"], ["a", "b"], [["a"], "b"], [["a", "b"]], ["ab", ""], ["", "ab"], [], [[]], ""]
    packed = [tuple(pack_texts(value).tolist()) for value in values]
    assert len(set(packed)) == len(values)


class Word(str):
    """A text that could lie."""


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, "NoneType"),
        (b"the", "bytes"),
        (Word("the"), "Word"),
        ([("a", "b"), 3], "list holding int"),
        ([(("a", "b"), 2)], "list holding tuple holding int"),
        ({"a": "b"}, "dict"),
        ("a" * (MAX_NUMBERS + 1), "str"),
        (["a" * 60_000, "b" * 60_000], "characters"),
    ],
    ids=["None", "bytes", "subclass", "int", "count", "dict", "giant", "giant in parts"],
)
def test_what_is_no_text_is_named(value: object, kind: str) -> None:
    """What is neither a text nor a list of such is refused, by what it is."""
    with pytest.raises(NoTextError, match=kind):
        pack_texts(value)


def test_what_a_list_holds_is_told_in_words_for_translation() -> None:
    """The names of types stand in one text within another."""
    told = Kind("list holding tuple holding int").message
    assert str(told) == "list holding tuple holding int"
    assert told.text == "{name} holding {detail}" and told.values["detail"].values["name"] == "tuple"


def test_endless_list_is_refused() -> None:
    """A list that holds itself is no list of texts."""
    endless: list = []
    endless.append(endless)
    with pytest.raises(NoTextError):
        pack_texts(endless)


@pytest.mark.parametrize(
    "numbers",
    [[], [97], [97, -1, -1], [-3], [-2, -1], [-2, 97, -3], [0x110000, -1], [-9], [-2] * 20 + [-3] * 20],
    ids=repr,
)
def test_other_numbers_are_no_text(numbers: list[int]) -> None:
    """Numbers that no text has are refused, whoever sent them."""
    with pytest.raises(NoTextError):
        unpack_texts(torch.tensor(numbers, dtype=torch.int64))


@pytest.mark.parametrize("tensor", [torch.zeros(2, 2, dtype=torch.int64), torch.zeros(3), torch.tensor(True)])
def test_other_tensors_are_no_text(tensor: torch.Tensor) -> None:
    """A tensor of another dtype or of several axes is refused."""
    with pytest.raises(NoTextError):
        unpack_texts(tensor)


def told(got: torch.Tensor, expected: torch.Tensor) -> tuple[str, ...]:
    """Return how two texts differ: where, what was expected there, and what was got."""
    seen = difference(got, expected)
    return str(seen.where or ""), str(seen.expected), str(seen.got)


def test_short_texts_are_told_whole() -> None:
    """Where there is room, both texts are told."""
    assert told(pack_texts("thecat"), pack_texts("the cat")) == ("", "'the cat'", "'thecat'")


def test_long_texts_are_told_from_the_difference_on() -> None:
    """Of long texts the part is told where they begin to differ."""
    where, expected, got = told(pack_texts("a" * 300 + "b" * 50), pack_texts("a" * 300 + "c" * 50))
    assert where == "From index 260 on"
    assert expected.startswith("'aaaa")
    assert "ccc" in expected and "bbb" in got


def test_long_lists_are_told_by_their_first_difference() -> None:
    """Of long lists the first item is told that differs."""
    right = [["l", "o"]] * 40
    seen = told(pack_texts([*right[:7], ["o", "w"], *right]), pack_texts(right))
    assert seen == ("At [7]", "['l', 'o']", "['o', 'w']")


@pytest.mark.parametrize(("value", "unit"), [("a" * 300, "characters"), (["a"] * 300, "items")])
def test_a_missing_end_is_told_by_its_size(value: str | list, unit: str) -> None:
    """Where one is the beginning of the other, both lengths are told."""
    seen = told(pack_texts(value[:200]), pack_texts(value))
    assert seen == ("The first 200 agree", f"300 {unit}", f"200 {unit}")


def test_control_characters_do_nothing() -> None:
    """What a learner's text holds is shown as Python writes it: no character moves a cursor or turns text."""
    _, _, got = told(pack_texts("\x1b[2J\u202eevil\n"), pack_texts("good"))
    assert "\\x1b[2J\\u202eevil\\n" in got
    assert got.isprintable()


def test_lone_surrogates_are_shown() -> None:
    """Half a character can be told without breaking what is written."""
    "".join(told(pack_texts("\ud800"), pack_texts("good"))).encode()


def test_a_giant_text_is_cut() -> None:
    """A message never gets longer than can be read."""
    assert len("".join(told(pack_texts("x" * 90_000), pack_texts("good")))) < 400


def test_what_is_no_text_is_said() -> None:
    """Numbers that no text has are not shown as one."""
    seen = told(torch.tensor([-9]), pack_texts("good"))
    assert seen == ("", "'good'", "something that is no text")
