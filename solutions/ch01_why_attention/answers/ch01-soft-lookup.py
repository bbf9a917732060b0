# %% setup
import math

import numpy as np
import torch
import torch.nn.functional as F


# %% correct="textbook"
def soft_lookup(query, keys, values):
    scores = keys @ query
    weights = torch.softmax(scores, dim=-1)
    result = weights @ values
    return result


# %% correct="query first"
def soft_lookup(query, keys, values):
    weights = F.softmax(query @ keys.T, dim=0)
    return values.T @ weights


# %% correct="einsum"
def soft_lookup(query, keys, values):
    weights = torch.einsum("d,nd->n", query, keys).softmax(dim=0)
    return torch.einsum("n,nv->v", weights, values)


# %% correct="key by key"
def soft_lookup(query, keys, values):
    scores = torch.stack([torch.dot(query, key) for key in keys])
    weights = torch.softmax(scores, dim=0)
    result = torch.zeros_like(values[0])
    for weight, value in zip(weights, values):
        result = result + weight * value
    return result


# %% correct="a softmax by hand"
def soft_lookup(query, keys, values):
    scores = (keys * query).sum(dim=1)
    powers = torch.exp(scores - scores.max())
    return (powers.unsqueeze(1) * values).sum(dim=0) / powers.sum()


# %% correct="matrices of one row"
def soft_lookup(query, keys, values):
    scores = query.unsqueeze(0) @ keys.T
    return (scores.softmax(dim=-1) @ values).squeeze(0)


# %% correct="one feature of the value at a time"
def soft_lookup(query, keys, values):
    weights = torch.softmax(torch.mv(keys, query), 0)
    return torch.stack([torch.dot(weights, column) for column in values.T])


# %% correct="prints what it does" edits="textbook"
# - return result
# + print(weights)
# + return result

# %% correct="logarithm of the sum" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.exp(scores - torch.logsumexp(scores, dim=-1))


# %% correct="a running maximum"
def soft_lookup(query, keys, values):
    largest, total, mixture = torch.tensor(-torch.inf), 0.0, 0.0
    for key, value in zip(keys, values):
        score = key @ query
        before, largest = largest, torch.maximum(largest.to(score), score)
        kept, power = torch.exp(before - largest), torch.exp(score - largest)
        total, mixture = total * kept + power, mixture * kept + power * value
    return mixture / total


# %% mistake="no-softmax" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = scores

# %% mistake="sum-normalized" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = scores / scores.sum()

# %% mistake="sum-normalized: absolute values" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = scores / scores.abs().sum()

# %% mistake="unstable-softmax" also="not-finite" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.exp(scores) / torch.exp(scores).sum()

# %% mistake="not-normalized" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.exp(scores)

# %% mistake="log-softmax" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.log_softmax(scores, dim=-1)

# %% mistake="softmax-unexpected" edits="textbook"
# - result = weights @ values
# + result = torch.softmax(weights, dim=-1) @ values

# %% mistake="softmax-unexpected: on the result" edits="textbook"
# - return result
# + return torch.softmax(result, dim=-1)

# %% mistake="softmax-unexpected: on the result alone" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# - result = weights @ values
# + result = torch.softmax(scores @ values, dim=-1)

# %% mistake="weights-unused: a softmax over one row" edits="matrices of one row"
# - return (scores.softmax(dim=-1) @ values).squeeze(0)
# + return (scores.softmax(dim=0) @ values).squeeze(0)


# %% mistake="softmax-too-early"
def soft_lookup(query, keys, values):
    weights = torch.softmax(keys * query, dim=0).sum(dim=1)
    return weights @ values


# %% mistake="exponential-turned: the worst key wins" edits="a softmax by hand"
# - powers = torch.exp(scores - scores.max())
# + powers = torch.exp(scores.max() - scores)

# %% mistake="hard-lookup" edits="textbook"
# - result = weights @ values
# + result = values[weights.argmax()]

# %% mistake="hard-lookup: one-hot weights" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = (scores == scores.max()).to(values)

# %% mistake="weights-unused" edits="textbook"
# - result = weights @ values
# + result = values.mean(dim=0)

# %% mistake="weights-unused: a plain sum" edits="textbook"
# - result = weights @ values
# + result = values.sum(dim=0)

# %% mistake="mean-not-sum" edits="textbook"
# - result = weights @ values
# + result = (weights.unsqueeze(1) * values).mean(dim=0)

# %% mistake="elementwise-product" also="wrong-shape" edits="textbook"
# - result = weights @ values
# + result = weights.unsqueeze(1) * values

