"""Each thing of PyTorch that is not promised does what the grader needs of it."""

import importlib.util
import inspect
from pathlib import Path

import pytest
import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from grader.private_api import TORCH_COMPILER, pytorch
from grader.private_api.pytorch import (
    AFTER_AUTOGRAD,
    FILES_OF_MODES,
    HOOKS,
    REGISTERED,
    DefaultDevice,
    DispatchKey,
    DispatchKeySet,
    DispatchMode,
    OpOverload,
)

ADD, ADD_ = torch.ops.aten.add.Tensor, torch.ops.aten.add_.Tensor


class Seen(TorchFunctionMode):
    """Notes every function that is called."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        """Note a call."""
        self.names.append(func.__name__)
        return func(*args, **(kwargs or {}))


class SeenBelow(DispatchMode):
    """Notes every operator that is called."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        """Note a call."""
        self.names.append(pytorch.packet_name(func))
        return func(*args, **(kwargs or {}))


def test_compiler_is_a_module() -> None:
    """The fork server imports it by this name."""
    assert importlib.util.find_spec(TORCH_COMPILER)


def test_unwatched_hides_calls_from_function_modes() -> None:
    """A mode sees what is called before and after the block, not inside."""
    ones = torch.ones(2)
    with Seen() as seen:
        with pytorch.unwatched():
            ones.sum()
        ones.mean()
    assert seen.names == ["mean"]


def test_no_torch_function_keeps_the_type_alone() -> None:
    """A subclass with it gets plain tensors back, and no call of its own."""

    class Plain(torch.Tensor):
        __torch_function__ = pytorch.no_torch_function

    assert type(torch.ones(2).as_subclass(Plain) + 1) is torch.Tensor


def test_dispatch_mode_sees_operators_without_the_compiler() -> None:
    """Operators are seen beneath ``unwatched``; asked for the compiler, the mode says no."""
    with SeenBelow() as seen, pytorch.unwatched():
        torch.ones(2) + 1
    assert seen.names[-1] == "aten::add"
    assert DispatchMode._should_skip_dynamo() is False
    assert "_should_skip_dynamo" in inspect.getsource(inspect.getmodule(DispatchMode.__base__)), (
        "PyTorch asks no mode any more"
    )


def test_files_of_modes_hold_the_code_that_enters_and_leaves_them() -> None:
    """An interruption there waits."""
    for one in (TorchFunctionMode.__exit__, DispatchMode.__exit__, pytorch.overrides._pop_mode):
        assert Path(inspect.getfile(one)) in map(Path, FILES_OF_MODES)


def test_operators_are_listed_and_described() -> None:
    """Names, arguments, whether they write and can be taken apart."""
    names = pytorch.operator_names()
    assert {"aten::softmax.int", "aten::_softmax", "aten::scaled_dot_product_attention"} <= set(names)
    assert isinstance(ADD, OpOverload)
    assert pytorch.packet_name(ADD) == "aten::add"
    assert pytorch.argument_names(ADD) == ["self", "other", "alpha"]
    assert (pytorch.writes(ADD), pytorch.writes(ADD_)) == (False, True)
    assert pytorch.is_decomposable(torch.ops.aten.softmax.int)
    assert not pytorch.is_decomposable(ADD)
    assert pytorch.has_kernel("aten::softmax.int", "CompositeImplicitAutograd")
    assert not pytorch.has_kernel("aten::add.Tensor", "CompositeImplicitAutograd")


def test_keys_are_sets_that_shrink() -> None:
    """The keys after autograd have those of backends, and not autograd's own."""
    assert AFTER_AUTOGRAD.has(DispatchKey.BackendSelect)
    assert not AFTER_AUTOGRAD.has(DispatchKey.AutogradCPU)
    assert not AFTER_AUTOGRAD.remove(DispatchKey.BackendSelect).has(DispatchKey.BackendSelect)
    both = DispatchKeySet(DispatchKey.CPU) | DispatchKeySet(DispatchKey.BackendSelect)
    assert (both & AFTER_AUTOGRAD).has(DispatchKey.CPU)


