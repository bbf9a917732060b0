"""Read the files of a download (archive or folder) without extracting them or trusting names and sizes."""

import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from grader.errors import GraderError
from grader.files import MIB
from grader.grading.folder import printable
from grader.grading.notebook_reader import MAX_FILE
from grader.grading.refusal import AGAIN, CLEARED

MOST_FILES = 1_000_000
MOST_BYTES = 64 * 2**30
# Compression ratio of a zip bomb; of honest files only endlessly repeated output reaches it. Small files may
# exceed it.
MOST_RATIO, SMALL = 200, MIB
ENCRYPTED = 1

# A file whose time differs from its creation by less was copied or unpacked without its original time.
MOMENT = 60.0


@dataclass(frozen=True)
class Member:
    """One file of a download.

    Attributes:
        parts: its path, in parts.
        size: in bytes, as the download says.
        time: when it was changed, as the download says; its zone is not known.
        timed: whether that time is the original one, and not that of unpacking or copying.
        packed: bytes that it takes in the archive; its size in a folder.
        read: gives its bytes, and never more than ``size``.
    """

    parts: tuple[str, ...]
    size: int
    time: datetime
    packed: int
    read: Callable[[], bytes]
    timed: bool = True

    @property
    def path(self) -> str:
        """Its path as one line that can be shown."""
        return printable("/".join(self.parts))

    @property
    def problem(self) -> str:
        """Why it is too large to be read; empty if it is not."""
        if self.size > MAX_FILE:
            return f"it is {self.size:,} bytes large; the limit is {MAX_FILE:,}. {CLEARED}"
        if self.size > SMALL and self.size > MOST_RATIO * max(1, self.packed):
            return (
                f"unpacked it has {self.size:,} bytes, more than {MOST_RATIO} times its packed size. It may "
                f"hold very long printed output, or be made to fill a disk. {CLEARED}, or from the folder "
                "that the download is unpacked to"
            )
        return ""


@contextmanager
def opened_download(path: Path) -> Iterator[list[Member]]:
    """Open a zip archive, or a folder that one was unpacked to.

    Raises:
        GraderError: it is neither, or contains links or paths that lead outside, encrypted files, or too much
            data.
    """
    if path.is_dir():
        yield _expect_few(path, list(_of_folder(path)))
        return
    try:
        with zipfile.ZipFile(path) as archive:
            yield _expect_few(path, [_of_archive(path, archive, one) for one in _files(archive)])
    except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError) as error:
        raise GraderError(
            f"{path} is no zip archive that can be read ({printable(str(error))}). Expected the file as it "
            "was downloaded, or the folder that it was unpacked to."
        ) from error


def _files(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    return [one for one in archive.infolist() if not one.is_dir()]


def _expect_few(path: Path, members: list[Member]) -> list[Member]:
    size = sum(one.size for one in members)
    if len(members) > MOST_FILES or size > MOST_BYTES:
        raise GraderError(
            f"{path} holds {len(members):,} files of {size:,} bytes; the limits are {MOST_FILES:,} files and "
            f"{MOST_BYTES:,} bytes. Collect it in parts."
        )
    return members


def _of_archive(path: Path, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Member:
    def refuse(why: str) -> GraderError:
        return GraderError(f"{path}: {printable(info.filename)} {why}. Nothing was collected.")

    # A \ is a sign of a name here, and leads elsewhere where the instructor unpacks it.
    name, parts = info.filename.replace("\\", "/"), PurePosixPath(info.filename).parts
    if name.startswith("/") or ".." in name.split("/") or not parts or name[1:2] == ":" or "\0" in name:
        raise refuse("leads out of the archive, which no download of Moodle or Canvas does")
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        raise refuse("is a link or a device, not a file")
    if info.flag_bits & ENCRYPTED:
        raise refuse("is encrypted: unpack the archive yourself, and name the folder")

    def read() -> bytes:
        try:
            with archive.open(info) as file:
                return file.read(info.file_size)
        except (zipfile.BadZipFile, EOFError, OSError, RuntimeError, NotImplementedError) as error:
            raise GraderError(f"it is damaged: {printable(str(error))}. {AGAIN}") from error
        except zlib.error as error:
            raise GraderError(f"it is damaged: its packed bytes cannot be read. {AGAIN}") from error

    try:
        time = datetime(*info.date_time)
    except ValueError:
        time = datetime(1980, 1, 1)
    return Member(parts, info.file_size, time, info.compress_size, read)


def _of_folder(root: Path) -> Iterator[Member]:
    for folder, folders, names in os.walk(root):
        for name in sorted((*folders, *names)):
            path = Path(folder, name)
            found = path.lstat()
            if stat.S_ISDIR(found.st_mode):
                continue
            if not stat.S_ISREG(found.st_mode):
                shown = printable(str(path))
                raise GraderError(f"{shown} is a link or a device, not a file. Nothing was collected.")
            # Local time, as archives have it.
            time = datetime.fromtimestamp(found.st_mtime)
            parts = path.relative_to(root).parts
            timed = abs(found.st_ctime - found.st_mtime) > MOMENT
            yield Member(parts, found.st_size, time, found.st_size, lambda path=path: _bytes(path), timed)


def _bytes(path: Path) -> bytes:
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    with os.fdopen(handle, "rb") as file:
        return file.read(MAX_FILE + 1)
