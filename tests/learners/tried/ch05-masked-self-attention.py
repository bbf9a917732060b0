# %% setup
import math

import torch
import torch.nn.functional as F
from torch import nn


def causal_mask(num_tokens):
    return torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1).bool()


def additive_causal_mask(num_tokens):
    return torch.zeros(num_tokens, num_tokens).masked_fill(causal_mask(num_tokens), -torch.inf)


# %% correct="mine"
class MaskedSelfAttention(nn.Module):
    def __init__(self, d_model=2, row_dim=0, col_dim=1):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.row_dim = row_dim
        self.col_dim = col_dim

    def forward(self, token_encodings):
        q = self.W_q(token_encodings)
        k = self.W_k(token_encodings)
        v = self.W_v(token_encodings)
        sims = torch.matmul(q, k.transpose(self.row_dim, self.col_dim))
        scaled_sims = sims / math.sqrt(k.size(self.col_dim))
        scaled_sims = scaled_sims + additive_causal_mask(token_encodings.size(0))
        attention_percents = F.softmax(scaled_sims, dim=self.col_dim)
        return torch.matmul(attention_percents, v)


# %% correct="mine, with the mask of true and false" edits="mine"
# - scaled_sims = scaled_sims + additive_causal_mask(token_encodings.size(0))
# + mask = causal_mask(token_encodings.size(0))
# + scaled_sims = scaled_sims.masked_fill(mask, -torch.inf)

# %% mistake="mask-inverted: tilde" edits="mine, with the mask of true and false"
# - scaled_sims = scaled_sims.masked_fill(mask, -torch.inf)
# + scaled_sims = scaled_sims.masked_fill(~mask, -torch.inf)

# %% mistake="mask-inverted: equal to 0, with -1e9" edits="mine, with the mask of true and false"
# - scaled_sims = scaled_sims.masked_fill(mask, -torch.inf)
# + scaled_sims = scaled_sims.masked_fill(mask == 0, -1e9)

# %% mistake="mask-inverted: tril, filled with -1e20" edits="mine, with the mask of true and false"
# - mask = causal_mask(token_encodings.size(0))
# - scaled_sims = scaled_sims.masked_fill(mask, -torch.inf)
# + mask = torch.tril(torch.ones(q.size(0), q.size(0)))
# + scaled_sims = scaled_sims.masked_fill(mask == 1, -1e20)

# %% mistake="mask-inverted: a lower triangle of infinities is added" edits="mine"
# - scaled_sims = scaled_sims + additive_causal_mask(token_encodings.size(0))
# + scaled_sims = scaled_sims + torch.full((len(q), len(q)), float("-inf")).tril()

# %% mistake="mask-inverted: the same, and the diagonal is left" edits="mine"
# - scaled_sims = scaled_sims + additive_causal_mask(token_encodings.size(0))
# + scaled_sims = scaled_sims + torch.full((len(q), len(q)), float("-inf")).tril(diagonal=-1)

# %% mistake="mask-inverted: a lower triangle times -1e9 is added" edits="mine"
# - scaled_sims = scaled_sims + additive_causal_mask(token_encodings.size(0))
# + scaled_sims = scaled_sims + torch.ones(len(q), len(q)).tril() * -1e9

# %% mistake="mask-missing: masked_fill is not in place" edits="mine, with the mask of true and false"
# - scaled_sims = scaled_sims.masked_fill(mask, -torch.inf)
# + scaled_sims.masked_fill(mask, -torch.inf)

# %% mistake="mask-missing: the masked ones have a name that nobody uses" edits="mine"
# - scaled_sims = scaled_sims + additive_causal_mask(token_encodings.size(0))
# + masked_sims = scaled_sims + additive_causal_mask(token_encodings.size(0))

# %% mistake="mask-nan: a product with the additive mask" edits="mine"
# - scaled_sims = scaled_sims + additive_causal_mask(token_encodings.size(0))
# + scaled_sims = scaled_sims * additive_causal_mask(token_encodings.size(0))

# %% mistake="mask-zero-not-inf: tril of the scores" edits="mine"
# - scaled_sims = scaled_sims + additive_causal_mask(token_encodings.size(0))
# + scaled_sims = torch.tril(scaled_sims)

# %% mistake="mask-zero-not-inf: the mask of true and false is added" edits="mine"
# - scaled_sims = scaled_sims + additive_causal_mask(token_encodings.size(0))
# + scaled_sims = scaled_sims + causal_mask(token_encodings.size(0))

# %% mistake="mask-after-softmax: tril of the weights" edits="mine"
# - scaled_sims = scaled_sims + additive_causal_mask(token_encodings.size(0))
# + pass
# - return torch.matmul(attention_percents, v)
# + return torch.matmul(torch.tril(attention_percents), v)

