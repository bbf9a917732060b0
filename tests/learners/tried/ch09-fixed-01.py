# %% setup
import torch

# %% mistake="renormalized-wrong-axis: softmax over columns, divided by row sums" never="masked"
def fixed_01(scores):
    weights = torch.softmax(scores, dim=0)
    return weights / weights.sum(dim=1, keepdim=True)

# %% mistake="wrong-shape: rows and columns exchanged before"
def fixed_01(scores):
    return torch.softmax(scores.T, dim=-1)

# %% mistake="softmax-over-all"
def fixed_01(scores):
    powers = torch.exp(scores - scores.max())
    return powers / powers.sum()

# %% mistake="softmax-unexpected"
def fixed_01(scores):
    return torch.softmax(torch.softmax(scores, dim=0), dim=1)

# %% correct="row by row"
def fixed_01(scores):
    out = torch.zeros_like(scores)
    for i in range(scores.shape[0]):
        e = torch.exp(scores[i] - scores[i].max())
        out[i] = e / e.sum()
    return out

# %% mistake="last-left-out: one row too few" edits="row by row"
# - for i in range(scores.shape[0]):
# + for i in range(scores.shape[0] - 1):
