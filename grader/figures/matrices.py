"""Pictures of matrices."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import seaborn as sns
import torch
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from grader.figures.shown import COLORS, show, table


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
        panels: 2-D tensors or arrays by title, all of the same height.
        alt: what a reader should see in them.
        rows: labels of the rows; numbers by default.
        columns: labels of the columns; numbers by default.
        weights: whether these are attention weights: scale from 0 to 1, axes named.
        axes_of_weights: what the rows and the columns of weights are called.
        decimals: how many digits are shown of each number.
    """
    panels = {title: torch.as_tensor(values).detach().cpu() for title, values in panels.items()}
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
