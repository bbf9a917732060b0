# %% setup
import math

import torch
import torch.nn.functional as F


# %% correct="masked_fill"
def causal_attention_weights(scores, d_k):
    size = scores.shape[-1]
    hidden = torch.triu(torch.ones(size, size, device=scores.device), diagonal=1).bool()
    masked = scores.masked_fill(hidden, -torch.inf)
    return torch.softmax(masked / d_k**0.5, dim=-1)


# %% correct="an additive mask, after the scale"
def causal_attention_weights(scores, d_k):
    size = scores.size(-1)
    mask = torch.full((size, size), float("-inf"), device=scores.device).triu(1)
    return F.softmax(scores / math.sqrt(d_k) + mask, dim=-1)


# %% correct="torch.where"
def causal_attention_weights(scores, d_k):
    place = torch.arange(scores.shape[-1], device=scores.device)
    scaled = scores * d_k**-0.5
    return torch.where(place[:, None] >= place, scaled, -torch.inf).softmax(-1)


# %% correct="softmax by hand"
def causal_attention_weights(scores, d_k):
    size = scores.shape[-1]
    hidden = torch.ones(size, size, device=scores.device).tril() == 0
    scaled = scores.masked_fill(hidden, -torch.inf) / d_k**0.5
    powers = torch.exp(scaled - scaled.amax(dim=-1, keepdim=True))
    return powers / powers.sum(dim=-1, keepdim=True)


# %% correct="only the past is looked at"
def causal_attention_weights(scores, d_k):
    rows = []
    for i in range(scores.shape[-1]):
        row = torch.zeros_like(scores[..., i, :])
        row[..., : i + 1] = torch.softmax(scores[..., i, : i + 1] / d_k**0.5, dim=-1)
        rows.append(row)
    return torch.stack(rows, dim=-2)


# %% correct="a clone is written into"
def causal_attention_weights(scores, d_k):
    size = scores.shape[-1]
    masked = scores.clone()
    masked[..., torch.ones(size, size, device=scores.device).triu(1).bool()] = float("-inf")
    return torch.softmax(masked / d_k**0.5, dim=-1)


# %% correct="a very large negative number" edits="masked_fill"
# - masked = scores.masked_fill(hidden, -torch.inf)
# + masked = scores.masked_fill(hidden, -1e9)

# %% correct="the smallest float" edits="masked_fill"
# - masked = scores.masked_fill(hidden, -torch.inf)
# + masked = scores.masked_fill(hidden, torch.finfo(scores.dtype).min)


# %% correct="exponentials of the past alone"
def causal_attention_weights(scores, d_k):
    scaled = scores / d_k**0.5
    hidden = torch.ones_like(scaled[(0,) * (scaled.dim() - 2)]).triu(1).bool()
    largest = scaled.masked_fill(hidden, -torch.inf).amax(dim=-1, keepdim=True)
    powers = torch.where(hidden, 0.0, (scaled - largest).clamp(max=0.0).exp())
    return powers / powers.sum(dim=-1, keepdim=True)


# %% correct="the logarithm of the sum" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + scaled = masked / d_k**0.5
# + return (scaled - scaled.logsumexp(dim=-1, keepdim=True)).exp()


# %% mistake="mask-missing"
def causal_attention_weights(scores, d_k):
    return torch.softmax(scores / d_k**0.5, dim=-1)


# %% mistake="mask-missing: masked_fill is not in place"
def causal_attention_weights(scores, d_k):
    size = scores.shape[-1]
    hidden = torch.triu(torch.ones(size, size, device=scores.device), diagonal=1).bool()
    scores.masked_fill(hidden, -torch.inf)
    return torch.softmax(scores / d_k**0.5, dim=-1)


# %% mistake="mask-looks-ahead" edits="masked_fill"
# - hidden = torch.triu(torch.ones(size, size, device=scores.device), diagonal=1).bool()
# + hidden = torch.triu(torch.ones(size, size, device=scores.device), diagonal=2).bool()

# %% mistake="mask-inverted: with a large number" edits="masked_fill"
# - masked = scores.masked_fill(hidden, -torch.inf)
# + masked = scores.masked_fill(~hidden, -1e9)

# %% mistake="mask-inverted" also="not-finite" edits="masked_fill"
# - hidden = torch.triu(torch.ones(size, size, device=scores.device), diagonal=1).bool()
# + hidden = torch.tril(torch.ones(size, size, device=scores.device)).bool()

# %% mistake="mask-inverted: a token sees itself" edits="masked_fill"
# - hidden = torch.triu(torch.ones(size, size, device=scores.device), diagonal=1).bool()
# + hidden = torch.tril(torch.ones(size, size, device=scores.device), diagonal=-1).bool()

