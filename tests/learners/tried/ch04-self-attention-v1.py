# %% setup
import math

import torch
from torch import nn

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

# %% mistake="missing-scale: a seed's numbers go to other weights, and the scale is missing" never="(gradient)|(a second call)|(drawn as asked)|(a further call)" edits="mine"
# - self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots * 1.0

# %% mistake="raises: the function of the chapter before" says="NameError" edits="mine"
# - dots = torch.matmul(q, k.T)
# - dots = dots / math.sqrt(q.shape[-1])
# - alpha = torch.softmax(dots, dim=-1)
# - z = torch.matmul(alpha, v)
# + z, alpha = scaled_dot_product_attention(q, k, v)

# %% mistake="raises: the notebook's sentence" edits="mine"
# - class SelfAttention_v1(nn.Module):
# + inputs = torch.tensor(
# +     [[0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64], [0.22, 0.58, 0.33], [0.77, 0.25, 0.10],
# +      [0.05, 0.80, 0.55]]
# + )
# + class SelfAttention_v1(nn.Module):
# - q = x @ self.W_query
# - k = x @ self.W_key
# - v = x @ self.W_value
# + q, k, v = inputs @ self.W_query, inputs @ self.W_key, inputs @ self.W_value

# %% mistake="not-registered: drawn in forward" edits="mine"
# - self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + self.d_in, self.d_out = d_in, d_out
# - q = x @ self.W_query
# - k = x @ self.W_key
# - v = x @ self.W_value
# + q, k, v = (x @ nn.Parameter(torch.rand(self.d_in, self.d_out)) for _ in range(3))

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

# %% mistake="raises: forward is misspelled" says="letter by letter" never="still there|stub" edits="mine"
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

# %% correct="with zeros"
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
        dots = torch.zeros(len(q), len(q))
        for i in range(len(q)):
            for j in range(len(k)):
                dots[i, j] = torch.dot(q[i], k[j])
        dots = dots / math.sqrt(k.shape[1])
        context = torch.zeros(len(q), v.shape[1])
        for i in range(len(dots)):
            alpha = torch.softmax(dots[i], dim=0)
            for j in range(len(v)):
                context[i] += alpha[j] * v[j]
        return context

# %% correct="added up"
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
        out = []
        for i in range(len(q)):
            s = k @ q[i] / math.sqrt(len(q[i]))
            top = s.max()
            num = 0
            den = 0
            for j in range(len(k)):
                e = torch.exp(s[j] - top)
                num = num + e * v[j]
                den = den + e
            out.append(num / den)
        return torch.stack(out)

# %% mistake="unstable-softmax: in double precision" edits="with sums"
# - e = torch.exp(dots - dots.amax(dim=1, keepdim=True))
# - alpha = e / e.sum(dim=1, keepdim=True)
# + e = dots.double().exp()
# + alpha = (e / e.sum(dim=1, keepdim=True)).float()

# %% mistake="running-sum: divided by the sum so far" edits="added up"
# - num = num + e * v[j]
# - den = den + e
# + den = den + e
# + num = num + e / den * v[j]
# - out.append(num / den)
# + out.append(num)

# %% mistake="softmax-wrong-axis: and a two for d_k" also="scale-fixed" edits="mine"
# - dots = dots / math.sqrt(q.shape[-1])
# - alpha = torch.softmax(dots, dim=-1)
# + dots = dots / 2**0.5
# + alpha = torch.softmax(dots, dim=0)

# %% mistake="unstable-softmax: by hand, sums added up" edits="added up"
# - e = torch.exp(s[j] - top)
# + e = torch.exp(s[j])

# %% mistake="mask-unexpected: sums over the tokens before" edits="added up"
# - for j in range(len(k)):
# + for j in range(i + 1):

# %% mistake="mask-unexpected: mixes only the tokens before" edits="with zeros"
# - for j in range(len(v)):
# + for j in range(i + 1):

# %% mistake="unrecognized: half of the scores stay zero" edits="with zeros"
# - for j in range(len(k)):
# + for j in range(i + 1):

# %% mistake="last-left-out: rows of the context" edits="with zeros"
# - for i in range(len(dots)):
# + for i in range(len(dots) - 1):

