"""The tables of chapters in the README and the guide for instructors: their counts are the course's."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from grader.course.paths import CoursePaths, chapters_in
from grader.errors import SourceError
from grader.exercises import Chapter
from grader.files import write_whole

# Which column of which document counts what of each chapter. A row begins with the chapter's number.
COUNTED: dict[str, tuple[str, Callable[[Chapter], int]]] = {
    "README.md": ("exercises", lambda chapter: len(chapter.exercises)),
    "docs/instructors.md": ("points", lambda chapter: sum(part.points for part in chapter.parts.values())),
}
FIRST_COLUMN = "chapter"
NUMBER = re.compile(r"\d+")


def write_tables(paths: CoursePaths) -> None:
    """Write the counts into the tables, where they are others.

    Raises:
        SourceError: a table, or a chapter's row in it, is missing.
    """
    for path, old, new in _texts(paths):
        if old != new:
            write_whole(path, new)


def tables_drift(paths: CoursePaths) -> list[str]:
    """Return a line for each document whose table has other counts than the course.

    Raises:
        SourceError: a table, or a chapter's row in it, is missing.
    """
    told = "has a table of chapters with other numbers than they declare; run `grader build`."
    return [f"{path} {told}" for path, old, new in _texts(paths) if old != new]


def _texts(paths: CoursePaths) -> Iterator[tuple[Path, str, str]]:
    """Yield each document that the course has, with its text as it is and as it should be."""
    chapters = chapters_in(paths)
    for name, (column, count) in COUNTED.items():
        path = paths.root / name
        if not path.is_file():
            continue
        text = path.read_text(encoding="utf-8")
        yield path, text, _counted(path, text, column, dict(enumerate(map(count, chapters))), chapters)


def _counted(path: Path, text: str, column: str, counts: dict[int, int], chapters: list[Chapter]) -> str:
    """Return a document's text with these counts in a column of its table of chapters."""
    lines = text.split("\n")
    heads = [
        n for n, line in enumerate(lines) if (cells := _cells(line))[:1] == [FIRST_COLUMN] and column in cells
    ]
    if len(heads) != 1:
        there = f"expected one table with the columns {FIRST_COLUMN} and {column}, not {len(heads)}"
        raise SourceError(path, 1, there)
    place, row, seen = _cells(lines[heads[0]]).index(column), heads[0] + 2, []
    while row < len(lines) and lines[row].startswith("|"):
        cells = _cells(lines[row])
        number = NUMBER.match(cells[0])
        if not number or int(number[0]) not in counts:
            raise SourceError(path, row + 1, f"there is no chapter {cells[0]}. Take the row out.")
        seen.append(int(number[0]))
        lines[row] = f"| {' | '.join([*cells[:place], str(counts[seen[-1]]), *cells[place + 1 :]])} |"
        row += 1
    if seen != list(counts):
        missing = next((one for one in counts if one not in seen), None)
        told = "the rows are not in the order of the chapters, each once."
        if missing is not None:
            told = f"chapter {missing}, {chapters[missing].title}, has no row in this table. Write one."
        raise SourceError(path, heads[0] + 1, told)
    return "\n".join(lines)


def _cells(line: str) -> list[str]:
    """Return what the cells of a table's line hold; nothing of another line."""
    return [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
