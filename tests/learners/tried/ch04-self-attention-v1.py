# %% setup
import math

import torch
from torch import nn

# %% mistake="missing-scale: a seed's numbers go to other weights, and the scale is missing" never="(gradient)|(a second call)|(drawn as asked)|(a further call)"
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        query, key, value = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return torch.softmax(query @ key.T, dim=-1) @ value

# %% correct="mine"
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        q = x @ self.W_query
        k = x @ self.W_key
        v = x @ self.W_value
        dots = torch.matmul(q, k.T)
        dots = dots / math.sqrt(q.shape[-1])
        alpha = torch.softmax(dots, dim=-1)
        z = torch.matmul(alpha, v)
        return z

# %% correct="with sums"
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        dots = (q[:, None, :] * k[None, :, :]).sum(dim=2)
        dots = dots * k.shape[1] ** -0.5
        e = torch.exp(dots - dots.amax(dim=1, keepdim=True))
        alpha = e / e.sum(dim=1, keepdim=True)
        return torch.einsum("ij,jd->id", alpha, v)

# %% mistake="not-registered: plain tensors" edits="mine"
# - self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_query = torch.rand(d_in, d_out)
# + self.W_key = torch.rand(d_in, d_out)
# + self.W_value = torch.rand(d_in, d_out)

# %% mistake="raises: forward without self" says="forward() takes 1 positional argument" edits="mine"
# - def forward(self, x):
# + def forward(x):

# %% mistake="not-registered: self. is missing in the constructor" says="self" edits="mine"
# - self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + W_query = nn.Parameter(torch.rand(d_in, d_out))
# + W_key = nn.Parameter(torch.rand(d_in, d_out))
# + W_value = nn.Parameter(torch.rand(d_in, d_out))

# %% mistake="wrong-type: context and weights, as in the chapter before" edits="mine"
# - return z
# + return z, alpha

# %% mistake="creation-order: value first" edits="mine"
# - self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_key = nn.Parameter(torch.rand(d_in, d_out))

# %% mistake="raises: the function of the chapter before" says="NameError"
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        context, weights = scaled_dot_product_attention(q, k, v)
        return context

# %% mistake="raises: the notebook's sentence"
inputs = torch.tensor(
    [[0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64], [0.22, 0.58, 0.33], [0.77, 0.25, 0.10],
     [0.05, 0.80, 0.55]]
)

class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        q, k, v = inputs @ self.W_query, inputs @ self.W_key, inputs @ self.W_value
        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v

# %% mistake="wrong-shape: the sizes of the sentence" edits="mine"
# - self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_query = nn.Parameter(torch.rand(3, 2))
# + self.W_key = nn.Parameter(torch.rand(3, 2))
# + self.W_value = nn.Parameter(torch.rand(3, 2))

# %% mistake="scale-by-model-width: that of the tokens" edits="mine"
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots / math.sqrt(x.shape[-1])

# %% mistake="not-registered: drawn in forward"
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_in, self.d_out = d_in, d_out

    def forward(self, x):
        W_query = nn.Parameter(torch.rand(self.d_in, self.d_out))
        W_key = nn.Parameter(torch.rand(self.d_in, self.d_out))
        W_value = nn.Parameter(torch.rand(self.d_in, self.d_out))
        q, k, v = x @ W_query, x @ W_key, x @ W_value
        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v

# %% mistake="raises: no super().__init__()" says="What has to be called first" edits="mine"
# - super().__init__()
# + self.d_out = d_out

# %% mistake="raises: the constructor's argument in forward" says="name 'd_out' is not defined|needs self." edits="mine"
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots / math.sqrt(d_out)

# %% mistake="not-registered: one matrix for all" edits="mine"
# - self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + self.W = nn.Parameter(torch.rand(d_in, d_out))
# - q = x @ self.W_query
# - k = x @ self.W_key
# - v = x @ self.W_value
# + q = k = v = x @ self.W

# %% mistake="not-registered: matrices in a list" says="plain list" edits="mine"
# - self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + self.W = [nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3)]
# - q = x @ self.W_query
# - k = x @ self.W_key
# - v = x @ self.W_value
# + q, k, v = (x @ each for each in self.W)

# %% mistake="wrong-type: nothing returned" edits="mine"
# - z = torch.matmul(alpha, v)
# - return z
# + z = torch.matmul(alpha, v)

# %% mistake="softmax-wrong-axis: columns" edits="mine"
# - alpha = torch.softmax(dots, dim=-1)
# + alpha = torch.softmax(dots, dim=0)

# %% mistake="wrong-initialisation: randn" edits="mine"
# - self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_query = nn.Parameter(torch.randn(d_in, d_out))
# + self.W_key = nn.Parameter(torch.randn(d_in, d_out))
# + self.W_value = nn.Parameter(torch.randn(d_in, d_out))

# %% mistake="setting-left: a seed in the constructor" edits="mine"
# - super().__init__()
# + super().__init__()
# + torch.manual_seed(123)

# %% mistake="raises: forward is misspelled" says="letter by letter" never="Not written yet|stub" edits="mine"
# - def forward(self, x):
# + def foward(self, x):

# %% mistake="raises: the matrices are called" says="is not callable|called" edits="mine"
# - q = x @ self.W_query
# - k = x @ self.W_key
# - v = x @ self.W_value
# + q = self.W_query(x)
# + k = self.W_key(x)
# + v = self.W_value(x)

# %% mistake="weight-not-transposed: all three" never="A layer" edits="mine"
# - q = x @ self.W_query
# - k = x @ self.W_key
# - v = x @ self.W_value
# + q = x @ self.W_query.T
# + k = x @ self.W_key.T
# + v = x @ self.W_value.T

# %% mistake="one-token-only: the token of the worked example" edits="mine"
# - q = x @ self.W_query
# + q = x[1] @ self.W_query

# %% mistake="scale-by-spread: their standard deviation" edits="mine"
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots / dots.std()

# %% mistake="root-precedence: one half without brackets" edits="mine"
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots / q.shape[-1] ** 1/2

# %% mistake="scale-multiplied: times d_k" edits="mine"
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots * q.shape[-1]

# %% mistake="rounded-down: a whole root" edits="mine"
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots // math.sqrt(q.shape[-1])

# %% mistake="scale-by-norm: of the keys" edits="mine"
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots / k.norm(dim=-1)

# %% mistake="scale-by-dk: and other weights get a seed's numbers" edits="mine"
# - self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots / q.shape[-1]

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
# - k = x @ self.W_key
# + k = x @ self.W_query
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
