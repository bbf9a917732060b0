"""Find terms and library names that a learner meets before a chapter has introduced them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from grader.course.passages import Passage, shown_code
from grader.course.terms import Announcement, Vocabulary, as_pattern

# A chapter's number, and an offset in its text.
Position = tuple[int, int]
# Names of libraries as texts have them: `torch.stack`, `.sum(dim=0)`, `masked_fill`.
DOTTED = re.compile(r"(?<![\w.])(torch|numpy|np|F|nn|math)((?:\.[A-Za-z]\w*)+)")
METHOD = re.compile(r"(?<=[\w)\]`'\" (])\.([a-z]\w*)\(")
SNAKE = re.compile(r"(?<![\w.])[a-z]+(?:_[a-z]+)+_?\b(?!\.)|(?<![\w.])[a-z]+_(?=\W)")
FAMILIES = {"torch": "torch", "F": "torch", "nn": "torch", "np": "numpy", "numpy": "numpy", "math": "math"}
MODULES = ("nn", "functional")
# What a chapter's code defines: functions and attributes.
OWN = re.compile(r"\bdef (\w+)|\bself\.(\w+) =")


@dataclass(frozen=True)
class _Name:
    """A library name in a text: its family (empty for a method or a bare name), and its spelling."""

    family: str
    name: str
    offset: int
    said: str


@dataclass(frozen=True)
class _Use:
    """An early use of a term or a library's name: its name, where it is, and what is reported."""

    term: str
    passage: Passage
    start: int
    end: int
    line: str


def early_uses(vocabularies: Sequence[Vocabulary], told: Mapping[str, Sequence[Passage]]) -> list[str]:
    """Return one line for each term used before its introduction, and each unused announcement.

    Args:
        vocabularies: of all chapters, in order.
        told: texts besides a chapter's source (hints, messages) that a learner reads, by chapter.
    """
    return list(_Course(vocabularies, told).problems())


class _Course:
    """All chapters' terms, and all texts that are read."""

    def __init__(self, vocabularies: Sequence[Vocabulary], told: Mapping[str, Sequence[Passage]]) -> None:
        self.chapters, self.told = tuple(vocabularies), told
        # Terms of which the everyday word appears before the introduction.
        self.everyday: set[str] = set()

    def problems(self) -> Iterator[str]:
        """Yield the problems in the order of the chapters."""
        for number, chapter in enumerate(self.chapters):
            passages = (chapter.read, *self.told.get(chapter.chapter.stem, ()))
            allowances = _Allowances(chapter, passages)
            for passage in passages:
                for use in (*self._terms(number, passage), *self._names(number, passage)):
                    if not allowances.allow(use):
                        yield use.line
            yield from allowances.problems()
        yield from self._idle_reasons()

    def _terms(self, number: int, passage: Passage) -> Iterator[_Use]:
        """Yield the uses of terms before their places: those of the chapter, and of later ones."""
        lowered = passage.text.lower()
        for later, chapter in enumerate(self.chapters[number:], start=number):
            for term in (one for one in chapter.terms if one.may_be_in(lowered)):
                place = (later, term.place)
                for found in term.pattern.finditer(passage.text):
                    if (number, passage.place_at(found.start())) >= place:
                        break
                    if term.is_everyday(found[0]):
                        self.everyday.add(term.name)
                        continue
                    line = _line(passage, found.start(), found[0], self._introduced_at(place))
                    yield _Use(term.name, passage, *found.span(), line)

    def _idle_reasons(self) -> Iterator[str]:
        """Yield a line for each term that has a reason to be passed over, and no early use for it."""
        for chapter in self.chapters:
            for term in chapter.terms:
                if term.everyday and term.name not in self.everyday:
                    where = f"{chapter.declared}:{term.line}"
                    yield f"{where}: {term.name!r} is used nowhere too early; take its `everyday` out"

    def _names(self, number: int, passage: Passage) -> Iterator[_Use]:
        """Yield the uses of names of libraries before they are shown or explained."""
        alone = (_Name("", one[0], one.start(), one[0]) for one in SNAKE.finditer(passage.text))
        for one in (*_library_names(passage.text), *alone):
            place = self._first_place(one)
            here = (number, passage.place_at(one.offset))
            if self._is_librarys(one, number) and (place is None or here < place):
                line = _line(passage, one.offset, one.said, self._introduced_at(place))
                yield _Use(one.said, passage, one.offset, one.offset + len(one.name), line)

    def _introduced_at(self, place: Position | None) -> str:
        if place is None:
            return "is shown and explained in no chapter"
        chapter = self.chapters[place[0]]
        return f"is introduced in chapter {chapter.number} (line {chapter.line_of(place[1])})"

    @cached_property
    def _own(self) -> frozenset[str]:
        """The names that chapters define themselves, which belong to no library."""
        found = (names for chapter in self.chapters for names in OWN.findall(chapter.text))
        return frozenset(name for names in found for name in names)

    @cached_property
    def _shown(self) -> dict[str, dict[str, Position]]:
        """Where each name of a library is first shown or explained, by name and family."""
        first: dict[str, dict[str, Position]] = {}
        for number, chapter in enumerate(self.chapters):
            for family, name, place in sorted(_introduced_in(chapter), key=lambda one: one[2]):
                first.setdefault(name, {}).setdefault(family, (number, place))
        return first

    def _is_librarys(self, name: _Name, number: int) -> bool:
        """Whether a name needs an introduction: not an argument's, nor a chapter's own function's."""
        if name.family:
            return True
        if name.name in self._own:
            return False
        if name.said.startswith(".") or name.name in self._shown:
            return True
        return not any(name.name in chapter.text for chapter in self.chapters[: number + 1])

    def _first_place(self, name: _Name) -> Position | None:
        """Return the first place of a name: NumPy's is its own, a method as good as PyTorch's function."""
        families = self._shown.get(name.name, {})
        fitting = {"torch": ("torch", ""), "": tuple(families)}.get(name.family, (name.family,))
        return min((place for family, place in families.items() if family in fitting), default=None)


