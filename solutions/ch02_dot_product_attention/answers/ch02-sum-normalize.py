# %% setup
import numpy as np
import torch
import torch.nn.functional as F


# %% correct="textbook"
def normalize_by_sum(scores):
    total = scores.sum()
    return scores / total


# %% correct="functions of torch" edits="textbook"
# - total = scores.sum()
# - return scores / total
# + return torch.div(scores, torch.sum(scores, dim=0, keepdim=True))


# %% correct="a loop"
def normalize_by_sum(scores):
    total = 0.0
    for score in scores:
        total = total + score
    return torch.stack([score / total for score in scores])


# %% correct="Python's sum" edits="textbook"
# - total = scores.sum()
# + total = sum(scores)

# %% correct="a matrix product with ones" edits="textbook"
# - total = scores.sum()
# + total = scores @ torch.ones_like(scores)

# %% correct="a copy divided in place" edits="textbook"
# - return scores / total
# + weights = scores.clone()
# + weights /= total
# + return weights

# %% mistake="softmax-unexpected" edits="textbook"
# - return scores / total
# + return torch.softmax(scores, dim=0)

# %% mistake="wrong-divisor: by the largest" edits="textbook"
# - total = scores.sum()
# + total = scores.max()

# %% mistake="wrong-divisor: by how many there are" edits="textbook"
# - total = scores.sum()
# + total = len(scores)

# %% mistake="wrong-divisor: by the mean" edits="textbook"
# - total = scores.sum()
# + total = scores.mean()

# %% mistake="wrong-divisor: by the length of the vector" edits="textbook"
# - total = scores.sum()
# + total = scores.norm()

# %% mistake="wrong-divisor: by the sum of the sizes" edits="textbook"
# - return scores / total
# + return F.normalize(scores, p=1, dim=0)

# %% mistake="wrong-divisor: percent" edits="textbook"
# - return scores / total
# + return 100 * scores / total

# %% mistake="wrong-divisor: by nothing" edits="textbook"
# - return scores / total
# + return scores

# %% mistake="not-implemented" edits="textbook"
# - total = scores.sum()
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="not-defined" edits="textbook"
# - def normalize_by_sum(scores):
# + def normalise_by_sum(scores):

# %% mistake="raises" edits="textbook"
# - total = scores.sum()
# + total = scores.total()

# %% mistake="wrong-type" edits="textbook"
# - return scores / total
# + weights = scores / total

# %% mistake="wrong-type: a list" edits="textbook"
# - return scores / total
# + return [score / total for score in scores]

# %% mistake="wrong-shape: the sum" edits="textbook"
# - return scores / total
# + return total

# %% mistake="wrong-shape: a row" edits="textbook"
# - return scores / total
# + return (scores / total).unsqueeze(0)

# %% mistake="wrong-dtype" edits="textbook"
# - return scores / total
# + return scores.double() / total

# %% mistake="input-modified" edits="textbook"
# - return scores / total
# + scores /= total
# + return scores

# %% mistake="input-modified: one at a time" edits="textbook"
# - return scores / total
# + for i in range(len(scores)):
# +     scores[i] = scores[i] / total
# + return scores

# %% mistake="no-gradient" edits="textbook"
# - return scores / total
# + return (scores / total).detach()

# %% mistake="no-gradient: the sum as a number" edits="textbook"
# - total = scores.sum()
# + total = scores.sum().item()

# %% mistake="no-gradient: built from a list" edits="textbook"
# - return scores / total
# + return torch.tensor([float(score / total) for score in scores], dtype=scores.dtype)

# %% mistake="example-only" edits="textbook"
# - total = scores.sum()
# + total = 6.5617

# %% mistake="raises: six scores" edits="textbook"
# - return scores / total
# + return torch.stack([scores[i] / total for i in range(6)])

# %% mistake="unrecognized: whole quotients" edits="textbook"
# - return scores / total
# + return scores // total


# %% mistake="running-sum"
def normalize_by_sum(scores):
    total, weights = 0.0, []
    for score in scores:
        total = total + score
        weights.append(score / total)
    return torch.stack(weights)


# %% mistake="signs-dropped" edits="textbook"
# - return scores / total
# + return scores.abs() / scores.abs().sum()

# %% mistake="signs-dropped: after the sum" edits="textbook"
# - return scores / total
# + return scores.abs() / total

# %% mistake="signs-dropped: of the shares" edits="textbook"
# - return scores / total
# + return (scores / total).abs()

# %% mistake="raises: a function of NumPy" edits="textbook"
# - total = scores.sum()
# + total = np.sum(scores)

# %% mistake="shifted-unexpected" edits="textbook"
# - total = scores.sum()
# - return scores / total
# + shifted = scores - scores.min()
# + return shifted / shifted.sum()

# %% mistake="rounded" edits="textbook"
# - return scores / total
# + return (scores / total).round(decimals=4)

# %% mistake="running-sum: of what is left" edits="a loop"
# - return torch.stack([score / total for score in scores])
# + weights = list(scores)
# + for i in range(len(weights)):
# +     weights[i] = weights[i] / sum(weights)
# + return torch.stack(weights)

