"""The catalog: every text that a learner reads of the grader is in it, and can be translated."""

import ast
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po

from grader.messages.catalog import PACKAGE, SOLUTIONS, TABLES, templates, texts_of

FILES = [
    *PACKAGE.rglob("*.py"),
    *PACKAGE.rglob("*.j2"),
    *(PACKAGE / one for one in TABLES),
    *(PACKAGE / "topics").glob("*/*.toml"),
    *SOLUTIONS.glob("*/mistakes.toml"),
    *SOLUTIONS.glob("*/specimens.py"),
]
TEXTS = sorted(
    {
        one
        for path in FILES
        for text in texts_of(path)
        for one in (text if isinstance(text, tuple) else (text,))
    }
)


def placeholders(text: str) -> list[str]:
    """Return the names in braces."""
    return [name for _, name, _, _ in Formatter().parse(text) if name is not None]


def test_no_message_hides_from_the_catalog() -> None:
    """Every literal that is made a message is found, on every Python: none stands within an f-string."""
    for path in PACKAGE.rglob("*.py"):
        calls = (one for one in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(one, ast.Call))
        made = {
            one.args[0].value
            for one in calls
            if getattr(one.func, "id", "") == "message" and one.args and isinstance(one.args[0], ast.Constant)
        }
        assert made <= {*texts_of(path)}, path


def test_what_notebooks_print_is_said_in_their_language() -> None:
    """No text goes to a learner's notebook past the catalog."""
    printed = [
        ast.unparse(one.args[0])
        for room in ("figures", "materials", "topics", "widgets")
        for path in (PACKAGE / room).rglob("*.py")
        for one in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(one, ast.Call) and getattr(one.func, "id", "") == "print"
    ]
    assert printed
    assert [one for one in printed if not one.startswith("said(")] == []


def test_templates_are_the_catalogs_of_the_sources() -> None:
    """After a text has changed, ``make catalog`` writes the templates anew; every text is in one of them."""
    made = templates()
    assert {path: path.read_bytes() for path in made} == made
    read = {one for content in made.values() for message in read_po(BytesIO(content)) for one in _of(message)}
    assert set(TEXTS) == read - {""}


def _of(message: Message) -> tuple[str, ...]:
    return message.id if isinstance(message.id, tuple) else (message.id,)


@pytest.mark.parametrize("text", TEXTS)
def test_placeholders_have_names(text: str) -> None:
    """A translator sees what stands in a placeholder, and may put it elsewhere; numbers come formatted."""
    for _, name, form, conversion in Formatter().parse(text):
        assert name is None or (name.isidentifier() and not form and not conversion)


def calls_of(path: Path) -> Iterator[ast.Call]:
    """Yield each call in a module that makes a message."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("message", "one_or_many"):
            yield node


MODULES = [path for path in sorted(PACKAGE.rglob("*.py")) if any(calls_of(path))]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_texts_are_literals_with_all_their_values(path: Path) -> None:
    """A text that is put together is in no catalog; one with a value too few shows a brace, or fails."""
    for call in calls_of(path):
        several = call.func.id == "one_or_many"
        texts = call.args[: 1 + several]
        where = f"{path}:{call.lineno}"
        assert all(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in texts), where
        given = {one.arg for one in call.keywords} | ({"count"} if several else set())
        if given and None not in given:
            assert given == {name for one in texts for name in placeholders(one.value)}, where
