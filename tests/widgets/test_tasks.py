"""What is to be tried in an explorer: which rows, what is said of them, in each form."""

import re
from pathlib import Path

import nbformat
import pytest
import torch

from grader.errors import WeightsError
from grader.topics.attention.widgets.tasks import rows_of
from grader.topics.attention.widgets.weights import read_attention
from grader.widgets import Task, explore

WORDS = ["a", "b", "c"]
SCORES = torch.tensor(
    [[[0.0, -torch.inf, -torch.inf], [1.0, 0.0, -torch.inf], [0.0, 1.0, 3.0]], [[1.0, 2.0, 3.0]] * 3]
)
ENDS = Task("Pull it to either end. What becomes of the row?", queries=[2], temperatures=[0.1, 10])

ANSWERED = """\
Try: Pull it to either end. What becomes of the row?
In head 0, temperature 0.1: “c” attends most to “c” (1.00), then “b” (<0.01), then “a” (<0.01).
In head 0, temperature 10: “c” attends most to “c” (0.39), then “b” (0.32), then “a” (0.29).
                     a      b      c
temperature 0.1   0.00   0.00   1.00
temperature 10    0.29   0.32   0.39"""


def shown(*tasks: Task, interactive: bool = False) -> list[dict[str, str]]:
    """Return the outputs of an explorer with tasks."""
    explorer = explore(SCORES.softmax(dim=-1), WORDS, tasks=tasks, interactive=interactive)
    return [data for data, _ in explorer.outputs()]


@pytest.mark.parametrize("temperature", [0.1, 0.5, 1, 10])
@pytest.mark.parametrize("head", [0, 1])
def test_shares_are_the_softmax_at_the_temperature(head: int, temperature: float) -> None:
    """What a row shows is what the slider would show; a hidden key keeps 0."""
    attention = read_attention(SCORES.softmax(dim=-1), WORDS)
    task = Task("-", heads=[head], queries=[0, 1, 2], temperatures=[temperature])
    found = torch.stack([row.shares for row in rows_of(task, attention)])
    expected = (SCORES[head].double() / temperature).softmax(dim=-1)
    torch.testing.assert_close(found, expected, rtol=1e-6, atol=1e-6)


def test_rows_are_of_each_head_query_and_temperature() -> None:
    """Each combination is one row, named by what it does not share with the others."""
    task = Task("-", heads=[0, 1], queries=[1, 2])
    rows = rows_of(task, read_attention(SCORES.softmax(dim=-1), WORDS))
    assert [(row.head, row.query, row.own) for row in rows] == [
        (0, 1, "head 0, query b"),
        (0, 2, "head 0, query c"),
        (1, 1, "head 1, query b"),
        (1, 2, "head 1, query c"),
    ]
    assert {row.common for row in rows} == {""}


def test_one_head_and_no_temperature_go_without_saying() -> None:
    """Of one matrix at temperature 1, a row is named by its query."""
    (row,) = rows_of(Task("-", queries=[0]), read_attention(torch.tensor([[0.75, 0.25]] * 2), ["x", "y"]))
    assert row.seen == "“x” attends most to “x” (0.75), then “y” (0.25)."


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (Task("-", queries=[3]), "task.queries: expected positions from 0 to 2, got 3."),
        (Task("-", queries=[-1]), "task.queries: expected positions from 0 to 2, got -1."),
        (Task("-", queries=[0], heads=[2]), "task.heads: expected positions from 0 to 1, got 2."),
        (
            Task("-", queries=[0], temperatures=[0.05]),
            "task.temperatures: expected numbers from 0.1 to 10, got 0.05.",
        ),
        (Task("-", queries=[]), "task: expected at least one head, one query and one temperature, got none."),
    ],
)
def test_what_cannot_be_chosen_is_refused(task: Task, message: str) -> None:
    """A task asks for nothing that the explorer's controls cannot show."""
    with pytest.raises(WeightsError) as caught:
        shown(task)
    assert str(caught.value) == message


