"""The numbers in print that chapter 8 shows, recomputed by their setup with plain NumPy."""

import numpy as np
import pytest
import torch

from grader.references.published import published, verify_published


@pytest.fixture
def lecture() -> dict[str, torch.Tensor]:
    """Return the lecture's queries, keys, values and scores, by entry."""
    draws = np.random.RandomState(1234)
    embeddings = np.array([draws.rand(3) for _ in range(4)])
    W_query, W_key, W_value = (draws.random_sample((4, 3)) for _ in range(3))
    query, key, value = (embeddings @ weight.T for weight in (W_query, W_key, W_value))
    steps = {"numpy.Q": query, "numpy.K": key, "numpy.V": value, "numpy.scores": query @ key.T}
    return {name: torch.from_numpy(values) for name, values in steps.items()}


def test_published_steps_of_the_lecture(lecture: dict[str, torch.Tensor]) -> None:
    """Queries, keys, values and scores are those in print, to the eighth decimal."""
    for entry, values in lecture.items():
        verify_published(entry, values)


def test_no_entry_of_the_chapter_is_left_out(lecture: dict[str, torch.Tensor]) -> None:
    """Every published entry of the chapter is recomputed here."""
    entries = {name for name, entry in published()["entries"].items() if entry["chapter"] == "ch08"}
    assert entries == set(lecture)
