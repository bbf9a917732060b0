# %% setup
import torch

# %% correct="the last two"
def swap_last_two(x):
    return x.transpose(-2, -1)

# %% mistake="leading-axes-transposed: T" edits="the last two"
# - return x.transpose(-2, -1)
# + return x.T

# %% mistake="leading-axes-transposed: 0 and 1" edits="the last two"
# - return x.transpose(-2, -1)
# + return x.transpose(0, 1)

# %% mistake="fixed-number-of-axes: 1 and 2" edits="the last two"
# - return x.transpose(-2, -1)
# + return x.transpose(1, 2)

# %% mistake="reshape-not-transpose: sizes exchanged" edits="the last two"
# - return x.transpose(-2, -1)
# + return x.reshape(*x.shape[:-2], x.shape[-1], x.shape[-2])

# %% mistake="fixed-number-of-axes: a loop over one axis" edits="the last two"
# - return x.transpose(-2, -1)
# + if x.dim() == 2:
# +     return x.T
# + items = []
# + for item in x:
# +     items.append(item.T)
# + return torch.stack(items)

# %% mistake="wrong-type: no return" edits="the last two"
# - return x.transpose(-2, -1)
# + x.transpose(-2, -1)

# %% mistake="fixed-number-of-axes: two or three" edits="the last two"
# - return x.transpose(-2, -1)
# + if len(x.shape) == 2:
# +     return x.transpose(0, 1)
# + else:
# +     return x.transpose(1, 2)

# %% mistake="fixed-number-of-axes: number by number" edits="the last two"
# - return x.transpose(-2, -1)
# + n, m = x.shape
# + result = x.new_zeros(m, n)
# + for i in range(n):
# +     for j in range(m):
# +         result[j, i] = x[i, j]
# + return result

# %% mistake="returns-input: nobody keeps it" edits="the last two"
# - return x.transpose(-2, -1)
# + x.transpose(-2, -1)
# + return x

# %% mistake="wrong-axes-swapped: the third and second from the end" edits="the last two"
# - return x.transpose(-2, -1)
# + return x.transpose(-3, -2)

# %% mistake="last-left-out: filled into zeros of float32"
def swap_last_two(x):
    out = torch.zeros(*x.shape[:-2], x.shape[-1], x.shape[-2])
    for i in range(x.shape[-2] - 1):
        for j in range(x.shape[-1]):
            out[..., j, i] = x[..., i, j]
    return out

# %% mistake="fixed-number-of-axes: each item's T" edits="the last two"
# - return x.transpose(-2, -1)
# + return torch.stack([x[i].T for i in range(len(x))])

# %% mistake="reshape-not-transpose: a view of stacks" edits="the last two"
# - return x.transpose(-2, -1)
# + if x.dim() == 2:
# +     return x.T
# + x = x.view(x.shape[0], x.shape[2], x.shape[1])
# + return x

# %% mistake="reshape-not-transpose: all but matrices" edits="the last two"
# - return x.transpose(-2, -1)
# + if x.dim() == 2:
# +     return x.T
# + return x.reshape(*x.shape[:-2], x.shape[-1], x.shape[-2])

# %% mistake="reshape-not-transpose: of T" edits="the last two"
# - return x.transpose(-2, -1)
# + return x.T.reshape(*x.shape[:-2], x.shape[-1], x.shape[-2])

# %% mistake="wrong-shape: back to the old shape" never="The right shape" edits="the last two"
# - return x.transpose(-2, -1)
# + return x.transpose(-1, -2).reshape(x.shape)

# %% mistake="axes-turned-round: flipped twice" edits="the last two"
# - return x.transpose(-2, -1)
# + return x.flip(-1).flip(-2)

# %% mistake="axes-turned-round: and flipped" edits="the last two"
# - return x.transpose(-2, -1)
# + return x.transpose(-1, -2).flip(-1)

# %% mistake="axes-turned-round: rot90" edits="the last two"
# - return x.transpose(-2, -1)
# + return torch.rot90(x, 1, (-2, -1))

# %% mistake="fixed-number-of-axes: the last and 1" edits="the last two"
# - return x.transpose(-2, -1)
# + return x.transpose(-1, 1)

# %% mistake="wrong-axes-swapped: but for matrices" edits="the last two"
# - return x.transpose(-2, -1)
# + return x.transpose(-3, -1) if x.dim() > 2 else x.T

# %% mistake="leading-axes-transposed: 0 and the last" edits="the last two"
# - return x.transpose(-2, -1)
# + return x.swapaxes(0, -1)

# %% mistake="wrong-shape: one long stack" edits="the last two"
# - return x.transpose(-2, -1)
# + n, m = x.shape[-2:]
# + y = x.reshape(-1, n, m)
# + return torch.stack([y[i].T for i in range(len(y))])

# %% mistake="input-modified: transpose_" edits="the last two"
# - return x.transpose(-2, -1)
# + x.transpose_(-1, -2)
# + return x

# %% mistake="raises: written into itself" also="input-modified" edits="the last two"
# - return x.transpose(-2, -1)
# + for i in range(x.shape[-2]):
# +     for j in range(x.shape[-1]):
# +         x[..., j, i] = x[..., i, j]
# + return x

# %% mistake="reshape-not-transpose: two sizes of however many" edits="the last two"
# - return x.transpose(-2, -1)
# + return x.reshape(x.shape[-1], x.shape[-2])

# %% mistake="reshape-not-transpose: two sizes, from the front" edits="the last two"
# - return x.transpose(-2, -1)
# + return x.reshape(x.shape[1], x.shape[0])

# %% mistake="reshape-not-transpose: three sizes" edits="the last two"
# - return x.transpose(-2, -1)
# + return x.reshape(x.shape[0], x.shape[2], x.shape[1])
