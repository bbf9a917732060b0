# %% setup
import torch

# %% correct="mine"
def expose_06():
    return torch.randn(2, 4, 3)

# %% mistake="bug-not-exposed: two axes"
def expose_06():
    return torch.randn(4, 3)

# %% mistake="invalid-input: four features"
def expose_06():
    return torch.randn(2, 4, 4)

# %% mistake="invalid-input: one axis"
def expose_06():
    return torch.randn(3)

# %% mistake="wrong-type: a size"
def expose_06():
    return (2, 4, 3)

# %% mistake="invalid-input: four axes"
def expose_06():
    return torch.randn(2, 2, 4, 3)

# %% mistake="raises: the module with the bug is called"
def expose_06():
    from grader.exercises.ch09_specimens import SPECIMENS
    return SPECIMENS[5].bug(torch.randn(2, 4, 3))
