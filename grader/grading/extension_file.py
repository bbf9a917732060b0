"""Write the extensions of a course, under the run lock and atomically."""

import getpass
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import tomlkit

from grader.course.paths import CoursePaths
from grader.errors import GraderError
from grader.files import write_whole
from grader.gradebook.extensions import TABLE, Extension, Extensions, read_extensions
from grader.grading.class_run import only_run
from grader.grading.submissions import printable
from grader.grading.toml_entries import entries_of, new_entry, now

HEAD = """\
Extensions of due dates. `grader extend` writes this file, `grader extend --list` shows it.
Where several concern the same work, the longest counts."""


@dataclass(frozen=True)
class Wanted:
    """What an extension is to be; one of ``days`` and ``until`` is given."""

    students: tuple[str, ...]
    chapter: str
    days: float | None = None
    until: datetime | None = None
    reason: str = ""


def extend(paths: CoursePaths, wanted: Wanted) -> list[Extension]:
    """Record an extension for each student; an earlier one of the same student and chapter ends by that.

    Args:
        paths: the course.
        wanted: what is given; the student "" is everybody, the chapter "" is all.

    Raises:
        GraderError: somebody is grading, or the file cannot be read.
    """
    made = [
        Extension(
            getpass.getuser(), now(), one, wanted.chapter, wanted.days, wanted.until, wanted.reason.strip()
        )
        for one in dict.fromkeys(wanted.students)
    ]
    with only_run(paths.root):
        known = read_extensions(paths.extensions)
        document = entries_of(paths.extensions, TABLE, HEAD)
        for one in made:
            _end(document, known, one.student, one.chapter)
            document[TABLE].append(new_entry(vars(one)))
        write_whole(paths.extensions, tomlkit.dumps(document))
    return made


def revoke(paths: CoursePaths, students: Sequence[str], chapter: str) -> list[Extension]:
    """Revoke extensions, all or none; they stay in the file, with who revoked them and when.

    Raises:
        GraderError: one is not in force, somebody is grading, or the file cannot be read.
    """
    with only_run(paths.root):
        known = read_extensions(paths.extensions)
        if lacking := [one for one in students if known.find(one, chapter) is None]:
            raise GraderError(
                f"Nothing was revoked: {_whose(lacking)} no extension of {chapter or 'all chapters'} in "
                "force. `grader extend --list` shows all."
            )
        document = entries_of(paths.extensions, TABLE, HEAD)
        for one in students:
            _end(document, known, one, chapter)
        write_whole(paths.extensions, tomlkit.dumps(document))
    return [known.all[known.find(one, chapter)] for one in students]


def _end(document: tomlkit.TOMLDocument, known: Extensions, student: str, chapter: str) -> None:
    place = known.find(student, chapter)
    if place is not None:
        entry = document[TABLE][place]
        entry["revoked_by"], entry["revoked_at"] = getpass.getuser(), now()


def _whose(students: Iterable[str]) -> str:
    names = [printable(one) or "the whole class" for one in students]
    return f"{', '.join(names)} {'has' if len(names) == 1 else 'have'}"
