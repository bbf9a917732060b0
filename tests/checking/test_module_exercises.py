"""What only some modules are asked for: buffers, double precision, dropout, weights in each head."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from grader.checking.result import Result
from grader.exercises import Exercise
from grader.exercises.case import other_input
from grader.proving.posing import drawn, pose
from grader.proving.recipe import Solved

MASKED = Exercise(
    id="test-masked",
    chapter="test",
    subject="Masked",
    signature="Masked(size)",
    driver="module",
    points=1,
    difficulty=1,
    minutes=1,
    section="Masks",
    hints=(),
    parameters=("weight",),
    buffers=("mask",),
    moves=True,
)


class Masked(nn.Module):
    """Multiplies the lower triangle of x by a weight."""

    def __init__(self, size):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.register_buffer("mask", torch.ones(size, size).tril())

    def forward(self, x):
        """Return the result."""
        return x * self.mask[: x.shape[-2]] * self.weight


class PlainMask(Masked):
    """Keeps its mask as a plain tensor."""

    def __init__(self, size):
        super().__init__(size)
        del self.mask
        self.mask = torch.ones(size, size).tril()


class NamedOtherwise(Masked):
    """Gives its buffer another name."""

    def __init__(self, size):
        super().__init__(size)
        del self.mask
        self.register_buffer("causal", torch.ones(size, size).tril())

    def forward(self, x):
        """Return the result."""
        return x * self.causal[: x.shape[-2]] * self.weight


class PlainTable(Masked):
    """Has the buffer, and a plain tensor beside it."""

    def __init__(self, size):
        super().__init__(size)
        self.table = torch.ones(size)


class InSingle(Masked):
    """Rounds to float32 on the way."""

    def forward(self, x):
        """Return the result."""
        return super().forward(x).float().double()


def masked_case(dtype: torch.dtype = torch.float32) -> list[Solved]:
    """Pose one case for MASKED."""
    rng = np.random.default_rng(1)
    return [
        pose(
            rng,
            "one",
            "some numbers",
            lambda arguments, weights, options: arguments["x"].tril() * weights["weight"],
            options={"size": 3},
            arguments={"x": drawn(rng, 2, 3, 3)},
            weights={"weight": drawn(rng, 3)},
            dtype=dtype,
        )
    ]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_registered_mask_passes(verdict: Callable[..., Result], dtype: torch.dtype) -> None:
    """A mask that is a buffer passes, in single and in double precision."""
    assert verdict(MASKED, masked_case(dtype), Masked).diagnosis == ()


@pytest.mark.parametrize(
    ("subject", "code", "seen"),
    [
        (PlainMask, "mask-not-buffer", "no buffer named mask: it is a plain tensor."),
        (NamedOtherwise, "mask-not-buffer", "no buffer named mask; its buffers: causal."),
        (PlainTable, "plain-tensor", "table is a plain tensor: it stays behind when the module moves."),
    ],
)
def test_tensor_that_stays_behind_is_named(
    verdict: Callable[..., Result], subject: type[nn.Module], code: str, seen: str
) -> None:
    """A mask that is no buffer of its name, and any other plain tensor, is named."""
    result = verdict(MASKED, masked_case(), subject)
    assert result.diagnosis == (code,)
    assert seen in result.message


def test_double_precision_is_asked_for(verdict: Callable[..., Result]) -> None:
    """Where double precision is asked for, an answer that computes in single is not right."""
    exact = replace(MASKED, double_precision=True)
    result = verdict(exact, masked_case(torch.float64), InSingle)
    assert result.diagnosis == ("precision-lost",)


HEADS = replace(
    MASKED,
    buffers=(),
    parameters=("heads.*.weight",),
    biases=("heads.*.bias",),
    drawn_by="linear",
)


class Heads(nn.Module):
    """A list of layers whose results are put side by side."""

    def __init__(self, number, bias=False):
        super().__init__()
        self.heads = nn.ModuleList([nn.Linear(3, 2, bias=bias) for _ in range(number)])

    def forward(self, x):
        """Return the result."""
        return torch.cat([head(x) for head in self.heads], dim=-1)


class Backwards(Heads):
    """Creates its layers from the last to the first."""

    def __init__(self, number, bias=False):
        super().__init__(0)
        layers = [nn.Linear(3, 2, bias=bias) for _ in range(number)]
        self.heads = nn.ModuleList(reversed(layers))


def heads_case(bias: bool) -> Solved:
    """Pose a case with three heads."""
    rng = np.random.default_rng(2)
    weights = {f"heads.{head}.weight": drawn(rng, 2, 3) for head in range(3)}
    if bias:
        weights |= {f"heads.{head}.bias": drawn(rng, 2) for head in range(3)}

    def side_by_side(arguments, weights, options):
        zero = torch.zeros(2, dtype=torch.float64)
        rows = [
            arguments["x"] @ weights[f"heads.{head}.weight"].T + weights.get(f"heads.{head}.bias", zero)
            for head in range(3)
        ]
        return torch.cat(rows, dim=-1)

    return pose(
        rng,
        f"bias {bias}",
        "three heads",
        side_by_side,
        options={"number": 3, "bias": bias},
        arguments={"x": drawn(rng, 4, 3)},
        weights=weights,
    )


@pytest.mark.parametrize(("subject", "codes"), [(Heads, ()), (Backwards, ("creation-order",))])
def test_weights_of_each_head(
    verdict: Callable[..., Result], subject: type[nn.Module], codes: tuple[str, ...]
) -> None:
    """A pattern stands for the weights of every head, and for their order."""
    assert verdict(HEADS, [heads_case(False), heads_case(True)], subject).diagnosis == codes


DROPS = replace(MASKED, buffers=(), parameters=(), moves=False)


class Drops(nn.Module):
    """Shows weights (T, T), after dropout, twice."""

    def __init__(self, dropout):
        super().__init__()
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        """Return the result."""
        weights = self.dropout(x)
        return torch.cat([weights, weights], dim=-1)


class AlwaysDrops(Drops):
    """Goes on in eval()."""

    def forward(self, x):
        """Return the result."""
        weights = nn.functional.dropout(x, self.dropout.p)
        return torch.cat([weights, weights], dim=-1)


class SameEachTime(Drops):
    """Starts from the same seed at every call."""

    def forward(self, x):
        """Return the result."""
        torch.manual_seed(0)
        return super().forward(x)


class HalfDrops(Drops):
    """Drops one half, whatever it is told."""

    def __init__(self, dropout):
        super().__init__(0.5)


class Detached(nn.Module):
    """Drops, and lets no gradient through in training."""

    def __init__(self, dropout):
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.scale = nn.Parameter(torch.ones(()))

    def forward(self, x):
        """Return the rows twice."""
        dropped = self.drop(x) * (self.scale.detach() if self.training else self.scale)
        return torch.cat([dropped, dropped], dim=-1)


def dropout_case(dropout: float) -> Solved:
    """Pose a case whose result shows uniform causal weights twice."""
    weights = torch.ones(6, 12, 12).tril()
    return pose(
        np.random.default_rng(3),
        f"dropout {dropout}",
        "weights shown twice",
        lambda arguments, weights, options: torch.cat([arguments["x"]] * 2, dim=-1),
        options={"dropout": dropout},
        arguments={"x": weights / weights.sum(-1, keepdim=True)},
        differentiable=False,
    )


@pytest.mark.parametrize(
    ("subject", "dropout", "codes"),
    [
        (Drops, 0.25, ()),
        (Drops, 0.0, ()),
        (AlwaysDrops, 0.25, ("dropout-in-eval",)),
        (SameEachTime, 0.25, ("setting-left",)),
        (HalfDrops, 0.25, ("dropout-wrong-rate",)),
        (HalfDrops, 0.0, ("dropout-wrong-rate",)),
        (Detached, 0.25, ("no-gradient",)),
    ],
)
def test_dropout_of_a_module(
    verdict: Callable[..., Result], subject: type[nn.Module], dropout: float, codes: tuple[str, ...]
) -> None:
    """Dropout acts in training at the rate asked for, and not in eval()."""
    assert verdict(DROPS, [dropout_case(dropout)], subject).diagnosis == codes


KEEPS = replace(MASKED, parameters=(), buffers=(), moves=False, attributes=("size",))


class Keeps(nn.Module):
    """Keeps the size that it is given, or another value."""

    def __init__(self, size):
        super().__init__()
        self.keep(size)

    def keep(self, size):
        """Keep the size."""
        self.size = size

    def forward(self, x):
        """Return the result."""
        return x + 1.0


class KeepsOther(Keeps):
    """Keeps one more."""

    def keep(self, size):
        """Keep another size."""
        self.size = size + 1


class KeepsFloat(Keeps):
    """Keeps the size as a float."""

    def keep(self, size):
        """Keep no int."""
        self.size = float(size)


class KeepsNothing(Keeps):
    """Keeps no size."""

    def keep(self, size):
        """Keep nothing."""


@pytest.mark.parametrize(
    ("subject", "seen"),
    [
        (Keeps, "Right on its one case"),
        (KeepsOther, "Expected the attribute size to be 3, got 4."),
        (KeepsFloat, "Expected the attribute size to be 3, got a float."),
        (KeepsNothing, "Expected the attribute size to be 3, got nothing."),
    ],
)
def test_attribute_that_is_asked_for(
    verdict: Callable[..., Result], subject: type[nn.Module], seen: str
) -> None:
    """A number that a module has to keep is compared with the one that is asked for."""
    rng = np.random.default_rng(4)
    case = pose(
        rng,
        "one",
        "some numbers",
        lambda arguments, weights, options: arguments["x"] + 1.0,
        options={"size": 3},
        arguments={"x": drawn(rng, 2, 3)},
        attributes={"size": 3},
        again=other_input,
    )
    result = verdict(KEEPS, [case], subject)
    assert result.diagnosis == (() if subject is Keeps else ("wrong-attribute",))
    assert seen in result.message
