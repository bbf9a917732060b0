"""Downloads of Moodle and Canvas: whose they are, what is taken, what is refused, and what goes back."""

import io
import json
import os
import stat
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory

from grader.cli import main
from grader.course.paths import CoursePaths
from grader.errors import GraderError, SubmissionError
from grader.exercises import Chapter, find_chapter
from grader.grading.collected import LATE, Collected, read_collected
from grader.grading.not_taken import NotTaken, notes_on_rows, write_not_taken
from grader.grading.sample_class import BLANK, Choice, write_class
from grader.grading.submissions import read_folder, students_with_folder
from grader.lms.systems import SYSTEMS
from grader.reporting.exports.formats import FORMATS
from grader.reporting.exports.unplaced import (
    Unplaced,
    not_placed,
    read_unplaced,
    unplaced_file,
    write_unplaced,
)

STEM = "ch04_self_attention"
ROSTER = """id,first_name,last_name,email,lms_user_id
ada,Ada,Lovelace,ada@example.org,40123
anna,Анна,Иванова,anna@example.org,
o1,Sam,Twin,sam@example.org,
o2,Sam,Twin,twin@example.org,
=evil,Eve,Formula,eve@example.org,99
"""


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Return a course's folder with a roster and nothing else."""
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n")
    (tmp_path / "students.csv").write_text(ROSTER)
    return tmp_path


def zipped(path: Path, files: Iterable[tuple[str, bytes]], day: int = 1) -> Path:
    """Write an archive."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, (name, content) in enumerate(files):
            archive.writestr(
                zipfile.ZipInfo(name, (2026, 12, day, 12, number % 60, 0)), content, zipfile.ZIP_DEFLATED
            )
    return path


@pytest.fixture
def collect(course: Path) -> Callable[..., Result]:
    """Return a function that collects files as an archive."""

    def run(files: Iterable[tuple[str, bytes]], *more: str, day: int = 1) -> Result:
        path = zipped(course / "download.zip", files, day)
        return CliRunner().invoke(main, ["collect", str(path), STEM, "--course", str(course), *more])

    return run


def submitted(course: Path) -> dict[str, bytes]:
    """Return what is handed in, by student."""
    return {path.parts[-3]: path.read_bytes() for path in course.glob(f"submitted/*/{STEM}/{STEM}.ipynb")}


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_system_has_a_table_of_grades(system: str) -> None:
    """What is collected from a platform can be exported for it, with identities to find students by."""
    assert FORMATS[system].identities


@pytest.mark.parametrize(
    "name",
    [
        f"Ada Lovelace_7_assignsubmission_file/{STEM}.ipynb",
        f"Ada Lovelace_7_assignsubmission_file_/{STEM}.ipynb",
        f"Ada Lovelace_7_assignsubmission_file_{STEM}.ipynb",
        f"course/Lovelace Ada_7_assignsubmission_file_/{STEM} (1).ipynb",
        f"Ada Lovelace_7_assignsubmission_file/{STEM}-Copy1.ipynb",
        "Ada Lovelace_7_assignsubmission_file/мой файл.IPYNB",
        f"lovelaceada_40123_98765_{STEM}.ipynb",
        f"lovelaceada_LATE_40123_98765_{STEM}-1.ipynb",
        f"somebody_40123_98765_{STEM} (2)-3.ipynb",
    ],
)
def test_names_of_both_systems_are_known(name: str, course: Path, collect: Callable) -> None:
    """Whatever a browser, Jupyter, Moodle or Canvas makes of a name, it ends in the student's folder."""
    run = collect([(name, b"{}")])
    assert run.exit_code == 0, run.output
    assert submitted(course) == {"ada": b"{}"}


@pytest.fixture
def released(course: Path, repository: Path, chapter: Chapter) -> bytes:
    """Return the notebook that is given out, in a course that knows it."""
    (course / "solutions").symlink_to(repository / "solutions")
    CoursePaths(course).config.write_bytes(CoursePaths(repository).config.read_bytes())
    return CoursePaths(repository).student(chapter).read_bytes()


@pytest.fixture
def answered(released: bytes) -> bytes:
    """Return it with something written in it."""
    answered = released.replace(b"raise NotImplementedError", b"print(1)  # raise NotImplementedError")
    assert answered != released
    return answered


def test_later_blank_one_does_not_replace_answers(
    course: Path, collect: Callable, released: bytes, answered: bytes
) -> None:
    """Earlier work stays and it is said whose; a later one with answers replaces, and so does --force."""
    name = f"Ada Lovelace_7_assignsubmission_file/{STEM}.ipynb"
    assert collect([(name, released)]).exit_code == 0
    assert "replaced" in collect([(name, released + b" ")], day=2).output  # a blank one replaces a blank one
    assert collect([(name, answered)], day=3).exit_code == 0
    run = collect([(name, released)], day=4)
    assert (run.exit_code, submitted(course)) == (1, {"ada": answered})
    assert f"ada: {STEM}.ipynb, not replaced (it is blank, and the work that is there is not" in run.output
    assert collect([(name, answered + b" ")], day=5).exit_code == 0
    assert collect([(name, released)], "--force", day=6).exit_code == 0
    assert submitted(course) == {"ada": released}


@pytest.mark.parametrize(
    ("form", "system"),
    [
        ("Анна Иванова_{}_assignsubmission_file/{}.ipynb", "Moodle"),
        ("Анна Иванова_{}_assignsubmission_file_{}.ipynb", "Moodle"),
        ("ивановаанна_{}_6_{}.ipynb", "Canvas"),
    ],
)
def test_same_name_with_another_number_is_not_guessed(
    form: str, system: str, course: Path, collect: Callable
) -> None:
    """It may be somebody else: both numbers are said, and the earlier work stays without --force."""
    assert collect([(form.format(7, STEM), b"7")]).exit_code == 0
    second = [(form.format(8, STEM), b"8")]
    run = collect(second, day=2)
    assert (run.exit_code, submitted(course)) == (1, {"anna": b"7"})
    _, _, told = run.output.partition("Names that had another number in an earlier download")
    assert f" (8): {second[0][0]}; before it was 7\n" in told
    assert f"see in {system} who it is" in told
    assert "collect again with --whose NUMBER=STUDENT" in told
    assert collect([(form.format(7, STEM), b"9")], day=2).exit_code == 0
    assert collect(second, "--force", day=2).exit_code == 0
    assert submitted(course) == {"anna": b"8"}
    assert collect([(form.format(9, STEM), b"again")], "--whose", "9=anna", day=3).exit_code == 0
    assert submitted(course) == {"anna": b"again"}


def row_notes(course: Path, student: str) -> tuple[str, ...]:
    """Return the notes on a student's row in `grade` that collecting has left."""
    return notes_on_rows(course, STEM).get(student, ())


