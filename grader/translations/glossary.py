"""The words of a language for the course's terms, as ``translations/<language>/glossary.toml`` declares them.

::

    "dot product" = "produto escalar"
    weight = ["peso", "pondera"]        # any of these; the beginning of a word is enough

A term that stays English is declared as itself. Where a text has a term, its translation has one of the
words. A translator's comment in the catalog, ``# everyday: share``, says which words are no terms there.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from babel.messages.catalog import Message

from grader.course.paths import CoursePaths
from grader.course.terms import as_pattern
from grader.course.vocabularies import with_plural
from grader.errors import SourceError
from grader.exercises.declaration import read_toml
from grader.translations.languages import Language
from grader.translations.words import KEPT

GLOSSARY = "glossary.toml"
EVERYDAY = "everyday:"


@dataclass(frozen=True)
class Glossary:
    """The words of a language.

    Attributes:
        words: by the English term, the words of which a translation has one.
    """

    words: dict[str, tuple[str, ...]]

    @cached_property
    def _terms(self) -> re.Pattern[str]:
        """What finds a term in an English text: of several at one place the longest."""
        forms = sorted(self._term_of, key=len, reverse=True)
        return re.compile(rf"(?<![\w.-])(?:{'|'.join(map(as_pattern, forms))})(?![\w-])", re.IGNORECASE)

    @cached_property
    def _term_of(self) -> dict[str, str]:
        return {form.lower(): term for term in self.words for form in with_plural(term)}

    def terms_in(self, text: str) -> list[str]:
        """Return the terms that an English text has."""
        if not self.words:
            return []
        found = (" ".join(one[0].lower().split()) for one in self._terms.finditer(KEPT.sub("\0", text)))
        return list(dict.fromkeys(self._term_of[form] for form in found))

    def missed(self, message: Message) -> Iterator[str]:
        """Yield a problem for each term of a text whose words its translation does not have."""
        comments = (one.removeprefix(EVERYDAY) for one in message.user_comments if one.startswith(EVERYDAY))
        everyday = {word.strip() for one in comments for word in one.split(",")}
        english = message.id if isinstance(message.id, str) else message.id[0]
        form = message.string if isinstance(message.string, str) else message.string[0]
        for term in self.terms_in(english):
            if term not in everyday and not any(word.lower() in form.lower() for word in self.words[term]):
                yield f"{term!r} should be {' or '.join(map(repr, self.words[term]))}"


def read_glossary(language: Language, paths: CoursePaths) -> Glossary:
    """Return the words of a language; none without the file.

    Raises:
        SourceError: something in the file is wrong; names the line.
    """
    path = paths.translations / language.code / GLOSSARY
    try:
        content = read_toml(path)
    except FileNotFoundError:
        return Glossary({})
    words = {}
    for term, value in content.items():
        listed = [value] if isinstance(value, str) else value
        if (
            not isinstance(listed, list)
            or not listed
            or not all(isinstance(one, str) and one for one in listed)
        ):
            lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
            line = next((n for n, text in lines if text.lstrip('"').startswith(term)), 1)
            raise SourceError(path, line, f"{term} is {value!r}; expected a word, or a list of words")
        words[term] = tuple(listed)
    return Glossary(words)
