"""A folder that a student handed in: listed and read without trusting a name, a link or a size."""

import errno
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from typing import TypeVar

from grader.errors import SubmissionError
from grader.grading.refusal import NO_FILE, UNREADABLE, refused
from grader.messages import Message, message, one_or_many, series
from grader.messages.numbers import number

# Entries of a folder that are looked at, and names that a sentence lists.
ENTRIES, NAMED = 1000, 10
# Folders below each other that are looked into, and signs of a name that a note shows.
DEPTH, NAME_SHOWN = 20, 60
FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
# Files that operating systems, Jupyter and Python leave in folders.
LEFT_BEHIND = ("__pycache__", "__MACOSX", "Thumbs.db", "desktop.ini")
Read = TypeVar("Read")
SENTENCE = message("{what}.")


def printable(text: str) -> str:
    """Return a text as one line without control characters."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def quoted(name: str) -> str:
    """Return a name as one line, in quotation marks where a blank at an end would not be seen."""
    return printable(name) if name == name.strip() else repr(name)


def listed(names: Sequence[str | Message]) -> Message:
    """Return names as a part of a sentence, of many the first ones; messages are shown as they are."""
    shown = [
        one if isinstance(one, Message) else Message("{name}", {"name": printable(one)}) for one in names
    ]
    first = series(shown[:NAMED])
    more = len(names) - NAMED
    return message("{names} and {number} more", names=first, number=more) if more > 0 else first


@dataclass(frozen=True)
class Listing:
    """The entries of a folder in alphabetical order, without files that programs left there."""

    notebooks: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    left_behind: tuple[str, ...] = ()

    def described(self) -> Message:
        """Return it as a sentence."""
        names = (*self.notebooks, *self.files, *(f"{name}/" for name in self.others))
        if names:
            return message("It holds {files}.", files=listed(names))
        if self.left_behind:
            return message("It holds only {files}.", files=listed(self.left_behind))
        return message("It is empty.")


def listing_of(folder: int, own: frozenset[str] = frozenset()) -> Listing:
    """Return what is in a folder, without its own files, such as a timestamp."""
    found: dict[str, list[str]] = {"notebooks": [], "files": [], "others": [], "left_behind": []}
    with os.scandir(folder) as entries:
        for number, entry in enumerate(entries):
            if number == ENTRIES:
                break
            if entry.name in own:
                continue
            plain = entry.is_file(follow_symlinks=False)
            if entry.name.startswith(".") or entry.name in LEFT_BEHIND:
                found["left_behind"].append(entry.name if plain else f"{entry.name}/")
            elif entry.name.strip().lower().endswith(".ipynb"):
                found["notebooks"].append(entry.name)
            else:
                found["files" if plain else "others"].append(entry.name)
    return Listing(**{kind: tuple(sorted(names)) for kind, names in found.items()})


@contextmanager
def opened(name: str, folder: int | None, extra: int = 0) -> Iterator[int]:
    """Open what has a name in a folder, and no link."""
    descriptor = os.open(name, FLAGS | extra, dir_fd=folder)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _entries_below(folder: int, name: str, depth: int = DEPTH) -> Iterator[bool]:
    """Yield for each entry of a folder, and of those in it, whether it is a file that somebody put there."""
    with opened(name, folder, os.O_DIRECTORY) as below, os.scandir(below) as entries:
        for entry in entries:
            put_there = not (entry.name.startswith(".") or entry.name in LEFT_BEHIND)
            yield put_there and entry.is_file(follow_symlinks=False)
            if put_there and depth and entry.is_dir(follow_symlinks=False):
                yield from _entries_below(below, entry.name, depth - 1)


def described(folder: int, name: str) -> Message:
    """Return what has a name in a folder and is no plain file: a link, or a folder with how much is in it."""
    shown = printable(name)
    shown = f"{shown[:NAME_SHOWN]}..." if len(shown) > NAME_SHOWN else shown
    try:
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
        if stat.S_ISLNK(mode):
            return message("{file} (a symbolic link; links are not followed)", file=shown)
        if not stat.S_ISDIR(mode):
            return message("{file} (no plain file)", file=shown)
        entries = list(islice(_entries_below(folder, name), ENTRIES))
    except OSError as error:
        return _why(error, shown)
    files = sum(entries)
    if len(entries) == ENTRIES:
        return message("{folder}/ (a folder with {number} files or more)", folder=shown, number=files)
    return one_or_many(
        "{folder}/ (a folder with {count} file)",
        "{folder}/ (a folder with {count} files)",
        files,
        folder=shown,
    )


def _why(error: OSError, name: str) -> Message:
    shown = printable(name)
    if error.errno == errno.ELOOP:
        return message("{file} is a symbolic link; links are not followed", file=shown)
    if error.errno == errno.ENOTDIR:
        return message("{file} is no folder, or a symbolic link to one; links are not followed", file=shown)
    return message("{file} cannot be read: {reason}", file=shown, reason=str(error.strerror))


def _sentence(what: Message) -> Message:
    return replace(SENTENCE, values={"what": what})


def without_stop(told: Message) -> Message:
    """Return a sentence as a part of another one."""
    what = told.values.get("what")
    return (
        what if told.text == SENTENCE.text and isinstance(what, Message) else Message(str(told).rstrip("."))
    )


def _refused(error: OSError, name: str) -> SubmissionError:
    a_link = error.errno in (errno.ELOOP, errno.ENOTDIR)
    return refused(_sentence(_why(error, name)), NO_FILE if a_link else UNREADABLE)


def read_file(folder: int, name: str, most: int) -> bytes:
    """Return the bytes of a plain file.

    Raises:
        FileNotFoundError: there is none of this name.
        SubmissionError: it is something else, too large, or cannot be read.
    """
    try:
        with opened(name, folder) as descriptor:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise refused(message("{file} is not a file.", file=printable(name)), NO_FILE)
            with open(descriptor, "rb", closefd=False) as file:
                content = file.read(most + 1)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise _refused(error, name) from error
    if len(content) > most:
        raise SubmissionError(
            _sentence(
                message(
                    "{file} is larger than {most} bytes, the limit", file=printable(name), most=number(most)
                )
            )
        )
    return content


def descend(folder: int, names: Sequence[str], read: Callable[[int], Read]) -> Read:
    """Open a subfolder without following links, and return what ``read`` returns for it.

    Raises:
        SubmissionError: there is no such folder.
    """
    if not names:
        return read(folder)
    try:
        below = os.open(names[0], FLAGS | os.O_DIRECTORY, dir_fd=folder)
    except OSError as error:
        raise _refused(error, names[0]) from error
    try:
        return descend(below, names[1:], read)
    finally:
        os.close(below)
