"""The explorer's still form: a picture, a description and numbers; the same for the same weights."""

import math
from collections.abc import Sequence
from html import escape

import matplotlib.pyplot as plt
import torch
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.cm import ScalarMappable
from matplotlib.figure import Figure

from grader.figures import COLORS, described, table
from grader.figures.matrices import Style, drawn_heatmaps
from grader.figures.shown import WIDTH, plain
from grader.messages import message, one_or_many
from grader.messages.speaking import said
from grader.topics.attention.widgets.tasks import Row
from grader.topics.attention.widgets.weights import Attention
from grader.topics.attention.widgets.words import worded

# What to try, each with the rows that answer it.
Tasks = Sequence[tuple[str, list[Row]]]

# Up to these the picture writes each number, names each token, and the text has all numbers.
ANNOTATED_KEYS, ANNOTATED_HEADS = 8, 3
NAMED_TOKENS = 16
WRITTEN_KEYS, WRITTEN_NUMBERS = 16, 600
LARGEST_SHARES = 3
COLUMNS, NAMED_COLUMNS = 4, 2
DECIMALS = 2


def still(attention: Attention, tasks: Tasks = ()) -> dict[str, str]:
    """Return the bundle of a still output, as every figure of the course has it; below it each task's."""
    bundles = [described(_picture(attention), _description(attention), _numbers(attention))]
    bundles += [_answered(attention, ask, rows) for ask, rows in tasks]
    return {
        "text/plain": "\n\n".join(bundle["text/plain"] for bundle in bundles),
        "text/html": "".join(bundle["text/html"] for bundle in bundles),
    }


def folded(attention: Attention, tasks: Tasks = ()) -> dict[str, str]:
    """Return the same bundle, to be opened with a click."""
    bundle = still(attention, tasks)
    what = message("The explorer as pictures")
    if tasks:
        what = message("The explorer as pictures, with the answers to “Try”")
    html = f"<details><summary>{escape(said(what))}</summary>{bundle['text/html']}</details>"
    return {**bundle, "text/html": html}


def written(attention: Attention, tasks: Tasks = ()) -> str:
    """Return the still form's text alone, which takes no time to draw."""
    parts = [f"{_description(attention)}\n{_numbers(attention)}"]
    parts += [f"{_answer(ask, rows)}\n{_row_numbers(attention, rows)}" for ask, rows in tasks]
    return "\n\n".join(parts)


def _answered(attention: Attention, ask: str, rows: list[Row]) -> dict[str, str]:
    """Return the bundle of a task: what to try, its rows as a picture, what is seen in them."""
    text = _answer(ask, rows)
    numbers = _row_numbers(attention, rows)
    picture = described(_row_picture(attention, rows), _row_description(rows), numbers)
    items = "".join(f"<li>{escape(row.seen)}</li>" for row in rows)
    html = f"<p>{escape(_try(ask))}</p><ul>{items}</ul>{picture['text/html']}"
    return {"text/plain": f"{text}\n{numbers}", "text/html": html}


def _answer(ask: str, rows: list[Row]) -> str:
    return "\n".join([_try(ask), *(row.seen for row in rows)])


def _try(ask: str) -> str:
    return said(worded("try", task=ask))


def _row_names(rows: list[Row]) -> list[str]:
    """Return what each row is called beside its numbers."""
    return [row.own or row.common for row in rows]


def _row_description(rows: list[Row]) -> str:
    seen = rows[0].seen
    for row in rows[1:]:
        seen = message("{rows} • {row}", rows=seen, row=row.seen)
    told = one_or_many(
        "Attention weights of {count} row. {seen}",
        "Attention weights of {count} rows. {seen}",
        count=len(rows),
        seen=seen,
    )
    return said(told)


def _row_numbers(attention: Attention, rows: list[Row]) -> str:
    if len(attention.keys) <= WRITTEN_KEYS:
        return table(torch.stack([row.shares for row in rows]), _row_names(rows), attention.keys, DECIMALS)
    named = zip(_row_names(rows), rows, strict=True)
    return "\n".join(_largest(name, row.shares.tolist(), attention.keys) for name, row in named)


def _row_picture(attention: Attention, rows: list[Row]) -> Figure:
    shares, names = torch.stack([row.shares for row in rows]).double(), _row_names(rows)
    title = rows[0].common if rows[0].own else ""
    if len(attention.keys) <= NAMED_TOKENS:
        return drawn_heatmaps({title: shares}, _style(names, attention.keys, ("", "key")))
    figure, axis = plt.subplots(layout="constrained", figsize=(WIDTH, 0.45 * len(rows) + 1.0))
    _draw_colors(axis, shares)
    _name_ticks(axis.xaxis, attention.keys, rotation=90)
    _name_ticks(axis.yaxis, names, rotation=0)
    axis.set_xlabel("key")
    axis.set_title(plain(title))
    figure.colorbar(ScalarMappable(cmap=COLORS), ax=axis)
    return figure


