# %% setup
import numpy as np
import torch
import torch.nn.functional as F


# %% correct="textbook"
def pairwise_dots(a, b):
    return a @ b.T


# %% correct="einsum"
def pairwise_dots(a, b):
    return torch.einsum("nd,md->nm", a, b)


# %% correct="two loops"
def pairwise_dots(a, b):
    rows = []
    for row in a:
        dots = []
        for other in b:
            dots.append(torch.dot(row, other))
        rows.append(torch.stack(dots))
    return torch.stack(rows)


# %% correct="products side by side, then summed"
def pairwise_dots(a, b):
    products = a.unsqueeze(1) * b.unsqueeze(0)
    return products.sum(dim=-1)


# %% correct="one row at a time"
def pairwise_dots(a, b):
    return torch.stack([b @ row for row in a])


# %% correct="one column at a time"
def pairwise_dots(a, b):
    return torch.stack([(a * other).sum(dim=1) for other in b], dim=1)


# %% correct="filled in, of the same kind as a"
def pairwise_dots(a, b):
    result = a.new_zeros(a.shape[0], b.shape[0])
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            result[i, j] = sum(a[i, k] * b[j, k] for k in range(a.shape[1]))
    return result


# %% correct="the other way round, transposed back"
def pairwise_dots(a, b):
    return torch.mm(b, a.transpose(0, 1)).t()


# %% correct="inner"
def pairwise_dots(a, b):
    return torch.inner(a, b)


# %% correct="a linear layer without a module"
def pairwise_dots(a, b):
    return F.linear(a, b)


# %% mistake="not-transposed" also="raises" edits="textbook"
# - return a @ b.T
# + return a @ b

# %% mistake="not-transposed: twice" also="raises" edits="textbook"
# - return a @ b.T
# + return a @ b.T.T

# %% mistake="not-transposed: the result is discarded" also="raises" edits="textbook"
# - return a @ b.T
# + b.transpose(0, 1)
# + return a @ b

# %% mistake="not-transposed: in einsum" also="raises" edits="einsum"
# - return torch.einsum("nd,md->nm", a, b)
# + return torch.einsum("nd,dm->nm", a, b)

# %% mistake="columns-meet-columns" also="wrong-shape" edits="textbook"
# - return a @ b.T
# + return a.T @ b

# %% mistake="columns-meet-columns: both transposed" also="raises" edits="textbook"
# - return a @ b.T
# + return a.T @ b.T

# %% mistake="elementwise-product" also="wrong-shape" edits="textbook"
# - return a @ b.T
# + return a * b

# %% mistake="rows-in-pairs" also="wrong-shape" edits="textbook"
# - return a @ b.T
# + return (a * b).sum(dim=-1)

# %% mistake="rows-in-pairs: a column" also="wrong-shape" edits="textbook"
# - return a @ b.T
# + return (a * b).sum(dim=-1, keepdim=True)

# %% mistake="rows-in-pairs: all summed" also="wrong-shape" edits="textbook"
# - return a @ b.T
# + return (a * b).sum()

# %% mistake="elementwise-product: with the transpose" also="raises" edits="textbook"
# - return a @ b.T
# + return a * b.T

# %% mistake="elementwise-product: of all pairs" also="wrong-shape" edits="products side by side, then summed"
# - return products.sum(dim=-1)
# + return products

# %% mistake="summed-wrong-axis" also="wrong-shape" edits="products side by side, then summed"
# - return products.sum(dim=-1)
# + return products.sum(dim=1)

# %% mistake="summed-wrong-axis: the first" also="wrong-shape" edits="products side by side, then summed"
# - return products.sum(dim=-1)
# + return products.sum(dim=0)

# %% mistake="reshape-not-transpose" edits="textbook"
# - return a @ b.T
# + return a @ b.reshape(b.shape[1], b.shape[0])

# %% mistake="reshape-not-transpose: view" edits="textbook"
# - return a @ b.T
# + return a @ b.contiguous().view(b.shape[1], -1)

# %% mistake="result-transposed" also="wrong-shape" edits="textbook"
# - return a @ b.T
# + return b @ a.T

