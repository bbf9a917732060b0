"""Mutants that are declared equivalent: they pass, and rightly so.

What is so in every chapter is declared in ``equivalents.toml`` beside this module, what is so in one, in
``solutions/<chapter>/answers/equivalent_mutants.toml``::

    [[equivalent]]
    because = "the scores have two axes: the last is axis 1"
    exercises = ["ch04-self-attention-v1"]
    variants = ["textbook"]
    exchanges = [["dim=-1", "dim=1"], ["powers = {}", "powers = -{}"]]

An exchange is the part of the mutant's lines that was exchanged and what stands there instead, as much of
both as is needed to say what. ``{}`` stands for any text and ``{x}`` for any name, the same in both, ``{{``
and ``}}`` for a brace; one that has no second text allows whatever stands there instead. Without
``exercises`` it is for all, without ``variants`` for every correct variant. The lines are those of
``ast.unparse``, with their indentation or without. A declaration is only ever asked about a mutant that
passed.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path

from grader.errors import SourceError
from grader.exercises import EXERCISES, Chapter, Exercise
from grader.exercises.declaration import closest, read_toml
from grader.proving.mutation.mutants import Mutant

FILE = "answers/equivalent_mutants.toml"
HOLE = re.compile(r"\\\{(\w*)\\\}")
# What stands for a doubled brace meanwhile: signs that no source has.
BRACES = {"{{": "\ue000", "}}": "\ue001"}
# Of every line; a single space at the beginning is part of what is exchanged.
INDENTATION = re.compile(r"^(?: {4})+", re.MULTILINE)
KEYS = ("because", "exercises", "variants", "exchanges")


@dataclass(frozen=True)
class Equivalent:
    """A declaration: exchanging ``before`` for ``after`` makes no mutant that must be killed, and why.

    Attributes:
        because: the reason.
        before: what is exchanged.
        after: what stands there instead; None if that does not matter.
        exercises: for which it is declared.
        variants: for which correct variants; empty for every one.
        place: the file and the line that declare it.
    """

    because: str
    before: str
    after: str | None
    exercises: tuple[str, ...]
    variants: tuple[str, ...] = ()
    place: str = field(default="", compare=False)

    def covers(self, exercise_id: str, variant: str, mutant: Mutant) -> bool:
        """Return whether exchanging ``before`` for ``after`` once gives the mutant's lines."""
        if exercise_id not in self.exercises or (self.variants and variant not in self.variants):
            return False
        return self._pattern.fullmatch(f"{mutant.before}\0{mutant.after}") is not None

    @cached_property
    def _pattern(self) -> re.Pattern:
        """The mutant's old and new lines; what is around the exchange, and the holes, is the same in both."""
        before, holes = _with_holes(self.before, ())
        after = "[^\0]*" if self.after is None else _with_holes(self.after, holes)[0]
        return re.compile(rf"(?P<head>[^\0]*){before}(?P<tail>[^\0]*)\0(?P=head){after}(?P=tail)", re.DOTALL)

    def as_line(self) -> str:
        """Return where it is declared, what is exchanged for what, and where."""
        after = "anything" if self.after is None else repr(self.after)
        where = ", ".join((*self.exercises, *map(repr, self.variants)))
        place = f"{self.place}: " if self.place else ""
        return f"{place}{self.before!r} to {after} ({where}): {self.because}"


def _with_holes(text: str, known: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Return the pattern of a text with holes, and their names; known holes are what they were."""
    found = list(known)

    def pattern(hole: re.Match) -> str:
        name = f"hole_{hole[1]}"
        if name in found:
            return rf"\(?(?P={name})\)?" if not hole[1] else f"(?P={name})"
        found.append(name)
        return f"(?P<{name}>.+)" if not hole[1] else rf"(?P<{name}>[\w.]+)"

    for doubled, sign in BRACES.items():
        text = text.replace(doubled, sign)
    made = HOLE.sub(pattern, re.escape(text))
    for doubled, sign in BRACES.items():
        made = made.replace(sign, re.escape(doubled[0]))
    return made, tuple(found)


def literal(text: str) -> str:
    """Return how a declaration says a text in which braces are braces."""
    return text.replace("{", "{{").replace("}", "}}")


def _declarations(entry: Mapping, known: Mapping[str, Exercise]) -> Iterator[Equivalent]:
    """Yield what an entry declares.

    Raises:
        ValueError: it is malformed.
    """
    for key in ("exercises", "variants"):
        if not _are_texts(entry.get(key, [])):
            raise ValueError(f"{key} = {entry[key]!r}: expected a list of texts.")
    for names, those in ((entry, KEYS), (entry.get("exercises", ()), known)):
        if strange := next((name for name in names if name not in those), None):
            raise ValueError(
                f"{strange} is not known; known are {', '.join(those)}.{closest(strange, those)}"
            )
    if not isinstance(because := entry.get("because"), str) or not because.strip():
        raise ValueError("because is missing or empty: say why no case can tell the two apart.")
    if not _are_exchanges(exchanges := entry.get("exchanges")):
        raise ValueError(
            f"exchanges = {exchanges!r}: expected a list of [before, after] or [before], each a text."
        )
    exercises, variants = tuple(entry.get("exercises", known)), tuple(entry.get("variants", ()))
    for before, *after in (map(_without_indentation, one) for one in exchanges):
        yield Equivalent(because, before, after[0] if after else None, exercises, variants)


def _without_indentation(text: str) -> str:
    """Return lines as those of mutants are compared."""
    return INDENTATION.sub("", text)


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _are_exchanges(value: object) -> bool:
    """Return whether a value is a list of what is exchanged, and maybe for what."""
    return isinstance(value, list) and all(_are_texts(one) and any(one) and len(one) <= 2 for one in value)


def _read(path: Path, known: Mapping[str, Exercise]) -> tuple[Equivalent, ...]:
    content = read_toml(path)
    entries = content.get("equivalent", [])
    lines = path.read_text(encoding="utf-8").splitlines()
    places = [number for number, line in enumerate(lines, 1) if line.startswith("[[equivalent]]")]
    if content.keys() - {"equivalent"} or not isinstance(entries, list) or len(entries) != len(places):
        raise SourceError(path, 1, "expected nothing but tables, with [[equivalent]] before each.")
    found = []
    for line, entry in zip(places, entries, strict=True):
        try:
            found += [replace(one, place=f"{path}:{line}") for one in _declarations(entry, known)]
        except ValueError as error:
            raise SourceError(path, line, f"{error}") from error
    return tuple(found)


@cache
def general_equivalents() -> tuple[Equivalent, ...]:
    """Return what is declared for every exercise of the course."""
    return _read(Path(__file__).with_suffix(".toml"), EXERCISES)


def read_equivalents(solutions: Path, chapter: Chapter) -> tuple[Equivalent, ...]:
    """Return what a chapter declares; nothing if it has no such file.

    Raises:
        SourceError: the file is malformed, or names an exercise that the chapter does not have.
    """
    path = solutions / chapter.stem / FILE
    return _read(path, chapter.by_id) if path.is_file() else ()


def covering(
    equivalents: Iterable[Equivalent], exercise_id: str, variant: str, mutant: Mutant
) -> Equivalent | None:
    """Return the first declaration that covers a mutant."""
    return next((one for one in equivalents if one.covers(exercise_id, variant, mutant)), None)