@pytest.mark.parametrize(
    "form", ["Анна Иванова_{}_assignsubmission_file/{}.ipynb", "ивановаанна_{}_6_{}.ipynb"]
)
def test_newer_work_without_a_place_is_named_until_it_has_one(
    form: str, course: Path, collect: Callable
) -> None:
    """The student has earlier work: the file is named in the line of all commands, and on the row."""
    collect([(form.format(7, STEM), b"7")])
    assert (row_notes(course, "anna"), not_placed(course, STEM)) == ((), "")
    second = [(form.format(8, STEM), b"8"), GOOD] if "file" in form else [(form.format(8, STEM), b"8")]
    collect(second, day=2)
    assert row_notes(course, "anna") == (f"Maybe newer work of this name was not placed: {second[0][0]}.",)
    assert row_notes(course, "ada") == ()
    assert "1 file is not placed, in no score: " in not_placed(course, STEM)
    collect([(form.format(7, STEM), b"9")], day=2)
    assert row_notes(course, "anna"), "a download that lacks it places nothing"
    assert collect(second, "--whose", "8=anna", day=3).exit_code == 0
    assert (row_notes(course, "anna"), not_placed(course, STEM)) == ((), "")


def test_work_that_a_person_placed_before_is_named_when_it_is_not_again(
    course: Path, collect: Callable
) -> None:
    """Names that fit two, and a name that nobody has: without --whose the later download places neither."""
    (course / "students.csv").write_text(
        "id,first_name,last_name\njp,James,Paul\npj,Paul,James\nann,Ann,Other\n"
    )
    form = f"{{}}_{{}}_assignsubmission_file/{STEM}.ipynb"
    names = {"1": "Paul James", "2": "James Paul", "3": "Nick Name"}
    files = [(form.format(name, number), number.encode()) for number, name in names.items()]
    whose = [part for one in ("1=pj", "2=jp", "3=ann") for part in ("--whose", one)]
    assert collect(files, *whose).exit_code == 0
    later = [(name, content + b"later") for name, content in files]
    assert (collect(later, day=2).exit_code, submitted(course)["pj"]) == (1, b"1")
    assert "3 files are not placed, in no score: James Paul (2), Nick Name (3), Paul James (1)" in (
        not_placed(course, STEM)
    )
    for student, file in (("pj", later[0][0]), ("jp", later[1][0]), ("ann", later[2][0])):
        assert f"Maybe newer work of this name was not placed: {file}." in row_notes(course, student)
    assert collect(later, *whose, day=3).exit_code == 0
    assert [row_notes(course, one) for one in ("pj", "jp", "ann")] == [(), (), ()]
    assert submitted(course)["ann"] == b"3later"


def test_row_of_grade_names_what_was_not_collected(
    tmp_path: Path, repository: Path, chapter: Chapter, capfd: pytest.CaptureFixture
) -> None:
    """Beside a score and beside nothing, without grading again; not on the student's page."""
    folder = tmp_path / "class"
    blank = [Choice(one, BLANK) for one in chapter.exercises]
    write_class(chapter, CoursePaths(repository), folder, (("bob", blank),))

    def notes() -> dict[str, list[str]]:
        command = ["grade", STEM, "--isolation", "none", "--json", "--course", str(folder)]
        run = CliRunner().invoke(main, command)
        lines = [one for one in (run.output + capfd.readouterr().out).splitlines() if one[:1] == "{"]
        return {one["student"]: one["notes"] for one in map(json.loads, lines)}

    assert notes() == {"bob": []}
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as gradebook:
        gradebook.add_student("eve")
    write_unplaced(folder, STEM, [Unplaced("moodle", "Bob", "3", ("bob", "eve"), ("b.ipynb",))])
    write_not_taken(folder, STEM, [NotTaken("bob", "moodle", 1, "A newer file came.")])
    said = "Maybe newer work of this name was not placed: b.ipynb."
    assert notes() == {"bob": ["A newer file came.", said], "eve": [said]}
    assert "newer" not in (folder / f"feedback/bob/{STEM}/{STEM}.html").read_text()


@pytest.mark.parametrize("kind", ["no notebook", "another chapter"])
def test_later_unreadable_one_does_not_replace_answers(
    kind: str, course: Path, collect: Callable, repository: Path, answered: bytes, released: bytes
) -> None:
    """Nor does it count beside answers in the same download; it replaces a blank one, and so does --force."""
    other = CoursePaths(repository).student(find_chapter("ch02_dot_product_attention")).read_bytes()
    broken = {"no notebook": b"{", "another chapter": other}[kind]
    folder = "Ada Lovelace_7_assignsubmission_file"
    name = f"{folder}/{STEM}.ipynb"
    run = collect([(name, answered), (f"{folder}/{STEM} (1).ipynb", broken)])
    assert (run.exit_code, submitted(course)) == (0, {"ada": answered})
    assert "(one beside it cannot be read, or is not of this chapter)" in run.output
    run = collect([(name, broken)], day=2)
    assert (run.exit_code, submitted(course)) == (1, {"ada": answered})
    assert f"ada: {STEM}.ipynb, not replaced (it cannot be read, or is not of this chapter, and" in run.output
    (said,) = row_notes(course, "ada")
    assert said.startswith(f"A newer file came and was not collected: {name} (it cannot be read, or is not")
    assert collect([(name, answered)], day=1).exit_code == 0
    assert row_notes(course, "ada") == (said,), "the earlier download again says nothing new"
    assert collect([(name, answered)], day=3).exit_code == 0
    assert row_notes(course, "ada") == (), "the same work, handed in later"
    assert collect([(name, broken)], "--force", day=2).exit_code == 0
    assert collect([(name, released)], "--force", day=3).exit_code == 0
    assert collect([(name, broken)], day=4).exit_code == 0
    assert submitted(course) == {"ada": broken}


def test_what_is_replaced_is_kept(course: Path, collect: Callable) -> None:
    """Each notebook that newer work replaces stays in a folder of its student, and collect says where."""
    for day in (1, 2, 3, 3):
        run = collect([(GOOD[0], bytes([day]))], day=day)
    assert "are kept in" not in run.output
    assert "are kept in" not in collect([(GOOD[0], b"4")], "--dry-run", day=4).output
    kept = course / f"downloaded/{STEM}/replaced"
    assert f"are kept in {kept}." in collect([(GOOD[0], b"4")], day=4).output
    assert {one.read_bytes() for one in kept.glob("ada/*.ipynb")} == {b"\1", b"\2", b"\3"}


@pytest.mark.parametrize(
    ("blank", "other"),
    [
        (f"{STEM}.ipynb", f"{STEM} (1).ipynb"),
        (f"{STEM} (1).ipynb", f"{STEM}.ipynb"),
        (f"{STEM}.ipynb", "a week's work.ipynb"),
        (f"{STEM}.ipynb", f"{STEM}_final.ipynb"),
    ],
)
def test_blank_notebook_is_passed_over(
    blank: str, other: str, course: Path, collect: Callable, released: bytes, answered: bytes
) -> None:
    """Of two the one with answers is taken, whatever its name and whatever else speaks for the other."""
    folder = "Ada Lovelace_7_assignsubmission_file"
    run = collect([(f"{folder}/{blank}", released), (f"{folder}/{other}", answered)])
    assert run.exit_code == 0, run.output
    assert submitted(course) == {"ada": answered}
    assert "one beside it is blank" in run.output


def test_names_in_other_alphabets(course: Path, collect: Callable) -> None:
    """A student is found by name in any script, also by Canvas's short form."""
    assert collect([(f"Анна Иванова_9_assignsubmission_file/{STEM}.ipynb", b"1")]).exit_code == 0
    assert submitted(course) == {"anna": b"1"}
    assert collect([(f"ивановаанна_5_6_{STEM}.ipynb", b"2")], "--force").exit_code == 0
    assert submitted(course) == {"anna": b"2"}


