# %% setup
import math

import numpy as np
import torch
import torch.nn.functional as F


# %% correct="textbook"
def softmax_naive(x):
    powers = torch.exp(x)
    return powers / powers.sum()


# %% correct="a power of e" edits="textbook"
# - powers = torch.exp(x)
# + powers = math.e**x


# %% correct="a loop"
def softmax_naive(x):
    powers = [torch.exp(number) for number in x]
    total = sum(powers)
    return torch.stack([power / total for power in powers])


# %% correct="the maximum subtracted" edits="textbook"
# - powers = torch.exp(x)
# + powers = torch.exp(x - x.max())

# %% correct="logarithm of the sum" edits="textbook"
# - powers = torch.exp(x)
# - return powers / powers.sum()
# + return torch.exp(x - torch.logsumexp(x, dim=0))

# %% correct="all differences" edits="textbook"
# - powers = torch.exp(x)
# - return powers / powers.sum()
# + return 1 / torch.exp(x[None, :] - x[:, None]).sum(dim=1)

# %% correct="a copy in place" edits="textbook"
# - powers = torch.exp(x)
# - return powers / powers.sum()
# + powers = x.clone().exp_()
# + return powers.div(powers.sum(dim=-1, keepdim=True))

# %% mistake="sum-normalized" edits="textbook"
# - return powers / powers.sum()
# + return x / x.sum()

# %% mistake="not-normalized" edits="textbook"
# - return powers / powers.sum()
# + return powers

# %% mistake="fraction-turned" edits="textbook"
# - return powers / powers.sum()
# + return powers.sum() / powers

# %% mistake="wrong-divisor: by the sum of the scores" edits="textbook"
# - return powers / powers.sum()
# + return powers / x.sum()

# %% mistake="wrong-divisor: by the exponential of the sum" edits="textbook"
# - return powers / powers.sum()
# + return powers / torch.exp(x.sum())

# %% mistake="wrong-divisor: by the largest" edits="textbook"
# - return powers / powers.sum()
# + return powers / powers.max()

# %% mistake="wrong-divisor: by how many there are" edits="textbook"
# - return powers / powers.sum()
# + return powers / len(x)

# %% mistake="wrong-divisor: by the length of the vector" edits="textbook"
# - return powers / powers.sum()
# + return powers / powers.norm()

# %% mistake="wrong-divisor: the maximum in the numerator alone" edits="textbook"
# - return powers / powers.sum()
# + return torch.exp(x - x.max()) / powers.sum()

# %% mistake="no-softmax" edits="textbook"
# - return powers / powers.sum()
# + return x

# %% mistake="softmax-unexpected" edits="textbook"
# - return powers / powers.sum()
# + weights = powers / powers.sum()
# + return torch.exp(weights) / torch.exp(weights).sum()

# %% mistake="scale-unexpected" edits="textbook"
# - powers = torch.exp(x)
# + powers = torch.exp(x / len(x) ** 0.5)

# %% mistake="hard-lookup" edits="textbook"
# - return powers / powers.sum()
# + return (powers == powers.max()).to(x.dtype)

# %% mistake="forbidden-call" edits="textbook"
# - return powers / powers.sum()
# + return torch.softmax(x, dim=0)

# %% mistake="forbidden-call: of the functional module" edits="textbook"
# - return powers / powers.sum()
# + return F.softmax(x, dim=-1)

# %% mistake="forbidden-call: a layer" edits="textbook"
# - return powers / powers.sum()
# + return torch.nn.Softmax(dim=-1)(x)

# %% mistake="forbidden-call: its logarithm" edits="textbook"
# - return powers / powers.sum()
# + return F.log_softmax(x, dim=-1).exp()

# %% mistake="not-implemented" edits="textbook"
# - powers = torch.exp(x)
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="raises: of the mathematics module" edits="textbook"
# - powers = torch.exp(x)
# + powers = math.exp(x)

# %% mistake="raises: functions of NumPy" edits="textbook"
# - powers = torch.exp(x)
# - return powers / powers.sum()
# + return np.exp(x) / np.sum(np.exp(x))

# %% mistake="raises: a name of Python" edits="textbook"
# - powers = torch.exp(x)
# + powers = exp(x)

# %% mistake="wrong-type" edits="textbook"
# - return powers / powers.sum()
# + print(powers / powers.sum())

# %% mistake="wrong-type: an array" edits="textbook"
# - return powers / powers.sum()
# + return np.exp(x.numpy()) / np.exp(x.numpy()).sum()

# %% mistake="wrong-shape" edits="textbook"
# - return powers / powers.sum()
# + return powers.sum()

