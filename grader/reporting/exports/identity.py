"""Identities: the columns by which another system finds students."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grader.reporting.exports.grades import Person
from grader.reporting.exports.options import ExportError
from grader.reporting.spreadsheet import looks_like_formula, one_line


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
        return made_known(f"the {self.attribute}")


def made_known(what: str) -> str:
    """Return how nbgrader learns something of students without forgetting the rest.

    `nbgrader db student add` would erase whatever is not given, and a roster what a column leaves empty.
    """
    return (
        f"Give each a whole line in students.csv (id, first_name, last_name, email, lms_user_id), with {what}"
        ", and run `grader roster`; what is empty there is erased."
    )


def names(people: Iterable[Person]) -> str:
    """Return the ids of students, all of them, for a message."""
    return ", ".join(one_line(one.id) for one in people)


def is_odd(person: Person) -> bool:
    """Return whether a student's id is no name that another system has: a folder was called so by accident.

    It begins or ends with a blank, holds signs that cannot be shown, or would be calculated by a spreadsheet.
    """
    return person.id != one_line(person.id) or looks_like_formula(person.id)


def blank_ends(student: str) -> bool:
    """Return whether a student's id has a blank at an end, which makes it another one's where that is cut."""
    return student != student.strip()


def blank_told(chapter: str, students: Iterable[str]) -> str:
    """Return that folders with a blank at an end of their names are graded for nobody."""
    return (
        f"{chapter}: these folders in submitted/ have a blank at an end of their names and are in no table: "
        f"{', '.join(map(repr, students))}. Give each the student's name, and grade again."
    )


def strays(people: Iterable[Person], in_roster: bool) -> list[Person]:
    """Return the students with an odd id who are left out: of whom nothing else is known, or blanks end it.

    Args:
        people: all students.
        in_roster: whether they are looked for in a table: there only who has another one's name is lost.
    """
    people = list(people)
    plain = {one.id.casefold() for one in people if not is_odd(one)}
    unknown = [one for one in people if is_odd(one) and not (one.lms_user_id.strip() or one.email.strip())]
    lost = {one.id for one in unknown if not in_roster or one_line(one.id).casefold() in plain}
    return [one for one in people if one.id in lost or blank_ends(one.id)]


def left_out(people: Sequence[Person]) -> str:
    """Return that students with an odd id are not in the table."""
    shown = ", ".join(repr(one.id) for one in people)
    return (
        f"Left out, for no other system has such names, or has them for somebody else: {shown}. These are "
        "folders in submitted/ with blanks at an end or odd signs: give them the student's name, and grade "
        "again."
    )


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
