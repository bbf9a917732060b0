# %% setup
import math

import torch

# %% correct="mine"
def softmax_stable(x):
    largest = x.max(dim=-1, keepdim=True).values
    shifted = x - largest
    powers = torch.exp(shifted)
    total = powers.sum(dim=-1, keepdim=True)
    return powers / total

# %% mistake="global-maximum: one for all" edits="mine"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = x.max()

# %% mistake="keepdim-missing: in both" edits="mine"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = x.max(dim=-1).values
# - total = powers.sum(dim=-1, keepdim=True)
# + total = powers.sum(dim=-1)

# %% mistake="raises: values and places" says="returns two things at once" edits="mine"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = x.max(dim=-1, keepdim=True)

# %% mistake="softmax-wrong-axis: 0" edits="mine"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = x.max(dim=0, keepdim=True).values
# - total = powers.sum(dim=-1, keepdim=True)
# + total = powers.sum(dim=0, keepdim=True)

# %% mistake="fixed-number-of-axes: 1" edits="mine"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = x.max(dim=1, keepdim=True).values
# - total = powers.sum(dim=-1, keepdim=True)
# + total = powers.sum(dim=1, keepdim=True)

# %% mistake="softmax-over-all: that of a vector" edits="mine"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = x.max()
# - total = powers.sum(dim=-1, keepdim=True)
# + total = powers.sum()

# %% mistake="fixed-number-of-axes: a loop over rows"
def softmax_stable(x):
    rows = []
    for row in x:
        powers = torch.exp(row - row.max())
        rows.append(powers / powers.sum())
    return torch.stack(rows)

# %% mistake="fixed-number-of-axes: a vector or a matrix"
def softmax_stable(x):
    if x.dim() == 1:
        powers = torch.exp(x - x.max())
        return powers / powers.sum()
    rows = []
    for row in x:
        powers = torch.exp(row - row.max())
        rows.append(powers / powers.sum())
    return torch.stack(rows)

# %% mistake="input-modified: in place" edits="mine"
# - shifted = x - largest
# + x -= largest
# + shifted = x

# %% mistake="keepdim-missing: in the sum" edits="mine"
# - total = powers.sum(dim=-1, keepdim=True)
# + total = powers.sum(dim=-1)

# %% mistake="divided-by-largest: by the largest" edits="mine"
# - shifted = x - largest
# + shifted = x / largest

# %% mistake="not-finite: 1000 for the largest" edits="mine"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = 1000

# %% mistake="wrong-divisor: the sum without the shift" edits="mine"
# - total = powers.sum(dim=-1, keepdim=True)
# + total = torch.exp(x).sum(dim=-1, keepdim=True)

# %% mistake="raises: values of the maximum of all" says="is a function, not what it returns" edits="mine"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = x.max().values

# %% mistake="raises: Python's max of a matrix"
def softmax_stable(x):
    rows = []
    for row in x:
        largest = max(row)
        powers = [torch.exp(number - largest) for number in row]
        rows.append([power / sum(powers) for power in powers])
    return torch.tensor(rows)

# %% mistake="softmax-wrong-axis: and the maximum of all" edits="mine"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = x.max()
# - total = powers.sum(dim=-1, keepdim=True)
# + total = powers.sum(dim=0, keepdim=True)

# %% mistake="exponential-turned: the other way round" edits="mine"
# - shifted = x - largest
# + shifted = largest - x

# %% mistake="unrecognized: rough-e" edits="mine"
# - powers = torch.exp(shifted)
# + powers = 2.718 ** shifted

# %% mistake="unstable-softmax: the minimum" edits="mine"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = x.min(dim=-1, keepdim=True).values

# %% correct="the logarithm of the sum"
def softmax_stable(x):
    return x.sub(x.logsumexp(-1, keepdim=True)).exp()

# %% mistake="unstable-softmax: and scaled" also="scale-unexpected"
def softmax_stable(x):
    powers = torch.exp(x / x.shape[-1] ** 0.5)
    return powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="scale-unexpected: one sum for all" also="softmax-over-all"
def softmax_stable(x):
    x = x / x.size(-1) ** 0.5
    powers = (x - x.amax(dim=-1, keepdim=True)).exp()
    return powers / powers.sum()

# %% mistake="scale-unexpected: nothing divided" also="not-normalized"
def softmax_stable(x):
    x = x / x.size(-1) ** 0.5
    return (x - x.amax(dim=-1, keepdim=True)).exp()

# %% mistake="last-left-out: plain numbers"
def softmax_stable(x):
    rows = x.reshape(-1, x.shape[-1])
    out = []
    for row in rows:
        m = row.max().item()
        e = [math.exp(v.item() - m) for v in row]
        out.append([a / sum(e[:-1]) for a in e])
    return torch.tensor(out).reshape(x.shape)

