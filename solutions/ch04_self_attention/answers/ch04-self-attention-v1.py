# %% setup
import math
import sys
import warnings

import torch
import torch.nn.functional as F
from torch import nn


# %% correct="textbook"
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        query = x @ self.W_query
        key = x @ self.W_key
        value = x @ self.W_value
        scores = query @ key.T
        weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
        return weights @ value


# %% correct="einsum"
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        scores = torch.einsum("id,jd->ij", q, k) / math.sqrt(k.size(1))
        return torch.einsum("ij,jd->id", scores.softmax(dim=1), v)


# %% correct="one query at a time"
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        keys, values = x @ self.W_key, x @ self.W_value
        rows = []
        for query in x @ self.W_query:
            weights = torch.softmax(keys @ query / keys.shape[1] ** 0.5, dim=0)
            rows.append((weights[:, None] * values).sum(dim=0))
        return torch.stack(rows)


# %% correct="softmax by hand, query scaled first" edits="textbook"
# - scores = query @ key.T
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + scores = (query / math.sqrt(query.shape[-1])) @ key.transpose(0, 1)
# + powers = (scores - scores.max(dim=-1, keepdim=True).values).exp()
# + weights = powers / powers.sum(dim=-1, keepdim=True)

# %% correct="batched product, a batch of one" edits="textbook"
# - scores = query @ key.T
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# - return weights @ value
# + scores = torch.bmm(query.unsqueeze(0), key.unsqueeze(0).mT)
# + weights = F.softmax(scores.div(key.shape[-1] ** 0.5), dim=-1)
# + return torch.bmm(weights, value.unsqueeze(0)).squeeze(0)

# %% correct="float64 inside" edits="textbook"
# - scores = query @ key.T
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# - return weights @ value
# + scores = query.double() @ key.double().T
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + return (weights @ value.double()).float()

# %% correct="prints, warns and shows progress" edits="textbook"
# - scores = query @ key.T
# + print("query", query.shape)
# + warnings.warn("scores may be large")
# + sys.stderr.write("\r 50%|#####     |")
# + scores = query @ key.T

# %% correct="draws other numbers first" edits="textbook"
# - super().__init__()
# + super().__init__()
# + self.noise = torch.randn(5)

# %% correct="registered in another order" edits="textbook"
# - self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + query, key, value = (torch.rand(d_in, d_out) for _ in range(3))
# + self.W_value = nn.Parameter(value)
# + self.W_key = nn.Parameter(key)
# + self.W_query = nn.Parameter(query)

# %% correct="the logarithm of the sum" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + scores = scores / key.shape[-1] ** 0.5
# + weights = (scores - scores.logsumexp(dim=-1, keepdim=True)).exp()

# %% correct="one step a line" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# - return weights @ value
# + scaled = scores / key.shape[-1] ** 0.5
# + weights = torch.softmax(scaled, dim=-1)
# + context = weights @ value
# + return context

# %% mistake="softmax-wrong-axis" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.softmax(scaled, dim=0)

# %% mistake="softmax-wrong-axis: by hand" edits="softmax by hand, query scaled first"
# - powers = (scores - scores.max(dim=-1, keepdim=True).values).exp()
# - weights = powers / powers.sum(dim=-1, keepdim=True)
# + powers = (scores - scores.max(dim=0).values).exp()
# + weights = powers / powers.sum(dim=0)

# %% mistake="no-softmax" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = scaled

# %% mistake="no-softmax: nor scale" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = scores

# %% mistake="softmax-unexpected: on the context" edits="one step a line"
# - return context
# + return torch.softmax(context, dim=-1)

# %% mistake="unstable-softmax" also="not-finite" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + powers = torch.exp(scaled)
# + weights = powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="missing-scale" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores

# %% mistake="missing-scale: one query at a time" edits="one query at a time"
# - weights = torch.softmax(keys @ query / keys.shape[1] ** 0.5, dim=0)
# + weights = torch.softmax(keys @ query, dim=0)

# %% mistake="scale-by-dk" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1]

# %% mistake="scale-multiplied" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores * key.shape[-1] ** 0.5

# %% mistake="scale-after-softmax" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.softmax(scores, dim=-1) / key.shape[-1] ** 0.5

# %% mistake="scale-by-model-width" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / x.shape[-1] ** 0.5

# %% mistake="scale-by-tokens" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[0] ** 0.5

# %% mistake="query-key-swapped" edits="one step a line"
# - scores = query @ key.T
# + scores = key @ query.T

