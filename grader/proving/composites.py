"""Composite library operations (softmax, layer norm, GELU, ...) as elementary steps.

Under random rounding (``grader/proving/rounding.py``) each step is rounded. The parameters are those of
PyTorch's operations; tensors are of float32.
"""

import math
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

HALF_ROOT = math.sqrt(0.5)
# Of GELU's approximation by tanh (Hendrycks and Gimpel 2016).
CUBE, ROOT = 0.044715, math.sqrt(2 / math.pi)


def softmax(x: Tensor, dim: int, half_to_float: bool = False) -> Tensor:
    """Return exp(x) over its sum, from which the maximum was taken away before."""
    powers = (x - x.amax(dim, keepdim=True)).exp()
    return powers / powers.sum(dim, keepdim=True)


def softmax_by_logarithm(x: Tensor, dim: int, half_to_float: bool = False) -> Tensor:
    """Return exp(x - log(sum(exp(x)))), which is right, too.

    Its rows sum to one only as nearly as the logarithm, of the size of the largest x, is rounded. No softmax
    of other numbers has this error. Source: P. Blanchard, D. J. Higham, N. J. Higham, "Accurately computing
    the log-sum-exp and softmax functions", 2021.
    """
    return (x - logsumexp(x, [dim], keepdim=True)).exp()


def safe_softmax(x: Tensor, dim: int, dtype: torch.dtype | None = None) -> Tensor:
    """Return the softmax; zeros where everything is hidden."""
    return softmax(x, dim).masked_fill((x == -torch.inf).all(dim, keepdim=True), 0.0)


def softmax_backward(grad: Tensor, output: Tensor, dim: int, dtype: torch.dtype) -> Tensor:
    """Return the gradient of the softmax's input."""
    product = grad * output
    return product - output * product.sum(dim, keepdim=True)


def log_softmax(x: Tensor, dim: int, half_to_float: bool = False) -> Tensor:
    """Return the logarithm of the softmax, without taking it of a small number."""
    shifted = x - x.amax(dim, keepdim=True)
    return shifted - shifted.exp().sum(dim, keepdim=True).log()


def log_softmax_backward(grad: Tensor, output: Tensor, dim: int, dtype: torch.dtype) -> Tensor:
    """Return the gradient of the input of the softmax's logarithm."""
    return grad - output.exp() * grad.sum(dim, keepdim=True)


def logsumexp(x: Tensor, dim: Sequence[int], keepdim: bool = False) -> Tensor:
    """Return log(sum(exp(x))), the maximum taken away before and added after."""
    largest = x.amax(dim, keepdim=True)
    largest = largest.masked_fill(largest.isinf(), 0.0)
    total = (x - largest).exp().sum(dim, keepdim=True).log() + largest
    axes = sorted({one % x.dim() for one in dim} if x.dim() else (), reverse=True)
    for axis in () if keepdim else axes:
        total = total.squeeze(axis)
    return total


def mean(
    x: Tensor, dim: Sequence[int] | None = None, keepdim: bool = False, dtype: torch.dtype | None = None
) -> Tensor:
    """Return the sum divided by how many there are."""
    total = x.sum(dim, keepdim=keepdim)
    return total / (x.numel() / total.numel())


def variance(
    x: Tensor, dim: Sequence[int] | None = None, correction: float | None = None, keepdim: bool = False
) -> Tensor:
    """Return the mean squared distance from the mean, over one less than there are by default."""
    centered = x - x.mean(dim, keepdim=True)
    total = (centered * centered).sum(dim, keepdim=keepdim)
    return total / (x.numel() / total.numel() - (1 if correction is None else correction))


def deviation(
    x: Tensor, dim: Sequence[int] | None = None, correction: float | None = None, keepdim: bool = False
) -> Tensor:
    """Return the root of the variance."""
    return variance(x, dim, correction, keepdim).sqrt()


def vector_norm(
    x: Tensor,
    ord: float = 2,
    dim: Sequence[int] | None = None,
    keepdim: bool = False,
    dtype: torch.dtype | None = None,
) -> Tensor:
    """Return the Euclidean length; another norm is made of powers."""
    if ord == 2:
        return (x * x).sum(dim, keepdim=keepdim).sqrt()
    if math.isinf(ord):
        return x.abs().amax(() if dim is None else dim, keepdim=keepdim)
    return x.abs().pow(ord).sum(dim, keepdim=keepdim).pow(1 / ord)


