# %% setup
import math
import warnings

import torch
import torch.nn.functional as F
from torch import nn


# %% correct="textbook"
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        future = torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()
        self.register_buffer("mask", future)

    def forward(self, x):
        query = self.W_query(x)
        key = self.W_key(x)
        value = self.W_value(x)
        size = x.shape[1]
        scores = query @ key.transpose(1, 2)
        scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
        weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
        weights = self.dropout(weights)
        return weights @ value


# %% correct="einsum, an additive mask"
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.full((context_length, context_length), float("-inf")).triu(1))

    def forward(self, x):
        size = x.size(1)
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = torch.einsum("bid,bjd->bij", q, k) + self.mask[:size, :size]
        weights = self.dropout(torch.softmax(scores / math.sqrt(k.size(-1)), dim=-1))
        return torch.einsum("bij,bjd->bid", weights, v)


# %% correct="bmm, a mask of ones where attention is allowed"
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length)))

    def forward(self, x):
        b, size, _ = x.shape
        queries, keys, values = (layer(x) for layer in (self.W_query, self.W_key, self.W_value))
        scores = torch.bmm(queries, keys.mT)
        scores = scores.masked_fill(self.mask[:size, :size] == 0, float("-inf"))
        weights = F.softmax(scores * keys.shape[-1] ** -0.5, dim=-1)
        return torch.bmm(self.dropout(weights), values)


# %% correct="one query at a time, the mask as places"
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.arange(context_length))

    def forward(self, x):
        if x.shape[1] > len(self.mask):
            raise ValueError("too many tokens")
        keys, values = self.W_key(x), self.W_value(x)
        rows = []
        for i, query in enumerate(self.W_query(x).unbind(dim=1)):
            scores = (keys[:, : i + 1] @ query.unsqueeze(-1)).squeeze(-1)
            weights = self.dropout(torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1))
            rows.append((weights.unsqueeze(-1) * values[:, : i + 1]).sum(dim=1))
        return torch.stack(rows, dim=1)


# %% correct="one item at a time, torch.where"
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).tril().bool())

    def forward(self, x):
        size = x.shape[1]
        contexts = []
        for item in x:
            query, key, value = self.W_query(item), self.W_key(item), self.W_value(item)
            scores = torch.where(self.mask[:size, :size], query @ key.T, -torch.inf)
            weights = self.dropout(torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1))
            contexts.append(weights @ value)
        return torch.stack(contexts)


# %% correct="in place, on a tensor of its own" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores.masked_fill_(self.mask.bool()[:size, :size], -torch.inf)

# %% correct="a very large negative number" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores.masked_fill(self.mask[:size, :size], -1e9)

# %% correct="masked after the scale" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + scores = scores / math.sqrt(key.size(-1))
# + scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + weights = F.softmax(scores, dim=2)

# %% correct="refuses a long input itself" edits="textbook"
# - size = x.shape[1]
# + size = x.shape[1]
# + if size > self.mask.shape[0]:
# +     raise ValueError(f'{size} tokens are more than the context holds')

# %% correct="an assertion" edits="textbook"
# - size = x.shape[1]
# + b, size, d = x.shape
# + assert size <= self.mask.size(-1), 'too long'

# %% correct="a buffer that is not saved, a batch axis" edits="textbook"
# - self.register_buffer("mask", future)
# + self.register_buffer("mask", future[None], persistent=False)
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores.masked_fill(self.mask[:, :size, :size], -torch.inf)

# %% correct="prints and warns" edits="textbook"
# - scores = query @ key.transpose(1, 2)
# + print('query', query.shape)
# + warnings.warn('scores may be large')
# + scores = query @ key.transpose(1, 2)

# %% correct="functional dropout" edits="textbook"
# - self.dropout = nn.Dropout(dropout)
# + self.p = dropout
# - weights = self.dropout(weights)
# + weights = F.dropout(weights, self.p, self.training)

# %% correct="dropout by hand" edits="textbook"
# - self.dropout = nn.Dropout(dropout)
# + self.p = dropout
# - weights = self.dropout(weights)
# + if self.training:
# +     weights = weights * (torch.rand_like(weights) >= self.p) / (1 - self.p)

# %% correct="softmax by hand" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + powers = (scores - scores.amax(dim=-1, keepdim=True)).div(key.shape[-1] ** 0.5).exp()
# + weights = powers / powers.sum(dim=-1, keepdim=True)

