"""Unplaced uploads: recorded by ``grader collect``, so that their owners do not count as missing."""

import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path

from grader.errors import GraderError
from grader.files import write_whole
from grader.reporting.spreadsheet import one_line


@dataclass(frozen=True)
class Unplaced:
    """An owner of files in a download who is no single student of the course's roster.

    Attributes:
        system: ``moodle`` or ``canvas``.
        name: as the system writes it.
        number: the system's; of Moodle, the participant's in this assignment.
        students: who may be meant: an error where there is no other work of theirs, else named in a note.
        files: their paths in the download.
    """

    system: str
    name: str
    number: str
    students: tuple[str, ...]
    files: tuple[str, ...]

    def may_be(self, row: Sequence[str]) -> bool:
        """Return whether the student of a row of the system's table may be meant, by name or number."""
        parts = [part for cell in row for one in cell.split(",") if (part := letters(one))]
        pairs = {f"{one}{other}" for pair in pairwise(parts) for one, other in (pair, pair[::-1])}
        numbers = {cell.strip() for cell in row} if self.system == "canvas" else set()
        return letters(self.name) in {*parts, *pairs} or self.number in numbers


def folded(text: str) -> str:
    """Return a name for comparing: composed, in small letters, with single blanks."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def letters(text: str) -> str:
    """Return a name as Canvas writes it: folded, without blanks and signs."""
    return "".join(filter(str.isalnum, folded(text)))


def unplaced_file(root: Path, chapter: str) -> Path:
    """Return where is remembered what could not be placed in a chapter."""
    return root / "downloaded" / chapter / "not_placed.json"


def read_unplaced(root: Path, chapter: str) -> tuple[Unplaced, ...]:
    """Return what could not be placed in a chapter.

    Raises:
        GraderError: the file is damaged.
    """
    path = unplaced_file(root, chapter)
    try:
        read = json.loads(path.read_bytes())
        return tuple(
            Unplaced(**{**one, "students": tuple(one["students"]), "files": tuple(one["files"])})
            for one in read
        )
    except FileNotFoundError:
        return ()
    except (ValueError, TypeError, KeyError) as error:
        raise GraderError(f"{path} is damaged: {error}. Remove it, and collect again.") from error


def write_unplaced(root: Path, chapter: str, owners: Iterable[Unplaced]) -> None:
    """Remember what could not be placed; where that is nothing the file goes."""
    remember(unplaced_file(root, chapter), map(asdict, owners))


def remember(path: Path, entries: Iterable[Mapping[str, object]]) -> None:
    """Write entries for a later command; where there are none the file goes."""
    if kept := [*entries]:
        write_whole(path, json.dumps(kept, indent=1, ensure_ascii=False) + "\n")
    else:
        path.unlink(missing_ok=True)


def not_placed(root: Path, chapter: str) -> str:
    """Return a line on the files that could not be placed, with all names; empty where there are none."""
    unplaced = read_unplaced(root, chapter)
    if not unplaced:
        return ""
    count = sum(len(one.files) for one in unplaced)
    files = "1 file is" if count == 1 else f"{count} files are"
    names = ", ".join(one_line(f"{one.name} ({one.number})") for one in unplaced)
    place = unplaced_file(root, chapter).relative_to(root)
    return f"{chapter}: {files} not placed, in no score: {names}. See {place}."
