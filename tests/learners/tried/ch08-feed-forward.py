# %% setup
import numpy as np

# %% correct="mine"
def feed_forward(x, W1, b1, W2, b2):
    hidden = x @ W1 + b1
    hidden = np.maximum(0, hidden)
    out = hidden @ W2 + b2
    return out

# %% mistake="missing-relu: no ReLU" edits="mine"
# - hidden = np.maximum(0, hidden)

# %% mistake="missing-relu: not kept" edits="mine"
# - hidden = np.maximum(0, hidden)
# + np.maximum(0, hidden)

# %% mistake="relu-misplaced: at the end, too" edits="mine"
# - return out
# + return np.maximum(0, out)

# %% mistake="relu-misplaced: at the end alone" edits="mine"
# - hidden = np.maximum(0, hidden)
# - out = hidden @ W2 + b2
# + out = np.maximum(0, hidden @ W2 + b2)

# %% mistake="wrong-shape: np.max" edits="mine"
# - hidden = np.maximum(0, hidden)
# + hidden = np.max(hidden, 0)

# %% mistake="raises: np.max the other way round" edits="mine"
# - hidden = np.maximum(0, hidden)
# + hidden = np.max(0, hidden)

# %% mistake="bias-ignored: no b1" edits="mine"
# - hidden = x @ W1 + b1
# + hidden = x @ W1

# %% mistake="bias-ignored: no b2" edits="mine"
# - out = hidden @ W2 + b2
# + out = hidden @ W2

# %% mistake="relu-misplaced: b1 after the ReLU" edits="mine"
# - hidden = x @ W1 + b1
# - hidden = np.maximum(0, hidden)
# + hidden = np.maximum(0, x @ W1) + b1

# %% mistake="relu-misplaced: round the second layer and before b2" edits="mine"
# - out = hidden @ W2 + b2
# + out = np.maximum(0, hidden @ W2) + b2

# %% mistake="raises: Python's max" edits="mine"
# - hidden = np.maximum(0, hidden)
# + hidden = max(0, hidden)

# %% mistake="residual-added: x at the end" edits="mine"
# - return out
# + return out + x

# %% mistake="other-activation: the smaller one" edits="mine"
# - hidden = np.maximum(0, hidden)
# + hidden = np.minimum(0, hidden)

# %% mistake="missing-relu: and no b1" also="bias-ignored" edits="mine"
# - hidden = x @ W1 + b1
# - hidden = np.maximum(0, hidden)
# + hidden = x @ W1

# %% mistake="missing-relu: and x at the end" also="residual-added" edits="mine"
# - hidden = np.maximum(0, hidden)
# + pass
# - return out
# + return x + out

# %% mistake="relu-misplaced: at the end, too, and no b2" also="bias-ignored" edits="mine"
# - out = hidden @ W2 + b2
# - return out
# + out = hidden @ W2
# + return np.maximum(0, out)

# %% correct="filled in"
def feed_forward(x, W1, b1, W2, b2):
    out = np.zeros((len(x), len(b2)))
    for t in range(len(x)):
        h = x[t] @ W1 + b1
        for k in range(len(h)):
            if h[k] < 0:
                h[k] = 0
        out[t] = h @ W2 + b2
    return out

# %% mistake="last-left-out: the last token" edits="filled in"
# - for t in range(len(x)):
# + for t in range(len(x) - 1):

# %% mistake="last-left-out: the last number inside" edits="filled in"
# - for k in range(len(h)):
# + for k in range(len(h) - 1):

# %% mistake="other-activation: the size, but not of the last" also="last-left-out" edits="filled in"
# - for k in range(len(h)):
# - if h[k] < 0:
# - h[k] = 0
# + for k in range(len(h) - 1):
# +     h[k] = abs(h[k])

# %% mistake="other-activation: the smaller one, and no b2" edits="mine"
# - hidden = np.maximum(0, hidden)
# - out = hidden @ W2 + b2
# + hidden = np.minimum(0, hidden)
# + out = hidden @ W2

# %% mistake="relu-misplaced: on a matrix" edits="mine"
# - hidden = x @ W1 + b1
# - hidden = np.maximum(0, hidden)
# + hidden = x @ np.maximum(W1, 0) + b1

# %% mistake="other-activation: 1 or 0" edits="mine"
# - hidden = np.maximum(0, hidden)
# + hidden = np.where(hidden > 0, 1.0, 0.0)

# %% mistake="input-modified: W1 below 0" edits="mine"
# - hidden = x @ W1 + b1
# - hidden = np.maximum(0, hidden)
# + W1[W1 < 0] = 0
# + hidden = x @ W1 + b1

# %% mistake="residual-added: and no b1" also="bias-ignored" edits="mine"
# - hidden = x @ W1 + b1
# + hidden = x @ W1
# - return out
# + return x + out

# %% mistake="relu-misplaced: on W2, too" edits="mine"
# - out = hidden @ W2 + b2
# + out = hidden @ np.maximum(W2, 0) + b2

# %% mistake="bias-ignored: b2, and a ReLU before b1 as well" also="relu-misplaced"
def feed_forward(x, W1, b1, W2, b2):
    return np.maximum(np.maximum(x @ W1, 0) + b1, 0) @ W2

# %% mistake="relu-misplaced: before b1 alone, and at the end"
def feed_forward(x, W1, b1, W2, b2):
    h = np.maximum(0, x @ W1) + b1
    return np.maximum(h @ W2 + b2, 0)

# %% mistake="other-activation: the size" edits="mine"
# - hidden = np.maximum(0, hidden)
# + hidden = np.abs(hidden)

# %% mistake="last-left-out: a loop that is one short, and no b2" also="bias-ignored"
def feed_forward(x, W1, b1, W2, b2):
    out = np.zeros(x.shape)
    for t in range(len(x)):
        h = x[t] @ W1 + b1
        for j in range(len(h) - 1):
            if h[j] > 0:
                out[t] += h[j] * W2[j]
    return out

# %% mistake="last-left-out: the last token, and no ReLU" also="missing-relu" edits="filled in"
# - for t in range(len(x)):
# + for t in range(len(x) - 1):
# - h[k] = 0
# + pass

# %% mistake="bias-added-often: b2 in the inner loop"
def feed_forward(x, W1, b1, W2, b2):
    out = np.zeros(x.shape)
    for t in range(len(x)):
        h = np.maximum(x[t] @ W1 + b1, 0)
        for j in range(len(h)):
            out[t] += h[j] * W2[j] + b2
    return out

# %% mistake="first-round-only: return in the loop" edits="filled in"
# - return out
# +     return out

# %% mistake="other-activation: sigmoid, and x is added" also="residual-added" edits="mine"
# - hidden = np.maximum(0, hidden)
# + hidden = 1 / (1 + np.exp(-hidden))
# - return out
# + return out + x

# %% mistake="relu-misplaced: the ReLU on x" edits="mine"
# - hidden = x @ W1 + b1
# - hidden = np.maximum(0, hidden)
# + hidden = np.maximum(0, x) @ W1 + b1

# %% mistake="other-activation: 1 where 0 belongs" edits="mine"
# - hidden = np.maximum(0, hidden)
# + hidden = np.maximum(1, hidden)

# %% mistake="bias-ignored: the second" never="that always has it" edits="mine"
# - out = hidden @ W2 + b2
# + out = hidden @ W2

# %% mistake="raises: PyTorch's ReLU on an array" says="Which function of np does the same" never="works on tensors. The error says" edits="mine"
# - hidden = np.maximum(0, hidden)
# + import torch
# + hidden = torch.relu(hidden)
