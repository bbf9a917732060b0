"""Run a subject on a case and record what happened. Knows no expected value.

A driver is a function ``(exercise, subject, case, device, recorder)``; ``Exercise.driver`` names it.
"""

import linecache
import re
import sysconfig
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from grader.checking.deadline import TimeLimitExceededError, time_limit
from grader.checking.observation import Attempt, LearnerError, Observation, Problem
from grader.exercises import Exercise
from grader.exercises.case import PUBLISHED, Case, other_input

# Given to a bias that the exercise does not ask for, so that its effect is the same on every machine.
UNASKED_BIAS = 0.25
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


class CallWatcher(TorchFunctionMode):
    """Notes the name of each torch function called whose name contains one of ``forbidden``."""

    def __init__(self, forbidden: tuple[str, ...]) -> None:
        super().__init__()
        self.pattern = re.compile("|".join(map(re.escape, forbidden)) or NOTHING)
        self.calls: list[str] = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        """Let every call through, noting the forbidden ones."""
        name = str(getattr(func, "__name__", func))
        if self.pattern.search(name) and name not in self.calls:
            self.calls.append(name)
        return func(*args, **(kwargs or {}))


class Recorder:
    """Collects what a driver sees, as copies on the CPU that later calls cannot change."""

    def __init__(self) -> None:
        self.tensors: dict[str, torch.Tensor] = {}
        self.devices: dict[str, str] = {}
        self.kinds: dict[str, str] = {}
        self.registered: tuple[str, ...] | None = None
        self.later_errors: dict[str, LearnerError] = {}

    @contextmanager
    def later(self, name: str) -> Iterator[None]:
        """Record what a further call raises apart, so that what the first one did still counts."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - whatever the learner's code raises is its result
            self.later_errors[name] = describe_error(error)

    def parameters(self, module: nn.Module, asked: tuple[str, ...]) -> dict[str, nn.Parameter]:
        """Record which parameters a module has, with those that are asked for, and return them all."""
        registered = dict(module.named_parameters(remove_duplicate=False))
        self.registered = tuple(registered)
        for name in asked:
            if name in registered:
                self.tensor(f"parameter/{name}", registered[name])
        return registered

    def tensor(self, name: str, tensor: torch.Tensor) -> None:
        """Record a tensor that the grader made or owns."""
        self.tensors[name] = tensor.detach().to("cpu", copy=True).contiguous()

    def result(self, name: str, value: object) -> bool:
        """Record what the learner's code produced; return whether it is a plain dense tensor."""
        if kind := _kind_of_impostor(value):
            self.kinds[name] = kind
            return False
        self.devices[name] = value.device.type
        self.tensor(name, value)
        return True


def _kind_of_impostor(value: object) -> str:
    """Return what a value is if it is no plain dense tensor of bearable size, else an empty string."""
    if type(value) not in (torch.Tensor, nn.Parameter):
        return type(value).__name__
    if value.is_nested or value.is_quantized or value.layout is not torch.strided:
        return "tensor that is nested, quantized or sparse"
    if value.is_meta:
        return "tensor on the meta device, without numbers"
    if value.dtype not in REAL_DTYPES:
        return f"tensor of {value.dtype}"
    if value.numel() > MAX_ELEMENTS:
        return f"tensor of {value.numel():,} elements"
    return ""


def _owner(module: nn.Module, name: str) -> tuple[object, str]:
    """Split ``W_query.weight`` into the object that holds the attribute and the attribute's name."""
    *path, attribute = name.split(".")
    owner: object = module
    for part in path:
        owner = getattr(owner, part, None)
    return owner, attribute


def load_weights(module: nn.Module, weights: Mapping[str, torch.Tensor]) -> None:
    """Write the case's weights into the attributes of their names, never by position.

    An attribute that is missing or of another shape is left alone: the ladder reports it from what was
    recorded. A bias that the case does not name is set to ``UNASKED_BIAS``.
    """
    with torch.no_grad():
        for name, weight in weights.items():
            owner, attribute = _owner(module, name)
            held = getattr(owner, attribute, None)
            if isinstance(held, nn.Parameter) and held.shape == weight.shape:
                held.copy_(weight)
            elif isinstance(held, torch.Tensor) and held.shape == weight.shape:
                setattr(owner, attribute, weight.clone())
            bias = getattr(owner, "bias", None)
            bias_name = name.removesuffix("weight") + "bias"
            if attribute == "weight" and isinstance(bias, nn.Parameter) and bias_name not in weights:
                bias.fill_(UNASKED_BIAS)