# %% mistake="result-transposed: in einsum" also="wrong-shape" edits="einsum"
# - return torch.einsum("nd,md->nm", a, b)
# + return torch.einsum("nd,md->mn", a, b)

# %% mistake="result-transposed: columns stacked as rows" also="wrong-shape" edits="one column at a time"
# - return torch.stack([(a * other).sum(dim=1) for other in b], dim=1)
# + return torch.stack([(a * other).sum(dim=1) for other in b])

# %% mistake="argument-ignored" also="wrong-shape" edits="textbook"
# - return a @ b.T
# + return a @ a.T

# %% mistake="argument-ignored: only b" also="wrong-shape" edits="textbook"
# - return a @ b.T
# + return b @ b.T

# %% mistake="cosine-similarity" edits="textbook"
# - return a @ b.T
# + return F.normalize(a, dim=-1) @ F.normalize(b, dim=-1).T

# %% mistake="cosine-similarity: by cosine_similarity" edits="textbook"
# - return a @ b.T
# + return F.cosine_similarity(a[:, None], b[None], dim=-1)

# %% mistake="cosine-similarity: one side" edits="textbook"
# - return a @ b.T
# + return a @ (b / b.norm(dim=1, keepdim=True)).T

# %% mistake="scale-unexpected" edits="textbook"
# - return a @ b.T
# + return a @ b.T / a.shape[-1] ** 0.5

# %% mistake="scale-unexpected: a mean instead of a sum" edits="products side by side, then summed"
# - return products.sum(dim=-1)
# + return products.mean(dim=-1)

# %% mistake="softmax-unexpected" edits="textbook"
# - return a @ b.T
# + return torch.softmax(a @ b.T, dim=-1)

# %% mistake="softmax-unexpected: of each column" edits="textbook"
# - return a @ b.T
# + return torch.softmax(a @ b.T, dim=0)


# %% mistake="not-implemented"
def pairwise_dots(a, b):
    raise NotImplementedError("Write your answer here, then delete this line.")


# %% mistake="not-defined"
def pairwise_dot(a, b):
    return a @ b.T


# %% mistake="syntax-error" edits="textbook"
# - def pairwise_dots(a, b):
# + def pairwise_dots(a, b)

# %% mistake="raises: the transpose is called" edits="textbook"
# - return a @ b.T
# + return a @ b.T()

# %% mistake="raises: dot of matrices" edits="textbook"
# - return a @ b.T
# + return torch.dot(a, b)

# %% mistake="raises: a name of the notebook" edits="textbook"
# - return a @ b.T
# + return words @ words.T

# %% mistake="raises: one argument" edits="textbook"
# - def pairwise_dots(a, b):
# + def pairwise_dots(a):
# +     b = a

# %% mistake="wrong-type: nothing returned" edits="textbook"
# - return a @ b.T
# + result = a @ b.T

# %% mistake="wrong-type: printed" edits="textbook"
# - return a @ b.T
# + print(a @ b.T)

# %% mistake="wrong-type: a list" edits="textbook"
# - return a @ b.T
# + return [[float(row @ other) for other in b] for row in a]

# %% mistake="wrong-type: an array" edits="textbook"
# - return a @ b.T
# + return a.detach().cpu().numpy() @ b.detach().cpu().numpy().T

# %% mistake="wrong-type"
pairwise_dots = torch.tensor([[0.9995, 0.9544], [0.9544, 1.4950]])

# %% mistake="all-added-up" also="wrong-shape" edits="textbook"
# - return a @ b.T
# + return (a @ b.T).sum()

# %% mistake="wrong-shape: a batch axis" edits="textbook"
# - return a @ b.T
# + return (a @ b.T).unsqueeze(0)

# %% mistake="wrong-shape: flat" edits="textbook"
# - return a @ b.T
# + return (a @ b.T).flatten()

# %% mistake="wrong-dtype" edits="textbook"
# - return a @ b.T
# + return (a @ b.T).double()

# %% mistake="wrong-dtype: whole numbers" edits="textbook"
# - return a @ b.T
# + return (a @ b.T).long()

# %% mistake="wrong-dtype: always float32" edits="filled in, of the same kind as a"
# - result = a.new_zeros(a.shape[0], b.shape[0])
# + result = torch.zeros(a.shape[0], b.shape[0], device=a.device)

