# %% setup
import math

import torch
import torch.nn.functional as F
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        n = x.shape[1]
        query, key, value = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = (query @ key.transpose(1, 2)).masked_fill(self.mask[:n, :n], -torch.inf)
        return self.dropout(torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)) @ value

# %% correct="mine"
class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        outputs = []
        for head in self.heads:
            outputs.append(head(x))
        return torch.cat(outputs, dim=-1)

# %% correct="with my attention"
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        T = x.shape[1]
        q = self.W_query(x)
        k = self.W_key(x)
        v = self.W_value(x)
        scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(self.d_out)
        keep = torch.tril(torch.ones(T, T, device=x.device))
        scores = scores.masked_fill(keep == 0, -torch.inf)
        weights = F.softmax(scores, dim=-1)
        return self.dropout(weights).bmm(v)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList()
        for _ in range(num_heads):
            self.heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias))

    def forward(self, x):
        outputs = [head(x) for head in self.heads]
        return torch.cat(outputs, dim=2)

# %% mistake="not-registered: a plain list" edits="mine"
# - self.heads = nn.ModuleList(
# - [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
# - )
# + self.heads = [
# +     CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)
# + ]

# %% mistake="heads-share-weights: the list times a number" edits="mine"
# - self.heads = nn.ModuleList(
# - [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
# - )
# + self.heads = nn.ModuleList([CausalAttention(d_in, d_out, context_length, dropout, qkv_bias)] * num_heads)

# %% mistake="heads-concatenated-on-tokens: dim=1" edits="mine"
# - return torch.cat(outputs, dim=-1)
# + return torch.cat(outputs, dim=1)

# %% mistake="heads-concatenated-on-tokens: no dim" edits="mine"
# - return torch.cat(outputs, dim=-1)
# + return torch.cat(outputs)

# %% mistake="wrong-shape: stacked" edits="mine"
# - return torch.cat(outputs, dim=-1)
# + return torch.stack(outputs)

# %% mistake="heads-interleaved: stacked at the end and flattened" edits="mine"
# - return torch.cat(outputs, dim=-1)
# + return torch.stack(outputs, dim=-1).reshape(x.shape[0], x.shape[1], -1)

# %% mistake="heads-merged-without-transpose: stacked and viewed" edits="mine"
# - return torch.cat(outputs, dim=-1)
# + return torch.stack(outputs, dim=1).view(x.shape[0], x.shape[1], -1)

# %% mistake="heads-added-up: summed" edits="mine"
# - return torch.cat(outputs, dim=-1)
# + return torch.stack(outputs).sum(dim=0)

# %% mistake="heads-added-up: averaged" edits="mine"
# - return torch.cat(outputs, dim=-1)
# + return sum(outputs) / len(outputs)

# %% mistake="heads-added-up: averaged, as wide as asked for" edits="mine"
# - return torch.cat(outputs, dim=-1)
# + mean = torch.stack(outputs).mean(dim=0)
# + return mean.repeat(1, 1, len(outputs))

# %% mistake="out-proj-unexpected: out_proj inside the wrapper" edits="mine"
# - self.heads = nn.ModuleList(
# - [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
# - )
# + self.heads = nn.ModuleList(
# +     [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
# + )
# + self.out_proj = nn.Linear(d_out * num_heads, d_out * num_heads)
# - return torch.cat(outputs, dim=-1)
# + return self.out_proj(torch.cat(outputs, dim=-1))

# %% mistake="out-proj-unexpected: made before the heads" edits="mine"
# - self.heads = nn.ModuleList(
# + self.out_proj = nn.Linear(d_out * num_heads, d_out * num_heads)
# + self.heads = nn.ModuleList(
# - return torch.cat(outputs, dim=-1)
# + return self.out_proj(torch.cat(outputs, dim=-1))

# %% mistake="out-proj-unexpected: back to d_out" edits="mine"
# - self.heads = nn.ModuleList(
# - [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
# - )
# + self.heads = nn.ModuleList(
# +     [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
# + )
# + self.out_proj = nn.Linear(d_out * num_heads, d_out)
# - return torch.cat(outputs, dim=-1)
# + return self.out_proj(torch.cat(outputs, dim=-1))

# %% mistake="bias-unexpected: num_heads given where qkv_bias belongs" edits="mine"
# - [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
# + [CausalAttention(d_in, d_out, context_length, dropout, num_heads) for _ in range(num_heads)]

# %% mistake="bias-ignored: qkv_bias is not handed on" edits="mine"
# - [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
# + [CausalAttention(d_in, d_out, context_length, dropout) for _ in range(num_heads)]

# %% mistake="wrong-shape: each head a part of d_out" edits="mine"
# - [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
# + [CausalAttention(d_in, d_out // num_heads, context_length, dropout, qkv_bias) for _ in range(num_heads)]

# %% mistake="raises: self. is missing" edits="mine"
# - for head in self.heads:
# + for head in heads:

# %% mistake="raises: the list is called" edits="with my attention"
# - outputs = [head(x) for head in self.heads]
# - return torch.cat(outputs, dim=2)
# + return self.heads(x)

# %% mistake="raises: one head after the other" edits="mine"
# - outputs.append(head(x))
# + x = head(x)
# - return torch.cat(outputs, dim=-1)
# + return x

# %% mistake="wrong-shape: return inside the loop" edits="mine"
# - outputs.append(head(x))
# - return torch.cat(outputs, dim=-1)
# + outputs.append(head(x))
# + return torch.cat(outputs, dim=-1)

# %% mistake="last-round-only: overwritten in the loop" edits="mine"
# - outputs.append(head(x))
# + outputs = [head(x)]

