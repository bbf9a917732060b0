# %% setup
import math

import torch
from torch import nn

# %% mistake="raises: forward is misspelled" says="letter by letter" never="Not written yet|stub"
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def foward(self, x):
        query, key, value = self.W_query(x), self.W_key(x), self.W_value(x)
        weights = torch.softmax(query @ key.T / key.shape[-1] ** 0.5, dim=-1)
        return weights @ value

# %% mistake="raises: an error that PyTorch raises, far below the learner's line" says="in forward: weights = " never="_VF.py|functional.py|in einsum"
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        query, key, value = self.W_query(x), self.W_key(x), self.W_value(x)
        weights = torch.softmax(torch.einsum('td,sd->ts', query) / key.shape[-1] ** 0.5, dim=-1)
        return weights @ value

# %% mistake="not-registered: the layer that is called is a list" never="Not written yet|stub"
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.ModuleList([])

    def forward(self, x):
        query, key, value = self.W_query(x), self.W_key(x), self.W_value(x)
        weights = torch.softmax(query @ key.T / key.shape[-1] ** 0.5, dim=-1)
        return weights @ value

# %% mistake="bias-ignored: qkv_bias is forgotten" also="not-registered" never="counts parts"
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        query, key, value = self.W_query(x), self.W_key(x), self.W_value(x)
        weights = torch.softmax(query @ key.T / key.shape[-1] ** 0.5, dim=-1)
        return weights @ value

# %% mistake="not-registered: another name" says="no parameter named W_query|letter by letter" never="counts parts"
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        query, key, value = self.W_q(x), self.W_key(x), self.W_value(x)
        weights = torch.softmax(query @ key.T / key.shape[-1] ** 0.5, dim=-1)
        return weights @ value

# %% mistake="bias-unexpected: a bias too many" says="a bias that is not asked for" never="not registered under"
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=True)
        self.W_key = nn.Linear(d_in, d_out, bias=True)
        self.W_value = nn.Linear(d_in, d_out, bias=True)

    def forward(self, x):
        query, key, value = self.W_query(x), self.W_key(x), self.W_value(x)
        weights = torch.softmax(query @ key.T / key.shape[-1] ** 0.5, dim=-1)
        return weights @ value

# %% correct="mine"
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        q = self.W_query(x)
        k = self.W_key(x)
        v = self.W_value(x)
        dots = torch.matmul(q, k.T)
        dots = dots / math.sqrt(q.shape[-1])
        alpha = torch.softmax(dots, dim=-1)
        z = torch.matmul(alpha, v)
        return z

# %% correct="with sums"
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        dots = (q[:, None, :] * k[None, :, :]).sum(dim=2)
        dots = dots * k.shape[1] ** -0.5
        e = torch.exp(dots - dots.amax(dim=1, keepdim=True))
        alpha = e / e.sum(dim=1, keepdim=True)
        return torch.einsum("ij,jd->id", alpha, v)

# %% mistake="raises: times a layer" says="A linear layer is called" edits="mine"
# - q = self.W_query(x)
# - k = self.W_key(x)
# - v = self.W_value(x)
# + q = x @ self.W_query
# + k = x @ self.W_key
# + v = x @ self.W_value

# %% mistake="weight-not-transposed: times the weight" edits="mine"
# - q = self.W_query(x)
# - k = self.W_key(x)
# - v = self.W_value(x)
# + q = x @ self.W_query.weight
# + k = x @ self.W_key.weight
# + v = x @ self.W_value.weight

# %% mistake="bias-ignored: the weights alone" edits="mine"
# - q = self.W_query(x)
# - k = self.W_key(x)
# - v = self.W_value(x)
# + q = x @ self.W_query.weight.T
# + k = x @ self.W_key.weight.T
# + v = x @ self.W_value.weight.T

# %% mistake="bias-unexpected: not given" edits="mine"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = nn.Linear(d_in, d_out)
# + self.W_key = nn.Linear(d_in, d_out)
# + self.W_value = nn.Linear(d_in, d_out)

# %% mistake="wrong-shape: the widths exchanged" edits="mine"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = nn.Linear(d_out, d_in, bias=qkv_bias)
# + self.W_key = nn.Linear(d_out, d_in, bias=qkv_bias)
# + self.W_value = nn.Linear(d_out, d_in, bias=qkv_bias)

# %% mistake="raises: a parameter of a layer" never="A linear layer is called like" edits="mine"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = nn.Parameter(nn.Linear(d_in, d_out, bias=qkv_bias))
# + self.W_key = nn.Parameter(nn.Linear(d_in, d_out, bias=qkv_bias))
# + self.W_value = nn.Parameter(nn.Linear(d_in, d_out, bias=qkv_bias))

# %% mistake="not-registered: bare matrices" edits="mine"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# - q = self.W_query(x)
# - k = self.W_key(x)
# - v = self.W_value(x)
# + q = x @ self.W_query
# + k = x @ self.W_key
# + v = x @ self.W_value

# %% mistake="shared-projection: one layer under three names" edits="mine"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + layer = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = layer
# + self.W_key = layer
# + self.W_value = layer

# %% mistake="raises: self. is missing in forward" says="needs self." edits="mine"
# - q = self.W_query(x)
# - k = self.W_key(x)
# - v = self.W_value(x)
# + q = W_query(x)
# + k = W_key(x)
# + v = W_value(x)

# %% mistake="missing-scale: forgotten" edits="mine"
# - dots = torch.matmul(q, k.T)
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = torch.matmul(q, k.T)