# %% correct="a causal softmax of the buffer's rows" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + future = self.mask[:size, :size].expand_as(scores)
# + scores[future] = float('-inf')
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)

# %% correct="the logarithm of the sum" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + scores = scores / key.shape[-1] ** 0.5
# + weights = (scores - scores.logsumexp(dim=-1, keepdim=True)).exp()

# %% mistake="softmax-wrong-axis" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-2)

# %% mistake="no-softmax: after zeros" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores.masked_fill(self.mask[:size, :size], 0.0)
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = scores / key.shape[-1] ** 0.5

# %% mistake="sum-normalized" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores.masked_fill(self.mask[:size, :size], 0.0)
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = scores / scores.sum(dim=-1, keepdim=True)

# %% mistake="softmax-unexpected" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(weights, dim=-1)

# %% mistake="softmax-unexpected: on the context" edits="textbook"
# - return weights @ value
# + return torch.softmax(weights @ value, dim=-1)

# %% mistake="softmax-unexpected: weights masked, softmax again" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = weights.masked_fill(self.mask[:size, :size], -torch.inf)
# + weights = torch.softmax(weights, dim=-1)

# %% mistake="unstable-softmax" also="not-finite" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + powers = torch.exp(scores / key.shape[-1] ** 0.5)
# + weights = powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="no-softmax" also="not-finite" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = scores / key.shape[-1] ** 0.5

# %% mistake="missing-scale" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores, dim=-1)

# %% mistake="scale-by-dk" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / key.shape[-1], dim=-1)

# %% mistake="scale-multiplied" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores * key.shape[-1] ** 0.5, dim=-1)

# %% mistake="scale-after-softmax" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores, dim=-1) / key.shape[-1] ** 0.5

# %% mistake="scale-by-tokens" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / scores.shape[-1] ** 0.5, dim=-1)

# %% mistake="scale-by-tokens: without the root" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / scores.shape[-1], dim=-1)

# %% mistake="query-key-swapped" edits="textbook"
# - scores = query @ key.transpose(1, 2)
# + scores = key @ query.transpose(1, 2)

# %% mistake="key-value-swapped" edits="textbook"
# - key = self.W_key(x)
# - value = self.W_value(x)
# + key = self.W_value(x)
# + value = self.W_key(x)

# %% mistake="key-not-transposed" also="raises" edits="textbook"
# - scores = query @ key.transpose(1, 2)
# + scores = query @ key

# %% mistake="reshape-not-transpose" edits="textbook"
# - scores = query @ key.transpose(1, 2)
# + scores = query @ key.reshape(key.shape[0], key.shape[2], key.shape[1])

# %% mistake="values-not-projected" also="wrong-shape" edits="textbook"
# - return weights @ value
# + return weights @ x

# %% mistake="weight-not-transposed" also="raises" edits="textbook"
# - query = self.W_query(x)
# + query = x @ self.W_query.weight

# %% mistake="shared-projection" edits="textbook"
# - key = self.W_key(x)
# + key = self.W_query(x)

# %% mistake="shared-projection: value from key" edits="textbook"
# - value = self.W_value(x)
# + value = self.W_key(x)

# %% mistake="shared-projection: query from key" edits="textbook"
# - query = self.W_query(x)
# + query = self.W_key(x)

# %% mistake="creation-order" edits="textbook"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

# %% mistake="creation-order: value first" edits="textbook"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)

# %% mistake="wrong-initialisation" edits="textbook"
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + nn.init.xavier_uniform_(self.W_query.weight)
# + nn.init.xavier_uniform_(self.W_key.weight)
# + nn.init.xavier_uniform_(self.W_value.weight)

# %% mistake="setting-left: a seed of its own" edits="textbook"
# - super().__init__()
# + super().__init__()
# + torch.manual_seed(123)

# %% mistake="weights-transposed" edits="textbook"
# - return weights @ value
# + return weights.transpose(1, 2) @ value

# %% mistake="returns-values" edits="textbook"
# - return weights @ value
# + return value

# %% mistake="residual-added" edits="textbook"
# - return weights @ value
# + return weights @ value + value

# %% mistake="returns-weights" also="wrong-shape" edits="textbook"
# - return weights @ value
# + return weights

# %% mistake="returns-scores" also="wrong-shape" edits="textbook"
# - return weights @ value
# + return scores

# %% mistake="result-transposed" also="wrong-shape" edits="textbook"
# - return weights @ value
# + return (weights @ value).transpose(1, 2)

# %% mistake="mask-missing" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + pass

