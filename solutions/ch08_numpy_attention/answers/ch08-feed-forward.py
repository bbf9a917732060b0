# %% setup
import numpy as np


# %% correct="textbook"
def feed_forward(x, W1, b1, W2, b2):
    inner = x @ W1 + b1
    kept = np.maximum(inner, 0)
    return kept @ W2 + b2


# %% correct="np.where and np.dot" edits="textbook"
# - inner = x @ W1 + b1
# - kept = np.maximum(inner, 0)
# - return kept @ W2 + b2
# + inner = np.dot(x, W1) + b1
# + return np.dot(np.where(inner > 0, inner, 0.0), W2) + b2

# %% correct="multiplied by a mask" edits="textbook"
# - kept = np.maximum(inner, 0)
# + kept = inner * (inner > 0)

# %% correct="einsum and clip" edits="textbook"
# - inner = x @ W1 + b1
# - kept = np.maximum(inner, 0)
# - return kept @ W2 + b2
# + inner = np.einsum("td,df->tf", x, W1) + b1
# + return b2 + np.einsum("tf,fd->td", inner.clip(min=0), W2)

# %% correct="set to zero in place" edits="textbook"
# - kept = np.maximum(inner, 0)
# + inner[inner < 0] = 0
# + kept = inner


# %% correct="token by token"
def feed_forward(x, W1, b1, W2, b2):
    rows = []
    for token in x:
        inner = [max(0.0, token @ column + b) for column, b in zip(W1.T, b1)]
        rows.append(np.array(inner) @ W2 + b2)
    return np.array(rows)


# %% mistake="not-implemented"
def feed_forward(x, W1, b1, W2, b2):
    raise NotImplementedError("Write your answer here, then delete this line.")


# %% mistake="missing-relu" edits="textbook"
# - kept = np.maximum(inner, 0)
# + kept = inner

# %% mistake="relu-misplaced: at the end" edits="textbook"
# - kept = np.maximum(inner, 0)
# - return kept @ W2 + b2
# + return np.maximum(inner @ W2 + b2, 0)

# %% mistake="relu-misplaced: at the end as well" edits="textbook"
# - return kept @ W2 + b2
# + return np.maximum(kept @ W2 + b2, 0)

# %% mistake="relu-misplaced: before the bias" edits="textbook"
# - inner = x @ W1 + b1
# - kept = np.maximum(inner, 0)
# + kept = np.maximum(x @ W1, 0) + b1

# %% mistake="relu-misplaced: on the input" edits="textbook"
# - inner = x @ W1 + b1
# - kept = np.maximum(inner, 0)
# + kept = np.maximum(x, 0) @ W1 + b1

# %% mistake="other-activation: tanh" edits="textbook"
# - kept = np.maximum(inner, 0)
# + kept = np.tanh(inner)

# %% mistake="other-activation: sigmoid" edits="textbook"
# - kept = np.maximum(inner, 0)
# + kept = 1 / (1 + np.exp(-inner))

# %% mistake="other-activation: gelu" edits="textbook"
# - kept = np.maximum(inner, 0)
# + kept = 0.5 * inner * (1 + np.tanh(np.sqrt(2 / np.pi) * (inner + 0.044715 * inner**3)))

# %% mistake="other-activation: leaky" edits="textbook"
# - kept = np.maximum(inner, 0)
# + kept = np.maximum(inner, 0.01 * inner)

# %% mistake="other-activation: the negative half is kept" edits="textbook"
# - kept = np.maximum(inner, 0)
# + kept = np.minimum(inner, 0)

# %% mistake="other-activation: without signs" edits="textbook"
# - kept = np.maximum(inner, 0)
# + kept = np.abs(inner)

# %% mistake="other-activation: a step" edits="textbook"
# - kept = np.maximum(inner, 0)
# + kept = (inner > 0).astype(float)

# %% mistake="residual-added" edits="textbook"
# - return kept @ W2 + b2
# + return x + kept @ W2 + b2

# %% mistake="bias-ignored: the first" edits="textbook"
# - inner = x @ W1 + b1
# + inner = x @ W1

# %% mistake="bias-ignored: the second" edits="textbook"
# - return kept @ W2 + b2
# + return kept @ W2

