"""Gradients that arrive when a result is probed."""

from collections.abc import Mapping

import torch

from grader.checking.recording import Recorder


def record_gradients(
    recorder: Recorder,
    results: Mapping[str, torch.Tensor],
    sources: Mapping[str, torch.Tensor],
    probes: Mapping[str, torch.Tensor],
) -> None:
    """Record the gradient of the sum of all ``result * probe`` for each source that could be trained."""
    probed = {
        name: result
        for name, result in results.items()
        if result.requires_grad and result.shape == probes[name].shape
    }
    sources = {name: source for name, source in sources.items() if source.requires_grad and source.is_leaf}
    if not probed:
        return
    try:
        # A scalar, for a gradient passed to autograd.grad has it import sympy (0.5 s) to compare shapes.
        total = sum((result * probes[name].to(result)).sum() for name, result in probed.items())
        gradients = torch.autograd.grad(total, list(sources.values()), allow_unused=True)
    except RuntimeError:
        return  # the graph was cut or overwritten: no gradient arrives, and the ladder says so
    for name, gradient in zip(sources, gradients, strict=True):
        if gradient is not None:
            recorder.tensor(f"gradient/{name}", gradient)
