"""Say in another language what cells have shown: the words of pictures and widgets around the numbers.

Outputs are those of the English run. Texts in them are found by the catalogs: as they are, or as a message
with values for its placeholders, which may be messages themselves. What code prints, and what pictures and
tables of numbers are labeled with, stays as it is.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from gettext import GNUTranslations
from html import escape, unescape
from string import Formatter

from nbformat import NotebookNode, from_dict

from grader.messages.captions import caption
from grader.messages.catalog import Text
from grader.translations.words import WORD, has_words

HTML = "text/html"
# What is shown in words of its own around a picture: the folders of these modules.
SHOWING = ("figures/", "widgets/")
TAG = re.compile(r"(<[^>]*>)")
DESCRIBED = re.compile(r'(?<= alt=")[^"]*(?=")')
# What some placeholders stand for: whole numbers, a share, what is quoted.
WHOLE, SHARE, QUOTED = r"\d+", r"<?\d+\.\d+", "[^”]+"
KINDS = {"count": WHOLE, "number": WHOLE, "heads": WHOLE, "share": SHARE, "key": QUOTED}
# So many words of its own make a line of a table a sentence, which is said again.
SENTENCE = 3


@dataclass(frozen=True)
class Said:
    """A message whose values are to be found in an English text.

    Attributes:
        english: its text, or its plural.
        translated: returns its template in the other language, for these values.
    """

    english: str
    translated: Callable[[Mapping[str, str]], str]

    @cached_property
    def literal(self) -> str:
        """What of it is no placeholder."""
        return "".join(text for text, *_ in Formatter().parse(self.english))

    @property
    def joins(self) -> bool:
        """Whether it only joins texts, which may be any."""
        names = (name for _, name, *_ in Formatter().parse(self.english))
        return not has_words(self.literal) and not any(name in KINDS for name in names)

    @property
    def open(self) -> bool:
        """Whether it begins with a placeholder."""
        return self.english.startswith("{")

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What finds the values in a text."""
        parts, named = [], set()
        for text, name, *_ in Formatter().parse(self.english):
            parts.append(re.escape(text))
            if name in named:
                parts.append(f"(?P={name})")
            elif name is not None:
                parts.append(f"(?P<{name}>{KINDS.get(name, '.+?')})")
                named.add(name)
        return re.compile("".join(parts))


class Outputs:
    """What is shown in a chapter.

    Args:
        texts: of the chapter, which are found as they are.
        messages: of what shows pictures and widgets.
        chapter: the chapter's catalog.
        grader: what the grader says.
    """

    def __init__(
        self,
        texts: Iterable[Text],
        messages: Iterable[Text],
        chapter: GNUTranslations,
        grader: GNUTranslations,
    ) -> None:
        self.exact = {text: chapter.gettext(text) for text in texts if isinstance(text, str)}
        found = [one for message in messages for one in _said(message, grader)]
        found += [one for text in self.exact for one in _computed(text, chapter)]
        # What only joins texts comes first: all of them are messages, or it is no such join. Then what
        # begins with words, and the longest.
        self.messages = sorted(found, key=lambda one: (not one.joins, one.open, -len(one.literal)))

    def shown(self, outputs: list[NotebookNode]) -> list[NotebookNode]:
        """Return outputs with their words in this language."""
        made = [from_dict(one) for one in outputs]
        for one in made:
            if HTML in one.get("data", {}):
                one.data[HTML] = self.html(one.data[HTML])
        return made

    def html(self, html: str) -> str:
        """Return HTML with its texts, and what describes its pictures, in this language.

        Below a picture stands what describes it, as where a kernel speaks the language.
        """
        parts, numbers = [], False
        for part in TAG.split(html):
            if found := DESCRIBED.search(part) if TAG.fullmatch(part) else None:
                alt = self.text(unescape(found[0]))
                parts += [part[: found.start()], escape(alt), part[found.end() :], caption(alt)]
            elif TAG.fullmatch(part):
                numbers = part == "<pre>" or (numbers and part != "</pre>")
                parts.append(part)
            else:
                said = self._numbers if numbers else self.text
                parts.append(escape(said(unescape(part))))
        return "".join(parts)

    def text(self, text: str) -> str:
        """Return a text in this language; as it is if no catalog has it."""
        if text in self.exact:
            return self.exact[text]
        for one in self.messages:
            if found := one.pattern.fullmatch(text):
                english = found.groupdict()
                values = {name: self.text(value) for name, value in english.items()}
                if not one.joins or all(values[name] != english[name] for name in values):
                    return one.translated(values).format(**values)
        return text

    def _numbers(self, text: str) -> str:
        """Return a table of numbers whose sentences are in this language."""
        return "\n".join(self._line(line) for line in text.split("\n"))

    def _line(self, line: str) -> str:
        for one in self.messages:
            if len(WORD.findall(one.literal)) >= SENTENCE and one.pattern.fullmatch(line):
                return self.text(line)
        return line


def _said(message: Text, grader: GNUTranslations) -> Iterator[Said]:
    if isinstance(message, str):
        yield Said(message, lambda values: grader.gettext(message))
    else:
        for form in message:
            yield Said(form, lambda values: grader.ngettext(*message, int(values["count"])))


def _computed(text: str, chapter: GNUTranslations) -> Iterator[Said]:
    """Yield a description of a picture that code computes a value of: an f-string."""
    try:
        names = [name for _, name, *_ in Formatter().parse(text) if name is not None]
    except ValueError:
        return  # a formula's braces
    if names and all(name.isidentifier() for name in names):
        yield Said(text, lambda values: chapter.gettext(text))


def messages_that_show(found: Mapping[Text, list[str]]) -> list[Text]:
    """Return the messages of what shows pictures and widgets, by the files that each is in."""
    return [text for text, files in found.items() if any(part in file for file in files for part in SHOWING)]
