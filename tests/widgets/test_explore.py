"""Which form a notebook gets, by who runs it."""

import re
from collections.abc import Iterator
from gettext import NullTranslations
from pathlib import Path

import nbformat
import numpy as np
import pytest
import torch
from jupyter_client import KernelManager
from jupyter_client.blocking import BlockingKernelClient

from grader.course.notebooks import execute, solution_notebook
from grader.course.source import read_source
from grader.exercises import Chapter
from grader.messages import speaking
from grader.topics.attention.widgets import words
from grader.widgets import Task, explore

VIEW = "application/vnd.jupyter.widget-view+json"
WORDS = ["one", "two", "three"]
CELL = """import torch
from grader.widgets import explore
explore(torch.eye(3), ["one", "two", "three"])"""


@pytest.fixture(scope="module")
def kernel() -> Iterator[BlockingKernelClient]:
    """Return a client of a kernel."""
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel()
    client = manager.client()
    client.start_channels()
    client.wait_for_ready(timeout=60)
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def results(client: BlockingKernelClient, source: str, *, somebody: bool) -> list[dict]:
    """Return the data of what a cell displays, asked for as JupyterLab does or as nbclient does."""
    found: list[dict] = []

    def keep(message: dict) -> None:
        assert message["msg_type"] != "error", message["content"]
        if message["msg_type"] == "display_data":
            found.append(message["content"]["data"])

    client.execute_interactive(
        source, allow_stdin=somebody, stdin_hook=lambda _: None, output_hook=keep, timeout=120
    )
    return found


def test_what_runs_notebooks_gets_the_still_form(kernel: BlockingKernelClient) -> None:
    """A request from a program is answered without a widget."""
    (still,) = results(kernel, CELL, somebody=False)
    assert set(still) == {"text/plain", "text/html"}


def test_somebody_gets_the_widget_and_below_it_the_still_form(kernel: BlockingKernelClient) -> None:
    """A request from a notebook's user is answered with a widget, and with the same text and picture, folded.

    They are two outputs: a widget whose kernel is gone hides whatever else is in its own.
    """
    view, folded = results(kernel, CELL, somebody=True)
    assert set(view) == {"text/plain", VIEW}
    assert view["text/plain"] == "No widget can be shown here; the pictures below show the same."
    (still,) = results(kernel, CELL, somebody=False)
    assert folded["text/plain"] == still["text/plain"]
    summary = "<summary>The explorer as pictures</summary>"
    assert folded["text/html"] == f"<details>{summary}{still['text/html']}</details>"


def test_outside_a_kernel_nobody_is_there() -> None:
    """A script gets the still form."""
    assert not explore(torch.eye(3), WORDS).interactive


def test_interactive_overrides() -> None:
    """A widget can be asked for, and gets the model's id."""
    explorer = explore(torch.eye(3), WORDS, interactive=True)
    (view, _), (folded, _) = explorer.outputs()
    assert view[VIEW]["model_id"] == explorer.widget.model_id
    assert folded["text/plain"] == repr(explorer)


def test_widget_has_what_the_browser_needs() -> None:
    """Numbers arrive as little-endian float32, words as lists, the choice at the last query."""
    weights = torch.tensor([[0.25, 0.75, 0.0], [0.5, 0.25, 0.25]])
    widget = explore(weights, WORDS, query_tokens=["a", "b"], interactive=True).widget
    sent = np.frombuffer(widget.weights, dtype="<f4").reshape(2, 3)
    assert np.array_equal(sent, weights.numpy())
    assert np.frombuffer(widget.logits, dtype="<f4")[2] == -np.inf
    assert (widget.query_words, widget.key_words, widget.head_names) == (["a", "b"], WORDS, ["weights"])
    assert (widget.head, widget.query, widget.key, widget.temperature) == (0, 1, 0, 1.0)


class Marked(NullTranslations):
    """A language in which every text stands in marks."""

    def gettext(self, message: str) -> str:
        """Return a text in marks."""
        return f"«{message}»"

    def ngettext(self, one: str, many: str, number: int) -> str:
        """Return one of two texts in marks."""
        return self.gettext(one if number == 1 else many)


def test_explorer_speaks_the_language_of_its_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the browser is sent, names of heads that nobody gave, and the form that is folded below."""
    for module in (speaking, words):
        monkeypatch.setattr(module, "spoken_here", Marked)
    monkeypatch.setattr(words, "wanted_language", lambda: "zh_CN")
    task = Task("Look.", queries=[0], heads=[0, 1])
    explorer = explore(torch.eye(3).expand(2, 3, 3), WORDS, tasks=[task], interactive=True)
    (view, _), (folded, _) = explorer.outputs()
    assert view["text/plain"].startswith("«")
    assert explorer.widget.words == {name: f"«{one.text}»" for name, one in words.WORDS.items()}
    assert explorer.widget.head_names == ["«head 0»", "«head 1»"]
    assert explore(torch.eye(3), WORDS, interactive=True).widget.language == "zh-CN"
    texts = re.findall(r'(?: alt="|<(?:p|li|summary)>)([^"<]+)', folded["text/html"])
    assert len(texts) == 8
    assert [one for one in texts if not one.startswith("«")] == []
    assert explore(
        torch.eye(3).expand(2, 3, 3), WORDS, heads=["a", "b"], interactive=True
    ).widget.head_names == [
        "a",
        "b",
    ]


def test_script_has_no_words_of_its_own(repository: Path) -> None:
    """It uses every word that it is sent, and no other; no text of an element is written in it."""
    folder = repository / "grader" / "topics" / "attention" / "widgets"
    script = (folder / "explorer.js").read_text(encoding="utf-8")
    assert {*re.findall(r"\bwords\.(\w+)\b(?!\()", script)} == {*words.WORDS}
    assert re.findall(r'"aria-label": "[^"]|"aria-label", "|}, "[A-Za-z]{3}', script) == []


def test_script_and_style_ask_no_network(repository: Path) -> None:
    """Nothing is loaded from anywhere: no import, no font, no address but the name of SVG."""
    folder = repository / "grader" / "topics" / "attention" / "widgets"
    text = "".join((folder / name).read_text(encoding="utf-8") for name in ("explorer.js", "explorer.css"))
    text = text.replace("http://www.w3.org/2000/svg", "")
    assert not [word for word in ("http", "//cdn", "import ", "@import", "fetch(", "url(") if word in text]


def test_build_saves_the_same_still_bytes_twice(tmp_path: Path, small: Chapter) -> None:
    """A built notebook holds the still form, no widget state, and does not change from build to build."""
    source = tmp_path / "tiny.md"
    source.write_text(f"# Looking\n\n```{{code-cell}} ipython3\n{CELL}\n```\n", encoding="utf-8")
    cells = read_source(source, small)
    built = [
        nbformat.writes(execute(solution_notebook(cells), source, tmp_path, cells, lambda *_: None))
        for _ in range(2)
    ]
    assert built[0] == built[1]
    notebook = nbformat.reads(built[0], as_version=4)
    assert set(notebook.cells[-1].outputs[0].data) == {"text/plain", "text/html"}
    assert "widgets" not in notebook.metadata
