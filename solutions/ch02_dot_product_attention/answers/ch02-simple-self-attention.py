# %% setup
import torch
import torch.nn.functional as F


# %% correct="textbook"
def simple_self_attention(inputs):
    scores = inputs @ inputs.T
    weights = torch.softmax(scores, dim=-1)
    context = weights @ inputs
    return context, weights


# %% correct="one query at a time"
def simple_self_attention(inputs):
    contexts, rows = [], []
    for query in inputs:
        row = torch.softmax(torch.stack([torch.dot(query, key) for key in inputs]), dim=0)
        rows.append(row)
        contexts.append(sum(share * token for share, token in zip(row, inputs)))
    return torch.stack(contexts), torch.stack(rows)


# %% correct="einsum" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = torch.einsum("id,jd->ij", inputs, inputs)
# - context = weights @ inputs
# + context = torch.einsum("ij,jd->id", weights, inputs)

# %% correct="softmax by hand, products of a batch of one" edits="textbook"
# - scores = inputs @ inputs.T
# - weights = torch.softmax(scores, dim=-1)
# - context = weights @ inputs
# + batch = inputs.unsqueeze(0)
# + scores = torch.bmm(batch, batch.mT).squeeze(0)
# + powers = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
# + weights = powers / powers.sum(dim=-1, keepdim=True)
# + context = torch.bmm(weights.unsqueeze(0), batch).squeeze(0)


# %% correct="out of the learner's own functions"
def attention_scores(inputs):
    return torch.mm(inputs, inputs.t())


def attention_weights(scores):
    return F.softmax(scores, dim=-1)


def context_vector(weights, inputs):
    return (weights[:, None] * inputs).sum(dim=0)


def simple_self_attention(inputs):
    weights = attention_weights(attention_scores(inputs))
    return torch.stack([context_vector(row, inputs) for row in weights]), weights


# %% correct="a list of two" edits="textbook"
# - return context, weights
# + return [context, weights]

# %% correct="columns, turned" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(scores, dim=0).T

# %% correct="logarithm of the sum" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))

# %% mistake="results-exchanged" also="wrong-shape" edits="textbook"
# - return context, weights
# + return weights, context

# %% mistake="softmax-wrong-axis" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(scores, dim=0)

# %% mistake="softmax-over-all" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(scores.flatten(), dim=0).reshape(scores.shape)

# %% mistake="sum-normalized" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = scores / scores.sum(dim=-1, keepdim=True)

# %% mistake="no-softmax" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = scores

# %% mistake="no-softmax: in the mixture alone" edits="textbook"
# - context = weights @ inputs
# + context = scores @ inputs

# %% mistake="not-normalized" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.exp(scores - scores.amax(dim=-1, keepdim=True))

# %% mistake="softmax-unexpected" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(torch.softmax(scores, dim=-1), dim=-1)

# %% mistake="softmax-unexpected: on the context" edits="textbook"
# - context = weights @ inputs
# + context = torch.softmax(weights @ inputs, dim=-1)

# %% mistake="unstable-softmax" also="not-finite" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores)
# + weights = powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="global-maximum" also="not-finite" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores - scores.max())
# + weights = powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="scores-clamped" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores.clamp(max=80))
# + weights = powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="keepdim-missing" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
# + weights = powers / powers.sum(dim=-1)

# %% mistake="keepdim-missing: and unstable" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores)
# + weights = powers / powers.sum(dim=-1)

# %% mistake="scale-unexpected" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(scores / inputs.shape[-1] ** 0.5, dim=-1)

# %% mistake="scale-unexpected: by the number of tokens" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(scores / len(inputs) ** 0.5, dim=-1)

# %% mistake="mask-unexpected" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + future = torch.triu(torch.ones_like(scores), diagonal=1).bool()
# + weights = torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)

# %% mistake="itself-skipped" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(scores * (1 - torch.eye(len(inputs))), dim=-1)

# %% mistake="mask-hides-diagonal: minus infinity" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(scores.fill_diagonal_(-torch.inf), dim=-1)