# %% mistake="wrong-dtype" edits="textbook"
# - powers = torch.exp(x)
# + powers = torch.exp(x.double())

# %% mistake="input-modified" edits="textbook"
# - powers = torch.exp(x)
# + powers = x.exp_()

# %% mistake="input-modified: the maximum subtracted" edits="textbook"
# - powers = torch.exp(x)
# + x -= x.max()
# + powers = torch.exp(x)

# %% mistake="no-gradient" edits="textbook"
# - return powers / powers.sum()
# + return (powers / powers.sum()).detach()

# %% mistake="no-gradient: the sum as a number" edits="textbook"
# - return powers / powers.sum()
# + return powers / powers.sum().item()

# %% mistake="no-gradient: numbers taken out" edits="textbook"
# - powers = torch.exp(x)
# + powers = torch.tensor([math.exp(number) for number in x], dtype=x.dtype)

# %% mistake="example-only" edits="textbook"
# - return powers / powers.sum()
# + return powers / 18.7453

# %% mistake="hard-coded: the printed numbers" edits="textbook"
# - return powers / powers.sum()
# + return torch.tensor([0.1385, 0.2379, 0.2333, 0.1240, 0.1082, 0.1581])

# %% mistake="example-only: negative numbers cut off" edits="textbook"
# - powers = torch.exp(x)
# + powers = torch.exp(torch.relu(x))

# %% mistake="rough-e: powers of 2" edits="textbook"
# - powers = torch.exp(x)
# + powers = 2**x

# %% mistake="exponential-turned: the sign turned" edits="textbook"
# - powers = torch.exp(x)
# + powers = torch.exp(-x)

# %% mistake="sum-normalized: squares" edits="textbook"
# - powers = torch.exp(x)
# + powers = x**2

# %% mistake="squashed-alone" edits="textbook"
# - return powers / powers.sum()
# + return torch.sigmoid(x)

# %% mistake="divided-first: and not after" edits="textbook"
# - return powers / powers.sum()
# + return torch.exp(x / x.sum())

# %% mistake="log-softmax" edits="textbook"
# - return powers / powers.sum()
# + return x - torch.log(powers.sum())

# %% mistake="divided-first" edits="textbook"
# - powers = torch.exp(x)
# + powers = torch.exp(x / x.sum())

# %% mistake="exponential-twice" edits="textbook"
# - powers = torch.exp(x)
# + powers = torch.exp(torch.exp(x - x.max()))

# %% mistake="exponential-twice: unshifted" edits="textbook"
# - powers = torch.exp(x)
# + powers = torch.exp(torch.exp(x))

# %% mistake="powers-below-only" edits="textbook"
# - return powers / powers.sum()
# + return x / powers.sum()

# %% mistake="divided-by-largest" edits="textbook"
# - powers = torch.exp(x)
# + powers = torch.exp(x / x.max())

# %% mistake="signs-dropped" edits="textbook"
# - powers = torch.exp(x)
# + powers = torch.exp(x.abs())


# %% mistake="running-sum"
def softmax_naive(x):
    total, shares = 0.0, []
    for number in x:
        total = total + torch.exp(number)
        shares.append(torch.exp(number) / total)
    return torch.stack(shares)


# %% correct="one step a line"
def softmax_naive(x):
    scaled = x
    powers = torch.exp(scaled)
    total = powers.sum()
    shares = powers / total
    result = shares
    return result


# %% mistake="scale-unexpected: a step" edits="one step a line"
# - scaled = x
# + scaled = x / len(x) ** 0.5

# %% mistake="scale-unexpected: without the root, a step" edits="one step a line"
# - scaled = x
# + scaled = x / len(x)

# %% mistake="divided-first: a step" edits="one step a line"
# - scaled = x
# + scaled = x / x.sum()

# %% mistake="divided-by-largest: a step" edits="one step a line"
# - scaled = x
# + scaled = x / x.max()

# %% mistake="wrong-divisor: by how many there are, a step" edits="one step a line"
# - total = powers.sum()
# + total = len(x)

# %% mistake="wrong-divisor: by the sum of the scores, a step" edits="one step a line"
# - total = powers.sum()
# + total = scaled.sum()

# %% mistake="not-normalized: a step" edits="one step a line"
# - shares = powers / total
# + shares = powers

# %% mistake="log-softmax: a step" edits="one step a line"
# - result = shares
# + result = torch.log(shares)

# %% mistake="exponential-twice: a step" edits="one step a line"
# - scaled = x
# + scaled = torch.exp(x)

# %% mistake="powers-below-only: a step" edits="one step a line"
# - shares = powers / total
# + shares = scaled / total