# %% mistake="mask-missing: masked_fill is not in place" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores.masked_fill(self.mask[:size, :size], -torch.inf)

# %% mistake="mask-looks-ahead" edits="textbook"
# - future = torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()
# + future = torch.triu(torch.ones(context_length, context_length), diagonal=2).bool()

# %% mistake="mask-inverted: with a large number" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores.masked_fill(~self.mask[:size, :size], -1e9)

# %% mistake="mask-inverted" also="not-finite" edits="textbook"
# - future = torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()
# + future = torch.tril(torch.ones(context_length, context_length), diagonal=0).bool()

# %% mistake="mask-inverted: a token sees itself" edits="textbook"
# - future = torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()
# + future = torch.tril(torch.ones(context_length, context_length), diagonal=-1).bool()

# %% mistake="mask-hides-diagonal" also="not-finite" edits="textbook"
# - future = torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()
# + future = torch.triu(torch.ones(context_length, context_length), diagonal=0).bool()

# %% mistake="mask-hides-diagonal: with a large number" edits="textbook"
# - future = torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()
# + future = torch.triu(torch.ones(context_length, context_length), diagonal=0).bool()
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores.masked_fill(self.mask[:size, :size], -1e9)

# %% mistake="mask-zero-not-inf" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores.masked_fill(self.mask[:size, :size], 0.0)

# %% mistake="mask-zero-not-inf: multiplied" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = torch.tril(scores)

# %% mistake="mask-zero-not-inf: a mask of bools is added" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores + self.mask[:size, :size]

# %% mistake="mask-zero-not-inf: ones and zeros are added" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores + (~self.mask[:size, :size]).to(scores.dtype)

# %% mistake="mask-nan" also="not-finite" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores + self.mask[:size, :size] * -torch.inf

# %% mistake="mask-after-softmax" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = weights.masked_fill(self.mask[:size, :size], 0.0)

# %% mistake="mask-after-softmax: renormalized, the future took all" also="not-finite" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = weights.masked_fill(self.mask[:size, :size], 0.0)
# + weights = weights / weights.sum(dim=-1, keepdim=True)

# %% mistake="renormalized-wrong-axis" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = weights.masked_fill(self.mask[:size, :size], 0.0)
# + weights = weights / weights.sum(dim=-2, keepdim=True)

# %% mistake="mask-after-softmax: minus infinity into the weights" also="not-finite" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = weights.masked_fill(self.mask[:size, :size], -torch.inf)

# %% mistake="not-implemented" edits="textbook"
# - query = self.W_query(x)
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="raises: forward misspelled" edits="textbook"
# - def forward(self, x):
# + def foward(self, x):

# %% mistake="not-defined" edits="textbook"
# - class CausalAttention(nn.Module):
# + class Attention(nn.Module):

# %% mistake="syntax-error" edits="textbook"
# - scores = query @ key.transpose(1, 2)
# + scores = query @ (key.transpose(1, 2)

# %% mistake="raises" edits="textbook"
# - scores = query @ key.transpose(1, 2)
# + scores = query @ keys.transpose(1, 2)

# %% mistake="raises: no super().__init__()" edits="textbook"
# - super().__init__()
# + pass

# %% mistake="wrong-type: context and weights" edits="textbook"
# - return weights @ value
# + return weights @ value, weights

# %% mistake="wrong-type: nothing returned" edits="textbook"
# - return weights @ value
# + context = weights @ value

# %% mistake="wrong-type: no module" edits="textbook"
# - class CausalAttention(nn.Module):
# + class CausalAttention:

# %% mistake="wrong-dtype" edits="textbook"
# - return weights @ value
# + return (weights @ value).double()

# %% mistake="wrong-dtype: float32 always" edits="textbook"
# - return weights @ value
# + return (weights @ value).float()

# %% mistake="raises: a float32 softmax of float64" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1, dtype=torch.float32)

# %% mistake="mask-nan: everything is hidden" also="not-finite" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores.masked_fill(torch.ones_like(scores).bool(), -torch.inf)

# %% mistake="input-modified" edits="textbook"
# - query = self.W_query(x)
# + x -= x.mean(dim=-2, keepdim=True)
# + query = self.W_query(x)

# %% mistake="input-modified: after use" edits="textbook"
# - return weights @ value
# + context = weights @ value
# + x[0] = 0
# + return context

# %% mistake="no-gradient" edits="textbook"
# - return weights @ value
# + return (weights @ value).detach()

