# %% setup
import math

import torch

# %% correct="mine"
def attend_one(query_i, key, value):
    d_k = key.shape[1]
    dots = torch.matmul(key, query_i)
    alpha = torch.softmax(dots / math.sqrt(d_k), dim=0)
    z = torch.matmul(alpha, value)
    return z, alpha

# %% correct="with sums"
def attend_one(query_i, key, value):
    dots = (key * query_i).sum(dim=1)
    dots = dots / math.sqrt(len(query_i))
    powers = (dots - dots.max()).exp()
    alpha = powers / powers.sum()
    z = sum(alpha[t] * value[t] for t in range(len(value)))
    return z, alpha

# %% mistake="missing-scale: forgotten" edits="mine"
# - alpha = torch.softmax(dots / math.sqrt(d_k), dim=0)
# + alpha = torch.softmax(dots, dim=0)

# %% mistake="key-not-transposed: the query on the left" edits="mine"
# - dots = torch.matmul(key, query_i)
# + dots = torch.matmul(query_i, key)

# %% mistake="shared-projection: the keys are mixed" edits="mine"
# - z = torch.matmul(alpha, value)
# + z = torch.matmul(alpha, key)

# %% mistake="scale-after-softmax: divided too late" edits="mine"
# - alpha = torch.softmax(dots / math.sqrt(d_k), dim=0)
# + alpha = torch.softmax(dots, dim=0) / math.sqrt(d_k)

# %% mistake="elementwise-product: not added up" edits="with sums"
# - dots = (key * query_i).sum(dim=1)
# + dots = key * query_i

# %% mistake="elementwise-product: not added up, a softmax over the tokens"
def attend_one(query_i, key, value):
    scores = query_i * key
    weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=0)
    context = (weights * value).sum(dim=0)
    return context, weights

# %% mistake="elementwise-product: not added up, a softmax over the features"
def attend_one(query_i, key, value):
    scores = query_i * key
    weights = torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1)
    return weights @ value, weights

# %% mistake="values-transposed: the values on the left" edits="mine"
# - z = torch.matmul(alpha, value)
# + z = value @ alpha

# %% mistake="returns-scores: and not weights" edits="mine"
# - return z, alpha
# + return z, dots

# %% mistake="hard-lookup: the best value alone" edits="mine"
# - z = torch.matmul(alpha, value)
# + z = value[dots.argmax()]

# %% mistake="wrong-type: the context alone" edits="mine"
# - return z, alpha
# + return z

# %% mistake="scale-by-tokens: len of the key" edits="mine"
# - d_k = key.shape[1]
# + d_k = len(key)

# %% mistake="raises: a softmax of a list" says="must be Tensor, not list" edits="mine"
# - dots = torch.matmul(key, query_i)
# - alpha = torch.softmax(dots / math.sqrt(d_k), dim=0)
# + dots = [torch.dot(query_i, k) / math.sqrt(d_k) for k in key]
# + alpha = torch.softmax(dots, dim=0)

# %% mistake="no-gradient: a tensor around computed numbers" edits="mine"
# - dots = torch.matmul(key, query_i)
# + dots = torch.tensor([torch.dot(query_i, k) for k in key], dtype=key.dtype)

# %% mistake="scale-by-dk: scaled twice" edits="mine"
# - dots = torch.matmul(key, query_i)
# + dots = torch.matmul(key, query_i) / math.sqrt(d_k)

# %% mistake="raises: a function for matrices is given a vector" says="rows.append"
def scaled_scores(query, key):
    rows = []
    for q in query:
        rows.append(torch.stack([torch.dot(q, k) for k in key]))
    return torch.stack(rows) / key.shape[-1] ** 0.5

def attend_one(query_i, key, value):
    weights = torch.softmax(scaled_scores(query_i, key), dim=-1)
    return weights @ value, weights

# %% mistake="results-exchanged: weights first" edits="mine"
# - return z, alpha
# + return alpha, z

# %% mistake="last-round-only: overwritten in the loop" edits="mine"
# - z = torch.matmul(alpha, value)
# + for t in range(len(value)):
# +     z = alpha[t] * value[t]

# %% mistake="last-left-out: the loop ends early" edits="mine"
# - z = torch.matmul(alpha, value)
# + z = torch.zeros_like(value[0])
# + for t in range(len(value) - 1):
# +     z = z + alpha[t] * value[t]

