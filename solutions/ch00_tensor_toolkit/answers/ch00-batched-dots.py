# %% setup
import numpy as np
import torch
import torch.nn.functional as F


# %% correct="textbook"
def batched_pairwise_dots(a, b):
    return a @ b.transpose(-2, -1)


# %% correct="einsum"
def batched_pairwise_dots(a, b):
    return torch.einsum("...nd,...md->...nm", a, b)


# %% correct="as one long stack"
def batched_pairwise_dots(a, b):
    *lead, n, d = a.shape
    m = b.shape[-2]
    result = torch.bmm(a.reshape(-1, n, d), b.reshape(-1, m, d).permute(0, 2, 1))
    return result.reshape(*lead, n, m)


# %% correct="products side by side, then summed"
def batched_pairwise_dots(a, b):
    products = a.unsqueeze(-2) * b.unsqueeze(-3)
    return products.sum(dim=-1)


# %% correct="matrix by matrix"
def batched_pairwise_dots(a, b):
    if a.dim() == 2:
        return a @ b.T
    return torch.stack([batched_pairwise_dots(x, y) for x, y in zip(a, b)])


# %% correct="one row of b at a time"
def batched_pairwise_dots(a, b):
    columns = [(a * b[..., j : j + 1, :]).sum(dim=-1) for j in range(b.shape[-2])]
    return torch.stack(columns, dim=-1)


# %% correct="the other way round, transposed back"
def batched_pairwise_dots(a, b):
    return torch.matmul(b, a.mT).mT


# %% mistake="leading-axes-transposed" also="raises" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return a @ b.T

# %% mistake="leading-axes-transposed: the first two" also="raises" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return a @ b.transpose(0, 1)

# %% mistake="fixed-number-of-axes: the second and third" also="raises" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return a @ b.transpose(1, 2)

# %% mistake="fixed-number-of-axes: the third and fourth" also="raises" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return a @ b.transpose(2, 3)

# %% mistake="fixed-number-of-axes: t" also="raises" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return a @ b.t()

# %% mistake="fixed-number-of-axes: mm" also="raises" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return torch.mm(a, b.transpose(-2, -1))

# %% mistake="fixed-number-of-axes: bmm" also="raises" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return torch.bmm(a, b.transpose(-2, -1))

# %% mistake="fixed-number-of-axes: einsum of a stack" also="raises" edits="einsum"
# - return torch.einsum("...nd,...md->...nm", a, b)
# + return torch.einsum("bnd,bmd->bnm", a, b)

# %% mistake="fixed-number-of-axes: einsum of matrices" also="raises" edits="einsum"
# - return torch.einsum("...nd,...md->...nm", a, b)
# + return torch.einsum("nd,md->nm", a, b)

# %% mistake="fixed-number-of-axes: a loop over the stack" also="raises" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return torch.stack([torch.einsum("nd,md->nm", x, y) for x, y in zip(a, b)])

# %% mistake="fixed-number-of-axes: the sizes of a stack" also="raises" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + count, n, d = a.shape
# + return torch.stack([a[i] @ b[i].mT for i in range(count)])

# %% mistake="fixed-number-of-axes: a matrix, or a loop over the stack" also="raises" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + if a.dim() == 2:
# +     return a @ b.T
# + return torch.stack([x @ y.T for x, y in zip(a, b)])

# %% mistake="fixed-number-of-axes: always a loop over the stack" also="wrong-shape" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return torch.stack([x @ y.T for x, y in zip(a, b)])

# %% mistake="fixed-number-of-axes: a matrix or a stack" also="raises" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return a @ b.T if a.dim() == 2 else a @ b.transpose(1, 2)

# %% mistake="fixed-number-of-axes: side by side" also="raises" edits="products side by side, then summed"
# - products = a.unsqueeze(-2) * b.unsqueeze(-3)
# + products = a.unsqueeze(2) * b.unsqueeze(1)

# %% mistake="not-transposed" also="raises" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return a @ b

# %% mistake="not-transposed: the result is discarded" also="raises" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + b.transpose(-2, -1)
# + return a @ b

# %% mistake="reshape-not-transpose" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return a @ b.reshape(*b.shape[:-2], b.shape[-1], b.shape[-2])

# %% mistake="columns-meet-columns" also="raises" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return a.transpose(-2, -1) @ b

# %% mistake="elementwise-product" also="raises" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return a * b

# %% mistake="rows-in-pairs" also="raises" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return (a * b).sum(dim=-1)

# %% mistake="elementwise-product: of all pairs" also="wrong-shape" edits="products side by side, then summed"
# - return products.sum(dim=-1)
# + return products

# %% mistake="summed-wrong-axis" also="wrong-shape" edits="products side by side, then summed"
# - return products.sum(dim=-1)
# + return products.sum(dim=-2)

