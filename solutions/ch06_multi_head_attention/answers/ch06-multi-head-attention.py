# %% setup
import math
import sys
import warnings

import torch
import torch.nn.functional as F
from torch import nn


# %% correct="textbook"
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be divisible by num_heads")
        self.d_out = d_out
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x):
        b, num_tokens, d_in = x.shape
        query = self.W_query(x)
        key = self.W_key(x)
        value = self.W_value(x)
        query = query.view(b, num_tokens, self.num_heads, self.head_dim)
        key = key.view(b, num_tokens, self.num_heads, self.head_dim)
        value = value.view(b, num_tokens, self.num_heads, self.head_dim)
        query = query.transpose(1, 2)
        key = key.transpose(1, 2)
        value = value.transpose(1, 2)
        scores = query @ key.transpose(2, 3)
        hidden = self.mask.bool()[:num_tokens, :num_tokens]
        scores = scores.masked_fill(hidden, -torch.inf)
        weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
        weights = self.dropout(weights)
        context = (weights @ value).transpose(1, 2)
        context = context.contiguous().view(b, num_tokens, self.d_out)
        return self.out_proj(context)


# %% correct="einsum"
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be divisible by num_heads")
        self.d_out = d_out
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = (
            layer(x).reshape(*x.shape[:2], self.num_heads, -1)
            for layer in (self.W_query, self.W_key, self.W_value)
        )
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(self.head_dim)
        t = torch.arange(x.size(1), device=x.device)
        scores = torch.where(t[:, None] >= t[None, :], scores, torch.full_like(scores, float("-inf")))
        weights = self.dropout(F.softmax(scores, dim=-1))
        return self.out_proj(torch.einsum("bhqk,bkhd->bqhd", weights, v).flatten(2))


# %% correct="one head at a time"
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be divisible by num_heads")
        self.d_out = d_out
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.full((context_length, context_length), float("-inf")).triu(1))

    def forward(self, x):
        tokens = x.shape[1]
        contexts = []
        for head in range(self.num_heads):
            columns = slice(head * self.head_dim, (head + 1) * self.head_dim)
            q = self.W_query(x)[:, :, columns]
            k = self.W_key(x)[:, :, columns]
            v = self.W_value(x)[:, :, columns]
            scores = torch.bmm(q, k.transpose(1, 2)) / self.head_dim**0.5 + self.mask[:tokens, :tokens]
            contexts.append(torch.bmm(self.dropout(torch.softmax(scores, dim=2)), v))
        return self.out_proj(torch.cat(contexts, dim=-1))


# %% correct="heads as a longer batch"
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be divisible by num_heads")
        self.d_out = d_out
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def split(self, x):
        x = x.unflatten(-1, (self.num_heads, self.head_dim)).permute(0, 2, 1, 3)
        return x.reshape(-1, x.shape[2], self.head_dim)

    def forward(self, x):
        b, n, _ = x.shape
        q, k, v = self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x))
        scores = (q / math.sqrt(self.head_dim)) @ k.mT
        scores = scores.masked_fill(self.mask[:n, :n] > 0, -torch.inf)
        powers = (scores - scores.amax(dim=-1, keepdim=True)).exp()
        weights = F.dropout(powers / powers.sum(dim=-1, keepdim=True), self.dropout.p, self.training)
        return self.out_proj(
            (weights @ v).view(b, self.num_heads, n, -1).permute(0, 2, 1, 3).reshape(b, n, -1)
        )


# %% correct="heads with names, prints and warns" edits="textbook"
# - scores = query @ key.transpose(2, 3)
# + print("query", query.shape)
# + warnings.warn("many heads")
# + sys.stderr.write("\r 50%|#####     |")
# + scores = query @ key.transpose(2, 3)

# %% correct="lower triangle of ones" edits="textbook"
# - self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
# + self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length)))
# - hidden = self.mask.bool()[:num_tokens, :num_tokens]
# + hidden = self.mask[:num_tokens, :num_tokens] == 0

# %% correct="mask not saved, other draws first" edits="textbook"
# - self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
# + future = torch.triu(torch.ones(context_length, context_length), diagonal=1)
# + self.register_buffer("mask", future, persistent=False)
# - self.d_out = d_out
# + torch.randn(5)
# + self.d_out = d_out

# %% correct="masked after scaling, context merged by reshape" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + scores = scores / self.head_dim**0.5
# + scores = scores.masked_fill(hidden, float('-inf'))
# + weights = F.softmax(scores, dim=3)
# - context = context.contiguous().view(b, num_tokens, self.d_out)
# + context = context.reshape(b, num_tokens, -1)

# %% correct="the logarithm of the sum" edits="textbook"
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + scores = scores / self.head_dim**0.5
# + weights = (scores - scores.logsumexp(dim=-1, keepdim=True)).exp()

# %% mistake="heads-not-transposed" edits="textbook"
# - query = query.view(b, num_tokens, self.num_heads, self.head_dim)
# - key = key.view(b, num_tokens, self.num_heads, self.head_dim)
# - value = value.view(b, num_tokens, self.num_heads, self.head_dim)
# - query = query.transpose(1, 2)
# - key = key.transpose(1, 2)
# - value = value.transpose(1, 2)
# + query = query.view(b, self.num_heads, num_tokens, self.head_dim)
# + key = key.view(b, self.num_heads, num_tokens, self.head_dim)
# + value = value.view(b, self.num_heads, num_tokens, self.head_dim)

# %% mistake="heads-not-transposed: and merged alike" edits="textbook"
# - query = query.view(b, num_tokens, self.num_heads, self.head_dim)
# - key = key.view(b, num_tokens, self.num_heads, self.head_dim)
# - value = value.view(b, num_tokens, self.num_heads, self.head_dim)
# - query = query.transpose(1, 2)
# - key = key.transpose(1, 2)
# - value = value.transpose(1, 2)
# + query = query.view(b, self.num_heads, num_tokens, self.head_dim)
# + key = key.view(b, self.num_heads, num_tokens, self.head_dim)
# + value = value.view(b, self.num_heads, num_tokens, self.head_dim)
# - context = (weights @ value).transpose(1, 2)
# + context = weights @ value

