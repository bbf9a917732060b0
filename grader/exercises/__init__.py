"""What is asked: the exercises of each chapter, as its declaration says, and what a case is."""

import os
from pathlib import Path

from grader.errors import SourceError, UnknownExerciseError
from grader.exercises.declaration import COMPILED, Declared, declared_in, load_declaration
from grader.exercises.model import Chapter, Exercise, Part, Question

# By stem, in its order; by id, in the order of the chapters.
CHAPTERS: dict[str, Chapter] = {}
EXERCISES: dict[str, Exercise] = {}
QUESTIONS: dict[str, Question] = {}
# Why a chapter is not known whose built declaration cannot be read, by stem: `grader build` is to mend it.
BROKEN: dict[str, SourceError] = {}
# The number of the user who may write anywhere.
ADMINISTRATOR = 0


def references_root() -> Path:
    """Return the folder of what is built of the chapters: their declarations and references.

    ``GRADER_REFERENCES`` if it is set, else the checkout's, else the one installed with the package.
    """
    if configured := os.environ.get("GRADER_REFERENCES"):
        return Path(configured)
    package = Path(__file__).resolve().parents[1]
    checkout = package.parent / "reference_outputs"
    return checkout if checkout.is_dir() else package / "reference_outputs"


def folder_of(stem: str) -> Path:
    """Return the folder of what is built of a chapter.

    That of ``GRADER_REFERENCES`` if it is set, else the one that the chapter is known from.
    """
    known = CHAPTERS[stem].folder if stem in CHAPTERS and "GRADER_REFERENCES" not in os.environ else None
    return known or references_root() / stem


def own_root() -> Path | None:
    """Return the folder of what is built of the chapters of the course that the working directory is in.

    None if that is no other course than the package's, or if another user made it: a declaration may hold
    code, which runs where it is read, and anybody may write to some folder above a working directory.
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
    """Return what another process has to be told of a chapter: nothing of one that the package has."""
    folder = CHAPTERS[stem].folder if stem in CHAPTERS else None
    own = folder is not None and folder.parent.resolve() != references_root().resolve()
    return (declared_in(folder),) if own else ()


def know(*chapters: Chapter) -> None:
    """Make chapters known; one that is known already is replaced."""
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
    """Make all chapters known whose declarations were built into a folder of references.

    One that cannot be read is an error for whoever asks for it.
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


def find_part(part_id: str) -> Part:
    """Return what is graded under this id: an exercise, or a question that is answered in words.

    Raises:
        UnknownExerciseError: nothing has it; the message lists what there is.
    """
    return QUESTIONS[part_id] if part_id in QUESTIONS else find_exercise(part_id)


def find_exercise(exercise_id: str) -> Exercise:
    """Return the exercise with this id.

    Raises:
        UnknownExerciseError: no exercise has it; the message lists those there are.
        SourceError: no exercise that is known has it, and a chapter's declaration cannot be read.
    """
    if exercise_id in QUESTIONS:
        raise UnknownExerciseError(
            f"{exercise_id} is answered in words, and a person grades it: there is nothing to run."
        )
    if exercise_id not in EXERCISES and BROKEN:
        raise next(iter(BROKEN.values()))
    if exercise_id not in EXERCISES:
        raise UnknownExerciseError(
            f"There is no exercise {exercise_id!r}. The exercises are: {', '.join(EXERCISES)}."
        )
    return EXERCISES[exercise_id]


def find_chapter(stem: str) -> Chapter:
    """Return the chapter with this stem.

    Raises:
        UnknownExerciseError: no chapter has it; the message lists those there are.
        SourceError: its built declaration cannot be read.
    """
    if stem in BROKEN:
        raise BROKEN[stem]
    if stem not in CHAPTERS:
        raise UnknownExerciseError(f"There is no chapter {stem!r}. The chapters are: {', '.join(CHAPTERS)}.")
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
    "references_root",
]
