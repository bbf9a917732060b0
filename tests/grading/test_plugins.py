"""nbgrader and `grader grade`: the same verdicts, each working on what the other wrote."""

import csv
import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from html import unescape
from pathlib import Path

import nbformat
import pytest
from click.testing import CliRunner
from nbconvert.exporters.exporter import ResourcesDict
from nbformat.v4 import new_notebook
from nbgrader.apps.api import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from grader.cli import main
from grader.course.paths import SETTINGS, CoursePaths
from grader.errors import GraderError
from grader.exercises import Chapter
from grader.grading import plugins
from grader.grading.class_reading import GradedCourse
from grader.grading.language import page_catalog
from grader.grading.plugins import AlignSubmission, JudgeSubmission
from grader.grading.record import Record
from grader.grading.sample_class import make_sample_class
from grader.grading.submissions import SECRET
from grader.messages.speaking import LANGUAGE_KEY

STUDENTS = 6
OUT_OF_PLACE = "student-06"
ENTRIES = """
    select submitted_assignment.student_id, base_cell.name, {columns}
    from {table} join base_cell on {table}.cell_id = base_cell.id
    join submitted_notebook on {table}.notebook_id = submitted_notebook.id
    join submitted_assignment on submitted_notebook.assignment_id = submitted_assignment.id
    order by 1, 2
"""


def make_class(folder: Path, course: CoursePaths, chapter: Chapter) -> dict[str, dict]:
    """Make a sample class that runs without isolation, one of its notebooks with every cell there twice.

    Some of its mistakes earn part of the points; a table that students hand in themselves grants nothing.
    """
    expected = make_sample_class(chapter, course, folder, STUDENTS, seed=3)
    for place in (*folder.glob("submitted/*"), *folder.glob("submitted/*/*")):
        (place / SETTINGS).write_text("[partial-credit]\nquery-key-swapped = 0.9\nreturns-weights = 0.9\n")
    with CoursePaths(folder).config.open("a") as config:
        config.write('c.JudgeSubmission.isolation = "none"\n')
    path = folder / "submitted" / OUT_OF_PLACE / chapter.stem / f"{chapter.stem}.ipynb"
    notebook = json.loads(path.read_text())
    notebook["cells"] = [cell for cell in notebook["cells"] for _ in range(2)]
    path.write_text(json.dumps(notebook))
    return expected


@pytest.fixture(scope="module")
def folders(
    tmp_path_factory: pytest.TempPathFactory, generous: CoursePaths, chapter: Chapter, nbgrader: Callable
) -> tuple[Path, Path, dict[str, dict]]:
    """Return a class graded by `grader grade`, the same graded by nbgrader, and the scores to expect."""
    ours, theirs = (tmp_path_factory.mktemp(name) / "class" for name in ("ours", "theirs"))
    expected = make_class(ours, generous, chapter)
    make_class(theirs, generous, chapter)
    arguments = ["grade", chapter.stem, "--course", str(ours), "--isolation", "none"]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    nbgrader(theirs, "generate_assignment", chapter.stem)
    nbgrader(theirs, "autograde", chapter.stem)
    return ours, theirs, expected


def entries(folder: Path, table: str, columns: str) -> list[tuple]:
    """Return what a gradebook says about every cell of every student."""
    with closing(sqlite3.connect(folder / "gradebook.db")) as connection:
        return connection.execute(ENTRIES.format(table=table, columns=columns)).fetchall()


@pytest.mark.parametrize(
    ("table", "columns"), [("grade", "auto_score, needs_manual_grade"), ("comment", "auto_comment")]
)
def test_nbgrader_s_autograde_gives_the_same(folders: tuple, table: str, columns: str) -> None:
    """The gradebooks agree in every score and comment, also for cells that are there twice."""
    ours, theirs, _ = folders
    assert entries(ours, table, columns) == entries(theirs, table, columns)


def test_scores_are_those_expected(folders: tuple) -> None:
    """And they are what the class was made for."""
    ours, _, expected = folders
    scores = dict.fromkeys(expected, 0)
    for student, _, score, _ in entries(ours, "grade", "auto_score, needs_manual_grade"):
        scores[student] += score
    assert any(score % 1 for score in scores.values())
    assert scores == {student: entry["score"] for student, entry in expected.items()}


