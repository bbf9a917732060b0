# %% setup
import math

import torch
import torch.nn.functional as F


# %% correct="textbook"
def softmax_stable(x):
    largest = x.max(dim=-1, keepdim=True).values
    powers = torch.exp(x - largest)
    return powers / powers.sum(dim=-1, keepdim=True)


# %% correct="amax, summed with unsqueeze" edits="textbook"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = x.amax(-1).unsqueeze(-1)
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers / powers.sum(-1)[..., None]

# %% correct="the maximum cut off from the gradient" edits="textbook"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = x.max(dim=-1, keepdim=True)[0].detach()

# %% correct="logarithm of the sum" edits="textbook"
# - largest = x.max(dim=-1, keepdim=True).values
# - powers = torch.exp(x - largest)
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return torch.exp(x - torch.logsumexp(x, dim=-1, keepdim=True))


# %% correct="one row at a time"
def softmax_stable(x):
    rows = []
    for row in x.reshape(-1, x.shape[-1]):
        powers = torch.exp(row - max(row))
        rows.append(powers / sum(powers))
    return torch.stack(rows).reshape(x.shape)


# %% correct="recursion over the axes in front"
def softmax_stable(x):
    if x.dim() > 1:
        return torch.stack([softmax_stable(part) for part in x])
    powers = (x - x.max()).exp()
    return powers / powers.sum()


# %% correct="einsum for the sum" edits="textbook"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers / torch.einsum("...n->...", powers).unsqueeze(-1)

# %% mistake="raises: the largest and their places" edits="textbook"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = x.max(dim=-1, keepdim=True)

# %% mistake="raises: Python's max" edits="textbook"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = max(x)

# %% mistake="unstable-softmax" also="not-finite" edits="textbook"
# - powers = torch.exp(x - largest)
# + powers = torch.exp(x)

# %% mistake="unstable-softmax: in float64" also="not-finite" edits="textbook"
# - powers = torch.exp(x - largest)
# - return powers / powers.sum(dim=-1, keepdim=True)
# + powers = torch.exp(x.double())
# + return (powers / powers.sum(dim=-1, keepdim=True)).to(x.dtype)

# %% mistake="unstable-softmax: the minimum subtracted" also="not-finite" edits="textbook"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = x.min(dim=-1, keepdim=True).values

# %% mistake="unstable-softmax: the mean subtracted" also="not-finite" edits="textbook"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = x.mean(dim=-1, keepdim=True)

# %% mistake="unstable-softmax: the maximum added" also="not-finite" edits="textbook"
# - powers = torch.exp(x - largest)
# + powers = torch.exp(x + largest)

# %% mistake="unstable-softmax: NaN replaced" edits="textbook"
# - powers = torch.exp(x - largest)
# - return powers / powers.sum(dim=-1, keepdim=True)
# + powers = torch.exp(x)
# + return torch.nan_to_num(powers / powers.sum(dim=-1, keepdim=True))

# %% mistake="scores-clamped" edits="textbook"
# - powers = torch.exp(x - largest)
# + powers = torch.exp(x.clamp(-80, 80))

# %% mistake="scores-clamped: at the top alone" also="not-finite" edits="textbook"
# - powers = torch.exp(x - largest)
# + powers = torch.exp(x.clamp(max=60))

# %% mistake="global-maximum" also="not-finite" edits="textbook"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = x.max()

# %% mistake="maximum-wrong-axis" edits="textbook"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = x.max(dim=0, keepdim=True).values

# %% mistake="keepdim-missing: of the sum" edits="textbook"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers / powers.sum(dim=-1)

# %% mistake="keepdim-missing: of the maximum" edits="textbook"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = x.max(dim=-1).values

# %% mistake="keepdim-missing" edits="textbook"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = x.max(dim=-1).values
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers / powers.sum(dim=-1)

# %% mistake="softmax-wrong-axis" edits="textbook"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = x.max(dim=0, keepdim=True).values
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers / powers.sum(dim=0, keepdim=True)

# %% mistake="softmax-wrong-axis: the last but one" edits="textbook"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = x.max(dim=-2, keepdim=True).values
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers / powers.sum(dim=-2, keepdim=True)

# %% mistake="renormalized-wrong-axis" edits="textbook"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers / powers.sum(dim=0, keepdim=True)

# %% mistake="fixed-number-of-axes" also="raises" edits="textbook"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = x.max(dim=1, keepdim=True).values
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers / powers.sum(dim=1, keepdim=True)