# %% mistake="mask-after-softmax: the additive mask is added to the weights" edits="mine"
# - scaled_sims = scaled_sims + additive_causal_mask(token_encodings.size(0))
# + pass
# - return torch.matmul(attention_percents, v)
# + attention_percents = attention_percents + additive_causal_mask(token_encodings.size(0))
# + return torch.matmul(attention_percents, v)

# %% mistake="softmax-wrong-axis: row_dim" edits="mine"
# - attention_percents = F.softmax(scaled_sims, dim=self.col_dim)
# + attention_percents = F.softmax(scaled_sims, dim=self.row_dim)

# %% mistake="mask-hides-diagonal: triu without its diagonal" edits="mine, with the mask of true and false"
# - mask = causal_mask(token_encodings.size(0))
# + mask = torch.triu(torch.ones(q.size(0), q.size(0))).bool()

# %% mistake="query-key-swapped: k first" edits="mine"
# - sims = torch.matmul(q, k.transpose(self.row_dim, self.col_dim))
# + sims = torch.matmul(k, q.transpose(self.row_dim, self.col_dim))

# %% mistake="missing-scale: the unscaled ones are masked" edits="mine"
# - scaled_sims = scaled_sims + additive_causal_mask(token_encodings.size(0))
# + scaled_sims = sims + additive_causal_mask(token_encodings.size(0))

# %% mistake="scale-by-tokens: the first axis" edits="mine"
# - scaled_sims = sims / math.sqrt(k.size(self.col_dim))
# + scaled_sims = sims / math.sqrt(k.size(self.row_dim))

# %% mistake="scale-by-dk: no root" edits="mine"
# - scaled_sims = sims / math.sqrt(k.size(self.col_dim))
# + scaled_sims = sims / k.size(self.col_dim)

# %% mistake="shared-projection: v from W_k" edits="mine"
# - v = self.W_v(token_encodings)
# + v = self.W_k(token_encodings)

# %% mistake="shared-projection: one layer for all three" edits="mine"
# - self.W_k = nn.Linear(d_model, d_model, bias=False)
# - self.W_v = nn.Linear(d_model, d_model, bias=False)
# + self.W_k = self.W_q
# + self.W_v = self.W_q

# %% mistake="not-registered: W_query" edits="mine"
# - self.W_q = nn.Linear(d_model, d_model, bias=False)
# + self.W_query = nn.Linear(d_model, d_model, bias=False)
# - q = self.W_q(token_encodings)
# + q = self.W_query(token_encodings)

# %% mistake="bias-unexpected: bias=False forgotten" edits="mine"
# - self.W_q = nn.Linear(d_model, d_model, bias=False)
# - self.W_k = nn.Linear(d_model, d_model, bias=False)
# - self.W_v = nn.Linear(d_model, d_model, bias=False)
# + self.W_q = nn.Linear(d_model, d_model)
# + self.W_k = nn.Linear(d_model, d_model)
# + self.W_v = nn.Linear(d_model, d_model)

# %% mistake="raises: the mask is made for d_model tokens" edits="mine"
# - scaled_sims = scaled_sims + additive_causal_mask(token_encodings.size(0))
# + scaled_sims = scaled_sims + additive_causal_mask(token_encodings.size(1))

# %% mistake="raises: a mask of three tokens, made in the constructor" edits="mine"
# - self.row_dim = row_dim
# + self.mask = additive_causal_mask(3)
# + self.row_dim = row_dim
# - scaled_sims = scaled_sims + additive_causal_mask(token_encodings.size(0))
# + scaled_sims = scaled_sims + self.mask

# %% mistake="raises: forward wants a mask" edits="mine"
# - def forward(self, token_encodings):
# + def forward(self, token_encodings, mask):
# - scaled_sims = scaled_sims + additive_causal_mask(token_encodings.size(0))
# + scaled_sims = scaled_sims + mask

# %% mistake="raises: self. is missing" edits="mine"
# - q = self.W_q(token_encodings)
# + q = W_q(token_encodings)

# %% mistake="key-not-transposed: forgotten" edits="mine"
# - sims = torch.matmul(q, k.transpose(self.row_dim, self.col_dim))
# + sims = torch.matmul(q, k)

# %% mistake="unrecognized: the softmax first over rows, then turned" edits="mine"
# - attention_percents = F.softmax(scaled_sims, dim=self.col_dim)
# + attention_percents = F.softmax(scaled_sims, dim=self.row_dim).T

# %% mistake="missing-scale: and over columns" also="softmax-wrong-axis" edits="mine"
# - scaled_sims = sims / math.sqrt(k.size(self.col_dim))
# + scaled_sims = sims
# - attention_percents = F.softmax(scaled_sims, dim=self.col_dim)
# + attention_percents = F.softmax(scaled_sims, dim=0)

