# %% setup
import torch


# %% correct="two heads"
def expose_09():
    query = torch.tensor([[[1.0, 0.0]], [[0.0, 2.0]]])
    key = torch.tensor([[[1.0, 0.0], [0.0, 1.0]], [[3.0, 1.0], [1.0, 0.0]]])
    return query, key


# %% correct="drawn"
def expose_09():
    torch.manual_seed(6)
    return torch.randn(4, 3, 2), torch.randn(4, 5, 2)


# %% correct="one feature"
def expose_09():
    return torch.ones(3, 1, 1), torch.tensor([0.0, 2.0]).view(1, 2, 1).repeat(3, 1, 1)


# %% mistake="bug-not-exposed: one head"
def expose_09():
    return torch.randn(1, 3, 4), torch.randn(1, 3, 4)


# %% mistake="bug-not-exposed: one key"
def expose_09():
    return torch.randn(2, 3, 4), torch.randn(2, 1, 4)


# %% mistake="bug-not-exposed: equal keys"
def expose_09():
    return torch.randn(2, 3, 4), torch.ones(2, 5, 4)


# %% mistake="bug-not-exposed: zeros"
def expose_09():
    return torch.zeros(2, 3, 4), torch.randn(2, 3, 4)


# %% mistake="bug-not-exposed: tiny scores"
def expose_09():
    return torch.randn(2, 3, 4) * 0.01, torch.randn(2, 3, 4) * 0.01


# %% mistake="invalid-input: no heads"
def expose_09():
    return torch.randn(3, 4), torch.randn(3, 4)


# %% mistake="invalid-input: other heads"
def expose_09():
    return torch.randn(2, 3, 4), torch.randn(3, 3, 4)


# %% mistake="invalid-input: other features"
def expose_09():
    return torch.randn(2, 3, 4), torch.randn(2, 3, 5)


# %% mistake="wrong-type"
def expose_09():
    return torch.randn(2, 3, 4)


# %% mistake="not-implemented"
def expose_09():
    raise NotImplementedError("Write your answer here, then delete this line.")
