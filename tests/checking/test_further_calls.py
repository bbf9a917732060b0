"""What only a second caller sees: state, shared memory, another layout, settings, changed modules."""

import random
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from grader.checking.memory import array_in_another_layout, in_another_layout, other_numbers, spoil
from grader.checking.result import Result
from grader.checking.side_effects import ModuleState, Settings
from grader.exercises import Exercise
from grader.exercises.case import other_input
from grader.proving.posing import drawn, pose
from grader.proving.recipe import Solved

Verdict = Callable[[Exercise, list[Solved], object], Result]

ROWS = Exercise(
    id="test-rows",
    chapter="test",
    subject="rows",
    signature="rows(x): (..., n) -> (..., n)",
    driver="function",
    points=1,
    difficulty=1,
    minutes=1,
    section="Rows",
    hints=(),
)


def doubled(arguments, weights, options) -> torch.Tensor:
    """Solve ROWS."""
    return 2.0 * arguments["x"]


def thorough(solved: Solved) -> list[Solved]:
    """Return a case, as the thorough one of its exercise."""
    return [replace(solved, case=replace(solved.case, thorough=True))]


def rows_case(**more: object) -> list[Solved]:
    """Pose a thorough case of ROWS."""
    rng = np.random.default_rng(5)
    given = {"arguments": {"x": drawn(rng, 2, 3)}} | more
    return thorough(pose(rng, "one", "some numbers", doubled, **given))


KEPT: dict[object, torch.Tensor] = {}


def by_shape(x):
    """Remember results by the shape of the argument."""
    return KEPT.setdefault(tuple(x.shape), 2 * x).clone()


def by_object(x):
    """Remember results by the argument's address."""
    return KEPT.setdefault(x.data_ptr(), 2 * x).clone()


def same_object(x):
    """Return one piece of memory for the same numbers."""
    return KEPT.setdefault(tuple(x.flatten().tolist()), 2 * x)


def flat(x):
    """Read the argument as one row, which not every layout bears."""
    return (2 * x.view(-1)).view(x.shape)


def by_strides(x):
    """Read the memory behind the argument in its order."""
    return 2 * x.as_strided(x.shape, (x.shape[-1], 1))


def watched(x):
    """Leave the argument watched."""
    x.requires_grad_()
    return 2 * x


def written_where_it_lies_otherwise(x):
    """Change the argument where it does not lie in memory row by row."""
    return 2 * x if x.is_contiguous() else x.data.mul_(2).clone()


def in_double(x):
    """Leave another default dtype."""
    torch.set_default_dtype(torch.float64)
    return 2 * x


def no_more_gradients(x):
    """Leave gradients off."""
    result = 2 * x
    torch.set_grad_enabled(False)
    return result


def seeded(x):
    """Seed torch's generator."""
    torch.manual_seed(0)
    return 2 * x


def seeded_python(x):
    """Seed Python's generator."""
    random.seed(1)
    return 2 * x


def seeded_numpy(x):
    """Seed NumPy's generator."""
    np.random.seed(1)
    return 2 * x


def draws(x):
    """Draw from every generator, which is nobody's harm."""
    torch.rand(3)
    np.random.rand(300)
    random.random()
    return 2 * x


@pytest.mark.parametrize(
    ("subject", "codes"),
    [
        (lambda x: 2 * x, ()),
        (lambda x: (x + x.expand(x.shape)).contiguous(), ()),
        (draws, ()),
        (by_shape, ("state-kept",)),
        (by_object, ("state-kept",)),
        (same_object, ("result-shared",)),
        (flat, ("layout-dependent",)),
        (by_strides, ("layout-dependent",)),
        (watched, ("argument-watched",)),
        (written_where_it_lies_otherwise, ("input-modified",)),
        (in_double, ("setting-left",)),
        (no_more_gradients, ("setting-left",)),
        (seeded, ("setting-left",)),
        (seeded_python, ("setting-left",)),
        (seeded_numpy, ("setting-left",)),
    ],
)
def test_function(verdict: Verdict, subject: Callable, codes: tuple[str, ...]) -> None:
    """A function that is right at first, and what a second caller sees of it."""
    KEPT.clear()
    assert verdict(ROWS, rows_case(), subject).diagnosis == codes


def test_what_a_kept_state_adds_is_not_told_in_numbers(verdict: Verdict) -> None:
    """It depends on all calls before, which a learner does not see."""
    KEPT.clear()
    told = verdict(ROWS, rows_case(), by_shape).message
    assert "gave another result." in told
    assert "expected" not in told


