# %% setup
import math

import torch
from torch import nn

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

# %% mistake="raises: forward is misspelled" says="letter by letter" never="still there|stub" edits="mine"
# - def forward(self, x):
# + def foward(self, x):

# %% mistake="raises: an error that PyTorch raises, far below the learner's line" says="in SelfAttention_v2.forward: weights = " never="_VF.py|functional.py|in einsum" edits="mine"
# - dots = torch.matmul(q, k.T)
# + weights = torch.einsum('td,sd->ts', q)

# %% mistake="not-registered: the layer that is called is a list" never="still there|stub" edits="mine"
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_value = nn.ModuleList([])

# %% mistake="bias-ignored: qkv_bias is forgotten" also="not-registered" never="counts parts" edits="mine"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = nn.Linear(d_in, d_out, bias=False)
# + self.W_key = nn.Linear(d_in, d_out, bias=False)
# + self.W_value = nn.Linear(d_in, d_out, bias=False)

# %% mistake="not-registered: another name" says="no parameter named W_query|letter by letter" never="counts parts" edits="mine"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_q = nn.Linear(d_in, d_out, bias=qkv_bias)
# - q = self.W_query(x)
# + q = self.W_q(x)

# %% mistake="bias-unexpected: a bias too many" says="a bias that is not asked for" never="not registered under" edits="mine"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = nn.Linear(d_in, d_out, bias=True)
# + self.W_key = nn.Linear(d_in, d_out, bias=True)
# + self.W_value = nn.Linear(d_in, d_out, bias=True)

# %% mistake="raises: times a layer" says="it is called like a function" edits="mine"
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

# %% mistake="raises: a parameter of a layer" never="it is called like a function like" edits="mine"
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

# %% correct="with zeros"
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
# - v = self.W_value(x)
# + v = self.W_value(x).detach()

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
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + for parameter in self.parameters():
# +     parameter.requires_grad = False

# %% mistake="missing-scale: and weights that are not to be trained" edits="mine"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + for parameter in self.parameters():
# +     parameter.requires_grad = False
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots * 1.0

# %% mistake="no-gradient: queries and keys under no_grad" edits="mine"
# - q = self.W_query(x)
# - k = self.W_key(x)
# + with torch.no_grad():
# +     q = self.W_query(x)
# +     k = self.W_key(x)

# %% mistake="input-modified: centered, queries and keys under no_grad" edits="mine"
# - q = self.W_query(x)
# - k = self.W_key(x)
# + with torch.no_grad():
# +     q = self.W_query(x)
# +     k = self.W_key(x)
# + x -= x.mean()

# %% mistake="not-registered: a plain list of layers, and scaled by tokens" edits="mine"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.layers = [nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3)]
# - q = self.W_query(x)
# - k = self.W_key(x)
# - v = self.W_value(x)
# + q, k, v = [layer(x) for layer in self.layers]
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots / len(k) ** 0.5

# %% mistake="raises: no super().__init__()" edits="mine"
# - super().__init__()
# + self.width = d_out

# %% mistake="values-not-projected: and a tensor of numbers" edits="with zeros"
# - dots = dots / math.sqrt(k.shape[1])
# + dots = torch.tensor(dots.tolist()) / math.sqrt(k.shape[1])
# - context[i] += alpha[j] * v[j]
# + context[i] += alpha[j] * x[j]

# %% mistake="bias-unexpected: no scale, over columns" edits="mine"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = nn.Linear(d_in, d_out)
# + self.W_key = nn.Linear(d_in, d_out)
# + self.W_value = nn.Linear(d_in, d_out)
# - dots = dots / math.sqrt(q.shape[-1])
# - alpha = torch.softmax(dots, dim=-1)
# + alpha = torch.softmax(dots, dim=0)

# %% mistake="returns-weights: no mixing" edits="mine"
# - return z
# + return alpha

# %% mistake="scale-by-dk: added up" edits="added up"
# - s = k @ q[i] / math.sqrt(len(q[i]))
# + s = k @ q[i] / len(q[i])

# %% mistake="bias-ignored: and scaled by d_in" also="scale-by-model-width" edits="mine"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = nn.Linear(d_in, d_out, bias=False)
# + self.W_key = nn.Linear(d_in, d_out, bias=False)
# + self.W_value = nn.Linear(d_in, d_out, bias=False)
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots / math.sqrt(x.shape[-1])

# %% mistake="scale-by-model-width: and the tokens are cut off" edits="mine"
# - q = self.W_query(x)
# - k = self.W_key(x)
# - v = self.W_value(x)
# + x = x.detach()
# + q = self.W_query(x)
# + k = self.W_key(x)
# + v = self.W_value(x)
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots / math.sqrt(x.shape[-1])

# %% mistake="not-registered: parameters in place of layers, turned" edits="mine"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = nn.Parameter(torch.rand(d_out, d_in))
# + self.W_key = nn.Parameter(torch.rand(d_out, d_in))
# + self.W_value = nn.Parameter(torch.rand(d_out, d_in))
# - q = self.W_query(x)
# - k = self.W_key(x)
# - v = self.W_value(x)
# + q = x @ self.W_query.T
# + k = x @ self.W_key.T
# + v = x @ self.W_value.T

# %% mistake="wrong-shape: a LayerNorm where a Linear belongs" edits="mine"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_query = nn.LayerNorm(d_in, bias=False)

# %% mistake="not-registered: key, query, value" never="Query and key|changed places"
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        scores = self.query(x) @ self.key(x).T
        return torch.softmax(scores / scores.new_tensor(self.key.out_features).sqrt(), dim=-1) @ self.value(x)

# %% mistake="raises: a result in the place of its layer" says="name of its own"
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        self.W_query = self.W_query(x)
        return self.W_query

# %% mistake="made-in-forward: the layers once more" never="mode"
class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.d_in, self.d_out, self.bias = d_in, d_out, qkv_bias
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        self.W_query = nn.Linear(self.d_in, self.d_out, bias=self.bias)
        self.W_key = nn.Linear(self.d_in, self.d_out, bias=self.bias)
        self.W_value = nn.Linear(self.d_in, self.d_out, bias=self.bias)
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        weights = torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=-1)
        return weights @ values

# %% mistake="not-registered: layers made in each call" says="serve this call alone" never="the module has a parameter that" edits="mine"
# - self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.made = lambda: nn.Linear(d_in, d_out, bias=qkv_bias)
# - q = self.W_query(x)
# - k = self.W_key(x)
# - v = self.W_value(x)
# + q, k, v = self.made()(x), self.made()(x), self.made()(x)

# %% mistake="bias-ignored: keys and values" never="later steps are right" edits="mine"
# - self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
# - self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
# + self.W_key = nn.Linear(d_in, d_out, bias=False)
# + self.W_value = nn.Linear(d_in, d_out, bias=False)
