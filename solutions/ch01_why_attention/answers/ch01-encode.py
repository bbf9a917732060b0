# %% setup
import math

import numpy as np
import torch
from torch import nn


# %% correct="textbook"
def encode(W_xh, W_hh, inputs):
    h = W_hh.new_zeros(W_hh.shape[0])
    for x in inputs:
        h = torch.tanh(x @ W_xh + h @ W_hh)
    return h


# %% correct="zeros on the CPU" edits="textbook"
# - h = W_hh.new_zeros(W_hh.shape[0])
# + h = torch.zeros(W_hh.shape[0])

# %% correct="new zeros" edits="textbook"
# - h = W_hh.new_zeros(W_hh.shape[0])
# + h = inputs.new_zeros(W_xh.shape[1])


# %% correct="all tokens projected at once"
def encode(W_xh, W_hh, inputs):
    projected = inputs @ W_xh
    h = torch.zeros_like(projected[0])
    for t in range(len(inputs)):
        h = (projected[t] + h @ W_hh).tanh()
    return h


# %% correct="from the first token's state on"
def encode(W_xh, W_hh, inputs):
    h = torch.tanh(inputs[0] @ W_xh)
    for x in inputs[1:]:
        h = torch.tanh(x @ W_xh + h @ W_hh)
    return h


# %% correct="rows of matrices"
def encode(W_xh, W_hh, inputs):
    h = W_hh.new_zeros(1, W_hh.size(0))
    for t in range(inputs.size(0)):
        h = torch.tanh(torch.mm(inputs[t : t + 1], W_xh) + torch.mm(h, W_hh))
    return h.squeeze(0)


# %% correct="one matrix for both"
def encode(W_xh, W_hh, inputs):
    stacked = torch.cat([W_xh, W_hh])
    h = torch.zeros_like(W_hh[0])
    for x in inputs:
        h = torch.tanh(torch.cat([x, h]) @ stacked)
    return h


# %% correct="from back to front, calling itself"
def encode(W_xh, W_hh, inputs):
    if len(inputs) == 0:
        return torch.zeros_like(W_hh[0])
    before = encode(W_xh, W_hh, inputs[:-1])
    return torch.tanh(inputs[-1] @ W_xh + before @ W_hh)


# %% correct="transposed matrices from the left"
def encode(W_xh, W_hh, inputs):
    h = torch.zeros_like(W_hh[0])
    for x in inputs:
        h = torch.tanh(W_xh.T @ x + W_hh.T @ h)
    return h


# %% correct="tanh by exponentials, einsum"
def encode(W_xh, W_hh, inputs):
    h = torch.zeros_like(W_hh[0])
    for x in inputs:
        s = torch.einsum("i,ij->j", x, W_xh) + torch.einsum("i,ij->j", h, W_hh)
        h = 2 * torch.sigmoid(2 * s) - 1
    return h


# %% correct="a list of states"
def encode(W_xh, W_hh, inputs):
    states = [W_hh.new_zeros(len(W_hh))]
    for x in inputs:
        states.append(torch.tanh(x @ W_xh + states[-1] @ W_hh))
    return states[-1]


# %% correct="prints what it does" edits="textbook"
# - return h
# + print(h)
# + return h

# %% mistake="state-not-carried" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(x @ W_xh)

# %% mistake="state-not-carried: zeros in every round" edits="textbook"
# - for x in inputs:
# + for x in inputs:
# +     h = torch.zeros_like(W_hh[0])


# %% mistake="state-not-carried: the result has another name"
def encode(W_xh, W_hh, inputs):
    h = torch.zeros_like(W_hh[0])
    for x in inputs:
        h_new = torch.tanh(x @ W_xh + h @ W_hh)
    return h_new


# %% mistake="tanh-missing" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = x @ W_xh + h @ W_hh


