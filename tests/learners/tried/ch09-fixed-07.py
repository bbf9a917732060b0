# %% setup
import torch
import torch.nn.functional as F

# %% correct="mine"
def fixed_07(x):
    T = x.shape[0]
    mask = torch.ones(T, T).tril().bool()
    return F.scaled_dot_product_attention(x, x, x, attn_mask=mask)

# %% mistake="mask-inverted: triu from 1 on" edits="mine"
# - mask = torch.ones(T, T).tril().bool()
# + mask = torch.ones(T, T).triu(diagonal=1).bool()

# %% mistake="mask-hides-diagonal: turned round from 0 on" edits="mine"
# - mask = torch.ones(T, T).tril().bool()
# + mask = ~torch.ones(T, T).triu(diagonal=0).bool()

# %% mistake="mask-missing" edits="mine"
# - return F.scaled_dot_product_attention(x, x, x, attn_mask=mask)
# + return F.scaled_dot_product_attention(x, x, x)

# %% mistake="mask-zero-not-inf: a mask of numbers, in float32" edits="mine"
# - mask = torch.ones(T, T).tril().bool()
# + mask = torch.ones(T, T).tril()

# %% mistake="mask-zero-not-inf: a mask of numbers" edits="mine"
# - mask = torch.ones(T, T).tril().bool()
# + mask = torch.ones(T, T, dtype=x.dtype).tril()

# %% mistake="missing-scale" edits="mine"
# - return F.scaled_dot_product_attention(x, x, x, attn_mask=mask)
# + scores = (x @ x.T).masked_fill(~mask, -torch.inf)
# + return torch.softmax(scores, dim=-1) @ x

# %% mistake="mask-hides-diagonal: tril from -1 on" edits="mine"
# - mask = torch.ones(T, T).tril().bool()
# + mask = torch.ones(T, T).tril(-1).bool()

# %% mistake="raises: a mask and is_causal" edits="mine"
# - return F.scaled_dot_product_attention(x, x, x, attn_mask=mask)
# + return F.scaled_dot_product_attention(x, x, x, attn_mask=mask, is_causal=True)

# %% mistake="missing-scale: and turned round" also="mask-inverted" edits="mine"
# - mask = torch.ones(T, T).tril().bool()
# - return F.scaled_dot_product_attention(x, x, x, attn_mask=mask)
# + hidden = torch.ones(T, T).tril(-1).bool()
# + return torch.softmax((x @ x.T).masked_fill(hidden, -torch.inf), dim=-1) @ x

# %% mistake="missing-scale: and no mask" also="mask-missing" edits="mine"
# - mask = torch.ones(T, T).tril().bool()
# - return F.scaled_dot_product_attention(x, x, x, attn_mask=mask)
# + return torch.softmax(x @ x.T, dim=-1) @ x