def test_who_is_not_clear_is_listed(course: Path, collect: Callable) -> None:
    """Two of one name, and somebody who is in no roster, are not guessed."""
    files = [
        (f"{name}_{number}_assignsubmission_file/{STEM}.ipynb", b"{}")
        for number, name in enumerate(("Sam Twin", "Eve Unknown\x1b[31m", "Ada Lovelace"))
    ]
    run = collect(files)
    assert run.exit_code == 1
    assert submitted(course) == {"ada": b"{}"}
    unknown, _, clash = run.output.partition("Names that several students have")
    assert "  Sam Twin (0)" in clash
    assert "collect again with --whose NUMBER=STUDENT for each" in clash
    assert "Sam Twin" not in unknown
    assert "`grader roster`" in unknown
    assert "student add" not in unknown  # which erases what is not given
    assert r"Eve Unknown\x1b[31m (1)" in run.output
    assert collect(files, "--take-names", "--force").exit_code == 1  # a name that cannot be shown
    assert set(submitted(course)) == {"ada", "Sam Twin"}


def test_a_person_says_whose_it_is(course: Path, collect: Callable) -> None:
    """Whom the download's name does not tell is placed by its number, and feedback goes back to that name."""
    names = {"1": "Sam Twin", "2": "Sam Twin", "3": "Nick Name", "4": "Ada Lovelace"}
    files = [(f"{names[n]}_{n}_assignsubmission_file/{STEM}.ipynb", n.encode()) for n in names]
    run = collect(files, *("--whose", "1=o2", "--whose", " 2 = o1", "--whose", "3=anna"))
    assert run.exit_code == 0, run.output
    assert submitted(course) == {"ada": b"4", "anna": b"3", "o1": b"2", "o2": b"1"}
    known = read_collected(course / "submitted/o2" / STEM)
    assert known is not None and known.place == "Sam Twin_1_assignsubmission_file/"
    assert not unplaced_file(course, STEM).exists()


@pytest.mark.parametrize(
    ("whose", "said"),
    [
        (["9=o1"], "the download has no such number"),
        (["1=nobody"], "have no such student"),
        (["1=o1", "2=o1"], "o1 would have several numbers: 1, 2"),
        (["1=ada"], "ada would have several numbers: 1, 4"),
        (["1=o1", "1=o2"], "the number 1 is given twice"),
        (["o1"], "expected NUMBER=STUDENT"),
        (["ada=1"], "expected NUMBER=STUDENT"),
        (["1="], "expected NUMBER=STUDENT"),
    ],
)
def test_what_a_person_says_has_to_fit(whose: list[str], said: str, course: Path, collect: Callable) -> None:
    """A mistyped number or student is told, and nothing is written."""
    names = {"1": "Sam Twin", "2": "Sam Twin", "4": "Ada Lovelace"}
    files = [(f"{names[n]}_{n}_assignsubmission_file/{STEM}.ipynb", n.encode()) for n in names]
    run = collect(files, *(part for one in whose for part in ("--whose", one)))
    assert (run.exit_code, submitted(course)) == (2, {})
    assert said in " ".join(run.output.split())


@pytest.mark.parametrize("names", [("Paul James", "James Paul"), ("jp", "Paul James")])
def test_two_who_could_be_one_student_are_listed(
    names: tuple[str, str], course: Path, collect: Callable
) -> None:
    """A name that is turned round, or an id, is no proof where another one fits the same student."""
    (course / "students.csv").write_text("id,first_name,last_name\njp,Paul,James\n")
    files = [(f"{name}_1{n}_assignsubmission_file/{STEM}.ipynb", b"{}") for n, name in enumerate(names)]
    run = collect(files)
    assert (run.exit_code, submitted(course)) == (1, {})
    _, _, clash = run.output.partition("Names that several students have, maybe turned round")
    for number, name in enumerate(names):
        assert f"  {name} (1{number}): {files[number][0]}\n" in clash
    assert collect(files[1:]).exit_code == 0
    assert set(submitted(course)) == {"jp"}


def test_number_comes_before_a_name_turned_round(course: Path, collect: Callable) -> None:
    """Canvas's number says who somebody is; who has only the name is nobody then."""
    files = [(f"lovelaceada_40123_5_{STEM}.ipynb", b"ada's"), (f"adalovelace_7_9_{STEM}.ipynb", b"other")]
    run = collect(files)
    assert (run.exit_code, submitted(course)) == (1, {"ada": b"ada's"})
    assert f"  adalovelace (7): {files[1][0]}; the roster has 40123\n" in run.output


def test_of_several_the_rule_decides(course: Path, collect: Callable) -> None:
    """The chapter's name first, then the latest; the others are listed with whose they are and from where."""
    place = "Ada Lovelace_7_assignsubmission_file/"
    files = [(f"{STEM}.ipynb", b"1"), (f"{STEM} (1).ipynb", b"2"), ("zz.ipynb", b"3")]
    run = collect([(place + name, content) for name, content in files])
    assert submitted(course) == {"ada": b"2"}
    for name in (f"{STEM}.ipynb", "zz.ipynb"):
        assert f"  not taken: Ada Lovelace (7): {place}{name}\n" in run.output


@pytest.mark.parametrize(
    ("names", "taken"),
    [
        ((f"{STEM} (1).ipynb", f"{STEM}.ipynb"), 0),
        ((f"{STEM}.ipynb", f"{STEM}-Copy1.ipynb"), 1),
        ((f"{STEM}-Copy.ipynb", f"{STEM}.ipynb"), 0),
        ((f"Copy of {STEM}.ipynb", "later.ipynb"), 0),
        ((f"Cópia de {STEM}.ipynb", "later.ipynb"), 0),
        ((f"{STEM}的副本.ipynb", "later.ipynb"), 0),
        ((f"{STEM} (10).ipynb", f"{STEM} (9).ipynb"), 0),
    ],
)
def test_of_one_time_the_later_copy_is_taken(
    names: tuple[str, str], taken: int, course: Path, collect: Callable
) -> None:
    """A browser and Jupyter number what is newer, so the largest number is."""
    place = "Ada Lovelace_7_assignsubmission_file/"
    path = course / "folder"
    for number, name in enumerate(names):
        (path / place).mkdir(parents=True, exist_ok=True)
        (path / place / name).write_bytes(b"%d" % number)
        os.utime(path / place / name, (1_800_000_000, 1_800_000_000))
    run = CliRunner().invoke(main, ["collect", str(path), STEM, "--course", str(course)])
    assert run.exit_code == 0, run.output
    assert submitted(course) == {"ada": b"%d" % taken}


