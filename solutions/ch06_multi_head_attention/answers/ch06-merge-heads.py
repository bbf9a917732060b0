# %% setup
import torch


# %% correct="textbook"
def merge_heads(x):
    b, heads, tokens, d_k = x.shape
    x = x.transpose(1, 2).contiguous()
    return x.view(b, tokens, heads * d_k)


# %% correct="heads joined"
def merge_heads(x):
    return torch.cat(x.unbind(dim=1), dim=-1)


# %% correct="permuted and flattened"
def merge_heads(x):
    return x.permute(0, 2, 1, 3).flatten(start_dim=-2)


# %% correct="one head at a time"
def merge_heads(x):
    b, h, t, w = x.shape
    out = torch.zeros(b, t, h * w, dtype=x.dtype, device=x.device)
    for i in range(h):
        out[..., i * w : (i + 1) * w] = x[:, i]
    return out


# %% mistake="heads-merged-without-transpose" edits="textbook"
# - x = x.transpose(1, 2).contiguous()

# %% mistake="heads-interleaved" edits="textbook"
# - x = x.transpose(1, 2).contiguous()
# + x = x.permute(0, 2, 3, 1).contiguous()

# %% mistake="heads-reversed" edits="textbook"
# - x = x.transpose(1, 2).contiguous()
# + x = x.flip(1).transpose(1, 2).contiguous()

# %% mistake="heads-share-weights" edits="textbook"
# - x = x.transpose(1, 2).contiguous()
# + x = x[:, :1].expand(-1, heads, -1, -1).transpose(1, 2).contiguous()

# %% mistake="heads-concatenated-on-tokens" also="wrong-shape" edits="textbook"
# - x = x.transpose(1, 2).contiguous()
# - return x.view(b, tokens, heads * d_k)
# + return x.reshape(b, heads * tokens, d_k)

# %% mistake="heads-concatenated-on-tokens: as sentences" also="wrong-shape" edits="textbook"
# - x = x.transpose(1, 2).contiguous()
# - return x.view(b, tokens, heads * d_k)
# + return x.reshape(b * heads, tokens, d_k)

# %% mistake="heads-concatenated-on-tokens: token by token" also="wrong-shape" edits="textbook"
# - return x.view(b, tokens, heads * d_k)
# + return x.view(b, tokens * heads, d_k)

# %% mistake="batch-leak" edits="textbook"
# - x = x.transpose(1, 2).contiguous()
# + x = x.permute(2, 0, 1, 3).contiguous()

# %% mistake="batch-leak: heads before sentences" edits="textbook"
# - x = x.transpose(1, 2).contiguous()
# + x = x.permute(1, 0, 2, 3).contiguous()

# %% mistake="reshape-not-transpose" edits="textbook"
# - x = x.transpose(1, 2).contiguous()
# + x = x.transpose(2, 3).contiguous()

# %% mistake="result-transposed" also="wrong-shape" edits="textbook"
# - return x.view(b, tokens, heads * d_k)
# + return x.view(b, tokens, heads * d_k).transpose(1, 2)

# %% mistake="wrong-shape: heads not glued" edits="textbook"
# - return x.view(b, tokens, heads * d_k)
# + return x

# %% mistake="heads-added-up" also="wrong-shape" edits="textbook"
# - x = x.transpose(1, 2).contiguous()
# - return x.view(b, tokens, heads * d_k)
# + return x.sum(dim=1)

# %% mistake="heads-added-up: their mean" also="wrong-shape" edits="textbook"
# - x = x.transpose(1, 2).contiguous()
# - return x.view(b, tokens, heads * d_k)
# + return x.mean(dim=1)

# %% mistake="wrong-shape: flat" edits="textbook"
# - return x.view(b, tokens, heads * d_k)
# + return x.flatten()

# %% mistake="raises" edits="textbook"
# - x = x.transpose(1, 2).contiguous()
# + x = x.transpose(1, 2)

# %% mistake="raises: contiguous before the transpose" edits="textbook"
# - x = x.transpose(1, 2).contiguous()
# + x = x.contiguous().transpose(1, 2)

# %% mistake="raises: contiguous, not kept" edits="textbook"
# - x = x.transpose(1, 2).contiguous()
# + x = x.transpose(1, 2)
# + x.contiguous()

# %% mistake="raises: axes misread" edits="textbook"
# - b, heads, tokens, d_k = x.shape
# + b, tokens, d = x.shape