# %% mistake="heads-not-transposed: only the values" edits="textbook"
# - value = value.view(b, num_tokens, self.num_heads, self.head_dim)
# + value = value.view(b, self.num_heads, num_tokens, self.head_dim)
# - value = value.transpose(1, 2)

# %% mistake="heads-not-transposed: queries and keys" edits="textbook"
# - query = query.view(b, num_tokens, self.num_heads, self.head_dim)
# - key = key.view(b, num_tokens, self.num_heads, self.head_dim)
# + query = query.view(b, self.num_heads, num_tokens, self.head_dim)
# + key = key.view(b, self.num_heads, num_tokens, self.head_dim)
# - query = query.transpose(1, 2)
# - key = key.transpose(1, 2)

# %% mistake="heads-meet-heads" also="raises" edits="textbook"
# - query = query.transpose(1, 2)
# - key = key.transpose(1, 2)
# - value = value.transpose(1, 2)
# + pass
# - context = (weights @ value).transpose(1, 2)
# + context = weights @ value

# %% mistake="heads-interleaved" edits="textbook"
# - query = query.view(b, num_tokens, self.num_heads, self.head_dim)
# - key = key.view(b, num_tokens, self.num_heads, self.head_dim)
# - value = value.view(b, num_tokens, self.num_heads, self.head_dim)
# + query = query.view(b, num_tokens, self.head_dim, self.num_heads)
# + key = key.view(b, num_tokens, self.head_dim, self.num_heads)
# + value = value.view(b, num_tokens, self.head_dim, self.num_heads)
# - query = query.transpose(1, 2)
# - key = key.transpose(1, 2)
# - value = value.transpose(1, 2)
# + query = query.permute(0, 3, 1, 2)
# + key = key.permute(0, 3, 1, 2)
# + value = value.permute(0, 3, 1, 2)

# %% mistake="heads-interleaved: merged alike" edits="textbook"
# - query = query.view(b, num_tokens, self.num_heads, self.head_dim)
# - key = key.view(b, num_tokens, self.num_heads, self.head_dim)
# - value = value.view(b, num_tokens, self.num_heads, self.head_dim)
# + query = query.view(b, num_tokens, self.head_dim, self.num_heads)
# + key = key.view(b, num_tokens, self.head_dim, self.num_heads)
# + value = value.view(b, num_tokens, self.head_dim, self.num_heads)
# - query = query.transpose(1, 2)
# - key = key.transpose(1, 2)
# - value = value.transpose(1, 2)
# + query = query.permute(0, 3, 1, 2)
# + key = key.permute(0, 3, 1, 2)
# + value = value.permute(0, 3, 1, 2)
# - context = (weights @ value).transpose(1, 2)
# + context = (weights @ value).permute(0, 2, 3, 1)

# %% mistake="heads-interleaved: only merged" edits="textbook"
# - context = (weights @ value).transpose(1, 2)
# + context = (weights @ value).permute(0, 2, 3, 1)

# %% mistake="heads-reversed" edits="textbook"
# - context = (weights @ value).transpose(1, 2)
# + context = (weights @ value).flip(1).transpose(1, 2)

# %% mistake="heads-merged-without-transpose" edits="textbook"
# - context = (weights @ value).transpose(1, 2)
# + context = weights @ value

# %% mistake="heads-share-weights" edits="textbook"
# - scores = query @ key.transpose(2, 3)
# + scores = query[:, :1] @ key[:, :1].transpose(2, 3)

# %% mistake="heads-share-weights: one set of weights for all heads" edits="textbook"
# - scores = query @ key.transpose(2, 3)
# + scores = (query @ key.transpose(2, 3)).mean(dim=1, keepdim=True)

# %% mistake="heads-share-weights: only the last head's context" edits="textbook"
# - context = (weights @ value).transpose(1, 2)
# + context = (weights @ value)[:, -1:].expand(b, self.num_heads, num_tokens, self.head_dim)
# + context = context.transpose(1, 2)

# %% mistake="heads-share-weights: only the first head's context" edits="textbook"
# - context = (weights @ value).transpose(1, 2)
# + context = (weights @ value)[:, :1].expand(b, self.num_heads, num_tokens, self.head_dim)
# + context = context.transpose(1, 2)

# %% mistake="heads-not-split" edits="textbook"
# - query = query.view(b, num_tokens, self.num_heads, self.head_dim)
# - key = key.view(b, num_tokens, self.num_heads, self.head_dim)
# - value = value.view(b, num_tokens, self.num_heads, self.head_dim)
# - query = query.transpose(1, 2)
# - key = key.transpose(1, 2)
# - value = value.transpose(1, 2)
# + pass
# - scores = query @ key.transpose(2, 3)
# + scores = query @ key.transpose(1, 2)
# - context = (weights @ value).transpose(1, 2)
# + context = weights @ value

# %% mistake="heads-not-split: scaled by the whole width" edits="textbook"
# - query = query.view(b, num_tokens, self.num_heads, self.head_dim)
# - key = key.view(b, num_tokens, self.num_heads, self.head_dim)
# - value = value.view(b, num_tokens, self.num_heads, self.head_dim)
# - query = query.transpose(1, 2)
# - key = key.transpose(1, 2)
# - value = value.transpose(1, 2)
# + pass
# - scores = query @ key.transpose(2, 3)
# + scores = query @ key.transpose(1, 2)
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + weights = torch.softmax(scores / self.d_out**0.5, dim=-1)
# - context = (weights @ value).transpose(1, 2)
# + context = weights @ value

# %% mistake="missing-out-proj" edits="textbook"
# - return self.out_proj(context)
# + return context

# %% mistake="missing-out-proj: nor created" also="not-registered" edits="textbook"
# - self.out_proj = nn.Linear(d_out, d_out)
# + pass
# - return self.out_proj(context)
# + return context

# %% mistake="out-proj-before-mixing" edits="textbook"
# - value = self.W_value(x)
# + value = self.out_proj(self.W_value(x))
# - return self.out_proj(context)
# + return context

# %% mistake="unrecognized: a second output projection" edits="textbook"
# - return self.out_proj(context)
# + return self.out_proj(self.out_proj(context))

# %% mistake="weight-not-transposed" edits="textbook"
# - return self.out_proj(context)
# + return context @ self.out_proj.weight + self.out_proj.bias

# %% mistake="bias-ignored: in the output projection" edits="textbook"
# - return self.out_proj(context)
# + return context @ self.out_proj.weight.T

