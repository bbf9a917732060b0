# %% setup
import math

import torch

# %% correct="mine"
def soft_lookup(query, keys, values):
    scores = keys @ query
    weights = torch.softmax(scores, dim=0)
    return weights @ values

# %% correct="a running maximum from the first entry on"
def soft_lookup(query, keys, values):
    largest = keys[0] @ query
    total, mixed = 1.0, values[0]
    for key, value in zip(keys[1:], values[1:]):
        score = key @ query
        new = torch.maximum(largest, score)
        kept, share = torch.exp(largest - new), torch.exp(score - new)
        total = total * kept + share
        mixed = mixed * kept + share * value
        largest = new
    return mixed / total

# %% mistake="no-softmax" edits="mine"
# - weights = torch.softmax(scores, dim=0)
# - return weights @ values
# + return scores @ values

# %% mistake="sum-normalized" edits="mine"
# - weights = torch.softmax(scores, dim=0)
# + weights = scores / scores.sum()

# %% mistake="unstable-softmax" edits="mine"
# - weights = torch.softmax(scores, dim=0)
# + weights = scores.exp() / scores.exp().sum()

# %% mistake="elementwise-product: not added up" edits="mine"
# - return weights @ values
# + return weights[:, None] * values

# %% mistake="hard-lookup" edits="mine"
# - weights = torch.softmax(scores, dim=0)
# - return weights @ values
# + return values[torch.argmax(scores)]

# %% mistake="argument-replaced: the keys are mixed" edits="mine"
# - return weights @ values
# + return weights @ keys

# %% mistake="mean-not-sum" edits="mine"
# - return weights @ values
# + return (weights[:, None] * values).mean(dim=0)

# %% mistake="values-transposed: weights beside the features" edits="mine"
# - return weights @ values
# + return (weights * values).sum(dim=0)

# %% mistake="summed-wrong-axis" edits="mine"
# - return weights @ values
# + return (weights[:, None] * values).sum(dim=1)

# %% mistake="entries-skipped: three written out" edits="mine"
# - return weights @ values
# + return weights[0] * values[0] + weights[1] * values[1] + weights[2] * values[2]

# %% mistake="scale-unexpected" edits="mine"
# - scores = keys @ query
# + scores = keys @ query / len(query) ** 0.5

# %% mistake="raises: plain numbers meet float64"
def soft_lookup(query, keys, values):
    scores = torch.tensor([float(query @ key) for key in keys])
    weights = torch.softmax(scores, dim=0)
    return weights @ values

# %% mistake="wrong-shape: a row"
def soft_lookup(query, keys, values):
    query = query[None, :]
    weights = torch.softmax(query @ keys.T, dim=1)
    return weights @ values

# %% mistake="weights-unused: over the one row" never="two mistakes"
def soft_lookup(query, keys, values):
    scores = query.reshape(1, -1) @ keys.T
    weights = torch.softmax(scores, dim=0)
    return (weights @ values)[0]

# %% mistake="unstable-softmax: nothing but softmax's own formula, in a loop"
def soft_lookup(query, keys, values):
    total, result = 0, 0
    for key, value in zip(keys, values):
        share = torch.exp(query @ key)
        total = total + share
        result = result + share * value
    return result / total

# %% mistake="not-normalized: in a loop"
def soft_lookup(query, keys, values):
    result = torch.zeros(values.shape[1])
    for key, value in zip(keys, values):
        result = result + torch.exp(query @ key) * value
    return result

# %% mistake="first-round-only: return inside the loop"
def soft_lookup(query, keys, values):
    weights = torch.softmax(keys @ query, dim=0)
    result = torch.zeros(values.shape[1])
    for weight, value in zip(weights, values):
        result = result + weight * value
        return result

# %% mistake="last-round-only: overwritten in the loop"
def soft_lookup(query, keys, values):
    weights = torch.softmax(keys @ query, dim=0)
    for weight, value in zip(weights, values):
        result = weight * value
    return result

# %% mistake="first-left-out: the loop starts at 1"
def soft_lookup(query, keys, values):
    weights = torch.softmax(keys @ query, dim=0)
    result = torch.zeros(values.shape[1])
    for i in range(1, len(values)):
        result = result + weights[i] * values[i]
    return result

# %% mistake="exponential-turned: exp(-x)" also="unstable-softmax"
def soft_lookup(query, keys, values):
    powers = torch.exp(-(keys @ query))
    return powers @ values / powers.sum()

# %% mistake="scale-unexpected: and no softmax" also="no-softmax"
def soft_lookup(query, keys, values):
    shares = torch.stack([query @ key for key in keys]) / query.shape[0] ** 0.5
    return torch.einsum("n,nv->v", shares, values)

# %% mistake="not-normalized: a scale, and the exponentials not divided" also="scale-unexpected"
def soft_lookup(query, keys, values):
    powers = torch.stack([query @ key for key in keys]).div(query.shape[0]).exp()
    return torch.einsum("n,nv->v", powers, values)

# %% mistake="cosine-similarity: and a mean" also="mean-not-sum"
def soft_lookup(query, keys, values):
    unit = keys / keys.norm(dim=1, keepdim=True)
    scores = unit @ (query / query.norm())
    return (torch.softmax(scores, dim=-1).unsqueeze(-1) * values).mean(dim=0)

# %% mistake="scale-unexpected: and a softmax too many" also="softmax-unexpected"
def soft_lookup(query, keys, values):
    shares = (keys @ query / len(query) ** 0.5).softmax(0)
    return shares.softmax(0) @ values

# %% mistake="sum-normalized: and the keys mixed" also="argument-replaced"
def soft_lookup(query, keys, values):
    scores = keys @ query
    shares = scores / scores.sum()
    return shares @ keys

