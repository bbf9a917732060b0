"""The tables, read back by strict readers that follow each system's documented rules."""

import csv
import io
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from exports_cases import FINAL, STUDENTS

from grader.exercises import Chapter
from grader.reporting.exports.formats import export
from grader.reporting.exports.grades import ClassGrades, Person
from grader.reporting.exports.options import ExportError, ExportOptions
from grader.reporting.exports.unplaced import Unplaced
from grader.reporting.spreadsheet import as_csv, read_sheet

Table = dict[str, dict[str, str]]


def canvas_import(text: str) -> tuple[dict[str, str], Table]:
    """Return the points possible, and each student's cells by assignment, as Canvas's importer takes them."""
    first = text.splitlines()[0]
    rows = list(csv.reader(io.StringIO(text), delimiter=";" if first.count(";") > first.count(",") else ","))
    header, *rows = [row for row in rows if any(row)]
    assert "Student" in header[0]
    assert "ID" in header[1]
    assert len(header) > 3
    columns = 3
    if header[2] == "SIS Login ID":
        columns = 4
    elif header[2:4] == ["SIS User ID", "SIS Login ID"]:
        columns = 5
        columns += header[4] == "Integration ID"
    assert "Section" in header[columns - 1]
    calculated = re.compile("(Current|Final|Override) (Score|Points|Grade|Status)")
    columns += header[columns:].count("Notes")  # a column of the course's own, which Canvas knows
    assignments = {n: name for n, name in enumerate(header) if n >= columns and not calculated.search(name)}
    points, table = {}, {}
    for row in rows:
        assert len(row) == len(header)
        if "Points Possible" in row[0]:
            points = {name: row[number] for number, name in assignments.items()}
        elif all(re.fullmatch(r"\s*(Muted|Manual Posting.*)?\s*", cell) for cell in row):
            continue
        else:
            identity = row[1] or row[2] or row[3] or row[0]
            assert identity not in table
            table[identity] = {name: row[number].strip() for number, name in assignments.items()}
    for cells in table.values():
        assert all(re.fullmatch(r"|EX|N/A|-?\d+(\.\d+)?", cell) for cell in cells.values()), cells
    return points, table


def moodle_import(text: str, identity: str) -> Table:
    """Return each user's cells by column as Moodle's importer takes them, None for no grade."""
    header, *rows = csv.reader(io.StringIO(text))
    header = [name.strip() for name in header]
    table = {}
    for row in rows:
        assert len(row) == len(header)
        user = row[header.index(identity)]
        assert user
        assert user not in table
        table[user] = dict(zip(header, row, strict=True))
    return table


def moodle_grade(value: str) -> float | None:
    """Return a grade as Moodle reads it."""
    return None if value in ("", "-") else float(value)


@pytest.fixture
def decided(grades: ClassGrades) -> ClassGrades:
    """Return the grades without what a person still has to decide."""
    return grades.without(["fay"])


def test_canvas(grades: ClassGrades, chapter: Chapter) -> None:
    """By Canvas's id; who has no score has no line, and needs no id."""
    made = export("canvas", grades, ExportOptions())
    points, table = canvas_import(made.text)
    assert points == {chapter.stem: "12"}
    assert {name: float(table[STUDENTS[name]["lms_user_id"]][chapter.stem]) for name in FINAL} == FINAL
    assert len(table) == len(FINAL)
    assert "Lovelace, Ada" in made.text


def test_canvas_by_login_and_title(decided: ClassGrades, chapter: Chapter) -> None:
    """By nbgrader's name of a student, under the name that Canvas has for the assignment."""
    title = "Week 4 (4711)"
    options = ExportOptions(match_by="login", columns={chapter.stem: title}, missing_as_zero=True, out_of=100)
    points, table = canvas_import(export("canvas", decided, options).text)
    assert points == {title: "100"}
    assert {name: float(cells[title]) for name, cells in table.items()} == {
        "ada": 100.0,
        "bo": 70.83,
        "chen": 0.0,
        "dev": 83.33,
        "eve": 0.0,
    }


def test_moodle(grades: ClassGrades, chapter: Chapter) -> None:
    """By email; what is undecided is no grade."""
    table = moodle_import(export("moodle", grades, ExportOptions()).text, "Email address")
    got = {user: moodle_grade(row[chapter.stem]) for user, row in table.items()}
    assert got == {f"{name}@uni.example": score for name, score in FINAL.items()}
    assert table["chen@uni.example"]["Last name"] == "陈"


