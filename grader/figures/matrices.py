"""Pictures of matrices: their numbers, on one color scale."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
import torch
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.typing import ColorType

from grader.colors import MASKED, WEIGHTS, ink_on, kind_color
from grader.figures.shown import COLORS, SMALL, WIDTH, plain, require_shape, show, table, text_width, written
from grader.messages.speaking import errors_said

# In inches: a cell's height, the least width of one, the room beside its text; the gap between two panels.
CELL_HEIGHT, LEAST_CELL, PADDING, GAP = 0.36, 0.42, 0.08, 0.2
# In inches: the room for a panel's title, for the columns' labels, and for the name of an axis.
TITLE_ROOM, TICKS_ROOM, NAME_ROOM = 0.42, 0.26, 0.26
# In inches: the strip below a title that says of which kind the numbers are.
STRIP = 0.05


@dataclass(frozen=True)
class Style:
    """What the panels of a picture have in common."""

    rows: Sequence[str] | None
    columns: Sequence[str] | None
    low: float
    high: float
    decimals: int
    weights: bool
    axes_of_weights: tuple[str, str]

    def row_names(self, values: torch.Tensor) -> list[str]:
        """Return the labels of a panel's rows."""
        return list(self.rows or map(str, range(len(values))))

    def column_names(self, values: torch.Tensor) -> list[str]:
        """Return the labels of a panel's columns."""
        return list(self.columns or map(str, range(values.shape[1])))

    def masked(self, values: torch.Tensor) -> torch.Tensor:
        """Return which weights a causal mask hides: those of later keys, if all of them are exactly 0.

        Nothing is taken for masked unless the queries, by their names, are the last of the keys.
        """
        rows, columns = values.shape
        later = torch.ones(rows, columns, dtype=torch.bool).triu(columns - rows + 1)
        queries_are_keys = self.row_names(values) == self.column_names(values)[-rows:]
        causal = self.weights and queries_are_keys and not values[later].any()
        return later if causal else torch.zeros_like(later)

    def kinds(self, titles: Iterable[str]) -> dict[str, str | None]:
        """Return the color of what each panel shows; one whose title does not say is like the one before."""
        kind, kinds = WEIGHTS if self.weights else None, {}
        for title in titles:
            kind = kinds[title] = kind if self.weights else kind_color(title) or kind
        return kinds


@errors_said()
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
    """Show matrices side by side on one color scale, as many in a line as a notebook has room for.

    Weights that a causal mask hides are gray: those of later keys, where all of them are exactly 0.

    Args:
        panels: 2-D tensors or arrays by title, all of the same height.
        alt: what a reader should see in them.
        rows: labels of the rows; numbers by default.
        columns: labels of the columns; numbers by default.
        weights: whether these are weights, shares of a row: scale from 0 to 1, axes named.
        axes_of_weights: what the rows and the columns of weights are called.
        decimals: how many digits are shown of each number.

    Raises:
        GraderError: a panel is no matrix, or has not one row and one column for each label.
    """
    panels = {title: torch.as_tensor(values).detach().cpu().double() for title, values in panels.items()}
    for title, values in panels.items():
        require_shape(title, values, len(rows) if rows else "n", len(columns) if columns else "m")
    low, high = (0.0, 1.0) if weights else _range(panels.values())
    style = Style(rows, columns, low, high, decimals, weights, axes_of_weights)
    numbers = [
        f"{title}\n{table(values, style.row_names(values), style.column_names(values), decimals)}"
        for title, values in panels.items()
    ]
    show(drawn_heatmaps(panels, style), alt, "\n\n".join(numbers))


def _range(panels: Sequence[torch.Tensor]) -> tuple[float, float]:
    values = torch.cat([values.flatten() for values in panels])
    finite = values[values.isfinite()]
    return (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)


def drawn_heatmaps(panels: Mapping[str, torch.Tensor], style: Style) -> Figure:
    """Return the picture of matrices side by side, in lines of as many as there is room for.

    Args:
        panels: 2-D tensors by title, all of the same height.
        style: what they have in common.
    """
    left = max(text_width(style.row_names(values)) for values in panels.values()) + 0.1
    left += NAME_ROOM if style.weights else 0.0
    cell, upright = _cell(panels, style, WIDTH - left)
    widths = {title: max(cell * values.shape[1], text_width([title], 11)) for title, values in panels.items()}
    lines = _lines(widths, WIDTH - left)
    below = TICKS_ROOM + (NAME_ROOM if style.weights else 0.0)
    if upright:
        below += max(text_width(style.column_names(values)) for values in panels.values()) - TICKS_ROOM / 2
    height = TITLE_ROOM + below + CELL_HEIGHT * max(map(len, panels.values()))
    size = (
        left + max(sum(widths[title] + GAP for title in line) - GAP for line in lines),
        height * len(lines),
    )
    figure, kinds = plt.figure(figsize=size), style.kinds(panels)
    for i, line in enumerate(lines):
        x = left
        for title in line:
            values = panels[title]
            area = (x, size[1] - i * height - TITLE_ROOM, cell * values.shape[1], CELL_HEIGHT * len(values))
            box = (area[0] / size[0], (area[1] - area[3]) / size[1], area[2] / size[0], area[3] / size[1])
            axis = figure.add_axes(box)
            draw_matrix(axis, title, values, style, kinds[title], first=title == line[0], upright=upright)
            x += widths[title] + GAP
    return figure


