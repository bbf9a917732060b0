"""Collect the texts that learners read: those of each chapter, and those of the grader.

A chapter has its cells, what it declares (title, sections, hints), its mistakes and specimens, and the kinds
of its cases and the names of its steps. The students' archive has its guide, and how to start. The site has
its other pages for students. The grader has its messages and those of the topics.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from babel.messages.pofile import read_po

from grader.course.about import read_about
from grader.course.build import cells_of
from grader.course.bundle import guide_text, start_template
from grader.course.paths import ABOUT, CoursePaths, chapters_in
from grader.course.site import english_pages
from grader.course.source import SourceCell
from grader.errors import GraderError, SourceError
from grader.exercises import Chapter
from grader.exercises.declaration import MISTAKES, SOURCE, SPECIMENS
from grader.messages.catalog import Text, templates, texts_of
from grader.references import load_exercise
from grader.translations.code import translated_code
from grader.translations.languages import GRADER, SITE, STUDENTS
from grader.translations.markdown import same, translated_markdown
from grader.translations.words import Translate, has_words


@dataclass
class Texts:
    """Texts in the order in which they are found, each with the files that it is in.

    Attributes:
        found: the files by text.
        said: the texts that the grader shows, not only a notebook.
    """

    found: dict[Text, list[str]] = field(default_factory=dict)
    said: set[Text] = field(default_factory=set)

    def add(self, text: Text, file: str, said: bool = True) -> None:
        """Note a text in a file, once."""
        files = self.found.setdefault(text, [])
        if file not in files:
            files.append(file)
        if said:
            self.said.add(text)


def texts_by_catalog(paths: CoursePaths) -> dict[str, Texts]:
    """Return what each catalog of a language has to have, by its name: of the chapters, then of the grader.

    Raises:
        GraderError: a chapter's sources cannot be read, or it has no references.
    """
    chapters = {chapter.stem: texts_of_chapter(chapter, paths) for chapter in chapters_in(paths)}
    students = texts_for_students(paths)
    return chapters | {STUDENTS: students, SITE: texts_of_site(paths, students), GRADER: texts_of_grader()}


def texts_of_chapter(chapter: Chapter, paths: CoursePaths) -> Texts:
    """Return the texts of a chapter.

    Raises:
        GraderError: its sources cannot be read, or it has no references.
    """
    texts, folder = Texts(), paths.solutions / chapter.stem
    source = paths.source(chapter)

    def note(text: str) -> str:
        texts.add(text, source.name, said=False)
        return text

    for item in cells_of(chapter, paths):
        translated_cell(item, note, source)
    for text in _declared(chapter):
        texts.add(text, SOURCE)
    for file in (MISTAKES, SPECIMENS):
        for text in texts_of(folder / file) if (folder / file).is_file() else ():
            texts.add(text, file)
    for text, file in _of_references(chapter, paths):
        texts.add(text, file)
    return texts


def translated_cell(item: SourceCell, translate: Translate, source: Path, said: Translate = same) -> str:
    """Return the source of a cell with its texts replaced.

    What stands for declared values stays. Where a learner answers in words, all is the model answer.

    Args:
        item: the cell.
        translate: returns what stands in the place of a text.
        source: the file that it is in.
        said: returns how the grader says a text that is quoted in it.

    Raises:
        SourceError: the code cannot be parsed, or would be other code; carries the file and the line.
    """
    if item.made or item.question:
        return item.cell.source
    if item.cell.cell_type != "code":
        return translated_markdown(item.text, translate, said)
    try:
        return translated_code(item.cell.source, translate)
    except GraderError as error:
        raise SourceError(source, item.line, str(error)) from error


def _declared(chapter: Chapter) -> Iterator[str]:
    """Yield what a chapter declares in words."""
    yield chapter.title
    for exercise in chapter.exercises:
        words = exercise.forbidden.words
        yield from (text for text in (exercise.section, *exercise.hints, words) if has_words(text))


def _of_references(chapter: Chapter, paths: CoursePaths) -> Iterator[tuple[str, str]]:
    """Yield the kinds of a chapter's cases and the names of its steps, with the files that have them."""
    for exercise in chapter.exercises:
        reference = load_exercise(chapter.stem, exercise.id, paths.references)
        shows = ((case.shows, "reference.py") for case in reference.visible)
        steps = ((step.name, "steps.py") for steps in reference.steps.values() for step in steps)
        yield from ((text, file) for text, file in (*shows, *steps) if has_words(text))


def texts_for_students(paths: CoursePaths) -> Texts:
    """Return the texts that go with the notebooks in the students' archive."""
    texts = Texts()
    texts.add(read_about(paths).title, ABOUT, said=False)
    for file, text in (("START.md", start_template()), ("students.md", guide_text())):
        translated_markdown(text, lambda found, file=file: texts.add(found, file, said=False) or found)
    return texts


def texts_of_site(paths: CoursePaths, students: Texts) -> Texts:
    """Return the texts of the site's pages for students, but for those that the students' archive has, too.

    Raises:
        GraderError: the words of the chapters cannot be read.
    """
    texts = Texts()
    for file, page in english_pages(paths).items():

        def note(text: str, file: str = file) -> str:
            if text not in students.found:
                texts.add(text, file, said=False)
            return text

        translated_markdown(page, note)
    return texts


def texts_of_grader() -> Texts:
    """Return the messages of the grader, and of all topics."""
    texts = Texts()
    for path, content in templates().items():
        if path.name == "chapters.pot":  # of these each chapter has its own
            continue
        for message in read_po(BytesIO(content)):
            if message.id:
                for file, _ in message.locations:
                    texts.add(message.id, file)
    return texts
