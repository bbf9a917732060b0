"""The explorer's still form: exact text, and the same bytes every time."""

from itertools import pairwise

import matplotlib.pyplot as plt
import torch

from grader.topics.attention.widgets.still import _picture
from grader.topics.attention.widgets.weights import read_attention
from grader.widgets import explore

WEIGHTS = torch.tensor([[[1.0, 0.0, 0.0], [0.25, 0.75, 0.0]], [[0.2, 0.3, 0.5], [0.125, 0.125, 0.75]]])
KEYS = ["a", "journey", "b"]
QUERIES = ["one", "two"]

FEW = """\
Attention weights: 2 heads of 2 queries and 3 keys, queries down, keys across.
head 0
          a journey       b
one    1.00    0.00    0.00
two    0.25    0.75    0.00

head 1
          a journey       b
one    0.20    0.30    0.50
two    0.12    0.12    0.75"""

MANY = """\
Attention weights: 1 query and 20 keys, queries down, keys across.
The largest shares of the last query, last:
weights: k3 (3) 0.50, k0 (0) 0.25, k7 (7) 0.25; 17 other keys together 0.00"""


def still(*arguments: object, **options: object) -> dict[str, str]:
    """Return the bundle of what is not to be interactive."""
    ((bundle, _),) = explore(*arguments, **options, interactive=False).outputs()
    return bundle


def test_few_numbers_are_all_written() -> None:
    """The text has every weight, in the course's tables."""
    assert still(WEIGHTS, KEYS, query_tokens=QUERIES)["text/plain"] == FEW


def test_of_many_numbers_the_largest_are_written() -> None:
    """Of more tokens than a table holds, the text says what each head's last query attends to most."""
    weights = torch.zeros(1, 20)
    weights[0, [3, 0, 7]] = torch.tensor([0.5, 0.25, 0.25])
    bundle = still(weights, [f"k{i}" for i in range(20)], query_tokens=["last"])
    assert bundle["text/plain"] == MANY


def test_bundle_is_text_and_a_described_picture() -> None:
    """Nothing in it needs a kernel, a script or a network."""
    bundle = still(WEIGHTS, KEYS, query_tokens=QUERIES)
    assert set(bundle) == {"text/plain", "text/html"}
    assert 'alt="Attention weights: 2 heads of 2 queries and 3 keys' in bundle["text/html"]
    assert "data:image/png;base64," in bundle["text/html"]
    assert "script" not in bundle["text/html"]
    assert "http" not in bundle["text/html"]


def test_still_form_is_the_same_every_time() -> None:
    """Two calls give the same bytes, picture included, few numbers or many."""
    assert still(WEIGHTS, KEYS, query_tokens=QUERIES) == still(WEIGHTS, KEYS, query_tokens=QUERIES)
    many = torch.ones(5, 20, 20).softmax(dim=-1)
    assert still(many, ["word"] * 20) == still(many, ["word"] * 20)


def test_words_that_matplotlib_or_html_would_read_are_only_shown() -> None:
    """A dollar starts no formula, and a tag is no tag."""
    bundle = still(torch.eye(3), ["$x^$", "<b>", "&"])
    assert "&lt;b&gt;" in bundle["text/html"]
    assert "<b>" in bundle["text/plain"]


def test_terminal_shows_the_text() -> None:
    """Outside notebooks the value of ``explore`` prints as its text."""
    assert repr(explore(WEIGHTS, KEYS, query_tokens=QUERIES)) == FEW


def test_names_of_sixteen_tokens_do_not_overlap() -> None:
    """As many tokens as are named at all have room for their names, with one head and with several."""
    words = [f"{i} A" for i in range(16)]
    for h in (1, 4, 5):
        weights = torch.ones(h, 16, 16).softmax(dim=-1)
        figure = _picture(read_attention(weights, words))
        figure.draw_without_rendering()
        for axis in figure.axes[:h]:
            across = [label.get_window_extent() for label in axis.get_xticklabels()]
            down = [label.get_window_extent() for label in axis.get_yticklabels()]
            assert all(left.x1 <= right.x0 for left, right in pairwise(across))
            assert all(upper.y0 >= lower.y1 for upper, lower in pairwise(down))
        plt.close(figure)
