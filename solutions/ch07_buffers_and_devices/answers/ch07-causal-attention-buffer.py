# %% setup
import math
import warnings

import torch
import torch.nn.functional as F
from torch import nn


# %% correct="textbook"
class CausalAttentionWithBuffer(nn.Module):
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
class CausalAttentionWithBuffer(nn.Module):
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
class CausalAttentionWithBuffer(nn.Module):
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
class CausalAttentionWithBuffer(nn.Module):
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
class CausalAttentionWithBuffer(nn.Module):
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

# %% correct="the logarithm of the sum" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + scores = scores / key.shape[-1] ** 0.5
# + weights = (scores - scores.logsumexp(dim=-1, keepdim=True)).exp()

# %% mistake="softmax-wrong-axis" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-2)

# %% mistake="sum-normalized" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores.masked_fill(self.mask[:size, :size], 0.0)
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = scores / scores.sum(dim=-1, keepdim=True)

# %% mistake="softmax-unexpected" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(weights, dim=-1)

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

# %% mistake="query-key-swapped" edits="textbook"
# - scores = query @ key.transpose(1, 2)
# + scores = key @ query.transpose(1, 2)

# %% mistake="key-value-swapped" edits="textbook"
# - key = self.W_key(x)
# - value = self.W_value(x)
# + key = self.W_value(x)
# + value = self.W_key(x)

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

# %% mistake="creation-order" edits="textbook"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

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

# %% mistake="mask-zero-not-inf" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores.masked_fill(self.mask[:size, :size], 0.0)

# %% mistake="mask-zero-not-inf: multiplied" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = torch.tril(scores)

# %% mistake="mask-zero-not-inf: a mask of bools is added" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores + self.mask[:size, :size]

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

# %% mistake="not-implemented" edits="textbook"
# - query = self.W_query(x)
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="raises: forward misspelled" edits="textbook"
# - def forward(self, x):
# + def foward(self, x):

# %% mistake="not-defined" edits="textbook"
# - class CausalAttentionWithBuffer(nn.Module):
# + class Attention(nn.Module):

# %% mistake="syntax-error" edits="textbook"
# - scores = query @ key.transpose(1, 2)
# + scores = query @ (key.transpose(1, 2)

# %% mistake="raises" edits="textbook"
# - scores = query @ key.transpose(1, 2)
# + scores = query @ keys.transpose(1, 2)

# %% mistake="wrong-type: context and weights" edits="textbook"
# - return weights @ value
# + return weights @ value, weights

# %% mistake="wrong-type: nothing returned" edits="textbook"
# - return weights @ value
# + context = weights @ value

# %% mistake="wrong-dtype" edits="textbook"
# - return weights @ value
# + return (weights @ value).double()

# %% mistake="wrong-dtype: float32 always" edits="textbook"
# - return weights @ value
# + return (weights @ value).float()

# %% mistake="input-modified" edits="textbook"
# - query = self.W_query(x)
# + x -= x.mean(dim=-2, keepdim=True)
# + query = self.W_query(x)

# %% mistake="no-gradient" edits="textbook"
# - return weights @ value
# + return (weights @ value).detach()

# %% mistake="state-kept" edits="textbook"
# - return weights @ value
# + if not hasattr(self, 'first'):
# +     self.first = weights @ value
# + return self.first

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

# %% mistake="unrecognized: half the context" edits="textbook"
# - return weights @ value
# + return (weights @ value) / 2

# %% mistake="argument-unused: the mean of the past" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + scores = torch.zeros_like(scores).masked_fill(self.mask[:size, :size], -torch.inf)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)

# %% mistake="first-left-out: the first token sees all" edits="textbook"
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


# %% mistake="batch-leak" also="not-finite" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=0)

# %% mistake="batch-leak: keys of other items" also="raises" edits="textbook"
# - scores = query @ key.transpose(1, 2)
# + scores = query @ key.transpose(0, 1)

# %% mistake="batch-leak: the first item for all" edits="textbook"
# - key = self.W_key(x)
# + key = self.W_key(x[:1].expand_as(x))

# %% mistake="wrong-shape: a batch of one loses its axis" edits="textbook"
# - return weights @ value
# + return (weights @ value).squeeze(0)

