# %% setup
import torch
from torch import nn

# %% correct="mine"
def to_torch_mha(mha):
    m = nn.MultiheadAttention(mha.d_out, mha.num_heads, batch_first=True)
    layers = [mha.W_query, mha.W_key, mha.W_value]
    with torch.no_grad():
        stacked = torch.cat([one.weight for one in layers])
        m.in_proj_weight.copy_(stacked)
        if mha.W_query.bias is None:
            m.in_proj_bias.zero_()
        else:
            biases = torch.cat([one.bias for one in layers])
            m.in_proj_bias.copy_(biases)
        m.out_proj.weight.copy_(mha.out_proj.weight)
        m.out_proj.bias.copy_(mha.out_proj.bias)
    return m.eval()

# %% mistake="stacked-in-another-order: key, query, value" edits="mine"
# - layers = [mha.W_query, mha.W_key, mha.W_value]
# + layers = [mha.W_key, mha.W_value, mha.W_query]

# %% mistake="query-key-swapped: K, Q, V" edits="mine"
# - layers = [mha.W_query, mha.W_key, mha.W_value]
# + layers = [mha.W_key, mha.W_query, mha.W_value]

# %% mistake="stacked-in-another-order: head by head, the weights alone" edits="mine"
# - stacked = torch.cat([one.weight for one in layers])
# + parts = []
# + for h in range(mha.num_heads):
# +     for one in layers:
# +         parts.append(one.weight[h * mha.head_dim : (h + 1) * mha.head_dim])
# + stacked = torch.cat(parts)

# %% mistake="stacked-in-another-order: head by head" edits="mine"
# - stacked = torch.cat([one.weight for one in layers])
# + rows = [slice(h * mha.head_dim, (h + 1) * mha.head_dim) for h in range(mha.num_heads)]
# + stacked = torch.cat([one.weight[part] for part in rows for one in layers])
# - biases = torch.cat([one.bias for one in layers])
# + biases = torch.cat([one.bias[part] for part in rows for one in layers])

# %% mistake="stacked-in-another-order: stacked and viewed, the weights alone" edits="mine"
# - stacked = torch.cat([one.weight for one in layers])
# + stacked = torch.stack([one.weight for one in layers], dim=1).view(3 * mha.d_out, mha.d_out)

# %% mistake="stacked-in-another-order: stacked at the end" edits="mine"
# - stacked = torch.cat([one.weight for one in layers])
# + stacked = torch.stack([one.weight for one in layers], dim=-1).reshape(3 * mha.d_out, mha.d_out)

# %% mistake="heads-interleaved: the rows of a head dealt out" edits="mine"
# - stacked = torch.cat([one.weight for one in layers])
# + shape = (mha.num_heads, mha.head_dim, mha.d_out)
# + stacked = torch.cat([one.weight.view(shape).transpose(0, 1).flatten(0, 1) for one in layers])

# %% mistake="weight-not-transposed: turned by hand" edits="mine"
# - stacked = torch.cat([one.weight for one in layers])
# + stacked = torch.cat([one.weight.T for one in layers])

# %% mistake="batch-first-missing: forgotten" edits="mine"
# - m = nn.MultiheadAttention(mha.d_out, mha.num_heads, batch_first=True)
# + m = nn.MultiheadAttention(mha.d_out, mha.num_heads)

# %% mistake="left-in-training: no eval" edits="mine"
# - return m.eval()
# + return m

# %% mistake="mode-changed: mha.eval()" edits="mine"
# - return m.eval()
# + mha.eval()
# + return m.eval()

# %% mistake="raises: the bias is not asked for" edits="mine"
# - if mha.W_query.bias is None:
# -     m.in_proj_bias.zero_()
# - else:
# -     biases = torch.cat([one.bias for one in layers])
# -     m.in_proj_bias.copy_(biases)
# + m.in_proj_bias.copy_(torch.cat([one.bias for one in layers]))

# %% mistake="raises: side by side" edits="mine"
# - stacked = torch.cat([one.weight for one in layers])
# + stacked = torch.cat([one.weight for one in layers], dim=1)