def test_time_of_unpacking_is_no_time_of_handing_in(course: Path, collect: Callable) -> None:
    """A folder whose files lost their times replaces nothing, and the archive with times does afterwards."""
    place, names = "Ada Lovelace_7_assignsubmission_file/", (f"{STEM}.ipynb", f"{STEM} (1).ipynb")
    assert collect([(f"{place}{names[0]}", b"1"), (f"{place}{names[1]}", b"2")]).exit_code == 0
    assert submitted(course) == {"ada": b"2"}  # the second in the archive is a second later
    path = course / "unpacked"
    (path / place).mkdir(parents=True)
    for name in names:
        (path / place / name).write_bytes(b"unpacked now")
    run = _collect(course, path)
    assert (run.exit_code, submitted(course)) == (1, {"ada": b"2"})
    assert (
        "not replaced (it has the time of unpacking or copying, and nothing says which of the two"
        in run.output
    )
    for name in names:
        os.utime(path / place / name, (1_900_000_000, 1_900_000_000))
    assert _collect(course, path).exit_code == 0
    assert submitted(course) == {"ada": b"unpacked now"}


def test_unpacked_work_is_replaced_by_an_archive_with_times(course: Path, collect: Callable) -> None:
    """Where nothing was there before, work without a time is taken; what has one is later."""
    place = course / "unpacked" / "Ada Lovelace_7_assignsubmission_file"
    place.mkdir(parents=True)
    (place / f"{STEM}.ipynb").write_bytes(b"unpacked")
    assert _collect(course, course / "unpacked").exit_code == 0
    assert collect([(f"Ada Lovelace_7_assignsubmission_file/{STEM}.ipynb", b"zip")]).exit_code == 0
    assert submitted(course) == {"ada": b"zip"}


def test_what_came_with_the_notebook_is_noted(course: Path, collect: Callable) -> None:
    """What was graded and what was not, for page and `grade`; gone where nothing else comes any more."""
    place, directory = "Ada Lovelace_7_assignsubmission_file/", CourseDirectory(root=str(course))
    files = [(f"{place}{STEM}.ipynb", b"{}"), (f"{place}{STEM} (1).ipynb", b"[]"), (f"{place}a.bin", b"\0")]
    said = (
        f"not_collected.txt says: `grader collect` took {STEM} (1).ipynb, which is graded. Left out: "
        f"{STEM}.ipynb, a.bin is no text. Code that reads such a file finds it only if a person put it "
        "beside the notebook."
    )

    def notes() -> tuple[str, ...]:
        return read_folder(directory, "ada", STEM).notes

    collect(files)
    assert notes() == (said,)
    collect(files[1:2], day=2)
    assert notes() == ()
    collect(files, day=3)
    assert notes() == (said,), "the same notebook, with more beside it"
    (course / "submitted/ada" / STEM / "collected.json").unlink()
    assert notes() == (), "put there by hand"


def test_small_texts_and_modules_go_beside_the_notebook(course: Path, collect: Callable) -> None:
    """What code may read lies beside it, by its own name; what may not is told with the reason."""
    place, folder = "Ada Lovelace_7_assignsubmission_file/", course / "submitted/ada" / STEM
    files = {
        f"{STEM}.ipynb": b"{}",
        "helper.py": b"A = 1\n",
        "words.txt": "é".encode(),
        "torch.py": b"",
        "timestamp.txt": b"2020-01-01 00:00 UTC",
        "Collected.json": b"{}",
        "big.txt": b"x" * (2**20 + 1),
        "deep/other.py": b"",
        "photo.txt": b"\0",
    }

    def run(**changed: bytes | None) -> Result:
        now = {**files, **{name.replace("_", "."): content for name, content in changed.items()}}
        return collect([(place + name, content) for name, content in now.items() if content is not None])

    dry = collect([(place + name, content) for name, content in files.items()], "--dry-run")
    first = run()
    assert first.exit_code == 0, first.output
    assert first.output == dry.output.replace("Nothing was written: this was a dry run.\n", "")
    assert "  beside it, for its code to read: helper.py, words.txt\n" in first.output
    for name, why in (
        ("torch.py", "it has the name of a library or of a part of Python"),
        ("timestamp.txt", "its name is one of the grader's own"),
        ("Collected.json", "its name is one of the grader's own"),
        ("deep/other.py", "its name has other signs than letters, digits and . _ - + ( )"),
    ):
        assert f"  not taken: Ada Lovelace (7): {name} ({why})\n" in first.output
    assert "  not taken: Ada Lovelace (7): big.txt is 1,048,577 bytes large; the limit is 1,048,576\n" in (
        first.output
    )
    there = {path.name for path in folder.iterdir()}
    assert there == {f"{STEM}.ipynb", "helper.py", "words.txt", "collected.json", "not_collected.txt"}
    handed_in = read_folder(CourseDirectory(root=str(course)), "ada", STEM)
    assert handed_in.files == {"helper.py": "A = 1\n", "words.txt": "é"}
    assert handed_in.timestamp is None

    known = read_collected(folder)
    assert "there already" in run().output
    assert read_collected(folder) == known, "nothing new came"
    run(helper_py=b"A = 2\n", words_txt=None)
    assert (folder / "helper.py").read_bytes() == b"A = 2\n"
    assert not (folder / "words.txt").exists(), "it was taken back"
    assert {path.read_bytes() for path in (course / f"downloaded/{STEM}/replaced/ada").iterdir()} == {
        b"A = 1\n",
        "é".encode(),
    }
    assert read_collected(folder).beside == ["helper.py"]
    (folder / "words.txt").write_bytes(b"a person's")
    output = run(helper_py=b"A = 2\n").output
    assert "words.txt (another one of this name is there, which was not collected)" in output
    assert (folder / "words.txt").read_bytes() == b"a person's"
    given = [(f"{place}{STEM}.ipynb", b"{}"), (f"{place}words.txt", b"again")]
    assert "beside it, for its code to read: words.txt\n" in collect(given, "--force").output
    assert (folder / "words.txt").read_bytes() == b"again"
    (folder / "words.txt").unlink()
    (folder / "words.txt").mkdir()
    assert collect(given[:1]).exit_code == 0
    assert (folder / "words.txt").is_dir(), "a person's folder in the place of what was there"


def test_files_beside_the_same_notebook_stay_where_it_came_later(course: Path, collect: Callable) -> None:
    """An older download, or another system's, takes nothing away and changes nothing."""
    place, helper = "Ada Lovelace_7_assignsubmission_file/", course / "submitted/ada" / STEM / "helper.py"
    notebook = (f"{place}{STEM}.ipynb", b"{}")
    assert collect([notebook, (f"{place}helper.py", b"right = 1")], day=20).exit_code == 0
    for files in (
        [notebook, (f"{place}helper.py", b"old = 1")],
        [notebook],
        [(f"lovelaceada_40123_5_{STEM}.ipynb", b"{}"), ("lovelaceada_40123_6_helper.py", b"other = 1")],
    ):
        run = collect(files, day=10)
        assert (run.exit_code, helper.read_bytes()) == (0, b"right = 1"), run.output
        assert "1 there already" in run.output
    assert collect([notebook, (f"{place}helper.py", b"new = 1")], day=21).exit_code == 0
    assert helper.read_bytes() == b"new = 1"
    assert collect([notebook], "--force", day=10).exit_code == 0
    assert not helper.exists()


