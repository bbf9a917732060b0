# %% setup
import numpy as np

# %% correct="mine"
def softmax(x, axis=-1):
    largest = np.max(x, axis=axis, keepdims=True)
    e = np.exp(x - largest)
    total = np.sum(e, axis=axis, keepdims=True)
    return e / total

# %% mistake="unstable-softmax: no maximum" edits="mine"
# - e = np.exp(x - largest)
# + e = np.exp(x)

# %% mistake="softmax-wrong-axis: axis is ignored" edits="mine"
# - largest = np.max(x, axis=axis, keepdims=True)
# + largest = np.max(x, axis=-1, keepdims=True)
# - total = np.sum(e, axis=axis, keepdims=True)
# + total = np.sum(e, axis=-1, keepdims=True)

# %% mistake="softmax-wrong-axis: axis is ignored in the sum alone" edits="mine"
# - total = np.sum(e, axis=axis, keepdims=True)
# + total = np.sum(e, axis=-1, keepdims=True)

# %% mistake="softmax-wrong-axis: axis is ignored, without a maximum" also="unstable-softmax" edits="mine"
# - e = np.exp(x - largest)
# - total = np.sum(e, axis=axis, keepdims=True)
# + e = np.exp(x)
# + total = np.sum(e, axis=-1, keepdims=True)

# %% mistake="keepdim-missing: in the sum, one maximum for all" also="global-maximum" edits="mine"
# - largest = np.max(x, axis=axis, keepdims=True)
# + largest = np.max(x)
# - total = np.sum(e, axis=axis, keepdims=True)
# + total = np.sum(e, axis=axis)

# %% mistake="global-maximum: one for all" edits="mine"
# - largest = np.max(x, axis=axis, keepdims=True)
# + largest = np.max(x)

# %% mistake="input-modified: in place" edits="mine"
# - e = np.exp(x - largest)
# + x -= largest
# + e = np.exp(x)

# %% mistake="raises: the names of torch" edits="mine"
# - total = np.sum(e, axis=axis, keepdims=True)
# + total = np.sum(e, dim=axis, keepdim=True)

# %% mistake="unstable-softmax: the smallest is subtracted" edits="mine"
# - largest = np.max(x, axis=axis, keepdims=True)
# + largest = np.min(x, axis=axis, keepdims=True)

# %% mistake="forbidden-call: torch" edits="mine"
# - return e / total
# + import torch
# + return torch.softmax(torch.from_numpy(x), dim=axis).numpy()

# %% mistake="softmax-over-all: one sum for all" edits="mine"
# - total = np.sum(e, axis=axis, keepdims=True)
# + total = np.sum(e)

# %% mistake="softmax-over-all: one sum and one maximum for all" edits="mine"
# - largest = np.max(x, axis=axis, keepdims=True)
# + largest = np.max(x)
# - total = np.sum(e, axis=axis, keepdims=True)
# + total = e.sum()

# %% mistake="softmax-over-all: one sum for all, no maximum" also="unstable-softmax" edits="mine"
# - e = np.exp(x - largest)
# - total = np.sum(e, axis=axis, keepdims=True)
# + e = np.exp(x)
# + total = e.sum()

# %% mistake="keepdim-missing: in the sum" edits="mine"
# - total = np.sum(e, axis=axis, keepdims=True)
# + total = np.sum(e, axis=axis)

# %% mistake="keepdim-missing: in both" edits="mine"
# - largest = np.max(x, axis=axis, keepdims=True)
# + largest = np.max(x, axis=axis)
# - total = np.sum(e, axis=axis, keepdims=True)
# + total = np.sum(e, axis=axis)

# %% mistake="keepdim-missing: in the maximum" edits="mine"
# - largest = np.max(x, axis=axis, keepdims=True)
# + largest = np.max(x, axis=axis)

# %% mistake="exponential-turned: the exponential of minus" edits="mine"
# - e = np.exp(x - largest)
# + e = np.exp(largest - x)

# %% mistake="unrecognized: 2.718" edits="mine"
# - e = np.exp(x - largest)
# + e = 2.718 ** (x - largest)

# %% mistake="exponential-twice: one more before" edits="mine"
# - e = np.exp(x - largest)
# + e = np.exp(np.exp(x - largest))

# %% mistake="softmax-unexpected: called again on its result" edits="mine"
# - return e / total
# + shares = e / total
# + return np.exp(shares) / np.exp(shares).sum(axis=axis, keepdims=True)

# %% mistake="not-normalized: forgot to divide" edits="mine"
# - return e / total
# + return e

# %% mistake="unstable-softmax: and divided by the largest" also="not-normalized" edits="mine"
# - e = np.exp(x - largest)
# - total = np.sum(e, axis=axis, keepdims=True)
# + e = np.exp(x)
# + total = np.max(e, axis=axis, keepdims=True)

