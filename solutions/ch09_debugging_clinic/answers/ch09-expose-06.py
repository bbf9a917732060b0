# %% setup
import torch


# %% correct="a batch"
def expose_06():
    return torch.ones(2, 4, 3)


# %% correct="a batch of one"
def expose_06():
    return torch.randn(4, 3).unsqueeze(0)


# %% correct="a batch of zeros"
def expose_06():
    return torch.zeros(1, 1, 3)


# %% mistake="bug-not-exposed: a sentence"
def expose_06():
    return torch.randn(6, 3)


# %% mistake="bug-not-exposed: one token"
def expose_06():
    return torch.tensor([[0.43, 0.15, 0.89]])


# %% mistake="bug-not-exposed: zeros"
def expose_06():
    return torch.zeros(4, 3)


# %% mistake="invalid-input: other features"
def expose_06():
    return torch.randn(2, 4, 5)


# %% mistake="invalid-input: four axes"
def expose_06():
    return torch.randn(1, 2, 4, 3)


# %% mistake="invalid-input: one token without its axis"
def expose_06():
    return torch.randn(3)


# %% mistake="wrong-type: an error is given back"
def expose_06():
    return TypeError("unsupported operand")


# %% mistake="raises: the error itself"
def expose_06():
    return torch.randn(2, 4, 3) @ torch.nn.Linear(3, 2)


# %% mistake="not-implemented"
def expose_06():
    raise NotImplementedError("Write your answer here, then delete this line.")
