"""A second watch on the library's own attention, at torch's dispatcher.

``CallWatcher`` sees calls of torch functions in the thread that it was entered in. A thread of the learner's,
``torch._C.DisableTorchFunction`` and the TorchScript interpreter go around it; nothing that calls an operator
goes around the dispatcher. So the operators are given an implementation that notes the call. The original
cannot be called from there, hence the few lines that compute the same.
"""

import re
import warnings
from collections.abc import Callable

import torch
from torch.nn import functional as F
from torch.nn.attention import flex_attention

# Operators beneath attention that no notebook calls by itself, by the key of the kernel that is replaced.
REFUSED = {
    "_scaled_dot_product_flash_attention_for_cpu": "CPU",
    "_scaled_dot_product_fused_attention_overrideable": "CompositeExplicitAutograd",
    "_native_multi_head_attention": "CPU",
    "_transformer_encoder_layer_fwd": "CPU",
}

_calls: list[str] = []
_library = torch.library.Library("aten", "IMPL")


def forget() -> None:
    """Forget all calls that were seen."""
    _calls.clear()


def seen(forbidden: tuple[str, ...]) -> tuple[str, ...]:
    """Return which calls were seen, in any thread, whose name contains a forbidden part."""
    if not forbidden:
        return ()
    pattern = re.compile("|".join(map(re.escape, forbidden)))
    return tuple(name for name in dict.fromkeys(_calls) if pattern.search(name))


def _note(name: str, is_causal: bool = False) -> None:
    if len(_calls) < 1000:
        _calls.extend([name, f"{name}(is_causal=True)"] if is_causal else [name])


def _allowed(scores: torch.Tensor, mask: torch.Tensor | None, is_causal: bool) -> torch.Tensor:
    """Return scores with -inf where a key may not be looked at; a boolean mask says where it may."""
    if is_causal:
        mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril()
    if mask is None:
        return scores
    return scores.masked_fill(~mask, -torch.inf) if mask.dtype == torch.bool else scores + mask


def _attention(  # noqa: PLR0913 - as many as the operator has
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attn_mask: torch.Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    dropout_mask: torch.Tensor | None = None,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Compute what ``F.scaled_dot_product_attention`` documents, with the weights."""
    if is_causal and attn_mask is not None:
        raise RuntimeError("Explicit attn_mask should not be set when is_causal=True")
    if enable_gqa:
        times = query.shape[-3] // key.shape[-3]
        key, value = key.repeat_interleave(times, -3), value.repeat_interleave(times, -3)
    scale = query.shape[-1] ** -0.5 if scale is None else scale
    scores = _allowed(query @ key.transpose(-2, -1) * scale, attn_mask, is_causal)  # (..., T_q, T_k)
    weights = torch.ops.aten._safe_softmax(scores, -1)
    dropped = torch.dropout(weights, dropout_p, True) if dropout_p else weights
    return dropped @ value, weights


def _noted_attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attn_mask: torch.Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> torch.Tensor:
    _note("scaled_dot_product_attention", is_causal)
    options = {"scale": scale, "enable_gqa": enable_gqa}
    return _attention(query, key, value, attn_mask, dropout_p, is_causal, **options)[0]


def _noted_math(*arguments: object, **options: object) -> tuple[torch.Tensor, torch.Tensor]:
    _note("_scaled_dot_product_attention_math")
    return _attention(*arguments, **options)


def _refusing(name: str) -> Callable:
    def refuse(*_: object, **__: object) -> None:
        _note(name)
        raise RuntimeError(f"{name} is not to be had while a notebook is graded.")

    return refuse


def _noting(function: Callable) -> Callable:
    name = function.__name__

    def noted(*arguments: object, **options: object) -> object:
        _note(name)
        return function(*arguments, **options)

    noted.__name__, noted.__doc__ = name, function.__doc__
    return noted


def install() -> None:
    """Watch from now on, in every thread of this process and of those forked from it."""
    # These would choose a fused kernel, which is no other attention but cannot be called from here.
    torch.backends.mha.set_fastpath_enabled(False)
    with warnings.catch_warnings(action="ignore", category=UserWarning):  # that kernels are replaced
        composite = "CompositeImplicitAutograd"
        _library.impl("scaled_dot_product_attention", _noted_attention, composite)
        _library.impl("_scaled_dot_product_attention_math", _noted_math, composite)
        for name, key in REFUSED.items():
            _library.impl(name, _refusing(name), key)
    # A Python function that computes attention by itself where the weights are asked for.
    F.multi_head_attention_forward = _noting(F.multi_head_attention_forward)
    flex_attention.flex_attention = _noting(flex_attention.flex_attention)