@pytest.mark.parametrize(("match_by", "column"), [("username", "Username"), ("idnumber", "ID number")])
def test_moodle_by_another_identity(grades: ClassGrades, match_by: str, column: str) -> None:
    """By what the teacher chooses to map."""
    table = moodle_import(export("moodle", grades, ExportOptions(match_by=match_by)).text, column)
    assert len(table) == len(FINAL)


def test_plain_table(grades: ClassGrades, chapter: Chapter) -> None:
    """Everybody has a line; what is not known is empty."""
    rows = list(csv.DictReader(io.StringIO(export("csv", grades, ExportOptions()).text)))
    by_student = {row["student"]: row for row in rows}
    assert list(rows[0]) == [
        *("student", "assignment", "score", "max_score", "late_penalty", "status"),
        *chapter.by_id,
    ]
    assert by_student["bo"]["score"] == "8.5"
    assert by_student["bo"][chapter.exercises[0].id] == "1.5"
    assert by_student["eve"]["score"] == by_student["fay"]["score"] == ""
    assert by_student["fay"][chapter.exercises[0].id] == "3"
    assert (by_student["eve"]["status"], by_student["fay"]["status"]) == ("missing", "ungraded")


def test_plain_table_is_scaled_throughout(grades: ClassGrades, chapter: Chapter) -> None:
    """Points of exercises and what being late costs are in the unit of the score."""
    plain, scaled = (
        {row["student"]: row for row in csv.DictReader(io.StringIO(export("csv", grades, options).text))}
        for options in (ExportOptions(), ExportOptions(out_of=24))
    )
    figures = ("score", "max_score", "late_penalty", *chapter.by_id)
    for student, row in plain.items():
        twice = {name: str(2 * float(row[name])) if row[name] else "" for name in figures}
        assert {
            name: scaled[student][name] and str(float(scaled[student][name])) for name in figures
        } == twice
    assert any(float(row["late_penalty"] or 0) for row in plain.values())


def test_what_a_person_has_to_decide_is_told(grades: ClassGrades) -> None:
    """Ungraded work, and what nbgrader wants to be looked at again, by name."""
    notes = " ".join(export("csv", grades, ExportOptions()).notes)
    assert "has no score and is left empty" in notes and "says why): fay" in notes
    assert "look at it again: bo" in notes


@pytest.mark.parametrize("odd", ["ada ", " ada", "zo\ne", "=zoe", "\u202ezoe", " "])
@pytest.mark.parametrize("kind", ["canvas", "moodle"])
def test_odd_folder_stops_nobody(grades: ClassGrades, kind: str, odd: str) -> None:
    """A folder with blanks at an end, or odd signs, is left out and named; the others are exported."""
    (one,) = grades.assignments
    more = replace(one, by_student={**one.by_student, odd: one.of("ada")})
    whole = ClassGrades((*grades.people, Person(odd)), (more,))
    made = export(kind, whole, ExportOptions())
    assert made.text == export(kind, grades, ExportOptions()).text
    assert any(repr(odd) in note and "Left out" in note for note in made.notes)


@pytest.mark.parametrize("kind", ["canvas", "moodle", "csv"])
def test_id_with_a_blank_at_an_end_is_in_no_table(grades: ClassGrades, kind: str) -> None:
    """Whatever else is known of it, it is never written as the id without the blank."""
    (one,) = grades.assignments
    more = replace(one, by_student={**one.by_student, "zoe ": one.of("ada")})
    person = Person("zoe ", "Zoe", "Blank", "zoe@uni.example", "199")
    made = export(kind, ClassGrades((*grades.people, person), (more,)), ExportOptions())
    assert made.text == export(kind, grades, ExportOptions()).text
    assert any("Left out" in note and "'zoe '" in note for note in made.notes)


@pytest.mark.parametrize("odd", ["ada ", "zo\ne", "=zoe"])
def test_odd_folder_stops_no_roster(decided: ClassGrades, roster_file: Callable, odd: str) -> None:
    """The same in a table that is filled in."""
    (one,) = decided.assignments
    more = replace(one, by_student={**one.by_student, odd: one.of("ada")})
    whole = ClassGrades((*decided.people, Person(odd)), (more,))
    text, notes = filled("canvas", whole, roster_file(*CANVAS))
    assert text == filled("canvas", decided, roster_file(*CANVAS))[0]
    assert any(repr(odd) in note for note in notes)


