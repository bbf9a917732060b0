# %% setup
import torch

# %% correct="a product"
def context_vector(weights, inputs):
    return weights @ inputs

# %% correct="a loop"
def context_vector(weights, inputs):
    context = torch.zeros(inputs.shape[1])
    for i in range(len(inputs)):
        context = context + weights[i] * inputs[i]
    return context

# %% correct="rows, added up"
def context_vector(weights, inputs):
    rows = weights.unsqueeze(1) * inputs
    return rows.sum(dim=0)

# %% mistake="values-transposed: weights beside the features" edits="rows, added up"
# - rows = weights.unsqueeze(1) * inputs
# + rows = weights * inputs

# %% mistake="values-transposed: inputs first" edits="a product"
# - return weights @ inputs
# + return inputs @ weights

# %% mistake="elementwise-product: a star alone" edits="a product"
# - return weights @ inputs
# + return weights * inputs

# %% mistake="elementwise-product: nothing added up" edits="rows, added up"
# - return rows.sum(dim=0)
# + return rows

# %% mistake="mean-not-sum: a mean" edits="rows, added up"
# - return rows.sum(dim=0)
# + return rows.mean(dim=0)

# %% mistake="softmax-unexpected: of the weights" edits="a product"
# - return weights @ inputs
# + return torch.softmax(weights, dim=0) @ inputs

# %% mistake="weights-normalized-again: of the weights" edits="a product"
# - return weights @ inputs
# + weights = weights / weights.sum()
# + return weights @ inputs

# %% mistake="weights-normalized-again: the context" edits="a product"
# - return weights @ inputs
# + context = weights @ inputs
# + return context / weights.sum()

# %% mistake="summed-wrong-axis: 1" edits="rows, added up"
# - return rows.sum(dim=0)
# + return rows.sum(dim=1)

# %% mistake="hard-lookup: the largest" edits="a product"
# - return weights @ inputs
# + return inputs[torch.argmax(weights)]

# %% mistake="size-written-in: three zeros" edits="a loop"
# - context = torch.zeros(inputs.shape[1])
# + context = torch.zeros(3)

# %% mistake="first-round-only: return in the loop" edits="a loop"
# - return context
# +     return context

# %% mistake="last-round-only: overwritten" edits="a loop"
# - context = context + weights[i] * inputs[i]
# + context = weights[i] * inputs[i]

# %% mistake="last-round-only: from zeros in every round" edits="a loop"
# - context = context + weights[i] * inputs[i]
# + context = torch.zeros(inputs.shape[1])
# + context = context + weights[i] * inputs[i]

# %% mistake="last-left-out: one round too few" edits="a loop"
# - for i in range(len(inputs)):
# + for i in range(len(inputs) - 1):

# %% mistake="first-left-out: from 1" edits="a loop"
# - for i in range(len(inputs)):
# + for i in range(1, len(inputs)):

# %% mistake="input-modified: the first row grows" edits="a loop"
# - context = torch.zeros(inputs.shape[1])
# + context = inputs[0]
# - context = context + weights[i] * inputs[i]
# + context += weights[i] * inputs[i]

# %% mistake="residual-added: starts from the first token" edits="a loop"
# - context = torch.zeros(inputs.shape[1])
# + context = inputs[0]

# %% mistake="example-only: the notebook's weights" edits="a product"
# - def context_vector(weights, inputs):
# + softmax_weights = torch.tensor([0.1385, 0.2379, 0.2333, 0.1240, 0.1082, 0.1581])
# + def context_vector(weights, inputs):
# - return weights @ inputs
# + return softmax_weights @ inputs

# %% mistake="weights-unused: a mean" edits="a product"
# - return weights @ inputs
# + return inputs.mean(dim=0)

# %% mistake="softmax-unexpected: of the weights, and a mean" also="mean-not-sum" edits="rows, added up"
# - rows = weights.unsqueeze(1) * inputs
# + rows = torch.softmax(weights, dim=0)[:, None] * inputs
# - return rows.sum(dim=0)
# + return rows.mean(dim=0)

