# %% setup
import numpy as np
import torch


def encode(W_xh, W_hh, inputs):
    h = torch.zeros_like(W_hh[0])
    for x in inputs:
        h = torch.tanh(x @ W_xh + h @ W_hh)
    return h


# %% correct="textbook"
def influence(W_xh, W_hh, inputs):
    watched = inputs.detach().clone().requires_grad_()
    last = encode(W_xh, W_hh, watched)
    number = last.sum()
    number.backward()
    sizes = watched.grad.norm(dim=1)
    return sizes


# %% correct="torch.autograd.grad"
def influence(W_xh, W_hh, inputs):
    watched = inputs.clone().requires_grad_(True)
    (gradient,) = torch.autograd.grad(encode(W_xh, W_hh, watched).sum(), watched)
    return gradient.square().sum(dim=-1).sqrt()


# %% correct="token by token"
def influence(W_xh, W_hh, inputs):
    sizes = []
    for t in range(len(inputs)):
        watched = inputs.clone()
        watched.requires_grad = True
        encode(W_xh, W_hh, watched).sum().backward()
        sizes.append(torch.linalg.norm(watched.grad[t]))
    return torch.stack(sizes)


# %% correct="the rows as leaves of their own"
def influence(W_xh, W_hh, inputs):
    rows = [row.clone().requires_grad_() for row in inputs]
    encode(W_xh, W_hh, torch.stack(rows)).sum().backward()
    return torch.stack([row.grad.norm() for row in rows])


# %% correct="backward with ones"
def influence(W_xh, W_hh, inputs):
    watched = inputs.clone().requires_grad_()
    last = encode(W_xh, W_hh, watched)
    last.backward(torch.ones_like(last))
    return (watched.grad**2).sum(1) ** 0.5


# %% correct="the Jacobian, its rows added up"
def influence(W_xh, W_hh, inputs):
    jacobian = torch.autograd.functional.jacobian(lambda x: encode(W_xh, W_hh, x), inputs)  # (d_h, T, d_in)
    return jacobian.sum(dim=0).norm(dim=-1)


# %% correct="the chain rule by hand"
def influence(W_xh, W_hh, inputs):
    states = [torch.zeros_like(W_hh[0])]
    for x in inputs:
        states.append(torch.tanh(x @ W_xh + states[-1] @ W_hh))
    way_back, sizes = torch.ones_like(W_hh[0]), []
    for h in reversed(states[1:]):
        inside = way_back * (1 - h**2)
        sizes.append((W_xh @ inside).norm())
        way_back = W_hh @ inside
    return torch.stack(sizes[::-1])


# %% correct="each number moved a little, in float64"
def influence(W_xh, W_hh, inputs):
    A, B, x = W_xh.double(), W_hh.double(), inputs.double()
    gradient, step = torch.zeros_like(x), 1e-5
    for t in range(x.shape[0]):
        for f in range(x.shape[1]):
            moved = torch.zeros_like(x)
            moved[t, f] = step
            gradient[t, f] = (encode(A, B, x + moved).sum() - encode(A, B, x - moved).sum()) / (2 * step)
    return gradient.norm(dim=1).to(inputs.dtype)


# %% correct="copied by torch.tensor" edits="textbook"
# - watched = inputs.detach().clone().requires_grad_()
# + watched = torch.tensor(inputs.tolist(), dtype=inputs.dtype, requires_grad=True)

# %% correct="in place on its own gradient" edits="textbook"
# - sizes = watched.grad.norm(dim=1)
# + sizes = watched.grad.pow_(2).sum(dim=1).sqrt_()

# %% correct="from plain numbers" edits="the rows as leaves of their own"
# - return torch.stack([row.grad.norm() for row in rows])
# + return torch.tensor([row.grad.norm().item() for row in rows])

# %% mistake="returns-gradient" also="wrong-shape" edits="textbook"
# - sizes = watched.grad.norm(dim=1)
# + sizes = watched.grad

# %% mistake="gradient-size-unlike-norm: a plain sum" edits="textbook"
# - sizes = watched.grad.norm(dim=1)
# + sizes = watched.grad.sum(dim=1)

# %% mistake="gradient-size-unlike-norm: absolute values" edits="textbook"
# - sizes = watched.grad.norm(dim=1)
# + sizes = watched.grad.abs().sum(dim=1)

# %% mistake="gradient-size-unlike-norm: a mean" edits="textbook"
# - sizes = watched.grad.norm(dim=1)
# + sizes = watched.grad.mean(dim=1)

# %% mistake="gradient-size-unlike-norm: mean absolute value" edits="textbook"
# - sizes = watched.grad.norm(dim=1)
# + sizes = watched.grad.abs().mean(dim=1)

# %% mistake="gradient-size-unlike-norm: size of the sum" edits="textbook"
# - sizes = watched.grad.norm(dim=1)
# + sizes = watched.grad.sum(dim=1).abs()

# %% mistake="gradient-size-unlike-norm: the largest" edits="textbook"
# - sizes = watched.grad.norm(dim=1)
# + sizes = watched.grad.abs().amax(dim=1)

