"""Where the sandbox's shell spares IPython work, what comes of a cell is what IPython makes of it."""

import ast
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from IPython.core.inputtransformer2 import TransformerManager

from grader.exercises import CHAPTERS
from grader.proving.bank import bank_path, read_bank
from grader.sandbox.shell import OF_IPYTHON, Transformer
from tests.sandbox.conftest import printed, text_of

# Cells of which IPython makes something else, and some that only look like it.
SPECIAL = (
    "%time 1",
    "x = 1\n%time x",
    "%%timeit\nx = 1",
    "!ls",
    "files = !ls",
    "files = \\\n  !ls",
    "now = %time 1",
    "len?",
    "len??  ",
    "?len",
    "x = 1\nx.real?\r\n",
    ",print a b",
    ";print a b",
    "/print 1",
    "    x = 1\n    y = 2",
    "\n\nx = 1",
    "\tx = 1",
    ">>> x = 1\n... y = 2",
    "x = 1\n>>> y = 2",
    "x = 1\n    >>> y = 2",
    "x = 1\n... ",
    "In [1]: x = 1",
    "[ins] In [1]: x = 1\n   ...: y = 2",
    "[nav] In [12]: x = 1",
    "   ...: x = 1",
    "x = '''\n   \n'''",
    "x = '''\n%time 1\n'''",
    "x = (7\n  % 3)",
    "x = 7 \\\n% 3",
    "x = 1  # is it?\ny = 2",
    "x = '?'\ny = '!'",
    "if True:\n    x = 1\n\n    y = 2",
    "for i in range(2):\n    %time i",
    "x = 1;",
    "x = 1 # = !ls",
    "ls",
    "",
    "\n",
    "x = 1\x0cy = 2",
    "x: int = 1\r\ny = 2\r\n",
    "f'{1=!r}'",
)


def own_sources(repository: Path) -> list[str]:
    """Return every code cell of the course and every answer in its bank."""
    sources = []
    for chapter in CHAPTERS.values():
        path = repository / "solutions" / chapter.stem / f"{chapter.stem}.ipynb"
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        sources += ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        for exercise in chapter.exercises:
            answers = read_bank(bank_path(repository / "solutions", exercise))
            sources += [answer.source for answer in answers]
    return sources


@pytest.mark.parametrize("cell", SPECIAL)
def test_special_cell_becomes_what_ipython_makes_of_it(cell: str) -> None:
    """Magics, help, prompts and indented cells are IPython's to change."""
    assert Transformer().transform_cell(cell) == TransformerManager().transform_cell(cell)


def test_own_cells_become_what_ipython_makes_of_them(repository: Path) -> None:
    """Every cell of the course and every answer; most are left alone without a look at their tokens."""
    sources = own_sources(repository)
    short, whole = Transformer(), TransformerManager()
    assert [one for one in sources if short.transform_cell(one) != whole.transform_cell(one)] == []
    assert sum(OF_IPYTHON.search(one) is None for one in sources) > 0.9 * len(sources)


def test_own_transformation_of_a_learner_is_applied() -> None:
    """A transformation that somebody adds to IPython's applies to plain cells too."""
    manager = Transformer()
    manager.line_transforms.append(lambda lines: [line.replace("one", "1") for line in lines])
    assert ast.literal_eval(manager.transform_cell("one")) == 1


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("import asyncio\nawait asyncio.sleep(0)\nprint('awaited')", "awaited"),
        ("async def one():\n    return 1\nprint(await one())", "1"),
        ("async with one: pass", "NameError"),
        ("import numpy\nnumpy.arange(3) ; ", "[]"),
        ("';'", "';'"),
        ("7  # a comment; with a semicolon", "7"),
        ("7; # a comment", "[]"),
        ("import torch\nprint(torch.manual_seed(3).initial_seed())", "3"),
    ],
)
def test_cell_runs_as_ipython_runs_it(run_cells: Callable, source: str, says: str) -> None:
    """Awaiting at the top of a cell, and a semicolon that silences its value."""
    (ran,) = run_cells(source)
    assert says in (printed(ran) or text_of(ran))
