"""``pose``: build a case with its expected tensors, computed by a chapter's oracle."""

import builtins
import json
from collections.abc import Callable, Mapping

import numpy as np
import torch

from grader.checking.memory import other_numbers
from grader.checking.recording import renamed
from grader.errors import ReferenceDataError
from grader.exercises.case import PUBLISHED, Case, Scalar, other_input
from grader.exercises.declaration import closest
from grader.proving.kept_inputs import as_kept
from grader.proving.recipe import Solved
from grader.references.published import apart

Tensors = Mapping[str, torch.Tensor]
# (arguments, weights, options) -> what the subject returns, in float64; by name if it returns several.
Oracle = Callable[[Tensors, Tensors, Mapping[str, Scalar]], torch.Tensor | Tensors]
# What drivers make of the arguments for a second call: that of a module, and that of a function.
SECOND = (other_input, other_numbers)
# What a case may ask to be raised.
EXCEPTIONS = tuple(
    name for name, one in vars(builtins).items() if isinstance(one, type) and issubclass(one, Exception)
)


def drawn(rng: np.random.Generator, *shape: int, spread: float = 1.0) -> torch.Tensor:
    """Return normal numbers of this standard deviation, float32, the same on every machine."""
    return torch.from_numpy(rng.normal(0.0, spread, shape).astype(np.float32))


def pose(  # noqa: PLR0913 - one keyword for each thing that a case may have
    rng: np.random.Generator,
    name: str,
    shows: str,
    oracle: Oracle,
    *,
    arguments: Tensors | None = None,
    weights: Tensors | None = None,
    options: Mapping[str, Scalar] | None = None,
    seed: int = 0,
    visible: bool = True,
    differentiable: bool = True,
    dtype: torch.dtype = torch.float32,
    positional: bool | None = None,
    attributes: Mapping[str, int] | None = None,
    published: Mapping[str, str] | None = None,
    raises: str = "",
    floor: float = 0.0,
    again: Callable[[torch.Tensor], torch.Tensor] | bool | None = None,
) -> Solved:
    """Build a case and compute everything that is expected of an answer on it.

    Args:
        rng: draws the gradients with respect to the results (``grad_outputs``).
        name: unique within the exercise; ``published`` for the example in print.
        shows: one clause that tells a learner what kind of input this is.
        oracle: called with float64 arguments and weights, and the options. Returns one tensor, or several
            by name, in the order of ``Exercise.returns``. Not called where ``raises`` is given.
        arguments: tensors the subject is called with, in the order of its signature.
        weights: weights to load, by attribute name, in the order of creation; a subject with weights is a
            module and is called a second time, on other numbers.
        options: what is no tensor: arguments of the constructor, or those of a function after its tensors.
        seed: seeds the generator before the subject runs.
        visible: whether a learner may see the case.
        differentiable: whether gradients are asked for.
        dtype: in which the answer computes: its arguments and weights of floating point are of it.
        positional: whether options are given by position; by default in the published example alone.
        attributes: the whole numbers that a module has to keep, by name.
        published: by the name of a result, the entry of ``published_values.json`` that it reproduces.
        raises: the exception that the case expects; ``Exception`` for any.
        floor: the minimum tolerance, if the errors of the bank's correct variants underestimate those of
            other right answers.
        again: whether the driver calls the subject again on other arguments; by default, if gradients are
            asked for. The driver makes these, ``other_input`` for a module, else ``other_numbers``; a subject
            without weights counts as a function unless ``other_input`` is given here.

    Raises:
        ReferenceDataError: the oracle raises, it returns anything but tensors, its results have no gradient,
            an argument or weight is no tensor, an option is nothing that JSON holds, ``raises`` is no
            exception, or ``again`` is anything else.
    """
    if not (again is None or isinstance(again, bool) or again in SECOND):
        raise ReferenceDataError(
            f"case {name!r}: again = {again!r}: expected True, False or, for a module without weights, "
            f"{other_input.__name__}. The driver makes the arguments of the second call."
        )
    _check_kinds(name, {**(arguments or {}), **(weights or {})}, options or {})
    if not isinstance(published or {}, Mapping):
        raise ReferenceDataError(
            f"case {name!r}: published = {published!r}: expected a dict, such as {{'result': 'toy.sums'}}."
        )
    if raises and raises not in EXCEPTIONS:
        raise ReferenceDataError(
            f"case {name!r}: raises = {raises!r}: expected the name of an exception of Python's own, such as "
            f"ValueError, or Exception for any.{closest(raises, EXCEPTIONS)}"
        )
    posed, oracle = oracle, _named_by_case(oracle, repr(name))
    arguments = {key: _cast(value, dtype) for key, value in (arguments or {}).items()}
    weights = {key: _cast(value, dtype) for key, value in (weights or {}).items()}
    arguments, weights = as_kept(name, arguments, weights)
    options = dict(options or {})
    positional = name == PUBLISHED if positional is None else positional
    if raises:
        refused = Case(name, shows, visible, seed, options, weights, arguments, {}, positional)
        return Solved(refused, {}, {}, raises)
    inputs = {key: _exact(value) for key, value in arguments.items()}
    matrices = {key: _exact(value) for key, value in weights.items()}
    results = _named(oracle(inputs, matrices, options))
    expected = {key: value.detach() for key, value in results.items()}
    expected |= {f"argument/{key}": value.detach() for key, value in inputs.items()}
    grad_outputs: dict[str, torch.Tensor] = {}
    if differentiable:
        grad_outputs = {_short(key): _cast(drawn(rng, *value.shape), dtype) for key, value in results.items()}
        leaves = {key: leaf for key, leaf in (inputs | matrices).items() if leaf.requires_grad}
        if not any(value.requires_grad for value in results.values()):
            raise ReferenceDataError(f"case {name!r}: {_without_gradient(leaves, results)}")
        total = sum((value * grad_outputs[_short(key)].double()).sum() for key, value in results.items())
        gradients = torch.autograd.grad(total, list(leaves.values()), materialize_grads=True)
        expected |= {f"gradient/{key}": gradient for key, gradient in zip(leaves, gradients, strict=True)}
    if arguments and (differentiable if again is None else again):
        change = again if callable(again) else other_input if weights else other_numbers
        second = f"{name!r}, second call, on arguments that {change.__name__} makes"
        oracle = _named_by_case(posed, second, ". Where their sizes depend on each other, say again=False")
        others = {key: _exact(change(value)).detach() for key, value in arguments.items()}
        expected |= {
            renamed(key, "again"): value.detach()
            for key, value in _named(oracle(others, matrices, options)).items()
        }
        if weights:  # looked at where the case is a thorough one
            same_shape = {key: _exact(other_numbers(value)).detach() for key, value in arguments.items()}
            expected |= {
                renamed(key, "refilled"): value.detach()
                for key, value in _named(oracle(same_shape, matrices, options)).items()
            }
    case = Case(name, shows, visible, seed, options, weights, arguments, grad_outputs, positional)
    return Solved(case, expected, published or {}, dtype=dtype, floor=floor, attributes=attributes or {})


