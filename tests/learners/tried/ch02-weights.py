# %% setup
import torch

# %% correct="torch's"
def attention_weights(scores):
    return torch.softmax(scores, dim=-1)

# %% correct="by hand"
def attention_weights(scores):
    largest = scores.max(dim=-1, keepdim=True).values
    powers = torch.exp(scores - largest)
    total = powers.sum(dim=-1, keepdim=True)
    return powers / total

# %% mistake="softmax-wrong-axis: 0" edits="torch's"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores, dim=0)

# %% mistake="fixed-number-of-axes: 1" edits="torch's"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores, dim=1)

# %% mistake="softmax-wrong-axis: -2" edits="torch's"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores, dim=-2)

# %% mistake="softmax-over-all: the naive function of a vector"
def softmax_naive(x):
    powers = torch.exp(x)
    return powers / powers.sum()

def attention_weights(scores):
    return softmax_naive(scores)

# %% mistake="fixed-number-of-axes: a loop over rows, naive"
def softmax_naive(x):
    powers = torch.exp(x)
    return powers / powers.sum()

def attention_weights(scores):
    rows = []
    for row in scores:
        rows.append(softmax_naive(row))
    return torch.stack(rows)

# %% mistake="fixed-number-of-axes: a loop over rows"
def attention_weights(scores):
    rows = []
    for row in scores:
        powers = torch.exp(row - row.max())
        rows.append(powers / powers.sum())
    return torch.stack(rows)

# %% mistake="fixed-number-of-axes: a loop over rows, torch's softmax" edits="torch's"
# - return torch.softmax(scores, dim=-1)
# + return torch.stack([torch.softmax(row, dim=0) for row in scores])

# %% mistake="sum-normalized" edits="torch's"
# - return torch.softmax(scores, dim=-1)
# + return scores / scores.sum(dim=-1, keepdim=True)

# %% mistake="scores-twice: the scores are computed again"
def attention_scores(inputs):
    return inputs @ inputs.mT

def attention_weights(scores):
    return torch.softmax(attention_scores(scores), dim=-1)

# %% mistake="argument-unused: the notebook's scores" edits="torch's"
# - def attention_weights(scores):
# + tokens = torch.tensor([[0.43, 0.15], [0.55, 0.87], [0.57, 0.85], [0.22, 0.58]])
# + all_scores = tokens @ tokens.T
# + def attention_weights(scores):
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(all_scores, dim=-1)

# %% mistake="unstable-softmax: no shift" edits="by hand"
# - powers = torch.exp(scores - largest)
# + powers = torch.exp(scores)

# %% mistake="exponential-turned: a minus" edits="torch's"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(-scores, dim=-1)

# %% mistake="softmax-wrong-axis: 0, and scaled" also="scale-unexpected" edits="torch's"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores / scores.shape[-1] ** 0.5, dim=0)

# %% mistake="softmax-wrong-axis: -2, and a mask" also="mask-unexpected" edits="torch's"
# - return torch.softmax(scores, dim=-1)
# + hidden = torch.triu(torch.ones(scores.shape[-2:]), diagonal=1) == 1
# + return torch.softmax(scores.masked_fill(hidden, float("-inf")), dim=-2)

# %% mistake="exponential-twice: of exponentials" edits="torch's"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(torch.exp(scores), dim=-1)

# %% correct="the logarithm of the sum"
def attention_weights(scores):
    return scores.sub(scores.logsumexp(dim=-1, keepdim=True)).exp()

# %% correct="the learner's own stable function"
def softmax_stable(x):
    powers = torch.exp(x - x.max(dim=-1, keepdim=True)[0])
    return powers / powers.sum(dim=-1, keepdim=True)

def attention_weights(scores):
    return softmax_stable(scores)

# %% mistake="softmax-unexpected: and along 0" also="softmax-wrong-axis"
def attention_weights(scores):
    first = scores.softmax(0)
    return first.softmax(-1)

# %% mistake="mask-unexpected: and scaled" also="scale-unexpected"
def attention_weights(scores):
    hidden = torch.ones(scores.shape[-2:]).triu(1) > 0
    scores = scores / scores.shape[-1] ** 0.5
    return scores.masked_fill(hidden, -torch.inf).softmax(-1)

