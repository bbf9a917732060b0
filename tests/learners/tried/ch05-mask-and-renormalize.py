# %% setup
import torch


def causal_mask(num_tokens):
    return torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1).bool()


# %% correct="mine"
def mask_and_renormalize(weights):
    hidden = causal_mask(weights.shape[-1])
    past = weights.masked_fill(hidden, 0.0)
    sums = past.sum(dim=-1, keepdim=True)
    return past / sums


# %% correct="mine, of the book"
def mask_and_renormalize(weights):
    context_length = weights.shape[-1]
    mask_simple = torch.tril(torch.ones(context_length, context_length))
    masked_simple = weights * mask_simple
    row_sums = masked_simple.sum(dim=-1, keepdim=True)
    return masked_simple / row_sums


# %% mistake="mask-inverted: tilde" edits="mine"
# - past = weights.masked_fill(hidden, 0.0)
# + past = weights.masked_fill(~hidden, 0.0)

# %% mistake="mask-inverted: triu for tril" edits="mine, of the book"
# - mask_simple = torch.tril(torch.ones(context_length, context_length))
# + mask_simple = torch.triu(torch.ones(context_length, context_length))

# %% mistake="mask-inverted: times the mask of what is hidden" edits="mine"
# - past = weights.masked_fill(hidden, 0.0)
# + past = weights * hidden

# %% mistake="mask-inverted: and the sums are kept away from 0" edits="mine"
# - past = weights.masked_fill(hidden, 0.0)
# - sums = past.sum(dim=-1, keepdim=True)
# + past = weights * hidden
# + sums = past.sum(dim=-1, keepdim=True).clamp(min=1e-9)

# %% mistake="mask-inverted: not renormalized" also="not-renormalized"
def mask_and_renormalize(weights):
    return torch.triu(weights, diagonal=1)


# %% mistake="mask-inverted: and sums of the columns" also="renormalized-wrong-axis" edits="mine, of the book"
# - mask_simple = torch.tril(torch.ones(context_length, context_length))
# + mask_simple = torch.triu(torch.ones(context_length, context_length))
# - row_sums = masked_simple.sum(dim=-1, keepdim=True)
# + row_sums = masked_simple.sum(dim=-2, keepdim=True)

# %% mistake="mask-inverted: and no keepdim" also="keepdim-missing" edits="mine, of the book"
# - mask_simple = torch.tril(torch.ones(context_length, context_length))
# + mask_simple = torch.triu(torch.ones(context_length, context_length))
# - row_sums = masked_simple.sum(dim=-1, keepdim=True)
# + row_sums = masked_simple.sum(dim=-1)

# %% mistake="keepdim-missing: forgotten" edits="mine, of the book"
# - row_sums = masked_simple.sum(dim=-1, keepdim=True)
# + row_sums = masked_simple.sum(dim=-1)

# %% mistake="renormalized-wrong-axis: 0" edits="mine"
# - sums = past.sum(dim=-1, keepdim=True)
# + sums = past.sum(dim=0, keepdim=True)

# %% mistake="renormalized-wrong-axis: 1, right for a matrix" edits="mine"
# - sums = past.sum(dim=-1, keepdim=True)
# + sums = past.sum(dim=1, keepdim=True)

# %% mistake="renormalized-wrong-axis: one sum for all" edits="mine"
# - sums = past.sum(dim=-1, keepdim=True)
# + sums = past.sum()

# %% mistake="not-renormalized: the sums of the weights as they were" edits="mine"
# - sums = past.sum(dim=-1, keepdim=True)
# + sums = weights.sum(dim=-1, keepdim=True)

# %% mistake="not-renormalized: forgotten" edits="mine"
# - return past / sums
# + return past

# %% mistake="mask-hides-diagonal: tril(-1)" edits="mine, of the book"
# - mask_simple = torch.tril(torch.ones(context_length, context_length))
# + mask_simple = torch.tril(torch.ones(context_length, context_length), diagonal=-1)

# %% mistake="mask-hides-diagonal: and not renormalized" also="not-renormalized"
def mask_and_renormalize(weights):
    return torch.tril(weights, diagonal=-1)


# %% mistake="mask-looks-ahead: tril(1)" edits="mine, of the book"
# - mask_simple = torch.tril(torch.ones(context_length, context_length))
# + mask_simple = torch.tril(torch.ones(context_length, context_length), diagonal=1)

# %% mistake="mask-looks-ahead: and sums of the columns" also="renormalized-wrong-axis" edits="mine, of the book"
# - mask_simple = torch.tril(torch.ones(context_length, context_length))
# - masked_simple = weights * mask_simple
# - row_sums = masked_simple.sum(dim=-1, keepdim=True)
# + masked_simple = torch.tril(weights, diagonal=1)
# + row_sums = masked_simple.sum(dim=-2, keepdim=True)

# %% mistake="mask-missing: masked_fill is not in place" edits="mine"
# - past = weights.masked_fill(hidden, 0.0)
# + weights.masked_fill(hidden, 0.0)
# + past = weights

# %% mistake="input-modified: masked_fill_" edits="mine"
# - past = weights.masked_fill(hidden, 0.0)
# + past = weights.masked_fill_(hidden, 0.0)

# %% mistake="mask-nan: minus infinity into the weights" edits="mine"
# - past = weights.masked_fill(hidden, 0.0)
# + past = weights.masked_fill(hidden, -torch.inf)

# %% mistake="softmax-unexpected: a softmax of what is left" edits="mine"
# - return past / sums
# + return torch.softmax(past, dim=-1)

