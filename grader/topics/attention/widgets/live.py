"""The explorer's live form, loaded only where somebody is there: elsewhere anywidget is not needed."""

from pathlib import Path

import anywidget
import numpy as np
import torch
import traitlets

from grader.topics.attention.widgets.tasks import Row
from grader.topics.attention.widgets.weights import Attention
from grader.topics.attention.widgets.words import language_tag, templates

FOLDER = Path(__file__).parent


def _bytes(values: torch.Tensor) -> bytes:
    """Return numbers as the browser reads them."""
    return np.ascontiguousarray(values.numpy(), dtype="<f4").tobytes()


class ExplorerWidget(anywidget.AnyWidget):
    """What ``explorer.js`` is sent: everything, once; so it works while the kernel is busy, or gone.

    ``words`` are the templates of what it says, in ``language``. The last five are what is chosen,
    and which rows of the tasks were seen. They stay in the browser, where all views of one explorer share
    them.
    """

    _esm = FOLDER / "explorer.js"
    _css = FOLDER / "explorer.css"

    weights = traitlets.Bytes().tag(sync=True)
    logits = traitlets.Bytes().tag(sync=True)
    scored = traitlets.Bool().tag(sync=True)
    query_words = traitlets.List(traitlets.Unicode()).tag(sync=True)
    key_words = traitlets.List(traitlets.Unicode()).tag(sync=True)
    head_names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    language = traitlets.Unicode().tag(sync=True)

    tasks = traitlets.List().tag(sync=True)

    head = traitlets.Int(0).tag(sync=True)
    query = traitlets.Int(0).tag(sync=True)
    key = traitlets.Int(0).tag(sync=True)
    temperature = traitlets.Float(1.0).tag(sync=True)
    seen = traitlets.List(traitlets.Int()).tag(sync=True)


def _state(row: Row) -> dict:
    return {"head": row.head, "query": row.query, "temperature": row.temperature, "seen": row.seen}


def live(attention: Attention, tasks: list[tuple[str, list[Row]]]) -> ExplorerWidget:
    """Return a widget that starts at the first head and the last query, from which no mask hides a key."""
    last = attention.weights[0, -1]
    return ExplorerWidget(
        weights=_bytes(attention.weights),
        logits=_bytes(attention.logits),
        scored=attention.scored,
        query_words=list(attention.queries),
        key_words=list(attention.keys),
        head_names=list(attention.said_heads),
        words=templates(),
        language=language_tag(),
        tasks=[{"ask": ask, "rows": [_state(row) for row in rows]} for ask, rows in tasks],
        query=len(attention.queries) - 1,
        key=int(last.argmax()),
    )
