"""How a figure is shown: its picture, its description, its numbers as text."""

import base64
import io
from collections.abc import Sequence
from html import escape

import matplotlib.pyplot as plt
import torch
from IPython.display import display
from matplotlib.figure import Figure

COLORS = "cividis"
DOTS_PER_INCH = 110


def described(figure: Figure, alt: str, numbers: str) -> dict[str, str]:
    """Return a figure as a notebook's output: HTML with the picture, its description and numbers; and text.

    Args:
        figure: closed afterwards.
        alt: what a reader should see in it.
        numbers: the same as a plain text table.
    """
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=DOTS_PER_INCH, bbox_inches="tight", metadata={"Software": None})
    plt.close(figure)
    image = base64.b64encode(buffer.getvalue()).decode()
    html = (
        f'<img alt="{escape(alt)}" src="data:image/png;base64,{image}">'
        f"<details><summary>The numbers as text</summary><pre>{escape(numbers)}</pre></details>"
    )
    return {"text/plain": f"{alt}\n{numbers}", "text/html": html}


def show(figure: Figure, alt: str, numbers: str) -> None:
    """Display a figure with its description, for those who cannot see it, and its numbers.

    Args:
        figure: closed afterwards.
        alt: what a reader should see in it.
        numbers: the same as a plain text table.
    """
    display(described(figure, alt, numbers), raw=True)


def table(values: torch.Tensor, rows: Sequence[str], columns: Sequence[str], decimals: int) -> str:
    """Return a matrix as a text table."""
    margin = max(map(len, rows), default=0)
    width = max(decimals + 5, *(len(column) + 1 for column in columns))
    lines = [" " * margin + "".join(f"{column:>{width}}" for column in columns)]
    lines += [
        f"{row:<{margin}}" + "".join(f"{value:>{width}.{decimals}f}" for value in line)
        for row, line in zip(rows, values.tolist(), strict=True)
    ]
    return "\n".join(lines)
