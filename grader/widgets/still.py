"""The explorer's still form: a picture, a description and numbers; the same for the same weights."""

import math

import matplotlib.pyplot as plt
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.cm import ScalarMappable
from matplotlib.figure import Figure

from grader.figures import COLORS, described, table
from grader.widgets.attention import Attention

# Up to these the picture writes each number, names each token, and the text has all numbers.
ANNOTATED_KEYS, ANNOTATED_HEADS = 8, 3
NAMED_TOKENS = 16
WRITTEN_KEYS, WRITTEN_NUMBERS = 16, 600
LARGEST_SHARES = 3
COLUMNS, NAMED_COLUMNS = 4, 2
DECIMALS = 2


def still(attention: Attention) -> dict[str, str]:
    """Return the bundle of a still output, as every figure of the course has it."""
    return described(_picture(attention), _description(attention), _numbers(attention))


def written(attention: Attention) -> str:
    """Return the still form's text alone, which takes no time to draw."""
    return f"{_description(attention)}\n{_numbers(attention)}"


def _description(attention: Attention) -> str:
    h, queries, keys = attention.weights.shape
    heads = f"{h} heads of " if h > 1 else ""
    return (
        f"Attention weights: {heads}{_count(queries, 'query', 'queries')} and {_count(keys, 'key', 'keys')}, "
        "queries down, keys across."
    )


def _count(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"


def _numbers(attention: Attention) -> str:
    """Return every weight if they are few, else what each head's last query attends to most."""
    if len(attention.keys) <= WRITTEN_KEYS and attention.weights.numel() <= WRITTEN_NUMBERS:
        return "\n\n".join(
            f"{name}\n{table(weights, attention.queries, attention.keys, DECIMALS)}"
            for name, weights in zip(attention.heads, attention.weights, strict=True)
        )
    lines = [f"The largest shares of the last query, {attention.queries[-1]}:"]
    for name, weights in zip(attention.heads, attention.weights, strict=True):
        lines.append(f"{name}: {_largest(weights[-1].tolist(), attention.keys)}")
    return "\n".join(lines)


def _largest(shares: list[float], keys: tuple[str, ...]) -> str:
    order = sorted(range(len(keys)), key=lambda i: (-round(shares[i], DECIMALS), i))[:LARGEST_SHARES]
    named = ", ".join(f"{keys[i]} ({i}) {shares[i]:.{DECIMALS}f}" for i in order)
    rest = sum(shares) - sum(shares[i] for i in order)
    others = _count(len(keys) - len(order), "other key", "other keys")
    return f"{named}; {others} together {rest:.{DECIMALS}f}"


def _picture(attention: Attention) -> Figure:
    h, rows, columns = attention.weights.shape
    annotated = columns <= ANNOTATED_KEYS and rows <= 2 * ANNOTATED_KEYS and h <= ANNOTATED_HEADS
    crowded = ANNOTATED_KEYS < max(rows, columns) <= NAMED_TOKENS  # named, but not annotated
    across = min(h, ANNOTATED_HEADS if annotated else NAMED_COLUMNS if crowded else COLUMNS)
    down = math.ceil(h / across)
    side = 4.0 if h <= 2 or crowded else 2.4
    width, height = (0.75 * columns + 1.6, 0.5 * rows + 1.2) if annotated else (side, side * rows / columns)
    width, height = max(width, 2.0), min(max(height, 1.4), 9.0)
    figure, axes = plt.subplots(
        down, across, squeeze=False, layout="constrained", figsize=(width * across, height * down)
    )
    for i, axis in enumerate(axes.flat):
        if i < h:
            _draw_head(axis, attention, i, annotated=annotated)
            axis.set_xlabel("key" if i + across >= h else "")
            axis.set_ylabel("query" if i % across == 0 else "")
        else:
            axis.axis("off")
    if not annotated:
        figure.colorbar(ScalarMappable(cmap=COLORS), ax=axes, label="weight", shrink=0.6)
    return figure


def _draw_head(axis: Axes, attention: Attention, head: int, *, annotated: bool) -> None:
    shares = attention.weights[head].numpy()
    if annotated:
        fmt = f".{DECIMALS}f"
        sns.heatmap(shares, ax=axis, annot=True, fmt=fmt, vmin=0.0, vmax=1.0, cmap=COLORS, cbar=False)
    else:  # the same in a fraction of the time, where there may be 50000 cells
        rows, columns = shares.shape
        axis.imshow(shares, vmin=0.0, vmax=1.0, cmap=COLORS, aspect="auto", extent=(0, columns, rows, 0))
    axis.set_title(_plain(attention.heads[head]))
    _name_ticks(axis.xaxis, attention.keys, rotation=0 if annotated else 90)
    _name_ticks(axis.yaxis, attention.queries, rotation=0)


def _name_ticks(axis: Axis, words: tuple[str, ...], rotation: int) -> None:
    """Name each row or column, where there is room."""
    if len(words) > NAMED_TOKENS:
        axis.set_ticks([])
    else:
        axis.set_ticks([i + 0.5 for i in range(len(words))], [_plain(word) for word in words])
        axis.set_tick_params(rotation=rotation)


def _plain(word: str) -> str:
    """Return a word as matplotlib shows it unchanged: a dollar would start a formula."""
    return word.replace("$", r"\$")
