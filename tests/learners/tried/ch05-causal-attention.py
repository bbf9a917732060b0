# %% setup
import torch
from torch import nn

# %% correct="mine"
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x):
        b, num_tokens, d_in = x.shape
        keys = self.W_key(x)
        queries = self.W_query(x)
        values = self.W_value(x)
        attn_scores = queries @ keys.transpose(1, 2)
        attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
        attn_weights = self.dropout(attn_weights)
        context_vec = attn_weights @ values
        return context_vec


# %% mistake="mask-inverted: tril in the buffer" edits="mine"
# - self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
# + self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length)))

# %% mistake="mask-inverted: tril for triu, the diagonal as it was" edits="mine"
# - self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
# + self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length), diagonal=1))

# %% mistake="mask-inverted: equal to 0" edits="mine"
# - attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
# + attn_scores = attn_scores.masked_fill(self.mask[:num_tokens, :num_tokens] == 0, float("-inf"))

# %% mistake="mask-inverted: equal to 0, with -1e9" edits="mine"
# - attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
# + attn_scores = attn_scores.masked_fill(self.mask[:num_tokens, :num_tokens] == 0, -1e9)

# %% mistake="mask-inverted: tilde, with -1e20" edits="mine"
# - attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
# + attn_scores = attn_scores.masked_fill(~self.mask.bool()[:num_tokens, :num_tokens], float("-1e20"))

# %% mistake="mask-inverted: a token sees itself" edits="mine"
# - self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
# + self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length), diagonal=-1))

# %% mistake="mask-missing: masked_fill without an underscore" edits="mine"
# - attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
# + attn_scores.masked_fill(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)

# %% mistake="mask-hides-diagonal: triu without a diagonal" edits="mine"
# - self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
# + self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length)))

# %% mistake="mask-not-sliced: the whole buffer" edits="mine"
# - attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
# + attn_scores.masked_fill_(self.mask.bool(), -torch.inf)

# %% mistake="mask-not-sliced: the rows alone are cut" edits="mine"
# - attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
# + attn_scores.masked_fill_(self.mask.bool()[:num_tokens], -torch.inf)

# %% mistake="raises: the mask is not bool" edits="mine"
# - attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
# + attn_scores.masked_fill_(self.mask[:num_tokens, :num_tokens], -torch.inf)

# %% mistake="mask-zero-not-inf: the buffer is added" edits="mine"
# - attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
# + attn_scores = attn_scores + self.mask[:num_tokens, :num_tokens]

# %% mistake="mask-zero-not-inf: the buffer is added after the scale" edits="mine"
# - attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
# - attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
# + attn_scores = attn_scores / keys.shape[-1] ** 0.5 + self.mask[:num_tokens, :num_tokens]
# + attn_weights = torch.softmax(attn_scores, dim=-1)

# %% mistake="softmax-wrong-axis: dim 1" edits="mine"
# - attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
# + attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=1)

# %% mistake="batch-leak: dim 0" edits="mine"
# - attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
# + attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=0)

# %% mistake="batch-leak: keys.T" edits="mine"
# - attn_scores = queries @ keys.transpose(1, 2)
# + attn_scores = queries @ keys.T

# %% mistake="scale-by-tokens: shape[1]" edits="mine"
# - attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
# + attn_weights = torch.softmax(attn_scores / keys.shape[1] ** 0.5, dim=-1)

# %% mistake="scale-by-model-width: d_in" edits="mine"
# - attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
# + attn_weights = torch.softmax(attn_scores / d_in**0.5, dim=-1)

# %% mistake="scale-wrong-power: five" edits="mine"
# - attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
# + attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 5, dim=-1)

# %% mistake="mask-not-buffer: a plain attribute" edits="mine"
# - self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
# + self.mask = torch.triu(torch.ones(context_length, context_length), diagonal=1)