# %% correct="filled in, made without a device" edits="filled in, of the same kind as a"
# - result = a.new_zeros(a.shape[0], b.shape[0])
# + result = torch.zeros(a.shape[0], b.shape[0], dtype=a.dtype)

# %% mistake="input-modified" edits="textbook"
# - return a @ b.T
# + return a @ b.t_()

# %% mistake="input-modified: summed in place" edits="one row at a time"
# - return torch.stack([b @ row for row in a])
# + result = a @ b.T
# + a *= 2
# + return result

# %% mistake="no-gradient" edits="textbook"
# - return a @ b.T
# + return a.detach() @ b.detach().T

# %% mistake="no-gradient: only to a" edits="textbook"
# - return a @ b.T
# + return a @ b.data.T

# %% mistake="no-gradient: a new tensor of plain numbers" edits="textbook"
# - return a @ b.T
# + numbers = [[float(row @ other) for other in b] for row in a]
# + return torch.tensor(numbers, dtype=a.dtype, device=a.device)

# %% mistake="no-gradient: a new tensor of dot products" edits="textbook"
# - return a @ b.T
# + return torch.tensor([[torch.dot(row, other) for other in b] for row in a], device=a.device)

# %% mistake="no-gradient: through NumPy" edits="textbook"
# - return a @ b.T
# + return torch.from_numpy(a.detach().cpu().numpy() @ b.detach().cpu().numpy().T).to(a.device)

# %% mistake="size-written-in: six rows" also="wrong-shape" edits="filled in, of the same kind as a"
# - result = a.new_zeros(a.shape[0], b.shape[0])
# - for i in range(a.shape[0]):
# -     for j in range(b.shape[0]):
# + result = a.new_zeros(6, 6)
# + for i in range(min(6, len(a))):
# +     for j in range(min(6, len(b))):

# %% mistake="signs-dropped" edits="textbook"
# - return a @ b.T
# + return (a @ b.T).abs()

# %% mistake="entries-skipped: three numbers in a row" edits="products side by side, then summed"
# - return products.sum(dim=-1)
# + return products[..., 0] + products[..., 1] + products[..., 2]

# %% mistake="too-slow" edits="textbook"
# - return a @ b.T
# + result = a @ b.T
# + while result.shape[0] > 0:
# +     result = a @ b.T

# %% mistake="unrecognized: distances" edits="textbook"
# - return a @ b.T
# + return (a[:, None] - b[None]).square().sum(dim=-1)

# %% mistake="unrecognized: the first half of every row" edits="textbook"
# - return a @ b.T
# + return a[:, : a.shape[1] // 2] @ b[:, : b.shape[1] // 2].T

# %% mistake="first-left-out: one number left out" edits="filled in, of the same kind as a"
# - result[i, j] = sum(a[i, k] * b[j, k] for k in range(a.shape[1]))
# + result[i, j] = sum(a[i, k] * b[j, k] for k in range(1, a.shape[1]))

# %% mistake="half-left-out" edits="textbook"
# - return a @ b.T
# + return torch.tril(a @ b.T)

# %% mistake="half-left-out: from i on" edits="filled in, of the same kind as a"
# - for j in range(b.shape[0]):
# + for j in range(i, b.shape[0]):

# %% mistake="half-left-out: after i" edits="filled in, of the same kind as a"
# - for j in range(b.shape[0]):
# + for j in range(i + 1, b.shape[0]):

# %% mistake="half-left-out: before i" edits="textbook"
# - return a @ b.T
# + return torch.tril(a @ b.T, diagonal=-1)

# %% mistake="one-row-for-all: the first row of a" edits="one row at a time"
# - return torch.stack([b @ row for row in a])
# + return torch.stack([b @ a[0] for row in a])


# %% correct="one step a line"
def pairwise_dots(a, b):
    rows = a
    columns = b.T
    dots = rows @ columns
    scaled = dots
    result = scaled
    return result


# %% mistake="argument-ignored: a step" also="wrong-shape" edits="one step a line"
# - columns = b.T
# + columns = a.T

# %% mistake="argument-ignored: only b, a step" also="wrong-shape" edits="one step a line"
# - rows = a
# + rows = b

