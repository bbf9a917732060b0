"""A language for tests: every text stands in marks, and all else is as it was."""

import re
from pathlib import Path

import pytest

from grader.course.paths import CoursePaths
from grader.messages.catalog import Text
from grader.translations.build import Translation
from grader.translations.catalogs import path_of, up_to_date, write_catalog
from grader.translations.languages import Language, read_languages
from grader.translations.texts import Texts, texts_by_catalog

DECLARED = """[xx]
name = "marked"
plural_forms = "nplurals=2; plural=(n != 1);"
complete = true
"""


def marked(text: str) -> str:
    """Return a text in the language of marks; of a formula, the words in it."""
    if text.startswith("$$"):
        return re.sub(r"\\text\{([^{}]*)\}", r"\\text{«\1»}", text)
    return f"«{text}»"


def translate_all(language: Language, texts: dict[str, Texts], paths: CoursePaths) -> None:
    """Write catalogs in which everything is translated."""
    for name, found in texts.items():
        catalog = up_to_date(language, name, found, paths, guess=False)
        for text in found.found:
            catalog[text].string = _of(text)
        write_catalog(catalog, language, path_of(language, name, paths))


def _of(text: Text) -> Text:
    return marked(text) if isinstance(text, str) else tuple(map(marked, text))


def course_beside(root: Path, repository: Path) -> CoursePaths:
    """Return a course with the sources and references of this one, and translations of its own."""
    own, there = CoursePaths(root), CoursePaths(repository)
    for folder in (own.translations, own.references):
        folder.mkdir()
    own.config.symlink_to(there.config)
    own.solutions.symlink_to(there.solutions)
    for path in there.references.iterdir():
        if path.name != "translations":  # it has its own
            (own.references / path.name).symlink_to(path)
    (own.translations / "languages.toml").write_text(DECLARED, encoding="utf-8")
    return own


@pytest.fixture(scope="session")
def translated(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Translation:
    """Return the whole course in the language of marks."""
    paths = course_beside(tmp_path_factory.mktemp("translated"), repository)
    (language,) = read_languages(paths).values()
    texts = texts_by_catalog(paths)
    translate_all(language, texts, paths)
    return Translation(language, paths, texts)
