"""What students get: all that they need, and nothing that answers an exercise."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest

from grader.course.about import About
from grader.course.bundle import make_bundle
from grader.course.paths import CoursePaths
from grader.exercises import CHAPTERS
from tests.giveaways import (
    assert_no_hidden_bytes,
    assert_no_oracle,
    assert_no_right_answer,
    assert_no_solution,
    squeezed,
)

FOLDER = "attention-course"


@pytest.mark.parametrize(
    ("name", "folder"), [("signals", "signals-course"), ("course", "course"), ("my-course", "my-course")]
)
def test_folder_is_called_a_course_once(name: str, folder: str) -> None:
    """A course of which nobody said how it is called has the name of its folder."""
    assert About("Signals", name).folder == folder


@pytest.fixture(scope="module")
def paths(repository: Path) -> CoursePaths:
    """Return this course."""
    return CoursePaths(repository)


@pytest.fixture(scope="module")
def archive(paths: CoursePaths, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a bundle."""
    made = tmp_path_factory.mktemp("bundle") / "course.zip"
    make_bundle(paths, made)
    return made


@pytest.fixture(scope="module")
def unpacked(archive: Path) -> Path:
    """Return the folder that a student has after unpacking it, with the package unpacked beside it."""
    target = archive.parent
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(target)
    (wheel,) = (target / FOLDER).glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        opened.extractall(target / "installed")
    return target


@pytest.fixture(scope="module")
def contents(unpacked: Path) -> dict[str, bytes]:
    """Return all that a student gets, by name."""
    files = (path for path in unpacked.rglob("*") if path.is_file() and path.suffix not in (".zip", ".whl"))
    return {str(path.relative_to(unpacked)): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def text(contents: dict[str, bytes]) -> str:
    """Return the text in it, notebooks' cells as they read, without what sets lines apart."""
    cells = [
        cell.source
        for name, content in contents.items()
        if name.endswith(".ipynb")
        for cell in nbformat.reads(content.decode(), as_version=4).cells
    ]
    others = [content.decode(errors="ignore") for name, content in contents.items() if name.endswith(".py")]
    return squeezed("\n".join(cells + others))


def test_same_files_give_the_same_archive(archive: Path, paths: CoursePaths, tmp_path: Path) -> None:
    """An archive says nothing of when or where it was made."""
    make_bundle(paths, tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == archive.read_bytes()


def test_notebooks_are_those_released(unpacked: Path, paths: CoursePaths) -> None:
    """Every chapter is there, as it was built for students."""
    for chapter in CHAPTERS.values():
        given = unpacked / FOLDER / "notebooks" / chapter.stem / f"{chapter.stem}.ipynb"
        assert given.read_bytes() == paths.student(chapter).read_bytes()


def test_no_file_of_the_instructors_is_in_it(contents: dict[str, bytes]) -> None:
    """No source, oracle, bank or hidden case by its name."""
    names = "\n".join(contents)
    assert not re.search(
        r"solutions|answers/|grading_cases|reference\.py|nbgrader_config|ch\d\d\w*\.md", names
    )


def test_no_right_answer_of_a_bank_is_in_it(text: str, paths: CoursePaths) -> None:
    """No correct variant can be read anywhere."""
    assert_no_right_answer(text, paths)


def test_no_solution_is_in_it(text: str, paths: CoursePaths) -> None:
    """What a solution notebook has between its markers cannot be read anywhere."""
    assert_no_solution(text, paths)


def test_no_oracle_is_in_it(text: str, paths: CoursePaths) -> None:
    """No function of a reference.py can be read anywhere."""
    assert_no_oracle(text, paths)


def test_no_hidden_tensor_is_in_it(contents: dict[str, bytes], paths: CoursePaths) -> None:
    """No number of a hidden case is there, in whatever file."""
    assert_no_hidden_bytes(contents, paths)


def test_a_check_works_without_the_checkout(unpacked: Path) -> None:
    """With the wheel alone, beside the notebooks, an answer is judged and a mistake named."""
    program = (
        "import grader\n"
        "from grader import check\n"
        "print(grader.__file__)\n"
        "try:\n"
        "    check('ch02-sum-normalize', lambda scores: scores)\n"
        "except Exception as error:\n"
        "    print(error)\n"
        "check('ch02-sum-normalize', lambda scores: scores / scores.sum())\n"
    )
    installed = unpacked / "installed"
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=unpacked / FOLDER / "notebooks",
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.startswith(str(installed))
    assert "failed, 0 of" in run.stdout
    assert "Right on all" in run.stdout


def test_no_instructors_tool_is_installed(unpacked: Path, contents: dict[str, bytes]) -> None:
    """A student's JupyterLab has no menu for who grades: what is installed does not ask for nbgrader."""
    (described,) = (text.decode() for name, text in contents.items() if name.endswith(".dist-info/METADATA"))
    asked = re.findall(r"^Requires-Dist: ([\w-]+)(?!.*extra ==)", described, re.MULTILINE)
    assert "jupyterlab" in asked
    assert "nbgrader" not in asked
    assert "nbgrader" not in (unpacked / FOLDER / "requirements.txt").read_text(encoding="utf-8")


def test_start_page_names_what_is_there(unpacked: Path) -> None:
    """What the guide and the requirements name is in the folder, and every chapter is listed."""
    folder = unpacked / FOLDER
    for name in re.findall(r"(?:--constraint |\./)(\S+)", (folder / "requirements.txt").read_text()):
        assert (folder / name).is_file()
    guide = (folder / "START.md").read_text(encoding="utf-8")
    assert all(f"- `{stem}` · {one.title}" in guide for stem, one in CHAPTERS.items())
    assert "--requirement requirements.txt" in guide
    assert (folder / re.search(r"`(GUIDE\.md)` says how", guide)[1]).is_file()