def test_settings_are_put_back(verdict: Verdict) -> None:
    """What an answer sets for the whole process does not outlive its check."""
    before = torch.get_default_dtype(), random.getstate()
    verdict(ROWS, rows_case(), in_double)
    verdict(ROWS, rows_case(), seeded_python)
    assert (torch.get_default_dtype(), random.getstate()) == before


@pytest.mark.parametrize(("new_memory", "codes"), [(True, ("input-shared",)), (False, ())])
def test_view_of_the_argument(verdict: Verdict, new_memory: bool, codes: tuple[str, ...]) -> None:
    """A view of an argument is fine, but where memory of its own is asked for."""
    rng = np.random.default_rng(5)
    case = pose(rng, "one", "numbers", lambda a, w, o: a["x"].mT, arguments={"x": drawn(rng, 2, 3)})
    exercise = replace(ROWS, new_memory=new_memory)
    assert verdict(exercise, thorough(case), lambda x: x.mT).diagnosis == codes
    assert verdict(exercise, thorough(case), lambda x: x.mT.clone()).diagnosis == ()


def test_absent_gradient_is_a_zero_gradient(verdict: Verdict) -> None:
    """Where the right gradient is zero, none at all is as good; where it is not, it is missing."""
    rng = np.random.default_rng(5)

    def sums(x, y):
        return x.sum(-1) + 0 * y.sum()

    case = pose(
        rng,
        "one",
        "numbers",
        lambda a, w, o: sums(a["x"], a["y"]),
        arguments={"x": drawn(rng, 2, 3), "y": drawn(rng, 2)},
    )
    assert verdict(ROWS, [case], lambda x, y: x.sum(-1)).diagnosis == ()
    assert verdict(ROWS, [case], lambda x, y: x.detach().sum(-1)).diagnosis == ("no-gradient",)


LAYER = replace(ROWS, driver="module", parameters=("weight",), moves=True)


