"""Hints that open one by one."""

from grader.exercises import find_exercise

_opened: dict[str, int] = {}


def open_hint(exercise_id: str) -> tuple[tuple[str, ...], int]:
    """Open the next hint of an exercise, if there is one more.

    Returns:
        The texts of all that are open now, and how many there are.

    Raises:
        UnknownExerciseError: there is no such exercise.
    """
    hints = find_exercise(exercise_id).hints
    number = min(_opened.get(exercise_id, 0) + 1, len(hints))
    _opened[exercise_id] = number
    return hints[:number], len(hints)
