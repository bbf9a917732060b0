"""What is said of modules that move and are saved, of lists of names, and of trips to another device."""

import copy
from collections.abc import Callable

import pytest
import torch
from torch import nn

from grader.checking.attempt import attempt
from grader.checking.drivers.run_on import Traveler
from grader.checking.judge import judge
from grader.checking.result import Result
from grader.exercises import find_exercise
from grader.references import load_exercise

CPU = torch.device("cpu")


def verdict(exercise_id: str, subject: Callable) -> Result:
    """Return the verdict on an answer."""
    exercise = find_exercise(exercise_id)
    reference = load_exercise(exercise.chapter, exercise.id)
    return judge(exercise, reference, attempt(exercise, subject, reference.cases, CPU, 10.0), "cpu")


class Attention(nn.Module):
    """A right causal attention, whose mask is a buffer that is saved."""

    persistent = True

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False) -> None:
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3))
        self.dropout = nn.Dropout(dropout)
        mask = torch.ones(context_length, context_length).triu(1).bool()
        self.register_buffer("mask", mask, persistent=self.persistent)

    def hidden(self, size: int) -> torch.Tensor:
        """Return the mask for so many tokens."""
        return self.mask[:size, :size]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return context vectors (b, T, d_out)."""
        query, key, value = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = (query @ key.mT).masked_fill(self.hidden(x.shape[1]), -torch.inf)
        return self.dropout(torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)) @ value


class Lean(Attention):
    """The same, not saved."""

    persistent = False


class Forgetful(Attention):
    """It makes its mask anew on the CPU."""

    def hidden(self, size: int) -> torch.Tensor:
        """Return a mask that is on the CPU."""
        return self.mask[:size, :size].cpu()


@pytest.mark.parametrize(
    ("exercise_id", "subject", "codes"),
    [
        ("ch07-causal-attention-buffer", Attention, ()),
        ("ch07-causal-attention-buffer", Lean, ("mask-not-saved",)),
        ("ch07-causal-attention-buffer", Forgetful, ("tensor-left-behind",)),
        ("ch07-non-persistent", Lean, ()),
        ("ch07-non-persistent", Attention, ("mask-saved",)),
    ],
)
def test_moves_and_saves(exercise_id: str, subject: type[nn.Module], codes: tuple[str, ...]) -> None:
    """What a module moves and what it saves is seen without a GPU."""
    assert verdict(exercise_id, subject).diagnosis == codes


def test_operation_on_two_devices_is_told_with_its_line() -> None:
    """What stays behind is told with both devices and the learner's line."""
    sentence = str(verdict("ch07-causal-attention-buffer", Forgetful).failure.message)
    assert "at least two devices, lazy:0 and cpu" in sentence
    assert "line " in sentence


def test_listed_names_are_told_by_name() -> None:
    """A list of names is told which are missing and which are too many, and is not drawn."""
    result = verdict("ch07-stranded-tensors", lambda module: ["weight", "nowhere"])
    assert result.picture is None
    assert str(result.failure.message) == (
        "Missing from your list: mask. Not to be in it, or not so often: weight. In your list are names "
        "under which the module holds no tensor."
    )


@pytest.mark.parametrize(
    ("listed", "kind"),
    [(None, "NoneType"), ((), "tuple"), ([1], "list of int"), ("mask", "str")],
)
def test_names_have_to_be_a_list_of_texts(listed: object, kind: str) -> None:
    """Anything but a list of texts is of the wrong type."""
    result = verdict("ch07-stranded-tensors", lambda module: listed)
    assert result.diagnosis == ("wrong-type",)
    assert f"to be a list of names, got {kind}." in str(result.failure.message)


def test_a_module_that_is_taken_apart_is_noticed() -> None:
    """A function that registers what it finds has changed the module it was given."""

    def mend(module: nn.Module) -> list[str]:
        found = []
        for prefix, part in module.named_modules():
            for name, value in list(vars(part).items()):
                if isinstance(value, torch.Tensor):
                    delattr(part, name)
                    part.register_buffer(name, value)
                    found.append(f"{prefix}.{name}".lstrip("."))
        return sorted(found)

    assert verdict("ch07-stranded-tensors", mend).diagnosis == ("input-modified",)


