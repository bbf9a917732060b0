"""In which language messages are shown: that of the notebook, else ``GRADER_LANGUAGE``, else the archive's.

A kernel learns from Jupyter or VS Code which file its notebook is; a translated notebook says in its metadata
into which language. Elsewhere, as on Colab, the package of a translated archive knows its language. What is
said in a language is in ``<references>/translations/<language>.mo``.
"""

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path

from grader.errors import GraderError
from grader.exercises import own_root, references_root
from grader.messages.message import ENGLISH, Message, message

# Where a translated notebook keeps its language.
LANGUAGE_KEY = "translated_into"
VARIABLE = "GRADER_LANGUAGE"
SOURCES = "en"
# A code: letters, and a region or a script behind an underscore.
CODE = re.compile(r"[a-z]{2,3}(?:_[A-Za-z]{2,8})?")


def compiled_file(references: Path, language: str) -> Path:
    """Return the file of what is said in a language, in a folder of references."""
    return references / "translations" / f"{language}.mo"


def default_file(references: Path) -> Path:
    """Return the file with the code of the language to speak by default, in a folder of references."""
    return references / "translations" / "default"


def is_language(value: object) -> bool:
    """Return whether a value has the form of a language's code: letters, and so the name of no other file."""
    return isinstance(value, str) and CODE.fullmatch(value) is not None


@cache
def wanted_language() -> str:
    """Return the code of the language to speak; ``en`` if none is asked for."""
    asked = _of_notebook() or os.environ.get(VARIABLE, "").strip() or _of_package()
    return asked.partition(".")[0].replace("-", "_") or SOURCES


def _of_notebook() -> str:
    """Return the language of the notebook that this kernel runs; empty if that is not known."""
    of_vs_code = getattr(sys.modules.get("__main__"), "__vsc_ipynb_file__", "")
    file = of_vs_code or os.environ.get("JPY_SESSION_NAME")
    if "ipykernel" not in sys.modules or not file:
        return ""
    try:
        language = json.loads(Path(str(file)).read_bytes())["metadata"].get(LANGUAGE_KEY, SOURCES)
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return ""  # the kernel belongs to something else, or the file was moved
    return language if isinstance(language, str) else ""


def _of_package() -> str:
    """Return the language of the archive that the package came with; empty if that is English."""
    file = default_file(references_root())
    return file.read_text(encoding="utf-8").strip() if file.is_file() else ""


def catalog_of(language: str, references: Iterable[Path]) -> NullTranslations:
    """Return what is said in a language, from the folders of references that have it; English elsewhere."""
    catalog: NullTranslations = ENGLISH
    for folder in references:
        file = compiled_file(folder, language)
        if language == SOURCES or not file.is_file():
            continue
        with file.open("rb") as content:
            found = GNUTranslations(content)
        if catalog is not ENGLISH:
            found.add_fallback(catalog)
        catalog = found
    return catalog


@cache
def spoken_here() -> NullTranslations:
    """Return the language in which this kernel shows messages."""
    roots = (references_root(), own_root())
    return catalog_of(wanted_language(), [root for root in roots if root])


def said(one: Message) -> str:
    """Return a message as this kernel shows it."""
    return one.render(spoken_here())


@contextmanager
def errors_said() -> Iterator[None]:
    """Word an error of the grader that was raised with a message in the language that this kernel shows."""
    try:
        yield
    except GraderError as error:
        if len(error.args) == 1 and isinstance(error.args[0], Message):
            error.args = (said(error.args[0]),)
        raise


def languages_spoken(references: Iterable[Path]) -> frozenset[str]:
    """Return the codes of the languages of which there is something in folders of references."""
    files = (file for folder in references for file in compiled_file(folder, "*").parent.glob("*.mo"))
    return frozenset(file.stem for file in files if is_language(file.stem))


def unspoken_note(language: str, catalog: NullTranslations) -> Message | None:
    """Return that a language is not there, if it was asked for."""
    if language == SOURCES or catalog is not ENGLISH:
        return None
    return message(
        "Nothing is translated into {language} here, so this is in English. {variable}, or the notebook, "
        "asked for it.",
        language=language,
        variable=VARIABLE,
    )
