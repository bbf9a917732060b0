# %% setup
import math

import torch
import torch.nn.functional as F
from torch import nn


# %% correct="textbook"
def project(inputs, W_query, W_key, W_value):
    query = inputs @ W_query
    key = inputs @ W_key
    value = inputs @ W_value
    return query, key, value


# %% correct="einsum"
def project(inputs, W_query, W_key, W_value):
    return tuple(torch.einsum("ti,io->to", inputs, matrix) for matrix in (W_query, W_key, W_value))


# %% correct="token by token"
def project(inputs, W_query, W_key, W_value):
    queries, keys, values = [], [], []
    for token in inputs:
        queries.append(token @ W_query)
        keys.append(torch.matmul(token, W_key))
        values.append((token[:, None] * W_value).sum(dim=0))
    return torch.stack(queries), torch.stack(keys), torch.stack(values)


# %% correct="one wide product, then split"
def project(inputs, W_query, W_key, W_value):
    sizes = [W_query.shape[1], W_key.shape[1], W_value.shape[1]]
    wide = inputs.mm(torch.cat([W_query, W_key, W_value], dim=1))
    return torch.split(wide, sizes, dim=1)


# %% correct="linear layers as functions"
def project(inputs, W_query, W_key, W_value):
    return F.linear(inputs, W_query.T), F.linear(inputs, W_key.T), F.linear(inputs, W_value.T)


# %% correct="prints what it does" edits="textbook"
# - return query, key, value
# + print(query.shape, key.shape, value.shape)
# + return query, key, value

# %% mistake="query-key-swapped" edits="textbook"
# - query = inputs @ W_query
# - key = inputs @ W_key
# + query = inputs @ W_key
# + key = inputs @ W_query

# %% mistake="results-exchanged: value first" edits="textbook"
# - return query, key, value
# + return value, key, query

# %% mistake="results-exchanged: query, value, key" edits="textbook"
# - return query, key, value
# + return query, value, key

# %% mistake="results-exchanged: key, value, query" edits="textbook"
# - return query, key, value
# + return key, value, query

# %% mistake="results-exchanged: value, query, key" edits="textbook"
# - return query, key, value
# + return value, query, key

# %% mistake="shared-projection" edits="textbook"
# - key = inputs @ W_key
# + key = inputs @ W_query

# %% mistake="shared-projection: query from W_key" edits="textbook"
# - query = inputs @ W_query
# + query = inputs @ W_key

# %% mistake="shared-projection: value from W_key" edits="textbook"
# - value = inputs @ W_value
# + value = inputs @ W_key

# %% mistake="shared-projection: value from W_query" edits="textbook"
# - value = inputs @ W_value
# + value = inputs @ W_query

# %% mistake="shared-projection: one for all" edits="textbook"
# - query = inputs @ W_query
# - key = inputs @ W_key
# - value = inputs @ W_value
# + query = key = value = inputs @ W_query

# %% mistake="shared-projection: query from W_value" edits="textbook"
# - query = inputs @ W_query
# + query = inputs @ W_value

# %% mistake="shared-projection: key from W_value" edits="textbook"
# - key = inputs @ W_key
# + key = inputs @ W_value

# %% mistake="values-not-projected" also="wrong-shape" edits="textbook"
# - value = inputs @ W_value
# + value = inputs

# %% mistake="weight-not-transposed" also="raises" edits="textbook"
# - query = inputs @ W_query
# - key = inputs @ W_key
# - value = inputs @ W_value
# + query = inputs @ W_query.T
# + key = inputs @ W_key.T
# + value = inputs @ W_value.T

# %% mistake="reshape-not-transpose" edits="textbook"
# - query = inputs @ W_query
# - key = inputs @ W_key
# - value = inputs @ W_value
# + query = F.linear(inputs, W_query.reshape(W_query.shape[1], -1))
# + key = F.linear(inputs, W_key.reshape(W_key.shape[1], -1))
# + value = F.linear(inputs, W_value.reshape(W_value.shape[1], -1))

# %% mistake="result-transposed" also="wrong-shape" edits="textbook"
# - return query, key, value
# + return query.T, key.T, value.T

# %% mistake="scale-unexpected" edits="textbook"
# - return query, key, value
# + return query / W_key.shape[1] ** 0.5, key, value

# %% mistake="scale-unexpected: of the keys" edits="textbook"
# - return query, key, value
# + return query, key / W_key.shape[1] ** 0.5, value

# %% mistake="scale-unexpected: of query and key" edits="textbook"
# - return query, key, value
# + scale = math.sqrt(key.shape[-1])
# + return query / scale, key / scale, value

# %% mistake="softmax-unexpected" edits="textbook"
# - return query, key, value
# + return tuple(torch.softmax(each, dim=-1) for each in (query, key, value))

# %% mistake="softmax-unexpected: of each column" edits="textbook"
# - return query, key, value
# + return tuple(torch.softmax(each, dim=0) for each in (query, key, value))

# %% mistake="weight-not-transposed: of the query" also="raises" edits="textbook"
# - query = inputs @ W_query
# + query = inputs @ W_query.T