# %% mistake="summed-wrong-axis" also="wrong-shape" edits="textbook"
# - result = weights @ values
# + result = (weights.unsqueeze(1) * values).sum(dim=1)

# %% mistake="entries-skipped: three shares written out" edits="textbook"
# - result = weights @ values
# + result = weights[0] * values[0] + weights[1] * values[1] + weights[2] * values[2]

# %% mistake="entries-skipped: three rounds" edits="textbook"
# - scores = keys @ query
# - weights = torch.softmax(scores, dim=-1)
# - result = weights @ values
# + scores = torch.stack([torch.dot(query, keys[i]) for i in range(3)])
# + weights = torch.softmax(scores, dim=-1)
# + result = sum(weights[i] * values[i] for i in range(3))

# %% mistake="entries-skipped: the first three" edits="textbook"
# - scores = keys @ query
# - weights = torch.softmax(scores, dim=-1)
# - result = weights @ values
# + scores = keys[:3] @ query
# + weights = torch.softmax(scores, dim=-1)
# + result = weights @ values[:3]

# %% mistake="entries-skipped: the first three shares" edits="textbook"
# - result = weights @ values
# + result = weights[:3] @ values[:3]

# %% mistake="entries-skipped: as many as features" edits="textbook"
# - result = weights @ values
# + result = sum(weights[i] * values[i] for i in range(len(query)))

# %% mistake="returns-weights" also="wrong-shape" edits="textbook"
# - return result
# + return weights

# %% mistake="returns-scores" also="wrong-shape" edits="textbook"
# - return result
# + return scores

# %% mistake="key-value-swapped" also="raises" edits="textbook"
# - scores = keys @ query
# - weights = torch.softmax(scores, dim=-1)
# - result = weights @ values
# + scores = values @ query
# + weights = torch.softmax(scores, dim=-1)
# + result = weights @ keys

# %% mistake="key-value-swapped: the arguments" also="raises" edits="textbook"
# - def soft_lookup(query, keys, values):
# + def soft_lookup(query, values, keys):

# %% mistake="argument-replaced: the keys are mixed" also="wrong-shape" edits="textbook"
# - result = weights @ values
# + result = weights @ keys

# %% mistake="argument-replaced: the values are compared" also="raises" edits="textbook"
# - scores = keys @ query
# + scores = values @ query

# %% mistake="key-not-transposed" also="raises" edits="textbook"
# - scores = keys @ query
# + scores = query @ keys

# %% mistake="key-not-transposed: turned for nothing" also="raises" edits="textbook"
# - scores = keys @ query
# + scores = keys.T @ query

# %% mistake="values-transposed" also="raises" edits="textbook"
# - result = weights @ values
# + result = values @ weights

# %% mistake="values-transposed: weights beside the features" also="raises" edits="textbook"
# - result = weights @ values
# + result = (weights * values).sum(dim=0)

# %% mistake="values-transposed: weights beside the features, nothing summed" also="raises" edits="textbook"
# - result = weights @ values
# + result = weights * values

# %% mistake="reshape-not-transpose" edits="query first"
# - weights = F.softmax(query @ keys.T, dim=0)
# + weights = F.softmax(query @ keys.reshape(len(query), -1), dim=0)

# %% mistake="cosine-similarity" edits="textbook"
# - scores = keys @ query
# + scores = F.cosine_similarity(keys, query.unsqueeze(0), dim=1)

# %% mistake="cosine-similarity: the keys alone" edits="textbook"
# - scores = keys @ query
# + scores = F.normalize(keys, dim=1) @ query

# %% mistake="cosine-similarity: the query alone" edits="textbook"
# - scores = keys @ query
# + scores = keys @ (query / query.norm())

# %% mistake="scale-unexpected" edits="textbook"
# - scores = keys @ query
# + scores = keys @ query / keys.shape[1] ** 0.5

# %% mistake="scale-unexpected: by the length" edits="textbook"
# - scores = keys @ query
# + scores = keys @ query / keys.shape[1]

# %% mistake="scale-unexpected: by the number of keys" edits="textbook"
# - scores = keys @ query
# + scores = keys @ query / len(keys)

# %% mistake="scale-unexpected: a mean of products" edits="textbook"
# - scores = keys @ query
# + scores = (keys * query).mean(dim=1)

# %% mistake="distance-compared" edits="textbook"
# - scores = keys @ query
# + scores = -(keys - query).norm(dim=1)

# %% mistake="distance-compared: the largest wins" edits="textbook"
# - scores = keys @ query
# + scores = (keys - query).norm(dim=1)

# %% mistake="distance-compared: squared" edits="textbook"
# - scores = keys @ query
# + scores = -(keys - query).square().sum(dim=1)

