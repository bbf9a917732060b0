# %% setup
import torch


# %% correct="textbook"
def fixed_12(scores):
    hidden = torch.ones_like(scores).triu(diagonal=1).bool()
    causal = torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=-1)
    full = torch.softmax(scores, dim=-1)
    return causal, full


# %% correct="a copy" edits="textbook"
# - causal = torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=-1)
# + causal = torch.softmax(scores.clone().masked_fill_(hidden, -torch.inf), dim=-1)


# %% correct="where"
def fixed_12(scores):
    place = torch.arange(len(scores), device=scores.device)
    masked = torch.where(place[None, :] > place[:, None], float("-inf"), scores)
    return masked.softmax(-1), scores.softmax(-1)


# %% correct="renormalized"
def fixed_12(scores):
    rows = [torch.softmax(row[: i + 1], dim=0) for i, row in enumerate(scores)]
    causal = torch.stack([torch.nn.functional.pad(row, (0, len(scores) - len(row))) for row in rows])
    return causal, torch.softmax(scores, dim=1)


# %% correct="the logarithm of the sum" edits="textbook"
# - causal = torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=-1)
# - full = torch.softmax(scores, dim=-1)
# + masked = scores.masked_fill(hidden, -torch.inf)
# + causal = (masked - masked.logsumexp(dim=-1, keepdim=True)).exp()
# + full = (scores - scores.logsumexp(dim=-1, keepdim=True)).exp()

# %% mistake="written-in-place" also="input-modified" edits="textbook"
# - causal = torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=-1)
# + causal = torch.softmax(scores.masked_fill_(hidden, -torch.inf), dim=-1)

# %% mistake="written-in-place: by an index" also="input-modified" edits="textbook"
# - causal = torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=-1)
# + scores[hidden] = -torch.inf
# + causal = torch.softmax(scores, dim=-1)

# %% mistake="written-in-place: another name is no copy" also="input-modified" edits="textbook"
# - causal = torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=-1)
# + masked = scores
# + causal = torch.softmax(masked.masked_fill_(hidden, -torch.inf), dim=-1)

# %% mistake="written-in-place: a copy, made too late" edits="textbook"
# - causal = torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=-1)
# + scores = scores.masked_fill(hidden, -torch.inf)
# + causal = torch.softmax(scores, dim=-1)

# %% mistake="input-modified: the lines exchanged" edits="textbook"
# - causal = torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=-1)
# - full = torch.softmax(scores, dim=-1)
# + full = torch.softmax(scores, dim=-1)
# + causal = torch.softmax(scores.masked_fill_(hidden, -torch.inf), dim=-1)

# %% mistake="results-exchanged" edits="textbook"
# - return causal, full
# + return full, causal

# %% mistake="mask-missing" edits="textbook"
# - causal = torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=-1)
# + scores.masked_fill(hidden, -torch.inf)
# + causal = torch.softmax(scores, dim=-1)

# %% mistake="mask-inverted" also="not-finite" edits="textbook"
# - hidden = torch.ones_like(scores).triu(diagonal=1).bool()
# + hidden = torch.ones_like(scores).tril().bool()

# %% mistake="mask-hides-diagonal" also="not-finite" edits="textbook"
# - hidden = torch.ones_like(scores).triu(diagonal=1).bool()
# + hidden = torch.ones_like(scores).triu().bool()

# %% mistake="mask-zero-not-inf" edits="textbook"
# - causal = torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=-1)
# + causal = torch.softmax(scores.masked_fill(hidden, 0.0), dim=-1)

# %% mistake="softmax-wrong-axis" edits="textbook"
# - causal = torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=-1)
# - full = torch.softmax(scores, dim=-1)
# + causal = torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=0)
# + full = torch.softmax(scores, dim=0)

# %% mistake="wrong-type: the causal weights alone" edits="textbook"
# - return causal, full
# + return causal

# %% mistake="no-gradient" edits="textbook"
# - causal = torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=-1)
# + causal = torch.softmax(scores.detach().clone().masked_fill_(hidden, -torch.inf), dim=-1)

# %% mistake="mask-after-softmax: not normalized again" also="not-renormalized" edits="textbook"
# - causal = torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=-1)
# + causal = torch.softmax(scores, dim=-1) * ~hidden

# %% mistake="unrecognized: the mean of both" edits="textbook"
# - return causal, full
# + return causal, (causal + full) / 2

# %% mistake="not-implemented" edits="textbook"
# - return causal, full
# + raise NotImplementedError("Write your answer here, then delete this line.")


# %% correct="by the logarithm of the sum"
def fixed_12(scores):
    future = torch.ones_like(scores, dtype=torch.bool).triu(1)
    seen = scores.masked_fill(future, -torch.inf)
    return tuple((one - one.logsumexp(dim=-1, keepdim=True)).exp() for one in (seen, scores))


# %% mistake="mask-inverted: a token sees itself" edits="textbook"
# - hidden = torch.ones_like(scores).triu(diagonal=1).bool()
# + hidden = torch.ones_like(scores).tril(diagonal=-1).bool()

# %% mistake="mask-by-value" also="not-finite" edits="textbook"
# - causal = torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=-1)
# + causal = torch.softmax(scores.masked_fill(scores.tril() == 0, -torch.inf), dim=-1)
