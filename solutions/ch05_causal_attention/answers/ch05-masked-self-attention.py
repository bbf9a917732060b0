# %% setup
import math
import warnings

import torch
import torch.nn.functional as F
from torch import nn


# %% correct="textbook"
class MaskedSelfAttention(nn.Module):
    def __init__(self, d_model=2, row_dim=0, col_dim=1):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)

    def forward(self, token_encodings):
        query = self.W_q(token_encodings)
        key = self.W_k(token_encodings)
        value = self.W_v(token_encodings)
        size = len(token_encodings)
        hidden = torch.triu(torch.ones(size, size, device=query.device), diagonal=1).bool()
        scores = query @ key.T
        scores = scores.masked_fill(hidden, -torch.inf)
        weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
        return weights @ value


# %% correct="einsum"
class MaskedSelfAttention(nn.Module):
    def __init__(self, d_model=2, row_dim=0, col_dim=1):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)

    def forward(self, token_encodings):
        q, k, v = self.W_q(token_encodings), self.W_k(token_encodings), self.W_v(token_encodings)
        mask = torch.full((len(q), len(q)), -torch.inf, device=q.device).triu(1)
        scores = (torch.einsum("id,jd->ij", q, k) + mask) / math.sqrt(k.size(1))
        return torch.einsum("ij,jd->id", scores.softmax(dim=1), v)


# %% correct="one query at a time"
class MaskedSelfAttention(nn.Module):
    def __init__(self, d_model=2, row_dim=0, col_dim=1):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)

    def forward(self, token_encodings):
        keys, values = self.W_k(token_encodings), self.W_v(token_encodings)
        rows = []
        for i, query in enumerate(self.W_q(token_encodings)):
            weights = torch.softmax(keys[: i + 1] @ query / keys.shape[1] ** 0.5, dim=0)
            rows.append(weights @ values[: i + 1])
        return torch.stack(rows)


# %% correct="axes by name, torch.where"
class MaskedSelfAttention(nn.Module):
    def __init__(self, d_model=2, row_dim=0, col_dim=1):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)

    def forward(self, token_encodings):
        q, k, v = self.W_q(token_encodings), self.W_k(token_encodings), self.W_v(token_encodings)
        place = torch.arange(q.size(0), device=q.device)
        scores = torch.matmul(q, k.transpose(dim0=0, dim1=1))
        scores = torch.where(place[:, None] >= place, scores, -torch.inf)
        return torch.matmul(F.softmax(scores / torch.tensor(k.size(1) ** 0.5), dim=1), v)


# %% correct="additive mask" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + mask = torch.zeros_like(scores).masked_fill(hidden, float('-inf'))
# + scores = scores + mask

# %% correct="a very large negative number" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores.masked_fill(hidden, -1e9)

# %% correct="masked after the scale" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + scores = (scores / math.sqrt(key.size(1))).masked_fill(hidden, -torch.inf)
# + weights = F.softmax(scores, dim=1)

# %% correct="in place, on a tensor of its own" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores.masked_fill_(hidden, -torch.inf)

# %% correct="prints and warns" edits="textbook"
# - scores = query @ key.T
# + print('query', query.shape)
# + warnings.warn('scores may be large')
# + scores = query @ key.T

# %% correct="softmax by hand" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + powers = (scores - scores.max(dim=-1, keepdim=True).values).div(key.shape[-1] ** 0.5).exp()
# + weights = powers / powers.sum(dim=-1, keepdim=True)

# %% correct="the logarithm of the sum" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + scores = scores / key.shape[-1] ** 0.5
# + weights = (scores - scores.logsumexp(dim=-1, keepdim=True)).exp()

# %% mistake="softmax-wrong-axis" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-2)

# %% mistake="no-softmax: after zeros" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores.masked_fill(hidden, 0.0)
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = scores / key.shape[-1] ** 0.5

# %% mistake="sum-normalized" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores.masked_fill(hidden, 0.0)
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
# - scores = scores.masked_fill(hidden, -torch.inf)
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = weights.masked_fill(hidden, -torch.inf)
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
# - scores = query @ key.T
# + scores = key @ query.T

# %% mistake="key-value-swapped" edits="textbook"
# - key = self.W_k(token_encodings)
# - value = self.W_v(token_encodings)
# + key = self.W_v(token_encodings)
# + value = self.W_k(token_encodings)

