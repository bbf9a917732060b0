# %% setup
import math

import torch

# %% correct="mine"
def scaled_dot_product_attention(query, key, value):
    dots = torch.matmul(query, key.transpose(-1, -2))
    dots = dots / math.sqrt(query.shape[-1])
    alpha = torch.softmax(dots, dim=-1)
    z = torch.matmul(alpha, value)
    return z, alpha

# %% correct="by hand"
def scaled_dot_product_attention(query, key, value):
    dots = torch.matmul(query, key.mT) * query.shape[-1] ** -0.5
    e = torch.exp(dots - dots.amax(dim=-1, keepdim=True))
    alpha = e / e.sum(dim=-1, keepdim=True)
    return torch.matmul(alpha, value), alpha

# %% mistake="leading-axes-transposed: T" edits="mine"
# - dots = torch.matmul(query, key.transpose(-1, -2))
# + dots = torch.matmul(query, key.T)

# %% mistake="axis-from-front: axis 1" edits="mine"
# - alpha = torch.softmax(dots, dim=-1)
# + alpha = torch.softmax(dots, dim=1)

# %% mistake="softmax-wrong-axis: axis 0" edits="mine"
# - alpha = torch.softmax(dots, dim=-1)
# + alpha = torch.softmax(dots, dim=0)

# %% mistake="fixed-number-of-axes: query by query"
def attend_one(query_i, key, value):
    weights = torch.softmax(key @ query_i / key.shape[-1] ** 0.5, dim=0)
    return weights @ value, weights

def scaled_dot_product_attention(query, key, value):
    contexts, all_weights = [], []
    for query_i in query:
        context, weights = attend_one(query_i, key, value)
        contexts.append(context)
        all_weights.append(weights)
    return torch.stack(contexts), torch.stack(all_weights)

# %% mistake="raises: pairs are stacked" says="itself a tuple" never="plain numbers"
def attend_one(query_i, key, value):
    weights = torch.softmax(key @ query_i / key.shape[-1] ** 0.5, dim=0)
    return weights @ value, weights

def scaled_dot_product_attention(query, key, value):
    return torch.stack([attend_one(query_i, key, value) for query_i in query])

# %% mistake="scale-by-dk: scaled in the function, and once more"
def scaled_scores(query, key):
    return query @ key.transpose(-2, -1) / key.shape[-1] ** 0.5

def scaled_dot_product_attention(query, key, value):
    weights = torch.softmax(scaled_scores(query, key) / key.shape[-1] ** 0.5, dim=-1)
    return weights @ value, weights

# %% mistake="scale-by-model-width: d_v" edits="mine"
# - dots = dots / math.sqrt(query.shape[-1])
# + dots = dots / math.sqrt(value.shape[-1])

# %% mistake="values-transposed: as the keys" edits="mine"
# - z = torch.matmul(alpha, value)
# + z = torch.matmul(alpha, value.transpose(-1, -2))

# %% mistake="results-exchanged: weights first" edits="mine"
# - return z, alpha
# + return alpha, z

# %% mistake="raises: the function for one query gets all"
def attend_one(query_i, key, value):
    scores = key @ query_i
    weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
    context = weights @ value
    return context, weights

def scaled_dot_product_attention(query, key, value):
    return attend_one(query, key, value)

# %% mistake="no-softmax: scores for weights" edits="mine"
# - alpha = torch.softmax(dots, dim=-1)
# + alpha = dots

# %% mistake="missing-scale: forgotten" edits="mine"
# - dots = dots / math.sqrt(query.shape[-1])
# + dots = dots * 1

# %% mistake="hard-coded: the notebook's sentence is projected inside" also="wrong-shape" never="published example again"
torch.manual_seed(123)
W_query, W_key, W_value = (torch.rand(3, 2) for _ in range(3))
inputs = torch.tensor(
    [[0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64], [0.22, 0.58, 0.33], [0.77, 0.25, 0.10],
     [0.05, 0.80, 0.55]]
)

def scaled_dot_product_attention(query, key, value):
    query, key, value = inputs @ W_query, inputs @ W_key, inputs @ W_value
    weights = torch.softmax(query @ key.transpose(-2, -1) / key.shape[-1] ** 0.5, dim=-1)
    return weights @ value, weights

# %% mistake="forbidden-call: PyTorch's own"
def scaled_dot_product_attention(query, key, value):
    context = torch.nn.functional.scaled_dot_product_attention(query, key, value)
    weights = torch.softmax(query @ key.transpose(-2, -1) / key.shape[-1] ** 0.5, dim=-1)
    return context, weights

