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

# %% mistake="old-state-added: +=" never="An input is added" edits="mine"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h += torch.tanh(x @ W_xh + h @ W_hh)

# %% mistake="written-in-place: number by number" edits="mine"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + for j in range(len(h)):
# +     h[j] = torch.tanh(x @ W_xh[:, j] + h @ W_hh[:, j])

# %% mistake="wrong-start: the first token twice" edits="mine"
# - h = torch.zeros(W_hh.shape[0])
# + h = torch.tanh(inputs[0] @ W_xh)

# %% mistake="other-squashing: and ones" also="wrong-start" edits="mine"
# - h = torch.zeros(W_hh.shape[0])
# + h = torch.ones(W_hh.shape[0])
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.sigmoid(x @ W_xh + h @ W_hh)

# %% mistake="order-reversed: and no matrix" also="state-unweighted"
def encode(W_xh, W_hh, inputs):
    h = torch.zeros(W_hh.shape[0])
    for t in range(len(inputs) - 1, -1, -1):
        h = torch.tanh(inputs[t] @ W_xh + h)
    return h

# %% mistake="tanh-missing: and one too early" also="token-skipped"
def encode(W_xh, W_hh, inputs):
    h = torch.zeros(W_hh.shape[0])
    for t in range(len(inputs) - 1):
        h = inputs[t] @ W_xh + h @ W_hh
    return h

# %% mistake="tanh-misplaced: three times" edits="mine"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(torch.tanh(x @ W_xh) + torch.tanh(h @ W_hh))

# %% mistake="tanh-misplaced: the matrix after it" edits="mine"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(x @ W_xh + h) @ W_hh

# %% mistake="tanh-misplaced: at the end" edits="mine"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = x @ W_xh + h @ W_hh
# - return h
# + return torch.tanh(h)

# %% mistake="token-skipped: as many rounds as features"
def encode(W_xh, W_hh, inputs):
    h = torch.zeros(W_hh.shape[0])
    for t in range(inputs.shape[1]):
        h = torch.tanh(inputs[t] @ W_xh + h @ W_hh)
    return h

# %% mistake="size-written-in: three rounds"
def encode(W_xh, W_hh, inputs):
    h = torch.zeros(W_hh.shape[0])
    for t in range(3):
        h = torch.tanh(inputs[t] @ W_xh + h @ W_hh)
    return h

# %% mistake="token-skipped: the list has one state more" says="has the state read that you return"
def encode(W_xh, W_hh, inputs):
    hs = [W_hh.new_zeros(len(W_hh))]
    for x in inputs:
        hs.append(torch.tanh(x @ W_xh + hs[-1] @ W_hh))
    return hs[len(inputs) - 1]

# %% mistake="state-not-carried: always the first of the list"
def encode(W_xh, W_hh, inputs):
    hs = [W_hh.new_zeros(len(W_hh))]
    for x in inputs:
        hs.append(torch.tanh(x @ W_xh + hs[0] @ W_hh))
    return hs[-1]

# %% mistake="order-reversed: a minus in the index"
def encode(W_xh, W_hh, inputs):
    h = W_hh.new_zeros(len(W_hh))
    for t in range(len(inputs)):
        h = torch.tanh(inputs[-t] @ W_xh + h @ W_hh)
    return h

# %% mistake="unrecognized: a minus" edits="mine"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(x @ W_xh - h @ W_hh)

# %% mistake="unrecognized: a product" edits="mine"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh((x @ W_xh) * (h @ W_hh))

# %% mistake="unrecognized: the state of two tokens before"
def encode(W_xh, W_hh, inputs):
    h = torch.zeros(W_hh.shape[0])
    prev = torch.zeros(W_hh.shape[0])
    for x in inputs:
        new = torch.tanh(x @ W_xh + prev @ W_hh)
        prev = h
        h = new
    return h

# %% mistake="no-gradient: states in a table" says="writes into a tensor that something was computed from"
def encode(W_xh, W_hh, inputs):
    states = W_hh.new_zeros(len(inputs) + 1, len(W_hh))
    for t in range(len(inputs)):
        states[t + 1] = torch.tanh(inputs[t] @ W_xh + states[t] @ W_hh)
    return states[len(inputs)]

# %% mistake="raises: one round too many" says="How many places"
def encode(W_xh, W_hh, inputs):
    t = 0
    h = W_hh.new_zeros(len(W_hh))
    while t <= len(inputs):
        h = torch.tanh(inputs[t] @ W_xh + h @ W_hh)
        t += 1
    return h

# %% mistake="tanh-misplaced: at the end, and added up" also="old-state-added"
def encode(W_xh, W_hh, inputs):
    h = torch.zeros(W_hh.shape[0])
    for x in inputs:
        h = h + x @ W_xh + h @ W_hh
    return torch.tanh(h)

# %% mistake="state-not-renewed: that of the first token"
def encode(W_xh, W_hh, inputs):
    first = torch.tanh(inputs[0] @ W_xh)
    for t in range(1, len(inputs)):
        h = torch.tanh(inputs[t] @ W_xh + first @ W_hh)
    return h

# %% mistake="one-step-back: the token before, not the state before"
def encode(W_xh, W_hh, inputs):
    h = torch.tanh(inputs[0] @ W_xh)
    for t in range(1, len(inputs)):
        before = torch.tanh(inputs[t - 1] @ W_xh)
        h = torch.tanh(inputs[t] @ W_xh + before @ W_hh)
    return h

# %% mistake="tanh-misplaced: around the state, too" edits="mine"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(x @ W_xh + torch.tanh(h @ W_hh))

# %% mistake="last-left-out: of the state"
def encode(W_xh, W_hh, inputs):
    n = W_hh.shape[0]
    h = [torch.tensor(0.0)] * n
    for x in inputs:
        new = []
        for j in range(n):
            s = 0
            for f in range(len(x)):
                s = s + x[f] * W_xh[f][j]
            for k in range(n - 1):
                s = s + h[k] * W_hh[k][j]
            new.append(torch.tanh(s))
        h = new
    return torch.stack(h)

# %% mistake="states-collected: and no tanh" also="tanh-missing"
def encode(W_xh, W_hh, inputs):
    h = torch.zeros(W_hh.shape[0])
    states = []
    for x in inputs:
        h = x @ W_xh + h @ W_hh
        states.append(h)
    return torch.stack(states)

# %% mistake="states-collected: all but the last" also="token-skipped"
def encode(W_xh, W_hh, inputs):
    h = torch.zeros(W_hh.shape[0])
    s = []
    for t in range(len(inputs) - 1):
        h = torch.tanh(inputs[t] @ W_xh + h @ W_hh)
        s.append(h)
    return torch.stack(s)

# %% mistake="tanh-missing: and a mean of states" also="states-collected"
def encode(W_xh, W_hh, inputs):
    h = torch.zeros(W_hh.shape[0])
    s = torch.zeros(W_hh.shape[0])
    for x in inputs:
        h = x @ W_xh + h @ W_hh
        s = s + h
    return s / len(inputs)