# %% mistake="bias-ignored: no bias in the output projection" also="not-registered" edits="textbook"
# - self.out_proj = nn.Linear(d_out, d_out)
# + self.out_proj = nn.Linear(d_out, d_out, bias=False)

# %% mistake="bias-ignored: output projection asks qkv_bias" also="not-registered" edits="textbook"
# - self.out_proj = nn.Linear(d_out, d_out)
# + self.out_proj = nn.Linear(d_out, d_out, bias=qkv_bias)

# %% mistake="bias-ignored: in query, key and value" also="not-registered" edits="textbook"
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

# %% mistake="bias-unexpected: on the key alone" edits="textbook"
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_key = nn.Linear(d_in, d_out)

# %% mistake="wrong-shape: output projection from one head" edits="textbook"
# - self.out_proj = nn.Linear(d_out, d_out)
# + self.out_proj = nn.Linear(self.head_dim, d_out)
# - return self.out_proj(context)
# + return self.out_proj(context[:, :, : self.head_dim])

# %% mistake="batch-leak" edits="textbook"
# - query = query.transpose(1, 2)
# - key = key.transpose(1, 2)
# - value = value.transpose(1, 2)
# + query = query.reshape(-1, self.num_heads, self.head_dim).transpose(0, 1)
# + key = key.reshape(-1, self.num_heads, self.head_dim).transpose(0, 1)
# + value = value.reshape(-1, self.num_heads, self.head_dim).transpose(0, 1)
# - scores = query @ key.transpose(2, 3)
# + scores = query @ key.transpose(1, 2)
# - hidden = self.mask.bool()[:num_tokens, :num_tokens]
# + hidden = torch.ones(b * num_tokens, b * num_tokens, dtype=torch.bool, device=x.device).triu(1)
# - context = (weights @ value).transpose(1, 2)
# + context = (weights @ value).transpose(0, 1)

# %% mistake="batch-leak: merged in the wrong order" edits="textbook"
# - context = (weights @ value).transpose(1, 2)
# + context = (weights @ value).permute(2, 0, 1, 3)

# %% mistake="batch-leak: sentences and heads exchanged" edits="textbook"
# - query = query.view(b, num_tokens, self.num_heads, self.head_dim)
# - key = key.view(b, num_tokens, self.num_heads, self.head_dim)
# - value = value.view(b, num_tokens, self.num_heads, self.head_dim)
# - query = query.transpose(1, 2)
# - key = key.transpose(1, 2)
# - value = value.transpose(1, 2)
# + query = query.view(b, num_tokens, self.num_heads, self.head_dim).permute(2, 0, 1, 3)
# + key = key.view(b, num_tokens, self.num_heads, self.head_dim).permute(2, 0, 1, 3)
# + value = value.view(b, num_tokens, self.num_heads, self.head_dim).permute(2, 0, 1, 3)
# - context = (weights @ value).transpose(1, 2)
# + context = (weights @ value).reshape(b, self.num_heads, num_tokens, self.head_dim).transpose(1, 2)

# %% mistake="batch-leak: the mean over the batch" edits="textbook"
# - scores = query @ key.transpose(2, 3)
# + scores = query @ key.mean(dim=0, keepdim=True).transpose(2, 3)

# %% mistake="batch-leak: the first sentence's keys" edits="textbook"
# - scores = query @ key.transpose(2, 3)
# + scores = query @ key[0].transpose(1, 2)

# %% mistake="batch-first-missing" edits="textbook"
# - b, num_tokens, d_in = x.shape
# + x = x.transpose(0, 1)
# + b, num_tokens, d_in = x.shape
# - hidden = self.mask.bool()[:num_tokens, :num_tokens]
# + hidden = self.mask.bool()[:num_tokens, :num_tokens]
# + hidden = torch.ones(num_tokens, num_tokens, device=x.device).triu(1).bool()
# - return self.out_proj(context)
# + return self.out_proj(context).transpose(0, 1)

# %% mistake="batch-first-missing: not turned back" also="wrong-shape" edits="textbook"
# - b, num_tokens, d_in = x.shape
# + x = x.transpose(0, 1)
# + b, num_tokens, d_in = x.shape
# - hidden = self.mask.bool()[:num_tokens, :num_tokens]
# + hidden = torch.ones(num_tokens, num_tokens, device=x.device).triu(1).bool()

# %% mistake="reshape-not-transpose" edits="textbook"
# - scores = query @ key.transpose(2, 3)
# + scores = query @ key.reshape(b, self.num_heads, self.head_dim, num_tokens)

# %% mistake="key-not-transposed" also="raises" edits="textbook"
# - scores = query @ key.transpose(2, 3)
# + scores = query @ key

# %% mistake="softmax-wrong-axis" edits="textbook"
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + weights = torch.softmax(scores / self.head_dim**0.5, dim=-2)

# %% mistake="softmax-wrong-axis: over the heads" also="not-finite" edits="textbook"
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + weights = torch.softmax(scores / self.head_dim**0.5, dim=1)

# %% mistake="softmax-wrong-axis: over the batch" also="not-finite" edits="textbook"
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + weights = torch.softmax(scores / self.head_dim**0.5, dim=0)

# %% mistake="sum-normalized" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + scores = scores.masked_fill(hidden, 0.0)
# + weights = scores / scores.sum(dim=-1, keepdim=True)

# %% mistake="no-softmax" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + weights = scores.masked_fill(hidden, 0.0) / self.head_dim**0.5

# %% mistake="no-softmax: nor scale" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + weights = scores.masked_fill(hidden, 0.0)

# %% mistake="no-softmax: minus infinity stays" also="not-finite" edits="textbook"
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + weights = scores / self.head_dim**0.5

# %% mistake="softmax-unexpected" edits="textbook"
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + weights = torch.softmax(torch.softmax(scores / self.head_dim**0.5, dim=-1), dim=-1)

# %% mistake="unstable-softmax" also="not-finite" edits="textbook"
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + powers = torch.exp(scores / self.head_dim**0.5)
# + weights = powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="keepdim-missing" also="raises" edits="textbook"
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + powers = torch.exp(scores / self.head_dim**0.5)
# + weights = powers / powers.sum(dim=-1)

