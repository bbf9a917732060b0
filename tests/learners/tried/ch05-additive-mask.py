# %% setup
import torch


def causal_mask(num_tokens):
    return torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1).bool()


# %% correct="mine"
def additive_causal_mask(num_tokens):
    hidden = causal_mask(num_tokens)
    mask = torch.zeros(num_tokens, num_tokens)
    mask = mask.masked_fill(hidden, float("-inf"))
    return mask


# %% correct="mine, triu"
def additive_causal_mask(num_tokens):
    return torch.triu(torch.full((num_tokens, num_tokens), -torch.inf), diagonal=1)


# %% mistake="mask-inverted: tilde" edits="mine"
# - mask = mask.masked_fill(hidden, float("-inf"))
# + mask = mask.masked_fill(~hidden, float("-inf"))

# %% mistake="mask-inverted: tril" edits="mine, triu"
# - return torch.triu(torch.full((num_tokens, num_tokens), -torch.inf), diagonal=1)
# + return torch.tril(torch.full((num_tokens, num_tokens), -torch.inf))

# %% mistake="mask-inverted: tril, the diagonal as it was" edits="mine, triu"
# - return torch.triu(torch.full((num_tokens, num_tokens), -torch.inf), diagonal=1)
# + return torch.tril(torch.full((num_tokens, num_tokens), -torch.inf), diagonal=1)

# %% mistake="mask-inverted: below the diagonal alone" edits="mine, triu"
# - return torch.triu(torch.full((num_tokens, num_tokens), -torch.inf), diagonal=1)
# + return torch.tril(torch.full((num_tokens, num_tokens), -torch.inf), diagonal=-1)

# %% mistake="mask-inverted: where, the numbers exchanged"
def additive_causal_mask(num_tokens):
    return torch.where(causal_mask(num_tokens), 0.0, -torch.inf)


# %% mistake="mask-inverted: with -1e9" edits="mine"
# - mask = mask.masked_fill(hidden, float("-inf"))
# + mask = mask.masked_fill(~hidden, -1e9)

# %% mistake="mask-inverted: with -1e20" edits="mine"
# - mask = mask.masked_fill(hidden, float("-inf"))
# + mask = mask.masked_fill(hidden == 0, -1e20)

# %% mistake="mask-inverted: the ones of the book times -1e9"
def additive_causal_mask(num_tokens):
    return torch.tril(torch.ones(num_tokens, num_tokens)) * -1e9


# %% mistake="mask-large-number: -1e9" edits="mine"
# - mask = mask.masked_fill(hidden, float("-inf"))
# + mask = mask.masked_fill(hidden, -1e9)

# %% mistake="mask-large-number: -1e20" edits="mine"
# - mask = mask.masked_fill(hidden, float("-inf"))
# + mask = mask.masked_fill(hidden, float("-1e20"))

# %% mistake="mask-large-number: -9e15" edits="mine"
# - mask = mask.masked_fill(hidden, float("-inf"))
# + mask = mask.masked_fill(hidden, -9e15)

# %% mistake="mask-nan: the mask times minus infinity"
def additive_causal_mask(num_tokens):
    return causal_mask(num_tokens) * float("-inf")


# %% mistake="mask-nan: 1 less tril, times minus infinity"
def additive_causal_mask(num_tokens):
    return (1 - torch.tril(torch.ones(num_tokens, num_tokens))) * float("-inf")


# %% mistake="mask-nan: infinity times the book's ones"
def additive_causal_mask(num_tokens):
    return torch.tril(torch.ones(num_tokens, num_tokens)) * -torch.inf


# %% mistake="mask-missing: masked_fill is not in place" edits="mine"
# - mask = mask.masked_fill(hidden, float("-inf"))
# + mask.masked_fill(hidden, float("-inf"))

# %% mistake="mask-hides-diagonal: triu without a diagonal" edits="mine, triu"
# - return torch.triu(torch.full((num_tokens, num_tokens), -torch.inf), diagonal=1)
# + return torch.triu(torch.full((num_tokens, num_tokens), -torch.inf))

# %% mistake="mask-hides-diagonal: and -1e9" also="mask-large-number" edits="mine"
# - hidden = causal_mask(num_tokens)
# + hidden = torch.triu(torch.ones(num_tokens, num_tokens)).bool()
# - mask = mask.masked_fill(hidden, float("-inf"))
# + mask = mask.masked_fill(hidden, -1e9)

# %% mistake="mask-zero-not-inf: 1 for hidden" edits="mine"
# - return mask
# + return hidden.float()

# %% mistake="mask-allowed-not-zero: ones instead of zeros" edits="mine"
# - mask = torch.zeros(num_tokens, num_tokens)
# + mask = torch.ones(num_tokens, num_tokens)

# %% mistake="mask-zero-not-inf: the mask of true and false" also="wrong-dtype" edits="mine"
# - return mask
# + return hidden

# %% mistake="first-left-out: a loop from 1"
def additive_causal_mask(num_tokens):
    mask = torch.zeros(num_tokens, num_tokens)
    for i in range(1, num_tokens):
        mask[i, i + 1 :] = float("-inf")
    return mask


# %% mistake="mask-looks-ahead: a loop from i + 2"
def additive_causal_mask(num_tokens):
    mask = torch.zeros(num_tokens, num_tokens)
    for i in range(num_tokens):
        mask[i, i + 2 :] = float("-inf")
    return mask


