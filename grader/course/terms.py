"""``Term``: a term that a chapter introduces; ``Vocabulary``: all terms of a chapter."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from grader.course.passages import Passage, prose_of
from grader.exercises import Chapter


@dataclass(frozen=True)
class Term:
    """A word, or several that belong together, that a chapter introduces.

    Attributes:
        name: as the glossary has it, several with commas between.
        meaning: what it means, in the glossary's words.
        forms: what is looked for, in the text as it stands.
        place: the offset in the chapter's text from which on it may be used.
        everyday: why a one-word form may be used earlier in its everyday meaning; empty if it may not.
        line: the line of its declaration.
    """

    name: str
    meaning: str
    forms: tuple[str, ...]
    place: int
    everyday: str
    line: int

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What a use of the term looks like; where it has an everyday word, of that, too."""
        forms = sorted(self.forms, key=len, reverse=True)
        return re.compile(
            "|".join(_emphasized(form) if self.is_everyday(form) else _use(form) for form in forms)
        )

    def is_everyday(self, form: str) -> bool:
        """Whether a form, where it is not emphasized, may have its everyday meaning."""
        return bool(self.everyday) and form.replace("-", "").isalpha()

    def may_be_in(self, lowered: str) -> bool:
        """Whether a text in small letters can have a use: much faster than to look for one."""
        return any(form.split(" ")[0].lower() in lowered for form in self.forms)


@dataclass(frozen=True)
class Announcement:
    """A passage of a chapter, or of a message in it, that may use terms before their introduction.

    Attributes:
        text: the text.
        terms: the words, by the names that the glossary has; names of libraries as the text has them.
        line: the line of its declaration.
    """

    text: str
    terms: tuple[str, ...]
    line: int


@dataclass(frozen=True)
class Vocabulary:
    """What a chapter introduces.

    Attributes:
        chapter: the chapter.
        path: its text.
        text: the text.
        terms: its terms, in the order in which the text introduces them.
        announced: the texts that may have words before their place.
        library: the functions of libraries that its prose explains, with the offset where it does.
        declared: the file of the declarations.
    """

    chapter: Chapter
    path: Path
    text: str
    terms: tuple[Term, ...]
    announced: tuple[Announcement, ...]
    library: dict[str, int]
    declared: Path

    @cached_property
    def read(self) -> Passage:
        """What a learner reads of the chapter's text."""
        return Passage(self.path, 1, prose_of(self.text))

    @property
    def number(self) -> str:
        """The chapter's number, which its stem begins with; where there is none, what it begins with."""
        first = self.chapter.stem.partition("_")[0]
        digits = re.search(r"\d+$", first)
        return str(int(digits[0])) if digits else first

    def line_of(self, place: int) -> int:
        """Return the line of a place in the text."""
        return self.text.count("\n", 0, place) + 1


def _use(form: str) -> str:
    words = as_pattern(form)
    if form[0].islower():  # it may begin a sentence
        words = f"[{form[0].upper()}{form[0]}]{as_pattern(form[1:])}"
    before = r"(?<![\w.])" if form[0].isalnum() else ""
    after = r"(?![\w(]|-\d)" if form[-1].isalnum() else ""  # no call, and GPT is not GPT-2
    return f"{before}{words}{after}"


def _emphasized(form: str) -> str:
    """Return what a form looks like whose emphasis is to be seen, by the stars around it."""
    return rf"(?:(?<![*\w])\*{{1,2}}{_use(form)}\*{{1,2}}(?![*\w])|{_use(form)})"


def as_pattern(text: str) -> str:
    """Return a regular expression for a text whose lines may be broken anywhere between words."""
    return r"\s+".join(re.escape(word) for word in text.split(" "))
