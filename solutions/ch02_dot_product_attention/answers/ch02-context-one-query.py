# %% setup
import numpy as np
import torch


# %% correct="textbook"
def context_vector(weights, inputs):
    context = weights @ inputs
    return context


# %% correct="scaled rows, summed" edits="textbook"
# - context = weights @ inputs
# + context = (weights[:, None] * inputs).sum(dim=0)


# %% correct="a loop from zeros"
def context_vector(weights, inputs):
    context = inputs.new_zeros(inputs.shape[1])
    for i, x_i in enumerate(inputs):
        context += weights[i] * x_i
    return context


# %% correct="one feature at a time"
def context_vector(weights, inputs):
    return torch.stack([torch.dot(weights, inputs[:, k]) for k in range(inputs.shape[1])])


# %% correct="einsum" edits="textbook"
# - context = weights @ inputs
# + context = torch.einsum("t,td->d", weights, inputs)

# %% correct="inputs first, transposed" edits="textbook"
# - context = weights @ inputs
# + context = inputs.T @ weights

# %% correct="a product of matrices, squeezed on its axis" edits="textbook"
# - context = weights @ inputs
# + context = torch.mm(weights.unsqueeze(0), inputs).squeeze(0)

# %% correct="Python's sum" edits="textbook"
# - context = weights @ inputs
# + context = sum(w * x for w, x in zip(weights, inputs))

# %% mistake="elementwise-product" also="wrong-shape" edits="textbook"
# - context = weights @ inputs
# + context = weights[:, None] * inputs

# %% mistake="summed-wrong-axis" also="wrong-shape" edits="textbook"
# - context = weights @ inputs
# + context = (weights[:, None] * inputs).sum(dim=1)

# %% mistake="weights-unused" edits="textbook"
# - context = weights @ inputs
# + context = inputs.mean(dim=0)

# %% mistake="weights-unused: a sum" edits="textbook"
# - context = weights @ inputs
# + context = inputs.sum(dim=0)

# %% mistake="mean-not-sum" edits="textbook"
# - context = weights @ inputs
# + context = (weights[:, None] * inputs).mean(dim=0)

# %% mistake="mean-not-sum: divided afterwards" edits="textbook"
# - context = weights @ inputs
# + context = weights @ inputs / len(inputs)

# %% mistake="values-transposed" also="raises" edits="textbook"
# - context = weights @ inputs
# + context = inputs @ weights

# %% mistake="values-transposed: turned for nothing" also="raises" edits="textbook"
# - context = weights @ inputs
# + context = weights @ inputs.T

# %% mistake="values-transposed: weights beside the features" also="raises" edits="textbook"
# - context = weights @ inputs
# + context = (weights * inputs).sum(dim=0)

# %% mistake="reshape-not-transpose" edits="textbook"
# - context = weights @ inputs
# + context = inputs.reshape(inputs.shape[1], inputs.shape[0]) @ weights

# %% mistake="hard-lookup" edits="textbook"
# - context = weights @ inputs
# + context = inputs[weights.argmax()]

# %% mistake="softmax-unexpected" edits="textbook"
# - context = weights @ inputs
# + context = torch.softmax(weights, dim=0) @ inputs

# %% mistake="softmax-unexpected: on the context" edits="textbook"
# - context = weights @ inputs
# + context = torch.softmax(weights @ inputs, dim=0)

# %% mistake="not-implemented" edits="textbook"
# - context = weights @ inputs
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="raises" edits="textbook"
# - context = weights @ inputs
# + context = torch.dot(weights, inputs)

# %% mistake="raises: a loop over numbers" edits="a loop from zeros"
# - for i, x_i in enumerate(inputs):
# + for i, x_i in inputs:

# %% mistake="wrong-type" edits="textbook"
# - return context
# + print(context)

# %% mistake="wrong-type: a list of rows" edits="textbook"
# - context = weights @ inputs
# + context = [w * x for w, x in zip(weights, inputs)]

