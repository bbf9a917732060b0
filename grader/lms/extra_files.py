"""Files uploaded with a notebook: small texts and Python modules are put beside it for its code to read."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from grader.errors import GraderError, SubmissionError
from grader.grading.extra_files import problem_of_name, read_beside
from grader.grading.folder import printable
from grader.grading.submissions import OWN
from grader.lms.systems import System
from grader.lms.uploads import Upload

# The suffix that Canvas adds to the name of a resubmitted file.
AGAIN = re.compile(r"-\d+(?=(?:\.[^.]*)?$)")
OURS = {name.casefold() for name in OWN}


@dataclass(frozen=True)
class CameWith:
    """The files uploaded with a notebook.

    Attributes:
        files: the upload to put beside the notebook, by file name.
        left_out: other files that are no notebooks, each with the reason.
    """

    files: tuple[tuple[str, Upload], ...] = ()
    left_out: tuple[str, ...] = ()


def came_with(others: Sequence[Upload], system: System) -> CameWith:
    """Decide which files to put beside a notebook; of two with the same name the later one is taken.

    A file that Canvas has renamed is put there under its original name as well, which code uses.
    """
    named: dict[str, Upload] = {}
    left_out = []
    for one in sorted(others, key=lambda other: other.rank):
        if one.is_notebook:
            continue
        if one.kind:
            left_out.append(f"{printable(one.file)} ({one.kind})")
            continue
        if one.file.casefold() in OURS:
            left_out.append(f"{printable(one.file)} (its name is one of the grader's own)")
            continue
        named.update(dict.fromkeys(_names_of(one, system), one))
    read = read_beside(sorted(named), partial(_content, named))
    files = tuple((name, named[name]) for name in read.files)
    return CameWith(files, (*left_out, *map(str, read.left_out)))


def may_lie_beside(name: object) -> bool:
    """Return whether a file of this name can have been put beside a notebook."""
    return (
        type(name) is str
        and name.casefold() not in OURS
        and not name.casefold().endswith(".ipynb")
        and not problem_of_name(name)
    )


def _names_of(upload: Upload, system: System) -> Iterator[str]:
    yield upload.file
    own = AGAIN.sub("", upload.file) if system == "canvas" else upload.file
    if own != upload.file and own.casefold() not in OURS:
        yield own


def _content(named: dict[str, Upload], name: str, most: int) -> bytes:
    """Return the bytes of an upload.

    Raises:
        SubmissionError: it is larger than asked for, or damaged.
    """
    member = named[name].member
    if member.size > most:
        raise SubmissionError(f"{printable(name)} is {member.size:,} bytes large; the limit is {most:,}.")
    try:
        return member.read()
    except GraderError as error:
        raise SubmissionError(f"{printable(name)}: {error}.") from error