# %% mistake="storage-shared: the output layer itself" edits="mine"
# - m.out_proj.weight.copy_(mha.out_proj.weight)
# - m.out_proj.bias.copy_(mha.out_proj.bias)
# + m.out_proj = mha.out_proj

# %% mistake="bias-ignored: of the output" edits="mine"
# - m.out_proj.bias.copy_(mha.out_proj.bias)

# %% mistake="query-key-swapped: and the output's bias is missing" also="bias-ignored" edits="mine"
# - layers = [mha.W_query, mha.W_key, mha.W_value]
# + layers = [mha.W_key, mha.W_query, mha.W_value]
# - m.out_proj.bias.copy_(mha.out_proj.bias)

# %% mistake="weight-not-transposed: the output's, and another order" also="stacked-in-another-order" edits="mine"
# - layers = [mha.W_query, mha.W_key, mha.W_value]
# + layers = [mha.W_value, mha.W_key, mha.W_query]
# - m.out_proj.weight.copy_(mha.out_proj.weight)
# + m.out_proj.weight.copy_(mha.out_proj.weight.T)

# %% mistake="query-key-swapped: the weights alone" edits="mine"
# - stacked = torch.cat([one.weight for one in layers])
# + stacked = torch.cat([mha.W_key.weight, mha.W_query.weight, mha.W_value.weight])

# %% mistake="shared-projection: a weight copied and pasted" edits="mine"
# - stacked = torch.cat([one.weight for one in layers])
# + stacked = torch.cat([mha.W_query.weight, mha.W_query.weight, mha.W_value.weight])

# %% mistake="stacked-in-another-order: the biases alone" edits="mine"
# - biases = torch.cat([one.bias for one in layers])
# + biases = torch.cat([mha.W_key.bias, mha.W_query.bias, mha.W_value.bias])

# %% mistake="query-key-swapped: weights alone, out_proj turned" also="weight-not-transposed" edits="mine"
# - stacked = torch.cat([one.weight for one in layers])
# + stacked = torch.cat([mha.W_key.weight, mha.W_query.weight, mha.W_value.weight])
# - m.out_proj.weight.copy_(mha.out_proj.weight)
# + m.out_proj.weight.copy_(mha.out_proj.weight.T)

# %% mistake="shared-projection: a weight pasted, and no biases of the three" also="bias-ignored" edits="mine"
# - stacked = torch.cat([one.weight for one in layers])
# + stacked = torch.cat([mha.W_query.weight, mha.W_query.weight, mha.W_value.weight])
# - biases = torch.cat([one.bias for one in layers])
# - m.in_proj_bias.copy_(biases)
# + pass

# %% mistake="another-number-of-heads: head_dim where num_heads belongs" edits="mine"
# - m = nn.MultiheadAttention(mha.d_out, mha.num_heads, batch_first=True)
# + m = nn.MultiheadAttention(mha.d_out, mha.head_dim, batch_first=True)

# %% mistake="left-in-training: and batch_first is missing" also="batch-first-missing" never="numbers are right" edits="mine"
# - m = nn.MultiheadAttention(mha.d_out, mha.num_heads, batch_first=True)
# + m = nn.MultiheadAttention(mha.d_out, mha.num_heads)
# - return m.eval()
# + return m

# %% mistake="transfer-incomplete: rows filled in, the value's forgotten" edits="mine"
# - stacked = torch.cat([one.weight for one in layers])
# - m.in_proj_weight.copy_(stacked)
# + d = mha.d_out
# + for i, one in enumerate([mha.W_query, mha.W_key]):
# +     m.in_proj_weight[i * d : (i + 1) * d] = one.weight

# %% mistake="transfer-incomplete: the output projection forgotten" edits="mine"
# - m.out_proj.weight.copy_(mha.out_proj.weight)
# - m.out_proj.bias.copy_(mha.out_proj.bias)

# %% mistake="raises: no no_grad" edits="mine"
# - with torch.no_grad():
# + if True:

# %% mistake="raises: joined side by side, seen when it is used" never="line named|Your line" edits="mine"
# - stacked = torch.cat([one.weight for one in layers])
# + m.in_proj_weight = nn.Parameter(torch.cat([one.weight for one in layers], dim=1))
# - m.in_proj_weight.copy_(stacked)
