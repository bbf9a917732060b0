"""What is used of PyTorch that is not part of its public API."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

import torch
from torch import nn, overrides
from torch._C import DispatchKey, DispatchKeySet
from torch._ops import OpOverload
from torch.utils import _device, _python_dispatch
from torch.utils._python_dispatch import TorchDispatchMode

__all__ = ["DispatchKey", "DispatchKeySet", "OpOverload"]

Wrapper = TypeVar("Wrapper", bound=torch.Tensor)

# A context in which calls of torch functions are not shown to function modes.
unwatched = torch._C.DisableTorchFunction
# For ``__torch_function__``: the function is called as if the class had none.
no_torch_function = torch._C._disabled_torch_function_impl
# Files with the code that enters and leaves modes.
FILES_OF_MODES = (overrides.__file__, _python_dispatch.__file__)
# Lists of hooks that a module keeps, by the attribute.
HOOKS = tuple(name for name in vars(nn.Module()) if name.endswith("_hooks"))
# Attributes of a module that hold what was registered.
REGISTERED = ("_parameters", "_buffers", "_modules")
# Keys of kernels that come after autograd; ``DispatchKeySet``.
AFTER_AUTOGRAD = torch._C._after_autograd_keyset

# Operators.


class DispatchMode(TorchDispatchMode):
    """A mode that sees every operator's call, without the import of the compiler, which takes a second."""

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # nothing is compiled here


def operator_names() -> list[str]:
    """Return all operators that are known by now, as ``namespace::name.overload``."""
    return torch._C._dispatch_get_all_op_names()


def has_kernel(name: str, key: str) -> bool:
    """Return whether an operator, ``namespace::name.overload``, has a kernel of its own for a key."""
    return torch._C._dispatch_has_kernel_for_dispatch_key(name, key)


def packet_name(operator: OpOverload) -> str:
    """Return an operator's name without its overload: ``aten::add``."""
    return operator._schema.name


def argument_names(operator: OpOverload) -> list[str]:
    """Return the names of an operator's arguments, in order."""
    return [argument.name for argument in operator._schema.arguments]


def writes(operator: OpOverload) -> bool:
    """Return whether an operator writes into one of its arguments."""
    return operator._schema.is_mutable


def is_decomposable(operator: OpOverload) -> bool:
    """Return whether ``operator.decompose`` can express it by other operators."""
    return operator._can_decompose()


def redispatcher(operator: OpOverload) -> Callable:
    """Return the function that sends a call on to the kernels of a key set, its first argument."""
    return operator._handle.redispatch_boxed


def watch_handle(operator: OpOverload, note: Callable[[], None]) -> None:
    """Have ``note`` called whenever an operator is called through its handle or at its dispatch keys."""
    operator._handle = _NotingHandle(operator._handle, note)
    sent = operator._op_dk

    def noted(*arguments: object, **options: object) -> object:
        note()
        return sent(*arguments, **options)

    operator._op_dk = noted


class _NotingHandle:
    """An operator's handle, of which is noted when it sends a call."""

    def __init__(self, handle: object, note: Callable[[], None]) -> None:
        self._handle, self._note = handle, note

    def __getattr__(self, name: str) -> object:
        if name in ("redispatch_boxed", "call_boxed"):
            self._note()
        return getattr(self._handle, name)


# Modes and the default device.


def function_modes() -> list:
    """Return the function modes that are active, the innermost last."""
    return overrides._get_current_function_mode_stack()


def is_any_function_mode_active() -> bool:
    """Return whether any function mode is active; a default device is one."""
    return overrides._len_torch_function_stack() > 0


def default_device_context() -> torch.device | None:
    """Return the context that ``torch.set_default_device`` has set; None if it has set none."""
    return getattr(torch._GLOBAL_DEVICE_CONTEXT, "device_context", None)


class DefaultDevice:
    """The default device, and the stack of function modes that PyTorch keeps it on, as they are now."""

    def __init__(self) -> None:
        self._modes, self._current = function_modes(), _device.CURRENT_DEVICE
        self._context = default_device_context()

    def replaced_by(self) -> torch.device | None:
        """Return the device that was set since; None if none was."""
        now = default_device_context()
        return None if now is self._context or now is None else now.device

    def restore(self) -> None:
        """Restore both, if another default device, or none, was set since."""
        if default_device_context() is self._context:
            return
        for _ in range(overrides._len_torch_function_stack()):
            overrides._pop_mode()
        for mode in self._modes:
            overrides._push_mode(mode)
        torch._GLOBAL_DEVICE_CONTEXT.device_context = self._context
        _device.CURRENT_DEVICE = self._current


# Tensors and modules.


def wrapper_of(kind: type[Wrapper], inner: torch.Tensor, device: torch.device) -> Wrapper:
    """Return a tensor of a subclass, without numbers of its own: ``inner``'s layout on another device."""
    return torch.Tensor._make_wrapper_subclass(
        kind,
        inner.shape,
        strides=inner.stride(),
        storage_offset=inner.storage_offset(),
        dtype=inner.dtype,
        device=device,
    )


def lift_on_the_cpu(lift: bool) -> bool:
    """Have ``torch.tensor`` make its tensor on the CPU and move it then, or not; return what was set."""
    before = torch._C._only_lift_cpu_tensors()
    torch._C._set_only_lift_cpu_tensors(lift)
    return before


def has_no_memory(tensor: torch.Tensor) -> bool:
    """Return whether a tensor is one of autograd's zeros, which have no storage."""
    return tensor._is_zerotensor()


def registered(module: nn.Module) -> Iterable[Mapping[str, object]]:
    """Return what is registered in a module itself: its parameters, its buffers and its modules."""
    return module._parameters, module._buffers, module._modules