def test_file_that_canvas_renamed_goes_under_both_names(course: Path, collect: Callable) -> None:
    """A file that is handed in again is `helper-1.py` there; its code imports `helper`."""
    run = collect(
        [(f"lovelaceada_40123_5_{STEM}-1.ipynb", b"{}"), ("lovelaceada_40123_6_helper-1.py", b"A = 1")]
    )
    assert run.exit_code == 0, run.output
    directory = CourseDirectory(root=str(course))
    assert read_folder(directory, "ada", STEM).files == {"helper.py": "A = 1", "helper-1.py": "A = 1"}
    earlier = ("lovelaceada_40123_4_helper.py", b"A = 0")
    collect(
        [
            (f"lovelaceada_40123_5_{STEM}-1.ipynb", b"{}"),
            ("lovelaceada_40123_6_helper-1.py", b"A = 1"),
            earlier,
        ]
    )
    assert read_folder(directory, "ada", STEM).files["helper.py"] == "A = 1", "the later one"


def test_work_of_another_system_is_kept(course: Path, collect: Callable) -> None:
    """Canvas counts files and Moodle has times: nothing says which of two is later."""
    canvas, moodle = f"lovelaceada_40123_5_{STEM}.ipynb", f"Ada Lovelace_7_assignsubmission_file/{STEM}.ipynb"
    for first, second, system in ((canvas, moodle, "Canvas"), (moodle, canvas, "Moodle")):
        collect([(first, b"[1]")], "--force")
        run = collect([(second, b"[2]")])
        assert (
            f"not replaced (the work that is there came from {system}, and nothing says which" in run.output
        )
        assert submitted(course) == {"ada": b"[1]"}
        collect([(second, b"[2]")], "--force")
        assert submitted(course) == {"ada": b"[2]"}


def test_name_with_another_number_than_the_roster_s_is_nobody_s(course: Path, collect: Callable) -> None:
    """Where the roster knows somebody's number in Canvas, a namesake with another number is listed."""
    name = f"lovelaceada_55555_1_{STEM}.ipynb"
    run = collect([(name, b"a namesake's")])
    assert (run.exit_code, submitted(course)) == (1, {})
    assert f"lovelaceada (55555): {name}; the roster has 40123\n" in run.output
    assert "correct the lms_user_id in students.csv" in run.output
    assert "several students" not in run.output
    assert "its number is 55555, and the roster has 40123 for this name" in refusal(course, "ada")
    assert "several" not in refusal(course, "ada")
    assert collect([(f"lovelaceada_40123_2_{STEM}.ipynb", b"hers")]).exit_code == 0
    assert submitted(course) == {"ada": b"hers"}


def test_canvas_s_test_student_is_passed_over(course: Path, collect: Callable) -> None:
    """Nobody is waited for, and nothing is remembered; whoever is so called in the roster is a student."""
    own = (f"lovelaceada_40123_5_{STEM}.ipynb", b"{}")
    run = collect([own, (f"studenttest_77_6_{STEM}.ipynb", b"{}")])
    assert run.exit_code == 0, run.output
    assert f"  studenttest (77): studenttest_77_6_{STEM}.ipynb" in run.output
    assert not read_unplaced(course, STEM)
    with (course / "students.csv").open("a") as file:
        file.write("real,Test,Student,real@example.org,77\n")
    collect([(f"studenttest_77_6_{STEM}.ipynb", b"{}")])
    assert "real" in submitted(course)


def test_a_list_of_files_that_a_student_wrote_takes_nothing_away(course: Path, collect: Callable) -> None:
    """Only what can have been put beside a notebook is taken away again."""
    name, folder = f"lovelaceada_40123_5_{STEM}.ipynb", course / "submitted/ada" / STEM
    collect([(name, b"{}")])
    forged = replace(
        read_collected(folder), beside=["../../../nbgrader_config.py", "timestamp.txt", 7, "a/b"]
    )
    (folder / "collected.json").write_text(forged.to_json())
    (folder / "timestamp.txt").write_text("2026-12-01 23:59 UTC")
    collect([(name, b"{}")])
    assert (folder / "timestamp.txt").is_file()
    assert (course / "nbgrader_config.py").is_file()


MARKED = f"_assignsubmission_file_{STEM}.ipynb"


@pytest.mark.parametrize(
    ("own", "name"),
    [
        (f"Ada Lovelace_7{MARKED}", f"Eve Formula_9_assignsubmission_file_x_40123{MARKED}"),
        (f"Ada Lovelace_7{MARKED}", f"Eve Formula_9_assignsubmission_file_\\Ada Lovelace_7{MARKED}"),
        (f"lovelaceada_40123_5_{STEM}.ipynb", f"formulaeve_99_6_a\\lovelaceada_40123_99999_{STEM}.ipynb"),
    ],
)
def test_nobody_hands_in_for_another(own: str, name: str, course: Path, collect: Callable) -> None:
    """What a student calls a file is not read as whose it is, in either system."""
    collect([(own, b"ada's"), (name, b"eve's")])
    assert submitted(course) == {"ada": b"ada's", "=evil": b"eve's"}


def test_number_of_a_participant_is_nobody_s_in_the_roster(course: Path, collect: Callable) -> None:
    """Moodle's number is another one in each assignment: who has it as an id elsewhere is somebody else."""
    collect([(f"Анна Иванова_40123_assignsubmission_file_/{STEM}.ipynb", b"anna's")])
    assert submitted(course) == {"anna": b"anna's"}


DAMAGED = [
    {"at": "yesterday"},
    {"at": "2026-11-01T00:00:00"},
    {"at": "0001-01-01T00:00:00+00:00"},
    {"place": "\ud800"},
    {"place": "x" * 66_000},
    {"place": "x" * 300},
    {"place": "a\0b/"},
    {"place": "../x/"},
    {"place": "..\\x/"},
    {"place": "/x/"},
    {"place": ""},
]


@pytest.mark.parametrize("change", DAMAGED)
def test_what_was_remembered_is_not_trusted(change: dict[str, str]) -> None:
    """A file that a student wrote says something possible, or is damaged."""
    good = {"system": "moodle", "place": "Ada Lovelace_7_assignsubmission_file_/", "file": "x", "rank": 1}
    good |= {"late": False, "digest": "0", "at": "2026-11-01T00:00:00+00:00"}
    assert Collected.from_json(json.dumps(good).encode()).place == good["place"]
    with pytest.raises(GraderError, match="damaged"):
        Collected.from_json(json.dumps(good | change).encode())


def test_only_newer_work_replaces(course: Path, collect: Callable) -> None:
    """A later upload does, an earlier one not, and work that was put there or changed by hand stays."""
    upload = f"lovelaceada_40123_%d_{STEM}.ipynb"
    assert "new" in collect([(upload % 5, b"5")]).output
    place = course / "submitted/ada" / STEM
    (place / "timestamp.txt").write_text("2026-12-01 12:00 UTC")
    again = collect([(upload % 5, b"5")]).output
    assert "1 student: 1 there already." in again
    assert "ada:" not in again  # what stays as it is needs no line of its own
    assert (place / "timestamp.txt").exists()
    older = collect([(upload % 4, b"4")])
    assert (older.exit_code, submitted(course)) == (1, {"ada": b"5"})
    assert "handed in later" in older.output
    assert "replaced" in collect([(upload % 6, b"6")]).output
    assert submitted(course) == {"ada": b"6"}
    assert not (place / "timestamp.txt").exists()
    (place / f"{STEM}.ipynb").write_bytes(b"by hand")
    assert "was changed since" in collect([(upload % 7, b"7")]).output
    (place / "collected.json").unlink()
    assert "was not collected" in collect([(upload % 7, b"7")]).output
    assert submitted(course) == {"ada": b"by hand"}
    assert collect([(upload % 7, b"7")], "--force").exit_code == 0
    assert submitted(course) == {"ada": b"7"}


