# %% setup
import torch


# %% correct="textbook"
def fixed_02(query, key):
    return query @ key.T


# %% correct="einsum"
def fixed_02(query, key):
    return torch.einsum("id,jd->ij", query, key)


# %% correct="one score at a time"
def fixed_02(query, key):
    return torch.stack([torch.stack([torch.dot(q, k) for k in key]) for q in query])


# %% correct="matmul, axes from the end"
def fixed_02(query, key):
    return torch.matmul(query, key.transpose(-2, -1))


# %% correct="elementwise, then added up"
def fixed_02(query, key):
    return (query[:, None, :] * key[None, :, :]).sum(dim=-1)


# %% mistake="key-not-transposed" also="raises" edits="textbook"
# - return query @ key.T
# + return query @ key

# %% mistake="key-not-transposed: the query instead" also="raises" edits="textbook"
# - return query @ key.T
# + return query.T @ key

# %% mistake="result-transposed" also="wrong-shape" edits="textbook"
# - return query @ key.T
# + return key @ query.T

# %% mistake="reshape-not-transpose" edits="textbook"
# - return query @ key.T
# + return query @ key.reshape(key.shape[1], key.shape[0])

# %% mistake="shared-projection" also="wrong-shape" edits="textbook"
# - return query @ key.T
# + return query @ query.T

# %% mistake="features-compared" also="wrong-shape" edits="textbook"
# - return query @ key.T
# + return query.T @ key if len(query) == len(key) else query.T @ query

# %% mistake="scale-unexpected" edits="textbook"
# - return query @ key.T
# + return query @ key.T / key.shape[-1] ** 0.5

# %% mistake="softmax-unexpected" edits="textbook"
# - return query @ key.T
# + return torch.softmax(query @ key.T, dim=-1)

# %% mistake="softmax-unexpected: of each column" edits="textbook"
# - return query @ key.T
# + return torch.softmax(query @ key.T, dim=0)

# %% mistake="wrong-type: a forgotten return" edits="textbook"
# - return query @ key.T
# + scores = query @ key.T

# %% mistake="no-gradient" edits="textbook"
# - return query @ key.T
# + return torch.tensor([[float(q @ k) for k in key] for q in query], dtype=query.dtype)

# %% mistake="wrong-dtype" edits="textbook"
# - return query @ key.T
# + return (query @ key.T).double()

# %% mistake="unrecognized: signs dropped" edits="textbook"
# - return query @ key.T
# + return (query @ key.T).abs()

# %% mistake="unrecognized: twice" edits="textbook"
# - return query @ key.T
# + return query @ key.T * 2

# %% mistake="not-implemented" edits="textbook"
# - return query @ key.T
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="elementwise-product" also="raises" edits="textbook"
# - return query @ key.T
# + return query * key
