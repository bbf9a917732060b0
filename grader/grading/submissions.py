"""Find and read a class's submissions without trusting a name, a link or a size."""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

from nbgrader.coursedir import CourseDirectory

from grader.errors import GraderError, SubmissionError
from grader.grading.collected import COLLECTED, LATE, MOST, NOT_COLLECTED, Collected
from grader.grading.extra_files import read_beside
from grader.grading.folder import (
    Listing,
    descend,
    described,
    listed,
    listing_of,
    opened,
    printable,
    read_file,
)
from grader.grading.notebook_reader import MAX_FILE
from grader.grading.refusal import refused
from grader.grading.times import read_time
from grader.messages import Message, message, sentences, told_by

TIMESTAMP = "timestamp.txt"
# The file in which nbgrader's exchange stores a submission's secret, so that only its student finds the
# feedback.
SECRET = "submission_secret.txt"
SECRET_FORM = re.compile(r"[0-9A-Za-z_-]{16,512}")
# More than the first two have.
FEW_BYTES = 1024
OWN = frozenset((TIMESTAMP, SECRET, COLLECTED, NOT_COLLECTED))
Read = TypeVar("Read")


@dataclass(frozen=True)
class Submission:
    """One student's submission.

    Attributes:
        content: the bytes of the notebook.
        timestamp: when it was handed in (UTC), if the folder says so.
        told: what was unusual, one sentence each.
        files: texts that were handed in beside it and that its code may read, by name.
        others: the names of further notebooks in the folder.
    """

    content: bytes
    timestamp: datetime | None
    told: tuple[Message, ...]
    files: Mapping[str, str] = field(default_factory=dict)
    others: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What was unusual, in English."""
        return tuple(map(str, self.told))


def called(student: str, names: Mapping[str, str]) -> str:
    """Return a student's name for a page: the roster's name, if any, and the folder's."""
    name = printable(names.get(student, ""))
    return f"{name} ({printable(student)})" if name else printable(student)


def student_place(directory: CourseDirectory, step: str, assignment: str) -> tuple[Path, Path]:
    """Return the folder that holds a folder for each student, and what follows in each of these.

    Raises:
        GraderError: the course's directory structure gives no student a folder.
    """
    mark = "\0"
    parts = Path(directory.format_path(step, mark, assignment)).parts
    if parts.count(mark) != 1:
        raise GraderError(
            f"CourseDirectory.directory_structure is {directory.directory_structure!r}; "
            "{student_id} has to be the name of one folder in it."
        )
    where = parts.index(mark)
    return Path(*parts[:where]), Path(*parts[where + 1 :])


def students_with_folder(directory: CourseDirectory, assignment: str) -> list[str]:
    """Return the students who have a folder for an assignment, whatever is in it, sorted by name.

    Raises:
        GraderError: there is no folder of submissions.
    """
    root, _ = student_place(directory, directory.submitted_directory, assignment)
    if not root.is_dir():
        raise GraderError(f"{root} is missing: there is nothing to grade.")
    return students_in(directory, directory.submitted_directory, assignment)


def students_in(directory: CourseDirectory, step: str, assignment: str) -> list[str]:
    """Return the students for whom there is something in a step's folder, in the order of their names.

    Raises:
        GraderError: the course's directory structure gives no student a folder.
    """
    root, rest = student_place(directory, step, assignment)
    if not root.is_dir():
        return []
    return sorted(
        name
        for name in os.listdir(root)  # noqa: PTH208 - names, not paths
        if _is_there(root / name / rest)
    )


def _is_there(path: Path) -> bool:
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True  # somebody may have handed in something here; reading it tells what is wrong
    return True


def _read_renamed(folder: int, name: str, listing: Listing) -> tuple[bytes, Message]:
    """Return the only notebook of a folder, which has another name, and that it has."""
    others = listing.notebooks
    if not others:
        away = _read_turned_away(folder)
        holds = () if away and listing == Listing() else (listing.described(),)
        raise refused(
            message("There is no {notebook} in the folder.", notebook=name),
            *holds,
            *((away,) if away else ()),
            message(
                "The notebook itself is needed, a file that ends in .ipynb, outside of any archive or "
                "further folder."
            ),
        )
    if len(others) > 1:
        raise SubmissionError(
            message(
                "There is no {notebook} in the folder, and more than one other notebook: {others}. Keep the "
                "right one alone, or under the name {notebook}.",
                notebook=name,
                others=listed(others),
            )
        )
    told = message(
        "The notebook was named {name}; it should be {notebook}.", name=printable(others[0]), notebook=name
    )
    return read_file(folder, others[0], MAX_FILE), told


