"""Stored tensors: what each exercise is judged by, loaded with their integrity checked."""

from grader.references.store import (
    ExerciseReference,
    Expected,
    Fingerprints,
    KnownWrong,
    Raised,
    grading_digest,
    load_exercise,
    load_for_grading,
)

__all__ = [
    "ExerciseReference",
    "Expected",
    "Fingerprints",
    "KnownWrong",
    "Raised",
    "grading_digest",
    "load_exercise",
    "load_for_grading",
]
