"""How much of a language's catalogs is translated, and what is wrong with it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from grader.course.paths import CoursePaths
from grader.translations.catalogs import entries, is_translated, path_of, up_to_date
from grader.translations.entries import problems_of
from grader.translations.glossary import read_glossary
from grader.translations.languages import Language
from grader.translations.texts import Texts


@dataclass(frozen=True)
class Status:
    """How much of a catalog is translated.

    Attributes:
        name: the catalog's.
        translated: how many entries are.
        missing: how many have no translation.
        fuzzy: how many have only a guess.
        problems: a line for each translation that has lost something, with the file.
    """

    name: str
    translated: int
    missing: int
    fuzzy: int
    problems: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """Whether nothing is left to do."""
        return not (self.missing or self.fuzzy or self.problems)


def statuses(language: Language, texts: Mapping[str, Texts], paths: CoursePaths) -> Iterator[Status]:
    """Yield the status of each catalog of a language.

    Args:
        language: the language.
        texts: what the sources have, by catalog.
        paths: the course.

    Raises:
        SourceError: a catalog, or the glossary, cannot be read.
    """
    glossary = read_glossary(language, paths)
    for name, found in texts.items():
        catalog = up_to_date(language, name, found, paths, guess=False)
        every, path = entries(catalog), path_of(language, name, paths)
        translated, fuzzy = sum(map(is_translated, every)), sum(message.fuzzy for message in every)
        problems = tuple(f"{path}: {problem}" for problem in problems_of(catalog, name, glossary))
        yield Status(name, translated, len(every) - translated - fuzzy, fuzzy, problems)