# %% mistake="raises: a name that is nowhere" says="NameError" edits="mine"
# - z = torch.matmul(alpha, value)
# + z = torch.matmul(alpha, results[2])

# %% mistake="softmax-wrong-axis: the last but one" edits="mine"
# - alpha = torch.softmax(dots, dim=-1)
# + alpha = torch.softmax(dots, dim=-2)

# %% mistake="scale-by-spread: their standard deviation" edits="mine"
# - dots = dots / math.sqrt(query.shape[-1])
# + dots = dots / dots.std()

# %% mistake="axis-from-front: d_k is shape[1]" edits="mine"
# - dots = dots / math.sqrt(query.shape[-1])
# + dots = dots / math.sqrt(query.shape[1])

# %% mistake="one-token-only: the token of the worked example" edits="mine"
# - return z, alpha
# + return z[..., 1, :], alpha[..., 1, :]

# %% mistake="fixed-number-of-axes: a loop over the batch"
def scaled_dot_product_attention(query, key, value):
    contexts, all_weights = [], []
    for q, k, v in zip(query, key, value):
        weights = torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1)
        contexts.append(weights @ v)
        all_weights.append(weights)
    return torch.stack(contexts), torch.stack(all_weights)

# %% mistake="missing-scale: and columns" also="softmax-wrong-axis" edits="by hand"
# - dots = torch.matmul(query, key.mT) * query.shape[-1] ** -0.5
# - e = torch.exp(dots - dots.amax(dim=-1, keepdim=True))
# - alpha = e / e.sum(dim=-1, keepdim=True)
# + dots = torch.matmul(query, key.mT)
# + e = torch.exp(dots - dots.amax(dim=-2, keepdim=True))
# + alpha = e / e.sum(dim=-2, keepdim=True)

# %% mistake="missing-scale: and swapped" also="query-key-swapped" edits="by hand"
# - dots = torch.matmul(query, key.mT) * query.shape[-1] ** -0.5
# + dots = torch.matmul(key, query.mT)

# %% mistake="unrecognized: and columns" edits="mine"
# - dots = torch.matmul(query, key.transpose(-1, -2))
# + dots = torch.matmul(key, query.transpose(-1, -2))
# - alpha = torch.softmax(dots, dim=-1)
# + alpha = torch.softmax(dots, dim=-2)

# %% mistake="missing-scale: and T" also="leading-axes-transposed" edits="mine"
# - dots = torch.matmul(query, key.transpose(-1, -2))
# - dots = dots / math.sqrt(query.shape[-1])
# + dots = torch.matmul(query, key.T)

# %% mistake="softmax-wrong-axis: and T" also="leading-axes-transposed" edits="mine"
# - dots = torch.matmul(query, key.transpose(-1, -2))
# + dots = torch.matmul(query, key.T)
# - alpha = torch.softmax(dots, dim=-1)
# + alpha = torch.softmax(dots, dim=0)

# %% mistake="missing-scale: and overflows" also="unstable-softmax" edits="by hand"
# - dots = torch.matmul(query, key.mT) * query.shape[-1] ** -0.5
# - e = torch.exp(dots - dots.amax(dim=-1, keepdim=True))
# + dots = torch.matmul(query, key.mT)
# + e = torch.exp(dots)

# %% mistake="scale-by-dk: and axis 1" also="axis-from-front" edits="mine"
# - dots = dots / math.sqrt(query.shape[-1])
# + dots = dots / query.shape[-1]
# - alpha = torch.softmax(dots, dim=-1)
# + alpha = torch.softmax(dots, dim=1)

# %% mistake="missing-scale: and the keys are mixed" also="shared-projection" edits="by hand"
# - dots = torch.matmul(query, key.mT) * query.shape[-1] ** -0.5
# + dots = torch.matmul(query, key.mT)
# - return torch.matmul(alpha, value), alpha
# + return torch.matmul(alpha, key), alpha

# %% mistake="scale-by-tokens: and a sum that is not kept" also="keepdim-missing" edits="by hand"
# - dots = torch.matmul(query, key.mT) * query.shape[-1] ** -0.5
# - e = torch.exp(dots - dots.amax(dim=-1, keepdim=True))
# - alpha = e / e.sum(dim=-1, keepdim=True)
# + dots = torch.matmul(query, key.mT) * key.shape[-2] ** -0.5
# + e = torch.exp(dots - dots.amax(dim=-1, keepdim=True))
# + alpha = e / e.sum(dim=-1)