# %% mistake="mask-hides-diagonal" also="not-finite" edits="masked_fill"
# - hidden = torch.triu(torch.ones(size, size, device=scores.device), diagonal=1).bool()
# + hidden = torch.triu(torch.ones(size, size, device=scores.device)).bool()

# %% mistake="mask-hides-diagonal: with a large number" edits="masked_fill"
# - hidden = torch.triu(torch.ones(size, size, device=scores.device), diagonal=1).bool()
# - masked = scores.masked_fill(hidden, -torch.inf)
# + hidden = torch.triu(torch.ones(size, size, device=scores.device)).bool()
# + masked = scores.masked_fill(hidden, -1e9)

# %% mistake="mask-zero-not-inf" edits="masked_fill"
# - masked = scores.masked_fill(hidden, -torch.inf)
# + masked = scores.masked_fill(hidden, 0.0)

# %% mistake="mask-zero-not-inf: minus one is added" edits="masked_fill"
# - masked = scores.masked_fill(hidden, -torch.inf)
# + masked = scores - hidden.to(scores.dtype)

# %% mistake="mask-zero-not-inf: a mask of bools is added" edits="masked_fill"
# - masked = scores.masked_fill(hidden, -torch.inf)
# + masked = scores + hidden

# %% mistake="mask-zero-not-inf: one is added where allowed" edits="masked_fill"
# - masked = scores.masked_fill(hidden, -torch.inf)
# + masked = scores + (~hidden).to(scores.dtype)

# %% mistake="mask-zero-not-inf: after the scale, the same" edits="masked_fill"
# - masked = scores.masked_fill(hidden, -torch.inf)
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return torch.softmax(torch.tril(scores / d_k**0.5), dim=-1)

# %% mistake="mask-nan" also="not-finite" edits="masked_fill"
# - masked = scores.masked_fill(hidden, -torch.inf)
# + masked = scores + hidden * -torch.inf

# %% mistake="mask-nan: a product with the scores" also="not-finite" edits="masked_fill"
# - masked = scores.masked_fill(hidden, -torch.inf)
# + masked = scores * torch.zeros_like(scores).masked_fill(hidden, -torch.inf)

# %% mistake="mask-after-softmax" edits="masked_fill"
# - masked = scores.masked_fill(hidden, -torch.inf)
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return torch.softmax(scores / d_k**0.5, dim=-1).masked_fill(hidden, 0.0)

# %% mistake="mask-after-softmax: renormalized, the future took all" also="not-finite" edits="masked_fill"
# - masked = scores.masked_fill(hidden, -torch.inf)
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + weights = torch.softmax(scores / d_k**0.5, dim=-1).masked_fill(hidden, 0.0)
# + return weights / weights.sum(dim=-1, keepdim=True)

# %% mistake="mask-after-softmax: minus infinity into the weights" also="not-finite" edits="masked_fill"
# - masked = scores.masked_fill(hidden, -torch.inf)
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return torch.softmax(scores / d_k**0.5, dim=-1).masked_fill(hidden, -torch.inf)

# %% mistake="softmax-unexpected" edits="masked_fill"
# - masked = scores.masked_fill(hidden, -torch.inf)
# + masked = torch.softmax(scores, dim=-1).masked_fill(hidden, -torch.inf)

# %% mistake="softmax-unexpected: scaled before" edits="masked_fill"
# - masked = scores.masked_fill(hidden, -torch.inf)
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + weights = torch.softmax(scores / d_k**0.5, dim=-1).masked_fill(hidden, -torch.inf)
# + return torch.softmax(weights, dim=-1)

# %% mistake="softmax-unexpected: twice" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return torch.softmax(torch.softmax(masked / d_k**0.5, dim=-1), dim=-1)

# %% mistake="softmax-wrong-axis" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return torch.softmax(masked / d_k**0.5, dim=-2)

# %% mistake="softmax-wrong-axis: right without a batch" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return torch.softmax(masked / d_k**0.5, dim=1)

# %% mistake="softmax-wrong-axis: the first" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return torch.softmax(masked / d_k**0.5, dim=0)

# %% mistake="no-softmax" also="not-finite" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return masked / d_k**0.5

# %% mistake="no-softmax: zeros, divided by the sum" edits="masked_fill"
# - masked = scores.masked_fill(hidden, -torch.inf)
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + masked = scores.masked_fill(hidden, 0.0) / d_k**0.5
# + return masked / masked.sum(dim=-1, keepdim=True)

