# %% setup
import math

import torch
import torch.nn.functional as F


def causal_mask(num_tokens):
    return torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1).bool()


def additive_causal_mask(num_tokens):
    return torch.zeros(num_tokens, num_tokens).masked_fill(causal_mask(num_tokens), -torch.inf)


# %% correct="mine"
def causal_attention_weights(scores, d_k):
    T = scores.shape[-1]
    mask = causal_mask(T)
    scores = scores.masked_fill(mask, float("-inf"))
    return F.softmax(scores / math.sqrt(d_k), dim=-1)


# %% correct="with the additive mask"
def causal_attention_weights(scores, d_k):
    mask = additive_causal_mask(scores.size(-1))
    scaled = scores / d_k**0.5
    return torch.softmax(scaled + mask, -1)


# %% mistake="mask-inverted: tilde" edits="mine"
# - scores = scores.masked_fill(mask, float("-inf"))
# + scores = scores.masked_fill(~mask, float("-inf"))

# %% mistake="mask-inverted: equal to 0" edits="mine"
# - scores = scores.masked_fill(mask, float("-inf"))
# + scores = scores.masked_fill(mask == 0, float("-inf"))

# %% mistake="mask-inverted: tril, filled where 1" edits="mine"
# - mask = causal_mask(T)
# + mask = torch.tril(torch.ones(T, T))
# - scores = scores.masked_fill(mask, float("-inf"))
# + scores = scores.masked_fill(mask == 1, float("-inf"))

# %% mistake="mask-inverted: a large negative number" edits="mine"
# - scores = scores.masked_fill(mask, float("-inf"))
# + scores = scores.masked_fill(~mask, -1e9)

# %% mistake="mask-inverted: ten to the twenty" edits="mine"
# - scores = scores.masked_fill(mask, float("-inf"))
# + scores = scores.masked_fill(mask == 0, float("-1e20"))

# %% mistake="mask-inverted: a large number is added" edits="mine"
# - scores = scores.masked_fill(mask, float("-inf"))
# + scores = scores + torch.tril(torch.ones(T, T)) * -1e9

# %% mistake="mask-inverted: a large number is subtracted after the scale" edits="with the additive mask"
# - mask = additive_causal_mask(scores.size(-1))
# + mask = (~causal_mask(scores.size(-1))).float() * -1e9

# %% mistake="mask-inverted: where, arguments exchanged"
def causal_attention_weights(scores, d_k):
    T = scores.shape[-1]
    scores = torch.where(causal_mask(T), scores, torch.tensor(-torch.inf, dtype=scores.dtype))
    return torch.softmax(scores / d_k**0.5, dim=-1)


# %% mistake="mask-inverted: tril for triu, the diagonal as it was" edits="mine"
# - mask = causal_mask(T)
# + mask = torch.tril(torch.ones(T, T), diagonal=1).bool()

# %% mistake="mask-missing: masked_fill without its underscore" edits="mine"
# - scores = scores.masked_fill(mask, float("-inf"))
# + scores.masked_fill(mask, float("-inf"))

# %% mistake="input-modified: masked_fill_" edits="mine"
# - scores = scores.masked_fill(mask, float("-inf"))
# + scores.masked_fill_(mask, float("-inf"))

# %% mistake="mask-after-softmax: tril of the weights" edits="mine"
# - scores = scores.masked_fill(mask, float("-inf"))
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + weights = F.softmax(scores / math.sqrt(d_k), dim=-1)
# + return torch.tril(weights)

# %% mistake="mask-after-softmax: renormalized" edits="mine"
# - scores = scores.masked_fill(mask, float("-inf"))
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + weights = torch.tril(F.softmax(scores / math.sqrt(d_k), dim=-1))
# + return weights / weights.sum(dim=-1, keepdim=True)

# %% mistake="mask-zero-not-inf: tril of the scores" edits="mine"
# - scores = scores.masked_fill(mask, float("-inf"))
# + scores = torch.tril(scores)

# %% mistake="mask-zero-not-inf: the mask itself is added" edits="mine"
# - scores = scores.masked_fill(mask, float("-inf"))
# + scores = scores + mask

# %% mistake="mask-nan: the mask times minus infinity" edits="mine"
# - scores = scores.masked_fill(mask, float("-inf"))
# + scores = scores + mask.float() * float("-inf")

