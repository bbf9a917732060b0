# %% setup
import numpy as np
import torch


# %% correct="textbook"
def softmax(x, axis=-1):
    shifted = x - x.max(axis=axis, keepdims=True)
    powers = np.exp(shifted)
    return powers / powers.sum(axis=axis, keepdims=True)


# %% correct="functions of NumPy"
def softmax(x, axis=-1):
    e_x = np.exp(np.subtract(x, np.amax(x, axis, keepdims=True)))
    return np.divide(e_x, np.sum(e_x, axis=axis, keepdims=True))


# %% correct="the axis put back by hand" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + shifted = x - np.expand_dims(np.max(x, axis=axis), axis)
# - return powers / powers.sum(axis=axis, keepdims=True)
# + return powers / np.expand_dims(np.sum(powers, axis=axis), axis)


# %% correct="one row at a time"
def softmax(x, axis=-1):
    def of_row(row):
        powers = np.exp(row - max(row))
        return powers / sum(powers)

    return np.apply_along_axis(of_row, axis, x)


# %% correct="logarithm of the sum"
def softmax(x, axis=-1):
    shifted = x - np.max(x, axis=axis, keepdims=True)
    return np.exp(shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True)))


# %% correct="moved to the end"
def softmax(x, axis=-1):
    x = np.moveaxis(x, axis, -1)
    x = np.exp(x - x.max(-1)[..., None])
    return np.moveaxis(x / x.sum(-1)[..., None], -1, axis)


# %% mistake="not-implemented"
def softmax(x, axis=-1):
    raise NotImplementedError("Write your answer here, then delete this line.")


# %% mistake="unstable-softmax" also="not-finite" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + shifted = x

# %% mistake="unstable-softmax: the smallest is subtracted" also="not-finite" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + shifted = x - x.min(axis=axis, keepdims=True)

# %% mistake="unstable-softmax: the mean is subtracted" also="not-finite" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + shifted = x - x.mean(axis=axis, keepdims=True)

# %% mistake="global-maximum" also="not-finite" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + shifted = x - x.max()

# %% mistake="softmax-wrong-axis: rows are taken for columns" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + shifted = x - x.max(axis=0, keepdims=True)
# - return powers / powers.sum(axis=axis, keepdims=True)
# + return powers / powers.sum(axis=0, keepdims=True)

# %% mistake="softmax-wrong-axis: always the last" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + shifted = x - x.max(axis=-1, keepdims=True)
# - return powers / powers.sum(axis=axis, keepdims=True)
# + return powers / powers.sum(axis=-1, keepdims=True)

# %% mistake="softmax-wrong-axis: always axis 1" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + shifted = x - x.max(axis=1, keepdims=True)
# - return powers / powers.sum(axis=axis, keepdims=True)
# + return powers / powers.sum(axis=1, keepdims=True)

# %% mistake="softmax-wrong-axis: the default is the first" edits="textbook"
# - def softmax(x, axis=-1):
# + def softmax(x, axis=0):

# %% mistake="softmax-over-all" edits="textbook"
# - return powers / powers.sum(axis=axis, keepdims=True)
# + return powers / powers.sum()

# %% mistake="keepdim-missing" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + shifted = x - x.max(axis=axis)
# - return powers / powers.sum(axis=axis, keepdims=True)
# + return powers / powers.sum(axis=axis)

# %% mistake="keepdim-missing: in the sum" edits="textbook"
# - return powers / powers.sum(axis=axis, keepdims=True)
# + return powers / powers.sum(axis=axis)

# %% mistake="keepdim-missing: in the maximum" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + shifted = x - x.max(axis=axis)

# %% mistake="keepdim-missing: without the maximum" also="unstable-softmax" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + shifted = x
# - return powers / powers.sum(axis=axis, keepdims=True)
# + return powers / powers.sum(axis=axis)

# %% mistake="sum-normalized" edits="textbook"
# - powers = np.exp(shifted)
# + powers = x

# %% mistake="not-normalized" edits="textbook"
# - return powers / powers.sum(axis=axis, keepdims=True)
# + return powers