# %% mistake="unstable-softmax" also="not-finite" edits="softmax by hand"
# - powers = torch.exp(scaled - scaled.amax(dim=-1, keepdim=True))
# + powers = torch.exp(scaled)

# %% mistake="mask-after-softmax: the largest of all is subtracted" also="not-finite" edits="softmax by hand"
# - powers = torch.exp(scaled - scaled.amax(dim=-1, keepdim=True))
# + powers = torch.exp(scaled - (scores / d_k**0.5).amax(dim=-1, keepdim=True))

# %% mistake="keepdim-missing" edits="softmax by hand"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers / powers.sum(dim=-1)

# %% mistake="missing-scale" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return torch.softmax(masked, dim=-1)

# %% mistake="scale-by-dk" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return torch.softmax(masked / d_k, dim=-1)

# %% mistake="scale-multiplied" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return torch.softmax(masked * d_k**0.5, dim=-1)

# %% mistake="scale-multiplied: without the root" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return torch.softmax(masked * d_k, dim=-1)

# %% mistake="scale-after-softmax" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return torch.softmax(masked, dim=-1) / d_k**0.5

# %% mistake="scale-by-tokens" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return torch.softmax(masked / scores.shape[-1] ** 0.5, dim=-1)

# %% mistake="scale-by-tokens: without the root" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return torch.softmax(masked / scores.shape[-1], dim=-1)

# %% mistake="returns-scores" also="not-finite" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return masked

# %% mistake="input-modified" edits="masked_fill"
# - masked = scores.masked_fill(hidden, -torch.inf)
# + masked = scores.masked_fill_(hidden, -torch.inf)


# %% mistake="input-modified: by index"
def causal_attention_weights(scores, d_k):
    size = scores.shape[-1]
    scores[..., torch.ones(size, size, device=scores.device).triu(1).bool()] = -torch.inf
    return torch.softmax(scores / d_k**0.5, dim=-1)


# %% mistake="input-modified: scaled in place" edits="masked_fill"
# - masked = scores.masked_fill(hidden, -torch.inf)
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + scores /= d_k**0.5
# + return torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=-1)

# %% mistake="no-gradient" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return torch.softmax(masked.data / d_k**0.5, dim=-1)

# %% mistake="no-gradient: no_grad" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + with torch.no_grad():
# +     return torch.softmax(masked / d_k**0.5, dim=-1)

# %% mistake="wrong-dtype" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return torch.softmax(masked / d_k**0.5, dim=-1, dtype=torch.float64)

# %% mistake="wrong-dtype: always float32" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return torch.softmax(masked / d_k**0.5, dim=-1, dtype=torch.float32)

# %% mistake="wrong-type: weights and mask" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return torch.softmax(masked / d_k**0.5, dim=-1), hidden

# %% mistake="wrong-type: nothing returned" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + weights = torch.softmax(masked / d_k**0.5, dim=-1)

# %% mistake="example-only" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return torch.softmax(masked / 2**0.5, dim=-1)

# %% mistake="raises: six tokens" edits="masked_fill"
# - size = scores.shape[-1]
# + size = 6

# %% mistake="raises: the size of the first axis" edits="masked_fill"
# - size = scores.shape[-1]
# + size = len(scores)

# %% mistake="raises" edits="masked_fill"
# - masked = scores.masked_fill(hidden, -torch.inf)
# + masked = scores.masked_fill(hidden, -inf)

# %% mistake="raises: the mask is not bool" edits="masked_fill"
# - hidden = torch.triu(torch.ones(size, size, device=scores.device), diagonal=1).bool()
# + hidden = torch.triu(torch.ones(size, size, device=scores.device), diagonal=1)


# %% mistake="forbidden-call"
def causal_attention_weights(scores, d_k):
    unit = torch.eye(scores.shape[-1], device=scores.device, dtype=scores.dtype).expand_as(scores)
    return F.scaled_dot_product_attention(scores, unit, unit, is_causal=True, scale=d_k**-0.5)


# %% mistake="not-implemented"
def causal_attention_weights(scores, d_k):
    raise NotImplementedError("Write your answer here, then delete this line.")


# %% mistake="not-defined" edits="masked_fill"
# - def causal_attention_weights(scores, d_k):
# + def causal_weights(scores, d_k):

# %% mistake="syntax-error" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return torch.softmax(masked / d_k**0.5, dim=-1

# %% mistake="unrecognized: minus ten is not enough" edits="masked_fill"
# - masked = scores.masked_fill(hidden, -torch.inf)
# + masked = scores.masked_fill(hidden, -10.0)

