"""The course's pictures: every figure comes with a description and its numbers as text.

One color scale in the whole course, matplotlib's cividis, readable with any color vision; attention weights
always from 0 to 1, queries down, keys across.
"""

import base64
import io
from collections.abc import Mapping, Sequence
from html import escape

import matplotlib.pyplot as plt
import seaborn as sns
import torch
from IPython.display import display
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

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


def show_heatmaps(
    panels: Mapping[str, torch.Tensor],
    *,
    alt: str,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    weights: bool = False,
    axes_of_weights: tuple[str, str] = ("query", "key"),
    decimals: int = 2,
) -> None:
    """Show matrices side by side on one color scale.

    Args:
        panels: 2-D tensors by title, all of the same height.
        alt: what a reader should see in them.
        rows: labels of the rows; numbers by default.
        columns: labels of the columns; numbers by default.
        weights: whether these are attention weights: scale from 0 to 1, axes named.
        axes_of_weights: what the rows and the columns of weights are called.
        decimals: how many digits are shown of each number.
    """
    panels = {title: values.detach().cpu() for title, values in panels.items()}
    low, high = (0.0, 1.0) if weights else _range(panels.values())
    widths = [values.shape[1] for values in panels.values()]
    figure, axes = plt.subplots(
        1,
        len(panels),
        squeeze=False,
        gridspec_kw={"width_ratios": widths},
        figsize=(0.75 * sum(widths) + 1.6 * len(panels), 0.5 * max(len(v) for v in panels.values()) + 1.2),
    )
    numbers = []
    for axis, (title, values) in zip(axes[0], panels.items(), strict=True):
        names = list(rows or map(str, range(values.shape[0])))
        heads = list(columns or map(str, range(values.shape[1])))
        sns.heatmap(
            values.numpy(),
            ax=axis,
            annot=True,
            fmt=f".{decimals}f",
            vmin=low,
            vmax=high,
            cmap=COLORS,
            cbar=False,
            xticklabels=heads,
            yticklabels=names,
        )
        axis.set_title(title)
        axis.tick_params(axis="y", rotation=0)
        if weights:
            down, across = axes_of_weights
            axis.set_xlabel(across)
            axis.set_ylabel(down)
        numbers.append(f"{title}\n{table(values, names, heads, decimals)}")
    figure.tight_layout()
    show(figure, alt, "\n\n".join(numbers))


def _range(panels: Sequence[torch.Tensor]) -> tuple[float, float]:
    values = torch.cat([values.flatten() for values in panels])
    return float(values.min()), float(values.max())


def show_products(equations: Sequence[Sequence[tuple[str, int, int] | str]], alt: str) -> None:
    """Show matrix equations as rectangles drawn to scale.

    Args:
        equations: each a sequence of matrices ``(name, rows, columns)`` and operators between them.
        alt: what a reader should see in them.
    """
    heights = [max(item[1] for item in line if not isinstance(item, str)) + 2.2 for line in equations]
    figure, axis = plt.subplots(figsize=(5.6, 0.17 * sum(heights)))
    bottom, right = 0.0, 0.0
    for line, height in zip(equations, heights, strict=True):
        bottom -= height
        left = 0.0
        for item in line:
            left = (
                _draw_operator(axis, item, left, bottom, height)
                if isinstance(item, str)
                else _draw_matrix(axis, item, left, bottom, height)
            )
        right = max(right, left)
    axis.set_xlim(-1.5, right + 0.5)
    axis.set_ylim(bottom - 0.5, 0.8)
    axis.set_aspect("equal")
    axis.axis("off")
    show(figure, alt, "\n".join(_equation_text(line) for line in equations))


def _draw_matrix(axis: Axes, item: tuple[str, int, int], left: float, bottom: float, height: float) -> float:
    name, rows, columns = item
    middle = bottom + height / 2 - 0.4
    color = plt.get_cmap(COLORS)(0.75 if columns == rows else 0.35)
    room = max(columns, 4.4)
    start = left + (room - columns) / 2
    axis.add_patch(Rectangle((start, middle - rows / 2), columns, rows, facecolor=color, edgecolor="black"))
    axis.text(
        start + columns / 2, middle + rows / 2 + 0.3, f"{name} ({rows}, {columns})", ha="center", fontsize=6.5
    )
    return left + room + 0.8


def _draw_operator(axis: Axes, sign: str, left: float, bottom: float, height: float) -> float:
    room = 1.0 if len(sign) == 1 else 0.36 * len(sign)
    size = 11 if len(sign) == 1 else 6.5
    axis.text(left + room / 2, bottom + height / 2 - 0.4, sign, ha="center", va="center", fontsize=size)
    return left + room + 0.8


def _equation_text(line: Sequence[tuple[str, int, int] | str]) -> str:
    return " ".join(item if isinstance(item, str) else f"{item[0]} ({item[1]}, {item[2]})" for item in line)