# %% mistake="no-softmax: and the last left out" also="last-left-out"
def soft_lookup(query, keys, values):
    result = values.new_zeros(values.shape[1])
    for i in range(len(keys) - 1):
        result = result + torch.dot(query, keys[i]) * values[i]
    return result

# %% mistake="not-normalized: and the last left out" also="last-left-out" never="row sums"
def soft_lookup(query, keys, values):
    result = torch.zeros(values.shape[1])
    for i in range(len(keys) - 1):
        result = result + torch.exp(torch.dot(query, keys[i])) * values[i]
    return result

# %% mistake="sum-normalized: and the last left out" also="last-left-out"
def soft_lookup(query, keys, values):
    scores = keys @ query
    weights = scores / scores.sum()
    result = values.new_zeros(values.shape[1])
    for i in range(len(keys) - 1):
        result = result + weights[i] * values[i]
    return result

# %% mistake="scale-unexpected: and a mean" also="mean-not-sum" edits="mine"
# - scores = keys @ query
# + scores = keys @ query / len(query) ** 0.5
# - return weights @ values
# + return torch.stack([weights[i] * values[i] for i in range(len(values))]).mean(dim=0)

# %% mistake="scale-unexpected: and the keys mixed" also="argument-replaced" edits="mine"
# - scores = keys @ query
# + scores = keys @ query / len(query) ** 0.5
# - return weights @ values
# + return weights @ keys

# %% mistake="running-sum: the total grows in the loop"
def soft_lookup(query, keys, values):
    scores = torch.stack([torch.dot(query, key) for key in keys])
    powers = torch.exp(scores - scores.max())
    total, result = 0, 0
    for i in range(len(keys)):
        total = total + powers[i]
        result = result + powers[i] / total * values[i]
    return result

# %% mistake="weights-unused: each score has a softmax of its own"
def soft_lookup(query, keys, values):
    result = 0
    for i in range(len(keys)):
        result = result + torch.softmax(torch.dot(query, keys[i]), dim=0) * values[i]
    return result

# %% mistake="weights-unused: a mean" never="Every token" edits="mine"
# - return weights @ values
# + return values.mean(dim=0)

# %% mistake="rounded-down: of the weights" edits="mine"
# - return weights @ values
# + return torch.round(weights, decimals=4) @ values

# %% mistake="rough-e: 2.72" edits="mine"
# - weights = torch.softmax(scores, dim=0)
# + powers = 2.72 ** (scores - scores.max())
# + weights = powers / powers.sum()

# %% mistake="raises: math.exp of large scores" says="larger than a float" edits="mine"
# - weights = torch.softmax(scores, dim=0)
# - return weights @ values
# + powers = [math.exp(score) for score in scores]
# + result = torch.zeros(values.shape[1])
# + for i in range(len(keys)):
# +     result += powers[i] / sum(powers) * values[i]
# + return result

# %% mistake="raises: keys first" edits="mine"
# - def soft_lookup(query, keys, values):
# + def soft_lookup(keys, query, values):

# %% mistake="unrecognized: times the number of values" edits="mine"
# - return weights @ values
# + return (weights @ values) * len(values)

# %% mistake="input-modified: each value times its weight" edits="mine"
# - return weights @ values
# + for i in range(len(values)):
# +     values[i] *= weights[i]
# + return values.sum(dim=0)

# %% mistake="no-gradient: the sum divided in place" edits="mine"
# - weights = torch.softmax(scores, dim=0)
# + weights = torch.exp(scores - scores.max())
# + weights /= weights.sum()

# %% mistake="softmax-too-early: of the products" never="along another axis"
def soft_lookup(query, keys, values):
    p = torch.softmax(keys * query, dim=0)
    return p.sum(dim=1) @ values

# %% mistake="residual-added: from the first value on"
def soft_lookup(query, keys, values):
    w = torch.softmax(keys @ query, dim=0)
    r = values[0]
    for i in range(len(w)):
        r = r + w[i] * values[i]
    return r

# %% mistake="counted-twice: the first part"
def soft_lookup(query, keys, values):
    w = torch.softmax(keys @ query, dim=0)
    r = w[0] * values[0]
    for i in range(len(w)):
        r = r + w[i] * values[i]
    return r

# %% mistake="unstable-softmax: and the last is missing" also="last-left-out"
def soft_lookup(query, keys, values):
    e = torch.exp(keys @ query)
    w = e / e.sum()
    r = 0
    for i in range(len(w) - 1):
        r = r + w[i] * values[i]
    return r

# %% mistake="distance-compared: squared"
def soft_lookup(query, keys, values):
    scores = torch.stack([((query - key) ** 2).sum() for key in keys])
    shares = torch.softmax(scores, dim=0)
    return shares @ values

# %% mistake="softmax-unexpected: of the values" edits="mine"
# - return weights @ values
# + return weights @ torch.softmax(values, dim=0)

# %% mistake="places-shifted: the weight before"
def soft_lookup(query, keys, values):
    w = torch.softmax(keys @ query, dim=0)
    r = torch.zeros(values.shape[1])
    for i in range(len(w)):
        r = r + w[i - 1] * values[i]
    return r

# %% mistake="places-shifted: from 1 on"
def soft_lookup(query, keys, values):
    w = torch.softmax(keys @ query, dim=0)
    r = torch.zeros(values.shape[1])
    for i in range(1, len(w)):
        r = r + w[i - 1] * values[i]
    return r

# %% mistake="all-added-up: without an axis" edits="mine"
# - return weights @ values
# + return (weights[:, None] * values).sum()

# %% mistake="weights-unused: the plain sum" never="softmax runs along|two mistakes" edits="mine"
# - return weights @ values
# + return values.sum(dim=0)
