"""nbgrader's own commands on this course: release, autograde, feedback, export, and the class report."""

import csv
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from grader.course.paths import CoursePaths
from grader.exercises import Chapter
from grader.grading.class_reading import GradedCourse
from grader.grading.sample_class import Choice, make_sample_class, submission
from grader.proving.bank import Answer

NOISY = """import logging
import os
import sys
import warnings

handler = logging.getLogger("mine")
handler.addHandler(logging.StreamHandler())
from tqdm import tqdm


def noise():
    print("printed")
    print("on stderr", file=sys.stderr)
    warnings.warn("a warning", UserWarning)
    logging.getLogger("mine").warning("logged through a handler made earlier")
    os.write(2, b"on the descriptor\\n")
    for _ in tqdm(range(3)):
        pass


"""


@dataclass(frozen=True)
class GradedClass:
    """A class that nbgrader has graded: where it is, and what each student should have scored."""

    paths: CoursePaths
    expected: dict[str, dict]


@pytest.fixture(scope="module")
def graded(
    tmp_path_factory: pytest.TempPathFactory,
    generous: CoursePaths,
    chapter: Chapter,
    answers: Callable[[str], dict[str, Answer]],
    nbgrader: Callable[..., None],
) -> GradedClass:
    """Return a class of three from the sample and one noisy but right student, graded by plain nbgrader."""
    folder = tmp_path_factory.mktemp("class") / "course"
    course = generous
    expected = make_sample_class(chapter, course, folder, students=3, seed=4)
    with CoursePaths(folder).config.open("a") as config:
        config.write("del c.Autograde\n")  # nbgrader as it comes, without our plug-ins
    right = [Choice(exercise, next(iter(answers(exercise.id).values()))) for exercise in chapter.exercises]
    noisy = submission(course.student(chapter).read_text(encoding="utf-8"), right)
    notebook = json.loads(noisy)
    for cell in notebook["cells"]:
        if cell["id"] in chapter.by_id:
            source = NOISY + "".join(cell["source"])
            for head in ("        query = ", "    with torch.no_grad():\n"):
                source = source.replace(head, f"{head[: len(head) - len(head.lstrip())]}noise()\n{head}")
            assert source.count("noise()") == 2, source
            cell["source"] = source
    path = folder / "submitted" / "noisy" / chapter.stem / f"{chapter.stem}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(notebook))
    points = sum(exercise.points for exercise in chapter.exercises)
    expected["noisy"] = {
        "score": points,
        "exercises": {choice.exercise.id: {"diagnosis": []} for choice in right},
    }
    # What lies beside the source notebook in a course, and must not be released with it.
    beside = course.solutions / chapter.stem
    source = CoursePaths(folder).solutions / chapter.stem
    shutil.copytree(beside, source, ignore=shutil.ignore_patterns("*.ipynb"), dirs_exist_ok=True)
    assert (source / "grading_cases").is_dir()
    for command in ("generate_assignment", "autograde", "generate_feedback"):
        nbgrader(folder, command, chapter.stem)
    nbgrader(folder, "export", "--to", "grades.csv")
    return GradedClass(CoursePaths(folder), expected)


def test_release_is_what_the_build_made(graded: GradedClass, repository: Path, chapter: Chapter) -> None:
    """`nbgrader generate_assignment` gives the same bytes as `grader build`, and no other file."""
    released = graded.paths.student(chapter)
    assert list(released.parent.iterdir()) == [released]
    assert released.read_text() == CoursePaths(repository).student(chapter).read_text()


def test_nothing_beside_the_source_reaches_a_submission(graded: GradedClass, chapter: Chapter) -> None:
    """Autograding, which runs in a submission's folder, puts no hidden case, oracle or bank into it."""
    folders = [*graded.paths.root.glob(f"autograded/*/{chapter.stem}")]
    assert len(folders) == len(graded.expected)
    for folder in folders:
        assert [path.name for path in folder.iterdir()] == [f"{chapter.stem}.ipynb"]


def test_report_has_the_gradebook_s_scores(graded: GradedClass, chapter: Chapter) -> None:
    """Every student has the score that the class was made for; why no mistake is known is said."""
    read = GradedCourse(graded.paths).read(chapter)
    assert {one.label: one.score for one in read.students} == {
        student: entry["score"] for student, entry in graded.expected.items()
    }
    assert all("There is no verdict file" in one.problem for one in read.students)
    assert {one.status for one in read.students} == {"graded"}


def test_feedback_shows_the_verdict(graded: GradedClass, chapter: Chapter) -> None:
    """Every student has a feedback page with the verdicts in it."""
    for student in graded.expected:
        page = graded.paths.root / "feedback" / student / chapter.stem / f"{chapter.stem}.html"
        assert f"{chapter.exercises[0].id}: " in page.read_text(encoding="utf-8")


def test_export_has_every_student(graded: GradedClass) -> None:
    """`nbgrader export` has every student with the expected score."""
    with (graded.paths.root / "grades.csv").open(encoding="utf-8") as file:
        scores = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert scores == {student: entry["score"] for student, entry in graded.expected.items()}
