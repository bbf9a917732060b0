"""Dropout is judged by what any sample of it must show."""

import pytest
import torch
from torch.nn import functional as F

from grader.topics.attention.dropout import judge_dropout, judge_inside

BATCH, HEADS, TOKENS, P = 6, 2, 12, 0.25


def weights_of(scores: torch.Tensor) -> torch.Tensor:
    """Causal weights of scores (b, heads, T, T)."""
    future = torch.ones(TOKENS, TOKENS).triu(1).bool()
    return scores.masked_fill(future, -torch.inf).softmax(-1)


@pytest.fixture
def scores() -> torch.Tensor:
    """Return scores (b, heads, T, T)."""
    torch.manual_seed(1)
    return torch.randn(BATCH, HEADS, TOKENS, TOKENS) / 2


def shown(weights: torch.Tensor, other: torch.Tensor | None = None) -> torch.Tensor:
    """Return what a case shows: each head's weights twice, (b, T, heads * 2 T)."""
    both = torch.stack([weights, weights if other is None else other], dim=2)  # (b, heads, 2, T, T)
    return both.permute(0, 3, 1, 2, 4).flatten(2)


def code_of(train: torch.Tensor, scores: torch.Tensor) -> str:
    """Return the code of a result in training; empty if it is right."""
    verdict = judge_dropout(train, shown(weights_of(scores)).double(), P)
    return verdict[0] if verdict else ""


@pytest.mark.parametrize("seed", range(20))
def test_right_dropout_passes(scores: torch.Tensor, seed: int) -> None:
    """Any sample of right dropout passes."""
    torch.manual_seed(seed)
    assert code_of(shown(F.dropout(weights_of(scores), P)), scores) == ""


