"""The device that no machine needs to have."""

import copy
from collections.abc import Callable

import pytest
import torch
from torch import nn

from grader.checking.attempt import attempt
from grader.checking.fake_device import ELSEWHERE, Elsewhere, ElsewhereTensor, MixedDevicesError, unwrapped
from grader.checking.judge import judge
from grader.checking.recording import Recorder
from grader.exercises import find_exercise
from grader.references import load_exercise


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
        assert torch.equal((torch.tensor(2.0) * there).cpu(), x * 2)
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


def test_nothing_slow_is_imported(modules_imported: Callable[[str], set[str]]) -> None:
    """Going there imports neither sympy nor torch's compiler, which takes seconds."""
    code = (
        "import torch\nfrom grader.checking.fake_device import ELSEWHERE, Elsewhere\n"
        "with Elsewhere(): torch.nn.Linear(2, 2).to(ELSEWHERE)(torch.ones(2).to(ELSEWHERE)).cpu()"
    )
    imported = modules_imported(code)
    assert "torch" in imported
    assert not imported & {"sympy", "torch._dynamo"}


@pytest.mark.parametrize(
    "operation",
    [
        lambda x: x[0] @ x,
        lambda x: x.clone().unsqueeze_(0),
        lambda x: x.clone()[1:].squeeze_(0),
        lambda x: x.clone().t_(),
        lambda x: x.clone().resize_(6, 2),
        lambda x: torch.add(x, x, out=x.new_empty(0)),
    ],
    ids=["vector times matrix", "unsqueeze_", "squeeze_ of a view", "t_", "resize_", "out"],
)
@pytest.mark.filterwarnings("ignore:An output with one or more elements was resized")
def test_shape_that_changes_in_place_is_seen(operation) -> None:
    """A tensor elsewhere says the shape that its numbers have, also after it was changed in place."""
    x = torch.randn(2, 2)
    expected = operation(x)
    with Elsewhere():
        there = operation(x.to(ELSEWHERE))
    inside = unwrapped(there)
    assert isinstance(there, ElsewhereTensor)
    assert there.shape == inside.shape == expected.shape
    assert there.stride() == inside.stride() == expected.stride()


def test_gradient_passes_a_vector_times_a_matrix() -> None:
    """A gradient has the shape of what it belongs to."""
    with Elsewhere():
        weight = torch.ones(2, 3, device=ELSEWHERE, requires_grad=True)
        (torch.ones(2, device=ELSEWHERE) @ weight).sum().backward()
        assert weight.grad.tolist() == [[1.0] * 3] * 2


@pytest.mark.parametrize(
    "operation",
    [
        lambda here, there: here[there.long()],
        lambda here, there: there.__setitem__(torch.tensor([0]), here[:1]),
        lambda here, there: torch.stack([here[0, 0], there[0, 0]]),
        lambda here, there: here.sum().add_(there.sum()),
    ],
    ids=["index there", "values here", "stack", "sum in place"],
)
def test_what_a_gpu_refuses_besides_is_refused(operation) -> None:
    """Indices on a GPU for a CPU tensor, and single numbers where even they may not mix."""
    here = torch.zeros(2, 2)
    with Elsewhere(), pytest.raises(MixedDevicesError, match="same device"):
        operation(here, here.to(ELSEWHERE))


def test_numbers_come_out_as_from_a_gpu() -> None:
    """``tolist``, ``item`` and texts give numbers; ``numpy`` asks for a copy on the CPU first."""
    with Elsewhere():
        there = torch.tensor([1.0, 2.0], device="lazy")
        assert (there.tolist(), there[1].item(), f"{there.sum():.2f}") == ([1.0, 2.0], 2.0, "3.00")
        assert repr(there) == "tensor([1., 2.], device='lazy:0')"
        assert torch.equal(torch.tensor([there[0], there[1]]), torch.tensor([1.0, 2.0]))
        with pytest.raises(TypeError, match=r"can't convert lazy:0 device type tensor to numpy"):
            there.numpy()


def test_inference_mode_works_there() -> None:
    """A view and a module work in inference mode as they do at home."""
    layer, x = nn.MultiheadAttention(4, 2, batch_first=True), torch.randn(2, 3, 4)
    expected = layer(x, x, x)[0]
    with Elsewhere():
        layer.to(ELSEWHERE)
        there = x.to(ELSEWHERE)
        with torch.inference_mode():
            result = layer(there, there[:], there)[0]
            there[:, 0] = result[:, 0]
            moved = x.to(ELSEWHERE).mul_(2)
        assert torch.equal(moved.cpu(), 2 * x)  # a copy: x is as it was
        assert torch.allclose(result.cpu(), expected, atol=1e-6)
        assert torch.equal(there[:, 0].cpu(), result[:, 0].cpu())


def test_data_is_exchanged() -> None:
    """A parameter that is given other data has their numbers."""
    with Elsewhere():
        layer = nn.Linear(2, 2, bias=False).to(ELSEWHERE)
        layer.weight.data = torch.ones(2, 2, device=ELSEWHERE)
        assert layer(torch.ones(2, device=ELSEWHERE)).tolist() == [2.0, 2.0]


def test_dropout_follows_the_seed() -> None:
    """What is drawn there is what the same seed draws at home."""
    torch.manual_seed(1)
    expected = nn.functional.dropout(torch.ones(20), 0.5)
    with Elsewhere():
        torch.manual_seed(1)
        assert torch.equal(nn.functional.dropout(torch.ones(20, device=ELSEWHERE), 0.5).cpu(), expected)


def test_nothing_stays_when_it_ends() -> None:
    """What is switched on inside is off outside, after an error, too."""
    before = torch._C._only_lift_cpu_tensors()
    with pytest.raises(ZeroDivisionError), Elsewhere():
        assert torch._C._only_lift_cpu_tensors()
        raise ZeroDivisionError
    assert torch._C._only_lift_cpu_tensors() is before
    with pytest.raises(NotImplementedError):
        torch.ones(2, device=ELSEWHERE)


def test_result_there_is_recorded_as_a_tensor_of_the_cpu() -> None:
    """A result elsewhere is recorded with its device, its numbers on the CPU."""
    recorder = Recorder()
    with Elsewhere():
        assert recorder.result("result", torch.ones(2, device=ELSEWHERE) * 3)
    assert recorder.devices == {"result": "lazy"}
    assert type(recorder.tensors["result"]) is torch.Tensor
    assert recorder.tensors["result"].tolist() == [3.0, 3.0]


def test_result_that_is_left_on_the_cpu_is_told() -> None:
    """An answer that is right on the CPU is told there where its result is, and only there."""
    exercise = find_exercise("ch02-scores")
    reference = load_exercise(exercise.chapter, exercise.id)

    def attention_scores(inputs: torch.Tensor) -> torch.Tensor:
        return (inputs @ inputs.T).cpu()

    verdicts = [
        judge(
            exercise,
            reference,
            attempt(exercise, attention_scores, reference.cases, device, 10.0),
            device.type,
        )
        for device in (torch.device("cpu"), ELSEWHERE)
    ]
    assert [one.diagnosis for one in verdicts] == [(), ("wrong-device",)]
    assert str(verdicts[1].failure.message) == "Expected the result on lazy, got it on cpu."
