"""What is wrong with a translation, whatever it says: something is lost that has to stay as it is.

Code, formulas and names in braces are the same in every language, and so are numbers.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from string import Formatter

from babel.messages.catalog import Catalog, Message
from markdown_it import MarkdownIt

from grader.translations.catalogs import entries, is_translated
from grader.translations.glossary import Glossary
from grader.translations.languages import GRADER

CODE = re.compile(r"`+[^`]*`+")
FORMULA = re.compile(r"(?<![\\$])\$[^$]+\$")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
# What stands for declared values, or for a message's own.
DECLARED = re.compile(r"\{[a-z][\w-]*\}")
# Chinese and Japanese characters have no slanted form: browsers only lean them over.
SLANTED = re.compile(r"<em>([^<]*[\u3400-\u9fff][^<]*)</em>")
HTML_CODE = re.compile(r"<code>.*?</code>", re.DOTALL)
MARKDOWN = MarkdownIt()


def problems_of(catalog: Catalog, name: str, glossary: Glossary) -> list[str]:
    """Return a line for each translation that has lost something, or does not use the glossary's words."""
    return [
        f"{_short(message.id)}: {problem}"
        for message in entries(catalog)
        if is_translated(message)
        for problem in (*_lost(message, name), *glossary.missed(message))
    ]


def _short(text: str | Sequence[str]) -> str:
    return repr(text if isinstance(text, str) and len(text) < 60 else f"{_first(text)[:60]}...")


def _first(text: str | Sequence[str]) -> str:
    return text if isinstance(text, str) else text[0]


def _lost(message: Message, name: str) -> Iterator[str]:
    english = [message.id] if isinstance(message.id, str) else list(message.id)
    forms = [message.string] if isinstance(message.string, str) else list(message.string)
    for form in forms:
        if name == GRADER:
            yield from _placeholders(english, form)
        else:
            yield from _changed(english[0], form)


def _placeholders(english: list[str], translated: str) -> Iterator[str]:
    """Yield a problem if a placeholder is lost that every form has, or one is made up."""
    wanted = [_names(one) for one in english]
    try:
        there = _names(translated)
    except ValueError as error:
        yield f"{translated!r} is no text with placeholders: {error}"
        return
    if lost := set.intersection(*wanted) - there - {"count"}:
        yield f"the placeholder {{{min(lost)}}} is lost"
    if strange := there - set.union(*wanted):
        yield f"there is no placeholder {{{min(strange)}}}"


def _names(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def _signless(found: str) -> str:
    """Return a number without its signs, for languages write 1,024.5 in other ways; a formula with points.

    All else is returned as it is.
    """
    return re.sub("[.,]", "", found) if NUMBER.fullmatch(found) else _with_points(found)


def _with_points(formula: str) -> str:
    """Return a formula with a point where it has a decimal comma, which TeX writes as ``{,}``."""
    return formula.replace("{,}", ".")


def _changed(english: str, translated: str) -> Iterator[str]:
    """Yield a problem for each piece of code, formula, or number that is not in a translation."""
    if english.startswith("$$"):  # words stand within
        english, translated = (re.sub(r"\\text\{[^{}]*\}", "", one) for one in (english, translated))
        if "".join(english.split()) != _with_points("".join(translated.split())):
            yield "the formula is another, but for words in \\text{}"
        return
    shown = _as_html(translated)
    if shown.count("**") > _as_html(english).count("**"):
        yield "Markdown shows its ** as stars: beside them stands a mark such as a quote; write it outside"
    if slanted := SLANTED.search(shown):
        yield f"*{slanted[1]}* would be slanted, which these characters are not: emphasize with **"
    for what, pattern in (("code", CODE), ("formula", FORMULA), ("mark", DECLARED), ("number", NUMBER)):
        wanted, there = (Counter(map(_signless, pattern.findall(one))) for one in (english, translated))
        if lost := wanted - there:
            told = next(one for one in pattern.findall(english) if _signless(one) in lost)
            yield f"the {what} {told} is lost"
        elif what != "number" and (strange := there - wanted):
            yield f"the {what} {min(strange)} is not in the English text"
        english, translated = (pattern.sub(" ", one) for one in (english, translated))


def _as_html(text: str) -> str:
    """Return what a browser gets of a text in Markdown, without its code."""
    return HTML_CODE.sub("", MARKDOWN.render(text))
