# %% setup
import math

import torch

# %% mistake="scale-wrong-power: the fifth power for a half" never="for most inputs|hard-coded"
def scaled_scores(query, key):
    return query @ key.transpose(-2, -1) / key.shape[-1] ** 5

# %% correct="mine"
def scaled_scores(query, key):
    d_k = query.shape[-1]
    dots = torch.matmul(query, key.transpose(-1, -2))
    return dots / math.sqrt(d_k)

# %% mistake="leading-axes-transposed: T" edits="mine"
# - dots = torch.matmul(query, key.transpose(-1, -2))
# + dots = torch.matmul(query, key.T)

# %% mistake="missing-scale: forgotten" edits="mine"
# - return dots / math.sqrt(d_k)
# + return dots

# %% mistake="scale-by-dk: no root" edits="mine"
# - return dots / math.sqrt(d_k)
# + return dots / d_k

# %% mistake="scale-by-tokens: len of the key" edits="mine"
# - d_k = query.shape[-1]
# + d_k = key.shape[-2]

# %% mistake="raises: torch.sqrt of a whole number" says="works on tensors" edits="mine"
# - return dots / math.sqrt(d_k)
# + return dots / torch.sqrt(d_k)

# %% mistake="example-only: a d_k of two" never="for most inputs" edits="mine"
# - d_k = query.shape[-1]
# + d_k = 2

# %% mistake="axis-from-front: d_k is shape[1] of the query" never="number of tokens" edits="mine"
# - d_k = query.shape[-1]
# + d_k = query.shape[1]

# %% mistake="axis-from-front: d_k is shape[1] of the key" never="number of tokens" edits="mine"
# - d_k = query.shape[-1]
# + d_k = key.shape[1]

# %% mistake="softmax-unexpected: weights already" edits="mine"
# - return dots / math.sqrt(d_k)
# + return torch.softmax(dots / math.sqrt(d_k), dim=-1)

# %% mistake="scale-by-dk: both sides divided" edits="mine"
# - dots = torch.matmul(query, key.transpose(-1, -2))
# - return dots / math.sqrt(d_k)
# + return (query / math.sqrt(d_k)) @ (key / math.sqrt(d_k)).transpose(-1, -2)

# %% mistake="input-modified: the query divided in place" edits="mine"
# - dots = torch.matmul(query, key.transpose(-1, -2))
# - return dots / math.sqrt(d_k)
# + query /= math.sqrt(d_k)
# + return torch.matmul(query, key.transpose(-1, -2))

# %% mistake="scale-by-model-width: the width of the notebook's sentence" edits="mine"
# - d_k = query.shape[-1]
# + d_in = 3
# + d_k = d_in

# %% mistake="query-key-swapped: key on the left" edits="mine"
# - dots = torch.matmul(query, key.transpose(-1, -2))
# + dots = torch.matmul(key, query.transpose(-1, -2))

# %% mistake="raises: a library that is not imported" says="NameError" edits="mine"
# - return dots / math.sqrt(d_k)
# + return dots / np.sqrt(d_k)

# %% mistake="scale-by-spread: their standard deviation" edits="mine"
# - return dots / math.sqrt(d_k)
# + return dots / dots.std()

# %% mistake="scale-by-spread: row by row" edits="mine"
# - return dots / math.sqrt(d_k)
# + return dots / dots.std(dim=-1, keepdim=True)

# %% mistake="fixed-number-of-axes: a loop over the batch"
def scaled_scores(query, key):
    results = []
    for q, k in zip(query, key):
        results.append(q @ k.T / k.shape[-1] ** 0.5)
    return torch.stack(results)

# %% mistake="fixed-number-of-axes: loops over rows of matrices"
def scaled_scores(query, key):
    scores = query.new_zeros(len(query), len(key))
    for i in range(len(query)):
        for j in range(len(key)):
            scores[i, j] = torch.dot(query[i], key[j]) / key.shape[-1] ** 0.5
    return scores

# %% mistake="missing-scale: and T" also="leading-axes-transposed" edits="mine"
# - dots = torch.matmul(query, key.transpose(-1, -2))
# + dots = torch.matmul(query, key.T)
# - return dots / math.sqrt(d_k)
# + return dots

# %% mistake="missing-scale: and swapped" also="query-key-swapped" edits="mine"
# - dots = torch.matmul(query, key.transpose(-1, -2))
# - return dots / math.sqrt(d_k)
# + return torch.einsum("...id,...jd->...ij", key, query)

# %% mistake="scale-by-dk: and swapped" also="query-key-swapped" edits="mine"
# - dots = torch.matmul(query, key.transpose(-1, -2))
# + dots = torch.matmul(key, query.transpose(-1, -2))
# - return dots / math.sqrt(d_k)
# + return dots / d_k

# %% mistake="scale-by-tokens: and swapped" also="query-key-swapped" edits="mine"
# - d_k = query.shape[-1]
# + d_k = key.shape[-2]
# - dots = torch.matmul(query, key.transpose(-1, -2))
# + dots = key @ query.mT

# %% mistake="missing-scale: and a softmax" also="softmax-unexpected" edits="mine"
# - return dots / math.sqrt(d_k)
# + e = torch.exp(dots - dots.amax(dim=-1, keepdim=True))
# + return e / e.sum(dim=-1, keepdim=True)

