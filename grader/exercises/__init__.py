"""What is asked: the exercises of each chapter, as its declaration says, and what a case is."""

import os
from pathlib import Path

from grader.errors import UnknownExerciseError
from grader.exercises.declaration import COMPILED, load_declaration
from grader.exercises.model import LIBRARY_ATTENTION, Chapter, Exercise, Part, Question

# By stem, in its order; by id, in the order of the chapters.
CHAPTERS: dict[str, Chapter] = {}
EXERCISES: dict[str, Exercise] = {}
QUESTIONS: dict[str, Question] = {}


def references_root() -> Path:
    """Return the folder of what is built of the chapters: their declarations and references.

    ``GRADER_REFERENCES`` if it is set, else the checkout's, else the one installed with the package.
    """
    if configured := os.environ.get("GRADER_REFERENCES"):
        return Path(configured)
    package = Path(__file__).resolve().parents[1]
    checkout = package.parent / "reference_outputs"
    return checkout if checkout.is_dir() else package / "reference_outputs"


def know(*chapters: Chapter) -> None:
    """Make chapters known; one that is known already is replaced."""
    known = CHAPTERS | {one.stem: one for one in chapters}
    for table in (CHAPTERS, EXERCISES, QUESTIONS):
        table.clear()
    for stem in sorted(known):
        CHAPTERS[stem] = known[stem]
        EXERCISES.update(known[stem].by_id)
        QUESTIONS.update({one.id: one for one in known[stem].questions})


def know_all(root: Path) -> None:
    """Make all chapters known whose declarations were built into a folder of references.

    Raises:
        SourceError: one of them cannot be read.
    """
    know(*(load_declaration(path.parent) for path in sorted(root.glob(f"*/{COMPILED}"))))


know_all(references_root())


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
    """
    if exercise_id in QUESTIONS:
        raise UnknownExerciseError(
            f"{exercise_id} is answered in words, and a person grades it: there is nothing to run."
        )
    if exercise_id not in EXERCISES:
        raise UnknownExerciseError(
            f"There is no exercise {exercise_id!r}. The exercises are: {', '.join(EXERCISES)}."
        )
    return EXERCISES[exercise_id]


def find_chapter(stem: str) -> Chapter:
    """Return the chapter with this stem.

    Raises:
        UnknownExerciseError: no chapter has it; the message lists those there are.
    """
    if stem not in CHAPTERS:
        raise UnknownExerciseError(f"There is no chapter {stem!r}. The chapters are: {', '.join(CHAPTERS)}.")
    return CHAPTERS[stem]


__all__ = [
    "CHAPTERS",
    "EXERCISES",
    "LIBRARY_ATTENTION",
    "QUESTIONS",
    "Chapter",
    "Exercise",
    "Part",
    "Question",
    "find_chapter",
    "find_exercise",
    "find_part",
    "know",
    "know_all",
    "references_root",
]
