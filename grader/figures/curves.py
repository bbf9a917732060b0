"""Pictures of numbers along an axis."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from grader.colors import SERIES
from grader.figures.shown import show


def show_curve(values: Sequence[float], x: str, y: str, alt: str) -> None:
    """Show one number per step as a curve, with ten of its points as text.

    Args:
        values: one number a step.
        x: name of the horizontal axis.
        y: name of the vertical axis.
        alt: what a reader should see in it.
    """
    show(drawn_curve(values, x, y), alt, curve_text(values, x, y))


def drawn_curve(values: Sequence[float], x: str, y: str, steps: int = 0) -> Figure:
    """Return the picture of a curve; of one that is still growing, with room for so many steps."""
    figure, axis = plt.subplots(figsize=(6.0, 3.0))
    axis.plot(values, color=SERIES[0])
    axis.set_xlabel(x)
    axis.set_ylabel(y)
    axis.set_ylim(bottom=0)
    if steps:
        axis.set_xlim(0, steps)
    return figure


def curve_text(values: Sequence[float], x: str, y: str) -> str:
    """Return ten of a curve's points."""
    every = max(1, len(values) // 10)
    return "\n".join(f"{x} {i:>5}  {y} {value:.2f}" for i, value in list(enumerate(values))[::every])


def show_lines(
    x: Sequence[float],
    lines: Mapping[str, Sequence[float]],
    *,
    x_name: str,
    y_name: str,
    alt: str,
    log: str = "",
    rule: str = "",
) -> None:
    """Show several curves over the same points, told apart by marker and dash as well as by color.

    Args:
        x: the points.
        lines: one number a point, by the name of the curve; three curves at most.
        x_name: name of the horizontal axis.
        y_name: name of the vertical axis.
        alt: what a reader should see in them.
        log: the axes that are logarithmic: ``x``, ``y``, ``xy`` or none; the horizontal one in powers of 2.
        rule: the curve that the others are measured against: it is a line without markers, they are markers.
    """
    figure, axis = plt.subplots(figsize=(6.4, 3.4))
    for i, ((name, values), color) in enumerate(zip(lines.items(), SERIES, strict=False)):
        style = {"marker": "osD"[i], "linestyle": ("-", "--", ":")[i]}
        if rule:
            style |= {"marker": ""} if name == rule else {"linestyle": ""}
        # Smaller from curve to curve, so that one that lies under another still shows.
        axis.plot(x, values, label=name, color=color, markersize=9 - 2 * i, **style)
    if "x" in log:
        axis.set_xscale("log", base=2)
        axis.set_xticks(x, labels=[f"{point:g}" for point in x])
    if "y" in log:
        axis.set_yscale("log")
    else:
        axis.set_ylim(bottom=0)
    axis.set_xlabel(x_name)
    axis.set_ylabel(y_name)
    axis.legend()
    points = zip(x, *lines.values(), strict=True)
    cells = [
        [x_name, *lines],
        *([f"{value:.{4 if value >= 1000 else 3}g}" for value in point] for point in points),
    ]
    widths = [max(map(len, column)) + 2 for column in zip(*cells, strict=True)]
    text = ["".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True)) for row in cells]
    show(figure, alt, "\n".join(text))
