# %% setup
import math

import numpy as np
import torch


# %% correct="textbook"
def scale(scores, d_k):
    return scores / d_k**0.5


# %% correct="math.sqrt"
def scale(scores, d_k):
    return scores / math.sqrt(d_k)


# %% correct="multiplied by the inverse root"
def scale(scores, d_k):
    return scores * d_k**-0.5


# %% correct="the root of a tensor"
def scale(scores, d_k):
    root = torch.sqrt(torch.tensor(d_k, dtype=scores.dtype, device=scores.device))
    return scores.div(root)


# %% correct="the root of a tensor, in float32" remark="precision-lost"
def scale(scores, d_k):
    return scores / torch.sqrt(torch.tensor(float(d_k)))


# %% correct="NumPy's root, as a number"
def scale(scores, d_k):
    return scores / float(np.sqrt(d_k))


# %% correct="number by number"
def scale(scores, d_k):
    if scores.dim() == 0:
        return scores / pow(d_k, 1 / 2)
    return torch.stack([scale(item, d_k) for item in scores])


# %% correct="divided in place, in a copy"
def scale(scores, d_k):
    result = scores.clone()
    result /= d_k ** (1 / 2)
    return result


# %% mistake="scale-by-dk" edits="textbook"
# - return scores / d_k**0.5
# + return scores / d_k

# %% mistake="scale-by-dk: the root squared" edits="textbook"
# - return scores / d_k**0.5
# + return scores / d_k**0.5 / d_k**0.5

# %% mistake="scale-multiplied" edits="textbook"
# - return scores / d_k**0.5
# + return scores * d_k**0.5

# %% mistake="scale-multiplied: by d_k" edits="textbook"
# - return scores / d_k**0.5
# + return scores * d_k

# %% mistake="scale-multiplied: divided by the inverse" edits="textbook"
# - return scores / d_k**0.5
# + return scores / d_k**-0.5

# %% mistake="missing-scale" edits="textbook"
# - return scores / d_k**0.5
# + return scores

# %% mistake="missing-scale: the result is discarded" edits="textbook"
# - return scores / d_k**0.5
# + scores / d_k**0.5
# + return scores

# %% mistake="missing-scale: a root of 1 // 2" edits="textbook"
# - return scores / d_k**0.5
# + return scores / d_k ** (1 // 2)

# %% mistake="scale-by-tokens" edits="textbook"
# - return scores / d_k**0.5
# + return scores / scores.shape[-1] ** 0.5

# %% mistake="scale-by-tokens: rows" edits="textbook"
# - return scores / d_k**0.5
# + return scores / scores.shape[-2] ** 0.5

# %% mistake="scale-by-tokens: len" edits="textbook"
# - return scores / d_k**0.5
# + return scores / len(scores) ** 0.5

# %% mistake="scale-by-tokens: len of the first row" edits="textbook"
# - return scores / d_k**0.5
# + return scores / math.sqrt(len(scores[0]))

# %% mistake="scale-by-tokens: without the root" edits="textbook"
# - return scores / d_k**0.5
# + return scores / scores.shape[-1]

# %% mistake="root-precedence" edits="textbook"
# - return scores / d_k**0.5
# + return scores / d_k ** 1 / 2

# %% mistake="root-precedence: in parentheses" edits="textbook"
# - return scores / d_k**0.5
# + return scores / (d_k ** 1 / 2)

# %% mistake="root-of-all" also="not-finite" edits="textbook"
# - return scores / d_k**0.5
# + return torch.sqrt(scores / d_k)

# %% mistake="root-of-all: the fraction to a power" also="not-finite" edits="textbook"
# - return scores / d_k**0.5
# + return (scores / d_k) ** 0.5

# %% mistake="root-of-all: of the scores" also="not-finite" edits="textbook"
# - return scores / d_k**0.5
# + return torch.sqrt(scores) / d_k

# %% mistake="rounded-down" edits="textbook"
# - return scores / d_k**0.5
# + return scores // d_k**0.5