# %% mistake="tanh-misplaced: once, at the end"
def encode(W_xh, W_hh, inputs):
    h = torch.zeros_like(W_hh[0])
    for x in inputs:
        h = x @ W_xh + h @ W_hh
    return torch.tanh(h)


# %% mistake="tanh-misplaced: around the token alone" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(x @ W_xh) + h @ W_hh

# %% mistake="tanh-misplaced: around the state alone" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = x @ W_xh + torch.tanh(h @ W_hh)

# %% mistake="tanh-misplaced: around each alone" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(x @ W_xh) + torch.tanh(h @ W_hh)

# %% mistake="tanh-misplaced: before the product" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = x @ W_xh + torch.tanh(h) @ W_hh

# %% mistake="tanh-misplaced: once more at the end" edits="textbook"
# - return h
# + return torch.tanh(h)

# %% mistake="other-squashing: sigmoid" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.sigmoid(x @ W_xh + h @ W_hh)

# %% mistake="other-squashing: relu" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.relu(x @ W_xh + h @ W_hh)

# %% mistake="other-squashing: softmax" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.softmax(x @ W_xh + h @ W_hh, dim=-1)

# %% mistake="other-squashing: erf" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.erf(x @ W_xh + h @ W_hh)

# %% mistake="other-squashing: clamp" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.clamp(x @ W_xh + h @ W_hh, -1, 1)

# %% mistake="token-skipped: the first" edits="textbook"
# - for x in inputs:
# + for x in inputs[1:]:

# %% mistake="token-skipped: the last" edits="textbook"
# - for x in inputs:
# + for x in inputs[:-1]:

# %% mistake="token-skipped: it returns in the first round" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(x @ W_xh + h @ W_hh)
# + return h

# %% mistake="token-skipped: a range from 1" edits="all tokens projected at once"
# - for t in range(len(inputs)):
# + for t in range(1, len(inputs)):


# %% mistake="token-skipped: two steps written out"
def encode(W_xh, W_hh, inputs):
    after_first = torch.tanh(inputs[0] @ W_xh)
    return torch.tanh(inputs[1] @ W_xh + after_first @ W_hh)


# %% mistake="token-skipped: two rounds" edits="all tokens projected at once"
# - for t in range(len(inputs)):
# + for t in range(2):

# %% mistake="order-reversed" edits="textbook"
# - for x in inputs:
# + for x in inputs.flip(0):

# %% mistake="wrong-start: the first state is of ones" edits="textbook"
# - h = W_hh.new_zeros(W_hh.shape[0])
# + h = torch.ones(W_hh.shape[0])

# %% mistake="wrong-start: the first token, projected" edits="textbook"
# - h = W_hh.new_zeros(W_hh.shape[0])
# + h = inputs[0] @ W_xh

# %% mistake="wrong-start: the first token, projected, not read again" edits="textbook"
# - h = W_hh.new_zeros(W_hh.shape[0])
# - for x in inputs:
# + h = inputs[0] @ W_xh
# + for x in inputs[1:]:

# %% mistake="wrong-start: the first token itself" also="raises" edits="textbook"
# - h = W_hh.new_zeros(W_hh.shape[0])
# + h = inputs[0]

# %% mistake="unrecognized: a random start" edits="textbook"
# - h = W_hh.new_zeros(W_hh.shape[0])
# + h = torch.randn(W_hh.shape[0])


# %% mistake="states-collected" also="wrong-shape"
def encode(W_xh, W_hh, inputs):
    h, states = torch.zeros_like(W_hh[0]), []
    for x in inputs:
        h = torch.tanh(x @ W_xh + h @ W_hh)
        states.append(h)
    return torch.stack(states)


# %% mistake="states-collected: with the zeros" also="wrong-shape" edits="a list of states"
# - return states[-1]
# + return torch.stack(states)

# %% mistake="states-collected: their mean" edits="a list of states"
# - return states[-1]
# + return torch.stack(states[1:]).mean(dim=0)

