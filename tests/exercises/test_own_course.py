"""A course of somebody's own, from an empty folder through every command."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from html import unescape
from pathlib import Path

import pytest

from grader.cli import main

STEM, EXERCISE = "ch50_convolution", "ch50-centered"
TITLE = 'Signals, from a "sum" to a filter'
RIGHT, TURNED = "    return x - x.mean()\n", "    return x.mean() - x\n"
# As the command `grader` runs it, without the test's own folder on the path.
COMMAND = "import sys; sys.argv[0] = 'grader'; from grader.cli import program; program()"


def run(folder: Path, repository: Path, *arguments: object, status: int | None = 0) -> str:
    """Run a command in a folder; return what it says. A status of None may be any."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", COMMAND, *map(str, arguments)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(repository), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert status in (None, done.returncode), (arguments, done.stdout, done.stderr)
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Path:
    """Return a course with one chapter as `grader new` makes it, built."""
    place = tmp_path_factory.mktemp("own")
    folder = place / "signals"
    run(place, repository, "new", "course", folder, "--title", TITLE)
    run(folder, repository, "new", "chapter", STEM, "--title", "Windows of numbers")
    run(folder, repository, "references", "build")
    run(folder, repository, "build")
    return folder


def test_it_is_built_and_verified(course: Path, repository: Path) -> None:
    """Its notebooks, words and references are as its sources say; no chapter of the package is asked for."""
    assert "no word comes too early" in run(course, repository, "build", "--check")
    assert "are verified on cpu" in run(course, repository, "references", "verify")
    assert "1 chapters are as built" in run(course, repository, "doctor", status=None)
    assert set(re.findall(r"^ch\d+", run(course, repository, "list"), re.MULTILINE)) == {"ch50"}
    assert f'c.CourseDirectory.course_id = "{course.name}"' in (course / "nbgrader_config.py").read_text()


def test_mutants_of_it_fail(course: Path, repository: Path) -> None:
    """Of the skeleton's variants, too, no mutant passes."""
    told = run(course, repository, "references", "mutate")
    assert EXERCISE in told and "ch04" not in told


def test_its_mistakes_are_named(course: Path, repository: Path) -> None:
    """In the sandbox, whose processes know nothing of it by themselves, and in the words of the chapter."""
    answer = course / "answer.py"
    answer.write_text(f"def centered(x):\n{TURNED}")
    told = run(course, repository, "check", EXERCISE, answer, status=1)
    assert "The difference is turned round" in told
    answer.write_text(f"def centered(x):\n{RIGHT}")
    assert "passed, 2 of 2 points" in run(course, repository, "check", EXERCISE, answer)


def test_it_is_named_from_elsewhere(course: Path, repository: Path, tmp_path: Path) -> None:
    """Outside of its folder a command says which course it took; --course names another."""
    (tmp_path / "answer.py").write_text(f"def centered(x):\n{RIGHT}")
    asked = ("check", EXERCISE, "answer.py")
    other = "For another, change to its folder, or name it with --course."
    assert f"These are of the course in {repository}. {other}" in run(tmp_path, repository, *asked, status=2)
    assert "passed, 2 of 2 points" in run(tmp_path, repository, *asked, "--course", course)
    assert EXERCISE in run(tmp_path, repository, "list", "--course", course)
    told = run(course, repository, "build", "ch51_filters", status=2)
    assert f"These are of the course in {course}. {other}" in told


def test_course_of_which_nothing_is_built_is_told(repository: Path, tmp_path: Path) -> None:
    """Its names are not known yet, and those of the package's course are no answer."""
    run(tmp_path, repository, "new", "course", "waves")
    run(tmp_path / "waves", repository, "new", "chapter", STEM)
    told = run(tmp_path / "waves", repository, "list", EXERCISE, status=2)
    assert f"nothing of the one in {tmp_path / 'waves'} is built. Run `grader references build`" in told