# %% mistake="unstable-softmax: the mean" edits="mine"
# - largest = np.max(x, axis=axis, keepdims=True)
# + largest = np.mean(x, axis=axis, keepdims=True)

# %% mistake="unstable-softmax: the largest in size" edits="mine"
# - largest = np.max(x, axis=axis, keepdims=True)
# + largest = np.abs(x).max(axis=axis, keepdims=True)

# %% mistake="unstable-softmax: the largest, or 0" edits="mine"
# - largest = np.max(x, axis=axis, keepdims=True)
# + largest = np.maximum(np.max(x, axis=axis, keepdims=True), 0)

# %% mistake="softmax-wrong-axis: row by row"
def softmax(x, axis=-1):
    out = np.zeros_like(x)
    for i in range(len(x)):
        e = np.exp(x[i] - max(x[i]))
        out[i] = e / sum(e)
    return out

# %% mistake="nan-covered: nan_to_num" edits="mine"
# - e = np.exp(x - largest)
# + e = np.exp(x)
# - return e / total
# + return np.nan_to_num(e / total)

# %% mistake="scores-clamped: and float32" edits="mine"
# - e = np.exp(x - largest)
# + e = np.exp(np.clip(x, -50, 50))
# - return e / total
# + return (e / total).astype(np.float32)

# %% mistake="softmax-wrong-axis: 2 for e, and axis 0" also="rough-e" edits="mine"
# - def softmax(x, axis=-1):
# + def softmax(x, axis=0):
# - e = np.exp(x - largest)
# + e = 2 ** (x - largest)

# %% mistake="infinity-replaced: 0 for minus infinity" edits="mine"
# - largest = np.max(x, axis=axis, keepdims=True)
# + x = np.where(x == -np.inf, 0, x)
# + largest = np.max(x, axis=axis, keepdims=True)

# %% mistake="unstable-softmax: nan_to_num of the exponentials" also="not-finite" edits="mine"
# - e = np.exp(x - largest)
# + e = np.nan_to_num(np.exp(x))

# %% mistake="input-modified: in place, and axis is ignored" also="softmax-wrong-axis" edits="mine"
# - largest = np.max(x, axis=axis, keepdims=True)
# - e = np.exp(x - largest)
# - total = np.sum(e, axis=axis, keepdims=True)
# + x -= np.max(x, axis=-1, keepdims=True)
# + e = np.exp(x)
# + total = np.sum(e, axis=-1, keepdims=True)

# %% mistake="softmax-wrong-axis: number by number, for two axes alone"
def softmax(x, axis=-1):
    out = np.zeros(x.shape)
    for i in range(len(x)):
        row = x[i]
        e = [np.exp(v - max(row)) for v in row]
        for j in range(len(row)):
            out[i, j] = e[j] / sum(e)
    return out

# %% mistake="softmax-wrong-axis: Python's sum" edits="mine"
# - total = np.sum(e, axis=axis, keepdims=True)
# + total = sum(e)

# %% mistake="wrong-divisor: how many there are" edits="mine"
# - total = np.sum(e, axis=axis, keepdims=True)
# + total = x.shape[axis]

# %% mistake="wrong-divisor: the sum is of what is not shifted" edits="mine"
# - total = np.sum(e, axis=axis, keepdims=True)
# + total = np.sum(np.exp(x), axis=axis, keepdims=True)

# %% mistake="scores-rescaled: by the largest" edits="mine"
# - e = np.exp(x - largest)
# + e = np.exp(x / largest)

# %% mistake="shifted-too-late: the largest of the exponentials is subtracted" edits="mine"
# - e = np.exp(x - largest)
# + e = np.exp(x) - np.exp(largest)

# %% mistake="sum-normalized: no exponential at all" edits="mine"
# - e = np.exp(x - largest)
# + e = x - largest

# %% mistake="softmax-wrong-axis: brackets with None for two axes"
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=1)[:, None])
    return e / e.sum(axis=1)[:, None]

# %% mistake="not-normalized: and no maximum" also="unstable-softmax" edits="mine"
# - e = np.exp(x - largest)
# + e = np.exp(x)
# - return e / total
# + return e

# %% mistake="exponential-turned: minus, no maximum" also="unstable-softmax" edits="mine"
# - e = np.exp(x - largest)
# + e = np.exp(-x)

# %% mistake="global-maximum: one maximum, and axis ignored" also="softmax-wrong-axis" edits="mine"
# - largest = np.max(x, axis=axis, keepdims=True)
# + largest = np.max(x)
# - total = np.sum(e, axis=axis, keepdims=True)
# + total = np.sum(e, axis=-1, keepdims=True)

# %% mistake="raises: a method that arrays lack" never="NumPy knows no such name" says="no method of this name"
def softmax(x, axis=-1):
    powers = (x - x.max(axis=axis, keepdims=True)).exp()
    return powers / powers.sum(axis=axis, keepdims=True)
