r"""Walk over the texts of a Markdown cell: paragraphs, headings, items of lists, cells of tables.

Formulas are a text where words stand in them (``\text{...}``); code is shown as it is, but for its comments.
"""

import re
from collections.abc import Callable, Iterator

from grader.translations.code import translated_code
from grader.translations.words import Translate, has_words

HEADING = re.compile(r"(#+ +)(.*)")
ITEM = re.compile(r"(\s*(?:[-*+]|\d+[.)]) +)(.*)")
QUOTED = re.compile(r"((?:> ?)+)(.*)")
TABLE = re.compile(r"\s*\|.*\|\s*")
BAR = re.compile(r"(?<!\\)\|")
FENCE = re.compile(r"\s*(`{3,}|~{3,})\s*(\w*)")
# What Sphinx makes something of, such as a list of pages; of its options a caption is a text.
DIRECTIVE = re.compile(r"(`{3,})\{[\w-]+\}.*")
CAPTION = re.compile(r"(:caption: +)(.*)")
TAG = re.compile(r"(</?[a-zA-Z][^<>]*>)")
# A line's end inside of a paragraph, but for one that is shown as such.
WRAPPED = re.compile(r"(?<! {2})(?<!\\)\n\s*")


# A cell of a table that quotes what the grader says: code alone, of several words.
QUOTED_ALONE = re.compile(r"(\s*`)([^`\s]+ [^`]*)(`\s*)")


def same(text: str) -> str:
    """Return a text as it is."""
    return text


def translated_markdown(source: str, translate: Translate, said: Translate = same) -> str:
    """Return the source of a cell with its texts replaced.

    Args:
        source: the cell's, or a page's.
        translate: returns what stands in the place of a text.
        said: returns how the grader says a text that a cell of a table quotes; what it never says stays.
    """
    return "\n".join(_Walk(source.split("\n"), translate, said).lines())


class _Walk:
    """One way through the lines of a cell."""

    def __init__(self, lines: list[str], translate: Translate, said: Translate) -> None:
        self.rest, self.translate, self.said = lines[::-1], translate, said

    def lines(self) -> Iterator[str]:
        """Yield the lines with the texts replaced."""
        while self.rest:
            line = self.rest.pop()
            if not line.strip():
                yield line
            elif fence := FENCE.fullmatch(line):
                yield from self._fenced(line, fence[1], fence[2])
            elif directive := DIRECTIVE.fullmatch(line):
                yield from self._directive(line, directive[1])
            elif line.strip().startswith("$$"):
                yield from self._formula(line)
            elif TABLE.fullmatch(line):
                yield "|".join(map(self._cell, BAR.split(line)))
            elif line.startswith("<"):
                yield "".join(
                    one if TAG.fullmatch(one) else self._kept_around(one) for one in TAG.split(line)
                )
            elif heading := HEADING.fullmatch(line):
                yield heading[1] + self._of(heading[2])
            else:
                yield self._paragraph(line)

    def _of(self, text: str) -> str:
        return self.translate(text) if has_words(text) else text

    def _cell(self, text: str) -> str:
        """Return a cell of a table replaced."""
        if quoted := QUOTED_ALONE.fullmatch(text):
            return f"{quoted[1]}{self.said(quoted[2])}{quoted[3]}"
        return self._kept_around(text)

    def _kept_around(self, text: str) -> str:
        """Return a text replaced, with the white space around it as it is."""
        return text.replace(inner, self._of(inner), 1) if (inner := text.strip()) else text

    def _paragraph(self, line: str) -> str:
        """Return a paragraph, or an item of a list, as one line."""
        begun = ITEM.fullmatch(line) or QUOTED.fullmatch(line)
        before, text = begun.groups() if begun else re.fullmatch(r"(\s*)(.*)", line).groups()
        written = [line]
        while self.rest and self._goes_on(self.rest[-1], bool(ITEM.fullmatch(line))):
            following = self.rest.pop()
            quoted = QUOTED.fullmatch(following) if before.startswith(">") else None
            text = f"{text}\n{quoted[2] if quoted else following}"
            written.append(following)
        made = self._of(text := WRAPPED.sub(" ", text))
        return before + made if made != text else "\n".join(written)

    @staticmethod
    def _goes_on(line: str, in_list: bool) -> bool:
        """Return whether a line belongs to what stands above; a paragraph may have a line "2017. Then"."""
        item = ITEM.fullmatch(line)
        begins = item and (in_list or not item[1].strip()[0].isdigit() or item[1].strip()[:-1] == "1")
        other = FENCE.fullmatch(line) or TABLE.fullmatch(line) or HEADING.fullmatch(line)
        return bool(line.strip()) and not (begins or other or line.startswith(("<", "$$")))

    def _fenced(self, line: str, fence: str, language: str) -> Iterator[str]:
        yield line
        inner = self._up_to(lambda one: one.strip() == fence)
        *code, end = inner or [""]
        if language == "python" and code:
            code = translated_code("\n".join(code), self.translate).split("\n")
        yield from (*code, end)

    def _directive(self, line: str, fence: str) -> Iterator[str]:
        yield line
        for inner in self._up_to(lambda one: one.strip() == fence):
            caption = CAPTION.fullmatch(inner)
            yield caption[1] + self._of(caption[2]) if caption else inner

    def _formula(self, line: str) -> Iterator[str]:
        lines = [line]
        if line.count("$$") == 1:
            lines += self._up_to(lambda one: "$$" in one)
        formula = "\n".join(lines)
        yield self.translate(formula) if r"\text{" in formula else formula

    def _up_to(self, ends: Callable[[str], bool]) -> list[str]:
        taken = []
        while self.rest:
            taken.append(self.rest.pop())
            if ends(taken[-1]):
                break
        return taken