def record_gradients(
    recorder: Recorder, result: torch.Tensor, sources: Mapping[str, torch.Tensor], probe: torch.Tensor
) -> None:
    """Record the gradient of ``sum(result * probe)`` with respect to each source that could be trained."""
    if not result.requires_grad or result.shape != probe.shape:
        return
    sources = {name: source for name, source in sources.items() if source.requires_grad and source.is_leaf}
    try:
        # A scalar, for a gradient passed to autograd.grad has it import sympy (0.5 s) to compare shapes.
        total = (result * probe.to(result)).sum()
        gradients = torch.autograd.grad(total, list(sources.values()), allow_unused=True)
    except RuntimeError:
        return  # the graph was cut or overwritten: no gradient arrives, and the ladder says so
    for name, gradient in zip(sources, gradients, strict=True):
        if gradient is not None:
            recorder.tensor(f"gradient/{name}", gradient)


def construct(subject: type[nn.Module], case: Case) -> nn.Module:
    """Construct a module right after seeding, on the CPU.

    By position for the published example and by keyword for all others, so that an exchanged order and a
    misspelled name both show.
    """
    # What torch.manual_seed does on the CPU; it also records the call stack for GPUs, which takes longer.
    torch.default_generator.manual_seed(case.seed)
    with torch.device("cpu"):
        if case.name == PUBLISHED:
            return subject(*case.constructor.values())
        return subject(**case.constructor)


def drive_module(
    exercise: Exercise, subject: type[nn.Module], case: Case, device: torch.device, recorder: Recorder
) -> None:
    """Construct a module, load the case's weights by name, call it, and send a gradient back."""
    module = construct(subject, case)
    asked = exercise.parameters_for(case.weights)
    recorder.parameters(module, asked)
    load_weights(module, case.weights)
    module.to(device)
    arguments = {name: value.to(device, copy=True) for name, value in case.arguments.items()}
    is_tensor = recorder.result("result", module(*arguments.values()))
    for name, argument in arguments.items():
        recorder.tensor(f"argument/{name}", argument)
    if not is_tensor or case.probe is None:
        return
    with recorder.later("gradient"):
        drive_gradient(module, asked, case, device, recorder)
    others = [other_input(value).to(device) for value in case.arguments.values()]
    with recorder.later("again"):
        module.eval()
        recorder.result("again", module(*others))


def drive_gradient(
    module: nn.Module, asked: tuple[str, ...], case: Case, device: torch.device, recorder: Recorder
) -> None:
    """Call the module once more, as inside a network: on arguments that ask for a gradient."""
    leaves = {name: value.to(device, copy=True).requires_grad_() for name, value in case.arguments.items()}
    # Clones, so that writing into an argument is seen in the first call, not refused by autograd here.
    result = module(*(leaf.clone() for leaf in leaves.values()))
    registered = dict(module.named_parameters(remove_duplicate=False))
    sources = {name: registered[name] for name in asked if name in registered} | leaves
    record_gradients(recorder, result, sources, case.probe)


class ParameterProjections(nn.Module):
    """Holds three matrices of shape (d_in, d_out); its result is the three projections side by side."""

    def __init__(self, matrices: Mapping[str, torch.Tensor]) -> None:
        super().__init__()
        for name, matrix in matrices.items():
            self.register_parameter(name, nn.Parameter(matrix.clone()))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (T, 3 d_out) for x (T, d_in)."""
        return torch.cat([x @ matrix for matrix in self.parameters()], dim=-1)


class LinearProjections(nn.Module):
    """Holds three bias-free linear layers; its result is the three projections side by side."""

    def __init__(self, weights: Mapping[str, torch.Tensor]) -> None:
        super().__init__()
        for name, weight in weights.items():
            d_out, d_in = weight.shape
            layer = nn.Linear(d_in, d_out, bias=False)
            layer.weight = nn.Parameter(weight.clone())
            self.add_module(name, layer)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (T, 3 d_out) for x (T, d_in)."""
        return torch.cat([layer(x) for layer in self.children()], dim=-1)


def drive_transfer(
    exercise: Exercise, subject: Callable, case: Case, device: torch.device, recorder: Recorder
) -> None:
    """Copy weights from linear layers to bare parameters, then change the source and look again."""
    torch.default_generator.manual_seed(case.seed)
    matrices = {name: case.weights[name] for name in exercise.parameters}
    linear = {name: case.weights[f"source/{name}"] for name in exercise.parameters}
    v1, v2 = ParameterProjections(matrices).to(device), LinearProjections(linear).to(device)
    subject(v2, v1)
    registered = recorder.parameters(v1, exercise.parameters)
    for name in exercise.parameters:
        recorder.result(f"result/{name}", getattr(v1, name, None))
        if name in registered:
            product = registered[name].sum()
            record_gradients(recorder, product, {name: registered[name]}, torch.ones(()))
        recorder.tensor(f"argument/v2.{name}", v2.get_submodule(name).weight)
    trainable = [float(parameter.requires_grad) for parameter in v2.parameters()]
    recorder.tensor("argument/v2.trainable", torch.tensor(trainable))
    with torch.no_grad():
        for layer in v2.children():
            layer.weight.fill_(-1.0)
    for name, parameter in registered.items():
        recorder.tensor(f"separate/{name}", parameter)


