# %% setup
import math

import torch
import torch.nn.functional as F


# %% correct="textbook"
def causal_sdpa(query, key, value):
    tokens = query.shape[-2]
    allowed = torch.tril(torch.ones(tokens, tokens, dtype=torch.bool, device=query.device))
    return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)


# %% correct="additive mask"
def causal_sdpa(query, key, value):
    tokens = query.size(-2)
    mask = torch.full((tokens, tokens), -torch.inf, dtype=query.dtype, device=query.device).triu(1)
    return F.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=0.0, is_causal=False)


# %% correct="places compared, mask by position"
def causal_sdpa(query, key, value):
    place = torch.arange(query.shape[2], device=query.device)
    may_look = place[None, :] <= place[:, None]
    return torch.nn.functional.scaled_dot_product_attention(query, key, value, may_look)


# %% mistake="library-not-used"
def causal_sdpa(query, key, value):
    scores = torch.einsum("bhqd,bhkd->bhqk", query, key) / math.sqrt(query.shape[-1])
    hidden = torch.ones_like(scores, dtype=torch.bool).triu(1)
    return torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=-1) @ value


# %% correct="future found, then turned around" edits="textbook"
# - allowed = torch.tril(torch.ones(tokens, tokens, dtype=torch.bool, device=query.device))
# + future = torch.triu(torch.ones(tokens, tokens, device=query.device), diagonal=1)
# + allowed = future == 0

# %% mistake="forbidden-call" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + return F.scaled_dot_product_attention(query, key, value, is_causal=True)

# %% mistake="forbidden-call: by position" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + return F.scaled_dot_product_attention(query, key, value, None, 0.0, True)

# %% mistake="mask-inverted" edits="textbook"
# - allowed = torch.tril(torch.ones(tokens, tokens, dtype=torch.bool, device=query.device))
# + allowed = torch.triu(torch.ones(tokens, tokens, dtype=torch.bool, device=query.device), diagonal=1)

# %% mistake="mask-inverted: a token sees itself" edits="textbook"
# - allowed = torch.tril(torch.ones(tokens, tokens, dtype=torch.bool, device=query.device))
# + allowed = torch.triu(torch.ones(tokens, tokens, dtype=torch.bool, device=query.device))

# %% mistake="mask-looks-ahead: by one token" edits="textbook"
# - allowed = torch.tril(torch.ones(tokens, tokens, dtype=torch.bool, device=query.device))
# + allowed = torch.tril(torch.ones(tokens, tokens, dtype=torch.bool, device=query.device), diagonal=1)

# %% mistake="mask-hides-diagonal" edits="textbook"
# - allowed = torch.tril(torch.ones(tokens, tokens, dtype=torch.bool, device=query.device))
# + allowed = torch.tril(torch.ones(tokens, tokens, dtype=torch.bool, device=query.device), diagonal=-1)

# %% mistake="mask-missing" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + return F.scaled_dot_product_attention(query, key, value)

# %% mistake="mask-missing: everything is allowed" edits="textbook"
# - allowed = torch.tril(torch.ones(tokens, tokens, dtype=torch.bool, device=query.device))
# + allowed = torch.ones(tokens, tokens, dtype=torch.bool, device=query.device)

# %% mistake="mask-zero-not-inf" edits="textbook"
# - allowed = torch.tril(torch.ones(tokens, tokens, dtype=torch.bool, device=query.device))
# + allowed = torch.tril(torch.ones(tokens, tokens, dtype=query.dtype, device=query.device))

# %% mistake="mask-zero-not-inf: ones where it is hidden" edits="textbook"
# - allowed = torch.tril(torch.ones(tokens, tokens, dtype=torch.bool, device=query.device))
# + allowed = torch.triu(torch.ones(tokens, tokens, dtype=query.dtype, device=query.device), diagonal=1)

# %% mistake="mask-nan" also="not-finite" edits="textbook"
# - allowed = torch.tril(torch.ones(tokens, tokens, dtype=torch.bool, device=query.device))
# + future = torch.triu(torch.ones(tokens, tokens, dtype=query.dtype, device=query.device), diagonal=1)
# + allowed = future * -torch.inf

# %% mistake="query-key-swapped" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + return F.scaled_dot_product_attention(key, query, value, attn_mask=allowed)

# %% mistake="shared-projection" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + return F.scaled_dot_product_attention(query, query, value, attn_mask=allowed)

# %% mistake="shared-projection: keys for values" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + return F.scaled_dot_product_attention(query, key, key, attn_mask=allowed)

# %% mistake="key-value-swapped" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + return F.scaled_dot_product_attention(query, value, key, attn_mask=allowed)

# %% mistake="missing-scale" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed, scale=1.0)

