"""Reading answer banks."""

from collections.abc import Callable
from pathlib import Path

import pytest

from grader.errors import BankError, SourceError
from grader.proving.bank import Answer, apply_edit, read_bank

SETUP = "# %% setup\nimport torch\n\n"
BASE = '# %% correct="base"\ndef double(x):\n    y = 2 * x\n    return y\n\n'

ReadText = Callable[[str], tuple[Answer, ...]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the bank is."""
    return tmp_path / "ch99-double.py"


@pytest.fixture
def read(path: Path) -> ReadText:
    """Return a function that reads a bank of this text."""

    def of(text: str) -> tuple[Answer, ...]:
        path.write_text(text, encoding="utf-8")
        return read_bank(path)

    return of


def assert_refused(read: ReadText, path: Path, text: str, *parts: str) -> None:
    """Assert that a bank is refused with the file, the line of its last cell, and these parts of a text."""
    headers = [number for number, line in enumerate(text.splitlines(), 1) if line.startswith("# %%")]
    with pytest.raises(SourceError) as caught:
        read(text)
    assert str(caught.value).startswith(f"{path}:{headers[-1] if headers else 1}: "), caught.value
    assert all(part in str(caught.value) for part in parts), caught.value


def test_correct_variant_has_no_diagnosis(read: ReadText) -> None:
    """A cell marked as correct is an answer that must pass."""
    (answer,) = read(SETUP + BASE)
    assert (answer.name, answer.correct, answer.diagnosis) == ("base", True, ())


def test_setup_comes_before_every_answer(read: ReadText) -> None:
    """The setup stands once in the bank and at the head of every answer's program."""
    (answer,) = read(SETUP + BASE)
    assert answer.program.startswith("import torch\n")
    assert answer.program.endswith("    return y\n")
    assert "import torch" not in answer.source


def test_mistake_declares_its_code(read: ReadText) -> None:
    """A cell marked as a mistake declares the code that the grader must give."""
    (answer,) = read(SETUP + '# %% mistake="raises"\n1 / 0\n')
    assert (answer.name, answer.correct, answer.diagnosis) == ("raises", False, ("raises",))


def test_variant_of_a_mistake_has_its_code(read: ReadText) -> None:
    """What follows a colon tells variants apart and belongs to the name only."""
    (answer,) = read(SETUP + '# %% mistake="raises: by division"\n1 / 0\n')
    assert (answer.name, answer.diagnosis) == ("raises: by division", ("raises",))


def test_further_codes_follow_the_cause(read: ReadText) -> None:
    """Further codes come after the cause, in their order."""
    (answer,) = read(SETUP + '# %% mistake="no-softmax" also="wrong-shape raises"\npass\n')
    assert answer.diagnosis == ("no-softmax", "wrong-shape", "raises")


@pytest.mark.parametrize(
    ("place", "counts"),
    [("", [True, True, True]), ("cpu", [True, False, False]), ("device", [False, True, True])],
)
def test_mistake_may_be_one_on_some_devices_only(place: str, counts: list[bool], read: ReadText) -> None:
    """A mistake counts everywhere, on the CPU alone, or on every other device alone."""
    (answer,) = read(SETUP + f'# %% mistake="raises" on="{place}"\n1 / 0\n')
    assert [answer.counts_on(device) for device in ("cpu", "lazy", "cuda")] == counts


def test_unknown_place_is_refused(read: ReadText, path: Path) -> None:
    """A device that is none of these is a mistake in the bank."""
    assert_refused(read, path, SETUP + '# %% mistake="raises" on="tpu"\n1 / 0\n', "tpu")


def test_key_that_is_misspelled_is_refused(read: ReadText, path: Path) -> None:
    """With the one that was meant; the text of a cell is none of its header."""
    header = '# %% mistke="raises" edits="base"\n# - y = 2 * x\n'
    assert_refused(read, path, SETUP + BASE + header, "mistke is not known", "Did you mean mistake?")


@pytest.mark.parametrize("header", ["mistake=raises", 'mistake="raises'])
def test_header_that_cannot_be_read_is_refused(header: str, read: ReadText, path: Path) -> None:
    """A value without its quotes is told as that."""
    assert_refused(read, path, f"{SETUP}{BASE}# %% {header}\n1 / 0\n", header, 'expected key="value"')


def test_answers_keep_their_order(read: ReadText) -> None:
    """Answers come in the order of the bank."""
    names = ["b", "a", "c"]
    cells = "".join(f'# %% correct="{name}"\nx = 1\n\n' for name in names)
    assert [answer.name for answer in read(SETUP + cells)] == names


def test_edit_changes_the_answer_it_names(read: ReadText) -> None:
    """An edit is the named answer with its lines exchanged, and the named one stays as it is."""
    edit = '# %% mistake="raises" edits="base"\n# - y = 2 * x\n# + y = 1 / 0\n'
    base, edited = read(SETUP + BASE + edit)
    assert edited.source == base.source.replace("2 * x", "1 / 0")
    assert "2 * x" in base.source


def test_edit_of_an_edit(read: ReadText) -> None:
    """An edited answer can be edited again."""
    first = '# %% correct="sum" edits="base"\n# - y = 2 * x\n# + y = x + x\n\n'
    second = '# %% mistake="raises" edits="sum"\n# - y = x + x\n# + y = x + z\n'
    assert "y = x + z" in read(SETUP + BASE + first + second)[-1].source


@pytest.mark.parametrize(
    ("cell", "line", "told"),
    [
        ('# %% correct="sum"\n# a comment\ny = (2 *\n', 11, "this is not Python: '(' was never closed"),
        ('# %% correct="sum" edits="base"\n# - y = 2 * x\n# + y = 2 *\n', 9, "as it was edited, this is not"),
    ],
)
def test_right_answer_that_is_no_python_is_told_with_its_line(
    cell: str, line: int, told: str, read: ReadText, path: Path
) -> None:
    """Where it stands in the bank; where an edit makes it so, that of the cell."""
    with pytest.raises(SourceError) as caught:
        read(SETUP + BASE + cell)
    assert f"{path}:{line}: " in str(caught.value) and told in str(caught.value)


def test_missing_bank_is_named(path: Path) -> None:
    """An exercise without a bank is an error that names the file."""
    with pytest.raises(BankError) as caught:
        read_bank(path)
    assert f"{path} is missing" in str(caught.value)


def test_name_that_is_there_twice_is_refused(read: ReadText, path: Path) -> None:
    """Two answers of one name are an error that names it."""
    assert_refused(read, path, SETUP + BASE + BASE, "'base'", "twice")


def test_edit_of_an_unknown_answer_is_refused(read: ReadText, path: Path) -> None:
    """An edit of an answer that does not exist is an error that names both."""
    edit = '# %% mistake="raises" edits="bass"\n# - y = 2 * x\n'
    assert_refused(read, path, SETUP + BASE + edit, "'raises'", "'bass'")


def test_edit_of_a_later_answer_is_refused(read: ReadText) -> None:
    """An edit of an answer that comes after it is an error."""
    edit = '# %% mistake="raises" edits="base"\n# - y = 2 * x\n\n'
    with pytest.raises(SourceError, match=r":4: cell 'raises': it edits 'base', which does not come before"):
        read(SETUP + edit + BASE)


def test_edit_that_does_not_fit_is_refused(read: ReadText, path: Path) -> None:
    """An edit that takes out a line that is not there is an error that names cell and line."""
    edit = '# %% mistake="raises" edits="base"\n# - y = 3 * x\n'
    assert_refused(read, path, SETUP + BASE + edit, "'raises'", "y = 3 * x", "0 times")


def test_cell_that_declares_nothing_is_refused(read: ReadText, path: Path) -> None:
    """A cell that is neither a correct variant nor a mistake is an error."""
    assert_refused(read, path, SETUP + BASE + "# %%\nx = 1\n", "neither correct")


def test_cell_that_declares_both_is_refused(read: ReadText, path: Path) -> None:
    """A cell cannot be a correct variant and a mistake at once."""
    assert_refused(read, path, SETUP + '# %% correct="a" mistake="raises"\nx = 1\n', "'a'")


@pytest.mark.parametrize("text", ["", "\n\n"], ids=["empty", "blank"])
def test_empty_bank_is_refused(text: str, read: ReadText, path: Path) -> None:
    """A bank without cells is an error that names the file."""
    assert_refused(read, path, text)


def test_bank_without_setup_is_refused(read: ReadText, path: Path) -> None:
    """A bank that begins with an answer is an error: the answer would be lost."""
    assert_refused(read, path, BASE, "setup")


# Edits.

PROGRAM = "def f(x):\n    a = 1\n    if x:\n        b = 2\n    return a\n"


def test_new_lines_get_the_margin_of_the_old() -> None:
    """Lines that are put in are indented as those that they replace, deeper ones deeper."""
    edited = apply_edit(PROGRAM, "# - b = 2\n# + while x:\n# +     b = 3")
    assert edited.splitlines()[3:5] == ["        while x:", "            b = 3"]


def test_lines_can_be_taken_out() -> None:
    """An edit that only takes out leaves the other lines as they were."""
    assert apply_edit(PROGRAM, "# - a = 1").splitlines() == [
        line for line in PROGRAM.splitlines() if line.strip() != "a = 1"
    ]


def test_several_places_are_edited() -> None:
    """Each group of lines taken out and put in is a place of its own."""
    edited = apply_edit(PROGRAM, "# - a = 1\n# + a = 7\n# - return a\n# + return -a")
    assert "    a = 7\n" in edited
    assert edited.endswith("    return -a")


def test_consecutive_lines_are_found_together() -> None:
    """Lines that are taken out together have to stand together."""
    with pytest.raises(ValueError, match="0 times, expected once: lines that do not stand together need"):
        apply_edit(PROGRAM, "# - a = 1\n# - b = 2")


def test_line_that_is_there_twice_is_refused() -> None:
    """A line that is there more than once leaves open which is meant."""
    with pytest.raises(ValueError, match="2 times"):
        apply_edit("a = 1\na = 1\n", "# - a = 1\n# + a = 2")


@pytest.mark.parametrize("edit", ["a = 2", "# a = 2", "# + a = 2", "#- a = 1"])
def test_line_without_its_mark_is_refused(edit: str) -> None:
    """A line that neither takes out nor, after one that does, puts in is an error that shows it."""
    with pytest.raises(ValueError, match="expected a line with"):
        apply_edit(PROGRAM, edit)


@pytest.mark.parametrize("edit", ["", "\n\n"], ids=["empty", "blank"])
def test_edit_that_changes_nothing_is_refused(edit: str) -> None:
    """An edit without a marked line would be its base again and is an error."""
    with pytest.raises(ValueError, match="# - "):
        apply_edit(PROGRAM, edit)