def test_reports_agree(folders: tuple, chapter: Chapter) -> None:
    """Both leave verdict files, and what is read from them and the gradebooks is the same, and as planned."""
    ours, theirs, expected = folders
    mine, others = (GradedCourse(CoursePaths(folder)).read(chapter) for folder in (ours, theirs))
    assert mine == others
    for one in mine.students:
        assert (one.status, one.problem) == ("graded", "")
        assert {name: list(answer.diagnosis) for name, answer in one.answers.items()} == {
            name: entry["diagnosis"] for name, entry in expected[one.label]["exercises"].items()
        }


def test_nbgrader_s_other_commands_work_on_ours(folders: tuple, chapter: Chapter, nbgrader: Callable) -> None:
    """Export has every student; feedback made again by nbgrader is the same page, no verdict beside it."""
    ours, _, expected = folders
    nbgrader(ours, "export", "--to", "grades.csv")
    with (ours / "grades.csv").open(encoding="utf-8") as file:
        scores = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert scores == {student: entry["score"] for student, entry in expected.items()}
    student = next(name for name, entry in expected.items() if entry["score"] < entry["max_score"])
    page = ours / "feedback" / student / chapter.stem / f"{chapter.stem}.html"
    before = page.read_text()
    nbgrader(ours, "generate_feedback", chapter.stem, "--student", student, "--force")
    assert {path.name for path in page.parent.iterdir()} == {page.name, SECRET}
    assert page.read_text() == before


def test_nbgrader_s_own_pages_are_the_same(folders: tuple, chapter: Chapter, nbgrader: Callable) -> None:
    """Autograde and generate_feedback, both nbgrader's, make the pages that `grader grade` has made."""
    ours, theirs, expected = folders
    nbgrader(theirs, "generate_feedback", chapter.stem)
    for student in set(expected) - {OUT_OF_PLACE}:
        mine, other = (one / "feedback" / student / chapter.stem for one in (ours, theirs))
        name = f"{chapter.stem}.html"
        assert (other / name).read_text() == (mine / name).read_text()


@pytest.mark.parametrize(("known", "older"), [("not-defined", "older"), ("ch04-", "older-")])
def test_verdict_of_an_older_course_gives_nbgrader_s_page(
    folders: tuple, chapter: Chapter, nbgrader: Callable, known: str, older: str, tmp_path: Path
) -> None:
    """A mistake or an exercise that is not known any more costs no student the page."""
    course = shutil.copytree(folders[0], tmp_path / "course")
    (verdict, *_) = sorted(course.glob("autograded/*/*/*.verdict.json"))
    record = json.loads(verdict.read_text())
    next(iter(record["exercises"].values()))["diagnosis"] = ["not-defined"]
    verdict.write_text(json.dumps(record).replace(known, older))
    student = verdict.parts[-3]
    nbgrader(course, "generate_feedback", chapter.stem, "--student", student, "--force")
    (page,) = course.glob(f"feedback/{student}/*/*.html")
    assert "Points by exercise" not in page.read_text()


def test_formgrader_shows_ours_as_graded(folders: tuple, chapter: Chapter, config: Config) -> None:
    """What formgrader's pages are made of: everybody is graded, and nothing waits for a person."""
    ours, _, expected = folders
    api = NbGraderAPI(CourseDirectory(config=config, root=str(ours)))
    assert api.get_autograded_students(chapter.stem) == set(expected)
    (assignment,) = api.get_assignments()
    assert (assignment["num_submissions"], assignment["max_score"]) == (
        STUDENTS,
        sum(one.points for one in chapter.exercises),
    )
    for entry in api.get_submissions(chapter.stem):
        assert entry["autograded"]
        assert not entry["needs_manual_grade"]
        assert entry["score"] == expected[entry["student"]]["score"]
    (notebook,) = api.get_notebooks(chapter.stem)
    assert notebook["num_submissions"] == STUDENTS
    assert len(api.get_notebook_submissions(chapter.stem, chapter.stem)) == STUDENTS


