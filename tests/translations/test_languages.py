"""This course's translations: a complete language lacks nothing, and glossaries have the course's terms."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.cli import main
from grader.course.bundle import guide_text
from grader.course.paths import CoursePaths
from grader.course.vocabularies import read_vocabularies
from grader.exercises import CHAPTERS, find_chapter
from grader.proving.students_guide import ABOUT_STEPS, BLOCK
from grader.translations.build import Translation, translation_drift
from grader.translations.glossary import read_glossary
from grader.translations.languages import Language, read_languages
from grader.translations.status import statuses
from grader.translations.texts import Texts, texts_by_catalog
from tests.conftest import REPOSITORY

LANGUAGES = read_languages(CoursePaths(REPOSITORY))
# A name that is a symbol or code is the same in every language.
WORDS = re.compile(r"[A-Za-z][a-z]+(?:[- ][a-z]+)*")


@pytest.fixture(scope="module")
def texts(repository: Path) -> dict[str, Texts]:
    """Return what the sources say."""
    return texts_by_catalog(CoursePaths(repository))


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=lambda one: one.code)
def test_translations_lose_nothing(language: Language, texts: dict[str, Texts], repository: Path) -> None:
    """No code, formula or number is lost, and a term is said as the glossary has it; in any language."""
    found = [*statuses(language, texts, CoursePaths(repository))]
    assert [problem for one in found for problem in one.problems] == []
    if language.complete:
        assert [one.name for one in found if not one.whole] == []


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=lambda one: one.code)
def test_what_is_built_is_what_the_sources_give(
    language: Language, texts: dict[str, Texts], repository: Path
) -> None:
    """Of each notebook that is built, and of all in a complete language."""
    paths = CoursePaths(repository)
    built = [stem for stem in CHAPTERS if paths.student(find_chapter(stem), language.code).is_file()]
    stems = [*CHAPTERS] if language.complete else built
    assert translation_drift(Translation(language, paths, texts), stems) == [] or not stems


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=lambda one: one.code)
def test_guide_has_the_places_where_another_course_shows_its_own(
    language: Language, texts: dict[str, Texts], repository: Path
) -> None:
    """They are found in every language, wherever a sentence has them."""
    told = Translation(language, CoursePaths(repository), texts).for_students(lambda guide, _: guide).guide
    for place in (BLOCK, ABOUT_STEPS):
        assert place.search(told)[1] == place.search(guide_text())[1]
    assert "steps(" not in ABOUT_STEPS.sub("", told)


@pytest.mark.parametrize("code", LANGUAGES)
def test_glossary_has_the_terms_of_the_course(code: str, repository: Path) -> None:
    """A name is one term of it; words that have an everyday meaning as well may be left out."""
    paths = CoursePaths(repository)
    terms = [term for one in read_vocabularies(paths) for term in one.terms if not term.everyday]
    names = [name for term in terms for name in term.name.split(", ") if WORDS.fullmatch(name)]
    glossary = read_glossary(LANGUAGES[code], paths)
    missing = [name for name in names if len(glossary.terms_in(name)) != 1]
    assert len(missing) <= (0 if LANGUAGES[code].complete else len(names) // 10), missing
    assert len(names) > 100


def test_status_fails_for_a_complete_language_that_lacks_something(translated: Translation) -> None:
    """Every catalog has a line; the exit status is 1 only if a complete language is not."""
    course = str(translated.paths.root)
    whole = CliRunner().invoke(main, ["translations", "status", "--course", course])
    assert (whole.exit_code, whole.output.count("xx")) == (0, len(translated.texts))
    path = translated.paths.translations / "xx" / "grader.po"
    written = path.read_text(encoding="utf-8")
    try:
        path.write_text(written.replace('msgstr "«the result»"', 'msgstr ""'), encoding="utf-8")
        lacking = CliRunner().invoke(main, ["translations", "status", "--course", course])
    finally:
        path.write_text(written, encoding="utf-8")
    assert lacking.exit_code == 1
    incomplete = CliRunner().invoke(main, ["translations", "status", "--course", str(REPOSITORY)])
    assert incomplete.exit_code == 0


def test_update_leaves_a_whole_language_as_it_is(translated: Translation) -> None:
    """What is up to date is written with the same bytes."""
    files = sorted(translated.paths.translations.rglob("*.po"))
    before = [path.read_bytes() for path in files]
    run = CliRunner().invoke(main, ["translations", "update", "--course", str(translated.paths.root)])
    assert run.exit_code == 0
    assert [path.read_bytes() for path in files] == before


def test_build_takes_a_language(translated: Translation) -> None:
    """One chapter's notebook and what is said are written; then the check finds no drift."""
    course, stem = str(translated.paths.root), "ch02_dot_product_attention"
    built = CliRunner().invoke(main, ["build", stem, "--language", "xx", "--course", course])
    assert built.exit_code == 0, built.output
    assert f"notebooks/xx/{stem}/{stem}.ipynb" in built.output
    assert "still English" not in built.output
    checked = CliRunner().invoke(main, ["build", stem, "--language", "xx", "--check", "--course", course])
    assert checked.exit_code == 0, checked.output