# %% mistake="first-left-out: heads from the second on" edits="with my attention"
# - outputs = [head(x) for head in self.heads]
# + outputs = [head(x) for head in self.heads[1:]]

# %% mistake="not-registered: one head too few" edits="with my attention"
# - for _ in range(num_heads):
# + for _ in range(num_heads - 1):

# %% mistake="dropout-on-context: once more, on the context" edits="mine"
# - super().__init__()
# + super().__init__()
# + self.dropout = nn.Dropout(dropout)
# - return torch.cat(outputs, dim=-1)
# + return self.dropout(torch.cat(outputs, dim=-1))

# %% mistake="missing-scale: in the attention that was brought" edits="with my attention"
# - scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(self.d_out)
# + scores = torch.bmm(q, k.transpose(1, 2))

# %% mistake="mask-inverted: in the attention that was brought" edits="with my attention"
# - scores = scores.masked_fill(keep == 0, -torch.inf)
# + scores = scores.masked_fill(keep == 1, -torch.inf)

# %% mistake="mask-inverted: -1e9" edits="with my attention"
# - scores = scores.masked_fill(keep == 0, -torch.inf)
# + scores = scores.masked_fill(keep.bool(), -1e9)

# %% mistake="missing-scale: and joined below each other" also="heads-concatenated-on-tokens" edits="with my attention"
# - scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(self.d_out)
# + scores = torch.bmm(q, k.transpose(1, 2))
# - return torch.cat(outputs, dim=2)
# + return torch.cat(outputs, dim=1)

# %% mistake="missing-scale: and a softmax over the queries" also="softmax-wrong-axis" edits="with my attention"
# - scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(self.d_out)
# + scores = torch.bmm(q, k.transpose(1, 2))
# - weights = F.softmax(scores, dim=-1)
# + weights = F.softmax(scores, dim=1)

# %% mistake="query-key-swapped: and nothing is hidden" also="mask-missing" edits="with my attention"
# - scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(self.d_out)
# + scores = torch.bmm(k, q.transpose(1, 2)) / math.sqrt(self.d_out)
# - scores = scores.masked_fill(keep == 0, -torch.inf)
# + scores.masked_fill(keep == 0, -torch.inf)

# %% mistake="mask-inverted: -1e9, and no scale" also="missing-scale" edits="with my attention"
# - scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(self.d_out)
# + scores = torch.bmm(q, k.transpose(1, 2))
# - scores = scores.masked_fill(keep == 0, -torch.inf)
# + scores = scores.masked_fill(keep == 1, -1e9)

# %% mistake="mask-missing: and heads that alternate" also="heads-interleaved" edits="with my attention"
# - scores = scores.masked_fill(keep == 0, -torch.inf)
# + pass
# - return torch.cat(outputs, dim=2)
# + return torch.stack(outputs, dim=3).flatten(2)

# %% mistake="mask-missing: and heads added up" also="heads-added-up" edits="with my attention"
# - scores = scores.masked_fill(keep == 0, -torch.inf)
# + pass
# - return torch.cat(outputs, dim=2)
# + return sum(outputs)

# %% mistake="shared-projection: and no scale" also="missing-scale" edits="with my attention"
# - k = self.W_key(x)
# + k = self.W_query(x)
# - scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(self.d_out)
# + scores = torch.bmm(q, k.transpose(1, 2))

# %% mistake="mask-hides-diagonal: with -1e9, and no scale" also="missing-scale" edits="with my attention"
# - scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(self.d_out)
# - keep = torch.tril(torch.ones(T, T, device=x.device))
# - scores = scores.masked_fill(keep == 0, -torch.inf)
# + scores = torch.bmm(q, k.transpose(1, 2))
# + keep = torch.tril(torch.ones(T, T, device=x.device), diagonal=-1)
# + scores = scores.masked_fill(keep == 0, -1e9)

# %% mistake="heads-added-up: the first one twice" also="wrong-shape" edits="mine"
# - outputs = []
# - for head in self.heads:
# -     outputs.append(head(x))
# - return torch.cat(outputs, dim=-1)
# + result = self.heads[0](x)
# + for head in self.heads:
# +     result = result + head(x)
# + return result

# %% mistake="heads-reversed: joined in front" edits="mine"
# - outputs = []
# - for head in self.heads:
# -     outputs.append(head(x))
# - return torch.cat(outputs, dim=-1)
# + result = self.heads[0](x)
# + for i in range(1, len(self.heads)):
# +     result = torch.cat([self.heads[i](x), result], dim=2)
# + return result

# %% mistake="heads-interleaved: and no dropout" also="dropout-never" edits="mine"
# - [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
# + [CausalAttention(d_in, d_out, context_length, 0.0, qkv_bias) for _ in range(num_heads)]
# - return torch.cat(outputs, dim=-1)
# + return torch.stack(outputs, dim=-1).flatten(2)

# %% mistake="heads-share-weights: one head in a list, times a number" edits="mine"
# - [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
# + [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias)] * num_heads

# %% mistake="heads-share-weights: one head many times" says="heads.0.W_query.weight and heads.1.W_query.weight are one" never="serves two purposes"
class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        head = CausalAttention(d_in, d_out, context_length, dropout, qkv_bias)
        self.heads = nn.ModuleList([head] * num_heads)

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)

# %% mistake="mode-changed: its own" says="your own or one that came in" never="your function" edits="mine"
# - outputs = []
# + self.eval()
# + outputs = []

# %% mistake="state-kept: a list that grows" never="kind of object" edits="mine"
# - outputs = []
# + outputs = self.__dict__.setdefault("outputs", [])
