"""Build a language's student notebooks, and what ``check`` says in it; or report that they have drifted.

Cells, ids, code and metadata are those of the English notebook. Nothing is executed, for a student's notebook
has no outputs.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from gettext import GNUTranslations
from pathlib import Path

import nbformat
from babel.messages.catalog import Catalog
from nbformat import NotebookNode

from grader.course.build import cells_of, text_of, unexecuted
from grader.course.bundle import InLanguage, guide_text, start_template
from grader.course.finder import finder_cell, is_finder
from grader.course.notebooks import load_config, solution_notebook, student_notebook
from grader.course.paths import CoursePaths, chapters_in
from grader.course.source import DECLARED, SourceCell, facts_line
from grader.exercises import Chapter, find_chapter
from grader.files import write_whole
from grader.messages import message
from grader.messages.speaking import LANGUAGE_KEY, compiled_file
from grader.translations.catalogs import compiled, entries, is_translated, merged, spoken, up_to_date
from grader.translations.languages import GRADER, STUDENTS, Language
from grader.translations.markdown import translated_markdown
from grader.translations.outputs import Outputs
from grader.translations.texts import Texts, texts_by_catalog, translated_cell
from grader.translations.words import Translate, has_words

# What nbgrader_config.py puts where a learner answers in words.
TEXT_STUB = message("Write your answer here.")


@dataclass(frozen=True)
class Translation:
    """A course in a language: its catalogs, as far as the sources still say what they translate."""

    language: Language
    paths: CoursePaths
    texts: dict[str, Texts]

    @cached_property
    def catalogs(self) -> dict[str, Catalog]:
        """The catalogs by name."""
        return {
            name: up_to_date(self.language, name, texts, self.paths, guess=False)
            for name, texts in self.texts.items()
        }

    @cached_property
    def grader(self) -> GNUTranslations:
        """What checks say: the grader's messages, and those of the chapters."""
        return spoken(merged(self.catalogs, self.texts))

    @cached_property
    def quoted(self) -> Translate:
        """What returns how the grader says a text that a page quotes, with the same values."""
        sentences = (one for one in self.texts[GRADER].found if isinstance(one, str) and has_words(one))
        return Outputs((), sentences, self.grader, self.grader).text

    def left(self, name: str) -> int:
        """Return how many texts of a catalog are not translated."""
        return sum(not is_translated(message) for message in entries(self.catalogs[name]))

    def for_students(self, guide: Callable[[str, GNUTranslations], str]) -> InLanguage:
        """Return what the students' archive says in this language.

        Args:
            guide: makes the guide of this course from the translated one, with what checks say.
        """
        translate = spoken(self.catalogs[STUDENTS]).gettext
        chapters = {chapter.title: chapter.stem for chapter in chapters_in(self.paths)}

        def said(title: str) -> str:
            return spoken(self.catalogs[chapters.get(title, STUDENTS)]).gettext(title)

        return InLanguage(
            code=self.language.code,
            start=translated_markdown(start_template(), translate),
            guide=guide(translated_markdown(guide_text(), translate, self.quoted), self.grader),
            said=said,
            catalog=compiled_file(self.paths.references, self.language.code),
        )

    def files(self, stems: list[str]) -> Iterator[tuple[Path, bytes]]:
        """Yield each file of some chapters in this language with what has to be in it.

        Raises:
            SourceError: a chapter's source cannot be built, or with a translation it would be other code.
        """
        for chapter in map(find_chapter, stems):
            notebook = self.notebook(chapter)
            yield self.paths.student(chapter, self.language.code), text_of(notebook).encode()
        whole = merged(self.catalogs, self.texts)
        yield compiled_file(self.paths.references, self.language.code), compiled(whole)

    def notebook(self, chapter: Chapter) -> NotebookNode:
        """Return a chapter's student notebook in this language.

        Raises:
            SourceError: the source cannot be built, or with a translation it would be other code.
        """
        config = load_config(self.paths.config)
        if stub := config.ClearSolutions.get("text_stub"):
            config.ClearSolutions.text_stub = self.grader.gettext(stub)
        return student_notebook(self.solution(chapter), config)

    def solution(self, chapter: Chapter) -> NotebookNode:
        """Return a chapter's solution notebook in this language, not executed.

        Raises:
            SourceError: the source cannot be built, or with a translation it would be other code.
        """
        cells = cells_of(chapter, self.paths)
        english = unexecuted(chapter, self.paths, cells)
        translate = spoken(self.catalogs[chapter.stem]).gettext
        made = solution_notebook([self._cell(item, chapter, translate) for item in cells])
        for cell, own in zip(made.cells, english.cells, strict=True):
            cell.id = own.id  # made of the English text
        made.metadata = english.metadata
        made.metadata[LANGUAGE_KEY] = self.language.code
        return made

    def _cell(self, item: SourceCell, chapter: Chapter, translate: Translate) -> SourceCell:
        if is_finder(item.cell):
            return replace(item, cell=finder_cell(self.grader))
        text = translated_cell(item, translate, self.paths.source(chapter), self.grader.gettext)
        if item.cell.cell_type != "code" and not item.question:
            text = DECLARED.sub(lambda place: self._facts(chapter, place[1], place[0]), text)
        cell = nbformat.from_dict(item.cell)
        cell.source = text
        return replace(item, cell=cell)

    def _facts(self, chapter: Chapter, name: str, written: str) -> str:
        return facts_line(chapter.parts[name]).render(self.grader) if name in chapter.parts else written


def translation_of(
    language: Language, paths: CoursePaths, texts: dict[str, Texts] | None = None
) -> Translation:
    """Return a course in a language.

    Args:
        language: the language.
        paths: the course.
        texts: what its sources say, where that is known already.

    Raises:
        GraderError: the sources cannot be read.
    """
    return Translation(language, paths, texts or texts_by_catalog(paths))


def build_translation(translation: Translation, stems: list[str], on_file: Callable[[Path], None]) -> None:
    """Write the notebooks of some chapters in a language, and what ``check`` says; all after all succeeded.

    Raises:
        SourceError: a chapter's source cannot be built, or with a translation it would be other code.
    """
    for path, content in list(translation.files(stems)):
        write_whole(path, content)
        on_file(path)


def translation_drift(translation: Translation, stems: list[str]) -> list[str]:
    """Return one line for each built file of a language that is not what its sources give.

    Raises:
        SourceError: a chapter's source cannot be built, or with a translation it would be other code.
    """
    told = f"run `grader build --language {translation.language.code}`."
    problems = []
    for path, content in translation.files(stems):
        if not path.is_file():
            problems.append(f"{path} is missing; {told}")
        elif path.read_bytes() != content:
            problems.append(f"{path} is not what its sources give; {told}")
    return problems