# %% mistake="mask-not-buffer: another name" edits="mine"
# - self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
# + self.register_buffer("causal", torch.triu(torch.ones(context_length, context_length), diagonal=1))
# - attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
# + attn_scores.masked_fill_(self.causal.bool()[:num_tokens, :num_tokens], -torch.inf)

# %% mistake="wrong-exception: a mask of the tokens that came in" edits="mine"
# - attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
# + mask = torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1).bool()
# + attn_scores.masked_fill_(mask, -torch.inf)

# %% mistake="dropout-never: forgotten" edits="mine"
# - attn_weights = self.dropout(attn_weights)
# + pass

# %% mistake="dropout-never: its result has no name" edits="mine"
# - attn_weights = self.dropout(attn_weights)
# + self.dropout(attn_weights)

# %% mistake="dropout-on-context: after the mixing" edits="mine"
# - attn_weights = self.dropout(attn_weights)
# - context_vec = attn_weights @ values
# + context_vec = self.dropout(attn_weights @ values)

# %% mistake="dropout-before-softmax: on the scores" edits="mine"
# - attn_scores = queries @ keys.transpose(1, 2)
# + attn_scores = self.dropout(queries @ keys.transpose(1, 2))
# - attn_weights = self.dropout(attn_weights)
# + pass

# %% mistake="dropout-wrong-rate: 0.5 whatever is asked for" edits="mine"
# - self.dropout = nn.Dropout(dropout)
# + self.dropout = nn.Dropout(0.5)

# %% mistake="dropout-in-eval: functional" edits="mine"
# - self.dropout = nn.Dropout(dropout)
# + self.p = dropout
# - attn_weights = self.dropout(attn_weights)
# + attn_weights = torch.nn.functional.dropout(attn_weights, self.p)

# %% mistake="raises: qkv_bias forgotten in the constructor" edits="mine"
# - def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
# + def __init__(self, d_in, d_out, context_length, dropout):
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = nn.Linear(d_in, d_out, bias=False)
# + self.W_key = nn.Linear(d_in, d_out, bias=False)
# + self.W_value = nn.Linear(d_in, d_out, bias=False)

# %% mistake="creation-order: key before query" edits="mine"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)

# %% mistake="shared-projection: values from W_key" edits="mine"
# - values = self.W_value(x)
# + values = self.W_key(x)

# %% mistake="returns-weights: attn_weights" edits="mine"
# - return context_vec
# + return attn_weights

# %% mistake="wrong-type: context and weights" edits="mine"
# - return context_vec
# + return context_vec, attn_weights

# %% mistake="missing-scale: and over columns" also="softmax-wrong-axis" edits="mine"
# - attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
# + attn_weights = torch.softmax(attn_scores, dim=1)

# %% mistake="missing-scale: and masked_fill without an underscore" also="mask-missing" edits="mine"
# - attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
# - attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
# + attn_scores.masked_fill(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
# + attn_weights = torch.softmax(attn_scores, dim=-1)

# %% mistake="missing-scale: and tril in the buffer" also="mask-inverted" edits="mine"
# - self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
# + self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length)))
# - attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
# + attn_weights = torch.softmax(attn_scores, dim=-1)

# %% mistake="scale-by-tokens: and the mask turned round, with -1e9" also="mask-inverted" edits="mine"
# - attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
# - attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
# + attn_scores = attn_scores.masked_fill(self.mask[:num_tokens, :num_tokens] == 0, -1e9)
# + attn_weights = torch.softmax(attn_scores / num_tokens**0.5, dim=-1)

# %% mistake="query-key-swapped: and masked_fill without an underscore" also="mask-missing" edits="mine"
# - attn_scores = queries @ keys.transpose(1, 2)
# - attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
# + attn_scores = keys @ queries.transpose(1, 2)
# + attn_scores.masked_fill(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)

# %% mistake="query-key-swapped: and no scale" also="missing-scale" edits="mine"
# - attn_scores = queries @ keys.transpose(1, 2)
# + attn_scores = keys @ queries.transpose(1, 2)
# - attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
# + attn_weights = torch.softmax(attn_scores, dim=-1)

