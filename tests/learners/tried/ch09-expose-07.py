# %% setup
import torch

# %% correct="mine"
def expose_07():
    return torch.randn(4, 3)

# %% mistake="bug-not-exposed: ones"
def expose_07():
    return torch.ones(4, 3)

# %% mistake="bug-not-exposed: one token"
def expose_07():
    return torch.randn(1, 3)

# %% mistake="bug-not-exposed: zeros"
def expose_07():
    return torch.zeros(4, 3)

# %% mistake="invalid-input: a batch"
def expose_07():
    return torch.randn(2, 4, 3)
