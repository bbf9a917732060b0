# %% setup
import sys
import warnings

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


# %% correct="textbook"
class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        heads = [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        self.heads = nn.ModuleList(heads)

    def forward(self, x):
        contexts = [head(x) for head in self.heads]
        return torch.cat(contexts, dim=-1)


# %% correct="appended one by one"
class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.num_heads, self.d_out = num_heads, d_out
        self.heads = nn.ModuleList()
        for _ in range(num_heads):
            self.heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias=qkv_bias))

    def forward(self, x):
        b, tokens, _ = x.shape
        result = torch.empty(b, tokens, self.num_heads * self.d_out, dtype=x.dtype, device=x.device)
        for i, head in enumerate(self.heads):
            result[:, :, i * self.d_out : (i + 1) * self.d_out] = head(x)
        return result


# %% correct="stacked and flattened"
class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        sizes = (d_in, d_out, context_length, dropout, qkv_bias)
        self.heads = nn.ModuleList(CausalAttention(*sizes) for _ in range(num_heads))

    def forward(self, x):
        return torch.stack([head(x) for head in self.heads], dim=2).flatten(start_dim=2)


# %% correct="all heads' layers in one product"
class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        parts = []
        for head in self.heads:
            scores = torch.einsum("bqd,bkd->bqk", head.W_query(x), head.W_key(x))
            ahead = torch.ones_like(scores[0]).triu(1) > 0
            scores = torch.where(ahead, -torch.inf, scores) / head.W_key.out_features**0.5
            parts.append(torch.einsum("bqk,bkd->bqd", head.dropout(F.softmax(scores, -1)), head.W_value(x)))
        return torch.concat(parts, 2)


# %% correct="prints, warns and shows progress" edits="textbook"
# - contexts = [head(x) for head in self.heads]
# + print("x", x.shape)
# + warnings.warn("several heads")
# + sys.stderr.write("\r 50%|#####     |")
# + contexts = [head(x) for head in self.heads]


# %% correct="heads by the logarithm of the sum"
class LogSumAttention(CausalAttention):
    def forward(self, x):
        n = x.shape[1]
        query, key, value = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = query @ key.transpose(1, 2) / key.shape[-1] ** 0.5
        scores = scores.masked_fill(self.mask[:n, :n], -torch.inf)
        return self.dropout((scores - scores.logsumexp(dim=-1, keepdim=True)).exp()) @ value


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            LogSumAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)
        )

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)


# %% mistake="heads-concatenated-on-tokens" also="wrong-shape" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return torch.cat(contexts, dim=1)

# %% mistake="heads-concatenated-on-tokens: as sentences" also="wrong-shape" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return torch.cat(contexts)

# %% mistake="heads-interleaved" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return torch.stack(contexts, dim=-1).flatten(start_dim=2)

# %% mistake="heads-reversed" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return torch.cat(contexts[::-1], dim=-1)

# %% mistake="heads-merged-without-transpose" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + b, tokens, d_out = contexts[0].shape
# + return torch.stack(contexts, dim=1).reshape(b, tokens, -1)

# %% mistake="batch-leak" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + b, tokens, d_out = contexts[0].shape
# + return torch.stack(contexts).reshape(b, tokens, -1)

# %% mistake="batch-leak: by view of the joined tokens" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + b, tokens, d_out = contexts[0].shape
# + return torch.cat(contexts, dim=0).view(tokens, b, -1).transpose(0, 1)

# %% mistake="heads-share-weights: the first head's context" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return torch.cat(contexts[:1] * len(contexts), dim=-1)

# %% mistake="heads-share-weights: the last head's context" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return torch.cat(contexts[-1:] * len(contexts), dim=-1)

# %% mistake="heads-added-up" also="wrong-shape" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return sum(contexts)

# %% mistake="heads-added-up: their mean" also="wrong-shape" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return torch.stack(contexts).mean(dim=0)

# %% mistake="wrong-shape: the heads on an axis of their own" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return torch.stack(contexts, dim=1)

# %% mistake="wrong-shape: the first head alone" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return contexts[0]