# %% mistake="features-compared" also="raises" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = inputs.T @ inputs

# %% mistake="features-compared: and mixed" also="wrong-shape" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = inputs.T @ inputs
# - context = weights @ inputs
# + context = inputs @ weights

# %% mistake="key-not-transposed" also="raises" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = inputs @ inputs

# %% mistake="reshape-not-transpose" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = inputs @ inputs.reshape(inputs.shape[1], -1)

# %% mistake="cosine-similarity" edits="textbook"
# - scores = inputs @ inputs.T
# + unit = F.normalize(inputs, dim=-1)
# + scores = unit @ unit.T

# %% mistake="values-transposed" also="raises" edits="textbook"
# - context = weights @ inputs
# + context = weights @ inputs.T

# %% mistake="weights-transposed" edits="textbook"
# - context = weights @ inputs
# + context = weights.T @ inputs

# %% mistake="weights-transposed: on the other side" edits="textbook"
# - context = weights @ inputs
# + context = (inputs.T @ weights).T

# %% mistake="result-transposed" also="wrong-shape" edits="textbook"
# - return context, weights
# + return context.T, weights

# %% mistake="returns-other-weights" edits="textbook"
# - return context, weights
# + return context, weights.T

# %% mistake="residual-added" edits="textbook"
# - context = weights @ inputs
# + context = weights @ inputs + inputs

# %% mistake="returns-values" edits="textbook"
# - context = weights @ inputs
# + context = inputs

# %% mistake="returns-scores" edits="textbook"
# - return context, weights
# + return context, scores

# %% mistake="weights-unused" edits="textbook"
# - context = weights @ inputs
# + context = inputs.mean(dim=0).expand_as(inputs)

# %% mistake="mean-not-sum" edits="textbook"
# - context = weights @ inputs
# + context = (weights[:, :, None] * inputs).mean(dim=1)

# %% mistake="hard-lookup" edits="textbook"
# - context = weights @ inputs
# + context = inputs[weights.argmax(dim=-1)]

# %% mistake="wrong-shape: one query's context" edits="textbook"
# - context = weights @ inputs
# + context = weights[1] @ inputs

# %% mistake="wrong-shape: both of one query" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = inputs @ inputs[1]

# %% mistake="wrong-shape: products not summed" edits="textbook"
# - context = weights @ inputs
# + context = weights[:, :, None] * inputs

# %% mistake="wrong-type: the context alone" edits="textbook"
# - return context, weights
# + return context

# %% mistake="wrong-type: the weights alone" edits="textbook"
# - return context, weights
# + return weights

# %% mistake="wrong-type: three results" edits="textbook"
# - return context, weights
# + return context, weights, scores

# %% mistake="wrong-type: nothing returned" edits="textbook"
# - return context, weights
# + print(context, weights)

# %% mistake="wrong-type: a dictionary" edits="textbook"
# - return context, weights
# + return {"context": context, "weights": weights}

# %% mistake="wrong-type: lists" edits="textbook"
# - return context, weights
# + return context.tolist(), weights.tolist()

# %% mistake="not-implemented" edits="textbook"
# - scores = inputs @ inputs.T
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="raises" edits="textbook"
# - context = weights @ inputs
# + context = weights * inputs

# %% mistake="raises: a name that is not there" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = attention_score(inputs)

# %% mistake="wrong-dtype" edits="textbook"
# - return context, weights
# + return context, weights.double()

# %% mistake="input-modified" edits="textbook"
# - scores = inputs @ inputs.T
# + inputs -= inputs.mean(dim=0)
# + scores = inputs @ inputs.T

# %% mistake="input-modified: overwritten with the context" edits="textbook"
# - context = weights @ inputs
# + context = inputs.copy_(weights @ inputs)

# %% mistake="no-gradient: the weights cut off" edits="textbook"
# - return context, weights
# + return context, weights.detach()

# %% mistake="no-gradient: before they mix" edits="textbook"
# - context = weights @ inputs
# + context = weights.data @ inputs