@pytest.mark.parametrize(
    "upload", ["lovelaceada_40123_{}_{}.ipynb", "Ada Lovelace_7_assignsubmission_file/{}/{}.ipynb"]
)
def test_time_of_an_earlier_file_goes_and_that_is_said(upload: str, course: Path, collect: Callable) -> None:
    """A time that somebody wrote is never taken for that of a newer file, nor lost without a word."""
    said = "timestamp.txt was written for the earlier file"
    first, newer = [(upload.format(number, STEM), b"%d" % number) for number in (5, 6)]
    assert said not in collect([first]).output
    time = course / "submitted/ada" / STEM / "timestamp.txt"
    time.write_text("2026-12-01 12:00 UTC")
    assert said not in collect([first]).output
    assert said in collect([newer], "--dry-run", day=2).output
    assert time.exists()
    assert said in collect([newer], day=2).output
    assert not time.exists()
    assert said not in collect([first], "--force").output


def test_dry_run_writes_nothing(course: Path, collect: Callable) -> None:
    """It says the same, and that nothing was written."""
    run = collect([(f"lovelaceada_40123_5_{STEM}.ipynb", b"{}")], "--dry-run")
    assert run.exit_code == 0
    assert "ada: " in run.output
    assert "Nothing was written" in run.output
    assert not (course / "submitted").exists()


def test_late_mark_is_kept(course: Path, collect: Callable) -> None:
    """It is remembered, and grading notes it as long as nobody has said when the work came."""
    collect([(f"lovelaceada_LATE_40123_5_{STEM}-1.ipynb", b"{}")])
    place = course / "submitted/ada" / STEM
    assert read_collected(place).late
    directory = CourseDirectory(root=str(course))
    assert read_folder(directory, "ada", STEM).notes == (str(LATE),)
    (place / "timestamp.txt").write_text("2026-12-01 12:00 UTC")
    assert read_folder(directory, "ada", STEM).notes == ()


GOOD = (f"Ada Lovelace_7_assignsubmission_file/{STEM}.ipynb", b"{}")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("../../evil.ipynb", "leads out of the archive"),
        ("/tmp/evil.ipynb", "leads out of the archive"),
        ("C:/evil.ipynb", "leads out of the archive"),
        ("a\\..\\evil.ipynb", "leads out of the archive"),
    ],
)
def test_paths_that_lead_out_are_refused(name: str, said: str, course: Path, collect: Callable) -> None:
    """All of the archive is refused, and nothing is written."""
    run = collect([GOOD, (name, b"{}")])
    assert run.exit_code == 2
    assert said in run.output
    assert not (course / "submitted").exists()


def test_links_and_encrypted_files_are_refused(course: Path) -> None:
    """In an archive and in a folder."""
    link = zipfile.ZipInfo(f"Ada Lovelace_7_assignsubmission_file/{STEM}.ipynb")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    run = _collect_info(course, link)
    assert (run.exit_code, "is a link" in run.output) == (2, True)
    content = bytearray(zipped(course / "locked.zip", [GOOD]).read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + offset] |= 1
    (course / "locked.zip").write_bytes(content)
    run = _collect(course, course / "locked.zip")
    assert (run.exit_code, "is encrypted" in run.output) == (2, True)
    folder = course / "unpacked" / "Ada Lovelace_7_assignsubmission_file"
    folder.mkdir(parents=True)
    (folder / f"{STEM}.ipynb").symlink_to("/etc/passwd")
    run = _collect(course, course / "unpacked")
    assert (run.exit_code, "is a link" in run.output) == (2, True)
    assert not (course / "submitted").exists()


def _collect(course: Path, download: Path) -> Result:
    return CliRunner().invoke(main, ["collect", str(download), STEM, "--course", str(course)])


def _collect_info(course: Path, info: zipfile.ZipInfo) -> Result:
    with zipfile.ZipFile(course / "link.zip", "w") as archive:
        archive.writestr(info, b"/etc/passwd")
    return _collect(course, course / "link.zip")


def test_bomb_costs_its_student_alone(course: Path, collect: Callable) -> None:
    """What grows beyond all measure is refused by name, with what to do; the others are collected."""
    bomb = (f"Анна Иванова_9_assignsubmission_file/{STEM}.ipynb", bytes(2**23))
    run = collect([GOOD, bomb])
    assert run.exit_code == 1
    assert "anna: " in run.output
    assert "unpacked it has 8,388,608 bytes, more than 200 times its packed size." in run.output
    assert "bomb" not in run.output
    assert "taken with its outputs cleared, or from the folder that the download is unpacked to" in run.output
    assert submitted(course) == {"ada": b"{}"}
    folder = course / "unpacked"
    with zipfile.ZipFile(course / "download.zip") as archive:
        archive.extractall(folder)
    assert _collect(course, folder).exit_code == 0
    assert submitted(course) == {"ada": b"{}", "anna": bomb[1]}


def test_damaged_and_foreign_files_are_clear_errors(course: Path, collect: Callable) -> None:
    """No archive, no name of a system, a damaged member, and nobody known."""
    (course / "no.zip").write_bytes(b"no archive")
    assert "is no zip archive" in _collect(course, course / "no.zip").output
    assert "not the names of a download" in collect([("x.ipynb", b"{}")]).output
    content = bytearray(zipped(course / "bad.zip", [(GOOD[0], bytes(range(256)))]).read_bytes())
    content[content.index(b"ipynb") + 40] ^= 0xFF
    (course / "bad.zip").write_bytes(content)
    run = _collect(course, course / "bad.zip")
    assert (run.exit_code, "damaged" in run.output) == (1, True)
    (course / "students.csv").unlink()
    assert "No student is known" in collect([GOOD]).output
    assert submitted(course) == {}


