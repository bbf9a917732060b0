"""The table of a graded class: students, scores, and the mistakes that were named."""

from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from nbgrader.api import Gradebook, MissingEntry
from rich.table import Table
from traitlets.config import Config

from grader.checking.notebook import RESULT_MIMETYPE
from grader.course.notebooks import check_id, load_config
from grader.course.paths import CoursePaths
from grader.errors import GraderError
from grader.exercises import Chapter, Exercise


@dataclass(frozen=True)
class StudentRow:
    """One student's scores in the gradebook, and the codes that the checks gave, by exercise.

    ``note`` says why there are no codes, where the executed notebook is missing.
    """

    student: str
    score: float
    max_score: float
    scores: dict[str, float]
    diagnosis: dict[str, tuple[str, ...]]
    note: str = ""


def _cells(notebook: NotebookNode) -> dict[str, NotebookNode]:
    return {cell.metadata.get("nbgrader", {}).get("grade_id"): cell for cell in notebook.cells}


def _errors(cell: NotebookNode | None) -> list[str]:
    outputs = cell.get("outputs", []) if cell else []
    return [output.ename for output in outputs if output.output_type == "error"]


def diagnosis_in(notebook: NotebookNode, exercise: Exercise) -> tuple[str, ...]:
    """Return the codes that an exercise's check left in an executed notebook.

    Where the check could not run, because the subject's name was never defined, the reason is read off the
    errors of the two cells.
    """
    cells = _cells(notebook)
    check = cells.get(check_id(exercise))
    for output in check.get("outputs", []) if check else []:
        verdict = output.get("data", {}).get(RESULT_MIMETYPE)
        if verdict:
            return tuple(verdict["diagnosis"])
    if "NameError" not in _errors(check):
        return ()
    written = _errors(cells.get(exercise.id))
    if "SyntaxError" in written or "IndentationError" in written:
        return ("syntax-error",)
    return ("raises",) if written else ("not-defined",)


def gradebook_url(course: CoursePaths, config: Config) -> str:
    """Return where nbgrader keeps a course's grades.

    Raises:
        GraderError: it is nbgrader's default, a file in the course's folder, and there is none.
    """
    if "db_url" in config.CourseDirectory:
        return config.CourseDirectory.db_url
    file = course.root / "gradebook.db"
    if not file.is_file():
        raise GraderError(f"{file} is missing: nothing is graded in this course yet.")
    return f"sqlite:///{file}"


def read_class(chapter: Chapter, course: CoursePaths) -> list[StudentRow]:
    """Return a row for every graded submission of a chapter, from the gradebook and the autograded notebooks.

    Raises:
        GraderError: the gradebook has no such assignment, or nothing of it is graded.
    """
    config = load_config(course.config)
    url = gradebook_url(course, config)
    rows = []
    with Gradebook(url, config.CourseDirectory.course_id) as gradebook:
        try:
            submissions = gradebook.assignment_submissions(chapter.stem)
        except MissingEntry as error:
            raise GraderError(
                f"The gradebook {url} has no assignment {chapter.stem}. "
                f"Run `nbgrader generate_assignment {chapter.stem}` and `nbgrader autograde {chapter.stem}`."
            ) from error
        for entry in sorted(submissions, key=lambda one: one.student_id):
            grades = {grade.name: grade.score for notebook in entry.notebooks for grade in notebook.grades}
            path = course.root / "autograded" / entry.student_id / chapter.stem / f"{chapter.stem}.ipynb"
            rows.append(_row(chapter, entry, grades, path))
    if not rows:
        raise GraderError(
            f"No submission of {chapter.stem} is graded yet. Run `nbgrader autograde {chapter.stem}`."
        )
    return rows


def _row(chapter: Chapter, entry, grades: dict[str, float], path: Path) -> StudentRow:
    there = path.is_file()
    notebook = nbformat.read(path, as_version=4) if there else new_notebook()
    return StudentRow(
        student=entry.student_id,
        score=entry.score,
        max_score=entry.max_score,
        scores={exercise.id: grades.get(check_id(exercise), 0.0) for exercise in chapter.exercises},
        diagnosis={exercise.id: diagnosis_in(notebook, exercise) for exercise in chapter.exercises},
        note="" if there else "its autograded notebook is missing",
    )


def class_table(chapter: Chapter, rows: list[StudentRow]) -> Table:
    """Return the table of students, points for each exercise, and named mistakes."""
    numbered = list(enumerate(chapter.exercises, start=1))
    legend = ", ".join(f"{number} {exercise.subject} ({exercise.points})" for number, exercise in numbered)
    table = Table(title=f"{chapter.stem}: {chapter.title}", caption=f"Exercises (points): {legend}")
    table.add_column("student", no_wrap=True)
    table.add_column("score", justify="right", no_wrap=True)
    for number, _ in numbered:
        table.add_column(str(number), justify="right", no_wrap=True)
    table.add_column("mistakes by name")
    for row in rows:
        points = (f"{row.scores[exercise.id]:g}" for _, exercise in numbered)
        mistakes = (
            f"{number}: {', '.join(row.diagnosis[exercise.id])}"
            for number, exercise in numbered
            if row.diagnosis[exercise.id]
        )
        table.add_row(
            row.student, f"{row.score:g} of {row.max_score:g}", *points, row.note or "\n".join(mistakes)
        )
    return table


def mistake_counts(rows: list[StudentRow]) -> list[tuple[str, int]]:
    """Return how many students made each mistake, the most frequent first."""
    counts: dict[str, int] = {}
    for row in rows:
        for code in {code for codes in row.diagnosis.values() for code in codes}:
            counts[code] = counts.get(code, 0) + 1
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
