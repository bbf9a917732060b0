"""Pack feedback pages into an archive, with the file names by which Moodle and Canvas find students."""

import io
import zipfile
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from nbgrader.coursedir import CourseDirectory

from grader.errors import GraderError
from grader.gradebook.stored import StoredSubmission, read_stored_grades
from grader.grading.collected import COLLECTED, NOT_COLLECTED, read_collected
from grader.grading.decisions import Decisions
from grader.grading.folder import printable
from grader.grading.result_files import Places, pending
from grader.grading.submissions import students_in
from grader.lms.systems import System

# Fixed time stamp: the same pages give the same archive, byte for byte.
TIME = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Packed:
    """An archive of feedback pages.

    Attributes:
        content: its bytes.
        students: whose pages are in it.
        left_out: why another student's is not, by student.
    """

    content: bytes
    students: tuple[str, ...]
    left_out: dict[str, str]


@dataclass(frozen=True)
class Returning:
    """What the feedback of a chapter is packed from."""

    directory: CourseDirectory
    chapter: str
    decisions: Decisions

    def pack(self, system: System) -> Packed:
        """Return the archive for a system.

        Raises:
            GraderError: the gradebook cannot be read.
        """
        held = read_stored_grades(self.directory.db_url, self.chapter).submissions
        submitted = students_in(self.directory, self.directory.submitted_directory, self.chapter)
        pages: dict[str, tuple[str, Path]] = {}
        left_out: dict[str, str] = {}
        owners: dict[str, list[str]] = defaultdict(list)
        for student in sorted({*submitted, *held}):
            try:
                name = self._name(student, system)
                owners[name].append(student)
                pages[student] = name, self._page(student, held.get(student))
            except GraderError as error:
                left_out[student] = str(error)
        for several in owners.values():
            for student in several if len(several) > 1 else ():
                pages.pop(student, None)
                others = ", ".join(printable(one) for one in several if one != student)
                left_out[student] = f"{COLLECTED} gives it the same name there as {others}: collect again"
        return Packed(_archive(pages.values()), tuple(pages), left_out)

    def _name(self, student: str, system: System) -> str:
        """Return what a student's page is called in the archive."""
        known = read_collected(self._submitted(student))
        if known is None and (self._submitted(student) / NOT_COLLECTED).is_file():
            raise GraderError(
                "`grader collect` could not tell whose work it is, so its name there is not known"
            )
        if known is None:
            raise GraderError("it was not collected with `grader collect`, so its name there is not known")
        if known.system != system:
            raise GraderError(f"it was collected from {known.system}")
        return f"{known.place}.html" if system == "canvas" else f"{known.place}{self.chapter}.html"

    def _submitted(self, student: str) -> Path:
        step = self.directory.submitted_directory
        return Path(self.directory.format_path(step, student, self.chapter))

    def _page(self, student: str, held: StoredSubmission | None) -> Path:
        """Return a student's page, if it is up to date."""
        places = Places(self.directory, self.chapter)
        page, again = places.page(student), f"run `grader grade {self.chapter}`"
        if not page.is_file():
            raise GraderError(f"there is no feedback page: {again}")
        verdict = places.verdict(student)
        if held is None or not verdict.is_file():
            raise GraderError(f"it is not graded: {again}")
        known = read_collected(self._submitted(student))
        if datetime.fromisoformat(known.at).timestamp() > verdict.stat().st_mtime:
            raise GraderError(f"newer work was collected than the page shows: {again}")
        if held.mark != places.mark(student) or pending(self.decisions, places, [student]):
            raise GraderError(f"the page is older than the grade: {again}")
        return page


def _archive(pages: object) -> bytes:
    """Return an archive of files, each with its name in it."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in sorted(pages):
            info = zipfile.ZipInfo(name, TIME)
            info.external_attr = 0o644 << 16
            archive.writestr(info, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return made.getvalue()
