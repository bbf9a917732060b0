"""Pictures of vectors: as arrows, as bars, as points that are mixed."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import torch

from grader.figures.shown import COLORS, show, table

# So many letters of labels fit side by side under one chart.
LABELS_ACROSS = 24


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
        if sum(map(len, labels)) > LABELS_ACROSS:
            axis.tick_params(axis="x", rotation=30)
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