def test_result_has_to_come_home() -> None:
    """A result that stays where it was computed was left behind."""

    def run_on(module: nn.Module, x: torch.Tensor, device: str | torch.device) -> torch.Tensor:
        home = next(module.parameters()).device
        result = module.to(device)(x.to(device))
        module.to(home)
        return result

    assert verdict("ch07-run-on", run_on).diagnosis == ("result-left-behind",)


def test_module_has_to_come_home() -> None:
    """A module that is left on the other device is noticed, also where that is not where x is."""
    result = verdict("ch07-run-on", lambda module, x, device: module.to(device)(x.to(device)).to(x.device))
    assert result.diagnosis == ("module-moved",)


class Doubled(Attention):
    """It keeps a second mask, as a plain attribute."""

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.second = self.mask.clone()


class Unbounded(Attention):
    """It makes its mask anew on the CPU and takes any number of tokens."""

    def hidden(self, size: int) -> torch.Tensor:
        """Return a mask of any size."""
        return torch.ones(size, size).triu(1).bool()


class Rounded(Attention):
    """It divides by a float32, whatever the dtype of its weights is."""

    one = torch.tensor(1.0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return context vectors (b, T, d_out) with fewer digits."""
        return super().forward(x) * (self.one / 3) * 3


class RoundedOnTheCPU(Rounded):
    """The same, by a tensor with an axis, which a GPU does not mix with its own."""

    one = torch.ones(1)


@pytest.mark.parametrize(
    ("subject", "code"),
    [
        (Doubled, "plain-tensor"),
        (Unbounded, "tensor-left-behind"),
        (Rounded, "precision-lost"),
        (RoundedOnTheCPU, "tensor-left-behind"),
    ],
)
def test_what_stays_behind_is_told_first(subject: type[nn.Module], code: str) -> None:
    """A tensor that stays behind is told before an input that is not refused and before lost digits."""
    result = verdict("ch07-causal-attention-buffer", subject)
    assert result.diagnosis == (code,)
    assert result.picture is None  # the numbers are right, as far as four digits show


def test_module_that_was_moved_to_be_looked_at_is_told() -> None:
    """A module that a search moved to the device meta is told as moved, not as an argument that is gone."""

    def stranded(module: nn.Module) -> list[str]:
        module.to("meta")
        return sorted(
            f"{prefix}.{name}".lstrip(".")
            for prefix, part in module.named_modules()
            for name, value in vars(part).items()
            if isinstance(value, torch.Tensor)
        )

    assert verdict("ch07-stranded-tensors", stranded).diagnosis == ("module-moved",)


def test_tensors_in_lists_are_not_asked_for() -> None:
    """A name of a list that holds tensors is one too many."""

    def stranded(module: nn.Module) -> list[str]:
        return sorted(
            f"{prefix}.{name}".lstrip(".")
            for prefix, part in module.named_modules()
            for name, value in vars(part).items()
            if isinstance(value, torch.Tensor | list)
        )

    result = verdict("ch07-stranded-tensors", stranded)
    assert [case.name for case in result.cases if not case.passed] == ["in a list"]
    assert str(result.failure.message) == "Not to be in it, or not so often: masks, inner.tables."


def test_module_may_be_called_once_only() -> None:
    """A call for each row is told as such, not as a run somewhere else."""

    def run_on(module: nn.Module, x: torch.Tensor, device: str | torch.device) -> torch.Tensor:
        module = copy.deepcopy(module).to(device)
        return torch.stack([module(row) for row in x.to(device)]).to(x.device)

    assert verdict("ch07-run-on", run_on).diagnosis == ("module-called-again",)


def test_traveler_can_be_moved_back_before_its_gradient() -> None:
    """Backward works after the parameters' numbers were exchanged, as ``to`` exchanges them on a GPU.

    Another dtype stands for the other device: PyTorch keeps the parameter and exchanges its numbers for both.
    """
    traveler = Traveler(torch.ones(3, 2), torch.zeros(2), [])
    x = torch.ones(4, 3, requires_grad=True)
    result = traveler.to(torch.float64)(x.double()).float()
    traveler.to(torch.float32)
    result.sum().backward()
    assert x.grad.shape == x.shape
