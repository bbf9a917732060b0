"""The numbers in print that chapter 3 shows, recomputed by their setup with plain torch."""

import pytest
import torch

from grader.references.published import constant, published, verify_published


@pytest.fixture
def journey() -> dict[str, torch.Tensor]:
    """Return what "journey", row 1 of six tokens, asks, and what comes of it, by entry."""
    torch.manual_seed(123)
    W_query, W_key, W_value = (torch.rand(3, 2) for _ in range(3))
    inputs = constant("TOY")
    query, keys, values = inputs[1] @ W_query, inputs @ W_key, inputs @ W_value
    scores = keys @ query
    weights = torch.softmax(scores / 2**0.5, dim=0)
    return {
        "qkv.query2": query,
        "qkv.score.2_2": query @ keys[1],
        "qkv.scores.query2": scores,
        "qkv.weights.query2": weights,
        "qkv.context.query2": weights @ values,
    }


def test_published_steps_of_one_query(journey: dict[str, torch.Tensor]) -> None:
    """Every step from the query of "journey" to its context is the one in print."""
    for entry, values in journey.items():
        verify_published(entry, values)


def test_no_entry_of_the_chapter_is_left_out(journey: dict[str, torch.Tensor]) -> None:
    """Every published entry of the chapter is recomputed here."""
    entries = {name for name, entry in published()["entries"].items() if entry["chapter"] == "ch03"}
    assert entries == set(journey)
