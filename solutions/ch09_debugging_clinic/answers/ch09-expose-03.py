# %% setup
import torch


# %% correct="three tokens, two features"
def expose_03():
    return torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), torch.tensor([[1.0, 0.0], [0.0, 1.0]])


# %% correct="one query"
def expose_03():
    return torch.ones(1, 4), torch.ones(3, 4)


# %% correct="drawn"
def expose_03():
    torch.manual_seed(2)
    x = torch.randn(6, 3)
    return x, x


# %% correct="one feature"
def expose_03():
    return torch.full((4, 1), 2.0), torch.full((4, 1), 2.0)


# %% mistake="bug-not-exposed: as many tokens as features"
def expose_03():
    return torch.randn(4, 4), torch.randn(4, 4)


# %% mistake="bug-not-exposed: only the keys are more"
def expose_03():
    return torch.randn(3, 3), torch.randn(7, 3)


# %% mistake="bug-not-exposed: zeros"
def expose_03():
    return torch.zeros(5, 2), torch.randn(5, 2)


# %% mistake="bug-not-exposed: at right angles"
def expose_03():
    return torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 1.0], [0.0, 2.0]])


# %% mistake="bug-not-exposed: tiny numbers"
def expose_03():
    return torch.full((4, 2), 0.01), torch.full((4, 2), 0.01)


# %% mistake="invalid-input: features of other numbers"
def expose_03():
    return torch.randn(4, 2), torch.randn(4, 3)


# %% mistake="invalid-input: vectors"
def expose_03():
    return torch.randn(4), torch.randn(4)


# %% mistake="wrong-type"
def expose_03():
    return torch.randn(4, 2)


# %% mistake="not-implemented"
def expose_03():
    raise NotImplementedError("Write your answer here, then delete this line.")
