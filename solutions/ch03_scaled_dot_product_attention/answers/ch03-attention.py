# %% setup
import math

import torch
import torch.nn.functional as F


# %% correct="textbook"
def scaled_dot_product_attention(query, key, value):
    scores = query @ key.transpose(-2, -1)
    weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
    context = weights @ value
    return context, weights


# %% correct="einsum"
def scaled_dot_product_attention(query, key, value):
    scores = torch.einsum("...id,...jd->...ij", query, key) / math.sqrt(query.size(-1))
    weights = scores.softmax(dim=-1)
    return torch.einsum("...ij,...jd->...id", weights, value), weights


# %% correct="one query at a time"
def attend_one(query_i, key, value):
    weights = torch.softmax(key @ query_i / key.shape[-1] ** 0.5, dim=0)
    return weights @ value, weights


def scaled_dot_product_attention(query, key, value):
    if query.dim() > 2:
        pairs = [scaled_dot_product_attention(*each) for each in zip(query, key, value)]
    else:
        pairs = [attend_one(query_i, key, value) for query_i in query]
    contexts, weights = zip(*pairs)
    return torch.stack(contexts), torch.stack(weights)


# %% correct="batched products, softmax by hand"
def scaled_dot_product_attention(query, key, value):
    q, k, v = (tensor.reshape(-1, *tensor.shape[-2:]) for tensor in (query, key, value))
    scores = torch.bmm(q, k.transpose(1, 2)) / k.shape[-1] ** 0.5
    powers = (scores - scores.amax(dim=-1, keepdim=True)).exp()
    weights = powers / powers.sum(dim=-1, keepdim=True)
    context = torch.bmm(weights, v)
    context = context.reshape(*query.shape[:-1], value.shape[-1])
    return context, weights.reshape(*query.shape[:-1], key.shape[-2])


# %% correct="softmax by hand"
def scaled_dot_product_attention(query, key, value):
    scores = query @ key.mT
    scores = scores / math.sqrt(key.shape[-1])
    scores = scores - scores.max(dim=-1, keepdim=True).values
    powers = torch.exp(scores)
    weights = powers / powers.sum(dim=-1, keepdim=True)
    return weights @ value, weights


# %% correct="query scaled first" edits="textbook"
# - scores = query @ key.transpose(-2, -1)
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + scores = (query * key.shape[-1] ** -0.5) @ key.mT
# + weights = F.softmax(scores, dim=scores.dim() - 1)


# %% correct="with a helper"
def scaled_scores(query, key):
    scores = torch.matmul(query, key.transpose(-1, -2))
    scores /= torch.sqrt(torch.tensor(key.shape[-1]))
    return scores


def scaled_dot_product_attention(query, key, value):
    weights = torch.softmax(scaled_scores(query, key), dim=-1)
    return weights @ value, weights


# %% correct="logarithm of the sum" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + scores = scores / key.shape[-1] ** 0.5
# + weights = torch.exp(scores - scores.logsumexp(dim=-1, keepdim=True))

# %% correct="the logarithm of the sum" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + scores = scores / key.shape[-1] ** 0.5
# + weights = (scores - scores.logsumexp(dim=-1, keepdim=True)).exp()

# %% correct="one step a line" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + scaled = scores / key.shape[-1] ** 0.5
# + weights = torch.softmax(scaled, dim=-1)

# %% mistake="missing-scale" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores

# %% mistake="scale-by-dk" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1]

# %% mistake="scale-by-dk: twice by its root" edits="with a helper"
# - weights = torch.softmax(scaled_scores(query, key), dim=-1)
# + weights = torch.softmax(scaled_scores(query, key) / key.shape[-1] ** 0.5, dim=-1)

# %% mistake="scale-multiplied" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores * key.shape[-1] ** 0.5

# %% mistake="scale-after-softmax" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.softmax(scores, dim=-1) / key.shape[-1] ** 0.5

# %% mistake="scale-by-model-width" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / value.shape[-1] ** 0.5

# %% mistake="scale-by-tokens" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-2] ** 0.5

# %% mistake="scale-by-tokens: of the queries" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / query.shape[-2] ** 0.5

# %% mistake="scale-multiplied: by d_k" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores * key.shape[-1]

# %% mistake="root-precedence" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / (key.shape[-1] ** 1 / 2)