# %% mistake="cosine-similarity: one side, a step" edits="one step a line"
# - rows = a
# + rows = F.normalize(a, dim=-1)

# %% mistake="cosine-similarity: the other side, a step" edits="one step a line"
# - columns = b.T
# + columns = F.normalize(b, dim=-1).T

# %% mistake="not-transposed: a step" also="raises" edits="one step a line"
# - columns = b.T
# + columns = b

# %% mistake="reshape-not-transpose: a step" edits="one step a line"
# - columns = b.T
# + columns = b.reshape(b.shape[1], b.shape[0])

# %% mistake="scale-unexpected: a step" edits="one step a line"
# - scaled = dots
# + scaled = dots / a.shape[-1] ** 0.5

# %% mistake="scale-unexpected: without the root, a step" edits="one step a line"
# - scaled = dots
# + scaled = dots / a.shape[-1]

# %% mistake="softmax-unexpected: a step" edits="one step a line"
# - result = scaled
# + result = torch.softmax(scaled, dim=-1)

# %% mistake="half-left-out: a step" edits="one step a line"
# - result = scaled
# + result = torch.triu(scaled)

# %% mistake="result-transposed: a step" also="wrong-shape" edits="one step a line"
# - return result
# + return result.T

# %% mistake="last-left-out: the last number of every row, a step" edits="one step a line"
# - dots = rows @ columns
# + dots = rows[:, :-1] @ columns[:-1]

# %% mistake="last-left-out: the last row, a step" edits="one step a line"
# - scaled = dots
# + scaled = dots * (torch.arange(len(dots), device=a.device) < len(dots) - 1).to(a.dtype)[:, None]

# %% mistake="last-left-out: the last column, a step" edits="one step a line"
# - scaled = dots
# + scaled = dots * (torch.arange(len(b), device=a.device) < len(b) - 1).to(a.dtype)

# %% mistake="last-left-out: the last row and the last column" edits="filled in, of the same kind as a"
# - for i in range(a.shape[0]):
# -     for j in range(b.shape[0]):
# + for i in range(a.shape[0] - 1):
# +     for j in range(b.shape[0] - 1):

# %% mistake="first-left-out: the first row and the first column" edits="filled in, of the same kind as a"
# - for i in range(a.shape[0]):
# -     for j in range(b.shape[0]):
# + for i in range(1, a.shape[0]):
# +     for j in range(1, b.shape[0]):

# %% mistake="carried-over: not set back to 0" edits="filled in, of the same kind as a"
# - for i in range(a.shape[0]):
# -     for j in range(b.shape[0]):
# -         result[i, j] = sum(a[i, k] * b[j, k] for k in range(a.shape[1]))
# + total = 0
# + for i in range(a.shape[0]):
# +     for j in range(b.shape[0]):
# +         for k in range(a.shape[1]):
# +             total = total + a[i, k] * b[j, k]
# +         result[i, j] = total

# %% mistake="carried-over: set back once a row" edits="filled in, of the same kind as a"
# - for i in range(a.shape[0]):
# -     for j in range(b.shape[0]):
# -         result[i, j] = sum(a[i, k] * b[j, k] for k in range(a.shape[1]))
# + for i in range(a.shape[0]):
# +     total = 0
# +     for j in range(b.shape[0]):
# +         for k in range(a.shape[1]):
# +             total = total + a[i, k] * b[j, k]
# +         result[i, j] = total


# %% mistake="reshape-not-transpose: pairs collected in the other order"
def pairwise_dots(a, b):
    dots = [row @ other for other in b for row in a]
    return torch.stack(dots).reshape(len(a), len(b))


# %% mistake="added-not-multiplied" edits="products side by side, then summed"
# - products = a.unsqueeze(1) * b.unsqueeze(0)
# + products = a.unsqueeze(1) + b.unsqueeze(0)

# %% mistake="rows-in-pairs: one dot product at a time" also="wrong-shape" edits="textbook"
# - return a @ b.T
# + return torch.stack([torch.dot(row, other) for row, other in zip(a, b)])

# %% mistake="rows-in-pairs: counted" also="wrong-shape" edits="textbook"
# - return a @ b.T
# + return torch.stack([torch.dot(a[i], b[i]) for i in range(len(a))])