# %% mistake="raises: the tokens counted on the wrong axis" edits="textbook"
# - size = x.shape[1]
# + size = x.shape[0]

# %% mistake="mask-not-sliced" also="raises" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores.masked_fill(self.mask, -torch.inf)

# %% mistake="mask-not-sliced: to the context, not to the tokens" also="raises" edits="textbook"
# - size = x.shape[1]
# + size = self.mask.shape[0]

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

# %% mistake="bias-unexpected" edits="textbook"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = nn.Linear(d_in, d_out)
# + self.W_key = nn.Linear(d_in, d_out)
# + self.W_value = nn.Linear(d_in, d_out)

# %% mistake="raises: an argument misspelled" edits="textbook"
# - def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
# + def __init__(self, d_in, d_out, block_size, dropout, qkv_bias=False):

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

# %% mistake="dropout-wrong-factor: rows sum to one again" edits="textbook"
# - weights = self.dropout(weights)
# + weights = self.dropout(weights)
# + weights = weights / weights.sum(dim=-1, keepdim=True).clamp(min=1e-9)


# %% mistake="dropout-wrong-rate" edits="textbook"
# - self.dropout = nn.Dropout(dropout)
# + self.dropout = nn.Dropout(0.5 if dropout else 0.0)

# %% mistake="dropout-wrong-rate: whatever is asked for" edits="textbook"
# - self.dropout = nn.Dropout(dropout)
# + self.dropout = nn.Dropout(0.5)

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

# %% mistake="dropout-on-context" edits="textbook"
# - weights = self.dropout(weights)
# - return weights @ value
# + return self.dropout(weights @ value)

# %% mistake="dropout-on-context: as well" edits="textbook"
# - return weights @ value
# + return self.dropout(weights @ value)

# %% mistake="dropout-shared" edits="textbook"
# - self.dropout = nn.Dropout(dropout)
# + self.dropout = nn.Dropout(dropout)
# - weights = self.dropout(weights)
# + weights = weights * self.dropout(torch.ones_like(weights[0]))

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

# %% mistake="mask-not-buffer: a plain attribute" edits="textbook"
# - self.register_buffer("mask", future)
# + self.mask = future

# %% mistake="mask-not-buffer: moved in forward" edits="textbook"
# - self.register_buffer("mask", future)
# + self.mask = future
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores.masked_fill(self.mask[:size, :size].to(x.device), -torch.inf)

# %% mistake="mask-not-buffer: to() of its own" edits="textbook"
# - self.register_buffer("mask", future)
# + self.mask = future
# - def forward(self, x):
# + def to(self, *args, **kwargs):
# +     self.mask = self.mask.to(*args, **kwargs).bool()
# +     return super().to(*args, **kwargs)
# +     # as before
# + def forward(self, x):

# %% mistake="mask-not-buffer: in a list" edits="textbook"
# - self.register_buffer("mask", future)
# + self.masks = [future]
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores.masked_fill(self.masks[0][:size, :size], -torch.inf)

# %% mistake="mask-not-buffer: under another name" edits="textbook"
# - self.register_buffer("mask", future)
# + self.register_buffer("hidden", future)
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores.masked_fill(self.hidden[:size, :size], -torch.inf)

# %% mistake="mask-not-buffer: a parameter" edits="textbook"
# - self.register_buffer("mask", future)
# + self.mask = nn.Parameter(future.float(), requires_grad=False)
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores.masked_fill(self.mask[:size, :size].bool(), -torch.inf)

# %% mistake="plain-tensor: a second mask is kept" edits="textbook"
# - self.register_buffer("mask", future)
# + self.register_buffer("mask", future)
# + self.future = future
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores.masked_fill(self.future[:size, :size], -torch.inf)

# %% mistake="mask-not-buffer: registered at the first call" edits="textbook"
# - self.register_buffer("mask", future)
# + self.future = [future]
# - size = x.shape[1]
# + size = x.shape[1]
# + if 'mask' not in self._buffers:
# +     self.register_buffer("mask", self.future[0].to(x.device))

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

# %% mistake="raises: no name" edits="textbook"
# - self.register_buffer("mask", future)
# + self.register_buffer(future)

