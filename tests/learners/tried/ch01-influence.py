# %% setup
import torch


def encode(W_xh, W_hh, inputs):
    h = torch.zeros(W_hh.shape[0])
    for x in inputs:
        h = torch.tanh(x @ W_xh + h @ W_hh)
    return h


# %% correct="mine"
def influence(W_xh, W_hh, inputs):
    x = inputs.clone().requires_grad_()
    last = encode(W_xh, W_hh, x)
    last.sum().backward()
    return x.grad.norm(dim=1)

# %% mistake="gradient-size-unlike-norm: a plain sum" edits="mine"
# - return x.grad.norm(dim=1)
# + return x.grad.sum(dim=1)

# %% mistake="norm-over-tokens: dim 0" edits="mine"
# - return x.grad.norm(dim=1)
# + return x.grad.norm(dim=0)

# %% mistake="gradient-left: the argument is watched" edits="mine"
# - x = inputs.clone().requires_grad_()
# + x = inputs.requires_grad_()

# %% mistake="raises: a vector has no way back" edits="mine"
# - last.sum().backward()
# + last.backward()

# %% mistake="raises: the copy is not used" edits="mine"
# - last = encode(W_xh, W_hh, x)
# + last = encode(W_xh, W_hh, inputs)

# %% mistake="unrecognized: finite differences, each number moved a little" says="nearly right"
def influence(W_xh, W_hh, inputs):
    eps = 1e-3
    base = encode(W_xh, W_hh, inputs).sum()
    result = torch.zeros(len(inputs))
    for t in range(len(inputs)):
        slopes = []
        for i in range(inputs.shape[1]):
            moved = inputs.clone()
            moved[t, i] += eps
            slopes.append((encode(W_xh, W_hh, moved).sum() - base) / eps)
        result[t] = torch.stack(slopes).norm()
    return result

# %% mistake="change-measured: finite differences, to both sides"
def influence(W_xh, W_hh, inputs):
    step = 0.01
    gradient = torch.zeros_like(inputs)
    for t in range(inputs.shape[0]):
        for i in range(inputs.shape[1]):
            up, down = inputs.clone(), inputs.clone()
            up[t, i] += step
            down[t, i] -= step
            gradient[t, i] = (encode(W_xh, W_hh, up) - encode(W_xh, W_hh, down)).sum() / (2 * step)
    return gradient.norm(dim=1)

# %% mistake="change-measured: finite differences, a large step"
def influence(W_xh, W_hh, inputs):
    base = encode(W_xh, W_hh, inputs).sum()
    gradient = torch.zeros_like(inputs)
    for t in range(inputs.shape[0]):
        for i in range(inputs.shape[1]):
            moved = inputs.clone()
            moved[t, i] = moved[t, i] + 0.1
            gradient[t, i] = (encode(W_xh, W_hh, moved).sum() - base) / 0.1
    return gradient.norm(dim=1)

# %% mistake="returns-gradient" edits="mine"
# - return x.grad.norm(dim=1)
# + return x.grad

# %% mistake="norm-over-tokens: of everything" edits="mine"
# - return x.grad.norm(dim=1)
# + return x.grad.norm()

# %% mistake="gradient-of-another-number: the norm of the state" edits="mine"
# - last.sum().backward()
# + last.norm().backward()

# %% mistake="gradient-size-unlike-norm: absolute values" edits="mine"
# - return x.grad.norm(dim=1)
# + return x.grad.abs().sum(dim=1)

# %% mistake="gradients-pile-up: one way back for each token"
def influence(W_xh, W_hh, inputs):
    x = inputs.clone().requires_grad_()
    result = []
    for t in range(len(inputs)):
        encode(W_xh, W_hh, x).sum().backward()
        result.append(x.grad[t].norm())
    return torch.stack(result)

# %% mistake="raises: a second way back"
def influence(W_xh, W_hh, inputs):
    x = inputs.clone().requires_grad_()
    last = encode(W_xh, W_hh, x).sum()
    result = []
    for t in range(len(inputs)):
        last.backward()
        result.append(x.grad[t].norm())
    return torch.stack(result)

# %% mistake="gradient-of-another-number: the mean, summed up" also="gradient-size-unlike-norm"
def influence(W_xh, W_hh, inputs):
    watched = inputs.detach().clone()
    watched.requires_grad = True
    encode(W_xh, W_hh, watched).mean().backward()
    return watched.grad.sum(dim=-1)

# %% mistake="order-reversed: and the absolute values" also="gradient-size-unlike-norm"
def influence(W_xh, W_hh, inputs):
    watched = inputs.detach().clone()
    watched.requires_grad = True
    encode(W_xh, W_hh, watched).sum().backward()
    return watched.grad.abs().sum(dim=-1).flip(0)

# %% mistake="gradient-of-another-number: one feature, no root" also="gradient-size-unlike-norm"
def influence(W_xh, W_hh, inputs):
    watched = inputs.detach().clone()
    watched.requires_grad = True
    encode(W_xh, W_hh, watched)[-1].backward()
    return (watched.grad**2).sum(dim=1)