# %% mistake="gradient-size-unlike-norm: the root forgotten" edits="textbook"
# - sizes = watched.grad.norm(dim=1)
# + sizes = watched.grad.square().sum(dim=1)

# %% mistake="gradient-size-unlike-norm: the mean of the squares" edits="textbook"
# - sizes = watched.grad.norm(dim=1)
# + sizes = watched.grad.square().mean(dim=1).sqrt()

# %% mistake="gradient-size-unlike-norm: the norm's first number is its order" edits="textbook"
# - sizes = watched.grad.norm(dim=1)
# + sizes = watched.grad.norm(1, dim=1)

# %% mistake="norm-over-tokens" also="wrong-shape" edits="textbook"
# - sizes = watched.grad.norm(dim=1)
# + sizes = watched.grad.norm(dim=0)

# %% mistake="norm-over-tokens: over everything" also="wrong-shape" edits="textbook"
# - sizes = watched.grad.norm(dim=1)
# + sizes = watched.grad.norm()

# %% mistake="norm-over-tokens: the axis in the place of the order" also="wrong-shape" edits="textbook"
# - sizes = watched.grad.norm(dim=1)
# + sizes = watched.grad.norm(1)

# %% mistake="gradient-of-another-number: the mean" edits="textbook"
# - number = last.sum()
# + number = last.mean()

# %% mistake="gradient-of-another-number: the norm" edits="textbook"
# - number = last.sum()
# + number = last.norm()

# %% mistake="gradient-of-another-number: one feature" edits="textbook"
# - number = last.sum()
# + number = last[0]

# %% mistake="gradient-of-another-number: the last feature" edits="textbook"
# - number = last.sum()
# + number = last[-1]

# %% mistake="gradient-of-another-number: the largest" edits="textbook"
# - number = last.sum()
# + number = last.max()

# %% mistake="gradient-of-another-number: squares" edits="textbook"
# - number = last.sum()
# + number = last.square().sum()

# %% mistake="gradient-of-another-number: absolute values" edits="textbook"
# - number = last.sum()
# + number = last.abs().sum()


# %% mistake="gradient-of-another-number: all states"
def influence(W_xh, W_hh, inputs):
    watched = inputs.clone().requires_grad_()
    h, total = torch.zeros_like(W_hh[0]), 0.0
    for x in watched:
        h = torch.tanh(x @ W_xh + h @ W_hh)
        total = total + h.sum()
    total.backward()
    return watched.grad.norm(dim=1)


# %% mistake="gradients-pile-up: one feature after the other"
def influence(W_xh, W_hh, inputs):
    watched = inputs.clone().requires_grad_()
    last = encode(W_xh, W_hh, watched)
    sizes = []
    for feature in last:
        feature.backward(retain_graph=True)
        sizes.append(watched.grad.norm(dim=1))
    return torch.stack(sizes).sum(dim=0)


# %% mistake="gradients-pile-up: one token after the other"
def influence(W_xh, W_hh, inputs):
    watched = inputs.clone().requires_grad_()
    sizes = []
    for t in range(len(inputs)):
        encode(W_xh, W_hh, watched).sum().backward()
        sizes.append(watched.grad[t].norm())
    return torch.stack(sizes)


# %% mistake="gradients-pile-up: twice" edits="textbook"
# - number.backward()
# + number.backward(retain_graph=True)
# + number.backward()


# %% mistake="norms-added-up"
def influence(W_xh, W_hh, inputs):
    total = 0.0
    for feature in range(W_hh.shape[0]):
        watched = inputs.clone().requires_grad_()
        encode(W_xh, W_hh, watched)[feature].backward()
        total = total + watched.grad.norm(dim=1)
    return total


# %% mistake="norms-added-up: the norm of the whole Jacobian" edits="the Jacobian, its rows added up"
# - return jacobian.sum(dim=0).norm(dim=-1)
# + return jacobian.norm(dim=(0, 2))


# %% mistake="state-not-carried: each state alone"
def influence(W_xh, W_hh, inputs):
    watched = inputs.clone().requires_grad_()
    h = torch.zeros_like(W_hh[0])
    for x in watched:
        h = torch.tanh(x @ W_xh + h.detach() @ W_hh)
    h.sum().backward()
    return watched.grad.norm(dim=1)


# %% mistake="tokens-apart"
def influence(W_xh, W_hh, inputs):
    watched = inputs.clone().requires_grad_()
    for row in watched:
        encode(W_xh, W_hh, row[None]).sum().backward()
    return watched.grad.norm(dim=1)


# %% mistake="order-reversed" edits="textbook"
# - return sizes
# + return sizes.flip(0)

# %% mistake="order-reversed: the chain rule's way back" edits="the chain rule by hand"
# - return torch.stack(sizes[::-1])
# + return torch.stack(sizes)


# %% mistake="states-instead-of-tokens"
def influence(W_xh, W_hh, inputs):
    h, states = torch.zeros_like(W_hh[0]), []
    for x in inputs:
        h = torch.tanh(x @ W_xh + h @ W_hh).requires_grad_()
        h.retain_grad()
        states.append(h)
    h.sum().backward()
    return torch.stack([state.grad.norm() for state in states])