# %% mistake="root-precedence: without brackets" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 1 / 2

# %% mistake="scale-wrong-power: the fourth root" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.25

# %% mistake="scale-by-norm" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + lengths = query.norm(dim=-1)[..., :, None] * key.norm(dim=-1)[..., None, :]
# + weights = torch.softmax(scores / lengths, dim=-1)

# %% mistake="scale-wrong-power" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 2

# %% mistake="softmax-wrong-axis: the first" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.softmax(scaled, dim=0)

# %% mistake="softmax-wrong-axis" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.softmax(scaled, dim=-2)

# %% mistake="axis-from-front" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.softmax(scaled, dim=1)

# %% mistake="axis-from-front: as in a batch" also="raises" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.softmax(scaled, dim=2)

# %% mistake="axis-from-front: as with heads" also="raises" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.softmax(scaled, dim=3)

# %% mistake="softmax-wrong-axis: none named" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = F.softmax(scaled)

# %% mistake="softmax-wrong-axis: of the transposed scores" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.softmax((scaled).mT, dim=-1).mT.contiguous()

# %% mistake="softmax-over-all: of each matrix" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.softmax(scores.flatten(-2), dim=-1).view_as(scores)

# %% mistake="no-softmax" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = scaled

# %% mistake="no-softmax: in the mixture alone" edits="one step a line"
# - context = weights @ value
# + context = scores @ value

# %% mistake="no-softmax: in the mixture alone, scaled" edits="one step a line"
# - context = weights @ value
# + context = scaled @ value

# %% mistake="softmax-unexpected: on the context" edits="one step a line"
# - context = weights @ value
# + context = torch.softmax(weights @ value, dim=-1)

# %% mistake="keepdim-missing: unstable as well" edits="softmax by hand"
# - scores = scores - scores.max(dim=-1, keepdim=True).values
# - powers = torch.exp(scores)
# - weights = powers / powers.sum(dim=-1, keepdim=True)
# + powers = torch.exp(scores)
# + weights = powers / powers.sum(dim=-1)

# %% mistake="query-key-swapped" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = key @ query.transpose(-2, -1)

# %% mistake="key-not-transposed" also="raises" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key

# %% mistake="reshape-not-transpose" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2])

# %% mistake="leading-axes-transposed: T" also="raises" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key.T

# %% mistake="leading-axes-transposed: 0 and 1" also="raises" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key.transpose(0, 1)

# %% mistake="fixed-number-of-axes: up to three" also="raises" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ (key.T if key.dim() == 2 else key.transpose(1, 2))

# %% mistake="fixed-number-of-axes: a batch" also="raises" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key.transpose(1, 2)

# %% mistake="fixed-number-of-axes: permute" also="raises" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key.permute(0, 2, 1)

# %% mistake="fixed-number-of-axes: mm" also="raises" edits="one step a line"
# - context = weights @ value
# + context = weights.mm(value)

# %% mistake="batch-leak" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + while key.dim() > 2:
# +     key, value = key[0], value[0]
# + scores = query @ key.transpose(-2, -1)

# %% mistake="batch-leak: only the values" edits="one step a line"
# - context = weights @ value
# + while value.dim() > 2:
# +     value = value[0]
# + context = weights @ value

# %% mistake="batch-leak: weights averaged" edits="one step a line"
# - context = weights @ value
# + leading = tuple(range(weights.dim() - 2))
# + weights = weights.mean(dim=leading, keepdim=True).expand_as(weights) if leading else weights
# + context = weights @ value

# %% mistake="batch-leak: one long sequence" also="wrong-shape" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + lengths, width = query.shape[:-1], value.shape[-1]
# + query, key, value = (tensor.reshape(-1, tensor.shape[-1]) for tensor in (query, key, value))
# + scores = query @ key.transpose(-2, -1)
# - context = weights @ value
# + context = (weights @ value).reshape(*lengths, width)

# %% mistake="weights-transposed" edits="one step a line"
# - context = weights @ value
# + context = weights.transpose(-2, -1) @ value

# %% mistake="values-transposed" also="raises" edits="one step a line"
# - context = weights @ value
# + context = weights @ value.transpose(-2, -1)

# %% mistake="key-value-swapped" edits="one step a line"
# - def scaled_dot_product_attention(query, key, value):
# + def scaled_dot_product_attention(query, value, key):

