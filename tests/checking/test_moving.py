"""What is said of modules that move and are saved, of lists of names, and of trips to another device."""

from collections.abc import Callable

import pytest
import torch
from torch import nn

from grader.checking.attempt import attempt
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
    sentence = verdict("ch07-causal-attention-buffer", Forgetful).finding.sentence
    assert "at least two devices, lazy:0 and cpu" in sentence
    assert "line " in sentence


def test_listed_names_are_told_by_name() -> None:
    """A list of names is told which are missing and which are too many, and is not drawn."""
    result = verdict("ch07-stranded-tensors", lambda module: ["weight", "nowhere"])
    assert result.picture is None
    assert result.finding.sentence == (
        "Missing from your list: mask. Not to be in it, or not so often: weight, names that the module "
        "does not hold."
    )


@pytest.mark.parametrize(
    ("listed", "kind"),
    [(None, "NoneType"), ((), "tuple"), ([1], "a list of int"), ("mask", "str")],
)
def test_names_have_to_be_a_list_of_texts(listed: object, kind: str) -> None:
    """Anything but a list of texts is of the wrong type."""
    result = verdict("ch07-stranded-tensors", lambda module: listed)
    assert result.diagnosis == ("wrong-type",)
    assert f"to be a list of names, got {kind}." in result.finding.sentence


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
    """A result that stays where it was computed is on the wrong device."""

    def run_on(module: nn.Module, x: torch.Tensor, device: str | torch.device) -> torch.Tensor:
        home = next(module.parameters()).device
        result = module.to(device)(x.to(device))
        module.to(home)
        return result

    assert verdict("ch07-run-on", run_on).diagnosis == ("wrong-device",)


def test_module_has_to_come_home() -> None:
    """A module that is left on the other device is noticed, also where that is not where x is."""
    result = verdict("ch07-run-on", lambda module, x, device: module.to(device)(x.to(device)).to(x.device))
    assert result.diagnosis == ("module-moved",)