# %% mistake="tanh-missing: on the way back" edits="the chain rule by hand"
# - inside = way_back * (1 - h**2)
# + inside = way_back

# %% mistake="matrices-exchanged" also="raises" edits="textbook"
# - last = encode(W_xh, W_hh, watched)
# + last = encode(W_hh, W_xh, watched)

# %% mistake="wrong-shape: the gradient of a matrix" edits="textbook"
# - watched = inputs.detach().clone().requires_grad_()
# - last = encode(W_xh, W_hh, watched)
# + watched = W_xh.clone().requires_grad_()
# + last = encode(watched, W_hh, inputs)

# %% mistake="wrong-shape: the first token alone" edits="textbook"
# - sizes = watched.grad.norm(dim=1)
# + sizes = watched.grad[0].norm()

# %% mistake="wrong-shape: a column" edits="textbook"
# - sizes = watched.grad.norm(dim=1)
# + sizes = watched.grad.norm(dim=1, keepdim=True)

# %% mistake="wrong-shape: every axis of size 1 squeezed" edits="textbook"
# - sizes = watched.grad.norm(dim=1)
# + sizes = watched.grad.norm(dim=1).squeeze()

# %% mistake="gradient-left" edits="textbook"
# - watched = inputs.detach().clone().requires_grad_()
# + watched = inputs.requires_grad_()

# %% mistake="gradient-left: detached, not copied, and flagged" edits="textbook"
# - watched = inputs.detach().clone().requires_grad_()
# + inputs.requires_grad = True
# + watched = inputs

# %% mistake="input-modified: the norm in place" edits="torch.autograd.grad"
# - watched = inputs.clone().requires_grad_(True)
# + inputs += 0.001
# + watched = (inputs - 0.001).requires_grad_(True)

# %% mistake="not-implemented" edits="textbook"
# - watched = inputs.detach().clone().requires_grad_()
# + raise NotImplementedError("Write your answer here, then delete this line.")


# %% mistake="stub-called"
def encode(W_xh, W_hh, inputs):
    raise NotImplementedError("Write your answer here, then delete this line.")


def influence(W_xh, W_hh, inputs):
    watched = inputs.clone().requires_grad_()
    encode(W_xh, W_hh, watched).sum().backward()
    return watched.grad.norm(dim=1)


# %% mistake="raises: nothing is watched" edits="textbook"
# - watched = inputs.detach().clone().requires_grad_()
# + watched = inputs.clone()

# %% mistake="raises: the way back from a vector" edits="textbook"
# - number = last.sum()
# + number = last

# %% mistake="raises: no backward" edits="textbook"
# - number.backward()
# + pass

# %% mistake="raises: watched before the copy" edits="textbook"
# - watched = inputs.detach().clone().requires_grad_()
# + watched = inputs.detach().requires_grad_().clone()

# %% mistake="raises: a number taken out" edits="textbook"
# - number = last.sum()
# + number = torch.tensor(last.sum().item())

# %% mistake="raises: the inputs went in, not the copy" edits="textbook"
# - last = encode(W_xh, W_hh, watched)
# + last = encode(W_xh, W_hh, inputs)

# %% mistake="raises: detached states" edits="textbook"
# - last = encode(W_xh, W_hh, watched)
# + last = encode(W_xh, W_hh, watched).detach()

# %% mistake="wrong-type" edits="textbook"
# - return sizes
# + print(sizes)

# %% mistake="wrong-type: what backward returns" edits="textbook"
# - number.backward()
# - sizes = watched.grad.norm(dim=1)
# + sizes = number.backward()

# %% mistake="wrong-type: a list" edits="token by token"
# - return torch.stack(sizes)
# + return sizes

# %% mistake="wrong-dtype" edits="textbook"
# - return sizes
# + return sizes.double()

# %% mistake="wrong-device" on="device" edits="textbook"
# - return sizes
# + return sizes.cpu()

# %% mistake="sizes-divided: shares" edits="textbook"
# - return sizes
# + return sizes / sizes.sum()

# %% mistake="gradient-times-token: of the watched gradient" edits="textbook"
# - sizes = watched.grad.norm(dim=1)
# + sizes = (watched.grad * inputs).norm(dim=1)

# %% mistake="argument-watched" edits="torch.autograd.grad"
# - watched = inputs.clone().requires_grad_(True)
# + watched = inputs.requires_grad_(True)

# %% mistake="sizes-divided: by the largest" edits="textbook"
# - return sizes
# + return sizes / sizes.max()


# %% mistake="gradient-of-another-number: the state after each token"
def influence(W_xh, W_hh, inputs):
    sizes = []
    for t in range(len(inputs)):
        watched = inputs[: t + 1].clone().requires_grad_()
        encode(W_xh, W_hh, watched).sum().backward()
        sizes.append(watched.grad[t].norm())
    return torch.stack(sizes)


