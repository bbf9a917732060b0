"""References, the stored expected tensors: built by ``proving``, loaded here with an integrity check."""

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