DRIVERS: dict[str, Callable] = {"module": drive_module, "transfer": drive_transfer}


@contextmanager
def known_torch_state() -> Iterator[None]:
    """Give every run the same torch settings, and put the learner's own back afterwards.

    float32 by default, gradients on, full float32 precision in matrix products (no TF32), and the
    learner's random state untouched.
    """
    dtype = torch.get_default_dtype()
    precision, threads = torch.get_float32_matmul_precision(), torch.get_num_threads()
    gpus = range(torch.cuda.device_count()) if torch.cuda.is_initialized() else ()
    with torch.random.fork_rng(devices=gpus), torch.enable_grad():
        torch.set_default_dtype(torch.float32)
        torch.set_float32_matmul_precision("highest")
        torch.set_num_threads(1)  # the cases are small: waiting for other threads costs more than they save
        try:
            yield
        finally:
            torch.set_default_dtype(dtype)
            torch.set_float32_matmul_precision(precision)
            torch.set_num_threads(threads)


# Where lines are not the learner's own.
LIBRARIES = tuple(
    {str(Path(__file__).parent), *(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))}
)


def text_of(error: BaseException) -> str:
    """Return an exception's text, cut to what can be shown; it may be the learner's code that makes it."""
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 - a text that cannot be made is shown as none
        return ""
    return text[:2000].encode("utf-8", "replace").decode()


def describe_error(error: BaseException) -> LearnerError:
    """Return the exception with the innermost line that is the learner's own."""
    where = ""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if not frame.filename.startswith((*LIBRARIES, "<frozen")):
            line = frame.line or linecache.getline(frame.filename, frame.lineno or 0).strip()
            where = f"line {frame.lineno}: {line}"
            break
    return LearnerError(type(error).__name__, text_of(error), where)


def observe(exercise: Exercise, subject: object, case: Case, device: torch.device) -> Observation:
    """Run the subject on one case.

    Raises:
        TimeLimitExceededError: the surrounding time limit ran out.
    """
    recorder, raised = Recorder(), None
    watcher = CallWatcher(exercise.forbidden)
    with known_torch_state(), watcher:
        try:
            DRIVERS[exercise.driver](exercise, subject, case, device, recorder)
        except (TimeLimitExceededError, KeyboardInterrupt):
            raise
        except BaseException as error:  # noqa: BLE001 - whatever the learner's code raises is its result
            raised = describe_error(error)
    return Observation(
        case=case.name,
        tensors=recorder.tensors,
        devices=recorder.devices,
        kinds=recorder.kinds,
        registered=recorder.registered,
        later_errors=recorder.later_errors,
        calls=tuple(watcher.calls),
        raised=raised,
    )


def subject_problem(exercise: Exercise, subject: object) -> Problem | None:
    """Return why the subject is not the kind of object that the exercise asks for, if it is not."""
    kind = type(subject)  # its real type: a learner's object may claim another in __class__
    if subject is None:
        return Problem("not-defined", f"{exercise.subject} is None: it has not been defined.")
    if exercise.driver == "module" and not issubclass(kind, type):
        sentence = f"{exercise.subject} must be a class that inherits from nn.Module, got {kind.__name__}."
        return Problem("wrong-type", sentence)
    if exercise.driver == "module" and not issubclass(subject, nn.Module):
        return Problem("wrong-type", f"{exercise.subject} must inherit from nn.Module, and it does not.")
    if not callable(subject):
        return Problem("wrong-type", f"{exercise.subject} must be a function, got {kind.__name__}.")
    return None


def attempt(
    exercise: Exercise, subject: object, cases: tuple[Case, ...], device: torch.device, seconds: float
) -> Attempt:
    """Run the subject on every case, even after one failed: diagnosis looks at all of them.

    Args:
        exercise: what is asked.
        subject: the object that the learner defined.
        cases: what it is run on.
        device: where it runs.
        seconds: time limit for all cases together.
    """
    if problem := subject_problem(exercise, subject):
        return Attempt(problem=problem)
    try:
        with time_limit(seconds):
            return Attempt(tuple(observe(exercise, subject, case, device) for case in cases))
    except TimeLimitExceededError:
        return Attempt(problem=too_slow(exercise, seconds))


def too_slow(exercise: Exercise, seconds: float) -> Problem:
    """Return the problem of an answer that was stopped after its time limit."""
    return Problem(
        "too-slow",
        f"{exercise.subject} was stopped after {seconds:g} seconds; a right answer takes a moment.",
    )
