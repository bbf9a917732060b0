"""Which differences between printed outputs are rounding, and which are not."""

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from tests.nbval_rounding import as_printed

PLUGINS = ("--nbval", "--nbval-current-env", "-p", "tests.nbval_rounding", "-p", "no:cacheprovider")


@pytest.mark.parametrize(
    ("got", "printed"),
    [
        ("0.00 0.11 0.00", "0.00 0.12 0.00"),
        ("-3  -0.0040  2.9960", "-3  -0.0041  2.9959"),
        ("tensor([1.0000, -0.0000])", "tensor([1.0000,  0.0000])"),
        ("1.0000e+00", "9.9999e-01"),
        ("loss 1.", "loss 2."),
    ],
)
def test_the_last_digit_may_be_rounded_otherwise(got: str, printed: str) -> None:
    """A number that is one unit of its last digit away, its sign and its place counted in, is as printed."""
    assert as_printed(got, printed) == printed


@pytest.mark.parametrize(
    ("got", "printed"),
    [
        ("0.11", "0.13"),
        ("torch.Size([2, 3])", "torch.Size([2, 4])"),
        ("3 tokens", "4 tokens"),
        ("0.11 a", "0.12 b"),
        ("0.11 0.50", "0.11"),
        ("0.1100", "0.1102"),
        ("nan", "0.11"),
    ],
)
def test_everything_else_has_to_be_the_same(got: str, printed: str) -> None:
    """Two units, whole numbers, words, and more or fewer numbers are no rounding."""
    assert as_printed(got, printed) == got != printed


def test_nbval_compares_so(tmp_path: Path, repository: Path) -> None:
    """A cell that prints 0.11 fits what is at most one unit away, and nothing else."""
    book = nbformat.v4.new_notebook()
    for printed in ("0.11\n", "0.12\n", "0.13\n", "word\n"):
        output = nbformat.v4.new_output("stream", name="stdout", text=printed)
        book.cells.append(nbformat.v4.new_code_cell("print(0.11)", execution_count=1, outputs=[output]))
    nbformat.write(book, tmp_path / "one.ipynb")
    command = [sys.executable, "-m", "pytest", str(tmp_path), *PLUGINS]
    run = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
    assert "2 failed, 2 passed" in run.stdout, run.stdout
    assert {f"one.ipynb::Cell {number}" in run.stdout for number in (2, 3)} == {True}
