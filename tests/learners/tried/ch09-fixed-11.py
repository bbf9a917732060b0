# %% setup
import torch

# %% correct="mine"
def fixed_11(scores, penalty=float("inf")):
    future = torch.ones_like(scores).triu(1).bool()
    lowered = torch.where(future, scores - penalty, scores)
    return torch.softmax(lowered, dim=-1)

# %% mistake="mask-has-a-limit: 1e9 and a product"
def fixed_11(scores, penalty=1e9):
    future = torch.ones_like(scores).triu(1)
    return torch.softmax(scores - future * min(penalty, 1e9), dim=-1)

# %% mistake="mask-ignores-penalty: always infinity" edits="mine"
# - lowered = torch.where(future, scores - penalty, scores)
# + lowered = scores.masked_fill(future, -torch.inf)

# %% mistake="mask-replaces-scores" edits="mine"
# - lowered = torch.where(future, scores - penalty, scores)
# + lowered = scores.masked_fill(future, -penalty)

# %% mistake="mask-has-a-limit: infinity exchanged" edits="mine"
# - lowered = torch.where(future, scores - penalty, scores)
# + if penalty == float("inf"):
# +     penalty = 1e9
# + lowered = scores - future * penalty

# %% mistake="nan-covered" edits="mine"
# - lowered = torch.where(future, scores - penalty, scores)
# + lowered = torch.nan_to_num(scores - future * penalty)

# %% mistake="mask-inverted: where, with its branches exchanged" edits="mine"
# - lowered = torch.where(future, scores - penalty, scores)
# + lowered = torch.where(future, scores, scores - penalty)

# %% mistake="mask-ignores-penalty: 1e9" edits="mine"
# - lowered = torch.where(future, scores - penalty, scores)
# + lowered = torch.where(future, scores - 1e9, scores)

# %% mistake="mask-inverted: the past alone is lowered" never="does not see itself|two mistakes" edits="mine"
# - future = torch.ones_like(scores).triu(1).bool()
# + future = torch.ones_like(scores).tril(-1).bool()
