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

# %% correct="with zeros"
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

# %% mistake="wrong-shape: the numbers of the example" edits="with zeros"
# - context = torch.zeros(len(q), v.shape[1])
# + context = torch.zeros(6, 2)

# %% mistake="values-not-projected: the tokens are added up" edits="added up"
# - num = num + e * v[j]
# + num = num + e * token_encodings[j]

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
# - v = self.W_v(token_encodings)
# + v = self.W_v(token_encodings).detach()

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
# - self.W_q = nn.Linear(d_model, d_model, bias=False)
# - self.W_k = nn.Linear(d_model, d_model, bias=False)
# - self.W_v = nn.Linear(d_model, d_model, bias=False)
# + self.W_q = nn.Linear(d_model, d_model, bias=False)
# + self.W_k = nn.Linear(d_model, d_model, bias=False)
# + self.W_v = nn.Linear(d_model, d_model, bias=False)
# + for parameter in self.parameters():
# +     parameter.requires_grad = False

# %% mistake="missing-scale: and weights that are not to be trained" edits="mine"
# - self.W_q = nn.Linear(d_model, d_model, bias=False)
# - self.W_k = nn.Linear(d_model, d_model, bias=False)
# - self.W_v = nn.Linear(d_model, d_model, bias=False)
# + self.W_q = nn.Linear(d_model, d_model, bias=False)
# + self.W_k = nn.Linear(d_model, d_model, bias=False)
# + self.W_v = nn.Linear(d_model, d_model, bias=False)
# + for parameter in self.parameters():
# +     parameter.requires_grad = False
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots * 1.0

# %% mistake="no-gradient: queries and keys under no_grad" edits="mine"
# - q = self.W_q(token_encodings)
# - k = self.W_k(token_encodings)
# + with torch.no_grad():
# +     q = self.W_q(token_encodings)
# +     k = self.W_k(token_encodings)

# %% mistake="input-modified: centered, queries and keys under no_grad" edits="mine"
# - q = self.W_q(token_encodings)
# - k = self.W_k(token_encodings)
# + with torch.no_grad():
# +     q = self.W_q(token_encodings)
# +     k = self.W_k(token_encodings)
# + token_encodings -= token_encodings.mean()

# %% mistake="not-registered: a plain list of layers, and scaled by tokens" edits="mine"
# - self.W_q = nn.Linear(d_model, d_model, bias=False)
# - self.W_k = nn.Linear(d_model, d_model, bias=False)
# - self.W_v = nn.Linear(d_model, d_model, bias=False)
# + self.layers = [nn.Linear(d_model, d_model, bias=False) for _ in range(3)]
# - q = self.W_q(token_encodings)
# - k = self.W_k(token_encodings)
# - v = self.W_v(token_encodings)
# + q, k, v = [layer(token_encodings) for layer in self.layers]
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots / len(k) ** 0.5

# %% mistake="raises: no super().__init__()" edits="mine"
# - super().__init__()
# + self.width = d_model

# %% mistake="values-not-projected: and a tensor of numbers" edits="with zeros"
# - dots = dots / math.sqrt(k.shape[1])
# + dots = torch.tensor(dots.tolist()) / math.sqrt(k.shape[1])
# - context[i] += alpha[j] * v[j]
# + context[i] += alpha[j] * token_encodings[j]

# %% mistake="bias-unexpected: no scale, over columns" edits="mine"
# - self.W_q = nn.Linear(d_model, d_model, bias=False)
# - self.W_k = nn.Linear(d_model, d_model, bias=False)
# - self.W_v = nn.Linear(d_model, d_model, bias=False)
# + self.W_q = nn.Linear(d_model, d_model)
# + self.W_k = nn.Linear(d_model, d_model)
# + self.W_v = nn.Linear(d_model, d_model)
# - dots = dots / math.sqrt(q.shape[-1])
# - alpha = torch.softmax(dots, dim=-1)
# + alpha = torch.softmax(dots, dim=0)

