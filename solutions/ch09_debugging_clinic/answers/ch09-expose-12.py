# %% setup
import torch


# %% correct="zeros"
def expose_12():
    return torch.zeros(2, 2)


# %% correct="drawn"
def expose_12():
    torch.manual_seed(8)
    return torch.randn(5, 5)


# %% correct="rising"
def expose_12():
    return torch.arange(9.0).reshape(3, 3)


# %% mistake="bug-not-exposed: one token"
def expose_12():
    return torch.tensor([[1.0]])


# %% mistake="bug-not-exposed: the future far below"
def expose_12():
    return torch.full((4, 4), -1e4).triu(1)


# %% mistake="bug-not-exposed: the future hardly seen"
def expose_12():
    return torch.full((4, 4), -9.0).triu(1)


# %% mistake="invalid-input: not square"
def expose_12():
    return torch.randn(3, 4)


# %% mistake="invalid-input: masked already"
def expose_12():
    return torch.randn(3, 3).masked_fill(torch.ones(3, 3).triu(1).bool(), -torch.inf)


# %% mistake="invalid-input: whole numbers"
def expose_12():
    return torch.arange(9).reshape(3, 3)


# %% mistake="wrong-type"
def expose_12():
    return torch.zeros(2, 2), torch.zeros(2, 2)


# %% mistake="not-implemented"
def expose_12():
    raise NotImplementedError("Write your answer here, then delete this line.")
