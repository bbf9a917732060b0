"""``explore``: heads and tokens of attention as something to play with; still wherever nobody can."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import torch
from IPython.display import display

from grader.interactive import in_interactive_notebook
from grader.messages import message
from grader.messages.speaking import errors_said, said
from grader.topics.attention.widgets.still import folded, still, written
from grader.topics.attention.widgets.tasks import Task, rows_of
from grader.topics.attention.widgets.weights import Attention, read_attention

if TYPE_CHECKING:
    from grader.topics.attention.widgets.live import ExplorerWidget


# What a program shows that does not know widgets.
NO_WIDGET = message("No widget can be shown here; the pictures below show the same.")


class Explorer:
    """What ``explore`` returns: a notebook shows it as a widget, a picture or text, by what it can show."""

    def __init__(self, attention: Attention, tasks: Sequence[Task], *, interactive: bool) -> None:
        self.attention = attention
        self.tasks = [(task.ask, rows_of(task, attention)) for task in tasks]
        self.interactive = interactive

    @cached_property
    def widget(self) -> "ExplorerWidget":
        """The widget, made when it is first needed."""
        from grader.topics.attention.widgets.live import live  # noqa: PLC0415 - the still form does without anywidget

        return live(self.attention, self.tasks)

    def __repr__(self) -> str:
        """Return the still form's text, for a terminal."""
        return written(self.attention, self.tasks)

    def outputs(self) -> list[tuple[dict, dict]]:
        """Return what a notebook shows, each with its metadata: the still form, or the widget and it, folded.

        They are two outputs, for a widget whose kernel is gone leaves an error where it was, and what stands
        beside it in the same output is not shown.
        """
        if not self.interactive:
            return [(still(self.attention, self.tasks), {})]
        view, metadata = self.widget._repr_mimebundle_()
        return [
            ({**view, "text/plain": said(NO_WIDGET)}, metadata),
            (folded(self.attention, self.tasks), {}),
        ]

    def _ipython_display_(self) -> None:
        for data, metadata in self.outputs():
            display(data, metadata=metadata, raw=True)


@errors_said()
def explore(
    weights: torch.Tensor,
    tokens: Sequence[str],
    *,
    query_tokens: Sequence[str] | None = None,
    scores: torch.Tensor | None = None,
    heads: Sequence[str] | None = None,
    tasks: Sequence[Task] = (),
    interactive: bool | None = None,
) -> Explorer:
    """Show attention weights to be explored: by head, by query, and at other temperatures of the softmax.

    In a notebook that somebody has open it is a widget. Where a program runs the notebook (``grader build``,
    nbval, nbgrader, nbconvert), it is a picture with its numbers as text, the same bytes every time.
    JupyterLab forgets widgets with their kernel: in a notebook opened again, run the cell again, or unfold
    the picture below it.

    Args:
        weights: (T_q, T_k) or (h, T_q, T_k); what softmax over the last axis returned, before any dropout.
        tokens: T_k words, for the keys, and for the queries too if these are as many.
        query_tokens: T_q words, if the queries are other tokens than the keys.
        scores: of the shape of ``weights``; exactly what softmax was called on, with -inf for hidden keys.
            The temperature divides them. Without them it divides the logarithms of the weights, which comes
            to the same.
        heads: h names; "head 0" and so on by default.
        tasks: what to try. The widget says what was seen as soon as it is on the screen; the still form shows
            the rows and says it at once.
        interactive: whether to show the widget; by default, whether somebody is there.

    Returns:
        What the notebook displays as the value of a cell.

    Raises:
        WeightsError: these are not attention weights, the words are not as many as they, or a task names a
            row that there is not.

    Example:
        >>> explore(weights, "Your journey starts with one step".split())
    """
    attention = read_attention(weights, tokens, query_tokens, scores, heads)
    return Explorer(
        attention, tasks, interactive=in_interactive_notebook() if interactive is None else interactive
    )