# %% mistake="shared-projection: the keys are mixed" edits="one step a line"
# - context = weights @ value
# + context = weights @ key

# %% mistake="shared-projection: the values are asked" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ value.transpose(-2, -1)

# %% mistake="shared-projection: the queries are mixed" edits="one step a line"
# - context = weights @ value
# + context = weights @ query

# %% mistake="shared-projection: the keys ask" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = key @ key.transpose(-2, -1)

# %% mistake="shared-projection: the queries answer" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ query.transpose(-2, -1)

# %% mistake="mask-unexpected" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key.transpose(-2, -1)
# + future = torch.ones_like(scores).triu(diagonal=1).bool()
# + scores = scores.masked_fill(future, -torch.inf)

# %% mistake="mask-unexpected: after the softmax" edits="one step a line"
# - context = weights @ value
# + weights = torch.tril(weights)
# + context = weights @ value

# %% mistake="mask-unexpected: after the softmax, renormalized" edits="one step a line"
# - context = weights @ value
# + weights = torch.tril(weights)
# + weights = weights / weights.sum(dim=-1, keepdim=True)
# + context = weights @ value

# %% mistake="mask-unexpected: not itself" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key.transpose(-2, -1)
# + itself = torch.ones_like(scores).tril().triu().bool()
# + scores = scores.masked_fill(itself, -torch.inf)

# %% mistake="results-exchanged" also="wrong-shape" edits="one step a line"
# - return context, weights
# + return weights, context

# %% mistake="returns-weights" also="wrong-shape" edits="one step a line"
# - return context, weights
# + return weights, weights

# %% mistake="returns-scores" edits="one step a line"
# - return context, weights
# + return context, scores

# %% mistake="returns-scores: scaled" edits="one step a line"
# - return context, weights
# + return context, scaled

# %% mistake="returns-other-weights" edits="one step a line"
# - return context, weights
# + return context, torch.softmax(scores, dim=-1)

# %% mistake="returns-other-weights: along the other axis" edits="one step a line"
# - return context, weights
# + return context, torch.softmax(scaled, dim=-2)

# %% mistake="returns-other-weights: transposed" edits="one step a line"
# - return context, weights
# + return context, weights.transpose(-2, -1)

# %% mistake="result-transposed" edits="one step a line" also="wrong-shape"
# - return context, weights
# + return context.transpose(-2, -1), weights

# %% mistake="returns-values" edits="one step a line"
# - return context, weights
# + return value, weights

# %% mistake="residual-added" edits="one step a line"
# - return context, weights
# + if context.shape == query.shape:
# +     context = context + query
# + return context, weights

# %% mistake="log-softmax" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.log_softmax(scaled, dim=-1)

# %% mistake="leading-axes-transposed: and dim 1" also="raises" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key.T
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.softmax(scaled, dim=1)

# %% mistake="leading-axes-transposed: 0, 1 and dim 1" also="raises" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key.transpose(0, 1)
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.softmax(scaled, dim=1)

# %% mistake="missing-scale: and axes 0, 1" also="leading-axes-transposed" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key.transpose(0, 1)
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores

# %% mistake="missing-scale: and axes 0, 1, dim 1" also="leading-axes-transposed" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key.transpose(0, 1)
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.softmax(scaled, dim=1)

# %% mistake="softmax-wrong-axis: and axes 0, 1" also="leading-axes-transposed" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key.transpose(0, 1)
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.softmax(scaled, dim=0)

# %% mistake="query-key-swapped: and T" also="leading-axes-transposed" edits="textbook"
# - scores = query @ key.transpose(-2, -1)
# + scores = key @ query.T

# %% mistake="fixed-number-of-axes: t" also="raises" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key.t()

# %% mistake="sum-normalized" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = scaled / scaled.sum(dim=-1, keepdim=True)

# %% mistake="softmax-unexpected" edits="one step a line"
# - context = weights @ value
# + weights = torch.softmax(weights, dim=-1)
# + context = weights @ value

# %% mistake="exponential-twice" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.softmax(torch.exp(scaled), dim=-1)

# %% mistake="unstable-softmax" also="not-finite" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + powers = torch.exp(scaled)
# + weights = powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="global-maximum" also="not-finite" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + powers = torch.exp(scaled - scaled.max())
# + weights = powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="keepdim-missing" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + powers = torch.exp(scaled - scaled.max(dim=-1, keepdim=True).values)
# + weights = powers / powers.sum(dim=-1)

