# %% setup
import math

import numpy as np
import torch
import torch.nn.functional as F


# %% correct="textbook"
def attention_scores(inputs):
    scores = inputs @ inputs.T
    return scores


# %% correct="two loops into an empty tensor"
def attention_scores(inputs):
    scores = inputs.new_empty(len(inputs), len(inputs))
    for i, x_i in enumerate(inputs):
        for j, x_j in enumerate(inputs):
            scores[i, j] = torch.dot(x_i, x_j)
    return scores


# %% correct="one query at a time" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = torch.stack([inputs @ query for query in inputs])

# %% correct="einsum" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = torch.einsum("id,jd->ij", inputs, inputs)

# %% correct="multiplied in three axes, summed" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = (inputs[:, None, :] * inputs[None, :, :]).sum(dim=-1)

# %% correct="a batch of one" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = torch.bmm(inputs[None], inputs[None].transpose(1, 2))[0]


# %% correct="one half, mirrored"
def attention_scores(inputs):
    tokens = len(inputs)
    scores = inputs.new_zeros(tokens, tokens)
    for i in range(tokens):
        for j in range(i + 1):
            scores[i, j] = scores[j, i] = (inputs[i] * inputs[j]).sum()
    return scores


# %% mistake="features-compared" also="wrong-shape" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = inputs.T @ inputs

# %% mistake="key-not-transposed" also="raises" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = inputs @ inputs

# %% mistake="reshape-not-transpose" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = inputs @ inputs.reshape(inputs.shape[1], inputs.shape[0])

# %% mistake="reshape-not-transpose: with view" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = inputs.matmul(inputs.view(-1, len(inputs)))

# %% mistake="elementwise-product" also="wrong-shape" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = inputs * inputs

# %% mistake="cosine-similarity" edits="textbook"
# - scores = inputs @ inputs.T
# + unit = inputs / inputs.norm(dim=-1, keepdim=True)
# + scores = unit @ unit.T

# %% mistake="cosine-similarity: one side" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = F.normalize(inputs, dim=-1) @ inputs.T

# %% mistake="cosine-similarity: the other side" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = inputs @ F.normalize(inputs, dim=-1).T

# %% mistake="scale-unexpected" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = inputs @ inputs.T / math.sqrt(inputs.shape[-1])

# %% mistake="scale-unexpected: the mean of the products" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = inputs @ inputs.T / inputs.shape[-1]

# %% mistake="scale-unexpected: by the root of the number of tokens" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = inputs @ inputs.T / len(inputs) ** 0.5

# %% mistake="scale-unexpected: by the number of tokens" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = inputs @ inputs.T / len(inputs)

# %% mistake="softmax-unexpected" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = torch.softmax(inputs @ inputs.T, dim=-1)

# %% mistake="half-left-out" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = torch.tril(inputs @ inputs.T)

# %% mistake="mask-unexpected: minus infinity" also="not-finite" edits="textbook"
# - return scores
# + future = torch.triu(torch.ones_like(scores), diagonal=1).bool()
# + return scores.masked_fill(future, -torch.inf)

# %% mistake="itself-skipped" edits="textbook"
# - return scores
# + return scores * (1 - torch.eye(len(inputs)))

# %% mistake="mask-hides-diagonal: minus infinity" also="not-finite" edits="textbook"
# - return scores
# + return scores.masked_fill(torch.eye(len(inputs)).bool(), -torch.inf)

# %% mistake="not-implemented" edits="textbook"
# - scores = inputs @ inputs.T
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="raises" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = torch.dot(inputs, inputs)

# %% mistake="raises: the function of one query, misspelled" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = torch.stack([score_for_query(query, inputs) for query in inputs])

# %% mistake="wrong-type" edits="textbook"
# - return scores
# + scores

# %% mistake="wrong-type: a list of rows" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = [inputs @ query for query in inputs]

# %% mistake="wrong-shape: one query" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = inputs @ inputs[0]

# %% mistake="token-with-itself: a number for each" also="wrong-shape" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = (inputs * inputs).sum(dim=-1)

# %% mistake="wrong-shape: rows joined end to end" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = torch.cat([inputs @ query for query in inputs])

# %% mistake="wrong-shape: a batch axis" edits="textbook"
# - return scores
# + return scores.unsqueeze(0)

# %% mistake="wrong-dtype" edits="textbook"
# - return scores
# + return scores.double()

# %% mistake="input-modified" edits="textbook"
# - scores = inputs @ inputs.T
# + inputs.t_()
# + scores = inputs.T @ inputs

# %% mistake="input-modified: centered" edits="textbook"
# - scores = inputs @ inputs.T
# + inputs -= inputs.mean(dim=0)
# + scores = inputs @ inputs.T

# %% mistake="no-gradient" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = inputs.detach() @ inputs.T

# %% mistake="no-gradient: through NumPy" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = torch.tensor(np.dot(inputs.numpy(), inputs.numpy().T))

# %% mistake="no-gradient: numbers taken out" edits="two loops into an empty tensor"
# - scores[i, j] = torch.dot(x_i, x_j)
# + scores[i, j] = torch.dot(x_i, x_j).item()