# %% mistake="bias-ignored: both" edits="textbook"
# - inner = x @ W1 + b1
# + inner = x @ W1
# - return kept @ W2 + b2
# + return kept @ W2

# %% mistake="weight-not-transposed" also="raises" edits="textbook"
# - inner = x @ W1 + b1
# + inner = x @ W1.T + b1
# - return kept @ W2 + b2
# + return kept @ W2.T + b2

# %% mistake="weight-not-transposed: the first" also="raises" edits="textbook"
# - inner = x @ W1 + b1
# + inner = x @ W1.T + b1

# %% mistake="weight-not-transposed: the second" also="raises" edits="textbook"
# - return kept @ W2 + b2
# + return kept @ W2.T + b2

# %% mistake="weight-not-transposed: on the other side" also="raises" edits="textbook"
# - inner = x @ W1 + b1
# + inner = W1 @ x + b1

# %% mistake="wrong-shape: the largest instead of the larger" edits="textbook"
# - kept = np.maximum(inner, 0)
# + kept = np.max(inner, 0)

# %% mistake="raises: torch's name" edits="textbook"
# - kept = np.maximum(inner, 0)
# + kept = np.relu(inner)

# %% mistake="raises: a product number by number" edits="textbook"
# - inner = x @ W1 + b1
# + inner = x * W1 + b1

# %% mistake="raises: Python's max" edits="textbook"
# - kept = np.maximum(inner, 0)
# + kept = max(0, inner)

# %% mistake="argument-unused: the inner layer" also="wrong-shape" edits="textbook"
# - return kept @ W2 + b2
# + return kept

# %% mistake="input-modified: bias added in place" edits="textbook"
# - inner = x @ W1 + b1
# + b1 += x[0] @ W1
# + inner = x @ W1 + b1

# %% mistake="input-modified: negatives of x are set to zero" edits="textbook"
# - inner = x @ W1 + b1
# + inner = x @ W1 + b1
# + x[x < 0] = 0

# %% mistake="wrong-type: no return" edits="textbook"
# - return kept @ W2 + b2
# + result = kept @ W2 + b2

# %% mistake="wrong-type: a tuple" edits="textbook"
# - return kept @ W2 + b2
# + return kept @ W2 + b2, kept

# %% mistake="wrong-dtype: float32" edits="textbook"
# - return kept @ W2 + b2
# + return (kept @ W2 + b2).astype("float32")

# %% mistake="unrecognized: biases exchanged where they fit" edits="textbook"
# - inner = x @ W1 + b1
# + inner = x @ W1 + (b2 if b2.shape == b1.shape else b1)

# %% mistake="other-activation: cut at 1" edits="textbook"
# - kept = np.maximum(inner, 0)
# + kept = np.clip(inner, 0, 1)

# %% mistake="unrecognized: only the first token" edits="textbook"
# - return kept @ W2 + b2
# + return np.broadcast_to(kept[0] @ W2 + b2, x.shape)


# %% correct="one step a line"
def feed_forward(x, W1, b1, W2, b2):
    product = x @ W1
    inner = product + b1
    kept = np.maximum(inner, 0)
    outer = kept @ W2
    result = outer + b2
    return result


# %% mistake="bias-ignored: a step, the second" edits="one step a line"
# - result = outer + b2
# + result = outer

# %% mistake="bias-ignored: a step, the first" edits="one step a line"
# - inner = product + b1
# + inner = product

# %% mistake="missing-relu: a step" edits="one step a line"
# - kept = np.maximum(inner, 0)
# + kept = inner

# %% mistake="relu-misplaced: a step, at the end as well" edits="one step a line"
# - return result
# + return np.maximum(result, 0)

# %% mistake="relu-misplaced: a step, before the first bias" edits="one step a line"
# - product = x @ W1
# - inner = product + b1
# - kept = np.maximum(inner, 0)
# + product = np.maximum(x @ W1, 0)
# + kept = product + b1

# %% mistake="relu-misplaced: before the second bias, as well" edits="one step a line"
# - outer = kept @ W2
# + outer = np.maximum(kept @ W2, 0)

