"""Honest work gets full marks whatever happened to its notebook; what hostile work leaves is text."""

# ruff: noqa: D103 - a kind of work says in its name what it is

from collections.abc import Callable

import nbformat
import pytest
from nbconvert import HTMLExporter

from grader.exercises import Chapter
from grader.reporting.feedback import feedback_page

V1, LAST = "ch04-self-attention-v1", "ch04-self-attention"
NOISE = """
    print("shape", x.shape)
    print("on stderr", file=sys.stderr)
    warnings.warn("large scores")
    logging.getLogger("mine").warning("logged")
    os.write(2, b"on the descriptor")
    torch.rand(3)
    for _ in tqdm(range(3)):
        pass
"""
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"


def cell_of(document: dict, name: str) -> dict:
    return next(one for one in document["cells"] if one.get("id") == name)


def text_of(cell: dict) -> str:
    return "".join(cell["source"])


def insert(document: dict, before: str, source: str, kind: str = "code") -> None:
    """Put a cell before another one."""
    place = document["cells"].index(cell_of(document, before))
    cell = {"cell_type": kind, "metadata": {}, "source": source}
    if kind == "code":
        cell |= {"outputs": [], "execution_count": None}
    document["cells"].insert(place, cell)


def noisy(document: dict) -> None:
    imports = "import logging, os, sys, warnings\nfrom tqdm import tqdm\n\n\ndef noise(x):" + NOISE
    answer = cell_of(document, LAST)
    head = next(line for line in text_of(answer).splitlines() if "def forward" in line)
    called = f"{head}\n        noise({head.split()[-1].rstrip('):')})"
    answer["source"] = imports + "\n\n" + text_of(answer).replace(head, called)


def helper_in_another_cell(document: dict) -> None:
    answer = cell_of(document, V1)
    insert(document, V1, "base = nn.Module")
    answer["source"] = text_of(answer).replace("(nn.Module)", "(base)")
    assert "(base)" in answer["source"]


def scratch_cells_that_raise(document: dict) -> None:
    for name in (V1, check_id_of(V1), LAST):
        insert(document, name, "1 / 0")
        insert(document, name, "this is no Python")
        insert(document, name, "not_defined_yet")


def magics(document: dict) -> None:
    insert(document, V1, "%time x = 1\n%matplotlib inline")
    insert(document, V1, "%%time\ny = 1")


def library_attention_beside(document: dict) -> None:
    source = "q = torch.rand(1, 3, 4)\nnn.functional.scaled_dot_product_attention(q, q, q)"
    insert(document, V1, source)
    insert(document, check_id_of(V1), source)


def translated_prose(document: dict) -> None:
    for cell in document["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = "Traduzido: ação, 中文\n\n```python\nclass SelfAttention_v1:\n    pass\n```"


def another_kernel_name(document: dict) -> None:
    document["metadata"]["kernelspec"] = {"name": "my-env", "display_name": "My env", "language": "python"}


def prose_deleted(document: dict) -> None:
    document["cells"] = [cell for cell in document["cells"] if cell["cell_type"] == "code"]


def saved_with_outputs(document: dict) -> None:
    for i, cell in enumerate(document["cells"]):
        if cell["cell_type"] == "code":
            cell["outputs"] = [{"output_type": "stream", "name": "stderr", "text": ["a warning\n"]}]
            cell["execution_count"] = i
            cell["metadata"] |= {"execution": {"iopub.execute_input": "2026-01-01"}, "scrolled": True}


def own_check_calls(document: dict) -> None:
    insert(document, check_id_of(V1), f'check("{V1}", SelfAttention_v1)\nprint("checked")')
    insert(document, V1, f'hint("{V1}")')


def another_default_dtype_and_seed(document: dict) -> None:
    insert(document, V1, "torch.set_default_dtype(torch.float64)\ntorch.manual_seed(7)\ntorch.rand(5)")


def check_id_of(name: str) -> str:
    return f"{name}-check"


@pytest.mark.parametrize(
    "work",
    [
        noisy,
        helper_in_another_cell,
        scratch_cells_that_raise,
        magics,
        library_attention_beside,
        translated_prose,
        another_kernel_name,
        prose_deleted,
        saved_with_outputs,
        own_check_calls,
        another_default_dtype_and_seed,
    ],
    ids=lambda work: work.__name__,
)
def test_honest_work_gets_full_marks(document: dict, really_graded: Callable, work: Callable) -> None:
    """Whatever else is in the notebook, and without a remark."""
    work(document)
    record = really_graded(document)
    assert {name: one.message for name, one in record.exercises.items() if one.status != "passed"} == {}
    assert record.score == record.max_score == 12
    assert record.notes == ()


def test_answer_that_ends_its_process_says_so(document: dict, really_graded: Callable) -> None:
    """The message names the cell and what it did; the neighbors keep their points."""
    cell_of(document, V1)["source"] = "import os\nos._exit(0)"
    record = really_graded(document)
    assert "The cell that should define SelfAttention_v1 ended the process" in record.exercises[V1].message
    assert record.exercises[LAST].status == "passed"


def test_answer_that_python_cannot_read_says_so(document: dict, really_graded: Callable) -> None:
    """A syntax error is told with its words."""
    cell_of(document, V1)["source"] = "class SelfAttention_v1(nn.Module:\n    pass"
    one = really_graded(document).exercises[V1]
    assert one.diagnosis == ("syntax-error",)
    assert "The cell that should define SelfAttention_v1 raised SyntaxError: " in one.message


def test_nothing_hostile_runs_in_what_is_written(
    document: dict, chapter: Chapter, really_graded: Callable
) -> None:
    """HTML in sources, text cells, printed output, errors and names is text on every page."""
    insert(document, V1, HOSTILE, "markdown")
    insert(document, V1, HOSTILE, "raw")
    insert(document, V1, f"print({HOSTILE!r})\nraise ValueError({HOSTILE!r})")
    head = "class SelfAttention_v1(nn.Module):\n    def __init__(self, *sizes):\n"
    cell_of(document, V1)["source"] = f"{head}        raise KeyError({HOSTILE!r})"
    cell_of(document, LAST)["source"] = f"raise ValueError({HOSTILE!r})"
    record = really_graded(document)
    exporter = HTMLExporter()
    page, _ = exporter.from_notebook_node(nbformat.reads(record.notebook, as_version=4))
    for made in (page, feedback_page(record, chapter, HOSTILE)):
        assert "<script>alert" not in made and "<img src=x" not in made
        assert "alert(1)" in made
