"""Write the solution notebooks of all languages, with the English outputs in their words: for nbval.

``python -m tests.translated_notebooks FOLDER``. What nbval then compares differs from the English
notebooks only in the texts of the code: descriptions of pictures, and tasks.
"""

import ast
import re
import sys
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from grader.course.paths import CoursePaths, chapters_in
from grader.exercises import Chapter
from grader.translations.build import Translation, translation_of
from grader.translations.code import texts_in_code
from grader.translations.languages import read_languages
from grader.translations.texts import texts_by_catalog

REPOSITORY = Path(__file__).resolve().parents[1]
Forms = Callable[[str], str]


def with_outputs(translation: Translation, chapter: Chapter) -> NotebookNode:
    """Return a chapter's solution notebook in a language, with the outputs that it should have."""
    english = nbformat.read(translation.paths.solution(chapter), as_version=4)
    made = translation.solution(chapter)
    made.metadata = english.metadata  # the kernel's language: verdicts are compared with the English ones
    for cell, own in zip(made.cells, english.cells, strict=True):
        if cell.cell_type == "code":
            cell.execution_count = own.execution_count
            cell.outputs = [_retold(output, own.source, cell.source) for output in own.outputs]
    return made


def _retold(output: NotebookNode, english: str, translated: str) -> NotebookNode:
    """Return an output with the texts of its cell's code in the place of the English ones."""
    pairs = list(zip(texts_in_code(english), texts_in_code(translated), strict=True))

    def told(value: object, forms: tuple[Forms, ...] = (str, escape)) -> object:
        if isinstance(value, dict):
            # In HTML what a translation alone has to escape is escaped, too.
            return NotebookNode(
                {key: told(one, (escape, str) if key == "text/html" else forms) for key, one in value.items()}
            )
        if isinstance(value, list):
            return [told(one, forms) for one in value]
        return _replaced(value, pairs, forms) if isinstance(value, str) else value

    return told(output)


def _replaced(text: str, pairs: list[tuple[ast.expr, ast.expr]], forms: tuple[Forms, ...]) -> str:
    for old, new in pairs:
        for form in forms:
            pattern, names = _pattern(old, form)
            if not pattern:
                continue
            filled = _filled(new, names, form)
            text = re.sub(pattern, filled, text)
    return text


def _pattern(text: ast.expr, form: Forms) -> tuple[str, list[str]]:
    """Return a regular expression for what an English text comes to, and the expressions in it, in order."""
    if isinstance(text, ast.Constant):
        return re.escape(form(text.value)), []
    parts = [re.escape(form(one.value)) if isinstance(one, ast.Constant) else "(.+?)" for one in text.values]
    if isinstance(text.values[-1], ast.FormattedValue):
        parts[-1] = "(.+)"
    return "".join(parts), list(_expressions(text))


def _filled(text: ast.expr, names: list[str], form: Forms) -> Callable[[re.Match], str]:
    """Return what makes of a match the same text in another language."""

    def made(found: re.Match) -> str:
        if isinstance(text, ast.Constant):
            return form(text.value)
        groups = {name: found[1 + place] for place, name in enumerate(names)}
        return "".join(
            form(one.value) if isinstance(one, ast.Constant) else groups[ast.unparse(one.value)]
            for one in text.values
        )

    return made


def _expressions(text: ast.JoinedStr) -> Iterator[str]:
    return (ast.unparse(one.value) for one in text.values if isinstance(one, ast.FormattedValue))


def main(folder: Path) -> None:
    """Write the notebooks of all languages into a folder."""
    paths = CoursePaths(REPOSITORY)
    texts = texts_by_catalog(paths)
    for language in read_languages(paths).values():
        translation = translation_of(language, paths, texts)
        for chapter in chapters_in(paths):
            path = folder / language.code / f"{chapter.stem}.ipynb"
            path.parent.mkdir(parents=True, exist_ok=True)
            nbformat.write(with_outputs(translation, chapter), path)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
