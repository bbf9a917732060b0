# %% setup
import math

import torch


# %% correct="textbook"
def fixed_03(query, key):
    return query @ key.T / query.shape[-1] ** 0.5


# %% correct="the keys' features"
def fixed_03(query, key):
    d_k = key.shape[1]
    return torch.matmul(query, key.transpose(0, 1)) / math.sqrt(d_k)


# %% correct="einsum, scaled before"
def fixed_03(query, key):
    return torch.einsum("id,jd->ij", query / query.size(1) ** 0.5, key)


# %% correct="one row at a time"
def fixed_03(query, key):
    rows = []
    for one in query:
        rows.append((key @ one) * len(one) ** -0.5)
    return torch.stack(rows)


# %% mistake="scale-by-tokens" edits="textbook"
# - return query @ key.T / query.shape[-1] ** 0.5
# + return query @ key.T / query.shape[0] ** 0.5

# %% mistake="scale-by-tokens: of the keys" edits="textbook"
# - return query @ key.T / query.shape[-1] ** 0.5
# + return query @ key.T / key.shape[0] ** 0.5

# %% mistake="scale-by-tokens: of the scores" edits="textbook"
# - return query @ key.T / query.shape[-1] ** 0.5
# + scores = query @ key.T
# + return scores / scores.shape[-1] ** 0.5

# %% mistake="scale-by-tokens: without the root" edits="textbook"
# - return query @ key.T / query.shape[-1] ** 0.5
# + return query @ key.T / query.shape[0]

# %% mistake="scale-by-dk" edits="textbook"
# - return query @ key.T / query.shape[-1] ** 0.5
# + return query @ key.T / query.shape[-1]

# %% mistake="missing-scale" edits="textbook"
# - return query @ key.T / query.shape[-1] ** 0.5
# + return query @ key.T

# %% mistake="scale-multiplied" edits="textbook"
# - return query @ key.T / query.shape[-1] ** 0.5
# + return query @ key.T * query.shape[-1] ** 0.5

# %% mistake="root-precedence" edits="textbook"
# - return query @ key.T / query.shape[-1] ** 0.5
# + return query @ key.T / query.shape[-1] ** 1 / 2

# %% mistake="key-not-transposed" also="raises" edits="textbook"
# - return query @ key.T / query.shape[-1] ** 0.5
# + return query @ key / query.shape[-1] ** 0.5

# %% mistake="result-transposed" also="wrong-shape" edits="textbook"
# - return query @ key.T / query.shape[-1] ** 0.5
# + return key @ query.T / query.shape[-1] ** 0.5

# %% mistake="softmax-unexpected" edits="textbook"
# - return query @ key.T / query.shape[-1] ** 0.5
# + return torch.softmax(query @ key.T / query.shape[-1] ** 0.5, dim=-1)

# %% mistake="softmax-unexpected: of each column" edits="textbook"
# - return query @ key.T / query.shape[-1] ** 0.5
# + return torch.softmax(query @ key.T / query.shape[-1] ** 0.5, dim=0)

# %% mistake="rounded-down" edits="textbook"
# - return query @ key.T / query.shape[-1] ** 0.5
# + return query @ key.T / int(query.shape[-1] ** 0.5)

# %% mistake="scale-fixed: the number four" edits="textbook"
# - return query @ key.T / query.shape[-1] ** 0.5
# + return query @ key.T / 4**0.5

# %% mistake="unrecognized: one feature too many" edits="textbook"
# - return query @ key.T / query.shape[-1] ** 0.5
# + return query @ key.T / (query.shape[-1] + 1) ** 0.5

# %% mistake="wrong-type: a forgotten return" edits="textbook"
# - return query @ key.T / query.shape[-1] ** 0.5
# + scores = query @ key.T / query.shape[-1] ** 0.5

# %% mistake="not-implemented" edits="textbook"
# - return query @ key.T / query.shape[-1] ** 0.5
# + raise NotImplementedError("Write your answer here, then delete this line.")


# %% correct="written into zeros, score by score"
def fixed_03(query, key):
    d_k = query.shape[1]
    out = torch.zeros(query.shape[0], key.shape[0], dtype=query.dtype, device=query.device)
    for i in range(query.shape[0]):
        for j in range(key.shape[0]):
            out[i, j] = query[i] @ key[j] / d_k**0.5
    return out


# %% mistake="scale-by-tokens: beside the root" edits="textbook"
# - return query @ key.T / query.shape[-1] ** 0.5
# + return query @ key.T / query.shape[-1] ** 0.5 / query.shape[0] ** 0.5

# %% mistake="scale-by-tokens: beside the root, of the keys" edits="textbook"
# - return query @ key.T / query.shape[-1] ** 0.5
# + return query @ key.T / query.shape[-1] ** 0.5 / key.shape[0] ** 0.5

# %% mistake="scale-by-tokens: beside the root, without the root" edits="textbook"
# - return query @ key.T / query.shape[-1] ** 0.5
# + return query @ key.T / query.shape[-1] ** 0.5 / query.shape[0]
