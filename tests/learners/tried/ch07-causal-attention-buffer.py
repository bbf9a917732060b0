# %% setup
import numpy as np
import torch
from torch import nn


# %% correct="mine"
class CausalAttentionWithBuffer(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        future = torch.triu(torch.ones(context_length, context_length), diagonal=1) == 1
        self.register_buffer("mask", future)

    def forward(self, x):
        b, num_tokens, d_in = x.shape
        keys, queries, values = self.W_key(x), self.W_query(x), self.W_value(x)
        attn_scores = queries @ keys.transpose(1, 2)
        attn_scores = attn_scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
        attn_scores = attn_scores / keys.shape[-1] ** 0.5
        attn_weights = self.dropout(torch.softmax(attn_scores, dim=-1))
        return attn_weights @ values


# %% mistake="tensor-left-behind: a mask of its own in forward" edits="mine"
# - attn_scores = attn_scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
# + mask = torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1).bool()
# + attn_scores = attn_scores.masked_fill(mask, -torch.inf)

# %% mistake="wrong-dtype: float() at the end" edits="mine"
# - return attn_weights @ values
# + return (attn_weights @ values).float()

# %% mistake="plain-tensor: a scale" edits="mine"
# - self.register_buffer("mask", future)
# + self.register_buffer("mask", future)
# + self.scale = torch.tensor(d_out**0.5)
# - attn_scores = attn_scores / keys.shape[-1] ** 0.5
# + attn_scores = attn_scores / self.scale

# %% mistake="mask-not-saved: persistent=False" edits="mine"
# - self.register_buffer("mask", future)
# + self.register_buffer("mask", future, persistent=False)

# %% mistake="raises: register_buffer without a name" edits="mine"
# - self.register_buffer("mask", future)
# + self.register_buffer(future)

# %% mistake="raises: register_buffer, assigned" edits="mine"
# - self.register_buffer("mask", future)
# + self.mask = self.register_buffer("mask", future)

# %% mistake="raises: the attribute is there already" edits="mine"
# - self.register_buffer("mask", future)
# + self.mask = future
# + self.register_buffer("mask", self.mask)

# %% mistake="mask-not-buffer: a plain mask" edits="mine"
# - self.register_buffer("mask", future)
# + self.mask = future

# %% mistake="mask-not-buffer: a plain mask, moved in forward" edits="mine"
# - self.register_buffer("mask", future)
# + self.mask = future
# - attn_scores = attn_scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
# + mask = self.mask.to(x.device)
# + attn_scores = attn_scores.masked_fill(mask[:num_tokens, :num_tokens], -torch.inf)

# %% mistake="mask-not-buffer: a parameter" edits="mine"
# - self.register_buffer("mask", future)
# + self.mask = nn.Parameter(future.float(), requires_grad=False)
# - attn_scores = attn_scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
# + mask = self.mask[:num_tokens, :num_tokens].bool()
# + attn_scores = attn_scores.masked_fill(mask, -torch.inf)

# %% mistake="mask-not-buffer: another name" edits="mine"
# - self.register_buffer("mask", future)
# + self.register_buffer("causal_mask", future)
# - attn_scores = attn_scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
# + attn_scores = attn_scores.masked_fill(self.causal_mask[:num_tokens, :num_tokens], -torch.inf)

# %% mistake="mask-not-sliced: the whole buffer" edits="mine"
# - attn_scores = attn_scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
# + attn_scores = attn_scores.masked_fill(self.mask, -torch.inf)

# %% mistake="raises: forward misspelled" edits="mine"
# - def forward(self, x):
# + def foward(self, x):

# %% mistake="raises: qkv_bias forgotten" edits="mine"
# - def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
# + def __init__(self, d_in, d_out, context_length, dropout):
# +     qkv_bias = False

# %% mistake="mask-inverted: tril in the buffer" edits="mine"
# - future = torch.triu(torch.ones(context_length, context_length), diagonal=1) == 1
# + future = torch.tril(torch.ones(context_length, context_length)).bool()

# %% mistake="mask-inverted: equal to 0, with -1e9" edits="mine"
# - attn_scores = attn_scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
# + attn_scores = attn_scores.masked_fill(self.mask[:num_tokens, :num_tokens] == 0, -1e9)

# %% mistake="mask-inverted: tilde" edits="mine"
# - attn_scores = attn_scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
# + attn_scores = attn_scores.masked_fill(~self.mask[:num_tokens, :num_tokens], -torch.inf)

# %% mistake="mask-missing: masked_fill without an underscore" edits="mine"
# - attn_scores = attn_scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
# + attn_scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)

# %% mistake="mask-hides-diagonal: triu without a diagonal" edits="mine"
# - future = torch.triu(torch.ones(context_length, context_length), diagonal=1) == 1
# + future = torch.triu(torch.ones(context_length, context_length)) == 1

# %% mistake="dropout-never: forgotten" edits="mine"
# - attn_weights = self.dropout(torch.softmax(attn_scores, dim=-1))
# + attn_weights = torch.softmax(attn_scores, dim=-1)

# %% mistake="softmax-wrong-axis: dim 1" edits="mine"
# - attn_weights = self.dropout(torch.softmax(attn_scores, dim=-1))
# + attn_weights = self.dropout(torch.softmax(attn_scores, dim=1))

# %% mistake="query-key-swapped: keys first" edits="mine"
# - attn_scores = queries @ keys.transpose(1, 2)
# + attn_scores = keys @ queries.transpose(1, 2)

# %% mistake="missing-scale: and over columns" also="softmax-wrong-axis" edits="mine"
# - attn_scores = attn_scores / keys.shape[-1] ** 0.5
# + pass
# - attn_weights = self.dropout(torch.softmax(attn_scores, dim=-1))
# + attn_weights = self.dropout(torch.softmax(attn_scores, dim=1))

# %% mistake="missing-scale: and no mask" also="mask-missing" edits="mine"
# - attn_scores = attn_scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
# + attn_scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
# - attn_scores = attn_scores / keys.shape[-1] ** 0.5
# + pass

# %% mistake="missing-scale: and the mask turned round" also="mask-inverted" edits="mine"
# - attn_scores = attn_scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
# + attn_scores = attn_scores.masked_fill(~self.mask[:num_tokens, :num_tokens], -torch.inf)
# - attn_scores = attn_scores / keys.shape[-1] ** 0.5
# + pass

# %% mistake="scale-by-dk: and the mask turned round, with -1e9" also="mask-inverted" edits="mine"
# - attn_scores = attn_scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
# + attn_scores = attn_scores.masked_fill(self.mask[:num_tokens, :num_tokens] == 0, -1e9)
# - attn_scores = attn_scores / keys.shape[-1] ** 0.5
# + attn_scores = attn_scores / keys.shape[-1]

# %% mistake="query-key-swapped: and no mask" also="mask-missing" edits="mine"
# - attn_scores = queries @ keys.transpose(1, 2)
# + attn_scores = keys @ queries.transpose(1, 2)
# - attn_scores = attn_scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
# + attn_scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)

# %% mistake="missing-scale: and the values from W_key" also="shared-projection" edits="mine"
# - keys, queries, values = self.W_key(x), self.W_query(x), self.W_value(x)
# + keys, queries, values = self.W_key(x), self.W_query(x), self.W_key(x)
# - attn_scores = attn_scores / keys.shape[-1] ** 0.5
# + pass

# %% mistake="mask-nan: the mask turned round, and over columns" edits="mine"
# - attn_scores = attn_scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
# + attn_scores = attn_scores.masked_fill(~self.mask[:num_tokens, :num_tokens], -torch.inf)
# - attn_weights = self.dropout(torch.softmax(attn_scores, dim=-1))
# + attn_weights = self.dropout(torch.softmax(attn_scores, dim=1))

# %% mistake="mask-after-softmax: and no scale" also="missing-scale" edits="mine"
# - attn_scores = attn_scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
# - attn_scores = attn_scores / keys.shape[-1] ** 0.5
# + pass
# - attn_weights = self.dropout(torch.softmax(attn_scores, dim=-1))
# + attn_weights = torch.softmax(attn_scores, dim=-1)
# + attn_weights = self.dropout(attn_weights.masked_fill(self.mask[:num_tokens, :num_tokens], 0.0))

# %% mistake="mask-hides-diagonal: and no scale" also="missing-scale" edits="mine"
# - future = torch.triu(torch.ones(context_length, context_length), diagonal=1) == 1
# + future = torch.triu(torch.ones(context_length, context_length)) == 1
# - attn_scores = attn_scores / keys.shape[-1] ** 0.5
# + pass

# %% mistake="query-key-swapped: and scaled by the tokens" also="scale-by-tokens" edits="mine"
# - attn_scores = queries @ keys.transpose(1, 2)
# + attn_scores = keys @ queries.transpose(1, 2)
# - attn_scores = attn_scores / keys.shape[-1] ** 0.5
# + attn_scores = attn_scores / num_tokens**0.5

# %% mistake="mask-zero-not-inf: and no scale" also="missing-scale" edits="mine"
# - attn_scores = attn_scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
# - attn_scores = attn_scores / keys.shape[-1] ** 0.5
# + attn_scores = torch.tril(attn_scores)

# %% mistake="mask-inverted: and the mask is a plain attribute" edits="mine"
# - self.register_buffer("mask", future)
# + self.mask = ~future

# %% mistake="last-left-out: hidden one by one, up to the last but one" edits="mine"
# - attn_scores = attn_scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
# + for i in range(num_tokens):
# +     for j in range(i + 1, num_tokens - 1):
# +         attn_scores[:, i, j] = -torch.inf

# %% mistake="mask-hides-diagonal: hidden one by one, from the diagonal on" also="not-finite" edits="mine"
# - attn_scores = attn_scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
# + for i in range(num_tokens):
# +     for j in range(i, num_tokens):
# +         attn_scores[:, i, j] = -torch.inf

# %% mistake="tensor-left-behind: x goes to the CPU" never="still on the CPU|stays behind" edits="mine"
# - b, num_tokens, d_in = x.shape
# + x = x.cpu()
# + b, num_tokens, d_in = x.shape

# %% mistake="precision-lost: something small is added" never="as if a float32" says="to keep a division" edits="mine"
# - attn_weights = self.dropout(torch.softmax(attn_scores, dim=-1))
# + powers = torch.exp(attn_scores - attn_scores.amax(-1, keepdim=True))
# + attn_weights = self.dropout(powers / (powers.sum(-1, keepdim=True) + 1e-9))

# %% mistake="no-gradient: the product by NumPy" edits="mine" never="On another device|Not all is where"
# - return attn_weights @ values
# + return torch.tensor(attn_weights.detach().numpy() @ values.detach().numpy())

# %% mistake="no-gradient: the softmax by NumPy" edits="mine" never="On another device|Not all is where"
# - attn_weights = self.dropout(torch.softmax(attn_scores, dim=-1))
# + scores = attn_scores.detach().numpy()
# + powers = np.exp(scores - scores.max(-1, keepdims=True))
# + attn_weights = self.dropout(torch.tensor(powers / powers.sum(-1, keepdims=True)))

# %% mistake="raises: an exponential of NumPy" edits="mine" says="Which function or method of torch does the same"
# - attn_weights = self.dropout(torch.softmax(attn_scores, dim=-1))
# + powers = np.exp(attn_scores)
# + attn_weights = self.dropout(powers / powers.sum(-1, keepdims=True))

# %% mistake="raises: an array meets a tensor" edits="mine" says="Which of your lines makes it"
# - return attn_weights @ values
# + return attn_weights.detach().numpy() @ values
