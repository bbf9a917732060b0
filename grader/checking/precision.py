"""The precision of float32 matrix products (TF32): PyTorch has two APIs for it, which must not be mixed."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

# The backends that compute products, by the attribute of the newer API.
PRODUCTS = (torch.backends.cuda.matmul, torch.backends.mkldnn.matmul)


def products_precision() -> tuple[str, ...]:
    """Return each backend's precision of products: ``none`` (not set), ``ieee``, ``tf32``, ``bf16``."""
    return tuple(backend.fp32_precision for backend in PRODUCTS)


def _for_all_backends() -> str | None:
    """Return the precision by the older API; None if a notebook used the newer one for a backend.

    The older API raises then.
    """
    try:
        return torch.get_float32_matmul_precision()
    except RuntimeError:
        return None


@contextmanager
def full_precision() -> Iterator[None]:
    """Compute float32 products in full precision in a block (no TF32), whichever API the notebook used."""
    before, older = products_precision(), _for_all_backends()
    torch.set_float32_matmul_precision("highest")
    try:
        yield
    finally:
        if older is not None:
            torch.set_float32_matmul_precision(older)
        for backend, precision in zip(PRODUCTS, before, strict=True):
            backend.fp32_precision = precision
