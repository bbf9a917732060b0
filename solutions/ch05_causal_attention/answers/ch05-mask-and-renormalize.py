# %% setup
import torch


# %% correct="tril of the weights"
def mask_and_renormalize(weights):
    past = torch.tril(weights)
    return past / past.sum(dim=-1, keepdim=True)


# %% correct="times a mask of ones"
def mask_and_renormalize(weights):
    size = weights.shape[-1]
    allowed = torch.tril(torch.ones(size, size, device=weights.device))
    weights = weights * allowed
    sums = weights.sum(-1).unsqueeze(-1)
    return weights / sums


# %% correct="masked_fill"
def mask_and_renormalize(weights):
    size = weights.shape[-1]
    hidden = torch.ones(size, size, dtype=torch.bool, device=weights.device).triu(1)
    past = weights.masked_fill(hidden, 0.0)
    return torch.nn.functional.normalize(past, p=1, dim=-1)


# %% correct="torch.where"
def mask_and_renormalize(weights):
    place = torch.arange(weights.shape[-1], device=weights.device)
    past = torch.where(place <= place[:, None], weights, 0.0)
    return torch.einsum("...qk,...q->...qk", past, 1 / past.sum(dim=-1))


# %% correct="row by row"
def mask_and_renormalize(weights):
    rows = []
    for i in range(weights.shape[-2]):
        past = weights[..., i, : i + 1]
        row = torch.zeros_like(weights[..., i, :])
        row[..., : i + 1] = past / past.sum(dim=-1, keepdim=True)
        rows.append(row)
    return torch.stack(rows, dim=-2)


# %% correct="a clone is written into"
def mask_and_renormalize(weights):
    past = weights.clone()
    size = past.size(-1)
    past[..., torch.triu(torch.ones(size, size, device=past.device), diagonal=1).bool()] = 0
    return past / past.sum(axis=-1, keepdims=True)


# %% correct="softmax of logarithms"
def mask_and_renormalize(weights):
    size = weights.shape[-1]
    hidden = torch.ones(size, size, device=weights.device).triu(1).bool()
    return weights.log().masked_fill(hidden, -torch.inf).softmax(dim=-1)


# %% mistake="not-renormalized"
def mask_and_renormalize(weights):
    return torch.tril(weights)


# %% mistake="renormalized-wrong-axis" edits="tril of the weights"
# - return past / past.sum(dim=-1, keepdim=True)
# + return past / past.sum(dim=-2, keepdim=True)

# %% mistake="renormalized-wrong-axis: right without a batch" edits="tril of the weights"
# - return past / past.sum(dim=-1, keepdim=True)
# + return past / past.sum(dim=1, keepdim=True)

# %% mistake="renormalized-wrong-axis: right for one batch axis" also="raises" edits="tril of the weights"
# - return past / past.sum(dim=-1, keepdim=True)
# + return past / past.sum(dim=2, keepdim=True)

# %% mistake="renormalized-wrong-axis: the first" edits="tril of the weights"
# - return past / past.sum(dim=-1, keepdim=True)
# + return past / past.sum(dim=0, keepdim=True)

# %% mistake="renormalized-wrong-axis: all of it" edits="tril of the weights"
# - return past / past.sum(dim=-1, keepdim=True)
# + return past / past.sum()

# %% mistake="keepdim-missing" edits="tril of the weights"
# - return past / past.sum(dim=-1, keepdim=True)
# + return past / past.sum(dim=-1)


# %% mistake="mask-missing"
def mask_and_renormalize(weights):
    return weights / weights.sum(dim=-1, keepdim=True)


# %% mistake="mask-missing: nor anything else"
def mask_and_renormalize(weights):
    return weights.clone()


# %% mistake="mask-missing: its result is not used"
def mask_and_renormalize(weights):
    torch.tril(weights)
    weights.masked_fill(torch.ones_like(weights).triu(1).bool(), 0.0)
    return weights / weights.sum(dim=-1, keepdim=True)


# %% mistake="mask-looks-ahead" edits="tril of the weights"
# - past = torch.tril(weights)
# + past = torch.tril(weights, diagonal=1)

# %% mistake="mask-inverted: a token sees itself" edits="tril of the weights"
# - past = torch.tril(weights)
# + past = torch.triu(weights)

# %% mistake="mask-inverted" also="not-finite" edits="tril of the weights"
# - past = torch.tril(weights)
# + past = torch.triu(weights, diagonal=1)

# %% mistake="mask-hides-diagonal" also="not-finite" edits="tril of the weights"
# - past = torch.tril(weights)
# + past = torch.tril(weights, diagonal=-1)

# %% mistake="softmax-unexpected" edits="tril of the weights"
# - return past / past.sum(dim=-1, keepdim=True)
# + return torch.softmax(past, dim=-1)

# %% mistake="softmax-unexpected: minus infinity into weights" edits="masked_fill"
# - past = weights.masked_fill(hidden, 0.0)
# - return torch.nn.functional.normalize(past, p=1, dim=-1)
# + return weights.masked_fill(hidden, -torch.inf).softmax(dim=-1)

