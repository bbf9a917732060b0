"""The published numbers of chapter 5 that no case of an exercise reproduces, computed by their own setup."""

import pytest
import torch
from torch import nn

from grader.references.published import PRINTED, constant, published, verify_published


def printed(entry_id: str) -> torch.Tensor:
    """Return an entry's values as printed."""
    return torch.tensor(published()["entries"][entry_id]["values"], dtype=torch.float64)


@pytest.fixture(scope="module")
def scores() -> torch.Tensor:
    """Return the unscaled scores of the sentence, from linear layers drawn after seed 789."""
    torch.manual_seed(789)
    query, key, _ = (nn.Linear(3, 2, bias=False).requires_grad_(False)(constant("TOY")) for _ in range(3))
    return query @ key.T


@pytest.fixture(scope="module")
def weights(scores: torch.Tensor) -> torch.Tensor:
    """Return the attention weights of the sentence, open to all sides."""
    return torch.softmax(scores / 2**0.5, dim=-1)


def test_open_weights_are_the_printed_ones(weights: torch.Tensor) -> None:
    """The softmax of the scaled scores is what was printed."""
    verify_published("v2.weights", weights)


def test_mask_of_ones_is_the_printed_one() -> None:
    """The lower triangle of ones, diagonal included, is what was printed."""
    verify_published("causal.tril", torch.tril(torch.ones(6, 6)))


def test_zeroed_weights_are_the_printed_ones(weights: torch.Tensor) -> None:
    """The weights times the mask, whose rows no longer sum to 1, are what was printed."""
    verify_published("causal.weights_zeroed", weights * torch.tril(torch.ones(6, 6)))


def test_masked_scores_are_the_printed_ones(scores: torch.Tensor) -> None:
    """The unscaled scores with minus infinity above the diagonal are what was printed."""
    future = torch.triu(torch.ones(6, 6), diagonal=1).bool()
    verify_published("causal.scores_masked", scores.masked_fill(future, -torch.inf))


def test_filled_and_zeroed_weights_are_printed_alike() -> None:
    """Both published ways to causal weights give the same numbers."""
    verify_published("causal.weights", printed("causal.weights_renormalized"))


@pytest.mark.parametrize("entry", ["dropout.ones.a", "dropout.ones.b"])
def test_printed_dropout_of_ones_is_a_dropout(entry: str) -> None:
    """Every printed value is 0 or 1 / (1 - p), which is all that any machine must give."""
    keep = printed(entry) > 0
    verify_published(entry, keep / (1 - 0.5))
    assert 0 < int(keep.sum()) < keep.numel()


def test_the_same_call_was_printed_with_different_results() -> None:
    """The two sources disagree, so no sample of dropout can be a reference."""
    assert not torch.equal(printed("dropout.ones.a"), printed("dropout.ones.b"))


def test_dropout_of_ones_on_this_machine_is_a_dropout() -> None:
    """Whatever this machine draws: every value is 0 or 2."""
    torch.manual_seed(123)
    assert set(nn.Dropout(0.5)(torch.ones(6, 6)).flatten().tolist()) == {0.0, 2.0}


def test_printed_dropout_of_weights_is_a_dropout(weights: torch.Tensor) -> None:
    """Every printed value is 0 or twice a causal weight, with what the same source kept of the ones."""
    past = torch.tril(weights)
    past = past / past.sum(dim=-1, keepdim=True)
    values = printed("dropout.weights.a")
    survived = values > 0
    assert (values[survived] - 2 * past[survived]).abs().max() <= PRINTED
    keep = printed("dropout.ones.a") > 0
    verify_published("dropout.weights.a", past * keep / (1 - 0.5))
