# %% setup
import torch
from torch import nn


# %% correct="masked_fill"
def additive_causal_mask(num_tokens):
    hidden = torch.ones(num_tokens, num_tokens).triu(1).bool()
    return torch.zeros(num_tokens, num_tokens).masked_fill(hidden, -torch.inf)


# %% correct="triu of infinities"
def additive_causal_mask(num_tokens):
    return torch.triu(torch.full((num_tokens, num_tokens), float("-inf")), diagonal=1)


# %% correct="torch.where"
def additive_causal_mask(num_tokens):
    place = torch.arange(num_tokens)
    return torch.where(place > place[:, None], -torch.inf, 0.0)


# %% correct="two loops"
def additive_causal_mask(num_tokens):
    mask = torch.zeros(num_tokens, num_tokens)
    for i in range(num_tokens):
        for j in range(i + 1, num_tokens):
            mask[i, j] = float("-inf")
    return mask


# %% correct="a logarithm"
def additive_causal_mask(num_tokens):
    return torch.tril(torch.ones(num_tokens, num_tokens)).log()


# %% correct="the library's"
def additive_causal_mask(num_tokens):
    return nn.Transformer.generate_square_subsequent_mask(num_tokens)


# %% correct="the product's NaN replaced"
def additive_causal_mask(num_tokens):
    mask = torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1) * float("-inf")
    return mask.masked_fill(mask.isnan(), 0.0)


# %% mistake="mask-nan" also="not-finite"
def additive_causal_mask(num_tokens):
    return torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1) * -torch.inf


# %% mistake="mask-nan: a bool turned into a float" also="not-finite" edits="masked_fill"
# - return torch.zeros(num_tokens, num_tokens).masked_fill(hidden, -torch.inf)
# + return hidden.float() * float("-inf")


# %% mistake="mask-nan: allowed is one" also="not-finite"
def additive_causal_mask(num_tokens):
    return (1 - torch.tril(torch.ones(num_tokens, num_tokens))) * -torch.inf


# %% mistake="mask-large-number" edits="masked_fill"
# - return torch.zeros(num_tokens, num_tokens).masked_fill(hidden, -torch.inf)
# + return torch.zeros(num_tokens, num_tokens).masked_fill(hidden, -1e9)

# %% mistake="mask-large-number: the smallest float" edits="masked_fill"
# - return torch.zeros(num_tokens, num_tokens).masked_fill(hidden, -torch.inf)
# + return torch.zeros(num_tokens, num_tokens).masked_fill(hidden, torch.finfo(torch.float32).min)

# %% mistake="mask-large-number: ten thousand" edits="masked_fill"
# - return torch.zeros(num_tokens, num_tokens).masked_fill(hidden, -torch.inf)
# + return torch.zeros(num_tokens, num_tokens).masked_fill(hidden, -1e4)

# %% mistake="mask-large-number: a million times a million" edits="masked_fill"
# - return torch.zeros(num_tokens, num_tokens).masked_fill(hidden, -torch.inf)
# + return torch.zeros(num_tokens, num_tokens).masked_fill(hidden, -1e12)

# %% mistake="mask-large-number: ten to the twenty" edits="masked_fill"
# - return torch.zeros(num_tokens, num_tokens).masked_fill(hidden, -torch.inf)
# + return torch.zeros(num_tokens, num_tokens).masked_fill(hidden, -1e20)

# %% mistake="mask-large-number: ten to the ten" edits="masked_fill"
# - return torch.zeros(num_tokens, num_tokens).masked_fill(hidden, -torch.inf)
# + return torch.zeros(num_tokens, num_tokens).masked_fill(hidden, -1e10)

# %% mistake="mask-large-number: ten to the thirty" edits="masked_fill"
# - return torch.zeros(num_tokens, num_tokens).masked_fill(hidden, -torch.inf)
# + return torch.zeros(num_tokens, num_tokens).masked_fill(hidden, -1e30)

# %% mistake="mask-hides-diagonal" edits="triu of infinities"
# - return torch.triu(torch.full((num_tokens, num_tokens), float("-inf")), diagonal=1)
# + return torch.triu(torch.full((num_tokens, num_tokens), float("-inf")))

# %% mistake="mask-looks-ahead" edits="triu of infinities"
# - return torch.triu(torch.full((num_tokens, num_tokens), float("-inf")), diagonal=1)
# + return torch.triu(torch.full((num_tokens, num_tokens), float("-inf")), diagonal=2)

