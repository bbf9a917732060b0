# %% setup
import torch
import torch.nn.functional as F
from torch import nn


# %% correct="textbook"
def attention_weights(scores):
    weights = torch.softmax(scores, dim=-1)
    return weights


# %% correct="a method" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = scores.softmax(scores.dim() - 1)

# %% correct="a layer" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = nn.Softmax(dim=-1)(scores)


# %% correct="by hand"
def attention_weights(scores):
    powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return powers / powers.sum(dim=-1, keepdim=True)


# %% correct="logarithms" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = F.log_softmax(scores, dim=-1).exp()


# %% correct="one row at a time"
def attention_weights(scores):
    rows = [F.softmax(row, dim=0) for row in scores.reshape(-1, scores.shape[-1])]
    return torch.stack(rows).view(scores.shape)


# %% correct="turned, columns, turned back" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(scores.transpose(-2, -1), dim=-2).transpose(-2, -1)

# %% correct="the logarithm of the sum" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = (scores - scores.logsumexp(dim=-1, keepdim=True)).exp()

# %% mistake="softmax-wrong-axis" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(scores, dim=-2)

# %% mistake="softmax-wrong-axis: the first" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(scores, dim=0)

# %% mistake="fixed-number-of-axes" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(scores, dim=1)

# %% mistake="fixed-number-of-axes: not named" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = F.softmax(scores)

# %% mistake="softmax-over-all" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(scores.flatten(), dim=0).reshape(scores.shape)

# %% mistake="sum-normalized" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = scores / scores.sum(dim=-1, keepdim=True)

# %% mistake="no-softmax" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = scores

# %% mistake="not-normalized" edits="by hand"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers

# %% mistake="fraction-turned" edits="by hand"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers.sum(dim=-1, keepdim=True) / powers

# %% mistake="softmax-unexpected" edits="textbook"
# - return weights
# + return torch.softmax(weights, dim=-1)

# %% mistake="unstable-softmax" also="not-finite" edits="by hand"
# - powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
# + powers = torch.exp(scores)

# %% mistake="global-maximum" also="not-finite" edits="by hand"
# - powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
# + powers = torch.exp(scores - scores.max())

# %% mistake="scores-clamped" edits="by hand"
# - powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
# + powers = torch.exp(scores.clamp(-80, 80))

# %% mistake="keepdim-missing: of the sum" edits="by hand"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers / powers.sum(dim=-1)

# %% mistake="keepdim-missing: of the sum, and unstable" edits="by hand"
# - powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
# - return powers / powers.sum(dim=-1, keepdim=True)
# + powers = torch.exp(scores)
# + return powers / powers.sum(dim=-1)

# %% mistake="scale-unexpected" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(scores / scores.shape[-1] ** 0.5, dim=-1)

# %% mistake="scale-unexpected: by the number of tokens" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(scores / scores.shape[-1], dim=-1)

# %% mistake="mask-unexpected" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + future = torch.triu(torch.ones_like(scores), diagonal=1).bool()
# + weights = torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)

# %% mistake="mask-hides-diagonal" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + diagonal = torch.eye(scores.shape[-1]).bool()
# + weights = torch.softmax(scores.masked_fill(diagonal, -torch.inf), dim=-1)

# %% mistake="hard-lookup" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = F.one_hot(scores.argmax(dim=-1), scores.shape[-1]).to(scores.dtype)

# %% mistake="result-transposed" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# - return weights
# + return torch.softmax(scores, dim=-1).transpose(-2, -1)

# %% mistake="not-implemented" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="raises: no axis" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(scores)

# %% mistake="raises: a layer given the scores" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = nn.Softmax(scores, dim=-1)

# %% mistake="wrong-type" edits="textbook"
# - return weights
# + return weights.sum(dim=-1) == 1, weights

# %% mistake="wrong-type: a layer" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = nn.Softmax(dim=-1)

# %% mistake="wrong-shape" edits="textbook"
# - return weights
# + return weights.sum(dim=-1)

# %% mistake="wrong-dtype" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(scores, dim=-1, dtype=torch.float64)

# %% mistake="input-modified" edits="by hand"
# - powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
# + scores -= scores.amax(dim=-1, keepdim=True)
# + powers = torch.exp(scores)

# %% mistake="input-modified: written into" edits="textbook"
# - return weights
# + scores[:] = weights
# + return scores

# %% mistake="no-gradient" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + with torch.no_grad():
# +     weights = torch.softmax(scores, dim=-1)

# %% mistake="hard-coded: recomputed from it" also="wrong-shape" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + inputs = torch.tensor(
# +     [
# +         [0.43, 0.15, 0.89],
# +         [0.55, 0.87, 0.66],
# +         [0.57, 0.85, 0.64],
# +         [0.22, 0.58, 0.33],
# +         [0.77, 0.25, 0.10],
# +         [0.05, 0.80, 0.55],
# +     ]
# + )
# + weights = torch.softmax(inputs @ inputs.T, dim=-1)

# %% mistake="log-softmax" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.log(torch.softmax(scores, dim=-1))