# %% mistake="size-written-in: six" also="wrong-shape" edits="two loops into an empty tensor"
# - scores = inputs.new_empty(len(inputs), len(inputs))
# + scores = inputs.new_zeros(6, 6)

# %% mistake="entries-skipped: three features" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = inputs[:, :3] @ inputs[:, :3].T

# %% mistake="example-only: without negative scores" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = torch.relu(inputs @ inputs.T)

# %% mistake="signs-dropped" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = (inputs @ inputs.T).abs()

# %% mistake="distance-compared" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = torch.cdist(inputs, inputs)

# %% mistake="unrecognized: centered first" edits="textbook"
# - scores = inputs @ inputs.T
# + centered = inputs - inputs.mean(dim=0)
# + scores = centered @ centered.T

# %% mistake="unrecognized: each row summed up" edits="two loops into an empty tensor"
# - scores[i, j] = torch.dot(x_i, x_j)
# + scores[i, j] = x_i.sum() * x_j.sum()


# %% mistake="last-left-out"
def attention_scores(inputs):
    scores = inputs.new_zeros(len(inputs), len(inputs))
    for i in range(len(inputs) - 1):
        scores[i] = inputs @ inputs[i]
    return scores


# %% mistake="half-left-out: from i on" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = torch.triu(inputs @ inputs.T)

# %% mistake="half-left-out: after i" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = torch.triu(inputs @ inputs.T, diagonal=1)

# %% mistake="half-left-out: before i" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = torch.tril(inputs @ inputs.T, diagonal=-1)

# %% mistake="one-row-for-all: the first token asks" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = torch.stack([inputs @ inputs[0] for query in inputs])

# %% mistake="one-row-for-all: the second token asks" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = torch.stack([inputs @ inputs[1] for query in inputs])

# %% mistake="one-row-for-all: the last token asks" edits="textbook"
# - scores = inputs @ inputs.T
# + query = inputs[-1]
# + scores = torch.stack([inputs @ query for token in inputs])

# %% mistake="all-added-up" also="wrong-shape" edits="textbook"
# - return scores
# + return scores.sum()


# %% correct="one step a line"
def attention_scores(inputs):
    queries = inputs
    keys = inputs.T
    scores = queries @ keys
    scaled = scores
    visible = scaled
    result = visible
    return result


# %% mistake="cosine-similarity: one side, a step" edits="one step a line"
# - queries = inputs
# + queries = F.normalize(inputs, dim=-1)

# %% mistake="cosine-similarity: the other side, a step" edits="one step a line"
# - keys = inputs.T
# + keys = F.normalize(inputs, dim=-1).T

# %% mistake="key-not-transposed: a step" also="raises" edits="one step a line"
# - keys = inputs.T
# + keys = inputs

# %% mistake="reshape-not-transpose: a step" edits="one step a line"
# - keys = inputs.T
# + keys = inputs.reshape(inputs.shape[1], inputs.shape[0])

# %% mistake="scale-unexpected: a step" edits="one step a line"
# - scaled = scores
# + scaled = scores / inputs.shape[-1] ** 0.5

# %% mistake="scale-unexpected: without the root, a step" edits="one step a line"
# - scaled = scores
# + scaled = scores / inputs.shape[-1]

# %% mistake="half-left-out: a step" edits="one step a line"
# - visible = scaled
# + visible = torch.tril(scaled)

# %% mistake="half-left-out: from i on, a step" edits="one step a line"
# - visible = scaled
# + visible = torch.triu(scaled)

# %% mistake="itself-skipped: a step" edits="one step a line"
# - visible = scaled
# + visible = scaled * (1 - torch.eye(len(inputs)))

# %% mistake="softmax-unexpected: a step" edits="one step a line"
# - result = visible
# + result = torch.softmax(visible, dim=-1)


# %% correct="filled into zeros, number by number"
def attention_scores(inputs):
    tokens, features = inputs.shape
    scores = inputs.new_zeros(tokens, tokens)
    for i in range(tokens):
        for j in range(tokens):
            for k in range(features):
                scores[i, j] = scores[i, j] + inputs[i, k] * inputs[j, k]
    return scores


# %% mistake="carried-over"
def attention_scores(inputs):
    rows, score = [], 0.0
    for asking in inputs:
        row = []
        for token in inputs:
            score = score + torch.dot(asking, token)
            row.append(score)
        rows.append(torch.stack(row))
    return torch.stack(rows)


# %% mistake="distance-compared: squared" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = ((inputs[:, None] - inputs) ** 2).sum(dim=-1)

# %% mistake="distance-compared: the nearest first" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = -torch.cdist(inputs, inputs)

# %% mistake="distance-compared: squared, the nearest first" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = -((inputs[:, None] - inputs) ** 2).sum(dim=-1)

# %% mistake="last-left-out: a tensor made of lists" also="wrong-shape no-gradient" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = torch.tensor([(inputs @ query).tolist() for query in inputs[:-1]], dtype=inputs.dtype)

