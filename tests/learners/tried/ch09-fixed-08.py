# %% setup
import torch

# %% mistake="wrong-shape: no transpose"
def fixed_08(x, num_heads):
    b, T, d = x.shape
    return x.view(b, T, num_heads, d // num_heads)

# %% mistake="reshape-not-transpose: the transpose comes first"
def fixed_08(x, num_heads):
    b, T, d = x.shape
    return x.transpose(1, 2).reshape(b, num_heads, T, d // num_heads)

# %% mistake="heads-interleaved"
def fixed_08(x, num_heads):
    b, T, d = x.shape
    return x.view(b, T, d // num_heads, num_heads).permute(0, 3, 1, 2)

# %% mistake="heads-not-transposed: reshape"
def fixed_08(x, num_heads):
    b, T, d = x.shape
    return x.reshape(b, num_heads, T, d // num_heads)

# %% mistake="wrong-shape: the last two axes exchanged"
def fixed_08(x, num_heads):
    b, T, d = x.shape
    return x.view(b, T, num_heads, d // num_heads).transpose(2, 3)

# %% mistake="heads-interleaved: transposed to the same axes"
def fixed_08(x, num_heads):
    b, T, d = x.shape
    return x.view(b, T, d // num_heads, num_heads).transpose(1, 3)

# %% mistake="heads-not-transposed: a transpose after it"
def fixed_08(x, num_heads):
    b, T, d = x.shape
    return x.view(b, num_heads, T, d // num_heads).transpose(1, 2)