# %% mistake="wrong-shape: axes misread" edits="textbook"
# - b, heads, tokens, d_k = x.shape
# + b, tokens, heads, d_k = x.shape

# %% mistake="raises: always width 4" edits="textbook"
# - return x.view(b, tokens, heads * d_k)
# + return x.view(b, tokens, 4)

# %% mistake="wrong-type: a list" edits="textbook"
# - return x.view(b, tokens, heads * d_k)
# + return x.view(b, tokens, heads * d_k).tolist()

# %% mistake="wrong-type: nothing returned" edits="textbook"
# - return x.view(b, tokens, heads * d_k)
# + x = x.view(b, tokens, heads * d_k)

# %% mistake="wrong-dtype" edits="textbook"
# - return x.view(b, tokens, heads * d_k)
# + return x.view(b, tokens, heads * d_k).double()

# %% mistake="wrong-dtype: always float32" edits="textbook"
# - return x.view(b, tokens, heads * d_k)
# + return x.view(b, tokens, heads * d_k).float()

# %% mistake="wrong-device" on="device" edits="textbook"
# - return x.view(b, tokens, heads * d_k)
# + return x.view(b, tokens, heads * d_k).cpu()

# %% mistake="not-finite" edits="textbook"
# - return x.view(b, tokens, heads * d_k)
# + return x.view(b, tokens, heads * d_k) / 0.0

# %% mistake="input-modified" edits="textbook"
# - x = x.transpose(1, 2).contiguous()
# + x.mul_(2)
# + x = x.transpose(1, 2).contiguous()

# %% mistake="input-modified: turned in place" edits="textbook"
# - x = x.transpose(1, 2).contiguous()
# + x.transpose_(1, 2)
# + x = x.contiguous()

# %% mistake="no-gradient" edits="textbook"
# - return x.view(b, tokens, heads * d_k)
# + return x.view(b, tokens, heads * d_k).detach()

# %% mistake="no-gradient: through NumPy" edits="textbook"
# - return x.view(b, tokens, heads * d_k)
# + return torch.from_numpy(x.detach().cpu().numpy().reshape(b, tokens, -1)).to(x.device)

# %% mistake="unrecognized: tokens in reverse" edits="textbook"
# - return x.view(b, tokens, heads * d_k)
# + return x.flip(1).reshape(b, tokens, heads * d_k)

# %% mistake="unrecognized: features in reverse" edits="textbook"
# - return x.view(b, tokens, heads * d_k)
# + return x.flip(3).reshape(b, tokens, heads * d_k)

# %% mistake="unrecognized: divided by the number of heads" edits="textbook"
# - return x.view(b, tokens, heads * d_k)
# + return x.view(b, tokens, heads * d_k) / heads

# %% mistake="not-implemented" edits="textbook"
# - return x.view(b, tokens, heads * d_k)
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="not-defined" edits="textbook"
# - def merge_heads(x):
# + def merge(x):

# %% mistake="syntax-error" edits="textbook"
# - return x.view(b, tokens, heads * d_k)
# + return x.view(b, tokens, heads * d_k

# %% mistake="too-slow" edits="textbook"
# - return x.view(b, tokens, heads * d_k)
# + while True:
# +     x = x.contiguous()

# %% mistake="layout-dependent" edits="textbook"
# - b, heads, tokens, d_k = x.shape
# + b, heads, tokens, d_k = x.shape
# + x = x.view(b * heads, tokens, d_k).view(b, heads, tokens, d_k)

# %% mistake="reshape-not-transpose: the width second, the tokens third" edits="textbook"
# - x = x.transpose(1, 2).contiguous()
# + x = x.transpose(1, 3).contiguous()

# %% mistake="heads-added-up: in every place" edits="textbook"
# - return x.view(b, tokens, heads * d_k)
# + return x.sum(dim=2).repeat(1, 1, heads)

# %% mistake="heads-added-up: their mean, in every place" edits="textbook"
# - return x.view(b, tokens, heads * d_k)
# + return x.mean(dim=2).repeat(1, 1, heads)

# %% mistake="slices-misplaced: one feature after another" edits="one head at a time"
# - out[..., i * w : (i + 1) * w] = x[:, i]
# + out[..., i : i + w] = x[:, i]

# %% mistake="slices-misplaced: times the number of heads" edits="one head at a time"
# - out[..., i * w : (i + 1) * w] = x[:, i]
# + out[..., i * h : i * h + w] = x[:, i]
