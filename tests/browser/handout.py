"""What a student has: the unpacked bundle, and notebooks in which some exercises are answered."""

import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from grader.course.about import read_about
from grader.course.bundle import make_bundle
from grader.course.paths import CoursePaths
from grader.exercises import CHAPTERS

MARKER = re.compile(r"^ *### (BEGIN|END) SOLUTION\n?", re.MULTILINE)


def unpack(course: Path, folder: Path) -> Path:
    """Make the bundle of a course, unpack it into a folder, and return where its notebooks are."""
    make_bundle(CoursePaths(course), folder / "course.zip")
    with zipfile.ZipFile(folder / "course.zip") as archive:
        archive.extractall(folder)
    return folder / read_about(CoursePaths(course)).folder / "notebooks"


def right_answers(course: Path, chapter: str) -> dict[str, str]:
    """Return the course's own answers of a chapter as a learner would write them, by cell id."""
    solved = nbformat.read(CoursePaths(course).solution(CHAPTERS[chapter]), as_version=4)
    return {cell.id: MARKER.sub("", cell.source) for cell in solved.cells if _is_answer(cell)}


def answer(path: Path, answers: Mapping[str, str], copy: Path) -> None:
    """Write a copy of a notebook in which the cells of some exercises hold these answers."""
    notebook = nbformat.read(path, as_version=4)
    cells = {cell.id: cell for cell in notebook.cells}
    for name, text in answers.items():
        cells[name].source = text
    copy.parent.mkdir(parents=True)
    nbformat.write(notebook, copy)


def gather_formulas(notebooks: Path, into: Path) -> list[str]:
    """Write one notebook of all cells of text with a formula in them; return the ids of its cells."""
    chapters = [nbformat.read(path, as_version=4) for path in sorted(notebooks.glob("*/*.ipynb"))]
    gathered = chapters[0]  # for what it says of its kernel
    gathered.cells = [cell for chapter in chapters for cell in chapter.cells if _has_formula(cell)]
    nbformat.write(gathered, into)
    return [cell.id for cell in gathered.cells]


def _has_formula(cell: NotebookNode) -> bool:
    return cell.cell_type == "markdown" and "$" in cell.source


def _is_answer(cell: NotebookNode) -> bool:
    return cell.metadata.get("nbgrader", {}).get("solution", False)
