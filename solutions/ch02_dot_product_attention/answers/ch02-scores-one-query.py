# %% setup
import math

import numpy as np
import torch
import torch.nn.functional as F


# %% correct="textbook"
def scores_for_query(query, inputs):
    scores = inputs @ query
    return scores


# %% correct="query first, transposed" edits="textbook"
# - scores = inputs @ query
# + scores = query @ inputs.T

# %% correct="multiplied and summed" edits="textbook"
# - scores = inputs @ query
# + scores = (inputs * query).sum(dim=-1)

# %% correct="einsum" edits="textbook"
# - scores = inputs @ query
# + scores = torch.einsum("td,d->t", inputs, query)

# %% correct="one dot product at a time" edits="textbook"
# - scores = inputs @ query
# + scores = torch.stack([torch.dot(token, query) for token in inputs])


# %% correct="a loop that fills an empty tensor"
def scores_for_query(query, inputs):
    scores = inputs.new_empty(inputs.shape[0])
    for i, x_i in enumerate(inputs):
        scores[i] = torch.dot(x_i, query)
    return scores


# %% correct="two loops over numbers"
def scores_for_query(query, inputs):
    scores = []
    for token in inputs:
        score = 0.0
        for a, b in zip(token, query):
            score += a * b
        scores.append(score)
    return torch.stack(scores)


# %% correct="a column, squeezed on its axis" edits="textbook"
# - scores = inputs @ query
# + scores = torch.mm(inputs, query.unsqueeze(1)).squeeze(1)

# %% correct="float64 inside" edits="textbook"
# - scores = inputs @ query
# + scores = torch.mv(inputs.double(), query.double()).to(inputs.dtype)

# %% correct="linear layer's function, prints" edits="textbook"
# - scores = inputs @ query
# + print(inputs.shape, query.shape)
# + scores = F.linear(query, inputs)

# %% mistake="elementwise-product" also="wrong-shape" edits="textbook"
# - scores = inputs @ query
# + scores = inputs * query

# %% mistake="summed-wrong-axis" also="wrong-shape" edits="textbook"
# - scores = inputs @ query
# + scores = (inputs * query).sum(dim=0)

# %% mistake="key-not-transposed" also="raises" edits="textbook"
# - scores = inputs @ query
# + scores = query @ inputs

# %% mistake="reshape-not-transpose" edits="textbook"
# - scores = inputs @ query
# + scores = query @ inputs.reshape(inputs.shape[1], inputs.shape[0])

# %% mistake="cosine-similarity" edits="textbook"
# - scores = inputs @ query
# + scores = F.cosine_similarity(inputs, query[None], dim=-1)

# %% mistake="cosine-similarity: the query alone normalized" edits="textbook"
# - scores = inputs @ query
# + scores = inputs @ (query / query.norm())

# %% mistake="cosine-similarity: the tokens alone normalized" edits="textbook"
# - scores = inputs @ query
# + scores = F.normalize(inputs, dim=-1) @ query

# %% mistake="scale-unexpected" edits="textbook"
# - scores = inputs @ query
# + scores = inputs @ query / math.sqrt(query.shape[-1])

# %% mistake="scale-unexpected: the mean of the products" edits="textbook"
# - scores = inputs @ query
# + scores = (inputs * query).mean(dim=-1)

# %% mistake="scale-unexpected: by the number of tokens" edits="textbook"
# - scores = inputs @ query
# + scores = inputs @ query / len(inputs)

# %% mistake="scale-unexpected: by its root" edits="textbook"
# - scores = inputs @ query
# + scores = inputs @ query / len(inputs) ** 0.5

# %% mistake="softmax-unexpected" edits="textbook"
# - scores = inputs @ query
# + scores = torch.softmax(inputs @ query, dim=0)

# %% mistake="scale-unexpected: by their sum" edits="textbook"
# - scores = inputs @ query
# + scores = inputs @ query
# + scores = scores / scores.sum()

# %% mistake="not-implemented" edits="textbook"
# - scores = inputs @ query
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="not-defined" edits="textbook"
# - def scores_for_query(query, inputs):
# + def score_for_query(query, inputs):

# %% mistake="syntax-error" edits="textbook"
# - scores = inputs @ query
# + scores = inputs @ query)

# %% mistake="raises" edits="textbook"
# - scores = inputs @ query
# + scores = inputs @ queries

