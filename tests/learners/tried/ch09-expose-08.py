# %% setup
import torch

# %% correct="mine"
def expose_08():
    return torch.randn(1, 4, 6), 2

# %% mistake="bug-not-exposed: ones"
def expose_08():
    return torch.ones(1, 4, 6), 2

# %% mistake="bug-not-exposed: one head"
def expose_08():
    return torch.randn(1, 4, 6), 1

# %% mistake="bug-not-exposed: one token"
def expose_08():
    return torch.randn(1, 1, 6), 2

# %% mistake="invalid-input: two axes"
def expose_08():
    return torch.randn(4, 6), 2

# %% mistake="invalid-input: they do not divide"
def expose_08():
    return torch.randn(1, 4, 6), 4

# %% mistake="wrong-type: no tuple"
def expose_08():
    return torch.randn(1, 4, 6)

# %% mistake="wrong-type: heads as a tensor"
def expose_08():
    return torch.randn(1, 4, 6), torch.tensor(2)