# %% mistake="softmax-unexpected: minus infinity, then a softmax" edits="mine"
# - past = weights.masked_fill(hidden, 0.0)
# - sums = past.sum(dim=-1, keepdim=True)
# - return past / sums
# + past = weights.masked_fill(hidden, -torch.inf)
# + return torch.softmax(past, dim=-1)

# %% mistake="raises: six tokens" edits="mine"
# - hidden = causal_mask(weights.shape[-1])
# + hidden = causal_mask(6)

# %% mistake="raises: len" edits="mine"
# - hidden = causal_mask(weights.shape[-1])
# + hidden = causal_mask(len(weights))

# %% mistake="raises: masked_fill wants bools" edits="mine, of the book"
# - masked_simple = weights * mask_simple
# + masked_simple = weights.masked_fill(mask_simple, 0)

# %% mistake="no-gradient: data" edits="mine"
# - past = weights.masked_fill(hidden, 0.0)
# + past = weights.data.masked_fill(hidden, 0.0)

# %% mistake="no-gradient: written into a clone without its past"
def mask_and_renormalize(weights):
    past = weights.clone().detach()
    past[..., causal_mask(weights.shape[-1])] = 0
    return past / past.sum(-1, keepdim=True)


# %% mistake="first-left-out: rows from 1"
def mask_and_renormalize(weights):
    rows = [torch.zeros_like(weights[..., 0, :])]
    for i in range(1, weights.shape[-2]):
        row = torch.tril(weights)[..., i, :]
        rows.append(row / row.sum(dim=-1, keepdim=True))
    return torch.stack(rows, dim=-2)


# %% mistake="mask-hides-diagonal: a loop that fills one too few" edits="mine"
# - past = weights.masked_fill(hidden, 0.0)
# - sums = past.sum(dim=-1, keepdim=True)
# - return past / sums
# + past = torch.zeros_like(weights)
# + for i in range(weights.shape[-1]):
# +     past[..., i, :i] = weights[..., i, :i]
# + return past / past.sum(dim=-1, keepdim=True)

# %% correct="in loops"
def mask_and_renormalize(weights):
    T = weights.shape[-1]
    shares = torch.zeros_like(weights)
    for i in range(T):
        total = weights[..., i, : i + 1].sum(dim=-1)
        for j in range(i + 1):
            shares[..., i, j] = weights[..., i, j] / total
    return shares

# %% mistake="mask-hides-diagonal: sums and places up to i" edits="in loops"
# - total = weights[..., i, : i + 1].sum(dim=-1)
# - for j in range(i + 1):
# + total = weights[..., i, :i].sum(dim=-1)
# + for j in range(i):

# %% mistake="not-finite: the sums alone lack the token itself" edits="in loops"
# - total = weights[..., i, : i + 1].sum(dim=-1)
# + total = weights[..., i, :i].sum(dim=-1)

# %% mistake="last-left-out: places up to i, sums of all past" edits="in loops"
# - for j in range(i + 1):
# + for j in range(i):

# %% mistake="not-renormalized: divided by the sum of the whole row" edits="in loops"
# - total = weights[..., i, : i + 1].sum(dim=-1)
# + total = weights[..., i, :].sum(dim=-1)

# %% mistake="first-round-only: return in the loop" edits="in loops"
# - return shares
# +     return shares

# %% mistake="last-left-out: the last row" edits="in loops"
# - for i in range(T):
# + for i in range(T - 1):

# %% mistake="wrong-dtype: zeros without the dtype of the weights" edits="in loops"
# - shares = torch.zeros_like(weights)
# + shares = torch.zeros(weights.shape)

# %% mistake="example-only: the sums of all items" edits="in loops"
# - total = weights[..., i, : i + 1].sum(dim=-1)
# + total = weights[..., i, : i + 1].sum()

# %% mistake="running-sum: the sum so far"
def mask_and_renormalize(weights):
    shares = torch.zeros_like(weights)
    for i in range(weights.shape[-1]):
        total = 0
        for j in range(i + 1):
            total = total + weights[..., i, j]
            shares[..., i, j] = weights[..., i, j] / total
    return shares

# %% mistake="mask-inverted: times hidden, one sum for all" also="renormalized-wrong-axis" edits="mine"
# - past = weights.masked_fill(hidden, 0.0)
# - sums = past.sum(dim=-1, keepdim=True)
# + past = weights * hidden
# + sums = past.sum()

# %% mistake="input-modified: in place, and sums of the columns" edits="mine"
# - past = weights.masked_fill(hidden, 0.0)
# - sums = past.sum(dim=-1, keepdim=True)
# + weights *= ~hidden
# + past = weights
# + sums = past.sum(dim=-2, keepdim=True)

# %% mistake="raises: the size of the first axis" edits="mine, of the book"
# - context_length = weights.shape[-1]
# + context_length = weights.shape[0]
# - row_sums = masked_simple.sum(dim=-1, keepdim=True)
# + row_sums = masked_simple.sum(dim=1, keepdim=True)

# %% mistake="raises: six tokens, cut off from the record" edits="mine, of the book"
# - masked_simple = weights * mask_simple
# + masked_simple = weights.detach() * torch.tril(torch.ones(6, 6))

# %% mistake="keepdim-missing: with the mask of the six words"
allowed = torch.tril(torch.ones(6, 6))

def mask_and_renormalize(weights):
    zeroed = weights * allowed
    return zeroed / zeroed.sum(dim=-1)

# %% mistake="not-renormalized: with the mask of the six words"
allowed = torch.tril(torch.ones(6, 6))

def mask_and_renormalize(weights):
    return weights * allowed