# %% mistake="no-gradient: the keys are cut off" edits="textbook"
# - scores = query @ key.transpose(1, 2)
# + scores = query @ key.data.transpose(1, 2)

# %% mistake="no-gradient: no_grad" edits="textbook"
# - return weights @ value
# + with torch.no_grad():
# +     return weights @ value

# %% mistake="state-kept" edits="textbook"
# - return weights @ value
# + if not hasattr(self, 'first'):
# +     self.first = weights @ value
# + return self.first

# %% mistake="not-registered" edits="textbook"
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.layer_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - key = self.W_key(x)
# + key = self.layer_key(x)

# %% mistake="too-slow" edits="textbook"
# - scores = query @ key.transpose(1, 2)
# + while query.shape[0] > 0:
# +     scores = query @ key.transpose(1, 2)

# %% mistake="example-only" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / 2**0.5, dim=-1)

# %% mistake="forbidden-call" edits="textbook"
# - return weights @ value
# + return F.scaled_dot_product_attention(query, key, value, is_causal=True)

# %% mistake="wrong-device" on="device" edits="textbook"
# - return weights @ value
# + return (weights @ value).cpu()

# %% mistake="unrecognized: half the context" edits="textbook"
# - return weights @ value
# + return (weights @ value) / 2

# %% mistake="argument-unused: the mean of the past" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + scores = torch.zeros_like(scores).masked_fill(self.mask[:size, :size], -torch.inf)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)

# %% mistake="unrecognized: centered on the whole sentence" edits="textbook"
# - query = self.W_query(x)
# + x = x - x.mean(dim=-2, keepdim=True)
# + query = self.W_query(x)

# %% mistake="unrecognized: minus five is not enough" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores.masked_fill(self.mask[:size, :size], -5.0)

# %% mistake="unrecognized: the first token sees all" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + hidden = self.mask[:size, :size].clone()
# + hidden[0] = False
# + scores = scores.masked_fill(hidden, -torch.inf)

# %% mistake="scale-by-model-width" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / x.shape[-1] ** 0.5, dim=-1)

# %% mistake="unrecognized: scaled by the context's length" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / self.mask.shape[-1] ** 0.5, dim=-1)


# %% mistake="keepdim-missing" also="raises" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + powers = (scores - scores.amax(dim=-1, keepdim=True)).div(key.shape[-1] ** 0.5).exp()
# + weights = powers / powers.sum(dim=-1)

# %% mistake="batch-leak" also="not-finite" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=0)

# %% mistake="batch-leak: keys of other items" also="raises" edits="textbook"
# - scores = query @ key.transpose(1, 2)
# + scores = query @ key.transpose(0, 1)

# %% mistake="batch-leak: all axes turned around" also="raises" edits="textbook"
# - scores = query @ key.transpose(1, 2)
# + scores = query @ key.permute(2, 1, 0)

# %% mistake="batch-leak: the first item for all" edits="textbook"
# - key = self.W_key(x)
# + key = self.W_key(x[:1].expand_as(x))

# %% mistake="batch-leak: the first item alone" edits="textbook"
# - query = self.W_query(x)
# + x = x[:1].expand_as(x)
# + query = self.W_query(x)

# %% mistake="batch-leak: the mean of the batch" edits="textbook"
# - value = self.W_value(x)
# + value = self.W_value(x).mean(dim=0, keepdim=True).expand_as(query)


# %% mistake="wrong-shape: the first item alone" edits="textbook"
# - query = self.W_query(x)
# + x = x[0][None]
# + query = self.W_query(x)

# %% mistake="wrong-shape: a batch of one loses its axis" edits="textbook"
# - return weights @ value
# + return (weights @ value).squeeze(0)

# %% mistake="raises: the tokens counted on the wrong axis" edits="textbook"
# - size = x.shape[1]
# + size = x.shape[0]

# %% mistake="raises: three names for two axes" edits="textbook"
# - size = x.shape[1]
# + size, width = x.shape

# %% mistake="wrong-shape: a batch of two" edits="textbook"
# - return weights @ value
# + return (weights @ value).reshape(2, size, -1)

# %% mistake="raises: six tokens" edits="textbook"
# - size = x.shape[1]
# + size = 6

# %% mistake="mask-not-sliced" also="raises" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores.masked_fill(self.mask, -torch.inf)

# %% mistake="mask-not-sliced: to the context, not to the tokens" also="raises" edits="textbook"
# - size = x.shape[1]
# + size = self.mask.shape[0]

