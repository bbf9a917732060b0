"""The rules by which chapters count in a term.

``course.toml`` in the course's folder::

[term]
drop-lowest = 1            # the lowest scores of each student that do not count
missing = "zero"           # what was not handed in; or "leave-out"

[term.weights]             # without it every chapter counts the same
ch03_scaled_dot_product_attention = 1
ch04_self_attention = 2
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from grader.checking.credit import TERM
from grader.errors import GraderError
from grader.exercises import CHAPTERS
from grader.files import read_toml

Missing = Literal["zero", "leave-out"]
DROP, MISSING, WEIGHTS = "drop-lowest", "missing", "weights"


@dataclass(frozen=True)
class TermRules:
    """The rules of a term.

    Attributes:
        drop: how many of the lowest scores of each student do not count.
        missing: what work counts that was not handed in.
        weights: by chapter; empty where every chapter counts the same.
    """

    drop: int = 0
    missing: Missing = "zero"
    weights: Mapping[str, float] = field(default_factory=dict)

    def weight(self, chapter: str) -> float:
        """Return what a chapter counts.

        Raises:
            GraderError: others have a weight, and this one has none.
        """
        if not self.weights:
            return 1.0
        if chapter not in self.weights:
            raise GraderError(
                f"{chapter} is graded and has no weight in [{TERM}.{WEIGHTS}] of course.toml. Give it one; 0 "
                "leaves it out."
            )
        return self.weights[chapter]


def read_rules(path: Path) -> TermRules:
    """Return how a course's term counts; everything the same where nothing is said.

    Raises:
        GraderError: the file cannot be read, or something in it is not known or makes no sense.
    """
    content = read_toml(path)
    if not content:
        return TermRules()
    table = content.get(TERM, {})
    _expect(isinstance(table, dict), path, TERM, table, f"a table, [{TERM}]")
    unknown = ", ".join(sorted(set(table) - {DROP, MISSING, WEIGHTS}))
    if unknown:
        raise GraderError(
            f"{path}: [{TERM}] has {unknown}, which is not known; expected: {DROP}, {MISSING}, {WEIGHTS}."
        )
    weights = _weights(path, table.get(WEIGHTS, {}))
    drop, missing = table.get(DROP, 0), table.get(MISSING, "zero")
    counting = sum(one > 0 for one in weights.values()) if weights else len(CHAPTERS)
    whole = isinstance(drop, int) and not isinstance(drop, bool)
    expected = f"a whole number from 0 to {counting - 1}, for {counting} chapters count"
    _expect(whole and 0 <= drop < counting, path, DROP, drop, expected)
    _expect(missing in get_args(Missing), path, MISSING, missing, '"zero" or "leave-out"')
    return TermRules(drop, missing, weights)


def _weights(path: Path, table: object) -> dict[str, float]:
    _expect(isinstance(table, dict), path, WEIGHTS, table, f"a table, [{TERM}.{WEIGHTS}]")
    for chapter, weight in table.items():
        place = f"{chapter} in [{TERM}.{WEIGHTS}]"
        if chapter not in CHAPTERS:
            raise GraderError(f"{path}: {place} is no chapter; expected one of: {', '.join(CHAPTERS)}.")
        number = isinstance(weight, int | float) and not isinstance(weight, bool)
        _expect(number and 0 <= weight < math.inf, path, place, weight, "a number, 0 or more")
    if table and not any(table.values()):
        raise GraderError(f"{path}: every weight in [{TERM}.{WEIGHTS}] is 0; one has to be more.")
    return {chapter: float(weight) for chapter, weight in table.items()}


def _expect(fits: bool, path: Path, name: str, value: object, expected: str) -> None:
    if not fits:
        raise GraderError(f"{path}: {name} is {value!r:.80}; expected {expected}.")
