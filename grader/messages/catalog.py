"""Extract the texts for learners from the sources into a gettext template.

``message`` and ``one_or_many`` mark texts in Python; tables of texts are in TOML. What a chapter says itself
(its hints, the kinds of its cases) is the chapter's. Run as a program, it writes the template.
"""

import tomllib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import write_po

PACKAGE = Path(__file__).resolve().parents[1]
SOLUTIONS = PACKAGE.parent / "solutions"
TEMPLATE = Path(__file__).with_name("grader.pot")
# Functions that mark a text, and the number of their text arguments: one, or singular and plural.
KEYWORDS = {"message": None, "one_or_many": (1, 2)}
# Tables whose values are texts, but for these keys.
TABLES = ("checking/mistakes.toml", "checking/errors.toml")
NO_TEXT = ("pattern", "only", "since", "line")

# One text; or a singular and a plural.
Text = str | tuple[str, str]


def texts_of_code() -> Iterator[tuple[str, Text]]:
    """Yield each text that is marked in a module, with the module's path in the package, or the chapter's."""
    modules = [(path.relative_to(PACKAGE).as_posix(), path) for path in sorted(PACKAGE.rglob("*.py"))]
    modules += [
        (f"{path.parent.name}/{path.name}", path) for path in sorted(SOLUTIONS.glob("*/specimens.py"))
    ]
    for name, path in modules:
        with path.open("rb") as file:
            for _, text, _, _ in extract("python", file, KEYWORDS):
                yield name, text


def texts_of_tables() -> Iterator[tuple[str, Text]]:
    """Yield each text of a table, with the table's path in the package."""

    def within(value: object) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            for one in value:
                yield from within(one)
        else:
            for key, one in value.items():
                yield from within(one) if key not in NO_TEXT else ()

    tables = [(name, PACKAGE / name) for name in TABLES]
    tables += [
        (f"{path.parent.name}/{path.name}", path) for path in sorted(SOLUTIONS.glob("*/mistakes.toml"))
    ]
    for name, path in tables:
        for text in within(tomllib.loads(path.read_text(encoding="utf-8"))):
            yield name, text


def template() -> bytes:
    """Return the catalog, as a template for translations: every text once, with the files that it is in."""
    catalog = Catalog(charset="utf-8")
    for name, text in (*texts_of_code(), *texts_of_tables()):
        catalog.add(text, locations=[(name, 0)])
    content = BytesIO()
    write_po(content, catalog, width=100, omit_header=True, include_lineno=False, sort_by_file=True)
    return content.getvalue()


if __name__ == "__main__":
    TEMPLATE.write_bytes(template())
