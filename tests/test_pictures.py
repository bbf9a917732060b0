"""The pictures that the README and the site begin with are those of the course as it is."""

import io
import json
import re
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from PIL import Image

from docs.pictures import draw
from grader.checking.rendering import result_text
from grader.figures.shown import png

PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)]+)\)")
# Of 255: a larger mean difference is not of how fonts are rendered.
NEARLY = 2


PAGES = [("README.md", "docs/pictures"), ("docs/index.md", "pictures")]


@pytest.mark.parametrize(("document", "folder"), PAGES)
def test_both_pictures_come_before_the_first_heading(document: str, folder: str, repository: Path) -> None:
    """Each with an alternative text that says more than its name."""
    beginning = (repository / document).read_text(encoding="utf-8").partition("\n## ")[0]
    shown = PICTURE.findall(beginning)
    assert [path for _, path in shown] == [f"{folder}/attention.png", f"{folder}/verdict.png"]
    assert all(len(alt) > 100 for alt, _ in shown)


def test_numbers_of_attention_are_those_of_today() -> None:
    """The numbers that the first picture shows, rounded as it shows them."""
    assert draw.shown_in(draw.ATTENTION) == draw.attention_text()


def test_attention_looks_as_it_would_be_drawn() -> None:
    """The file is what the course's code draws, but for how fonts are rendered."""
    with mpl.rc_context({"backend": "agg"}):
        now = Image.open(io.BytesIO(png(draw.drawn_attention())))
    then = Image.open(draw.ATTENTION)
    assert abs(now.width - then.width) <= 4 and abs(now.height - then.height) <= 4
    size, filtered = (200, 80), Image.Resampling.BOX
    now, then = (np.asarray(one.convert("RGB").resize(size, filtered), float) for one in (now, then))
    assert np.abs(now - then).mean() < NEARLY


def test_attention_is_that_of_chapter_8(repository: Path) -> None:
    """The weights are those that the chapter's own code computes."""
    path = repository / "solutions" / "ch08_numpy_attention" / "ch08_numpy_attention.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    outputs = [output.get("data", {}) for cell in cells for output in cell.get("outputs", [])]
    printed = ["".join(data.get("text/plain", "")) for data in outputs]
    (weights,) = (one for one in draw.attention_text().split("\n\n") if one.startswith("weights"))
    (shown,) = (one for one in printed if "\nthe target of the beginning\n" in one)
    mine = shown.partition("\nyours\n")[2].partition("\n\n")[0]
    assert mine.split() == weights.removeprefix("weights").split()


def test_verdict_is_that_of_today() -> None:
    """What the grader says of the known wrong answer, word for word."""
    assert draw.shown_in(draw.VERDICT) == result_text(draw.verdict())


def test_alternative_texts_are_true(repository: Path) -> None:
    """The numbers that they name are in the pictures, and so are the verdict's words."""
    readme = (repository / "README.md").read_text(encoding="utf-8")
    alts = [" ".join(alt.split()) for alt, _ in PICTURE.findall(readme)]
    for alt, shown in zip(alts, (draw.attention_text(), result_text(draw.verdict())), strict=True):
        numbers = re.findall(r"\d\.\d+", alt)
        assert numbers and all(number in shown for number in numbers)
    assert "A token sees what comes after it." in alts[1] and "A token sees what comes after it." in shown
