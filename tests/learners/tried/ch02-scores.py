# %% setup
import torch

# %% correct="a product"
def attention_scores(inputs):
    return inputs @ inputs.T

# %% correct="filled"
def attention_scores(inputs):
    n = inputs.shape[0]
    scores = inputs.new_zeros(n, n)
    for i in range(n):
        for j in range(n):
            scores[i, j] = torch.dot(inputs[i], inputs[j])
    return scores

# %% correct="rows"
def scores_for_query(query, inputs):
    return inputs @ query

def attention_scores(inputs):
    rows = []
    for query in inputs:
        rows.append(scores_for_query(query, inputs))
    return torch.stack(rows)

# %% mistake="key-not-transposed" edits="a product"
# - return inputs @ inputs.T
# + return inputs @ inputs

# %% mistake="features-compared: the first is turned" edits="a product"
# - return inputs @ inputs.T
# + return inputs.T @ inputs

# %% mistake="elementwise-product: a star" edits="a product"
# - return inputs @ inputs.T
# + return inputs * inputs

# %% mistake="no-gradient: lists of floats" edits="rows"
# - rows.append(scores_for_query(query, inputs))
# + rows.append([float(torch.dot(query, key)) for key in inputs])
# - return torch.stack(rows)
# + return torch.tensor(rows)

# %% mistake="itself-skipped: not itself" edits="filled"
# - scores[i, j] = torch.dot(inputs[i], inputs[j])
# + if i != j:
# +     scores[i, j] = torch.dot(inputs[i], inputs[j])

# %% mistake="half-left-out: j from i on" edits="filled"
# - for j in range(n):
# + for j in range(i, n):

# %% mistake="half-left-out: j up to i" edits="filled"
# - for j in range(n):
# + for j in range(i + 1):

# %% mistake="half-left-out: j after i" edits="filled"
# - for j in range(n):
# + for j in range(i + 1, n):

# %% mistake="raises: a list of lists is stacked" says="The first item of what the line puts together" never="plain numbers?" edits="rows"
# - rows.append(scores_for_query(query, inputs))
# + rows.append([torch.dot(query, key) for key in inputs])

# %% mistake="softmax-unexpected: weights instead" edits="a product"
# - return inputs @ inputs.T
# + return torch.softmax(inputs @ inputs.T, dim=-1)

# %% mistake="raises: which axes" edits="a product"
# - return inputs @ inputs.T
# + return inputs @ inputs.transpose()

# %% mistake="raises: T is called" says="which sign stands for that" edits="a product"
# - return inputs @ inputs.T
# + return inputs @ inputs.T()

# %% mistake="last-left-out: the last row" edits="filled"
# - for i in range(n):
# + for i in range(n - 1):

# %% mistake="first-left-out: the first column" edits="filled"
# - for j in range(n):
# + for j in range(1, n):

# %% mistake="first-round-only: return in the loop" edits="filled"
# - return scores
# +     return scores

# %% mistake="last-round-only: stacked anew" edits="rows"
# - rows.append(scores_for_query(query, inputs))
# + rows = [scores_for_query(query, inputs)]

# %% mistake="scale-unexpected: and a softmax" also="softmax-unexpected" edits="a product"
# - return inputs @ inputs.T
# + return torch.softmax(inputs @ inputs.T / inputs.shape[1] ** 0.5, dim=1)

# %% mistake="half-left-out: and scaled" also="scale-unexpected" edits="a product"
# - return inputs @ inputs.T
# + return torch.tril(inputs @ inputs.T) / inputs.shape[-1] ** 0.5

# %% mistake="wrong-shape: the notebook's inputs" edits="a product"
# - def attention_scores(inputs):
# + tokens = torch.tensor([[0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64], [0.22, 0.58, 0.33]])
# + def attention_scores(inputs):
# - return inputs @ inputs.T
# + return inputs @ tokens.T

# %% mistake="cosine-similarity: and scaled" also="scale-unexpected"
def attention_scores(inputs):
    unit = inputs / inputs.norm(dim=1, keepdim=True)
    return unit @ inputs.T / inputs.shape[1] ** 0.5

# %% mistake="half-left-out: and shares" also="softmax-unexpected"
def attention_scores(inputs):
    n = len(inputs)
    scores = torch.zeros(n, n)
    for i in range(n):
        for j in range(i + 1):
            scores[i, j] = inputs[i] @ inputs[j]
    return torch.softmax(scores, dim=-1)