# %% mistake="last-left-out: and no scale" also="missing-scale" edits="with zeros"
# - for i in range(len(dots)):
# + for i in range(len(dots) - 1):
# - dots = dots / math.sqrt(k.shape[1])
# + dots = dots / 1

# %% mistake="wrong-shape: a list too short, and no scale" edits="added up"
# - for i in range(len(q)):
# + for i in range(len(q) - 1):
# - s = k @ q[i] / math.sqrt(len(q[i]))
# + s = k @ q[i]

# %% mistake="first-left-out: values from the second on" edits="with zeros"
# - for j in range(len(v)):
# + for j in range(1, len(v)):

# %% mistake="first-left-out: not the first value, no root" also="scale-by-dk" edits="with zeros"
# - for j in range(len(v)):
# + for j in range(1, len(v)):
# - dots = dots / math.sqrt(k.shape[1])
# + dots = dots / k.shape[1]

# %% mistake="first-round-only: return in the loop" edits="with zeros"
# - return context
# +     return context

# %% mistake="first-round-only: return in the inner loop" edits="with zeros"
# - return context
# +         return context

# %% mistake="wrong-shape: return in the loop, a list" edits="added up"
# - return torch.stack(out)
# +     return torch.stack(out)

# %% mistake="result-transposed: stacked along the other axis" edits="added up"
# - return torch.stack(out)
# + return torch.stack(out, dim=1)

# %% mistake="scale-by-tokens: and item" edits="with zeros"
# - dots[i, j] = torch.dot(q[i], k[j])
# + dots[i, j] = torch.dot(q[i], k[j]).item()
# - dots = dots / math.sqrt(k.shape[1])
# + dots = dots / len(k) ** 0.5

# %% mistake="no-gradient: item" edits="with zeros"
# - dots[i, j] = torch.dot(q[i], k[j])
# + dots[i, j] = torch.dot(q[i], k[j]).item()

# %% mistake="raises: the numbers of the example" edits="with zeros"
# - context = torch.zeros(len(q), v.shape[1])
# + context = torch.zeros(6, 2)

# %% mistake="values-not-projected: the tokens are added up" edits="added up"
# - num = num + e * v[j]
# + num = num + e * x[j]

# %% mistake="not-normalized: the sum is forgotten" edits="added up"
# - out.append(num / den)
# + out.append(num)

# %% mistake="query-key-swapped: and a two for d_k" also="scale-fixed" edits="mine"
# - dots = torch.matmul(q, k.T)
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = k @ q.T / 2**0.5

# %% mistake="example-only: a two for d_k" edits="mine"
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots / 2**0.5

# %% mistake="scale-after-softmax: the weights are divided" edits="mine"
# - dots = dots / math.sqrt(q.shape[-1])
# - alpha = torch.softmax(dots, dim=-1)
# + alpha = torch.softmax(dots, dim=-1) / math.sqrt(q.shape[-1])

# %% mistake="no-gradient: the value is cut off" edits="mine"
# - v = x @ self.W_value
# + v = x @ self.W_value.detach()

# %% mistake="sum-normalized: and the keys are mixed" also="shared-projection" edits="mine"
# - alpha = torch.softmax(dots, dim=-1)
# - z = torch.matmul(alpha, v)
# + alpha = dots / dots.sum(dim=1, keepdim=True)
# + z = torch.matmul(alpha, k)

# %% mistake="softmax-unexpected: twice" edits="mine"
# - alpha = torch.softmax(dots, dim=-1)
# + alpha = torch.softmax(torch.softmax(dots, dim=-1), dim=-1)

# %% mistake="unrecognized: the weights twice" edits="mine"
# - z = torch.matmul(alpha, v)
# + z = alpha @ alpha @ v

# %% mistake="no-gradient: weights that are not to be trained" edits="mine"
# - self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + for parameter in self.parameters():
# +     parameter.requires_grad = False

# %% mistake="missing-scale: and weights that are not to be trained" edits="mine"
# - self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + for parameter in self.parameters():
# +     parameter.requires_grad = False
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots * 1.0

# %% mistake="not-registered: plain tensors, and no scale" also="missing-scale" edits="mine"
# - self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_query = torch.rand(d_in, d_out)
# + self.W_key = torch.rand(d_in, d_out)
# + self.W_value = torch.rand(d_in, d_out)
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots * 1.0