ANNA = "Анна Иванова_9_assignsubmission_file"
NO_NOTEBOOK = "no notebook is among what was handed in"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            [(f"{ANNA}/{STEM}.ipynb.txt", b"{}")],
            f"{ANNA}/{STEM}.ipynb.txt: {NO_NOTEBOOK}; {STEM}.ipynb.txt may be one: rename it to end in "
            ".ipynb, and collect the folder.",
        ),
        ([(f"{ANNA}/answers.docx", b"1")], f"{ANNA}/answers.docx: {NO_NOTEBOOK}."),
        *(
            ([(name, b"<p>")], f"{name}: {NO_NOTEBOOK}, but {kind}.")
            for name, kind in (
                ("Анна Иванова_9_assignsubmission_onlinetext/onlinetext.html", "an online text"),
                ("Анна Иванова_9_assignsubmission_onlinetext_/onlinetext.html", "an online text"),
                ("Анна Иванова_9_assignsubmission_onlinetext_onlinetext.html", "an online text"),
                ("Анна Иванова_9_assignsubmission_poodll/sound.mp3", "poodll"),
            )
        ),
        (
            [(f"{ANNA}/a.zip", b"1"), (f"{ANNA}/b\x1b.txt", b"2")],
            rf"{ANNA}/a.zip: {NO_NOTEBOOK}. With it came {ANNA}/b\x1b.txt.",
        ),
        ([(f"{ANNA}/{STEM}.ipynb", bytes(2**23))], f"{ANNA}/{STEM}.ipynb: unpacked it has 8,388,608 bytes"),
    ],
)
def test_what_is_turned_away_is_an_error_that_waits(
    files: list[tuple[str, bytes]], said: str, course: Path, collect: Callable
) -> None:
    """A student of the roster who handed in what is not taken has a folder, in which grading reads why."""
    place = course / "submitted/anna" / STEM
    assert collect([GOOD, *files], "--dry-run").exit_code == 1
    assert not place.exists()
    run = collect([GOOD, *files])
    assert run.exit_code == 1
    assert "an error in `grader grade`, which waits for a person" in run.output
    directory = CourseDirectory(root=str(course))
    assert students_with_folder(directory, STEM) == ["ada", "anna"]
    with pytest.raises(SubmissionError) as caught:
        read_folder(directory, "anna", STEM)
    assert f"in the folder. `grader collect` did not take {said}" in str(caught.value)
    assert collect([(f"{ANNA}/{STEM}.ipynb", b"{}")]).exit_code == 0
    assert {one.name for one in place.iterdir()} == {f"{STEM}.ipynb", "collected.json"}


@pytest.mark.parametrize(
    ("rest", "kind"),
    [("text.html", "a text entry"), ("link.html", "a link"), ("media_5.mp4", "a recording")],
)
@pytest.mark.parametrize("late", ["", "LATE_"])
def test_what_canvas_has_instead_of_a_file_is_an_error(
    late: str, rest: str, kind: str, course: Path, collect: Callable
) -> None:
    """A download of nothing else is one, too; who handed it in is not missing."""
    name = f"lovelaceada_{late}40123_{rest}"
    run = collect([(name, b"<p>")])
    assert (run.exit_code, submitted(course)) == (1, {})
    assert f"  lovelaceada (40123): {name}\n" in run.output
    assert f"did not take {name}: {NO_NOTEBOOK}, but {kind}." in refusal(course, "ada")
    assert collect([(f"lovelaceada_40123_5_{STEM}.ipynb", b"{}")]).exit_code == 0
    assert submitted(course) == {"ada": b"{}"}


@pytest.mark.parametrize("form", ["onlinetext/", "onlinetext_/", "onlinetext_"])
def test_file_counts_beside_an_online_text(form: str, course: Path, collect: Callable) -> None:
    """The text is not put beside the notebook, and that is noted."""
    text = f"Ada Lovelace_7_assignsubmission_{form}onlinetext.html"
    run = collect([(text, b"<p>"), GOOD], day=2)
    assert (run.exit_code, submitted(course)) == (0, {"ada": b"{}"})
    (note,) = read_folder(CourseDirectory(root=str(course)), "ada", STEM).notes
    assert "Left out: onlinetext.html (an online text)." in note
    assert not (course / "submitted/ada" / STEM / "onlinetext.html").exists()
    known = read_collected(course / "submitted/ada" / STEM)
    assert known is not None and known.place == "Ada Lovelace_7_assignsubmission_file/"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("answers.docx", b"1", f"not replaced ({NO_NOTEBOOK}"),
        (f"{STEM}.ipynb", bytes(2**23), "refused (unpacked it has"),
    ],
)
def test_work_that_is_there_stays_beside_what_is_turned_away(
    name: str, content: bytes, said: str, course: Path, collect: Callable
) -> None:
    """Who has handed in a notebook before keeps it, and nothing is written beside it."""
    collect([GOOD])
    before = sorted((course / "submitted/ada" / STEM).iterdir())
    run = collect([(f"Ada Lovelace_7_assignsubmission_file/{name}", content)], day=2)
    assert f"ada: {name}, {said}" in run.output
    place = f"Ada Lovelace_7_assignsubmission_file/{name}"
    assert row_notes(course, "ada")[0].startswith(f"A newer file came and was not collected: {place} (")
    assert (run.exit_code, sorted((course / "submitted/ada" / STEM).iterdir())) == (1, before)


def refusal(course: Path, student: str) -> str:
    """Return why grading refuses what is in a student's folder."""
    with pytest.raises(SubmissionError) as caught:
        read_folder(CourseDirectory(root=str(course)), student, STEM)
    return str(caught.value)


def test_who_may_own_what_has_no_place_waits(course: Path, collect: Callable) -> None:
    """Two of one name are errors with their reason, not missing; who has work by another way keeps it."""
    files = [(f"Sam Twin_{number}_assignsubmission_file/{STEM}.ipynb", b"{}") for number in (1, 2)]
    assert "never a zero: o1, o2." in collect(files, "--dry-run").output
    assert not (course / "submitted").exists()
    assert collect(files).exit_code == 1
    for student in ("o1", "o2"):
        assert f"did not take {files[0][0]}: it may be of one of several" in refusal(course, student)
    place = course / "submitted/o1" / STEM
    (place / "not_collected.txt").unlink()
    (place / f"{STEM}.ipynb").write_bytes(b"{}")
    assert "never a zero: o2." in collect(files).output
    assert [one.name for one in place.iterdir()] == [f"{STEM}.ipynb"]


def test_who_has_a_name_like_a_stranger_s_waits(course: Path, collect: Callable) -> None:
    """A word shared with a name in no roster makes a student an error, who does not read that name."""
    files = [(f"Adam Lovelace_8_assignsubmission_file/{STEM}.ipynb", b"{}")]
    assert "never a zero: ada." in collect(files).output
    assert "did not take what came under a name that shares a word" in refusal(course, "ada")
    assert "Adam" not in refusal(course, "ada")
    assert [one.name for one in (course / "submitted").iterdir()] == ["ada"]


def test_what_has_no_place_is_remembered_until_it_has(course: Path, collect: Callable) -> None:
    """Also over a download that lacks it; export, report and grade have a sentence on who is in no roster."""
    stranger = (f"Zoe Unknown_3_assignsubmission_file/{STEM}.ipynb", b"{}")
    twin = (f"Sam Twin_4_assignsubmission_file/{STEM}.ipynb", b"{}")
    collect([stranger, twin, GOOD], "--dry-run")
    assert read_unplaced(course, STEM) == ()
    collect([stranger, twin, GOOD])
    collect([GOOD])
    zoe = Unplaced("moodle", "Zoe Unknown", "3", (), (stranger[0],))
    sam = Unplaced("moodle", "Sam Twin", "4", ("o1", "o2"), (twin[0],))
    assert {*read_unplaced(course, STEM)} == {zoe, sam}
    assert not_placed(course, STEM) == (
        f"{STEM}: 2 files are not placed, in no score: Sam Twin (4), Zoe Unknown (3). "
        f"See downloaded/{STEM}/not_placed.json."
    )
    (course / "students.csv").write_text("id,first_name,last_name\nzoe,Zoe,Unknown\nsam,Sam,Twin\n")
    assert collect([stranger, twin]).exit_code == 0
    assert (read_unplaced(course, STEM), not_placed(course, STEM)) == ((), "")
    unplaced_file(course, STEM).write_text("[1]")
    with pytest.raises(GraderError, match="is damaged"):
        not_placed(course, STEM)


