"""The class report's charts: SVG as data URLs, each with a description.

One color and a pattern, so that no chart requires color vision; a table beside each has the numbers.
"""

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from grader.reporting.statistics import Bar, Distribution

COLOR, LIGHT, INK = "#0072b2", "#a6cee3", "#1f2328"
# Inches: as wide as a telephone shows without making the letters smaller than they can be read.
WIDTH, ROW = 5.4, 0.3
# Inches below the axis, for its numbers and its name; and a letter's width for each point of its size.
BELOW, LETTER = 0.55, 0.008
SETTINGS = {
    "font.size": 10,
    "svg.hashsalt": "grader",  # the same picture is the same bytes
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}


@dataclass(frozen=True)
class Chart:
    """A picture as a data address, and what a reader should see in it."""

    address: str
    alt: str


@dataclass(frozen=True)
class Share:
    """One exercise's bar: percentages that are right, and that have a part of the points."""

    label: str
    right: float
    partial: float


def _chart(figure: Figure, alt: str) -> Chart:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return Chart(f"data:image/svg+xml;base64,{base64.b64encode(buffer.getvalue()).decode()}", alt)


def _axes(height: float, labels: Sequence[str], size: float, above: float = 0.1) -> tuple[Figure, Axes]:
    """Return a figure with room for the labels at its left; a layout engine would draw everything twice.

    Args:
        height: of the whole, in inches.
        labels: what stands at the left, in lines.
        size: of their letters, in points.
        above: inches left free above.
    """
    figure = Figure(figsize=(WIDTH, height))
    FigureCanvasSVG(figure)
    longest = max((len(line) for label in labels for line in label.split("\n")), default=0)
    left = 0.2 + longest * size * LETTER
    edges = {"left": left / WIDTH, "right": 1 - 0.12 / WIDTH}
    figure.subplots_adjust(**edges, bottom=BELOW / height, top=1 - above / height)
    return figure, figure.subplots()


def score_chart(bars: Sequence[Bar], found: Distribution, most: float) -> Chart:
    """Return the histogram of scores, in percent of the points."""
    with rc_context(SETTINGS):
        figure, axis = _axes(2.4, ["students", "000"], 10)
        starts = [bar.label.partition("–")[0] for bar in bars]  # noqa: RUF001 - a range
        shown = axis.bar(starts, [bar.count for bar in bars], color=COLOR, width=0.85)
        axis.bar_label(shown, [str(bar.count) if bar.count else "" for bar in bars], padding=2)
        axis.set_xlabel("percent of the points, each bar from its number on")
        axis.set_ylabel("students")
        axis.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=5))
        axis.margins(y=0.15)
        highest = max(bars, key=lambda bar: bar.count)
        alt = (
            f"Histogram of the scores of {found.count} students. The fullest bar is {highest.label} percent "
            f"of the points, with {highest.count}; the median is {found.median:g} of {most:g} points."
        )
        return _chart(figure, alt)


def exercise_chart(shares: Sequence[Share]) -> Chart:
    """Return a bar for each exercise: how many percent have it right, and how many a part of it."""
    with rc_context(SETTINGS):
        names = [share.label for share in shares]
        figure, axis = _axes(0.95 + ROW * len(shares), names, 10, above=0.35)
        right = [share.right for share in shares]
        axis.barh(names, right, color=COLOR, height=0.7, label="all points")
        if any(share.partial for share in shares):
            partial = [share.partial for share in shares]
            style = {"facecolor": LIGHT, "edgecolor": COLOR, "hatch": "///", "linewidth": 0.8}
            axis.barh(names, partial, left=right, height=0.7, label="a part of the points", **style)
            figure.legend(loc="upper left", ncols=2, frameon=False, fontsize=8, borderaxespad=0.2)
        for place, share in enumerate(shares):
            axis.text(share.right + share.partial + 1, place, f"{share.right:.0f}%", va="center", fontsize=9)
        axis.set_xlim(0, 112)
        axis.set_xticks(range(0, 101, 20))
        axis.set_xlabel("percent of the answers that are right")
        axis.invert_yaxis()
        low, high = min(shares, key=lambda one: one.right), max(shares, key=lambda one: one.right)
        alt = (
            f"Bars of {len(shares)} exercises by the percentage of right answers: from {low.right:.0f} "
            f"percent ({low.label}) to {high.right:.0f} percent ({high.label})."
        )
        return _chart(figure, alt)


def group_chart(groups: Sequence[tuple[str, int]], students: int) -> Chart:
    """Return a bar for each group of mistakes: how many students made one of them."""
    with rc_context(SETTINGS):
        names, counts = [_broken(name) for name, _ in groups], [count for _, count in groups]
        figure, axis = _axes(0.75 + ROW * len(groups), names, 8)
        shown = axis.barh(names, counts, color=COLOR, height=0.7)
        axis.bar_label(shown, padding=3, fontsize=9)
        axis.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
        axis.set_xlabel(f"students who made such a mistake, of {students}")
        axis.tick_params(axis="y", labelsize=8)
        axis.margins(x=0.1)
        axis.invert_yaxis()
        told = "; ".join(f"{name}, {count}" for name, count in groups[:3])
        alt = f"Bars of {len(groups)} groups of mistakes by the number of students. The longest: {told}."
        return _chart(figure, alt)


def _broken(text: str, length: int = 24) -> str:
    """Return a text in two lines where it is long."""
    if len(text) <= length:
        return text
    words, first = text.split(" "), ""
    while words and len(first) + len(words[0]) < length:
        first += f"{words.pop(0)} "
    return f"{first.rstrip()}\n{' '.join(words)}" if first and words else text


def overview_chart(chapters: Sequence[tuple[str, Distribution]]) -> Chart:
    """Return a box for each assignment: where its scores lie, in percent of the points."""
    with rc_context(SETTINGS):
        figure, axis = _axes(0.75 + 0.4 * len(chapters), [name for name, _ in chapters], 10)
        boxes = [
            {
                "label": name,
                "whislo": one.minimum,
                "q1": one.lower_quartile,
                "med": one.median,
                "q3": one.upper_quartile,
                "whishi": one.maximum,
            }
            for name, one in chapters
        ]
        axis.bxp(
            boxes,
            orientation="horizontal",
            showfliers=False,
            patch_artist=True,
            widths=0.6,
            boxprops={"facecolor": LIGHT, "edgecolor": COLOR},
            medianprops={"color": INK, "linewidth": 2},
            whiskerprops={"color": COLOR},
            capprops={"color": COLOR},
        )
        axis.set_xlim(-2, max(102, *(one.maximum + 2 for _, one in chapters)))
        axis.set_xlabel("percent of the points")
        axis.invert_yaxis()
        told = "; ".join(f"{name}, {one.median:.0f}" for name, one in chapters)
        alt = (
            "A box for each assignment from the lower to the upper quartile of the scores in percent, with "
            f"the median in it and lines to the lowest and the highest. Medians: {told}."
        )
        return _chart(figure, alt)
