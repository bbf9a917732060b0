"""The table that Moodle imports as grades (Grades, Import, CSV file).

Its rules, as Moodle documents and applies them: UTF-8; a line of column names, which the teacher maps to
grade items; one column by which users are found, such as ``Email address``, ``Username`` or ``ID number``;
grades with a decimal point, and ``-`` or an empty cell for none. A user who is not found stops the import.
The column of an export is called by kind, name and how it is shown: ``Assignment: Recurrence (Real)``.
"""

import re
from collections.abc import Iterator

from grader.reporting.exports.grades import ClassGrades
from grader.reporting.exports.identity import Identity, identified
from grader.reporting.exports.options import Export, ExportError, ExportOptions
from grader.reporting.exports.roster import Roster, fill
from grader.reporting.spreadsheet import Sheet, sheet_text, text_cell

IDENTITIES = {
    "email": Identity("Email address", "email"),
    "username": Identity("Username", "id"),
    "idnumber": Identity("ID number", "lms_user_id"),
}
ROSTER_IDENTITIES = {
    "email address": ("email", "id"),
    "username": ("id",),
    "id number": ("lms_user_id", "id"),
}
NO_GRADE = "-"
# What Moodle allows where its administrator has not allowed more.
MOST = 100
AROUND_TITLE = re.compile(r"^[\w ]++: |(?<!\s)\s*+\(Real\)$")
# Columns that points must not be written into, and those that are no grades at all.
NOT_POINTS = re.compile(r"\((?:Feedback|Percentage|Letter)\)$|^(?:Course|Category) total\b")
NO_GRADES = (
    "first name",
    "last name",
    "surname",
    "institution",
    "department",
    "suspended",
    "last downloaded from this course",
    "maximum grade",
)
EXPORT_AGAIN = "To get one, in Moodle: Grades, Export, Plain text file, grades shown as Real."


def moodle(grades: ClassGrades, options: ExportOptions) -> Export:
    """Return the grades as Moodle imports them.

    Raises:
        ExportError: students or assignments of the gradebook have no place in Moodle.
    """
    if options.roster is not None:
        made = fill(grades, options, _roster(options.roster, options.roster_name))
        return Export(made.text, (*made.notes, *_too_large(grades, options)))
    identity = IDENTITIES[options.match_by or "email"]
    listed = options.listed(grades)
    found = identified(listed, identity)
    titles = [text_cell(options.columns.get(one.name, one.name)) for one in grades.assignments]
    rows = [
        [
            text_cell(person.first_name),
            text_cell(person.last_name),
            found[person.id],
            *(options.cell(one, one.of(person.id), NO_GRADE) for one in grades.assignments),
        ]
        for person in listed
    ]
    text = sheet_text(["First name", "Last name", identity.column, *titles], rows)
    return Export(text, tuple(_too_large(grades, options)))


def _roster(sheet: Sheet, name: str) -> Roster:
    """Return a table of grades that Moodle exported.

    Raises:
        ExportError: it is none.
    """
    identities = {place: held for place in range(len(sheet.header)) if (held := _identity(sheet, place))}
    if not identities:
        raise ExportError(
            f"{name} is no table of Moodle's grades: expected a column Email address, Username or ID number. "
            f"{EXPORT_AGAIN}"
        )
    return Roster(
        name=name,
        sheet=sheet,
        identities=identities,
        titles={
            place: AROUND_TITLE.sub("", title)
            for place, title in enumerate(sheet.header)
            if place not in identities and title.casefold() not in NO_GRADES and not NOT_POINTS.search(title)
        },
        students=tuple(range(len(sheet.rows))),
        points=_points(sheet),
        settled=(),
        export_again=EXPORT_AGAIN,
        nothing=NO_GRADE,
        # In whatever language, first and last name come first.
        names=tuple(place for place in range(2) if place not in identities) or (min(identities),),
    )


def _points(sheet: Sheet) -> dict[int, str]:
    """Return the points to earn by the column of a grading worksheet, which has them in a column beside."""
    places = {title.casefold(): place for place, title in enumerate(sheet.header)}
    if not {"grade", "maximum grade"} <= places.keys():
        return {}
    most = {row[places["maximum grade"]] for row in sheet.rows}
    return {places["grade"]: most.pop()} if len(most) == 1 else {}


def _identity(sheet: Sheet, place: int) -> tuple[str, ...]:
    """Return what a column knows students by; names of columns are in the language of whoever exported."""
    if known := ROSTER_IDENTITIES.get(sheet.header[place].casefold()):
        return known
    values = [row[place] for row in sheet.rows]
    return ROSTER_IDENTITIES["email address"] if values and all("@" in one for one in values) else ()


def _too_large(grades: ClassGrades, options: ExportOptions) -> Iterator[str]:
    for one in grades.assignments:
        scores = (options.score(one, one.of(person.id)) for person in grades.people)
        if any(score is not None and score > MOST for score in scores):
            yield (
                f"{one.name} has scores above {MOST}, which Moodle refuses unless its administrator has "
                f"allowed unlimited grades. --out-of {MOST} scales them."
            )
