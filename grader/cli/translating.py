"""``grader translations``: what is translated, and the catalogs that translators work on."""

import sys
from pathlib import Path

import click
from rich.console import Console
from rich.table import Column, Table

from grader.cli.common import NOT_ALL, PASSED, course_option, report_errors, require_babel
from grader.course.compile import find_source_course
from grader.translations.languages import languages_named

language_option = click.option("--language", metavar="CODE", help="One language; by default all.")


@click.group()
def translations() -> None:
    """Keep the course's translations up to what its sources say."""


@translations.command()
@language_option
@course_option
@report_errors
def update(language: str | None, course: Path | None) -> None:
    """Write the texts of the sources into the catalogs; what changed keeps its translation as a guess."""
    paths = find_source_course(course)
    languages = languages_named(language, paths)
    require_babel()
    from grader.translations import catalogs  # noqa: PLC0415 - Babel may be missing
    from grader.translations.texts import texts_by_catalog  # noqa: PLC0415

    texts = texts_by_catalog(paths)
    for one in languages:
        for name, found in texts.items():
            path = catalogs.path_of(one, name, paths)
            catalogs.write_catalog(catalogs.up_to_date(one, name, found, paths, guess=True), one, path)
            click.echo(path)


@translations.command()
@language_option
@course_option
@report_errors
def status(language: str | None, course: Path | None) -> None:
    """Show how much of each catalog is translated, and which translations have lost something.

    Exits with status 1 if a language that is declared complete lacks anything.
    """
    paths = find_source_course(course)
    languages = languages_named(language, paths)
    require_babel()
    from grader.translations.status import statuses  # noqa: PLC0415 - Babel may be missing
    from grader.translations.texts import texts_by_catalog  # noqa: PLC0415

    texts = texts_by_catalog(paths)
    columns = [Column(name, justify="right") for name in ("translated", "missing", "fuzzy")]
    table, problems, lacking = Table("language", "catalog", *columns), [], False
    for language_of in languages:
        for one in statuses(language_of, texts, paths):
            table.add_row(language_of.code, one.name, *map(str, (one.translated, one.missing, one.fuzzy)))
            problems += one.problems
            lacking |= language_of.complete and not one.whole
    Console().print(table)
    click.echo("\n".join(problems), nl=bool(problems))
    sys.exit(NOT_ALL if lacking else PASSED)
