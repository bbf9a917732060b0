"""A watch on what the library would do in a learner's place, beneath and beside torch's functions.

``CallWatcher``, a notebook's watch, sees calls of torch functions in the thread that it was entered in. A
thread of the learner's, PyTorch's own way to switch modes off and the TorchScript interpreter go around it;
nothing that calls an operator goes around the dispatcher. So each operator that bears a name of these gets a
kernel of its own before the others, which notes the call and passes it on. What computes by itself in Python
is noted where it is called.
"""

import re
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import FunctionType, ModuleType

import torch

from grader.checking.recording import seen_beneath
from grader.private_api import pytorch
from grader.private_api.pytorch import DispatchKey, DispatchKeySet
from grader.sandbox.launch import COMMONLY_CALLED
from grader.topics import listed, table

RECURRENT = ("rnn", "lstm", "gru")
# What a course may ask a learner to write: names of operators, and of functions in Python.
WATCHED = re.compile(
    "|".join((*COMMONLY_CALLED, f"(?:^|_)(?:{'|'.join(RECURRENT)})(?:_|$)", *listed("watches", "PATTERNS"))),
    re.IGNORECASE,
)
# One of these is in every name that it finds: whole modules are passed over without it.
PARTS = (*COMMONLY_CALLED, *RECURRENT, *listed("watches", "PARTS"))
BACKWARD = re.compile(r"backward|_(?:cudnn|miopen|mps|triton)")
# Kernels of this key come after those of autograd and before those that compute.
BENEATH = "BackendSelect"
# Of the names that a course forbids, what it sees wherever ``CallWatcher`` does, which then need not look.
SEEN_BENEATH = (*RECURRENT, *listed("watches", "SEEN_BENEATH"))
# An operator that is made of others computes where autograd would begin.
COMPOSITE = "CompositeImplicitAutograd"
ABOVE = ("AutogradCPU", "AutogradOther", "AutogradNestedTensor")
# By operators that nothing else calls: what has called them.
CALLED_BY: Mapping[str, str] = table("watches", "BENEATH")
# Parts of names of operators that are watched from the first job on, whatever else the names contain.
NEVER_COMMON = listed("watches", "NEVER_COMMON")
# Arguments whose being switched on is noted, too.
SWITCHED = listed("watches", "SWITCHED")
# Packages whose functions compute in Python what is watched.
LIBRARIES = ("torch", "scipy")
# Modules whose functions only call operators, and may be compiled.
THIN = re.compile(
    r"torch(?:|\.functional|\.special|\.nn\.functional|\.nn\.modules\b.*|\._meta_registrations)"
)

_calls: dict[str, None] = {}
_libraries: dict[str, torch.library.Library] = {}


def forget() -> None:
    """Forget all calls that were seen."""
    _calls.clear()


def seen(forbidden: tuple[str, ...]) -> tuple[str, ...]:
    """Return which calls were seen, in any thread, whose name contains a forbidden part."""
    if not forbidden:
        return ()
    pattern = re.compile("|".join(map(re.escape, forbidden)))
    return tuple(name for name in [*_calls] if pattern.search(name))


def _note(name: str) -> None:
    _calls[name] = None


def watched_operators(*, common: bool) -> list[str]:
    """Return the operators that are watched, as ``namespace::name.overload``: common ones, or the others."""
    names = sorted(pytorch.operator_names())
    watched = [name for name in names if WATCHED.search(_packet(name)) and not BACKWARD.search(name)]
    return [name for name in watched if _is_common(_packet(name)) == common]


def _is_common(packet: str) -> bool:
    never = packet in CALLED_BY or any(part in packet for part in NEVER_COMMON)
    return not never and any(part in packet for part in COMMONLY_CALLED)


def _packet(name: str) -> str:
    """Return an operator's name without its namespace and overload."""
    return name.partition("::")[2].partition(".")[0]


def _watch(name: str) -> None:
    """Have an operator's calls noted, and passed on to its own kernels."""
    namespace, _, operator = name.partition("::")
    packet, _, overload = operator.partition(".")
    called = getattr(getattr(getattr(torch.ops, namespace), packet), overload or "default")
    library = _libraries.setdefault(namespace, torch.library.Library(namespace, "IMPL"))
    names = pytorch.argument_names(called)
    switched = {one: names.index(one) for one in SWITCHED if one in names}

    redispatch = pytorch.redispatcher(called)

    def kernel_of(passed_on: Callable[[DispatchKeySet], DispatchKeySet]) -> Callable:
        def noted(keys: DispatchKeySet, *arguments: object, **options: object) -> object:
            _note(packet)
            if packet in CALLED_BY:
                _note(CALLED_BY[packet])
            for option, place in switched.items():
                if options.get(option) or any(arguments[place : place + 1]):
                    _note(f"{packet}({option}=True)")
            return redispatch(passed_on(keys), *arguments, **options)

        return noted

    library.impl(
        operator, kernel_of(lambda keys: keys.remove(DispatchKey.BackendSelect)), BENEATH, with_keyset=True
    )
    pytorch.watch_handle(called, lambda: _note(packet))
    if pytorch.has_kernel(name, COMPOSITE):
        # Past the kernel beneath, which would note the same call once more.
        after = pytorch.AFTER_AUTOGRAD.remove(DispatchKey.BackendSelect)
        beneath = kernel_of(lambda keys: keys & after)
        for key in ABOVE:
            library.impl(operator, beneath, key, with_keyset=True)


