"""The numbers in print that belong to chapter 2, recomputed as their setups say."""

import pytest
import torch

from grader.references.published import constant, verify_published


@pytest.fixture
def inputs() -> torch.Tensor:
    """Return the six tokens."""
    return constant("TOY")


def test_one_dot_product(inputs: torch.Tensor) -> None:
    """The dot product of the first two tokens is the one in print."""
    verify_published("toy.dot.1_2", torch.dot(inputs[0], inputs[1]))


def test_one_query(inputs: torch.Tensor) -> None:
    """Scores, both kinds of shares, and the context of the second token are those in print."""
    scores = inputs @ inputs[1]
    powers = scores.exp()
    weights = torch.softmax(scores, dim=0)
    verify_published("toy.scores.query2", scores)
    verify_published("toy.weights.query2.sum_normalized", scores / scores.sum())
    verify_published("toy.weights.query2", powers / powers.sum())
    verify_published("toy.weights.query2", weights)
    verify_published("toy.context.query2", weights @ inputs)


def test_all_queries(inputs: torch.Tensor) -> None:
    """Scores, weights and context of all tokens are those in print."""
    scores = inputs @ inputs.T
    weights = torch.softmax(scores, dim=-1)
    verify_published("toy.scores", scores)
    verify_published("toy.weights", weights)
    verify_published("toy.context", weights @ inputs)