# %% mistake="signs-dropped" edits="textbook"
# - scores = keys @ query
# + scores = (keys @ query).abs()

# %% mistake="scores-clamped" edits="textbook"
# - scores = keys @ query
# + scores = (keys @ query).clamp(-80, 80)

# %% mistake="not-implemented" edits="textbook"
# - scores = keys @ query
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="raises: a dot product of a matrix" edits="textbook"
# - scores = keys @ query
# + scores = torch.dot(query, keys)

# %% mistake="raises: looked up by the share" edits="textbook"
# - result = weights @ values
# + result = values[weights]

# %% mistake="wrong-type" edits="textbook"
# - return result
# + print(result)

# %% mistake="wrong-type: both" edits="textbook"
# - return result
# + return result, weights

# %% mistake="wrong-shape: a row" edits="matrices of one row"
# - return (scores.softmax(dim=-1) @ values).squeeze(0)
# + return scores.softmax(dim=-1) @ values

# %% mistake="wrong-shape: every axis of size 1 squeezed" edits="matrices of one row"
# - return (scores.softmax(dim=-1) @ values).squeeze(0)
# + return (scores.softmax(dim=-1) @ values).squeeze()

# %% mistake="all-added-up" also="wrong-shape" edits="textbook"
# - return result
# + return result.sum()

# %% mistake="wrong-dtype" edits="textbook"
# - return result
# + return result.double()

# %% mistake="wrong-device" on="device" edits="textbook"
# - return result
# + return result.cpu()

# %% mistake="input-modified" edits="textbook"
# - result = weights @ values
# + values *= weights.unsqueeze(1)
# + result = values.sum(dim=0)

# %% mistake="input-modified: the query" edits="textbook"
# - scores = keys @ query
# + query *= 2
# + scores = keys @ query / 2

# %% mistake="no-gradient" edits="textbook"
# - return result
# + return result.detach()

# %% mistake="no-gradient: the weights as numbers" edits="key by key"
# - result = result + weight * value
# + result = result + weight.item() * value

# %% mistake="no-gradient: through NumPy" edits="textbook"
# - result = weights @ values
# + result = torch.from_numpy(np.dot(weights.numpy(), values.numpy()))


# %% mistake="forbidden-call"
def soft_lookup(query, keys, values):
    mixed = F.scaled_dot_product_attention(query[None, None], keys[None], values[None], scale=1.0)
    return mixed[0, 0]


# %% mistake="unrecognized: the best key left out" edits="textbook"
# - scores = keys @ query
# + scores = keys @ query
# + scores = torch.where(scores == scores.max(), scores - 1, scores)

# %% mistake="unrecognized: the query added" edits="textbook"
# - scores = keys @ query
# + scores = (keys + query).sum(dim=1)

# %% mistake="squashed-alone" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.sigmoid(scores)

# %% mistake="unstable-softmax: the first score subtracted" also="not-finite" edits="a softmax by hand"
# - powers = torch.exp(scores - scores.max())
# + powers = torch.exp(scores - scores[0])

# %% mistake="unstable-softmax: the last score subtracted" also="not-finite" edits="a softmax by hand"
# - powers = torch.exp(scores - scores.max())
# + powers = torch.exp(scores - scores[-1])

# %% mistake="unstable-softmax: the mean subtracted" also="not-finite" edits="a softmax by hand"
# - powers = torch.exp(scores - scores.max())
# + powers = torch.exp(scores - scores.mean())

# %% mistake="unstable-softmax: nothing subtracted, in float64" also="not-finite" edits="a softmax by hand"
# - powers = torch.exp(scores - scores.max())
# + powers = torch.exp(scores.double()).to(scores.dtype)


# %% correct="one step a line"
def soft_lookup(query, keys, values):
    scores = keys @ query
    scaled = scores
    weights = torch.softmax(scaled, dim=-1)
    parts = weights.unsqueeze(-1) * values
    result = parts.sum(dim=0)
    return result


# %% mistake="scale-unexpected: step by step" edits="one step a line"
# - scaled = scores
# + scaled = scores / len(query) ** 0.5

# %% mistake="scale-unexpected: by the length, step by step" edits="one step a line"
# - scaled = scores
# + scaled = scores / len(query)

# %% mistake="no-softmax: step by step" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = scaled

# %% mistake="sum-normalized: step by step" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = scaled / scaled.sum()

# %% mistake="not-normalized: step by step" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.exp(scaled)

# %% mistake="softmax-unexpected: step by step" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.softmax(torch.softmax(scaled, dim=-1), dim=-1)