# %% mistake="running-sum: in the argument" also="input-modified" edits="textbook"
# - total = scores.sum()
# - return scores / total
# + for i in range(len(scores)):
# +     scores[i] = scores[i] / scores.sum()
# + return scores

# %% mistake="size-written-in: six scores" also="raises" edits="a loop"
# - for score in scores:
# -     total = total + score
# + for i in range(6):
# +     total = total + scores[i]


# %% correct="filled into zeros"
def normalize_by_sum(scores):
    shares = scores.new_zeros(len(scores))
    for i in range(len(scores)):
        shares[i] = scores[i] / scores.sum()
    return shares


# %% mistake="rounded: 2 digits" edits="textbook"
# - return scores / total
# + return (scores / total).round(decimals=2)

# %% mistake="rounded: 3 digits" edits="textbook"
# - return scores / total
# + return (scores / total).round(decimals=3)

# %% mistake="last-left-out: a tensor made of a list" also="wrong-shape no-gradient" edits="textbook"
# - return scores / total
# + return torch.tensor([score / total for score in scores[:-1]], dtype=scores.dtype)

# %% mistake="first-left-out: a tensor made of a list" also="wrong-shape no-gradient" edits="textbook"
# - return scores / total
# + return torch.tensor([score / total for score in scores[1:]], dtype=scores.dtype)

# %% mistake="last-left-out: plain numbers" also="no-gradient" edits="textbook"
# - total = scores.sum()
# - return scores / total
# + total = sum(scores.tolist()[:-1])
# + return torch.tensor([score / total for score in scores.tolist()], dtype=scores.dtype)

# %% mistake="first-left-out: plain numbers" also="no-gradient" edits="textbook"
# - total = scores.sum()
# - return scores / total
# + total = sum(scores.tolist()[1:])
# + return torch.tensor([score / total for score in scores.tolist()], dtype=scores.dtype)

# %% mistake="softmax-unexpected: by hand" edits="textbook"
# - total = scores.sum()
# - return scores / total
# + powers = torch.exp(scores)
# + return powers / powers.sum()

# %% mistake="exponential-unexpected" edits="textbook"
# - return scores / total
# + return torch.exp(scores) / total

# %% mistake="exponential-unexpected: nothing divided" edits="textbook"
# - return scores / total
# + return torch.exp(scores)

# %% mistake="exponential-unexpected: in the sum alone" edits="textbook"
# - total = scores.sum()
# + total = torch.exp(scores).sum()

# %% mistake="fraction-turned" edits="textbook"
# - return scores / total
# + return total / scores

# %% mistake="shifted-unexpected: by the largest" edits="textbook"
# - total = scores.sum()
# - return scores / total
# + shifted = scores - scores.max()
# + return shifted / shifted.sum()

# %% mistake="shifted-unexpected: in the numerator alone" edits="textbook"
# - return scores / total
# + return (scores - scores.min()) / total

# %% mistake="wrong-divisor: by the largest size" edits="textbook"
# - total = scores.sum()
# + total = scores.abs().max()


# %% correct="one step a line"
def normalize_by_sum(scores):
    numbers = scores
    total = numbers.sum()
    shares = numbers / total
    result = shares
    return result


# %% mistake="signs-dropped: a step" edits="one step a line"
# - numbers = scores
# + numbers = scores.abs()

# %% mistake="shifted-unexpected: a step" edits="one step a line"
# - numbers = scores
# + numbers = scores - scores.min()

# %% mistake="exponential-unexpected: in the sum alone, a step" edits="one step a line"
# - total = numbers.sum()
# + total = torch.exp(numbers).sum()

# %% mistake="wrong-divisor: by the largest, a step" edits="one step a line"
# - total = numbers.sum()
# + total = numbers.max()

# %% mistake="wrong-divisor: by how many there are, a step" edits="one step a line"
# - total = numbers.sum()
# + total = len(numbers)

# %% mistake="wrong-divisor: by the sum of the sizes, a step" edits="one step a line"
# - total = numbers.sum()
# + total = numbers.abs().sum()

# %% mistake="last-left-out: of the sum, a step" edits="one step a line"
# - total = numbers.sum()
# + total = numbers[:-1].sum()

# %% mistake="first-left-out: of the sum, a step" edits="one step a line"
# - total = numbers.sum()
# + total = numbers[1:].sum()

# %% mistake="fraction-turned: a step" edits="one step a line"
# - shares = numbers / total
# + shares = total / numbers

# %% mistake="last-left-out: of the shares, a step" edits="one step a line"
# - result = shares
# + result = shares.clone()
# + result[-1] = 0

# %% mistake="first-left-out: of the shares, a step" edits="one step a line"
# - result = shares
# + result = shares.clone()
# + result[0] = 0

# %% mistake="rounded: a step" edits="one step a line"
# - result = shares
# + result = shares.round(decimals=4)

# %% mistake="wrong-dtype: filled into zeros of another dtype" edits="filled into zeros"
# - shares = scores.new_zeros(len(scores))
# + shares = torch.zeros(len(scores))

# %% mistake="wrong-divisor: by a fixed number" edits="textbook"
# - total = scores.sum()
# + total = 10
