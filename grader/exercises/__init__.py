"""The data model of exercises, questions and cases, and the registry of known chapters.

No exercise is declared here, but in ``solutions/<chapter>/exercises.toml``.
"""

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from grader.errors import SourceError, UnknownExerciseError
from grader.exercises.declaration import COMPILED, SOURCE, Declared, declared_in, like, load_declaration
from grader.exercises.model import Chapter, Exercise, Part, Question
from grader.messages import Message, message, sentences, series

# By stem, in its order; by id, in the order of the chapters.
CHAPTERS: dict[str, Chapter] = {}
EXERCISES: dict[str, Exercise] = {}
QUESTIONS: dict[str, Question] = {}
# By stem, why a compiled declaration cannot be read: `grader build` mends that.
BROKEN: dict[str, SourceError] = {}
# The number of the user who may write anywhere.
ADMINISTRATOR = 0
# So many ids or stems are named where one is not known.
MOST_NAMED = 12


def references_root() -> Path:
    """Return the folder of the compiled declarations and references of all chapters.

    ``GRADER_REFERENCES`` if it is set, else the checkout's, else the one installed with the package.
    """
    if configured := os.environ.get("GRADER_REFERENCES"):
        return Path(configured)
    package = Path(__file__).resolve().parents[1]
    checkout = package.parent / "reference_outputs"
    return checkout if checkout.is_dir() else package / "reference_outputs"


def folder_of(stem: str) -> Path:
    """Return the folder of a chapter's compiled declaration and references.

    That of ``GRADER_REFERENCES`` if it is set, else the one that the chapter is known from.
    """
    known = CHAPTERS[stem].folder if stem in CHAPTERS and "GRADER_REFERENCES" not in os.environ else None
    return known or references_root() / stem


def own_root() -> Path | None:
    """Return the same folder of the course that contains the working directory.

    None if that is the package's own course, or if another user created it: a declaration may hold code,
    which runs when it is read, and other users may be able to write to a folder above the working directory.
    """
    try:
        here = Path.cwd()
    except OSError:  # it was removed
        return None
    roots = (place / "reference_outputs" for place in (here, *here.parents))
    own = next((root for root in roots if any(root.glob(f"*/{COMPILED}"))), None)
    if own is None or own.resolve() == references_root().resolve():
        return None
    trusted = not hasattr(os, "getuid") or own.stat().st_uid in (os.getuid(), ADMINISTRATOR)
    return own if trusted else None


def declared_for(stem: str) -> tuple[Declared, ...]:
    """Return what another process needs to register a chapter; None for the package's own."""
    folder = CHAPTERS[stem].folder if stem in CHAPTERS else None
    own = folder is not None and folder.parent.resolve() != references_root().resolve()
    return (declared_in(folder),) if own else ()


def know(*chapters: Chapter) -> None:
    """Register chapters, replacing those already registered."""
    known = CHAPTERS | {one.stem: one for one in chapters}
    for one in chapters:
        BROKEN.pop(one.stem, None)
    for table in (CHAPTERS, EXERCISES, QUESTIONS):
        table.clear()
    for stem in sorted(known):
        CHAPTERS[stem] = known[stem]
        EXERCISES.update(known[stem].by_id)
        QUESTIONS.update({one.id: one for one in known[stem].questions})


def know_all(root: Path) -> None:
    """Register all chapters whose compiled declarations are in a folder of references.

    One that cannot be read is an error only when it is used.
    """
    found = []
    for path in sorted(root.glob(f"*/{COMPILED}")):
        try:
            found.append(load_declaration(path.parent))
        except SourceError as error:
            BROKEN[path.parent.name] = error
    know(*found)


know_all(references_root())
if own := own_root():
    know_all(own)


def own_chapters() -> list[Chapter]:
    """Return the chapters of a course of one's own; where none is known, those of the package."""
    package = references_root().resolve()
    own = [one for one in CHAPTERS.values() if one.folder and one.folder.parent.resolve() != package]
    return own or list(CHAPTERS.values())