# %% mistake="relu-misplaced: before the second bias, there alone" edits="one step a line"
# - kept = np.maximum(inner, 0)
# - outer = kept @ W2
# + outer = np.maximum(inner @ W2, 0)

# %% mistake="residual-added: a step" edits="one step a line"
# - return result
# + return x + result

# %% mistake="other-activation: a step, without signs" edits="one step a line"
# - kept = np.maximum(inner, 0)
# + kept = np.abs(inner)

# %% mistake="weight-not-transposed: a step, the first" also="raises" edits="one step a line"
# - product = x @ W1
# + product = x @ W1.T

# %% mistake="weight-not-transposed: a step, the second" also="raises" edits="one step a line"
# - outer = kept @ W2
# + outer = kept @ W2.T

# %% mistake="other-activation: a step, the negative half" edits="one step a line"
# - kept = np.maximum(inner, 0)
# + kept = np.minimum(inner, 0)


# %% correct="written into zeros, token by token, number by number"
def feed_forward(x, W1, b1, W2, b2):
    out = np.zeros((len(x), len(b2)))
    for t in range(len(x)):
        inner = x[t] @ W1 + b1
        for k in range(len(inner)):
            if inner[k] < 0:
                inner[k] = 0
        out[t] = inner @ W2 + b2
    return out


# %% mistake="other-activation: without signs, but for the last" also="last-left-out"
def feed_forward(x, W1, b1, W2, b2):
    inner = x @ W1 + b1
    inner[:, :-1] = np.abs(inner[:, :-1])
    return inner @ W2 + b2


# %% mistake="relu-misplaced: on the first matrix" edits="textbook"
# - def feed_forward(x, W1, b1, W2, b2):
# + def feed_forward(x, W1, b1, W2, b2):
# +     return (x @ np.maximum(W1, 0) + b1) @ W2 + b2

# %% mistake="relu-misplaced: a step, before the first bias, as well" edits="one step a line"
# - product = x @ W1
# + product = np.maximum(x @ W1, 0)

# %% mistake="relu-misplaced: a step, on the second matrix" edits="one step a line"
# - kept = np.maximum(inner, 0)
# - outer = kept @ W2
# + outer = inner @ np.maximum(W2, 0)

# %% mistake="relu-misplaced: a step, on the second matrix, as well" edits="one step a line"
# - outer = kept @ W2
# + outer = kept @ np.maximum(W2, 0)

# %% mistake="relu-misplaced: a step, on the first matrix" edits="one step a line"
# - product = x @ W1
# - inner = product + b1
# - kept = np.maximum(inner, 0)
# + product = x @ np.maximum(W1, 0)
# + kept = product + b1

# %% mistake="relu-misplaced: a step, on the first matrix, as well" edits="one step a line"
# - product = x @ W1
# + product = x @ np.maximum(W1, 0)

# %% mistake="relu-misplaced: a step, on the input" edits="one step a line"
# - product = x @ W1
# - inner = product + b1
# - kept = np.maximum(inner, 0)
# + product = np.maximum(x, 0) @ W1
# + kept = product + b1

# %% mistake="relu-misplaced: a step, on the input, as well" edits="one step a line"
# - product = x @ W1
# + product = np.maximum(x, 0) @ W1

# %% mistake="relu-misplaced: a step, at the end alone" edits="one step a line"
# - kept = np.maximum(inner, 0)
# - outer = kept @ W2
# - result = outer + b2
# + outer = inner @ W2
# + result = np.maximum(outer + b2, 0)

# %% mistake="relu-misplaced: a step, before the first bias and at the end" edits="one step a line"
# - product = x @ W1
# - inner = product + b1
# - kept = np.maximum(inner, 0)
# - outer = kept @ W2
# - result = outer + b2
# + kept = np.maximum(x @ W1, 0) + b1
# + result = np.maximum(kept @ W2 + b2, 0)

# %% mistake="relu-misplaced: a step, on the first bias" edits="one step a line"
# - product = x @ W1
# - inner = product + b1
# - kept = np.maximum(inner, 0)
# + product = x @ W1
# + kept = product + np.maximum(b1, 0)

