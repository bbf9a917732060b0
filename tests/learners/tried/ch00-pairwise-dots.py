# %% setup
import torch

# %% correct="a product"
def pairwise_dots(a, b):
    return a @ b.T

# %% correct="rows of a list"
def pairwise_dots(a, b):
    rows = []
    for x in a:
        row = []
        for y in b:
            row.append(torch.dot(x, y))
        rows.append(torch.stack(row))
    return torch.stack(rows)

# %% correct="filled"
def pairwise_dots(a, b):
    n = a.shape[0]
    m = b.shape[0]
    result = a.new_zeros(n, m)
    for i in range(n):
        for j in range(m):
            result[i, j] = a[i] @ b[j]
    return result

# %% mistake="raises: a list of lists is stacked" says="The first item of what the line puts together" never="plain numbers?|are no tensors any more" edits="rows of a list"
# - rows.append(torch.stack(row))
# + rows.append(row)

# %% mistake="not-transposed: forgot the transpose" edits="a product"
# - return a @ b.T
# + return a @ b

# %% mistake="rows-in-pairs: a star for the product" edits="a product"
# - return a @ b.T
# + return (a * b).sum(dim=1)

# %% mistake="columns-meet-columns: the wrong one is turned" edits="a product"
# - return a @ b.T
# + return a.T @ b

# %% mistake="no-gradient: plain numbers in lists" edits="rows of a list"
# - row.append(torch.dot(x, y))
# + row.append(sum(float(x[k] * y[k]) for k in range(len(x))))
# - rows.append(torch.stack(row))
# + rows.append(row)
# - return torch.stack(rows)
# + return torch.tensor(rows, dtype=a.dtype)

# %% mistake="no-gradient: each row made a tensor anew" edits="rows of a list"
# - rows.append(torch.stack(row))
# + rows.append(torch.tensor(row))

# %% mistake="wrong-dtype: zeros of float32" edits="filled"
# - result = a.new_zeros(n, m)
# + result = torch.zeros(n, m)

# %% mistake="last-left-out: both loops end one early" edits="filled"
# - for i in range(n):
# + for i in range(n - 1):
# - for j in range(m):
# + for j in range(m - 1):

# %% mistake="last-left-out: the last row" edits="filled"
# - for i in range(n):
# + for i in range(n - 1):

# %% mistake="first-left-out: the first column" edits="filled"
# - for j in range(m):
# + for j in range(1, m):

# %% mistake="last-round-only: stacked in the loop" also="wrong-shape" edits="rows of a list"
# - rows.append(torch.stack(row))
# + rows = [torch.stack(row)]

# %% mistake="first-round-only: return in the loop" edits="filled"
# - return result
# +     return result

# %% mistake="wrong-shape: one flat list" edits="rows of a list"
# - row.append(torch.dot(x, y))
# + rows.append(torch.dot(x, y))
# - rows.append(torch.stack(row))

# %% mistake="result-transposed: b first" edits="a product"
# - return a @ b.T
# + return b @ a.T

# %% mistake="raises: sizes that nobody defined" says="Is the name defined" edits="filled"
# - n = a.shape[0]
# - m = b.shape[0]

# %% mistake="argument-ignored: a with itself" edits="a product"
# - return a @ b.T
# + return a @ a.T

# %% mistake="argument-ignored: in the loops" edits="rows of a list"
# - for y in b:
# + for y in a:

# %% mistake="result-transposed: columns for rows, and scaled" also="scale-unexpected" edits="a product"
# - return a @ b.T
# + return (b @ a.T) / a.shape[1] ** 0.5

# %% mistake="argument-ignored: itself, and a softmax" also="softmax-unexpected" edits="a product"
# - return a @ b.T
# + return torch.softmax(a @ a.T, dim=1)

# %% mistake="summed-wrong-axis: of the products side by side" edits="a product"
# - return a @ b.T
# + return (a[:, None, :] * b[None, :, :]).sum(dim=0)

# %% mistake="scale-unexpected: and shares of it" also="softmax-unexpected"
def pairwise_dots(a, b):
    dots = (a[:, None] * b).sum(-1) / a.shape[1] ** 0.5
    return dots.softmax(dim=1)