# %% mistake="mask-nan: the additive mask is multiplied" edits="with the additive mask"
# - return torch.softmax(scaled + mask, -1)
# + return torch.softmax(scaled * mask, -1)

# %% mistake="mask-hides-diagonal: triu without a diagonal" edits="mine"
# - mask = causal_mask(T)
# + mask = torch.triu(torch.ones(T, T)).bool()

# %% mistake="mask-hides-diagonal: one more to the left" edits="mine"
# - mask = causal_mask(T)
# + mask = torch.triu(torch.ones(T, T), diagonal=-1).bool()

# %% mistake="softmax-wrong-axis: 0" edits="mine"
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + return F.softmax(scores / math.sqrt(d_k), dim=0)

# %% mistake="softmax-wrong-axis: 1, right for a matrix" edits="mine"
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + return F.softmax(scores / math.sqrt(d_k), dim=1)

# %% mistake="missing-scale: d_k is not used" edits="mine"
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + return F.softmax(scores, dim=-1)

# %% mistake="scale-by-dk: no root" edits="mine"
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + return F.softmax(scores / d_k, dim=-1)

# %% mistake="scale-wrong-power: five" edits="mine"
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + return F.softmax(scores / d_k**5, dim=-1)

# %% mistake="root-precedence: the power ends before the fraction" edits="mine"
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + return F.softmax(scores / d_k ** 1/2, dim=-1)

# %% mistake="scale-by-tokens: the last axis" edits="mine"
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + return F.softmax(scores / math.sqrt(T), dim=-1)

# %% mistake="raises: the first axis is counted" edits="mine"
# - T = scores.shape[-1]
# + T = scores.shape[0]

# %% mistake="raises: T, T of the shape" edits="mine"
# - T = scores.shape[-1]
# + T, _ = scores.shape

# %% mistake="raises: masked_fill with the additive mask" edits="mine"
# - mask = causal_mask(T)
# + mask = additive_causal_mask(T)

# %% mistake="raises: six tokens" edits="mine"
# - T = scores.shape[-1]
# + T = 6

# %% mistake="no-gradient: a new tensor" edits="mine"
# - scores = scores.masked_fill(mask, float("-inf"))
# + scores = torch.tensor(scores).masked_fill(mask, float("-inf"))

# %% mistake="unstable-softmax: by hand" edits="mine"
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + powers = torch.exp(scores / math.sqrt(d_k))
# + return powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="keepdim-missing: by hand" edits="mine"
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + powers = torch.exp(scores / math.sqrt(d_k))
# + return powers / powers.sum(dim=-1)

# %% mistake="softmax-unexpected: weights are masked with the additive mask" edits="with the additive mask"
# - return torch.softmax(scaled + mask, -1)
# + return torch.softmax(torch.softmax(scaled, -1) + mask, -1)

# %% mistake="no-softmax: the scaled scores are returned" edits="with the additive mask"
# - return torch.softmax(scaled + mask, -1)
# + return scaled + mask

# %% mistake="mask-has-a-limit: minus one thousand" edits="mine"
# - scores = scores.masked_fill(mask, float("-inf"))
# + scores = scores.masked_fill(mask, -1000)

# %% mistake="missing-scale: and over columns" also="softmax-wrong-axis" edits="mine"
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + return F.softmax(scores, dim=-2)

# %% mistake="missing-scale: and no mask" also="mask-missing"
def causal_attention_weights(scores, d_k):
    return F.softmax(scores, dim=-1)


# %% mistake="missing-scale: and the mask turned round" also="mask-inverted" edits="mine"
# - scores = scores.masked_fill(mask, float("-inf"))
# + scores = scores.masked_fill(~mask, float("-inf"))
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + return F.softmax(scores, dim=-1)

# %% mistake="scale-by-dk: and the mask turned round, with -1e9" also="mask-inverted" edits="mine"
# - scores = scores.masked_fill(mask, float("-inf"))
# + scores = scores.masked_fill(~mask, -1e9)
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + return F.softmax(scores / d_k, dim=-1)

# %% mistake="missing-scale: and zeros for infinity" also="mask-zero-not-inf" edits="mine"
# - scores = scores.masked_fill(mask, float("-inf"))
# + scores = torch.tril(scores)
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + return F.softmax(scores, dim=-1)