# %% mistake="result-transposed" also="wrong-shape" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return b @ a.transpose(-2, -1)

# %% mistake="batch-leak" also="wrong-shape" edits="einsum"
# - return torch.einsum("...nd,...md->...nm", a, b)
# + return torch.einsum("...nd,...md->nm", a, b)

# %% mistake="batch-leak: every row with every row" also="wrong-shape" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return a.reshape(-1, a.shape[-1]) @ b.reshape(-1, b.shape[-1]).T

# %% mistake="batch-leak: inner" also="wrong-shape" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return torch.inner(a, b)

# %% mistake="batch-leak: tensordot" also="wrong-shape" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return torch.tensordot(a, b, dims=([-1], [-1]))

# %% mistake="batch-leak: the first item's rows for all" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + while b.dim() > 2:
# +     b = b[0]
# + return a @ b.T

# %% mistake="batch-leak: the mean of the items" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + b = b.mean(dim=tuple(range(b.dim() - 2)), keepdim=True) if b.dim() > 2 else b
# + return a @ b.mT

# %% mistake="batch-leak: items in the opposite order" edits="matrix by matrix"
# - return torch.stack([batched_pairwise_dots(x, y) for x, y in zip(a, b)])
# + return torch.stack([batched_pairwise_dots(x, y) for x, y in zip(a, b.flip(0))])

# %% mistake="argument-ignored" also="wrong-shape" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return a @ a.transpose(-2, -1)

# %% mistake="argument-ignored: only b" also="wrong-shape" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return b @ b.transpose(-2, -1)

# %% mistake="cosine-similarity" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return F.normalize(a, dim=-1) @ F.normalize(b, dim=-1).mT

# %% mistake="scale-unexpected" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return a @ b.transpose(-2, -1) / a.shape[-1] ** 0.5

# %% mistake="scale-unexpected: a mean instead of a sum" edits="products side by side, then summed"
# - return products.sum(dim=-1)
# + return products.mean(dim=-1)

# %% mistake="softmax-unexpected" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return torch.softmax(a @ b.transpose(-2, -1), dim=-1)

# %% mistake="softmax-unexpected: of each column" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return torch.softmax(a @ b.transpose(-2, -1), dim=-2)


# %% mistake="not-implemented"
def batched_pairwise_dots(a, b):
    raise NotImplementedError("Write your answer here, then delete this line.")


# %% mistake="not-implemented: a part of it" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + if a.dim() == 2:
# +     return a @ b.T
# + raise NotImplementedError("stacks")


# %% mistake="not-defined"
def batched_dots(a, b):
    return a @ b.transpose(-2, -1)


# %% mistake="syntax-error" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return a @ b.transpose(-2 -1

# %% mistake="raises: a minus for a comma" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return a @ b.transpose(-2 -1)

# %% mistake="wrong-type: nothing returned" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + result = a @ b.transpose(-2, -1)

# %% mistake="wrong-type: a list of matrices" edits="matrix by matrix"
# - if a.dim() == 2:
# -     return a @ b.T
# - return torch.stack([batched_pairwise_dots(x, y) for x, y in zip(a, b)])
# + return [x @ y.mT for x, y in zip(a[None], b[None])]

# %% mistake="wrong-type: an array" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return np.matmul(a.detach().cpu().numpy(), np.swapaxes(b.detach().cpu().numpy(), -2, -1))

# %% mistake="wrong-shape: an axis more" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return a[None] @ b.transpose(-2, -1)

# %% mistake="wrong-shape: leading axes joined" edits="as one long stack"
# - return result.reshape(*lead, n, m)
# + return result

# %% mistake="wrong-dtype" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return (a @ b.transpose(-2, -1)).double()

# %% mistake="wrong-dtype: always float32" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return a.float() @ b.float().transpose(-2, -1)

# %% mistake="input-modified" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return a @ b.transpose_(-2, -1)

# %% mistake="no-gradient" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return (a @ b.transpose(-2, -1)).detach()

# %% mistake="no-gradient: only to b" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return a.data @ b.transpose(-2, -1)

# %% mistake="too-slow" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + while a.dim() > 0:
# +     result = a @ b.transpose(-2, -1)

# %% mistake="first-left-out: the first item" edits="matrix by matrix"
# - return torch.stack([batched_pairwise_dots(x, y) for x, y in zip(a, b)])
# + first = torch.zeros_like(batched_pairwise_dots(a[0], b[0]))
# + rest = [batched_pairwise_dots(x, y) for x, y in zip(a[1:], b[1:])]
# + return torch.stack([first, *rest])

# %% mistake="unrecognized: one more" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return a @ b.transpose(-2, -1) + 1

