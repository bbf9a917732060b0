"""The whole course in another language: nothing is left in English, and all else is the same."""

import ast
import io
import re
import tokenize

import nbformat
import pytest
from nbformat import NotebookNode

from grader.course.build import cells_of, text_of, unexecuted
from grader.course.finder import is_finder
from grader.course.notebooks import load_config, student_notebook
from grader.course.paths import CoursePaths
from grader.exercises import CHAPTERS, Chapter
from grader.files import write_whole
from grader.grading.master import master_of, with_translated
from grader.grading.sanitize import sanitize_notebook
from grader.messages.speaking import LANGUAGE_KEY
from grader.translations.build import Translation, build_translation, translation_drift
from grader.translations.code import normal_code
from grader.translations.status import statuses
from grader.translations.words import KEPT, WORD

MARKED = re.compile(r"«[^«»]*»")
NO_TEXT = re.compile(r"```.*?```|\$\$.*?\$\$", re.DOTALL)


def unmarked(text: str) -> list[str]:
    """Return the words of a text that are in no marks."""
    while MARKED.search(text):
        text = MARKED.sub(" ", text)  # not nothing, for what is quoted within backticks
    return WORD.findall(KEPT.sub("", text))


def english(chapter: Chapter, paths: CoursePaths) -> NotebookNode:
    """Return a chapter's student notebook in English."""
    notebook = unexecuted(chapter, paths, cells_of(chapter, paths))
    return student_notebook(notebook, load_config(paths.config))


def read_of(source: str) -> list[str]:
    """Return what a learner reads in code, but for what it does: comments, docstrings, alternative texts."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    found = ["\n".join(token.string for token in tokens if token.type == tokenize.COMMENT)]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            found.append(ast.get_docstring(node) or "")
        elif isinstance(node, ast.keyword) and node.arg == "alt" and isinstance(node.value, ast.Constant):
            found.append(node.value.value)
    return found


@pytest.fixture(scope="module")
def both(translated: Translation) -> dict[str, tuple[NotebookNode, NotebookNode]]:
    """Return each chapter's notebook in English and in the language of marks."""
    return {
        stem: (english(chapter, translated.paths), translated.notebook(chapter))
        for stem, chapter in CHAPTERS.items()
    }


@pytest.mark.parametrize("stem", CHAPTERS)
def test_nothing_is_left_untranslated(stem: str, both: dict[str, tuple[NotebookNode, NotebookNode]]) -> None:
    """Every word that a learner reads is in marks; where an answer goes, the grader has to find its stub."""
    for cell in both[stem][1].cells:
        if cell.metadata.get("nbgrader", {}).get("task"):
            continue
        if cell.cell_type == "code":
            assert not [word for text in read_of(cell.source) for word in unmarked(text)], cell.source
        elif not cell.metadata.get("nbgrader"):
            assert not unmarked(NO_TEXT.sub("", cell.source)), cell.source


def test_place_of_an_answer_in_words_is_said_in_the_language(
    both: dict[str, tuple[NotebookNode, NotebookNode]],
) -> None:
    """The text that stands there is of nbgrader's configuration, not of a chapter's source."""
    words = [
        cell.source
        for _, notebook in both.values()
        for cell in notebook.cells
        if cell.cell_type == "markdown" and cell.metadata.get("nbgrader", {}).get("solution")
    ]
    assert words
    assert set(words) == {"«Write your answer here.»"}


@pytest.mark.parametrize("stem", CHAPTERS)
def test_all_else_is_the_same(stem: str, both: dict[str, tuple[NotebookNode, NotebookNode]]) -> None:
    """Ids, kinds, code, metadata and outputs; nbgrader's checksum alone is that of the cell's own text."""
    first, second = (nbformat.from_dict(one) for one in both[stem])
    assert second.metadata.pop(LANGUAGE_KEY) == "xx"
    for cell, own in zip(first.cells, second.cells, strict=True):
        if cell.cell_type == "code" and not is_finder(cell):  # which prints texts
            assert normal_code(cell.source) == normal_code(own.source)
        changed = cell.source != own.source
        for one in (cell, own):
            one.source = ""
            if changed:
                one.metadata.get("nbgrader", {}).pop("checksum", None)
    assert first == second


@pytest.mark.parametrize("stem", CHAPTERS)
def test_grading_knows_a_translated_notebook(
    stem: str, both: dict[str, tuple[NotebookNode, NotebookNode]], translated: Translation
) -> None:
    """Handed in as it was given out, it is to grading what the English one is: without answers or damage."""
    place = translated.paths.student(CHAPTERS[stem], "xx")
    write_whole(place, text_of(both[stem][1]))
    master = with_translated(master_of(both[stem][0], CHAPTERS[stem], translated.paths))
    first, second = (sanitize_notebook(one, master) for one in both[stem])
    assert [normal_code(cell.source) for cell in first.cells] == [
        normal_code(cell.source) for cell in second.cells
    ]
    assert (first.answers, first.in_words, first.notes) == (second.answers, second.in_words, second.notes)


def test_points_of_the_declaration_are_told_in_the_language(
    both: dict[str, tuple[NotebookNode, NotebookNode]],
) -> None:
    """Difficulty, minutes and points come from the declaration, so a change of them is in every language."""
    text = "\n".join(cell.source for cell in both["ch02_dot_product_attention"][1].cells)
    assert "· «difficulty 1 of 5 · 5 minutes · 1 point» ·" in text


def test_files_are_built_and_do_not_drift(translated: Translation) -> None:
    """What is written is what the sources give, until a file is changed."""
    stems, written = [*CHAPTERS][:1], []
    build_translation(translated, stems, written.append)
    assert [path.suffix for path in written] == [".ipynb", ".mo"]
    assert translation_drift(translated, stems) == []
    written[0].write_text("{}", encoding="utf-8")
    written[1].unlink()
    told = "run `grader build --language xx`."
    assert translation_drift(translated, stems) == [
        f"{written[0]} is not what its sources give; {told}",
        f"{written[1]} is missing; {told}",
    ]


def test_marks_lose_nothing(translated: Translation) -> None:
    """A whole language has nothing to do, and no piece of code, formula or number is missed in it."""
    for one in statuses(translated.language, translated.texts, translated.paths):
        assert one.whole, one
