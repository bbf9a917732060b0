"""Choose the notebook to grade from a student's folder: never a blank one if another has answers."""

from nbgrader.coursedir import CourseDirectory

from grader.errors import SubmissionError
from grader.grading.folder import printable
from grader.grading.master import Master
from grader.grading.sanitize import normal_source, sanitize
from grader.grading.submissions import Submission, read_folder, read_other


def read_handed_in(directory: CourseDirectory, student: str, master: Master) -> Submission:
    """Return a student's submission, if it is clear which notebook is meant.

    Raises:
        SubmissionError: there is no notebook, it cannot be read, or it is blank and another one is not.
    """
    stem = master.chapter.stem
    handed_in = read_folder(directory, student, stem)
    if not handed_in.others or has_answers(handed_in.content, master) is not False:
        return handed_in
    for name in handed_in.others:
        if _other_has_answers(directory, student, name, master):
            raise SubmissionError(
                f"{stem}.ipynb is blank: it holds only what was given out. {printable(name)} beside it "
                "has answers. Only one notebook is graded. Keep the right one alone, or under the name "
                f"{stem}.ipynb."
            )
    return handed_in


def _other_has_answers(directory: CourseDirectory, student: str, name: str, master: Master) -> bool:
    try:
        content = read_other(directory, student, master.chapter.stem, name)
    except SubmissionError:
        return False
    return bool(has_answers(content, master))


def has_answers(content: bytes, master: Master) -> bool | None:
    """Return whether somebody has written in one of a notebook's answers; None where it cannot be read."""
    try:
        found = sanitize(content, master)
    except SubmissionError:
        return None
    stubs = {name: normal_source(cell.source) for name, cell in master.written.items()}
    return any(
        normal_source(found.cells[place].source) != stubs.get(name) for name, place in found.answers.items()
    )