# %% mistake="scale-by-dk" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + query = query / query.shape[-1] ** 0.5
# + return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)

# %% mistake="scale-multiplied" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed, scale=query.shape[-1] ** 0.5)

# %% mistake="scale-by-tokens" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed, scale=tokens**-0.5)

# %% mistake="scale-by-model-width" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + width = query.shape[1] * query.shape[3]
# + return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed, scale=width**-0.5)

# %% mistake="softmax-wrong-axis" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + scores = (query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5).masked_fill(~allowed, -torch.inf)
# + return torch.softmax(scores, dim=-2) @ value

# %% mistake="unstable-softmax" also="not-finite" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + powers = (query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5).exp() * allowed
# + return powers / powers.sum(dim=-1, keepdim=True) @ value

# %% mistake="mask-after-softmax" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + weights = torch.softmax(query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5, dim=-1)
# + return weights * allowed @ value

# %% mistake="returns-weights" also="wrong-shape" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + scores = (query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5).masked_fill(~allowed, -torch.inf)
# + return torch.softmax(scores, dim=-1)

# %% mistake="returns-values" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + return value * allowed.any()

# %% mistake="result-transposed" also="wrong-shape" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed).transpose(-2, -1)

# %% mistake="wrong-shape: merged" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed).transpose(1, 2).flatten(2)

# %% mistake="raises: the size of the features" edits="textbook"
# - tokens = query.shape[-2]
# + tokens = query.shape[-1]

# %% mistake="mask-of-another-size: the number of heads" edits="textbook"
# - tokens = query.shape[-2]
# + tokens = query.shape[1]

# %% mistake="raises" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + return F.scaled_dot_product_attention(query, key, value, mask=allowed)

# %% mistake="raises: a mask of whole numbers" edits="textbook"
# - allowed = torch.tril(torch.ones(tokens, tokens, dtype=torch.bool, device=query.device))
# + allowed = torch.tril(torch.ones(tokens, tokens, dtype=torch.int64, device=query.device))

# %% mistake="raises: not imported" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + return f.scaled_dot_product_attention(query, key, value, attn_mask=allowed)

# %% mistake="wrong-type: nothing returned" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + context = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)

# %% mistake="wrong-type: with the mask" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed), allowed

# %% mistake="wrong-type: a list" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed).tolist()

# %% mistake="wrong-dtype" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed).half()

# %% mistake="wrong-dtype: always float32" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed).float()

# %% mistake="wrong-device" on="device" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed).cpu()

# %% mistake="device-of-its-own: a mask on the CPU" edits="textbook"
# - allowed = torch.tril(torch.ones(tokens, tokens, dtype=torch.bool, device=query.device))
# + allowed = torch.tril(torch.ones(tokens, tokens, dtype=torch.bool, device="cpu"))

# %% mistake="not-finite" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed) / 0.0

# %% mistake="input-modified" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + key *= key.shape[-1] ** -0.5
# + return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed, scale=1.0)

# %% mistake="input-modified: after use" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + context = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + query.zero_()
# + return context

# %% mistake="no-gradient" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed).detach()

# %% mistake="no-gradient: the keys are cut off" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + return F.scaled_dot_product_attention(query, key.detach(), value, attn_mask=allowed)

# %% mistake="unrecognized: dropout" also="setting-left" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + torch.manual_seed(0)
# + return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed, dropout_p=0.5)

# %% mistake="unrecognized: two tokens back at most" edits="textbook"
# - allowed = torch.tril(torch.ones(tokens, tokens, dtype=torch.bool, device=query.device))
# + allowed = torch.tril(torch.ones(tokens, tokens, dtype=torch.bool, device=query.device))
# + allowed = allowed.triu(-1)

# %% mistake="unrecognized: half the context" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed) / 2

# %% mistake="not-implemented" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="not-defined" edits="textbook"
# - def causal_sdpa(query, key, value):
# + def sdpa(query, key, value):

# %% mistake="syntax-error" edits="textbook"
# - def causal_sdpa(query, key, value):
# + def causal_sdpa(query, key, value)

# %% mistake="too-slow" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + while True:
# +     tokens += 1

# %% mistake="mask-has-a-limit: less 1000" edits="textbook"
# - return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
# + return F.scaled_dot_product_attention(query, key, value, attn_mask=-1000.0 * (~allowed).to(query.dtype))


# %% correct="one step a line"
def causal_sdpa(query, key, value):
    tokens = query.shape[-2]
    asks, answers, mixed = query, key, value
    scale = query.shape[-1] ** -0.5
    future = torch.ones(tokens, tokens, dtype=torch.bool, device=query.device).triu(1)
    mask = torch.zeros_like(future, dtype=query.dtype).masked_fill(future, -torch.inf)
    return F.scaled_dot_product_attention(asks, answers, mixed, attn_mask=mask, scale=scale)