def dropped_by(weights: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    """Drop with one sample of this shape for all that it is broadcast to."""
    return weights * (torch.rand(shape) >= P) / (1 - P)


def test_each_mistake_has_its_code(scores: torch.Tensor) -> None:
    """What each mistake does to the weights is told apart."""
    weights = weights_of(scores)
    keep = torch.rand(weights.shape) >= P
    mistakes = {
        "dropout-never": weights,
        "dropout-not-rescaled": weights * keep,
        "dropout-wrong-factor": weights * keep / P,
        "dropout-keep-inverted": weights * ~keep / (1 - P),
        "dropout-wrong-rate": F.dropout(weights, 0.5),
        "dropout-before-softmax": weights_of(F.dropout(scores, P)),
    }
    assert {code: code_of(shown(train), scores) for code, train in mistakes.items()} == {
        code: code for code in mistakes
    }


def test_scaled_but_never_dropped(scores: torch.Tensor) -> None:
    """The scale of the survivors alone is no dropout."""
    assert code_of(shown(weights_of(scores) / (1 - P)), scores) == "dropout-never"


def test_dropout_that_is_renormalized(scores: torch.Tensor) -> None:
    """Weights that are dropped and made to sum to 1 again were dropped before the softmax, in effect."""
    kept = weights_of(scores) * (torch.rand(scores.shape) >= P)
    kept[..., 0] += 1e-6  # no row is left empty
    assert code_of(shown(kept / kept.sum(-1, keepdim=True)), scores) == "dropout-before-softmax"


def test_dropout_on_the_context(scores: torch.Tensor) -> None:
    """Dropped features of the context: the two copies lose different ones."""
    assert code_of(F.dropout(shown(weights_of(scores)), P), scores) == "dropout-on-context"


@pytest.mark.parametrize(
    "shape", [(1, HEADS, TOKENS, TOKENS), (BATCH, 1, TOKENS, TOKENS)], ids=["batch", "heads"]
)
def test_one_sample_for_all(scores: torch.Tensor, shape: tuple[int, ...]) -> None:
    """One sample for all batch items, or all heads, is told."""
    torch.manual_seed(0)
    assert code_of(shown(dropped_by(weights_of(scores), shape)), scores) == "dropout-shared"


def test_one_sample_for_all_queries(scores: torch.Tensor) -> None:
    """Whole keys dropped, the same for every query, are told where their share is right."""
    keep = torch.ones(BATCH, HEADS, 1, TOKENS)
    for i in range(BATCH * HEADS):  # every fourth key: a share of about P of the lower triangle
        keep.view(-1, TOKENS)[i, i % 4 :: 4] = 0.0
    assert code_of(shown(weights_of(scores) * keep / (1 - P)), scores) == "dropout-shared"


def test_nan_in_training(scores: torch.Tensor) -> None:
    """NaN is told as such."""
    assert code_of(shown(weights_of(scores)) * torch.nan, scores) == "not-finite"


def test_other_shape_in_training(scores: torch.Tensor) -> None:
    """Another shape in training is told as such."""
    assert code_of(shown(weights_of(scores))[:, :-1], scores) == "wrong-shape"


def inside(weights: torch.Tensor, added: float, scale: bool) -> torch.Tensor:
    """Return what a block's case shows: a feature of 0, its own, an MLP's, then each head's weights."""
    torch.manual_seed(2)
    shows = F.dropout(shown(weights), added)
    rest = torch.cat((torch.zeros(*shows.shape[:2], 1), torch.ones(*shows.shape[:2], 2)), dim=-1)
    result = torch.cat((rest, shows), dim=-1)
    # Like a LayerNorm, whose scale is each token's own.
    return F.layer_norm(result, result.shape[-1:]) if scale else result


def test_all_dropped_inside(scores: torch.Tensor) -> None:
    """Where every weight is gone, nobody says that none was dropped."""
    weights = weights_of(scores)
    code, told = judge_inside(inside(weights * 0.0, 0.0, True), inside(weights, 0.0, True).double(), P)
    assert code == "dropout-wrong-rate"
    assert "no attention weight at all" in str(told)


@pytest.mark.parametrize("scale", [False, True])
@pytest.mark.parametrize(
    ("share", "added", "code"),
    [
        (P, 0.0, ""),
        (P, P, ""),
        (0.0, 0.0, "dropout-never"),
        (0.0, P, "dropout-on-context"),
        (2 * P, 0.0, "dropout-wrong-rate"),
        (P / 2, 0.0, "dropout-wrong-rate"),
        (P / 2, P, "dropout-wrong-rate"),
        (P, 1 - P, "dropout-wrong-rate"),
        (1 - P, 0.0, "dropout-keep-inverted"),
        (1 - P, P, "dropout-keep-inverted"),
    ],
)
def test_dropout_inside(scores: torch.Tensor, share: float, added: float, code: str, scale: bool) -> None:
    """Inside a block the share shows, whether what a block adds is dropped as well or not."""
    torch.manual_seed(3)
    weights = weights_of(scores)
    train = inside(F.dropout(weights, share), added, scale)
    verdict = judge_inside(train, inside(weights, 0.0, scale).double(), P)
    assert (verdict[0] if verdict else "") == code


@pytest.mark.parametrize(
    ("factor", "other", "code"),
    [
        (1.0, 1.0, ""),
        (1.0 - P, 1.0, "dropout-not-rescaled"),
        (2.0, 1.0, "dropout-wrong-factor"),
        (1.0, 0.0, "unrecognized"),
    ],
)
def test_scale_inside(scores: torch.Tensor, factor: float, other: float, code: str) -> None:
    """Where no LayerNorm scales the rest, the factor shows, and whether other features were dropped."""
    torch.manual_seed(4)
    weights = weights_of(scores)
    train = inside(F.dropout(weights, P) * factor, 0.0, False)
    train[..., 1] *= other
    verdict = judge_inside(train, inside(weights, 0.0, False).double(), P)
    assert (verdict[0] if verdict else "") == code


def test_rows_that_are_dropped_together(scores: torch.Tensor) -> None:
    """One sample for all keys of a query drops every row whole."""
    weights = weights_of(scores)
    rows = (*weights.shape[:-1], 1)
    assert code_of(shown(dropped_by(weights, rows)), scores) == "dropout-shared"


@pytest.mark.parametrize(("axis", "told"), [(2, "for query 1"), (3, "for key 8")])
def test_weights_that_are_never_dropped_are_told(scores: torch.Tensor, axis: int, told: str) -> None:
    """Where a large batch drops no weight of one query or key, that is said."""
    torch.manual_seed(2)
    weights = weights_of(scores.repeat(20, 1, 1, 1))
    train = F.dropout(weights, P)
    place = int(told[-1])
    train.select(axis, place).copy_(weights.select(axis, place) / (1 - P))
    verdict = judge_dropout(shown(train), shown(weights).double(), P)
    assert verdict[0] == "dropout-spares"
    assert told in str(verdict[1])
    assert judge_dropout(shown(F.dropout(weights, P)), shown(weights).double(), P) is None
