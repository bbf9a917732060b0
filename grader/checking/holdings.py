"""Holdings: a case's description of a module's parameters, buffers and attributes; build that module."""

import torch
from torch import nn

from grader.exercises.case import Case

# How a module may hold a tensor. A case's argument is named by it and by a dotted name: ``plain a.mask``.
PARAMETER, BUFFER, UNSAVED, PLAIN, LISTED = "parameter", "buffer", "unsaved", "plain", "listed"
TRACKED = "tracked"  # plain, and it requires gradients


def names_held(case: Case) -> tuple[str, ...]:
    """Return the dotted names of everything that the module holds: tensors first, then other values."""
    return (*(key.partition(" ")[2] for key in case.arguments), *case.options)


def build_module(case: Case, device: torch.device) -> nn.Module:
    """Return a module, with modules inside it, that holds the case's tensors and options."""
    module = nn.Module()
    for key, tensor in case.arguments.items():
        kind, _, name = key.partition(" ")
        owner, attribute = _owner(module, name)
        here = tensor.to(device, copy=True)
        if kind == PARAMETER:
            owner.register_parameter(attribute, nn.Parameter(here))
        elif kind in (PLAIN, TRACKED):
            setattr(owner, attribute, here.requires_grad_(kind == TRACKED))
        elif kind == LISTED:
            setattr(owner, attribute, [here])
        else:
            owner.register_buffer(attribute, here, persistent=kind == BUFFER)
    for name, value in case.options.items():
        owner, attribute = _owner(module, name)
        setattr(owner, attribute, value)
    return module


def _owner(module: nn.Module, name: str) -> tuple[nn.Module, str]:
    """Return the module inside that holds a dotted name, made if need be, and the name's last part."""
    *path, attribute = name.split(".")
    for part in path:
        if part not in dict(module.named_children()):
            module.add_module(part, nn.Module())
        module = module.get_submodule(part)
    return module, attribute