# %% mistake="wrong-divisor: the mean" edits="textbook"
# - return powers / powers.sum(axis=axis, keepdims=True)
# + return powers / powers.mean(axis=axis, keepdims=True)


# %% mistake="log-softmax"
def softmax(x, axis=-1):
    shifted = x - x.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


# %% mistake="scores-clamped" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + shifted = np.clip(x, -500, 500)

# %% mistake="softmax-unexpected: twice" edits="textbook"
# - return powers / powers.sum(axis=axis, keepdims=True)
# + once = powers / powers.sum(axis=axis, keepdims=True)
# + again = np.exp(once)
# + return again / again.sum(axis=axis, keepdims=True)

# %% mistake="hard-lookup" edits="textbook"
# - powers = np.exp(shifted)
# + powers = (shifted == 0).astype(float)

# %% mistake="input-modified" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + x -= x.max(axis=axis, keepdims=True)
# + shifted = x

# %% mistake="input-modified: out" edits="textbook"
# - powers = np.exp(shifted)
# + powers = np.exp(shifted, out=x)


# %% mistake="forbidden-call: torch's softmax"
def softmax(x, axis=-1):
    return torch.softmax(torch.from_numpy(x), dim=axis).numpy()


# %% mistake="forbidden-call: a tensor's method, and a tensor comes back"
def softmax(x, axis=-1):
    return torch.tensor(x).softmax(axis)


# %% mistake="wrong-type: a tensor"
def softmax(x, axis=-1):
    powers = torch.exp(torch.from_numpy(x - x.max(axis=axis, keepdims=True)))
    return powers / powers.sum(dim=axis, keepdim=True)


# %% mistake="wrong-type: a list" edits="textbook"
# - return powers / powers.sum(axis=axis, keepdims=True)
# + return list(powers / powers.sum(axis=axis, keepdims=True))

# %% mistake="wrong-type: no return" edits="textbook"
# - return powers / powers.sum(axis=axis, keepdims=True)
# + powers / powers.sum(axis=axis, keepdims=True)

# %% mistake="wrong-type: an array of objects" edits="textbook"
# - return powers / powers.sum(axis=axis, keepdims=True)
# + return (powers / powers.sum(axis=axis, keepdims=True)).astype(object)

# %% mistake="wrong-dtype: float32" edits="textbook"
# - powers = np.exp(shifted)
# + powers = np.exp(shifted.astype(np.float32))

# %% mistake="raises: torch's words" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + shifted = x - x.max(dim=axis, keepdim=True)

# %% mistake="rough-e: powers of 2" edits="textbook"
# - powers = np.exp(shifted)
# + powers = np.exp2(shifted)

# %% mistake="unrecognized: a little is added to the sum" edits="textbook"
# - return powers / powers.sum(axis=axis, keepdims=True)
# + return powers / (powers.sum(axis=axis, keepdims=True) + 0.01)

# %% mistake="precision-lost: rounded on the way" edits="textbook"
# - powers = np.exp(shifted)
# + powers = np.exp(shifted.astype(np.float32)).astype(np.float64)

# %% mistake="unstable-softmax: the first is subtracted" also="not-finite" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + shifted = x - np.take(x, [0], axis=axis)

# %% mistake="unstable-softmax: the largest in size is subtracted" also="not-finite" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + size = np.abs(x).max(axis=axis, keepdims=True)
# + shifted = x - np.where(np.isinf(size), 0.0, size)

# %% mistake="state-kept: found again by its place in memory" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + known = softmax.__dict__.setdefault("known", {})
# + place = (x.ctypes.data, x.shape, axis)
# + x = known.setdefault(place, (x.copy(), x))[0]
# + shifted = x - x.max(axis=axis, keepdims=True)

# %% mistake="layout-dependent" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + x = x.ravel(order="K").reshape(x.shape)
# + shifted = x - x.max(axis=axis, keepdims=True)