def test_calls_are_sent_on_and_noted() -> None:
    """A call at a key set computes, and whoever takes the handle's way is noted."""
    operator, ones = torch.ops.aten.cosh.default, torch.ones(2)
    sent = pytorch.redispatcher(operator)(DispatchKeySet(DispatchKey.CPU), ones)
    assert torch.equal(sent, ones.cosh())
    handle, at_keys, noted = operator._handle, operator._op_dk, []
    try:
        pytorch.watch_handle(operator, lambda: noted.append(1))
        pytorch.redispatcher(operator)(DispatchKeySet(DispatchKey.CPU), ones)
        assert len(noted) == 1
        assert torch.equal(operator.redispatch(DispatchKeySet(DispatchKey.CPU), ones), sent)
        assert len(noted) == 2
        operator._op_dk(DispatchKey.CPU, ones)
        assert len(noted) == 3
    finally:
        operator._handle, operator._op_dk = handle, at_keys


def test_function_modes_are_listed() -> None:
    """The stack, and whether there is any."""
    assert not pytorch.is_any_function_mode_active()
    with Seen() as seen:
        assert pytorch.is_any_function_mode_active()
        assert pytorch.function_modes() == [seen]


def test_default_device_is_restored_with_the_stack_beneath() -> None:
    """Setting a default device reorders the stack: after ``restore`` a mode leaves as it came."""
    assert pytorch.default_device_context() is None
    with Seen() as seen:
        before = DefaultDevice()
        assert before.replaced_by() is None
        torch.set_default_device("meta")
        assert before.replaced_by() == torch.device("meta")
        assert pytorch.default_device_context() is not None
        before.restore()
        assert before.replaced_by() is None
        assert pytorch.function_modes() == [seen]
    assert torch.ones(2).device.type == "cpu"
    assert torch.get_default_device().type == "cpu"


def test_default_device_before_stays() -> None:
    """What was set before is set afterwards, the same object."""
    torch.set_default_device("meta")
    try:
        before = DefaultDevice()
        torch.set_default_device("cpu")
        before.restore()
        assert torch.ones(2).device.type == "meta"
    finally:
        torch.set_default_device(None)


def test_wrapper_has_the_layout_of_another() -> None:
    """Shape, strides, offset and dtype are those given, and so is the device."""

    class Wrapped(torch.Tensor):
        __torch_function__ = pytorch.no_torch_function

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            raise AssertionError(f"{func} has no numbers to compute with")

    inner = torch.arange(12.0, dtype=torch.float64).reshape(3, 4).T[1:]
    made = pytorch.wrapper_of(Wrapped, inner, torch.device("lazy", 0))
    assert type(made) is Wrapped
    layout = (made.shape, made.stride(), made.storage_offset(), made.dtype, made.device.type)
    assert layout == (inner.shape, inner.stride(), inner.storage_offset(), torch.float64, "lazy")


def test_lifting_on_the_cpu_is_a_switch() -> None:
    """A mode sees where a tensor made elsewhere is moved only if it is lifted on the CPU."""
    moves = {}
    for lift in (False, True):
        before = pytorch.lift_on_the_cpu(lift)
        try:
            # Nothing computes on that device: a mode has to see the move, and do it itself.
            with SeenBelow() as seen, pytest.raises(NotImplementedError):
                torch.tensor([1.0], device="lazy")
        finally:
            assert pytorch.lift_on_the_cpu(before) is lift
        moves[lift] = "aten::_to_copy" in seen.names
    assert moves == {False: False, True: True}


def test_zeros_of_autograd_have_no_memory() -> None:
    """Only those: a tensor of zeros has its own."""
    assert pytorch.has_no_memory(torch._efficientzerotensor((2,)))
    assert not pytorch.has_no_memory(torch.zeros(2))


def test_module_keeps_what_is_registered_in_three_places() -> None:
    """Parameters, buffers and modules, by name; the attributes are those named."""
    module = nn.BatchNorm1d(2)
    module.inner = nn.Identity()
    parameters, buffers, modules = pytorch.registered(module)
    assert [*parameters] == ["weight", "bias"]
    assert [*buffers] == ["running_mean", "running_var", "num_batches_tracked"]
    assert [*modules] == ["inner"]
    assert set(REGISTERED) <= set(vars(module))


@pytest.mark.parametrize(
    "register",
    ["register_forward_hook", "register_forward_pre_hook", "register_full_backward_hook"],
)
def test_hooks_are_in_the_lists_named(register: str) -> None:
    """A hook that was registered makes one of the lists longer."""
    module = nn.Identity()

    def lengths() -> int:
        return sum(len(getattr(module, name)) for name in HOOKS)

    before = lengths()
    getattr(module, register)(lambda *_: None)
    assert lengths() == before + 1
