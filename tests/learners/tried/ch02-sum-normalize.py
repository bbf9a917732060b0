# %% setup
import torch

# %% correct="mine"
def normalize_by_sum(scores):
    total = scores.sum()
    shares = scores / total
    return shares

# %% correct="a loop"
def normalize_by_sum(scores):
    total = 0
    for score in scores:
        total = total + score
    shares = scores.new_zeros(len(scores))
    for i in range(len(scores)):
        shares[i] = scores[i] / total
    return shares

# %% mistake="softmax-unexpected" edits="mine"
# - shares = scores / total
# + shares = torch.softmax(scores, dim=0)

# %% mistake="wrong-divisor: how many there are" edits="mine"
# - total = scores.sum()
# + total = len(scores)

# %% mistake="input-modified: in place" edits="mine"
# - shares = scores / total
# + scores /= total
# + shares = scores

# %% mistake="no-gradient: floats" edits="mine"
# - shares = scores / total
# + shares = torch.tensor([float(score) / float(total) for score in scores])

# %% mistake="wrong-divisor: sizes added up" edits="mine"
# - total = scores.sum()
# + total = scores.abs().sum()

# %% mistake="wrong-type: a list" edits="mine"
# - shares = scores / total
# + shares = [score / sum(scores) for score in scores]

# %% mistake="input-modified: written back" edits="mine"
# - shares = scores / total
# + for i in range(len(scores)):
# +     scores[i] = scores[i] / total
# + shares = scores

# %% mistake="running-sum: the sum of what is left" edits="mine"
# - total = scores.sum()
# - shares = scores / total
# + shares = scores.clone()
# + for i in range(len(shares)):
# +     shares[i] = shares[i] / shares.sum()

# %% mistake="running-sum: in the argument" also="input-modified" edits="mine"
# - total = scores.sum()
# - shares = scores / total
# + for i in range(len(scores)):
# +     scores[i] = scores[i] / scores.sum()
# + shares = scores

# %% mistake="wrong-divisor: the largest" edits="mine"
# - total = scores.sum()
# + total = scores.max()

# %% mistake="last-round-only: the sum is overwritten" edits="a loop"
# - total = total + score
# + total = score

# %% mistake="first-left-out: the sum starts late" edits="a loop"
# - for score in scores:
# + for score in scores[1:]:

# %% mistake="last-left-out: the last share" edits="a loop"
# - for i in range(len(scores)):
# + for i in range(len(scores) - 1):

# %% mistake="first-round-only: return in the loop" edits="a loop"
# - return shares
# +     return shares

# %% mistake="running-sum: both in one loop" edits="a loop"
# - total = total + score
# + pass
# - for i in range(len(scores)):
# -     shares[i] = scores[i] / total
# + for i in range(len(scores)):
# +     total = total + scores[i]
# +     shares[i] = scores[i] / total

# %% mistake="last-left-out: of the shares, a tensor made of a list"
def normalize_by_sum(scores):
    total = sum([s.item() for s in scores])
    return torch.tensor([s / total for s in scores[:-1]])

# %% mistake="last-left-out: of the sum, plain numbers"
def normalize_by_sum(scores):
    total = 0
    for s in scores[:-1]:
        total += s.item()
    return torch.tensor([s.item() / total for s in scores])

# %% mistake="example-only: negative scores are cut off"
def normalize_by_sum(scores):
    s = scores.clamp(min=0)
    return s / s.sum().item()

# %% mistake="rounded: as in print" edits="mine"
# - shares = scores / total
# + shares = (scores / total).round(decimals=4)

# %% mistake="softmax-unexpected: exponentials by hand" edits="mine"
# - total = scores.sum()
# - shares = scores / total
# + e = torch.exp(scores)
# + shares = e / e.sum()

# %% mistake="exponential-unexpected: above the bar alone" edits="mine"
# - shares = scores / total
# + shares = torch.exp(scores) / total

# %% mistake="fraction-turned" edits="mine"
# - shares = scores / total
# + shares = total / scores

# %% mistake="shifted-unexpected: by the smallest" edits="mine"
# - total = scores.sum()
# - shares = scores / total
# + s = scores - scores.min()
# + shares = s / s.sum()

# %% mistake="wrong-divisor: the largest size" edits="mine"
# - total = scores.sum()
# + total = scores.abs().max()

# %% mistake="last-left-out: the shares, and the largest" also="wrong-divisor"
def normalize_by_sum(scores):
    out = torch.zeros(len(scores))
    for i in range(len(scores) - 1):
        out[i] = scores[i] / scores.max()
    return out

# %% mistake="example-only: something small is added" never="Rounded as in print" edits="mine"
# - shares = scores / total
# + shares = scores / (total + 1e-3)

# %% mistake="wrong-divisor: in percent" never="not their own sum" says="done to it afterwards" edits="mine"
# - return shares
# + return 100 * shares

# %% mistake="wrong-divisor: divided in vain" never="something other than their own sum|multiplied"
def normalize_by_sum(scores):
    scores / scores.sum()
    return scores

# %% mistake="wrong-dtype: zeros without the dtype of the scores" edits="a loop"
# - shares = scores.new_zeros(len(scores))
# + shares = torch.zeros(len(scores))

# %% mistake="wrong-divisor: always ten" edits="mine"
# - total = scores.sum()
# + total = 10

# %% mistake="example-only: a small number added" says="or nearly so"
def normalize_by_sum(scores):
    return scores / (scores.sum() + 1e-3)
