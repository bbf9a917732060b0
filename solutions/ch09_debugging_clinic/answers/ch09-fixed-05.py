# %% setup
import torch


# %% correct="textbook"
def fixed_05(heads):
    return torch.cat(list(heads), dim=-1)


# %% correct="transpose, then glue"
def fixed_05(heads):
    h, num_tokens, head_dim = heads.shape
    return heads.transpose(0, 1).reshape(num_tokens, h * head_dim)


# %% correct="token by token"
def fixed_05(heads):
    rows = []
    for t in range(heads.shape[1]):
        rows.append(heads[:, t].flatten())
    return torch.stack(rows)


# %% correct="hstack"
def fixed_05(heads):
    return torch.hstack([head for head in heads])


# %% mistake="heads-merged-without-transpose: one below the other" edits="textbook"
# - return torch.cat(list(heads), dim=-1)
# + return torch.cat(list(heads), dim=0).view(heads.shape[1], -1)

# %% mistake="wrong-shape: the view left out" edits="textbook"
# - return torch.cat(list(heads), dim=-1)
# + return torch.cat(list(heads), dim=0)

# %% mistake="heads-merged-without-transpose: a reshape" edits="textbook"
# - return torch.cat(list(heads), dim=-1)
# + return heads.reshape(heads.shape[1], -1)

# %% mistake="heads-interleaved" edits="textbook"
# - return torch.cat(list(heads), dim=-1)
# + return torch.stack(list(heads), dim=-1).flatten(1)

# %% mistake="heads-reversed" edits="textbook"
# - return torch.cat(list(heads), dim=-1)
# + return torch.cat(list(heads)[::-1], dim=-1)

# %% mistake="result-transposed" also="wrong-shape" edits="textbook"
# - return torch.cat(list(heads), dim=-1)
# + return torch.cat(list(heads), dim=-1).T

# %% mistake="wrong-shape: not glued" edits="textbook"
# - return torch.cat(list(heads), dim=-1)
# + return heads.transpose(0, 1)

# %% mistake="wrong-shape: added up" edits="textbook"
# - return torch.cat(list(heads), dim=-1)
# + return sum(heads)

# %% mistake="wrong-type: a list" edits="textbook"
# - return torch.cat(list(heads), dim=-1)
# + return [head for head in heads]

# %% mistake="no-gradient" edits="textbook"
# - return torch.cat(list(heads), dim=-1)
# + return torch.cat(list(heads.detach()), dim=-1)

# %% mistake="wrong-dtype" edits="textbook"
# - return torch.cat(list(heads), dim=-1)
# + h, t, w = heads.shape
# + merged = torch.zeros(t, h * w)
# + for i in range(h):
# +     merged[:, i * w : (i + 1) * w] = heads[i]
# + return merged

# %% mistake="unrecognized: tokens reversed" edits="textbook"
# - return torch.cat(list(heads), dim=-1)
# + return torch.cat(list(heads), dim=-1).flip(0)

# %% mistake="unrecognized: one head twice" edits="textbook"
# - return torch.cat(list(heads), dim=-1)
# + return torch.cat([heads[0]] * len(heads), dim=-1)

# %% mistake="not-implemented" edits="textbook"
# - return torch.cat(list(heads), dim=-1)
# + raise NotImplementedError("Write your answer here, then delete this line.")


# %% correct="written into zeros, head by head"
def fixed_05(heads):
    h, num_tokens, head_dim = heads.shape
    out = torch.zeros(num_tokens, h * head_dim, dtype=heads.dtype, device=heads.device)
    for i in range(h):
        out[:, i * head_dim : (i + 1) * head_dim] = heads[i]
    return out


# %% mistake="heads-merged-without-transpose: the width and the tokens exchanged" edits="textbook"
# - return torch.cat(list(heads), dim=-1)
# + return heads.transpose(1, 2).reshape(heads.shape[1], -1)

# %% mistake="heads-merged-without-transpose: all axes turned round" edits="textbook"
# - return torch.cat(list(heads), dim=-1)
# + return heads.permute(2, 1, 0).reshape(heads.shape[1], -1)
