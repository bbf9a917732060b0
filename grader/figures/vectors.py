"""Pictures of vectors: as arrows, as bars, as points that are mixed."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import matplotlib.pyplot as plt
import torch

from grader.colors import INPUT, SERIES, kind_color, paler
from grader.figures.shown import SMALL, WIDTH, require_shape, show, table, text_width, written
from grader.messages.speaking import errors_said

# In inches: a chart's least width, what its labels leave free between them, and the room for the axis.
CHART, LABEL_GAP, AXIS_ROOM = 2.6, 0.12, 0.5
# The cosine of an angle at which two arrows' names could meet; how far a name stands from its tip in points.
NEARLY, AWAY = 0.85, 10


def show_arrows(vectors: Mapping[str, Sequence[float]], alt: str) -> None:
    """Show vectors of two numbers as arrows from the origin.

    Args:
        vectors: two numbers each, by name.
        alt: what a reader should see in them.
    """
    figure, axis = plt.subplots(figsize=(4.4, 3.8))
    arrow = {"arrowstyle": "-|>", "color": INPUT, "linewidth": 2, "shrinkA": 0, "shrinkB": 0}
    for name, (x, y) in vectors.items():
        axis.annotate("", (x, y), (0, 0), arrowprops=arrow)
        beyond = _beyond((x, y), vectors.values())
        side = "left" if beyond[0] >= 0 else "right"
        axis.annotate(name, (x, y), beyond, textcoords="offset points", ha=side, va="center")
    reach = [0.0, *(number for vector in vectors.values() for number in vector)]
    axis.set_xlim(min(reach) - 1.2, max(reach) + 1.2)
    axis.set_ylim(min(reach) - 0.6, max(reach) + 0.6)
    axis.axhline(0, color="gray", linewidth=0.8)
    axis.axvline(0, color="gray", linewidth=0.8)
    axis.set_aspect("equal")
    numbers = "\n".join(f"{name}: ({x:g}, {y:g})" for name, (x, y) in vectors.items())
    show(figure, alt, numbers)


def _beyond(vector: Sequence[float], others: Iterable[Sequence[float]]) -> tuple[float, float]:
    """Return where a name stands, in points from its arrow's tip: ahead, or beside a longer arrow."""
    x, y = vector
    length = math.hypot(x, y)
    # Of longer arrows, the sine of the angle to each that points nearly the same way.
    longer = [(u, v) for u, v in others if math.hypot(u, v) > length]
    sines = [
        (x * v - y * u) / math.hypot(u, v)
        for u, v in longer
        if x * u + y * v > NEARLY * length * math.hypot(u, v)
    ]
    if not sines:
        return AWAY * x / length, AWAY * y / length
    side = -math.copysign(AWAY / length, min(sines, key=abs))
    return -side * y, side * x


@errors_said()
def show_bars(panels: Mapping[str, torch.Tensor], labels: Sequence[str], alt: str) -> None:
    """Show vectors as bars, side by side on one scale.

    Args:
        panels: vectors by title, all of the same length.
        labels: what each number belongs to.
        alt: what a reader should see in them.

    Raises:
        GraderError: a panel is no vector, or has not one number for each label.
    """
    panels = {title: values.detach().cpu() for title, values in panels.items()}
    for title, values in panels.items():
        require_shape(title, values, len(labels))
    numbers = [written(value, 2) for values in panels.values() for value in values.tolist()]
    widths = [text_width([label], 10) for label in labels]
    beside = [(one + other) / 2 for one, other in pairwise(widths)]
    across = len(labels) * (max([text_width(numbers), *beside]) + LABEL_GAP)
    width = min(max(CHART, across), (WIDTH - AXIS_ROOM) / len(panels))
    size = AXIS_ROOM + width * len(panels), 2.8
    figure, axes = plt.subplots(1, len(panels), squeeze=False, sharey=True, figsize=size)
    for axis, (title, values) in zip(axes[0], panels.items(), strict=True):
        bars = axis.bar(labels, values.tolist(), color=INPUT)
        axis.bar_label(bars, fmt=lambda value: written(value, 2), fontsize=SMALL, padding=3)
        axis.axhline(0, color="black", linewidth=0.8)
        axis.margins(y=0.15)
        axis.set_title(title)
        if across > width:
            axis.tick_params(axis="x", rotation=90)
    figure.tight_layout()
    columns = torch.stack(list(panels.values()), dim=1)
    show(figure, alt, table(columns, labels, list(panels), 4))


@errors_said()
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

    Raises:
        GraderError: the points, shares or marks have another shape.
    """
    require_shape("points", points, len(names), 2)
    require_shape("shares", shares, len(names))
    for name, place in marks.items():
        require_shape(name, place, 2)
    figure, axis = plt.subplots(figsize=(5.4, 3.8))
    places = points.detach().cpu()
    areas = 2500 * shares.detach().cpu()
    axis.scatter(places[:, 0], places[:, 1], s=areas, color=paler(INPUT), edgecolor="black")
    for i, (name, place, share) in enumerate(zip(names, places.tolist(), shares.tolist(), strict=True)):
        # Above and below in turn, so that names of close points do not meet.
        offset = (0, 15) if i % 2 else (0, -20)
        axis.annotate(
            f"{name} {share:.2f}", place, offset, textcoords="offset points", ha="center", fontsize=SMALL
        )
    for marker, (name, place) in zip("*XPD", marks.items(), strict=False):
        style = {"marker": marker, "color": kind_color(name) or SERIES[0], "edgecolor": "black"}
        axis.scatter(*place.detach().cpu()[:, None], s=180, label=name, **style)
    axis.set_xlabel(x)
    axis.set_ylabel(y)
    axis.margins(0.18)
    axis.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    rows = torch.cat([places, torch.stack([place.detach().cpu() for place in marks.values()])])
    show(figure, alt, table(rows, [*names, *marks], [x, y], 4))