# %% mistake="softmax-wrong-axis: the last, in the sum" edits="textbook"
# - return powers / powers.sum(axis=axis, keepdims=True)
# + return powers / powers.sum(axis=-1, keepdims=True)

# %% mistake="softmax-wrong-axis: the first, in the sum" edits="textbook"
# - return powers / powers.sum(axis=axis, keepdims=True)
# + return powers / powers.sum(axis=0, keepdims=True)

# %% mistake="exponential-twice" edits="textbook"
# - powers = np.exp(shifted)
# + powers = np.exp(np.exp(shifted))

# %% mistake="exponential-twice: of the scores, before the shift" also="unstable-softmax" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + x = np.exp(x)
# + shifted = x - x.max(axis=axis, keepdims=True)

# %% mistake="unstable-softmax: a maximum that starts at 0" also="not-finite" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + shifted = x - np.maximum(x.max(axis=axis, keepdims=True), 0)

# %% mistake="unstable-softmax: the largest in size, infinite or not" also="not-finite" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + shifted = x - np.abs(x).max(axis=axis, keepdims=True)

# %% mistake="unstable-softmax: and divided by the largest" also="not-normalized" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + shifted = x
# - return powers / powers.sum(axis=axis, keepdims=True)
# + return powers / powers.max(axis=axis, keepdims=True)

# %% mistake="nan-covered: overflow and all" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + shifted = x
# - return powers / powers.sum(axis=axis, keepdims=True)
# + return np.nan_to_num(powers / powers.sum(axis=axis, keepdims=True))


# %% mistake="softmax-wrong-axis: the rows of a matrix, one by one"
def softmax(x, axis=-1):
    shares = np.zeros_like(x)
    for i in range(len(x)):
        powers = np.exp(x[i] - max(x[i]))
        shares[i] = powers / sum(powers)
    return shares


# %% mistake="infinity-replaced" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + x = np.where(x == -np.inf, 0, x)
# + shifted = x - x.max(axis=axis, keepdims=True)

# %% mistake="infinity-replaced: by the smallest" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + x = np.where(np.isinf(x), np.min(np.where(np.isinf(x), np.inf, x)), x)
# + shifted = x - x.max(axis=axis, keepdims=True)

# %% mistake="infinity-replaced: after the shift" edits="textbook"
# - powers = np.exp(shifted)
# + powers = np.exp(np.where(np.isinf(shifted), 0, shifted))

# %% mistake="unstable-softmax: exponentials without infinity" also="not-finite" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + shifted = x
# - powers = np.exp(shifted)
# + powers = np.nan_to_num(np.exp(shifted))

# %% mistake="wrong-divisor: how many there are" edits="textbook"
# - return powers / powers.sum(axis=axis, keepdims=True)
# + return powers / x.shape[axis]

# %% mistake="wrong-divisor: the sum of what is not shifted" edits="textbook"
# - return powers / powers.sum(axis=axis, keepdims=True)
# + return powers / np.exp(x).sum(axis=axis, keepdims=True)

# %% mistake="wrong-divisor: shares of what is not shifted" edits="textbook"
# - return powers / powers.sum(axis=axis, keepdims=True)
# + return np.exp(x) / powers.sum(axis=axis, keepdims=True)

# %% mistake="scores-rescaled: divided by the largest" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + shifted = x / x.max(axis=axis, keepdims=True)

# %% mistake="scores-rescaled: divided by the largest of all" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + shifted = x / x.max()

# %% mistake="scores-rescaled: shifted, then divided" edits="textbook"
# - powers = np.exp(shifted)
# + powers = np.exp(shifted / x.max(axis=axis, keepdims=True))

# %% mistake="shifted-too-late: the exponential of the largest" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# - powers = np.exp(shifted)
# + powers = np.exp(x) - np.exp(x.max(axis=axis, keepdims=True))

# %% mistake="shifted-too-late: the largest" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# - powers = np.exp(shifted)
# + powers = np.exp(x) - x.max(axis=axis, keepdims=True)

# %% mistake="sum-normalized: what is left after the shift" edits="textbook"
# - powers = np.exp(shifted)
# + powers = shifted

