"""A gradebook with everything that can happen to a grade, written through nbgrader's own API."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from exports_cases import STUDENTS
from nbgrader.api import Gradebook

from grader.course.notebooks import check_id
from grader.exercises import Chapter
from grader.reporting.exports.grades import ClassGrades, open_grades


@pytest.fixture(scope="session")
def gradebook_file(tmp_path_factory: pytest.TempPathFactory, chapter: Chapter) -> Path:
    """Make a gradebook: full marks, a manual grade and a penalty, a penalty above the score, extra credit.

    Eve handed in nothing; of Fay's a person has to decide one exercise.
    """
    file = tmp_path_factory.mktemp("graded") / "gradebook.db"
    stem, cells = chapter.stem, [check_id(one) for one in chapter.exercises]
    points = {check_id(one): float(one.points) for one in chapter.exercises}
    with Gradebook(f"sqlite:///{file}") as gradebook, gradebook.db().no_autoflush:
        gradebook.add_assignment(stem)
        gradebook.add_notebook(stem, stem)
        for name in cells:
            gradebook.add_grade_cell(name, stem, stem, max_score=points[name], cell_type="code")
        for student, facts in STUDENTS.items():
            gradebook.add_student(student, **facts)
            if student != "eve":
                gradebook.add_submission(stem, student)

        def grade(student: str, **changes: tuple[str, float]) -> None:
            for name in cells:
                one = gradebook.find_grade(name, stem, stem, student)
                one.auto_score, one.needs_manual_grade = points[name], False
            for attribute, (name, value) in changes.items():
                setattr(gradebook.find_grade(name, stem, stem, student), attribute, value)

        def penalize(student: str, penalty: float) -> None:
            gradebook.find_submission_notebook(stem, stem, student).late_submission_penalty = penalty

        grade("ada")
        grade("bo", manual_score=(cells[0], points[cells[0]] - 1.5))
        gradebook.find_grade(cells[0], stem, stem, "bo").needs_manual_grade = True
        penalize("bo", 2.0)
        grade("chen")
        penalize("chen", 99.0)
        grade("dev", auto_score=(cells[-1], 0.0), extra_credit=(cells[-1], points[cells[-1]] - 2.0))
        grade("fay", auto_score=(cells[1], None))
        gradebook.db.commit()
    return file


@pytest.fixture
def gradebook_url(gradebook_file: Path, tmp_path: Path) -> str:
    """Return where a copy of the gradebook is."""
    return f"sqlite:///{shutil.copy(gradebook_file, tmp_path)}"


@pytest.fixture
def grades(gradebook_url: str, chapter: Chapter) -> ClassGrades:
    """Return the grades of the chapter."""
    return open_grades(gradebook_url, [chapter.stem])


@pytest.fixture
def roster_file(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a roster of lines."""

    def write(*lines: str, encoding: str = "utf-8") -> Path:
        path = tmp_path / "roster.csv"
        path.write_bytes("\r\n".join([*lines, ""]).encode(encoding))
        return path

    return write
