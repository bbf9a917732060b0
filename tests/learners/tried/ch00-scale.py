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

# %% mistake="raises: torch's root of an int" says="which function does the same for a plain number" edits="mine"
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

# %% mistake="unrecognized: a number of the text" edits="mine"
# - root = math.sqrt(d_k)
# + root = math.sqrt(16)

# %% mistake="unrecognized: a global" edits="mine"
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