# %% mistake="exponential-turned" edits="textbook"
# - powers = np.exp(shifted)
# + powers = np.exp(-shifted)

# %% mistake="not-normalized: and no maximum" also="unstable-softmax" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + shifted = x
# - return powers / powers.sum(axis=axis, keepdims=True)
# + return powers


# %% correct="one step a line"
def softmax(x, axis=-1):
    scores = x
    largest = np.max(scores, axis=axis, keepdims=True)
    shifted = scores - largest
    e = np.exp(shifted)
    total = np.sum(e, axis=axis, keepdims=True)
    shares = e / total
    return shares


# %% mistake="softmax-over-all: a step" edits="one step a line"
# - total = np.sum(e, axis=axis, keepdims=True)
# + total = np.sum(e)

# %% mistake="softmax-wrong-axis: a step, the last, in the sum" edits="one step a line"
# - total = np.sum(e, axis=axis, keepdims=True)
# + total = np.sum(e, axis=-1, keepdims=True)

# %% mistake="softmax-wrong-axis: a step, Python's sum" edits="one step a line"
# - total = np.sum(e, axis=axis, keepdims=True)
# + total = sum(e)

# %% mistake="keepdim-missing: a step, in the sum" edits="one step a line"
# - total = np.sum(e, axis=axis, keepdims=True)
# + total = np.sum(e, axis=axis)

# %% mistake="keepdim-missing: a step, in the maximum" edits="one step a line"
# - largest = np.max(scores, axis=axis, keepdims=True)
# + largest = np.max(scores, axis=axis)

# %% mistake="wrong-divisor: a step, the mean" edits="one step a line"
# - total = np.sum(e, axis=axis, keepdims=True)
# + total = np.mean(e, axis=axis, keepdims=True)

# %% mistake="wrong-divisor: a step, how many there are" edits="one step a line"
# - total = np.sum(e, axis=axis, keepdims=True)
# + total = x.shape[axis]

# %% mistake="not-normalized: a step" edits="one step a line"
# - shares = e / total
# + shares = e

# %% mistake="softmax-unexpected: a step, twice" edits="one step a line"
# - return shares
# + return np.exp(shares) / np.exp(shares).sum(axis=axis, keepdims=True)

# %% mistake="infinity-replaced: a step" edits="one step a line"
# - scores = x
# + scores = np.where(x == -np.inf, 0, x)

# %% mistake="exponential-turned: a step" edits="one step a line"
# - e = np.exp(shifted)
# + e = np.exp(-shifted)

# %% mistake="exponential-twice: a step" edits="one step a line"
# - e = np.exp(shifted)
# + e = np.exp(np.exp(shifted))

# %% mistake="rough-e: a step" edits="one step a line"
# - e = np.exp(shifted)
# + e = 2**shifted

# %% mistake="sum-normalized: a step" edits="one step a line"
# - e = np.exp(shifted)
# + e = shifted

# %% mistake="scores-rescaled: a step" edits="one step a line"
# - shifted = scores - largest
# + shifted = scores / largest

# %% mistake="unstable-softmax: a step, nothing is subtracted" also="not-finite" edits="one step a line"
# - shifted = scores - largest
# + shifted = scores

# %% mistake="unstable-softmax: a step, the smallest" also="not-finite" edits="one step a line"
# - largest = np.max(scores, axis=axis, keepdims=True)
# + largest = np.min(scores, axis=axis, keepdims=True)

# %% mistake="unstable-softmax: a step, the largest in size" also="not-finite" edits="one step a line"
# - largest = np.max(scores, axis=axis, keepdims=True)
# + largest = np.abs(scores).max(axis=axis, keepdims=True)

# %% mistake="global-maximum: a step" also="not-finite" edits="one step a line"
# - largest = np.max(scores, axis=axis, keepdims=True)
# + largest = np.max(scores)

# %% mistake="maximum-wrong-axis: that of each row" edits="textbook"
# - shifted = x - x.max(axis=axis, keepdims=True)
# + shifted = x - x.max(axis=-1, keepdims=True)
