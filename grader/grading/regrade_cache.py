"""The records that ``grader regrade`` computed and showed, kept for the run that writes them."""

import hashlib
import json
import shutil
import zlib
from dataclasses import dataclass
from pathlib import Path

from grader.errors import GraderError
from grader.files import write_whole
from grader.grading.record import Record


@dataclass(frozen=True)
class Computed:
    """A folder of records, a file for each student; one counts only for the cache key that it was made by.

    Attributes:
        folder: the folder, in the course's; it need not exist.
    """

    folder: Path

    @classmethod
    def of(cls, root: Path, assignment: str) -> "Computed":
        """Return those of one assignment of a course."""
        return cls(root / ".regrade" / assignment)

    def _place(self, student: str) -> Path:
        return self.folder / hashlib.sha256(student.encode("utf-8", "surrogatepass")).hexdigest()

    def keep(self, student: str, record: Record) -> None:
        """Keep a student's record; one in which the grader failed is tried again instead."""
        if record.faults or not record.key:
            return
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        packed = zlib.compress(json.dumps(record.to_json()).encode("ascii"), 1)
        write_whole(self._place(student), packed)

    def find(self, student: str, key: str) -> Record | None:
        """Return a student's record; None if there is none, or none with this cache key."""
        try:
            record = Record.from_json(json.loads(zlib.decompress(self._place(student).read_bytes())))
        except (OSError, ValueError, zlib.error, GraderError):
            return None  # it is graded
        return record if record.key == key else None

    def clear(self) -> None:
        """Remove all of them."""
        shutil.rmtree(self.folder, ignore_errors=True)
