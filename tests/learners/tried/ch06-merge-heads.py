# %% setup
import torch

# %% mistake="reshape-not-transpose: two other axes are exchanged" never="Reshaped instead"
def merge_heads(x):
    b, h, T, d = x.shape
    return x.transpose(2, 3).reshape(b, T, h * d)

# %% correct="mine"
def merge_heads(x):
    b, h, T, d_k = x.shape
    x = x.transpose(1, 2)
    return x.reshape(b, T, h * d_k)

# %% mistake="heads-merged-without-transpose: reshaped at once" edits="mine"
# - x = x.transpose(1, 2)

# %% mistake="raises: view" edits="mine"
# - return x.reshape(b, T, h * d_k)
# + return x.view(b, T, h * d_k)

# %% mistake="heads-interleaved: width before head" edits="mine"
# - x = x.transpose(1, 2)
# + x = x.permute(0, 2, 3, 1)

# %% mistake="reshape-not-transpose: tokens last, width second" edits="mine"
# - x = x.transpose(1, 2)
# + x = x.transpose(1, 3)

# %% mistake="heads-added-up: summed" edits="mine"
# - return x.reshape(b, T, h * d_k)
# + return x.sum(dim=2)

# %% mistake="heads-added-up: averaged" edits="mine"
# - return x.reshape(b, T, h * d_k)
# + return x.mean(dim=2)

# %% mistake="heads-added-up: summed, and repeated" edits="mine"
# - return x.reshape(b, T, h * d_k)
# + return x.sum(dim=2).repeat(1, 1, h)

# %% mistake="heads-concatenated-on-tokens: unbind and dim=1" edits="mine"
# - x = x.transpose(1, 2)
# - return x.reshape(b, T, h * d_k)
# + return torch.cat(list(x.unbind(1)), dim=1)

# %% mistake="wrong-shape: only transposed" edits="mine"
# - return x.reshape(b, T, h * d_k)
# + return x

# %% mistake="wrong-shape: axes in another order" edits="mine"
# - b, h, T, d_k = x.shape
# + b, T, h, d_k = x.shape

# %% mistake="heads-reversed: from the last on" edits="mine"
# - x = x.transpose(1, 2)
# - return x.reshape(b, T, h * d_k)
# + return torch.cat([x[:, i] for i in reversed(range(h))], dim=-1)

# %% mistake="wrong-shape: squeezed, not glued" edits="mine"
# - return x.reshape(b, T, h * d_k)
# + return x.reshape(b, T, h, d_k).squeeze()

# %% mistake="wrong-shape: return inside the loop" edits="mine"
# - x = x.transpose(1, 2)
# - return x.reshape(b, T, h * d_k)
# + for i in range(h):
# +     return x[:, i]

# %% mistake="heads-share-weights: the first head, over and over" edits="mine"
# - x = x.transpose(1, 2)
# - return x.reshape(b, T, h * d_k)
# + return torch.cat([x[:, 0] for i in range(h)], dim=-1)

# %% correct="filled in"
def merge_heads(x):
    b, h, T, k = x.shape
    out = torch.zeros(b, T, h * k, dtype=x.dtype)
    for i in range(h):
        out[:, :, i * k : i * k + k] = x[:, i]
    return out

# %% mistake="slices-misplaced: times the number of heads" edits="filled in"
# - out[:, :, i * k : i * k + k] = x[:, i]
# + out[:, :, i * h : i * h + k] = x[:, i]

# %% mistake="slices-misplaced: i for i * k" edits="filled in"
# - out[:, :, i * k : i * k + k] = x[:, i]
# + out[:, :, i : i + k] = x[:, i]

# %% mistake="wrong-dtype: zeros in float32" edits="filled in"
# - out = torch.zeros(b, T, h * k, dtype=x.dtype)
# + out = torch.zeros(b, T, h * k)

# %% mistake="wrong-shape: the tokens with the features" edits="mine"
# - return x.reshape(b, T, h * d_k)
# + return x.reshape(b, h, T * d_k)

# %% mistake="raises: contiguous before the transpose" edits="mine"
# - x = x.transpose(1, 2)
# - return x.reshape(b, T, h * d_k)
# + x = x.contiguous()
# + return x.transpose(1, 2).view(b, T, h * d_k)

# %% mistake="heads-added-up: one by one in a loop" edits="mine"
# - x = x.transpose(1, 2)
# - return x.reshape(b, T, h * d_k)
# + out = x[:, 0]
# + for i in range(1, h):
# +     out = out + x[:, i]
# + return out