# %% mistake="key-value-swapped" edits="one step a line"
# - key = x @ self.W_key
# - value = x @ self.W_value
# + key = x @ self.W_value
# + value = x @ self.W_key

# %% mistake="key-not-transposed" also="raises" edits="one step a line"
# - scores = query @ key.T
# + scores = query @ key

# %% mistake="reshape-not-transpose" edits="one step a line"
# - scores = query @ key.T
# + scores = query @ key.reshape(key.shape[1], key.shape[0])

# %% mistake="values-not-projected" also="wrong-shape" edits="one step a line"
# - context = weights @ value
# + context = weights @ x

# %% mistake="values-transposed" also="raises" edits="one step a line"
# - context = weights @ value
# + context = weights @ value.T

# %% mistake="weight-not-transposed" also="raises" edits="one step a line"
# - query = x @ self.W_query
# + query = x @ self.W_query.T

# %% mistake="shared-projection" edits="one step a line"
# - key = x @ self.W_key
# + key = x @ self.W_query

# %% mistake="shared-projection: value from key" edits="one step a line"
# - value = x @ self.W_value
# + value = x @ self.W_key

# %% mistake="shared-projection: query from key" edits="one step a line"
# - query = x @ self.W_query
# + query = x @ self.W_key

# %% mistake="shared-projection: one for all" edits="one step a line"
# - query = x @ self.W_query
# - key = x @ self.W_key
# - value = x @ self.W_value
# + query = key = value = x @ self.W_query

# %% mistake="creation-order" edits="one step a line"
# - self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_value = nn.Parameter(torch.rand(d_in, d_out))

# %% mistake="creation-order: value first" edits="one step a line"
# - self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_key = nn.Parameter(torch.rand(d_in, d_out))

# %% mistake="wrong-initialisation" edits="one step a line"
# - self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_query = nn.Parameter(torch.randn(d_in, d_out))
# + self.W_key = nn.Parameter(torch.randn(d_in, d_out))
# + self.W_value = nn.Parameter(torch.randn(d_in, d_out))

# %% mistake="wrong-initialisation: zeros" edits="one step a line"
# - self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_query = nn.Parameter(torch.zeros(d_in, d_out))
# + self.W_key = nn.Parameter(torch.zeros(d_in, d_out))
# + self.W_value = nn.Parameter(torch.zeros(d_in, d_out))

# %% mistake="wrong-initialisation: all three alike" edits="one step a line"
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_key = nn.Parameter(self.W_query.detach().clone())
# + self.W_value = nn.Parameter(self.W_query.detach().clone())

# %% mistake="setting-left: a seed of its own" edits="textbook"
# - super().__init__()
# + super().__init__()
# + torch.manual_seed(123)

# %% mistake="keepdim-missing: and unstable" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + powers = torch.exp(scaled)
# + weights = powers / powers.sum(dim=-1)

# %% mistake="weights-transposed" edits="one step a line"
# - context = weights @ value
# + context = weights.T @ value

# %% mistake="returns-values" edits="one step a line"
# - return context
# + return value

# %% mistake="residual-added" edits="one step a line"
# - return context
# + return context + value

# %% mistake="returns-weights" also="wrong-shape" edits="one step a line"
# - return context
# + return weights

# %% mistake="returns-scores" also="wrong-shape" edits="one step a line"
# - return context
# + return scores

# %% mistake="returns-scores: scaled" also="wrong-shape" edits="one step a line"
# - return context
# + return scaled

# %% mistake="result-transposed" also="wrong-shape" edits="one step a line"
# - return context
# + return context.T

# %% mistake="mask-unexpected" edits="one step a line"
# - scores = query @ key.T
# + scores = query @ key.T
# + future = torch.triu(torch.ones_like(scores), diagonal=1).bool()
# + scores = scores.masked_fill(future, -torch.inf)

# %% mistake="sum-normalized" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = scaled / scaled.sum(dim=-1, keepdim=True)

# %% mistake="keepdim-missing" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + powers = torch.exp(scaled - scaled.max(dim=-1, keepdim=True).values)
# + weights = powers / powers.sum(dim=-1)

# %% mistake="softmax-unexpected" edits="one step a line"
# - context = weights @ value
# + context = torch.softmax(weights, dim=-1) @ value

# %% mistake="exponential-twice" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.softmax(torch.exp(scaled), dim=-1)

# %% mistake="hard-lookup" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = (scaled == scaled.max(dim=-1, keepdim=True).values).float()

# %% mistake="not-normalized" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.exp(scaled - scaled.max(dim=-1, keepdim=True).values)