# %% mistake="raises: a text for a number" edits="mine"
# - mask = mask.masked_fill(hidden, float("-inf"))
# + mask = mask.masked_fill(hidden, "-inf")

# %% mistake="raises: zeros of whole numbers" edits="mine"
# - mask = torch.zeros(num_tokens, num_tokens)
# + mask = torch.zeros(num_tokens, num_tokens).long()

# %% mistake="raises: masked_fill on the mask of true and false" edits="mine"
# - mask = mask.masked_fill(hidden, float("-inf"))
# + mask = mask.masked_fill(mask, float("-inf"))

# %% mistake="wrong-type: nothing returned" edits="mine"
# - return mask
# + print(mask)

# %% correct="two loops"
def additive_causal_mask(num_tokens):
    mask = torch.zeros(num_tokens, num_tokens)
    for i in range(num_tokens):
        for j in range(num_tokens):
            if j > i:
                mask[i, j] = -torch.inf
    return mask

# %% mistake="mask-allowed-not-zero: and -1e9" also="mask-large-number" edits="mine"
# - mask = torch.zeros(num_tokens, num_tokens)
# + mask = torch.ones(num_tokens, num_tokens)
# - mask = mask.masked_fill(hidden, float("-inf"))
# + mask = mask.masked_fill(hidden, -1e9)

# %% mistake="mask-allowed-not-zero: and the diagonal is hidden" also="mask-hides-diagonal" edits="mine"
# - mask = torch.zeros(num_tokens, num_tokens)
# + mask = torch.ones(num_tokens, num_tokens)
# - hidden = causal_mask(num_tokens)
# + hidden = torch.triu(torch.ones(num_tokens, num_tokens)).bool()

# %% mistake="mask-allowed-not-zero: and the mask turned round" also="mask-inverted" edits="mine"
# - mask = torch.zeros(num_tokens, num_tokens)
# + mask = torch.ones(num_tokens, num_tokens)
# - mask = mask.masked_fill(hidden, float("-inf"))
# + mask = mask.masked_fill(~hidden, float("-inf"))

# %% mistake="mask-allowed-not-zero: tril of ones, 0 replaced"
def additive_causal_mask(num_tokens):
    mask = torch.tril(torch.ones(num_tokens, num_tokens))
    return mask.masked_fill(mask == 0, float("-inf"))

# %% mistake="mask-allowed-not-zero: loops over ones" edits="two loops"
# - mask = torch.zeros(num_tokens, num_tokens)
# + mask = torch.ones(num_tokens, num_tokens)

# %% mistake="mask-allowed-not-zero: loops over ones, j >= i" also="mask-hides-diagonal" edits="two loops"
# - mask = torch.zeros(num_tokens, num_tokens)
# + mask = torch.ones(num_tokens, num_tokens)
# - if j > i:
# + if j >= i:

# %% mistake="mask-hides-diagonal: loops, from j >= i" edits="two loops"
# - if j > i:
# + if j >= i:

# %% mistake="last-left-out: the last key" edits="two loops"
# - for j in range(num_tokens):
# + for j in range(num_tokens - 1):

# %% mistake="first-round-only: return in the loop" edits="two loops"
# - return mask
# +     return mask

# %% mistake="mask-inverted: loops, i and j exchanged" edits="two loops"
# - mask[i, j] = -torch.inf
# + mask[j, i] = -torch.inf

# %% mistake="mask-large-number: a product with the mask"
def additive_causal_mask(num_tokens):
    return torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1) * -1e9

# %% mistake="mask-large-number: tril is 0, times -1e9"
def additive_causal_mask(num_tokens):
    return (torch.tril(torch.ones(num_tokens, num_tokens)) == 0).float() * -1e9

# %% mistake="raises: a mask of floats" edits="mine"
# - hidden = causal_mask(num_tokens)
# + hidden = torch.triu(torch.ones(num_tokens, num_tokens))

# %% mistake="wrong-dtype: zeros in double precision" edits="mine"
# - mask = torch.zeros(num_tokens, num_tokens)
# + mask = torch.zeros(num_tokens, num_tokens, dtype=torch.float64)

# %% mistake="mask-plus-infinity: full and triu"
def additive_causal_mask(num_tokens):
    return torch.full((num_tokens, num_tokens), float("inf")).triu(1)

# %% mistake="mask-plus-infinity: and the wrong side" also="mask-inverted"
def additive_causal_mask(num_tokens):
    mask = torch.zeros(num_tokens, num_tokens)
    for i in range(num_tokens):
        for j in range(i):
            mask[i][j] = float("inf")
    return mask


# %% mistake="mask-allowed-not-zero: the scores of the notebook" says="or a score"
torch.manual_seed(789)
inputs = torch.tensor(
    [
        [0.43, 0.15, 0.89],
        [0.55, 0.87, 0.66],
        [0.57, 0.85, 0.64],
        [0.22, 0.58, 0.33],
        [0.77, 0.25, 0.10],
        [0.05, 0.80, 0.55],
    ]
)
to_query, to_key = (torch.nn.Linear(3, 2, bias=False).requires_grad_(False) for _ in range(2))
scores = to_query(inputs) @ to_key(inputs).T


def additive_causal_mask(num_tokens):
    return scores.masked_fill(causal_mask(num_tokens), -torch.inf)
