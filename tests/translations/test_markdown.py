"""Walking over the texts of a cell of text."""

import pytest

from grader.translations.markdown import translated_markdown


def texts(source: str) -> list[str]:
    """Return the texts of a cell; looking at them changes nothing."""
    found = []

    def note(text: str) -> str:
        found.append(text)
        return text

    assert translated_markdown(source, note) == source
    return found


def shouted(source: str) -> str:
    """Return a cell with its texts in capitals."""
    return translated_markdown(source, str.upper)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# A title", ["A title"]),
        (
            "```{toctree}\n:caption: Guides here\n:hidden:\n\nstudents\n```\n\nAfter it.",
            ["Guides here", "After it."],
        ),
        ("One line\nand another.\n\nA second one.", ["One line and another.", "A second one."]),
        ("Two parts,  \nand a break.", ["Two parts,  \nand a break."]),
        ("- an item\n  that goes on\n- `code`\n- another", ["an item that goes on", "another"]),
        ("It was in\n2017. A year later", ["It was in 2017. A year later"]),
        ("1. first\n2. second\n   part", ["first", "second part"]),
        ("> said by\n> somebody", ["said by somebody"]),
        ("| symbol | in code |\n|---|---|\n| $T$ | what \\| is |", ["symbol", "in code", "what \\| is"]),
        ("<details><summary>Why?</summary>\n\nSo.\n</details>", ["Why?", "So."]),
        ("$$\nx_i \\cdot y\n$$", []),
        ("$$\nx \\text{ with } y\n$$", ["$$\nx \\text{ with } y\n$$"]),
        ("```python\nx = 1  # a comment\n```", ["a comment"]),
        ("```\nno text\n```\nA text.", ["A text."]),
        ("`code`, $x$ and {ch01-x}", ["`code`, $x$ and {ch01-x}"]),
        ("`code` {ch01-x} $x$ (T, d)", []),
    ],
)
def test_texts_are_found(source: str, expected: list[str]) -> None:
    """Paragraphs are one line, whatever lines the source has; what has no words is no text."""
    assert texts(source) == expected


def test_what_is_around_a_text_stays() -> None:
    """Marks of headings, items and tables, and white space, are as they were."""
    source = (
        "## one thing\n\n- one\n  two\n\n|  all | `x` |\n|---|---|\n\n<details><summary>why</summary>\nso\n"
    )
    assert shouted(source) == (
        "## ONE THING\n\n- ONE TWO\n\n|  ALL | `x` |\n|---|---|\n\n<details><summary>WHY</summary>\nSO\n"
    )


def test_cell_that_quotes_the_grader_says_what_the_grader_says() -> None:
    """Code alone, of several words, in a table; what the grader never says is code, and stays."""
    said = {"The bug does not show": "O BUG"}
    source = "| `The bug does not show` | `a @ b` | `bug` |\n\n`The bug does not show`"
    made = translated_markdown(source, lambda text: text, lambda text: said.get(text, text))
    assert made == "| `O BUG` | `a @ b` | `bug` |\n\n`The bug does not show`"