# %% mistake="gradients-pile-up: and no root" also="gradient-size-unlike-norm"
def influence(W_xh, W_hh, inputs):
    watched = inputs.clone().requires_grad_()
    sizes = []
    for t in range(len(inputs)):
        encode(W_xh, W_hh, watched).sum().backward()
        sizes.append(watched.grad[t].square().sum())
    return torch.stack(sizes)


# %% mistake="order-reversed: before the net reads them" edits="textbook"
# - watched = inputs.detach().clone().requires_grad_()
# + watched = inputs.detach().flip(0).requires_grad_()

# %% mistake="gradient-of-another-number: mean, no root" also="gradient-size-unlike-norm" edits="textbook"
# - number = last.sum()
# - number.backward()
# - sizes = watched.grad.norm(dim=1)
# + number = last.mean()
# + number.backward()
# + sizes = watched.grad.square().sum(dim=1)

# %% mistake="gradient-of-another-number: one number" also="gradient-size-unlike-norm" edits="textbook"
# - number = last.sum()
# - number.backward()
# - sizes = watched.grad.norm(dim=1)
# + number = last[-1]
# + number.backward()
# + sizes = watched.grad.square().sum(dim=1)


# %% correct="filled, token by token"
def influence(W_xh, W_hh, inputs):
    watched = inputs.clone().requires_grad_()
    encode(W_xh, W_hh, watched).sum().backward()
    sizes = inputs.new_zeros(len(inputs))
    for t in range(len(inputs)):
        sizes[t] = watched.grad[t].norm()
    return sizes


# %% mistake="tokens-measured" edits="textbook"
# - sizes = watched.grad.norm(dim=1)
# + sizes = inputs.norm(dim=1)


# %% correct="one step a line"
def influence(W_xh, W_hh, inputs):
    tokens = inputs.detach().clone()
    watched = tokens.requires_grad_()
    last = encode(W_xh, W_hh, watched)
    number = last.sum()
    number.backward()
    gradient = watched.grad
    squares = gradient**2
    sums = squares.sum(dim=1)
    sizes = sums.sqrt()
    result = sizes
    return result


# %% mistake="gradient-size-unlike-norm: a plain sum, a step" edits="one step a line"
# - squares = gradient**2
# - sums = squares.sum(dim=1)
# - sizes = sums.sqrt()
# + sizes = gradient.sum(dim=1)

# %% mistake="gradient-size-unlike-norm: absolute values, a step" edits="one step a line"
# - squares = gradient**2
# - sums = squares.sum(dim=1)
# - sizes = sums.sqrt()
# + sizes = gradient.abs().sum(dim=1)

# %% mistake="gradient-size-unlike-norm: no root, a step" edits="one step a line"
# - squares = gradient**2
# - sums = squares.sum(dim=1)
# - sizes = sums.sqrt()
# + sizes = (gradient**2).sum(dim=1)

# %% mistake="gradient-size-unlike-norm: the mean of the sizes, a step" edits="one step a line"
# - squares = gradient**2
# - sums = squares.sum(dim=1)
# - sizes = sums.sqrt()
# + sizes = gradient.abs().mean(dim=1)

# %% mistake="gradient-size-unlike-norm: the largest, a step" edits="one step a line"
# - squares = gradient**2
# - sums = squares.sum(dim=1)
# - sizes = sums.sqrt()
# + sizes = gradient.abs().amax(dim=1)

# %% mistake="gradient-of-another-number: the mean, a step" edits="one step a line"
# - number = last.sum()
# + number = last.mean()

# %% mistake="gradient-of-another-number: the norm, a step" edits="one step a line"
# - number = last.sum()
# + number = last.norm()

# %% mistake="gradient-of-another-number: the last feature, a step" edits="one step a line"
# - number = last.sum()
# + number = last[-1]

# %% mistake="gradient-of-another-number: squares, a step" edits="one step a line"
# - number = last.sum()
# + number = last.square().sum()

# %% mistake="gradient-of-another-number: the largest, a step" edits="one step a line"
# - number = last.sum()
# + number = last.max()

# %% mistake="order-reversed: before the net, a step" edits="one step a line"
# - tokens = inputs.detach().clone()
# + tokens = inputs.detach().flip(0)

# %% mistake="order-reversed: at the end, a step" edits="one step a line"
# - result = sizes
# + result = sizes.flip(0)

# %% mistake="last-left-out: a step" edits="one step a line"
# - result = sizes
# + result = sizes.clone()
# + result[-1] = 0

# %% mistake="first-left-out: a step" edits="one step a line"
# - result = sizes
# + result = sizes.clone()
# + result[0] = 0

# %% mistake="tokens-apart: a step" edits="one step a line"
# - last = encode(W_xh, W_hh, watched)
# + last = torch.stack([encode(W_xh, W_hh, row[None]) for row in watched]).sum(dim=0)

# %% mistake="gradients-pile-up: a step" edits="one step a line"
# - gradient = watched.grad
# + times = torch.arange(1, len(inputs) + 1).to(inputs)
# + gradient = watched.grad * times[:, None]

# %% mistake="sizes-divided: a step" edits="one step a line"
# - result = sizes
# + result = sizes / sizes.sum()