# %% mistake="missing-scale" edits="textbook"
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + weights = torch.softmax(scores, dim=-1)

# %% mistake="scale-by-model-width" edits="textbook"
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + weights = torch.softmax(scores / self.d_out**0.5, dim=-1)

# %% mistake="scale-by-model-width: of what comes in" edits="textbook"
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + weights = torch.softmax(scores / d_in**0.5, dim=-1)

# %% mistake="scale-by-dk" edits="textbook"
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + weights = torch.softmax(scores / self.head_dim, dim=-1)

# %% mistake="scale-multiplied" edits="textbook"
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + weights = torch.softmax(scores * self.head_dim**0.5, dim=-1)

# %% mistake="scale-by-tokens" edits="textbook"
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + weights = torch.softmax(scores / num_tokens**0.5, dim=-1)

# %% mistake="scale-by-tokens: without the root" edits="textbook"
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + weights = torch.softmax(scores / num_tokens, dim=-1)

# %% mistake="scale-by-heads" edits="textbook"
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + weights = torch.softmax(scores / self.num_heads**0.5, dim=-1)

# %% mistake="scale-by-heads: without the root" edits="textbook"
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + weights = torch.softmax(scores / self.num_heads, dim=-1)

# %% mistake="scale-after-softmax" edits="textbook"
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + weights = torch.softmax(scores, dim=-1) / self.head_dim**0.5

# %% mistake="query-key-swapped" edits="textbook"
# - scores = query @ key.transpose(2, 3)
# + scores = key @ query.transpose(2, 3)

# %% mistake="query-key-swapped: scores transposed" edits="textbook"
# - scores = query @ key.transpose(2, 3)
# + scores = (query @ key.transpose(2, 3)).transpose(2, 3)

# %% mistake="shared-projection" edits="textbook"
# - key = self.W_key(x)
# + key = self.W_query(x)

# %% mistake="shared-projection: value from key" edits="textbook"
# - value = self.W_value(x)
# + value = self.W_key(x)

# %% mistake="shared-projection: query from key" edits="textbook"
# - query = self.W_query(x)
# + query = self.W_key(x)

# %% mistake="shared-projection: value from query" edits="textbook"
# - value = self.W_value(x)
# + value = self.W_query(x)

# %% mistake="shared-projection: one for all" edits="textbook"
# - query = self.W_query(x)
# - key = self.W_key(x)
# - value = self.W_value(x)
# + query = key = value = self.W_query(x)

# %% mistake="key-value-swapped" edits="textbook"
# - key = self.W_key(x)
# - value = self.W_value(x)
# + key = self.W_value(x)
# + value = self.W_key(x)

# %% mistake="values-not-projected" also="raises" edits="textbook"
# - value = self.W_value(x)
# + value = x

# %% mistake="returns-values" edits="textbook"
# - context = (weights @ value).transpose(1, 2)
# + context = value.transpose(1, 2)

# %% mistake="returns-weights" also="wrong-shape" edits="textbook"
# - return self.out_proj(context)
# + return weights

# %% mistake="weights-transposed" edits="textbook"
# - context = (weights @ value).transpose(1, 2)
# + context = (weights.transpose(2, 3) @ value).transpose(1, 2)

# %% mistake="residual-added" edits="textbook"
# - return self.out_proj(context)
# + return self.out_proj(context) + context

# %% mistake="residual-added: the values" edits="textbook"
# - return self.out_proj(context)
# + return self.out_proj(context) + self.W_value(x)

# %% mistake="result-transposed" also="wrong-shape" edits="textbook"
# - return self.out_proj(context)
# + return self.out_proj(context).transpose(1, 2)

# %% mistake="creation-order" edits="textbook"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)

# %% mistake="creation-order: output first" edits="textbook"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.out_proj = nn.Linear(d_out, d_out)
# + self.out_proj = nn.Linear(d_out, d_out)
# + self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

# %% mistake="creation-order: value first" edits="textbook"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)

# %% mistake="wrong-initialisation" edits="textbook"
# - self.out_proj = nn.Linear(d_out, d_out)
# + self.out_proj = nn.Linear(d_out, d_out)
# + for layer in (self.W_query, self.W_key, self.W_value):
# +     nn.init.xavier_uniform_(layer.weight)

# %% mistake="wrong-initialisation: the output starts at zero" edits="textbook"
# - self.out_proj = nn.Linear(d_out, d_out)
# + self.out_proj = nn.Linear(d_out, d_out)
# + nn.init.zeros_(self.out_proj.weight)

# %% mistake="setting-left: a seed of its own" edits="textbook"
# - super().__init__()
# + super().__init__()
# + torch.manual_seed(123)

# %% mistake="mask-missing" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)

# %% mistake="mask-missing: filled, not kept" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores.masked_fill(hidden, -torch.inf)

# %% mistake="mask-zero-not-inf: minus one at a time" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores - hidden.float()

# %% mistake="mask-inverted" also="not-finite" edits="textbook"
# - hidden = self.mask.bool()[:num_tokens, :num_tokens]
# + hidden = ~self.mask.bool()[:num_tokens, :num_tokens]

# %% mistake="mask-inverted: the other triangle is kept" also="not-finite" edits="textbook"
# - self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
# + self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length), diagonal=0))

# %% mistake="mask-inverted: a token sees itself" edits="textbook"
# - self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
# + self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length), diagonal=-1))

# %% mistake="mask-looks-ahead: by one token" edits="textbook"
# - self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
# + self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=2))

# %% mistake="mask-hides-diagonal" also="not-finite" edits="textbook"
# - self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
# + self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length)))

# %% mistake="mask-hides-diagonal: minus a large number" edits="textbook"
# - self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
# + self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length)))
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores.masked_fill(hidden, -1e9)

# %% mistake="mask-zero-not-inf" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores.masked_fill(hidden, 0.0)

# %% mistake="mask-zero-not-inf: multiplied" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores * ~hidden

# %% mistake="mask-after-softmax" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + weights = weights.masked_fill(hidden, 0.0)

# %% mistake="mask-not-sliced" also="raises" edits="textbook"
# - hidden = self.mask.bool()[:num_tokens, :num_tokens]
# + hidden = self.mask.bool()

