"""What the course hands to notebooks: a text, and attention for who has none."""

import pytest
import torch
from torch import nn

from grader.checking.attempt import attempt
from grader.checking.judge import judge
from grader.exercises import find_exercise
from grader.materials import MultiHeadAttention, fables, finished, weights_of
from grader.references import load_exercise


class Own(nn.Module):
    """Attention as a learner may have it: one head at a time, queries row by row."""

    scale = True

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False) -> None:
        super().__init__()
        self.d_out, self.num_heads = d_out, num_heads
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3))
        self.out_proj = nn.Linear(d_out, d_out)

    def weights(self, x: torch.Tensor) -> torch.Tensor:
        """Return (b, h, T, T)."""
        query, key = (
            layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for layer in (self.W_query, self.W_key)
        )
        scores = query @ key.mT / (query.shape[-1] ** 0.5 if self.scale else 1.0)
        hidden = torch.ones(x.shape[1], x.shape[1]).triu(1).bool()
        return scores.masked_fill(hidden, -torch.inf).softmax(dim=-1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (b, T, d_out)."""
        value = self.W_value(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        return self.out_proj((self.weights(x) @ value).transpose(1, 2).flatten(2))


class Unscaled(Own):
    """The same with a mistake."""

    scale = False


class Unfinished(nn.Module):
    """A stub."""

    def __init__(self, *_: object, **__: object) -> None:
        raise NotImplementedError


def test_a_finished_module_goes_in(capsys: pytest.CaptureFixture) -> None:
    """A learner's own module is used if it is right."""
    assert finished(Own) is Own
    assert capsys.readouterr().out == "Your own MultiHeadAttention goes in.\n"


@pytest.mark.parametrize(
    ("theirs", "why"),
    [
        (Unfinished, "not in the cell above yet"),
        (Unscaled, "other numbers"),
        (nn.Identity, "yours raised"),
        (None, "yours raised TypeError"),
    ],
)
def test_what_does_not_work_is_replaced(theirs: object, why: str, capsys: pytest.CaptureFixture) -> None:
    """Anything else is replaced by the course's module, and the reason is told."""
    assert finished(theirs) is MultiHeadAttention
    assert why in capsys.readouterr().out


def test_trying_a_module_draws_nothing_from_the_learner_s_generator() -> None:
    """The random numbers that follow are those that would have followed."""
    torch.manual_seed(3)
    expected = torch.rand(2)
    torch.manual_seed(3)
    finished(Own)
    assert torch.equal(torch.rand(2), expected)


def test_the_course_s_module_is_no_answer_to_chapter_6() -> None:
    """It computes the same, by what chapter 6 asks to build oneself."""
    exercise = find_exercise("ch06-multi-head-attention")
    reference = load_exercise(exercise.chapter, exercise.id)
    made = attempt(exercise, MultiHeadAttention, reference.cases, torch.device("cpu"), 30.0)
    assert judge(exercise, reference, made, "cpu").diagnosis == ("forbidden-call",)


def test_the_course_s_module_refuses_what_chapter_6_refuses() -> None:
    """Heads that cannot be equal, and more tokens than there is room for."""
    with pytest.raises(ValueError, match="multiple"):
        MultiHeadAttention(4, 10, 5, 0.0, 3)
    with pytest.raises(ValueError, match="context_length"):
        MultiHeadAttention(4, 4, 5, 0.0, 2)(torch.zeros(1, 6, 4))


def test_weights_are_those_of_the_module() -> None:
    """The weights of anybody's module are what it computes inside; its mode stays."""
    module = Own(6, 6, 9, 0.0, 3).train()
    x = torch.randn(2, 5, 6)
    assert torch.allclose(weights_of(module, x), module.weights(x), atol=1e-6)
    assert module.training


def test_weights_are_shown_without_dropout() -> None:
    """Dropout in training does not change what is looked at."""
    module = MultiHeadAttention(6, 6, 9, 0.5, 3)
    sums = weights_of(module, torch.randn(2, 5, 6)).sum(dim=-1)
    assert torch.allclose(sums, torch.ones_like(sums))


def test_fables_are_plain_text() -> None:
    """Thirty fables, each with a title, in characters that any keyboard has."""
    text = fables()
    assert text.isascii()
    assert len(text.strip().split("\n\n")) == 30
    assert all(len(fable.split("\n")) == 2 for fable in text.strip().split("\n\n"))
