"""Find a misspelled definition in place of the required name: reported, never graded under that name."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from grader.exercises import Exercise
from grader.messages import Message, message
from grader.sandbox.job import Cell

DEFINED = re.compile(r"^(class|def|async[ \t]+def)[ \t]+(\w{1,80})\b", re.MULTILINE)
KINDS = {"class": message("class"), "def": message("function")}
# From this similarity on, two names count as spellings of the same, wherever they are.
ALIKE = 0.8
# Definitions that are looked at.
MOST = 500


@dataclass(frozen=True)
class OtherName:
    """A definition that may be the misspelled subject.

    Attributes:
        kind: what it defines.
        name: how it is called.
        place: the number of its cell among those that are run.
    """

    kind: Message
    name: str
    place: int


def other_name(
    exercise: Exercise, cells: Sequence[Cell], place: int, known: frozenset[str]
) -> OtherName | None:
    """Return the definition that was probably meant to be an exercise's subject; None if there is none.

    Args:
        exercise: what is asked.
        cells: the cells that are run.
        place: which of them holds the answer.
        known: names that are asked for elsewhere, or were given out.
    """
    there = [one for one in _definitions(cells) if one.name not in known][:MOST]
    alike = [one for one in there if _likeness(one.name, exercise.subject) >= ALIKE]
    own = [one for one in there if one.place == place]
    candidates = alike or (own if len(own) == 1 else [])
    return max(
        candidates, key=lambda one: (one.place == place, _likeness(one.name, exercise.subject)), default=None
    )


def _definitions(cells: Sequence[Cell]) -> Iterator[OtherName]:
    for place, cell in enumerate(cells):
        if not cell.exercise:
            for word, name in DEFINED.findall(cell.source):
                yield OtherName(KINDS["class" if word == "class" else "def"], name, place)


def _likeness(one: str, other: str) -> float:
    """Return the similarity of two names, from 0 to 1, ignoring case and underscores."""
    first, second = (name.casefold().replace("_", "") for name in (one, other))
    return SequenceMatcher(None, first, second, autojunk=False).ratio()
