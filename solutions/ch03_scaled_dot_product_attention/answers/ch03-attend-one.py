# %% setup
import math

import numpy as np
import torch
import torch.nn.functional as F


# %% correct="textbook"
def attend_one(query_i, key, value):
    scores = key @ query_i
    weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
    context = weights @ value
    return context, weights


# %% correct="einsum"
def attend_one(query_i, key, value):
    scores = torch.einsum("d,td->t", query_i, key) / math.sqrt(len(query_i))
    weights = scores.softmax(dim=0)
    return torch.einsum("t,td->d", weights, value), weights


# %% correct="key by key"
def attend_one(query_i, key, value):
    scores = torch.stack([torch.dot(query_i, one) for one in key]) / math.sqrt(key.size(1))
    weights = F.softmax(scores, dim=0)
    context = torch.zeros_like(value[0])
    for weight, row in zip(weights, value):
        context = context + weight * row
    return context, weights


# %% correct="softmax by hand"
def attend_one(query_i, key, value):
    scores = (key * query_i).sum(dim=1) * key.shape[1] ** -0.5
    powers = torch.exp(scores - scores.max())
    weights = powers / powers.sum()
    context = (weights.unsqueeze(1) * value).sum(dim=0)
    return context, weights


# %% correct="a matrix of one query"
def attend_one(query_i, key, value):
    scores = query_i.unsqueeze(0) @ key.T / key.shape[-1] ** 0.5
    weights = torch.softmax(scores, dim=-1)
    return (weights @ value).squeeze(0), weights.squeeze(0)


# %% correct="scaled in place" edits="textbook"
# - scores = key @ query_i
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + scores = key @ query_i
# + scores /= key.shape[-1] ** 0.5
# + weights = torch.softmax(scores, dim=-1)

# %% correct="prints what it does" edits="textbook"
# - return context, weights
# + print(weights.sum())
# + return context, weights

# %% correct="logarithm of the sum" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + scores = scores / key.shape[-1] ** 0.5
# + weights = torch.exp(scores - scores.logsumexp(dim=-1))

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
# + scaled = scores / key.shape[0] ** 0.5

# %% mistake="scale-by-tokens: without the root" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / len(scores)

# %% mistake="scale-wrong-power" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.25

# %% mistake="scale-wrong-power: the square" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 2

# %% mistake="scale-multiplied: by d_k" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores * key.shape[-1]

# %% mistake="root-precedence" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / (key.shape[-1] ** 1 / 2)

# %% mistake="root-precedence: without brackets" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 1 / 2

# %% mistake="rounded-down" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / int(key.shape[-1] ** 0.5)

# %% mistake="scale-by-norm" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.norm(dim=-1) / query_i.norm()

# %% mistake="scale-by-norm: of each key" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.norm(dim=-1)

# %% mistake="softmax-wrong-axis" edits="a matrix of one query"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(scores, dim=0)

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

# %% mistake="log-softmax" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.log_softmax(scaled, dim=-1)

# %% mistake="unrecognized: a sigmoid" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.sigmoid(scores / key.shape[-1] ** 0.5)

# %% mistake="key-value-swapped" edits="one step a line"
# - def attend_one(query_i, key, value):
# + def attend_one(query_i, value, key):

# %% mistake="shared-projection: the keys are mixed" edits="one step a line"
# - context = weights @ value
# + context = weights @ key

# %% mistake="shared-projection: the values are asked" edits="one step a line"
# - scores = key @ query_i
# + scores = value @ query_i

# %% mistake="key-not-transposed: query times key" also="raises" edits="one step a line"
# - scores = key @ query_i
# + scores = query_i @ key

# %% mistake="values-transposed" also="raises" edits="one step a line"
# - context = weights @ value
# + context = weights @ value.T

# %% mistake="values-transposed: the product turned" also="raises" edits="one step a line"
# - context = weights @ value
# + context = value @ weights

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

