"""The course's pictures can be read at the size at which a notebook shows them."""

import ast
import base64
import io
import re
from collections.abc import Callable
from gettext import NullTranslations
from pathlib import Path

import pytest
import torch
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from PIL import Image

from grader.colors import INPUT, KEY, MASKED, QUERY, SCORES, WEIGHTS, ink_on, paler
from grader.errors import GraderError
from grader.exercises import CHAPTERS
from grader.figures import (
    show_arrows,
    show_bars,
    show_curve,
    show_heatmaps,
    show_lines,
    show_mixture,
    show_pieces,
    show_products,
    shown,
    table,
)
from grader.figures.shown import DOTS_PER_INCH, MARGIN, WIDTH, described
from tests.figures.conftest import meeting, texts

# In points, of the smallest label; in pixels of CSS, of the column of the site in a window of 1280.
LEGIBLE, COLUMN = 8, 768

WORDS = ["Your", "journey", "starts", "with", "one", "step"]
SIX = torch.linspace(-11, 1, 36).reshape(6, 6)
CAUSAL = SIX.masked_fill(torch.ones(6, 6).triu(1).bool(), -torch.inf).softmax(dim=-1)
PLACES = torch.tensor([[1.0, 2.0], [4.0, 3.0], [2.0, 5.0]])
CALLS = {
    "arrows": (show_arrows, {"cat": [0.9, -0.8], "dog": [1.0, -0.9], "car": [0.8, 1.2], "bus": [0.9, 1.25]}),
    "bars": (show_bars, {"yours": SIX[0], "target": SIX[1]}, WORDS),
    "curve": (show_curve, [4.0, 2.0, 1.0], "step", "loss"),
    "four decimals": (show_heatmaps, {"yours": SIX, "in the book": SIX}),
    "long labels": (show_heatmaps, {"a": torch.ones(8, 16) / 16, "a title that is longer": torch.ones(8, 1)}),
    "lines": (show_lines, [1, 10, 40], {"one": [1, 2, 3], "two": [2, 3, 4], "three": [9, 9, 9]}),
    "mixture": (show_mixture, PLACES, torch.tensor([0.1, 0.3, 0.6]), "abc"),
    "pieces": (show_pieces, {"letters": [list("step"), list("top")], "joined": [["step"], ["t", "op"]]}),
    "products": (show_products, [[("x", 6, 3), "@", ("W", 3, 4), "=", ("query", 6, 4)]] * 5),
}
SETTINGS = {
    "four decimals": {"rows": WORDS, "columns": WORDS, "decimals": 4, "weights": True},
    "long labels": {"weights": True},
    "lines": {"x_name": "words", "y_name": "influence", "log": "y"},
    "mixture": {"marks": {"context": torch.zeros(2)}, "x": "first", "y": "second"},
}


@pytest.mark.parametrize("name", CALLS)
def test_labels_can_be_read(drawn: Callable, name: str) -> None:
    """No label is smaller than 8 points where the picture is shown, and none lies on another."""
    show, *arguments = CALLS[name]
    figure = drawn(show, *arguments, alt="", **SETTINGS.get(name, {}))
    assert min(text.get_fontsize() for text in texts(figure)) >= LEGIBLE
    assert not meeting(figure)


def chapter_equations() -> list[tuple[str, ast.Call]]:
    """Return the calls of ``show_products`` in the chapters' sources, by chapter."""
    calls = []
    for stem in CHAPTERS:
        source = Path(__file__).resolve().parents[2].joinpath("solutions", stem, f"{stem}.md").read_text()
        for cell in re.findall(r"^show_products\(\n.*?^\)\n", source, re.MULTILINE | re.DOTALL):
            calls.append((stem, ast.parse(cell, mode="eval").body))
    return calls


