"""The site in a language: the students' pages, and what the chapters' cells have shown."""

from collections.abc import Callable
from functools import cache
from gettext import GNUTranslations

from nbformat import NotebookNode

from grader.course.about import read_about
from grader.course.bundle import guide_text
from grader.course.editions import Edition
from grader.course.site import english_pages
from grader.exercises import Chapter
from grader.translations.build import Translation
from grader.translations.catalogs import compiled, merged, spoken
from grader.translations.languages import GRADER, SITE, STUDENTS
from grader.translations.markdown import translated_markdown
from grader.translations.outputs import Outputs, messages_that_show


def edition_of(translation: Translation, guide: Callable[[str, GNUTranslations], str]) -> Edition:
    """Return what the site says in a language.

    Args:
        translation: the course in this language.
        guide: makes the guide of this course from the translated one, with what checks say.

    Raises:
        GraderError: the sources cannot be read.
    """
    catalogs, paths = translation.catalogs, translation.paths
    said = spoken(catalogs[SITE])
    said.add_fallback(spoken(catalogs[STUDENTS]))
    english = english_pages(paths)
    pages = {
        name: translated_markdown(text, said.gettext, translation.quoted) for name, text in english.items()
    }
    if english["students.md"] == guide_text():  # a course of its own has a shorter one, without a verdict
        pages["students.md"] = guide(pages["students.md"], translation.grader)
    showing = messages_that_show(translation.texts[GRADER].found)

    @cache
    def words_of(name: str) -> Outputs:
        return Outputs(translation.texts[name].found, showing, spoken(catalogs[name]), translation.grader)

    def shown(chapter: Chapter, outputs: list[NotebookNode]) -> list[NotebookNode]:
        return words_of(chapter.stem).shown(outputs)

    return Edition(
        code=translation.language.code,
        name=translation.language.name,
        title=said.gettext(read_about(paths).title),
        pages=pages,
        catalog=translation.grader,
        compiled=compiled(merged(catalogs, translation.texts)),
        shown=shown,
    )