# %% mistake="maximum-wrong-axis: 0"
def softmax_stable(x):
    x = x - x.max(dim=0).values
    p = torch.exp(x)
    return p / p.sum(dim=-1, keepdim=True)

# %% mistake="rough-e: 2.72"
def softmax_stable(x):
    p = 2.72 ** (x - x.max(dim=-1, keepdim=True).values)
    return p / p.sum(dim=-1, keepdim=True)

# %% mistake="unrecognized: a little added to the sum"
def softmax_stable(x):
    m = x.max(dim=-1, keepdim=True).values
    p = torch.exp(x - m)
    return p / (p.sum(dim=-1, keepdim=True) + 1e-3)

# %% mistake="unstable-softmax: the mean subtracted" never="overflows"
def softmax_stable(x):
    p = torch.exp(x - x.mean(dim=-1, keepdim=True))
    return p / p.sum(dim=-1, keepdim=True)

# %% mistake="unstable-softmax: the largest size subtracted"
def softmax_stable(x):
    m = x.abs().max(dim=-1, keepdim=True).values
    p = torch.exp(x - m)
    return p / p.sum(dim=-1, keepdim=True)

# %% mistake="scores-clamped: both ways"
def softmax_stable(x):
    e = torch.exp(torch.clamp(x, -80, 80))
    return e / e.sum(dim=-1, keepdim=True)

# %% mistake="keepdim-missing: and the maximum of the first row" also="global-maximum"
def softmax_stable(x):
    m = x[0].max()
    p = torch.exp(x - m)
    return p / p.sum(dim=-1).unsqueeze(0)

# %% mistake="rough-e: 2.72, and no shift" also="unstable-softmax" edits="mine"
# - shifted = x - largest
# - powers = torch.exp(shifted)
# + powers = 2.72**x

# %% mistake="wrong-divisor: the sum of what was shifted" edits="mine"
# - total = powers.sum(dim=-1, keepdim=True)
# + total = shifted.sum(dim=-1, keepdim=True)

# %% mistake="wrong-divisor: multiplied back" edits="mine"
# - return powers / total
# + return powers / total * torch.exp(largest)

# %% mistake="shifted-too-late: after the exponential" edits="mine"
# - largest = x.max(dim=-1, keepdim=True).values
# - shifted = x - largest
# - powers = torch.exp(shifted)
# + powers = torch.exp(x)
# + powers = powers - powers.max(dim=-1, keepdim=True).values

# %% mistake="global-maximum: not started anew for a row"
def softmax_stable(x):
    flat = x.reshape(-1, x.shape[-1])
    rows = []
    m = flat[0].max()
    for row in flat:
        if row.max() > m:
            m = row.max()
        p = torch.exp(row - m)
        rows.append(p / p.sum())
    return torch.stack(rows).reshape(x.shape)

# %% mistake="last-left-out: the last row" also="fixed-number-of-axes"
def softmax_stable(x):
    o = torch.zeros_like(x)
    for i in range(len(x) - 1):
        p = torch.exp(x[i] - x[i].max())
        o[i] = p / p.sum()
    return o

# %% mistake="not-normalized: and dim=1" also="fixed-number-of-axes"
def softmax_stable(x):
    return torch.exp(x - x.max(dim=1, keepdim=True).values)

# %% mistake="keepdim-missing: and dim=1" also="fixed-number-of-axes"
def softmax_stable(x):
    m = x.max(dim=1, keepdim=True).values
    p = torch.exp(x - m)
    return p / p.sum(dim=-1)

# %% mistake="renormalized-wrong-axis: Python's sum" never="softmax along another axis"
def softmax_stable(x):
    powers = torch.exp(x - x.amax(dim=-1, keepdim=True))
    return powers / sum(powers)

# %% mistake="raises: NumPy's maximum" says="of NumPy is called on this line" never="is None|axis, others dim"
import numpy as np
def softmax_stable(x):
    m = np.max(x, axis=-1, keepdims=True)
    e = torch.exp(x - m)
    return e / e.sum(dim=-1, keepdim=True)

# %% mistake="unrecognized: e with few digits, and nothing subtracted" never="fails for some scores"
def softmax_stable(x):
    powers = 2.718**x
    return powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="fixed-number-of-axes: one maximum and one sum for each first index" never="sum to 1 all together"
def softmax_stable(x):
    out = torch.zeros(x.shape)
    for i in range(x.shape[0]):
        p = torch.exp(x[i] - x[i].max())
        out[i] = p / p.sum()
    return out
