"""The languages that a course is translated into, as ``translations/languages.toml`` declares them.

::

    [pt_BR]
    name = "português do Brasil"               # in its own words
    plural_forms = "nplurals=2; plural=(n > 1);"   # as gettext has them
    complete = false                           # whether everything has to be translated
"""

import re
from dataclasses import dataclass

from grader.course.paths import ENGLISH, CoursePaths
from grader.errors import GraderError, SourceError
from grader.exercises.declaration import closest, read_toml
from grader.messages.speaking import is_language

DECLARED = "languages.toml"
# Beside the catalogs of the chapters: what the grader says, what goes with the notebooks in the archive, and
# the other pages of the site.
GRADER, STUDENTS, SITE = "grader", "students", "site"
KEYS = {"name": str, "plural_forms": str, "complete": bool}
PLURAL_FORMS = re.compile(r"nplurals=\d+; plural=[^;]+;")


@dataclass(frozen=True)
class Language:
    """A language that a course is translated into.

    Attributes:
        code: such as ``pt_BR``.
        name: in its own words.
        plural_forms: how many forms a counted word has, and which number has which, as gettext has it.
        complete: whether everything has to be translated.
    """

    code: str
    name: str
    plural_forms: str
    complete: bool


def read_languages(paths: CoursePaths) -> dict[str, Language]:
    """Return the languages of a course by their codes; none without the file.

    Raises:
        SourceError: something in the file is wrong; names the line.
    """
    path = paths.translations / DECLARED
    try:
        content = read_toml(path)
    except FileNotFoundError:
        return {}

    def refused(code: str, problem: str) -> SourceError:
        lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        return SourceError(path, next((n for n, line in lines if code in line), 1), problem)

    for code, entry in content.items():
        if not isinstance(entry, dict) or not is_language(code) or code == ENGLISH:
            raise refused(code, f"{code} is no language; expected a table such as [pt_BR] with its values")
        if strange := sorted(entry.keys() ^ KEYS.keys()):
            raise refused(
                code, f"[{code}] has {', '.join(entry)}; expected {', '.join(KEYS)}: see {strange[0]}"
            )
        for key, kind in KEYS.items():
            if not isinstance(entry[key], kind):
                raise refused(code, f"{key} of [{code}] is {entry[key]!r}; expected a {kind.__name__}")
        if not PLURAL_FORMS.fullmatch(entry["plural_forms"]):
            told = 'expected such as "nplurals=2; plural=(n != 1);"'
            raise refused(code, f"plural_forms of [{code}] is {entry['plural_forms']!r}; {told}")
    return {code: Language(code, **entry) for code, entry in content.items()}


def languages_named(code: str | None, paths: CoursePaths) -> list[Language]:
    """Return the language of a code, or all that a course has.

    Raises:
        GraderError: there is none.
    """
    known = read_languages(paths)
    if code is None:
        return list(known.values())
    if code not in known:
        told = f"They are: {', '.join(known) or 'none'}.{closest(code, known)}"
        raise GraderError(f"{paths.translations / DECLARED} declares no language {code!r}. {told}")
    return [known[code]]