# %% mistake="scale-unexpected: and one sum for all" also="softmax-over-all"
def attention_weights(scores):
    flat = (scores / scores.shape[-1] ** 0.5).reshape(-1)
    return flat.softmax(0).reshape(scores.shape)

# %% mistake="mask-hides-diagonal: and along -2" also="softmax-wrong-axis"
def attention_weights(scores):
    same = torch.eye(scores.shape[-1], dtype=torch.bool)
    return scores.masked_fill(same, float("-inf")).softmax(-2)

# %% mistake="sum-normalized: and a mask" also="mask-unexpected"
def attention_weights(scores):
    hidden = torch.ones(scores.shape[-2:]).triu(1) > 0
    scores = scores.masked_fill(hidden, -torch.inf)
    return scores / scores.sum(dim=-1, keepdim=True)

# %% mistake="first-left-out: row by row"
def attention_weights(scores):
    out = []
    for i in range(1, len(scores)):
        out.append(torch.softmax(scores[i], dim=0))
    return torch.stack(out)

# %% mistake="log-softmax: the wrong function"
def attention_weights(scores):
    return torch.log_softmax(scores, dim=-1)

# %% mistake="scores-turned: T alone" never="from their weights"
def attention_weights(scores):
    return torch.softmax(scores.T, dim=-1)

# %% mistake="scores-turned: mT"
def attention_weights(scores):
    return torch.softmax(scores.mT, dim=-1)

# %% mistake="rounded: two digits"
def attention_weights(scores):
    w = torch.softmax(scores, dim=-1)
    return (w * 100).round() / 100

# %% mistake="softmax-wrong-axis: and clamped" also="scores-clamped"
def attention_weights(scores):
    e = torch.exp(scores.clamp(-80, 80))
    return e / e.sum(dim=-2, keepdim=True)

# %% mistake="renormalized-wrong-axis: once more, along the columns"
def attention_weights(scores):
    w = torch.softmax(scores, dim=-1)
    return w / w.sum(dim=-2, keepdim=True)

# %% mistake="result-transposed: T"
def attention_weights(scores):
    return torch.softmax(scores, dim=-1).T

# %% mistake="result-transposed: mT" never="another axis"
def attention_weights(s):
    return torch.softmax(s, -1).mT

# %% mistake="wrong-divisor: once more by their number"
def attention_weights(s):
    return torch.softmax(s, -1) / s.shape[-1]

# %% mistake="scale-unexpected: by the width" never="the right ones with a scale"
def attention_weights(scores):
    return torch.softmax(scores / scores.shape[-1] ** 0.5, dim=-1)

# %% mistake="rows-after-columns" edits="torch's"
# - return torch.softmax(scores, dim=-1)
# + s = torch.softmax(scores, dim=0)
# + return s / s.sum(dim=-1, keepdim=True)

# %% mistake="hard-lookup: the largest" edits="torch's"
# - return torch.softmax(scores, dim=-1)
# + return (scores == scores.max(dim=-1, keepdim=True).values).float()

# %% mistake="squashed-alone: a sigmoid" edits="torch's"
# - return torch.softmax(scores, dim=-1)
# + return torch.sigmoid(scores)

# %% mistake="signs-dropped" edits="torch's"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores.abs(), dim=-1)

# %% mistake="scale-unexpected: and along axis 1" also="fixed-number-of-axes" edits="torch's"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores / scores.shape[-1] ** 0.5, dim=1)

# %% mistake="last-left-out: the last row, filled"
def attention_weights(scores):
    out = torch.zeros_like(scores)
    for i in range(len(scores) - 1):
        out[i] = torch.softmax(scores[i], dim=0)
    return out

# %% mistake="first-left-out: the first row stays"
def attention_weights(scores):
    out = scores.clone()
    for i in range(1, len(out)):
        out[i] = torch.softmax(out[i], dim=-1)
    return out

# %% mistake="raises: a softmax of a list" never="plain number" says="several things in a row"
def attention_weights(scores):
    return torch.softmax([row for row in scores], dim=-1)

# %% mistake="sum-normalized: the function of exercise 2, over all"
def normalize_by_sum(scores):
    return scores / scores.sum()

def attention_weights(scores):
    return normalize_by_sum(scores)
