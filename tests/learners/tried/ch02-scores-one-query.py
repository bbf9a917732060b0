# %% setup
import torch

# %% correct="a loop"
def scores_for_query(query, inputs):
    scores = inputs.new_zeros(len(inputs))
    for i in range(len(inputs)):
        scores[i] = torch.dot(inputs[i], query)
    return scores

# %% correct="a product"
def scores_for_query(query, inputs):
    return inputs @ query

# %% correct="stacked"
def scores_for_query(query, inputs):
    scores = []
    for token in inputs:
        scores.append((token * query).sum())
    return torch.stack(scores)

# %% mistake="key-not-transposed: a product of matrices that do not fit" says="It raised RuntimeError" never="number by number" edits="a product"
# - return inputs @ query
# + return inputs.T @ query

# %% mistake="key-not-transposed: the query first" edits="a product"
# - return inputs @ query
# + return query @ inputs

# %% mistake="elementwise-product: nothing added up" edits="a product"
# - return inputs @ query
# + return inputs * query

# %% mistake="raises: dot of a vector and a matrix" says="takes two vectors" edits="a product"
# - return inputs @ query
# + return torch.dot(query, inputs)

# %% mistake="wrong-type: a list" edits="stacked"
# - return torch.stack(scores)
# + return scores

# %% mistake="no-gradient: plain numbers" edits="stacked"
# - scores.append((token * query).sum())
# + scores.append((token * query).sum().item())
# - return torch.stack(scores)
# + return torch.tensor(scores)

# %% mistake="all-added-up: sum without an axis" edits="a product"
# - return inputs @ query
# + return (inputs * query).sum()

# %% mistake="summed-wrong-axis: 0" edits="a product"
# - return inputs @ query
# + return (inputs * query).sum(dim=0)

# %% mistake="raises: the notebook's own" edits="a product"
# - def scores_for_query(query, inputs):
# + journey = torch.tensor([0.55, 0.87, 0.66])
# + def scores_for_query(query, inputs):
# - return inputs @ query
# + return inputs @ journey

# %% mistake="argument-unused: always the second token" edits="a loop"
# - scores[i] = torch.dot(inputs[i], query)
# + scores[i] = torch.dot(inputs[i], inputs[1])

# %% mistake="itself-skipped: the token itself" edits="stacked"
# - scores.append((token * query).sum())
# + if not torch.equal(token, query):
# +     scores.append((token * query).sum())

# %% mistake="raises: the query as an index" says="or is it the thing itself" edits="a product"
# - return inputs @ query
# + return inputs @ inputs[query]

# %% mistake="last-left-out: one round too few" edits="a loop"
# - for i in range(len(inputs)):
# + for i in range(len(inputs) - 1):

# %% mistake="first-left-out: from 1" edits="a loop"
# - for i in range(len(inputs)):
# + for i in range(1, len(inputs)):

# %% mistake="first-round-only: return in the loop" edits="a loop"
# - return scores
# +     return scores

# %% mistake="scale-unexpected: and a softmax" also="softmax-unexpected" edits="a product"
# - return inputs @ query
# + return torch.softmax(inputs @ query / len(query) ** 0.5, dim=0)

# %% mistake="entries-skipped: the features of the example" edits="stacked"
# - scores.append((token * query).sum())
# + scores.append(token[0] * query[0] + token[1] * query[1] + token[2] * query[2])

# %% mistake="scale-unexpected: of directions" also="cosine-similarity"
def scores_for_query(query, inputs):
    query = query / query.norm()
    return inputs @ query / query.shape[0] ** 0.5

# %% mistake="cosine-similarity: and shares" also="softmax-unexpected"
def scores_for_query(query, inputs):
    unit = inputs / inputs.norm(dim=1, keepdim=True)
    return (unit @ query).softmax(dim=0)

# %% mistake="scale-unexpected: by the sum" also="signs-dropped" never="softmax"
def scores_for_query(query, inputs):
    scores = torch.stack([torch.dot(x, query) for x in inputs])
    return (scores / scores.sum()).abs()

# %% mistake="summed-wrong-axis: and scaled" also="scale-unexpected"
def scores_for_query(query, inputs):
    return (query * inputs).sum(0) / len(query) ** 0.5

# %% mistake="first-left-out: of the features"
def scores_for_query(query, inputs):
    scores = torch.zeros(inputs.shape[0])
    for j in range(inputs.shape[0]):
        s = 0
        for k in range(1, inputs.shape[1]):
            s += query[k] * inputs[j][k]
        scores[j] = s
    return scores

# %% mistake="last-left-out: of the tokens, a tensor made of a list"
def scores_for_query(query, inputs):
    out = []
    for j in range(len(inputs) - 1):
        out.append(torch.dot(inputs[j], query))
    return torch.tensor(out)