# %% mistake="gradient-size-unlike-norm: of the argument itself"
def influence(W_xh, W_hh, inputs):
    inputs.requires_grad = True
    encode(W_xh, W_hh, inputs).sum().backward()
    return inputs.grad.abs().mean(dim=1)

# %% mistake="norm-over-tokens: of another number" also="gradient-of-another-number"
def influence(W_xh, W_hh, inputs):
    watched = inputs.detach().clone()
    watched.requires_grad = True
    encode(W_xh, W_hh, watched).mean().backward()
    return torch.linalg.norm(watched.grad, dim=0)

# %% mistake="gradient-of-another-number: and squares" also="gradient-size-unlike-norm" edits="mine"
# - last.sum().backward()
# + last.mean().backward()
# - return x.grad.norm(dim=1)
# + return (x.grad**2).sum(dim=1)

# %% mistake="gradients-pile-up: and squares" also="gradient-size-unlike-norm"
def influence(W_xh, W_hh, inputs):
    c = inputs.detach().clone().requires_grad_()
    out = []
    for t in range(len(inputs)):
        encode(W_xh, W_hh, c).sum().backward()
        out.append((c.grad[t] ** 2).sum())
    return torch.stack(out)

# %% mistake="gradient-of-another-number: the state after each token"
def influence(W_xh, W_hh, inputs):
    sizes = []
    for t in range(len(inputs)):
        c = inputs[: t + 1].detach().clone().requires_grad_()
        encode(W_xh, W_hh, c).sum().backward()
        sizes.append(c.grad[t].norm().item())
    return torch.tensor(sizes)

# %% mistake="sizes-divided: shares" edits="mine"
# - return x.grad.norm(dim=1)
# + sizes = x.grad.norm(dim=1)
# + return sizes / sizes.sum()

# %% mistake="sizes-divided: by the largest" edits="mine"
# - return x.grad.norm(dim=1)
# + return x.grad.norm(dim=1) / x.grad.norm(dim=1).max()

# %% mistake="order-reversed: read backwards" edits="mine"
# - x = inputs.clone().requires_grad_()
# + x = inputs.flip(0).detach().clone().requires_grad_()

# %% mistake="tokens-measured" edits="mine"
# - return x.grad.norm(dim=1)
# + return inputs.norm(dim=1)

# %% mistake="last-left-out: filled" edits="mine"
# - return x.grad.norm(dim=1)
# + out = torch.zeros(len(inputs))
# + for t in range(len(inputs) - 1):
# +     out[t] = x.grad[t].norm().item()
# + return out

# %% mistake="tokens-apart: one after the other"
def influence(W_xh, W_hh, inputs):
    out = []
    for t in range(len(inputs)):
        c = inputs[t].detach().clone().requires_grad_()
        encode(W_xh, W_hh, c.unsqueeze(0)).sum().backward()
        out.append(c.grad.norm())
    return torch.stack(out)

# %% mistake="gradient-size-unlike-norm: the argument is watched" also="gradient-left"
def influence(W_xh, W_hh, inputs):
    inputs.requires_grad = True
    encode(W_xh, W_hh, inputs).sum().backward()
    return inputs.grad.sum(dim=1)

# %% mistake="gradient-left: the matrices are watched, too"
def influence(W_xh, W_hh, inputs):
    W_xh.requires_grad_()
    W_hh.requires_grad_()
    c = inputs.clone().requires_grad_()
    encode(W_xh, W_hh, c).sum().backward()
    return c.grad.norm(dim=1)

# %% mistake="unrecognized: each token moved a little"
def influence(W_xh, W_hh, inputs):
    out = []
    for t in range(len(inputs)):
        moved = inputs.clone()
        moved[t] = moved[t] + 0.001
        out.append((encode(W_xh, W_hh, moved).sum() - encode(W_xh, W_hh, inputs).sum()) / 0.001)
    return torch.stack(out)

# %% mistake="raises: watched before the copy" says="made anew and watched" edits="mine"
# - x = inputs.clone().requires_grad_()
# + x = inputs.detach().requires_grad_().clone()

# %% mistake="raises: what backward returns" says="Not every method returns" edits="mine"
# - last.sum().backward()
# - return x.grad.norm(dim=1)
# + gradient = last.sum().backward()
# + return gradient.norm(dim=1)

# %% mistake="carried-over: squares of all tokens so far"
def influence(W_xh, W_hh, inputs):
    w = inputs.detach().clone().requires_grad_()
    encode(W_xh, W_hh, w).sum().backward()
    sizes = []
    s = 0
    for t in range(len(inputs)):
        for f in range(inputs.shape[1]):
            s = s + w.grad[t, f] ** 2
        sizes.append(s ** 0.5)
    return torch.stack(sizes)

# %% mistake="one-row-for-all: the first row in every round"
def influence(W_xh, W_hh, inputs):
    sizes = []
    for t in range(len(inputs)):
        w = inputs.detach().clone().requires_grad_()
        encode(W_xh, W_hh, w).sum().backward()
        sizes.append(w.grad[0].norm())
    return torch.stack(sizes)