def test_what_nobody_graded_is_empty_in_a_roster(grades: ClassGrades, roster_file: Callable) -> None:
    """An earlier score does not stay in the place of work that could not be read."""
    line = "Fay,106,,fay,S1,,11.00,,50"
    _, table = canvas_import(filled("canvas", grades, roster_file(*CANVAS, line))[0])
    assert table["106"]["ch04_self_attention (4711)"] == ""


def test_no_cell_is_a_formula(grades: ClassGrades) -> None:
    """A name that a spreadsheet would calculate is text."""
    for kind, match_by in (("canvas", ""), ("moodle", ""), ("csv", "")):
        rows = csv.reader(io.StringIO(export(kind, grades, ExportOptions(match_by=match_by)).text))
        cells = [cell for row in rows for cell in row]
        assert not [cell for cell in cells if cell.startswith(("=", "+", "@", "\t", "\r"))]
        assert not [cell for cell in cells if re.match(r"-\D", cell)]
    assert "'=1+1" in export("moodle", grades, ExportOptions()).text


def renamed(grades: ClassGrades, **changes: str) -> ClassGrades:
    """Return the grades with other facts about Ada and Bo."""
    people = tuple(replace(one, **changes) if one.id in ("ada", "bo") else one for one in grades.people)
    return replace(grades, people=people)


@pytest.mark.parametrize(
    ("kind", "changes", "said"),
    [
        ("canvas", {"lms_user_id": ""}, "with the lms_user_id, and run `grader roster`"),
        ("canvas", {"lms_user_id": "12b"}, "number"),
        ("canvas", {"lms_user_id": "7"}, "same lms_user_id"),
        ("moodle", {"email": " "}, "with the email, and run `grader roster`"),
        ("moodle", {"email": "same@uni.example"}, "same email"),
    ],
)
def test_unknown_identity(grades: ClassGrades, kind: str, changes: dict[str, str], said: str) -> None:
    """All students are named whom the other system could not find, and what to do."""
    with pytest.raises(ExportError, match=r"ada, bo|bo, ada") as caught:
        export(kind, renamed(grades, **changes), ExportOptions())
    assert said in str(caught.value)
    assert "--leave-out" in str(caught.value)


def test_identity_that_is_a_formula(grades: ClassGrades) -> None:
    """It would have to be changed to be safe, and then it would be another one."""
    people = tuple(replace(one, email=f"@{one.email}") if one.id == "ada" else one for one in grades.people)
    with pytest.raises(ExportError, match="calculated by a spreadsheet: ada"):
        export("moodle", replace(grades, people=people), ExportOptions())


@pytest.mark.parametrize(
    ("kind", "options", "said"),
    [
        ("csv", ExportOptions(match_by="email"), "not by email"),
        ("canvas", ExportOptions(match_by="email"), "id, login, sis"),
        ("canvas", ExportOptions(columns={"essay": "Essay"}), "essay"),
    ],
)
def test_contradicting_options(grades: ClassGrades, kind: str, options: ExportOptions, said: str) -> None:
    """What a format cannot do is said."""
    with pytest.raises(ExportError, match=said):
        export(kind, grades, options)


# Rosters.

CANVAS = (
    "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Notes,ch04_self_attention (4711),Essay (4712),"
    "Final Score",
    ",,,,,,Manual Posting,,",
    "    Points Possible,,,,,,12.00,5.00,(read only)",
    '"Lovelace, Ada",101,,ada.l,S1,,,4.50,90',
    '"O""Neil, Bo",999,,BO,S1,=HYPERLINK("x"),3.00,,80',
    "陈晨,998,,chen@uni.example,S1,-late,,,70",
    "Dev,997,dev,,S1,,EX,,60",
    "Absent,105,,e.absent,S1,,2.00,,50",
    "Nobody,200,,nobody,S1,,,1.00,40",
)


def filled(kind: str, grades: ClassGrades, path: Path, **options: object) -> tuple[str, tuple[str, ...]]:
    """Return a roster that was filled, and the notes."""
    made = export(kind, grades, ExportOptions(roster=read_sheet(path), roster_name=path.name, **options))
    return made.text, made.notes


