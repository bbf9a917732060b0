"""Compile chapters' declarations (``exercises.toml`` etc.) into ``exercises.json``; register the chapters."""

from pathlib import Path

from grader.course.paths import CoursePaths
from grader.errors import GraderError
from grader.exercises import Chapter, find_chapter, folder_of, know
from grader.exercises.declaration import COMPILED, SOURCE, compiled, load_declaration
from grader.files import write_whole


def declared_stems(paths: CoursePaths) -> list[str]:
    """Return the stems of the chapters that a course has the declarations of, in their order."""
    return sorted(path.parent.name for path in paths.solutions.glob(f"*/{SOURCE}"))


def stems_named(stem: str | None, paths: CoursePaths) -> list[str]:
    """Return the stem of a chapter that the course can build, or of all such.

    Raises:
        GraderError: there is none.
    """
    stems = declared_stems(paths)
    if stem in stems:
        return [stem]
    if stem is not None:
        find_chapter(stem)  # says which there are, where there is none of this name
        raise GraderError(
            f"{paths.solutions / stem / SOURCE} is missing, so {stem} cannot be built in this course."
        )
    if not stems:
        raise GraderError(f"No chapter can be built here: there is no {paths.solutions}/<chapter>/{SOURCE}.")
    return stems


def build_declaration(stem: str, paths: CoursePaths) -> Chapter:
    """Compile a chapter's declaration, register the chapter, and return it.

    Raises:
        SourceError: the declaration is wrong; nothing is written.
    """
    folder, text = paths.references / stem, compiled(paths.solutions / stem)
    if not _is(folder / COMPILED, text):
        write_whole(folder / COMPILED, text)
    chapter = load_declaration(folder)
    know(chapter)
    return chapter


def declaration_drift(stem: str, paths: CoursePaths) -> list[str]:
    """Return one line if the compiled declaration is out of date.

    A course that has no references of its own is graded by the package's.

    Raises:
        SourceError: the declaration is wrong.
    """
    own = paths.references / stem
    path = (own if own.is_dir() else folder_of(stem)) / COMPILED
    if _is(path, compiled(paths.solutions / stem)):
        return []
    return [f"{path} is not what {paths.solutions / stem} declares; run `grader build {stem}`."]


def _is(path: Path, text: str) -> bool:
    return path.is_file() and path.read_bytes() == text.encode()
