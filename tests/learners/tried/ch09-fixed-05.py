# %% setup
import torch

# %% correct="mine"
def fixed_05(heads):
    h, num_tokens, head_dim = heads.shape
    out = torch.zeros(num_tokens, h * head_dim, dtype=heads.dtype)
    for i in range(h):
        out[:, i * head_dim : (i + 1) * head_dim] = heads[i]
    return out

# %% mistake="last-left-out: one head too few" edits="mine"
# - for i in range(h):
# + for i in range(h - 1):

# %% mistake="first-round-only: return in the loop" edits="mine"
# - return out
# +     return out

# %% mistake="heads-interleaved: every h-th column" edits="mine"
# - out[:, i * head_dim : (i + 1) * head_dim] = heads[i]
# + out[:, i::h] = heads[i]

# %% mistake="heads-reversed: from the last" edits="mine"
# - out[:, i * head_dim : (i + 1) * head_dim] = heads[i]
# + out[:, i * head_dim : (i + 1) * head_dim] = heads[h - 1 - i]

# %% mistake="heads-merged-without-transpose: reshape alone" edits="mine"
# - for i in range(h):
# - out[:, i * head_dim : (i + 1) * head_dim] = heads[i]
# + out = heads.reshape(num_tokens, h * head_dim)

# %% mistake="heads-merged-without-transpose: two axes exchanged, other ones" edits="mine"
# - for i in range(h):
# - out[:, i * head_dim : (i + 1) * head_dim] = heads[i]
# + out = heads.transpose(1, 2).reshape(heads.shape[1], -1)

# %% mistake="heads-merged-without-transpose: T" edits="mine"
# - for i in range(h):
# - out[:, i * head_dim : (i + 1) * head_dim] = heads[i]
# + out = heads.T.reshape(heads.shape[1], -1)