# %% mistake="rounded-down: the root" edits="textbook"
# - return scores / d_k**0.5
# + return scores / int(d_k**0.5)

# %% mistake="rounded-down: the root by isqrt" edits="textbook"
# - return scores / d_k**0.5
# + return scores / math.isqrt(d_k)

# %% mistake="softmax-unexpected" edits="textbook"
# - return scores / d_k**0.5
# + return torch.softmax(scores / d_k**0.5, dim=-1)

# %% mistake="softmax-unexpected: of each column" edits="textbook"
# - return scores / d_k**0.5
# + return torch.softmax(scores / d_k**0.5, dim=-2)


# %% mistake="not-implemented"
def scale(scores, d_k):
    raise NotImplementedError("Write your answer here, then delete this line.")


# %% mistake="not-defined"
def scaled(scores, d_k):
    return scores / d_k**0.5


# %% mistake="syntax-error" edits="textbook"
# - return scores / d_k**0.5
# + return scores / d_k**

# %% mistake="raises: torch's root of a number" edits="textbook"
# - return scores / d_k**0.5
# + return scores / torch.sqrt(d_k)

# %% mistake="raises: a name that nobody defined" edits="textbook"
# - return scores / d_k**0.5
# + return scores / sqrt(d_k)

# %% mistake="raises: another name for d_k" edits="textbook"
# - def scale(scores, d_k):
# + def scale(scores, dk):
# - return scores / d_k**0.5
# + return scores / dk**0.5

# %% mistake="raises: arguments exchanged" edits="textbook"
# - def scale(scores, d_k):
# + def scale(d_k, scores):

# %% mistake="wrong-type: nothing returned" edits="textbook"
# - return scores / d_k**0.5
# + scores = scores / d_k**0.5

# %% mistake="wrong-type: the root alone" edits="textbook"
# - return scores / d_k**0.5
# + return d_k**0.5

# %% mistake="wrong-type: an array" edits="textbook"
# - return scores / d_k**0.5
# + return scores.detach().cpu().numpy() / np.sqrt(d_k)

# %% mistake="wrong-shape: summed" edits="textbook"
# - return scores / d_k**0.5
# + return (scores / d_k**0.5).sum(dim=-1)

# %% mistake="wrong-dtype" edits="textbook"
# - return scores / d_k**0.5
# + return scores.double() / d_k**0.5

# %% mistake="wrong-dtype: whole numbers" edits="textbook"
# - return scores / d_k**0.5
# + return (scores / d_k**0.5).int()

# %% mistake="wrong-dtype: always float32" edits="textbook"
# - return scores / d_k**0.5
# + return scores.float() / d_k**0.5

# %% mistake="input-modified" edits="textbook"
# - return scores / d_k**0.5
# + scores /= d_k**0.5
# + return scores

# %% mistake="input-modified: div_" edits="textbook"
# - return scores / d_k**0.5
# + return scores.div_(d_k**0.5)

# %% mistake="input-modified: by index" also="fixed-number-of-axes" edits="textbook"
# - return scores / d_k**0.5
# + for row in range(len(scores)):
# +     scores[row] = scores[row] / d_k**0.5
# + return scores

# %% mistake="no-gradient" edits="textbook"
# - return scores / d_k**0.5
# + return scores.data / d_k**0.5

# %% mistake="no-gradient: a new tensor" edits="textbook"
# - return scores / d_k**0.5
# + return (scores / d_k**0.5).detach().clone()

# %% mistake="too-slow" edits="textbook"
# - return scores / d_k**0.5
# + while d_k > 0:
# +     result = scores / d_k**0.5

# %% mistake="scale-fixed: the root of 2" edits="textbook"
# - return scores / d_k**0.5
# + return scores / 2**0.5

# %% mistake="scale-by-scores: the largest" edits="textbook"
# - return scores / d_k**0.5
# + return scores / scores.max()