# %% mistake="mask-not-buffer" edits="textbook"
# - self.register_buffer("mask", future)
# + self.mask = future

# %% mistake="mask-not-buffer: under another name" edits="textbook"
# - self.register_buffer("mask", future)
# + self.register_buffer("hidden", future)
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores.masked_fill(self.hidden[:size, :size], -torch.inf)

# %% mistake="mask-not-buffer: made on the fly" edits="textbook"
# - future = torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()
# - self.register_buffer("mask", future)
# + self.context_length = context_length
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + if size > self.context_length:
# +     raise ValueError('too long')
# + hidden = torch.ones(size, size, device=x.device).triu(1).bool()
# + scores = scores.masked_fill(hidden, -torch.inf)

# %% mistake="raises: what register_buffer returns" edits="textbook"
# - self.register_buffer("mask", future)
# + self.mask = self.register_buffer("mask", future)

# %% mistake="mask-not-buffer: a learned parameter" edits="textbook"
# - self.register_buffer("mask", future)
# + self.mask = nn.Parameter(future.float())
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores.masked_fill(self.mask[:size, :size].bool(), -torch.inf)

# %% mistake="mask-not-buffer: a parameter" edits="textbook"
# - future = torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()
# - self.register_buffer("mask", future)
# + self.mask = nn.Parameter(torch.ones(context_length, context_length).triu(1), requires_grad=False)
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores.masked_fill(self.mask[:size, :size].bool(), -torch.inf)

# %% mistake="wrong-exception" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + hidden = torch.ones(size, size, device=x.device).triu(1).bool()
# + scores = scores.masked_fill(hidden, -torch.inf)

# %% mistake="wrong-exception: what is too much is cut off" edits="textbook"
# - query = self.W_query(x)
# + x = x[:, : self.mask.shape[0]]
# + query = self.W_query(x)

# %% mistake="wrong-exception: a larger mask than asked for" edits="textbook"
# - future = torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()
# + future = torch.triu(torch.ones(1024, 1024), diagonal=1).bool()

# %% mistake="raises: a mask of ones and zeros" edits="textbook"
# - future = torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()
# + future = torch.triu(torch.ones(context_length, context_length), diagonal=1)

# %% mistake="bias-ignored" also="not-registered" edits="textbook"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = nn.Linear(d_in, d_out, bias=False)
# + self.W_key = nn.Linear(d_in, d_out, bias=False)
# + self.W_value = nn.Linear(d_in, d_out, bias=False)

# %% mistake="bias-ignored: the weights alone" edits="textbook"
# - query = self.W_query(x)
# - key = self.W_key(x)
# - value = self.W_value(x)
# + query = x @ self.W_query.weight.T
# + key = x @ self.W_key.weight.T
# + value = x @ self.W_value.weight.T

# %% mistake="bias-ignored: the value's weights alone" edits="textbook"
# - value = self.W_value(x)
# + value = x @ self.W_value.weight.T

# %% mistake="bias-ignored: the query's weights alone" edits="textbook"
# - query = self.W_query(x)
# + query = x @ self.W_query.weight.T

# %% mistake="bias-unexpected" edits="textbook"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = nn.Linear(d_in, d_out)
# + self.W_key = nn.Linear(d_in, d_out)
# + self.W_value = nn.Linear(d_in, d_out)

# %% mistake="bias-unexpected: on the value alone" edits="textbook"
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_value = nn.Linear(d_in, d_out)

# %% mistake="raises: an argument misspelled" edits="textbook"
# - def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
# + def __init__(self, d_in, d_out, block_size, dropout, qkv_bias=False):

# %% mistake="raises: dropout before the context's length" edits="textbook"
# - def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
# + def __init__(self, d_in, d_out, dropout, context_length, qkv_bias=False):

# %% mistake="dropout-never" edits="textbook"
# - weights = self.dropout(weights)
# + pass

# %% mistake="dropout-never: its result is not used" edits="textbook"
# - weights = self.dropout(weights)
# + self.dropout(weights)

# %% mistake="dropout-in-eval" edits="textbook"
# - self.dropout = nn.Dropout(dropout)
# + self.p = dropout
# - weights = self.dropout(weights)
# + weights = F.dropout(weights, self.p)

# %% mistake="dropout-in-eval: a new layer in every call" edits="textbook"
# - self.dropout = nn.Dropout(dropout)
# + self.p = dropout
# - weights = self.dropout(weights)
# + weights = nn.Dropout(self.p)(weights)