# %% mistake="key-not-transposed" also="raises" edits="textbook"
# - scores = query @ key.T
# + scores = query @ key

# %% mistake="reshape-not-transpose" edits="textbook"
# - scores = query @ key.T
# + scores = query @ key.reshape(key.shape[1], key.shape[0])

# %% mistake="values-not-projected" edits="textbook"
# - return weights @ value
# + return weights @ token_encodings

# %% mistake="weight-not-transposed" edits="textbook"
# - query = self.W_q(token_encodings)
# + query = token_encodings @ self.W_q.weight

# %% mistake="shared-projection" edits="textbook"
# - key = self.W_k(token_encodings)
# + key = self.W_q(token_encodings)

# %% mistake="shared-projection: value from key" edits="textbook"
# - value = self.W_v(token_encodings)
# + value = self.W_k(token_encodings)

# %% mistake="shared-projection: query from key" edits="textbook"
# - query = self.W_q(token_encodings)
# + query = self.W_k(token_encodings)

# %% mistake="creation-order" edits="textbook"
# - self.W_q = nn.Linear(d_model, d_model, bias=False)
# - self.W_k = nn.Linear(d_model, d_model, bias=False)
# - self.W_v = nn.Linear(d_model, d_model, bias=False)
# + self.W_k = nn.Linear(d_model, d_model, bias=False)
# + self.W_q = nn.Linear(d_model, d_model, bias=False)
# + self.W_v = nn.Linear(d_model, d_model, bias=False)

# %% mistake="creation-order: value first" edits="textbook"
# - self.W_q = nn.Linear(d_model, d_model, bias=False)
# - self.W_k = nn.Linear(d_model, d_model, bias=False)
# - self.W_v = nn.Linear(d_model, d_model, bias=False)
# + self.W_v = nn.Linear(d_model, d_model, bias=False)
# + self.W_q = nn.Linear(d_model, d_model, bias=False)
# + self.W_k = nn.Linear(d_model, d_model, bias=False)

# %% mistake="wrong-initialisation" edits="textbook"
# - self.W_v = nn.Linear(d_model, d_model, bias=False)
# + self.W_v = nn.Linear(d_model, d_model, bias=False)
# + nn.init.xavier_uniform_(self.W_q.weight)
# + nn.init.xavier_uniform_(self.W_k.weight)
# + nn.init.xavier_uniform_(self.W_v.weight)

# %% mistake="setting-left: a seed of its own" edits="textbook"
# - super().__init__()
# + super().__init__()
# + torch.manual_seed(123)

# %% mistake="weights-transposed" edits="textbook"
# - return weights @ value
# + return weights.T @ value

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
# + return (weights @ value).T

# %% mistake="mask-missing" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + pass

# %% mistake="mask-missing: masked_fill is not in place" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores.masked_fill(hidden, -torch.inf)

# %% mistake="mask-looks-ahead" edits="textbook"
# - hidden = torch.triu(torch.ones(size, size, device=query.device), diagonal=1).bool()
# + hidden = torch.triu(torch.ones(size, size, device=query.device), diagonal=2).bool()

# %% mistake="mask-inverted: with a large number" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores.masked_fill(~hidden, -1e9)

# %% mistake="mask-inverted" also="not-finite" edits="textbook"
# - hidden = torch.triu(torch.ones(size, size, device=query.device), diagonal=1).bool()
# + hidden = torch.tril(torch.ones(size, size, device=query.device), diagonal=0).bool()

# %% mistake="mask-inverted: a token sees itself" edits="textbook"
# - hidden = torch.triu(torch.ones(size, size, device=query.device), diagonal=1).bool()
# + hidden = torch.tril(torch.ones(size, size, device=query.device), diagonal=-1).bool()

# %% mistake="mask-hides-diagonal" also="not-finite" edits="textbook"
# - hidden = torch.triu(torch.ones(size, size, device=query.device), diagonal=1).bool()
# + hidden = torch.triu(torch.ones(size, size, device=query.device), diagonal=0).bool()

# %% mistake="mask-hides-diagonal: with a large number" edits="textbook"
# - hidden = torch.triu(torch.ones(size, size, device=query.device), diagonal=1).bool()
# + hidden = torch.triu(torch.ones(size, size, device=query.device), diagonal=0).bool()
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores.masked_fill(hidden, -1e9)