# %% mistake="argument-unused: the mean of the past" edits="masked_fill"
# - masked = scores.masked_fill(hidden, -torch.inf)
# + masked = torch.zeros_like(scores).masked_fill(hidden, -torch.inf)

# %% mistake="example-only: scores without their sign" edits="masked_fill"
# - masked = scores.masked_fill(hidden, -torch.inf)
# + masked = scores.abs().masked_fill(hidden, -torch.inf)

# %% correct="softmax in float32" remark="precision-lost" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return torch.softmax((masked / d_k**0.5).float(), dim=-1).to(scores.dtype)

# %% correct="a root in float32" remark="precision-lost" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return torch.softmax(masked / torch.sqrt(torch.tensor(d_k)), dim=-1)

# %% mistake="mask-has-a-limit: filled with -1000" edits="masked_fill"
# - masked = scores.masked_fill(hidden, -torch.inf)
# + masked = scores.masked_fill(hidden, -1000.0)

# %% mistake="mask-has-a-limit: less 1000 after the scale" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return torch.softmax(scores / d_k**0.5 - 1000.0 * hidden, dim=-1)

# %% mistake="mask-by-value" edits="masked_fill"
# - masked = scores.masked_fill(hidden, -torch.inf)
# + masked = scores * ~hidden
# + masked = masked.masked_fill(masked == 0, -torch.inf)

# %% mistake="unrecognized: keys of two at least" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return torch.softmax(masked / max(d_k, 2) ** 0.5, dim=-1)


# %% correct="one step a line"
def causal_attention_weights(scores, d_k):
    size = scores.shape[-1]
    hidden = torch.triu(torch.ones(size, size, device=scores.device), diagonal=1).bool()
    scale = d_k**0.5
    scaled = scores / scale
    masked = scaled.masked_fill(hidden, -torch.inf)
    weights = torch.softmax(masked, dim=-1)
    return weights


# %% mistake="missing-scale: a step" edits="one step a line"
# - scaled = scores / scale
# + scaled = scores

# %% mistake="scale-by-dk: a step" edits="one step a line"
# - scale = d_k**0.5
# + scale = d_k

# %% mistake="scale-multiplied: a step" edits="one step a line"
# - scaled = scores / scale
# + scaled = scores * scale

# %% mistake="scale-by-tokens: a step" edits="one step a line"
# - scale = d_k**0.5
# + scale = size**0.5

# %% mistake="root-precedence" edits="one step a line"
# - scaled = scores / scale
# + scaled = scores / d_k ** 1 / 2

# %% mistake="mask-inverted: a step" also="not-finite" edits="one step a line"
# - hidden = torch.triu(torch.ones(size, size, device=scores.device), diagonal=1).bool()
# + hidden = torch.ones(size, size, device=scores.device).tril().bool()

# %% mistake="mask-inverted: a large number is added, after the scale" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled + ~hidden * -1e9

# %% mistake="mask-inverted: a large number is added" edits="masked_fill"
# - masked = scores.masked_fill(hidden, -torch.inf)
# + masked = scores + ~hidden * -1e9

# %% mistake="mask-inverted: a token sees the next but one" also="not-finite" edits="one step a line"
# - hidden = torch.triu(torch.ones(size, size, device=scores.device), diagonal=1).bool()
# + hidden = torch.ones(size, size, device=scores.device).tril(diagonal=1).bool()

# %% mistake="mask-looks-ahead: a step" edits="one step a line"
# - hidden = torch.triu(torch.ones(size, size, device=scores.device), diagonal=1).bool()
# + hidden = torch.triu(torch.ones(size, size, device=scores.device), diagonal=2).bool()

# %% mistake="mask-hides-diagonal: a step" also="not-finite" edits="one step a line"
# - hidden = torch.triu(torch.ones(size, size, device=scores.device), diagonal=1).bool()
# + hidden = torch.triu(torch.ones(size, size, device=scores.device), diagonal=0).bool()

# %% mistake="mask-hides-diagonal: and the token before" also="not-finite" edits="one step a line"
# - hidden = torch.triu(torch.ones(size, size, device=scores.device), diagonal=1).bool()
# + hidden = torch.triu(torch.ones(size, size, device=scores.device), diagonal=-1).bool()

# %% mistake="mask-missing: a step" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled

# %% mistake="mask-zero-not-inf: a step" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled.masked_fill(hidden, 0.0)

# %% mistake="mask-nan: a step" also="not-finite" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled + hidden * -torch.inf

# %% mistake="softmax-wrong-axis: a step" edits="one step a line"
# - weights = torch.softmax(masked, dim=-1)
# + weights = torch.softmax(masked, dim=-2)