# %% mistake="dropout-not-rescaled" edits="textbook"
# - self.dropout = nn.Dropout(dropout)
# + self.p = dropout
# - weights = self.dropout(weights)
# + if self.training:
# +     weights = weights * (torch.rand_like(weights) >= self.p)

# %% mistake="dropout-wrong-factor" edits="textbook"
# - self.dropout = nn.Dropout(dropout)
# + self.p = dropout
# - weights = self.dropout(weights)
# + if self.training:
# +     weights = weights * (torch.rand_like(weights) >= self.p) * (1 - self.p)

# %% mistake="dropout-wrong-factor: divided by p" edits="textbook"
# - self.dropout = nn.Dropout(dropout)
# + self.p = max(dropout, 1e-9)
# - weights = self.dropout(weights)
# + if self.training and self.p > 1e-9:
# +     weights = weights * (torch.rand_like(weights) >= self.p) / self.p

# %% mistake="dropout-wrong-factor: rows sum to one again" edits="textbook"
# - weights = self.dropout(weights)
# + weights = self.dropout(weights)
# + weights = weights / weights.sum(dim=-1, keepdim=True).clamp(min=1e-9)


# %% mistake="dropout-wrong-rate" edits="textbook"
# - self.dropout = nn.Dropout(dropout)
# + self.dropout = nn.Dropout(0.5 if dropout else 0.0)

# %% mistake="dropout-wrong-rate: twice" edits="textbook"
# - weights = self.dropout(weights)
# + weights = self.dropout(weights)
# + weights = self.dropout(weights)

# %% mistake="dropout-wrong-rate: whatever is asked for" edits="textbook"
# - self.dropout = nn.Dropout(dropout)
# + self.dropout = nn.Dropout(0.5)

# %% mistake="dropout-wrong-rate: the default" edits="textbook"
# - self.dropout = nn.Dropout(dropout)
# + self.dropout = nn.Dropout()

# %% mistake="dropout-keep-inverted" edits="textbook"
# - self.dropout = nn.Dropout(dropout)
# + self.dropout = nn.Dropout(1 - dropout if dropout else 0.0)

# %% mistake="dropout-keep-inverted: by hand" edits="textbook"
# - self.dropout = nn.Dropout(dropout)
# + self.p = dropout
# - weights = self.dropout(weights)
# + if self.training and self.p:
# +     weights = weights * (torch.rand_like(weights) < self.p) / (1 - self.p)

# %% mistake="dropout-before-softmax" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = self.dropout(scores)
# + scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# - weights = self.dropout(weights)
# + pass

# %% mistake="not-finite: minus infinity is dropped" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# - weights = self.dropout(weights)
# + scores = self.dropout(scores)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)

# %% mistake="dropout-before-softmax: dropped scores are minus infinity" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# - weights = self.dropout(weights)
# + if self.training:
# +     scores = scores.masked_fill(torch.rand_like(scores) < self.dropout.p, -1e9)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)

# %% mistake="dropout-on-context" edits="textbook"
# - weights = self.dropout(weights)
# - return weights @ value
# + return self.dropout(weights @ value)

# %% mistake="dropout-on-context: as well" edits="textbook"
# - return weights @ value
# + return self.dropout(weights @ value)

# %% mistake="dropout-on-context: on the values" edits="textbook"
# - weights = self.dropout(weights)
# - return weights @ value
# + return weights @ self.dropout(value)

# %% mistake="dropout-shared" edits="textbook"
# - self.dropout = nn.Dropout(dropout)
# + self.dropout = nn.Dropout(dropout)
# - weights = self.dropout(weights)
# + weights = weights * self.dropout(torch.ones_like(weights[0]))

# %% mistake="dropout-shared: one for all queries" edits="textbook"
# - weights = self.dropout(weights)
# + weights = weights * self.dropout(torch.ones_like(weights[:, :1]))

# %% mistake="dropout-spares: the first query" edits="textbook"
# - weights = self.dropout(weights)
# + weights = torch.cat((weights[:, :1], self.dropout(weights[:, 1:])), dim=1)

# %% mistake="dropout-shared: drawn once and kept" edits="textbook"
# - self.dropout = nn.Dropout(dropout)
# + self.p = dropout
# - weights = self.dropout(weights)
# + if self.training and self.p > 0:
# +     if not hasattr(self, 'keep'):
# +         self.keep = (torch.rand_like(weights) >= self.p) / (1 - self.p)
# +     weights = weights * self.keep