# %% mistake="unrecognized: negative" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return -a @ b.transpose(-2, -1)

# %% mistake="layout-dependent: view" edits="as one long stack"
# - result = torch.bmm(a.reshape(-1, n, d), b.reshape(-1, m, d).permute(0, 2, 1))
# + result = torch.bmm(a.view(-1, n, d), b.view(-1, m, d).permute(0, 2, 1))

# %% mistake="batch-leak: each item with each item" also="raises" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + results = []
# + for x in a:
# +     results.append(torch.stack([x @ y.transpose(-2, -1) for y in b]))
# + return torch.stack(results)

# %% mistake="batch-leak: each item with each item, side by side" also="wrong-shape" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return a.unsqueeze(1) @ b.unsqueeze(0).transpose(-2, -1)

# %% mistake="reshape-not-transpose: the sizes of a stack" also="raises" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + items, m, d = b.shape
# + return a @ b.reshape(items, d, m)

# %% mistake="one-row-for-all: the first row of a" edits="products side by side, then summed"
# - products = a.unsqueeze(-2) * b.unsqueeze(-3)
# + products = a[..., :1, :].expand_as(a).unsqueeze(-2) * b.unsqueeze(-3)

# %% mistake="half-left-out" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return torch.tril(a @ b.transpose(-2, -1))

# %% mistake="half-left-out: above" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return torch.triu(a @ b.transpose(-2, -1))

# %% mistake="signs-dropped" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return (a @ b.transpose(-2, -1)).abs()


# %% correct="one step a line"
def batched_pairwise_dots(a, b):
    rows = a
    columns = b.transpose(-2, -1)
    dots = rows @ columns
    scaled = dots
    result = scaled
    return result


# %% mistake="argument-ignored: a step" also="wrong-shape" edits="one step a line"
# - columns = b.transpose(-2, -1)
# + columns = a.transpose(-2, -1)

# %% mistake="argument-ignored: only b, a step" also="wrong-shape" edits="one step a line"
# - rows = a
# + rows = b

# %% mistake="leading-axes-transposed: a step" also="raises" edits="one step a line"
# - columns = b.transpose(-2, -1)
# + columns = b.T

# %% mistake="leading-axes-transposed: the first two, a step" also="raises" edits="one step a line"
# - columns = b.transpose(-2, -1)
# + columns = b.transpose(0, 1)

# %% mistake="fixed-number-of-axes: a step" also="raises" edits="one step a line"
# - columns = b.transpose(-2, -1)
# + columns = b.transpose(1, 2)

# %% mistake="not-transposed: a step" also="raises" edits="one step a line"
# - columns = b.transpose(-2, -1)
# + columns = b

# %% mistake="reshape-not-transpose: a step" edits="one step a line"
# - columns = b.transpose(-2, -1)
# + columns = b.reshape(*b.shape[:-2], b.shape[-1], b.shape[-2])

# %% mistake="cosine-similarity: one side, a step" edits="one step a line"
# - rows = a
# + rows = F.normalize(a, dim=-1)

# %% mistake="scale-unexpected: a step" edits="one step a line"
# - scaled = dots
# + scaled = dots / a.shape[-1] ** 0.5

# %% mistake="scale-unexpected: without the root, a step" edits="one step a line"
# - scaled = dots
# + scaled = dots / a.shape[-1]

# %% mistake="softmax-unexpected: a step" edits="one step a line"
# - result = scaled
# + result = torch.softmax(scaled, dim=-1)

# %% mistake="result-transposed: a step" also="wrong-shape" edits="one step a line"
# - return result
# + return result.transpose(-2, -1)


# %% correct="filled, number by number"
def batched_pairwise_dots(a, b):
    result = a.new_zeros(*a.shape[:-1], b.shape[-2])
    for i in range(a.shape[-2]):
        for j in range(b.shape[-2]):
            result[..., i, j] = (a[..., i, :] * b[..., j, :]).sum(dim=-1)
    return result


# %% correct="filled, product by product"
def batched_pairwise_dots(a, b):
    result = a.new_zeros(*a.shape[:-1], b.shape[-2])
    for i in range(a.shape[-2]):
        for j in range(b.shape[-2]):
            for k in range(a.shape[-1]):
                result[..., i, j] += a[..., i, k] * b[..., j, k]
    return result


# %% correct="filled, item by item"
def batched_pairwise_dots(a, b):
    if a.dim() == 2:
        return a @ b.T
    result = a.new_zeros(*a.shape[:-1], b.shape[-2])
    for i in range(len(a)):
        result[i] = batched_pairwise_dots(a[i], b[i])
    return result


# %% mistake="batch-leak: a sum over all items" edits="filled, number by number"
# - result[..., i, j] = (a[..., i, :] * b[..., j, :]).sum(dim=-1)
# + result[..., i, j] = (a[..., i, :] * b[..., j, :]).sum()