def test_without_isolation_nothing_is_run(monkeypatch: pytest.MonkeyPatch, chapter: Chapter) -> None:
    """Where full isolation is not to be had the plug-in refuses, unless configured not to ask for it."""
    monkeypatch.setattr("grader.sandbox.sandbox.needed", lambda: ["There is no Landlock here."])
    monkeypatch.setattr(plugins, "_master_of", lambda resources: None)
    with pytest.raises(GraderError, match="no Landlock"):
        JudgeSubmission().preprocess(new_notebook(), {"nbgrader": {"assignment": chapter.stem}})
    assert JudgeSubmission(config=Config(JudgeSubmission=Config(isolation="none"))).isolation == "none"


def test_verdicts_cannot_be_saved_before_they_are_made() -> None:
    """A configuration that lists the plug-ins in another way is told, not graded with other scores."""
    with pytest.raises(GraderError, match="has to follow JudgeSubmission"):
        plugins._record_in({"nbgrader": {}})


def nested(path: Path) -> None:
    """Have a notebook, which says that it is Chinese, nest deeper than any that is read."""
    notebook = json.loads(path.read_text())
    notebook["metadata"][LANGUAGE_KEY] = "zh_CN"
    notebook["metadata"]["deep"] = json.loads("[" * 150 + "]" * 150)
    path.write_text(json.dumps(notebook))


def linked(path: Path) -> None:
    """Have a notebook be a link to another."""
    path.rename(path.with_name("mine"))
    path.symlink_to("mine")


@pytest.mark.parametrize("spoil", [nested, linked])
def test_unreadable_one_is_told_the_same_by_both(
    spoil: Callable[[Path], None], repository: Path, chapter: Chapter, tmp_path: Path, nbgrader: Callable
) -> None:
    """The verdict file is an error with its reason, and the feedback page tells it."""
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    make_sample_class(chapter, CoursePaths(repository), ours, 1, seed=3)
    (path,) = ours.glob("submitted/*/*/*.ipynb")
    spoil(path)
    shutil.copytree(ours, theirs, symlinks=True)
    done = CliRunner().invoke(main, ["grade", chapter.stem, "--course", str(ours), "--isolation", "none"])
    assert done.exit_code == 1, done.output
    for command in ("generate_assignment", "autograde", "generate_feedback"):
        nbgrader(theirs, command, chapter.stem)
    (mine,), (other,) = ([*folder.glob("autograded/*/*/*.verdict.json")] for folder in (ours, theirs))
    record, same = (json.loads(one.read_text()) for one in (mine, other))
    assert record["status"] == "error" and str(Record.from_json(record).why)
    assert {**same, "key": "", "seconds": 0} == {**record, "key": "", "seconds": 0}
    (mine,), (other,) = ([*folder.glob("feedback/*/*/*.html")] for folder in (ours, theirs))
    assert other.read_text() == mine.read_text()
    why = Record.from_json(record).why.render(page_catalog(record["language"], CoursePaths(ours)))
    assert why in unescape(mine.read_text())
    assert record["language"] == ("zh_CN" if spoil is nested else "en")
    for table, columns in (("grade", "auto_score, needs_manual_grade"), ("comment", "auto_comment")):
        assert entries(ours, table, columns) == entries(theirs, table, columns)


def test_link_is_not_followed(
    tmp_path: Path, repository: Path, chapter: Chapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Links are followed by nbgrader; whose notebook it has read then is not told by what it has read."""
    folder = tmp_path / "class"
    first, second = make_sample_class(chapter, CoursePaths(repository), folder, 2, seed=3)
    place = folder / "submitted" / "{}" / chapter.stem / f"{chapter.stem}.ipynb"
    mine, theirs = (Path(str(place).format(name)) for name in (first, second))
    mine.unlink()
    mine.symlink_to(theirs)
    monkeypatch.chdir(folder)
    notebook = nbformat.read(mine, as_version=4)
    for student, recovered in ((first, False), (second, True)):
        resources = ResourcesDict(nbgrader={"student": student, "assignment": chapter.stem})
        aligned, _ = AlignSubmission().preprocess(notebook, resources)
        assert (
            any(cell.cell_type == "code" and "import torch" in cell.source for cell in aligned.cells)
            is recovered
        )
