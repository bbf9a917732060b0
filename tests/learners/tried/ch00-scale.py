# %% setup
import math
import torch

# %% correct="mine"
def scale(scores, d_k):
    root = math.sqrt(d_k)
    result = scores / root
    return result

# %% mistake="raises: another tensor is multiplied in" says="number by number" never="product of matrices" edits="mine"
# - result = scores / root
# + result = scores * torch.ones(d_k + 40)

# %% mistake="raises: torch's root of an int" says="which function does the same for one" edits="mine"
# - root = math.sqrt(d_k)
# + root = torch.sqrt(d_k)

# %% mistake="input-modified: in place" edits="mine"
# - result = scores / root
# + scores /= root
# - return result
# + return scores

# %% mistake="scale-by-dk: no root" edits="mine"
# - root = math.sqrt(d_k)
# + root = d_k

# %% mistake="scale-multiplied: times" edits="mine"
# - result = scores / root
# + result = scores * root

# %% mistake="root-precedence: one half without brackets" edits="mine"
# - root = math.sqrt(d_k)
# + root = d_k ** 1 / 2

# %% mistake="scale-by-tokens: of the shape" edits="mine"
# - root = math.sqrt(d_k)
# + root = math.sqrt(scores.shape[-1])

# %% mistake="root-of-all: brackets too wide" edits="mine"
# - result = scores / root
# + result = torch.sqrt(scores / d_k)

# %% mistake="scale-by-scores: the standard deviation" edits="mine"
# - result = scores / root
# + result = scores / scores.std()

# %% mistake="scale-by-scores: standardized" edits="mine"
# - result = scores / root
# + result = (scores - scores.mean()) / scores.std()

# %% mistake="fixed-number-of-axes: two loops" edits="mine"
# - result = scores / root
# + n, m = scores.shape
# + result = scores.clone()
# + for i in range(n):
# +     for j in range(m):
# +         result[i, j] = scores[i, j] / root

# %% mistake="fixed-number-of-axes: a loop over rows" edits="mine"
# - result = scores / root
# + rows = []
# + for row in scores:
# +     rows.append(row / root)
# + result = torch.stack(rows)

# %% mistake="raises: sqrt without its module" says="Is the name defined" edits="mine"
# - root = math.sqrt(d_k)
# + root = sqrt(d_k)

# %% mistake="scale-wrong-power: 5 for 0.5" edits="mine"
# - root = math.sqrt(d_k)
# + root = d_k ** 5

# %% mistake="scale-fixed: a number of the text" edits="mine"
# - root = math.sqrt(d_k)
# + root = math.sqrt(16)

# %% mistake="scale-fixed: a global" edits="mine"
# - def scale(scores, d_k):
# + length = 3
# + def scale(scores, d_k):
# - root = math.sqrt(d_k)
# + root = math.sqrt(length)

# %% mistake="root-precedence: half of it, which is the same" edits="mine"
# - root = math.sqrt(d_k)
# + root = d_k / 2

# %% mistake="missing-scale: and a softmax" also="softmax-unexpected" edits="mine"
# - result = scores / root
# + result = torch.softmax(scores, dim=-1)

# %% mistake="scale-by-dk: and a softmax" also="softmax-unexpected" edits="mine"
# - result = scores / root
# + result = torch.softmax(scores / d_k, -1)

# %% mistake="rounded-down: whole division" edits="mine"
# - result = scores / root
# + result = scores // root

# %% mistake="scale-multiplied: the inverse, divided" edits="mine"
# - result = scores / root
# + result = scores / (d_k ** -0.5)

# %% mistake="scale-by-dk: rows in a list" also="fixed-number-of-axes"
def scale(scores, d_k):
    out = []
    for row in scores:
        out.append(row / d_k)
    return torch.stack(out)

# %% mistake="scale-by-dk: two loops" also="fixed-number-of-axes"
def scale(scores, d_k):
    out = torch.zeros(scores.shape)
    for i in range(scores.shape[0]):
        for j in range(scores.shape[1]):
            out[i, j] = scores[i, j] / d_k
    return out

# %% mistake="last-left-out: rows that are filled" edits="mine"
# - result = scores / root
# + result = torch.zeros_like(scores)
# + for i in range(len(scores) - 1):
# +     result[i] = scores[i] / root

# %% mistake="fixed-number-of-axes: rows that are filled" edits="mine"
# - result = scores / root
# + result = torch.zeros(scores.shape)
# + for i in range(len(scores)):
# +     result[i] = scores[i] / root

# %% mistake="fraction-turned: the root above" edits="mine"
# - result = scores / root
# + result = root / scores

# %% mistake="scale-wrong-power: one less" edits="mine"
# - root = math.sqrt(d_k)
# + root = math.sqrt(d_k - 1)

# %% mistake="rounded-down: to one digit" never="whole numbers" edits="mine"
# - root = math.sqrt(d_k)
# + root = round(math.sqrt(d_k), 1)

# %% mistake="rounded-down: int" edits="mine"
# - root = math.sqrt(d_k)
# + root = int(math.sqrt(d_k))

# %% mistake="scale-fixed: the 4 of the example" edits="mine"
# - root = math.sqrt(d_k)
# + root = math.sqrt(4)

# %% mistake="root-of-all: of the scores alone" edits="mine"
# - result = scores / root
# + result = torch.sqrt(scores) / d_k

# %% mistake="unrecognized: minus" edits="mine"
# - result = scores / root
# + result = scores - root

# %% mistake="unrecognized: shifted by the mean" edits="mine"
# - result = scores / root
# + result = (scores - scores.mean()) / root

# %% mistake="raises: the arguments are exchanged" says="order of arguments" edits="mine"
# - def scale(scores, d_k):
# + def scale(d_k, scores):

# %% mistake="raises: another name of an argument" says="what you define" edits="mine"
# - def scale(scores, d_k):
# + def scale(scores, dk):
# - root = math.sqrt(d_k)
# + root = math.sqrt(dk)

# %% mistake="raises: math's root of all" says="where do the brackets have to end" never="Print its shape"
def scale(scores, d_k):
    return math.sqrt(scores / d_k)