# %% mistake="scale-by-spread: their standard deviation" edits="mine"
# - alpha = torch.softmax(dots / math.sqrt(d_k), dim=0)
# + alpha = torch.softmax(dots / dots.std(), dim=0)

# %% mistake="exponential-twice: of exponentials" edits="mine"
# - alpha = torch.softmax(dots / math.sqrt(d_k), dim=0)
# + alpha = torch.softmax(torch.exp(dots / math.sqrt(d_k)), dim=0)

# %% mistake="missing-scale: and the keys are mixed" also="shared-projection" edits="with sums"
# - dots = dots / math.sqrt(len(query_i))
# - powers = (dots - dots.max()).exp()
# + powers = (dots - dots.max()).exp()
# - z = sum(alpha[t] * value[t] for t in range(len(value)))
# + z = sum(alpha[t] * key[t] for t in range(len(key)))

# %% mistake="scale-by-dk: and the keys are mixed" also="shared-projection" edits="with sums"
# - dots = dots / math.sqrt(len(query_i))
# + dots = dots / len(query_i)
# - z = sum(alpha[t] * value[t] for t in range(len(value)))
# + z = sum(alpha[t] * key[t] for t in range(len(key)))

# %% mistake="missing-scale: and the shares are not divided" also="not-normalized" edits="with sums"
# - dots = dots / math.sqrt(len(query_i))
# - powers = (dots - dots.max()).exp()
# - alpha = powers / powers.sum()
# + alpha = dots.exp()

# %% mistake="missing-scale: and overflows" also="unstable-softmax" edits="with sums"
# - dots = dots / math.sqrt(len(query_i))
# - powers = (dots - dots.max()).exp()
# + powers = dots.exp()

# %% mistake="scale-by-tokens: and the values are asked" also="shared-projection" edits="with sums"
# - dots = (key * query_i).sum(dim=1)
# - dots = dots / math.sqrt(len(query_i))
# + dots = value @ query_i / math.sqrt(len(value))

# %% mistake="hard-lookup: and no scale, which the context does not show" edits="with sums"
# - dots = dots / math.sqrt(len(query_i))
# - powers = (dots - dots.max()).exp()
# + powers = (dots - dots.max()).exp()
# - z = sum(alpha[t] * value[t] for t in range(len(value)))
# + z = value[alpha.argmax()]

# %% mistake="missing-scale: and weights first" also="results-exchanged" edits="with sums"
# - dots = dots / math.sqrt(len(query_i))
# - powers = (dots - dots.max()).exp()
# + powers = (dots - dots.max()).exp()
# - return z, alpha
# + return alpha, z

# %% mistake="scale-multiplied: and key and value swapped" also="key-value-swapped" edits="mine"
# - def attend_one(query_i, key, value):
# + def attend_one(query_i, value, key):
# - alpha = torch.softmax(dots / math.sqrt(d_k), dim=0)
# + alpha = torch.softmax(dots * math.sqrt(d_k), dim=0)

# %% mistake="missing-scale: and the mean of the weighed values" also="mean-not-sum" edits="with sums"
# - dots = dots / math.sqrt(len(query_i))
# - powers = (dots - dots.max()).exp()
# + powers = (dots - dots.max()).exp()
# - z = sum(alpha[t] * value[t] for t in range(len(value)))
# + z = torch.stack([alpha[t] * value[t] for t in range(len(value))]).mean(dim=0)

# %% mistake="elementwise-product: weighed, not added up" edits="mine"
# - z = torch.matmul(alpha, value)
# + z = alpha.unsqueeze(1) * value

# %% mistake="missing-scale: and weighed, not added up" also="elementwise-product" edits="mine"
# - alpha = torch.softmax(dots / math.sqrt(d_k), dim=0)
# - z = torch.matmul(alpha, value)
# + alpha = torch.softmax(dots, dim=0)
# + z = alpha.unsqueeze(1) * value

# %% mistake="last-left-out: of the scores, into zeros"
def attend_one(query_i, key, value):
    s = torch.zeros(len(key))
    for j in range(len(key) - 1):
        s[j] = torch.dot(query_i, key[j]) / math.sqrt(len(query_i))
    w = torch.softmax(s, dim=0)
    return w @ value, w

# %% mistake="first-left-out: of the scores, into zeros"
def attend_one(query_i, key, value):
    s = torch.zeros(len(key))
    for j in range(1, len(key)):
        s[j] = torch.dot(query_i, key[j]) / math.sqrt(len(query_i))
    w = torch.softmax(s, dim=0)
    return w @ value, w