# %% mistake="result-transposed" also="wrong-shape" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return torch.cat(contexts, dim=-1).transpose(1, 2)

# %% mistake="residual-added: the first head's" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return torch.cat([contexts[0] + contexts[0], *contexts[1:]], dim=-1)

# %% mistake="softmax-unexpected" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return torch.softmax(torch.cat(contexts, dim=-1), dim=-1)

# %% mistake="wrong-type: a list" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return contexts

# %% mistake="wrong-type: a list of numbers" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return torch.cat(contexts, dim=-1).tolist()

# %% mistake="wrong-type: nothing returned" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + contexts = torch.cat(contexts, dim=-1)

# %% mistake="wrong-type: context and heads" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return torch.cat(contexts, dim=-1), contexts

# %% mistake="wrong-dtype" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return torch.cat(contexts, dim=-1).half()

# %% mistake="wrong-dtype: always float32" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return torch.cat(contexts, dim=-1).float()

# %% mistake="raises" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return torch.cat(*contexts, dim=-1)

# %% mistake="raises: a misspelled name" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return torch.cat(context, dim=-1)

# %% mistake="not-finite" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return torch.cat(contexts, dim=-1) / 0.0

# %% mistake="input-modified: after use" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + x.zero_()
# + return torch.cat(contexts, dim=-1)

# %% mistake="no-gradient" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return torch.cat(contexts, dim=-1).detach()

# %% mistake="no-gradient: new tensors" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return torch.cat([torch.tensor(one.tolist(), dtype=x.dtype, device=x.device) for one in contexts], dim=-1)

# %% mistake="no-gradient: one head is cut off" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return torch.cat([contexts[0].data, *contexts[1:]], dim=-1)

# %% mistake="raises: always two heads" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return torch.cat([contexts[0], contexts[1]], dim=-1)

# %% mistake="hard-coded: the printed numbers" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + rows = [[-0.4519, 0.2216, 0.4772, 0.1063], [-0.5874, 0.0058, 0.5891, 0.3257]]
# + rows += [[-0.6300, -0.0632, 0.6202, 0.3860], [-0.5675, -0.0843, 0.5478, 0.3589]]
# + rows += [[-0.5526, -0.0981, 0.5321, 0.3428], [-0.5299, -0.1081, 0.5077, 0.3493]]
# + return torch.tensor([rows, rows])

# %% mistake="unrecognized: divided by the number of heads" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return torch.cat(contexts, dim=-1) / len(contexts)

# %% mistake="unrecognized: the last token's context everywhere" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return torch.cat(contexts, dim=-1)[:, -1:].expand(-1, x.shape[1], -1)

# %% mistake="unrecognized: tokens in reverse" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return torch.cat(contexts, dim=-1).flip(1)

# %% mistake="heads-share-weights" edits="textbook"
# - heads = [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
# + heads = [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias)] * num_heads

# %% mistake="residual-added" edits="textbook"
# - contexts = [head(x) for head in self.heads]
# + contexts = [head(x) + head.W_value(x) for head in self.heads]

# %% mistake="missing-scale" edits="textbook"
# - contexts = [head(x) for head in self.heads]
# + contexts = [head(x) for head in self.heads]
# + for i, head in enumerate(self.heads):
# +     hidden = head.mask[: x.shape[1], : x.shape[1]]
# +     scores = (head.W_query(x) @ head.W_key(x).transpose(1, 2)).masked_fill(hidden, -torch.inf)
# +     contexts[i] = head.dropout(torch.softmax(scores, dim=-1)) @ head.W_value(x)

# %% mistake="raises: one head into the next" edits="textbook"
# - contexts = [head(x) for head in self.heads]
# - return torch.cat(contexts, dim=-1)
# + for head in self.heads:
# +     x = head(x)
# + return x

# %% mistake="raises: each head gets some of the features" edits="textbook"
# - contexts = [head(x) for head in self.heads]
# + contexts = [head(part) for head, part in zip(self.heads, x.chunk(len(self.heads), dim=-1))]

