"""Numbers in sentences: their signs are texts for translation, for 1,024.5 is 1.024,5 elsewhere."""

from grader.messages.message import Message, message


def number(value: float) -> Message:
    """Return a number in digits, with signs between thousands and a sign before a fraction.

    Example:
        >>> str(number(16777216))
        '16,777,216'
    """
    whole, _, fraction = f"{value:,}".partition(".")
    return fractional(_grouped(whole), fraction)


def points(value: float) -> Message:
    """Return points without needless digits: 3, 2.5, 0.33."""
    whole, _, fraction = (f"{round(value, 2):g}" if abs(value) < 1e5 else f"{value:.0f}").partition(".")
    return fractional(Message(whole), fraction)


def fractional(whole: Message, fraction: str) -> Message:
    """Return a number of its digits before and behind the sign; without the sign where there are none."""
    return message("{whole}.{fraction}", whole=whole, fraction=fraction) if fraction else whole


def _grouped(digits: str) -> Message:
    thousands, sign, last = digits.rpartition(",")
    return message("{thousands},{last}", thousands=_grouped(thousands), last=last) if sign else Message(last)