# %% mistake="weight-not-transposed: of the key" also="raises" edits="textbook"
# - key = inputs @ W_key
# + key = inputs @ W_key.T

# %% mistake="weight-not-transposed: of the value" also="raises" edits="textbook"
# - value = inputs @ W_value
# + value = inputs @ W_value.T

# %% mistake="one-token-only: in all three" also="wrong-shape" edits="textbook"
# - return query, key, value
# + return query[1], key[1], value[1]

# %% mistake="one-token-only" also="wrong-shape" edits="textbook"
# - query = inputs @ W_query
# + query = inputs[1] @ W_query

# %% mistake="not-implemented" edits="textbook"
# - query = inputs @ W_query
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="not-defined" edits="textbook"
# - def project(inputs, W_query, W_key, W_value):
# + def projections(inputs, W_query, W_key, W_value):

# %% mistake="syntax-error" edits="textbook"
# - query = inputs @ W_query
# + query = inputs @ W query

# %% mistake="raises: the matrix first" edits="textbook"
# - query = inputs @ W_query
# + query = W_query @ inputs

# %% mistake="elementwise-product" also="raises" edits="textbook"
# - query = inputs @ W_query
# - key = inputs @ W_key
# - value = inputs @ W_value
# + query = inputs * W_query
# + key = inputs * W_key
# + value = inputs * W_value

# %% mistake="elementwise-product: in the query alone" also="raises" edits="textbook"
# - query = inputs @ W_query
# + query = inputs * W_query

# %% mistake="raises: an argument misspelled" edits="textbook"
# - value = inputs @ W_value
# + value = inputs @ W_values

# %% mistake="raises: the matrices called as layers" edits="textbook"
# - query = inputs @ W_query
# + query = W_query(inputs)

# %% mistake="raises: one argument too few" edits="textbook"
# - def project(inputs, W_query, W_key, W_value):
# + def project(inputs, W_query, W_key):
# - value = inputs @ W_value
# + value = inputs @ W_key

# %% mistake="wrong-type: nothing returned" edits="textbook"
# - return query, key, value
# + (query, key, value)

# %% mistake="wrong-type: only the query" edits="textbook"
# - return query, key, value
# + return query

# %% mistake="wrong-type: only two" edits="textbook"
# - return query, key, value
# + return query, key

# %% mistake="wrong-type: a dictionary" edits="textbook"
# - return query, key, value
# + return {"query": query, "key": key, "value": value}

# %% mistake="wrong-type: lists" edits="textbook"
# - return query, key, value
# + return query.tolist(), key.tolist(), value.tolist()

# %% mistake="wrong-type: an array" edits="textbook"
# - return query, key, value
# + return query.detach().numpy(), key, value


# %% mistake="wrong-type: a class"
class Project(nn.Module):
    pass


project = Project.__name__


# %% mistake="wrong-shape: a batch axis" edits="textbook"
# - return query, key, value
# + return query[None], key[None], value[None]

# %% mistake="argument-unused: nothing projected" also="wrong-shape" edits="textbook"
# - query = inputs @ W_query
# - key = inputs @ W_key
# - value = inputs @ W_value
# + query = key = value = inputs

# %% mistake="wrong-dtype" edits="textbook"
# - return query, key, value
# + return query.double(), key.double(), value.double()

# %% mistake="wrong-dtype: rounded to whole numbers" edits="textbook"
# - return query, key, value
# + return query, key, value.long()

# %% mistake="not-finite" edits="textbook"
# - return query, key, value
# + return query / 0, key, value

# %% mistake="input-modified" edits="textbook"
# - query = inputs @ W_query
# + inputs -= inputs.mean(dim=0)
# + query = inputs @ W_query

# %% mistake="input-modified: a matrix turned" edits="textbook"
# - return query, key, value
# + W_query.t_()
# + return query, key, value

# %% mistake="no-gradient" edits="textbook"
# - return query, key, value
# + return query.detach(), key.detach(), value.detach()

# %% mistake="no-gradient: only the value" edits="textbook"
# - value = inputs @ W_value
# + value = inputs @ W_value.data

# %% mistake="no-gradient: matrices wrapped anew" edits="textbook"
# - query = inputs @ W_query
# + query = inputs @ nn.Parameter(W_query)

# %% mistake="no-gradient: no_grad" edits="textbook"
# - value = inputs @ W_value
# + with torch.no_grad():
# +     value = inputs @ W_value

# %% mistake="too-slow" edits="textbook"
# - return query, key, value
# + while len(query) > 0:
# +     query = query + 0

# %% mistake="raises: matrices of its own" also="setting-left" edits="textbook"
# - query = inputs @ W_query
# + torch.manual_seed(123)
# + W_query, W_key, W_value = (torch.rand(3, 2) for _ in range(3))
# + query = inputs @ W_query

# %% mistake="raises: reads the notebook's sentence"
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


def project(inputs, W_query, W_key, W_value):
    return sentence @ W_query, sentence @ W_key, sentence @ W_value


# %% mistake="unrecognized: halved" edits="textbook"
# - return query, key, value
# + return query / 2, key / 2, value / 2

