# %% setup
import math

import torch
import torch.nn.functional as F

# %% correct="mine"
def causal_sdpa(query, key, value):
    T = query.shape[2]
    mask = torch.tril(torch.ones(T, T, device=query.device)).bool()
    out = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    return out

# %% correct="additive"
def causal_sdpa(query, key, value):
    T = query.shape[-2]
    future = torch.triu(torch.ones(T, T, dtype=torch.bool, device=query.device), diagonal=1)
    mask = torch.zeros(T, T, dtype=query.dtype, device=query.device)
    mask = mask.masked_fill(future, float("-inf"))
    return F.scaled_dot_product_attention(query, key, value, attn_mask=mask)

# %% mistake="forbidden-call: is_causal" edits="mine"
# - out = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
# + out = F.scaled_dot_product_attention(query, key, value, is_causal=True)

# %% mistake="mask-inverted: True where it is hidden" edits="mine"
# - mask = torch.tril(torch.ones(T, T, device=query.device)).bool()
# + mask = torch.triu(torch.ones(T, T, device=query.device), diagonal=1).bool()

# %% mistake="mask-inverted: the upper triangle" edits="mine"
# - mask = torch.tril(torch.ones(T, T, device=query.device)).bool()
# + mask = torch.triu(torch.ones(T, T, device=query.device)).bool()

# %% mistake="mask-inverted: turned round once too often" edits="mine"
# - out = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
# + out = F.scaled_dot_product_attention(query, key, value, attn_mask=~mask)

# %% mistake="mask-inverted: minus infinity where it may look" edits="additive"
# - mask = mask.masked_fill(future, float("-inf"))
# + mask = mask.masked_fill(~future, float("-inf"))

# %% mistake="mask-inverted: -1e9 where it may look" edits="additive"
# - mask = mask.masked_fill(future, float("-inf"))
# + mask = mask.masked_fill(future == 0, -1e9)

# %% mistake="mask-inverted: -1e20 where it may look" edits="additive"
# - mask = mask.masked_fill(future, float("-inf"))
# + mask = mask.masked_fill(~future, -1e20)

# %% mistake="mask-zero-not-inf: numbers, not bools" edits="mine"
# - mask = torch.tril(torch.ones(T, T, device=query.device)).bool()
# + mask = torch.tril(torch.ones(T, T, dtype=query.dtype, device=query.device))

# %% mistake="mask-zero-not-inf: minus one" edits="additive"
# - mask = mask.masked_fill(future, float("-inf"))
# + mask = mask.masked_fill(future, -1)

# %% mistake="mask-missing: the mask is not handed over" edits="mine"
# - out = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
# + out = F.scaled_dot_product_attention(query, key, value)

# %% mistake="mask-missing: masked_fill is not kept" edits="additive"
# - mask = mask.masked_fill(future, float("-inf"))
# + mask.masked_fill(future, float("-inf"))

# %% mistake="mask-hides-diagonal: from the diagonal on" edits="additive"
# - future = torch.triu(torch.ones(T, T, dtype=torch.bool, device=query.device), diagonal=1)
# + future = torch.triu(torch.ones(T, T, dtype=torch.bool, device=query.device))

# %% mistake="mask-looks-ahead: one token" edits="mine"
# - mask = torch.tril(torch.ones(T, T, device=query.device)).bool()
# + mask = torch.tril(torch.ones(T, T, device=query.device), diagonal=1).bool()

# %% mistake="mask-of-another-size: heads taken for tokens" edits="mine"
# - T = query.shape[2]
# + T = query.shape[1]

# %% mistake="raises: the width of a head" edits="mine"
# - T = query.shape[2]
# + T = query.shape[-1]

# %% mistake="raises: three numbers of four" edits="mine"
# - T = query.shape[2]
# + b, T, d = query.shape

# %% mistake="scale-by-dk: scaled by hand, too" edits="mine"
# - out = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
# + out = F.scaled_dot_product_attention(query / math.sqrt(query.shape[-1]), key, value, attn_mask=mask)

# %% mistake="query-key-swapped: another order" edits="mine"
# - out = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
# + out = F.scaled_dot_product_attention(key, query, value, attn_mask=mask)

# %% mistake="raises: the key is turned first" edits="mine"
# - out = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
# + out = F.scaled_dot_product_attention(query, key.transpose(-2, -1), value, attn_mask=mask)

# %% mistake="library-not-used: by hand"
def causal_sdpa(query, key, value):
    T = query.shape[-2]
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    mask = torch.triu(torch.ones(T, T, device=query.device), diagonal=1).bool()
    weights = torch.softmax(scores.masked_fill(mask, float("-inf")), dim=-1)
    return weights @ value

