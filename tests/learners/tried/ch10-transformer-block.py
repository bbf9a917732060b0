# %% setup
import torch
from torch import nn
from torch.nn import functional as F

from grader.materials import MultiHeadAttention


# %% correct="mine"
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, context_length, dropout):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
        self.norm2 = nn.LayerNorm(d_model)
        self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        x = x + self.mlp(self.norm2(x))
        return x

# %% mistake="post-norm" edits="mine"
# - x = x + self.attention(self.norm1(x))
# - x = x + self.mlp(self.norm2(x))
# + x = self.norm1(x + self.attention(x))
# + x = self.norm2(x + self.mlp(x))

# %% mistake="residual-missing" edits="mine"
# - x = x + self.attention(self.norm1(x))
# - x = x + self.mlp(self.norm2(x))
# + x = self.attention(self.norm1(x))
# + x = self.mlp(self.norm2(x))

# %% mistake="norm-on-residual" edits="mine"
# - x = x + self.attention(self.norm1(x))
# - x = x + self.mlp(self.norm2(x))
# + x = self.norm1(x)
# + x = x + self.attention(x)
# + x = self.norm2(x)
# + x = x + self.mlp(x)

# %% mistake="residual-stale: the second half adds to the input" edits="mine"
# - x = x + self.attention(self.norm1(x))
# - x = x + self.mlp(self.norm2(x))
# - return x
# + first = x + self.attention(self.norm1(x))
# + return x + self.mlp(self.norm2(first))

# %% mistake="norm-missing: both" edits="mine"
# - x = x + self.attention(self.norm1(x))
# - x = x + self.mlp(self.norm2(x))
# + x = x + self.attention(x)
# + x = x + self.mlp(x)

# %% mistake="norm-shared: the first twice" edits="mine"
# - x = x + self.mlp(self.norm2(x))
# + x = x + self.mlp(self.norm1(x))

# %% mistake="parts-exchanged" edits="mine"
# - x = x + self.attention(self.norm1(x))
# - x = x + self.mlp(self.norm2(x))
# + x = x + self.mlp(self.norm1(x))
# + x = x + self.attention(self.norm2(x))

# %% mistake="residual-stale: side by side" edits="mine"
# - x = x + self.attention(self.norm1(x))
# - x = x + self.mlp(self.norm2(x))
# - return x
# + return x + self.attention(self.norm1(x)) + self.mlp(self.norm2(x))

# %% mistake="input-modified" edits="mine"
# - x = x + self.attention(self.norm1(x))
# - x = x + self.mlp(self.norm2(x))
# + x += self.attention(self.norm1(x))
# + x += self.mlp(self.norm2(x))

# %% mistake="residual-missing: the second" edits="mine"
# - x = x + self.mlp(self.norm2(x))
# + x = self.mlp(self.norm2(x))

# %% mistake="other-activation: ReLU" edits="mine"
# - self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))
# + self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.ReLU(), nn.Linear(4 * d_model, d_model))

# %% mistake="wrong-shape: no wider in between" edits="mine"
# - self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))
# + self.mlp = nn.Sequential(nn.Linear(d_model, d_model), nn.GELU(), nn.Linear(d_model, d_model))

# %% mistake="raises: dropout and context length exchanged" edits="mine"
# - self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
# + self.attention = MultiHeadAttention(d_model, d_model, dropout, context_length, num_heads)

# %% mistake="raises: heads and dropout exchanged" edits="mine"
# - self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
# + self.attention = MultiHeadAttention(d_model, d_model, context_length, num_heads, dropout)

# %% mistake="wrong-shape: LayerNorm of the context" edits="mine"
# - self.norm1 = nn.LayerNorm(d_model)
# + self.norm1 = nn.LayerNorm(context_length)

# %% mistake="not-registered: another name" edits="mine"
# - self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))
# + self.ff = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))
# - x = x + self.mlp(self.norm2(x))
# + x = x + self.ff(self.norm2(x))

