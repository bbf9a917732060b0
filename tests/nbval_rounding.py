"""What another processor rounds otherwise is no difference: a plug-in for nbval.

float32 rounds as a processor's instructions have it, so a number that lies between two printed ones, such as
0.11499, may come out as either. nbval compares texts; here the last digit that was printed may differ by one.
Whatever is no number with a decimal point (words, shapes, counts, labels) has to be the same.

``pytest --nbval -p tests.nbval_rounding``.
"""

import re
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from nbval.plugin import IPyNbCell

# With the spaces before it: a minus sign takes the place of one.
NUMBER = re.compile(r"( *-?\d+\.\d*(?:e[-+]\d+)?)")


def as_printed(got: str, printed: str) -> str:
    """Return the text that came, its numbers as they are stored where only rounding parts them."""
    came, stored = NUMBER.split(got), NUMBER.split(printed)
    if came[::2] != stored[::2]:
        return got
    pairs = zip(came, stored, strict=True)
    return "".join(old if new != old and _is_rounding(new, old) else new for new, old in pairs)


def _is_rounding(one: str, other: str) -> bool:
    """Tell whether two printed numbers differ by at most one unit of the last digit of the coarser one."""
    first, second = Decimal(one.strip()), Decimal(other.strip())
    unit = Decimal(1).scaleb(max(first.as_tuple().exponent, second.as_tuple().exponent))
    return abs(first - second) <= unit


def _texts_as_printed(cell: IPyNbCell, got: Any, printed: Any) -> Any:
    """Do that for all texts in two outputs of one form, after what may differ was taken out of them."""
    if isinstance(got, str) and isinstance(printed, str):
        return as_printed(cell.sanitize(got), cell.sanitize(printed))
    if isinstance(got, dict) and isinstance(printed, dict):
        same = {key: _texts_as_printed(cell, got[key], printed[key]) for key in got.keys() & printed.keys()}
        return type(got)({**got, **same})
    if isinstance(got, list) and isinstance(printed, list) and len(got) == len(printed):
        return [_texts_as_printed(cell, *pair) for pair in zip(got, printed, strict=True)]
    return got


def _compare(cell: IPyNbCell, got: list[Any], printed: list[Any], skip_compare: Any = None) -> bool:
    """Compare as nbval does, with what rounding alone has changed put back."""
    return IPyNbCell.compare_outputs(cell, _texts_as_printed(cell, got, printed), printed, skip_compare)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Have each cell of a notebook compared that way."""
    for item in items:
        if isinstance(item, IPyNbCell):
            item.compare_outputs = partial(_compare, item)