# %% mistake="tensor-left-behind: the mask is made anew" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + if size > len(self.mask):
# +     raise ValueError('too long')
# + hidden = torch.ones(size, size).triu(1).bool()
# + scores = scores.masked_fill(hidden, -torch.inf)

# %% mistake="tensor-left-behind: an additive mask is made anew" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + hidden = torch.zeros(size, size).masked_fill(self.mask[:size, :size].cpu(), -torch.inf)
# + scores = scores + hidden.to(scores.dtype)

# %% mistake="tensor-left-behind: back to the CPU" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores.masked_fill(self.mask[:size, :size].cpu(), -torch.inf)

# %% mistake="wrong-device" edits="textbook"
# - return weights @ value
# + return (weights @ value).cpu()

# %% mistake="plain-tensor: a scale" edits="textbook"
# - self.register_buffer("mask", future)
# + self.register_buffer("mask", future)
# + self.scale = torch.tensor(d_out**0.5, dtype=torch.float64)
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / self.scale.to(scores), dim=-1)

# %% mistake="tensor-left-behind: and nothing is refused" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores.masked_fill(torch.ones(size, size).triu(1).bool(), -torch.inf)

# %% mistake="precision-lost: a root in float32" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / torch.sqrt(torch.tensor(key.shape[-1])), dim=-1)

# %% mistake="wrong-exception" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + hidden = torch.ones(size, size, device=x.device).triu(1).bool()
# + scores = scores.masked_fill(hidden, -torch.inf)

# %% mistake="mask-not-saved" edits="textbook"
# - self.register_buffer("mask", future)
# + self.register_buffer("mask", future, persistent=False)

# %% mistake="mask-not-saved: by position" edits="textbook"
# - self.register_buffer("mask", future)
# + self.register_buffer("mask", future, False)

# %% mistake="checkpoint-refused" edits="textbook"
# - def forward(self, x):
# + def state_dict(self, *args, **kwargs):
# +     state = super().state_dict(*args, **kwargs)
# +     return {'attention.' + name: one for name, one in state.items()} | {'mask': self.mask}
# +     # as before
# + def forward(self, x):

# %% correct="a buffer without a tensor, which is assigned" edits="textbook"
# - self.register_buffer("mask", future)
# + self.register_buffer("mask", None)
# + self.mask = future

# %% correct="nn.Buffer" edits="textbook"
# - self.register_buffer("mask", future)
# + self.mask = nn.Buffer(future)

# %% correct="a number made on the CPU" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = torch.where(self.mask[:size, :size], torch.tensor(-torch.inf), scores)

# %% mistake="precision-lost: a softmax in float32" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax((scores / key.shape[-1] ** 0.5).float(), dim=-1).to(value.dtype)

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
class CausalAttentionWithBuffer(nn.Module):
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


# %% correct="hidden score by score" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + for i in range(size):
# +     for j in range(size):
# +         if self.mask[i, j]:
# +             scores[:, i, j] = -torch.inf

# %% mistake="mask-has-a-limit: filled with -100" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores.masked_fill(self.mask[:size, :size], -100.0)

# %% mistake="scale-by-tokens: beside the root" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5 / scores.shape[-1] ** 0.5, dim=-1)

# %% mistake="dropout-keep-inverted: by hand, at a rate of 0, too" edits="textbook"
# - self.dropout = nn.Dropout(dropout)
# + self.p = dropout
# - weights = self.dropout(weights)
# + if self.training:
# +     weights = weights * (torch.rand_like(weights) < self.p) / (1 - self.p)

# %% mistake="dropout-keep-inverted: one minus the rate" edits="textbook"
# - self.dropout = nn.Dropout(dropout)
# + self.dropout = nn.Dropout(1 - dropout)

# %% mistake="mask-zero-not-inf: ones are taken off" edits="textbook"
# - scores = scores.masked_fill(self.mask[:size, :size], -torch.inf)
# + scores = scores - self.mask[:size, :size].float()

# %% mistake="mask-zero-not-inf: ones are taken off, after the scale" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled - hidden.float()

# %% mistake="scale-by-tokens: without the root" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / scores.shape[-1], dim=-1)

# %% mistake="scale-by-model-width: without the root" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / x.shape[-1], dim=-1)
