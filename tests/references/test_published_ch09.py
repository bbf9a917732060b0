"""The numbers in print that chapter 9 shows, wrong as they were published, recomputed by their setup."""

import numpy as np
import pytest
import torch

from grader.references.published import published, verify_published


@pytest.fixture
def lecture() -> dict[str, torch.Tensor]:
    """Return the lecture's mistakes in NumPy: no transpose, a softmax down the columns, values transposed."""
    np.random.seed(1234)
    embeddings = np.array([np.random.rand(3) for _ in range(4)])
    query, key, value = (embeddings @ np.random.random((4, 3)).T for _ in range(3))
    scaled = query @ key / np.sqrt(len(embeddings))
    powers = np.tril(np.exp(scaled))
    weights = powers / powers.sum(axis=0)
    return {
        "numpy.as_published.scaled": torch.from_numpy(scaled),
        "numpy.as_published.weights": torch.from_numpy(weights),
        "numpy.as_published.output": torch.from_numpy(weights @ value.T),
    }


def test_published_mistakes(lecture: dict[str, torch.Tensor]) -> None:
    """Three mistakes at once give the numbers in print."""
    for entry, values in lecture.items():
        verify_published(entry, values)


def test_they_are_mistakes(lecture: dict[str, torch.Tensor]) -> None:
    """The rows of the printed weights do not sum to 1, the columns do."""
    weights = lecture["numpy.as_published.weights"]
    assert torch.allclose(weights.sum(dim=0), torch.ones(4, dtype=torch.float64))
    assert not torch.allclose(weights.sum(dim=1), torch.ones(4, dtype=torch.float64), atol=0.5)


def test_no_entry_of_the_chapter_is_left_out(lecture: dict[str, torch.Tensor]) -> None:
    """Every published entry of the chapter is recomputed here."""
    entries = {name for name, entry in published()["entries"].items() if entry["chapter"] == "ch09"}
    assert entries == set(lecture)
