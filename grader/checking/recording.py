"""Record what happens while a subject runs, as copies that later calls cannot change."""

import builtins
import dis
import linecache
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Self

import numpy as np
import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from grader.checking.deadline import in_between
from grader.checking.fake_device import ElsewhereTensor
from grader.checking.observation import Kind, LearnerError, SideEffect, kind_of
from grader.checking.texts import NoTextError, pack_texts
from grader.exercises import Exercise
from grader.exercises.case import Flag
from grader.private_api.pytorch import unwatched
from grader.topics import table

REAL_DTYPES = (
    torch.bool,
    torch.uint8,
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
)
# A pattern that no name fits.
NOTHING = r"(?!)"
# Far above any case's result, far below what would fill the memory when copied.
MAX_ELEMENTS = 10_000_000
MAX_NUMBER = 2**63 - 1
# Options that may be switched on without their name, by function and position.
SWITCHES: Mapping[str, Mapping[int, str]] = table("watches", "SWITCHES")

# A library that computes without torch, so that watching torch does not see it.
BESIDE_TORCH = "scipy"
# Modules whose lines are never a learner's own.
LIBRARIES = frozenset(("grader", "torch", "numpy", "scipy", *sys.stdlib_module_names))

# Parts of names that the sandbox's own watch sees in every thread, at less cost.
seen_beneath: set[str] = set()

# By forbidden part: functions that are allowed when called without options.
_harmless: defaultdict[tuple[str, ...], set[Callable]] = defaultdict(set)


class CallWatcher(TorchFunctionMode):
    """Notes each torch function called whose name, or an option it switches on, contains a forbidden part.

    SciPy functions written in Python are seen only in the thread that enters the block, and once SciPy is
    imported: looking at every call takes as long as the calls.
    """

    def __init__(self, forbidden: tuple[str, ...]) -> None:
        super().__init__()
        self.pattern = re.compile("|".join(map(re.escape, forbidden)) if forbidden else NOTHING)
        self.calls: list[str] = []
        # Looking at every call again would take longer than the calls.
        self._harmless = _harmless[forbidden]
        self._profilers: list[object] = []

    def __enter__(self) -> Self:
        """Watch from now on."""
        if BESIDE_TORCH in sys.modules:
            self._profilers.append(sys.getprofile())
            sys.setprofile(self._note_beside)
        return super().__enter__()

    def __exit__(self, *raised: object) -> None:
        """Watch no longer."""
        super().__exit__(*raised)
        if self._profilers:
            sys.setprofile(self._profilers.pop())

    @in_between
    def _note_beside(self, frame: FrameType, event: str, _what: object) -> None:
        if event == "call" and self.pattern.search(name := frame.f_code.co_name):
            module = str(frame.f_globals.get("__name__", ""))
            full = f"{module}.{name}"
            if module.partition(".")[0] == BESIDE_TORCH and full not in self.calls:
                self.calls.append(full)

    def __torch_function__(self, func, types, args=(), kwargs=None):
        """Let every call through, noting the forbidden ones."""
        if not kwargs and func in self._harmless:
            return func(*args)
        name, options = str(getattr(func, "__name__", func)), kwargs or {}
        switches = {option: args[i] for i, option in SWITCHES.get(name, {}).items() if i < len(args)}
        on = [option for option, value in (switches | options).items() if value is True]
        for seen in (name, *(f"{name}({option}=True)" for option in on)):
            if self.pattern.search(seen) and seen not in self.calls:
                self.calls.append(seen)
        if name not in SWITCHES and not self.pattern.search(name):
            self._harmless.add(func)
        return func(*args, **options)