# %% mistake="cosine-similarity: step by step" edits="one step a line"
# - scores = keys @ query
# + scores = F.normalize(keys, dim=1) @ F.normalize(query, dim=0)

# %% mistake="cosine-similarity: the keys alone, step by step" edits="one step a line"
# - scores = keys @ query
# + scores = F.normalize(keys, dim=1) @ query

# %% mistake="distance-compared: step by step" edits="one step a line"
# - scores = keys @ query
# + scores = -(keys - query).norm(dim=1)

# %% mistake="key-not-transposed: step by step" also="raises" edits="one step a line"
# - scores = keys @ query
# + scores = query @ keys

# %% mistake="argument-replaced: the keys are mixed, step by step" also="wrong-shape" edits="one step a line"
# - parts = weights.unsqueeze(-1) * values
# + parts = weights.unsqueeze(-1) * keys

# %% mistake="argument-replaced: the values are compared, step by step" also="raises" edits="one step a line"
# - scores = keys @ query
# + scores = values @ query

# %% mistake="mean-not-sum: step by step" edits="one step a line"
# - result = parts.sum(dim=0)
# + result = parts.mean(dim=0)

# %% mistake="elementwise-product: step by step" also="wrong-shape" edits="one step a line"
# - result = parts.sum(dim=0)
# + result = parts

# %% mistake="summed-wrong-axis: step by step" also="wrong-shape" edits="one step a line"
# - result = parts.sum(dim=0)
# + result = parts.sum(dim=-1)

# %% mistake="values-transposed: step by step" also="raises" edits="one step a line"
# - parts = weights.unsqueeze(-1) * values
# + parts = weights * values

# %% mistake="hard-lookup: step by step" edits="one step a line"
# - parts = weights.unsqueeze(-1) * values
# + parts = (weights == weights.max()).to(values).unsqueeze(-1) * values

# %% mistake="entries-skipped: step by step" edits="one step a line"
# - result = parts.sum(dim=0)
# + result = parts[:3].sum(dim=0)

# %% mistake="signs-dropped: step by step" edits="one step a line"
# - scaled = scores
# + scaled = scores.abs()

# %% mistake="last-left-out: step by step" edits="one step a line"
# - result = parts.sum(dim=0)
# + result = parts[:-1].sum(dim=0)

# %% mistake="first-left-out: step by step" edits="one step a line"
# - result = parts.sum(dim=0)
# + result = parts[1:].sum(dim=0)

# %% mistake="last-round-only: step by step" edits="one step a line"
# - result = parts.sum(dim=0)
# + result = parts[-1]

# %% mistake="first-round-only: step by step" edits="one step a line"
# - result = parts.sum(dim=0)
# + result = parts[0]

# %% mistake="unstable-softmax: math.exp, in a loop" also="raises" edits="a softmax by hand"
# - powers = torch.exp(scores - scores.max())
# + powers = torch.tensor([math.exp(score) for score in scores]).to(values)


# %% mistake="running-sum"
def soft_lookup(query, keys, values):
    scores = keys @ query
    powers = torch.exp(scores - scores.max())
    total, result = 0.0, torch.zeros_like(values[0])
    for power, value in zip(powers, values):
        total = total + power
        result = result + power / total * value
    return result


# %% mistake="running-sum: and unstable" also="unstable-softmax"
def soft_lookup(query, keys, values):
    total, result = 0.0, torch.zeros_like(values[0])
    for key, value in zip(keys, values):
        power = torch.exp(query @ key)
        total = total + power
        result = result + power / total * value
    return result


# %% mistake="rounded-down: the weights, to four digits" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.round(torch.softmax(scaled, dim=-1), decimals=4)

# %% mistake="rounded-down: the weights, to two digits" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.round(torch.softmax(scaled, dim=-1), decimals=2)

# %% mistake="exponential-turned: step by step" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.softmax(-scaled, dim=-1)

# %% mistake="exponential-turned: and unstable" also="unstable-softmax" edits="a softmax by hand"
# - powers = torch.exp(scores - scores.max())
# + powers = torch.exp(-scores)

# %% mistake="sum-normalized: the sum's absolute value" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = scores / scores.sum().abs()

# %% mistake="rough-e: 2" edits="a softmax by hand"
# - powers = torch.exp(scores - scores.max())
# + powers = 2 ** (scores - scores.max())

# %% mistake="rough-e: 2, and unstable" also="unstable-softmax" edits="a softmax by hand"
# - powers = torch.exp(scores - scores.max())
# + powers = 2 ** scores

# %% mistake="rough-e: 2.7" edits="a softmax by hand"
# - powers = torch.exp(scores - scores.max())
# + powers = 2.7 ** (scores - scores.max())