# %% mistake="not-finite: the mask turned round, and keys from W_query" edits="mine"
# - keys = self.W_key(x)
# + keys = self.W_query(x)
# - attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
# + attn_scores.masked_fill_(self.mask[:num_tokens, :num_tokens] == 0, -torch.inf)

# %% mistake="mask-after-softmax: and no scale" also="missing-scale" edits="mine"
# - attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
# - attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
# + attn_weights = torch.softmax(attn_scores, dim=-1)
# + attn_weights = attn_weights.masked_fill(self.mask.bool()[:num_tokens, :num_tokens], 0)

# %% mistake="missing-scale: the mask is not sliced, and no scale" also="mask-not-sliced" edits="mine"
# - attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
# - attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
# + attn_scores.masked_fill_(self.mask.bool(), -torch.inf)
# + attn_weights = torch.softmax(attn_scores, dim=-1)

# %% mistake="missing-scale: and no dropout" edits="mine"
# - attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
# - attn_weights = self.dropout(attn_weights)
# + attn_weights = torch.softmax(attn_scores, dim=-1)

# %% mistake="missing-scale: and the mask is a plain attribute" edits="mine"
# - self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
# + self.mask = torch.triu(torch.ones(context_length, context_length), diagonal=1)
# - attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
# + attn_weights = torch.softmax(attn_scores, dim=-1)

# %% mistake="mask-looks-ahead: and no scale" also="missing-scale" edits="mine"
# - self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
# + self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=2))
# - attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
# + attn_weights = torch.softmax(attn_scores, dim=-1)

# %% mistake="mask-missing: and over columns" also="softmax-wrong-axis" edits="mine"
# - attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
# - attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
# + attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=1)

# %% mistake="not-registered: W_q, W_k, W_v, and no scale" also="missing-scale" edits="mine"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_q = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_k = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_v = nn.Linear(d_in, d_out, bias=qkv_bias)
# - keys = self.W_key(x)
# - queries = self.W_query(x)
# - values = self.W_value(x)
# + keys = self.W_k(x)
# + queries = self.W_q(x)
# + values = self.W_v(x)
# - attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
# + attn_weights = torch.softmax(attn_scores, dim=-1)

# %% mistake="scale-by-tokens: and the softmax by hand" also="unstable-softmax" edits="mine"
# - attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
# + powers = torch.exp(attn_scores / num_tokens**0.5)
# + attn_weights = powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="mask-inverted: the weights times the mask" also="mask-after-softmax" edits="mine"
# - attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
# + pass
# - attn_weights = self.dropout(attn_weights)
# + attn_weights = self.dropout(attn_weights * self.mask[:num_tokens, :num_tokens])

# %% mistake="raises: a global in the constructor" edits="mine"
# - self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
# + self.register_buffer("mask", torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1))

# %% mistake="raises: self. is missing" edits="mine"
# - attn_weights = self.dropout(attn_weights)
# + attn_weights = dropout(attn_weights)

# %% mistake="raises: a number is called" edits="mine"
# - self.dropout = nn.Dropout(dropout)
# + self.dropout = dropout

# %% correct="in loops"
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x):
        if x.shape[1] > len(self.mask):
            raise ValueError("too long")
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        out = []
        for b in range(len(x)):
            rows = []
            for i in range(x.shape[1]):
                scores = k[b, : i + 1] @ q[b, i] / k.shape[-1] ** 0.5
                weights = self.dropout(torch.softmax(scores, dim=0))
                rows.append(weights @ v[b, : i + 1])
            out.append(torch.stack(rows))
        return torch.stack(out)

# %% mistake="mask-hides-diagonal: loops up to i" edits="in loops"
# - scores = k[b, : i + 1] @ q[b, i] / k.shape[-1] ** 0.5
# + scores = k[b, :i] @ q[b, i] / k.shape[-1] ** 0.5
# - rows.append(weights @ v[b, : i + 1])
# + rows.append(weights @ v[b, :i])