# %% mistake="raises: forward misspelled" never="A stub is still in its place" edits="mine"
# - def forward(self, x):
# + def foward(self, x):

# %% mistake="raises: a class among the modules" edits="mine"
# - self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))
# + self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU, nn.Linear(4 * d_model, d_model))

# %% mistake="other-activation: GELU by tanh" edits="mine"
# - self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))
# + gelu = nn.GELU("tanh")
# + self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), gelu, nn.Linear(4 * d_model, d_model))

# %% mistake="raises: heads as third argument" edits="mine"
# - self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
# + self.attention = MultiHeadAttention(d_model, d_model, num_heads, context_length, dropout)

# %% mistake="raises: self forgotten in forward" edits="mine"
# - x = x + self.attention(self.norm1(x))
# + x = x + attention(self.norm1(x))

# %% mistake="raises: self forgotten in the signature" edits="mine"
# - def forward(self, x):
# + def forward(x):

# %% mistake="not-registered: and ReLU" also="other-activation" edits="mine"
# - self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))
# + self.ff = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.ReLU(), nn.Linear(4 * d_model, d_model))
# - x = x + self.mlp(self.norm2(x))
# + x = x + self.ff(self.norm2(x))

# %% mistake="activation-missing: left out" also="not-registered" edits="mine"
# - self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))
# + self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model))

# %% correct="another style"
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, context_length, dropout):
        super().__init__()
        self.attention = MultiHeadAttention(
            d_in=d_model, d_out=d_model, context_length=context_length, dropout=dropout, num_heads=num_heads
        )
        self.mlp = nn.Sequential(
            nn.Linear(d_model, 4 * d_model),
            nn.GELU(),
            nn.Linear(4 * d_model, d_model),
        )
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)

    def forward(self, x):
        shortcut = x
        y = self.norm1(x)
        y = self.attention(y) + shortcut
        shortcut = y
        y = self.norm2(y)
        y = self.mlp(y) + shortcut
        return y

# %% mistake="other-activation: and no norm" also="norm-missing" edits="another style"
# - nn.GELU(),
# + nn.ReLU(),
# - y = self.norm2(y)

# %% mistake="residual-missing: and no second norm" also="norm-missing" edits="another style"
# - y = self.attention(y) + shortcut
# + y = self.attention(y)
# - y = self.norm2(y)

# %% mistake="other-activation: tanh, and no residual" also="residual-missing" edits="another style"
# - nn.GELU(),
# + nn.Tanh(),
# - y = self.mlp(y) + shortcut
# + y = self.mlp(y)

# %% mistake="activation-missing: and norm2 twice" also="norm-shared not-registered" edits="another style"
# - nn.GELU(),
# - nn.Linear(4 * d_model, d_model),
# + nn.Linear(4 * d_model, d_model),
# - y = self.norm1(x)
# + y = self.norm2(x)

# %% mistake="other-activation: and the input is added again" also="residual-stale" edits="another style"
# - nn.GELU(),
# + nn.ReLU(),
# - shortcut = y

# %% mistake="heads-not-split: and ReLU" also="other-activation" edits="another style"
# - d_in=d_model, d_out=d_model, context_length=context_length, dropout=dropout, num_heads=num_heads
# + d_in=d_model, d_out=d_model, context_length=context_length, dropout=dropout, num_heads=1
# - nn.GELU(),
# + nn.ReLU(),

# %% mistake="other-activation: and no dropout" edits="another style"
# - d_in=d_model, d_out=d_model, context_length=context_length, dropout=dropout, num_heads=num_heads
# + d_in=d_model, d_out=d_model, context_length=context_length, dropout=0.0, num_heads=num_heads
# - nn.GELU(),
# + nn.ReLU(),

# %% mistake="part-missing: and no residual" also="residual-missing" edits="another style"
# - y = self.attention(y) + shortcut
# - shortcut = y
# - y = self.norm2(y)
# - y = self.mlp(y) + shortcut
# + y = self.attention(y)

