# %% setup
import numpy as np
import torch

# %% correct="by hand"
def row_softmax(scores):
    largest = scores.max(dim=-1, keepdim=True).values
    powers = torch.exp(scores - largest)
    sums = powers.sum(dim=-1, keepdim=True)
    return powers / sums

# %% correct="one line"
def row_softmax(scores):
    return torch.softmax(scores, dim=-1)

# %% mistake="keepdim-missing: of the sums" edits="by hand"
# - sums = powers.sum(dim=-1, keepdim=True)
# + sums = powers.sum(dim=-1)

# %% mistake="unstable-softmax: no shift" edits="by hand"
# - powers = torch.exp(scores - largest)
# + powers = torch.exp(scores)

# %% mistake="softmax-wrong-axis: 0" edits="one line"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores, dim=0)

# %% mistake="axis-from-front: 1" edits="one line"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores, dim=1)

# %% mistake="softmax-over-all: one sum" edits="by hand"
# - sums = powers.sum(dim=-1, keepdim=True)
# + sums = powers.sum()

# %% mistake="raises: no axis" says="has to be told along which axis" edits="one line"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores)

# %% mistake="sum-normalized: shares of the scores" edits="one line"
# - return torch.softmax(scores, dim=-1)
# + return scores / scores.sum(dim=-1, keepdim=True)

# %% mistake="global-maximum: one for all" edits="by hand"
# - largest = scores.max(dim=-1, keepdim=True).values
# + largest = scores.max()

# %% mistake="fixed-number-of-axes: a loop over rows" edits="one line"
# - return torch.softmax(scores, dim=-1)
# + rows = []
# + for row in scores:
# +     powers = torch.exp(row - row.max())
# +     rows.append(powers / powers.sum())
# + return torch.stack(rows)

# %% mistake="exponential-twice: of exponentials" edits="one line"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(torch.exp(scores), dim=-1)

# %% mistake="softmax-wrong-axis: -2" edits="one line"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores, dim=-2)

# %% mistake="input-modified: rows written back" edits="one line"
# - return torch.softmax(scores, dim=-1)
# + for i in range(len(scores)):
# +     scores[i] = torch.softmax(scores[i], dim=-1)
# + return scores

# %% mistake="raises: functions of NumPy" edits="one line"
# - return torch.softmax(scores, dim=-1)
# + powers = np.exp(scores)
# + return powers / np.sum(powers, axis=-1, keepdims=True)

# %% mistake="exponential-turned: a minus" edits="by hand"
# - powers = torch.exp(scores - largest)
# + powers = torch.exp(largest - scores)

# %% mistake="unrecognized: 2.718" edits="by hand"
# - powers = torch.exp(scores - largest)
# + powers = 2.718 ** (scores - largest)

# %% mistake="raises: the largest and their places" says="returns two things at once" edits="by hand"
# - largest = scores.max(dim=-1, keepdim=True).values
# + largest = scores.max(dim=-1, keepdim=True)

# %% mistake="softmax-wrong-axis: 0, and unstable" edits="by hand"
# - powers = torch.exp(scores - largest)
# + powers = torch.exp(scores)
# - sums = powers.sum(dim=-1, keepdim=True)
# + sums = powers.sum(dim=0)

# %% mistake="softmax-wrong-axis: 0, and scaled" also="scale-unexpected" edits="one line"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores / scores.shape[-1] ** 0.5, dim=0)

# %% mistake="softmax-over-all: and no shift" edits="by hand"
# - powers = torch.exp(scores - largest)
# + powers = torch.exp(scores)
# - sums = powers.sum(dim=-1, keepdim=True)
# + sums = torch.sum(powers)

# %% correct="the logarithm of the sum"
def row_softmax(scores):
    return scores.sub(scores.logsumexp(dim=-1, keepdim=True)).exp()

# %% correct="a loop over the flat rows"
def row_softmax(scores):
    rows = []
    for row in scores.reshape(-1, scores.shape[-1]):
        powers = torch.exp(row - row.max())
        rows.append(powers / powers.sum())
    return torch.stack(rows).reshape(scores.shape)

# %% mistake="scale-unexpected: and a vector's sum" also="softmax-over-all"
def row_softmax(scores):
    scores = scores / scores.shape[-1] ** 0.5
    powers = (scores - scores.amax(-1, keepdim=True)).exp()
    return powers / powers.sum()

# %% mistake="scale-unexpected: and no sum" also="not-normalized"
def row_softmax(scores):
    scores = scores / scores.size(-1) ** 0.5
    return (scores - scores.amax(-1, keepdim=True)).exp()

# %% mistake="softmax-wrong-axis: twice, once along each axis" also="softmax-unexpected"
def row_softmax(scores):
    columns = torch.softmax(scores, dim=0)
    return torch.softmax(columns, dim=-1)

# %% mistake="softmax-wrong-axis: of the logarithms" also="log-softmax"
def row_softmax(scores):
    return torch.log(torch.softmax(scores, dim=0))

