"""The course's pictures: every figure comes with a description and its numbers as text.

One color scale in the whole course, matplotlib's cividis, readable with any color vision; weights, whose rows
sum to 1, always from 0 to 1. What the other colors mean is in `grader.colors`.
"""

from grader.figures.curves import show_curve, show_lines
from grader.figures.matrices import show_heatmaps
from grader.figures.pieces import show_pieces
from grader.figures.products import show_products
from grader.figures.shown import COLORS, described, show, table
from grader.figures.vectors import show_arrows, show_bars, show_mixture

__all__ = [
    "COLORS",
    "described",
    "show",
    "show_arrows",
    "show_bars",
    "show_curve",
    "show_heatmaps",
    "show_lines",
    "show_mixture",
    "show_pieces",
    "show_products",
    "table",
]
