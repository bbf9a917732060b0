# %% setup
import torch

# %% mistake="weight-not-transposed: the weights are transposed" never="nn.Linear"
def project(inputs, W_query, W_key, W_value):
    return inputs @ W_query.T, inputs @ W_key.T, inputs @ W_value.T

# %% correct="mine"
def project(inputs, W_query, W_key, W_value):
    query = inputs @ W_query
    key = inputs @ W_key
    value = inputs @ W_value
    return query, key, value

# %% mistake="query-key-swapped: key first" edits="mine"
# - return query, key, value
# + return key, query, value

# %% mistake="raises: the matrix on the left" says="in project: query = W_query @ inputs" edits="mine"
# - query = inputs @ W_query
# + query = W_query @ inputs

# %% mistake="shared-projection: a line copied and not changed" edits="mine"
# - value = inputs @ W_value
# + value = inputs @ W_key

# %% mistake="elementwise-product: a star for a product" edits="mine"
# - query = inputs @ W_query
# - key = inputs @ W_key
# - value = inputs @ W_value
# + query = inputs * W_query
# + key = inputs * W_key
# + value = inputs * W_value

# %% mistake="one-token-only: the token of the worked example" edits="mine"
# - query = inputs @ W_query
# - key = inputs @ W_key
# - value = inputs @ W_value
# + query = inputs[1] @ W_query
# + key = inputs[1] @ W_key
# + value = inputs[1] @ W_value

# %% mistake="one-token-only: the query alone" edits="mine"
# - query = inputs @ W_query
# + query = inputs[1] @ W_query

# %% mistake="wrong-type: all in one tensor" edits="mine"
# - return query, key, value
# + return torch.stack([query, key, value])

# %% mistake="wrong-type: lists of rows"
def project(inputs, W_query, W_key, W_value):
    query, key, value = [], [], []
    for token in inputs:
        query.append(token @ W_query)
        key.append(token @ W_key)
        value.append(token @ W_value)
    return query, key, value

# %% mistake="results-exchanged: value before key" edits="mine"
# - return query, key, value
# + return query, value, key

# %% mistake="raises: the matrices are called" says="in project: key = W_key(inputs)|is called, as a function is" edits="mine"
# - key = inputs @ W_key
# + key = W_key(inputs)

# %% mistake="weight-not-transposed: the key alone" edits="mine"
# - key = inputs @ W_key
# + key = inputs @ W_key.T

# %% mistake="wrong-shape: the loop returns"
def project(inputs, W_query, W_key, W_value):
    for token in inputs:
        query = token @ W_query
        key = token @ W_key
        value = token @ W_value
        return query, key, value

# %% mistake="wrong-shape: overwritten in the loop"
def project(inputs, W_query, W_key, W_value):
    for token in inputs:
        query = token @ W_query
        key = token @ W_key
        value = token @ W_value
    return query, key, value

# %% mistake="query-key-swapped: and the value from the key's matrix" also="shared-projection" edits="mine"
# - query = inputs @ W_query
# - key = inputs @ W_key
# - value = inputs @ W_value
# + query, key = inputs @ W_key, inputs @ W_query
# + value = inputs @ W_key

# %% mistake="one-token-only: and a matrix twice" also="shared-projection" edits="mine"
# - key = inputs @ W_key
# + key = inputs @ W_query
# - return query, key, value
# + return query[1], key[1], value[1]

# %% mistake="first-left-out: of the features"
def project(inputs, W_query, W_key, W_value):
    out = []
    for W in [W_query, W_key, W_value]:
        r = torch.zeros(inputs.shape[0], W.shape[1])
        for t in range(inputs.shape[0]):
            for c in range(W.shape[1]):
                for f in range(1, inputs.shape[1]):
                    r[t, c] += inputs[t, f] * W[f, c]
        out.append(r)
    return tuple(out)

# %% mistake="one-row-for-all: of the values"
def project(inputs, W_query, W_key, W_value):
    q, k, v = [], [], []
    for i in range(len(inputs)):
        q.append(inputs[i] @ W_query)
        k.append(inputs[i] @ W_key)
        v.append(inputs[0] @ W_value)
    return torch.stack(q), torch.stack(k), torch.stack(v)

# %% mistake="argument-unused: and the last token is missing"
def project(inputs, W_query, W_key, W_value):
    q, k, v = [], [], []
    for x in inputs[:-1]:
        q.append(x @ W_query)
        k.append(x @ W_key)
        v.append(x @ W_key)
    return torch.stack(q), torch.stack(k), torch.stack(v)

# %% mistake="weight-not-transposed: of the query, and a matrix twice" also="shared-projection" edits="mine"
# - query = inputs @ W_query
# + query = inputs @ W_query.T
# - value = inputs @ W_value
# + value = inputs @ W_key

# %% mistake="no-gradient: NumPy's products, wrapped" says="would cut the gradient off"
import numpy as np
def project(inputs, W_query, W_key, W_value):
    return tuple(torch.tensor(np.dot(inputs, one)) for one in (W_query, W_key, W_value))
