# %% setup
import torch
from torch import nn

# %% correct="mine"
class fixed_06(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_key = nn.Linear(d_in, d_out)

    def forward(self, x):
        return self.W_key(x)

# %% mistake="weight-not-transposed" edits="mine"
# - return self.W_key(x)
# + return x @ self.W_key.weight + self.W_key.bias

# %% mistake="bias-ignored" edits="mine"
# - return self.W_key(x)
# + return x @ self.W_key.weight.T

# %% mistake="bias-ignored: none is made" edits="mine"
# - self.W_key = nn.Linear(d_in, d_out)
# + self.W_key = nn.Linear(d_in, d_out, bias=False)

# %% mistake="wrong-shape: flattened" edits="mine"
# - return self.W_key(x)
# + return self.W_key(x.reshape(-1, x.shape[-1]))

# %% mistake="fixed-number-of-axes: the first of the batch" edits="mine"
# - return self.W_key(x)
# + if x.dim() == 3:
# +     x = x[0]
# + return self.W_key(x)
