# %% setup
import torch

# %% correct="mine"
def batched_pairwise_dots(a, b):
    return a @ b.transpose(-2, -1)

# %% mistake="leading-axes-transposed: T" edits="mine"
# - return a @ b.transpose(-2, -1)
# + return a @ b.T

# %% mistake="fixed-number-of-axes: 1 and 2" edits="mine"
# - return a @ b.transpose(-2, -1)
# + return a @ b.transpose(1, 2)

# %% mistake="not-transposed" edits="mine"
# - return a @ b.transpose(-2, -1)
# + return a @ b

# %% mistake="leading-axes-transposed: the function of exercise 1"
def pairwise_dots(a, b):
    return a @ b.T

def batched_pairwise_dots(a, b):
    return pairwise_dots(a, b)

# %% mistake="fixed-number-of-axes: a loop over items"
def pairwise_dots(a, b):
    return a @ b.T

def batched_pairwise_dots(a, b):
    results = []
    for i in range(a.shape[0]):
        results.append(pairwise_dots(a[i], b[i]))
    return torch.stack(results)

# %% mistake="batch-leak: flattened" edits="mine"
# - return a @ b.transpose(-2, -1)
# + d = a.shape[-1]
# + return a.reshape(-1, d) @ b.reshape(-1, d).T

# %% mistake="reshape-not-transpose: the sizes of a stack" edits="mine"
# - return a @ b.transpose(-2, -1)
# + batch, m, d = b.shape
# + return a @ b.reshape(batch, d, m)

# %% mistake="columns-meet-columns: the wrong one is turned" edits="mine"
# - return a @ b.transpose(-2, -1)
# + return a.transpose(-2, -1) @ b

# %% mistake="batch-leak: every item with every item" edits="mine"
# - return a @ b.transpose(-2, -1)
# + results = []
# + for x in a:
# +     row = []
# +     for y in b:
# +         row.append(x @ y.transpose(-2, -1))
# +     results.append(torch.stack(row))
# + return torch.stack(results)

# %% mistake="reshape-not-transpose: any number of axes" edits="mine"
# - return a @ b.transpose(-2, -1)
# + return a @ b.reshape(*b.shape[:-2], b.shape[-1], b.shape[-2])

# %% mistake="fixed-number-of-axes: three loops" edits="mine"
# - return a @ b.transpose(-2, -1)
# + batch, n, d = a.shape
# + m = b.shape[1]
# + result = a.new_zeros(batch, n, m)
# + for k in range(batch):
# +     for i in range(n):
# +         for j in range(m):
# +             result[k, i, j] = torch.dot(a[k, i], b[k, j])
# + return result

# %% mistake="rows-in-pairs: a star for the product" edits="mine"
# - return a @ b.transpose(-2, -1)
# + return (a * b).sum(-1)

# %% mistake="result-transposed: b first, scaled" also="scale-unexpected" edits="mine"
# - return a @ b.transpose(-2, -1)
# + return b @ a.transpose(-2, -1) / a.shape[-1] ** 0.5

# %% mistake="result-transposed: b first" edits="mine"
# - return a @ b.transpose(-2, -1)
# + return b @ a.mT

# %% correct="a function that calls itself"
def batched_pairwise_dots(a, b):
    if a.dim() == 2:
        return a @ b.T
    results = []
    for i in range(len(a)):
        results.append(batched_pairwise_dots(a[i], b[i]))
    return torch.stack(results)

# %% mistake="argument-ignored: a with itself, and a mean" also="scale-unexpected"
def batched_pairwise_dots(a, b):
    products = a.unsqueeze(-2) * a.unsqueeze(-3)
    return products.mean(dim=-1)

# %% mistake="scale-unexpected: and shares of it" also="softmax-unexpected"
def batched_pairwise_dots(a, b):
    dots = torch.einsum("...id,...jd->...ij", a, b) / a.size(-1) ** 0.5
    return dots.softmax(-1)

# %% mistake="reshape-not-transpose: and shares of it" also="softmax-unexpected"
def batched_pairwise_dots(a, b):
    *lead, m, d = b.shape
    return torch.softmax(a @ b.reshape(*lead, d, m), dim=-1)

# %% mistake="batch-leak: a sum over everything" edits="mine"
# - return a @ b.transpose(-2, -1)
# + out = torch.zeros(*a.shape[:-1], b.shape[-2])
# + for i in range(a.shape[-2]):
# +     for j in range(b.shape[-2]):
# +         out[..., i, j] = (a[..., i, :] * b[..., j, :]).sum()
# + return out