# %% mistake="wrong-shape: a row" edits="textbook"
# - context = weights @ inputs
# + context = weights.unsqueeze(0) @ inputs

# %% mistake="all-added-up" also="wrong-shape" edits="textbook"
# - context = weights @ inputs
# + context = (weights[:, None] * inputs).sum()

# %% mistake="wrong-shape: every axis of length 1 squeezed" edits="textbook"
# - context = weights @ inputs
# + context = (weights.unsqueeze(0) @ inputs).squeeze()

# %% mistake="wrong-dtype" edits="textbook"
# - return context
# + return context.double()

# %% mistake="input-modified" edits="textbook"
# - context = weights @ inputs
# + inputs *= weights[:, None]
# + context = inputs.sum(dim=0)

# %% mistake="input-modified: the sum grows in the first row" edits="textbook"
# - context = weights @ inputs
# + context = inputs[0]
# + context *= weights[0]
# + for w, x in zip(weights[1:], inputs[1:]):
# +     context += w * x

# %% mistake="no-gradient" edits="textbook"
# - return context
# + return context.detach()

# %% mistake="no-gradient: the weights as numbers" edits="a loop from zeros"
# - context += weights[i] * x_i
# + context += weights[i].item() * x_i

# %% mistake="no-gradient: through NumPy" edits="textbook"
# - context = weights @ inputs
# + context = torch.from_numpy(np.dot(weights.numpy(), inputs.numpy()))

# %% mistake="size-written-in: three features" also="raises" edits="a loop from zeros"
# - context = inputs.new_zeros(inputs.shape[1])
# + context = inputs.new_zeros(3)

# %% mistake="size-written-in: six tokens" also="raises" edits="textbook"
# - context = weights @ inputs
# + context = sum(weights[i] * inputs[i] for i in range(6))

# %% mistake="hard-coded: the printed numbers" edits="textbook"
# - context = weights @ inputs
# + context = torch.tensor([0.4419, 0.6515, 0.5683])

# %% mistake="example-only: the weights of the example" edits="textbook"
# - context = weights @ inputs
# + context = torch.tensor([0.1385, 0.2379, 0.2333, 0.1240, 0.1082, 0.1581]).to(inputs.dtype) @ inputs

# %% mistake="weights-normalized-again" edits="textbook"
# - context = weights @ inputs
# + context = (weights / weights.sum()) @ inputs

# %% mistake="first-left-out: the first token left out" edits="textbook"
# - context = weights @ inputs
# + context = weights[1:] @ inputs[1:]

# %% mistake="last-round-only: the last row alone" edits="a loop from zeros"
# - context += weights[i] * x_i
# + context = weights[i] * x_i

# %% mistake="unrecognized: weights added to the rows" edits="textbook"
# - context = weights @ inputs
# + context = (weights[:, None] + inputs).sum(dim=0)

# %% mistake="weights-normalized-again: at the end" edits="textbook"
# - return context
# + return context / weights.sum()

# %% mistake="elementwise-product: weights beside the features" also="raises" edits="textbook"
# - context = weights @ inputs
# + context = weights * inputs

# %% mistake="residual-added: starts from the first token" edits="a loop from zeros"
# - context = inputs.new_zeros(inputs.shape[1])
# + context = inputs[0].clone()

# %% mistake="residual-added: starts from the last token" edits="a loop from zeros"
# - context = inputs.new_zeros(inputs.shape[1])
# + context = inputs[-1].clone()

# %% mistake="residual-added: the mean of the tokens" edits="textbook"
# - return context
# + return context + inputs.mean(dim=0)

# %% mistake="summed-wrong-axis: and a mean" also="mean-not-sum wrong-shape" edits="textbook"
# - context = weights @ inputs
# + context = (weights[:, None] * inputs).mean(dim=1)

# %% mistake="signs-dropped" edits="textbook"
# - return context
# + return context.abs()

# %% mistake="signs-dropped: of the weights" edits="textbook"
# - context = weights @ inputs
# + context = weights.abs() @ inputs