# %% mistake="states-collected: their sum" edits="a list of states"
# - return states[-1]
# + return torch.stack(states[1:]).sum(dim=0)

# %% mistake="states-collected: their mean, zeros included" edits="a list of states"
# - return states[-1]
# + return torch.stack(states).mean(dim=0)

# %% mistake="token-skipped: the state before the last" edits="a list of states"
# - return states[-1]
# + return states[-2]


# %% mistake="state-not-carried: all tokens at once" also="wrong-shape"
def encode(W_xh, W_hh, inputs):
    h = torch.zeros_like(W_hh[0])
    return torch.tanh(inputs @ W_xh + h @ W_hh)


# %% mistake="old-state-added: the old state" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = h + torch.tanh(x @ W_xh + h @ W_hh)

# %% mistake="old-state-added: in place" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h += torch.tanh(x @ W_xh + h @ W_hh)

# %% mistake="state-unweighted" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(x @ W_xh + h)

# %% mistake="matrices-exchanged" also="raises" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(x @ W_hh + h @ W_xh)

# %% mistake="argument-replaced: the tokens' matrix for both" also="raises" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh((x + h) @ W_xh)

# %% mistake="argument-replaced: the state's for both" also="raises" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(x @ W_hh + h @ W_hh)

# %% mistake="matrix-turned: both" also="raises" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(W_xh @ x + W_hh @ h)

# %% mistake="matrix-turned: the tokens'" also="raises" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(x @ W_xh.T + h @ W_hh)

# %% mistake="matrix-turned: the state's" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(x @ W_xh + h @ W_hh.T)

# %% mistake="matrix-turned: the state on the right" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(x @ W_xh + W_hh @ h)

# %% mistake="elementwise-product" also="wrong-shape" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(x @ W_xh + h * W_hh)

# %% mistake="elementwise-product: with the tokens" also="raises" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(x * W_xh + h @ W_hh)

# %% mistake="not-implemented" edits="textbook"
# - h = W_hh.new_zeros(W_hh.shape[0])
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="raises: h has no value yet" edits="textbook"
# - h = W_hh.new_zeros(W_hh.shape[0])
# + pass

# %% mistake="raises: zeros of the tokens' width" edits="textbook"
# - h = W_hh.new_zeros(W_hh.shape[0])
# + h = torch.zeros(inputs.shape[1])

# %% mistake="raises: math.tanh" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = math.tanh(x @ W_xh + h @ W_hh)

# %% mistake="raises: three features" edits="textbook"
# - h = W_hh.new_zeros(W_hh.shape[0])
# + h = torch.zeros(4)

# %% mistake="wrong-type" edits="textbook"
# - return h
# + print(h)

# %% mistake="wrong-type: a list of states" edits="a list of states"
# - return states[-1]
# + return states

# %% mistake="wrong-type: two results" edits="textbook"
# - return h
# + return h, inputs

# %% mistake="wrong-shape: a row" edits="rows of matrices"
# - return h.squeeze(0)
# + return h

# %% mistake="wrong-shape: every axis of size 1 squeezed" edits="rows of matrices"
# - return h.squeeze(0)
# + return h.squeeze()

# %% mistake="wrong-shape: one number" edits="textbook"
# - return h
# + return h.sum()

# %% mistake="wrong-dtype" edits="textbook"
# - return h
# + return h.double()

# %% mistake="wrong-dtype: half" edits="textbook"
# - return h
# + return h.half()

# %% mistake="wrong-device" on="device" edits="textbook"
# - return h
# + return h.cpu()

# %% mistake="input-modified: the state is written into the tokens" edits="all tokens projected at once"
# - projected = inputs @ W_xh
# + inputs *= 0.5
# + projected = 2 * inputs @ W_xh

# %% mistake="no-gradient" edits="textbook"
# - return h
# + return h.detach()

