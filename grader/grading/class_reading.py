"""Read a graded class: points from the gradebook, diagnoses from the verdict files."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import nbformat
from nbgrader.coursedir import CourseDirectory

from grader.course.notebooks import check_id
from grader.course.paths import CoursePaths
from grader.errors import GradebookError, GraderError, SubmissionError
from grader.exercises import CHAPTERS, Chapter
from grader.files import MIB
from grader.gradebook.connection import parsed
from grader.gradebook.order import class_order
from grader.gradebook.stored import (
    StoredGrades,
    StoredScore,
    StoredSubmission,
    assignments_with_submissions,
    read_stored_grades,
)
from grader.grading.course_directory import course_directory, read_config
from grader.grading.decisions import read_decisions
from grader.grading.folder import quoted
from grader.grading.notebook_reader import MAX_BYTES, read_submission
from grader.grading.record import Record
from grader.grading.result_files import Places, pending
from grader.grading.submissions import printable, students_in
from grader.reporting.graded import NOTHING, GradedAnswer, GradedAssignment, GradedStudent

# As `grader grade` writes them a verdict file has some kilobytes.
MAX_VERDICT = MIB


@dataclass(frozen=True)
class GradedCourse:
    """A course folder in which a class was graded."""

    paths: CoursePaths

    @cached_property
    def directory(self) -> CourseDirectory:
        """The course's folders as nbgrader sees them."""
        return course_directory(self.paths, read_config(self.paths))

    def chapters(self) -> tuple[Chapter, ...]:
        """Return the chapters of which something is graded.

        Raises:
            GraderError: there is no gradebook, or it cannot be read.
        """
        found = assignments_with_submissions(self.directory.db_url)
        return tuple(chapter for stem, chapter in CHAPTERS.items() if stem in found)

    def read(self, chapter: Chapter) -> GradedAssignment:
        """Return a class's results in one assignment.

        A verdict file that cannot be read is its student's ``problem``.

        Raises:
            GraderError: there is no gradebook, it cannot be read, or it does not know the assignment; or
                nobody handed in anything.
        """
        grades = read_stored_grades(self.directory.db_url, chapter.stem)
        if not grades.known:
            raise GradebookError(
                f"The gradebook {parsed(self.directory.db_url)} has no assignment {chapter.stem}. "
                f"Grade it first: `grader grade {chapter.stem}`."
            )
        places = Places(self.directory, chapter.stem)
        reader = _Reader(chapter, grades, places, self.paths.root.resolve())
        handed_in = set(students_in(self.directory, self.directory.submitted_directory, chapter.stem))
        graded = students_in(self.directory, self.directory.autograded_directory, chapter.stem)
        there = handed_in.union(grades.students, filter(reader.has_verdict, graded))
        students = sorted(there, key=class_order(self.directory.db_url))
        if not students:
            raise GraderError(
                f"No submission of {chapter.stem} is graded yet. Run `grader grade {chapter.stem}`."
            )
        return GradedAssignment(
            chapter=chapter,
            max_points=reader.max_points,
            students=tuple(reader.student(one, one in handed_in) for one in students),
            other_points=sum(reader.points[name] for name in reader.others),
            pending=len(pending(read_decisions(self.paths.decisions), places, graded)),
        )

    def answers(self, chapter: Chapter, student: GradedStudent) -> dict[str, str]:
        """Return the sources of the answers in a graded notebook; nothing where it cannot be read."""
        path = Places(self.directory, chapter.stem).notebook(student.key)
        try:
            with path.open("rb") as file:
                cells = read_submission(file.read(MAX_BYTES + 1)).cells
        except (OSError, ValueError, SubmissionError):
            return {}  # no example then; the student's row reports the problem with the files
        return {cell.grade_id: cell.source for cell in cells if cell.grade_id in chapter.by_id}

    def own_code(self, chapter: Chapter) -> Iterator[str]:
        """Yield the code of a chapter's solution and of its answer banks, as far as this course has them."""
        solution = self.paths.solution(chapter)
        if solution.is_file():
            cells = nbformat.read(solution, as_version=4).cells
            yield from (cell.source for cell in cells if cell.cell_type == "code")
        for path in sorted((self.paths.solutions / chapter.stem / "answers").glob("*.py")):
            yield path.read_text(encoding="utf-8")