# %% mistake="batch-leak: b[0]" edits="mine"
# - return a @ b.transpose(-2, -1)
# + out = []
# + for i in range(len(a)):
# +     out.append(a[i] @ b[0].transpose(-1, -2))
# + return torch.stack(out)

# %% mistake="batch-leak: b[0], but for matrices" edits="mine"
# - return a @ b.transpose(-2, -1)
# + if a.dim() == 2:
# +     return a @ b.T
# + return torch.stack([a[i] @ b[0].transpose(-1, -2) for i in range(len(a))])

# %% mistake="batch-leak: b[0], a transpose of two axes" edits="mine"
# - return a @ b.transpose(-2, -1)
# + if a.dim() == 2:
# +     return a @ b.T
# + out = []
# + for i in range(len(a)):
# +     out.append(a[i] @ b[0].transpose(0, 1))
# + return torch.stack(out)

# %% mistake="batch-leak: added up by another letter" edits="mine"
# - return a @ b.transpose(-2, -1)
# + return torch.einsum("...nd,kmd->...nm", a, b) if b.dim() == 3 else a @ b.transpose(-1, -2)

# %% mistake="batch-leak: one list of all pairs" edits="mine"
# - return a @ b.transpose(-2, -1)
# + out = []
# + for i in range(len(a)):
# +     for j in range(len(b)):
# +         out.append(a[i] @ b[j].transpose(-1, -2))
# + return torch.stack(out)

# %% mistake="batch-leak: items are added up" edits="mine"
# - return a @ b.transpose(-2, -1)
# + if a.dim() == 2:
# +     return a @ b.T
# + out = 0
# + for x, y in zip(a, b):
# +     out = out + batched_pairwise_dots(x, y)
# + return out

# %% mistake="last-left-out: matrices or stacks, filled" edits="mine"
# - return a @ b.transpose(-2, -1)
# + if a.dim() == 2:
# +     return a @ b.T
# + out = a.new_zeros(a.shape[0], a.shape[1], b.shape[1])
# + for k in range(a.shape[0]):
# +     for i in range(a.shape[1]):
# +         for j in range(b.shape[1] - 1):
# +             out[k, i, j] = a[k, i] @ b[k, j]
# + return out

# %% mistake="last-left-out: any number of axes, filled" edits="mine"
# - return a @ b.transpose(-2, -1)
# + out = a.new_zeros(*a.shape[:-1], b.shape[-2])
# + for i in range(a.shape[-2]):
# +     for j in range(b.shape[-2] - 1):
# +         out[..., i, j] = (a[..., i, :] * b[..., j, :]).sum(-1)
# + return out

# %% mistake="last-round-only: nothing is collected" also="wrong-shape" edits="mine"
# - return a @ b.transpose(-2, -1)
# + for i in range(len(a)):
# +     r = a[i] @ b[i].T
# + return r

# %% mistake="fixed-number-of-axes: a stack is filled" edits="mine"
# - return a @ b.transpose(-2, -1)
# + out = torch.zeros(a.shape[0], a.shape[1], b.shape[1])
# + for k in range(a.shape[0]):
# +     out[k] = a[k] @ b[k].T
# + return out

# %% mistake="result-transposed: in the letters of einsum" edits="mine"
# - return a @ b.transpose(-2, -1)
# + return torch.einsum("bnd,bmd->bmn", a, b)

# %% mistake="fixed-number-of-axes: a sum over axis 2" edits="mine"
# - return a @ b.transpose(-2, -1)
# + return (a[..., :, None, :] * b[..., None, :, :]).sum(dim=2)

# %% mistake="softmax-unexpected: of a stack" also="fixed-number-of-axes" edits="mine"
# - return a @ b.transpose(-2, -1)
# + return torch.softmax(a @ b.transpose(1, 2), dim=-1)

# %% mistake="input-modified: transpose_" edits="mine"
# - return a @ b.transpose(-2, -1)
# + b = b.transpose_(-1, -2)
# + return a @ b

# %% mistake="fixed-number-of-axes: exercise 1 in loops, item by item"
def pairwise_dots(a, b):
    return torch.stack([torch.stack([(x * y).sum() for y in b]) for x in a])

def batched_pairwise_dots(a, b):
    return torch.stack([pairwise_dots(x, y) for x, y in zip(a, b)])

# %% mistake="fixed-number-of-axes: exercise 1 in loops"
def batched_pairwise_dots(a, b):
    return torch.stack([torch.stack([(x * y).sum() for y in b]) for x in a])