class Recorder:
    """Collects the observations of a driver, as copies on the CPU that later calls cannot change."""

    def __init__(self) -> None:
        self.tensors: dict[str, torch.Tensor] = {}
        self.devices: dict[str, str] = {}
        self.kinds: dict[str, Kind] = {}
        self.flags: dict[Flag, bool] = {}
        self.attributes: dict[str, int | str] = {}
        self.registered: tuple[str, ...] | None = None
        self.shared: tuple[tuple[str, str], ...] = ()
        self.buffers: tuple[str, ...] = ()
        self.unregistered_tensors: tuple[str, ...] = ()
        self.later_errors: dict[str, LearnerError] = {}
        self.side_effects: list[SideEffect] = []
        self.second_cause = ""

    @contextmanager
    def later(self, name: str) -> Iterator[None]:
        """Record an exception of a further call separately, so that the first call still counts."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - whatever the learner's code raises is its result
            self.later_errors[name] = describe_error(error)

    def parameters(self, module: nn.Module, asked: tuple[str, ...]) -> dict[str, nn.Parameter]:
        """Record which tensors a module holds, with the parameters that are asked for, and return them.

        A second name of one that is asked for is no parameter more, and is not recorded.
        """
        registered = dict(module.named_parameters(remove_duplicate=False))
        there = {id(registered[name]) for name in asked if name in registered}
        held = (name for name, one in registered.items() if name in asked or id(one) not in there)
        self.registered = tuple(held)
        self.buffers = tuple(name for name, _ in module.named_buffers(remove_duplicate=False))
        self.plain_tensors(module)
        places: dict[int, str] = {}
        for name in asked:
            if name in registered:
                self.tensor(f"parameter/{name}", registered[name])
                place = registered[name].data_ptr()  # 0 where there is nothing, or the device has no memory
                first = places.setdefault(place, name)
                self.shared += ((first, name),) * (place != 0 and first != name)
        return registered

    def plain_tensors(self, module: nn.Module) -> None:
        """Record which tensors a module holds as plain attributes, besides those recorded before."""
        held = (
            f"{prefix}.{name}".lstrip(".")
            for prefix, part in module.named_modules()
            for name, value in vars(part).items()
            if isinstance(value, torch.Tensor)
        )
        self.unregistered_tensors = tuple(dict.fromkeys((*self.unregistered_tensors, *held)))

    def tensor(self, name: str, tensor: torch.Tensor) -> None:
        """Record a tensor that the grader made or owns."""
        with unwatched():
            self.tensors[name] = tensor.detach().to("cpu", copy=True).contiguous()

    def given(self, name: str, argument: torch.Tensor) -> None:
        """Record a tensor argument after the call: its numbers, and whether it requires gradients."""
        self.tensor(f"argument/{name}", argument)
        with unwatched():
            if argument.grad is not None:
                self.side_effects.append(SideEffect("gradient", name))
            if argument.requires_grad:
                self.side_effects.append(SideEffect("watched", name))

    def left_in(self, module: nn.Module) -> None:
        """Record the gradients that a call left in a module's parameters."""
        with unwatched():
            for name, parameter in module.named_parameters():
                if parameter.grad is not None:
                    self.side_effects.append(SideEffect("gradient", name))

    def take(self, other: "Recorder", role: str) -> None:
        """Take over the results that another recorder holds, under a role of their own."""
        self.tensors |= {renamed(name, role): one for name, one in other.tensors.items()}
        self.kinds |= {renamed(name, role): kind for name, kind in other.kinds.items()}

    def attribute(self, name: str, value: object) -> None:
        """Record what should be an int that the module holds."""
        plain = type(value) is int and abs(value) <= MAX_NUMBER
        self.attributes[name] = value if plain else type(value).__name__

    def number(self, name: str, value: object) -> None:
        """Record what the learner's code returned where it should return an int."""
        if type(value) is not int:
            self.kinds[name] = kind_of(value)
        elif abs(value) > MAX_NUMBER:
            self.kinds[name] = Kind("int", "bits", "63")
        else:
            with unwatched():
                self.tensors[name] = torch.tensor(value)

    def real(self, name: str, value: object) -> None:
        """Record what the learner's code returned where it should return a plain number."""
        if type(value) not in (int, float):
            self.kinds[name] = kind_of(value)
        elif type(value) is int and abs(value) > MAX_NUMBER:
            self.kinds[name] = Kind("int", "bits", "63")
        else:
            self.tensors[name] = torch.tensor(float(value), dtype=torch.float64)

    def results(
        self, exercise: Exercise, value: object, record: Callable[[str, object], bool] | None = None
    ) -> dict[str, torch.Tensor]:
        """Record one tensor, or the tuple of tensors that the exercise asks for.

        Args:
            exercise: what is asked.
            value: what the learner's code returned.
            record: records one of them under a name; as a tensor by default.

        Returns:
            The tensors by their names in the exercise; empty if one of them is no plain tensor.
        """
        record = record or self.result
        if not exercise.returns:
            return {"result": value} if record("result", value) else {}
        if not isinstance(value, tuple | list):
            self.kinds["result"] = kind_of(value)
            return {}
        if len(value) != len(exercise.returns):
            self.kinds["result"] = Kind(type(value).__name__, "of", str(len(value)))
            return {}
        named = dict(zip(exercise.returns, value, strict=True))
        recorded = [record(f"result/{name}", one) for name, one in named.items()]
        return named if all(recorded) else {}

    def result(self, name: str, value: object) -> bool:
        """Record what the learner's code produced; return whether it is a plain dense tensor."""
        with unwatched():
            if kind := _kind_of_impostor(value.held if type(value) is ElsewhereTensor else value):
                self.kinds[name] = kind
                return False
            self.devices[name] = value.device.type
        self.tensor(name, value)
        return True

    def array(self, name: str, value: object) -> bool:
        """Record what should be an array of NumPy; return whether it is a plain one, or a float."""
        if type(value) in (float, np.float64):
            value = np.array(value)
        if kind := _kind_of_no_array(value):
            self.kinds[name] = kind
            return False
        # A copy in the machine's own byte order: what is expanded or reversed has its numbers in a row then.
        own = np.array(value, dtype=value.dtype.newbyteorder("="), order="C")
        self.tensor(name, torch.from_numpy(own))
        return True

    def argument(self, name: str, left: object, given: torch.Tensor) -> None:
        """Record an array, list or number argument after the call.

        One that has another type now is not recorded.
        """
        if not given.is_floating_point() and given.dim() < 2:
            ints = left if type(left) is list else [left]
            if all(type(one) is int and abs(one) <= MAX_NUMBER for one in ints):
                self.tensor(f"argument/{name}", torch.tensor(left, dtype=given.dtype))
        elif not _kind_of_no_array(left) or type(left) is float:
            self.array(f"argument/{name}", left)

    def texts(self, name: str, value: object) -> None:
        """Record what should be a text, or lists of texts."""
        try:
            self.tensor(name, pack_texts(value))
        except NoTextError as error:
            self.kinds[name] = error.kind