# %% mistake="mask-zero-not-inf" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores.masked_fill(hidden, 0.0)

# %% mistake="mask-zero-not-inf: multiplied" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = torch.tril(scores)

# %% mistake="mask-zero-not-inf: a mask of bools is added" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores + hidden

# %% mistake="mask-zero-not-inf: ones and zeros are added" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores + (~hidden).to(scores.dtype)

# %% mistake="mask-nan" also="not-finite" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores + hidden * -torch.inf

# %% mistake="mask-after-softmax" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = weights.masked_fill(hidden, 0.0)

# %% mistake="mask-after-softmax: renormalized, the future took all" also="not-finite" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = weights.masked_fill(hidden, 0.0)
# + weights = weights / weights.sum(dim=-1, keepdim=True)

# %% mistake="renormalized-wrong-axis" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = weights.masked_fill(hidden, 0.0)
# + weights = weights / weights.sum(dim=-2, keepdim=True)

# %% mistake="mask-after-softmax: minus infinity into the weights" also="not-finite" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = weights.masked_fill(hidden, -torch.inf)

# %% mistake="not-implemented" edits="textbook"
# - query = self.W_q(token_encodings)
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="raises: forward misspelled" edits="textbook"
# - def forward(self, token_encodings):
# + def foward(self, token_encodings):

# %% mistake="not-defined" edits="textbook"
# - class MaskedSelfAttention(nn.Module):
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

# %% mistake="wrong-type: nothing returned" edits="textbook"
# - return weights @ value
# + context = weights @ value

# %% mistake="wrong-type: no module" edits="textbook"
# - class MaskedSelfAttention(nn.Module):
# + class MaskedSelfAttention:

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
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores.masked_fill(torch.ones_like(scores).bool(), -torch.inf)

# %% mistake="input-modified" edits="textbook"
# - query = self.W_q(token_encodings)
# + token_encodings -= token_encodings.mean(dim=-2, keepdim=True)
# + query = self.W_q(token_encodings)

# %% mistake="input-modified: after use" edits="textbook"
# - return weights @ value
# + context = weights @ value
# + token_encodings[0] = 0
# + return context

# %% mistake="no-gradient" edits="textbook"
# - return weights @ value
# + return (weights @ value).detach()

# %% mistake="no-gradient: the keys are cut off" edits="textbook"
# - scores = query @ key.T
# + scores = query @ key.data.T

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
# - self.W_k = nn.Linear(d_model, d_model, bias=False)
# + self.layer_key = nn.Linear(d_model, d_model, bias=False)
# - key = self.W_k(token_encodings)
# + key = self.layer_key(token_encodings)

# %% mistake="too-slow" edits="textbook"
# - scores = query @ key.T
# + while query.shape[0] > 0:
# +     scores = query @ key.T

# %% mistake="example-only" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / 2**0.5, dim=-1)

# %% mistake="forbidden-call" edits="textbook"
# - return weights @ value
# + return F.scaled_dot_product_attention(query[None], key[None], value[None], is_causal=True)[0]

# %% mistake="wrong-device" on="device" edits="textbook"
# - return weights @ value
# + return (weights @ value).cpu()

# %% mistake="unrecognized: half the context" edits="textbook"
# - return weights @ value
# + return (weights @ value) / 2

# %% mistake="argument-unused: the mean of the past" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + scores = torch.zeros_like(scores).masked_fill(hidden, -torch.inf)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)

# %% mistake="unrecognized: centered on the whole sentence" edits="textbook"
# - query = self.W_q(token_encodings)
# + token_encodings = token_encodings - token_encodings.mean(dim=-2, keepdim=True)
# + query = self.W_q(token_encodings)

# %% mistake="unrecognized: minus five is not enough" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores.masked_fill(hidden, -5.0)

# %% mistake="unrecognized: the first token sees all" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + hidden = hidden.clone()
# + hidden[0] = False
# + scores = scores.masked_fill(hidden, -torch.inf)

# %% mistake="mask-missing: at the first call only" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + if scores.shape[-1] <= 2:
# +     scores = scores.masked_fill(hidden, -torch.inf)

# %% mistake="values-transposed" also="raises" edits="textbook"
# - return weights @ value
# + return weights @ value.T