def test_still_form_answers() -> None:
    """Where nobody can play, what is seen stands below what to try: as text and as a picture of the rows."""
    (bundle,) = shown(ENDS)
    assert bundle["text/plain"].endswith(f"\n\n{ANSWERED}")
    without, _, answer = bundle["text/html"].partition("<p>Try: Pull it to either end.")
    assert without == shown()[0]["text/html"]
    assert answer.count("<img ") == 1
    assert "<li>In head 0, temperature 0.1: “c” attends most to “c” (1.00)" in answer


def test_terminal_answers() -> None:
    """The text that a terminal prints has the same answers."""
    explorer = explore(SCORES.softmax(dim=-1), WORDS, tasks=[ENDS])
    assert repr(explorer) == shown(ENDS)[0]["text/plain"]


def test_many_keys_are_answered_by_the_largest_shares() -> None:
    """A row that is too long for a table is written as its largest shares."""
    words = [f"k{i}" for i in range(20)]
    explorer = explore(torch.eye(20), words, tasks=[Task("Look.", queries=[4])], interactive=False)
    assert repr(explorer).endswith(
        "“k4” attends most to “k4” (1.00).\n"
        "query k4: k4 (4) 1.00, k0 (0) 0.00, k1 (1) 0.00; 17 other keys together 0.00"
    )
    assert explorer.outputs()[0][0]["text/plain"] == repr(explorer)


def test_live_form_gets_the_tasks_and_folds_the_answers() -> None:
    """The widget is sent each row with its answer, none seen yet; the still form is one click away."""
    explorer = explore(SCORES.softmax(dim=-1), WORDS, tasks=[ENDS], interactive=True)
    (task,) = explorer.widget.tasks
    assert task["ask"] == ENDS.ask
    assert [(row["head"], row["query"], row["temperature"]) for row in task["rows"]] == [
        (0, 2, 0.1),
        (0, 2, 10),
    ]
    assert [row["seen"] for row in task["rows"]] == ANSWERED.split("\n")[1:3]
    assert explorer.widget.seen == []
    _, (folded, _) = explorer.outputs()
    still = shown(ENDS)[0]
    summary = "<summary>The explorer as pictures, with the answers to “Try”</summary>"
    assert folded == {**still, "text/html": f"<details>{summary}{still['text/html']}</details>"}


def answers(repository: Path, chapter: str) -> list[list[list[float]]]:
    """Return the shares that a built chapter's explorer answers with: for each task, for each row."""
    notebook = nbformat.read(repository / "solutions" / chapter / f"{chapter}.ipynb", as_version=4)
    (cell,) = (one for one in notebook.cells if re.search(r"^explore\(", one.source, re.MULTILINE))
    (output,) = cell.outputs
    _, *tasks = output.data["text/plain"].split("\n\nTry: ")
    numbers = re.compile(r"(?: +\d\.\d\d)+$", re.MULTILINE)
    return [[[float(one) for one in row.split()] for row in numbers.findall(task)] for task in tasks]


def test_chapter_6_says_what_is_seen(repository: Path) -> None:
    """At the cold end all weight goes to A, at the hot end 0.11 to 0.19 to each; token 0 keeps its 1."""
    (cold, hot), first = answers(repository, "ch06_multi_head_attention")
    assert cold == [0, 0, 0, 0, 0, 1, 0, 0]
    assert (hot[5], hot[1], {*hot} - {hot[5], hot[1]}) == (0.19, 0.15, {0.11})
    assert first == [[1, 0, 0, 0, 0, 0, 0, 0]] * 2


def test_chapter_10_says_what_is_seen(repository: Path) -> None:
    """Heads agree in the second round alone; a high temperature flattens a row, but not to even shares."""
    second, first, (given, hot) = answers(repository, "ch10_attention_at_work")
    assert all(row.index(max(row)) == 4 and max(row) > 0.9 for row in second)
    assert len({row.index(max(row)) for row in first}) > 1
    one, *others = sorted(first, key=max, reverse=True)
    assert one[2] == max(one) > 0.9
    assert all(max(row) < 0.7 and sum(row[1:4]) > 0.95 for row in others)
    assert max(given) == 0.98
    assert (max(hot), min(hot[:12]), set(hot[12:])) == (0.18, 0.02, {0.0})