# %% mistake="gradient-of-another-number: mean sum" also="gradient-size-unlike-norm" edits="one step a line"
# - number = last.sum()
# + number = last.mean()
# - squares = gradient**2
# - sums = squares.sum(dim=1)
# - sizes = sums.sqrt()
# + sizes = gradient.sum(dim=1)

# %% mistake="gradient-of-another-number: mean sizes" also="gradient-size-unlike-norm" edits="one step a line"
# - number = last.sum()
# + number = last.mean()
# - squares = gradient**2
# - sums = squares.sum(dim=1)
# - sizes = sums.sqrt()
# + sizes = gradient.abs().sum(dim=1)

# %% mistake="gradient-of-another-number: norm sum" also="gradient-size-unlike-norm" edits="one step a line"
# - number = last.sum()
# + number = last.norm()
# - squares = gradient**2
# - sums = squares.sum(dim=1)
# - sizes = sums.sqrt()
# + sizes = gradient.sum(dim=1)

# %% mistake="gradient-of-another-number: norm sizes" also="gradient-size-unlike-norm" edits="one step a line"
# - number = last.sum()
# + number = last.norm()
# - squares = gradient**2
# - sums = squares.sum(dim=1)
# - sizes = sums.sqrt()
# + sizes = gradient.abs().sum(dim=1)

# %% mistake="gradient-of-another-number: norm sq" also="gradient-size-unlike-norm" edits="one step a line"
# - number = last.sum()
# + number = last.norm()
# - squares = gradient**2
# - sums = squares.sum(dim=1)
# - sizes = sums.sqrt()
# + sizes = (gradient**2).sum(dim=1)

# %% mistake="gradient-of-another-number: last, sum" also="gradient-size-unlike-norm" edits="one step a line"
# - number = last.sum()
# + number = last[-1]
# - squares = gradient**2
# - sums = squares.sum(dim=1)
# - sizes = sums.sqrt()
# + sizes = gradient.sum(dim=1)

# %% mistake="gradient-of-another-number: end sizes" also="gradient-size-unlike-norm" edits="one step a line"
# - number = last.sum()
# + number = last[-1]
# - squares = gradient**2
# - sums = squares.sum(dim=1)
# - sizes = sums.sqrt()
# + sizes = gradient.abs().sum(dim=1)

# %% mistake="gradient-of-another-number: sq sum" also="gradient-size-unlike-norm" edits="one step a line"
# - number = last.sum()
# + number = last.square().sum()
# - squares = gradient**2
# - sums = squares.sum(dim=1)
# - sizes = sums.sqrt()
# + sizes = gradient.sum(dim=1)

# %% mistake="gradient-of-another-number: sq sizes" also="gradient-size-unlike-norm" edits="one step a line"
# - number = last.sum()
# + number = last.square().sum()
# - squares = gradient**2
# - sums = squares.sum(dim=1)
# - sizes = sums.sqrt()
# + sizes = gradient.abs().sum(dim=1)

# %% mistake="gradient-of-another-number: sq squared" also="gradient-size-unlike-norm" edits="one step a line"
# - number = last.sum()
# + number = last.square().sum()
# - squares = gradient**2
# - sums = squares.sum(dim=1)
# - sizes = sums.sqrt()
# + sizes = (gradient**2).sum(dim=1)

# %% mistake="gradient-of-another-number: max sum" also="gradient-size-unlike-norm" edits="one step a line"
# - number = last.sum()
# + number = last.max()
# - squares = gradient**2
# - sums = squares.sum(dim=1)
# - sizes = sums.sqrt()
# + sizes = gradient.sum(dim=1)

# %% mistake="gradient-of-another-number: max sizes" also="gradient-size-unlike-norm" edits="one step a line"
# - number = last.sum()
# + number = last.max()
# - squares = gradient**2
# - sums = squares.sum(dim=1)
# - sizes = sums.sqrt()
# + sizes = gradient.abs().sum(dim=1)

# %% mistake="gradient-of-another-number: max sq" also="gradient-size-unlike-norm" edits="one step a line"
# - number = last.sum()
# + number = last.max()
# - squares = gradient**2
# - sums = squares.sum(dim=1)
# - sizes = sums.sqrt()
# + sizes = (gradient**2).sum(dim=1)

# %% mistake="carried-over" edits="one step a line"
# - sums = squares.sum(dim=1)
# + sums = squares.sum(dim=1).cumsum(dim=0)

# %% mistake="first-left-out: of the features, a step" edits="one step a line"
# - sums = squares.sum(dim=1)
# + sums = squares[:, 1:].sum(dim=1)

# %% mistake="last-left-out: of the features, a step" edits="one step a line"
# - sums = squares.sum(dim=1)
# + sums = squares[:, :-1].sum(dim=1)

# %% mistake="one-row-for-all" edits="one step a line"
# - result = sizes
# + result = sizes[0].expand(len(sizes)).clone()

# %% mistake="one-row-for-all: the last" edits="one step a line"
# - result = sizes
# + result = sizes[-1].expand(len(sizes)).clone()

# %% mistake="norm-over-tokens: all of it for each" edits="one step a line"
# - sums = squares.sum(dim=1)
# + sums = squares.sum().expand(len(inputs)).clone()