# %% mistake="unrecognized: each head gets some of the tokens" edits="textbook"
# - contexts = [head(x) for head in self.heads]
# - return torch.cat(contexts, dim=-1)
# + contexts = [head(x.roll(i, dims=1)) for i, head in enumerate(self.heads)]
# + return torch.cat(contexts, dim=-1)

# %% mistake="unrecognized: each head takes the one before into account" edits="textbook"
# - contexts = [head(x) for head in self.heads]
# + contexts = [self.heads[0](x)]
# + for head in self.heads[1:]:
# +     contexts.append(head(x) + contexts[-1])

# %% mistake="bias-ignored" also="not-registered" edits="textbook"
# - heads = [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
# + heads = [CausalAttention(d_in, d_out, context_length, dropout) for _ in range(num_heads)]

# %% mistake="bias-unexpected" edits="textbook"
# - heads = [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
# + heads = [CausalAttention(d_in, d_out, context_length, dropout, True) for _ in range(num_heads)]

# %% mistake="dropout-never" edits="textbook"
# - heads = [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
# + heads = [CausalAttention(d_in, d_out, context_length, 0.0, qkv_bias) for _ in range(num_heads)]

# %% mistake="dropout-wrong-rate" edits="textbook"
# - heads = [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
# + heads = [CausalAttention(d_in, d_out, context_length, 0.5, qkv_bias) for _ in range(num_heads)]

# %% mistake="dropout-in-eval" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + drop = self.heads[0].dropout.p
# + contexts = [F.dropout(one, drop) for one in contexts]
# + return torch.cat(contexts, dim=-1)

# %% mistake="dropout-on-context" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + drop = self.heads[0].dropout.p
# + contexts = [F.dropout(one, drop, self.training) for one in contexts]
# + return torch.cat(contexts, dim=-1)

# %% mistake="wrong-shape: a share of the width for each head" edits="textbook"
# - heads = [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
# + width = d_out // num_heads
# + heads = [CausalAttention(d_in, width, context_length, dropout, qkv_bias) for _ in range(num_heads)]

# %% mistake="wrong-shape: the whole width for each head" edits="textbook"
# - heads = [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
# + width = d_out * num_heads
# + heads = [CausalAttention(d_in, width, context_length, dropout, qkv_bias) for _ in range(num_heads)]

# %% mistake="not-registered" edits="textbook"
# - self.heads = nn.ModuleList(heads)
# + self.heads = heads

# %% mistake="not-registered: another name" edits="textbook"
# - self.heads = nn.ModuleList(heads)
# + self.attentions = nn.ModuleList(heads)
# - contexts = [head(x) for head in self.heads]
# + contexts = [head(x) for head in self.attentions]

# %% mistake="not-registered: one head too few" edits="textbook"
# - heads = [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
# + heads = [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(1, num_heads)]

# %% mistake="creation-order" edits="textbook"
# - heads = [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
# + heads = [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
# + heads = heads[::-1]

# %% mistake="setting-left" edits="textbook"
# - heads = [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
# + heads = []
# + for _ in range(num_heads):
# +     torch.manual_seed(123)
# +     heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias))

# %% mistake="raises: context_length and dropout exchanged" edits="textbook"
# - heads = [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
# + heads = [CausalAttention(d_in, d_out, dropout, context_length, qkv_bias) for _ in range(num_heads)]

# %% mistake="mask-missing: room for one token" edits="textbook"
# - heads = [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
# + heads = [CausalAttention(d_in, d_out, 1, dropout, qkv_bias) for _ in range(num_heads)]

# %% mistake="raises: no super().__init__()" edits="textbook"
# - super().__init__()
# + pass

# %% mistake="raises: an argument misspelled" edits="textbook"
# - def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
# + def __init__(self, d_in, d_out, context_length, dropout, n_heads, qkv_bias=False):
# - super().__init__()
# + super().__init__()
# + num_heads = n_heads

# %% mistake="raises: no room in forward for a batch" edits="textbook"
# - contexts = [head(x) for head in self.heads]
# + contexts = [torch.stack([head(one) for one in x]) for head in self.heads]