def own_folder() -> Path | None:
    """Return the folder of the course that these chapters are of; None if there is no chapter."""
    return next((one.folder.absolute().parents[1] for one in own_chapters() if one.folder), None)


def not_built(stem: str, root: Path) -> str:
    """Return that a chapter is declared in a course and not built, and what to do."""
    place = root / "solutions" / stem
    return f"{place} is not built: run `grader references build {stem}`, then `grader build {stem}`."


def no_such(
    what: Literal["exercise", "chapter"], name: str, own: Iterable[str], known: Iterable[str] = ()
) -> Message:
    """Return that there is no exercise or chapter of a name, the one that may be meant, and some there are.

    Args:
        what: the kind of thing.
        name: what was asked for.
        own: the course's own, of which those that begin alike are named first.
        known: all that may be meant.
    """
    own, (first, *_) = [*own], re.split("[-_]", name)
    named = sorted(own, key=lambda one: not one.startswith(first))
    names = series(named[:MOST_NAMED])
    if (left := len(own) - MOST_NAMED) > 0:
        names = message("{names}, and {left} more", names=names, left=left)
    parts = {
        "exercise": (
            message("There is no exercise {name}.", name=repr(name)),
            message("The exercises are: {names}.", names=names),
        ),
        "chapter": (
            message("There is no chapter {name}.", name=repr(name)),
            message("The chapters are: {names}.", names=names),
        ),
    }
    none, there_are = parts[what]
    meant = like(name, own) or like(name, known)
    return sentences([none, *([message("Did you mean {name}?", name=meant)] if meant else []), there_are])


def find_part(part_id: str) -> Part:
    """Return the exercise or question with this id.

    Raises:
        UnknownExerciseError: nothing has it; the message names what may be meant.
    """
    return QUESTIONS[part_id] if part_id in QUESTIONS else find_exercise(part_id)


def find_exercise(exercise_id: str) -> Exercise:
    """Return the exercise with this id.

    Raises:
        UnknownExerciseError: no exercise has it; the message names those that may be meant.
        SourceError: no exercise that is known has it, and a chapter's declaration cannot be read.
    """
    if exercise_id in QUESTIONS:
        raise UnknownExerciseError(
            message(
                "{exercise} is answered in words, and a person grades it: there is nothing to run.",
                exercise=exercise_id,
            )
        )
    if exercise_id not in EXERCISES and BROKEN:
        raise next(iter(BROKEN.values()))
    if exercise_id not in EXERCISES:
        raise UnknownExerciseError(
            no_such("exercise", exercise_id, [id_ for one in own_chapters() for id_ in one.by_id], EXERCISES),
            own_folder(),
        )
    return EXERCISES[exercise_id]


def find_chapter(stem: str) -> Chapter:
    """Return the chapter with this stem.

    Raises:
        UnknownExerciseError: no chapter has it; the message names those that may be meant.
        SourceError: its built declaration cannot be read, or it is not built.
    """
    if stem in BROKEN:
        raise BROKEN[stem]
    root = own_folder()
    if stem not in CHAPTERS and root and (root / "solutions" / stem / SOURCE).is_file():
        raise SourceError(root / "solutions" / stem / SOURCE, 1, not_built(stem, root))
    if stem not in CHAPTERS:
        told = no_such("chapter", stem, [one.stem for one in own_chapters()], CHAPTERS)
        raise UnknownExerciseError(told, own_folder())
    return CHAPTERS[stem]


__all__ = [
    "BROKEN",
    "CHAPTERS",
    "EXERCISES",
    "QUESTIONS",
    "Chapter",
    "Declared",
    "Exercise",
    "Part",
    "Question",
    "declared_for",
    "find_chapter",
    "find_exercise",
    "find_part",
    "folder_of",
    "know",
    "know_all",
    "no_such",
    "not_built",
    "own_chapters",
    "references_root",
]