# %% mistake="raises: the dot product of a vector and a matrix" edits="textbook"
# - scores = inputs @ query
# + scores = torch.dot(query, inputs)

# %% mistake="raises: one argument" edits="textbook"
# - def scores_for_query(query, inputs):
# + def scores_for_query(query):
# - scores = inputs @ query
# + scores = torch.ones(6) * query[0]

# %% mistake="wrong-type: nothing returned" edits="textbook"
# - return scores
# + print(scores)

# %% mistake="wrong-type: a list" edits="textbook"
# - return scores
# + return [score.item() for score in scores]

# %% mistake="wrong-type: an array" edits="textbook"
# - return scores
# + return scores.numpy()

# %% mistake="wrong-shape: a row" edits="textbook"
# - scores = inputs @ query
# + scores = query.unsqueeze(0) @ inputs.T

# %% mistake="all-added-up" also="wrong-shape" edits="textbook"
# - scores = inputs @ query
# + scores = (inputs * query).sum()

# %% mistake="wrong-shape: every axis of length 1 squeezed" edits="textbook"
# - scores = inputs @ query
# + scores = (inputs @ query.unsqueeze(1)).squeeze()

# %% mistake="wrong-dtype" edits="textbook"
# - scores = inputs @ query
# + scores = inputs.double() @ query.double()

# %% mistake="wrong-dtype: whole numbers" edits="textbook"
# - return scores
# + return scores.long()

# %% mistake="input-modified" edits="textbook"
# - scores = inputs @ query
# + inputs *= query
# + scores = inputs.sum(dim=-1)

# %% mistake="input-modified: centered" edits="textbook"
# - scores = inputs @ query
# + query -= query.mean()
# + scores = inputs @ query

# %% mistake="no-gradient: numbers taken out" edits="textbook"
# - scores = inputs @ query
# + scores = torch.tensor([torch.dot(token, query).item() for token in inputs], dtype=inputs.dtype)

# %% mistake="no-gradient: a tensor made of a list" edits="textbook"
# - scores = inputs @ query
# + scores = torch.tensor([torch.dot(token, query) for token in inputs], dtype=inputs.dtype)

# %% mistake="raises: bare numbers stacked" edits="textbook"
# - scores = inputs @ query
# + scores = torch.stack([torch.dot(token, query).item() for token in inputs])

# %% mistake="no-gradient" edits="textbook"
# - return scores
# + return scores.detach()

# %% mistake="no-gradient: through NumPy" edits="textbook"
# - scores = inputs @ query
# + scores = torch.from_numpy(np.dot(inputs.numpy(), query.numpy()))

# %% mistake="no-gradient: the query cut off" edits="textbook"
# - scores = inputs @ query
# + scores = inputs @ query.data

# %% mistake="argument-unused: the second token asks" edits="textbook"
# - scores = inputs @ query
# + query = inputs[1]
# + scores = inputs @ query

# %% mistake="entries-skipped: three features" edits="textbook"
# - scores = inputs @ query
# + scores = inputs[:, 0] * query[0] + inputs[:, 1] * query[1] + inputs[:, 2] * query[2]

# %% mistake="size-written-in: six tokens" also="wrong-shape" edits="a loop that fills an empty tensor"
# - scores = inputs.new_empty(inputs.shape[0])
# + scores = inputs.new_zeros(6)

# %% mistake="hard-coded: the printed numbers" also="wrong-shape" edits="textbook"
# - scores = inputs @ query
# + scores = torch.tensor([0.9544, 1.4950, 1.4754, 0.8434, 0.7070, 1.0865])

# %% mistake="example-only: without negative scores" edits="textbook"
# - return scores
# + return scores.clamp(min=0)

# %% mistake="signs-dropped" edits="textbook"
# - return scores
# + return scores.abs()

# %% mistake="distance-compared: squared" edits="textbook"
# - scores = inputs @ query
# + scores = ((inputs - query) ** 2).sum(dim=-1)


# %% mistake="last-left-out"
def scores_for_query(query, inputs):
    scores = inputs.new_zeros(len(inputs))
    for i in range(len(inputs) - 1):
        scores[i] = torch.dot(inputs[i], query)
    return scores


# %% mistake="last-left-out: of the features" edits="textbook"
# - scores = inputs @ query
# + scores = inputs[:, :-1] @ query[:-1]