# %% mistake="not-normalized: the largest not taken off" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.exp(scaled)

# %% mistake="weights-unused" edits="one step a line"
# - context = weights @ value
# + context = value.mean(dim=0).expand_as(value)

# %% mistake="mask-unexpected: after the softmax" edits="one step a line"
# - context = weights @ value
# + context = torch.tril(weights) @ value

# %% mistake="mask-unexpected: after the softmax, renormalized" edits="one step a line"
# - context = weights @ value
# + weights = torch.tril(weights)
# + weights = weights / weights.sum(dim=-1, keepdim=True)
# + context = weights @ value

# %% mistake="scale-wrong-power" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 2

# %% mistake="scale-wrong-power: the fourth root" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.25

# %% mistake="root-precedence" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 1 / 2

# %% mistake="root-precedence: half of d_k" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / (key.shape[-1] ** 1 / 2)

# %% mistake="scale-multiplied: by d_k" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores * key.shape[-1]

# %% mistake="scale-by-tokens: without the root" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / len(scores)

# %% mistake="rounded-down" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / int(key.shape[-1] ** 0.5)

# %% mistake="rounded-down: the scores" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores // key.shape[-1] ** 0.5

# %% mistake="scale-by-norm" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.norm(dim=-1)

# %% mistake="scale-by-norm: of both" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / query.norm(dim=-1, keepdim=True) / key.norm(dim=-1)

# %% mistake="scale-by-spread" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / scores.std()

# %% mistake="scale-by-spread: of each row" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / scores.std(dim=-1, keepdim=True)

# %% mistake="one-token-only" also="wrong-shape" edits="one step a line"
# - query = x @ self.W_query
# + query = x[1] @ self.W_query

# %% mistake="one-token-only: its context" also="wrong-shape" edits="one step a line"
# - return context
# + return context[1]

# %% mistake="shared-projection: value from query" edits="one step a line"
# - value = x @ self.W_value
# + value = x @ self.W_query

# %% mistake="shared-projection: key from value" edits="one step a line"
# - key = x @ self.W_key
# + key = x @ self.W_value

# %% mistake="shared-projection: query from value" edits="one step a line"
# - query = x @ self.W_query
# + query = x @ self.W_value

# %% mistake="weight-not-transposed: of all" also="raises" edits="one step a line"
# - query = x @ self.W_query
# - key = x @ self.W_key
# - value = x @ self.W_value
# + query = x @ self.W_query.T
# + key = x @ self.W_key.T
# + value = x @ self.W_value.T

# %% mistake="not-implemented" edits="textbook"
# - query = x @ self.W_query
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="raises: an argument misspelled" edits="textbook"
# - def __init__(self, d_in, d_out):
# + def __init__(self, in_dim, out_dim):
# - super().__init__()
# + super().__init__()
# + d_in, d_out = in_dim, out_dim

# %% mistake="raises: forward misspelled" edits="textbook"
# - def forward(self, x):
# + def foward(self, x):

# %% mistake="not-defined" edits="textbook"
# - class SelfAttention_v1(nn.Module):
# + class Attention(nn.Module):

# %% mistake="syntax-error" edits="textbook"
# - scores = query @ key.T
# + scores = query @ (key.T

# %% mistake="raises" edits="textbook"
# - scores = query @ key.T
# + scores = query @ keys.T

# %% mistake="raises: no super().__init__()" edits="textbook"
# - super().__init__()
# + pass

# %% mistake="wrong-type: context and weights" edits="textbook"
# - return weights @ value
# + return weights @ value, weights

# %% mistake="wrong-type: a list" edits="textbook"
# - return weights @ value
# + return (weights @ value).tolist()

# %% mistake="wrong-type: nothing returned" edits="textbook"
# - return weights @ value
# + context = weights @ value

# %% mistake="wrong-type: no module" edits="textbook"
# - class SelfAttention_v1(nn.Module):
# + class SelfAttention_v1:

# %% mistake="wrong-type: an instance"
SelfAttention_v1 = nn.Linear(3, 2)

# %% mistake="wrong-shape: a batch axis" edits="textbook"
# - return weights @ value
# + return (weights @ value).unsqueeze(0)

# %% mistake="wrong-shape: matrices the other way round" edits="textbook"
# - self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_query = nn.Parameter(torch.rand(d_out, d_in))
# + self.W_key = nn.Parameter(torch.rand(d_out, d_in))
# + self.W_value = nn.Parameter(torch.rand(d_out, d_in))
# - query = x @ self.W_query
# - key = x @ self.W_key
# - value = x @ self.W_value
# + query = x @ self.W_query.T
# + key = x @ self.W_key.T
# + value = x @ self.W_value.T