class Layer(nn.Module):
    """Multiplies by a weight and adds the places of the rows."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))

    def places(self, x):
        """Return (T, 1)."""
        return torch.arange(len(x), device=x.device)[:, None]

    def forward(self, x):
        """Return (T, 3) for x (T, 3)."""
        return x * self.weight + self.places(x)


class CutToTheLast(Layer):
    """Keeps its table cut to the last length."""

    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.arange(9)[:, None])

    def places(self, x):
        """Return (T, 1)."""
        self.table = self.table[: len(x)]
        return self.table


class FirstLength(Layer):
    """Makes a table for the first length that comes in."""

    table = None

    def places(self, x):
        """Return (T, 1)."""
        if self.table is None:
            self.table = super().places(x)
        return self.table[: len(x)]


class FirstDevice(Layer):
    """Keeps tables by length, on the device of the first call."""

    def places(self, x):
        """Return (T, 1)."""
        tables = self.__dict__.setdefault("tables", {})
        if len(x) not in tables:
            tables[len(x)] = super().places(x)
        return tables[len(x)]


class ByDevice(Layer):
    """Keeps tables by length and device."""

    def places(self, x):
        """Return (T, 1)."""
        tables = self.__dict__.setdefault("tables", {})
        key = len(x), x.device
        if key not in tables:
            tables[key] = super().places(x)
        return tables[key]


class Plain(Layer):
    """Keeps a table as a plain attribute and takes it along in forward."""

    def __init__(self):
        super().__init__()
        self.table = torch.arange(9)[:, None]

    def places(self, x):
        """Return (T, 1)."""
        return self.table[: len(x)].to(x.device)


class WrongElsewhere(Layer):
    """Gives other numbers where it is not on the CPU."""

    def forward(self, x):
        """Return (T, 3) for x (T, 3)."""
        result = super().forward(x)
        return result if x.device.type == "cpu" else result + 1


class OfTheLastMade(Layer):
    """Uses the weight of whichever was made last."""

    def __init__(self):
        super().__init__()
        type(self).last = self

    def forward(self, x):
        """Return (T, 3) for x (T, 3)."""
        return Layer.forward(type(self).last, x)


class InEval(Layer):
    """Puts itself into eval()."""

    def forward(self, x):
        """Return (T, 3) for x (T, 3)."""
        self.eval()
        return super().forward(x)


def layer_case() -> list[Solved]:
    """Pose a thorough case of LAYER."""
    rng = np.random.default_rng(6)
    case = pose(
        rng,
        "one",
        "some numbers",
        lambda a, w, o: a["x"] * w["weight"] + torch.arange(len(a["x"]))[:, None],
        arguments={"x": drawn(rng, 4, 3)},
        weights={"weight": drawn(rng, 3)},
    )
    return thorough(case)


@pytest.mark.parametrize(
    ("subject", "codes"),
    [
        (Layer, ()),
        (ByDevice, ()),
        (Plain, ()),
        (CutToTheLast, ("state-kept",)),
        (FirstLength, ("state-kept",)),
        (OfTheLastMade, ("state-kept",)),
        (FirstDevice, ("tensor-left-behind",)),
        (WrongElsewhere, ("tensor-left-behind",)),
        (InEval, ("mode-changed",)),
    ],
)
def test_module(verdict: Verdict, subject: type[nn.Module], codes: tuple[str, ...]) -> None:
    """A module that is right at first, and what a second caller, another length and device show."""
    assert verdict(LAYER, layer_case(), subject).diagnosis == codes


def test_constructor_has_to_refuse(verdict: Verdict) -> None:
    """A case without arguments asks the constructor for the error; one in forward comes too late."""

    class Refuses(nn.Module):
        def __init__(self, size):
            super().__init__()
            if size % 2:
                raise ValueError("odd")

    class RefusesLater(nn.Module):
        def __init__(self, size):
            super().__init__()

        def forward(self, x):
            raise ValueError("odd")

    case = pose(
        np.random.default_rng(0), "odd", "an odd size", doubled, options={"size": 3}, raises="ValueError"
    )
    exercise = replace(ROWS, driver="module")
    assert verdict(exercise, [case], Refuses).diagnosis == ()
    result = verdict(exercise, [case], RefusesLater)
    assert result.diagnosis == ("wrong-exception",)
    assert "by the constructor" in result.message


class Given(nn.Module):
    """A module with a module inside, of which each is in a mode of its own."""

    def __init__(self):
        super().__init__()
        self.inside = nn.Linear(2, 2)
        self.inside.eval()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda m: m.train(m.training), "training mode"),
        (lambda m: m.eval(), "training mode"),
        (lambda m: m.register_forward_hook(print), "hooks"),
        (lambda m: m.inside.register_forward_pre_hook(print), "hooks"),
        (lambda m: m.requires_grad_(False), "requires_grad"),
        (lambda m: m.inside(torch.ones(2)).sum().backward(), "gradients"),
        (lambda m: setattr(m, "note", 1), "attributes"),
        (lambda m: m.register_buffer("note", torch.ones(1)), "attributes"),
        (lambda m: setattr(m.inside, "weight", nn.Parameter(torch.ones(2, 2))), "tensors"),
    ],
)
def test_change_of_a_module_is_seen(change: Callable, said: str) -> None:
    """Whatever is set on a module, or on one inside it, shows in the part that it belongs to."""
    module = Given()
    before = ModuleState.of(module)
    assert before.changed(module) == ()
    change(module)
    assert said in {one.name for one in before.changed(module)}


def test_many_draws_are_not_a_seed() -> None:
    """Drawing leaves a generator's key as it is, as far as a function has reason to draw."""
    settings = Settings(seeds=True)
    for _ in range(300):
        random.random()
    np.random.rand(3000)
    assert settings.changed() == ()
    random.seed(3)
    assert [one.name for one in settings.changed()] == ["the seed of Python's random numbers"]
    settings.restore()
    assert Settings(seeds=True).changed() == ()


@pytest.mark.parametrize("shape", [(4,), (2, 3), (2, 3, 4), (1, 5), (2, 1, 3)])
def test_another_layout_has_the_same_numbers(shape: tuple[int, ...]) -> None:
    """The numbers are the same, gradients arrive, and the strides are others where that is possible."""
    tensor = torch.arange(float(np.prod(shape))).reshape(shape)
    leaf = tensor.clone().requires_grad_()
    other = in_another_layout(leaf)
    assert torch.equal(other, tensor)
    assert not other.is_contiguous() or sum(size > 1 for size in shape) < len(shape)
    other.sum().backward()
    assert torch.equal(leaf.grad, torch.ones(shape))
    array = array_in_another_layout(tensor.numpy())
    assert np.array_equal(array, tensor.numpy())
    assert array.base is not tensor.numpy()


def test_spoiled_memory_can_be_restored() -> None:
    """All of the memory behind a view is written over, and put back."""
    table = torch.arange(6.0).reshape(2, 3)
    restore = spoil(table[0])
    assert (table == table[0, 0]).all()
    restore()
    assert torch.equal(table, torch.arange(6.0).reshape(2, 3))


def test_other_numbers_differ_and_fit() -> None:
    """Floats change; ids, of which others might stand for nothing, change their order; bools stay."""
    assert not torch.equal(other_numbers(torch.arange(3.0)), torch.arange(3.0))
    assert other_numbers(torch.arange(3)).tolist() == [2, 1, 0]
    assert other_numbers(torch.tensor([True, False])).tolist() == [True, False]
    assert other_input(torch.ones(2, 3, 4)).shape == (2, 2, 4)
