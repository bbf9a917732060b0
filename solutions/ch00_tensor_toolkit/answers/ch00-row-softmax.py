# %% setup
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


# %% correct="textbook"
def row_softmax(scores):
    return torch.softmax(scores, dim=-1)


# %% correct="functional"
def row_softmax(scores):
    return F.softmax(scores, dim=scores.dim() - 1)


# %% correct="a module"
def row_softmax(scores):
    return nn.Softmax(dim=-1)(scores)


# %% correct="by hand"
def row_softmax(scores):
    largest = scores.max(dim=-1, keepdim=True).values
    powers = torch.exp(scores - largest)
    return powers / powers.sum(dim=-1, keepdim=True)


# %% correct="by logarithms"
def row_softmax(scores):
    return torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))


# %% correct="row by row"
def row_softmax(scores):
    if scores.dim() == 1:
        powers = (scores - scores.max()).exp()
        return powers / powers.sum()
    return torch.stack([row_softmax(row) for row in scores])


# %% correct="axis moved to the front and back"
def row_softmax(scores):
    powers = (scores - scores.amax(-1).unsqueeze(-1)).exp().movedim(-1, 0)
    return (powers / powers.sum(0)).movedim(0, -1)


# %% mistake="softmax-wrong-axis" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores, dim=0)

# %% mistake="softmax-wrong-axis: the last but one" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores, dim=-2)

# %% mistake="softmax-wrong-axis: by hand" edits="by hand"
# - largest = scores.max(dim=-1, keepdim=True).values
# + largest = scores.max(dim=-2, keepdim=True).values
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers / powers.sum(dim=-2, keepdim=True)

# %% mistake="softmax-wrong-axis: the last but one, in the sum alone" edits="by hand"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers / powers.sum(dim=-2, keepdim=True)

# %% mistake="softmax-wrong-axis: of the transpose, not turned back" also="wrong-shape" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores.mT, dim=-1)

# %% mistake="softmax-wrong-axis: by hand, and unstable" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores)
# + return powers / powers.sum(dim=0)

# %% mistake="softmax-wrong-axis: the last but one, and unstable" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores)
# + return powers / powers.sum(dim=-2, keepdim=True)

# %% mistake="axis-from-front" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores, dim=1)

# %% mistake="axis-from-front: no axis named" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return F.softmax(scores)

# %% mistake="axis-from-front: the third" also="raises" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores, dim=2)

# %% mistake="axis-from-front: by hand" edits="by hand"
# - largest = scores.max(dim=-1, keepdim=True).values
# + largest = scores.max(dim=1, keepdim=True).values
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers / powers.sum(dim=1, keepdim=True)

# %% mistake="axis-from-front: by hand, and unstable" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores)
# + return powers / powers.sum(dim=1, keepdim=True)

# %% mistake="axis-from-front: in the sum alone" edits="by hand"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers / powers.sum(dim=1, keepdim=True)

# %% mistake="axis-from-front: a column of sums by indexing" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores)
# + return powers / powers.sum(dim=1)[:, None]

# %% mistake="fixed-number-of-axes: a loop over rows" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + rows = [torch.exp(row) / torch.exp(row).sum() for row in scores]
# + return torch.stack(rows)

# %% mistake="fixed-number-of-axes: a loop over rows, the largest subtracted" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + rows = [torch.exp(row - row.max()) / torch.exp(row - row.max()).sum() for row in scores]
# + return torch.stack(rows)

# %% mistake="axis-from-front: a loop over rows" edits="row by row"
# - if scores.dim() == 1:
# -     powers = (scores - scores.max()).exp()
# -     return powers / powers.sum()
# - return torch.stack([row_softmax(row) for row in scores])
# + return torch.stack([torch.softmax(row, dim=0) for row in scores])

# %% mistake="softmax-over-all" edits="by hand"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers / powers.sum()

# %% mistake="softmax-over-all: and unstable" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores)
# + return powers / powers.sum()

# %% mistake="softmax-over-all: of the flat scores" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores.flatten(), dim=0).reshape(scores.shape)

# %% mistake="softmax-over-all: a matrix at a time" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores.flatten(-2), dim=-1).reshape(scores.shape)

# %% mistake="sum-normalized" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return scores / scores.sum(dim=-1, keepdim=True)

