# %% setup
import numpy as np
import torch

tokens = ("Your", "journey", "starts", "with", "one", "step")

# %% mistake="mask-inverted: the mask is turned round" says="got True" never="0.0000|1.0000"
import torch


def causal_mask(num_tokens):
    return torch.ones(num_tokens, num_tokens).tril().bool()


# %% correct="mine"
def causal_mask(num_tokens):
    ones = torch.ones(num_tokens, num_tokens)
    mask = torch.triu(ones, diagonal=1)
    return mask == 1


# %% correct="mine, two loops"
def causal_mask(num_tokens):
    mask = torch.zeros(num_tokens, num_tokens).bool()
    for i in range(num_tokens):
        for j in range(i + 1, num_tokens):
            mask[i, j] = True
    return mask


# %% mistake="mask-inverted: equal to 0" edits="mine"
# - return mask == 1
# + return mask == 0

# %% mistake="mask-inverted: tilde" edits="mine"
# - return mask == 1
# + return ~mask.bool()

# %% mistake="mask-inverted: tril for triu, the diagonal as it was" edits="mine"
# - mask = torch.triu(ones, diagonal=1)
# + mask = torch.tril(ones, diagonal=1)

# %% mistake="mask-inverted: below the diagonal alone" edits="mine"
# - mask = torch.triu(ones, diagonal=1)
# + mask = torch.tril(ones, diagonal=-1)

# %% mistake="mask-inverted: row and column exchanged" edits="mine, two loops"
# - mask[i, j] = True
# + mask[j, i] = True

# %% mistake="mask-inverted: two loops, True where allowed"
def causal_mask(num_tokens):
    mask = torch.zeros(num_tokens, num_tokens).bool()
    for i in range(num_tokens):
        for j in range(num_tokens):
            if j <= i:
                mask[i, j] = True
    return mask


# %% mistake="mask-inverted: the ones of the book, not turned" also="wrong-dtype" edits="mine"
# - mask = torch.triu(ones, diagonal=1)
# - return mask == 1
# + return torch.tril(ones)

# %% mistake="mask-hides-diagonal: triu without a diagonal" edits="mine"
# - mask = torch.triu(ones, diagonal=1)
# + mask = torch.triu(ones)

# %% mistake="mask-hides-diagonal: the wrong way" edits="mine"
# - mask = torch.triu(ones, diagonal=1)
# + mask = torch.triu(ones, diagonal=-1)

# %% mistake="mask-hides-diagonal: loops from i" edits="mine, two loops"
# - for j in range(i + 1, num_tokens):
# + for j in range(i, num_tokens):

# %% mistake="mask-looks-ahead: loops from i + 2" edits="mine, two loops"
# - for j in range(i + 1, num_tokens):
# + for j in range(i + 2, num_tokens):

# %% mistake="last-left-out: the last key" edits="mine, two loops"
# - for j in range(i + 1, num_tokens):
# + for j in range(i + 1, num_tokens - 1):

# %% mistake="first-left-out: the first query" edits="mine, two loops"
# - for i in range(num_tokens):
# + for i in range(1, num_tokens):

# %% mistake="mask-looks-ahead: the next key alone is hidden"
def causal_mask(num_tokens):
    mask = torch.zeros(num_tokens, num_tokens).bool()
    for i in range(num_tokens - 1):
        mask[i, i + 1] = True
    return mask


# %% mistake="first-round-only: return in the loop"
def causal_mask(num_tokens):
    mask = torch.zeros(num_tokens, num_tokens).bool()
    for i in range(num_tokens):
        mask[i, i + 1 :] = True
        return mask


# %% mistake="wrong-dtype: bool forgotten" edits="mine"
# - return mask == 1
# + return mask

# %% mistake="wrong-dtype: minus infinity" edits="mine"
# - return mask == 1
# + return mask.masked_fill(mask.bool(), -torch.inf)

# %% mistake="wrong-dtype: and the diagonal is hidden" also="mask-hides-diagonal" edits="mine"
# - mask = torch.triu(ones, diagonal=1)
# - return mask == 1
# + return torch.triu(ones)

# %% mistake="hard-coded: the sentence's tokens are counted" edits="mine"
# - ones = torch.ones(num_tokens, num_tokens)
# + ones = torch.ones(len(tokens), len(tokens))

# %% mistake="wrong-type: bool is not called" edits="mine"
# - return mask == 1
# + return mask.bool

# %% mistake="wrong-type: printed, not returned" edits="mine"
# - return mask == 1
# + print(mask == 1)

# %% mistake="wrong-type: an array of NumPy" edits="mine"
# - return mask == 1
# + return np.triu(np.ones((num_tokens, num_tokens)), 1).astype(bool)

# %% mistake="raises: ones with one axis" edits="mine"
# - ones = torch.ones(num_tokens, num_tokens)
# + ones = torch.ones(num_tokens)

# %% mistake="raises: triu of a number" edits="mine"
# - mask = torch.triu(ones, diagonal=1)
# + mask = torch.triu(num_tokens, diagonal=1)

# %% mistake="raises: a dim for triu" edits="mine"
# - mask = torch.triu(ones, diagonal=1)
# + mask = torch.triu(ones, dim=1)

# %% mistake="wrong-shape: a batch axis" edits="mine"
# - return mask == 1
# + return (mask == 1).unsqueeze(0)

# %% mistake="mask-hides-all: triu is not in place" edits="mine"
# - mask = torch.triu(ones, diagonal=1)
# - return mask == 1
# + ones.triu(diagonal=1)
# + return ones.bool()

# %% mistake="wrong-dtype: six tokens, and bool forgotten" edits="mine"
# - ones = torch.ones(num_tokens, num_tokens)
# + ones = torch.ones(6, 6)
# - return mask == 1
# + return mask

# %% mistake="raises: tilde of a float" edits="mine"
# - mask = torch.triu(ones, diagonal=1)
# - return mask == 1
# + return ~torch.tril(ones)

# %% mistake="wrong-type: a list of lists" edits="mine"
# - return mask == 1
# + return (mask == 1).tolist()

# %% mistake="mask-hides-diagonal: loops from i, into floats" also="wrong-dtype" edits="mine, two loops"
# - mask = torch.zeros(num_tokens, num_tokens).bool()
# + mask = torch.zeros(num_tokens, num_tokens)
# - for j in range(i + 1, num_tokens):
# + for j in range(i, num_tokens):

# %% mistake="mask-looks-ahead: triu from 2 on" edits="mine"
# - mask = torch.triu(ones, diagonal=1)
# + mask = torch.triu(ones, diagonal=2)

# %% mistake="mask-hides-diagonal: triu from 0 on, turned to bools" edits="mine"
# - mask = torch.triu(ones, diagonal=1)
# + mask = torch.triu(ones, diagonal=0)

# %% mistake="raises: a wrong number and an argument under another name" says="unexpected keyword argument 'num_tokens'|Look at: The names" never="work out one number"
def causal_mask(n):
    mask = torch.triu(torch.ones(n, n), diagonal=1).bool()
    mask[-1, 0] = True
    return mask

# %% mistake="unrecognized: a wrong number, and nothing for few tokens" says="Look at: Your own line raises this error" never="work out one number"
def causal_mask(num_tokens):
    if num_tokens < 4:
        raise RuntimeError("too few")
    mask = torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1).bool()
    mask[-1, 0] = True
    return mask
