"""Our own table: a line for each student and assignment, with the points of each exercise."""

from grader.reporting.exports.grades import ClassGrades, FinalGrade
from grader.reporting.exports.options import Export, ExportOptions
from grader.reporting.spreadsheet import number_cell, sheet_text, text_cell

COLUMNS = ("student", "assignment", "score", "max_score", "late_penalty", "status")
DIGITS = 6


def _figure(value: float | None) -> str:
    return "" if value is None else number_cell(value, DIGITS)


def plain_table(grades: ClassGrades, options: ExportOptions) -> Export:
    """Return the grades as our own table."""
    parts = tuple(dict.fromkeys(part for one in grades.assignments for part in one.parts))

    def row(student: str, assignment_number: int) -> list[str]:
        assignment = grades.assignments[assignment_number]
        grade: FinalGrade = assignment.of(student)
        late = options.scaled(assignment, grade.late_penalty)
        figures = (options.score(assignment, grade), options.points(assignment), late)
        held = (options.scaled(assignment, grade.parts.get(part)) for part in parts)
        names = (text_cell(student), text_cell(assignment.name))
        return [*names, *map(_figure, figures), grade.status, *map(_figure, held)]

    rows = [row(one.id, number) for number in range(len(grades.assignments)) for one in grades.people]
    return Export(sheet_text([*COLUMNS, *map(text_cell, parts)], rows))
