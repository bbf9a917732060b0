"""The device that no machine needs to have."""

import copy
import subprocess
import sys

import pytest
import torch
from torch import nn

from grader.checking.elsewhere import ELSEWHERE, Elsewhere, ElsewhereTensor, MixedDevicesError, unwrapped


def test_tensor_goes_there_and_comes_back() -> None:
    """A tensor keeps its numbers on the way there and back, and is a plain one again at home."""
    x = torch.randn(2, 3)
    with Elsewhere():
        there = x.to(ELSEWHERE)
        back = there.to("cpu")
    assert (there.device, back.device) == (ELSEWHERE, torch.device("cpu"))
    assert type(back) is torch.Tensor
    assert torch.equal(back, x)


def test_module_computes_there_as_at_home() -> None:
    """A module that was moved gives the same numbers, and gradients reach what came from home."""
    layer, x = nn.Linear(3, 2), torch.randn(4, 3)
    expected = layer(x)
    with Elsewhere():
        layer.to("lazy")
        leaf = x.clone().requires_grad_()
        layer(leaf.to("lazy")).cpu().sum().backward()
        assert torch.allclose(layer(x.to(ELSEWHERE)).cpu(), expected)
    assert torch.allclose(leaf.grad, unwrapped(layer.weight.detach()).sum(dim=0).expand(4, 3))


@pytest.mark.parametrize(
    "operation",
    [
        lambda here, there: here + there,
        lambda here, there: here @ there,
        lambda here, there: there.masked_fill(here > 0, 0.0),
        lambda here, there: there.masked_fill_(here > 0, 0.0),
        lambda here, there: torch.where(here > 0, there, 0.0),
        lambda here, there: torch.cat((here, there)),
    ],
    ids=["sum", "product", "masked_fill", "masked_fill_", "where", "cat"],
)
def test_two_devices_do_not_mix(operation) -> None:
    """An operation on tensors of both devices is refused, as a RuntimeError."""
    here = torch.randn(3, 3)
    with Elsewhere(), pytest.raises(MixedDevicesError, match="found at least two devices, lazy:0 and cpu"):
        operation(here, here.to(ELSEWHERE))
    assert MixedDevicesError.__name__ == "RuntimeError"


def test_single_number_and_index_may_come_from_the_cpu() -> None:
    """What a GPU lets through is let through: a tensor without axes, and an index."""
    x = torch.arange(6.0).view(2, 3)
    with Elsewhere():
        there = x.to(ELSEWHERE)
        assert torch.equal((there * torch.tensor(2.0)).cpu(), x * 2)
        assert torch.equal(there[torch.tensor([1])].cpu(), x[[1]])
        there[x > 3] = 0.0
        assert torch.equal(there.cpu(), torch.tensor([[0.0, 1, 2], [3, 0, 0]]))


def test_tensors_are_made_there() -> None:
    """A tensor made for the device, or like one that is there, is there."""
    with Elsewhere():
        there = torch.ones(2, device=ELSEWHERE)
        like = (torch.zeros_like(there), there.new_ones(3), torch.arange(3, device=there.device))
    assert all(isinstance(one, ElsewhereTensor) for one in (there, *like))


def test_module_that_is_there_can_be_copied() -> None:
    """A deep copy of a module elsewhere is a module elsewhere."""
    with Elsewhere():
        layer = nn.Linear(2, 2).to(ELSEWHERE)
        copied = copy.deepcopy(layer)
    assert copied.weight is not layer.weight
    assert isinstance(copied.weight, nn.Parameter)
    assert copied.weight.device == ELSEWHERE


def test_nothing_slow_is_imported() -> None:
    """Going there imports neither sympy nor torch's compiler, which takes seconds."""
    code = (
        "import sys, torch\nfrom grader.checking.elsewhere import ELSEWHERE, Elsewhere\n"
        "with Elsewhere(): torch.nn.Linear(2, 2).to(ELSEWHERE)(torch.ones(2).to(ELSEWHERE)).cpu()\n"
        "print('sympy' in sys.modules, 'torch._dynamo' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
