"""What a class handed in: found and read without trusting a name, a link or a size."""

import errno
import os
import re
import stat
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from dateutil.parser import UnknownTimezoneWarning
from dateutil.tz import gettz
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import parse_utc

from grader.errors import GraderError, SubmissionError
from grader.grading.reading import MAX_BYTES

TIMESTAMP = "timestamp.txt"
# What nbgrader's exchange gives a submission, so that only its student finds the feedback.
SECRET = "submission_secret.txt"
SECRET_FORM = re.compile(r"[0-9A-Za-z_-]{16,512}")
# More than either of the two has.
FEW_BYTES = 1024
# Entries of a folder that are looked at to find a renamed notebook.
ENTRIES = 1000
Read = TypeVar("Read")
FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True)
class HandedIn:
    """What one student handed in.

    Attributes:
        content: the bytes of the notebook.
        timestamp: when it was handed in (UTC), if the folder says so.
        notes: what was unusual, one sentence each.
    """

    content: bytes
    timestamp: datetime | None
    notes: tuple[str, ...]


def printable(text: str) -> str:
    """Return a text as one line that no terminal takes for anything else."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


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
    """Return the students who handed in an assignment, whatever it is, in the order of their names.

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


@contextmanager
def _opened(name: str, folder: int | None, extra: int = 0) -> Iterator[int]:
    descriptor = os.open(name, FLAGS | extra, dir_fd=folder)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _why(error: OSError, name: str) -> str:
    shown = printable(name)
    if error.errno == errno.ELOOP:
        return f"{shown} is a symbolic link; links are not followed."
    if error.errno == errno.ENOTDIR:
        return f"{shown} is no folder, or a symbolic link to one; links are not followed."
    return f"{shown} cannot be read: {error.strerror}."


def _read_file(folder: int, name: str, most: int) -> bytes:
    """Return the bytes of a plain file.

    Raises:
        FileNotFoundError: there is none of this name.
        SubmissionError: it is something else, too large, or cannot be read.
    """
    try:
        with _opened(name, folder) as descriptor:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise SubmissionError(f"{printable(name)} is not a file.")
            with open(descriptor, "rb", closefd=False) as file:
                content = file.read(most + 1)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise SubmissionError(_why(error, name)) from error
    if len(content) > most:
        raise SubmissionError(f"{printable(name)} is larger than {most:,} bytes, the limit.")
    return content


def _notebooks(folder: int) -> list[str]:
    found = []
    with os.scandir(folder) as entries:
        for number, entry in enumerate(entries):
            if number == ENTRIES:
                break
            if entry.name.lower().endswith(".ipynb"):
                found.append(entry.name)
    return found


def _read_notebook(folder: int, name: str) -> tuple[bytes, tuple[str, ...]]:
    try:
        return _read_file(folder, name, MAX_BYTES), ()
    except FileNotFoundError:
        found = _notebooks(folder)
    if not found:
        raise SubmissionError(f"There is no {name} in the folder.")
    if len(found) > 1:
        raise SubmissionError(f"There is no {name} in the folder, and more than one other notebook.")
    note = f"The notebook was named {printable(found[0])}; it should be {name}."
    return _read_file(folder, found[0], MAX_BYTES), (note,)


def _time(written: str) -> datetime:
    """Return a time as nbgrader reads it; it would take one of a zone that nobody knows for one of UTC."""
    parts = written.split(" ")
    if len(parts) == 3 and not parts[2].lstrip("+-").isdigit() and gettz(parts[2]) is None:
        raise ValueError(parts[2])
    with warnings.catch_warnings(action="error", category=UnknownTimezoneWarning):
        return parse_utc(written)


def _read_timestamp(folder: int) -> tuple[datetime | None, tuple[str, ...]]:
    try:
        written = _read_file(folder, TIMESTAMP, FEW_BYTES).decode("utf-8-sig").strip()
        return (_time(written) if written else None), ()
    except FileNotFoundError:
        return None, ()
    except SubmissionError as error:
        return None, (f"{error} The time of submission is not known.",)
    except (ValueError, OverflowError, TypeError, UnknownTimezoneWarning):
        return None, (f"{TIMESTAMP} names no time. The time of submission is not known.",)


def _read_secret(folder: int) -> str:
    try:
        written = _read_file(folder, SECRET, FEW_BYTES).decode("ascii").strip()
    except (FileNotFoundError, SubmissionError, UnicodeDecodeError):
        return ""
    return written if SECRET_FORM.fullmatch(written) else ""


def read_folder(directory: CourseDirectory, student: str, assignment: str) -> HandedIn:
    """Return what a student handed in. No symbolic link is followed below the folder of all students.

    Raises:
        SubmissionError: the notebook cannot be read.
    """

    def read(folder: int) -> HandedIn:
        content, notes = _read_notebook(folder, f"{assignment}.ipynb")
        timestamp, more = _read_timestamp(folder)
        return HandedIn(content, timestamp, notes + more)

    return _in_folder(directory, student, assignment, read)


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
    with _opened(str(root), None, os.O_DIRECTORY) as folder:
        return _descend(folder, [student, *rest.parts], read)


def _descend(folder: int, names: list[str], read: Callable[[int], Read]) -> Read:
    if not names:
        return read(folder)
    try:
        below = os.open(names[0], FLAGS | os.O_DIRECTORY, dir_fd=folder)
    except OSError as error:
        raise SubmissionError(_why(error, names[0])) from error
    try:
        return _descend(below, names[1:], read)
    finally:
        os.close(below)