# %% mistake="softmax-over-all" edits="textbook"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = x.max()
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers / powers.sum()

# %% mistake="softmax-over-all: each row's maximum" edits="textbook"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers / powers.sum()

# %% mistake="softmax-over-all: the naive one as it was" edits="textbook"
# - powers = torch.exp(x - largest)
# - return powers / powers.sum(dim=-1, keepdim=True)
# + powers = torch.exp(x)
# + return powers / powers.sum()

# %% mistake="sum-normalized" edits="textbook"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return x / x.sum(dim=-1, keepdim=True)

# %% mistake="not-normalized" edits="textbook"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers

# %% mistake="wrong-divisor: the maximum in the numerator alone" edits="textbook"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers / torch.exp(x).sum(dim=-1, keepdim=True)

# %% mistake="wrong-divisor: the maximum in the denominator alone" edits="textbook"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return torch.exp(x) / powers.sum(dim=-1, keepdim=True)

# %% mistake="scale-unexpected" edits="textbook"
# - powers = torch.exp(x - largest)
# + powers = torch.exp((x - largest) / x.shape[-1] ** 0.5)

# %% mistake="softmax-unexpected" edits="textbook"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + weights = torch.exp(powers / powers.sum(dim=-1, keepdim=True))
# + return weights / weights.sum(dim=-1, keepdim=True)

# %% mistake="forbidden-call" edits="textbook"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return torch.softmax(x, dim=-1)

# %% mistake="forbidden-call: its logarithm" edits="textbook"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return F.log_softmax(x, dim=-1).exp()

# %% mistake="not-implemented" edits="textbook"
# - largest = x.max(dim=-1, keepdim=True).values
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="raises: values and places" edits="textbook"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = x.max(dim=-1, keepdim=True)

# %% mistake="wrong-type" edits="textbook"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + weights = powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="wrong-shape" edits="textbook"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return (powers / powers.sum(dim=-1, keepdim=True)).reshape(-1, x.shape[-1])

# %% mistake="wrong-dtype" edits="textbook"
# - powers = torch.exp(x - largest)
# + powers = torch.exp((x - largest).double())

# %% mistake="log-softmax" edits="textbook"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return torch.log(powers) - torch.log(powers.sum(dim=-1, keepdim=True))

# %% mistake="input-modified" edits="textbook"
# - powers = torch.exp(x - largest)
# + x -= largest
# + powers = torch.exp(x)

# %% mistake="input-modified: all in place" edits="textbook"
# - powers = torch.exp(x - largest)
# - return powers / powers.sum(dim=-1, keepdim=True)
# + powers = x.sub_(largest).exp_()
# + return powers.div_(powers.sum(dim=-1, keepdim=True))

# %% mistake="no-gradient" edits="textbook"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return (powers / powers.sum(dim=-1, keepdim=True)).detach()

# %% mistake="no-gradient: the sum cut off" edits="textbook"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers / powers.sum(dim=-1, keepdim=True).detach()

# %% mistake="example-only: negative scores cut off" edits="textbook"
# - powers = torch.exp(x - largest)
# + x = torch.relu(x)
# + powers = torch.exp(x - x.max(dim=-1, keepdim=True).values)

# %% mistake="raises: the sizes of the example" edits="textbook"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers / powers.sum(dim=-1).reshape(6, 1)

# %% mistake="divided-by-largest" edits="textbook"
# - powers = torch.exp(x - largest)
# + powers = torch.exp(x / largest)

# %% mistake="shifted-too-late" edits="textbook"
# - powers = torch.exp(x - largest)
# + powers = torch.exp(x) - torch.exp(largest)

# %% mistake="exponential-turned: the sign turned" edits="textbook"
# - powers = torch.exp(x - largest)
# + powers = torch.exp(largest - x)

# %% mistake="unrecognized: a little added to the sum" edits="textbook"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return powers / (powers.sum(dim=-1, keepdim=True) + 1e-3)

# %% mistake="unstable-softmax: the first number subtracted" also="not-finite" edits="textbook"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = x[..., :1]

# %% mistake="unstable-softmax: the last number subtracted" also="not-finite" edits="textbook"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = x[..., -1:]