@pytest.mark.parametrize("call", [pytest.param(call, id=stem) for stem, call in chapter_equations()])
def test_equations_of_a_chapter_fit(drawn: Callable, call: ast.Call) -> None:
    """The target picture of a chapter has room for every name, and all of it lies inside."""
    figure = drawn(show_products, ast.literal_eval(call.args[0]), alt="")
    assert not meeting(figure)
    width, height = figure.get_size_inches() * figure.dpi
    for text in texts(figure):
        box = text.get_window_extent()
        assert box.x0 >= 0 and box.x1 <= width and box.y0 >= 0 and box.y1 <= height, text.get_text()


def test_pictures_of_the_chapters_fit_into_a_page(repository: Path) -> None:
    """No picture that a chapter draws is wider than its column, which would shrink its labels."""
    assert (WIDTH + 2 * MARGIN) * DOTS_PER_INCH <= COLUMN
    for stem in CHAPTERS:
        notebook = (repository / "solutions" / stem / f"{stem}.ipynb").read_text(encoding="utf-8")
        pictures = re.findall(r'<img alt=\\"(.*?)\\" width=\\"(\d+)\\"', notebook)
        assert pictures, stem
        for alt, width in pictures:
            assert int(width) <= COLUMN, (stem, alt)


def test_picture_is_shown_at_half_of_its_pixels(drawn: Callable) -> None:
    """A browser shows it at the size for which its fonts were chosen."""
    html = described(drawn(show_curve, [1.0, 2.0], "x", "y", alt=""), "what it shows", "1 2")["text/html"]
    width, data = re.search(r'width="(\d+)" src="data:image/png;base64,([^"]+)"', html).groups()
    assert int(width) == Image.open(io.BytesIO(base64.b64decode(data))).width // 2