# %% mistake="cosine-similarity: and shares of it" also="softmax-unexpected"
def pairwise_dots(a, b):
    a = a / a.norm(dim=1, keepdim=True)
    return torch.softmax(a @ b.T, dim=-1)

# %% mistake="scale-unexpected: one half alone" also="half-left-out"
def pairwise_dots(a, b):
    result = torch.zeros(len(a), len(b), dtype=a.dtype)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            if i <= j:
                result[i, j] = x.dot(y) / len(x) ** 0.5
    return result

# %% mistake="last-left-out: of each sum, and turned" also="result-transposed"
def pairwise_dots(a, b):
    out = a.new_zeros(len(b), len(a))
    for i in range(len(a)):
        for j in range(len(b)):
            for k in range(a.shape[1] - 1):
                out[j, i] += a[i, k] * b[j, k]
    return out

# %% mistake="last-left-out: the last column, and turned" also="result-transposed"
def pairwise_dots(a, b):
    out = a.new_zeros(len(b), len(a))
    for i in range(len(a)):
        for j in range(len(b) - 1):
            out[j, i] = a[i] @ b[j]
    return out

# %% mistake="last-round-only: = for +="
def pairwise_dots(a, b):
    out = torch.zeros(len(a), len(b))
    for i in range(len(a)):
        for j in range(len(b)):
            for k in range(a.shape[1]):
                out[i, j] = a[i, k] * b[j, k]
    return out

# %% mistake="first-round-only: return after the first row"
def pairwise_dots(a, b):
    out = a.new_zeros(len(a), len(b))
    for i in range(len(a)):
        for j in range(len(b)):
            out[i, j] = a[i] @ b[j]
        return out

# %% mistake="last-round-only: appended after the loop" also="wrong-shape"
def pairwise_dots(a, b):
    rows = []
    for i in range(len(a)):
        r = torch.stack([torch.dot(a[i], b[j]) for j in range(len(b))])
    rows.append(r)
    return torch.stack(rows)

# %% mistake="first-left-out: both loops start at 1"
def pairwise_dots(a, b):
    out = a.new_zeros(len(a), len(b))
    for i in range(1, len(a)):
        for j in range(1, len(b)):
            out[i, j] = a[i] @ b[j]
    return out

# %% mistake="carried-over: before the loops" edits="filled"
# - for i in range(n):
# + total = 0
# + for i in range(n):
# - result[i, j] = a[i] @ b[j]
# + for k in range(a.shape[1]):
# +     total += a[i, k] * b[j, k]
# + result[i, j] = total

# %% mistake="reshape-not-transpose: collected column by column"
def pairwise_dots(a, b):
    rows = []
    for j in range(len(b)):
        for i in range(len(a)):
            rows.append(a[i] @ b[j])
    return torch.stack(rows).reshape(len(a), len(b))

# %% mistake="scale-unexpected: a mean" edits="filled"
# - result[i, j] = a[i] @ b[j]
# + result[i, j] = (a[i] * b[j]).mean()

# %% mistake="added-not-multiplied: a plus" edits="filled"
# - result[i, j] = a[i] @ b[j]
# + result[i, j] = (a[i] + b[j]).sum()

# %% mistake="wrong-shape: as many columns as rows" edits="filled"
# - m = b.shape[0]
# + m = a.shape[0]

# %% mistake="elementwise-product: with the transpose" edits="a product"
# - return a @ b.T
# + return a * b.T

# %% mistake="raises: dot of matrices" says="two vectors" edits="a product"
# - return a @ b.T
# + return torch.dot(a, b)

# %% mistake="rows-in-pairs: collected in a loop"
def pairwise_dots(a, b):
    result = []
    for i in range(len(a)):
        result.append(torch.dot(a[i], b[i]))
    return torch.stack(result)

# %% mistake="rows-in-pairs: with zip"
def pairwise_dots(a, b):
    return torch.stack([(x * y).sum() for x, y in zip(a, b)])