def _without_gradient(leaves: Tensors, results: Tensors) -> str:
    """Return why gradients cannot be asked for, and what to do."""
    told = "pose it with differentiable=False"
    if not leaves:
        return f"there is nothing of floating point to have a gradient: {told}."
    if not any(value.is_floating_point() for value in results.values()):
        return f"whole numbers and bools, which the oracle returns, have no gradient: {told}."
    return (
        "no gradient goes back from what the oracle returns: have it compute with torch, without detach(), "
        f"item() and numpy(), or {told}, if the exercise's results have none."
    )


def _named_by_case(oracle: Callable, name: str, advice: str = "") -> Callable:
    """Return an oracle whose errors say on which case they were raised, and what may help."""

    def asked(*given: Mapping) -> torch.Tensor | Tensors:
        try:
            return _held_to_tensors(oracle(*given))
        except Exception as error:  # it is an author's code: it may raise anything
            words = (
                str(error) if isinstance(error, ReferenceDataError) else f"{type(error).__name__}: {error}"
            )
            raise ReferenceDataError(f"case {name}: {words}{advice}") from error

    return asked


def _held_to_tensors(result: object) -> torch.Tensor | Tensors:
    """Return what an oracle returned if it is a tensor, or tensors by name."""
    if isinstance(result, torch.Tensor):
        return result
    several = isinstance(result, Mapping) and result
    if several and all(isinstance(one, torch.Tensor) for one in result.values()):
        return result
    kind = type(result).__name__
    kind = (
        f"{kind} of {', '.join(type(one).__name__ for one in result)}" if kind in ("tuple", "list") else kind
    )
    raise ReferenceDataError(
        f"the oracle returns a {kind}; expected a tensor, or a dict of tensors by the names that returns "
        "declares in exercises.toml."
    )


def confirmed(
    first: torch.Tensor, second: torch.Tensor | np.ndarray, tolerance: float = 1e-12
) -> torch.Tensor:
    """Return the first of two results after asserting that they agree: an oracle confirmed by another.

    Raises:
        ReferenceDataError: they differ by more than the tolerance, or in shape or dtype.
    """
    other = torch.as_tensor(second)
    if first.dtype != other.dtype:
        raise ReferenceDataError(
            f"the two oracles disagree: the first gives {first.dtype}, the second {other.dtype}. Oracles "
            "give float64; whole numbers and bools have the answer's own dtype, in both."
        )
    if first.shape != other.shape or not torch.allclose(first.detach(), other, rtol=0.0, atol=tolerance):
        told = apart(first.detach(), other, tolerance)
        if first.isnan().any() and torch.allclose(first.detach(), other, atol=tolerance, equal_nan=True):
            told = f"{told}. NaN is no expected value: give a case on which there is a result"
        raise ReferenceDataError(f"the two oracles disagree: {told}")
    return first


def _check_kinds(name: str, tensors: Mapping[str, object], options: Mapping[str, object]) -> None:
    """Refuse arguments and weights that are no tensors, and options that cannot be stored."""
    for key, value in tensors.items():
        if not isinstance(value, torch.Tensor):
            raise ReferenceDataError(
                f"case {name!r}: {key} is {type(value).__name__}: expected a tensor, such as of `drawn` or "
                "torch.tensor."
            )
    for key, value in options.items():
        try:
            json.dumps(value)
        except TypeError as error:
            raise ReferenceDataError(
                f"case {name!r}: option {key} is {type(value).__name__}: expected a number, text, bool or "
                "list of Python's own, such as int(...)."
            ) from error


def _cast(tensor: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    return tensor.to(dtype) if tensor.is_floating_point() else tensor


def _exact(tensor: torch.Tensor) -> torch.Tensor:
    """Return what an oracle computes with: a float64 leaf, or a tensor of bools or integers as it is."""
    return tensor.double().clone().requires_grad_() if tensor.is_floating_point() else tensor


def _named(result: torch.Tensor | Tensors) -> dict[str, torch.Tensor]:
    """Return results under the names in which they are recorded."""
    if isinstance(result, torch.Tensor):
        return {"result": result}
    return {f"result/{name}": value for name, value in result.items()}


def _short(name: str) -> str:
    return name.removeprefix("result/")