# %% mistake="itself-skipped: and scaled" also="scale-unexpected"
def attention_scores(inputs):
    n = len(inputs)
    scores = torch.zeros(n, n)
    for i in range(n):
        for j in range(n):
            if i != j:
                scores[i, j] = inputs[i] @ inputs[j] / len(inputs[i]) ** 0.5
    return scores

# %% mistake="reshape-not-transpose: and shares" also="softmax-unexpected"
def attention_scores(inputs):
    return (inputs @ inputs.view(inputs.shape[1], inputs.shape[0])).softmax(1)

# %% mistake="last-left-out: of the features"
def attention_scores(inputs):
    T, d = inputs.shape
    s = torch.zeros(T, T)
    for i in range(T):
        for j in range(T):
            for k in range(d - 1):
                s[i][j] += inputs[i][k] * inputs[j][k]
    return s

# %% mistake="distance-compared: not squared"
def attention_scores(inputs):
    T = inputs.shape[0]
    s = torch.zeros(T, T)
    for i in range(T):
        for j in range(T):
            s[i, j] = (inputs[i] - inputs[j]).norm()
    return s

# %% mistake="last-left-out: of rows and columns"
def attention_scores(inputs):
    T = inputs.shape[0]
    s = torch.zeros(T, T)
    for i in range(T - 1):
        for j in range(T - 1):
            s[i, j] = torch.dot(inputs[i], inputs[j])
    return s

# %% mistake="carried-over: the sum starts outside of the loops"
def attention_scores(inputs):
    rows, s = [], 0
    for a in inputs:
        row = []
        for b in inputs:
            s = s + torch.dot(a, b)
            row.append(s)
        rows.append(torch.stack(row))
    return torch.stack(rows)

# %% mistake="last-left-out: of the features, and scaled" also="scale-unexpected" edits="a product"
# - return inputs @ inputs.T
# + return inputs[:, :-1] @ inputs[:, :-1].T / inputs.shape[1] ** 0.5

# %% mistake="half-left-out: from the diagonal on" never="Elsewhere they are 0"
def attention_scores(inputs):
    T = len(inputs)
    s = torch.zeros(T, T)
    for i in range(T):
        for j in range(i, T):
            s[i, j] = torch.dot(inputs[i], inputs[j])
    return s

# %% mistake="token-with-itself: i and i" edits="filled"
# - scores[i, j] = torch.dot(inputs[i], inputs[j])
# + scores[i, j] = torch.dot(inputs[i], inputs[i])

# %% mistake="token-with-itself: a number for each" edits="a product"
# - return inputs @ inputs.T
# + return (inputs * inputs).sum(dim=1)

# %% mistake="scale-unexpected: row sums" edits="a product"
# - return inputs @ inputs.T
# + s = inputs @ inputs.T
# + return s / s.sum(dim=1, keepdim=True)

# %% mistake="scale-unexpected: the largest" edits="a product"
# - return inputs @ inputs.T
# + s = inputs @ inputs.T
# + return s / s.max()

# %% mistake="half-left-out: means, j before i" also="scale-unexpected"
def attention_scores(inputs):
    T = len(inputs)
    s = torch.zeros(T, T)
    for i in range(T):
        for j in range(i):
            s[i, j] = (inputs[i] * inputs[j]).mean()
    return s

# %% mistake="carried-over: and the last column" also="last-left-out"
def attention_scores(inputs):
    T, d = inputs.shape
    s = torch.zeros(T, T)
    t = 0
    for i in range(T):
        for j in range(T - 1):
            for f in range(d):
                t = t + inputs[i][f] * inputs[j][f]
            s[i, j] = t
    return s

# %% mistake="last-round-only: of the features, from 1 on"
def attention_scores(inputs):
    T, d = inputs.shape
    s = torch.zeros(T, T)
    for i in range(T):
        for j in range(T):
            for f in range(1, d):
                s[i, j] = inputs[i][f] * inputs[j][f]
    return s

# %% mistake="raises: put into a list in vain" never="loop not run" says="Which line puts something into it"
def attention_scores(inputs):
    rows = []
    for query in inputs:
        rows + [inputs @ query]
    return torch.stack(rows)

# %% mistake="wrong-dtype: filled row by row into zeros of float32"
def attention_scores(inputs):
    scores = torch.zeros(len(inputs), len(inputs))
    for i in range(len(inputs)):
        scores[i] = inputs @ inputs[i]
    return scores