# %% mistake="wrong-shape: merged at once" edits="mine"
# - return out
# + return out.transpose(1, 2).reshape(query.shape[0], T, -1)

# %% mistake="wrong-type: no return" edits="mine"
# - return out

# %% mistake="query-key-swapped: and no mask" edits="mine"
# - out = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
# + out = F.scaled_dot_product_attention(key, query, value)

# %% mistake="mask-inverted: and swapped" also="query-key-swapped" edits="mine"
# - mask = torch.tril(torch.ones(T, T, device=query.device)).bool()
# - out = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
# + mask = torch.triu(torch.ones(T, T, device=query.device), diagonal=1).bool()
# + out = F.scaled_dot_product_attention(key, query, value, attn_mask=mask)

# %% mistake="mask-inverted: and scaled twice" also="scale-by-dk" edits="additive"
# - mask = mask.masked_fill(future, float("-inf"))
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
# + mask = mask.masked_fill(~future, float("-inf"))
# + return F.scaled_dot_product_attention(query / query.size(-1) ** 0.5, key, value, attn_mask=mask)

# %% mistake="scale-by-dk: and no mask" edits="mine"
# - out = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
# + key = key / math.sqrt(key.shape[-1])
# + out = F.scaled_dot_product_attention(query, key, value)

# %% mistake="mask-zero-not-inf: and swapped" also="query-key-swapped" edits="mine"
# - mask = torch.tril(torch.ones(T, T, device=query.device)).bool()
# - out = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
# + mask = torch.tril(torch.ones(T, T, dtype=query.dtype, device=query.device))
# + out = F.scaled_dot_product_attention(key, query, value, attn_mask=mask)

# %% mistake="mask-hides-diagonal: and scaled twice" also="scale-by-dk" edits="additive"
# - future = torch.triu(torch.ones(T, T, dtype=torch.bool, device=query.device), diagonal=1)
# + future = torch.triu(torch.ones(T, T, dtype=torch.bool, device=query.device))
# - mask = mask.masked_fill(future, float("-inf"))
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
# + mask = mask.masked_fill(future, -1e9)
# + return F.scaled_dot_product_attention(query / query.size(-1) ** 0.5, key, value, attn_mask=mask)

# %% mistake="mask-looks-ahead: and scaled twice" also="scale-by-dk" edits="mine"
# - mask = torch.tril(torch.ones(T, T, device=query.device)).bool()
# - out = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
# + mask = torch.tril(torch.ones(T, T, device=query.device), diagonal=1).bool()
# + out = F.scaled_dot_product_attention(query / math.sqrt(query.shape[-1]), key, value, attn_mask=mask)

# %% mistake="missing-scale: scale=1, and swapped" also="query-key-swapped" edits="mine"
# - out = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
# + out = F.scaled_dot_product_attention(key, query, value, attn_mask=mask, scale=1)

# %% mistake="mask-inverted: minus infinity in the lower triangle" edits="additive"
# - mask = torch.zeros(T, T, dtype=query.dtype, device=query.device)
# - mask = mask.masked_fill(future, float("-inf"))
# + mask = torch.full((T, T), -torch.inf, dtype=query.dtype, device=query.device).tril()

# %% mistake="unrecognized: with dropout" edits="mine"
# - out = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
# + out = F.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=0.1)

# %% mistake="mask-hides-diagonal: and swapped" also="key-value-swapped" edits="mine"
# - mask = torch.tril(torch.ones(T, T, device=query.device)).bool()
# - out = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
# + mask = torch.tril(torch.ones(T, T, device=query.device), diagonal=-1).bool()
# + out = F.scaled_dot_product_attention(query, value, key, attn_mask=mask)


# %% correct="allowed one by one"
def causal_sdpa(query, key, value):
    T = query.shape[2]
    mask = torch.zeros(T, T, dtype=torch.bool, device=query.device)
    for i in range(T):
        for j in range(i + 1):
            mask[i, j] = True
    return F.scaled_dot_product_attention(query, key, value, attn_mask=mask)


# %% mistake="mask-hides-diagonal: range(i)" edits="allowed one by one"
# - for j in range(i + 1):
# + for j in range(i):

# %% mistake="mask-inverted: j, i, and swapped" also="query-key-swapped" edits="allowed one by one"
# - mask[i, j] = True
# + mask[j, i] = True
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
# + return F.scaled_dot_product_attention(key, query, value, attn_mask=mask)

# %% mistake="last-left-out: a row is never filled" edits="allowed one by one"
# - for i in range(T):
# + for i in range(T - 1):

# %% mistake="device-of-its-own: forgotten" edits="mine"
# - mask = torch.tril(torch.ones(T, T, device=query.device)).bool()
# + mask = torch.tril(torch.ones(T, T)).bool()