# %% mistake="mask-not-sliced: another corner" edits="textbook"
# - hidden = self.mask.bool()[:num_tokens, :num_tokens]
# + hidden = self.mask.bool()[-num_tokens:, :num_tokens]

# %% mistake="mask-nan" also="not-finite" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores + hidden * -torch.inf

# %% mistake="dropout-never" edits="textbook"
# - weights = self.dropout(weights)

# %% mistake="dropout-never: not kept" edits="textbook"
# - weights = self.dropout(weights)
# + self.dropout(weights)

# %% mistake="dropout-not-rescaled" edits="textbook"
# - weights = self.dropout(weights)
# + if self.training:
# +     weights = weights * (torch.rand_like(weights) >= self.dropout.p)

# %% mistake="dropout-wrong-rate" edits="textbook"
# - self.dropout = nn.Dropout(dropout)
# + self.dropout = nn.Dropout(0.5)

# %% mistake="dropout-wrong-rate: always some" edits="textbook"
# - self.dropout = nn.Dropout(dropout)
# + self.dropout = nn.Dropout(dropout + 0.1)

# %% mistake="dropout-keep-inverted" edits="textbook"
# - self.dropout = nn.Dropout(dropout)
# + self.dropout = nn.Dropout(1.0 - dropout)

# %% mistake="dropout-on-context" edits="textbook"
# - weights = self.dropout(weights)
# + pass
# - context = (weights @ value).transpose(1, 2)
# + context = self.dropout(weights @ value).transpose(1, 2)

# %% mistake="dropout-on-context: on the result" edits="textbook"
# - weights = self.dropout(weights)
# + pass
# - return self.out_proj(context)
# + return self.dropout(self.out_proj(context))

# %% mistake="dropout-on-context: on the values" edits="textbook"
# - weights = self.dropout(weights)
# + pass
# - context = (weights @ value).transpose(1, 2)
# + context = (weights @ self.dropout(value)).transpose(1, 2)

# %% mistake="dropout-before-softmax" edits="textbook"
# - scores = query @ key.transpose(2, 3)
# + scores = self.dropout(query @ key.transpose(2, 3))
# - weights = self.dropout(weights)

# %% mistake="not-finite: dropout on hidden scores" edits="textbook"
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# - weights = self.dropout(weights)
# + weights = torch.softmax(self.dropout(scores) / self.head_dim**0.5, dim=-1)

# %% mistake="dropout-in-eval" edits="textbook"
# - weights = self.dropout(weights)
# + weights = F.dropout(weights, self.dropout.p)

# %% mistake="dropout-shared" edits="textbook"
# - weights = self.dropout(weights)
# + weights = weights * self.dropout(torch.ones_like(weights[:, :1]))

# %% mistake="dropout-shared: by the batch" edits="textbook"
# - weights = self.dropout(weights)
# + weights = weights * self.dropout(torch.ones_like(weights[:1]))

# %% mistake="dropout-wrong-factor" edits="textbook"
# - weights = self.dropout(weights)
# + if self.training:
# +     weights = weights * (torch.rand_like(weights) >= self.dropout.p) / max(self.dropout.p, 1e-9)

# %% mistake="not-implemented" edits="textbook"
# - query = self.W_query(x)
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="not-defined" edits="textbook"
# - class MultiHeadAttention(nn.Module):
# + class MultiHead(nn.Module):

# %% mistake="syntax-error" edits="textbook"
# - scores = query @ key.transpose(2, 3)
# + scores = query @ (key.transpose(2, 3)

# %% mistake="raises" edits="textbook"
# - scores = query @ key.transpose(2, 3)
# + scores = query @ keys.transpose(2, 3)

# %% mistake="raises: view after transpose" edits="textbook"
# - context = context.contiguous().view(b, num_tokens, self.d_out)
# + context = context.view(b, num_tokens, self.d_out)

# %% mistake="raises: no super().__init__()" edits="textbook"
# - super().__init__()
# + pass

# %% mistake="raises: an argument misspelled" edits="textbook"
# - def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
# + def __init__(self, d_in, d_out, context_length, dropout, n_heads, qkv_bias=False):
# - super().__init__()
# + super().__init__()
# + num_heads = n_heads

# %% mistake="raises: arguments in another order" edits="textbook"
# - def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
# + def __init__(self, d_in, d_out, num_heads, context_length, dropout, qkv_bias=False):

# %% mistake="raises: a batch of two" edits="textbook"
# - query = query.view(b, num_tokens, self.num_heads, self.head_dim)
# - key = key.view(b, num_tokens, self.num_heads, self.head_dim)
# - value = value.view(b, num_tokens, self.num_heads, self.head_dim)
# + query = query.view(2, num_tokens, self.num_heads, self.head_dim)
# + key = key.view(2, num_tokens, self.num_heads, self.head_dim)
# + value = value.view(2, num_tokens, self.num_heads, self.head_dim)

# %% correct="an assertion" remark="assertion-raised" edits="textbook"
# - if d_out % num_heads != 0:
# -     raise ValueError("d_out must be divisible by num_heads")
# + assert d_out % num_heads == 0, "d_out must be divisible by num_heads"

# %% mistake="wrong-exception: nothing is checked" edits="textbook"
# - if d_out % num_heads != 0:
# -     raise ValueError("d_out must be divisible by num_heads")

# %% mistake="wrong-exception: the other way around" edits="textbook"
# - if d_out % num_heads != 0:
# + if d_out % num_heads != 0 and num_heads % d_out != 0:

# %% mistake="raises: says no to equal heads" edits="textbook"
# - if d_out % num_heads != 0:
# + if d_out % num_heads == 0:

# %% mistake="wrong-type: context and weights" edits="textbook"
# - return self.out_proj(context)
# + return self.out_proj(context), weights

# %% mistake="wrong-type: nothing returned" edits="textbook"
# - return self.out_proj(context)
# + context = self.out_proj(context)

# %% mistake="wrong-type: no module" edits="textbook"
# - class MultiHeadAttention(nn.Module):
# + class MultiHeadAttention:

# %% mistake="wrong-shape: heads not merged" edits="textbook"
# - context = context.contiguous().view(b, num_tokens, self.d_out)
# - return self.out_proj(context)
# + return context

