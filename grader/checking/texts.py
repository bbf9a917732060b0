"""Texts, and lists of texts, as tensors of whole numbers: only tensors are stored, sent and compared.

A text is its characters' Unicode numbers and an end; a list or tuple is a beginning, its items and an end. No
two values have the same numbers, but for a list and a tuple of the same items.
"""

import torch

TEXT_ENDS, LIST_BEGINS, LIST_ENDS = -1, -2, -3
# Far above any case's texts; what is longer is told by its size alone.
MAX_NUMBERS = 100_000
MAX_DEPTH = 8
# How many characters of a text, or of a list, a message shows.
SHOWN = 160

Texts = str | list["Texts"]


class NoTextError(Exception):
    """A value is neither a text nor a list of such; the message says what it is."""


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
            _pack(item, numbers, f"{inside}{type(value).__name__} of ", depth + 1)
        numbers.append(LIST_ENDS)
    else:
        raise NoTextError(f"{inside}{type(value).__name__}")
    if len(numbers) > MAX_NUMBERS:
        raise NoTextError(f"{type(value).__name__} of more than {MAX_NUMBERS:,} characters")


def unpack_texts(numbers: torch.Tensor) -> Texts:
    """Return the text or lists that ``pack_texts`` packed; tuples come back as lists.

    Raises:
        NoTextError: these are no such numbers.
    """
    if numbers.dtype != torch.int64 or numbers.dim() != 1 or len(numbers) > MAX_NUMBERS:
        raise NoTextError("no text")
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
            raise NoTextError("no text")
    if text or len(levels) > 1 or len(outer) != 1:
        raise NoTextError("no text")
    return outer[0]


def difference_text(got: torch.Tensor, expected: torch.Tensor) -> str:
    """Return what was expected and what was got, as far as there is room, from the first difference on."""
    wanted = unpack_texts(expected)
    try:
        value = unpack_texts(got)
    except NoTextError:
        return f"expected {_shown(wanted)}, got something that is no text."
    if max(len(repr(wanted)), len(repr(value))) <= SHOWN or type(value) is not type(wanted):
        return f"expected {_shown(wanted)}, got {_shown(value)}."
    place = next((i for i, (a, b) in enumerate(zip(value, wanted, strict=False)) if a != b), None)
    if place is None:
        unit = "characters" if isinstance(wanted, str) else "items"
        alike = min(len(value), len(wanted))
        return f"expected {len(wanted)} {unit}, got {len(value)}; the first {alike} agree."
    if isinstance(wanted, str):
        start = max(0, place - SHOWN // 4)
        return f"from character {start} on, expected {_shown(wanted[start:])}, got {_shown(value[start:])}."
    return f"at [{place}], expected {_shown(wanted[place])}, got {_shown(value[place])}."


def _shown(value: Texts) -> str:
    """Return a value as Python writes it, in which no character does anything, cut to what can be shown."""
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} ..."