def layer_norm(
    x: Tensor, shape: Sequence[int], weight: Tensor | None, bias: Tensor | None, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    """Return x (..., *shape) normalized, its mean and one over its deviation."""
    axes = list(range(-len(shape), 0))
    center = x.mean(axes, keepdim=True)
    centered = x - center
    factor = ((centered * centered).mean(axes, keepdim=True) + eps).rsqrt()
    result = centered * factor
    result = result if weight is None else result * weight
    return result if bias is None else result + bias, center, factor


def layer_norm_backward(
    grad: Tensor,
    x: Tensor,
    shape: Sequence[int],
    center: Tensor,
    factor: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    output_mask: Sequence[bool],
) -> tuple[Tensor | None, ...]:
    """Return the gradients of the input, the weight and the bias, where they are asked for."""
    axes, outer = list(range(-len(shape), 0)), list(range(x.dim() - len(shape)))
    normal = (x - center) * factor
    scaled = grad if weight is None else grad * weight
    along = (scaled * normal).mean(axes, keepdim=True)
    to_x = (scaled - scaled.mean(axes, keepdim=True) - normal * along) * factor
    to_weight, to_bias = (each.sum(outer) if outer else each for each in (grad * normal, grad))
    wanted = zip((to_x, to_weight, to_bias), output_mask, strict=True)
    return tuple(each if asked else None for each, asked in wanted)


def gelu(x: Tensor, *, approximate: str = "none") -> Tensor:
    """Return x times the share of a normal distribution below x."""
    if approximate == "tanh":
        return 0.5 * x * (1 + (ROOT * (x + CUBE * x * x * x)).tanh())
    return 0.5 * x * (1 + (x * HALF_ROOT).erf())


def gelu_backward(grad: Tensor, x: Tensor, *, approximate: str = "none") -> Tensor:
    """Return the gradient of GELU's input."""
    if approximate == "tanh":
        bent = (ROOT * (x + CUBE * x * x * x)).tanh()
        slope = (1 - bent * bent) * (ROOT * (1 + 3 * CUBE * x * x))
        return grad * (0.5 * (1 + bent) + 0.5 * x * slope)
    density = (-0.5 * x * x).exp() * (0.5 * ROOT)
    return grad * (0.5 * (1 + (x * HALF_ROOT).erf()) + x * density)


def sigmoid(x: Tensor) -> Tensor:
    """Return 1 / (1 + exp(-x))."""
    return 1 / (1 + (-x).exp())


def sigmoid_backward(grad: Tensor, output: Tensor) -> Tensor:
    """Return the gradient of the sigmoid's input."""
    return grad * (1 - output) * output


def tanh_backward(grad: Tensor, output: Tensor) -> Tensor:
    """Return the gradient of the input of tanh."""
    return grad * (1 - output * output)


def embedding_backward(
    grad: Tensor, indices: Tensor, num_weights: int, padding_idx: int, scale_grad_by_freq: bool
) -> Tensor:
    """Return the gradient of a table of which rows were taken."""
    hits = torch.nn.functional.one_hot(indices.flatten(), num_weights).to(grad.dtype)
    if padding_idx >= 0:
        hits[:, padding_idx] = 0.0
    return hits.t().mm(grad.reshape(-1, grad.shape[-1]))


# Alternative decompositions with larger rounding errors.
REARRANGED: dict[Callable, Callable] = {softmax: softmax_by_logarithm}

COMPOSITES: dict[str, Callable] = {
    "_softmax": softmax,
    "_safe_softmax": safe_softmax,
    "_softmax_backward_data": softmax_backward,
    "_log_softmax": log_softmax,
    "_log_softmax_backward_data": log_softmax_backward,
    "logsumexp": logsumexp,
    "mean": mean,
    "var": variance,
    "std": deviation,
    "linalg_vector_norm": vector_norm,
    "native_layer_norm": layer_norm,
    "native_layer_norm_backward": layer_norm_backward,
    "gelu": gelu,
    "gelu_backward": gelu_backward,
    "sigmoid": sigmoid,
    "sigmoid_backward": sigmoid_backward,
    "tanh_backward": tanh_backward,
    "embedding_dense_backward": embedding_backward,
}