# %% mistake="fixed-number-of-axes: a loop over rows" edits="recursion over the axes in front"
# - if x.dim() > 1:
# -     return torch.stack([softmax_stable(part) for part in x])
# - powers = (x - x.max()).exp()
# - return powers / powers.sum()
# + rows = [(row - row.max()).exp() for row in x]
# + return torch.stack([powers / powers.sum() for powers in rows])

# %% mistake="fixed-number-of-axes: a vector, or a loop over rows" edits="recursion over the axes in front"
# - if x.dim() > 1:
# -     return torch.stack([softmax_stable(part) for part in x])
# - powers = (x - x.max()).exp()
# - return powers / powers.sum()
# + rows = [(row - row.max()).exp() for row in (x if x.dim() > 1 else x[None])]
# + return torch.stack([powers / powers.sum() for powers in rows]).reshape(x.shape)

# %% mistake="fixed-number-of-axes: a loop over rows, no shift" edits="recursion over the axes in front"
# - if x.dim() > 1:
# -     return torch.stack([softmax_stable(part) for part in x])
# - powers = (x - x.max()).exp()
# - return powers / powers.sum()
# + rows = [row.exp() for row in x]
# + return torch.stack([powers / powers.sum() for powers in rows])

# %% mistake="fixed-number-of-axes: two loops" also="raises" edits="recursion over the axes in front"
# - if x.dim() > 1:
# -     return torch.stack([softmax_stable(part) for part in x])
# - powers = (x - x.max()).exp()
# - return powers / powers.sum()
# + rows = []
# + for row in x:
# +     powers = [(number - max(row)).exp() for number in row]
# +     rows.append(torch.stack([power / sum(powers) for power in powers]))
# + return torch.stack(rows)

# %% mistake="exponential-twice" edits="textbook"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + powers = torch.exp(powers)
# + return powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="divided-first" edits="textbook"
# - largest = x.max(dim=-1, keepdim=True).values
# + x = x / x.sum(dim=-1, keepdim=True)
# + largest = x.max(dim=-1, keepdim=True).values

# %% mistake="divided-by-largest: after the shift" edits="textbook"
# - powers = torch.exp(x - largest)
# + powers = torch.exp((x - largest) / largest)

# %% mistake="powers-below-only" edits="textbook"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return x / powers.sum(dim=-1, keepdim=True)

# %% mistake="one-row-for-all" edits="textbook"
# - largest = x.max(dim=-1, keepdim=True).values
# + if x.dim() > 1:
# +     x = x[..., :1, :].expand_as(x)
# + largest = x.max(dim=-1, keepdim=True).values


# %% correct="one step a line"
def softmax_stable(x):
    scaled = x
    largest = scaled.max(dim=-1, keepdim=True).values
    shifted = scaled - largest
    powers = torch.exp(shifted)
    total = powers.sum(dim=-1, keepdim=True)
    shares = powers / total
    result = shares
    return result


# %% mistake="scale-unexpected: a step" edits="one step a line"
# - scaled = x
# + scaled = x / x.shape[-1] ** 0.5

# %% mistake="scale-unexpected: without the root, a step" edits="one step a line"
# - scaled = x
# + scaled = x / x.shape[-1]

# %% mistake="divided-first: a step" edits="one step a line"
# - scaled = x
# + scaled = x / x.sum(dim=-1, keepdim=True)

# %% mistake="unstable-softmax: a step" also="not-finite" edits="one step a line"
# - shifted = scaled - largest
# + shifted = scaled

# %% mistake="divided-by-largest: a step" edits="one step a line"
# - shifted = scaled - largest
# + shifted = scaled / largest

# %% mistake="keepdim-missing: a step" edits="one step a line"
# - total = powers.sum(dim=-1, keepdim=True)
# + total = powers.sum(dim=-1)

# %% mistake="renormalized-wrong-axis: a step" edits="one step a line"
# - total = powers.sum(dim=-1, keepdim=True)
# + total = powers.sum(dim=0, keepdim=True)

# %% mistake="softmax-over-all: a step" edits="one step a line"
# - total = powers.sum(dim=-1, keepdim=True)
# + total = powers.sum()

# %% mistake="not-normalized: a step" edits="one step a line"
# - shares = powers / total
# + shares = powers

# %% mistake="powers-below-only: a step" edits="one step a line"
# - shares = powers / total
# + shares = scaled / total

# %% mistake="log-softmax: a step" edits="one step a line"
# - result = shares
# + result = torch.log(shares)

# %% mistake="exponential-twice: a step" edits="one step a line"
# - scaled = x
# + scaled = torch.exp(x)

