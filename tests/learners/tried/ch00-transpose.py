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