def test_picture_has_a_caption_where_its_words_are_of_another_language(
    drawn: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Below the picture stands what it shows; in English its own words say that."""
    figures = [drawn(show_curve, [1.0, 2.0], "x", "y", alt="") for _ in range(2)]
    english = described(figures[0], "what <it> shows", "1 2")["text/html"]
    monkeypatch.setattr(shown, "spoken_here", NullTranslations)
    other = described(figures[1], "what <it> shows", "1 2")["text/html"]
    assert english.count("what &lt;it&gt; shows") == 1
    assert "<small>what &lt;it&gt; shows</small>" in other


def faces(axis: Axes) -> list[str]:
    """Return the colors of the rectangles that are drawn."""
    return [to_hex(patch.get_facecolor()) for patch in axis.patches]


UNFIT: dict[str, tuple[Callable, tuple, dict[str, object], str]] = {
    "no matrix": (show_heatmaps, ({"yours": torch.ones(2, 6, 6)},), {}, r"'yours' in the shape \(n, m\)"),
    "too few rows": (show_heatmaps, ({"yours": SIX[:4]},), {"rows": WORDS}, r"\(6, m\).* shape \(4, 6\)"),
    "other columns": (show_heatmaps, ({"yours": SIX},), {"columns": WORDS[:2]}, r"\(n, 2\).* shape \(6, 6\)"),
    "no vector": (show_bars, ({"yours": SIX}, WORDS), {}, r"'yours' in the shape \(6,\)"),
    "no shares": (
        *(show_mixture, (SIX[:, :2], SIX, WORDS), {"marks": {}, "x": "", "y": ""}),
        r"'shares' in the shape \(6,\)",
    ),
}


@pytest.mark.parametrize("name", UNFIT)
def test_result_of_another_shape_is_told(name: str) -> None:
    """A learner runs the next cell although the check has failed: the error says what a figure shows."""
    show, given, options, told = UNFIT[name]
    with pytest.raises(GraderError, match=told):
        show(*given, alt="", **options)


def test_matrices_have_the_color_of_their_kind(drawn: Callable) -> None:
    """What makes a query is a paler blue, and what has no kind is an input."""
    line = [("x", 6, 3), "@", ("W_query", 3, 2), "=", ("query", 6, 2), "@", ("key, transposed", 2, 6)]
    figure = drawn(show_products, [[*line, "=", ("scaled scores", 6, 6)]], alt="")
    assert faces(figure.axes[0]) == [INPUT, paler(QUERY), QUERY, KEY, SCORES]


def first_row(axis: Axes) -> list[str]:
    """Return the colors of a matrix's first row."""
    axis.figure.canvas.draw()
    (cells,) = axis.collections
    return [to_hex(color) for color in cells.get_facecolors()[: cells.get_array().shape[1]]]


def test_only_a_causal_matrix_is_gray_where_keys_come_later(drawn: Callable) -> None:
    """One later weight that is not 0, and nothing counts as masked."""
    leaking = CAUSAL.clone()
    leaking[0, 5] = 1e-6
    figure = drawn(show_heatmaps, {"right": CAUSAL, "leaking": leaking}, weights=True, alt="")
    right, wrong = map(first_row, figure.axes)
    assert right[1:] == [MASKED] * 5 and MASKED not in right[:1]
    assert MASKED not in wrong


def test_last_queries_of_a_text_are_masked(drawn: Callable) -> None:
    """Four queries of six keys: the first sees three of them."""
    figure = drawn(show_heatmaps, {"w": CAUSAL[2:]}, rows=WORDS[2:], columns=WORDS, weights=True, alt="")
    assert [color == MASKED for color in first_row(figure.axes[0])] == [False] * 3 + [True] * 3


def test_rows_that_are_no_keys_are_not_masked(drawn: Callable) -> None:
    """A weight of 0 in a row of a head, or of another text, is a small one."""
    figure = drawn(
        show_heatmaps, {"w": CAUSAL[4:]}, rows=["head 0", "head 1"], columns=WORDS, weights=True, alt=""
    )
    assert MASKED not in first_row(figure.axes[0])


@pytest.mark.parametrize("odd", [torch.nan, -torch.inf, torch.inf])
@pytest.mark.parametrize("weights", [True, False])
@pytest.mark.parametrize("every", [True, False])
def test_what_is_no_number_is_shown(drawn: Callable, odd: float, weights: bool, every: bool) -> None:
    """Whoever has NaN in the weights wants to see where: it is written, and gray only where masked."""
    values = torch.full((2, 3), odd) if every else torch.tensor([[0.1, odd, 0.9], [0.5, 0.2, 0.3]])
    figure = drawn(show_heatmaps, {"w": values}, weights=weights, alt="")
    figure.canvas.draw()
    written = [text.get_text() for text in figure.axes[0].texts]
    assert len(written) == 6
    assert written.count(str(odd)) == (6 if every else 1)


def test_numbers_can_be_read_on_their_cells(drawn: Callable) -> None:
    """Black or white, whichever has more contrast, as verdicts have them."""
    values = torch.linspace(0, 1, 12).reshape(3, 4)
    (axis,) = drawn(show_heatmaps, {"w": values}, weights=True, alt="").axes
    (cells,) = axis.collections
    inks = [to_hex(text.get_color()) for text in axis.texts]
    faces = [tuple(round(255 * part) for part in color[:3]) for color in cells.get_facecolors()]
    assert inks == [to_hex(ink_on(face)) for face in faces]
    assert set(inks) == {"#000000", "#ffffff"}


def test_strip_says_what_the_numbers_are(drawn: Callable) -> None:
    """A panel whose title says nothing of its kind is of the kind of the one before."""
    figure = drawn(show_heatmaps, {"your scores": SIX, "in the book": SIX, "weights": CAUSAL}, alt="")
    strips = [faces(axis) for axis in figure.axes]
    assert strips == [[SCORES], [SCORES], [WEIGHTS]]


def test_dollar_starts_no_formula(drawn: Callable) -> None:
    """Tokens of a text are shown as they are."""
    figure = drawn(show_heatmaps, {"$a$": SIX}, rows=["$x^$"] * 6, columns=["$_$"] * 6, alt="")
    figure.canvas.draw()
    labels = {text.get_text() for text in texts(figure)}
    assert {r"\$a\$", r"\$x^\$", r"\$_\$"} <= labels


def test_zero_has_no_sign() -> None:
    """A small negative number is shown as 0."""
    assert table(torch.tensor([[-0.004]]), ["a"], ["b"], 2).split() == ["b", "a", "0.00"]
