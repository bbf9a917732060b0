"""Random rounding: simulate results of a right answer on other machines and in other orders of operations.

Monte Carlo arithmetic: an operation in float32 is computed in float64, and its result is rounded up or down
at random. Run several times, results differ in the digits that rounding decides. The method is that of CESTAC
and CADNA (J. Vignes, "Discrete stochastic arithmetic for validating results of numerical software", 2004), of
D. S. Parker ("Monte Carlo arithmetic: exploiting randomness in floating-point arithmetic", 1997) and of
Verificarlo (C. Denis, P. de Oliveira Castro, E. Petit, 2016).

Sums and products of matrices are added up in a random order and in random parts, so that every order, blocks,
and fused multiplication and addition are among what may happen. Functions of a library may be as far off as
CUDA's are (CUDA C++ Programming Guide, "Mathematical Functions": maximum errors in units in the last place).
What the library computes in one operation is taken apart (``grader/proving/composites.py``).

Untouched are: what is exact (copies, views, choices, comparisons, whole numbers), float64 and half precision,
what is drawn (no generator of PyTorch's is asked), what a device other than the CPU computes, and all that is
computed by Python or NumPy.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache, partial

import numpy as np
import torch

from grader.exercises.case import Case
from grader.private_api.pytorch import DispatchMode, is_decomposable, packet_name, writes
from grader.proving.arithmetic import RandomArithmetic
from grader.proving.composites import COMPOSITES, REARRANGED
from grader.topics import modules

# Elementwise: the hardware returns one of the two neighbors.
ROUNDED = (
    *("add", "sub", "rsub", "mul", "div", "sqrt", "reciprocal", "addcmul", "addcdiv", "lerp", "prod"),
    *("index_put", "_index_put_impl", "index_add", "scatter_add", "cumprod", "leaky_relu", "hardswish"),
)
# A library's functions: by how many units in the last place they may be off.
APPROXIMATED = {
    **dict.fromkeys(("exp", "exp2", "expm1", "tanh", "erf", "rsqrt", "sin", "cos", "log10", "log1p"), 2),
    **dict.fromkeys(("log", "log2"), 1),
    **dict.fromkeys(("pow", "sinh", "cosh", "tan", "erfc", "atan", "asin", "acos", "atan2"), 4),
    **dict.fromkeys(("silu", "silu_backward", "softplus", "softplus_backward", "log_sigmoid_forward"), 4),
}
# Powers that are one multiplication or one root.
SIMPLE_POWERS = (0.5, 2)
PLAIN = (torch.Tensor, torch.nn.Parameter)
# Numbers that say something by being what they are: they are not moved.
TELLING = (0.0, 1.0, -1.0)

Treatment = Callable[["RandomRounding", Callable, tuple, dict], object]


class RandomRounding(DispatchMode):
    """While it is active, every operation in float32 on the CPU is rounded at random, backward too.

    Attributes:
        arithmetic: draws and rounds.
        rearranged: whether the library's softmax is that by a logarithm.
    """

    def __init__(self, seed: int, rearranged: bool = False) -> None:
        super().__init__()
        self.arithmetic, self.rearranged = RandomArithmetic(seed), rearranged

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        """Run any operation."""
        treatment, kwargs = _treatment(func), kwargs or {}
        if treatment is None or not (treatment is _decomposed or _single(args)):
            return func(*args, **kwargs)
        return treatment(self, func, args, kwargs)


@contextmanager
def random_rounding(seed: int, rearranged: bool = False) -> Iterator[None]:
    """Round at random within the block; what the library does in one is made of its steps there."""
    with ExitStack() as stack:
        for topic in modules("rounding"):
            stack.enter_context(topic.in_steps())
        stack.enter_context(RandomRounding(seed, rearranged))
        yield


def moved(case: Case, seed: int) -> Case:
    """Return a case of which every argument and weight of floating point is one of its neighbors, or itself.

    An answer that is right computes, but for a few units in the last place, what is right on inputs as near
    as that (it is backward stable). So this has the errors that other arrangements of the formula would have:
    the scale before or after, the maximum taken away, the running maximum. What is not stable in this sense
    but right, the logarithm of the sum taken away, has to be run (``rearranged``, or variants of the bank).
    Zeros, ones and infinities are left, as in masks.
    """
    rng = np.random.default_rng(seed)

    def near(tensor: torch.Tensor) -> torch.Tensor:
        if not tensor.is_floating_point():
            return tensor
        towards = torch.from_numpy(rng.integers(-1, 2, tuple(tensor.shape))).to(tensor.dtype) * torch.inf
        neighbors = torch.where(towards.isnan(), tensor, torch.nextafter(tensor, towards))
        telling = sum((tensor == one for one in TELLING), ~tensor.isfinite())
        return torch.where(telling, tensor, neighbors)

    return case.with_numbers(near)


def _single(args: tuple) -> bool:
    """Return whether an operation computes in float32, on plain tensors of the CPU."""
    found = False
    for one in args:
        if isinstance(one, torch.Tensor):
            if type(one) not in PLAIN or one.device.type != "cpu":
                return False
            if one.dtype is torch.float32:
                found = True
            elif one.is_floating_point():
                return False
    return found


@cache
def _treatment(func) -> Treatment | None:
    """Return how an operation is rounded; None if it is left as it is."""
    name = packet_name(func).removeprefix("aten::").rstrip("_")
    if name in SUMS:
        return partial(_summed, SUMS[name])
    if name in COMPOSITES:
        return partial(_taken_apart, COMPOSITES[name])
    if name in ROUNDED:
        return partial(_widened, 1)
    if name in APPROXIMATED:
        return partial(_widened, APPROXIMATED[name])
    return _decomposed if is_decomposable(func) and not writes(func) else None


def _wide(value: object) -> object:
    """Return a tensor of float32 as one of float64, below autograd; anything else as it is."""
    if isinstance(value, torch.Tensor) and value.dtype is torch.float32:
        return value.detach().double()
    return value


def _written(func, args: tuple, kwargs: Mapping, result: object) -> object:
    """Return a result; where the operation writes into a tensor, that tensor, with the result in it."""
    if not writes(func):
        return result
    target = kwargs["out"] if "out" in kwargs else args[0]
    if "out" in kwargs and target.shape != result.shape:
        target.resize_(result.shape)
    return target.copy_(result)


def _widened(ulps: int, mode: RandomRounding, func, args: tuple, kwargs: dict) -> object:
    """Run an operation in float64 and round."""
    if kwargs.get("rounding_mode"):
        return func(*args, **kwargs)
    options = {name: _wide(value) for name, value in kwargs.items()}
    if "out" in kwargs:
        options["out"] = torch.empty(0, dtype=torch.float64)
    exact = func(*map(_wide, args), **options)
    if not isinstance(exact, torch.Tensor) or exact.dtype is not torch.float64:
        return func(*args, **kwargs)
    simple = isinstance(args[-1], int | float) and args[-1] in SIMPLE_POWERS
    if ulps == 1 or simple:
        result = mode.arithmetic.rounded(exact)
    else:
        result = mode.arithmetic.approximated(exact, ulps)
    return _written(func, args, kwargs, result.float())


def _taken_apart(steps: Callable, mode: RandomRounding, func, args: tuple, kwargs: dict) -> object:
    """Run an operation in its steps, each of which comes here again."""
    if not all(one.numel() for one in args if isinstance(one, torch.Tensor)):
        return func(*args, **kwargs)
    options = {name: value for name, value in kwargs.items() if name != "out"}
    steps = REARRANGED.get(steps, steps) if mode.rearranged else steps
    with mode:
        result = steps(*args, **options)
    return _written(func, args, kwargs, result)


def _decomposed(mode: RandomRounding, func, args: tuple, kwargs: dict) -> object:
    """Run what PyTorch itself makes of other operations; without autograd such arrive here in one piece."""
    with mode:
        return func.decompose(*args, **kwargs)


def _summed(compute: Callable, mode: RandomRounding, func, args: tuple, kwargs: dict) -> object:
    """Add up or multiply matrices, in a random order and in random parts."""
    if kwargs.get("dtype") not in (None, torch.float32):
        return func(*args, **kwargs)
    options = {name: value for name, value in kwargs.items() if name not in ("out", "dtype")}
    result = compute(mode.arithmetic, *map(_wide, args), **options)
    return _written(func, args, kwargs, result.float())


def _sum(arithmetic: RandomArithmetic, x, dim=None, keepdim=False) -> torch.Tensor:
    if not x.dim():
        return x
    asked = [dim] if isinstance(dim, int) else dim
    axes = [axis % x.dim() for axis in asked or range(x.dim())]
    rest = [axis for axis in range(x.dim()) if axis not in axes]
    total = arithmetic.summed(x.permute(*axes, *rest).flatten(0, len(axes) - 1))
    if not keepdim:
        return total
    return total.reshape([1 if axis in axes else size for axis, size in enumerate(x.shape)])


def _scaled(arithmetic: RandomArithmetic, bias, product, beta, alpha) -> torch.Tensor:
    """Return beta * bias + alpha * product, with a product that is rounded already."""
    return arithmetic.rounded(torch.add(bias if beta == 1 else beta * bias, product, alpha=alpha))


def _add_product(arithmetic: RandomArithmetic, bias, a, b, *, beta=1, alpha=1) -> torch.Tensor:
    return _scaled(arithmetic, bias, arithmetic.product(a, b), beta, alpha)


def _add_vector(arithmetic: RandomArithmetic, bias, a, b, *, beta=1, alpha=1) -> torch.Tensor:
    return _scaled(arithmetic, bias, _vector(arithmetic, a, b), beta, alpha)


def _vector(arithmetic: RandomArithmetic, a, b) -> torch.Tensor:
    return arithmetic.product(a, b[:, None])[..., 0]


def _dot(arithmetic: RandomArithmetic, a, b) -> torch.Tensor:
    return arithmetic.product(a[None], b[:, None])[0, 0]


SUMS: dict[str, Callable] = {
    "sum": _sum,
    "cumsum": RandomArithmetic.running,
    **dict.fromkeys(("mm", "bmm"), RandomArithmetic.product),
    **dict.fromkeys(("addmm", "baddbmm"), _add_product),
    **dict.fromkeys(("mv",), _vector),
    **dict.fromkeys(("addmv",), _add_vector),
    **dict.fromkeys(("dot", "vdot"), _dot),
}