# %% mistake="not-normalized" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.exp(scaled - scaled.max(dim=-1, keepdim=True).values)

# %% mistake="not-normalized: the largest not taken off" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.exp(scaled)

# %% mistake="softmax-over-all" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + powers = torch.exp(scaled - scaled.max())
# + weights = powers / powers.sum()

# %% mistake="hard-lookup" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = (scaled == scaled.max(dim=-1, keepdim=True).values).to(scaled.dtype)

# %% mistake="scale-after-softmax: of the context" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores
# - context = weights @ value
# + context = weights @ value / key.shape[-1] ** 0.5

# %% mistake="scale-by-tokens: len of the key" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / len(key) ** 0.5

# %% mistake="scale-by-tokens: without the root" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / scores.shape[-1]

# %% mistake="axis-from-front: of the key, for d_k" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[1] ** 0.5

# %% mistake="axis-from-front: of the query, for d_k" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / query.shape[1] ** 0.5

# %% mistake="scale-by-norm: of each key" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.norm(dim=-1)[..., None, :]

# %% mistake="scale-by-spread" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / scores.std()

# %% mistake="scale-by-spread: of each row" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / scores.std(dim=-1, keepdim=True)

# %% mistake="one-token-only" also="wrong-shape" edits="one step a line"
# - return context, weights
# + return context[..., 1, :], weights[..., 1, :]

# %% mistake="one-token-only: its context alone" also="wrong-shape" edits="one step a line"
# - return context, weights
# + return context[..., 1, :], weights


# %% mistake="fixed-number-of-axes: query by query" also="raises"
def attend_one(query_i, key, value):
    weights = torch.softmax(key @ query_i / key.shape[-1] ** 0.5, dim=0)
    return weights @ value, weights


def scaled_dot_product_attention(query, key, value):
    contexts, weights = zip(*(attend_one(query_i, key, value) for query_i in query))
    return torch.stack(contexts), torch.stack(weights)


# %% mistake="fixed-number-of-axes: a loop over the batch" also="raises"
def scaled_dot_product_attention(query, key, value):
    contexts, rows = [], []
    for q, k, v in zip(query, key, value):
        weights = torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1)
        contexts.append(weights @ v)
        rows.append(weights)
    return torch.stack(contexts), torch.stack(rows)


# %% mistake="rounded-down" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / int(key.shape[-1] ** 0.5), dim=-1)

# %% mistake="rounded-down: the scores" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores // key.shape[-1] ** 0.5, dim=-1)

# %% mistake="not-implemented" edits="textbook"
# - scores = query @ key.transpose(-2, -1)
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="not-defined" edits="textbook"
# - def scaled_dot_product_attention(query, key, value):
# + def scaled_dot_product(query, key, value):

# %% mistake="syntax-error" edits="textbook"
# - def scaled_dot_product_attention(query, key, value):
# + def scaled_dot_product_attention(query, key, value)

# %% mistake="raises: the helper has another name" edits="textbook"
# - scores = query @ key.transpose(-2, -1)
# + scores = scaled_score(query, key)

# %% mistake="raises: an array's softmax" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores.tolist(), dim=-1)

# %% mistake="wrong-type: nothing returned" edits="textbook"
# - return context, weights
# + context, weights

# %% mistake="wrong-type: only the context" edits="textbook"
# - return context, weights
# + return context

# %% mistake="wrong-type: three results" edits="textbook"
# - return context, weights
# + return context, weights, scores

# %% mistake="wrong-type: a dictionary" edits="textbook"
# - return context, weights
# + return {"context": context, "weights": weights}

# %% mistake="wrong-shape: a batch axis added" edits="textbook"
# - return context, weights
# + return context.unsqueeze(0), weights.unsqueeze(0)

# %% mistake="wrong-shape: squeezed" edits="textbook"
# - return context, weights
# + return context, weights.squeeze(-1)

# %% mistake="wrong-shape: summed over the queries" edits="textbook"
# - return context, weights
# + return context.sum(dim=-2), weights

# %% mistake="wrong-dtype" edits="textbook"
# - return context, weights
# + return context.double(), weights.double()

