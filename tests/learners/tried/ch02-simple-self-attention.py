# %% setup
import torch

# %% correct="mine"
def simple_self_attention(inputs):
    scores = inputs @ inputs.T
    weights = torch.softmax(scores, dim=-1)
    context = weights @ inputs
    return context, weights

# %% correct="a loop"
def simple_self_attention(inputs):
    contexts = []
    weights = []
    for query in inputs:
        scores = inputs @ query
        row = torch.softmax(scores, dim=0)
        context = torch.zeros(inputs.shape[1])
        for i in range(len(inputs)):
            context = context + row[i] * inputs[i]
        weights.append(row)
        contexts.append(context)
    return torch.stack(contexts), torch.stack(weights)

# %% mistake="wrong-type: the context alone" edits="mine"
# - return context, weights
# + return context

# %% mistake="results-exchanged" edits="mine"
# - return context, weights
# + return weights, context

# %% mistake="weights-transposed" edits="mine"
# - context = weights @ inputs
# + context = weights.T @ inputs

# %% mistake="no-softmax" edits="mine"
# - weights = torch.softmax(scores, dim=-1)
# + weights = scores

# %% mistake="softmax-wrong-axis: 0" edits="mine"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(scores, dim=0)

# %% mistake="values-transposed: inputs first" edits="mine"
# - context = weights @ inputs
# + context = inputs @ weights

# %% mistake="raises: the notebook's weights" edits="mine"
# - def simple_self_attention(inputs):
# + tokens = torch.tensor([[0.43, 0.15], [0.55, 0.87], [0.57, 0.85], [0.22, 0.58]])
# + all_weights = torch.softmax(tokens @ tokens.T, dim=-1)
# + def simple_self_attention(inputs):
# - context = weights @ inputs
# + context = all_weights @ inputs

# %% mistake="tokens-not-mixed: the scores are" edits="mine"
# - context = weights @ inputs
# + context = weights @ scores

# %% mistake="raises: the function of one query is given a matrix" says="number by number" edits="mine"
# - context = weights @ inputs
# + context = torch.zeros(inputs.shape[1])
# + for i in range(len(inputs)):
# +     context += weights[i] * inputs[i]

# %% mistake="wrong-type: lists of rows" edits="a loop"
# - return torch.stack(contexts), torch.stack(weights)
# + return contexts, weights

# %% mistake="unstable-softmax: exponentials by hand" edits="mine"
# - weights = torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores)
# + weights = powers / powers.sum(dim=-1, keepdim=True)

# %% mistake="last-left-out: the last token" edits="a loop"
# - for query in inputs:
# + for query in inputs[:-1]:

# %% mistake="last-left-out: of each mixture" edits="a loop"
# - for i in range(len(inputs)):
# + for i in range(len(inputs) - 1):

# %% mistake="first-left-out: of each mixture, all but the first" edits="a loop"
# - for i in range(len(inputs)):
# + for i in range(1, len(inputs)):

# %% mistake="last-round-only: of each mixture" edits="a loop"
# - context = context + row[i] * inputs[i]
# + context = row[i] * inputs[i]

# %% mistake="weights-transposed: column by column" edits="mine"
# - context = weights @ inputs
# + context = torch.stack([weights[:, j] @ inputs for j in range(len(inputs))])

# %% mistake="one-row-for-all: the second token asks always" edits="a loop"
# - scores = inputs @ query
# + scores = inputs @ inputs[1]

# %% mistake="softmax-wrong-axis: 0, and scaled" also="scale-unexpected" edits="a loop"
# - contexts = []
# + every = torch.softmax(inputs @ inputs.T / inputs.shape[1] ** 0.5, dim=0)
# + return every @ inputs, every
# + contexts = []

# %% mistake="returns-other-weights: columns, turned back for the context alone" edits="a loop"
# - contexts = []
# + every = torch.softmax(torch.einsum("id,jd->ij", inputs, inputs), dim=0)
# + return torch.einsum("ji,jd->id", every, inputs), every
# + contexts = []

# %% mistake="scale-unexpected: and a mask" also="mask-unexpected" edits="a loop"
# - scores = inputs @ query
# + scores = inputs @ query / len(query) ** 0.5
# + scores[len(contexts) + 1 :] = float("-inf")

