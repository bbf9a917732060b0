"""Fill a table that another system exported: its rows and columns stay, scores are put in their places."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from grader.errors import GraderError
from grader.exercises import find_chapter
from grader.reporting.exports.grades import AssignmentGrades, ClassGrades, Person
from grader.reporting.exports.identity import is_odd, left_out, made_known, names
from grader.reporting.exports.sheet import (
    Sheet,
    kept_cell,
    looks_like_formula,
    number_cell,
    one_line,
    sheet_text,
)
from grader.reporting.exports.wishes import Export, ExportError, Wishes


@dataclass(frozen=True)
class Roster:
    """Another system's table.

    Attributes:
        name: what the file is called.
        sheet: the table.
        identities: by column, which of nbgrader's attributes may be found there.
        titles: the columns of assignments, by place, called as a person would.
        students: the rows that are students.
        points: what assignments are worth, by place; empty where the system does not say.
        settled: cells that stay as they are, for the other system has decided.
        export_again: how to get another one.
        nothing: what stands for no grade.
    """

    name: str
    sheet: Sheet
    identities: Mapping[int, tuple[str, ...]]
    titles: Mapping[int, str]
    students: tuple[int, ...]
    points: Mapping[int, str]
    settled: tuple[str, ...]
    export_again: str
    nothing: str = ""

    def columns_of(self, grades: ClassGrades, wishes: Wishes) -> dict[str, int]:
        """Return the place of each assignment's column.

        Raises:
            ExportError: it is not there, there are several, or it is worth other points.
        """
        found = {
            one.name: self._column(one.name, wishes.columns.get(one.name, "")) for one in grades.assignments
        }
        if len(set(found.values())) < len(found):
            raise ExportError(
                f"Two assignments have the same column in {self.name}. Name each with --column."
            )
        for one in grades.assignments:
            self._compare_points(one, wishes, found[one.name])
        return found

    def _column(self, assignment: str, asked: str) -> int:
        wanted = {name.casefold() for name in ([asked] if asked else _known_as(assignment))}
        places = [
            place
            for place, title in self.titles.items()
            if {title.casefold(), self.sheet.header[place].casefold()} & wanted
        ]
        if len(places) == 1:
            return places[0]
        there = "; ".join(one_line(self.sheet.header[place]) for place in self.titles) or "none"
        problem = "more than one column" if places else "no column"
        raise ExportError(
            f"{self.name} has {problem} for {assignment}; its assignments are: {there}. Name it with "
            f'--column "{assignment}=ONE OF THESE", or make it there and export again.'
        )

    def _compare_points(self, assignment: AssignmentGrades, wishes: Wishes, place: int) -> None:
        """Refuse to write points out of twelve where they count out of a hundred."""
        written = self.points.get(place, "").replace(",", ".").strip()
        ours = number_cell(wishes.points(assignment))
        try:
            same = not written or abs(float(written) - wishes.points(assignment)) < 0.005
        except ValueError:
            same = True  # no number: nothing is said about points
        if not same:
            raise ExportError(
                f"{assignment.name} is worth {ours} points here and {written} in {self.name}. Change that "
                f"there and export again, or have scores scaled with --out-of {written}."
            )

    def rows_of(self, people: Iterable[Person]) -> tuple[dict[str, int], list[Person]]:
        """Return the row of each student, and the students without one.

        Raises:
            ExportError: several rows may be meant, or several students the same.
        """
        index = self._index()
        rows, absent, unclear = {}, [], []
        for person in people:
            hits = next(filter(None, (index.get(key, set()) for key in _keys(person))), set())
            if len(hits) > 1:
                unclear.append(person)
            elif hits:
                rows[person.id] = next(iter(hits))
            else:
                absent.append(person)
        taken = list(rows.values())
        unclear += [one for one in people if taken.count(rows.get(one.id, -1)) > 1]
        if unclear:
            raise ExportError(
                f"In {self.name} it is not clear who these students are: {names(unclear)}. {self.advice}"
            )
        return rows, absent

    @property
    def advice(self) -> str:
        """How students are found who are not: by what its columns name and nbgrader can be told."""
        named = {attribute for attributes in self.identities.values() for attribute in attributes}
        known = [one for one in ("lms_user_id", "email") if one in named]
        if not known:
            return f"{self.name} names them by nbgrader's id alone: export one that has addresses or numbers."
        return made_known(f"the {' or '.join(known)} that {self.name} has")

    def _index(self) -> dict[tuple[str, str], set[int]]:
        """Return the rows by attribute and value."""
        index: dict[tuple[str, str], set[int]] = {}
        for number in self.students:
            for place, attributes in self.identities.items():
                value = self.sheet.rows[number][place].strip().casefold()
                for attribute in attributes if value else ():
                    index.setdefault((attribute, value), set()).add(number)
        return index


def _known_as(assignment: str) -> Iterator[str]:
    """Yield the names under which another system may have an assignment."""
    yield assignment
    try:
        yield find_chapter(assignment).title
    except GraderError:
        return  # an assignment of the instructor's own


def _keys(person: Person) -> Iterator[tuple[str, str]]:
    """Yield what a student may be found by, what was made for that first."""
    for attribute in ("lms_user_id", "email", "id"):
        if value := getattr(person, attribute).strip().casefold():
            yield attribute, value


def fill(grades: ClassGrades, wishes: Wishes, roster: Roster) -> Export:
    """Return the roster with the scores in it.

    Raises:
        ExportError: a student with a score, or an assignment, has no place in it.
    """
    columns = roster.columns_of(grades, wishes)
    rows, absent = roster.rows_of(grades.people)
    stray = [one for one in absent if is_odd(one)]
    scored = [one for one in absent if any(a.of(one.id).score is not None for a in grades.assignments)]
    lost = [one for one in scored if one not in stray]
    if lost:
        raise ExportError(
            f"{len(lost)} students have a score and are not in {roster.name}: {names(lost)}. "
            f"{roster.advice} Or --leave-out who left. {roster.export_again}"
        )
    students = {row: student for student, row in rows.items()}
    filled, settled = [], 0
    for number, row in enumerate(roster.sheet.rows):
        cells = [_kept(cell, place, roster) for place, cell in enumerate(row)]
        for one in grades.assignments if number in roster.students else ():
            place = columns[one.name]
            grade = one.of(students.get(number, ""))
            if row[place].strip() in roster.settled:
                settled += grade.score is not None
            else:
                # An earlier score would count for work that nobody has graded.
                nothing = roster.nothing if grade.status == "ungraded" else cells[place]
                cells[place] = wishes.cell(one, grade, nothing)
        filled.append(cells)
    return Export(
        sheet_text([_kept(cell, -1, roster) for cell in roster.sheet.header], filled, roster.sheet.delimiter),
        (*_notes(grades, roster, students, settled), *([left_out(stray)] if stray else [])),
    )


def _kept(cell: str, place: int, roster: Roster) -> str:
    """Return a cell of the roster as it may be written.

    Raises:
        ExportError: it is an identity that a spreadsheet would calculate, and would be another one as text.
    """
    if place in roster.identities and looks_like_formula(cell):
        raise ExportError(
            f"{roster.name} has an identity that a spreadsheet would calculate: {one_line(cell)!r:.60}. "
            "Change it in the other system, or remove the row."
        )
    return kept_cell(cell)


def _notes(grades: ClassGrades, roster: Roster, students: Mapping[int, str], settled: int) -> Iterator[str]:
    unknown = sum(number not in students for number in roster.students)
    if unknown:
        yield f"{unknown} students of {roster.name} are not in the gradebook: nothing was handed in."
    if settled:
        yield f"{settled} scores were not written: {roster.name} says {' or '.join(roster.settled)} there."