# %% mistake="scale-by-model-width: loops, and no dropout" edits="in loops"
# - scores = k[b, : i + 1] @ q[b, i] / k.shape[-1] ** 0.5
# + scores = k[b, : i + 1] @ q[b, i] / x.shape[-1] ** 0.5
# - weights = self.dropout(torch.softmax(scores, dim=0))
# + weights = torch.softmax(scores, dim=0)

# %% mistake="wrong-shape: a loop over the batch without its last item" edits="in loops"
# - for b in range(len(x)):
# + for b in range(len(x) - 1):

# %% mistake="batch-leak: the keys of the first item" edits="in loops"
# - scores = k[b, : i + 1] @ q[b, i] / k.shape[-1] ** 0.5
# + scores = k[0, : i + 1] @ q[b, i] / k.shape[-1] ** 0.5

# %% mistake="wrong-shape: return in the loop over the batch" edits="in loops"
# - return torch.stack(out)
# +     return torch.stack(out)

# %% mistake="wrong-exception: loops, and no error" edits="in loops"
# - if x.shape[1] > len(self.mask):
# - raise ValueError("too long")
# + if x.shape[1] == 0:
# +     raise ValueError("too long")

# %% mistake="dropout-in-eval: the flag is turned round" edits="mine"
# - attn_weights = self.dropout(attn_weights)
# + if not self.training:
# +     attn_weights = attn_weights * (torch.rand_like(attn_weights) >= self.dropout.p)
# +     attn_weights = attn_weights / (1 - self.dropout.p)

# %% mistake="dropout-never: the layer in evaluation alone" edits="mine"
# - attn_weights = self.dropout(attn_weights)
# + if not self.training:
# +     attn_weights = self.dropout(attn_weights)

# %% mistake="dropout-in-eval: by hand, never rescaled" edits="mine"
# - attn_weights = self.dropout(attn_weights)
# + attn_weights = attn_weights * (torch.rand_like(attn_weights) > self.dropout.p)

# %% mistake="dropout-not-rescaled: by hand" edits="mine"
# - attn_weights = self.dropout(attn_weights)
# + if self.training:
# +     attn_weights = attn_weights * (torch.rand_like(attn_weights) > self.dropout.p)

# %% mistake="dropout-shared: one mask for the batch" edits="mine"
# - attn_weights = self.dropout(attn_weights)
# + if self.training:
# +     keep = torch.rand(num_tokens, num_tokens) > self.dropout.p
# +     attn_weights = attn_weights * keep / (1 - self.dropout.p)

# %% mistake="dropout-shared: drawn in the constructor" edits="mine"
# - self.dropout = nn.Dropout(dropout)
# + self.keep, self.p = torch.rand(context_length, context_length) >= dropout, dropout
# - attn_weights = self.dropout(attn_weights)
# + if self.training:
# +     attn_weights = attn_weights * self.keep[:num_tokens, :num_tokens] / (1 - self.p)

# %% mistake="dropout-wrong-rate: twice" edits="mine"
# - attn_weights = self.dropout(attn_weights)
# + attn_weights = self.dropout(self.dropout(attn_weights))

# %% mistake="dropout-keep-inverted: 1 - dropout" edits="mine"
# - self.dropout = nn.Dropout(dropout)
# + self.dropout = nn.Dropout(1 - dropout)

# %% mistake="not-finite: renormalized after dropout" edits="mine"
# - attn_weights = self.dropout(attn_weights)
# + attn_weights = self.dropout(attn_weights)
# + attn_weights = attn_weights / attn_weights.sum(-1, keepdim=True)

# %% mistake="raises: refused where it fits" edits="mine"
# - b, num_tokens, d_in = x.shape
# + b, num_tokens, d_in = x.shape
# + if num_tokens > len(self.mask) - 1:
# +     raise ValueError("too many")