# %% mistake="exponential-turned: the smallest first" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(-scores, dim=-1)

# %% mistake="squashed-alone" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.sigmoid(scores)

# %% mistake="rounded" edits="textbook"
# - return weights
# + return weights.round(decimals=4)

# %% mistake="fixed-number-of-axes: a loop over rows" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + rows = [torch.exp(row - row.max()) for row in scores]
# + weights = torch.stack([powers / powers.sum() for powers in rows])

# %% mistake="fixed-number-of-axes: a loop over rows, no shift" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + rows = [torch.exp(row) for row in scores]
# + weights = torch.stack([powers / powers.sum() for powers in rows])

# %% mistake="softmax-over-all: no shift" edits="by hand"
# - powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
# - return powers / powers.sum(dim=-1, keepdim=True)
# + powers = torch.exp(scores)
# + return powers / powers.sum()

# %% mistake="softmax-wrong-axis: no shift" edits="by hand"
# - powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
# - return powers / powers.sum(dim=-1, keepdim=True)
# + powers = torch.exp(scores)
# + return powers / powers.sum(dim=0, keepdim=True)

# %% mistake="scores-twice" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(scores @ scores.mT, dim=-1)

# %% mistake="scores-twice: of a matrix" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(scores @ scores.T, dim=-1)

# %% mistake="exponential-twice" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(torch.exp(scores), dim=-1)

# %% mistake="divided-by-largest" edits="by hand"
# - powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
# + powers = torch.exp(scores / scores.amax(dim=-1, keepdim=True))

# %% mistake="powers-below-only" edits="by hand"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return scores / powers.sum(dim=-1, keepdim=True)

# %% mistake="one-row-for-all" edits="textbook"
# - return weights
# + return weights[..., :1, :].expand_as(weights)


# %% correct="one step a line"
def attention_weights(scores):
    scaled = scores
    visible = scaled
    weights = torch.softmax(visible, dim=-1)
    result = weights
    return result


# %% mistake="scale-unexpected: a step" edits="one step a line"
# - scaled = scores
# + scaled = scores / scores.shape[-1] ** 0.5

# %% mistake="scale-unexpected: without the root, a step" edits="one step a line"
# - scaled = scores
# + scaled = scores / scores.shape[-1]

# %% mistake="divided-first: a step" edits="one step a line"
# - scaled = scores
# + scaled = scores / scores.sum(dim=-1, keepdim=True)

# %% mistake="mask-unexpected: a step" edits="one step a line"
# - visible = scaled
# + future = torch.triu(torch.ones_like(scores), diagonal=1).bool()
# + visible = scaled.masked_fill(future, -torch.inf)

# %% mistake="mask-hides-diagonal: a step" edits="one step a line"
# - visible = scaled
# + visible = scaled.masked_fill(torch.eye(scores.shape[-1]).bool(), -torch.inf)

# %% mistake="softmax-wrong-axis: a step" edits="one step a line"
# - weights = torch.softmax(visible, dim=-1)
# + weights = torch.softmax(visible, dim=0)

# %% mistake="softmax-wrong-axis: the last but one, a step" edits="one step a line"
# - weights = torch.softmax(visible, dim=-1)
# + weights = torch.softmax(visible, dim=-2)

# %% mistake="softmax-over-all: a step" edits="one step a line"
# - weights = torch.softmax(visible, dim=-1)
# + weights = torch.softmax(visible.flatten(), dim=0).reshape(scores.shape)

# %% mistake="sum-normalized: a step" edits="one step a line"
# - weights = torch.softmax(visible, dim=-1)
# + weights = visible / visible.sum(dim=-1, keepdim=True)

# %% mistake="no-softmax: a step" edits="one step a line"
# - weights = torch.softmax(visible, dim=-1)
# + weights = visible

# %% mistake="log-softmax: a step" edits="one step a line"
# - result = weights
# + result = torch.log(weights)

# %% mistake="exponential-twice: a step" edits="one step a line"
# - scaled = scores
# + scaled = torch.exp(scores)

# %% mistake="softmax-unexpected: a step" edits="one step a line"
# - result = weights
# + result = torch.softmax(weights, dim=-1)

# %% mistake="rounded: 2 digits" edits="textbook"
# - return weights
# + return weights.round(decimals=2)

# %% mistake="rounded: 3 digits" edits="textbook"
# - return weights
# + return weights.round(decimals=3)

# %% mistake="log-softmax: of torch" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.log_softmax(scores, dim=-1)

# %% mistake="scores-turned" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(scores.mT, dim=-1)

# %% mistake="scores-turned: T" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(scores.T, dim=-1)

# %% mistake="result-transposed: T" edits="textbook"
# - return weights
# + return weights.T

# %% mistake="renormalized-wrong-axis" edits="textbook"
# - return weights
# + return weights / weights.sum(dim=-2, keepdim=True)

# %% mistake="renormalized-wrong-axis: the first" edits="textbook"
# - return weights
# + return weights / weights.sum(dim=0, keepdim=True)

