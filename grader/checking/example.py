"""A small case as code that a learner can copy, with what it should give."""

import math
import re
from collections.abc import Iterator

import numpy as np
import torch

from grader.checking.checks import CheckContext
from grader.checking.checks.context import TEXTS
from grader.checking.drivers.arrays import as_given
from grader.checking.result import Example
from grader.checking.texts import unpack_texts
from grader.messages import Message, message

# Limits for an example that can be computed by hand, and read.
MAX_NUMBERS = 24
MAX_CHARACTERS = 240
# Drivers whose subject a learner can call as it is called here.
CALLED = ("function", "number", "arrays", "texts", "module")
# A part's number in the name of a parameter.
INDEX = re.compile(r"\.(\d+)(?=\.)")


def smallest_example(contexts: list[CheckContext]) -> Example | None:
    """Return the smallest of some cases as code, if it is small enough to be worked out by hand."""
    small = [ctx for ctx in contexts if ctx.exercise.driver in CALLED and _size(ctx) <= MAX_NUMBERS]
    by_size = sorted(small, key=lambda ctx: (_size(ctx), _largest(ctx)))
    return next(filter(None, map(_example, by_size)), None)


def _size(ctx: CheckContext) -> int:
    """Return how many numbers a case has: inputs, weights and results."""
    if ctx.exercise.driver == "texts":
        return 0
    results = [item.values for _, item in ctx.expected_of_role("result")]
    tensors = (*ctx.case.arguments.values(), *ctx.case.weights.values())
    return max(sum(one.numel() for one in tensors), sum(one.numel() for one in results))


def _largest(ctx: CheckContext) -> float:
    """Return the largest number among a case's results, and its options if these are all it has."""
    if ctx.exercise.driver in TEXTS:
        return 0.0
    results = (item.values.double().abs().nan_to_num() for _, item in ctx.expected_of_role("result"))
    alone = () if ctx.case.arguments or ctx.case.weights else ctx.case.options.values()
    options = (abs(float(one)) for one in alone if isinstance(one, int | float) and math.isfinite(one))
    return max((*(float(one.max()) for one in results if one.numel()), *options), default=0.0)


def _example(ctx: CheckContext) -> Example | None:
    if any("." in name for name in ctx.case.arguments):
        return None  # lists of tuples, or a module that the grader makes
    code = "\n".join(_lines(ctx))
    expected = _expected(ctx)
    too_long = len(code) > MAX_CHARACTERS and ctx.exercise.driver != "module"
    return None if too_long or expected is None else Example(ctx.case.name, code, expected)


def _lines(ctx: CheckContext) -> Iterator[str]:
    case, subject = ctx.case, ctx.exercise.subject
    options = [
        _literal(value) if case.positional else f"{name}={_literal(value)}"
        for name, value in case.options.items()
    ]
    given = [_written(ctx, value) for value in case.arguments.values()]
    if ctx.exercise.driver != "module":
        yield f"{subject}({', '.join((*given, *options))})"
        return
    made = f"{subject}({', '.join(options)})"
    if not case.arguments:
        yield made
        return
    yield f"module = {made}"
    if case.weights:
        yield "with torch.no_grad():"
    for name, weight in case.weights.items():
        place = INDEX.sub(r"[\1]", name)  # heads.0.W_query is heads[0].W_query in code
        yield f"    module.{place}.copy_({_tensor(weight)})"
    if "dropout" in case.options:
        yield "module.eval()"
    yield f"module({', '.join(given)})"


def _literal(value: object) -> str:
    """Return an option as Python writes it; an infinity has no literal."""
    infinite = isinstance(value, float) and not np.isfinite(value)
    return f'float("{value}")' if infinite else repr(value)


def _written(ctx: CheckContext, value: torch.Tensor) -> str:
    """Return an argument as Python writes it."""
    if ctx.exercise.driver == "texts":
        return repr(unpack_texts(value))
    if ctx.exercise.driver != "arrays":
        return _tensor(value)
    given = as_given(value)
    return f"np.array({_nested(value, 'np')})" if isinstance(given, np.ndarray) else repr(given)


def _tensor(tensor: torch.Tensor) -> str:
    double = ", dtype=torch.float64" if tensor.dtype == torch.float64 else ""
    return f"torch.tensor({_nested(tensor)}{double})"


def _nested(tensor: torch.Tensor, library: str = "torch") -> str:
    """Return a tensor's numbers as nested lists, with as many digits as tell them apart."""
    if tensor.dim():
        return f"[{', '.join(_nested(row, library) for row in tensor)}]"
    if not tensor.is_floating_point():
        return repr(tensor.item())
    value = tensor.numpy()[()]
    if np.isfinite(value):
        return np.format_float_positional(value, trim="0")
    return f"-{library}.inf" if value < 0 else f"{library}.{float(value)!r}"


def _expected(ctx: CheckContext) -> str | Message | None:
    """Return what the code should give: results, to four decimals, or an exception."""
    if ctx.raises:
        return message("{name} is raised", name="Exception" if ctx.raises == "Exception" else ctx.raises)
    results = [_shown(ctx, item.values) for _, item in ctx.expected_of_role("result")]
    if ctx.exercise.returns:
        asked = [f"result/{name}" for name in ctx.exercise.returns]
        if [name for name, _ in ctx.expected_of_role("result")] != asked:
            return None
    text = ", ".join(results)
    return text if len(text) <= MAX_CHARACTERS else None


def _shown(ctx: CheckContext, values: torch.Tensor) -> str:
    if ctx.exercise.driver == "texts":
        return repr(unpack_texts(values))
    if values.dim():
        return f"[{', '.join(_shown(ctx, row) for row in values)}]"
    if values.is_floating_point():
        return f"{values.item():.4f}"
    return repr(values.item())
