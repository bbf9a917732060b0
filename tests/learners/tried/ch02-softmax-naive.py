# %% setup
import math
import torch

# %% correct="mine"
def softmax_naive(x):
    powers = torch.exp(x)
    total = powers.sum()
    return powers / total

# %% correct="a loop"
def softmax_naive(x):
    total = 0
    for number in x:
        total = total + torch.exp(number)
    shares = []
    for number in x:
        shares.append(torch.exp(number) / total)
    return torch.stack(shares)

# %% mistake="raises: one number is asked of many" says="A function of math takes one plain number" never="The function named works|makes one tensor of several" edits="mine"
# - powers = torch.exp(x)
# + powers = torch.tensor(math.exp(x))

# %% mistake="wrong-type: a list of numbers is returned" says="to be a torch.Tensor, got list" never="(not a tensor)" edits="mine"
# - return powers / total
# + return list(powers / total)

# %% mistake="forbidden-call: torch.softmax" edits="mine"
# - return powers / total
# + return torch.softmax(x, dim=0)

# %% mistake="wrong-divisor: the sum of the scores" edits="mine"
# - total = powers.sum()
# + total = x.sum()

# %% mistake="divided-first: divided first" edits="mine"
# - powers = torch.exp(x)
# - total = powers.sum()
# - return powers / total
# + shares = x / x.sum()
# + return torch.exp(shares)

# %% mistake="divided-first: divided before and after" edits="mine"
# - powers = torch.exp(x)
# + powers = torch.exp(x / x.sum())

# %% mistake="no-gradient: math.exp of each" edits="mine"
# - powers = torch.exp(x)
# + powers = torch.tensor([math.exp(number) for number in x])

# %% mistake="unrecognized: 2.718" edits="mine"
# - powers = torch.exp(x)
# + powers = 2.718 ** x

# %% mistake="not-normalized: nothing divided" edits="mine"
# - return powers / total
# + return powers

# %% mistake="powers-below-only: the scores are divided" edits="mine"
# - return powers / total
# + return x / total

# %% mistake="wrong-divisor: the exponential of the sum" edits="mine"
# - total = powers.sum()
# + total = torch.exp(x.sum())

# %% mistake="argument-unused: the notebook's powers" edits="mine"
# - def softmax_naive(x):
# + powers = torch.exp(torch.tensor([1.0, 2.0, 3.0]))
# + def softmax_naive(x):
# - powers = torch.exp(x)

# %% mistake="exponential-turned: a minus" edits="mine"
# - powers = torch.exp(x)
# + powers = torch.exp(-x)

# %% mistake="first-left-out: the sum starts late" edits="a loop"
# - for number in x:
# -     total = total + torch.exp(number)
# + for number in x[1:]:
# +     total = total + torch.exp(number)

# %% mistake="last-round-only: the sum is overwritten" edits="a loop"
# - total = total + torch.exp(number)
# + total = torch.exp(number)

# %% mistake="scale-unexpected: and another divisor" also="wrong-divisor" edits="mine"
# - powers = torch.exp(x)
# + powers = torch.exp(x / len(x) ** 0.5)
# - total = powers.sum()
# + total = len(x)

# %% mistake="scale-unexpected: and nothing divided" also="not-normalized"
def softmax_naive(x):
    scaled = x / math.sqrt(len(x))
    return scaled.exp()

# %% mistake="scale-unexpected: and the logarithm" also="log-softmax"
def softmax_naive(x):
    scaled = x / math.sqrt(len(x))
    return scaled - scaled.exp().sum().log()

# %% mistake="divided-first: and by how many there are" also="wrong-divisor"
def softmax_naive(x):
    shares = x / x.sum()
    return torch.exp(shares) / len(x)

# %% correct="one loop after the other"
def softmax_naive(x):
    powers = x.new_zeros(len(x))
    for i in range(len(x)):
        powers[i] = torch.exp(x[i])
    total = 0
    for power in powers:
        total += power
    return powers / total

# %% mistake="first-left-out: plain numbers"
def softmax_naive(x):
    powers = [torch.exp(v).item() for v in x]
    total = 0
    for i in range(1, len(powers)):
        total += powers[i]
    return torch.tensor([p / total for p in powers])

