"""Render term grades: terminal table, HTML page, CSV and JSON."""

import json
from collections.abc import Iterator

from rich.table import Column, Table
from rich.text import Text

from grader.reporting.page_templates import points, template
from grader.reporting.spreadsheet import as_csv, one_line
from grader.reporting.term.table import Term, TermCell, TermRow

# A terminal has no room for words in each cell.
LETTERS = {"review": "R", "waiting": "W", "ungraded": "E", "missing": "M"}
LEGEND = (
    "M missing; E no score yet; W an answer in words waits; R to review; (in parentheses) dropped; "
    "* not final"
)


def term_table(term: Term) -> Table:
    """Return a term as a table for the terminal."""
    chapters = (Column(_short(name), justify="right", no_wrap=True) for name in term.points)
    total = Column("total", justify="right", no_wrap=True)
    table = Table("student", *chapters, total, box=None, pad_edge=False, caption=LEGEND)
    table.add_row("points", *map(points, term.points.values()), "", style="dim")
    table.add_row("weight", *(f"{one:g}" for one in term.weights.values()), "", style="dim")
    for row in term.rows:
        final = f"{row.total:.1f} %" if row.total is not None else "not known"
        cells = (Text(_brief(one)) for one in row.cells.values())
        table.add_row(Text(_name(row)), *cells, Text(final + ("*" if row.unsettled else "")))
    return table


def _brief(cell: TermCell) -> str:
    """Return a score with a letter for what has to be said of it."""
    shown = " ".join(filter(None, (_score(cell), LETTERS.get(cell.grade.status, ""))))
    return f"({shown})" if cell.dropped else shown


def _short(chapter: str) -> str:
    return chapter.partition("_")[0]


def _score(cell: TermCell) -> str:
    return "" if cell.grade.score is None else points(cell.grade.score)


def _name(row: TermRow) -> str:
    name, student = one_line(row.person.sortable_name), one_line(row.person.id)
    return name if name == student else f"{name} ({student})"


def _total(row: TermRow) -> str:
    """Return a total for the page: in percent, marked where it is not final."""
    if row.total is None:
        return "not known"
    return f"{row.total:.1f} %{' (not final)' if row.unsettled else ''}"


def term_csv(term: Term) -> str:
    """Return a row for each student; texts are never formulas."""
    chapters = [column for name in term.points for column in (name, f"{name} status")]
    columns = ("student", "name", "email", *chapters, "total_percent", "final", "dropped")
    return as_csv(columns, map(_csv_row, term.rows))


def _csv_row(row: TermRow) -> tuple:
    person = row.person
    scores = {name: one.grade.score for name, one in row.cells.items()}
    cells = [
        value
        for name, one in row.cells.items()
        for value in (None if scores[name] is None else round(scores[name], 6), one.grade.status)
    ]
    return (
        *map(one_line, (person.id, person.sortable_name, person.email)),
        *cells,
        None if row.total is None else round(row.total, 2),
        "no" if row.unsettled else "yes",
        " ".join(name for name, one in row.cells.items() if one.dropped),
    )


def term_json(term: Term) -> str:
    """Return all of a term for programs."""
    data = {
        "drop_lowest": term.rules.drop,
        "missing": term.rules.missing,
        "chapters": [
            {"chapter": name, "max_score": most, "weight": term.weights[name]}
            for name, most in term.points.items()
        ],
        "notes": term.notes,
        "students": list(map(_student, term.rows)),
    }
    return json.dumps(data, indent=1) + "\n"


def _student(row: TermRow) -> dict[str, object]:
    return {
        "student": row.person.id,
        "name": row.person.sortable_name,
        "email": row.person.email,
        "total_percent": row.total,
        "final": not row.unsettled,
        "chapters": {
            name: {
                "score": one.grade.score,
                "status": one.grade.status,
                "late_penalty": one.grade.late_penalty,
                "dropped": one.dropped,
            }
            for name, one in row.cells.items()
        },
    }


def term_page(term: Term) -> str:
    """Return a term as an HTML page that needs nothing else and runs nothing."""
    return template("term").render(term=term, rows=list(_shown(term)), short=_short)


def _shown(term: Term) -> Iterator[tuple[str, list[tuple[str, str]], str]]:
    """Yield each student's name, scores with their marks, and total."""
    for row in term.rows:
        yield _name(row), [(_score(one), one.mark) for one in row.cells.values()], _total(row)