def test_what_is_not_ours_stays_as_it_is(decided: ClassGrades, roster_file: Callable) -> None:
    """Blanks that Canvas writes before Points Possible, those of titles, and whatever is in other cells."""
    lines = [
        one.replace("Notes", " Notes ").replace("ada.l,S1,,", 'ada.l,S1," two\nlines ",') for one in CANVAS
    ]
    path = roster_file(*lines)
    text, _ = filled("canvas", decided, path)
    guarded = path.read_bytes().decode("utf-8-sig").replace("=HYPER", "'=HYPER").replace("-late", "'-late")
    read = (guarded, text)
    before, after = (list(csv.reader(io.StringIO(one, newline=""))) for one in read)
    assert before[2][0] == "    Points Possible" and before[3][5] == " two\nlines "
    assert [row[:6] + row[7:] for row in after] == [row[:6] + row[7:] for row in before]
    assert after[3][6] == "12"


def test_canvas_roster(decided: ClassGrades, roster_file: Callable) -> None:
    """Students are found by any id; one column changes; excused stays so, and missing is no score."""
    path = roster_file(*CANVAS)
    text, notes = filled("canvas", decided, path)
    points, table = canvas_import(text)
    _, before = canvas_import(path.read_text(encoding="utf-8-sig").replace("=HYPER", "'=HYPER"))
    column = "ch04_self_attention (4711)"
    assert points[column] == "12.00"
    assert {name: cells[column] for name, cells in table.items()} == {
        "101": "12",
        "999": "8.5",
        "998": "0",
        "997": "EX",
        "105": "",
        "200": "",
    }
    assert {name: cells["Essay (4712)"] for name, cells in table.items()} == {
        name: cells["Essay (4712)"] for name, cells in before.items()
    }
    assert any("1 scores were not written" in note for note in notes)
    assert any("1 students of roster.csv are not in the gradebook" in note for note in notes)
    assert any("graded: Nobody." in note for note in notes)
    assert any(
        "had was taken out, for nothing is graded here" in note and "Absent." in note for note in notes
    )
    assert '"\'=HYPERLINK(""x"")"' in text
    assert ",'-late," in text


def test_missing_as_zero_in_a_roster(decided: ClassGrades, roster_file: Callable) -> None:
    """Zero for all who handed in nothing, also whom nbgrader has never seen; not for who is excused."""
    _, table = canvas_import(filled("canvas", decided, roster_file(*CANVAS), missing_as_zero=True)[0])
    column = "ch04_self_attention (4711)"
    assert [table[name][column] for name in ("105", "200", "997")] == ["0", "0", "EX"]


@pytest.mark.parametrize(
    ("system", "name", "number", "rows"),
    [
        ("canvas", "absenteve", "7", {"105"}),
        ("canvas", "evemarried", "200", {"200"}),
        ("moodle", "Eve Absent", "200", {"105"}),
        ("moodle", "Somebody Else", "1", set()),
    ],
)
def test_work_without_a_place_is_no_zero(
    system: str, name: str, number: str, rows: set[str], decided: ClassGrades, roster_file: Callable
) -> None:
    """Whoever may own what was collected and not placed is named, by name or number, and has no score."""
    lines = [line.replace("Absent,", '"Absent, Eve",').replace("Nobody", "Who Knows") for line in CANVAS]
    stem = decided.assignments[0].name
    unplaced = {stem: (Unplaced(system, name, number, (), ("x.ipynb",)),)}
    text, notes = filled("canvas", decided, roster_file(*lines), missing_as_zero=True, unplaced=unplaced)
    _, table = canvas_import(text)
    cells = {row: table[row]["ch04_self_attention (4711)"] for row in ("105", "200")}
    assert cells == {row: "" if row in rows else "0" for row in cells}
    shown = {"105": "Absent, Eve", "200": "Who Knows"}
    told = [note for note in notes if "listed and did not place" in note]
    assert [note.rpartition(": ")[2] for note in told] == [f"{shown[row]}." for row in rows]


def test_test_student_of_canvas_is_left_out(decided: ClassGrades, roster_file: Callable) -> None:
    """Canvas's own student gets no zero and is not told; a person of that name is graded."""
    lines = [line.replace("Nobody", '"Student, Test"') for line in CANVAS]
    text, notes = filled("canvas", decided, roster_file(*lines), missing_as_zero=True)
    column = "ch04_self_attention (4711)"
    assert canvas_import(text)[1]["200"][column] == ""
    assert not any("not in the gradebook" in note for note in notes)
    lines = [line.replace('"Lovelace, Ada"', '"Student, Test"') for line in CANVAS]
    text, _ = filled("canvas", decided, roster_file(*lines), missing_as_zero=True)
    assert canvas_import(text)[1]["101"][column] == "12"