# %% mistake="results-exchanged: and along the wrong axis" also="softmax-wrong-axis" edits="mine"
# - weights = torch.softmax(scores, dim=-1)
# + weights = scores.softmax(0)
# - return context, weights
# + return weights, context

# %% mistake="no-softmax: and scaled" also="scale-unexpected" edits="mine"
# - weights = torch.softmax(scores, dim=-1)
# + weights = scores / inputs.shape[1] ** 0.5

# %% mistake="mask-unexpected: over the wrong axis" also="softmax-wrong-axis" edits="mine"
# - weights = torch.softmax(scores, dim=-1)
# + hidden = torch.triu(torch.ones(len(inputs), len(inputs)), diagonal=1) == 1
# + scores[hidden] = float("-inf")
# + weights = torch.softmax(scores, dim=0)

# %% mistake="cosine-similarity: and scaled" also="scale-unexpected" edits="mine"
# - scores = inputs @ inputs.T
# + unit = inputs / inputs.norm(dim=1, keepdim=True)
# + scores = unit @ unit.T / inputs.shape[1] ** 0.5

# %% mistake="softmax-wrong-axis: 0, and a mean" also="mean-not-sum" edits="a loop"
# - contexts = []
# + every = torch.softmax(inputs @ inputs.T, 0)
# + return every @ inputs / len(inputs), every
# + contexts = []

# %% mistake="sum-normalized: and scaled, which changes nothing" edits="mine"
# - scores = inputs @ inputs.T
# + scores = inputs @ inputs.T / 3 ** 0.5
# - weights = torch.softmax(scores, dim=-1)
# + weights = scores / scores.sum(dim=-1, keepdim=True)

# %% mistake="scale-unexpected: and the wrong row sums" also="softmax-over-all" edits="mine"
# - weights = torch.softmax(scores, dim=-1)
# + powers = torch.exp(scores / inputs.shape[-1] ** 0.5)
# + weights = powers / powers.sum()

# %% mistake="residual-added: and scaled" also="scale-unexpected" edits="mine"
# - weights = torch.softmax(scores, dim=-1)
# - context = weights @ inputs
# + weights = torch.softmax(scores / inputs.size(1) ** 0.5, dim=-1)
# + context = inputs + weights @ inputs

# %% mistake="softmax-wrong-axis: 0, and added" also="residual-added" edits="mine"
# - weights = torch.softmax(scores, dim=-1)
# - context = weights @ inputs
# + weights = torch.softmax(scores, dim=0)
# + context = inputs + weights @ inputs

# %% mistake="scale-unexpected: and the columns mix" also="weights-transposed" edits="mine"
# - weights = torch.softmax(scores, dim=-1)
# - context = weights @ inputs
# + weights = torch.softmax(scores / inputs.size(1) ** 0.5, dim=-1)
# + context = weights.T @ inputs

# %% correct="the functions of the exercises before"
def attention_scores(inputs):
    return inputs @ inputs.T

def attention_weights(scores):
    powers = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
    return powers / powers.sum(dim=-1, keepdim=True)

def simple_self_attention(inputs):
    weights = attention_weights(attention_scores(inputs))
    context = []
    for row in weights:
        context.append(row @ inputs)
    return torch.stack(context), weights

# %% mistake="features-compared: columns with columns" edits="mine"
# - scores = inputs @ inputs.T
# + scores = inputs.T @ inputs

# %% mistake="softmax-unexpected: of the context, and scaled" also="scale-unexpected"
def simple_self_attention(inputs):
    weights = (torch.einsum("id,jd->ij", inputs, inputs) / inputs.shape[1] ** 0.5).softmax(1)
    return torch.softmax(torch.einsum("ij,jd->id", weights, inputs), dim=1), weights

# %% mistake="mask-unexpected: and a mean" also="mean-not-sum"
def simple_self_attention(inputs):
    contexts, rows = [], []
    for i, query in enumerate(inputs):
        scores = inputs @ query
        scores[i + 1 :] = -torch.inf
        row = torch.softmax(scores, 0)
        rows.append(row)
        contexts.append((row[:, None] * inputs).mean(0))
    return torch.stack(contexts), torch.stack(rows)