# %% mistake="last-left-out: plain numbers"
def softmax_naive(x):
    powers = [torch.exp(v).item() for v in x]
    total = 0
    for i in range(len(powers)-1):
        total += powers[i]
    return torch.tensor([p / total for p in powers])

# %% mistake="first-left-out: the sum in a loop of its own"
def softmax_naive(x):
    powers = torch.stack([torch.exp(v) for v in x])
    total = 0
    for i in range(1, len(powers)):
        total += powers[i]
    return powers / total

# %% mistake="exponential-turned: and a mean" also="wrong-divisor"
def softmax_naive(x):
    p = torch.exp(-x)
    return p / p.mean()

# %% mistake="rounded: as in print"
def softmax_naive(x):
    p = torch.exp(x)
    p = p / p.sum()
    return p.round(decimals=4)

# %% mistake="rough-e: 2.71"
def softmax_naive(x):
    return 2.71 ** x / (2.71 ** x).sum()

# %% mistake="rough-e: 2.72"
def softmax_naive(x):
    p = 2.72 ** x
    return p / p.sum()

# %% mistake="scores-clamped: at 30"
def softmax_naive(x):
    p = torch.exp(x.clamp(max=30))
    return p / p.sum()

# %% mistake="unrecognized: squares, and the last is missing in the sum"
def softmax_naive(x):
    total = 0
    for i in range(len(x) - 1):
        total += x[i] ** 2
    return x ** 2 / total

# %% mistake="running-sum: plain numbers"
def softmax_naive(x):
    p = [math.exp(v) for v in x]
    out = []
    t = 0
    for q in p:
        t += q
        out.append(q / t)
    return torch.tensor(out)

# %% mistake="digits-lost: e with four digits" never="What cuts the way back"
def softmax_naive(x):
    return 2.7183**x / (2.7183**x).sum()

# %% mistake="unrecognized: 2.718 in a loop"
def softmax_naive(x):
    e = 2.718
    total = 0
    for v in x:
        total = total + e ** v
    out = torch.zeros(len(x))
    for i in range(len(x)):
        out[i] = e ** x[i] / total
    return out

# %% mistake="not-implemented: all is written but for one line" says="came to your line" never="Not written|not finished|in its place" edits="mine"
# - return powers / total
# + result = powers / total
# + raise NotImplementedError("Write your answer here, then delete this line.")
# + return result

# %% mistake="fraction-turned: total above" never="softmax of the scores|minus the score" edits="mine"
# - return powers / total
# + return total / powers

# %% mistake="raises: two names for the largest" never="The loop runs" says="takes what stands here apart"
def softmax_naive(x):
    largest, place = x.max()
    powers = torch.exp(x - largest)
    return powers / powers.sum()

# %% mistake="raises: NumPy's sum" says="of NumPy is called on this line" never="axis, others dim"
import numpy as np
def softmax_naive(x):
    powers = torch.exp(x)
    return powers / np.sum(powers)

# %% mistake="unrecognized: e with three decimals" says="nearly right|constant with few digits" never="by hand"
def softmax_naive(x):
    powers = 2.718**x
    return powers / powers.sum()

# %% mistake="raises: a method misspelled beside NumPy" never="A function of NumPy"
import numpy as np
def softmax_naive(x):
    powers = (x * np.sqrt(1.0)).expp()
    return powers / powers.sum()

# %% mistake="raises: the sum has no first value" says="before it has a value" never="print what the line named works on" edits="a loop"
# - total = 0
# - for number in x:
# + for number in x:

# %% mistake="sum-normalized: squares" never="does not recognize the result" edits="mine"
# - powers = torch.exp(x)
# + powers = x ** 2

# %% mistake="raises: numpy is not imported" says="after it is imported" never="needs the library's name"
def softmax_naive(x):
    powers = torch.stack([np.exp(number) for number in x])
    return powers / powers.sum()

# %% mistake="squashed-alone: by torch" never="makes the right exponentials"
def softmax_naive(x):
    return torch.sigmoid(x)