# %% mistake="query-key-swapped: and no mask" also="mask-missing" edits="mine"
# - sims = torch.matmul(q, k.transpose(self.row_dim, self.col_dim))
# + sims = torch.matmul(k, q.transpose(self.row_dim, self.col_dim))
# - scaled_sims = scaled_sims + additive_causal_mask(token_encodings.size(0))
# + pass

# %% mistake="missing-scale: and no mask" also="mask-missing" edits="mine"
# - scaled_sims = sims / math.sqrt(k.size(self.col_dim))
# - scaled_sims = scaled_sims + additive_causal_mask(token_encodings.size(0))
# + scaled_sims = sims

# %% mistake="missing-scale: and the mask turned round" also="mask-inverted" edits="mine, with the mask of true and false"
# - scaled_sims = sims / math.sqrt(k.size(self.col_dim))
# + scaled_sims = sims
# - scaled_sims = scaled_sims.masked_fill(mask, -torch.inf)
# + scaled_sims = scaled_sims.masked_fill(~mask, -torch.inf)

# %% mistake="scale-by-dk: and the mask turned round, with -1e9" also="mask-inverted" edits="mine, with the mask of true and false"
# - scaled_sims = sims / math.sqrt(k.size(self.col_dim))
# + scaled_sims = sims / k.size(self.col_dim)
# - scaled_sims = scaled_sims.masked_fill(mask, -torch.inf)
# + scaled_sims = scaled_sims.masked_fill(mask == 0, -1e9)

# %% mistake="query-key-swapped: and the mask turned round" also="mask-inverted" edits="mine, with the mask of true and false"
# - sims = torch.matmul(q, k.transpose(self.row_dim, self.col_dim))
# + sims = torch.matmul(k, q.transpose(self.row_dim, self.col_dim))
# - scaled_sims = scaled_sims.masked_fill(mask, -torch.inf)
# + scaled_sims = scaled_sims.masked_fill(~mask, -torch.inf)

# %% mistake="missing-scale: and the values from the keys" also="shared-projection" edits="mine"
# - v = self.W_v(token_encodings)
# + v = self.W_k(token_encodings)
# - scaled_sims = sims / math.sqrt(k.size(self.col_dim))
# + scaled_sims = sims

# %% mistake="values-not-projected: and no scale" also="missing-scale" edits="mine"
# - scaled_sims = sims / math.sqrt(k.size(self.col_dim))
# + scaled_sims = sims
# - return torch.matmul(attention_percents, v)
# + return torch.matmul(attention_percents, token_encodings)

# %% mistake="missing-scale: and zeros for infinity" also="mask-zero-not-inf" edits="mine"
# - scaled_sims = sims / math.sqrt(k.size(self.col_dim))
# - scaled_sims = scaled_sims + additive_causal_mask(token_encodings.size(0))
# + scaled_sims = torch.tril(sims)

# %% mistake="mask-after-softmax: and no scale" also="missing-scale" edits="mine"
# - scaled_sims = sims / math.sqrt(k.size(self.col_dim))
# - scaled_sims = scaled_sims + additive_causal_mask(token_encodings.size(0))
# + scaled_sims = sims
# - return torch.matmul(attention_percents, v)
# + return torch.matmul(torch.tril(attention_percents), v)

# %% mistake="weight-not-transposed: and no mask" also="mask-missing"
class MaskedSelfAttention(nn.Module):
    def __init__(self, d_model=2, row_dim=0, col_dim=1):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        q, k, v = x @ self.W_q.weight, x @ self.W_k.weight, x @ self.W_v.weight
        weights = torch.softmax(q @ k.T / k.shape[1] ** 0.5, dim=1)
        return weights @ v


# %% mistake="unrecognized: and over columns" edits="mine"
# - sims = torch.matmul(q, k.transpose(self.row_dim, self.col_dim))
# + sims = torch.matmul(k, q.transpose(self.row_dim, self.col_dim))
# - attention_percents = F.softmax(scaled_sims, dim=self.col_dim)
# + attention_percents = F.softmax(scaled_sims, dim=self.row_dim)

# %% mistake="mask-inverted: the weights times the mask" also="mask-after-softmax" edits="mine, with the mask of true and false"
# - scaled_sims = scaled_sims.masked_fill(mask, -torch.inf)
# + pass
# - return torch.matmul(attention_percents, v)
# + return torch.matmul(attention_percents * mask, v)