# %% mistake="scale-by-dk: and the first value is missing" also="first-left-out"
def attend_one(query_i, key, value):
    s = key @ query_i / key.shape[1]
    w = torch.softmax(s, dim=0)
    c = torch.zeros(value.shape[1])
    for j in range(1, len(value)):
        c += w[j] * value[j]
    return c, w

# %% mistake="missing-scale: and overflows in math" also="unstable-softmax"
def attend_one(query_i, key, value):
    s = (key @ query_i).tolist()
    e = [math.exp(x) for x in s]
    w = [x / sum(e) for x in e]
    c = torch.zeros(value.shape[1])
    for j in range(len(w)):
        c += w[j] * value[j]
    return c, torch.tensor(w)

# %% mistake="scale-by-scores: the largest"
def attend_one(query_i, key, value):
    s = torch.stack([torch.dot(query_i, k) for k in key])
    s /= s.max()
    w = torch.softmax(s, 0)
    return w @ value, w

# %% mistake="scale-fixed: a d_k of two, and the scores returned" also="returns-scores"
def attend_one(query_i, key, value):
    s = key @ query_i / 2 ** 0.5
    w = torch.softmax(s, 0)
    return value.T @ w, s

# %% mistake="scores-clamped: both ways"
def attend_one(query_i, key, value):
    s = torch.clamp(key @ query_i / len(query_i) ** 0.5, -80, 80)
    e = torch.exp(s)
    w = e / e.sum()
    return w @ value, w

# %% mistake="rounded: as in print"
def attend_one(query_i, key, value):
    s = key @ query_i / math.sqrt(key.shape[-1])
    w = s.softmax(0).round(decimals=4)
    return w @ value, w

# %% mistake="unstable-softmax: and overwritten in the loop" also="last-round-only"
def attend_one(query_i, key, value):
    s = torch.zeros(len(key))
    for j in range(len(key)):
        for k in range(len(query_i)):
            s[j] += query_i[k] * key[j, k] / math.sqrt(len(query_i))
    w = torch.zeros(len(key))
    for j in range(len(key)):
        w[j] = torch.exp(s[j]) / torch.exp(s).sum()
    c = torch.zeros(value.shape[1])
    for j in range(len(key)):
        c = w[j] * value[j]
    return c, w

# %% mistake="divided-first: and the keys are mixed" also="shared-projection"
def attend_one(query_i, key, value):
    s = key @ query_i / math.sqrt(key.shape[-1])
    w = s / s.sum()
    w = torch.softmax(w, 0)
    return w @ key, w

# %% mistake="residual-added: the first value is not weighed"
def attend_one(query_i, key, value):
    w = torch.softmax(key @ query_i / len(query_i) ** 0.5, 0)
    c = value[0]
    for j in range(1, len(value)):
        c = c + w[j] * value[j]
    return c, w

# %% mistake="sum-normalized: and a mean" also="mean-not-sum"
def attend_one(query_i, key, value):
    s = key @ query_i / len(query_i) ** 0.5
    w = s / s.sum()
    return (w.unsqueeze(1) * value).mean(dim=0), w

# %% mistake="unrecognized: one weight for all"
def attend_one(query_i, key, value):
    w = torch.softmax(key @ query_i / len(query_i) ** 0.5, 0)
    c = 0
    for j in range(len(value)):
        c += w[0] * value[j]
    return c, w

# %% correct="from a plain 0"
def attend_one(query_i, key, value):
    alpha = torch.softmax(key @ query_i / key.shape[1] ** 0.5, dim=0)
    z = 0
    for j in range(0, len(alpha)):
        z = z + alpha[j] * value[j]
    return z, alpha

# %% mistake="first-left-out: from a plain 0" never="Print what the loop runs over" edits="from a plain 0"
# - for j in range(0, len(alpha)):
# + for j in range(1, len(alpha)):

# %% mistake="last-left-out: from a plain 0" edits="from a plain 0"
# - for j in range(0, len(alpha)):
# + for j in range(0, len(alpha) - 1):

# %% mistake="elementwise-product: the values at the end"
def attend_one(query_i, key, value):
    weights = torch.softmax(key @ query_i / key.shape[-1] ** 0.5, dim=-1)
    return weights * value, weights
