"""The colors of the course: a scale for numbers, and one color for each kind of tensor.

A color means the same in every picture and every verdict. The colors can be distinguished with any color
vision, and colored items are also named, so that no picture depends on its colors.

======================  ====================================================================================
``SCALE``               how large a number is, from dark to bright; weights from 0 to 1
``INPUT``               rows of tokens: what a layer is given, and what a block makes of it
``QUERY``               queries, and, paler, the matrix that makes them
``KEY``                 keys, and, paler, their matrix
``VALUE``               values, and, paler, their matrix
``SCORES``              scores, scaled or not
``WEIGHTS``             weights; shares of a row that sum to 1
``CONTEXT``             context vectors; mixtures
``MASKED``              what a mask hides
``PASSED``, ``FAILED``  a verdict; the place where numbers differ from the target has the color of ``FAILED``
``SERIES``              curves that are compared: first, second, third, with a marker each
======================  ====================================================================================
"""

import re

# matplotlib's cividis at five equal steps.
SCALE = ((0, 34, 78), (64, 77, 107), (124, 123, 120), (188, 175, 111), (254, 232, 56))

INPUT = "#4a5568"
QUERY = "#0072b2"
KEY = "#e69f00"
VALUE = "#882255"
SCORES = "#56b4e9"
WEIGHTS = "#f0e442"
CONTEXT = "#cc79a7"
MASKED = "#dedede"
PASSED, FAILED = "#009e73", "#d55e00"
SERIES = ("#00224e", "#7c7b78", "#95802a")

KINDS = {
    "input": INPUT,
    "query": QUERY,
    "key": KEY,
    "value": VALUE,
    "score": SCORES,
    "weight": WEIGHTS,
    "share": WEIGHTS,
    "context": CONTEXT,
    "mixture": CONTEXT,
}
PALER = 0.55


def kind_color(name: str) -> str | None:
    """Return the color of the kind of tensor that a name begins with; None if there is none.

    Args:
        name: as it appears in a picture: ``key, transposed``, ``weights 0``, ``W_query``.
    """
    words = re.findall(r"[a-z]+", name.lower().replace("queries", "query"))
    return next((KINDS[word.removesuffix("s")] for word in words if word.removesuffix("s") in KINDS), None)


def paler(color: str) -> str:
    """Return a color that is mixed with white."""
    parts = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(part + PALER * (255 - part)):02x}" for part in parts)


def color_of(share: float) -> tuple[int, int, int]:
    """Return the color for a value between 0 and 1 on the course's scale."""
    place = min(max(share, 0.0), 1.0) * (len(SCALE) - 1)
    lower = min(int(place), len(SCALE) - 2)
    part = place - lower
    return tuple(round(a + part * (b - a)) for a, b in zip(SCALE[lower], SCALE[lower + 1], strict=True))


def ink_on(color: tuple[int, int, int]) -> str:
    """Return black or white, whichever is easier to read on a color (WCAG 2's relative luminance)."""
    shares = (part / 255 for part in color)
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in shares)
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    # Where both are equally readable: (luminance + 0.05) / 0.05 == 1.05 / (luminance + 0.05).
    return "#000" if luminance > 0.0525**0.5 - 0.05 else "#fff"