def test_several_assignments(decided: ClassGrades, roster_file: Callable) -> None:
    """Each gets its own column, in our table its own lines; two in one column are refused."""
    (one,) = decided.assignments
    grades = replace(decided, assignments=(one, replace(one, name="essay", max_score=5.0)))
    _, table = canvas_import(filled("canvas", grades, roster_file(*CANVAS))[0])
    assert table["999"]["Essay (4712)"] == table["999"]["ch04_self_attention (4711)"] == "8.5"
    rows = list(csv.DictReader(io.StringIO(export("csv", grades, ExportOptions()).text)))
    assert [row["assignment"] for row in rows] == [one.name] * 5 + ["essay"] * 5
    with pytest.raises(ExportError, match="same column"):
        filled("canvas", grades, roster_file(*CANVAS), columns={one.name: "Essay"})


def test_semicolons(decided: ClassGrades, roster_file: Callable) -> None:
    """A roster with decimal commas is written as it came, scores with a point, which Canvas reads."""
    lines = [line.replace(",", ";").replace(".00", ",00").replace(".50", ",50") for line in CANVAS]
    lines[3] = "Ada;101;;ada.l;S1;;;4,50;90"
    lines[4] = "Bo;999;;BO;S1;;3,00;;80"
    text, _ = filled("canvas", decided, roster_file(*lines))
    assert "Bo;999;;BO;S1;;8.5;;80" in text


MOODLE = (
    "First name,Last name,ID number,E-Mail-Adresse,Assignment: Self-attention (Real),"
    "Assignment: Self-attention (Feedback),Course total (Real),Last downloaded from this course",
    "Ada,Lovelace,101,ADA@uni.example,-,,-,1700000000",
    "Bo,O'Neil,,bo@uni.example,3.00,=1+1,3.00,1700000000",
    "晨,陈,103,other@uni.example,-,,-,1700000000",
    "Dev,,104,dev@uni.example,-,-5 for style,-,1700000000",
    "Eve,Absent,105,eve@uni.example,-,,-,1700000000",
)


def test_moodle_roster(decided: ClassGrades, roster_file: Callable, chapter: Chapter) -> None:
    """A column of addresses is known by what is in it; dashes stay dashes."""
    options = {"columns": {chapter.stem: "self-attention"}}
    text, _ = filled("moodle", decided, roster_file(*MOODLE), **options)
    table = moodle_import(text, "E-Mail-Adresse")
    got = [moodle_grade(row["Assignment: Self-attention (Real)"]) for row in table.values()]
    assert got == [12.0, 8.5, 0.0, 10.0, None]
    assert [row["Course total (Real)"] for row in table.values()] == ["-", "3.00", "-", "-", "-"]
    feedback = [row["Assignment: Self-attention (Feedback)"] for row in table.values()]
    assert feedback == ["", "'=1+1", "", "'-5 for style", ""]


def test_worksheet_with_other_points_is_refused(
    decided: ClassGrades, roster_file: Callable, chapter: Chapter
) -> None:
    """Moodle's grading worksheet has the points to earn beside the grades: more are not written."""
    options = {"columns": {chapter.stem: "Grade"}}
    lines = ("Identifier,Full name,Email address,Status,Grade,Maximum Grade,Last modified (grade)",)
    row = "Participant 7,Ada,{},Submitted,,{},-"
    people = [person.email for person in decided.people if person.email]
    with pytest.raises(
        ExportError, match=r"exported out of 12 points, and roster.csv has 10.00 for it.*--out-of"
    ):
        filled(
            "moodle", decided, roster_file(*lines, *(row.format(one, "10.00") for one in people)), **options
        )
    text, _ = filled(
        "moodle", decided, roster_file(*lines, *(row.format(one, "12.00") for one in people)), **options
    )
    assert "Participant 7,Ada" in text


def test_large_scores_and_moodle(grades: ClassGrades) -> None:
    """Moodle's limit is told before Moodle refuses the file."""
    assert any("above 100" in note for note in export("moodle", grades, ExportOptions(out_of=200)).notes)