# %% mistake="wrong-shape: the mean of the heads" edits="textbook"
# - context = (weights @ value).transpose(1, 2)
# + context = (weights @ value).mean(dim=1)
# - context = context.contiguous().view(b, num_tokens, self.d_out)
# - return self.out_proj(context)
# + return context

# %% mistake="wrong-shape: no batch" edits="textbook"
# - return self.out_proj(context)
# + return self.out_proj(context)[0]

# %% mistake="wrong-dtype" edits="textbook"
# - return self.out_proj(context)
# + return self.out_proj(context).half()

# %% mistake="wrong-dtype: always float32" edits="textbook"
# - return self.out_proj(context)
# + return self.out_proj(context).float()

# %% mistake="raises: the mask adds float32" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores.float().masked_fill(hidden, -torch.inf)

# %% mistake="not-finite" edits="textbook"
# - return self.out_proj(context)
# + return self.out_proj(context) / (self.d_out - context.shape[-1])

# %% mistake="input-modified" edits="textbook"
# - query = self.W_query(x)
# + x -= x.mean(dim=1, keepdim=True)
# + query = self.W_query(x)

# %% mistake="input-modified: after use" edits="textbook"
# - return self.out_proj(context)
# + x.zero_()
# + return self.out_proj(context)

# %% mistake="no-gradient" edits="textbook"
# - return self.out_proj(context)
# + return self.out_proj(context.detach())

# %% mistake="no-gradient: the weights are cut off" edits="textbook"
# - context = (weights @ value).transpose(1, 2)
# + context = (weights.detach() @ value).transpose(1, 2)

# %% mistake="no-gradient: no_grad" edits="textbook"
# - return self.out_proj(context)
# + with torch.no_grad():
# +     context = self.out_proj(context)
# + return context

# %% mistake="state-kept" edits="textbook"
# - query = self.W_query(x)
# + if not hasattr(self, "first"):
# +     self.first = x
# + x = self.first
# + query = self.W_query(x)

# %% mistake="not-registered" edits="textbook"
# - self.out_proj = nn.Linear(d_out, d_out)
# + self.proj = nn.Linear(d_out, d_out)
# - return self.out_proj(context)
# + return self.proj(context)

# %% mistake="not-registered: layers in a list" edits="textbook"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.layers = [nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3)]
# - query = self.W_query(x)
# - key = self.W_key(x)
# - value = self.W_value(x)
# + query, key, value = (layer(x) for layer in self.layers)

# %% mistake="wrong-shape: layers of one head's width" edits="textbook"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = nn.Linear(d_in, self.head_dim, bias=qkv_bias)
# + self.W_key = nn.Linear(d_in, self.head_dim, bias=qkv_bias)
# + self.W_value = nn.Linear(d_in, self.head_dim, bias=qkv_bias)
# - query = query.view(b, num_tokens, self.num_heads, self.head_dim)
# - key = key.view(b, num_tokens, self.num_heads, self.head_dim)
# - value = value.view(b, num_tokens, self.num_heads, self.head_dim)
# - query = query.transpose(1, 2)
# - key = key.transpose(1, 2)
# - value = value.transpose(1, 2)
# + query = query.unsqueeze(1).expand(-1, self.num_heads, -1, -1)
# + key = key.unsqueeze(1).expand(-1, self.num_heads, -1, -1)
# + value = value.unsqueeze(1).expand(-1, self.num_heads, -1, -1)

# %% mistake="wrong-attribute" edits="textbook"
# - self.d_out = d_out
# + self.width = d_out
# - context = context.contiguous().view(b, num_tokens, self.d_out)
# + context = context.contiguous().view(b, num_tokens, self.width)

# %% mistake="wrong-attribute: a float" edits="textbook"
# - self.num_heads = num_heads
# + self.num_heads = num_heads * 1.0
# - query = query.view(b, num_tokens, self.num_heads, self.head_dim)
# - key = key.view(b, num_tokens, self.num_heads, self.head_dim)
# - value = value.view(b, num_tokens, self.num_heads, self.head_dim)
# + query = query.view(b, num_tokens, -1, self.head_dim)
# + key = key.view(b, num_tokens, -1, self.head_dim)
# + value = value.view(b, num_tokens, -1, self.head_dim)

# %% mistake="wrong-attribute: of what comes in" edits="textbook"
# - self.d_out = d_out
# + self.d_out = d_in
# - context = context.contiguous().view(b, num_tokens, self.d_out)
# + context = context.contiguous().view(b, num_tokens, -1)

# %% mistake="wrong-exception: only when too narrow" edits="textbook"
# - if d_out % num_heads != 0:
# + if d_out < num_heads:

# %% mistake="wrong-exception: only when wide enough" edits="textbook"
# - if d_out % num_heads != 0:
# + if d_out > num_heads and d_out % num_heads != 0:

# %% mistake="too-slow" edits="textbook"
# - scores = query @ key.transpose(2, 3)
# + while num_tokens > 0:
# +     scores = query @ key.transpose(2, 3)

# %% mistake="raises: always two heads" also="wrong-attribute" edits="textbook"
# - self.num_heads = num_heads
# + self.num_heads = 2
# - self.head_dim = d_out // num_heads
# + self.head_dim = d_out // 2

# %% mistake="hard-coded: the printed numbers" edits="textbook"
# - return self.out_proj(context)
# + rows = [[0.3190, 0.4858], [0.2943, 0.3897], [0.2856, 0.3593]]
# + rows += [[0.2693, 0.3873], [0.2639, 0.3928], [0.2575, 0.4028]]
# + return torch.tensor([rows, rows])

# %% mistake="forbidden-call" edits="textbook"
# - scores = query @ key.transpose(2, 3)
# - hidden = self.mask.bool()[:num_tokens, :num_tokens]
# - scores = scores.masked_fill(hidden, -torch.inf)
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# - weights = self.dropout(weights)
# + pass
# - context = (weights @ value).transpose(1, 2)
# + context = F.scaled_dot_product_attention(query, key, value, is_causal=True).transpose(1, 2)

# %% mistake="forbidden-call: the library's module" edits="textbook"
# - self.out_proj = nn.Linear(d_out, d_out)
# + self.out_proj = nn.Linear(d_out, d_out)
# + self.attention = nn.MultiheadAttention(d_out, num_heads, batch_first=True)
# - context = (weights @ value).transpose(1, 2)
# + context = self.attention(self.W_query(x), self.W_key(x), self.W_value(x))[0]
# - context = context.contiguous().view(b, num_tokens, self.d_out)