# %% mistake="norm-over-tokens: squares" also="gradient-size-unlike-norm wrong-shape" edits="one step a line"
# - sums = squares.sum(dim=1)
# - sizes = sums.sqrt()
# + sizes = squares.sum(dim=0)

# %% mistake="norm-over-tokens: sum" also="gradient-size-unlike-norm wrong-shape" edits="one step a line"
# - squares = gradient**2
# - sums = squares.sum(dim=1)
# - sizes = sums.sqrt()
# + sizes = gradient.sum(dim=0)

# %% mistake="norm-over-tokens: sizes" also="gradient-size-unlike-norm wrong-shape" edits="one step a line"
# - squares = gradient**2
# - sums = squares.sum(dim=1)
# - sizes = sums.sqrt()
# + sizes = gradient.abs().sum(dim=0)

# %% mistake="gradient-times-token" edits="one step a line"
# - squares = gradient**2
# + squares = (gradient * inputs) ** 2

# %% mistake="gradient-times-token: a plain sum" edits="one step a line"
# - squares = gradient**2
# - sums = squares.sum(dim=1)
# - sizes = sums.sqrt()
# + sizes = (gradient * inputs).sum(dim=1)

# %% mistake="gradient-times-token: the size of the sum" edits="one step a line"
# - squares = gradient**2
# - sums = squares.sum(dim=1)
# - sizes = sums.sqrt()
# + sizes = (gradient * inputs).sum(dim=1).abs()

# %% mistake="gradient-times-token: both sizes" edits="one step a line"
# - result = sizes
# + result = sizes * inputs.norm(dim=1)


# %% mistake="gradient-of-another-number: the first tokens, and the first"
def influence(W_xh, W_hh, inputs):
    sizes = []
    for t in range(len(inputs)):
        watched = inputs[: t + 1].clone().requires_grad_()
        encode(W_xh, W_hh, watched).sum().backward()
        sizes.append(watched.grad[0].norm())
    return torch.stack(sizes)


# %% mistake="gradient-of-another-number: the tokens from each on"
def influence(W_xh, W_hh, inputs):
    sizes = []
    for t in range(len(inputs)):
        watched = inputs[t:].clone().requires_grad_()
        encode(W_xh, W_hh, watched).sum().backward()
        sizes.append(watched.grad[0].norm())
    return torch.stack(sizes)


# %% mistake="gradient-of-another-number: the first tokens, all of them" also="norm-over-tokens"
def influence(W_xh, W_hh, inputs):
    sizes = []
    for t in range(len(inputs)):
        watched = inputs[: t + 1].clone().requires_grad_()
        encode(W_xh, W_hh, watched).sum().backward()
        sizes.append(watched.grad.norm())
    return torch.stack(sizes)


# %% correct="in float64, a change for each token"
def influence(W_xh, W_hh, inputs):
    A, B, tokens = W_xh.double(), W_hh.double(), inputs.double()
    watched = tokens.clone().requires_grad_()
    encode(A, B, watched).sum().backward()
    sizes = watched.grad.norm(dim=1)
    return sizes.to(inputs.dtype)


# %% mistake="change-measured: 0 in its place, the norm" edits="in float64, a change for each token"
# - watched = tokens.clone().requires_grad_()
# - encode(A, B, watched).sum().backward()
# - sizes = watched.grad.norm(dim=1)
# + whole, sizes = encode(A, B, tokens), []
# + for t in range(len(tokens)):
# +     changed = torch.cat([tokens[:t], 0 * tokens[t : t + 1], tokens[t + 1 :]])
# +     sizes.append((whole - encode(A, B, changed)).norm())
# + sizes = torch.stack(sizes)

# %% mistake="change-measured: 0 in its place, the sums" edits="in float64, a change for each token"
# - watched = tokens.clone().requires_grad_()
# - encode(A, B, watched).sum().backward()
# - sizes = watched.grad.norm(dim=1)
# + whole, sizes = encode(A, B, tokens), []
# + for t in range(len(tokens)):
# +     changed = torch.cat([tokens[:t], 0 * tokens[t : t + 1], tokens[t + 1 :]])
# +     sizes.append((whole - encode(A, B, changed)).sum().abs())
# + sizes = torch.stack(sizes)

# %% mistake="change-measured: 0 in its place, signed sums" edits="in float64, a change for each token"
# - watched = tokens.clone().requires_grad_()
# - encode(A, B, watched).sum().backward()
# - sizes = watched.grad.norm(dim=1)
# + whole, sizes = encode(A, B, tokens), []
# + for t in range(len(tokens)):
# +     changed = torch.cat([tokens[:t], 0 * tokens[t : t + 1], tokens[t + 1 :]])
# +     sizes.append((encode(A, B, changed) - whole).sum())
# + sizes = torch.stack(sizes)