# %% mistake="wrong-dtype: bfloat16" edits="textbook"
# - return context, weights
# + return context.bfloat16(), weights

# %% mistake="not-finite" edits="textbook"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key.transpose(-2, -1)
# + scores = scores + torch.full_like(scores, -torch.inf)

# %% mistake="input-modified" edits="textbook"
# - scores = query @ key.transpose(-2, -1)
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + query /= key.shape[-1] ** 0.5
# + weights = torch.softmax(query @ key.transpose(-2, -1), dim=-1)

# %% mistake="input-modified: transposed in place" edits="textbook"
# - scores = query @ key.transpose(-2, -1)
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + d_k = key.shape[-1]
# + weights = torch.softmax(query @ key.transpose_(-2, -1) / d_k**0.5, dim=-1)

# %% mistake="no-gradient" edits="textbook"
# - return context, weights
# + return context.detach(), weights.detach()

# %% mistake="no-gradient: of the weights alone" edits="textbook"
# - return context, weights
# + return context, weights.detach()

# %% mistake="no-gradient: no_grad" edits="textbook"
# - scores = query @ key.transpose(-2, -1)
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + with torch.no_grad():
# +     scores = query @ key.transpose(-2, -1)
# +     weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)

# %% mistake="no-gradient: the keys are cut off" edits="textbook"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key.data.transpose(-2, -1)

# %% mistake="too-slow" edits="textbook"
# - context = weights @ value
# + context = weights @ value
# + while context is not None:
# +     context = weights @ value

# %% mistake="example-only" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / 2**0.5, dim=-1)

# %% mistake="example-only: a number of tokens" also="wrong-shape" edits="one query at a time"
# - pairs = [attend_one(query_i, key, value) for query_i in query]
# + pairs = [attend_one(query[i % len(query)], key, value) for i in range(6)]

# %% mistake="forbidden-call" edits="textbook"
# - context = weights @ value
# + context = F.scaled_dot_product_attention(query, key, value)

# %% mistake="forbidden-call: weights from it, too" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + attend = torch.nn.functional.scaled_dot_product_attention
# + weights = attend(query, key, torch.ones_like(scores[..., :1, :]).diag_embed().squeeze(-3))

# %% mistake="weights-unused" edits="one step a line"
# - context = weights @ value
# + context = torch.ones_like(weights) @ value / weights.shape[-1]

# %% mistake="unrecognized: half the context" edits="textbook"
# - return context, weights
# + return context / 2, weights

# %% mistake="unstable-softmax: the first score subtracted" also="not-finite" edits="softmax by hand"
# - scores = scores - scores.max(dim=-1, keepdim=True).values
# + scores = scores - scores[..., :1]

# %% mistake="unstable-softmax: the last score subtracted" also="not-finite" edits="softmax by hand"
# - scores = scores - scores.max(dim=-1, keepdim=True).values
# + scores = scores - scores[..., -1:]

# %% mistake="unstable-softmax: the mean subtracted" also="not-finite" edits="softmax by hand"
# - scores = scores - scores.max(dim=-1, keepdim=True).values
# + scores = scores - scores.mean(dim=-1, keepdim=True)

# %% mistake="layout-dependent: view" edits="batched products, softmax by hand"
# - q, k, v = (tensor.reshape(-1, *tensor.shape[-2:]) for tensor in (query, key, value))
# + q, k, v = (tensor.view(-1, *tensor.shape[-2:]) for tensor in (query, key, value))