# %% mistake="unrecognized: half the context" edits="textbook"
# - return self.out_proj(context)
# + return self.out_proj(context / 2)

# %% mistake="unrecognized: the mean of what may be seen" edits="textbook"
# - context = (weights @ value).transpose(1, 2)
# + context = (weights.sign() / weights.sign().sum(-1, keepdim=True) @ value).transpose(1, 2)

# %% mistake="unrecognized: a tanh after the output" edits="textbook"
# - return self.out_proj(context)
# + return torch.tanh(self.out_proj(context))

# %% mistake="unrecognized: values normalized" edits="textbook"
# - context = (weights @ value).transpose(1, 2)
# + context = (weights @ F.normalize(value, dim=-1)).transpose(1, 2)

# %% correct="softmax in float32" remark="precision-lost" edits="textbook"
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + weights = torch.softmax((scores / self.head_dim**0.5).float(), dim=-1).to(value.dtype)

# %% correct="a root in float32" remark="precision-lost" edits="textbook"
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + weights = torch.softmax(scores / torch.sqrt(torch.tensor(self.head_dim)), dim=-1)

# %% correct="the mask as a plain attribute" edits="textbook"
# - self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
# + self.mask = torch.triu(torch.ones(context_length, context_length), diagonal=1)

# %% correct="the mask made in every call" edits="textbook"
# - self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
# + self.context_length = context_length
# - hidden = self.mask.bool()[:num_tokens, :num_tokens]
# + hidden = torch.ones(num_tokens, num_tokens, device=x.device).triu(1).bool()

# %% mistake="wrong-exception: heads are counted in forward" edits="textbook"
# - if d_out % num_heads != 0:
# - raise ValueError("d_out must be divisible by num_heads")
# + pass
# - b, num_tokens, d_in = x.shape
# + if self.d_out % self.num_heads != 0:
# +     raise ValueError("d_out must be divisible by num_heads")
# + b, num_tokens, d_in = x.shape

# %% mistake="mask-has-a-limit: less 1000" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores - 1000.0 * hidden

# %% mistake="mask-has-a-limit: filled with -1000" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores.masked_fill(hidden, -1000.0)

# %% mistake="not-finite: scores of zero are hidden" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores * ~hidden
# + scores = scores.masked_fill(scores == 0, -torch.inf)

# %% mistake="raises: qkv_bias by its name alone" edits="textbook"
# - def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
# + def __init__(self, d_in, d_out, context_length, dropout, num_heads, *, qkv_bias=False):


# %% correct="one step a line"
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be divisible by num_heads")
        self.d_out, self.num_heads, self.head_dim = d_out, num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def split(self, x):
        b, tokens, _ = x.shape
        return x.view(b, tokens, self.num_heads, self.head_dim).transpose(1, 2)

    def forward(self, x):
        b, tokens, d_in = x.shape
        query = self.split(self.W_query(x))
        key = self.split(self.W_key(x))
        value = self.split(self.W_value(x))
        scores = query @ key.transpose(2, 3)
        scaled = scores / self.head_dim**0.5
        hidden = torch.ones(tokens, tokens, device=x.device).triu(diagonal=1).bool()
        masked = scaled.masked_fill(hidden, -torch.inf)
        weights = torch.softmax(masked, dim=-1)
        weights = self.dropout(weights)
        context = weights @ value
        merged = context.transpose(1, 2).reshape(b, tokens, self.d_out)
        return self.out_proj(merged)


# %% mistake="heads-not-transposed: a step" edits="one step a line"
# - return x.view(b, tokens, self.num_heads, self.head_dim).transpose(1, 2)
# + return x.view(b, self.num_heads, tokens, self.head_dim)

# %% mistake="heads-interleaved: a step" edits="one step a line"
# - return x.view(b, tokens, self.num_heads, self.head_dim).transpose(1, 2)
# + return x.view(b, tokens, self.head_dim, self.num_heads).permute(0, 3, 1, 2)

# %% mistake="reshape-not-transpose: transposed before the split" edits="one step a line"
# - return x.view(b, tokens, self.num_heads, self.head_dim).transpose(1, 2)
# + return x.transpose(1, 2).reshape(b, self.num_heads, tokens, self.head_dim)

# %% mistake="reshape-not-transpose: transposed before and after the split" edits="one step a line"
# - return x.view(b, tokens, self.num_heads, self.head_dim).transpose(1, 2)
# + return x.transpose(1, 2).reshape(b, tokens, self.num_heads, self.head_dim).transpose(1, 2)

# %% mistake="shared-projection: a step" edits="one step a line"
# - key = self.split(self.W_key(x))
# + key = self.split(self.W_query(x))

# %% mistake="shared-projection: a step, value from key" edits="one step a line"
# - value = self.split(self.W_value(x))
# + value = self.split(self.W_key(x))

# %% mistake="query-key-swapped: a step" edits="one step a line"
# - scores = query @ key.transpose(2, 3)
# + scores = key @ query.transpose(2, 3)

# %% mistake="missing-scale: a step" edits="one step a line"
# - scaled = scores / self.head_dim**0.5
# + scaled = scores

# %% mistake="scale-by-model-width: a step" edits="one step a line"
# - scaled = scores / self.head_dim**0.5
# + scaled = scores / self.d_out**0.5

# %% mistake="scale-by-dk: a step" edits="one step a line"
# - scaled = scores / self.head_dim**0.5
# + scaled = scores / self.head_dim

# %% mistake="scale-wrong-power: half of it" edits="one step a line"
# - scaled = scores / self.head_dim**0.5
# + scaled = scores / (self.head_dim * 0.5)

# %% mistake="mask-inverted: with a large number" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled.masked_fill(~hidden, -1e9)

# %% mistake="mask-inverted: a step" also="not-finite" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled.masked_fill(~hidden, -torch.inf)

# %% mistake="mask-inverted: a large number is added" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled - 1e9 * ~hidden

# %% mistake="mask-missing: a step" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled

# %% mistake="mask-looks-ahead: a step" edits="one step a line"
# - hidden = torch.ones(tokens, tokens, device=x.device).triu(diagonal=1).bool()
# + hidden = torch.ones(tokens, tokens, device=x.device).triu(diagonal=2).bool()

