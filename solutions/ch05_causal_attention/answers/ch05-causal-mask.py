# %% setup
import numpy as np
import torch


# %% correct="triu of ones"
def causal_mask(num_tokens):
    return torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1).bool()


# %% correct="tril, turned around"
def causal_mask(num_tokens):
    return torch.tril(torch.ones(num_tokens, num_tokens)) == 0


# %% correct="places compared"
def causal_mask(num_tokens):
    place = torch.arange(num_tokens)
    return place[None, :] > place[:, None]


# %% correct="two loops"
def causal_mask(num_tokens):
    mask = torch.zeros(num_tokens, num_tokens, dtype=torch.bool)
    for query in range(num_tokens):
        for key in range(num_tokens):
            if key > query:
                mask[query, key] = True
    return mask


# %% correct="a list of rows"
def causal_mask(num_tokens):
    return torch.tensor([[j > i for j in range(num_tokens)] for i in range(num_tokens)])


# %% correct="in place, of bools"
def causal_mask(num_tokens):
    return torch.ones((num_tokens, num_tokens), dtype=torch.bool).triu_(1)


# %% correct="by indices"
def causal_mask(num_tokens):
    mask = torch.full((num_tokens, num_tokens), False)
    rows, columns = torch.triu_indices(num_tokens, num_tokens, offset=1)
    mask[rows, columns] = True
    return mask


# %% correct="through NumPy"
def causal_mask(num_tokens):
    return torch.from_numpy(np.triu(np.ones((num_tokens, num_tokens), dtype=bool), k=1))


# %% mistake="mask-hides-diagonal"
def causal_mask(num_tokens):
    return torch.triu(torch.ones(num_tokens, num_tokens)).bool()


# %% mistake="mask-hides-diagonal: by comparing places" edits="places compared"
# - return place[None, :] > place[:, None]
# + return place[None, :] >= place[:, None]

# %% mistake="mask-looks-ahead" edits="triu of ones"
# - return torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1).bool()
# + return torch.triu(torch.ones(num_tokens, num_tokens), diagonal=2).bool()


# %% mistake="mask-inverted: a token sees itself"
def causal_mask(num_tokens):
    return torch.tril(torch.ones(num_tokens, num_tokens), diagonal=-1).bool()


# %% mistake="mask-inverted: places exchanged" edits="places compared"
# - return place[None, :] > place[:, None]
# + return place[:, None] > place[None, :]


# %% mistake="mask-inverted"
def causal_mask(num_tokens):
    return torch.tril(torch.ones(num_tokens, num_tokens)).bool()


# %% mistake="mask-inverted: a token sees the next but one"
def causal_mask(num_tokens):
    return torch.tril(torch.ones(num_tokens, num_tokens), diagonal=1).bool()


# %% mistake="mask-hides-diagonal: and the token before"
def causal_mask(num_tokens):
    return torch.triu(torch.ones(num_tokens, num_tokens), diagonal=-1).bool()


# %% mistake="mask-missing"
def causal_mask(num_tokens):
    return torch.zeros(num_tokens, num_tokens, dtype=torch.bool)


# %% mistake="mask-hides-all"
def causal_mask(num_tokens):
    return torch.ones(num_tokens, num_tokens, dtype=torch.bool)


# %% mistake="wrong-dtype" edits="triu of ones"
# - return torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1).bool()
# + return torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1)

# %% mistake="wrong-dtype: integers" edits="triu of ones"
# - return torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1).bool()
# + return torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1).long()


# %% mistake="wrong-dtype: an additive mask"
def causal_mask(num_tokens):
    return torch.full((num_tokens, num_tokens), -torch.inf).triu(1)


# %% mistake="wrong-shape: a batch axis" edits="triu of ones"
# - return torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1).bool()
# + return torch.triu(torch.ones(1, num_tokens, num_tokens), diagonal=1).bool()


# %% mistake="wrong-shape: one row"
def causal_mask(num_tokens):
    return torch.arange(num_tokens) > 0


# %% mistake="wrong-type: an array" edits="through NumPy"
# - return torch.from_numpy(np.triu(np.ones((num_tokens, num_tokens), dtype=bool), k=1))
# + return np.triu(np.ones((num_tokens, num_tokens), dtype=bool), k=1)

# %% mistake="wrong-type: nothing returned" edits="triu of ones"
# - return torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1).bool()
# + mask = torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1).bool()


# %% mistake="hard-coded" also="wrong-shape"
def causal_mask(num_tokens):
    return torch.triu(torch.ones(6, 6), diagonal=1).bool()


# %% mistake="raises" edits="triu of ones"
# - return torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1).bool()
# + return torch.triu(torch.ones(T, T), diagonal=1).bool()

# %% mistake="raises: one axis only" edits="triu of ones"
# - return torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1).bool()
# + return torch.triu(torch.ones(num_tokens), diagonal=1).bool()


# %% mistake="not-implemented"
def causal_mask(num_tokens):
    raise NotImplementedError("Write your answer here, then delete this line.")


# %% mistake="not-defined" edits="triu of ones"
# - def causal_mask(num_tokens):
# + def mask(num_tokens):

# %% mistake="syntax-error" edits="triu of ones"
# - def causal_mask(num_tokens):
# + def causal_mask(num_tokens)

# %% mistake="too-slow" edits="triu of ones"
# - def causal_mask(num_tokens):
# + def causal_mask(num_tokens):
# +     while num_tokens:
# +         pass


# %% mistake="unrecognized: the first key alone is hidden"
def causal_mask(num_tokens):
    mask = torch.zeros(num_tokens, num_tokens, dtype=torch.bool)
    mask[:, 0] = True
    return mask


# %% mistake="mask-looks-ahead: the next key alone is hidden"
def causal_mask(num_tokens):
    place = torch.arange(num_tokens)
    return place[None, :] == place[:, None] + 1


# %% mistake="unrecognized: mirrored"
def causal_mask(num_tokens):
    return torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1).bool().flip(0)


# %% mistake="result-shared: one mask for all callers"
from functools import cache


@cache
def causal_mask(num_tokens):
    return torch.ones(num_tokens, num_tokens).triu(diagonal=1).bool()