# %% mistake="mask-inverted: a token sees itself" edits="triu of infinities"
# - return torch.triu(torch.full((num_tokens, num_tokens), float("-inf")), diagonal=1)
# + return torch.tril(torch.full((num_tokens, num_tokens), float("-inf")), diagonal=-1)

# %% mistake="mask-inverted" edits="triu of infinities"
# - return torch.triu(torch.full((num_tokens, num_tokens), float("-inf")), diagonal=1)
# + return torch.tril(torch.full((num_tokens, num_tokens), float("-inf")))


# %% mistake="mask-missing"
def additive_causal_mask(num_tokens):
    return torch.zeros(num_tokens, num_tokens)


# %% mistake="mask-missing: masked_fill is not in place"
def additive_causal_mask(num_tokens):
    mask = torch.zeros(num_tokens, num_tokens)
    mask.masked_fill(torch.ones(num_tokens, num_tokens).triu(1).bool(), -torch.inf)
    return mask


# %% mistake="mask-hides-all"
def additive_causal_mask(num_tokens):
    return torch.full((num_tokens, num_tokens), -torch.inf)


# %% mistake="mask-zero-not-inf"
def additive_causal_mask(num_tokens):
    return torch.tril(torch.ones(num_tokens, num_tokens))


# %% mistake="mask-zero-not-inf: minus one"
def additive_causal_mask(num_tokens):
    return -torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1)


# %% mistake="mask-zero-not-inf: plus one"
def additive_causal_mask(num_tokens):
    return torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1)


# %% mistake="mask-allowed-not-zero" edits="masked_fill"
# - return torch.zeros(num_tokens, num_tokens).masked_fill(hidden, -torch.inf)
# + return torch.ones(num_tokens, num_tokens).masked_fill(hidden, -torch.inf)

# %% mistake="mask-zero-not-inf: true and false" also="wrong-dtype" edits="masked_fill"
# - return torch.zeros(num_tokens, num_tokens).masked_fill(hidden, -torch.inf)
# + return hidden

# %% mistake="wrong-dtype" edits="masked_fill"
# - return torch.zeros(num_tokens, num_tokens).masked_fill(hidden, -torch.inf)
# + return torch.zeros(num_tokens, num_tokens, dtype=torch.float64).masked_fill(hidden, -torch.inf)

# %% mistake="wrong-shape: a batch axis" edits="masked_fill"
# - return torch.zeros(num_tokens, num_tokens).masked_fill(hidden, -torch.inf)
# + return torch.zeros(1, num_tokens, num_tokens).masked_fill(hidden, -torch.inf)


# %% mistake="wrong-type: nothing returned"
def additive_causal_mask(num_tokens):
    torch.triu(torch.full((num_tokens, num_tokens), float("-inf")), diagonal=1)


# %% mistake="hard-coded" also="wrong-shape"
def additive_causal_mask(num_tokens):
    return torch.triu(torch.full((6, 6), float("-inf")), diagonal=1)


# %% mistake="raises: integers hold no infinity" edits="masked_fill"
# - return torch.zeros(num_tokens, num_tokens).masked_fill(hidden, -torch.inf)
# + return torch.zeros(num_tokens, num_tokens, dtype=torch.int64).masked_fill(hidden, -torch.inf)

# %% mistake="raises" edits="masked_fill"
# - return torch.zeros(num_tokens, num_tokens).masked_fill(hidden, -torch.inf)
# + return torch.zeros(num_tokens, num_tokens).masked_fill(hidden, -inf)


# %% mistake="not-implemented"
def additive_causal_mask(num_tokens):
    raise NotImplementedError("Write your answer here, then delete this line.")


# %% mistake="not-defined" edits="masked_fill"
# - def additive_causal_mask(num_tokens):
# + def causal_additive_mask(num_tokens):

# %% mistake="syntax-error" edits="masked_fill"
# - hidden = torch.ones(num_tokens, num_tokens).triu(1).bool()
# + hidden = torch.ones(num_tokens, num_tokens)).triu(1).bool()

# %% mistake="unrecognized: minus one hundred" edits="masked_fill"
# - return torch.zeros(num_tokens, num_tokens).masked_fill(hidden, -torch.inf)
# + return torch.zeros(num_tokens, num_tokens).masked_fill(hidden, -100.0)


# %% mistake="unrecognized: further away, more hidden"
def additive_causal_mask(num_tokens):
    place = torch.arange(num_tokens)
    return torch.where(place > place[:, None], (place[:, None] - place).float(), 0.0)