# %% mistake="forbidden-call" edits="textbook"
# - contexts = [head(x) for head in self.heads]
# + contexts = []
# + for head in self.heads:
# +     parts = (head.W_query(x), head.W_key(x), head.W_value(x))
# +     contexts.append(F.scaled_dot_product_attention(*parts, is_causal=True))

# %% mistake="input-modified" edits="textbook"
# - contexts = [head(x) for head in self.heads]
# + x -= x.mean(dim=1, keepdim=True)
# + contexts = [head(x) for head in self.heads]

# %% mistake="state-kept" edits="textbook"
# - contexts = [head(x) for head in self.heads]
# + if not hasattr(self, "first"):
# +     self.first = x
# + contexts = [head(self.first) for head in self.heads]

# %% mistake="not-implemented" edits="textbook"
# - contexts = [head(x) for head in self.heads]
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="not-defined" edits="textbook"
# - class MultiHeadAttentionWrapper(nn.Module):
# + class MultiHeadWrapper(nn.Module):

# %% mistake="syntax-error" edits="textbook"
# - contexts = [head(x) for head in self.heads]
# + contexts = [head(x) for head in self.heads

# %% mistake="wrong-type: no module" edits="textbook"
# - class MultiHeadAttentionWrapper(nn.Module):
# + class MultiHeadAttentionWrapper:

# %% mistake="too-slow" edits="textbook"
# - contexts = [head(x) for head in self.heads]
# + contexts = [head(x) for head in self.heads]
# + while contexts:
# +     contexts.append(x)
# +     contexts.pop()

# %% mistake="heads-added-up: in every place" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return sum(contexts).repeat(1, 1, len(contexts))

# %% mistake="heads-added-up: their mean, in every place" edits="textbook"
# - return torch.cat(contexts, dim=-1)
# + return torch.stack(contexts).mean(dim=0).repeat(1, 1, len(contexts))

# %% mistake="out-proj-unexpected" edits="textbook"
# - self.heads = nn.ModuleList(heads)
# + self.heads = nn.ModuleList(heads)
# + self.out_proj = nn.Linear(num_heads * d_out, num_heads * d_out)
# - return torch.cat(contexts, dim=-1)
# + return self.out_proj(torch.cat(contexts, dim=-1))

# %% mistake="out-proj-unexpected: without a bias" edits="textbook"
# - self.heads = nn.ModuleList(heads)
# + self.heads = nn.ModuleList(heads)
# + self.out_proj = nn.Linear(num_heads * d_out, num_heads * d_out, bias=False)
# - return torch.cat(contexts, dim=-1)
# + return self.out_proj(torch.cat(contexts, dim=-1))

# %% mistake="out-proj-unexpected: made before the heads" edits="textbook"
# - super().__init__()
# + super().__init__()
# + self.out_proj = nn.Linear(num_heads * d_out, num_heads * d_out)
# - return torch.cat(contexts, dim=-1)
# + return self.out_proj(torch.cat(contexts, dim=-1))

# %% mistake="out-proj-unexpected: back to one head's width" also="wrong-shape" edits="textbook"
# - self.heads = nn.ModuleList(heads)
# + self.heads = nn.ModuleList(heads)
# + self.out_proj = nn.Linear(num_heads * d_out, d_out)
# - return torch.cat(contexts, dim=-1)
# + return self.out_proj(torch.cat(contexts, dim=-1))


# %% correct="one step a line"
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, dropout, qkv_bias):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        tokens = x.shape[1]
        query = self.W_query(x)
        key = self.W_key(x)
        value = self.W_value(x)
        scores = query @ key.transpose(1, 2)
        scaled = scores / key.shape[-1] ** 0.5
        hidden = torch.ones(tokens, tokens, device=x.device).triu(diagonal=1).bool()
        masked = scaled.masked_fill(hidden, -torch.inf)
        weights = torch.softmax(masked, dim=-1)
        weights = self.dropout(weights)
        return weights @ value


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        sizes = (d_in, d_out, dropout, qkv_bias)
        self.heads = nn.ModuleList(CausalAttention(*sizes) for _ in range(num_heads))

    def forward(self, x):
        contexts = [head(x) for head in self.heads]
        return torch.cat(contexts, dim=-1)


