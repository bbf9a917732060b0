# %% setup
import torch
import torch.nn.functional as F
from torch import nn


# %% correct="textbook"
class fixed_06(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_key = nn.Linear(d_in, d_out)

    def forward(self, x):
        return self.W_key(x)


# %% correct="both paths kept"
class fixed_06(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_key = nn.Linear(d_in, d_out)

    def forward(self, x):
        if x.dim() == 2:
            return self.W_key(x)
        return torch.stack([self.W_key(sentence) for sentence in x])


# %% correct="F.linear" edits="textbook"
# - return self.W_key(x)
# + return F.linear(x, self.W_key.weight, self.W_key.bias)

# %% correct="the product written out" edits="textbook"
# - return self.W_key(x)
# + return x @ self.W_key.weight.T + self.W_key.bias

# %% mistake="raises: the bug" edits="both paths kept"
# - return torch.stack([self.W_key(sentence) for sentence in x])
# + return x @ self.W_key

# %% mistake="raises: as a matrix everywhere" edits="textbook"
# - return self.W_key(x)
# + return x @ self.W_key

# %% mistake="bias-ignored" edits="both paths kept"
# - return torch.stack([self.W_key(sentence) for sentence in x])
# + return x @ self.W_key.weight.T

# %% mistake="bias-ignored: on both paths" edits="textbook"
# - return self.W_key(x)
# + return x @ self.W_key.weight.T

# %% mistake="weight-not-transposed" also="raises" edits="both paths kept"
# - return torch.stack([self.W_key(sentence) for sentence in x])
# + return x @ self.W_key.weight

# %% mistake="weight-not-transposed: with the bias" also="raises" edits="both paths kept"
# - return torch.stack([self.W_key(sentence) for sentence in x])
# + return x @ self.W_key.weight + self.W_key.bias

# %% mistake="weight-not-transposed: on both paths" also="raises" edits="textbook"
# - return self.W_key(x)
# + return x @ self.W_key.weight + self.W_key.bias

# %% mistake="fixed-number-of-axes" also="wrong-shape" edits="both paths kept"
# - return torch.stack([self.W_key(sentence) for sentence in x])
# + return self.W_key(x[0])

# %% mistake="wrong-shape: flattened" edits="textbook"
# - return self.W_key(x)
# + return self.W_key(x.reshape(-1, x.shape[-1]))

# %% mistake="wrong-type: nothing on the other path" edits="both paths kept"
# - return torch.stack([self.W_key(sentence) for sentence in x])

# %% mistake="bias-ignored: there is none" also="not-registered" edits="textbook"
# - self.W_key = nn.Linear(d_in, d_out)
# + self.W_key = nn.Linear(d_in, d_out, bias=False)

# %% mistake="not-registered: another name" edits="textbook"
# - self.W_key = nn.Linear(d_in, d_out)
# + self.layer = nn.Linear(d_in, d_out)
# - return self.W_key(x)
# + return self.layer(x)

# %% mistake="wrong-shape: the sizes exchanged" edits="textbook"
# - self.W_key = nn.Linear(d_in, d_out)
# + self.W_key = nn.Linear(d_out, d_in)

# %% mistake="no-gradient" edits="textbook"
# - return self.W_key(x)
# + return self.W_key(x).detach()


# %% mistake="wrong-type: a function"
def fixed_06(x):
    return nn.Linear(3, 2)(x)


# %% mistake="unrecognized: twice the bias" edits="textbook"
# - return self.W_key(x)
# + return self.W_key(x) + self.W_key.bias

# %% mistake="unrecognized: squeezed at both ends" edits="textbook"
# - return self.W_key(x)
# + return torch.relu(self.W_key(x))

# %% mistake="not-implemented" edits="textbook"
# - return self.W_key(x)
# + raise NotImplementedError("Write your answer here, then delete this line.")