# %% mistake="sum-normalized: absolute values" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return scores.abs() / scores.abs().sum(dim=-1, keepdim=True)

# %% mistake="sum-normalized: of the columns" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return scores / scores.sum(dim=0)

# %% mistake="sum-normalized: of everything" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return scores / scores.sum()

# %% mistake="keepdim-missing" edits="by hand"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers / powers.sum(dim=-1)

# %% mistake="keepdim-missing: in the largest" edits="by hand"
# - largest = scores.max(dim=-1, keepdim=True).values
# + largest = scores.max(dim=-1).values

# %% mistake="keepdim-missing: in both" edits="by hand"
# - largest = scores.max(dim=-1, keepdim=True).values
# + largest = scores.max(dim=-1).values
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers / powers.sum(dim=-1)

# %% mistake="keepdim-missing: and unstable" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores)
# + return powers / powers.sum(dim=-1)

# %% mistake="keepdim-missing: counted from the front, and unstable" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores)
# + return powers / powers.sum(dim=1)

# %% mistake="unstable-softmax" also="not-finite" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores)
# + return powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="unstable-softmax: row by row" also="not-finite" edits="row by row"
# - powers = (scores - scores.max()).exp()
# + powers = scores.exp()

# %% mistake="global-maximum" also="not-finite" edits="by hand"
# - largest = scores.max(dim=-1, keepdim=True).values
# + largest = scores.max()

# %% mistake="unstable-softmax: divided by 1e-9 more" also="not-finite" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores)
# + return powers / (powers.sum(dim=-1, keepdim=True) + 1e-9)

# %% mistake="scores-clamped" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores.clamp(-80, 80))
# + return powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="not-normalized" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.exp(scores)

# %% mistake="not-normalized: the largest subtracted" edits="by hand"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers

# %% mistake="log-softmax" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return F.log_softmax(scores, dim=-1)

# %% mistake="softmax-unexpected" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(torch.softmax(scores, dim=-1), dim=-1)

# %% mistake="exponential-twice" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(torch.exp(scores - scores.amax(dim=-1, keepdim=True)), dim=-1)

# %% mistake="scale-unexpected" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores / scores.shape[-1] ** 0.5, dim=-1)

# %% mistake="returns-input" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + torch.softmax(scores, dim=-1)
# + return scores


# %% mistake="not-implemented"
def row_softmax(scores):
    raise NotImplementedError("Write your answer here, then delete this line.")


# %% mistake="not-defined"
def softmax(scores):
    return torch.softmax(scores, dim=-1)


# %% mistake="syntax-error" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores, dim=-1))

# %% mistake="raises: no axis" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores)

# %% mistake="raises: a pair where a tensor was meant" edits="by hand"
# - largest = scores.max(dim=-1, keepdim=True).values
# + largest = scores.max(dim=-1, keepdim=True)

# %% mistake="wrong-type: a module that was not called" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return nn.Softmax(dim=-1)

# %% mistake="wrong-type: nothing returned" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + shares = torch.softmax(scores, dim=-1)

# %% mistake="wrong-type: a list of rows" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return [torch.softmax(row, dim=-1) for row in scores]

# %% mistake="wrong-type: an array" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + powers = np.exp(scores.detach().cpu().numpy())
# + return powers / powers.sum(axis=-1, keepdims=True)

# %% mistake="wrong-shape: the row sums" edits="by hand"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers.sum(dim=-1, keepdim=True)

# %% mistake="wrong-shape: the largest share" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores, dim=-1).argmax(dim=-1)

# %% mistake="wrong-dtype" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores, dim=-1, dtype=torch.float64)

# %% mistake="wrong-dtype: always float32" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores.float(), dim=-1)

# %% mistake="wrong-dtype: filled into a float32" edits="by hand"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + result = torch.zeros(scores.shape, device=scores.device)
# + result[...] = powers / powers.sum(dim=-1, keepdim=True)
# + return result

# %% mistake="input-modified" edits="by hand"
# - powers = torch.exp(scores - largest)
# + scores -= largest
# + powers = torch.exp(scores)

# %% mistake="input-modified: exp_" edits="by hand"
# - powers = torch.exp(scores - largest)
# + powers = scores.sub_(largest).exp_()