# %% mistake="shared-projection" edits="one step a line"
# - key = self.W_key(x)
# + key = self.W_query(x)

# %% mistake="shared-projection: value from key" edits="one step a line"
# - value = self.W_value(x)
# + value = self.W_key(x)

# %% mistake="query-key-swapped" edits="one step a line"
# - scores = query @ key.transpose(1, 2)
# + scores = key @ query.transpose(1, 2)

# %% mistake="missing-scale: a step" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores

# %% mistake="scale-by-dk" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1]

# %% mistake="scale-by-model-width" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / x.shape[-1] ** 0.5

# %% mistake="mask-inverted: with a large number" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled.masked_fill(~hidden, -1e9)

# %% mistake="mask-inverted" also="not-finite" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled.masked_fill(~hidden, -torch.inf)

# %% mistake="mask-inverted: a token sees itself" edits="one step a line"
# - hidden = torch.ones(tokens, tokens, device=x.device).triu(diagonal=1).bool()
# + hidden = torch.ones(tokens, tokens, device=x.device).tril(diagonal=-1).bool()

# %% mistake="mask-missing" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled

# %% mistake="mask-looks-ahead" edits="one step a line"
# - hidden = torch.ones(tokens, tokens, device=x.device).triu(diagonal=1).bool()
# + hidden = torch.ones(tokens, tokens, device=x.device).triu(diagonal=2).bool()

# %% mistake="mask-hides-diagonal: with a large number" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled.masked_fill(torch.ones_like(hidden).triu(), -1e9)

# %% mistake="mask-hides-diagonal" also="not-finite" edits="one step a line"
# - hidden = torch.ones(tokens, tokens, device=x.device).triu(diagonal=1).bool()
# + hidden = torch.ones(tokens, tokens, device=x.device).triu().bool()

# %% mistake="mask-zero-not-inf" edits="one step a line"
# - masked = scaled.masked_fill(hidden, -torch.inf)
# + masked = scaled.masked_fill(hidden, 0.0)

# %% mistake="mask-after-softmax" edits="one step a line"
# - weights = torch.softmax(masked, dim=-1)
# + weights = torch.softmax(scaled, dim=-1).masked_fill(hidden, 0.0)

# %% mistake="softmax-wrong-axis" edits="one step a line"
# - weights = torch.softmax(masked, dim=-1)
# + weights = torch.softmax(masked, dim=1)

# %% mistake="softmax-wrong-axis: over the batch" also="not-finite" edits="one step a line"
# - weights = torch.softmax(masked, dim=-1)
# + weights = torch.softmax(masked, dim=0)

# %% mistake="heads-concatenated-on-tokens: a step" also="wrong-shape" edits="one step a line"
# - return torch.cat(contexts, dim=-1)
# + return torch.cat(contexts, dim=1)

# %% mistake="heads-interleaved: a step" edits="one step a line"
# - return torch.cat(contexts, dim=-1)
# + return torch.stack(contexts, dim=-1).flatten(start_dim=2)

# %% mistake="heads-merged-without-transpose: a step" edits="one step a line"
# - return torch.cat(contexts, dim=-1)
# + return torch.stack(contexts, dim=1).reshape(*x.shape[:2], -1)

# %% mistake="heads-added-up: a step" also="wrong-shape" edits="one step a line"
# - return torch.cat(contexts, dim=-1)
# + return sum(contexts)

# %% mistake="heads-share-weights: a step" edits="one step a line"
# - contexts = [head(x) for head in self.heads]
# + contexts = [self.heads[0](x) for head in self.heads]

# %% mistake="heads-added-up: the first one twice" also="wrong-shape" edits="textbook"
# - contexts = [head(x) for head in self.heads]
# - return torch.cat(contexts, dim=-1)
# + contexts = [head(x) for head in [self.heads[0], *self.heads]]
# + return sum(contexts)