# %% mistake="mask-nan" also="not-finite" edits="masked_fill"
# - past = weights.masked_fill(hidden, 0.0)
# - return torch.nn.functional.normalize(past, p=1, dim=-1)
# + past = weights.masked_fill(hidden, -torch.inf)
# + return past / past.sum(dim=-1, keepdim=True)

# %% mistake="not-renormalized: divided before, not after" edits="tril of the weights"
# - past = torch.tril(weights)
# - return past / past.sum(dim=-1, keepdim=True)
# + weights = weights / weights.sum(dim=-1, keepdim=True)
# + return torch.tril(weights)


# %% mistake="input-modified"
def mask_and_renormalize(weights):
    size = weights.shape[-1]
    weights[..., torch.ones(size, size, device=weights.device).triu(1).bool()] = 0
    return weights / weights.sum(dim=-1, keepdim=True)


# %% mistake="input-modified: masked_fill_" edits="masked_fill"
# - past = weights.masked_fill(hidden, 0.0)
# + past = weights.masked_fill_(hidden, 0.0)

# %% mistake="input-modified: multiplied in place" edits="times a mask of ones"
# - weights = weights * allowed
# + weights *= allowed

# %% mistake="input-modified: tril_" edits="tril of the weights"
# - past = torch.tril(weights)
# + past = weights.tril_()

# %% mistake="no-gradient" edits="tril of the weights"
# - past = torch.tril(weights)
# + past = torch.tril(weights.detach())

# %% mistake="no-gradient: through the sums" edits="tril of the weights"
# - return past / past.sum(dim=-1, keepdim=True)
# + return past / past.sum(dim=-1, keepdim=True).detach()


# %% mistake="no-gradient: a new tensor of numbers"
def mask_and_renormalize(weights):
    past = torch.tensor(torch.tril(weights).tolist(), dtype=weights.dtype, device=weights.device)
    return past / past.sum(dim=-1, keepdim=True)


# %% mistake="wrong-dtype" edits="tril of the weights"
# - past = torch.tril(weights)
# + past = torch.tril(weights).double()

# %% mistake="wrong-dtype: always float32" edits="tril of the weights"
# - past = torch.tril(weights)
# + past = torch.tril(weights).float()

# %% mistake="wrong-type: context and sums" edits="tril of the weights"
# - return past / past.sum(dim=-1, keepdim=True)
# + return past, past.sum(dim=-1, keepdim=True)

# %% mistake="wrong-type: nothing returned" edits="tril of the weights"
# - return past / past.sum(dim=-1, keepdim=True)
# + past /= past.sum(dim=-1, keepdim=True)

# %% mistake="raises: the size of the first axis" edits="times a mask of ones"
# - size = weights.shape[-1]
# + size = weights.shape[0]

# %% mistake="raises: transposed for two axes only" edits="tril of the weights"
# - return past / past.sum(dim=-1, keepdim=True)
# + return (past.t() / past.sum(dim=-1)).t()

# %% mistake="raises: six tokens" edits="times a mask of ones"
# - size = weights.shape[-1]
# + size = 6

# %% mistake="raises" edits="tril of the weights"
# - past = torch.tril(weights)
# + past = torch.tril(attention_weights)


# %% mistake="not-implemented"
def mask_and_renormalize(weights):
    raise NotImplementedError("Write your answer here, then delete this line.")


# %% mistake="not-defined" edits="tril of the weights"
# - def mask_and_renormalize(weights):
# + def renormalize(weights):

# %% mistake="syntax-error" edits="tril of the weights"
# - past = torch.tril(weights)
# + past = torch.tril(weights


