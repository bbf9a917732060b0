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

# %% mistake="rough-e: 2.718" edits="by hand"
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
