"""How precisely products of float32 are computed: PyTorch has two ways of asking, which it does not mix."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

# Where products are computed, by what each backend is asked for in the newer way.
PRODUCTS = (torch.backends.cuda.matmul, torch.backends.mkldnn.matmul)


def products_precision() -> tuple[str, ...]:
    """Return each backend's precision of products: ``none`` (not set), ``ieee``, ``tf32``, ``bf16``."""
    return tuple(backend.fp32_precision for backend in PRODUCTS)


def _for_all_backends() -> str | None:
    """Return the precision by the older way; None if a notebook set one backend's in the newer way.

    Then PyTorch cannot say it by the older one, and raises.
    """
    try:
        return torch.get_float32_matmul_precision()
    except RuntimeError:
        return None


@contextmanager
def full_precision() -> Iterator[None]:
    """Compute float32 products in full in a block (no TF32), whichever way the notebook asked for less."""
    before, older = products_precision(), _for_all_backends()
    torch.set_float32_matmul_precision("highest")
    try:
        yield
    finally:
        if older is not None:
            torch.set_float32_matmul_precision(older)
        for backend, precision in zip(PRODUCTS, before, strict=True):
            backend.fp32_precision = precision
