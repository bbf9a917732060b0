# %% setup
import torch


# %% correct="three tokens"
def expose_07():
    return torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])


# %% correct="two tokens, one feature"
def expose_07():
    return torch.tensor([[0.0], [1.0]])


# %% correct="only the last token is not zero"
def expose_07():
    x = torch.zeros(4, 2)
    x[-1] = 5.0
    return x


# %% correct="drawn"
def expose_07():
    torch.manual_seed(4)
    return torch.randn(5, 3)


# %% mistake="bug-not-exposed: one token"
def expose_07():
    return torch.randn(1, 3)


# %% mistake="bug-not-exposed: all tokens the same"
def expose_07():
    return torch.tensor([[1.0, 2.0]]).repeat(4, 1)


# %% mistake="bug-not-exposed: zeros"
def expose_07():
    return torch.zeros(3, 3)


# %% mistake="bug-not-exposed: nearly the same"
def expose_07():
    return torch.tensor([[1.0], [1.0005]])


# %% mistake="invalid-input: a mask"
def expose_07():
    return torch.ones(3, 3).triu(1).bool()


# %% mistake="invalid-input: a batch"
def expose_07():
    return torch.randn(2, 3, 4)


# %% mistake="wrong-type: a tuple"
def expose_07():
    return torch.randn(3, 2), torch.randn(3, 2), torch.randn(3, 2)


# %% mistake="not-implemented"
def expose_07():
    raise NotImplementedError("Write your answer here, then delete this line.")
