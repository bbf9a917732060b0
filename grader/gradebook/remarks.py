"""Write a person's comment and points into nbgrader's gradebook, as formgrader does."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from nbgrader.api import Grade, Gradebook, MissingEntry
from sqlalchemy.exc import SQLAlchemyError

from grader.errors import GradebookError
from grader.gradebook.connection import is_there, parsed, reason_of


@dataclass(frozen=True)
class Remarked:
    """What became of a remark and its points.

    Attributes:
        given: the students who got the remark.
        had_it: those who had it already.
        kept: those whose points by hand were kept.
        scored: those who got points, with what they had before; None where that was nothing.
    """

    given: tuple[str, ...]
    had_it: tuple[str, ...]
    kept: tuple[str, ...]
    scored: Mapping[str, float | None]


def remark_on(
    url: str,
    assignment: str,
    answer: str,
    points_of: str,
    students: Iterable[str],
    text: str,
    points: float | None = None,
    keep_points: bool = False,
) -> Remarked:
    """Append a text to the comment on an answer, once for each student; all of them or none.

    Args:
        url: SQLAlchemy's address of the gradebook.
        assignment: its name, which is that of its notebook too.
        answer: ``grade_id`` of the cell that the comment is about.
        points_of: ``grade_id`` of the cell that holds the points.
        students: who gets it.
        text: Markdown; what a person has written before stays above it.
        points: points to give by hand; None to leave them.
        keep_points: whether points that a person gave before stay.

    Raises:
        GradebookError: there is no gradebook, it cannot be written, it does not know a student's answer, or
            the answer cannot earn so many points.
    """
    if not is_there(url):
        raise GradebookError(f"{parsed(url)} is missing: nothing is graded in this course yet.")
    given, had_it, kept, scored = [], [], [], {}
    try:
        with Gradebook(url) as gradebook:
            for student in students:
                _expect_graded(gradebook, assignment, student)
                place = (assignment, assignment, student)
                comment = gradebook.find_comment(answer, *place)
                before = (comment.manual_comment or "").replace("\r\n", "\n").strip()
                if f"\n\n{text}\n\n" in f"\n\n{before}\n\n":
                    had_it.append(student)
                else:
                    given.append(student)
                    comment.manual_comment = "\n\n".join(filter(None, (before, text)))
                if points is not None:
                    grade = gradebook.find_grade(points_of, *place)
                    earlier = grade.auto_score if grade.manual_score is None else grade.manual_score
                    if _give(grade, points, keep_points):
                        scored[student] = earlier
                    else:
                        kept.append(student)
            gradebook.db.commit()
    except MissingEntry as error:
        raise GradebookError(f"Nothing was written. The gradebook {parsed(url)}: {error}.") from error
    except SQLAlchemyError as error:
        raise GradebookError(
            f"Nothing was written. The gradebook {parsed(url)}: {reason_of(error)}"
        ) from error
    return Remarked(tuple(given), tuple(had_it), tuple(kept), scored)


def _expect_graded(gradebook: Gradebook, assignment: str, student: str) -> None:
    try:
        gradebook.find_student(student)
    except MissingEntry as error:
        raise GradebookError(
            f"Nothing was written: there is no student {student} in the gradebook. Expected an id of "
            "`nbgrader db student list`."
        ) from error
    try:
        gradebook.find_submission(assignment, student)
    except MissingEntry as error:
        raise GradebookError(
            f"Nothing was written: {student} handed nothing in for {assignment}. If there is a file in "
            f"submitted/, run `grader grade {assignment}` first."
        ) from error


def _give(grade: Grade, points: float, keep: bool) -> bool:
    """Give points by hand, and return whether they were given."""
    if points > grade.max_score:
        why = "" if grade.max_score else " A decision leaves it out: `grader decide --list` shows them."
        raise GradebookError(
            f"Nothing was written: {points:g} points are more than the answer may earn, {grade.max_score:g}."
            f"{why}"
        )
    if keep and grade.manual_score is not None:
        return False
    grade.manual_score, grade.needs_manual_grade = points, False
    return True
