"""Match the students of a download with the roster; never guess."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from nbgrader.api import Student

from grader.errors import GraderError
from grader.gradebook.connection import is_there, open_session
from grader.grading.class_run import name_problem
from grader.grading.folder import printable
from grader.lms.systems import System
from grader.lms.uploads import Upload
from grader.reporting.exports.grades import Person
from grader.reporting.exports.identity import blank_ends
from grader.reporting.exports.unplaced import folded, letters
from grader.reporting.spreadsheet import read_sheet

ROSTER = "students.csv"
# Shorter words of a name are too common to match.
SHARED = 3
COLUMNS = ("id", "first_name", "last_name", "email", "lms_user_id")
# One of these at least tells whose a file is.
FOUND_BY = ("first_name", "last_name", "lms_user_id")


def read_people(url: str, roster: Path | None) -> list[Person]:
    """Return the students of the gradebook and of a table; what the table says of somebody wins.

    Raises:
        GraderError: one of them cannot be read, or a name cannot be that of a folder.
    """
    people: dict[str, Person] = {}
    if is_there(url):
        with open_session(url) as session:
            columns = (Student.id, Student.first_name, Student.last_name, Student.email, Student.lms_user_id)
            known = (Person(*(value or "" for value in row)) for row in session.query(*columns))
            people = {one.id: one for one in known if not blank_ends(one.id)}
    if roster is not None:
        rows = list(read_roster(roster))
        if rows and not rows[0].keys() & set(FOUND_BY):
            raise GraderError(
                f"{roster} has none of the columns {', '.join(FOUND_BY)}, so nobody could be found in a "
                f"download. It has: {', '.join(rows[0])}."
            )
        people |= {one["id"]: Person(**one) for one in rows}
    for one in people:
        expect_folder(one)
    return list(people.values())


def read_roster(roster: Path) -> Iterator[dict[str, str]]:
    """Yield what a table says of each student, by the columns of ``COLUMNS`` that it has.

    Raises:
        GraderError: it cannot be read, lacks the column id, or an id is empty, double or no folder's name.
    """
    sheet = read_sheet(roster)
    places = {name: sheet.header.index(name) for name in COLUMNS if name in sheet.header}
    if "id" not in places:
        raise GraderError(
            f"{roster} has no column id; it has: {', '.join(map(printable, sheet.header))}. Expected: "
            f"{', '.join(COLUMNS)}."
        )
    seen = set()
    for row in sheet.rows:
        person = {name: row[place].strip() for name, place in places.items()}
        if not person["id"] or person["id"] in seen:
            raise GraderError(f"{roster}: the id {printable(person['id'])!r} is empty, or there twice.")
        seen.add(person["id"])
        expect_folder(person["id"])
        yield person


def expect_folder(student: str) -> None:
    """Raise if a student's name cannot be that of a folder."""
    if problem := folder_problem(student):
        raise GraderError(f"The student {printable(student)!r} cannot have a folder: {problem}")


def folder_problem(student: str) -> str:
    """Return why a student's name cannot be that of a folder; empty if it can."""
    if not student.strip() or {"/", "\\", "\0"} & {*student} or student.startswith("."):
        return "a name of a folder has no / or \\ in it and does not begin with a dot."
    return str(name_problem(student) or "")


def owners(people: Sequence[Person], uploads: Iterable[Upload], system: System) -> dict[tuple, str]:
    """Return the student of each owner of uploads, by the name and number in the download.

    By the number first, then by the full name, also turned round, where only one student and one owner have
    it, and the roster has no other number of theirs. Moodle's number is that of a participant in this
    assignment, which no roster has.
    """
    numbers, names = _hits(people, uploads, system)
    by_number, by_name = _alone(numbers), _alone(names)
    taken = {*by_number.values()}
    if system == "canvas":
        taken |= {one.id for one in people if one.lms_user_id.strip()}
    return by_number | {
        one: student for one, student in by_name.items() if not numbers[one] and student not in taken
    }


def claimants(people: Sequence[Person], uploads: Iterable[Upload], system: System) -> dict[tuple, set[str]]:
    """Return all students whom the name or number of each owner of uploads may mean."""
    numbers, names = _hits(people, uploads, system)
    return {one: numbers[one] | names[one] for one in numbers}


def roster_numbers(people: Sequence[Person], uploads: Iterable[Upload], system: System) -> dict[tuple, str]:
    """Return the numbers that the roster has for an owner's name, where that of the owner is none of them.

    Only of owners whose number is wrong in any case: everybody of the name has one in the roster.
    """
    _, names = _hits(people, uploads, system)
    numbers = {one.id: one.lms_user_id.strip() for one in people}
    found = {owner: {numbers[one] for one in students} for owner, students in names.items()}
    return {
        owner: ", ".join(sorted(known))
        for owner, known in found.items()
        if system == "canvas" and known and "" not in known and owner[1] not in known
    }


def alike(people: Iterable[Person], name: str, system: System) -> set[str]:
    """Return the students who share a word of their name with a name that nobody in the roster has."""
    asked = _key(name, system)
    there = {*asked.split()}
    return {
        one.id
        for one in people
        for word in folded(f"{one.first_name} {one.last_name}").split()
        if len(word) >= SHARED and (word in there or (system == "canvas" and word in asked))
    }


def _hits(
    people: Sequence[Person], uploads: Iterable[Upload], system: System
) -> tuple[dict[tuple, set[str]], dict[tuple, set[str]]]:
    """Return the students of each owner's number, and of each owner's name."""
    numbers, names = defaultdict(set), defaultdict(set)
    for one in people:
        for key in (one.lms_user_id, one.id) if system == "canvas" else ():
            numbers[key.strip()].add(one.id)
        for key in _names_of(one, system):
            names[key].add(one.id)
    asked = {(one.name, one.number) for one in uploads}
    return (
        {one: numbers.get(one[1], set()) for one in asked},
        {one: names.get(_key(one[0], system), set()) for one in asked},
    )


def _alone(hits: Mapping[tuple, set[str]]) -> dict[tuple, str]:
    """Return whose each owner is, where nobody else is meant and no other owner, by its number, could be."""
    claims = defaultdict(set)
    for (_, number), students in hits.items():
        for student in students:
            claims[student].add(number)
    found = {owner: next(iter(students)) for owner, students in hits.items() if len(students) == 1}
    return {owner: student for owner, student in found.items() if len(claims[student]) == 1}


def known_names(people: Iterable[Person], uploads: Iterable[Upload], system: System) -> set[str]:
    """Return the names in a download that somebody in the roster has."""
    known = {key for one in people for key in _names_of(one, system)}
    return {one.name for one in uploads if _key(one.name, system) in known}


def _names_of(person: Person, system: System) -> set[str]:
    first, last = person.first_name, person.last_name
    written = {f"{first} {last}", f"{last} {first}"} if first or last else set()
    if system == "moodle":
        written.add(person.id)
    return {_key(one, system) for one in written}


def _key(name: str, system: System) -> str:
    """Return a name as it is compared; Canvas leaves blanks and signs out."""
    return letters(name) if system == "canvas" else folded(name)
