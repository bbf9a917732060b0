"""Pictures of text in pieces."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from grader.colors import INPUT, paler
from grader.figures.shown import SMALL, show

# In characters: what a piece has beside its text, and the gap between two words.
MARGIN, GAP = 0.6, 1.2


def show_pieces(strips: Mapping[str, Sequence[str | Sequence[str]]], alt: str, joined: bool = True) -> None:
    """Show texts cut into pieces, one strip below the other; a piece is as wide as its text.

    Args:
        strips: by its title, the pieces of a strip; or several lists of pieces, drawn apart.
        alt: what a reader should see in them.
        joined: whether pieces of several letters have another color than single letters.
    """
    figure, axis = plt.subplots(figsize=(8.0, 0.46 * len(strips) + 0.2))
    right, lines = 0.0, []
    for row, (title, parts) in enumerate(strips.items()):
        words = [[part] if isinstance(part, str) else part for part in parts]
        axis.text(-0.8, -row, title, ha="right", va="center", fontsize=SMALL)
        left = 0.0
        for pieces in words:
            for piece in pieces:
                left = _draw_piece(axis, piece, left, -row, joined)
            left += GAP
        right = max(right, left)
        lines.append(f"{title}: " + "   ".join(" | ".join(pieces) for pieces in words))
    axis.set_xlim(-0.4, right)
    axis.set_ylim(0.6 - len(strips), 0.6)
    axis.axis("off")
    show(figure, alt, "\n".join(lines))


def _draw_piece(axis: Axes, piece: str, left: float, middle: float, joined: bool) -> float:
    """Draw a piece and return where it ends."""
    width = len(piece) + MARGIN
    color = paler(INPUT) if joined and len(piece) > 1 else "white"
    axis.add_patch(Rectangle((left, middle - 0.34), width, 0.68, facecolor=color, edgecolor="black"))
    place = {"ha": "center", "va": "center", "fontsize": SMALL, "family": "monospace"}
    axis.text(left + width / 2, middle, piece, **place)
    return left + width