def _read_turned_away(folder: int) -> Message | None:
    """Return ``grader collect``'s note on files that it did not take, as it is; None without one."""
    try:
        written = printable(read_file(folder, NOT_COLLECTED, MOST).decode().strip())
    except (FileNotFoundError, SubmissionError, UnicodeDecodeError):
        return None
    return Message("{written}", {"written": written}) if written else None


def _read_timestamp(folder: int) -> tuple[datetime | None, tuple[Message, ...]]:
    try:
        written = read_file(folder, TIMESTAMP, FEW_BYTES).decode("utf-8-sig").strip()
        if not written:
            return None, (_untimed(message("{file} is empty.", file=TIMESTAMP)),)
        return read_time(written), ()
    except FileNotFoundError:
        return None, ()
    except SubmissionError as error:
        return None, (_untimed(told_by(error)),)
    except UnicodeDecodeError:
        return None, (_untimed(message("{file} is not UTF-8.", file=TIMESTAMP)),)
    except ValueError as error:
        return None, (_untimed(message("{file} {problem}.", file=TIMESTAMP, problem=told_by(error))),)


def _untimed(why: Message) -> Message:
    return sentences((why, message("The time of submission is not known.")))


def _told_of_collecting(folder: int, timestamp: datetime | None) -> tuple[Message, ...]:
    """Return what is told of a submission that was collected: what came with it, and Canvas's late mark.

    That mark is told where no time is known.
    """
    try:
        known = Collected.from_json(read_file(folder, COLLECTED, MOST))
    except FileNotFoundError:
        return ()
    except GraderError as error:
        return (message("{problem} Collect it again.", problem=told_by(error)),)
    late = LATE if known.late and timestamp is None else None
    away = _read_turned_away(folder)  # as a quotation: a student may have written the file
    said = message("{file} says: {quoted}", file=NOT_COLLECTED, quoted=away) if away else None
    return tuple(one for one in (said, late) if one)


def _read_secret(folder: int) -> str:
    try:
        written = read_file(folder, SECRET, FEW_BYTES).decode("ascii").strip()
    except (FileNotFoundError, SubmissionError, UnicodeDecodeError):
        return ""
    return written if SECRET_FORM.fullmatch(written) else ""


def read_folder(directory: CourseDirectory, student: str, assignment: str) -> Submission:
    """Return a student's submission. Below the folder of all students no symbolic link is followed.

    Raises:
        SubmissionError: the notebook cannot be read.
    """

    def read(folder: int) -> Submission:
        name, listing = f"{assignment}.ipynb", listing_of(folder, OWN)
        others = tuple(one for one in listing.notebooks if one != name)
        try:
            content = read_file(folder, name, MAX_FILE)
            named = message(
                "Of the notebooks in the folder {notebook} was graded, and not {others}.",
                notebook=name,
                others=listed(others),
            )
            told = (named,) if others else ()
        except FileNotFoundError:
            (content, renamed), others = _read_renamed(folder, name, listing), ()
            told = (renamed,)
        timestamp, more = _read_timestamp(folder)
        others_there = [described(folder, one) for one in listing.others]
        beside = read_beside(listing.files, partial(read_file, folder), others_there)
        collected = _told_of_collecting(folder, timestamp)
        told = (*told, *more, *collected, *beside.told())
        return Submission(content, timestamp, told, beside.files, others)

    return _in_folder(directory, student, assignment, read)


def read_other(directory: CourseDirectory, student: str, assignment: str, name: str) -> bytes:
    """Return the bytes of another notebook in a student's folder.

    Raises:
        SubmissionError: it cannot be read.
    """
    try:
        return _in_folder(directory, student, assignment, lambda folder: read_file(folder, name, MAX_FILE))
    except FileNotFoundError as error:
        raise SubmissionError(message("{file} is gone.", file=printable(name))) from error


def read_secret(directory: CourseDirectory, student: str, assignment: str) -> str:
    """Return the secret that nbgrader's exchange gave a submission; empty if there is none."""
    try:
        return _in_folder(directory, student, assignment, _read_secret)
    except SubmissionError:
        return ""


def _in_folder(
    directory: CourseDirectory, student: str, assignment: str, read: Callable[[int], Read]
) -> Read:
    root, rest = student_place(directory, directory.submitted_directory, assignment)
    with opened(str(root), None, os.O_DIRECTORY) as folder:
        return descend(folder, [student, *rest.parts], read)