@pytest.fixture(scope="module")
def class_folder(course: Path, repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a class in a place of its own, graded."""
    folder = tmp_path_factory.mktemp("taught") / "class"
    run(course, repository, "sample-class", folder, "--students", 8, "--seed", 4)
    run(folder, repository, "grade", STEM)
    return folder


def test_class_is_graded_anywhere(class_folder: Path, repository: Path) -> None:
    """A class in another place has what it needs of the chapter; scores are those that are expected."""
    folder = class_folder
    expected = json.loads((folder / "expected.json").read_text())[STEM]
    table = folder / "grades.csv"
    run(folder, repository, "export", STEM, "--format", "csv", "--output", table)
    scores = dict(line.split(",")[0:3:2] for line in table.read_text().splitlines()[1:])
    assert {name: float(score) for name, score in scores.items()} == {
        name: one["score"] for name, one in expected.items()
    }
    html = folder / "one.html"
    run(folder, repository, "report", STEM, "--html", html)
    made = {code for one in expected.values() for code in one["exercises"][EXERCISE]["diagnosis"]}
    assert "convolution-turned-round" in made or "convolution-not-centered" in made
    assert "Windows of numbers" in html.read_text()


# What is done with a graded class, one after the other, and a part of what is said. A table for partial
# credit came after it was graded.
TAUGHT = (
    (("term",), "student-08 0 0.0 %"),
    (("similarity", STEM, "--html", "alike.html"), "Side by side: alike.html"),
    (("regrade", STEM), "graded anew with the same score and verdicts."),
    (("decide", EXERCISE, "--full-points", "--reason", "It was not said."), "It concerns 8 of 8 students"),
    (("regrade", STEM, "--changed", "--yes"), "Written: 8 of 8."),
    (("term",), "student-08 2 100.0 %"),
    (("remark", "student-08", STEM, EXERCISE, "units"), "units: given to 1: student-08."),
    (("extend", "student-08", STEM, "--days", 2), "student-08, ch50_convolution: 2 days."),
    (("collect", "downloaded.zip", STEM, "--from", "moodle"), "1 student: 1 new."),
    (("grade", STEM), "9 students: 9 graded"),
    (("return", STEM, "--to", "moodle", "--output", "back.zip"), "back.zip: 1 feedback pages."),
    (("report", "--all", "--html", "report.html"), "report.html: the report"),
    (("list", EXERCISE), "convolution-turned-round"),
    (("doctor",), "9 students handed something in"),
)


# Something is left out, or not written, or depends on the machine.
STATUS = {TAUGHT[2][0]: 1, TAUGHT[-4][0]: 1, ("doctor",): None}


def test_a_class_is_taught_with_it(class_folder: Path, repository: Path, tmp_path: Path) -> None:
    """What is asked of the class by name of the chapter, of its exercise and of its mistakes is found."""
    folder = tmp_path / "class"
    shutil.copytree(class_folder, folder)
    (folder / "remarks.toml").write_text('units = "Say the units."\n')
    (folder / "course.toml").write_text(
        f"[term.weights]\n{STEM} = 3\n[partial-credit.{EXERCISE}]\nconvolution-turned-round = 0.5\n"
    )
    columns = "id,first_name,last_name,email,lms_user_id"
    (folder / "students.csv").write_text(f"{columns}\nada,Ada,Lovelace,,5\n")
    handed = folder / "submitted" / "student-01" / STEM / f"{STEM}.ipynb"
    with zipfile.ZipFile(folder / "downloaded.zip", "w") as archive:
        archive.write(handed, f"Ada Lovelace_101_assignsubmission_file/{STEM}.ipynb")
    for arguments, said in TAUGHT:
        told = run(folder, repository, *arguments, status=STATUS.get(arguments, 0))
        assert said in " ".join(told.split()), arguments


def test_every_command_is_tried_here() -> None:
    """Whoever adds a command tries it on a course that is not the package's."""
    tried = set(re.findall(r'(?:repository, |\(\()"([a-z-]+)"', Path(__file__).read_text(encoding="utf-8")))
    assert set(main.commands) <= tried


def test_students_get_it(course: Path, repository: Path, tmp_path: Path) -> None:
    """The archive has the chapter's notebook and what its checks need, and none of the package's chapters."""
    archive = tmp_path / "signals.zip"
    run(course, repository, "bundle", archive)
    with zipfile.ZipFile(archive) as packed:
        names = packed.namelist()
        packed.extractall(tmp_path)
    assert f"# {TITLE}\n" in (tmp_path / "signals-course" / "START.md").read_text(encoding="utf-8")
    guide = (tmp_path / "signals-course" / "GUIDE.md").read_text(encoding="utf-8")
    assert f'hint("{EXERCISE}")' in guide and f"\n{EXERCISE}: failed, 0 of 2 points\nIt looks" in guide
    assert not re.findall(r"\bch0\d|normalize_by_sum|causal_mask|softmax|attention\b(?!-course)", guide)
    notebooks = [name for name in names if name.endswith(".ipynb")]
    assert [Path(name).stem for name in notebooks] == [STEM]
    assert not [name for name in names if "grading_cases" in name or name.endswith((".toml", "reference.py"))]
    code = f"from grader import check\ndef centered(x):\n{TURNED}check('{EXERCISE}', centered)\n"
    place = (tmp_path / notebooks[0]).parent
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=place,
        env=os.environ | {"PYTHONPATH": str(repository)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "The difference is turned round" in done.stdout + done.stderr


def test_it_can_be_read(course: Path, repository: Path, tmp_path: Path) -> None:
    """The site has a front page, a page of each chapter, its words, and nothing of the package's course."""
    site = tmp_path / "site"
    run(course, repository, "site", site)
    pages = {str(path.relative_to(site)): path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    front, words, page = "index.html", "glossary.html", f"chapters/{STEM}.html"
    shown = {name for name in pages if not name.startswith("_")}
    assert shown == {front, words, page, "students.html", "search.html"}
    assert f"{TITLE}</title>" in unescape(pages[front]) and "Windows of numbers" in pages[page]
    assert re.findall("<td><p>(.*?)</p></td>", pages[words])[:2] == ["mean", "50"]
    told = "".join(pages.values())
    assert not re.search(r"\bch[01]\d[-_]|[Aa]ttention|dot product|softmax", told)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chapter", "Convolution"], "is no name of a chapter. Expected one such as ch50_convolution."),
        (
            ["chapter", "ch04_convolution"],
            "There are exercises that begin with ch04-: those of ch04_self_attention in the package's own",
        ),
        (["chapter", "ch50_other"], "begin with ch50-: those of ch50_convolution in this course."),
        (["chapter", STEM], f"There is a chapter {STEM} already"),
        (["course", "."], "is there and not empty. Name a new folder."),
        (["course", "../of signals"], "names the course for nbgrader, too"),
    ],
)
def test_names_that_cannot_be(arguments: list[str], said: str, course: Path, repository: Path) -> None:
    """What is wrong is said, and nothing is written."""
    before = sorted(path for path in course.parent.rglob("*"))
    assert said in run(course, repository, "new", *arguments, status=2)
    assert sorted(path for path in course.parent.rglob("*")) == before