# %% mistake="returns-scores: and scaled" also="scale-unexpected"
def simple_self_attention(inputs):
    scores = inputs @ inputs.T / inputs.shape[1] ** 0.5
    return scores.softmax(-1) @ inputs, scores

# %% mistake="no-softmax: and a mask of zeros" also="half-left-out"
def simple_self_attention(inputs):
    scores = (inputs @ inputs.T).tril()
    return scores @ inputs, scores

# %% mistake="unstable-softmax: and scaled" also="scale-unexpected"
def simple_self_attention(inputs):
    powers = torch.exp(inputs @ inputs.T / inputs.shape[1] ** 0.5)
    weights = powers / powers.sum(dim=1, keepdim=True)
    return weights @ inputs, weights

# %% mistake="softmax-unexpected: twice, and the columns mix" also="weights-transposed"
def simple_self_attention(inputs):
    weights = (inputs @ inputs.T).softmax(-1).softmax(-1)
    return weights.T @ inputs, weights

# %% mistake="unrecognized: the weights mix twice"
def simple_self_attention(inputs):
    scores = inputs @ inputs.T
    weights = torch.softmax(scores, dim=-1)
    context = weights @ weights @ inputs
    return context, weights

# %% mistake="softmax-wrong-axis: and 0 for itself" also="itself-skipped"
def simple_self_attention(inputs):
    scores = inputs @ inputs.T
    scores.fill_diagonal_(0)
    weights = torch.softmax(scores, dim=0)
    return weights @ inputs, weights

# %% mistake="written-in-place: read again" also="unstable-softmax"
def simple_self_attention(inputs):
    scores = torch.stack([torch.stack([torch.dot(a, b) for b in inputs]) for a in inputs])
    weights = torch.stack([s.exp() / s.exp().sum() for s in scores])
    context = inputs.clone()
    for i in range(len(inputs)):
        context[i] = sum(weights[i][j] * context[j] for j in range(len(inputs)))
    return context, weights

# %% mistake="itself-skipped: 0 in its place" never="hidden"
def simple_self_attention(inputs):
    s = inputs @ inputs.T
    s.fill_diagonal_(0)
    w = torch.softmax(s, dim=-1)
    return w @ inputs, w

# %% mistake="first-round-only: return in the outer loop"
def simple_self_attention(inputs):
    w = torch.softmax(inputs @ inputs.T, dim=-1)
    c = torch.zeros(inputs.shape)
    for i in range(len(inputs)):
        for j in range(len(inputs)):
            c[i] += w[i, j] * inputs[j]
        return c, w

# %% mistake="last-round-only: the context is overwritten"
def simple_self_attention(inputs):
    w = torch.softmax(inputs @ inputs.T, dim=-1)
    c = torch.zeros(inputs.shape)
    for i in range(len(inputs)):
        c = w[i] @ inputs
    return c, w

# %% mistake="last-left-out: of each mixture, a sum"
def simple_self_attention(inputs):
    contexts = []
    weights = []
    for q in inputs:
        s = inputs @ q
        w = torch.softmax(s, dim=0)
        weights.append(w)
        contexts.append(sum(w[j] * inputs[j] for j in range(len(inputs) - 1)))
    return torch.stack(contexts), torch.stack(weights)

# %% mistake="softmax-unexpected: of the context"
def simple_self_attention(inputs):
    w = torch.softmax(inputs @ inputs.T, dim=-1)
    c = w @ inputs
    c = torch.softmax(c, dim=-1)
    return c, w

# %% mistake="no-softmax: in the mixture, and one sum for all" also="softmax-over-all"
def simple_self_attention(inputs):
    scores = inputs @ inputs.T
    e = torch.exp(scores)
    weights = e / e.sum()
    context = scores @ inputs
    return context, weights

# %% mistake="renormalized-wrong-axis: once more, along the columns" edits="mine"
# - weights = torch.softmax(scores, dim=-1)
# + weights = torch.softmax(scores, dim=-1)
# + weights = weights / weights.sum(dim=0)

# %% mistake="softmax-wrong-axis: 0, and the last token is missing" also="last-left-out" edits="mine"
# - weights = torch.softmax(scores, dim=-1)
# - context = weights @ inputs
# + weights = torch.softmax(scores, dim=0)
# + context = weights[:, :-1] @ inputs[:-1]