@dataclass(frozen=True)
class _Reader:
    chapter: Chapter
    grades: StoredGrades
    places: Places
    root: Path

    @property
    def points(self) -> dict[str, float]:
        """The maximum points of each graded cell."""
        return {**self.grades.points, **self.grades.tasks}

    @cached_property
    def max_points(self) -> dict[str, float]:
        """The maximum points of each exercise of the assignment."""
        points = {name: self.grades.points.get(check_id(one)) for name, one in self.chapter.parts.items()}
        return {name: most for name, most in points.items() if most is not None}

    @cached_property
    def others(self) -> tuple[str, ...]:
        """The graded cells that are no check of an exercise."""
        checks = {check_id(self.chapter.parts[name]) for name in self.max_points}
        return tuple(name for name in self.points if name not in checks)

    def has_verdict(self, student: str) -> bool:
        """Return whether there is a verdict file."""
        return self.places.verdict(student).is_file()

    def _again(self, student: str) -> str:
        return f"Grade it again: `grader grade {self.chapter.stem} --student {printable(student)}`."

    def _verdict(self, student: str) -> tuple[Record | None, str]:
        """Return the record in a verdict file, or why it cannot be used."""
        path = self.places.verdict(student)
        shown = self._shown(path)
        try:
            with path.open("rb") as file:
                content = file.read(MAX_VERDICT + 1)
            if len(content) > MAX_VERDICT:
                raise GraderError(f"it is larger than {MAX_VERDICT:,} bytes, the limit")
            record = Record.from_json(json.loads(content))
        except FileNotFoundError:
            return None, ""
        except OSError as error:
            return None, f"{shown} cannot be read: {error.strerror}. {self._again(student)}"
        except RecursionError:
            return None, f"{shown} is damaged: it nests JSON too deep. {self._again(student)}"
        except (ValueError, GraderError) as error:
            return None, f"{shown} is damaged: {printable(str(error)).rstrip('.')}. {self._again(student)}"
        if not set(self.max_points) <= set(record.exercises):
            return None, f"{shown} is of another version of the chapter. {self._again(student)}"
        return record, ""

    def _shown(self, path: Path) -> str:
        """Return a path as it is seen from the course's folder, as one line."""
        inside = path.is_relative_to(self.root)
        return printable(str(path.relative_to(self.root) if inside else path))

    def student(self, name: str, handed_in: bool) -> GradedStudent:
        """Return one student's result."""
        record, problem = self._verdict(name)
        stored = self.grades.submissions.get(name)
        notebook = self.places.notebook(name)
        called_by_roster = printable(self.grades.names.get(name, ""))
        if record is None and stored is None:
            reason = "Handed in, but not graded yet." if handed_in else NOTHING
            return GradedStudent(
                name, quoted(name), "missing", reason=reason, problem=problem, name=called_by_roster
            )
        if record is None and not problem:
            problem = f"There is no verdict file: mistakes are not known. {self._again(name)}"
        grades = stored or StoredSubmission()
        answers = {one: self._answer(one, record, stored) for one in self.max_points}
        unread = record is not None and record.status == "error"
        waits = any(one.points is None and one.status != "waiting" for one in answers.values())
        return GradedStudent(
            key=name,
            label=quoted(name),
            status="error" if unread and waits else "graded",
            answers=answers,
            other=grades.points(self.others),
            penalty=grades.penalty,
            reason=printable(record.reason) if unread else "",
            notes=tuple(map(printable, record.notes)) if record else (),
            problem=problem,
            notebook=self._shown(notebook) if notebook.is_file() else "",
            name=called_by_roster,
        )

    def _answer(self, exercise: str, record: Record | None, stored: StoredSubmission | None) -> GradedAnswer:
        check = check_id(self.chapter.parts[exercise])
        grade = stored.scores.get(check, StoredScore()) if stored else StoredScore()
        if record is None:
            return GradedAnswer(
                points=grade.points, recorded=grade.auto, by_hand=grade.by_hand, review=grade.review
            )
        verdict = record.exercises[exercise]
        judged = verdict.points
        return GradedAnswer(
            points=StoredScore(judged, grade.manual, grade.extra).points,
            judged=judged,
            recorded=grade.auto if stored else judged,
            status=verdict.status,
            diagnosis=tuple(map(printable, verdict.diagnosis)),
            by_hand=grade.by_hand,
            attempts=verdict.attempts,
            fault=printable(verdict.fault),
            decision=printable(verdict.decision),
            manual=grade.manual is not None,
            review=grade.review,
        )
