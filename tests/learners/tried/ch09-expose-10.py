# %% setup
import torch

# %% correct="mine"
def expose_10():
    return "meta"

# %% correct="a GPU"
def expose_10():
    return "cuda"

# %% mistake="bug-not-exposed: at home"
def expose_10():
    return "cpu"

# %% mistake="wrong-type: no such name"
def expose_10():
    return "gpu"

# %% mistake="wrong-type: a sentence"
def expose_10():
    return "any device but the CPU"

# %% mistake="wrong-type: a tensor"
def expose_10():
    return torch.zeros(3)

# %% mistake="wrong-type: a module"
def expose_10():
    return torch.nn.Linear(2, 2)

# %% mistake="wrong-type: a name of no device" never="of another type than"
def expose_10():
    return "gpu"