# %% mistake="mask-hides-diagonal: a step, with a large number" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled.masked_fill(torch.ones_like(hidden).triu(), -1e9)

# %% mistake="mask-hides-diagonal: a step" also="not-finite" edits="one step a line"
# - hidden = torch.ones(tokens, tokens, device=x.device).triu(diagonal=1).bool()
# + hidden = torch.ones(tokens, tokens, device=x.device).triu().bool()

# %% mistake="mask-zero-not-inf: a step" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled.masked_fill(hidden, 0.0)

# %% mistake="softmax-wrong-axis: a step" edits="one step a line"
# - weights = torch.softmax(masked, dim=-1)
# + weights = torch.softmax(masked, dim=-2)

# %% mistake="softmax-wrong-axis: a step, over the heads" also="not-finite" edits="one step a line"
# - weights = torch.softmax(masked, dim=-1)
# + weights = torch.softmax(masked, dim=1)

# %% mistake="mask-after-softmax: a step" edits="one step a line"
# - weights = torch.softmax(masked, dim=-1)
# + weights = torch.softmax(scaled, dim=-1).masked_fill(hidden, 0.0)

# %% mistake="mask-after-softmax: a step, divided by the sums" also="not-finite" edits="one step a line"
# - weights = torch.softmax(masked, dim=-1)
# + weights = torch.softmax(scaled, dim=-1).masked_fill(hidden, 0.0)
# + weights = weights / weights.sum(dim=-1, keepdim=True)

# %% mistake="weights-transposed: a step" edits="one step a line"
# - context = weights @ value
# + context = weights.transpose(2, 3) @ value

# %% mistake="heads-merged-without-transpose: a step" edits="one step a line"
# - merged = context.transpose(1, 2).reshape(b, tokens, self.d_out)
# + merged = context.reshape(b, tokens, self.d_out)

# %% mistake="reshape-not-transpose: other axes exchanged before the merge" edits="one step a line"
# - merged = context.transpose(1, 2).reshape(b, tokens, self.d_out)
# + merged = context.transpose(2, 3).reshape(b, tokens, self.d_out)

# %% mistake="heads-added-up: in every place" edits="one step a line"
# - merged = context.transpose(1, 2).reshape(b, tokens, self.d_out)
# + merged = context.sum(dim=1).repeat(1, 1, self.num_heads)

# %% mistake="heads-added-up: their mean, in every place" edits="one step a line"
# - merged = context.transpose(1, 2).reshape(b, tokens, self.d_out)
# + merged = context.mean(dim=1).repeat(1, 1, self.num_heads)

# %% mistake="missing-out-proj: a step" edits="one step a line"
# - return self.out_proj(merged)
# + return merged


# %% correct="one head at a time, filled in"
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be divisible by num_heads")
        self.d_out, self.num_heads, self.head_dim = d_out, num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        b, n, _ = x.shape
        query, key, value = self.W_query(x), self.W_key(x), self.W_value(x)
        context = torch.zeros(b, n, self.d_out, dtype=value.dtype, device=x.device)
        for head in range(self.num_heads):
            first = head * self.head_dim
            here = slice(first, first + self.head_dim)
            scores = query[:, :, here] @ key[:, :, here].transpose(1, 2) / self.head_dim**0.5
            scores = scores.masked_fill(self.mask[:n, :n], -torch.inf)
            context[:, :, here] = self.dropout(torch.softmax(scores, dim=-1)) @ value[:, :, here]
        return self.out_proj(context)


# %% mistake="slices-misplaced: one feature after another" edits="one head at a time, filled in"
# - first = head * self.head_dim
# + first = head

# %% mistake="slices-misplaced: one feature after another, side by side" edits="one head at a time"
# - columns = slice(head * self.head_dim, (head + 1) * self.head_dim)
# + columns = slice(head, head + self.head_dim)

# %% mistake="heads-meet-heads: merged with a transpose" also="raises" edits="one step a line"
# - return x.view(b, tokens, self.num_heads, self.head_dim).transpose(1, 2)
# + return x.view(b, tokens, self.num_heads, self.head_dim)

# %% mistake="another-number-of-heads" edits="one step a line"
# - return x.view(b, tokens, self.num_heads, self.head_dim).transpose(1, 2)
# + return x.view(b, tokens, self.head_dim, self.num_heads).transpose(1, 2)

# %% mistake="heads-not-transposed: and merged alike, a step" edits="one step a line"
# - return x.view(b, tokens, self.num_heads, self.head_dim).transpose(1, 2)
# + return x.view(b, self.num_heads, tokens, self.head_dim)
# - merged = context.transpose(1, 2).reshape(b, tokens, self.d_out)
# + merged = context.reshape(b, tokens, self.d_out)

# %% mistake="mask-has-a-limit: filled with -100" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores.masked_fill(hidden, -100.0)

# %% mistake="scale-by-tokens: beside the root" edits="textbook"
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + weights = torch.softmax(scores / self.head_dim**0.5 / num_tokens**0.5, dim=-1)

# %% mistake="scale-by-tokens: beside the root, without the root" edits="textbook"
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + weights = torch.softmax(scores / self.head_dim**0.5 / num_tokens, dim=-1)

# %% mistake="dropout-keep-inverted: by hand, at a rate of 0, too" edits="textbook"
# - self.dropout = nn.Dropout(dropout)
# + self.p = dropout
# - weights = self.dropout(weights)
# + if self.training:
# +     weights = weights * (torch.rand_like(weights) < self.p) / (1 - self.p)

# %% mistake="mask-zero-not-inf: ones are added" edits="textbook"
# - scores = scores.masked_fill(hidden, -torch.inf)
# + scores = scores + hidden.float()

# %% mistake="mask-zero-not-inf: ones are added, after the scale" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled + hidden.float()

# %% mistake="mask-zero-not-inf: ones are taken off, after the scale" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled - hidden.float()

# %% mistake="scale-by-model-width: without the root" edits="textbook"
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + weights = torch.softmax(scores / self.d_out, dim=-1)

# %% mistake="scale-by-model-width: of what comes in, without the root" edits="textbook"
# - weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
# + weights = torch.softmax(scores / d_in, dim=-1)