@pytest.mark.parametrize(
    ("line", "replacement", "said"),
    [
        (0, CANVAS[0].replace("ch04_self_attention", "Week 4"), "no column for ch04_self_attention.*Week 4"),
        (0, CANVAS[0].replace("Essay (4712)", "ch04_self_attention (5)"), "more than one column"),
        (2, CANVAS[2].replace("12.00", "100.00"), "--out-of 100.00"),
        (
            3,
            '"Lovelace, Ada",7,,lovelace,S1,,,4.50,90',
            "1 who have a score are not in roster.csv: ada",
        ),
        (3, '"Lovelace, Ada",7,dev,ada,S1,,,4.50,90', "not clear who these students are: dev"),
        (3, '"Lovelace, Ada",101,,ada,S1,,,4.50,90,more', "row 4 has 10 cells"),
        (3, '"Lovelace, Ada",101,,=ada,S1,,,4.50,90', "spreadsheet would calculate"),
        (3, '"Lovelace" Ada,101,,ada,S1,,,4.50,90', "no table"),
        (0, "Name,Number,Login,Group,A,B,C,D,E", "no gradebook of Canvas"),
    ],
)
def test_roster_that_does_not_fit(
    decided: ClassGrades, roster_file: Callable, line: int, replacement: str, said: str
) -> None:
    """Nothing is guessed: whoever or whatever has no place is named."""
    lines = list(CANVAS)
    lines[line] = replacement
    with pytest.raises(Exception, match=said) as caught:
        filled("canvas", decided, roster_file(*lines))
    assert type(caught.value).__name__ in ("ExportError", "GraderError")


def test_of_a_class_in_two_systems_each_gets_its_own(decided: ClassGrades, roster_file: Callable) -> None:
    """Who is not in the table is left out and named, if that is asked for."""
    lines = [*CANVAS[:3], '"Lovelace, Ada",7,,lovelace,S1,,,4.50,90', *CANVAS[4:]]
    text, notes = filled("canvas", decided, roster_file(*lines), only_listed=True)
    assert "1 who have a score are not in roster.csv: ada." in notes
    assert '"Lovelace, Ada",7,,lovelace,S1,,,4.50,90' in text.replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("header", "row", "said"),
    [
        (CANVAS[0], '"Lovelace, Ada",7,,lovelace,S1,,,4.50,90', "the lms_user_id or email that"),
        ("Email address,ch04_self_attention", "x@uni.example,-", "the email that"),
        ("Username,ch04_self_attention", "lovelace,-", "export one that has addresses"),
    ],
)
def test_advice_erases_nothing_and_helps(
    decided: ClassGrades, roster_file: Callable, header: str, row: str, said: str
) -> None:
    """It asks for what the table finds students by, in a whole line that is imported."""
    system = "canvas" if header == CANVAS[0] else "moodle"
    lines = [header, *CANVAS[1:3], row, *CANVAS[4:]] if system == "canvas" else [header, row]
    with pytest.raises(ExportError, match="have a score") as caught:
        filled(system, decided, roster_file(*lines))
    told = str(caught.value)
    assert said in told
    assert "student add" not in told
    assert ("`grader roster`" in told) == ("export one" not in told)


def test_roster_of_another_kind(decided: ClassGrades, roster_file: Callable) -> None:
    """Empty, of another encoding, without a column of identities, or for our own table."""
    with pytest.raises(Exception, match="is empty"):
        filled("canvas", decided, roster_file(""))
    with pytest.raises(Exception, match="not UTF-8"):
        filled("canvas", decided, roster_file(*CANVAS, encoding="utf-16"))
    with pytest.raises(ExportError, match="Moodle's grades"):
        filled("moodle", decided, roster_file("Name,Grade", "Ada,3"))
    with pytest.raises(ExportError, match="not for csv"):
        filled("csv", decided, roster_file(*CANVAS))


@pytest.mark.parametrize("sign", ["=", " =", "+", "-", "@", "\t", "\uff1d", "\uff0b", "\uff0d", "\uff20"])
def test_no_sign_begins_a_formula(sign: str) -> None:
    """A text that a spreadsheet would compute gets an apostrophe before it, in full width, too."""
    assert as_csv(["a"], [[f"{sign}1"]]).splitlines()[1].lstrip('"').startswith("'")
