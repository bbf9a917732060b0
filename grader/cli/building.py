"""``grader build``, ``bundle`` and ``site``: the notebooks, what students get, and what anybody may read."""

import sys
from functools import partial
from pathlib import Path

import click

from grader.cli.common import (
    NOT_ALL,
    PASSED,
    course_option,
    expect_free,
    force_option,
    progress,
    report_errors,
    require_babel,
)
from grader.course.about import read_about
from grader.course.build import build as build_notebooks
from grader.course.build import drift
from grader.course.bundle import InLanguage, guide_text, make_bundle, start_template
from grader.course.compile import (
    build_declaration,
    declaration_drift,
    declared_stems,
    find_source_course,
    left_out,
    left_over,
    stems_named,
)
from grader.course.editions import Edition
from grader.course.glossary import glossary_drift, write_glossary
from grader.course.order import early_uses
from grader.course.paths import ENGLISH, CoursePaths
from grader.course.site import FRONT_PAGE, is_site, make_site
from grader.course.tables import tables_drift, write_tables
from grader.course.vocabularies import read_vocabularies
from grader.errors import GraderError
from grader.exercises import find_chapter, folder_of, own_chapters
from grader.proving.learner_texts import texts_beside_source
from grader.proving.sources import source_problems
from grader.proving.students_guide import students_guide
from grader.references.store import MANIFEST, read_manifest
from grader.references.unbuilt import require_built, unbuilt_references
from grader.translations.languages import GRADER, languages_named, read_languages

# What to do about words that come too early.
TOO_EARLY = (
    "A word comes before its place: say it otherwise, explain it in half a sentence, or introduce it "
    'earlier. docs/authoring.md, "Declare its words", has the exceptions.'
)


@click.command()
@click.argument("chapter", required=False)
@click.option("--check", "only_check", is_flag=True, help="Write nothing; fail if a built file has drifted.")
@click.option("--language", metavar="CODE", help="Build the notebooks in this language instead of English.")
@course_option
@report_errors
def build(chapter: str | None, only_check: bool, language: str | None, course: Path | None) -> None:
    """Build CHAPTER, or all: the declared exercises, the notebooks from the texts, and the glossary.

    With --check and no CHAPTER, words that are used before a chapter has introduced them are reported, too,
    once all declarations are built; and of every language that is complete, files that have drifted.
    """
    paths = find_source_course(course)
    read_about(paths)
    stems = stems_named(chapter, paths)
    if language is not None:
        _build_language(language, stems, paths, only_check)
        return
    if only_check:
        beside = [problem for stem in stems for problem in source_problems(stem, paths)]
        problems = beside + [problem for stem in stems for problem in _drift(stem, paths)]
        problems += [] if chapter else left_over(paths)
        stale = any(declaration_drift(stem, paths) for stem in stems if stem in declared_stems(paths))
        # Words are looked for in what is built of declarations, and in the files beside them.
        problems += [] if chapter or stale or beside else _words(paths)
        problems += [] if problems or chapter else _translations_drift(stems, paths)
        all_well = "Everything that is built is what its source gives"
        click.echo("\n".join(problems) or f"{all_well}{'.' if chapter else ', and no word comes too early.'}")
        sys.exit(NOT_ALL if problems else PASSED)
    for stem in stems:
        one = build_declaration(stem, paths)
        folder = folder_of(stem)
        there = read_manifest(folder)["exercises"] if (folder / MANIFEST).is_file() else {}
        if missing := [name for name in one.by_id if name not in there]:
            what = f"{stem} has" if not there else f"{missing[0]} has"
            raise GraderError(
                f"{what} no references yet, by which the notebook checks the solutions. "
                f"Run `grader references build {stem}` first."
            )
        with progress() as bar:
            task = bar.add_task(one.stem, total=None)
            build_notebooks(
                one, paths, lambda done, total, b=bar, t=task: b.update(t, completed=done, total=total)
            )
        click.echo(f"{paths.solution(one)}\n{paths.student(one)}")
    if paths.glossary_template.is_file():  # a course of its own has no guides
        write_glossary(read_vocabularies(paths), paths)
        write_tables(paths)
        click.echo(paths.glossary)


def _build_language(code: str, stems: list[str], paths: CoursePaths, only_check: bool) -> None:
    """Build the notebooks of a language, or report which have drifted; say what is still English in them."""
    (language,) = languages_named(code, paths)
    require_babel()
    from grader.translations.build import (  # noqa: PLC0415 - Babel may be missing
        build_translation,
        translation_drift,
        translation_of,
    )

    translation = translation_of(language, paths)
    if only_check:
        problems = translation_drift(translation, stems)
        click.echo("\n".join(problems) or f"What is built in {language.name} is what its sources give.")
        sys.exit(NOT_ALL if problems else PASSED)
    build_translation(translation, stems, click.echo)
    for name in (*stems, GRADER):
        if left := translation.left(name):
            click.echo(f"{name}: {left} texts are still English; `grader translations status` counts them.")


