# %% setup
import numpy as np
import torch


# %% correct="textbook"
def swap_last_two(x):
    return x.transpose(-2, -1)


# %% correct="mT"
def swap_last_two(x):
    return x.mT


# %% correct="einsum"
def swap_last_two(x):
    return torch.einsum("...nm->...mn", x)


# %% correct="permute"
def swap_last_two(x):
    leading = range(x.dim() - 2)
    return x.permute(*leading, x.dim() - 1, x.dim() - 2)


# %% correct="a copy"
def swap_last_two(x):
    return torch.swapaxes(x, -1, -2).contiguous()


# %% correct="columns stacked as rows"
def swap_last_two(x):
    return torch.stack(x.unbind(dim=-1), dim=-2)


# %% correct="matrix by matrix"
def swap_last_two(x):
    if x.dim() == 2:
        return x.T
    return torch.stack([swap_last_two(item) for item in x])


# %% correct="as one long stack"
def swap_last_two(x):
    *lead, n, m = x.shape
    return x.reshape(-1, n, m).transpose(1, 2).reshape(*lead, m, n)


# %% mistake="leading-axes-transposed" also="wrong-shape" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.T

# %% mistake="leading-axes-transposed: permute" also="wrong-shape" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.permute(*reversed(range(x.dim())))

# %% mistake="leading-axes-transposed: the first two" also="wrong-shape" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.transpose(0, 1)

# %% mistake="fixed-number-of-axes: the second and third" also="raises" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.transpose(1, 2)

# %% mistake="fixed-number-of-axes: the third and fourth" also="raises" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.transpose(2, 3)

# %% mistake="leading-axes-transposed: the first and the last" also="wrong-shape" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.transpose(0, -1)

# %% mistake="fixed-number-of-axes: the second and the last" also="wrong-shape" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.transpose(1, -1)

# %% mistake="fixed-number-of-axes: t" also="raises" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.t()

# %% mistake="fixed-number-of-axes: permute a matrix" also="raises" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.permute(1, 0)

# %% mistake="fixed-number-of-axes: permute a stack" also="raises" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.permute(0, 2, 1)

# %% mistake="fixed-number-of-axes: the sizes of a matrix" also="raises" edits="textbook"
# - return x.transpose(-2, -1)
# + n, m = x.shape
# + return torch.stack([x[:, column] for column in range(m)])

# %% mistake="fixed-number-of-axes: a loop over the stack" also="wrong-shape" edits="textbook"
# - return x.transpose(-2, -1)
# + return torch.stack([item.T for item in x])

# %% mistake="fixed-number-of-axes: a matrix or a stack" also="wrong-shape" edits="textbook"
# - return x.transpose(-2, -1)
# + if len(x.shape) == 2:
# +     return x.T
# + return x.transpose(1, 2)

# %% mistake="fixed-number-of-axes: a matrix or a stack, permuted" also="raises" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.T if x.dim() == 2 else x.permute(0, 2, 1)

# %% mistake="fixed-number-of-axes: up to four" also="wrong-shape" edits="textbook"
# - return x.transpose(-2, -1)
# + if x.dim() == 2:
# +     return x.T
# + return x.transpose(1, 2) if x.dim() == 3 else x.transpose(2, 3)

# %% mistake="fixed-number-of-axes: a matrix, or a loop over the stack" also="wrong-shape" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.T if x.dim() == 2 else torch.stack([item.T for item in x])

# %% mistake="wrong-axes-swapped" also="raises" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.transpose(-3, -1)

# %% mistake="wrong-axes-swapped: the two before the last" also="raises" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.transpose(-3, -2)

# %% mistake="reshape-not-transpose" edits="textbook"
# - return x.transpose(-2, -1)
# + *lead, n, m = x.shape
# + return x.reshape(*lead, m, n)

# %% mistake="reshape-not-transpose: view" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.contiguous().view(x.shape[:-2] + (x.shape[-1], x.shape[-2]))

# %% mistake="returns-input" also="wrong-shape" edits="textbook"
# - return x.transpose(-2, -1)
# + x.transpose(-2, -1)
# + return x

# %% mistake="returns-input: swapped twice" also="wrong-shape" edits="textbook"
# - return x.transpose(-2, -1)
# + x = x.transpose(-2, -1)
# + return x.transpose(-1, -2)


# %% mistake="not-implemented"
def swap_last_two(x):
    raise NotImplementedError("Write your answer here, then delete this line.")


# %% mistake="not-defined"
def swap_two(x):
    return x.transpose(-2, -1)


# %% mistake="syntax-error" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.transpose(-2, -1

# %% mistake="raises: no axes named" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.transpose()

# %% mistake="raises: the transpose is called" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.T()

# %% mistake="wrong-type: not called" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.transpose

# %% mistake="wrong-type: nothing returned" edits="textbook"
# - return x.transpose(-2, -1)
# + x = x.transpose(-2, -1)

