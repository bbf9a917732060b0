"""Compile chapters' declarations (``exercises.toml`` etc.) into ``exercises.json``; register the chapters."""

from pathlib import Path

from grader.course.paths import CoursePaths, find_course
from grader.errors import GraderError, UnknownExerciseError
from grader.exercises import (
    CHAPTERS,
    EXERCISES,
    QUESTIONS,
    Chapter,
    find_chapter,
    folder_of,
    know,
    no_such,
    not_built,
)
from grader.exercises.declaration import (
    COMPILED,
    SOURCE,
    closest,
    compiled,
    load_declaration,
    read_declaration,
    refused,
)
from grader.files import write_whole


def declared_stems(paths: CoursePaths) -> list[str]:
    """Return the stems of the chapters that a course has the declarations of, in their order."""
    return sorted(path.parent.name for path in paths.solutions.glob(f"*/{SOURCE}"))


def find_source_course(asked: Path | None) -> CoursePaths:
    """Return the course of ``find_course``, which has sources of chapters.

    Raises:
        GraderError: there is none, or it is a class that was made or restored without them.
    """
    paths = find_course(asked)
    if not declared_stems(paths):
        raise GraderError(
            f"{paths.root} is a class, without the sources of chapters (solutions/<chapter>/{SOURCE}): "
            "nothing can be built or given out here, only graded. Do that in the clone of the course, or "
            "with --course CLONE."
        )
    return paths


def left_out(paths: CoursePaths) -> list[str]:
    """Return one line for each declared chapter that is not built, so that nothing of it is given out."""
    return [not_built(stem, paths.root) for stem in declared_stems(paths) if stem not in CHAPTERS]


def stems_named(stem: str | None, paths: CoursePaths) -> list[str]:
    """Return the stem of a chapter that the course can build, or of all such.

    Raises:
        GraderError: there is none.
    """
    stems = declared_stems(paths)
    if stem in stems:
        return [stem]
    if stem is not None and stems and stem not in CHAPTERS:
        raise UnknownExerciseError(no_such("chapter", stem, stems, CHAPTERS), paths.root)
    if stem is not None:
        find_chapter(stem)  # says which there are, where there is none of this name
        raise GraderError(
            f"{paths.solutions / stem / SOURCE} is missing, so {stem} cannot be built in this course."
        )
    return stems


def build_declaration(stem: str, paths: CoursePaths) -> Chapter:
    """Compile a chapter's declaration, register the chapter, and return it.

    Raises:
        SourceError: the declaration is wrong; nothing is written.
    """
    source = read_declaration(paths.solutions / stem)
    _check_ids(source, paths)
    _check_required(source, paths)
    folder, text = paths.references / stem, compiled(paths.solutions / stem)
    if not _is(folder / COMPILED, text):
        write_whole(folder / COMPILED, text)
    chapter = load_declaration(folder)
    know(chapter)
    return chapter


def _check_ids(chapter: Chapter, paths: CoursePaths) -> None:
    """Refuse an id that another chapter has: one of the two would replace the other.

    Raises:
        SourceError: one is; names the line.
    """
    for part in chapter.parts.values():
        other = EXERCISES.get(part.id) or QUESTIONS.get(part.id)
        if other and other.chapter != chapter.stem:
            told = f"{other.chapter} has the id {part.id} already. Give each its own, everywhere."
            raise refused(chapter, part, "id", told, paths.solutions / chapter.stem)


def _check_required(chapter: Chapter, paths: CoursePaths) -> None:
    """Refuse an exercise that builds on one that nobody knows, or that does not come before it.

    Raises:
        SourceError: one does; names the line.
    """
    before = {one.id for one in EXERCISES.values() if one.chapter < chapter.stem}
    known = {one.id for one in EXERCISES.values() if one.chapter != chapter.stem} | chapter.by_id.keys()
    for exercise in chapter.exercises:
        for name in exercise.requires:
            if name in before:
                continue
            told = f"{name} does not come before it. Name exercises that do."
            if name not in known:
                told = f"there is no exercise {name}.{closest(name, known)}"
            told = f"{exercise.id}: requires: {told}"
            raise refused(chapter, exercise, "requires", told, paths.solutions / chapter.stem)
        before.add(exercise.id)


def left_over(paths: CoursePaths) -> list[str]:
    """Return one line for each chapter that is built, and that the sources do not have any more."""
    gone = {path.parent.name for path in paths.references.glob(f"*/{COMPILED}")} - {*declared_stems(paths)}
    return [
        f"{paths.references / stem} is of a chapter that is gone, or has another name now. Remove it, "
        f"{paths.root / 'notebooks'}/*/{stem} and what is left of {paths.solutions / stem}."
        for stem in sorted(gone)
    ]


def declaration_drift(stem: str, paths: CoursePaths) -> list[str]:
    """Return one line if the compiled declaration is out of date.

    A course that has no references of its own is graded by the package's.

    Raises:
        SourceError: the declaration is wrong.
    """
    own = paths.references / stem
    path = (own if own.is_dir() else folder_of(stem)) / COMPILED
    if not path.parent.is_dir():
        return [not_built(stem, paths.root)]
    if _is(path, compiled(paths.solutions / stem)):
        return []
    return [f"{path} is not what {paths.solutions / stem} declares; run `grader build {stem}`."]


def _is(path: Path, text: str) -> bool:
    return path.is_file() and path.read_bytes() == text.encode()
