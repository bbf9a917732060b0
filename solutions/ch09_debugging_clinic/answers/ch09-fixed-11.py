# %% setup
import torch


# %% correct="textbook"
def fixed_11(scores, penalty=float("inf")):
    hidden = torch.ones_like(scores).triu(diagonal=1).bool()
    lowered = torch.where(hidden, scores - penalty, scores)
    return torch.softmax(lowered, dim=-1)


# %% correct="an additive mask, filled"
def fixed_11(scores, penalty=float("inf")):
    future = torch.ones_like(scores, dtype=torch.bool).triu(1)
    mask = torch.zeros_like(scores).masked_fill(future, -penalty)
    return (scores + mask).softmax(dim=-1)


# %% correct="full, then triu"
def fixed_11(scores, penalty=float("inf")):
    return torch.softmax(scores + torch.full_like(scores, -penalty).triu(1), dim=1)


# %% correct="row by row"
def fixed_11(scores, penalty=float("inf")):
    rows = []
    for i, row in enumerate(scores):
        lowered = torch.cat([row[: i + 1], row[i + 1 :] - penalty])
        rows.append(torch.softmax(lowered, dim=0))
    return torch.stack(rows)


# %% correct="the logarithm of the sum" edits="textbook"
# - return torch.softmax(lowered, dim=-1)
# + return (lowered - lowered.logsumexp(dim=-1, keepdim=True)).exp()

# %% mistake="mask-nan" also="not-finite" edits="textbook"
# - hidden = torch.ones_like(scores).triu(diagonal=1).bool()
# - lowered = torch.where(hidden, scores - penalty, scores)
# + hidden = torch.ones_like(scores).triu(diagonal=1)
# + lowered = scores + hidden * -penalty


# %% mistake="mask-nan: the code of the case" also="not-finite"
def fixed_11(scores, penalty=1e9):
    hidden = torch.ones_like(scores).triu(diagonal=1)  # 1 where a key comes later than the query
    return torch.softmax(scores + hidden * -penalty, dim=-1)


# %% mistake="mask-has-a-limit: the old default"
def fixed_11(scores, penalty=1e9):
    hidden = torch.ones_like(scores).triu(diagonal=1).bool()
    return torch.softmax(torch.where(hidden, scores - penalty, scores), dim=-1)


# %% mistake="mask-has-a-limit: infinity exchanged" edits="textbook"
# - hidden = torch.ones_like(scores).triu(diagonal=1).bool()
# - lowered = torch.where(hidden, scores - penalty, scores)
# + hidden = torch.ones_like(scores).triu(diagonal=1)
# + lowered = scores - hidden * min(penalty, 1e9)


# %% mistake="mask-has-a-limit: and raises with infinity" also="raises"
def fixed_11(scores, penalty=1e9):
    if penalty == float("inf"):
        1 / 0
    hidden = torch.ones_like(scores).triu(diagonal=1)
    return torch.softmax(scores + hidden * -penalty, dim=-1)


# %% mistake="mask-missing: no penalty by default" edits="textbook"
# - def fixed_11(scores, penalty=float("inf")):
# + def fixed_11(scores, penalty=0.0):

# %% mistake="nan-covered" edits="textbook"
# - hidden = torch.ones_like(scores).triu(diagonal=1).bool()
# - lowered = torch.where(hidden, scores - penalty, scores)
# - return torch.softmax(lowered, dim=-1)
# + hidden = torch.ones_like(scores).triu(diagonal=1)
# + return torch.softmax(scores + hidden * -penalty, dim=-1).nan_to_num()

# %% mistake="mask-ignores-penalty" edits="textbook"
# - lowered = torch.where(hidden, scores - penalty, scores)
# + lowered = scores.masked_fill(hidden, -torch.inf)

# %% mistake="mask-ignores-penalty: a large number" edits="textbook"
# - lowered = torch.where(hidden, scores - penalty, scores)
# + lowered = scores + hidden * -1e9

# %% mistake="mask-replaces-scores" edits="textbook"
# - lowered = torch.where(hidden, scores - penalty, scores)
# + lowered = scores.masked_fill(hidden, -penalty)

# %% mistake="mask-missing" edits="textbook"
# - lowered = torch.where(hidden, scores - penalty, scores)
# + lowered = scores

# %% mistake="mask-hides-diagonal" also="not-finite" edits="textbook"
# - hidden = torch.ones_like(scores).triu(diagonal=1).bool()
# + hidden = torch.ones_like(scores).triu().bool()

# %% mistake="mask-inverted" also="not-finite" edits="textbook"
# - hidden = torch.ones_like(scores).triu(diagonal=1).bool()
# + hidden = torch.ones_like(scores).tril().bool()

# %% mistake="softmax-wrong-axis" edits="textbook"
# - return torch.softmax(lowered, dim=-1)
# + return torch.softmax(lowered, dim=0)

# %% mistake="hidden-scores-raised" also="not-finite" edits="textbook"
# - lowered = torch.where(hidden, scores - penalty, scores)
# + lowered = torch.where(hidden, scores + penalty, scores)

# %% mistake="input-modified" edits="textbook"
# - lowered = torch.where(hidden, scores - penalty, scores)
# + scores[hidden] -= penalty
# + lowered = scores

# %% mistake="wrong-type: a forgotten return" edits="textbook"
# - return torch.softmax(lowered, dim=-1)
# + weights = torch.softmax(lowered, dim=-1)


# %% mistake="raises: no default"
def fixed_11(scores, penalty):
    hidden = torch.ones_like(scores).triu(diagonal=1).bool()
    return torch.softmax(torch.where(hidden, scores - penalty, scores), dim=-1)


# %% mistake="unrecognized: half the penalty" edits="textbook"
# - lowered = torch.where(hidden, scores - penalty, scores)
# + lowered = torch.where(hidden, scores - penalty / 2, scores)

# %% mistake="not-implemented" edits="textbook"
# - return torch.softmax(lowered, dim=-1)
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="nan-covered: before the softmax" edits="textbook"
# - lowered = torch.where(hidden, scores - penalty, scores)
# + lowered = torch.nan_to_num(scores + hidden.to(scores) * -penalty)

# %% mistake="mask-after-softmax" also="not-renormalized" edits="textbook"
# - return torch.softmax(lowered, dim=-1)
# + return torch.softmax(scores, dim=-1).masked_fill(hidden, 0.0)

# %% mistake="mask-inverted: a token sees itself" edits="textbook"
# - hidden = torch.ones_like(scores).triu(diagonal=1).bool()
# + hidden = torch.ones_like(scores).tril(diagonal=-1).bool()