# %% mistake="bias-unexpected" edits="textbook"
# - self.W_q = nn.Linear(d_model, d_model, bias=False)
# - self.W_k = nn.Linear(d_model, d_model, bias=False)
# - self.W_v = nn.Linear(d_model, d_model, bias=False)
# + self.W_q = nn.Linear(d_model, d_model)
# + self.W_k = nn.Linear(d_model, d_model)
# + self.W_v = nn.Linear(d_model, d_model)

# %% mistake="raises: a mask of six tokens" edits="textbook"
# - hidden = torch.triu(torch.ones(size, size, device=query.device), diagonal=1).bool()
# + hidden = torch.triu(torch.ones(6, 6, device=query.device), diagonal=1).bool()

# %% mistake="raises: a mask that forward expects" edits="textbook"
# - def forward(self, token_encodings):
# + def forward(self, token_encodings, mask):

# %% mistake="wrong-shape: a batch axis" edits="textbook"
# - return weights @ value
# + return (weights @ value).unsqueeze(0)

# %% mistake="hard-coded: the printed numbers" edits="textbook"
# - return weights @ value
# + return torch.tensor([[0.6038, 0.7434], [-0.0062, 0.6072], [3.4989, 2.2427]])

# %% mistake="mask-nan: infinity is subtracted too often" also="not-finite" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores - torch.inf * hidden

# %% correct="softmax in float32" remark="precision-lost" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax((scores / key.shape[-1] ** 0.5).float(), dim=-1).to(value.dtype)

# %% mistake="mask-has-a-limit: less 1000" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores - 1000.0 * hidden

# %% mistake="mask-has-a-limit: filled with -300" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores.masked_fill(hidden, -300.0)

# %% mistake="not-finite: scores of zero are hidden" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores.tril()
# + scores = scores.masked_fill((scores == 0) & hidden.new_ones(size, size), -torch.inf)


# %% correct="one step a line"
class MaskedSelfAttention(nn.Module):
    def __init__(self, d_model=2, row_dim=0, col_dim=1):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)

    def forward(self, token_encodings):
        query = self.W_q(token_encodings)
        key = self.W_k(token_encodings)
        value = self.W_v(token_encodings)
        size = len(token_encodings)
        hidden = torch.triu(torch.ones(size, size, device=query.device), diagonal=1).bool()
        scores = query @ key.T
        scale = key.shape[-1] ** 0.5
        scaled = scores / scale
        masked = scaled.masked_fill(hidden, -torch.inf)
        weights = torch.softmax(masked, dim=-1)
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

# %% mistake="query-key-swapped: a step" edits="one step a line"
# - scores = query @ key.T
# + scores = key @ query.T

# %% mistake="key-value-swapped: a step" edits="one step a line"
# - key = self.W_k(token_encodings)
# - value = self.W_v(token_encodings)
# + key = self.W_v(token_encodings)
# + value = self.W_k(token_encodings)

# %% mistake="shared-projection: a step, value from key" edits="one step a line"
# - value = self.W_v(token_encodings)
# + value = self.W_k(token_encodings)

# %% mistake="shared-projection: a step, key from query" edits="one step a line"
# - key = self.W_k(token_encodings)
# + key = self.W_q(token_encodings)

# %% mistake="weight-not-transposed: all three" edits="one step a line"
# - query = self.W_q(token_encodings)
# - key = self.W_k(token_encodings)
# - value = self.W_v(token_encodings)
# + query = token_encodings @ self.W_q.weight
# + key = token_encodings @ self.W_k.weight
# + value = token_encodings @ self.W_v.weight

# %% mistake="mask-inverted: a step" also="not-finite" edits="one step a line"
# - hidden = torch.triu(torch.ones(size, size, device=query.device), diagonal=1).bool()
# + hidden = torch.ones(size, size, device=query.device).tril().bool()

# %% mistake="mask-inverted: a large number is added, after the scale" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled + ~hidden * -1e9

# %% mistake="mask-inverted: a token sees the next but one" also="not-finite" edits="one step a line"
# - hidden = torch.triu(torch.ones(size, size, device=query.device), diagonal=1).bool()
# + hidden = torch.ones(size, size, device=query.device).tril(diagonal=1).bool()

