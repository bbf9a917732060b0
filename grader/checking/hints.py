"""Hints that open one by one."""

from grader.exercises import find_exercise

_opened: dict[str, int] = {}


def open_hint(exercise_id: str) -> tuple[int, int, str]:
    """Open the next hint of an exercise; after the last one, the last again.

    Returns:
        Its number from 1, how many there are, and its text.

    Raises:
        UnknownExerciseError: there is no such exercise.
    """
    hints = find_exercise(exercise_id).hints
    number = min(_opened.get(exercise_id, 0) + 1, len(hints))
    _opened[exercise_id] = number
    return number, len(hints), hints[number - 1]