# %% mistake="returns-weights: no mixing" edits="mine"
# - return z
# + return alpha

# %% mistake="scale-by-dk: added up" edits="added up"
# - s = k @ q[i] / math.sqrt(len(q[i]))
# + s = k @ q[i] / len(q[i])

# %% mistake="softmax-wrong-axis: row_dim, and the scale along it" also="scale-by-tokens" edits="mine"
# - super().__init__()
# + super().__init__()
# + self.row_dim = row_dim
# - dots = dots / math.sqrt(q.shape[-1])
# - alpha = torch.softmax(dots, dim=-1)
# + dots = dots / k.shape[self.row_dim] ** 0.5
# + alpha = torch.softmax(dots, dim=self.row_dim)

# %% mistake="query-key-swapped: no scale" also="missing-scale" edits="mine"
# - dots = torch.matmul(q, k.T)
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = k @ q.T

# %% mistake="unrecognized: no root, and the weights twice" edits="mine"
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = dots / q.shape[-1]
# - z = torch.matmul(alpha, v)
# + z = alpha @ alpha @ v

# %% mistake="unrecognized: features with features" edits="mine"
# - dots = torch.matmul(q, k.T)
# + dots = q.T @ k
# - z = torch.matmul(alpha, v)
# + z = v @ alpha

# %% mistake="unrecognized: magnitudes of the scores, and columns that sum to 1" edits="mine"
# - alpha = torch.softmax(dots, dim=-1)
# + alpha = torch.softmax(dots.abs(), dim=-1)
# + alpha = alpha / alpha.sum(dim=0)

# %% mistake="not-registered: parameters in place of layers, turned" edits="mine"
# - self.W_q = nn.Linear(d_model, d_model, bias=False)
# - self.W_k = nn.Linear(d_model, d_model, bias=False)
# - self.W_v = nn.Linear(d_model, d_model, bias=False)
# + self.W_q = nn.Parameter(torch.rand(d_model, d_model))
# + self.W_k = nn.Parameter(torch.rand(d_model, d_model))
# + self.W_v = nn.Parameter(torch.rand(d_model, d_model))
# - q = self.W_q(token_encodings)
# - k = self.W_k(token_encodings)
# - v = self.W_v(token_encodings)
# + q = token_encodings @ self.W_q.T
# + k = token_encodings @ self.W_k.T
# + v = token_encodings @ self.W_v.T

# %% mistake="bias-unexpected: and swapped, and no root" edits="mine"
# - self.W_q = nn.Linear(d_model, d_model, bias=False)
# - self.W_k = nn.Linear(d_model, d_model, bias=False)
# - self.W_v = nn.Linear(d_model, d_model, bias=False)
# + self.W_q = nn.Linear(d_model, d_model)
# + self.W_k = nn.Linear(d_model, d_model)
# + self.W_v = nn.Linear(d_model, d_model)
# - dots = torch.matmul(q, k.T)
# - dots = dots / math.sqrt(q.shape[-1])
# + dots = k @ q.T / q.shape[-1]

# %% mistake="not-registered: bare matrices, drawn by rand" never="is the wrong way round|Which axis of the matrix" edits="mine"
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

# %% mistake="parameters-extra: a layer at the end" says="out.weight, out.bias" edits="mine"
# - self.W_v = nn.Linear(d_model, d_model, bias=False)
# + self.W_v = nn.Linear(d_model, d_model, bias=False)
# + self.out = nn.Linear(d_model, d_model)
# - return z
# + return self.out(z)

# %% mistake="not-registered: made in forward" says="as soon as the object is made" edits="mine"
# - self.W_q = nn.Linear(d_model, d_model, bias=False)
# - self.W_k = nn.Linear(d_model, d_model, bias=False)
# - self.W_v = nn.Linear(d_model, d_model, bias=False)
# + self.width = d_model
# - q = self.W_q(token_encodings)
# + self.W_q, self.W_k, self.W_v = (nn.Linear(self.width, self.width, bias=False) for _ in range(3))
# + q = self.W_q(token_encodings)