def test_stranger_is_named_by_all_commands(
    tmp_path: Path, repository: Path, chapter: Chapter, capfd: pytest.CaptureFixture
) -> None:
    """Grade, report, term and export say whose work is in no score; an anonymous report does not."""
    folder = tmp_path / "class"
    blank = [Choice(one, BLANK) for one in chapter.exercises]
    write_class(chapter, CoursePaths(repository), folder, (("bob", blank),))
    write_unplaced(folder, STEM, [Unplaced("moodle", "Zoe Unknown", "3", (), ("x.ipynb",))])
    csv = ["--format", "csv", "--output", str(tmp_path / "out.csv")]
    for command in (
        ["grade", STEM, "--isolation", "none"],
        ["report", STEM],
        ["report", STEM, "--csv", str(tmp_path / "report.csv")],
        ["term"],
        ["export", STEM, *csv],
    ):
        run = CliRunner().invoke(main, [*command, "--course", str(folder)])
        said = " ".join((run.output + "".join(capfd.readouterr())).split())
        assert f"{STEM}: 1 file is not placed, in no score: Zoe Unknown (3). See" in said, command
    run = CliRunner().invoke(main, ["report", STEM, "--anonymous", "--course", str(folder)])
    assert "Zoe" not in run.output + "".join(capfd.readouterr())


def test_folder_with_a_blank_at_an_end_is_told_everywhere(
    tmp_path: Path, repository: Path, chapter: Chapter, capfd: pytest.CaptureFixture
) -> None:
    """It is an error in grade and report, in no table, and named in quotation marks."""
    folder = tmp_path / "class"
    blank = [Choice(one, BLANK) for one in chapter.exercises]
    write_class(chapter, CoursePaths(repository), folder, (("eve", blank), ("eve ", blank)))
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as gradebook:  # graded by an earlier version
        gradebook.add_student("eve ")
    tables = [tmp_path / "out.csv", tmp_path / "term.csv"]
    for command in (
        ["grade", STEM, "--isolation", "none"],
        ["report", STEM],
        ["term", "--csv", str(tables[1])],
        ["export", STEM, "--format", "csv", "--output", str(tables[0])],
    ):
        run = CliRunner().invoke(main, [*command, "--course", str(folder)])
        said = run.output + "".join(capfd.readouterr())
        assert "'eve '" in said, (command, said)
    for table in tables:
        assert [line.partition(",")[0] for line in table.read_text().splitlines()[1:]] == ["eve"]


def test_who_is_not_in_the_roster_gets_no_folder(course: Path, collect: Callable) -> None:
    """What a stranger handed in is listed only."""
    run = collect([("Zoe Unknown_3_assignsubmission_file/answers.docx", b"1")])
    assert "  Zoe Unknown (3): Zoe Unknown_3_assignsubmission_file/answers.docx" in run.output
    assert not (course / "submitted").exists()


@pytest.mark.parametrize("again", [False, True])
def test_page_of_what_was_refused_goes_back(
    again: bool, tmp_path: Path, repository: Path, chapter: Chapter
) -> None:
    """Also after the same download was collected anew; of two of one name it is not said that none came."""
    folder = tmp_path / "class"
    blank = [Choice(one, BLANK) for one in chapter.exercises]
    write_class(chapter, CoursePaths(repository), folder, (("bob", blank), ("eve", blank)))
    (folder / "students.csv").write_text(ROSTER)

    def grader(*arguments: str) -> Result:
        return CliRunner().invoke(main, [*arguments, "--course", str(folder)])

    place, uploads = "{}_{}_assignsubmission_file_/", [("Ada Lovelace", 7), ("Sam Twin", 8), ("Sam Twin", 9)]
    files = [(place.format(*one) + "answers.docx", b"1") for one in uploads]
    download = zipped(tmp_path / "download.zip", files)
    assert grader("collect", str(download), STEM).exit_code == 1
    assert grader("grade", STEM, "--isolation", "none").exit_code == 1
    if again:
        assert grader("collect", str(download), STEM).exit_code == 1
    run = grader("return", STEM, "--to", "moodle", "--output", str(tmp_path / "feedback.zip"))
    assert "1 feedback pages" in run.output, run.output
    with zipfile.ZipFile(tmp_path / "feedback.zip") as archive:
        (name,) = archive.namelist()
        assert name == f"{place.format(*uploads[0])}{STEM}.html"
        assert "did not take" in archive.read(name).decode()
    assert "is not known): bob, eve.\n" in run.output
    assert "could not tell whose work it is, so its name there is not known): o1, o2.\n" in run.output


@pytest.mark.parametrize(
    ("system", "upload", "page"),
    [
        (
            "moodle",
            "Ada Lovelace_7_assignsubmission_file_/{stem}.ipynb",
            "Ada Lovelace_7_assignsubmission_file_/{stem}.html",
        ),
        ("canvas", "lovelaceada_40123_5_{stem}-1.ipynb", "lovelaceada_40123_5_{stem}-1.html"),
    ],
)
def test_feedback_goes_back_under_the_same_names(
    system: str, upload: str, page: str, tmp_path: Path, repository: Path, chapter: Chapter
) -> None:
    """Pages that show what counts are packed; who has none, or an old one, is listed."""
    folder = tmp_path / "class"
    blank = [Choice(one, BLANK) for one in chapter.exercises]
    write_class(chapter, CoursePaths(repository), folder, (("bob", blank),))
    (folder / "students.csv").write_text(ROSTER)
    content = (folder / f"submitted/bob/{STEM}/{STEM}.ipynb").read_bytes()

    def grader(*arguments: str) -> Result:
        return CliRunner().invoke(main, [*arguments, "--course", str(folder)])

    download = zipped(tmp_path / "download.zip", [(upload.format(stem=STEM), content)])
    assert grader("collect", str(download), STEM).exit_code == 0
    assert grader("grade", STEM, "--isolation", "none").exit_code == 0
    output = tmp_path / "feedback.zip"
    run = grader("return", STEM, "--to", system, "--output", str(output))
    assert run.exit_code == 1, run.output
    assert "Left out (it was not collected with `grader collect`" in run.output
    assert "is not known): bob.\n" in run.output
    with zipfile.ZipFile(io.BytesIO(output.read_bytes())) as archive:
        assert archive.namelist() == [page.format(stem=STEM)]
    assert "is there already" in grader("return", STEM, "--to", system, "--output", str(output)).output
    known = folder / "submitted/{}" / STEM / "collected.json"
    Path(str(known).format("bob")).write_bytes(Path(str(known).format("ada")).read_bytes())
    run = grader("return", STEM, "--to", system, "--output", str(output), "--force")
    assert (
        "Left out (collected.json gives it the same name there as bob: collect again): ada.\n" in run.output
    )
    Path(str(known).format("bob")).unlink()
    shown = folder / f"feedback/ada/{STEM}/{STEM}.html"
    shown.unlink()
    run = grader("return", STEM, "--to", system, "--output", str(output), "--force")
    assert (run.exit_code, "there is no feedback page" in run.output) == (2, True)