# %% mistake="gradient-of-another-number: the first token, after each"
def influence(W_xh, W_hh, inputs):
    sizes = []
    for t in range(1, len(inputs) + 1):
        w = inputs[:t].detach().clone().requires_grad_()
        encode(W_xh, W_hh, w).sum().backward()
        sizes.append(w.grad[0].norm())
    return torch.stack(sizes)

# %% mistake="gradient-of-another-number: the rest of the sentence"
def influence(W_xh, W_hh, inputs):
    sizes = []
    for t in range(len(inputs)):
        w = inputs[t:].detach().clone().requires_grad_()
        encode(W_xh, W_hh, w).sum().backward()
        sizes.append(w.grad[0].norm())
    return torch.stack(sizes)

# %% mistake="change-measured: 0 for a token"
def influence(W_xh, W_hh, inputs):
    full = encode(W_xh, W_hh, inputs)
    sizes = []
    for t in range(len(inputs)):
        changed = inputs.clone()
        changed[t] = 0
        sizes.append((encode(W_xh, W_hh, changed) - full).norm())
    return torch.stack(sizes)

# %% mistake="change-measured: a token left out"
def influence(W_xh, W_hh, inputs):
    full = encode(W_xh, W_hh, inputs).sum()
    sizes = []
    for t in range(len(inputs)):
        changed = torch.cat([inputs[:t], inputs[t + 1 :]])
        sizes.append((encode(W_xh, W_hh, changed).sum() - full).abs())
    return torch.stack(sizes)

# %% mistake="gradient-times-token" edits="mine"
# - return x.grad.norm(dim=1)
# + return (x.grad * inputs).norm(dim=1)

# %% mistake="norm-over-tokens: squares along 0" also="gradient-size-unlike-norm" edits="mine"
# - return x.grad.norm(dim=1)
# + return (x.grad ** 2).sum(dim=0)

# %% mistake="norm-over-tokens: a plain sum along 0" also="gradient-size-unlike-norm" edits="mine"
# - return x.grad.norm(dim=1)
# + return x.grad.sum(dim=0)

# %% mistake="gradient-of-another-number: squares of the state" also="gradient-size-unlike-norm" edits="mine"
# - last.sum().backward()
# - return x.grad.norm(dim=1)
# + (last * last).sum().backward()
# + return x.grad.abs().sum(dim=1)

# %% mistake="gradient-of-another-number: one feature, a plain sum" also="gradient-size-unlike-norm" edits="mine"
# - last.sum().backward()
# - return x.grad.norm(dim=1)
# + last[-1].backward()
# + return x.grad.sum(dim=1)

# %% mistake="order-reversed: before the net, no root" also="gradient-size-unlike-norm" edits="mine"
# - x = inputs.clone().requires_grad_()
# + x = inputs.flip(0).detach().clone().requires_grad_()
# - return x.grad.norm(dim=1)
# + return (x.grad ** 2).sum(dim=1)

# %% mistake="tokens-apart: and a plain sum" also="gradient-size-unlike-norm"
def influence(W_xh, W_hh, inputs):
    s = []
    for x in inputs:
        w = x.detach().clone().requires_grad_()
        encode(W_xh, W_hh, w[None]).sum().backward()
        s.append(w.grad.sum())
    return torch.stack(s)

# %% mistake="gradients-pile-up: absolute values" also="gradient-size-unlike-norm"
def influence(W_xh, W_hh, inputs):
    w = inputs.detach().clone().requires_grad_()
    s = []
    for t in range(len(inputs)):
        encode(W_xh, W_hh, w).sum().backward()
        s.append(w.grad[t].abs().sum())
    return torch.stack(s)

# %% mistake="last-left-out: squares, one by one" also="gradient-size-unlike-norm"
def influence(W_xh, W_hh, inputs):
    w = inputs.detach().clone().requires_grad_()
    encode(W_xh, W_hh, w).sum().backward()
    sizes = torch.zeros(len(inputs))
    for t in range(len(inputs) - 1):
        for f in range(inputs.shape[1]):
            sizes[t] += w.grad[t, f] ** 2
    return sizes

# %% mistake="raises: the record is cut" never="Nothing that is watched" says="does a line in between cut the record"
def influence(W_xh, W_hh, inputs):
    watched = inputs.clone().requires_grad_()
    with torch.no_grad():
        h = encode(W_xh, W_hh, watched)
    h.sum().backward()
    return watched.grad.norm(dim=1)

# %% mistake="change-measured: a whole token moved" never="come near to|half as large"
# By 0.001 the float32 digits that are left would be other ones on each processor.
def influence(W_xh, W_hh, inputs):
    h, sizes = encode(W_xh, W_hh, inputs), []
    for t in range(len(inputs)):
        moved = inputs.clone()
        moved[t] += 0.01
        sizes.append((encode(W_xh, W_hh, moved) - h).norm() / 0.01)
    return torch.stack(sizes)