# %% mistake="wrong-type: an array" edits="textbook"
# - return x.transpose(-2, -1)
# + return np.swapaxes(x.detach().cpu().numpy(), -2, -1)

# %% mistake="wrong-type: the shape alone" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.transpose(-2, -1).shape


# %% mistake="wrong-type: a list"
def swap_last_two(x):
    return list(x.transpose(-2, -1))


# %% mistake="wrong-shape: an axis more" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.transpose(-2, -1)[None]

# %% mistake="wrong-dtype" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.transpose(-2, -1).half()

# %% mistake="wrong-dtype: always float32" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.transpose(-2, -1).float()

# %% mistake="input-modified" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.transpose_(-2, -1)

# %% mistake="input-modified: and cloned" edits="textbook"
# - return x.transpose(-2, -1)
# + x.swapaxes_(-2, -1)
# + return x.clone()

# %% mistake="no-gradient" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.detach().mT

# %% mistake="no-gradient: through NumPy" edits="textbook"
# - return x.transpose(-2, -1)
# + return torch.from_numpy(np.swapaxes(x.detach().cpu().numpy(), -2, -1)).to(x.device)

# %% mistake="too-slow" edits="textbook"
# - return x.transpose(-2, -1)
# + while x.dim() > 0:
# +     x = x.transpose(-2, -1)

# %% mistake="axes-turned-round: rotated" edits="textbook"
# - return x.transpose(-2, -1)
# + return torch.rot90(x, dims=(-2, -1))

# %% mistake="unrecognized: shifted by one" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.transpose(-2, -1).roll(1, -1)

# %% mistake="unrecognized: conjugated by hand, sign lost" edits="textbook"
# - return x.transpose(-2, -1)
# + return -x.transpose(-2, -1)

# %% mistake="one-row-for-all: the first matrix for all" edits="textbook"
# - return x.transpose(-2, -1)
# + matrix = x
# + while matrix.dim() > 2:
# +     matrix = matrix[0]
# + return matrix.T.expand(*x.shape[:-2], -1, -1)

# %% mistake="fixed-number-of-axes: two loops over indexes" also="raises" edits="textbook"
# - return x.transpose(-2, -1)
# + n, m = x.shape[0], x.shape[1]
# + result = x.new_zeros(m, n)
# + for i in range(n):
# +     for j in range(m):
# +         result[j, i] = x[i, j]
# + return result


# %% correct="filled, number by number"
def swap_last_two(x):
    *lead, n, m = x.shape
    result = x.new_zeros(*lead, m, n)
    for i in range(n):
        for j in range(m):
            result[..., j, i] = x[..., i, j]
    return result


# %% correct="filled, row by row"
def swap_last_two(x):
    result = x.new_zeros(x.shape[:-2] + (x.shape[-1], x.shape[-2]))
    for i in range(x.shape[-2]):
        result[..., i] = x[..., i, :]
    return result


# %% mistake="last-left-out: the last row and the last column" edits="filled, number by number"
# - for i in range(n):
# -     for j in range(m):
# + for i in range(n - 1):
# +     for j in range(m - 1):

# %% mistake="first-left-out: the first row and the first column" edits="filled, number by number"
# - for i in range(n):
# -     for j in range(m):
# + for i in range(1, n):
# +     for j in range(1, m):

# %% mistake="reshape-not-transpose: of all but matrices" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.T if x.dim() == 2 else x.reshape(*x.shape[:-2], x.shape[-1], x.shape[-2])

# %% mistake="reshape-not-transpose: of stacks" edits="textbook"
# - return x.transpose(-2, -1)
# + if x.dim() == 2:
# +     return x.T
# + return x.reshape(x.shape[0], x.shape[2], x.shape[1])

# %% mistake="reshape-not-transpose: after a transpose of all axes" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.T.reshape(*x.shape[:-2], x.shape[-1], x.shape[-2])

# %% mistake="wrong-axes-swapped: a matrix, or -3 and -1" also="wrong-shape" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.T if x.dim() == 2 else x.transpose(-3, -1)

# %% mistake="wrong-axes-swapped: a matrix, or the two before the last" also="wrong-shape" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.T if x.dim() == 2 else x.transpose(-3, -2)

# %% mistake="axes-turned-round" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.transpose(-2, -1).flip(-1)

# %% mistake="axes-turned-round: the rows" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.transpose(-2, -1).flip(-2)

# %% mistake="axes-turned-round: both" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.transpose(-2, -1).flip(-2, -1)

# %% mistake="axes-turned-round: both, not exchanged" also="wrong-shape" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.flip(-2, -1)

# %% mistake="reshape-not-transpose: the last two sizes alone" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.reshape(x.shape[-1], x.shape[-2])

# %% mistake="reshape-not-transpose: the sizes of a matrix" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.reshape(x.shape[1], x.shape[0])

# %% mistake="reshape-not-transpose: the sizes of a stack" also="raises" edits="textbook"
# - return x.transpose(-2, -1)
# + return x.reshape(x.shape[0], x.shape[2], x.shape[1])
