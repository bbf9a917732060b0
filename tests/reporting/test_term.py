"""A term's table: how chapters count, and that nothing that is open is counted in silence."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from nbgrader.api import Gradebook
from rich.console import Console

from grader.cli import main
from grader.errors import GraderError
from grader.reporting.exports.grades import AssignmentGrades, ClassGrades, FinalGrade, Person
from grader.reporting.term.rendering import term_csv, term_json, term_page, term_table
from grader.reporting.term.rules import TermRules, read_rules
from grader.reporting.term.table import Term, make_term

ONE, TWO, THREE = "ch02_dot_product_attention", "ch03_scaled_dot_product_attention", "ch04_self_attention"
ADA, BOB = Person("ada", "Ada", "Lovelace"), Person("=bob", "<b>Bob</b>", "=1+1")


def term(rules: TermRules = TermRules(), **scores: tuple) -> Term:  # noqa: B008 - it is frozen
    """Return the term of ada, whose grades are given, and of Bob, who handed in nothing."""
    names = (ONE, TWO, THREE)
    assignments = tuple(
        AssignmentGrades(name, 10.0, (), {"ada": FinalGrade(*scores[key])} if key in scores else {})
        for name, key in zip(names, ("one", "two", "three"), strict=True)
    )
    return make_term(ClassGrades((ADA,), assignments), rules, [ADA, BOB])


def of(made: Term, student: str = "ada") -> object:
    """Return a student's row."""
    return next(row for row in made.rows if row.person.id == student)


def test_weights_and_the_lowest() -> None:
    """A weighted mean of the shares, without each student's lowest one."""
    scores = {"one": ("graded", 10.0), "two": ("graded", 4.0), "three": ("graded", 7.0)}
    assert of(term(**scores)).total == pytest.approx(70)
    weights = {ONE: 1.0, TWO: 1.0, THREE: 2.0}
    assert of(term(TermRules(weights=weights), **scores)).total == pytest.approx(70)
    row = of(term(TermRules(drop=1, weights=weights), **scores))
    assert row.total == pytest.approx(80)
    assert [name for name, cell in row.cells.items() if cell.dropped] == [TWO]
    assert row.cells[TWO].mark == "dropped"
    row = of(term(TermRules(drop=1, weights={ONE: 1.0, TWO: 0.0, THREE: 2.0}), **scores))
    assert row.total == pytest.approx(100)  # what has no weight is not what is dropped


def test_open_work_is_marked_and_no_zero() -> None:
    """Without a score it is in no total, which is not final then; missing work is a zero with a mark."""
    made = term(one=("graded", 8.0), two=("ungraded",), three=("review", 6.0))
    row = of(made)
    assert row.total == pytest.approx(70)
    assert row.unsettled == (TWO, THREE)
    assert (row.cells[TWO].mark, row.cells[THREE].mark) == ("no score yet", "to review")
    assert any("1 totals are not final" in note for note in made.notes)
    assert "a score to review counts as it is until a person has looked" in " ".join(made.notes)
    only = term(one=("graded", 8.0), three=("review", 6.0))
    assert of(only).unsettled == (THREE,)
    assert '"final": false' in term_json(only)
    row = of(term(one=("graded", 8.0), two=("waiting", 6.0)))
    assert row.total == pytest.approx(140 / 3)
    assert (row.cells[TWO].mark, row.cells[THREE].mark) == ("answer to grade", "missing")
    row = of(term(TermRules(missing="leave-out"), one=("graded", 8.0)))
    assert (row.total, row.missing) == (pytest.approx(80), (TWO, THREE))


@pytest.mark.parametrize("rules", [TermRules(), TermRules(drop=1)])
def test_error_beside_missing_work_is_no_zero(rules: TermRules) -> None:
    """While only missing work counts beside an error, the total is not known; a known score is shown."""
    made = term(rules, two=("ungraded",))
    assert of(made).total is None
    console = Console(width=80, file=io.StringIO())
    console.print(term_table(made))
    assert "not known*" in console.file.getvalue()
    ada = next(csv.DictReader(line for line in term_csv(made).splitlines() if not line.startswith("'=bob")))
    assert (ada["total_percent"], ada["final"]) == ("", "no")
    assert of(term(rules, one=("graded", 0.0), two=("ungraded",))).total == 0
    weights = {ONE: 1.0, TWO: 0.0, THREE: 1.0}
    assert of(term(TermRules(weights=weights), two=("ungraded",))).total == 0  # it does not count


def test_names_are_sorted_as_people_do() -> None:
    """Whatever accents and capitals they have, in every list of students."""
    names = ["Noether", "Ñandú", "nagy", "Şahin", "Zuse", "Sahin"]
    made = make_term(
        ClassGrades((), ()), TermRules(), [Person(f"{n}", "", name) for n, name in enumerate(names)]
    )
    assert [row.person.last_name for row in made.rows] == [
        "nagy",
        "Ñandú",
        "Noether",
        "Sahin",
        "Şahin",
        "Zuse",
    ]