# %% mistake="rough-e: 2.7, and unstable" also="unstable-softmax" edits="a softmax by hand"
# - powers = torch.exp(scores - scores.max())
# + powers = 2.7 ** scores

# %% mistake="rough-e: 2.71" edits="a softmax by hand"
# - powers = torch.exp(scores - scores.max())
# + powers = 2.71 ** (scores - scores.max())

# %% mistake="rough-e: 2.71, and unstable" also="unstable-softmax" edits="a softmax by hand"
# - powers = torch.exp(scores - scores.max())
# + powers = 2.71 ** scores

# %% mistake="rough-e: 2.72" edits="a softmax by hand"
# - powers = torch.exp(scores - scores.max())
# + powers = 2.72 ** (scores - scores.max())

# %% mistake="rough-e: 2.72, and unstable" also="unstable-softmax" edits="a softmax by hand"
# - powers = torch.exp(scores - scores.max())
# + powers = 2.72 ** scores

# %% mistake="rough-e: 3" edits="a softmax by hand"
# - powers = torch.exp(scores - scores.max())
# + powers = 3 ** (scores - scores.max())

# %% mistake="rough-e: 3, and unstable" also="unstable-softmax" edits="a softmax by hand"
# - powers = torch.exp(scores - scores.max())
# + powers = 3 ** scores

# %% mistake="rough-e: 10" edits="a softmax by hand"
# - powers = torch.exp(scores - scores.max())
# + powers = 10 ** (scores - scores.max())

# %% mistake="rough-e: 10, and unstable" also="unstable-softmax" edits="a softmax by hand"
# - powers = torch.exp(scores - scores.max())
# + powers = 10 ** scores

# %% mistake="residual-added: starts from the first value, a step" edits="one step a line"
# - result = parts.sum(dim=0)
# + result = values[0] + parts.sum(dim=0)

# %% mistake="counted-twice: step by step" edits="one step a line"
# - result = parts.sum(dim=0)
# + result = parts[0] + parts.sum(dim=0)

# %% mistake="first-left-out: and the last" also="last-left-out" edits="one step a line"
# - result = parts.sum(dim=0)
# + result = parts[1:-1].sum(dim=0)

# %% mistake="unstable-softmax: and the last left out" also="last-left-out" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# - parts = weights.unsqueeze(-1) * values
# - result = parts.sum(dim=0)
# + weights = torch.exp(scaled) / torch.exp(scaled).sum()
# + parts = weights.unsqueeze(-1) * values
# + result = parts[:-1].sum(dim=0)


# %% mistake="unstable-softmax: and the last left out, from a plain 0" also="last-left-out"
def soft_lookup(query, keys, values):
    powers = torch.exp(keys @ query)
    weights = powers / powers.sum()
    result = 0
    for i in range(len(weights) - 1):
        result = result + weights[i] * values[i]
    return result


# %% mistake="distance-compared: squared, step by step" edits="one step a line"
# - scores = keys @ query
# + scores = -(keys - query).square().sum(dim=1)

# %% mistake="distance-compared: squared, the farthest first, step by step" edits="one step a line"
# - scores = keys @ query
# + scores = (keys - query).square().sum(dim=1)

# %% mistake="softmax-too-early: step by step" edits="one step a line"
# - scores = keys @ query
# - scaled = scores
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.softmax(keys * query, dim=0).sum(dim=1)


# %% mistake="softmax-unexpected: of the values, step by step" edits="one step a line"
# - parts = weights.unsqueeze(-1) * values
# + parts = weights.unsqueeze(-1) * torch.softmax(values, dim=0)

# %% mistake="softmax-unexpected: of each value, step by step" edits="one step a line"
# - parts = weights.unsqueeze(-1) * values
# + parts = weights.unsqueeze(-1) * torch.softmax(values, dim=-1)

# %% mistake="places-shifted" edits="one step a line"
# - parts = weights.unsqueeze(-1) * values
# + parts = weights.roll(1).unsqueeze(-1) * values

# %% mistake="places-shifted: the one after" edits="one step a line"
# - parts = weights.unsqueeze(-1) * values
# + parts = weights.roll(-1).unsqueeze(-1) * values

# %% mistake="places-shifted: from 1 on" edits="one step a line"
# - parts = weights.unsqueeze(-1) * values
# + parts = weights[:-1].unsqueeze(-1) * values[1:]

# %% mistake="squashed-alone: step by step" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.sigmoid(scaled)

# %% mistake="all-added-up: step by step" also="wrong-shape" edits="one step a line"
# - result = parts.sum(dim=0)
# + result = parts.sum()