# %% mistake="other-activation: a step, sigmoid" edits="one step a line"
# - kept = np.maximum(inner, 0)
# + kept = 1 / (1 + np.exp(-inner))

# %% mistake="other-activation: a step, tanh" edits="one step a line"
# - kept = np.maximum(inner, 0)
# + kept = np.tanh(inner)

# %% mistake="other-activation: a step, 1 or 0" edits="one step a line"
# - kept = np.maximum(inner, 0)
# + kept = np.where(inner > 0, 1.0, 0.0)

# %% mistake="other-activation: a step, softmax" edits="one step a line"
# - kept = np.maximum(inner, 0)
# + powers = np.exp(inner - inner.max(axis=-1, keepdims=True))
# + kept = powers / powers.sum(axis=-1, keepdims=True)

# %% mistake="other-activation: a step, at least 1" edits="one step a line"
# - kept = np.maximum(inner, 0)
# + kept = np.maximum(inner, 1)

# %% mistake="bias-ignored: a step, both" edits="one step a line"
# - inner = product + b1
# - kept = np.maximum(inner, 0)
# - outer = kept @ W2
# - result = outer + b2
# + kept = np.maximum(product, 0)
# + result = kept @ W2

# %% mistake="last-left-out: the last inside" edits="written into zeros, token by token, number by number"
# - for k in range(len(inner)):
# + for k in range(len(inner) - 1):

# %% mistake="last-left-out: the last token" edits="written into zeros, token by token, number by number"
# - for t in range(len(x)):
# + for t in range(len(x) - 1):

# %% mistake="bias-ignored: a loop, the second" edits="written into zeros, token by token, number by number"
# - out[t] = inner @ W2 + b2
# + out[t] = inner @ W2

# %% mistake="bias-ignored: a loop, the first" edits="written into zeros, token by token, number by number"
# - inner = x[t] @ W1 + b1
# + inner = x[t] @ W1

# %% mistake="missing-relu: a loop" edits="written into zeros, token by token, number by number"
# - if inner[k] < 0:
# + if False:

# %% mistake="other-activation: turned round" edits="written into zeros, token by token, number by number"
# - if inner[k] < 0:
# + if inner[k] > 0:

# %% mistake="other-activation: no signs" edits="written into zeros, token by token, number by number"
# - inner[k] = 0
# + inner[k] = -inner[k]

# %% mistake="residual-added: a loop" edits="written into zeros, token by token, number by number"
# - out[t] = inner @ W2 + b2
# + out[t] = x[t] + inner @ W2 + b2

# %% mistake="first-round-only: one token" edits="written into zeros, token by token, number by number"
# - return out
# +     return out

# %% mistake="rows-shared: a loop" edits="written into zeros, token by token, number by number"
# - out[t] = inner @ W2 + b2
# + out[:] = inner @ W2 + b2


# %% correct="number times row, added up"
def feed_forward(x, W1, b1, W2, b2):
    out = np.zeros(x.shape)
    for t in range(len(x)):
        out[t] = b2
        for j in range(W1.shape[1]):
            h = x[t] @ W1[:, j] + b1[j]
            if h > 0:
                out[t] += h * W2[j]
    return out


# %% mistake="bias-ignored: added up, the second" edits="number times row, added up"
# - out[t] = b2
# + pass

# %% mistake="bias-ignored: added up, the first" edits="number times row, added up"
# - h = x[t] @ W1[:, j] + b1[j]
# + h = x[t] @ W1[:, j]

# %% mistake="last-left-out: added up, the last number inside" edits="number times row, added up"
# - for j in range(W1.shape[1]):
# + for j in range(W1.shape[1] - 1):

# %% mistake="missing-relu: added up" edits="number times row, added up"
# - if h > 0:
# + if True:

# %% mistake="bias-added-often: the second, in every round" edits="number times row, added up"
# - out[t] += h * W2[j]
# + out[t] += h * W2[j] + b2
# - out[t] = b2
# + out[t] = 0

# %% mistake="bias-added-often: the second, in every round of them all" edits="number times row, added up"
# - if h > 0:
# - out[t] += h * W2[j]
# + out[t] += max(h, 0) * W2[j] + b2
# - out[t] = b2
# + out[t] = 0
