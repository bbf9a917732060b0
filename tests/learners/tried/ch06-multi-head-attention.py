# %% setup
import math

import torch
import torch.nn.functional as F
from torch import nn

# %% correct="mine"
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
        self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length)))

    def forward(self, x):
        b, T, d = x.shape
        q = self.W_query(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.W_key(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.W_value(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
        scores = scores.masked_fill(self.mask[:T, :T] == 0, float("-inf"))
        attn = F.softmax(scores, dim=-1)
        attn = self.dropout(attn)
        out = attn @ v
        out = out.transpose(1, 2).reshape(b, T, self.d_out)
        return self.out_proj(out)

# %% correct="head by head"
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out must be divisible by num_heads")
        self.d_out, self.num_heads, self.head_dim = d_out, num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        T, w = x.shape[1], self.head_dim
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        future = torch.triu(torch.ones(T, T, device=x.device), diagonal=1) == 1
        heads = []
        for h in range(self.num_heads):
            q = queries[..., h * w : (h + 1) * w]
            k = keys[..., h * w : (h + 1) * w]
            v = values[..., h * w : (h + 1) * w]
            scores = torch.matmul(q, k.mT)
            scores = scores.masked_fill(future, -torch.inf)
            weights = self.dropout((scores / w**0.5).softmax(-1))
            heads.append(weights @ v)
        return self.out_proj(torch.cat(heads, dim=-1))

# %% mistake="heads-not-transposed: no transpose, the shape at once" edits="mine"
# - q = self.W_query(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# - k = self.W_key(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# - v = self.W_value(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# + q = self.W_query(x).view(b, self.num_heads, T, self.head_dim)
# + k = self.W_key(x).view(b, self.num_heads, T, self.head_dim)
# + v = self.W_value(x).view(b, self.num_heads, T, self.head_dim)

# %% mistake="reshape-not-transpose: transposed before the reshape" edits="mine"
# - q = self.W_query(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# - k = self.W_key(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# - v = self.W_value(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# + q = self.W_query(x).transpose(1, 2).reshape(b, self.num_heads, T, self.head_dim)
# + k = self.W_key(x).transpose(1, 2).reshape(b, self.num_heads, T, self.head_dim)
# + v = self.W_value(x).transpose(1, 2).reshape(b, self.num_heads, T, self.head_dim)

# %% mistake="reshape-not-transpose: transposed before the reshape, then back" edits="mine"
# - q = self.W_query(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# - k = self.W_key(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# - v = self.W_value(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# + q = self.W_query(x).transpose(1, 2).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# + k = self.W_key(x).transpose(1, 2).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# + v = self.W_value(x).transpose(1, 2).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)

# %% mistake="reshape-not-transpose: merged with the last two axes exchanged" edits="mine"
# - out = out.transpose(1, 2).reshape(b, T, self.d_out)
# + out = out.transpose(2, 3).reshape(b, T, self.d_out)

# %% mistake="heads-merged-without-transpose: view at once" edits="mine"
# - out = out.transpose(1, 2).reshape(b, T, self.d_out)
# + out = out.contiguous().view(b, T, self.d_out)

# %% mistake="heads-interleaved: width before heads" edits="mine"
# - q = self.W_query(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# - k = self.W_key(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# - v = self.W_value(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# + q = self.W_query(x).reshape(b, T, self.head_dim, self.num_heads).permute(0, 3, 1, 2)
# + k = self.W_key(x).reshape(b, T, self.head_dim, self.num_heads).permute(0, 3, 1, 2)
# + v = self.W_value(x).reshape(b, T, self.head_dim, self.num_heads).permute(0, 3, 1, 2)

# %% mistake="heads-added-up: summed, and told to be as wide" edits="mine"
# - out = out.transpose(1, 2).reshape(b, T, self.d_out)
# + out = out.sum(dim=1).repeat(1, 1, self.num_heads)

# %% mistake="heads-added-up: the mean of the heads, repeated" edits="mine"
# - out = out.transpose(1, 2).reshape(b, T, self.d_out)
# + out = out.mean(dim=1).repeat(1, 1, self.num_heads)

# %% mistake="raises: the sum of the heads is too narrow" edits="mine"
# - out = out.transpose(1, 2).reshape(b, T, self.d_out)
# + out = out.sum(dim=1)

# %% mistake="wrong-shape: the mean of the heads, an output projection for it" edits="mine"
# - self.out_proj = nn.Linear(d_out, d_out)
# + self.out_proj = nn.Linear(self.head_dim, d_out)
# - out = out.transpose(1, 2).reshape(b, T, self.d_out)
# + out = out.mean(dim=1)

# %% mistake="creation-order: key, query, value" edits="mine"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

# %% mistake="query-key-swapped: the names in another order" edits="head by head"
# - queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
# + keys, queries, values = self.W_query(x), self.W_key(x), self.W_value(x)

# %% mistake="mask-inverted: minus infinity" edits="mine"
# - scores = scores.masked_fill(self.mask[:T, :T] == 0, float("-inf"))
# + scores = scores.masked_fill(self.mask[:T, :T] == 1, float("-inf"))

# %% mistake="mask-inverted: -1e9" edits="mine"
# - scores = scores.masked_fill(self.mask[:T, :T] == 0, float("-inf"))
# + scores = scores.masked_fill(self.mask[:T, :T].bool(), -1e9)

# %% mistake="mask-inverted: -1e20, in the loop" edits="head by head"
# - scores = scores.masked_fill(future, -torch.inf)
# + scores = scores.masked_fill(~future, -1e20)

# %% mistake="mask-inverted: the diagonal is right" edits="head by head"
# - future = torch.triu(torch.ones(T, T, device=x.device), diagonal=1) == 1
# + future = torch.triu(torch.ones(T, T, device=x.device)) == 0

# %% mistake="mask-missing: masked_fill is not kept" edits="mine"
# - scores = scores.masked_fill(self.mask[:T, :T] == 0, float("-inf"))
# + scores.masked_fill(self.mask[:T, :T] == 0, float("-inf"))

# %% mistake="mask-not-sliced: rows alone" edits="mine"
# - scores = scores.masked_fill(self.mask[:T, :T] == 0, float("-inf"))
# + scores = scores.masked_fill(self.mask[:T] == 0, float("-inf"))

# %% mistake="mask-zero-not-inf: multiplied by the triangle" edits="mine"
# - scores = scores.masked_fill(self.mask[:T, :T] == 0, float("-inf"))
# + scores = scores * self.mask[:T, :T]

# %% mistake="mask-after-softmax: multiplied by the triangle" edits="mine"
# - scores = scores.masked_fill(self.mask[:T, :T] == 0, float("-inf"))
# - attn = F.softmax(scores, dim=-1)
# + attn = F.softmax(scores, dim=-1) * self.mask[:T, :T]

# %% mistake="mask-after-softmax: and divided by the sums" also="not-finite" edits="mine"
# - scores = scores.masked_fill(self.mask[:T, :T] == 0, float("-inf"))
# - attn = F.softmax(scores, dim=-1)
# + attn = F.softmax(scores, dim=-1) * self.mask[:T, :T]
# + attn = attn / attn.sum(dim=-1, keepdim=True)

# %% mistake="scale-by-model-width: all heads together" edits="head by head"
# - weights = self.dropout((scores / w**0.5).softmax(-1))
# + weights = self.dropout((scores / self.d_out**0.5).softmax(-1))

# %% mistake="scale-wrong-power: to the fifth" edits="head by head" never="hard-coded"
# - weights = self.dropout((scores / w**0.5).softmax(-1))
# + weights = self.dropout((scores / w**5).softmax(-1))

# %% mistake="scale-wrong-power: half of it" edits="mine"
# - scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
# + scores = q @ k.transpose(-2, -1) / (self.head_dim * 0.5)

# %% mistake="softmax-wrong-axis: over the queries" edits="mine"
# - attn = F.softmax(scores, dim=-1)
# + attn = F.softmax(scores, dim=2)

# %% mistake="softmax-wrong-axis: over the heads" edits="mine"
# - attn = F.softmax(scores, dim=-1)
# + attn = F.softmax(scores, dim=1)

# %% mistake="not-finite: dropout a line too early, on minus infinity" edits="mine"
# - attn = F.softmax(scores, dim=-1)
# - attn = self.dropout(attn)
# + scores = self.dropout(scores)
# + attn = F.softmax(scores, dim=-1)

# %% mistake="dropout-never: only made" edits="mine"
# - attn = self.dropout(attn)

# %% mistake="dropout-in-eval: a function of the library" edits="mine"
# - attn = self.dropout(attn)
# + attn = F.dropout(attn, self.dropout.p)

# %% mistake="dropout-wrong-rate: a number of the example" edits="mine"
# - attn = self.dropout(attn)
# + attn = F.dropout(attn, 0.25)

# %% mistake="dropout-before-softmax: before the mask, too" edits="mine"
# - scores = scores.masked_fill(self.mask[:T, :T] == 0, float("-inf"))
# + scores = self.dropout(scores)
# + scores = scores.masked_fill(self.mask[:T, :T] == 0, float("-inf"))
# - attn = self.dropout(attn)

# %% mistake="missing-out-proj: forgotten in forward" edits="mine"
# - return self.out_proj(out)
# + return out

# %% mistake="missing-out-proj: forgotten everywhere" also="not-registered" edits="head by head"
# - self.out_proj = nn.Linear(d_out, d_out)
# + pass
# - return self.out_proj(torch.cat(heads, dim=-1))
# + return torch.cat(heads, dim=-1)

# %% mistake="not-registered: self. is missing" edits="mine"
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# + W_key = nn.Linear(d_in, d_out, bias=qkv_bias)

# %% mistake="raises: self. is missing in forward" edits="mine"
# - return self.out_proj(out)
# + return out_proj(out)

# %% mistake="raises: the width of a head without self." edits="mine"
# - scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
# + scores = q @ k.transpose(-2, -1) / math.sqrt(head_dim)

# %% mistake="not-registered: one layer for three" edits="mine"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)
# - q = self.W_query(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# - k = self.W_key(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# - v = self.W_value(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# + qkv = self.W_qkv(x).reshape(b, T, 3, self.num_heads, self.head_dim)
# + q, k, v = qkv.permute(2, 0, 3, 1, 4)

# %% mistake="shared-projection: a copied line" edits="mine"
# - v = self.W_value(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# + v = self.W_key(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)

# %% mistake="heads-share-weights: the first columns for every head" edits="head by head"
# - q = queries[..., h * w : (h + 1) * w]
# - k = keys[..., h * w : (h + 1) * w]
# - v = values[..., h * w : (h + 1) * w]
# + q = queries[..., :w]
# + k = keys[..., :w]
# + v = values[..., :w]

# %% mistake="raises: tokens and heads are exchanged back" edits="mine"
# - scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
# + scores = q @ k.transpose(1, 2) / math.sqrt(self.head_dim)

# %% mistake="raises: a width with a point" edits="mine"
# - self.head_dim = d_out // num_heads
# + self.head_dim = d_out / num_heads

# %% mistake="wrong-exception: nothing is refused" edits="mine"
# - if d_out % num_heads != 0:
# -     raise ValueError("d_out must be divisible by num_heads")

# %% mistake="bias-unexpected: qkv_bias is forgotten" edits="mine"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = nn.Linear(d_in, d_out)
# + self.W_key = nn.Linear(d_in, d_out)
# + self.W_value = nn.Linear(d_in, d_out)

# %% mistake="wrong-type: the weights beside it" edits="mine"
# - return self.out_proj(out)
# + return self.out_proj(out), attn

# %% mistake="raises: return inside the loop" edits="head by head"
# - heads.append(weights @ v)
# - return self.out_proj(torch.cat(heads, dim=-1))
# + heads.append(weights @ v)
# + return self.out_proj(torch.cat(heads, dim=-1))

# %% mistake="raises: heads below each other" edits="head by head"
# - return self.out_proj(torch.cat(heads, dim=-1))
# + return self.out_proj(torch.cat(heads, dim=1))

# %% mistake="missing-scale: and a softmax over the queries" also="softmax-wrong-axis" edits="head by head"
# - weights = self.dropout((scores / w**0.5).softmax(-1))
# + weights = self.dropout(scores.softmax(1))

# %% mistake="mask-inverted: -1e9, and no scale" also="missing-scale" edits="mine"
# - scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
# - scores = scores.masked_fill(self.mask[:T, :T] == 0, float("-inf"))
# + scores = q @ k.transpose(-2, -1)
# + scores = scores.masked_fill(self.mask[:T, :T] == 1, -1e9)

# %% mistake="mask-inverted: minus infinity, and all heads' width" also="scale-by-model-width" edits="head by head"
# - scores = scores.masked_fill(future, -torch.inf)
# - weights = self.dropout((scores / w**0.5).softmax(-1))
# + scores = scores.masked_fill(~future, -torch.inf)
# + weights = self.dropout((scores / self.d_out**0.5).softmax(-1))

# %% mistake="query-key-swapped: and nothing is hidden" also="mask-missing" edits="head by head"
# - scores = torch.matmul(q, k.mT)
# - scores = scores.masked_fill(future, -torch.inf)
# + scores = torch.matmul(k, q.mT)

# %% mistake="missing-scale: and no output projection" also="missing-out-proj" edits="mine"
# - scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
# + scores = q @ k.transpose(-2, -1)
# - return self.out_proj(out)
# + return out

# %% mistake="heads-not-transposed: and no scale" also="missing-scale" edits="mine"
# - q = self.W_query(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# - k = self.W_key(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# - v = self.W_value(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# + q = self.W_query(x).view(b, self.num_heads, T, self.head_dim)
# + k = self.W_key(x).view(b, self.num_heads, T, self.head_dim)
# + v = self.W_value(x).view(b, self.num_heads, T, self.head_dim)
# - scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
# + scores = q @ k.transpose(-2, -1)

# %% mistake="heads-merged-without-transpose: and nothing is hidden" also="mask-missing" edits="mine"
# - scores = scores.masked_fill(self.mask[:T, :T] == 0, float("-inf"))
# + pass
# - out = out.transpose(1, 2).reshape(b, T, self.d_out)
# + out = out.reshape(b, T, self.d_out)

# %% mistake="missing-out-proj: and no mask" also="mask-missing" edits="head by head"
# - scores = scores.masked_fill(future, -torch.inf)
# + scores.masked_fill(future, -torch.inf)
# - return self.out_proj(torch.cat(heads, dim=-1))
# + return torch.cat(heads, dim=-1)

# %% mistake="scale-by-model-width: and the keys are queries" also="shared-projection" edits="mine"
# - k = self.W_key(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# + k = self.W_query(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# - scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
# + scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_out)

# %% mistake="missing-scale: and dropout is only made" edits="mine"
# - scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
# + scores = q @ k.transpose(-2, -1)
# - attn = self.dropout(attn)

# %% mistake="mask-hides-diagonal: with -1e9, and a softmax over the queries" also="softmax-wrong-axis" edits="head by head"
# - future = torch.triu(torch.ones(T, T, device=x.device), diagonal=1) == 1
# + future = torch.triu(torch.ones(T, T, device=x.device)) == 1
# - scores = scores.masked_fill(future, -torch.inf)
# - weights = self.dropout((scores / w**0.5).softmax(-1))
# + scores = scores.masked_fill(future, -1e9)
# + weights = self.dropout((scores / w**0.5).softmax(-2))

# %% mistake="heads-added-up: and no scale" also="missing-scale" edits="mine"
# - scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
# + scores = q @ k.transpose(-2, -1)
# - out = out.transpose(1, 2).reshape(b, T, self.d_out)
# + out = out.sum(dim=1).repeat(1, 1, self.num_heads)

# %% correct="written into zeros"
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("no")
        self.d_out, self.num_heads, self.head_dim = d_out, num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        b, T, _ = x.shape
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        out = torch.zeros(b, T, self.d_out, dtype=x.dtype)
        for i in range(self.num_heads):
            lo = i * self.head_dim
            hi = lo + self.head_dim
            qi, ki, vi = q[:, :, lo:hi], k[:, :, lo:hi], v[:, :, lo:hi]
            s = qi @ ki.transpose(1, 2) / self.head_dim**0.5
            s = s.masked_fill(self.mask[:T, :T], -torch.inf)
            out[:, :, lo:hi] = self.dropout(torch.softmax(s, dim=-1)) @ vi
        return self.out_proj(out)

# %% mistake="slices-misplaced: i for i * head_dim" edits="written into zeros"
# - lo = i * self.head_dim
# + lo = i

# %% mistake="last-left-out: range(num_heads - 1)" edits="written into zeros"
# - for i in range(self.num_heads):
# + for i in range(self.num_heads - 1):

# %% mistake="raises: zeros in float32" edits="written into zeros"
# - out = torch.zeros(b, T, self.d_out, dtype=x.dtype)
# + out = torch.zeros(b, T, self.d_out)

# %% mistake="heads-meet-heads: no transpose anywhere" also="raises" never="pours" edits="mine"
# - q = self.W_query(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# - k = self.W_key(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# - v = self.W_value(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# + q = self.W_query(x).reshape(b, T, self.num_heads, self.head_dim)
# + k = self.W_key(x).reshape(b, T, self.num_heads, self.head_dim)
# + v = self.W_value(x).reshape(b, T, self.num_heads, self.head_dim)
# - out = out.transpose(1, 2).reshape(b, T, self.d_out)
# + out = out.reshape(b, T, self.d_out)

# %% mistake="heads-meet-heads: no transpose in the split" also="raises" never="pours" edits="mine"
# - q = self.W_query(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# - k = self.W_key(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# - v = self.W_value(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# + q = self.W_query(x).reshape(b, T, self.num_heads, self.head_dim)
# + k = self.W_key(x).reshape(b, T, self.num_heads, self.head_dim)
# + v = self.W_value(x).reshape(b, T, self.num_heads, self.head_dim)

# %% mistake="another-number-of-heads: width and heads exchanged" edits="mine"
# - q = self.W_query(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# - k = self.W_key(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# - v = self.W_value(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# + q = self.W_query(x).reshape(b, T, self.head_dim, self.num_heads).transpose(1, 2)
# + k = self.W_key(x).reshape(b, T, self.head_dim, self.num_heads).transpose(1, 2)
# + v = self.W_value(x).reshape(b, T, self.head_dim, self.num_heads).transpose(1, 2)

# %% mistake="mask-zero-not-inf: multiplied, and no scale" also="missing-scale" edits="mine"
# - scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
# - scores = scores.masked_fill(self.mask[:T, :T] == 0, float("-inf"))
# + scores = q @ k.transpose(-2, -1) * self.mask[:T, :T]

# %% mistake="heads-interleaved: and no scale" also="missing-scale" edits="mine"
# - q = self.W_query(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# - k = self.W_key(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# - v = self.W_value(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# - scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
# + q = self.W_query(x).reshape(b, T, self.head_dim, self.num_heads).permute(0, 3, 1, 2)
# + k = self.W_key(x).reshape(b, T, self.head_dim, self.num_heads).permute(0, 3, 1, 2)
# + v = self.W_value(x).reshape(b, T, self.head_dim, self.num_heads).permute(0, 3, 1, 2)
# + scores = q @ k.transpose(-2, -1)

# %% mistake="heads-not-transposed: and scaled by d_out" also="scale-by-model-width" edits="mine"
# - q = self.W_query(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# - k = self.W_key(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# - v = self.W_value(x).reshape(b, T, self.num_heads, self.head_dim).transpose(1, 2)
# - scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
# + q = self.W_query(x).view(b, self.num_heads, T, self.head_dim)
# + k = self.W_key(x).view(b, self.num_heads, T, self.head_dim)
# + v = self.W_value(x).view(b, self.num_heads, T, self.head_dim)
# + scores = q @ k.transpose(-2, -1) / self.d_out**0.5

# %% mistake="scale-by-dk: and dropout on the result" edits="mine"
# - scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
# + scores = q @ k.transpose(-2, -1) / self.head_dim
# - attn = self.dropout(attn)
# + pass
# - return self.out_proj(out)
# + return self.dropout(self.out_proj(out))

# %% correct="its own softmax, large scores lowered alone" edits="mine"
# - attn = F.softmax(scores, dim=-1)
# + largest = scores.amax(-1, keepdim=True).detach()
# + largest = torch.where(largest.abs() > 80, largest, torch.zeros_like(largest))
# + powers = torch.exp(scores - largest)
# + attn = powers / powers.sum(-1, keepdim=True)

# %% mistake="argument-unused: a context that is never filled" never="Kept and dropped|Dropout comes" edits="mine"
# - out = attn @ v
# + out = torch.zeros_like(v)

# %% mistake="argument-unused: scores that are all alike" never="Kept and dropped|Dropout comes" edits="mine"
# - attn = F.softmax(scores, dim=-1)
# + attn = F.softmax(self.mask[:T, :T].log().expand_as(scores), dim=-1)

# %% mistake="mask-zero-not-inf: ones are taken off" never="Nothing hides" edits="mine"
# - scores = scores.masked_fill(self.mask[:T, :T] == 0, float("-inf"))
# + scores = scores - (1 - self.mask[:T, :T])

# %% mistake="forbidden-call: beside its own" never="training=True" edits="mine"
# - b, T, d = x.shape
# + b, T, d = x.shape
# + made = nn.MultiheadAttention(d, 1, batch_first=True).to(x)
# + x = x + 0 * made(x, x, x)[0]

# %% mistake="mask-missing: thrown away, then scaled" never="masked scores; none" edits="mine"
# - scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
# - scores = scores.masked_fill(self.mask[:T, :T] == 0, float("-inf"))
# + scores = q @ k.transpose(-2, -1)
# + scores.masked_fill(self.mask[:T, :T] == 0, float("-inf"))
# + scores = scores / math.sqrt(self.head_dim)