# %% mistake="mask-after-softmax: and no scale" also="missing-scale" edits="mine"
# - scores = scores.masked_fill(mask, float("-inf"))
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + return torch.tril(F.softmax(scores, dim=-1))

# %% mistake="mask-missing: and over columns" also="softmax-wrong-axis" edits="with the additive mask"
# - return torch.softmax(scaled + mask, -1)
# + return torch.softmax(scaled, -2)

# %% mistake="mask-hides-diagonal: and no scale" also="missing-scale" edits="mine"
# - mask = causal_mask(T)
# + mask = torch.triu(torch.ones(T, T), diagonal=0).bool()
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + return F.softmax(scores, dim=-1)

# %% mistake="mask-inverted: and over columns" also="softmax-wrong-axis" edits="with the additive mask"
# - mask = additive_causal_mask(scores.size(-1))
# + mask = torch.full(scores.shape[-2:], -torch.inf).tril()
# - return torch.softmax(scaled + mask, -1)
# + return torch.softmax(scaled + mask, -2)

# %% mistake="mask-looks-ahead: and scaled by d_k" also="scale-by-dk" edits="mine"
# - mask = causal_mask(T)
# + mask = torch.triu(torch.ones(T, T), diagonal=2).bool()
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + return F.softmax(scores / d_k, dim=-1)

# %% mistake="mask-inverted: after the softmax" also="mask-after-softmax" edits="mine"
# - scores = scores.masked_fill(mask, float("-inf"))
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + return F.softmax(scores / math.sqrt(d_k), dim=-1) * mask

# %% mistake="mask-inverted: after the softmax, renormalized" also="mask-after-softmax" edits="mine"
# - scores = scores.masked_fill(mask, float("-inf"))
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + weights = F.softmax(scores / math.sqrt(d_k), dim=-1) * mask
# + return weights / weights.sum(dim=-1, keepdim=True)

# %% mistake="mask-after-softmax: renormalized, and no scale" also="missing-scale" edits="mine"
# - scores = scores.masked_fill(mask, float("-inf"))
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + weights = torch.tril(F.softmax(scores, dim=-1))
# + return weights / weights.sum(dim=-1, keepdim=True)

# %% mistake="unrecognized: a softmax of exponentials" edits="mine"
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + return F.softmax(torch.exp(scores / math.sqrt(d_k)), dim=-1)

# %% mistake="example-only: the keys of the notebook" edits="mine"
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + keys = torch.zeros(6, 2)
# + return F.softmax(scores / keys.shape[-1] ** 0.5, dim=-1)

# %% mistake="unstable-softmax: and no scale" also="missing-scale" edits="mine"
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + return torch.exp(scores) / torch.exp(scores).sum(dim=-1, keepdim=True)

# %% correct="in loops"
def causal_attention_weights(scores, d_k):
    T = scores.shape[-1]
    scaled = scores / d_k**0.5
    weights = torch.zeros_like(scores)
    for i in range(T):
        weights[..., i, : i + 1] = torch.softmax(scaled[..., i, : i + 1], dim=-1)
    return weights

# %% correct="in two loops"
def causal_attention_weights(scores, d_k):
    T = scores.shape[-1]
    masked = scores.clone()
    for i in range(T):
        for j in range(i + 1, T):
            masked[..., i, j] = -math.inf
    scaled = masked / math.sqrt(d_k)
    return torch.softmax(scaled, dim=-1)

# %% mistake="mask-hides-diagonal: up to i" edits="in loops"
# - weights[..., i, : i + 1] = torch.softmax(scaled[..., i, : i + 1], dim=-1)
# + weights[..., i, :i] = torch.softmax(scaled[..., i, :i], dim=-1)

# %% mistake="mask-hides-diagonal: up to i, and no scale" also="missing-scale" edits="in loops"
# - weights[..., i, : i + 1] = torch.softmax(scaled[..., i, : i + 1], dim=-1)
# + weights[..., i, :i] = torch.softmax(scaled[..., i, :i], dim=-1)
# - scaled = scores / d_k**0.5
# + scaled = scores