def _library_names(text: str) -> Iterator[_Name]:
    """Yield the names of libraries in a text, but for names alone."""
    for found in DOTTED.finditer(text):
        name = found[2].rpartition(".")[2]
        if name not in MODULES:
            yield _Name(FAMILIES[found[1]], name, found.start(), found[0])
    without = DOTTED.sub(lambda found: " " * len(found[0]), text)
    for found in METHOD.finditer(without):
        yield _Name("", found[1], found.start(), f".{found[1]}()")


def _introduced_in(chapter: Vocabulary) -> Iterator[tuple[str, str, int]]:
    """Yield the families and names of libraries that a chapter shows or explains, with the offset."""
    for place, code in shown_code(chapter.text):
        for one in _library_names(code):
            yield one.family, one.name, place
    for declared, place in chapter.library.items():
        family, _, name = declared.rpartition(".")
        yield FAMILIES.get(family.partition(".")[0], ""), name, place


def _line(passage: Passage, offset: int, said: str, introduced: str) -> str:
    return f"{passage.path}:{passage.line_at(offset)}: {' '.join(said.split())!r} {introduced}"


class _Allowances:
    """Where a chapter may have words before their place."""

    def __init__(self, chapter: Vocabulary, passages: Sequence[Passage]) -> None:
        self.chapter = chapter
        self.places = {one: _places(one.text, chapter, passages) for one in chapter.announced}
        self.needed: set[tuple[Announcement, str]] = set()

    def allow(self, use: _Use) -> bool:
        """Whether an announcement of this word has this use in it."""
        fitting = [
            one
            for one, places in self.places.items()
            for passage, start, end in places
            if use.term in one.terms and passage is use.passage and start <= use.start and use.end <= end
        ]
        self.needed.update((one, use.term) for one in fitting)
        return bool(fitting)

    def problems(self) -> Iterator[str]:
        """Yield a line for each announcement that is not there once, or has no early use of a term in it."""
        for one, places in self.places.items():
            where = f"{self.chapter.declared}:{one.line}: {one.text!r}"
            if len(places) != 1:
                yield f"{where} should be read once in the chapter, and is there {len(places)} times"
            for term in one.terms:
                if (one, term) not in self.needed:
                    yield f"{where} has no early use of {term!r}; take the term out"


def _places(text: str, chapter: Vocabulary, passages: Sequence[Passage]) -> list[tuple[Passage, int, int]]:
    """Return where a text is read; what code has may be quoted as in the source."""
    pattern = re.compile(as_pattern(text))
    read = [(one, *found.span()) for one in passages for found in pattern.finditer(one.text)]
    return read or [(chapter.read, *found.span()) for found in pattern.finditer(chapter.text)]