# %% mistake="softmax-wrong-axis: a step, the first" edits="one step a line"
# - weights = torch.softmax(masked, dim=-1)
# + weights = torch.softmax(masked, dim=0)

# %% mistake="no-softmax: a step" also="not-finite" edits="one step a line"
# - weights = torch.softmax(masked, dim=-1)
# + weights = masked

# %% mistake="unstable-softmax: a step" also="not-finite" edits="one step a line"
# - weights = torch.softmax(masked, dim=-1)
# + powers = torch.exp(masked)
# + weights = powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="softmax-unexpected: a step" edits="one step a line"
# - return weights
# + return torch.softmax(weights, dim=-1)

# %% mistake="mask-after-softmax: a step, renormalized" also="not-finite" edits="one step a line"
# - weights = torch.softmax(masked, dim=-1)
# + weights = torch.softmax(scaled, dim=-1).masked_fill(hidden, 0.0)
# + weights = weights / weights.sum(dim=-1, keepdim=True)

# %% mistake="mask-after-softmax: a step" edits="one step a line"
# - weights = torch.softmax(masked, dim=-1)
# + weights = torch.softmax(scaled, dim=-1).masked_fill(hidden, 0.0)

# %% mistake="mask-after-softmax: a step, at the end" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled
# - return weights
# + return weights.masked_fill(hidden, 0.0)

# %% mistake="mask-zero-not-inf: a mask of bools is added, after the scale" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled + hidden

# %% mistake="mask-zero-not-inf: ones are added where allowed, after the scale" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled + (~hidden).to(scores.dtype)


# %% correct="filled into zeros"
def causal_attention_weights(scores, d_k):
    scale = d_k**0.5
    scaled = scores / scale
    weights = torch.zeros_like(scores)
    for i in range(scores.shape[-1]):
        weights[..., i, : i + 1] = torch.softmax(scaled[..., i, : i + 1], dim=-1)
    return weights


# %% correct="two loops hide the future"
def causal_attention_weights(scores, d_k):
    masked = scores.clone()
    for i in range(scores.shape[-1]):
        for j in range(i + 1, scores.shape[-1]):
            masked[..., i, j] = -torch.inf
    scaled = masked / d_k**0.5
    return torch.softmax(scaled, dim=-1)


# %% mistake="mask-hides-diagonal: up to the token itself" edits="filled into zeros"
# - weights[..., i, : i + 1] = torch.softmax(scaled[..., i, : i + 1], dim=-1)
# + weights[..., i, :i] = torch.softmax(scaled[..., i, :i], dim=-1)

# %% mistake="last-left-out" edits="filled into zeros"
# - for i in range(scores.shape[-1]):
# + for i in range(scores.shape[-1] - 1):

# %% mistake="first-round-only" edits="filled into zeros"
# - return weights
# +     return weights

# %% mistake="missing-scale: in a loop" edits="filled into zeros"
# - scaled = scores / scale
# + scaled = scores

# %% mistake="scale-by-dk: in a loop" edits="filled into zeros"
# - scale = d_k**0.5
# + scale = d_k

# %% mistake="scale-by-tokens: in a loop" edits="filled into zeros"
# - scale = d_k**0.5
# + scale = scores.shape[-1] ** 0.5

# %% mistake="softmax-unexpected: twice, scaled in between" edits="one step a line"
# - scaled = scores / scale
# + scaled = scores
# - weights = torch.softmax(masked, dim=-1)
# + weights = torch.softmax(torch.softmax(masked, dim=-1) / scale, dim=-1)

# %% mistake="mask-inverted: a step, a token sees itself" edits="one step a line"
# - hidden = torch.triu(torch.ones(size, size, device=scores.device), diagonal=1).bool()
# + hidden = torch.tril(torch.ones(size, size, device=scores.device), diagonal=-1).bool()


# %% mistake="running-sum"
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


# %% mistake="mask-has-a-limit: filled with -100" edits="masked_fill"
# - masked = scores.masked_fill(hidden, -torch.inf)
# + masked = scores.masked_fill(hidden, -100.0)

# %% mistake="scale-by-tokens: beside the root" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return torch.softmax(masked / d_k**0.5 / scores.shape[-1] ** 0.5, dim=-1)

# %% mistake="scale-by-tokens: beside the root, without the root" edits="masked_fill"
# - return torch.softmax(masked / d_k**0.5, dim=-1)
# + return torch.softmax(masked / d_k**0.5 / scores.shape[-1], dim=-1)

# %% mistake="mask-looks-ahead: only the next token is hidden" edits="two loops hide the future"
# - for j in range(i + 1, scores.shape[-1]):
# + for j in range(i + 1, min(i + 2, scores.shape[-1])):
