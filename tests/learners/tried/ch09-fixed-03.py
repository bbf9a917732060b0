# %% setup
import torch

# %% correct="mine"
def fixed_03(query, key):
    d_k = query.shape[1]
    out = torch.zeros(query.shape[0], key.shape[0], dtype=query.dtype)
    for i in range(query.shape[0]):
        for j in range(key.shape[0]):
            out[i, j] = query[i] @ key[j] / d_k**0.5
    return out

# %% mistake="last-left-out: one key too few" edits="mine"
# - for j in range(key.shape[0]):
# + for j in range(key.shape[0] - 1):

# %% mistake="first-left-out: keys from 1 on" edits="mine"
# - for j in range(key.shape[0]):
# + for j in range(1, key.shape[0]):

# %% mistake="scale-by-tokens: of the keys" edits="mine"
# - d_k = query.shape[1]
# + d_k = key.shape[0]

# %% mistake="scale-by-dk: no root" edits="mine"
# - out[i, j] = query[i] @ key[j] / d_k**0.5
# + out[i, j] = query[i] @ key[j] / d_k
