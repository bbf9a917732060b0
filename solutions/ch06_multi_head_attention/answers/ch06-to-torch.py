# %% setup
import copy

import torch
from torch import nn


# %% correct="textbook"
def to_torch_mha(mha):
    library = nn.MultiheadAttention(mha.d_out, mha.num_heads, batch_first=True)
    layers = [mha.W_query, mha.W_key, mha.W_value]
    with torch.no_grad():
        library.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers], dim=0))
        if mha.W_query.bias is not None:
            library.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers], dim=0))
        library.out_proj.weight.copy_(mha.out_proj.weight)
        library.out_proj.bias.copy_(mha.out_proj.bias)
    library.eval()
    return library


# %% correct="by state dict"
def to_torch_mha(mha):
    state = mha.state_dict()
    zeros = torch.zeros(mha.d_out, device=mha.out_proj.weight.device)
    names = ("W_query", "W_key", "W_value")
    library = nn.MultiheadAttention(embed_dim=mha.d_out, num_heads=mha.num_heads, batch_first=True).eval()
    library.load_state_dict(
        {
            "in_proj_weight": torch.vstack([state[f"{name}.weight"] for name in names]),
            "in_proj_bias": torch.cat([state.get(f"{name}.bias", zeros) for name in names]),
            "out_proj.weight": state["out_proj.weight"],
            "out_proj.bias": state["out_proj.bias"],
        }
    )
    return library