# %% mistake="mask-hides-diagonal: up to i, and no root" also="scale-by-dk" edits="in loops"
# - weights[..., i, : i + 1] = torch.softmax(scaled[..., i, : i + 1], dim=-1)
# + weights[..., i, :i] = torch.softmax(scaled[..., i, :i], dim=-1)
# - scaled = scores / d_k**0.5
# + scaled = scores / d_k

# %% mistake="last-left-out: the last row, and no scale" also="missing-scale" edits="in loops"
# - for i in range(T):
# + for i in range(T - 1):
# - scaled = scores / d_k**0.5
# + scaled = scores

# %% mistake="last-left-out: the last row" edits="in loops"
# - for i in range(T):
# + for i in range(T - 1):

# %% mistake="first-round-only: return in the loop" edits="in loops"
# - return weights
# +     return weights

# %% mistake="wrong-dtype: zeros without the dtype of the scores" edits="in loops"
# - weights = torch.zeros_like(scores)
# + weights = torch.zeros(scores.shape)

# %% mistake="mask-hides-diagonal: loops from i, and no scale" also="missing-scale" edits="in two loops"
# - for j in range(i + 1, T):
# + for j in range(i, T):
# - scaled = masked / math.sqrt(d_k)
# + scaled = masked

# %% mistake="last-left-out: the last key stays visible" edits="in two loops"
# - for j in range(i + 1, T):
# + for j in range(i + 1, T - 1):

# %% mistake="mask-looks-ahead: from i + 2" edits="in two loops"
# - for j in range(i + 1, T):
# + for j in range(i + 2, T):

# %% mistake="mask-inverted: i and j exchanged" edits="in two loops"
# - masked[..., i, j] = -math.inf
# + masked[..., j, i] = -math.inf

# %% mistake="mask-zero-not-inf: zeros in the loops" edits="in two loops"
# - masked[..., i, j] = -math.inf
# + masked[..., i, j] = 0

# %% mistake="mask-has-a-limit: -100 is not enough" edits="mine"
# - scores = scores.masked_fill(mask, float("-inf"))
# + scores = scores.masked_fill(mask, -100)

# %% mistake="scale-by-tokens: the tokens are counted" edits="mine"
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + return F.softmax(scores / T**0.5, dim=-1)

# %% mistake="softmax-unexpected: twice, and scaled in between" edits="mine"
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + return F.softmax(F.softmax(scores, dim=-1) / math.sqrt(d_k), dim=-1)

# %% mistake="unrecognized: the mask turned by T, over columns" edits="mine"
# - mask = causal_mask(T)
# + mask = causal_mask(T).T
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + return F.softmax(scores / math.sqrt(d_k), dim=-2)

# %% mistake="softmax-unexpected: the weights masked, and a softmax again" edits="mine"
# - scores = scores.masked_fill(mask, float("-inf"))
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + weights = F.softmax(scores / math.sqrt(d_k), dim=-1)
# + return F.softmax(weights.masked_fill(mask, -torch.inf), dim=-1)

# %% mistake="scale-after-softmax: the weights are divided" edits="mine"
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + return F.softmax(scores, dim=-1) / math.sqrt(d_k)

# %% mistake="input-modified: masked in place, len, and no root" edits="mine"
# - T = scores.shape[-1]
# + T = len(scores)
# - scores = scores.masked_fill(mask, float("-inf"))
# - return F.softmax(scores / math.sqrt(d_k), dim=-1)
# + scores = scores.masked_fill_(mask, float("-inf"))
# + return F.softmax(scores / d_k, dim=-1)

# %% mistake="running-sum: the sum so far"
def causal_attention_weights(scores, d_k):
    scaled = scores / d_k**0.5
    powers = torch.exp(scaled - scaled.amax(dim=-1, keepdim=True))
    weights = torch.zeros_like(powers)
    for i in range(scores.shape[-1]):
        total = 0
        for j in range(i + 1):
            total = total + powers[..., i, j]
            weights[..., i, j] = powers[..., i, j] / total
    return weights

# %% mistake="raises: a mask of floats in brackets" says="yes or no"
def causal_attention_weights(scores, d_k):
    mask = torch.triu(torch.ones(scores.shape[-2:]), diagonal=1)
    scores = scores.clone()
    scores[..., mask] = -torch.inf
    return torch.softmax(scores / d_k**0.5, dim=-1)
