# %% setup
import torch

# %% correct="mine"
def expose_01():
    return torch.tensor([[1.0, 2.0], [3.0, 5.0]])

# %% mistake="bug-not-exposed: zeros"
def expose_01():
    return torch.zeros(3, 3)

# %% mistake="bug-not-exposed: the identity"
def expose_01():
    return torch.eye(3)

# %% mistake="bug-not-exposed: symmetric, rows alike"
def expose_01():
    return torch.tensor([[0.0, 1.0], [1.0, 0.0]])

# %% mistake="invalid-input: whole numbers"
def expose_01():
    return torch.tensor([[1, 2], [3, 5]])

# %% mistake="wrong-type: a list"
def expose_01():
    return [[1.0, 2.0], [3.0, 5.0]]

# %% mistake="invalid-input: one axis"
def expose_01():
    return torch.tensor([1.0, 2.0, 3.0])

# %% mistake="invalid-input: large"
def expose_01():
    return torch.randn(100, 100)
