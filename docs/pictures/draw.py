"""Draw the pictures that the README and the site's first page begin with: ``make pictures``.

Each is made by the course's own code from its own numbers: attention weights of chapter 8, and the verdict
that ``check`` gives a known wrong answer. A PNG file holds, as its description, the text of what it shows, so
that a test without a browser can tell whether it is up to date.
"""

import math
import os
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.figure import Figure
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from playwright.sync_api import sync_playwright

from grader.checking.loading import load_subject
from grader.checking.notebook import judge_subject
from grader.checking.rendering import result_html, result_text
from grader.checking.result import Result
from grader.colors import CONTEXT, SCORES, WEIGHTS
from grader.exercises import find_exercise
from grader.figures import table
from grader.figures.matrices import CELL_HEIGHT, Style, draw_matrix
from grader.figures.shown import SHARPNESS, SMALL, WIDTH, png, text_width
from grader.proving.bank import bank_path, read_bank
from grader.references.published import constant

FOLDER = Path(__file__).resolve().parent
ATTENTION, VERDICT = FOLDER / "attention.png", FOLDER / "verdict.png"
DESCRIPTION = "Description"

# The words of the course, whose rows chapter 8 puts into its embedding table.
WORDS = ("Your", "journey", "starts", "with", "one", "step")
SEED = 8  # of the chapter's heads

EXERCISE, MISTAKE = "ch05-masked-weights", "mask-looks-ahead"
# As JupyterLab shows a cell and its output in a window of 1280 pixels.
OUTPUT_WIDTH = 860
STYLE = "body{margin:8px;font:13px/1.4 system-ui,Helvetica,Arial,sans-serif}table{font-size:12px}"
CODE = "background:#f5f5f5;border:1px solid #e0e0e0;margin:0 0 8px;padding:6px 10px"
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
CALL = f'check("{EXERCISE}", causal_attention_weights)'

# In inches: a cell's width, the gap between two matrices, the room above and below them.
CELL, GAP, ABOVE, BELOW = 0.42, 0.72, 0.4, 0.72


@dataclass(frozen=True)
class Head:
    """What the first head of chapter 8 computes of six words."""

    scores: torch.Tensor
    weights: torch.Tensor
    context: torch.Tensor


def computed() -> Head:
    """Return scores, weights and context of the head whose weights chapter 8 shows."""
    rows = constant("TOY").double()
    tokens, d = rows.shape
    angles = [[i / 10000 ** ((k - k % 2) / d) for k in range(d)] for i in range(tokens)]
    places = [[math.cos(a) if k % 2 else math.sin(a) for k, a in enumerate(row)] for row in angles]
    x = rows + torch.tensor(places, dtype=torch.float64)
    rng = np.random.default_rng(SEED)
    query, key, value = (x @ torch.from_numpy(rng.normal(size=(d, 2))) for _ in range(3))
    scores = query @ key.T / math.sqrt(key.shape[-1])
    hidden = torch.ones(tokens, tokens, dtype=torch.bool).triu(1)
    weights = scores.masked_fill(hidden, -torch.inf).softmax(dim=-1)
    return Head(scores, weights, weights @ value)


def attention_text() -> str:
    """Return the numbers of the first picture as text."""
    head, features = computed(), ("0", "1")
    return "\n\n".join(
        (
            f"scaled scores\n{table(head.scores, WORDS, WORDS, 1)}",
            f"weights\n{table(head.weights, WORDS, WORDS, 2)}",
            f"context\n{table(head.context, WORDS, features, 2)}",
        )
    )


def drawn_attention() -> Figure:
    """Return the first picture: from scores through the mask to weights, and to the context."""
    head = computed()
    panels = (
        ("scores: who fits whom", head.scores, SCORES, False),
        ("weights: who looks at whom", head.weights, WEIGHTS, True),
        ("context", head.context, CONTEXT, False),
    )
    left = text_width(WORDS) + 0.4
    height = ABOVE + CELL_HEIGHT * len(WORDS) + BELOW
    figure = plt.figure(figsize=(WIDTH, height))
    x, ends = left, []
    for title, values, kind, weights in panels:
        width = CELL * values.shape[1]
        box = (x / WIDTH, BELOW / height, width / WIDTH, CELL_HEIGHT * len(values) / height)
        axis = figure.add_axes(box)
        low, high = (0.0, 1.0) if weights else (float(values.min()), float(values.max()))
        columns = WORDS if values.shape[1] == len(WORDS) else None
        style = Style(WORDS, columns, low, high, 1 if values is head.scores else 2, weights, ("query", "key"))
        draw_matrix(axis, title, values, style, kind, first=x == left, upright=columns is not None)
        axis.set(ylabel="query" if x == left else "", xlabel="key" if columns else "feature")
        ends.append((x, x + width))
        x += width + GAP
    for between, text in zip(pairwise(ends), ("mask,\nsoftmax", "mix the\nvalues"), strict=True):
        (_, start), (end, _) = between
        _draw_arrow(figure, start, end, text)
    return figure


def _draw_arrow(figure: Figure, start: float, end: float, text: str) -> None:
    """Draw an arrow from one matrix to the next, and above it what is done; places are in inches."""
    width, height = figure.get_size_inches()
    middle = BELOW + CELL_HEIGHT * len(WORDS) / 2
    ends = ((end - 0.08) / width, middle / height), ((start + 0.08) / width, middle / height)
    arrow = {"arrowstyle": "-|>", "color": "black", "shrinkA": 0, "shrinkB": 0}
    figure.axes[0].annotate("", *ends, xycoords=figure.transFigure, arrowprops=arrow)
    place = (start + end) / 2 / width, (middle + 0.08) / height
    figure.text(*place, text, ha="center", va="bottom", fontsize=SMALL)


def verdict() -> Result:
    """Return the verdict that the second picture shows."""
    exercise = find_exercise(EXERCISE)
    bank = read_bank(bank_path(FOLDER.parents[1] / "solutions", exercise))
    (answer,) = (one for one in bank if one.name == MISTAKE)
    subject, _ = load_subject(answer.program, exercise.subject, f"<{answer.name}>")
    return judge_subject(EXERCISE, subject, "cpu")


def take_screenshot(html: str, path: Path) -> None:
    """Show a verdict in Chromium and write a picture of it, down to the numbers beside the target.

    Args:
        html: as a notebook shows it.
        path: the PNG file to write.
    """
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(
            viewport={"width": OUTPUT_WIDTH, "height": 900}, device_scale_factor=SHARPNESS
        )
        page.set_content(f'<!doctype html><style>{STYLE}</style><pre style="{CODE}">{CALL}</pre>{html}')
        end = page.locator("small").first.bounding_box()
        clip = {"x": 0, "y": 0, "width": OUTPUT_WIDTH, "height": end["y"] + end["height"] + 2}
        page.screenshot(path=path, clip=clip)
        browser.close()


def describe(path: Path, text: str) -> None:
    """Write what a picture shows into its file."""
    info = PngInfo()
    info.add_itxt(DESCRIPTION, text)
    with Image.open(path) as image:
        image.convert("RGB").quantize().save(path, pnginfo=info, optimize=True)


def shown_in(path: Path) -> str:
    """Return what a picture says that it shows."""
    with Image.open(path) as image:
        return image.text[DESCRIPTION]


def main() -> None:
    """Draw both pictures."""
    ATTENTION.write_bytes(png(drawn_attention()))
    describe(ATTENTION, attention_text())
    shown = verdict()
    take_screenshot(result_html(shown), VERDICT)
    describe(VERDICT, result_text(shown))


if __name__ == "__main__":
    main()