# %% mistake="softmax-unexpected: a step" edits="one step a line"
# - result = shares
# + result = shares.exp() / shares.exp().sum(dim=-1, keepdim=True)


# %% correct="number by number"
def softmax_stable(x):
    rows = []
    for row in x.reshape(-1, x.shape[-1]):
        largest = row[0]
        for number in row:
            if number > largest:
                largest = number
        total = 0.0
        for number in row:
            total = total + torch.exp(number - largest)
        rows.append(torch.stack([torch.exp(number - largest) / total for number in row]))
    return torch.stack(rows).reshape(x.shape)


# %% mistake="rough-e: 2.71" edits="textbook"
# - powers = torch.exp(x - largest)
# + powers = 2.71 ** (x - largest)

# %% mistake="rough-e: 2.71, and no shift" also="unstable-softmax" edits="textbook"
# - powers = torch.exp(x - largest)
# + powers = 2.71**x

# %% mistake="rough-e: 2.72" edits="textbook"
# - powers = torch.exp(x - largest)
# + powers = 2.72 ** (x - largest)

# %% mistake="rough-e: 2.72, and no shift" also="unstable-softmax" edits="textbook"
# - powers = torch.exp(x - largest)
# + powers = 2.72**x

# %% mistake="rounded: 2 digits" edits="textbook"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return (powers / powers.sum(dim=-1, keepdim=True)).round(decimals=2)

# %% mistake="rounded: 3 digits" edits="textbook"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return (powers / powers.sum(dim=-1, keepdim=True)).round(decimals=3)

# %% mistake="rounded: 4 digits" edits="textbook"
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return (powers / powers.sum(dim=-1, keepdim=True)).round(decimals=4)

# %% mistake="last-left-out: plain numbers" also="no-gradient" edits="textbook"
# - powers = torch.exp(x - largest)
# - return powers / powers.sum(dim=-1, keepdim=True)
# + rows = []
# + for row in (x - largest).reshape(-1, x.shape[-1]).tolist():
# +     powers = [2.718281828459045**number for number in row]
# +     rows.append([power / sum(powers[:-1]) for power in powers])
# + return torch.tensor(rows, dtype=x.dtype).reshape(x.shape)

# %% mistake="first-left-out: plain numbers" also="no-gradient" edits="textbook"
# - powers = torch.exp(x - largest)
# - return powers / powers.sum(dim=-1, keepdim=True)
# + rows = []
# + for row in (x - largest).reshape(-1, x.shape[-1]).tolist():
# +     powers = [2.718281828459045**number for number in row]
# +     rows.append([power / sum(powers[1:]) for power in powers])
# + return torch.tensor(rows, dtype=x.dtype).reshape(x.shape)

# %% mistake="maximum-wrong-axis: the first axis" edits="textbook"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = x.max(dim=0).values

# %% mistake="exponential-turned: a step" edits="one step a line"
# - powers = torch.exp(shifted)
# + powers = torch.exp(-shifted)

# %% mistake="rough-e: powers of 2, a step" edits="one step a line"
# - powers = torch.exp(shifted)
# + powers = 2**shifted

# %% mistake="maximum-wrong-axis: a step" edits="one step a line"
# - largest = scaled.max(dim=-1, keepdim=True).values
# + largest = scaled.max(dim=0, keepdim=True).values

# %% mistake="global-maximum: a step" also="not-finite" edits="one step a line"
# - largest = scaled.max(dim=-1, keepdim=True).values
# + largest = scaled.max()

# %% mistake="scores-clamped: a step" edits="one step a line"
# - shifted = scaled - largest
# + shifted = scaled.clamp(-80, 80)

# %% mistake="last-left-out: of the sum, a step" edits="one step a line"
# - total = powers.sum(dim=-1, keepdim=True)
# + total = powers[..., :-1].sum(dim=-1, keepdim=True)

# %% mistake="first-left-out: of the sum, a step" edits="one step a line"
# - total = powers.sum(dim=-1, keepdim=True)
# + total = powers[..., 1:].sum(dim=-1, keepdim=True)

# %% mistake="unstable-softmax: the largest size subtracted" also="not-finite" edits="textbook"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = x.abs().max(dim=-1, keepdim=True).values

# %% mistake="unstable-softmax: 1000 subtracted" also="not-finite" edits="textbook"
# - largest = x.max(dim=-1, keepdim=True).values
# + largest = 1000