# %% mistake="no-gradient" edits="textbook"
# - return context, weights
# + return context.detach(), weights.detach()

# %% mistake="example-only: the printed numbers" edits="textbook"
# - context = weights @ inputs
# + context = torch.tensor(
# +     [
# +         [0.4421, 0.5931, 0.5790],
# +         [0.4419, 0.6515, 0.5683],
# +         [0.4431, 0.6496, 0.5671],
# +         [0.4304, 0.6298, 0.5510],
# +         [0.4671, 0.5910, 0.5266],
# +         [0.4177, 0.6503, 0.5645],
# +     ]
# + )

# %% mistake="entries-skipped: three features" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = inputs[:, :3] @ inputs[:, :3].T

# %% mistake="forbidden-call" edits="textbook"
# - context = weights @ inputs
# + batch = inputs[None]
# + context = F.scaled_dot_product_attention(batch, batch, batch, scale=1.0)[0]

# %% mistake="unrecognized: half the context" edits="textbook"
# - context = weights @ inputs
# + context = weights @ inputs / 2

# %% mistake="unrecognized: the context normalized" edits="textbook"
# - context = weights @ inputs
# + context = F.normalize(weights @ inputs, dim=-1)

# %% mistake="unrecognized: attended twice" edits="textbook"
# - context = weights @ inputs
# + context = weights @ (weights @ inputs)

# %% mistake="unstable-softmax: each token's own score subtracted" also="not-finite" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores - scores.diagonal().unsqueeze(1))
# + weights = powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="unstable-softmax: the first score subtracted" also="not-finite" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores - scores[:, :1])
# + weights = powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="unstable-softmax: the last score subtracted" also="not-finite" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores - scores[:, -1:])
# + weights = powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="tokens-not-mixed: scores" also="wrong-shape" edits="textbook"
# - context = weights @ inputs
# + context = weights @ scores

# %% mistake="tokens-not-mixed: weights" also="wrong-shape" edits="textbook"
# - context = weights @ inputs
# + context = weights @ weights

# %% mistake="values-transposed: inputs first" also="raises" edits="textbook"
# - context = weights @ inputs
# + context = inputs @ weights

# %% mistake="one-row-for-all: the first token asks" edits="one query at a time"
# - row = torch.softmax(torch.stack([torch.dot(query, key) for key in inputs]), dim=0)
# + row = torch.softmax(torch.stack([torch.dot(inputs[0], key) for key in inputs]), dim=0)

# %% mistake="one-row-for-all: the second token asks" edits="one query at a time"
# - row = torch.softmax(torch.stack([torch.dot(query, key) for key in inputs]), dim=0)
# + row = torch.softmax(torch.stack([torch.dot(inputs[1], key) for key in inputs]), dim=0)

# %% mistake="one-row-for-all: the last token asks" edits="one query at a time"
# - row = torch.softmax(torch.stack([torch.dot(query, key) for key in inputs]), dim=0)
# + row = torch.softmax(torch.stack([torch.dot(inputs[-1], key) for key in inputs]), dim=0)

# %% mistake="exponential-twice" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(torch.exp(scores), dim=-1)

# %% mistake="divided-first" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(scores / scores.sum(dim=-1, keepdim=True), dim=-1)

# %% mistake="softmax-over-all: no shift" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores)
# + weights = powers / powers.sum()

# %% mistake="half-left-out: the scores of later tokens are 0" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = torch.tril(inputs @ inputs.T)


# %% correct="one step a line"
def simple_self_attention(inputs):
    queries = inputs
    keys = inputs.T
    values = inputs
    scores = queries @ keys
    scaled = scores
    visible = scaled
    weights = torch.softmax(visible, dim=-1)
    mixing = weights
    product = mixing @ values
    context = product
    returned = weights
    return context, returned


# %% mistake="cosine-similarity: one side, a step" edits="one step a line"
# - queries = inputs
# + queries = F.normalize(inputs, dim=-1)

