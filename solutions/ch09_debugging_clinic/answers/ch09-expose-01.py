# %% setup
import torch


# %% correct="two rows and three columns"
def expose_01():
    return torch.tensor([[1.0, 2.0, 3.0], [0.0, 1.0, -1.0]])


# %% correct="square, not symmetric"
def expose_01():
    return torch.tensor([[0.0, 4.0], [0.0, 0.0]])


# %% correct="drawn"
def expose_01():
    torch.manual_seed(0)
    return torch.randn(6, 6)


# %% correct="symmetric, but the rows differ"
def expose_01():
    x = torch.tensor([[1.0, 0.0], [2.0, 1.0], [0.0, 3.0]])
    return x @ x.T


# %% correct="one query, equal scores"
def expose_01():
    return torch.zeros(1, 4)


# %% correct="float64, with a gradient"
def expose_01():
    return torch.arange(6, dtype=torch.float64).view(3, 2).requires_grad_()


# %% mistake="bug-not-exposed: the identity"
def expose_01():
    return torch.eye(4)


# %% mistake="bug-not-exposed: one number"
def expose_01():
    return torch.tensor([[3.0]])


# %% mistake="bug-not-exposed: all scores equal"
def expose_01():
    return torch.zeros(3, 3)


# %% mistake="bug-not-exposed: each row the one before, turned"
def expose_01():
    return torch.tensor([[0.0, 1.0, 2.0], [2.0, 0.0, 1.0], [1.0, 2.0, 0.0]])


# %% mistake="bug-not-exposed: too little to be seen"
def expose_01():
    return torch.tensor([[0.0, 0.0002], [0.0, 0.0]])


# %% mistake="invalid-input: one axis"
def expose_01():
    return torch.tensor([1.0, 2.0, 3.0])


# %% mistake="invalid-input: whole numbers"
def expose_01():
    return torch.tensor([[1, 2, 3], [4, 5, 7]])


# %% mistake="invalid-input: NaN"
def expose_01():
    return torch.tensor([[1.0, float("nan")], [0.0, 2.0]])


# %% mistake="invalid-input: infinity"
def expose_01():
    return torch.tensor([[0.0, -torch.inf], [0.0, 2.0]])


# %% mistake="invalid-input: empty"
def expose_01():
    return torch.zeros(0, 3)


# %% mistake="invalid-input: large"
def expose_01():
    return torch.randn(100, 100)


# %% mistake="invalid-input: huge numbers"
def expose_01():
    return torch.tensor([[1e9, 0.0], [0.0, 1.0]])


# %% mistake="wrong-type: a list"
def expose_01():
    return [[1.0, 2.0], [3.0, 5.0]]


# %% mistake="wrong-type: a forgotten return"
def expose_01():
    scores = torch.tensor([[1.0, 2.0], [3.0, 5.0]])


# %% mistake="wrong-type: a tuple of one"
def expose_01():
    return (torch.tensor([[1.0, 2.0], [3.0, 5.0]]),)


# %% mistake="raises"
def expose_01():
    return torch.tensor([[1.0, 2.0], [3.0]])


# %% mistake="not-implemented"
def expose_01():
    raise NotImplementedError("Write your answer here, then delete this line.")