# %% mistake="input-modified: written into the argument" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + scores[:] = torch.softmax(scores, dim=-1)
# + return scores

# %% mistake="no-gradient" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores.detach(), dim=-1)

# %% mistake="no-gradient: a part of it" edits="by hand"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers / powers.sum(dim=-1, keepdim=True).detach()

# %% mistake="too-slow" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + shares = torch.softmax(scores, dim=-1)
# + while shares.sum() > 0:
# +     shares = torch.softmax(scores, dim=-1)

# %% mistake="hard-coded: the printed numbers" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.tensor(
# +     [
# +         [0.2098, 0.2006, 0.1981, 0.1242, 0.1220, 0.1452],
# +         [0.1385, 0.2379, 0.2333, 0.1240, 0.1082, 0.1581],
# +         [0.1390, 0.2369, 0.2326, 0.1242, 0.1108, 0.1565],
# +         [0.1435, 0.2074, 0.2046, 0.1462, 0.1263, 0.1720],
# +         [0.1526, 0.1958, 0.1975, 0.1367, 0.1879, 0.1295],
# +         [0.1385, 0.2184, 0.2128, 0.1420, 0.0988, 0.1896],
# +     ]
# + )

# %% mistake="rough-e: powers of two" edits="by hand"
# - powers = torch.exp(scores - largest)
# + powers = 2.0 ** (scores - largest)

# %% mistake="unrecognized: sigmoid" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.sigmoid(scores)

# %% mistake="hard-lookup" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return F.one_hot(scores.argmax(dim=-1), scores.shape[-1]).to(scores.dtype)

# %% mistake="exponential-turned: small scores win" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(-scores, dim=-1)

# %% mistake="one-row-for-all" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores[..., :1, :], dim=-1).expand_as(scores)

# %% mistake="setting-left" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + torch.set_default_dtype(torch.float64)
# + return torch.softmax(scores, dim=-1)

# %% mistake="unstable-softmax: the first score subtracted" also="not-finite" edits="by hand"
# - largest = scores.max(dim=-1, keepdim=True).values
# + largest = scores[..., :1]

# %% mistake="unstable-softmax: the last score subtracted" also="not-finite" edits="by hand"
# - largest = scores.max(dim=-1, keepdim=True).values
# + largest = scores[..., -1:]

# %% mistake="unstable-softmax: the middle of both ends subtracted" also="not-finite" edits="by hand"
# - largest = scores.max(dim=-1, keepdim=True).values
# + largest = (scores.amax(-1, keepdim=True) + scores.amin(-1, keepdim=True)) / 2

# %% mistake="unstable-softmax: nothing subtracted, in float64" also="not-finite" edits="by hand"
# - powers = torch.exp(scores - largest)
# - return powers / powers.sum(dim=-1, keepdim=True)
# + powers = torch.exp(scores.double())
# + return (powers / powers.sum(dim=-1, keepdim=True)).to(scores.dtype)

# %% mistake="layout-dependent: view" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores.view(-1, scores.shape[-1]), dim=-1).view(scores.shape)

# %% mistake="exponential-twice: and unstable" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(torch.exp(scores), dim=-1)

# %% mistake="divided-first" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores / scores.sum(dim=-1, keepdim=True), dim=-1)

# %% mistake="divided-first: and not after" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.exp(scores / scores.sum(dim=-1, keepdim=True))

# %% mistake="powers-below-only" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return scores / torch.exp(scores).sum(dim=-1, keepdim=True)

# %% mistake="divided-by-largest" edits="by hand"
# - powers = torch.exp(scores - largest)
# + powers = torch.exp(scores / largest)


# %% correct="one step a line"
def row_softmax(scores):
    scaled = scores
    largest = scaled.max(dim=-1, keepdim=True).values
    shifted = scaled - largest
    powers = torch.exp(shifted)
    sums = powers.sum(dim=-1, keepdim=True)
    shares = powers / sums
    result = shares
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

# %% mistake="unstable-softmax: a step" also="not-finite" edits="one step a line"
# - shifted = scaled - largest
# + shifted = scaled

# %% mistake="divided-by-largest: a step" edits="one step a line"
# - shifted = scaled - largest
# + shifted = scaled / largest

# %% mistake="keepdim-missing: a step" edits="one step a line"
# - sums = powers.sum(dim=-1, keepdim=True)
# + sums = powers.sum(dim=-1)

