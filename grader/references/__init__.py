"""Stored tensors: what each exercise is judged by, loaded with their integrity checked."""

from grader.references.store import (
    ExerciseReference,
    Expected,
    KnownWrong,
    Raised,
    load_exercise,
    references_root,
)

__all__ = [
    "ExerciseReference",
    "Expected",
    "KnownWrong",
    "Raised",
    "load_exercise",
    "references_root",
]
