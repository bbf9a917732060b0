"""What `grader grade` says at its end, of a small class and of a large one."""

import io

import pytest
from rich.console import Console
from rich.text import Text

from grader.cli.grade_summary import MAX_ROWS, Summary
from grader.gradebook.order import place_of
from grader.grading.student_result import GONE, StudentResult
from grader.reporting.graded import MOST_MISSING

UNREAD = "The file is empty."
RENAMED = "The notebook was named a.ipynb."


def told(graded: int, errors: int, noted: int, missing: int = 0) -> str:
    """Return what is told of a class."""
    summary = Summary("ch04")
    for number in range(graded):
        summary.add(StudentResult(f"plain-{number}", "graded", 3, 12))
    for number in range(noted):
        summary.add(StudentResult(f"noted-{number}", "graded", 12, 12, notes=(RENAMED,)))
    for number in range(errors):
        reason = StudentResult(f"error-{number}", "error", None, 12, reason=UNREAD, undecided=("ch04-x",))
        summary.add(reason)
    for number in range(missing):
        summary.add(StudentResult(f"gone-{number}", "missing", None, 12, reason="Nothing was handed in."))
    file = io.StringIO()
    Console(file=file, width=400).print(summary.table())
    return file.getvalue() + "\n".join(summary.sentences())


@pytest.mark.parametrize("graded", [2, MAX_ROWS, 5 * MAX_ROWS])
def test_errors_are_named_whatever_the_size(graded: int) -> None:
    """Each has its line with the reason, no score, and its name in the last sentence."""
    said = told(graded, 3, 0)
    *_, last = said.splitlines()
    assert last.endswith("handed in again: error-0, error-1, error-2.")
    assert said.count(UNREAD) == 3 and said.count("? of 12") == 3
    assert ("plain-1 " in said) == (graded + 3 <= MAX_ROWS)


def test_all_errors_of_a_large_class_are_named() -> None:
    """There is no limit to them."""
    said = told(0, 3 * MAX_ROWS, 0)
    assert all(said.count(f"error-{number} ") == 1 for number in range(3 * MAX_ROWS))
    assert said.count("error-") == 2 * 3 * MAX_ROWS


def test_missing_of_a_large_class_are_named() -> None:
    """All of them, in one sentence, as long as they are few; a small class has a line for each."""
    names = ", ".join(sorted(f"gone-{number}" for number in range(MOST_MISSING)))
    assert f"Missing: {names}." in told(MAX_ROWS, 0, 0, MOST_MISSING).splitlines()
    assert "Missing:" not in told(2, 0, 0, 2) and told(2, 0, 0, 2).count("gone-") == 2


@pytest.mark.parametrize("graded", [0, 5, 3 * MAX_ROWS])
def test_many_missing_are_counted(graded: int) -> None:
    """The names are one command away, in a class of any size; errors keep their lines."""
    said = told(graded, 2, 0, MOST_MISSING + 1)
    assert "gone-" not in said and said.count("error-") == 4
    (line,) = [one for one in said.splitlines() if one.startswith("Missing:")]
    assert "21 students" in line and "`grader report ch04 --html FILE`" in line


def test_note_on_who_is_missing_is_shown() -> None:
    """A file that may be theirs waits for a person, however many are missing."""
    summary = Summary("ch04")
    for number in range(MOST_MISSING + 1):
        notes = ("Maybe newer work of this name was not placed: a.ipynb.",) if number == 7 else ()
        summary.add(StudentResult(f"gone-{number}", "missing", None, 12, notes=notes))
    assert [cell.plain for cell in summary.table().columns[0].cells] == ["gone-7"]


def test_students_are_sorted_and_called_as_the_roster_has_it() -> None:
    """The order is that of exports, and the name beside the id shows it."""
    names = {"s1": "Émile Zola", "s2": "Ada Lovelace"}
    places = {"s1": place_of("s1", "Émile", "Zola"), "s2": place_of("s2", "Ada", "Lovelace")}
    summary = Summary("ch04", lambda one: places.get(one) or place_of(one, None, None), names)
    for student in ("s1", "nemo", "s2"):
        summary.add(StudentResult(student, "error", None, 12, reason=UNREAD, undecided=("ch04-x",)))
    shown = [cell.plain for cell in summary.table().columns[0].cells]
    assert shown == ["s2 (Ada Lovelace)", "nemo", "s1 (Émile Zola)"]
    assert any(one.endswith("handed in again: s2, nemo, s1.") for one in summary.sentences())


def test_error_with_all_points_by_hand_has_its_line() -> None:
    """It waits for nobody, and is counted: a large class shows it, too."""
    summary = Summary()
    for number in range(2 * MAX_ROWS):
        summary.add(StudentResult(f"plain-{number}", "graded", 3, 12))
    summary.add(StudentResult("zoe", "error", 12, 12, reason=UNREAD))
    table = summary.table()
    assert [*table.columns[0].cells] == [Text("zoe")]
    assert "80 graded, 1 error, 0 missing;" in next(iter(summary.sentences()))


def test_who_is_gone_is_counted_apart() -> None:
    """Graded work whose folder is gone is not missing."""
    summary = Summary()
    summary.add(StudentResult("ada", "gone", 3, 12, reason=GONE))
    assert next(iter(summary.sentences())).startswith("1 student: 0 graded, 0 error, 0 missing, 1 gone; ")


def test_notes_of_a_large_class_are_there() -> None:
    """Up to a number; then it says where all of them are."""
    few, many = told(100, 0, 7), told(100, 0, MAX_ROWS + 9)
    assert few.count(RENAMED) == 7 and "have notes" not in few
    assert many.count(RENAMED) == MAX_ROWS
    assert f"{MAX_ROWS + 9} have notes" in many
