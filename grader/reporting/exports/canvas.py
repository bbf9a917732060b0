"""The table that Canvas imports as grades.

Its rules, as Canvas documents and applies them: the header begins with ``Student`` and ``ID``, then ``SIS
User ID``, ``SIS Login ID`` and ``Section``, then a column for each assignment, called ``Title (ID)``; below
it may be a row that begins with ``Points Possible``. A student is found by ``ID``, else by the SIS columns,
else by name; an assignment by its id, else by its title. An empty cell is no grade, ``EX`` is excused,
``N/A`` not assigned. Columns of scores that Canvas calculates are read only.
"""

import re

from grader.reporting.exports.grades import ClassGrades
from grader.reporting.exports.identity import Identity, identified
from grader.reporting.exports.options import Export, ExportError, ExportOptions
from grader.reporting.exports.roster import Roster, fill
from grader.reporting.spreadsheet import Sheet, number_cell, sheet_text, text_cell

IDENTITIES = {
    "id": Identity("ID", "lms_user_id", digits=True),
    "login": Identity("SIS Login ID", "id"),
    "sis": Identity("SIS User ID", "id"),
}
STUDENT_COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
# Canvas's test student.
TEST_STUDENT = "Student, Test"
POINTS_POSSIBLE = "    Points Possible"
CALCULATED = re.compile(r"(?:Current|Final) (?:Score|Points|Grade)|Override (?:Score|Grade|Status)")
BEHIND_TITLE = re.compile(r"(?<!\s)\s*+\(\d+\)$")
ROSTER_IDENTITIES = {
    "ID": ("lms_user_id", "id"),
    "SIS User ID": ("lms_user_id", "id"),
    "SIS Login ID": ("lms_user_id", "id", "email"),
}
EXPORT_AGAIN = "To get one, in Canvas: Grades, Export, Export Entire Gradebook."


def canvas(grades: ClassGrades, options: ExportOptions) -> Export:
    """Return the grades as Canvas imports them.

    Raises:
        ExportError: students or assignments of the gradebook have no place in Canvas.
    """
    if options.roster is not None:
        return fill(grades, options, _roster(options.roster, options.roster_name))
    identity = IDENTITIES[options.match_by or "id"]
    listed = options.listed(grades)
    found = identified(listed, identity)
    at = STUDENT_COLUMNS.index(identity.column)
    titles = [text_cell(options.columns.get(one.name, one.name)) for one in grades.assignments]
    points = [number_cell(options.points(one)) for one in grades.assignments]
    rows = [[POINTS_POSSIBLE, *[""] * (len(STUDENT_COLUMNS) - 1), *points]]
    for person in listed:
        row = [text_cell(person.sortable_name), *[""] * (len(STUDENT_COLUMNS) - 1)]
        row[at] = found[person.id]
        rows.append(row + [options.cell(one, one.of(person.id), "") for one in grades.assignments])
    return Export(sheet_text([*STUDENT_COLUMNS, *titles], rows))


def _roster(sheet: Sheet, name: str) -> Roster:
    """Return a gradebook that Canvas exported.

    Raises:
        ExportError: it is none.
    """
    header = sheet.header
    if header[0] not in ("Student", "LastName") or not {"ID", "Section"} <= set(header):
        raise ExportError(
            f"{name} is no gradebook of Canvas: expected the columns Student, ID and Section. {EXPORT_AGAIN}"
        )
    points = next((row for row in sheet.rows if "Points Possible" in row[0]), ("",) * len(header))
    at, section = header.index("ID"), header.index("Section")
    names = (0, header.index("FirstName")) if "FirstName" in header else (0,)
    return Roster(
        name=name,
        sheet=sheet,
        identities={header.index(one): held for one, held in ROSTER_IDENTITIES.items() if one in header},
        titles={
            place: BEHIND_TITLE.sub("", title)
            for place, title in enumerate(header)
            if place > section and not CALCULATED.search(title) and "read only" not in points[place]
        },
        students=tuple(number for number, row in enumerate(sheet.rows) if row[at].strip()),
        points=dict(enumerate(points)),
        settled=("EX", "N/A"),
        export_again=EXPORT_AGAIN,
        names=names,
        tests=frozenset(
            number
            for number, row in enumerate(sheet.rows)
            if ", ".join(row[place].strip() for place in names) == TEST_STUDENT
        ),
    )
