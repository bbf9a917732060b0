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