# %% mistake="returns-other-weights: scaled too late" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# - context = weights @ value
# + weights = torch.softmax(scores, dim=-1)
# + context = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1) @ value

# %% mistake="elementwise-product: weighed, not added up" also="wrong-shape" edits="one step a line"
# - context = weights @ value
# + context = weights[:, None] * value

# %% mistake="hard-lookup" edits="one step a line"
# - context = weights @ value
# + context = value[weights.argmax()]

# %% mistake="residual-added" edits="one step a line"
# - return context, weights
# + return context + value.mean(dim=0), weights

# %% mistake="weights-unused: the sum" edits="one step a line"
# - context = weights @ value
# + context = value.sum(dim=0)

# %% mistake="scale-after-softmax: of the context" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores
# - context = weights @ value
# + context = weights @ value / key.shape[-1] ** 0.5

# %% mistake="sum-normalized" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = scaled / scaled.sum()

# %% mistake="sum-normalized: absolute values" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = scaled / scaled.abs().sum()

# %% mistake="softmax-unexpected" edits="one step a line"
# - context = weights @ value
# + weights = torch.softmax(weights, dim=-1)
# + context = weights @ value

# %% mistake="exponential-twice" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.softmax(torch.exp(scaled), dim=-1)

# %% mistake="not-normalized" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.exp(scaled)

# %% mistake="not-normalized: the largest taken off" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.exp(scaled - scaled.max())

# %% mistake="unstable-softmax" also="not-finite" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + powers = torch.exp(scaled)
# + weights = powers / powers.sum()

# %% mistake="wrong-divisor" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + powers = torch.exp(scaled - scaled.max())
# + weights = powers / len(powers)

# %% mistake="mean-not-sum" edits="one step a line"
# - context = weights @ value
# + context = (weights[:, None] * value).mean(dim=0)

# %% mistake="summed-wrong-axis" also="wrong-shape" edits="one step a line"
# - context = weights @ value
# + context = (weights[:, None] * value).sum(dim=1)

# %% mistake="scale-by-spread" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / scores.std()

# %% mistake="rounded-down: the scores" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores // key.shape[-1] ** 0.5


# %% mistake="elementwise-product" also="wrong-shape"
def attend_one(query_i, key, value):
    scores = key * query_i
    weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=0)
    context = (weights * value).sum(dim=0)
    return context, weights


# %% mistake="elementwise-product: weighed by a product" also="raises" edits="one step a line"
# - scores = key @ query_i
# + scores = key * query_i


# %% mistake="elementwise-product: key by key" also="wrong-shape"
def attend_one(query_i, key, value):
    scores = (key * query_i) / math.sqrt(len(query_i))
    powers = (scores - scores.max()).exp()
    weights = powers / powers.sum()
    context = sum(weights[t] * value[t] for t in range(len(value)))
    return context, weights


# %% mistake="elementwise-product: the values are weighed by a product" also="raises"
def attend_one(query_i, key, value):
    weights = torch.softmax(key * query_i / key.shape[-1] ** 0.5, dim=0)
    return weights @ value, weights


# %% mistake="not-implemented" edits="textbook"
# - scores = key @ query_i
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="not-defined" edits="textbook"
# - def attend_one(query_i, key, value):
# + def attend(query_i, key, value):

# %% mistake="syntax-error" edits="textbook"
# - scores = key @ query_i
# + scores = key @@ query_i

# %% mistake="key-not-transposed: turned once too often" also="raises" edits="one step a line"
# - scores = key @ query_i
# + scores = key.T @ query_i

# %% mistake="raises: softmax without its axis" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5)

# %% mistake="raises: a second axis that is not there" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=1)

# %% mistake="raises: softmax of math" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = math.exp(scores) / sum(math.exp(scores))

# %% mistake="wrong-type: nothing returned" edits="textbook"
# - return context, weights
# + print(context, weights)