# %% mistake="no-gradient: cut in every round" edits="textbook"
# - for x in inputs:
# + for x in inputs:
# +     h = h.detach()

# %% mistake="no-gradient: without a record" edits="textbook"
# - for x in inputs:
# -     h = torch.tanh(x @ W_xh + h @ W_hh)
# + with torch.no_grad():
# +     for x in inputs:
# +         h = torch.tanh(x @ W_xh + h @ W_hh)


# %% mistake="no-gradient: through NumPy"
def encode(W_xh, W_hh, inputs):
    W_xh, W_hh, inputs = W_xh.numpy(), W_hh.numpy(), inputs.numpy()
    h = np.zeros(len(W_hh), dtype=inputs.dtype)
    for x in inputs:
        h = np.tanh(x @ W_xh + h @ W_hh)
    return torch.from_numpy(h)


# %% mistake="no-gradient: a list of numbers"
def encode(W_xh, W_hh, inputs):
    h = torch.zeros_like(W_hh[0])
    for x in inputs:
        s = x @ W_xh + h @ W_hh
        h = torch.tensor([math.tanh(number) for number in s.tolist()], dtype=inputs.dtype)
    return h


# %% mistake="forbidden-call"
def encode(W_xh, W_hh, inputs):
    net = nn.RNN(*W_xh.shape, bias=False, dtype=inputs.dtype, device=inputs.device)
    net.weight_ih_l0.data, net.weight_hh_l0.data = W_xh.T, W_hh.T
    return net(inputs)[1][0]


# %% mistake="forbidden-call: the cell"
def encode(W_xh, W_hh, inputs):
    cell = nn.RNNCell(*W_xh.shape, bias=False, dtype=inputs.dtype, device=inputs.device)
    cell.weight_ih.data, cell.weight_hh.data = W_xh.T, W_hh.T
    h = torch.zeros_like(W_hh[0])
    for x in inputs:
        h = cell(x, h)
    return h


# %% mistake="unrecognized: half of the old state stays" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = 0.5 * h + 0.5 * torch.tanh(x @ W_xh + h @ W_hh)

# %% mistake="unrecognized: a difference" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(x @ W_xh - h @ W_hh)

# %% mistake="unrecognized: a product" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh((x @ W_xh) * (h @ W_hh))


# %% correct="one step a line"
def encode(W_xh, W_hh, inputs):
    h = W_hh.new_zeros(W_hh.shape[0])
    for x in inputs:
        token = x @ W_xh
        memory = h @ W_hh
        total = token + memory
        h = torch.tanh(total)
    return h


# %% mistake="tanh-missing: step by step" edits="one step a line"
# - h = torch.tanh(total)
# + h = total

# %% mistake="state-not-carried: step by step" edits="one step a line"
# - memory = h @ W_hh
# + memory = torch.zeros_like(h)

# %% mistake="state-unweighted: step by step" edits="one step a line"
# - memory = h @ W_hh
# + memory = h

# %% mistake="matrix-turned: the state's, step by step" edits="one step a line"
# - memory = h @ W_hh
# + memory = W_hh @ h

# %% mistake="matrix-turned: the tokens', step by step" also="raises" edits="one step a line"
# - token = x @ W_xh
# + token = W_xh @ x

# %% mistake="token-skipped: the first, step by step" edits="one step a line"
# - for x in inputs:
# + for x in inputs[1:]:

# %% mistake="token-skipped: the last, step by step" edits="one step a line"
# - for x in inputs:
# + for x in inputs[:-1]:

# %% mistake="order-reversed: step by step" edits="one step a line"
# - for x in inputs:
# + for x in reversed(inputs):

# %% mistake="wrong-start: ones, step by step" edits="one step a line"
# - h = W_hh.new_zeros(W_hh.shape[0])
# + h = W_hh.new_ones(W_hh.shape[0])

# %% mistake="other-squashing: sigmoid, step by step" edits="one step a line"
# - h = torch.tanh(total)
# + h = torch.sigmoid(total)