# %% mistake="last-left-out: of the features, plain numbers"
def scores_for_query(query, inputs):
    out = []
    for t in inputs:
        s = 0.0
        for k in range(len(query) - 1):
            s += query[k].item() * t[k].item()
        out.append(s)
    return torch.tensor(out)

# %% mistake="carried-over: the sum starts outside of the loop"
def scores_for_query(query, inputs):
    out = []
    s = 0
    for t in inputs:
        for k in range(len(query)):
            s = s + query[k] * t[k]
        out.append(s)
    return torch.stack(out)

# %% mistake="distance-compared: squared" never="shares"
def scores_for_query(query, inputs):
    return ((query - inputs) ** 2).sum(dim=1)

# %% mistake="unrecognized: added, not multiplied"
def scores_for_query(query, inputs):
    out = []
    for t in inputs:
        out.append((query + t).sum())
    return torch.stack(out)

# %% mistake="all-with-all: two loops, one in the other"
def scores_for_query(query, inputs):
    s = []
    for x in inputs:
        d = 0
        for a in query:
            for b in x:
                d += a * b
        s.append(d)
    return torch.stack(s)

# %% mistake="last-left-out: into zeros, plain numbers"
def scores_for_query(query, inputs):
    s = torch.zeros(len(inputs))
    for j in range(len(inputs) - 1):
        s[j] = torch.dot(query, inputs[j]).item()
    return s

# %% mistake="first-round-only: a return in the loop, without a list"
def scores_for_query(query, inputs):
    for j in range(len(inputs)):
        return torch.dot(query, inputs[j])

# %% mistake="unrecognized: the wrong place is filled"
def scores_for_query(query, inputs):
    s = torch.zeros(len(inputs))
    for j in range(len(inputs)):
        for k in range(len(query)):
            s[k] += query[k] * inputs[j, k]
    return s

# %% mistake="raises: numbers are joined end to end"
def scores_for_query(query, inputs):
    return torch.cat([torch.dot(query, x) for x in inputs])

# %% mistake="counted-twice: the first feature"
def scores_for_query(query, inputs):
    s = []
    for j in range(len(inputs)):
        t = query[0] * inputs[j][0]
        for f in range(len(query)):
            t = t + query[f] * inputs[j][f]
        s.append(t)
    return torch.stack(s)

# %% mistake="last-left-out: of the features, from the first one on"
def scores_for_query(query, inputs):
    s = []
    for j in range(len(inputs)):
        t = query[0] * inputs[j][0]
        for f in range(1, len(query) - 1):
            t = t + query[f] * inputs[j][f]
        s.append(t)
    return torch.stack(s)

# %% mistake="last-round-only: and from 1"
def scores_for_query(query, inputs):
    s = torch.zeros(len(inputs))
    for j in range(len(inputs)):
        for f in range(1, len(query)):
            s[j] = query[f] * inputs[j][f]
    return s

# %% mistake="carried-over: and from 1" also="first-left-out"
def scores_for_query(query, inputs):
    s = 0
    out = []
    for x in inputs:
        for f in range(1, len(query)):
            s = s + query[f] * x[f]
        out.append(s)
    return torch.stack(out)

# %% mistake="unrecognized: cosines, and the last is missing"
def scores_for_query(query, inputs):
    s = torch.zeros(len(inputs))
    for j in range(len(inputs) - 1):
        s[j] = torch.dot(query, inputs[j]) / (query.norm() * inputs[j].norm())
    return s

# %% mistake="other-axis-counted: as many as features"
def scores_for_query(query, inputs):
    scores = torch.zeros(len(query))
    for j in range(len(query)):
        scores[j] = torch.dot(query, inputs[j])
    return scores

# %% mistake="wrong-shape: the last token and the last feature left out"
def scores_for_query(query, inputs):
    scores = []
    for j in range(len(inputs) - 1):
        s = 0.0
        for f in range(len(query) - 1):
            s = s + query[f] * inputs[j][f]
        scores.append(s)
    return torch.stack(scores)

# %% mistake="state-kept: a list outside" never="Right for the example|does it lack"
kept = []


def scores_for_query(query, inputs):
    for row in inputs:
        kept.append(torch.dot(query, row))
    return torch.stack(kept)

# %% mistake="wrong-dtype: zeros without the dtype of the inputs" edits="a loop"
# - scores = inputs.new_zeros(len(inputs))
# + scores = torch.zeros(len(inputs))

# %% mistake="raises: numbers taken out are stacked" says="its first item is a plain number" never="makes a tensor of plain numbers" edits="stacked"
# - scores.append((token * query).sum())
# + scores.append((token * query).sum().item())