# %% mistake="mask-looks-ahead: a step" edits="one step a line"
# - hidden = torch.triu(torch.ones(size, size, device=query.device), diagonal=1).bool()
# + hidden = torch.triu(torch.ones(size, size, device=query.device), diagonal=2).bool()

# %% mistake="mask-hides-diagonal: a step" also="not-finite" edits="one step a line"
# - hidden = torch.triu(torch.ones(size, size, device=query.device), diagonal=1).bool()
# + hidden = torch.triu(torch.ones(size, size, device=query.device), diagonal=0).bool()

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

# %% mistake="values-not-projected: a step" edits="one step a line"
# - context = weights @ value
# + context = weights @ token_encodings

# %% mistake="weights-transposed: a step" edits="one step a line"
# - context = weights @ value
# + context = weights.T @ value

# %% mistake="returns-weights: a step" also="wrong-shape" edits="one step a line"
# - return context
# + return weights

# %% mistake="result-transposed: a step" also="wrong-shape" edits="one step a line"
# - return context
# + return context.T

# %% mistake="residual-added: a step, the tokens" edits="one step a line"
# - return context
# + return context + token_encodings

# %% mistake="mask-inverted: a large number is added" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores + ~hidden * -1e9

# %% mistake="mask-nan: a product with the scores" also="not-finite" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled * torch.zeros_like(scores).masked_fill(hidden, -torch.inf)

# %% mistake="mask-zero-not-inf: a mask of bools is added, after the scale" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled + hidden

# %% mistake="mask-zero-not-inf: ones are added where allowed, after the scale" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled + (~hidden).to(scores.dtype)

# %% mistake="shared-projection: one layer under three names" edits="textbook"
# - self.W_k = nn.Linear(d_model, d_model, bias=False)
# - self.W_v = nn.Linear(d_model, d_model, bias=False)
# + self.W_k = self.W_q
# + self.W_v = self.W_q

# %% mistake="shared-projection: one layer for query and key" edits="textbook"
# - self.W_k = nn.Linear(d_model, d_model, bias=False)
# + self.W_k = self.W_q


# %% correct="filled into zeros"
class MaskedSelfAttention(nn.Module):
    def __init__(self, d_model=2, row_dim=0, col_dim=1):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)

    def forward(self, token_encodings):
        query, key = self.W_q(token_encodings), self.W_k(token_encodings)
        value = self.W_v(token_encodings)
        scores = query @ key.T
        scaled = scores / key.shape[-1] ** 0.5
        context = torch.zeros_like(value)
        for i in range(len(value)):
            weights = torch.softmax(scaled[i, : i + 1], dim=0)
            for j in range(i + 1):
                context[i] = context[i] + weights[j] * value[j]
        return context


# %% mistake="mask-hides-diagonal: up to the token itself" edits="filled into zeros"
# - weights = torch.softmax(scaled[i, : i + 1], dim=0)
# - for j in range(i + 1):
# + weights = torch.softmax(scaled[i, :i], dim=0)
# + for j in range(i):

# %% mistake="last-left-out" edits="filled into zeros"
# - for i in range(len(value)):
# + for i in range(len(value) - 1):

# %% mistake="first-round-only" edits="filled into zeros"
# - return context
# +     return context

# %% mistake="missing-scale: in a loop" edits="filled into zeros"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores

# %% mistake="scale-by-dk: in a loop" edits="filled into zeros"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1]

# %% mistake="query-key-swapped: in a loop" edits="filled into zeros"
# - scores = query @ key.T
# + scores = key @ query.T

# %% mistake="mask-missing: and a two for d_k" also="scale-fixed" edits="one step a line"
# - scale = key.shape[-1] ** 0.5
# - scaled = scores / scale
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scores / 2**0.5

# %% mistake="scale-by-tokens: beside the root" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5 / scores.shape[-1] ** 0.5, dim=-1)

# %% mistake="scale-by-tokens: beside the root, without the root" edits="textbook"
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + weights = torch.softmax(scores / key.shape[-1] ** 0.5 / scores.shape[-1], dim=-1)

# %% mistake="mask-after-softmax: the largest of all is subtracted" also="not-finite" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# - weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
# + scores = (scores - scores.amax(dim=-1, keepdim=True)).masked_fill(hidden, -torch.inf)
# + powers = torch.exp(scores / key.shape[-1] ** 0.5)
# + weights = powers / powers.sum(dim=-1, keepdim=True)
