# %% setup
import torch
import torch.nn.functional as F


# %% correct="textbook"
def fixed_01(scores):
    return torch.softmax(scores, dim=-1)


# %% correct="by hand"
def fixed_01(scores):
    powers = torch.exp(scores - scores.max(dim=1, keepdim=True).values)
    return powers / powers.sum(dim=1, keepdim=True)


# %% correct="row by row"
def fixed_01(scores):
    rows = []
    for row in scores:
        rows.append(F.softmax(row, dim=0))
    return torch.stack(rows)


# %% correct="columns of the transpose"
def fixed_01(scores):
    return scores.t().softmax(0).t()


# %% correct="the logarithm of the sum" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return (scores - scores.logsumexp(dim=-1, keepdim=True)).exp()


# %% mistake="softmax-wrong-axis"
def fixed_01(scores):
    return torch.softmax(scores, dim=0)


# %% mistake="softmax-wrong-axis: as -2"
def fixed_01(scores):
    return torch.softmax(scores, dim=-2)


# %% mistake="result-transposed" also="wrong-shape"
def fixed_01(scores):
    return torch.softmax(scores.T, dim=0)


# %% mistake="wrong-shape: columns, transposed"
def fixed_01(scores):
    return torch.softmax(scores.T, dim=-1)


# %% mistake="softmax-unexpected"
def fixed_01(scores):
    return torch.softmax(torch.softmax(scores, dim=0), dim=-1)


# %% mistake="renormalized-wrong-axis"
def fixed_01(scores):
    weights = torch.softmax(scores, dim=0)
    return weights / weights.sum(dim=-1, keepdim=True)


# %% mistake="softmax-over-all"
def fixed_01(scores):
    return torch.softmax(scores.flatten(), dim=0).view(scores.shape)


# %% mistake="sum-normalized"
def fixed_01(scores):
    return scores / scores.sum(dim=-1, keepdim=True)


# %% mistake="unstable-softmax" also="not-finite"
def fixed_01(scores):
    powers = scores.exp()
    return powers / powers.sum(dim=-1, keepdim=True)


# %% mistake="log-softmax"
def fixed_01(scores):
    return torch.log_softmax(scores, dim=-1)


# %% mistake="wrong-type: a forgotten return"
def fixed_01(scores):
    weights = torch.softmax(scores, dim=-1)


# %% mistake="no-gradient"
def fixed_01(scores):
    return torch.softmax(scores.detach(), dim=-1)


# %% mistake="wrong-dtype"
def fixed_01(scores):
    return torch.softmax(scores, dim=-1, dtype=torch.float32)


# %% mistake="input-modified"
def fixed_01(scores):
    scores -= scores.max(dim=-1, keepdim=True).values
    return torch.softmax(scores, dim=-1)


# %% mistake="unrecognized: sharper"
def fixed_01(scores):
    return torch.softmax(2 * scores, dim=-1)


# %% mistake="unrecognized: the mean of both"
def fixed_01(scores):
    return (torch.softmax(scores, dim=0) + torch.softmax(scores, dim=1)) / 2


# %% mistake="not-implemented"
def fixed_01(scores):
    raise NotImplementedError("Write your answer here, then delete this line.")


# %% correct="by the logarithm of the sum"
def fixed_01(scores):
    return (scores - scores.logsumexp(dim=1, keepdim=True)).exp()


# %% mistake="unstable-softmax: the first is subtracted" also="not-finite"
def fixed_01(scores):
    powers = torch.exp(scores - scores[:, :1])
    return powers / powers.sum(dim=-1, keepdim=True)


# %% mistake="unstable-softmax: the largest in size is subtracted" also="not-finite"
def fixed_01(scores):
    powers = torch.exp(scores - scores.abs().amax(dim=-1, keepdim=True))
    return powers / powers.sum(dim=-1, keepdim=True)


# %% mistake="argument-watched"
def fixed_01(scores):
    scores.requires_grad_()
    return torch.softmax(scores, dim=-1)


# %% correct="written into zeros, row by row"
def fixed_01(scores):
    out = torch.zeros_like(scores)
    for i in range(scores.shape[0]):
        powers = torch.exp(scores[i] - scores[i].max())
        out[i] = powers / powers.sum()
    return out


# %% mistake="scale-unexpected: by the width" edits="textbook"
# - return torch.softmax(scores, dim=-1)
# + return torch.softmax(scores / scores.shape[-1] ** 0.5, dim=-1)
