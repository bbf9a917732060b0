"""Encode texts, and lists of texts, as integer tensors: only tensors are stored, sent and compared.

A text is its code points and an end marker; a list or tuple is a start marker, its items and an end marker.
No two values have the same encoding, except a list and a tuple of the same items.
"""

from dataclasses import dataclass

import torch

from grader.checking.observation import HOLDING, Kind
from grader.messages import Message, message, one_or_many

TEXT_ENDS, LIST_BEGINS, LIST_ENDS = -1, -2, -3
# Far above any case's texts; of a longer one only the size is reported.
MAX_NUMBERS = 100_000
MAX_DEPTH = 8
# How many characters of a text, or of a list, a message shows.
MAX_SHOWN_CHARACTERS = 160

Texts = str | list["Texts"]


class NoTextError(Exception):
    """A value is neither a text nor a list of such; ``kind`` says what it is."""

    def __init__(self, kind: Kind | None = None) -> None:
        super().__init__(kind)
        self.kind = kind or Kind()


def pack_texts(value: object) -> torch.Tensor:
    """Return a text, or lists or tuples of texts, as one row of whole numbers.

    Raises:
        NoTextError: it is something else, or too long.
    """
    numbers: list[int] = []
    _pack(value, numbers, "", 0)
    return torch.tensor(numbers, dtype=torch.int64)


def _pack(value: object, numbers: list[int], inside: str, depth: int) -> None:
    if type(value) is str and len(value) <= MAX_NUMBERS:
        numbers += [*map(ord, value), TEXT_ENDS]
    elif type(value) in (list, tuple) and depth < MAX_DEPTH and len(value) <= MAX_NUMBERS:
        numbers.append(LIST_BEGINS)
        for item in value:
            _pack(item, numbers, f"{inside}{type(value).__name__}{HOLDING}", depth + 1)
        numbers.append(LIST_ENDS)
    else:
        raise NoTextError(Kind(f"{inside}{type(value).__name__}"))
    if len(numbers) > MAX_NUMBERS:
        raise NoTextError(Kind(type(value).__name__, "characters", str(MAX_NUMBERS)))


def unpack_texts(numbers: torch.Tensor) -> Texts:
    """Return the text or lists that ``pack_texts`` packed; tuples come back as lists.

    Raises:
        NoTextError: the tensor is no such encoding.
    """
    if numbers.dtype != torch.int64 or numbers.dim() != 1 or len(numbers) > MAX_NUMBERS:
        raise NoTextError
    outer: list = []
    levels, text = [outer], ""
    for number in numbers.tolist():
        if 0 <= number < 0x110000:
            text += chr(number)
        elif number == TEXT_ENDS:
            levels[-1].append(text)
            text = ""
        elif number == LIST_BEGINS and not text and len(levels) <= MAX_DEPTH:
            levels[-1].append([])
            levels.append(levels[-1][-1])
        elif number == LIST_ENDS and not text and len(levels) > 1:
            levels.pop()
        else:
            raise NoTextError
    if text or len(levels) > 1 or len(outer) != 1:
        raise NoTextError
    return outer[0]


@dataclass(frozen=True)
class TextDifference:
    """Where two texts, or lists of them, differ: what was expected there, and what is, as far as it fits.

    ``where`` is None where both are shown from their beginning.
    """

    expected: str | Message
    got: str | Message
    where: Message | None = None


def difference(got: torch.Tensor, expected: torch.Tensor) -> TextDifference:
    """Return where two texts that are not the same differ, from the first difference on."""
    wanted = unpack_texts(expected)
    try:
        value = unpack_texts(got)
    except NoTextError:
        return TextDifference(_shown(wanted), message("something that is no text"))
    if max(len(repr(wanted)), len(repr(value))) <= MAX_SHOWN_CHARACTERS or type(value) is not type(wanted):
        return TextDifference(_shown(wanted), _shown(value))
    place = next((i for i, (a, b) in enumerate(zip(value, wanted, strict=False)) if a != b), None)
    if place is None:
        alike = min(len(value), len(wanted))
        return TextDifference(
            _length(wanted), _length(value), message("The first {alike} agree", alike=alike)
        )
    if isinstance(wanted, str):
        start = max(0, place - MAX_SHOWN_CHARACTERS // 4)
        where = message("From index {start} on", start=start)
        return TextDifference(_shown(wanted[start:]), _shown(value[start:]), where)
    where = message("At {place}", place=f"[{place}]")
    return TextDifference(_shown(wanted[place]), _shown(value[place]), where)


def _length(value: Texts) -> Message:
    if isinstance(value, str):
        return one_or_many("{count} character", "{count} characters", len(value))
    return one_or_many("{count} item", "{count} items", len(value))


def _shown(value: Texts) -> str:
    """Return a value's truncated ``repr``, with control characters escaped."""
    text = repr(value)
    return text if len(text) <= MAX_SHOWN_CHARACTERS else f"{text[:MAX_SHOWN_CHARACTERS]} ..."