# %% correct="slice by slice, new parameters for the output"
def to_torch_mha(mha):
    n = mha.d_out
    library = nn.MultiheadAttention(n, n // mha.head_dim, batch_first=True)
    library.train(False)
    for i, layer in enumerate((mha.W_query, mha.W_key, mha.W_value)):
        rows = slice(i * n, (i + 1) * n)
        library.in_proj_weight.data[rows] = layer.weight.data
        library.in_proj_bias.data[rows] = 0.0 if layer.bias is None else layer.bias.data
    library.out_proj.weight = nn.Parameter(mha.out_proj.weight.detach().clone())
    library.out_proj.bias = nn.Parameter(mha.out_proj.bias.detach().clone())
    return library


# %% correct="without in_proj_bias where there is none"
def to_torch_mha(mha):
    has_bias = mha.W_query.bias is not None
    library = nn.MultiheadAttention(mha.d_out, mha.num_heads, bias=has_bias, batch_first=True).eval()
    weights = torch.cat((mha.W_query.weight, mha.W_key.weight, mha.W_value.weight))
    library.in_proj_weight = nn.Parameter(weights.detach().clone())
    if has_bias:
        biases = torch.cat((mha.W_query.bias, mha.W_key.bias, mha.W_value.bias))
        library.in_proj_bias = nn.Parameter(biases.detach().clone())
    library.out_proj.weight = nn.Parameter(mha.out_proj.weight.detach().clone())
    library.out_proj.bias = nn.Parameter(mha.out_proj.bias.detach().clone())
    return library


# %% correct="tests itself afterwards" edits="textbook"
# - return library
# + x = torch.rand(2, 3, mha.d_out, device=mha.out_proj.weight.device)
# + hidden = torch.ones(3, 3, device=x.device).triu(1).bool()
# + library.to(x.device)
# + assert torch.allclose(library(x, x, x, attn_mask=hidden)[0], mha(x), atol=1e-4)
# + return library

# %% mistake="batch-first-missing" edits="textbook"
# - library = nn.MultiheadAttention(mha.d_out, mha.num_heads, batch_first=True)
# + library = nn.MultiheadAttention(mha.d_out, mha.num_heads)

# %% mistake="left-in-training" edits="textbook"
# - library.eval()

# %% mistake="left-in-training: eval called off again" edits="textbook"
# - return library
# + return library.train()

# %% mistake="weight-not-transposed: the stacked ones" edits="textbook"
# - library.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers], dim=0))
# + library.in_proj_weight.copy_(torch.cat([layer.weight.T for layer in layers], dim=0))

# %% mistake="weight-not-transposed" edits="textbook"
# - library.out_proj.weight.copy_(mha.out_proj.weight)
# + library.out_proj.weight.copy_(mha.out_proj.weight.T)

# %% mistake="weight-not-transposed: both" edits="textbook"
# - library.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers], dim=0))
# + library.in_proj_weight.copy_(torch.cat([layer.weight.T for layer in layers], dim=0))
# - library.out_proj.weight.copy_(mha.out_proj.weight)
# + library.out_proj.weight.copy_(mha.out_proj.weight.T)

# %% mistake="query-key-swapped" edits="textbook"
# - layers = [mha.W_query, mha.W_key, mha.W_value]
# + layers = [mha.W_key, mha.W_query, mha.W_value]

# %% mistake="key-value-swapped" edits="textbook"
# - layers = [mha.W_query, mha.W_key, mha.W_value]
# + layers = [mha.W_query, mha.W_value, mha.W_key]

# %% mistake="stacked-in-another-order" edits="textbook"
# - layers = [mha.W_query, mha.W_key, mha.W_value]
# + layers = [mha.W_value, mha.W_key, mha.W_query]

# %% mistake="stacked-in-another-order: value first" edits="textbook"
# - layers = [mha.W_query, mha.W_key, mha.W_value]
# + layers = [mha.W_value, mha.W_query, mha.W_key]

# %% mistake="stacked-in-another-order: key, value, query" edits="textbook"
# - layers = [mha.W_query, mha.W_key, mha.W_value]
# + layers = [mha.W_key, mha.W_value, mha.W_query]

# %% mistake="stacked-in-another-order: head by head" edits="textbook"
# - library.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers], dim=0))
# + heads = [layer.weight.view(mha.num_heads, mha.head_dim, -1) for layer in layers]
# + library.in_proj_weight.copy_(torch.cat(heads, dim=1).flatten(0, 1))
# - if mha.W_query.bias is not None:
# -     library.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers], dim=0))
# + if mha.W_query.bias is not None:
# +     heads = [layer.bias.view(mha.num_heads, mha.head_dim) for layer in layers]
# +     library.in_proj_bias.copy_(torch.cat(heads, dim=1).flatten())

# %% mistake="stacked-in-another-order: row by row" edits="textbook"
# - library.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers], dim=0))
# + library.in_proj_weight.copy_(torch.stack([layer.weight for layer in layers], dim=1).flatten(0, 1))
# - if mha.W_query.bias is not None:
# -     library.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers], dim=0))
# + if mha.W_query.bias is not None:
# +     library.in_proj_bias.copy_(torch.stack([layer.bias for layer in layers], dim=1).flatten())

# %% mistake="stacked-in-another-order: poured from side by side" edits="textbook"
# - library.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers], dim=0))
# + library.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers], dim=1).view(3 * mha.d_out, -1))

# %% mistake="shared-projection" edits="textbook"
# - layers = [mha.W_query, mha.W_key, mha.W_value]
# + layers = [mha.W_query, mha.W_query, mha.W_value]

# %% mistake="shared-projection: value from key" edits="textbook"
# - layers = [mha.W_query, mha.W_key, mha.W_value]
# + layers = [mha.W_query, mha.W_key, mha.W_key]

# %% mistake="shared-projection: one for all" edits="textbook"
# - layers = [mha.W_query, mha.W_key, mha.W_value]
# + layers = [mha.W_query] * 3

# %% mistake="bias-ignored" edits="textbook"
# - if mha.W_query.bias is not None:
# -     library.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers], dim=0))

# %% mistake="bias-ignored: the key's" edits="textbook"
# - library.out_proj.bias.copy_(mha.out_proj.bias)
# + library.out_proj.bias.copy_(mha.out_proj.bias)
# + library.in_proj_bias[mha.d_out : 2 * mha.d_out] = 0.0

# %% mistake="shared-projection: the query's bias for the key" edits="textbook"
# - library.out_proj.bias.copy_(mha.out_proj.bias)
# + library.out_proj.bias.copy_(mha.out_proj.bias)
# + if mha.W_query.bias is not None:
# +     library.in_proj_bias[mha.d_out : 2 * mha.d_out] = mha.W_query.bias

# %% mistake="bias-ignored: in the output projection" edits="textbook"
# - library.out_proj.bias.copy_(mha.out_proj.bias)

# %% mistake="bias-ignored: no biases at all" edits="textbook"
# - library = nn.MultiheadAttention(mha.d_out, mha.num_heads, batch_first=True)
# + library = nn.MultiheadAttention(mha.d_out, mha.num_heads, bias=False, batch_first=True)
# - if mha.W_query.bias is not None:
# -     library.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers], dim=0))
# + pass
# - library.out_proj.bias.copy_(mha.out_proj.bias)

# %% mistake="bias-ignored: the output's with the others" edits="textbook"
# - library = nn.MultiheadAttention(mha.d_out, mha.num_heads, batch_first=True)
# + has_bias = mha.W_query.bias is not None
# + library = nn.MultiheadAttention(mha.d_out, mha.num_heads, bias=has_bias, batch_first=True)
# - library.out_proj.bias.copy_(mha.out_proj.bias)
# + if mha.W_query.bias is not None:
# +     library.out_proj.bias.copy_(mha.out_proj.bias)

# %% mistake="bias-unexpected" edits="textbook"
# - if mha.W_query.bias is not None:
# -     library.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers], dim=0))
# + if mha.W_query.bias is not None:
# +     library.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers], dim=0))
# + else:
# +     library.in_proj_bias.fill_(1.0)

# %% mistake="bias-unexpected: the output's bias for query, key and value" edits="textbook"
# - if mha.W_query.bias is not None:
# -     library.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers], dim=0))
# + if mha.W_query.bias is not None:
# +     library.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers], dim=0))
# + else:
# +     library.in_proj_bias.copy_(mha.out_proj.bias.repeat(3))

# %% mistake="missing-out-proj" edits="textbook"
# - library.out_proj.weight.copy_(mha.out_proj.weight)
# + library.out_proj.weight.copy_(torch.eye(mha.d_out))
# - library.out_proj.bias.copy_(mha.out_proj.bias)
# + library.out_proj.bias.zero_()

# %% mistake="heads-not-split" edits="textbook"
# - library = nn.MultiheadAttention(mha.d_out, mha.num_heads, batch_first=True)
# + library = nn.MultiheadAttention(mha.d_out, 1, batch_first=True)

# %% mistake="another-number-of-heads: of width one" edits="textbook"
# - library = nn.MultiheadAttention(mha.d_out, mha.num_heads, batch_first=True)
# + library = nn.MultiheadAttention(mha.d_out, mha.d_out, batch_first=True)

# %% mistake="another-number-of-heads: as many as a head is wide" edits="textbook"
# - library = nn.MultiheadAttention(mha.d_out, mha.num_heads, batch_first=True)
# + library = nn.MultiheadAttention(mha.d_out, mha.head_dim, batch_first=True)

# %% mistake="storage-shared" also="mode-changed" edits="textbook"
# - library.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers], dim=0))
# + library.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers], dim=0))
# + library.out_proj = mha.out_proj
# - library.out_proj.weight.copy_(mha.out_proj.weight)
# + pass
# - library.out_proj.bias.copy_(mha.out_proj.bias)

# %% mistake="storage-shared: by data" edits="textbook"
# - library = nn.MultiheadAttention(mha.d_out, mha.num_heads, batch_first=True)
# + where = mha.out_proj.weight.device
# + library = nn.MultiheadAttention(mha.d_out, mha.num_heads, batch_first=True, device=where)
# - library.out_proj.weight.copy_(mha.out_proj.weight)
# + library.out_proj.weight.data = mha.out_proj.weight.data

# %% mistake="no-gradient" edits="textbook"
# - library.eval()
# + library.requires_grad_(False)
# + library.eval()

# %% mistake="no-gradient: only the stacked weights" edits="textbook"
# - library.eval()
# + library.in_proj_weight.requires_grad_(False)
# + library.eval()

# %% mistake="input-modified" edits="textbook"
# - return library
# + mha.requires_grad_(False)
# + return library

# %% mistake="input-modified: turned in place" edits="textbook"
# - library.out_proj.weight.copy_(mha.out_proj.weight)
# + mha.out_proj.weight.copy_(mha.out_proj.weight.T.clone())
# + library.out_proj.weight.copy_(mha.out_proj.weight.T)

# %% mistake="input-modified: scaled in place" edits="textbook"
# - library.out_proj.weight.copy_(mha.out_proj.weight)
# + mha.W_query.weight.mul_(2)
# + library.out_proj.weight.copy_(mha.out_proj.weight)

# %% mistake="unrecognized: scaled twice" edits="textbook"
# - library.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers], dim=0))
# + library.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers], dim=0))
# + library.in_proj_weight[: mha.d_out] /= mha.head_dim**0.5

# %% mistake="unrecognized: halved" edits="textbook"
# - library.out_proj.weight.copy_(mha.out_proj.weight)
# + library.out_proj.weight.copy_(mha.out_proj.weight / 2)

# %% mistake="not-finite" edits="textbook"
# - library.out_proj.weight.copy_(mha.out_proj.weight)
# + library.out_proj.weight.copy_(mha.out_proj.weight / 0.0)

# %% mistake="wrong-type: nothing returned" edits="textbook"
# - return library
# + library.eval()

# %% mistake="wrong-type: the given module" edits="textbook"
# - return library
# + return mha

# %% mistake="wrong-type: a copy of the given module" edits="textbook"
# - return library
# + return copy.deepcopy(mha)

# %% mistake="wrong-type: the class" edits="textbook"
# - return library
# + return nn.MultiheadAttention

# %% mistake="wrong-type: what is called" edits="textbook"
# - return library
# + return library.forward

# %% mistake="wrong-type: weights" edits="textbook"
# - return library
# + return library.state_dict()

# %% mistake="raises" edits="textbook"
# - with torch.no_grad():
# + if True:

# %% mistake="raises: a bias that is not there" edits="textbook"
# - if mha.W_query.bias is not None:
# -     library.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers], dim=0))
# + library.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers], dim=0))

# %% mistake="raises: side by side" edits="textbook"
# - library.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers], dim=0))
# + library.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers], dim=1))

# %% mistake="raises: a tensor is no parameter" edits="textbook"
# - library.out_proj.weight.copy_(mha.out_proj.weight)
# + library.out_proj.weight = mha.out_proj.weight.clone()

# %% mistake="raises: num_heads forgotten" edits="textbook"
# - library = nn.MultiheadAttention(mha.d_out, mha.num_heads, batch_first=True)
# + library = nn.MultiheadAttention(mha.d_out, batch_first=True)

# %% mistake="raises: the width of one head" edits="textbook"
# - library = nn.MultiheadAttention(mha.d_out, mha.num_heads, batch_first=True)
# + library = nn.MultiheadAttention(mha.head_dim, mha.num_heads, batch_first=True)

# %% mistake="raises: d_in is not promised" edits="textbook"
# - library = nn.MultiheadAttention(mha.d_out, mha.num_heads, batch_first=True)
# + library = nn.MultiheadAttention(mha.d_in, mha.num_heads, batch_first=True)

# %% mistake="raises: in double precision" edits="textbook"
# - return library
# + return library.double()

# %% mistake="not-implemented" edits="textbook"
# - return library
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="not-defined" edits="textbook"
# - def to_torch_mha(mha):
# + def to_torch(mha):

# %% mistake="syntax-error" edits="textbook"
# - def to_torch_mha(mha):
# + def to_torch_mha(mha)

# %% mistake="too-slow" edits="textbook"
# - return library
# + while True:
# +     library.eval()


# %% mistake="transfer-incomplete"
def to_torch_mha(mha):
    library = nn.MultiheadAttention(mha.d_out, mha.num_heads, batch_first=True)
    return library.eval()


# %% mistake="transfer-incomplete: no output projection" edits="textbook"
# - library.out_proj.weight.copy_(mha.out_proj.weight)
# + pass
# - library.out_proj.bias.copy_(mha.out_proj.bias)

# %% mistake="transfer-incomplete: only the output projection" edits="textbook"
# - library.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers], dim=0))
# + pass
# - if mha.W_query.bias is not None:
# -     library.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers], dim=0))

# %% mistake="transfer-incomplete: no weight of the output" edits="textbook"
# - library.out_proj.weight.copy_(mha.out_proj.weight)

# %% mistake="mode-changed" edits="textbook"
# - library.eval()
# + mha.eval()
# + library.eval()

# %% mistake="stacked-in-another-order: head by head, the weights alone" edits="textbook"
# - library.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers], dim=0))
# + heads = [layer.weight.view(mha.num_heads, mha.head_dim, -1) for layer in layers]
# + library.in_proj_weight.copy_(torch.cat(heads, dim=1).flatten(0, 1))

# %% mistake="stacked-in-another-order: row by row, the weights alone" edits="textbook"
# - library.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers], dim=0))
# + library.in_proj_weight.copy_(torch.stack([layer.weight for layer in layers], dim=1).flatten(0, 1))

# %% mistake="stacked-in-another-order: number by number" edits="textbook"
# - library.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers], dim=0))
# + stacked = torch.stack([layer.weight for layer in layers], dim=-1)
# + library.in_proj_weight.copy_(stacked.view(3 * mha.d_out, mha.d_out))

# %% mistake="heads-interleaved" edits="textbook"
# - library.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers], dim=0))
# + sizes = (mha.num_heads, mha.head_dim, mha.d_out)
# + rows = [layer.weight.view(sizes).transpose(0, 1).flatten(0, 1) for layer in layers]
# + library.in_proj_weight.copy_(torch.cat(rows, dim=0))

# %% mistake="heads-interleaved: with the biases" edits="textbook"
# - library.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers], dim=0))
# + sizes = (mha.num_heads, mha.head_dim, mha.d_out)
# + rows = [layer.weight.view(sizes).transpose(0, 1).flatten(0, 1) for layer in layers]
# + library.in_proj_weight.copy_(torch.cat(rows, dim=0))
# - if mha.W_query.bias is not None:
# -     library.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers], dim=0))
# + if mha.W_query.bias is not None:
# +     rows = [layer.bias.view(mha.num_heads, mha.head_dim).T.flatten() for layer in layers]
# +     library.in_proj_bias.copy_(torch.cat(rows, dim=0))


# %% correct="one step a line"
def to_torch_mha(mha):
    library = nn.MultiheadAttention(mha.d_out, mha.num_heads, batch_first=True)
    layers = [mha.W_query, mha.W_key, mha.W_value]
    zeros = torch.zeros(3 * mha.d_out)
    weights = torch.cat([layer.weight for layer in layers])
    biases = zeros if layers[0].bias is None else torch.cat([layer.bias for layer in layers])
    outer_weight = mha.out_proj.weight
    outer_bias = mha.out_proj.bias
    library.in_proj_weight.data.copy_(weights)
    library.in_proj_bias.data.copy_(biases)
    library.out_proj.weight.data.copy_(outer_weight)
    library.out_proj.bias.data.copy_(outer_bias)
    return library.eval()


# %% mistake="query-key-swapped: a step" edits="one step a line"
# - layers = [mha.W_query, mha.W_key, mha.W_value]
# + layers = [mha.W_key, mha.W_query, mha.W_value]

# %% mistake="key-value-swapped: a step" edits="one step a line"
# - layers = [mha.W_query, mha.W_key, mha.W_value]
# + layers = [mha.W_query, mha.W_value, mha.W_key]

# %% mistake="stacked-in-another-order: a step" edits="one step a line"
# - layers = [mha.W_query, mha.W_key, mha.W_value]
# + layers = [mha.W_value, mha.W_key, mha.W_query]

# %% mistake="stacked-in-another-order: a step, key, value, query" edits="one step a line"
# - layers = [mha.W_query, mha.W_key, mha.W_value]
# + layers = [mha.W_key, mha.W_value, mha.W_query]

# %% mistake="shared-projection: a step" edits="one step a line"
# - layers = [mha.W_query, mha.W_key, mha.W_value]
# + layers = [mha.W_query, mha.W_query, mha.W_value]

# %% mistake="weight-not-transposed: a step, the output" edits="one step a line"
# - outer_weight = mha.out_proj.weight
# + outer_weight = mha.out_proj.weight.T

# %% mistake="weight-not-transposed: a step, the stacked ones" edits="one step a line"
# - weights = torch.cat([layer.weight for layer in layers])
# + weights = torch.cat([layer.weight.T for layer in layers])

# %% mistake="bias-ignored: a step, the output" edits="one step a line"
# - outer_bias = mha.out_proj.bias
# + outer_bias = torch.zeros(mha.d_out)

# %% mistake="bias-ignored: a step" edits="one step a line"
# - biases = zeros if layers[0].bias is None else torch.cat([layer.bias for layer in layers])
# + biases = zeros

# %% mistake="batch-first-missing: a step" edits="one step a line"
# - library = nn.MultiheadAttention(mha.d_out, mha.num_heads, batch_first=True)
# + library = nn.MultiheadAttention(mha.d_out, mha.num_heads)

# %% mistake="heads-not-split: a step" edits="one step a line"
# - library = nn.MultiheadAttention(mha.d_out, mha.num_heads, batch_first=True)
# + library = nn.MultiheadAttention(mha.d_out, 1, batch_first=True)

# %% mistake="query-key-swapped: the weights alone" edits="one step a line"
# - weights = torch.cat([layer.weight for layer in layers])
# + weights = torch.cat([layers[i].weight for i in (1, 0, 2)])

# %% mistake="key-value-swapped: the weights alone" edits="one step a line"
# - weights = torch.cat([layer.weight for layer in layers])
# + weights = torch.cat([layers[i].weight for i in (0, 2, 1)])

# %% mistake="stacked-in-another-order: the weights alone, 2, 1, 0" edits="one step a line"
# - weights = torch.cat([layer.weight for layer in layers])
# + weights = torch.cat([layers[i].weight for i in (2, 1, 0)])

# %% mistake="stacked-in-another-order: the weights alone, 2, 0, 1" edits="one step a line"
# - weights = torch.cat([layer.weight for layer in layers])
# + weights = torch.cat([layers[i].weight for i in (2, 0, 1)])

# %% mistake="stacked-in-another-order: the weights alone, 1, 2, 0" edits="one step a line"
# - weights = torch.cat([layer.weight for layer in layers])
# + weights = torch.cat([layers[i].weight for i in (1, 2, 0)])

# %% mistake="stacked-in-another-order: the biases alone, 1, 0, 2" edits="one step a line"
# - biases = zeros if layers[0].bias is None else torch.cat([layer.bias for layer in layers])
# + biases = zeros if layers[0].bias is None else torch.cat([layers[i].bias for i in (1, 0, 2)])

# %% mistake="stacked-in-another-order: the biases alone, 0, 2, 1" edits="one step a line"
# - biases = zeros if layers[0].bias is None else torch.cat([layer.bias for layer in layers])
# + biases = zeros if layers[0].bias is None else torch.cat([layers[i].bias for i in (0, 2, 1)])

# %% mistake="stacked-in-another-order: the biases alone, 2, 1, 0" edits="one step a line"
# - biases = zeros if layers[0].bias is None else torch.cat([layer.bias for layer in layers])
# + biases = zeros if layers[0].bias is None else torch.cat([layers[i].bias for i in (2, 1, 0)])

# %% mistake="stacked-in-another-order: the biases alone, 2, 0, 1" edits="one step a line"
# - biases = zeros if layers[0].bias is None else torch.cat([layer.bias for layer in layers])
# + biases = zeros if layers[0].bias is None else torch.cat([layers[i].bias for i in (2, 0, 1)])

# %% mistake="stacked-in-another-order: the biases alone, 1, 2, 0" edits="one step a line"
# - biases = zeros if layers[0].bias is None else torch.cat([layer.bias for layer in layers])
# + biases = zeros if layers[0].bias is None else torch.cat([layers[i].bias for i in (1, 2, 0)])

# %% mistake="shared-projection: the weights alone, the key is the query" edits="one step a line"
# - weights = torch.cat([layer.weight for layer in layers])
# + weights = torch.cat([layers[i].weight for i in (0, 0, 2)])

# %% mistake="shared-projection: the weights alone, the query is the key" edits="one step a line"
# - weights = torch.cat([layer.weight for layer in layers])
# + weights = torch.cat([layers[i].weight for i in (1, 1, 2)])

# %% mistake="shared-projection: the weights alone, the value is the key" edits="one step a line"
# - weights = torch.cat([layer.weight for layer in layers])
# + weights = torch.cat([layers[i].weight for i in (0, 1, 1)])

# %% mistake="shared-projection: the weights alone, the key is the value" edits="one step a line"
# - weights = torch.cat([layer.weight for layer in layers])
# + weights = torch.cat([layers[i].weight for i in (0, 2, 2)])

# %% mistake="shared-projection: the weights alone, the value is the query" edits="one step a line"
# - weights = torch.cat([layer.weight for layer in layers])
# + weights = torch.cat([layers[i].weight for i in (0, 1, 0)])

# %% mistake="shared-projection: the weights alone, one for all" edits="one step a line"
# - weights = torch.cat([layer.weight for layer in layers])
# + weights = torch.cat([layers[i].weight for i in (0, 0, 0)])

# %% mistake="shared-projection: query from key" edits="one step a line"
# - layers = [mha.W_query, mha.W_key, mha.W_value]
# + layers = [mha.W_key, mha.W_key, mha.W_value]

# %% mistake="shared-projection: key from value" edits="one step a line"
# - layers = [mha.W_query, mha.W_key, mha.W_value]
# + layers = [mha.W_query, mha.W_value, mha.W_value]

# %% mistake="shared-projection: value from query" edits="one step a line"
# - layers = [mha.W_query, mha.W_key, mha.W_value]
# + layers = [mha.W_query, mha.W_key, mha.W_query]

# %% mistake="transfer-incomplete: no query's weight" edits="one step a line"
# - weights = torch.cat([layer.weight for layer in layers])
# + weights = torch.cat([layer.weight.data for layer in layers])
# + weights[0 * mha.d_out : 1 * mha.d_out] = library.in_proj_weight.data[0 * mha.d_out : 1 * mha.d_out]

# %% mistake="transfer-incomplete: no key's weight" edits="one step a line"
# - weights = torch.cat([layer.weight for layer in layers])
# + weights = torch.cat([layer.weight.data for layer in layers])
# + weights[1 * mha.d_out : 2 * mha.d_out] = library.in_proj_weight.data[1 * mha.d_out : 2 * mha.d_out]

# %% mistake="transfer-incomplete: no value's weight" edits="one step a line"
# - weights = torch.cat([layer.weight for layer in layers])
# + weights = torch.cat([layer.weight.data for layer in layers])
# + weights[2 * mha.d_out : 3 * mha.d_out] = library.in_proj_weight.data[2 * mha.d_out : 3 * mha.d_out]

# %% mistake="another-number-of-heads: a step" edits="one step a line"
# - library = nn.MultiheadAttention(mha.d_out, mha.num_heads, batch_first=True)
# + library = nn.MultiheadAttention(mha.d_out, mha.head_dim, batch_first=True)
