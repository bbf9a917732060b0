# %% setup
import math

import torch

# %% correct="mine"
def encode(W_xh, W_hh, inputs):
    h = torch.zeros(W_hh.shape[0])
    for x in inputs:
        h = torch.tanh(x @ W_xh + h @ W_hh)
    return h

# %% correct="the first step apart, for the zeros add nothing"
def encode(W_xh, W_hh, inputs):
    h = torch.tanh(inputs[0] @ W_xh)
    for t in range(1, len(inputs)):
        h = torch.tanh(inputs[t] @ W_xh + h @ W_hh)
    return h

# %% mistake="tanh-missing" edits="mine"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = x @ W_xh + h @ W_hh

# %% mistake="token-skipped: return in the loop" edits="mine"
# - return h
# +     return h

# %% mistake="tanh-misplaced: around the token alone" edits="mine"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(x @ W_xh) + h @ W_hh

# %% mistake="matrix-turned: W @ x, as in many books" edits="mine"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(W_xh @ x + W_hh @ h)

# %% mistake="raises: zeros of d_in" edits="mine"
# - h = torch.zeros(W_hh.shape[0])
# + h = torch.zeros(inputs.shape[1])

# %% mistake="state-not-carried: made anew in every round" edits="mine"
# - h = torch.zeros(W_hh.shape[0])
# - for x in inputs:
# + for x in inputs:
# +     h = torch.zeros(W_hh.shape[0])

# %% mistake="states-collected: all of them" edits="mine"
# - h = torch.zeros(W_hh.shape[0])
# + h = torch.zeros(W_hh.shape[0])
# + all_states = []
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(x @ W_xh + h @ W_hh)
# + all_states.append(h)
# - return h
# + return torch.stack(all_states)

# %% mistake="raises: a width written out" edits="mine"
# - h = torch.zeros(W_hh.shape[0])
# + h = torch.zeros(4)

# %% mistake="matrix-turned: the state on the right" edits="mine"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(x @ W_xh + W_hh @ h)

# %% mistake="elementwise-product" edits="mine"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(x @ W_xh + h * W_hh)

# %% mistake="raises: math.tanh of a vector" edits="mine"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = math.tanh(x @ W_xh + h @ W_hh)

# %% mistake="states-collected: added up" edits="mine"
# - h = torch.zeros(W_hh.shape[0])
# + h = torch.zeros(W_hh.shape[0])
# + total = 0
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(x @ W_xh + h @ W_hh)
# + total = total + h
# - return h
# + return total

# %% mistake="token-skipped: the first is the start, and the loop skips one more"
def encode(W_xh, W_hh, inputs):
    h = torch.tanh(inputs[0] @ W_xh)
    for t in range(2, len(inputs)):
        h = torch.tanh(inputs[t] @ W_xh + h @ W_hh)
    return h

# %% mistake="token-skipped: the loop ends one too early"
def encode(W_xh, W_hh, inputs):
    h = torch.zeros(len(W_hh))
    for t in range(len(inputs) - 1):
        h = torch.tanh(inputs[t] @ W_xh + h @ W_hh)
    return h

# %% mistake="tanh-missing: and the state's matrix turned" also="matrix-turned" edits="mine"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = x @ W_xh + W_hh @ h

# %% mistake="tanh-missing: and the order" also="order-reversed"
def encode(W_xh, W_hh, inputs):
    state = torch.zeros_like(W_hh[0])
    for t in range(len(inputs) - 1, -1, -1):
        state = inputs[t] @ W_xh + state @ W_hh
    return state

# %% mistake="state-unweighted: and no tanh" also="tanh-missing"
def encode(W_xh, W_hh, inputs):
    state = torch.zeros_like(W_hh[0])
    for t in range(len(inputs)):
        state = state + inputs[t] @ W_xh
    return state

# %% mistake="other-squashing: and the first token left out" also="token-skipped"
def encode(W_xh, W_hh, inputs):
    state = torch.zeros_like(W_hh[0])
    for token in inputs[1:]:
        state = (token @ W_xh + state @ W_hh).sigmoid()
    return state

# %% mistake="wrong-start: and the state's matrix turned" also="matrix-turned"
def encode(W_xh, W_hh, inputs):
    state = torch.ones_like(W_hh[0])
    for token in inputs:
        state = torch.tanh(token @ W_xh + W_hh @ state)
    return state

# %% mistake="state-not-carried: and no tanh"
def encode(W_xh, W_hh, inputs):
    for token in inputs:
        state = token @ W_xh
    return state
