# %% setup
import torch


# %% correct="labeled numbers"
def expose_08():
    return torch.arange(12.0).view(1, 3, 4), 2


# %% correct="drawn, a batch"
def expose_08():
    torch.manual_seed(5)
    return torch.randn(2, 5, 6), 3


# %% correct="as many heads as features"
def expose_08():
    return torch.tensor([[[1.0, 2.0], [3.0, 4.0]]]), 2


# %% mistake="bug-not-exposed: one head"
def expose_08():
    return torch.randn(2, 3, 4), 1


# %% mistake="bug-not-exposed: one token"
def expose_08():
    return torch.randn(2, 1, 4), 2


# %% mistake="bug-not-exposed: all ones"
def expose_08():
    return torch.ones(2, 3, 4), 2


# %% mistake="invalid-input: unequal heads"
def expose_08():
    return torch.randn(1, 3, 5), 2


# %% mistake="invalid-input: no batch"
def expose_08():
    return torch.randn(3, 4), 2


# %% mistake="invalid-input: no head"
def expose_08():
    return torch.randn(1, 3, 4), 0


# %% mistake="invalid-input: whole numbers"
def expose_08():
    return torch.arange(12).view(1, 3, 4), 2


# %% mistake="wrong-type: the number of heads as a float"
def expose_08():
    return torch.randn(1, 3, 4), 2.0


# %% mistake="wrong-type: the number of heads as a tensor"
def expose_08():
    return torch.randn(1, 3, 4), torch.tensor(2)


# %% mistake="wrong-type: x alone"
def expose_08():
    return torch.arange(12.0).view(1, 3, 4)


# %% mistake="wrong-type: in the other order"
def expose_08():
    return 2, torch.arange(12.0).view(1, 3, 4)


# %% mistake="not-implemented"
def expose_08():
    raise NotImplementedError("Write your answer here, then delete this line.")