# %% mistake="half-left-out: before the softmax" never="Elsewhere they are 0"
def simple_self_attention(inputs):
    T = len(inputs)
    s = torch.zeros(T, T)
    for i in range(T):
        for j in range(i + 1):
            s[i, j] = torch.dot(inputs[i], inputs[j])
    w = torch.softmax(s, dim=-1)
    return w @ inputs, w

# %% mistake="maximum-wrong-axis: no keepdim in the maximum"
def simple_self_attention(inputs):
    s = inputs @ inputs.T
    m = s.max(dim=-1).values
    e = torch.exp(s - m)
    w = e / e.sum(dim=-1, keepdim=True)
    return w @ inputs, w

# %% mistake="keepdim-missing: in both"
def simple_self_attention(inputs):
    s = inputs @ inputs.T
    e = torch.exp(s - s.max(dim=-1).values)
    w = e / e.sum(dim=-1)
    return w @ inputs, w

# %% mistake="half-left-out: from i on, before the softmax"
def simple_self_attention(inputs):
    T = len(inputs)
    s = torch.zeros(T, T)
    for i in range(T):
        for j in range(i, T):
            s[i, j] = torch.dot(inputs[i], inputs[j])
    w = torch.softmax(s, dim=-1)
    return w @ inputs, w

# %% mistake="half-left-out: means of products, from i on" also="scale-unexpected"
def simple_self_attention(inputs):
    T = len(inputs)
    s = torch.zeros(T, T)
    for i in range(T):
        for j in range(i, T):
            s[i, j] = (inputs[i] * inputs[j]).mean()
    w = torch.softmax(s, dim=-1)
    return w @ inputs, w

# %% mistake="first-left-out: both loops over scores"
def simple_self_attention(inputs):
    T = len(inputs)
    s = torch.zeros(T, T)
    for i in range(1, T):
        for j in range(1, T):
            s[i, j] = torch.dot(inputs[i], inputs[j])
    w = torch.softmax(s, dim=-1)
    return w @ inputs, w

# %% mistake="last-left-out: both loops over scores"
def simple_self_attention(inputs):
    T = len(inputs)
    s = torch.zeros(T, T)
    for i in range(T - 1):
        for j in range(T - 1):
            s[i, j] = torch.dot(inputs[i], inputs[j])
    w = torch.softmax(s, dim=-1)
    return w @ inputs, w

# %% mistake="last-left-out: of the features"
def simple_self_attention(inputs):
    T, d = inputs.shape
    s = torch.zeros(T, T)
    for i in range(T):
        for j in range(T):
            for f in range(d - 1):
                s[i, j] = s[i, j] + inputs[i][f] * inputs[j][f]
    w = torch.softmax(s, dim=-1)
    return w @ inputs, w

# %% mistake="unstable-softmax: and w.T" also="weights-transposed"
def simple_self_attention(inputs):
    e = torch.exp(inputs @ inputs.T)
    w = e / e.sum(-1, keepdim=True)
    return w.T @ inputs, w

# %% mistake="carried-over: and from 1" also="first-left-out"
def simple_self_attention(inputs):
    w = torch.softmax(inputs @ inputs.T, dim=-1)
    out = []
    c = torch.zeros(inputs.shape[1])
    for i in range(len(inputs)):
        for j in range(1, len(inputs)):
            c = c + w[i][j] * inputs[j]
        out.append(c)
    return torch.stack(out), w

# %% mistake="cosine-similarity: mixed, too"
def simple_self_attention(inputs):
    n = inputs / inputs.norm(dim=1, keepdim=True)
    w = torch.softmax(n @ n.T, dim=-1)
    return w @ n, w

# %% mistake="mean-not-sum: and rounded weights" also="rounded" edits="mine"
# - context = weights @ inputs
# - return context, weights
# + context = weights @ inputs / len(inputs)
# + return context, weights.round(decimals=4)

# %% mistake="not-normalized: the division forgotten" never="taken twice|stand where shares belong"
def simple_self_attention(inputs):
    weights = torch.exp(inputs @ inputs.T)
    return weights @ inputs, weights

# %% mistake="scale-unexpected: by the root of three" edits="mine"
# - scores = inputs @ inputs.T
# + scores = inputs @ inputs.T / 3 ** 0.5