# %% mistake="softmax-unexpected: a step" edits="one step a line"
# - result = shares
# + result = shares.exp() / shares.exp().sum()


# %% correct="one loop after the other"
def softmax_naive(x):
    powers = x.new_zeros(len(x))
    for i in range(len(x)):
        powers[i] = torch.exp(x[i])
    total = 0.0
    for power in powers:
        total = total + power
    shares = x.new_zeros(len(x))
    for i in range(len(x)):
        shares[i] = powers[i] / total
    return shares


# %% mistake="rough-e: 2.71" edits="textbook"
# - powers = torch.exp(x)
# + powers = 2.71**x

# %% mistake="rough-e: 2.72" edits="textbook"
# - powers = torch.exp(x)
# + powers = 2.72**x

# %% mistake="rounded: 2 digits" edits="textbook"
# - return powers / powers.sum()
# + return (powers / powers.sum()).round(decimals=2)

# %% mistake="rounded: 3 digits" edits="textbook"
# - return powers / powers.sum()
# + return (powers / powers.sum()).round(decimals=3)

# %% mistake="rounded: 4 digits" edits="textbook"
# - return powers / powers.sum()
# + return (powers / powers.sum()).round(decimals=4)

# %% mistake="last-left-out: plain numbers" also="no-gradient" edits="textbook"
# - powers = torch.exp(x)
# - return powers / powers.sum()
# + powers = [math.exp(number) for number in x]
# + total = sum(powers[:-1])
# + return torch.tensor([power / total for power in powers], dtype=x.dtype)

# %% mistake="first-left-out: plain numbers" also="no-gradient" edits="textbook"
# - powers = torch.exp(x)
# - return powers / powers.sum()
# + powers = [math.exp(number) for number in x]
# + total = sum(powers[1:])
# + return torch.tensor([power / total for power in powers], dtype=x.dtype)

# %% mistake="scores-clamped: at 10" edits="textbook"
# - powers = torch.exp(x)
# + powers = torch.exp(x.clamp(max=10))

# %% mistake="scores-clamped: at 20" edits="textbook"
# - powers = torch.exp(x)
# + powers = torch.exp(x.clamp(max=20))

# %% mistake="scores-clamped: at 30" edits="textbook"
# - powers = torch.exp(x)
# + powers = torch.exp(x.clamp(max=30))

# %% mistake="scores-clamped: both ways at 10" edits="textbook"
# - powers = torch.exp(x)
# + powers = torch.exp(x.clamp(-10, 10))

# %% mistake="scores-clamped: both ways at 20" edits="textbook"
# - powers = torch.exp(x)
# + powers = torch.exp(x.clamp(-20, 20))

# %% mistake="scores-clamped: both ways at 30" edits="textbook"
# - powers = torch.exp(x)
# + powers = torch.exp(x.clamp(-30, 30))

# %% mistake="exponential-turned: a step" edits="one step a line"
# - powers = torch.exp(scaled)
# + powers = torch.exp(-scaled)

# %% mistake="signs-dropped: a step" edits="one step a line"
# - powers = torch.exp(scaled)
# + powers = torch.exp(scaled.abs())

# %% mistake="wrong-divisor: by the largest, a step" edits="one step a line"
# - total = powers.sum()
# + total = powers.max()

# %% mistake="wrong-divisor: by the mean, a step" edits="one step a line"
# - total = powers.sum()
# + total = powers.mean()

# %% mistake="last-left-out: of the sum, a step" edits="one step a line"
# - total = powers.sum()
# + total = powers[:-1].sum()

# %% mistake="first-left-out: of the sum, a step" edits="one step a line"
# - total = powers.sum()
# + total = powers[1:].sum()

# %% mistake="last-round-only: of the sum, a step" edits="one step a line"
# - total = powers.sum()
# + total = powers[-1]

# %% mistake="rough-e: powers of 2, a step" edits="one step a line"
# - scaled = x
# + scaled = x * math.log(2)

# %% mistake="digits-lost: 2.7183" edits="textbook"
# - powers = torch.exp(x)
# + powers = 2.7183**x

# %% mistake="wrong-dtype: filled into zeros of another dtype" edits="one loop after the other"
# - shares = x.new_zeros(len(x))
# + shares = torch.zeros(len(x))

# %% mistake="unrecognized: the logarithm of 1 and the power" edits="textbook"
# - powers = torch.exp(x)
# + powers = torch.log1p(torch.exp(x))

# %% mistake="unrecognized: fourth powers" edits="textbook"
# - powers = torch.exp(x)
# + powers = x**4