# %% mistake="query-key-swapped: a step" edits="one step a line"
# - asks, answers, mixed = query, key, value
# + asks, answers, mixed = key, query, value

# %% mistake="shared-projection: a step" edits="one step a line"
# - asks, answers, mixed = query, key, value
# + asks, answers, mixed = query, query, value

# %% mistake="shared-projection: a step, keys for values" edits="one step a line"
# - asks, answers, mixed = query, key, value
# + asks, answers, mixed = query, key, key

# %% mistake="key-value-swapped: a step" edits="one step a line"
# - asks, answers, mixed = query, key, value
# + asks, answers, mixed = query, value, key

# %% mistake="missing-scale: a step" edits="one step a line"
# - scale = query.shape[-1] ** -0.5
# + scale = 1.0

# %% mistake="scale-by-dk: a step" edits="one step a line"
# - scale = query.shape[-1] ** -0.5
# + scale = 1 / query.shape[-1]

# %% mistake="scale-multiplied: a step" edits="one step a line"
# - scale = query.shape[-1] ** -0.5
# + scale = query.shape[-1] ** 0.5

# %% mistake="scale-by-tokens: a step" edits="one step a line"
# - scale = query.shape[-1] ** -0.5
# + scale = tokens**-0.5

# %% mistake="mask-inverted: with a large number" edits="one step a line"
# - mask = torch.zeros_like(future, dtype=query.dtype).masked_fill(future, -torch.inf)
# + mask = torch.zeros_like(future, dtype=query.dtype).masked_fill(~future, -1e9)

# %% mistake="mask-inverted: a step" edits="one step a line"
# - mask = torch.zeros_like(future, dtype=query.dtype).masked_fill(future, -torch.inf)
# + mask = torch.zeros_like(future, dtype=query.dtype).masked_fill(~future, -torch.inf)

# %% mistake="mask-inverted: with a larger number" edits="one step a line"
# - mask = torch.zeros_like(future, dtype=query.dtype).masked_fill(future, -torch.inf)
# + mask = torch.zeros_like(future, dtype=query.dtype).masked_fill(~future, -1e20)

# %% mistake="mask-missing: a step" edits="one step a line"
# - mask = torch.zeros_like(future, dtype=query.dtype).masked_fill(future, -torch.inf)
# + mask = torch.zeros_like(future, dtype=query.dtype)

# %% mistake="mask-looks-ahead: a step" edits="one step a line"
# - future = torch.ones(tokens, tokens, dtype=torch.bool, device=query.device).triu(1)
# + future = torch.ones(tokens, tokens, dtype=torch.bool, device=query.device).triu(2)

# %% mistake="mask-hides-diagonal: a step, with a large number" edits="one step a line"
# - mask = torch.zeros_like(future, dtype=query.dtype).masked_fill(future, -torch.inf)
# + mask = -1e9 * torch.ones_like(future, dtype=query.dtype).triu()

# %% mistake="mask-hides-diagonal: a step" edits="one step a line"
# - future = torch.ones(tokens, tokens, dtype=torch.bool, device=query.device).triu(1)
# + future = torch.ones(tokens, tokens, dtype=torch.bool, device=query.device).triu(0)

# %% mistake="mask-zero-not-inf: a step" edits="one step a line"
# - mask = torch.zeros_like(future, dtype=query.dtype).masked_fill(future, -torch.inf)
# + mask = (~future).to(query.dtype)

# %% mistake="mask-zero-not-inf: a step, minus one" edits="one step a line"
# - mask = torch.zeros_like(future, dtype=query.dtype).masked_fill(future, -torch.inf)
# + mask = -future.to(query.dtype)


# %% correct="allowed one by one"
def causal_sdpa(query, key, value):
    tokens = query.shape[-2]
    allowed = torch.zeros(tokens, tokens, dtype=torch.bool, device=query.device)
    for i in range(tokens):
        for j in range(i + 1):
            allowed[i, j] = True
    return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)


# %% mistake="device-of-its-own: the mask on the CPU" edits="textbook"
# - allowed = torch.tril(torch.ones(tokens, tokens, dtype=torch.bool, device=query.device))
# + allowed = torch.tril(torch.ones(tokens, tokens, dtype=torch.bool))

# %% mistake="device-of-its-own: the additive mask on the CPU" edits="additive mask"
# - mask = torch.full((tokens, tokens), -torch.inf, dtype=query.dtype, device=query.device).triu(1)
# + mask = torch.full((tokens, tokens), -torch.inf, dtype=query.dtype).triu(1)
