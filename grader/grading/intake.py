"""Choose the notebook to grade from a student's folder: never a blank one if another has answers."""

from collections.abc import Callable

from nbgrader.coursedir import CourseDirectory

from grader.errors import SubmissionError
from grader.grading.folder import printable
from grader.grading.master import Master
from grader.grading.sanitize import normal_source, sanitize
from grader.grading.submissions import Submission, read_folder, read_other
from grader.messages import message


def read_handed_in(directory: CourseDirectory, student: str, master: Master) -> Submission:
    """Return a student's submission, if it is clear which notebook is meant.

    Raises:
        SubmissionError: there is no notebook, it cannot be read, or it is blank and another one is not.
    """
    stem = master.chapter.stem
    handed_in = read_folder(directory, student, stem)
    require_answers(handed_in, master, lambda name: read_other(directory, student, stem, name))
    return handed_in


def require_answers(handed_in: Submission, master: Master, read: Callable[[str], bytes]) -> None:
    """Refuse a blank notebook if another one in the folder is not blank.

    Args:
        handed_in: the submission.
        master: the chapter's master notebook.
        read: returns the bytes of another notebook by its name, or raises ``SubmissionError``.

    Raises:
        SubmissionError: it is blank, and another one has answers.
    """
    if not handed_in.others or has_answers(handed_in.content, master) is not False:
        return
    stem = master.chapter.stem
    for name in handed_in.others:
        if _other_has_answers(read, name, master):
            raise SubmissionError(
                message(
                    "{notebook} is blank: it holds only what was given out. {other} beside it has answers. "
                    "Only one notebook is graded. Keep the right one alone, or under the name {notebook}.",
                    notebook=f"{stem}.ipynb",
                    other=printable(name),
                )
            )


def _other_has_answers(read: Callable[[str], bytes], name: str, master: Master) -> bool:
    try:
        content = read(name)
    except SubmissionError:
        return False
    return bool(has_answers(content, master))


def has_answers(content: bytes, master: Master) -> bool | None:
    """Return whether somebody has written in one of a notebook's answers; None where it cannot be read."""
    try:
        found = sanitize(content, master)
    except SubmissionError:
        return None
    own = master.in_language(found.language)
    stubs = {name: normal_source(cell.source) for name, cell in own.written.items()}
    return any(
        normal_source(found.cells[place].source) != stubs.get(name) for name, place in found.answers.items()
    )
