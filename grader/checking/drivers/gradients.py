"""Gradients that arrive when a result is probed."""

from collections.abc import Mapping

import torch

from grader.checking.recording import Recorder, describe_error
from grader.exercises.case import Flag
from grader.private_api.pytorch import unwatched


def record_gradients(
    recorder: Recorder,
    results: Mapping[str, torch.Tensor],
    sources: Mapping[str, torch.Tensor],
    grad_outputs: Mapping[str, torch.Tensor],
) -> None:
    """Record the gradient of the sum of all ``result * probe`` for each source that could be trained.

    With it, whether no result was recorded for a gradient, whatever its shape.
    """
    with unwatched():
        if all(one.is_floating_point() and not one.requires_grad for one in results.values()):
            recorder.flags[Flag.CUT] = True
        probed = {
            name: result
            for name, result in results.items()
            if name in grad_outputs and result.requires_grad and result.shape == grad_outputs[name].shape
        }
        sources = {name: one for name, one in sources.items() if one.requires_grad and one.is_leaf}
    if not probed or not sources:
        return
    try:
        # A scalar, for a gradient passed to autograd.grad has it import sympy (0.5 s) to compare shapes.
        total = sum((result * grad_outputs[name].to(result)).sum() for name, result in probed.items())
        gradients = torch.autograd.grad(total, list(sources.values()), allow_unused=True)
    except RuntimeError as error:  # the graph was cut or overwritten: a check says so, in these words
        recorder.later_errors["gradient"] = describe_error(error)
        return
    for name, gradient in zip(sources, gradients, strict=True):
        if gradient is not None:
            recorder.tensor(f"gradient/{name}", gradient)