# %% mistake="other-squashing: relu, step by step" edits="one step a line"
# - h = torch.tanh(total)
# + h = torch.relu(total)

# %% mistake="old-state-added: step by step" edits="one step a line"
# - h = torch.tanh(total)
# + h = h + torch.tanh(total)

# %% mistake="tanh-misplaced: once more at the end, step by step" edits="one step a line"
# - return h
# + return torch.tanh(h)

# %% mistake="token-skipped: the second" edits="from the first token's state on"
# - for x in inputs[1:]:
# + for x in inputs[2:]:

# %% mistake="written-in-place: number by number" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + for j in range(len(h)):
# +     h[j] = torch.tanh(x @ W_xh[:, j] + h @ W_hh[:, j])

# %% mistake="wrong-start: the first token's state, and the first token again" edits="one step a line"
# - h = W_hh.new_zeros(W_hh.shape[0])
# + h = torch.tanh(inputs[0] @ W_xh)

# %% mistake="tanh-misplaced: around each alone, and around both" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(torch.tanh(x @ W_xh) + torch.tanh(h @ W_hh))

# %% mistake="tanh-misplaced: before the matrix of the state" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(x @ W_xh + h) @ W_hh

# %% mistake="tanh-misplaced: around the token alone, step by step" edits="one step a line"
# - token = x @ W_xh
# + token = torch.tanh(x @ W_xh)
# - h = torch.tanh(total)
# + h = total

# %% mistake="tanh-misplaced: once, at the end, step by step" edits="one step a line"
# - h = torch.tanh(total)
# + h = total
# - return h
# + return torch.tanh(h)

# %% mistake="token-skipped: as many rounds as features" edits="all tokens projected at once"
# - for t in range(len(inputs)):
# + for t in range(inputs.shape[1]):

# %% mistake="size-written-in: three tokens" edits="all tokens projected at once"
# - for t in range(len(inputs)):
# + for t in range(3):

# %% mistake="size-written-in: four tokens" edits="all tokens projected at once"
# - for t in range(len(inputs)):
# + for t in range(4):

# %% mistake="size-written-in: six tokens" also="raises" edits="all tokens projected at once"
# - for t in range(len(inputs)):
# + for t in range(6):

# %% mistake="order-reversed: counted from the end, from 0 on" edits="all tokens projected at once"
# - h = (projected[t] + h @ W_hh).tanh()
# + h = (projected[-t] + h @ W_hh).tanh()

# %% mistake="order-reversed: the first token comes last" edits="all tokens projected at once"
# - h = (projected[t] + h @ W_hh).tanh()
# + h = (projected[t - 1] + h @ W_hh).tanh()


# %% mistake="unrecognized: the state of two tokens before"
def encode(W_xh, W_hh, inputs):
    before = torch.zeros_like(W_hh[0])
    h = torch.zeros_like(W_hh[0])
    for x in inputs:
        new = torch.tanh(x @ W_xh + before @ W_hh)
        before, h = h, new
    return h


# %% mistake="tanh-misplaced: once more around the state's product" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(x @ W_xh + torch.tanh(h @ W_hh))

# %% mistake="tanh-misplaced: once more around the token's product" edits="textbook"
# - h = torch.tanh(x @ W_xh + h @ W_hh)
# + h = torch.tanh(torch.tanh(x @ W_xh) + h @ W_hh)

# %% mistake="tanh-misplaced: once more around the state's product, step by step" edits="one step a line"
# - memory = h @ W_hh
# + memory = torch.tanh(h @ W_hh)

# %% mistake="tanh-misplaced: at the end, old state" also="old-state-added" edits="one step a line"
# - h = torch.tanh(total)
# + h = h + total
# - return h
# + return torch.tanh(h)