# %% mistake="wrong-dtype" edits="textbook"
# - return weights @ value
# + return (weights @ value).double()

# %% mistake="wrong-dtype: half precision" edits="textbook"
# - return weights @ value
# + return (weights @ value).half()

# %% mistake="wrong-device" on="device" edits="textbook"
# - return weights @ value
# + return (weights @ value).cpu()

# %% mistake="not-finite" edits="textbook"
# - scores = query @ key.T
# + scores = query @ key.T
# + scores = scores.masked_fill(torch.ones_like(scores).bool(), -torch.inf)

# %% mistake="input-modified" edits="textbook"
# - query = x @ self.W_query
# + x -= x.mean(dim=0)
# + query = x @ self.W_query

# %% mistake="input-modified: another shape" edits="textbook"
# - return weights @ value
# + context = weights @ value
# + x.unsqueeze_(0)
# + return context

# %% mistake="input-modified: after use" edits="textbook"
# - return weights @ value
# + context = weights @ value
# + x[0] = 0
# + return context

# %% mistake="wrong-type: a complex tensor" edits="textbook"
# - return weights @ value
# + return (weights @ value).to(torch.complex64)

# %% mistake="no-gradient" edits="textbook"
# - return weights @ value
# + return (weights @ value).detach()

# %% mistake="no-gradient: the keys are cut off" edits="textbook"
# - scores = query @ key.T
# + scores = query @ key.data.T

# %% mistake="no-gradient: no_grad" edits="textbook"
# - return weights @ value
# + with torch.no_grad():
# +     context = weights @ value
# + return context

# %% mistake="state-kept" edits="textbook"
# - return weights @ value
# + if not hasattr(self, "first"):
# +     self.first = weights @ value
# + return self.first

# %% mistake="state-kept: wrong in eval" edits="textbook"
# - return weights @ value
# + return weights @ value if self.training else value

# %% mistake="no-gradient: through NumPy" edits="textbook"
# - scores = query @ key.T
# + x.numpy()
# + scores = query @ key.T

# %% mistake="not-registered" edits="textbook"
# - self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_query = torch.rand(d_in, d_out)
# + self.W_key = torch.rand(d_in, d_out)
# + self.W_value = torch.rand(d_in, d_out)

# %% mistake="not-registered: other names" edits="textbook"
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_k = nn.Parameter(torch.rand(d_in, d_out))
# - key = x @ self.W_key
# + key = x @ self.W_k

# %% mistake="too-slow" edits="textbook"
# - scores = query @ key.T
# + while query.shape[0] > 0:
# +     scores = query @ key.T

# %% mistake="example-only" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / 2**0.5, dim=-1)

# %% mistake="hard-coded: the printed numbers" edits="textbook"
# - return weights @ value
# + return torch.tensor(
# +     [[0.2996, 0.8053], [0.3061, 0.8210], [0.3058, 0.8203],
# +      [0.2948, 0.7939], [0.2927, 0.7891], [0.2990, 0.8040]]
# + )

# %% mistake="forbidden-call" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# - return weights @ value
# + return F.scaled_dot_product_attention(query[None], key[None], value[None])[0]

# %% mistake="forbidden-call: by another name" edits="textbook"
# - return weights @ value
# + attend = getattr(torch._C._nn, "scaled_dot" + "_product_attention")
# + return attend(query[None], key[None], value[None])[0]

# %% mistake="forbidden-call: through torch.ops" edits="textbook"
# - return weights @ value
# + attend = torch.ops.aten.scaled_dot_product_attention
# + return attend(query[None], key[None], value[None])[0]

# %% mistake="unrecognized: half the context" edits="textbook"
# - return weights @ value
# + return (weights @ value) / 2

# %% mistake="unrecognized: residual added twice" edits="textbook"
# - return weights @ value
# + return weights @ value + value + value

# %% mistake="unstable-softmax: less the first score" also="not-finite" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + powers = (scaled - scaled[:, :1]).exp()
# + weights = powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="unstable-softmax: less the largest magnitude" also="not-finite" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + powers = (scaled - scaled.abs().amax(dim=-1, keepdim=True)).exp()
# + weights = powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="unstable-softmax: in double precision" also="not-finite" edits="one step a line"
# - weights = torch.softmax(scaled, dim=-1)
# + powers = scaled.double().exp()
# + weights = (powers / powers.sum(dim=-1, keepdim=True)).float()