def _style(rows: Sequence[str], columns: Sequence[str], axes: tuple[str, str] = ("query", "key")) -> Style:
    """Return how weights are drawn with their numbers."""
    return Style(rows, columns, 0.0, 1.0, DECIMALS, weights=True, axes_of_weights=axes)


def _description(attention: Attention) -> str:
    h, queries, keys = attention.weights.shape
    parts = {
        "queries": one_or_many("{count} query", "{count} queries", count=queries),
        "keys": one_or_many("{count} key", "{count} keys", count=keys),
    }
    told = message("Attention weights: {queries} and {keys}, queries down, keys across.", **parts)
    if h > 1:
        told = message(
            "Attention weights: {heads} heads of {queries} and {keys}, queries down, keys across.",
            heads=h,
            **parts,
        )
    return said(told)


def _numbers(attention: Attention) -> str:
    """Return every weight if they are few, else what each head's last query attends to most."""
    if len(attention.keys) <= WRITTEN_KEYS and attention.weights.numel() <= WRITTEN_NUMBERS:
        return "\n\n".join(
            f"{name}\n{table(weights, attention.queries, attention.keys, DECIMALS)}"
            for name, weights in zip(attention.heads, attention.weights, strict=True)
        )
    lines = [said(message("The largest shares of the last query, {query}:", query=attention.queries[-1]))]
    for name, weights in zip(attention.said_heads, attention.weights, strict=True):
        lines.append(_largest(name, weights[-1].tolist(), attention.keys))
    return "\n".join(lines)


def _largest(row: str, shares: list[float], keys: tuple[str, ...]) -> str:
    """Return a row's largest shares in a line."""
    order = sorted(range(len(keys)), key=lambda i: (-round(shares[i], DECIMALS), i))[:LARGEST_SHARES]
    named = ", ".join(f"{keys[i]} ({i}) {shares[i]:.{DECIMALS}f}" for i in order)
    rest = sum(shares) - sum(shares[i] for i in order)
    parts = {"row": row, "shares": named, "rest": f"{rest:.{DECIMALS}f}"}
    return said(
        one_or_many(
            "{row}: {shares}; {count} other key together {rest}",
            "{row}: {shares}; {count} other keys together {rest}",
            count=len(keys) - len(order),
            **parts,
        )
    )


def _picture(attention: Attention) -> Figure:
    h, rows, columns = attention.weights.shape
    if columns <= ANNOTATED_KEYS and rows <= 2 * ANNOTATED_KEYS and h <= ANNOTATED_HEADS:
        heads = dict(zip(attention.heads, attention.weights.double(), strict=True))
        return drawn_heatmaps(heads, _style(attention.queries, attention.keys))
    crowded = ANNOTATED_KEYS < max(rows, columns) <= NAMED_TOKENS  # named, but not annotated
    across = min(h, NAMED_COLUMNS if crowded else COLUMNS)
    down = math.ceil(h / across)
    side = min(4.0 if h <= 2 or crowded else 2.4, WIDTH / across)
    height = min(max(side * rows / columns, 1.4), 9.0)
    size = (side * across, height * down)
    figure, axes = plt.subplots(down, across, squeeze=False, layout="constrained", figsize=size)
    for i, axis in enumerate(axes.flat):
        if i < h:
            _draw_head(axis, attention, i)
            axis.set_xlabel("key" if i + across >= h else "")
            axis.set_ylabel("query" if i % across == 0 else "")
        else:
            axis.axis("off")
    figure.colorbar(ScalarMappable(cmap=COLORS), ax=axes, label="weight", shrink=0.6)
    return figure


def _draw_head(axis: Axes, attention: Attention, head: int) -> None:
    _draw_colors(axis, attention.weights[head])
    axis.set_title(plain(attention.heads[head]))
    _name_ticks(axis.xaxis, attention.keys, rotation=90)
    _name_ticks(axis.yaxis, attention.queries, rotation=0)


def _draw_colors(axis: Axes, weights: torch.Tensor) -> None:
    """Draw weights without their numbers: there may be 50000 cells."""
    rows, columns = weights.shape
    extent = (0, columns, rows, 0)
    axis.imshow(weights.numpy(), vmin=0.0, vmax=1.0, cmap=COLORS, aspect="auto", extent=extent)


def _name_ticks(axis: Axis, words: Sequence[str], rotation: int) -> None:
    """Name each row or column, where there is room."""
    if len(words) > NAMED_TOKENS:
        axis.set_ticks([])
    else:
        axis.set_ticks([i + 0.5 for i in range(len(words))], [plain(word) for word in words])
        axis.set_tick_params(rotation=rotation)
