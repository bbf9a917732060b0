# %% setup
import torch
import torch.nn.functional as F


# %% correct="textbook"
def fixed_07(x):
    num_tokens = x.shape[0]
    allowed = torch.ones(num_tokens, num_tokens, device=x.device).tril().bool()
    return F.scaled_dot_product_attention(x, x, x, attn_mask=allowed)


# %% correct="is_causal"
def fixed_07(x):
    return F.scaled_dot_product_attention(x, x, x, is_causal=True)


# %% correct="the mask of the future, turned around"
def fixed_07(x):
    hidden = torch.ones(len(x), len(x), dtype=torch.bool, device=x.device).triu(diagonal=1)
    return F.scaled_dot_product_attention(x, x, x, attn_mask=~hidden)


# %% correct="an additive mask"
def fixed_07(x):
    mask = torch.full((len(x), len(x)), -torch.inf, dtype=x.dtype, device=x.device).triu(1)
    return F.scaled_dot_product_attention(x, x, x, attn_mask=mask)


# %% correct="by hand"
def fixed_07(x):
    scores = x @ x.T / x.shape[1] ** 0.5
    hidden = torch.ones_like(scores).triu(1) == 1
    return torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=-1) @ x


# %% correct="token by token"
def fixed_07(x):
    rows = []
    for i, query in enumerate(x):
        seen = x[: i + 1]
        rows.append(torch.softmax(seen @ query / len(query) ** 0.5, dim=0) @ seen)
    return torch.stack(rows)


# %% correct="the logarithm of the sum" edits="by hand"
# - return torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=-1) @ x
# + scores = scores.masked_fill(hidden, -torch.inf)
# + return (scores - scores.logsumexp(dim=-1, keepdim=True)).exp() @ x

# %% mistake="mask-inverted: a token sees itself" edits="textbook"
# - allowed = torch.ones(num_tokens, num_tokens, device=x.device).tril().bool()
# + allowed = torch.ones(num_tokens, num_tokens, device=x.device).triu(diagonal=0).bool()

# %% mistake="mask-inverted" edits="textbook"
# - allowed = torch.ones(num_tokens, num_tokens, device=x.device).tril().bool()
# + allowed = torch.ones(num_tokens, num_tokens, device=x.device).triu(diagonal=1).bool()

# %% mistake="mask-looks-ahead: by one" edits="textbook"
# - allowed = torch.ones(num_tokens, num_tokens, device=x.device).tril().bool()
# + allowed = torch.ones(num_tokens, num_tokens, device=x.device).tril(diagonal=1).bool()

# %% mistake="mask-hides-diagonal" edits="textbook"
# - allowed = torch.ones(num_tokens, num_tokens, device=x.device).tril().bool()
# + allowed = ~torch.ones(num_tokens, num_tokens, device=x.device).triu(diagonal=0).bool()

# %% mistake="mask-missing" edits="textbook"
# - return F.scaled_dot_product_attention(x, x, x, attn_mask=allowed)
# + return F.scaled_dot_product_attention(x, x, x)

# %% mistake="mask-zero-not-inf" edits="textbook"
# - allowed = torch.ones(num_tokens, num_tokens, device=x.device).tril().bool()
# + allowed = torch.ones(num_tokens, num_tokens, device=x.device, dtype=x.dtype).tril()

# %% mistake="mask-nan" also="not-finite" edits="textbook"
# - allowed = torch.ones(num_tokens, num_tokens, device=x.device).tril().bool()
# + allowed = torch.ones(num_tokens, num_tokens, device=x.device, dtype=x.dtype).triu(1) * -torch.inf

# %% mistake="missing-scale" edits="textbook"
# - return F.scaled_dot_product_attention(x, x, x, attn_mask=allowed)
# + return F.scaled_dot_product_attention(x, x, x, attn_mask=allowed, scale=1.0)

# %% mistake="raises: two masks" edits="textbook"
# - return F.scaled_dot_product_attention(x, x, x, attn_mask=allowed)
# + return F.scaled_dot_product_attention(x, x, x, attn_mask=allowed, is_causal=True)

# %% mistake="returns-values" edits="textbook"
# - return F.scaled_dot_product_attention(x, x, x, attn_mask=allowed)
# + return x * allowed.any()

# %% mistake="wrong-shape: a batch of one" edits="textbook"
# - return F.scaled_dot_product_attention(x, x, x, attn_mask=allowed)
# + return F.scaled_dot_product_attention(x[None], x[None], x[None], attn_mask=allowed)

