"""What tests of the course's pictures share."""

from collections.abc import Callable, Iterator
from itertools import combinations

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from grader.figures import curves, matrices, pieces, products, vectors


@pytest.fixture(autouse=True)
def no_window() -> Iterator[None]:
    """Draw into memory, and leave no figure behind."""
    with mpl.rc_context({"backend": "agg"}):
        yield
    plt.close("all")


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Figure]:
    """Return a function that calls one that shows a picture, and returns the figure that it would show."""
    figures: list[Figure] = []
    for module in (curves, matrices, pieces, products, vectors):
        monkeypatch.setattr(module, "show", lambda figure, alt, numbers: figures.append(figure))

    def draw(show: Callable, *arguments: object, **settings: object) -> Figure:
        show(*arguments, **settings)
        return figures[-1]

    return draw


def texts(figure: Figure) -> list[Text]:
    """Return all that is written in a picture: not the labels of ticks beyond the end of an axis."""
    beyond = set()
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            beyond |= {tick.label1 for tick in axis.get_major_ticks() if not low <= tick.get_loc() <= high}
    written = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
    return [text for text in written if text not in beyond]


def meeting(figure: Figure) -> list[tuple[str, str]]:
    """Return pairs of texts in a picture of which one lies on the other."""
    figure.canvas.draw()
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts(figure)]
    return [(one, other) for (one, a), (other, b) in combinations(boxes, 2) if a.overlaps(b)]