# %% mistake="hard-coded"
def mask_and_renormalize(weights):
    return torch.tensor(
        [
            [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            [0.5517, 0.4483, 0.0, 0.0, 0.0, 0.0],
            [0.3800, 0.3097, 0.3103, 0.0, 0.0, 0.0],
            [0.2758, 0.2460, 0.2462, 0.2319, 0.0, 0.0],
            [0.2175, 0.1983, 0.1984, 0.1888, 0.1971, 0.0],
            [0.1935, 0.1663, 0.1666, 0.1542, 0.1666, 0.1529],
        ]
    )


# %% mistake="argument-unused: the mean of the past"
def mask_and_renormalize(weights):
    past = torch.tril(torch.ones_like(weights))
    return past / past.sum(dim=-1, keepdim=True)


# %% mistake="unrecognized: by the largest" edits="tril of the weights"
# - return past / past.sum(dim=-1, keepdim=True)
# + return past / past.amax(dim=-1, keepdim=True)

# %% mistake="unrecognized: by the Euclidean length" edits="tril of the weights"
# - return past / past.sum(dim=-1, keepdim=True)
# + return past / past.norm(dim=-1, keepdim=True)


# %% correct="divided in float32" remark="precision-lost"
def mask_and_renormalize(weights):
    past = torch.tril(weights).float()
    return (past / past.sum(dim=-1, keepdim=True)).to(weights.dtype)


# %% mistake="fixed-number-of-axes: four at most"
def mask_and_renormalize(weights):
    past = torch.tril(weights) if weights.dim() < 5 else weights
    return past / past.sum(dim=-1, keepdim=True)


# %% correct="one step a line"
def mask_and_renormalize(weights):
    size = weights.shape[-1]
    allowed = torch.ones(size, size, device=weights.device).tril()
    past = weights * allowed
    sums = past.sum(dim=-1, keepdim=True)
    shares = past / sums
    return shares


# %% mistake="mask-inverted: a step" also="not-finite" edits="one step a line"
# - allowed = torch.ones(size, size, device=weights.device).tril()
# + allowed = torch.ones(size, size, device=weights.device).triu(diagonal=1)

# %% mistake="mask-inverted: a step, a token sees itself" edits="one step a line"
# - allowed = torch.ones(size, size, device=weights.device).tril()
# + allowed = torch.ones(size, size, device=weights.device).triu()

# %% mistake="mask-inverted: the past but one" edits="one step a line"
# - allowed = torch.ones(size, size, device=weights.device).tril()
# + allowed = torch.ones(size, size, device=weights.device).triu(diagonal=-1)

# %% mistake="mask-inverted: a sum of 0 is avoided" edits="one step a line"
# - allowed = torch.ones(size, size, device=weights.device).tril()
# - past = weights * allowed
# - sums = past.sum(dim=-1, keepdim=True)
# + allowed = torch.ones(size, size, device=weights.device).triu(diagonal=1)
# + past = weights * allowed
# + sums = past.sum(dim=-1, keepdim=True).clamp(min=1e-9)

# %% mistake="mask-looks-ahead: a step" edits="one step a line"
# - allowed = torch.ones(size, size, device=weights.device).tril()
# + allowed = torch.ones(size, size, device=weights.device).tril(diagonal=1)

# %% mistake="mask-hides-diagonal: a step" also="not-finite" edits="one step a line"
# - allowed = torch.ones(size, size, device=weights.device).tril()
# + allowed = torch.ones(size, size, device=weights.device).tril(diagonal=-1)

# %% mistake="mask-hides-diagonal: a sum of 0 is avoided" edits="one step a line"
# - allowed = torch.ones(size, size, device=weights.device).tril()
# - past = weights * allowed
# - sums = past.sum(dim=-1, keepdim=True)
# + allowed = torch.ones(size, size, device=weights.device).tril(diagonal=-1)
# + past = weights * allowed
# + sums = past.sum(dim=-1, keepdim=True).clamp(min=1e-9)

# %% mistake="mask-missing: a step" edits="one step a line"
# - past = weights * allowed
# + past = weights

# %% mistake="renormalized-wrong-axis: a step" edits="one step a line"
# - sums = past.sum(dim=-1, keepdim=True)
# + sums = past.sum(dim=-2, keepdim=True)

# %% mistake="renormalized-wrong-axis: a step, all of it" edits="one step a line"
# - sums = past.sum(dim=-1, keepdim=True)
# + sums = past.sum()

# %% mistake="keepdim-missing: a step" edits="one step a line"
# - sums = past.sum(dim=-1, keepdim=True)
# + sums = past.sum(dim=-1)

# %% mistake="not-renormalized: a step" edits="one step a line"
# - shares = past / sums
# + shares = past

# %% mistake="softmax-unexpected: a step" edits="one step a line"
# - shares = past / sums
# + shares = torch.softmax(past, dim=-1)

# %% mistake="softmax-unexpected: one more at the end" edits="one step a line"
# - return shares
# + return torch.softmax(shares, dim=-1)


# %% correct="filled into zeros"
def mask_and_renormalize(weights):
    shares = torch.zeros_like(weights)
    for i in range(weights.shape[-1]):
        total = weights[..., i, : i + 1].sum(dim=-1)
        for j in range(i + 1):
            shares[..., i, j] = weights[..., i, j] / total
    return shares


# %% mistake="first-round-only" edits="filled into zeros"
# - return shares
# +     return shares


# %% mistake="running-sum"
def mask_and_renormalize(weights):
    shares = torch.zeros_like(weights)
    for i in range(weights.shape[-1]):
        total = 0
        for j in range(i + 1):
            total = total + weights[..., i, j]
            shares[..., i, j] = weights[..., i, j] / total
    return shares


# %% mistake="keepdim-missing: a mask of six tokens" edits="times a mask of ones"
# - allowed = torch.tril(torch.ones(size, size, device=weights.device))
# + allowed = torch.tril(torch.ones(6, 6))
# - sums = weights.sum(-1).unsqueeze(-1)
# + sums = weights.sum(-1)

# %% mistake="not-renormalized: a mask of six tokens" edits="times a mask of ones"
# - allowed = torch.tril(torch.ones(size, size, device=weights.device))
# + allowed = torch.tril(torch.ones(6, 6))
# - sums = weights.sum(-1).unsqueeze(-1)
# - return weights / sums
# + return weights