# %% correct="one step a line"
def additive_causal_mask(num_tokens):
    hidden = torch.ones(num_tokens, num_tokens).triu(diagonal=1).bool()
    mask = torch.zeros(num_tokens, num_tokens)
    mask = mask.masked_fill(hidden, -torch.inf)
    return mask


# %% mistake="mask-inverted: a step" edits="one step a line"
# - hidden = torch.ones(num_tokens, num_tokens).triu(diagonal=1).bool()
# + hidden = torch.ones(num_tokens, num_tokens).tril().bool()

# %% mistake="mask-inverted: a token sees the next but one" edits="one step a line"
# - hidden = torch.ones(num_tokens, num_tokens).triu(diagonal=1).bool()
# + hidden = torch.ones(num_tokens, num_tokens).tril(diagonal=1).bool()

# %% mistake="mask-hides-diagonal: a step" edits="one step a line"
# - hidden = torch.ones(num_tokens, num_tokens).triu(diagonal=1).bool()
# + hidden = torch.ones(num_tokens, num_tokens).triu().bool()

# %% mistake="mask-hides-diagonal: and the token before" edits="one step a line"
# - hidden = torch.ones(num_tokens, num_tokens).triu(diagonal=1).bool()
# + hidden = torch.ones(num_tokens, num_tokens).triu(diagonal=-1).bool()

# %% mistake="mask-looks-ahead: a step" edits="one step a line"
# - hidden = torch.ones(num_tokens, num_tokens).triu(diagonal=1).bool()
# + hidden = torch.ones(num_tokens, num_tokens).triu(diagonal=2).bool()

# %% mistake="mask-large-number: a step" edits="one step a line"
# - mask = mask.masked_fill(hidden, -torch.inf)
# + mask = mask.masked_fill(hidden, -1e9)

# %% mistake="mask-large-number: nine and fifteen zeros" edits="one step a line"
# - mask = mask.masked_fill(hidden, -torch.inf)
# + mask = mask.masked_fill(hidden, -9e15)

# %% mistake="mask-inverted: with -1e9" also="mask-large-number" edits="one step a line"
# - mask = mask.masked_fill(hidden, -torch.inf)
# + mask = mask.masked_fill(~hidden, -1e9)

# %% mistake="mask-inverted: with -1e20" also="mask-large-number" edits="one step a line"
# - mask = mask.masked_fill(hidden, -torch.inf)
# + mask = mask.masked_fill(~hidden, -1e20)

# %% mistake="mask-nan: a step" also="not-finite" edits="one step a line"
# - mask = mask.masked_fill(hidden, -torch.inf)
# + mask = hidden * -torch.inf

# %% mistake="mask-nan: allowed is one, and times infinity" also="not-finite" edits="one step a line"
# - mask = mask.masked_fill(hidden, -torch.inf)
# + mask = ~hidden * -torch.inf

# %% mistake="mask-zero-not-inf: a step" edits="one step a line"
# - return mask
# + return (~hidden).to(mask.dtype)

# %% mistake="mask-allowed-not-zero: a step" edits="one step a line"
# - mask = torch.zeros(num_tokens, num_tokens)
# + mask = torch.ones(num_tokens, num_tokens)

# %% mistake="mask-plus-infinity" edits="masked_fill"
# - return torch.zeros(num_tokens, num_tokens).masked_fill(hidden, -torch.inf)
# + return torch.zeros(num_tokens, num_tokens).masked_fill(hidden, torch.inf)

# %% mistake="mask-plus-infinity: in loops" edits="two loops"
# - mask[i, j] = float("-inf")
# + mask[i, j] = float("inf")

# %% mistake="mask-plus-infinity: below the diagonal" also="mask-inverted" edits="two loops"
# - for j in range(i + 1, num_tokens):
# + for j in range(i):
# - mask[i, j] = float("-inf")
# + mask[i, j] = float("inf")

# %% mistake="mask-allowed-not-zero: the scores of the six words"
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
torch.manual_seed(789)
layers = [nn.Linear(3, 2, bias=False).requires_grad_(False) for _ in range(3)]
to_query, to_key, to_value = layers
scores = to_query(inputs) @ to_key(inputs).T


def additive_causal_mask(num_tokens):
    hidden = torch.ones(num_tokens, num_tokens).triu(1).bool()
    return scores.masked_fill(hidden, -torch.inf)