# %% mistake="axis-from-front: a step" edits="one step a line"
# - sums = powers.sum(dim=-1, keepdim=True)
# + sums = powers.sum(dim=1, keepdim=True)

# %% mistake="softmax-over-all: a step" edits="one step a line"
# - sums = powers.sum(dim=-1, keepdim=True)
# + sums = powers.sum()

# %% mistake="not-normalized: a step" edits="one step a line"
# - shares = powers / sums
# + shares = powers

# %% mistake="softmax-wrong-axis: a step" edits="one step a line"
# - shares = powers / sums
# + shares = torch.softmax(scaled, dim=0)

# %% mistake="softmax-wrong-axis: the last but one, a step" edits="one step a line"
# - shares = powers / sums
# + shares = torch.softmax(scaled, dim=-2)

# %% mistake="softmax-over-all: at the end, a step" edits="one step a line"
# - shares = powers / sums
# + shares = powers / powers.sum()

# %% mistake="log-softmax: a step" edits="one step a line"
# - result = shares
# + result = torch.log(shares)

# %% mistake="exponential-twice: a step" edits="one step a line"
# - scaled = scores
# + scaled = torch.exp(scores)

# %% mistake="softmax-unexpected: a step" edits="one step a line"
# - result = shares
# + result = torch.softmax(shares, dim=-1)

# %% mistake="rough-e: 2, a step" edits="one step a line"
# - powers = torch.exp(shifted)
# + powers = 2 ** shifted

# %% mistake="rough-e: 2, a step, and unstable" also="unstable-softmax" edits="one step a line"
# - shifted = scaled - largest
# - powers = torch.exp(shifted)
# + powers = 2 ** scaled

# %% mistake="rough-e: 2.7, a step" edits="one step a line"
# - powers = torch.exp(shifted)
# + powers = 2.7 ** shifted

# %% mistake="rough-e: 2.7, a step, and unstable" also="unstable-softmax" edits="one step a line"
# - shifted = scaled - largest
# - powers = torch.exp(shifted)
# + powers = 2.7 ** scaled

# %% mistake="rough-e: 2.71, a step" edits="one step a line"
# - powers = torch.exp(shifted)
# + powers = 2.71 ** shifted

# %% mistake="rough-e: 2.71, a step, and unstable" also="unstable-softmax" edits="one step a line"
# - shifted = scaled - largest
# - powers = torch.exp(shifted)
# + powers = 2.71 ** scaled

# %% mistake="rough-e: 2.72, a step" edits="one step a line"
# - powers = torch.exp(shifted)
# + powers = 2.72 ** shifted

# %% mistake="rough-e: 2.72, a step, and unstable" also="unstable-softmax" edits="one step a line"
# - shifted = scaled - largest
# - powers = torch.exp(shifted)
# + powers = 2.72 ** scaled

# %% mistake="rough-e: 3, a step" edits="one step a line"
# - powers = torch.exp(shifted)
# + powers = 3 ** shifted

# %% mistake="rough-e: 3, a step, and unstable" also="unstable-softmax" edits="one step a line"
# - shifted = scaled - largest
# - powers = torch.exp(shifted)
# + powers = 3 ** scaled

# %% mistake="rough-e: 10, a step" edits="one step a line"
# - powers = torch.exp(shifted)
# + powers = 10 ** shifted

# %% mistake="rough-e: 10, a step, and unstable" also="unstable-softmax" edits="one step a line"
# - shifted = scaled - largest
# - powers = torch.exp(shifted)
# + powers = 10 ** scaled

# %% mistake="exponential-turned: a step" edits="one step a line"
# - powers = torch.exp(shifted)
# + powers = torch.exp(-shifted)

# %% mistake="exponential-turned: a step, and unstable" also="unstable-softmax" edits="one step a line"
# - shifted = scaled - largest
# - powers = torch.exp(shifted)
# + powers = torch.exp(-scaled)

# %% mistake="sum-normalized: a step" edits="one step a line"
# - shifted = scaled - largest
# - powers = torch.exp(shifted)
# + powers = scaled

# %% mistake="sum-normalized: absolute values, a step" edits="one step a line"
# - shifted = scaled - largest
# - powers = torch.exp(shifted)
# + powers = scaled.abs()