def show_curve(values: Sequence[float], x: str, y: str, alt: str) -> None:
    """Show one number per step as a curve, with ten of its points as text.

    Args:
        values: one number a step.
        x: name of the horizontal axis.
        y: name of the vertical axis.
        alt: what a reader should see in it.
    """
    figure, axis = plt.subplots(figsize=(6.0, 3.0))
    axis.plot(values, color=plt.get_cmap(COLORS)(0.25))
    axis.set_xlabel(x)
    axis.set_ylabel(y)
    axis.set_ylim(bottom=0)
    every = max(1, len(values) // 10)
    numbers = "\n".join(f"{x} {i:>5}  {y} {value:.2f}" for i, value in list(enumerate(values))[::every])
    show(figure, alt, numbers)


def show_arrows(vectors: Mapping[str, Sequence[float]], alt: str) -> None:
    """Show vectors of two numbers as arrows from the origin.

    Args:
        vectors: two numbers each, by name.
        alt: what a reader should see in them.
    """
    figure, axis = plt.subplots(figsize=(4.4, 3.6))
    for i, (name, (x, y)) in enumerate(vectors.items()):
        color = plt.get_cmap(COLORS)(0.75 * i / max(1, len(vectors) - 1))
        axis.annotate("", (x, y), (0, 0), arrowprops={"arrowstyle": "-|>", "color": color, "linewidth": 2})
        side = "left" if x >= 0 else "right"
        axis.annotate(name, (x, y), (4 if x >= 0 else -4, 4), textcoords="offset points", ha=side)
    reach = [0.0, *(number for vector in vectors.values() for number in vector)]
    axis.set_xlim(min(reach) - 1.2, max(reach) + 1.2)
    axis.set_ylim(min(reach) - 0.6, max(reach) + 0.6)
    axis.axhline(0, color="gray", linewidth=0.8)
    axis.axvline(0, color="gray", linewidth=0.8)
    axis.set_aspect("equal")
    numbers = "\n".join(f"{name}: ({x:g}, {y:g})" for name, (x, y) in vectors.items())
    show(figure, alt, numbers)


def show_bars(panels: Mapping[str, torch.Tensor], labels: Sequence[str], alt: str) -> None:
    """Show vectors as bars, side by side on one scale.

    Args:
        panels: vectors by title, all of the same length.
        labels: what each number belongs to.
        alt: what a reader should see in them.
    """
    panels = {title: values.detach().cpu() for title, values in panels.items()}
    figure, axes = plt.subplots(
        1, len(panels), squeeze=False, sharey=True, figsize=(0.5 + 2.6 * len(panels), 2.8)
    )
    for axis, (title, values) in zip(axes[0], panels.items(), strict=True):
        bars = axis.bar(labels, values.tolist(), color=plt.get_cmap(COLORS)(0.35))
        axis.bar_label(bars, fmt="%.2f", fontsize=8, padding=3)
        axis.axhline(0, color="black", linewidth=0.8)
        axis.margins(y=0.15)
        axis.set_title(title)
    figure.tight_layout()
    columns = torch.stack(list(panels.values()), dim=1)
    show(figure, alt, table(columns, labels, list(panels), 4))


def show_mixture(
    points: torch.Tensor,
    shares: torch.Tensor,
    names: Sequence[str],
    *,
    marks: Mapping[str, torch.Tensor],
    x: str,
    y: str,
    alt: str,
) -> None:
    """Show points in the plane, each as large as its share, and where their mixture lies.

    Args:
        points: two numbers a point, (n, 2).
        shares: one number a point; areas are proportional to them.
        names: one name a point.
        marks: further points to mark, of two numbers each, by name.
        x: name of the horizontal axis.
        y: name of the vertical axis.
        alt: what a reader should see in it.
    """
    figure, axis = plt.subplots(figsize=(5.4, 3.8))
    places = points.detach().cpu()
    color = plt.get_cmap(COLORS)
    axis.scatter(
        places[:, 0], places[:, 1], s=2500 * shares.detach().cpu(), color=color(0.75), edgecolor="black"
    )
    for i, (name, place, share) in enumerate(zip(names, places.tolist(), shares.tolist(), strict=True)):
        # Above and below in turn, so that names of close points do not meet.
        offset = (0, 15) if i % 2 else (0, -20)
        axis.annotate(
            f"{name} {share:.2f}", place, offset, textcoords="offset points", ha="center", fontsize=8
        )
    for marker, (name, place) in zip("*XPD", marks.items(), strict=False):
        axis.scatter(*place.detach().cpu()[:, None], s=130, marker=marker, color=color(0.0), label=name)
    axis.set_xlabel(x)
    axis.set_ylabel(y)
    axis.margins(0.18)
    axis.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    rows = torch.cat([places, torch.stack([place.detach().cpu() for place in marks.values()])])
    show(figure, alt, table(rows, [*names, *marks], [x, y], 4))


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
        lines: one number a point, by the name of the curve.
        x_name: name of the horizontal axis.
        y_name: name of the vertical axis.
        alt: what a reader should see in them.
        log: the axes that are logarithmic: ``x``, ``y``, ``xy`` or none; the horizontal one in powers of 2.
        rule: the curve that the others are measured against: it is a line without markers, they are markers.
    """
    figure, axis = plt.subplots(figsize=(6.4, 3.4))
    shades = plt.get_cmap(COLORS)(torch.linspace(0.1, 0.8, max(2, len(lines))).numpy())
    for i, (name, values) in enumerate(lines.items()):
        style = {"marker": "osD^"[i % 4], "linestyle": ("-", "--", ":")[i % 3]}
        if rule:
            style |= {"marker": ""} if name == rule else {"linestyle": ""}
        # Smaller from curve to curve, so that one that lies under another still shows.
        axis.plot(x, values, label=name, color=shades[i], markersize=max(3, 9 - 3 * i), **style)
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