# %% correct="one step a line"
def context_vector(weights, inputs):
    shares = weights
    tokens = inputs
    rows = shares[:, None] * tokens
    context = rows.sum(dim=0)
    result = context
    return result


# %% mistake="softmax-unexpected: a step" edits="one step a line"
# - shares = weights
# + shares = torch.softmax(weights, dim=0)

# %% mistake="weights-normalized-again: a step" edits="one step a line"
# - shares = weights
# + shares = weights / weights.sum()

# %% mistake="hard-lookup: a step" edits="one step a line"
# - shares = weights
# + shares = (weights == weights.max()).to(weights.dtype)

# %% mistake="weights-unused: a step" edits="one step a line"
# - shares = weights
# + shares = torch.ones_like(weights)

# %% mistake="elementwise-product: a step" also="wrong-shape" edits="one step a line"
# - context = rows.sum(dim=0)
# + context = rows

# %% mistake="summed-wrong-axis: a step" also="wrong-shape" edits="one step a line"
# - context = rows.sum(dim=0)
# + context = rows.sum(dim=1)

# %% mistake="mean-not-sum: a step" edits="one step a line"
# - result = context
# + result = context / len(inputs)

# %% mistake="residual-added: a step" edits="one step a line"
# - result = context
# + result = context + inputs[0]

# %% mistake="softmax-unexpected: at the end, a step" edits="one step a line"
# - result = context
# + result = torch.softmax(context, dim=-1)

# %% mistake="all-with-all" edits="textbook"
# - context = weights @ inputs
# + context = weights.sum() * inputs.sum(dim=0)

# %% mistake="residual-added: the first token as it is" edits="textbook"
# - context = weights @ inputs
# + context = inputs[0] + weights[1:] @ inputs[1:]

# %% mistake="residual-added: all tokens" edits="one step a line"
# - result = context
# + result = context + inputs.sum(dim=0)

# %% mistake="last-left-out: a step" edits="one step a line"
# - context = rows.sum(dim=0)
# + context = rows[:-1].sum(dim=0)

# %% mistake="first-left-out: a step" edits="one step a line"
# - context = rows.sum(dim=0)
# + context = rows[1:].sum(dim=0)

# %% mistake="last-round-only: a step" edits="one step a line"
# - context = rows.sum(dim=0)
# + context = rows[-1]

# %% mistake="signs-dropped: a step" edits="one step a line"
# - result = context
# + result = context.abs()

# %% mistake="counted-twice" edits="textbook"
# - context = weights @ inputs
# + context = weights[0] * inputs[0] + weights @ inputs

# %% mistake="counted-twice: the last" edits="textbook"
# - context = weights @ inputs
# + context = weights @ inputs + weights[-1] * inputs[-1]

# %% mistake="first-left-out: and the last" also="last-left-out" edits="textbook"
# - context = weights @ inputs
# + context = weights[1:-1] @ inputs[1:-1]

# %% mistake="counted-twice: a step" edits="one step a line"
# - context = rows.sum(dim=0)
# + context = rows[0] + rows.sum(dim=0)

# %% mistake="softmax-unexpected: without the first round" also="first-left-out" edits="one step a line"
# - shares = weights
# - tokens = inputs
# + shares = torch.softmax(weights, dim=0)[1:]
# + tokens = inputs[1:]

# %% mistake="last-round-only: of those from 1 on" also="first-left-out" edits="one step a line"
# - context = rows.sum(dim=0)
# + context = rows[1:][-1:].sum(dim=0)

# %% mistake="last-left-out: from the first one on, a step" edits="one step a line"
# - context = rows.sum(dim=0)
# + context = rows[0] + rows[1:-1].sum(dim=0)

# %% mistake="wrong-dtype: filled into zeros of another dtype" edits="a loop from zeros"
# - context = inputs.new_zeros(inputs.shape[1])
# + context = torch.zeros(inputs.shape[1])