# %% mistake="tanh-missing: and the old state added" also="old-state-added" edits="one step a line"
# - h = torch.tanh(total)
# + h = h + total

# %% mistake="last-left-out: of the state, step by step" edits="one step a line"
# - memory = h @ W_hh
# + memory = h[:-1] @ W_hh[:-1]

# %% mistake="first-left-out: of the state, step by step" edits="one step a line"
# - memory = h @ W_hh
# + memory = h[1:] @ W_hh[1:]

# %% mistake="last-left-out: of the features, step by step" edits="one step a line"
# - token = x @ W_xh
# + token = x[:-1] @ W_xh[:-1]

# %% mistake="first-left-out: of the features, step by step" edits="one step a line"
# - token = x @ W_xh
# + token = x[1:] @ W_xh[1:]

# %% mistake="tanh-missing: states collected" also="states-collected wrong-shape" edits="a list of states"
# - states.append(torch.tanh(x @ W_xh + states[-1] @ W_hh))
# + states.append(x @ W_xh + states[-1] @ W_hh)
# - return states[-1]
# + return torch.stack(states[1:])

# %% mistake="tanh-missing: their mean" also="states-collected" edits="a list of states"
# - states.append(torch.tanh(x @ W_xh + states[-1] @ W_hh))
# + states.append(x @ W_xh + states[-1] @ W_hh)
# - return states[-1]
# + return torch.stack(states[1:]).mean(dim=0)

# %% mistake="token-skipped: the last, states" also="states-collected wrong-shape" edits="a list of states"
# - for x in inputs:
# + for x in inputs[:-1]:
# - return states[-1]
# + return torch.stack(states[1:])


# %% mistake="state-not-renewed"
def encode(W_xh, W_hh, inputs):
    first = torch.tanh(inputs[0] @ W_xh)
    h = first
    for x in inputs[1:]:
        h = torch.tanh(x @ W_xh + first @ W_hh)
    return h


# %% mistake="state-not-renewed: and the first token again"
def encode(W_xh, W_hh, inputs):
    first = torch.tanh(inputs[0] @ W_xh)
    for x in inputs:
        h = torch.tanh(x @ W_xh + first @ W_hh)
    return h


# %% mistake="one-step-back"
def encode(W_xh, W_hh, inputs):
    h = torch.tanh(inputs[0] @ W_xh)
    for t in range(1, len(inputs)):
        before = torch.tanh(inputs[t - 1] @ W_xh)
        h = torch.tanh(inputs[t] @ W_xh + before @ W_hh)
    return h


# %% mistake="one-step-back: without a tanh of its own" also="tanh-missing"
def encode(W_xh, W_hh, inputs):
    h = torch.tanh(inputs[0] @ W_xh)
    for t in range(1, len(inputs)):
        h = torch.tanh(inputs[t] @ W_xh + inputs[t - 1] @ W_xh @ W_hh)
    return h


# %% mistake="state-not-carried: its own token, twice"
def encode(W_xh, W_hh, inputs):
    states = torch.tanh(inputs @ W_xh)
    states = torch.tanh(inputs @ W_xh + states @ W_hh)
    return states[-1]


# %% correct="number by number"
def encode(W_xh, W_hh, inputs):
    h = [W_hh.new_zeros(()) for _ in range(len(W_hh))]
    for x in inputs:
        new = []
        for j in range(len(W_hh)):
            total = W_hh.new_zeros(())
            for i in range(len(x)):
                total = total + x[i] * W_xh[i, j]
            for k in range(len(h)):
                total = total + h[k] * W_hh[k, j]
            new.append(torch.tanh(total))
        h = new
    return torch.stack(h)


# %% mistake="state-not-renewed: of two tokens or more"
def encode(W_xh, W_hh, inputs):
    first = torch.tanh(inputs[0] @ W_xh)
    for t in range(1, len(inputs)):
        h = torch.tanh(inputs[t] @ W_xh + first @ W_hh)
    return h