# %% mistake="not-registered: short names" edits="mine"
# - self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_q = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_k = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_v = nn.Parameter(torch.rand(d_in, d_out))
# - q = x @ self.W_query
# - k = x @ self.W_key
# - v = x @ self.W_value
# + q = x @ self.W_q
# + k = x @ self.W_k
# + v = x @ self.W_v

# %% mistake="wrong-initialisation: randn, and the sum is not kept" also="keepdim-missing" edits="with sums"
# - self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_query = nn.Parameter(torch.randn(d_in, d_out))
# + self.W_key = nn.Parameter(torch.randn(d_in, d_out))
# + self.W_value = nn.Parameter(torch.randn(d_in, d_out))
# - alpha = e / e.sum(dim=1, keepdim=True)
# + alpha = e / e.sum(dim=1)

# %% mistake="not-registered: linear layers" edits="mine"
# - self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_query = nn.Linear(d_in, d_out)
# + self.W_key = nn.Linear(d_in, d_out)
# + self.W_value = nn.Linear(d_in, d_out)
# - q = x @ self.W_query
# - k = x @ self.W_key
# - v = x @ self.W_value
# + q = self.W_query(x)
# + k = self.W_key(x)
# + v = self.W_value(x)

# %% mistake="wrong-shape: the layout of a linear layer, and no root" edits="mine"
# - self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_query = nn.Parameter(torch.rand(d_out, d_in))
# + self.W_key = nn.Parameter(torch.rand(d_out, d_in))
# + self.W_value = nn.Parameter(torch.rand(d_out, d_in))
# - q = x @ self.W_query
# - k = x @ self.W_key
# - v = x @ self.W_value
# + q = x @ self.W_query.T
# + k = x @ self.W_key.T
# + v = x @ self.W_value.T
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots / q.shape[-1]

# %% mistake="wrong-type: a seed in the constructor, and the weights as well" edits="mine"
# - super().__init__()
# + super().__init__()
# + torch.manual_seed(123)
# - return z
# + return z, alpha

# %% mistake="no-gradient: parameters made without" edits="mine"
# - self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
# + self.W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
# + self.W_value = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)

# %% mistake="raises: a parameter of two sizes" says="A parameter is made of a tensor" never="before the dot" edits="mine"
# - self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + self.W_query = nn.Parameter(d_in, d_out)
# + self.W_key = nn.Parameter(d_in, d_out)
# + self.W_value = nn.Parameter(d_in, d_out)

# %% mistake="raises: the constructor has one underscore" says="spelled __init__" edits="mine"
# - def __init__(self, d_in, d_out):
# + def _init_(self, d_in, d_out):

# %% mistake="shared-projection: one matrix three times" says="one matrix in memory" edits="mine"
# - self.W_query = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_key = nn.Parameter(torch.rand(d_in, d_out))
# - self.W_value = nn.Parameter(torch.rand(d_in, d_out))
# + W = torch.rand(d_in, d_out)
# + self.W_query = nn.Parameter(W)
# + self.W_key = nn.Parameter(W)
# + self.W_value = nn.Parameter(W)

# %% mistake="not-normalized: exponentials alone" never="two mistakes|exponential is taken twice" edits="mine"
# - alpha = torch.softmax(dots, dim=-1)
# + alpha = torch.exp(dots)

# %% mistake="unrecognized: one softmax of all, flat" never="another order" edits="mine"
# - dots = dots / math.sqrt(q.shape[-1])
# - alpha = torch.softmax(dots, dim=-1)
# + flat = dots.flatten() / math.sqrt(q.shape[-1])
# + alpha = torch.softmax(flat, dim=0).reshape(dots.shape)

# %% mistake="scale-by-model-width: and projected last" edits="mine"
# - v = x @ self.W_value
# + v = x
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots / math.sqrt(x.shape[-1])
# - z = torch.matmul(alpha, v)
# + z = torch.matmul(alpha, v) @ self.W_value

# %% mistake="raises: the key by the query's matrix" edits="mine"
# - k = x @ self.W_key
# + k = x @ self.W_query
# - z = torch.matmul(alpha, v)
# + z = torch.matmul(alpha, V)