# %% mistake="last-left-out: of the features, a step" edits="one step a line"
# - scores = queries @ keys
# + scores = queries[:, :-1] @ keys[:-1]

# %% mistake="first-left-out: a tensor made of lists" also="wrong-shape no-gradient" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = torch.tensor([(inputs @ query).tolist() for query in inputs[1:]], dtype=inputs.dtype)

# %% mistake="first-left-out: of the features, a step" edits="one step a line"
# - scores = queries @ keys
# + scores = queries[:, 1:] @ keys[1:]

# %% mistake="last-left-out: of the rows, a step" edits="one step a line"
# - visible = scaled
# + visible = scaled.clone()
# + visible[-1] = 0

# %% mistake="last-left-out: of the columns, a step" edits="one step a line"
# - visible = scaled
# + visible = scaled.clone()
# + visible[:, -1] = 0

# %% mistake="first-left-out: of the rows, a step" edits="one step a line"
# - visible = scaled
# + visible = scaled.clone()
# + visible[0] = 0

# %% mistake="first-left-out: of the columns, a step" edits="one step a line"
# - visible = scaled
# + visible = scaled.clone()
# + visible[:, 0] = 0

# %% mistake="signs-dropped: a step" edits="one step a line"
# - result = visible
# + result = visible.abs()

# %% mistake="token-with-itself" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = (inputs * inputs).sum(dim=-1, keepdim=True).repeat(1, len(inputs))

# %% mistake="scale-unexpected: by the row's sum" edits="textbook"
# - return scores
# + return scores / scores.sum(dim=-1, keepdim=True)

# %% mistake="scale-unexpected: by the sum of all" edits="textbook"
# - return scores
# + return scores / scores.sum()

# %% mistake="scale-unexpected: by the largest of all" edits="textbook"
# - return scores
# + return scores / scores.max()

# %% mistake="scale-unexpected: by the row's largest" edits="textbook"
# - return scores
# + return scores / scores.max(dim=-1, keepdim=True).values

# %% mistake="token-with-itself: a step" edits="one step a line"
# - scores = queries @ keys
# + scores = (queries * keys.T).sum(dim=-1, keepdim=True).repeat(1, len(inputs))

# %% mistake="half-left-out: after i, a step" edits="one step a line"
# - visible = scaled
# + visible = torch.triu(scaled, diagonal=1)

# %% mistake="half-left-out: before i, a step" edits="one step a line"
# - visible = scaled
# + visible = torch.tril(scaled, diagonal=-1)

# %% mistake="scale-unexpected: a mean, before i" also="half-left-out" edits="one step a line"
# - scaled = scores
# - visible = scaled
# + scaled = scores / inputs.shape[-1]
# + visible = torch.tril(scaled, diagonal=-1)

# %% mistake="scale-unexpected: a mean, after i" also="half-left-out" edits="one step a line"
# - scaled = scores
# - visible = scaled
# + scaled = scores / inputs.shape[-1]
# + visible = torch.triu(scaled, diagonal=1)

# %% mistake="last-round-only: of the features, a step" edits="one step a line"
# - scores = queries @ keys
# + scores = queries[:, -1:] @ keys[-1:]

# %% mistake="last-round-only: of the features from 1 on" also="first-left-out" edits="one step a line"
# - scores = queries @ keys
# + scores = queries[:, 1:][:, -1:] @ keys[1:][-1:]

# %% mistake="first-left-out: of rows and columns, a step" edits="one step a line"
# - visible = scaled
# + visible = scaled.clone()
# + visible[0] = 0
# + visible[:, 0] = 0

# %% mistake="last-left-out: of rows and columns, a step" edits="one step a line"
# - visible = scaled
# + visible = scaled.clone()
# + visible[-1] = 0
# + visible[:, -1] = 0

# %% mistake="counted-twice: the first feature, a step" edits="one step a line"
# - scores = queries @ keys
# + scores = queries @ keys + queries[:, :1] @ keys[:1]


# %% mistake="carried-over: without the last column" also="last-left-out"
def attention_scores(inputs):
    scores, score = inputs.new_zeros(len(inputs), len(inputs)), 0.0
    for i in range(len(inputs)):
        for j in range(len(inputs) - 1):
            score = score + torch.dot(inputs[i], inputs[j])
            scores[i, j] = score
    return scores


# %% mistake="carried-over: without the first column" also="first-left-out"
def attention_scores(inputs):
    scores, score = inputs.new_zeros(len(inputs), len(inputs)), 0.0
    for i in range(len(inputs)):
        for j in range(1, len(inputs)):
            score = score + torch.dot(inputs[i], inputs[j])
            scores[i, j] = score
    return scores


# %% mistake="wrong-dtype: filled into zeros of another dtype" edits="two loops into an empty tensor"
# - scores = inputs.new_empty(len(inputs), len(inputs))
# + scores = torch.zeros(len(inputs), len(inputs))

# %% mistake="softmax-unexpected: of each column" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = torch.softmax(inputs @ inputs.T, dim=0)