# %% mistake="unrecognized: a mean taken off" edits="textbook"
# - query = inputs @ W_query
# + inputs = inputs - inputs.mean(dim=0)
# + query = inputs @ W_query

# %% mistake="example-only: negative numbers dropped" edits="textbook"
# - return query, key, value
# + return query.relu(), key.relu(), value.relu()

# %% mistake="example-only: two features" also="wrong-shape" edits="textbook"
# - return query, key, value
# + return query[:, :2], key[:, :2], value[:, :2]

# %% mistake="unrecognized: the matrices added up" edits="textbook"
# - query = inputs @ W_query
# + query = inputs @ (W_query + W_key)


# %% mistake="one-row-for-all: of the values" edits="textbook"
# - value = inputs @ W_value
# + value = torch.stack([inputs[0] @ W_value for token in inputs])

# %% mistake="one-row-for-all: of the keys" edits="textbook"
# - key = inputs @ W_key
# + key = torch.stack([inputs[0] @ W_key for token in inputs])

# %% mistake="one-row-for-all: of all three" edits="textbook"
# - query = inputs @ W_query
# + inputs = inputs[:1].expand_as(inputs)
# + query = inputs @ W_query


# %% correct="one step a line"
def project(inputs, W_query, W_key, W_value):
    tokens = inputs
    query = tokens @ W_query
    key = tokens @ W_key
    value = tokens @ W_value
    asking, asked, mixed = query, key, value
    return asking, asked, mixed


# %% mistake="last-left-out: of the tokens, a step" also="wrong-shape" edits="one step a line"
# - tokens = inputs
# + tokens = inputs[:-1]

# %% mistake="last-left-out: of the tokens, zeros, a step" edits="one step a line"
# - tokens = inputs
# + tokens = inputs.clone()
# + tokens[-1] = 0

# %% mistake="last-left-out: of the features, a step" edits="one step a line"
# - tokens = inputs
# + tokens = inputs.clone()
# + tokens[:, -1] = 0

# %% mistake="first-left-out: of the tokens, a step" also="wrong-shape" edits="one step a line"
# - tokens = inputs
# + tokens = inputs[1:]

# %% mistake="first-left-out: of the tokens, zeros, a step" edits="one step a line"
# - tokens = inputs
# + tokens = inputs.clone()
# + tokens[0] = 0

# %% mistake="first-left-out: of the features, a step" edits="one step a line"
# - tokens = inputs
# + tokens = inputs.clone()
# + tokens[:, 0] = 0

# %% mistake="one-token-only: a step" also="wrong-shape" edits="one step a line"
# - tokens = inputs
# + tokens = inputs[1]

# %% mistake="shared-projection: query from W_key, a step" edits="one step a line"
# - query = tokens @ W_query
# + query = tokens @ W_key

# %% mistake="shared-projection: query from W_value, a step" edits="one step a line"
# - query = tokens @ W_query
# + query = tokens @ W_value

# %% mistake="weight-not-transposed: of the query, a step" also="raises" edits="one step a line"
# - query = tokens @ W_query
# + query = tokens @ W_query.T

# %% mistake="shared-projection: key from W_query, a step" edits="one step a line"
# - key = tokens @ W_key
# + key = tokens @ W_query

# %% mistake="shared-projection: key from W_value, a step" edits="one step a line"
# - key = tokens @ W_key
# + key = tokens @ W_value

# %% mistake="weight-not-transposed: of the key, a step" also="raises" edits="one step a line"
# - key = tokens @ W_key
# + key = tokens @ W_key.T

# %% mistake="shared-projection: value from W_query, a step" edits="one step a line"
# - value = tokens @ W_value
# + value = tokens @ W_query

# %% mistake="shared-projection: value from W_key, a step" edits="one step a line"
# - value = tokens @ W_value
# + value = tokens @ W_key

# %% mistake="weight-not-transposed: of the value, a step" also="raises" edits="one step a line"
# - value = tokens @ W_value
# + value = tokens @ W_value.T

# %% mistake="scale-unexpected: a step" edits="one step a line"
# - asking, asked, mixed = query, key, value
# + asking, asked, mixed = query / W_key.shape[1] ** 0.5, key, value

# %% mistake="softmax-unexpected: a step" edits="one step a line"
# - asking, asked, mixed = query, key, value
# + asking, asked, mixed = (torch.softmax(each, dim=-1) for each in (query, key, value))

# %% mistake="softmax-unexpected: of query and key, a step" edits="one step a line"
# - asking, asked, mixed = query, key, value
# + asking, asked, mixed = torch.softmax(query, dim=-1), torch.softmax(key, dim=-1), value

# %% mistake="results-exchanged: a step" edits="one step a line"
# - return asking, asked, mixed
# + return asking, mixed, asked

# %% mistake="query-key-swapped: a step" edits="one step a line"
# - return asking, asked, mixed
# + return asked, asking, mixed

# %% mistake="result-transposed: a step" also="wrong-shape" edits="one step a line"
# - return asking, asked, mixed
# + return asking.T, asked.T, mixed.T