# %% mistake="change-measured: 0 in its place, their signs turned" edits="in float64, a change for each token"
# - watched = tokens.clone().requires_grad_()
# - encode(A, B, watched).sum().backward()
# - sizes = watched.grad.norm(dim=1)
# + whole, sizes = encode(A, B, tokens), []
# + for t in range(len(tokens)):
# +     changed = torch.cat([tokens[:t], 0 * tokens[t : t + 1], tokens[t + 1 :]])
# +     sizes.append((whole - encode(A, B, changed)).sum())
# + sizes = torch.stack(sizes)

# %% mistake="change-measured: left out, the norm" edits="in float64, a change for each token"
# - watched = tokens.clone().requires_grad_()
# - encode(A, B, watched).sum().backward()
# - sizes = watched.grad.norm(dim=1)
# + whole, sizes = encode(A, B, tokens), []
# + for t in range(len(tokens)):
# +     changed = torch.cat([tokens[:t], tokens[t + 1 :]])
# +     sizes.append((whole - encode(A, B, changed)).norm())
# + sizes = torch.stack(sizes)

# %% mistake="change-measured: left out, the sums" edits="in float64, a change for each token"
# - watched = tokens.clone().requires_grad_()
# - encode(A, B, watched).sum().backward()
# - sizes = watched.grad.norm(dim=1)
# + whole, sizes = encode(A, B, tokens), []
# + for t in range(len(tokens)):
# +     changed = torch.cat([tokens[:t], tokens[t + 1 :]])
# +     sizes.append((whole - encode(A, B, changed)).sum().abs())
# + sizes = torch.stack(sizes)

# %% mistake="change-measured: left out, signed sums" edits="in float64, a change for each token"
# - watched = tokens.clone().requires_grad_()
# - encode(A, B, watched).sum().backward()
# - sizes = watched.grad.norm(dim=1)
# + whole, sizes = encode(A, B, tokens), []
# + for t in range(len(tokens)):
# +     changed = torch.cat([tokens[:t], tokens[t + 1 :]])
# +     sizes.append((encode(A, B, changed) - whole).sum())
# + sizes = torch.stack(sizes)

# %% mistake="change-measured: left out, their signs turned" edits="in float64, a change for each token"
# - watched = tokens.clone().requires_grad_()
# - encode(A, B, watched).sum().backward()
# - sizes = watched.grad.norm(dim=1)
# + whole, sizes = encode(A, B, tokens), []
# + for t in range(len(tokens)):
# +     changed = torch.cat([tokens[:t], tokens[t + 1 :]])
# +     sizes.append((whole - encode(A, B, changed)).sum())
# + sizes = torch.stack(sizes)

# %% mistake="change-measured: the whole token by 0.1" edits="in float64, a change for each token"
# - watched = tokens.clone().requires_grad_()
# - encode(A, B, watched).sum().backward()
# - sizes = watched.grad.norm(dim=1)
# + whole, sizes = encode(A, B, tokens), []
# + for t in range(len(tokens)):
# +     changed = tokens + 0.1 * (torch.arange(len(tokens)) == t).to(tokens)[:, None]
# +     sizes.append((encode(A, B, changed) - whole).sum() / 0.1)
# + sizes = torch.stack(sizes)

# %% mistake="change-measured: the whole token by 0.1, sizes" edits="in float64, a change for each token"
# - watched = tokens.clone().requires_grad_()
# - encode(A, B, watched).sum().backward()
# - sizes = watched.grad.norm(dim=1)
# + whole, sizes = encode(A, B, tokens), []
# + for t in range(len(tokens)):
# +     changed = tokens + 0.1 * (torch.arange(len(tokens)) == t).to(tokens)[:, None]
# +     sizes.append((encode(A, B, changed) - whole).sum().abs() / 0.1)
# + sizes = torch.stack(sizes)

# %% mistake="change-measured: the whole token by 0.1, the norm" edits="in float64, a change for each token"
# - watched = tokens.clone().requires_grad_()
# - encode(A, B, watched).sum().backward()
# - sizes = watched.grad.norm(dim=1)
# + whole, sizes = encode(A, B, tokens), []
# + for t in range(len(tokens)):
# +     changed = tokens + 0.1 * (torch.arange(len(tokens)) == t).to(tokens)[:, None]
# +     sizes.append((encode(A, B, changed) - whole).norm() / 0.1)
# + sizes = torch.stack(sizes)

# %% mistake="change-measured: the whole token by 0.01" edits="in float64, a change for each token"
# - watched = tokens.clone().requires_grad_()
# - encode(A, B, watched).sum().backward()
# - sizes = watched.grad.norm(dim=1)
# + whole, sizes = encode(A, B, tokens), []
# + for t in range(len(tokens)):
# +     changed = tokens + 0.01 * (torch.arange(len(tokens)) == t).to(tokens)[:, None]
# +     sizes.append((encode(A, B, changed) - whole).sum() / 0.01)
# + sizes = torch.stack(sizes)

# %% mistake="change-measured: the whole token by 0.01, sizes" edits="in float64, a change for each token"
# - watched = tokens.clone().requires_grad_()
# - encode(A, B, watched).sum().backward()
# - sizes = watched.grad.norm(dim=1)
# + whole, sizes = encode(A, B, tokens), []
# + for t in range(len(tokens)):
# +     changed = tokens + 0.01 * (torch.arange(len(tokens)) == t).to(tokens)[:, None]
# +     sizes.append((encode(A, B, changed) - whole).sum().abs() / 0.01)
# + sizes = torch.stack(sizes)

