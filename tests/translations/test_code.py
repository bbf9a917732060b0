"""Walking over the texts of a code cell: only comments, docstrings and alternative texts change."""

import ast

import pytest

from grader.errors import GraderError
from grader.translations.code import normal_code, translated_code

CELL = '''%matplotlib inline
import torch  # (T, d)

# Two lines of a comment
# are one text.
def rows(x, key):
    """Give the rows of x.

    A paragraph of two
    lines.

    Arguments:
        x: (T, d), any number of
            tokens; not "to be" changed.
        key, value: of the same shape.

    Returns:
        a tuple of two tensors:
            first (T, d): the rows.
            second: what is left; it goes
                on.
        Gradients flow back.

    >>> rows(1)
    """
    ### BEGIN SOLUTION
    return x  # the rows
    ### END SOLUTION


print("a text → that is code")  # said at the end
show(rows, title="drawn", alt="Three é rows, " "and 'two' columns.")
alt = f"It has {len('é')} rows {{so}}."
tasks = [Task("Choose a row." " What do you see?", queries=[7]), other("this is code")]
'''
TEXTS = [
    "Two lines of a comment are one text.",
    "Give the rows of x.",
    "A paragraph of two lines.",
    "Arguments:",
    'x: (T, d), any number of tokens; not "to be" changed.',
    "key, value: of the same shape.",
    "Returns:",
    "a tuple of two tensors:",
    "first (T, d): the rows.",
    "second: what is left; it goes on.",
    "Gradients flow back.",
    "said at the end",
    "Three é rows, and 'two' columns.",
    "It has {len('é')} rows {{so}}.",
    "Choose a row. What do you see?",
]


def test_texts_are_found_in_their_order() -> None:
    """Solutions and other strings are none of them; looking at them changes nothing."""
    found = []
    assert translated_code(CELL, lambda text: found.append(text) or text) == CELL
    assert found == TEXTS


def test_code_stays_the_same() -> None:
    """Whatever a text becomes, with quotes and more words, the code is the code that it was."""
    made = translated_code(CELL, lambda text: f"«{text} {'more words ' * 12}»")
    assert made != CELL
    assert normal_code(made) == normal_code(CELL)
    assert all(line in made for line in ("    return x  # the rows", "    >>> rows(1)", "%matplotlib inline"))
    assert max(map(len, made.replace("# «said", "\0").split("\0")[0].split("\n"))) <= 88


def test_alternative_text_is_the_translation() -> None:
    """A text in several lines is the text that the catalog has, with its quotes."""
    told = 'Says "so"; ' * 20 + "\\ end"
    tree = ast.parse(translated_code('show(\n    alt="A picture.",\n)', lambda _: told))
    assert tree.body[0].value.keywords[0].value.value == told


def test_chinese_is_broken_between_signs() -> None:
    """A script without spaces gets lines of the same width, and no space between signs."""
    told = "这是一个很长的句子、" * 12
    made = translated_code('show(\n    alt="A picture.",\n)', lambda _: told)
    assert ast.parse(made).body[0].value.keywords[0].value.value == told
    lines = translated_code("# A comment.\nx = 1", lambda _: told).split("\n")[:-1]
    assert len(lines) == 3
    assert "".join(line.removeprefix("# ") for line in lines) == told


@pytest.mark.parametrize("told", ['ends"""', "It has {other} rows.", "a \\N{x}"])
def test_translation_that_would_be_other_code_is_refused(told: str) -> None:
    """Neither quotes nor braces of a translation become code."""
    cell = 'def f():\n    """Say what it does."""\nalt = f"It has {rows} rows."'
    with pytest.raises(GraderError, match=r"cannot be parsed|other code"):
        translated_code(cell, lambda _: told)


def test_cell_that_is_no_python_is_refused() -> None:
    """Its texts cannot be found, so it is not passed over."""
    with pytest.raises(GraderError, match="cannot be parsed"):
        translated_code("def f(:", str.upper)


def test_arguments_below_a_sentence_are_texts_of_their_own() -> None:
    """Whether a colon or a full stop ends what stands above them."""
    found = []
    source = '''def f(x, y):
    """Give it.

    Arguments, not to be changed. Scores may
    be large.
        x: (T, d), a row
            goes on.
        y: (d,), a row.
    """
'''
    translated_code(source, lambda text: found.append(text) or text)
    assert found[1:] == [
        "Arguments, not to be changed. Scores may be large.",
        "x: (T, d), a row goes on.",
        "y: (d,), a row.",
    ]
