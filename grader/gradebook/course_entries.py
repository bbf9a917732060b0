"""Write what the gradebook knows of a course beside scores: due dates and students."""

from collections.abc import Mapping
from contextlib import closing
from datetime import datetime

from nbgrader.api import Gradebook, Student
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.orm import Session

from grader.gradebook.transactions import WritableGradebook


def write_due_date(directory: CourseDirectory, assignment: str, due: datetime | None) -> None:
    """Set an assignment's due date (UTC); None for no date. The assignment is made if it is missing.

    Raises:
        GradebookError: the gradebook cannot be written; it is as it was before.
    """

    def change(gradebook: Gradebook, _: Session) -> None:
        gradebook.update_or_create_assignment(assignment).duedate = due

    with closing(WritableGradebook(directory.db_url, directory.course_id)) as gradebook:
        gradebook.change(change)


def write_students(
    directory: CourseDirectory, students: Mapping[str, Mapping[str, str | None]]
) -> tuple[list[str], list[str]]:
    """Write what a roster says of students; return who is new, and of whom something has changed.

    Args:
        directory: names the gradebook.
        students: by id, the columns of nbgrader's table of students with what they hold.

    Raises:
        GradebookError: the gradebook cannot be written; it is as it was before.
    """

    def change(_: Gradebook, session: Session) -> tuple[list[str], list[str]]:
        known = {one.id: one for one in session.query(Student)}
        changed = [name for name, said in students.items() if name in known and _set(known[name], said)]
        new = [name for name in students if name not in known]
        session.add_all(Student(id=name, **students[name]) for name in new)
        return new, changed

    with closing(WritableGradebook(directory.db_url, directory.course_id)) as gradebook:
        return gradebook.change(change)


def _set(student: Student, said: Mapping[str, str | None]) -> bool:
    """Set attributes of a student; return whether one was different."""
    different = {name: value for name, value in said.items() if (getattr(student, name) or None) != value}
    for name, value in different.items():
        setattr(student, name, value)
    return bool(different)
