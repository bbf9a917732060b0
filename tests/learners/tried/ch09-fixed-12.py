# %% setup
import torch

# %% correct="mine"
def fixed_12(scores):
    hidden = torch.ones_like(scores).triu(1).bool()
    masked = scores.masked_fill(hidden, -torch.inf)
    causal = torch.softmax(masked, dim=-1)
    full = torch.softmax(scores, dim=-1)
    return causal, full

# %% mistake="input-modified: in place, the full one first"
def fixed_12(scores):
    full = torch.softmax(scores, dim=-1)
    hidden = torch.ones_like(scores).triu(1).bool()
    scores.masked_fill_(hidden, -torch.inf)
    return torch.softmax(scores, dim=-1), full

# %% mistake="results-exchanged" edits="mine"
# - return causal, full
# + return full, causal

# %% mistake="mask-missing: what masked_fill gives is not used" edits="mine"
# - masked = scores.masked_fill(hidden, -torch.inf)
# - causal = torch.softmax(masked, dim=-1)
# + scores.masked_fill(hidden, -torch.inf)
# + causal = torch.softmax(scores, dim=-1)

# %% mistake="written-in-place: another name" edits="mine"
# - masked = scores.masked_fill(hidden, -torch.inf)
# + masked = scores
# + masked.masked_fill_(hidden, -torch.inf)

# %% mistake="written-in-place: the name is used again" edits="mine"
# - masked = scores.masked_fill(hidden, -torch.inf)
# - causal = torch.softmax(masked, dim=-1)
# + scores = scores.masked_fill(hidden, -torch.inf)
# + causal = torch.softmax(scores, dim=-1)

# %% mistake="no-gradient: detached" edits="mine"
# - masked = scores.masked_fill(hidden, -torch.inf)
# + masked = scores.detach().masked_fill(hidden, -torch.inf)

# %% mistake="mask-inverted: the past alone is hidden" never="does not see itself|two mistakes" edits="mine"
# - hidden = torch.ones_like(scores).triu(1).bool()
# + hidden = torch.ones_like(scores).tril(-1).bool()
