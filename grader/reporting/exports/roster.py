"""Fill scores into a table that another system exported, keeping its rows and columns."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from grader.errors import GraderError
from grader.exercises import find_chapter
from grader.reporting.exports.grades import AssignmentGrades, ClassGrades, FinalGrade, Person
from grader.reporting.exports.identity import is_odd, left_out, made_known, names
from grader.reporting.exports.options import Export, ExportError, ExportOptions
from grader.reporting.spreadsheet import (
    Sheet,
    kept_cell,
    looks_like_formula,
    number_cell,
    one_line,
    sheet_text,
)

# Cells that hold no score.
NO_SCORE = ("", "-")


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
        names: the columns that a person knows a student by.
        tests: the rows of students whom the other system made to try things on.
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
    names: tuple[int, ...] = (0,)
    tests: frozenset[int] = frozenset()

    def called(self, rows: Iterable[int]) -> str:
        """Return the students of rows, all of them, for a message."""
        cells = ([self.sheet.rows[number][place] for place in self.names] for number in rows)
        return "; ".join(one_line(" ".join(filter(str.strip, one))) for one in cells)

    def columns_of(self, grades: ClassGrades, options: ExportOptions) -> dict[str, int]:
        """Return the place of each assignment's column.

        Raises:
            ExportError: it is not there, there are several, or it is worth other points.
        """
        found = {
            one.name: self._column(one.name, options.columns.get(one.name, "")) for one in grades.assignments
        }
        if len(set(found.values())) < len(found):
            raise ExportError(
                f"Two assignments have the same column in {self.name}. Name each with --column."
            )
        for one in grades.assignments:
            self._compare_points(one, options, found[one.name])
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

    def _compare_points(self, assignment: AssignmentGrades, options: ExportOptions, place: int) -> None:
        """Refuse to write points out of twelve where they count out of a hundred."""
        written = self.points.get(place, "").replace(",", ".").strip()
        ours = number_cell(options.points(assignment))
        try:
            same = not written or abs(float(written) - options.points(assignment)) < 0.005
        except ValueError:
            same = True  # no number: nothing is said about points
        if not same:
            raise ExportError(
                f"{assignment.name} is exported out of {ours} points, and {self.name} has {written} "
                f"for it. Change that there and export again, or have scores scaled with --out-of {written}."
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


def fill(grades: ClassGrades, options: ExportOptions, roster: Roster) -> Export:
    """Return the roster with the scores in it.

    Raises:
        ExportError: a student with a score, or an assignment, has no place in it.
    """
    columns = roster.columns_of(grades, options)
    rows, absent = roster.rows_of(grades.people)
    stray = [one for one in absent if is_odd(one)]
    scored = [one for one in absent if any(a.of(one.id).score is not None for a in grades.assignments)]
    lost = [one for one in scored if one not in stray]
    told = f"{len(lost)} who have a score are not in {roster.name}: {names(lost)}."
    if lost and not options.only_listed:
        raise ExportError(
            f"{told} {roster.advice} Or --leave-out who left; with --only-listed none of them is asked for. "
            f"{roster.export_again}"
        )
    filling = _Filling(grades, options, roster, columns, {row: student for student, row in rows.items()})
    filled = [filling.cells(number) for number in range(len(roster.sheet.rows))]
    return Export(
        sheet_text([_kept(cell, -1, roster) for cell in roster.sheet.titles], filled, roster.sheet.delimiter),
        (*filling.notes(), *([told] if lost else []), *([left_out(stray)] if stray else [])),
    )


@dataclass
class _Filling:
    """Scores on their way into a roster, and the rows of which something has to be told.

    Attributes:
        students: nbgrader's student of each row that has one.
        settled: how many scores the other system does not want.
        unplaced: rows whose student may own what `grader collect` could not place.
        emptied: rows that had a score and have none now.
    """

    grades: ClassGrades
    options: ExportOptions
    roster: Roster
    columns: Mapping[str, int]
    students: Mapping[int, str]
    settled: int = 0
    unplaced: dict[int, None] = field(default_factory=dict)
    emptied: dict[int, None] = field(default_factory=dict)

    @property
    def asked(self) -> list[int]:
        """The rows that are filled: all students whom the gradebook knows, or who are real."""
        rows, tests = self.roster.students, self.roster.tests
        return [one for one in rows if one in self.students or one not in tests]

    def cells(self, number: int) -> list[str]:
        """Return the cells of a row, with its scores."""
        row = self.roster.sheet.rows[number]
        cells = [_kept(cell, place, self.roster) for place, cell in enumerate(row)]
        for one in self.grades.assignments if number in self.asked else ():
            grade, place = one.of(self.students.get(number, "")), self.columns[one.name]
            if row[place].strip() in self.roster.settled:
                self.settled += grade.score is not None
            else:
                cells[place] = self._cell(number, one, grade)
                if cells[place] in NO_SCORE and row[place].strip() not in NO_SCORE:
                    self.emptied[number] = None
        return cells

    def _cell(self, number: int, assignment: AssignmentGrades, grade: FinalGrade) -> str:
        """Return the cell of a score; an earlier one would count for work that nobody has graded."""
        row, not_placed = self.roster.sheet.rows[number], self.options.unplaced.get(assignment.name, ())
        if grade.status == "missing" and any(one.may_be(row) for one in not_placed):
            self.unplaced[number] = None
            return self.roster.nothing
        return self.options.cell(assignment, grade, self.roster.nothing)

    def notes(self) -> Iterator[str]:
        """Yield what has to be told, with all names."""
        name, called = self.roster.name, self.roster.called
        if absent := [one for one in self.asked if one not in self.students and one not in self.unplaced]:
            yield (
                f"{len(absent)} students of {name} are not in the gradebook, so nothing of theirs is graded: "
                f"{called(absent)}."
            )
        if self.unplaced:
            yield (
                f"These students of {name} may own work that `grader collect` listed and did not place. "
                f"Their score is empty, never 0: {called(self.unplaced)}."
            )
        if self.emptied:
            yield (
                f"A score that {name} had was taken out, for nothing is graded here of these students: "
                f"{called(self.emptied)}."
            )
        if self.settled:
            settled = " or ".join(self.roster.settled)
            yield f"{self.settled} scores were not written: {name} says {settled} there."


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