def renamed(name: str, role: str) -> str:
    """Return a tensor's name with another role."""
    _, slash, rest = name.partition("/")
    return f"{role}{slash}{rest}"


# How a number is stored, by what NumPy calls it.
ARRAY_DTYPES = {str(dtype).removeprefix("torch.") for dtype in REAL_DTYPES} - {"bfloat16"}


def _kind_of_no_array(value: object) -> Kind | None:
    """Return the kind of a value that is no plain array of acceptable size; None if it is one."""
    if type(value) is not np.ndarray:
        return kind_of(value)
    if value.dtype.newbyteorder("=").name not in ARRAY_DTYPES:
        return Kind("ndarray", "of", value.dtype.name)
    if value.size > MAX_ELEMENTS:
        return Kind("ndarray", "elements", str(value.size))
    return None


def _kind_of_impostor(value: object) -> Kind | None:
    """Return the kind of a value that is no plain dense tensor of acceptable size; None if it is one."""
    if type(value) not in (torch.Tensor, nn.Parameter):
        return kind_of(value)
    if value.is_nested or value.is_quantized or value.layout is not torch.strided:
        return Kind(form="not dense")
    if value.is_meta:
        return Kind(form="meta")
    if value.dtype not in REAL_DTYPES:
        return Kind("tensor", "of", str(value.dtype))
    if value.numel() > MAX_ELEMENTS:
        return Kind("tensor", "elements", str(value.numel()))
    return None


def text_of(error: BaseException) -> str:
    """Return an exception's text, truncated; the learner's own code may produce it."""
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 - a text that cannot be made is shown as none
        return ""
    return text[:2000].encode("utf-8", "replace").decode()


# Python's own exceptions that an exercise may ask for by name; all derive from the others.
NAMED_ERRORS = frozenset(
    one
    for one in vars(builtins).values()
    if isinstance(one, type) and issubclass(one, Exception) and one is not Exception
)

# The bytecode of a ``raise`` statement. An exception from a C library has no frame of its own.
RAISING = frozenset(dis.opmap[name] for name in ("RAISE_VARARGS", "RERAISE"))


def describe_error(error: BaseException) -> LearnerError:
    """Return the exception with the innermost of the learner's lines that was running, and its function.

    A learner's code is the main module, a cell of a notebook or a submitted file; if none of these was
    running, code that is not part of Python, of the grader or of a library that answers use.
    """
    frames = []
    walked = error.__traceback__
    while walked is not None:
        frames.append((walked.tb_frame, walked.tb_lineno, walked.tb_lasti))
        walked = walked.tb_next
    modules = [str(frame.f_globals.get("__name__", "")) for frame, *_ in frames]
    main = [place for place, name in enumerate(modules) if name == "__main__"]
    others = [place for place, name in enumerate(modules) if name.partition(".")[0] not in LIBRARIES]
    place = (main or others or [None])[-1]
    told = {}
    if place is not None:
        frame, line, instruction = frames[place]
        code = frame.f_code
        name = ".".join(part for part in code.co_qualname.split(".") if not part.startswith("<"))
        source = linecache.getline(code.co_filename, line).strip()
        told = {"line": line, "function": name, "source": source, "own": code.co_code[instruction] in RAISING}
    bases = tuple(one.__name__ for one in type(error).__mro__[1:] if one in NAMED_ERRORS)
    # A class may be called anything.
    name = type(error).__name__ if type(error).__name__.isidentifier() else "UnnamedError"
    return LearnerError(name, text_of(error), bases=bases, **told)
