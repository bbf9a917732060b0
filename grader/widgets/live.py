"""The explorer's live form, loaded only where somebody is there: elsewhere anywidget is not needed."""

from pathlib import Path

import anywidget
import numpy as np
import torch
import traitlets

from grader.widgets.attention import Attention

FOLDER = Path(__file__).parent


def _bytes(values: torch.Tensor) -> bytes:
    """Return numbers as the browser reads them."""
    return np.ascontiguousarray(values.numpy(), dtype="<f4").tobytes()


class ExplorerWidget(anywidget.AnyWidget):
    """What ``explorer.js`` is sent: everything, once; so it works while the kernel is busy, or gone.

    The last four are what is chosen. They stay in the browser, where all views of one explorer share them.
    """

    _esm = FOLDER / "explorer.js"
    _css = FOLDER / "explorer.css"

    weights = traitlets.Bytes().tag(sync=True)
    logits = traitlets.Bytes().tag(sync=True)
    scored = traitlets.Bool().tag(sync=True)
    query_words = traitlets.List(traitlets.Unicode()).tag(sync=True)
    key_words = traitlets.List(traitlets.Unicode()).tag(sync=True)
    head_names = traitlets.List(traitlets.Unicode()).tag(sync=True)

    head = traitlets.Int(0).tag(sync=True)
    query = traitlets.Int(0).tag(sync=True)
    key = traitlets.Int(0).tag(sync=True)
    temperature = traitlets.Float(1.0).tag(sync=True)


def live(attention: Attention) -> ExplorerWidget:
    """Return a widget that starts at the first head and the last query, from which no mask hides a key."""
    last = attention.weights[0, -1]
    return ExplorerWidget(
        weights=_bytes(attention.weights),
        logits=_bytes(attention.logits),
        scored=attention.scored,
        query_words=list(attention.queries),
        key_words=list(attention.keys),
        head_names=list(attention.heads),
        query=len(attention.queries) - 1,
        key=int(last.argmax()),
    )
