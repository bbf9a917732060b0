# %% setup
import torch

# %% correct="mine"
def expose_06():
    return torch.randn(2, 4, 3)

# %% mistake="bug-not-exposed: two axes"
def expose_06():
    return torch.randn(4, 3)

# %% mistake="invalid-input: four features"
def expose_06():
    return torch.randn(2, 4, 4)

# %% mistake="invalid-input: one axis"
def expose_06():
    return torch.randn(3)

# %% mistake="wrong-type: a size"
def expose_06():
    return (2, 4, 3)

# %% mistake="invalid-input: four axes"
def expose_06():
    return torch.randn(2, 2, 4, 3)

# %% mistake="raises: the module with the bug is called"
class Keys(torch.nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_key = torch.nn.Linear(d_in, d_out)

    def forward(self, x):
        if x.dim() == 2:
            return self.W_key(x)
        return x @ self.W_key


def expose_06():
    return Keys(3, 2)(torch.randn(2, 4, 3))