def _for_students(code: str | None, paths: CoursePaths) -> InLanguage:
    """Return what an archive says in a language, or in English."""
    if code in (None, ENGLISH):
        return InLanguage(ENGLISH, start_template(), students_guide(paths, guide_text()))
    (language,) = languages_named(code, paths)
    require_babel()
    from grader.translations.build import translation_of  # noqa: PLC0415 - Babel may be missing

    return translation_of(language, paths).for_students(partial(students_guide, paths))


def _editions(paths: CoursePaths) -> list[Edition]:
    """Return what the site says in each language that is complete."""
    complete = [one for one in read_languages(paths).values() if one.complete]
    if not complete:
        return []
    require_babel()
    from grader.translations.build import translation_of  # noqa: PLC0415 - Babel may be missing
    from grader.translations.site import edition_of  # noqa: PLC0415
    from grader.translations.texts import texts_by_catalog  # noqa: PLC0415

    texts, guide = texts_by_catalog(paths), partial(students_guide, paths)
    return [edition_of(translation_of(one, paths, texts), guide) for one in complete]


def _translations_drift(stems: list[str], paths: CoursePaths) -> list[str]:
    """Return a line for each built file that has drifted, of the languages that are complete."""
    complete = [one for one in read_languages(paths).values() if one.complete]
    if not complete:
        return []
    require_babel()
    from grader.translations.build import translation_drift, translation_of  # noqa: PLC0415 - as above
    from grader.translations.texts import texts_by_catalog  # noqa: PLC0415

    texts = texts_by_catalog(paths)
    return [line for one in complete for line in translation_drift(translation_of(one, paths, texts), stems)]


def _words(paths: CoursePaths) -> list[str]:
    """Return a line for each word that comes too early, and for each guide that is not what is declared."""
    vocabularies = read_vocabularies(paths)
    guides = []
    if paths.glossary_template.is_file():
        guides = glossary_drift(vocabularies, paths) + tables_drift(paths)
    early = early_uses(vocabularies, texts_beside_source(vocabularies, paths))
    return guides + early + [TOO_EARLY] * bool(early)


def _drift(stem: str, paths: CoursePaths) -> list[str]:
    """Return a line for each file of a chapter that is out of date: the declaration, or any other."""
    if problems := declaration_drift(stem, paths):
        return problems
    chapter = find_chapter(stem)
    return [*drift(chapter, paths), *unbuilt_references(chapter, paths)]


def _tell_left_out(paths: CoursePaths) -> None:
    for line in left_out(paths):
        click.echo(f"Note: {line}", err=True)


def _require_built(paths: CoursePaths) -> None:
    """Raise if a chapter that is given out is not what its sources say now."""
    for chapter in own_chapters():
        if paths.source(chapter).is_file():
            require_built(chapter, paths)


@click.command()
@click.argument("out", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--language", metavar="CODE", help="Take the notebooks in this language, and say all in it.")
@force_option
@course_option
@report_errors
def bundle(out: Path, language: str | None, force: bool, course: Path | None) -> None:
    """Make OUT, a zip archive for students: notebooks, the package, how to start; no solution in it."""
    if out.suffix != ".zip":
        raise GraderError(f"{out} should end in .zip, so that every system knows how to open it.")
    expect_free([out], force)
    paths = find_source_course(course)
    _tell_left_out(paths)
    _require_built(paths)
    for name, size in make_bundle(paths, out, _for_students(language, paths)).items():
        click.echo(f"{size:>10,}  {name}")
    click.echo(f"{out.stat().st_size:>10,}  {out}, to give to students; START.md in it says how to begin.")


@click.command()
@click.argument("out", type=click.Path(path_type=Path, file_okay=False))
@click.option("--force", is_flag=True, help="Replace the site in OUT.")
@course_option
@report_errors
def site(out: Path, force: bool, course: Path | None) -> None:
    """Make OUT, a folder of pages to read: all chapters without solutions, and the words they introduce.

    English is in OUT, each other language that is complete in a folder in it.
    """
    if out.exists() and not is_site(out):
        raise GraderError(f"{out} is there and is no site. Name a folder that is not there yet.")
    if out.exists() and not force:
        raise GraderError(f"{out} is there already. Name another folder, or replace it with --force.")
    paths = find_source_course(course)
    _tell_left_out(paths)
    _require_built(paths)
    make_site(paths, out, _editions(paths))
    click.echo(f"Open {out / FRONT_PAGE} in a browser, or put the folder on a web server.")
