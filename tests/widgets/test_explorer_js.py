"""The browser's mathematics, run by node, agrees with torch's and matplotlib's."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import matplotlib as mpl
import pytest
import torch

from grader.topics.attention.widgets.tasks import COLDEST, HOTTEST, rows_of
from grader.topics.attention.widgets.weights import read_attention
from grader.topics.attention.widgets.words import templates
from grader.widgets import Task

node = shutil.which("node")
pytestmark = pytest.mark.skipif(node is None, reason="node is not installed")


@pytest.fixture
def js(tmp_path: Path, repository: Path) -> Callable[[str], object]:
    """Return a function that gives the value of an expression in which ``e`` is the explorer's module."""
    # Copied, for node takes a .js file as a module only below a package.json that says so.
    module = shutil.copy(
        repository / "grader" / "topics" / "attention" / "widgets" / "explorer.js", tmp_path / "explorer.mjs"
    )

    def value(expression: str) -> object:
        code = f"import * as e from '{Path(module).as_uri()}'; console.log(JSON.stringify({expression}))"
        command = [node, "--input-type=module", "--eval", code]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
        return json.loads(done.stdout)

    return value


def floats(values: torch.Tensor) -> str:
    """Return a tensor as JavaScript."""
    numbers = ",".join(str(x).replace("inf", "Infinity") for x in values.flatten().tolist())
    return f"new Float32Array([{numbers}])"


@pytest.mark.parametrize("temperature", [0.1, 0.5, 1.0, 2.0, 10.0])
@pytest.mark.parametrize("scale", [1.0, 300.0])
def test_softmax_is_torch_s(js: Callable, temperature: float, scale: float) -> None:
    """A row at any temperature is torch's softmax; large scores do not overflow, hidden keys stay at 0."""
    logits = scale * torch.randn(9, generator=torch.Generator().manual_seed(0))
    logits[[2, 5]] = -torch.inf
    found = torch.tensor(js(f"[...e.softmax({floats(logits)}, {temperature})]"), dtype=torch.float32)
    torch.testing.assert_close(found, (logits / temperature).softmax(dim=-1))
    assert found[2] == found[5] == 0


def test_sharpen_works_row_by_row(js: Callable) -> None:
    """Each row of a whole tensor gets its own softmax."""
    logits = torch.randn(2, 3, 4, generator=torch.Generator().manual_seed(1))
    weights = logits.softmax(dim=-1)
    found = js(f"[...e.sharpen({floats(weights)}, {floats(weights.log())}, 4, 0.25)]")
    torch.testing.assert_close(torch.tensor(found).reshape(2, 3, 4), (logits / 0.25).softmax(dim=-1))


def test_at_temperature_one_the_weights_are_as_given(js: Callable) -> None:
    """Not even rounding changes what was given, such as printed weights that sum to 0.99."""
    weights = torch.tensor([[0.33, 0.66]])
    found = js(f"[...e.sharpen({floats(weights)}, {floats(weights.log())}, 2, e.temperatureAt(0))]")
    assert torch.equal(torch.tensor([found]), weights)


def test_a_low_temperature_sharpens_and_a_high_one_flattens(js: Callable) -> None:
    """The largest share grows towards 1 on the left and falls towards an even share on the right."""
    weights = floats(torch.tensor([0.2, 0.3, 0.5]).log())
    peaks = js(f"[-1, -0.5, 0, 0.5, 1].map((x) => Math.max(...e.softmax({weights}, e.temperatureAt(x))))")
    assert peaks == sorted(peaks, reverse=True)
    assert peaks[0] == pytest.approx(0.5**10 / (0.5**10 + 0.3**10 + 0.2**10), abs=1e-6)


def test_colors_are_cividis(js: Callable) -> None:
    """Every color is within six steps of 255 of matplotlib's."""
    found = torch.tensor(js("Array.from({ length: 101 }, (_, i) => e.color(i / 100))"))
    expected = torch.tensor(mpl.colormaps["cividis"](torch.linspace(0, 1, 101).numpy())[:, :3] * 255)
    assert (found - expected).abs().max() <= 6


def test_ink_is_readable_on_every_color(js: Callable) -> None:
    """Black or white reaches WCAG's contrast of 4.5 to 1 on the whole scale."""
    pairs = js("Array.from({ length: 101 }, (_, i) => [e.color(i / 100), e.ink(e.color(i / 100))])")
    for rgb, ink in pairs:
        parts = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb]
        luminance = 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
        contrast = (luminance + 0.05) / 0.05 if ink == "#000" else 1.05 / (luminance + 0.05)
        assert contrast >= 4.5, rgb


def test_sentence_names_the_largest_and_no_hidden_key(js: Callable) -> None:
    """Equal shares come in the order of the text; a key of share 0 is never said to be attended to."""
    words = json.dumps(templates())
    assert js(f'e.sentence("step", ["a", "b", "c", "d"], [0.25, 0, 0.5, 0.25], {words})') == (
        "“step” attends most to “c” (0.50), then “a” (0.25), then “d” (0.25)."
    )
    assert js(f'e.sentence("Your", ["a", "b"], [1, 0], {words})') == "“Your” attends most to “a” (1.00)."


def test_shares_are_written_truly(js: Callable) -> None:
    """A small share is not written as none."""
    assert js("[0, 0.001, 0.005, 0.126, 1].map((x) => e.written(x))") == [
        "0",
        "<0.01",
        "0.01",
        "0.13",
        "1.00",
    ]
    assert js("e.written(0.00001, 4)") == "<0.0001"


@pytest.mark.parametrize("temperature", [0.1, 1.0, 10.0])
def test_sentence_is_the_one_that_answers_a_task(js: Callable, temperature: float) -> None:
    """What a task's row says in Python is what the browser says of it."""
    scores = 2 * torch.randn(3, 7, generator=torch.Generator().manual_seed(2))
    scores[:, 6] = -torch.inf
    words, said = list("abcdefg"), json.dumps(templates())
    attention = read_attention(scores.softmax(dim=-1), words, ["p", "q", "r"])
    task = Task("-", queries=[0, 1, 2], temperatures=[temperature])
    for row in rows_of(task, attention):
        query, shares = attention.queries[row.query], row.shares.tolist()
        assert row.seen.endswith(js(f'e.sentence("{query}", {json.dumps(words)}, {shares}, {said})'))


def test_a_row_is_seen_when_it_is_on_the_screen(js: Callable) -> None:
    """Head, query and temperature are the row's; farther out than its temperature is as good."""

    def shows(chosen: tuple[int, int, float], row: tuple[int, int, float]) -> bool:
        names = ("head", "query", "temperature")
        one, other = (json.dumps(dict(zip(names, values, strict=True))) for values in (chosen, row))
        return js(f"e.shows({one}, {other})")

    assert shows((1, 2, 1), (1, 2, 1))
    assert not shows((0, 2, 1), (1, 2, 1))
    assert not shows((1, 0, 1), (1, 2, 1))
    assert not shows((1, 2, 1.06), (1, 2, 1))
    assert [t for t in (0.1, 0.5, 0.53, 1, 10) if shows((1, 2, t), (1, 2, 0.5))] == [0.1, 0.5]
    assert [t for t in (0.1, 1, 1.88, 2, 10) if shows((1, 2, t), (1, 2, 2))] == [2, 10]


def test_the_slider_reaches_the_ends_of_tasks(js: Callable) -> None:
    """What a task may ask for at most is what the slider's ends give."""
    assert js("[e.temperatureAt(-1), e.temperatureAt(0), e.temperatureAt(1)]") == [COLDEST, 1, HOTTEST]