# %% mistake="wrong-type: a forgotten return" edits="textbook"
# - return F.scaled_dot_product_attention(x, x, x, attn_mask=allowed)
# + F.scaled_dot_product_attention(x, x, x, attn_mask=allowed)

# %% mistake="unrecognized: the result added to the tokens" edits="textbook"
# - return F.scaled_dot_product_attention(x, x, x, attn_mask=allowed)
# + return x + F.scaled_dot_product_attention(x, x, x, attn_mask=allowed)

# %% mistake="unrecognized: two tokens back" edits="textbook"
# - allowed = torch.ones(num_tokens, num_tokens, device=x.device).tril().bool()
# + allowed = torch.ones(num_tokens, num_tokens, device=x.device).tril().triu(-1).bool()

# %% mistake="not-implemented" edits="textbook"
# - return F.scaled_dot_product_attention(x, x, x, attn_mask=allowed)
# + raise NotImplementedError("Write your answer here, then delete this line.")


# %% correct="by the logarithm of the sum"
def fixed_07(x):
    future = torch.ones(len(x), len(x), dtype=torch.bool, device=x.device).triu(1)
    scores = (x @ x.T / x.shape[1] ** 0.5).masked_fill(future, -torch.inf)
    return (scores - scores.logsumexp(dim=-1, keepdim=True)).exp() @ x


# %% mistake="mask-large-number"
def fixed_07(x):
    future = torch.ones(len(x), len(x), dtype=torch.bool, device=x.device).triu(1)
    scores = x @ x.T / x.shape[1] ** 0.5 - 100.0 * future
    return torch.softmax(scores, dim=-1) @ x


# %% correct="one step a line"
def fixed_07(x):
    future = torch.ones(len(x), len(x), dtype=torch.bool, device=x.device).triu(1)
    scores = x @ x.T
    scaled = scores / x.shape[1] ** 0.5
    hidden = scaled.masked_fill(future, -torch.inf)
    weights = torch.softmax(hidden, dim=-1)
    return weights @ x


# %% mistake="mask-inverted: step by step" edits="one step a line"
# - future = torch.ones(len(x), len(x), dtype=torch.bool, device=x.device).triu(1)
# + future = torch.ones(len(x), len(x), dtype=torch.bool, device=x.device).tril(-1)

# %% mistake="mask-inverted: nor itself, step by step" also="not-finite" edits="one step a line"
# - future = torch.ones(len(x), len(x), dtype=torch.bool, device=x.device).triu(1)
# + future = torch.ones(len(x), len(x), dtype=torch.bool, device=x.device).tril()

# %% mistake="mask-looks-ahead: by one, step by step" edits="one step a line"
# - future = torch.ones(len(x), len(x), dtype=torch.bool, device=x.device).triu(1)
# + future = torch.ones(len(x), len(x), dtype=torch.bool, device=x.device).triu(2)

# %% mistake="mask-hides-diagonal: step by step" also="not-finite" edits="one step a line"
# - future = torch.ones(len(x), len(x), dtype=torch.bool, device=x.device).triu(1)
# + future = torch.ones(len(x), len(x), dtype=torch.bool, device=x.device).triu()

# %% mistake="missing-scale: step by step" edits="one step a line"
# - scaled = scores / x.shape[1] ** 0.5
# + scaled = scores

# %% mistake="mask-missing: step by step" edits="one step a line"
# - hidden = scaled.masked_fill(future, -torch.inf)
# + hidden = scaled

# %% mistake="mask-zero-not-inf: step by step" edits="one step a line"
# - hidden = scaled.masked_fill(future, -torch.inf)
# + hidden = scaled.masked_fill(future, 0.0)

# %% mistake="scale-by-tokens" edits="textbook"
# - return F.scaled_dot_product_attention(x, x, x, attn_mask=allowed)
# + return F.scaled_dot_product_attention(x, x, x, attn_mask=allowed, scale=num_tokens**-0.5)

# %% mistake="scale-by-dk" edits="textbook"
# - return F.scaled_dot_product_attention(x, x, x, attn_mask=allowed)
# + return F.scaled_dot_product_attention(x, x, x, attn_mask=allowed, scale=1 / x.shape[1])

# %% mistake="mask-by-value" edits="by hand"
# - hidden = torch.ones_like(scores).triu(1) == 1
# + hidden = scores.tril() == 0

# %% mistake="mask-by-value: what is left of the upper half" edits="by hand"
# - hidden = torch.ones_like(scores).triu(1) == 1
# + hidden = scores.triu(1) != 0
