# %% setup
import torch

# What the chapter's notebook holds.
sentence = torch.tensor(
    [
        [0.43, 0.15, 0.89],
        [0.55, 0.87, 0.66],
        [0.57, 0.85, 0.64],
        [0.22, 0.58, 0.33],
        [0.77, 0.25, 0.10],
        [0.05, 0.80, 0.55],
    ]
)
attention = torch.softmax(sentence @ sentence.T, dim=-1)


# %% correct="textbook"
def fixed_04(x):
    scores = x @ x.T
    weights = torch.softmax(scores, dim=-1)
    return weights @ x


# %% correct="einsum"
def fixed_04(x):
    shares = torch.einsum("id,jd->ij", x, x).softmax(dim=1)
    return torch.einsum("ij,jd->id", shares, x)


# %% correct="one query at a time"
def fixed_04(x):
    rows = []
    for query in x:
        rows.append(torch.softmax(x @ query, dim=0) @ x)
    return torch.stack(rows)


# %% correct="the library, without its scale"
def fixed_04(x):
    return torch.nn.functional.scaled_dot_product_attention(x, x, x, scale=1.0)


# %% correct="the logarithm of the sum" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = (scores - scores.logsumexp(dim=-1, keepdim=True)).exp()

# %% mistake="global-instead-of-argument" edits="textbook"
# - return weights @ x
# + return attention @ x

# %% mistake="global-instead-of-argument: the scores" edits="textbook"
# - scores = x @ x.T
# + scores = sentence @ sentence.T

# %% mistake="global-instead-of-argument: what is mixed" edits="textbook"
# - return weights @ x
# + return weights @ sentence

# %% mistake="global-instead-of-argument: the keys" edits="textbook"
# - scores = x @ x.T
# + scores = x @ sentence.T

# %% mistake="global-instead-of-argument: everything" edits="textbook"
# - scores = x @ x.T
# - weights = torch.softmax(scores, dim=-1)
# - return weights @ x
# + return attention @ sentence

# %% mistake="scale-unexpected" edits="textbook"
# - scores = x @ x.T
# + scores = x @ x.T / x.shape[-1] ** 0.5

# %% mistake="softmax-wrong-axis" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(scores, dim=0)

# %% mistake="returns-weights" also="wrong-shape" edits="textbook"
# - return weights @ x
# + return weights

# %% mistake="no-softmax" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = scores

# %% mistake="raises: a name of the notebook that is not there" edits="textbook"
# - return weights @ x
# + return attn_weights @ x

# %% mistake="wrong-type: a forgotten return" edits="textbook"
# - return weights @ x
# + context = weights @ x

# %% mistake="no-gradient" edits="textbook"
# - return weights @ x
# + return (weights @ x).detach()

# %% mistake="unrecognized: the argument added" edits="textbook"
# - return weights @ x
# + return weights @ x + x

# %% mistake="unrecognized: without the token itself" edits="textbook"
# - scores = x @ x.T
# + scores = (x @ x.T).fill_diagonal_(0.0)

# %% mistake="not-implemented" edits="textbook"
# - scores = x @ x.T
# - weights = torch.softmax(scores, dim=-1)
# - return weights @ x
# + raise NotImplementedError("Write your answer here, then delete this line.")


# %% correct="by the logarithm of the sum"
def fixed_04(x):
    scores = torch.einsum("id,jd->ij", x, x)
    return torch.einsum("ij,jd->id", (scores - scores.logsumexp(dim=-1, keepdim=True)).exp(), x)


# %% mistake="unstable-softmax" also="not-finite"
def fixed_04(x):
    powers = torch.exp(x @ x.T)
    return powers / powers.sum(dim=-1, keepdim=True) @ x


# %% mistake="unstable-softmax: each token's score with itself is subtracted" also="not-finite"
def fixed_04(x):
    scores = x @ x.T
    powers = torch.exp(scores - scores.diagonal()[:, None])
    return powers / powers.sum(dim=-1, keepdim=True) @ x
