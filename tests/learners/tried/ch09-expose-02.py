# %% setup
import torch

# %% correct="mine"
def expose_02():
    return torch.randn(3, 3), torch.randn(3, 3)

# %% mistake="bug-not-exposed: the identity"
def expose_02():
    return torch.randn(3, 3), torch.eye(3)

# %% mistake="bug-not-exposed: symmetric keys"
def expose_02():
    return torch.randn(2, 2), torch.tensor([[1.0, 2.0], [2.0, 5.0]])

# %% mistake="wrong-type: no tuple"
def expose_02():
    return torch.randn(2, 3)

# %% mistake="invalid-input: widths differ"
def expose_02():
    return torch.randn(3, 2), torch.randn(3, 4)

# %% mistake="bug-not-exposed: ones"
def expose_02():
    return torch.ones(3, 3), torch.ones(3, 3)