# %% mistake="unrecognized: wrong in eval" edits="textbook"
# - return weights @ value
# + return weights @ value if self.training else value

# %% mistake="raises: only in training" edits="textbook"
# - weights = self.dropout(weights)
# + if self.training and self.dropout.p > 0:
# +     weights = weights * keep
# + weights = self.dropout(weights)

# %% mistake="hard-coded: the printed numbers" edits="textbook"
# - return weights @ value
# + row = torch.tensor([[-0.4519, 0.2216], [-0.5874, 0.0058], [-0.6300, -0.0632],
# +                     [-0.5675, -0.0843], [-0.5526, -0.0981], [-0.5299, -0.1081]])
# + return torch.stack((row, row))

# %% correct="softmax in float32" remark="precision-lost" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax((scores / key.shape[-1] ** 0.5).float(), dim=-1).to(value.dtype)

# %% correct="a root in float32" remark="precision-lost" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / torch.sqrt(torch.tensor(key.shape[-1])), dim=-1)

# %% mistake="mask-has-a-limit: less 1000" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores - 1000.0 * self.mask[:size, :size]

# %% mistake="mask-has-a-limit: filled with -1000" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores.masked_fill(self.mask[:size, :size], -1000.0)

# %% mistake="not-finite: scores of zero are hidden" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores * ~self.mask[:size, :size]
# + scores = scores.masked_fill(scores == 0, -torch.inf)

# %% mistake="raises: qkv_bias by its name alone" edits="textbook"
# - def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
# + def __init__(self, d_in, d_out, context_length, dropout, *, qkv_bias=False):


# %% correct="one step a line"
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        future = torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()
        self.register_buffer("mask", future)

    def forward(self, x):
        query = self.W_query(x)
        key = self.W_key(x)
        value = self.W_value(x)
        size = x.shape[1]
        hidden = self.mask[:size, :size]
        scores = query @ key.transpose(1, 2)
        scale = key.shape[-1] ** 0.5
        scaled = scores / scale
        masked = scaled.masked_fill(hidden, -torch.inf)
        weights = torch.softmax(masked, dim=-1)
        weights = self.dropout(weights)
        context = weights @ value
        return context


# %% mistake="missing-scale: a step" edits="one step a line"
# - scaled = scores / scale
# + scaled = scores

# %% mistake="scale-by-dk: a step" edits="one step a line"
# - scale = key.shape[-1] ** 0.5
# + scale = key.shape[-1]

# %% mistake="scale-multiplied: a step" edits="one step a line"
# - scaled = scores / scale
# + scaled = scores * scale

# %% mistake="scale-by-tokens: a step" edits="one step a line"
# - scale = key.shape[-1] ** 0.5
# + scale = size**0.5

# %% mistake="scale-by-model-width: a step" edits="one step a line"
# - scale = key.shape[-1] ** 0.5
# + scale = x.shape[-1] ** 0.5

# %% mistake="query-key-swapped: a step" edits="one step a line"
# - scores = query @ key.transpose(1, 2)
# + scores = key @ query.transpose(1, 2)

# %% mistake="key-value-swapped: a step" edits="one step a line"
# - key = self.W_key(x)
# - value = self.W_value(x)
# + key = self.W_value(x)
# + value = self.W_key(x)

# %% mistake="shared-projection: a step, value from key" edits="one step a line"
# - value = self.W_value(x)
# + value = self.W_key(x)

# %% mistake="shared-projection: a step, key from query" edits="one step a line"
# - key = self.W_key(x)
# + key = self.W_query(x)

# %% mistake="mask-inverted: a step" also="not-finite" edits="one step a line"
# - hidden = self.mask[:size, :size]
# + hidden = ~self.mask[:size, :size]

# %% mistake="mask-inverted: a large number is added, after the scale" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled + ~hidden * -1e9

# %% mistake="mask-inverted: a token sees the next but one" also="not-finite" edits="one step a line"
# - future = torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()
# + future = torch.tril(torch.ones(context_length, context_length), diagonal=1).bool()

# %% mistake="mask-inverted: a large number is added" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores + ~self.mask[:size, :size] * -1e9

# %% mistake="mask-looks-ahead: a step" edits="one step a line"
# - future = torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()
# + future = torch.triu(torch.ones(context_length, context_length), diagonal=2).bool()

# %% mistake="mask-hides-diagonal: a step" also="not-finite" edits="one step a line"
# - future = torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()
# + future = torch.triu(torch.ones(context_length, context_length), diagonal=0).bool()