# %% mistake="cosine-similarity: both sides, a step" edits="one step a line"
# - scores = queries @ keys
# + scores = F.normalize(queries, dim=-1) @ F.normalize(keys, dim=0)

# %% mistake="key-not-transposed: a step" also="raises" edits="one step a line"
# - keys = inputs.T
# + keys = inputs

# %% mistake="reshape-not-transpose: a step" edits="one step a line"
# - keys = inputs.T
# + keys = inputs.reshape(inputs.shape[1], -1)

# %% mistake="scale-unexpected: a step" edits="one step a line"
# - scaled = scores
# + scaled = scores / inputs.shape[-1] ** 0.5

# %% mistake="scale-unexpected: without the root, a step" edits="one step a line"
# - scaled = scores
# + scaled = scores / inputs.shape[-1]

# %% mistake="mask-unexpected: a step" edits="one step a line"
# - visible = scaled
# + future = torch.triu(torch.ones_like(scores), diagonal=1).bool()
# + visible = scaled.masked_fill(future, -torch.inf)

# %% mistake="mask-hides-diagonal: a step" edits="one step a line"
# - visible = scaled
# + visible = scaled.masked_fill(torch.eye(len(inputs)).bool(), -torch.inf)

# %% mistake="softmax-wrong-axis: a step" edits="one step a line"
# - weights = torch.softmax(visible, dim=-1)
# + weights = torch.softmax(visible, dim=0)

# %% mistake="no-softmax: a step" edits="one step a line"
# - weights = torch.softmax(visible, dim=-1)
# + weights = visible

# %% mistake="sum-normalized: a step" edits="one step a line"
# - weights = torch.softmax(visible, dim=-1)
# + weights = visible / visible.sum(dim=-1, keepdim=True)

# %% mistake="softmax-over-all: a step" edits="one step a line"
# - weights = torch.softmax(visible, dim=-1)
# + weights = torch.softmax(visible.flatten(), dim=0).reshape(scores.shape)

# %% mistake="softmax-over-all: no shift, a step" edits="one step a line"
# - weights = torch.softmax(visible, dim=-1)
# + weights = torch.exp(visible) / torch.exp(visible).sum()

# %% mistake="unstable-softmax: a step" also="not-finite" edits="one step a line"
# - weights = torch.softmax(visible, dim=-1)
# + powers = torch.exp(visible)
# + weights = powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="not-normalized: a step" edits="one step a line"
# - weights = torch.softmax(visible, dim=-1)
# + weights = torch.exp(visible - visible.amax(dim=-1, keepdim=True))

# %% mistake="softmax-unexpected: a step" edits="one step a line"
# - weights = torch.softmax(visible, dim=-1)
# + weights = torch.softmax(torch.softmax(visible, dim=-1), dim=-1)

# %% mistake="weights-transposed: a step" edits="one step a line"
# - mixing = weights
# + mixing = weights.T

# %% mistake="values-transposed: a step" also="raises" edits="one step a line"
# - product = mixing @ values
# + product = mixing @ values.T

# %% mistake="mean-not-sum: a step" edits="one step a line"
# - context = product
# + context = product / len(inputs)

# %% mistake="residual-added: a step" edits="one step a line"
# - context = product
# + context = product + inputs

# %% mistake="softmax-unexpected: on the context, a step" edits="one step a line"
# - context = product
# + context = torch.softmax(product, dim=-1)

# %% mistake="returns-scores: a step" edits="one step a line"
# - returned = weights
# + returned = visible

# %% mistake="returns-other-weights: a step" edits="one step a line"
# - returned = weights
# + returned = weights.T

# %% mistake="results-exchanged: a step" also="wrong-shape" edits="one step a line"
# - return context, returned
# + return returned, context

# %% mistake="result-transposed: a step" also="wrong-shape" edits="one step a line"
# - return context, returned
# + return context.T, returned

# %% mistake="exponential-twice: a step" edits="one step a line"
# - scaled = scores
# + scaled = torch.exp(scores)