# %% mistake="wrong-divisor: once more by their number" edits="textbook"
# - return weights
# + return weights / weights.shape[-1]

# %% mistake="wrong-divisor: once more by its root" edits="textbook"
# - return weights
# + return weights / weights.shape[-1] ** 0.5

# %% mistake="scores-clamped: above alone" also="not-finite" edits="by hand"
# - powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
# + powers = torch.exp(scores.clamp(max=80))

# %% mistake="last-left-out: row by row" also="wrong-shape" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.stack([torch.softmax(row, dim=-1) for row in scores[:-1]])

# %% mistake="last-left-out: row by row, axis 0" also="fixed-number-of-axes wrong-shape" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.stack([torch.softmax(row, dim=0) for row in scores[:-1]])

# %% mistake="first-left-out: row by row" also="wrong-shape" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.stack([torch.softmax(row, dim=-1) for row in scores[1:]])

# %% mistake="first-left-out: row by row, axis 0" also="fixed-number-of-axes wrong-shape" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.stack([torch.softmax(row, dim=0) for row in scores[1:]])

# %% mistake="scores-clamped: a step" edits="one step a line"
# - scaled = scores
# + scaled = scores.clamp(-80, 80)

# %% mistake="scores-clamped: above alone, a step" edits="one step a line"
# - scaled = scores
# + scaled = scores.clamp(max=80)

# %% mistake="exponential-turned: a step" edits="one step a line"
# - visible = scaled
# + visible = -scaled

# %% mistake="not-normalized: a step" edits="one step a line"
# - weights = torch.softmax(visible, dim=-1)
# + weights = torch.exp(visible - visible.amax(dim=-1, keepdim=True))

# %% mistake="wrong-divisor: a step" edits="one step a line"
# - result = weights
# + result = weights / weights.shape[-1]

# %% mistake="result-transposed: a step" edits="one step a line"
# - result = weights
# + result = weights.mT

# %% mistake="renormalized-wrong-axis: a step" edits="one step a line"
# - result = weights
# + result = weights / weights.sum(dim=-2, keepdim=True)

# %% mistake="rows-after-columns" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + columns = torch.softmax(scores, dim=0)
# + weights = columns / columns.sum(dim=-1, keepdim=True)

# %% mistake="rows-after-columns: the last but one" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + columns = torch.softmax(scores, dim=-2)
# + weights = columns / columns.sum(dim=-1, keepdim=True)

# %% mistake="hard-lookup: all of the largest" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = (scores == scores.amax(dim=-1, keepdim=True)).to(scores.dtype)

# %% mistake="signs-dropped" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(scores.abs(), dim=-1)

# %% mistake="signs-dropped: a step" edits="one step a line"
# - scaled = scores
# + scaled = scores.abs()

# %% mistake="hard-lookup: a step" edits="one step a line"
# - weights = torch.softmax(visible, dim=-1)
# + weights = (visible == visible.amax(dim=-1, keepdim=True)).to(visible.dtype)

# %% mistake="squashed-alone: a step" edits="one step a line"
# - weights = torch.softmax(visible, dim=-1)
# + weights = torch.sigmoid(visible)

# %% mistake="fixed-number-of-axes: a step" edits="one step a line"
# - weights = torch.softmax(visible, dim=-1)
# + weights = torch.softmax(visible, dim=1)

# %% mistake="rounded: a step" edits="one step a line"
# - result = weights
# + result = weights.round(decimals=4)


# %% mistake="last-left-out: of the rows, filled" also="fixed-number-of-axes"
def attention_weights(scores):
    weights = torch.zeros_like(scores)
    for i in range(len(scores) - 1):
        weights[i] = torch.softmax(scores[i], dim=0)
    return weights


# %% mistake="first-left-out: of the rows, filled" also="fixed-number-of-axes"
def attention_weights(scores):
    weights = torch.zeros_like(scores)
    for i in range(1, len(scores)):
        weights[i] = torch.softmax(scores[i], dim=0)
    return weights


# %% mistake="last-left-out: of the rows, filled along the last axis"
def attention_weights(scores):
    weights = torch.zeros_like(scores)
    for i in range(len(scores) - 1):
        weights[i] = torch.softmax(scores[i], dim=-1)
    return weights


# %% mistake="first-left-out: of the rows, filled along the last axis"
def attention_weights(scores):
    weights = torch.zeros_like(scores)
    for i in range(1, len(scores)):
        weights[i] = torch.softmax(scores[i], dim=-1)
    return weights


# %% mistake="last-left-out: of the rows, in a copy"
def attention_weights(scores):
    weights = scores.clone()
    for i in range(len(scores) - 1):
        weights[i] = torch.softmax(scores[i], dim=-1)
    return weights


# %% mistake="first-left-out: of the rows, in a copy"
def attention_weights(scores):
    weights = scores.clone()
    for i in range(1, len(scores)):
        weights[i] = torch.softmax(scores[i], dim=-1)
    return weights


# %% mistake="wrong-dtype: always float32" edits="textbook"
# - return weights
# + return weights.float()

# %% mistake="sum-normalized: over all" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = scores / scores.sum()