# %% mistake="exponential-twice: along 0" also="softmax-wrong-axis"
def row_softmax(scores):
    return torch.softmax(torch.exp(scores), dim=0)

# %% mistake="last-left-out: rows that are filled" edits="one line"
# - return torch.softmax(scores, dim=-1)
# + out = torch.zeros(scores.shape)
# + for i in range(scores.shape[0] - 1):
# +     out[i] = torch.softmax(scores[i], dim=-1)
# + return out

# %% mistake="last-left-out: and unstable" also="unstable-softmax" edits="one line"
# - return torch.softmax(scores, dim=-1)
# + out = scores.new_zeros(scores.shape)
# + for i in range(scores.shape[-2] - 1):
# +     powers = torch.exp(scores[..., i, :])
# +     out[..., i, :] = powers / powers.sum(dim=-1, keepdim=True)
# + return out

# %% mistake="last-left-out: the last column of the total, and unstable" also="unstable-softmax"
def row_softmax(scores):
    out = torch.zeros_like(scores)
    for i in range(scores.shape[-2]):
        total = 0
        for j in range(scores.shape[-1] - 1):
            total = total + torch.exp(scores[..., i, j])
        for j in range(scores.shape[-1]):
            out[..., i, j] = torch.exp(scores[..., i, j]) / total
    return out

# %% mistake="last-left-out: the last column of the result, and unstable" also="unstable-softmax"
def row_softmax(scores):
    out = torch.zeros_like(scores)
    for i in range(scores.shape[-2]):
        total = 0
        for j in range(scores.shape[-1]):
            total += torch.exp(scores[..., i, j])
        for j in range(scores.shape[-1] - 1):
            out[..., i, j] = torch.exp(scores[..., i, j]) / total
    return out

# %% mistake="rough-e: 2, and unstable" also="unstable-softmax" edits="by hand"
# - powers = torch.exp(scores - largest)
# + powers = 2 ** scores

# %% mistake="rough-e: 2.71" edits="by hand"
# - powers = torch.exp(scores - largest)
# + powers = 2.71 ** (scores - largest)

# %% mistake="rough-e: 2.72" edits="by hand"
# - powers = torch.exp(scores - largest)
# + powers = 2.72 ** (scores - largest)

# %% mistake="unrecognized: 2.718, and no shift" never="fails for some scores" edits="by hand"
# - powers = torch.exp(scores - largest)
# + powers = 2.718 ** scores

# %% mistake="sum-normalized: and keepdim" also="keepdim-missing" edits="one line"
# - return torch.softmax(scores, dim=-1)
# + return scores / scores.sum(dim=-1)

# %% mistake="sum-normalized: absolute values" edits="one line"
# - return torch.softmax(scores, dim=-1)
# + powers = torch.abs(scores)
# + return powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="sum-normalized: of everything" edits="one line"
# - return torch.softmax(scores, dim=-1)
# + return scores / scores.sum()

# %% mistake="sum-normalized: the sum's absolute value" edits="one line"
# - return torch.softmax(scores, dim=-1)
# + return scores / scores.sum(dim=-1, keepdim=True).abs()

# %% mistake="wrong-divisor: the sum of the scores" edits="one line"
# - return torch.softmax(scores, dim=-1)
# + return torch.exp(scores) / scores.sum(dim=-1, keepdim=True)

# %% mistake="wrong-divisor: divided once more" edits="one line"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores, dim=-1) / scores.shape[-1]

# %% mistake="divided-first: exp after" edits="one line"
# - return torch.softmax(scores, dim=-1)
# + return torch.exp(scores / scores.sum(dim=-1, keepdim=True))

# %% mistake="unstable-softmax: shifted by the mean" edits="by hand"
# - powers = torch.exp(scores - largest)
# + powers = torch.exp(scores - scores.mean(dim=-1, keepdim=True))

# %% mistake="rounded-down: two digits" never="d_k" edits="one line"
# - return torch.softmax(scores, dim=-1)
# + return torch.round(torch.softmax(scores, dim=-1), decimals=2)

# %% mistake="unrecognized: sigmoid" edits="one line"
# - return torch.softmax(scores, dim=-1)
# + return torch.sigmoid(scores)

# %% mistake="unrecognized: an exponential of shares" edits="one line"
# - return torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores)
# + return torch.exp(powers / powers.sum(-1, keepdim=True))

# %% mistake="softmax-wrong-axis: the largest and the sum along 0" edits="one line"
# - return torch.softmax(scores, dim=-1)
# + shifted = scores - scores.max(dim=0, keepdim=True).values
# + powers = torch.exp(shifted)
# + return powers / powers.sum(dim=0, keepdim=True)

# %% mistake="raises: axis for dim" says="others dim" never="of NumPy is called|of NumPy has a part" edits="one line"
# - return torch.softmax(scores, dim=-1)
# + return torch.nn.functional.softmax(scores, axis=-1)

# %% mistake="no-gradient: divided in place" says="writes into a tensor that something was computed from" edits="by hand"
# - return powers / sums
# + powers /= sums
# + return powers