# %% mistake="missing-scale: and transposed weights" also="weights-transposed" edits="by hand"
# - dots = torch.matmul(query, key.mT) * query.shape[-1] ** -0.5
# + dots = torch.matmul(query, key.mT)
# - return torch.matmul(alpha, value), alpha
# + return torch.matmul(alpha.mT, value), alpha

# %% mistake="missing-scale: and a mask" also="mask-unexpected" edits="mine"
# - dots = dots / math.sqrt(query.shape[-1])
# + dots = dots + torch.full_like(dots, -torch.inf).triu(diagonal=1)

# %% mistake="softmax-wrong-axis: and scaled afterwards" also="scale-after-softmax"
def scaled_dot_product_attention(query, key, value):
    s = query @ key.transpose(-2, -1)
    w = torch.softmax(s, dim=-2) / query.shape[-1] ** 0.5
    return w @ value, w

# %% mistake="renormalized-wrong-axis: once more, along the columns"
def scaled_dot_product_attention(query, key, value):
    s = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    w = torch.softmax(s, dim=-1)
    w = w / w.sum(dim=-2, keepdim=True)
    return w @ value, w

# %% mistake="global-maximum: and the weights are rounded" also="rounded"
def scaled_dot_product_attention(query, key, value):
    sc = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    e = torch.exp(sc - sc.max())
    ww = e / e.sum(-1, keepdim=True)
    return ww @ value, ww.round(decimals=3)

# %% mistake="small-dropped: below 0.01"
def scaled_dot_product_attention(query, key, value):
    w = torch.softmax(query @ key.mT / key.shape[-1] ** 0.5, -1)
    w = w.masked_fill(w < 0.01, 0)
    return w @ value, w

# %% mistake="small-dropped: below 0.05"
def scaled_dot_product_attention(query, key, value):
    w = torch.softmax(query @ key.mT / key.shape[-1] ** 0.5, -1)
    w = w.masked_fill(w < 0.05, 0)
    return w @ value, w

# %% mistake="scale-after-softmax: once more, of the context"
def scaled_dot_product_attention(query, key, value):
    w = torch.softmax(query @ key.mT / key.shape[-1] ** 0.5, -1)
    return w @ value / key.shape[-1] ** 0.5, w

# %% mistake="hard-lookup: by argmax"
def scaled_dot_product_attention(query, key, value):
    s = query @ key.mT / key.shape[-1] ** 0.5
    w = torch.zeros_like(s)
    w = w.scatter(-1, s.argmax(-1, keepdim=True), 1.0)
    return w @ value, w

# %% mistake="query-key-swapped: the scores are turned" never="from their weights"
def scaled_dot_product_attention(query, key, value):
    w = torch.softmax((query @ key.mT).mT / key.shape[-1] ** 0.5, -1)
    return w @ value, w

# %% mistake="scale-multiplied: the context" also="scale-after-softmax"
def scaled_dot_product_attention(query, key, value):
    w = torch.softmax(query @ key.mT / key.shape[-1] ** 0.5, -1)
    return w @ value * key.shape[-1] ** 0.5, w

# %% mistake="softmax-wrong-axis: and a mean" also="mean-not-sum" edits="mine"
# - alpha = torch.softmax(dots, dim=-1)
# - z = torch.matmul(alpha, value)
# + alpha = torch.softmax(dots, dim=-2)
# + z = torch.matmul(alpha, value) / key.shape[-2]

# %% mistake="missing-scale: and the last key is missing" also="last-left-out" edits="mine"
# - dots = dots / math.sqrt(query.shape[-1])
# + dots = dots * 1
# - z = torch.matmul(alpha, value)
# + z = torch.matmul(alpha[..., :-1], value[..., :-1, :])

# %% mistake="fixed-number-of-axes: two or three, named one by one" also="raises" never="transpose|wrong axes"
def scaled_dot_product_attention(query, key, value):
    if query.ndim == 2:
        s = torch.einsum("id,jd->ij", query, key)
    else:
        s = torch.einsum("bid,bjd->bij", query, key)
    w = torch.softmax(s / query.shape[-1] ** 0.5, -1)
    return w @ value, w

# %% mistake="elementwise-product: the values at the end"
def scaled_dot_product_attention(query, key, value):
    weights = torch.softmax(query @ key.transpose(-2, -1) / key.shape[-1] ** 0.5, dim=-1)
    return weights * value, weights
