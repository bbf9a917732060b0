# %% setup
import torch


# %% correct="labeled numbers"
def expose_05():
    return torch.arange(12.0).view(2, 3, 2)


# %% correct="two heads that differ"
def expose_05():
    return torch.stack([torch.zeros(2, 1), torch.ones(2, 1)])


# %% correct="drawn"
def expose_05():
    torch.manual_seed(3)
    return torch.randn(3, 5, 4)


# %% correct="ones in one place"
def expose_05():
    heads = torch.zeros(2, 2, 2)
    heads[1, 0, 0] = 1.0
    return heads


# %% mistake="bug-not-exposed: one head"
def expose_05():
    return torch.randn(1, 4, 3)


# %% mistake="bug-not-exposed: one token"
def expose_05():
    return torch.randn(4, 1, 3)


# %% mistake="bug-not-exposed: all ones"
def expose_05():
    return torch.ones(2, 3, 4)


# %% mistake="bug-not-exposed: all tokens zero but the first of the first head"
def expose_05():
    heads = torch.zeros(2, 3, 2)
    heads[0, 0] = torch.tensor([1.0, 2.0])
    return heads


# %% mistake="invalid-input: two axes"
def expose_05():
    return torch.randn(3, 4)


# %% mistake="invalid-input: a batch"
def expose_05():
    return torch.randn(2, 2, 3, 4)


# %% mistake="invalid-input: whole numbers"
def expose_05():
    return torch.arange(12).view(2, 3, 2)


# %% mistake="wrong-type: a list of heads"
def expose_05():
    return [torch.randn(3, 2), torch.randn(3, 2)]


# %% mistake="not-implemented"
def expose_05():
    raise NotImplementedError("Write your answer here, then delete this line.")
