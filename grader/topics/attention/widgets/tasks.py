"""What a chapter suggests to try in an explorer, and the rows of weights that answer it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product

import torch

from grader.errors import WeightsError
from grader.messages import Message, message
from grader.messages.speaking import said
from grader.topics.attention.widgets.weights import Attention
from grader.topics.attention.widgets.words import worded

# Where the explorer's slider ends.
COLDEST, HOTTEST = 0.1, 10.0
NAMED_SHARES = 3


@dataclass(frozen=True)
class Task:
    """Something to try: look at the row of each of these heads, queries and temperatures.

    Attributes:
        ask: what to do and what to find out, one or two sentences.
        queries: positions, from 0.
        heads: positions, from 0.
        temperatures: from 0.1 to 10, where the slider ends.
    """

    ask: str
    queries: Sequence[int]
    heads: Sequence[int] = (0,)
    temperatures: Sequence[float] = (1.0,)


@dataclass(frozen=True)
class Row:
    """The shares of one query, in one head, at one temperature.

    Attributes:
        head: its position.
        query: its position.
        temperature: what divides the scores.
        shares: (T_k,), float64.
        common: which row it is, as pictures say it: what all rows of the task have in common; may be empty.
        own: the same, as far as they differ; may be empty.
        seen: what the query attends to in it, in words of this kernel's language: the row's answer.
    """

    head: int
    query: int
    temperature: float
    shares: torch.Tensor
    common: str
    own: str
    seen: str


def rows_of(task: Task, attention: Attention) -> list[Row]:
    """Return the rows that a task is about.

    Raises:
        WeightsError: the task names a head, a query or a temperature that the explorer does not have.
    """
    h, queries, _ = attention.weights.shape
    _check_positions("heads", task.heads, h)
    _check_positions("queries", task.queries, queries)
    for temperature in task.temperatures:
        if not COLDEST <= temperature <= HOTTEST:
            raise WeightsError(
                f"task.temperatures: expected numbers from {COLDEST} to {HOTTEST:g}, got {temperature}."
            )
    states = list(product(task.heads, task.queries, task.temperatures))
    if not states:
        raise WeightsError("task: expected at least one head, one query and one temperature, got none.")
    return [_row(task, attention, *state) for state in states]


def _check_positions(name: str, positions: Sequence[int], count: int) -> None:
    for position in positions:
        if not 0 <= position < count:
            raise WeightsError(f"task.{name}: expected positions from 0 to {count - 1}, got {position}.")


def _row(task: Task, attention: Attention, head: int, query: int, temperature: float) -> Row:
    weights, logits = attention.weights[head, query], attention.logits[head, query]
    shares = weights if temperature == 1 else (logits / temperature).softmax(dim=-1)  # (T_k,)
    heads = [(attention.heads[head], len(task.heads) > 1)] if len(attention.heads) > 1 else []
    temperatures = [(f"temperature {temperature:g}", len(task.temperatures) > 1)]
    if all(other == 1 for other in task.temperatures):
        temperatures = []
    # Each with whether the rows of the task differ in it.
    parts = [*heads, (f"query {attention.queries[query]}", len(task.queries) > 1), *temperatures]
    seen = _sentence(attention.queries[query], attention.keys, shares.tolist())
    place = {"head": attention.said_heads[head], "temperature": f"{temperature:g}", "sentence": seen}
    if heads and temperatures:
        seen = message("In {head}, temperature {temperature}: {sentence}", **place)
    elif heads:
        seen = message("In {head}: {sentence}", **place)
    elif temperatures:
        seen = message("At temperature {temperature}: {sentence}", **place)
    return Row(
        head=head,
        query=query,
        temperature=temperature,
        shares=shares,
        common=", ".join(part for part, differs in parts if not differs),
        own=", ".join(part for part, differs in parts if differs),
        seen=said(seen),
    )


def _sentence(query: str, keys: Sequence[str], shares: Sequence[float]) -> Message:
    """Return what a query attends to, as ``explorer.js`` says it."""
    order = sorted(range(len(keys)), key=lambda i: -shares[i])[:NAMED_SHARES]
    named = [worded("named", key=keys[i], share=_share(shares[i])) for i in order if shares[i] > 0]
    in_order = reduce(lambda second, first: worded("then", first=first, second=second), reversed(named))
    return worded("sentence", query=query, keys=in_order)


def _share(share: float) -> str:
    return "<0.01" if share < 0.005 else f"{share:.2f}"
