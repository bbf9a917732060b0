# %% setup
import torch

# %% correct="mine"
def expose_12():
    return torch.randn(3, 3)

# %% mistake="bug-not-exposed: one token"
def expose_12():
    return torch.zeros(1, 1)

# %% mistake="bug-not-exposed: the future is very low"
def expose_12():
    return torch.zeros(3, 3) - 100 * torch.ones(3, 3).triu(1)

# %% mistake="invalid-input: -inf"
def expose_12():
    return torch.zeros(3, 3).masked_fill(torch.ones(3, 3).triu(1).bool(), -torch.inf)

# %% mistake="invalid-input: not square"
def expose_12():
    return torch.zeros(2, 3)