def test_terminal_has_a_letter_for_all_that_is_open() -> None:
    """Missing, unread and dropped work and a total that is not final are seen in a narrow terminal, too."""
    made = term(TermRules(drop=1), one=("graded", 8.0), two=("ungraded",))
    console = Console(width=80, file=io.StringIO())
    console.print(term_table(made))
    shown = console.file.getvalue()
    assert re.search(r"Lovelace, Ada \(ada\) +8 +E +\(M\) +80\.0 %\*", shown)
    assert "M missing" in shown


def test_one_score_always_stays() -> None:
    """Early in a term fewer are dropped; who handed in nothing has a total of zero, or none."""
    rules = TermRules(drop=5, missing="leave-out")
    assert of(term(rules, one=("graded", 8.0), two=("graded", 9.0))).total == pytest.approx(90)
    assert any("at most 2 is dropped" in note for note in term(rules).notes)
    assert of(term(rules), "=bob").total is None
    assert of(term(), "=bob").total == 0


def test_names_are_no_formulas_and_no_markup() -> None:
    """In the table for spreadsheets and on the page."""
    made = term(one=("graded", 8.0))
    _, *rows = csv.reader(term_csv(made).splitlines())
    assert [row[:2] for row in rows] == [["'=bob", "'=1+1, <b>Bob</b>"], ["ada", "Lovelace, Ada"]]
    assert "<b>Bob" not in term_page(made)
    assert "missing" in term_page(made)
    ada = json.loads(term_json(made))["students"][1]
    assert ada["chapters"][TWO]["status"] == "missing"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[term.weights]\nch99 = 1", "ch99 in [term.weights] is no chapter"),
        (f"[term.weights]\n{ONE} = -1", "expected a number, 0 or more"),
        (f"[term.weights]\n{ONE} = inf", "expected a number, 0 or more"),
        (f"[term.weights]\n{ONE} = 0", "every weight"),
        (f"[term]\ndrop-lowest = 2\n[term.weights]\n{ONE} = 1\n{TWO} = 1", "a whole number from 0 to 1"),
        ("[term]\ndrop-lowest = 99", "drop-lowest is 99"),
        ("[term]\ndrop-lowest = -1", "drop-lowest is -1"),
        ("[term]\ndrop-lowest = true", "drop-lowest is True"),
        ("[term]\nmissing = 'x'", "missing is 'x'"),
        ("[term]\ndrop = 1", "drop, which is not known"),
        ("term = 1", "term is 1"),
    ],
)
def test_rules_that_make_no_sense_are_refused(text: str, said: str, tmp_path: Path) -> None:
    """It says what came and what was expected."""
    path = tmp_path / "course.toml"
    path.write_text(text)
    with pytest.raises(GraderError) as error:
        read_rules(path)
    assert said in str(error.value)


def test_a_graded_chapter_without_a_weight_is_an_error() -> None:
    """Nobody guesses what it counts."""
    with pytest.raises(GraderError, match="has no weight"):
        term(TermRules(weights={ONE: 1.0}))


def test_command_reads_gradebook_roster_and_rules(tmp_path: Path) -> None:
    """In the terminal and as files; a student who is only in the roster is there."""
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n")
    (tmp_path / "students.csv").write_text("id,first_name,last_name\nada,Ada,Lovelace\neve,Eve,New\n")
    (tmp_path / "course.toml").write_text(f"[term]\ndrop-lowest = 1\n[term.weights]\n{ONE} = 1\n{TWO} = 1\n")
    run = ["term", "--course", str(tmp_path)]
    assert CliRunner().invoke(main, run).exit_code == 2
    with Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}", "course") as gradebook:
        gradebook.add_assignment(ONE)
        gradebook.add_student("ada")
        gradebook.add_notebook(ONE, ONE)
        gradebook.add_grade_cell("test-x", ONE, ONE, max_score=4, cell_type="code")
        with gradebook.db.no_autoflush:  # nbgrader builds a submission from the bottom
            gradebook.add_submission(ONE, "ada")
        gradebook.find_grade("test-x", ONE, ONE, "ada").manual_score = 3
        gradebook.db.commit()
    shown = CliRunner().invoke(main, run, env={"COLUMNS": "120"})
    assert shown.exit_code == 0, shown.output
    assert "Lovelace, Ada (ada)" in shown.output
    assert "75.0 %" in shown.output
    assert f"Not graded yet, and in no total: {TWO}" in shown.output
    files = [tmp_path / name for name in ("t.html", "t.csv", "t.json")]
    options = zip(("--html", "--csv", "--json"), map(str, files), strict=True)
    assert CliRunner().invoke(main, [*run, *(part for pair in options for part in pair)]).exit_code == 0
    files[0].write_text("old")
    assert CliRunner().invoke(main, [*run, "--html", str(files[0]), "--force"]).exit_code == 0
    assert "New, Eve" in files[0].read_text()
    assert json.loads(files[2].read_text())["students"][0]["total_percent"] == 75