# %% mistake="size-written-in: six rounds" also="raises" edits="a loop that fills an empty tensor"
# - scores = inputs.new_empty(inputs.shape[0])
# - for i, x_i in enumerate(inputs):
# -     scores[i] = torch.dot(x_i, query)
# + scores = inputs.new_zeros(inputs.shape[0])
# + for i in range(6):
# +     scores[i] = torch.dot(inputs[i], query)

# %% mistake="itself-skipped" also="wrong-shape" edits="textbook"
# - return scores
# + others = [i for i, token in enumerate(inputs) if not torch.equal(token, query)]
# + return scores[others]

# %% mistake="itself-skipped: 0 in its place" edits="a loop that fills an empty tensor"
# - scores = inputs.new_empty(inputs.shape[0])
# + scores = inputs.new_zeros(inputs.shape[0])
# - scores[i] = torch.dot(x_i, query)
# + if not torch.equal(x_i, query):
# +     scores[i] = torch.dot(x_i, query)

# %% mistake="one-row-for-all" edits="textbook"
# - scores = inputs @ query
# + scores = torch.stack([torch.dot(inputs[0], query) for token in inputs])


# %% correct="one step a line"
def scores_for_query(query, inputs):
    asking = query
    tokens = inputs
    products = tokens * asking
    scores = products.sum(dim=-1)
    scaled = scores
    result = scaled
    return result


# %% mistake="cosine-similarity: the query, a step" edits="one step a line"
# - asking = query
# + asking = query / query.norm()

# %% mistake="cosine-similarity: the tokens, a step" edits="one step a line"
# - tokens = inputs
# + tokens = F.normalize(inputs, dim=-1)

# %% mistake="entries-skipped: a step" edits="one step a line"
# - products = tokens * asking
# + products = tokens[:, :3] * asking[:3]

# %% mistake="elementwise-product: a step" also="wrong-shape" edits="one step a line"
# - scores = products.sum(dim=-1)
# + scores = products

# %% mistake="summed-wrong-axis: a step" also="wrong-shape" edits="one step a line"
# - scores = products.sum(dim=-1)
# + scores = products.sum(dim=0)

# %% mistake="all-added-up: a step" also="wrong-shape" edits="one step a line"
# - scores = products.sum(dim=-1)
# + scores = products.sum()

# %% mistake="scale-unexpected: a step" edits="one step a line"
# - scaled = scores
# + scaled = scores / query.shape[-1] ** 0.5

# %% mistake="scale-unexpected: by the number of features, a step" edits="one step a line"
# - scaled = scores
# + scaled = scores / len(query)

# %% mistake="softmax-unexpected: a step" edits="one step a line"
# - result = scaled
# + result = torch.softmax(scaled, dim=0)

# %% mistake="scale-unexpected: by their sum, a step" edits="one step a line"
# - result = scaled
# + result = scaled / scaled.sum()

# %% mistake="signs-dropped: a step" edits="one step a line"
# - result = scaled
# + result = scaled.abs()


# %% correct="filled into zeros, number by number"
def scores_for_query(query, inputs):
    scores = inputs.new_zeros(len(inputs))
    for j in range(len(inputs)):
        for k in range(len(query)):
            scores[j] = scores[j] + query[k] * inputs[j, k]
    return scores


# %% mistake="carried-over"
def scores_for_query(query, inputs):
    scores, score = [], 0.0
    for token in inputs:
        for a, b in zip(token, query):
            score = score + a * b
        scores.append(score)
    return torch.stack(scores)


# %% mistake="all-with-all" edits="textbook"
# - scores = inputs @ query
# + scores = query.sum() * inputs.sum(dim=-1)

# %% mistake="distance-compared" edits="textbook"
# - scores = inputs @ query
# + scores = (inputs - query).norm(dim=-1)

# %% mistake="distance-compared: the nearest first" edits="textbook"
# - scores = inputs @ query
# + scores = -(inputs - query).norm(dim=-1)

# %% mistake="distance-compared: squared, the nearest first" edits="textbook"
# - scores = inputs @ query
# + scores = -((inputs - query) ** 2).sum(dim=-1)

# %% mistake="first-round-only: one number" also="wrong-shape" edits="textbook"
# - scores = inputs @ query
# + scores = torch.dot(inputs[0], query)

# %% mistake="last-round-only: one number" also="wrong-shape" edits="textbook"
# - scores = inputs @ query
# + scores = torch.dot(inputs[-1], query)

# %% mistake="last-left-out: a tensor made of a list" also="wrong-shape no-gradient" edits="textbook"
# - scores = inputs @ query
# + scores = torch.tensor([torch.dot(token, query) for token in inputs[:-1]], dtype=inputs.dtype)

