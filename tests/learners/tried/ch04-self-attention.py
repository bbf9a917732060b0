# %% setup
import math

import torch
from torch import nn

# %% correct="mine"
class SelfAttention(nn.Module):
    def __init__(self, d_model=2, row_dim=0, col_dim=1):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)

    def forward(self, token_encodings):
        q = self.W_q(token_encodings)
        k = self.W_k(token_encodings)
        v = self.W_v(token_encodings)
        dots = torch.matmul(q, k.T)
        dots = dots / math.sqrt(q.shape[-1])
        alpha = torch.softmax(dots, dim=-1)
        z = torch.matmul(alpha, v)
        return z

# %% correct="with sums"
class SelfAttention(nn.Module):
    def __init__(self, d_model=2, row_dim=0, col_dim=1):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)

    def forward(self, token_encodings):
        q, k, v = self.W_q(token_encodings), self.W_k(token_encodings), self.W_v(token_encodings)
        dots = (q[:, None, :] * k[None, :, :]).sum(dim=2)
        dots = dots * k.shape[1] ** -0.5
        e = torch.exp(dots - dots.amax(dim=1, keepdim=True))
        alpha = e / e.sum(dim=1, keepdim=True)
        return torch.einsum("ij,jd->id", alpha, v)

# %% mistake="not-registered: the names of before" says="letter by letter" edits="mine"
# - self.W_q = nn.Linear(d_model, d_model, bias=False)
# - self.W_k = nn.Linear(d_model, d_model, bias=False)
# - self.W_v = nn.Linear(d_model, d_model, bias=False)
# + self.W_query = nn.Linear(d_model, d_model, bias=False)
# + self.W_key = nn.Linear(d_model, d_model, bias=False)
# + self.W_value = nn.Linear(d_model, d_model, bias=False)
# - q = self.W_q(token_encodings)
# - k = self.W_k(token_encodings)
# - v = self.W_v(token_encodings)
# + q = self.W_query(token_encodings)
# + k = self.W_key(token_encodings)
# + v = self.W_value(token_encodings)

# %% mistake="bias-unexpected: not refused" edits="mine"
# - self.W_q = nn.Linear(d_model, d_model, bias=False)
# - self.W_k = nn.Linear(d_model, d_model, bias=False)
# - self.W_v = nn.Linear(d_model, d_model, bias=False)
# + self.W_q = nn.Linear(d_model, d_model)
# + self.W_k = nn.Linear(d_model, d_model)
# + self.W_v = nn.Linear(d_model, d_model)

# %% mistake="softmax-wrong-axis: row_dim" edits="mine"
# - super().__init__()
# + super().__init__()
# + self.row_dim = row_dim
# - alpha = torch.softmax(dots, dim=-1)
# + alpha = torch.softmax(dots, dim=self.row_dim)

# %% mistake="scale-by-tokens: the size along row_dim" edits="mine"
# - super().__init__()
# + super().__init__()
# + self.row_dim = row_dim
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots / k.size(self.row_dim) ** 0.5

# %% mistake="raises: row_dim in forward" says="needs self." edits="mine"
# - dots = torch.matmul(q, k.T)
# + dots = q @ k.transpose(row_dim, col_dim)

# %% mistake="raises: another name in forward" says="NameError" edits="mine"
# - q = self.W_q(token_encodings)
# + q = self.W_q(x)

# %% mistake="missing-scale: forgotten" edits="mine"
# - dots = torch.matmul(q, k.T)
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = torch.matmul(q, k.T)

# %% mistake="key-not-transposed: as it is" edits="mine"
# - dots = torch.matmul(q, k.T)
# + dots = torch.matmul(q, k)

# %% mistake="returns-weights: the softmax is returned" edits="mine"
# - z = torch.matmul(alpha, v)
# - return z
# + return alpha

# %% mistake="not-registered: bare matrices" edits="mine"
# - self.W_q = nn.Linear(d_model, d_model, bias=False)
# - self.W_k = nn.Linear(d_model, d_model, bias=False)
# - self.W_v = nn.Linear(d_model, d_model, bias=False)
# + self.W_q = nn.Parameter(torch.rand(d_model, d_model))
# + self.W_k = nn.Parameter(torch.rand(d_model, d_model))
# + self.W_v = nn.Parameter(torch.rand(d_model, d_model))
# - q = self.W_q(token_encodings)
# - k = self.W_k(token_encodings)
# - v = self.W_v(token_encodings)
# + q = token_encodings @ self.W_q
# + k = token_encodings @ self.W_k
# + v = token_encodings @ self.W_v

# %% mistake="values-not-projected: the tokens are mixed" edits="mine"
# - z = torch.matmul(alpha, v)
# + z = torch.matmul(alpha, token_encodings)

# %% mistake="wrong-shape: a width of two" edits="mine"
# - self.W_q = nn.Linear(d_model, d_model, bias=False)
# - self.W_k = nn.Linear(d_model, d_model, bias=False)
# - self.W_v = nn.Linear(d_model, d_model, bias=False)
# + self.W_q = nn.Linear(2, 2, bias=False)
# + self.W_k = nn.Linear(2, 2, bias=False)
# + self.W_v = nn.Linear(2, 2, bias=False)

# %% mistake="result-transposed: a context a column" edits="mine"
# - return z
# + return z.T

# %% mistake="one-token-only: the second token" edits="mine"
# - q = self.W_q(token_encodings)
# + q = self.W_q(token_encodings[1])

# %% mistake="weight-not-transposed: times the weight" edits="mine"
# - q = self.W_q(token_encodings)
# - k = self.W_k(token_encodings)
# - v = self.W_v(token_encodings)
# + q = token_encodings @ self.W_q.weight
# + k = token_encodings @ self.W_k.weight
# + v = token_encodings @ self.W_v.weight

# %% mistake="shared-projection: one layer under three names" edits="mine"
# - self.W_q = nn.Linear(d_model, d_model, bias=False)
# - self.W_k = nn.Linear(d_model, d_model, bias=False)
# - self.W_v = nn.Linear(d_model, d_model, bias=False)
# + layer = nn.Linear(d_model, d_model, bias=False)
# + self.W_q = layer
# + self.W_k = layer
# + self.W_v = layer

# %% mistake="scale-by-spread: their standard deviation" edits="mine"
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots / dots.std()

# %% mistake="bias-unexpected: and no scale" also="missing-scale" edits="mine"
# - self.W_q = nn.Linear(d_model, d_model, bias=False)
# - self.W_k = nn.Linear(d_model, d_model, bias=False)
# - self.W_v = nn.Linear(d_model, d_model, bias=False)
# + self.W_q = nn.Linear(d_model, d_model)
# + self.W_k = nn.Linear(d_model, d_model)
# + self.W_v = nn.Linear(d_model, d_model)
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
# - k = self.W_k(token_encodings)
# + k = self.W_q(token_encodings)
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots * 1.0

# %% mistake="missing-scale: and the values are the tokens" also="values-not-projected" edits="with sums"
# - dots = dots * k.shape[1] ** -0.5
# - e = torch.exp(dots - dots.amax(dim=1, keepdim=True))
# + e = torch.exp(dots - dots.amax(dim=1, keepdim=True))
# - return torch.einsum("ij,jd->id", alpha, v)
# + return torch.einsum("ij,jd->id", alpha, token_encodings)

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