def _watch_dispatch() -> None:
    """Have it noted where a call is sent past the watch, or a kernel put in its place."""
    operator, library = pytorch.OpOverload, torch.library.Library
    redispatch, impl = operator.redispatch, library.impl

    def noted_redispatch(self: pytorch.OpOverload, *arguments: object, **options: object) -> object:
        if WATCHED.search(name := pytorch.packet_name(self).partition("::")[2]):
            _note(name)
        return redispatch(self, *arguments, **options)

    def noted_impl(self: object, name: object, *arguments: object, **options: object) -> object:
        if WATCHED.search(str(name)):
            _note(_packet(f"::{str(name).rpartition('::')[2]}"))
        return impl(self, name, *arguments, **options)

    get_kernel = torch.library.get_kernel

    def noted_get_kernel(op: object, *arguments: object, **options: object) -> object:
        if WATCHED.search(str(op)):
            _note(str(op))
        return get_kernel(op, *arguments, **options)

    operator.redispatch, library.impl = noted_redispatch, noted_impl
    torch.library.get_kernel = noted_get_kernel


def _noting(function: Callable, name: str) -> Callable:
    @wraps(function)
    def noted(*arguments: object, **options: object) -> object:
        if not torch.compiler.is_compiling():  # what is compiled notes nothing by itself, but was called
            _note(name)
        return function(*arguments, **options)

    del noted.__wrapped__  # the function without the watch
    if inner := vars(function).get("__wrapped__"):  # which torch asks for
        noted.__wrapped__ = _noting(inner, name)
    return noted


def _note_functions(module: ModuleType) -> None:
    """Have the calls of a library's own functions noted that bear such a name, or whose module does."""
    names = " ".join((module.__name__, *vars(module))).lower()
    if THIN.fullmatch(module.__name__) or not any(part in names for part in PARTS):
        return
    for name, one in list(vars(module).items()):
        full = f"{module.__name__}.{name}"
        part = WATCHED.search(full)
        # Asked of its type: an object may answer for itself, with a warning.
        is_function, is_class = type(one) is FunctionType, issubclass(type(one), type)
        if not (is_function or is_class) or one.__module__ != module.__name__ or not part:
            continue
        if part[0] != part[0].lower():  # what is forbidden is written in small letters
            full = f"{full}, {part[0].lower()}"
        if is_function:
            setattr(module, name, _noting(one, full))
            continue
        for own, method in list(vars(one).items()):
            if type(method) is FunctionType and (own == "__call__" or not own.startswith("__")):
                setattr(one, own, _noting(method, full))


class _NotingLoader(SourceFileLoader):
    """Loads a module of a library, and has its functions noted."""

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        _note_functions(module)


class _Finder:
    """Finds modules of libraries that nobody has imported so far."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how to load a module of a library; None leaves any other to the next finder."""
        if name.partition(".")[0] not in LIBRARIES:
            return None
        spec = PathFinder.find_spec(name, path)
        if spec is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = _NotingLoader(spec.loader.name, spec.loader.path)
        return spec


def install() -> None:
    """Watch from now on, in every thread of this process and of those forked from it."""
    _watch_operators(common=False)
    _watch_dispatch()
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in LIBRARIES:
            _note_functions(module)
    # Python functions among those that only call operators.
    functional = torch.nn.functional
    for name in listed("watches", "IN_PYTHON"):
        setattr(functional, name, _noting(getattr(functional, name), name))
    sys.meta_path.insert(0, _Finder)
    seen_beneath.update(SEEN_BENEATH)


def install_common() -> None:
    """Watch what is common, too, from now on; nothing if that is so already."""
    if not seen_beneath.issuperset(COMMONLY_CALLED):
        _watch_operators(common=True)
        seen_beneath.update(COMMONLY_CALLED)


def _watch_operators(*, common: bool) -> None:
    with warnings.catch_warnings(action="ignore", category=UserWarning):  # that kernels are replaced
        for name in watched_operators(common=common):
            _watch(name)