# %% mistake="mask-missing: a step" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled

# %% mistake="mask-zero-not-inf: a step" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled.masked_fill(hidden, 0.0)

# %% mistake="mask-zero-not-inf: a mask of bools is added, after the scale" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled + hidden

# %% mistake="mask-nan: a step" also="not-finite" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled + hidden * -torch.inf

# %% mistake="mask-nan: a product with the scores" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled * torch.zeros_like(scores).masked_fill(hidden, -torch.inf)

# %% mistake="mask-not-sliced: a step" also="raises" edits="one step a line"
# - hidden = self.mask[:size, :size]
# + hidden = self.mask

# %% mistake="softmax-wrong-axis: a step" edits="one step a line"
# - weights = torch.softmax(masked, dim=-1)
# + weights = torch.softmax(masked, dim=-2)

# %% mistake="batch-leak: a step, softmax over the batch" also="not-finite" edits="one step a line"
# - weights = torch.softmax(masked, dim=-1)
# + weights = torch.softmax(masked, dim=0)

# %% mistake="unstable-softmax: a step" also="not-finite" edits="one step a line"
# - weights = torch.softmax(masked, dim=-1)
# + powers = torch.exp(masked)
# + weights = powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="mask-after-softmax: a step, renormalized" also="not-finite" edits="one step a line"
# - weights = torch.softmax(masked, dim=-1)
# + weights = torch.softmax(scaled, dim=-1).masked_fill(hidden, 0.0)
# + weights = weights / weights.sum(dim=-1, keepdim=True)

# %% mistake="mask-after-softmax: a step" edits="one step a line"
# - weights = torch.softmax(masked, dim=-1)
# + weights = torch.softmax(scaled, dim=-1).masked_fill(hidden, 0.0)

# %% mistake="weights-transposed: a step" edits="one step a line"
# - context = weights @ value
# + context = weights.transpose(1, 2) @ value

# %% mistake="values-not-projected: a step" also="wrong-shape" edits="one step a line"
# - context = weights @ value
# + context = weights @ x

# %% mistake="returns-weights: a step" also="wrong-shape" edits="one step a line"
# - return context
# + return weights

# %% mistake="result-transposed: a step" also="wrong-shape" edits="one step a line"
# - return context
# + return context.transpose(1, 2)

# %% mistake="shared-projection: one layer under three names" edits="textbook"
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_key = self.W_query
# + self.W_value = self.W_query

# %% mistake="shared-projection: one layer for query and key" edits="textbook"
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_key = self.W_query

# %% mistake="mask-hides-diagonal: up to the token itself" edits="one query at a time, the mask as places"
# - scores = (keys[:, : i + 1] @ query.unsqueeze(-1)).squeeze(-1)
# + scores = (keys[:, :i] @ query.unsqueeze(-1)).squeeze(-1)
# - rows.append((weights.unsqueeze(-1) * values[:, : i + 1]).sum(dim=1))
# + rows.append((weights.unsqueeze(-1) * values[:, :i]).sum(dim=1))

# %% mistake="mask-has-a-limit: filled with -100" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores.masked_fill(self.mask[:size, :size], -100.0)

# %% mistake="scale-by-tokens: beside the root" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5 / scores.shape[-1] ** 0.5, dim=-1)

# %% mistake="scale-by-tokens: beside the root, without the root" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5 / scores.shape[-1], dim=-1)

# %% mistake="dropout-keep-inverted: by hand, at a rate of 0, too" edits="textbook"
# - self.dropout = nn.Dropout(dropout)
# + self.p = dropout
# - weights = self.dropout(weights)
# + if self.training:
# +     weights = weights * (torch.rand_like(weights) < self.p) / (1 - self.p)

# %% mistake="dropout-keep-inverted: one minus the rate" edits="textbook"
# - self.dropout = nn.Dropout(dropout)
# + self.dropout = nn.Dropout(1 - dropout)

# %% mistake="mask-after-softmax: the largest of all is subtracted" also="not-finite" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + scores = (scores - scores.amax(dim=-1, keepdim=True)).masked_fill(self.mask[:size, :size], -torch.inf)
# + powers = torch.exp(scores / key.shape[-1] ** 0.5)
# + weights = powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="mask-zero-not-inf: ones are taken off, after the scale" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled - hidden.float()

# %% mistake="dropout-never: the layer is made in eval()" edits="textbook"
# - self.dropout = nn.Dropout(dropout)
# + self.dropout = nn.Dropout(dropout).eval()
