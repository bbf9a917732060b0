"""How a figure is shown: its picture, its description, its numbers as text."""

import base64
import io
import struct
from collections.abc import Iterable, Sequence
from html import escape

import matplotlib.pyplot as plt
import torch
from IPython.display import display
from matplotlib.figure import Figure
from matplotlib.textpath import TextPath

from grader.errors import GraderError
from grader.messages import message
from grader.messages.captions import caption
from grader.messages.message import ENGLISH
from grader.messages.speaking import said, spoken_here

COLORS = "cividis"
# An inch of a figure is an inch of CSS, so that a font of 9 points is shown at 9 points. Sharp screens have
# two pixels where CSS counts one.
DOTS_PER_INCH, SHARPNESS = 96, 2
# In inches: the widest picture, and the margin around it. A wider one would be shrunk, with its labels, to
# the column of the site in a window of 1280 pixels.
WIDTH, MARGIN = 7.9, 0.05
# The smallest font in a picture, in points.
SMALL = 9


def described(figure: Figure, alt: str, numbers: str) -> dict[str, str]:
    """Return a figure as a notebook's output: HTML with the picture, its description and numbers; and text.

    Args:
        figure: closed afterwards.
        alt: what a reader should see in it.
        numbers: the same as a plain text table.
    """
    image, folded = png(figure), said(message("The numbers as text"))
    html = (
        f'<img alt="{escape(alt)}" width="{_width(image) // SHARPNESS}" '
        f'src="data:image/png;base64,{base64.b64encode(image).decode()}">'
        f"{'' if spoken_here() is ENGLISH else caption(alt)}"
        f"<details><summary>{escape(folded)}</summary><pre>{escape(numbers)}</pre></details>"
    )
    return {"text/plain": f"{alt}\n{numbers}", "text/html": html}


def png(figure: Figure) -> bytes:
    """Return a figure as a PNG file, and close it."""
    buffer = io.BytesIO()
    dots = DOTS_PER_INCH * SHARPNESS
    figure.savefig(
        buffer, format="png", dpi=dots, bbox_inches="tight", pad_inches=MARGIN, metadata={"Software": None}
    )
    plt.close(figure)
    return buffer.getvalue()


def _width(image: bytes) -> int:
    """Return the width of a PNG file in pixels, which its first chunk tells."""
    return struct.unpack(">I", image[16:20])[0]


def show(figure: Figure, alt: str, numbers: str) -> None:
    """Display a figure with its description, for those who cannot see it, and its numbers.

    Args:
        figure: closed afterwards.
        alt: what a reader should see in it.
        numbers: the same as a plain text table.
    """
    display(described(figure, alt, numbers), raw=True)


def plain(text: str) -> str:
    """Return a text as matplotlib shows it unchanged: a dollar would start a formula."""
    return text.replace("$", r"\$")


def text_width(texts: Iterable[str], size: float = SMALL) -> float:
    """Return how wide the widest of some lines of text is, in inches.

    Args:
        texts: what is written.
        size: of the font, in points.
    """
    paths = (TextPath((0, 0), plain(text), size=size) for text in texts if text)
    return max((path.get_extents().x1 for path in paths), default=0.0) / 72


def require_shape(title: str, values: torch.Tensor, *asked: int | str) -> None:
    """Refuse what a figure cannot show: most often a learner's result that is not right yet.

    Args:
        title: what it is called in the figure.
        values: what is to be shown.
        asked: the size of each axis, or a letter where any will do.

    Raises:
        GraderError: it has another shape.
    """
    same = (isinstance(size, str) or size == got for size, got in zip(asked, values.shape, strict=False))
    if values.dim() != len(asked) or not all(same):
        raise GraderError(
            message(
                "This figure shows '{title}' in the shape {asked}, and what came has the shape {got}. If it "
                "is a result of your code, check that first.",
                title=title,
                asked=f"({', '.join(map(str, asked))}{',' * (len(asked) == 1)})",
                got=str(tuple(values.shape)),
            )
        )


def written(value: float, decimals: int) -> str:
    """Return a number with so many digits after its point, and no sign before a zero."""
    return f"{round(value, decimals) + 0.0:.{decimals}f}"


def table(values: torch.Tensor, rows: Sequence[str], columns: Sequence[str], decimals: int) -> str:
    """Return a matrix as a text table."""
    margin = max(map(len, rows), default=0)
    width = max(decimals + 5, *(len(column) + 1 for column in columns))
    lines = [" " * margin + "".join(f"{column:>{width}}" for column in columns)]
    lines += [
        f"{row:<{margin}}" + "".join(f"{written(value, decimals):>{width}}" for value in line)
        for row, line in zip(rows, values.tolist(), strict=True)
    ]
    return "\n".join(lines)