# %% mistake="wrong-type: only the context" edits="textbook"
# - return context, weights
# + return context

# %% mistake="wrong-type: three results" edits="textbook"
# - return context, weights
# + return context, weights, scores

# %% mistake="wrong-type: an array" edits="textbook"
# - return context, weights
# + return context, weights.detach().numpy()

# %% mistake="wrong-shape: matrices of one row" edits="a matrix of one query"
# - return (weights @ value).squeeze(0), weights.squeeze(0)
# + return weights @ value, weights

# %% mistake="wrong-shape: only the context squeezed" edits="a matrix of one query"
# - return (weights @ value).squeeze(0), weights.squeeze(0)
# + return (weights @ value).squeeze(0), weights

# %% mistake="wrong-shape: squeezed too far" edits="a matrix of one query"
# - return (weights @ value).squeeze(0), weights.squeeze(0)
# + return (weights @ value).squeeze(), weights.squeeze()

# %% mistake="wrong-dtype" edits="textbook"
# - return context, weights
# + return context.half(), weights.half()

# %% mistake="wrong-dtype: the weights alone" edits="textbook"
# - return context, weights
# + return context, weights.double()

# %% mistake="not-finite" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / (key.shape[-1] - key.shape[1]), dim=-1)

# %% mistake="input-modified" edits="textbook"
# - scores = key @ query_i
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + query_i /= key.shape[-1] ** 0.5
# + weights = torch.softmax(key @ query_i, dim=-1)

# %% mistake="input-modified: the values weighed in place" edits="textbook"
# - context = weights @ value
# + value.mul_(weights[:, None])
# + context = value.sum(dim=0)

# %% mistake="no-gradient" edits="textbook"
# - return context, weights
# + return context.detach(), weights.detach()

# %% mistake="no-gradient: of the weights alone" edits="textbook"
# - return context, weights
# + return context, weights.detach()

# %% mistake="no-gradient: numbers taken out" edits="key by key"
# - scores = torch.stack([torch.dot(query_i, one) for one in key]) / math.sqrt(key.size(1))
# + scores = torch.tensor([torch.dot(query_i, one).item() for one in key]).to(key)
# + scores = scores / math.sqrt(key.size(1))

# %% mistake="no-gradient: the scores as data" edits="textbook"
# - scores = key @ query_i
# + scores = (key @ query_i).data

# %% mistake="too-slow" edits="textbook"
# - scores = key @ query_i
# + scores = key @ query_i
# + i = 0
# + while i < len(scores):
# +     scores = scores.clone()

# %% mistake="example-only" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / math.sqrt(2), dim=-1)

# %% mistake="hard-coded: the printed numbers" edits="textbook"
# - return context, weights
# + return torch.tensor([0.3061, 0.8210]), torch.tensor([0.1500, 0.2264, 0.2199, 0.1311, 0.0906, 0.1820])

# %% mistake="forbidden-call" edits="textbook"
# - context = weights @ value
# + context = F.scaled_dot_product_attention(query_i[None, None], key[None], value[None])[0, 0]

# %% mistake="weights-unused" edits="one step a line"
# - context = weights @ value
# + context = value.mean(dim=0)

# %% mistake="unrecognized: weights doubled" edits="textbook"
# - return context, weights
# + return context, 2 * weights

# %% mistake="unrecognized: weights in reverse" edits="textbook"
# - context = weights @ value
# + context = weights.flip(0) @ value

# %% mistake="unstable-softmax: the first score subtracted" also="not-finite" edits="softmax by hand"
# - powers = torch.exp(scores - scores.max())
# + powers = torch.exp(scores - scores[0])

# %% mistake="unstable-softmax: the last score subtracted" also="not-finite" edits="softmax by hand"
# - powers = torch.exp(scores - scores.max())
# + powers = torch.exp(scores - scores[-1])

# %% mistake="unstable-softmax: the mean subtracted" also="not-finite" edits="softmax by hand"
# - powers = torch.exp(scores - scores.max())
# + powers = torch.exp(scores - scores.mean())