# %% mistake="sum-normalized: the sum's absolute value" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return scores / scores.sum(dim=-1, keepdim=True).abs()

# %% mistake="sum-normalized: keepdim is missing, too" also="keepdim-missing" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return scores / scores.sum(dim=-1)

# %% mistake="sum-normalized: divided by the sum of absolute values" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return scores / scores.abs().sum(dim=-1, keepdim=True)

# %% mistake="wrong-divisor: the sum of the scores" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.exp(scores) / scores.sum(dim=-1, keepdim=True)

# %% mistake="wrong-divisor: once more by the length of a row" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores, dim=-1) / scores.shape[-1]

# %% mistake="wrong-divisor: the length of a row" edits="one step a line"
# - shares = powers / sums
# + shares = powers / powers.shape[-1]

# %% mistake="wrong-divisor: the largest power" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores)
# + return powers / powers.amax(dim=-1, keepdim=True)

# %% mistake="unstable-softmax: the mean subtracted" also="not-finite" edits="by hand"
# - largest = scores.max(dim=-1, keepdim=True).values
# + largest = scores.mean(dim=-1, keepdim=True)

# %% mistake="fraction-turned" edits="one step a line"
# - shares = powers / sums
# + shares = sums / powers

# %% mistake="rounded-down: to two digits" edits="one step a line"
# - result = shares
# + result = torch.round(shares, decimals=2)

# %% mistake="rounded-down: to four digits" edits="one step a line"
# - result = shares
# + result = torch.round(shares, decimals=4)


# %% correct="filled, row by row"
def row_softmax(scores):
    result = torch.zeros_like(scores)
    for i in range(scores.shape[-2]):
        result[..., i, :] = torch.softmax(scores[..., i, :], dim=-1)
    return result


# %% correct="filled, item by item of the first axis"
def row_softmax(scores):
    result = torch.zeros_like(scores)
    for i in range(len(scores)):
        result[i] = torch.softmax(scores[i], dim=-1)
    return result


# %% correct="filled, column by column"
def row_softmax(scores):
    powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    total = 0
    for j in range(scores.shape[-1]):
        total = total + powers[..., j]
    result = torch.zeros_like(powers)
    for j in range(scores.shape[-1]):
        result[..., j] = powers[..., j] / total
    return result


# %% mistake="last-left-out: rows, and unstable" also="unstable-softmax" edits="filled, row by row"
# - for i in range(scores.shape[-2]):
# -     result[..., i, :] = torch.softmax(scores[..., i, :], dim=-1)
# + for i in range(scores.shape[-2] - 1):
# +     powers = torch.exp(scores[..., i, :])
# +     result[..., i, :] = powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="last-left-out: columns, and unstable" also="unstable-softmax" edits="filled, column by column"
# - powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
# + powers = torch.exp(scores)
# - result = torch.zeros_like(powers)
# - for j in range(scores.shape[-1]):
# + result = torch.zeros_like(powers)
# + for j in range(scores.shape[-1] - 1):

# %% mistake="last-left-out: the total, and unstable" also="unstable-softmax" edits="filled, column by column"
# - powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
# - total = 0
# - for j in range(scores.shape[-1]):
# + powers = torch.exp(scores)
# + total = 0
# + for j in range(scores.shape[-1] - 1):

# %% mistake="running-sum" edits="filled, column by column"
# - for j in range(scores.shape[-1]):
# -     total = total + powers[..., j]
# - result = torch.zeros_like(powers)
# - for j in range(scores.shape[-1]):
# -     result[..., j] = powers[..., j] / total
# + result = torch.zeros_like(powers)
# + for j in range(scores.shape[-1]):
# +     total = total + powers[..., j]
# +     result[..., j] = powers[..., j] / total

# %% mistake="running-sum: and unstable" also="unstable-softmax" edits="filled, column by column"
# - powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
# - total = 0
# - for j in range(scores.shape[-1]):
# -     total = total + powers[..., j]
# - result = torch.zeros_like(powers)
# - for j in range(scores.shape[-1]):
# -     result[..., j] = powers[..., j] / total
# + powers = torch.exp(scores)
# + total = 0
# + result = torch.zeros_like(powers)
# + for j in range(scores.shape[-1]):
# +     total = total + powers[..., j]
# +     result[..., j] = powers[..., j] / total