# %% mistake="change-measured: the whole token by 0.01, the norm" edits="in float64, a change for each token"
# - watched = tokens.clone().requires_grad_()
# - encode(A, B, watched).sum().backward()
# - sizes = watched.grad.norm(dim=1)
# + whole, sizes = encode(A, B, tokens), []
# + for t in range(len(tokens)):
# +     changed = tokens + 0.01 * (torch.arange(len(tokens)) == t).to(tokens)[:, None]
# +     sizes.append((encode(A, B, changed) - whole).norm() / 0.01)
# + sizes = torch.stack(sizes)

# %% mistake="change-measured: the whole token by 0.001" edits="in float64, a change for each token"
# - watched = tokens.clone().requires_grad_()
# - encode(A, B, watched).sum().backward()
# - sizes = watched.grad.norm(dim=1)
# + whole, sizes = encode(A, B, tokens), []
# + for t in range(len(tokens)):
# +     changed = tokens + 0.001 * (torch.arange(len(tokens)) == t).to(tokens)[:, None]
# +     sizes.append((encode(A, B, changed) - whole).sum() / 0.001)
# + sizes = torch.stack(sizes)

# %% mistake="change-measured: the whole token by 0.001, sizes" edits="in float64, a change for each token"
# - watched = tokens.clone().requires_grad_()
# - encode(A, B, watched).sum().backward()
# - sizes = watched.grad.norm(dim=1)
# + whole, sizes = encode(A, B, tokens), []
# + for t in range(len(tokens)):
# +     changed = tokens + 0.001 * (torch.arange(len(tokens)) == t).to(tokens)[:, None]
# +     sizes.append((encode(A, B, changed) - whole).sum().abs() / 0.001)
# + sizes = torch.stack(sizes)

# %% mistake="change-measured: the whole token by 0.001, the norm" edits="in float64, a change for each token"
# - watched = tokens.clone().requires_grad_()
# - encode(A, B, watched).sum().backward()
# - sizes = watched.grad.norm(dim=1)
# + whole, sizes = encode(A, B, tokens), []
# + for t in range(len(tokens)):
# +     changed = tokens + 0.001 * (torch.arange(len(tokens)) == t).to(tokens)[:, None]
# +     sizes.append((encode(A, B, changed) - whole).norm() / 0.001)
# + sizes = torch.stack(sizes)

# %% mistake="change-measured: each number by 0.1, one side" edits="in float64, a change for each token"
# - watched = tokens.clone().requires_grad_()
# - encode(A, B, watched).sum().backward()
# - sizes = watched.grad.norm(dim=1)
# + gradient = torch.zeros_like(tokens)
# + for t in range(len(tokens)):
# +     for f in range(tokens.shape[1]):
# +         step = torch.zeros_like(tokens)
# +         step[t, f] = 0.1
# +         gradient[t, f] = (encode(A, B, tokens + step) - encode(A, B, tokens)).sum() / 0.1
# + sizes = gradient.norm(dim=1)

# %% mistake="change-measured: each number by 0.1, both sides" edits="in float64, a change for each token"
# - watched = tokens.clone().requires_grad_()
# - encode(A, B, watched).sum().backward()
# - sizes = watched.grad.norm(dim=1)
# + gradient = torch.zeros_like(tokens)
# + for t in range(len(tokens)):
# +     for f in range(tokens.shape[1]):
# +         step = torch.zeros_like(tokens)
# +         step[t, f] = 0.1
# +         gradient[t, f] = (encode(A, B, tokens + step) - encode(A, B, tokens - step)).sum() / (2 * 0.1)
# + sizes = gradient.norm(dim=1)

# %% mistake="change-measured: each number by 0.01, one side" edits="in float64, a change for each token"
# - watched = tokens.clone().requires_grad_()
# - encode(A, B, watched).sum().backward()
# - sizes = watched.grad.norm(dim=1)
# + gradient = torch.zeros_like(tokens)
# + for t in range(len(tokens)):
# +     for f in range(tokens.shape[1]):
# +         step = torch.zeros_like(tokens)
# +         step[t, f] = 0.01
# +         gradient[t, f] = (encode(A, B, tokens + step) - encode(A, B, tokens)).sum() / 0.01
# + sizes = gradient.norm(dim=1)

# %% mistake="change-measured: each number by 0.01, both sides" edits="in float64, a change for each token"
# - watched = tokens.clone().requires_grad_()
# - encode(A, B, watched).sum().backward()
# - sizes = watched.grad.norm(dim=1)
# + gradient = torch.zeros_like(tokens)
# + for t in range(len(tokens)):
# +     for f in range(tokens.shape[1]):
# +         step = torch.zeros_like(tokens)
# +         step[t, f] = 0.01
# +         gradient[t, f] = (encode(A, B, tokens + step) - encode(A, B, tokens - step)).sum() / (2 * 0.01)
# + sizes = gradient.norm(dim=1)