# %% mistake="first-left-out: a tensor made of a list" also="wrong-shape no-gradient" edits="textbook"
# - scores = inputs @ query
# + scores = torch.tensor([torch.dot(token, query) for token in inputs[1:]], dtype=inputs.dtype)

# %% mistake="last-left-out: of the features, a step" edits="one step a line"
# - products = tokens * asking
# + products = tokens[:, :-1] * asking[:-1]

# %% mistake="first-left-out: of the features, a step" edits="one step a line"
# - products = tokens * asking
# + products = tokens[:, 1:] * asking[1:]

# %% mistake="first-left-out: of the tokens, a step" edits="one step a line"
# - tokens = inputs
# + tokens = inputs.clone()
# + tokens[0] = 0

# %% mistake="last-left-out: of the tokens, a step" edits="one step a line"
# - tokens = inputs
# + tokens = inputs.clone()
# + tokens[-1] = 0

# %% mistake="counted-twice: the first feature, a step" edits="one step a line"
# - scores = products.sum(dim=-1)
# + scores = products[..., 0] + products.sum(dim=-1)

# %% mistake="first-left-out: and the last feature" also="last-left-out" edits="one step a line"
# - products = tokens * asking
# + products = tokens[:, 1:-1] * asking[1:-1]

# %% mistake="last-round-only: of the features, a step" edits="one step a line"
# - scores = products.sum(dim=-1)
# + scores = products[..., -1]

# %% mistake="last-round-only: of the features from 1 on" also="first-left-out" edits="one step a line"
# - scores = products.sum(dim=-1)
# + scores = products[..., 1:][..., -1:].sum(dim=-1)

# %% mistake="carried-over: a step" edits="one step a line"
# - scaled = scores
# + scaled = scores.cumsum(dim=0)

# %% mistake="carried-over: without the first feature" also="first-left-out" edits="one step a line"
# - scores = products.sum(dim=-1)
# + scores = products[:, 1:].sum(dim=-1).cumsum(dim=0)

# %% mistake="carried-over: without the last feature" also="last-left-out" edits="one step a line"
# - scores = products.sum(dim=-1)
# + scores = products[:, :-1].sum(dim=-1).cumsum(dim=0)

# %% mistake="last-left-out: from the first feature on, a step" edits="one step a line"
# - scores = products.sum(dim=-1)
# + scores = products[:, 0] + products[:, 1:-1].sum(dim=-1)

# %% mistake="cosine-similarity: both, a step" edits="one step a line"
# - products = tokens * asking
# + products = F.normalize(tokens, dim=-1) * F.normalize(asking, dim=-1)


# %% mistake="carried-over: from 1, from a plain 0" also="first-left-out"
def scores_for_query(query, inputs):
    scores, score = [], 0
    for token in inputs:
        for k in range(1, len(query)):
            score = score + query[k] * token[k]
        scores.append(score)
    return torch.stack(scores)


# %% mistake="other-axis-counted" also="wrong-shape"
def scores_for_query(query, inputs):
    scores = query.new_zeros(len(query))
    for j in range(len(query)):
        scores[j] = torch.dot(query, inputs[j])
    return scores


# %% mistake="other-axis-counted: of the tokens"
def scores_for_query(query, inputs):
    scores = query.new_zeros(len(inputs))
    for j in range(len(query)):
        scores[j] = torch.dot(query, inputs[j])
    return scores


# %% mistake="last-left-out: of tokens and of features" also="wrong-shape"
def scores_for_query(query, inputs):
    return torch.stack([torch.dot(token[:-1], query[:-1]) for token in inputs[:-1]])


# %% mistake="last-left-out: of tokens and of features, a step" edits="one step a line"
# - tokens = inputs
# + tokens = inputs.clone()
# + tokens[-1] = 0
# - products = tokens * asking
# + products = tokens[:, :-1] * asking[:-1]

# %% mistake="wrong-dtype: filled into zeros of another dtype" edits="a loop that fills an empty tensor"
# - scores = inputs.new_empty(inputs.shape[0])
# + scores = torch.zeros(len(inputs))

# %% mistake="wrong-dtype: a tensor made of plain numbers" also="no-gradient" edits="textbook"
# - scores = inputs @ query
# + scores = torch.tensor([torch.dot(token, query).item() for token in inputs])
