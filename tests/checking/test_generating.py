"""What is said of models, and of functions that continue a text."""

from collections.abc import Callable

import pytest
import torch
from torch import nn

from grader.checking.attempt import attempt
from grader.checking.drivers.generate import SmallModel
from grader.checking.judge import judge
from grader.checking.loading import load_subject
from grader.checking.result import Result
from grader.exercises import find_exercise
from grader.exercises.case import other_input
from grader.proving.bank import Answer
from grader.references import load_exercise

CPU = torch.device("cpu")


def verdict(exercise_id: str, subject: object) -> Result:
    """Return the verdict on an answer."""
    exercise = find_exercise(exercise_id)
    reference = load_exercise(exercise.chapter, exercise.id)
    return judge(exercise, reference, attempt(exercise, subject, reference.cases, CPU, 20.0), "cpu")


def greedy(model: nn.Module, ids: torch.Tensor, num_new: int, context_length: int) -> torch.Tensor:
    """Continue a text, its gradients recorded or not as around the call."""
    for _ in range(num_new):
        ids = torch.cat([ids, model(ids[:, -context_length:])[:, -1].argmax(-1, keepdim=True)], dim=1)
    return ids


def test_a_model_is_called_without_gradients() -> None:
    """Right ids are not enough: the model sees whether its calls are recorded."""
    result = verdict("ch10-generate", greedy)
    assert result.diagnosis == ("gradient-tracked",)
    assert verdict("ch10-generate", torch.no_grad()(greedy)).diagnosis == ()


def test_recorded_gradients_are_told_beside_wrong_ids() -> None:
    """Two mistakes: that the ids are right in some cases does not make these cases right."""

    def uncropped(model: nn.Module, ids: torch.Tensor, num_new: int, context_length: int) -> torch.Tensor:
        for _ in range(num_new):
            ids = torch.cat([ids, model(ids)[:, -1].argmax(-1, keepdim=True)], dim=1)
        return ids

    assert verdict("ch10-generate", torch.no_grad()(uncropped)).diagnosis == ("crop-missing", "raises")
    assert set(verdict("ch10-generate", uncropped).diagnosis) == {
        "crop-missing",
        "raises",
        "gradient-tracked",
    }


@pytest.mark.parametrize("mode", [True, False])
def test_a_mode_that_is_left_changed_is_noticed(mode: bool) -> None:
    """Whichever mode a function leaves behind, some case was in the other."""

    @torch.no_grad()
    def leaves(model: nn.Module, *arguments: object, **options: object) -> torch.Tensor:
        model.train(mode)
        return greedy(model, *arguments, **options)

    assert verdict("ch10-generate", leaves).diagnosis == ("mode-changed",)


def test_ids_are_told_as_whole_numbers() -> None:
    """Nobody counts in four digits."""

    @torch.no_grad()
    def zeros(model: nn.Module, ids: torch.Tensor, num_new: int, context_length: int) -> torch.Tensor:
        return torch.cat([ids, ids.new_zeros(len(ids), num_new)], dim=1)

    sentence = str(verdict("ch10-generate", zeros).failure.message)
    assert "." not in sentence.split("expected ")[1].split(";", maxsplit=1)[0]


def test_small_model_refuses_what_an_embedding_refuses() -> None:
    """Positions that are not there, ids that are not there, and ids that are no whole numbers."""
    model = SmallModel(torch.zeros(3, 3), torch.zeros(2, 3), bare=False)
    for ids in (torch.zeros(1, 3, dtype=torch.long), torch.tensor([[3]]), torch.tensor([[-1]])):
        with pytest.raises(IndexError):
            model(ids)
    with pytest.raises(RuntimeError):
        model(torch.zeros(1, 2))


def test_small_model_has_no_logits_for_a_text_without_ids() -> None:
    """As a GPT: what a learner's line then asks for is an error of that line."""
    model = SmallModel(torch.zeros(3, 3), torch.zeros(2, 3), bare=False)
    assert model(torch.zeros(4, 0, dtype=torch.long)).shape == (4, 0, 3)


def test_small_model_sees_all_ids_so_far() -> None:
    """Its logits depend on every id up to their position, and on none after it."""
    model = SmallModel(torch.randn(5, 5), torch.randn(4, 5), bare=False)
    ids = torch.tensor([[0, 1, 2, 3], [4, 1, 2, 3], [0, 1, 2, 4]])
    logits = model(ids)
    assert (logits[0, -1] != logits[1, -1]).any()
    assert torch.equal(logits[0, :-1], logits[2, :-1])


@pytest.mark.parametrize("shape", [(2, 4), (3, 1)])
def test_other_ids_are_ids_of_the_same_vocabulary(shape: tuple[int, ...]) -> None:
    """Ids come in reverse order, one less, and as a copy that may be written into."""
    ids = torch.arange(shape[0] * shape[1]).view(shape)
    other = other_input(ids)
    assert other.dtype == ids.dtype
    assert set(other.flatten().tolist()) <= set(ids.flatten().tolist())
    assert other.shape == (shape[0], max(1, shape[1] - 1))
    other += 1
    assert torch.equal(ids, torch.arange(ids.numel()).view(shape))


class Block(nn.Module):
    """A right block around the course's attention; what is dropped, and when, may be told."""

    share = None
    plain = False

    def __init__(self, d_model: int, num_heads: int, context_length: int, dropout: float) -> None:
        super().__init__()
        from grader.materials import MultiHeadAttention  # noqa: PLC0415 - as a notebook has it

        share = dropout if self.share is None else self.share
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, d_model, context_length, share, num_heads)
        self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))
        if self.plain:
            self.extra = torch.zeros(d_model)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (b, T, d_model)."""
        x = x + self.attention(self.norm1(x))
        x = x + self.mlp(self.norm2(x))
        return x + self.extra if self.plain else x


class Same(Block):
    """It drops the same at every call."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (b, T, d_model)."""
        torch.manual_seed(0)
        return super().forward(x)


@pytest.mark.parametrize(
    ("subject", "codes"),
    [
        (Block, ()),
        (type("Never", (Block,), {"share": 0.0}), ("dropout-never",)),
        (Same, ("setting-left",)),
        (type("Plain", (Block,), {"plain": True}), ("tensor-left-behind",)),
    ],
)
def test_attention_inside(subject: type[nn.Module], codes: tuple[str, ...]) -> None:
    """Deep inside, dropout shows by calls that differ; and what stays behind need not be a mask."""
    assert verdict("ch10-transformer-block", subject).diagnosis == codes


@pytest.mark.parametrize(
    ("share", "codes"), [("0.9", ("dropout-wrong-rate",)), ("self.blocks[0].attention.dropout.p", ())]
)
def test_embeddings_may_be_dropped_as_often_as_asked(
    share: str, codes: tuple[str, ...], answers: Callable[[str], dict[str, Answer]]
) -> None:
    """Whether a model drops its embeddings is its own choice; how many of them is not."""
    program, blocks = answers("ch10-tiny-gpt")["textbook"].program, "for block in self.blocks:"
    assert blocks in program
    dropped = f"x = torch.dropout(x, {share}, self.training)\n        {blocks}"
    model, problem = load_subject(program.replace(blocks, dropped), "TinyGPT", "<answer>")
    assert problem is None
    assert verdict("ch10-tiny-gpt", model).diagnosis == codes
