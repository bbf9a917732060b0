# %% setup
import torch


# %% correct="textbook"
def fixed_08(x, num_heads):
    b, num_tokens, d = x.shape
    x = x.view(b, num_tokens, num_heads, d // num_heads)
    return x.transpose(1, 2)


# %% correct="slices stacked"
def fixed_08(x, num_heads):
    return torch.stack(x.split(x.shape[-1] // num_heads, dim=-1), dim=1)


# %% correct="unflatten and permute"
def fixed_08(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).permute(0, 2, 1, 3).contiguous()


# %% correct="one head at a time"
def fixed_08(x, num_heads):
    width = x.shape[2] // num_heads
    heads = []
    for i in range(num_heads):
        heads.append(x[:, :, i * width : (i + 1) * width])
    return torch.stack(heads, dim=1)


# %% mistake="heads-not-transposed" edits="textbook"
# - x = x.view(b, num_tokens, num_heads, d // num_heads)
# - return x.transpose(1, 2)
# + return x.view(b, num_heads, num_tokens, d // num_heads)

# %% mistake="heads-not-transposed: reshape" edits="textbook"
# - x = x.view(b, num_tokens, num_heads, d // num_heads)
# - return x.transpose(1, 2)
# + return x.reshape(b, num_heads, num_tokens, d // num_heads)

# %% mistake="heads-not-transposed: contiguous does not help" edits="textbook"
# - x = x.view(b, num_tokens, num_heads, d // num_heads)
# - return x.transpose(1, 2)
# + return x.contiguous().view(b, num_heads, num_tokens, -1).contiguous()

# %% mistake="wrong-shape: no transpose at all" edits="textbook"
# - return x.transpose(1, 2)
# + return x

# %% mistake="heads-interleaved" edits="textbook"
# - x = x.view(b, num_tokens, num_heads, d // num_heads)
# - return x.transpose(1, 2)
# + x = x.view(b, num_tokens, d // num_heads, num_heads)
# + return x.permute(0, 3, 1, 2)

# %% mistake="heads-reversed" edits="textbook"
# - return x.transpose(1, 2)
# + return x.transpose(1, 2).flip(1)

# %% mistake="batch-leak" edits="textbook"
# - x = x.view(b, num_tokens, num_heads, d // num_heads)
# - return x.transpose(1, 2)
# + x = x.view(-1, num_heads, d // num_heads).transpose(0, 1)
# + return x.reshape(b, num_heads, num_tokens, d // num_heads)

# %% mistake="reshape-not-transpose" edits="textbook"
# - x = x.view(b, num_tokens, num_heads, d // num_heads)
# - return x.transpose(1, 2)
# + return x.transpose(1, 2).reshape(b, num_heads, num_tokens, d // num_heads)

# %% mistake="wrong-shape: other axes exchanged" edits="textbook"
# - return x.transpose(1, 2)
# + return x.transpose(2, 3)

# %% mistake="no-gradient" edits="textbook"
# - return x.transpose(1, 2)
# + return x.detach().transpose(1, 2)

# %% mistake="wrong-type: a tuple of heads" edits="textbook"
# - x = x.view(b, num_tokens, num_heads, d // num_heads)
# - return x.transpose(1, 2)
# + return x.chunk(num_heads, dim=-1)

# %% mistake="raises: view after the transpose" edits="textbook"
# - x = x.view(b, num_tokens, num_heads, d // num_heads)
# - return x.transpose(1, 2)
# + return x.transpose(1, 2).view(b, num_heads, num_tokens, d // num_heads)

# %% mistake="unrecognized: tokens in reverse" edits="textbook"
# - return x.transpose(1, 2)
# + return x.transpose(1, 2).flip(2)

# %% mistake="unrecognized: scaled" edits="textbook"
# - return x.transpose(1, 2)
# + return x.transpose(1, 2) / (d // num_heads) ** 0.5

# %% mistake="not-implemented" edits="textbook"
# - return x.transpose(1, 2)
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="heads-interleaved: tokens and width exchanged" also="wrong-shape" edits="textbook"
# - x = x.view(b, num_tokens, num_heads, d // num_heads)
# - return x.transpose(1, 2)
# + x = x.view(b, num_tokens, d // num_heads, num_heads)
# + return x.transpose(1, 3)

# %% mistake="heads-not-transposed: and transposed afterwards" also="wrong-shape" edits="textbook"
# - x = x.view(b, num_tokens, num_heads, d // num_heads)
# + x = x.view(b, num_heads, num_tokens, d // num_heads)
