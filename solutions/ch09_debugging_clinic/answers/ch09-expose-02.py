# %% setup
import torch


# %% correct="as many keys as features"
def expose_02():
    query = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    key = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    return query, key


# %% correct="sizes that do not fit"
def expose_02():
    return torch.ones(2, 3), torch.ones(4, 3)


# %% correct="drawn, all sizes equal"
def expose_02():
    torch.manual_seed(1)
    x = torch.randn(3, 3)
    return x, torch.randn(3, 3)


# %% correct="a list of two"
def expose_02():
    return [torch.eye(3), torch.arange(9.0).reshape(3, 3)]


# %% correct="one query"
def expose_02():
    return torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 1.0], [0.0, 0.0]])


# %% mistake="bug-not-exposed: the identity as key"
def expose_02():
    return torch.randn(3, 3), torch.eye(3)


# %% mistake="bug-not-exposed: a symmetric key"
def expose_02():
    return torch.randn(2, 2), torch.tensor([[1.0, 5.0], [5.0, 2.0]])


# %% mistake="bug-not-exposed: zeros"
def expose_02():
    return torch.zeros(3, 3), torch.randn(3, 3)


# %% mistake="bug-not-exposed: one token, one feature"
def expose_02():
    return torch.tensor([[2.0]]), torch.tensor([[3.0]])


# %% mistake="invalid-input: features of other numbers"
def expose_02():
    return torch.randn(3, 2), torch.randn(2, 3)


# %% mistake="invalid-input: a batch"
def expose_02():
    return torch.randn(2, 3, 3), torch.randn(2, 3, 3)


# %% mistake="invalid-input: whole numbers"
def expose_02():
    return torch.tensor([[1, 2], [3, 4]]), torch.tensor([[1, 2], [3, 4]])


# %% mistake="wrong-type: query alone"
def expose_02():
    return torch.randn(3, 3)


# %% mistake="wrong-type: three tensors"
def expose_02():
    return torch.randn(3, 3), torch.randn(3, 3), torch.randn(3, 3)


# %% mistake="wrong-type: a list inside"
def expose_02():
    return torch.randn(2, 2), [[1.0, 2.0], [3.0, 4.0]]


# %% mistake="not-implemented"
def expose_02():
    raise NotImplementedError("Write your answer here, then delete this line.")
