# %% setup
import torch

# %% correct="mine"
def expose_11():
    return torch.randn(3, 3), float("inf")

# %% correct="too large for float32"
def expose_11():
    return torch.zeros(3, 3), 1e39

# %% correct="much too large for float32"
def expose_11():
    return torch.zeros(3, 3), 1e300

# %% mistake="bug-not-exposed: 1e9"
def expose_11():
    return torch.zeros(3, 3), 1e9

# %% mistake="wrong-type: no tuple"
def expose_11():
    return torch.zeros(3, 3)

# %% mistake="invalid-input: a negative penalty"
def expose_11():
    return torch.zeros(3, 3), -1.0

# %% mistake="invalid-input: scores of -inf"
def expose_11():
    return torch.full((3, 3), -torch.inf), 1.0

# %% mistake="wrong-type: the penalty as a tensor"
def expose_11():
    return torch.zeros(3, 3), torch.tensor(torch.inf)

# %% mistake="bug-not-exposed: a small penalty"
def expose_11():
    return torch.zeros(3, 3), 1.0

# %% mistake="invalid-input: not square"
def expose_11():
    return torch.zeros(2, 3), float("inf")

# %% mistake="invalid-input: -inf"
def expose_11():
    return torch.zeros(3, 3), float("-inf")