# %% correct="filled into zeros"
def simple_self_attention(inputs):
    tokens = len(inputs)
    scores = inputs.new_zeros(tokens, tokens)
    for i in range(tokens):
        for j in range(tokens):
            scores[i, j] = torch.dot(inputs[i], inputs[j])
    weights = torch.softmax(scores, dim=-1)
    context = torch.zeros_like(inputs)
    for i in range(tokens):
        for j in range(tokens):
            context[i] = context[i] + weights[i, j] * inputs[j]
    return context, weights


# %% correct="rows of weights filled into zeros"
def simple_self_attention(inputs):
    weights = inputs.new_zeros(len(inputs), len(inputs))
    context = torch.zeros_like(inputs)
    for i in range(len(inputs)):
        weights[i] = torch.softmax(inputs @ inputs[i], dim=0)
        context[i] = weights[i].clone() @ inputs
    return context, weights


# %% mistake="carried-over" edits="textbook"
# - context = weights @ inputs
# + context = (weights @ inputs).cumsum(dim=0)

# %% mistake="written-in-place" edits="textbook"
# - context = weights @ inputs
# + context = inputs.clone()
# + for i in range(len(inputs)):
# +     context[i] = weights[i] @ context.clone()

# %% mistake="last-round-only: one context" also="wrong-shape" edits="textbook"
# - context = weights @ inputs
# + context = weights[-1] @ inputs

# %% mistake="renormalized-wrong-axis" edits="textbook"
# - context = weights @ inputs
# + weights = weights / weights.sum(dim=0)
# + context = weights @ inputs

# %% mistake="rounded: the weights" edits="textbook"
# - return context, weights
# + return context, weights.round(decimals=4)

# %% mistake="rounded: both" edits="textbook"
# - return context, weights
# + return context.round(decimals=4), weights.round(decimals=4)

# %% mistake="itself-skipped: 0 in its place, a step" edits="one step a line"
# - visible = scaled
# + visible = scaled * (1 - torch.eye(len(inputs)))

# %% mistake="keepdim-missing: a step" edits="one step a line"
# - weights = torch.softmax(visible, dim=-1)
# + powers = torch.exp(visible - visible.amax(dim=-1, keepdim=True))
# + weights = powers / powers.sum(dim=-1)

# %% mistake="no-softmax: in the mixture alone, a step" edits="one step a line"
# - mixing = weights
# + mixing = visible

# %% mistake="last-left-out: of each mixture, a step" edits="one step a line"
# - product = mixing @ values
# + product = mixing[:, :-1] @ values[:-1]

# %% mistake="first-left-out: of each mixture, a step" edits="one step a line"
# - product = mixing @ values
# + product = mixing[:, 1:] @ values[1:]

# %% mistake="log-softmax: a step" edits="one step a line"
# - weights = torch.softmax(visible, dim=-1)
# + weights = torch.log_softmax(visible, dim=-1)

# %% mistake="maximum-wrong-axis: without keepdim" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores - scores.max(dim=-1).values)
# + weights = powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="keepdim-missing: of both" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores - scores.max(dim=-1).values)
# + weights = powers / powers.sum(dim=-1)

# %% mistake="half-left-out: the scores of earlier tokens are 0" edits="textbook"
# - scores = inputs @ inputs.T
# + scores = torch.triu(inputs @ inputs.T)

# %% mistake="half-left-out: of the scores, a step" edits="one step a line"
# - visible = scaled
# + visible = torch.tril(scaled)

# %% mistake="half-left-out: of the scores, from i on, a step" edits="one step a line"
# - visible = scaled
# + visible = torch.triu(scaled)

# %% mistake="half-left-out: of the scores, after i, a step" edits="one step a line"
# - visible = scaled
# + visible = torch.triu(scaled, diagonal=1)

# %% mistake="half-left-out: of the scores, before i, a step" edits="one step a line"
# - visible = scaled
# + visible = torch.tril(scaled, diagonal=-1)

# %% mistake="first-left-out: of the rows and columns of scores, a step" edits="one step a line"
# - visible = scaled
# + visible = scaled.clone()
# + visible[0] = 0
# + visible[:, 0] = 0