# %% mistake="unrecognized: another fraction, and a sum" edits="textbook"
# - return scores / d_k**0.5
# + return scores / 5 + 1

# %% mistake="unrecognized: subtracted" edits="textbook"
# - return scores / d_k**0.5
# + return scores - d_k**0.5

# %% mistake="scale-wrong-power" edits="textbook"
# - return scores / d_k**0.5
# + return scores / d_k**2

# %% mistake="input-shared" edits="textbook"
# - return scores / d_k**0.5
# + return scores if d_k == 1 else scores / d_k**0.5

# %% mistake="scale-by-scores: their spread" edits="textbook"
# - return scores / d_k**0.5
# + return scores / scores.std()

# %% mistake="scale-by-scores: shifted by their mean, too" edits="textbook"
# - return scores / d_k**0.5
# + return (scores - scores.mean()) / scores.std()

# %% mistake="scale-by-scores: their sum" edits="textbook"
# - return scores / d_k**0.5
# + return scores / scores.sum()

# %% mistake="scale-by-scores: their norm" edits="textbook"
# - return scores / d_k**0.5
# + return scores / scores.norm()

# %% mistake="fixed-number-of-axes: two loops" also="raises" edits="divided in place, in a copy"
# - result /= d_k ** (1 / 2)
# + n, m = scores.shape
# + for i in range(n):
# +     for j in range(m):
# +         result[i, j] = scores[i, j] / d_k**0.5

# %% mistake="fixed-number-of-axes: a loop over rows" also="raises" edits="textbook"
# - return scores / d_k**0.5
# + return torch.stack([row / d_k**0.5 for row in scores])

# %% mistake="fixed-number-of-axes: two loops over lists" also="raises" edits="textbook"
# - return scores / d_k**0.5
# + return torch.stack([torch.stack([score / d_k**0.5 for score in row]) for row in scores])

# %% mistake="rounded-down: the result" edits="textbook"
# - return scores / d_k**0.5
# + return (scores / d_k**0.5).round()


# %% correct="one step a line"
def scale(scores, d_k):
    root = d_k**0.5
    scaled = scores / root
    result = scaled
    return result


# %% mistake="scale-by-dk: a step" edits="one step a line"
# - root = d_k**0.5
# + root = d_k

# %% mistake="scale-by-tokens: a step" edits="one step a line"
# - root = d_k**0.5
# + root = scores.shape[-1] ** 0.5

# %% mistake="scale-wrong-power: a step" edits="one step a line"
# - root = d_k**0.5
# + root = d_k**2

# %% mistake="root-precedence: a step" edits="one step a line"
# - root = d_k**0.5
# + root = d_k ** 1 / 2

# %% mistake="scale-multiplied: a step" edits="one step a line"
# - scaled = scores / root
# + scaled = scores * root

# %% mistake="missing-scale: a step" edits="one step a line"
# - scaled = scores / root
# + scaled = scores

# %% mistake="rounded-down: a step" edits="one step a line"
# - scaled = scores / root
# + scaled = scores // root

# %% mistake="softmax-unexpected: a step" edits="one step a line"
# - result = scaled
# + result = torch.softmax(scaled, dim=-1)


# %% correct="filled, number by number"
def scale(scores, d_k):
    flat = scores.reshape(-1)
    result = torch.zeros_like(flat)
    for i in range(len(flat)):
        result[i] = flat[i] / d_k**0.5
    return result.reshape(scores.shape)


# %% mistake="fixed-number-of-axes: a loop over rows, a step" also="raises" edits="one step a line"
# - scaled = scores / root
# + scaled = torch.stack([row / root for row in scores])

# %% mistake="fixed-number-of-axes: two loops, a step" also="raises" edits="one step a line"
# - scaled = scores / root
# + scaled = torch.zeros_like(scores)
# + for i in range(scores.shape[0]):
# +     for j in range(scores.shape[1]):
# +         scaled[i, j] = scores[i, j] / root

