# %% setup
import torch


# %% correct="infinity"
def expose_11():
    return torch.zeros(3, 3), float("inf")


# %% correct="torch.inf, drawn scores"
def expose_11():
    torch.manual_seed(7)
    return torch.randn(4, 4), torch.inf


# %% correct="one token"
def expose_11():
    return torch.tensor([[2.0]]), float("inf")


# %% mistake="bug-not-exposed: a large penalty"
def expose_11():
    return torch.randn(3, 3), 1e9


# %% correct="beyond float32"
def expose_11():
    return torch.randn(3, 3), 1e300


# %% mistake="bug-not-exposed: none"
def expose_11():
    return torch.randn(3, 3), 0


# %% mistake="invalid-input: negative"
def expose_11():
    return torch.randn(3, 3), -float("inf")


# %% mistake="invalid-input: NaN"
def expose_11():
    return torch.randn(3, 3), float("nan")


# %% mistake="invalid-input: not square"
def expose_11():
    return torch.randn(3, 4), float("inf")


# %% mistake="invalid-input: infinity in the scores"
def expose_11():
    return torch.tensor([[0.0, torch.inf], [0.0, 0.0]]), 1.0


# %% mistake="wrong-type: a text"
def expose_11():
    return torch.randn(3, 3), "inf"


# %% mistake="wrong-type: a tensor"
def expose_11():
    return torch.randn(3, 3), torch.tensor(torch.inf)


# %% mistake="wrong-type: scores alone"
def expose_11():
    return torch.randn(3, 3)


# %% mistake="not-implemented"
def expose_11():
    raise NotImplementedError("Write your answer here, then delete this line.")