# %% mistake="last-left-out: of the rows and columns of scores, a step" edits="one step a line"
# - visible = scaled
# + visible = scaled.clone()
# + visible[-1] = 0
# + visible[:, -1] = 0

# %% mistake="first-left-out: of the rows of scores, a step" edits="one step a line"
# - visible = scaled
# + visible = scaled.clone()
# + visible[0] = 0

# %% mistake="last-left-out: of the rows of scores, a step" edits="one step a line"
# - visible = scaled
# + visible = scaled.clone()
# + visible[-1] = 0

# %% mistake="first-left-out: of the columns of scores, a step" edits="one step a line"
# - visible = scaled
# + visible = scaled.clone()
# + visible[:, 0] = 0

# %% mistake="last-left-out: of the columns of scores, a step" edits="one step a line"
# - visible = scaled
# + visible = scaled.clone()
# + visible[:, -1] = 0

# %% mistake="first-left-out: of the features, a step" edits="one step a line"
# - scores = queries @ keys
# + scores = queries[:, 1:] @ keys[1:]

# %% mistake="last-left-out: of the features, a step" edits="one step a line"
# - scores = queries @ keys
# + scores = queries[:, :-1] @ keys[:-1]

# %% mistake="unstable-softmax: and the columns mix" also="weights-transposed" edits="one step a line"
# - weights = torch.softmax(visible, dim=-1)
# - mixing = weights
# + powers = torch.exp(visible)
# + weights = powers / powers.sum(dim=-1, keepdim=True)
# + mixing = weights.T

# %% mistake="carried-over: a step" edits="one step a line"
# - product = mixing @ values
# + product = (mixing @ values).cumsum(dim=0)

# %% mistake="carried-over: without the first round" also="first-left-out" edits="one step a line"
# - product = mixing @ values
# + product = (mixing[:, 1:] @ values[1:]).cumsum(dim=0)

# %% mistake="carried-over: without the last round" also="last-left-out" edits="one step a line"
# - product = mixing @ values
# + product = (mixing[:, :-1] @ values[:-1]).cumsum(dim=0)

# %% mistake="rounded: the weights, a step" edits="one step a line"
# - returned = weights
# + returned = weights.round(decimals=4)

# %% mistake="cosine-similarity: mixed, too, a step" edits="one step a line"
# - queries = inputs
# - keys = inputs.T
# - values = inputs
# + queries = F.normalize(inputs, dim=-1)
# + keys = queries.T
# + values = queries

# %% mistake="scale-unexpected: a mean of products, from i on" also="half-left-out" edits="one step a line"
# - scaled = scores
# - visible = scaled
# + scaled = scores / inputs.shape[-1]
# + visible = torch.triu(scaled)

# %% mistake="scale-unexpected: a mean of products, up to i" also="half-left-out" edits="one step a line"
# - scaled = scores
# - visible = scaled
# + scaled = scores / inputs.shape[-1]
# + visible = torch.tril(scaled)

# %% mistake="mean-not-sum: and rounded weights" also="rounded" edits="one step a line"
# - context = product
# - returned = weights
# + context = product / len(inputs)
# + returned = weights.round(decimals=4)

# %% mistake="not-normalized: no shift" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.exp(scores)

# %% mistake="fraction-turned" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores)
# + weights = powers.sum(dim=-1, keepdim=True) / powers

# %% mistake="renormalized-wrong-axis: each row's maximum" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
# + weights = powers / powers.sum(dim=0)

# %% mistake="renormalized-wrong-axis: one maximum for all" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores - scores.max())
# + weights = powers / powers.sum(dim=0)

# %% mistake="wrong-dtype: always float32" edits="textbook"
# - return context, weights
# + return context.float(), weights.float()

# %% mistake="scale-unexpected: by the root of three" edits="textbook"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(scores / 3**0.5, dim=-1)

# %% mistake="softmax-unexpected: on the weights, for the context alone" edits="textbook"
# - context = weights @ inputs
# + context = torch.softmax(weights, dim=-1) @ inputs