# %% mistake="raises: the tokens are counted on the first axis" edits="mine"
# - b, num_tokens, d_in = x.shape
# + num_tokens, b, d_in = x.shape

# %% mistake="batch-leak: transpose(0, 1), masked after the softmax" edits="mine"
# - attn_scores = queries @ keys.transpose(1, 2)
# - attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
# + attn_scores = queries @ keys.transpose(0, 1)
# - attn_weights = self.dropout(attn_weights)
# + attn_weights = attn_weights.masked_fill(self.mask.bool()[:num_tokens, :num_tokens], 0)

# %% mistake="mask-after-softmax: after dropout" edits="mine"
# - attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
# + pass
# - attn_weights = self.dropout(attn_weights)
# + attn_weights = self.dropout(attn_weights) * (self.mask[:num_tokens, :num_tokens] == 0)

# %% mistake="wrong-type: a tuple, and dropout on the context" edits="mine"
# - attn_weights = self.dropout(attn_weights)
# - context_vec = attn_weights @ values
# + context_vec = self.dropout(attn_weights @ values)
# - return context_vec
# + return context_vec, attn_weights

# %% mistake="mask-not-buffer: a parameter that is not trained" edits="mine"
# - self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
# + mask = torch.triu(torch.ones(context_length, context_length), diagonal=1)
# + self.mask = nn.Parameter(mask, requires_grad=False)

# %% mistake="raises: the mask is of d_out" edits="mine"
# - self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
# + self.register_buffer("mask", torch.triu(torch.ones(d_out, d_out), diagonal=1))

# %% mistake="bias-unexpected: dropout of 0.5" edits="mine"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.dropout = nn.Dropout(dropout)
# + self.W_query = nn.Linear(d_in, d_out)
# + self.W_key = nn.Linear(d_in, d_out)
# + self.W_value = nn.Linear(d_in, d_out)
# + self.dropout = nn.Dropout(0.5)

# %% mistake="example-only: a two for d_k, and dropout on the context" edits="mine"
# - attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
# - attn_weights = self.dropout(attn_weights)
# - context_vec = attn_weights @ values
# + attn_weights = torch.softmax(attn_scores / 2**0.5, dim=-1)
# + context_vec = self.dropout(attn_weights @ values)

# %% mistake="mask-not-sliced: over columns" also="softmax-wrong-axis" edits="mine"
# - attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
# + attn_scores.masked_fill_(self.mask.bool(), -torch.inf)
# - attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
# + attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=1)

# %% mistake="mask-inverted: a tilde too many, and no scale" also="missing-scale" edits="mine"
# - attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
# + attn_scores.masked_fill_(~self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
# - attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
# + attn_weights = torch.softmax(attn_scores, dim=-1)

# %% mistake="mask-not-buffer: and the dropout is forgotten" never="The computation is right" edits="mine"
# - self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
# + self.mask = torch.triu(torch.ones(context_length, context_length), diagonal=1)
# - attn_weights = self.dropout(attn_weights)

# %% mistake="example-only: the last rows of the mask" never="harms nothing but negative" edits="mine"
# - attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
# + attn_scores.masked_fill_(self.mask.bool()[-num_tokens:, :num_tokens], -torch.inf)

# %% mistake="dropout-before-softmax: on the queries" never="the scores were dropped" edits="mine"
# - queries = self.W_query(x)
# + queries = self.dropout(self.W_query(x))
# - attn_weights = self.dropout(attn_weights)

# %% mistake="dropout-shared: on the tokens" never="The same weights" edits="mine"
# - b, num_tokens, d_in = x.shape
# + b, num_tokens, d_in = x.shape
# + x = self.dropout(x)
# - attn_weights = self.dropout(attn_weights)

# %% mistake="input-modified: there and back" never="it was 0.8900 and is now 0.8900" edits="mine"
# - b, num_tokens, d_in = x.shape
# + x *= 1.5
# + x /= 1.5
# + b, num_tokens, d_in = x.shape