# %% correct="filled into zeros"
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        query = x @ self.W_query
        key = x @ self.W_key
        value = x @ self.W_value
        scores = query.new_zeros(len(query), len(key))
        for i in range(len(query)):
            scores[i] = key @ query[i]
        scaled = scores / key.shape[-1] ** 0.5
        context = torch.zeros_like(value)
        for i in range(len(context)):
            weights = torch.softmax(scaled[i], dim=0)
            for j in range(len(value)):
                context[i] = context[i] + weights[j] * value[j]
        return context


# %% correct="sums added up"
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        query = x @ self.W_query
        key = x @ self.W_key
        value = x @ self.W_value
        rows = []
        for one in query:
            scaled = key @ one / len(one) ** 0.5
            largest = scaled.max()
            mixed, total = 0, 0
            for j in range(len(key)):
                power = torch.exp(scaled[j] - largest)
                mixed = mixed + power * value[j]
                total = total + power
            rows.append(mixed / total)
        return torch.stack(rows)


# %% mistake="last-left-out: the last row" edits="filled into zeros"
# - for i in range(len(context)):
# + for i in range(len(context) - 1):

# %% mistake="first-left-out: the first value" edits="filled into zeros"
# - for j in range(len(value)):
# + for j in range(1, len(value)):

# %% mistake="last-left-out: the last value" edits="filled into zeros"
# - for j in range(len(value)):
# + for j in range(len(value) - 1):

# %% mistake="first-left-out: the first row" edits="filled into zeros"
# - for i in range(len(context)):
# + for i in range(1, len(context)):

# %% mistake="first-round-only: return in the loop" edits="filled into zeros"
# - return context
# +     return context

# %% mistake="first-round-only: return in the inner loop" edits="filled into zeros"
# - return context
# +         return context

# %% mistake="missing-scale: in loops" edits="filled into zeros"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores

# %% mistake="scale-by-dk: in loops" edits="filled into zeros"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1]

# %% mistake="scale-by-tokens: in loops" edits="filled into zeros"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / len(key) ** 0.5

# %% mistake="query-key-swapped: in loops" edits="filled into zeros"
# - scores[i] = key @ query[i]
# + scores[i] = query @ key[i]

# %% mistake="softmax-wrong-axis: in loops" edits="filled into zeros"
# - weights = torch.softmax(scaled[i], dim=0)
# + weights = torch.softmax(scaled, dim=0)[i]

# %% mistake="values-not-projected: in loops" also="raises" edits="filled into zeros"
# - context[i] = context[i] + weights[j] * value[j]
# + context[i] = context[i] + weights[j] * x[j]

# %% mistake="mask-unexpected: in loops" edits="filled into zeros"
# - for j in range(len(value)):
# + for j in range(i + 1):

# %% mistake="mask-unexpected: sums over the tokens before" edits="sums added up"
# - for one in query:
# + for i, one in enumerate(query):
# - for j in range(len(key)):
# + for j in range(i + 1):

# %% mistake="running-sum" edits="sums added up"
# - mixed = mixed + power * value[j]
# - total = total + power
# + total = total + power
# + mixed = mixed + power / total * value[j]
# - rows.append(mixed / total)
# + rows.append(mixed)

# %% mistake="unstable-softmax: sums added up" also="not-finite" edits="sums added up"
# - power = torch.exp(scaled[j] - largest)
# + power = torch.exp(scaled[j])

# %% mistake="query-key-swapped: and a two for d_k" also="scale-fixed" edits="one step a line"
# - scores = query @ key.T
# + scores = key @ query.T
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / 2**0.5

# %% mistake="softmax-wrong-axis: and a two for d_k" also="scale-fixed" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / 2**0.5
# - weights = torch.softmax(scaled, dim=-1)
# + weights = torch.softmax(scaled, dim=0)

# %% mistake="scale-by-tokens: beside the root" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / key.shape[0] ** 0.5

# %% mistake="scale-by-tokens: beside the root, without the root" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / len(scores)

# %% mistake="scale-by-norm: beside the root" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / key.norm(dim=-1)

# %% mistake="scale-by-norm: beside the root, of both" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / query.norm(dim=-1, keepdim=True) / key.norm(dim=-1)

# %% mistake="scale-by-spread: beside the root" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / scores.std()

# %% mistake="scale-by-spread: beside the root, of each row" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / scores.std(dim=-1, keepdim=True)

# %% mistake="scale-by-tokens: beside the root, in loops" edits="filled into zeros"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / len(key) ** 0.5
