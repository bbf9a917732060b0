"""By what another system knows a student."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from grader.reporting.exports.grades import Person
from grader.reporting.exports.sheet import looks_like_formula, one_line
from grader.reporting.exports.wishes import ExportError


@dataclass(frozen=True)
class Identity:
    """A column that another system finds its students by.

    Attributes:
        column: its name there.
        attribute: what nbgrader calls it.
        digits: whether it has to be a number.
    """

    column: str
    attribute: str
    digits: bool = False

    def of(self, person: Person) -> str:
        """Return a student's; empty where it is not known, or cannot be one."""
        value = getattr(person, self.attribute).strip()
        return value if not self.digits or (value.isascii() and value.isdigit()) else ""

    @property
    def advice(self) -> str:
        """How to make it known."""
        if self.attribute == "id":
            return "It is the student's name in the gradebook, which cannot be changed."
        option = self.attribute.replace("_", "-")
        return f"Tell nbgrader: `nbgrader db student add STUDENT --{option}=...`."


def names(people: Iterable[Person]) -> str:
    """Return the ids of students, all of them, for a message."""
    return ", ".join(one_line(one.id) for one in people)


def identified(people: Iterable[Person], identity: Identity) -> dict[str, str]:
    """Return each student's identity by nbgrader's id.

    Raises:
        ExportError: some have none, or the same, or one that a spreadsheet would take for a formula.
    """
    people = list(people)
    found = {person.id: identity.of(person) for person in people}
    counts = Counter(found.values())
    ways_out = f"{identity.advice} Or give --roster, choose another --match-by, or --leave-out them."
    if lacking := [one for one in people if not found[one.id]]:
        kind = "number" if identity.digits else "text"
        raise ExportError(
            f"No {identity.attribute} ({kind}), which the column {identity.column} needs, is known of "
            f"{len(lacking)} students: {names(lacking)}. {ways_out}"
        )
    if alike := [one for one in people if counts[found[one.id]] > 1]:
        raise ExportError(
            f"These students have the same {identity.attribute} as another one: {names(alike)}. {ways_out}"
        )
    if odd := [one for one in people if looks_like_formula(found[one.id])]:
        raise ExportError(
            f"The {identity.attribute} of these students would be calculated by a spreadsheet: {names(odd)}. "
            f"{ways_out}"
        )
    return found
