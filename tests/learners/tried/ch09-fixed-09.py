# %% setup
import torch

# %% correct="mine"
def fixed_09(query, key):
    d_k = key.shape[-1]
    out = torch.zeros(query.shape[0], query.shape[1], key.shape[1], dtype=query.dtype)
    for h in range(query.shape[0]):
        scores = query[h] @ key[h].T
        scores = scores / d_k**0.5
        out[h] = torch.softmax(scores, dim=-1)
    return out

# %% mistake="last-left-out: one head too few" edits="mine"
# - for h in range(query.shape[0]):
# + for h in range(query.shape[0] - 1):

# %% mistake="scale-by-dk: no root" edits="mine"
# - scores = scores / d_k**0.5
# + scores = scores / d_k

# %% mistake="scale-by-model-width: of all heads" edits="mine"
# - d_k = key.shape[-1]
# + d_k = key.shape[-1] * key.shape[0]

# %% mistake="softmax-wrong-axis: and no scale" also="missing-scale" edits="mine"
# - scores = scores / d_k**0.5
# - out[h] = torch.softmax(scores, dim=-1)
# + out[h] = torch.softmax(scores, dim=0)

# %% mistake="raises: keys ask" edits="mine"
# - scores = query[h] @ key[h].T
# + scores = key[h] @ query[h].T
