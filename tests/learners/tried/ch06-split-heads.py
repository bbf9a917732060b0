# %% setup
import torch

# %% correct="mine"
def split_heads(x, num_heads):
    b, T, d = x.shape
    if d % num_heads != 0:
        raise ValueError("d must be divisible by num_heads")
    w = d // num_heads
    out = x.reshape(b, T, num_heads, w).transpose(1, 2)
    return out

# %% mistake="heads-not-transposed: the shape at once" edits="mine"
# - out = x.reshape(b, T, num_heads, w).transpose(1, 2)
# + out = x.reshape(b, num_heads, T, w)

# %% mistake="reshape-not-transpose: transposed before the reshape" edits="mine"
# - out = x.reshape(b, T, num_heads, w).transpose(1, 2)
# + out = x.transpose(1, 2).reshape(b, num_heads, T, w)

# %% mistake="reshape-not-transpose: transposed before and after" edits="mine"
# - out = x.reshape(b, T, num_heads, w).transpose(1, 2)
# + out = x.transpose(1, 2).reshape(b, T, num_heads, w).transpose(1, 2)

# %% mistake="reshape-not-transpose: the last two are exchanged" edits="mine"
# - out = x.reshape(b, T, num_heads, w).transpose(1, 2)
# + out = x.reshape(b, num_heads, w, T).transpose(2, 3)

# %% mistake="heads-interleaved: width first" edits="mine"
# - out = x.reshape(b, T, num_heads, w).transpose(1, 2)
# + out = x.reshape(b, T, w, num_heads).permute(0, 3, 1, 2)

# %% mistake="heads-interleaved: in steps" edits="mine"
# - out = x.reshape(b, T, num_heads, w).transpose(1, 2)
# + out = torch.stack([x[..., h::num_heads] for h in range(num_heads)], dim=1)

# %% mistake="wrong-shape: no transpose" says="your axes in the order 0, 2, 1, 3" edits="mine"
# - out = x.reshape(b, T, num_heads, w).transpose(1, 2)
# + out = x.reshape(b, T, num_heads, w)

# %% mistake="wrong-shape: heads before the batch" edits="mine"
# - out = x.reshape(b, T, num_heads, w).transpose(1, 2)
# + out = torch.stack(x.chunk(num_heads, dim=-1))

# %% mistake="wrong-shape: split takes a width" edits="mine"
# - out = x.reshape(b, T, num_heads, w).transpose(1, 2)
# + out = torch.stack(x.split(num_heads, dim=-1), dim=1)

# %% mistake="heads-not-transposed: the tokens are cut" edits="mine"
# - out = x.reshape(b, T, num_heads, w).transpose(1, 2)
# + out = x.contiguous().view(b, num_heads, -1, w)

# %% mistake="wrong-exception: no check" edits="mine"
# - if d % num_heads != 0:
# -     raise ValueError("d must be divisible by num_heads")

# %% mistake="raises: a width with a point" edits="mine"
# - w = d // num_heads
# + w = d / num_heads

# %% mistake="wrong-shape: two heads, written down" edits="mine"
# - out = x.reshape(b, T, num_heads, w).transpose(1, 2)
# + out = x.reshape(b, T, 2, d // 2).transpose(1, 2)

# %% mistake="wrong-type: no return" edits="mine"
# - return out
# + print(out.shape)

# %% correct="one after the other"
def split_heads(x, num_heads):
    b, T, d = x.shape
    if d % num_heads != 0:
        raise ValueError("d must be divisible by num_heads")
    k = d // num_heads
    out = torch.zeros(b, num_heads, T, k, dtype=x.dtype)
    for i in range(num_heads):
        out[:, i] = x[:, :, i * k : i * k + k]
    return out

# %% mistake="slices-misplaced: i for i * k" edits="one after the other"
# - out[:, i] = x[:, :, i * k : i * k + k]
# + out[:, i] = x[:, :, i : i + k]

# %% mistake="wrong-dtype: zeros in float32" edits="one after the other"
# - out = torch.zeros(b, num_heads, T, k, dtype=x.dtype)
# + out = torch.zeros(b, num_heads, T, k)

# %% mistake="wrong-shape: zeros of one feature less" edits="one after the other"
# - out = torch.zeros(b, num_heads, T, k, dtype=x.dtype)
# - for i in range(num_heads):
# -     out[:, i] = x[:, :, i * k : i * k + k]
# + out = torch.stack([x[:, :, i * k : i * k + k - 1] for i in range(num_heads)], dim=1)

# %% mistake="heads-not-transposed: and nothing is refused" edits="mine"
# - if d % num_heads != 0:
# -     raise ValueError("d must be divisible by num_heads")
# - w = d // num_heads
# - out = x.reshape(b, T, num_heads, w).transpose(1, 2)
# + w = d // num_heads
# + out = x.reshape(b, num_heads, T, w)

# %% mistake="wrong-shape: joined on the tokens" edits="mine"
# - out = x.reshape(b, T, num_heads, w).transpose(1, 2)
# + out = torch.cat(x.chunk(num_heads, dim=-1), dim=1)

# %% mistake="wrong-shape: other axes exchanged" edits="mine"
# - out = x.reshape(b, T, num_heads, w).transpose(1, 2)
# + out = x.reshape(b, T, num_heads, w).transpose(2, 3)

# %% mistake="raises: the tokens are cut" edits="mine"
# - out = x.reshape(b, T, num_heads, w).transpose(1, 2)
# + out = torch.stack(x.chunk(num_heads, dim=1), dim=1)

# %% mistake="raises: divided, where the rest is asked for" edits="mine"
# - if d % num_heads != 0:
# + if d / num_heads != 0:

# %% mistake="unrecognized: a loop leaves the last number out" says="the last index on axis 3" edits="one after the other"
# - out[:, i] = x[:, :, i * k : i * k + k]
# + out[:, i, :, : k - 1] = x[:, :, i * k : i * k + k - 1]

# %% mistake="wrong-shape: width before the heads, not in front" never="stand in another order" edits="mine"
# - out = x.reshape(b, T, num_heads, w).transpose(1, 2)
# + out = x.reshape(b, T, w, num_heads).transpose(2, 3)