# %% mistake="scale-multiplied: and T" also="leading-axes-transposed" edits="mine"
# - dots = torch.matmul(query, key.transpose(-1, -2))
# + dots = torch.matmul(query, key.T)
# - return dots / math.sqrt(d_k)
# + return dots * math.sqrt(d_k)

# %% mistake="missing-scale: and the key with itself" also="shared-projection" edits="mine"
# - dots = torch.matmul(query, key.transpose(-1, -2))
# - return dots / math.sqrt(d_k)
# + return torch.einsum("...id,...jd->...ij", key, key)

# %% mistake="missing-scale: and not transposed" also="key-not-transposed" edits="mine"
# - dots = torch.matmul(query, key.transpose(-1, -2))
# - return dots / math.sqrt(d_k)
# + return torch.matmul(query, key)

# %% mistake="missing-scale: and a batch expected" also="fixed-number-of-axes" edits="mine"
# - dots = torch.matmul(query, key.transpose(-1, -2))
# - return dots / math.sqrt(d_k)
# + return torch.matmul(query, key.transpose(1, 2))

# %% mistake="scale-by-dk: and a softmax" also="softmax-unexpected" edits="mine"
# - return dots / math.sqrt(d_k)
# + return (dots / d_k).softmax(dim=-1)

# %% mistake="scale-by-tokens: and axes 0, 1" also="leading-axes-transposed"
def scaled_scores(query, key):
    return query @ key.transpose(0, 1) / len(key) ** 0.5

# %% mistake="scale-by-norm: of the query"
def scaled_scores(query, key):
    return query @ key.transpose(-2, -1) / query.norm()

# %% mistake="scale-fixed: 64"
def scaled_scores(query, key):
    return (query.unsqueeze(-2) * key.unsqueeze(-3)).sum(-1) / 64 ** 0.5

# %% mistake="rounded-down: divided twice"
def scaled_scores(query, key):
    return query @ key.transpose(-2, -1) / query.shape[-1] // 2

# %% mistake="scale-by-tokens: all numbers of the query"
def scaled_scores(query, key):
    return query @ key.transpose(-1,-2) / math.sqrt(query.numel())

# %% mistake="scale-by-dk: into zeros, and the last query is missing" also="last-left-out"
def scaled_scores(query, key):
    out = torch.zeros(query.shape[:-1] + (key.shape[-2],))
    for i in range(query.shape[-2] - 1):
        for j in range(key.shape[-2]):
            out[..., i, j] = (query[..., i, :] * key[..., j, :]).sum(-1) / query.shape[-1]
    return out

# %% mistake="scale-fixed: a d_k of two, and swapped" also="query-key-swapped"
def scaled_scores(query, key):
    return key @ query.mT / 2 ** 0.5

# %% mistake="rows-in-pairs: a star and a sum"
def scaled_scores(query, key):
    return (query * key).sum(-1) / query.shape[-1] ** 0.5

# %% mistake="query-key-swapped: turned afterwards" never="from their weights"
def scaled_scores(query, key):
    return (query @ key.mT / key.shape[-1] ** 0.5).mT

# %% mistake="unrecognized: a mean taken off"
def scaled_scores(query, key):
    return (query @ key.mT - (query @ key.mT).mean()) / query.shape[-1] ** 0.5

# %% mistake="unrecognized: the root is rounded"
def scaled_scores(query, key):
    return query @ key.transpose(-2,-1) / round(math.sqrt(query.shape[-1]), 2)

# %% mistake="raises: a power written with ^" says="no power" never="still there|delete the line"
def scaled_scores(query, key):
    return query @ key.mT / key.shape[-1] ^ 0.5

# %% mistake="raises: a power of a bracket written with ^" says="no power" never="still there"
def scaled_scores(query, key):
    return query @ key.mT / (key.shape[-1]^0.5)

# %% mistake="scale-by-norm: of directions, and the right scale" never="d_k instead"
def scaled_scores(query, key):
    query = query / query.norm(dim=-1, keepdim=True)
    key = key / key.norm(dim=-1, keepdim=True)
    return query @ key.mT / key.shape[-1] ** 0.5

# %% mistake="scale-by-norm: of the key, and the right scale" never="d_k instead"
def scaled_scores(query, key):
    return query @ key.mT / math.sqrt(key.shape[-1]) / key.norm()

# %% mistake="scale-by-spread: of the key, and the right scale" never="d_k instead|in the scores themselves"
def scaled_scores(query, key):
    return query @ key.mT / math.sqrt(key.shape[-1]) / key.std()

# %% mistake="scale-by-tokens: and the right scale" never="d_k instead"
def scaled_scores(query, key):
    return query @ key.mT / math.sqrt(key.shape[-1]) / key.shape[-2]

# %% mistake="scale-multiplied: by d_k" never="by the square root"
def scaled_scores(query, key):
    return query @ key.mT * key.shape[-1]

# %% mistake="scale-multiplied: and cut off" also="no-gradient" says="No gradient can go back" edits="mine"
# - dots = torch.matmul(query, key.transpose(-1, -2))
# - return dots / math.sqrt(d_k)
# + dots = torch.matmul(query.detach(), key.detach().transpose(-1, -2))
# + return dots * math.sqrt(d_k)

# %% mistake="last-left-out: of the features, from a plain 0"
def scaled_scores(query, key):
    total = 0
    for c in range(query.shape[-1] - 1):
        total = total + query[..., :, None, c] * key[..., None, :, c]
    return total / math.sqrt(query.shape[-1])
