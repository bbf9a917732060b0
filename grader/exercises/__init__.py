"""What is asked: one module a chapter, each a declaration of its exercises."""

from grader.errors import UnknownExerciseError
from grader.exercises import (
    ch00_tensor_toolkit,
    ch01_why_attention,
    ch02_dot_product_attention,
    ch03_scaled_dot_product_attention,
    ch04_self_attention,
    ch05_causal_attention,
    ch06_multi_head_attention,
    ch07_buffers_and_devices,
    ch08_numpy_attention,
    ch09_debugging_clinic,
    ch10_attention_at_work,
)
from grader.exercises.model import LIBRARY_ATTENTION, Chapter, Exercise, Part, Question

_MODULES = (
    ch00_tensor_toolkit,
    ch01_why_attention,
    ch02_dot_product_attention,
    ch03_scaled_dot_product_attention,
    ch04_self_attention,
    ch05_causal_attention,
    ch06_multi_head_attention,
    ch07_buffers_and_devices,
    ch08_numpy_attention,
    ch09_debugging_clinic,
    ch10_attention_at_work,
)
CHAPTERS: dict[str, Chapter] = {module.CHAPTER.stem: module.CHAPTER for module in _MODULES}
EXERCISES: dict[str, Exercise] = {
    exercise.id: exercise for chapter in CHAPTERS.values() for exercise in chapter.exercises
}
QUESTIONS: dict[str, Question] = {
    question.id: question for chapter in CHAPTERS.values() for question in chapter.questions
}


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
]