def _cell(panels: Mapping[str, torch.Tensor], style: Style, room: float) -> tuple[float, bool]:
    """Return how wide a cell is, and whether the columns' labels stand upright for want of room."""
    numbers = [
        written(value, style.decimals) for values in panels.values() for value in values.flatten().tolist()
    ]
    names = [name for values in panels.values() for name in style.column_names(values)]
    least = max(LEAST_CELL, text_width(numbers) + PADDING)
    level = max(least, text_width(names) + PADDING)
    most = max(values.shape[1] for values in panels.values())
    return (level, False) if level * most <= room else (min(least, room / most), True)


def _lines(widths: Mapping[str, float], room: float) -> list[list[str]]:
    """Return the titles of the panels of each line."""
    lines: list[list[str]] = [[]]
    for title in widths:
        if lines[-1] and sum(widths[one] + GAP for one in lines[-1]) + widths[title] > room:
            lines.append([])
        lines[-1].append(title)
    return lines


def draw_matrix(
    axis: Axes,
    title: str,
    values: torch.Tensor,
    style: Style,
    kind: str | None,
    *,
    first: bool = True,
    upright: bool = False,
) -> None:
    """Draw one matrix.

    Args:
        axis: where it is drawn; it fills it.
        title: stands above it.
        values: 2-D, float.
        style: scale, labels and digits.
        kind: the color of the strip below the title; None for no strip.
        first: whether it is the first in its line, which has the labels of the rows.
        upright: whether the columns' labels stand upright.
    """
    _draw_cells(axis, values, style)
    _draw_strip(axis, kind, len(values))
    _label(axis, title, values, style, first=first, upright=upright)


def _draw_cells(axis: Axes, values: torch.Tensor, style: Style) -> None:
    masked = style.masked(values)
    texts = [[written(value, style.decimals) for value in line] for line in values.tolist()]
    sns.heatmap(
        values.numpy(),
        ax=axis,
        mask=masked.numpy(),
        cmap=plt.get_cmap(COLORS).with_extremes(bad=MASKED),
        vmin=style.low,
        vmax=style.high,
        annot=np.array(texts),
        annot_kws={"fontsize": SMALL},
        fmt="",
        linewidths=1,
        linecolor="white",
        cbar=False,
        xticklabels=False,
        yticklabels=False,
    )
    odd = ~values.isfinite()
    _ink(axis, masked | odd)
    for i, j in odd.nonzero().tolist():  # where it draws nothing seaborn writes no number
        axis.add_patch(Rectangle((j, i), 1, 1, facecolor="white", linewidth=0))
        _write(axis, i, j, texts[i][j], "white")
    for i, j in masked.nonzero().tolist():
        _write(axis, i, j, "0", MASKED)


def _ink(axis: Axes, left_out: torch.Tensor) -> None:
    """Write each number in the color that is easier to read on its cell; seaborn changes it too late."""
    (cells,) = axis.collections
    cells.update_scalarmappable()
    written_on = (
        color for color, no in zip(cells.get_facecolors(), left_out.flatten(), strict=True) if not no
    )
    for text, color in zip(axis.texts, written_on, strict=True):
        text.set_color(_ink_on(color))


def _write(axis: Axes, i: int, j: int, text: str, color: str) -> None:
    """Write a text into a cell of a color."""
    style = {"ha": "center", "va": "center", "fontsize": SMALL}
    axis.text(j + 0.5, i + 0.5, text, color=_ink_on(color), **style)


def _ink_on(color: ColorType) -> str:
    return ink_on(tuple(round(255 * part) for part in to_rgb(color)))


def _draw_strip(axis: Axes, kind: str | None, rows: int) -> None:
    if kind:
        height = STRIP / (CELL_HEIGHT * rows)
        style = {"transform": axis.transAxes, "clip_on": False, "color": kind, "linewidth": 0}
        axis.add_patch(Rectangle((0, 1 + height / 2), 1, height, **style))


def _label(axis: Axes, title: str, values: torch.Tensor, style: Style, *, first: bool, upright: bool) -> None:
    rows, columns = values.shape
    axis.set_title(plain(title), fontsize=11, loc="left", pad=9)
    across, down = map(plain, style.column_names(values)), map(plain, style.row_names(values))
    axis.set_xticks([j + 0.5 for j in range(columns)], list(across), fontsize=SMALL)
    axis.set_yticks([i + 0.5 for i in range(rows)], list(down) if first else [""] * rows)
    axis.tick_params(axis="x", length=0, rotation=90 if upright else 0)
    axis.tick_params(axis="y", length=0, labelsize=SMALL)
    for side in axis.spines.values():
        side.set_visible(False)
    if style.weights:
        down, across = style.axes_of_weights
        axis.set_xlabel(across, fontsize=10)
        axis.set_ylabel(down if first else "", fontsize=10)
