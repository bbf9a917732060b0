"""The catalogs of the texts that learners read of the grader, found in the sources: gettext templates.

``message`` and ``one_or_many`` mark texts in Python and in templates of pages; tables of texts are in TOML.
What only a topic says is in a catalog of the topic's, what chapters declare of mistakes and specimens in one
of theirs. What a chapter says itself (its hints, the kinds of its cases) is in none. Run as a program, it
writes the templates.
"""

import tomllib
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import write_po

from grader.topics import folders

PACKAGE = Path(__file__).resolve().parents[1]
SOLUTIONS = PACKAGE.parent / "solutions"
# What marks a text, and which of its arguments are texts: the first, or a singular and a plural.
KEYWORDS = {"message": None, "one_or_many": (1, 2)}
# Tables whose values are texts, but for these keys; and for the table that says where a topic's groups come.
TABLES = ("checking/mistakes.toml", "checking/errors.toml")
NO_TEXT = ("pattern", "only", "since", "line", "before")
# A template that cannot be parsed is an error.
STRICT = {"silent": "false"}

# One text; or a singular and a plural.
Text = str | tuple[str, str]


def templates() -> dict[Path, bytes]:
    """Return each catalog as a template for translations: every text once, with the files that it is in."""
    topics = folders()
    sources = sorted([*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.j2")])
    modules = [path for path in sources if not any(map(path.is_relative_to, topics))]
    made = {Path(__file__).with_name("grader.pot"): (PACKAGE, [*modules, *(PACKAGE / one for one in TABLES)])}
    for folder in topics:
        made[folder / f"{folder.name}.pot"] = PACKAGE, [*sorted(folder.rglob("*.py")), *folder.glob("*.toml")]
    chapters = [*sorted(SOLUTIONS.glob("*/specimens.py")), *sorted(SOLUTIONS.glob("*/mistakes.toml"))]
    made[SOLUTIONS / "chapters.pot"] = SOLUTIONS, chapters
    return {path: template(root, files) for path, (root, files) in made.items()}


def template(root: Path, files: Iterable[Path]) -> bytes:
    """Return the catalog of some files, named as seen from a folder."""
    catalog = Catalog(charset="utf-8")
    for path in files:
        for text in texts_of(path):
            catalog.add(text, locations=[(path.relative_to(root).as_posix(), 0)])
    content = BytesIO()
    write_po(content, catalog, width=100, omit_header=True, include_lineno=False, sort_by_file=True)
    return content.getvalue()


def texts_of(path: Path) -> Iterator[Text]:
    """Yield each text that is marked in a module or a page's template, or that is in a table."""
    if path.suffix == ".j2":
        with path.open("rb") as file:
            for _, text, _, _ in extract("jinja2.ext:babel_extract", file, KEYWORDS, options=STRICT):
                yield text
        return
    if path.suffix == ".toml":
        yield from _within(tomllib.loads(path.read_text(encoding="utf-8")))
        return
    with path.open("rb") as file:
        for _, text, _, _ in extract("python", file, KEYWORDS):
            yield text


def _within(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _within(one)
    else:
        for key, one in value.items():
            yield from _within(one) if key not in NO_TEXT else ()


if __name__ == "__main__":
    for written, content in templates().items():
        written.write_bytes(content)
