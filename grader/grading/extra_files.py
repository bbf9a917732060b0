"""Select the files submitted beside the notebook that its code may read.

Allowed are small text files and Python modules, under their own names. Left out are files with the name of a
library, because nothing that grading imports may come from a student; files that are not text; folders and
links.
"""

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.machinery import PathFinder

from grader.errors import SubmissionError
from grader.files import MIB
from grader.grading.folder import listed, printable, without_stop
from grader.messages import Message, message, told_by

# Files, bytes of one, and bytes of all.
MAX_FILES, MAX_FILE, MAX_FILES_BYTES = 20, MIB, 4 * MIB
NAME = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_ .()+-]{0,98}[A-Za-z0-9_)+-])?")


@dataclass(frozen=True)
class Beside:
    """The files submitted beside a notebook.

    Attributes:
        files: the texts that its code may read, by name.
        left_out: what else was there, each with the reason.
    """

    files: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[Message, ...] = ()

    def told(self) -> Iterator[Message]:
        """Yield what is told of them, one sentence each."""
        if self.files:
            yield message(
                "Handed in beside the notebook, for its code to read: {files}.",
                files=listed(list(self.files)),
            )
        if self.left_out:
            yield message(
                "Handed in beside the notebook, and not there when it ran: {files}. Code that needs such a "
                "file belongs into the notebook.",
                files=listed(self.left_out),
            )


def read_beside(
    names: Sequence[str], read: Callable[[str, int], bytes], others: Sequence[Message] = ()
) -> Beside:
    """Return what lies beside a notebook.

    Args:
        names: the files that are there.
        read: returns the bytes of one, if they are not more than asked for; else raises SubmissionError.
        others: descriptions of everything else in the folder.
    """
    files: dict[str, str] = {}
    left_out: list[Message] = []
    room = MAX_FILES_BYTES
    for name in names:
        if problem := problem_of_name(name):
            left_out.append(message("{file} ({problem})", file=printable(name), problem=problem))
        elif len(files) == MAX_FILES:
            left_out.append(message("{file} (more than {most} files)", file=printable(name), most=MAX_FILES))
        else:
            text = _text(name, read, min(MAX_FILE, room))
            if isinstance(text, str):
                files[name], room = text, room - len(text.encode())
            else:
                left_out.append(text)
    return Beside(files, (*left_out, *others))


def _text(name: str, read: Callable[[str, int], bytes], most: int) -> str | Message:
    """Return a file's text, or why it cannot be used."""
    shown = printable(name)
    try:
        content = read(name, most)
    except FileNotFoundError:
        return message("{file} is gone", file=shown)
    except SubmissionError as error:
        return without_stop(told_by(error))
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return message("{file} is no text in UTF-8", file=shown)
    return message("{file} is no text", file=shown) if "\0" in text else text


def problem_of_name(name: str) -> Message | None:
    """Return why a file of this name is not allowed beside a student's code; None if it is."""
    if not NAME.fullmatch(name):
        return message("its name has other signs than letters, digits and . _ - + ( )")
    module, _, ending = name.partition(".")
    if ending.lower().startswith("py") and is_library(module):
        return message("it has the name of a library or of a part of Python")
    return None


def is_library(module: str) -> bool:
    """Return whether a module is a part of Python or installed."""
    return module in sys.stdlib_module_names or PathFinder.find_spec(module) is not None
