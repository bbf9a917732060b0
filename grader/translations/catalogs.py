"""Read and write the catalogs of a language, and bring them up to what the sources say.

A text that changed keeps its translation as a guess (fuzzy), which nobody gets to see until a translator has
looked at it; one that is gone is kept as obsolete.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po, unescape, write_po

from grader.course.paths import CoursePaths
from grader.errors import SourceError
from grader.files import write_whole
from grader.translations.languages import Language
from grader.translations.texts import Texts

LINE = 100
# The same catalogs give the same bytes.
LONG_AGO = datetime(1980, 1, 1, tzinfo=UTC)
# A comment that says what a text was before it changed, as gettext writes it behind a "#".
PREVIOUS = "|"
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


def path_of(language: Language, name: str, paths: CoursePaths) -> Path:
    """Return the file of a catalog."""
    return paths.translations / language.code / f"{name}.po"


def read_catalog(language: Language, name: str, paths: CoursePaths) -> Catalog:
    """Return a catalog as it is; empty if there is no file.

    Raises:
        SourceError: it cannot be read; names the line.
    """
    path = path_of(language, name, paths)
    content = path.read_bytes() if path.is_file() else _header(language)
    try:
        catalog = read_po(BytesIO(content), abort_invalid=True)
    except PoFileError as error:
        raise SourceError(path, error.lineno + 1, f"this is no catalog: {error}") from error
    except (UnicodeDecodeError, ValueError) as error:
        raise SourceError(path, 1, f"this is no catalog: {error}") from error
    catalog.creation_date = catalog.revision_date = LONG_AGO
    for message in (*catalog, *catalog.obsolete.values()):
        _take_previous(message)
    return catalog


def _take_previous(message: Message) -> None:
    """Take what a text was before from the comments, where Babel leaves it; only a guess needs it still."""
    lines = [one.removeprefix(PREVIOUS) for one in message.user_comments if one.startswith(PREVIOUS)]
    message.user_comments = [one for one in message.user_comments if not one.startswith(PREVIOUS)]
    if message.fuzzy:
        forms = "".join(lines).split(" msgid_plural ")
        message.previous_id = ["".join(map(unescape, QUOTED.findall(one))) for one in forms if one]


def up_to_date(language: Language, name: str, texts: Texts, paths: CoursePaths, guess: bool) -> Catalog:
    """Return a catalog with exactly the texts that the sources have.

    Args:
        language: the language.
        name: of the catalog.
        texts: what the sources have.
        paths: the course.
        guess: whether a new text gets the translation of one that is like it, as a guess.

    Raises:
        SourceError: the file cannot be read.
    """
    catalog, template = read_catalog(language, name, paths), Catalog()
    for text, files in texts.found.items():
        template.add(text, locations=[(file, 0) for file in files])
        if text not in catalog and (back := catalog.obsolete.pop(_key(text), None)) is not None:
            catalog[text] = back  # a text that was gone is there again
    previous = {message.id: message.previous_id for message in entries(catalog)}
    catalog.update(template, no_fuzzy_matching=not guess, update_creation_date=False)
    for message in entries(catalog):
        if message.fuzzy and not message.previous_id:
            message.previous_id = previous.get(message.id, [])  # of an earlier update
    return catalog


def _key(text: str | tuple[str, str]) -> str:
    return text if isinstance(text, str) else text[0]


def write_catalog(catalog: Catalog, language: Language, path: Path) -> None:
    """Write a catalog: without dates and lines of sources, which would change with every build."""
    content = BytesIO()
    write_po(content, catalog, LINE, omit_header=True, include_lineno=False, include_previous=True)
    write_whole(path, _header(language) + content.getvalue())


def _header(language: Language) -> bytes:
    lines = (
        f"Language: {language.code}",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: 8bit",
        f"Plural-Forms: {language.plural_forms}",
    )
    quoted = "\n".join(f'"{line}\\n"' for line in lines)
    return f'msgid ""\nmsgstr ""\n{quoted}\n\n'.encode()


def is_translated(message: Message) -> bool:
    """Return whether an entry has all its translations, and not only guesses."""
    forms = message.string if isinstance(message.string, tuple | list) else (message.string,)
    return all(forms) and not message.fuzzy


def entries(catalog: Catalog) -> list[Message]:
    """Return the entries of a catalog without its header."""
    return [message for message in catalog if message.id]


def spoken(catalog: Catalog) -> GNUTranslations:
    """Return a catalog as gettext reads it; what is missing or guessed stays English."""
    return GNUTranslations(BytesIO(compiled(_only_translated(catalog))))


def compiled(catalog: Catalog) -> bytes:
    """Return a catalog in gettext's binary form."""
    content = BytesIO()
    write_mo(content, catalog)
    return content.getvalue()


def merged(catalogs: Mapping[str, Catalog], texts: Mapping[str, Texts]) -> Catalog:
    """Return all that the grader says, from all catalogs, as one; of two translations the first counts."""
    first, *_ = catalogs.values()
    whole = _empty_like(first)
    for name, catalog in catalogs.items():
        for message in entries(catalog):
            if message.id in texts[name].said and is_translated(message) and message.id not in whole:
                whole[message.id] = message
    return whole


def _only_translated(catalog: Catalog) -> Catalog:
    left = _empty_like(catalog)
    for message in filter(is_translated, entries(catalog)):
        left[message.id] = message
    return left


def _empty_like(catalog: Catalog) -> Catalog:
    empty = Catalog(creation_date=LONG_AGO, revision_date=LONG_AGO)
    empty.mime_headers = catalog.mime_headers
    return empty