# %% correct="filled into zeros"
def attend_one(query_i, key, value):
    scores = key.new_zeros(len(key))
    for j in range(len(key)):
        scores[j] = torch.dot(query_i, key[j]) / math.sqrt(len(query_i))
    weights = torch.softmax(scores, dim=0)
    context = value.new_zeros(value.shape[1])
    for j in range(len(value)):
        context = context + weights[j] * value[j]
    return context, weights


# %% mistake="scale-after-softmax: once more, of the context" edits="one step a line"
# - context = weights @ value
# + context = weights @ value / key.shape[-1] ** 0.5

# %% mistake="residual-added: the first value as it is" edits="one step a line"
# - context = weights @ value
# + context = value[0] + weights[1:] @ value[1:]

# %% mistake="residual-added: from the first value" edits="one step a line"
# - context = weights @ value
# + context = value[0] + weights @ value

# %% mistake="last-round-only: a step" edits="one step a line"
# - context = weights @ value
# + context = weights[-1] * value[-1]

# %% mistake="last-left-out: of the mixture, a step" edits="one step a line"
# - context = weights @ value
# + context = weights[:-1] @ value[:-1]

# %% mistake="last-left-out: of the scores, a step" edits="one step a line"
# - scores = key @ query_i
# + scores = key @ query_i
# + scores[-1] = 0

# %% mistake="first-left-out: of the mixture, a step" edits="one step a line"
# - context = weights @ value
# + context = weights[1:] @ value[1:]

# %% mistake="first-left-out: of the scores, a step" edits="one step a line"
# - scores = key @ query_i
# + scores = key @ query_i
# + scores[0] = 0

# %% mistake="rounded: the weights" edits="one step a line"
# - return context, weights
# + return context, weights.round(decimals=4)

# %% mistake="rounded: before they mix" edits="one step a line"
# - context = weights @ value
# + weights = weights.round(decimals=4)
# + context = weights @ value

# %% mistake="scale-by-scores: the largest" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / scores.max()

# %% mistake="scale-fixed" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / 8

# %% mistake="scores-clamped" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + powers = torch.exp(scaled.clamp(-80, 80))
# + weights = powers / powers.sum()

# %% mistake="scores-clamped: above alone" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + powers = torch.exp(scaled.clamp(max=80))
# + weights = powers / powers.sum()

# %% mistake="unstable-softmax: of math" also="raises" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + powers = [math.exp(score) for score in scaled.tolist()]
# + weights = torch.tensor([power / sum(powers) for power in powers]).to(value)

# %% mistake="exponential-turned" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.softmax(-scaled, dim=-1)

# %% mistake="divided-first" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.softmax(scaled / scaled.sum(), dim=-1)

# %% mistake="small-dropped" edits="one step a line"
# - context = weights @ value
# + weights = weights.masked_fill(weights < 0.01, 0)
# + context = weights @ value

# %% mistake="small-dropped: below 0.05" edits="one step a line"
# - context = weights @ value
# + weights = weights.masked_fill(weights < 0.05, 0)
# + context = weights @ value

# %% mistake="scale-fixed: a d_k of two, scores returned" also="returns-scores" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / 2**0.5
# - return context, weights
# + return context, scaled

# %% mistake="scale-by-tokens: beside the root" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / key.shape[0] ** 0.5

# %% mistake="scale-by-tokens: beside the root, without the root" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / len(scores)

# %% mistake="scale-by-norm: beside the root" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / key.norm(dim=-1) / query_i.norm()

# %% mistake="scale-by-norm: beside the root, of each key" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / key.norm(dim=-1)

# %% mistake="scale-by-spread: beside the root" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / scores.std()

# %% mistake="elementwise-product: the values at the end" also="raises" edits="one step a line"
# - context = weights @ value
# + context = weights * value
