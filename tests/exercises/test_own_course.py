"""A course of somebody's own, from an empty folder through every command."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

STEM, EXERCISE = "ch50_convolution", "ch50-centered"
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
    run(place, repository, "new", "course", folder)
    run(folder, repository, "new", "chapter", STEM, "--title", "Windows of numbers")
    run(folder, repository, "references", "build")
    run(folder, repository, "build")
    return folder


def test_it_is_built_and_verified(course: Path, repository: Path) -> None:
    """Its notebooks, words and references are as its sources say; no chapter of the package is asked for."""
    assert "no word comes too early" in run(course, repository, "build", "--check")
    assert "are verified on cpu" in run(course, repository, "references", "verify")
    assert "1 chapters are as built" in run(course, repository, "doctor", status=None)
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


def test_class_is_graded_anywhere(course: Path, repository: Path, tmp_path: Path) -> None:
    """A class in another place has what it needs of the chapter; scores are those that are expected."""
    folder = tmp_path / "class"
    run(course, repository, "sample-class", folder, "--chapter", STEM, "--students", 8, "--seed", 4)
    run(folder, repository, "grade", STEM)
    expected = json.loads((folder / "expected.json").read_text())[STEM]
    table = folder / "grades.csv"
    run(folder, repository, "export", STEM, "--format", "csv", "--output", table)
    scores = dict(line.split(",")[0:3:2] for line in table.read_text().splitlines()[1:])
    assert {name: float(score) for name, score in scores.items()} == {
        name: one["score"] for name, one in expected.items()
    }
    html = folder / "report.html"
    run(folder, repository, "report", STEM, "--html", html)
    made = {code for one in expected.values() for code in one["exercises"][EXERCISE]["diagnosis"]}
    assert "convolution-turned-round" in made or "convolution-not-centered" in made
    assert "Windows of numbers" in html.read_text()


def test_students_get_it(course: Path, repository: Path, tmp_path: Path) -> None:
    """The archive has the chapter's notebook and what its checks need, and none of the package's chapters."""
    archive = tmp_path / "signals.zip"
    run(course, repository, "bundle", archive)
    with zipfile.ZipFile(archive) as packed:
        names = packed.namelist()
        packed.extractall(tmp_path)
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
    """The site has a page of it."""
    run(course, repository, "site", tmp_path / "site")
    page = tmp_path / "site" / "chapters" / f"{STEM}.html"
    assert "Windows of numbers" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chapter", "Convolution"], "is no name of a chapter. Expected one such as ch01_convolution."),
        (["chapter", "ch04_convolution"], "There are exercises that begin with ch04-"),
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