# %% mistake="wrong-divisor: by the sum of the shifted numbers, a step" edits="one step a line"
# - total = powers.sum(dim=-1, keepdim=True)
# + total = shifted.sum(dim=-1, keepdim=True)

# %% mistake="wrong-divisor: by the sum of the numbers, a step" edits="one step a line"
# - total = powers.sum(dim=-1, keepdim=True)
# + total = scaled.sum(dim=-1, keepdim=True)

# %% mistake="wrong-divisor: by how many there are, a step" edits="one step a line"
# - total = powers.sum(dim=-1, keepdim=True)
# + total = x.shape[-1]

# %% mistake="wrong-divisor: times the exponential of the largest, a step" edits="one step a line"
# - result = shares
# + result = shares * torch.exp(largest)

# %% mistake="shifted-too-late: a step" edits="one step a line"
# - shifted = scaled - largest
# - powers = torch.exp(shifted)
# + powers = torch.exp(scaled) - torch.exp(largest)

# %% mistake="shifted-too-late: by the largest number itself, a step" edits="one step a line"
# - shifted = scaled - largest
# - powers = torch.exp(shifted)
# + powers = torch.exp(scaled) - largest

# %% mistake="fixed-number-of-axes: of the sum, a step" also="raises" edits="one step a line"
# - total = powers.sum(dim=-1, keepdim=True)
# + total = powers.sum(dim=1, keepdim=True)

# %% mistake="fixed-number-of-axes: of the maximum, a step" also="raises" edits="one step a line"
# - largest = scaled.max(dim=-1, keepdim=True).values
# + largest = scaled.max(dim=1, keepdim=True).values

# %% mistake="not-normalized: and the maximum along 1" also="fixed-number-of-axes" edits="one step a line"
# - largest = scaled.max(dim=-1, keepdim=True).values
# + largest = scaled.max(dim=1, keepdim=True).values
# - shares = powers / total
# + shares = powers

# %% mistake="keepdim-missing: and the maximum along 1" also="fixed-number-of-axes" edits="one step a line"
# - largest = scaled.max(dim=-1, keepdim=True).values
# + largest = scaled.max(dim=1, keepdim=True).values
# - total = powers.sum(dim=-1, keepdim=True)
# + total = powers.sum(dim=-1)

# %% mistake="signs-dropped: a step" edits="one step a line"
# - scaled = x
# + scaled = x.abs()


# %% mistake="global-maximum: the largest so far" also="not-finite"
def softmax_stable(x):
    flat, rows = x.reshape(-1, x.shape[-1]), []
    largest = flat[0].max()
    for row in flat:
        if row.max() > largest:
            largest = row.max()
        powers = torch.exp(row - largest)
        rows.append(powers / powers.sum())
    return torch.stack(rows).reshape(x.shape)


# %% mistake="last-left-out: of the rows, filled" also="fixed-number-of-axes"
def softmax_stable(x):
    shares = torch.zeros_like(x)
    for i in range(len(x) - 1):
        powers = torch.exp(x[i] - x[i].max())
        shares[i] = powers / powers.sum()
    return shares


# %% mistake="first-left-out: of the rows, filled" also="fixed-number-of-axes"
def softmax_stable(x):
    shares = torch.zeros_like(x)
    for i in range(1, len(x)):
        powers = torch.exp(x[i] - x[i].max())
        shares[i] = powers / powers.sum()
    return shares


# %% mistake="fixed-number-of-axes: of the rows, filled"
def softmax_stable(x):
    shares = torch.zeros_like(x)
    for i in range(len(x)):
        powers = torch.exp(x[i] - x[i].max())
        shares[i] = powers / powers.sum()
    return shares


# %% mistake="unstable-softmax: the logarithm of the sum, by hand" also="not-finite" edits="textbook"
# - powers = torch.exp(x - largest)
# - return powers / powers.sum(dim=-1, keepdim=True)
# + return torch.exp(x - torch.log(torch.exp(x).sum(dim=-1, keepdim=True)))

# %% mistake="scale-unexpected: by a thousand" edits="textbook"
# - powers = torch.exp(x - largest)
# + powers = torch.exp(x / 1000)

# %% mistake="divided-by-largest: of all" edits="textbook"
# - powers = torch.exp(x - largest)
# + powers = torch.exp(x / x.max())

# %% mistake="wrong-dtype: always float32" edits="textbook"
# - powers = torch.exp(x - largest)
# + powers = torch.exp((x - largest).float())
