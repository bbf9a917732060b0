"""An accepted answer (precedent): the decision also applies to every answer with the same outcome."""

from dataclasses import dataclass
from pathlib import Path

from nbformat.v4 import new_code_cell, new_notebook, writes

from grader.course.paths import CoursePaths
from grader.errors import GraderError
from grader.exercises import Exercise, find_chapter
from grader.grading.course_directory import course_directory, read_config
from grader.grading.grade_submission import grade
from grader.grading.master import Master, load_master
from grader.grading.record import ExerciseRecord
from grader.grading.result_files import Places
from grader.grading.submissions import printable
from grader.sandbox.sandbox import Sandbox


@dataclass(frozen=True)
class Precedent:
    """An accepted answer's owner and outcome."""

    answer: str
    outcome: str


def precedent_of_student(exercise: Exercise, student: str, paths: CoursePaths) -> Precedent:
    """Return the precedent of a student's graded answer.

    Raises:
        GraderError: it is not graded, is right already, or gave no result that could be compared.
    """
    directory = course_directory(paths, read_config(paths))
    record = Places(directory, exercise.chapter).earlier(student)
    if record is None or exercise.id not in record.exercises:
        raise GraderError(
            f"There is no verdict on {exercise.id} of a student {printable(student)}. Grade first: "
            f"`grader grade {exercise.chapter}`."
        )
    return _precedent(exercise, printable(student), record.exercises[exercise.id])


def precedent_of_file(exercise: Exercise, file: Path, paths: CoursePaths, isolation: str) -> Precedent:
    """Return the precedent of an answer in a Python file or a notebook, which is graded like a submission.

    Raises:
        GraderError: it cannot be graded, is right, or gives no result that could be compared.
    """
    master = load_master(find_chapter(exercise.chapter), paths)
    content = file.read_bytes()
    if file.suffix != ".ipynb":
        content = _as_submission(exercise, content, file, master)
    with Sandbox(isolation) as sandbox:
        record = grade(content, master, sandbox)
    shown = printable(str(file))
    if record.status == "error":
        raise GraderError(f"{shown} cannot be graded: {record.reason}")
    return _precedent(exercise, shown, record.exercises[exercise.id])


def _as_submission(exercise: Exercise, content: bytes, file: Path, master: Master) -> bytes:
    """Return a notebook with the course's first cells and an answer."""
    try:
        source = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise GraderError(f"{printable(str(file))} cannot be read as UTF-8 text: {error}") from error
    target = master.written[exercise.id]
    cells = [new_code_cell(one) for one in master.first_code]
    cells.append(new_code_cell(source, id=target.cell_id, metadata=dict(target.metadata)))
    return writes(new_notebook(cells=cells)).encode()


def _precedent(exercise: Exercise, answer: str, verdict: ExerciseRecord) -> Precedent:
    if verdict.status == "passed":
        raise GraderError(f"The answer of {answer} to {exercise.id} is right: there is nothing to accept.")
    if not verdict.outcome:
        codes = ", ".join(verdict.diagnosis) or verdict.status
        raise GraderError(
            f"The answer of {answer} to {exercise.id} gave no result that others could be compared with "
            f"({codes}). Give points by hand in formgrader."
        )
    return Precedent(answer, verdict.outcome)