# %% mistake="summed-wrong-axis: 1, and a mean" also="mean-not-sum" edits="rows, added up"
# - return rows.sum(dim=0)
# + return rows.mean(dim=1)

# %% correct="features one by one"
def context_vector(weights, inputs):
    context = inputs.new_zeros(inputs.shape[1])
    for k in range(inputs.shape[1]):
        context[k] = (weights * inputs[:, k]).sum()
    return context

# %% mistake="weights-normalized-again: and a mean" also="mean-not-sum"
def context_vector(weights, inputs):
    weights = weights / sum(weights)
    return torch.stack([w * x for w, x in zip(weights, inputs)]).mean(0)

# %% mistake="softmax-unexpected: and the first token" also="residual-added"
def context_vector(weights, inputs):
    context = inputs[0]
    for w, x in zip(weights.softmax(0), inputs):
        context = context + w * x
    return context

# %% mistake="softmax-unexpected: along the wrong axis" also="summed-wrong-axis"
def context_vector(weights, inputs):
    return (weights.softmax(dim=-1).unsqueeze(-1) * inputs).sum(-1)

# %% mistake="all-with-all: two loops, one in the other"
def context_vector(weights, inputs):
    c = torch.zeros(inputs.shape[1])
    for w in weights:
        for x in inputs:
            c = c + w * x
    return c

# %% mistake="residual-added: the first token is not weighed" edits="a loop"
# - context = torch.zeros(inputs.shape[1])
# - for i in range(len(inputs)):
# + context = inputs[0]
# + for i in range(1, len(inputs)):

# %% mistake="weights-normalized-again: and one round too few" also="last-left-out" edits="a loop"
# - for i in range(len(inputs)):
# + weights = weights / weights.sum()
# + for i in range(len(inputs) - 1):

# %% mistake="mean-not-sum: of the rows" never="already add up to 1"
def context_vector(weights, inputs):
    return (weights[:, None] * inputs).mean(dim=0)

# %% mistake="counted-twice: the first one"
def context_vector(weights, inputs):
    c = weights[0] * inputs[0]
    for j in range(len(inputs)):
        c = c + weights[j] * inputs[j]
    return c

# %% mistake="last-left-out: from the first one on"
def context_vector(weights, inputs):
    c = weights[0] * inputs[0]
    for j in range(1, len(inputs) - 1):
        c = c + weights[j] * inputs[j]
    return c

# %% mistake="first-left-out: and the last" also="last-left-out"
def context_vector(weights, inputs):
    c = torch.zeros(inputs.shape[1])
    for j in range(1, len(inputs) - 1):
        c = c + weights[j] * inputs[j]
    return c

# %% mistake="softmax-unexpected: of the weights, from 1" also="first-left-out"
def context_vector(weights, inputs):
    w = torch.softmax(weights, dim=0)
    c = torch.zeros(inputs.shape[1])
    for j in range(1, len(inputs)):
        c = c + w[j] * inputs[j]
    return c

# %% mistake="last-round-only: overwritten, and from 1" edits="a loop"
# - for i in range(len(inputs)):
# -     context = context + weights[i] * inputs[i]
# + for i in range(1, len(inputs)):
# +     context = weights[i] * inputs[i]

# %% mistake="signs-dropped: of the weights" never="from the scores or from the result" edits="a product"
# - return weights @ inputs
# + return weights.abs() @ inputs

# %% mistake="wrong-dtype: features one by one, into zeros of float32" edits="features one by one"
# - context = inputs.new_zeros(inputs.shape[1])
# + context = torch.zeros(inputs.shape[1])

# %% mistake="state-kept: a global sum" never="7.5683|expected 0.5683, got"
z = torch.zeros(3)
def context_vector(weights, inputs):
    global z
    for w, x in zip(weights, inputs):
        z = z + w * x
    return z

# %% mistake="raises: a sum of another size" never="* multiplies" says="Two tensors meet number by number"
def context_vector(weights, inputs):
    c = inputs.new_zeros(inputs.shape[0])
    for j in range(len(inputs)):
        c = c + weights[j] * inputs[j]
    return c