# %% mistake="norm-on-residual: and ReLU" also="other-activation" edits="another style"
# - nn.GELU(),
# + nn.ReLU(),
# - y = self.attention(y) + shortcut
# + y = self.attention(y) + y

# %% mistake="post-norm: and ReLU" also="other-activation" edits="mine"
# - self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))
# + self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.ReLU(), nn.Linear(4 * d_model, d_model))
# - x = x + self.attention(self.norm1(x))
# - x = x + self.mlp(self.norm2(x))
# + x = self.norm1(x + self.attention(x))
# + x = self.norm2(x + self.mlp(x))

# %% mistake="parts-exchanged: and GELU by tanh" also="other-activation" edits="mine"
# - self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))
# + gelu = nn.GELU(approximate="tanh")
# + self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), gelu, nn.Linear(4 * d_model, d_model))
# - x = x + self.attention(self.norm1(x))
# - x = x + self.mlp(self.norm2(x))
# + x = x + self.mlp(self.norm2(x))
# + x = x + self.attention(self.norm1(x))

# %% mistake="norm-shared: exchanged" edits="mine"
# - x = x + self.attention(self.norm1(x))
# - x = x + self.mlp(self.norm2(x))
# + x = x + self.attention(self.norm2(x))
# + x = x + self.mlp(self.norm1(x))

# %% mistake="activation-misplaced: one more behind" edits="mine"
# - self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))
# + inner, outer = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)
# + self.mlp = nn.Sequential(inner, nn.GELU(), outer, nn.GELU())

# %% mistake="bias-unexpected: in the attention" edits="mine"
# - self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
# + self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads, True)

# %% mistake="norm-on-residual: the first half" edits="mine"
# - x = x + self.attention(self.norm1(x))
# + x = self.norm1(x) + self.attention(self.norm1(x))

# %% correct="a line for each step"
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, context_length, dropout):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
        self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))

    def forward(self, x):
        h = x + self.attention(self.norm1(x))
        out = h + self.mlp(self.norm2(h))
        return out

# %% mistake="residual-missing: the first, and norm1 twice" also="norm-shared" edits="a line for each step"
# - h = x + self.attention(self.norm1(x))
# - out = h + self.mlp(self.norm2(h))
# + h = self.attention(self.norm1(x))
# + out = h + self.mlp(self.norm1(h))

# %% mistake="parts-exchanged: the MLP first, with ReLU" also="other-activation" edits="a line for each step"
# - self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))
# + self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.ReLU(), nn.Linear(4 * d_model, d_model))
# - h = x + self.attention(self.norm1(x))
# - out = h + self.mlp(self.norm2(h))
# + h = x + self.mlp(self.norm2(x))
# + out = h + self.attention(self.norm1(h))

# %% mistake="residual-stale: side by side, with one head" also="heads-not-split" edits="a line for each step"
# - self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
# + self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads=1)
# - h = x + self.attention(self.norm1(x))
# - out = h + self.mlp(self.norm2(h))
# + out = x + self.attention(self.norm1(x)) + self.mlp(self.norm2(x))

# %% mistake="post-norm: before adding, in both halves" edits="a line for each step"
# - h = x + self.attention(self.norm1(x))
# - out = h + self.mlp(self.norm2(h))
# + h = x + self.norm1(self.attention(x))
# + out = h + self.norm2(self.mlp(h))

# %% mistake="residual-missing: the second, with ReLU" also="other-activation" edits="a line for each step"
# - self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))
# + self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.ReLU(), nn.Linear(4 * d_model, d_model))
# - out = h + self.mlp(self.norm2(h))
# + out = self.mlp(self.norm2(h))

# %% mistake="norm-missing: the second, and the input" also="residual-stale" edits="a line for each step"
# - out = h + self.mlp(self.norm2(h))
# + out = x + self.mlp(h)

# %% mistake="bias-unexpected: and no GELU, so that layers have other names" also="activation-missing" edits="mine"
# - self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
# + self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads, True)
# - self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))
# + self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model))
