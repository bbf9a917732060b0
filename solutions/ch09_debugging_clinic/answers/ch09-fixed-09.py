# %% setup
import math

import torch


# %% correct="textbook"
def fixed_09(query, key):
    head_dim = query.shape[-1]
    scores = query @ key.transpose(1, 2)
    return torch.softmax(scores / head_dim**0.5, dim=-1)


# %% correct="einsum"
def fixed_09(query, key):
    scores = torch.einsum("hid,hjd->hij", query, key)
    return (scores / math.sqrt(key.size(-1))).softmax(-1)


# %% correct="one head at a time"
def fixed_09(query, key):
    heads = []
    for q, k in zip(query, key):
        heads.append(torch.softmax(q @ k.T / k.shape[1] ** 0.5, dim=1))
    return torch.stack(heads)


# %% correct="bmm, scaled before"
def fixed_09(query, key):
    return torch.softmax(torch.bmm(query * query.shape[2] ** -0.5, key.mT), dim=2)


# %% correct="the logarithm of the sum" edits="textbook"
# - return torch.softmax(scores / head_dim**0.5, dim=-1)
# + scores = scores / head_dim**0.5
# + return (scores - scores.logsumexp(dim=-1, keepdim=True)).exp()

# %% mistake="scale-by-model-width" edits="textbook"
# - head_dim = query.shape[-1]
# + head_dim = query.shape[0] * query.shape[-1]

# %% mistake="scale-by-heads" edits="textbook"
# - head_dim = query.shape[-1]
# + head_dim = query.shape[0]

# %% mistake="scale-by-tokens" edits="textbook"
# - head_dim = query.shape[-1]
# + head_dim = query.shape[1]

# %% mistake="scale-by-tokens: of the keys" edits="textbook"
# - head_dim = query.shape[-1]
# + head_dim = key.shape[1]

# %% mistake="scale-by-dk" edits="textbook"
# - return torch.softmax(scores / head_dim**0.5, dim=-1)
# + return torch.softmax(scores / head_dim, dim=-1)

# %% mistake="missing-scale" edits="textbook"
# - return torch.softmax(scores / head_dim**0.5, dim=-1)
# + return torch.softmax(scores, dim=-1)

# %% mistake="scale-multiplied" edits="textbook"
# - return torch.softmax(scores / head_dim**0.5, dim=-1)
# + return torch.softmax(scores * head_dim**0.5, dim=-1)

# %% mistake="scale-after-softmax" edits="textbook"
# - return torch.softmax(scores / head_dim**0.5, dim=-1)
# + return torch.softmax(scores, dim=-1) / head_dim**0.5

# %% mistake="softmax-wrong-axis" edits="textbook"
# - return torch.softmax(scores / head_dim**0.5, dim=-1)
# + return torch.softmax(scores / head_dim**0.5, dim=1)

# %% mistake="softmax-wrong-axis: over the heads" edits="textbook"
# - return torch.softmax(scores / head_dim**0.5, dim=-1)
# + return torch.softmax(scores / head_dim**0.5, dim=0)

# %% mistake="no-softmax" edits="textbook"
# - return torch.softmax(scores / head_dim**0.5, dim=-1)
# + return scores / head_dim**0.5

# %% mistake="key-not-transposed" also="raises" edits="textbook"
# - scores = query @ key.transpose(1, 2)
# + scores = query @ key

# %% mistake="query-key-swapped" also="wrong-shape" edits="textbook"
# - scores = query @ key.transpose(1, 2)
# + scores = key @ query.transpose(1, 2)

# %% mistake="unrecognized: the number of scores" edits="textbook"
# - head_dim = query.shape[-1]
# + head_dim = key.shape[1] * query.shape[1]

# %% mistake="unrecognized: one feature too many" edits="textbook"
# - head_dim = query.shape[-1]
# + head_dim = query.shape[-1] + 1

# %% mistake="wrong-type: a forgotten return" edits="textbook"
# - return torch.softmax(scores / head_dim**0.5, dim=-1)
# + weights = torch.softmax(scores / head_dim**0.5, dim=-1)

# %% mistake="not-implemented" edits="textbook"
# - return torch.softmax(scores / head_dim**0.5, dim=-1)
# + raise NotImplementedError("Write your answer here, then delete this line.")


# %% correct="by the logarithm of the sum"
def fixed_09(query, key):
    scores = query @ key.mT / key.shape[-1] ** 0.5
    return (scores - scores.logsumexp(dim=-1, keepdim=True)).exp()


# %% correct="one step a line, head by head"
def fixed_09(query, key):
    d_k = key.shape[-1]
    shape = (query.shape[0], query.shape[1], key.shape[1])
    out = torch.zeros(shape, dtype=query.dtype, device=query.device)
    for h in range(query.shape[0]):
        scores = query[h] @ key[h].T
        scaled = scores / d_k**0.5
        weights = torch.softmax(scaled, dim=-1)
        out[h] = weights
    return out


# %% mistake="missing-scale: a step" edits="one step a line, head by head"
# - scaled = scores / d_k**0.5
# + scaled = scores

# %% mistake="scale-by-dk: a step" edits="one step a line, head by head"
# - scaled = scores / d_k**0.5
# + scaled = scores / d_k

# %% mistake="softmax-wrong-axis: a step" edits="one step a line, head by head"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.softmax(scaled, dim=0)

# %% mistake="no-softmax: a step" edits="one step a line, head by head"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = scaled

# %% mistake="scale-fixed: by the root of 64" edits="textbook"
# - return torch.softmax(scores / head_dim**0.5, dim=-1)
# + return torch.softmax(scores / 64**0.5, dim=-1)

# %% mistake="scale-by-heads: without the root" edits="textbook"
# - return torch.softmax(scores / head_dim**0.5, dim=-1)
# + return torch.softmax(scores / len(query), dim=-1)

# %% mistake="scale-by-tokens: without the root" edits="textbook"
# - return torch.softmax(scores / head_dim**0.5, dim=-1)
# + return torch.softmax(scores / query.shape[1], dim=-1)

# %% mistake="scale-by-tokens: of the keys, without the root" edits="textbook"
# - return torch.softmax(scores / head_dim**0.5, dim=-1)
# + return torch.softmax(scores / key.shape[1], dim=-1)

# %% mistake="scale-by-model-width: without the root" edits="textbook"
# - return torch.softmax(scores / head_dim**0.5, dim=-1)
# + return torch.softmax(scores / (len(query) * head_dim), dim=-1)