# %% mistake="mask-after-softmax: renormalized, and no scale" edits="mine"
# - scaled_sims = sims / math.sqrt(k.size(self.col_dim))
# - scaled_sims = scaled_sims + additive_causal_mask(token_encodings.size(0))
# + scaled_sims = sims
# - return torch.matmul(attention_percents, v)
# + past = torch.tril(attention_percents)
# + return torch.matmul(past / past.sum(dim=1, keepdim=True), v)

# %% mistake="scale-by-tokens: and the softmax by hand" also="unstable-softmax" edits="mine"
# - scaled_sims = sims / math.sqrt(k.size(self.col_dim))
# + scaled_sims = sims / math.sqrt(sims.size(-1))
# - attention_percents = F.softmax(scaled_sims, dim=self.col_dim)
# + powers = torch.exp(scaled_sims)
# + attention_percents = powers / powers.sum(dim=1, keepdim=True)

# %% correct="in a loop"
class MaskedSelfAttention(nn.Module):
    def __init__(self, d_model=2, row_dim=0, col_dim=1):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        scores = q @ k.T / math.sqrt(k.shape[1])
        context = torch.zeros_like(v)
        for i in range(len(x)):
            weights = torch.softmax(scores[i, : i + 1], dim=0)
            for j in range(i + 1):
                context[i] = context[i] + weights[j] * v[j]
        return context

# %% mistake="last-left-out: the token itself is not mixed" edits="in a loop"
# - for j in range(i + 1):
# + for j in range(i):

# %% mistake="mask-hides-diagonal: up to i" edits="in a loop"
# - weights = torch.softmax(scores[i, : i + 1], dim=0)
# + weights = torch.softmax(scores[i, :i], dim=0)
# - for j in range(i + 1):
# + for j in range(i):

# %% mistake="mask-hides-diagonal: up to i, and no scale" also="missing-scale" edits="in a loop"
# - scores = q @ k.T / math.sqrt(k.shape[1])
# + scores = q @ k.T
# - weights = torch.softmax(scores[i, : i + 1], dim=0)
# + weights = torch.softmax(scores[i, :i], dim=0)
# - for j in range(i + 1):
# + for j in range(i):

# %% mistake="mask-after-softmax: the softmax sees the whole row" edits="in a loop"
# - weights = torch.softmax(scores[i, : i + 1], dim=0)
# + weights = torch.softmax(scores[i], dim=0)

# %% mistake="first-round-only: return in the loop" edits="in a loop"
# - return context
# +     return context

# %% mistake="last-left-out: the last row" edits="in a loop"
# - for i in range(len(x)):
# + for i in range(len(x) - 1):

# %% mistake="mask-missing: its result dropped, and no scale" also="missing-scale" edits="mine"
# - scaled_sims = sims / math.sqrt(k.size(self.col_dim))
# - scaled_sims = scaled_sims + additive_causal_mask(token_encodings.size(0))
# + sims.masked_fill(causal_mask(len(q)), -torch.inf)
# + scaled_sims = sims

# %% mistake="mask-missing: its result dropped, and a two for d_k" also="scale-fixed" edits="mine"
# - scaled_sims = sims / math.sqrt(k.size(self.col_dim))
# - scaled_sims = scaled_sims + additive_causal_mask(token_encodings.size(0))
# + sims.masked_fill(causal_mask(len(q)), -torch.inf)
# + scaled_sims = sims / 2**0.5

# %% mistake="not-finite: the mask turned round, no scale, over columns" edits="mine"
# - scaled_sims = sims / math.sqrt(k.size(self.col_dim))
# - scaled_sims = scaled_sims + additive_causal_mask(token_encodings.size(0))
# + scaled_sims = sims.masked_fill(~causal_mask(len(q)), -torch.inf)
# - attention_percents = F.softmax(scaled_sims, dim=self.col_dim)
# + attention_percents = F.softmax(scaled_sims, dim=0)

# %% mistake="weights-transposed: turned before they mix" edits="mine"
# - return torch.matmul(attention_percents, v)
# + return torch.matmul(attention_percents.T, v)

# %% mistake="mask-zero-not-inf: zeros, and the tokens are mixed" also="values-not-projected" edits="mine"
# - scaled_sims = scaled_sims + additive_causal_mask(token_encodings.size(0))
# + scaled_sims = scaled_sims.masked_fill(causal_mask(len(q)), 0)
# - return torch.matmul(attention_percents, v)
# + return torch.matmul(attention_percents, token_encodings)

# %% mistake="raises: a mask of six tokens, cut to size" edits="mine"
# - self.row_dim = row_dim
# + self.mask = additive_causal_mask(6)
# + self.row_dim = row_dim
# - scaled_sims = scaled_sims + additive_causal_mask(token_encodings.size(0))
# + scaled_sims = scaled_sims + self.mask[: len(q), : len(q)]