# %% correct="filled into zeros"
def scaled_dot_product_attention(query, key, value):
    scores = query.new_zeros(*query.shape[:-1], key.shape[-2])
    for i in range(query.shape[-2]):
        for j in range(key.shape[-2]):
            scores[..., i, j] = (query[..., i, :] * key[..., j, :]).sum(dim=-1) / math.sqrt(key.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    context = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for i in range(query.shape[-2]):
        for j in range(key.shape[-2]):
            context[..., i, :] = context[..., i, :] + weights[..., i, j, None] * value[..., j, :]
    return context, weights


# %% correct="one small step a line"
def scaled_dot_product_attention(query, key, value):
    asked = key
    mixed = value
    scores = query @ asked.transpose(-2, -1)
    scaled = scores / key.shape[-1] ** 0.5
    visible = scaled
    shares = torch.softmax(visible, dim=-1)
    weights = shares
    mixing = weights
    product = mixing @ mixed
    context = product
    returned = weights
    return context, returned


# %% mistake="missing-scale: a step" edits="one small step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores

# %% mistake="scale-by-dk: a step" edits="one small step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1]

# %% mistake="scale-multiplied: a step" edits="one small step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores * key.shape[-1] ** 0.5

# %% mistake="scale-by-tokens: a step" edits="one small step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-2] ** 0.5

# %% mistake="scale-fixed: a step" edits="one small step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / 8

# %% mistake="scale-after-softmax: a step" edits="one small step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores
# - weights = shares
# + weights = shares / key.shape[-1] ** 0.5

# %% mistake="scale-after-softmax: once more, a step" edits="one small step a line"
# - weights = shares
# + weights = shares / key.shape[-1] ** 0.5

# %% mistake="scale-after-softmax: once more, of the context, a step" edits="one small step a line"
# - context = product
# + context = product / key.shape[-1] ** 0.5

# %% mistake="mask-unexpected: a step" edits="one small step a line"
# - visible = scaled
# + visible = scaled.masked_fill(torch.ones_like(scores).triu(diagonal=1).bool(), -torch.inf)

# %% mistake="softmax-wrong-axis: a step" edits="one small step a line"
# - shares = torch.softmax(visible, dim=-1)
# + shares = torch.softmax(visible, dim=-2)

# %% mistake="softmax-wrong-axis: the first, a step" edits="one small step a line"
# - shares = torch.softmax(visible, dim=-1)
# + shares = torch.softmax(visible, dim=0)

# %% mistake="axis-from-front: a step" edits="one small step a line"
# - shares = torch.softmax(visible, dim=-1)
# + shares = torch.softmax(visible, dim=1)

# %% mistake="softmax-over-all: a step" edits="one small step a line"
# - shares = torch.softmax(visible, dim=-1)
# + shares = torch.softmax(visible.flatten(-2), dim=-1).view_as(visible)

# %% mistake="sum-normalized: a step" edits="one small step a line"
# - shares = torch.softmax(visible, dim=-1)
# + shares = visible / visible.sum(dim=-1, keepdim=True)

# %% mistake="unstable-softmax: a step" also="not-finite" edits="one small step a line"
# - shares = torch.softmax(visible, dim=-1)
# + powers = torch.exp(visible)
# + shares = powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="keepdim-missing: a step" edits="one small step a line"
# - shares = torch.softmax(visible, dim=-1)
# + powers = torch.exp(visible - visible.amax(dim=-1, keepdim=True))
# + shares = powers / powers.sum(dim=-1)

# %% mistake="hard-lookup: the first of equals, a step" edits="one small step a line"
# - shares = torch.softmax(visible, dim=-1)
# + shares = F.one_hot(visible.argmax(dim=-1), visible.shape[-1]).to(visible.dtype)

# %% mistake="not-normalized: a step" edits="one small step a line"
# - shares = torch.softmax(visible, dim=-1)
# + shares = torch.exp(visible)

# %% mistake="exponential-turned: a step" edits="one small step a line"
# - shares = torch.softmax(visible, dim=-1)
# + shares = torch.softmax(-visible, dim=-1)

# %% mistake="scores-clamped: a step" edits="one small step a line"
# - shares = torch.softmax(visible, dim=-1)
# + powers = torch.exp(visible.clamp(-80, 80))
# + shares = powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="softmax-unexpected: a step" edits="one small step a line"
# - weights = shares
# + weights = torch.softmax(shares, dim=-1)

# %% mistake="renormalized-wrong-axis: a step" edits="one small step a line"
# - weights = shares
# + weights = shares / shares.sum(dim=-2, keepdim=True)

# %% mistake="small-dropped: below 0.05, a step" edits="one small step a line"
# - weights = shares
# + weights = shares.masked_fill(shares < 0.05, 0)

# %% mistake="small-dropped: below 0.1, a step" edits="one small step a line"
# - weights = shares
# + weights = shares.masked_fill(shares < 0.1, 0)

# %% mistake="rounded: the weights, a step" edits="one small step a line"
# - weights = shares
# + weights = shares.round(decimals=4)

# %% mistake="rounded: what is returned, a step" edits="one small step a line"
# - returned = weights
# + returned = weights.round(decimals=4)

# %% mistake="rounded: three digits, a step" edits="one small step a line"
# - returned = weights
# + returned = weights.round(decimals=3)

# %% mistake="weights-transposed: a step" edits="one small step a line"
# - mixing = weights
# + mixing = weights.transpose(-2, -1)

# %% mistake="no-softmax: in the mixture alone, a step" edits="one small step a line"
# - mixing = weights
# + mixing = visible

# %% mistake="shared-projection: the keys are mixed, a step" edits="one small step a line"
# - mixed = value
# + mixed = key

# %% mistake="shared-projection: the values are asked, a step" edits="one small step a line"
# - asked = key
# + asked = value

# %% mistake="values-transposed: a step" also="raises" edits="one small step a line"
# - product = mixing @ mixed
# + product = mixing @ mixed.transpose(-2, -1)

# %% mistake="last-left-out: of the mixture, a step" edits="one small step a line"
# - product = mixing @ mixed
# + product = mixing[..., :-1] @ mixed[..., :-1, :]

# %% mistake="first-left-out: of the mixture, a step" edits="one small step a line"
# - product = mixing @ mixed
# + product = mixing[..., 1:] @ mixed[..., 1:, :]

# %% mistake="mean-not-sum: a step" edits="one small step a line"
# - context = product
# + context = product / key.shape[-2]

# %% mistake="softmax-unexpected: on the context, a step" edits="one small step a line"
# - context = product
# + context = torch.softmax(product, dim=-1)

# %% mistake="returns-scores: scaled, a step" edits="one small step a line"
# - returned = weights
# + returned = scaled

# %% mistake="returns-other-weights: transposed, a step" edits="one small step a line"
# - returned = weights
# + returned = weights.transpose(-2, -1)

# %% mistake="results-exchanged: a step" also="wrong-shape" edits="one small step a line"
# - return context, returned
# + return returned, context

# %% mistake="result-transposed: a step" also="wrong-shape" edits="one small step a line"
# - return context, returned
# + return context.transpose(-2, -1), returned

# %% mistake="query-key-swapped: a step" edits="one small step a line"
# - scores = query @ asked.transpose(-2, -1)
# + scores = asked @ query.transpose(-2, -1)

# %% mistake="key-not-transposed: a step" also="raises" edits="one small step a line"
# - scores = query @ asked.transpose(-2, -1)
# + scores = query @ asked

# %% mistake="leading-axes-transposed: T, a step" also="raises" edits="one small step a line"
# - scores = query @ asked.transpose(-2, -1)
# + scores = query @ asked.T

# %% mistake="leading-axes-transposed: 0 and 1, a step" also="raises" edits="one small step a line"
# - scores = query @ asked.transpose(-2, -1)
# + scores = query @ asked.transpose(0, 1)

# %% mistake="small-dropped: below 0.01, a step" edits="one small step a line"
# - weights = shares
# + weights = shares.masked_fill(shares < 0.01, 0)

# %% mistake="global-maximum: a step" also="not-finite" edits="one small step a line"
# - shares = torch.softmax(visible, dim=-1)
# + powers = torch.exp(visible - visible.max())
# + shares = powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="scale-by-tokens: beside the root" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / key.shape[-2] ** 0.5

# %% mistake="scale-by-tokens: beside the root, of the queries" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / query.shape[-2] ** 0.5

# %% mistake="scale-by-tokens: beside the root, len of the key" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / len(key) ** 0.5

# %% mistake="scale-by-tokens: beside the root, without the root" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / scores.shape[-1]

# %% mistake="scale-by-norm: beside the root, of each key" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / key.norm(dim=-1)[..., None, :]

# %% mistake="scale-by-spread: beside the root" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / scores.std()

# %% mistake="scale-by-spread: beside the root, of each row" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / scores.std(dim=-1, keepdim=True)

# %% mistake="scale-by-tokens: beside the root, a step" edits="one small step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / key.shape[-2] ** 0.5

# %% mistake="scale-by-norm: of directions, beside the root" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + lengths = query.norm(dim=-1)[..., :, None] * key.norm(dim=-1)[..., None, :]
# + scaled = scores / key.shape[-1] ** 0.5 / lengths

# %% mistake="elementwise-product: the values at the end" also="raises" edits="textbook"
# - context = weights @ value
# + context = weights * value