# %% mistake="last-left-out: rows that are filled" edits="textbook"
# - return scores / d_k**0.5
# + result = torch.zeros_like(scores)
# + for i in range(len(scores) - 1):
# +     result[i] = scores[i] / d_k**0.5
# + return result

# %% mistake="last-left-out: the last row of matrices" edits="textbook"
# - return scores / d_k**0.5
# + result = torch.zeros_like(scores)
# + for i in range(scores.shape[0] - 1):
# +     for j in range(scores.shape[1]):
# +         result[i, j] = scores[i, j] / d_k**0.5
# + return result

# %% mistake="last-left-out: the last column of matrices" edits="textbook"
# - return scores / d_k**0.5
# + result = torch.zeros_like(scores)
# + for i in range(scores.shape[0]):
# +     for j in range(scores.shape[1] - 1):
# +         result[i, j] = scores[i, j] / d_k**0.5
# + return result

# %% mistake="first-round-only: return in the loop" edits="textbook"
# - return scores / d_k**0.5
# + result = torch.zeros_like(scores)
# + for i in range(len(scores)):
# +     result[i] = scores[i] / d_k**0.5
# +     return result

# %% mistake="fraction-turned" edits="one step a line"
# - scaled = scores / root
# + scaled = root / scores

# %% mistake="scale-wrong-power: one less than d_k" edits="textbook"
# - return scores / d_k**0.5
# + return scores / math.sqrt(d_k - 1)

# %% mistake="scale-wrong-power: one more than d_k" edits="textbook"
# - return scores / d_k**0.5
# + return scores / math.sqrt(d_k + 1)

# %% mistake="scale-wrong-power: of twice d_k" edits="textbook"
# - return scores / d_k**0.5
# + return scores / math.sqrt(2 * d_k)

# %% mistake="scale-wrong-power: a logarithm" edits="textbook"
# - return scores / d_k**0.5
# + return scores / math.log(d_k)

# %% mistake="rounded-down: the root, to one digit" edits="one step a line"
# - root = d_k**0.5
# + root = round(d_k**0.5, 1)

# %% mistake="rounded-down: the root, to two digits" edits="one step a line"
# - root = d_k**0.5
# + root = round(d_k**0.5, 2)

# %% mistake="rounded-down: the result, to two digits" edits="textbook"
# - return scores / d_k**0.5
# + return torch.round(scores / d_k**0.5, decimals=2)

# %% mistake="scale-fixed: the root of 4" edits="textbook"
# - return scores / d_k**0.5
# + return scores / 4**0.5

# %% mistake="scale-fixed: the root of 16" edits="textbook"
# - return scores / d_k**0.5
# + return scores / 16**0.5

# %% mistake="scale-fixed: the root of 3" edits="textbook"
# - return scores / d_k**0.5
# + return scores / 3**0.5

# %% mistake="scale-fixed: the root of 64" edits="textbook"
# - return scores / d_k**0.5
# + return scores / 64**0.5

# %% mistake="scale-fixed: the root of 768" edits="textbook"
# - return scores / d_k**0.5
# + return scores / 768**0.5

# %% mistake="scale-by-tokens: beside the root" edits="textbook"
# - return scores / d_k**0.5
# + return scores / d_k**0.5 / scores.shape[-1] ** 0.5

# %% mistake="scale-by-tokens: beside the root, rows" edits="textbook"
# - return scores / d_k**0.5
# + return scores / d_k**0.5 / scores.shape[-2] ** 0.5

# %% mistake="scale-by-tokens: beside the root, len" edits="textbook"
# - return scores / d_k**0.5
# + return scores / d_k**0.5 / len(scores) ** 0.5

# %% mistake="scale-by-tokens: beside the root, len of the first row" edits="textbook"
# - return scores / d_k**0.5
# + return scores / d_k**0.5 / math.sqrt(len(scores[0]))

# %% mistake="scale-by-tokens: beside the root, without the root" edits="textbook"
# - return scores / d_k**0.5
# + return scores / d_k**0.5 / scores.shape[-1]