# %% mistake="not-registered: a bias by hand" edits="mine"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = nn.Linear(d_in, d_out, bias=False)
# + self.W_key = nn.Linear(d_in, d_out, bias=False)
# + self.W_value = nn.Linear(d_in, d_out, bias=False)
# + if qkv_bias:
# +     self.b_q = nn.Parameter(torch.zeros(d_out))
# +     self.b_k = nn.Parameter(torch.zeros(d_out))
# +     self.b_v = nn.Parameter(torch.zeros(d_out))

# %% mistake="scale-by-tokens: len of the input" edits="mine"
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots / len(x) ** 0.5

# %% mistake="values-not-projected: the tokens are mixed" edits="mine"
# - z = torch.matmul(alpha, v)
# + z = torch.matmul(alpha, x)

# %% mistake="one-token-only: the token of the worked example" edits="mine"
# - q = self.W_query(x)
# + q = self.W_query(x[1])

# %% mistake="scale-by-spread: their standard deviation" edits="mine"
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots / dots.std()

# %% mistake="shared-projection: the value from the query" edits="mine"
# - v = self.W_value(x)
# + v = self.W_query(x)

# %% mistake="bias-unexpected: and no scale" also="missing-scale" edits="mine"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = nn.Linear(d_in, d_out)
# + self.W_key = nn.Linear(d_in, d_out)
# + self.W_value = nn.Linear(d_in, d_out)
# - dots = torch.matmul(q, k.T)
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = torch.matmul(q, k.T)

# %% mistake="bias-ignored: and no scale" also="missing-scale" edits="mine"
# - q = self.W_query(x)
# - k = self.W_key(x)
# - v = self.W_value(x)
# + q = x @ self.W_query.weight.T
# + k = x @ self.W_key.weight.T
# + v = x @ self.W_value.weight.T
# - dots = torch.matmul(q, k.T)
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = torch.matmul(q, k.T)

# %% mistake="missing-scale: and columns" also="softmax-wrong-axis" edits="with sums"
# - dots = dots * k.shape[1] ** -0.5
# - e = torch.exp(dots - dots.amax(dim=1, keepdim=True))
# - alpha = e / e.sum(dim=1, keepdim=True)
# + e = torch.exp(dots - dots.amax(dim=0))
# + alpha = e / e.sum(dim=0)

# %% mistake="missing-scale: and swapped" also="query-key-swapped" edits="with sums"
# - dots = (q[:, None, :] * k[None, :, :]).sum(dim=2)
# - dots = dots * k.shape[1] ** -0.5
# + dots = (k[:, None, :] * q[None, :, :]).sum(dim=2)

# %% mistake="scale-by-dk: and columns" also="softmax-wrong-axis" edits="with sums"
# - dots = dots * k.shape[1] ** -0.5
# - e = torch.exp(dots - dots.amax(dim=1, keepdim=True))
# - alpha = e / e.sum(dim=1, keepdim=True)
# + dots = dots / k.shape[1]
# + e = torch.exp(dots - dots.amax(dim=0))
# + alpha = e / e.sum(dim=0)

# %% mistake="weights-transposed: swapped and a softmax over columns, which is the same" edits="mine"
# - dots = torch.matmul(q, k.T)
# + dots = torch.matmul(k, q.T)
# - alpha = torch.softmax(dots, dim=-1)
# + alpha = torch.softmax(dots, dim=0)

# %% mistake="missing-scale: and overflows" also="unstable-softmax" edits="with sums"
# - dots = dots * k.shape[1] ** -0.5
# - e = torch.exp(dots - dots.amax(dim=1, keepdim=True))
# + e = torch.exp(dots)

# %% mistake="missing-scale: and the query is used for the key" also="shared-projection" edits="mine"
# - k = self.W_key(x)
# + k = self.W_query(x)
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots * 1.0

# %% mistake="missing-scale: and the values are the tokens" also="values-not-projected" edits="with sums"
# - dots = dots * k.shape[1] ** -0.5
# - e = torch.exp(dots - dots.amax(dim=1, keepdim=True))
# + e = torch.exp(dots - dots.amax(dim=1, keepdim=True))
# - return torch.einsum("ij,jd->id", alpha, v)
# + return torch.einsum("ij,jd->id", alpha, x)

# %% mistake="missing-scale: and the weights are returned" also="returns-weights" edits="mine"
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots * 1.0
# - z = torch.matmul(alpha, v)
# - return z
# + return alpha

# %% mistake="scale-by-tokens: and the values are mixed by columns" also="weights-transposed" edits="with sums"
# - dots = dots * k.shape[1] ** -0.5
# + dots = dots / len(dots) ** 0.5
# - return torch.einsum("ij,jd->id", alpha, v)
# + return torch.einsum("ji,jd->id", alpha, v)

# %% mistake="missing-scale: and a sum that is not kept" also="keepdim-missing" edits="with sums"
# - dots = dots * k.shape[1] ** -0.5
# - e = torch.exp(dots - dots.amax(dim=1, keepdim=True))
# - alpha = e / e.sum(dim=1, keepdim=True)
# + e = torch.exp(dots - dots.amax(dim=1, keepdim=True))
# + alpha = e / e.sum(dim=1)

# %% mistake="missing-scale: and a mask" also="mask-unexpected" edits="with sums"
# - dots = dots * k.shape[1] ** -0.5
# + dots = dots + torch.full_like(dots, -torch.inf).triu(diagonal=1)
