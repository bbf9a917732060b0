"""What ``explore`` accepts as attention weights, and what it says of anything else."""

import re

import pytest
import torch

from grader.errors import GraderError, WeightsError
from grader.topics.attention.widgets.weights import read_attention

WORDS = ["Your", "journey", "starts", "with", "one", "step"]


@pytest.fixture
def scores() -> torch.Tensor:
    """Return scores of two heads, six queries and six keys, the future hidden."""
    drawn = torch.randn(2, 6, 6, generator=torch.Generator().manual_seed(0))
    return drawn.masked_fill(torch.ones(6, 6).triu(1).bool(), -torch.inf)


@pytest.fixture
def weights(scores: torch.Tensor) -> torch.Tensor:
    """Return the scores' softmax."""
    return scores.softmax(dim=-1)


def refusal(*arguments: object, **options: object) -> str:
    """Return the message with which arguments are refused."""
    with pytest.raises(WeightsError) as caught:
        read_attention(*arguments, **options)
    return str(caught.value)


def test_error_is_the_packages_and_a_value_error() -> None:
    """A notebook may catch it as either."""
    assert issubclass(WeightsError, GraderError)
    assert issubclass(WeightsError, ValueError)


def test_one_matrix_is_one_head(weights: torch.Tensor) -> None:
    """A matrix without an axis of heads needs no name."""
    attention = read_attention(weights[0], WORDS)
    assert attention.weights.shape == (1, 6, 6)
    assert attention.heads == ("weights",)
    assert attention.queries == attention.keys == tuple(WORDS)


def test_heads_are_numbered_or_named(weights: torch.Tensor) -> None:
    """Names are the index unless given."""
    assert read_attention(weights, WORDS).heads == ("head 0", "head 1")
    assert read_attention(weights, WORDS, heads=["near", "far"]).heads == ("near", "far")


def test_queries_of_another_text_have_words_of_their_own(weights: torch.Tensor) -> None:
    """The queries need not be the keys' tokens."""
    attention = read_attention(weights[:, 2:4], WORDS, ["a", "b"])
    assert attention.queries == ("a", "b")
    assert attention.keys == tuple(WORDS)


def test_logits_are_the_logarithms_and_hidden_keys_stay_hidden(weights: torch.Tensor) -> None:
    """The softmax of what a temperature divides is the weights, and a zero is minus infinity."""
    attention = read_attention(weights, WORDS)
    assert torch.equal(attention.logits.isneginf(), weights == 0)
    torch.testing.assert_close(attention.logits.softmax(dim=-1), weights.double())
    assert not attention.scored


def test_given_scores_are_the_logits(weights: torch.Tensor, scores: torch.Tensor) -> None:
    """Scores are kept as they were given."""
    attention = read_attention(weights, WORDS, scores=scores)
    assert torch.equal(attention.logits, scores.double())
    assert attention.scored


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_rounded_weights_are_weights(weights: torch.Tensor, dtype: torch.dtype) -> None:
    """Rounding to any of torch's floats leaves rows that are taken as sums of 1."""
    assert read_attention(weights.to(dtype), WORDS).weights.dtype == torch.float64


def test_weights_are_not_modified_nor_kept_in_autograd(weights: torch.Tensor) -> None:
    """Weights straight out of a module may be given."""
    learned = weights.clone().requires_grad_()
    assert not read_attention(learned, WORDS).weights.requires_grad
    assert torch.equal(learned, weights)


def test_blanks_around_a_token_are_visible(weights: torch.Tensor) -> None:
    """What would not show is exchanged; blanks between letters stay."""
    tokens = [" the", "\n", "", "new york", "a\t", " "]
    assert read_attention(weights, tokens).keys == ("␣the", "⏎", "∅", "new york", "a⇥", "␣")


def test_what_is_no_tensor_is_refused(weights: torch.Tensor) -> None:
    """A list says what to do with it."""
    assert refusal(weights.tolist(), WORDS) == (
        "weights: expected a tensor, got list. Make it one with torch.tensor."
    )
    assert "expected real numbers, got torch.bool" in refusal(weights > 0, WORDS)


def test_a_batch_is_refused(weights: torch.Tensor) -> None:
    """One text at a time is shown."""
    assert refusal(weights[None], WORDS) == (
        "weights: expected shape (T_q, T_k) or (h, T_q, T_k), got (1, 2, 6, 6). "
        "Choose one text of the batch: weights[0]."
    )
    assert "got (6,)." in refusal(weights[0, 0], WORDS)


def test_nothing_and_too_much_are_refused() -> None:
    """Sizes from 1 to 256 can be shown."""
    assert "between 1 and 256" in refusal(torch.zeros(0, 0), [])
    assert "got shape (257, 257)" in refusal(torch.eye(257), ["a"] * 257)


@pytest.mark.parametrize("value", [torch.nan, torch.inf])
def test_numbers_that_are_not_finite_are_refused(weights: torch.Tensor, value: float) -> None:
    """The place is said."""
    weights[1, 2, 3] = value
    assert f"got {value} at weights[1, 2, 3]" in refusal(weights, WORDS)


def test_negative_numbers_are_refused(weights: torch.Tensor) -> None:
    """Most often somebody gave the scores."""
    weights[0, 1, 1] = -0.5
    assert "got -0.5 at weights[0, 1, 1]. Are these scores?" in refusal(weights, WORDS)


def test_rows_that_do_not_sum_to_one_are_refused(weights: torch.Tensor) -> None:
    """Weights after dropout, or a softmax over the wrong axis, are refused with their row."""
    weights[1, 4] *= 1.25
    assert "sum to 1, got 1.25 for the row weights[1, 4]" in refusal(weights, WORDS)
    assert "sum to 1" in refusal(torch.randn(6, 6).softmax(dim=0), WORDS)


def test_words_must_be_as_many_as_the_numbers(weights: torch.Tensor) -> None:
    """Which count belongs to which axis is said."""
    assert refusal(weights, WORDS[:5]) == (
        "tokens: expected 6 strings (weights.shape[-1], the number of keys), got 5."
    )
    assert "query_tokens: expected 6 strings" in refusal(weights, WORDS, ["a"])
    assert "Give the 2 words of the queries as query_tokens" in refusal(weights[:, :2], WORDS)
    assert "heads: expected 2 strings" in refusal(weights, WORDS, heads=["near"])


def test_words_must_be_strings(weights: torch.Tensor) -> None:
    """A text not split, and token ids, are refused."""
    assert "got one string. Split it with .split()" in refusal(weights, " ".join(WORDS))
    assert "tokens[0]: expected a string, got int" in refusal(weights, list(range(6)))


def test_scores_must_be_those_of_the_weights(weights: torch.Tensor, scores: torch.Tensor) -> None:
    """Scores before the scaling, of another shape or not finite are refused."""
    assert re.search(
        r"whose softmax is weights, got .* after the scaling", refusal(weights, WORDS, scores=3 * scores)
    )
    assert "the shape of weights, (2, 6, 6), got (6, 6)" in refusal(weights, WORDS, scores=scores[0])
    scores[0, 0, 0] = torch.nan
    assert "got nan at scores[0, 0, 0]" in refusal(weights, WORDS, scores=scores)


def test_a_row_of_hidden_keys_is_refused(weights: torch.Tensor, scores: torch.Tensor) -> None:
    """A row that has no softmax is not overlooked."""
    scores[0, 3] = -torch.inf
    assert "at scores[0, 3, 0]" in refusal(weights, WORDS, scores=scores)
