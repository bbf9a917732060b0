# %% setup
import torch


# %% correct="textbook"
def split_heads(x, num_heads):
    b, tokens, d = x.shape
    if d % num_heads != 0:
        raise ValueError("d must be divisible by num_heads")
    x = x.view(b, tokens, num_heads, d // num_heads)
    return x.transpose(1, 2)


# %% correct="slices stacked"
def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("unequal heads")
    return torch.stack(x.split(x.shape[-1] // num_heads, dim=-1), dim=1)


# %% correct="unflatten and permute"
def split_heads(x, num_heads):
    width, rest = divmod(x.size(2), num_heads)
    if rest != 0:
        raise ValueError(f"{x.size(2)} / {num_heads}")
    return x.unflatten(-1, (num_heads, width)).permute(0, 2, 1, 3).contiguous()


# %% correct="one head at a time"
def split_heads(x, num_heads):
    b, t, d = x.shape
    if d // num_heads * num_heads != d:
        raise ValueError
    w = d // num_heads
    out = torch.zeros(b, num_heads, t, w, dtype=x.dtype, device=x.device)
    for h in range(num_heads):
        out[:, h] = x[:, :, h * w : (h + 1) * w]
    return out


# %% correct="a product with unit vectors"
def split_heads(x, num_heads):
    b, t, d = x.shape
    if d % num_heads:
        raise ValueError
    pick = torch.eye(d, dtype=x.dtype, device=x.device).view(num_heads, d // num_heads, d)
    return torch.einsum("btd,hwd->bhtw", x, pick)


# %% mistake="heads-not-transposed" edits="textbook"
# - x = x.view(b, tokens, num_heads, d // num_heads)
# - return x.transpose(1, 2)
# + return x.view(b, num_heads, tokens, d // num_heads)

# %% mistake="wrong-shape: no transpose at all" edits="textbook"
# - return x.transpose(1, 2)
# + return x

# %% mistake="heads-interleaved" edits="textbook"
# - x = x.view(b, tokens, num_heads, d // num_heads)
# - return x.transpose(1, 2)
# + x = x.view(b, tokens, d // num_heads, num_heads)
# + return x.permute(0, 3, 1, 2)

# %% mistake="heads-interleaved: every h-th feature" edits="textbook"
# - x = x.view(b, tokens, num_heads, d // num_heads)
# - return x.transpose(1, 2)
# + return torch.stack([x[:, :, i::num_heads] for i in range(num_heads)], dim=1)

# %% mistake="heads-reversed" edits="textbook"
# - return x.transpose(1, 2)
# + return x.flip(2).transpose(1, 2)

# %% mistake="heads-share-weights" edits="textbook"
# - return x.transpose(1, 2)
# + return x[:, :, :1].expand_as(x).transpose(1, 2)

# %% mistake="batch-leak" edits="textbook"
# - x = x.view(b, tokens, num_heads, d // num_heads)
# - return x.transpose(1, 2)
# + return x.reshape(tokens, b, num_heads, d // num_heads).permute(1, 2, 0, 3)

# %% mistake="batch-leak: heads before sentences" edits="textbook"
# - x = x.view(b, tokens, num_heads, d // num_heads)
# - return x.transpose(1, 2)
# + x = x.view(-1, num_heads, d // num_heads).transpose(0, 1)
# + return x.reshape(b, num_heads, tokens, d // num_heads)

# %% mistake="result-transposed" also="wrong-shape" edits="textbook"
# - return x.transpose(1, 2)
# + return x.permute(0, 2, 3, 1)

# %% mistake="wrong-shape: heads first" edits="textbook"
# - return x.transpose(1, 2)
# + return x.permute(2, 0, 1, 3)

# %% mistake="wrong-shape: other axes exchanged" edits="textbook"
# - return x.transpose(1, 2)
# + return x.transpose(2, 3)

# %% mistake="wrong-shape: head and batch on one axis" edits="textbook"
# - return x.transpose(1, 2)
# + return x.transpose(1, 2).reshape(b * num_heads, tokens, -1)

# %% mistake="wrong-shape: one head alone" edits="textbook"
# - return x.transpose(1, 2)
# + return x.transpose(1, 2)[:, :1]

# %% mistake="unrecognized: features in reverse" edits="textbook"
# - return x.transpose(1, 2)
# + return x.flip(3).transpose(1, 2)

# %% mistake="unrecognized: tokens in reverse" edits="textbook"
# - return x.transpose(1, 2)
# + return x.flip(1).transpose(1, 2)

# %% mistake="unrecognized: scaled" edits="textbook"
# - return x.transpose(1, 2)
# + return x.transpose(1, 2) / (d // num_heads) ** 0.5

# %% mistake="wrong-exception: nothing is checked" edits="textbook"
# - if d % num_heads != 0:
# -     raise ValueError("d must be divisible by num_heads")

# %% correct="an assertion" remark="assertion-raised" edits="textbook"
# - if d % num_heads != 0:
# -     raise ValueError("d must be divisible by num_heads")
# + assert d % num_heads == 0, "d must be divisible by num_heads"

# %% mistake="wrong-exception: only when too narrow" edits="textbook"
# - if d % num_heads != 0:
# -     raise ValueError("d must be divisible by num_heads")
# + if d < num_heads:
# +     raise ValueError("d must be divisible by num_heads")

# %% mistake="wrong-exception: only when wide enough" edits="textbook"
# - if d % num_heads != 0:
# -     raise ValueError("d must be divisible by num_heads")
# + if d > num_heads and d % num_heads != 0:
# +     raise ValueError("d must be divisible by num_heads")

# %% mistake="wrong-exception: the rest is cut off" edits="textbook"
# - if d % num_heads != 0:
# -     raise ValueError("d must be divisible by num_heads")
# - x = x.view(b, tokens, num_heads, d // num_heads)
# + width = d // num_heads
# + x = x[:, :, : width * num_heads].reshape(b, tokens, num_heads, width)

# %% mistake="raises: the other way around" edits="textbook"
# - if d % num_heads != 0:
# -     raise ValueError("d must be divisible by num_heads")
# + if d % num_heads == 0:
# +     raise ValueError("d must be divisible by num_heads")

# %% mistake="raises: a float in the shape" edits="textbook"
# - x = x.view(b, tokens, num_heads, d // num_heads)
# + x = x.view(b, tokens, num_heads, d / num_heads)

# %% mistake="raises: always a batch of two" edits="textbook"
# - x = x.view(b, tokens, num_heads, d // num_heads)
# + x = x.view(2, tokens, num_heads, d // num_heads)

# %% mistake="raises: another name" edits="textbook"
# - def split_heads(x, num_heads):
# + def split_heads(x, h):
# - b, tokens, d = x.shape
# + num_heads = h
# + b, tokens, d = x.shape

# %% mistake="wrong-shape: always two heads" edits="textbook"
# - x = x.view(b, tokens, num_heads, d // num_heads)
# + num_heads = 2
# + x = x.view(b, tokens, num_heads, d // num_heads)

# %% mistake="wrong-type: a tuple of heads" edits="textbook"
# - return x.transpose(1, 2)
# + return x.transpose(1, 2).unbind(1)

# %% mistake="wrong-type: a list" edits="textbook"
# - return x.transpose(1, 2)
# + return x.transpose(1, 2).tolist()

# %% mistake="wrong-type: nothing returned" edits="textbook"
# - return x.transpose(1, 2)
# + x = x.transpose(1, 2)

# %% mistake="wrong-dtype" edits="textbook"
# - return x.transpose(1, 2)
# + return x.transpose(1, 2).half()

# %% mistake="wrong-dtype: always float32" edits="textbook"
# - return x.transpose(1, 2)
# + return x.transpose(1, 2).float()

# %% mistake="wrong-device" on="device" edits="textbook"
# - return x.transpose(1, 2)
# + return x.transpose(1, 2).cpu()

# %% mistake="not-finite" edits="textbook"
# - return x.transpose(1, 2)
# + return x.transpose(1, 2) / 0.0

# %% mistake="input-modified" edits="textbook"
# - x = x.view(b, tokens, num_heads, d // num_heads)
# + x.unsqueeze_(0).squeeze_(0).mul_(2).add_(0)
# + x = x.view(b, tokens, num_heads, d // num_heads)

# %% mistake="input-modified: another shape" edits="textbook"
# - x = x.view(b, tokens, num_heads, d // num_heads)
# - return x.transpose(1, 2)
# + x.resize_(b, tokens, num_heads, d // num_heads)
# + return x.transpose(1, 2)

# %% mistake="no-gradient" edits="textbook"
# - return x.transpose(1, 2)
# + return x.transpose(1, 2).detach()

# %% mistake="no-gradient: through NumPy" edits="textbook"
# - return x.transpose(1, 2)
# + return torch.from_numpy(x.detach().cpu().numpy().copy()).to(x.device).transpose(1, 2)

# %% mistake="not-implemented" edits="textbook"
# - return x.transpose(1, 2)
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="not-defined" edits="textbook"
# - def split_heads(x, num_heads):
# + def split(x, num_heads):

# %% mistake="syntax-error" edits="textbook"
# - def split_heads(x, num_heads):
# + def split_heads(x, num_heads)

# %% mistake="too-slow" edits="textbook"
# - return x.transpose(1, 2)
# + while True:
# +     x = x.transpose(1, 2).transpose(1, 2)

# %% mistake="reshape-not-transpose: transposed before the reshape" edits="textbook"
# - x = x.view(b, tokens, num_heads, d // num_heads)
# - return x.transpose(1, 2)
# + return x.transpose(1, 2).reshape(b, num_heads, tokens, d // num_heads)

# %% mistake="reshape-not-transpose: transposed before and after" edits="textbook"
# - x = x.view(b, tokens, num_heads, d // num_heads)
# - return x.transpose(1, 2)
# + x = x.transpose(1, 2).reshape(b, tokens, num_heads, d // num_heads)
# + return x.transpose(1, 2)

# %% mistake="reshape-not-transpose: the last two are exchanged" edits="textbook"
# - x = x.view(b, tokens, num_heads, d // num_heads)
# - return x.transpose(1, 2)
# + return x.reshape(b, num_heads, d // num_heads, tokens).transpose(2, 3)

# %% mistake="slices-misplaced: one feature after another" edits="one head at a time"
# - out[:, h] = x[:, :, h * w : (h + 1) * w]
# + out[:, h] = x[:, :, h : h + w]

# %% mistake="slices-misplaced: one feature after another, stacked" edits="textbook"
# - x = x.view(b, tokens, num_heads, d // num_heads)
# - return x.transpose(1, 2)
# + return x.unfold(2, d // num_heads, 1)[:, :, :num_heads].transpose(1, 2)

# %% mistake="slices-misplaced: times the number of heads" edits="one head at a time"
# - out[:, h] = x[:, :, h * w : (h + 1) * w]
# + out[:, h] = x[:, :, h * num_heads : h * num_heads + w]