# %% mistake="batch-leak: the first item of b for all" edits="filled, item by item"
# - result[i] = batched_pairwise_dots(a[i], b[i])
# + result[i] = batched_pairwise_dots(a[i], b[0])

# %% mistake="batch-leak: the first item of b, its last two axes exchanged" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + if a.dim() == 2:
# +     return a @ b.T
# + return torch.stack([x @ b[0].transpose(-2, -1) for x in a])

# %% mistake="batch-leak: the first item of b, transposed" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + if a.dim() == 2:
# +     return a @ b.T
# + return torch.stack([x @ b[0].transpose(0, 1) for x in a])

# %% mistake="batch-leak: the first item of b, also where there is none" also="raises" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return torch.stack([x @ b[0].transpose(-2, -1) for x in a])

# %% mistake="batch-leak: the first item of b, two axes only" also="raises" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return torch.stack([x @ b[0].transpose(0, 1) for x in a])

# %% mistake="batch-leak: items added up in einsum" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return torch.einsum("...nd,kmd->...nm", a, b) if b.dim() == 3 else a @ b.transpose(-2, -1)

# %% mistake="batch-leak: all pairs of items in one list" also="raises" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return torch.stack([x @ y.transpose(-2, -1) for x in a for y in b])

# %% mistake="result-transposed: einsum of a stack" also="raises" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return torch.einsum("bnd,bmd->bmn", a, b)

# %% mistake="fixed-number-of-axes: a sum over the third axis" also="wrong-shape" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return (a.unsqueeze(-2) * b.unsqueeze(-3)).sum(dim=2)

# %% mistake="fixed-number-of-axes: a stack is filled" also="wrong-shape" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + result = a.new_zeros(a.shape[0], a.shape[1], b.shape[1])
# + for i in range(a.shape[0]):
# +     result[i] = a[i] @ b[i].T
# + return result

# %% mistake="last-round-only: the last item's" also="wrong-shape" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + for x, y in zip(a, b):
# +     result = x @ y.T
# + return result

# %% mistake="last-left-out: a matrix or a stack, number by number" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + if a.dim() == 2:
# +     return a @ b.T
# + result = a.new_zeros(a.shape[0], a.shape[1], b.shape[1])
# + for k in range(a.shape[0]):
# +     for i in range(a.shape[1]):
# +         for j in range(b.shape[1] - 1):
# +             result[k, i, j] = a[k, i] @ b[k, j]
# + return result

# %% mistake="last-left-out: the last number of every row, a step" edits="one step a line"
# - dots = rows @ columns
# + dots = rows[..., :-1] @ columns[..., :-1, :]

# %% mistake="last-left-out: the last row, a step" edits="one step a line"
# - scaled = dots
# + scaled = dots * (torch.arange(dots.shape[-2], device=a.device) < dots.shape[-2] - 1).to(a.dtype)[:, None]

# %% mistake="last-left-out: the last column, a step" edits="one step a line"
# - scaled = dots
# + scaled = dots * (torch.arange(b.shape[-2], device=a.device) < b.shape[-2] - 1).to(a.dtype)

# %% mistake="last-left-out: the last row and the last column" edits="filled, number by number"
# - for i in range(a.shape[-2]):
# -     for j in range(b.shape[-2]):
# + for i in range(a.shape[-2] - 1):
# +     for j in range(b.shape[-2] - 1):

# %% mistake="added-not-multiplied" edits="products side by side, then summed"
# - products = a.unsqueeze(-2) * b.unsqueeze(-3)
# + products = a.unsqueeze(-2) + b.unsqueeze(-3)

# %% mistake="carried-over: not set back to 0" edits="filled, product by product"
# - for i in range(a.shape[-2]):
# -     for j in range(b.shape[-2]):
# -         for k in range(a.shape[-1]):
# -             result[..., i, j] += a[..., i, k] * b[..., j, k]
# + total = 0
# + for i in range(a.shape[-2]):
# +     for j in range(b.shape[-2]):
# +         for k in range(a.shape[-1]):
# +             total = total + a[..., i, k] * b[..., j, k]
# +         result[..., i, j] = total

# %% mistake="fixed-number-of-axes: loops over a stack" also="wrong-shape" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + rows = [[[(row * other).sum() for other in y] for row in x] for x, y in zip(a, b)]
# + return torch.stack([torch.stack([torch.stack(dots) for dots in part]) for part in rows])

# %% mistake="fixed-number-of-axes: loops over a matrix" also="raises" edits="textbook"
# - return a @ b.transpose(-2, -1)
# + return torch.stack([torch.stack([(row * other).sum() for other in b]) for row in a])
